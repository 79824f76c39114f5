/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "operation.h"

/*
 * send, send-imm and write-imm: each message of the initiator takes a receive of the target.
 * Immediate data contain the number of the message. With --latency the target answers with a
 * message of the same kind, and the operation is complete when the answer has arrived.
 *
 * write-imm writes into a window of the receiver. This window has a slot for each request that can
 * be outstanding. A slot is written again only after the previous write has been acknowledged. The
 * receiver's engine acknowledges at the end of a poll, and the receiver verifies the slot before
 * the next poll.
 */

static void
make_plan(const struct session *session, bool posts, bool receives, struct workload_plan *plan)
{
	const bool is_written = receives && session->setup.op == OPTIONS_OP_WRITE_IMM;

	*plan = (struct workload_plan){
		.local_slots = posts ? session->memory.slots : 0,
		.requests_per_slot = posts,
		.exposed_slots = is_written ? session->memory.slots : 0,
		.windows = is_written,
		.window_flags = ND_OP_FLAG_ALLOW_WRITE,
	};
}

static void
initiator_plan(const struct session *session, struct workload_plan *plan)
{
	make_plan(session, true, session->setup.latency, plan);
}

static void
target_plan(const struct session *session, struct workload_plan *plan)
{
	make_plan(session, session->setup.latency, true, plan);
}

static void
post(struct session *session, struct request *request, enum pattern_stream stream)
{
	request->remote_slot = request->slot;
	operation_fill(session, request, stream);
	operation_post(session, request, session->setup.op);
}

static void
initiator_post(struct session *session, uint32_t slot)
{
	struct request *request = session_request(session, 0, slot);

	request->sequence = session->tally.posted;
	/*
	 * With --latency the operation ends after two events: the result of this request, and the
	 * answer.
	 */
	request->pending = session->setup.latency ? 2 : 1;
	post(session, request, PATTERN_REQUEST);
}

static void
initiator_completed(struct session *session, struct request *request, uint64_t now)
{
	if (!session->setup.latency)
		request->ended_tsc = now;
	operation_step(session, request, request->ended_tsc);
}

/* @param slot slot of the window into which a write-imm has written the message */
static void
check(struct session *session, const struct request *receive, uint32_t slot,
	enum pattern_stream stream, uint64_t sequence)
{
	if (!session->setup.verify)
		return;
	if (session->setup.op == OPTIONS_OP_WRITE_IMM)
		operation_check(session, session_exposed(session, slot), session->setup.size_bytes,
			stream, sequence);
	operation_check_receive(session, receive, session->setup.op, stream, sequence);
}

static void
initiator_received(struct session *session, const struct request *receive, uint64_t now)
{
	struct request *request = operation_newest(session);

	if (!session->setup.latency || request->pending == 0 ||
		session->tally.posted == session->tally.completed) {
		session_fail(session, "the server sent an unexpected answer");
		return;
	}
	request->ended_tsc = now;
	check(session, receive, request->slot, PATTERN_ANSWER, request->sequence);
	operation_step(session, request, now);
}

static void
target_received(struct session *session, const struct request *receive, uint64_t now)
{
	const uint32_t slot = session_take_slot(session);
	struct request *request = session_request(session, 0, slot);

	(void)now;
	check(session, receive, slot, PATTERN_REQUEST, session->tally.answered);
	if (session->setup.latency && operation_may_answer(session, request)) {
		request->sequence = session->tally.answered;
		post(session, request, PATTERN_ANSWER);
	}
	session->tally.answered++;
}

static void
target_done(struct session *session, uint64_t count)
{
	if (session->tally.answered != count)
		session_fail(session, "messages sent: %llu, messages received: %llu",
			(unsigned long long)count, (unsigned long long)session->tally.answered);
}

const struct workload workload_message = {
	.initiator =
		{
			.plan = initiator_plan,
			.post = initiator_post,
			.completed = initiator_completed,
			.received = initiator_received,
		},
	.target =
		{
			.plan = target_plan,
			.received = target_received,
			.done = target_done,
		},
};
