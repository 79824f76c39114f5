/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/model.h"

#include <rte_common.h>

#include "base/psn.h"

/* A NAK affects at most this number of operations after the operation that it refuses. */
#define NAK_REACH        8192u
/* Longest time in ns between a packet and a duplicate that the network makes. */
#define DUPLICATE_MAX_NS UINT64_C(1000000)

/*
 * State while the requests of one side and the answers to them are processed in capture order, to
 * find how operations end.
 */
struct walk {
	struct nd_model *model;
	struct model_connection *of;
	struct model_side *side;
	uint64_t next_seq; /* highest PSN that a request has used so far, plus 1; 0 = none yet */
	size_t ended;      /* all operations before this index have ended */
	size_t connection;
	unsigned requester;
	/*
	 * PSN that the receiver expects next, if it received all captured packets and keeps no
	 * packets after a gap.
	 */
	uint64_t expected_seq;
	/* index from which on no operation was accepted since the newest NAK */
	size_t rejected;
	bool ahead;           /* a packet after a gap was captured, and no NAK after that packet */
	uint64_t excused_seq; /* PSN of a filled gap; a NAK for this PSN may still arrive */
};

/* Extend a response's 24-bit PSN to 64 bits, choosing the value nearest to the requests. */
static uint64_t
answer_seq(const struct walk *walk, uint32_t psn)
{
	uint64_t next = walk->next_seq;

	if (next == 0 && walk->side->operations.count != 0)
		next = model_operation_at(walk->side, 0)->report.sequence;
	if (next == 0)
		return 0;
	return next + (uint64_t)(int64_t)psn_diff(psn, (uint32_t)(next & PSN_MASK));
}

/* @return index of the operation to which a PSN belongs; ND_MODEL_NONE: none */
static size_t
owner_of(const struct walk *walk, uint64_t seq)
{
	size_t index = seq == 0 ? ND_MODEL_NONE : model_operation_find(walk->side, seq);
	const struct model_operation *operation;

	if (index == ND_MODEL_NONE)
		return ND_MODEL_NONE;
	operation = model_operation_at(walk->side, index);
	if (operation->report.packets != 0 &&
		seq - operation->report.sequence >= operation->report.packets)
		return ND_MODEL_NONE;
	return index;
}

static bool
is_message(enum nd_model_kind kind)
{
	return kind <= ND_MODEL_WRITE_IMMEDIATE || kind == ND_MODEL_OTHER;
}

static void
operation_end(struct model_operation *operation, enum nd_model_end end,
	const struct nd_model_frame *frame, uint64_t number)
{
	operation->report.end = end;
	operation->report.end_frame = number;
	operation->report.end_ns = frame->time_ns;
}

/* Process an answer that proves the execution of all requests before a PSN. */
static void
cover(struct walk *walk, uint64_t seq, const struct nd_model_frame *frame, uint64_t number)
{
	for (; walk->ended < walk->side->operations.count; walk->ended++) {
		struct model_operation *operation = model_operation_at(walk->side, walk->ended);

		if (operation->report.sequence + model_operation_span(operation) > seq ||
			operation->report.first_frame > number)
			return;
		if (operation->report.end != ND_MODEL_UNANSWERED)
			continue;
		operation_end(operation,
			is_message(operation->report.kind) ? ND_MODEL_ACKNOWLEDGED
							   : ND_MODEL_IMPLIED,
			frame, number);
	}
}

/* Update the expected PSN after a request packet was captured. */
static void
expected_raise(struct walk *walk, uint64_t seq, uint64_t end)
{
	if (seq > walk->expected_seq)
		walk->ahead = true;
	if (seq > walk->expected_seq || end <= walk->expected_seq)
		return;
	if (walk->ahead)
		walk->excused_seq = walk->expected_seq;
	walk->ahead = false;
	walk->expected_seq = end;
}

/*
 * Process a sequence NAK. If the NAK requests a PSN before the expected PSN, the packet was
 * captured, so it was lost between the place of the capture and the receiver.
 */
static void
expected_judge(struct walk *walk, uint64_t seq, size_t owner, uint64_t number)
{
	walk->ahead = false;
	if (seq == walk->excused_seq) {
		walk->excused_seq = 0;
		return;
	}
	if (seq < walk->expected_seq && owner != ND_MODEL_NONE)
		model_fault_add(walk->model,
			&(struct nd_model_fault){
				.kind = ND_MODEL_FAULT_LOST,
				.place = ND_MODEL_PLACE_BEHIND,
				.connection = walk->connection,
				.side = walk->requester,
				.frame = number,
				.original = model_operation_at(walk->side, owner)->last_copy,
				.psn = (uint32_t)(seq & PSN_MASK),
				.operation = owner,
			});
	walk->expected_seq = seq;
}

/*
 * Process a NAK for operation `first`: the receiver dropped all packets of this and later
 * operations.
 */
static void
reject_from(struct walk *walk, size_t first, uint64_t number)
{
	if (first >= walk->rejected)
		return;
	walk->rejected = first;
	for (size_t i = first; i < walk->side->operations.count && i - first < NAK_REACH; i++) {
		struct model_operation *operation = model_operation_at(walk->side, i);

		if (operation->report.sequence >= walk->next_seq)
			return;
		if (operation->report.end == ND_MODEL_UNANSWERED &&
			operation->accepted_frame < number)
			operation->accepted_frame = 0;
	}
}

static void
nak_take(struct walk *walk, const struct model_packet *packet, uint64_t seq, size_t owner,
	const struct nd_model_frame *frame)
{
	struct model_operation *operation =
		owner == ND_MODEL_NONE ? NULL : model_operation_at(walk->side, owner);
	uint64_t number = packet->frame + 1;

	cover(walk, seq, frame, number);
	if (wire_aeth_type(packet->syndrome) == WIRE_AETH_RNR_NAK) {
		if (operation == NULL)
			return;
		operation->report.rnr_naks++;
		walk->expected_seq = seq;
		operation->rnr_frame = number;
		reject_from(walk, owner, number);
	} else if (packet->syndrome == WIRE_NAK_SEQUENCE) {
		expected_judge(walk, seq, owner, number);
		if (operation == NULL)
			return;
		operation->report.sequence_naks++;
		reject_from(walk, owner, number);
	} else if (operation != NULL && operation->report.end != ND_MODEL_ACKNOWLEDGED) {
		operation_end(operation, ND_MODEL_REFUSED, frame, number);
		operation->report.syndrome = packet->syndrome;
		if (walk->side->fatal_frame == 0)
			walk->side->fatal_frame = number;
	}
}

static void
atomic_take(struct walk *walk, const struct model_packet *packet, uint64_t seq, size_t owner,
	struct nd_model_frame *frame)
{
	struct model_operation *operation;

	cover(walk, seq, frame, packet->frame + 1);
	if (owner == ND_MODEL_NONE)
		return;
	operation = model_operation_at(walk->side, owner);
	operation->answers++;
	frame->repeated = operation->answers > 1;
	if (operation->report.original_known ||
		(operation->report.kind != ND_MODEL_COMPARE_SWAP &&
			operation->report.kind != ND_MODEL_FETCH_ADD))
		return;
	operation->report.original = packet->swap_add;
	operation->report.original_known = true;
	operation_end(operation, ND_MODEL_ACKNOWLEDGED, frame, packet->frame + 1);
}

static void
read_response_take(struct walk *walk, const struct model_packet *packet, size_t owner,
	const struct nd_model_frame *frame)
{
	struct model_operation *operation;

	if (owner == ND_MODEL_NONE)
		return;
	operation = model_operation_at(walk->side, owner);
	cover(walk, operation->report.sequence, frame, packet->frame + 1);
	operation->answers++;
}

static void
answer_take(struct walk *walk, struct model_packet *packet, struct nd_model_frame *frame)
{
	uint64_t seq = answer_seq(walk, packet->psn);
	size_t owner = owner_of(walk, seq);

	if (seq == 0)
		return;
	packet->sequence = seq;
	frame->sequence = seq;
	frame->operation = owner;
	if (owner != ND_MODEL_NONE)
		frame->packet =
			(uint32_t)(seq - model_operation_at(walk->side, owner)->report.sequence);
	switch (frame->part) {
	case ND_MODEL_FRAME_READ_RESPONSE:
		read_response_take(walk, packet, owner, frame);
		return;
	case ND_MODEL_FRAME_ATOMIC_ACK:
		atomic_take(walk, packet, seq, owner, frame);
		return;
	case ND_MODEL_FRAME_ACK:
		cover(walk, seq + 1, frame, packet->frame + 1);
		walk->expected_seq = RTE_MAX(walk->expected_seq, RTE_MIN(seq + 1, walk->next_seq));
		return;
	case ND_MODEL_FRAME_NAK:
	case ND_MODEL_FRAME_RNR_NAK:
		nak_take(walk, packet, seq, owner, frame);
		return;
	case ND_MODEL_FRAME_OTHER:
	case ND_MODEL_FRAME_CUT:
	case ND_MODEL_FRAME_HIDDEN:
	case ND_MODEL_FRAME_MALFORMED:
	case ND_MODEL_FRAME_FOREIGN:
	case ND_MODEL_FRAME_CORRUPTED:
	case ND_MODEL_FRAME_CM:
	case ND_MODEL_FRAME_DATAGRAM:
	case ND_MODEL_FRAME_REQUEST:
	case ND_MODEL_FRAME_CNP:
	case ND_MODEL_FRAME_RESERVED:
		return;
	}
}

static void
request_take(
	struct walk *walk, const struct model_packet *packet, const struct nd_model_frame *frame)
{
	struct model_operation *operation;
	uint64_t end = packet->sequence + 1;

	if (packet->sequence == 0 || frame->operation == ND_MODEL_NONE)
		return;
	operation = model_operation_at(walk->side, frame->operation);
	if (packet->sequence == operation->last_seq && operation->accepted_frame == 0) {
		operation->accepted_frame = packet->frame + 1;
		walk->rejected = SIZE_MAX;
	}
	if (operation->report.kind == ND_MODEL_READ)
		end = operation->report.sequence + model_operation_span(operation);
	walk->next_seq = RTE_MAX(walk->next_seq, end);
	expected_raise(walk, packet->sequence, end);
	operation->last_copy = packet->frame + 1;
}

static bool
is_answer(enum nd_model_part part)
{
	return part == ND_MODEL_FRAME_ACK || part == ND_MODEL_FRAME_NAK ||
		part == ND_MODEL_FRAME_RNR_NAK || part == ND_MODEL_FRAME_READ_RESPONSE ||
		part == ND_MODEL_FRAME_ATOMIC_ACK;
}

void
model_walk(struct nd_model *model, size_t connection, unsigned side)
{
	struct walk walk = {
		.model = model,
		.of = model_connection_at(model, connection),
		.side = model_side_at(model, connection, side),
		.connection = connection,
		.requester = side,
		.rejected = SIZE_MAX,
	};

	if (walk.side->operations.count != 0)
		walk.expected_seq = model_operation_at(walk.side, 0)->report.sequence;
	for (size_t i = 0; i < walk.of->packet_count; i++) {
		struct model_packet *packet =
			model_packet_at(model, model->order[walk.of->first_packet + i]);
		struct nd_model_frame *frame = &model_frame_of(model, packet)->report;

		if (frame->side == side && frame->part == ND_MODEL_FRAME_REQUEST)
			request_take(&walk, packet, frame);
		else if (frame->side != side && is_answer(frame->part))
			answer_take(&walk, packet, frame);
	}
}
