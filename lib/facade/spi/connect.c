/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Establishes connections of version 2, and checks the peer's address for both versions. */

#include <netinet/in.h>

#include "spi/addresses.h"
#include "spi/connector.h"
#include "spi/operation.h"
#include "spi/port.h"
#include "spi/qp.h"
#include "spi/refuse.h"

HRESULT
spi_connector2_bind(IND2Connector *self, const struct sockaddr *address, ULONG bytes)
{
	struct spi_connector *connector = (struct spi_connector *)self;
	uint16_t port = 0, none = 0;

	if (address == NULL)
		return SPI_REFUSE("IND2Connector_Bind", 1, "pAddress is NULL");
	if (spi_connector_port(connector) != 0)
		return STATUS_ADDRESS_ALREADY_ASSOCIATED;
	switch (spi_address_classify(spi_device_of(&connector->object), address, bytes, &port)) {
	case SPI_ADDRESS_OWN:
	case SPI_ADDRESS_ZERO:
		break;
	case SPI_ADDRESS_BAD:
	case SPI_ADDRESS_OTHER:
		return ND_INVALID_ADDRESS;
	}
	if (port == 0)
		port = spi_port_choose();
	/* Of several concurrent calls of Bind, only one succeeds. */
	return __atomic_compare_exchange_n(&connector->local_port, &none, port, false,
		       __ATOMIC_RELEASE, __ATOMIC_RELAXED)
		? ND_SUCCESS
		: STATUS_ADDRESS_ALREADY_ASSOCIATED;
}

/** Convert the status of nd_connector_connect(): some parameter numbers differ in version 2. */
static nd_status
status_of_connect(nd_status status)
{
	/* The address was checked before, so the reason can only be port 0. */
	return status == ND_INVALID_PARAMETER_2 ? ND_INVALID_ADDRESS : status;
}

/**
 * Check the private data before the queue pair is attached, because the native call that checks
 * them follows later.
 */
static nd_status
data_check(const VOID *data, ULONG bytes, size_t most)
{
	if (bytes > most)
		return ND_INVALID_BUFFER_SIZE;
	return data == NULL && bytes != 0 ? ND_ACCESS_VIOLATION : ND_SUCCESS;
}

nd_status
spi_connector_destination_check(
	const struct spi_connector *connector, const struct sockaddr *address, size_t bytes)
{
	uint16_t port = 0;

	switch (spi_address_classify(spi_device_of(&connector->object), address, bytes, &port)) {
	case SPI_ADDRESS_BAD:
	case SPI_ADDRESS_OWN:
		return ND_INVALID_ADDRESS;
	case SPI_ADDRESS_ZERO:
		return STATUS_BAD_NETWORK_NAME;
	case SPI_ADDRESS_OTHER:
		break;
	}
	return port == 0 ? ND_INVALID_ADDRESS : ND_SUCCESS;
}

HRESULT
spi_connector2_connect(IND2Connector *self, IUnknown *queue_pair, const struct sockaddr *address,
	ULONG bytes, ULONG inbound_reads, ULONG outbound_reads, const VOID *data, ULONG data_bytes,
	OVERLAPPED *overlapped)
{
	struct spi_connector *connector = (struct spi_connector *)self;
	struct spi_endpoint *qp =
		spi_object_cast(queue_pair, &spi_qp2_class, connector->object.parent);
	struct spi_device *device = spi_device_of(&connector->object);
	struct spi_operation *operation;
	nd_status status;

	if (qp == NULL)
		return SPI_REFUSE(
			"IND2Connector_Connect", 1, "pQueuePair is NULL or of another adapter");
	if (address == NULL)
		return SPI_REFUSE("IND2Connector_Connect", 2, "pDestAddress is NULL");
	if (overlapped == NULL)
		return SPI_REFUSE("IND2Connector_Connect", 8, "pOverlapped is NULL");
	if (spi_connector_port(connector) == 0)
		return STATUS_ADDRESS_NOT_ASSOCIATED;
	status = spi_connector_destination_check(connector, address, bytes);
	if (status == ND_SUCCESS)
		status = data_check(data, data_bytes, device->info.max_caller_data);
	if (status == ND_SUCCESS)
		status = spi_endpoint_attach(qp, connector->link, inbound_reads, outbound_reads);
	if (status == ND_SUCCESS)
		status = spi_operation_begin(&connector->object, overlapped, &operation);
	if (status != ND_SUCCESS)
		return status;
	status = nd_connector_connect(connector->link->native, qp->native, address, bytes,
		IPPROTO_TCP, spi_connector_port(connector), data, data_bytes, &operation->native);
	return spi_operation_end(operation, status_of_connect(status));
}

HRESULT
spi_connector2_complete_connect(IND2Connector *self, OVERLAPPED *overlapped)
{
	if (overlapped == NULL)
		return SPI_REFUSE("IND2Connector_CompleteConnect", 1, "pOverlapped is NULL");
	return nd_connector_complete_connect(((struct spi_connector *)self)->link->native, NULL);
}

HRESULT
spi_connector2_accept(IND2Connector *self, IUnknown *queue_pair, ULONG inbound_reads,
	ULONG outbound_reads, const VOID *data, ULONG data_bytes, OVERLAPPED *overlapped)
{
	struct spi_connector *connector = (struct spi_connector *)self;
	struct spi_endpoint *qp =
		spi_object_cast(queue_pair, &spi_qp2_class, connector->object.parent);
	struct spi_device *device = spi_device_of(&connector->object);
	struct spi_operation *operation;
	nd_status status;

	if (qp == NULL)
		return SPI_REFUSE(
			"IND2Connector_Accept", 1, "pQueuePair is NULL or of another adapter");
	if (overlapped == NULL)
		return SPI_REFUSE("IND2Connector_Accept", 6, "pOverlapped is NULL");
	status = data_check(data, data_bytes, device->info.max_callee_data);
	if (status == ND_SUCCESS)
		status = spi_endpoint_attach(qp, connector->link, inbound_reads, outbound_reads);
	if (status == ND_SUCCESS)
		status = spi_operation_begin(&connector->object, overlapped, &operation);
	if (status != ND_SUCCESS)
		return status;
	return spi_operation_end(operation,
		nd_connector_accept(
			connector->link->native, qp->native, data, data_bytes, &operation->native));
}

HRESULT
spi_connector2_reject(IND2Connector *self, const VOID *data, ULONG data_bytes)
{
	return nd_connector_reject(((struct spi_connector *)self)->link->native, data, data_bytes);
}
