/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SUPPORT_RC_PAIR_H
#define NDPDK_SUPPORT_RC_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_trace.h>

#include "support/rc_peer.h"

/*
 * Two queue pairs connected to each other, in virtual time. The test selects a wire. The perfect
 * wire has no latency. The lossy wire drops, duplicates and reorders packets at random, controlled
 * by a seed. Every request must complete once, with success, and place the right bytes at the right
 * address. A trace that follows the packets must find no violation.
 */

#define RC_PAIR_BASE     UINT64_C(0x5000000)
#define RC_PAIR_BYTES    (1u << 18) /* size of the memory of each end, in bytes */
#define RC_PAIR_LONG     65536u     /* size of a long request, in bytes */
#define RC_PAIR_LINK_MAX 4096

/*
 * Messages go from the lower half of one end's memory to the upper half of the peer's memory.
 * Offsets are odd. The bytes around the destination must not change.
 */
#define RC_PAIR_FROM 33
#define RC_PAIR_TO   (RC_PAIR_BYTES / 2 + 7)

struct rc_pair_packet {
	struct rte_mbuf *mbuf;
	struct rc_peer *to;
	uint64_t due_ns;
	/* delivery order of packets that are due at the same time, lowest first */
	uint64_t order;
};

struct rc_pair_end {
	struct rc_peer peer;
	struct mem_region *region;
	uint8_t *memory;
	struct rc_pair_end *other;
	/*
	 * Number of FETCH_ADDs posted. The next FETCH_ADD must find this value in the peer's
	 * memory.
	 */
	uint64_t adds;
};

struct rc_pair {
	struct rc_pair_end a;
	struct rc_pair_end b;
	/* Numbers of packets per 1000 that the wire drops, duplicates and delays. */
	unsigned drop;
	unsigned duplicate;
	unsigned late;
	bool selective;
	uint16_t keep; /* maximum number of packets that each responder may keep */
	uint64_t seed;
	uint64_t state;
	struct rc_pair_packet link[RC_PAIR_LINK_MAX];
	unsigned link_count;
	uint64_t link_order;
	uint64_t now_ns;
	struct nd_trace *trace;
};

/** The pair under test. rc_pair_lossy() replaces it. */
extern struct rc_pair rc_pair;

/** Reset the pair and create a wire. @param drop, duplicate, late numbers of packets per 1000 */
void rc_pair_lossy(uint64_t seed, unsigned drop, unsigned duplicate, unsigned late);

/**
 * Set the recovery of both ends, after rc_pair_lossy(). @param keep maximum packets per responder
 */
void rc_pair_recovery(bool selective, uint16_t keep);

/** Connect both ends. @param first_psn first PSN of the requests of end a */
void rc_pair_start(uint16_t pmtu_bytes, uint32_t first_psn);

/** Assert that no rule was violated and no packet or buffer is left. Release everything. */
void rc_pair_stop(void);

/** @return 31 pseudo-random bits, determined by the seed */
uint32_t rc_pair_random(void);

bool rc_pair_progress(struct rc_pair_end *end);

/** Deliver the packets that are due next, at most one burst. The wire must not be empty. */
void rc_pair_deliver(void);

/** Run both ends until no packet is in flight and no timer is pending. */
void rc_pair_run(void);

/** Post a request that uses `bytes` bytes at this offset of the end's memory. */
void rc_pair_post(struct rc_pair_end *end, struct rc_send_wr *wr, uint64_t offset, uint32_t bytes);

void rc_pair_expect(struct rc_cq *cq, enum rc_completion_kind kind, void *context, uint32_t bytes);

void
rc_pair_expect_equal(const uint8_t *got, const uint8_t *want, uint32_t bytes, const char *what);

/** Fill the memory of a message: at `from` with its data, at `to` with different bytes. */
void rc_pair_prepare(struct rc_pair_end *from, struct rc_pair_end *to, uint32_t bytes);

/** Assert that the message of rc_pair_prepare() has arrived and no byte around it has changed. */
void
rc_pair_check(struct rc_pair_end *from, struct rc_pair_end *to, uint32_t bytes, const char *what);

void rc_pair_all_sizes(uint16_t pmtu);

void rc_pair_batches(unsigned count);

#endif
