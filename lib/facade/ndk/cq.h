/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_CQ_INTERNAL_H
#define NDPDK_NDK_CQ_INTERNAL_H

#include "ndk/adapter.h"
#include "ndk/queue.h"

#define ARM_TYPES 3u

struct ndk_cq {
	struct ndk_object object;
	struct nd_cq *native;
	NDK_FN_CQ_NOTIFICATION_CALLBACK notify;
	PVOID notify_context;

	/* The following members are protected by the lock of the tree. */
	struct nd_overlapped operations[ARM_TYPES]; /* one per notification type */
	bool armed[ARM_TYPES]; /* true: the operation of this type is pending */
	unsigned int pending;  /* number of pending operations */
	bool due;              /* true: call the callback when no operation is pending any more */
	bool released;         /* true: withheld results were released since the last callback */
	bool hidden;           /* true: results were withheld since the last callback */
	uint64_t told;         /* value of `arrived` at the last callback */
	/* number of results for one callback; 0 and 1: a callback for each result */
	ULONG moderation;
	bool telling;    /* true while the callback is running */
	bool again;      /* true: call the callback again after it returns */
	NTSTATUS status; /* status for the callback */

	/*
	 * Number of results that could be taken so far, including those already taken. Atomic;
	 * written on the engine's thread.
	 */
	uint64_t arrived;

	/*
	 * Buffer for results that results_drain() took before the consumer requested them: a ring.
	 * Used only on the engine's thread.
	 */
	NDK_RESULT_EX *kept;
	uint32_t kept_room;
	uint32_t kept_first;
	uint32_t kept_count;
	struct ndk_queue *held; /* queues whose results are withheld until a flush */

	/**
	 * Queues of closed queue pairs. The native queue may still contain results of requests of
	 * the closed queue pairs.
	 */
	struct ndk_queue *orphans; /* atomic */
};

/** NdkCreateCq(). */
NTSTATUS cq_create(struct ndk_adapter *adapter, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notify,
	PVOID context, const GROUP_AFFINITY *affinity, NDK_CQ **out);

/**
 * Called when the consumer flushes a queue of a queue pair: release its withheld results, and
 * notify.
 */
void cq_flush(struct ndk_cq *cq, struct ndk_queue *queue);

#endif
