/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "session.h"

#include <ndpdk/nd_extension.h>

#include "posting.h"
#include "shared.h"

/*
 * send: the initiator sends, the target receives. With --latency the target sends back an answer of
 * the same size, and the operation is complete when the answer has arrived.
 *
 * send-imm: the same with immediate data, which contain the number of the message.
 */

static bool
has_immediate(const struct session *session)
{
	return session->op == OPTIONS_OP_SEND_IMM;
}

static void
initiator_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){.local_slots = session->slots, .requests_per_slot = 1};
}

static void
target_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){0};
	if (session->latency)
		initiator_plan(session, plan);
}

static void
post_send(struct session *session, struct request *request, enum pattern_stream stream)
{
	uint8_t *message = session_local(session, request->slot);
	const struct nd_sge sge = posting_sge(session, message);
	nd_status status;

	if (session->verify)
		pattern_fill(message, session->size_bytes,
			pattern_seed(session->qp, stream, request->sequence));
	request->busy = true;
	request->posted_tsc = session_posting_tsc(session);
	if (has_immediate(session))
		status = nd_endpoint_send_with_imm(session->link.endpoint, &request->result, &sge,
			session->size_bytes > 0, session_immediate(request->sequence), 0);
	else
		status = nd_endpoint_send(
			session->link.endpoint, &request->result, &sge, session->size_bytes > 0, 0);
	session_posted(session, status, "send");
}

static void
initiator_post(struct session *session, uint32_t slot)
{
	struct request *request = session_request(session, 0, slot);

	request->sequence = session->posted;
	/*
	 * Two events: the result of this send, and the arrival of the answer, which ends the round
	 * trip.
	 */
	request->pending = session->latency ? 2 : 1;
	post_send(session, request, PATTERN_REQUEST);
}

static void
initiator_completed(struct session *session, struct request *request, uint64_t now)
{
	if (!session->latency)
		request->ended_tsc = now;
	if (--request->pending == 0)
		session_count(session, request, request->ended_tsc);
}

static const uint8_t *
received_bytes(const struct session *session, const struct request *receive)
{
	return shared_message(session, receive);
}

static void
check(struct session *session, const struct request *receive, enum pattern_stream stream,
	uint64_t sequence)
{
	if (!session->verify)
		return;
	session_check(
		session, received_bytes(session, receive), session->size_bytes, stream, sequence);
	session_check_immediate(
		session, receive, has_immediate(session) ? ND_RESULT_WITH_IMM : 0, sequence);
}

static void
initiator_received(struct session *session, const struct request *receive, uint64_t now)
{
	/* Only one operation is outstanding, so this message answers the last one posted. */
	const uint32_t slot = (session->next_slot > 0 ? session->next_slot : session->slots) - 1;
	struct request *request = session_request(session, 0, slot);

	if (!session->latency || request->pending == 0 || session->posted == session->completed) {
		session_fail(session, "the server sent an answer that nobody asked for");
		return;
	}
	request->ended_tsc = now;
	check(session, receive, PATTERN_ANSWER, request->sequence);
	if (--request->pending == 0)
		session_count(session, request, now);
}

static void
target_received(struct session *session, const struct request *receive, uint64_t now)
{
	(void)now;
	check(session, receive, PATTERN_REQUEST, session->answered);
	if (session->latency) {
		struct request *request = session_request(session, 0, session->next_slot);

		if (request->busy) {
			session_fail(session, "the client sent faster than it takes answers");
			return;
		}
		if (++session->next_slot == session->slots)
			session->next_slot = 0;
		request->sequence = session->answered;
		post_send(session, request, PATTERN_ANSWER);
	}
	session->answered++;
}

static void
target_done(struct session *session, uint64_t count)
{
	if (session->answered != count)
		session_fail(session, "%llu messages were sent, %llu came",
			(unsigned long long)count, (unsigned long long)session->answered);
}

const struct workload workload_send = {
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
