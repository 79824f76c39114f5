/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_POST_MEMORY_H
#define NDPDK_NDK_POST_MEMORY_H

#include <ndpdk/ndkpi.h>

NTSTATUS ndk_bind(NDK_QP *pair, PVOID context, NDK_MR *region, NDK_MW *window, PVOID address,
	SIZE_T length, ULONG flags);
NTSTATUS ndk_fast_register(NDK_QP *pair, PVOID context, NDK_MR *region, ULONG count,
	const NDK_LOGICAL_ADDRESS *pages, ULONG offset, SIZE_T length, PVOID base, ULONG flags);
NTSTATUS ndk_invalidate(NDK_QP *pair, PVOID context, NDK_OBJECT_HEADER *object, ULONG flags);

#endif
