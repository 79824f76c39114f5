/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_COMBASEAPI_H
#define NDPDK_COMBASEAPI_H

#include <ndpdk/win/objbase.h>

#endif
