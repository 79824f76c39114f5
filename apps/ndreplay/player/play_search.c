/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Finds how many packets the recorded side keeps after a gap (while earlier packets are missing).
 * Only the acknowledgements show this number. Several simulated receivers get the recorded
 * requests. Each receiver keeps a different number of packets. The receiver that agrees best with
 * the recorded answers gives the number.
 */

#include "play_search.h"

#include <stdlib.h>
#include <string.h>

#include "packet.h"
#include "play_arrival.h"

/** Time in ns within which packets may arrive that a receiver processes together. */
#define BURST_NS    UINT64_C(20000)
/** Number of newest gaps that are stored, because a side may delay the NAK of a gap. */
#define GAPS_NEWEST 8
/**
 * Weights of recorded answers that disagree with a simulated receiver. MISFIT: the receiver would
 * not send the answer. MISFIT_OLD: the answer is an ACK that is older than the receiver's newest
 * ACK.
 */
#define MISFIT      (UINT64_C(1) << 32)
#define MISFIT_OLD  1u

/** A simulated receiver. It keeps packets up to a fixed distance from the expected PSN. */
struct receiver {
	uint64_t expected; /**< PSN of the next packet in order */
	uint64_t newest;   /**< highest PSN that has arrived, plus 1 */
	uint64_t answered; /**< highest expected PSN in the side's recorded answers */
	/**
	 * Highest PSN, plus 1, of a packet that was not kept because the packet was too far after
	 * the gap.
	 */
	uint64_t far;
	uint64_t keep; /**< maximum distance of kept packets from the expected PSN */
	bool keeps;    /**< recorded answers prove that the side keeps packets */
	/** The receiver keeps no packets, because it sent an RNR NAK for the expected packet. */
	bool waits;
	/**
	 * Kept packets, indexed by PSN % PLAY_AHEAD. The member play_ahead.packet contains the
	 * number of PSNs of the request.
	 */
	struct play_ahead ahead[PLAY_AHEAD];
	uint64_t taken;  /**< PSN at which the kept packets were last used */
	uint64_t gap;    /**< newest gap: expected PSN when a later packet arrived */
	uint64_t gap_ns; /**< time when the first packet after the gap arrived */
	uint64_t gaps[GAPS_NEWEST];
	size_t gap_count;
	uint64_t misfits; /**< total weight of the answers that disagree with the receiver */
};

/**
 * Numbers of kept packets that are tried, in this order, after the numbers 1 to SMALL_DISTANCES.
 */
static const uint16_t distances[] = {24, 32, 48, 64, 96, 128, 192, 256, 384, PLAY_KEEP_MAX};
#define SMALL_DISTANCES 16u

static void
kept_take(struct receiver *receiver)
{
	struct play_ahead *ahead;
	const uint64_t first = receiver->expected;

	while ((ahead = &receiver->ahead[receiver->expected % PLAY_AHEAD])->there &&
		ahead->sequence == receiver->expected) {
		ahead->there = false;
		receiver->expected += ahead->packet;
	}
	if (receiver->expected != first)
		receiver->taken = first;
}

static void
kept_drop(struct receiver *receiver)
{
	memset(receiver->ahead, 0, sizeof(receiver->ahead));
}

/** @return false: no memory */
static bool
number_add(struct play_numbers *numbers, uint64_t number)
{
	if (numbers->count != 0 && numbers->at[numbers->count - 1] == number)
		return true;
	if (numbers->count == numbers->room) {
		const size_t room = 2 * numbers->room + 64;
		uint64_t *grown = realloc(numbers->at, room * sizeof(*grown));

		if (grown == NULL)
			return false;
		numbers->at = grown;
		numbers->room = room;
	}
	numbers->at[numbers->count++] = number;
	return true;
}

/** @return number of PSNs of a request of the peer. For a READ this is the number of responses. */
static uint32_t
packets_of(const struct play_recorded *recorded, const struct nd_model_frame *frame)
{
	const struct nd_model_operation *operation;

	if (frame->opcode != PACKET_READ_REQUEST || frame->operation == ND_MODEL_NONE)
		return 1;
	operation = play_peer_operation(recorded, frame->operation);
	return operation->packets > frame->packet ? operation->packets - frame->packet : 1;
}

/**
 * Record a gap after the arrival of a packet after the expected one. @return false: out of memory
 */
static bool
gap_note(struct receiver *receiver, uint64_t time_ns, struct play_search *search)
{
	if (receiver->gap != receiver->expected) {
		receiver->gap = receiver->expected;
		receiver->gap_ns = time_ns;
		receiver->gaps[receiver->gap_count++ % GAPS_NEWEST] = receiver->gap;
	}
	if (search == NULL)
		return true;
	if (time_ns > receiver->gap_ns + BURST_NS && !number_add(&search->open, receiver->gap))
		return false;
	return number_add(&search->gaps, receiver->gap);
}

static void
request_take(const struct play_recorded *recorded, struct receiver *receiver,
	const struct nd_model_frame *frame, struct play_search *search)
{
	const uint32_t packets = packets_of(recorded, frame);
	const uint64_t sequence = frame->sequence;
	bool gap = sequence > receiver->expected && !receiver->waits;

	if (sequence + packets > receiver->newest)
		receiver->newest = sequence + packets;
	if (sequence == receiver->expected) {
		if (search != NULL && receiver->gap == sequence &&
			frame->time_ns > receiver->gap_ns + BURST_NS &&
			!number_add(&search->open, sequence))
			search->no_memory = true;
		receiver->waits = false;
		receiver->expected += packets;
		kept_take(receiver);
		gap = receiver->keep != 0 && receiver->newest > receiver->expected;
	} else if (gap && sequence - receiver->expected <= receiver->keep) {
		receiver->ahead[sequence % PLAY_AHEAD] =
			(struct play_ahead){.sequence = sequence, .packet = packets, .there = true};
	} else if (gap) {
		receiver->far = receiver->newest;
	}
	if (gap && !gap_note(receiver, frame->time_ns, search))
		search->no_memory = true;
}

/** @return true if the PSN is one of the newest gaps */
static bool
was_gap(const struct receiver *receiver, uint64_t sequence)
{
	for (size_t i = 0; i < GAPS_NEWEST; i++)
		if (receiver->gaps[i] == sequence)
			return true;
	return false;
}

/**
 * Compare a recorded answer with the state of the receiver. If the answer and the state differ,
 * count a misfit, and set the receiver to the PSN of the answer.
 */
static void
answer_take(struct receiver *receiver, const struct nd_model_frame *frame)
{
	const bool nak = frame->part == ND_MODEL_FRAME_NAK;

	if (frame->part == ND_MODEL_FRAME_RNR_NAK) {
		receiver->expected = frame->sequence;
		receiver->waits = true;
		kept_drop(receiver);
		return;
	}
	if (frame->part == ND_MODEL_FRAME_ACK && frame->sequence + 1 < receiver->expected)
		receiver->misfits += MISFIT_OLD;
	if (nak ? receiver->expected == frame->sequence : receiver->expected > frame->sequence)
		return;
	/* The side sent the NAK of an earlier gap with a delay. */
	if (nak && receiver->keep == 0 && was_gap(receiver, frame->sequence))
		return;
	receiver->misfits += MISFIT;
	if (nak && frame->sequence < receiver->expected)
		kept_drop(receiver);
	receiver->expected = frame->sequence + !nak;
	kept_take(receiver);
}

/**
 * @return true if a sequence NAK is justified. This is the case if a packet is missing or was
 *         missing a short time ago, or if the side has dropped packets that it had kept.
 */
static bool
is_due(const struct receiver *receiver, const struct nd_model_frame *frame)
{
	if (receiver->expected == frame->sequence)
		return receiver->newest > receiver->expected;
	if (was_gap(receiver, frame->sequence))
		return true;
	return receiver->keeps && frame->sequence < receiver->expected &&
		frame->sequence >= receiver->taken;
}

/**
 * @return true if an answer of this kind contains the PSN that its sender expects next. Answers of
 *         other kinds contain the last PSN that their sender received.
 */
static bool
is_nak(enum nd_model_part part)
{
	return part == ND_MODEL_FRAME_NAK || part == ND_MODEL_FRAME_RNR_NAK;
}

/**
 * @return true if the packet that a NAK requests was retransmitted less than BURST_NS before the
 *         NAK
 */
static bool
has_just_come_again(
	const struct play_recorded *recorded, size_t at, const struct nd_model_frame *nak)
{
	struct nd_model_frame frame;

	for (size_t i = at; i-- > 0;) {
		play_frame(recorded, i, &frame);
		if (frame.time_ns + BURST_NS < nak->time_ns)
			return false;
		if (frame.side == recorded->theirs && frame.part == ND_MODEL_FRAME_REQUEST &&
			frame.sequence == nak->sequence)
			return frame.repeated;
	}
	return false;
}

/**
 * A side without free buffers drops packets that were captured, or packets that it had kept.
 * Afterwards the side sends a NAK for the first packet that it lacks. A NAK agrees with such a drop
 * if three conditions hold. Before the NAK, all packets with lower PSNs were captured. Before the
 * NAK, a packet with the PSN of the NAK or a higher PSN was captured. No answer acknowledges the
 * requested packet before its retransmission.
 *
 * @param most a simulated receiver that got all captured packets; the side cannot have got more
 * @return true if the NAK agrees with a drop
 */
static bool
is_drop(const struct play_recorded *recorded, const struct receiver *most, size_t at,
	const struct nd_model_frame *nak)
{
	return most->answered <= nak->sequence && most->expected >= nak->sequence &&
		most->newest > nak->sequence &&
		(play_capture_is_missed(recorded->capture, recorded->index, at, nak) ||
			has_just_come_again(recorded, at, nak));
}

static void
receiver_begin(const struct play_recorded *recorded, struct receiver *receiver, uint32_t keep)
{
	memset(receiver, 0, sizeof(*receiver));
	receiver->expected = receiver->newest = recorded->first[recorded->theirs];
	receiver->keep = keep;
	receiver->gap = receiver->taken = UINT64_MAX;
	memset(receiver->gaps, 0xFF, sizeof(receiver->gaps));
}

/** @return true if a frame is a sequence NAK. All other NAKs end the connection. */
static bool
is_gap_nak(const struct nd_model_frame *frame)
{
	return frame->part == ND_MODEL_FRAME_NAK && (frame->syndrome & 0x1F) == 0;
}

/**
 * @return total weight of the recorded answers that do not agree with a receiver that keeps packets
 *         up to distance `keep`
 */
static uint64_t
misfits(const struct play_recorded *recorded, struct receiver *receiver, uint32_t keep)
{
	struct nd_model_frame frame;
	uint64_t number;

	receiver_begin(recorded, receiver, keep);
	for (size_t i = 0; (number = play_frame(recorded, i, &frame)) != 0; i++) {
		if (frame.side == recorded->theirs) {
			if (frame.part == ND_MODEL_FRAME_REQUEST && !play_is_lost(recorded, number))
				request_take(recorded, receiver, &frame, NULL);
			continue;
		}
		if (frame.part == ND_MODEL_FRAME_NAK && !is_gap_nak(&frame))
			break;
		if (play_is_answer(&frame))
			answer_take(receiver, &frame);
	}
	return receiver->misfits;
}

/** Update the receiver `most` (all packets that the side can have) with an answer of the side. */
static void
most_answer(struct receiver *most, const struct nd_model_frame *frame)
{
	const uint64_t expected = frame->sequence + !is_nak(frame->part);

	if (expected > most->answered)
		most->answered = expected;
	if (frame->part == ND_MODEL_FRAME_RNR_NAK || expected > most->expected)
		answer_take(most, frame);
}

/**
 * @param all a receiver that keeps all captured packets, even if the side lost them
 * @return true if an answer acknowledges packets that were not captured before the answer
 */
static bool
is_early(struct receiver *all, const struct nd_model_frame *frame)
{
	const uint64_t expected = frame->sequence + !is_nak(frame->part);

	if (frame->part != ND_MODEL_FRAME_ACK && !is_nak(frame->part))
		return false;
	if (expected <= all->expected || all->far > all->expected)
		return false;
	/* Continue after these packets, so that they are reported only once. */
	all->expected = expected;
	kept_take(all);
	return true;
}

/**
 * Find gaps, justified NAKs, and ACKs of packets that were not captured yet.
 *
 * @param receiver simulated receiver; the recorded answers correct its state
 * @param most has all packets that the side can have
 * @param all has all captured packets, and never loses any of them
 */
static void
gaps_find(const struct play_recorded *recorded, struct receiver *receiver, struct receiver *most,
	struct receiver *all, struct play_search *search)
{
	struct nd_model_frame frame;
	uint64_t number;

	for (size_t i = 0; (number = play_frame(recorded, i, &frame)) != 0; i++) {
		if (frame.side == recorded->theirs) {
			if (frame.part != ND_MODEL_FRAME_REQUEST)
				continue;
			request_take(recorded, most, &frame, NULL);
			request_take(recorded, all, &frame, NULL);
			if (!play_is_lost(recorded, number))
				request_take(recorded, receiver, &frame, search);
			continue;
		}
		if (frame.part == ND_MODEL_FRAME_NAK && !is_gap_nak(&frame))
			break;
		if (!play_is_answer(&frame))
			continue;
		if (is_early(all, &frame) && !number_add(&search->early, number))
			search->no_memory = true;
		if (is_gap_nak(&frame) &&
			(is_due(receiver, &frame) || is_drop(recorded, most, i, &frame)) &&
			!number_add(&search->naks, number))
			search->no_memory = true;
		answer_take(receiver, &frame);
		most_answer(most, &frame);
	}
}

static int
by_value(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static void
distance_try(const struct play_recorded *recorded, struct receiver *receiver, uint32_t keep,
	uint64_t *least, struct play_search *search)
{
	const uint64_t found = misfits(recorded, receiver, keep);

	/* If two distances agree equally well, prefer the larger one, because it is more usual. */
	if (found > *least || (found == *least && search->keep == 0))
		return;
	*least = found;
	search->keep = (uint16_t)keep;
}

/**
 * @return true if our side requested only a part of a READ again, and the part does not reach the
 *         end of the READ. A side with go-back-N would request everything from the missing packet
 *         on.
 */
static bool
has_asked_parts(const struct play_recorded *recorded)
{
	const uint64_t mtu = recorded->connection->path_mtu_bytes;
	const struct nd_model_operation *operation;
	struct nd_model_headers headers;
	struct nd_model_frame frame;
	uint64_t number;
	size_t count;

	for (size_t i = 0; (number = play_frame(recorded, i, &frame)) != 0; i++) {
		if (frame.side != recorded->ours || frame.opcode != PACKET_READ_REQUEST ||
			frame.part != ND_MODEL_FRAME_REQUEST || frame.operation == ND_MODEL_NONE ||
			!nd_model_decode(nd_model_frame_bytes(recorded->model, number, &count),
				count, &headers))
			continue;
		operation = play_own_operation(recorded, frame.operation);
		if (frame.packet * mtu + headers.length < operation->bytes)
			return true;
	}
	return false;
}

/**
 * @return true if our side retransmitted a packet but not the packets after it. Either the side
 *         recovers selectively, or the other retransmissions were lost before the capture point.
 */
static bool
has_skipped(const struct play_recorded *recorded)
{
	uint64_t highest = 0, again = UINT64_MAX;
	struct nd_model_frame frame;

	for (size_t i = 0; play_frame(recorded, i, &frame) != 0; i++) {
		if (frame.side != recorded->ours || frame.part != ND_MODEL_FRAME_REQUEST)
			continue;
		if (again < highest && frame.sequence > again)
			return true;
		again = frame.repeated ? play_request_end(recorded, &frame) : UINT64_MAX;
		if (play_request_end(recorded, &frame) > highest)
			highest = play_request_end(recorded, &frame);
	}
	return false;
}

static void
other_try(const struct play_recorded *recorded, struct receiver *receiver, uint32_t keep,
	uint64_t least, struct play_search *search)
{
	if (misfits(recorded, receiver, keep) / MISFIT == least / MISFIT)
		search->others[search->other_count++] = (uint16_t)keep;
}

void
play_search_make(const struct play_recorded *recorded, struct play_search *search)
{
	struct receiver *receiver = malloc(sizeof(*receiver));
	/* Our side uses selective recovery, for which the engine keeps at least one packet. */
	const bool selective = has_asked_parts(recorded);
	uint64_t least;

	*search = (struct play_search){0};
	if (receiver == NULL) {
		search->no_memory = true;
		return;
	}
	least = selective ? UINT64_MAX : misfits(recorded, receiver, 0);
	for (uint32_t i = 1; least >= MISFIT && i <= SMALL_DISTANCES; i++)
		distance_try(recorded, receiver, i, &least, search);
	for (size_t i = 0; (least >= MISFIT || search->keep != 0) &&
		i < sizeof(distances) / sizeof(distances[0]);
		i++)
		distance_try(recorded, receiver, distances[i], &least, search);
	/*
	 * Check whether the opposite assumption agrees equally well. The opposite is that no
	 * packets are kept if the search has found kept packets, and the usual number if it has
	 * found none.
	 */
	if (!selective)
		other_try(recorded, receiver, search->keep == 0 ? PLAY_KEEP_MAX : 0, least, search);
	search->keeps = search->keep != 0 && search->other_count == 0;
	if (search->keep == 0 && !selective && has_skipped(recorded))
		search->others[search->other_count++] = 1;
	free(receiver);
}

static void
numbers_sort(struct play_numbers *numbers)
{
	if (numbers->count != 0)
		qsort(numbers->at, numbers->count, sizeof(*numbers->at), by_value);
}

void
play_search_gaps(const struct play_recorded *recorded, uint16_t keep, struct play_search *search)
{
	struct receiver *receiver = malloc(3 * sizeof(*receiver));

	search->gaps.count = search->open.count = search->naks.count = search->early.count = 0;
	if (receiver == NULL) {
		search->no_memory = true;
		return;
	}
	receiver_begin(recorded, receiver, keep);
	receiver->keeps = search->keeps && keep != 0;
	receiver_begin(recorded, receiver + 1, PLAY_AHEAD - 1);
	receiver_begin(recorded, receiver + 2, PLAY_AHEAD - 1);
	gaps_find(recorded, receiver, receiver + 1, receiver + 2, search);
	numbers_sort(&search->gaps);
	numbers_sort(&search->open);
	free(receiver);
}

bool
play_numbers_have(const struct play_numbers *numbers, uint64_t number)
{
	return numbers->count != 0 &&
		bsearch(&number, numbers->at, numbers->count, sizeof(number), by_value) != NULL;
}

void
play_search_free(struct play_search *search)
{
	free(search->gaps.at);
	free(search->open.at);
	free(search->naks.at);
	free(search->early.at);
	*search = (struct play_search){0};
}
