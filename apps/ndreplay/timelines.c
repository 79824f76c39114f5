/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "timelines.h"

#include <stdlib.h>

/*
 * @return the slot of a timeline, or the empty slot where it must be stored. The table always has
 *         empty slots.
 */
static size_t
slot_of(const struct timelines *lines, uint64_t connection, unsigned side)
{
	size_t at = (size_t)((2 * connection + side) * UINT64_C(0x9E3779B97F4A7C15) >> 32) %
		TIMELINES_SLOTS;

	while (lines->slots[at] != NULL &&
		(lines->slots[at]->connection != connection || lines->slots[at]->side != side))
		at = (at + 1) % TIMELINES_SLOTS;
	return at;
}

/*
 * @return the timeline of a packet's sender, created if it does not exist. NULL: there are too many
 *         timelines, or memory is exhausted
 */
static struct timeline *
line_get(struct timelines *lines, const struct nd_trace_seen *seen)
{
	struct timeline **slot = &lines->slots[slot_of(lines, seen->connection, seen->side)];

	if (*slot != NULL || lines->count == TIMELINES_MAX)
		return *slot;
	*slot = malloc(sizeof(**slot));
	if (*slot == NULL)
		return NULL;
	timeline_init(*slot, seen->connection, seen->side, lines->start_ns);
	lines->all[lines->count++] = *slot;
	return *slot;
}

void
timelines_take(struct timelines *lines, const struct nd_trace_seen *seen, uint64_t time_ns,
	uint32_t wire_bytes)
{
	struct timeline *line;

	if (seen->kind == ND_TRACE_KIND_NONE || seen->connection == 0)
		return;
	if (!lines->started) {
		lines->started = true;
		lines->start_ns = time_ns;
	}
	lines->newest = *seen;
	lines->newest_ns = time_ns > lines->start_ns ? time_ns : lines->start_ns;
	line = line_get(lines, seen);
	if (line != NULL)
		timeline_sent(line, seen, time_ns, wire_bytes);
	line = lines->slots[slot_of(lines, seen->connection, !seen->side)];
	if (line != NULL)
		timeline_answered(line, seen, time_ns);
}

const struct timeline *
timelines_find(const struct timelines *lines, uint64_t connection, unsigned side)
{
	return lines->slots[slot_of(lines, connection, side)];
}

void
timelines_free(struct timelines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->all[i]);
}
