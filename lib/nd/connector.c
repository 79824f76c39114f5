/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Creation and end of connectors and connections, and handling of the events that the connection
 * manager and the transport report. connect.c (active side) and accept.c (passive side) establish
 * connections. state.c has the table of states.
 */

#include "nd/connector.h"

#include <stdlib.h>
#include <string.h>

#include <ndpdk/nd_extension.h>

#include "engine/probe.h"
#include "nd/call.h"
#include "nd/end.h"
#include "nd/endpoint.h"
#include "nd/refuse.h"

static const struct nd_end local_disconnect = {.reason = ND_END_LOCAL_DISCONNECT};

struct connector_call {
	struct nd_adapter *adapter;
	struct nd_connector *connector;
	struct nd_overlapped *overlapped;
	/**
	 * Out: home of the endpoint that the disconnect flushes. NULL: no endpoint, or its home is
	 * the first engine.
	 */
	struct nd_engine *home;
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
	connector->keepalive_ms = call->adapter->config.keepalive_ms;
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
		return REFUSE(0, "connector is NULL");
	if (adapter_removed(adapter))
		return ND_DEVICE_REMOVED;
	status = adapter_call(adapter, create_run, &call);
	if (!nd_failed(status))
		*connector = call.connector;
	return status;
}

static uint32_t
connector_qpn(const struct nd_connector *connector)
{
	return connector->endpoint == NULL ? 0 : connector->endpoint->slot.qpn;
}

void
connector_go(struct nd_connector *connector, enum connector_state next)
{
	const enum connector_state last = connector->state;

	connector_enter(&connector->state, next);
	probe_connection(connector->adapter->engine, connector_qpn(connector), &connector->peer_gid,
		connector_state_name(last), connector_state_name(next));
	if (connector->endpoint != NULL)
		__atomic_store_n(&connector->endpoint->state, next, __ATOMIC_RELAXED);
}

void
connector_operation_finish(struct nd_connector *connector, nd_status status)
{
	overlapped_finish_all(&connector->operation, status);
}

/**
 * Release the connection's record in the connection manager. If the peer does not know yet that the
 * connection has ended, the connection manager sends a REJ or DREQ.
 */
static void
forget(struct nd_connector *connector)
{
	engine_resolve_cancel(&connector->resolve);
	if (connector->id == NULL)
		return;
	cm_release(connector->id, engine_now_ns(connector->adapter->engine));
	connector->id = NULL;
}

/**
 * Flush the endpoint. No effect if the queue pair has failed by itself, because then it is already
 * flushed.
 */
static void
endpoint_stop(struct nd_connector *connector)
{
	if (connector->endpoint != NULL)
		engine_qp_stop(&connector->endpoint->slot);
}

/**
 * Change from CONNECTED to BROKEN, because the connection has ended for any reason except a
 * disconnect by this side.
 */
static void
break_off(struct nd_connector *connector, const struct nd_end *end)
{
	connector_ends(connector, end);
	connector_go(connector, CONNECTOR_BROKEN);
	/* Flush all outstanding requests at once (ND-196). */
	endpoint_stop(connector);
	overlapped_finish_all(&connector->notifies, ND_SUCCESS);
}

/**
 * End the current connect or accept with this reason and status. If the new state is IDLE, a new
 * attempt may start. Has no effect in states without an attempt.
 */
static void
attempt_end(struct nd_connector *connector, const struct nd_end *end)
{
	enum connector_state failed = connector_state_failed(connector->state);
	bool in_service = connector->state == CONNECTOR_ACCEPTING;

	if (failed == connector->state)
		return;
	connector_ends(connector, end);
	forget(connector);
	connector_go(connector, failed);
	if (in_service)
		endpoint_stop(connector);
	connector_operation_finish(connector, end->status);
}

nd_status
connector_operation_cancel(struct nd_overlapped *overlapped)
{
	struct nd_connector *connector = overlapped_core(overlapped)->object;
	const struct nd_end end = end_of_cancel(connector);

	attempt_end(connector, &end);
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
	connector_go(connector, CONNECTOR_ANSWERED);
	connector_operation_finish(connector, ND_SUCCESS);
}

void
connector_established(struct nd_connector *connector)
{
	connector_go(connector, CONNECTOR_CONNECTED);
	if (connector->keepalive_ms != 0 && connector->endpoint != NULL)
		engine_qp_keepalive(&connector->endpoint->slot, connector->keepalive_ms);
}

static void
established(struct nd_connector *connector)
{
	if (connector->state != CONNECTOR_ACCEPTING)
		return;
	connector_established(connector);
	connector_operation_finish(connector, ND_SUCCESS);
}

/**
 * Change from DISCONNECTING to DEAD, because the peer has answered the DREQ, both sides have sent a
 * DREQ (CM-006), or the DREQ has timed out.
 */
static void
disconnect_done(struct nd_connector *connector)
{
	if (connector->state != CONNECTOR_DISCONNECTING)
		return;
	connector_go(connector, CONNECTOR_DEAD);
	connector_operation_finish(connector, ND_SUCCESS);
}

static void
disconnected(struct nd_connector *connector, const struct cm_event *event)
{
	struct nd_end end = end_of_event(event, ND_CONNECTION_ABORTED);

	/*
	 * The peer sent a DREQ before its RTU, so the peer was connected. Therefore the accept
	 * succeeds, and then the connection breaks.
	 */
	established(connector);
	disconnect_done(connector);
	if (connector->state != CONNECTOR_CONNECTED) {
		attempt_end(connector, &end);
		return;
	}
	if (end.reason == ND_END_PEER_DISCONNECT)
		end.status = ND_SUCCESS;
	break_off(connector, &end);
}

void
connector_event(struct nd_connector *connector, const struct cm_event *event)
{
	struct nd_end end;

	switch (event->kind) {
	case CM_EVENT_REQUEST:
		break;
	case CM_EVENT_ACCEPTED:
		answered(connector, event);
		break;
	case CM_EVENT_REJECTED:
		if (connector->state == CONNECTOR_REQUESTING)
			data_keep(connector, event);
		end = end_of_event(event, ND_CONNECTION_REFUSED);
		attempt_end(connector, &end);
		break;
	case CM_EVENT_UNREACHABLE:
		end = end_of_event(event, ND_IO_TIMEOUT);
		attempt_end(connector, &end);
		break;
	case CM_EVENT_ABORTED:
		end = end_of_event(event, ND_CONNECTION_ABORTED);
		attempt_end(connector, &end);
		break;
	case CM_EVENT_ESTABLISHED:
		established(connector);
		break;
	case CM_EVENT_DISCONNECTED:
		disconnected(connector, event);
		break;
	case CM_EVENT_DISCONNECT_DONE:
		disconnect_done(connector);
		break;
	}
}

void
connector_traffic_seen(struct nd_connector *connector)
{
	if (connector->state == CONNECTOR_ACCEPTING)
		cm_traffic_seen(connector->id, engine_now_ns(connector->adapter->engine));
}

void
connector_qp_failed(struct nd_connector *connector)
{
	const struct rc_qp *qp = connector->endpoint->slot.qp;
	/* qp is NULL if another engine sent the event before the queue pair was released. */
	struct nd_end end = qp != NULL ? end_of_qp(qp) : end_of_cancel(connector);
	enum rc_status told;

	/*
	 * After nd_endpoint_flush(), the connection stays until the application disconnects
	 * (ND-125).
	 */
	if (endpoint_flushing(connector->endpoint))
		return;
	if (connector->state == CONNECTOR_BROKEN)
		connector_ends_by_qp(connector, &end);
	if (connector->state != CONNECTOR_CONNECTED) {
		end.status = ND_CONNECTION_ABORTED;
		attempt_end(connector, &end);
		return;
	}
	/* Disconnect at once, because otherwise the peer detects the end only by a timeout. */
	told = cm_disconnect(connector->id, engine_now_ns(connector->adapter->engine));
	/*
	 * The disconnect fails if the connection manager already knows that the connection has
	 * ended.
	 */
	RTE_SET_USED(told);
	break_off(connector, &end);
}

void
connector_endpoint_leaves(struct nd_connector *connector)
{
	const struct nd_end end = end_of_cancel(connector);

	/*
	 * Releasing the endpoint of a connection disconnects (ND-200). The effect is the same as of
	 * a disconnect by the application (ND-195).
	 */
	if (connector->state == CONNECTOR_CONNECTED) {
		overlapped_finish_all(&connector->notifies, ND_CANCELED);
		break_off(connector, &local_disconnect);
		forget(connector);
	} else if (connector->state != CONNECTOR_ASKED) {
		/*
		 * An attempt is abandoned (ND-175). A connection request that is not accepted yet
		 * remains, so that it can be accepted with another endpoint.
		 */
		attempt_end(connector, &end);
	}
}

static nd_status
disconnect_run(void *arg)
{
	struct connector_call *call = arg;
	struct nd_connector *connector = call->connector;
	nd_status status = connector_answers(connector->state)->disconnect;

	/*
	 * In state BROKEN, a flush was ordered earlier and may still be queued on the endpoint's
	 * home.
	 */
	if (connector->endpoint != NULL && connector->endpoint->home != connector->adapter->engines)
		call->home = connector->endpoint->home;
	if (status == ND_SUCCESS)
		connector_go(connector, CONNECTOR_DEAD);
	if (status != ND_PENDING)
		return status;
	connector_ends(connector, &local_disconnect);
	connector_go(connector, CONNECTOR_DISCONNECTING);
	endpoint_stop(connector);
	/* A disconnect of this side ends notifications with ND_CANCELED (ND-195). */
	overlapped_finish_all(&connector->notifies, ND_CANCELED);
	if (cm_disconnect(connector->id, engine_now_ns(connector->adapter->engine)) != RC_OK) {
		connector_go(connector, CONNECTOR_DEAD);
		return ND_SUCCESS;
	}
	return overlapped_begin(call->overlapped, connector->adapter->engines, connector,
		&connector->operation, connector_operation_cancel);
}

static nd_status
orders_run(void *arg)
{
	const struct nd_engine *home = arg;

	engine_orders_drain(home->engine);
	return ND_SUCCESS;
}

nd_status
nd_connector_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped)
{
	struct connector_call call = {.connector = connector, .overlapped = overlapped};
	nd_status status;

	if (!overlapped_usable(overlapped))
		return REFUSE(1, OVERLAPPED_UNUSABLE);
	status = adapter_call(connector->adapter, disconnect_run, &call);
	/* Run the queued flush, so that outstanding requests are flushed when the call returns. */
	if (call.home != NULL)
		home_call(call.home, orders_run, call.home);
	return status;
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
	nd_status status = connector_answers(connector->state)->notify_disconnect;

	if (status != ND_PENDING)
		return status;
	return overlapped_begin(call->overlapped, connector->adapter->engines, connector,
		&connector->notifies, notify_cancel);
}

nd_status
nd_connector_notify_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped)
{
	struct connector_call call = {.connector = connector, .overlapped = overlapped};

	if (!overlapped_usable(overlapped))
		return REFUSE(1, OVERLAPPED_UNUSABLE);
	return adapter_call(connector->adapter, notify_run, &call);
}

struct keepalive_call {
	struct nd_connector *connector;
	uint32_t interval_ms;
};

static nd_status
keepalive_run(void *arg)
{
	const struct keepalive_call *call = arg;
	struct nd_connector *connector = call->connector;

	connector->keepalive_ms = call->interval_ms;
	if (connector->state == CONNECTOR_CONNECTED && connector->endpoint != NULL)
		engine_qp_keepalive(&connector->endpoint->slot, call->interval_ms);
	return ND_SUCCESS;
}

nd_status
nd_connector_set_keepalive(struct nd_connector *connector, uint32_t interval_ms)
{
	struct keepalive_call call = {connector, interval_ms};

	if (interval_ms > ADAPTER_KEEPALIVE_MS_MAX)
		return REFUSE(1, "interval_ms %u: expected 0 to %u", interval_ms,
			ADAPTER_KEEPALIVE_MS_MAX);
	return adapter_call(connector->adapter, keepalive_run, &call);
}

void
connector_cancel(struct nd_connector *connector)
{
	const struct nd_end end = end_of_cancel(connector);
	struct base_list *node;

	if (connector->adapter->closing && connector->state == CONNECTOR_CONNECTED)
		connector_ends(connector, &end);
	overlapped_finish_all(&connector->notifies, ND_CANCELED);
	while ((node = base_list_first(&connector->operation)) != NULL)
		connector_operation_cancel(overlapped_of_node(node));
}

static nd_status
cancel_run(void *arg)
{
	connector_cancel(arg);
	return ND_SUCCESS;
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
	forget(connector);
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
	if (connector == NULL)
		return ND_SUCCESS;
	return adapter_call(connector->adapter, release_run, connector);
}
