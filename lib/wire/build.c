/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/build.h"

#include <string.h>

#include "base/limits.h"
#include "wire/opcode.h"

/*
 * Builds a frame of one segment around its payload. The headers of the path's template and the
 * transport headers are written before the payload, pad and ICRC after it. Every byte outside the
 * payload is written, so no old content of the buffer is sent (SEC-034).
 */

#define IPV4_VERSION_IHL   0x45
#define IPV4_DONT_FRAGMENT 0x4000
#define IPV6_VERSION_6     0x60000000u

static_assert(14 + 4 + 40 + 8 + 12 + 28 <= LIMIT_HEADER_BYTES, "headers fit the headroom");
static_assert(3 + WIRE_ICRC_BYTES <= LIMIT_TRAILER_BYTES, "pad and ICRC fit the tailroom");

static uint8_t
ipv4_template(uint8_t *ip, const struct wire_path *path)
{
	ip[0] = IPV4_VERSION_IHL;
	ip[1] = path->tos;
	be_store16(ip + 6, IPV4_DONT_FRAGMENT);
	ip[8] = path->ttl;
	ip[9] = IPPROTO_UDP;
	be_store32(ip + 12, wire_gid_v4(&path->src));
	be_store32(ip + 16, wire_gid_v4(&path->dst));
	return sizeof(struct rte_ipv4_hdr);
}

static uint8_t
ipv6_template(uint8_t *ip, const struct wire_path *path)
{
	be_store32(ip, IPV6_VERSION_6 | (uint32_t)path->tos << 20);
	ip[6] = IPPROTO_UDP;
	ip[7] = path->ttl;
	memcpy(ip + 8, path->src.raw, sizeof(path->src.raw));
	memcpy(ip + 24, path->dst.raw, sizeof(path->dst.raw));
	return sizeof(struct rte_ipv6_hdr);
}

void
wire_template_make(struct wire_template *tmpl, const struct wire_path *path)
{
	uint8_t *bytes = tmpl->bytes;
	uint8_t length = 12;

	BASE_ASSERT(wire_gid_is_v4(&path->src) == wire_gid_is_v4(&path->dst));
	memset(tmpl, 0, sizeof(*tmpl));
	tmpl->v6 = !wire_gid_is_v4(&path->src);
	memcpy(bytes, path->dst_mac.addr_bytes, RTE_ETHER_ADDR_LEN);
	memcpy(bytes + 6, path->src_mac.addr_bytes, RTE_ETHER_ADDR_LEN);
	if (path->vlan) {
		be_store16(bytes + length, RTE_ETHER_TYPE_VLAN);
		be_store16(bytes + length + 2, path->vlan_tci);
		length = (uint8_t)(length + 4);
	}
	be_store16(bytes + length, tmpl->v6 ? RTE_ETHER_TYPE_IPV6 : RTE_ETHER_TYPE_IPV4);
	length = (uint8_t)(length + 2);
	tmpl->l3_offset = length;
	length = (uint8_t)(length +
		(tmpl->v6 ? ipv6_template(bytes + length, path)
			  : ipv4_template(bytes + length, path)));
	be_store16(bytes + length, path->udp_src_port);
	be_store16(bytes + length + 2, WIRE_UDP_PORT);
	tmpl->bth_offset = (uint8_t)(length + sizeof(struct rte_udp_hdr));
	if (!tmpl->v6)
		tmpl->ip_sum = rte_raw_cksum(bytes + tmpl->l3_offset, sizeof(struct rte_ipv4_hdr));
}

void
wire_template_set_tos(struct wire_template *tmpl, uint8_t tos)
{
	uint8_t *ip = tmpl->bytes + tmpl->l3_offset;

	if (tmpl->v6) {
		be_store32(ip, IPV6_VERSION_6 | (uint32_t)tos << 20);
		return;
	}
	ip[1] = tos;
	tmpl->ip_sum = rte_raw_cksum(ip, sizeof(struct rte_ipv4_hdr));
}

__rte_cold void
wire_frame_set_dscp(struct rte_mbuf *mbuf, const struct wire_template *tmpl, uint8_t dscp)
{
	uint8_t *ip = rte_pktmbuf_mtod_offset(mbuf, uint8_t *, tmpl->l3_offset);
	struct rte_ipv4_hdr *ipv4 = (struct rte_ipv4_hdr *)ip;

	if (tmpl->v6) {
		uint32_t mask = (uint32_t)WIRE_DSCP_MAX << (WIRE_DSCP_SHIFT + 20);

		be_store32(ip, (be_load32(ip) & ~mask) | (uint32_t)dscp << (WIRE_DSCP_SHIFT + 20));
		return;
	}
	ip[1] = (uint8_t)((ip[1] & WIRE_ECN_MASK) | dscp << WIRE_DSCP_SHIFT);
	ipv4->hdr_checksum = 0;
	ipv4->hdr_checksum = rte_ipv4_cksum(ipv4);
}

void
wire_template_set_destination(struct wire_template *tmpl, const struct rte_ether_addr *mac)
{
	memcpy(tmpl->bytes, mac->addr_bytes, sizeof(mac->addr_bytes));
}

static uint8_t *
deth_store(uint8_t *to, const struct wire_headers *headers)
{
	struct wire_deth *deth = (struct wire_deth *)to;

	be_store32(deth->qkey, headers->qkey);
	deth->reserved = 0;
	be_store24(deth->src_qp, headers->src_qp);
	return to + sizeof(*deth);
}

/* Write extension headers in the order of the wire format. @return first byte after the headers */
static uint8_t *
extensions_store(
	uint8_t *to, const struct wire_opcode_traits *traits, const struct wire_headers *headers)
{
	if (traits->has_deth)
		to = deth_store(to, headers);
	if (traits->has_feth) {
		/*
		 * FLUSH: placement type "global visibility" and selectivity "memory range", because
		 * this FLUSH needs no other parameter.
		 */
		be_store32(to, 1);
		to += 4;
	}
	if (traits->has_reth) {
		wire_reth_store((struct wire_reth *)to, &headers->reth);
		to += sizeof(struct wire_reth);
	}
	if (traits->has_atomic_eth) {
		wire_atomic_store((struct wire_atomic_eth *)to, &headers->atomic);
		to += sizeof(struct wire_atomic_eth);
	}
	if (traits->has_aeth) {
		wire_aeth_store((struct wire_aeth *)to, &headers->aeth);
		to += sizeof(struct wire_aeth);
	}
	if (traits->has_atomic_ack_eth) {
		be_store64(to, headers->atomic_original);
		to += 8;
	}
	if (traits->has_imm) {
		be_store32(to, headers->immediate);
		to += 4;
	}
	if (traits->has_ieth) {
		be_store32(to, headers->invalidate_rkey);
		to += 4;
	}
	if (traits->has_cnp_reserved) {
		memset(to, 0, 16);
		to += 16;
	}
	return to;
}

void
wire_build(struct rte_mbuf *mbuf, const struct wire_template *tmpl,
	const struct wire_headers *headers, uint16_t ip_id)
{
	const struct wire_opcode_traits *traits = wire_opcode_traits(headers->bth.opcode);
	uint8_t *extensions = wire_begin(mbuf, tmpl, headers->bth, traits->header_bytes, ip_id);
	const uint8_t *end = extensions_store(extensions, traits, headers);

	BASE_ASSERT(end == extensions + traits->header_bytes - sizeof(struct wire_bth));
	RTE_SET_USED(end);
	wire_finish(mbuf, tmpl);
}

uint16_t
wire_udp_src_port(uint32_t flow_label, uint32_t local_qpn, uint32_t remote_qpn)
{
	uint32_t label = flow_label & WIRE_FLOW_LABEL_MASK;

	if (label == 0) {
		uint64_t product = (uint64_t)local_qpn * remote_qpn;

		product ^= product >> 20;
		product ^= product >> 40;
		label = product & WIRE_FLOW_LABEL_MASK;
	}
	label = label % WIRE_UDP_SRC_PORT_COUNT ^ label / WIRE_UDP_SRC_PORT_COUNT;
	return (uint16_t)(WIRE_UDP_SRC_PORT_FIRST + label);
}
