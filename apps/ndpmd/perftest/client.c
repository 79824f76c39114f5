/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "client.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

/*
 * Most time until the next message completes or is answered; longer than all retries of the
 * transport.
 */
#define STALL_SECONDS 60u
#define MEBIBYTE      1048576.0

void
perftest_client_open(struct perftest_client *client, const struct options *options,
	const struct stopwatch *stopwatch, struct nd_adapter *adapter,
	const struct sockaddr_storage *peer)
{
	memset(client, 0, sizeof(*client));
	perftest_side_init(&client->side, options, stopwatch, adapter);
	client->side.plan.qps = options->qps;
	client->peer = *peer;
	link_set_port(&client->peer, options->listen_port);
	perftest_control_connect(&client->side.control, &client->peer);
}

static void
leave(struct perftest_client *client)
{
	client->phase = PERFTEST_CLIENT_LEAVING;
}

static void
next_turn(struct perftest_client *client)
{
	client->side.turn++;
	client->asked = false;
	client->phase = PERFTEST_CLIENT_TALKING;
	perftest_side_wait(&client->side, PERFTEST_ANSWER_SECONDS);
}

/* Connect the next flow. One at a time, since the server numbers them in order of arrival. */
static void
join_next(struct perftest_client *client)
{
	struct perftest_side *side = &client->side;
	const struct perftest_flow_setup setup = {
		.histogram = &client->histogram,
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
set_limits(struct perftest_client *client, bool measure)
{
	const uint64_t iterations = client->side.options->iterations;

	for (uint32_t i = 0; i < client->side.flow_count; i++) {
		struct perftest_flow *flow = client->side.flows[i];

		if (measure)
			flow->measured_from = flow->posted;
		flow->limit = measure && iterations > 0 ? flow->posted + iterations : UINT64_MAX;
		perftest_flow_start(flow);
	}
}

static void
start_measuring(struct perftest_client *client, uint64_t now)
{
	const struct perftest_side *side = &client->side;

	client->phase = PERFTEST_CLIENT_MEASURING;
	client->start_tsc = now;
	client->phase_end_tsc = side->options->time_ns == UINT64_MAX
		? UINT64_MAX
		: now + stopwatch_cycles(side->stopwatch, side->options->time_ns);
	set_limits(client, true);
}

static void
start_test(struct perftest_client *client, uint64_t now)
{
	const struct perftest_side *side = &client->side;

	if (side->options->warmup_ns == 0) {
		start_measuring(client, now);
		return;
	}
	client->phase = PERFTEST_CLIENT_WARMING;
	client->phase_end_tsc = now + stopwatch_cycles(side->stopwatch, side->options->warmup_ns);
	set_limits(client, false);
}

static void
start_draining(struct perftest_client *client)
{
	client->phase = PERFTEST_CLIENT_DRAINING;
	for (uint32_t i = 0; i < client->side.flow_count; i++)
		perftest_flow_stop(client->side.flows[i]);
}

static uint64_t
count_measured(const struct perftest_client *client)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < client->side.flow_count; i++)
		count += client->side.flows[i]->measured;
	return count;
}

static double
seconds_measured(const struct perftest_client *client)
{
	return (double)stopwatch_ns(client->side.stopwatch, client->stop_tsc - client->start_tsc) /
		1e9;
}

/* Values for perftest's table. There is no peak, as with perftest's own option -N. */
static void
set_values(struct perftest_client *client)
{
	const uint64_t count = count_measured(client);
	const double seconds = seconds_measured(client);
	const double rate = seconds > 0 ? (double)count / seconds : 0;
	const uint32_t size = client->side.options->size_bytes;
	rte_be64_t *values = client->side.values;

	values[PERFTEST_VALUE_SIZE] = rte_cpu_to_be_64(size);
	values[PERFTEST_VALUE_ITERATIONS] = rte_cpu_to_be_64(count);
	values[PERFTEST_VALUE_PEAK] = perftest_value_of_double(0);
	values[PERFTEST_VALUE_AVERAGE] = perftest_value_of_double(rate * size / MEBIBYTE);
	values[PERFTEST_VALUE_RATE] = perftest_value_of_double(rate / 1e6);
}

static void
end_test(struct perftest_client *client, uint64_t now)
{
	client->stop_tsc = now;
	set_values(client);
	/*
	 * In a Send test perftest's server reads no item before it has received the last message.
	 */
	if (client->interrupted && client->side.plan.op == OPTIONS_OP_SEND)
		leave(client);
	else
		next_turn(client);
}

static void
talk(struct perftest_client *client)
{
	struct perftest_side *side = &client->side;
	const struct perftest_turn turn = perftest_turn_at(&side->plan, side->turn);
	uint8_t item[PERFTEST_CONTROL_BYTES];
	size_t bytes;

	if (turn.step == PERFTEST_STEP_CONNECT)
		client->phase = PERFTEST_CLIENT_JOINING;
	else if (turn.step == PERFTEST_STEP_TEST)
		start_test(client, stopwatch_now());
	else if (turn.step == PERFTEST_STEP_END)
		leave(client);
	else if (!client->asked) {
		client->asked = true;
		perftest_side_send(side, turn);
	} else if (perftest_control_take(&side->control, item, &bytes)) {
		if (perftest_side_take(side, turn, item, bytes))
			next_turn(client);
	} else if (perftest_side_is_late(side)) {
		perftest_side_fail(side,
			"the server does not answer: is it perftest 4.5, started for the same test "
			"with the same options?");
	}
}

static bool
is_complete(const struct perftest_client *client)
{
	for (uint32_t i = 0; i < client->side.flow_count; i++)
		if (!perftest_flow_complete(client->side.flows[i]))
			return false;
	return true;
}

static void
watch_progress(struct perftest_client *client, uint64_t now)
{
	uint64_t progress = 0;

	for (uint32_t i = 0; i < client->side.flow_count; i++)
		progress += client->side.flows[i]->completed + client->side.flows[i]->arrived;
	if (client->stall_tsc == 0 || progress != client->progress)
		client->stall_tsc = now + STALL_SECONDS * client->side.stopwatch->hz;
	client->progress = progress;
	if (now >= client->stall_tsc)
		perftest_side_fail(&client->side,
			"messages do not complete: does the server take as many, and as long, as "
			"are sent?");
}

static bool
is_posted(const struct perftest_client *client)
{
	for (uint32_t i = 0; i < client->side.flow_count; i++)
		if (client->side.flows[i]->posted < client->side.flows[i]->limit)
			return false;
	return true;
}

static void
turn_phase(struct perftest_client *client, uint64_t now)
{
	struct perftest_side *side = &client->side;

	switch (client->phase) {
	case PERFTEST_CLIENT_CONNECTING:
		if (side->control.link.state == LINK_CONNECTED) {
			client->phase = PERFTEST_CLIENT_TALKING;
			perftest_side_wait(side, PERFTEST_ANSWER_SECONDS);
		}
		break;
	case PERFTEST_CLIENT_TALKING:
		talk(client);
		break;
	case PERFTEST_CLIENT_JOINING:
		join_next(client);
		break;
	case PERFTEST_CLIENT_WARMING:
		watch_progress(client, now);
		if (now >= client->phase_end_tsc)
			start_measuring(client, now);
		break;
	case PERFTEST_CLIENT_MEASURING:
		watch_progress(client, now);
		if (now >= client->phase_end_tsc || is_posted(client))
			start_draining(client);
		break;
	case PERFTEST_CLIENT_DRAINING:
		watch_progress(client, now);
		if (is_complete(client))
			end_test(client, now);
		break;
	case PERFTEST_CLIENT_LEAVING:
		if (perftest_side_leave(side))
			client->phase = PERFTEST_CLIENT_ENDED;
		break;
	case PERFTEST_CLIENT_ENDED:
		break;
	}
}

/*
 * In write latency the server disconnects when it has seen the last number, and sends no item. The
 * acknowledgement of the last message may have been lost; so an unacknowledged last message is no
 * failure.
 */
static bool
has_left_in_order(const struct perftest_client *client)
{
	return client->phase == PERFTEST_CLIENT_DRAINING && client->side.plan.latency &&
		client->side.plan.op == OPTIONS_OP_WRITE &&
		client->side.control.link.state == LINK_CONNECTED;
}

static void
check(struct perftest_client *client)
{
	struct perftest_side *side = &client->side;

	if (client->phase >= PERFTEST_CLIENT_LEAVING)
		return;
	if (!perftest_side_failed(side) && perftest_side_peer_gone(side) &&
		side->control.arrived == 0) {
		if (has_left_in_order(client))
			perftest_flow_finish(side->flows[0]);
		else if (perftest_turn_at(&side->plan, side->turn).step != PERFTEST_STEP_END)
			perftest_side_fail_gone(side, "the server ended the connection",
				"is it started for the same test, with the same options?");
	}
	if (!perftest_side_failed(side))
		return;
	if (!client->interrupted)
		memcpy(client->error, side->error, sizeof(client->error));
	if (client->start_tsc != 0 && client->stop_tsc == 0)
		client->stop_tsc = stopwatch_now();
	leave(client);
}

bool
perftest_client_turn(struct perftest_client *client)
{
	perftest_side_turn(&client->side);
	check(client);
	turn_phase(client, stopwatch_now());
	return client->phase != PERFTEST_CLIENT_ENDED;
}

void
perftest_client_stop(struct perftest_client *client)
{
	client->interrupted = true;
	if (client->phase < PERFTEST_CLIENT_WARMING)
		leave(client);
	else if (client->phase < PERFTEST_CLIENT_DRAINING)
		start_draining(client);
}

bool
perftest_client_result(const struct perftest_client *client, struct report_row *row)
{
	const struct options *options = client->side.options;

	*row = (struct report_row){
		.op = client->side.plan.op,
		.size_bytes = options->size_bytes,
		.depth = options->depth,
		.qps = options->qps,
		.ops = count_measured(client),
		.errors = client->error[0] != '\0',
		.histogram = &client->histogram,
	};
	for (uint32_t i = 0; i < client->side.flow_count; i++) {
		const struct perftest_flow *flow = client->side.flows[i];

		row->posted += flow->posted - RTE_MIN(flow->measured_from, flow->posted);
		row->outstanding += flow->posted - flow->completed;
	}
	if (client->start_tsc == 0)
		return false;
	row->seconds = seconds_measured(client);
	return true;
}

void
perftest_client_close(struct perftest_client *client)
{
	perftest_side_close(&client->side);
}
