/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/listener.h"

#include <netinet/in.h>

#include "spi/addresses.h"
#include "spi/connector.h"
#include "spi/operation.h"
#include "spi/refuse.h"
#include "spi/status.h"
#include "win/win.h"

struct spi_listener {
	struct spi_object object;
	pthread_mutex_t lock; /**< protects the next three members; not taken by callbacks */
	bool bound;
	uint16_t port;              /**< network byte order; 0: not yet chosen */
	struct nd_listener *native; /**< NULL: not listening; atomic */
};

SPI_OVERLAPPED2_METHODS(listener, IND2Listener)

static struct nd_listener *
native_of(const struct spi_listener *listener)
{
	return __atomic_load_n(&listener->native, __ATOMIC_ACQUIRE);
}

static void
listener_retire(struct spi_object *object)
{
	/* The release refuses later connects, and ends pending operations with ND_CANCELED. */
	(void)nd_listener_release(native_of((struct spi_listener *)object));
}

static void
listener_destroy(struct spi_object *object)
{
	pthread_mutex_destroy(&((struct spi_listener *)object)->lock);
}

HRESULT
spi_listener2_create(IND2Adapter *self, REFIID iid, HANDLE file, VOID **out)
{
	struct spi_adapter *adapter = (struct spi_adapter *)self;
	HRESULT status = spi_create_check(
		"IND2Adapter_CreateListener", &spi_listener2_class, iid, out, 3, "ppListener");
	struct spi_listener *listener;

	if (FAILED(status))
		return status;
	if (!win_file_ref(file))
		return ND_INVALID_HANDLE;
	listener = spi_object_create(&spi_listener2_class, &adapter->object, file);
	if (listener == NULL)
		return ND_NO_MEMORY;
	pthread_mutex_init(&listener->lock, NULL);
	*out = listener;
	return ND_SUCCESS;
}

static nd_status
listener_cancel(struct spi_object *object)
{
	struct nd_listener *native = native_of((struct spi_listener *)object);

	return native == NULL ? ND_SUCCESS : nd_listener_cancel_overlapped_requests(native);
}

/** Implements Bind. Requires the lock. */
static nd_status
bind_locked(struct spi_listener *listener, const struct sockaddr *address, ULONG bytes)
{
	struct spi_device *device = spi_device_of(&listener->object);
	enum spi_address_kind kind;
	uint16_t port = 0;

	if (listener->bound)
		return STATUS_ADDRESS_ALREADY_ASSOCIATED;
	kind = spi_address_classify(device, address, bytes, &port);
	if (kind != SPI_ADDRESS_OWN && kind != SPI_ADDRESS_ZERO)
		return ND_INVALID_ADDRESS;
	listener->port = port;
	listener->bound = true;
	return ND_SUCCESS;
}

static HRESULT
listener_bind(IND2Listener *self, const struct sockaddr *address, ULONG bytes)
{
	struct spi_listener *listener = (struct spi_listener *)self;
	nd_status status;

	if (address == NULL)
		return SPI_REFUSE("IND2Listener_Bind", 1, "pAddress is NULL");
	pthread_mutex_lock(&listener->lock);
	status = bind_locked(listener, address, bytes);
	pthread_mutex_unlock(&listener->lock);
	return status;
}

/** Implements Listen. Requires the lock. */
static nd_status
listen_locked(struct spi_listener *listener, ULONG backlog)
{
	struct nd_listener *native;
	uint16_t port;
	nd_status status;

	if (!listener->bound)
		return STATUS_ADDRESS_NOT_ASSOCIATED;
	if (listener->native != NULL)
		return ND_INVALID_DEVICE_STATE;
	status = nd_adapter_listen(spi_device_of(&listener->object)->native, backlog, IPPROTO_TCP,
		listener->port, &port, &native);
	if (nd_failed(status))
		return status;
	listener->port = port;
	__atomic_store_n(&listener->native, native, __ATOMIC_RELEASE);
	return ND_SUCCESS;
}

static HRESULT
listener_listen(IND2Listener *self, ULONG backlog)
{
	struct spi_listener *listener = (struct spi_listener *)self;
	nd_status status;

	pthread_mutex_lock(&listener->lock);
	status = listen_locked(listener, backlog);
	pthread_mutex_unlock(&listener->lock);
	return status;
}

static HRESULT
listener_get_local_address(IND2Listener *self, struct sockaddr *address, ULONG *bytes)
{
	struct spi_listener *listener = (struct spi_listener *)self;
	size_t wide;
	nd_status status;

	if (bytes == NULL)
		return SPI_REFUSE("IND2Listener_GetLocalAddress", 2, "pcbAddress is NULL");
	if (native_of(listener) == NULL)
		return ND_INVALID_DEVICE_STATE;
	wide = *bytes;
	status = spi_address_store(&spi_device_of(&listener->object)->config->native.address,
		listener->port, address, &wide);
	*bytes = spi_ulong(wide);
	return status;
}

static HRESULT
listener_get_connection_request(
	IND2Listener *self, IUnknown *connector_object, OVERLAPPED *overlapped)
{
	struct spi_listener *listener = (struct spi_listener *)self;
	struct spi_connector *connector =
		spi_object_cast(connector_object, &spi_connector2_class, listener->object.parent);
	struct nd_listener *native = native_of(listener);
	struct spi_operation *operation;
	nd_status status;

	if (connector == NULL)
		return SPI_REFUSE("IND2Listener_GetConnectionRequest", 1,
			"pConnector is NULL or of another adapter");
	if (overlapped == NULL)
		return SPI_REFUSE("IND2Listener_GetConnectionRequest", 2, "pOverlapped is NULL");
	if (native == NULL)
		return ND_INVALID_DEVICE_STATE;
	if (spi_connector_port(connector) != 0)
		return ND_CONNECTION_ACTIVE;
	status = spi_operation_begin(&listener->object, overlapped, &operation);
	if (nd_failed(status))
		return status;
	status = nd_listener_get_connection_request(
		native, connector->link->native, &operation->native);
	/* The connector is in use, because all other causes of the status were excluded before. */
	return spi_operation_end(
		operation, status == ND_INVALID_PARAMETER_1 ? ND_CONNECTION_ACTIVE : status);
}

static const IND2ListenerVtbl methods = {
	SPI_OVERLAPPED_ROWS(listener),
	.Bind = listener_bind,
	.Listen = listener_listen,
	.GetLocalAddress = listener_get_local_address,
	.GetConnectionRequest = listener_get_connection_request,
};

const struct spi_class spi_listener2_class = {
	.methods = &methods,
	.iid = &IID_IND2Listener,
	.base = &IID_IND2Overlapped,
	.size = sizeof(struct spi_listener),
	.retire = listener_retire,
	.cancel = listener_cancel,
	.destroy = listener_destroy,
};
