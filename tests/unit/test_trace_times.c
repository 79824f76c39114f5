/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "trace/times.h"

/* Compare percentiles from the distribution with the sorted samples. */

#define SAMPLES 5000u

static uint64_t samples[SAMPLES];
static uint32_t sample_count;
static struct trace_times *times;

static void
add(uint64_t time_ns)
{
	samples[sample_count++] = time_ns;
	trace_times_add(&times, time_ns);
}

static int
compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void
expect_percentile(uint32_t share_ppm)
{
	const uint64_t rank = ((uint64_t)sample_count * share_ppm + 999999) / 1000000;
	const uint64_t exact = samples[rank == 0 ? 0 : rank - 1];
	const uint64_t got = trace_times_percentile_ns(times, share_ppm);

	cr_expect_geq(got, exact, "%u ppm: %lu is less than %lu", share_ppm, (unsigned long)got,
		(unsigned long)exact);
	cr_expect_leq(got, exact + exact / 32, "%u ppm: %lu is much more than %lu", share_ppm,
		(unsigned long)got, (unsigned long)exact);
}

static void
expect_all(void)
{
	static const uint32_t shares[] = {1, 1000, 250000, 500000, 900000, 990000, 999000, 1000000};

	qsort(samples, sample_count, sizeof(samples[0]), compare);
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		expect_percentile(shares[i]);
}

static void
fini(void)
{
	trace_times_free(times);
}

TestSuite(trace_times, .fini = fini);

Test(trace_times, each_small_time)
{
	for (uint64_t i = 0; i < 300; i++)
		add(i);
	expect_all();
	for (uint32_t i = 0; i < 64; i++)
		cr_expect_eq(trace_times_percentile_ns(times, (i + 1) * 1000000 / 300), i);
}

Test(trace_times, powers_of_two_and_their_neighbours)
{
	for (unsigned bit = 1; bit < 42; bit++)
		for (int by = -1; by <= 1; by++)
			add((UINT64_C(1) << bit) + (uint64_t)(int64_t)by);
	expect_all();
}

Test(trace_times, spread_over_all_sizes)
{
	uint64_t state = 88172645463325252u;

	for (uint32_t i = 0; i < SAMPLES; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		add(state >> (22 + state % 40));
	}
	expect_all();
}

Test(trace_times, longer_than_the_last_bucket)
{
	add(5);
	add(UINT64_C(1) << 50);
	expect_percentile(500000);
	cr_expect_eq(trace_times_percentile_ns(times, 1000000), UINT64_C(1) << 50);
}

Test(trace_times, report)
{
	struct nd_trace_times report;

	for (uint64_t i = 1; i <= 31; i++)
		add(i);
	trace_times_report(times, &report);
	cr_expect_eq(report.count, 31);
	cr_expect_eq(report.min_ns, 1);
	cr_expect_eq(report.mean_ns, 16);
	cr_expect_eq(report.p50_ns, 16);
	cr_expect_eq(report.p90_ns, 28);
	cr_expect_eq(report.p99_ns, 31);
	cr_expect_eq(report.p999_ns, 31);
	cr_expect_eq(report.max_ns, 31);
}

Test(trace_times, empty)
{
	struct nd_trace_times report = {.count = 9};

	trace_times_report(NULL, &report);
	cr_expect_eq(report.count, 0);
	cr_expect_eq(report.max_ns, 0);
	cr_expect_eq(trace_times_percentile_ns(NULL, 500000), 0);
}
