/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_ANSWER_H
#define NDPDK_TRACE_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd_trace.h>

#include "trace/sender.h"
#include "trace/stats.h"

/*
 * Answers to the requests of one direction: Acknowledge, READ response, ATOMIC Acknowledge.
 *
 * The network may lose, duplicate and reorder answers, so a late answer alone proves nothing. Three
 * things prove the order in which answers were sent. The MSN never decreases at the responder. No
 * network delays a packet for TRACE_REORDER_NS. A sender may increment the IP identification with
 * each packet (stats.c).
 */

/**
 * An answer to a request that was not seen. Either the responder is wrong, or the capture lacks the
 * request. The next new request decides. If its PSN directly follows the newest known request, no
 * request is missing, so the responder is wrong. If its PSN is higher, the capture has a gap.
 */
struct trace_suspicion {
	bool open;
	bool provable;     /**< the MSN of the answer counts only messages that were seen */
	uint64_t next_seq; /**< next PSN that the requester would use when the answer arrived */
	uint64_t frame;    /**< frame of the answer */
	enum trace_rule rule;
	const char *what;  /**< opcode of the answer */
	uint32_t value;    /**< PSN (RC-070) or MSN (RC-041) of the answer */
	uint64_t messages; /**< number of messages seen before the answer */
	uint64_t damaged;  /**< frame of the damaged request with this PSN (RC-070); 0: none */
	struct trace_party party; /**< sender of the answer */
};

struct trace_answers {
	/** first_seq of the requester; changes when the state of the requester restarts */
	uint64_t life;
	bool any;              /**< executed_* are valid */
	uint64_t executed_seq; /**< all requests before this PSN have been executed */
	uint32_t executed_msn; /**< MSN of the answer that set executed_seq */
	bool executed_message; /**< the last executed request ended a message */
	uint64_t executed_ns;  /**< time of the answer that set executed_seq */
	bool acknowledged;     /**< ack_* are valid */
	uint64_t ack_ns;
	uint64_t ack_seq; /**< highest PSN of an Acknowledge */
	uint32_t ack_msn;
	bool fatal;
	uint64_t fatal_seq;
	uint64_t fatal_ns;
	uint64_t fatal_frame;
	uint8_t fatal_syndrome;
	struct trace_suspicion suspicion;
};

/** The requester and the responder that an answer concerns. */
struct trace_exchange_sides {
	struct trace_sender *sender;
	struct trace_answers *answers;
	struct trace_mtu *mtu;
	struct nd_trace_side *requester;
	struct trace_side_stats *stats; /**< statistics of the requester */
	bool in_order; /**< the answer was certainly sent after all earlier answers */
	bool late;     /**< the answer is certainly a duplicate, or was certainly delayed */
};

/** Count an answer for the side that sent the answer, even if the answer is not judged. */
void trace_answer_count(struct nd_trace_side *responder, const struct wire_view *view);

/** Judge an answer to the requests of sides->sender. */
void
trace_answer_judge(const struct trace_exchange_sides *sides, const struct trace_packet *packet);

/**
 * Decide an open suspicion, after the next new request or at the end of the capture.
 *
 * @param request the new request, already processed; NULL: the capture ended
 */
void trace_answer_resolve(struct trace_answers *answers, const struct trace_sender *sender,
	const struct trace_packet *request, struct trace_violations *violations);

/** Judge a READ response or ATOMIC Acknowledge with a PSN that was requested. */
void trace_answer_read(
	const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet);
void trace_answer_atomic(
	const struct trace_exchange_sides *sides, uint64_t seq, const struct trace_packet *packet);

/** Report a doubt about an ATOMIC Acknowledge whose request is not in the capture. */
void trace_atomic_unseen(const struct trace_packet *packet);

/**
 * Record that the responder has executed all requests before seq, and that the last executed
 * request ended a message.
 *
 * @param told true: a wrong MSN in this answer was already reported, so the MSN is not checked
 *        again
 */
void trace_answer_executed(const struct trace_exchange_sides *sides, uint64_t seq, bool told,
	const struct trace_packet *packet);

#endif
