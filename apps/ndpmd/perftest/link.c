/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "link.h"

#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/connect_error.h"

/*
 * perftest's server reports that it is ready before it begins to listen. So a queue pair's
 * connection may be refused because it came too early: it is tried again, as perftest's client
 * does.
 */

/* IP protocol TCP: the RDMA port space that Linux' rdma_cm uses by default. */
#define PROTOCOL           6
#define PAUSE_MS           100u
#define DISCONNECT_SECONDS 2u

void
perftest_link_init(
	struct perftest_link *link, struct nd_adapter *adapter, const struct stopwatch *stopwatch)
{
	memset(link, 0, sizeof(*link));
	link->adapter = adapter;
	link->stopwatch = stopwatch;
}

void
perftest_link_fail(struct perftest_link *link, const char *format, ...)
{
	va_list list;

	if (link->state == PERFTEST_LINK_FAILED)
		return;
	va_start(list, format);
	vsnprintf(link->error, sizeof(link->error), format, list);
	va_end(list);
	link->state = PERFTEST_LINK_FAILED;
}

static bool
check(struct perftest_link *link, nd_status status, const char *what)
{
	if (nd_failed(status))
		perftest_link_fail(link, "%s: %s", what, nd_status_name(status));
	return !nd_failed(status);
}

bool
perftest_link_posted(struct perftest_link *link, nd_status status, const char *what)
{
	/* The connection was lost just before posting; the notification follows. */
	if (status == ND_CONNECTION_INVALID && link->peer_gone)
		return false;
	return check(link, status, what);
}

static bool
make_connector(struct perftest_link *link)
{
	const nd_status status = nd_adapter_create_connector(link->adapter, &link->connector);

	if (nd_failed(status))
		link->connector = NULL;
	return check(link, status, "no connector");
}

void
perftest_link_listen(struct perftest_link *link, struct nd_listener *listener)
{
	if (!make_connector(link))
		return;
	link->state = PERFTEST_LINK_LISTENING;
	link->step_status =
		nd_listener_get_connection_request(listener, link->connector, &link->step);
}

bool
perftest_link_open(struct perftest_link *link, const struct perftest_link_shape *shape)
{
	nd_status status;

	if (link->connector == NULL && !make_connector(link))
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
try_connect(struct perftest_link *link)
{
	link->state = PERFTEST_LINK_CONNECTING;
	link->step = (struct nd_overlapped){0};
	link->step_status = nd_connector_connect(link->connector, link->endpoint,
		(const struct sockaddr *)&link->peer,
		link->peer.ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
						 : sizeof(struct sockaddr_in),
		PROTOCOL, 0, NULL, 0, &link->step);
}

void
perftest_link_connect(
	struct perftest_link *link, const struct sockaddr_storage *peer, uint32_t refusals)
{
	link->peer = *peer;
	link->refusals_left = refusals;
	try_connect(link);
}

void
perftest_link_accept(struct perftest_link *link)
{
	link->state = PERFTEST_LINK_ACCEPTING;
	link->step = (struct nd_overlapped){0};
	link->step_status =
		nd_connector_accept(link->connector, link->endpoint, NULL, 0, &link->step);
}

void
perftest_link_refuse(struct perftest_link *link)
{
	(void)nd_connector_reject(link->connector, NULL, 0);
	link->state = PERFTEST_LINK_CLOSED;
}

static void
note_disconnect(struct nd_overlapped *overlapped, void *arg)
{
	struct perftest_link *link = arg;

	(void)overlapped;
	link->peer_gone = true;
}

static void
connected(struct perftest_link *link)
{
	link->state = PERFTEST_LINK_CONNECTED;
	link->is_connected = true;
	link->disconnected = (struct nd_overlapped){
		.callback = note_disconnect,
		.callback_arg = link,
	};
	link->peer_gone =
		nd_connector_notify_disconnect(link->connector, &link->disconnected) != ND_PENDING;
}

static void
connect_failed(struct perftest_link *link, nd_status status)
{
	if (status != ND_CONNECTION_REFUSED) {
		perftest_link_fail(link, "%s", connect_error(status));
	} else if (link->refusals_left > 0) {
		link->refusals_left--;
		link->state = PERFTEST_LINK_PAUSING;
		link->deadline_tsc = stopwatch_now() +
			stopwatch_cycles(link->stopwatch, PAUSE_MS * UINT64_C(1000000));
	} else {
		perftest_link_fail(link,
			"connection refused: is perftest started there, with -R and the same "
			"number of queue pairs?");
	}
}

/* Passive side. */
static void
accept_failed(struct perftest_link *link, nd_status status)
{
	if (status == ND_CONNECTION_REFUSED || status == ND_CONNECTION_ABORTED)
		perftest_link_fail(link, "a client gave up before it was connected");
	else if (status == ND_IO_TIMEOUT)
		perftest_link_fail(link, "a client did not complete its connection");
	else
		perftest_link_fail(link, "no client can be accepted: %s", nd_status_name(status));
}

static void
step_ended(struct perftest_link *link, nd_status status)
{
	if (status != ND_SUCCESS) {
		if (link->state == PERFTEST_LINK_CONNECTING ||
			link->state == PERFTEST_LINK_COMPLETING)
			connect_failed(link, status);
		else
			accept_failed(link, status);
	} else if (link->state == PERFTEST_LINK_LISTENING) {
		link->state = PERFTEST_LINK_REQUESTED;
	} else if (link->state == PERFTEST_LINK_CONNECTING) {
		link->state = PERFTEST_LINK_COMPLETING;
		link->step = (struct nd_overlapped){0};
		link->step_status = nd_connector_complete_connect(link->connector, &link->step);
	} else {
		connected(link);
	}
}

static bool
is_late(const struct perftest_link *link)
{
	return stopwatch_now() >= link->deadline_tsc;
}

void
perftest_link_turn(struct perftest_link *link)
{
	switch (link->state) {
	case PERFTEST_LINK_LISTENING:
	case PERFTEST_LINK_ACCEPTING:
	case PERFTEST_LINK_CONNECTING:
	case PERFTEST_LINK_COMPLETING:
		if (link->step_status == ND_PENDING)
			link->step_status = nd_overlapped_get_result(&link->step, NULL, false);
		if (link->step_status != ND_PENDING)
			step_ended(link, link->step_status);
		break;
	case PERFTEST_LINK_DISCONNECTING:
		if (nd_overlapped_get_result(&link->closing, NULL, false) != ND_PENDING ||
			is_late(link))
			link->state = PERFTEST_LINK_CLOSED;
		break;
	case PERFTEST_LINK_PAUSING:
		if (is_late(link))
			try_connect(link);
		break;
	case PERFTEST_LINK_IDLE:
	case PERFTEST_LINK_REQUESTED:
	case PERFTEST_LINK_CONNECTED:
	case PERFTEST_LINK_CLOSED:
	case PERFTEST_LINK_FAILED:
		break;
	}
}

void
perftest_link_disconnect(struct perftest_link *link)
{
	nd_status status = ND_CONNECTION_INVALID;

	if (link->state == PERFTEST_LINK_CLOSED || link->state == PERFTEST_LINK_DISCONNECTING)
		return;
	/* A link that is not connected stays so until perftest_link_close(). */
	if (link->is_connected)
		status = nd_connector_disconnect(link->connector, &link->closing);
	link->is_connected = false;
	link->state = status == ND_PENDING ? PERFTEST_LINK_DISCONNECTING : PERFTEST_LINK_CLOSED;
	link->deadline_tsc = stopwatch_now() + DISCONNECT_SECONDS * link->stopwatch->hz;
}

bool
perftest_link_ended(const struct perftest_link *link)
{
	return link->state == PERFTEST_LINK_IDLE || link->state == PERFTEST_LINK_CLOSED ||
		link->state == PERFTEST_LINK_FAILED;
}

void
perftest_link_close(struct perftest_link *link)
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
