/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_JUDGE_SELECTION_H
#define NDPDK_JUDGE_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_trace_frame.h>

#include "ndreplay/capture/reader.h"

/*
 * Selects the frames of one connection: its CM exchange and its packets. The connection of a
 * packet, and violations, may be known only later in the capture. Therefore the file is read twice:
 * first to number the connections, then again with the same numbers. Memory grows with the
 * connections, not with the frames.
 */

struct selection;

/** Facts about a frame. */
struct selection_seen {
	struct nd_trace_seen trace;
	size_t index; /**< index of its connection in the report, or ND_TRACE_NO_CONNECTION */
};

/**
 * Read a capture, to find a connection in it.
 *
 * @param config all of its frames are taken; its line function is not called
 * @param number of the connection in the report of `ndreplay check`, from 1; 0 = all connections
 * @param why filled with a sentence when NULL is returned
 * @return to be closed with selection_close(), or NULL
 */
struct selection *selection_open(const char *path, const struct nd_trace_config *config,
	uint64_t number, char *why, size_t size);

/** NULL is allowed. */
void selection_close(struct selection *selection);

/**
 * Process the next frame of the file in the second reading, selected or not.
 *
 * @param[out] seen filled; NULL is allowed
 * @return whether the frame belongs to the connection
 */
bool selection_take(
	struct selection *selection, const struct reader_frame *frame, struct selection_seen *seen);

/** @return the trace of the first reading: the whole capture, finished. */
const struct nd_trace *selection_report(const struct selection *selection);

#endif
