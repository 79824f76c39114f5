/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INITGUID_H
#define NDPDK_INITGUID_H

/**
 * @file
 * On Windows, this header makes DEFINE_GUID() a definition. Here, DEFINE_GUID() always defines.
 */

#ifndef INITGUID
#define INITGUID
#endif
#include <ndpdk/win/guiddef.h>

#endif
