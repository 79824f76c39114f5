/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_QP_H
#define NDPDK_SPI_QP_H

#include "spi/cq.h"
#include "spi/link.h"
#include "spi/srq.h"

/** A queue pair of version 2, or an endpoint of version 1. */
struct spi_endpoint {
	struct spi_object object; /**< the adapter object is the parent */
	struct spi_engine *engine;
	struct nd_adapter *adapter; /**< native adapter of the device, for lookups of regions */
	struct nd_endpoint *native;
	/**
	 * Link with the connector to which the native endpoint is attached. Holds a reference.
	 * Protected by attach_lock.
	 */
	struct spi_link *link;
	/** queue for results of receives; the endpoint has a reference */
	struct spi_cq *receive_cq;
	/** queue for results of other requests; the endpoint has a reference */
	struct spi_cq *initiator_cq;
	/** shared receive queue, with a reference; NULL: receives are posted to the endpoint */
	struct spi_srq *srq;
	uint32_t initiator_sge_max;
	uint32_t inline_max; /**< maximum inline data, in bytes */
};

/** Parameters for the creation of an endpoint, as the native API defines them. */
struct spi_endpoint_limits {
	size_t inbound_entries;
	size_t outbound_entries;
	size_t inbound_sge;
	size_t outbound_sge;
	size_t inbound_reads;
	size_t outbound_reads;
	size_t inline_bytes;
};

extern const struct spi_class spi_qp2_class;

/** IND2Adapter::CreateQueuePair */
HRESULT spi_qp2_create(IND2Adapter *self, REFIID iid, IUnknown *receive_cq, IUnknown *initiator_cq,
	VOID *context, ULONG receive_depth, ULONG initiator_depth, ULONG receive_sge,
	ULONG initiator_sge, ULONG inline_bytes, VOID **out);

/** IND2Adapter::CreateQueuePairWithSrq */
HRESULT spi_qp2_create_with_srq(IND2Adapter *self, REFIID iid, IUnknown *receive_cq,
	IUnknown *initiator_cq, IUnknown *srq, VOID *context, ULONG initiator_depth,
	ULONG initiator_sge, ULONG inline_bytes, VOID **out);

/**
 * Create an endpoint of either version. The arguments have been checked.
 *
 * @param parts queues of the endpoint, and link of its connector; link NULL: create a separate
 *         link
 * @param context endpoint context, stored in completions
 * @return ND_SUCCESS; ND_NO_MEMORY; statuses of the native call
 */
HRESULT spi_endpoint_make(const struct spi_class *class, struct spi_adapter *adapter,
	const struct spi_endpoint *parts, const struct spi_endpoint_limits *limits, void *context,
	void *out);

/** Implements spi_class.destroy for both versions. Members that are NULL are skipped. */
void spi_endpoint_destroy(struct spi_object *object);

/**
 * Move the native endpoint to the connector of a link. The read limits of the connection are
 * reduced to the limits of the device. If the connector has another endpoint, that endpoint is
 * detached first.
 *
 * @return ND_SUCCESS; statuses of nd_connector_attach_endpoint(), except ND_NOT_SUPPORTED
 */
nd_status spi_endpoint_attach(struct spi_endpoint *endpoint, struct spi_link *link,
	size_t inbound_reads, size_t outbound_reads);

/* Posting methods of version 2, which qp_post.c implements. */
HRESULT
spi_qp2_send(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count, ULONG flags);
HRESULT spi_qp2_receive(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count);
HRESULT spi_qp2_bind(IND2QueuePair *self, VOID *context, IUnknown *region, IUnknown *window,
	const VOID *buffer, SIZE_T bytes, ULONG flags);
HRESULT spi_qp2_invalidate(IND2QueuePair *self, VOID *context, IUnknown *window, ULONG flags);
HRESULT spi_qp2_read(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count,
	UINT64 address, UINT32 token, ULONG flags);
HRESULT spi_qp2_write(IND2QueuePair *self, VOID *context, const ND2_SGE sge[], ULONG count,
	UINT64 address, UINT32 token, ULONG flags);

#endif
