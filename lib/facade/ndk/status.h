/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_STATUS_INTERNAL_H
#define NDPDK_NDK_STATUS_INTERNAL_H

#include <ndpdk/nd_status.h>
#include <ndpdk/ndk_status.h>

NTSTATUS status_of(nd_status status);

#endif
