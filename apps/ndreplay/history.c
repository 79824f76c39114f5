/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "history.h"

#include <stdlib.h>

#include <ndpdk/nd_trace_frame.h>
#include <ndpdk/nd_trace_stats.h>

struct history *
history_open(void)
{
	struct history *history = calloc(1, sizeof(*history));

	if (history == NULL)
		return NULL;
	history->own = nd_trace_open(NULL);
	history->trace = history->own;
	if (history->own != NULL)
		return history;
	free(history);
	return NULL;
}

void
history_clear(struct history *history)
{
	timelines_free(&history->lines);
	nd_trace_close(history->own);
	*history = (struct history){0};
}

void
history_close(struct history *history)
{
	if (history == NULL)
		return;
	history_clear(history);
	free(history);
}

void
history_take(struct history *history, const struct nd_trace *trace, uint64_t time_ns,
	uint32_t wire_bytes)
{
	struct nd_trace_seen seen;

	nd_trace_last(trace, &seen);
	timelines_take(&history->lines, &seen, time_ns, wire_bytes);
}

void
history_feed(struct history *history, uint64_t time_ns, const void *bytes, uint32_t captured_bytes,
	uint32_t wire_bytes)
{
	if (bytes == NULL) {
		nd_trace_skip(history->own);
		return;
	}
	nd_trace_frame(history->own, time_ns, bytes, captured_bytes, wire_bytes);
	history_take(history, history->own, time_ns, wire_bytes);
}

void
history_finish(struct history *history, const struct nd_trace *trace)
{
	if (trace == NULL)
		nd_trace_finish(history->own);
	else
		history->trace = trace;
	for (size_t i = 0; i < history->lines.count; i++) {
		const struct timeline *line = history->lines.all[i];

		history->index[i] = nd_trace_index(history->trace, line->connection);
		history->side[i] = nd_trace_side(history->trace, line->connection, line->side);
	}
}

static uint64_t
bytes_of(const struct nd_trace *trace, size_t index)
{
	struct nd_trace_stats stats;

	return nd_trace_stats(trace, index, &stats)
		? stats.side[0].wire_bytes + stats.side[1].wire_bytes
		: 0;
}

static bool
is_in(size_t index, const size_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == index)
			return true;
	return false;
}

size_t
history_busiest(const struct history *history, const size_t *but, size_t count)
{
	size_t best = ND_TRACE_NO_CONNECTION;

	for (size_t i = 0; i < history->lines.count; i++) {
		const size_t index = history->index[i];

		if (index == ND_TRACE_NO_CONNECTION || is_in(index, but, count))
			continue;
		if (best == ND_TRACE_NO_CONNECTION ||
			bytes_of(history->trace, index) > bytes_of(history->trace, best))
			best = index;
	}
	return best;
}

bool
history_newest(const struct history *history, double *seconds, int64_t *psn)
{
	const struct timelines *lines = &history->lines;
	const struct timeline *line;

	if (!lines->started)
		return false;
	*seconds = (double)(lines->newest_ns - lines->start_ns) / 1e9;
	*psn = 0;
	line = timelines_find(lines, lines->newest.connection,
		lines->newest.kind == ND_TRACE_KIND_REQUEST ? lines->newest.side
							    : !lines->newest.side);
	if (line != NULL && line->has_psn && lines->newest.kind != ND_TRACE_KIND_CNP)
		*psn = timeline_place(line, lines->newest.psn);
	return true;
}
