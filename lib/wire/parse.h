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
 * Parser of received frames. Each frame is parsed once, when it enters the library. Later code
 * reads no raw headers, and no accessor can read outside the packet.
 */

/**
 * Reason why a frame is not accepted as RoCEv2. Each reason has its own counter (SEC-050).
 * WIRE_NOT_IP and WIRE_NOT_ROCE are not errors, because the frame may be ARP, IPv6 neighbour
 * discovery or any other protocol.
 */
enum wire_drop {
	WIRE_OK = 0,
	WIRE_NOT_IP,             /**< the ethertype is neither IPv4 nor IPv6 */
	WIRE_NOT_ROCE,           /**< the frame is an IP packet, but not UDP to port 4791 */
	WIRE_DROP_TRUNCATED,     /**< the frame is shorter than its headers say */
	WIRE_DROP_IP_HEADER,     /**< wrong IP version or checksum, or IPv4 options */
	WIRE_DROP_FRAGMENT,      /**< IPv4 fragment */
	WIRE_DROP_LENGTH,        /**< IP and UDP length disagree, or no room for BTH and ICRC */
	WIRE_DROP_UDP_CHECKSUM,  /**< neither zero nor correct */
	WIRE_DROP_VERSION,       /**< TVer is not 0 */
	WIRE_DROP_OPCODE,        /**< the transport is not RC, UD or CNP */
	WIRE_DROP_HEADER_LENGTH, /**< the packet is too short for its opcode's headers and pad */
	WIRE_DROP_PAYLOAD,       /**< payload not allowed, or length no multiple of 4 */
	WIRE_DROP_PKEY,          /**< the P_Key does not match 0xFFFF */
	WIRE_DROP_ADDRESS,       /**< an address is multicast, broadcast or unspecified */
	WIRE_DROP_ICRC,          /**< wrong ICRC */
	WIRE_DROP_COUNT,
};

/** @return short lower-case name for counters, e.g. "icrc"; never NULL. */
const char *wire_drop_name(enum wire_drop drop);

/** A parsed RoCEv2 packet. An extension header is valid only if the opcode's traits include it. */
struct wire_view {
	const struct wire_opcode_traits *traits;
	struct wire_bth_value bth;
	uint16_t bth_offset;     /**< offset from the start of the frame */
	uint16_t payload_offset; /**< offset from the start of the frame */
	uint16_t payload_bytes;  /**< without the pad */
	uint16_t udp_src_port;
	uint16_t vlan_tci; /**< 0 if untagged */
	bool vlan;
	uint8_t tos; /**< IPv4 TOS or IPv6 traffic class, which is DSCP << 2 | ECN */
	uint8_t ttl; /**< TTL or hop limit */
	union {
		struct {
			struct rte_ether_addr dst_mac;
			struct rte_ether_addr src_mac;
		};
		/** destination and source MAC address, as in the frame */
		uint8_t macs[2 * RTE_ETHER_ADDR_LEN];
	};
	alignas(8) struct wire_gid src;
	struct wire_gid dst;
	struct wire_reth_value reth;
	struct wire_aeth_value aeth;
	struct wire_atomic_value atomic;
	uint64_t atomic_original; /**< from the AtomicAckETH */
	uint32_t immediate;       /**< from the ImmDt, in host byte order */
	uint32_t invalidate_rkey; /**< R_Key from the IETH */
	uint32_t qkey;            /**< from the DETH */
	uint32_t src_qp;          /**< from the DETH */
};

/**
 * Parse and verify one received frame. The ICRC is checked last.
 *
 * @param mbuf frame starting at the Ethernet header, any number of segments; borrowed, not changed.
 *         A VLAN tag may be in the frame (802.1Q) or in mbuf->vlan_tci with
 *         RTE_MBUF_F_RX_VLAN_STRIPPED.
 * @param view filled in for WIRE_OK, and for WIRE_DROP_ICRC so that a trace can show the packet;
 *         undefined for other results
 * @return WIRE_OK or the reason of the first check that failed. The result for a reserved RC opcode
 *         is WIRE_OK with kind UNKNOWN, because the responder answers the packet (RC-026); its
 *         payload consists of all bytes after the BTH
 */
enum wire_drop wire_parse(const struct rte_mbuf *mbuf, struct wire_view *view);

/**
 * An earlier packet of a burst, with which later packets are compared. Initialise this structure to
 * {0} before a burst. mbuf and view must not change before the whole burst is parsed.
 */
struct wire_burst {
	const struct rte_mbuf *mbuf; /**< NULL: no packet yet */
	const struct wire_view *view;
};

/**
 * Like wire_parse(), for the packets of a burst in order, with the same view and result. Most
 * packets have the same sender, opcode and length as the previous packet, so equal header fields
 * are not checked again.
 */
enum wire_drop
wire_parse_in_burst(const struct rte_mbuf *mbuf, struct wire_view *view, struct wire_burst *burst);

/** Like wire_parse(), for a frame in plain memory (captures). @param frame_bytes captured length */
enum wire_drop wire_parse_bytes(const uint8_t *frame, size_t frame_bytes, struct wire_view *view);

/**
 * Copy bytes of the payload from a parsed frame with any number of segments.
 *
 * @param offset_bytes offset from the start of the payload; offset_bytes + bytes must be within the
 *         payload
 */
void wire_payload_copy(const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint32_t offset_bytes, void *to, uint32_t bytes);

#endif
