/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Venues: each listens, writes its ticks into the rings of all its traders, and receives their
 * orders. All of them are on one engine, in one loop; nothing waits.
 *
 *   FREE -> ASKED (waits for a trader) -> ACCEPTING -> GREETING (waits for its hello) -> OPEN
 *   OPEN -> CLOSING (the last tick is written; the trader closes its window and disconnects)
 */

#include "histogram.h"
#include "ndtick.h"

#define LINGER_MS 1000
#define ORDERS    256u /* receives of a session */
#define WRITES    256u /* of a session in flight */

enum session_state { FREE, ASKED, ACCEPTING, GREETING, OPEN, CLOSING };

/** A receive: its result comes first, so that it is found by it. */
struct message {
	struct nd_result result;
	union {
		struct hello hello;
		struct order order;
	} body;
};

struct session {
	enum session_state state;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_cq *inbound, *outbound;
	struct nd_mr *mr;         /* of messages */
	struct pending operation; /* request or accept */
	struct pending end;       /* of the connection */
	struct nd_mw_descriptor ring;
	uint64_t sequence; /* of the last tick */
	struct message messages[ORDERS];
	struct nd_result written[WRITES];
};

struct venue {
	unsigned int number;
	struct nd_listener *listener;
	struct session sessions[TRADERS_MAX];
	uint64_t ticks, next_tsc, written_tsc;
	bool started;
};

static const struct settings *settings;
static struct nd_adapter *adapter;
static struct venue venues[VENUES_MAX];
static struct histogram latency; /* tick written to order received */
static uint64_t orders, writes, skipped;

static void
session_make(struct session *session)
{
	must(nd_adapter_register_memory(
		     adapter, session->messages, sizeof(session->messages), NULL, &session->mr),
		"memory");
	must(nd_adapter_create_completion_queue(adapter, ORDERS, &session->inbound), "queue");
	must(nd_adapter_create_completion_queue(adapter, WRITES, &session->outbound), "queue");
	must(nd_cq_enable_timestamps(session->inbound), "timestamps");
}

static void
session_receive(struct session *session, struct message *message)
{
	const struct nd_sge sge = {&message->body, sizeof(message->body), session->mr};

	/* Refused when the connection is over: then its end is noticed, too. */
	(void)nd_endpoint_receive(session->endpoint, &message->result, &sge, 1);
}

static void
session_close(const struct venue *venue, struct session *session)
{
	struct nd_result *results[32];

	if (session->endpoint != NULL)
		printf("venue %u: session over: %s\n", venue->number, why_ended(session->endpoint));
	fflush(stdout);
	nd_endpoint_release(session->endpoint);
	must(nd_connector_release(session->connector), "release");
	/* What was outstanding: the next session begins with empty queues. */
	while (nd_cq_get_results(session->inbound, results, RTE_DIM(results)) != 0)
		;
	while (nd_cq_get_results(session->outbound, results, RTE_DIM(results)) != 0)
		;
	session->endpoint = NULL;
	session->state = FREE;
}

static void
session_ask(const struct venue *venue, struct session *session)
{
	must(nd_adapter_create_connector(adapter, &session->connector), "connector");
	session->operation.status = nd_listener_get_connection_request(
		venue->listener, session->connector, pending_new(&session->operation));
	session->state = ASKED;
}

/* Somebody asks for a session. */
static void
session_accept(struct session *session)
{
	must(nd_connector_create_endpoint(session->connector, session->inbound, session->outbound,
		     ORDERS, WRITES, 1, 1, 0, 0, NULL, &session->endpoint),
		"endpoint");
	for (unsigned int i = 0; i < ORDERS; i++)
		session_receive(session, &session->messages[i]);
	session->operation.status = nd_connector_accept(
		session->connector, session->endpoint, NULL, 0, pending_new(&session->operation));
	session->state = ACCEPTING;
}

/* One packet of inline data. No result unless it fails. */
static bool
session_write(struct session *session, enum tick_kind kind, const struct quote *quote)
{
	struct tick tick = {
		.sequence = session->sequence + 1,
		.written_tsc = rte_rdtsc(),
		.kind = (uint8_t)kind,
		.last = tick_mark(session->sequence + 1),
	};
	const struct nd_sge sge = {&tick, sizeof(tick), NULL};
	nd_status status;

	if (quote != NULL) {
		tick.price = quote->price;
		tick.quantity = quote->quantity;
		tick.instrument = quote->instrument;
	}
	status = nd_endpoint_write(session->endpoint, &session->written[tick.sequence % WRITES],
		&sge, 1, &session->ring, tick.sequence % TICK_SLOTS * sizeof(tick),
		ND_OP_FLAG_SILENT_SUCCESS);
	/* So many are not acknowledged yet: this trader misses one, the others do not wait. */
	skipped += status == ND_NO_MORE_ENTRIES;
	if (nd_failed(status))
		return false;
	session->sequence++;
	writes++;
	return true;
}

static void
session_results(struct session *session)
{
	struct nd_timestamp stamps[32];
	struct nd_result *results[32];
	size_t count = nd_cq_get_results_with_timestamps(
		session->inbound, results, stamps, RTE_DIM(results));

	for (size_t i = 0; i < count; i++) {
		struct message *message = (struct message *)results[i];

		if (results[i]->status != ND_SUCCESS)
			continue;
		if (session->state == GREETING) {
			session->ring = message->body.hello.ring;
			session->sequence = 0;
			session->state = OPEN;
		} else {
			/* Not the time at which this loop has come to look. */
			histogram_add(&latency, stamps[i].tsc - message->body.order.written_tsc);
			orders++;
		}
		session_receive(session, message);
	}
	/* Only failures come here; what they mean, the end of the connection tells. */
	while (nd_cq_get_results(session->outbound, results, RTE_DIM(results)) != 0)
		;
}

static void
session_turn(const struct venue *venue, struct session *session)
{
	nd_status status;

	if (session->state == FREE)
		return;
	if (session->state == ASKED || session->state == ACCEPTING) {
		status = pending_look(&session->operation);
		if (status == ND_PENDING)
			return;
		if (nd_failed(status)) {
			session_close(venue, session);
		} else if (session->state == ASKED) {
			session_accept(session);
		} else {
			session->end.status = nd_connector_notify_disconnect(
				session->connector, pending_new(&session->end));
			session->state = GREETING;
		}
		return;
	}
	session_results(session);
	if (pending_look(&session->end) != ND_PENDING)
		session_close(venue, session);
}

/* @return how many are in a state from first to last */
static unsigned int
sessions_in(const struct venue *venue, enum session_state first, enum session_state last)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < TRADERS_MAX; i++)
		count += venue->sessions[i].state >= first && venue->sessions[i].state <= last;
	return count;
}

static void
venue_write(struct venue *venue, enum tick_kind kind, const struct quote *quote, uint64_t now)
{
	for (unsigned int i = 0; i < TRADERS_MAX; i++) {
		struct session *session = &venue->sessions[i];

		if (session->state == OPEN && session_write(session, kind, quote) &&
			kind == TICK_CLOSE)
			session->state = CLOSING;
	}
	venue->written_tsc = now;
}

/* What is due: ticks, or a sign of life. */
static void
venue_publish(struct venue *venue, uint64_t now)
{
	const uint64_t interval = rte_get_tsc_hz() / settings->rate;

	if (venue->ticks == settings->ticks) {
		venue_write(venue, TICK_CLOSE, NULL, now);
	} else if (venue->started && now >= venue->next_tsc && sessions_in(venue, OPEN, OPEN)) {
		venue_write(venue, TICK_PRICE,
			&settings->quotes[venue->ticks % settings->quote_count], now);
		venue->ticks++;
		/* A loop that was late does not send what it has missed all at once. */
		venue->next_tsc = RTE_MAX(venue->next_tsc + interval, now);
	} else if (now - venue->written_tsc >= tsc_of_ms(settings->dead_ms) / 8) {
		venue_write(venue, TICK_HEARTBEAT, NULL, now);
	}
}

static void
venue_turn(struct venue *venue, uint64_t now)
{
	if (sessions_in(venue, ASKED, ASKED) == 0) {
		for (unsigned int i = 0; i < TRADERS_MAX; i++) {
			if (venue->sessions[i].state != FREE)
				continue;
			session_ask(venue, &venue->sessions[i]);
			break;
		}
	}
	for (unsigned int i = 0; i < TRADERS_MAX; i++)
		session_turn(venue, &venue->sessions[i]);
	venue->started |= sessions_in(venue, OPEN, OPEN) >= settings->traders;
	venue_publish(venue, now);
}

static void
venue_make(struct venue *venue, unsigned int number)
{
	venue->number = number;
	for (unsigned int i = 0; i < TRADERS_MAX; i++)
		session_make(&venue->sessions[i]);
	must(nd_adapter_listen(adapter, TRADERS_MAX, EXAMPLE_TCP,
		     htons((uint16_t)(EXAMPLE_PORT + number)), NULL, &venue->listener),
		"listener");
}

/**
 * Let the traders hear of the end and stop polling: a port of net_memif must not go away under a
 * peer that polls it.
 */
static void
linger(void)
{
	const uint64_t end = rte_rdtsc() + tsc_of_ms(LINGER_MS);

	while (rte_rdtsc() < end)
		nd_engine_poll(nd_adapter_engine(adapter));
}

bool
venue_run(const struct settings *chosen)
{
	unsigned int started = 0, over = 0;
	bool steady = false, begun = false;

	settings = chosen;
	adapter = ndtick_open(settings);
	for (unsigned int i = 0; i < settings->venues; i++)
		venue_make(&venues[i], i);
	printf("%u venues listening\n", settings->venues);
	fflush(stdout);
	while (!stopped && over < settings->venues) {
		const uint64_t now = rte_rdtsc();

		nd_engine_poll(nd_adapter_engine(adapter));
		started = over = 0;
		for (unsigned int i = 0; i < settings->venues; i++) {
			struct venue *venue = &venues[i];

			if (steady && venue->ticks == settings->ticks) {
				steady = false;
				ndtick_steady(false);
			}
			venue_turn(venue, now);
			started += venue->started && venue->ticks < settings->ticks;
			over += venue->ticks == settings->ticks &&
				sessions_in(venue, ACCEPTING, CLOSING) == 0;
		}
		if (!begun && started == settings->venues) {
			begun = steady = true;
			ndtick_steady(true);
		}
	}
	if (steady)
		ndtick_steady(false);
	printf("venues: %" PRIu64 " ticks and heartbeats written, %" PRIu64 " skipped, %" PRIu64
	       " orders\n",
		writes, skipped, orders);
	histogram_print(&latency, "tick written to order received");
	fflush(stdout);
	if (!settings->loopback)
		linger();
	nd_adapter_close(adapter);
	return over == settings->venues;
}
