/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "ndpmd/peer_kind.h"
#include "ndpmd/run.h"
#include "side.h"

/*
 * The connections of a client to perftest's server: a control connection, over which both sides
 * exchange items of information, and the queue pairs. The state CONNECTING ends when the exchange
 * reaches the step of the test. The state FINISHING ends after the last step of the exchange.
 */

/*
 * Time in s after which the test fails if no message has completed and no answer has arrived. All
 * retries of the transport together take less time.
 */
#define STALL_SECONDS 60u
#define MEBIBYTE      1048576.0

struct client {
	struct perftest_side side;
	struct sockaddr_storage peer; /* address and port of the server */
	bool is_talking;              /* the control connection is established */
	bool asked;                   /* the item of the current exchange turn has been sent */
	bool told;                    /* the values for perftest's table have been computed */
	uint64_t progress;  /* in WARMING to DRAINING: messages that have completed or arrived */
	uint64_t stall_tsc; /* time at which the test fails if progress has not changed */
};

static bool
open_control(struct run *run, const struct run_part *part, unsigned int op_index)
{
	struct client *client = run->connections;

	(void)op_index;
	perftest_side_init(&client->side, run->options, run->stopwatch, part->adapter);
	client->side.plan.qps = run->options->qps;
	client->peer = *run->peer;
	link_set_port(&client->peer, run->options->listen_port);
	perftest_control_connect(&client->side.control, &client->peer);
	return true;
}

static void
next_turn(struct client *client)
{
	client->side.turn++;
	client->asked = false;
	perftest_side_wait(&client->side, PERFTEST_ANSWER_SECONDS);
}

/*
 * Connect the next flow (one queue pair of the test). The flows connect one at a time, because the
 * server numbers the flows in order of arrival.
 */
static void
join_next(struct run *run)
{
	struct client *client = run->connections;
	struct perftest_side *side = &client->side;
	const struct perftest_flow_setup setup = {
		.histogram = &run->histogram,
		.initiator = true,
		.size_bytes = side->options->size_bytes,
		.depth = side->options->depth,
		.span_bytes = side->options->size_bytes,
	};
	struct perftest_flow *flow;

	if (!perftest_side_ready(side))
		return;
	if (side->flow_count == side->plan.qps) {
		next_turn(client);
		return;
	}
	flow = perftest_side_add_flow(side, &setup);
	if (flow != NULL)
		perftest_flow_connect(flow, &client->peer);
}

static void
talk(struct client *client, struct perftest_turn turn)
{
	struct perftest_side *side = &client->side;
	uint8_t item[PERFTEST_CONTROL_BYTES];
	size_t bytes;

	if (!client->asked) {
		client->asked = true;
		perftest_side_send(side, turn);
	} else if (perftest_control_take(&side->control, item, &bytes)) {
		if (perftest_side_take(side, turn, item, bytes))
			next_turn(client);
	} else if (perftest_side_is_late(side)) {
		perftest_side_fail(side,
			"the server does not answer: check that it runs perftest 4.5 with the same "
			"test and options");
	}
}

/* Advance the exchange. @return true if the exchange has reached the given step */
static bool
talk_until(struct run *run, enum perftest_step step)
{
	struct client *client = run->connections;
	const struct perftest_turn turn = perftest_turn_at(&client->side.plan, client->side.turn);

	if (turn.step == step)
		return true;
	if (turn.step == PERFTEST_STEP_CONNECT)
		join_next(run);
	else
		talk(client, turn);
	return false;
}

static bool
connect_all(struct run *run)
{
	struct client *client = run->connections;

	if (client->is_talking)
		return talk_until(run, PERFTEST_STEP_TEST);
	client->is_talking = client->side.control.link.state == LINK_CONNECTED;
	if (client->is_talking)
		perftest_side_wait(&client->side, PERFTEST_ANSWER_SECONDS);
	return false;
}

static void
start(struct run *run, bool is_measured)
{
	const struct client *client = run->connections;
	const uint64_t iterations = run->options->iterations;

	for (uint32_t i = 0; i < client->side.flow_count; i++) {
		struct perftest_flow *flow = client->side.flows[i];

		if (is_measured)
			flow->measured_from = flow->posted;
		flow->limit =
			is_measured && iterations > 0 ? flow->posted + iterations : UINT64_MAX;
		perftest_flow_start(flow);
	}
}

static bool
is_posted(const struct run *run)
{
	const struct client *client = run->connections;

	for (uint32_t i = 0; i < client->side.flow_count; i++)
		if (client->side.flows[i]->posted < client->side.flows[i]->limit)
			return false;
	return true;
}

static void
stop(struct run *run)
{
	const struct client *client = run->connections;

	for (uint32_t i = 0; i < client->side.flow_count; i++)
		perftest_flow_stop(client->side.flows[i]);
}

static bool
drain(struct run *run)
{
	const struct client *client = run->connections;

	for (uint32_t i = 0; i < client->side.flow_count; i++)
		if (!perftest_flow_complete(client->side.flows[i]))
			return false;
	return true;
}

static struct run_tally
tally(const struct run *run, enum run_side side)
{
	const struct client *client = run->connections;
	struct run_tally sum = {0};

	for (uint32_t i = 0; side == RUN_CLIENT && i < client->side.flow_count; i++) {
		const struct perftest_flow *flow = client->side.flows[i];

		sum.ops += flow->measured;
		sum.posted += flow->posted - RTE_MIN(flow->measured_from, flow->posted);
		sum.outstanding += flow->posted - flow->completed;
	}
	return sum;
}

/* Compute the values for perftest's table. The peak is 0, as with perftest's own option -N. */
static void
set_values(struct run *run)
{
	struct client *client = run->connections;
	const uint64_t count = tally(run, RUN_CLIENT).ops;
	const double seconds = run_seconds(run);
	const double rate = seconds > 0 ? (double)count / seconds : 0;
	const uint32_t size = client->side.options->size_bytes;
	rte_be64_t *values = client->side.values;

	values[PERFTEST_VALUE_SIZE] = rte_cpu_to_be_64(size);
	values[PERFTEST_VALUE_ITERATIONS] = rte_cpu_to_be_64(count);
	values[PERFTEST_VALUE_PEAK] = perftest_value_of_double(0);
	values[PERFTEST_VALUE_AVERAGE] = perftest_value_of_double(rate * size / MEBIBYTE);
	values[PERFTEST_VALUE_RATE] = perftest_value_of_double(rate / 1e6);
}

static bool
finish(struct run *run)
{
	struct client *client = run->connections;

	if (client->told)
		return talk_until(run, PERFTEST_STEP_END);
	client->told = true;
	set_values(run);
	next_turn(client);
	/*
	 * After an interrupted Send test, skip the rest of the exchange, because perftest's server
	 * reads no item until it has received the last message.
	 */
	return run->interrupted && client->side.plan.op == OPTIONS_OP_SEND;
}

static void
watch_progress(struct client *client, uint64_t now)
{
	uint64_t progress = 0;

	for (uint32_t i = 0; i < client->side.flow_count; i++)
		progress += client->side.flows[i]->completed + client->side.flows[i]->arrived;
	if (client->stall_tsc == 0 || progress != client->progress)
		client->stall_tsc = now + STALL_SECONDS * client->side.stopwatch->hz;
	client->progress = progress;
	if (now >= client->stall_tsc)
		perftest_side_fail(&client->side,
			"messages do not complete: check that the server accepts the same number "
			"and size of messages");
}

/*
 * In a write latency test, the server disconnects when it has seen the last number. The server
 * sends no item, and the acknowledgement of the last message may be lost. Therefore a missing
 * acknowledgement is no failure.
 */
static bool
has_left_in_order(const struct run *run)
{
	const struct client *client = run->connections;

	return run->phase == RUN_DRAINING && client->side.plan.latency &&
		client->side.plan.op == OPTIONS_OP_WRITE &&
		client->side.control.link.state == LINK_CONNECTED;
}

static void
take_leave(struct run *run)
{
	struct client *client = run->connections;
	struct perftest_side *side = &client->side;

	if (!perftest_side_peer_gone(side) || side->control.arrived != 0)
		return;
	if (has_left_in_order(run))
		perftest_flow_finish(side->flows[0]);
	else if (perftest_turn_at(&side->plan, side->turn).step != PERFTEST_STEP_END)
		perftest_side_fail_gone(side, "the server ended the connection",
			"check that the server runs the same test with the same options");
}

static bool
turn(struct run *run)
{
	struct client *client = run->connections;
	struct perftest_side *side = &client->side;

	perftest_side_turn(side);
	run->now_tsc = stopwatch_now();
	if (run->phase == RUN_CLOSING)
		return true;
	if (run->phase >= RUN_WARMING && run->phase <= RUN_DRAINING)
		watch_progress(client, run->now_tsc);
	if (!perftest_side_failed(side))
		take_leave(run);
	if (!perftest_side_failed(side))
		return true;
	run_fail(run, side->error);
	return false;
}

static bool
leave(struct run *run)
{
	struct client *client = run->connections;

	return perftest_side_leave(&client->side);
}

/*
 * After Ctrl-C, finish the test, because the server waits for the end of the test. Do not finish
 * the exchange of items, because the server does not need it.
 */
static bool
interrupt(struct run *run)
{
	return run->phase != RUN_FINISHING;
}

static void
close_all(struct run *run)
{
	struct client *client = run->connections;

	perftest_side_close(&client->side);
}

const struct run_functions perftest_client = {
	.bytes = sizeof(struct client),
	.open = open_control,
	.turn = turn,
	.connect = connect_all,
	.start = start,
	.is_posted = is_posted,
	.stop = stop,
	.drain = drain,
	.finish = finish,
	.leave = leave,
	.interrupt = interrupt,
	.tally = tally,
	.close = close_all,
};
