/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Creates and releases completion queues, and calls their callbacks. results.c takes results. */

#include "ndk/cq.h"

#include <stdlib.h>

#include "ndk/refuse.h"
#include "ndk/results.h"
#include "ndk/status.h"

/* ---- Results ---- */

static ULONG
entry_results_ex(NDK_CQ *queue, NDK_RESULT_EX results[], ULONG count)
{
	if (!object_is(queue, NdkObjectTypeCq) || results == NULL)
		return 0;
	return results_take_ex((struct ndk_cq *)queue, results, count);
}

static ULONG
entry_results(NDK_CQ *queue, NDK_RESULT results[], ULONG count)
{
	if (!object_is(queue, NdkObjectTypeCq) || results == NULL)
		return 0;
	return results_take((struct ndk_cq *)queue, results, count);
}

/* ---- Notifications ---- */

/**
 * Call the notification callback. Call it again if another call becomes due meanwhile. Requires the
 * lock.
 */
static void
tell(struct ndk_cq *cq)
{
	pthread_mutex_t *lock = &cq->object.tree->lock;
	const void *outer;

	cq->again = true;
	cq->released = false;
	cq->hidden = false;
	cq->told = __atomic_load_n(&cq->arrived, __ATOMIC_RELAXED);
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

/**
 * Called when the operation of one notification type has ended. When no operation is pending any
 * more, the callback is called once.
 */
static void
operation_over(struct ndk_cq *cq, unsigned int type, nd_status status)
{
	pthread_mutex_lock(&cq->object.tree->lock);
	cq->armed[type] = false;
	cq->pending--;
	if (status != ND_CANCELED) {
		cq->status = status_of(status);
		cq->due = true;
	}
	if (cq->pending == 0 && cq->due) {
		cq->due = false;
		tell(cq);
	}
	pthread_mutex_unlock(&cq->object.tree->lock);
	object_drop(&cq->object);
}

/**
 * Called after a completion, on the thread of the engine.
 *
 * @return true if the callback must not be called yet: all new results are withheld, or there are
 *         fewer results than NdkControlCqInterruptModeration() requires
 */
static bool
callback_waits(struct ndk_cq *cq)
{
	uint64_t fresh;
	bool waits;

	results_drain(cq);
	pthread_mutex_lock(&cq->object.tree->lock);
	fresh = cq->arrived - cq->told;
	waits = fresh == 0 ? cq->hidden : fresh < cq->moderation;
	/* If the buffer is full, further results cannot be counted, so call the callback. */
	if (cq->kept_count == cq->kept_room || cq->due)
		waits = false;
	pthread_mutex_unlock(&cq->object.tree->lock);
	return waits;
}

static void
notified(struct nd_overlapped *operation, void *arg)
{
	struct ndk_cq *cq = arg;
	unsigned int type = (unsigned int)(operation - cq->operations);
	nd_status status = nd_overlapped_get_result(operation, NULL, false);

	/* If results arrived after the operation ended, the next operation ends at once. */
	while (status == ND_SUCCESS && callback_waits(cq)) {
		*operation = (struct nd_overlapped){.callback = notified, .callback_arg = cq};
		status = nd_cq_notify(cq->native, type, operation);
		if (status == ND_PENDING)
			return;
	}
	operation_over(cq, type, status);
}

/** If the callback is armed, call it as soon as possible. Requires the lock, and releases it. */
static void
tell_now(struct ndk_cq *cq)
{
	bool pending = cq->pending != 0;

	cq->due = pending;
	pthread_mutex_unlock(&cq->object.tree->lock);
	if (pending)
		nd_cq_cancel_overlapped_requests(cq->native);
}

void
cq_flush(struct ndk_cq *cq, struct ndk_queue *queue)
{
	if (queue == NULL || !results_flush(cq, queue))
		return;
	pthread_mutex_lock(&cq->object.tree->lock);
	/*
	 * If the queue is not armed, the released results cause a callback when it is armed next.
	 */
	cq->released = cq->pending == 0;
	tell_now(cq);
}

/**
 * Arm a notification type. If results were released before, the callback is called at once
 * instead.
 *
 * @return true if the type was not yet included in the armed types, so that the caller must begin
 *         an operation
 */
static bool
arm_begin(struct ndk_cq *cq, unsigned int type)
{
	static const unsigned int strength[ARM_TYPES] = {
		[NDK_CQ_NOTIFY_ERRORS] = 0,
		[NDK_CQ_NOTIFY_SOLICITED] = 1,
		[NDK_CQ_NOTIFY_ANY] = 2,
	};
	bool stronger = true, told;

	pthread_mutex_lock(&cq->object.tree->lock);
	told = cq->released;
	if (told) {
		/* No operation holds a reference now, and the callback may close the queue. */
		cq->object.references++;
		tell(cq);
		stronger = false;
	}
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
	if (told)
		object_drop(&cq->object);
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
	"both APIs use the same values");

static NTSTATUS
entry_moderation(NDK_CQ *queue, ULONG interval, ULONG count)
{
	struct ndk_cq *cq = (struct ndk_cq *)queue;
	uint64_t arrived;

	if (!object_is(queue, NdkObjectTypeCq))
		return NDK_REFUSE("NdkControlCqInterruptModeration",
			"pNdkCq is NULL, closed, or not an NDK_CQ");
	if (interval == UINT32_MAX && count == UINT32_MAX)
		return NDK_REFUSE_AS(STATUS_INVALID_PARAMETER_MIX,
			"NdkControlCqInterruptModeration",
			"ModerationInterval and ModerationCount are both 0xffffffff: expected at "
			"most one");
	pthread_mutex_lock(&cq->object.tree->lock);
	/*
	 * There is no timer: with an interval other than MAXULONG, each result causes a callback.
	 */
	cq->moderation = interval == UINT32_MAX ? count : 0;
	/* Call the callback if more results are waiting than the new setting requires. */
	arrived = __atomic_load_n(&cq->arrived, __ATOMIC_RELAXED);
	if (arrived != cq->told && arrived - cq->told >= cq->moderation)
		tell_now(cq);
	else
		pthread_mutex_unlock(&cq->object.tree->lock);
	return STATUS_SUCCESS;
}

/* ---- Life ---- */

static NTSTATUS
resize(struct ndk_cq *cq, ULONG depth)
{
	NDK_RESULT_EX *kept;
	uint32_t count;
	NTSTATUS status;

	/*
	 * Move all results of the native queue to the buffer cq->kept, so that they can be counted.
	 */
	results_drain(cq);
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
	for (count = 0; count < cq->kept_count; count++)
		kept[count] = cq->kept[(cq->kept_first + count) % cq->kept_room];
	free(cq->kept);
	cq->kept = kept;
	cq->kept_room = depth;
	cq->kept_first = 0;
	cq->kept_count = count;
	return STATUS_SUCCESS;
}

static NTSTATUS
entry_resize(NDK_CQ *queue, ULONG depth, NDK_FN_REQUEST_COMPLETION completion, PVOID context)
{
	struct ndk_cq *cq = (struct ndk_cq *)queue;
	NTSTATUS status = ARGUMENTS_CHECK("NdkResizeCq",
		{"pNdkCq", object_is(queue, NdkObjectTypeCq), "an open NDK_CQ"},
		{"RequestCompletion", completion != NULL, NULL});

	(void)context;
	if (status == STATUS_SUCCESS)
		status = LIMITS_CHECK("NdkResizeCq",
			{"CqDepth", depth, 1, adapter_of(&cq->object)->limits.max_cq_entries});
	if (status != STATUS_SUCCESS)
		return status;
	object_hold(&cq->object);
	status = resize(cq, depth);
	object_drop(&cq->object);
	return status;
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

	/* All queue pairs of this queue were freed before, so the native queue is not in use. */
	nd_cq_release(cq->native);
	results_free(cq);
}

OBJECT_ENTRIES(Cq)

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
	NTSTATUS status =
		LIMITS_CHECK("NdkCreateCq", {"CqDepth", depth, 1, adapter->limits.max_cq_entries});

	if (status != STATUS_SUCCESS)
		return status;
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
