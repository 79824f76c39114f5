/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/link.h"

#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_cycles.h>

#include "kit/connect_error.h"

#define PAUSE_MS           100u
#define DISCONNECT_SECONDS 2u

void
link_init(struct link *link, struct nd_adapter *adapter)
{
	memset(link, 0, sizeof(*link));
	link->adapter = adapter;
}

void
link_fail(struct link *link, const char *format, ...)
{
	va_list list;

	if (link->state == LINK_FAILED)
		return;
	va_start(list, format);
	vsnprintf(link->error, sizeof(link->error), format, list);
	va_end(list);
	link->state = LINK_FAILED;
}

static bool
check(struct link *link, nd_status status, const char *what)
{
	if (nd_failed(status))
		link_fail(link, "%s: %s", what, nd_status_name(status));
	return !nd_failed(status);
}

bool
link_posted(struct link *link, nd_status status, const char *what)
{
	/* The connection was lost just before the post. The disconnect notification reports it. */
	if (status == ND_CONNECTION_INVALID && link->peer_gone)
		return false;
	return check(link, status, what);
}

nd_status
link_open_connector(struct link *link)
{
	nd_status status;

	if (link->connector != NULL)
		return ND_SUCCESS;
	status = nd_adapter_create_connector(link->adapter, &link->connector);
	if (nd_failed(status))
		link->connector = NULL;
	return status;
}

static bool
make_connector(struct link *link)
{
	return check(link, link_open_connector(link), "no connector");
}

static void
wake(struct link *link)
{
	if (link->wake != NULL)
		link->wake(link->owner);
}

static void
note_step(struct nd_overlapped *overlapped, void *arg)
{
	(void)overlapped;
	wake(arg);
}

/*
 * Change the state and prepare the overlapped operation that will end the new state. Wakes the
 * owner, because the caller's next call may complete the operation at once.
 */
static void
begin(struct link *link, enum link_state state)
{
	link->state = state;
	link->step = (struct nd_overlapped){
		.callback = link->wake == NULL || link->asks ? NULL : note_step,
		.callback_arg = link,
	};
	wake(link);
}

void
link_listen(struct link *link, struct nd_listener *listener)
{
	if (!make_connector(link))
		return;
	begin(link, LINK_LISTENING);
	link->step_status =
		nd_listener_get_connection_request(listener, link->connector, &link->step);
}

bool
link_open(struct link *link, const struct link_shape *shape)
{
	nd_status status;

	if (!make_connector(link))
		return false;
	status = nd_adapter_create_completion_queue(
		link->adapter, shape->receives + shape->requests, &link->cq);
	if (nd_failed(status))
		link->cq = NULL;
	if (!check(link, status, "no completion queue"))
		return false;
	status = nd_connector_create_endpoint(link->connector, link->cq, link->cq, shape->receives,
		shape->requests, 1, 1, shape->inbound_reads, shape->outbound_reads, NULL,
		&link->endpoint);
	if (nd_failed(status))
		link->endpoint = NULL;
	return check(link, status, "no endpoint");
}

static void
try_connect(struct link *link)
{
	begin(link, LINK_CONNECTING);
	link->step_status = nd_connector_connect(link->connector, link->endpoint,
		(const struct sockaddr *)&link->peer,
		link->peer.ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
						 : sizeof(struct sockaddr_in),
		LINK_PROTOCOL, 0, link->data, link->data_bytes, &link->step);
}

void
link_set_port(struct sockaddr_storage *address, uint16_t port)
{
	if (address->ss_family == AF_INET6)
		((struct sockaddr_in6 *)address)->sin6_port = rte_cpu_to_be_16(port);
	else
		((struct sockaddr_in *)address)->sin_port = rte_cpu_to_be_16(port);
}

void
link_connect(struct link *link, const struct sockaddr_storage *peer, uint32_t refusals)
{
	link->peer = *peer;
	link->refusals_left = refusals;
	try_connect(link);
}

void
link_accept(struct link *link)
{
	begin(link, LINK_ACCEPTING);
	link->step_status = nd_connector_accept(
		link->connector, link->endpoint, link->data, link->data_bytes, &link->step);
}

void
link_refuse(struct link *link, const void *data, size_t bytes)
{
	(void)nd_connector_reject(link->connector, data, bytes);
	link->state = LINK_CLOSED;
}

static void
note_disconnect(struct nd_overlapped *overlapped, void *arg)
{
	struct link *link = arg;

	(void)overlapped;
	link->peer_gone = true;
	wake(link);
}

static void
connected(struct link *link)
{
	link->state = LINK_CONNECTED;
	link->is_connected = true;
	link->disconnected = (struct nd_overlapped){
		.callback = link->asks ? NULL : note_disconnect,
		.callback_arg = link,
	};
	link->peer_gone =
		nd_connector_notify_disconnect(link->connector, &link->disconnected) != ND_PENDING;
}

bool
link_peer_gone(struct link *link)
{
	if (link->asks && link->is_connected && !link->peer_gone)
		link->peer_gone =
			nd_overlapped_get_result(&link->disconnected, NULL, false) != ND_PENDING;
	return link->peer_gone;
}

static uint64_t
after_ms(uint64_t milliseconds)
{
	return rte_get_tsc_cycles() + milliseconds * rte_get_tsc_hz() / 1000;
}

static void
connect_failed(struct link *link, nd_status status)
{
	const struct connect_attempt attempt = {link->adapter, link->connector, status};
	char words[CONNECT_ERROR_BYTES];
	const bool absent =
		status == ND_CONNECTION_REFUSED && connect_refusal(&attempt, words) == NULL;

	if (absent && link->refusals_left > 0) {
		link->refusals_left--;
		link->state = LINK_PAUSING;
		link->deadline_tsc = after_ms(PAUSE_MS);
	} else if (absent && link->refused != NULL) {
		link_fail(link, "%s", link->refused);
	} else {
		link_fail(link, "%s", connect_error(&attempt, words));
	}
}

/* Passive side. */
static void
accept_failed(struct link *link, nd_status status)
{
	link->gave_up = status == ND_CONNECTION_REFUSED || status == ND_CONNECTION_ABORTED;
	if (link->gave_up)
		link_fail(link, "a client aborted its connection attempt");
	else if (status == ND_IO_TIMEOUT)
		link_fail(link, "a client did not complete its connection");
	else
		link_fail(link, "cannot accept a client: %s", nd_status_name(status));
}

static void
step_ended(struct link *link, nd_status status)
{
	if (status != ND_SUCCESS) {
		if (link->state == LINK_CONNECTING || link->state == LINK_COMPLETING)
			connect_failed(link, status);
		else
			accept_failed(link, status);
	} else if (link->state == LINK_LISTENING) {
		link->state = LINK_REQUESTED;
	} else if (link->state == LINK_CONNECTING) {
		if (link->answered != NULL)
			link->answered(link->owner);
		begin(link, LINK_COMPLETING);
		link->step_status = nd_connector_complete_connect(link->connector, &link->step);
	} else {
		connected(link);
	}
}

static bool
is_late(const struct link *link)
{
	return rte_get_tsc_cycles() >= link->deadline_tsc;
}

static bool
step_is_over(struct link *link)
{
	if (link->step_status == ND_PENDING)
		link->step_status = nd_overlapped_get_result(&link->step, NULL, false);
	return link->step_status != ND_PENDING;
}

void
link_turn(struct link *link)
{
	switch (link->state) {
	case LINK_LISTENING:
	case LINK_ACCEPTING:
	case LINK_CONNECTING:
	case LINK_COMPLETING:
		if (step_is_over(link))
			step_ended(link, link->step_status);
		break;
	case LINK_DISCONNECTING:
		if (step_is_over(link) || is_late(link))
			link->state = LINK_CLOSED;
		break;
	case LINK_PAUSING:
		if (is_late(link))
			try_connect(link);
		break;
	case LINK_IDLE:
	case LINK_REQUESTED:
	case LINK_CONNECTED:
	case LINK_CLOSED:
	case LINK_FAILED:
		break;
	}
}

void
link_disconnect(struct link *link)
{
	if (link->state == LINK_CLOSED || link->state == LINK_DISCONNECTING)
		return;
	if (!link->is_connected) {
		link->state = LINK_CLOSED;
		return;
	}
	link->is_connected = false;
	begin(link, LINK_DISCONNECTING);
	link->step_status = nd_connector_disconnect(link->connector, &link->step);
	if (link->step_status != ND_PENDING)
		link->state = LINK_CLOSED;
	link->deadline_tsc = after_ms(DISCONNECT_SECONDS * 1000);
}

bool
link_ended(const struct link *link)
{
	return link->state == LINK_IDLE || link->state == LINK_CLOSED || link->state == LINK_FAILED;
}

void
link_close(struct link *link)
{
	if (link->endpoint != NULL)
		nd_endpoint_release(link->endpoint);
	if (link->connector != NULL)
		nd_connector_release(link->connector);
	if (link->cq != NULL)
		nd_cq_release(link->cq);
	link->endpoint = NULL;
	link->connector = NULL;
	link->cq = NULL;
}
