/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A trader: one link to each venue, all on one engine. Its loop polls the engine and then memory:
 * the next slot of each ring. What it finds there it answers by an order.
 *
 *   DOWN -> CONNECTING -> OPENING (window bound, hello sent) -> UP
 *   UP -> DOWN                         the venue is gone: try again after a while
 *   UP -> CLOSED -> REVOKING (the window is being closed) -> LEAVING -> OVER
 *                                      the venue has written its last tick
 */

#include "histogram.h"
#include "ndtick.h"

#define ORDERS   64u /* of a link in flight */
#define RETRY_MS 50u

enum link_state { DOWN, CONNECTING, OPENING, UP, CLOSED, REVOKING, LEAVING, OVER };

struct link {
	unsigned int number;
	enum link_state state;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_cq *cq;
	struct nd_mw *window;
	struct nd_mr *mr; /* of the ring */
	struct tick_ring ring;
	struct pending operation; /* connect or disconnect */
	struct pending end;       /* of the connection */
	uint64_t heard_tsc;       /* last tick of any kind */
	uint64_t retry_tsc;
	uint64_t ticks, orders, late; /* late: there was no place for an order */
	unsigned int sessions;
	struct nd_result bound, greeted, revoked, by_venue, sent[ORDERS];
};

static const struct settings *settings;
static struct nd_adapter *adapter;
static struct link links[VENUES_MAX];
static struct tick slots[VENUES_MAX][TICK_SLOTS] __rte_cache_aligned;
static struct histogram latency; /* tick seen in memory to order given to the port */
static bool steady;

/* Before anything is said or made: what is watched is over. */
static void
steady_ends(void)
{
	if (steady)
		ndtick_steady(false);
	steady = false;
}

static void
link_make(struct link *link, unsigned int number)
{
	link->number = number;
	link->ring.slots = slots[number];
	must(nd_adapter_register_memory(
		     adapter, slots[number], sizeof(slots[number]), NULL, &link->mr),
		"memory");
	must(nd_adapter_create_memory_window(adapter, &link->by_venue, &link->window), "window");
	must(nd_adapter_create_completion_queue(adapter, ORDERS + 4, &link->cq), "queue");
}

static void
link_connect(struct link *link)
{
	const struct sockaddr_in venue =
		example_address(settings->peer, (uint16_t)(EXAMPLE_PORT + link->number));

	must(nd_adapter_create_connector(adapter, &link->connector), "connector");
	must(nd_connector_create_endpoint(link->connector, link->cq, link->cq, 1, ORDERS + 2, 1, 1,
		     0, 0, NULL, &link->endpoint),
		"endpoint");
	link->operation.status = nd_connector_connect(link->connector, link->endpoint,
		(const struct sockaddr *)&venue, sizeof(venue), EXAMPLE_TCP, 0, NULL, 0,
		pending_new(&link->operation));
	link->state = CONNECTING;
}

/* The endpoint takes its window with it: nobody can write through it any more. */
static void
link_release(struct link *link, enum link_state next)
{
	struct nd_result *results[32];

	nd_endpoint_release(link->endpoint);
	must(nd_connector_release(link->connector), "release");
	while (nd_cq_get_results(link->cq, results, RTE_DIM(results)) != 0)
		;
	link->endpoint = NULL;
	link->retry_tsc = rte_rdtsc() + tsc_of_ms(RETRY_MS);
	link->state = next;
}

static void
link_drop(struct link *link, uint64_t now)
{
	steady_ends();
	if (link->state != CONNECTING) {
		printf("venue %u: gone: %s, last heard of %.0f ms ago\n", link->number,
			why_ended(link->endpoint),
			(double)(now - link->heard_tsc) * 1e3 / (double)rte_get_tsc_hz());
		fflush(stdout);
	}
	link_release(link, DOWN);
}

/* Connected: open the ring to the venue and tell it where it is, in this order. */
static bool
link_open(struct link *link)
{
	struct hello hello = {.slots = TICK_SLOTS};
	const struct nd_sge sge = {&hello, sizeof(hello), NULL};

	if (nd_failed(nd_connector_complete_connect(link->connector, NULL)))
		return false;
	link->end.status = nd_connector_notify_disconnect(link->connector, pending_new(&link->end));
	memset(link->ring.slots, 0, sizeof(slots[0]));
	link->ring.next = 1;
	link->heard_tsc = rte_rdtsc();
	link->state = OPENING;
	return !nd_failed(nd_endpoint_bind(link->endpoint, &link->bound, link->mr, link->window,
		       link->ring.slots, sizeof(slots[0]),
		       ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_SILENT_SUCCESS, &hello.ring)) &&
		!nd_failed(nd_endpoint_send(link->endpoint, &link->greeted, &sge, 1, 0));
}

/* @return false: the connection is over */
static bool
link_results(struct link *link)
{
	struct nd_result *result;

	while (nd_cq_get_results(link->cq, &result, 1) != 0) {
		if (result->status != ND_SUCCESS)
			return false;
		if (result == &link->greeted) {
			printf("venue %u: session %u\n", link->number, ++link->sessions);
			fflush(stdout);
			link->state = UP;
		} else if (result == &link->revoked) {
			link->operation.status = nd_connector_disconnect(
				link->connector, pending_new(&link->operation));
			link->state = LEAVING;
		}
	}
	return true;
}

/* The strategy: take the other side of each n-th tick. */
static bool
link_answer(struct link *link, const struct tick *tick)
{
	const struct order order = {
		tick->sequence, tick->written_tsc, tick->price, tick->quantity, tick->instrument};
	const struct nd_sge sge = {(void *)(uintptr_t)&order, sizeof(order), NULL};
	nd_status status = nd_endpoint_send(link->endpoint, &link->sent[link->orders % ORDERS],
		&sge, 1, ND_OP_FLAG_SILENT_SUCCESS);

	link->orders += status == ND_SUCCESS;
	link->late += status != ND_SUCCESS;
	return status == ND_SUCCESS;
}

/* Look into memory. */
static void
link_ticks(struct link *link, uint64_t now)
{
	struct tick tick;

	while (link->state == UP && tick_ring_take(&link->ring, &tick)) {
		const uint64_t seen = rte_rdtsc();

		link->heard_tsc = now;
		if (tick.kind == TICK_CLOSE) {
			steady_ends();
			link->state = CLOSED;
		} else if (tick.kind == TICK_PRICE) {
			if (++link->ticks % settings->order_every != 0)
				continue;
			if (link_answer(link, &tick))
				histogram_add(&latency, rte_rdtsc() - seen);
		}
	}
}

static void
link_turn(struct link *link, uint64_t now)
{
	nd_status status;

	if (link->state == OVER || (link->state == DOWN && now < link->retry_tsc))
		return;
	if (link->state == DOWN) {
		link_connect(link);
		return;
	}
	if (link->state == CONNECTING || link->state == LEAVING) {
		status = pending_look(&link->operation);
		if (status == ND_PENDING)
			return;
		if (link->state == LEAVING)
			link_release(link, OVER);
		else if (nd_failed(status) || !link_open(link))
			link_drop(link, now);
		return;
	}
	link_ticks(link, now);
	/*
	 * The window is closed when the result of this is there: then no byte comes through it. If
	 * orders take all places of the queue, the next turn tries again.
	 */
	if (link->state == CLOSED &&
		nd_endpoint_invalidate(link->endpoint, &link->revoked, link->window, 0) ==
			ND_SUCCESS)
		link->state = REVOKING;
	if (!link_results(link)) {
		link_drop(link, now);
		return;
	}
	if (link->state == LEAVING)
		return;
	/* Whatever notices first: the keepalive, a retry too many, or nothing to be heard. */
	if (pending_look(&link->end) != ND_PENDING ||
		(now > link->heard_tsc && now - link->heard_tsc > tsc_of_ms(settings->dead_ms)))
		link_drop(link, now);
}

static bool
trader_report(void)
{
	bool complete = true;

	for (unsigned int i = 0; i < settings->venues; i++) {
		const struct link *link = &links[i];

		printf("venue %u: %u sessions, %" PRIu64 " ticks, %" PRIu64 " lost, %" PRIu64
		       " orders, %" PRIu64 " late\n",
			i, link->sessions, link->ticks, link->ring.lost, link->orders, link->late);
		complete &= link->state == OVER;
	}
	histogram_print(&latency, "tick seen to order sent");
	fflush(stdout);
	return complete;
}

bool
trader_run(const struct settings *chosen)
{
	unsigned int up = 0, over = 0;
	bool complete, begun = false;

	settings = chosen;
	adapter = ndtick_open(settings);
	for (unsigned int i = 0; i < settings->venues; i++)
		link_make(&links[i], i);
	while (!stopped && over < settings->venues) {
		const uint64_t now = rte_rdtsc();

		nd_engine_poll(nd_adapter_engine(adapter));
		up = over = 0;
		for (unsigned int i = 0; i < settings->venues; i++) {
			link_turn(&links[i], now);
			up += links[i].state == UP;
			over += links[i].state == OVER;
		}
		if (!begun && up == settings->venues) {
			begun = steady = true;
			ndtick_steady(true);
		}
	}
	steady_ends();
	complete = trader_report();
	if (!settings->loopback)
		wait_for_server_port(settings->ethdev);
	nd_adapter_close(adapter);
	return complete;
}
