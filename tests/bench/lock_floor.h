/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_LOCK_FLOOR_H
#define NDPDK_BENCH_LOCK_FLOOR_H

#include <stdint.h>

#include <rte_spinlock.h>

/*
 * Floor of binding and invalidating, as calls that any thread may make: a lock per call, and two
 * lines get written, that of the window and that of its key.
 */

struct lock_floor_line;

struct lock_floor {
	uint32_t locks;  /**< even; set before the first call, as is things */
	uint32_t things; /**< windows that there are lines of; set before the first call */
	uint32_t count;  /**< of them that take turns, in random order; 1: the same over and over */
	rte_spinlock_t lock;
	struct lock_floor_line *windows;
	struct lock_floor_line *keys;
	uint32_t *order;
	uint32_t next; /**< in order, where the next call goes on */
};

/** As struct bench_row has it, with a struct lock_floor. */
void lock_floor_make(void *arg);
void lock_floor_run(void *arg, uint32_t iterations);

#endif
