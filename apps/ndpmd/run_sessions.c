/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <string.h>

#include "peer_kind.h"
#include "run.h"
#include "session.h"
#include "session_order.h"
#include "start.h"

/* Longest time in s in DRAINING without a completion. All retries of the transport take less. */
#define DRAIN_SECONDS 10u

#define LATE_NS UINT64_C(1000000000)

/*
 * Highest number of connections that are set up at the same time. A server accepts a limited number
 * of requests per second from one address, and drops requests above this limit. The client later
 * retransmits dropped requests. With more connections at a time, even the retransmissions would
 * exceed the limit.
 */
#define CONNECTING_MAX 32u

/*
 * Highest number of connections that are in the state FINISHING at the same time. The port has room
 * for the messages of FINISHING_MAX connections. The messages of more connections would be dropped
 * and retransmitted.
 */
#define FINISHING_MAX 64u

/*
 * Highest number of control messages in flight to a server: two for a new rate, and two for the end
 * of the measurement.
 */
#define ORDERS_ROOM 4u

/* Facts about a session. session->seen has a bit for each fact that was counted as true. */
enum run_fact {
	RUN_FACT_RUNNING, /* state is RUNNING or later */
	RUN_FACT_CLOSED,
	RUN_FACT_LEAVING, /* state is DISCONNECTING or CLOSED */
	RUN_FACT_POSTED,  /* posted has reached the limit */
	RUN_FACT_COMPLETE,
	RUN_FACT_FAILED,
	RUN_FACT_COUNT,
};

/* The connections of a run, if the peer is an ndpmd. */
struct sessions {
	struct session *sessions;
	uint32_t count;
	uint32_t connect_next;          /* next session to connect */
	uint32_t finish_next;           /* next session to finish */
	uint32_t deadline_next;         /* next session whose deadline is checked */
	uint32_t facts[RUN_FACT_COUNT]; /* for each fact: number of sessions with this fact */
	uint64_t completed; /* number of completed operations of all sessions together */
	struct completions completions;
	uint64_t drained;       /* in DRAINING: completed, as of its last change */
	uint64_t drain_end_tsc; /* DRAINING: time of failure if completed does not change */
	bool is_stuck;          /* true if drain_end_tsc has passed without a change */
	bool is_leaving;        /* all sessions were disconnected */
	bool is_open_loop;      /* a rate was given */
	bool rate_waits;        /* the rate has changed, and the servers do not know it yet */
	uint64_t schedule_tsc;  /* start of the schedule */
	bool ends_when_posted;  /* --iterations will be posted before the time is over */
	uint64_t missed;        /* client's operations that were due but were not posted */
	uint64_t late_end_tsc;  /* DRAINING: time until which late operations may be posted */
};

/* @return a set of bits with one bit for each true fact about a session */
static uint32_t
facts_of(const struct session *session)
{
	const bool closed = session->state == SESSION_CLOSED;
	const bool leaving = closed || session->state == SESSION_DISCONNECTING;
	/*
	 * If the server posts the operations, the client only learns when all operations are
	 * complete.
	 */
	const bool done = session->state >= SESSION_FINISHING;
	const bool posted = session->posts ? session->tally.posted == session->pace.limit : done;
	const bool complete =
		session->posts ? session->tally.posted == session->tally.completed : done;

	return (uint32_t)(session->state >= SESSION_RUNNING) << RUN_FACT_RUNNING |
		(uint32_t)closed << RUN_FACT_CLOSED | (uint32_t)leaving << RUN_FACT_LEAVING |
		(uint32_t)posted << RUN_FACT_POSTED | (uint32_t)complete << RUN_FACT_COMPLETE |
		(uint32_t)(session->state == SESSION_FAILED) << RUN_FACT_FAILED;
}

/* Add the changes of a session since the last call to the counts in own. */
static void
count_session(struct sessions *own, struct session *session)
{
	const uint32_t facts = facts_of(session);
	const uint32_t changed = facts ^ session->seen;

	for (unsigned int i = 0; changed >> i != 0; i++) {
		if ((changed >> i & 1) != 0)
			own->facts[i] += (facts >> i & 1) != 0 ? 1 : UINT32_MAX;
	}
	own->completed += session->tally.completed - session->seen_completed;
	session->seen = facts;
	session->seen_completed = session->tally.completed;
}

/* Add all sessions to the ready list, because the phase has changed. */
static void
wake_sessions(struct sessions *own)
{
	for (uint32_t i = 0; i < own->count; i++) {
		count_session(own, &own->sessions[i]);
		completions_wake(&own->sessions[i]);
	}
}

static bool
all(const struct sessions *own, enum run_fact fact)
{
	return own->facts[fact] == own->count;
}

static void
session_prepare(struct session *session, struct run *run, const struct run_part *part,
	unsigned int op_index)
{
	const struct options *options = run->options;
	struct sessions *own = run->connections;

	session->adapter = part->adapter;
	session->link.asks = part->index > 0;
	session->completions = &own->completions;
	session->transport = &options->transport;
	session->sides = start_sides(options);
	session->stopwatch = run->stopwatch;
	session->setup.op = run->work.op;
	session->setup.size_bytes = run->work.size_bytes;
	session->setup.depth = options->depth;
	session->setup.qp_count = options_connections(options);
	session->setup.bidirectional = options->bidirectional;
	session->setup.op_index = op_index;
	session->setup.client = part->meeting->client;
	session->setup.verify = options->verify;
	session->setup.latency = options->latency;
	session->setup.remote_invalidate = options->remote_invalidate;
	session->standing.count = run->work.op == OPTIONS_OP_BIND ? options->windows : 0;
	session->last_op = op_index + 1 == options_work_count(options);
	session->histogram = &run->histogram;
	session->parts = run->parts;
	memcpy(session->setup.weights, options->weights, sizeof(session->setup.weights));
}

static void
close_all(struct run *run)
{
	struct sessions *own = run->connections;

	for (uint32_t i = 0; i < own->count; i++)
		session_close(&own->sessions[i]);
	completions_close(&own->completions);
	free(own->sessions);
	free(run->parts);
	run->parts = NULL;
}

static bool
open_all(struct run *run, const struct run_part *part, unsigned int op_index)
{
	const uint32_t parts = part->meeting->part_count;
	const bool is_mix = run->work.op == OPTIONS_OP_MIX;
	struct sessions *own = run->connections;

	completions_open(&own->completions, part->adapter, part->engine);
	own->count = (options_connections(run->options) - part->index + parts - 1) / parts;
	own->sessions = calloc(own->count, sizeof(*own->sessions));
	run->parts = is_mix ? calloc(OPTIONS_OP_MIX, sizeof(*run->parts)) : NULL;
	if (own->sessions == NULL || (is_mix && run->parts == NULL)) {
		own->count = 0;
		run_fail(run, "no memory for the connections");
		close_all(run);
		return false;
	}
	for (uint32_t i = 0; i < own->count; i++) {
		session_prepare(&own->sessions[i], run, part, op_index);
		own->sessions[i].setup.qp = i * parts + part->index;
		count_session(own, &own->sessions[i]);
	}
	return true;
}

/* Begin the next connections. */
static bool
connect_all(struct run *run)
{
	struct sessions *own = run->connections;

	while (own->connect_next < own->count &&
		own->connect_next - own->facts[RUN_FACT_RUNNING] < CONNECTING_MAX) {
		struct session *session = &own->sessions[own->connect_next++];

		session_connect(session, run->peer, run->options->listen_port);
		count_session(own, session);
	}
	return all(own, RUN_FACT_RUNNING);
}

/*
 * With --rate, give each queue pair a different offset. Otherwise the operations of all queue pairs
 * would be due at the same time.
 */
static void
schedule_sessions(struct run *run, uint64_t ramp_ns)
{
	const struct options *options = run->options;
	const double rate = options_rate_per_qp(options, &run->work);
	struct sessions *own = run->connections;
	struct schedule schedule = {
		.ramp = (double)stopwatch_cycles(run->stopwatch, ramp_ns),
		.burst = options->burst,
		.start_tsc = run->now_tsc,
	};

	own->is_open_loop = rate > 0;
	own->schedule_tsc = run->now_tsc;
	schedule.period = rate > 0 ? (double)run->stopwatch->hz / rate : 0;
	for (uint32_t i = 0; i < own->count; i++) {
		struct session *session = &own->sessions[i];

		schedule.offset = (double)session->setup.qp / options->qps;
		if (session->posts)
			session_schedule(session, &schedule);
	}
}

/*
 * Send a control message to the server on all connections where the server posts.
 * @param content members of the message; NULL = send only the type
 */
static void
tell_servers(struct run *run, enum control_type type, const struct control_message *content)
{
	struct sessions *own = run->connections;

	for (uint32_t i = 0; run->options->bidirectional && i < own->count; i++)
		if (!own->sessions[i].posts)
			session_tell(&own->sessions[i], type, content);
}

static void
start_servers(struct run *run, uint64_t ramp_ns)
{
	const double rate = options_rate_per_qp(run->options, &run->work);
	struct control_message start = {
		.slot = rte_cpu_to_be_32(run->options->burst),
		.start.ramp_ns = rte_cpu_to_be_64(ramp_ns),
	};
	uint64_t bits;

	memcpy(&bits, &rate, sizeof(bits));
	start.start.rate = rte_cpu_to_be_64(bits);
	tell_servers(run, CONTROL_START, &start);
}

/*
 * Set the highest number of operations to measure. The limit is the rest of --iterations. With a
 * schedule, the limit is at most the number of operations that are due before the end, so the limit
 * is right even if this thread detects the end too late.
 */
static void
limit_session(struct run *run, struct session *session)
{
	const struct options *options = run->options;
	struct sessions *own = run->connections;
	const uint64_t measured = session->tally.posted - session->tally.measured_from;
	const uint64_t left = options->iterations - RTE_MIN(options->iterations, measured);
	uint64_t count = UINT64_MAX;

	if (own->is_open_loop && options->time_ns != UINT64_MAX)
		count = session_due_count(session, run->phase_end_tsc - 1);
	if (options->iterations == 0 || left > count)
		own->ends_when_posted = false;
	else
		count = left;
	session->pace.limit = count == UINT64_MAX ? count : session->tally.posted + count;
}

static void
measure_servers(struct run *run, bool goes_on)
{
	const struct options *options = run->options;
	const struct sessions *own = run->connections;
	struct control_message measure = {
		.last = goes_on,
		.count = rte_cpu_to_be_64(options->iterations),
	};

	if (own->is_open_loop && options->time_ns != UINT64_MAX)
		measure.end_ns = rte_cpu_to_be_64(
			stopwatch_ns(run->stopwatch, run->phase_end_tsc - own->schedule_tsc));
	tell_servers(run, CONTROL_MEASURE, &measure);
}

static void
start(struct run *run, bool is_measured)
{
	const struct options *options = run->options;
	struct sessions *own = run->connections;

	if (!is_measured || options->warmup_ns == 0) {
		schedule_sessions(run, options->ramp_ns);
		start_servers(run, options->ramp_ns);
	}
	if (is_measured)
		measure_servers(run, false);
	own->ends_when_posted = is_measured;
	for (uint32_t i = 0; i < own->count; i++) {
		struct session *session = &own->sessions[i];

		session->pace.limit = UINT64_MAX;
		if (is_measured)
			session->tally.measured_from = session->tally.posted;
		if (is_measured && session->posts)
			limit_session(run, session);
	}
	wake_sessions(own);
}

static bool
is_posted(const struct run *run)
{
	const struct sessions *own = run->connections;

	return own->ends_when_posted && all(own, RUN_FACT_POSTED);
}

static void
stop(struct run *run)
{
	const uint64_t end_tsc = RTE_MIN(run->now_tsc, run->phase_end_tsc - 1);
	struct sessions *own = run->connections;
	struct control_message message = {0};

	own->drain_end_tsc = run->now_tsc + DRAIN_SECONDS * run->stopwatch->hz;
	for (uint32_t i = 0; i < own->count; i++) {
		struct session *session = &own->sessions[i];

		if (!session->posts)
			continue;
		session->pace.limit = own->is_open_loop
			? RTE_MIN(session->pace.limit,
				  session->tally.posted + session_due_count(session, end_tsc))
			: session->tally.posted;
	}
	if (own->is_open_loop)
		message.end_ns =
			rte_cpu_to_be_64(stopwatch_ns(run->stopwatch, end_tsc - own->schedule_tsc));
	tell_servers(run, CONTROL_STOP, &message);
	own->late_end_tsc = run->now_tsc + stopwatch_cycles(run->stopwatch, LATE_NS);
	wake_sessions(own);
}

/*
 * End posting. Operations that are due but were not posted count as missed. This function is called
 * LATE_NS after stop(). Until then, late operations may still be posted.
 */
static void
stop_posting(struct run *run)
{
	struct sessions *own = run->connections;

	own->late_end_tsc = UINT64_MAX;
	tell_servers(run, CONTROL_CUT, NULL);
	for (uint32_t i = 0; i < own->count; i++) {
		struct session *session = &own->sessions[i];

		if (!session->posts)
			continue;
		own->missed += session->pace.limit - session->tally.posted;
		session->pace.limit = session->tally.posted;
	}
	wake_sessions(own);
}

static void
turn_session(struct run *run, struct session *session)
{
	struct sessions *own = run->connections;

	session_turn(session);
	if (run->phase == RUN_FINISHING && session < &own->sessions[own->finish_next]) {
		session->last_op |= run->interrupted;
		session_finish(session);
	}
	count_session(own, session);
}

/* Check the deadline of one session. Each call checks the next session. */
static void
check_deadlines(struct sessions *own)
{
	if (own->completions.timed_count == 0)
		return;
	session_check_deadline(&own->sessions[own->deadline_next++]);
	if (own->deadline_next == own->count)
		own->deadline_next = 0;
}

/* End the run if a connection is broken. @return true if a connection is broken */
static bool
tell_failures(struct run *run)
{
	const struct sessions *own = run->connections;

	for (uint32_t i = 0; own->facts[RUN_FACT_FAILED] > 0 && i < own->count; i++)
		if (own->sessions[i].state == SESSION_FAILED)
			run_fail(run, own->sessions[i].end.error);
	return own->facts[RUN_FACT_FAILED] > 0 || own->is_stuck;
}

/*
 * @return true if all connections on which the server posts can send ORDERS_ROOM control messages
 */
static bool
has_room_for_orders(const struct sessions *own)
{
	for (uint32_t i = 0; i < own->count; i++) {
		const struct session *session = &own->sessions[i];

		if (!session->posts && session->state == SESSION_RUNNING &&
			session->memory.control_free_count < ORDERS_ROOM)
			return false;
	}
	return true;
}

/*
 * Change the rate of both directions. If the servers have not answered earlier messages yet, wait.
 * If the rate changes again during the wait, only the newest rate is used.
 */
static void
change_rate(struct run *run)
{
	const bool is_measuring = run->phase == RUN_MEASURING;
	struct sessions *own = run->connections;

	own->rate_waits = !has_room_for_orders(own);
	if (own->rate_waits)
		return;
	schedule_sessions(run, 0);
	start_servers(run, 0);
	if (is_measuring)
		measure_servers(run, true);
	own->ends_when_posted = true;
	for (uint32_t i = 0; is_measuring && i < own->count; i++)
		if (own->sessions[i].posts)
			limit_session(run, &own->sessions[i]);
	wake_sessions(own);
}

/*
 * Advance some of the sessions that are ready. now_tsc becomes the time of the newest results, or
 * the current time if no result has arrived.
 */
static bool
turn(struct run *run)
{
	struct sessions *own = run->connections;
	const uint64_t taken_tsc = session_take_results(&own->completions);
	struct session *session;

	for (uint32_t i = completions_turn_count(&own->completions); i > 0; i--) {
		session = completions_next(&own->completions);
		if (session == NULL)
			break;
		turn_session(run, session);
	}
	check_deadlines(own);
	run->now_tsc = taken_tsc != 0 ? taken_tsc : stopwatch_now();
	if (own->rate_waits && (run->phase == RUN_WARMING || run->phase == RUN_MEASURING))
		change_rate(run);
	return run->phase == RUN_CLOSING || !tell_failures(run);
}

/*
 * Wait as long as operations continue to complete. The total time is not limited, because gigabytes
 * may be outstanding.
 */
static bool
drain(struct run *run)
{
	struct sessions *own = run->connections;

	if (own->completed != own->drained) {
		own->drained = own->completed;
		own->drain_end_tsc = run->now_tsc + DRAIN_SECONDS * run->stopwatch->hz;
	}
	if (run->now_tsc >= own->late_end_tsc)
		stop_posting(run);
	if (all(own, RUN_FACT_POSTED) && all(own, RUN_FACT_COMPLETE))
		return true;
	if (run->now_tsc >= own->drain_end_tsc) {
		run_fail(run, "outstanding operations do not complete");
		own->is_stuck = true;
	}
	return false;
}

/* Finish the next connections. */
static bool
finish(struct run *run)
{
	struct sessions *own = run->connections;

	while (own->finish_next < own->count &&
		own->finish_next - own->facts[RUN_FACT_CLOSED] < FINISHING_MAX)
		completions_wake(&own->sessions[own->finish_next++]);
	return all(own, RUN_FACT_LEAVING);
}

static bool
leave(struct run *run)
{
	struct sessions *own = run->connections;

	for (uint32_t i = 0; !own->is_leaving && i < own->count; i++) {
		struct session *session = &own->sessions[i];

		if (session->state != SESSION_DISCONNECTING && session->state != SESSION_CLOSED)
			session_disconnect(session);
	}
	if (!own->is_leaving)
		wake_sessions(own);
	own->is_leaving = true;
	return all(own, RUN_FACT_CLOSED);
}

static bool
interrupt(struct run *run)
{
	if (run->phase == RUN_DRAINING)
		stop_posting(run);
	return true;
}

/*
 * @return figures of one session. If the server posts the operations, the figures are those that
 *         the server has reported.
 */
static struct run_tally
tally_of(const struct session *session)
{
	const uint64_t posted = session->tally.posted -
		RTE_MIN(session->tally.measured_from, session->tally.posted);
	struct run_tally tally = {
		.ops = session->tally.measured,
		.errors = session->tally.errors + session->tally.peer_errors,
		.posted = session->posts ? posted : session->tally.measured,
		.missed = session->pace.missed,
	};

	/*
	 * Operations complete in order, so the newest operations are outstanding. Operations of the
	 * warm-up are outstanding only if all measured operations are outstanding.
	 */
	if (session->posts)
		tally.outstanding =
			RTE_MIN(session->tally.posted - session->tally.completed, posted);
	return tally;
}

static struct run_tally
tally(const struct run *run, enum run_side side)
{
	const struct sessions *own = run->connections;
	struct run_tally sum = {.missed = side == RUN_CLIENT ? own->missed : 0};

	for (uint32_t i = 0; i < own->count; i++) {
		const struct run_tally one = tally_of(&own->sessions[i]);

		if ((own->sessions[i].posts ? RUN_CLIENT : RUN_SERVER) == side)
			run_add_tally(&sum, &one);
	}
	return sum;
}

const struct run_functions run_sessions = {
	.bytes = sizeof(struct sessions),
	.open = open_all,
	.turn = turn,
	.connect = connect_all,
	.start = start,
	.is_posted = is_posted,
	.stop = stop,
	.drain = drain,
	.finish = finish,
	.leave = leave,
	.interrupt = interrupt,
	.change_rate = change_rate,
	.tally = tally,
	.close = close_all,
};
