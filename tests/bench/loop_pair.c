/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "loop_pair.h"

#include <arpa/inet.h>
#include <string.h>

#include <rte_eth_ring.h>
#include <rte_malloc.h>
#include <rte_ring.h>

#include <ndpdk/nd_srq.h>

#include "bench.h"
#include "nd/adapter.h"
#include "port/port.h"

#define RING_ENTRIES           1024
#define TCP_PROTOCOL           6
#define MBUF_COUNT             2047
#define WHY_BYTES              160
#define READ_LIMIT             16
/**
 * Each reading of a repeatable pair's clock advances the clock by this time, in ns. An engine's
 * turn takes about as long.
 */
#define READING_NS             100
#define LINKS_FEW              16u
/** Limit for the rate of connections. It is high, because no row measures this limit. */
#define CONNECTIONS_PER_SECOND 1000000
/** Number of idle turns after which no frame is in flight. */
#define QUIET_TURNS            4

static const uint32_t window_flags =
	ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_ALLOW_ATOMIC;

static void
require(nd_status status, const char *what)
{
	if (status != ND_SUCCESS)
		bench_fail(what, nd_status_name(status));
}

static struct sockaddr_in
address_of(unsigned int number, uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = port,
		.sin_addr.s_addr = htonl(0xC0000201 + number),
	};
}

static void
ports_make(struct loop_pair *pair)
{
	static uint32_t serial;
	char name[BENCH_NAME_BYTES];
	struct rte_ring *(*rings)[LOOP_ENGINES_MAX] = pair->rings;

	BENCH_REQUIRE(pair->engines <= LOOP_ENGINES_MAX);
	for (unsigned int i = 0; i < 2 * pair->engines; i++) {
		bench_name(name, "bench_ring", serial++);
		rings[i % 2][i / 2] =
			rte_ring_create(name, RING_ENTRIES, 0, RING_F_SP_ENQ | RING_F_SC_DEQ);
		BENCH_REQUIRE(rings[i % 2][i / 2] != NULL);
	}
	for (unsigned int i = 0; i < 2; i++) {
		int port;

		bench_name(name, "bench_port", serial++);
		port = rte_eth_from_rings(
			name, rings[i], pair->engines, rings[1 - i], pair->engines, 0);
		BENCH_REQUIRE(port >= 0);
		pair->side[i].port_id = (uint16_t)port;
	}
}

static uint64_t
reading_ns(void *arg)
{
	uint64_t *now_ns = arg;

	*now_ns += READING_NS;
	return *now_ns;
}

/** Open an adapter as nd_adapter_open() does, but with the clock and the seed of the pair. */
static void
adapter_open_repeatable(
	struct loop_pair *pair, unsigned int number, struct nd_adapter_config *config)
{
	struct adapter_parts parts = {.clock = {.now_ns = reading_ns, .arg = &pair->now_ns}};
	struct port_config port_config = {
		.port_id = config->port_id,
		.queue_count = (uint16_t)pair->engines,
		.mtu = (uint16_t)(config->path_mtu + PORT_HEADER_BYTES_MAX),
	};
	char why[WHY_BYTES] = "";
	struct port *port;

	require(adapter_config_check(config, why, sizeof(why)), why);
	parts.seed[0] = (uint8_t)number;
	for (uint16_t i = 0; i < pair->engines; i++) {
		parts.queues[i].pool =
			engine_pool_create(config->mbuf_count, config->path_mtu, SOCKET_ID_ANY);
		BENCH_REQUIRE(parts.queues[i].pool != NULL);
		port_config.pools[i] = parts.queues[i].pool;
	}
	if (port_open(&port_config, &port, why, sizeof(why)) != PORT_OK)
		bench_fail("port_open", why);
	for (uint16_t i = 0; i < pair->engines; i++)
		parts.queues[i].io = port_get_io(port, i);
	require(adapter_create(config, &parts, &pair->side[number].adapter), "adapter_create");
	pair->side[number].adapter->port = port;
}

static void
side_open(struct loop_pair *pair, unsigned int number, uint32_t windows_max)
{
	struct loop_side *side = &pair->side[number];
	struct nd_adapter_config config = {
		.port_id = side->port_id,
		.path_mtu = LOOP_PATH_MTU,
		.mbuf_count = pair->mbuf_count != 0 ? pair->mbuf_count : MBUF_COUNT,
		.engines = pair->engines,
		.endpoints_max = RTE_MAX(pair->links_max, LINKS_FEW),
		.windows_max = RTE_MAX(windows_max, pair->links_max),
		.regions_max = 16,
		.connections_per_second = CONNECTIONS_PER_SECOND,
		.recovery = pair->recovery,
	};
	const struct sockaddr_in address = address_of(number, 0);

	memcpy(&config.address, &address, sizeof(address));
	if (pair->repeatable)
		adapter_open_repeatable(pair, number, &config);
	else
		require(nd_adapter_open(&config, &side->adapter), "nd_adapter_open");
}

static void
side_equip(struct loop_pair *pair, unsigned int number)
{
	struct loop_side *side = &pair->side[number];

	side->memory = rte_zmalloc("bench_memory", pair->memory_bytes, RTE_CACHE_LINE_SIZE);
	BENCH_REQUIRE(side->memory != NULL);
	side->engine = nd_adapter_get_engine(side->adapter, pair->queue_id);
	/* Poll the engine, because the first thread that polls an engine becomes its owner. */
	nd_engine_poll(side->engine);
	require(nd_adapter_register_memory(
			side->adapter, side->memory, pair->memory_bytes, NULL, &side->mr),
		"nd_adapter_register_memory");
	require(nd_engine_create_completion_queue(side->engine, pair->entries, &side->inbound),
		"nd_engine_create_completion_queue");
	require(nd_engine_create_completion_queue(side->engine, pair->entries, &side->outbound),
		"nd_engine_create_completion_queue");
}

static void
connector_make(struct loop_pair *pair, unsigned int number, struct loop_link *link)
{
	require(nd_adapter_create_connector(pair->side[number].adapter, &link->connectors[number]),
		"nd_adapter_create_connector");
}

static void
endpoint_make(struct loop_pair *pair, unsigned int number, uint32_t entries, struct loop_link *link)
{
	struct loop_side *side = &pair->side[number];

	if (number == 1 && link == &pair->shared) {
		require(nd_connector_create_endpoint_with_srq(link->connectors[number],
				side->inbound, side->outbound, pair->srq, entries, 1, READ_LIMIT,
				READ_LIMIT, NULL, &link->endpoints[number]),
			"nd_connector_create_endpoint_with_srq");
		return;
	}
	require(nd_connector_create_endpoint(link->connectors[number], side->inbound,
			side->outbound, entries, entries, 1, 1, READ_LIMIT, READ_LIMIT, NULL,
			&link->endpoints[number]),
		"nd_connector_create_endpoint");
}

void
loop_pair_endpoint(
	struct loop_pair *pair, unsigned int number, uint32_t entries, struct loop_link *link)
{
	connector_make(pair, number, link);
	endpoint_make(pair, number, entries, link);
}

/** Poll until the operation has completed. The caller of the bench limits the time. */
static void
finish(struct loop_pair *pair, nd_status status, struct nd_overlapped *overlapped, const char *what)
{
	while (status == ND_PENDING) {
		nd_engine_poll(pair->side[0].engine);
		nd_engine_poll(pair->side[1].engine);
		for (unsigned int i = 0; i < 2 && pair->first != NULL; i++)
			nd_engine_poll(pair->first->side[i].engine);
		status = nd_overlapped_get_result(overlapped, NULL, false);
	}
	require(status, what);
}

static void
link_connect(struct loop_pair *pair, uint32_t entries, struct loop_link *link)
{
	const struct sockaddr_in address = address_of(1, pair->listen_port);
	struct nd_overlapped request = {0}, connect = {0}, accept = {0}, complete = {0};
	nd_status requested, connecting, accepting;

	loop_pair_endpoint(pair, 0, entries, link);
	connector_make(pair, 1, link);
	requested =
		nd_listener_get_connection_request(pair->listener, link->connectors[1], &request);
	connecting = nd_connector_connect(link->connectors[0], link->endpoints[0],
		(const struct sockaddr *)&address, sizeof(address), TCP_PROTOCOL, 0, NULL, 0,
		&connect);
	finish(pair, requested, &request, "nd_listener_get_connection_request");
	endpoint_make(pair, 1, entries, link);
	accepting = nd_connector_accept(link->connectors[1], link->endpoints[1], NULL, 0, &accept);
	finish(pair, connecting, &connect, "nd_connector_connect");
	finish(pair, nd_connector_complete_connect(link->connectors[0], &complete), &complete,
		"nd_connector_complete_connect");
	finish(pair, accepting, &accept, "nd_connector_accept");
}

static void
window_bind(struct loop_pair *pair, struct loop_link *link)
{
	struct loop_side *side = &pair->side[1];
	static struct nd_result invalidated; /* kept by the window */
	struct nd_result bound, *got;
	struct nd_mw *mw;

	require(nd_adapter_create_memory_window(side->adapter, &invalidated, &mw),
		"nd_adapter_create_memory_window");
	require(nd_endpoint_bind(link->endpoints[1], &bound, side->mr, mw, side->memory,
			pair->memory_bytes, window_flags, &link->window),
		"nd_endpoint_bind");
	while (nd_cq_get_results(side->outbound, &got, 1) == 0)
		nd_engine_poll(side->engine);
	require(bound.status, "result of nd_endpoint_bind");
}

void
loop_pair_share(struct loop_pair *pair)
{
	if (pair->srq != NULL)
		return;
	require(nd_adapter_create_srq(
			pair->side[1].adapter, pair->queue_id, LOOP_DEPTH_MAX, 1, 0, &pair->srq),
		"nd_adapter_create_srq");
	link_connect(pair, LOOP_DEPTH_MAX, &pair->shared);
}

void
loop_pair_connect(struct loop_pair *pair, uint32_t entries, struct loop_link *link)
{
	link_connect(pair, entries, link);
	window_bind(pair, link);
}

static void
first_connect(struct loop_pair *pair)
{
	struct loop_link first;

	loop_pair_connect(pair, pair->entries, &first);
	for (unsigned int i = 0; i < 2; i++) {
		pair->side[i].connector = first.connectors[i];
		pair->side[i].endpoint = first.endpoints[i];
	}
	pair->window = first.window;
	loop_pair_quiet(pair);
}

void
loop_pair_open(struct loop_pair *pair, uint32_t windows_max)
{
	if (pair->memory_bytes == 0)
		pair->memory_bytes = LOOP_PATH_MTU;
	if (pair->entries == 0)
		pair->entries = LOOP_DEPTH_MAX;
	pair->engines = RTE_MAX(pair->engines, 1u);
	ports_make(pair);
	side_open(pair, 0, windows_max);
	side_open(pair, 1, LOOP_WINDOWS_FEW);
	for (unsigned int i = 0; i < 2; i++)
		side_equip(pair, i);
	require(nd_adapter_listen(pair->side[1].adapter, 0, TCP_PROTOCOL, 0, &pair->listen_port,
			&pair->listener),
		"nd_adapter_listen");
	first_connect(pair);
}

void
loop_pair_join(struct loop_pair *pair, const struct loop_pair *first, uint16_t index)
{
	*pair = (struct loop_pair){
		.memory_bytes = first->memory_bytes,
		.entries = first->entries,
		.engines = first->engines,
		.first = first->one_thread ? first : NULL,
		.queue_id = index,
		.listener = first->listener,
		.listen_port = first->listen_port,
	};
	for (unsigned int i = 0; i < 2; i++) {
		pair->side[i].port_id = first->side[i].port_id;
		pair->side[i].adapter = first->side[i].adapter;
		side_equip(pair, i);
	}
	first_connect(pair);
}

void
loop_pair_quiet(struct loop_pair *pair)
{
	unsigned int idle = 0;

	while (idle < QUIET_TURNS) {
		unsigned int done = nd_engine_poll(pair->side[0].engine);

		done += nd_engine_poll(pair->side[1].engine);
		idle = done == 0 ? idle + 1 : 0;
	}
}
