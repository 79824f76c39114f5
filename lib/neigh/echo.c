/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "neigh/parts.h"

#include <string.h>

#include <netinet/in.h>

#include <rte_icmp.h>
#include <rte_ip.h>

#include "base/be.h"
#include "base/dpdk_compat.h"

/*
 * Answers to ping (RFC 792, RFC 4443 4.2). RDMA does not need ping, but operators expect answers.
 * The answers have a rate limit. Requests by broadcast or multicast get no answer. The reply goes
 * to the source MAC address of the request, without a lookup.
 */

#define IPV4_BYTES      ((uint32_t)sizeof(struct rte_ipv4_hdr))
#define ICMP_BYTES      ((uint32_t)sizeof(struct rte_icmp_hdr))
#define ECHO_TTL        64
/** Bits of the IPv4 field: flag "more fragments" and the fragment offset. */
#define FRAGMENT_BITS   0x3FFF
#define DO_NOT_FRAGMENT 0x4000

static_assert(sizeof(struct rte_icmp_hdr) == 8, "echo header is 8 bytes");

static bool
echo_is_allowed(struct neigh *neigh, const struct neigh_frame *frame, uint64_t now_ns)
{
	if (rte_is_multicast_ether_addr(&frame->dst))
		return false;
	return neigh_allow(&neigh->echo_allowance, NEIGH_ECHO_PER_SECOND, now_ns);
}

static bool
v4_is_intact(const struct neigh_frame *frame, uint32_t total_bytes)
{
	const uint8_t *ip = frame->l3;

	return total_bytes >= IPV4_BYTES + ICMP_BYTES && total_bytes <= frame->l3_bytes &&
		rte_raw_cksum(ip, IPV4_BYTES) == 0xFFFF && !(be_load16(ip + 6) & FRAGMENT_BITS) &&
		ip[IPV4_BYTES + 1] == 0 &&
		rte_raw_cksum(ip + IPV4_BYTES, total_bytes - IPV4_BYTES) == 0xFFFF;
}

static void
v4_answer(struct neigh *neigh, const struct neigh_frame *frame, uint16_t total_bytes)
{
	uint8_t *l3 = neigh_frame_begin(neigh, &frame->src, RTE_ETHER_TYPE_IPV4);
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)l3;
	struct rte_icmp_hdr *icmp = (struct rte_icmp_hdr *)(l3 + IPV4_BYTES);

	memcpy(l3, frame->l3, total_bytes);
	ip->packet_id = 0; /* the ID has no meaning if DF is set (RFC 6864) */
	ip->fragment_offset = RTE_BE16(DO_NOT_FRAGMENT);
	ip->time_to_live = ECHO_TTL;
	ip->dst_addr = ip->src_addr;
	ip->src_addr = rte_cpu_to_be_32(wire_gid_v4(&neigh->config.address));
	ip->hdr_checksum = 0;
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	icmp->icmp_type = DPDK_ICMP_ECHO_REPLY;
	icmp->icmp_cksum = 0;
	icmp->icmp_cksum = (rte_be16_t)~rte_raw_cksum(icmp, total_bytes - IPV4_BYTES);
	neigh_frame_send(neigh, total_bytes);
}

bool
neigh_echo_input_v4(struct neigh *neigh, const struct neigh_frame *frame, uint64_t now_ns)
{
	const uint8_t *ip = frame->l3;
	struct wire_gid src;
	uint16_t total_bytes;

	/* Ignore packets with IPv4 options, as the RoCE parser does. */
	if (frame->l3_bytes <= IPV4_BYTES || ip[0] != 0x45 || ip[9] != IPPROTO_ICMP ||
		ip[IPV4_BYTES] != DPDK_ICMP_ECHO_REQUEST ||
		be_load32(ip + 16) != wire_gid_v4(&neigh->config.address))
		return false;
	src = wire_gid_from_v4(be_load32(ip + 12));
	total_bytes = be_load16(ip + 2);
	if (total_bytes > NEIGH_PACKET_BYTES_MAX) {
		neigh->counters.drop_echo++;
		return true;
	}
	if (!v4_is_intact(frame, total_bytes) || !neigh_address_is_unicast(neigh, &src)) {
		neigh->counters.drop_malformed++;
		return true;
	}
	neigh->counters.rx_echo++;
	if (echo_is_allowed(neigh, frame, now_ns))
		v4_answer(neigh, frame, total_bytes);
	else
		neigh->counters.drop_echo++;
	return true;
}

void
neigh_echo_input_v6(struct neigh *neigh, const struct neigh_icmp6 *message, uint64_t now_ns)
{
	uint8_t *body;

	if (message->bytes < ICMP_BYTES || message->body[1] != 0 ||
		!neigh_address_is_unicast(neigh, &message->src)) {
		neigh->counters.drop_malformed++;
		return;
	}
	neigh->counters.rx_echo++;
	if (!wire_gid_equal(&message->dst, &neigh->config.address) ||
		!echo_is_allowed(neigh, message->frame, now_ns)) {
		neigh->counters.drop_echo++;
		return;
	}
	body = neigh_icmp6_begin(neigh, &message->frame->src, &message->src, ECHO_TTL);
	memcpy(body, message->body, message->bytes);
	body[0] = NEIGH_ICMP6_ECHO_REPLY;
	neigh_icmp6_send(neigh, (uint16_t)message->bytes);
}
