/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WINNT_H
#define NDPDK_WINNT_H

#include <ndpdk/win/windows.h>

#endif
