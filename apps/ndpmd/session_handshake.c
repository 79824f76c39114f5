/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "session.h"

#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include "kit/connect_error.h"

#include "start.h"

/*
 * Set-up and end of a connection. The request's private data says what will be measured, so that
 * the target has its memory and its receives before it accepts. A bind needs a connection: both
 * sides bind their windows once it is up, and tell the peer with a ready message.
 */

/* IP protocol TCP: the RDMA port space that Linux' rdma_cm uses by default. */
#define PROTOCOL           6
#define CALLER_DATA_BYTES  56
#define CALLEE_DATA_BYTES  148
#define GREETING_SECONDS   10u
#define DISCONNECT_SECONDS 2u

static bool
query_adapter(struct session *session, struct nd_adapter_info *info)
{
	size_t size = sizeof(*info);
	const nd_status status = nd_adapter_query(session->adapter, ND_VERSION_1, info, &size);

	if (nd_failed(status))
		session_fail(session, "the adapter cannot be queried: %s", nd_status_name(status));
	return !nd_failed(status);
}

/* Requests of one connection must fit the adapter. */
static bool
check_limits(struct session *session, const struct nd_adapter_info *info, size_t outbound)
{
	if (session->size_bytes > info->max_outbound_length ||
		session->size_bytes > info->max_inbound_length)
		session_fail(session, "messages of %u bytes are beyond the adapter",
			session->size_bytes);
	else if (outbound > info->max_outbound_requests)
		session_fail(session, "a depth of %u is beyond the adapter", session->depth);
	else if (session->memory_bytes > info->max_registration_size)
		session_fail(session, "%zu bytes of messages are beyond the adapter",
			session->memory_bytes);
	return session->state != SESSION_FAILED;
}

/* What the library cannot make, and how much memory all that was asked for takes. */
static void
no_object(struct session *session, const char *what, nd_status status)
{
	const struct start_load load = {
		.sides = session->sides,
		.qps = session->qp_count,
		.depth = session->depth,
		.binds = session->op == OPTIONS_OP_BIND,
	};

	session->no_memory = status == ND_NO_MEMORY || status == ND_INSUFFICIENT_RESOURCES;
	if (!session->no_memory)
		session_fail(session, "%s cannot be made: %s", what, nd_status_name(status));
	else
		session_fail(session,
			"no memory for %s on queue pair %u of %u: give EAL -m %llu in front of the "
			"lone --%s",
			what, session->qp + 1, session->qp_count,
			(unsigned long long)start_megabytes_of(&load),
			session->initiator ? "" : ", and the server --qps for all clients");
}

static void
note_step(struct nd_overlapped *overlapped, void *arg)
{
	(void)overlapped;
	completions_wake(arg);
}

/*
 * Prepare the operation that ends the next state. The session is woken: the call may be complete
 * when it returns.
 */
static void
begin_step(struct session *session)
{
	session->step = (struct nd_overlapped){
		.callback = session->asks ? NULL : note_step,
		.callback_arg = session,
	};
	completions_wake(session);
}

static bool
open_connector(struct session *session)
{
	const nd_status status = nd_adapter_create_connector(session->adapter, &session->connector);

	if (nd_failed(status)) {
		session->connector = NULL;
		no_object(session, "a connector", status);
	}
	return !nd_failed(status);
}

/* Passive side: the client was interrupted or did not want to wait. This side has not failed. */
static void
client_gave_up(struct session *session)
{
	session->peer_gone = session->state != SESSION_FAILED;
	session_fail(session, "a client gave up before it was connected");
}

/* Room for every result it can have: the shared queue must not overrun. */
static bool
reserve_results(struct session *session, size_t count)
{
	const nd_status status = completions_reserve(session->completions, count);

	if (nd_failed(status))
		no_object(session, "a longer completion queue", status);
	else
		session->reserved_count = count;
	return !nd_failed(status);
}

static bool
open_endpoint(struct session *session)
{
	const size_t outbound = (size_t)session->plan.requests_per_slot * session->slots +
		session->control_count + 1;
	const bool reads = session->op == OPTIONS_OP_READ || options_op_is_atomic(session->op);
	size_t inbound_reads = 0, outbound_reads = 0;
	struct nd_adapter_info info;
	struct nd_cq *cq;
	nd_status status;

	if (!query_adapter(session, &info) || !check_limits(session, &info, outbound) ||
		!reserve_results(
			session, outbound + session->receive_count + session->plan.windows))
		return false;
	cq = session->completions->cq;
	if (reads && session->initiator)
		outbound_reads = RTE_MIN((size_t)session->depth, info.max_outbound_read_limit);
	else if (reads)
		inbound_reads = RTE_MIN((size_t)session->depth, info.max_inbound_read_limit);
	status = nd_connector_create_endpoint(session->connector, cq, cq, session->receive_count,
		outbound, 1, 1, inbound_reads, outbound_reads, NULL, &session->endpoint);
	if (nd_failed(status)) {
		session->endpoint = NULL;
		if (status == ND_CONNECTION_ABORTED && !session->initiator)
			client_gave_up(session);
		else
			no_object(session, "an endpoint", status);
		return false;
	}
	return true;
}

bool
session_open_objects(struct session *session)
{
	const struct workload *workload = workload_of(session->op);

	STAILQ_INIT(&session->early);
	session->role = session->initiator ? &workload->initiator : &workload->target;
	session->limit = 0;
	session->post_ceiling = UINT64_MAX;
	session->measured_from = UINT64_MAX;
	if (!session_memory_open(session) || !open_endpoint(session))
		return false;
	for (uint32_t i = 0; i < session->receive_count; i++)
		session_receive(session, &session->receive_requests[i]);
	return session->state != SESSION_FAILED;
}

/* Active side. */

static struct control_hello
make_hello(const struct session *session)
{
	const uint32_t flags = (session->verify ? CONTROL_FLAG_VERIFY : 0) |
		(session->latency ? CONTROL_FLAG_LATENCY : 0) |
		(session->remote_invalidate ? CONTROL_FLAG_REMOTE_INVALIDATE : 0);

	return (struct control_hello){
		.magic = rte_cpu_to_be_32(CONTROL_MAGIC),
		.version = rte_cpu_to_be_16(CONTROL_VERSION),
		.op = (uint8_t)session->op,
		.flags = (uint8_t)flags,
		.size_bytes = rte_cpu_to_be_32(session->size_bytes),
		.depth = rte_cpu_to_be_32(session->depth),
		.qp = rte_cpu_to_be_32(session->qp),
		.qp_count = rte_cpu_to_be_32(session->qp_count),
		.op_index = rte_cpu_to_be_32(session->op_index),
		.client = rte_cpu_to_be_64(session->client),
	};
}

static void
refused(struct session *session)
{
	uint8_t data[CALLEE_DATA_BYTES] = {0};
	size_t length = sizeof(data);
	struct control_refusal refusal;
	nd_status status;

	status = nd_connector_get_connection_data(session->connector, NULL, NULL, data, &length);
	memcpy(&refusal, data, sizeof(refusal));
	if ((nd_failed(status) && status != ND_BUFFER_OVERFLOW) ||
		rte_be_to_cpu_32(refusal.magic) != CONTROL_MAGIC) {
		session_fail(session, "connection refused: no ndpmd serves there");
		return;
	}
	switch (rte_be_to_cpu_16(refusal.reason)) {
	case CONTROL_REASON_VERSION:
		session_fail(session,
			"the server refused: it speaks version %u of the protocol, this is %u",
			rte_be_to_cpu_16(refusal.version), CONTROL_VERSION);
		break;
	case CONTROL_REASON_PARAMETERS:
		session_fail(session, "the server refused: size or depth are beyond its adapter");
		break;
	default:
		session_fail(session,
			"the server refused: it has not enough memory, or its --qps is less than "
			"%u",
			session->qp_count);
		break;
	}
}

static void
connect_failed(struct session *session, nd_status status)
{
	if (status == ND_CONNECTION_REFUSED)
		refused(session);
	else
		session_fail(session, "%s", connect_error(status));
}

void
session_connect(struct session *session, const struct sockaddr_storage *peer, uint16_t port)
{
	const struct control_hello hello = make_hello(session);
	struct sockaddr_storage address = *peer;

	session->initiator = true;
	session->state = SESSION_CONNECTING;
	completions_wake(session);
	if (address.ss_family == AF_INET6)
		((struct sockaddr_in6 *)&address)->sin6_port = rte_cpu_to_be_16(port);
	else
		((struct sockaddr_in *)&address)->sin_port = rte_cpu_to_be_16(port);
	if (!open_connector(session) || !session_open_objects(session))
		return;
	begin_step(session);
	session->step_status = nd_connector_connect(session->connector, session->endpoint,
		(const struct sockaddr *)&address,
		address.ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
					      : sizeof(struct sockaddr_in),
		PROTOCOL, 0, &hello, sizeof(hello), &session->step);
	if (nd_failed(session->step_status))
		connect_failed(session, session->step_status);
}

/* Passive side. */

static void
refuse(struct session *session, enum control_reason reason)
{
	const struct control_refusal refusal = {
		.magic = rte_cpu_to_be_32(CONTROL_MAGIC),
		.version = rte_cpu_to_be_16(CONTROL_VERSION),
		.reason = rte_cpu_to_be_16((uint16_t)reason),
	};

	(void)nd_connector_reject(session->connector, &refusal, sizeof(refusal));
}

static bool
take_hello(struct session *session)
{
	uint8_t data[CALLER_DATA_BYTES] = {0};
	size_t length = sizeof(data);
	struct control_hello hello;

	if (nd_connector_get_connection_data(session->connector, NULL, NULL, data, &length) ==
		ND_CONNECTION_ABORTED) {
		client_gave_up(session);
		return false;
	}
	memcpy(&hello, data, sizeof(hello));
	if (rte_be_to_cpu_32(hello.magic) != CONTROL_MAGIC ||
		rte_be_to_cpu_16(hello.version) != CONTROL_VERSION) {
		refuse(session, CONTROL_REASON_VERSION);
		session_fail(session, "refused a peer that is no ndpmd of this version");
		return false;
	}
	session->op = (enum options_op)hello.op;
	session->verify = (hello.flags & CONTROL_FLAG_VERIFY) != 0;
	session->latency = (hello.flags & CONTROL_FLAG_LATENCY) != 0;
	session->remote_invalidate = (hello.flags & CONTROL_FLAG_REMOTE_INVALIDATE) != 0;
	session->size_bytes = rte_be_to_cpu_32(hello.size_bytes);
	session->depth = rte_be_to_cpu_32(hello.depth);
	session->qp = rte_be_to_cpu_32(hello.qp);
	session->qp_count = rte_be_to_cpu_32(hello.qp_count);
	session->op_index = rte_be_to_cpu_32(hello.op_index);
	session->client = rte_be_to_cpu_64(hello.client);
	if (hello.op >= OPTIONS_OP_COUNT || session->size_bytes > OPTIONS_SIZE_MAX ||
		session->depth == 0 || session->depth > OPTIONS_DEPTH_MAX ||
		session->qp_count > OPTIONS_QPS_MAX || session->qp >= session->qp_count ||
		(session->latency && session->depth != 1) ||
		session->size_bytes != options_op_bytes(session->op, session->size_bytes)) {
		refuse(session, CONTROL_REASON_PARAMETERS);
		session_fail(session, "refused a client whose parameters make no sense");
		return false;
	}
	return true;
}

static void
accept_request(struct session *session)
{
	if (!session_open_objects(session)) {
		refuse(session,
			session->mr == NULL || session->no_memory ? CONTROL_REASON_RESOURCES
								  : CONTROL_REASON_PARAMETERS);
		return;
	}
	session->state = SESSION_ACCEPTING;
	begin_step(session);
	session->step_status =
		nd_connector_accept(session->connector, session->endpoint, NULL, 0, &session->step);
}

void
session_listen(struct session *session, struct nd_listener *listener)
{
	session->initiator = false;
	session->state = SESSION_LISTENING;
	begin_step(session);
	if (open_connector(session))
		session->step_status = nd_listener_get_connection_request(
			listener, session->connector, &session->step);
}

/* Both. */

static void
note_disconnect(struct nd_overlapped *overlapped, void *arg)
{
	struct session *session = arg;

	(void)overlapped;
	session->is_disconnected = true;
	completions_wake(session);
}

static void
greet(struct session *session)
{
	struct control_message ready = {0};
	nd_status status;

	session->state = SESSION_GREETING;
	session_set_deadline(session, GREETING_SECONDS);
	session->disconnected = (struct nd_overlapped){
		.callback = session->asks ? NULL : note_disconnect,
		.callback_arg = session,
	};
	session->is_disconnected = nd_connector_notify_disconnect(session->connector,
					   &session->disconnected) != ND_PENDING;
	if (session->plan.windows == 1) {
		status = nd_endpoint_bind(session->endpoint, &session->window_request->result,
			session->mr, session->windows[0], session->exposed,
			session->plan.exposed_slots * session->slot_bytes,
			session->plan.window_flags, &ready.descriptor);
		if (!session_posted(session, status, "bind of the window"))
			return;
	}
	if (!session_send_control(session, CONTROL_READY, &ready, NULL))
		session_fail(session, "no control message is free for the greeting");
}

void
session_handshake_turn(struct session *session)
{
	nd_status status;

	if (session->step_status == ND_PENDING)
		session->step_status = nd_overlapped_get_result(&session->step, NULL, false);
	status = session->step_status;
	if (status == ND_PENDING)
		return;
	if (session->state == SESSION_DISCONNECTING) {
		session->state = SESSION_CLOSED;
	} else if (session->state == SESSION_CONNECTING && status == ND_SUCCESS) {
		session->state = SESSION_COMPLETING;
		begin_step(session);
		session->step_status =
			nd_connector_complete_connect(session->connector, &session->step);
	} else if (session->state == SESSION_CONNECTING || session->state == SESSION_COMPLETING) {
		if (status == ND_SUCCESS)
			greet(session);
		else
			connect_failed(session, status);
	} else if (status == ND_CONNECTION_REFUSED || status == ND_CONNECTION_ABORTED) {
		client_gave_up(session);
	} else if (status == ND_IO_TIMEOUT) {
		session_fail(session, "a client did not complete its connection");
	} else if (status != ND_SUCCESS) {
		session_fail(session, "no client can be accepted: %s", nd_status_name(status));
	} else if (session->state == SESSION_LISTENING) {
		/* The owner may give it to another engine before it has objects. */
		if (take_hello(session))
			session->state = SESSION_ASKED;
		completions_wake(session);
	} else if (session->state == SESSION_ASKED) {
		accept_request(session);
	} else {
		greet(session);
	}
}

void
session_disconnect(struct session *session)
{
	const bool connected = session->endpoint != NULL && session->state >= SESSION_GREETING;

	/*
	 * A session that is not connected yet keeps its pending step until session_close() cancels
	 * it.
	 */
	session->state = SESSION_CLOSED;
	if (connected) {
		begin_step(session);
		session->step_status = nd_connector_disconnect(session->connector, &session->step);
		if (session->step_status == ND_PENDING)
			session->state = SESSION_DISCONNECTING;
	}
	session_set_deadline(session, DISCONNECT_SECONDS);
	completions_wake(session);
}

void
session_close(struct session *session)
{
	if (session->endpoint != NULL)
		nd_endpoint_release(session->endpoint);
	if (session->connector != NULL)
		nd_connector_release(session->connector);
	session->endpoint = NULL;
	session->connector = NULL;
	session->state = SESSION_CLOSED;
	/* Its results leave the queue before the requests that they point to are freed. */
	completions_take(session->completions);
	completions_forget(session);
	session_clear_deadline(session);
	completions_release(session->completions, session->reserved_count);
	session->reserved_count = 0;
	session_memory_close(session);
}
