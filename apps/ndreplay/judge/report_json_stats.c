/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>

#include <json-c/json.h>

#include "ndreplay/json_add.h"
#include "report_stats.h"

static void
silences_add(struct json_object *object, const char *key, const struct nd_trace_silences *silences)
{
	struct json_object *part = json_object_new_object();

	number_add(part, "count", silences->count);
	number_add(part, "total_ns", silences->total_ns);
	number_add(part, "longest_ns", silences->longest_ns);
	number_add(part, "longest_frame", silences->longest_frame);
	json_object_object_add(object, key, part);
}

void
report_json_stats(struct json_object *object, const struct nd_trace *trace, size_t index)
{
	struct nd_trace_stats stats;

	if (!nd_trace_stats(trace, index, &stats))
		return;
	number_add(object, "duration_ns", stats.last_ns - stats.first_ns);
	silences_add(object, "stalls", &stats.stalls);
	silences_add(object, "pauses", &stats.pauses);
}

static struct json_object *
times_object(const struct nd_trace_times *times)
{
	struct json_object *object = json_object_new_object();

	number_add(object, "count", times->count);
	number_add(object, "min_ns", times->min_ns);
	number_add(object, "mean_ns", times->mean_ns);
	number_add(object, "p50_ns", times->p50_ns);
	number_add(object, "p90_ns", times->p90_ns);
	number_add(object, "p99_ns", times->p99_ns);
	number_add(object, "p999_ns", times->p999_ns);
	number_add(object, "max_ns", times->max_ns);
	return object;
}

/* Add a rate in bits per second, rounded. If the duration of the connection is 0, add null. */
static void
rate_add(struct json_object *object, const char *key, uint64_t bytes,
	const struct nd_trace_stats *stats)
{
	struct json_object *value = NULL;

	if (stats->last_ns != stats->first_ns)
		value = json_object_new_uint64((uint64_t)(report_rate(bytes, stats) + 0.5));
	json_object_object_add(object, key, value);
}

void
report_json_side(
	struct json_object *object, const struct nd_trace *trace, size_t index, unsigned side)
{
	struct json_object *all = json_object_new_object();
	const struct nd_trace_side_stats *own;
	struct nd_trace_stats stats;
	struct nd_trace_times times;

	nd_trace_stats(trace, index, &stats);
	own = &stats.side[side];
	number_add(object, "wire_bytes", own->wire_bytes);
	number_add(object, "delivered_bytes", own->delivered_bytes);
	number_add(object, "payload_bytes", own->payload_bytes);
	number_add(object, "requests", own->requests);
	number_add(object, "repeated_early", own->repeated_early);
	number_add(object, "ect", own->ect);
	number_add(object, "ce", own->ce);
	number_add(object, "cnps_close", own->cnps_close);
	number_add(object, "cnp_least_ns", own->cnp_least_ns);
	rate_add(object, "wire_bps", own->wire_bytes, &stats);
	rate_add(object, "goodput_bps", own->delivered_bytes, &stats);
	json_object_object_add(
		object, "judged", json_object_new_string(report_judged_name(own->judged)));
	for (int time = 0; time < ND_TRACE_TIME_COUNT; time++) {
		nd_trace_times(trace, index, side, (enum nd_trace_time)time, &times);
		if (times.count != 0)
			json_object_object_add(all, report_time_name((enum nd_trace_time)time),
				times_object(&times));
	}
	json_object_object_add(object, "times", all);
}

struct json_object *
report_json_coverage(const struct nd_trace *trace)
{
	struct json_object *object = json_object_new_object();
	struct nd_trace_coverage coverage;

	nd_trace_coverage(trace, &coverage);
	number_add(object, "judged", coverage.judged);
	number_add(object, "early", coverage.early);
	number_add(object, "alone", coverage.alone);
	number_add(object, "unfollowed", coverage.unfollowed);
	number_add(object, "datagrams", coverage.datagrams);
	number_add(object, "transports", coverage.transports);
	number_add(object, "without_cm", coverage.without_cm);
	number_add(object, "one_way", coverage.one_way);
	number_add(object, "rnr_waits", coverage.rnr_waits);
	number_add(object, "timeouts", coverage.timeouts);
	return object;
}

struct json_object *
report_json_talkers(const struct nd_trace *trace, uint64_t top)
{
	struct json_object *array = json_object_new_array();
	size_t count;
	struct report_talker *talkers = report_talkers(trace, &count);

	for (size_t i = 0; i < count && i < top; i++) {
		struct json_object *object = json_object_new_object();

		number_add(object, "connection", talkers[i].index);
		number_add(object, "side", talkers[i].side);
		number_add(object, "wire_bytes", talkers[i].wire_bytes);
		json_object_array_add(array, object);
	}
	free(talkers);
	return array;
}
