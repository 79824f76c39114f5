/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * The active side of connections: resolve the peer's MAC address, send the REQ, receive the REP,
 * send the RTU. The file also has the queries of addresses and connection data, for both sides.
 */

#include <arpa/inet.h>
#include <string.h>

#include "nd/address.h"
#include "nd/call.h"
#include "nd/congestion.h"
#include "nd/end.h"
#include "nd/connector.h"
#include "nd/endpoint.h"
#include "nd/refuse.h"
#include "nd/status_map.h"
#include "wire/header.h"

struct cm_endpoint
connector_offer(const struct nd_connector *connector)
{
	const struct nd_endpoint *endpoint = connector->endpoint;

	return (struct cm_endpoint){
		.qpn = endpoint->slot.qpn,
		.starting_psn = connector->receive_psn,
		.inbound_reads = endpoint->inbound_reads,
		.outbound_reads = endpoint->outbound_reads,
		/*
		 * With a shared receive queue, ask the peer for unlimited RNR retries, because an
		 * empty queue must not end the connection, however long it stays empty.
		 */
		.rnr_retry_count = endpoint->srq != NULL
			? WIRE_RETRY_COUNT_MAX
			: connector->adapter->config.rnr_retry_count,
		.srq = endpoint->srq != NULL,
	};
}

static struct wire_path
path_of(const struct nd_connector *connector)
{
	const struct nd_adapter *adapter = connector->adapter;
	uint16_t udp_src_port = adapter->config.udp_source_port;
	struct cm_route route;
	struct wire_path path;

	if (udp_src_port == 0)
		udp_src_port = wire_udp_src_port(connector->peer.flow_label,
			connector->endpoint->slot.qpn, connector->peer.qpn);
	cm_id_route(connector->id, &route);
	path = engine_path(adapter->engine, &route, udp_src_port);
	/* Mark only data packets as ECN-capable. Nothing would react to a CNP for a CM message. */
	path.tos = congestion_tos(&adapter->config);
	return path;
}

void
connector_connect_attr(struct nd_connector *connector, struct rc_qp_connect_attr *attr)
{
	const struct nd_adapter_config *config = &connector->adapter->config;
	const struct cm_peer *peer = &connector->peer;
	struct nd_endpoint *endpoint = connector->endpoint;

	/*
	 * Store the peer's address now, because from the first packet on, refused requests are
	 * attributed to it.
	 */
	endpoint->slot.peer = connector->peer_gid;
	*attr = (struct rc_qp_connect_attr){
		.path = path_of(connector),
		.remote_qpn = peer->qpn,
		.pmtu_bytes = wire_pmtu_bytes(peer->path_mtu),
		/*
		 * The Starting PSN in a CM message is the first PSN that its sender expects to
		 * receive (IBTA 12.6.5).
		 */
		.send_psn = peer->starting_psn,
		.receive_psn = connector->receive_psn,
		/*
		 * Use at least the configured timeout. On the passive side, the peer's value may be
		 * 0, which would mean no timer.
		 */
		.ack_timeout = RTE_MAX(config->ack_timeout, peer->ack_timeout),
		.retry_count = peer->retry_count,
		.rnr_retry_count = peer->rnr_retry_count,
		.rnr_timer = config->rnr_timer,
		/* Grant all rights here, because windows restrict the access. */
		.remote_read = true,
		.remote_write = true,
		.remote_atomic = true,
		.selective = endpoint->selective,
		.keep_packets = endpoint->selective ? (uint16_t)config->keep_packets : 0,
	};

	/* Each side uses the smaller of its own and the peer's limit (ND-184, ND-185). */
	endpoint->inbound_reads = RTE_MIN(endpoint->inbound_reads, peer->outbound_reads);
	endpoint->outbound_reads = RTE_MIN(endpoint->outbound_reads, peer->inbound_reads);
	attr->inbound_reads = endpoint->inbound_reads;
	attr->outbound_reads = endpoint->outbound_reads;
}

nd_status
connecting_execute(void *arg)
{
	const struct connecting *connecting = arg;

	return status_of_call(rc_qp_connect(connecting->endpoint->slot.qp, &connecting->attr));
}

void
connector_serve(struct nd_connector *connector, const struct wire_path *path)
{
	struct engine_qp *slot = &connector->endpoint->slot;
	struct cm_route route;

	engine_qp_serve(connector->adapter->engine, slot, path);
	cm_id_route(connector->id, &route);
	if (!rte_is_same_ether_addr(&route.remote_mac, &path->dst_mac)) {
		slot->peer_mac = route.remote_mac;
		engine_qp_move(slot, &route.remote_mac);
	}
}

static enum rc_status
request_send(struct nd_connector *connector, const struct rte_ether_addr *mac)
{
	struct nd_adapter *adapter = connector->adapter;
	struct cm_connect_attr attr = {
		.service_id = connector->service_id,
		.src_port = connector->local_port,
		.path_mtu = wire_pmtu_code(adapter->pmtu_bytes),
		.retry_count = adapter->config.retry_count,
		.ack_timeout = adapter->config.ack_timeout,
		.context = connector,
	};

	connector->receive_psn = engine_random_psn(adapter->engine);
	attr.endpoint = connector_offer(connector);
	attr.endpoint.private_data = connector->private_data;
	attr.endpoint.private_bytes = connector->private_bytes;
	return engine_connect(adapter->engine, &connector->peer_gid, mac, &attr, &connector->id);
}

static nd_status
status_of_resolve(enum neigh_result result)
{
	return result == NEIGH_NO_ROUTE ? ND_NETWORK_UNREACHABLE : ND_HOST_UNREACHABLE;
}

static nd_status
status_of_request(enum rc_status status)
{
	return status == RC_OK ? ND_PENDING : status_of_call(status);
}

/** Implements engine_resolve.done: the peer's MAC address was resolved, or resolving has failed. */
static void
resolved(struct engine_resolve *resolve, enum neigh_result result, const struct rte_ether_addr *mac)
{
	struct nd_connector *connector = base_list_entry(resolve, struct nd_connector, resolve);

	if (connector->state != CONNECTOR_RESOLVING)
		return;
	if (result == NEIGH_FOUND)
		connector->connect_status = status_of_request(request_send(connector, mac));
	else
		connector->connect_status = status_of_resolve(result);
	if (connector->connect_status == ND_PENDING) {
		connector_go(connector, CONNECTOR_REQUESTING);
		return;
	}
	connector_ends(connector,
		&(struct nd_end){
			.reason = result == NEIGH_FOUND ? ND_END_LOCAL_ERROR : ND_END_UNREACHABLE,
			.status = connector->connect_status,
		});
	connector_go(connector, CONNECTOR_IDLE);
	connector_operation_finish(connector, connector->connect_status);
}

struct connect_call {
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	const struct sockaddr *address;
	size_t address_length;
	int protocol;
	uint16_t local_port;
	const void *private_data;
	size_t private_data_length;
	struct nd_overlapped *overlapped;
};

static nd_status
connect_check(const struct connect_call *call, struct wire_gid *gid, uint16_t *port)
{
	static const char function[] = "nd_connector_connect";
	const struct nd_connector *connector = call->connector;
	nd_status status = connector_answers(connector->state)->connect;

	if (call->endpoint == NULL || connector->endpoint != call->endpoint)
		return REFUSE_IN(
			function, 1, "endpoint is NULL or not the endpoint of the connector");
	if (!address_load(call->address, call->address_length, gid, port) || *port == 0)
		return REFUSE_IN(
			function, 2, "address is not an IPv4 or IPv6 address with a port number");
	/*
	 * Refuse the adapter's own address, because the port never returns frames that are sent to
	 * this address. Network Direct lets an adapter announce loopback connections; this adapter
	 * does not announce them.
	 */
	if (!wire_gid_is_unicast(gid) || wire_gid_equal(gid, &connector->adapter->address))
		return ND_INVALID_ADDRESS;
	if (call->protocol < 1 || call->protocol > UINT8_MAX)
		return REFUSE_IN(
			function, 4, "protocol %d: expected 1 to %u", call->protocol, UINT8_MAX);
	if (call->private_data_length > LIMIT_CALLER_DATA)
		return ND_INVALID_BUFFER_SIZE;
	if (call->private_data == NULL && call->private_data_length != 0)
		return ND_ACCESS_VIOLATION;
	if (endpoint_flushing(call->endpoint))
		return ND_INVALID_DEVICE_STATE;
	/* A connector that waits for a connection request cannot connect. */
	return status == ND_SUCCESS && connector->waiting != NULL ? ND_CONNECTION_ACTIVE : status;
}

static nd_status
connect_run(void *arg)
{
	struct connect_call *call = arg;
	struct nd_connector *connector = call->connector;
	struct engine *engine = connector->adapter->engine;
	struct wire_gid gid;
	uint16_t port;
	nd_status status = connect_check(call, &gid, &port);

	if (nd_failed(status))
		return status;
	connector->peer_gid = gid;
	connector->peer_port = port;
	connector->local_port = ntohs(call->local_port);
	if (connector->local_port == 0)
		connector->local_port = (uint16_t)(ADAPTER_PORT_FIRST +
			engine_random_below(engine, ADAPTER_PORT_COUNT));
	connector->service_id = wire_service_id((uint8_t)call->protocol, port);
	connector->private_bytes = (uint16_t)call->private_data_length;
	if (call->private_data_length != 0)
		memcpy(connector->private_data, call->private_data, call->private_data_length);
	connector->has_data = false;
	connector->end = (struct nd_end){0};
	connector_go(connector, CONNECTOR_RESOLVING);
	connector->connect_status = ND_PENDING;
	connector->resolve.peer = connector->peer_gid;
	connector->resolve.done = resolved;
	engine_resolve(engine, &connector->resolve);
	if (connector->connect_status != ND_PENDING)
		return connector->connect_status;
	return overlapped_begin(call->overlapped, connector->adapter->engines, connector,
		&connector->operation, connector_operation_cancel);
}

nd_status
nd_connector_connect(struct nd_connector *connector, struct nd_endpoint *endpoint,
	const struct sockaddr *address, size_t address_length, int protocol, uint16_t local_port,
	const void *private_data, size_t private_data_length, struct nd_overlapped *overlapped)
{
	struct connect_call call = {
		.connector = connector,
		.endpoint = endpoint,
		.address = address,
		.address_length = address_length,
		.protocol = protocol,
		.local_port = local_port,
		.private_data = private_data,
		.private_data_length = private_data_length,
		.overlapped = overlapped,
	};

	if (!overlapped_usable(overlapped))
		return REFUSE(8, OVERLAPPED_UNUSABLE);
	if (adapter_removed(connector->adapter))
		return ND_DEVICE_REMOVED;
	return adapter_call(connector->adapter, connect_run, &call);
}

struct complete_call {
	struct connecting connecting;
	struct nd_connector *connector;
};

static nd_status
complete_prepare(void *arg, struct nd_engine **home)
{
	struct complete_call *call = arg;
	struct nd_connector *connector = call->connector;
	nd_status status = connector_answers(connector->state)->complete_connect;

	if (status != ND_SUCCESS)
		return status;
	call->connecting.endpoint = connector->endpoint;
	if (connector->endpoint == NULL || endpoint_flushing(connector->endpoint))
		return ND_CONNECTION_INVALID;
	connector_connect_attr(connector, &call->connecting.attr);
	*home = connector->endpoint->home;
	return ND_SUCCESS;
}

static nd_status
complete_finish(void *arg, nd_status connected)
{
	struct complete_call *call = arg;
	struct nd_connector *connector = call->connector;
	struct engine *engine = connector->adapter->engine;

	if (nd_failed(connected))
		return connected;
	/* The peer may have given up while this call was connecting the queue pair. */
	if (connector->state != CONNECTOR_ANSWERED ||
		cm_confirm(connector->id, engine_now_ns(engine)) != RC_OK) {
		engine_qp_stop(&call->connecting.endpoint->slot);
		return ND_CONNECTION_ABORTED;
	}
	connector_serve(connector, &call->connecting.attr.path);
	connector_established(connector);
	connector->has_data = false;
	return ND_SUCCESS;
}

nd_status
nd_connector_complete_connect(struct nd_connector *connector, struct nd_overlapped *overlapped)
{
	static const struct call_stages stages = {
		complete_prepare, connecting_execute, complete_finish};
	struct complete_call call = {.connector = connector};

	(void)overlapped; /* the peer does not answer an RTU, so the call completes at once */
	return staged_call(connector->adapter, &stages, &call);
}

struct data_call {
	struct nd_connector *connector;
	size_t *inbound_read_limit;
	size_t *outbound_read_limit;
	void *private_data;
	size_t *private_data_length;
};

static nd_status
data_run(void *arg)
{
	struct data_call *call = arg;
	const struct nd_connector *connector = call->connector;
	const struct peer_data *data = &connector->data;
	bool offered =
		connector->state == CONNECTOR_ANSWERED || connector->state == CONNECTOR_ASKED;
	size_t room;

	/*
	 * The peer or this side has abandoned the attempt, so return the status that later calls
	 * return.
	 */
	if (connector->state == CONNECTOR_FAILED)
		return ND_CONNECTION_ABORTED;
	if (!connector->has_data)
		return ND_CONNECTION_INVALID;
	if (call->inbound_read_limit != NULL)
		*call->inbound_read_limit =
			offered ? RTE_MIN(connector->peer.outbound_reads, LIMIT_READS) : 0;
	if (call->outbound_read_limit != NULL)
		*call->outbound_read_limit =
			offered ? RTE_MIN(connector->peer.inbound_reads, LIMIT_READS) : 0;
	if (call->private_data_length == NULL)
		return ND_SUCCESS;
	room = call->private_data == NULL ? 0 : *call->private_data_length;
	if (room != 0)
		memcpy(call->private_data, data->bytes, RTE_MIN(room, (size_t)data->count));
	*call->private_data_length = data->count;
	return room < data->count ? ND_BUFFER_OVERFLOW : ND_SUCCESS;
}

nd_status
nd_connector_get_connection_data(struct nd_connector *connector, size_t *inbound_read_limit,
	size_t *outbound_read_limit, void *private_data, size_t *private_data_length)
{
	struct data_call call = {
		.connector = connector,
		.inbound_read_limit = inbound_read_limit,
		.outbound_read_limit = outbound_read_limit,
		.private_data = private_data,
		.private_data_length = private_data_length,
	};

	return adapter_call(connector->adapter, data_run, &call);
}

struct address_call {
	struct nd_connector *connector;
	struct sockaddr *address;
	size_t *length;
};

static nd_status
local_address_run(void *arg)
{
	struct address_call *call = arg;
	const struct nd_connector *connector = call->connector;
	nd_status status = connector_answers(connector->state)->local_address;

	if (status != ND_SUCCESS)
		return status;
	return address_store(
		&connector->adapter->address, connector->local_port, call->address, call->length);
}

static nd_status
peer_address_run(void *arg)
{
	struct address_call *call = arg;
	const struct nd_connector *connector = call->connector;
	nd_status status = connector_answers(connector->state)->peer_address;

	if (status != ND_SUCCESS)
		return status;
	return address_store(
		&connector->peer_gid, connector->peer_port, call->address, call->length);
}

nd_status
nd_connector_get_local_address(
	struct nd_connector *connector, struct sockaddr *address, size_t *length)
{
	struct address_call call = {connector, address, length};

	if (length == NULL)
		return REFUSE(2, "length is NULL");
	return adapter_call(connector->adapter, local_address_run, &call);
}

nd_status
nd_connector_get_peer_address(
	struct nd_connector *connector, struct sockaddr *address, size_t *length)
{
	struct address_call call = {connector, address, length};

	if (length == NULL)
		return REFUSE(2, "length is NULL");
	return adapter_call(connector->adapter, peer_address_run, &call);
}
