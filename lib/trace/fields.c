/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/fields.h"

#include <string.h>

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "base/be.h"
#include "base/sized.h"
#include "trace/frame.h"
#include "trace/place.h"
#include "wire/header.h"
#include "wire/icrc.h"
#include "wire/opcode.h"

/*
 * The opcode determines the extension headers after the BTH (opcode.h). If the headers do not fit
 * the length of the frame, or the opcode is unknown, all bytes after the BTH count as payload.
 * Rules are not checked here.
 */

#define UDP_BYTES       ((size_t)sizeof(struct rte_udp_hdr))
#define UDP_CHECKSUM_AT 6u
#define BTH_BYTES       ((size_t)sizeof(struct wire_bth))
#define IPV4_BYTES      ((size_t)sizeof(struct rte_ipv4_hdr))
#define IPV6_BYTES      ((size_t)sizeof(struct rte_ipv6_hdr))
#define IP_CHECKSUM_AT  10u
#define MAC_BYTES       ((size_t)RTE_ETHER_ADDR_LEN)
#define FETH_BYTES      4u
#define GRE_BYTES       8u /* with a checksum */
#define GRE_CHECKSUM_AT 4u
#define GRE_CHECKSUM    0x80

static void
addresses_add(struct nd_trace_layout *layout, size_t ethernet, const struct trace_place *place,
	size_t limit)
{
	const size_t ip = ethernet + place->l3_offset;

	trace_fields_add(layout, ND_TRACE_FIELD_MAC, ethernet, MAC_BYTES, limit);
	trace_fields_add(layout, ND_TRACE_FIELD_MAC, ethernet + MAC_BYTES, MAC_BYTES, limit);
	if (place->v6) {
		trace_fields_add(layout, ND_TRACE_FIELD_IPV6, ip + 8, 16, limit);
		trace_fields_add(layout, ND_TRACE_FIELD_IPV6, ip + 24, 16, limit);
		return;
	}
	trace_fields_add(layout, ND_TRACE_FIELD_IPV4, ip + 12, 4, limit);
	trace_fields_add(layout, ND_TRACE_FIELD_IPV4, ip + 16, 4, limit);
	if (place->l4_offset - place->l3_offset > IPV4_BYTES)
		trace_fields_add(layout, ND_TRACE_FIELD_PADDING, ip + IPV4_BYTES,
			place->l4_offset - place->l3_offset - IPV4_BYTES, limit);
}

/* Add the extension headers, in their order on the wire. @return offset of the payload */
static size_t
extensions_add(struct nd_trace_layout *layout, const struct wire_opcode_traits *traits, bool mad,
	size_t at, size_t limit)
{
	if (traits->has_deth) {
		/* The Q_Key of the connection manager is a constant, so it is not a field. */
		if (!mad)
			trace_fields_add(layout, ND_TRACE_FIELD_KEY, at, 4, limit);
		at += sizeof(struct wire_deth);
	}
	if (traits->has_feth)
		at += FETH_BYTES;
	if (traits->has_reth || traits->has_atomic_eth) {
		trace_fields_add(layout, ND_TRACE_FIELD_ADDRESS, at, 8, limit);
		trace_fields_add(layout, ND_TRACE_FIELD_KEY, at + 8, 4, limit);
	}
	if (traits->has_reth)
		at += sizeof(struct wire_reth);
	if (traits->has_atomic_eth) {
		trace_fields_add(layout, ND_TRACE_FIELD_ATOMIC, at + 12, 8, limit);
		trace_fields_add(layout, ND_TRACE_FIELD_ATOMIC, at + 20, 8, limit);
		at += sizeof(struct wire_atomic_eth);
	}
	if (traits->has_aeth)
		at += sizeof(struct wire_aeth);
	if (traits->has_atomic_ack_eth) {
		trace_fields_add(layout, ND_TRACE_FIELD_ATOMIC, at, 8, limit);
		at += 8;
	}
	if (traits->has_imm) {
		trace_fields_add(layout, ND_TRACE_FIELD_IMMEDIATE, at, 4, limit);
		at += 4;
	}
	if (traits->has_ieth) {
		trace_fields_add(layout, ND_TRACE_FIELD_KEY, at, 4, limit);
		at += 4;
	}
	return at;
}

/* Add the fields after the BTH, up to the ICRC or the end of the captured bytes. */
static void
transport_add(struct nd_trace_layout *layout, const uint8_t *bytes, size_t count)
{
	const size_t bth = layout->l4_offset + UDP_BYTES;
	size_t limit = RTE_MIN(count, (size_t)layout->end_offset), pad = 0, payload;
	const struct wire_opcode_traits *traits;
	bool mad;

	if (layout->complete)
		limit = layout->end_offset - WIRE_ICRC_BYTES;
	if (bth + BTH_BYTES > limit)
		return;
	traits = wire_opcode_traits(bytes[bth]);
	if (layout->complete)
		pad = bytes[bth + 1] >> 4 & 3;
	mad = traits->has_deth && be_load24(bytes + bth + 5) == WIRE_QPN_CM;
	if (layout->complete && bth + traits->header_bytes + pad > limit) {
		trace_fields_add(layout, ND_TRACE_FIELD_PAYLOAD, bth + BTH_BYTES, limit, limit);
		return;
	}
	extensions_add(layout, traits, mad, bth + BTH_BYTES, limit);
	payload = bth + traits->header_bytes;
	if (payload < limit && mad)
		trace_fields_mad(layout, bytes, payload, limit - pad);
	else if (payload < limit)
		trace_fields_add(
			layout, ND_TRACE_FIELD_PAYLOAD, payload, limit - pad - payload, limit);
	trace_fields_add(layout, ND_TRACE_FIELD_PADDING, limit - pad, pad, limit);
}

static uint16_t
ip_checksum(const uint8_t *ip, size_t bytes)
{
	const uint32_t sum = (uint32_t)rte_raw_cksum(ip, IP_CHECKSUM_AT) +
		rte_raw_cksum(ip + IP_CHECKSUM_AT + 2, bytes - IP_CHECKSUM_AT - 2);

	return (uint16_t) ~((sum & 0xFFFF) + (sum >> 16));
}

static uint16_t
udp_checksum(const uint8_t *bytes, const struct nd_trace_layout *layout)
{
	const uint8_t *ip = bytes + layout->l3_offset, *udp = bytes + layout->l4_offset;
	uint32_t sum = layout->v6 ? rte_ipv6_phdr_cksum((const struct rte_ipv6_hdr *)ip, 0)
				  : rte_ipv4_phdr_cksum((const struct rte_ipv4_hdr *)ip, 0);

	sum += rte_raw_cksum(udp, UDP_CHECKSUM_AT);
	sum += rte_raw_cksum(udp + UDP_BYTES, layout->end_offset - layout->l4_offset - UDP_BYTES);
	sum = (sum & 0xFFFF) + (sum >> 16);
	sum = (sum & 0xFFFF) + (sum >> 16);
	/* A UDP checksum of 0 means "no checksum", so 0xFFFF is used instead. */
	return sum == 0xFFFF ? 0xFFFF : (uint16_t)~sum;
}

static uint32_t
icrc_of(const uint8_t *bytes, const struct nd_trace_layout *layout)
{
	const size_t covered = layout->l4_offset + UDP_BYTES + BTH_BYTES;
	struct wire_icrc icrc;

	wire_icrc_start(&icrc, bytes + layout->l3_offset, layout->v6);
	wire_icrc_add(&icrc, bytes + covered, layout->end_offset - WIRE_ICRC_BYTES - covered);
	return wire_icrc_value(&icrc);
}

static uint16_t
load16(const uint8_t *bytes)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static size_t
ipv4_bytes(const struct nd_trace_layout *layout)
{
	return layout->l4_offset - layout->l3_offset;
}

/*
 * Store how the checksums differ from the correct values. IPv4 checksums are compared in network
 * byte order.
 */
static void
errors_find(struct nd_trace_layout *layout, const uint8_t *bytes)
{
	rte_le32_t icrc;

	if (!layout->v6 && ipv4_bytes(layout) >= IPV4_BYTES)
		layout->ip_error = load16(bytes + layout->l3_offset + IP_CHECKSUM_AT) ^
			ip_checksum(bytes + layout->l3_offset, ipv4_bytes(layout));
	if (!layout->complete)
		return;
	layout->udp_none = load16(bytes + layout->l4_offset + UDP_CHECKSUM_AT) == 0;
	layout->udp_error =
		load16(bytes + layout->l4_offset + UDP_CHECKSUM_AT) ^ udp_checksum(bytes, layout);
	memcpy(&icrc, bytes + layout->end_offset - WIRE_ICRC_BYTES, sizeof(icrc));
	layout->icrc_error = rte_le_to_cpu_32(icrc) ^ icrc_of(bytes, layout);
}

static void
layout_find(
	const void *frame, size_t captured_bytes, size_t wire_bytes, struct nd_trace_layout *layout)
{
	const uint8_t *bytes = frame;
	struct trace_place outer = {0}, place = {0};
	const size_t tunnel = trace_place_tunnel(bytes, captured_bytes, &outer);

	memset(layout, 0, sizeof(*layout));
	if (captured_bytes == 0)
		return;
	if (!trace_place_find(bytes + tunnel, captured_bytes - tunnel, WIRE_UDP_PORT, &place)) {
		layout->undecoded =
			trace_frame_undecoded(bytes, captured_bytes, tunnel) != TRACE_FRAME_OTHER;
		return;
	}
	layout->roce = true;
	layout->captured_bytes = (uint32_t)captured_bytes;
	if (tunnel != 0) {
		layout->tunnel_offset = (uint32_t)outer.l3_offset;
		layout->tunnel_v6 = outer.v6;
		addresses_add(layout, 0, &outer, captured_bytes);
	}
	layout->v6 = place.v6;
	layout->l3_offset = (uint32_t)(tunnel + place.l3_offset);
	layout->l4_offset = (uint32_t)(tunnel + place.l4_offset);
	layout->end_offset = (uint32_t)(tunnel + place.end_offset);
	/*
	 * With IPv4 options, it is unknown which bytes the ICRC covers, so the packet is not
	 * complete.
	 */
	layout->complete = place.fits && captured_bytes >= tunnel + place.end_offset &&
		captured_bytes <= wire_bytes &&
		place.l4_offset - place.l3_offset == (place.v6 ? IPV6_BYTES : IPV4_BYTES);
	addresses_add(layout, tunnel, &place, captured_bytes);
	transport_add(layout, bytes, captured_bytes);
	/*
	 * If the IP length ends within the UDP header, it is wrong, and the ports are no padding.
	 */
	if (layout->end_offset > layout->l4_offset)
		trace_fields_add(layout, ND_TRACE_FIELD_PADDING,
			RTE_MAX((size_t)layout->end_offset, layout->l4_offset + UDP_BYTES),
			captured_bytes, captured_bytes);
	errors_find(layout, bytes);
}

void
nd_trace_layout_sized(const void *frame, size_t captured_bytes, size_t wire_bytes,
	struct nd_trace_layout *layout, size_t size)
{
	struct nd_trace_layout own;

	layout_find(frame, captured_bytes, wire_bytes, &own);
	base_sized_write(layout, size, &own, sizeof(own));
}

static void
store16(uint8_t *bytes, uint16_t value)
{
	memcpy(bytes, &value, sizeof(value));
}

/*
 * Compute the optional checksum of GRE over the whole tunnel packet. If the frame is cut, the
 * checksum becomes 0.
 */
static void
gre_seal(uint8_t *gre, size_t tunnel_bytes, size_t captured_bytes)
{
	if (captured_bytes < GRE_BYTES || (gre[0] & GRE_CHECKSUM) == 0)
		return;
	store16(gre + GRE_CHECKSUM_AT, 0);
	if (tunnel_bytes >= GRE_BYTES && tunnel_bytes <= captured_bytes)
		store16(gre + GRE_CHECKSUM_AT, (uint16_t)~rte_raw_cksum(gre, tunnel_bytes));
}

/* Compute the checksums of the outer headers. The UDP checksum is optional and becomes 0. */
static void
tunnel_seal(uint8_t *bytes, const struct nd_trace_layout *layout)
{
	uint8_t *ip = bytes + layout->tunnel_offset;
	const size_t ip_bytes = layout->tunnel_v6 ? IPV6_BYTES : (ip[0] & 0x0Fu) * 4u;
	const size_t whole = be_load16(ip + (layout->tunnel_v6 ? 4 : 2));
	const size_t headers = layout->tunnel_v6 ? 0 : ip_bytes;

	if (ip[layout->tunnel_v6 ? 6 : 9] == IPPROTO_UDP)
		store16(ip + ip_bytes + UDP_CHECKSUM_AT, 0);
	else
		gre_seal(ip + ip_bytes, whole > headers ? whole - headers : 0,
			layout->captured_bytes - layout->tunnel_offset - ip_bytes);
	if (!layout->tunnel_v6 && ip_bytes >= IPV4_BYTES)
		store16(ip + IP_CHECKSUM_AT, ip_checksum(ip, ip_bytes));
}

static void
packet_seal(uint8_t *bytes, const struct nd_trace_layout *layout)
{
	rte_le32_t icrc;

	if (!layout->v6 && ipv4_bytes(layout) >= IPV4_BYTES)
		store16(bytes + layout->l3_offset + IP_CHECKSUM_AT,
			ip_checksum(bytes + layout->l3_offset, ipv4_bytes(layout)) ^
				layout->ip_error);
	if (!layout->complete) {
		if (layout->l4_offset + UDP_BYTES <= layout->captured_bytes)
			store16(bytes + layout->l4_offset + UDP_CHECKSUM_AT, 0);
		return;
	}
	icrc = rte_cpu_to_le_32(icrc_of(bytes, layout) ^ layout->icrc_error);
	memcpy(bytes + layout->end_offset - WIRE_ICRC_BYTES, &icrc, sizeof(icrc));
	if (!layout->udp_none)
		store16(bytes + layout->l4_offset + UDP_CHECKSUM_AT,
			udp_checksum(bytes, layout) ^ layout->udp_error);
}

void
nd_trace_seal_sized(void *frame, const struct nd_trace_layout *layout, size_t size)
{
	struct nd_trace_layout own;

	(void)base_sized_read(&own, sizeof(own), layout, size);
	if (!own.roce)
		return;
	packet_seal(frame, &own);
	if (own.tunnel_offset != 0)
		tunnel_seal(frame, &own);
}
