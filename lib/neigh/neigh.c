/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Connects the table and the protocols of the neighbour module. It finds the next hop to a peer,
 * and sends the requests that the table needs. It passes a received frame to its protocol, and the
 * received addresses to the table. table.c decides about states, timers and trust.
 *
 * An IPv4 adapter handles ARP and ICMP, an IPv6 adapter handles ICMPv6. Frames of the wrong address
 * family are left to other stacks.
 */

#include "neigh/neigh.h"

#include <string.h>

#include <rte_malloc.h>

#include "base/assert.h"
#include "neigh/parts.h"

/** @return next hop to a peer: the peer itself or the gateway; NULL if there is no route */
static const struct wire_gid *
hop_of(const struct neigh *neigh, const struct wire_gid *peer)
{
	if (!neigh_address_is_unicast(neigh, peer))
		return NULL;
	if (neigh_address_in_prefix(neigh, peer) || wire_gid_is_link_local(peer))
		return peer;
	return neigh->config.has_gateway ? &neigh->config.gateway : NULL;
}

static bool
config_is_valid(const struct neigh *neigh)
{
	const struct neigh_config *config = &neigh->config;

	return config->send != NULL && config->entries_max >= 1 &&
		config->prefix_length <= (neigh_is_v4(neigh) ? 32 : 128) &&
		rte_is_valid_assigned_ether_addr(&config->mac) &&
		neigh_address_is_unicast(neigh, &config->address) &&
		(!config->has_gateway ||
			(neigh_address_is_unicast(neigh, &config->gateway) &&
				!wire_gid_equal(&config->gateway, &config->address)));
}

enum rc_status
neigh_create(const struct neigh_config *config, struct neigh **neigh_out)
{
	size_t bytes = sizeof(struct neigh) + config->entries_max * sizeof(struct neigh_entry);
	struct neigh *neigh;

	neigh = rte_zmalloc_socket("neigh", bytes, RTE_CACHE_LINE_SIZE, config->socket_id);
	if (neigh == NULL)
		return RC_NO_RESOURCES;
	neigh->config = *config;
	if (!config_is_valid(neigh)) {
		neigh_destroy(neigh);
		return RC_INVALID_ARGUMENT;
	}
	neigh->sorted = rte_zmalloc_socket(
		"neigh", config->entries_max * sizeof(struct neigh_entry *), 0, config->socket_id);
	if (neigh->sorted == NULL) {
		neigh_destroy(neigh);
		return RC_NO_RESOURCES;
	}
	neigh_table_init(neigh);
	neigh->mld.due_ns = BASE_TIME_NEVER;
	*neigh_out = neigh;
	return RC_OK;
}

void
neigh_destroy(struct neigh *neigh)
{
	if (neigh == NULL)
		return;
	rte_free(neigh->sorted);
	rte_free(neigh);
}

enum rc_status
neigh_add_static(
	struct neigh *neigh, const struct wire_gid *address, const struct rte_ether_addr *mac)
{
	struct neigh_entry *entry;

	if (!neigh_address_is_unicast(neigh, address) ||
		wire_gid_equal(address, &neigh->config.address) ||
		!rte_is_valid_assigned_ether_addr(mac))
		return RC_INVALID_ARGUMENT;
	entry = neigh_table_find(neigh, address);
	if (entry == NULL) {
		/* With time 0, only an entry that was never looked up can be removed. */
		neigh_table_recycle(neigh, 0);
		entry = neigh_table_add(neigh, address);
	}
	if (entry == NULL)
		return RC_NO_RESOURCES;
	base_list_remove(&entry->node);
	entry->state = NEIGH_STATE_STATIC;
	entry->mac = *mac;
	if (entry == &neigh->entries[neigh->static_count])
		neigh->static_count++;
	return RC_OK;
}

uint32_t
neigh_route_rank(const struct neigh *neigh, const struct wire_gid *peer)
{
	if (wire_gid_equal(peer, &neigh->config.address))
		return NEIGH_RANK_OWN;
	for (uint32_t i = 0; i < neigh->static_count; i++)
		if (wire_gid_equal(peer, &neigh->entries[i].address))
			return NEIGH_RANK_STATIC;
	if (!neigh_address_is_unicast(neigh, peer))
		return 0;
	if (neigh_address_in_prefix(neigh, peer))
		return 2 + neigh->config.prefix_length;
	/*
	 * A link-local address belongs to the network of every adapter, so it gets the lowest rank
	 * of an address in the network.
	 */
	if (wire_gid_is_link_local(peer))
		return 2;
	return neigh->config.has_gateway ? 1 : 0;
}

/** Send a request that the table needs, either to the known MAC address or to all hosts. */
static void
ask(struct neigh *neigh, struct neigh_entry *entry, uint64_t now_ns)
{
	const struct rte_ether_addr *mac = neigh_entry_asked(entry, now_ns);

	neigh->counters.tx_requests++;
	if (neigh_is_v4(neigh))
		neigh_arp_ask(neigh, &entry->address, mac);
	else
		neigh_ndisc_ask(neigh, &entry->address, mac);
}

/** Create an entry for an address, and send the first request. */
static enum neigh_result
lookup_begin(struct neigh *neigh, const struct wire_gid *hop, uint64_t now_ns)
{
	struct neigh_entry *entry;

	neigh_table_recycle(neigh, now_ns);
	entry = neigh_table_add(neigh, hop);
	if (entry == NULL) {
		neigh->counters.drop_full++;
		return NEIGH_UNREACHABLE;
	}
	entry->used = true;
	entry->used_ns = now_ns;
	neigh_entry_question(neigh, entry, NEIGH_STATE_INCOMPLETE, now_ns);
	ask(neigh, entry, now_ns);
	return NEIGH_PENDING;
}

static enum neigh_result
lookup_entry(
	struct neigh *neigh, struct neigh_entry *entry, struct rte_ether_addr *mac, uint64_t now_ns)
{
	entry->used = true;
	entry->used_ns = now_ns;
	switch (entry->state) {
	case NEIGH_STATE_INCOMPLETE:
		return NEIGH_PENDING;
	case NEIGH_STATE_FAILED:
		return NEIGH_UNREACHABLE;
	case NEIGH_STATE_REACHABLE:
		base_list_remove(&entry->node);
		base_list_append(&neigh->used, &entry->node);
		if (now_ns - entry->confirmed_ns >= NEIGH_REFRESH_NS) {
			neigh_entry_question(neigh, entry, NEIGH_STATE_PROBE, now_ns);
			ask(neigh, entry, now_ns);
		}
		break;
	case NEIGH_STATE_PROBE:
	case NEIGH_STATE_STATIC:
		break;
	}
	*mac = entry->mac;
	return NEIGH_FOUND;
}

/** @return the entry for packets to a peer, or NULL. *hop: next hop; NULL if there is no route */
static struct neigh_entry *
entry_of(const struct neigh *neigh, const struct wire_gid *peer, const struct wire_gid **hop)
{
	/*
	 * If a peer outside the adapter's network has a static entry, this entry takes precedence
	 * over the gateway.
	 */
	struct neigh_entry *entry = neigh_table_find(neigh, peer);

	*hop = hop_of(neigh, peer);
	if (entry == NULL && *hop != NULL)
		entry = neigh_table_find(neigh, *hop);
	return entry;
}

enum neigh_result
neigh_lookup(struct neigh *neigh, const struct wire_gid *peer, struct rte_ether_addr *mac,
	uint64_t now_ns)
{
	const struct wire_gid *hop;
	struct neigh_entry *entry;

	if (wire_gid_equal(peer, &neigh->config.address)) {
		*mac = neigh->config.mac;
		return NEIGH_FOUND;
	}
	entry = entry_of(neigh, peer, &hop);
	if (entry != NULL)
		return lookup_entry(neigh, entry, mac, now_ns);
	return hop != NULL ? lookup_begin(neigh, hop, now_ns) : NEIGH_NO_ROUTE;
}

const struct wire_gid *
neigh_next_hop(const struct neigh *neigh, const struct wire_gid *peer)
{
	const struct wire_gid *hop;
	const struct neigh_entry *entry = entry_of(neigh, peer, &hop);

	return entry != NULL ? &entry->address : hop;
}

void
neigh_confirm(struct neigh *neigh, const struct wire_gid *peer, const struct rte_ether_addr *mac,
	uint64_t now_ns)
{
	struct neigh_entry *entry = neigh_table_find(neigh, peer);

	if (entry == NULL)
		return;
	entry->used_ns = now_ns;
	neigh_entry_confirm(neigh, entry, mac, now_ns);
}

static void
entry_doubt(struct neigh *neigh, struct neigh_entry *entry, uint64_t now_ns)
{
	bool rested = now_ns - entry->asked_ns >= NEIGH_DOUBT_NS;

	entry->used = true;
	entry->used_ns = now_ns;
	if (entry->state == NEIGH_STATE_REACHABLE && rested) {
		neigh_entry_question(neigh, entry, NEIGH_STATE_PROBE, now_ns);
		ask(neigh, entry, now_ns);
	} else if (entry->state == NEIGH_STATE_PROBE && neigh_entry_press(entry, now_ns)) {
		ask(neigh, entry, now_ns);
	}
}

void
neigh_doubt(struct neigh *neigh, const struct wire_gid *peer, uint64_t now_ns)
{
	const struct wire_gid *hop;
	struct neigh_entry *entry;

	if (wire_gid_equal(peer, &neigh->config.address))
		return;
	entry = entry_of(neigh, peer, &hop);
	if (entry != NULL)
		entry_doubt(neigh, entry, now_ns);
	else if (hop != NULL)
		(void)lookup_begin(neigh, hop, now_ns);
}

void
neigh_start(struct neigh *neigh, uint64_t now_ns)
{
	if (neigh_is_v4(neigh)) {
		neigh_arp_probe(neigh);
	} else {
		neigh_mld_start(neigh, now_ns);
		neigh_ndisc_probe(neigh);
	}
	neigh_announce(neigh);
}

void
neigh_announce(struct neigh *neigh)
{
	if (neigh_is_v4(neigh))
		neigh_arp_announce(neigh);
	else
		neigh_ndisc_announce(neigh);
}

/** Process an ICMPv6 message. */
static enum neigh_verdict
icmp6_input(struct neigh *neigh, const struct neigh_frame *frame, struct neigh_heard *heard,
	uint64_t now_ns)
{
	uint8_t type = neigh_icmp6_type(frame);
	struct neigh_icmp6 message;

	if (type != NEIGH_ICMP6_SOLICIT && type != NEIGH_ICMP6_ADVERTISE &&
		type != NEIGH_ICMP6_ECHO_REQUEST)
		return neigh_mld_input(neigh, frame, now_ns) ? NEIGH_SHARED : NEIGH_FOREIGN;
	if (type == NEIGH_ICMP6_ECHO_REQUEST && neigh_icmp6_is_long(frame)) {
		neigh->counters.drop_echo++;
	} else if (!neigh_icmp6_parse(frame, &message)) {
		neigh->counters.drop_malformed++;
	} else if (type == NEIGH_ICMP6_ECHO_REQUEST) {
		neigh_echo_input_v6(neigh, &message, now_ns);
		if (wire_gid_equal(&message.dst, &neigh->config.address))
			return NEIGH_TAKEN;
	} else {
		neigh_ndisc_input(neigh, &message, heard);
	}
	return NEIGH_SHARED;
}

static enum neigh_verdict
frame_input(struct neigh *neigh, const struct neigh_frame *frame, struct neigh_heard *heard,
	uint64_t now_ns)
{
	switch (frame->ether_type) {
	case RTE_ETHER_TYPE_ARP:
		if (!neigh_is_v4(neigh))
			return NEIGH_FOREIGN;
		neigh_arp_input(neigh, frame, heard);
		return NEIGH_SHARED;
	case RTE_ETHER_TYPE_IPV4:
		if (!neigh_is_v4(neigh) || !neigh_echo_input_v4(neigh, frame, now_ns))
			return NEIGH_FOREIGN;
		return NEIGH_TAKEN;
	case RTE_ETHER_TYPE_IPV6:
		return neigh_is_v4(neigh) ? NEIGH_FOREIGN
					  : icmp6_input(neigh, frame, heard, now_ns);
	default:
		return NEIGH_FOREIGN;
	}
}

static void
conflict(struct neigh *neigh, const struct rte_ether_addr *mac)
{
	if (rte_is_same_ether_addr(mac, &neigh->config.mac))
		return;
	if (neigh->counters.conflicts++ == 0 && neigh->config.conflict != NULL)
		neigh->config.conflict(neigh->config.arg, mac);
}

enum neigh_verdict
neigh_input(struct neigh *neigh, const struct rte_mbuf *mbuf, uint64_t now_ns)
{
	struct neigh_heard heard = {.source = NEIGH_SOURCE_NONE};
	enum neigh_verdict verdict;
	struct neigh_frame frame;
	struct neigh_due due;

	if (!neigh_frame_parse(neigh, mbuf, &frame))
		return NEIGH_FOREIGN;
	verdict = frame_input(neigh, &frame, &heard, now_ns);
	if (heard.source == NEIGH_SOURCE_CONFLICT) {
		conflict(neigh, &heard.mac);
	} else if (heard.source != NEIGH_SOURCE_NONE) {
		due = neigh_table_hear(neigh, &heard, now_ns);
		if (due.ask != NULL)
			ask(neigh, due.ask, now_ns);
		if (due.tell != NULL && neigh->config.moved != NULL)
			neigh->config.moved(neigh->config.arg, &due.tell->address, &due.tell->mac);
	}
	return verdict;
}

void
neigh_tick(struct neigh *neigh, uint64_t now_ns)
{
	neigh_mld_tick(neigh, now_ns);
	for (uint32_t i = 0; i < NEIGH_TICK_MAX && neigh_table_deadline(neigh) <= now_ns; i++) {
		struct neigh_entry *due = neigh_table_expire(neigh, now_ns);

		if (due != NULL)
			ask(neigh, due, now_ns);
	}
}

uint64_t
neigh_deadline(const struct neigh *neigh)
{
	return RTE_MIN(neigh_table_deadline(neigh), neigh->mld.due_ns);
}

const struct neigh_counters *
neigh_counters(const struct neigh *neigh)
{
	return &neigh->counters;
}
