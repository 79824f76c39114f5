/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Random calls on listeners, connectors and endpoints. */

#include <arpa/inet.h>
#include <string.h>

#include <rte_common.h>

#include "monkey.h"

#define PROTOCOL   6
#define READS_MAX  5
#define POLLS_EACH 8

static struct monkey_connector *
connector_any(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_connector *connector =
		&side->connectors[monkey_below(monkey, MONKEY_CONNECTORS)];

	return connector->busy ? NULL : connector;
}

static struct monkey_connector *
connector_live(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_connector *connector = connector_any(monkey, side);

	return connector == NULL || connector->connector == NULL ? NULL : connector;
}

void
monkey_listener_make(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_listener *listener = &side->listeners[monkey_below(monkey, MONKEY_LISTENERS)];
	uint16_t port =
		monkey_once_in(monkey, 2) ? 0 : htons((uint16_t)(5000 + monkey_below(monkey, 3)));
	int protocol = monkey_once_in(monkey, 8) ? (int)monkey_below(monkey, 400) - 50 : PROTOCOL;
	nd_status status;

	if (listener->listener != NULL)
		return;
	status = nd_adapter_listen(side->adapter, monkey_below(monkey, 4), protocol, port,
		&listener->port, &listener->listener);
	if (nd_failed(status))
		listener->listener = NULL;
}

void
monkey_listener_use(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_listener *listener = &side->listeners[monkey_below(monkey, MONKEY_LISTENERS)];
	struct monkey_connector *connector = connector_live(monkey, side);
	struct monkey_op *op;

	if (listener->listener == NULL)
		return;
	if (monkey_once_in(monkey, 8))
		(void)nd_listener_cancel_overlapped_requests(listener->listener);
	if (connector == NULL)
		return;
	op = monkey_op_new(monkey);
	monkey_op_returned(op,
		nd_listener_get_connection_request(
			listener->listener, connector->connector, &op->overlapped));
}

void
monkey_listener_end(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_listener *listener = &side->listeners[monkey_below(monkey, MONKEY_LISTENERS)];
	nd_status status;

	if (listener->listener == NULL)
		return;
	status = nd_listener_release(listener->listener);
	if (status != ND_SUCCESS)
		monkey_fail(monkey, "a listener is not released", status);
	listener->listener = NULL;
}

void
monkey_connector_make(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_connector *connector = connector_any(monkey, side);
	nd_status status;

	if (connector == NULL || connector->connector != NULL)
		return;
	status = nd_adapter_create_connector(side->adapter, &connector->connector);
	if (status != ND_SUCCESS)
		monkey_fail(monkey, "a connector is not made", status);
}

void
monkey_endpoint_make(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_connector *connector = connector_live(monkey, side);
	struct monkey_cq *cqs[2];
	struct nd_endpoint *endpoint;
	size_t entries, sge, reads, inline_max;
	nd_status status;

	if (connector == NULL || monkey->streams_used + 1 >= MONKEY_STREAMS)
		return;
	for (unsigned int i = 0; i < 2; i++)
		cqs[i] = &side->cqs[monkey_below(monkey, MONKEY_CQS)];
	entries = monkey_once_in(monkey, 16) ? 1000000 : 1 + monkey_below(monkey, 64);
	sge = monkey_once_in(monkey, 16) ? 17 : 1 + monkey_below(monkey, 4);
	reads = monkey_once_in(monkey, 16) ? 129 : monkey_below(monkey, READS_MAX);
	connector->busy = true;
	status = nd_connector_create_endpoint(connector->connector, cqs[0]->cq, cqs[1]->cq, entries,
		entries, sge, sge, reads, reads, &inline_max, &endpoint);
	connector->busy = false;
	if (nd_failed(status))
		return;
	if (connector->endpoint != NULL || cqs[0]->cq == NULL || cqs[1]->cq == NULL)
		monkey_fail(monkey, "an endpoint that must not be", status);
	connector->endpoint = endpoint;
	connector->stream = ++monkey->streams_used;
	memcpy(connector->cqs, cqs, sizeof(cqs));
}

void
monkey_endpoint_end(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_connector *connector = connector_any(monkey, side);
	struct nd_endpoint *endpoint;
	nd_status status;

	if (connector == NULL || connector->endpoint == NULL)
		return;
	endpoint = connector->endpoint;
	connector->busy = true;
	status = nd_endpoint_release(endpoint);
	connector->busy = false;
	if (status != ND_SUCCESS)
		monkey_fail(monkey, "an endpoint is not released", status);
	connector->endpoint = NULL;
}

void
monkey_connector_end(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_connector *connector = connector_live(monkey, side);
	nd_status status;

	if (connector == NULL)
		return;
	connector->busy = true;
	status = nd_connector_release(connector->connector);
	connector->busy = false;
	if (status != (connector->endpoint != NULL ? ND_DEVICE_BUSY : ND_SUCCESS))
		monkey_fail(monkey, "a connector's release", status);
	if (status == ND_SUCCESS)
		connector->connector = NULL;
}

void
monkey_connector_finish(struct monkey *monkey, struct monkey_connector *connector)
{
	nd_status status = ND_SUCCESS;

	connector->busy = true;
	if (connector->endpoint != NULL)
		status = nd_endpoint_release(connector->endpoint);
	connector->endpoint = NULL;
	connector->peer = NULL;
	memset(&connector->bound, 0, sizeof(connector->bound));
	if (status == ND_SUCCESS && connector->connector != NULL)
		status = nd_connector_release(connector->connector);
	connector->connector = NULL;
	connector->busy = false;
	if (status != ND_SUCCESS)
		monkey_fail(monkey, "a connection is not released", status);
}

/**
 * Choose an address: usually that of the other side, sometimes a closed port, the own address, or
 * an address without a host.
 */
static socklen_t
target_choose(struct monkey *monkey, const struct monkey_side *side, struct sockaddr_in *address)
{
	unsigned int own = side == &monkey->sides[1];
	const struct monkey_listener *listener =
		&monkey->sides[1 - own].listeners[monkey_below(monkey, MONKEY_LISTENERS)];
	uint32_t host = 0xC0000201 + 1 - own;

	if (monkey_once_in(monkey, 24))
		host = 0xC0000201 + own;
	if (monkey_once_in(monkey, 24))
		host = 0xC0000200 + monkey_below(monkey, 4) * 85;
	if (monkey_once_in(monkey, 24))
		host = 0;
	*address = (struct sockaddr_in){
		.sin_family = monkey_once_in(monkey, 32) ? AF_UNIX : AF_INET,
		.sin_port = listener->listener != NULL ? listener->port : htons(4999),
		.sin_addr.s_addr = htonl(host),
	};
	return monkey_once_in(monkey, 32) ? 3 : sizeof(*address);
}

static nd_status
connect_call(struct monkey *monkey, const struct monkey_side *side,
	const struct monkey_connector *connector, struct nd_overlapped *overlapped)
{
	static const uint8_t data[64];
	struct sockaddr_in address;
	socklen_t length = target_choose(monkey, side, &address);
	const struct monkey_connector *other =
		monkey_once_in(monkey, 16) ? &side->connectors[0] : connector;

	return nd_connector_connect(connector->connector, other->endpoint,
		(struct sockaddr *)&address, length, monkey_once_in(monkey, 16) ? 300 : PROTOCOL,
		(uint16_t)monkey_below(monkey, 3), data, monkey_below(monkey, 60), overlapped);
}

static void
connector_ask(struct monkey *monkey, const struct monkey_connector *connector)
{
	struct sockaddr_storage address;
	uint8_t data[256];
	size_t length = monkey_below(monkey, sizeof(address)), bytes, inbound, outbound;

	(void)nd_connector_get_local_address(
		connector->connector, (struct sockaddr *)&address, &length);
	(void)nd_connector_get_peer_address(
		connector->connector, (struct sockaddr *)&address, &length);
	bytes = monkey_below(monkey, sizeof(data));
	(void)nd_connector_get_connection_data(
		connector->connector, &inbound, &outbound, data, &bytes);
}

static nd_status
overlapped_call(struct monkey *monkey, const struct monkey_side *side,
	const struct monkey_connector *connector, struct nd_overlapped *overlapped)
{
	static const uint8_t data[160];
	nd_status status;

	switch (monkey_below(monkey, 8)) {
	case 0:
	case 1:
		return connect_call(monkey, side, connector, overlapped);
	case 2:
	case 3:
		status = nd_connector_complete_connect(connector->connector, overlapped);
		monkey->connected += status == ND_SUCCESS;
		return status;
	case 4:
	case 5:
		return nd_connector_accept(connector->connector, connector->endpoint, data,
			monkey_below(monkey, 152), overlapped);
	case 6:
		return nd_connector_notify_disconnect(connector->connector, overlapped);
	default:
		return monkey_once_in(monkey, 6)
			? nd_connector_disconnect(connector->connector, overlapped)
			: ND_CONNECTION_INVALID;
	}
}

void
monkey_connector_use(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_connector *connector = connector_live(monkey, side);
	struct monkey_op *op;

	if (connector == NULL)
		return;
	connector->busy = true;
	if (monkey_once_in(monkey, 24))
		(void)nd_connector_cancel_overlapped_requests(connector->connector);
	if (monkey_once_in(monkey, 24))
		(void)nd_connector_reject(connector->connector, "no", monkey_below(monkey, 3));
	if (monkey_once_in(monkey, 4))
		connector_ask(monkey, connector);
	op = monkey_op_new(monkey);
	monkey_op_returned(op, overlapped_call(monkey, side, connector, &op->overlapped));
	connector->busy = false;
}

static void
polls(struct monkey *monkey)
{
	for (unsigned int i = 0; i < POLLS_EACH; i++)
		nd_pair_poll(&monkey->pair);
}

/** @return a connector that has never connected, with or without endpoint */
static struct monkey_connector *
connector_renew(struct monkey *monkey, struct monkey_side *side, bool endpoint)
{
	struct monkey_connector *connector = connector_any(monkey, side);

	for (unsigned int i = 0; i < 8 && connector != NULL && connector->peer != NULL; i++)
		connector = connector_any(monkey, side);
	if (connector == NULL)
		return NULL;
	monkey_connector_finish(monkey, connector);
	if (nd_adapter_create_connector(side->adapter, &connector->connector) != ND_SUCCESS)
		monkey_fail(monkey, "a connector is not made", ND_NO_MEMORY);
	for (unsigned int i = 0; endpoint && connector->endpoint == NULL && i < 64; i++)
		monkey_endpoint_make(monkey, side);
	return connector;
}

static void
accept_late(struct monkey *monkey, struct monkey_side *side, struct monkey_connector *connector)
{
	struct monkey_op *op;

	for (unsigned int i = 0; connector->endpoint == NULL && i < 64; i++)
		monkey_endpoint_make(monkey, side);
	if (connector->connector == NULL)
		return;
	op = monkey_op_new(monkey);
	monkey_op_returned(op,
		nd_connector_accept(
			connector->connector, connector->endpoint, NULL, 0, &op->overlapped));
}

void
monkey_connect_all(struct monkey *monkey, struct monkey_side *side)
{
	struct monkey_side *other = &monkey->sides[side == &monkey->sides[0]];
	struct monkey_listener *listener = &other->listeners[0];
	struct monkey_connector *active = connector_renew(monkey, side, true);
	struct monkey_connector *passive = connector_renew(monkey, other, false);
	struct sockaddr_in address = {.sin_family = AF_INET};
	struct monkey_op *op;

	if (active == NULL || passive == NULL || listener->listener == NULL)
		return;
	address.sin_addr.s_addr = htonl(0xC0000201 + (other == &monkey->sides[1]));
	address.sin_port = listener->port;
	op = monkey_op_new(monkey);
	monkey_op_returned(op,
		nd_listener_get_connection_request(
			listener->listener, passive->connector, &op->overlapped));
	op = monkey_op_new(monkey);
	monkey_op_returned(op,
		nd_connector_connect(active->connector, active->endpoint,
			(struct sockaddr *)&address, sizeof(address), PROTOCOL, 0, NULL, 0,
			&op->overlapped));
	polls(monkey);
	accept_late(monkey, other, passive);
	polls(monkey);
	if (active->connector != NULL &&
		nd_connector_complete_connect(active->connector, NULL) == ND_SUCCESS) {
		monkey->connected++;
		active->peer = passive;
		passive->peer = active;
	}
	polls(monkey);
}
