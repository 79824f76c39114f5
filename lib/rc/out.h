/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_OUT_H
#define NDPDK_RC_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "base/assert.h"
#include "base/limits.h"
#include "base/random.h"
#include "mem/mem.h"
#include "rc/holes.h"
#include "rc/observe.h"
#include "rc/stamp.h"
#include "rc/timer.h"
#include "wire/build.h"

/*
 * What all queue pairs of an engine share: memory index, mbuf pool, output, counters. Packets are
 * queued in `packets`, and the engine hands them to its port; nothing here knows a port or a clock.
 */

struct rc_keep;
struct rc_qp;

/** Counted events of all queue pairs of an engine. Written by its lcore, read by anyone. */
struct rc_counters {
	uint64_t tx_packets; /**< of queue pairs, as rx_packets: MADs are counted by cm */
	uint64_t tx_bytes;   /**< payload */
	uint64_t rx_packets;
	uint64_t rx_bytes; /**< payload */
	uint64_t tx_acks;
	uint64_t rx_atomics; /**< executed; duplicates are not */
	uint64_t tx_naks_sequence;
	uint64_t tx_naks_invalid;
	uint64_t tx_naks_access;
	uint64_t tx_naks_operation;
	uint64_t tx_rnr_naks;
	uint64_t rx_naks_sequence;
	uint64_t rx_naks_fatal;
	uint64_t rx_rnr_naks;
	uint64_t rx_duplicates;          /**< requests with a PSN before the expected one */
	uint64_t rx_duplicate_responses; /**< to PSNs that were answered before (RC-076) */
	uint64_t rx_ahead;               /**< requests with a PSN after the expected one */
	uint64_t rx_kept;                /**< of rx_ahead: kept (RC-111) */
	uint64_t rx_kept_executed;       /**< of rx_kept: executed after the gap was closed */
	uint64_t rx_kept_dropped;        /**< of rx_kept: dropped; the peer must retransmit them */
	uint64_t rx_kept_duplicates;     /**< of rx_ahead: duplicates of a kept packet, dropped */
	uint64_t rx_keep_full; /**< of rx_ahead: too far ahead, or no packet buffer to spare */
	uint64_t rx_cnps;
	uint64_t rx_ce;     /**< packets that a switch has marked CE, on queue pairs */
	uint64_t tx_cnps;   /**< they are no tx_packets */
	uint64_t rate_cuts; /**< CNPs that slowed a queue pair down */
	uint64_t tx_paced;  /**< times that a queue pair had to wait for congestion control */
	uint64_t retransmitted_packets; /**< not counting probes */
	uint64_t tx_keepalives;         /**< including retransmitted ones */
	uint64_t retries_timeout;
	uint64_t retries_sequence;  /**< go-back for a sequence NAK */
	uint64_t retries_implied;   /**< go-back for a gap in READ responses (RC-072) */
	uint64_t retries_selective; /**< gaps of a NAK for which only what is missing was sent */
	uint64_t probes;            /**< packets retransmitted early; costs no retry (RC-104) */
	uint64_t probes_spurious;   /**< of probes: the peer had received the packet already */
	uint64_t learned_keeps;     /**< times a peer was found to keep packets after a gap */
	uint64_t learned_goes_back; /**< peers seen to drop them */
	uint64_t holes_asked;       /**< parts of READs that were asked for again (RC-113) */
	uint64_t drop_state;        /**< queue pair not ready for this packet (RC-020) */
	uint64_t drop_address;      /**< not from the connected peer (RC-021) */
	uint64_t drop_transport;    /**< not RC (RC-166) */
	uint64_t drop_cnp;          /**< CNP without BECN (CC-004) */
	uint64_t drop_ghost;        /**< response that no request expects (RC-070, RC-168) */
	uint64_t drop_aeth;         /**< reserved syndrome */
	/** NAK that no outstanding request can cause (SEC-024, RC-099) */
	uint64_t drop_forged_nak;
	uint64_t
		/** Duplicate READ outside its record, or record gone (RC-057, RC-059). */
		drop_duplicate_read;
	uint64_t
		/** Duplicate atomic that is not what its record says, or record gone (RC-058). */
		drop_duplicate_atomic;
	uint64_t
		drop_rnr_wait; /**< ahead packets while the peer waits for our RNR timer (RC-086) */
	uint64_t drop_no_mbuf; /**< packet not sent now for want of an mbuf; it stays owed */
	uint64_t refused[MEM_REFUSED_COUNT]; /**< remote accesses refused, by local reason */
	uint64_t refused_invalidate;         /**< remote invalidates refused (RC-093) */
	/** Requests that waited for other engines to leave memory, own ones and the peer's. */
	uint64_t reader_waits;
};

/** How packets are marked for the network, but for what their path says. Zero: no CNPs are sent. */
struct rc_marking {
	uint64_t cnp_interval_ns; /**< least time between two CNPs of a queue pair; 0 = no CNPs */
	uint8_t cnp_dscp;         /**< 0 .. WIRE_DSCP_MAX */
	bool ack_dscp_own;        /**< acknowledgements have another DSCP than data */
	uint8_t ack_dscp;         /**< which, then */
};

struct rc_context {
	struct mem_domain *mem;
	struct rte_mempool
		*pool; /**< data room >= LIMIT_HEADER_BYTES + largest PMTU + LIMIT_TRAILER_BYTES */
	struct base_random *random;
	struct rc_keep *keep; /**< packets that have come too early; NULL: none are kept */
	uint16_t ip_id;       /**< next IPv4 identification */
	uint16_t packet_count;
	uint16_t stuck_count; /**< of them, from the first on: refused by the port last time */
	uint64_t taken_count; /**< packets that the port took since the start */
	/* Between engine and queue pairs: ACKs that wait for the next turn (acks.c). */
	bool patient;   /**< set by the engine: ACKs may wait */
	bool ack_waits; /**< set by queue pairs: at least one waits; reset by the engine */
	struct rc_arrival arrival; /**< set by the engine */
	/** Results that no frame has brought: of local operations, and of requests that failed. */
	uint64_t frameless_results;
	struct rc_hole_maps hole_maps;
	struct rc_marking marking;
	/** set by the engine: frames may be waiting, so that no answer is known to be missing */
	bool hold_timers;
	/** Set by the engine: the newest time in which the engine was not polled. */
	struct rc_absence absence;
	/**
	 * Smoothed round-trip time of the queue pair that measured last, in nanoseconds. Used by
	 * queue pairs that have not measured a round trip. 0: none has.
	 */
	uint64_t round_trip_ns;
	/** To be taken by the engine, in order. Queue pairs use LIMIT_OUT_PACKETS places. */
	struct rte_mbuf *packets[LIMIT_OUT_PACKETS + LIMIT_OUT_DATAGRAMS];
	struct rc_counters counters;
	rc_observe_fn observe; /**< NULL: nobody follows */
};

/** Tell who follows. @param detail as enum rc_moment says; else 0 */
static inline void
rc_observe(const struct rc_context *ctx, const struct rc_qp *qp, enum rc_moment step,
	unsigned int detail)
{
	if (ctx->observe != NULL)
		ctx->observe(qp, step, detail);
}

/** @return how many packets of queue pairs still fit. */
static inline uint32_t
rc_out_room(const struct rc_context *ctx)
{
	return ctx->packet_count < LIMIT_OUT_PACKETS ? LIMIT_OUT_PACKETS - ctx->packet_count : 0;
}

/** The port was given all packets and took the first `count`: move the others to the front. */
static inline void
rc_out_taken(struct rc_context *ctx, uint16_t count)
{
	ctx->packet_count -= count;
	ctx->stuck_count = ctx->packet_count;
	ctx->taken_count += count;
	if (unlikely(ctx->packet_count != 0))
		memmove(ctx->packets, ctx->packets + count,
			ctx->packet_count * sizeof(*ctx->packets));
}

/**
 * Take an mbuf for a packet of payload_bytes; its data is payload_bytes long, headroom reserved.
 * @return yields an mbuf, or NULL when the pool is empty or there is no room (counted in
 *         drop_no_mbuf for the former); the caller keeps what it owes and tries again at the next
 *         progress
 */
struct rte_mbuf *rc_out_reserve(struct rc_context *ctx, uint16_t payload_bytes);

/**
 * Prepare an mbuf that was just taken from a pool, for a payload behind its headroom. What mbufs in
 * a pool have in common (one owner, one segment) is not written again.
 */
static inline void
rc_out_prepare(struct rte_mbuf *mbuf, uint16_t payload_bytes)
{
	mbuf->data_off = RTE_PKTMBUF_HEADROOM;
	mbuf->port = RTE_MBUF_PORT_INVALID;
	mbuf->ol_flags = 0;
	mbuf->packet_type = 0;
	mbuf->pkt_len = payload_bytes;
	mbuf->data_len = payload_bytes;
	BASE_ASSERT(mbuf->nb_segs == 1 && mbuf->next == NULL && rte_mbuf_refcnt_read(mbuf) == 1);
	BASE_ASSERT(rte_pktmbuf_tailroom(mbuf) >= LIMIT_TRAILER_BYTES);
}

/**
 * Take mbufs for a burst of packets into the places behind the packets that are queued. The caller
 * prepares each with rc_out_prepare(), builds its packet, and counts it in packet_count.
 * @param count 1 .. rc_out_room()
 * @return yields; false: the pool has fewer, and nothing is taken or counted
 */
static inline bool
rc_out_reserve_bulk(struct rc_context *ctx, uint32_t count)
{
	BASE_ASSERT(count > 0 && count <= rc_out_room(ctx));
	return rte_mempool_get_bulk(
		       ctx->pool, (void **)(ctx->packets + ctx->packet_count), count) == 0;
}

/**
 * Take an mbuf for a datagram. Datagrams have LIMIT_OUT_DATAGRAMS places more than queue pairs, so
 * that a queue pair that sends all the time does not keep them out.
 * @return as rc_out_reserve()
 */
struct rte_mbuf *rc_out_reserve_datagram(struct rc_context *ctx, uint16_t bytes);

/**
 * Build the headers round the payload of a datagram and queue it for sending. Consumes the mbuf.
 * Datagrams do not count as tx_packets: their modules count them.
 */
void rc_out_send_datagram(struct rc_context *ctx, struct rte_mbuf *mbuf,
	const struct wire_template *tmpl, const struct wire_headers *headers);

/**
 * Begin the packet of a queue pair around its payload: see wire_begin().
 * @return where the caller writes the extension headers, before rc_out_finish()
 */
static inline uint8_t *
rc_out_begin(struct rc_context *ctx, struct rte_mbuf *mbuf, const struct wire_template *tmpl,
	struct wire_bth_value bth, uint32_t header_bytes)
{
	BASE_ASSERT(rc_out_room(ctx) > 0);
	ctx->counters.tx_packets++;
	ctx->counters.tx_bytes += rte_pktmbuf_data_len(mbuf);
	return wire_begin(mbuf, tmpl, bth, header_bytes, ctx->ip_id++);
}

/** Queue the packet for sending. Consumes the mbuf. */
static inline void
rc_out_finish(struct rc_context *ctx, struct rte_mbuf *mbuf, const struct wire_template *tmpl)
{
	wire_finish(mbuf, tmpl);
	ctx->packets[ctx->packet_count++] = mbuf;
}

/**
 * The same for a payload that may still have to be copied.
 * @param payload as for wire_finish_copy(); NULL: it is in the mbuf
 */
static inline void
rc_out_finish_payload(struct rc_context *ctx, struct rte_mbuf *mbuf,
	const struct wire_template *tmpl, const void *payload, uint32_t payload_bytes)
{
	if (payload == NULL) {
		rc_out_finish(ctx, mbuf, tmpl);
		return;
	}
	wire_finish_copy(mbuf, tmpl, payload, payload_bytes);
	ctx->packets[ctx->packet_count++] = mbuf;
}

#endif
