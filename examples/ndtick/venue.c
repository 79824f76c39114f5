/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Venues: each listens, writes its ticks into the rings of all its traders, and receives their
 * orders. All of them are on one engine, in one loop; nothing waits.
 *
 *   FREE -> WAITING (for a trader) -> ACCEPTED (and waits for its descriptor) -> OPEN
 *   OPEN -> CLOSING (the last tick is written; the trader closes its window and disconnects)
 *   ACCEPTED, OPEN, CLOSING -> FREE      the connection is over, or was not made
 */

#include "ndtick.h"

#define LINGER_MS 1000u
#define ORDERS    256u /* receives of a seat */
#define WRITES    256u /* of a seat in flight */

enum seat_state { FREE, WAITING, ACCEPTED, OPEN, CLOSING };

/** A receive: its result comes first, so that it is found by it. */
struct receive {
	struct nd_result result;
	union message message;
};

/** A place for a trader. */
struct seat {
	struct session session;
	enum seat_state state;
	struct nd_mw_descriptor ring;
	uint64_t sequence; /* of the last tick */
	struct receive receives[ORDERS];
	struct nd_result written[WRITES];
};

struct venue {
	unsigned int number;
	struct nd_listener *listener;
	struct seat seats[TRADERS_MAX];
	uint64_t ticks, next_tsc, written_tsc;
	bool started;
};

static struct nd_adapter *adapter;
static struct venue venues[VENUES_MAX];
static struct histogram latency; /* tick written to order received */
static uint64_t writes, skipped;

static void
venue_make(struct venue *venue, unsigned int number)
{
	venue->number = number;
	for (struct seat *seat = venue->seats; seat < venue->seats + TRADERS_MAX; seat++) {
		session_make(&seat->session, adapter, seat->receives, sizeof(seat->receives),
			ORDERS + WRITES);
		must(nd_cq_enable_timestamps(seat->session.cq), "timestamps");
	}
	must(nd_adapter_listen(adapter, TRADERS_MAX, EXAMPLE_TCP,
		     htons((uint16_t)(EXAMPLE_PORT + number)), NULL, &venue->listener),
		"listener");
}

static void
seat_receive(struct seat *seat, struct receive *receive)
{
	const struct nd_sge sge = {&receive->message, sizeof(receive->message), seat->session.mr};

	/* Refused when the connection is over, as those before it tell. */
	(void)nd_endpoint_receive(seat->session.endpoint, &receive->result, &sge, 1);
}

/*
 * A trader has asked for a session. If it gives up later, before it has one, the receives tell.
 * @return false: it has given up
 */
static bool
seat_accept(struct seat *seat)
{
	struct session *session = &seat->session;

	if (nd_failed(nd_connector_create_endpoint(session->connector, session->cq, session->cq,
		    ORDERS, WRITES, 1, 1, 0, 0, NULL, &session->endpoint)))
		return false;
	for (unsigned int i = 0; i < ORDERS; i++)
		seat_receive(seat, &seat->receives[i]);
	seat->state = ACCEPTED;
	return !nd_failed(nd_connector_accept(
		session->connector, session->endpoint, NULL, 0, session_operation(session)));
}

/*
 * @return false: the session is over. When a connection ends, all its receives fail; and a message
 * of another length is none of ours.
 */
static bool
seat_results(struct seat *seat)
{
	struct nd_timestamp stamps[32];
	struct nd_result *results[32];
	const size_t count = nd_cq_get_results_with_timestamps(
		seat->session.cq, results, stamps, RTE_DIM(results));

	for (size_t i = 0; i < count; i++) {
		struct receive *receive = (struct receive *)results[i];

		if (results[i]->status != ND_SUCCESS ||
			results[i]->bytes_transferred != sizeof(receive->message))
			return false;
		if (seat->state == ACCEPTED) {
			seat->ring = receive->message.ring;
			seat->sequence = 0;
			seat->state = OPEN;
		} else {
			/* Not the time at which this loop has come to look. */
			histogram_add(&latency, stamps[i].tsc - receive->message.order.written_tsc);
		}
		seat_receive(seat, receive);
	}
	return true;
}

static void
seat_turn(struct seat *seat, const struct venue *venue)
{
	struct session *session = &seat->session;
	bool good = true;
	nd_status status;

	switch (seat->state) {
	case FREE:
		must(nd_adapter_create_connector(adapter, &session->connector), "connector");
		must(nd_listener_get_connection_request(
			     venue->listener, session->connector, session_operation(session)),
			"connection request");
		seat->state = WAITING;
		break;
	case WAITING:
		status = nd_overlapped_get_result(&session->operation, NULL, false);
		good = status == ND_PENDING || (status == ND_SUCCESS && seat_accept(seat));
		break;
	case ACCEPTED:
	case OPEN:
	case CLOSING:
		good = seat_results(seat);
		break;
	}
	if (good)
		return;
	ndtick_steady(false);
	printf("venue %u: session over: %s\n", venue->number,
		session_why(session, "a message of a wrong length"));
	session_release(session);
	seat->state = FREE;
}

/* To all traders: one packet of inline data each, without a result unless it fails. */
static void
venue_write(struct venue *venue, struct tick tick)
{
	const struct nd_sge sge = {&tick, sizeof(tick), NULL};
	nd_status status;

	for (struct seat *seat = venue->seats; seat < venue->seats + TRADERS_MAX; seat++) {
		if (seat->state != OPEN)
			continue;
		tick.sequence = seat->sequence + 1;
		tick.written_tsc = rte_rdtsc();
		status = nd_endpoint_write(seat->session.endpoint,
			&seat->written[tick.sequence % WRITES], &sge, 1, &seat->ring,
			tick.sequence % TICK_SLOTS * sizeof(tick), ND_OP_FLAG_SILENT_SUCCESS);
		/* So many are not acknowledged yet: this trader misses one, the others get it. */
		skipped += status == ND_NO_MORE_ENTRIES;
		if (nd_failed(status))
			continue;
		seat->sequence++;
		writes++;
		if (tick.kind == TICK_CLOSE)
			seat->state = CLOSING;
	}
}

/* What is due: a tick, the last tick, or a sign of life. */
static void
venue_publish(struct venue *venue, bool open, uint64_t now)
{
	if (venue->ticks == settings.ticks) {
		venue_write(venue, (struct tick){.kind = TICK_CLOSE});
	} else if (venue->started && open && now >= venue->next_tsc) {
		venue_write(venue, input_at(venue->ticks++));
		venue->written_tsc = now;
		/* A loop that was late does not send what it has missed all at once. */
		venue->next_tsc += settings.rate != 0
			? rte_get_tsc_hz() / settings.rate
			: input_at(venue->ticks).pause_ns * (rte_get_tsc_hz() / 1000000) / 1000;
		venue->next_tsc = RTE_MAX(venue->next_tsc, now);
	} else if (now - venue->written_tsc >= tsc_of_ms(settings.dead_ms) / 8) {
		venue_write(venue, (struct tick){.kind = TICK_HEARTBEAT});
		venue->written_tsc = now;
	}
}

/* @return whether all ticks are written, and all sessions are over */
static bool
venue_turn(struct venue *venue)
{
	unsigned int open = 0, busy = 0;

	for (struct seat *seat = venue->seats; seat < venue->seats + TRADERS_MAX; seat++) {
		seat_turn(seat, venue);
		open += seat->state == OPEN;
		busy += seat->state >= ACCEPTED;
	}
	venue->started |= open >= settings.traders;
	venue_publish(venue, open != 0, rte_rdtsc());
	return venue->ticks == settings.ticks && busy == 0;
}

bool
venue_run(uint16_t ethdev, const char *own)
{
	unsigned int over = 0, publishing;
	uint64_t end;

	adapter = ndtick_open(ethdev, own);
	for (unsigned int i = 0; i < settings.venues; i++)
		venue_make(&venues[i], i);
	printf("%" PRIu64 " venues listening\n", settings.venues);
	while (!stopped && over < settings.venues) {
		nd_engine_poll(nd_adapter_engine(adapter));
		over = publishing = 0;
		for (struct venue *venue = venues; venue < venues + settings.venues; venue++) {
			over += venue_turn(venue);
			publishing += venue->started && venue->ticks < settings.ticks;
		}
		ndtick_steady(publishing == settings.venues);
	}
	ndtick_steady(false);
	printf("venues: %" PRIu64 " ticks and heartbeats written, %" PRIu64 " skipped, %" PRIu64
	       " orders\n",
		writes, skipped, latency.count);
	histogram_print(&latency, "tick written to order received");
	/* Traders hear of the end; and a port of net_memif must not go away while they poll it. */
	for (end = rte_rdtsc() + tsc_of_ms(LINGER_MS); rte_rdtsc() < end;)
		nd_engine_poll(nd_adapter_engine(adapter));
	nd_adapter_close(adapter);
	return over == settings.venues;
}
