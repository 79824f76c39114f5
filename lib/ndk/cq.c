/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Completion queues: results in the kernel interface's form, and notifications.
 */

#include "ndk/cq.h"

#include <stdlib.h>

#include "ndk/status.h"

#define TAKE_AT_ONCE 32u

/* ---- Results ---- */

static void
result_fill(NDK_RESULT_EX *out, const struct nd_result *result)
{
	const struct ndk_record *record = (const struct ndk_record *)(const void *)result;
	const struct ndk_queue *queue = record->completion.queue;

	*out = (NDK_RESULT_EX){
		.Status = status_of(result->status),
		.BytesTransferred = (ULONG)result->bytes_transferred,
		.QPContext = queue->shared ? result->endpoint_context : queue->qp_context,
		.RequestContext = record->context,
		.Type = record->type,
	};
	if ((result->flags & ND_RESULT_INVALIDATED) != 0) {
		out->Type = NdkOperationTypeReceiveAndInvalidate;
		out->TypeSpecificCompletionOutput = result->imm_data;
	}
}

static void
record_taken(struct ndk_record *record)
{
	struct ndk_queue *queue = record->completion.queue;

	if (queue->shared)
		pool_give(record);
	else
		queue_taken(queue, record);
}

/**
 * Take native results.
 *
 * @param[out] empty whether there are no more
 * @return how many of requests, 0 .. count; those of windows are left out
 */
static uint32_t
native_take(struct ndk_cq *cq, NDK_RESULT_EX *out, uint32_t count, bool *empty)
{
	struct nd_result *results[TAKE_AT_ONCE];
	size_t wanted = count < TAKE_AT_ONCE ? count : TAKE_AT_ONCE;
	size_t got = nd_cq_get_results(cq->native, results, wanted);
	uint32_t taken = 0;

	for (size_t i = 0; i < got; i++) {
		struct ndk_completion *completion = (struct ndk_completion *)results[i];

		/* Of a window: the result of the receive behind it says so, too. */
		if (completion->queue == NULL)
			continue;
		result_fill(&out[taken++], results[i]);
		record_taken((struct ndk_record *)completion);
	}
	*empty = got < wanted;
	return taken;
}

static void
orphans_free(struct ndk_queue *queue)
{
	while (queue != NULL) {
		struct ndk_queue *next = queue->next_orphan;

		free(queue);
		queue = next;
	}
}

/** The native queue was empty after these had become orphans. */
static void
orphans_end(struct ndk_cq *cq, struct ndk_queue *orphans)
{
	struct ndk_queue **link = &cq->orphans;

	pthread_mutex_lock(&cq->object.tree->lock);
	while (*link != orphans)
		link = &(*link)->next_orphan;
	__atomic_store_n(link, NULL, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&cq->object.tree->lock);
	orphans_free(orphans);
}

void
cq_adopt(struct ndk_cq *cq, struct ndk_queue *queue)
{
	pthread_mutex_lock(&cq->object.tree->lock);
	queue->next_orphan = cq->orphans;
	__atomic_store_n(&cq->orphans, queue, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&cq->object.tree->lock);
}

static uint32_t
kept_take(struct ndk_cq *cq, NDK_RESULT_EX *out)
{
	if (cq->kept_count == 0)
		return 0;
	*out = cq->kept[cq->kept_first];
	cq->kept_first = (cq->kept_first + 1) % cq->kept_room;
	cq->kept_count--;
	return 1;
}

/** @return how many, 0 .. count; less only if there are no more */
static uint32_t
results_take(struct ndk_cq *cq, NDK_RESULT_EX *out, uint32_t count)
{
	struct ndk_queue *orphans = __atomic_load_n(&cq->orphans, __ATOMIC_ACQUIRE);
	bool empty = false;
	uint32_t taken = 0;

	while (taken < count && kept_take(cq, &out[taken]) != 0)
		taken++;
	while (taken < count && !empty)
		taken += native_take(cq, &out[taken], count - taken, &empty);
	if (empty && orphans != NULL)
		orphans_end(cq, orphans);
	return taken;
}

void
cq_drain(struct ndk_cq *cq)
{
	bool empty = false;

	while (cq->kept_count < cq->kept_room && !empty) {
		uint32_t at = (cq->kept_first + cq->kept_count) % cq->kept_room;
		uint32_t room = cq->kept_room - cq->kept_count;

		/* What lies in one piece of the ring. */
		if (room > cq->kept_room - at)
			room = cq->kept_room - at;
		cq->kept_count += native_take(cq, &cq->kept[at], room, &empty);
	}
}

static ULONG
entry_results_ex(NDK_CQ *queue, NDK_RESULT_EX results[], ULONG count)
{
	if (!object_is(queue, NdkObjectTypeCq) || results == NULL)
		return 0;
	return results_take((struct ndk_cq *)queue, results, count);
}

static ULONG
entry_results(NDK_CQ *queue, NDK_RESULT results[], ULONG count)
{
	NDK_RESULT_EX taken[TAKE_AT_ONCE];
	ULONG done = 0;

	if (!object_is(queue, NdkObjectTypeCq) || results == NULL)
		return 0;
	while (done < count) {
		uint32_t wanted = count - done < TAKE_AT_ONCE ? count - done : TAKE_AT_ONCE;
		uint32_t got = results_take((struct ndk_cq *)queue, taken, wanted);

		for (uint32_t i = 0; i < got; i++) {
			results[done++] = (NDK_RESULT){
				.Status = taken[i].Status,
				.BytesTransferred = taken[i].BytesTransferred,
				.QPContext = taken[i].QPContext,
				.RequestContext = taken[i].RequestContext,
			};
		}
		if (got < wanted)
			break;
	}
	return done;
}

/* ---- Notifications ---- */

/** Call the callback; calls that come due meanwhile follow. The lock is held. */
static void
tell(struct ndk_cq *cq)
{
	pthread_mutex_t *lock = &cq->object.tree->lock;
	const void *outer;

	cq->again = true;
	if (cq->telling)
		return;
	cq->telling = true;
	while (cq->again && !cq->object.closing) {
		NTSTATUS status = cq->status;

		cq->again = false;
		pthread_mutex_unlock(lock);
		outer = telling_begin(cq->object.tree);
		cq->notify(cq->notify_context, status);
		telling_end(outer);
		pthread_mutex_lock(lock);
	}
	cq->telling = false;
}

/** An operation is over. All that are under way end together, and are told once. */
static void
operation_over(struct ndk_cq *cq, unsigned int type, nd_status status)
{
	pthread_mutex_lock(&cq->object.tree->lock);
	cq->armed[type] = false;
	cq->pending--;
	if (status != ND_CANCELED) {
		cq->status = status_of(status);
		if (cq->pending == 0)
			tell(cq);
	}
	pthread_mutex_unlock(&cq->object.tree->lock);
	object_drop(&cq->object);
}

static void
notified(struct nd_overlapped *operation, void *arg)
{
	struct ndk_cq *cq = arg;

	operation_over(cq, (unsigned int)(operation - cq->operations),
		nd_overlapped_get_result(operation, NULL, false));
}

/** @return whether what is armed already does not include this type; it is armed then */
static bool
arm_begin(struct ndk_cq *cq, unsigned int type)
{
	static const unsigned int strength[ARM_TYPES] = {
		[NDK_CQ_NOTIFY_ERRORS] = 0,
		[NDK_CQ_NOTIFY_SOLICITED] = 1,
		[NDK_CQ_NOTIFY_ANY] = 2,
	};
	bool stronger = true;

	pthread_mutex_lock(&cq->object.tree->lock);
	for (unsigned int i = 0; i < ARM_TYPES; i++) {
		if (cq->armed[i] && strength[i] >= strength[type])
			stronger = false;
	}
	if (stronger) {
		cq->armed[type] = true;
		cq->pending++;
		cq->object.references++;
		cq->operations[type] = (struct nd_overlapped){
			.callback = notified,
			.callback_arg = cq,
		};
	}
	pthread_mutex_unlock(&cq->object.tree->lock);
	return stronger;
}

static VOID
entry_arm(NDK_CQ *queue, ULONG type)
{
	struct ndk_cq *cq = (struct ndk_cq *)queue;
	nd_status status;

	if (!object_is(queue, NdkObjectTypeCq) || type >= ARM_TYPES || !arm_begin(cq, type))
		return;
	status = nd_cq_notify(cq->native, type, &cq->operations[type]);
	if (status != ND_PENDING)
		operation_over(cq, type, status);
}

static_assert(NDK_CQ_NOTIFY_ERRORS == ND_CQ_NOTIFY_ERRORS &&
		NDK_CQ_NOTIFY_ANY == ND_CQ_NOTIFY_ANY &&
		NDK_CQ_NOTIFY_SOLICITED == ND_CQ_NOTIFY_SOLICITED,
	"types pass through");

static NTSTATUS
entry_moderation(NDK_CQ *queue, ULONG interval, ULONG count)
{
	if (!object_is(queue, NdkObjectTypeCq))
		return STATUS_INVALID_PARAMETER;
	return interval == UINT32_MAX && count == UINT32_MAX ? STATUS_INVALID_PARAMETER_MIX
							     : STATUS_NOT_SUPPORTED;
}

/* ---- Life ---- */

static NTSTATUS
entry_resize(NDK_CQ *queue, ULONG depth, NDK_FN_REQUEST_COMPLETION completion, PVOID context)
{
	struct ndk_cq *cq = (struct ndk_cq *)queue;
	NDK_RESULT_EX *kept;
	uint32_t count;
	NTSTATUS status;

	(void)context;
	if (!object_is(queue, NdkObjectTypeCq) || completion == NULL || depth == 0)
		return STATUS_INVALID_PARAMETER;
	if (depth > adapter_of(&cq->object)->limits.max_cq_entries)
		return STATUS_INVALID_PARAMETER;
	if (depth < cq->kept_count)
		return STATUS_BUFFER_OVERFLOW;
	kept = calloc(depth, sizeof(*kept));
	if (kept == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	status = status_of(nd_cq_resize(cq->native, depth));
	if (status != STATUS_SUCCESS) {
		free(kept);
		return status;
	}
	for (count = 0; kept_take(cq, &kept[count]) != 0;)
		count++;
	free(cq->kept);
	cq->kept = kept;
	cq->kept_room = depth;
	cq->kept_first = 0;
	cq->kept_count = count;
	return STATUS_SUCCESS;
}

static void
shut(struct ndk_object *object)
{
	nd_cq_cancel_overlapped_requests(((struct ndk_cq *)object)->native);
}

static void
destroy(struct ndk_object *object)
{
	struct ndk_cq *cq = (struct ndk_cq *)object;

	/* Its queue pairs are gone: it is not in use. */
	nd_cq_release(cq->native);
	orphans_free(cq->orphans);
	free(cq->kept);
}

OBJECT_ENTRIES(NdkObjectTypeCq)

static const NDK_CQ_DISPATCH dispatch = {
	.NdkCloseCq = entry_close,
	.NdkQueryExtension = entry_query,
	.NdkResizeCq = entry_resize,
	.NdkArmCq = entry_arm,
	.NdkGetCqResults = entry_results,
	.NdkControlCqInterruptModeration = entry_moderation,
	.NdkGetCqResultsEx = entry_results_ex,
};

static const struct ndk_kind kind = {
	.type = NdkObjectTypeCq,
	.size = sizeof(struct ndk_cq),
	.dispatch = &dispatch,
	.shut = shut,
	.destroy = destroy,
};

NTSTATUS
cq_create(struct ndk_adapter *adapter, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notify,
	PVOID context, const GROUP_AFFINITY *affinity, NDK_CQ **out)
{
	struct ndk_cq *cq;
	NTSTATUS status;

	if (depth == 0 || depth > adapter->limits.max_cq_entries)
		return STATUS_INVALID_PARAMETER;
	cq = object_create(&adapter->tree, &kind);
	if (cq == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	cq->notify = notify;
	cq->notify_context = context;
	cq->kept = calloc(depth, sizeof(*cq->kept));
	cq->kept_room = depth;
	status = cq->kept == NULL ? STATUS_INSUFFICIENT_RESOURCES
				  : status_of(nd_engine_create_completion_queue(
					    adapter_engine(adapter, affinity), depth, &cq->native));
	if (status != STATUS_SUCCESS) {
		object_discard(&cq->object);
		return status;
	}
	*out = (NDK_CQ *)cq;
	return STATUS_SUCCESS;
}
