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
 * Selects the frames of one connection: its CM messages and its packets. The connection of a
 * packet, or the rule that a packet breaks, may only be known after later frames. Therefore the
 * file is read twice: first to number the connections, then again with the same numbers. The
 * required memory depends on the number of connections, not on the number of frames.
 */

struct selection;

struct selection_seen {
	struct nd_trace_seen trace;
	size_t index; /**< index of the connection in the report; or ND_TRACE_NO_CONNECTION */
};

/**
 * Read a capture, and find a connection in it.
 *
 * @param config configuration of the trace; its line function is not called
 * @param number number of the connection in the report of `ndreplay check`, from 1; 0 = all
 * @param why receives a sentence if NULL is returned
 * @return to be closed with selection_close(), or NULL
 */
struct selection *selection_open(const char *path, const struct nd_trace_config *config,
	uint64_t number, char *why, size_t size);

/** NULL is allowed. */
void selection_close(struct selection *selection);

/**
 * Process the next frame in the second reading of the file. Call this function for all frames, even
 * for frames that the reader's options do not select.
 *
 * @param[out] seen facts about the frame; may be NULL
 * @return true if the frame belongs to the selected connection
 */
bool selection_take(
	struct selection *selection, const struct reader_frame *frame, struct selection_seen *seen);

/** @return the finished trace of the first reading, which covers the whole capture */
const struct nd_trace *selection_report(const struct selection *selection);

#endif
