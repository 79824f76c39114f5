/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CM_TIMER_H
#define NDPDK_CM_TIMER_H

#include <stdbool.h>
#include <stdint.h>

/** The only timer of a connection (SEC-049). */
struct cm_timer {
	uint64_t deadline_ns;
	uint32_t position; /**< index in the heap; CM_TIMER_OFF = not running */
};

#define CM_TIMER_OFF UINT32_MAX

/**
 * The running timers as a binary heap. The first timer has the earliest deadline. Start, move and
 * stop are O(log n).
 */
struct cm_timer_heap {
	struct cm_timer **slots;
	uint32_t count;
	uint32_t capacity;
};

/** Allocate memory for capacity running timers. @return false if out of memory */
bool cm_timer_heap_init(struct cm_timer_heap *heap, uint32_t capacity, int socket_id);
void cm_timer_heap_fini(struct cm_timer_heap *heap);

/** Start the timer, or move it if it is running. */
void cm_timer_start(struct cm_timer_heap *heap, struct cm_timer *timer, uint64_t deadline_ns);

/** Stop the timer, if it is running. */
void cm_timer_stop(struct cm_timer_heap *heap, struct cm_timer *timer);

/** @return the timer with the earliest deadline; NULL if no timer runs */
struct cm_timer *cm_timer_first(const struct cm_timer_heap *heap);

#endif
