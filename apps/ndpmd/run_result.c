/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "run.h"

/* Compute the figures of a run, for one lcore or for all lcores. */

void
run_add_tally(struct run_tally *tally, const struct run_tally *other)
{
	tally->ops += other->ops;
	tally->errors += other->errors;
	tally->posted += other->posted;
	tally->outstanding += other->outstanding;
	tally->missed += other->missed;
}

/* @return figures of this part, and of all parts that were joined to this part */
static struct run_tally
tally_side(const struct run *run, enum run_side side)
{
	struct run_tally tally = run->joined[side];

	if (run->connections != NULL) {
		const struct run_tally own = run->functions->tally(run, side);

		run_add_tally(&tally, &own);
	}
	return tally;
}

void
run_join(struct run *run, const struct run *other)
{
	run->failures += other->failures;
	if (run->error[0] == '\0')
		memcpy(run->error, other->error, sizeof(run->error));
	for (unsigned int side = 0; side < RUN_SIDES; side++) {
		const struct run_tally tally = tally_side(other, (enum run_side)side);

		run_add_tally(&run->joined[side], &tally);
	}
	histogram_merge(&run->histogram, &other->histogram);
	histogram_merge(&run->server_histogram, &other->server_histogram);
	for (unsigned int op = 0; run->parts != NULL && other->parts != NULL && op < OPTIONS_OP_MIX;
		op++)
		histogram_merge(&run->parts[op], &other->parts[op]);
	if (other->start_tsc == 0)
		return;
	if (run->start_tsc == 0 || other->start_tsc < run->start_tsc)
		run->start_tsc = other->start_tsc;
	if (other->stop_tsc > run->stop_tsc)
		run->stop_tsc = other->stop_tsc;
}

double
run_seconds(const struct run *run)
{
	return (double)stopwatch_ns(run->stopwatch, run->stop_tsc - run->start_tsc) / 1e9;
}

bool
run_result(const struct run *run, enum run_side side, struct report_row *row)
{
	const struct run_tally tally = tally_side(run, side);
	const bool is_here = run->options->mode == OPTIONS_MODE_LOOPBACK;

	*row = (struct report_row){
		.op = run->work.op,
		.size_bytes = run->work.size_bytes,
		.depth = run->options->depth,
		.qps = run->options->qps,
		.windows = run->work.op == OPTIONS_OP_BIND ? run->options->windows : 0,
		.ops = tally.ops,
		.posted = tally.posted,
		.outstanding = tally.outstanding,
		.missed = tally.missed,
		/*
		 * Count a broken connection only in the client's row. Otherwise the connection
		 * would be counted twice.
		 */
		.errors = tally.errors + (side == RUN_CLIENT ? run->failures : 0),
		.rate = options_rate_per_qp(run->options, &run->work) * run->options->qps,
	};
	if (run->options->bidirectional)
		row->posted_by = side == RUN_CLIENT ? "client" : "server";
	if (side == RUN_CLIENT) {
		row->histogram = &run->histogram;
		row->parts = run->parts;
		row->weights = run->options->weights;
	} else if (is_here) {
		row->histogram = &run->server_histogram;
	}
	if (run->start_tsc == 0)
		return false;
	row->seconds = run_seconds(run);
	return true;
}
