/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_MW_H
#define NDPDK_NDK_MW_H

#include "ndk/mr.h"
#include "ndk/queue.h"

/** Window. */
struct ndk_mw {
	struct ndk_object object;
	struct nd_mw *native;
	uint32_t token; /* of the last bind, as it travels; atomic */
	/* Region of the last bind, an antecedent; NULL: never bound. Under the lock of the tree. */
	struct ndk_object *region;
};

/** It is bound to a region from now on: this one ends after it. */
void mw_bound(struct ndk_mw *mw, struct ndk_mr *region, uint32_t token);

/** NdkCreateMw(). */
NTSTATUS mw_create(struct ndk_object *pd, NDK_MW **out);

#endif
