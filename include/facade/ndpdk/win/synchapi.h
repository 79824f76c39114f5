/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SYNCHAPI_H
#define NDPDK_SYNCHAPI_H

#include <ndpdk/win/processthreadsapi.h>

#endif
