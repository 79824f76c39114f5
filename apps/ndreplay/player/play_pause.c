/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Pauses of our side's host, during which it processes no packets. */

#include "play_pause.h"

#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "mad.h"

/** Shortest pause, in ns. */
#define PAUSE_NS UINT64_C(1000000)

/** @return true if our host received a frame (`to` is true) or sent the frame (`to` is false) */
static bool
is_of_host(const struct play_recorded *recorded, const struct nd_model_frame *frame, bool to)
{
	const struct nd_model_connection *connection =
		nd_model_connection(recorded->model, frame->connection);

	return connection != NULL &&
		memcmp(connection->side[(frame->side ^ to) & 1].ip, play_own_side(recorded)->ip,
			16) == 0;
}

/** @return true if the receiver of a frame must answer at once */
static bool
asks(const struct play_recorded *recorded, uint64_t number, const struct nd_model_frame *frame)
{
	struct nd_model_headers headers;
	const uint8_t *bytes;
	size_t count;

	if (frame->part == ND_MODEL_FRAME_CM)
		return frame->cm_attribute == MAD_REP || frame->cm_attribute == MAD_DREQ;
	if (frame->part != ND_MODEL_FRAME_REQUEST)
		return false;
	bytes = nd_model_frame_bytes(recorded->model, number, &count);
	return bytes != NULL && nd_model_decode(bytes, count, &headers) && headers.acknowledge;
}

static void
pause_add(struct play_pauses *found, const struct play_pause *pause)
{
	/* Remove earlier pauses that are inside this pause. */
	while (found->count != 0 && found->at[found->count - 1].end_ns > pause->begin_ns)
		found->count--;
	if (found->count == found->room) {
		const size_t room = 2 * found->room + 64;
		struct play_pause *grown = realloc(found->at, room * sizeof(*grown));

		if (grown == NULL) {
			found->no_memory = true;
			return;
		}
		found->at = grown;
		found->room = room;
	}
	found->at[found->count++] = *pause;
}

/**
 * @return number of the last frame that arrived together with frame `number`. All frames from one
 *         to the other have the same time, and our host sent none of them.
 */
static uint64_t
last_waiting(const struct play_recorded *recorded, uint64_t number, uint64_t time_ns)
{
	struct nd_model_frame frame;

	while (nd_model_frame_get(recorded->model, number + 1, &frame) &&
		frame.time_ns == time_ns && !is_of_host(recorded, &frame, false))
		number++;
	return number;
}

void
play_pauses_find(const struct play_recorded *recorded, struct play_pauses *found)
{
	struct play_pause asked = {.first = 0}, silent;
	struct nd_model_frame frame;
	uint64_t before_ns = UINT64_MAX;

	found->count = 0;
	for (uint64_t i = 1;
		found->way != PLAY_PAUSES_NONE && nd_model_frame_get(recorded->model, i, &frame);
		i++) {
		silent = (struct play_pause){
			.first = i, .last = i, .begin_ns = before_ns, .end_ns = frame.time_ns};
		if (silent.begin_ns < silent.end_ns &&
			silent.end_ns - silent.begin_ns >= PAUSE_NS) {
			silent.last = last_waiting(recorded, i, frame.time_ns);
			pause_add(found, &silent);
		}
		before_ns = frame.time_ns;
		if (found->way != PLAY_PAUSES_ANSWERS)
			continue;
		if (is_of_host(recorded, &frame, true) && asks(recorded, i, &frame)) {
			if (asked.first == 0)
				asked = (struct play_pause){.first = i, .begin_ns = frame.time_ns};
			asked.requests |= frame.part == ND_MODEL_FRAME_REQUEST;
		}
		if (asked.first == 0 || !is_of_host(recorded, &frame, false))
			continue;
		asked.last = i;
		asked.end_ns = frame.time_ns;
		if (asked.end_ns >= asked.begin_ns + PAUSE_NS)
			pause_add(found, &asked);
		asked.first = 0;
	}
}

static uint64_t
time_of(const struct play_clock *clock, uint64_t time_ns)
{
	return time_ns < clock->begin_ns ? PLAY_BEGIN_NS
					 : time_ns - clock->begin_ns + clock->shift_ns;
}

void
play_pauses_pass(
	struct play_pauses *found, struct play_clock *clock, uint64_t number, uint64_t due_ns)
{
	while (found->next < found->count && found->at[found->next].first <= number) {
		const struct play_pause *pause = &found->at[found->next];
		const uint64_t until_ns = time_of(clock, pause->end_ns);

		/*
		 * Limit all times to due_ns, because the clock of the capture may have been
		 * changed.
		 */
		play_advance(clock, RTE_MIN(time_of(clock, pause->begin_ns), due_ns));
		if (number < pause->last)
			return;
		clock->now_ns = RTE_MAX(clock->now_ns, RTE_MIN(until_ns, due_ns));
		found->next++;
	}
	play_advance(clock, due_ns);
}

bool
play_pauses_have(const struct play_pauses *found, uint64_t number)
{
	for (size_t i = 0; i < found->count; i++)
		if (found->at[i].first <= number && number < found->at[i].last)
			return found->at[i].requests;
	return false;
}
