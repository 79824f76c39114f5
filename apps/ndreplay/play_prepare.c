/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * What a play needs to know of its side before it begins: where PSNs begin, where the connection
 * ends, and how the side recovers.
 *
 * How the recorded side takes requests that come ahead of a gap: packets do not say it, but its
 * acknowledgements do. A model of a receiver that keeps so many packets gets the recorded requests;
 * the number that fits the recorded answers best is that of the side.
 */

#include "play.h"

#include <stdlib.h>
#include <string.h>

#define ECN_ECT0       2u
#define ECN_CE         3u
/** What comes within this time, a receiver may take together before it answers. */
#define BURST_NS       UINT64_C(20000)
/** Gaps of which a NAK may be under way in the side itself. */
#define GAPS_NEWEST    8
/** Weights: an answer that a receiver would not have given, and an ACK that is not its newest. */
#define MISFIT         (UINT64_C(1) << 32)
#define MISFIT_OLD     1u
/** Requests of theirs that come again without an answer, before a side is taken for silent. */
#define SILENT_REPEATS 2u

/* ---- where it begins and ends ---- */

static uint32_t
first_psn(const struct nd_model_side *side, const struct nd_model_operation *first)
{
	return first != NULL && !side->first_psn_known ? first->first_psn : side->first_psn;
}

/** @return the first PSN of a side as the model counts them */
static uint64_t
first_sequence(const struct nd_model_operation *first, uint32_t psn)
{
	return first == NULL ? psn : first->sequence - ((first->first_psn - psn) & 0xFFFFFF);
}

/** Where the PSNs of both sides begin, as the model counts them. */
static void
sequences_begin(struct play *play)
{
	const struct nd_model_side *side = &play->connection->side[play->ours];
	const struct nd_model_side *peer = &play->connection->side[play->theirs];
	const struct nd_model_operation *own =
		nd_model_operation(play->model, play->index, play->ours, 0);
	const struct nd_model_operation *theirs =
		nd_model_operation(play->model, play->index, play->theirs, 0);

	play->map.psn_recorded = first_psn(peer, theirs);
	play->answers_near = first_sequence(theirs, play->map.psn_recorded);
	play->expected = play->answers_near;
	play->sent = play->sent_now = first_sequence(own, first_psn(side, own));
}

/** Where the connection ends: a fatal NAK of either side, or a DREQ. */
static void
end_find(struct play *play)
{
	const struct nd_model_connection *connection = play->connection;
	uint64_t frame;

	play->end_frame = UINT64_MAX;
	if (connection->close == ND_MODEL_DISCONNECTED)
		play->end_frame = connection->closed_frame;
	for (unsigned side = 0; side < 2; side++) {
		const struct nd_model_refusal *refusal =
			nd_model_refusal(play->model, play->index, side, 0);

		if (refusal == NULL)
			continue;
		/* The engine may refuse a request sooner than the recorded side did. */
		frame = refusal->frame;
		if (side == play->ours && refusal->operation != ND_MODEL_NONE)
			frame = nd_model_operation(
				play->model, play->index, play->theirs, refusal->operation)
					->first_frame;
		if (frame < play->end_frame)
			play->end_frame = frame;
	}
}

/** @return PSN with which the peer began, which our REQ or REP has told it */
static uint32_t
told_psn(const struct play *play)
{
	struct nd_model_frame frame;

	for (size_t i = 0; play_frame(play, i, &frame) != 0; i++)
		if (frame.side == play->theirs && frame.part == ND_MODEL_FRAME_REQUEST)
			/* What is missing in front of it, if anything, is another matter. */
			return frame.sequence < play->expected ? frame.psn : play->map.psn_recorded;
	return play->map.psn_recorded;
}

/** Where our side fell silent, if it did: its application has ended the connection, or the host. */
static void
silence_find(struct play *play)
{
	struct nd_model_frame frame;
	uint64_t number, last = 0;
	unsigned int repeats = 0;

	for (size_t i = 0; (number = play_frame(play, i, &frame)) != 0; i++) {
		if (frame.part == ND_MODEL_FRAME_CM)
			continue;
		if (frame.side == play->ours) {
			last = number;
			repeats = 0;
		} else if (frame.part == ND_MODEL_FRAME_REQUEST && frame.repeated) {
			repeats++;
		}
	}
	play->silent_frame = repeats >= SILENT_REPEATS ? last : UINT64_MAX;
}

void
play_prepare(struct play *play)
{
	const uint8_t ecn = play->connection->side[play->ours].tos & ECN_CE;

	sequences_begin(play);
	play->map.psn_told = told_psn(play);
	end_find(play);
	silence_find(play);
	play->unfinished = UINT64_MAX;
	/* Whoever marks a packet takes one that may be marked. */
	if (play->connection->side[play->ours].data_seen)
		play->ecn = ecn == ECN_CE ? ECN_ECT0 : ecn;
}

/* ---- what it keeps ---- */

/** A receiver that keeps packets up to some distance from the expected one. */
struct receiver {
	uint64_t expected; /**< PSN */
	uint64_t newest;   /**< PSN behind the highest that has come */
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

/** @return answers that do not fit a receiver that keeps packets up to this distance */
static uint64_t
misfits(const struct play *play, struct receiver *receiver, uint32_t keep, struct play_fit *fit)
{
	struct nd_model_frame frame;
	uint64_t number;

	memset(receiver, 0, sizeof(*receiver));
	receiver->expected = receiver->newest = play->expected;
	receiver->keep = keep;
	receiver->keeps = fit != NULL && fit->keeps && keep != 0;
	receiver->gap = receiver->taken = UINT64_MAX;
	memset(receiver->gaps, 0xFF, sizeof(receiver->gaps));
	for (size_t i = 0; (number = play_frame(play, i, &frame)) != 0; i++) {
		if (frame.side == play->theirs) {
			if (frame.part == ND_MODEL_FRAME_REQUEST && !play_is_lost(play, number))
				request_take(play, receiver, &frame, fit);
			continue;
		}
		if (!is_answer(frame.part))
			continue;
		if (frame.part == ND_MODEL_FRAME_NAK && (frame.syndrome & 0x1F) != 0)
			break; /* the end of the connection */
		if (fit != NULL && frame.part == ND_MODEL_FRAME_NAK && is_due(receiver, &frame) &&
			!number_add(&fit->naks, number))
			play->outcome->memory_exhausted = true;
		answer_take(receiver, &frame);
	}
	return receiver->misfits;
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
	const uint64_t found = misfits(play, receiver, keep, NULL);

	/* Of two that fit as well, the larger one: it is the more usual. */
	if (found > *least || (found == *least && fit->keep == 0))
		return;
	*least = found;
	fit->keep = (uint16_t)keep;
}

void
play_fit_make(const struct play *play, struct play_fit *fit)
{
	struct receiver *receiver = malloc(sizeof(*receiver));
	uint64_t least, other;

	*fit = (struct play_fit){0};
	if (receiver == NULL) {
		play->outcome->memory_exhausted = true;
		return;
	}
	least = misfits(play, receiver, 0, NULL);
	for (uint32_t i = 1; least >= MISFIT && i <= SMALL_DISTANCES; i++)
		distance_try(play, receiver, i, &least, fit);
	for (size_t i = 0;
		(least >= MISFIT || fit->keep != 0) && i < sizeof(distances) / sizeof(distances[0]);
		i++)
		distance_try(play, receiver, distances[i], &least, fit);
	/* Whether it may be the other way, too: keep as much as is usual, or nothing. */
	other = misfits(play, receiver, fit->keep == 0 ? PLAY_KEEP_MAX : 0, NULL);
	fit->open_question = least / MISFIT == other / MISFIT;
	fit->keeps = fit->keep != 0 && !fit->open_question;
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
	struct receiver *receiver = malloc(sizeof(*receiver));

	fit->gaps.count = fit->open.count = fit->naks.count = 0;
	if (receiver == NULL) {
		play->outcome->memory_exhausted = true;
		return;
	}
	misfits(play, receiver, play->keep, fit);
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
	*fit = (struct play_fit){0};
}
