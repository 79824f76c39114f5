/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/listen1.h"

#include "spi/connector1.h"
#include "spi/overlapped1.h"
#include "spi/refuse.h"

/** A listener of version 1. */
struct spi_listen1 {
	struct spi_object object;
	struct nd_listener *native;
};

SPI_UNKNOWN_METHODS(listen, INDListen)
SPI_RESULT1_METHOD(listen, INDListen)

static void
listen_retire(struct spi_object *object)
{
	/* From now on connects are refused, and pending operations end with ND_CANCELED. */
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
	listen = spi_object_create(&spi_listen1_class, &adapter->object);
	if (listen == NULL)
		return ND_NO_MEMORY;
	status = nd_adapter_listen(
		adapter->device->native, backlog, protocol, port, assigned_port, &listen->native);
	if (nd_failed(status)) {
		spi_object_discard(&listen->object);
		return status;
	}
	*out = (INDListen *)listen;
	return ND_SUCCESS;
}

static HRESULT
listen_cancel_overlapped_requests(INDListen *self)
{
	return nd_listener_cancel_overlapped_requests(((struct spi_listen1 *)self)->native);
}

static HRESULT
listen_get_connection_request(INDListen *self, INDConnector *object, OVERLAPPED *overlapped)
{
	struct spi_listen1 *listen = (struct spi_listen1 *)self;
	struct spi_connector1 *connector =
		spi_object_cast((IUnknown *)object, &spi_connector1_class, listen->object.parent);
	struct spi_operation *operation;
	nd_status status;

	if (connector == NULL)
		return SPI_REFUSE("INDListen_GetConnectionRequest", 1,
			"pConnector is NULL or not of this adapter");
	if (overlapped == NULL)
		return SPI_REFUSE("INDListen_GetConnectionRequest", 2, "pOverlapped is NULL");
	status = spi_operation_begin(
		&listen->object, spi_adapter_of(&listen->object)->file, overlapped, &operation);
	if (nd_failed(status))
		return status;
	status = nd_listener_get_connection_request(
		listen->native, connector->link->native, &operation->native);
	/* This number has only one remaining reason here: the connector is in use. */
	return spi_operation_end(
		operation, status == ND_INVALID_PARAMETER_1 ? ND_CONNECTION_ACTIVE : status);
}

static const INDListenVtbl methods = {
	SPI_UNKNOWN_ROWS(listen),
	.CancelOverlappedRequests = listen_cancel_overlapped_requests,
	.GetOverlappedResult = listen_get_overlapped_result,
	.GetConnectionRequest = listen_get_connection_request,
};

const struct spi_class spi_listen1_class = {
	.methods = &methods,
	.iid = &IID_INDListen,
	.base = &IID_INDOverlapped,
	.size = sizeof(struct spi_listen1),
	.retire = listen_retire,
};
