/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Connections: life, end, and what the connection manager and the transport report about them. How
 * they come up is in connect.c (active) and accept.c (passive).
 */

#include "nd/connector.h"

#include <stdlib.h>
#include <string.h>

#include "nd/address.h"
#include "nd/endpoint.h"
#include "nd/listener.h"
#include "nd/status_map.h"

struct connector_call {
	struct nd_adapter *adapter;
	struct nd_connector *connector;
	struct nd_overlapped *overlapped;
};

static nd_status
create_run(void *arg)
{
	struct connector_call *call = arg;
	struct nd_connector *connector = calloc(1, sizeof(*connector));

	if (connector == NULL)
		return ND_NO_MEMORY;
	connector->owner = CM_OWNER_CONNECTOR;
	connector->adapter = call->adapter;
	base_list_init(&connector->operation);
	base_list_init(&connector->notifies);
	base_list_init(&connector->resolve.node);
	base_list_append(&call->adapter->connectors, &connector->node);
	call->connector = connector;
	return ND_SUCCESS;
}

nd_status
nd_adapter_create_connector(struct nd_adapter *adapter, struct nd_connector **connector)
{
	struct connector_call call = {.adapter = adapter};
	nd_status status;

	if (connector == NULL)
		return ND_INVALID_PARAMETER;
	if (adapter_removed(adapter))
		return ND_DEVICE_REMOVED;
	status = adapter_call(adapter, create_run, &call);
	if (!nd_failed(status))
		*connector = call.connector;
	return status;
}

void
connector_operation_finish(struct nd_connector *connector, nd_status status)
{
	overlapped_finish_all(&connector->operation, status);
}

void
connector_forget(struct nd_connector *connector)
{
	engine_resolve_cancel(&connector->resolve);
	if (connector->id == NULL)
		return;
	cm_release(connector->id, engine_now_ns(connector->adapter->engine));
	connector->id = NULL;
}

static void
endpoint_stop(struct nd_connector *connector)
{
	struct nd_endpoint *endpoint = connector->endpoint;

	if (endpoint != NULL && endpoint->slot.qp != NULL)
		rc_qp_error(endpoint->slot.qp, RC_FLUSHED);
}

void
connector_break(struct nd_connector *connector)
{
	if (connector->state == CONNECTOR_BROKEN || connector->state == CONNECTOR_DEAD)
		return;
	connector->state = CONNECTOR_BROKEN;
	/* Design: a received DREQ, or a fatal error, flushes at once (ND-196). */
	endpoint_stop(connector);
	overlapped_finish_all(&connector->notifies, ND_SUCCESS);
}

/** Before CONNECTED: back to where another attempt can start, or to the end. */
static void
attempt_failed(struct nd_connector *connector, nd_status status)
{
	switch (connector->state) {
	case CONNECTOR_REQUESTING:
	case CONNECTOR_RESOLVING:
		connector_forget(connector);
		connector->state = CONNECTOR_IDLE;
		break;
	case CONNECTOR_ANSWERED:
	case CONNECTOR_ASKED:
		connector_forget(connector);
		connector->state = CONNECTOR_DEAD;
		break;
	case CONNECTOR_ACCEPTING:
		connector_forget(connector);
		connector->state = CONNECTOR_DEAD;
		endpoint_stop(connector);
		break;
	case CONNECTOR_IDLE:
	case CONNECTOR_CONNECTED:
	case CONNECTOR_DISCONNECTING:
	case CONNECTOR_BROKEN:
	case CONNECTOR_DEAD:
		return;
	}
	connector_operation_finish(connector, status);
}

void
connector_abandon(struct nd_connector *connector)
{
	attempt_failed(connector, ND_CANCELED);
}

nd_status
connector_operation_cancel(struct nd_overlapped *overlapped)
{
	connector_abandon(overlapped_core(overlapped)->object);
	overlapped_finish(overlapped, ND_CANCELED);
	return ND_SUCCESS;
}

static void
data_keep(struct nd_connector *connector, const struct cm_event *event)
{
	struct peer_data *data = &connector->data;

	data->count = (uint16_t)RTE_MIN(event->private_bytes, sizeof(data->bytes));
	if (event->private_data != NULL)
		memcpy(data->bytes, event->private_data, data->count);
	else
		data->count = 0;
	connector->has_data = true;
}

static void
answered(struct nd_connector *connector, const struct cm_event *event)
{
	cm_id_peer(connector->id, &connector->peer);
	data_keep(connector, event);
	connector->state = CONNECTOR_ANSWERED;
	connector_operation_finish(connector, ND_SUCCESS);
}

static void
established(struct nd_connector *connector)
{
	if (connector->state != CONNECTOR_ACCEPTING)
		return;
	connector->state = CONNECTOR_CONNECTED;
	connector->was_connected = true;
	connector_operation_finish(connector, ND_SUCCESS);
}

static void
disconnected(struct nd_connector *connector)
{
	if (connector->state == CONNECTOR_DISCONNECTING) {
		/* Crossing requests: this side's is answered by the other (CM-006). */
		connector->state = CONNECTOR_DEAD;
		connector_operation_finish(connector, ND_SUCCESS);
	} else if (connector->state == CONNECTOR_CONNECTED) {
		connector_break(connector);
	} else {
		attempt_failed(connector, ND_CONNECTION_ABORTED);
	}
}

static void
connector_event(struct nd_connector *connector, const struct cm_event *event)
{
	switch (event->kind) {
	case CM_EVENT_REQUEST:
		break;
	case CM_EVENT_ACCEPTED:
		answered(connector, event);
		break;
	case CM_EVENT_REJECTED:
		if (connector->state == CONNECTOR_REQUESTING)
			data_keep(connector, event);
		attempt_failed(connector, ND_CONNECTION_REFUSED);
		break;
	case CM_EVENT_UNREACHABLE:
		attempt_failed(connector, ND_IO_TIMEOUT);
		break;
	case CM_EVENT_ABORTED:
		attempt_failed(connector, ND_CONNECTION_ABORTED);
		break;
	case CM_EVENT_ESTABLISHED:
		established(connector);
		break;
	case CM_EVENT_DISCONNECTED:
		/*
		 * A DREQ in REP_SENT says that the connection had been up: accept first, then the
		 * end.
		 */
		established(connector);
		disconnected(connector);
		break;
	case CM_EVENT_DISCONNECT_DONE:
		if (connector->state == CONNECTOR_DISCONNECTING) {
			connector->state = CONNECTOR_DEAD;
			connector_operation_finish(connector, ND_SUCCESS);
		}
		break;
	}
}

void
connector_cm_event(void *arg, struct cm_id *id, const struct cm_event *event)
{
	enum cm_owner *owner = cm_id_context(id);

	(void)arg;
	if (event->kind == CM_EVENT_REQUEST)
		listener_request(event->listener_context, id, event);
	else if (owner == NULL)
		return;
	else if (*owner == CM_OWNER_REQUEST)
		listener_request_gone((struct nd_request *)owner);
	else
		connector_event((struct nd_connector *)owner, event);
}

void
connector_qp_event(void *arg, struct rc_qp *qp, enum rc_event event)
{
	struct nd_endpoint *endpoint = qp->cookie;
	struct nd_connector *connector = endpoint->connector;
	struct nd_adapter *adapter = arg;
	enum rc_status told;

	if (event == RC_EVENT_FIRST_PACKET) {
		if (connector->state == CONNECTOR_ACCEPTING)
			cm_traffic_seen(connector->id, engine_now_ns(adapter->engine));
		return;
	}
	if (connector->state == CONNECTOR_ACCEPTING && !endpoint->flushing)
		attempt_failed(connector, ND_CONNECTION_ABORTED);
	if (connector->state != CONNECTOR_CONNECTED || endpoint->flushing)
		return;
	/* Tell the peer at once, so that it need not time out (mapping.md, section 4). */
	told = cm_disconnect(connector->id, engine_now_ns(adapter->engine));
	RTE_SET_USED(told); /* refused when the connection manager knows of an end already */
	connector_break(connector);
}

static nd_status
disconnect_run(void *arg)
{
	struct connector_call *call = arg;
	struct nd_connector *connector = call->connector;

	if (connector->state == CONNECTOR_BROKEN) {
		connector->state = CONNECTOR_DEAD;
		return ND_SUCCESS;
	}
	if (connector->state != CONNECTOR_CONNECTED)
		return ND_CONNECTION_INVALID;
	connector->state = CONNECTOR_DISCONNECTING;
	endpoint_stop(connector);
	/* ND-195: the local disconnect ends notifications with ND_CANCELED. */
	overlapped_finish_all(&connector->notifies, ND_CANCELED);
	if (cm_disconnect(connector->id, engine_now_ns(connector->adapter->engine)) != RC_OK) {
		connector->state = CONNECTOR_DEAD;
		return ND_SUCCESS;
	}
	overlapped_begin(call->overlapped, connector->adapter, connector, &connector->operation,
		connector_operation_cancel);
	return ND_PENDING;
}

nd_status
nd_connector_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped)
{
	struct connector_call call = {.connector = connector, .overlapped = overlapped};

	if (overlapped == NULL)
		return ND_INVALID_PARAMETER_1;
	return adapter_call(connector->adapter, disconnect_run, &call);
}

static nd_status
notify_cancel(struct nd_overlapped *overlapped)
{
	overlapped_finish(overlapped, ND_CANCELED);
	return ND_SUCCESS;
}

static nd_status
notify_run(void *arg)
{
	struct connector_call *call = arg;
	struct nd_connector *connector = call->connector;

	if (connector->state == CONNECTOR_BROKEN)
		return ND_SUCCESS;
	if (connector->state == CONNECTOR_DEAD && connector->was_connected)
		return ND_CANCELED;
	if (connector->state != CONNECTOR_CONNECTED)
		return ND_CONNECTION_INVALID;
	overlapped_begin(call->overlapped, connector->adapter, connector, &connector->notifies,
		notify_cancel);
	return ND_PENDING;
}

nd_status
nd_connector_notify_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped)
{
	struct connector_call call = {.connector = connector, .overlapped = overlapped};

	if (overlapped == NULL)
		return ND_INVALID_PARAMETER_1;
	return adapter_call(connector->adapter, notify_run, &call);
}

static nd_status
cancel_run(void *arg)
{
	struct nd_connector *connector = arg;
	struct base_list *node;

	overlapped_finish_all(&connector->notifies, ND_CANCELED);
	node = base_list_first(&connector->operation);
	if (node == NULL)
		return ND_SUCCESS;
	return connector_operation_cancel(overlapped_of_node(node));
}

nd_status
nd_connector_cancel_overlapped_requests(struct nd_connector *connector)
{
	return adapter_call(connector->adapter, cancel_run, connector);
}

void
connector_close(struct nd_connector *connector)
{
	overlapped_finish_all(&connector->notifies, ND_CANCELED);
	connector_operation_finish(connector, ND_CANCELED);
	overlapped_finish(connector->waiting, ND_CANCELED);
	/* The flush below must find nothing left to tell the peer. */
	connector->state = CONNECTOR_DEAD;
	connector_forget(connector);
	if (connector->endpoint != NULL)
		endpoint_close(connector->endpoint);
	base_list_remove(&connector->node);
	free(connector);
}

static nd_status
release_run(void *arg)
{
	struct nd_connector *connector = arg;

	if (connector->endpoint != NULL)
		return ND_DEVICE_BUSY;
	connector_close(connector);
	return ND_SUCCESS;
}

nd_status
nd_connector_release(struct nd_connector *connector)
{
	return adapter_call(connector->adapter, release_run, connector);
}
