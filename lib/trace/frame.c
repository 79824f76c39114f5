/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/frame.h"

#include <string.h>

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "base/be.h"
#include "trace/place.h"
#include "wire/icrc.h"

/*
 * wire_parse() stops at the first reason to drop a packet. A trace must also know the cause: the
 * network if the ICRC is wrong, or the sender if the ICRC is correct. Therefore a packet that
 * wire_parse() refuses is parsed a second time here. This parser trusts only the lengths.
 */

#define UDP_BYTES  ((size_t)sizeof(struct rte_udp_hdr))
#define BTH_BYTES  ((size_t)sizeof(struct wire_bth))
#define IPV4_BYTES ((size_t)sizeof(struct rte_ipv4_hdr))
#define IPV6_BYTES ((size_t)sizeof(struct rte_ipv6_hdr))

#define TYPE_AT ((size_t)(2 * RTE_ETHER_ADDR_LEN))

/* EtherType of RoCE v1. A GRH follows it. */
#define ROCE_V1_TYPE 0x8915

/* Maximum offset of the end of the tunnel headers, in bytes. */
#define TUNNEL_BYTES 128u

static bool
icrc_right(const uint8_t *bytes, const struct trace_place *place)
{
	size_t covered = place->l4_offset + UDP_BYTES + BTH_BYTES;
	size_t icrc_offset = place->end_offset - WIRE_ICRC_BYTES;
	struct wire_icrc icrc;
	rte_le32_t received;

	/*
	 * The ICRC is not computed for packets with IPv4 options, because wire_icrc_start() has no
	 * pseudo packet with options.
	 */
	if (place->l4_offset - place->l3_offset != (place->v6 ? IPV6_BYTES : IPV4_BYTES))
		return false;
	wire_icrc_start(&icrc, bytes + place->l3_offset, place->v6);
	wire_icrc_add(&icrc, bytes + covered, icrc_offset - covered);
	memcpy(&received, bytes + icrc_offset, sizeof(received));
	return rte_le_to_cpu_32(received) == wire_icrc_value(&icrc);
}

/* Correct the checksums of a copy of the frame: IPv4 is computed, UDP becomes 0. */
static void
checksums_mend(uint8_t *bytes, const struct trace_place *place)
{
	uint8_t *ip = bytes + place->l3_offset;

	memset(bytes + place->l4_offset + 6, 0, 2);
	if (!place->v6 && place->l4_offset - place->l3_offset == IPV4_BYTES) {
		rte_be16_t sum;

		memset(ip + 10, 0, 2);
		sum = (uint16_t)~rte_raw_cksum(ip, IPV4_BYTES);
		memcpy(ip + 10, &sum, sizeof(sum));
	}
}

/*
 * @return true if the frame has tags or labels other than one 802.1Q tag, so that wire_parse()
 *         rejects it.
 */
static bool
has_foreign_tags(const uint8_t *bytes, const struct trace_place *place)
{
	size_t tag_bytes = place->l3_offset - TYPE_AT - 2;

	return tag_bytes > sizeof(struct rte_vlan_hdr) ||
		(tag_bytes != 0 && be_load16(bytes + TYPE_AT) != RTE_ETHER_TYPE_VLAN);
}

/* Copy a frame without its VLAN tags and MPLS labels. */
static void
tags_strip(const uint8_t *bytes, size_t count, const struct trace_place *place, uint8_t *untagged)
{
	memcpy(untagged, bytes, TYPE_AT);
	be_store16(untagged + TYPE_AT, place->v6 ? RTE_ETHER_TYPE_IPV6 : RTE_ETHER_TYPE_IPV4);
	memcpy(untagged + TYPE_AT + 2, bytes + place->l3_offset, count - place->l3_offset);
}

/*
 * @return true if a frame without outer RoCEv2 headers probably contains RoCEv2 in a tunnel that
 *         is not decoded, such as GRE without Ethernet, PPPoE, GENEVE or IP in IP. Searches for an
 *         IP header without options that is followed by UDP to port 4791.
 */
static bool
looks_tunnelled(const uint8_t *bytes, size_t count)
{
	for (size_t at = TYPE_AT + 2; at < TUNNEL_BYTES && at + IPV4_BYTES + 4 <= count; at++) {
		const uint8_t *ip = bytes + at;

		if (ip[0] == 0x45 && ip[9] == IPPROTO_UDP &&
			be_load16(ip + IPV4_BYTES + 2) == WIRE_UDP_PORT)
			return true;
		if (ip[0] >> 4 == 6 && ip[6] == IPPROTO_UDP && at + IPV6_BYTES + 4 <= count &&
			be_load16(ip + IPV6_BYTES + 2) == WIRE_UDP_PORT)
			return true;
	}
	return false;
}

enum trace_frame_class
trace_frame_undecoded(const uint8_t *bytes, size_t count, size_t tunnel_bytes)
{
	if (trace_place_type(bytes + tunnel_bytes, count - tunnel_bytes) == ROCE_V1_TYPE)
		return TRACE_FRAME_ROCE_V1;
	return looks_tunnelled(bytes, count) ? TRACE_FRAME_HIDDEN : TRACE_FRAME_OTHER;
}

static void
addresses_load(const uint8_t *bytes, const struct trace_place *place, struct trace_frame *frame)
{
	const uint8_t *ip = bytes + place->l3_offset;

	if (place->v6) {
		memcpy(frame->src.raw, ip + 8, sizeof(frame->src.raw));
		memcpy(frame->dst.raw, ip + 24, sizeof(frame->dst.raw));
	} else {
		frame->src = wire_gid_from_v4(be_load32(ip + 12));
		frame->dst = wire_gid_from_v4(be_load32(ip + 16));
	}
}

/* Classify a frame in which a UDP datagram to port 4791 was found. */
static void
datagram_classify(size_t captured_bytes, const struct trace_place *place, uint8_t *scratch,
	struct trace_frame *frame)
{
	if ((frame->drop == WIRE_DROP_IP_HEADER || frame->drop == WIRE_DROP_UDP_CHECKSUM) &&
		captured_bytes <= TRACE_FRAME_MAX) {
		memmove(scratch, frame->bytes, captured_bytes);
		checksums_mend(scratch, place);
		frame->bytes = scratch;
		frame->drop = wire_parse_bytes(scratch, captured_bytes, &frame->view);
	}
	frame->has_view = frame->drop == WIRE_OK || frame->drop == WIRE_DROP_ICRC;
	if (frame->drop == WIRE_OK)
		frame->class = TRACE_FRAME_GOOD;
	else if (frame->drop == WIRE_DROP_ICRC)
		frame->class = TRACE_FRAME_BAD_ICRC;
	else if (!place->fits)
		frame->class = TRACE_FRAME_MALFORMED;
	else if (icrc_right(frame->bytes, place))
		frame->class = TRACE_FRAME_REFUSED;
	else
		frame->class = TRACE_FRAME_BAD_ICRC;
}

void
trace_frame_classify(const uint8_t *captured, size_t captured_bytes, size_t wire_bytes,
	uint8_t *scratch, struct trace_frame *frame)
{
	static const uint8_t nothing[1];
	/*
	 * If no bytes were captured, captured may be NULL, and adding an offset to NULL is
	 * undefined.
	 */
	const uint8_t *bytes = captured_bytes == 0 ? nothing : captured;
	struct trace_place place = {0};
	size_t tunnel_bytes = trace_place_tunnel(bytes, captured_bytes, &place);
	size_t count = captured_bytes - tunnel_bytes;

	memset(&frame->src, 0, sizeof(frame->src));
	memset(&frame->dst, 0, sizeof(frame->dst));
	frame->has_view = false;
	frame->drop = WIRE_NOT_ROCE;
	frame->bytes = bytes + tunnel_bytes;
	frame->skipped_bytes = tunnel_bytes;
	if (!trace_place_find(frame->bytes, count, WIRE_UDP_PORT, &place)) {
		frame->class = trace_frame_undecoded(bytes, captured_bytes, tunnel_bytes);
		return;
	}
	addresses_load(frame->bytes, &place, frame);
	if (has_foreign_tags(frame->bytes, &place) && count <= TRACE_FRAME_MAX) {
		tags_strip(frame->bytes, count, &place, scratch);
		count -= place.l3_offset - TYPE_AT - 2;
		frame->skipped_bytes += place.l3_offset - TYPE_AT - 2;
		frame->bytes = scratch;
		trace_place_find(scratch, count, WIRE_UDP_PORT, &place);
	}
	frame->drop = wire_parse_bytes(frame->bytes, count, &frame->view);
	if (frame->drop != WIRE_OK && captured_bytes < wire_bytes)
		frame->class = TRACE_FRAME_CUT;
	else
		datagram_classify(count, &place, scratch, frame);
}
