/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * How the recorded side takes requests that come ahead of a gap: packets do not say it, but its
 * acknowledgements do. A model of a receiver that keeps so many packets gets the recorded requests;
 * the number that fits the recorded answers best is that of the side.
 */

#include "play.h"

#include <stdlib.h>
#include <string.h>

/** What comes within this time, a receiver may take together before it answers. */
#define BURST_NS    UINT64_C(20000)
/** Gaps of which a NAK may be under way in the side itself. */
#define GAPS_NEWEST 8
/** Weights: an answer that a receiver would not have given, and an ACK that is not its newest. */
#define MISFIT      (UINT64_C(1) << 32)
#define MISFIT_OLD  1u

/** A receiver that keeps packets up to some distance from the expected one. */
struct receiver {
	uint64_t expected; /**< PSN */
	uint64_t newest;   /**< PSN behind the highest that has come */
	uint64_t answered; /**< PSN that its answers have said it expects, at least */
	uint64_t far;      /**< PSN behind the highest that came too far ahead to be kept */
	uint64_t keep;     /**< distance of the last packet that it keeps, from the expected one */
	bool keeps;        /**< its answers show that it keeps packets */
	bool waits;        /**< for the packet that got an RNR NAK: nothing is kept meanwhile */
	struct play_ahead ahead[PLAY_AHEAD]; /**< by the low bits of the PSN; packet: how many */
	uint64_t
		taken; /**< PSN of the first packet that it took from what it had kept, last time */
	uint64_t gap;  /**< newest PSN that it expected while later ones came ... */
	uint64_t gap_ns; /**< ... since then */
	uint64_t gaps[GAPS_NEWEST];
	size_t gap_count;
	uint64_t misfits; /**< answers that it would not have given, by weight */
};

/** Distances that are tried behind the small ones, which are tried one by one. */
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

/** Packets that a request of theirs takes: as many as its answer, if it is a READ. */
static uint32_t
packets_of(const struct play *play, const struct nd_model_frame *frame)
{
	const struct nd_model_operation *operation;

	if (frame->opcode != PACKET_READ_REQUEST || frame->operation == ND_MODEL_NONE)
		return 1;
	operation = nd_model_operation(play->model, play->index, play->theirs, frame->operation);
	return operation->packets > frame->packet ? operation->packets - frame->packet : 1;
}

/** A later packet than the expected one has come. @return false: no memory */
static bool
gap_note(struct receiver *receiver, uint64_t time_ns, struct play_fit *fit)
{
	if (receiver->gap != receiver->expected) {
		receiver->gap = receiver->expected;
		receiver->gap_ns = time_ns;
		receiver->gaps[receiver->gap_count++ % GAPS_NEWEST] = receiver->gap;
	}
	if (fit == NULL)
		return true;
	if (time_ns > receiver->gap_ns + BURST_NS && !number_add(&fit->open, receiver->gap))
		return false;
	return number_add(&fit->gaps, receiver->gap);
}

static void
request_take(const struct play *play, struct receiver *receiver, const struct nd_model_frame *frame,
	struct play_fit *fit)
{
	const uint32_t packets = packets_of(play, frame);
	const uint64_t sequence = frame->sequence;
	bool gap = sequence > receiver->expected && !receiver->waits;

	if (sequence + packets > receiver->newest)
		receiver->newest = sequence + packets;
	if (sequence == receiver->expected) {
		if (fit != NULL && receiver->gap == sequence &&
			frame->time_ns > receiver->gap_ns + BURST_NS &&
			!number_add(&fit->open, sequence))
			play->outcome->memory_exhausted = true;
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
	if (gap && !gap_note(receiver, frame->time_ns, fit))
		play->outcome->memory_exhausted = true;
}

/** @return whether it is one of the newest gaps */
static bool
was_gap(const struct receiver *receiver, uint64_t sequence)
{
	for (size_t i = 0; i < GAPS_NEWEST; i++)
		if (receiver->gaps[i] == sequence)
			return true;
	return false;
}

/** What the side has answered says which packet it expected. */
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
	/* It has waited in a queue of the side. */
	if (nak && receiver->keep == 0 && was_gap(receiver, frame->sequence))
		return;
	receiver->misfits += MISFIT;
	if (nak && frame->sequence < receiver->expected)
		kept_drop(receiver);
	receiver->expected = frame->sequence + !nak;
	kept_take(receiver);
}

/**
 * A NAK of the side. @return whether it was due: something is missing, or was until just before, or
 * the side has given up what it had kept
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

static bool
is_answer(enum nd_model_part part)
{
	return part == ND_MODEL_FRAME_ACK || part == ND_MODEL_FRAME_NAK ||
		part == ND_MODEL_FRAME_RNR_NAK || part == ND_MODEL_FRAME_READ_RESPONSE ||
		part == ND_MODEL_FRAME_ATOMIC_ACK;
}

/** @return whether it names the packet that its sender expects, not the last that it has */
static bool
is_nak(enum nd_model_part part)
{
	return part == ND_MODEL_FRAME_NAK || part == ND_MODEL_FRAME_RNR_NAK;
}

/** @return whether a copy of the packet that a NAK asks for has come while the NAK was made */
static bool
has_just_come_again(const struct play *play, size_t at, const struct nd_model_frame *nak)
{
	struct nd_model_frame frame;

	for (size_t i = at; i-- > 0;) {
		play_frame(play, i, &frame);
		if (frame.time_ns + BURST_NS < nak->time_ns)
			return false;
		if (frame.side == play->theirs && frame.part == ND_MODEL_FRAME_REQUEST &&
			frame.sequence == nak->sequence)
			return frame.repeated;
	}
	return false;
}

/**
 * A side that is short of buffers drops packets that the capture has, or gives up what it had kept.
 * Its NAK names the packet that it misses then.
 *
 * @param most a receiver that gets all that is captured: a side cannot have more
 * @return whether this NAK can be the one of such a packet: nothing in front of it is missing,
 *         it came, or later ones, and the side has not said that it is there, nor does it before it
 *         comes again
 */
static bool
is_drop(const struct play *play, const struct receiver *most, size_t at,
	const struct nd_model_frame *nak)
{
	return most->answered <= nak->sequence && most->expected >= nak->sequence &&
		most->newest > nak->sequence &&
		(play_capture_is_missed(play->capture, play->index, at, nak) ||
			has_just_come_again(play, at, nak));
}

static void
receiver_begin(const struct play *play, struct receiver *receiver, uint32_t keep)
{
	memset(receiver, 0, sizeof(*receiver));
	receiver->expected = receiver->newest = play->expected;
	receiver->keep = keep;
	receiver->gap = receiver->taken = UINT64_MAX;
	memset(receiver->gaps, 0xFF, sizeof(receiver->gaps));
}

/** @return whether it is the NAK of a gap; others end the connection */
static bool
is_gap_nak(const struct nd_model_frame *frame)
{
	return frame->part == ND_MODEL_FRAME_NAK && (frame->syndrome & 0x1F) == 0;
}

/** @return answers that do not fit a receiver that keeps packets up to this distance */
static uint64_t
misfits(const struct play *play, struct receiver *receiver, uint32_t keep)
{
	struct nd_model_frame frame;
	uint64_t number;

	receiver_begin(play, receiver, keep);
	for (size_t i = 0; (number = play_frame(play, i, &frame)) != 0; i++) {
		if (frame.side == play->theirs) {
			if (frame.part == ND_MODEL_FRAME_REQUEST && !play_is_lost(play, number))
				request_take(play, receiver, &frame, NULL);
			continue;
		}
		if (frame.part == ND_MODEL_FRAME_NAK && !is_gap_nak(&frame))
			break;
		if (is_answer(frame.part))
			answer_take(receiver, &frame);
	}
	return receiver->misfits;
}

/** An answer of the side. */
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
 * An answer of the side. @return whether it says that packets are there of which none was captured
 * before it
 *
 * @param all has all that was captured, whatever the side did with it
 */
static bool
is_early(struct receiver *all, const struct nd_model_frame *frame)
{
	const uint64_t expected = frame->sequence + !is_nak(frame->part);

	if (frame->part != ND_MODEL_FRAME_ACK && !is_nak(frame->part))
		return false;
	if (expected <= all->expected || all->far > all->expected)
		return false;
	/* Those that the capture lacks are missed once. */
	all->expected = expected;
	kept_take(all);
	return true;
}

/**
 * Find gaps, NAKs that are due, and answers that come too early.
 *
 * @param receiver follows the answers of the side; most: has all that the side can have; all: never
 *        loses any of it
 */
static void
gaps_find(const struct play *play, struct receiver *receiver, struct receiver *most,
	struct receiver *all, struct play_fit *fit)
{
	struct nd_model_frame frame;
	uint64_t number;

	for (size_t i = 0; (number = play_frame(play, i, &frame)) != 0; i++) {
		if (frame.side == play->theirs) {
			if (frame.part != ND_MODEL_FRAME_REQUEST)
				continue;
			request_take(play, most, &frame, NULL);
			request_take(play, all, &frame, NULL);
			if (!play_is_lost(play, number))
				request_take(play, receiver, &frame, fit);
			continue;
		}
		if (frame.part == ND_MODEL_FRAME_NAK && !is_gap_nak(&frame))
			break;
		if (!is_answer(frame.part))
			continue;
		if (is_early(all, &frame) && !number_add(&fit->early, number))
			play->outcome->memory_exhausted = true;
		if (is_gap_nak(&frame) &&
			(is_due(receiver, &frame) || is_drop(play, most, i, &frame)) &&
			!number_add(&fit->naks, number))
			play->outcome->memory_exhausted = true;
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
distance_try(const struct play *play, struct receiver *receiver, uint32_t keep, uint64_t *least,
	struct play_fit *fit)
{
	const uint64_t found = misfits(play, receiver, keep);

	/* Of two that fit as well, the larger one: it is the more usual. */
	if (found > *least || (found == *least && fit->keep == 0))
		return;
	*least = found;
	fit->keep = (uint16_t)keep;
}

/**
 * @return whether our side has asked again for a part of a READ that does not reach its end:
 *         whoever goes back to a packet asks for all behind it
 */
static bool
has_asked_parts(const struct play *play)
{
	const uint64_t mtu = play->connection->path_mtu_bytes;
	const struct nd_model_operation *operation;
	struct nd_model_headers headers;
	struct nd_model_frame frame;
	uint64_t number;
	size_t count;

	for (size_t i = 0; (number = play_frame(play, i, &frame)) != 0; i++) {
		if (frame.side != play->ours || frame.opcode != PACKET_READ_REQUEST ||
			frame.part != ND_MODEL_FRAME_REQUEST || frame.operation == ND_MODEL_NONE ||
			!nd_model_decode(
				nd_model_frame_bytes(play->model, number, &count), count, &headers))
			continue;
		operation =
			nd_model_operation(play->model, play->index, play->ours, frame.operation);
		if (frame.packet * mtu + headers.length < operation->bytes)
			return true;
	}
	return false;
}

/** @return PSN behind those that a request of our side takes */
static uint64_t
end_of(const struct play *play, const struct nd_model_frame *frame)
{
	const struct nd_model_operation *operation;

	if (frame->opcode != PACKET_READ_REQUEST || frame->operation == ND_MODEL_NONE)
		return frame->sequence + 1;
	operation = nd_model_operation(play->model, play->index, play->ours, frame->operation);
	return operation->sequence + operation->packets;
}

/**
 * @return whether our side has sent a packet again, and not those behind it that it had sent, too:
 *         it may recover selectively, or these were lost in front of the capture
 */
static bool
has_skipped(const struct play *play)
{
	uint64_t highest = 0, again = UINT64_MAX;
	struct nd_model_frame frame;

	for (size_t i = 0; play_frame(play, i, &frame) != 0; i++) {
		if (frame.side != play->ours || frame.part != ND_MODEL_FRAME_REQUEST)
			continue;
		if (again < highest && frame.sequence > again)
			return true;
		again = frame.repeated ? end_of(play, &frame) : UINT64_MAX;
		if (end_of(play, &frame) > highest)
			highest = end_of(play, &frame);
	}
	return false;
}

static void
other_try(const struct play *play, struct receiver *receiver, uint32_t keep, uint64_t least,
	struct play_fit *fit)
{
	if (misfits(play, receiver, keep) / MISFIT == least / MISFIT)
		fit->others[fit->other_count++] = (uint16_t)keep;
}

void
play_fit_make(const struct play *play, struct play_fit *fit)
{
	struct receiver *receiver = malloc(sizeof(*receiver));
	/* The engine keeps packets where it recovers selectively, be it one. */
	const bool selective = has_asked_parts(play);
	uint64_t least;

	*fit = (struct play_fit){0};
	if (receiver == NULL) {
		play->outcome->memory_exhausted = true;
		return;
	}
	least = selective ? UINT64_MAX : misfits(play, receiver, 0);
	for (uint32_t i = 1; least >= MISFIT && i <= SMALL_DISTANCES; i++)
		distance_try(play, receiver, i, &least, fit);
	for (size_t i = 0;
		(least >= MISFIT || fit->keep != 0) && i < sizeof(distances) / sizeof(distances[0]);
		i++)
		distance_try(play, receiver, distances[i], &least, fit);
	/* Whether it may be the other way, too: keep as much as is usual, or next to nothing. */
	if (!selective)
		other_try(play, receiver, fit->keep == 0 ? PLAY_KEEP_MAX : 0, least, fit);
	fit->keeps = fit->keep != 0 && fit->other_count == 0;
	if (fit->keep == 0 && !selective && has_skipped(play))
		fit->others[fit->other_count++] = 1;
	free(receiver);
}

static void
numbers_sort(struct play_numbers *numbers)
{
	if (numbers->count != 0)
		qsort(numbers->at, numbers->count, sizeof(*numbers->at), by_value);
}

void
play_fit_gaps(const struct play *play, struct play_fit *fit)
{
	struct receiver *receiver = malloc(3 * sizeof(*receiver));

	fit->gaps.count = fit->open.count = fit->naks.count = fit->early.count = 0;
	if (receiver == NULL) {
		play->outcome->memory_exhausted = true;
		return;
	}
	receiver_begin(play, receiver, play->keep);
	receiver->keeps = fit->keeps && play->keep != 0;
	receiver_begin(play, receiver + 1, PLAY_AHEAD - 1);
	receiver_begin(play, receiver + 2, PLAY_AHEAD - 1);
	gaps_find(play, receiver, receiver + 1, receiver + 2, fit);
	numbers_sort(&fit->gaps);
	numbers_sort(&fit->open);
	free(receiver);
}

bool
play_numbers_have(const struct play_numbers *numbers, uint64_t number)
{
	return numbers->count != 0 &&
		bsearch(&number, numbers->at, numbers->count, sizeof(number), by_value) != NULL;
}

void
play_fit_free(struct play_fit *fit)
{
	free(fit->gaps.at);
	free(fit->open.at);
	free(fit->naks.at);
	free(fit->early.at);
	*fit = (struct play_fit){0};
}
