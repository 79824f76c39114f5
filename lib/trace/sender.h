/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_SENDER_H
#define NDPDK_TRACE_SENDER_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_trace.h>

#include "trace/assembly.h"
#include "trace/damages.h"
#include "trace/frame.h"
#include "trace/keys.h"
#include "trace/reads.h"
#include "trace/retry.h"

/*
 * Judges the requests of one direction. PSNs are extended to 64 bits (`seq`) and compared as
 * numbers. The low 24 bits of `seq` are the PSN.
 *
 * `trusted` is set when every request since some time is known: because the CM messages contain
 * the first PSN, or because the newest known request was answered at a time when no answer to a
 * request before the capture could arrive any more. Before `trusted` is set, no conclusion is
 * drawn from a missing request. Even with `trusted`, a request may be missing for some time: a
 * request that was lost before the place of the capture is retransmitted.
 *
 * `chain_seq` is the first missing PSN. The packets before it have been assembled to messages.
 */

/** Maximum number of request packets that are stored. */
#define TRACE_RECORDS 8192

/** Value of trace_sender.depth if no CM message contains the read limit. */
#define TRACE_DEPTH_UNKNOWN UINT32_MAX

struct trace_sender {
	bool started; /**< false: no PSN is known yet */
	bool told;    /**< the first PSN is known from a CM message */
	bool trusted;
	bool counted; /**< assembly.messages counts from the start of the connection */
	/**
	 * The path MTU differs from the peer's path MTU, and the difference was reported. The
	 * difference explains gaps in PSNs.
	 */
	bool mtu_differs;
	bool broken; /**< memory was exhausted: the side is no longer judged */
	uint64_t first_seq;
	uint64_t first_ns;   /**< time of the first request */
	uint64_t next_seq;   /**< highest PSN used, plus 1 */
	uint64_t newest_seq; /**< highest PSN of a request packet; valid if any */
	bool any;            /**< a request was seen */
	uint64_t chain_seq;
	struct trace_assembly assembly;
	struct trace_record *records;
	uint32_t record_count;     /**< number of slots, a power of two */
	struct trace_reads *reads; /**< NULL before the first */
	uint32_t depth;            /**< maximum number of outstanding READs and atomics */
	struct trace_retry retry;  /**< its oldest unacknowledged request */
	struct trace_keys keys;    /**< keys of the peer that this side invalidated */
	struct trace_damages damages;
	struct trace_party party; /**< party of this sender; set by the owner of the flow */
};

void trace_sender_init(struct trace_sender *sender);
void trace_sender_free(struct trace_sender *sender);

/**
 * Set the values that the CM messages contain: the first PSN, the read limit (depth; 0 = READs and
 * atomics are not allowed), and the limits of retransmissions.
 */
void trace_sender_tell(struct trace_sender *sender, uint32_t first_psn, uint32_t depth,
	const struct trace_retry_grant *grant);

struct trace_side_stats;

/**
 * Process and judge a request packet.
 *
 * @param side counts of the sender; new requests are added
 * @param stats measurements of the sender; retransmissions are added
 */
void
trace_sender_request(struct trace_sender *sender, struct trace_mtu *mtu, struct nd_trace_side *side,
	struct trace_side_stats *stats, const struct trace_packet *packet);

/**
 * Called when no further answer is expected. Reports READs and atomics that the responder skipped.
 */
void trace_sender_finish(const struct trace_sender *sender, struct trace_violations *violations);

/**
 * @return PSN of an answer, extended to the 64-bit value nearest to the requests. sender->started
 *         must be true.
 */
uint64_t trace_sender_seq(const struct trace_sender *sender, uint32_t psn);

/** @return the record of the SEND or WRITE packet with this PSN; NULL: none. */
struct trace_record *trace_sender_record(const struct trace_sender *sender, uint64_t seq);

/** @return true if a request with this PSN, or a READ that owns this PSN, is stored. */
bool trace_sender_knows(const struct trace_sender *sender, uint32_t psn);

/**
 * Called when the path MTU may have become known: compute how many PSNs the READs own, and continue
 * the assembly.
 */
void trace_sender_settle(struct trace_sender *sender, const struct trace_mtu *mtu,
	const struct trace_packet *packet);

/**
 * Called when the peer has received all requests before seq. If trusted is set, requests before seq
 * that are still missing were never sent (RC-005). Otherwise the call may set trusted.
 */
void trace_sender_received(struct trace_sender *sender, uint64_t seq, bool acknowledged,
	const struct trace_packet *packet);

#endif
