/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "operation.h"

/*
 * bind: each message is written through its own window. The initiator owns the memory.
 *
 *   initiator                          target
 *     bind, bound (descriptor) ------>
 *                              <------ write, written
 *     invalidate
 *
 * With --remote-invalidate the target's written message invalidates the window. The operation is
 * complete when the window is invalid and all requests of the operation have results.
 *
 * Standing windows (--windows) are bound before the first operation, on the same endpoint, each to
 * its own bytes in the same registered memory, and stay bound until the end of the connection. The
 * binds use the request structures of the operations, which are free before the first operation.
 */

/* Purposes of the initiator's requests. The target uses only the first purpose, for its write. */
enum {
	PURPOSE_BIND,
	PURPOSE_INVALIDATE, /**< must be last; used if the peer invalidates the window, too */
	PURPOSE_COUNT,
};

static void
initiator_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){
		.exposed_slots = session->memory.slots,
		.windows = session->memory.slots,
		.requests_per_slot = PURPOSE_COUNT,
	};
}

static void
target_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){
		.local_slots = session->memory.slots, .requests_per_slot = 1};
}

static bool
initiator_prepare(struct session *session)
{
	const uint32_t requests = PURPOSE_COUNT * session->memory.slots;
	const uint32_t outstanding = session->standing.posted - session->standing.bound;
	struct nd_mw_descriptor untold;

	if (session->standing.bound == session->standing.count)
		return true;
	/*
	 * Complete the operation only when all requests of its slot have results, because the
	 * slot's next operation uses the same request structures.
	 */
	if (outstanding > 0)
		return false;
	nd_endpoint_start_request_batch(session->link.endpoint);
	for (uint32_t i = 0; i < requests && session->standing.posted < session->standing.count;
		i++, session->standing.posted++) {
		const uint32_t window = session->standing.posted;
		const nd_status status = nd_endpoint_bind(session->link.endpoint,
			&session->memory.requests[i].result, session->memory.mr,
			session->standing.windows[window],
			session->standing.bytes + (size_t)window * SESSION_STANDING_BYTES,
			SESSION_STANDING_BYTES, ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE,
			&untold);

		if (!session_posted(session, status, "bind of a window of --windows"))
			break;
	}
	nd_endpoint_submit_request_batch(session->link.endpoint);
	return false;
}

static void
initiator_post(struct session *session, uint32_t slot)
{
	struct request *request = session_request(session, PURPOSE_BIND, slot);
	/* Bind at least one byte, because a window over an empty range is not allowed. */
	const size_t length = session->setup.size_bytes > 0 ? session->setup.size_bytes : 1;
	struct control_message bound = {
		.slot = rte_cpu_to_be_32(slot),
		.count = rte_cpu_to_be_64(session->tally.posted),
	};
	nd_status status;

	request->sequence = session->tally.posted;
	/*
	 * The operation ends after three events: bind completed, written received, window
	 * invalidated.
	 */
	request->pending = 3;
	request->posted_tsc = operation_posting_tsc(session);
	status = nd_endpoint_bind(session->link.endpoint, &request->result, session->memory.mr,
		session->memory.windows[slot], session_exposed(session, slot), length,
		ND_OP_FLAG_ALLOW_WRITE, &bound.descriptor);
	if (!session_posted(session, status, "bind"))
		return;
	if (!session_send_control(session, CONTROL_BOUND, &bound, NULL))
		session_fail(session, "no control message buffer is free for a window");
}

static void
initiator_completed(struct session *session, struct request *request, uint64_t now)
{
	if (session->state == SESSION_PREPARING)
		session->standing.bound++;
	else
		operation_step(session, session_request(session, PURPOSE_BIND, request->slot), now);
}

static void
initiator_control(struct session *session, const struct control_message *message, uint64_t now)
{
	const uint32_t slot = rte_be_to_cpu_32(message->slot);
	const uint64_t sequence = rte_be_to_cpu_64(message->count);
	struct request *request;

	request =
		slot < session->memory.slots ? session_request(session, PURPOSE_BIND, slot) : NULL;
	if (message->type != CONTROL_WRITTEN || request == NULL || request->sequence != sequence ||
		request->pending == 0) {
		session_fail(session, "the server sent the unexpected control message %u",
			message->type);
		return;
	}
	if (session->setup.verify)
		operation_check(session, session_exposed(session, slot), session->setup.size_bytes,
			PATTERN_ANSWER, sequence);
	if (!session->setup.remote_invalidate) {
		struct request *invalidate = session_request(session, PURPOSE_INVALIDATE, slot);

		session_posted(session,
			nd_endpoint_invalidate(session->link.endpoint, &invalidate->result,
				session->memory.windows[slot], 0),
			"invalidate");
	}
	operation_step(session, request, now);
}

/*
 * Check that all standing windows are still bound. If so, they were bound during the measurement.
 */
static void
initiator_done(struct session *session, uint64_t count)
{
	struct nd_mr_info info = {0};
	const nd_status status = nd_mr_query(session->adapter, session->memory.mr, &info);

	(void)count;
	if (nd_failed(status) || info.windows_bound != session->standing.count)
		session_fail(session, "windows bound on queue pair %u: %zu, expected %u",
			session->setup.qp, info.windows_bound, session->standing.count);
}

/* Target: write the message into the initiator's window, and send the message written. */
static void
answer(struct session *session, struct request *request)
{
	uint8_t *bytes = session_local(session, request->slot);
	const struct nd_sge sge = session_sge(session, bytes);
	const struct control_message written = {
		.slot = rte_cpu_to_be_32(request->slot),
		.count = rte_cpu_to_be_64(request->sequence),
	};
	nd_status status;

	if (session->setup.verify)
		pattern_fill(bytes, session->setup.size_bytes,
			pattern_seed(session->setup.qp, PATTERN_ANSWER, request->sequence));
	request->busy = true;
	request->waiting = false;
	status = nd_endpoint_write(session->link.endpoint, &request->result, &sge,
		session->setup.size_bytes > 0, &request->descriptor, 0, 0);
	if (!session_posted(session, status, "write"))
		return;
	if (!session_send_control(session, CONTROL_WRITTEN, &written,
		    session->setup.remote_invalidate ? &request->descriptor : NULL))
		session_fail(session, "no control message buffer is free for an answer");
}

static bool
can_answer(const struct session *session, const struct request *request)
{
	return !request->busy && session->memory.control_free_count > 0;
}

static void
target_control(struct session *session, const struct control_message *message, uint64_t now)
{
	const uint32_t slot = rte_be_to_cpu_32(message->slot);
	struct request *request;

	(void)now;
	request = slot < session->memory.slots ? session_request(session, 0, slot) : NULL;
	if (message->type != CONTROL_BOUND || request == NULL || request->waiting) {
		session_fail(session, "the client sent the unexpected control message %u",
			message->type);
		return;
	}
	request->sequence = rte_be_to_cpu_64(message->count);
	request->descriptor = message->descriptor;
	session->tally.answered++;
	/*
	 * The slot's previous write may not be acknowledged yet, for example if the acknowledgement
	 * was lost. In this case the write of this message must wait.
	 */
	if (can_answer(session, request)) {
		answer(session, request);
	} else {
		request->waiting = true;
		session->waiting_count++;
	}
}

static void
target_turn(struct session *session)
{
	for (uint32_t i = 0; i < session->memory.slots && session->waiting_count > 0; i++) {
		struct request *request = session_request(session, 0, i);

		if (request->waiting && can_answer(session, request) &&
			session->state == SESSION_RUNNING) {
			session->waiting_count--;
			answer(session, request);
		}
	}
}

const struct workload workload_bind = {
	.initiator =
		{
			.plan = initiator_plan,
			.prepare = initiator_prepare,
			.post = initiator_post,
			.completed = initiator_completed,
			.control = initiator_control,
			.done = initiator_done,
		},
	.target =
		{
			.plan = target_plan,
			.control = target_control,
			.turn = target_turn,
		},
};
