/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "trace/model_faults.h"

/*
 * A sender numbers its packets if its IPv4 identification usually increases by at most this number
 * per packet.
 */
#define STEP_MAX   1024
/* Larger steps are tolerated if they are less than 1 / STEP_SHARE of all steps. */
#define STEP_SHARE 10u
/* First extended IPv4 identification of a sender. Delayed packets may have lower numbers. */
#define ID_BASE    (UINT64_C(1) << 32)

struct events {
	struct nd_model *model;
	size_t connection;
	struct model_event *items;
	size_t count;
};

static const struct model_packet *
packet_of(const struct events *events, const struct model_event *event)
{
	return model_packet_at(events->model, event->packet);
}

static const struct nd_model_frame *
frame_of(const struct events *events, const struct model_event *event)
{
	return &model_frame_of(events->model, packet_of(events, event))->report;
}

/* @return true if an event is a complete RC packet that a side sent. */
static bool
is_of(const struct events *events, const struct model_event *event, unsigned side)
{
	const struct nd_model_frame *frame = frame_of(events, event);

	return frame->side == side && frame->part >= ND_MODEL_FRAME_REQUEST &&
		frame->part <= ND_MODEL_FRAME_CNP && packet_of(events, event)->numbered;
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

/*
 * Extend the 16-bit IPv4 identifications of a side to 64 bits. @return true if the side numbers its
 * packets
 */
static bool
ids_unwrap(const struct events *events, unsigned side)
{
	size_t steps = 0, large = 0, forward = 0;
	uint64_t newest = ID_BASE;

	for (size_t i = 0; i < events->count; i++) {
		struct model_event *event = &events->items[i];
		int16_t step;

		if (!is_of(events, event, side))
			continue;
		if (newest == ID_BASE)
			newest += packet_of(events, event)->ip_id;
		step = (int16_t)(uint16_t)(packet_of(events, event)->ip_id - (uint16_t)newest);
		event->id = newest + (uint64_t)(int64_t)step;
		steps++;
		large += step > STEP_MAX || step < -STEP_MAX;
		forward += step > 0;
		newest = RTE_MAX(newest, event->id);
	}
	if (steps > 1 && large * STEP_SHARE < steps && 2 * forward >= steps - 1)
		return true;
	for (size_t i = 0; i < events->count; i++)
		if (is_of(events, &events->items[i], side))
			events->items[i].id = 0;
	return false;
}

static void
fault(const struct events *events, enum nd_model_fault_kind kind, const struct model_event *event,
	const struct model_event *original)
{
	const struct nd_model_frame *frame = frame_of(events, event);

	model_fault_add(events->model,
		&(struct nd_model_fault){
			.kind = kind,
			.place = ND_MODEL_PLACE_BEFORE,
			.connection = events->connection,
			.side = frame->side,
			.frame = packet_of(events, event)->frame + 1,
			.original = packet_of(events, original)->frame + 1,
			.psn = frame->psn,
			.answer = frame->part != ND_MODEL_FRAME_REQUEST,
			.operation = frame->operation,
		});
}

/* Compare by IPv4 identification, then by frame. Packets without an identification come first. */
static int
id_compare(const void *a, const void *b)
{
	const struct model_event *first = *(struct model_event *const *)a;
	const struct model_event *second = *(struct model_event *const *)b;

	if (first->id != second->id)
		return first->id < second->id ? -1 : 1;
	return (first > second) - (first < second);
}

/* Compare by by_frame, then by IPv4 identification. */
static int
sent_compare(const void *a, const void *b)
{
	const struct model_event *first = a, *second = b;

	if (first->by_frame != second->by_frame)
		return first->by_frame < second->by_frame ? -1 : 1;
	if (first->id != second->id)
		return first->id < second->id ? -1 : 1;
	return (first->packet > second->packet) - (first->packet < second->packet);
}

/*
 * Set by_frame for a side that numbers its packets: a packet was sent before every captured packet
 * with a higher number.
 */
static void
side_order(const struct events *events, struct model_event **sorted, unsigned side)
{
	uint64_t earliest = UINT64_MAX;
	size_t count = 0;

	for (size_t i = 0; i < events->count; i++)
		if (is_of(events, &events->items[i], side))
			sorted[count++] = &events->items[i];
	qsort(sorted, count, sizeof(struct model_event *), id_compare);
	for (size_t i = 1; i < count; i++) {
		struct model_event *event = sorted[i], *before = sorted[i - 1];

		if (event->id != before->id ||
			!model_same_bytes(
				events->model, packet_of(events, event), packet_of(events, before)))
			continue;
		event->copy = true;
		fault(events, ND_MODEL_FAULT_REPEATED, event, before);
	}
	for (size_t i = count; i-- > 0;) {
		if (!sorted[i]->copy && sorted[i]->by_frame > earliest)
			fault(events, ND_MODEL_FAULT_REORDERED, sorted[i], sorted[i]);
		earliest = RTE_MIN(earliest, sorted[i]->by_frame);
		sorted[i]->by_frame = earliest;
	}
}

struct model_event *
model_events(struct nd_model *model, size_t connection)
{
	struct model_connection *of = model_connection_at(model, connection);
	struct events events = {
		.model = model, .connection = connection, .count = of->packet_count};
	struct model_event **sorted;

	if (of->packet_count == 0)
		return NULL;
	events.items = calloc(of->packet_count, sizeof(*events.items));
	sorted = malloc(of->packet_count * sizeof(*sorted));
	if (events.items == NULL || sorted == NULL) {
		model->starved = true;
		free(events.items);
		free(sorted);
		return NULL;
	}
	for (size_t i = 0; i < events.count; i++) {
		events.items[i].packet = model->order[of->first_packet + i];
		events.items[i].by_frame = packet_of(&events, &events.items[i])->frame + 1;
	}
	for (unsigned side = 0; side < 2; side++) {
		of->counts[side] = ids_unwrap(&events, side);
		if (of->counts[side])
			side_order(&events, sorted, side);
	}
	free(sorted);
	qsort(events.items, events.count, sizeof(*events.items), sent_compare);
	return events.items;
}
