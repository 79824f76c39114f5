/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "loopback.h"

#include <stdio.h>

#include <rte_errno.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_ring.h>

/* Highest number of packets in flight from one queue. */
#define RING_ENTRIES 4096

/* Create the rings of one direction, one for each queue. @return whether all were created */
static bool
create_rings(struct rte_ring *rings[], uint16_t count, const char *direction)
{
	for (uint16_t i = 0; i < count; i++) {
		char name[RTE_RING_NAMESIZE];

		snprintf(name, sizeof(name), "ndpmd_%s_%u", direction, i);
		rings[i] = rte_ring_create(
			name, RING_ENTRIES, (int)rte_socket_id(), RING_F_SP_ENQ | RING_F_SC_DEQ);
		if (rings[i] == NULL)
			return false;
	}
	return true;
}

static int
create_port(const char *name, struct rte_ring *const receive[], struct rte_ring *const transmit[],
	uint16_t queues, uint8_t number)
{
	/*
	 * Use a locally administered MAC address, because the driver gives all its ports address
	 * zero. The first added address replaces address zero.
	 */
	struct rte_ether_addr mac = {{0x02, 0, 0, 0, 0, number}};
	const int port =
		rte_eth_from_rings(name, receive, queues, transmit, queues, rte_socket_id());

	if (port >= 0 && rte_eth_dev_mac_addr_add((uint16_t)port, &mac, 0) != 0)
		return -1;
	return port;
}

bool
loopback_create(struct value_port ports[2], uint16_t queues, char *why, size_t size)
{
	struct rte_ring *there[OPTIONS_LCORES_MAX], *back[OPTIONS_LCORES_MAX];
	int numbers[2];

	if (!create_rings(there, queues, "there") || !create_rings(back, queues, "back")) {
		snprintf(why, size, "the rings for --loopback cannot be created: %s",
			rte_strerror(rte_errno));
		return false;
	}
	numbers[0] = create_port("ndpmd_0", back, there, queues, 1);
	numbers[1] = create_port("ndpmd_1", there, back, queues, 2);
	if (numbers[0] < 0 || numbers[1] < 0) {
		snprintf(why, size, "the ports for --loopback cannot be created: %s",
			rte_strerror(rte_errno));
		return false;
	}
	for (unsigned int i = 0; i < 2; i++)
		ports[i] = (struct value_port){.number = (uint16_t)numbers[i]};
	return true;
}
