/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Converts and orders results. Results are taken first from the buffer of results that were
 * taken early, then from withheld results, then from the native queue.
 *
 * When the peer disconnects, the native library cancels outstanding requests. In this interface
 * only the consumer may flush. So results of cancelled requests are withheld, and their records
 * stay in their queue until the flush.
 */

#include "ndk/results.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <ndpdk/nd_shared.h>

#include "ndk/status.h"

static_assert(offsetof(NDK_RESULT_EX, Status) == offsetof(NDK_RESULT, Status) &&
		offsetof(NDK_RESULT_EX, BytesTransferred) ==
			offsetof(NDK_RESULT, BytesTransferred) &&
		offsetof(NDK_RESULT_EX, QPContext) == offsetof(NDK_RESULT, QPContext) &&
		offsetof(NDK_RESULT_EX, RequestContext) == offsetof(NDK_RESULT, RequestContext),
	"NDK_RESULT_EX begins with the members of NDK_RESULT");

/**
 * The consumer's array of results, of either type. The functions that take results are compiled for
 * each type.
 */
struct sink {
	char *at;
	size_t stride; /* sizeof(NDK_RESULT) or sizeof(NDK_RESULT_EX) */
};

static inline struct sink
sink_skip(struct sink sink, uint32_t count)
{
	return (struct sink){sink.at + count * sink.stride, sink.stride};
}

static inline void
result_fill(struct sink sink, const struct ndk_record *record, const struct nd_completion *from)
{
	NDK_RESULT *out = (NDK_RESULT *)(void *)sink.at;
	NDK_RESULT_EX *extended = (NDK_RESULT_EX *)(void *)sink.at;

	out->Status = from->status == ND_SUCCESS ? STATUS_SUCCESS : status_of(from->status);
	out->BytesTransferred = from->bytes_transferred;
	out->QPContext = from->endpoint_context;
	out->RequestContext = record->context;
	if (sink.stride != sizeof(*extended))
		return;
	extended->Type = record->type;
	extended->ProviderErrorCode = 0;
	extended->TypeSpecificCompletionOutput = 0;
	if ((from->flags & ND_RESULT_INVALIDATED) != 0) {
		extended->Type = NdkOperationTypeReceiveAndInvalidate;
		extended->TypeSpecificCompletionOutput = from->imm_data;
	}
}

/**
 * Store a result for the consumer.
 *
 * @return 1; 0: nothing is stored, because this is the second part of a request whose first part
 *         has reported a failure
 */
static inline uint32_t
record_out(struct ndk_record *record, const struct nd_completion *from, struct sink sink)
{
	struct ndk_queue *queue = record->queue;

	result_fill(sink, record, from);
	if (__builtin_expect(record->part == RECORD_WHOLE, true)) {
		queue_taken(queue, record);
		return 1;
	}
	if (record->part == RECORD_SHARED) {
		pool_give(record);
		return 1;
	}
	queue_taken(queue, record);
	if (record->part == RECORD_SECOND_TOLD)
		return 0;
	/*
	 * The first part has a result only after a failure. In this case omit the result of the
	 * second part.
	 */
	if (record->part == RECORD_FIRST)
		queue->records[queue->tail & queue->mask].part = RECORD_SECOND_TOLD;
	return 1;
}

/* ---- Withheld results ---- */

/**
 * Called for the result of a cancelled request. @return true if the result is withheld until the
 * consumer flushes
 */
static bool
withhold(struct ndk_cq *cq, struct ndk_record *record, const struct nd_completion *from)
{
	struct ndk_queue *queue = record->queue;
	bool waits;

	if (record->part == RECORD_SHARED)
		return false;
	pthread_mutex_lock(&cq->object.tree->lock);
	/*
	 * Once a result of a queue is withheld, withhold all later results of this queue to keep
	 * the order.
	 */
	waits = !queue->flushed || queue->withheld != 0;
	if (waits) {
		record->waits = true;
		record->qp_context = from->endpoint_context;
		if (queue->withheld++ == 0) {
			queue->next_held = cq->held;
			cq->held = queue;
		}
		cq->hidden = true;
	}
	pthread_mutex_unlock(&cq->object.tree->lock);
	return waits;
}

/**
 * Store withheld results of a flushed queue for the consumer. @return number of results, 0 .. count
 */
static uint32_t
queue_release(struct ndk_queue *queue, struct sink out, uint32_t count)
{
	uint32_t taken = 0;

	for (uint64_t at = queue->tail; queue->withheld != 0 && taken < count; at++) {
		struct ndk_record *record = &queue->records[at & queue->mask];
		const struct nd_completion cancelled = {
			.status = ND_CANCELED,
			.endpoint_context = record->qp_context,
		};

		if (!record->waits)
			continue;
		record->waits = false;
		queue->withheld--;
		taken += record_out(record, &cancelled, sink_skip(out, taken));
	}
	return taken;
}

/**
 * Store withheld results of all flushed queues for the consumer. @return number of results, 0 ..
 * count
 */
static uint32_t
held_take(struct ndk_cq *cq, struct sink out, uint32_t count)
{
	struct ndk_queue **link = &cq->held;
	uint32_t taken = 0;

	pthread_mutex_lock(&cq->object.tree->lock);
	while (*link != NULL) {
		struct ndk_queue *queue = *link;

		if (queue->flushed)
			taken += queue_release(queue, sink_skip(out, taken), count - taken);
		if (queue->withheld == 0)
			*link = queue->next_held;
		else
			link = &queue->next_held;
	}
	pthread_mutex_unlock(&cq->object.tree->lock);
	return taken;
}

bool
results_flush(struct ndk_cq *cq, struct ndk_queue *queue)
{
	bool waited;

	pthread_mutex_lock(&cq->object.tree->lock);
	queue->flushed = true;
	waited = queue->withheld != 0;
	pthread_mutex_unlock(&cq->object.tree->lock);
	return waited;
}

/* ---- Taking ---- */

/** Take the oldest native result, with any status. @return number of results stored: 0 or 1 */
static uint32_t
any_take(struct ndk_cq *cq, struct sink out)
{
	struct nd_completion from;

	if (nd_cq_get_completions(cq->native, &from, 1) == 0)
		return 0;
	/* Skip this result, because the result of the next receive reports the invalidation. */
	if (from.kind == ND_COMPLETION_WINDOW_INVALIDATED)
		return 0;
	if (from.status == ND_CANCELED && withhold(cq, from.context, &from))
		return 0;
	return record_out(from.context, &from, out);
}

/**
 * Take results from the native queue.
 *
 * @param[out] empty true: the native queue is empty now
 * @return number of results stored, 0 .. count; results of windows are skipped
 */
static inline __attribute__((always_inline)) uint32_t
native_take(struct ndk_cq *cq, struct sink out, uint32_t count, bool *empty)
{
	const struct nd_completion *ready;
	size_t present = nd_cq_peek_completions(cq->native, &ready), plain = 0;
	uint32_t taken = 0;

	/* Read successful results in place, because most results are successes. */
	while (plain < present && taken < count && ready[plain].status == ND_SUCCESS &&
		ready[plain].kind != ND_COMPLETION_WINDOW_INVALIDATED) {
		const struct nd_completion *from = &ready[plain++];

		taken += record_out(from->context, from, sink_skip(out, taken));
	}
	nd_cq_drop_completions(cq->native, plain);
	if (plain < present && taken < count)
		taken += any_take(cq, sink_skip(out, taken));
	__atomic_store_n(&cq->arrived, cq->arrived + taken, __ATOMIC_RELAXED);
	*empty = present == 0;
	return taken;
}

static uint32_t
kept_take(struct ndk_cq *cq, struct sink out)
{
	if (cq->kept_count == 0)
		return 0;
	memcpy(out.at, &cq->kept[cq->kept_first], out.stride);
	cq->kept_first = (cq->kept_first + 1) % cq->kept_room;
	cq->kept_count--;
	return 1;
}

/**
 * Take withheld results and native results, but no results from the buffer cq->kept. @param[out]
 * empty as for native_take()
 */
static inline __attribute__((always_inline)) uint32_t
source_take(struct ndk_cq *cq, struct sink out, uint32_t count, bool *empty)
{
	uint32_t taken = 0;

	if (cq->held != NULL)
		taken = held_take(cq, out, count);
	while (taken < count && !*empty)
		taken += native_take(cq, sink_skip(out, taken), count - taken, empty);
	/* Another thread may have flushed meanwhile, which releases withheld results. */
	if (cq->held != NULL && taken < count)
		taken += held_take(cq, sink_skip(out, taken), count - taken);
	return taken;
}

/**
 * Free orphans (queues of freed queue pairs). The native queue was empty after they became orphans,
 * so no result refers to them.
 */
static void
orphans_end(struct ndk_cq *cq, struct ndk_queue *orphans)
{
	struct ndk_queue **link = &cq->orphans;

	pthread_mutex_lock(&cq->object.tree->lock);
	while (*link != orphans)
		link = &(*link)->next_orphan;
	__atomic_store_n(link, NULL, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&cq->object.tree->lock);
	while (orphans != NULL) {
		struct ndk_queue *next = orphans->next_orphan;

		free(orphans);
		orphans = next;
	}
}

static inline __attribute__((always_inline)) uint32_t
take(struct ndk_cq *cq, struct sink out, uint32_t count)
{
	struct ndk_queue *orphans = __atomic_load_n(&cq->orphans, __ATOMIC_ACQUIRE);
	bool empty = false;
	uint32_t taken = 0;

	while (taken < count && kept_take(cq, sink_skip(out, taken)) != 0)
		taken++;
	if (taken < count)
		taken += source_take(cq, sink_skip(out, taken), count - taken, &empty);
	/* The output is not full, so no withheld results of the orphans are left. */
	if (empty && taken < count && orphans != NULL)
		orphans_end(cq, orphans);
	return taken;
}

uint32_t
results_take(struct ndk_cq *cq, NDK_RESULT *out, uint32_t count)
{
	return take(cq, (struct sink){(char *)out, sizeof(*out)}, count);
}

uint32_t
results_take_ex(struct ndk_cq *cq, NDK_RESULT_EX *out, uint32_t count)
{
	return take(cq, (struct sink){(char *)out, sizeof(*out)}, count);
}

void
results_drain(struct ndk_cq *cq)
{
	bool empty = false;

	while (cq->kept_count < cq->kept_room && !empty) {
		uint32_t at = (cq->kept_first + cq->kept_count) % cq->kept_room;
		uint32_t room = cq->kept_room - cq->kept_count;

		/* Fill only the contiguous part of the ring. */
		if (room > cq->kept_room - at)
			room = cq->kept_room - at;
		cq->kept_count += source_take(cq,
			(struct sink){(char *)&cq->kept[at], sizeof(cq->kept[0])}, room, &empty);
	}
}

void
results_adopt(struct ndk_cq *cq, struct ndk_queue *queue)
{
	pthread_mutex_lock(&cq->object.tree->lock);
	queue->next_orphan = cq->orphans;
	__atomic_store_n(&cq->orphans, queue, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&cq->object.tree->lock);
}

void
results_free(struct ndk_cq *cq)
{
	if (cq->orphans != NULL)
		orphans_end(cq, cq->orphans);
	free(cq->kept);
}
