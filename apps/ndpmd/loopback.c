/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "loopback.h"

#include <stdio.h>

#include <rte_errno.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_ring.h>

/* Packets on their way in one direction. */
#define RING_ENTRIES 4096

static int
create_port(const char *name, struct rte_ring *receive, struct rte_ring *transmit, uint8_t number)
{
	/*
	 * Locally administered. The driver's ports all have address zero, and the first address
	 * that is added takes the place of a zero one.
	 */
	struct rte_ether_addr mac = {{0x02, 0, 0, 0, 0, number}};
	struct rte_ring *const receives[] = {receive};
	struct rte_ring *const transmits[] = {transmit};
	const int port = rte_eth_from_rings(name, receives, 1, transmits, 1, rte_socket_id());

	if (port >= 0 && rte_eth_dev_mac_addr_add((uint16_t)port, &mac, 0) != 0)
		return -1;
	return port;
}

bool
loopback_create(uint16_t ports[2], char *why, size_t size)
{
	struct rte_ring *rings[2];
	int numbers[2];

	rings[0] = rte_ring_create(
		"ndpmd_there", RING_ENTRIES, (int)rte_socket_id(), RING_F_SP_ENQ | RING_F_SC_DEQ);
	rings[1] = rte_ring_create(
		"ndpmd_back", RING_ENTRIES, (int)rte_socket_id(), RING_F_SP_ENQ | RING_F_SC_DEQ);
	if (rings[0] == NULL || rings[1] == NULL) {
		snprintf(why, size, "no rings for the loopback: %s", rte_strerror(rte_errno));
		return false;
	}
	numbers[0] = create_port("ndpmd_0", rings[1], rings[0], 1);
	numbers[1] = create_port("ndpmd_1", rings[0], rings[1], 2);
	if (numbers[0] < 0 || numbers[1] < 0) {
		snprintf(why, size, "no ports for the loopback: %s", rte_strerror(rte_errno));
		return false;
	}
	ports[0] = (uint16_t)numbers[0];
	ports[1] = (uint16_t)numbers[1];
	return true;
}
