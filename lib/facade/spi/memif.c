/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/memif.h"

#include <stdbool.h>
#include <string.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_ethdev.h>

/*
 * Maximum waiting times in us. The other process closes its port much earlier, once it has stopped
 * polling.
 */
#define SERVER_US 300000u
#define CLIENT_US 1000000u
#define LOOK_US   1000u

/** @return true if the port has the driver net_memif. *server: true if its role is "server" */
static bool
is_memif(uint16_t port_id, bool *server)
{
	const struct rte_devargs *devargs;
	struct rte_eth_dev_info info;

	if (!rte_eth_dev_is_valid_port(port_id) || rte_eth_dev_info_get(port_id, &info) != 0 ||
		strcmp(info.driver_name, "net_memif") != 0)
		return false;
	devargs = info.device == NULL ? NULL : rte_dev_devargs(info.device);
	*server = devargs != NULL && devargs->args != NULL &&
		(strstr(devargs->args, "role=server") != NULL ||
			strstr(devargs->args, "role=master") != NULL);
	return true;
}

static bool
link_is_down(uint16_t port_id)
{
	struct rte_eth_link link;

	return rte_eth_link_get_nowait(port_id, &link) != 0 ||
		link.link_status == RTE_ETH_LINK_DOWN;
}

static void
note_alarm(void *arg)
{
	__atomic_store_n((bool *)arg, true, __ATOMIC_RELEASE);
}

/*
 * Wait until the driver has freed the rings. The driver reports the link as down before it frees
 * the rings. EAL's interrupt thread runs both actions, and alarms, one after another. Therefore the
 * rings are freed when a new alarm runs.
 */
static void
wait_for_interrupt_thread(void)
{
	static bool over; /* static, because a late alarm may still set this flag */

	__atomic_store_n(&over, false, __ATOMIC_RELEASE);
	if (rte_eal_alarm_set(1, note_alarm, &over) != 0)
		return;
	for (uint32_t us = 0; !__atomic_load_n(&over, __ATOMIC_ACQUIRE) && us < CLIENT_US;
		us += LOOK_US)
		rte_delay_us_sleep(LOOK_US);
}

void
spi_memif_leave(uint16_t port_id)
{
	bool server;

	if (!is_memif(port_id, &server))
		return;
	for (uint32_t us = 0; us < (server ? SERVER_US : CLIENT_US); us += LOOK_US) {
		if (link_is_down(port_id)) {
			wait_for_interrupt_thread();
			return;
		}
		rte_delay_us_sleep(LOOK_US);
	}
}
