/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * A trader. It has one link to each venue, and one engine for all links. Its loop polls the
 * engine, and then checks the next slot of each ring in memory. It answers some ticks with orders.
 * States of a link:
 *
 *   DOWN -> CONNECTING -> UP (the window is bound, and its descriptor sent)
 *   CONNECTING, UP, REVOKING -> DOWN   no connection, or no data: retry after RETRY_MS
 *   UP -> REVOKING -> LEAVING -> OVER  last tick: close the window, then disconnect
 */

#include "ndtick.h"

#define ORDERS   64u /* maximum number of outstanding orders of a link */
#define RETRY_MS 50u

enum link_state { DOWN, CONNECTING, UP, REVOKING, LEAVING, OVER };

struct link {
	struct session session;
	enum link_state state;
	unsigned int number, sessions;
	struct sockaddr_in venue;
	struct nd_mw *window; /* bound to the ring */
	struct tick *ring;
	uint64_t next; /* expected sequence number of the next tick */
	uint64_t heard_tsc, retry_tsc;
	/*
	 * Number of ticks read, and number of ticks that the venue overwrote before the trader read
	 * them.
	 */
	uint64_t ticks, lost;
	/* Number of orders sent, and number of orders not sent because the send queue was full. */
	uint64_t orders, late;
	bool told; /* true: the user was already told why there is no session */
	struct nd_result ended, bound, greeted, revoked, by_venue, sent[ORDERS];
};

static struct nd_adapter *adapter;
static struct link links[VENUES_MAX];
static struct tick rings[VENUES_MAX][TICK_SLOTS] __rte_cache_aligned;
static struct histogram latency; /* time from reading a tick until nd_endpoint_send() returns */

static void
link_make(struct link *link, unsigned int number, const char *peer)
{
	link->number = number;
	link->venue = example_address(peer, (uint16_t)(EXAMPLE_PORT + number));
	link->ring = rings[number];
	session_make(&link->session, adapter, link->ring, sizeof(rings[0]), ORDERS + 4);
	must(nd_adapter_create_memory_window(adapter, &link->by_venue, &link->window), "window");
}

/* @return false: the connection attempt failed */
static bool
link_connect(struct link *link)
{
	struct session *session = &link->session;

	link->state = CONNECTING;
	must(nd_adapter_create_connector(adapter, &session->connector), "connector");
	must(nd_connector_create_endpoint(session->connector, session->cq, session->cq, 1,
		     ORDERS + 2, 1, 1, 0, 0, NULL, &session->endpoint),
		"endpoint");
	/* Venues send no messages, so this receive completes when the connection ends. */
	must(nd_endpoint_receive(session->endpoint, &link->ended, NULL, 0), "receive");
	return !nd_failed(nd_connector_connect(session->connector, session->endpoint,
		(const struct sockaddr *)&link->venue, sizeof(link->venue), EXAMPLE_TCP, 0, NULL, 0,
		session_operation(session)));
}

/*
 * Called when the connection is established: bind the window to the ring, then send its descriptor.
 */
static bool
link_open(struct link *link)
{
	struct session *session = &link->session;
	union message hello = {0};
	const struct nd_sge sge = {&hello, sizeof(hello), NULL};

	memset(link->ring, 0, sizeof(rings[0]));
	link->next = 1;
	link->heard_tsc = rte_rdtsc();
	if (nd_failed(nd_connector_complete_connect(session->connector, NULL)) ||
		nd_failed(nd_endpoint_bind(session->endpoint, &link->bound, session->mr,
			link->window, link->ring, sizeof(rings[0]),
			ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_SILENT_SUCCESS, &hello.ring)) ||
		nd_failed(nd_endpoint_send(
			session->endpoint, &link->greeted, &sge, 1, ND_OP_FLAG_SILENT_SUCCESS)))
		return false;
	printf("venue %u: session %u\n", link->number, ++link->sessions);
	link->told = false;
	link->state = UP;
	return true;
}

/* Send an order for a tick. link_read() calls this for every order_every-th tick. */
static void
link_answer(struct link *link, const struct tick *tick)
{
	const uint64_t seen = rte_rdtsc();
	union message answer = {.order = {tick->sequence, tick->written_tsc, tick->price,
					tick->quantity, tick->instrument}};
	const struct nd_sge sge = {&answer, sizeof(answer), NULL};

	if (nd_endpoint_send(link->session.endpoint, &link->sent[link->orders % ORDERS], &sge, 1,
		    ND_OP_FLAG_SILENT_SUCCESS) == ND_SUCCESS) {
		link->orders++;
		histogram_add(&latency, rte_rdtsc() - seen);
	} else {
		link->late++;
	}
}

/*
 * Read new ticks from the ring. If the venue overwrote unread ticks, sequence numbers are missing.
 */
static void
link_read(struct link *link, uint64_t now)
{
	const struct tick *tick;

	while (link->state == UP &&
		(tick = &link->ring[link->next % TICK_SLOTS])->sequence >= link->next) {
		if (tick->kind == TICK_CLOSE) {
			/*
			 * If the send queue is full of orders, the invalidate fails, and the next
			 * call of link_serve() tries again.
			 */
			if (nd_endpoint_invalidate(link->session.endpoint, &link->revoked,
				    link->window, 0) != ND_SUCCESS)
				return;
			link->state = REVOKING;
		}
		link->lost += tick->sequence - link->next;
		link->next = tick->sequence + 1;
		link->heard_tsc = now;
		if (tick->kind == TICK_PRICE && ++link->ticks % settings.order_every == 0)
			link_answer(link, tick);
	}
}

/*
 * Process one turn of a link. @return false: a request failed, or the venue has sent nothing for
 * dead_ms
 */
static bool
link_serve(struct link *link, uint64_t now)
{
	struct session *session = &link->session;
	struct nd_result *result;

	link_read(link, now);
	while (link->state != LEAVING && nd_cq_get_results(session->cq, &result, 1) != 0) {
		if (result->status != ND_SUCCESS)
			return false;
		if (result != &link->revoked)
			continue;
		/* The window is invalid, so the venue cannot write to the ring any more. */
		(void)nd_connector_disconnect(session->connector, session_operation(session));
		link->state = LEAVING;
	}
	return now < link->heard_tsc + tsc_of_ms(settings.dead_ms);
}

/* Release the endpoint. This invalidates its window, so no peer can write to the ring any more. */
static void
link_drop(struct link *link, uint64_t now)
{
	const char *why = session_why(&link->session, "silent");
	const uint64_t silent = now - link->heard_tsc;

	if (link->state != CONNECTING)
		printf("venue %u: disconnected: %s, last message %" PRIu64 " ms ago\n",
			link->number, why, silent / tsc_of_ms(1));
	else if (!link->told)
		printf("venue %u: no session: %s; retrying\n", link->number, why);
	link->told = true;
	session_release(&link->session);
	link->retry_tsc = now + tsc_of_ms(RETRY_MS);
	link->state = DOWN;
}

static void
link_turn(struct link *link, uint64_t now)
{
	bool good = true;
	nd_status status;

	switch (link->state) {
	case DOWN:
		good = now < link->retry_tsc || link_connect(link);
		break;
	case CONNECTING:
		status = nd_overlapped_get_result(&link->session.operation, NULL, false);
		good = status == ND_PENDING || (status == ND_SUCCESS && link_open(link));
		break;
	case UP:
	case REVOKING:
		good = link_serve(link, now);
		break;
	case LEAVING:
		status = nd_overlapped_get_result(&link->session.operation, NULL, false);
		if (status != ND_PENDING) {
			session_release(&link->session);
			link->state = OVER;
		}
		break;
	case OVER:
		break;
	}
	if (!good) {
		ndtick_steady(false);
		link_drop(link, now);
	}
}

bool
trader_run(uint16_t ethdev, const char *own, const char *peer)
{
	unsigned int up, over = 0;

	adapter = ndtick_open(ethdev, own);
	for (unsigned int i = 0; i < settings.venues; i++)
		link_make(&links[i], i, peer);
	printf("%" PRIu64 " links to venues at %s\n", settings.venues, peer);
	while (!stopped && over < settings.venues) {
		nd_engine_poll(nd_adapter_engine(adapter));
		up = over = 0;
		for (struct link *link = links; link < links + settings.venues; link++) {
			link_turn(link, rte_rdtsc());
			up += link->state == UP;
			over += link->state == OVER;
		}
		ndtick_steady(up == settings.venues);
	}
	ndtick_steady(false);
	for (const struct link *link = links; link < links + settings.venues; link++)
		printf("venue %u: %u sessions, %" PRIu64 " ticks, %" PRIu64 " lost, %" PRIu64
		       " orders, %" PRIu64 " late\n",
			link->number, link->sessions, link->ticks, link->lost, link->orders,
			link->late);
	histogram_print(&latency, "tick seen to order sent");
	wait_for_server_port(ethdev);
	nd_adapter_close(adapter);
	return over == settings.venues;
}
