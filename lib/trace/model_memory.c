/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "trace/model.h"

/* State of a byte of memory while the events are processed. */
enum byte_state {
	BYTE_OPEN,
	BYTE_KNOWN,
	BYTE_BLOCKED, /* overwritten by unknown bytes */
};

struct view {
	const struct nd_model *model;
	size_t connection;
	unsigned peer; /* the other side, which posted the operations */
	uint64_t address;
	size_t bytes;
	uint8_t *to;
	uint8_t *states; /* enum byte_state */
	size_t open;     /* number of bytes in state BYTE_OPEN */
};

/*
 * Get the bytes that an event contains from an offset on. known[i] is 1 if byte i is known. @return
 * number of bytes
 */
static size_t
event_bytes(const struct view *view, const struct nd_model_memory_event *event, uint64_t offset,
	uint8_t *to, uint8_t *known, size_t bytes)
{
	rte_le64_t value = rte_cpu_to_le_64(event->value);

	if (event->source == ND_MODEL_SOURCE_READ || event->source == ND_MODEL_SOURCE_WRITE)
		return nd_model_payload(view->model, view->connection, view->peer, event->operation,
			offset, to, known, bytes);
	memcpy(to, (const uint8_t *)&value + offset, bytes);
	memset(known, 1, bytes);
	return bytes;
}

/*
 * Take bytes that are still unknown (BYTE_OPEN) from an event.
 *
 * @param finds false: take no bytes, only block
 * @param blocks true: bytes that the event wrote with unknown values can no longer become known
 *         from other events
 */
static void
event_take(struct view *view, const struct nd_model_memory_event *event, bool finds, bool blocks)
{
	uint64_t from = RTE_MAX(event->address, view->address);
	/* Compare distances and not end addresses, because a range may end at 2^64. */
	uint64_t ahead = event->address - view->address, behind = view->address - event->address;
	uint8_t to[256], known[256];
	uint64_t left;

	if (event->address > view->address ? ahead >= view->bytes : behind >= event->bytes)
		return;
	left = RTE_MIN(
		event->bytes - (from - event->address), view->bytes - (from - view->address));
	while (left != 0) {
		size_t at = (size_t)(from - view->address);
		size_t chunk = (size_t)RTE_MIN(left, (uint64_t)sizeof(to));

		memset(known, 0, sizeof(known));
		if (finds)
			event_bytes(view, event, from - event->address, to, known, chunk);
		for (size_t i = 0; i < chunk; i++) {
			if (view->states[at + i] != BYTE_OPEN || (!known[i] && !blocks))
				continue;
			view->states[at + i] = known[i] ? BYTE_KNOWN : BYTE_BLOCKED;
			view->to[at + i] = known[i] ? to[i] : 0;
			view->open--;
		}
		from += chunk;
		left -= chunk;
	}
}

static bool
finds(const struct nd_model_memory_event *event)
{
	return event->source == ND_MODEL_SOURCE_READ || event->source == ND_MODEL_SOURCE_FOUND;
}

static void
view_fill(struct view *view, const struct nd_model_memory_event *events, size_t count, size_t index)
{
	if (index < count && finds(&events[index]))
		event_take(view, &events[index], true, false);
	for (size_t i = index; i-- > 0 && view->open != 0;)
		event_take(view, &events[i], true, !finds(&events[i]));
	for (size_t i = index; i < count && view->open != 0; i++)
		event_take(view, &events[i], finds(&events[i]), !finds(&events[i]));
}

size_t
nd_model_memory(const struct nd_model *model, size_t connection, unsigned side, size_t index,
	uint64_t address, uint8_t *to, uint8_t *known, size_t bytes)
{
	const struct model_side *of = model_side_at(model, connection, side);
	struct view view = {
		.model = model,
		.connection = connection,
		.peer = !side,
		.address = address,
		.bytes = bytes,
		.to = to,
		.open = bytes,
	};
	size_t found = 0;

	if (bytes == 0)
		return 0;
	memset(to, 0, bytes);
	if (known != NULL)
		memset(known, 0, bytes);
	if (of == NULL)
		return 0;
	view.states = calloc(bytes, 1);
	if (view.states == NULL)
		return 0;
	view_fill(&view, of->events.items, of->events.count, RTE_MIN(index, of->events.count));
	for (size_t i = 0; i < bytes; i++) {
		found += view.states[i] == BYTE_KNOWN;
		if (known != NULL)
			known[i] = view.states[i] == BYTE_KNOWN;
	}
	free(view.states);
	return found;
}
