/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_MW_H
#define NDPDK_NDK_MW_H

#include "ndk/mr.h"
#include "ndk/queue.h"

struct ndk_mw {
	struct ndk_object object;
	struct nd_mw *native;
	uint32_t token; /* token of the last bind, in network byte order; atomic */
	/*
	 * Region of the last bind; the window holds a reference. NULL: never bound. Protected by
	 * the lock of the tree.
	 */
	struct ndk_object *region;
};

/** Record that the window is bound to a region. The region is then freed only after the window. */
void mw_bound(struct ndk_mw *mw, struct ndk_mr *region, uint32_t token);

/** NdkCreateMw(). */
NTSTATUS mw_create(struct ndk_object *pd, NDK_MW **out);

#endif
