/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDTICK_NDTICK_H
#define NDPDK_NDTICK_NDTICK_H

/*
 * What both sides share: the messages, the settings, a histogram, and a session.
 *
 * A venue writes tick n of a session into slot n % TICK_SLOTS of the trader's ring: one RDMA WRITE
 * of one packet, which takes no receive and causes no completion at the trader. The trader polls
 * the slot that comes next. The engine, which places the bytes, runs in the thread that reads them,
 * so a tick is whole when nd_engine_poll() returns; a reader on another core would need a mark in
 * the last byte. Both sides have the same byte order here.
 */

#include <inttypes.h>
#include <signal.h>

#include "../example.h"

#define VENUES_MAX  8u
#define TRADERS_MAX 8u
#define TICK_SLOTS  4096u

enum tick_kind {
	TICK_PRICE = 1,
	TICK_HEARTBEAT, /* nothing has happened, and the venue is alive */
	TICK_CLOSE,     /* the last one of the session */
};

struct tick {
	uint64_t sequence; /* of the session, from 1 on */
	union {
		uint64_t written_tsc; /* clock of the venue; an order brings it back */
		uint64_t pause_ns;    /* of the input: since the tick before it */
	};
	uint64_t price;
	uint32_t quantity, instrument;
	enum tick_kind kind;
	uint8_t message[28]; /* of a captured one, its first bytes */
};

static_assert(sizeof(struct tick) == 64, "a tick is one cache line");

/** A message of the trader. */
union message {
	struct nd_mw_descriptor ring; /* the first one: the window over its ring */
	struct {
		uint64_t sequence, written_tsc, price; /* of the tick that it answers */
		uint32_t quantity, instrument;
	} order; /* all others */
};

/** From the command line: main.c has the defaults. */
struct settings {
	uint64_t venues;      /* they listen at EXAMPLE_PORT and the ports behind it */
	uint64_t traders;     /* that a venue waits for before its first tick */
	uint64_t ticks;       /* of each venue */
	uint64_t rate;        /* ticks of a venue per second; 0: as they were captured */
	uint64_t order_every; /* a trader answers each n-th tick of a venue */
	uint64_t dead_ms;     /* who is silent for so long is dead */
};

extern struct settings settings;
extern volatile sig_atomic_t stopped; /* by a signal: both loops end */

/**
 * Each side tells in each turn whether all its sessions are up. While they are, its thread takes no
 * memory, no lock, and makes no system call. The function does nothing; whoever watches the program
 * links another one in its place.
 */
void ndtick_steady(bool steady);

/** Read a file. @return whether it is a capture, which has a pace */
bool input_open(const char *path);

/** @return what a venue publishes as its n-th tick: the input is repeated */
struct tick input_at(uint64_t n);

/** @return whether all sessions came to their end */
bool venue_run(uint16_t ethdev, const char *own);
bool trader_run(uint16_t ethdev, const char *own, const char *peer);

/** Times in cycles. The class is the exponent and 6 bits of a float: at most 1/64 too long. */
struct histogram {
	uint64_t count, max, classes[1u << 14];
};

union histogram_value {
	float cycles;
	uint32_t bits;
};

static inline void
histogram_add(struct histogram *histogram, uint64_t cycles)
{
	const union histogram_value value = {.cycles = (float)cycles};

	histogram->classes[value.bits >> 17]++;
	histogram->count++;
	histogram->max = RTE_MAX(histogram->max, cycles);
}

/** @return in us, what so many parts of 1000 do not exceed */
static inline double
histogram_us(const struct histogram *histogram, uint64_t permille)
{
	const uint64_t wanted = (histogram->count * permille + 999) / 1000;
	union histogram_value end = {.bits = 0};

	for (uint64_t i = 0, seen = 0; seen < wanted; i++) {
		seen += histogram->classes[i];
		end.bits = (uint32_t)(i + 1) << 17;
	}
	return RTE_MIN((double)end.cycles, (double)histogram->max) * 1e6 / (double)rte_get_tsc_hz();
}

static inline void
histogram_print(const struct histogram *histogram, const char *what)
{
	printf("%s: %" PRIu64 ", p50 %.2f us, p99 %.2f us, p99.9 %.2f us, max %.2f us\n", what,
		histogram->count, histogram_us(histogram, 500), histogram_us(histogram, 990),
		histogram_us(histogram, 999), histogram_us(histogram, 1000));
}

static inline uint64_t
tsc_of_ms(uint64_t ms)
{
	return rte_get_tsc_hz() / 1000 * ms;
}

/** An adapter that notices in time that a peer is gone. The loops of both sides never pause. */
static inline struct nd_adapter *
ndtick_open(uint16_t ethdev, const char *own)
{
	struct nd_adapter_config config = {
		.port_id = ethdev,
		.path_mtu = 1024,
		.peer_timeout_ms = (uint32_t)settings.dead_ms,
		.busy_poll = true,
	};

	return open_adapter(&config, own);
}

/** One connection after the other, over the same memory and the same queue of results. */
struct session {
	struct nd_mr *mr;
	struct nd_cq *cq;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_overlapped operation; /* the call that leads to the next state */
};

static inline void
session_make(struct session *session, struct nd_adapter *adapter, void *memory, size_t bytes,
	size_t results)
{
	must(nd_adapter_register_memory(adapter, memory, bytes, NULL, &session->mr), "memory");
	must(nd_adapter_create_completion_queue(adapter, results, &session->cq), "queue");
}

/**
 * @return for the next call. Zeroed, it tells ND_SUCCESS also when that has done all at once;
 * nd_overlapped_get_result() looks at it, and does not wait.
 */
static inline struct nd_overlapped *
session_operation(struct session *session)
{
	session->operation = (struct nd_overlapped){0};
	return &session->operation;
}

/** @return why it is over, or could not begin; otherwise: this side gives it up */
static inline const char *
session_why(const struct session *session, const char *otherwise)
{
	struct nd_end end;

	must(nd_connector_get_end_reason(session->connector, &end), "reason");
	return end.reason == ND_END_NONE ? otherwise : nd_end_reason_text(end.reason);
}

/** The next connection begins with an empty queue. */
static inline void
session_release(struct session *session)
{
	struct nd_result *result;

	nd_endpoint_release(session->endpoint);
	must(nd_connector_release(session->connector), "release");
	while (nd_cq_get_results(session->cq, &result, 1) != 0)
		;
	session->endpoint = NULL;
}

#endif
