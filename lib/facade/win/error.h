/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_ERROR_H
#define NDPDK_WIN_ERROR_H

#include <ndpdk/win/winerror.h>

/** Set the error of the calling thread. @return FALSE, so that the caller can return it */
BOOL win_fail(DWORD error);

#endif
