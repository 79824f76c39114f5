/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TRACE_H
#define NDPDK_ND_TRACE_H

/**
 * @file
 * Analysis of captured RoCEv2 traffic. Every packet is decoded and its ICRC is verified.
 * Connections are followed from the CM exchange, or inferred from the data packets. The packets of
 * both sides are checked against the rules of the RC transport and of the connection manager. No
 * DPDK port and no EAL is needed.
 *
 * The program passes the frames to a trace one by one, in capture order. The report may be queried
 * at any time and is final after nd_trace_finish(). Any thread may call, but only one at a time for
 * each trace; different traces are independent.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_trace
 * @{
 */

/** A capture under analysis; opaque. Created by nd_trace_open(), freed by nd_trace_close(). */
struct nd_trace;

/** How far the CM exchange of a connection came, as seen in the capture. */
enum nd_trace_cm {
	/**
	 * No CM message was seen: either both sides connected without the CM, or the capture
	 * started too late.
	 */
	ND_TRACE_CM_NONE,
	ND_TRACE_CM_REQUESTED,    /**< REQ seen, no answer */
	ND_TRACE_CM_REPLIED,      /**< REP seen, no RTU */
	ND_TRACE_CM_ESTABLISHED,  /**< REQ, REP and RTU seen */
	ND_TRACE_CM_REJECTED,     /**< REJ seen; reject_reason has the reason */
	ND_TRACE_CM_DISCONNECTED, /**< DREQ seen */
};

/** One side of a connection, with counts of the packets that it sent. */
struct nd_trace_side {
	char address[48]; /**< IP address as text */
	uint32_t qpn;     /**< queue pair number; 0 = not known from the capture */
	uint64_t packets; /**< RC packets and CNPs with a correct ICRC, without CM messages */
	uint64_t sends;   /**< complete SEND messages, without retransmissions */
	uint64_t sends_invalidate; /**< SEND messages with invalidate, also counted in sends */
	uint64_t writes;           /**< complete WRITE messages, without retransmissions */
	uint64_t reads;            /**< READ requests, without retransmissions */
	uint64_t atomics;          /**< atomic requests, without retransmissions */
	/** Message bytes that the side sent with SEND and WRITE, or received with READ. */
	uint64_t bytes;
	uint64_t retransmitted;  /**< request packets with a PSN that was seen before */
	uint64_t acks;           /**< Acknowledge packets, without NAKs */
	uint64_t naks_sequence;  /**< NAKs with syndrome 0x60, PSN sequence error */
	uint64_t naks_fatal;     /**< NAKs with syndrome 0x61, 0x62 or 0x63 */
	uint64_t naks_invalid;   /**< NAKs with syndrome 0x61, invalid request */
	uint64_t naks_access;    /**< NAKs with syndrome 0x62, remote access error */
	uint64_t naks_operation; /**< NAKs with syndrome 0x63, remote operational error */
	uint64_t rnr_naks;       /**< RNR NAKs */
	uint64_t cnps;           /**< congestion notification packets */
};

/** A connection in the capture: two queue pairs that exchange packets. */
struct nd_trace_connection {
	struct nd_trace_side side[2]; /**< [0] = active side, or the side seen first */
	enum nd_trace_cm cm;          /**< how far the CM exchange came */
	uint16_t reject_reason;       /**< code of the REJ if cm is ND_TRACE_CM_REJECTED, or 0 */
	/**
	 * Path MTU in bytes from the CM exchange, otherwise the largest payload, rounded up. 0: not
	 * known.
	 */
	uint16_t path_mtu_bytes;
	uint64_t first_frame; /**< number of its first frame, from 1 */
	uint64_t last_frame;  /**< number of its newest frame */
};

/** A violation of a rule by one side of a connection. */
struct nd_trace_violation {
	uint64_t frame;   /**< number of the frame that violates the rule */
	const char *rule; /**< identifier of the rule, e.g. "RC-001"; static */
	const char *text; /**< description, one sentence; valid until the trace is closed */
	/**
	 * Index for nd_trace_connection(). ND_TRACE_NO_CONNECTION before nd_trace_finish(), or if
	 * the connection is not known.
	 */
	size_t connection;
	unsigned side;     /**< sender of the frame: index into side[] of the connection */
	char sender[48];   /**< address of the sender as text, always set */
	char receiver[48]; /**< address of the other side as text */
};

/** Value of nd_trace_violation.connection: the frame belongs to no connection of the report. */
#define ND_TRACE_NO_CONNECTION SIZE_MAX

/** Counts of all frames passed to the trace so far. */
struct nd_trace_totals {
	uint64_t frames;       /**< frames of any kind */
	uint64_t roce_packets; /**< packets to UDP port 4791 with plausible headers, any ICRC */
	uint64_t icrc_ok;      /**< packets with a correct ICRC */
	uint64_t icrc_bad;     /**< packets with a wrong ICRC, which are not judged */
	/**
	 * Packets to UDP port 4791 with invalid lengths or headers. If the ICRC is correct, the
	 * sender caused the error; then the packet is also counted in icrc_ok and reported as a
	 * violation.
	 */
	uint64_t malformed;
	uint64_t truncated; /**< frames cut by the capture (caplen < len); not judged */
	/**
	 * Frames that probably contain RoCEv2 in a tunnel that is not decoded. They are not judged.
	 */
	uint64_t hidden;
	uint64_t cm_messages;  /**< messages of the connection manager (MADs) */
	uint64_t skipped;      /**< frames passed to nd_trace_skip(), which are not judged */
	uint64_t roce_v1;      /**< RoCE v1 frames (Ethernet type 0x8915), which are not judged */
	uint64_t icrc_ignored; /**< packets with a wrong ICRC, judged due to ignore_icrc */
};

/**
 * Called by nd_trace_frame() for each frame, with one line of text that describes the frame.
 *
 * @param arg line_arg of the configuration
 * @param frame number of the frame, from 1
 * @param text valid during the call
 */
typedef void (*nd_trace_line_fn)(void *arg, uint64_t frame, const char *text);

/** Settings of an analysis. All zero is a valid configuration. */
struct nd_trace_config {
	nd_trace_line_fn line; /**< NULL = frames are not decoded to text */
	void *line_arg;        /**< passed to line */
	/** Maximum number of stored violations. Further violations are only counted. 0 = 1000. */
	uint32_t violations_max;
	/**
	 * True if the capture certainly contains every frame that both sides sent. The trace then
	 * assumes that a missing frame was never sent, so doubts become violations. It also assumes
	 * that answers have reached their receiver.
	 */
	bool complete;
	/**
	 * True if packets with a wrong ICRC are judged as if the ICRC were correct. They are
	 * counted in icrc_ignored. Some generators in switches and FPGAs send no ICRC.
	 */
	bool ignore_icrc;
	/**
	 * Silences of a connection longer than this time, in ns, are counted (nd_trace_stats.h); 0
	 * = 10 ms.
	 */
	uint64_t stall_ns;
};

struct nd_trace *nd_trace_open_sized(const struct nd_trace_config *config, size_t size);

/**
 * Create a trace.
 *
 * @param config copied; NULL = all zero
 * @return a trace without frames, to be freed with nd_trace_close(); NULL if memory is exhausted,
 *         or if config sets members of a newer version
 * @note Threads: any, one at a time for a trace.
 */
static inline struct nd_trace *
nd_trace_open(const struct nd_trace_config *config)
{
	return nd_trace_open_sized(config, sizeof(*config));
}

/**
 * Free a trace and everything that was returned from it. NULL is allowed.
 *
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_close(struct nd_trace *trace);

/**
 * Pass the next frame to a trace. The call never fails. A frame that is not RoCEv2 is only counted.
 * If memory for a connection is exhausted, this connection is no longer judged.
 *
 * @param time_ns capture time; only differences matter
 * @param frame Ethernet frame without FCS; not kept
 * @param captured_bytes length of frame; 0 is allowed
 * @param wire_bytes length of the frame on the wire, at least captured_bytes
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_frame(struct nd_trace *trace, uint64_t time_ns, const void *frame,
	size_t captured_bytes, size_t wire_bytes);

/**
 * Complete the report: make decisions that waited for later frames, sort violations and doubts by
 * frame, and set the index of their connections. Call once, after the last frame.
 *
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_finish(struct nd_trace *trace);

void
nd_trace_totals_sized(const struct nd_trace *trace, struct nd_trace_totals *totals, size_t size);

/**
 * Return the counts of all frames passed so far.
 *
 * @param[out] totals always filled
 * @note Threads: any, one at a time for a trace.
 */
static inline void
nd_trace_totals(const struct nd_trace *trace, struct nd_trace_totals *totals)
{
	nd_trace_totals_sized(trace, totals, sizeof(*totals));
}

/**
 * @return number of connections found so far. The number decreases if two connections are found to
 *         be halves of one connection.
 * @note Threads: any, one at a time for a trace.
 */
size_t nd_trace_connection_count(const struct nd_trace *trace);

/**
 * @return the connection; NULL if index is not less than nd_trace_connection_count(). Valid until
 *         the trace is closed. Later frames change the connection and, until nd_trace_finish(),
 *         also its index.
 * @note Threads: any, one at a time for a trace.
 */
const struct nd_trace_connection *nd_trace_connection(const struct nd_trace *trace, size_t index);

/**
 * @return number of violations found, which may exceed the number kept (violations_max).
 * @note Threads: any, one at a time for a trace.
 */
size_t nd_trace_violation_count(const struct nd_trace *trace);

/**
 * @return the violation; NULL if index is not less than the number kept. After nd_trace_finish()
 *         violations are in order of frames. nd_trace_frame() and nd_trace_finish() invalidate the
 *         pointer.
 * @note Threads: any, one at a time for a trace.
 */
const struct nd_trace_violation *nd_trace_violation(const struct nd_trace *trace, size_t index);

/**
 * @return number of doubts found, which may exceed the number stored (violations_max).
 *
 * A doubt is a frame that violates a rule, unless the capture lacks a frame that was on the wire.
 * Example: an answer, if the capture does not contain the request for it. With config.complete
 * there are no doubts.
 * @note Threads: any, one at a time for a trace.
 */
size_t nd_trace_doubt_count(const struct nd_trace *trace);

/**
 * @return the doubt, with the same lifetime as an entry of nd_trace_violation(). Its rule may have
 *         been violated.
 * @note Threads: any, one at a time for a trace.
 */
const struct nd_trace_violation *nd_trace_doubt(const struct nd_trace *trace, size_t index);

/**
 * @return a packet with a wrong ICRC, damaged by the network or the capture; NULL is returned as by
 *         nd_trace_violation(), and the lifetime is the same. The connection is taken from the
 *         headers of the packet, which may be damaged too.
 *
 * These packets violate no rule, and their member rule is "ICRC". At most violations_max entries
 * are stored. nd_trace_totals.icrc_bad counts all damaged packets.
 * @note Threads: any, one at a time for a trace.
 */
const struct nd_trace_violation *nd_trace_damage(const struct nd_trace *trace, size_t index);

/**
 * @return identifier of a rule, e.g. "RC-001", as in nd_trace_violation.rule; static; NULL if index
 *         is past the last rule
 * @note Threads: any.
 */
const char *nd_trace_rule(size_t index);

/**
 * @return the text of a rule: one sentence without a full stop; static; NULL if there is no such
 *         rule
 * @note Threads: any.
 */
const char *nd_trace_rule_sentence(const char *rule);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
