/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "neigh/parts.h"

#include <string.h>

#include <netinet/in.h>

#include <rte_ip.h>

#include "base/assert.h"
#include "base/be.h"

/*
 * IPv6 and ICMPv6 headers of neighbour discovery and echo. The module first checks the lengths.
 * Then the type selects the file that handles the message. Then the checksum is checked, which is
 * mandatory. Extension headers are not parsed, because only listener queries (mld.c) have one.
 */

#define IPV6_BYTES        ((uint32_t)sizeof(struct rte_ipv6_hdr))
#define ICMP6_BYTES_MIN   4
#define ICMP6_CHECKSUM_AT 2

uint16_t
neigh_icmp6_sum(const struct rte_ipv6_hdr *ip, const uint8_t *body, uint32_t bytes)
{
	return __rte_raw_cksum_reduce(
		(uint32_t)rte_ipv6_phdr_cksum(ip, 0) + rte_raw_cksum(body, bytes));
}

uint8_t
neigh_icmp6_type(const struct neigh_frame *frame)
{
	if (frame->l3_bytes <= IPV6_BYTES || frame->l3[6] != IPPROTO_ICMPV6)
		return 0;
	return frame->l3[IPV6_BYTES];
}

bool
neigh_icmp6_is_long(const struct neigh_frame *frame)
{
	return IPV6_BYTES + be_load16(frame->l3 + 4) > NEIGH_PACKET_BYTES_MAX;
}

bool
neigh_icmp6_parse(const struct neigh_frame *frame, struct neigh_icmp6 *message)
{
	const struct rte_ipv6_hdr *ip = (const struct rte_ipv6_hdr *)frame->l3;

	if (frame->l3_bytes < IPV6_BYTES + ICMP6_BYTES_MIN || frame->l3[0] >> 4 != 6)
		return false;
	message->frame = frame;
	message->body = frame->l3 + IPV6_BYTES;
	message->bytes = be_load16(frame->l3 + 4);
	if (message->bytes < ICMP6_BYTES_MIN || message->bytes > frame->l3_bytes - IPV6_BYTES)
		return false;
	memcpy(message->src.raw, &ip->src_addr, sizeof(message->src.raw));
	memcpy(message->dst.raw, &ip->dst_addr, sizeof(message->dst.raw));
	message->hop_limit = ip->hop_limits;
	return neigh_icmp6_sum(ip, message->body, message->bytes) == 0xFFFF;
}

uint8_t *
neigh_icmp6_begin(struct neigh *neigh, const struct rte_ether_addr *dst_mac,
	const struct wire_gid *dst, uint8_t hop_limit)
{
	uint8_t *l3 = neigh_frame_begin(neigh, dst_mac, RTE_ETHER_TYPE_IPV6);
	struct rte_ipv6_hdr *ip = (struct rte_ipv6_hdr *)l3;

	ip->vtc_flow = RTE_BE32(UINT32_C(6) << 28);
	ip->proto = IPPROTO_ICMPV6;
	ip->hop_limits = hop_limit;
	memcpy(&ip->src_addr, neigh->config.address.raw, sizeof(ip->src_addr));
	memcpy(&ip->dst_addr, dst->raw, sizeof(ip->dst_addr));
	return l3 + IPV6_BYTES;
}

void
neigh_icmp6_send(struct neigh *neigh, uint16_t bytes)
{
	uint8_t *l3 = neigh->tx + RTE_ETHER_HDR_LEN + (neigh->config.vlan ? RTE_VLAN_HLEN : 0);
	struct rte_ipv6_hdr *ip = (struct rte_ipv6_hdr *)l3;
	uint8_t *body = l3 + IPV6_BYTES;
	rte_be16_t checksum = 0;

	ip->payload_len = rte_cpu_to_be_16(bytes);
	memcpy(body + ICMP6_CHECKSUM_AT, &checksum, sizeof(checksum));
	checksum = (rte_be16_t)~neigh_icmp6_sum(ip, body, bytes);
	memcpy(body + ICMP6_CHECKSUM_AT, &checksum, sizeof(checksum));
	neigh_frame_send(neigh, IPV6_BYTES + bytes);
}
