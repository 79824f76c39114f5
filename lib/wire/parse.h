/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_PARSE_H
#define NDPDK_WIRE_PARSE_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>
#include <rte_mbuf.h>

#include "wire/gid.h"
#include "wire/header.h"
#include "wire/opcode.h"

/*
 * Parsing of a received frame into a value, once, at the edge of the library. After a successful
 * parse no code reads raw headers, and no accessor can read outside the packet.
 */

/**
 * Why a frame is not passed on to the upper layers. Each reason has its own counter (SEC-050). The
 * first two are not errors: the frame is simply not RoCEv2, and may be ARP, IPv6 neighbour
 * discovery or anything else.
 */
enum wire_drop {
	WIRE_OK = 0,
	WIRE_NOT_IP,             /**< ethertype neither IPv4 nor IPv6 */
	WIRE_NOT_ROCE,           /**< IP, but not UDP to port 4791 */
	WIRE_DROP_TRUNCATED,     /**< frame shorter than its headers say */
	WIRE_DROP_IP_HEADER,     /**< IP version wrong; IPv4 options or wrong checksum */
	WIRE_DROP_FRAGMENT,      /**< IPv4 fragment */
	WIRE_DROP_LENGTH,        /**< IP and UDP lengths disagree, or no room for BTH and ICRC */
	WIRE_DROP_UDP_CHECKSUM,  /**< neither zero nor right */
	WIRE_DROP_VERSION,       /**< TVer is not 0 */
	WIRE_DROP_OPCODE,        /**< opcode of another transport than RC, UD and CNP */
	WIRE_DROP_HEADER_LENGTH, /**< too short for its opcode's headers and pad */
	WIRE_DROP_PAYLOAD, /**< payload where the opcode has none, or length not a multiple of 4 */
	WIRE_DROP_PKEY,    /**< P_Key does not match 0xFFFF */
	WIRE_DROP_ADDRESS, /**< multicast, broadcast or unspecified source or destination */
	WIRE_DROP_ICRC,    /**< ICRC wrong */
	WIRE_DROP_COUNT,
};

/** @return short lower-case name for counters, e.g. "icrc"; never NULL. */
const char *wire_drop_name(enum wire_drop drop);

/** A parsed RoCEv2 packet. Extension headers are valid only when the opcode's traits say so. */
struct wire_view {
	const struct wire_opcode_traits *traits;
	struct wire_bth_value bth;
	uint16_t bth_offset;     /**< bytes from the start of the frame */
	uint16_t payload_offset; /**< bytes from the start of the frame */
	uint16_t payload_bytes;  /**< without pad */
	uint16_t udp_src_port;
	uint16_t vlan_tci; /**< 0 when untagged */
	bool vlan;
	uint8_t tos; /**< IPv4 TOS or IPv6 traffic class: DSCP<<2 | ECN */
	uint8_t ttl; /**< or hop limit */
	union {
		struct {
			struct rte_ether_addr dst_mac;
			struct rte_ether_addr src_mac;
		};
		uint8_t macs[2 * RTE_ETHER_ADDR_LEN]; /**< as in the frame */
	};
	alignas(8) struct wire_gid src;
	struct wire_gid dst;
	struct wire_reth_value reth;
	struct wire_aeth_value aeth;
	struct wire_atomic_value atomic;
	uint64_t atomic_original; /**< AtomicAckETH */
	uint32_t immediate;       /**< host value of the big-endian field */
	uint32_t invalidate_rkey; /**< IETH */
	uint32_t qkey;            /**< DETH */
	uint32_t src_qp;          /**< DETH */
};

/**
 * Parse and verify one received frame, ICRC last.
 *
 * @param mbuf frame starting at the Ethernet header, any number of segments; borrowed, not changed.
 *             A VLAN tag may be in the frame (802.1Q) or in mbuf->vlan_tci with
 *             RTE_MBUF_F_RX_VLAN_STRIPPED.
 * @param view filled when WIRE_OK is returned. On WIRE_DROP_ICRC and later reasons it is filled
 *             too, so that a trace can show the packet; on earlier reasons it is undefined.
 * @return WIRE_OK or the first reason to reject, in the order of enum wire_drop. A reserved RC
 *         opcode is WIRE_OK with kind UNKNOWN and payload = everything behind the BTH (the
 *         responder answers it, RC-026).
 */
enum wire_drop wire_parse(const struct rte_mbuf *mbuf, struct wire_view *view);

/**
 * An earlier packet of a burst, with which the next ones are compared. {0} before the first one.
 * Borrows mbuf and view, which stay as they are until the burst is parsed.
 */
struct wire_burst {
	const struct rte_mbuf *mbuf; /**< NULL: there is none */
	const struct wire_view *view;
};

/**
 * wire_parse() for the packets of a burst, one after the other. Most follow one of the same sender,
 * opcode and length: what the headers of both have in common is not judged again. View and result
 * are those of wire_parse().
 */
enum wire_drop
wire_parse_in_burst(const struct rte_mbuf *mbuf, struct wire_view *view, struct wire_burst *burst);

/**
 * wire_parse() for a frame in plain memory (captures). frame_bytes is what was captured.
 */
enum wire_drop wire_parse_bytes(const uint8_t *frame, size_t frame_bytes, struct wire_view *view);

/**
 * Copy payload bytes out of a parsed frame, across segments.
 *
 * @param offset_bytes from the start of the payload; offset + bytes must lie inside the payload
 */
void wire_payload_copy(const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint32_t offset_bytes, void *to, uint32_t bytes);

#endif
