/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDTICK_TICK_H
#define NDPDK_NDTICK_TICK_H

/*
 * What goes over the wire, and the ring that ticks are written into.
 *
 * A venue writes tick n of a session into slot n % slots of the trader's ring: one RDMA WRITE of
 * one packet, which takes no receive and causes no completion at the trader. The trader looks at
 * the slot that comes next. A tick is whole when its sequence is the one that is expected and the
 * last byte says so as well: memory that is polled from another core than the one that places the
 * packet may show a part of it first. A trader that is slower than a whole ring finds a later
 * sequence in the slot, and knows how many ticks it has lost; nothing waits for it.
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <ndpdk/nd.h>

#define TICK_SLOTS 4096u /* power of two */

enum tick_kind {
	TICK_PRICE = 1,
	TICK_HEARTBEAT, /* nothing has happened, and the venue is alive */
	TICK_CLOSE,     /* the last one of the session */
};

/** One line: it never crosses a packet. Both sides have the same byte order here. */
struct tick {
	uint64_t sequence;    /* of the session, from 1 on */
	uint64_t written_tsc; /* clock of the venue; an order brings it back */
	uint64_t price;
	uint32_t quantity;
	uint32_t instrument;
	uint8_t kind;
	uint8_t unused[30];
	uint8_t last; /* tick_mark() of the sequence */
};

static_assert(sizeof(struct tick) == 64, "a tick is one line");

/** First message of a trader: where the venue may write. */
struct hello {
	struct nd_mw_descriptor ring;
	uint32_t slots;
};

/** All other messages of a trader. */
struct order {
	uint64_t sequence; /* of the tick that it answers, with its time and price */
	uint64_t written_tsc;
	uint64_t price;
	uint32_t quantity;
	uint32_t instrument;
};

/** @return never 0, which is what an unused slot has */
static inline uint8_t
tick_mark(uint64_t sequence)
{
	return (uint8_t)(sequence % 255 + 1);
}

struct tick_ring {
	struct tick *slots; /* registered, TICK_SLOTS of them */
	uint64_t next;      /* sequence that is expected */
	uint64_t lost;      /* overwritten before they were read */
};

/** Take the next tick. @return false: it is not there yet */
static inline bool
tick_ring_take(struct tick_ring *ring, struct tick *tick)
{
	const struct tick *slot = &ring->slots[ring->next % TICK_SLOTS];
	const uint64_t sequence = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);

	if (sequence < ring->next)
		return false;
	memcpy(tick, slot, sizeof(*tick));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	/* Half of it, or overwritten while it was copied: look again in the next turn. */
	if (tick->last != tick_mark(sequence) || tick->sequence != sequence ||
		__atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) != sequence)
		return false;
	ring->lost += sequence - ring->next;
	ring->next = sequence + 1;
	return true;
}

#endif
