/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_TIMES_H
#define NDPDK_TRACE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_trace_stats.h>

/*
 * A distribution of times as a log-linear histogram: each power of two is divided into 32 buckets
 * of equal width, so a bucket is never wider than 1/32 of the times in it. The buckets of a power
 * of two are allocated when the first time of its range is counted. This saves memory, because a
 * connection uses few powers of two and a capture may have many connections.
 */

#define TRACE_TIMES_SUB_BITS 5
/** All times of at least 2^42 ns (73 minutes) are counted in the last bucket. */
#define TRACE_TIMES_BITS     42
#define TRACE_TIMES_ROWS     (TRACE_TIMES_BITS - TRACE_TIMES_SUB_BITS + 1)
#define TRACE_TIMES_COLUMNS  (1u << TRACE_TIMES_SUB_BITS)

struct trace_times {
	uint64_t count;
	uint64_t min_ns; /**< valid when count is not 0 */
	uint64_t max_ns;
	uint64_t sum_ns;
	uint64_t *rows[TRACE_TIMES_ROWS]; /**< NULL: all counts of the row are 0 */
};

/**
 * Count a time. If *times is NULL, the distribution is created. If memory is exhausted, nothing
 * happens.
 */
void trace_times_add(struct trace_times **times, uint64_t time_ns);

/** NULL is allowed. */
void trace_times_free(struct trace_times *times);

/** Implements nd_trace_percentile_ns(). @param times NULL = no times were counted */
uint64_t trace_times_percentile_ns(const struct trace_times *times, uint32_t share_ppm);

/** Fill a summary. @param times NULL = no times were counted. @param report always filled */
void trace_times_report(const struct trace_times *times, struct nd_trace_times *report);

#endif
