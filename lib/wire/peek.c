/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/peek.h"

#include <assert.h>
#include <stddef.h>

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "base/be.h"
#include "base/limits.h"
#include "wire/header.h"

/*
 * Slow path of wire_peek_home_qpn(). It finds the BTH as the parser does, but without checks. Each
 * function returns the offset of the next header, or 0 if there is no next header. (Only the first
 * header is at offset 0.)
 *
 * IPv4 options are skipped, although the parser drops such frames, so that the engine of the queue
 * pair counts the frame.
 */

#define TAG_STRIPPED (RTE_MBUF_F_RX_VLAN_STRIPPED | RTE_MBUF_F_RX_QINQ_STRIPPED)

/** Maximum length of an IPv4 header: 15 words. */
#define IPV4_BYTES_MAX 60

/** Maximum number of bytes of a frame that are read to find the destination QP. */
#define HEAD_BYTES                                                                                 \
	(sizeof(struct rte_ether_hdr) + sizeof(struct rte_vlan_hdr) + IPV4_BYTES_MAX +             \
		sizeof(struct rte_udp_hdr) + sizeof(struct wire_bth))

static_assert(HEAD_BYTES <= LIMIT_HEADER_BYTES, "no more than the parser makes contiguous");

struct head {
	const uint8_t *at;
	uint32_t bytes;
};

static uint32_t
l3_offset(const struct head *head, uint64_t ol_flags, bool *v6)
{
	uint32_t offset = sizeof(struct rte_ether_hdr);
	uint16_t type;

	if (head->bytes < offset || ol_flags & RTE_MBUF_F_RX_QINQ_STRIPPED)
		return 0;
	type = be_load16(head->at + offset - sizeof(type));
	if (type == RTE_ETHER_TYPE_VLAN && !(ol_flags & TAG_STRIPPED)) {
		offset += sizeof(struct rte_vlan_hdr);
		if (head->bytes < offset)
			return 0;
		type = be_load16(head->at + offset - sizeof(type));
	}
	*v6 = type == RTE_ETHER_TYPE_IPV6;
	return *v6 || type == RTE_ETHER_TYPE_IPV4 ? offset : 0;
}

static uint32_t
l4_offset_v4(const struct head *head, uint32_t offset)
{
	const uint8_t *ip = head->at + offset;
	uint32_t ip_bytes;

	if (head->bytes < offset + sizeof(struct rte_ipv4_hdr))
		return 0;
	ip_bytes = (ip[0] & 0x0Fu) * RTE_IPV4_IHL_MULTIPLIER;
	/* The packet is a fragment if "more fragments" is set or the offset is not 0. */
	if (ip[0] >> 4 != 4 || ip_bytes < sizeof(struct rte_ipv4_hdr) || ip[9] != IPPROTO_UDP ||
		be_load16(ip + 6) & 0x3FFF)
		return 0;
	return offset + ip_bytes;
}

static uint32_t
l4_offset_v6(const struct head *head, uint32_t offset)
{
	const uint8_t *ip = head->at + offset;

	if (head->bytes < offset + sizeof(struct rte_ipv6_hdr) || ip[0] >> 4 != 6 ||
		ip[6] != IPPROTO_UDP)
		return 0;
	return offset + sizeof(struct rte_ipv6_hdr);
}

bool
wire_peek_ladder(const struct rte_mbuf *mbuf, uint32_t *qpn)
{
	uint8_t scratch[HEAD_BYTES];
	struct head head = {.bytes = RTE_MIN(rte_pktmbuf_pkt_len(mbuf), (uint32_t)HEAD_BYTES)};
	uint32_t offset;
	bool v6 = false;

	head.at = rte_pktmbuf_read(mbuf, 0, head.bytes, scratch);
	offset = l3_offset(&head, mbuf->ol_flags, &v6);
	if (offset != 0)
		offset = v6 ? l4_offset_v6(&head, offset) : l4_offset_v4(&head, offset);
	if (offset == 0 ||
		head.bytes < offset + sizeof(struct rte_udp_hdr) + sizeof(struct wire_bth) ||
		be_load16(head.at + offset + offsetof(struct rte_udp_hdr, dst_port)) !=
			WIRE_UDP_PORT)
		return false;
	offset += sizeof(struct rte_udp_hdr);
	*qpn = be_load24(head.at + offset + offsetof(struct wire_bth, dest_qp));
	return true;
}
