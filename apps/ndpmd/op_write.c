/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "laps.h"
#include "operation.h"

/*
 * write: the initiator writes into the target's window. laps.h describes --verify.
 *
 * With --latency the last byte of each message is its number modulo 255, so it differs from the
 * last byte of the previous message. The target reads this byte once per turn (one iteration of
 * its polling loop). When the byte has changed, the target answers with a write into the
 * initiator's window. The thread that polls the engine reads the byte between two polls, when no
 * write is in progress. If messages have 0 bytes, the latency ends with the acknowledgement.
 */

static bool
is_answered(const struct session *session)
{
	return session->setup.latency && session->setup.size_bytes > 0;
}

/* @return number of message slots in the target's window, which both sides compute */
static uint32_t
window_slots(const struct session *session)
{
	if (session->setup.latency)
		return 1;
	return session->setup.verify ? laps_slots(session) : session->memory.slots;
}

static uint8_t
tag_of(uint64_t sequence)
{
	return (uint8_t)(1 + sequence % 255);
}

static void
initiator_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){
		.local_slots = session->memory.slots, .requests_per_slot = 1};
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
		plan->local_slots = session->memory.slots;
		plan->requests_per_slot = 1;
		plan->polls = true;
	}
}

static void
post_write(struct session *session, struct request *request, enum pattern_stream stream)
{
	uint8_t *message = session_local(session, request->slot);

	operation_fill(session, request, stream);
	if (is_answered(session))
		message[session->setup.size_bytes - 1] = tag_of(request->sequence);
	operation_post(session, request, session->setup.op);
}

static void
initiator_post(struct session *session, uint32_t slot)
{
	struct request *request = session_request(session, 0, slot);

	request->sequence = session->tally.posted;
	request->pending = is_answered(session) ? 2 : 1;
	request->ended_tsc = 0;
	request->remote_slot = operation_take_remote_slot(session, window_slots(session));
	post_write(session, request, PATTERN_REQUEST);
	laps_posted(session, slot);
}

static void
initiator_completed(struct session *session, struct request *request, uint64_t now)
{
	if (!is_answered(session))
		request->ended_tsc = now;
	operation_step(session, request, request->ended_tsc);
}

/* @return true if the peer's write number sequence has arrived in the window of this side */
static bool
has_arrived(struct session *session, uint64_t sequence, enum pattern_stream stream)
{
	/*
	 * An atomic load, because the library writes this memory without the compiler's knowledge.
	 */
	const uint8_t *last = session_exposed(session, 0) + session->setup.size_bytes - 1;

	if (__atomic_load_n(last, __ATOMIC_ACQUIRE) != tag_of(sequence))
		return false;
	if (session->setup.verify)
		operation_check(session, session_exposed(session, 0), session->setup.size_bytes - 1,
			stream, sequence);
	return true;
}

static void
initiator_turn(struct session *session)
{
	struct request *request = operation_newest(session);

	if (!is_answered(session) || session->tally.posted == session->tally.completed ||
		request->ended_tsc != 0)
		return;
	if (!has_arrived(session, request->sequence, PATTERN_ANSWER))
		return;
	request->ended_tsc = stopwatch_now();
	operation_step(session, request, request->ended_tsc);
}

static void
target_turn(struct session *session)
{
	struct request *request;

	if (!is_answered(session) ||
		!has_arrived(session, session->tally.answered, PATTERN_REQUEST))
		return;
	request = session_request(session, 0, session_take_slot(session));
	if (!operation_may_answer(session, request))
		return;
	request->sequence = session->tally.answered++;
	post_write(session, request, PATTERN_ANSWER);
}

static void
target_check(struct session *session, uint64_t sequence)
{
	operation_check(session, session_exposed(session, sequence % laps_slots(session)),
		session->setup.size_bytes, PATTERN_REQUEST, sequence);
}

const struct workload workload_write = {
	.initiator =
		{
			.plan = initiator_plan,
			.post = initiator_post,
			.completed = initiator_completed,
			.control = laps_control,
			.turn = initiator_turn,
		},
	.target =
		{
			.plan = target_plan,
			.check = target_check,
			.control = laps_control,
			.turn = target_turn,
			.done = laps_done,
		},
};
