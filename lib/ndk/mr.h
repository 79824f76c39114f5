/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_MR_H
#define NDPDK_NDK_MR_H

#include "ndk/adapter.h"

/** Whether a region has a native region. */
enum mr_state {
	MR_EMPTY = 0,
	MR_CHANGING, /* one call registers, deregisters or prepares it; all others are refused */
	MR_FILLED,
};

/** Region. Its state is changed by control calls, and read by requests. */
struct ndk_mr {
	struct ndk_object object;
	uint32_t state;       /* enum mr_state; atomic */
	struct nd_mr *native; /* NULL: not registered, or not prepared; atomic */
	bool fast;            /* for NdkFastRegister() */
	bool remote_access;   /* of a prepared one */
	ULONG pages_max;      /* likewise */
};

/** @return its native region; NULL: it has none */
static inline struct nd_mr *
mr_native(const struct ndk_mr *mr)
{
	return __atomic_load_n(&mr->native, __ATOMIC_ACQUIRE);
}

/** @return whether a native region is one for NdkFastRegister() */
bool mr_is_fast(struct ndk_tree *tree, const struct nd_mr *native);

/** NdkCreateMr(). */
NTSTATUS mr_create(struct ndk_object *pd, bool fast, NDK_MR **out);

#endif
