/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TRACE_FIELDS_H
#define NDPDK_ND_TRACE_FIELDS_H

/**
 * @file
 * Locate the fields of a captured RoCEv2 frame that a program may want to replace, and recompute
 * the checksums. A program gets the layout of a frame (nd_trace_layout()), changes bytes of fields,
 * and passes the frame with this layout to nd_trace_seal().
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

/** Type of a field. Numbers are big-endian in the frame. */
enum nd_trace_field_kind {
	ND_TRACE_FIELD_MAC,         /**< Ethernet address, 6 bytes */
	ND_TRACE_FIELD_IPV4,        /**< IPv4 address: 4 bytes in a header, a GID or private data */
	ND_TRACE_FIELD_IPV6,        /**< IPv6 address: 16 bytes in a header, GID or private data */
	ND_TRACE_FIELD_ADDRESS,     /**< virtual address, 8 bytes, before the field of its key */
	ND_TRACE_FIELD_KEY,         /**< R_Key or Q_Key, 4 bytes */
	ND_TRACE_FIELD_ATOMIC,      /**< operand or result of an atomic, 8 bytes */
	ND_TRACE_FIELD_IMMEDIATE,   /**< immediate data, 4 bytes */
	ND_TRACE_FIELD_PAYLOAD,     /**< data of the application, of any length */
	ND_TRACE_FIELD_PRIVATE,     /**< private data of a CM message, or a MAD of another class */
	ND_TRACE_FIELD_GUID,        /**< GUID of a channel adapter, 8 bytes */
	ND_TRACE_FIELD_COMM_ID,     /**< communication ID of a CM message, 4 bytes */
	ND_TRACE_FIELD_TRANSACTION, /**< transaction ID of a MAD, 8 bytes */
	ND_TRACE_FIELD_PADDING,     /**< unused bytes: pad, IP options, Ethernet padding */
};

/** One field of a frame. */
struct nd_trace_field {
	enum nd_trace_field_kind kind; /**< type of the field */
	uint32_t offset;               /**< bytes from the start of the frame */
	uint32_t bytes;                /**< length of the field, at least 1 */
};

/** Maximum number of fields of a frame. */
#define ND_TRACE_FIELDS_MAX 40

/**
 * Fields of a frame. nd_trace_seal() uses the members after fields. Offsets count from the start of
 * the frame.
 */
struct nd_trace_layout {
	/**
	 * True for a RoCEv2 packet, even a packet that is cut or invalid. If false, there are no
	 * fields.
	 */
	bool roce;
	/**
	 * True for RoCE v1, or probably RoCEv2 in a tunnel that is not decoded. There are no
	 * fields.
	 */
	bool undecoded;
	uint32_t field_count;                              /**< number of entries in fields */
	struct nd_trace_field fields[ND_TRACE_FIELDS_MAX]; /**< in order, without overlaps */

	uint32_t tunnel_offset;  /**< offset of the outer IP header; 0 = no tunnel */
	bool tunnel_v6;          /**< true: the outer IP header is IPv6 */
	bool v6;                 /**< true: the packet's IP header is IPv6 */
	uint32_t l3_offset;      /**< offset of the IP header */
	uint32_t l4_offset;      /**< offset of the UDP header */
	uint32_t end_offset;     /**< offset of the first byte after the IP packet */
	uint32_t captured_bytes; /**< captured length of the frame */
	bool complete;           /**< true: the whole packet was captured, and has an ICRC */
	/** XOR of the IPv4 header checksum and the correct checksum. 0: the checksum is correct. */
	uint16_t ip_error;
	/** XOR of UDP checksum and correct checksum; complete packets only */
	uint16_t udp_error;
	bool udp_none;       /**< true: the sender has set the UDP checksum to 0 (not used) */
	uint32_t icrc_error; /**< XOR of ICRC and correct ICRC; set in complete packets only */
};

void nd_trace_layout_sized(const void *frame, size_t captured_bytes, size_t wire_bytes,
	struct nd_trace_layout *layout, size_t size);

/**
 * Find the fields of a frame.
 *
 * @param frame Ethernet frame without FCS
 * @param captured_bytes length of frame; 0 is allowed
 * @param wire_bytes length of the frame on the wire, at least captured_bytes
 * @param[out] layout always filled
 * @note Threads: any.
 */
static inline void
nd_trace_layout(
	const void *frame, size_t captured_bytes, size_t wire_bytes, struct nd_trace_layout *layout)
{
	nd_trace_layout_sized(frame, captured_bytes, wire_bytes, layout, sizeof(*layout));
}

void nd_trace_seal_sized(void *frame, const struct nd_trace_layout *layout, size_t size);

/**
 * Recompute the checksums (IP, UDP, ICRC) of a frame after its fields were changed. A checksum that
 * was wrong before stays wrong in the same bits. If the frame is cut, the UDP checksum cannot be
 * computed and becomes 0. In the outer headers of a tunnel, the checksums of IP and GRE become
 * correct (GRE: 0 if the frame is cut), and the UDP checksum becomes 0.
 *
 * @param frame the frame of nd_trace_layout(), with unchanged lengths
 * @note Threads: any, one at a time for a frame.
 */
static inline void
nd_trace_seal(void *frame, const struct nd_trace_layout *layout)
{
	nd_trace_seal_sized(frame, layout, sizeof(*layout));
}

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
