/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TRACE_FRAME_H
#define NDPDK_ND_TRACE_FRAME_H

/**
 * @file
 * Single frames of a trace: which connection a frame belongs to, what it is in it, and frames that
 * are counted and not looked at. For programs that choose, mark or copy frames.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_trace.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** What a packet is in its conversation. */
enum nd_trace_kind {
	ND_TRACE_KIND_NONE,         /**< no packet of a connection that is followed */
	ND_TRACE_KIND_REQUEST,      /**< SEND, WRITE, READ request, atomic */
	ND_TRACE_KIND_RESPONSE,     /**< READ data, or the result of an atomic */
	ND_TRACE_KIND_ACK,          /**< Acknowledge that is no NAK */
	ND_TRACE_KIND_NAK_SEQUENCE, /**< NAK 0x60 */
	ND_TRACE_KIND_NAK_FATAL,    /**< any other NAK */
	ND_TRACE_KIND_RNR_NAK,      /**< Acknowledge that asks to wait */
	ND_TRACE_KIND_CNP,          /**< congestion notification; its PSN says nothing */
};

/** What a trace knows of one frame when it has been fed. */
struct nd_trace_seen {
	uint64_t frame; /**< its number, from 1; 0 = no frame has been fed */
	/**
	 * Serial number of its connection, from 1; 0 = none is known. The same frames get the same
	 * serial numbers in every trace. Two of them may turn out to be one connection later:
	 * nd_trace_index() tells.
	 */
	uint64_t connection;
	unsigned side;           /**< who sent it, as far as it is known yet: 0 or 1 */
	bool roce;               /**< RoCEv2 with plausible headers */
	bool icrc_wrong;         /**< of a RoCEv2 packet */
	bool cm;                 /**< a datagram to queue pair 1, where the connection manager is */
	bool repeated;           /**< a request whose PSN was seen before */
	bool has_syndrome;       /**< an answer with an AETH */
	uint8_t syndrome;        /**< of the AETH: ACK 0x00, RNR NAK 0x20, NAK 0x60 and following */
	enum nd_trace_kind kind; /**< NONE: what follows is 0 */
	uint32_t psn;            /**< as in the packet, 24 bits */
	uint32_t payload_bytes;  /**< without pad */
};

/**
 * Tell what the frame that was fed last is.
 *
 * @param[out] seen always filled
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_last(const struct nd_trace *trace, struct nd_trace_seen *seen);

/**
 * Find a connection of the report by its serial number. Call it after nd_trace_finish().
 *
 * @param serial nd_trace_seen.connection
 * @return index for nd_trace_connection(), or ND_TRACE_NO_CONNECTION
 * @note Threads: any, one at a time for a trace.
 */
size_t nd_trace_index(const struct nd_trace *trace, uint64_t serial);

/**
 * Two halves of a connection may have been taken for two connections when a frame was fed. Call it
 * after nd_trace_finish().
 *
 * @param serial nd_trace_seen.connection
 * @param side nd_trace_seen.side
 * @return index into side[] of the connection that nd_trace_index() tells
 * @note Threads: any, one at a time for a trace.
 */
unsigned nd_trace_side(const struct nd_trace *trace, uint64_t serial, unsigned side);

/**
 * Count a frame that is not to be looked at, so that the frames behind it keep the numbers that
 * they have in their file.
 *
 * @note Threads: any, one at a time for a trace.
 */
void nd_trace_skip(struct nd_trace *trace);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
