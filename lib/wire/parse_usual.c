/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/parse_usual.h"

#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "base/assert.h"
#include "base/be.h"
#include "wire/header.h"
#include "wire/icrc.h"

/*
 * All offsets are constants here, because only one layout is accepted. Fields are compared several
 * at a time, as words in wire order: one branch decides about ethertype, IP version and header
 * length, fragment, protocol, UDP port and UDP checksum.
 */

#define L3_OFFSET  ((uint32_t)sizeof(struct rte_ether_hdr))
#define L4_OFFSET  (L3_OFFSET + (uint32_t)sizeof(struct rte_ipv4_hdr))
#define BTH_OFFSET (L4_OFFSET + (uint32_t)sizeof(struct rte_udp_hdr))
#define EXT_OFFSET (BTH_OFFSET + (uint32_t)sizeof(struct wire_bth))

#define IPV4_BYTES ((uint32_t)sizeof(struct rte_ipv4_hdr))
#define UDP_BYTES  ((uint32_t)sizeof(struct rte_udp_hdr))

#define TAG_STRIPPED (RTE_MBUF_F_RX_VLAN_STRIPPED | RTE_MBUF_F_RX_QINQ_STRIPPED)

/* Eight bytes as they follow each other on the wire. */
#define WORD(a, b, c, d, e, f, g, h)                                                               \
	((uint64_t)(a) << 56 | (uint64_t)(b) << 48 | (uint64_t)(c) << 40 | (uint64_t)(d) << 32 |   \
		(uint64_t)(e) << 24 | (uint64_t)(f) << 16 | (uint64_t)(g) << 8 | (uint64_t)(h))

/* From the ethertype on: IPv4 | version 4, 5 words of header | TOS | length | identification. */
#define TYPE_WORD WORD(0x08, 0x00, 0x45, 0, 0, 0, 0, 0)
#define TYPE_MASK WORD(0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0)
/* From the fragment field on: no more fragments, offset 0 | TTL | UDP | checksum | source. */
#define IP_WORD   WORD(0, 0, 0, IPPROTO_UDP, 0, 0, 0, 0)
#define IP_MASK   WORD(0x3F, 0xFF, 0, 0xFF, 0, 0, 0, 0)
/* From the UDP header on: source port | RoCEv2 | length | checksum 0. */
#define UDP_WORD  WORD(0, 0, WIRE_UDP_PORT >> 8, WIRE_UDP_PORT & 0xFF, 0, 0, 0, 0)
#define UDP_MASK  WORD(0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF)

/* One's complement sum over the header, its checksum included. */
static inline bool
ipv4_sum_ok(const uint8_t *ip)
{
	uint64_t low, middle, sum;
	uint32_t high;

	memcpy(&low, ip, sizeof(low));
	memcpy(&middle, ip + 8, sizeof(middle));
	memcpy(&high, ip + 16, sizeof(high));
	sum = (low & UINT32_MAX) + (low >> 32) + (middle & UINT32_MAX) + (middle >> 32) + high;
	sum = (sum & UINT16_MAX) + (sum >> 16 & UINT16_MAX) + (sum >> 32);
	sum = (sum & UINT16_MAX) + (sum >> 16);
	sum = (sum & UINT16_MAX) + (sum >> 16);
	return sum == UINT16_MAX;
}

/* Neither 0 nor of class D or E; the ladder accepts most of class E, too. */
static inline bool
address_usual(uint32_t address)
{
	return address - 1 < UINT32_C(0xDFFFFFFF);
}

static inline bool
icrc_ok(const uint8_t *frame, uint32_t icrc_offset)
{
	uint32_t expected = wire_icrc_whole(frame + L3_OFFSET, icrc_offset - L3_OFFSET, false);
	rte_le32_t received;

	memcpy(&received, frame + icrc_offset, sizeof(received));
	return rte_le_to_cpu_32(received) == expected;
}

bool
wire_parse_usual(const struct rte_mbuf *mbuf, struct wire_view *view)
{
	const uint8_t *frame = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	uint32_t frame_bytes = rte_pktmbuf_pkt_len(mbuf);
	uint32_t ip_bytes, udp_bytes, fixed_bytes, src, dst;
	const struct wire_opcode_traits *traits;
	uint64_t type, ip, udp;

	if (frame_bytes < EXT_OFFSET + WIRE_ICRC_BYTES || rte_pktmbuf_data_len(mbuf) < frame_bytes)
		return false;
	type = be_load64(frame + 2 * RTE_ETHER_ADDR_LEN);
	ip = be_load64(frame + L3_OFFSET + 6);
	udp = be_load64(frame + L4_OFFSET);
	if ((((type & TYPE_MASK) ^ TYPE_WORD) | ((ip & IP_MASK) ^ IP_WORD) |
		    ((udp & UDP_MASK) ^ UDP_WORD) | (mbuf->ol_flags & TAG_STRIPPED) |
		    (frame[RTE_ETHER_ADDR_LEN] & RTE_ETHER_GROUP_ADDR)) != 0)
		return false;
	ip_bytes = type >> 16 & UINT16_MAX;
	udp_bytes = udp >> 16 & UINT16_MAX;
	src = be_load32(frame + L3_OFFSET + 12);
	dst = be_load32(frame + L3_OFFSET + 16);
	if (ip_bytes > frame_bytes - L3_OFFSET || udp_bytes + IPV4_BYTES != ip_bytes ||
		!address_usual(src) || !address_usual(dst) || !ipv4_sum_ok(frame + L3_OFFSET))
		return false;

	wire_bth_load((const struct wire_bth *)(frame + BTH_OFFSET), &view->bth);
	traits = wire_opcode_traits(view->bth.opcode);
	fixed_bytes = UDP_BYTES + traits->header_bytes + view->bth.pad_count + WIRE_ICRC_BYTES;
	if ((!traits->request && !traits->response) || traits->kind == WIRE_KIND_DATAGRAM ||
		view->bth.version != 0 || !wire_pkey_matches(view->bth.pkey) ||
		udp_bytes < fixed_bytes || udp_bytes % 4 != 0 ||
		(udp_bytes != fixed_bytes && !traits->has_payload))
		return false;
	if (!icrc_ok(frame, L4_OFFSET + udp_bytes - WIRE_ICRC_BYTES))
		return false;

	memcpy(&view->dst_mac, frame, RTE_ETHER_ADDR_LEN);
	memcpy(&view->src_mac, frame + RTE_ETHER_ADDR_LEN, RTE_ETHER_ADDR_LEN);
	view->traits = traits;
	view->vlan = false;
	view->vlan_tci = 0;
	view->tos = (uint8_t)(type >> 32);
	view->ttl = (uint8_t)(ip >> 40);
	view->src = wire_gid_from_v4(src);
	view->dst = wire_gid_from_v4(dst);
	view->udp_src_port = (uint16_t)(udp >> 48);
	view->bth_offset = (uint16_t)BTH_OFFSET;
	view->payload_offset = (uint16_t)(BTH_OFFSET + traits->header_bytes);
	view->payload_bytes = (uint16_t)(udp_bytes - fixed_bytes);
	wire_extensions_load(frame + EXT_OFFSET, view);
	return true;
}

/* The members that every packet has. */
static bool
common_equal(const struct wire_view *a, const struct wire_view *b)
{
	return a->traits == b->traits && a->bth.opcode == b->bth.opcode &&
		a->bth.pad_count == b->bth.pad_count && a->bth.version == b->bth.version &&
		a->bth.solicited == b->bth.solicited && a->bth.migrated == b->bth.migrated &&
		a->bth.ack_request == b->bth.ack_request && a->bth.fecn == b->bth.fecn &&
		a->bth.becn == b->bth.becn && a->bth.pkey == b->bth.pkey &&
		a->bth.dest_qp == b->bth.dest_qp && a->bth.psn == b->bth.psn &&
		a->bth_offset == b->bth_offset && a->payload_offset == b->payload_offset &&
		a->payload_bytes == b->payload_bytes && a->udp_src_port == b->udp_src_port &&
		a->vlan == b->vlan && a->vlan_tci == b->vlan_tci && a->tos == b->tos &&
		a->ttl == b->ttl && rte_is_same_ether_addr(&a->src_mac, &b->src_mac) &&
		rte_is_same_ether_addr(&a->dst_mac, &b->dst_mac) &&
		wire_gid_equal(&a->src, &b->src) && wire_gid_equal(&a->dst, &b->dst);
}

/*
 * @return whether the ladder accepts the packet, too, with this view. The extension headers are
 * loaded by one function, from behind the same BTH.
 */
static bool __rte_unused
agrees(const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	struct wire_view other;

	return wire_parse_ladder(mbuf, &other) == WIRE_OK && common_equal(view, &other);
}

enum wire_drop
wire_parse(const struct rte_mbuf *mbuf, struct wire_view *view)
{
	if (likely(wire_parse_usual(mbuf, view))) {
		BASE_ASSERT(agrees(mbuf, view));
		return WIRE_OK;
	}
	return wire_parse_ladder(mbuf, view);
}
