/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_LOCK_FLOOR_H
#define NDPDK_BENCH_LOCK_FLOOR_H

#include <stdint.h>

#include <rte_spinlock.h>

/*
 * Floor of bind and invalidate calls that any thread may make. Each call takes one lock and writes
 * two cache lines: one of the window, and one of its key.
 */

struct lock_floor_line;

struct lock_floor {
	uint32_t locks;  /**< number of locks per call, even; set before the first call */
	uint32_t things; /**< number of windows; set before the first call */
	uint32_t count;  /**< number of windows that are visited, in random order */
	rte_spinlock_t lock;
	struct lock_floor_line *windows;
	struct lock_floor_line *keys;
	uint32_t *order;
	uint32_t next; /**< index in `order` at which the next call continues */
};

/** Functions for struct bench_row. @param arg a struct lock_floor */
void lock_floor_make(void *arg);
void lock_floor_run(void *arg, uint32_t iterations);

#endif
