/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"

void
run_fail(struct run *run, const char *error)
{
	/* After Ctrl-C the peer may disconnect early, which is no error. */
	if (run->interrupted)
		return;
	run->failures++;
	if (run->error[0] == '\0')
		snprintf(run->error, sizeof(run->error), "%s", error);
}

void
run_meeting_open(struct run_meeting *meeting, uint32_t part_count)
{
	/*
	 * The server uses the number `client` to group the connections of one run. Two runs may
	 * have the same number by chance, which causes no error.
	 */
	*meeting = (struct run_meeting){
		.part_count = part_count,
		.client = pattern_seed(0, PATTERN_REQUEST, stopwatch_now()),
	};
}

/* Count this part as connected, but only once. @return true if all parts are connected */
static bool
all_have_arrived(struct run *run)
{
	struct run_meeting *meeting = run->meeting;

	if (!run->has_arrived)
		__atomic_fetch_add(&meeting->arrived, 1, __ATOMIC_ACQ_REL);
	run->has_arrived = true;
	return __atomic_load_n(&meeting->arrived, __ATOMIC_ACQUIRE) == meeting->part_count;
}

void
run_open(struct run *run, const struct run_part *part, unsigned int op_index)
{
	run->work = options_work(run->options, op_index);
	run->peer = part->peer;
	run->meeting = part->meeting;
	run->connections = calloc(1, run->functions->bytes);
	if (run->connections != NULL && run->functions->open(run, part, op_index))
		return;
	if (run->connections == NULL)
		run_fail(run, "no memory for the connections");
	free(run->connections);
	run->connections = NULL;
	run->phase = RUN_ENDED;
	__atomic_store_n(&run->meeting->is_off, true, __ATOMIC_RELEASE);
}

static void
start_measuring(struct run *run)
{
	const struct options *options = run->options;

	run->phase = RUN_MEASURING;
	run->start_tsc = run->now_tsc;
	run->phase_end_tsc = options->time_ns == UINT64_MAX
		? UINT64_MAX
		: run->now_tsc + stopwatch_cycles(run->stopwatch, options->time_ns);
	run->functions->start(run, true);
}

static void
start_running(struct run *run)
{
	if (run->options->warmup_ns == 0) {
		start_measuring(run);
		return;
	}
	run->phase = RUN_WARMING;
	run->phase_end_tsc =
		run->now_tsc + stopwatch_cycles(run->stopwatch, run->options->warmup_ns);
	run->functions->start(run, false);
}

static void
start_draining(struct run *run)
{
	run->phase = RUN_DRAINING;
	run->functions->stop(run);
}

/*
 * Start FINISHING. All posted operations are complete, so the peer may end the connection after
 * this call.
 */
static void
start_finishing(struct run *run)
{
	run->stop_tsc = run->now_tsc;
	run->phase = run->functions->finish(run) ? RUN_CLOSING : RUN_FINISHING;
}

static void
give_up(struct run *run)
{
	if (run->stop_tsc == 0)
		run->stop_tsc = run->now_tsc;
	/* Tell the other parts that this part has failed, because they wait for this part. */
	__atomic_store_n(&run->meeting->is_off, true, __ATOMIC_RELEASE);
	run->phase = RUN_CLOSING;
}

static void
turn_phase(struct run *run)
{
	const struct run_functions *functions = run->functions;

	switch (run->phase) {
	case RUN_CONNECTING:
		if (__atomic_load_n(&run->meeting->is_off, __ATOMIC_ACQUIRE))
			run->phase = RUN_CLOSING;
		else if (functions->connect(run) && all_have_arrived(run))
			start_running(run);
		break;
	case RUN_WARMING:
		if (run->now_tsc >= run->phase_end_tsc)
			start_measuring(run);
		break;
	case RUN_MEASURING:
		if (run->now_tsc >= run->phase_end_tsc || functions->is_posted(run))
			start_draining(run);
		break;
	case RUN_DRAINING:
		if (functions->drain(run))
			start_finishing(run);
		break;
	case RUN_FINISHING:
		if (functions->finish(run))
			run->phase = RUN_CLOSING;
		break;
	case RUN_CLOSING:
		if (functions->leave(run))
			run->phase = RUN_ENDED;
		break;
	case RUN_ENDED:
		break;
	}
}

bool
run_turn(struct run *run)
{
	if (run->phase == RUN_ENDED)
		return false;
	if (run->functions->turn(run))
		turn_phase(run);
	else
		give_up(run);
	return run->phase != RUN_ENDED;
}

void
run_stop(struct run *run)
{
	run->interrupted = true;
	run->now_tsc = stopwatch_now();
	if (run->phase == RUN_CONNECTING)
		run->phase = RUN_CLOSING;
	else if (run->phase < RUN_DRAINING)
		start_draining(run);
	if (run->phase < RUN_CLOSING && !run->functions->interrupt(run))
		run->phase = RUN_CLOSING;
}

void
run_change_rate(struct run *run)
{
	run->now_tsc = stopwatch_now();
	if (run->functions->change_rate != NULL &&
		(run->phase == RUN_WARMING || run->phase == RUN_MEASURING))
		run->functions->change_rate(run);
}

void
run_close(struct run *run)
{
	if (run->connections != NULL)
		run->functions->close(run);
	free(run->connections);
	run->connections = NULL;
}
