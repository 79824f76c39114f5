/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_COURSE_H
#define NDPDK_NDREPLAY_COURSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_trace.h>

#include "timelines.h"

/*
 * The history of connections for a picture: the timelines of their sides, and a trace with the
 * times from requests to answers. The frames come from a capture or from a replay.
 */

/** All zero is empty. */
struct course {
	/** the report; valid after course_finish(), or if own is set */
	const struct nd_trace *trace;
	struct nd_trace *own; /**< the same trace if the course feeds it; else NULL */
	struct timelines lines;
	/** Index in the report of the connection of lines.all[i]. Valid after course_finish(). */
	size_t index[TIMELINES_MAX];
	unsigned side[TIMELINES_MAX];
};

/** @return a course with a trace of its own, to be freed with course_close(); NULL: no memory */
struct course *course_open(void);

/** Free what the course holds, and the course. NULL is allowed. */
void course_close(struct course *course);

/** Free the content of a course that course_open() has not made. */
void course_clear(struct course *course);

/** Called after a frame was fed to a trace of the caller. Adds the frame to the course. */
void course_take(
	struct course *course, const struct nd_trace *trace, uint64_t time_ns, uint32_t wire_bytes);

/** Feed a frame to the own trace, and add it to the course. */
void course_feed(struct course *course, uint64_t time_ns, const void *bytes,
	uint32_t captured_bytes, uint32_t wire_bytes);

/** Called after the last frame. Finds the connections of the timelines. */
void course_finish(struct course *course, const struct nd_trace *trace);

/**
 * @param but connections of the report to leave out
 * @return the connection with most bytes that has a timeline; ND_TRACE_NO_CONNECTION: none
 */
size_t course_busiest(const struct course *course, const size_t *but, size_t count);

/**
 * Get the position of the newest frame in the picture.
 *
 * @param[out] seconds since the first packet
 * @param[out] psn of the request, or of the answered request, counted from the first PSN; else 0
 * @return false: no packet of a connection has arrived
 */
bool course_newest(const struct course *course, double *seconds, int64_t *psn);

#endif
