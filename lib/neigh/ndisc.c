/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "neigh/parts.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include <rte_byteorder.h>

/*
 * Neighbour solicitation and advertisement (RFC 4861 4.3, 4.4, 7). All messages have hop limit 255.
 * A received message with hop limit 255 was not forwarded by a router; any other hop limit is
 * refused. A solicitation with source "::" (duplicate address detection) is answered to all nodes.
 * An address is learned only from the link-layer address option. The Ethernet header can only
 * confirm a known address.
 */

#define HOP_LIMIT         255
#define OPTION_SOURCE_MAC 1
#define OPTION_TARGET_MAC 2
/** Unit of the length of options, in bytes. */
#define OPTION_UNIT_BYTES 8
#define MESSAGE_BYTES_MIN 24

#define FLAG_SOLICITED (UINT32_C(1) << 30)
#define FLAG_OVERRIDE  (UINT32_C(1) << 29)

/** Solicitation or advertisement, with the only option that this module sends. */
struct __rte_packed ndisc {
	uint8_t type;
	uint8_t code;
	rte_be16_t checksum;
	rte_be32_t flags; /* reserved in a solicitation */
	uint8_t target[16];
	uint8_t option;
	uint8_t option_units;
	uint8_t option_mac[RTE_ETHER_ADDR_LEN];
};
static_assert(sizeof(struct ndisc) == 32, "24 bytes and one option of 8");
static_assert(offsetof(struct ndisc, flags) == 4, "flags at byte 4");
static_assert(offsetof(struct ndisc, target) == 8, "target at byte 8");
static_assert(offsetof(struct ndisc, option) == MESSAGE_BYTES_MIN, "options at byte 24");

static const struct wire_gid all_nodes = {{0xFF, 0x02, [15] = 1}};
static const struct wire_gid unspecified;

struct destination {
	struct rte_ether_addr mac;
	struct wire_gid address;
};

static void
ndisc_send(struct neigh *neigh, const struct destination *dst, uint8_t type, uint32_t flags,
	const struct wire_gid *target)
{
	struct ndisc message = {
		.type = type,
		.flags = rte_cpu_to_be_32(flags),
		.option = type == NEIGH_ICMP6_SOLICIT ? OPTION_SOURCE_MAC : OPTION_TARGET_MAC,
		.option_units = 1,
	};

	memcpy(message.target, target->raw, sizeof(message.target));
	memcpy(message.option_mac, neigh->config.mac.addr_bytes, sizeof(message.option_mac));
	memcpy(neigh_icmp6_begin(neigh, &dst->mac, &dst->address, HOP_LIMIT), &message,
		sizeof(message));
	neigh_icmp6_send(neigh, sizeof(message));
}

void
neigh_ndisc_ask(
	struct neigh *neigh, const struct wire_gid *address, const struct rte_ether_addr *mac)
{
	struct destination dst;

	if (mac != NULL) {
		dst = (struct destination){*mac, *address};
	} else {
		dst.address = neigh_solicited_group(address);
		dst.mac = neigh_multicast_mac(&dst.address);
	}
	ndisc_send(neigh, &dst, NEIGH_ICMP6_SOLICIT, 0, address);
}

void
neigh_ndisc_announce(struct neigh *neigh)
{
	struct destination dst = {neigh_multicast_mac(&all_nodes), all_nodes};

	neigh->counters.tx_replies++;
	ndisc_send(neigh, &dst, NEIGH_ICMP6_ADVERTISE, FLAG_OVERRIDE, &neigh->config.address);
}

/** Send a probe for duplicate address detection (RFC 4862 5.4.2): source "::", without option. */
void
neigh_ndisc_probe(struct neigh *neigh)
{
	struct wire_gid group = neigh_solicited_group(&neigh->config.address);
	struct rte_ether_addr mac = neigh_multicast_mac(&group);
	uint8_t *body = neigh_icmp6_begin(neigh, &mac, &group, HOP_LIMIT);
	struct ndisc message = {.type = NEIGH_ICMP6_SOLICIT};

	memcpy(message.target, neigh->config.address.raw, sizeof(message.target));
	memcpy(body, &message, MESSAGE_BYTES_MIN);
	memset(&((struct rte_ipv6_hdr *)(body - sizeof(struct rte_ipv6_hdr)))->src_addr, 0, 16);
	neigh->counters.tx_requests++;
	neigh_icmp6_send(neigh, MESSAGE_BYTES_MIN);
}

/* Contents of a received solicitation or advertisement. */
struct said {
	struct wire_gid target;
	uint32_t flags;
	bool has_mac;
	struct rte_ether_addr mac;
};

/**
 * Find the link-layer address of type `wanted` among the options. @return false if an option is
 * malformed
 */
static bool
options_parse(const struct neigh_icmp6 *message, uint8_t wanted, struct said *said)
{
	const uint8_t *option = message->body + MESSAGE_BYTES_MIN;
	uint32_t left = message->bytes - MESSAGE_BYTES_MIN;

	while (left > 0) {
		uint32_t bytes = left < 2 ? 0 : option[1] * (uint32_t)OPTION_UNIT_BYTES;

		/* An option with length 0 makes the message invalid (RFC 4861 4.6). */
		if (bytes == 0 || bytes > left)
			return false;
		if (option[0] == wanted && bytes == OPTION_UNIT_BYTES) {
			said->has_mac = true;
			memcpy(said->mac.addr_bytes, option + 2, sizeof(said->mac.addr_bytes));
		}
		option += bytes;
		left -= bytes;
	}
	return !said->has_mac || rte_is_valid_assigned_ether_addr(&said->mac);
}

/**
 * Check the rules that solicitations (RFC 4861 7.1.1) and advertisements (7.1.2) have in common.
 */
static bool
message_parse(const struct neigh_icmp6 *message, struct said *said)
{
	struct ndisc header;
	uint8_t wanted;

	if (message->hop_limit != HOP_LIMIT || message->bytes < MESSAGE_BYTES_MIN)
		return false;
	memcpy(&header, message->body, MESSAGE_BYTES_MIN);
	if (header.code != 0 || header.target[0] == 0xFF)
		return false;
	memcpy(said->target.raw, header.target, sizeof(said->target.raw));
	said->flags = rte_be_to_cpu_32(header.flags);
	wanted = header.type == NEIGH_ICMP6_SOLICIT ? OPTION_SOURCE_MAC : OPTION_TARGET_MAC;
	return options_parse(message, wanted, said);
}

static void
solicitation_answer(struct neigh *neigh, const struct neigh_icmp6 *message, const struct said *said)
{
	bool anonymous = wire_gid_equal(&message->src, &unspecified);
	uint32_t flags = FLAG_OVERRIDE;
	struct destination dst;

	if (anonymous) {
		dst = (struct destination){neigh_multicast_mac(&all_nodes), all_nodes};
	} else {
		dst = (struct destination){
			said->has_mac ? said->mac : message->frame->src, message->src};
		flags |= FLAG_SOLICITED;
	}
	neigh->counters.tx_replies++;
	ndisc_send(neigh, &dst, NEIGH_ICMP6_ADVERTISE, flags, &neigh->config.address);
}

/** @return true if a message claims that a neighbour has the adapter's own MAC address */
static bool
names_own_mac(const struct neigh *neigh, const struct said *said)
{
	return said->has_mac && rte_is_same_ether_addr(&said->mac, &neigh->config.mac);
}

static void
solicitation_input(struct neigh *neigh, const struct neigh_icmp6 *message, const struct said *said,
	struct neigh_heard *heard)
{
	struct wire_gid group = neigh_solicited_group(&neigh->config.address);
	bool anonymous = wire_gid_equal(&message->src, &unspecified);
	bool for_us = wire_gid_equal(&said->target, &neigh->config.address);

	/*
	 * In duplicate address detection, the message is multicast and contains no MAC address (RFC
	 * 4861 7.1.1).
	 */
	if ((anonymous && (said->has_mac || message->dst.raw[0] != 0xFF)) ||
		message->src.raw[0] == 0xFF) {
		neigh->counters.drop_malformed++;
		return;
	}
	if (wire_gid_equal(&message->src, &neigh->config.address)) {
		heard->source = NEIGH_SOURCE_CONFLICT;
		heard->mac = message->frame->src;
		return;
	}
	/* Ignore the adapter's own probe if the network returns it. */
	if (rte_is_same_ether_addr(&message->frame->src, &neigh->config.mac))
		return;
	if (names_own_mac(neigh, said)) {
		neigh->counters.drop_malformed++;
		return;
	}
	for_us = for_us &&
		(wire_gid_equal(&message->dst, &neigh->config.address) ||
			wire_gid_equal(&message->dst, &group));
	if (for_us) {
		neigh->counters.rx_requests++;
		solicitation_answer(neigh, message, said);
	}
	if (!said->has_mac)
		return;
	heard->source = for_us ? NEIGH_SOURCE_ASKER : NEIGH_SOURCE_NEWS;
	heard->address = message->src;
	heard->has_mac = true;
	heard->overrides = true;
	heard->mac = said->mac;
}

static void
advertisement_input(struct neigh *neigh, const struct neigh_icmp6 *message, const struct said *said,
	struct neigh_heard *heard)
{
	bool solicited = said->flags & FLAG_SOLICITED;

	if (solicited && message->dst.raw[0] == 0xFF) {
		neigh->counters.drop_malformed++;
		return;
	}
	if (wire_gid_equal(&said->target, &neigh->config.address)) {
		heard->source = NEIGH_SOURCE_CONFLICT;
		heard->mac = message->frame->src;
		return;
	}
	if (names_own_mac(neigh, said)) {
		neigh->counters.drop_malformed++;
		return;
	}
	neigh->counters.rx_replies++;
	heard->source = solicited ? NEIGH_SOURCE_ANSWER : NEIGH_SOURCE_NEWS;
	heard->address = said->target;
	heard->has_mac = said->has_mac;
	heard->overrides = said->flags & FLAG_OVERRIDE;
	heard->mac = said->has_mac ? said->mac : message->frame->src;
}

void
neigh_ndisc_input(struct neigh *neigh, const struct neigh_icmp6 *message, struct neigh_heard *heard)
{
	struct said said = {0};

	if (!message_parse(message, &said))
		neigh->counters.drop_malformed++;
	else if (message->body[0] == NEIGH_ICMP6_SOLICIT)
		solicitation_input(neigh, message, &said, heard);
	else
		advertisement_input(neigh, message, &said, heard);
}
