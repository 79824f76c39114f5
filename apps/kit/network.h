/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_NETWORK_H
#define NDPDK_KIT_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ndpdk/nd_adapter.h>

#include "kit/option.h"

/*
 * Options for an adapter's addresses and neighbours, with the same names in all applications. A
 * Linux host takes these settings from its kernel.
 */

#define NETWORK_NEIGHBOURS_MAX 64

struct network {
	struct sockaddr_storage address; /**< IP address of the adapter; family 0 = not given */
	struct sockaddr_storage gateway;
	struct nd_neighbour neighbours[NETWORK_NEIGHBOURS_MAX];
	unsigned int neighbour_count;
	uint32_t keepalive_ms; /**< 0 = send no keepalives; valid only if keepalive_given is set */
	bool keepalive_given;
	uint16_t vlan_id;
	uint16_t path_mtu;
	uint8_t prefix_length; /**< prefix length of address; 0 = the library's default */
};

#define NETWORK_ROW_COUNT 6

extern const struct option_row network_rows[NETWORK_ROW_COUNT];

/**
 * Initialiser of a struct option_table with these options, for the member of type struct network.
 */
#define NETWORK_TABLE(type, member)                                                                \
	{                                                                                          \
		network_rows, NETWORK_ROW_COUNT, offsetof(type, member)                            \
	}

/**
 * Set the members of an adapter's configuration that these options cover. Without --keepalive,
 * keepalive_ms is set to 10 s, or left unchanged if peer_timeout_ms is set.
 * @param network must stay valid while the configuration is used
 */
void network_configure(const struct network *network, struct nd_adapter_config *config);

#endif
