/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <ndpdk/nd_extension.h>

#include "laps.h"
#include "operation.h"

/*
 * mix: sends, writes and reads over one connection, with or without immediate data, in the order
 * of mix.h. The target computes the same order. So it knows which operation each message belongs
 * to, and which places of its window have been written.
 *
 * The target's window:
 *
 *   | one lap of writes | the next lap | one place more than a lap, to be read |
 *
 * Operation n writes to place n modulo two laps. laps.h describes laps and --verify.
 */

/* Indexes of session->mix, which holds a side's positions in the order of the mix. */
enum {
	PLACE_POST = 0,    /**< initiator: next operation to post */
	PLACE_RECEIVE = 0, /**< target: next message to receive */
	PLACE_CHECK = 1,   /**< target: next operation to verify in the window */
};

static void
initiator_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){
		.local_slots = session->memory.slots, .requests_per_slot = 1};
}

static void
target_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){
		.exposed_slots = laps_slots(session) + session->memory.slots + 1,
		.windows = 1,
		.window_flags = ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE,
		.fill_exposed = true,
	};
}

static bool
takes_receive(enum options_op op)
{
	return op == OPTIONS_OP_SEND || op == OPTIONS_OP_SEND_IMM || op == OPTIONS_OP_WRITE_IMM;
}

static bool
is_write(enum options_op op)
{
	return op == OPTIONS_OP_WRITE || op == OPTIONS_OP_WRITE_IMM;
}

/* @return index of the place in the target's window that an operation writes or reads */
static uint64_t
place_of(const struct session *session, enum options_op op, uint64_t sequence)
{
	if (op == OPTIONS_OP_READ)
		return laps_slots(session) + sequence % (session->memory.slots + 1);
	return sequence % laps_slots(session);
}

static void
initiator_post(struct session *session, uint32_t slot)
{
	struct request *request = session_request(session, 0, slot);
	const enum options_op op = mix_next(&session->mix[PLACE_POST]);

	request->sequence = session->tally.posted;
	request->op = (uint8_t)op;
	request->remote_slot = place_of(session, op, request->sequence);
	if (op != OPTIONS_OP_READ)
		operation_fill(session, request, PATTERN_REQUEST);
	if (operation_post(session, request, op))
		laps_posted(session, slot);
}

static void
initiator_completed(struct session *session, struct request *request, uint64_t now)
{
	if (session->setup.verify && request->op == OPTIONS_OP_READ)
		operation_check(session, session_local(session, request->slot),
			session->setup.size_bytes, PATTERN_REQUEST, request->remote_slot);
	operation_count(session, request, now);
	if (session->parts != NULL && request->sequence >= session->tally.measured_from)
		histogram_record(&session->parts[request->op],
			stopwatch_ns(session->stopwatch, now - request->posted_tsc));
}

static void
target_received(struct session *session, const struct request *receive, uint64_t now)
{
	struct mix *place = &session->mix[PLACE_RECEIVE];
	enum options_op op;
	uint64_t sequence;

	(void)now;
	do {
		sequence = place->sequence;
		op = mix_next(place);
	} while (!takes_receive(op));
	session->tally.answered++;
	if (session->setup.verify)
		operation_check_receive(session, receive, op, PATTERN_REQUEST, sequence);
}

static void
target_check(struct session *session, uint64_t sequence)
{
	const enum options_op op = mix_next(&session->mix[PLACE_CHECK]);

	if (is_write(op))
		operation_check(session, session_exposed(session, place_of(session, op, sequence)),
			session->setup.size_bytes, PATTERN_REQUEST, sequence);
}

static void
target_done(struct session *session, uint64_t count)
{
	struct mix *place = &session->mix[PLACE_RECEIVE];
	bool is_missing = place->sequence > count;

	laps_done(session, count);
	while (place->sequence < count && !is_missing)
		is_missing = takes_receive(mix_next(place));
	if (is_missing)
		session_fail(session,
			"%llu operations delivered %llu messages, which does not match the weights "
			"of the mix",
			(unsigned long long)count, (unsigned long long)session->tally.answered);
}

const struct workload workload_mix = {
	.initiator =
		{
			.plan = initiator_plan,
			.post = initiator_post,
			.completed = initiator_completed,
			.control = laps_control,
		},
	.target =
		{
			.plan = target_plan,
			.received = target_received,
			.check = target_check,
			.control = laps_control,
			.done = target_done,
		},
};
