/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include <rte_common.h>

#include "base/psn.h"
#include "trace/model_walk.h"

#define SPOILED_REACH 1024u

void
model_fault_add(struct nd_model *model, const struct nd_model_fault *fault)
{
	struct nd_model_fault *added = model_array_add(&model->faults, sizeof(*added));

	if (added == NULL) {
		model->starved = true;
		return;
	}
	*added = *fault;
	added->psn &= PSN_MASK;
	if (added->packets == 0)
		added->packets = 1;
}

bool
model_same_bytes(
	const struct nd_model *model, const struct model_packet *a, const struct model_packet *b)
{
	const struct model_frame *first = model_frame_of(model, a),
				 *second = model_frame_of(model, b);

	return first->report.captured_bytes == second->report.captured_bytes &&
		memcmp(model->store + first->store_at, model->store + second->store_at,
			first->report.captured_bytes) == 0;
}

static uint64_t
time_of(const struct model_walk *walk, const struct model_packet *packet)
{
	return model_frame_of(walk->model, packet)->report.time_ns;
}

/* A fault of a packet that the requester sent, or with answer of one sent to it. */
static void
fault(struct model_walk *walk, enum nd_model_fault_kind kind, enum nd_model_place place,
	uint64_t frame, uint64_t original, uint64_t seq, size_t operation, bool answer,
	uint64_t packets)
{
	model_fault_add(walk->model,
		&(struct nd_model_fault){
			.kind = kind,
			.place = place,
			.connection = walk->connection,
			.side = answer ? !walk->requester : walk->requester,
			.frame = frame,
			.original = original,
			.psn = (uint32_t)(seq & PSN_MASK),
			.packets = (uint32_t)RTE_MIN(packets, (uint64_t)UINT32_MAX),
			.answer = answer,
			.operation = operation,
		});
}

void
model_faults_spoiled(struct model_walk *walk, const struct model_packet *packet)
{
	struct model_spoiled *spoiled = model_array_add(&walk->spoiled, sizeof(*spoiled));

	if (spoiled == NULL)
		walk->model->starved = true;
	else
		spoiled->psn = packet->psn;
}

/* @return whether a packet with this PSN was captured with a wrong ICRC; each serves once. Only the
 * newest are looked at: a sender does not wait longer. */
static bool
spoiled_take(struct model_walk *walk, uint32_t psn)
{
	struct model_spoiled *spoiled = walk->spoiled.items;

	for (size_t i = walk->spoiled.count, n = 0; i-- > 0 && n < SPOILED_REACH; n++) {
		if (spoiled[i].psn != psn || spoiled[i].used)
			continue;
		spoiled[i].used = true;
		return true;
	}
	return false;
}

/* Packets came late. Now it is known what the sender did next. */
static void
late_settle(struct model_walk *walk, bool goes_on)
{
	struct model_late *late = &walk->late;
	bool asked = walk->sequence_nak.frame != 0 && walk->sequence_nak.seq == late->seq &&
		walk->sequence_nak.frame < late->frame;
	bool lost = goes_on || late->in_run || (asked && !late->copied);

	if (late->packets == 0)
		return;
	if (lost && late->seq == walk->sequence_nak.seq)
		walk->sequence_nak.used = true;
	if (!late->spoiled || !lost)
		fault(walk, lost ? ND_MODEL_FAULT_LOST : ND_MODEL_FAULT_REORDERED,
			ND_MODEL_PLACE_BEFORE, late->frame, lost ? 0 : late->frame, late->seq,
			late->operation, false, late->packets);
	late->packets = 0;
	walk->run = lost;
}

/* A packet that was not captured before, though later ones were. */
static void
late_take(struct model_walk *walk, const struct model_packet *packet, size_t operation)
{
	struct model_late *late = &walk->late;

	if (late->packets != 0 && packet->sequence == late->seq + late->packets) {
		late->packets++;
		late->copied |= packet->copied;
		return;
	}
	late_settle(walk, false);
	*late = (struct model_late){
		.seq = packet->sequence,
		.frame = packet->frame + 1,
		.packets = 1,
		.operation = operation,
		.copied = packet->copied,
		.in_run = walk->run && packet->sequence == walk->run_next,
		.spoiled = spoiled_take(walk, packet->psn),
	};
}

/* A READ or atomic is requested again: its answer was lost, or the request. */
static void
answer_lost(struct model_walk *walk, const struct model_packet *packet,
	const struct model_operation *operation, size_t index)
{
	bool later = walk->covered_seq > packet->sequence + model_operation_span(operation);

	if (operation->answered >= model_operation_span(operation))
		fault(walk, ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_BEHIND, packet->frame + 1, 0,
			packet->sequence, index, true, 1);
	else if (operation->answered != 0 || later)
		fault(walk, ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_BEFORE, packet->frame + 1, 0,
			packet->sequence, index, true, 1);
	else
		fault(walk, ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_UNKNOWN, packet->frame + 1,
			operation->report.first_frame, packet->sequence, index, false, 1);
}

/* A run leaves PSNs out that are not acknowledged: their repetitions were lost on the way here. */
static void
skip_explain(struct model_walk *walk, const struct model_packet *packet)
{
	uint64_t seq = RTE_MAX(walk->run_next, walk->covered_seq);
	size_t owner;

	if (seq >= packet->sequence)
		return;
	walk->skipped_seq = seq;
	while (seq < packet->sequence && spoiled_take(walk, (uint32_t)(seq & PSN_MASK)))
		seq++;
	if (seq >= packet->sequence)
		return;
	owner = model_operation_find(walk->side, seq);
	fault(walk, ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_BEFORE, packet->frame + 1, 0, seq, owner,
		false, packet->sequence - seq);
}

/* The first packet of a run: why did its sender go back? */
static void
run_explain(struct model_walk *walk, const struct model_packet *packet,
	const struct model_packet *previous, size_t index)
{
	const struct model_operation *operation = model_operation_at(walk->side, index);
	uint64_t since = previous == NULL ? operation->report.first_frame : previous->frame + 1;
	struct model_nak *nak = &walk->sequence_nak;

	/* It waits for a receive; the NAKs for what came behind follow from that. */
	if (walk->rnr_nak.frame > since)
		return;
	if (nak->frame > since && nak->seq >= packet->sequence) {
		if (nak->used || nak->seq > walk->newest_seq || nak->seq == walk->skipped_seq)
			return;
		/* What it names is late itself otherwise, and explained when it comes. */
		if (nak->seq == packet->sequence) {
			nak->used = true;
			fault(walk, ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_BEHIND, nak->frame, since,
				nak->seq, index, false, 1);
		}
		return;
	}
	if (operation->report.kind == ND_MODEL_READ ||
		operation->report.kind == ND_MODEL_COMPARE_SWAP ||
		operation->report.kind == ND_MODEL_FETCH_ADD)
		answer_lost(walk, packet, operation, index);
	else if (walk->covered_seq > packet->sequence)
		fault(walk, ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_BEHIND, packet->frame + 1, 0,
			packet->sequence, index, true, 1);
	else
		fault(walk, ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_UNKNOWN, packet->frame + 1, since,
			packet->sequence, index, false, 1);
}

/* Whether the network made a copy of a packet: at once, and without anybody asking for it. */
static bool
is_duplicate(const struct model_walk *walk, const struct model_packet *packet,
	const struct model_packet *previous)
{
	uint64_t since = previous == NULL ? 0 : previous->frame + 1;

	return previous != NULL &&
		time_of(walk, packet) - time_of(walk, previous) < walk->duplicates_ns &&
		walk->sequence_nak.frame <= since && walk->rnr_nak.frame <= since &&
		model_same_bytes(walk->model, packet, previous);
}

static void
repeated_take(struct model_walk *walk, const struct model_packet *packet, size_t index)
{
	const struct model_operation *operation = model_operation_at(walk->side, index);
	const struct model_packet *previous = packet->previous == ND_MODEL_NONE
		? NULL
		: model_packet_at(walk->model, packet->previous);
	bool goes_on =
		walk->late.packets != 0 && packet->sequence == walk->late.seq + walk->late.packets;

	late_settle(walk, goes_on);
	walk->credit++;
	if (goes_on || (walk->run && packet->sequence == walk->run_next)) {
		walk->run = true;
	} else if (walk->run && packet->sequence > walk->run_next) {
		skip_explain(walk, packet);
	} else if (is_duplicate(walk, packet, previous)) {
		fault(walk, ND_MODEL_FAULT_REPEATED, ND_MODEL_PLACE_BEFORE, packet->frame + 1,
			previous->frame + 1, packet->sequence, index, false, 1);
		return;
	} else {
		run_explain(walk, packet, previous, index);
		walk->run = true;
	}
	walk->run_next = operation->report.kind == ND_MODEL_READ
		? operation->report.sequence + model_operation_span(operation)
		: packet->sequence + 1;
}

void
model_faults_request(struct model_walk *walk, const struct model_packet *packet)
{
	size_t index = model_frame_of(walk->model, packet)->report.operation;

	if (!packet->original) {
		repeated_take(walk, packet, index);
		return;
	}
	if (walk->next_seq != 0 && packet->sequence < walk->newest_seq) {
		late_take(walk, packet, index);
		walk->run_next = packet->sequence + 1;
		return;
	}
	late_settle(walk, false);
	walk->run = false;
}

/* Whether the copy of an Acknowledge has no cause but the network. */
static bool
ack_is_duplicate(const struct model_walk *walk, const struct model_packet *packet)
{
	const struct model_packet *previous = walk->newest_ack;

	return previous != NULL && walk->newest_request_frame < previous->frame + 1 &&
		walk->credit == 0 &&
		time_of(walk, packet) - time_of(walk, previous) < walk->duplicates_ns &&
		model_same_bytes(walk->model, packet, previous);
}

void
model_faults_acknowledge(struct model_walk *walk, const struct model_packet *packet, uint64_t seq)
{
	size_t index = model_frame_of(walk->model, packet)->report.operation;
	bool again = walk->newest_ack != NULL && seq == walk->newest_ack_seq;

	if (again && ack_is_duplicate(walk, packet)) {
		model_frame_of(walk->model, packet)->report.repeated = true;
		fault(walk, ND_MODEL_FAULT_REPEATED, ND_MODEL_PLACE_BEFORE, packet->frame + 1,
			walk->newest_ack->frame + 1, seq, index, true, 1);
		return;
	}
	if (again && walk->credit != 0)
		walk->credit--;
	if (walk->newest_ack != NULL && seq < walk->newest_ack_seq) {
		fault(walk, ND_MODEL_FAULT_REORDERED, ND_MODEL_PLACE_BEFORE, packet->frame + 1,
			packet->frame + 1, seq, index, true, 1);
		return;
	}
	walk->newest_ack = packet;
	walk->newest_ack_seq = seq;
}

/* Request packets that never came: answered, or lost for good. */
static void
gaps_explain(struct model_walk *walk)
{
	const struct model_gap *gaps = walk->side->gaps.items;

	for (size_t i = 0; i < walk->side->gaps.count; i++) {
		bool answered = walk->covered_seq > gaps[i].seq;

		model_fault_add(walk->model,
			&(struct nd_model_fault){
				.kind = answered ? ND_MODEL_FAULT_UNCAPTURED : ND_MODEL_FAULT_LOST,
				.place = answered ? ND_MODEL_PLACE_CAPTURE : ND_MODEL_PLACE_BEFORE,
				.connection = walk->connection,
				.side = walk->requester,
				.frame = gaps[i].frame,
				.psn = (uint32_t)(gaps[i].seq & PSN_MASK),
				.packets = (uint32_t)RTE_MIN(gaps[i].packets, UINT64_C(0xFFFFFFFF)),
				.operation = ND_MODEL_NONE,
			});
	}
}

/* What was never answered needs no loss to be explained: the peer may be gone. */
static bool
needs_no_loss(const struct model_walk *walk, const struct nd_model_fault *found)
{
	return found->kind == ND_MODEL_FAULT_LOST && found->place == ND_MODEL_PLACE_UNKNOWN &&
		found->operation != ND_MODEL_NONE &&
		model_operation_at(walk->side, found->operation)->report.end ==
		ND_MODEL_UNANSWERED &&
		model_operation_at(walk->side, found->operation)->answers == 0;
}

void
model_faults_finish(struct model_walk *walk)
{
	struct nd_model_fault *faults;
	size_t kept = walk->first_fault;

	late_settle(walk, false);
	faults = walk->model->faults.items;
	for (size_t i = walk->first_fault; i < walk->model->faults.count; i++)
		if (!needs_no_loss(walk, &faults[i]))
			faults[kept++] = faults[i];
	walk->model->faults.count = kept;
	gaps_explain(walk);
}
