/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_SCHEDULE_H
#define NDPDK_NDPMD_SCHEDULE_H

#include <stdint.h>

/*
 * The times when the operations of a queue pair are due, with --rate. Times are in TSC cycles.
 *
 *   number of operations that are due by time t, with period p and ramp r:
 *     t * t / (2 * r * p)         while t < r: the rate grows from 0 to 1 / p
 *     r / (2 * p) + (t - r) / p   afterwards
 */
struct schedule {
	double period;  /**< cycles between two operations, after the ramp; 0 = no schedule */
	double ramp;    /**< cycles in which the rate grows from 0; 0 = no ramp */
	double offset;  /**< delay of this queue pair / time between two bursts, 0 .. 1 */
	uint32_t burst; /**< number of operations that are due together; >= 1 */
	uint64_t start_tsc;
};

/** @return time when operation number is due. @param number 0 for the first operation */
uint64_t schedule_due_tsc(const struct schedule *schedule, uint64_t number);

/** @return number of operations that are due at the time now. */
uint64_t schedule_due_count(const struct schedule *schedule, uint64_t now);

#endif
