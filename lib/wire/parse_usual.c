/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/parse_usual.h"

#include <assert.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "base/assert.h"
#include "base/be.h"
#include "wire/header.h"
#include "wire/icrc.h"

/*
 * The fast path of the parser accepts only one layout of headers, so all offsets are constants. It
 * compares several fields at a time, as words in wire order. A single branch checks ethertype, IP
 * version and header length, fragment, protocol, UDP port and UDP checksum.
 */

#define L3_OFFSET  ((uint32_t)sizeof(struct rte_ether_hdr))
#define L4_OFFSET  (L3_OFFSET + (uint32_t)sizeof(struct rte_ipv4_hdr))
#define BTH_OFFSET (L4_OFFSET + (uint32_t)sizeof(struct rte_udp_hdr))
#define EXT_OFFSET (BTH_OFFSET + (uint32_t)sizeof(struct wire_bth))

#define IPV4_BYTES ((uint32_t)sizeof(struct rte_ipv4_hdr))
#define UDP_BYTES  ((uint32_t)sizeof(struct rte_udp_hdr))

#define TAG_STRIPPED (RTE_MBUF_F_RX_VLAN_STRIPPED | RTE_MBUF_F_RX_QINQ_STRIPPED)

/* A 64-bit word that consists of these eight bytes in wire order. */
#define WORD(a, b, c, d, e, f, g, h)                                                               \
	RTE_BE64((uint64_t)(a) << 56 | (uint64_t)(b) << 48 | (uint64_t)(c) << 40 |                 \
		(uint64_t)(d) << 32 | (uint64_t)(e) << 24 | (uint64_t)(f) << 16 |                  \
		(uint64_t)(g) << 8 | (uint64_t)(h))

/*
 * Word from the ethertype on: IPv4 | version 4, header of 5 words | TOS | length | identification.
 */
#define TYPE_WORD   WORD(0x08, 0x00, 0x45, 0, 0, 0, 0, 0)
#define TYPE_MASK   WORD(0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0)
/* Word from the IPv4 length on: length | identification (any) | fragment field | TTL | protocol. */
#define LENGTH_MASK WORD(0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF)
/* Word from the fragment field on: no fragment | TTL | protocol UDP | checksum | source address. */
#define IP_WORD     WORD(0, 0, 0, IPPROTO_UDP, 0, 0, 0, 0)
#define IP_MASK     WORD(0x3F, 0xFF, 0, 0xFF, 0, 0, 0, 0)
/* Word from the UDP header on: source port | port of RoCEv2 | length | checksum 0. */
#define UDP_WORD    WORD(0, 0, WIRE_UDP_PORT >> 8, WIRE_UDP_PORT & 0xFF, 0, 0, 0, 0)
#define UDP_MASK    WORD(0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF)
/*
 * Word from the BTH on: opcode | version 0 | P_Key 0xFFFF or 0x7FFF | no FECN, no BECN |
 * destination.
 */
#define BTH_WORD    WORD(0, 0, WIRE_PKEY_MASK >> 8, WIRE_PKEY_MASK & 0xFF, 0, 0, 0, 0)
#define BTH_MASK                                                                                   \
	WORD(0, WIRE_BTH_VERSION_MASK, WIRE_PKEY_MASK >> 8, WIRE_PKEY_MASK & 0xFF,                 \
		WIRE_BTH_FECN | WIRE_BTH_BECN, 0, 0, 0)

static_assert((WIRE_PKEY_DEFAULT & WIRE_PKEY_MASK) == WIRE_PKEY_MASK, "see wire_pkey_matches()");

/* @return 0 if the eight bytes equal the word in all bits of the mask */
static inline uint64_t
differs(const uint8_t *at, rte_be64_t word, rte_be64_t mask)
{
	rte_be64_t bytes;

	memcpy(&bytes, at, sizeof(bytes));
	return (bytes ^ word) & mask;
}

/*
 * Compute the one's complement sum of the header, including its checksum. The checksum is correct
 * if the plain sum, which is never 0, is a multiple of 0xFFFF.
 */
static inline bool
ipv4_sum_ok(const uint8_t *ip)
{
	uint64_t low, middle;
	uint32_t high;

	memcpy(&low, ip, sizeof(low));
	memcpy(&middle, ip + 8, sizeof(middle));
	memcpy(&high, ip + 16, sizeof(high));
	return ((low & UINT32_MAX) + (low >> 32) + (middle & UINT32_MAX) + (middle >> 32) + high) %
		UINT16_MAX ==
		0;
}

/*
 * @return true if the address does not begin with 0 and is not of class D or E. The slow path
 * accepts most of class E, too.
 */
static inline bool
address_usual(const uint8_t *at)
{
	rte_be32_t address;

	memcpy(&address, at, sizeof(address));
	return address != 0 && at[0] < 0xE0;
}

static inline bool
icrc_ok(const uint8_t *frame, uint32_t icrc_offset)
{
	uint32_t expected = wire_icrc_whole(frame + L3_OFFSET, icrc_offset - L3_OFFSET, false);
	rte_le32_t received;

	memcpy(&received, frame + icrc_offset, sizeof(received));
	return rte_le_to_cpu_32(received) == expected;
}

static __rte_always_inline void
extension_load(const uint8_t *at, struct wire_view *view)
{
	if (view->traits->extension == WIRE_EXTENSION_RETH)
		wire_reth_load((const struct wire_reth *)at, &view->reth);
	else if (view->traits->extension == WIRE_EXTENSION_AETH)
		wire_aeth_load((const struct wire_aeth *)at, &view->aeth);
	else if (unlikely(view->traits->extension == WIRE_EXTENSION_OTHER))
		wire_extensions_load(at, view);
}

/*
 * The fast path. The ICRC is computed last, so that no other value needs a register during the
 * computation.
 */
static __rte_always_inline bool
usual(const struct rte_mbuf *mbuf, struct wire_view *view)
{
	const uint8_t *frame = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	uint32_t frame_bytes = rte_pktmbuf_pkt_len(mbuf);
	uint32_t ip_bytes, udp_bytes, payload_bytes;
	const struct wire_opcode_traits *traits;

	if (frame_bytes < EXT_OFFSET + WIRE_ICRC_BYTES || rte_pktmbuf_data_len(mbuf) < frame_bytes)
		return false;
	if ((differs(frame + 2 * RTE_ETHER_ADDR_LEN, TYPE_WORD, TYPE_MASK) |
		    differs(frame + L3_OFFSET + 6, IP_WORD, IP_MASK) |
		    differs(frame + L4_OFFSET, UDP_WORD, UDP_MASK) |
		    differs(frame + BTH_OFFSET, BTH_WORD, BTH_MASK) |
		    (mbuf->ol_flags & TAG_STRIPPED) |
		    (frame[RTE_ETHER_ADDR_LEN] & RTE_ETHER_GROUP_ADDR)) != 0)
		return false;
	ip_bytes = be_load16(frame + L3_OFFSET + 2);
	udp_bytes = be_load16(frame + L4_OFFSET + 4);
	if (ip_bytes > frame_bytes - L3_OFFSET || udp_bytes + IPV4_BYTES != ip_bytes ||
		udp_bytes % 4 != 0 || !address_usual(frame + L3_OFFSET + 12) ||
		!address_usual(frame + L3_OFFSET + 16) || !ipv4_sum_ok(frame + L3_OFFSET))
		return false;

	/* The cleared bits are known to be 0. Clearing saves instructions of wire_bth_decode(). */
	wire_bth_decode(be_load32(frame + BTH_OFFSET) & ~((uint32_t)WIRE_BTH_VERSION_MASK << 16),
		be_load32(frame + BTH_OFFSET + 4) & 0xFFFFFF, be_load32(frame + BTH_OFFSET + 8),
		&view->bth);
	traits = wire_opcode_traits(frame[BTH_OFFSET]);
	/*
	 * If the headers are longer than the datagram, the unsigned result is larger than any
	 * payload_max.
	 */
	payload_bytes = udp_bytes - UDP_BYTES - traits->header_bytes - view->bth.pad_count -
		WIRE_ICRC_BYTES;
	if (!traits->connected || payload_bytes > traits->payload_max)
		return false;

	view->traits = traits;
	view->bth_offset = (uint16_t)BTH_OFFSET;
	view->payload_offset = (uint16_t)(BTH_OFFSET + traits->header_bytes);
	view->payload_bytes = (uint16_t)payload_bytes;
	view->udp_src_port = be_load16(frame + L4_OFFSET);
	view->vlan_tci = 0;
	view->vlan = false;
	view->tos = frame[L3_OFFSET + 1];
	view->ttl = frame[L3_OFFSET + 8];
	memcpy(view->macs, frame, sizeof(view->macs));
	view->src = wire_gid_from_v4(be_load32(frame + L3_OFFSET + 12));
	view->dst = wire_gid_from_v4(be_load32(frame + L3_OFFSET + 16));
	extension_load(frame + EXT_OFFSET, view);
	return icrc_ok(frame, L4_OFFSET + udp_bytes - WIRE_ICRC_BYTES);
}

bool
wire_parse_usual(const struct rte_mbuf *mbuf, struct wire_view *view)
{
	return usual(mbuf, view);
}

/* @return 0 if eight bytes of two frames are equal in all bits of the mask */
static inline uint64_t
differ(const uint8_t *a, const uint8_t *b, uint32_t offset, rte_be64_t mask)
{
	rte_be64_t word;

	memcpy(&word, b + offset, sizeof(word));
	return differs(a + offset, word, mask);
}

/*
 * @return true if two frames have equal bytes up to the first 8 bytes of the BTH, except the
 * identification and the checksum of IPv4. The compared words overlap.
 */
static inline bool
heads_equal(const uint8_t *a, const uint8_t *b)
{
	return (differ(a, b, 0, UINT64_MAX) | differ(a, b, 8, UINT64_MAX) |
		       differ(a, b, L3_OFFSET + 2, LENGTH_MASK) |
		       differ(a, b, L3_OFFSET + 12, UINT64_MAX) |
		       differ(a, b, L4_OFFSET, UINT64_MAX) |
		       differ(a, b, BTH_OFFSET, UINT64_MAX)) == 0;
}

/*
 * Accept a packet with the same headers as an earlier packet. The first segments of both have equal
 * lengths, and the earlier packet has only one segment. So the results of usual() for the earlier
 * packet hold for this packet, except for the checks that equal() makes itself.
 */
static __rte_always_inline bool
equal(const struct rte_mbuf *mbuf, struct wire_view *view, const struct wire_burst *burst)
{
	const struct rte_mbuf *other = burst->mbuf;
	const uint8_t *frame = rte_pktmbuf_mtod(mbuf, const uint8_t *);

	if (rte_pktmbuf_data_len(mbuf) != rte_pktmbuf_data_len(other) ||
		(mbuf->ol_flags & TAG_STRIPPED) != 0 ||
		!heads_equal(frame, rte_pktmbuf_mtod(other, const uint8_t *)) ||
		!ipv4_sum_ok(frame + L3_OFFSET))
		return false;
	memcpy(view, burst->view, offsetof(struct wire_view, reth));
	wire_bth_decode_third(be_load32(frame + BTH_OFFSET + 8), &view->bth);
	extension_load(frame + EXT_OFFSET, view);
	return icrc_ok(frame, L4_OFFSET + be_load16(frame + L4_OFFSET + 4) - WIRE_ICRC_BYTES);
}

bool
wire_parse_equal(
	const struct rte_mbuf *mbuf, struct wire_view *view, const struct wire_burst *burst)
{
	return equal(mbuf, view, burst);
}

/* Compare the members of a view that are set for every packet. */
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
 * @return true if the slow path accepts the packet with the same view. Extension headers are not
 * compared, because both paths load them with the same function.
 */
static bool __rte_unused
agrees(const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	struct wire_view other;

	return wire_parse_ladder(mbuf, &other) == WIRE_OK && common_equal(view, &other);
}

enum wire_drop
wire_parse_in_burst(const struct rte_mbuf *mbuf, struct wire_view *view, struct wire_burst *burst)
{
	if (burst->mbuf != NULL && equal(mbuf, view, burst)) {
		BASE_ASSERT(agrees(mbuf, view));
		return WIRE_OK;
	}
	if (likely(usual(mbuf, view))) {
		BASE_ASSERT(agrees(mbuf, view));
		*burst = (struct wire_burst){.mbuf = mbuf, .view = view};
		return WIRE_OK;
	}
	return wire_parse_ladder(mbuf, view);
}

enum wire_drop
wire_parse(const struct rte_mbuf *mbuf, struct wire_view *view)
{
	struct wire_burst burst = {0};

	return wire_parse_in_burst(mbuf, view, &burst);
}
