/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "schedule.h"

#include <math.h>

/* Limit for counts, larger than the number of operations of a day. It fits into a uint64_t. */
#define COUNT_MAX 0x1p62

/* @return cycles from the start until count operations are due. The count may be a fraction. */
static double
time_of(const struct schedule *schedule, double count)
{
	const double of_ramp = schedule->ramp / (2 * schedule->period);

	if (count < of_ramp)
		return sqrt(2 * schedule->ramp * schedule->period * count);
	return schedule->ramp / 2 + count * schedule->period;
}

/*
 * Inverse function of time_of(). @return number of operations that are due at this time (in cycles)
 */
static double
count_at(const struct schedule *schedule, double time)
{
	if (time < schedule->ramp)
		return time * time / (2 * schedule->ramp * schedule->period);
	return (time - schedule->ramp / 2) / schedule->period;
}

uint64_t
schedule_due_tsc(const struct schedule *schedule, uint64_t number)
{
	const uint64_t earlier = number / schedule->burst;
	const double bursts = (double)earlier + schedule->offset;

	return schedule->start_tsc + (uint64_t)time_of(schedule, bursts * schedule->burst);
}

uint64_t
schedule_due_count(const struct schedule *schedule, uint64_t now)
{
	double bursts;

	if (now < schedule->start_tsc)
		return 0;
	bursts = fmin(count_at(schedule, (double)(now - schedule->start_tsc)), COUNT_MAX) /
		schedule->burst;
	if (bursts < schedule->offset)
		return 0;
	return ((uint64_t)(bursts - schedule->offset) + 1) * schedule->burst;
}
