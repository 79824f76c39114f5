/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "session.h"

#include "posting.h"

/*
 * write: the initiator writes into the target's window.
 *
 * A WRITE does not notify the target. With --verify the initiator sends a check message after each
 * lap of `slots` writes. When the check message arrives, all earlier writes are complete. The
 * window has room for two laps: the target verifies a lap while the initiator writes the next lap.
 * Lap n + 2 starts only after lap n has been verified.
 *
 * With --latency the last byte of each message is its number modulo 255, so it differs from that of
 * the previous message. The target reads this byte once per turn and answers with a write into the
 * initiator's window. The thread that polls the engine reads the byte between two polls, when no
 * write is in progress. The latency of a message without bytes ends with its acknowledgement.
 */

static bool
is_answered(const struct session *session)
{
	return session->latency && session->size_bytes > 0;
}

/* @return number of messages in the target's window; both sides compute the same number */
static uint32_t
window_slots(const struct session *session)
{
	if (session->latency)
		return 1;
	return session->verify ? 2 * session->slots : session->slots;
}

static uint8_t
tag_of(uint64_t sequence)
{
	return (uint8_t)(1 + sequence % 255);
}

static void
initiator_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){.local_slots = session->slots, .requests_per_slot = 1};
	if (is_answered(session)) {
		plan->exposed_slots = 1;
		plan->windows = 1;
		plan->window_flags = ND_OP_FLAG_ALLOW_WRITE;
		plan->polls = true;
	}
}

static void
target_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){
		.exposed_slots = window_slots(session),
		.windows = 1,
		.window_flags = ND_OP_FLAG_ALLOW_WRITE,
	};
	if (is_answered(session)) {
		plan->local_slots = session->slots;
		plan->requests_per_slot = 1;
		plan->polls = true;
	}
}

static void
post_write(struct session *session, struct request *request, enum pattern_stream stream)
{
	uint8_t *message = session_local(session, request->slot);
	const struct nd_sge sge = posting_sge(session, message);

	if (session->verify)
		pattern_fill(message, session->size_bytes,
			pattern_seed(session->qp, stream, request->sequence));
	if (is_answered(session))
		message[session->size_bytes - 1] = tag_of(request->sequence);
	request->busy = true;
	request->posted_tsc = session_posting_tsc(session);
	session_posted(session,
		nd_endpoint_write(session->link.endpoint, &request->result, &sge,
			session->size_bytes > 0, &session->remote,
			request->remote_slot * session->slot_bytes, 0),
		"write");
}

/* Tell the target to verify the lap that ends here. */
static void
send_check(struct session *session)
{
	const struct control_message check = {.count = rte_cpu_to_be_64(session->posted + 1)};

	if (!session_send_control(session, CONTROL_CHECK, &check, NULL))
		session_fail(session, "no control message is free for a check");
}

static void
initiator_post(struct session *session, uint32_t slot)
{
	struct request *request = session_request(session, 0, slot);

	request->sequence = session->posted;
	request->pending = is_answered(session) ? 2 : 1;
	request->ended_tsc = 0;
	request->remote_slot = session->next_remote_slot;
	if (++session->next_remote_slot == window_slots(session))
		session->next_remote_slot = 0;
	post_write(session, request, PATTERN_REQUEST);
	if (!session->verify || session->latency)
		return;
	if (session->posted == 0)
		session->post_ceiling = window_slots(session);
	if (slot == session->slots - 1)
		send_check(session);
}

static void
initiator_completed(struct session *session, struct request *request, uint64_t now)
{
	if (!is_answered(session))
		request->ended_tsc = now;
	if (--request->pending == 0)
		session_count(session, request, request->ended_tsc);
}

static void
initiator_control(struct session *session, const struct control_message *message, uint64_t now)
{
	(void)now;
	if (message->type != CONTROL_CHECKED) {
		session_fail(session, "the server sent control message %u", message->type);
		return;
	}
	session->post_ceiling = rte_be_to_cpu_64(message->count) + window_slots(session);
}

/* @return whether the peer's write of this number has arrived in the window of this side */
static bool
has_arrived(struct session *session, uint64_t sequence, enum pattern_stream stream)
{
	/* Atomic, because the library writes this memory in calls that the compiler cannot see. */
	const uint8_t *last = session_exposed(session, 0) + session->size_bytes - 1;

	if (__atomic_load_n(last, __ATOMIC_ACQUIRE) != tag_of(sequence))
		return false;
	if (session->verify)
		session_check(session, session_exposed(session, 0), session->size_bytes - 1, stream,
			sequence);
	return true;
}

static void
initiator_turn(struct session *session)
{
	const uint32_t slot = (session->next_slot > 0 ? session->next_slot : session->slots) - 1;
	struct request *request = session_request(session, 0, slot);

	if (!is_answered(session) || session->posted == session->completed ||
		request->ended_tsc != 0)
		return;
	if (!has_arrived(session, request->sequence, PATTERN_ANSWER))
		return;
	request->ended_tsc = stopwatch_now();
	if (--request->pending == 0)
		session_count(session, request, request->ended_tsc);
}

static void
target_turn(struct session *session)
{
	struct request *request;

	if (!is_answered(session) || !has_arrived(session, session->answered, PATTERN_REQUEST))
		return;
	request = session_request(session, 0, session->next_slot);
	if (request->busy) {
		session_fail(session, "the client writes faster than it takes answers");
		return;
	}
	if (++session->next_slot == session->slots)
		session->next_slot = 0;
	request->sequence = session->answered++;
	post_write(session, request, PATTERN_ANSWER);
}

/* Verify all messages up to this number. */
static void
check_messages(struct session *session, uint64_t count)
{
	const uint32_t slots = window_slots(session);

	if (count < session->answered || count - session->answered > slots) {
		session_fail(session, "the client asks to check messages it cannot have written");
		return;
	}
	for (; session->answered < count; session->answered++) {
		session_check(session, session_exposed(session, session->next_slot),
			session->size_bytes, PATTERN_REQUEST, session->answered);
		if (++session->next_slot == slots)
			session->next_slot = 0;
	}
}

static void
target_control(struct session *session, const struct control_message *message, uint64_t now)
{
	const struct control_message checked = {.count = message->count};

	(void)now;
	if (message->type != CONTROL_CHECK || !session->verify || session->latency) {
		session_fail(session, "the client sent control message %u", message->type);
		return;
	}
	check_messages(session, rte_be_to_cpu_64(message->count));
	if (session->state == SESSION_RUNNING &&
		!session_send_control(session, CONTROL_CHECKED, &checked, NULL))
		session_fail(session, "no control message is free for a check");
}

static void
target_done(struct session *session, uint64_t count)
{
	if (session->verify && !session->latency)
		check_messages(session, count);
}

const struct workload workload_write = {
	.initiator =
		{
			.plan = initiator_plan,
			.post = initiator_post,
			.completed = initiator_completed,
			.control = initiator_control,
			.turn = initiator_turn,
		},
	.target =
		{
			.plan = target_plan,
			.control = target_control,
			.turn = target_turn,
			.done = target_done,
		},
};
