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

/* VXLAN, RFC 7348: a header of 8 bytes, with the I bit in the flags. An Ethernet frame follows. */
#define VXLAN_PORT  4789
#define VXLAN_BYTES 8u
#define VXLAN_FLAGS 0x08

/*
 * MPLS, RFC 3032: a stack of labels of four bytes each. The last label has the bottom-of-stack bit.
 */
#define MPLS_TYPE           0x8847
#define MPLS_MULTICAST_TYPE 0x8848
#define MPLS_BYTES          4u
#define MPLS_LABELS_MAX     8u

/*
 * GRE, RFC 2784 and 2890. The flags show which optional fields exist: checksum, key, sequence
 * number.
 */
#define GRE_BYTES        4u
#define GRE_CHECKSUM     0x8000
#define GRE_KEY          0x2000
#define GRE_SEQUENCE     0x1000
#define GRE_OPTION_BYTES 4u

/*
 * Protocol types of GRE: Ethernet (TEB), or Ethernet after an ERSPAN header (type I or II, type
 * III).
 */
#define TEB_TYPE           0x6558
#define ERSPAN_TYPE        0x88BE /* ERSPAN II has a GRE sequence number, ERSPAN I has none */
#define ERSPAN3_TYPE       0x22EB
#define ERSPAN2_BYTES      8u
#define ERSPAN3_BYTES      12u
#define ERSPAN3_MORE_BYTES 8u

static bool
is_tag(uint16_t type)
{
	return type == RTE_ETHER_TYPE_VLAN || type == RTE_ETHER_TYPE_QINQ ||
		type == RTE_ETHER_TYPE_QINQ1;
}

/* Find the EtherType after the VLAN tags. @return its offset; 0 if the frame is too short. */
static size_t
type_find(const uint8_t *bytes, size_t count)
{
	size_t offset = TYPE_AT;

	for (unsigned tags = 0; count >= offset + 2; tags++) {
		if (!is_tag(be_load16(bytes + offset)) || tags == TAGS_MAX)
			return offset;
		offset += sizeof(struct rte_vlan_hdr);
	}
	return 0;
}

uint16_t
trace_place_type(const uint8_t *bytes, size_t count)
{
	const size_t offset = type_find(bytes, count);

	return offset == 0 ? 0 : be_load16(bytes + offset);
}

/* Find the IP header after the MPLS labels. @return its offset; 0 if there is none. */
static size_t
mpls_l3_find(const uint8_t *bytes, size_t count, size_t offset, bool *v6)
{
	bool bottom = false;

	for (unsigned labels = 0; !bottom && labels < MPLS_LABELS_MAX; labels++) {
		if (count < offset + MPLS_BYTES + 1)
			return 0;
		bottom = (bytes[offset + 2] & 1) != 0;
		offset += MPLS_BYTES;
	}
	*v6 = bytes[offset] >> 4 == 6;
	return bottom && (*v6 || bytes[offset] >> 4 == 4) ? offset : 0;
}

/* Find the IP header. @return its offset; 0 if the frame contains no IP packet. */
static size_t
l3_find(const uint8_t *bytes, size_t count, bool *v6)
{
	const size_t offset = type_find(bytes, count);
	const uint16_t type = trace_place_type(bytes, count);

	if (type == MPLS_TYPE || type == MPLS_MULTICAST_TYPE)
		return mpls_l3_find(bytes, count, offset + 2, v6);
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
		/* Later fragments have no UDP header. */
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

/* Find the GRE header after the IP header. @return whether there is one */
static bool
gre_find(const uint8_t *bytes, size_t count, struct trace_place *outer)
{
	const size_t l3 = l3_find(bytes, count, &outer->v6);
	const uint8_t *ip;

	if (l3 == 0 || count < l3 + (outer->v6 ? IPV6_BYTES : IPV4_BYTES))
		return false;
	ip = bytes + l3;
	outer->l3_offset = l3;
	outer->l4_offset = l3 + (outer->v6 ? IPV6_BYTES : (ip[0] & 0x0Fu) * 4u);
	if (outer->v6)
		return ip[6] == IPPROTO_GRE;
	return ip[9] == IPPROTO_GRE && (be_load16(ip + 6) & 0x1FFF) == 0 &&
		outer->l4_offset >= l3 + IPV4_BYTES;
}

/* @return length of the ERSPAN header in bytes; 0: there is none */
static size_t
erspan_bytes(const uint8_t *bytes, size_t count, size_t at, uint16_t type, uint16_t flags)
{
	if (type == ERSPAN_TYPE)
		return (flags & GRE_SEQUENCE) != 0 ? ERSPAN2_BYTES : 0;
	if (type != ERSPAN3_TYPE || count < at + ERSPAN3_BYTES)
		return 0;
	/* The last bit is set if a platform-specific header follows. */
	return ERSPAN3_BYTES + (bytes[at + ERSPAN3_BYTES - 1] & 1u) * ERSPAN3_MORE_BYTES;
}

static size_t
place_gre(const uint8_t *bytes, size_t count, struct trace_place *outer)
{
	uint16_t flags, type;
	size_t at;

	if (!gre_find(bytes, count, outer))
		return 0;
	at = outer->l4_offset;
	if (count < at + GRE_BYTES)
		return 0;
	flags = be_load16(bytes + at);
	type = be_load16(bytes + at + 2);
	if ((flags & (uint16_t) ~(GRE_CHECKSUM | GRE_KEY | GRE_SEQUENCE)) != 0 ||
		(type != TEB_TYPE && type != ERSPAN_TYPE && type != ERSPAN3_TYPE))
		return 0;
	at += GRE_BYTES;
	for (uint16_t option = GRE_CHECKSUM; option >= GRE_SEQUENCE; option >>= 1)
		if ((flags & option) != 0)
			at += GRE_OPTION_BYTES;
	at += erspan_bytes(bytes, count, at, type, flags);
	return at < count ? at : 0;
}

static size_t
place_vxlan(const uint8_t *bytes, size_t count, struct trace_place *outer)
{
	size_t at;

	if (!trace_place_find(bytes, count, VXLAN_PORT, outer))
		return 0;
	at = outer->l4_offset + UDP_BYTES;
	if (count < at + VXLAN_BYTES || bytes[at] != VXLAN_FLAGS)
		return 0;
	return at + VXLAN_BYTES;
}

size_t
trace_place_tunnel(const uint8_t *bytes, size_t count, struct trace_place *outer)
{
	const size_t vxlan = place_vxlan(bytes, count, outer);

	return vxlan != 0 ? vxlan : place_gre(bytes, count, outer);
}
