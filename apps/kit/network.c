/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/network.h"

#include "kit/value.h"

#define DAY_MS 86400000u

/* Default of --keepalive in ms. A vanished peer is detected even if the option is not given. */
#define KEEPALIVE_MS 10000u

static bool
take_address(void *options, const char *value)
{
	struct network *network = options;

	return value_network(value, &network->address, &network->prefix_length);
}

static bool
take_neighbour(void *options, const char *value)
{
	struct network *network = options;

	return network->neighbour_count < NETWORK_NEIGHBOURS_MAX &&
		value_neighbour(value, &network->neighbours[network->neighbour_count++]);
}

static bool
take_keepalive(void *options, const char *value)
{
	struct network *network = options;
	uint64_t milliseconds;

	if (!value_number(value, DAY_MS, &milliseconds))
		return false;
	network->keepalive_ms = (uint32_t)milliseconds;
	network->keepalive_given = true;
	return true;
}

#define AT(member) OPTION_AT(struct network, member)

const struct option_row network_rows[NETWORK_ROW_COUNT] = {
	{"address", OPTION_CALL, .value = "IP[/LEN]",
		.help = "own address and prefix length of its network [24, IPv6 64]",
		.expected = "an IPv4 or IPv6 address, optionally with /1 to /32 or /128",
		.take = take_address},
	{"gateway", OPTION_ADDRESS, AT(gateway), 0, 0, "IP",
		"gateway to peers outside the adapter's network"},
	{"neighbour", OPTION_CALL, .value = "IP,MAC",
		.help = "MAC address of a peer, used without ARP or NDP",
		.expected = "an IP and a MAC address separated by a comma, at most 64 times",
		.take = take_neighbour},
	{"vlan", OPTION_NUMBER, AT(vlan_id), 1, 4094, "ID", "VLAN of all packets"},
	{"path-mtu", OPTION_POWER, AT(path_mtu), 256, 4096, "BYTES",
		"payload of a packet [largest that the port's MTU allows]"},
	{"keepalive", OPTION_CALL, .value = "MS",
		.help = "send a keepalive to a peer that was silent for this time;\n"
			"if no reply arrives, end the connection; 0 = never [10000]",
		.expected = "0 to 86400000", .take = take_keepalive},
};

void
network_configure(const struct network *network, struct nd_adapter_config *config)
{
	config->address = network->address;
	config->prefix_length = network->prefix_length;
	config->gateway = network->gateway;
	config->neighbours = network->neighbours;
	config->neighbour_count = network->neighbour_count;
	config->vlan_id = network->vlan_id;
	config->path_mtu = network->path_mtu;
	if (network->keepalive_given)
		config->keepalive_ms = network->keepalive_ms;
	else if (config->peer_timeout_ms == 0)
		config->keepalive_ms = KEEPALIVE_MS;
}
