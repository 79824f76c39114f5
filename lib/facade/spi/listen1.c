/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/listener.h"

#include "spi/connector.h"
#include "spi/overlapped1.h"
#include "spi/refuse.h"

struct spi_listen1 {
	struct spi_object object;
	struct nd_listener *native;
};

SPI_OVERLAPPED1_METHODS(listen, INDListen)

static void
listen_retire(struct spi_object *object)
{
	/* The release refuses later connects, and ends pending operations with ND_CANCELED. */
	(void)nd_listener_release(((struct spi_listen1 *)object)->native);
}

HRESULT
spi_listen1_create(INDAdapter *self, SIZE_T backlog, INT protocol, USHORT port,
	USHORT *assigned_port, INDListen **out)
{
	struct spi_adapter *adapter = (struct spi_adapter *)self;
	struct spi_listen1 *listen;
	nd_status status;

	if (out == NULL)
		return SPI_REFUSE("INDAdapter_Listen", 5, "ppListen is NULL");
	listen = spi_object_create(&spi_listen1_class, &adapter->object, NULL);
	if (listen == NULL)
		return ND_NO_MEMORY;
	status = nd_adapter_listen(
		adapter->device->native, backlog, protocol, port, assigned_port, &listen->native);
	return spi_object_finish(&listen->object, status, (void *)out);
}

static nd_status
listen_cancel(struct spi_object *object)
{
	return nd_listener_cancel_overlapped_requests(((struct spi_listen1 *)object)->native);
}

static HRESULT
listen_get_connection_request(INDListen *self, INDConnector *object, OVERLAPPED *overlapped)
{
	struct spi_listen1 *listen = (struct spi_listen1 *)self;
	struct spi_connector *connector =
		spi_object_cast((IUnknown *)object, &spi_connector1_class, listen->object.parent);
	struct spi_operation *operation;
	nd_status status;

	if (connector == NULL)
		return SPI_REFUSE("INDListen_GetConnectionRequest", 1,
			"pConnector is NULL or of another adapter");
	if (overlapped == NULL)
		return SPI_REFUSE("INDListen_GetConnectionRequest", 2, "pOverlapped is NULL");
	status = spi_operation_begin(&listen->object, overlapped, &operation);
	if (nd_failed(status))
		return status;
	status = nd_listener_get_connection_request(
		listen->native, connector->link->native, &operation->native);
	/* The connector is in use, because all other causes of the status were excluded before. */
	return spi_operation_end(
		operation, status == ND_INVALID_PARAMETER_1 ? ND_CONNECTION_ACTIVE : status);
}

static const INDListenVtbl methods = {
	SPI_OVERLAPPED_ROWS(listen),
	.GetConnectionRequest = listen_get_connection_request,
};

const struct spi_class spi_listen1_class = {
	.methods = &methods,
	.iid = &IID_INDListen,
	.base = &IID_INDOverlapped,
	.size = sizeof(struct spi_listen1),
	.retire = listen_retire,
	.cancel = listen_cancel,
};
