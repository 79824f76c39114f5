/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Completion queues of the API: take results from the transport's queue into structures of the
 * application, and notify.
 */

#include "nd/cq.h"

#include <ndpdk/nd_extension.h>

#include <stdlib.h>

#include "base/limits.h"
#include "engine/arrival.h"
#include "nd/call.h"
#include "nd/refuse.h"
#include "nd/status_map.h"

static void
notified(void *arg, bool overrun)
{
	struct nd_cq *cq = arg;

	cq->fired = true;
	/*
	 * One completion completes all pending notifications (ND-135). If the queue has overrun,
	 * their status is ND_BUFFER_OVERFLOW (ND-141).
	 */
	overlapped_finish_all(&cq->notifies, overrun ? ND_BUFFER_OVERFLOW : ND_SUCCESS);
}

struct cq_call {
	struct nd_engine *home;
	struct nd_cq *cq;
	size_t entries;
	uint32_t type;
	struct nd_overlapped *overlapped;
};

static nd_status
create_run(void *arg)
{
	struct cq_call *call = arg;
	struct nd_cq *cq = calloc(1, sizeof(*cq));

	if (cq == NULL)
		return ND_NO_MEMORY;
	if (rc_cq_init(&cq->rc, (uint32_t)call->entries, call->home->adapter->socket_id, notified,
		    cq) != RC_OK) {
		free(cq);
		return ND_NO_MEMORY;
	}
	cq->home = call->home;
	base_list_init(&cq->notifies);
	base_list_append(&call->home->cqs, &cq->node);
	call->cq = cq;
	return ND_SUCCESS;
}

static nd_status
create(const char *function, struct nd_engine *engine, size_t entries, struct nd_cq **cq)
{
	struct cq_call call = {.home = engine, .entries = entries};
	nd_status status;

	if (cq == NULL)
		return REFUSE_IN(function, 0, "cq is NULL");
	if (entries == 0 || entries > ADAPTER_CQ_ENTRIES_MAX)
		return REFUSE_IN(function, 0, "entries %zu: expected 1 to %u", entries,
			ADAPTER_CQ_ENTRIES_MAX);
	if (adapter_removed(engine->adapter))
		return ND_DEVICE_REMOVED;
	status = home_call(engine, create_run, &call);
	if (!nd_failed(status))
		*cq = call.cq;
	return status;
}

nd_status
nd_engine_create_completion_queue(struct nd_engine *engine, size_t entries, struct nd_cq **cq)
{
	return create(__func__, engine, entries, cq);
}

nd_status
nd_adapter_create_completion_queue(struct nd_adapter *adapter, size_t entries, struct nd_cq **cq)
{
	return create(__func__, nd_adapter_engine(adapter), entries, cq);
}

void
cq_forget_windows(struct nd_cq *cq)
{
	const struct mem_domain *mem = cq->home->adapter->mem;
	uint32_t left = cq->rc.invalidated;

	for (uint32_t i = cq->rc.head; left != 0; i++) {
		struct rc_completion *completion = &cq->rc.ring[i & cq->rc.mask];

		if (completion->kind != RC_COMPLETION_WINDOW_INVALIDATED)
			continue;
		left--;
		if (!mem_window_has_id(mem, completion->immediate))
			completion->context = NULL;
	}
}

static_assert(ND_RESULT_WITH_IMM == RC_WITH_IMMEDIATE, "both layers use the same value");
static_assert(ND_RESULT_WRITE == RC_OF_WRITE, "both layers use the same value");
static_assert(ND_RESULT_INVALIDATED == RC_INVALIDATED, "both layers use the same value");

static inline void
result_fill(struct nd_result *result, nd_status status, const struct rc_completion *completion)
{
	result->status = status;
	result->bytes_transferred = completion->bytes;
	result->flags = completion->flags;
	result->imm_data = completion->immediate;
	result->endpoint_context = completion->owner;
}

/** Take results of any status. Slow path of successes_take(). @return number of results */
static __rte_noinline size_t
results_take(struct nd_cq *cq, struct nd_result *results[], size_t count)
{
	const struct rc_completion *completion;
	size_t taken = 0;

	cq_forget_windows(cq);
	while (taken < count && (completion = rc_cq_take(&cq->rc)) != NULL) {
		struct nd_result *result = completion->context;

		/* cq_forget_windows() has removed this result, because its window was released. */
		if (unlikely(result == NULL))
			continue;
		result_fill(result, status_of_result(completion->status), completion);
		if (completion->kind == RC_COMPLETION_WINDOW_INVALIDATED)
			/* Remove the window's ID, which the transport stored here. */
			result->imm_data = 0;
		results[taken++] = result;
	}
	return taken;
}

/**
 * Fast path: take successful results, up to the first result with another status. The queue must
 * not contain results of windows, so each completion has a result and counts against the capacity.
 */
static inline size_t
successes_take(struct rc_cq *cq, struct nd_result *results[], size_t count)
{
	const struct rc_completion *ring = cq->ring;
	uint32_t head = cq->head, tail = cq->tail, mask = cq->mask;
	size_t taken = 0;

	for (; taken < count && head != tail; head++) {
		const struct rc_completion *completion = &ring[head & mask];

		if (unlikely(completion->status != RC_OK))
			break;
		results[taken] = completion->context;
		result_fill(results[taken++], ND_SUCCESS, completion);
	}
	cq->head = head;
	return taken;
}

size_t
nd_cq_get_results(struct nd_cq *cq, struct nd_result *results[], size_t count)
{
	size_t taken = 0;

	BASE_ASSERT(engine_is_owned(cq->home->engine));
	/* Most polls find an empty queue. This test reads only two numbers. */
	if (cq->rc.head == cq->rc.tail)
		return 0;
	/*
	 * Fast path: the status of a success needs no conversion. results_take() takes all other
	 * results.
	 */
	if (likely(cq->rc.invalidated == 0))
		taken = successes_take(&cq->rc, results, count);
	if (likely(taken == count || cq->rc.head == cq->rc.tail))
		return taken;
	return taken + results_take(cq, results + taken, count - taken);
}

static nd_status
timestamps_run(void *arg)
{
	struct nd_cq *cq = arg;
	struct engine *engine = cq->home->engine;
	enum rc_status status = rc_cq_stamp_all(&cq->rc, &engine->rc.arrival);

	if (status == RC_OK)
		engine_arrival_want(engine);
	return status_of_call(status);
}

nd_status
nd_cq_enable_timestamps(struct nd_cq *cq)
{
	return home_call(cq->home, timestamps_run, cq);
}

size_t
nd_cq_get_results_with_timestamps(struct nd_cq *cq, struct nd_result *results[],
	struct nd_timestamp *timestamps, size_t count)
{
	size_t taken = 0;

	/*
	 * Take results one by one. If a completion without a result is skipped, its time stamp must
	 * be skipped with it.
	 */
	while (taken < count && nd_cq_get_results(cq, &results[taken], 1) == 1) {
		const struct rc_stamp stamp = rc_cq_taken_stamp(&cq->rc);

		timestamps[taken++] =
			(struct nd_timestamp){stamp.tsc, stamp.hardware, stamp.has_hardware};
	}
	return taken;
}

static enum rc_cq_arm
arm_of(uint32_t type)
{
	if (type == ND_CQ_NOTIFY_ANY)
		return RC_CQ_ARM_ANY;
	return type == ND_CQ_NOTIFY_SOLICITED ? RC_CQ_ARM_SOLICITED : RC_CQ_ARM_ERRORS;
}

/**
 * Called when no notification is pending any more. From now on, a completion is recorded for the
 * next nd_cq_notify() again (ND-136).
 */
static void
disarm(struct nd_cq *cq)
{
	rc_cq_disarm(&cq->rc);
}

static nd_status
notify_cancel(struct nd_overlapped *overlapped)
{
	struct nd_cq *cq = overlapped_core(overlapped)->object;

	overlapped_finish(overlapped, ND_CANCELED);
	if (base_list_empty(&cq->notifies))
		disarm(cq);
	return ND_SUCCESS;
}

static nd_status
notify_run(void *arg)
{
	struct cq_call *call = arg;
	struct nd_cq *cq = call->cq;

	cq->fired = false;
	rc_cq_request_notify(&cq->rc, arm_of(call->type));
	if (cq->fired)
		return cq->rc.overrun ? ND_BUFFER_OVERFLOW : ND_SUCCESS;
	return overlapped_begin(call->overlapped, cq->home, cq, &cq->notifies, notify_cancel);
}

nd_status
nd_cq_notify(struct nd_cq *cq, uint32_t type, struct nd_overlapped *overlapped)
{
	struct cq_call call = {.cq = cq, .type = type, .overlapped = overlapped};

	if (type > ND_CQ_NOTIFY_SOLICITED)
		return REFUSE(0, "type %u: expected 0 to %u", type, ND_CQ_NOTIFY_SOLICITED);
	if (!overlapped_usable(overlapped))
		return REFUSE(0, OVERLAPPED_UNUSABLE);
	return home_call(cq->home, notify_run, &call);
}

static nd_status
resize_run(void *arg)
{
	struct cq_call *call = arg;
	enum rc_status status = rc_cq_resize(&call->cq->rc, (uint32_t)call->entries);

	return status == RC_QUEUE_FULL ? ND_BUFFER_OVERFLOW : status_of_call(status);
}

nd_status
nd_cq_resize(struct nd_cq *cq, size_t entries)
{
	struct cq_call call = {.cq = cq, .entries = entries};

	if (entries == 0 || entries > ADAPTER_CQ_ENTRIES_MAX)
		return REFUSE(0, "entries %zu: expected 1 to %u", entries, ADAPTER_CQ_ENTRIES_MAX);
	return home_call(cq->home, resize_run, &call);
}

void
cq_cancel(struct nd_cq *cq)
{
	overlapped_finish_all(&cq->notifies, ND_CANCELED);
	disarm(cq);
}

static nd_status
cancel_run(void *arg)
{
	cq_cancel(arg);
	return ND_SUCCESS;
}

nd_status
nd_cq_cancel_overlapped_requests(struct nd_cq *cq)
{
	return home_call(cq->home, cancel_run, cq);
}

void
cq_close(struct nd_cq *cq)
{
	overlapped_finish_all(&cq->notifies, ND_CANCELED);
	base_list_remove(&cq->node);
	rc_cq_fini(&cq->rc);
	free(cq);
}

static nd_status
release_run(void *arg)
{
	struct nd_cq *cq = arg;

	if (cq->endpoints != 0)
		return ND_DEVICE_BUSY;
	cq_close(cq);
	return ND_SUCCESS;
}

nd_status
nd_cq_release(struct nd_cq *cq)
{
	if (cq == NULL)
		return ND_SUCCESS;
	return home_call(cq->home, release_run, cq);
}
