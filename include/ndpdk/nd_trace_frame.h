/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TRACE_FRAME_H
#define NDPDK_ND_TRACE_FRAME_H

/**
 * @file
 * Single frames of a trace: the connection and type of a frame, and frames that are counted but not
 * analysed. For programs that choose, mark or copy frames.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_trace.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_trace
 * @{
 */

/** Type of a packet, as seen by its connection. */
enum nd_trace_kind {
	ND_TRACE_KIND_NONE,         /**< not a packet of a connection that is followed */
	ND_TRACE_KIND_REQUEST,      /**< SEND, WRITE, READ request, atomic */
	ND_TRACE_KIND_RESPONSE,     /**< READ response, or atomic response */
	ND_TRACE_KIND_ACK,          /**< Acknowledge without NAK */
	ND_TRACE_KIND_NAK_SEQUENCE, /**< NAK with syndrome 0x60 */
	ND_TRACE_KIND_NAK_FATAL,    /**< any other NAK */
	ND_TRACE_KIND_RNR_NAK,      /**< receiver not ready */
	ND_TRACE_KIND_CNP,          /**< congestion notification packet; its PSN has no meaning */
};

/** Information about a frame, as known directly after the frame was passed to the trace. */
struct nd_trace_seen {
	uint64_t frame; /**< number of the frame, from 1; 0 = no frame was passed yet */
	/**
	 * Serial number of the connection, from 1; 0 = not known. Each trace of the same frames
	 * gives the same serial numbers. Two serial numbers may later be found to be two halves of
	 * one connection: nd_trace_index().
	 */
	uint64_t connection;
	unsigned side;     /**< sender of the frame as known so far, 0 or 1 */
	bool roce;         /**< RoCEv2 packet with plausible headers */
	bool icrc_wrong;   /**< RoCEv2 packet with a wrong ICRC */
	bool cm;           /**< datagram to queue pair 1, the connection manager */
	bool repeated;     /**< request with a PSN that was seen before */
	bool has_syndrome; /**< true: answer with an AETH, so syndrome is valid */
	/** Syndrome in the AETH: 0x00 ACK, 0x20 RNR NAK, from 0x60 NAK. */
	uint8_t syndrome;
	/** Type of the packet. With ND_TRACE_KIND_NONE, all members below are 0. */
	enum nd_trace_kind kind;
	uint32_t psn;           /**< PSN in the packet, 24 bits */
	uint32_t payload_bytes; /**< payload length without pad */
};

void nd_trace_last_sized(const struct nd_trace *trace, struct nd_trace_seen *seen, size_t size);

/**
 * Return information about the frame that was passed last.
 *
 * @param[out] seen always filled
 * @note Threads: any, one at a time for a trace.
 */
static inline void
nd_trace_last(const struct nd_trace *trace, struct nd_trace_seen *seen)
{
	nd_trace_last_sized(trace, seen, sizeof(*seen));
}

/**
 * Find a connection of the report by its serial number. Call this after nd_trace_finish().
 *
 * @param serial nd_trace_seen.connection
 * @return index for nd_trace_connection(), or ND_TRACE_NO_CONNECTION
 * @note Threads: any, one at a time for a trace.
 */
size_t nd_trace_index(const struct nd_trace *trace, uint64_t serial);

/**
 * Translate the side of a frame to the final report. The sides can differ, because a trace may
 * first take two halves of a connection for two connections. Call this after nd_trace_finish().
 *
 * @param serial nd_trace_seen.connection
 * @param side nd_trace_seen.side
 * @return index into side[] of the connection that nd_trace_index() returns for serial
 * @note Threads: any, one at a time for a trace.
 */
unsigned nd_trace_side(const struct nd_trace *trace, uint64_t serial, unsigned side);

/**
 * Count a frame that is not analysed, so that later frames keep the numbers that they have in their
 * file.
 *
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_skip(struct nd_trace *trace);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
