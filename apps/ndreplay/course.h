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
 * The course of connections for a picture: the timelines of their sides, and a trace that knows the
 * times from requests to answers. The frames come from a capture, or from a play.
 */

/** All zero is empty. */
struct course {
	const struct nd_trace *trace; /**< the report; valid behind course_finish(), or with own */
	struct nd_trace *own;         /**< the same, when the course feeds it; else NULL */
	struct timelines lines;
	/** Of lines.all[i] in the report; valid behind course_finish(). */
	size_t index[TIMELINES_MAX];
	unsigned side[TIMELINES_MAX];
};

/** @return a course with a trace of its own, to be freed with course_close(); NULL: no memory */
struct course *course_open(void);

/** Free what the course holds, and the course. NULL is allowed. */
void course_close(struct course *course);

/** Free what the course holds: one that course_open() has not made. */
void course_clear(struct course *course);

/** A frame was fed to a trace of somebody else: take what that knows of it. */
void course_take(
	struct course *course, const struct nd_trace *trace, uint64_t time_ns, uint32_t wire_bytes);

/**
 * Feed a frame to the own trace, and take it.
 *
 * @param bytes Ethernet without FCS; NULL: a frame that is counted only
 */
void course_feed(struct course *course, uint64_t time_ns, const void *bytes,
	uint32_t captured_bytes, uint32_t wire_bytes);

/**
 * No more frames come: find the connections of the timelines.
 *
 * @param trace finished; NULL: the own one, which is finished here
 */
void course_finish(struct course *course, const struct nd_trace *trace);

/**
 * @param but connections that do not count, of the report
 * @return the connection with most bytes that has a timeline; ND_TRACE_NO_CONNECTION: none
 */
size_t course_busiest(const struct course *course, const size_t *but, size_t count);

/**
 * Say where in the picture the newest frame is.
 *
 * @param[out] seconds since the first packet
 * @param[out] psn of the request that it is or answers, counted from the first one; else 0
 * @return false: no packet of a connection has come
 */
bool course_newest(const struct course *course, double *seconds, int64_t *psn);

#endif
