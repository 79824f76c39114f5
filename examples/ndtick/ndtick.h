/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDTICK_NDTICK_H
#define NDPDK_NDTICK_NDTICK_H

/*
 * Code that both sides share: messages, settings, a histogram, and a session.
 *
 * A venue writes tick n of a session into slot n % TICK_SLOTS of the trader's ring. This is an RDMA
 * WRITE of one packet, which consumes no receive and causes no completion at the trader. The trader
 * polls the next slot in memory. The engine, which places the bytes, runs in the same thread, so a
 * tick is complete when nd_engine_poll() returns. A reader on another core would need a mark in the
 * last byte. Both sides must have the same byte order.
 */

#include <inttypes.h>
#include <signal.h>

#include "../example.h"

#define VENUES_MAX  8u
#define TRADERS_MAX 8u
#define TICK_SLOTS  4096u

enum tick_kind {
	TICK_PRICE = 1,
	TICK_HEARTBEAT, /* no new price; the message shows that the venue is still running */
	TICK_CLOSE,     /* the last tick of the session */
};

struct tick {
	uint64_t sequence; /* number of the tick in its session, from 1 */
	union {
		uint64_t written_tsc; /* venue's TSC at the write; orders return it */
		uint64_t pause_ns;    /* time since the previous tick in ns (input only) */
	};
	uint64_t price;
	uint32_t quantity, instrument;
	enum tick_kind kind;
	uint8_t message[28]; /* first bytes of a captured datagram */
};

static_assert(sizeof(struct tick) == 64, "a tick is one cache line");

/** A message from the trader to a venue. */
union message {
	struct nd_mw_descriptor ring; /* first message: window over the trader's ring */
	struct {
		/* copied from the answered tick */
		uint64_t sequence, written_tsc, price;
		uint32_t quantity, instrument;
	} order; /* all other messages */
};

/** Settings from the command line. main.c has the defaults. */
struct settings {
	uint64_t venues;      /* number of venues, at EXAMPLE_PORT and the following ports */
	uint64_t traders;     /* number of traders for which a venue waits before its first tick */
	uint64_t ticks;       /* number of ticks of each venue */
	uint64_t rate;        /* ticks per second of each venue; 0: use the times in the input */
	uint64_t order_every; /* n: a trader answers every n-th tick of a venue */
	uint64_t dead_ms;     /* time in ms after which a peer that sends nothing counts as dead */
};

extern struct settings settings;
/* True after a signal: a handler sets this variable, and the loops of both sides then end. */
extern volatile sig_atomic_t stopped;

/**
 * Hook for a test, called by each side in each iteration of its loop. steady: all sessions of the
 * side are up. While steady, the thread allocates no memory, takes no lock, and makes no system
 * call. The function does nothing here. A test replaces it at link time.
 */
void ndtick_steady(bool steady);

/**
 * Read a file. @return true: the file is a capture, and its time stamps give the pace of the ticks
 */
bool input_open(const char *path);

/** @return the n-th tick of a venue. After the end of the input, its ticks are repeated. */
struct tick input_at(uint64_t n);

/** @return whether all sessions ended normally */
bool venue_run(uint16_t ethdev, const char *own);
bool trader_run(uint16_t ethdev, const char *own, const char *peer);

/**
 * A histogram of times in TSC cycles. A value's class is the exponent and the first 6 mantissa bits
 * of the value as a float. So a reported value is at most 1/64 too long.
 */
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

/** @return the time in us that permille of 1000 values do not exceed */
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

/**
 * Open an adapter that detects a failed peer within dead_ms. It polls continuously, because the
 * loops of both sides never sleep.
 */
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

/**
 * A session, which has one connection at a time. All its connections use the same memory and the
 * same completion queue.
 */
struct session {
	struct nd_mr *mr;
	struct nd_cq *cq;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	struct nd_overlapped operation; /* the pending call */
};

static inline void
session_make(struct session *session, struct nd_adapter *adapter, void *memory, size_t bytes,
	size_t results)
{
	must(nd_adapter_register_memory(adapter, memory, bytes, NULL, &session->mr), "memory");
	must(nd_adapter_create_completion_queue(adapter, results, &session->cq), "queue");
}

/**
 * @return the structure for the next overlapped call, set to zero. So nd_overlapped_get_result()
 *         also returns ND_SUCCESS for a call that has completed immediately, and never waits.
 */
static inline struct nd_overlapped *
session_operation(struct session *session)
{
	session->operation = (struct nd_overlapped){0};
	return &session->operation;
}

/**
 * @param otherwise text to return if this side ends the session
 * @return text: the reason why the connection ended or the attempt failed
 */
static inline const char *
session_why(const struct session *session, const char *otherwise)
{
	struct nd_end end;

	must(nd_connector_get_end_reason(session->connector, &end), "reason");
	return end.reason == ND_END_NONE ? otherwise : nd_end_reason_text(end.reason);
}

/** Release the connection, and empty the completion queue for the next connection. */
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
