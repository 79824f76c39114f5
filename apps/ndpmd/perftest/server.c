/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "server.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What a client may write, read or send at once when --size does not say: the longest message of
 * option -a. Only what is used takes memory.
 */
#define SPAN_BYTES (8u << 20)

static void
wait_for_client(struct perftest_server *server)
{
	struct perftest_side *side = &server->side;

	perftest_side_init(side, side->options, side->stopwatch, side->adapter);
	server->phase = PERFTEST_SERVER_WAITING;
	server->value_count = 0;
	server->start_tsc = 0;
	server->in_order = false;
	server->has_item = false;
	link_listen(&side->control.link, server->listener);
	if (side->control.link.state == LINK_FAILED)
		snprintf(server->error, sizeof(server->error), "%s", side->control.link.error);
}

bool
perftest_server_open(struct perftest_server *server, const struct options *options,
	const struct stopwatch *stopwatch, struct nd_adapter *adapter, struct report *report)
{
	const nd_status status = nd_adapter_listen(adapter, 0, LINK_PROTOCOL,
		rte_cpu_to_be_16(options->listen_port), NULL, &server->listener);

	server->report = report;
	perftest_side_init(&server->side, options, stopwatch, adapter);
	if (nd_failed(status)) {
		server->listener = NULL;
		snprintf(server->error, sizeof(server->error), "cannot listen on port %u: %s",
			options->listen_port, nd_status_name(status));
		return false;
	}
	wait_for_client(server);
	return server->error[0] == '\0';
}

static struct perftest_flow_setup
flow_setup(const struct perftest_server *server)
{
	const struct options *options = server->side.options;
	struct perftest_flow_setup setup = {.span_bytes = SPAN_BYTES};

	/* A server that writes has to know how long messages are. */
	if (options->latency && options->ops[0] == OPTIONS_OP_WRITE)
		setup.size_bytes = options->size_bytes;
	if (options->size_given)
		setup.span_bytes = options->size_bytes;
	return setup;
}

/* Make the flow that waits for the next connection request. */
static void
listen_for_flow(struct perftest_server *server)
{
	const struct perftest_flow_setup setup = flow_setup(server);

	server->next = perftest_side_add_flow(&server->side, &setup);
	if (server->next == NULL)
		return;
	/* The flow is not counted before its request has come. */
	server->side.flow_count--;
	link_listen(&server->next->link, server->listener);
}

static void
forget_next_flow(struct perftest_server *server)
{
	if (server->next == NULL)
		return;
	perftest_flow_close(server->next);
	free(server->next);
	server->next = NULL;
}

static bool
is_same_peer(const struct link *a, const struct link *b)
{
	struct sockaddr_storage first = {0}, second = {0};
	size_t first_bytes = sizeof(first), second_bytes = sizeof(second);

	if (nd_failed(nd_connector_get_peer_address(
		    a->connector, (struct sockaddr *)&first, &first_bytes)) ||
		nd_failed(nd_connector_get_peer_address(
			b->connector, (struct sockaddr *)&second, &second_bytes)))
		return false;
	if (first.ss_family != second.ss_family)
		return false;
	if (first.ss_family == AF_INET6)
		return memcmp(&((struct sockaddr_in6 *)&first)->sin6_addr,
			       &((struct sockaddr_in6 *)&second)->sin6_addr, 16) == 0;
	return ((struct sockaddr_in *)&first)->sin_addr.s_addr ==
		((struct sockaddr_in *)&second)->sin_addr.s_addr;
}

static void
take_flow(struct perftest_server *server)
{
	struct perftest_flow *flow = server->next;

	if (flow == NULL)
		return;
	link_turn(&flow->link);
	if (flow->link.state == LINK_FAILED) {
		perftest_side_fail(&server->side, "%s", flow->link.error);
	} else if (flow->link.state == LINK_REQUESTED) {
		if (!is_same_peer(&flow->link, &server->side.control.link)) {
			/* Another client: it may try again when this one has been served. */
			link_refuse(&flow->link, NULL, 0);
			forget_next_flow(server);
		} else {
			server->side.flow_count++;
			server->next = NULL;
			perftest_flow_accept(flow);
		}
		listen_for_flow(server);
	}
}

static void
answer(struct perftest_server *server, struct perftest_turn turn)
{
	perftest_side_send(&server->side, turn);
	server->side.turn++;
	perftest_side_wait(&server->side, PERFTEST_ANSWER_SECONDS);
}

static void
start_test(struct perftest_server *server)
{
	struct perftest_side *side = &server->side;

	server->phase = PERFTEST_SERVER_TESTING;
	server->start_tsc = stopwatch_now();
	side->deadline_tsc = UINT64_MAX;
	for (uint32_t i = 0; i < side->flow_count; i++)
		perftest_flow_start(side->flows[i]);
}

static void
next_phase(struct perftest_server *server)
{
	const struct perftest_side *side = &server->side;
	const enum perftest_step step = perftest_turn_at(&side->plan, side->turn).step;

	if (step == PERFTEST_STEP_CONNECT) {
		server->phase = PERFTEST_SERVER_JOINING;
		listen_for_flow(server);
	} else if (step == PERFTEST_STEP_TEST) {
		start_test(server);
	}
}

static void
talk(struct perftest_server *server)
{
	struct perftest_side *side = &server->side;
	const struct perftest_turn turn = perftest_turn_at(&side->plan, side->turn);
	uint8_t item[PERFTEST_CONTROL_BYTES];
	size_t bytes;

	if (!perftest_control_take(&side->control, item, &bytes)) {
		if (perftest_side_is_late(side))
			perftest_side_fail(side, "a client says nothing more");
	} else if (perftest_side_take(side, turn, item, bytes)) {
		answer(server, turn);
		next_phase(server);
	}
}

/* The client continues when all its connections are accepted. */
static void
join(struct perftest_server *server)
{
	struct perftest_side *side = &server->side;

	take_flow(server);
	if (!server->has_item)
		server->has_item =
			perftest_control_take(&side->control, server->item, &server->item_bytes);
	if (perftest_side_is_late(side))
		perftest_side_fail(side, "a client does not connect its queue pairs");
	if (!server->has_item || !perftest_side_ready(side))
		return;
	forget_next_flow(server);
	if (side->flow_count == 0 || (side->plan.latency && side->flow_count > 1)) {
		perftest_side_fail(side, "a client has connected %u queue pairs", side->flow_count);
		return;
	}
	side->plan.qps = side->flow_count;
	server->phase = PERFTEST_SERVER_TALKING;
	const struct perftest_turn turn = perftest_turn_at(&side->plan, ++side->turn);

	if (perftest_side_take(side, turn, server->item, server->item_bytes)) {
		answer(server, turn);
		next_phase(server);
	}
}

static struct report_row
make_row(const struct perftest_server *server)
{
	const struct perftest_side *side = &server->side;
	const uint64_t cycles = server->start_tsc > 0 ? stopwatch_now() - server->start_tsc : 0;

	return (struct report_row){
		.op = side->plan.op,
		.size_bytes = side->options->size_given ? side->options->size_bytes : 0,
		.depth = side->plan.latency ? 1 : 0,
		.qps = side->flow_count,
		.seconds = (double)stopwatch_ns(side->stopwatch, cycles) / 1e9,
	};
}

static void
add_row(struct perftest_server *server, const struct report_row *row)
{
	if (server->report != NULL)
		report_add(server->report, row);
}

/* Report the arrivals since the last row. */
static void
report_arrivals(struct perftest_server *server)
{
	struct perftest_side *side = &server->side;
	struct report_row row = make_row(server);
	uint64_t first_tsc = UINT64_MAX, last_tsc = 0;

	for (uint32_t i = 0; i < side->flow_count; i++) {
		struct perftest_flow *flow = side->flows[i];

		if (flow->arrived == flow->reported)
			continue;
		row.ops += flow->arrived - flow->reported;
		row.size_bytes = flow->arrived_bytes;
		first_tsc = RTE_MIN(first_tsc, flow->first_tsc);
		last_tsc = RTE_MAX(last_tsc, flow->last_tsc);
		flow->reported = flow->arrived;
	}
	if (row.ops == 0)
		return;
	row.seconds = (double)stopwatch_ns(side->stopwatch, last_tsc - first_tsc) / 1e9;
	add_row(server, &row);
}

/* The server sees neither Writes nor Reads: the row has what the client reported. */
static void
report_values(struct perftest_server *server)
{
	const rte_be64_t *values = server->side.values;
	const double rate = perftest_double_of_value(values[PERFTEST_VALUE_RATE]) * 1e6;
	struct report_row row = make_row(server);

	row.ops = rte_be_to_cpu_64(values[PERFTEST_VALUE_ITERATIONS]);
	row.size_bytes = (uint32_t)rte_be_to_cpu_64(values[PERFTEST_VALUE_SIZE]);
	if (rate > 0)
		row.seconds = (double)row.ops / rate;
	add_row(server, &row);
}

static void
take_value(struct perftest_server *server, const uint8_t *item)
{
	static const rte_be64_t zero;
	struct perftest_side *side = &server->side;

	memcpy(&side->values[server->value_count++ % PERFTEST_VALUE_COUNT], item, sizeof(zero));
	if (server->value_count % PERFTEST_VALUE_COUNT == 0)
		report_values(server);
	perftest_control_send(&side->control, &zero, sizeof(zero));
}

static void
take_place(struct perftest_server *server)
{
	const struct perftest_turn turn = {PERFTEST_STEP_PLACE, 0};
	struct perftest_side *side = &server->side;
	struct report_row row;

	if (side->plan.op == OPTIONS_OP_SEND) {
		report_arrivals(server);
	} else if (side->plan.op == OPTIONS_OP_READ && side->plan.latency) {
		row = make_row(server);
		add_row(server, &row);
	}
	server->in_order = true;
	perftest_side_send(side, turn);
}

/* A client that measures several sizes sends a place before and after each. */
static void
test(struct perftest_server *server)
{
	struct perftest_side *side = &server->side;
	uint8_t item[PERFTEST_CONTROL_BYTES];
	size_t bytes;

	if (!perftest_control_take(&side->control, item, &bytes))
		return;
	if (bytes == perftest_step_bytes(PERFTEST_STEP_PLACE))
		take_place(server);
	else if (bytes == perftest_step_bytes(PERFTEST_STEP_VALUE))
		take_value(server, item);
	else
		perftest_side_fail(side, "a client says something of %zu bytes", bytes);
}

static bool
answers_writes(const struct perftest_server *server)
{
	return server->side.plan.latency && server->side.plan.op == OPTIONS_OP_WRITE;
}

static bool
client_has_left(const struct perftest_server *server)
{
	const struct perftest_side *side = &server->side;

	return perftest_side_peer_gone(side) && side->control.arrived == 0;
}

static void
leave(struct perftest_server *server)
{
	server->phase = PERFTEST_SERVER_LEAVING;
	forget_next_flow(server);
}

/* The test has failed: report it as a row with one error, and disconnect. */
static void
break_off(struct perftest_server *server)
{
	struct report_row row = make_row(server);

	row.errors = 1;
	server->errors++;
	if (server->report != NULL && !server->stopping)
		fprintf(stderr, "ndpmd: %s\n", server->side.error);
	add_row(server, &row);
	leave(server);
}

static void
check(struct perftest_server *server)
{
	struct perftest_side *side = &server->side;

	if (server->phase == PERFTEST_SERVER_WAITING || server->phase == PERFTEST_SERVER_LEAVING)
		return;
	if (!perftest_side_failed(side) && client_has_left(server)) {
		if (answers_writes(server) && side->flow_count > 0 && side->flows[0]->arrived > 0) {
			report_arrivals(server);
			server->in_order = true;
		}
		if (server->in_order) {
			leave(server);
			return;
		}
		perftest_side_fail_gone(side, "a client went away before it was done",
			"was it started for the same test?");
	}
	if (perftest_side_failed(side))
		break_off(server);
}

static void
turn_phase(struct perftest_server *server)
{
	struct perftest_side *side = &server->side;
	const enum link_state state = side->control.link.state;

	switch (server->phase) {
	case PERFTEST_SERVER_WAITING:
		if (state == LINK_REQUESTED) {
			perftest_control_accept(&side->control);
		} else if (state == LINK_CONNECTED || state == LINK_FAILED) {
			server->phase = PERFTEST_SERVER_TALKING;
			perftest_side_wait(side, PERFTEST_ANSWER_SECONDS);
		}
		break;
	case PERFTEST_SERVER_TALKING:
		talk(server);
		break;
	case PERFTEST_SERVER_JOINING:
		join(server);
		break;
	case PERFTEST_SERVER_TESTING:
		test(server);
		break;
	case PERFTEST_SERVER_LEAVING:
		if (!perftest_side_leave(side))
			break;
		perftest_side_close(side);
		server->clients_done++;
		if (!server->stopping)
			wait_for_client(server);
		break;
	}
}

void
perftest_server_turn(struct perftest_server *server)
{
	if (perftest_server_is_idle(server) && server->stopping)
		return;
	perftest_side_turn(&server->side);
	check(server);
	turn_phase(server);
}

void
perftest_server_stop(struct perftest_server *server)
{
	server->stopping = true;
	if (server->listener != NULL)
		nd_listener_release(server->listener);
	server->listener = NULL;
	if (!perftest_server_is_idle(server))
		leave(server);
}

bool
perftest_server_is_idle(const struct perftest_server *server)
{
	const enum link_state state = server->side.control.link.state;

	return state == LINK_IDLE || state == LINK_LISTENING || state == LINK_CLOSED;
}

void
perftest_server_close(struct perftest_server *server)
{
	if (!server->stopping)
		perftest_server_stop(server);
	forget_next_flow(server);
	perftest_side_close(&server->side);
}
