/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Incoming connection requests. A listener queues them until the application supplies connectors,
 * and serves them in order of arrival (ND-176).
 */

#include "nd/listener.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "nd/call.h"
#include "nd/refuse.h"
#include "nd/status_map.h"

/**
 * Number of random ports that nd_adapter_listen() tries before it returns ND_TOO_MANY_ADDRESSES.
 */
#define PORT_TRIES 256

struct listen_call {
	struct nd_adapter *adapter;
	struct nd_listener *listener;
	size_t backlog;
	int protocol;
	uint16_t port; /**< in: port, or 0 to choose a port; out: chosen port; host byte order */
};

static enum rc_status
service_open(struct listen_call *call, uint16_t port)
{
	struct cm_listen_attr attr = {
		.service_id = wire_service_id((uint8_t)call->protocol, port),
		.backlog = (uint32_t)RTE_MIN(call->backlog, (size_t)UINT32_MAX),
		.context = call->listener,
	};

	return engine_listen(call->adapter->engine, &attr, &call->listener->cm);
}

static nd_status
port_open_any(struct listen_call *call)
{
	for (unsigned int i = 0; i < PORT_TRIES; i++) {
		uint16_t port = (uint16_t)(ADAPTER_PORT_FIRST +
			engine_random_below(call->adapter->engine, ADAPTER_PORT_COUNT));
		enum rc_status status = service_open(call, port);

		if (status == RC_BUSY)
			continue;
		call->port = port;
		return status_of_call(status);
	}
	return ND_TOO_MANY_ADDRESSES;
}

static nd_status
listen_run(void *arg)
{
	struct listen_call *call = arg;
	struct nd_listener *listener = calloc(1, sizeof(*listener));
	nd_status status;

	if (listener == NULL)
		return ND_INSUFFICIENT_RESOURCES;
	call->listener = listener;
	listener->adapter = call->adapter;
	base_list_init(&listener->waiting);
	base_list_init(&listener->requests);
	if (call->port == 0) {
		status = port_open_any(call);
	} else {
		enum rc_status opened = service_open(call, call->port);

		status = opened == RC_BUSY ? ND_SHARING_VIOLATION : status_of_call(opened);
	}
	if (nd_failed(status)) {
		free(listener);
		return status;
	}
	base_list_append(&call->adapter->listeners, &listener->node);
	return ND_SUCCESS;
}

nd_status
nd_adapter_listen(struct nd_adapter *adapter, size_t backlog, int protocol, uint16_t port,
	uint16_t *assigned_port, struct nd_listener **listener)
{
	struct listen_call call = {
		.adapter = adapter, .backlog = backlog, .protocol = protocol, .port = ntohs(port)};
	nd_status status;

	if (protocol < 1 || protocol > UINT8_MAX)
		return REFUSE(2, "protocol %d: expected 1 to %u", protocol, UINT8_MAX);
	if (port == 0 && assigned_port == NULL)
		return REFUSE(4, "assigned_port is NULL, but port is 0");
	if (listener == NULL)
		return REFUSE(5, "listener is NULL");
	if (adapter_removed(adapter))
		return ND_DEVICE_REMOVED;
	status = adapter_call(adapter, listen_run, &call);
	if (nd_failed(status))
		return status;
	if (assigned_port != NULL)
		*assigned_port = htons(call.port);
	*listener = call.listener;
	return ND_SUCCESS;
}

void
listener_request(struct nd_listener *listener, struct cm_id *id, const struct cm_event *event)
{
	struct nd_request *request = calloc(1, sizeof(*request));
	struct base_list *node;

	/* Memory is exhausted, so reject the request. The peer may try again. */
	if (request == NULL) {
		cm_release(id, engine_now_ns(listener->adapter->engine));
		return;
	}
	request->owner = CM_OWNER_REQUEST;
	request->id = id;
	request->data.count = (uint16_t)RTE_MIN(event->private_bytes, sizeof(request->data.bytes));
	memcpy(request->data.bytes, event->private_data, request->data.count);
	cm_id_set_context(id, request);
	base_list_append(&listener->requests, &request->node);

	node = base_list_first(&listener->waiting);
	if (node != NULL) {
		struct nd_overlapped *overlapped = overlapped_of_node(node);
		struct nd_connector *connector = overlapped_core(overlapped)->object;

		base_list_remove(&request->node);
		connector_take_request(connector, id, &request->data);
		free(request);
		overlapped_finish(overlapped, ND_SUCCESS);
	}
}

void
listener_request_gone(struct nd_request *request)
{
	base_list_remove(&request->node);
	cm_id_set_context(request->id, NULL);
	cm_release(request->id, 0);
	free(request);
}

/** Implements overlapped_cancel_fn for nd_listener_get_connection_request(). */
static nd_status
waiting_cancel(struct nd_overlapped *overlapped)
{
	struct nd_connector *connector = overlapped_core(overlapped)->object;

	connector->waiting = NULL;
	overlapped_finish(overlapped, ND_CANCELED);
	return ND_SUCCESS;
}

struct request_call {
	struct nd_listener *listener;
	struct nd_connector *connector;
	struct nd_overlapped *overlapped;
};

static nd_status
request_run(void *arg)
{
	struct request_call *call = arg;
	struct nd_connector *connector = call->connector;
	struct nd_listener *listener = call->listener;
	struct base_list *node;
	struct nd_request *request;

	if (connector->state != CONNECTOR_IDLE || connector->endpoint != NULL ||
		connector->waiting != NULL)
		return REFUSE_IN("nd_listener_get_connection_request", 1,
			"connector is in use: expected a new connector without endpoint");
	node = base_list_first(&listener->requests);
	if (node == NULL) {
		nd_status status = overlapped_begin(call->overlapped, listener->adapter->engines,
			connector, &listener->waiting, waiting_cancel);

		if (status == ND_PENDING)
			connector->waiting = call->overlapped;
		return status;
	}
	request = base_list_entry(node, struct nd_request, node);
	base_list_remove(node);
	connector_take_request(connector, request->id, &request->data);
	free(request);
	return ND_SUCCESS;
}

nd_status
nd_listener_get_connection_request(struct nd_listener *listener, struct nd_connector *connector,
	struct nd_overlapped *overlapped)
{
	struct request_call call = {
		.listener = listener, .connector = connector, .overlapped = overlapped};

	if (connector == NULL || connector->adapter != listener->adapter)
		return REFUSE(1, "connector is NULL or of another adapter");
	if (!overlapped_usable(overlapped))
		return REFUSE(2, OVERLAPPED_UNUSABLE);
	return adapter_call(listener->adapter, request_run, &call);
}

void
listener_cancel(struct nd_listener *listener)
{
	struct base_list *node;

	while ((node = base_list_first(&listener->waiting)) != NULL)
		waiting_cancel(overlapped_of_node(node));
}

static nd_status
cancel_run(void *arg)
{
	listener_cancel(arg);
	return ND_SUCCESS;
}

nd_status
nd_listener_cancel_overlapped_requests(struct nd_listener *listener)
{
	return adapter_call(listener->adapter, cancel_run, listener);
}

void
listener_close(struct nd_listener *listener)
{
	uint64_t now_ns = engine_now_ns(listener->adapter->engine);
	struct base_list *node;

	cm_unlisten(listener->cm);
	listener_cancel(listener);
	while ((node = base_list_first(&listener->requests)) != NULL) {
		struct nd_request *request = base_list_entry(node, struct nd_request, node);

		base_list_remove(node);
		cm_id_set_context(request->id, NULL);
		cm_release(request->id, now_ns);
		free(request);
	}
	base_list_remove(&listener->node);
	free(listener);
}

static nd_status
release_run(void *arg)
{
	listener_close(arg);
	return ND_SUCCESS;
}

nd_status
nd_listener_release(struct nd_listener *listener)
{
	if (listener == NULL)
		return ND_SUCCESS;
	return adapter_call(listener->adapter, release_run, listener);
}
