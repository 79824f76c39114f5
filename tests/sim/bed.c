/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "bed.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>

#include "nd/adapter.h"

#define PATH_MTU          4096
#define MBUF_COUNT        8192
/** Number of packet buffers of each sender, if the bed has more than two nodes. */
#define MBUF_COUNT_SENDER 512
#define TCP_PROTOCOL      6
/** Delay of each link. */
#define DELAY_NS          10000
/** Time in ns to send a full transmit ring of a port: 1024 frames of 4154 bytes. */
#define RING_NS           340000

const struct bed_marks bed_marks_paper = {5000, 200000, 10};
const struct bed_marks bed_marks_100g = {7000, 500000, 300};

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
		bed_fail("EAL", "did not start");
}

static uint64_t
clock_read(void *arg)
{
	const struct bed *bed = arg;

	return bed->now_ns;
}

/**
 * Decide whether the next frame to this node is lost. @return true if the frame is lost after its
 * transmission
 */
static bool
loses(struct bed_node *node)
{
	if (node->lose_in != 0 && --node->lose_in == 0)
		return true;
	return node->bed->losing &&
		sim_random_below(&node->random, 1000000) < node->bed->config.loss_ppm;
}

static uint16_t
receive(void *arg, struct rte_mbuf **mbufs, uint16_t max)
{
	struct bed_node *node = arg;
	uint16_t got = sim_net_receive(&node->bed->net, node->net_port, 0, mbufs, max), kept = 0;

	for (uint16_t i = 0; i < got; i++) {
		if (loses(node))
			rte_pktmbuf_free(mbufs[i]);
		else
			mbufs[kept++] = mbufs[i];
	}
	return kept;
}

static uint16_t
transmit(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	const struct bed_node *node = arg;

	return sim_net_transmit(&node->bed->net, node->net_port, mbufs, count);
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
		.mbuf_count = node->pool->size,
		.endpoints_max = BED_NODES_MAX,
		.regions_max = BED_NODES_MAX,
		.windows_max = BED_NODES_MAX,
		.recovery = node->bed->config.recovery,
		.congestion = node->bed->config.congestion,
		.ecn = node->bed->config.ecn,
		.line_rate_mbps = BED_RATE_MBPS,
		.initial_window = node->bed->config.initial_window,
		.swift_target_us = node->bed->config.swift_target_us,
		.neighbours = neighbours,
	};
	struct adapter_parts parts = {.clock = {.now_ns = clock_read, .arg = node->bed}};
	struct sim_random random = sim_random_stream(node->bed->config.seed, 30 + node->index);
	struct sockaddr_in address = address_of(node->index, 0);
	char why[192];

	memcpy(&config.address, &address, sizeof(address));
	for (uint32_t i = 0; i < node->bed->config.node_count; i++) {
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

/**
 * Create a node's pool and port. The network must exist already, because a new adapter sends at
 * once.
 */
static void
node_prepare(struct bed *bed, uint32_t index)
{
	struct bed_node *node = &bed->nodes[index];
	uint32_t mbufs = index == 0 || bed->config.node_count == 2 ? MBUF_COUNT : MBUF_COUNT_SENDER;

	*node = (struct bed_node){
		.bed = bed,
		.index = index,
		.random = sim_random_stream(bed->config.seed, 50 + index),
		.io = {.receive = receive,
			.transmit = transmit,
			.arg = node,
			.mac = mac_of(index),
			.mtu = PATH_MTU + PORT_HEADER_BYTES_MAX,
			.socket_id = SOCKET_ID_ANY},
	};
	node->pool = engine_pool_create(mbufs, PATH_MTU, SOCKET_ID_ANY);
	if (node->pool == NULL)
		bed_fail("pool", "no memory");
	snprintf(node->name, sizeof(node->name), "%u", (uint8_t)index);
}

static void
net_open(struct bed *bed)
{
	struct sim_net *net = &bed->net;
	struct sim_link_config wire = {
		.latency_ns = DELAY_NS, .rate_mbps = BED_RATE_MBPS, .ring_ns = RING_NS};
	const struct bed_marks *marks =
		bed->config.marks != NULL ? bed->config.marks : &bed_marks_paper;
	uint32_t middle;

	for (uint32_t i = 0; i < bed->config.node_count; i++)
		bed->nodes[i].net_port = sim_net_add_port(
			net, bed->nodes[i].name, bed->nodes[i].io.mac.addr_bytes, 1);
	if (bed->config.node_count == 2) {
		sim_net_add_cable(net, bed->nodes[0].net_port, bed->nodes[1].net_port, &wire);
	} else {
		middle = sim_net_add_switch(net, "switch", SIM_NET_BY_FLOW);
		wire.latency_ns = DELAY_NS / 2;
		for (uint32_t i = 0; i < bed->config.node_count; i++)
			sim_net_add_cable(net, bed->nodes[i].net_port, middle, &wire);
		bed->bottleneck = sim_net_port_in(net, bed->nodes[0].net_port);
		bed->bottleneck->config.queue_bytes = BED_QUEUE_BYTES;
		bed->bottleneck->config.mark_min_bytes = marks->kmin_bytes;
		bed->bottleneck->config.mark_max_bytes = marks->kmax_bytes;
		bed->bottleneck->config.mark = marks->pmax_per_mille;
	}
	for (uint32_t i = 0; i < bed->config.node_count; i++)
		sim_net_set_pool(net, bed->nodes[i].net_port, 0, bed->nodes[i].pool);
	sim_net_start(net);
}

static void
node_open(struct bed_node *node)
{
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
	sim_net_init(&bed->net, &bed->now_ns, config->seed, NULL);
	for (uint32_t i = 0; i < bed->config.node_count; i++)
		node_prepare(bed, i);
	net_open(bed);
	for (uint32_t i = 0; i < bed->config.node_count; i++)
		node_open(&bed->nodes[i]);
}

void
bed_close(struct bed *bed)
{
	for (uint32_t i = 0; i < bed->config.node_count; i++)
		nd_adapter_close(bed->nodes[i].adapter);
	sim_net_fini(&bed->net);
}

void
bed_turn(struct bed *bed)
{
	bed->now_ns += BED_POLL_NS;
	for (uint32_t i = 0; i < bed->config.node_count; i++)
		nd_engine_poll(bed->nodes[i].engine);
}

void
bed_lose(struct bed *bed)
{
	bed->losing = true;
	for (uint32_t i = 0; bed->config.spread_ns != 0 && i < bed->config.node_count; i++) {
		struct sim_link *link = sim_net_port_out(&bed->net, bed->nodes[i].net_port);

		link->config.reorder = 1000;
		link->config.reorder_ns = bed->config.spread_ns;
	}
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
	bed_fail(name, "is not a counter");
}
