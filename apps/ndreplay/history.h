/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_HISTORY_H
#define NDPDK_NDREPLAY_HISTORY_H

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
struct history {
	/** the report; valid after history_finish(), or if own is set */
	const struct nd_trace *trace;
	struct nd_trace *own; /**< the same trace if the history feeds it; else NULL */
	struct timelines lines;
	/** Index in the report of the connection of lines.all[i]. Valid after history_finish(). */
	size_t index[TIMELINES_MAX];
	unsigned side[TIMELINES_MAX];
};

/** @return a history with a trace of its own, to be freed with history_close(); NULL: no memory */
struct history *history_open(void);

/** Free what the history holds, and the history. NULL is allowed. */
void history_close(struct history *history);

/** Free the content of a history that history_open() has not made. */
void history_clear(struct history *history);

/** Called after a frame was fed to a trace of the caller. Adds the frame to the history. */
void history_take(struct history *history, const struct nd_trace *trace, uint64_t time_ns,
	uint32_t wire_bytes);

/** Feed a frame to the own trace, and add it to the history. */
void history_feed(struct history *history, uint64_t time_ns, const void *bytes,
	uint32_t captured_bytes, uint32_t wire_bytes);

/** Called after the last frame. Finds the connections of the timelines. */
void history_finish(struct history *history, const struct nd_trace *trace);

/**
 * @param but connections of the report to leave out
 * @return the connection with most bytes that has a timeline; ND_TRACE_NO_CONNECTION: none
 */
size_t history_busiest(const struct history *history, const size_t *but, size_t count);

/**
 * Get the position of the newest frame in the picture.
 *
 * @param[out] seconds since the first packet
 * @param[out] psn of the request, or of the answered request, counted from the first PSN; else 0
 * @return false: no packet of a connection has arrived
 */
bool history_newest(const struct history *history, double *seconds, int64_t *psn);

#endif
