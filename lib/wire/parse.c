/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/parse.h"

#include <string.h>

#include <rte_ip.h>
#include <rte_udp.h>

#include "base/assert.h"
#include "base/be.h"
#include "base/limits.h"
#include "wire/icrc.h"
#include "wire/parse_usual.h"

/*
 * The slow path of the parser (the "ladder") is a sequence of checks. Each check reads only bytes
 * that the earlier checks have proved to exist. The first check that fails determines the reason.
 * Lengths are checked first (SEC-020). The ICRC is checked last, because only this check takes more
 * than a few loads. All headers together are shorter than LIMIT_HEADER_BYTES. So the first
 * LIMIT_HEADER_BYTES are made contiguous at the start, and all checks except the checksums read
 * this copy (SEC-029).
 *
 * These frames are dropped silently: VLAN stacks, IPv4 options and fragments, IPv6 extension
 * headers, transports other than RC, UD and CNP, and RoCE version 1 (its ethertype is not IP).
 */

#define ETHER_BYTES  ((uint32_t)sizeof(struct rte_ether_hdr))
#define VLAN_BYTES   ((uint32_t)sizeof(struct rte_vlan_hdr))
#define TAG_STRIPPED (RTE_MBUF_F_RX_VLAN_STRIPPED | RTE_MBUF_F_RX_QINQ_STRIPPED)
#define IPV4_BYTES   ((uint32_t)sizeof(struct rte_ipv4_hdr))
#define IPV6_BYTES   ((uint32_t)sizeof(struct rte_ipv6_hdr))
#define UDP_BYTES    ((uint32_t)sizeof(struct rte_udp_hdr))
#define BTH_BYTES    ((uint32_t)sizeof(struct wire_bth))

static_assert(14 + 4 + 40 + 8 + 12 + 28 <= LIMIT_HEADER_BYTES, "headers fit the contiguous part");

struct frame {
	const uint8_t *head; /* first min(bytes, LIMIT_HEADER_BYTES) bytes of the frame */
	/* all bytes of the frame; NULL if the frame has several segments */
	const uint8_t *whole;
	const struct rte_mbuf *mbuf; /* mbuf of the frame; NULL if the frame is in plain memory */
	uint32_t bytes;
	uint32_t l3_offset;
	uint32_t l4_offset;
	uint32_t udp_bytes; /* length from the UDP header to the ICRC */
	bool v6;
};

const char *
wire_drop_name(enum wire_drop drop)
{
	static const char *const names[WIRE_DROP_COUNT] = {
		[WIRE_OK] = "ok",
		[WIRE_NOT_IP] = "not_ip",
		[WIRE_NOT_ROCE] = "not_roce",
		[WIRE_DROP_TRUNCATED] = "truncated",
		[WIRE_DROP_IP_HEADER] = "ip_header",
		[WIRE_DROP_FRAGMENT] = "fragment",
		[WIRE_DROP_LENGTH] = "length",
		[WIRE_DROP_UDP_CHECKSUM] = "udp_checksum",
		[WIRE_DROP_VERSION] = "version",
		[WIRE_DROP_OPCODE] = "opcode",
		[WIRE_DROP_HEADER_LENGTH] = "header_length",
		[WIRE_DROP_PAYLOAD] = "payload",
		[WIRE_DROP_PKEY] = "pkey",
		[WIRE_DROP_ADDRESS] = "address",
		[WIRE_DROP_ICRC] = "icrc",
	};

	return (unsigned int)drop < WIRE_DROP_COUNT ? names[drop] : "unknown";
}

static enum wire_drop
ethernet_parse(struct frame *frame, struct wire_view *view)
{
	const uint8_t *head = frame->head;
	uint32_t offset = 2 * RTE_ETHER_ADDR_LEN;
	uint16_t type;

	if (frame->bytes < ETHER_BYTES)
		return WIRE_DROP_TRUNCATED;
	memcpy(view->macs, head, sizeof(view->macs));
	type = be_load16(head + offset);
	view->vlan = frame->mbuf != NULL && frame->mbuf->ol_flags & TAG_STRIPPED;
	view->vlan_tci = 0;
	/* Drop a frame with two VLAN tags, even if the port has stripped one tag or both. */
	if (view->vlan) {
		if (frame->mbuf->ol_flags & RTE_MBUF_F_RX_QINQ_STRIPPED)
			return WIRE_NOT_IP;
		view->vlan_tci = frame->mbuf->vlan_tci;
	}
	if (type == RTE_ETHER_TYPE_VLAN && !view->vlan) {
		if (frame->bytes < ETHER_BYTES + VLAN_BYTES)
			return WIRE_DROP_TRUNCATED;
		view->vlan = true;
		view->vlan_tci = be_load16(head + offset + 2);
		offset += VLAN_BYTES;
		type = be_load16(head + offset);
	}
	frame->l3_offset = offset + 2;
	frame->v6 = type == RTE_ETHER_TYPE_IPV6;
	return frame->v6 || type == RTE_ETHER_TYPE_IPV4 ? WIRE_OK : WIRE_NOT_IP;
}

/* Check the IPv4 header. @param payload_bytes output: length of the data after the IP header */
static enum wire_drop
ipv4_parse(struct frame *frame, struct wire_view *view, uint32_t *payload_bytes)
{
	const uint8_t *ip = frame->head + frame->l3_offset;
	uint32_t total_bytes, left = frame->bytes - frame->l3_offset;

	if (left < IPV4_BYTES)
		return WIRE_DROP_TRUNCATED;
	if (ip[0] >> 4 != 4)
		return WIRE_DROP_IP_HEADER;
	if (ip[9] != IPPROTO_UDP)
		return WIRE_NOT_ROCE;
	if ((ip[0] & 0x0F) != IPV4_BYTES / 4 ||
		__rte_raw_cksum_reduce(__rte_raw_cksum(ip, IPV4_BYTES, 0)) != 0xFFFF)
		return WIRE_DROP_IP_HEADER;
	/* The packet is a fragment if "more fragments" is set or the offset is not 0. */
	if (be_load16(ip + 6) & 0x3FFF)
		return WIRE_DROP_FRAGMENT;
	total_bytes = be_load16(ip + 2);
	if (total_bytes > left)
		return WIRE_DROP_TRUNCATED;
	if (total_bytes < IPV4_BYTES + UDP_BYTES)
		return WIRE_DROP_LENGTH;
	*payload_bytes = total_bytes - IPV4_BYTES;
	frame->l4_offset = frame->l3_offset + IPV4_BYTES;
	view->tos = ip[1];
	view->ttl = ip[8];
	view->src = wire_gid_from_v4(be_load32(ip + 12));
	view->dst = wire_gid_from_v4(be_load32(ip + 16));
	return WIRE_OK;
}

static enum wire_drop
ipv6_parse(struct frame *frame, struct wire_view *view, uint32_t *payload_bytes)
{
	const uint8_t *ip = frame->head + frame->l3_offset;
	uint32_t left = frame->bytes - frame->l3_offset;

	if (left < IPV6_BYTES)
		return WIRE_DROP_TRUNCATED;
	if (ip[0] >> 4 != 6)
		return WIRE_DROP_IP_HEADER;
	if (ip[6] != IPPROTO_UDP)
		return WIRE_NOT_ROCE;
	*payload_bytes = be_load16(ip + 4);
	if (*payload_bytes > left - IPV6_BYTES)
		return WIRE_DROP_TRUNCATED;
	if (*payload_bytes < UDP_BYTES)
		return WIRE_DROP_LENGTH;
	frame->l4_offset = frame->l3_offset + IPV6_BYTES;
	view->tos = (uint8_t)(be_load16(ip) >> 4);
	view->ttl = ip[7];
	memcpy(view->src.raw, ip + 8, sizeof(view->src.raw));
	memcpy(view->dst.raw, ip + 24, sizeof(view->dst.raw));
	return WIRE_OK;
}

/*
 * One's complement sum of a frame with several segments. rte_raw_cksum_mbuf() is not used, because
 * the function of DPDK 22.11 loses the carries of a segment that starts at an odd byte of the
 * datagram.
 */
static uint16_t
segments_sum(const struct rte_mbuf *mbuf, uint32_t offset, uint32_t bytes)
{
	uint32_t part, sum = 0;

	for (uint32_t done = 0; done < bytes; done += part, mbuf = mbuf->next) {
		uint32_t segment_bytes = rte_pktmbuf_data_len(mbuf);
		uint32_t skip = RTE_MIN(offset, segment_bytes);
		uint16_t part_sum;

		offset -= skip;
		part = RTE_MIN(segment_bytes - skip, bytes - done);
		part_sum =
			rte_raw_cksum(rte_pktmbuf_mtod_offset(mbuf, const uint8_t *, skip), part);
		sum += done & 1 ? rte_bswap16(part_sum) : part_sum;
	}
	return __rte_raw_cksum_reduce(sum);
}

/* Checksum 0 means no checksum, even over IPv6, because all RoCEv2 senders use it. */
static bool
udp_checksum_ok(const struct frame *frame)
{
	const uint8_t *ip = frame->head + frame->l3_offset;
	uint16_t pseudo, sum;

	if (be_load16(frame->head + frame->l4_offset + 6) == 0)
		return true;
	pseudo = frame->v6 ? rte_ipv6_phdr_cksum((const struct rte_ipv6_hdr *)ip, 0)
			   : rte_ipv4_phdr_cksum((const struct rte_ipv4_hdr *)ip, 0);
	sum = frame->whole != NULL
		? rte_raw_cksum(frame->whole + frame->l4_offset, frame->udp_bytes)
		: segments_sum(frame->mbuf, frame->l4_offset, frame->udp_bytes);
	return __rte_raw_cksum_reduce((uint32_t)pseudo + sum) == 0xFFFF;
}

static enum wire_drop
udp_parse(struct frame *frame, struct wire_view *view, uint32_t ip_payload_bytes)
{
	const uint8_t *udp = frame->head + frame->l4_offset;

	if (be_load16(udp + 2) != WIRE_UDP_PORT)
		return WIRE_NOT_ROCE;
	view->udp_src_port = be_load16(udp);
	frame->udp_bytes = be_load16(udp + 4);
	if (frame->udp_bytes != ip_payload_bytes ||
		frame->udp_bytes < UDP_BYTES + BTH_BYTES + WIRE_ICRC_BYTES)
		return WIRE_DROP_LENGTH;
	return udp_checksum_ok(frame) ? WIRE_OK : WIRE_DROP_UDP_CHECKSUM;
}

/*
 * @return true if the opcode is accepted. Reserved RC opcodes are accepted, because the responder
 * answers them with a NAK (RC-026). Opcodes of other transports are dropped.
 */
static bool
opcode_spoken(const struct wire_view *view)
{
	return view->traits->kind != WIRE_KIND_UNKNOWN ||
		wire_opcode_transport(view->bth.opcode) == WIRE_TRANSPORT_RC;
}

static enum wire_drop
bth_parse(const struct frame *frame, struct wire_view *view)
{
	uint32_t offset = frame->l4_offset + UDP_BYTES;
	uint32_t fixed_bytes, bytes = frame->udp_bytes - UDP_BYTES;

	wire_bth_load((const struct wire_bth *)(frame->head + offset), &view->bth);
	view->traits = wire_opcode_traits(view->bth.opcode);
	if (view->bth.version != 0)
		return WIRE_DROP_VERSION;
	if (!opcode_spoken(view))
		return WIRE_DROP_OPCODE;
	fixed_bytes = (uint32_t)view->traits->header_bytes + view->bth.pad_count + WIRE_ICRC_BYTES;
	if (bytes < fixed_bytes)
		return WIRE_DROP_HEADER_LENGTH;
	view->bth_offset = (uint16_t)offset;
	view->payload_offset = (uint16_t)(offset + view->traits->header_bytes);
	view->payload_bytes = (uint16_t)(bytes - fixed_bytes);
	if (bytes % 4 != 0)
		return WIRE_DROP_PAYLOAD;
	if (view->payload_bytes != 0 && !view->traits->has_payload &&
		view->traits->kind != WIRE_KIND_UNKNOWN)
		return WIRE_DROP_PAYLOAD;
	return WIRE_OK;
}

void
wire_extensions_load(const uint8_t *at, struct wire_view *view)
{
	const struct wire_opcode_traits *traits = view->traits;

	if (traits->has_deth) {
		const struct wire_deth *deth = (const struct wire_deth *)at;

		view->qkey = be_load32(deth->qkey);
		view->src_qp = be_load24(deth->src_qp);
		at += sizeof(*deth);
	}
	if (traits->has_feth)
		at += 4;
	if (traits->has_reth) {
		wire_reth_load((const struct wire_reth *)at, &view->reth);
		at += sizeof(struct wire_reth);
	}
	if (traits->has_atomic_eth) {
		wire_atomic_load((const struct wire_atomic_eth *)at, &view->atomic);
		at += sizeof(struct wire_atomic_eth);
	}
	if (traits->has_aeth) {
		wire_aeth_load((const struct wire_aeth *)at, &view->aeth);
		at += sizeof(struct wire_aeth);
	}
	if (traits->has_atomic_ack_eth) {
		view->atomic_original = be_load64(at);
		at += 8;
	}
	if (traits->has_imm) {
		view->immediate = be_load32(at);
		at += 4;
	}
	if (traits->has_ieth)
		view->invalidate_rkey = be_load32(at);
}

static bool
address_v4_ok(const struct wire_gid *gid)
{
	uint32_t address = wire_gid_v4(gid);

	return address != 0 && address != UINT32_MAX && address >> 28 != 0xE;
}

/*
 * Drop an IPv4-mapped address in an IPv6 header, because code after the parser could not
 * distinguish it from the address of an IPv4 peer (B-009).
 */
static bool
address_v6_ok(const struct wire_gid *gid)
{
	static const struct wire_gid unspecified;

	return gid->raw[0] != 0xFF && !wire_gid_is_v4(gid) && !wire_gid_equal(gid, &unspecified);
}

/* Drop a packet with an address that no single host can have (SEC-028). */
static bool
addresses_ok(const struct frame *frame, const struct wire_view *view)
{
	if (rte_is_multicast_ether_addr(&view->src_mac))
		return false;
	return frame->v6 ? address_v6_ok(&view->src) && address_v6_ok(&view->dst)
			 : address_v4_ok(&view->src) && address_v4_ok(&view->dst);
}

/* The ICRC is at the end of the UDP datagram. Padding may follow it in the frame (B-127). */
static bool
icrc_ok(const struct frame *frame)
{
	uint32_t icrc_offset = frame->l4_offset + frame->udp_bytes - WIRE_ICRC_BYTES;
	rte_le32_t received;
	uint32_t expected;

	if (frame->whole != NULL) {
		/* bth_parse() has checked that this length is a multiple of 4. */
		expected = wire_icrc_whole(
			frame->whole + frame->l3_offset, icrc_offset - frame->l3_offset, frame->v6);
		memcpy(&received, frame->whole + icrc_offset, sizeof(received));
	} else {
		uint8_t scratch[WIRE_ICRC_BYTES];

		expected = wire_icrc_mbuf(
			frame->mbuf, (uint16_t)frame->l3_offset, frame->v6, icrc_offset);
		memcpy(&received,
			rte_pktmbuf_read(frame->mbuf, icrc_offset, sizeof(scratch), scratch),
			sizeof(received));
	}
	return rte_le_to_cpu_32(received) == expected;
}

static enum wire_drop
frame_parse(struct frame *frame, struct wire_view *view)
{
	uint32_t ip_payload_bytes = 0;
	enum wire_drop drop;

	drop = ethernet_parse(frame, view);
	if (drop != WIRE_OK)
		return drop;
	drop = frame->v6 ? ipv6_parse(frame, view, &ip_payload_bytes)
			 : ipv4_parse(frame, view, &ip_payload_bytes);
	if (drop != WIRE_OK)
		return drop;
	drop = udp_parse(frame, view, ip_payload_bytes);
	if (drop != WIRE_OK)
		return drop;
	drop = bth_parse(frame, view);
	if (drop != WIRE_OK)
		return drop;
	if (!wire_pkey_matches(view->bth.pkey))
		return WIRE_DROP_PKEY;
	if (!addresses_ok(frame, view))
		return WIRE_DROP_ADDRESS;
	wire_extensions_load(frame->head + view->bth_offset + BTH_BYTES, view);
	return icrc_ok(frame) ? WIRE_OK : WIRE_DROP_ICRC;
}

enum wire_drop
wire_parse_ladder(const struct rte_mbuf *mbuf, struct wire_view *view)
{
	uint8_t scratch[LIMIT_HEADER_BYTES];
	struct frame frame = {.mbuf = mbuf, .bytes = rte_pktmbuf_pkt_len(mbuf)};

	if (rte_pktmbuf_data_len(mbuf) >= frame.bytes) {
		frame.whole = rte_pktmbuf_mtod(mbuf, const uint8_t *);
		frame.head = frame.whole;
	} else {
		frame.head = rte_pktmbuf_read(
			mbuf, 0, RTE_MIN(frame.bytes, (uint32_t)LIMIT_HEADER_BYTES), scratch);
	}
	return frame_parse(&frame, view);
}

enum wire_drop
wire_parse_bytes(const uint8_t *bytes, size_t frame_bytes, struct wire_view *view)
{
	struct frame frame = {
		.head = bytes,
		.whole = bytes,
		/*
		 * Limit the length to 32 bits. A datagram ends before this limit, because it has a
		 * 16-bit length.
		 */
		.bytes = (uint32_t)RTE_MIN(frame_bytes, (size_t)UINT32_MAX),
	};

	return frame_parse(&frame, view);
}

void
wire_payload_copy(const struct rte_mbuf *mbuf, const struct wire_view *view, uint32_t offset_bytes,
	void *to, uint32_t bytes)
{
	const void *from;

	BASE_ASSERT(offset_bytes <= view->payload_bytes);
	BASE_ASSERT(bytes <= view->payload_bytes - offset_bytes);
	if (bytes == 0)
		return;
	from = rte_pktmbuf_read(mbuf, view->payload_offset + offset_bytes, bytes, to);
	BASE_ASSERT(from != NULL);
	if (from != to)
		memcpy(to, from, bytes);
}
