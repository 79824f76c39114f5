/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Creates and releases queue pairs and endpoints. Moves their native endpoints between connectors.
 */

#include "spi/qp.h"

#include <rte_common.h>

#include <ndpdk/nd_srq.h>

#include "spi/refuse.h"

SPI_UNKNOWN_METHODS(qp, IND2QueuePair)

static size_t
least(size_t one, size_t other)
{
	return one < other ? one : other;
}

static nd_status
native_create(struct spi_endpoint *endpoint, const struct spi_endpoint_limits *limits,
	struct nd_endpoint **native)
{
	if (endpoint->srq != NULL)
		return nd_connector_create_endpoint_with_srq(endpoint->link->native,
			endpoint->receive_cq->native, endpoint->initiator_cq->native,
			endpoint->srq->native, limits->outbound_entries, limits->outbound_sge,
			limits->inbound_reads, limits->outbound_reads, NULL, native);
	return nd_connector_create_endpoint(endpoint->link->native, endpoint->receive_cq->native,
		endpoint->initiator_cq->native, limits->inbound_entries, limits->outbound_entries,
		limits->inbound_sge, limits->outbound_sge, limits->inbound_reads,
		limits->outbound_reads, NULL, native);
}

/**
 * Create the native endpoint of an object. The parent, the queues and the link of the object must
 * be set.
 */
static nd_status
endpoint_open(
	struct spi_endpoint *endpoint, const struct spi_endpoint_limits *limits, void *context)
{
	struct nd_endpoint *native;
	nd_status status;

	endpoint->engine = endpoint->receive_cq->engine;
	endpoint->initiator_sge_max = (uint32_t)limits->outbound_sge;
	endpoint->inline_max = (uint32_t)limits->inline_bytes;
	status = native_create(endpoint, limits, &native);
	if (nd_failed(status))
		return status;
	nd_endpoint_set_context(native, context);
	endpoint->link->endpoint = endpoint;
	endpoint->native = native;
	endpoint->adapter = spi_device_of(&endpoint->object)->native;
	return ND_SUCCESS;
}

static void
native_release(struct spi_endpoint *endpoint)
{
	struct spi_device *device = spi_device_of(&endpoint->object);
	struct spi_link *link;

	pthread_mutex_lock(&device->attach_lock);
	link = endpoint->link;
	if (link != NULL && link->endpoint == endpoint)
		link->endpoint = NULL;
	if (endpoint->native != NULL)
		(void)nd_endpoint_release(endpoint->native);
	pthread_mutex_unlock(&device->attach_lock);
	spi_link_put(link);
}

void
spi_endpoint_destroy(struct spi_object *object)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)object;

	native_release(endpoint);
	if (endpoint->receive_cq != NULL)
		spi_object_unhold(&endpoint->receive_cq->object);
	if (endpoint->initiator_cq != NULL)
		spi_object_unhold(&endpoint->initiator_cq->object);
	if (endpoint->srq != NULL)
		spi_object_unhold(&endpoint->srq->object);
}

/** Detach the endpoint of a connector: move the endpoint to a new, separate connector. */
static nd_status
detach(struct spi_link *link)
{
	struct spi_endpoint *endpoint = link->endpoint;
	struct spi_link *own;
	nd_status status;

	if (endpoint == NULL)
		return ND_CONNECTION_ACTIVE;
	status = spi_link_create(link->device, &own);
	if (nd_failed(status))
		return status;
	status = nd_connector_attach_endpoint(own->native, endpoint->native, 0, 0);
	if (nd_failed(status)) {
		spi_link_put(own);
		return status;
	}
	own->endpoint = endpoint;
	endpoint->link = own;
	link->endpoint = NULL;
	spi_link_put(link);
	return ND_SUCCESS;
}

static nd_status
attach(struct spi_endpoint *endpoint, struct spi_link *link, size_t inbound_reads,
	size_t outbound_reads)
{
	struct spi_link *last = endpoint->link;
	nd_status status = nd_connector_attach_endpoint(
		link->native, endpoint->native, inbound_reads, outbound_reads);

	/*
	 * The connector still has the queue pair of a failed connect, so detach that queue pair
	 * first.
	 */
	if (status == ND_NOT_SUPPORTED) {
		status = detach(link);
		if (status == ND_SUCCESS)
			status = nd_connector_attach_endpoint(
				link->native, endpoint->native, inbound_reads, outbound_reads);
	}
	if (status != ND_SUCCESS || last == link)
		return status;
	spi_link_hold(link);
	link->endpoint = endpoint;
	endpoint->link = link;
	if (last->endpoint == endpoint)
		last->endpoint = NULL;
	spi_link_put(last);
	return ND_SUCCESS;
}

nd_status
spi_endpoint_attach(struct spi_endpoint *endpoint, struct spi_link *link, size_t inbound_reads,
	size_t outbound_reads)
{
	struct spi_device *device = link->device;
	nd_status status;

	inbound_reads = least(inbound_reads, device->info.max_inbound_read_limit);
	outbound_reads = least(outbound_reads, device->info.max_outbound_read_limit);
	pthread_mutex_lock(&device->attach_lock);
	status = attach(endpoint, link, inbound_reads, outbound_reads);
	pthread_mutex_unlock(&device->attach_lock);
	return status;
}

HRESULT
spi_endpoint_make(const struct spi_class *class, struct spi_adapter *adapter,
	const struct spi_endpoint *parts, const struct spi_endpoint_limits *limits, void *context,
	void *out)
{
	struct spi_endpoint *qp = spi_object_create(class, &adapter->object, NULL);
	nd_status status = ND_SUCCESS;

	if (qp == NULL)
		return ND_NO_MEMORY;
	qp->receive_cq = parts->receive_cq;
	qp->initiator_cq = parts->initiator_cq;
	qp->srq = parts->srq;
	qp->link = parts->link;
	spi_object_hold(&qp->receive_cq->object);
	spi_object_hold(&qp->initiator_cq->object);
	if (qp->srq != NULL)
		spi_object_hold(&qp->srq->object);
	if (qp->link != NULL)
		spi_link_hold(qp->link);
	else
		status = spi_link_create(adapter->device, &qp->link);
	if (!nd_failed(status))
		status = endpoint_open(qp, limits, context);
	return spi_object_finish(&qp->object, status, out);
}

/**
 * Check the two completion queues, which are the second and third argument of both Create methods.
 */
static HRESULT
queues_check(const char *method, const struct spi_endpoint *parts)
{
	if (parts->receive_cq == NULL)
		return SPI_REFUSE(
			method, 2, "pReceiveCompletionQueue is NULL or of another adapter");
	if (parts->initiator_cq == NULL || parts->initiator_cq->engine != parts->receive_cq->engine)
		return SPI_REFUSE(method, 3,
			"pInitiatorCompletionQueue is NULL, of another adapter, or on another "
			"engine than pReceiveCompletionQueue");
	return ND_SUCCESS;
}

/**
 * Minimum number of list entries per request. NICs round up the number that a program requests, and
 * programs rely on the rounding.
 */
#define SGE_MIN 4u

static ULONG
sge_max(ULONG asked, size_t adapter_max)
{
	return RTE_MIN(RTE_MAX(asked, SGE_MIN), (ULONG)adapter_max);
}

/** Compute the limits of the native endpoint. Version 2 allows 0 for all arguments. */
static struct spi_endpoint_limits
limits_of(const struct spi_device *device, ULONG initiator_depth, ULONG initiator_sge,
	ULONG inline_bytes)
{
	return (struct spi_endpoint_limits){
		.outbound_entries = initiator_depth,
		/* A request with inline data needs only one native entry. */
		.outbound_sge = sge_max(initiator_sge, device->info.max_outbound_sge),
		.inbound_reads = device->info.max_inbound_read_limit,
		.outbound_reads = device->info.max_outbound_read_limit,
		.inline_bytes = inline_bytes,
	};
}

HRESULT
spi_qp2_create(IND2Adapter *self, REFIID iid, IUnknown *receive_cq, IUnknown *initiator_cq,
	VOID *context, ULONG receive_depth, ULONG initiator_depth, ULONG receive_sge,
	ULONG initiator_sge, ULONG inline_bytes, VOID **out)
{
	struct spi_adapter *adapter = (struct spi_adapter *)self;
	const struct nd_adapter_info *info = &adapter->device->info;
	const struct spi_endpoint parts = {
		.receive_cq = spi_object_cast(receive_cq, &spi_cq2_class, &adapter->object),
		.initiator_cq = spi_object_cast(initiator_cq, &spi_cq2_class, &adapter->object),
	};
	const struct spi_limit arguments[] = {
		{"receiveQueueDepth", receive_depth, info->max_inbound_requests},
		{"initiatorQueueDepth", initiator_depth, info->max_outbound_requests},
		{"maxReceiveRequestSge", receive_sge, info->max_inbound_sge},
		{"maxInitiatorRequestSge", initiator_sge, info->max_outbound_sge},
		{"inlineDataSize", inline_bytes, info->max_inline_data},
	};
	struct spi_endpoint_limits limits;
	static const char method[] = "IND2Adapter_CreateQueuePair";
	HRESULT status = spi_create_check(method, &spi_qp2_class, iid, out, 10, "ppQueuePair");

	if (SUCCEEDED(status))
		status = queues_check(method, &parts);
	if (SUCCEEDED(status))
		status = spi_limits_check(method, 5, arguments, RTE_DIM(arguments));
	if (FAILED(status))
		return status;
	limits = limits_of(adapter->device, initiator_depth, initiator_sge, inline_bytes);
	limits.inbound_entries = receive_depth;
	limits.inbound_sge = sge_max(receive_sge, info->max_inbound_sge);
	return spi_endpoint_make(&spi_qp2_class, adapter, &parts, &limits, context, out);
}

HRESULT
spi_qp2_create_with_srq(IND2Adapter *self, REFIID iid, IUnknown *receive_cq, IUnknown *initiator_cq,
	IUnknown *srq, VOID *context, ULONG initiator_depth, ULONG initiator_sge,
	ULONG inline_bytes, VOID **out)
{
	struct spi_adapter *adapter = (struct spi_adapter *)self;
	const struct nd_adapter_info *info = &adapter->device->info;
	const struct spi_endpoint parts = {
		.receive_cq = spi_object_cast(receive_cq, &spi_cq2_class, &adapter->object),
		.initiator_cq = spi_object_cast(initiator_cq, &spi_cq2_class, &adapter->object),
		.srq = spi_object_cast(srq, &spi_srq2_class, &adapter->object),
	};
	const struct spi_limit arguments[] = {
		{"initiatorQueueDepth", initiator_depth, info->max_outbound_requests},
		{"maxInitiatorRequestSge", initiator_sge, info->max_outbound_sge},
		{"inlineDataSize", inline_bytes, info->max_inline_data},
	};
	struct spi_endpoint_limits limits;
	static const char method[] = "IND2Adapter_CreateQueuePairWithSrq";
	HRESULT status = spi_create_check(method, &spi_qp2_class, iid, out, 9, "ppQueuePair");

	if (SUCCEEDED(status))
		status = queues_check(method, &parts);
	if (SUCCEEDED(status) &&
		(parts.srq == NULL || parts.srq->engine != parts.receive_cq->engine))
		status = SPI_REFUSE(method, 4,
			"pSharedReceiveQueue is NULL, of another adapter, or on another engine "
			"than pReceiveCompletionQueue");
	if (SUCCEEDED(status))
		status = spi_limits_check(method, 6, arguments, RTE_DIM(arguments));
	if (FAILED(status))
		return status;
	limits = limits_of(adapter->device, initiator_depth, initiator_sge, inline_bytes);
	return spi_endpoint_make(&spi_qp2_class, adapter, &parts, &limits, context, out);
}

static HRESULT
qp_flush(IND2QueuePair *self)
{
	return nd_endpoint_flush(((struct spi_endpoint *)self)->native);
}

static const IND2QueuePairVtbl methods = {
	SPI_UNKNOWN_ROWS(qp),
	.Flush = qp_flush,
	.Send = spi_qp2_send,
	.Receive = spi_qp2_receive,
	.Bind = spi_qp2_bind,
	.Invalidate = spi_qp2_invalidate,
	.Read = spi_qp2_read,
	.Write = spi_qp2_write,
};

const struct spi_class spi_qp2_class = {
	.methods = &methods,
	.iid = &IID_IND2QueuePair,
	.base = &IID_IUnknown,
	.size = sizeof(struct spi_endpoint),
	.destroy = spi_endpoint_destroy,
};
