/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Creates and releases queue pairs. post.c and post_memory.c post requests. */

#include "ndk/qp.h"

#include <stdlib.h>

#include <ndpdk/nd_srq.h>

#include "ndk/post.h"
#include "ndk/post_memory.h"
#include "ndk/refuse.h"
#include "ndk/results.h"
#include "ndk/status.h"

void
qp_flush(struct ndk_qp *qp)
{
	cq_flush(qp->initiator_cq, qp->initiator);
	cq_flush(qp->receive_cq, qp->receives);
}

static void
shut(struct ndk_object *object)
{
	struct ndk_qp *qp = (struct ndk_qp *)object;

	qp_flush(qp);
	nd_endpoint_flush(qp->endpoint);
}

static VOID
entry_flush(NDK_QP *pair)
{
	struct ndk_object *object = (struct ndk_object *)pair;

	if (!object_is(pair, NdkObjectTypeQp))
		return;
	/* Hold a reference, because callbacks of the flush may close the queue pair. */
	object_hold(object);
	shut(object);
	object_drop(object);
}

/**
 * Called when a queue pair is freed: pass its queue to the completion queue, where results of the
 * queue's requests may still be waiting.
 */
static void
queue_leave(struct ndk_cq *cq, struct ndk_queue *queue)
{
	if (queue != NULL)
		results_adopt(cq, queue);
}

static void
destroy(struct ndk_object *object)
{
	struct ndk_qp *qp = (struct ndk_qp *)object;

	nd_endpoint_release(qp->endpoint);
	/*
	 * Connectors use the queue pair and were freed before. So this connector is the private
	 * one.
	 */
	nd_connector_release(qp->connector);
	if (qp->endpoint == NULL) {
		free(qp->initiator);
		free(qp->receives);
		return;
	}
	queue_leave(qp->initiator_cq, qp->initiator);
	queue_leave(qp->receive_cq, qp->receives);
}

NTSTATUS
qp_attach(struct ndk_qp *qp, struct nd_connector *connector, ULONG inbound_reads,
	ULONG outbound_reads)
{
	const struct nd_adapter_info *limits = &adapter_of(&qp->object)->limits;
	struct nd_connector *last;
	bool attaching, owned = false;
	nd_status status;

	if (inbound_reads > limits->max_inbound_read_limit)
		inbound_reads = (ULONG)limits->max_inbound_read_limit;
	if (outbound_reads > limits->max_outbound_read_limit)
		outbound_reads = (ULONG)limits->max_outbound_read_limit;
	pthread_mutex_lock(&qp->object.tree->lock);
	attaching = qp->attaching;
	qp->attaching = true;
	last = qp->connector;
	pthread_mutex_unlock(&qp->object.tree->lock);
	/*
	 * Only one thread at a time may attach, because the native connector of the endpoint and
	 * qp->connector must change together.
	 */
	if (attaching)
		return STATUS_CONNECTION_ACTIVE;
	status = nd_connector_attach_endpoint(
		connector, qp->endpoint, inbound_reads, outbound_reads);
	pthread_mutex_lock(&qp->object.tree->lock);
	if (status == ND_SUCCESS) {
		owned = qp->owns_connector && last != connector;
		qp->connector = connector;
		qp->owns_connector = false;
	}
	qp->attaching = false;
	pthread_mutex_unlock(&qp->object.tree->lock);
	if (owned)
		nd_connector_release(last);
	return status_of(status);
}

void
qp_inherit(struct ndk_qp *qp, struct nd_connector *connector)
{
	bool inherited = false;

	if (qp != NULL) {
		pthread_mutex_lock(&qp->object.tree->lock);
		inherited = qp->connector == connector;
		if (inherited)
			qp->owns_connector = true;
		pthread_mutex_unlock(&qp->object.tree->lock);
	}
	if (!inherited)
		nd_connector_release(connector);
}

OBJECT_ENTRIES(Qp)

static const NDK_QP_DISPATCH dispatch = {
	.NdkCloseQp = entry_close,
	.NdkQueryExtension = entry_query,
	.NdkFlush = entry_flush,
	.NdkSend = ndk_send,
	.NdkReceive = ndk_receive,
	.NdkBind = ndk_bind,
	.NdkFastRegister = ndk_fast_register,
	.NdkInvalidate = ndk_invalidate,
	.NdkRead = ndk_read,
	.NdkWrite = ndk_write,
	.NdkSendAndInvalidate = ndk_send_and_invalidate,
};

static const struct ndk_kind kind = {
	.type = NdkObjectTypeQp,
	.size = sizeof(struct ndk_qp),
	.dispatch = &dispatch,
	.shut = shut,
	.destroy = destroy,
};

static NTSTATUS
config_check(const struct ndk_object *pd, const struct ndk_qp_config *config)
{
	const struct nd_adapter_info *limits = &adapter_of(pd)->limits;
	const char *function = config->srq == NULL ? "NdkCreateQp" : "NdkCreateQpWithSrq";
	const char *open_cq = "an open NDK_CQ of the adapter";
	const NTSTATUS status = ARGUMENTS_CHECK(function,
		{"pReceiveCq", object_of(pd->tree, config->receive_cq, NdkObjectTypeCq), open_cq},
		{"pInitiatorCq", object_of(pd->tree, config->initiator_cq, NdkObjectTypeCq),
			open_cq});

	if (status != STATUS_SUCCESS)
		return status;
	return LIMITS_CHECK(function,
		{"ReceiveQueueDepth", config->receive_depth, 0, limits->max_inbound_requests},
		{"InitiatorQueueDepth", config->initiator_depth, 0, limits->max_outbound_requests},
		{"MaxReceiveRequestSge", config->receive_sge, 0, limits->max_inbound_sge},
		{"MaxInitiatorRequestSge", config->initiator_sge, 0, limits->max_outbound_sge},
		{"InlineDataSize", config->inline_bytes, 0, limits->max_inline_data});
}

/** Create a private native connector, and the endpoint on it. */
static nd_status
native_create(struct ndk_qp *qp, const struct ndk_qp_config *config)
{
	const struct ndk_adapter *adapter = adapter_of(&qp->object);
	size_t inbound_reads = adapter->limits.max_inbound_read_limit;
	size_t outbound_reads = adapter->limits.max_outbound_read_limit;
	/* A request with inline data also needs one entry. */
	size_t initiator_sge = config->initiator_sge == 0 ? 1 : config->initiator_sge;
	nd_status status = nd_adapter_create_connector(adapter->native, &qp->connector);

	if (status != ND_SUCCESS)
		return status;
	if (qp->srq != NULL)
		return nd_connector_create_endpoint_with_srq(qp->connector, qp->receive_cq->native,
			qp->initiator_cq->native, qp->srq->native, config->initiator_depth,
			initiator_sge, inbound_reads, outbound_reads, NULL, &qp->endpoint);
	return nd_connector_create_endpoint(qp->connector, qp->receive_cq->native,
		qp->initiator_cq->native, config->receive_depth, config->initiator_depth,
		config->receive_sge, initiator_sge, inbound_reads, outbound_reads, NULL,
		&qp->endpoint);
}

static NTSTATUS
create_run(struct ndk_qp *qp, const struct ndk_qp_config *config)
{
	NTSTATUS status;

	qp->owns_connector = true;
	qp->inline_limit = config->inline_bytes;
	qp->receive_cq = (struct ndk_cq *)config->receive_cq;
	qp->initiator_cq = (struct ndk_cq *)config->initiator_cq;
	qp->srq = (struct ndk_srq *)config->srq;
	qp->initiator = queue_create(config->initiator_depth);
	if (qp->srq == NULL)
		qp->receives = queue_create(config->receive_depth);
	if (qp->initiator == NULL || (qp->srq == NULL && qp->receives == NULL))
		return STATUS_INSUFFICIENT_RESOURCES;
	status = status_of(native_create(qp, config));
	if (status == STATUS_SUCCESS)
		nd_endpoint_set_context(qp->endpoint, config->context);
	return status;
}

NTSTATUS
qp_create(struct ndk_object *pd, const struct ndk_qp_config *config, NDK_QP **out)
{
	NTSTATUS status = config_check(pd, config);
	struct ndk_qp *qp;

	if (status != STATUS_SUCCESS)
		return status;
	qp = object_create(pd->tree, &kind);
	if (qp == NULL)
		return STATUS_INSUFFICIENT_RESOURCES;
	status = create_run(qp, config);
	if (status != STATUS_SUCCESS) {
		object_discard(&qp->object);
		return status;
	}
	object_lean(&qp->object, pd);
	object_lean(&qp->object, &qp->receive_cq->object);
	object_lean(&qp->object, &qp->initiator_cq->object);
	object_lean(&qp->object, qp->srq == NULL ? NULL : &qp->srq->object);
	*out = (NDK_QP *)qp;
	return STATUS_SUCCESS;
}
