/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <ndpdk/nd_extension.h>

#include "session.h"

/*
 * write-imm: the initiator writes into the target's window. The immediate data contain the number
 * of the message and notify the target, which then verifies the message. With --latency the target
 * answers with a write of the same kind into the initiator's window, and the operation is complete
 * when the answer has arrived.
 *
 * The window has a slot for each request that can be outstanding. A slot is written again only
 * after the previous write has been acknowledged. The target's engine acknowledges at the end of a
 * poll, and the target verifies the slot before the next poll.
 */

static void
answered_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){
		.local_slots = session->slots,
		.exposed_slots = session->slots,
		.windows = 1,
		.window_flags = ND_OP_FLAG_ALLOW_WRITE,
		.requests_per_slot = 1,
	};
}

static void
initiator_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){.local_slots = session->slots, .requests_per_slot = 1};
	if (session->latency)
		answered_plan(session, plan);
}

static void
target_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){
		.exposed_slots = session->slots,
		.windows = 1,
		.window_flags = ND_OP_FLAG_ALLOW_WRITE,
	};
	if (session->latency)
		answered_plan(session, plan);
}

/* Write a message from its slot to the slot of the same number in the peer's window. */
static void
post_write(struct session *session, struct request *request, enum pattern_stream stream)
{
	uint8_t *message = session_local(session, request->slot);
	const struct nd_sge sge = session_sge(session, message);

	if (session->verify)
		pattern_fill(message, session->size_bytes,
			pattern_seed(session->qp, stream, request->sequence));
	request->busy = true;
	request->posted_tsc = session_posting_tsc(session);
	session_posted(session,
		nd_endpoint_write_with_imm(session->link.endpoint, &request->result, &sge,
			session->size_bytes > 0, &session->remote,
			request->slot * session->slot_bytes, session_immediate(request->sequence),
			0),
		"write");
}

static void
initiator_post(struct session *session, uint32_t slot)
{
	struct request *request = session_request(session, 0, slot);

	request->sequence = session->posted;
	/*
	 * Two events: the result of this write, and the arrival of the answer, which ends the round
	 * trip.
	 */
	request->pending = session->latency ? 2 : 1;
	post_write(session, request, PATTERN_REQUEST);
}

static void
initiator_completed(struct session *session, struct request *request, uint64_t now)
{
	if (!session->latency)
		request->ended_tsc = now;
	if (--request->pending == 0)
		session_count(session, request, request->ended_tsc);
}

static void
check(struct session *session, const struct request *receive, uint32_t slot,
	enum pattern_stream stream, uint64_t sequence)
{
	if (!session->verify)
		return;
	session_check(
		session, session_exposed(session, slot), session->size_bytes, stream, sequence);
	session_check_immediate(session, receive, ND_RESULT_WITH_IMM | ND_RESULT_WRITE, sequence);
}

static void
initiator_received(struct session *session, const struct request *receive, uint64_t now)
{
	/* Only one operation is outstanding, so this message answers the last one posted. */
	const uint32_t slot = (session->next_slot > 0 ? session->next_slot : session->slots) - 1;
	struct request *request = session_request(session, 0, slot);

	if (!session->latency || request->pending == 0 || session->posted == session->completed) {
		session_fail(session, "the server wrote an answer that nobody asked for");
		return;
	}
	request->ended_tsc = now;
	check(session, receive, slot, PATTERN_ANSWER, request->sequence);
	if (--request->pending == 0)
		session_count(session, request, now);
}

static void
target_received(struct session *session, const struct request *receive, uint64_t now)
{
	const uint32_t slot = session->next_slot;

	(void)now;
	check(session, receive, slot, PATTERN_REQUEST, session->answered);
	if (++session->next_slot == session->slots)
		session->next_slot = 0;
	if (session->latency) {
		struct request *request = session_request(session, 0, slot);

		if (request->busy) {
			session_fail(session, "the client writes faster than it takes answers");
			return;
		}
		request->sequence = session->answered;
		post_write(session, request, PATTERN_ANSWER);
	}
	session->answered++;
}

static void
target_done(struct session *session, uint64_t count)
{
	if (session->answered != count)
		session_fail(session, "%llu messages were written, %llu came",
			(unsigned long long)count, (unsigned long long)session->answered);
}

const struct workload workload_write_imm = {
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
