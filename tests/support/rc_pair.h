/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_RC_PAIR_H
#define NDPDK_SUPPORT_RC_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_trace.h>

#include "support/rc_peer.h"

/*
 * Two queue pairs joined back to back, in virtual time: a perfect wire without latency, and one
 * that drops, repeats and reorders packets as a seed says. Every request must complete once, with
 * success, and with the right bytes at the right place; and who reads along must find no fault.
 */

#define RC_PAIR_BASE     UINT64_C(0x5000000)
#define RC_PAIR_BYTES    (1u << 18) /* of the memory of each end */
#define RC_PAIR_LONG     65536u     /* bytes of a long request */
#define RC_PAIR_LINK_MAX 4096

/*
 * From the lower half of one memory to the upper half of the other, odd offsets, neighbours
 * untouched.
 */
#define RC_PAIR_FROM 33
#define RC_PAIR_TO   (RC_PAIR_BYTES / 2 + 7)

struct rc_pair_packet {
	struct rte_mbuf *mbuf;
	struct rc_peer *to;
	uint64_t due_ns;
	uint64_t order; /* of two due at the same time, the older goes first */
};

struct rc_pair_end {
	struct rc_peer peer;
	struct mem_region *region;
	uint8_t *memory;
	struct rc_pair_end *other;
	uint64_t adds; /* posted: what the next one must find in the other's memory */
};

struct rc_pair {
	struct rc_pair_end a;
	struct rc_pair_end b;
	/* Wire: of 1000 packets so many are dropped, repeated, and late. */
	unsigned drop;
	unsigned duplicate;
	unsigned late;
	bool selective; /* both requesters recover selectively */
	uint16_t keep;  /* packets that both responders keep */
	uint64_t seed;
	uint64_t state;
	struct rc_pair_packet link[RC_PAIR_LINK_MAX];
	unsigned link_count;
	uint64_t link_order;
	uint64_t now_ns;
	struct nd_trace *trace; /* follows what is sent */
};

/** The pair; rc_pair_lossy() begins another one. */
extern struct rc_pair rc_pair;

/** Forget the pair, and make a wire. @param drop, duplicate, late packets of 1000 */
void rc_pair_lossy(uint64_t seed, unsigned drop, unsigned duplicate, unsigned late);

/** How both ends recover, behind rc_pair_lossy(). @param keep packets that responders keep */
void rc_pair_recovery(bool selective, uint16_t keep);

/** Connect both ends. @param first_psn of the requests of end a */
void rc_pair_start(uint16_t pmtu_bytes, uint32_t first_psn);

/** Asserts that no rule was broken and nothing is left over, and releases everything. */
void rc_pair_stop(void);

/** @return 31 bits that follow from the seed */
uint32_t rc_pair_random(void);

/** rc_qp_progress() of an end, and its packets to the wire. @return its result */
bool rc_pair_progress(struct rc_pair_end *end);

/** Deliver what is due next, up to a burst; something has to be on the wire. */
void rc_pair_deliver(void);

/** Until nothing moves any more and nobody waits for time. */
void rc_pair_run(void);

/** Post a request of an end, over bytes at an offset of its memory. */
void rc_pair_post(struct rc_pair_end *end, struct rc_send_wr *wr, uint64_t offset, uint32_t bytes);

/** The next completion is this one, with success. */
void rc_pair_expect(struct rc_cq *cq, enum rc_completion_kind kind, void *context, uint32_t bytes);

void
rc_pair_expect_equal(const uint8_t *got, const uint8_t *want, uint32_t bytes, const char *what);

/** Fill the memory of a message, and what is to receive it. */
void rc_pair_prepare(struct rc_pair_end *from, struct rc_pair_end *to, uint32_t bytes);

/** The message of rc_pair_prepare() has arrived, and nothing beside it has changed. */
void
rc_pair_check(struct rc_pair_end *from, struct rc_pair_end *to, uint32_t bytes, const char *what);

/** Each operation with each interesting size, one after the other. */
void rc_pair_all_sizes(uint16_t pmtu);

/** Many requests at once, in both directions, so many times. */
void rc_pair_batches(unsigned count);

#endif
