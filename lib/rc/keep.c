/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/keep.h"

#include <rte_jhash.h>
#include <rte_malloc.h>

#include "base/assert.h"
#include "base/encoded_time.h"
#include "base/psn.h"
#include "rc/qp.h"

/*
 * All queue pairs share a hash table of kept packets. The key is the QPN and the PSN. So the cost
 * of a look-up does not depend on the order or the number of the packets. A gap exists while at
 * least one packet is kept.
 *
 * If a peer opens gaps and does not close them, it can only use up the memory for kept packets. All
 * queue pairs then recover as if they kept no packets. The mbufs may belong to the pool of another
 * engine, or of the peer if both ports are in this process. Therefore one packet in
 * PACKETS_PER_LOOK is used to check a pool: the pool of its mbuf. If at most a quarter of this pool
 * is free, no packet of any pool is kept until the next check, and a queue pair that would keep a
 * packet drops the packets that it has kept.
 */

/**
 * A pool is checked for one packet in this number, kept or refused. The interval is long, because a
 * check reads the cache of each lcore.
 */
#define PACKETS_PER_LOOK 32

struct rc_keep *
rc_keep_create(const struct rc_keep_config *config)
{
	uint32_t count = config->mbufs_max, buckets = rte_align32pow2(count);
	size_t bytes = sizeof(struct rc_keep) +
		count * (sizeof(struct rc_kept) + sizeof(struct rc_gap)) +
		buckets * sizeof(struct rc_kept *);
	struct rc_keep *keep = rte_zmalloc_socket("rc_keep", bytes, 0, config->socket_id);

	BASE_ASSERT(count > 0);
	if (keep == NULL)
		return NULL;
	keep->packets = (struct rc_kept *)(keep + 1);
	keep->gaps = (struct rc_gap *)(keep->packets + count);
	keep->buckets = (struct rc_kept **)(keep->gaps + count);
	keep->bucket_mask = buckets - 1;
	keep->seed = base_random_u32(config->random);
	keep->mbufs_max = count;
	keep->reorder_ns = config->reorder_ns;
	base_list_init(&keep->free_packets);
	base_list_init(&keep->free_gaps);
	for (uint32_t i = 0; i < count; i++) {
		base_list_append(&keep->free_packets, &keep->packets[i].node);
		base_list_append(&keep->free_gaps, &keep->gaps[i].packets);
	}
	return keep;
}

void
rc_keep_destroy(struct rc_keep *keep)
{
	BASE_ASSERT(keep == NULL || keep->mbufs == 0);
	rte_free(keep);
}

/** @return head of the chain of this packet's bucket */
static struct rc_kept **
bucket(const struct rc_keep *keep, uint32_t qpn, uint32_t psn)
{
	return &keep->buckets[rte_jhash_2words(qpn, psn, keep->seed) & keep->bucket_mask];
}

/** @return the link that points to the packet, or a link that is NULL if the packet is not kept */
static struct rc_kept **
find(const struct rc_keep *keep, uint32_t qpn, uint32_t psn)
{
	struct rc_kept **at = bucket(keep, qpn, psn);

	while (*at != NULL && ((*at)->qpn != qpn || (*at)->view.bth.psn != psn))
		at = &(*at)->chain;
	return at;
}

/** @return true if, at the last check, at most a quarter of the checked pool was free */
static bool
pool_low(struct rc_keep *keep, const struct rte_mbuf *mbuf)
{
	const struct rte_mempool *pool = mbuf->pool;

	if (keep->until_look-- == 0) {
		keep->pool_low = rte_mempool_avail_count(pool) <= pool->size / 4;
		keep->until_look = PACKETS_PER_LOOK - 1;
	}
	return keep->pool_low;
}

/** Allocate the gap state before the first packet is kept. */
static struct rc_gap *
gap_open(struct rc_qp *qp)
{
	struct rc_keep *keep = qp->ctx->keep;
	struct base_list *node = base_list_first(&keep->free_gaps);
	struct rc_gap *gap = base_list_entry(node, struct rc_gap, packets);

	BASE_ASSERT(node != NULL); /* as many as packets */
	base_list_remove(node);
	gap->count = 0;
	gap->seen = 0;
	gap->late = false;
	gap->nak_ns = 0;
	gap->end_ns = 0;
	qp->gap = gap;
	qp->responder.keeping = true;
	return gap;
}

static void
gap_end(struct rc_qp *qp)
{
	BASE_ASSERT(base_list_empty(&qp->gap->packets));
	base_list_append(&qp->ctx->keep->free_gaps, &qp->gap->packets);
	qp->gap = NULL;
	qp->responder.keeping = false;
}

/* Remove a packet from the store. @param at link that points to the packet in its chain */
static void
take_out(struct rc_qp *qp, struct rc_kept **at)
{
	struct rc_kept *kept = *at;

	BASE_ASSERT(kept != NULL);
	*at = kept->chain;
	base_list_remove(&kept->node);
	if (--qp->gap->count == 0)
		gap_end(qp);
}

static void
refuse(struct rc_qp *qp)
{
	qp->ctx->counters.rx_keep_full++;
	if (qp->gap != NULL)
		/* no delay of the NAK, because the peer must retransmit this packet anyway */
		qp->gap->late = true;
}

static void
keep(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view, struct rc_kept **at)
{
	struct rc_keep *store = qp->ctx->keep;
	struct rc_gap *gap = qp->gap != NULL ? qp->gap : gap_open(qp);
	struct rc_kept *kept =
		base_list_entry(base_list_first(&store->free_packets), struct rc_kept, node);

	base_list_remove(&kept->node);
	base_list_append(&gap->packets, &kept->node);
	rte_pktmbuf_refcnt_update(mbuf, 1);
	store->mbufs += mbuf->nb_segs;
	*kept = (struct rc_kept){.node = kept->node, .mbuf = mbuf, .qpn = qp->qpn, .view = *view};
	*at = kept;
	gap->count++;
	gap->seen++;
	qp->ctx->counters.rx_kept++;
}

void
rc_keep_packet(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view)
{
	struct rc_keep *store = qp->ctx->keep;
	uint32_t psn = view->bth.psn;
	struct rc_kept **at;

	BASE_ASSERT(psn_diff(psn, qp->responder.expected_psn) > 0);
	if (qp->connection.keep_packets == 0 || store == NULL)
		return;
	at = find(store, qp->qpn, psn);
	if (*at != NULL) {
		qp->ctx->counters.rx_kept_duplicates++;
		return;
	}
	if (psn_distance(psn, qp->responder.expected_psn) > qp->connection.keep_packets ||
		store->mbufs_max - store->mbufs < mbuf->nb_segs) {
		refuse(qp);
	} else if (pool_low(store, mbuf)) {
		refuse(qp);
		rc_keep_drop(qp);
	} else {
		keep(qp, mbuf, view, at);
	}
}

struct rc_kept *
rc_keep_next(struct rc_qp *qp)
{
	struct rc_kept **at, *kept;

	if (!qp->responder.keeping)
		return NULL;
	at = find(qp->ctx->keep, qp->qpn, qp->responder.expected_psn);
	kept = *at;
	if (kept != NULL)
		take_out(qp, at);
	return kept;
}

static void
release(struct rc_keep *keep, struct rc_kept *kept)
{
	keep->mbufs -= kept->mbuf->nb_segs;
	rte_pktmbuf_free(kept->mbuf);
	base_list_append(&keep->free_packets, &kept->node);
}

void
rc_keep_done(struct rc_qp *qp, struct rc_kept *kept)
{
	if (psn_diff(kept->view.bth.psn, qp->responder.expected_psn) < 0 || qp->responder.ending)
		qp->ctx->counters.rx_kept_executed++;
	else
		qp->ctx->counters.rx_kept_dropped++;
	release(qp->ctx->keep, kept);
}

void
rc_keep_drop(struct rc_qp *qp)
{
	while (qp->responder.keeping) {
		struct base_list *first = base_list_first(&qp->gap->packets);
		struct rc_kept *kept = base_list_entry(first, struct rc_kept, node);

		take_out(qp, find(qp->ctx->keep, qp->qpn, kept->view.bth.psn));
		release(qp->ctx->keep, kept);
		qp->ctx->counters.rx_kept_dropped++;
	}
}

void
rc_keep_advanced(struct rc_qp *qp, bool closed)
{
	struct rc_gap *gap = qp->gap;

	if (gap == NULL)
		return;
	/*
	 * If `closed` is true, the kept packets are after a new gap. On a path that reorders
	 * packets, the new gap may close without a NAK.
	 */
	gap->seen = closed ? gap->count : 0;
	gap->late = closed && !rc_reorder_known(&qp->reorder);
	gap->nak_ns = 0;
	gap->end_ns = 0;
}

uint64_t
rc_keep_nak_ns(const struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_gap *gap = qp->gap;

	if (gap->late || gap->seen >= rc_reorder_packets(&qp->reorder))
		return now_ns;
	if (gap->nak_ns == 0)
		gap->nak_ns = now_ns + rc_reorder_delay_ns(&qp->reorder, qp->ctx->keep->reorder_ns);
	return gap->nak_ns;
}

uint64_t
rc_keep_expire(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_gap *gap = qp->gap;

	if (gap->end_ns == 0)
		gap->end_ns = now_ns + RC_KEEP_NS;
	if (now_ns < gap->end_ns)
		return gap->end_ns;
	rc_keep_drop(qp);
	return BASE_TIME_NEVER;
}
