/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SCHEDULE_H
#define NDPDK_NDPMD_SCHEDULE_H

#include <stdint.h>

/*
 * When the operations of a queue pair are due, with --rate. Times are in cycles of a counter.
 *
 *   number of operations that are due by time t, with period p and ramp r:
 *     t * t / (2 * r * p)         while t < r: the rate grows from 0 to 1 / p
 *     r / (2 * p) + (t - r) / p   then
 */
struct schedule {
	double period;  /**< between two operations, after the ramp; 0 = there is no schedule */
	double ramp;    /**< how long the rate grows; 0 = not at all */
	double offset;  /**< part of a burst, 0 .. 1, that the queue pair is behind the first one */
	uint32_t burst; /**< so many operations are due at once; >= 1 */
	uint64_t start_tsc;
};

/** @return when operation number 0, 1, ... is due. */
uint64_t schedule_due_tsc(const struct schedule *schedule, uint64_t number);

/** @return how many operations are due at this time. */
uint64_t schedule_due_count(const struct schedule *schedule, uint64_t now);

#endif
