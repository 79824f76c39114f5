/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_PICK_H
#define NDPDK_NDREPLAY_PICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_trace_frame.h>

#include "reader.h"

/*
 * The frames of one connection: its CM exchange and its packets. Which connection a packet belongs
 * to may be known only later in the capture, so the file is read twice: first to number the
 * connections, then once more with the same numbers. It takes memory for connections, not for
 * frames.
 */

struct pick;

/**
 * Read a capture, to find a connection in it.
 *
 * @param config how pick_take() will be given the frames, too
 * @param trace_config likewise
 * @param number of the connection in the report of `ndreplay check`, from 1
 * @param why filled with a sentence when NULL is returned
 * @return to be closed with pick_close(), or NULL
 */
struct pick *pick_open(const char *path, const struct reader_config *config,
	const struct nd_trace_config *trace_config, uint64_t number, char *why, size_t size);

/** NULL is allowed. */
void pick_close(struct pick *pick);

/** Take the next frame of the file. @return whether it belongs to the connection */
bool pick_take(struct pick *pick, const struct reader_frame *frame, bool is_skipped);

/** @return what the first reading found: the whole capture, finished. */
const struct nd_trace *pick_report(const struct pick *pick);

/** @return what is known of the frame that was taken last, and what came before it. */
const struct nd_trace *pick_trace(const struct pick *pick);

#endif
