/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/connector.h"

#include "spi/endpoint1.h"
#include "spi/overlapped1.h"
#include "spi/refuse.h"

SPI_OVERLAPPED1_METHODS(connector, INDConnector)

HRESULT
spi_connector1_create(INDAdapter *self, INDConnector **out)
{
	if (out == NULL)
		return SPI_REFUSE("INDAdapter_CreateConnector", 1, "ppConnector is NULL");
	return spi_connector_make(
		&spi_connector1_class, (struct spi_adapter *)self, NULL, (void *)out);
}

static struct nd_connector *
native_of(INDConnector *self)
{
	return ((struct spi_connector *)self)->link->native;
}

static HRESULT
connector_create_endpoint(INDConnector *self, INDCompletionQueue *inbound_cq,
	INDCompletionQueue *outbound_cq, SIZE_T inbound_entries, SIZE_T outbound_entries,
	SIZE_T inbound_sge, SIZE_T outbound_sge, SIZE_T inbound_reads, SIZE_T outbound_reads,
	SIZE_T *max_inline_data, INDEndpoint **out)
{
	struct spi_connector *connector = (struct spi_connector *)self;
	struct spi_adapter *adapter = spi_adapter_of(&connector->object);
	const struct spi_endpoint_limits limits = {
		.inbound_entries = inbound_entries,
		.outbound_entries = outbound_entries,
		.inbound_sge = inbound_sge,
		.outbound_sge = outbound_sge,
		.inbound_reads = inbound_reads,
		.outbound_reads = outbound_reads,
		.inline_bytes = adapter->device->info.max_inline_data,
	};
	HRESULT status = spi_endpoint1_create(
		adapter, connector->link, inbound_cq, outbound_cq, &limits, out);

	if (status == ND_SUCCESS && max_inline_data != NULL)
		*max_inline_data = limits.inline_bytes;
	return status;
}

/** @return the endpoint object, if this connector has created it; otherwise NULL */
static struct spi_endpoint *
own_endpoint(const struct spi_connector *connector, INDEndpoint *object)
{
	struct spi_endpoint *endpoint =
		spi_object_cast((IUnknown *)object, &spi_endpoint1_class, connector->object.parent);

	return endpoint != NULL && endpoint->link == connector->link ? endpoint : NULL;
}

static nd_status
begin(struct spi_connector *connector, OVERLAPPED *overlapped, struct spi_operation **operation)
{
	nd_status status = spi_operation_begin(&connector->object, overlapped, operation);

	if (status == ND_SUCCESS)
		(*operation)->translate = spi_translate1;
	return status;
}

static HRESULT
connector_connect(INDConnector *self, INDEndpoint *object, const struct sockaddr *address,
	SIZE_T bytes, INT protocol, USHORT local_port, const void *data, SIZE_T data_bytes,
	OVERLAPPED *overlapped)
{
	struct spi_connector *connector = (struct spi_connector *)self;
	struct spi_endpoint *endpoint = own_endpoint(connector, object);
	struct spi_operation *operation;
	nd_status status;

	if (endpoint == NULL)
		return SPI_REFUSE("INDConnector_Connect", 1,
			"pEndpoint is NULL or not the endpoint of the connector");
	if (address == NULL)
		return SPI_REFUSE("INDConnector_Connect", 2, "pAddress is NULL");
	if (overlapped == NULL)
		return SPI_REFUSE("INDConnector_Connect", 8, "pOverlapped is NULL");
	status = spi_connector_destination_check(connector, address, bytes);
	if (status == ND_SUCCESS)
		status = begin(connector, overlapped, &operation);
	if (status != ND_SUCCESS)
		return status;
	status = nd_connector_connect(connector->link->native, endpoint->native, address, bytes,
		protocol, local_port, data, data_bytes, &operation->native);
	return spi_operation_end(operation, status);
}

static HRESULT
connector_complete_connect(INDConnector *self, OVERLAPPED *overlapped)
{
	if (overlapped == NULL)
		return SPI_REFUSE("INDConnector_CompleteConnect", 1, "pOverlapped is NULL");
	return nd_connector_complete_connect(native_of(self), NULL);
}

static HRESULT
connector_accept(INDConnector *self, INDEndpoint *object, const void *data, SIZE_T data_bytes,
	OVERLAPPED *overlapped)
{
	struct spi_connector *connector = (struct spi_connector *)self;
	struct spi_endpoint *endpoint = own_endpoint(connector, object);
	struct spi_operation *operation;
	nd_status status;

	if (endpoint == NULL)
		return SPI_REFUSE("INDConnector_Accept", 1,
			"pEndpoint is NULL or not the endpoint of the connector");
	if (overlapped == NULL)
		return SPI_REFUSE("INDConnector_Accept", 4, "pOverlapped is NULL");
	status = begin(connector, overlapped, &operation);
	if (status != ND_SUCCESS)
		return status;
	return spi_operation_end(operation,
		nd_connector_accept(connector->link->native, endpoint->native, data, data_bytes,
			&operation->native));
}

static HRESULT
connector_reject(INDConnector *self, const void *data, SIZE_T data_bytes)
{
	return nd_connector_reject(native_of(self), data, data_bytes);
}

static HRESULT
connector_get_connection_data(
	INDConnector *self, SIZE_T *inbound, SIZE_T *outbound, void *data, SIZE_T *data_bytes)
{
	return nd_connector_get_connection_data(
		native_of(self), inbound, outbound, data, data_bytes);
}

static HRESULT
connector_get_local_address(INDConnector *self, struct sockaddr *address, SIZE_T *bytes)
{
	if (bytes == NULL)
		return SPI_REFUSE("INDConnector_GetLocalAddress", 2, "pAddressLength is NULL");
	return nd_connector_get_local_address(native_of(self), address, bytes);
}

static HRESULT
connector_get_peer_address(INDConnector *self, struct sockaddr *address, SIZE_T *bytes)
{
	if (bytes == NULL)
		return SPI_REFUSE("INDConnector_GetPeerAddress", 2, "pAddressLength is NULL");
	return nd_connector_get_peer_address(native_of(self), address, bytes);
}

/** Execute a method that has no parameter except an OVERLAPPED. */
static HRESULT
operation_run(const char *method, INDConnector *self, OVERLAPPED *overlapped,
	nd_status (*native)(struct nd_connector *connector, struct nd_overlapped *overlapped))
{
	struct spi_operation *operation;
	nd_status status;

	if (overlapped == NULL)
		return SPI_REFUSE(method, 1, "pOverlapped is NULL");
	status = begin((struct spi_connector *)self, overlapped, &operation);
	if (status != ND_SUCCESS)
		return status;
	return spi_operation_end(operation, native(native_of(self), &operation->native));
}

static HRESULT
connector_notify_disconnect(INDConnector *self, OVERLAPPED *overlapped)
{
	return operation_run(
		"INDConnector_NotifyDisconnect", self, overlapped, nd_connector_notify_disconnect);
}

static HRESULT
connector_disconnect(INDConnector *self, OVERLAPPED *overlapped)
{
	return operation_run("INDConnector_Disconnect", self, overlapped, nd_connector_disconnect);
}

static const INDConnectorVtbl methods = {
	SPI_OVERLAPPED_ROWS(connector),
	.CreateEndpoint = connector_create_endpoint,
	.Connect = connector_connect,
	.CompleteConnect = connector_complete_connect,
	.Accept = connector_accept,
	.Reject = connector_reject,
	.GetConnectionData = connector_get_connection_data,
	.GetLocalAddress = connector_get_local_address,
	.GetPeerAddress = connector_get_peer_address,
	.NotifyDisconnect = connector_notify_disconnect,
	.Disconnect = connector_disconnect,
};

const struct spi_class spi_connector1_class = {
	.methods = &methods,
	.iid = &IID_INDConnector,
	.base = &IID_INDOverlapped,
	.size = sizeof(struct spi_connector),
	.retire = spi_connector_retire,
	.cancel = spi_connector_cancel,
	.destroy = spi_connector_destroy,
};
