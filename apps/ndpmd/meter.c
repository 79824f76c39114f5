/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "meter.h"

#include <stdio.h>
#include <string.h>

#define COUNTERS_MAX 256u

/*
 * @return bytes that the client's adapter has transmitted and received, according to its counters
 */
static uint64_t
moved_bytes(const struct meter *meter)
{
	struct nd_counter counters[COUNTERS_MAX];
	const size_t count =
		nd_adapter_counters(meter->report->adapters[0], counters, COUNTERS_MAX);
	uint64_t bytes = 0;

	for (size_t i = 0; i < count && i < COUNTERS_MAX; i++)
		if (strcmp(counters[i].name, "tx_bytes") == 0 ||
			strcmp(counters[i].name, "rx_bytes") == 0)
			bytes += counters[i].value;
	return bytes;
}

void
meter_open(struct meter *meter, const struct options *options, const struct stopwatch *stopwatch,
	struct report *report, const struct workers *workers)
{
	meter->options = options;
	meter->stopwatch = stopwatch;
	meter->report = report;
	meter->workers = workers;
	meter->is_on = false;
	meter->bytes = moved_bytes(meter);
	report_losses(report, &meter->start);
}

static double
seconds(const struct meter *meter, uint64_t cycles)
{
	return (double)stopwatch_ns(meter->stopwatch, cycles) / 1e9;
}

static void
begin(struct meter *meter, uint64_t start_tsc)
{
	meter->is_on = true;
	meter->start_tsc = meter->before_tsc = start_tsc;
	meter->before = meter->start;
	histogram_clear(&meter->histogram_before);
}

/* @return earliest start of the measurement on any lcore; 0 = not all lcores have started */
static uint64_t
measuring_since(const struct meter *meter)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t i = 0; i < meter->workers->count; i++) {
		const struct run *run = &meter->workers->worker[i]->run;
		const uint64_t start_tsc = __atomic_load_n(&run->start_tsc, __ATOMIC_RELAXED);

		first = RTE_MIN(first, start_tsc);
	}
	return first;
}

static void
read_histogram(struct meter *meter)
{
	histogram_copy(&meter->histogram, &meter->workers->worker[0]->run.histogram);
	for (uint32_t i = 1; i < meter->workers->count; i++) {
		histogram_copy(&meter->part, &meter->workers->worker[i]->run.histogram);
		histogram_merge(&meter->histogram, &meter->part);
	}
}

/* Print the line for the time since the previous line. The caller has read histogram and losses. */
static void
tell(struct meter *meter, const struct losses *losses, uint64_t now)
{
	const struct run *run = &meter->workers->worker[0]->run;
	const struct report_row row = {
		.op = run->work.op,
		.size_bytes = run->work.size_bytes,
		.depth = meter->options->depth,
		.qps = meter->options->qps,
		.windows = run->work.op == OPTIONS_OP_BIND ? meter->options->windows : 0,
		.seconds = seconds(meter, now - meter->before_tsc),
		.ops = meter->histogram.total - meter->histogram_before.total,
		.histogram = &meter->part,
		.losses = losses_since(losses, &meter->before),
	};

	histogram_since(&meter->part, &meter->histogram, &meter->histogram_before);
	report_interval(meter->report, &row, seconds(meter, now - meter->start_tsc));
	meter->histogram_before = meter->histogram;
	meter->before = *losses;
	meter->before_tsc = now;
}

void
meter_turn(void *arg)
{
	struct meter *meter = arg;
	const struct run *run = &meter->workers->worker[0]->run;
	struct losses losses;
	uint64_t now;

	if (run->stop_tsc != 0)
		return;
	if (!meter->is_on && measuring_since(meter) != 0) {
		report_losses(meter->report, &meter->start);
		begin(meter, measuring_since(meter));
	}
	if (!meter->is_on)
		return;
	if (meter->options->interval_ns == 0)
		return;
	now = stopwatch_now();
	if (now - meter->before_tsc <
		stopwatch_cycles(meter->stopwatch, meter->options->interval_ns))
		return;
	read_histogram(meter);
	report_losses(meter->report, &losses);
	tell(meter, &losses, now);
}

void
meter_end(struct meter *meter, struct report_row *row)
{
	const struct run *run = &meter->workers->worker[0]->run;
	struct losses losses;

	/*
	 * The measurement was so short that meter_turn() did not see it. In this case the losses
	 * include the losses during connection set-up.
	 */
	if (!meter->is_on)
		begin(meter, run->start_tsc);
	report_losses(meter->report, &losses);
	row->losses = losses_since(&losses, &meter->start);
	row->has_losses = true;
	if (meter->options->interval_ns == 0)
		return;
	/*
	 * All lcores have joined, so the first run's histogram contains the values of all lcores.
	 */
	histogram_copy(&meter->histogram, &run->histogram);
	tell(meter, &losses, run->stop_tsc);
}

bool
meter_adds_up(const struct meter *meter, const struct report_row *row, char *why, size_t size)
{
	const uint64_t moved = moved_bytes(meter) - meter->bytes;
	uint64_t of_parts = 0;
	/* The 8 bytes of an atomic do not count as payload. */
	const uint64_t least = options_op_is_atomic(row->op) ? 0 : row->ops * row->size_bytes;
	const uint64_t counted = row->histogram == NULL ? row->ops : row->histogram->total;

	for (unsigned int op = 0; row->parts != NULL && op < OPTIONS_OP_MIX; op++)
		of_parts += row->parts[op].total;
	if ((row->parts == NULL || of_parts == row->ops) &&
		row->posted == row->ops + row->outstanding && counted == row->ops && moved >= least)
		return true;
	snprintf(why, size,
		"inconsistent counts: %llu posted, %llu completed, %llu outstanding, %llu in the "
		"histogram; at least %llu bytes expected, %llu transferred",
		(unsigned long long)row->posted, (unsigned long long)row->ops,
		(unsigned long long)row->outstanding, (unsigned long long)counted,
		(unsigned long long)least, (unsigned long long)moved);
	return false;
}
