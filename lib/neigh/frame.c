/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "neigh/parts.h"

#include <string.h>

#include "base/assert.h"
#include "base/be.h"
#include "wire/header.h"

/*
 * Parsing and sending of Ethernet frames. The parser decides which frames belong to the adapter's
 * VLAN. VLAN ID 0 is a priority tag and means the same as no tag. The priority bits of a received
 * tag do not matter. A frame with two tags is never accepted, even if the port has stripped one of
 * them. Sent frames carry the tag of the adapter, if it has one.
 */

static uint16_t
vlan_id(bool tagged, uint16_t tci)
{
	return tagged ? tci & WIRE_VLAN_ID_MASK : 0;
}

bool
neigh_frame_parse(struct neigh *neigh, const struct rte_mbuf *mbuf, struct neigh_frame *frame)
{
	bool tagged = mbuf->ol_flags & RTE_MBUF_F_RX_VLAN_STRIPPED;
	bool stacked = mbuf->ol_flags & RTE_MBUF_F_RX_QINQ_STRIPPED;
	uint16_t tci = tagged ? mbuf->vlan_tci : 0;
	uint32_t bytes = RTE_MIN(mbuf->pkt_len, (uint32_t)NEIGH_FRAME_BYTES_MAX);
	uint32_t offset = RTE_ETHER_HDR_LEN;
	const uint8_t *head = rte_pktmbuf_read(mbuf, 0, bytes, neigh->rx);

	if (head == NULL || bytes < offset || stacked)
		return false;
	memcpy(frame->dst.addr_bytes, head, RTE_ETHER_ADDR_LEN);
	memcpy(frame->src.addr_bytes, head + RTE_ETHER_ADDR_LEN, RTE_ETHER_ADDR_LEN);
	frame->ether_type = be_load16(head + offset - 2);
	if (frame->ether_type == RTE_ETHER_TYPE_VLAN && !tagged) {
		if (bytes < offset + RTE_VLAN_HLEN)
			return false;
		tagged = true;
		tci = be_load16(head + offset);
		offset += RTE_VLAN_HLEN;
		frame->ether_type = be_load16(head + offset - 2);
	}
	frame->l3 = head + offset;
	frame->l3_bytes = RTE_MIN(bytes - offset, NEIGH_PACKET_BYTES_MAX);
	/*
	 * Check the destination MAC address, because a port in promiscuous mode also receives
	 * frames of other hosts.
	 */
	return vlan_id(tagged, tci) == vlan_id(neigh->config.vlan, neigh->config.vlan_tci) &&
		(rte_is_multicast_ether_addr(&frame->dst) ||
			rte_is_same_ether_addr(&frame->dst, &neigh->config.mac)) &&
		rte_is_valid_assigned_ether_addr(&frame->src);
}

static uint32_t
header_bytes(const struct neigh *neigh)
{
	return RTE_ETHER_HDR_LEN + (neigh->config.vlan ? RTE_VLAN_HLEN : 0);
}

uint8_t *
neigh_frame_begin(struct neigh *neigh, const struct rte_ether_addr *dst, uint16_t ether_type)
{
	uint8_t *at = neigh->tx;

	memset(neigh->tx, 0, sizeof(neigh->tx));
	memcpy(at, dst->addr_bytes, RTE_ETHER_ADDR_LEN);
	memcpy(at + RTE_ETHER_ADDR_LEN, neigh->config.mac.addr_bytes, RTE_ETHER_ADDR_LEN);
	at += 2 * RTE_ETHER_ADDR_LEN;
	if (neigh->config.vlan) {
		be_store16(at, RTE_ETHER_TYPE_VLAN);
		be_store16(at + 2, neigh->config.vlan_tci);
		at += RTE_VLAN_HLEN;
	}
	be_store16(at, ether_type);
	return at + 2;
}

void
neigh_frame_send(struct neigh *neigh, uint32_t l3_bytes)
{
	uint32_t bytes = header_bytes(neigh) + l3_bytes;

	BASE_ASSERT(l3_bytes <= NEIGH_PACKET_BYTES_MAX);
	neigh->config.send(neigh->config.arg, neigh->tx,
		(uint16_t)RTE_MAX(bytes, (uint32_t)NEIGH_FRAME_BYTES_MIN));
}
