/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WINTERNL_H
#define NDPDK_WINTERNL_H

#include <ndpdk/win/windows.h>

#endif
