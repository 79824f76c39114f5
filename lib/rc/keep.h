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
 * Request packets of the peer that have arrived ahead of the expected one (RC-111). They are kept
 * until those before them have come; then the responder takes them as if they came now. Until then
 * nothing is done with them (RC-112): a packet is kept unread, and has no other effect than a
 * delay of the sequence NAK (RC-116).
 *
 * What is kept is bounded twice: for each queue pair by the distance to the expected PSN, and for
 * all queue pairs of an engine by packet buffers. All memory is taken when the engine is made; a
 * queue pair without a gap has none of it.
 */

/** Longest time for which packets are kept while the peer does not close the gap. */
#define RC_KEEP_NS UINT64_C(500000000)

struct rc_keep_config {
	uint32_t mbufs_max; /**< packet buffers that may be held, > 0 */
	/**
	 * How long a sequence NAK waits for reordered packets, of a path that was not found to
	 * reorder more; 0 = not, on any path
	 */
	uint64_t reorder_ns;
	struct base_random *random;
	int socket_id;
};

/** A packet that is kept. Holds a reference to the mbuf. */
struct rc_kept {
	struct base_list node; /**< of its gap, or of the free ones */
	struct rc_kept *chain; /**< next one with the same hash value */
	struct rte_mbuf *mbuf;
	uint32_t qpn;
	struct wire_view view;
};

/** Packets are missing, and others behind them are kept: state of such a queue pair. */
struct rc_gap {
	struct base_list packets; /**< struct rc_kept, as they have arrived; or of the free gaps */
	uint32_t count;           /**< of them */
	uint32_t seen;            /**< packets that were kept since its NAK was delayed */
	bool late;                /**< its NAK is not delayed any more */
	uint64_t nak_ns;          /**< its NAK is delayed until then; 0: not known yet */
	uint64_t end_ns;          /**< what is kept is given up then; 0: not known yet */
};

/** What the queue pairs of an engine keep. Owned by the engine's lcore. */
struct rc_keep {
	struct rc_kept *packets;
	struct rc_gap *gaps;
	struct rc_kept **buckets; /**< by queue pair and PSN */
	uint32_t bucket_mask;
	uint32_t seed; /**< of the hash: nobody can choose PSNs that collide (SEC-048) */
	struct base_list free_packets;
	struct base_list free_gaps;
	uint32_t mbufs; /**< held now; a packet may have several segments */
	uint32_t mbufs_max;
	uint32_t until_look; /**< packets to keep before the pool is looked at again */
	bool pool_low;       /**< what the last look has found */
	uint64_t reorder_ns;
};

/** @return what engine_create() gives to its context; NULL: no memory */
struct rc_keep *rc_keep_create(const struct rc_keep_config *config);

/** Free it. Its queue pairs must be gone. NULL is ignored. */
void rc_keep_destroy(struct rc_keep *keep);

/**
 * Keep a packet ahead of the expected one, if the connection keeps packets, and bounds allow it.
 * Keeps a reference to the mbuf when it does. What it does is counted.
 */
void rc_keep_packet(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view);

/**
 * Take the packet that is expected now, if it is kept.
 * @return NULL: it is not; else the caller takes it in and calls rc_keep_done()
 */
struct rc_kept *rc_keep_next(struct rc_qp *qp);

/** Free a packet that rc_keep_next() has yielded. */
void rc_keep_done(struct rc_qp *qp, struct rc_kept *kept);

/**
 * The expected packet came. What is still kept, if anything, is behind another gap, or behind the
 * rest of the same one.
 * @param closed packets were kept behind the expected one. Then the NAK of the other gap leaves at
 *        once; the rest of the same gap has its time to come, for a peer that goes back sends it
 */
void rc_keep_advanced(struct rc_qp *qp, bool closed);

/** Free what the queue pair keeps. */
void rc_keep_drop(struct rc_qp *qp);

/** @return time before which a sequence NAK is not sent. The queue pair keeps packets. */
uint64_t rc_keep_nak_ns(const struct rc_qp *qp, uint64_t now_ns);

/**
 * Give up what was kept for too long. The queue pair keeps packets.
 * @return when this is to be called again; BASE_TIME_NEVER: nothing is kept any more
 */
uint64_t rc_keep_expire(struct rc_qp *qp, uint64_t now_ns);

#endif
