/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CONNECTOR_H
#define NDPDK_SPI_CONNECTOR_H

#include "spi/adapter.h"
#include "spi/link.h"

/** A connector of either version. */
struct spi_connector {
	struct spi_object object;
	struct spi_link *link; /**< native connector; this connector has a reference */
	/** Version 2: local port from Bind, in network byte order; 0: not bound. Atomic. */
	uint16_t local_port;
	/** Version 2: number of calls of Disconnect that have succeeded or are pending. Atomic. */
	uint32_t disconnects;
};

extern const struct spi_class spi_connector1_class, spi_connector2_class;

/** @return local port from Bind, in network byte order; 0: not bound */
static inline uint16_t
spi_connector_port(const struct spi_connector *connector)
{
	return __atomic_load_n(&connector->local_port, __ATOMIC_ACQUIRE);
}

/** INDAdapter::CreateConnector */
HRESULT spi_connector1_create(INDAdapter *self, INDConnector **out);

/** IND2Adapter::CreateConnector */
HRESULT spi_connector2_create(IND2Adapter *self, REFIID iid, HANDLE file, VOID **out);

/** Create a connector. @param file as for spi_object_create() */
nd_status spi_connector_make(
	const struct spi_class *class, struct spi_adapter *adapter, HANDLE file, void *out);

/**
 * Implement spi_class.cancel, spi_class.retire and spi_class.destroy for connectors of both
 * versions.
 */
nd_status spi_connector_cancel(struct spi_object *object);
void spi_connector_retire(struct spi_object *object);
void spi_connector_destroy(struct spi_object *object);

/** Check the address of Connect. @return ND_SUCCESS; ND_INVALID_ADDRESS; STATUS_BAD_NETWORK_NAME */
nd_status spi_connector_destination_check(
	const struct spi_connector *connector, const struct sockaddr *address, size_t bytes);

/* Methods of version 2 that connect.c implements. */
HRESULT spi_connector2_bind(IND2Connector *self, const struct sockaddr *address, ULONG bytes);
HRESULT spi_connector2_connect(IND2Connector *self, IUnknown *queue_pair,
	const struct sockaddr *address, ULONG bytes, ULONG inbound_reads, ULONG outbound_reads,
	const VOID *data, ULONG data_bytes, OVERLAPPED *overlapped);
HRESULT spi_connector2_complete_connect(IND2Connector *self, OVERLAPPED *overlapped);
HRESULT spi_connector2_accept(IND2Connector *self, IUnknown *queue_pair, ULONG inbound_reads,
	ULONG outbound_reads, const VOID *data, ULONG data_bytes, OVERLAPPED *overlapped);
HRESULT spi_connector2_reject(IND2Connector *self, const VOID *data, ULONG data_bytes);

#endif
