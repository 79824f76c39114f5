/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_QUEUE_INTERNAL_H
#define NDPDK_NDK_QUEUE_INTERNAL_H

#include <assert.h>
#include <stdbool.h>

#include <ndpdk/nd_types.h>
#include <ndpdk/ndkpi.h>

struct ndk_queue;

/** Role of a record. One request of the consumer may be two native requests, each with a record. */
enum record_part {
	RECORD_WHOLE = 0,
	/* READ that is followed by its invalidate; its result counts only if it fails */
	RECORD_FIRST,
	/* invalidate after a READ; its result is the result of both requests */
	RECORD_SECOND,
	RECORD_SECOND_TOLD, /* as RECORD_SECOND, but the READ has reported a failure */
	RECORD_SHARED,      /* receive of a shared receive queue; its record is in a pool */
};

/**
 * A request that is outstanding, or whose result the consumer has not taken. The context of the
 * native request is the address of the record.
 */
struct ndk_record {
	struct ndk_queue *queue;
	PVOID context;
	PVOID qp_context; /* endpoint context, stored while the result is withheld */
	NDK_OPERATION_TYPE type;
	uint8_t part; /* enum record_part */
	bool waits;   /* the request was cancelled, and its result is withheld */
};

static_assert(sizeof(struct ndk_record) == 32, "two records per cache line");

/**
 * A ring of the requests on one queue (receives or others) of a queue pair. Results arrive in
 * posting order. Silent requests have no results: they are complete when a later result is taken.
 */
struct ndk_queue {
	struct ndk_queue *next_orphan; /* next in ndk_cq.orphans */
	uint64_t head;                 /* position of the next request to be posted */
	uint64_t tail;                 /* position of the oldest request that is not complete */
	uint32_t count;                /* maximum number of outstanding requests, plus 1 */
	/* number of records minus 1; the number is a power of two */
	uint32_t mask;
	/*
	 * True after a flush by the consumer or a broken connection. Protected by the lock of the
	 * tree.
	 */
	bool flushed;
	/* Next queue in ndk_cq.held. The lock of the tree protects this member and withheld. */
	struct ndk_queue *next_held;
	uint32_t withheld; /* number of records whose results are withheld */
	struct ndk_record *records;
};

/** @return queue for depth requests; NULL: out of memory */
struct ndk_queue *queue_create(uint32_t depth);

static inline bool
queue_is_full(const struct ndk_queue *queue)
{
	return queue->head - queue->tail == queue->count;
}

/** @return record of the next request, which is not posted yet; the queue must not be full */
static inline struct ndk_record *
queue_next(struct ndk_queue *queue)
{
	return &queue->records[queue->head & queue->mask];
}

/**
 * Called when the result of a request is taken: this request and all earlier requests are complete.
 */
static inline void
queue_taken(struct ndk_queue *queue, const struct ndk_record *record)
{
	uint32_t index = (uint32_t)(record - queue->records);

	queue->tail += ((index - (uint32_t)queue->tail) & queue->mask) + 1;
}

#endif
