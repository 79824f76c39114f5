/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "session_handshake.h"

#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include <ndpdk/nd_srq.h>

#include "posting.h"
#include "session_order.h"
#include "shared.h"
#include "start.h"

/*
 * Set-up and end of a connection. The private data of the request describe the operations.
 * Therefore the target can allocate its memory and post its receives before it accepts. A bind
 * requires a connection. Therefore both sides bind their windows after the connection is
 * established, and notify the peer by a ready message.
 */

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

/* Check that the connection's requests do not exceed the limits of the adapter. */
static bool
check_limits(struct session *session, const struct nd_adapter_info *info, size_t outbound)
{
	if (session->setup.size_bytes > info->max_outbound_length ||
		session->setup.size_bytes > info->max_inbound_length)
		session_fail(session, "messages of %u bytes exceed the limit of the adapter",
			session->setup.size_bytes);
	else if (outbound > info->max_outbound_requests)
		session_fail(session, "a depth of %u exceeds the limit of the adapter",
			session->setup.depth);
	else if (session->memory.bytes > info->max_registration_size)
		session_fail(session,
			"%zu bytes of messages exceed the registration limit of the adapter",
			session->memory.bytes);
	else if (session->shared != NULL && session->memory.receive_bytes > session->shared->bytes)
		session_fail(session,
			"refused a client with messages of %u bytes: the receives of --srq have "
			"%u bytes; give the server --size=%u",
			session->setup.size_bytes, session->shared->bytes,
			session->setup.size_bytes);
	return session->state != SESSION_FAILED;
}

/*
 * Fail because the library cannot create an object. The error text contains the size of the memory
 * that the object needs.
 */
static void
no_object(struct session *session, const char *what, nd_status status)
{
	const struct start_load load = {
		.sides = session->sides,
		.qps = session->setup.qp_count,
		.depth = session->setup.depth,
		.binds = session->setup.op == OPTIONS_OP_BIND,
	};

	session->end.no_memory = status == ND_NO_MEMORY || status == ND_INSUFFICIENT_RESOURCES;
	if (!session->end.no_memory)
		session_fail(session, "%s cannot be created: %s", what, nd_status_name(status));
	else
		session_fail(session,
			"no memory for %s on queue pair %u of %u: give EAL -m %llu before "
			"the --%s",
			what, session->setup.qp + 1, session->setup.qp_count,
			(unsigned long long)start_megabytes_of(&load),
			session->initiator ? "" : ", and give the server a --qps for all clients");
}

static bool
open_connector(struct session *session)
{
	const nd_status status = link_open_connector(&session->link);

	if (nd_failed(status))
		no_object(session, "a connector", status);
	return !nd_failed(status);
}

static void
wake(void *owner)
{
	completions_wake(owner);
}

static void
init_link(struct session *session)
{
	const bool asks = session->link.asks;

	link_init(&session->link, session->adapter);
	session->link.asks = asks;
	session->link.wake = wake;
	session->link.owner = session;
}

/* End a passive session because its client has given up. This is not a failure of this side. */
static void
client_gave_up(struct session *session)
{
	session->end.peer_gone = session->state != SESSION_FAILED;
	session_fail(session, "a client aborted its connection attempt");
}

/*
 * Reserve entries of the shared completion queue for all results of the session. Otherwise the
 * queue could overrun.
 */
static bool
reserve_results(struct session *session, size_t count)
{
	const nd_status status = completions_reserve(session->completions, count);

	if (status == ND_DATA_OVERRUN)
		session_fail(session,
			"the results of %u queue pair%s with depth %u do not fit into a completion "
			"queue: lower --depth or --qps",
			session->setup.qp_count, session->setup.qp_count == 1 ? "" : "s",
			session->setup.depth);
	else if (nd_failed(status))
		no_object(session, "a larger completion queue", status);
	else
		session->reserved_count = count;
	return !nd_failed(status);
}

static bool
open_endpoint(struct session *session)
{
	const size_t outbound =
		(size_t)session->memory.plan.requests_per_slot * session->memory.slots +
		session->memory.control_count + 1;
	const bool reads = session_executes(session, OPTIONS_OP_READ) ||
		options_op_is_atomic(session->setup.op);
	size_t inbound_reads = 0, outbound_reads = 0;
	struct nd_adapter_info info;
	struct nd_cq *cq;
	nd_status status;

	if (!query_adapter(session, &info) || !check_limits(session, &info, outbound) ||
		!reserve_results(session,
			outbound + session->memory.receive_count + session->memory.plan.windows))
		return false;
	cq = session->completions->cq;
	if (reads && session->posts)
		outbound_reads = posting_reads(session, info.max_outbound_read_limit);
	else if (reads)
		inbound_reads = posting_reads(session, info.max_inbound_read_limit);
	if (session->shared != NULL)
		status = nd_connector_create_endpoint_with_srq(session->link.connector, cq, cq,
			session->shared->srq, outbound, 1, inbound_reads, outbound_reads, NULL,
			&session->link.endpoint);
	else
		status = nd_connector_create_endpoint(session->link.connector, cq, cq,
			session->memory.receive_count, outbound, 1, 1, inbound_reads,
			outbound_reads, NULL, &session->link.endpoint);
	if (nd_failed(status)) {
		session->link.endpoint = NULL;
		if (status == ND_CONNECTION_ABORTED && !session->initiator)
			client_gave_up(session);
		else
			no_object(session, "an endpoint", status);
		return false;
	}
	nd_endpoint_set_context(session->link.endpoint, session);
	return true;
}

static bool
open_objects(struct session *session)
{
	const struct workload *workload = workload_of(session->setup.op);

	STAILQ_INIT(&session->early);
	session->role = session->posts ? &workload->initiator : &workload->target;
	session->pace.limit = 0;
	session->pace.ceiling = UINT64_MAX;
	session->tally.measured_from = UINT64_MAX;
	for (unsigned int i = 0; session->setup.op == OPTIONS_OP_MIX && i < RTE_DIM(session->mix);
		i++)
		mix_begin(&session->mix[i], session->setup.weights, session->setup.qp);
	if (!session_memory_open(session) || !open_endpoint(session))
		return false;
	for (uint32_t i = 0; i < session->memory.receive_count; i++)
		session_receive(session, &session->memory.receive_requests[i]);
	return session->state != SESSION_FAILED;
}

/* Active side. */

static struct control_hello
make_hello(const struct session *session)
{
	const uint32_t flags = (session->setup.verify ? CONTROL_FLAG_VERIFY : 0) |
		(session->setup.latency ? CONTROL_FLAG_LATENCY : 0) |
		(session->setup.remote_invalidate ? CONTROL_FLAG_REMOTE_INVALIDATE : 0) |
		(session->setup.bidirectional ? CONTROL_FLAG_BIDIRECTIONAL : 0);

	struct control_hello hello = {
		.magic = rte_cpu_to_be_32(CONTROL_MAGIC),
		.version = rte_cpu_to_be_16(CONTROL_VERSION),
		.op = (uint8_t)session->setup.op,
		.flags = (uint8_t)flags,
		.size_bytes = rte_cpu_to_be_32(session->setup.size_bytes),
		.depth = rte_cpu_to_be_32(session->setup.depth),
		.qp = rte_cpu_to_be_32(session->setup.qp),
		.qp_count = rte_cpu_to_be_32(session->setup.qp_count),
		.op_index = rte_cpu_to_be_32(session->setup.op_index),
		.client = rte_cpu_to_be_64(session->setup.client),
	};

	static_assert(
		sizeof(hello.weights) == sizeof(session->setup.weights), "one of each operation");
	memcpy(hello.weights, session->setup.weights, sizeof(hello.weights));
	return hello;
}

static void
refused(struct session *session)
{
	uint8_t data[CALLEE_DATA_BYTES] = {0};
	size_t length = sizeof(data);
	struct control_refusal refusal;
	nd_status status;

	status = nd_connector_get_connection_data(
		session->link.connector, NULL, NULL, data, &length);
	memcpy(&refusal, data, sizeof(refusal));
	if ((nd_failed(status) && status != ND_BUFFER_OVERFLOW) ||
		rte_be_to_cpu_32(refusal.magic) != CONTROL_MAGIC) {
		session_fail(session, "%s", session->link.error);
		return;
	}
	switch (rte_be_to_cpu_16(refusal.reason)) {
	case CONTROL_REASON_VERSION:
		session_fail(session,
			"the server refused: it has protocol version %u, this client has "
			"version %u",
			rte_be_to_cpu_16(refusal.version), CONTROL_VERSION);
		break;
	case CONTROL_REASON_PARAMETERS:
		session_fail(session,
			"the server refused: --size or --depth exceeds the limits of its adapter");
		break;
	default:
		session_fail(session,
			"the server refused: it does not have enough memory, or its --qps is "
			"less than %u",
			session->setup.qp_count);
		break;
	}
}

void
session_connect(struct session *session, const struct sockaddr_storage *peer, uint16_t port)
{
	const struct control_hello hello = make_hello(session);
	struct sockaddr_storage address = *peer;

	session->initiator = true;
	session->posts = !session_is_of_server(session);
	session->state = SESSION_CONNECTING;
	completions_wake(session);
	init_link(session);
	if (!open_connector(session) || !open_objects(session))
		return;
	link_set_port(&address, port);
	session->link.refused = "connection refused: no ndpmd server listens on that port";
	session->link.data = &hello;
	session->link.data_bytes = sizeof(hello);
	link_connect(&session->link, &address, 0);
	session->link.data = NULL;
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

	link_refuse(&session->link, &refusal, sizeof(refusal));
}

/*
 * @return true if the weights are valid. Only a mix may have weights, and only for operations that
 *         can be in a mix.
 */
static bool
has_sound_weights(const struct session *session)
{
	bool is_mix = false;

	for (unsigned int op = 0; op < OPTIONS_OP_MIX; op++) {
		if (session->setup.weights[op] > OPTIONS_WEIGHT_MAX ||
			(session->setup.weights[op] > 0 && !options_op_mixes((enum options_op)op)))
			return false;
		is_mix |= session->setup.weights[op] > 0;
	}
	return is_mix == (session->setup.op == OPTIONS_OP_MIX) &&
		!(is_mix && session->setup.latency);
}

static bool
take_hello(struct session *session)
{
	uint8_t data[CALLER_DATA_BYTES] = {0};
	size_t length = sizeof(data);
	struct control_hello hello;

	if (nd_connector_get_connection_data(session->link.connector, NULL, NULL, data, &length) ==
		ND_CONNECTION_ABORTED) {
		client_gave_up(session);
		return false;
	}
	memcpy(&hello, data, sizeof(hello));
	if (rte_be_to_cpu_32(hello.magic) != CONTROL_MAGIC ||
		rte_be_to_cpu_16(hello.version) != CONTROL_VERSION) {
		refuse(session, CONTROL_REASON_VERSION);
		session_fail(session,
			"refused a client that is not ndpmd or has another protocol version");
		return false;
	}
	session->setup.op = (enum options_op)hello.op;
	session->setup.verify = (hello.flags & CONTROL_FLAG_VERIFY) != 0;
	session->setup.latency = (hello.flags & CONTROL_FLAG_LATENCY) != 0;
	session->setup.remote_invalidate = (hello.flags & CONTROL_FLAG_REMOTE_INVALIDATE) != 0;
	session->setup.size_bytes = rte_be_to_cpu_32(hello.size_bytes);
	session->setup.depth = rte_be_to_cpu_32(hello.depth);
	session->setup.qp = rte_be_to_cpu_32(hello.qp);
	session->setup.qp_count = rte_be_to_cpu_32(hello.qp_count);
	session->setup.op_index = rte_be_to_cpu_32(hello.op_index);
	session->setup.client = rte_be_to_cpu_64(hello.client);
	session->setup.bidirectional = (hello.flags & CONTROL_FLAG_BIDIRECTIONAL) != 0;
	session->posts = session_is_of_server(session);
	memcpy(session->setup.weights, hello.weights, sizeof(session->setup.weights));
	if (hello.op >= OPTIONS_OP_COUNT || !has_sound_weights(session) ||
		session->setup.size_bytes > OPTIONS_SIZE_MAX || session->setup.depth == 0 ||
		session->setup.depth > OPTIONS_DEPTH_MAX ||
		session->setup.qp_count > OPTIONS_QPS_MAX ||
		session->setup.qp >= session->setup.qp_count ||
		(session->setup.bidirectional && session->setup.qp_count % 2 != 0) ||
		(session->setup.latency && session->setup.depth != 1) ||
		session->setup.size_bytes !=
			options_op_bytes(session->setup.op, session->setup.size_bytes)) {
		refuse(session, CONTROL_REASON_PARAMETERS);
		session_fail(session, "refused a client with invalid parameters");
		return false;
	}
	return true;
}

static void
accept_request(struct session *session)
{
	if (!open_objects(session)) {
		refuse(session,
			session->memory.mr == NULL || session->end.no_memory
				? CONTROL_REASON_RESOURCES
				: CONTROL_REASON_PARAMETERS);
		return;
	}
	session->state = SESSION_ACCEPTING;
	link_accept(&session->link);
}

void
session_listen(struct session *session, struct nd_listener *listener)
{
	session->initiator = session->posts = false;
	session->state = SESSION_LISTENING;
	init_link(session);
	if (open_connector(session))
		link_listen(&session->link, listener);
}

/* Both. */

static void
greet(struct session *session)
{
	struct control_message ready = {0};
	nd_status status;

	session->state = SESSION_GREETING;
	session_set_deadline(session, GREETING_SECONDS);
	if (session->memory.plan.windows == 1) {
		status = nd_endpoint_bind(session->link.endpoint,
			&session->memory.window_request->result, session->memory.mr,
			session->memory.windows[0], session->memory.exposed,
			session->memory.plan.exposed_slots * session->memory.slot_bytes,
			session->memory.plan.window_flags, &ready.descriptor);
		if (!session_posted(session, status, "bind of the window"))
			return;
	}
	if (!session_send_control(session, CONTROL_READY, &ready, NULL))
		session_fail(session, "no control message buffer is free for the ready message");
}

static void
link_failed(struct session *session)
{
	const struct link *link = &session->link;

	if (link->gave_up)
		client_gave_up(session);
	else if (session->initiator && link->step_status == ND_CONNECTION_REFUSED)
		refused(session);
	else
		session_fail(session, "%s", link->error);
}

void
session_handshake_turn(struct session *session)
{
	/*
	 * If the owner has passed a session in state ASKED to a different engine, the thread of
	 * that engine creates the session's objects here.
	 */
	if (session->state == SESSION_ASKED) {
		accept_request(session);
		return;
	}
	link_turn(&session->link);
	switch (session->link.state) {
	case LINK_COMPLETING:
		session->state = SESSION_COMPLETING;
		break;
	case LINK_REQUESTED:
		if (take_hello(session))
			session->state = SESSION_ASKED;
		completions_wake(session);
		break;
	case LINK_CONNECTED:
		greet(session);
		break;
	case LINK_CLOSED:
		session->state = SESSION_CLOSED;
		break;
	case LINK_FAILED:
		link_failed(session);
		break;
	case LINK_IDLE:
	case LINK_LISTENING:
	case LINK_ACCEPTING:
	case LINK_CONNECTING:
	case LINK_PAUSING:
	case LINK_DISCONNECTING:
		break;
	}
}

void
session_disconnect(struct session *session)
{
	/* A session without connection keeps its pending step, which session_close() cancels. */
	link_disconnect(&session->link);
	session->state =
		session->link.state == LINK_DISCONNECTING ? SESSION_DISCONNECTING : SESSION_CLOSED;
	session_set_deadline(session, DISCONNECT_SECONDS);
	completions_wake(session);
}
