/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CRTDEFS_H
#define NDPDK_CRTDEFS_H

#include <ndpdk/win/windef.h>

#endif
