/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_KEEP_H
#define NDPDK_RC_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "base/list.h"
#include "base/random.h"
#include "wire/parse.h"

struct rc_qp;

/*
 * Out-of-order request packets: packets of the peer that arrived ahead of the expected PSN
 * (RC-111). They are kept until the missing packets have arrived. Then the responder processes them
 * as if they arrived at that time. Until then, a kept packet is not parsed further and has no
 * effect (RC-112), except that it delays the sequence NAK (RC-116).
 *
 * There are two limits: per queue pair, the distance to the expected PSN; for all queue pairs of an
 * engine, the number of packet buffers. All memory is allocated when the engine is created. A queue
 * pair without a gap uses none of it.
 */

/** Packets are dropped if the peer does not close the gap within this time. */
#define RC_KEEP_NS UINT64_C(500000000)

struct rc_keep_config {
	uint32_t mbufs_max; /**< maximum number of packet buffers held, > 0 */
	/**
	 * Delay of a sequence NAK to wait for reordered packets, in nanoseconds. A path that was
	 * found to reorder more gets a longer delay. 0: no delay on any path.
	 */
	uint64_t reorder_ns;
	struct base_random *random;
	int socket_id;
};

/** A kept packet. Holds a reference to its mbuf. */
struct rc_kept {
	struct base_list node; /**< links the packets of a gap, or the free packets */
	struct rc_kept *chain; /**< next packet in the same hash bucket */
	struct rte_mbuf *mbuf;
	uint32_t qpn;
	struct wire_view view;
};

/** State of a queue pair that keeps packets: the gap is the range of missing PSNs before them. */
struct rc_gap {
	/** list of struct rc_kept in order of arrival; or links the free gaps */
	struct base_list packets;
	uint32_t count;  /**< number of kept packets */
	uint32_t seen;   /**< packets kept since the NAK of this gap was delayed */
	bool late;       /**< the NAK is not delayed any more */
	uint64_t nak_ns; /**< time at which the delayed NAK is sent; 0: not determined yet */
	uint64_t end_ns; /**< time at which the kept packets are dropped; 0: not determined yet */
};

/** Kept packets of all queue pairs of an engine. Owned by the engine's lcore. */
struct rc_keep {
	struct rc_kept *packets;
	struct rc_gap *gaps;
	struct rc_kept **buckets; /**< hash table; key: QPN and PSN */
	uint32_t bucket_mask;
	/** random hash seed, so that an attacker cannot choose colliding PSNs (SEC-048) */
	uint32_t seed;
	struct base_list free_packets;
	struct base_list free_gaps;
	uint32_t mbufs; /**< mbufs held now; a packet may have several segments */
	uint32_t mbufs_max;
	/** packets to keep until the fill level of the mbuf pool is checked again */
	uint32_t until_look;
	bool pool_low; /**< result of the last check */
	uint64_t reorder_ns;
};

/** @return the store that engine_create() puts into the context; NULL: no memory */
struct rc_keep *rc_keep_create(const struct rc_keep_config *config);

/** Free the store. Its queue pairs must be destroyed before. NULL is ignored. */
void rc_keep_destroy(struct rc_keep *keep);

/**
 * Keep a packet ahead of the expected PSN, if the connection keeps packets and the limits allow it.
 * Takes a reference to the mbuf if the packet is kept. Counts the result.
 */
void rc_keep_packet(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view);

/**
 * Remove the packet with the expected PSN from the store.
 * @return NULL: this packet is not kept; else the caller processes it and calls rc_keep_done()
 */
struct rc_kept *rc_keep_next(struct rc_qp *qp);

/** Free a packet that rc_keep_next() returned. */
void rc_keep_done(struct rc_qp *qp, struct rc_kept *kept);

/**
 * The expected packet was processed. Packets that are still kept are after another gap, or after
 * the rest of the same gap.
 * @param closed kept packets directly followed the expected packet. Then the NAK of the next gap is
 *        not delayed, unless the path was found to reorder (rc_reorder_known()). Otherwise the rest
 *        of the same gap gets the full delay, because a peer that goes back retransmits it
 */
void rc_keep_advanced(struct rc_qp *qp, bool closed);

/** Drop all packets that the queue pair keeps. */
void rc_keep_drop(struct rc_qp *qp);

/** @return earliest time of a sequence NAK. The queue pair must keep packets. */
uint64_t rc_keep_nak_ns(const struct rc_qp *qp, uint64_t now_ns);

/**
 * Drop packets that were kept for RC_KEEP_NS. The queue pair must keep packets.
 * @return time of the next call; BASE_TIME_NEVER: no packet is kept any more
 */
uint64_t rc_keep_expire(struct rc_qp *qp, uint64_t now_ns);

#endif
