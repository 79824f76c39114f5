/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROFILEAPI_H
#define NDPDK_PROFILEAPI_H

#include <ndpdk/win/sysinfoapi.h>

#endif
