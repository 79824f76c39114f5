/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest time between two completions after the end; longer than all retries of the transport. */
#define DRAIN_SECONDS 10u

/*
 * Connections being made at once. A server accepts a limited number of requests per second from one
 * address and drops the others, which are repeated later. With more connections at once, the
 * repeats would exceed the limit as well.
 */
#define CONNECTING_MAX 32u

/* Sessions that are advanced between two polls of the engine. */
#define SESSIONS_PER_TURN 32u

static void
fail(struct run *run, const char *error)
{
	/* After Ctrl-C it does not matter that the other side has ended as well. */
	if (run->interrupted)
		return;
	run->failures++;
	if (run->error[0] == '\0')
		snprintf(run->error, sizeof(run->error), "%s", error);
}

static void
close_sessions(struct run *run)
{
	for (uint32_t i = 0; i < run->session_count; i++) {
		struct session *session = &run->sessions[i];

		if (session->state != SESSION_DISCONNECTING && session->state != SESSION_CLOSED)
			session_disconnect(session);
	}
	run->phase = RUN_CLOSING;
}

void
run_open(struct run *run, const struct options *options, const struct stopwatch *stopwatch,
	struct nd_adapter *adapter, const struct sockaddr_storage *peer, unsigned int op_index)
{
	/*
	 * The server uses the number to group the connections of one run; two runs with the same
	 * number do no harm.
	 */
	const uint64_t client = pattern_seed(0, PATTERN_REQUEST, stopwatch_now());

	memset(run, 0, sizeof(*run));
	run->options = options;
	run->stopwatch = stopwatch;
	run->op = options->ops[op_index];
	run->peer = peer;
	run->sessions = calloc(options->qps, sizeof(*run->sessions));
	if (run->sessions == NULL) {
		fail(run, "no memory for the connections");
		run->phase = RUN_ENDED;
		return;
	}
	run->session_count = options->qps;
	for (uint32_t i = 0; i < options->qps; i++) {
		struct session *session = &run->sessions[i];

		session->adapter = adapter;
		session->stopwatch = stopwatch;
		session->op = run->op;
		session->size_bytes = options_op_bytes(run->op, options->size_bytes);
		session->depth = options->depth;
		session->qp = i;
		session->qp_count = options->qps;
		session->op_index = op_index;
		session->client = client;
		session->verify = options->verify;
		session->latency = options->latency;
		session->remote_invalidate = options->remote_invalidate;
		session->standing_count = run->op == OPTIONS_OP_BIND ? options->windows : 0;
		session->last_op = op_index + 1 == options->op_count;
		session->histogram = &run->histogram;
	}
}

/* Begin the next connections. */
static void
connect_sessions(struct run *run)
{
	uint32_t connecting = 0;

	for (uint32_t i = 0; i < run->session_count && connecting < CONNECTING_MAX; i++) {
		struct session *session = &run->sessions[i];

		if (session->state == SESSION_IDLE)
			session_connect(session, run->peer, run->options->listen_port);
		connecting += session->state < SESSION_RUNNING;
	}
}

static void
start_measuring(struct run *run, uint64_t now)
{
	const struct options *options = run->options;

	run->phase = RUN_MEASURING;
	run->start_tsc = now;
	run->phase_end_tsc = options->time_ns == UINT64_MAX
		? UINT64_MAX
		: now + stopwatch_cycles(run->stopwatch, options->time_ns);
	for (uint32_t i = 0; i < run->session_count; i++) {
		struct session *session = &run->sessions[i];

		session->measured_from = session->posted;
		session->limit = options->iterations > 0 ? session->posted + options->iterations
							 : UINT64_MAX;
	}
}

static void
start_running(struct run *run, uint64_t now)
{
	if (run->options->warmup_ns == 0) {
		start_measuring(run, now);
		return;
	}
	run->phase = RUN_WARMING;
	run->phase_end_tsc = now + stopwatch_cycles(run->stopwatch, run->options->warmup_ns);
	for (uint32_t i = 0; i < run->session_count; i++)
		run->sessions[i].limit = UINT64_MAX;
}

static void
start_draining(struct run *run, uint64_t now)
{
	run->phase = RUN_DRAINING;
	run->phase_end_tsc = now + DRAIN_SECONDS * run->stopwatch->hz;
	for (uint32_t i = 0; i < run->session_count; i++)
		run->sessions[i].limit = run->sessions[i].posted;
}

/*
 * Let some sessions go on. @return whether this was the last of them, so that the summary is
 * complete.
 */
static bool
turn_sessions(struct run *run)
{
	struct run_summary *all = &run->summary;

	if (run->next_session == 0)
		*all = (struct run_summary){true, true, true, true, true, false, 0};
	for (uint32_t i = 0; i < SESSIONS_PER_TURN && run->next_session < run->session_count; i++) {
		struct session *session = &run->sessions[run->next_session++];

		session_turn(session);
		all->all_running &= session->state >= SESSION_RUNNING;
		all->all_closed &= session->state == SESSION_CLOSED;
		all->all_leaving &=
			session->state == SESSION_DISCONNECTING || session->state == SESSION_CLOSED;
		all->all_posted &= session->posted == session->limit;
		all->all_complete &= session->completed == session->posted;
		all->any_failed |= session->state == SESSION_FAILED;
		all->completed += session->completed;
	}
	if (run->next_session < run->session_count)
		return false;
	run->next_session = 0;
	return true;
}

static void
give_up(struct run *run, uint64_t now)
{
	for (uint32_t i = 0; i < run->session_count; i++)
		if (run->sessions[i].state == SESSION_FAILED)
			fail(run, run->sessions[i].error);
	if (run->stop_tsc == 0)
		run->stop_tsc = now;
	close_sessions(run);
}

static void
finish_sessions(struct run *run)
{
	for (uint32_t i = 0; i < run->session_count; i++) {
		run->sessions[i].last_op |= run->interrupted;
		session_finish(&run->sessions[i]);
	}
}

/* Gigabytes may be outstanding: wait as long as operations complete. */
static void
drain(struct run *run, uint64_t now)
{
	const struct run_summary *all = &run->summary;

	if (all->completed != run->drained) {
		run->drained = all->completed;
		run->phase_end_tsc = now + DRAIN_SECONDS * run->stopwatch->hz;
	}
	if (all->all_complete) {
		run->stop_tsc = now;
		run->phase = RUN_FINISHING;
	} else if (now >= run->phase_end_tsc) {
		fail(run, "operations do not complete");
		give_up(run, now);
	}
}

static void
turn_phase(struct run *run, uint64_t now)
{
	const struct run_summary *all = &run->summary;

	switch (run->phase) {
	case RUN_CONNECTING:
		if (all->all_running)
			start_running(run, now);
		else
			connect_sessions(run);
		break;
	case RUN_WARMING:
		if (now >= run->phase_end_tsc)
			start_measuring(run, now);
		break;
	case RUN_MEASURING:
		if (now >= run->phase_end_tsc || all->all_posted)
			start_draining(run, now);
		break;
	case RUN_DRAINING:
		drain(run, now);
		break;
	case RUN_FINISHING:
		finish_sessions(run);
		if (all->all_leaving)
			run->phase = RUN_CLOSING;
		break;
	case RUN_CLOSING:
		if (all->all_closed)
			run->phase = RUN_ENDED;
		break;
	case RUN_ENDED:
		break;
	}
}

bool
run_turn(struct run *run)
{
	uint64_t now;

	if (!turn_sessions(run))
		return true;
	now = stopwatch_now();
	if (run->summary.any_failed && run->phase < RUN_CLOSING)
		give_up(run, now);
	else
		turn_phase(run, now);
	return run->phase != RUN_ENDED;
}

void
run_stop(struct run *run)
{
	run->interrupted = true;
	if (run->phase == RUN_CONNECTING)
		close_sessions(run);
	else if (run->phase < RUN_DRAINING)
		start_draining(run, stopwatch_now());
}

bool
run_result(const struct run *run, struct report_row *row)
{
	*row = (struct report_row){
		.op = run->op,
		.size_bytes = options_op_bytes(run->op, run->options->size_bytes),
		.depth = run->options->depth,
		.qps = run->options->qps,
		.windows = run->op == OPTIONS_OP_BIND ? run->options->windows : 0,
		.errors = run->failures,
		.histogram = &run->histogram,
	};
	for (uint32_t i = 0; i < run->session_count; i++) {
		row->ops += run->sessions[i].measured;
		row->errors += run->sessions[i].errors + run->sessions[i].peer_errors;
	}
	if (run->start_tsc == 0)
		return false;
	row->seconds = (double)stopwatch_ns(run->stopwatch, run->stop_tsc - run->start_tsc) / 1e9;
	return true;
}

void
run_close(struct run *run)
{
	for (uint32_t i = 0; i < run->session_count; i++)
		session_close(&run->sessions[i]);
	free(run->sessions);
	run->sessions = NULL;
	run->session_count = 0;
}
