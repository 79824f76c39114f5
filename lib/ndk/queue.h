/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_QUEUE_INTERNAL_H
#define NDPDK_NDK_QUEUE_INTERNAL_H

#include <assert.h>
#include <stdbool.h>

#include <ndpdk/nd_types.h>
#include <ndpdk/ndkpi.h>

struct ndk_queue;

/** What a record is of a request. */
enum record_part {
	RECORD_WHOLE = 0,
	RECORD_FIRST,       /* a read; its invalidation follows. Has a result only if it fails */
	RECORD_SECOND,      /* the invalidation behind a read: the result of both */
	RECORD_SECOND_TOLD, /* likewise, when the read has told that it failed */
	RECORD_SHARED,      /* a receive of a shared queue: the record is of a pool */
};

/**
 * A request that is outstanding, or whose result has not been taken: the context of the native
 * request, whose result comes by value.
 */
struct ndk_record {
	struct ndk_queue *queue;
	PVOID context;
	PVOID qp_context; /* of a result that is withheld */
	NDK_OPERATION_TYPE type;
	uint8_t part; /* enum record_part */
	bool waits;   /* cancelled; its result is withheld */
};

static_assert(sizeof(struct ndk_record) == 32, "two records per line");

/**
 * The requests of one queue of a queue pair: a ring, because their results come in the order in
 * which they were posted. Silent ones have none: they are over when that of a later one is taken.
 */
struct ndk_queue {
	struct ndk_queue *next_orphan; /* of its completion queue */
	uint64_t head;                 /* next one to be posted */
	uint64_t tail;                 /* oldest one that is not over */
	uint32_t count;                /* of records in use: one more than can be outstanding */
	uint32_t mask;                 /* of all records, whose number is a power of two */
	bool flushed;                /* by the consumer, or a failure; under the lock of the tree */
	struct ndk_queue *next_held; /* under the lock, as the next one */
	uint32_t withheld;           /* records that wait */
	struct ndk_record *records;
};

/** @return room for depth requests; NULL: no memory */
struct ndk_queue *queue_create(uint32_t depth);

static inline bool
queue_is_full(const struct ndk_queue *queue)
{
	return queue->head - queue->tail == queue->count;
}

/** @return record of the next request, which is not posted yet; the queue is not full */
static inline struct ndk_record *
queue_next(struct ndk_queue *queue)
{
	return &queue->records[queue->head & queue->mask];
}

/** The result of this request was taken: it is over, and so are those before it. */
static inline void
queue_taken(struct ndk_queue *queue, const struct ndk_record *record)
{
	uint32_t index = (uint32_t)(record - queue->records);

	queue->tail += ((index - (uint32_t)queue->tail) & queue->mask) + 1;
}

#endif
