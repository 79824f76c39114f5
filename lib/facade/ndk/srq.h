/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_SRQ_INTERNAL_H
#define NDPDK_NDK_SRQ_INTERNAL_H

#include "ndk/adapter.h"
#include "ndk/queue.h"

struct ndk_srq {
	struct ndk_object object;
	struct nd_srq *native;
	struct ndk_pool *receives;
	NDK_FN_SRQ_NOTIFICATION_CALLBACK notify;
	PVOID notify_context;
	struct nd_overlapped operation;
	bool armed; /* true: the operation is pending; protected by the lock of the tree */
};

struct ndk_srq_config {
	ULONG depth;
	ULONG sge;
	ULONG threshold;
	NDK_FN_SRQ_NOTIFICATION_CALLBACK notify;
	PVOID context;
	const GROUP_AFFINITY *affinity;
};

NTSTATUS srq_create(struct ndk_object *pd, const struct ndk_srq_config *config, NDK_SRQ **out);

#endif
