/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MINWINDEF_H
#define NDPDK_MINWINDEF_H

#include <ndpdk/win/windef.h>

#endif
