/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_SGL_H
#define NDPDK_NDK_SGL_H

#include "ndk/adapter.h"

#define SGL_ENTRIES 16u
#define SGL_INLINE  256u

/** A list in the native form, for the time of a call. */
struct ndk_sgl {
	struct nd_sge entries[SGL_ENTRIES];
	size_t count;
	uint64_t bytes; /* of all entries */
	uint8_t copy[SGL_INLINE];
};

/** Translate a list of registered memory. @return as the posting calls say */
NTSTATUS
sgl_load(struct ndk_adapter *adapter, const NDK_SGE *from, ULONG count, struct ndk_sgl *sgl);

/** Copy the bytes of a list of inline data, at most limit bytes. */
NTSTATUS sgl_copy(const NDK_SGE *from, ULONG count, size_t limit, struct ndk_sgl *sgl);

#endif
