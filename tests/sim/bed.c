/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "bed.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>

#include "nd/adapter.h"

#define PATH_MTU     4096
#define MBUF_COUNT   4096
#define TCP_PROTOCOL 6

void
bed_fail(const char *what, const char *detail)
{
	fprintf(stderr, "bed: %s: %s\n", what, detail);
	exit(1);
}

static void
require(nd_status status, const char *what)
{
	if (status != ND_SUCCESS)
		bed_fail(what, nd_status_name(status));
}

void
bed_eal_start(void)
{
	static char program[] = "bed", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", memory[] = "-m", megabytes[] = "512",
		    no_telemetry[] = "--no-telemetry", lcores[] = "-l", first[] = "0",
		    log_level[] = "--log-level=lib.eal:error";
	static char *args[] = {program, no_huge, no_shconf, no_pci, memory, megabytes, no_telemetry,
		lcores, first, log_level, NULL};

	if (rte_eal_init(RTE_DIM(args) - 1, args) < 0)
		bed_fail("EAL", "does not start");
}

static uint64_t
clock_read(void *arg)
{
	const struct bed *bed = arg;

	return bed->now_ns;
}

static uint16_t
receive(void *arg, struct rte_mbuf **mbufs, uint16_t max)
{
	const struct bed_node *node = arg;

	return bed_link_receive(node->in, mbufs, max, node->bed->now_ns);
}

static uint16_t
transmit(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	const struct bed_node *node = arg;

	return bed_link_transmit(node->out, mbufs, count, node->bed->now_ns);
}

static struct sockaddr_in
address_of(uint32_t node, uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = port,
		.sin_addr.s_addr = htonl(0xC0000201 + node),
	};
}

static struct rte_ether_addr
mac_of(uint32_t node)
{
	return (struct rte_ether_addr){{0x02, 0x00, 0x5E, 0x00, 0x00, (uint8_t)(0x0A + node)}};
}

static void
adapter_open(struct bed_node *node)
{
	struct nd_neighbour neighbours[BED_NODES_MAX] = {0};
	struct nd_adapter_config config = {
		.path_mtu = PATH_MTU,
		.mbuf_count = MBUF_COUNT,
		.endpoints_max = 128,
		.regions_max = 128,
		.windows_max = 128,
		.neighbours = neighbours,
	};
	struct adapter_parts parts = {.clock = {.now_ns = clock_read, .arg = node->bed}};
	struct sim_random random = sim_random_stream(node->bed->config.seed, 30 + node->index);
	struct sockaddr_in address = address_of(node->index, 0);
	char why[192];

	memcpy(&config.address, &address, sizeof(address));
	for (uint32_t i = 0; i < BED_NODES_MAX; i++) {
		struct nd_neighbour *neighbour = &neighbours[config.neighbour_count];
		struct rte_ether_addr mac = mac_of(i);

		if (i == node->index)
			continue;
		address = address_of(i, 0);
		memcpy(&neighbour->address, &address, sizeof(address));
		memcpy(neighbour->mac, mac.addr_bytes, sizeof(neighbour->mac));
		config.neighbour_count++;
	}
	require(adapter_config_check(&config, why, sizeof(why)), "configuration");
	sim_random_fill(&random, parts.seed, sizeof(parts.seed));
	parts.queues[0].io = &node->io;
	parts.queues[0].pool = node->pool;
	require(adapter_create(&config, &parts, &node->adapter), "adapter");
}

static void
node_open(struct bed *bed, uint32_t index)
{
	struct bed_node *node = &bed->nodes[index];

	*node = (struct bed_node){
		.bed = bed,
		.index = index,
		.in = &bed->links[1 - index],
		.out = &bed->links[index],
		.io = {.receive = receive,
			.transmit = transmit,
			.arg = node,
			.mac = mac_of(index),
			.mtu = PATH_MTU + PORT_HEADER_BYTES_MAX,
			.socket_id = SOCKET_ID_ANY},
	};
	node->pool = engine_pool_create(MBUF_COUNT, PATH_MTU, SOCKET_ID_ANY);
	if (node->pool == NULL)
		bed_fail("pool", "no memory");
	node->in->pool = node->pool;
	adapter_open(node);
	node->engine = nd_adapter_engine(node->adapter);
	require(nd_engine_create_completion_queue(node->engine, 4096, &node->inbound), "CQ");
	require(nd_engine_create_completion_queue(node->engine, 4096, &node->outbound), "CQ");
	require(nd_adapter_listen(node->adapter, 0, TCP_PROTOCOL, 0, &node->port, &node->listener),
		"listen");
}

void
bed_open(struct bed *bed, const struct bed_config *config)
{
	*bed = (struct bed){.config = *config, .now_ns = 1000000};
	for (uint32_t i = 0; i < BED_NODES_MAX; i++) {
		struct bed_link_config perfect = config->link;

		perfect.loss_ppm = 0;
		perfect.spread_ns = 0;
		bed_link_init(&bed->links[i], &perfect);
		bed->links[i].random = sim_random_stream(config->seed, 10 + i);
	}
	for (uint32_t i = 0; i < BED_NODES_MAX; i++)
		node_open(bed, i);
}

void
bed_close(struct bed *bed)
{
	for (uint32_t i = 0; i < BED_NODES_MAX; i++) {
		nd_adapter_close(bed->nodes[i].adapter);
		bed_link_fini(&bed->links[i]);
	}
}

void
bed_turn(struct bed *bed)
{
	bed->now_ns += BED_POLL_NS;
	for (uint32_t i = 0; i < BED_NODES_MAX; i++)
		nd_engine_poll(bed->nodes[i].engine);
}

void
bed_lose(struct bed *bed)
{
	for (uint32_t i = 0; i < BED_NODES_MAX; i++)
		bed->links[i].config = bed->config.link;
}

uint64_t
bed_counter(const struct bed *bed, uint32_t node, const char *name)
{
	struct nd_counter counters[256];
	size_t count = nd_adapter_counters(bed->nodes[node].adapter, counters, RTE_DIM(counters));

	for (size_t i = 0; i < RTE_MIN(count, RTE_DIM(counters)); i++) {
		if (strcmp(counters[i].name, name) == 0)
			return counters[i].value;
	}
	bed_fail(name, "is no counter");
}
