/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/place.h"

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "base/be.h"
#include "wire/header.h"

#define UDP_BYTES       ((size_t)sizeof(struct rte_udp_hdr))
#define BTH_BYTES       ((size_t)sizeof(struct wire_bth))
#define IPV4_BYTES      ((size_t)sizeof(struct rte_ipv4_hdr))
#define IPV6_BYTES      ((size_t)sizeof(struct rte_ipv6_hdr))
#define UDP_PORTS_BYTES 4u
#define TYPE_AT         ((size_t)(2 * RTE_ETHER_ADDR_LEN))
#define TAGS_MAX        4u

/* VXLAN, RFC 7348: flags with the I bit, reserved, VNI, reserved; then an Ethernet frame. */
#define VXLAN_PORT  4789
#define VXLAN_BYTES 8u
#define VXLAN_FLAGS 0x08

static bool
is_tag(uint16_t type)
{
	return type == RTE_ETHER_TYPE_VLAN || type == RTE_ETHER_TYPE_QINQ ||
		type == RTE_ETHER_TYPE_QINQ1;
}

/* Find the IP header. @return its offset, or 0 when the frame is not IP. */
static size_t
l3_find(const uint8_t *bytes, size_t count, bool *v6)
{
	size_t offset = TYPE_AT;
	uint16_t type;

	if (count < offset + 2)
		return 0;
	type = be_load16(bytes + offset);
	for (unsigned tags = 0; is_tag(type) && tags < TAGS_MAX; tags++) {
		offset += sizeof(struct rte_vlan_hdr);
		if (count < offset + 2)
			return 0;
		type = be_load16(bytes + offset);
	}
	*v6 = type == RTE_ETHER_TYPE_IPV6;
	return *v6 || type == RTE_ETHER_TYPE_IPV4 ? offset + 2 : 0;
}

bool
trace_place_find(const uint8_t *bytes, size_t count, uint16_t port, struct trace_place *place)
{
	const uint8_t *ip = bytes;
	size_t ip_payload;

	place->l3_offset = l3_find(bytes, count, &place->v6);
	if (place->l3_offset == 0)
		return false;
	ip += place->l3_offset;
	if (place->v6) {
		place->l4_offset = place->l3_offset + IPV6_BYTES;
		if (count < place->l4_offset + UDP_PORTS_BYTES || ip[6] != IPPROTO_UDP)
			return false;
		ip_payload = be_load16(ip + 4);
	} else {
		if (count < place->l3_offset + IPV4_BYTES || ip[9] != IPPROTO_UDP)
			return false;
		/* Only the first fragment has a UDP header. */
		if (be_load16(ip + 6) & 0x1FFF)
			return false;
		place->l4_offset = place->l3_offset + (ip[0] & 0x0Fu) * 4u;
		if (count < place->l4_offset + UDP_PORTS_BYTES)
			return false;
		ip_payload = be_load16(ip + 2);
		if (ip_payload < place->l4_offset - place->l3_offset)
			ip_payload = 0;
		else
			ip_payload -= place->l4_offset - place->l3_offset;
	}
	if (be_load16(bytes + place->l4_offset + 2) != port)
		return false;
	place->end_offset = place->l4_offset + ip_payload;
	place->fits = place->end_offset <= count &&
		place->end_offset >= place->l4_offset + UDP_BYTES + BTH_BYTES + WIRE_ICRC_BYTES &&
		(place->v6 || (be_load16(ip + 6) & 0x2000) == 0);
	return true;
}

size_t
trace_place_vxlan(const uint8_t *bytes, size_t count)
{
	struct trace_place place = {0};
	size_t at;

	if (!trace_place_find(bytes, count, VXLAN_PORT, &place))
		return 0;
	at = place.l4_offset + UDP_BYTES;
	if (count < at + VXLAN_BYTES || bytes[at] != VXLAN_FLAGS)
		return 0;
	return at + VXLAN_BYTES;
}
