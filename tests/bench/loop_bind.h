/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_LOOP_BIND_H
#define NDPDK_BENCH_LOOP_BIND_H

#include <stdint.h>

#include "loop_pair.h"

/*
 * Memory windows of side 0, which are bound and then invalidated. Each call uses `count` windows,
 * at most LOOP_DEPTH_MAX. The binds and invalidates go through the endpoint of side 0, in batches.
 */

/** Number of bytes of each window, and of the WRITE that uses the window. */
#define LOOP_BIND_BYTES   64u
/** Required length of a pair's queues (loop_pair.entries): a bind and a SEND for each window. */
#define LOOP_BIND_ENTRIES (2 * LOOP_DEPTH_MAX)

struct loop_bind {
	struct loop_pair *pair; /**< set before opening */
	struct nd_mw *windows[LOOP_DEPTH_MAX];
	/** Results of the requests, one of each kind per window. */
	struct nd_result bound[LOOP_DEPTH_MAX];
	struct nd_result sent[LOOP_DEPTH_MAX];
	struct nd_result received[LOOP_DEPTH_MAX]; /**< results of side 1 */
	struct nd_result written[LOOP_DEPTH_MAX];
	struct nd_result invalidated; /**< required by the API; the peer never invalidates */
};

/**
 * Create the windows. The pair must be open, with queues of LOOP_BIND_ENTRIES. Ends the process if
 * a window cannot be created.
 */
void loop_bind_open(struct loop_bind *bind);

/**
 * Bind the windows, send each descriptor to side 1 with a SEND, let side 1 WRITE LOOP_BIND_BYTES
 * through each window, then invalidate the windows. Ends the process if a request fails.
 */
void loop_bind_cycle(struct loop_bind *bind, uint32_t count);

/**
 * Bind the windows, then invalidate them. Nothing is sent. Each engine is polled once. Ends the
 * process if a request fails.
 */
void loop_bind_only(struct loop_bind *bind, uint32_t count);

#endif
