/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_CQ_INTERNAL_H
#define NDPDK_NDK_CQ_INTERNAL_H

#include "ndk/adapter.h"
#include "ndk/queue.h"

#define ARM_TYPES 3u

/** A completion queue. */
struct ndk_cq {
	struct ndk_object object;
	struct nd_cq *native;
	NDK_FN_CQ_NOTIFICATION_CALLBACK notify;
	PVOID notify_context;

	/* These members are protected by the lock of the tree. */
	struct nd_overlapped operations[ARM_TYPES]; /* one per notification type */
	bool armed[ARM_TYPES]; /* whether the operation of this type is pending */
	unsigned int pending;  /* number of pending operations */
	bool due;              /* call the callback when pending becomes 0 */
	bool released;    /* withheld results were released since the last call of the callback */
	bool hidden;      /* results were withheld since the last call of the callback */
	uint64_t told;    /* value of arrived at the last call of the callback */
	ULONG moderation; /* number of results per call; 0 and 1: a call for each result */
	bool telling;     /* whether the callback is running */
	bool again;       /* whether to call the callback again after it returns */
	NTSTATUS status;  /* status for the callback */

	/*
	 * number of requests whose results could be taken so far; atomic, written on the engine's
	 * thread
	 */
	uint64_t arrived;

	/* Used on the engine's thread. Results that were taken early: results_drain(). */
	NDK_RESULT_EX *kept;
	uint32_t kept_room;
	uint32_t kept_first;
	uint32_t kept_count;
	struct ndk_queue *held; /* list of queues with cancelled requests that wait for a flush */

	/**
	 * Queues of closed queue pairs. The native queue may still have results of their requests.
	 */
	struct ndk_queue *orphans; /* atomic */
};

/** NdkCreateCq(). */
NTSTATUS cq_create(struct ndk_adapter *adapter, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notify,
	PVOID context, const GROUP_AFFINITY *affinity, NDK_CQ **out);

/** The consumer flushes a queue of a queue pair: release withheld results, and notify. */
void cq_flush(struct ndk_cq *cq, struct ndk_queue *queue);

#endif
