/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_CONNECTOR_H
#define NDPDK_SPI_CONNECTOR_H

#include "spi/adapter.h"
#include "spi/link.h"

/** A connector of version 2. */
struct spi_connector {
	struct spi_object object;
	HANDLE file;           /**< file for overlapped operations; holds a reference */
	struct spi_link *link; /**< native connector; holds a reference */
	uint16_t local_port;   /**< port from Bind, network byte order; 0: not bound; atomic */
	uint32_t disconnects;  /**< number of successful or pending calls of Disconnect; atomic */
};

extern const struct spi_class spi_connector2_class;

/** @return port from Bind, in network byte order; 0: not bound */
static inline uint16_t
spi_connector_port(const struct spi_connector *connector)
{
	return __atomic_load_n(&connector->local_port, __ATOMIC_ACQUIRE);
}

/** IND2Adapter::CreateConnector */
HRESULT spi_connector2_create(IND2Adapter *self, REFIID iid, HANDLE file, VOID **out);

/* Methods: connect.c. */
HRESULT spi_connector2_bind(IND2Connector *self, const struct sockaddr *address, ULONG bytes);
HRESULT spi_connector2_connect(IND2Connector *self, IUnknown *queue_pair,
	const struct sockaddr *address, ULONG bytes, ULONG inbound_reads, ULONG outbound_reads,
	const VOID *data, ULONG data_bytes, OVERLAPPED *overlapped);
HRESULT spi_connector2_complete_connect(IND2Connector *self, OVERLAPPED *overlapped);
HRESULT spi_connector2_accept(IND2Connector *self, IUnknown *queue_pair, ULONG inbound_reads,
	ULONG outbound_reads, const VOID *data, ULONG data_bytes, OVERLAPPED *overlapped);
HRESULT spi_connector2_reject(IND2Connector *self, const VOID *data, ULONG data_bytes);

#endif
