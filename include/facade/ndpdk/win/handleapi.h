/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_HANDLEAPI_H
#define NDPDK_HANDLEAPI_H

#include <ndpdk/win/winbase.h>

#endif
