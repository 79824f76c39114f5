/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Two adapters of one process, connected by rings, for programs that use only interfaces of
 * Windows. If this file is linked into a program, it creates ports and a configuration before
 * main() runs, unless the environment already contains a configuration.
 */

#include <stdio.h>
#include <stdlib.h>

#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_ring.h>

#include "spi/config.h"
#include "spi/eal.h"
#include "support/watch.h"

#define RING_ENTRIES 1024
#define ADAPTER(number)                                                                            \
	"[adapter]; port = net_ring_spi_port_" #number                                             \
	"; mbuf_count = 2048; address = 198.51.100." #number "/24;"

static _Noreturn void
fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static void
eal_start(void)
{
	static char no_huge[] = "--no-huge", no_shconf[] = "--no-shconf", no_pci[] = "--no-pci",
		    no_telemetry[] = "--no-telemetry", memory[] = "-m", megabytes[] = "256",
		    log[] = "--log-level=lib.eal:warning";
	static char *arguments[] = {
		no_huge, no_shconf, no_pci, no_telemetry, memory, megabytes, log};
	char error[SPI_ERROR_BYTES];

	if (!spi_eal_start(arguments, RTE_DIM(arguments), error))
		fail(error);
}

static __attribute__((constructor)) void
rings_make(void)
{
	struct rte_ring *rings[2];
	uint16_t ports[2];
	char name[32];

	if (getenv(SPI_CONFIG_VARIABLE) != NULL)
		return;
	eal_start();
	for (unsigned int i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "spi_ring_%u", i + 1);
		rings[i] = rte_ring_create(name, RING_ENTRIES, 0, RING_F_SP_ENQ | RING_F_SC_DEQ);
		if (rings[i] == NULL)
			fail("there is no ring");
	}
	for (unsigned int i = 0; i < 2; i++) {
		/* The first MAC address that is added to a ring port replaces its zero address. */
		struct rte_ether_addr mac = {{0x02, 0, 0, 0, 0, (uint8_t)(i + 1)}};
		int port;

		snprintf(name, sizeof(name), "spi_port_%u", i + 1);
		port = rte_eth_from_rings(name, &rings[i], 1, &rings[1 - i], 1, 0);
		if (port < 0 || rte_eth_dev_mac_addr_add((uint16_t)port, &mac, 0) != 0)
			fail("there is no port");
		ports[i] = (uint16_t)port;
	}
	if (!watch_ports(ports[0], ports[1]) || !watch_pools())
		fail("threads cannot be watched");
	setenv(SPI_CONFIG_VARIABLE, ADAPTER(1) ADAPTER(2), 1);
}
