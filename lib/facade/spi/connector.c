/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Creates, queries and releases connectors of version 2. connect.c establishes connections. */

#include "spi/connector.h"

#include "spi/addresses.h"
#include "spi/operation.h"
#include "spi/refuse.h"
#include "spi/status.h"
#include "win/win.h"

SPI_OVERLAPPED2_METHODS(connector, IND2Connector)

nd_status
spi_connector_cancel(struct spi_object *object)
{
	return nd_connector_cancel_overlapped_requests(
		((struct spi_connector *)object)->link->native);
}

void
spi_connector_retire(struct spi_object *object)
{
	spi_link_end(((struct spi_connector *)object)->link);
}

void
spi_connector_destroy(struct spi_object *object)
{
	spi_link_put(((struct spi_connector *)object)->link);
}

nd_status
spi_connector_make(
	const struct spi_class *class, struct spi_adapter *adapter, HANDLE file, void *out)
{
	struct spi_connector *connector = spi_object_create(class, &adapter->object, file);

	if (connector == NULL)
		return ND_NO_MEMORY;
	return spi_object_finish(
		&connector->object, spi_link_create(adapter->device, &connector->link), out);
}

HRESULT
spi_connector2_create(IND2Adapter *self, REFIID iid, HANDLE file, VOID **out)
{
	HRESULT status = spi_create_check(
		"IND2Adapter_CreateConnector", &spi_connector2_class, iid, out, 3, "ppConnector");

	if (FAILED(status))
		return status;
	if (!win_file_ref(file))
		return ND_INVALID_HANDLE;
	return spi_connector_make(&spi_connector2_class, (struct spi_adapter *)self, file, out);
}

static struct nd_connector *
native_of(IND2Connector *self)
{
	return ((struct spi_connector *)self)->link->native;
}

static HRESULT
connector_get_read_limits(IND2Connector *self, ULONG *inbound, ULONG *outbound)
{
	size_t native_inbound, native_outbound;
	nd_status status = nd_connector_get_connection_data(
		native_of(self), &native_inbound, &native_outbound, NULL, NULL);

	if (nd_failed(status))
		return status;
	if (inbound != NULL)
		*inbound = spi_ulong(native_inbound);
	if (outbound != NULL)
		*outbound = spi_ulong(native_outbound);
	return ND_SUCCESS;
}

static HRESULT
connector_get_private_data(IND2Connector *self, VOID *data, ULONG *bytes)
{
	size_t wide;
	nd_status status;

	if (bytes == NULL)
		return SPI_REFUSE("IND2Connector_GetPrivateData", 2, "pcbPrivateData is NULL");
	wide = *bytes;
	status = nd_connector_get_connection_data(native_of(self), NULL, NULL, data, &wide);
	if (!nd_failed(status) || status == ND_BUFFER_OVERFLOW)
		*bytes = spi_ulong(wide);
	return status;
}

static HRESULT
connector_get_local_address(IND2Connector *self, struct sockaddr *address, ULONG *bytes)
{
	struct spi_connector *connector = (struct spi_connector *)self;
	uint16_t port = spi_connector_port(connector);
	size_t wide;
	nd_status status;

	if (bytes == NULL)
		return SPI_REFUSE("IND2Connector_GetLocalAddress", 2, "pcbAddress is NULL");
	wide = *bytes;
	if (port != 0)
		status = spi_address_store(
			&spi_device_of(&connector->object)->config->native.address, port, address,
			&wide);
	else
		status = nd_connector_get_local_address(native_of(self), address, &wide);
	if (!nd_failed(status) || status == ND_BUFFER_OVERFLOW)
		*bytes = spi_ulong(wide);
	return status;
}

static HRESULT
connector_get_peer_address(IND2Connector *self, struct sockaddr *address, ULONG *bytes)
{
	size_t wide;
	nd_status status;

	if (bytes == NULL)
		return SPI_REFUSE("IND2Connector_GetPeerAddress", 2, "pcbAddress is NULL");
	wide = *bytes;
	status = nd_connector_get_peer_address(native_of(self), address, &wide);
	if (!nd_failed(status) || status == ND_BUFFER_OVERFLOW)
		*bytes = spi_ulong(wide);
	return status;
}

/**
 * spi_operation.translate: if this side disconnected, version 2 reports
 * STATUS_CONNECTION_DISCONNECTED instead of ND_CANCELED.
 */
static nd_status
notified(struct spi_operation *operation, nd_status status)
{
	struct spi_connector *connector = (struct spi_connector *)operation->object;

	if (status == ND_CANCELED &&
		__atomic_load_n(&connector->disconnects, __ATOMIC_ACQUIRE) != 0)
		return STATUS_CONNECTION_DISCONNECTED;
	return status;
}

static HRESULT
connector_notify_disconnect(IND2Connector *self, OVERLAPPED *overlapped)
{
	struct spi_connector *connector = (struct spi_connector *)self;
	struct spi_operation *operation;
	nd_status status;

	if (overlapped == NULL)
		return SPI_REFUSE("IND2Connector_NotifyDisconnect", 1, "pOverlapped is NULL");
	status = spi_operation_begin(&connector->object, overlapped, &operation);
	if (nd_failed(status))
		return status;
	operation->translate = notified;
	status = nd_connector_notify_disconnect(connector->link->native, &operation->native);
	/*
	 * If the native call failed at once, the callback is not called. Then convert the status
	 * here.
	 */
	if (nd_failed(status))
		status = notified(operation, status);
	return spi_operation_end(operation, status);
}

static HRESULT
connector_disconnect(IND2Connector *self, OVERLAPPED *overlapped)
{
	struct spi_connector *connector = (struct spi_connector *)self;
	struct spi_operation *operation;
	nd_status status;

	if (overlapped == NULL)
		return SPI_REFUSE("IND2Connector_Disconnect", 1, "pOverlapped is NULL");
	status = spi_operation_begin(&connector->object, overlapped, &operation);
	if (nd_failed(status))
		return status;
	/*
	 * Count the disconnect before the native call, because this call completes
	 * NotifyDisconnect.
	 */
	__atomic_add_fetch(&connector->disconnects, 1, __ATOMIC_RELEASE);
	status = nd_connector_disconnect(connector->link->native, &operation->native);
	if (nd_failed(status))
		__atomic_sub_fetch(&connector->disconnects, 1, __ATOMIC_RELEASE);
	return spi_operation_end(operation, status);
}

static const IND2ConnectorVtbl methods = {
	SPI_OVERLAPPED_ROWS(connector),
	.Bind = spi_connector2_bind,
	.Connect = spi_connector2_connect,
	.CompleteConnect = spi_connector2_complete_connect,
	.Accept = spi_connector2_accept,
	.Reject = spi_connector2_reject,
	.GetReadLimits = connector_get_read_limits,
	.GetPrivateData = connector_get_private_data,
	.GetLocalAddress = connector_get_local_address,
	.GetPeerAddress = connector_get_peer_address,
	.NotifyDisconnect = connector_notify_disconnect,
	.Disconnect = connector_disconnect,
};

const struct spi_class spi_connector2_class = {
	.methods = &methods,
	.iid = &IID_IND2Connector,
	.base = &IID_IND2Overlapped,
	.size = sizeof(struct spi_connector),
	.retire = spi_connector_retire,
	.cancel = spi_connector_cancel,
	.destroy = spi_connector_destroy,
};
