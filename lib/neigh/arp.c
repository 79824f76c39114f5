/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "neigh/parts.h"

#include <string.h>

#include <rte_arp.h>

#include "base/be.h"

/*
 * ARP for IPv4 over Ethernet (RFC 826, RFC 5227). Broadcast and unicast requests for the adapter's
 * address are answered. Linux probes by unicast, and its RDMA traffic stalls without a reply. A
 * request with sender 0.0.0.0 is answered, but creates no entry, because its sender only checks
 * whether the address is free.
 */

static_assert(sizeof(struct rte_arp_hdr) == 28, "ARP for IPv4 over Ethernet has 28 bytes");

static const struct rte_ether_addr broadcast = {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}};
static const struct rte_ether_addr nobody;

struct arp {
	uint16_t opcode;
	uint32_t sender;
	uint32_t target;
	const struct rte_ether_addr *dst; /* destination of the frame */
	const struct rte_ether_addr *target_mac;
};

static void
arp_send(struct neigh *neigh, const struct arp *arp)
{
	struct rte_arp_hdr header = {
		.arp_hardware = RTE_BE16(RTE_ARP_HRD_ETHER),
		.arp_protocol = RTE_BE16(RTE_ETHER_TYPE_IPV4),
		.arp_hlen = RTE_ETHER_ADDR_LEN,
		.arp_plen = sizeof(uint32_t),
		.arp_opcode = rte_cpu_to_be_16(arp->opcode),
		.arp_data =
			{
				.arp_sha = neigh->config.mac,
				.arp_sip = rte_cpu_to_be_32(arp->sender),
				.arp_tha = *arp->target_mac,
				.arp_tip = rte_cpu_to_be_32(arp->target),
			},
	};

	memcpy(neigh_frame_begin(neigh, arp->dst, RTE_ETHER_TYPE_ARP), &header, sizeof(header));
	neigh_frame_send(neigh, sizeof(header));
}

void
neigh_arp_ask(struct neigh *neigh, const struct wire_gid *address, const struct rte_ether_addr *mac)
{
	arp_send(neigh,
		&(struct arp){
			.opcode = RTE_ARP_OP_REQUEST,
			.sender = wire_gid_v4(&neigh->config.address),
			.target = wire_gid_v4(address),
			.dst = mac != NULL ? mac : &broadcast,
			.target_mac = mac != NULL ? mac : &nobody,
		});
}

void
neigh_arp_announce(struct neigh *neigh)
{
	/*
	 * Announce the address with a request, because some hosts ignore announcements by reply
	 * (RFC 5227 3).
	 */
	neigh->counters.tx_requests++;
	neigh_arp_ask(neigh, &neigh->config.address, NULL);
}

/**
 * Probe whether a different host uses the adapter's address (RFC 5227 2.1.1). The sender is
 * 0.0.0.0, so the owner of the address replies, and no host learns a MAC address.
 */
void
neigh_arp_probe(struct neigh *neigh)
{
	neigh->counters.tx_requests++;
	arp_send(neigh,
		&(struct arp){
			.opcode = RTE_ARP_OP_REQUEST,
			.target = wire_gid_v4(&neigh->config.address),
			.dst = &broadcast,
			.target_mac = &nobody,
		});
}

static bool
header_is_valid(const struct rte_arp_hdr *header)
{
	return header->arp_hardware == RTE_BE16(RTE_ARP_HRD_ETHER) &&
		header->arp_protocol == RTE_BE16(RTE_ETHER_TYPE_IPV4) &&
		header->arp_hlen == RTE_ETHER_ADDR_LEN && header->arp_plen == sizeof(uint32_t) &&
		(header->arp_opcode == RTE_BE16(RTE_ARP_OP_REQUEST) ||
			header->arp_opcode == RTE_BE16(RTE_ARP_OP_REPLY)) &&
		rte_is_valid_assigned_ether_addr(&header->arp_data.arp_sha);
}

/** @return trust level of the sender addresses of an ARP packet, for the neighbour table */
static enum neigh_source
source_of(bool request, bool for_us)
{
	if (!for_us)
		return NEIGH_SOURCE_NEWS;
	return request ? NEIGH_SOURCE_ASKER : NEIGH_SOURCE_ANSWER;
}

static void
answer(struct neigh *neigh, uint32_t sender, const struct rte_ether_addr *mac)
{
	neigh->counters.tx_replies++;
	arp_send(neigh,
		&(struct arp){
			.opcode = RTE_ARP_OP_REPLY,
			.sender = wire_gid_v4(&neigh->config.address),
			.target = sender,
			.dst = mac,
			.target_mac = mac,
		});
}

void
neigh_arp_input(struct neigh *neigh, const struct neigh_frame *frame, struct neigh_heard *heard)
{
	uint32_t own = wire_gid_v4(&neigh->config.address), sender, target;
	struct rte_arp_hdr header;
	bool request;

	if (frame->l3_bytes < sizeof(header)) {
		neigh->counters.drop_malformed++;
		return;
	}
	memcpy(&header, frame->l3, sizeof(header));
	if (!header_is_valid(&header)) {
		neigh->counters.drop_malformed++;
		return;
	}
	request = header.arp_opcode == RTE_BE16(RTE_ARP_OP_REQUEST);
	sender = rte_be_to_cpu_32(header.arp_data.arp_sip);
	target = rte_be_to_cpu_32(header.arp_data.arp_tip);
	heard->mac = header.arp_data.arp_sha;
	if (sender == own) {
		heard->source = NEIGH_SOURCE_CONFLICT;
		return;
	}
	/* Ignore the adapter's own probe if the network returns it. */
	if (rte_is_same_ether_addr(&heard->mac, &neigh->config.mac))
		return;
	neigh->counters.rx_requests += request && target == own;
	neigh->counters.rx_replies += !request;
	if (request && target == own)
		answer(neigh, sender, &heard->mac);
	if (sender == 0)
		return;
	heard->source = source_of(request, target == own);
	heard->address = wire_gid_from_v4(sender);
	heard->has_mac = true;
	heard->overrides = true;
}
