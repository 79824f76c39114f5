/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Prints the names of all counters of an adapter, one per line. The manual must contain all names.
 */

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include <rte_eal.h>

#include <ndpdk/nd.h>

#define COUNTERS_MAX 512

int
main(int argc, char **argv)
{
	static struct nd_counter counters[COUNTERS_MAX];
	struct nd_adapter_config config = {.port_id = 0};
	struct sockaddr_in own = {.sin_family = AF_INET};
	struct nd_adapter *adapter;
	size_t count;

	own.sin_addr.s_addr = htonl(0xC6336401); /* 198.51.100.1 */
	memcpy(&config.address, &own, sizeof(own));
	if (rte_eal_init(argc, argv) < 0)
		return 1;
	if (nd_adapter_open(&config, &adapter) != ND_SUCCESS) {
		fprintf(stderr, "%s\n", nd_adapter_open_error());
		return 1;
	}
	count = nd_adapter_counters(adapter, counters, COUNTERS_MAX);
	for (size_t i = 0; i < count && i < COUNTERS_MAX; i++)
		printf("%s\n", counters[i].name);
	nd_adapter_close(adapter);
	rte_eal_cleanup();
	return count == 0 || count > COUNTERS_MAX;
}
