/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_ADAPTER_INTERNAL_H
#define NDPDK_NDK_ADAPTER_INTERNAL_H

#include <ndpdk/nd.h>

#include "ndk/object.h"
#include "ndk/pool.h"
#include "ndk/ports.h"

/** The privileged token, for list entries with logical addresses. No region has this token. */
#define PRIVILEGED_TOKEN UINT32_MAX

/** NDK_ADAPTER_INFO.FRMRPageCount. */
#define ADAPTER_FAST_PAGES_MAX 256u

struct ndk_mapping;

/** An adapter. The first members are the members of NDK_ADAPTER. */
struct ndk_adapter {
	NDK_OBJECT_HEADER header;
	const void *dispatch;
	struct nd_adapter *native;
	struct nd_adapter_info limits;
	struct sockaddr_storage address; /* own address; port 0 */
	struct ndk_tree tree;
	struct ndk_ports ports;
	struct ndk_pools pools;
	pthread_rwlock_t mappings_lock;
	/* mappings that NdkBuildLAM() created; protected by mappings_lock */
	struct ndk_mapping *mappings;
};

static inline struct ndk_adapter *
adapter_of_tree(struct ndk_tree *tree)
{
	return (struct ndk_adapter *)((char *)tree - offsetof(struct ndk_adapter, tree));
}

static inline struct ndk_adapter *
adapter_of(const struct ndk_object *object)
{
	return adapter_of_tree(object->tree);
}

/** @return the adapter to which a public pointer points; NULL: not an adapter */
static inline struct ndk_adapter *
adapter_from(const NDK_ADAPTER *adapter)
{
	if (adapter == NULL || adapter->Header.ObjectType != NdkObjectTypeAdapter)
		return NULL;
	return (struct ndk_adapter *)(uintptr_t)adapter;
}

/** @return engine that the affinity selects; the first engine if affinity is NULL */
static inline struct nd_engine *
adapter_engine(const struct ndk_adapter *adapter, const GROUP_AFFINITY *affinity)
{
	size_t engines = nd_adapter_engine_count(adapter->native);
	size_t processor = 0;

	if (affinity != NULL && affinity->Mask != 0)
		processor = 64u * affinity->Group + (size_t)__builtin_ctzl(affinity->Mask);
	return nd_adapter_get_engine(adapter->native, processor % engines);
}

#endif
