/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_CQ_INTERNAL_H
#define NDPDK_NDK_CQ_INTERNAL_H

#include "ndk/adapter.h"
#include "ndk/queue.h"

#define ARM_TYPES 3u

/** Completion queue. */
struct ndk_cq {
	struct ndk_object object;
	struct nd_cq *native;
	NDK_FN_CQ_NOTIFICATION_CALLBACK notify;
	PVOID notify_context;

	/* Under the lock of the tree. */
	struct nd_overlapped operations[ARM_TYPES]; /* one for each type */
	bool armed[ARM_TYPES];                      /* its operation is under way */
	unsigned int pending;                       /* operations under way */
	bool telling;                               /* the callback is running */
	bool again;                                 /* and has to be called once more */
	NTSTATUS status;                            /* that it will be told */

	/* Of the engine's thread. Results that were taken early: cq_drain(). */
	NDK_RESULT_EX *kept;
	uint32_t kept_room;
	uint32_t kept_first;
	uint32_t kept_count;

	/** Queues of closed queue pairs; results of their requests may be in the native queue. */
	struct ndk_queue *orphans; /* atomic */
};

/** NdkCreateCq(). */
NTSTATUS cq_create(struct ndk_adapter *adapter, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notify,
	PVOID context, const GROUP_AFFINITY *affinity, NDK_CQ **out);

/**
 * Take what is in the native queue, and keep it for NdkGetCqResults(): the records of silent
 * requests that are over become free. On the thread of the engine.
 */
void cq_drain(struct ndk_cq *cq);

/** The queue pair of a queue is gone: the queue is freed when no result of it can come any more. */
void cq_adopt(struct ndk_cq *cq, struct ndk_queue *queue);

#endif
