/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_HEAPAPI_H
#define NDPDK_HEAPAPI_H

#include <ndpdk/win/sysinfoapi.h>

#endif
