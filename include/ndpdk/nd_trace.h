/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TRACE_H
#define NDPDK_ND_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reading recorded RoCEv2 traffic: every packet is decoded, its ICRC verified, connections are
 * followed from the CM exchange (or inferred from the data packets), and the rules of the RC
 * transport and of the connection manager are checked against what both sides did. No DPDK port and
 * no EAL is needed.
 *
 * A trace is fed frame by frame, in capture order, and asked for its report at any time.
 *
 * Threads: one at a time for a trace; different traces are independent.
 */

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

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

/** One direction of a connection: what its sender did. */
struct nd_trace_side {
	char address[48];          /**< text */
	uint32_t qpn;              /**< of the sender; 0 when the capture never told it */
	uint64_t packets;          /**< of all kinds */
	uint64_t sends;            /**< complete SEND messages, retransmissions not counted */
	uint64_t sends_invalidate; /**< of these, with invalidate */
	uint64_t writes;           /**< complete WRITE messages */
	uint64_t reads;            /**< READ requests */
	uint64_t atomics;          /**< requests of both kinds */
	uint64_t bytes;            /**< message bytes: SEND and WRITE sent, READ data received */
	uint64_t retransmitted;    /**< request packets whose PSN was seen before */
	uint64_t acks;             /**< positive acknowledgements */
	uint64_t naks_sequence;    /**< NAK "PSN sequence error", 0x60 */
	uint64_t naks_fatal;       /**< 0x61, 0x62, 0x63 */
	uint64_t rnr_naks;         /**< NAK "receiver not ready" */
	uint64_t cnps;             /**< congestion notification packets */
};

/** One connection. */
struct nd_trace_connection {
	struct nd_trace_side side[2]; /**< [0] = active side, or the one seen first */
	enum nd_trace_cm cm;          /**< how it came up */
	uint16_t reject_reason;       /**< with ND_TRACE_CM_REJECTED */
	uint16_t path_mtu_bytes;      /**< from the CM, else the largest payload seen rounded up; 0
				    unknown */
	uint64_t first_frame;         /**< frame numbers count from 1 */
	uint64_t last_frame;          /**< likewise */
};

/** A rule that somebody broke. */
struct nd_trace_violation {
	uint64_t frame;   /**< in which it was found */
	const char *rule; /**< e.g. "RC-001"; static */
	const char *text; /**< one sentence; valid until the trace is closed */
	/** Index of its connection, from nd_trace_finish() on; or ND_TRACE_NO_CONNECTION. */
	size_t connection;
	unsigned side;     /**< of the connection: who sent the frame, and is to blame */
	char sender[48];   /**< address of that side, text; also where no connection is known */
	char receiver[48]; /**< address of the other side */
};

/** The violation is in a frame that belongs to no connection that is reported. */
#define ND_TRACE_NO_CONNECTION SIZE_MAX

/** What the frames were. */
struct nd_trace_totals {
	uint64_t frames;       /**< fed */
	uint64_t roce_packets; /**< UDP port 4791 with plausible headers, good ICRC or not */
	uint64_t icrc_ok;      /**< of roce_packets, with a good ICRC */
	uint64_t icrc_bad;     /**< counted, and otherwise ignored: the network did it */
	uint64_t malformed;    /**< UDP port 4791, but lengths or headers do not fit */
	uint64_t truncated;    /**< cut by the capture (caplen < len): not judged */
	uint64_t hidden; /**< RoCEv2 by its looks in a tunnel that is not decoded: not judged */
	uint64_t cm_messages; /**< of roce_packets, to the connection manager */
};

/** Called for each frame with its one-line decoding; text is valid during the call. */
typedef void (*nd_trace_line_fn)(void *arg, uint64_t frame, const char *text);

/** What a trace shall do. Zero it, and set what is wanted. */
struct nd_trace_config {
	nd_trace_line_fn line;   /**< NULL = no decoding wanted */
	void *line_arg;          /**< first argument of line */
	uint32_t violations_max; /**< kept; more are only counted; 0 = 1000 */
	/**
	 * The capture is known to hold every frame that both sides sent and received. What it does
	 * not hold was never sent then, and what would be a doubt is a violation.
	 */
	bool complete;
};

/** @return a trace, or NULL when memory is exhausted. config may be NULL. */
struct nd_trace *nd_trace_open(const struct nd_trace_config *config);

/** Free a trace and everything that it gave out; NULL is ignored. */
void nd_trace_close(struct nd_trace *trace);

/**
 * Feed the next frame.
 *
 * @param time_ns capture time; only differences matter
 * @param frame Ethernet frame without FCS, captured_bytes long; wire_bytes is what it was on the
 *         wire
 */
void nd_trace_frame(struct nd_trace *trace, uint64_t time_ns, const void *frame,
	size_t captured_bytes, size_t wire_bytes);

/** Put the violations into the order of their frames. Call once, after the last frame. */
void nd_trace_finish(struct nd_trace *trace);

/** Tell what the frames fed so far were. */
void nd_trace_totals(const struct nd_trace *trace, struct nd_trace_totals *totals);

/** @return connections found so far. */
size_t nd_trace_connection_count(const struct nd_trace *trace);

/** @return the connection, index < count; valid until the trace is closed. */
const struct nd_trace_connection *nd_trace_connection(const struct nd_trace *trace, size_t index);

/** @return violations found, which may exceed those kept. */
size_t nd_trace_violation_count(const struct nd_trace *trace);

/** @return violation, or NULL when index is beyond those kept. */
const struct nd_trace_violation *nd_trace_violation(const struct nd_trace *trace, size_t index);

/**
 * Doubts: frames that break a rule unless the capture lacks a frame that was on the wire, such as
 * the answer to a request that is not in the capture. There are none with config.complete.
 *
 * @return doubts found, which may exceed those kept (violations_max).
 */
size_t nd_trace_doubt_count(const struct nd_trace *trace);

/** @return doubt, or NULL when index is beyond those kept. rule is the one that may be broken. */
const struct nd_trace_violation *nd_trace_doubt(const struct nd_trace *trace, size_t index);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
