/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "neigh/parts.h"

/* Address checks: addresses of the adapter's network, unicast addresses, multicast groups. */

bool
neigh_is_v4(const struct neigh *neigh)
{
	return wire_gid_is_v4(&neigh->config.address);
}

/** @return length of the adapter's network prefix, counted in the 128 bits of a GID */
static uint32_t
prefix_bits(const struct neigh_config *config)
{
	return config->prefix_length +
		(wire_gid_is_v4(&config->address) ? 8 * (uint32_t)sizeof(wire_gid_v4_prefix) : 0);
}

bool
neigh_address_in_prefix(const struct neigh *neigh, const struct wire_gid *address)
{
	const uint8_t *own = neigh->config.address.raw;
	uint32_t bits = prefix_bits(&neigh->config), bytes = bits / 8;
	uint8_t mask = (uint8_t)(0xFF00 >> bits % 8);

	return memcmp(own, address->raw, bytes) == 0 &&
		(mask == 0 || ((own[bytes] ^ address->raw[bytes]) & mask) == 0);
}

/*
 * @return true for the network address and the broadcast address of the adapter's network. Networks
 * of one or two addresses (RFC 3021) have no such addresses.
 */
static bool
v4_is_reserved(const struct neigh_config *config, uint32_t address)
{
	uint32_t host = config->prefix_length == 0
		? UINT32_MAX
		: (uint32_t)((UINT64_C(1) << (32 - config->prefix_length)) - 1);
	bool near = ((address ^ wire_gid_v4(&config->address)) & ~host) == 0;

	return near && host > 1 && ((address & host) == 0 || (address & host) == host);
}

bool
neigh_address_is_unicast(const struct neigh *neigh, const struct wire_gid *address)
{
	if (wire_gid_is_v4(address) != neigh_is_v4(neigh) || !wire_gid_is_unicast(address))
		return false;
	return !neigh_is_v4(neigh) || !v4_is_reserved(&neigh->config, wire_gid_v4(address));
}

struct wire_gid
neigh_solicited_group(const struct wire_gid *address)
{
	struct wire_gid group = {{0xFF, 0x02, [11] = 1, [12] = 0xFF}};

	memcpy(group.raw + 13, address->raw + 13, 3);
	return group;
}

struct rte_ether_addr
neigh_multicast_mac(const struct wire_gid *group)
{
	struct rte_ether_addr mac = {{0x33, 0x33}};

	memcpy(mac.addr_bytes + 2, group->raw + 12, 4);
	return mac;
}
