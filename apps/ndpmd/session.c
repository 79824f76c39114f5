/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kit/end_words.h"

#include <ndpdk/nd_end.h>

#include "posting.h"
#include "session_order.h"
#include "shared.h"

/*
 * The common part of sessions of both sides and of all operations: posting, taking results and
 * passing them to the operation, control messages, errors. A result is a member of its request, so
 * its address leads to the request. A receive is posted again after its message was processed.
 */

/*
 * Highest number of posts between two polls of the engines, so that acknowledgements and other
 * connections are processed in time.
 */
/* Time limit in s. The target answers the done message at once if it is still connected. */
#define FINISH_SECONDS 10u

void
session_fail(struct session *session, const char *format, ...)
{
	va_list list;

	if (session->state == SESSION_FAILED)
		return;
	va_start(list, format);
	vsnprintf(session->error, sizeof(session->error), format, list);
	va_end(list);
	session->state = SESSION_FAILED;
}

void
session_peer_ended(struct session *session)
{
	struct nd_end end = {.reason = ND_END_NONE};
	char words[END_WORDS_BYTES];

	session->peer_gone = session->state != SESSION_FAILED;
	if (session->link.connector != NULL)
		nd_connector_get_end_reason(session->link.connector, &end);
	session->peer_left = end.reason == ND_END_PEER_DISCONNECT;
	session_fail(session, "%s%s",
		session->initiator ? "the server ended the connection"
				   : "a client went away before it was done",
		end_words(session->link.connector, words));
}

bool
session_posted(struct session *session, nd_status status, const char *what)
{
	if (!nd_failed(status))
		return true;
	/* The connection was lost just before the request was posted. */
	if (status == ND_CONNECTION_INVALID)
		session_peer_ended(session);
	else
		session_fail(session, "%s cannot be posted on queue pair %u: %s", what, session->qp,
			nd_status_name(status));
	return false;
}

void
session_set_deadline(struct session *session, uint32_t seconds)
{
	session_clear_deadline(session);
	session->deadline_tsc = stopwatch_now() + seconds * session->stopwatch->hz;
	session->completions->timed_count++;
}

void
session_clear_deadline(struct session *session)
{
	if (session->deadline_tsc == 0)
		return;
	session->deadline_tsc = 0;
	session->completions->timed_count--;
}

void
session_receive(struct session *session, struct request *request)
{
	const struct nd_sge sge = {
		session->receives + (size_t)request->slot * session->receive_bytes,
		session->receive_bytes, session->mr};

	if (session->shared != NULL)
		return; /* shared_give_back() posts it */
	session_posted(session,
		nd_endpoint_receive(session->link.endpoint, &request->result, &sge, 1), "receive");
}

bool
session_send_control(struct session *session, enum control_type type,
	const struct control_message *content, const struct nd_mw_descriptor *invalidate)
{
	struct control_message message = *content;
	struct nd_sge sge;
	struct request *request;
	uint8_t *bytes;
	nd_status status;

	if (session->control_free_count == 0)
		return false;
	request = &session->control_requests[session->control_free[--session->control_free_count]];
	bytes = session->controls + (size_t)request->slot * session->control_bytes;
	message.magic = rte_cpu_to_be_32(CONTROL_MAGIC);
	message.type = (uint8_t)type;
	memcpy(bytes, &message, sizeof(message));
	sge = (struct nd_sge){bytes, control_length(session->size_bytes), session->mr};
	if (invalidate != NULL)
		status = nd_endpoint_send_and_invalidate(
			session->link.endpoint, &request->result, &sge, 1, invalidate, 0);
	else
		status = nd_endpoint_send(session->link.endpoint, &request->result, &sge, 1, 0);
	session_posted(session, status, "control message");
	return true;
}

void
session_count(struct session *session, const struct request *request, uint64_t now)
{
	session->completed++;
	if (request->sequence < session->measured_from)
		return;
	session->measured++;
	histogram_record(
		session->histogram, stopwatch_ns(session->stopwatch, now - request->posted_tsc));
}

void
session_check(struct session *session, const void *message, size_t length,
	enum pattern_stream stream, uint64_t sequence)
{
	const size_t offset =
		pattern_check(message, length, pattern_seed(session->qp, stream, sequence));

	if (offset == PATTERN_MATCHES)
		return;
	if (session->errors++ == 0)
		fprintf(stderr, "ndpmd: %s %llu on queue pair %u: byte %zu is wrong\n",
			options_op_name(session->op), (unsigned long long)sequence, session->qp,
			offset);
}

void
session_check_immediate(
	struct session *session, const struct request *receive, uint32_t flags, uint64_t sequence)
{
	const struct nd_result *result = &receive->result;
	const uint32_t immediate =
		(flags & ND_RESULT_WITH_IMM) != 0 ? session_immediate(sequence) : 0;

	if (result->flags == flags && result->imm_data == immediate)
		return;
	if (session->errors++ == 0)
		fprintf(stderr,
			"ndpmd: %s %llu on queue pair %u: flags 0x%x, immediate data 0x%08x\n",
			options_op_name(session->op), (unsigned long long)sequence, session->qp,
			result->flags, rte_be_to_cpu_32(result->imm_data));
}

void
session_finish(struct session *session)
{
	const struct control_message done = {
		.last = session->last_op,
		.count = rte_cpu_to_be_64(session->posted),
		.errors = rte_cpu_to_be_64(session->errors),
		.tally = {rte_cpu_to_be_64(session->measured), rte_cpu_to_be_64(session->missed)},
	};

	/* The acknowledgement of its result is the last event of this session. */
	if (!session->posts && session->state == SESSION_FINISHING &&
		session->control_free_count == session->control_count)
		session_disconnect(session);
	if (!session->posts || session->state != SESSION_RUNNING)
		return;
	if (session->role->done != NULL)
		session->role->done(session, session->posted);
	/* Nothing is outstanding, so a control message is free now or in the next turn. */
	if (session->state != SESSION_FAILED &&
		session_send_control(session, CONTROL_DONE, &done, NULL) &&
		session->state != SESSION_FAILED) {
		session->state = SESSION_FINISHING;
		session_set_deadline(session, FINISH_SECONDS);
	}
}

/* Target: all messages have arrived, because messages arrive in order. */
static void
take_done(struct session *session, const struct control_message *done)
{
	const uint64_t count = rte_be_to_cpu_64(done->count);
	struct control_message result = {0};

	session->done_count = count;
	if (session->initiator) {
		session->peer_errors = rte_be_to_cpu_64(done->errors);
		session->measured = rte_be_to_cpu_64(done->tally.measured);
		session->missed = rte_be_to_cpu_64(done->tally.missed);
	} else {
		session->last_op = done->last != 0;
	}
	if (session->role->done != NULL)
		session->role->done(session, count);
	result.count = rte_cpu_to_be_64(count);
	result.errors = rte_cpu_to_be_64(session->errors);
	if (!session_send_control(session, CONTROL_RESULT, &result, NULL))
		session_fail(session, "no control message is free for the result");
	if (session->state != SESSION_FAILED)
		session->state = SESSION_FINISHING;
	session->finished_tsc = stopwatch_now();
}

/* Take the result of the target. The client disconnects afterwards. */
static void
take_outcome(struct session *session, const struct control_message *result)
{
	session->peer_errors = rte_be_to_cpu_64(result->errors);
	session_clear_deadline(session);
	session->finished_tsc = stopwatch_now();
	if (session->initiator)
		session_disconnect(session);
}

static void
take_control(struct session *session, const uint8_t *bytes, uint64_t now)
{
	struct control_message message;

	memcpy(&message, bytes, sizeof(message));
	if (rte_be_to_cpu_32(message.magic) != CONTROL_MAGIC) {
		session_fail(session, "the peer sent something that is no message of ndpmd");
	} else if (message.type == CONTROL_READY && session->state == SESSION_GREETING) {
		session->remote = message.descriptor;
		session->state =
			session->role->prepare != NULL ? SESSION_PREPARING : SESSION_RUNNING;
		session_clear_deadline(session);
		session->running_tsc = now;
	} else if (message.type == CONTROL_DONE && session->state == SESSION_RUNNING &&
		!session->posts) {
		take_done(session, &message);
	} else if (message.type == CONTROL_RESULT && session->state == SESSION_FINISHING &&
		session->posts) {
		take_outcome(session, &message);
	} else if (message.type >= CONTROL_START && message.type <= CONTROL_CUT &&
		session_is_of_server(session) && !session->initiator) {
		session_take_order(session, &message);
	} else if (session->role->control != NULL && session->state >= SESSION_RUNNING) {
		session->role->control(session, &message, now);
	} else {
		session_fail(session, "the peer sent control message %u out of turn", message.type);
	}
}

static void
take_receive(struct session *session, struct request *request, uint64_t now)
{
	const uint8_t *bytes = shared_message(session, request);
	const size_t length = request->result.bytes_transferred;

	if (length == control_length(session->size_bytes))
		take_control(session, bytes, now);
	else if (length == session->size_bytes && session->role->received != NULL)
		session->role->received(session, request, now);
	else
		session_fail(session, "the peer sent %zu bytes where none were expected", length);
	if (session->state >= SESSION_PREPARING && session->state <= SESSION_FINISHING)
		session_receive(session, request);
}

static void
take_failure(struct session *session, const struct request *request)
{
	static const char *const names[] = {
		[REQUEST_DATA] = NULL,
		[REQUEST_RECEIVE] = "receive",
		[REQUEST_CONTROL] = "control message",
		[REQUEST_WINDOW] = "bind of the window",
	};
	const char *name =
		request->kind == REQUEST_DATA ? options_op_name(session->op) : names[request->kind];
	char words[END_WORDS_BYTES];

	if (request->result.status != ND_CANCELED)
		session_fail(session, "%s failed on queue pair %u: %s%s", name, session->qp,
			nd_status_name(request->result.status),
			end_words(session->link.connector, words));
	else if (session->initiator || session->state != SESSION_FINISHING)
		session_peer_ended(session);
}

static void
take_result(struct session *session, struct request *request, uint64_t now)
{
	request->busy = false;
	if (request->result.status != ND_SUCCESS) {
		take_failure(session, request);
		return;
	}
	switch (request->kind) {
	case REQUEST_DATA:
		if (session->role->completed != NULL)
			session->role->completed(session, request, now);
		break;
	case REQUEST_RECEIVE:
		take_receive(session, request, now);
		break;
	case REQUEST_CONTROL:
		session->control_free[session->control_free_count++] = request->slot;
		break;
	case REQUEST_WINDOW:
		break;
	}
}

static bool
is_connecting(const struct session *session)
{
	return session->state == SESSION_ACCEPTING || session->state == SESSION_COMPLETING;
}

/* Process the early results in order after the connection is established. */
static void
take_early(struct session *session, uint64_t now)
{
	struct request *request;

	while (!is_connecting(session) && (request = STAILQ_FIRST(&session->early)) != NULL) {
		STAILQ_REMOVE_HEAD(&session->early, early);
		if (session->state >= SESSION_GREETING && session->state <= SESSION_FINISHING)
			take_result(session, request, now);
		shared_give_back(session, request);
	}
}

void
session_take_result(struct nd_result *result, uint64_t now)
{
	struct request *request = container_of(result, struct request, result);
	struct session *session = request->session;

	if (session == NULL)
		session = result->endpoint_context;
	/*
	 * The first message may replace the confirmation of the connection. On another engine than
	 * the first engine, it may even arrive before the first engine knows of the connection.
	 */
	if (is_connecting(session)) {
		session_handshake_turn(session);
		STAILQ_INSERT_TAIL(&session->early, request, early);
		take_early(session, now);
		completions_wake(session);
		return;
	}
	/* Results after a failure or a disconnect are its consequences, and are ignored. */
	if (session->state >= SESSION_GREETING && session->state <= SESSION_FINISHING) {
		take_result(session, request, now);
		completions_wake(session);
	}
	shared_give_back(session, request);
}

static uint64_t
lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Slots are used in turn. Operations of bind may end out of order, because the target delays an
 * answer until its previous write is acknowledged. Therefore the next slot may be in use while
 * another slot is free.
 */
static bool
next_slot_is_free(const struct session *session)
{
	return session->op != OPTIONS_OP_BIND ||
		session_request(session, 0, session->next_slot)->pending == 0;
}

void
session_schedule(struct session *session, const struct schedule *schedule)
{
	session->schedule = *schedule;
	session->schedule_from = session->posted;
}

uint64_t
session_due_count(const struct session *session, uint64_t now)
{
	const uint64_t posted = session->posted - session->schedule_from;
	uint64_t due;

	if (session->schedule.period == 0)
		return UINT64_MAX;
	due = schedule_due_count(&session->schedule, now);
	return due > posted ? due - posted : 0;
}

static void
post_operations(struct session *session)
{
	const uint64_t outstanding = session->posted - session->completed;
	const uint64_t end = lesser(session->limit, session->post_ceiling);
	const uint64_t list = posting_list(session);
	uint64_t count;

	if (outstanding >= session->depth || session->posted >= end)
		return;
	count = lesser(lesser(session->depth - outstanding, end - session->posted), list);
	if (session->op == OPTIONS_OP_BIND)
		count = lesser(count, session->control_free_count);
	session->posting_tsc = stopwatch_now();
	count = lesser(count, session_due_count(session, session->posting_tsc));
	const bool batch = count > 1;

	/* More operations may be posted, or an operation may be due before a result. */
	if (count == list || session->schedule.period > 0)
		completions_wake(session);
	if (batch)
		nd_endpoint_start_request_batch(session->link.endpoint);
	while (count-- > 0 && session->state == SESSION_RUNNING && next_slot_is_free(session)) {
		if (session->schedule.period > 0)
			session->due_tsc = schedule_due_tsc(
				&session->schedule, session->posted - session->schedule_from);
		session->role->post(session, session->next_slot);
		session->posted++;
		if (++session->next_slot == session->slots)
			session->next_slot = 0;
	}
	if (batch)
		nd_endpoint_submit_request_batch(session->link.endpoint);
}

static void
check_connection(struct session *session)
{
	if (!link_peer_gone(&session->link))
		return;
	if (!session->initiator && session->state == SESSION_FINISHING)
		session->state = SESSION_CLOSED;
	else
		session_peer_ended(session);
}

static void
run_turn(struct session *session)
{
	if (session->state == SESSION_PREPARING && session->role->prepare(session) &&
		session->state == SESSION_PREPARING)
		session->state = SESSION_RUNNING;
	if (session->state == SESSION_RUNNING) {
		if (session->role->turn != NULL)
			session->role->turn(session);
		if (session->posts && session->state == SESSION_RUNNING)
			post_operations(session);
		if (session->is_stopping && session->posted == session->limit &&
			session->completed == session->posted)
			session_finish(session);
	}
	if (session->state >= SESSION_GREETING && session->state <= SESSION_FINISHING)
		check_connection(session);
	/* Nothing else wakes a session whose messages arrive without a result. */
	if (session->state == SESSION_RUNNING && session->plan.polls)
		completions_wake(session);
	/* Without callbacks, nothing else wakes a target that waits for the disconnect. */
	if (session->state == SESSION_FINISHING && session->link.asks)
		completions_wake(session);
}

void
session_turn(struct session *session)
{
	switch (session->state) {
	case SESSION_LISTENING:
	case SESSION_ASKED:
	case SESSION_ACCEPTING:
	case SESSION_CONNECTING:
	case SESSION_COMPLETING:
	case SESSION_DISCONNECTING:
		session_handshake_turn(session);
		take_early(session, stopwatch_now());
		if (session->link.asks && session->link.step_status == ND_PENDING)
			completions_wake(session);
		break;
	case SESSION_GREETING:
	case SESSION_PREPARING:
	case SESSION_RUNNING:
	case SESSION_FINISHING:
		run_turn(session);
		break;
	case SESSION_IDLE:
	case SESSION_CLOSED:
	case SESSION_FAILED:
		break;
	}
}

void
session_check_deadline(struct session *session)
{
	if (session->deadline_tsc == 0 || stopwatch_now() < session->deadline_tsc)
		return;
	session_clear_deadline(session);
	if (session->state == SESSION_DISCONNECTING)
		session->state = SESSION_CLOSED;
	else if (session->state == SESSION_GREETING || session->state == SESSION_FINISHING)
		session_fail(session, "the peer does not answer on queue pair %u", session->qp);
	completions_wake(session);
}
