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
 * The history of connections, from which a picture is drawn. The history has a timeline for each
 * side of a connection, and a trace that measures the times from requests to answers. The frames
 * come from a capture or from a replay.
 */

/** The history is empty if all members are zero. */
struct history {
	/** trace of the frames; valid after history_finish(), or at any time if own is set */
	const struct nd_trace *trace;
	struct nd_trace *own; /**< trace that history_feed() feeds; NULL = none */
	struct timelines lines;
	/** index[i]: trace index of the connection of lines.all[i]. Valid after history_finish() */
	size_t index[TIMELINES_MAX];
	unsigned side[TIMELINES_MAX];
};

/** @return a history with its own trace, to be freed with history_close(); NULL: out of memory */
struct history *history_open(void);

/** Free a history of history_open(). NULL is allowed. */
void history_close(struct history *history);

/** Free the content of a history whose memory belongs to the caller. */
void history_clear(struct history *history);

/** Add a frame to the history, after the caller has fed the frame to its own trace. */
void history_take(struct history *history, const struct nd_trace *trace, uint64_t time_ns,
	uint32_t wire_bytes);

/** Feed a frame to the history's own trace, and add the frame to the history. */
void history_feed(struct history *history, uint64_t time_ns, const void *bytes,
	uint32_t captured_bytes, uint32_t wire_bytes);

/** Find the connection of each timeline in the trace. Call this function after the last frame. */
void history_finish(struct history *history, const struct nd_trace *trace);

/**
 * @param but, count connections of the trace that are ignored
 * @return index of the connection with the most bytes, among the connections that have a timeline;
 *         ND_TRACE_NO_CONNECTION: there is none
 */
size_t history_busiest(const struct history *history, const size_t *but, size_t count);

/**
 * Get the position of the newest frame in the picture.
 *
 * @param[out] seconds time since the first packet
 * @param[out] psn PSN relative to the first PSN. For a request, the PSN is the request's own. For a
 *                 response, the PSN is that of the answered request. For other packets, psn is 0.
 * @return false: no packet of a connection has arrived
 */
bool history_newest(const struct history *history, double *seconds, int64_t *psn);

#endif
