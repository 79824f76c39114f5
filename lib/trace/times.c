/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/times.h"

#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#define SHARE_ALL 1000000u
#define TIME_LAST ((UINT64_C(1) << TRACE_TIMES_BITS) - 1)

/*
 * Position of a time in the histogram. Row 0 contains the values below COLUMNS, row 1 the values
 * from COLUMNS to 2 * COLUMNS - 1, both in steps of 1. The step of each further row is twice the
 * step of the previous row.
 */
struct place {
	unsigned row;
	unsigned column;
};

static struct place
place_of(uint64_t time_ns)
{
	const uint64_t value = RTE_MIN(time_ns, TIME_LAST);
	const unsigned top = 63u - (unsigned)__builtin_clzll(value | TRACE_TIMES_COLUMNS);
	const unsigned row = top - TRACE_TIMES_SUB_BITS;

	if (value < TRACE_TIMES_COLUMNS)
		return (struct place){0, (unsigned)value};
	return (struct place){row + 1, (unsigned)(value >> row) - TRACE_TIMES_COLUMNS};
}

/* @return the largest time that is counted in a bucket. The last bucket has no upper limit. */
static uint64_t
last_of(unsigned row, unsigned column)
{
	if (row == 0)
		return column;
	if (row == TRACE_TIMES_ROWS - 1 && column == TRACE_TIMES_COLUMNS - 1)
		return UINT64_MAX;
	return ((uint64_t)(TRACE_TIMES_COLUMNS + column + 1) << (row - 1)) - 1;
}

void
trace_times_add(struct trace_times **times, uint64_t time_ns)
{
	const struct place place = place_of(time_ns);
	struct trace_times *held = *times;

	if (held == NULL) {
		held = calloc(1, sizeof(*held));
		if (held == NULL)
			return;
		held->min_ns = UINT64_MAX;
		*times = held;
	}
	if (held->rows[place.row] == NULL) {
		held->rows[place.row] = calloc(TRACE_TIMES_COLUMNS, sizeof(uint64_t));
		if (held->rows[place.row] == NULL)
			return;
	}
	held->rows[place.row][place.column]++;
	held->count++;
	held->sum_ns += time_ns;
	held->min_ns = RTE_MIN(held->min_ns, time_ns);
	held->max_ns = RTE_MAX(held->max_ns, time_ns);
}

void
trace_times_free(struct trace_times *times)
{
	if (times == NULL)
		return;
	for (unsigned row = 0; row < TRACE_TIMES_ROWS; row++)
		free(times->rows[row]);
	free(times);
}

/* @return number of times that the percentile must cover: the share of count, rounded up. */
static uint64_t
rank_of(uint64_t count, uint32_t share_ppm)
{
	const uint64_t whole = count / SHARE_ALL * share_ppm;
	const uint64_t part = count % SHARE_ALL * share_ppm;

	return RTE_MAX(UINT64_C(1), whole + part / SHARE_ALL + (part % SHARE_ALL != 0));
}

uint64_t
trace_times_percentile_ns(const struct trace_times *times, uint32_t share_ppm)
{
	uint64_t seen = 0, rank;

	if (times == NULL || times->count == 0)
		return 0;
	rank = rank_of(times->count, RTE_MIN(share_ppm, SHARE_ALL));
	for (unsigned row = 0; row < TRACE_TIMES_ROWS; row++) {
		for (unsigned column = 0; times->rows[row] != NULL && column < TRACE_TIMES_COLUMNS;
			column++) {
			seen += times->rows[row][column];
			if (seen >= rank)
				return RTE_MIN(last_of(row, column), times->max_ns);
		}
	}
	return times->max_ns;
}

void
trace_times_report(const struct trace_times *times, struct nd_trace_times *report)
{
	memset(report, 0, sizeof(*report));
	if (times == NULL || times->count == 0)
		return;
	report->count = times->count;
	report->min_ns = times->min_ns;
	report->mean_ns = times->sum_ns / times->count;
	report->p50_ns = trace_times_percentile_ns(times, 500000);
	report->p90_ns = trace_times_percentile_ns(times, 900000);
	report->p99_ns = trace_times_percentile_ns(times, 990000);
	report->p999_ns = trace_times_percentile_ns(times, 999000);
	report->max_ns = times->max_ns;
}
