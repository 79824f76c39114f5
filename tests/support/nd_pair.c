/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "support/nd_pair.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <criterion/criterion.h>

#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_ring.h>

#include "support/eal.h"
#include "support/engines.h"

#define RING_ENTRIES     1024
#define ENGINES_MAX      16
/**
 * Maximum duration of an operation in seconds of real time, after which the test fails. The ports
 * are rings, so only operations that wait for a timer take a noticeable time.
 */
#define PATIENCE_SECONDS 20
/** Number of polls of all engines after which no packet is in flight. */
#define QUIET_TURNS      2000

static struct nd_result invalidate_results[64];
static unsigned int windows_made;

/*
 * ThreadSanitizer does not see inside DPDK. The ring of the driver already ensures that one thread
 * has written a frame before another thread receives it. In addition, callbacks of ethdev
 * synchronise the threads in a form that ThreadSanitizer sees.
 */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WITH_TSAN 1
#endif
#endif

#ifdef WITH_TSAN
static uint32_t passing;

static uint16_t
received(uint16_t port, uint16_t queue, struct rte_mbuf **mbufs, uint16_t count, uint16_t max,
	void *arg)
{
	(void)port, (void)queue, (void)mbufs, (void)max, (void)arg;
	__atomic_fetch_add(&passing, 1, __ATOMIC_ACQ_REL);
	return count;
}

static uint16_t
sending(uint16_t port, uint16_t queue, struct rte_mbuf **mbufs, uint16_t count, void *arg)
{
	(void)port, (void)queue, (void)mbufs, (void)arg;
	__atomic_fetch_add(&passing, 1, __ATOMIC_ACQ_REL);
	return count;
}
#endif

static void
port_order(uint16_t port, unsigned int queues)
{
#ifdef WITH_TSAN
	for (uint16_t i = 0; i < queues; i++) {
		cr_assert_not_null(rte_eth_add_rx_callback(port, i, received, NULL));
		cr_assert_not_null(rte_eth_add_tx_callback(port, i, sending, NULL));
	}
#else
	(void)port;
	(void)queues;
#endif
}

/**
 * Create two ethdev ports that are connected to each other. With several queues, frames sent on one
 * queue arrive on the next queue of the peer, so engines must hand packets over to each other.
 */
static void
ports_make(uint16_t ports[2])
{
	static unsigned int serial;
	struct rte_ring *sent[2][ENGINES_MAX], *coming[2][ENGINES_MAX];
	unsigned int queues = test_engines();
	char name[32];

	for (unsigned int i = 0; i < 2 * queues; i++) {
		struct rte_ring *ring;

		snprintf(name, sizeof(name), "pair_ring_%u", serial++);
		ring = rte_ring_create(name, RING_ENTRIES, 0, RING_F_SP_ENQ | RING_F_SC_DEQ);
		cr_assert_not_null(ring);
		sent[i % 2][i / 2] = ring;
		coming[1 - i % 2][(i / 2 + 1) % queues] = ring;
	}
	for (unsigned int i = 0; i < 2; i++) {
		/* The first address that is added replaces the port's zero address. */
		struct rte_ether_addr mac = {{0x02, 0, 0, 0, 0, (uint8_t)(i + 1)}};
		int port;

		snprintf(name, sizeof(name), "pair_port_%u", serial++);
		port = rte_eth_from_rings(name, coming[i], queues, sent[i], queues, 0);
		cr_assert_geq(port, 0);
		cr_assert_eq(rte_eth_dev_mac_addr_add((uint16_t)port, &mac, 0), 0);
		port_order((uint16_t)port, queues);
		ports[i] = (uint16_t)port;
	}
}

static void
side_address(const struct nd_pair *pair, unsigned int side, struct sockaddr_storage *address)
{
	struct sockaddr_in in = {.sin_family = AF_INET};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};

	memset(address, 0, sizeof(*address));
	in.sin_addr.s_addr = htonl(0xC0000201 + side);
	inet_pton(AF_INET6, side == 0 ? "2001:db8::1" : "2001:db8::2", &in6.sin6_addr);
	if (pair->config.v6)
		memcpy(address, &in6, sizeof(in6));
	else
		memcpy(address, &in, sizeof(in));
}

static void
side_open(struct nd_pair *pair, unsigned int number, uint16_t port)
{
	struct nd_side *side = &pair->side[number];
	struct nd_adapter_config config = {
		.port_id = port,
		.path_mtu = pair->config.path_mtu,
		.mbuf_count = RTE_MAX(512u, pair->config.mbuf_count / test_engines()),
		.rnr_retry_count = pair->config.rnr_retry_count,
		.ack_timeout = pair->config.ack_timeout,
		.vlan_id = pair->config.vlan_id,
		.guesses_max = pair->config.guesses_max,
		.busy_poll = pair->config.busy_poll,
		.dscp = pair->config.adapter.dscp,
		.congestion = pair->config.adapter.congestion,
		.ecn = pair->config.adapter.ecn,
		.no_cnps = pair->config.adapter.no_cnps,
		.dscp_ack = pair->config.adapter.dscp_ack,
		.dcqcn = pair->config.adapter.dcqcn,
		.engines = test_engines(),
		.endpoints_max = 64,
		.windows_max = 256,
		.regions_max = 64,
	};
	nd_status status;

	side_address(pair, number, &config.address);
	if (pair->config.adapt != NULL)
		pair->config.adapt(number, &config);
	status = nd_adapter_open(&config, &side->adapter);
	cr_assert_eq(status, ND_SUCCESS, "%s: %s", nd_status_name(status), nd_adapter_open_error());
	side->memory_bytes = pair->config.memory_bytes;
	side->memory = malloc(side->memory_bytes);
	cr_assert_not_null(side->memory);
	memset(side->memory, 0, side->memory_bytes);
	cr_assert_eq(nd_adapter_register_memory(
			     side->adapter, side->memory, side->memory_bytes, NULL, &side->mr),
		ND_SUCCESS);
	cr_assert_eq(nd_engine_create_completion_queue(
			     test_home(side->adapter), 2 * pair->config.entries, &side->inbound),
		ND_SUCCESS);
	cr_assert_eq(nd_engine_create_completion_queue(
			     test_home(side->adapter), 2 * pair->config.entries, &side->outbound),
		ND_SUCCESS);
}

void
nd_pair_open(struct nd_pair *pair, const struct nd_pair_config *config)
{
	memset(pair, 0, sizeof(*pair));
	pair->config = *config;
	if (pair->config.path_mtu == 0)
		pair->config.path_mtu = 4096;
	if (pair->config.memory_bytes == 0)
		pair->config.memory_bytes = 65536;
	if (pair->config.entries == 0)
		pair->config.entries = 64;
	if (pair->config.sge == 0)
		pair->config.sge = 4;
	if (pair->config.reads == 0)
		pair->config.reads = 4;
	if (pair->config.reads == SIZE_MAX)
		pair->config.reads = 0;
	if (pair->config.mbuf_count == 0)
		pair->config.mbuf_count = 2048;
	test_eal_init_large();
	ports_make(pair->ports);
	side_open(pair, 0, pair->ports[0]);
	side_open(pair, 1, pair->ports[1]);
}

void
nd_pair_reopen(struct nd_pair *pair)
{
	memset(pair->side, 0, sizeof(pair->side));
	pair->listener = NULL;
	side_open(pair, 0, pair->ports[0]);
	side_open(pair, 1, pair->ports[1]);
}

void
nd_pair_poll(struct nd_pair *pair)
{
	test_poll(pair->side[0].adapter);
	test_poll(pair->side[1].adapter);
	if (pair->config.turn != NULL)
		pair->config.turn();
}

static bool
patience_left(time_t *since)
{
	if (*since == 0)
		*since = time(NULL);
	return time(NULL) - *since < PATIENCE_SECONDS;
}

nd_status
nd_pair_finish(struct nd_pair *pair, nd_status status, struct nd_overlapped *overlapped)
{
	time_t since = 0;

	if (status != ND_PENDING)
		return status;
	while ((status = nd_overlapped_get_result(overlapped, NULL, false)) == ND_PENDING) {
		cr_assert(patience_left(&since), "an operation does not end");
		nd_pair_poll(pair);
	}
	return status;
}

void
nd_pair_take(struct nd_pair *pair, struct nd_cq *cq, struct nd_result **results, size_t count)
{
	size_t got = 0;
	time_t since = 0;

	while ((got += nd_cq_get_results(cq, results + got, count - got)) < count) {
		cr_assert(patience_left(&since), "%zu of %zu results came", got, count);
		nd_pair_poll(pair);
	}
}

nd_status
nd_pair_result(struct nd_pair *pair, struct nd_cq *cq, struct nd_result *result)
{
	struct nd_result *got;

	nd_pair_take(pair, cq, &got, 1);
	cr_assert_eq(got, result, "another result came first, with status %s",
		nd_status_name(got->status));
	return got->status;
}

void
nd_pair_quiet(struct nd_pair *pair, struct nd_cq *cq)
{
	struct nd_result *got;

	for (unsigned int i = 0; i < QUIET_TURNS; i++) {
		nd_pair_poll(pair);
		cr_assert_eq(
			nd_cq_get_results(cq, &got, 1), 0, "a result came that nobody expects");
	}
}

void
nd_pair_endpoint(struct nd_pair *pair, unsigned int number)
{
	struct nd_side *side = &pair->side[number];
	const struct nd_pair_config *config = &pair->config;

	if (side->connector == NULL)
		cr_assert_eq(
			nd_adapter_create_connector(side->adapter, &side->connector), ND_SUCCESS);
	cr_assert_eq(nd_connector_create_endpoint(side->connector, side->inbound, side->outbound,
			     config->entries, config->entries, config->sge, config->sge,
			     config->reads, config->reads, NULL, &side->endpoint),
		ND_SUCCESS);
}

void
nd_pair_listen(struct nd_pair *pair)
{
	cr_assert_eq(nd_adapter_listen(
			     pair->side[1].adapter, 0, 6, 0, &pair->listen_port, &pair->listener),
		ND_SUCCESS);
}

socklen_t
nd_pair_address(const struct nd_pair *pair, struct sockaddr_storage *address)
{
	side_address(pair, 1, address);
	if (pair->config.v6) {
		((struct sockaddr_in6 *)address)->sin6_port = pair->listen_port;
		return sizeof(struct sockaddr_in6);
	}
	((struct sockaddr_in *)address)->sin_port = pair->listen_port;
	return sizeof(struct sockaddr_in);
}

void
nd_pair_connect(struct nd_pair *pair)
{
	struct nd_overlapped request = {0}, connect = {0}, accept = {0}, complete = {0};
	struct sockaddr_storage address;
	socklen_t length;
	nd_status asked, connecting, accepting;

	if (pair->listener == NULL)
		nd_pair_listen(pair);
	length = nd_pair_address(pair, &address);
	nd_pair_endpoint(pair, 0);
	cr_assert_eq(nd_adapter_create_connector(pair->side[1].adapter, &pair->side[1].connector),
		ND_SUCCESS);
	asked = nd_listener_get_connection_request(
		pair->listener, pair->side[1].connector, &request);
	connecting = nd_connector_connect(pair->side[0].connector, pair->side[0].endpoint,
		(struct sockaddr *)&address, length, 6, 0, NULL, 0, &connect);
	cr_assert_eq(nd_pair_finish(pair, asked, &request), ND_SUCCESS);
	nd_pair_endpoint(pair, 1);
	accepting = nd_connector_accept(
		pair->side[1].connector, pair->side[1].endpoint, NULL, 0, &accept);
	cr_assert_eq(nd_pair_finish(pair, connecting, &connect), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(pair,
			     nd_connector_complete_connect(pair->side[0].connector, &complete),
			     &complete),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(pair, accepting, &accept), ND_SUCCESS);
}

void
nd_pair_close(struct nd_pair *pair)
{
	for (unsigned int i = 0; i < 2; i++) {
		nd_adapter_close(pair->side[i].adapter);
		free(pair->side[i].memory);
	}
}

uint64_t
nd_pair_adapter_counter(const struct nd_adapter *adapter, const char *name)
{
	struct nd_counter counters[256];
	size_t count = nd_adapter_counters(adapter, counters, 256);

	cr_assert_leq(count, 256);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(counters[i].name, name) == 0)
			return counters[i].value;
	}
	cr_assert_fail("there is no counter %s", name);
	return 0;
}

uint64_t
nd_pair_counter(const struct nd_pair *pair, unsigned int side, const char *name)
{
	return nd_pair_adapter_counter(pair->side[side].adapter, name);
}

void
nd_pair_pattern(uint8_t *bytes, size_t count, uint32_t seed)
{
	uint32_t state = seed * 2654435761u + 1;

	for (size_t i = 0; i < count; i++) {
		state = state * 1664525 + 1013904223;
		bytes[i] = (uint8_t)(state >> 24);
	}
}

struct nd_mw *
nd_pair_bind(struct nd_pair *pair, unsigned int number, size_t offset, size_t bytes, uint32_t flags,
	struct nd_mw_descriptor *descriptor)
{
	struct nd_side *side = &pair->side[number];
	struct nd_result result;
	struct nd_mw *mw;

	cr_assert_lt(windows_made, 64);
	cr_assert_eq(nd_adapter_create_memory_window(
			     side->adapter, &invalidate_results[windows_made++], &mw),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(side->endpoint, &result, side->mr, mw, side->memory + offset,
			     bytes, flags, descriptor),
		ND_SUCCESS);
	cr_assert_eq(nd_pair_result(pair, side->outbound, &result), ND_SUCCESS);
	return mw;
}
