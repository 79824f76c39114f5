/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INITGUID_H
#define NDPDK_INITGUID_H

/**
 * @file
 * On Windows it makes DEFINE_GUID() define its identifier. Here that always does.
 */

#ifndef INITGUID
#define INITGUID
#endif
#include <ndpdk/win/guiddef.h>

#endif
