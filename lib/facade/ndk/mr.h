/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_MR_H
#define NDPDK_NDK_MR_H

#include "ndk/adapter.h"

enum mr_state {
	MR_EMPTY = 0,
	/* a call registers, deregisters or prepares the region; other calls are refused */
	MR_CHANGING,
	MR_FILLED,
};

/** A region. Control calls change its state; requests read the state. */
struct ndk_mr {
	struct ndk_object object;
	uint32_t state;       /* enum mr_state; atomic */
	struct nd_mr *native; /* native region; NULL: not registered or prepared; atomic */
	bool fast;            /* true: the region is for NdkFastRegister() */
	bool remote_access;   /* parameter of NdkInitializeFastRegisterMr() */
	ULONG pages_max;      /* parameter of NdkInitializeFastRegisterMr() */
};

/** @return native region; NULL: there is none */
static inline struct nd_mr *
mr_native(const struct ndk_mr *mr)
{
	return __atomic_load_n(&mr->native, __ATOMIC_ACQUIRE);
}

/** @return true if a fast region of this tree has this native region */
bool mr_is_fast(struct ndk_tree *tree, const struct nd_mr *native);

/** NdkCreateMr(). */
NTSTATUS mr_create(struct ndk_object *pd, bool fast, NDK_MR **out);

#endif
