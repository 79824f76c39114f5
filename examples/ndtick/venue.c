/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Venues. Each venue listens, writes its ticks into the rings of its traders, and receives orders.
 * A seat is the place of one trader at a venue. All venues use one engine and run in one loop that
 * never blocks. States of a seat:
 *
 *   FREE -> WAITING (for a trader) -> ACCEPTED (waits for the window's descriptor) -> OPEN
 *   OPEN -> CLOSING (the last tick is written; the trader closes its window and disconnects)
 *   any state but FREE -> FREE           the connection ended, or could not be established
 */

#include <ndpdk/nd_extension.h>

#include "ndtick.h"

#define LINGER_MS 1000u
#define ORDERS    256u /* number of posted receives of a seat */
#define WRITES    256u /* maximum number of outstanding writes of a seat */

enum seat_state { FREE, WAITING, ACCEPTED, OPEN, CLOSING };

/**
 * A receive with its buffer. The result is the first member, so the address of the result is also
 * that of the structure.
 */
struct receive {
	struct nd_result result;
	union message message;
};

/** A seat: the state of one trader's session at a venue. */
struct seat {
	struct session session;
	enum seat_state state;
	struct nd_mw_descriptor ring;
	uint64_t sequence; /* sequence number of the last tick written */
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
static struct histogram latency; /* time from writing a tick until its order arrives */
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

	/*
	 * If the connection is over, this call fails. The receives that were posted before then
	 * report the end.
	 */
	(void)nd_endpoint_receive(seat->session.endpoint, &receive->result, &sge, 1);
}

/*
 * Accept the connection request of a trader. If the trader gives up after this call, the receives
 * fail. @return false: the accept failed
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
 * Take the results of a session. @return false: the session must end. Either the connection has
 * ended, so all receives fail, or a message has a wrong length.
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
			/* Use the time of arrival, not the time at which this loop polls. */
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
	printf("venue %u: session ended: %s\n", venue->number,
		session_why(session, "a message has a wrong length"));
	session_release(session);
	seat->state = FREE;
}

/*
 * Write a tick to each trader, as one packet of inline data. Only a write that fails has a result
 * (silent success).
 */
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
		/* If the queue is full of unacknowledged writes, this trader misses the tick. */
		skipped += status == ND_NO_MORE_ENTRIES;
		if (nd_failed(status))
			continue;
		seat->sequence++;
		writes++;
		if (tick.kind == TICK_CLOSE)
			seat->state = CLOSING;
	}
}

/* If a message is due now, write it: a tick, the last tick (TICK_CLOSE), or a heartbeat. */
static void
venue_publish(struct venue *venue, bool open, uint64_t now)
{
	if (venue->ticks == settings.ticks) {
		venue_write(venue, (struct tick){.kind = TICK_CLOSE});
	} else if (venue->started && open && now >= venue->next_tsc) {
		venue_write(venue, input_at(venue->ticks++));
		venue->written_tsc = now;
		/* If the loop is late, skip the missed times instead of sending a burst. */
		venue->next_tsc += settings.rate != 0
			? rte_get_tsc_hz() / settings.rate
			: input_at(venue->ticks).pause_ns * (rte_get_tsc_hz() / 1000000) / 1000;
		venue->next_tsc = RTE_MAX(venue->next_tsc, now);
	} else if (now - venue->written_tsc >= tsc_of_ms(settings.dead_ms) / 8) {
		venue_write(venue, (struct tick){.kind = TICK_HEARTBEAT});
		venue->written_tsc = now;
	}
}

/*
 * Execute one iteration of a venue's loop. @return true: all ticks are written and all sessions are
 * over
 */
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
	/*
	 * Poll for some time, so that the disconnects are delivered. A second reason is that a
	 * net_memif port must not disappear while traders poll it.
	 */
	for (end = rte_rdtsc() + tsc_of_ms(LINGER_MS); rte_rdtsc() < end;)
		nd_engine_poll(nd_adapter_engine(adapter));
	nd_adapter_close(adapter);
	return over == settings.venues;
}
