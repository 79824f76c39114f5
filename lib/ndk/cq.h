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
	bool due;                                   /* it is called when none is, any more */
	bool released;                              /* withheld results are, since the last call */
	bool hidden;                                /* some were withheld since then */
	uint64_t told;                              /* value of arrived at the last call */
	ULONG moderation;                           /* results for a call; 0, 1: each one */
	bool telling;                               /* the callback is running */
	bool again;                                 /* and has to be called once more */
	NTSTATUS status;                            /* that it will be told */

	uint64_t arrived; /* results that can be taken, so far; atomic, of the engine's thread */

	/* Of the engine's thread. Results that were taken early: results_drain(). */
	NDK_RESULT_EX *kept;
	uint32_t kept_room;
	uint32_t kept_first;
	uint32_t kept_count;
	struct ndk_queue *held; /* whose cancelled requests wait for a flush */

	/** Queues of closed queue pairs; results of their requests may be in the native queue. */
	struct ndk_queue *orphans; /* atomic */
};

/** NdkCreateCq(). */
NTSTATUS cq_create(struct ndk_adapter *adapter, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notify,
	PVOID context, const GROUP_AFFINITY *affinity, NDK_CQ **out);

/** The consumer flushes a queue of a queue pair: withheld results are handed out, and told. */
void cq_flush(struct ndk_cq *cq, struct ndk_queue *queue);

#endif
