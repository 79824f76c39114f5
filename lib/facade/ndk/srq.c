/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/srq.h"

#include <ndpdk/nd_srq.h>

#include "ndk/refuse.h"
#include "ndk/sgl.h"
#include "ndk/status.h"

static void
notified(struct nd_overlapped *operation, void *arg)
{
	struct ndk_srq *srq = arg;
	nd_status status = nd_overlapped_get_result(operation, NULL, false);
	bool closing;

	pthread_mutex_lock(&srq->object.tree->lock);
	srq->armed = false;
	closing = srq->object.closing;
	pthread_mutex_unlock(&srq->object.tree->lock);
	if (status != ND_CANCELED && !closing) {
		const void *outer = telling_begin(srq->object.tree);

		srq->notify(srq->notify_context, status_of(status));
		telling_end(outer);
	}
	object_drop(&srq->object);
}

/** Arm the notification callback for one call, unless it is armed already. */
static void
arm(struct ndk_srq *srq)
{
	nd_status status;
	bool armed;

	pthread_mutex_lock(&srq->object.tree->lock);
	armed = srq->armed;
	srq->armed = true;
	if (!armed)
		srq->object.references++;
	pthread_mutex_unlock(&srq->object.tree->lock);
	if (armed)
		return;
	srq->operation = (struct nd_overlapped){.callback = notified, .callback_arg = srq};
	status = nd_srq_notify(srq->native, &srq->operation);
	/*
	 * Do not touch a pending operation. The engine owns the operation, and may complete it at
	 * any time.
	 */
	if (status == ND_PENDING)
		return;
	srq->operation.status = status;
	notified(&srq->operation, srq);
}

static NTSTATUS
entry_modify(NDK_SRQ *queue, ULONG depth, ULONG threshold, NDK_FN_REQUEST_COMPLETION completion,
	PVOID context)
{
	struct ndk_srq *srq = (struct ndk_srq *)queue;
	NTSTATUS status = ARGUMENTS_CHECK("NdkModifySrq",
		{"pNdkSrq", object_is(queue, NdkObjectTypeSrq), "an open NDK_SRQ"},
		{"RequestCompletion", completion != NULL, NULL});

	(void)context;
	if (status != STATUS_SUCCESS)
		return status;
	if (threshold != 0 && srq->notify == NULL)
		return NDK_REFUSE("NdkModifySrq",
			"NotifyThreshold is %u, but the queue has no SrqNotification", threshold);
	object_hold(&srq->object);
	status = status_of(nd_srq_modify(srq->native, depth, threshold));
	if (status == STATUS_SUCCESS && threshold != 0)
		arm(srq);
	object_drop(&srq->object);
	return status;
}

static NTSTATUS
entry_receive(NDK_SRQ *queue, PVOID context, const NDK_SGE *list, ULONG count)
{
	struct ndk_srq *srq = (struct ndk_srq *)queue;
	struct ndk_record *record;
	struct ndk_sgl sgl;
	NTSTATUS status;

	if (!object_is(queue, NdkObjectTypeSrq))
		return NDK_REFUSE("NdkSrqReceive", "pNdkSrq is NULL, closed, or not an NDK_SRQ");
	status = sgl_load(adapter_of(&srq->object), list, count, &sgl);
	if (status != STATUS_SUCCESS)
		return sgl_refused("NdkSrqReceive", list, count, status);
	record = pool_take(srq->receives);
	if (record == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	record->context = context;
	record->type = NdkOperationTypeReceive;
	status = status_of(nd_srq_receive(srq->native, (void *)record, sgl.entries, sgl.count));
	if (status != STATUS_SUCCESS)
		pool_give(record);
	return status;
}

static void
shut(struct ndk_object *object)
{
	nd_srq_cancel_overlapped_requests(((struct ndk_srq *)object)->native);
}

static void
destroy(struct ndk_object *object)
{
	struct ndk_srq *srq = (struct ndk_srq *)object;
	struct nd_srq_info info = {0};

	if (srq->native != NULL) {
		nd_srq_query(srq->native, &info);
		nd_srq_release(srq->native);
	}
	/* Posted receives that were not used get no results, so their records are freed here. */
	if (srq->receives != NULL)
		pool_leave(srq->receives, (uint32_t)info.posted);
}

OBJECT_ENTRIES(Srq)

static const NDK_SRQ_DISPATCH dispatch = {
	.NdkCloseSrq = entry_close,
	.NdkQueryExtension = entry_query,
	.NdkModifySrq = entry_modify,
	.NdkSrqReceive = entry_receive,
};

static const struct ndk_kind kind = {
	.type = NdkObjectTypeSrq,
	.size = sizeof(struct ndk_srq),
	.dispatch = &dispatch,
	.shut = shut,
	.destroy = destroy,
};

static size_t
engine_index(const struct ndk_adapter *adapter, const GROUP_AFFINITY *affinity)
{
	const struct nd_engine *engine = adapter_engine(adapter, affinity);
	size_t index = 0;

	while (nd_adapter_get_engine(adapter->native, index) != engine)
		index++;
	return index;
}

static NTSTATUS
create_run(struct ndk_srq *srq, const struct ndk_srq_config *config)
{
	struct ndk_adapter *adapter = adapter_of(&srq->object);

	srq->notify = config->notify;
	srq->notify_context = config->context;
	srq->receives = pool_create(&adapter->pools);
	if (srq->receives == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	return status_of(
		nd_adapter_create_srq(adapter->native, engine_index(adapter, config->affinity),
			config->depth, config->sge, config->threshold, &srq->native));
}

NTSTATUS
srq_create(struct ndk_object *pd, const struct ndk_srq_config *config, NDK_SRQ **out)
{
	struct ndk_srq *srq;
	NTSTATUS status;

	if (config->threshold != 0 && config->notify == NULL)
		return NDK_REFUSE("NdkCreateSrq",
			"NotifyThreshold is %u, but SrqNotification is NULL", config->threshold);
	srq = object_create(pd->tree, &kind);
	if (srq == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	status = create_run(srq, config);
	if (status != STATUS_SUCCESS) {
		object_discard(&srq->object);
		return status;
	}
	object_lean(&srq->object, pd);
	*out = (NDK_SRQ *)srq;
	if (config->threshold != 0)
		arm(srq);
	return STATUS_SUCCESS;
}
