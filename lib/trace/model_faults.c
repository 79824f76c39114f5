/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/model_faults.h"

#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "base/encoded_time.h"
#include "base/psn.h"

/* A missing PSN is compared with at most this number of newest corrupted packets. */
#define SPOILED_REACH    1024u
/* Longest time in ns between a packet and a duplicate that the network makes. */
#define DUPLICATE_MAX_NS UINT64_C(1000000)

/* The newest RNR NAK or the newest sequence NAK. */
struct nak {
	uint64_t seq;
	uint64_t frame;
	size_t at; /* number of the NAK's event, from 1; 0 = no NAK of this type yet */
};

/*
 * Consecutive packets that were captured for the first time after packets with higher PSNs. It is
 * not yet known whether the late packets were lost or reordered.
 */
struct late {
	uint64_t seq; /* PSN of the first */
	uint64_t frame;
	uint64_t packets; /* 0 = none */
	size_t operation;
	bool copied;  /* one of the late packets is retransmitted later */
	bool in_run;  /* the packet before the late packets is in a run of retransmissions */
	bool spoiled; /* copies of the late packets with a wrong ICRC were captured before */
};

/* A captured packet with a wrong ICRC. used: the packet has already explained a missing packet. */
struct spoiled {
	uint32_t psn;
	bool used;
};

/* The newest captured copy of a request packet. */
struct newest {
	const struct model_packet *packet; /* NULL = none yet */
	size_t at;                         /* number of the packet's event, from 1 */
};

struct walk {
	struct nd_model *model;
	struct model_side *side;
	size_t connection;
	unsigned requester;
	bool counts; /* the requester increments its IPv4 identification */
	size_t at;   /* number of the current event, from 1 */
	uint64_t next_seq;
	uint64_t newest_seq;
	size_t unanswered;          /* operations before this index expect no further answer */
	uint64_t newest_result_seq; /* highest PSN of a READ response or ATOMIC Acknowledge */
	uint64_t covered_seq;       /* all requests before this PSN are answered */
	uint64_t refused_seq;       /* PSN after the request that a fatal NAK refused */
	bool run; /* the newest request packet belongs to a run of retransmissions */
	uint64_t run_next;
	struct nak sequence_nak, rnr_nak;
	struct late late;
	/* newest copy of each request packet, indexed by model_packet.place */
	struct newest *newest;
	struct model_array spoiled; /* struct spoiled */
	const struct model_packet *newest_ack;
	size_t newest_request_at, newest_ack_at;
	uint64_t credit; /* number of retransmissions that may cause a duplicate answer */
	/* longest time between a packet and a copy that the network made */
	uint64_t duplicates_ns;
};

static const struct nd_model_frame *
frame_of(const struct walk *walk, const struct model_packet *packet)
{
	return &model_frame_of(walk->model, packet)->report;
}

/* Report a fault that hit a request packet, or an answer to it if what->answer is set. */
static void
report(const struct walk *walk, const struct nd_model_fault *what)
{
	struct nd_model_fault fault = *what;

	fault.connection = walk->connection;
	fault.side = fault.answer ? !walk->requester : walk->requester;
	model_fault_add(walk->model, &fault);
}

static void
spoiled_add(struct walk *walk, uint32_t psn)
{
	struct spoiled *spoiled = model_array_add(&walk->spoiled, sizeof(*spoiled));

	if (spoiled == NULL)
		walk->model->starved = true;
	else
		spoiled->psn = psn;
}

/*
 * Find a packet with this PSN and a wrong ICRC. Each captured packet with a wrong ICRC explains
 * only one missing packet. @return true: found, and marked as used
 */
static bool
spoiled_take(struct walk *walk, uint64_t seq)
{
	struct spoiled *spoiled = walk->spoiled.items;

	for (size_t i = walk->spoiled.count, n = 0; i-- > 0 && n < SPOILED_REACH; n++) {
		if (spoiled[i].psn != (seq & PSN_MASK) || spoiled[i].used)
			continue;
		spoiled[i].used = true;
		return true;
	}
	return false;
}

/*
 * Report the late packets as lost or as reordered. Called when the next action of the sender is
 * known.
 *
 * @param goes_on the sender continues with the packet after the late packets
 */
static void
late_settle(struct walk *walk, bool goes_on)
{
	struct late *late = &walk->late;
	bool asked = walk->sequence_nak.at != 0 && walk->sequence_nak.seq == late->seq &&
		walk->sequence_nak.frame < late->frame;
	bool lost = walk->counts || goes_on || late->in_run || (asked && !late->copied);

	if (late->packets == 0)
		return;
	if (!late->spoiled || !lost)
		report(walk,
			&(struct nd_model_fault){
				.kind = lost ? ND_MODEL_FAULT_LOST : ND_MODEL_FAULT_REORDERED,
				.place = ND_MODEL_PLACE_BEFORE,
				.frame = late->frame,
				.original = lost ? 0 : late->frame,
				.psn = (uint32_t)(late->seq & PSN_MASK),
				.packets = (uint32_t)late->packets,
				.operation = late->operation,
			});
	late->packets = 0;
	walk->run = lost;
}

/* Add a packet that was captured for the first time after packets with higher PSNs. */
static void
late_take(struct walk *walk, const struct model_packet *packet, size_t operation)
{
	struct late *late = &walk->late;
	bool spoiled = spoiled_take(walk, packet->sequence);

	if (late->packets != 0 && packet->sequence == late->seq + late->packets &&
		spoiled == late->spoiled) {
		late->packets++;
		late->copied |= packet->copied;
		return;
	}
	late_settle(walk, late->packets != 0 && packet->sequence == late->seq + late->packets);
	*late = (struct late){
		.seq = packet->sequence,
		.frame = packet->frame + 1,
		.packets = 1,
		.operation = operation,
		.copied = packet->copied,
		.in_run = walk->run && packet->sequence == walk->run_next,
		.spoiled = spoiled,
	};
}

/*
 * Explain why the requester requests a READ or atomic again. The requester accepts answers only in
 * order. So the requester did not receive the requested answers, or received them out of order.
 */
static void
answer_lost(const struct walk *walk, const struct model_packet *packet,
	const struct model_operation *operation, size_t index)
{
	uint64_t wanted = operation->report.sequence + operation->answered;
	struct nd_model_fault lost = {
		.kind = ND_MODEL_FAULT_LOST,
		.place = ND_MODEL_PLACE_UNKNOWN,
		.frame = packet->frame + 1,
		.psn = packet->psn,
		.operation = index,
		.answer = true,
	};

	if (packet->sequence < wanted &&
		(packet->part || operation->answered >= model_operation_span(operation))) {
		lost.place = ND_MODEL_PLACE_BEHIND;
	} else if (operation->answered != 0 || walk->newest_result_seq > wanted ||
		walk->covered_seq > wanted) {
		lost.place = ND_MODEL_PLACE_BEFORE;
		lost.psn = (uint32_t)(wanted & PSN_MASK);
	} else {
		lost.answer = false;
		lost.original = operation->report.first_frame;
	}
	report(walk, &lost);
}

/*
 * Report unacknowledged PSNs that a run of retransmissions skips. The retransmissions of the
 * skipped PSNs were lost before the place of the capture.
 */
static void
skip_explain(struct walk *walk, const struct model_packet *packet)
{
	uint64_t seq = RTE_MAX(walk->run_next, walk->covered_seq);

	if (seq >= packet->sequence)
		return;
	while (seq < packet->sequence && spoiled_take(walk, seq))
		seq++;
	if (seq >= packet->sequence)
		return;
	report(walk,
		&(struct nd_model_fault){
			.kind = ND_MODEL_FAULT_LOST,
			.place = ND_MODEL_PLACE_BEFORE,
			.frame = packet->frame + 1,
			.psn = (uint32_t)(seq & PSN_MASK),
			.packets = (uint32_t)(packet->sequence - seq),
			.operation = model_operation_find(walk->side, seq),
		});
}

static bool
is_single(enum nd_model_kind kind)
{
	return kind == ND_MODEL_READ || kind == ND_MODEL_COMPARE_SWAP || kind == ND_MODEL_FETCH_ADD;
}

/* Explain why the sender went back to the first packet of a run of retransmissions. */
static void
run_explain(struct walk *walk, const struct model_packet *packet, const struct newest *newest,
	size_t index)
{
	const struct model_operation *operation = model_operation_at(walk->side, index);
	struct nd_model_fault lost = {
		.kind = ND_MODEL_FAULT_LOST,
		.place = ND_MODEL_PLACE_UNKNOWN,
		.frame = packet->frame + 1,
		.psn = packet->psn,
		.operation = index,
	};

	/* An RNR NAK after the newest copy of the packet explains the run. */
	if (walk->rnr_nak.at > newest->at)
		return;
	/* If a sequence NAK caused the run, model_walk.c reports the fault. */
	if (walk->sequence_nak.at > newest->at && walk->sequence_nak.seq >= packet->sequence)
		return;
	if (is_single(operation->report.kind)) {
		answer_lost(walk, packet, operation, index);
		return;
	}
	if (walk->covered_seq > packet->sequence) {
		lost.place = ND_MODEL_PLACE_BEHIND;
		lost.answer = true;
	} else if (newest->packet != NULL) {
		lost.original = newest->packet->frame + 1;
	}
	report(walk, &lost);
}

/*
 * @return true if the network duplicated a packet: the copy follows within a short time, and no NAK
 * arrived before the copy
 */
static bool
is_duplicate(
	const struct walk *walk, const struct model_packet *packet, const struct newest *newest)
{
	return !walk->counts && newest->packet != NULL &&
		frame_of(walk, packet)->time_ns - frame_of(walk, newest->packet)->time_ns <
		walk->duplicates_ns &&
		walk->sequence_nak.at <= newest->at && walk->rnr_nak.at <= newest->at &&
		model_same_bytes(walk->model, packet, newest->packet);
}

static void
repeated_take(struct walk *walk, const struct model_packet *packet, const struct newest *newest,
	size_t index)
{
	const struct model_operation *operation = model_operation_at(walk->side, index);
	bool goes_on =
		walk->late.packets != 0 && packet->sequence == walk->late.seq + walk->late.packets;

	late_settle(walk, goes_on);
	walk->credit++;
	if (goes_on || (walk->run && packet->sequence == walk->run_next)) {
		walk->run = true;
	} else if (is_duplicate(walk, packet, newest)) {
		report(walk,
			&(struct nd_model_fault){
				.kind = ND_MODEL_FAULT_REPEATED,
				.place = ND_MODEL_PLACE_BEFORE,
				.frame = packet->frame + 1,
				.original = newest->packet->frame + 1,
				.psn = packet->psn,
				.operation = index,
			});
		return;
	} else if (walk->run && packet->sequence > walk->run_next) {
		skip_explain(walk, packet);
	} else {
		run_explain(walk, packet, newest, index);
		walk->run = true;
	}
	walk->run_next = operation->report.kind == ND_MODEL_READ
		? operation->report.sequence + model_operation_span(operation)
		: packet->sequence + 1;
}

static void
request_take(struct walk *walk, const struct model_packet *packet)
{
	size_t index = frame_of(walk, packet)->operation;
	struct model_operation *operation;
	struct newest *newest = &walk->newest[packet->place];
	uint64_t end = packet->sequence + 1;
	bool again;

	if (packet->sequence == 0 || index == ND_MODEL_NONE)
		return;
	operation = model_operation_at(walk->side, index);
	again = newest->packet != NULL || (packet->part && operation->asked);
	operation->asked = true;
	if (again) {
		repeated_take(walk, packet, newest, index);
	} else if (packet->sequence < walk->newest_seq) {
		late_take(walk, packet, index);
		walk->run_next = packet->sequence + 1;
	} else {
		late_settle(walk, false);
		walk->run = false;
	}
	*newest = (struct newest){.packet = packet, .at = walk->at};
	if (operation->report.kind == ND_MODEL_READ)
		end = operation->report.sequence + model_operation_span(operation);
	walk->next_seq = RTE_MAX(walk->next_seq, end);
	walk->newest_seq = RTE_MAX(walk->newest_seq, packet->sequence);
	walk->newest_request_at = walk->at;
}

/* Judge the PSNs of Acknowledges, if their sender does not increment the IPv4 identification. */
static void
ack_judge(struct walk *walk, const struct model_packet *packet)
{
	const struct model_packet *previous = walk->newest_ack;
	bool again = previous != NULL && previous->sequence == packet->sequence;
	struct nd_model_fault fault = {
		.kind = ND_MODEL_FAULT_REPEATED,
		.place = ND_MODEL_PLACE_BEFORE,
		.frame = packet->frame + 1,
		.psn = packet->psn,
		.answer = true,
		.operation = frame_of(walk, packet)->operation,
	};

	if (again && walk->newest_request_at < walk->newest_ack_at && walk->credit == 0 &&
		frame_of(walk, packet)->time_ns - frame_of(walk, previous)->time_ns <
			walk->duplicates_ns &&
		model_same_bytes(walk->model, packet, previous)) {
		fault.original = previous->frame + 1;
		report(walk, &fault);
		return;
	}
	if (again && walk->credit != 0)
		walk->credit--;
	if (previous != NULL && packet->sequence < previous->sequence) {
		fault.kind = ND_MODEL_FAULT_REORDERED;
		fault.original = packet->frame + 1;
		report(walk, &fault);
		return;
	}
	walk->newest_ack = packet;
	walk->newest_ack_at = walk->at;
}

/* Record that all PSNs before seq are answered. */
static void
cover(struct walk *walk, uint64_t seq)
{
	walk->covered_seq = RTE_MAX(walk->covered_seq, RTE_MIN(seq, walk->next_seq));
}

static void
nak_take(struct walk *walk, const struct model_packet *packet)
{
	struct nak nak = {.seq = packet->sequence, .frame = packet->frame + 1, .at = walk->at};

	cover(walk, packet->sequence);
	if (wire_aeth_type(packet->syndrome) == WIRE_AETH_RNR_NAK)
		walk->rnr_nak = nak;
	else if (packet->syndrome == WIRE_NAK_SEQUENCE)
		walk->sequence_nak = nak;
	else
		walk->refused_seq = packet->sequence + 1;
}

/* @return index of the first READ or atomic without a complete answer */
static size_t
first_unanswered(struct walk *walk)
{
	for (; walk->unanswered < walk->side->operations.count; walk->unanswered++) {
		const struct model_operation *operation =
			model_operation_at(walk->side, walk->unanswered);

		if (is_single(operation->report.kind) &&
			operation->answered < model_operation_span(operation))
			break;
	}
	return walk->unanswered;
}

/* Process an answer to a READ or atomic. */
static void
result_take(struct walk *walk, const struct model_packet *packet)
{
	size_t index = frame_of(walk, packet)->operation;
	struct model_operation *operation;

	if (index == ND_MODEL_NONE)
		return;
	operation = model_operation_at(walk->side, index);
	cover(walk, operation->report.sequence);
	walk->newest_result_seq = RTE_MAX(walk->newest_result_seq, packet->sequence);
	if (index == first_unanswered(walk) &&
		packet->sequence == operation->report.sequence + operation->answered)
		operation->answered++;
}

static void
answer_take(struct walk *walk, const struct model_packet *packet, bool responder_counts)
{
	enum nd_model_part part = frame_of(walk, packet)->part;

	if (packet->sequence == 0)
		return;
	if (part == ND_MODEL_FRAME_ACK) {
		if (!responder_counts)
			ack_judge(walk, packet);
		cover(walk, packet->sequence + 1);
	} else if (part == ND_MODEL_FRAME_NAK || part == ND_MODEL_FRAME_RNR_NAK) {
		nak_take(walk, packet);
	} else if (part == ND_MODEL_FRAME_READ_RESPONSE || part == ND_MODEL_FRAME_ATOMIC_ACK) {
		result_take(walk, packet);
	}
}

/*
 * Report request packets that were never captured. Answered packets are only missing in the
 * capture. Packets without an answer were lost.
 */
static void
gaps_explain(const struct walk *walk)
{
	const struct model_gap *gaps = walk->side->gaps.items;

	for (size_t i = 0; i < walk->side->gaps.count; i++) {
		bool answered = RTE_MAX(walk->covered_seq, walk->refused_seq) > gaps[i].seq;

		report(walk,
			&(struct nd_model_fault){
				.kind = answered ? ND_MODEL_FAULT_UNCAPTURED : ND_MODEL_FAULT_LOST,
				.place = answered ? ND_MODEL_PLACE_CAPTURE : ND_MODEL_PLACE_BEFORE,
				.frame = gaps[i].frame,
				.psn = (uint32_t)(gaps[i].seq & PSN_MASK),
				.packets = (uint32_t)RTE_MIN(gaps[i].packets, (uint64_t)UINT32_MAX),
				.operation = ND_MODEL_NONE,
			});
	}
}

/*
 * @return true if a request was never answered. In this case no loss is assumed, because the peer
 *         may be gone.
 */
static bool
needs_no_loss(const struct walk *walk, const struct nd_model_fault *found)
{
	const struct model_operation *operation;

	if (found->kind != ND_MODEL_FAULT_LOST || found->place != ND_MODEL_PLACE_UNKNOWN ||
		found->operation == ND_MODEL_NONE)
		return false;
	operation = model_operation_at(walk->side, found->operation);
	return operation->report.end == ND_MODEL_UNANSWERED && operation->answers == 0;
}

static void
walk_finish(struct walk *walk, size_t first_fault)
{
	struct nd_model_fault *faults;
	size_t kept = first_fault;

	late_settle(walk, false);
	faults = walk->model->faults.items;
	for (size_t i = first_fault; i < walk->model->faults.count; i++)
		if (!needs_no_loss(walk, &faults[i]))
			faults[kept++] = faults[i];
	walk->model->faults.count = kept;
	gaps_explain(walk);
	model_array_free(&walk->spoiled);
	free(walk->newest);
}

/*
 * @return the longest time between a packet and a copy that counts as made by the network. This
 *         time is shorter than the ACK timeout of the sender.
 */
static uint64_t
duplicates_ns(const struct model_connection *of)
{
	uint64_t timeout_ns =
		of->report.req_seen ? base_timeout_ns(of->report.ack_timeout) : BASE_TIME_NEVER;

	return RTE_MIN(DUPLICATE_MAX_NS, timeout_ns / 2);
}

/* Find the faults that hit the requests sent by a side, and the answers to them. */
static void
faults_walk(struct nd_model *model, size_t connection, unsigned side,
	const struct model_event *events, const bool counts[2])
{
	const struct model_connection *of = model_connection_at(model, connection);
	struct walk walk = {
		.model = model,
		.side = model_side_at(model, connection, side),
		.connection = connection,
		.requester = side,
		.counts = counts[side],
		.duplicates_ns = duplicates_ns(of),
	};
	size_t first_fault = model->faults.count;

	walk.newest = calloc(walk.side->places + 1, sizeof(*walk.newest));
	if (walk.newest == NULL) {
		model->starved = true;
		return;
	}
	for (size_t i = 0; i < of->packet_count; i++) {
		const struct model_packet *packet = model_packet_at(model, events[i].packet);
		const struct nd_model_frame *frame = frame_of(&walk, packet);

		walk.at = i + 1;
		if (events[i].copy)
			walk.credit += frame->side == side;
		else if (frame->side != side)
			answer_take(&walk, packet, counts[!side]);
		else if (frame->part == ND_MODEL_FRAME_REQUEST)
			request_take(&walk, packet);
		else if (frame->part == ND_MODEL_FRAME_CORRUPTED)
			spoiled_add(&walk, packet->psn);
	}
	walk_finish(&walk, first_fault);
}

void
model_faults_build(struct nd_model *model, size_t connection)
{
	bool *counts = model_connection_at(model, connection)->counts;
	struct model_event *events = model_events(model, connection);

	if (events == NULL)
		return;
	for (unsigned side = 0; side < 2; side++)
		faults_walk(model, connection, side, events, counts);
	free(events);
}
