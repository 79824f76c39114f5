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

#define LOOP_BIND_BYTES   64u
/**
 * Length that the queues of a pair must have (loop_pair.entries), because each window needs a bind
 * and a SEND.
 */
#define LOOP_BIND_ENTRIES (2 * LOOP_DEPTH_MAX)

struct loop_bind {
	struct loop_pair *pair; /**< set before opening */
	struct nd_mw *windows[LOOP_DEPTH_MAX];
	/** Results of requests. Each array has one result per window. */
	struct nd_result bound[LOOP_DEPTH_MAX];
	struct nd_result sent[LOOP_DEPTH_MAX];
	struct nd_result received[LOOP_DEPTH_MAX]; /**< results of side 1 */
	struct nd_result written[LOOP_DEPTH_MAX];
	/** required by the API, but unused: the peer never invalidates a window */
	struct nd_result invalidated;
};

/**
 * Create the windows. The pair must be open and have queues of LOOP_BIND_ENTRIES. End the process
 * if a window cannot be created.
 */
void loop_bind_open(struct loop_bind *bind);

/**
 * Bind the windows, send each descriptor to side 1, let side 1 WRITE LOOP_BIND_BYTES through each
 * window, then invalidate the windows. End the process if a request fails.
 */
void loop_bind_cycle(struct loop_bind *bind, uint32_t count);

/**
 * Bind the windows, then invalidate them. No packet is sent. Each engine is polled once. End the
 * process if a request fails.
 */
void loop_bind_only(struct loop_bind *bind, uint32_t count);

#endif
