/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_OUT_H
#define NDPDK_RC_OUT_H

#include <stdbool.h>
#include <stdint.h>

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
 * State that all queue pairs of an engine share: memory domain, mbuf pool, output queue and
 * counters. Queue pairs append packets to `packets`, and the engine passes the packets to its port.
 * This module uses neither the port nor a clock.
 */

struct rc_keep;
struct rc_qp;

/** Event counters of all queue pairs of an engine. Written by its lcore, read by any thread. */
struct rc_counters {
	/** packets sent by queue pairs; lib/cm counts the packets of the connection manager */
	uint64_t tx_packets;
	uint64_t tx_bytes; /**< payload bytes sent */
	uint64_t rx_packets;
	uint64_t rx_bytes; /**< payload bytes received */
	uint64_t tx_acks;
	uint64_t rx_atomics; /**< atomics executed, without duplicates */
	uint64_t tx_naks_sequence;
	uint64_t tx_naks_invalid;
	uint64_t tx_naks_access;
	uint64_t tx_naks_operation;
	uint64_t tx_rnr_naks;
	uint64_t rx_naks_sequence;
	uint64_t rx_naks_fatal;
	uint64_t rx_rnr_naks;
	uint64_t rx_duplicates; /**< requests with a PSN before the expected PSN */
	/** responses with PSNs that were already answered (RC-076) */
	uint64_t rx_duplicate_responses;
	uint64_t rx_ahead;         /**< requests with a PSN after the expected PSN */
	uint64_t rx_kept;          /**< packets counted in rx_ahead that were kept (RC-111) */
	uint64_t rx_kept_executed; /**< packets counted in rx_kept that were executed */
	/** packets counted in rx_kept that were dropped, so that the peer retransmits them */
	uint64_t rx_kept_dropped;
	/** packets counted in rx_ahead that were duplicates of a kept packet */
	uint64_t rx_kept_duplicates;
	/** packets counted in rx_ahead that were dropped: too far ahead, or too few free mbufs */
	uint64_t rx_keep_full;
	uint64_t rx_cnps;
	uint64_t rx_ce;     /**< packets received by queue pairs with a CE mark of a switch */
	uint64_t tx_cnps;   /**< CNPs sent, which are not included in tx_packets */
	uint64_t rate_cuts; /**< number of CNPs that slowed a queue pair down */
	uint64_t tx_paced;  /**< number of times that a queue pair waited for congestion control */
	uint64_t retransmitted_packets; /**< packets retransmitted, without probes */
	uint64_t tx_keepalives;         /**< keepalives sent, including retransmissions */
	uint64_t retries_timeout;
	/** number of retransmissions from a gap on because of a sequence NAK */
	uint64_t retries_sequence;
	/** number of retransmissions from a gap in READ responses on (RC-072) */
	uint64_t retries_implied;
	/** NAKs after which only the missing packets were retransmitted */
	uint64_t retries_selective;
	uint64_t probes;          /**< packets retransmitted as probes, without a retry (RC-104) */
	uint64_t probes_spurious; /**< probes with packets that the peer already had */
	/** number of peers that were found to keep packets after a gap */
	uint64_t learned_keeps;
	/** number of peers that were found to drop packets after a gap */
	uint64_t learned_goes_back;
	uint64_t holes_asked; /**< parts of READs that were requested again (RC-113) */
	/** packets that the current state of the queue pair does not permit (RC-020) */
	uint64_t drop_state;
	uint64_t drop_address;   /**< packets that the connected peer did not send (RC-021) */
	uint64_t drop_transport; /**< packets of a transport other than RC (RC-166) */
	uint64_t drop_cnp;       /**< CNP without BECN (CC-004) */
	/** responses without an outstanding request (RC-070, RC-168) */
	uint64_t drop_ghost;
	uint64_t drop_aeth; /**< packets with a reserved syndrome in the AETH */
	/** NAKs that no outstanding request can cause (SEC-024, RC-099) */
	uint64_t drop_forged_nak;
	/** Duplicate READs that differ from their record or have none (RC-057, RC-059). */
	uint64_t drop_duplicate_read;
	/** Duplicate atomics that differ from their record or have none (RC-058). */
	uint64_t drop_duplicate_atomic;
	/** packets dropped after an RNR NAK, until the refused packet arrives again (RC-086) */
	uint64_t drop_rnr_wait;
	uint64_t drop_no_mbuf;               /**< packets delayed because no mbuf was free */
	uint64_t refused[MEM_REFUSED_COUNT]; /**< remote accesses refused, by enum mem_refusal */
	uint64_t refused_invalidate;         /**< remote invalidates refused (RC-093) */
	/** Requests of either side that waited until other engines stopped using the memory. */
	uint64_t reader_waits;
};

/**
 * DSCP of acknowledgements and CNPs, and the rate of CNPs. If all members are zero, no CNPs are
 * sent, and all packets have the DSCP of the path.
 */
struct rc_marking {
	/** minimum time between two CNPs of a queue pair, in nanoseconds; 0 if no CNPs are sent */
	uint64_t cnp_interval_ns;
	uint8_t cnp_dscp;  /**< 0 .. WIRE_DSCP_MAX */
	bool ack_dscp_own; /**< true if acknowledgements have ack_dscp */
	uint8_t ack_dscp;  /**< DSCP of acknowledgements; valid if ack_dscp_own is set */
};

struct rc_context {
	struct mem_domain *mem;
	struct rte_mempool
		/** data room >= LIMIT_HEADER_BYTES + largest PMTU + LIMIT_TRAILER_BYTES */
		*pool;
	struct base_random *random;
	struct rc_keep *keep; /**< store of out-of-order packets; NULL: they are dropped */
	uint16_t ip_id;       /**< IPv4 identification of the next packet */
	uint16_t packet_count;
	/** number of packets at the start of packets[] that the port refused in the last call */
	uint16_t stuck_count;
	uint64_t taken_count; /**< number of packets that the port has accepted since start */
	/* patient and ack_waits coordinate delayed ACKs between engine and queue pairs (acks.c). */
	bool patient;   /**< set by the engine while queue pairs may delay ACKs */
	bool ack_waits; /**< set by a queue pair that delays an ACK; cleared by the engine */
	/** arrival of the frame and the burst in process; set by the engine */
	struct rc_arrival arrival;
	/**
	 * Number of completions of local operations and of failed requests, without a received
	 * frame.
	 */
	uint64_t frameless_results;
	struct rc_hole_maps hole_maps;
	struct rc_marking marking;
	/**
	 * Set by the engine while received frames may be unprocessed. ACK timers and waits for room
	 * do not expire, because a received frame may contain the expected answer.
	 */
	bool hold_timers;
	/** Set by the engine: the most recent time during which the engine was not polled. */
	struct rc_absence absence;
	/**
	 * Smoothed round-trip time of the queue pair with the newest measurement, in nanoseconds.
	 * Used by queue pairs that have measured no round trip. 0 if there is no measurement.
	 */
	uint64_t round_trip_ns;
	/**
	 * Output queue. The engine sends the packets in order. Queue pairs use at most
	 * LIMIT_OUT_PACKETS entries. All other entries are for datagrams.
	 */
	struct rte_mbuf *packets[LIMIT_OUT_PACKETS + LIMIT_OUT_DATAGRAMS];
	struct rc_counters counters;
	rc_observe_fn observe; /**< called for each event of enum rc_moment; may be NULL */
};

/** Report an event to ctx->observe. @param detail see enum rc_moment; 0 if not described in it */
static inline void
rc_observe(const struct rc_context *ctx, const struct rc_qp *qp, enum rc_moment step,
	unsigned int detail)
{
	if (ctx->observe != NULL)
		ctx->observe(qp, step, detail);
}

/** @return number of packets that queue pairs may still append. */
static inline uint32_t
rc_out_room(const struct rc_context *ctx)
{
	return ctx->packet_count < LIMIT_OUT_PACKETS ? LIMIT_OUT_PACKETS - ctx->packet_count : 0;
}

/** Move the remaining packet_count packets, which follow `count` removed packets, to the front. */
void rc_out_move(struct rc_context *ctx, uint16_t count);

/** Remove the first `count` packets, which the port has accepted. */
static inline void
rc_out_taken(struct rc_context *ctx, uint16_t count)
{
	ctx->packet_count -= count;
	ctx->stuck_count = ctx->packet_count;
	ctx->taken_count += count;
	if (unlikely(ctx->packet_count != 0))
		rc_out_move(ctx, count);
}

/**
 * Allocate an mbuf with a data length of payload_bytes and reserved headroom.
 * @return NULL if the pool is empty (counted in drop_no_mbuf) or the output queue is full. The
 *         caller then still owes the packet, and retries at the next call of rc_qp_progress()
 */
struct rte_mbuf *rc_out_reserve(struct rc_context *ctx, uint16_t payload_bytes);

/**
 * Initialize an mbuf that was just allocated, for a payload that begins after the headroom. Members
 * that have the same value in all free mbufs (reference count, number of segments) are not written.
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
 * Allocate mbufs for a burst into the entries after the queued packets. The caller prepares each
 * mbuf with rc_out_prepare(), builds the packet, and adds it to packet_count.
 * @param count 1 .. rc_out_room()
 * @return false if the pool has too few mbufs; the call then allocates and counts nothing
 */
static inline bool
rc_out_reserve_bulk(struct rc_context *ctx, uint32_t count)
{
	BASE_ASSERT(count > 0 && count <= rc_out_room(ctx));
	return rte_mempool_get_bulk(
		       ctx->pool, (void **)(ctx->packets + ctx->packet_count), count) == 0;
}

/**
 * Allocate an mbuf for a datagram. LIMIT_OUT_DATAGRAMS entries of the output queue are reserved for
 * datagrams, so that a busy queue pair cannot block them.
 * @return the mbuf or NULL, as rc_out_reserve()
 */
struct rte_mbuf *rc_out_reserve_datagram(struct rc_context *ctx, uint16_t bytes);

/**
 * Write the headers and trailer of a datagram and append it to the output queue. Consumes the mbuf.
 * tx_packets does not include datagrams, because the sending modules count them.
 */
void rc_out_send_datagram(struct rc_context *ctx, struct rte_mbuf *mbuf,
	const struct wire_template *tmpl, const struct wire_headers *headers);

/**
 * Write the headers of a queue pair's packet before its payload, as wire_begin() does.
 * @return address of the extension headers, which the caller writes before rc_out_finish()
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

/** Complete the packet and append it to the output queue. Consumes the mbuf. */
static inline void
rc_out_finish(struct rc_context *ctx, struct rte_mbuf *mbuf, const struct wire_template *tmpl)
{
	wire_finish(mbuf, tmpl);
	ctx->packets[ctx->packet_count++] = mbuf;
}

/**
 * Like rc_out_finish(), but can also copy the payload into the mbuf.
 * @param payload as for wire_finish_copy(); NULL if the payload is already in the mbuf
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
