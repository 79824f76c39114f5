/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WINDOWS_H
#define NDPDK_WINDOWS_H

/**
 * @file
 * The part of the Windows API that programs for Network Direct use. See docs/facade/win.md for its
 * limits.
 */

#include <ndpdk/win/crt.h>
#include <ndpdk/win/guiddef.h>
#include <ndpdk/win/interlockedapi.h>
#include <ndpdk/win/ntstatus.h>
#include <ndpdk/win/processthreadsapi.h>
#include <ndpdk/win/sysinfoapi.h>
#include <ndpdk/win/winbase.h>
#include <ndpdk/win/windef.h>
#include <ndpdk/win/winerror.h>

#endif
