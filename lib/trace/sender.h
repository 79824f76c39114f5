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
 * Judges the requests of one direction. PSNs are extended to 64 bits (`seq`, whose low 24 bits are
 * the PSN) and compared as numbers.
 *
 * `trusted` is set when every request since some time is known. This is true if the CM messages
 * contain the first PSN, or if the newest known request was answered at a time when no answer to a
 * request before the capture could arrive any more. Before that, no conclusion is drawn from a
 * missing request. If `trusted` is set, requests may still be missing for some time: a request that
 * was lost before the place of the capture is retransmitted. `chain_seq` is the first missing PSN.
 * The packets before it have been assembled to messages.
 */

/** Maximum number of request packets that are stored. */
#define TRACE_RECORDS 8192

/** Read limit of a side if no CM message contains it. */
#define TRACE_DEPTH_UNKNOWN UINT32_MAX

struct trace_sender {
	bool started; /**< a first PSN is known */
	bool told;    /**< the first PSN is that of a CM message */
	bool trusted;
	bool counted; /**< assembly.messages counts from the start of the connection */
	/** The path MTU differs from the peer's, which was reported. It explains gaps in PSNs. */
	bool mtu_differs;
	bool broken; /**< memory was exhausted: no longer judged */
	uint64_t first_seq;
	uint64_t first_ns;   /**< time of the first request */
	uint64_t next_seq;   /**< highest PSN used, plus 1 */
	uint64_t newest_seq; /**< highest PSN of a request packet; valid when any */
	bool any;            /**< a request was seen */
	uint64_t chain_seq;
	struct trace_assembly assembly;
	struct trace_record *records;
	uint32_t record_count;     /**< slots, a power of two */
	struct trace_reads *reads; /**< NULL before the first */
	uint32_t depth;            /**< maximum number of outstanding READs and atomics */
	struct trace_retry retry;  /**< retransmissions of its oldest unacknowledged request */
	struct trace_keys keys;    /**< invalidated keys of the peer */
	struct trace_damages damages;
	struct trace_party party; /**< the sender; set by the owner of the flow */
};

void trace_sender_init(struct trace_sender *sender);
void trace_sender_free(struct trace_sender *sender);

/**
 * Set the first PSN, the read limit (0 = no READs allowed) and the limits of retransmissions, which
 * the CM messages contain.
 */
void trace_sender_tell(struct trace_sender *sender, uint32_t first_psn, uint32_t depth,
	const struct trace_retry_grant *grant);

struct trace_side_stats;

/**
 * Process and judge a request packet.
 *
 * @param side of the sender; counts new requests
 * @param stats of the sender; measures retransmissions
 */
void
trace_sender_request(struct trace_sender *sender, struct trace_mtu *mtu, struct nd_trace_side *side,
	struct trace_side_stats *stats, const struct trace_packet *packet);

/** Called when no further answer is expected. Reports READs and atomics that were skipped. */
void trace_sender_finish(const struct trace_sender *sender, struct trace_violations *violations);

/** @return PSN of an answer, extended to 64 bits near the requests. Requires started. */
uint64_t trace_sender_seq(const struct trace_sender *sender, uint32_t psn);

/** @return the SEND or WRITE packet with a PSN, or NULL. */
struct trace_record *trace_sender_record(const struct trace_sender *sender, uint64_t seq);

/** @return whether a request with this PSN, or a READ that owns it, is stored. */
bool trace_sender_knows(const struct trace_sender *sender, uint32_t psn);

/**
 * Called when the path MTU may have become known. Finds the PSNs that the READs own, and continues.
 */
void trace_sender_settle(struct trace_sender *sender, const struct trace_mtu *mtu,
	const struct trace_packet *packet);

/**
 * The peer has received all requests before seq. If trusted is set, missing requests before seq
 * were never sent (RC-005). Otherwise trusted may be set now.
 */
void trace_sender_received(struct trace_sender *sender, uint64_t seq, bool acknowledged,
	const struct trace_packet *packet);

#endif
