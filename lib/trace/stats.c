/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/stats.h"

#include <inttypes.h>

#include <rte_common.h>

#include "trace/retry.h"
#include "trace/sender.h"

/*
 * CC-002: a receiver of marked packets limits the rate of its CNPs. The shortest interval of known
 * hardware is 4 us. A queue before the place of the capture shortens the intervals between CNPs, so
 * the check uses a debt: each CNP adds 4 us, and elapsed time reduces the debt. No queue explains a
 * debt of more than CNP_DEBT_NS.
 */
#define CNP_DISTANCE_NS UINT64_C(4000)
#define CNP_DEBT_NS     UINT64_C(1000000)

/*
 * A sender counts as numbering its packets if the IP identification increases in more than
 * IP_ID_STEPS packets in a row, by at most IP_ID_STEP_MAX each. Duplicates and delayed packets do
 * not interrupt the row.
 */
#define IP_ID_STEPS    8u
#define IP_ID_STEP_MAX 1024

#define ECN_MASK 3u
#define ECN_NONE 0u
#define ECN_CE   3u

void
trace_side_stats_free(struct trace_side_stats *stats)
{
	for (unsigned i = 0; i < ND_TRACE_TIME_COUNT; i++)
		trace_times_free(stats->times[i]);
}

static void
cnp_take(struct trace_side_stats *stats, const struct trace_packet *packet)
{
	const uint64_t elapsed_ns = trace_elapsed_ns(stats->cnp_ns, packet);
	struct nd_trace_side_stats *report = &stats->report;

	if (stats->cnps++ != 0) {
		report->cnps_close += elapsed_ns < CNP_DISTANCE_NS;
		if (report->cnp_least_ns == 0 || elapsed_ns < report->cnp_least_ns)
			report->cnp_least_ns = RTE_MAX(elapsed_ns, UINT64_C(1));
		stats->cnp_debt_ns -= RTE_MIN(stats->cnp_debt_ns, elapsed_ns);
	}
	stats->cnp_ns = packet->time_ns;
	if (stats->cnp_debt_ns == 0)
		stats->cnp_told = false;
	stats->cnp_debt_ns += CNP_DISTANCE_NS;
	if (stats->cnp_debt_ns <= CNP_DEBT_NS || stats->cnp_told)
		return;
	stats->cnp_told = true;
	trace_violations_add(packet->violations, packet->frame, TRACE_CC_002,
		"CNPs exceed the rate of one per %" PRIu64 " us by %" PRIu64 " CNPs",
		CNP_DISTANCE_NS / 1000, CNP_DEBT_NS / CNP_DISTANCE_NS);
}

/*
 * Some senders, such as Soft-RoCE, number their packets in the IP identification, which shows the
 * order in which they were sent. A packet that the network delayed has a lower number than the
 * packets that overtook it. A duplicate has the number of the original, which is at most the
 * highest number so far. Therefore a packet is compared with the highest number, unless the packet
 * with that number is older than TRACE_REORDER_NS.
 */
static void
order_take(struct trace_side_stats *stats, const struct trace_packet *packet)
{
	const uint32_t id = trace_ip_id(packet);
	const int16_t step = (int16_t)(id - stats->ip_id);
	const bool known =
		stats->packets != 0 && stats->ip_id != TRACE_RETRY_NO_ID && id != TRACE_RETRY_NO_ID;
	const bool behind =
		known && step <= 0 && trace_elapsed_ns(stats->ip_id_ns, packet) <= TRACE_REORDER_NS;

	stats->in_order = false;
	stats->late = behind && stats->ip_id_steps >= IP_ID_STEPS;
	if (behind)
		return;
	if (known && step > 0 && step <= IP_ID_STEP_MAX)
		stats->in_order = ++stats->ip_id_steps > IP_ID_STEPS;
	else
		stats->ip_id_steps = 0;
	stats->ip_id = id;
	stats->ip_id_ns = packet->time_ns;
}

void
trace_side_stats_packet(struct trace_side_stats *stats, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	const unsigned ecn = view->tos & ECN_MASK;
	struct nd_trace_side_stats *report = &stats->report;

	order_take(stats, packet);
	if (stats->packets++ != 0)
		trace_times_add(&stats->times[ND_TRACE_TIME_BETWEEN],
			trace_elapsed_ns(stats->packet_ns, packet));
	stats->packet_ns = packet->time_ns;
	report->wire_bytes += packet->wire_bytes;
	report->payload_bytes += view->payload_bytes;
	report->ce += ecn == ECN_CE;
	report->ect += ecn != ECN_CE && ecn != ECN_NONE;
	if (view->traits->kind == WIRE_KIND_CNP) {
		if (!stats->late)
			cnp_take(stats, packet);
	} else if (!view->traits->response) {
		report->requests++;
	}
}

void
trace_side_stats_answered(struct trace_side_stats *stats, const struct trace_sender *sender,
	uint64_t seq, const struct trace_packet *packet)
{
	uint64_t from = stats->answered_seq;

	if (seq <= from)
		return;
	stats->answered_seq = seq;
	/* Start at the oldest request that is still stored. */
	if (seq - from > TRACE_RECORDS)
		from = seq - TRACE_RECORDS;
	for (; from < seq; from++) {
		const struct trace_record *record = trace_sender_record(sender, from);
		const struct wire_opcode_traits *traits;

		if (record == NULL)
			continue;
		traits = wire_opcode_traits(record->opcode);
		if (traits->starts)
			stats->begun_bytes = 0;
		stats->begun_bytes += record->payload_bytes;
		if (!traits->ends)
			continue;
		stats->report.delivered_bytes += stats->begun_bytes;
		stats->begun_bytes = 0;
		trace_times_add(&stats->times[traits->kind == WIRE_KIND_WRITE ? ND_TRACE_TIME_WRITE
									      : ND_TRACE_TIME_SEND],
			trace_elapsed_ns(record->time_ns, packet));
	}
}

static void
silence_add(struct nd_trace_silences *silences, uint64_t silence_ns, uint64_t frame)
{
	silences->count++;
	silences->total_ns += silence_ns;
	if (silence_ns <= silences->longest_ns)
		return;
	silences->longest_ns = silence_ns;
	silences->longest_frame = frame;
}

bool
trace_line_stats_silent(
	const struct trace_line_stats *stats, uint64_t stall_ns, const struct trace_packet *packet)
{
	return stats->any && trace_elapsed_ns(stats->last_ns, packet) > stall_ns;
}

void
trace_line_stats_silence(
	struct trace_line_stats *stats, bool waiting, const struct trace_packet *packet)
{
	silence_add(waiting ? &stats->stalls : &stats->pauses,
		trace_elapsed_ns(stats->last_ns, packet), packet->frame);
}

void
trace_line_stats_packet(struct trace_line_stats *stats, const struct trace_packet *packet)
{
	if (!stats->any) {
		stats->any = true;
		stats->first_ns = packet->time_ns;
		stats->last_ns = packet->time_ns;
		return;
	}
	stats->last_ns = RTE_MAX(stats->last_ns, packet->time_ns);
}

static void
silences_merge(struct nd_trace_silences *silences, const struct nd_trace_silences *half)
{
	silences->count += half->count;
	silences->total_ns += half->total_ns;
	if (half->longest_ns <= silences->longest_ns)
		return;
	silences->longest_ns = half->longest_ns;
	silences->longest_frame = half->longest_frame;
}

void
trace_line_stats_merge(struct trace_line_stats *stats, const struct trace_line_stats *half)
{
	if (!half->any)
		return;
	if (!stats->any) {
		*stats = *half;
		return;
	}
	stats->first_ns = RTE_MIN(stats->first_ns, half->first_ns);
	stats->last_ns = RTE_MAX(stats->last_ns, half->last_ns);
	silences_merge(&stats->stalls, &half->stalls);
	silences_merge(&stats->pauses, &half->pauses);
}
