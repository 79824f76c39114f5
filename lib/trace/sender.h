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
 * Requests of one direction. PSNs are unwrapped to 64 bits (`seq`, whose low 24 bits are the PSN),
 * so the rest of the module compares them as numbers.
 *
 * What is judged, and from when: `trusted` says that every request since some moment has been seen:
 * the CM told the first PSN, or the newest request known was answered at a time when no answer to
 * a request from before the capture could arrive any more. Before that, nothing is concluded from a
 * request that is missing. In a trusted direction requests may still be missing for a while: lost
 * in front of the capture, they come again. `chain_seq` is the first PSN that is missing; the
 * packets before it have been put together to messages.
 */

/** Request packets remembered, at most. */
#define TRACE_RECORDS 8192

/** Read limit of a side when the CM told none. */
#define TRACE_DEPTH_UNKNOWN UINT32_MAX

struct trace_sender {
	bool started; /**< a first PSN is known */
	bool told;    /**< by the CM */
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
	uint32_t depth;            /**< READs and atomics it may have outstanding */
	struct trace_retry retry;  /**< of its oldest request that is not acknowledged */
	struct trace_keys keys;    /**< of the peer, that were invalidated */
	struct trace_damages damages;
	struct trace_party party; /**< the sender; set by the owner of the flow */
};

void trace_sender_init(struct trace_sender *sender);
void trace_sender_free(struct trace_sender *sender);

/** The CM told the first PSN, the read limit (0 = none allowed) and how often it may repeat. */
void trace_sender_tell(struct trace_sender *sender, uint32_t first_psn, uint32_t depth,
	const struct trace_retry_grant *grant);

struct trace_side_stats;

/**
 * Take a request packet and judge it.
 *
 * @param side of the sender; counts what is new
 * @param stats of the sender; measures what is repeated
 */
void
trace_sender_request(struct trace_sender *sender, struct trace_mtu *mtu, struct nd_trace_side *side,
	struct trace_side_stats *stats, const struct trace_packet *packet);

/** Called when no further answer is expected. Reports READs and atomics that were skipped. */
void trace_sender_finish(const struct trace_sender *sender, struct trace_violations *violations);

/** @return PSN of an answer, unwrapped near the requests. Needs started. */
uint64_t trace_sender_seq(const struct trace_sender *sender, uint32_t psn);

/** @return the SEND or WRITE packet with a PSN, or NULL. */
struct trace_record *trace_sender_record(const struct trace_sender *sender, uint64_t seq);

/** @return whether a request with this PSN, or a READ that owns it, is remembered. */
bool trace_sender_knows(const struct trace_sender *sender, uint32_t psn);

/** The path MTU may have become known: find out which PSNs the READs own, and go on. */
void trace_sender_settle(struct trace_sender *sender, const struct trace_mtu *mtu,
	const struct trace_packet *packet);

/**
 * The peer has everything up to (not including) seq. In a trusted direction requests below it that
 * were never seen were never sent (RC-005); otherwise this may be what makes the direction trusted.
 */
void trace_sender_received(struct trace_sender *sender, uint64_t seq, bool acknowledged,
	const struct trace_packet *packet);

#endif
