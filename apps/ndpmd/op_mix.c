/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <ndpdk/nd_extension.h>

#include "shared.h"

/*
 * mix: sends, writes and reads over one connection, with or without immediate data, in the order of
 * mix.h. The target computes the same order. Therefore it knows the operation of each message, and
 * the places of its window that have been written.
 *
 * The target's window:
 *
 *   | one lap of writes | the next lap | one place more than a lap, to be read |
 *
 * A lap has as many operations of any kind as there are slots. Operation n writes to place n modulo
 * two laps. With --verify, as in op_write.c, a check message follows each lap, and the initiator
 * begins lap n + 2 only after lap n has been verified.
 */

/* Positions of the target in the order of the mix; index of session->mix. */
enum {
	PLACE_RECEIVE, /**< next message to receive */
	PLACE_CHECK,   /**< next operation to verify in the window */
};

static uint32_t
lap_slots(const struct session *session)
{
	return 2 * session->slots;
}

static void
initiator_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){.local_slots = session->slots, .requests_per_slot = 1};
}

static void
target_plan(const struct session *session, struct workload_plan *plan)
{
	*plan = (struct workload_plan){
		.exposed_slots = lap_slots(session) + session->slots + 1,
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

/* @return place in the target's window */
static uint64_t
place_of(const struct session *session, enum options_op op, uint64_t sequence)
{
	if (op == OPTIONS_OP_READ)
		return lap_slots(session) + sequence % (session->slots + 1);
	return sequence % lap_slots(session);
}

static nd_status
post(struct session *session, struct request *request, enum options_op op, const struct nd_sge *sge)
{
	struct nd_endpoint *endpoint = session->link.endpoint;
	struct nd_result *result = &request->result;
	const struct nd_mw_descriptor *remote = &session->remote;
	const uint64_t offset = request->remote_slot * session->slot_bytes;
	const uint32_t immediate = session_immediate(request->sequence);
	const size_t count = session->size_bytes > 0;

	switch (op) {
	case OPTIONS_OP_SEND:
		return nd_endpoint_send(endpoint, result, sge, count, 0);
	case OPTIONS_OP_SEND_IMM:
		return nd_endpoint_send_with_imm(endpoint, result, sge, count, immediate, 0);
	case OPTIONS_OP_WRITE:
		return nd_endpoint_write(endpoint, result, sge, count, remote, offset, 0);
	case OPTIONS_OP_WRITE_IMM:
		return nd_endpoint_write_with_imm(
			endpoint, result, sge, count, remote, offset, immediate, 0);
	case OPTIONS_OP_READ:
		return nd_endpoint_read(endpoint, result, sge, count, remote, offset, 0);
	case OPTIONS_OP_BIND:
	case OPTIONS_OP_FETCH_ADD:
	case OPTIONS_OP_COMPARE_SWAP:
	case OPTIONS_OP_MIX:
	case OPTIONS_OP_COUNT:
		break;
	}
	return ND_INVALID_PARAMETER;
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
	uint8_t *message = session_local(session, slot);
	const struct nd_sge sge = session_sge(session, message);
	const enum options_op op = mix_next(&session->mix[0]);

	request->sequence = session->posted;
	request->op = (uint8_t)op;
	request->remote_slot = place_of(session, op, request->sequence);
	if (session->verify && op != OPTIONS_OP_READ)
		pattern_fill(message, session->size_bytes,
			pattern_seed(session->qp, PATTERN_REQUEST, request->sequence));
	request->posted_tsc = session_posting_tsc(session);
	if (!session_posted(session, post(session, request, op, &sge), options_op_name(op)))
		return;
	if (!session->verify)
		return;
	if (session->posted == 0)
		session->post_ceiling = lap_slots(session);
	if (slot == session->slots - 1)
		send_check(session);
}

static void
initiator_completed(struct session *session, struct request *request, uint64_t now)
{
	if (session->verify && request->op == OPTIONS_OP_READ)
		session_check(session, session_local(session, request->slot), session->size_bytes,
			PATTERN_REQUEST, request->remote_slot);
	session_count(session, request, now);
	if (session->parts != NULL && request->sequence >= session->measured_from)
		histogram_record(&session->parts[request->op],
			stopwatch_ns(session->stopwatch, now - request->posted_tsc));
}

static void
initiator_control(struct session *session, const struct control_message *message, uint64_t now)
{
	(void)now;
	if (message->type != CONTROL_CHECKED) {
		session_fail(session, "the server sent control message %u", message->type);
		return;
	}
	session->post_ceiling = rte_be_to_cpu_64(message->count) + lap_slots(session);
}

static void
target_received(struct session *session, const struct request *receive, uint64_t now)
{
	struct mix *place = &session->mix[PLACE_RECEIVE];
	uint32_t flags = 0;
	enum options_op op;
	uint64_t sequence;

	(void)now;
	do {
		sequence = place->sequence;
		op = mix_next(place);
	} while (!takes_receive(op));
	session->answered++;
	if (!session->verify)
		return;
	if (op != OPTIONS_OP_WRITE_IMM)
		session_check(session, shared_message(session, receive), session->size_bytes,
			PATTERN_REQUEST, sequence);
	else
		flags = ND_RESULT_WRITE;
	if (op != OPTIONS_OP_SEND)
		flags |= ND_RESULT_WITH_IMM;
	session_check_immediate(session, receive, flags, sequence);
}

/* Verify all writes up to this operation. */
static void
check_window(struct session *session, uint64_t count)
{
	struct mix *place = &session->mix[PLACE_CHECK];

	if (count < place->sequence || count - place->sequence > lap_slots(session)) {
		session_fail(session, "the client asks to check messages it cannot have written");
		return;
	}
	while (place->sequence < count) {
		const uint64_t sequence = place->sequence;
		const enum options_op op = mix_next(place);

		if (is_write(op))
			session_check(session,
				session_exposed(session, place_of(session, op, sequence)),
				session->size_bytes, PATTERN_REQUEST, sequence);
	}
}

static void
target_control(struct session *session, const struct control_message *message, uint64_t now)
{
	const struct control_message checked = {.count = message->count};

	(void)now;
	if (message->type != CONTROL_CHECK || !session->verify) {
		session_fail(session, "the client sent control message %u", message->type);
		return;
	}
	check_window(session, rte_be_to_cpu_64(message->count));
	if (session->state == SESSION_RUNNING &&
		!session_send_control(session, CONTROL_CHECKED, &checked, NULL))
		session_fail(session, "no control message is free for a check");
}

/* Check that the target has received the messages of all operations, and no others. */
static void
target_done(struct session *session, uint64_t count)
{
	struct mix *place = &session->mix[PLACE_RECEIVE];
	bool is_missing = place->sequence > count;

	if (session->verify)
		check_window(session, count);
	while (place->sequence < count && !is_missing)
		is_missing = takes_receive(mix_next(place));
	if (is_missing)
		session_fail(session,
			"of %llu operations, %llu brought a message: not as many as the mix has",
			(unsigned long long)count, (unsigned long long)session->answered);
}

const struct workload workload_mix = {
	.initiator =
		{
			.plan = initiator_plan,
			.post = initiator_post,
			.completed = initiator_completed,
			.control = initiator_control,
		},
	.target =
		{
			.plan = target_plan,
			.received = target_received,
			.control = target_control,
			.done = target_done,
		},
};
