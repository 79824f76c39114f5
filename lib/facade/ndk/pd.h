/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_PD_H
#define NDPDK_NDK_PD_H

#include "ndk/adapter.h"

/** NdkCreatePd(). */
NTSTATUS pd_create(struct ndk_adapter *adapter, NDK_PD **out);

#endif
