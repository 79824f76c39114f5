/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * The passive side of connections: accepting a connection request that was taken from a listener.
 * The file also has the rejects of both sides.
 */

#include "nd/call.h"
#include "nd/connector.h"
#include "nd/end.h"
#include "nd/endpoint.h"
#include "nd/refuse.h"
#include "nd/status_map.h"

void
connector_take_request(
	struct nd_connector *connector, struct cm_id *id, const struct peer_data *data)
{
	struct cm_route route;

	connector->waiting = NULL;
	connector->id = id;
	cm_id_set_context(id, connector);
	cm_id_peer(id, &connector->peer);
	cm_id_route(id, &route);
	connector->peer_gid = route.remote_gid;
	connector->peer_port = connector->peer.src_port;
	connector->local_port = (uint16_t)connector->peer.service_id;
	connector->data = *data;
	connector->has_data = true;
	connector_go(connector, CONNECTOR_ASKED);
}

struct accept_call {
	struct connecting connecting;
	struct nd_connector *connector;
	const void *private_data;
	size_t private_data_length;
	struct nd_overlapped *overlapped;
};

static nd_status
accept_check(const struct accept_call *call)
{
	const struct nd_connector *connector = call->connector;
	nd_status status = connector_answers(connector->state)->accept;

	if (call->connecting.endpoint == NULL || connector->endpoint != call->connecting.endpoint)
		return REFUSE_IN("nd_connector_accept", 1,
			"endpoint is NULL or not the endpoint of the connector");
	if (call->private_data_length > LIMIT_CALLEE_DATA)
		return ND_INVALID_BUFFER_SIZE;
	if (call->private_data == NULL && call->private_data_length != 0)
		return ND_ACCESS_VIOLATION;
	return status == ND_SUCCESS && endpoint_flushing(call->connecting.endpoint)
		? ND_CONNECTION_INVALID
		: status;
}

static nd_status
accept_prepare(void *arg, struct nd_engine **home)
{
	struct accept_call *call = arg;
	struct nd_connector *connector = call->connector;
	nd_status status = accept_check(call);

	if (status != ND_SUCCESS)
		return status;
	connector->receive_psn = engine_random_psn(connector->adapter->engine);
	connector_connect_attr(connector, &call->connecting.attr);
	*home = call->connecting.endpoint->home;
	return ND_SUCCESS;
}

/**
 * Send the REP after the queue pair has been connected, because the peer may send as soon as it has
 * received the REP (CM-019).
 */
static nd_status
accept_finish(void *arg, nd_status connected)
{
	struct accept_call *call = arg;
	struct nd_connector *connector = call->connector;
	struct engine *engine = connector->adapter->engine;
	struct cm_endpoint offer;

	if (nd_failed(connected))
		return connected;
	/* The peer may have given up while this call was connecting the queue pair. */
	if (connector->state != CONNECTOR_ASKED) {
		engine_qp_stop(&call->connecting.endpoint->slot);
		return ND_CONNECTION_ABORTED;
	}
	connector_serve(connector, &call->connecting.attr.path);
	offer = connector_offer(connector);
	offer.private_data = call->private_data;
	offer.private_bytes = (uint16_t)call->private_data_length;
	connector_go(connector, CONNECTOR_ACCEPTING);
	if (cm_accept(connector->id, &offer, engine_now_ns(engine)) != RC_OK) {
		connector_ends(connector,
			&(struct nd_end){
				.reason = ND_END_LOCAL_ERROR, .status = ND_CONNECTION_ABORTED});
		connector_go(connector, CONNECTOR_FAILED);
		engine_qp_stop(&call->connecting.endpoint->slot);
		return ND_CONNECTION_ABORTED;
	}
	connector->has_data = false;
	return overlapped_begin(call->overlapped, connector->adapter->engines, connector,
		&connector->operation, connector_operation_cancel);
}

nd_status
nd_connector_accept(struct nd_connector *connector, struct nd_endpoint *endpoint,
	const void *private_data, size_t private_data_length, struct nd_overlapped *overlapped)
{
	static const struct call_stages stages = {
		accept_prepare, connecting_execute, accept_finish};
	struct accept_call call = {
		.connecting.endpoint = endpoint,
		.connector = connector,
		.private_data = private_data,
		.private_data_length = private_data_length,
		.overlapped = overlapped,
	};

	if (!overlapped_usable(overlapped))
		return REFUSE(4, OVERLAPPED_UNUSABLE);
	return staged_call(connector->adapter, &stages, &call);
}

static nd_status
reject_run(void *arg)
{
	struct accept_call *call = arg;
	struct nd_connector *connector = call->connector;
	uint64_t now_ns = engine_now_ns(connector->adapter->engine);
	nd_status status = connector_answers(connector->state)->reject;

	if (call->private_data_length > LIMIT_CALLEE_DATA)
		return ND_INVALID_BUFFER_SIZE;
	if (call->private_data == NULL && call->private_data_length != 0)
		return ND_ACCESS_VIOLATION;
	if (status != ND_SUCCESS)
		return status;
	connector_ends(connector, &(struct nd_end){.reason = ND_END_LOCAL_REJECT});
	connector_go(connector, CONNECTOR_FAILED);
	if (cm_reject(connector->id, call->private_data, (uint16_t)call->private_data_length,
		    now_ns) != RC_OK)
		return ND_CONNECTION_ABORTED;
	return ND_SUCCESS;
}

nd_status
nd_connector_reject(
	struct nd_connector *connector, const void *private_data, size_t private_data_length)
{
	struct accept_call call = {
		.connector = connector,
		.private_data = private_data,
		.private_data_length = private_data_length,
	};

	return adapter_call(connector->adapter, reject_run, &call);
}
