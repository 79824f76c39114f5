/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "report.h"
#include "report_stats.h"

#include <inttypes.h>
#include <string.h>

const char *
report_cm_name(enum nd_trace_cm cm)
{
	switch (cm) {
	case ND_TRACE_CM_NONE:
		return "none";
	case ND_TRACE_CM_REQUESTED:
		return "requested";
	case ND_TRACE_CM_REPLIED:
		return "replied";
	case ND_TRACE_CM_ESTABLISHED:
		return "established";
	case ND_TRACE_CM_REJECTED:
		return "rejected";
	case ND_TRACE_CM_DISCONNECTED:
		return "disconnected";
	}
	return "unknown";
}

void
report_text_line(void *out, uint64_t frame, const char *text)
{
	fprintf(out, "%" PRIu64 ": %s\n", frame, text);
}

static void
count_print(FILE *out, uint64_t count, const char *what)
{
	if (count != 0)
		fprintf(out, ", %" PRIu64 " %s", count, what);
}

static void
side_print(FILE *out, const struct nd_trace_side *side)
{
	fprintf(out, "    %s: %" PRIu64 " packets", side->address, side->packets);
	count_print(out, side->sends, "SEND");
	count_print(out, side->sends_invalidate, "of them with invalidate");
	count_print(out, side->writes, "WRITE");
	count_print(out, side->reads, "READ");
	count_print(out, side->atomics, "atomic");
	count_print(out, side->bytes, "bytes");
	count_print(out, side->retransmitted, "retransmitted");
	count_print(out, side->acks, "ACK");
	count_print(out, side->naks_sequence, "sequence NAK");
	count_print(out, side->naks_invalid, "fatal NAK 0x61 (invalid request)");
	count_print(out, side->naks_access, "fatal NAK 0x62 (remote access error)");
	count_print(out, side->naks_operation, "fatal NAK 0x63 (remote operational error)");
	count_print(out, side->rnr_naks, "RNR NAK");
	count_print(out, side->cnps, "CNP");
	fputc('\n', out);
}

static void
end_print(FILE *out, const struct nd_trace_side *side)
{
	if (side->qpn == 0)
		fprintf(out, "%s qp ?", side->address);
	else
		fprintf(out, "%s qp 0x%" PRIx32, side->address, side->qpn);
}

static void
connection_print(FILE *out, const struct nd_trace_connection *connection, size_t number)
{
	fprintf(out, "  connection %zu: ", number);
	end_print(out, &connection->side[0]);
	fputs(" - ", out);
	end_print(out, &connection->side[1]);
	if (connection->cm == ND_TRACE_CM_NONE)
		fputs(": no CM", out);
	else
		fprintf(out, ": %s", report_cm_name(connection->cm));
	if (connection->cm == ND_TRACE_CM_REJECTED)
		fprintf(out, " (reason %u)", connection->reject_reason);
	if (connection->path_mtu_bytes != 0)
		fprintf(out, ", path MTU %u", connection->path_mtu_bytes);
	fprintf(out, ", frames %" PRIu64 " to %" PRIu64 "\n", connection->first_frame,
		connection->last_frame);
	for (size_t i = 0; i < 2; i++)
		if (connection->side[i].packets != 0)
			side_print(out, &connection->side[i]);
}

/*
 * Print the endpoints of a violation, e.g. "192.0.2.1 qp 0x11 > 192.0.2.2 qp 0x22". If the
 * connection is unknown, print no queue pairs.
 */
static void
parties_print(FILE *out, const struct nd_trace *trace, const struct nd_trace_violation *violation)
{
	const struct nd_trace_connection *connection =
		nd_trace_connection(trace, violation->connection);

	if (connection == NULL) {
		fprintf(out, "%s > %s", violation->sender, violation->receiver);
		return;
	}
	end_print(out, &connection->side[violation->side]);
	fputs(" > ", out);
	end_print(out, &connection->side[!violation->side]);
}

static void
violation_print(FILE *out, const struct nd_trace *trace, const struct nd_trace_violation *violation,
	const char *prefix)
{
	fprintf(out, "  frame %" PRIu64 ": %s%s ", violation->frame, prefix, violation->rule);
	parties_print(out, trace, violation);
	fprintf(out, ": %s\n", violation->text);
}

static void
violations_print(FILE *out, const struct nd_trace *trace)
{
	size_t found = nd_trace_violation_count(trace);
	const struct nd_trace_violation *violation;
	size_t shown = 0;

	for (; (violation = nd_trace_violation(trace, shown)) != NULL; shown++)
		violation_print(out, trace, violation, "");
	if (found > shown)
		fprintf(out, "  %zu further violations\n", found - shown);
	found = nd_trace_doubt_count(trace);
	for (shown = 0; (violation = nd_trace_doubt(trace, shown)) != NULL; shown++)
		violation_print(out, trace, violation, "a frame is missing, or ");
	if (found > shown)
		fprintf(out, "  %zu further doubts\n", found - shown);
}

/* @return true if a list of violations or doubts contains this rule */
static bool
is_found(const struct nd_trace *trace,
	const struct nd_trace_violation *(*at)(const struct nd_trace *trace, size_t index),
	const char *rule)
{
	const struct nd_trace_violation *violation;

	for (size_t i = 0; (violation = at(trace, i)) != NULL; i++)
		if (strcmp(violation->rule, rule) == 0)
			return true;
	return false;
}

/* Print the text of each rule that a violation, a doubt or a frame with a wrong ICRC refers to. */
static void
rules_print(FILE *out, const struct nd_trace *trace)
{
	const char *rule;

	for (size_t i = 0; (rule = nd_trace_rule(i)) != NULL; i++)
		if (is_found(trace, nd_trace_violation, rule) ||
			is_found(trace, nd_trace_doubt, rule) ||
			is_found(trace, nd_trace_damage, rule))
			fprintf(out, "  %s: %s\n", rule, nd_trace_rule_sentence(rule));
}

/* Print the frames with a wrong ICRC. The network or the capture damaged these frames. */
static void
damages_print(FILE *out, const struct nd_trace *trace, uint64_t icrc_bad)
{
	const struct nd_trace_violation *damage;
	size_t shown = 0;

	for (; (damage = nd_trace_damage(trace, shown)) != NULL; shown++)
		violation_print(out, trace, damage, "");
	if (icrc_bad > shown)
		fprintf(out, "  %" PRIu64 " further wrong ICRCs\n", icrc_bad - shown);
}

static void
skips_print(FILE *out, const struct check_result *result)
{
	const struct reader_skips *skips = &result->skips;

	if (skips->by_filter != 0)
		fprintf(out, "  %" PRIu64 " frames excluded by --filter\n", skips->by_filter);
	if (skips->by_range != 0)
		fprintf(out, "  %" PRIu64 " frames excluded by --from and --to\n", skips->by_range);
	if (result->skipped_by_connection != 0)
		fprintf(out, "  %" PRIu64 " frames excluded by --connection\n",
			result->skipped_by_connection);
	if (skips->copies != 0)
		fprintf(out,
			"  packets were captured more than once: %" PRIu64
			" copies were left out\n",
			skips->copies);
	if (skips->backwards != 0)
		fprintf(out,
			"  times run backwards at %" PRIu64 " frames, first at frame %" PRIu64
			": sort the file by time, for example with reordercap; in this order, not "
			"everything could be judged\n",
			skips->backwards, skips->backwards_frame);
	if (skips->by_link_type != 0)
		fprintf(out,
			"  %" PRIu64
			" frames of a link type that is not supported, such as %s, could "
			"not be judged\n",
			skips->by_link_type, skips->link_type);
}

/* Print one line about frames that look like RoCEv2 but were not judged. */
static void
unjudged_print(FILE *out, const struct nd_trace_totals *totals)
{
	uint64_t unjudged = totals->truncated + totals->hidden;

	if (unjudged != 0)
		fprintf(out, "  %" PRIu64 " frames look like RoCEv2, but could not be judged\n",
			unjudged);
	else if (totals->roce_packets == 0)
		fputs("  no RoCEv2 packet was found: nothing was judged\n", out);
}

/* Print a hint if no ICRC is right, or if no request was found together with its response. */
static void
conversations_print(FILE *out, const struct nd_trace *trace, const struct nd_trace_totals *totals)
{
	struct nd_trace_coverage coverage;

	nd_trace_coverage(trace, &coverage);
	if (totals->icrc_bad != 0 && totals->icrc_ok == 0)
		fputs("  no ICRC is right: if the sender writes no ICRC, use --ignore-icrc to "
		      "judge the packets\n",
			out);
	if (totals->icrc_ok + totals->icrc_ignored != 0 && coverage.judged == 0)
		fputs("  no request was found with its response: each packet was judged by "
		      "itself\n",
			out);
}

void
report_text(FILE *out, const struct check_result *result, const struct report_options *options)
{
	const size_t first_number = result->connection != 0 ? result->connection : 1;
	struct nd_trace_totals totals;

	if (result->trace == NULL)
		return;
	nd_trace_totals(result->trace, &totals);
	fprintf(out,
		"%s: %" PRIu64 " frames, %" PRIu64 " RoCEv2, ICRC %" PRIu64 " right %" PRIu64
		" wrong",
		result->file, totals.frames, totals.roce_packets, totals.icrc_ok, totals.icrc_bad);
	count_print(out, totals.icrc_ignored, "wrong and ignored");
	count_print(out, totals.malformed, "malformed");
	count_print(out, totals.truncated, "truncated by the capture");
	count_print(out, totals.hidden, "in tunnels that are not decoded");
	count_print(out, totals.roce_v1, "RoCE v1, which is not judged");
	count_print(out, totals.cm_messages, "CM messages");
	fprintf(out, ", %zu violations", nd_trace_violation_count(result->trace));
	count_print(out, nd_trace_doubt_count(result->trace), "doubts");
	fputc('\n', out);
	skips_print(out, result);
	unjudged_print(out, &totals);
	conversations_print(out, result->trace, &totals);
	report_coverage_print(out, result->trace);
	if (options->top != 0)
		report_talkers_print(out, result->trace, options->top, first_number);
	for (size_t i = 0; i < nd_trace_connection_count(result->trace); i++) {
		connection_print(out, nd_trace_connection(result->trace, i), first_number + i);
		report_stats_line(out, result->trace, i);
		if (options->stats)
			report_stats_all(out, result->trace, i);
	}
	damages_print(out, result->trace, totals.icrc_bad);
	violations_print(out, result->trace);
	rules_print(out, result->trace);
}
