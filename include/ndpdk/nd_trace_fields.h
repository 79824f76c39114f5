/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TRACE_FIELDS_H
#define NDPDK_ND_TRACE_FIELDS_H

/**
 * @file
 * Where the fields of a recorded RoCEv2 frame lie that a program may want to replace, and how its
 * checksums become right again. A program takes the layout of a frame, changes bytes of fields, and
 * seals the frame with the same layout.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** What a field is. Numbers are big-endian, as everywhere in these headers. */
enum nd_trace_field_kind {
	ND_TRACE_FIELD_MAC,         /**< Ethernet address, 6 bytes */
	ND_TRACE_FIELD_IPV4,        /**< 4 bytes: of a header, of a GID, or in CM private data */
	ND_TRACE_FIELD_IPV6,        /**< 16 bytes, likewise; a GID that is no IPv4 address, too */
	ND_TRACE_FIELD_ADDRESS,     /**< virtual address, 8 bytes; the next field is its key */
	ND_TRACE_FIELD_KEY,         /**< R_Key or Q_Key, 4 bytes */
	ND_TRACE_FIELD_ATOMIC,      /**< operand or result of an atomic, 8 bytes */
	ND_TRACE_FIELD_IMMEDIATE,   /**< immediate data, 4 bytes */
	ND_TRACE_FIELD_PAYLOAD,     /**< data of the application; any length */
	ND_TRACE_FIELD_PRIVATE,     /**< private data of a CM message, or a MAD of another class */
	ND_TRACE_FIELD_GUID,        /**< of a channel adapter, 8 bytes */
	ND_TRACE_FIELD_COMM_ID,     /**< communication ID, 4 bytes */
	ND_TRACE_FIELD_TRANSACTION, /**< transaction ID of a MAD, 8 bytes */
	ND_TRACE_FIELD_PADDING,     /**< bytes without meaning: pad, IP options, Ethernet padding */
};

/** Bytes of a frame with a meaning. */
struct nd_trace_field {
	enum nd_trace_field_kind kind; /**< what they mean */
	uint32_t offset;               /**< from the start of the frame */
	uint32_t bytes;                /**< at least 1 */
};

/** Fields of a frame, at most. */
#define ND_TRACE_FIELDS_MAX 40

/** Where what is in a frame. Members behind the fields are for nd_trace_seal(). */
struct nd_trace_layout {
	/** A RoCEv2 packet, complete or not, well formed or not; there are no fields otherwise. */
	bool roce;
	/** RoCE v1, or probably RoCEv2 in a tunnel that is not decoded. There are no fields. */
	bool undecoded;
	uint32_t field_count;                              /**< fields that are filled */
	struct nd_trace_field fields[ND_TRACE_FIELDS_MAX]; /**< in order, without overlaps */

	uint32_t tunnel_offset;  /**< offset of the outer IP header; 0 = no tunnel */
	bool tunnel_v6;          /**< whether this is IPv6 */
	bool v6;                 /**< whether the packet is IPv6 */
	uint32_t l3_offset;      /**< of the IP header, from the start of the frame */
	uint32_t l4_offset;      /**< of the UDP header */
	uint32_t end_offset;     /**< behind the IP packet */
	uint32_t captured_bytes; /**< of the frame */
	bool complete;           /**< all of the packet is there, and it has an ICRC */
	uint16_t ip_error;   /**< what the IPv4 checksum differs from the right one by; 0 = right */
	uint16_t udp_error;  /**< likewise, of a complete packet */
	bool udp_none;       /**< the UDP checksum is 0: there is none */
	uint32_t icrc_error; /**< what the ICRC of a complete packet differs by */
};

/**
 * Find the fields of a frame.
 *
 * @param frame Ethernet frame without FCS
 * @param captured_bytes length of frame; 0 is allowed
 * @param wire_bytes what the frame had on the wire, at least captured_bytes
 * @param[out] layout always filled
 * @note Threads: any.
 */
void nd_trace_layout(const void *frame, size_t captured_bytes, size_t wire_bytes,
	struct nd_trace_layout *layout);

/**
 * Recompute the checksums (IP, UDP, ICRC) of a frame after its fields were changed. If a checksum
 * was wrong before, the new checksum differs from the right checksum in the same bits. A UDP
 * checksum that cannot be computed, because the frame is cut, becomes 0. In the outer headers of a
 * tunnel, the checksums of IP and GRE become right (GRE: 0 if the frame is cut), and the checksum
 * of UDP becomes 0.
 *
 * @param frame of which nd_trace_layout() has filled layout; its lengths are unchanged
 * @note Threads: any, one at a time for a frame.
 */
void nd_trace_seal(void *frame, const struct nd_trace_layout *layout);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
