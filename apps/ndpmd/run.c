/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session_order.h"
#include "start.h"

/* Longest time between two completions after the end; longer than all retries of the transport. */
#define DRAIN_SECONDS 10u

#define LATE_NS UINT64_C(1000000000)

/*
 * Connections being made at once. A server accepts a limited number of requests per second from one
 * address and drops the others, which are repeated later. With more connections at once, the
 * repeats would exceed the limit as well.
 */
#define CONNECTING_MAX 32u

/*
 * Connections that are finished at the same time. The port has room for the messages of so many;
 * with more, messages would have to be repeated.
 */
#define FINISHING_MAX 64u

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

/* @return which facts are true of a session, by their bits */
static uint32_t
facts_of(const struct session *session)
{
	const bool closed = session->state == SESSION_CLOSED;
	const bool leaving = closed || session->state == SESSION_DISCONNECTING;
	/* Of the server's operations the client learns when they are done. */
	const bool done = session->state >= SESSION_FINISHING;
	const bool posted = session->posts ? session->posted == session->limit : done;
	const bool complete = session->posts ? session->posted == session->completed : done;

	return (uint32_t)(session->state >= SESSION_RUNNING) << RUN_FACT_RUNNING |
		(uint32_t)closed << RUN_FACT_CLOSED | (uint32_t)leaving << RUN_FACT_LEAVING |
		(uint32_t)posted << RUN_FACT_POSTED | (uint32_t)complete << RUN_FACT_COMPLETE |
		(uint32_t)(session->state == SESSION_FAILED) << RUN_FACT_FAILED;
}

/* Count what has changed about a session since it was counted last. */
static void
count_session(struct run *run, struct session *session)
{
	const uint32_t facts = facts_of(session);
	const uint32_t changed = facts ^ session->seen;

	for (unsigned int i = 0; changed >> i != 0; i++) {
		if ((changed >> i & 1) != 0)
			run->facts[i] += (facts >> i & 1) != 0 ? 1 : UINT32_MAX;
	}
	run->completed += session->completed - session->seen_completed;
	session->seen = facts;
	session->seen_completed = session->completed;
}

/* The phase has changed, and with it what the sessions do. */
static void
wake_sessions(struct run *run)
{
	for (uint32_t i = 0; i < run->session_count; i++) {
		count_session(run, &run->sessions[i]);
		completions_wake(&run->sessions[i]);
	}
}

static bool
all(const struct run *run, enum run_fact fact)
{
	return run->facts[fact] == run->session_count;
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
	wake_sessions(run);
}

void
run_meeting_open(struct run_meeting *meeting, uint32_t part_count)
{
	/*
	 * The server uses the number to group the connections of one run; two runs with the same
	 * number do no harm.
	 */
	*meeting = (struct run_meeting){
		.part_count = part_count,
		.client = pattern_seed(0, PATTERN_REQUEST, stopwatch_now()),
	};
}

/* Say once that the connections of this part are made. @return whether those of all parts are */
static bool
all_have_arrived(struct run *run)
{
	struct run_meeting *meeting = run->meeting;

	if (!run->has_arrived)
		__atomic_fetch_add(&meeting->arrived, 1, __ATOMIC_ACQ_REL);
	run->has_arrived = true;
	return __atomic_load_n(&meeting->arrived, __ATOMIC_ACQUIRE) == meeting->part_count;
}

static void
session_prepare(struct session *session, struct run *run, const struct run_part *part,
	unsigned int op_index)
{
	const struct options *options = run->options;

	session->adapter = part->adapter;
	session->link.asks = part->index > 0;
	session->completions = &run->completions;
	session->transport = &options->transport;
	session->sides = start_sides(options);
	session->stopwatch = run->stopwatch;
	session->op = run->work.op;
	session->size_bytes = run->work.size_bytes;
	session->depth = options->depth;
	session->qp_count = options_connections(options);
	session->bidirectional = options->bidirectional;
	session->op_index = op_index;
	session->client = part->meeting->client;
	session->verify = options->verify;
	session->latency = options->latency;
	session->remote_invalidate = options->remote_invalidate;
	session->standing_count = run->work.op == OPTIONS_OP_BIND ? options->windows : 0;
	session->last_op = op_index + 1 == options_work_count(options);
	session->histogram = &run->histogram;
	session->parts = run->parts;
	memcpy(session->weights, options->weights, sizeof(session->weights));
}

void
run_open(struct run *run, const struct options *options, const struct stopwatch *stopwatch,
	const struct run_part *part, unsigned int op_index)
{
	const uint32_t parts = part->meeting->part_count;
	const uint32_t count = (options_connections(options) - part->index + parts - 1) / parts;

	memset(run, 0, sizeof(*run));
	run->options = options;
	run->stopwatch = stopwatch;
	run->work = options_work(options, op_index);
	run->peer = part->peer;
	run->meeting = part->meeting;
	completions_open(&run->completions, part->adapter, part->engine);
	run->sessions = calloc(count, sizeof(*run->sessions));
	if (run->work.op == OPTIONS_OP_MIX)
		run->parts = calloc(OPTIONS_OP_MIX, sizeof(*run->parts));
	if (run->sessions == NULL || (run->work.op == OPTIONS_OP_MIX && run->parts == NULL)) {
		fail(run, "no memory for the connections");
		run->phase = RUN_ENDED;
		return;
	}
	run->session_count = count;
	for (uint32_t i = 0; i < count; i++) {
		struct session *session = &run->sessions[i];

		session_prepare(session, run, part, op_index);
		session->qp = i * parts + part->index;
		count_session(run, session);
	}
}

/* Begin the next connections. */
static void
connect_sessions(struct run *run)
{
	while (run->connect_next < run->session_count &&
		run->connect_next - run->facts[RUN_FACT_RUNNING] < CONNECTING_MAX) {
		struct session *session = &run->sessions[run->connect_next++];

		session_connect(session, run->peer, run->options->listen_port);
		count_session(run, session);
	}
}

/* With --rate: operations of the queue pairs are due one after the other, not all at once. */
static void
schedule_sessions(struct run *run, uint64_t now, uint64_t ramp_ns)
{
	const struct options *options = run->options;
	const double rate = options_rate_per_qp(options, &run->work);
	struct schedule schedule = {
		.ramp = (double)stopwatch_cycles(run->stopwatch, ramp_ns),
		.burst = options->burst,
		.start_tsc = now,
	};

	run->is_open_loop = rate > 0;
	run->schedule_tsc = now;
	schedule.period = rate > 0 ? (double)run->stopwatch->hz / rate : 0;
	for (uint32_t i = 0; i < run->session_count; i++) {
		struct session *session = &run->sessions[i];

		schedule.offset = (double)session->qp / options->qps;
		if (session->posts)
			session_schedule(session, &schedule);
	}
}

/* @param content NULL = nothing but the type */
static void
tell_servers(struct run *run, enum control_type type, const struct control_message *content)
{
	for (uint32_t i = 0; run->options->bidirectional && i < run->session_count; i++)
		if (!run->sessions[i].posts)
			session_tell(&run->sessions[i], type, content);
}

static void
start_servers(struct run *run)
{
	const double rate = options_rate_per_qp(run->options, &run->work);
	struct control_message start = {
		.slot = rte_cpu_to_be_32(run->options->burst),
		.start.ramp_ns = rte_cpu_to_be_64(run->options->ramp_ns),
	};
	uint64_t bits;

	memcpy(&bits, &rate, sizeof(bits));
	start.start.rate = rte_cpu_to_be_64(bits);
	tell_servers(run, CONTROL_START, &start);
}

/*
 * How many operations are measured at most: --iterations, and of a schedule those that are due
 * before the end, even if this thread looks at it too late.
 */
static void
limit_session(struct run *run, struct session *session)
{
	const struct options *options = run->options;
	const uint64_t measured = session->posted - session->measured_from;
	const uint64_t left = options->iterations - RTE_MIN(options->iterations, measured);
	uint64_t count = UINT64_MAX;

	if (run->is_open_loop && options->time_ns != UINT64_MAX)
		count = session_due_count(session, run->phase_end_tsc - 1);
	if (options->iterations == 0 || left > count)
		run->ends_when_posted = false;
	else
		count = left;
	session->limit = count == UINT64_MAX ? count : session->posted + count;
}

static void
start_measuring(struct run *run, uint64_t now)
{
	const struct options *options = run->options;
	struct control_message measure = {.count = rte_cpu_to_be_64(options->iterations)};

	run->phase = RUN_MEASURING;
	run->start_tsc = now;
	run->phase_end_tsc = options->time_ns == UINT64_MAX
		? UINT64_MAX
		: now + stopwatch_cycles(run->stopwatch, options->time_ns);
	if (run->options->warmup_ns == 0) {
		schedule_sessions(run, now, run->options->ramp_ns);
		start_servers(run);
	}
	if (run->is_open_loop && options->time_ns != UINT64_MAX)
		measure.end_ns = rte_cpu_to_be_64(
			stopwatch_ns(run->stopwatch, run->phase_end_tsc - run->schedule_tsc));
	tell_servers(run, CONTROL_MEASURE, &measure);
	run->ends_when_posted = true;
	for (uint32_t i = 0; i < run->session_count; i++) {
		struct session *session = &run->sessions[i];

		session->measured_from = session->posted;
		if (session->posts)
			limit_session(run, session);
	}
	wake_sessions(run);
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
	schedule_sessions(run, now, run->options->ramp_ns);
	start_servers(run);
	for (uint32_t i = 0; i < run->session_count; i++)
		run->sessions[i].limit = UINT64_MAX;
	wake_sessions(run);
}

static void
start_draining(struct run *run, uint64_t now)
{
	const uint64_t end_tsc = RTE_MIN(now, run->phase_end_tsc - 1);
	struct control_message stop = {0};

	run->phase = RUN_DRAINING;
	run->phase_end_tsc = now + DRAIN_SECONDS * run->stopwatch->hz;
	for (uint32_t i = 0; i < run->session_count; i++) {
		struct session *session = &run->sessions[i];

		if (!session->posts)
			continue;
		session->limit = run->is_open_loop
			? RTE_MIN(session->limit,
				  session->posted + session_due_count(session, end_tsc))
			: session->posted;
	}
	if (run->is_open_loop)
		stop.end_ns =
			rte_cpu_to_be_64(stopwatch_ns(run->stopwatch, end_tsc - run->schedule_tsc));
	tell_servers(run, CONTROL_STOP, &stop);
	run->late_end_tsc = now + stopwatch_cycles(run->stopwatch, LATE_NS);
	wake_sessions(run);
}

/* What was due before the end of the time and is late has a second; the rest is missed. */
static void
stop_posting(struct run *run)
{
	run->late_end_tsc = UINT64_MAX;
	tell_servers(run, CONTROL_CUT, NULL);
	for (uint32_t i = 0; i < run->session_count; i++) {
		struct session *session = &run->sessions[i];

		if (!session->posts)
			continue;
		run->missed += session->limit - session->posted;
		session->limit = session->posted;
	}
	wake_sessions(run);
}

static void
turn_session(struct run *run, struct session *session)
{
	session_turn(session);
	if (run->phase == RUN_FINISHING && session < &run->sessions[run->finish_next]) {
		session->last_op |= run->interrupted;
		session_finish(session);
	}
	count_session(run, session);
}

/* The deadline of one session, each time of another one. */
static void
check_deadlines(struct run *run)
{
	if (run->completions.timed_count == 0)
		return;
	session_check_deadline(&run->sessions[run->deadline_next++]);
	if (run->deadline_next == run->session_count)
		run->deadline_next = 0;
}

/*
 * Let some of those sessions go on to which something has happened.
 * @return the time, in cycles of the TSC: that of the results, if there were any
 */
static uint64_t
turn_sessions(struct run *run)
{
	const uint64_t taken_tsc = completions_take(&run->completions);
	struct session *session;

	for (uint32_t i = completions_turn_count(&run->completions); i > 0; i--) {
		session = completions_next(&run->completions);
		if (session == NULL)
			break;
		turn_session(run, session);
	}
	check_deadlines(run);
	return taken_tsc != 0 ? taken_tsc : stopwatch_now();
}

static void
give_up(struct run *run, uint64_t now)
{
	for (uint32_t i = 0; i < run->session_count; i++)
		if (run->sessions[i].state == SESSION_FAILED)
			fail(run, run->sessions[i].error);
	if (run->stop_tsc == 0)
		run->stop_tsc = now;
	/* The other parts would wait for this one. */
	__atomic_store_n(&run->meeting->is_off, true, __ATOMIC_RELEASE);
	close_sessions(run);
}

/* Begin to finish the next connections. */
static void
finish_sessions(struct run *run)
{
	while (run->finish_next < run->session_count &&
		run->finish_next - run->facts[RUN_FACT_CLOSED] < FINISHING_MAX)
		completions_wake(&run->sessions[run->finish_next++]);
}

/* Gigabytes may be outstanding: wait as long as operations complete. */
static void
drain(struct run *run, uint64_t now)
{
	if (run->completed != run->drained) {
		run->drained = run->completed;
		run->phase_end_tsc = now + DRAIN_SECONDS * run->stopwatch->hz;
	}
	if (now >= run->late_end_tsc)
		stop_posting(run);
	if (all(run, RUN_FACT_POSTED) && all(run, RUN_FACT_COMPLETE)) {
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
	switch (run->phase) {
	case RUN_CONNECTING:
		if (__atomic_load_n(&run->meeting->is_off, __ATOMIC_ACQUIRE))
			close_sessions(run);
		else if (!all(run, RUN_FACT_RUNNING))
			connect_sessions(run);
		else if (all_have_arrived(run))
			start_running(run, now);
		break;
	case RUN_WARMING:
		if (now >= run->phase_end_tsc)
			start_measuring(run, now);
		break;
	case RUN_MEASURING:
		if (now >= run->phase_end_tsc ||
			(run->ends_when_posted && all(run, RUN_FACT_POSTED)))
			start_draining(run, now);
		break;
	case RUN_DRAINING:
		drain(run, now);
		break;
	case RUN_FINISHING:
		finish_sessions(run);
		if (all(run, RUN_FACT_LEAVING))
			run->phase = RUN_CLOSING;
		break;
	case RUN_CLOSING:
		if (all(run, RUN_FACT_CLOSED))
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

	if (run->phase == RUN_ENDED)
		return false;
	now = turn_sessions(run);
	if (run->facts[RUN_FACT_FAILED] > 0 && run->phase < RUN_CLOSING)
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
	if (run->phase == RUN_DRAINING)
		stop_posting(run);
}

void
run_change_rate(struct run *run)
{
	if (run->phase != RUN_WARMING && run->phase != RUN_MEASURING)
		return;
	schedule_sessions(run, stopwatch_now(), 0);
	run->ends_when_posted = true;
	for (uint32_t i = 0; run->phase == RUN_MEASURING && i < run->session_count; i++)
		if (run->sessions[i].posts)
			limit_session(run, &run->sessions[i]);
	wake_sessions(run);
}

void
run_close(struct run *run)
{
	for (uint32_t i = 0; i < run->session_count; i++)
		session_close(&run->sessions[i]);
	completions_close(&run->completions);
	free(run->sessions);
	free(run->parts);
	run->parts = NULL;
	run->sessions = NULL;
	run->session_count = 0;
}
