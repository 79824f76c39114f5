/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdbool.h>
#include <string.h>

#include <rte_common.h>

#include <ndpdk/nd_trace_stats.h>

#include "fuzz/damaged.h"
#include "fuzz/fuzzer.h"

/*
 * Tests the analysis of captures (nd_trace) with damaged captures (damaged.h). Conditions that
 * must hold:
 *
 * - each frame is counted once;
 * - frames in reports were fed, and connections in reports exist;
 * - rules and addresses in reports are text.
 */

#define VIOLATIONS 32u

void
fuzz_start(void)
{
	damaged_load();
}

static bool
is_text(const char *text, size_t max)
{
	return text != NULL && memchr(text, 0, max) != NULL;
}

static void
finding_check(
	const struct nd_trace *trace, const struct nd_trace_violation *finding, uint64_t frames)
{
	fuzz_expect(finding != NULL, "a finding that is not kept");
	fuzz_expect(finding->frame >= 1 && finding->frame <= frames, "frame of a finding");
	fuzz_expect(is_text(finding->rule, 16) && is_text(finding->text, 1024), "text");
	fuzz_expect(is_text(finding->sender, sizeof(finding->sender)) &&
			is_text(finding->receiver, sizeof(finding->receiver)),
		"address");
	fuzz_expect(finding->connection == ND_TRACE_NO_CONNECTION ||
			(nd_trace_connection(trace, finding->connection) != NULL &&
				finding->side <= 1),
		"connection of a finding");
}

static void
times_check(const struct nd_trace_times *times)
{
	fuzz_expect(times->min_ns <= times->mean_ns && times->mean_ns <= times->max_ns, "mean");
	fuzz_expect(times->min_ns <= times->p50_ns && times->p50_ns <= times->p90_ns &&
			times->p90_ns <= times->p99_ns && times->p99_ns <= times->p999_ns &&
			times->p999_ns <= times->max_ns,
		"percentiles");
}

static void
stats_check(const struct nd_trace *trace, size_t index)
{
	const struct nd_trace_connection *connection = nd_trace_connection(trace, index);
	struct nd_trace_stats stats;

	fuzz_expect(nd_trace_stats(trace, index, &stats), "no statistics");
	fuzz_expect(stats.first_ns <= stats.last_ns, "duration");
	fuzz_expect(stats.stalls.longest_ns <= stats.stalls.total_ns &&
			stats.pauses.longest_ns <= stats.pauses.total_ns &&
			stats.stalls.longest_frame <= connection->last_frame,
		"silences");
	for (unsigned side = 0; side < 2; side++) {
		const struct nd_trace_side_stats *own = &stats.side[side];
		uint64_t packets = connection->side[side].packets;

		fuzz_expect(own->requests <= packets && own->ect + own->ce <= packets &&
				own->payload_bytes <= own->wire_bytes &&
				own->repeated_early <= connection->side[side].retransmitted,
			"counts of a side");
		for (int time = 0; time < ND_TRACE_TIME_COUNT; time++) {
			struct nd_trace_times times;

			nd_trace_times(trace, index, side, (enum nd_trace_time)time, &times);
			fuzz_expect(times.count <= packets, "more times than packets");
			times_check(&times);
		}
	}
}

static void
coverage_check(const struct nd_trace *trace, const struct nd_trace_totals *totals)
{
	struct nd_trace_coverage coverage;

	nd_trace_coverage(trace, &coverage);
	fuzz_expect(coverage.judged + coverage.alone + coverage.early + coverage.unfollowed +
				coverage.datagrams + coverage.transports <=
			totals->icrc_ok,
		"packets judged and left out");
	fuzz_expect(coverage.without_cm <= nd_trace_connection_count(trace) &&
			coverage.one_way <= nd_trace_connection_count(trace),
		"connections left out");
}

static void
report_check(const struct nd_trace *trace, uint64_t frames)
{
	struct nd_trace_totals totals;
	size_t violations = nd_trace_violation_count(trace), doubts = nd_trace_doubt_count(trace);
	size_t connections = nd_trace_connection_count(trace);

	nd_trace_totals(trace, &totals);
	fuzz_expect(totals.frames == frames, "frames");
	fuzz_expect(totals.icrc_ok + totals.icrc_bad == totals.roce_packets, "RoCE packets");
	fuzz_expect(
		totals.roce_packets + totals.truncated + totals.hidden <= frames, "counted twice");
	/*
	 * A malformed packet with a valid ICRC also counts in icrc_ok, and causes a violation. So
	 * compare with the sum of both.
	 */
	fuzz_expect(totals.roce_packets + totals.malformed + totals.truncated + totals.hidden <=
			frames + RTE_MIN(totals.icrc_ok, (uint64_t)violations),
		"malformed and right, without a violation");
	fuzz_expect(nd_trace_connection(trace, connections) == NULL, "connection beyond the last");
	coverage_check(trace, &totals);
	for (size_t i = 0; i < connections; i++) {
		const struct nd_trace_connection *connection = nd_trace_connection(trace, i);

		fuzz_expect(connection->first_frame >= 1 &&
				connection->first_frame <= connection->last_frame &&
				connection->last_frame <= frames,
			"frames of a connection");
		stats_check(trace, i);
	}
	for (size_t i = 0; i < RTE_MIN(violations, (size_t)VIOLATIONS); i++)
		finding_check(trace, nd_trace_violation(trace, i), frames);
	for (size_t i = 0; i < RTE_MIN(doubts, (size_t)VIOLATIONS); i++)
		finding_check(trace, nd_trace_doubt(trace, i), frames);
}

static void
on_line(void *arg, uint64_t frame, const char *text)
{
	(void)arg;
	fuzz_expect(frame >= 1 && is_text(text, 4096), "line");
}

static void
take(void *arg, uint64_t time_ns, const uint8_t *frame, size_t captured, size_t on_wire)
{
	nd_trace_frame(arg, time_ns, frame, captured, on_wire);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nd_trace_config config = {.line = on_line, .violations_max = VIOLATIONS};
	struct nd_trace *trace;
	size_t frames;

	if (size < FUZZ_RECORD_BYTES)
		return 0;
	config.complete = data[1] & 1;
	trace = nd_trace_open(&config);
	fuzz_expect(trace != NULL, "trace");
	frames = damaged_play(data, size, take, trace);
	nd_trace_finish(trace);
	report_check(trace, frames);
	nd_trace_close(trace);
	return 0;
}
