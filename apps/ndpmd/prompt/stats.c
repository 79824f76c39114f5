/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Statistics. A statistic that exists in the Open Traffic Generator's model of RoCEv2 has the same
 * name here. In the model, a statistic belongs to a flow or a peer. Here a statistic is the sum
 * over all queue pairs of an adapter.
 */

#include <string.h>

#include <json-c/json.h>

#include "commands.h"
#include "prompt.h"

/* Name of a statistic. Its value is the sum of the named adapter counters. */
static const struct {
	const char *name;
	const char *counter[4];
} sums[] = {
	{"data_frames_tx", {"tx_packets"}},
	{"data_frames_rx", {"rx_packets"}},
	{"data_frames_retransmitted", {"retransmitted_packets"}},
	{"probes", {"probes"}},
	{"frame_sequence_error", {"tx_naks_sequence"}},
	{"tx_bytes", {"tx_bytes"}},
	{"rx_bytes", {"rx_bytes"}},
	{"ecn_ce_rx", {"rx_ce"}},
	{"cnp_tx", {"tx_cnps"}},
	{"cnp_rx", {"rx_cnps"}},
	{"ack_tx", {"tx_acks"}},
	{"nak_tx", {"tx_naks_sequence", "tx_naks_invalid", "tx_naks_access", "tx_naks_operation"}},
	{"nak_rx", {"rx_naks_sequence", "rx_naks_fatal"}},
	{"rnr_nak_tx", {"tx_rnr_naks"}},
	{"rnr_nak_rx", {"rx_rnr_naks"}},
	{"connect_request_tx", {"cm_tx_req"}},
	{"connect_request_rx", {"cm_rx_req"}},
	{"connect_reply_tx", {"cm_tx_rep"}},
	{"connect_reply_rx", {"cm_rx_rep"}},
	{"ready_tx", {"cm_tx_rtu"}},
	{"ready_rx", {"cm_rx_rtu"}},
	{"disconnect_request_tx", {"cm_tx_dreq"}},
	{"disconnect_request_rx", {"cm_rx_dreq"}},
	{"disconnect_reply_tx", {"cm_tx_drep"}},
	{"disconnect_reply_rx", {"cm_rx_drep"}},
	{"reject_tx", {"cm_tx_rej"}},
	{"reject_rx", {"cm_rx_rej"}},
};

static uint64_t
count_of(const struct nd_counter *counters, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(counters[i].name, name) == 0)
			return counters[i].value;
	return 0;
}

static void
add_number(struct json_object *object, const char *name, uint64_t value)
{
	json_object_object_add(object, name, json_object_new_uint64(value));
}

static void
add_double(struct json_object *object, const char *name, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.9g", value);
	json_object_object_add(object, name, json_object_new_double_s(value, text));
}

static uint64_t
all_drops(const struct nd_counter *counters, size_t count)
{
	uint64_t drops = 0;

	for (size_t i = 0; i < count; i++)
		if (losses_is_drop(counters[i].name))
			drops += counters[i].value;
	return drops;
}

static void
add_adapter(struct prompt *prompt, struct json_object *adapters, const char *role,
	const struct nd_adapter *adapter, const struct baseline_side *side)
{
	struct nd_counter counters[BASELINE_COUNTERS_MAX];
	struct json_object *object;
	double seconds;
	size_t count;

	if (adapter == NULL)
		return;
	object = json_object_new_object();
	count = baseline_read(side, adapter, counters);
	seconds = (double)stopwatch_ns(
			  prompt->host.stopwatch, stopwatch_now() - prompt->baseline.start_tsc) /
		1e9;
	json_object_object_add(object, "role", json_object_new_string(role));
	add_double(object, "seconds", seconds);
	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		uint64_t value = 0;

		for (size_t k = 0; k < 4 && sums[i].counter[k] != NULL; k++)
			value += count_of(counters, count, sums[i].counter[k]);
		add_number(object, sums[i].name, value);
	}
	add_number(object, "drops", all_drops(counters, count));
	add_double(object, "data_tx_rate",
		(double)count_of(counters, count, "tx_bytes") * 8 / 1e9 / seconds);
	add_double(object, "data_rx_rate",
		(double)count_of(counters, count, "rx_bytes") * 8 / 1e9 / seconds);
	json_object_array_add(adapters, object);
}

static const char *
phase_name(const struct prompt *prompt)
{
	static const char *const names[] = {
		[RUN_CONNECTING] = "connecting",
		[RUN_WARMING] = "warming up",
		[RUN_MEASURING] = "measuring",
		[RUN_DRAINING] = "draining",
		[RUN_FINISHING] = "finishing",
		[RUN_CLOSING] = "closing",
		[RUN_ENDED] = "ended",
	};

	if (!prompt->is_running)
		return prompt->start_wanted ? "starting" : "idle";
	return names[prompt->host.workers->worker[0]->run.phase];
}

/* @return earliest start of the measurement on any lcore; 0 = not all lcores have started */
static uint64_t
measuring_since(const struct workers *workers)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t i = 0; i < workers->count; i++) {
		const uint64_t start_tsc =
			__atomic_load_n(&workers->worker[i]->run.start_tsc, __ATOMIC_RELAXED);

		first = RTE_MIN(first, start_tsc);
	}
	return first;
}

static void
merge_histograms(struct prompt *prompt)
{
	const struct workers *workers = prompt->host.workers;

	histogram_clear(&prompt->merged);
	for (uint32_t i = 0; i < workers->count; i++) {
		histogram_copy(&prompt->part, &workers->worker[i]->run.histogram);
		histogram_merge(&prompt->merged, &prompt->part);
	}
}

/* @return row of the current run with the figures so far; NULL = no measurement is in progress */
static struct json_object *
progress(struct prompt *prompt)
{
	const struct workers *workers = prompt->host.workers;
	const struct run *run = &workers->worker[0]->run;
	const struct options *options = prompt->host.options;
	struct json_object *object;
	struct losses losses;
	struct report_row row;
	uint64_t since, end;

	if (!prompt->is_running || run->phase == RUN_ENDED)
		return NULL;
	since = measuring_since(workers);
	if (since == 0)
		return NULL;
	end = run->stop_tsc != 0 ? run->stop_tsc : stopwatch_now();
	merge_histograms(prompt);
	report_losses(prompt->host.meter->report, &losses);
	row = (struct report_row){
		.op = run->work.op,
		.size_bytes = run->work.size_bytes,
		.depth = options->depth,
		.qps = options->qps,
		.windows = run->work.op == OPTIONS_OP_BIND ? options->windows : 0,
		.seconds = (double)stopwatch_ns(prompt->host.stopwatch, end - since) / 1e9,
		.ops = prompt->merged.total,
		.histogram = &prompt->merged,
		.losses = losses_since(&losses, &prompt->host.meter->start),
	};
	object = report_row_json(&row);
	/*
	 * Remove members that cannot be read during a run. Each lcore has its own count, which only
	 * the thread of the lcore can read.
	 */
	json_object_object_del(object, "posted");
	json_object_object_del(object, "outstanding");
	return object;
}

void
command_show_stats(struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	struct json_object *result = json_object_new_object();
	struct json_object *adapters = json_object_new_array();

	(void)words;
	json_object_object_add(result, "state", json_object_new_string(phase_name(prompt)));
	json_object_object_add(result, "run", progress(prompt));
	add_adapter(
		prompt, adapters, "client", prompt->host.client_adapter, &prompt->baseline.client);
	add_adapter(
		prompt, adapters, "server", prompt->host.server_adapter, &prompt->baseline.server);
	json_object_object_add(result, "adapters", adapters);
	rows_add_to(&prompt->rows, result);
	answer->result = result;
}

static void
add_counters(struct json_object *result, const char *role, const struct nd_adapter *adapter,
	const struct baseline_side *side)
{
	struct nd_counter counters[BASELINE_COUNTERS_MAX];
	struct json_object *object;
	size_t count;

	if (adapter == NULL)
		return;
	object = json_object_new_object();
	count = baseline_read(side, adapter, counters);
	for (size_t i = 0; i < count; i++)
		if (counters[i].value > 0)
			add_number(object, counters[i].name, counters[i].value);
	json_object_object_add(result, role, object);
}

void
command_show_counters(
	struct prompt *prompt, const struct command_words *words, struct answer *answer)
{
	(void)words;
	answer->result = json_object_new_object();
	add_counters(
		answer->result, "client", prompt->host.client_adapter, &prompt->baseline.client);
	add_counters(
		answer->result, "server", prompt->host.server_adapter, &prompt->baseline.server);
}
