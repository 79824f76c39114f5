/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Opening and closing an adapter. */

#include "engine/transmit.h"
#include "nd/adapter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_log.h>
#include <rte_mbuf_pool_ops.h>

#include "base/limits.h"
#include "cm/id.h"
#include "nd/address.h"
#include "nd/congestion.h"
#include "nd/connector.h"
#include "nd/cq.h"
#include "nd/deferred_free.h"
#include "nd/endpoint.h"
#include "nd/events.h"
#include "nd/listener.h"
#include "nd/name.h"
#include "nd/registry.h"
#include "nd/status_map.h"
#include "nd/telemetry.h"

RTE_LOG_REGISTER(adapter_log, lib.ndpdk.adapter, NOTICE)

/** Minimum number of connection records that the connection manager has. */
#define IDS_MIN 8u

/** Maximum number of learned neighbours. Static neighbours are not counted. */
#define NEIGHBOURS_LEARNED 1024

_Thread_local char adapter_open_why[ADAPTER_WHY_BYTES];

const char *
nd_adapter_open_error(void)
{
	return adapter_open_why;
}

nd_status
nd_adapter_set_dcqcn(struct nd_adapter *adapter, const struct nd_dcqcn_parameters *parameters)
{
	static const struct nd_dcqcn_parameters defaults = {0};

	adapter_open_why[0] = '\0';
	if (adapter->config.congestion == ND_CONGESTION_DCQCN)
		return congestion_change(&adapter->cc, parameters != NULL ? parameters : &defaults,
			adapter_open_why, sizeof(adapter_open_why));
	snprintf(adapter_open_why, sizeof(adapter_open_why),
		"the congestion control of the adapter is not DCQCN");
	return ND_INVALID_DEVICE_REQUEST;
}

/** @return the smallest power of two that is >= value, at least 2. */
static uint32_t
power_of_two(uint32_t value)
{
	uint32_t power = 2;

	while (power < value)
		power <<= 1;
	return power;
}

/**
 * @return initial number of key slots. With one engine they take 10 MB, enough for 65536 keys in
 * use and as many released keys (SEC-002). With several engines, the partition of each engine has
 * half as many slots, and a released slot stays in quarantine for only 32768 other keys. SEC-002
 * still holds, because consecutive keys of a slot differ in their tags: a slot passes the
 * quarantine at least twice before the same key is issued again.
 */
static uint64_t
key_slots(uint32_t engines)
{
	return mem_key_slots(engines, engines == 1 ? UINT64_C(1) << 18 : UINT64_C(1) << 17);
}

static enum rc_status
memory_create(struct nd_adapter *adapter, const uint8_t *seed)
{
	const struct nd_adapter_config *config = &adapter->config;
	uint8_t mem_seed[BASE_RANDOM_SEED_BYTES];
	uint64_t slots = key_slots(config->engines);
	/* At most 5/8 of the key slots may be in use, so the limit is two slots per handle. */
	uint64_t slots_max = mem_key_slots(
		config->engines, 2 * ((uint64_t)config->regions_max + config->windows_max));
	struct mem_domain_config domain = {
		.key_slots = (uint32_t)slots,
		.key_slots_max =
			power_of_two((uint32_t)RTE_MIN(RTE_MAX(slots_max, slots), LIMIT_KEY_SLOTS)),
		.region_max = config->regions_max,
		.window_max = config->windows_max,
		.reader_max = config->engines,
		.engines = config->engines,
		.socket_id = adapter->socket_id,
		.random = &adapter->mem_random,
	};

	/*
	 * Use a separate generator for keys, so that keys reveal nothing about QPNs and PSNs, and
	 * QPNs and PSNs reveal nothing about keys.
	 */
	memcpy(mem_seed, seed, sizeof(mem_seed));
	mem_seed[0] ^= 0x6D;
	base_random_seed(&adapter->mem_random, mem_seed);
	return mem_domain_create(&domain, &adapter->mem);
}

/**
 * Derive the CA GUID (EUI-64) from the MAC address: it is unique, and the same after each start.
 */
static uint64_t
ca_guid(const struct rte_ether_addr *mac)
{
	const uint8_t *m = mac->addr_bytes;

	return (uint64_t)(m[0] ^ 2) << 56 | (uint64_t)m[1] << 48 | (uint64_t)m[2] << 40 |
		(uint64_t)0xFFFE << 24 | (uint64_t)m[3] << 16 | (uint64_t)m[4] << 8 | m[5];
}

/** @return number of connection records: four per endpoint; docs/security.md explains their use */
static uint32_t
ids_max(uint32_t endpoints_max, uint32_t engines)
{
	return (uint32_t)RTE_MIN(
		RTE_MAX(4 * (uint64_t)endpoints_max * engines, IDS_MIN), (uint64_t)CM_ID_MAX);
}

static uint64_t
reorder_ns(const struct nd_adapter_config *config)
{
	uint32_t window_us = config->reorder_window_us;

	return window_us == ND_REORDER_NONE ? 0 : (uint64_t)window_us * 1000;
}

/** Create one engine of the adapter. The first engine also gets the connection manager. */
static enum rc_status
loop_create(struct nd_adapter *adapter, const struct adapter_parts *parts, struct nd_engine *home)
{
	size_t index = (size_t)(home - adapter->engines);
	const struct nd_adapter_config *config = &adapter->config;
	char name[RTE_ETH_NAME_MAX_LEN] = "";
	struct engine_config engine = {
		.group = adapter->group,
		.name = name,
		.io = parts->queues[index].io,
		.clock = parts->clock,
		.pool = home->pool,
		.mem = adapter->mem,
		.qp_slots = power_of_two(config->endpoints_max),
		.address = adapter->address,
		.vlan = config->vlan_id != 0,
		.vlan_tci = config->vlan_id,
		.tos = (uint8_t)(config->dscp << WIRE_DSCP_SHIFT),
		.ttl = config->ttl,
		.busy_poll = config->busy_poll,
		.keep = {.mbufs_max = config->keep_packets_total, .reorder_ns = reorder_ns(config)},
		.marking = congestion_marking(config),
		.neigh = {.prefix_length = config->prefix_length,
			.entries_max = NEIGHBOURS_LEARNED + (uint32_t)config->neighbour_count},
		.cm = {.ca_guid = ca_guid(&parts->queues[0].io->mac),
			.id_max = ids_max(config->endpoints_max, config->engines),
			.retransmit_ns = (uint64_t)config->connect_retransmit_ms * 1000000,
			.max_retries = config->connect_retries,
			.ack_delay = config->ack_delay,
			.guess_burst = config->guesses_max,
			.guess_interval_ns = (uint64_t)config->guess_interval_ms * 1000000,
			.guess_debt_max_ns = (uint64_t)config->guess_bar_max_ms * 1000000,
			.half_open_max = config->half_open_max,
			.req_rate_per_source = config->connections_per_second,
			.answer_rate = config->answers_per_second,
			.proof_ns = (uint64_t)config->proof_lifetime_s * 1000000000,
			.mra_max_ns = (uint64_t)config->mra_max_ms * 1000000,
			.pmtu_max = wire_pmtu_code(adapter->pmtu_bytes)},
		.ops = events_ops(home),
	};

	/* In the simulator, an adapter has no port. */
	if (parts->port != NULL)
		(void)rte_eth_dev_get_name_by_port(config->port_id, name);
	/* Each engine gets a different random seed. */
	memcpy(engine.seed, parts->seed, sizeof(engine.seed));
	engine.seed[1] ^= (uint8_t)index;
	if (config->gateway.ss_family != 0)
		engine.neigh.has_gateway = address_load((const struct sockaddr *)&config->gateway,
			sizeof(config->gateway), &engine.neigh.gateway, NULL);
	return engine_create(&engine, &home->engine);
}

static enum rc_status
loops_create(struct nd_adapter *adapter, const struct adapter_parts *parts)
{
	struct nd_engine *home;

	adapter->group = engine_group_create(adapter->config.engines);
	if (adapter->group == NULL)
		return RC_NO_RESOURCES;
	ADAPTER_FOREACH_ENGINE (home, adapter) {
		enum rc_status status = loop_create(adapter, parts, home);

		if (status != RC_OK)
			return status;
	}
	adapter->engine = adapter->engines[0].engine;
	return RC_OK;
}

static nd_status
neighbours_add(struct nd_adapter *adapter, const struct nd_adapter_config *config)
{
	for (size_t i = 0; i < config->neighbour_count; i++) {
		const struct nd_neighbour *neighbour = &config->neighbours[i];
		struct rte_ether_addr mac;
		struct wire_gid gid;
		enum rc_status status;

		memcpy(mac.addr_bytes, neighbour->mac, sizeof(mac.addr_bytes));
		if (!address_load((const struct sockaddr *)&neighbour->address,
			    sizeof(neighbour->address), &gid, NULL))
			return ND_INVALID_ADDRESS;
		status = engine_neighbour_add(adapter->engine, &gid, &mac);
		if (status != RC_OK)
			return status_of_call(status);
	}
	return ND_SUCCESS;
}

static void
adapter_destroy(struct nd_adapter *adapter)
{
	/* Destroy the first engine last. */
	for (size_t i = adapter->config.engines; i-- > 0;)
		engine_destroy(adapter->engines[i].engine);
	engine_group_destroy(adapter->group);
	mem_domain_destroy(adapter->mem);
	free(adapter);
}

static nd_status
parts_assemble(struct nd_adapter *adapter, const struct nd_adapter_config *config,
	const struct adapter_parts *parts)
{
	enum rc_status status;

	if (!address_load((const struct sockaddr *)&config->address, sizeof(config->address),
		    &adapter->address, NULL))
		return ND_INVALID_ADDRESS;
	status = memory_create(adapter, parts->seed);
	if (status == RC_OK)
		status = loops_create(adapter, parts);
	return status == RC_OK ? neighbours_add(adapter, config) : status_of_call(status);
}

nd_status
adapter_create(const struct nd_adapter_config *config, const struct adapter_parts *parts,
	struct nd_adapter **adapter_out)
{
	struct nd_adapter *adapter = calloc(1, sizeof(*adapter));
	struct nd_engine *home;
	nd_status status;

	if (adapter == NULL)
		return ND_NO_MEMORY;
	adapter->config = *config;
	adapter->config.neighbours = NULL;
	adapter->config.dcqcn = NULL;
	adapter->config.port_name = adapter->config.name = NULL;
	adapter->cc = congestion_parameters(config, parts->queues[0].io->link_mbps);
	adapter->socket_id = parts->queues[0].io->socket_id;
	adapter->virtual = parts->virtual;
	adapter->pmtu_bytes = config->path_mtu;
	base_list_init(&adapter->registered);
	base_list_init(&adapter->connectors);
	base_list_init(&adapter->listeners);
	ADAPTER_FOREACH_ENGINE (home, adapter) {
		home->adapter = adapter;
		home->pool = parts->queues[home - adapter->engines].pool;
		base_list_init(&home->cqs);
		base_list_init(&home->srqs);
		base_list_init(&home->finished);
		base_list_init(&home->held);
	}
	status = parts_assemble(adapter, config, parts);
	if (nd_failed(status)) {
		adapter_destroy(adapter);
		return status;
	}
	engine_start(adapter->engine);
	engine_transmit(adapter->engine);
	*adapter_out = adapter;
	return ND_SUCCESS;
}

static nd_status
status_of_port(enum port_error error)
{
	switch (error) {
	case PORT_OK:
		return ND_SUCCESS;
	case PORT_IN_USE:
		return ND_SHARING_VIOLATION;
	case PORT_ABSENT:
	case PORT_FAILED:
		return ND_DEVICE_NOT_READY;
	}
	return ND_DEVICE_NOT_READY;
}

/** @return whether mbufs of the application's pool, if there is one, hold this path MTU */
static bool
pool_holds(const struct rte_mempool *pool, uint16_t pmtu)
{
	return pool == NULL ||
		rte_pktmbuf_data_room_size((struct rte_mempool *)(uintptr_t)pool) >=
		engine_room_bytes(pmtu);
}

/** @return largest path MTU that the port and the application's pool allow; 0: none */
static uint16_t
path_mtu_choose(const struct nd_adapter_config *config, uint16_t mtu)
{
	uint16_t pmtu = port_path_mtu(mtu);

	while (pmtu > LIMIT_PMTU_MIN && !pool_holds(config->mbuf_pool, pmtu))
		pmtu /= 2;
	return pmtu;
}

/** Use the application's pool for all engines. */
static nd_status
pool_take(const struct nd_adapter_config *config, struct adapter_parts *parts)
{
	struct rte_mempool *pool = config->mbuf_pool;

	if (!pool_holds(pool, config->path_mtu)) {
		snprintf(adapter_open_why, sizeof(adapter_open_why),
			"buffers of mbuf_pool have %u bytes, but a path MTU of %u needs %u",
			rte_pktmbuf_data_room_size(pool), config->path_mtu,
			engine_room_bytes(config->path_mtu));
		return ND_INVALID_PARAMETER;
	}
	for (uint32_t i = 0; i < config->engines; i++)
		parts->queues[i].pool = pool;
	return ND_SUCCESS;
}

/** Free a pool when all its packets are back. The application's pool is not freed. */
static void
pool_give_up(const struct nd_adapter_config *config, struct rte_mempool *pool)
{
	if (pool != config->mbuf_pool)
		deferred_free_add(pool);
}

/** @return whether DPDK has loaded the plugin with this mempool driver */
static bool
mempool_driver_loaded(const char *name)
{
	for (uint32_t i = 0; i < rte_mempool_ops_table.num_ops; i++)
		if (strcmp(rte_mempool_ops_table.ops[i].name, name) == 0)
			return true;
	return false;
}

nd_status
adapter_pool_refused(const struct nd_adapter_config *config)
{
	const int error = rte_errno;
	const char *driver = rte_mbuf_best_mempool_ops(); /* sets rte_errno */

	if (error == ENOMEM) {
		snprintf(adapter_open_why, sizeof(adapter_open_why),
			"no memory for %u packet buffers of path MTU %u for each engine",
			config->mbuf_count, config->path_mtu);
		return ND_NO_MEMORY;
	}
	if (!mempool_driver_loaded(driver))
		snprintf(adapter_open_why, sizeof(adapter_open_why),
			"cannot create the packet buffer pool, because DPDK has not loaded the "
			"mempool driver %s: install DPDK's mempool drivers, or load the driver's "
			"file with EAL's -d",
			driver);
	else
		snprintf(adapter_open_why, sizeof(adapter_open_why),
			"cannot create the packet buffer pool: %s", rte_strerror(error));
	return ND_DEVICE_NOT_READY;
}

/** Choose the path MTU, and create pools with mbufs large enough for it. */
static nd_status
pools_create(struct nd_adapter_config *config, struct adapter_parts *parts)
{
	uint16_t mtu;
	int socket_id;

	if (port_query(config->port_id, &mtu, &socket_id) != PORT_OK) {
		snprintf(adapter_open_why, sizeof(adapter_open_why), "port %u no longer exists",
			config->port_id);
		return ND_DEVICE_NOT_READY;
	}
	if (config->path_mtu == 0)
		config->path_mtu = path_mtu_choose(config, mtu);
	else if (config->port_configured && config->path_mtu > port_path_mtu(mtu)) {
		snprintf(adapter_open_why, sizeof(adapter_open_why),
			"port %u is configured with an MTU of %u, too small for a path MTU of %u",
			config->port_id, mtu, config->path_mtu);
		return ND_INVALID_PARAMETER;
	}
	if (config->path_mtu == 0) {
		snprintf(adapter_open_why, sizeof(adapter_open_why),
			"port %u has an MTU of %u, but RoCE needs at least %u", config->port_id,
			mtu, LIMIT_PMTU_MIN + PORT_HEADER_BYTES_MAX);
		return ND_DEVICE_NOT_READY;
	}
	if (config->mbuf_pool != NULL)
		return pool_take(config, parts);
	for (uint32_t i = 0; i < config->engines; i++) {
		parts->queues[i].pool =
			engine_pool_create(config->mbuf_count, config->path_mtu, socket_id);
		if (parts->queues[i].pool == NULL)
			return adapter_pool_refused(config);
	}
	return ND_SUCCESS;
}

static nd_status
port_attach(const struct nd_adapter_config *config, struct adapter_parts *parts, struct port **port)
{
	struct port_config port_config = {
		.port_id = config->port_id,
		.queue_id = config->queue_id,
		.queue_count = (uint16_t)config->engines,
		.configured = config->port_configured,
		.input_only = config->input_only,
		.interrupts = config->rx_interrupts,
		.transmit = config->transmit,
		.transmit_arg = config->transmit_arg,
		.own = config->own_port,
		.mtu = (uint16_t)(config->path_mtu + PORT_HEADER_BYTES_MAX),
		.v6 = ((const struct sockaddr *)&config->address)->sa_family == AF_INET6,
	};
	nd_status status;

	for (uint32_t i = 0; i < config->engines; i++)
		port_config.pools[i] = parts->queues[i].pool;
	status = status_of_port(
		port_open(&port_config, port, adapter_open_why, sizeof(adapter_open_why)));
	if (nd_failed(status))
		return status;
	for (uint32_t i = 0; i < config->engines; i++)
		parts->queues[i].io = port_get_io(*port, i);
	/* Without random numbers the adapter is not opened (SEC-008). */
	if (getrandom(parts->seed, sizeof(parts->seed), 0) != sizeof(parts->seed)) {
		snprintf(adapter_open_why, sizeof(adapter_open_why),
			"the system provides no random numbers");
		return ND_DEVICE_NOT_READY;
	}
	return ND_SUCCESS;
}

void
adapter_create_error(const struct nd_adapter_config *config, nd_status status)
{
	if (status == ND_INVALID_ADDRESS || status == ND_INVALID_PARAMETER)
		snprintf(adapter_open_why, sizeof(adapter_open_why),
			"the prefix length does not match address or gateway, or a static "
			"neighbour is not valid");
	else
		snprintf(adapter_open_why, sizeof(adapter_open_why),
			"no memory for %u endpoints, %u regions and %u windows",
			config->endpoints_max, config->regions_max, config->windows_max);
}

static nd_status
open_checked(struct nd_adapter_config *config, struct nd_adapter **adapter)
{
	struct adapter_parts parts = {0};
	struct port *port = NULL;
	nd_status status;

	deferred_free_sweep();
	status = pools_create(config, &parts);
	if (!nd_failed(status))
		status = port_attach(config, &parts, &port);
	/* Free pools of closed adapters: drivers return their buffers when they get new pools. */
	deferred_free_sweep();
	if (!nd_failed(status)) {
		parts.clock = engine_clock_tsc();
		parts.port = port;
		status = adapter_create(config, &parts, adapter);
		if (nd_failed(status))
			adapter_create_error(config, status);
	}
	if (nd_failed(status)) {
		port_close(port);
		for (uint32_t i = 0; i < LIMIT_ENGINES; i++)
			pool_give_up(config, parts.queues[i].pool);
		return status;
	}
	(*adapter)->port = port;
	return ND_SUCCESS;
}

/** Add an open adapter to the registry. Fails if another open adapter has this name. */
static nd_status
enlist(struct nd_adapter *opened, const char *name, struct nd_adapter **adapter)
{
	snprintf(opened->name, sizeof(opened->name), "%s", name);
	if (!registry_add(opened)) {
		nd_adapter_close(opened);
		snprintf(adapter_open_why, sizeof(adapter_open_why),
			"an open adapter already has the name %s: choose another name", name);
		return ND_SHARING_VIOLATION;
	}
	telemetry_start();
	*adapter = opened;
	return ND_SUCCESS;
}

nd_status
nd_adapter_open_sized(
	const struct nd_adapter_config *config, size_t size, struct nd_adapter **adapter)
{
	struct nd_adapter_config checked;
	struct nd_adapter *opened = NULL;
	char name[NAME_BYTES];
	nd_status status;
	int state;

	adapter_open_why[0] = '\0';
	if (config == NULL || adapter == NULL) {
		snprintf(adapter_open_why, sizeof(adapter_open_why), "%s is NULL",
			config == NULL ? "config" : "adapter");
		return ND_INVALID_PARAMETER;
	}
	if (rte_eal_process_type() == RTE_PROC_SECONDARY) {
		/* A secondary process would use the names of the primary's rings and pools. */
		snprintf(adapter_open_why, sizeof(adapter_open_why),
			"a secondary process of DPDK cannot open adapters: open them in the "
			"primary process");
		return ND_NOT_SUPPORTED;
	}
	/* Disable cancellation, because EAL and the driver access files while they hold locks. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	status = adapter_config_read(&checked, config, size, adapter_open_why);
	if (!nd_failed(status))
		status = adapter_config_check(&checked, adapter_open_why, sizeof(adapter_open_why));
	if (!nd_failed(status))
		status = name_resolve(&checked, name, adapter_open_why, sizeof(adapter_open_why));
	if (!nd_failed(status))
		status = open_checked(&checked, &opened);
	if (!nd_failed(status))
		status = enlist(opened, name, adapter);
	/* Log at level INFO only, because the caller gets the reason and reports it. */
	if (nd_failed(status))
		rte_log(RTE_LOG_INFO, adapter_log, "adapter not opened: %s\n", adapter_open_why);
	pthread_setcancelstate(state, NULL);
	return status;
}

/**
 * Report finished operations to their owners. A callback of one engine may finish operations of
 * another engine, so repeat until none is left.
 */
static void
operations_tell(struct nd_adapter *adapter)
{
	struct nd_engine *home;
	bool more = true;

	while (more) {
		more = false;
		ADAPTER_FOREACH_ENGINE (home, adapter) {
			more = more || !base_list_empty(&home->finished);
			overlapped_settle(home);
		}
	}
}

/**
 * Cancel all pending operations and report this to their owners. The objects still exist at this
 * time, because a callback may use and release any object. Callbacks cannot begin new operations.
 */
static void
operations_cancel(struct nd_adapter *adapter)
{
	struct nd_engine *home;
	struct base_list *node;

	adapter->closing = true;
	BASE_LIST_FOREACH (node, &adapter->listeners)
		listener_cancel(base_list_entry(node, struct nd_listener, node));
	BASE_LIST_FOREACH (node, &adapter->connectors) {
		connector_cancel(base_list_entry(node, struct nd_connector, node));
		engine_transmit(adapter->engine);
	}
	ADAPTER_FOREACH_ENGINE (home, adapter) {
		BASE_LIST_FOREACH (node, &home->cqs)
			cq_cancel(base_list_entry(node, struct nd_cq, node));
		BASE_LIST_FOREACH (node, &home->srqs)
			srq_cancel(base_list_entry(node, struct nd_srq, node));
	}
	operations_tell(adapter);
}

static void
connector_free(struct nd_connector *connector)
{
	if (connector->endpoint != NULL)
		endpoint_close(connector->endpoint);
	connector_close(connector);
}

/** Free the objects that the application has not released. No operation is pending. */
static void
objects_close(struct nd_adapter *adapter)
{
	struct nd_engine *home;
	struct base_list *node;

	while ((node = base_list_first(&adapter->listeners)) != NULL)
		listener_close(base_list_entry(node, struct nd_listener, node));
	while ((node = base_list_first(&adapter->connectors)) != NULL) {
		connector_free(base_list_entry(node, struct nd_connector, node));
		/*
		 * Transmit after each object, because the output queue cannot hold the DREQs of all
		 * connections.
		 */
		engine_transmit(adapter->engine);
	}
	ADAPTER_FOREACH_ENGINE (home, adapter) {
		while ((node = base_list_first(&home->cqs)) != NULL)
			cq_close(base_list_entry(node, struct nd_cq, node));
		while ((node = base_list_first(&home->srqs)) != NULL)
			srq_close(base_list_entry(node, struct nd_srq, node));
		BASE_ASSERT(base_list_empty(&home->finished));
	}
}

/** Take the ownership of all engines. From now on no other thread uses the engines. */
static void
engines_take(struct nd_adapter *adapter)
{
	struct nd_engine *home;

	ADAPTER_FOREACH_ENGINE (home, adapter)
		nd_engine_stop(home);
	ADAPTER_FOREACH_ENGINE (home, adapter) {
		BASE_ASSERT(!overlapped_telling(adapter) && !engine_in_turn(home->engine));
		engine_own(home->engine);
	}
}

void
nd_adapter_close(struct nd_adapter *adapter)
{
	struct rte_mempool *pools[LIMIT_ENGINES] = {NULL};
	struct nd_adapter_config config;
	struct adapter_virtual *virtual;
	struct port *port;
	int state;

	if (adapter == NULL)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	registry_remove(adapter);
	engines_take(adapter);
	operations_cancel(adapter);
	objects_close(adapter);
	for (uint32_t i = 0; i < adapter->config.engines; i++)
		pools[i] = adapter->engines[i].pool;
	port = adapter->port;
	virtual = adapter->virtual;
	config = adapter->config;
	adapter_destroy(adapter);
	port_close(port);
	free(virtual);
	/*
	 * Free the pools now, because most drivers have returned their packets when the port is
	 * closed.
	 */
	for (uint32_t i = 0; i < LIMIT_ENGINES; i++)
		pool_give_up(&config, pools[i]);
	deferred_free_sweep();
	pthread_setcancelstate(state, NULL);
}
