/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TRACE_H
#define NDPDK_ND_TRACE_H

/**
 * @file
 * Reading recorded RoCEv2 traffic: every packet is decoded, its ICRC verified, connections are
 * followed from the CM exchange (or inferred from the data packets), and the rules of the RC
 * transport and of the connection manager are checked against what both sides did. No DPDK port and
 * no EAL is needed.
 *
 * A trace is fed frame by frame, in capture order; its report may be queried at any time and is
 * final after nd_trace_finish(). Any thread may call, one at a time per trace; different traces are
 * independent.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** A capture under analysis; opaque. Made by nd_trace_open(), freed by nd_trace_close(). */
struct nd_trace;

/** How a connection came up, as far as the capture shows. */
enum nd_trace_cm {
	ND_TRACE_CM_NONE, /**< no CM message seen: queue pairs made without CM, or capture started
			     late */
	ND_TRACE_CM_REQUESTED,    /**< REQ without answer */
	ND_TRACE_CM_REPLIED,      /**< REP seen, RTU not */
	ND_TRACE_CM_ESTABLISHED,  /**< REQ, REP, RTU */
	ND_TRACE_CM_REJECTED,     /**< REJ; reject_reason says why */
	ND_TRACE_CM_DISCONNECTED, /**< DREQ seen */
};

/** One side of a connection: what it sent, requests and answers. */
struct nd_trace_side {
	char address[48];          /**< IP address as text */
	uint32_t qpn;              /**< its queue pair; 0 = the capture does not tell */
	uint64_t packets;          /**< RC packets and CNPs with a right ICRC; CM not counted */
	uint64_t sends;            /**< complete SEND messages, retransmissions not counted */
	uint64_t sends_invalidate; /**< of these, with invalidate */
	uint64_t writes;           /**< complete WRITE messages, retransmissions not counted */
	uint64_t reads;            /**< READ requests, retransmissions not counted */
	uint64_t atomics;          /**< atomic requests, retransmissions not counted */
	uint64_t bytes;            /**< message bytes: SEND and WRITE sent, READ data received */
	uint64_t retransmitted;    /**< request packets whose PSN was seen before */
	uint64_t acks;             /**< Acknowledge packets that are no NAK */
	uint64_t naks_sequence;    /**< NAK 0x60 */
	uint64_t naks_fatal;       /**< NAK 0x61, 0x62, 0x63 */
	uint64_t naks_invalid;     /**< of naks_fatal: 0x61, invalid request */
	uint64_t naks_access;      /**< of naks_fatal: 0x62, remote access error */
	uint64_t naks_operation;   /**< of naks_fatal: 0x63, remote operational error */
	uint64_t rnr_naks;         /**< RNR NAKs */
	uint64_t cnps;             /**< congestion notification packets */
};

/** A connection that the capture shows: two queue pairs that exchange packets. */
struct nd_trace_connection {
	struct nd_trace_side side[2]; /**< [0] = active side, or the one seen first */
	enum nd_trace_cm cm;          /**< how far the CM exchange came */
	uint16_t reject_reason;       /**< with ND_TRACE_CM_REJECTED, else 0 */
	uint16_t path_mtu_bytes;      /**< from the CM, else the largest payload seen rounded up; 0
				    unknown */
	uint64_t first_frame;         /**< its first frame; frame numbers count from 1 */
	uint64_t last_frame;          /**< its newest frame */
};

/** A rule that one side of a connection broke. */
struct nd_trace_violation {
	uint64_t frame;   /**< number of the frame that breaks it */
	const char *rule; /**< e.g. "RC-001"; static */
	const char *text; /**< one sentence; valid until the trace is closed */
	/**
	 * Index for nd_trace_connection(), valid after nd_trace_finish(). ND_TRACE_NO_CONNECTION
	 * before that, and where no connection is known.
	 */
	size_t connection;
	unsigned side;     /**< index into side[] of that connection: who sent the frame */
	char sender[48];   /**< address of that side, text; also where no connection is known */
	char receiver[48]; /**< address of the other side */
};

/** Value of nd_trace_violation.connection: the frame belongs to no connection of the report. */
#define ND_TRACE_NO_CONNECTION SIZE_MAX

/** Counts over all frames fed so far. */
struct nd_trace_totals {
	uint64_t frames;       /**< of any kind */
	uint64_t roce_packets; /**< UDP port 4791 with plausible headers, good ICRC or not */
	uint64_t icrc_ok;      /**< of these, with a right ICRC */
	uint64_t icrc_bad; /**< of these, with a wrong ICRC: corrupted by the network, not judged */
	/**
	 * UDP port 4791, but lengths or headers do not fit. With a right ICRC, the sender has made
	 * it so: then it is one of icrc_ok, too, and a violation.
	 */
	uint64_t malformed;
	uint64_t truncated;    /**< cut by the capture (caplen < len): not judged */
	uint64_t hidden;       /**< looks like RoCEv2 in a tunnel that is not decoded: not judged */
	uint64_t cm_messages;  /**< MADs of the connection manager */
	uint64_t skipped;      /**< passed to nd_trace_skip(): not judged */
	uint64_t roce_v1;      /**< RoCE v1 (Ethernet type 0x8915): not judged */
	uint64_t icrc_ignored; /**< wrong ICRC, but judged because of ignore_icrc */
};

/**
 * Called by nd_trace_frame() for each frame with its one-line decoding.
 *
 * @param arg line_arg of the configuration
 * @param frame number of the frame, from 1
 * @param text valid during the call
 */
typedef void (*nd_trace_line_fn)(void *arg, uint64_t frame, const char *text);

/** How a capture is analysed. All zero is a valid configuration. */
struct nd_trace_config {
	nd_trace_line_fn line;   /**< NULL = no decoding wanted */
	void *line_arg;          /**< handed to line */
	uint32_t violations_max; /**< kept; more are only counted; 0 = 1000 */
	/**
	 * Set it when the capture is known to hold every frame that both sides sent. A frame that
	 * it does not hold was never sent then, so what would be a doubt is a violation. Answers
	 * are taken to have reached their receiver, too.
	 */
	bool complete;
	/**
	 * Judge packets with a wrong ICRC as if the ICRC were right, and count them as
	 * icrc_ignored. Some generators in switches and FPGAs send no ICRC.
	 */
	bool ignore_icrc;
	/** A silence of a connection longer than this is counted (nd_trace_stats.h); 0 = 10 ms. */
	uint64_t stall_ns;
};

/**
 * @param config copied; NULL = all zero
 * @return a trace without frames, to be freed with nd_trace_close(); NULL when memory is exhausted
 * @note Threads: any, one at a time for a trace.
 */
struct nd_trace *nd_trace_open(const struct nd_trace_config *config);

/**
 * Free a trace and all that was returned from it. NULL is allowed.
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_close(struct nd_trace *trace);

/**
 * Feed the next frame. It never fails: a frame that is not RoCEv2 is only counted, and of a
 * connection for which memory is exhausted nothing more is judged.
 *
 * @param time_ns capture time; only differences matter
 * @param frame Ethernet frame without FCS; not kept
 * @param captured_bytes length of frame; 0 is allowed
 * @param wire_bytes what the frame had on the wire, at least captured_bytes
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_frame(struct nd_trace *trace, uint64_t time_ns, const void *frame,
	size_t captured_bytes, size_t wire_bytes);

/**
 * Complete the report: decide what waited for a later frame, sort violations and doubts by frame,
 * and give each the index of its connection. Call once, after the last frame.
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_finish(struct nd_trace *trace);

/**
 * Fill totals with the counts of all frames fed so far.
 *
 * @param[out] totals always filled
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_totals(const struct nd_trace *trace, struct nd_trace_totals *totals);

/**
 * @return connections found so far; it may shrink when two halves turn out to be one.
 * @note Threads: any, one at a time for a trace.
 */
size_t nd_trace_connection_count(const struct nd_trace *trace);

/**
 * @return the connection, or NULL when index is not below nd_trace_connection_count(). Valid until
 *         the trace is closed; further frames change it, and before nd_trace_finish() its index.
 * @note Threads: any, one at a time for a trace.
 */
const struct nd_trace_connection *nd_trace_connection(const struct nd_trace *trace, size_t index);

/**
 * @return violations found, which may exceed those kept (violations_max).
 * @note Threads: any, one at a time for a trace.
 */
size_t nd_trace_violation_count(const struct nd_trace *trace);

/**
 * @return the violation, or NULL when index is beyond those kept. In order of frames after
 *         nd_trace_finish(). A pointer from before a call of nd_trace_frame() or nd_trace_finish()
 *         is not valid after it.
 * @note Threads: any, one at a time for a trace.
 */
const struct nd_trace_violation *nd_trace_violation(const struct nd_trace *trace, size_t index);

/**
 * Doubts: frames that break a rule, unless the capture lacks a frame that was on the wire. An
 * example is the answer to a request that is not in the capture. There are none with
 * config.complete.
 *
 * @return doubts found, which may exceed those kept (violations_max).
 * @note Threads: any, one at a time for a trace.
 */
size_t nd_trace_doubt_count(const struct nd_trace *trace);

/**
 * @return the doubt as nd_trace_violation() does; its rule is the one that may be broken.
 * @note Threads: any, one at a time for a trace.
 */
const struct nd_trace_violation *nd_trace_doubt(const struct nd_trace *trace, size_t index);

/**
 * Packets with a wrong ICRC, which the network or the capture damaged. Such packets break no rule;
 * the rule of an entry is "ICRC". At most violations_max entries are kept. nd_trace_totals.icrc_bad
 * counts all damaged packets.
 *
 * @return the entry at an index, or NULL, as nd_trace_violation() returns violations. The
 *         connection is taken from the headers of the packet, which may be damaged too.
 * @note Threads: any, one at a time for a trace.
 */
const struct nd_trace_violation *nd_trace_damage(const struct nd_trace *trace, size_t index);

/**
 * @return identifier of the rule at an index, e.g. "RC-001", as in nd_trace_violation.rule; NULL if
 *         index is past the last rule. The text is static.
 * @note Threads: any.
 */
const char *nd_trace_rule(size_t index);

/**
 * @return the sentence that states a rule, without a full stop; NULL if no rule has this
 *         identifier. The text is static.
 * @note Threads: any.
 */
const char *nd_trace_rule_sentence(const char *rule);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
