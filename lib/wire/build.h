/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_BUILD_H
#define NDPDK_WIRE_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>
#include <rte_mbuf.h>

#include "wire/gid.h"
#include "wire/header.h"

/** Everything of a packet that stays the same for the life of a queue pair (RC-011). */
struct wire_path {
	struct rte_ether_addr src_mac;
	struct rte_ether_addr dst_mac;
	struct wire_gid src;
	struct wire_gid dst; /**< same family as src */
	uint16_t udp_src_port;
	bool vlan;
	uint16_t vlan_tci; /**< valid only when vlan */
	uint8_t tos;       /**< DSCP<<2 | ECN */
	uint8_t ttl;       /**< or hop limit */
};

/**
 * Prebuilt Ethernet, IP and UDP header of a path; lengths, checksum and IP id are filled per
 * packet.
 */
struct wire_template {
	uint8_t bytes[14 + 4 + 40 + 8];
	uint8_t l3_offset;  /**< 14 or 18 */
	uint8_t bth_offset; /**< length of bytes in use */
	bool v6;
};

/** Make the template of a path. */
void wire_template_make(struct wire_template *tmpl, const struct wire_path *path);

/** The next hop of the path has another MAC address now. */
void wire_template_set_destination(struct wire_template *tmpl, const struct rte_ether_addr *mac);

/**
 * Headers of one packet in host order; which extension headers are used follows from bth.opcode.
 */
struct wire_headers {
	struct wire_bth_value bth; /**< pad_count is computed, whatever is set here */
	struct wire_reth_value reth;
	struct wire_aeth_value aeth;
	struct wire_atomic_value atomic;
	uint64_t atomic_original;
	uint32_t immediate;
	uint32_t invalidate_rkey;
	uint32_t qkey;
	uint32_t src_qp;
};

/**
 * Turn a payload into a frame: pad behind it, headers in front of it, ICRC at the end.
 *
 * @param mbuf holds exactly the payload (pkt_len 0..PMTU), any number of segments, with
 *             LIMIT_HEADER_BYTES of headroom in the first and LIMIT_TRAILER_BYTES of tailroom in
 *             the last; borrowed
 * @param ip_id value of the IPv4 identification field (covered by the ICRC)
 *
 * UDP checksum 0, DF set, IPv4 header checksum computed here. Frames are not padded to 60 bytes:
 * the port does.
 */
void wire_build(struct rte_mbuf *mbuf, const struct wire_template *tmpl,
	const struct wire_headers *headers, uint16_t ip_id);

/**
 * UDP source port of a connection: the same in both directions, and the one Linux computes.
 *
 * @param flow_label 20 bits of the CM path; 0 = derive from the two QPNs
 * @return WIRE_UDP_SRC_PORT_FIRST .. 0xFFFF
 */
uint16_t wire_udp_src_port(uint32_t flow_label, uint32_t local_qpn, uint32_t remote_qpn);

#endif
