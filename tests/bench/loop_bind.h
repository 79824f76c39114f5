/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_LOOP_BIND_H
#define NDPDK_BENCH_LOOP_BIND_H

#include <stdint.h>

#include "loop_pair.h"

/*
 * Memory windows of side 0 that are bound and then invalidated, `count` windows per call, at most
 * LOOP_DEPTH_MAX. Both functions bind and invalidate through the endpoint of side 0, in batches.
 */

/** Bytes of each window, and of the WRITE that uses it. */
#define LOOP_BIND_BYTES   64u
/** Entries of a pair's queues (loop_pair.entries): a bind and a SEND for each window. */
#define LOOP_BIND_ENTRIES (2 * LOOP_DEPTH_MAX)

struct loop_bind {
	struct loop_pair *pair; /**< set before opening */
	struct nd_mw *windows[LOOP_DEPTH_MAX];
	/** Results of the requests for each window. */
	struct nd_result bound[LOOP_DEPTH_MAX];
	struct nd_result sent[LOOP_DEPTH_MAX];
	struct nd_result received[LOOP_DEPTH_MAX]; /**< results of side 1 */
	struct nd_result written[LOOP_DEPTH_MAX];
	struct nd_result invalidated; /**< for an invalidate by the peer: never used */
};

/** Create the windows. The pair is open and has queues of LOOP_BIND_ENTRIES. Ends the process when
 * a window cannot be created. */
void loop_bind_open(struct loop_bind *bind);

/**
 * Bind the windows, tell side 1 each descriptor with a SEND, let side 1 WRITE LOOP_BIND_BYTES
 * through each window, then invalidate the windows. Ends the process when a request fails.
 */
void loop_bind_cycle(struct loop_bind *bind, uint32_t count);

/** Bind the windows, then invalidate them; nothing is sent. Each engine is polled once. Ends the
 * process when a request fails. */
void loop_bind_only(struct loop_bind *bind, uint32_t count);

#endif
