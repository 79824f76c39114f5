/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "course.h"

#include <stdlib.h>

#include <ndpdk/nd_trace_frame.h>
#include <ndpdk/nd_trace_stats.h>

struct course *
course_open(void)
{
	struct course *course = calloc(1, sizeof(*course));

	if (course == NULL)
		return NULL;
	course->own = nd_trace_open(NULL);
	course->trace = course->own;
	if (course->own != NULL)
		return course;
	free(course);
	return NULL;
}

void
course_clear(struct course *course)
{
	timelines_free(&course->lines);
	nd_trace_close(course->own);
	*course = (struct course){0};
}

void
course_close(struct course *course)
{
	if (course == NULL)
		return;
	course_clear(course);
	free(course);
}

void
course_take(
	struct course *course, const struct nd_trace *trace, uint64_t time_ns, uint32_t wire_bytes)
{
	struct nd_trace_seen seen;

	nd_trace_last(trace, &seen);
	timelines_take(&course->lines, &seen, time_ns, wire_bytes);
}

void
course_feed(struct course *course, uint64_t time_ns, const void *bytes, uint32_t captured_bytes,
	uint32_t wire_bytes)
{
	if (bytes == NULL) {
		nd_trace_skip(course->own);
		return;
	}
	nd_trace_frame(course->own, time_ns, bytes, captured_bytes, wire_bytes);
	course_take(course, course->own, time_ns, wire_bytes);
}

void
course_finish(struct course *course, const struct nd_trace *trace)
{
	if (trace == NULL)
		nd_trace_finish(course->own);
	else
		course->trace = trace;
	for (size_t i = 0; i < course->lines.count; i++) {
		const struct timeline *line = course->lines.all[i];

		course->index[i] = nd_trace_index(course->trace, line->connection);
		course->side[i] = nd_trace_side(course->trace, line->connection, line->side);
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
course_busiest(const struct course *course, const size_t *but, size_t count)
{
	size_t best = ND_TRACE_NO_CONNECTION;

	for (size_t i = 0; i < course->lines.count; i++) {
		const size_t index = course->index[i];

		if (index == ND_TRACE_NO_CONNECTION || is_in(index, but, count))
			continue;
		if (best == ND_TRACE_NO_CONNECTION ||
			bytes_of(course->trace, index) > bytes_of(course->trace, best))
			best = index;
	}
	return best;
}

bool
course_newest(const struct course *course, double *seconds, int64_t *psn)
{
	const struct timelines *lines = &course->lines;
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
