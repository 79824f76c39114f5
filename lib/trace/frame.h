/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_FRAME_H
#define NDPDK_TRACE_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "trace/violations.h"
#include "wire/parse.h"

/** A network is assumed to reorder or repeat packets by at most this time, in nanoseconds. */
#define TRACE_REORDER_NS UINT64_C(100000000)

/** A valid packet, as passed to the checks. */
struct trace_packet {
	uint64_t frame; /**< number of the frame, from 1 */
	uint64_t time_ns;
	const uint8_t *bytes; /**< Ethernet frame to which the offsets in view refer */
	uint32_t wire_bytes;  /**< length of the whole frame on the wire */
	struct wire_view view;
	struct trace_violations *violations;
	bool *repeated; /**< set to true if the packet is a retransmitted request */
};

enum trace_frame_class {
	TRACE_FRAME_OTHER,     /**< not RoCEv2 */
	TRACE_FRAME_ROCE_V1,   /**< RoCE v1, which has no IP header */
	TRACE_FRAME_CUT,       /**< RoCEv2, cut by the capture */
	TRACE_FRAME_HIDDEN,    /**< probably RoCEv2 in a tunnel that is not decoded */
	TRACE_FRAME_MALFORMED, /**< UDP port 4791, but the lengths are wrong, so there is no ICRC */
	TRACE_FRAME_BAD_ICRC,
	TRACE_FRAME_REFUSED, /**< correct ICRC, but the sender made wrong headers; see drop */
	TRACE_FRAME_GOOD,
};

struct trace_frame {
	enum trace_frame_class class;
	/** reason why a receiver drops a packet of class TRACE_FRAME_REFUSED */
	enum wire_drop drop;
	const uint8_t *bytes;  /**< the frame, an inner frame, or a copy in scratch */
	struct wire_view view; /**< valid for GOOD, and for BAD_ICRC if has_view is true */
	size_t skipped_bytes;  /**< bytes of tunnel and tags, to be added to offsets of view */
	bool has_view;
	struct wire_gid src, dst; /**< addresses of the IP header; zero with TRACE_FRAME_OTHER */
};

/**
 * Size in bytes of the largest frame that is judged: Ethernet header with a tag, and 64 KiB of
 * IPv6.
 */
#define TRACE_FRAME_MAX 65600

/**
 * Classify a frame in which no RoCEv2 packet was found.
 *
 * @param tunnel_bytes returned by trace_place_tunnel()
 * @return TRACE_FRAME_ROCE_V1, TRACE_FRAME_HIDDEN or TRACE_FRAME_OTHER
 */
enum trace_frame_class
trace_frame_undecoded(const uint8_t *bytes, size_t count, size_t tunnel_bytes);

/**
 * Classify a frame. Removes up to four VLAN tags, up to eight MPLS labels, and one layer of VXLAN,
 * GRE or ERSPAN.
 *
 * A capture taken on the sender may contain IP and UDP checksums that the NIC fills in later. The
 * ICRC does not cover these checksums, so a frame with a wrong checksum is judged as if the
 * checksum were right.
 *
 * @param wire_bytes length of the frame on the wire, at least captured_bytes
 * @param scratch buffer of TRACE_FRAME_MAX bytes; frame->bytes may point into it afterwards
 */
void trace_frame_classify(const uint8_t *captured, size_t captured_bytes, size_t wire_bytes,
	uint8_t *scratch, struct trace_frame *frame);

#endif
