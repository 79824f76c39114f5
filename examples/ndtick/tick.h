/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDTICK_TICK_H
#define NDPDK_NDTICK_TICK_H

/*
 * What goes over the wire, and the ring that ticks are written into.
 *
 * A venue writes tick n of a session into slot n % TICK_SLOTS of the trader's ring: one RDMA WRITE
 * of one packet, which takes no receive and causes no completion at the trader. The trader polls
 * the slot that comes next. The engine, which places the bytes, runs in the thread that reads them,
 * so a tick is whole when nd_engine_poll() returns; a reader on another core would need a mark in
 * the last byte. A trader that is slower than a whole ring finds a later sequence in the slot, and
 * knows how many ticks it has lost; nothing waits for it.
 *
 * The trader's first message is the struct nd_mw_descriptor of the window over its ring, all others
 * are struct order. Both sides have the same byte order here.
 */

#include <stdint.h>

#include <ndpdk/nd.h>

#define TICK_SLOTS 4096u

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
	uint32_t quantity;
	uint32_t instrument;
	enum tick_kind kind;
	uint8_t message[28]; /* of a captured one, its first bytes */
};

static_assert(sizeof(struct tick) == 64, "a tick is one cache line");

struct order {
	uint64_t sequence; /* of the tick that it answers, with its time and price */
	uint64_t written_tsc;
	uint64_t price;
	uint32_t quantity;
	uint32_t instrument;
};

struct tick_ring {
	struct tick *slots; /* registered, TICK_SLOTS of them */
	uint64_t next;      /* sequence that is expected */
	uint64_t lost;      /* overwritten before they were read */
};

/** @return the next tick, which is whole and stays until the engine's next turn; NULL: not yet */
static inline const struct tick *
tick_ring_take(struct tick_ring *ring)
{
	const struct tick *tick = &ring->slots[ring->next % TICK_SLOTS];

	if (tick->sequence < ring->next)
		return NULL;
	ring->lost += tick->sequence - ring->next;
	ring->next = tick->sequence + 1;
	return tick;
}

#endif
