/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "trace/connection.h"

/*
 * Reports about whole connections: statistics, and how completely the packets could be checked
 * against the rules.
 */

const struct trace_side_stats *
trace_connection_side(const struct trace_connection *connection, unsigned side)
{
	const struct trace_flow *flow = connection->flow[side];

	return flow == NULL ? NULL : &flow->stats;
}

/* Requests can be judged by themselves; answers are judged by the requests of the other side. */
static enum nd_trace_judged
judged_of(const struct trace_flow *flow)
{
	const uint64_t requests = flow->stats.report.requests;
	const struct trace_flow *peer = flow->peer;

	if (flow->stats.packets == 0)
		return ND_TRACE_JUDGED_NONE;
	if (flow->sender.broken || peer == NULL || peer->sender.broken)
		return ND_TRACE_JUDGED_ALONE;
	if (requests != 0 && !flow->sender.trusted)
		return ND_TRACE_JUDGED_PARTLY;
	if (requests + flow->stats.cnps == flow->stats.packets)
		return ND_TRACE_JUDGED_FULLY;
	if (!peer->sender.started)
		return ND_TRACE_JUDGED_ALONE;
	return peer->sender.trusted ? ND_TRACE_JUDGED_FULLY : ND_TRACE_JUDGED_PARTLY;
}

void
trace_connection_stats(const struct trace_connection *connection, struct nd_trace_stats *stats)
{
	*stats = (struct nd_trace_stats){
		.first_ns = connection->stats.first_ns,
		.last_ns = connection->stats.last_ns,
		.stalls = connection->stats.stalls,
		.pauses = connection->stats.pauses,
	};
	for (unsigned side = 0; side < 2; side++) {
		if (connection->flow[side] == NULL)
			continue;
		stats->side[side] = connection->flow[side]->stats.report;
		stats->side[side].judged = judged_of(connection->flow[side]);
	}
}

static bool
is_one_way(const struct trace_connection *connection)
{
	return (connection->report.side[0].packets == 0) !=
		(connection->report.side[1].packets == 0);
}

void
trace_table_coverage(const struct trace_table *table, struct nd_trace_coverage *coverage)
{
	*coverage = table->coverage;
	for (size_t i = 0; i < table->connection_count; i++) {
		const struct trace_connection *connection = table->connections[i];

		if (connection->absorbed)
			continue;
		coverage->without_cm += connection->report.cm == ND_TRACE_CM_NONE;
		coverage->one_way += is_one_way(connection);
		for (unsigned side = 0; side < 2; side++) {
			const struct trace_flow *flow = connection->flow[side];

			if (flow == NULL)
				continue;
			coverage->rnr_waits += flow->stats.report.rnr_waits_unjudged;
			coverage->timeouts += flow->stats.report.timeouts_unjudged;
		}
	}
}
