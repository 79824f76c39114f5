/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Endpoints of version 1. An endpoint uses the native connector of the connector that created it.
 */

#include "spi/endpoint1.h"

#include <rte_common.h>

#include "spi/cq.h"
#include "spi/memory1.h"
#include "spi/refuse.h"

#define CREATE "INDConnector_CreateEndpoint"

SPI_UNKNOWN_METHODS(endpoint, INDEndpoint)

static void
endpoint_destroy(struct spi_object *object)
{
	spi_endpoint_destroy(object);
	spi_mw1_release_left();
}

static HRESULT
limits_check(const struct nd_adapter_info *info, const struct spi_endpoint_limits *limits)
{
	const struct spi_limit arguments[] = {
		{"nInboundEntries", limits->inbound_entries, info->max_inbound_requests},
		{"nOutboundEntries", limits->outbound_entries, info->max_outbound_requests},
		{"nInboundSge", limits->inbound_sge, info->max_inbound_sge},
		{"nOutboundSge", limits->outbound_sge, info->max_outbound_sge},
		{"InboundReadLimit", limits->inbound_reads, info->max_inbound_read_limit},
		{"OutboundReadLimit", limits->outbound_reads, info->max_outbound_read_limit},
	};

	return spi_limits_check(CREATE, 3, arguments, RTE_DIM(arguments));
}

HRESULT
spi_endpoint1_create(struct spi_adapter *adapter, struct spi_link *link,
	INDCompletionQueue *inbound_cq, INDCompletionQueue *outbound_cq,
	const struct spi_endpoint_limits *limits, INDEndpoint **out)
{
	const struct spi_endpoint parts = {
		.receive_cq =
			spi_object_cast((IUnknown *)inbound_cq, &spi_cq1_class, &adapter->object),
		.initiator_cq =
			spi_object_cast((IUnknown *)outbound_cq, &spi_cq1_class, &adapter->object),
		.link = link,
	};
	nd_status status;

	if (parts.receive_cq == NULL)
		return SPI_REFUSE(CREATE, 1, "pInboundCq is NULL or of another adapter");
	if (parts.initiator_cq == NULL)
		return SPI_REFUSE(CREATE, 2, "pOutboundCq is NULL or of another adapter");
	status = limits_check(&adapter->device->info, limits);
	if (nd_failed(status))
		return status;
	if (out == NULL)
		return SPI_REFUSE(CREATE, 10, "ppEndpoint is NULL");
	return spi_endpoint_make(&spi_endpoint1_class, adapter, &parts, limits, NULL, (void *)out);
}

static HRESULT
endpoint_flush(INDEndpoint *self)
{
	return nd_endpoint_flush(((struct spi_endpoint *)self)->native);
}

static void
endpoint_start_request_batch(INDEndpoint *self)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;

	spi_engine_enter(endpoint->engine);
	nd_endpoint_start_request_batch(endpoint->native);
	spi_engine_leave(endpoint->engine);
}

static void
endpoint_submit_request_batch(INDEndpoint *self)
{
	struct spi_endpoint *endpoint = (struct spi_endpoint *)self;

	spi_engine_enter(endpoint->engine);
	nd_endpoint_submit_request_batch(endpoint->native);
	spi_engine_leave(endpoint->engine);
}

static const INDEndpointVtbl methods = {
	SPI_UNKNOWN_ROWS(endpoint),
	.Flush = endpoint_flush,
	.StartRequestBatch = endpoint_start_request_batch,
	.SubmitRequestBatch = endpoint_submit_request_batch,
	.Send = spi_endpoint1_send,
	.SendAndInvalidate = spi_endpoint1_send_and_invalidate,
	.Receive = spi_endpoint1_receive,
	.Bind = spi_endpoint1_bind,
	.Invalidate = spi_endpoint1_invalidate,
	.Read = spi_endpoint1_read,
	.Write = spi_endpoint1_write,
};

const struct spi_class spi_endpoint1_class = {
	.methods = &methods,
	.iid = &IID_INDEndpoint,
	.base = &IID_IUnknown,
	.size = sizeof(struct spi_endpoint),
	.destroy = endpoint_destroy,
};
