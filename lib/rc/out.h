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
 * State that all queue pairs of an engine share: memory domain, mbuf pool, output queue and
 * counters. Queue pairs append packets to `packets`, and the engine passes them to its port. This
 * module knows neither the port nor a clock.
 */

struct rc_keep;
struct rc_qp;

/** Event counters of all queue pairs of an engine. Written by its lcore, read by any thread. */
struct rc_counters {
	/** packets of queue pairs, as in rx_packets; cm counts its MADs itself */
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
	uint64_t rx_duplicates; /**< requests with a PSN before the expected one */
	/** responses to PSNs that were already answered (RC-076) */
	uint64_t rx_duplicate_responses;
	uint64_t rx_ahead;           /**< requests with a PSN after the expected one */
	uint64_t rx_kept;            /**< of rx_ahead: packets kept (RC-111) */
	uint64_t rx_kept_executed;   /**< of rx_kept: executed after the gap was closed */
	uint64_t rx_kept_dropped;    /**< of rx_kept: dropped; the peer must retransmit them */
	uint64_t rx_kept_duplicates; /**< of rx_ahead: duplicates of a kept packet, dropped */
	/** of rx_ahead: dropped; too far ahead, or too few packet buffers */
	uint64_t rx_keep_full;
	uint64_t rx_cnps;
	uint64_t rx_ce;     /**< packets of queue pairs that a switch marked CE */
	uint64_t tx_cnps;   /**< CNPs sent; not included in tx_packets */
	uint64_t rate_cuts; /**< CNPs that slowed a queue pair down */
	uint64_t tx_paced;  /**< times that a queue pair had to wait for congestion control */
	uint64_t retransmitted_packets; /**< packets retransmitted, without probes */
	uint64_t tx_keepalives;         /**< keepalives sent, including retransmissions */
	uint64_t retries_timeout;
	uint64_t retries_sequence; /**< go-back for a sequence NAK */
	uint64_t retries_implied;  /**< go-back for a gap in READ responses (RC-072) */
	/** NAKs after which only the missing packets were retransmitted */
	uint64_t retries_selective;
	uint64_t probes;            /**< packets retransmitted early; costs no retry (RC-104) */
	uint64_t probes_spurious;   /**< of probes: the peer had received the packet already */
	uint64_t learned_keeps;     /**< times a peer was found to keep packets after a gap */
	uint64_t learned_goes_back; /**< times a peer was found to drop packets after a gap */
	uint64_t holes_asked;       /**< parts of READs that were requested again (RC-113) */
	uint64_t drop_state;        /**< queue pair not ready for this packet (RC-020) */
	uint64_t drop_address;      /**< packet not from the connected peer (RC-021) */
	uint64_t drop_transport;    /**< packet of another transport than RC (RC-166) */
	uint64_t drop_cnp;          /**< CNP without BECN (CC-004) */
	uint64_t drop_ghost;        /**< response without an outstanding request (RC-070, RC-168) */
	uint64_t drop_aeth;         /**< AETH with a reserved syndrome */
	/** NAK that no outstanding request can cause (SEC-024, RC-099) */
	uint64_t drop_forged_nak;
	uint64_t
		/**
		 * Duplicate READ that differs from its record, or without a record (RC-057,
		 * RC-059).
		 */
		drop_duplicate_read;
	uint64_t
		/** Duplicate atomic that differs from its record, or without a record (RC-058). */
		drop_duplicate_atomic;
	uint64_t
		/** later packets that arrived during an RNR wait of the peer (RC-086) */
		drop_rnr_wait;
	uint64_t drop_no_mbuf; /**< no mbuf to send a packet; the packet is sent later */
	uint64_t refused[MEM_REFUSED_COUNT]; /**< remote accesses refused, by local reason */
	uint64_t refused_invalidate;         /**< remote invalidates refused (RC-093) */
	/**
	 * Own requests and requests of the peer that had to wait until other engines stopped using
	 * memory.
	 */
	uint64_t reader_waits;
};

/**
 * DSCP of acknowledgements and CNPs, and the rate of CNPs. All zero: no CNPs, and the DSCP of the
 * path.
 */
struct rc_marking {
	/** minimum time between two CNPs of a queue pair, in nanoseconds; 0: no CNPs */
	uint64_t cnp_interval_ns;
	uint8_t cnp_dscp;  /**< 0 .. WIRE_DSCP_MAX */
	bool ack_dscp_own; /**< acknowledgements use ack_dscp, not the DSCP of the path */
	uint8_t ack_dscp;  /**< DSCP of acknowledgements; valid with ack_dscp_own */
};

struct rc_context {
	struct mem_domain *mem;
	struct rte_mempool
		*pool; /**< data room >= LIMIT_HEADER_BYTES + largest PMTU + LIMIT_TRAILER_BYTES */
	struct base_random *random;
	struct rc_keep *keep; /**< out-of-order packets; NULL: out-of-order packets are dropped */
	uint16_t ip_id;       /**< IPv4 identification of the next packet */
	uint16_t packet_count;
	/** number of packets at the start of packets[] that the port refused last time */
	uint16_t stuck_count;
	uint64_t taken_count; /**< packets that the port has accepted since the start */
	/* Shared between engine and queue pairs: ACKs that wait for the next turn (acks.c). */
	bool patient;   /**< set by the engine: ACKs may wait */
	bool ack_waits; /**< set by a queue pair when an ACK waits; cleared by the engine */
	struct rc_arrival arrival; /**< frame and burst being processed; set by the engine */
	/**
	 * Completions that no received frame caused: of local operations and of failed requests.
	 */
	uint64_t frameless_results;
	struct rc_hole_maps hole_maps;
	struct rc_marking marking;
	/**
	 * Set by the engine while received frames may be unprocessed. Then a missing answer is not
	 * certain, so ACK timers and waits for room do not expire.
	 */
	bool hold_timers;
	/** Set by the engine: the newest time in which the engine was not polled. */
	struct rc_absence absence;
	/**
	 * Smoothed round-trip time of the queue pair that measured last, in nanoseconds. Used by
	 * queue pairs that have not measured a round trip. 0: none has.
	 */
	uint64_t round_trip_ns;
	/**
	 * Output queue. The engine sends the packets in order. Queue pairs use at most
	 * LIMIT_OUT_PACKETS entries.
	 */
	struct rte_mbuf *packets[LIMIT_OUT_PACKETS + LIMIT_OUT_DATAGRAMS];
	struct rc_counters counters;
	rc_observe_fn observe; /**< called for each event of enum rc_moment; NULL: none */
};

/** Report an event to ctx->observe. @param detail see enum rc_moment; else 0 */
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

/** The port accepted the first `count` packets: move the rest to the front. */
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
 * Allocate an mbuf with a data length of payload_bytes and reserved headroom.
 * @return NULL: the pool is empty (counted in drop_no_mbuf) or there is no room. The caller keeps
 *         the packet owed and tries again at the next progress
 */
struct rte_mbuf *rc_out_reserve(struct rc_context *ctx, uint16_t payload_bytes);

/**
 * Initialize an mbuf that was just allocated, for a payload after the headroom. Members that are
 * the same in all free mbufs (reference count, number of segments) are not written.
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
 * with rc_out_prepare(), builds the packet, and adds it to packet_count.
 * @param count 1 .. rc_out_room()
 * @return false: the pool has fewer mbufs, and nothing is allocated or counted
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
 * @return as rc_out_reserve()
 */
struct rte_mbuf *rc_out_reserve_datagram(struct rc_context *ctx, uint16_t bytes);

/**
 * Write the headers and trailer of a datagram and append it to the output queue. Consumes the mbuf.
 * Datagrams do not count as tx_packets; their modules count them.
 */
void rc_out_send_datagram(struct rc_context *ctx, struct rte_mbuf *mbuf,
	const struct wire_template *tmpl, const struct wire_headers *headers);

/**
 * Write the headers of a queue pair's packet in front of its payload: see wire_begin().
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

/** Complete the packet and append it to the output queue. Consumes the mbuf. */
static inline void
rc_out_finish(struct rc_context *ctx, struct rte_mbuf *mbuf, const struct wire_template *tmpl)
{
	wire_finish(mbuf, tmpl);
	ctx->packets[ctx->packet_count++] = mbuf;
}

/**
 * As rc_out_finish(), for a payload that may still have to be copied.
 * @param payload as for wire_finish_copy(); NULL: it is already in the mbuf
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
