/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "ndreplay/timeline.h"

/*
 * Test which packets of a capture a timeline keeps. The size of the timeline is limited, however
 * long the capture is.
 */

#define START UINT64_C(5000000000)

static struct timeline line;

static void
init(void)
{
	timeline_init(&line, 1, 0, START);
}

static struct nd_trace_seen
seen(enum nd_trace_kind kind, uint32_t psn)
{
	return (struct nd_trace_seen){.connection = 1, .kind = kind, .psn = psn & 0xFFFFFF};
}

static void
sent(uint64_t after_ns, uint32_t psn, bool repeated)
{
	struct nd_trace_seen request = seen(ND_TRACE_KIND_REQUEST, psn);

	request.repeated = repeated;
	timeline_sent(&line, &request, START + after_ns, 100);
}

static struct timeline_bin
sum(void)
{
	struct timeline_bin all = {0};

	for (size_t i = 0; i < line.used; i++) {
		all.fresh.count += line.bins[i].fresh.count;
		all.again.count += line.bins[i].again.count;
		all.naks.count += line.bins[i].naks.count;
		all.rnr_naks.count += line.bins[i].rnr_naks.count;
		all.wire_bytes += line.bins[i].wire_bytes;
	}
	return all;
}

TestSuite(timeline, .init = init);

Test(timeline, nothing_is_lost_when_bins_widen)
{
	const struct timeline_bin *bin = NULL;
	struct nd_trace_seen nak = seen(ND_TRACE_KIND_NAK_SEQUENCE, 5);

	for (uint32_t i = 0; i < 100000; i++)
		sent(i * UINT64_C(1000000), i, i == 50000);
	timeline_answered(&line, &nak, START + 7);
	cr_expect_eq(sum().fresh.count, 99999);
	cr_expect_eq(sum().again.count, 1);
	cr_expect_eq(sum().naks.count, 1);
	cr_expect_eq(sum().wire_bytes, 100000 * 100);
	cr_expect_eq(line.wire_bytes, 100000 * 100);
	cr_expect_leq(line.used, TIMELINE_BINS);
	cr_expect_gt(line.used, TIMELINE_BINS / 2 - 1);
	for (size_t i = 0; i < line.used; i++)
		if (line.bins[i].again.count != 0)
			bin = &line.bins[i];
	cr_assert_not_null(bin);
	cr_expect_eq(bin->again.low, 50000);
	cr_expect_eq(bin->again.high, 50000);
	cr_expect_float_eq(timeline_seconds(&line, (size_t)(bin - line.bins)), 50.0,
		(double)line.width_ns / 1e9);
}

Test(timeline, spans_of_a_bin)
{
	sent(0, 1000, false);
	sent(1, 1001, false);
	sent(2, 1002, false);
	sent(3, 1001, true);
	cr_expect_eq(line.used, 1);
	cr_expect_eq(line.bins[0].fresh.low, 0);
	cr_expect_eq(line.bins[0].fresh.high, 2);
	cr_expect_eq(line.bins[0].again.low, 1);
	cr_expect_eq(line.bins[0].again.high, 1);
}

Test(timeline, psns_go_on_behind_the_last_one)
{
	struct nd_trace_seen nak = seen(ND_TRACE_KIND_RNR_NAK, 0xFFFFFF);

	sent(0, 0xFFFFFE, false);
	for (uint32_t i = 1; i < 5; i++)
		sent(i, 0xFFFFFE + i, false);
	timeline_answered(&line, &nak, START + 9);
	cr_expect_eq(line.bins[0].fresh.low, 0);
	cr_expect_eq(line.bins[0].fresh.high, 4);
	cr_expect_eq(line.bins[0].rnr_naks.low, 1);
}

/* If a capture has several interfaces, its timestamps may decrease. */
Test(timeline, clock_steps_back)
{
	sent(5000, 1, false);
	timeline_sent(&line, &(struct nd_trace_seen){.kind = ND_TRACE_KIND_REQUEST, .psn = 2},
		START - 1000, 100);
	cr_expect_eq(line.bins[0].fresh.count, 1);
	cr_expect_eq(sum().fresh.count, 2);
}

Test(timeline, longest_times)
{
	sent(0, 1, false);
	sent(UINT64_MAX - START, 2, false);
	cr_expect_eq(sum().fresh.count, 2);
	cr_expect_leq(line.used, TIMELINE_BINS);
}

Test(timeline, answers_are_bytes_and_no_requests)
{
	struct nd_trace_seen ack = seen(ND_TRACE_KIND_ACK, 7);

	timeline_sent(&line, &ack, START, 62);
	timeline_answered(&line, &ack, START);
	cr_expect_not(line.has_psn);
	cr_expect_eq(line.bins[0].wire_bytes, 62);
	cr_expect_eq(line.bins[0].fresh.count, 0);
}

/* A NAK from a side that has sent no request does not show the progress of this side. */
Test(timeline, nak_of_nothing)
{
	struct nd_trace_seen nak = seen(ND_TRACE_KIND_NAK_FATAL, 7);

	timeline_answered(&line, &nak, START);
	cr_expect_eq(line.used, 0);
}
