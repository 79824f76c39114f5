/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "report_stats.h"

#include <inttypes.h>
#include <stdlib.h>

#include <ndpdk/nd_trace_stats.h>

/* Print numbers with a readable unit: "12.3 ms", "1.21 Gbit/s". */
#define AMOUNT_BYTES 32

struct unit {
	double least;
	const char *name;
};

static void
amount_format(char *text, double value, const struct unit *units, size_t count)
{
	size_t i = 0;

	while (i + 1 < count && value < units[i].least)
		i++;
	snprintf(text, AMOUNT_BYTES, "%.3g %s", value / units[i].least, units[i].name);
	/* %.3g would print values from 1000 on in exponential notation, e.g. 1.23e+03 for 1234. */
	if (value / units[i].least >= 999.5)
		snprintf(text, AMOUNT_BYTES, "%.0f %s", value / units[i].least, units[i].name);
}

static const char *
time_format(char text[AMOUNT_BYTES], uint64_t ns)
{
	static const struct unit units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};

	amount_format(text, (double)ns, units, 4);
	return text;
}

static const char *
rate_format(char text[AMOUNT_BYTES], double bits_per_second)
{
	static const struct unit units[] = {
		{1e9, "Gbit/s"}, {1e6, "Mbit/s"}, {1e3, "kbit/s"}, {1, "bit/s"}};

	amount_format(text, bits_per_second, units, 4);
	return text;
}

static const char *
bytes_format(char text[AMOUNT_BYTES], uint64_t bytes)
{
	static const struct unit units[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "bytes"}};

	amount_format(text, (double)bytes, units, 4);
	return text;
}

double
report_rate(uint64_t bytes, const struct nd_trace_stats *stats)
{
	const uint64_t ns = stats->last_ns - stats->first_ns;

	return ns == 0 ? 0 : (double)bytes * 8e9 / (double)ns;
}

const char *
report_judged_name(enum nd_trace_judged judged)
{
	switch (judged) {
	case ND_TRACE_JUDGED_NONE:
		return "none";
	case ND_TRACE_JUDGED_ALONE:
		return "alone";
	case ND_TRACE_JUDGED_PARTLY:
		return "partly";
	case ND_TRACE_JUDGED_FULLY:
		return "fully";
	}
	return "unknown";
}

static void
silences_print(FILE *out, const struct nd_trace_silences *silences, const char *one)
{
	char longest[AMOUNT_BYTES];

	if (silences->count == 0)
		return;
	fprintf(out, "; %" PRIu64 " %s%s, longest %s until frame %" PRIu64, silences->count, one,
		silences->count == 1 ? "" : "s", time_format(longest, silences->longest_ns),
		silences->longest_frame);
}

void
report_stats_line(FILE *out, const struct nd_trace *trace, size_t index)
{
	const struct nd_trace_connection *connection = nd_trace_connection(trace, index);
	struct nd_trace_stats stats;
	char text[AMOUNT_BYTES];

	if (!nd_trace_stats(trace, index, &stats) || stats.last_ns == stats.first_ns)
		return;
	fprintf(out, "    %s", time_format(text, stats.last_ns - stats.first_ns));
	for (unsigned side = 0; side < 2; side++)
		if (stats.side[side].delivered_bytes != 0)
			fprintf(out, "; %s: goodput %s", connection->side[side].address,
				rate_format(text,
					report_rate(stats.side[side].delivered_bytes, &stats)));
	silences_print(out, &stats.stalls, "stall");
	silences_print(out, &stats.pauses, "pause");
	fputc('\n', out);
}

static void
times_print(FILE *out, const struct nd_trace *trace, size_t index, unsigned side,
	enum nd_trace_time time)
{
	struct nd_trace_times times;
	uint64_t columns[6];
	char text[AMOUNT_BYTES];

	nd_trace_times(trace, index, side, time, &times);
	if (times.count == 0)
		return;
	columns[0] = times.min_ns;
	columns[1] = times.p50_ns;
	columns[2] = times.p90_ns;
	columns[3] = times.p99_ns;
	columns[4] = times.p999_ns;
	columns[5] = times.max_ns;
	fprintf(out, "      %-8s %10" PRIu64, report_time_name(time), times.count);
	for (size_t i = 0; i < 6; i++)
		fprintf(out, " %10s", time_format(text, columns[i]));
	fputc('\n', out);
}

const char *
report_time_name(enum nd_trace_time time)
{
	switch (time) {
	case ND_TRACE_TIME_BETWEEN:
		return "between";
	case ND_TRACE_TIME_SEND:
		return "send";
	case ND_TRACE_TIME_WRITE:
		return "write";
	case ND_TRACE_TIME_READ:
		return "read";
	case ND_TRACE_TIME_ATOMIC:
		return "atomic";
	case ND_TRACE_TIME_REPEAT:
		return "repeat";
	case ND_TRACE_TIME_COUNT:
		break;
	}
	return "unknown";
}

static void
marks_print(FILE *out, const struct nd_trace_side_stats *stats, uint64_t packets)
{
	char text[AMOUNT_BYTES];

	if (stats->ect + stats->ce != 0)
		fprintf(out, ", ECN %.3g %% of the packets, marked %.3g %%",
			100.0 * (double)(stats->ect + stats->ce) / (double)packets,
			100.0 * (double)stats->ce / (double)packets);
	if (stats->cnp_least_ns != 0)
		fprintf(out, ", CNPs at least %s apart, %" PRIu64 " within 4 us",
			time_format(text, stats->cnp_least_ns), stats->cnps_close);
}

static void
side_print(FILE *out, const struct nd_trace *trace, size_t index, unsigned side)
{
	const struct nd_trace_side *counts = &nd_trace_connection(trace, index)->side[side];
	const struct nd_trace_side_stats *own;
	struct nd_trace_stats stats;
	char bytes[AMOUNT_BYTES], rate[AMOUNT_BYTES];

	if (!nd_trace_stats(trace, index, &stats) || counts->packets == 0)
		return;
	own = &stats.side[side];
	fprintf(out, "    %s sent %s", counts->address, bytes_format(bytes, own->wire_bytes));
	if (stats.last_ns != stats.first_ns)
		fprintf(out, ", %s on the wire",
			rate_format(rate, report_rate(own->wire_bytes, &stats)));
	if (counts->retransmitted != 0)
		fprintf(out,
			", %.3g %% of the requests retransmitted, %" PRIu64
			" times before the ACK timeout",
			100.0 * (double)counts->retransmitted / (double)own->requests,
			own->repeated_early);
	marks_print(out, own, counts->packets);
	fprintf(out, "; judged: %s\n", report_judged_name(own->judged));
	fprintf(out, "      %-8s %10s %10s %10s %10s %10s %10s %10s\n", "time", "count", "min",
		"50 %", "90 %", "99 %", "99.9 %", "max");
	for (int time = 0; time < ND_TRACE_TIME_COUNT; time++)
		times_print(out, trace, index, side, (enum nd_trace_time)time);
}

void
report_stats_all(FILE *out, const struct nd_trace *trace, size_t index)
{
	for (unsigned side = 0; side < 2; side++)
		side_print(out, trace, index, side);
}

static int
talker_compare(const void *a, const void *b)
{
	const struct report_talker *x = a, *y = b;

	if (x->wire_bytes != y->wire_bytes)
		return x->wire_bytes < y->wire_bytes ? 1 : -1;
	if (x->index != y->index)
		return x->index > y->index ? 1 : -1;
	return (x->side > y->side) - (x->side < y->side);
}

struct report_talker *
report_talkers(const struct nd_trace *trace, size_t *count)
{
	const size_t connections = nd_trace_connection_count(trace);
	struct report_talker *talkers = calloc(2 * connections + 1, sizeof(*talkers));
	struct nd_trace_stats stats;

	*count = 0;
	for (size_t i = 0; talkers != NULL && i < connections; i++) {
		nd_trace_stats(trace, i, &stats);
		for (unsigned side = 0; side < 2; side++)
			if (stats.side[side].wire_bytes != 0)
				talkers[(*count)++] = (struct report_talker){
					i, side, stats.side[side].wire_bytes};
	}
	if (*count != 0)
		qsort(talkers, *count, sizeof(*talkers), talker_compare);
	return talkers;
}

void
report_talkers_print(FILE *out, const struct nd_trace *trace, uint64_t top, size_t first_number)
{
	size_t count;
	struct report_talker *talkers = report_talkers(trace, &count);
	uint64_t all = 0;
	char bytes[AMOUNT_BYTES], rate[AMOUNT_BYTES];

	for (size_t i = 0; i < count; i++)
		all += talkers[i].wire_bytes;
	for (size_t i = 0; i < count && i < top; i++) {
		const struct report_talker *talker = &talkers[i];
		struct nd_trace_stats stats;

		nd_trace_stats(trace, talker->index, &stats);
		fprintf(out, "  top %zu: %s of connection %zu, %s, %.3g %% of all bytes, %s\n",
			i + 1,
			nd_trace_connection(trace, talker->index)->side[talker->side].address,
			first_number + talker->index, bytes_format(bytes, talker->wire_bytes),
			100.0 * (double)talker->wire_bytes / (double)all,
			rate_format(rate, report_rate(talker->wire_bytes, &stats)));
	}
	free(talkers);
}

/*
 * Print one reason with its count, e.g. "12 requests without the ones before them". Print nothing
 * if the count is 0.
 */
static void
reason_print(FILE *out, bool *any, uint64_t count, const char *what)
{
	if (count == 0)
		return;
	fprintf(out, "%s%" PRIu64 " %s", *any ? ", " : "  not judged in full: ", count, what);
	*any = true;
}

void
report_coverage_print(FILE *out, const struct nd_trace *trace)
{
	struct nd_trace_coverage coverage;
	bool any = false;

	nd_trace_coverage(trace, &coverage);
	reason_print(
		out, &any, coverage.early, "requests captured while older requests may be missing");
	reason_print(out, &any, coverage.alone,
		"responses and CNPs without a connection in the capture");
	reason_print(out, &any, coverage.unfollowed, "packets of queue pairs above the limit");
	reason_print(out, &any, coverage.datagrams, "datagrams that are not CM messages");
	reason_print(out, &any, coverage.transports, "packets of other transports");
	reason_print(out, &any, coverage.without_cm, "connections without CM messages");
	reason_print(out, &any, coverage.one_way, "connections with packets in one direction only");
	reason_print(out, &any, coverage.rnr_waits,
		"RNR waits that look too short at this capture point, or end with a duplicate");
	reason_print(out, &any, coverage.timeouts,
		"retransmissions after timeouts without a limit from a CM message");
	if (any)
		fputc('\n', out);
}
