/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/model_walk.h"

#include <rte_common.h>

#include "base/encoded_time.h"
#include "base/psn.h"

/* A NAK may concern so many operations behind the one it names. */
#define NAK_REACH        8192u
/* A network that delivers a packet twice does so at once. */
#define DUPLICATE_MAX_NS UINT64_C(1000000)

/* A PSN of an answer, unwrapped near the requests. */
static uint64_t
answer_seq(const struct model_walk *walk, uint32_t psn)
{
	uint64_t next = walk->next_seq;

	if (next == 0 && walk->side->operations.count != 0)
		next = model_operation_at(walk->side, 0)->report.sequence;
	if (next == 0)
		return 0;
	return next + (uint64_t)(int64_t)psn_diff(psn, (uint32_t)(next & PSN_MASK));
}

/* The operation that owns a PSN. @return ND_MODEL_NONE when none is known to. */
static size_t
owner_of(const struct model_walk *walk, uint64_t seq)
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

/* An answer says that everything before a PSN was executed. */
static void
cover(struct model_walk *walk, uint64_t seq, const struct nd_model_frame *frame, uint64_t number)
{
	walk->covered_seq = RTE_MAX(walk->covered_seq, RTE_MIN(seq, walk->next_seq));
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

/* The receiver dropped what came from a PSN on. */
static void
reject_from(struct model_walk *walk, size_t first, uint64_t number)
{
	for (size_t i = first; i < walk->side->operations.count && i - first < NAK_REACH; i++) {
		struct model_operation *operation = model_operation_at(walk->side, i);

		if (operation->report.first_frame > number)
			return;
		if (operation->report.end == ND_MODEL_UNANSWERED)
			operation->accepted_frame = 0;
	}
}

static void
nak_take(struct model_walk *walk, const struct model_packet *packet, uint64_t seq, size_t owner,
	const struct nd_model_frame *frame)
{
	struct model_operation *operation =
		owner == ND_MODEL_NONE ? NULL : model_operation_at(walk->side, owner);
	uint64_t number = packet->frame + 1;

	cover(walk, seq, frame, number);
	if (wire_aeth_type(packet->syndrome) == WIRE_AETH_RNR_NAK) {
		walk->rnr_nak = (struct model_nak){.seq = seq, .frame = number};
		if (operation == NULL)
			return;
		operation->report.rnr_naks++;
		operation->rnr_frame = number;
		reject_from(walk, owner, number);
	} else if (packet->syndrome == WIRE_NAK_SEQUENCE) {
		walk->sequence_nak = (struct model_nak){.seq = seq, .frame = number};
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
atomic_take(struct model_walk *walk, const struct model_packet *packet, uint64_t seq, size_t owner,
	struct nd_model_frame *frame)
{
	struct model_operation *operation;

	cover(walk, seq, frame, packet->frame + 1);
	if (owner == ND_MODEL_NONE)
		return;
	operation = model_operation_at(walk->side, owner);
	operation->answers++;
	operation->answered = 1;
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
read_response_take(struct model_walk *walk, const struct model_packet *packet, size_t owner,
	const struct nd_model_frame *frame)
{
	struct model_operation *operation;

	if (owner == ND_MODEL_NONE)
		return;
	operation = model_operation_at(walk->side, owner);
	cover(walk, operation->report.sequence, frame, packet->frame + 1);
	operation->answers++;
	operation->answered += packet->sequence == operation->report.sequence + operation->answered;
}

static void
answer_take(struct model_walk *walk, struct model_packet *packet, struct nd_model_frame *frame)
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
		model_faults_acknowledge(walk, packet, seq);
		cover(walk, seq + 1, frame, packet->frame + 1);
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
request_take(struct model_walk *walk, const struct model_packet *packet,
	const struct nd_model_frame *frame)
{
	struct model_operation *operation;
	uint64_t end = packet->sequence + 1;

	if (packet->sequence == 0 || frame->operation == ND_MODEL_NONE)
		return;
	operation = model_operation_at(walk->side, frame->operation);
	model_faults_request(walk, packet);
	if (packet->sequence == operation->last_seq && operation->accepted_frame == 0)
		operation->accepted_frame = packet->frame + 1;
	if (operation->report.kind == ND_MODEL_READ)
		end = operation->report.sequence + model_operation_span(operation);
	walk->next_seq = RTE_MAX(walk->next_seq, end);
	walk->newest_seq = RTE_MAX(walk->newest_seq, packet->sequence);
	walk->newest_request_frame = packet->frame + 1;
}

static bool
is_answer(enum nd_model_part part)
{
	return part == ND_MODEL_FRAME_ACK || part == ND_MODEL_FRAME_NAK ||
		part == ND_MODEL_FRAME_RNR_NAK || part == ND_MODEL_FRAME_READ_RESPONSE ||
		part == ND_MODEL_FRAME_ATOMIC_ACK;
}

/* Copies by the network come sooner than the sender's timer could expire. */
static uint64_t
duplicates_ns(const struct model_connection *of)
{
	uint64_t timeout_ns =
		of->report.req_seen ? base_timeout_ns(of->report.ack_timeout) : BASE_TIME_NEVER;

	return RTE_MIN(DUPLICATE_MAX_NS, timeout_ns / 2);
}

void
model_walk(struct nd_model *model, size_t connection, unsigned side)
{
	struct model_walk walk = {
		.model = model,
		.of = model_connection_at(model, connection),
		.side = model_side_at(model, connection, side),
		.connection = connection,
		.requester = side,
		.first_fault = model->faults.count,
	};

	walk.duplicates_ns = duplicates_ns(walk.of);
	for (size_t i = 0; i < walk.of->packet_count; i++) {
		struct model_packet *packet =
			model_packet_at(model, model->order[walk.of->first_packet + i]);
		struct nd_model_frame *frame = &model_frame_of(model, packet)->report;

		if (frame->side == side && frame->part == ND_MODEL_FRAME_REQUEST)
			request_take(&walk, packet, frame);
		else if (frame->side == side && frame->part == ND_MODEL_FRAME_CORRUPTED)
			model_faults_spoiled(&walk, packet);
		else if (frame->side != side && is_answer(frame->part))
			answer_take(&walk, packet, frame);
	}
	model_faults_finish(&walk);
	model_array_free(&walk.spoiled);
}
