/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/stop.h"
#include "ndpmd/peer_kind.h"
#include "ndpmd/server.h"
#include "side.h"

/*
 * Serves one perftest client after another. While a client is served, the connection request of the
 * next client waits; for the phase JOINING see take_flow(). The server only answers, so it does not
 * need to know the duration of a test. A test ends when the client sends the next item (a place). A
 * write latency test ends when the client disconnects.
 */

/*
 * Bytes exposed to a client without --size: the longest message of perftest's option -a. Unused
 * memory needs no physical pages.
 */
#define SPAN_BYTES (8u << 20)

enum phase {
	PHASE_WAITING, /* waits for a client */
	PHASE_TALKING,
	PHASE_JOINING, /* queue pairs connect until the client's next item arrives */
	PHASE_TESTING,
	PHASE_LEAVING,
};

struct client {
	struct server *server;
	struct perftest_side side;
	enum phase phase;
	struct perftest_flow *next; /* JOINING: listening flow, not in side.flows yet */
	bool probed;                /* JOINING: a probe was sent for the request in `next` */
	struct link request;        /* LEAVING: request to serve next; connector NULL: none */
	bool is_handed_over;        /* the control connection was such a request */
	bool has_item;              /* JOINING: item holds the item that ended the phase */
	uint8_t item[PERFTEST_CONTROL_BYTES];
	size_t item_bytes;
	uint32_t value_count;
	bool in_order; /* in TESTING: a disconnection by the client is no error now */
	uint64_t start_tsc;
};

static void
open_side(struct server *server, struct nd_engine *engine)
{
	struct client *client = server->clients;

	(void)engine;
	*client = (struct client){.server = server};
	perftest_side_init(&client->side, server->options, server->stopwatch, server->adapter);
}

static void
wait_for_client(struct server *server)
{
	struct client *client = server->clients;
	struct link *link = &client->side.control.link;
	const struct link request = client->request;

	open_side(server, NULL);
	if (request.connector != NULL) {
		*link = request;
		link->refused = PERFTEST_REFUSED;
		client->is_handed_over = true;
		return;
	}
	link_listen(link, server->listener);
	if (link->state == LINK_FAILED)
		snprintf(server->error, sizeof(server->error), "%s", link->error);
}

static struct perftest_flow_setup
flow_setup(const struct client *client)
{
	const struct options *options = client->side.options;
	struct perftest_flow_setup setup = {.span_bytes = SPAN_BYTES};

	/* In write latency the server writes messages, so it must know their length. */
	if (options->latency && options->ops[0] == OPTIONS_OP_WRITE)
		setup.size_bytes = options->size_bytes;
	if (options->size_given)
		setup.span_bytes = options->size_bytes;
	return setup;
}

/* Create the flow that listens for the next queue pair's connection request. */
static void
listen_for_flow(struct client *client)
{
	const struct perftest_flow_setup setup = flow_setup(client);

	client->next = perftest_side_add_flow(&client->side, &setup);
	if (client->next == NULL)
		return;
	/*
	 * Undo the count by perftest_side_add_flow(): a flow counts only after its request has
	 * arrived.
	 */
	client->side.flow_count--;
	link_listen(&client->next->link, client->server->listener);
}

static void
forget_next_flow(struct client *client)
{
	if (client->next == NULL)
		return;
	perftest_flow_close(client->next);
	free(client->next);
	client->next = NULL;
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
take_flow(struct client *client)
{
	struct perftest_control *control = &client->side.control;
	struct perftest_flow *flow = client->next;

	if (flow == NULL)
		return;
	link_turn(&flow->link);
	if (flow->link.state == LINK_FAILED)
		perftest_side_fail(&client->side, "%s", flow->link.error);
	if (flow->link.state != LINK_REQUESTED)
		return;
	if (!is_same_peer(&flow->link, &control->link)) {
		/* The request comes from a different client, which may try again later. */
		link_refuse(&flow->link, NULL, 0);
		forget_next_flow(client);
	} else if (!client->probed) {
		/*
		 * If this client was killed, the request may come from the next client of the same
		 * machine. Accept only after this client has answered a probe.
		 */
		client->probed = true;
		perftest_control_probe(control);
		return;
	} else if (control->probing) {
		return;
	} else {
		client->probed = false;
		client->side.flow_count++;
		client->next = NULL;
		perftest_flow_accept(flow);
	}
	listen_for_flow(client);
}

static void
answer(struct client *client, struct perftest_turn turn)
{
	perftest_side_send(&client->side, turn);
	client->side.turn++;
	perftest_side_wait(&client->side, PERFTEST_ANSWER_SECONDS);
}

static void
start_test(struct client *client)
{
	struct perftest_side *side = &client->side;

	client->phase = PHASE_TESTING;
	client->start_tsc = stopwatch_now();
	side->deadline_tsc = UINT64_MAX;
	for (uint32_t i = 0; i < side->flow_count; i++)
		perftest_flow_start(side->flows[i]);
}

static void
next_phase(struct client *client)
{
	const struct perftest_side *side = &client->side;
	const enum perftest_step step = perftest_turn_at(&side->plan, side->turn).step;

	if (step == PERFTEST_STEP_CONNECT) {
		client->phase = PHASE_JOINING;
		listen_for_flow(client);
	} else if (step == PERFTEST_STEP_TEST) {
		start_test(client);
	}
}

static void
talk(struct client *client)
{
	struct perftest_side *side = &client->side;
	const struct perftest_turn turn = perftest_turn_at(&side->plan, side->turn);
	uint8_t item[PERFTEST_CONTROL_BYTES];
	size_t bytes;

	if (!perftest_control_take(&side->control, item, &bytes)) {
		if (perftest_side_is_late(side))
			perftest_side_fail(
				side, "a client does not send the next item of the exchange");
	} else if (perftest_side_take(side, turn, item, bytes)) {
		answer(client, turn);
		next_phase(client);
	}
}

/* Phase JOINING. The client sends its next item when all its connections are accepted. */
static void
join(struct client *client)
{
	struct perftest_side *side = &client->side;

	take_flow(client);
	if (!client->has_item)
		client->has_item =
			perftest_control_take(&side->control, client->item, &client->item_bytes);
	if (perftest_side_is_late(side))
		perftest_side_fail(side, "a client does not connect its queue pairs");
	if (!client->has_item || !perftest_side_ready(side))
		return;
	forget_next_flow(client);
	if (side->flow_count == 0 || (side->plan.latency && side->flow_count > 1)) {
		perftest_side_fail(side,
			"a client has connected %u queue pairs: expected 1 or more, for latency 1",
			side->flow_count);
		return;
	}
	side->plan.qps = side->flow_count;
	client->phase = PHASE_TALKING;
	const struct perftest_turn turn = perftest_turn_at(&side->plan, ++side->turn);

	if (perftest_side_take(side, turn, client->item, client->item_bytes)) {
		answer(client, turn);
		next_phase(client);
	}
}

static struct report_row
make_row(const struct client *client)
{
	const struct perftest_side *side = &client->side;
	const uint64_t cycles = client->start_tsc > 0 ? stopwatch_now() - client->start_tsc : 0;

	return (struct report_row){
		.op = side->plan.op,
		.size_bytes = side->options->size_given ? side->options->size_bytes : 0,
		.depth = side->plan.latency ? 1 : 0,
		.qps = side->flow_count,
		.seconds = (double)stopwatch_ns(side->stopwatch, cycles) / 1e9,
	};
}

static void
add_row(struct client *client, const struct report_row *row)
{
	if (client->server->team->report != NULL)
		report_add(client->server->team->report, row);
}

/* Add a row for the messages that have arrived since the last row. */
static void
report_arrivals(struct client *client)
{
	struct perftest_side *side = &client->side;
	struct report_row row = make_row(client);
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
	add_row(client, &row);
}

/*
 * Add a row with the values that the client reported, because the server sees neither Writes nor
 * Reads.
 */
static void
report_values(struct client *client)
{
	const rte_be64_t *values = client->side.values;
	const double rate = perftest_double_of_value(values[PERFTEST_VALUE_RATE]) * 1e6;
	struct report_row row = make_row(client);

	row.ops = rte_be_to_cpu_64(values[PERFTEST_VALUE_ITERATIONS]);
	row.size_bytes = (uint32_t)rte_be_to_cpu_64(values[PERFTEST_VALUE_SIZE]);
	if (rate > 0)
		row.seconds = (double)row.ops / rate;
	add_row(client, &row);
}

static void
take_value(struct client *client, const uint8_t *item)
{
	static const rte_be64_t zero;
	struct perftest_side *side = &client->side;

	memcpy(&side->values[client->value_count++ % PERFTEST_VALUE_COUNT], item, sizeof(zero));
	if (client->value_count % PERFTEST_VALUE_COUNT == 0)
		report_values(client);
	perftest_control_send(&side->control, &zero, sizeof(zero));
}

static void
take_place(struct client *client)
{
	const struct perftest_turn turn = {PERFTEST_STEP_PLACE, 0};
	struct perftest_side *side = &client->side;
	struct report_row row;

	if (side->plan.op == OPTIONS_OP_SEND) {
		report_arrivals(client);
	} else if (side->plan.op == OPTIONS_OP_READ && side->plan.latency) {
		row = make_row(client);
		add_row(client, &row);
	}
	client->in_order = true;
	perftest_side_send(side, turn);
}

/* Phase TESTING. A client that measures several sizes sends a place before and after each size. */
static void
test(struct client *client)
{
	struct perftest_side *side = &client->side;
	uint8_t item[PERFTEST_CONTROL_BYTES];
	size_t bytes;

	if (!perftest_control_take(&side->control, item, &bytes))
		return;
	if (bytes == perftest_step_bytes(PERFTEST_STEP_PLACE))
		take_place(client);
	else if (bytes == perftest_step_bytes(PERFTEST_STEP_VALUE))
		take_value(client, item);
	else
		perftest_side_fail(side, "a client sent an unexpected item of %zu bytes", bytes);
}

static bool
answers_writes(const struct client *client)
{
	return client->side.plan.latency && client->side.plan.op == OPTIONS_OP_WRITE;
}

static bool
client_has_left(const struct client *client)
{
	const struct perftest_side *side = &client->side;

	return perftest_side_peer_gone(side) && side->control.arrived == 0;
}

static void
leave(struct client *client)
{
	client->phase = PHASE_LEAVING;
	/* If this client did not answer the probe, the request may come from the next client. */
	if (client->next != NULL && client->side.control.probing) {
		client->request = client->next->link;
		link_init(&client->next->link, client->side.adapter);
	}
	forget_next_flow(client);
}

/* Report a failed test as a row with one error, and disconnect. */
static void
break_off(struct client *client)
{
	struct server_team *team = client->server->team;
	struct report_row row = make_row(client);

	/*
	 * The program runs in loopback, and the user has interrupted it. In this case the client
	 * stops a Send test early, so the failure is not reported.
	 */
	if (team->report == NULL && stop_is_wanted()) {
		leave(client);
		return;
	}
	row.errors = 1;
	team->errors++;
	if (!client->server->stopping)
		fprintf(stderr, "ndpmd: %s\n", client->side.error);
	add_row(client, &row);
	leave(client);
}

static void
check(struct client *client)
{
	struct perftest_side *side = &client->side;

	if (client->phase == PHASE_WAITING || client->phase == PHASE_LEAVING)
		return;
	if (!perftest_side_failed(side) && client_has_left(client)) {
		if (answers_writes(client) && side->flow_count > 0 && side->flows[0]->arrived > 0) {
			report_arrivals(client);
			client->in_order = true;
		}
		if (client->in_order) {
			leave(client);
			return;
		}
		perftest_side_fail_gone(side, "a client disconnected before the test was complete",
			"check that the client runs the same test");
	}
	if (perftest_side_failed(side))
		break_off(client);
}

static void
turn_phase(struct client *client)
{
	struct perftest_side *side = &client->side;
	const enum link_state state = side->control.link.state;

	switch (client->phase) {
	case PHASE_WAITING:
		if (state == LINK_REQUESTED) {
			perftest_control_accept(&side->control);
		} else if (state == LINK_FAILED && client->is_handed_over) {
			/* The request came from the client that was killed: no new client. */
			perftest_side_close(side);
			wait_for_client(client->server);
		} else if (state == LINK_CONNECTED || state == LINK_FAILED) {
			client->phase = PHASE_TALKING;
			perftest_side_wait(side, PERFTEST_ANSWER_SECONDS);
		}
		break;
	case PHASE_TALKING:
		talk(client);
		break;
	case PHASE_JOINING:
		join(client);
		break;
	case PHASE_TESTING:
		test(client);
		break;
	case PHASE_LEAVING:
		if (!perftest_side_leave(side))
			break;
		perftest_side_close(side);
		server_count_client(client->server->team);
		if (!client->server->stopping)
			wait_for_client(client->server);
		break;
	}
}

static bool
is_idle(const struct server *server)
{
	const struct client *client = server->clients;
	const enum link_state state = client->side.control.link.state;

	return state == LINK_IDLE || state == LINK_LISTENING || state == LINK_CLOSED;
}

static void
turn(struct server *server)
{
	struct client *client = server->clients;

	if (is_idle(server) && server->stopping)
		return;
	perftest_side_turn(&client->side);
	check(client);
	turn_phase(client);
}

static void
stop(struct server *server)
{
	if (!is_idle(server))
		leave(server->clients);
}

static void
close_side(struct server *server)
{
	struct client *client = server->clients;

	forget_next_flow(client);
	link_close(&client->request);
	perftest_side_close(&client->side);
}

const struct server_functions perftest_server = {
	.bytes = sizeof(struct client),
	.open = open_side,
	.listen = wait_for_client,
	.turn = turn,
	.stop = stop,
	.is_idle = is_idle,
	.close = close_side,
};
