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
 * Out-of-order request packets: packets of the peer that arrived before a packet with an earlier
 * PSN (RC-111). They are kept until the missing packets have arrived. The responder then processes
 * the kept packets as if they had just arrived. While a packet is kept, it is not parsed further,
 * and its only effect is a delay of the sequence NAK (RC-112, RC-116).
 *
 * There are two limits: per queue pair, the distance to the expected PSN; for all queue pairs of an
 * engine, the number of packet buffers. All memory is allocated when the engine is created. A queue
 * pair without a gap uses none of it.
 */

/** Time after which kept packets are dropped if the gap is still open. */
#define RC_KEEP_NS UINT64_C(500000000)

struct rc_keep_config {
	uint32_t mbufs_max; /**< maximum number of packet buffers held, > 0 */
	/**
	 * Delay of a sequence NAK, in nanoseconds, because the missing packet may only be
	 * reordered. The delay is longer on a path where longer reordering was measured. 0: no
	 * delay on any path.
	 */
	uint64_t reorder_ns;
	struct base_random *random;
	int socket_id;
};

/** A kept packet. Holds a reference to its mbuf. */
struct rc_kept {
	struct base_list node; /**< node in the list of a gap's packets, or of the free packets */
	struct rc_kept *chain;
	struct rte_mbuf *mbuf;
	uint32_t qpn;
	struct wire_view view;
};

/** State of a queue pair that keeps packets. A gap consists of PSNs missing before them. */
struct rc_gap {
	/**
	 * list of struct rc_kept in order of arrival; for a free gap: node in the list of free gaps
	 */
	struct base_list packets;
	uint32_t count;  /**< number of kept packets */
	uint32_t seen;   /**< number of packets kept while the NAK of this gap is delayed */
	bool late;       /**< true if the NAK must be sent without further delay */
	uint64_t nak_ns; /**< time until which the NAK is delayed; 0 = not yet determined */
	uint64_t end_ns; /**< time at which the kept packets are dropped; 0 = not yet determined */
};

/** Kept packets of all queue pairs of an engine. Owned by the engine's lcore. */
struct rc_keep {
	struct rc_kept *packets;
	struct rc_gap *gaps;
	struct rc_kept **buckets; /**< hash table; key: QPN and PSN */
	uint32_t bucket_mask;
	/** random hash seed against an attacker who chooses colliding PSNs (SEC-048) */
	uint32_t seed;
	struct base_list free_packets;
	struct base_list free_gaps;
	uint32_t mbufs; /**< number of mbufs held now; a packet may have several segments */
	uint32_t mbufs_max;
	/** number of packets that may be kept before the next check of the mbuf pool */
	uint32_t until_look;
	bool pool_low; /**< result of the last check of the mbuf pool */
	uint64_t reorder_ns;
};

/**
 * Create a store, which the caller puts into the context (rc_context.keep). @return NULL if out of
 * memory
 */
struct rc_keep *rc_keep_create(const struct rc_keep_config *config);

/** Free the store. The caller has destroyed its queue pairs. NULL is ignored. */
void rc_keep_destroy(struct rc_keep *keep);

/**
 * Keep a packet that arrived after a gap, if the connection keeps packets and the limits allow it.
 * Takes a reference to the mbuf if the packet is kept. Counts the result.
 */
void rc_keep_packet(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view);

/**
 * Remove the packet with the expected PSN from the store.
 * @return the packet, which the caller processes and passes to rc_keep_done(); NULL if it is not in
 *         the store
 */
struct rc_kept *rc_keep_next(struct rc_qp *qp);

/** Free a packet that rc_keep_next() returned. */
void rc_keep_done(struct rc_qp *qp, struct rc_kept *kept);

/**
 * Called when the expected packet was processed. If packets are still kept, some PSNs before them
 * are missing, which are the rest of the old gap or a new gap.
 * @param closed true if kept packets directly followed the expected packet, so that a new gap
 *         begins. The NAK of a new gap is not delayed, unless the path was found to reorder packets
 *         (rc_reorder_known()). The NAK of the rest of the old gap gets the full delay, because a
 *         peer that retransmits everything will send the rest without a NAK
 */
void rc_keep_advanced(struct rc_qp *qp, bool closed);

void rc_keep_drop(struct rc_qp *qp);

/** @return earliest time of a sequence NAK; valid only while the queue pair keeps packets */
uint64_t rc_keep_nak_ns(const struct rc_qp *qp, uint64_t now_ns);

/**
 * Drop the packets if they were kept for RC_KEEP_NS. Call only while the queue pair keeps packets.
 * @return time of the next call; BASE_TIME_NEVER if no packet is kept any more
 */
uint64_t rc_keep_expire(struct rc_qp *qp, uint64_t now_ns);

#endif
