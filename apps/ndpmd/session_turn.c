/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "session.h"

#include <string.h>

#include "kit/end_words.h"

#include "posting.h"
#include "session_handshake.h"
#include "session_order.h"
#include "shared.h"

/*
 * Advance a session: pass results and control messages to the operation, and post operations. A
 * result is a member of its request, so the address of a result leads to the request. A receive is
 * posted again after its message was processed.
 */

/*
 * Time limit in s of FINISHING. A target that is still connected answers the message done at once.
 */
#define FINISH_SECONDS   10u
#define RESULTS_PER_CALL 64u

void
session_finish(struct session *session)
{
	const struct control_message done = {
		.last = session->last_op,
		.count = rte_cpu_to_be_64(session->tally.posted),
		.errors = rte_cpu_to_be_64(session->tally.errors),
		.tally = {rte_cpu_to_be_64(session->tally.measured),
			rte_cpu_to_be_64(session->pace.missed)},
	};

	/*
	 * The target has sent the message result. The last event of this session is the
	 * acknowledgement of the message result, which makes all control messages free.
	 */
	if (!session->posts && session->state == SESSION_FINISHING &&
		session->memory.control_free_count == session->memory.control_count)
		session_disconnect(session);
	if (!session->posts || session->state != SESSION_RUNNING)
		return;
	if (session->role->done != NULL)
		session->role->done(session, session->tally.posted);
	/* All operations are complete, so a control message is free now or in the next turn. */
	if (session->state != SESSION_FAILED &&
		session_send_control(session, CONTROL_DONE, &done, NULL) &&
		session->state != SESSION_FAILED) {
		session->state = SESSION_FINISHING;
		session_set_deadline(session, FINISH_SECONDS);
	}
}

/*
 * Target: the message done has arrived. All earlier messages have arrived, because messages arrive
 * in order.
 */
static void
take_done(struct session *session, const struct control_message *done)
{
	const uint64_t count = rte_be_to_cpu_64(done->count);
	struct control_message result = {0};

	session->tally.done_count = count;
	if (session->initiator) {
		session->tally.peer_errors = rte_be_to_cpu_64(done->errors);
		session->tally.measured = rte_be_to_cpu_64(done->tally.measured);
		session->pace.missed = rte_be_to_cpu_64(done->tally.missed);
	} else {
		session->last_op = done->last != 0;
	}
	if (session->role->done != NULL)
		session->role->done(session, count);
	result.count = rte_cpu_to_be_64(count);
	result.errors = rte_cpu_to_be_64(session->tally.errors);
	if (!session_send_control(session, CONTROL_RESULT, &result, NULL))
		session_fail(session, "no control message buffer is free for the result");
	if (session->state != SESSION_FAILED)
		session->state = SESSION_FINISHING;
	session->finished_tsc = stopwatch_now();
}

/* Initiator: take the target's message result. If the initiator is the client, disconnect. */
static void
take_outcome(struct session *session, const struct control_message *result)
{
	session->tally.peer_errors = rte_be_to_cpu_64(result->errors);
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
		session_fail(
			session, "the peer sent a message that is not a control message of ndpmd");
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
		session_fail(
			session, "the peer sent the unexpected control message %u", message.type);
	}
}

static void
take_receive(struct session *session, struct request *request, uint64_t now)
{
	const uint8_t *bytes = shared_message(session, request);
	const size_t length = request->result.bytes_transferred;

	if (length == control_length(session->setup.size_bytes))
		take_control(session, bytes, now);
	else if (length == session->setup.size_bytes && session->role->received != NULL)
		session->role->received(session, request, now);
	else
		session_fail(session, "the peer sent an unexpected message of %zu bytes", length);
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
	const char *name = request->kind == REQUEST_DATA ? options_op_name(session->setup.op)
							 : names[request->kind];
	char words[END_WORDS_BYTES];

	if (request->result.status != ND_CANCELED)
		session_fail(session, "%s failed on queue pair %u: %s%s", name, session->setup.qp,
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
		session->memory.control_free[session->memory.control_free_count++] = request->slot;
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

/* Process the early results in order, because the connection was reported as established. */
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

static void
take(struct nd_result *result, uint64_t now)
{
	struct request *request = container_of(result, struct request, result);
	struct session *session = request->session;

	if (session == NULL)
		session = result->endpoint_context;
	/*
	 * The first message may arrive instead of the RTU and establish the connection. If the
	 * session is not on the first engine, the message may even arrive before the first engine
	 * reports the connection. Keep such a result in early.
	 */
	if (is_connecting(session)) {
		session_handshake_turn(session);
		STAILQ_INSERT_TAIL(&session->early, request, early);
		take_early(session, now);
		completions_wake(session);
		return;
	}
	/* Ignore results after a failure or a disconnect, because they are only consequences. */
	if (session->state >= SESSION_GREETING && session->state <= SESSION_FINISHING) {
		take_result(session, request, now);
		completions_wake(session);
	}
	shared_give_back(session, request);
}

uint64_t
session_take_results(struct completions *completions)
{
	struct nd_result *results[RESULTS_PER_CALL];
	uint64_t now = 0;
	size_t count;

	if (completions->cq == NULL)
		return 0;
	do {
		count = nd_cq_get_results(completions->cq, results, RESULTS_PER_CALL);
		if (count > 0)
			now = stopwatch_now();
		for (size_t i = 0; i < count; i++)
			take(results[i], now);
	} while (count == RESULTS_PER_CALL);
	return now;
}

static uint64_t
lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * @return true if the next slot in the circle is free. Operations of bind may end out of order,
 *         because the target delays an answer until its previous write is acknowledged. Therefore
 *         the next slot may be in use while a different slot is free.
 */
static bool
next_slot_is_free(const struct session *session)
{
	return session->setup.op != OPTIONS_OP_BIND ||
		session_request(session, 0, session->next_slot)->pending == 0;
}

static void
post_operations(struct session *session)
{
	const uint64_t outstanding = session->tally.posted - session->tally.completed;
	const uint64_t end = lesser(session->pace.limit, session->pace.ceiling);
	const uint64_t list = posting_list(session);
	uint64_t count;

	if (outstanding >= session->setup.depth || session->tally.posted >= end)
		return;
	count = lesser(
		lesser(session->setup.depth - outstanding, end - session->tally.posted), list);
	if (session->setup.op == OPTIONS_OP_BIND)
		count = lesser(count, session->memory.control_free_count);
	session->pace.posting_tsc = stopwatch_now();
	count = lesser(count, session_due_count(session, session->pace.posting_tsc));
	const bool batch = count > 1;

	/*
	 * Wake the session for the next turn: more operations may be postable, or an operation may
	 * become due before a result arrives.
	 */
	if (count == list || session->pace.schedule.period > 0)
		completions_wake(session);
	if (batch)
		nd_endpoint_start_request_batch(session->link.endpoint);
	while (count-- > 0 && session->state == SESSION_RUNNING && next_slot_is_free(session)) {
		if (session->pace.schedule.period > 0)
			session->pace.due_tsc = schedule_due_tsc(&session->pace.schedule,
				session->tally.posted - session->pace.schedule_from);
		session->role->post(session, session->next_slot);
		session->tally.posted++;
		session_take_slot(session);
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
		if (session->pace.is_stopping && session->tally.posted == session->pace.limit &&
			session->tally.completed == session->tally.posted)
			session_finish(session);
	}
	if (session->state >= SESSION_GREETING && session->state <= SESSION_FINISHING)
		check_connection(session);
	/*
	 * Messages that arrive without a result do not wake the session, so wake it in each turn.
	 */
	if (session->state == SESSION_RUNNING && session->memory.plan.polls)
		completions_wake(session);
	/*
	 * A target that is not on the first engine uses no callbacks. Therefore nothing wakes the
	 * session when the peer disconnects, and each turn must wake it.
	 */
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
		session_fail(
			session, "the peer does not answer on queue pair %u", session->setup.qp);
	completions_wake(session);
}

static void
drop_early(struct session *session)
{
	struct request *request;

	while (session->shared != NULL && (request = STAILQ_FIRST(&session->early)) != NULL) {
		STAILQ_REMOVE_HEAD(&session->early, early);
		shared_give_back(session, request);
	}
}

void
session_close(struct session *session)
{
	link_close(&session->link);
	session->state = SESSION_CLOSED;
	/*
	 * Take all results of the session from the completion queue before the requests are freed.
	 */
	session_take_results(session->completions);
	drop_early(session);
	completions_forget(session);
	session_clear_deadline(session);
	completions_release(session->completions, session->reserved_count);
	session->reserved_count = 0;
	session_memory_close(session);
}
