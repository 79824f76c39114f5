/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ADAPTER_INTERNAL_H
#define NDPDK_ND_ADAPTER_INTERNAL_H

#include <stdbool.h>

#include <ndpdk/nd.h>

#include "engine/control.h"
#include "base/assert.h"
#include "base/limits.h"
#include "nd/overlapped.h"

/*
 * What is behind the handles of one adapter. Everything belongs to the engine's thread, but for
 * memory.
 */

/** Largest requests of an adapter, as nd_adapter_query() tells them. */
#define ADAPTER_QUEUE_ENTRIES_MAX   32768
#define ADAPTER_CQ_ENTRIES_MAX      (1 << 19)
#define ADAPTER_LARGE_REQUEST_BYTES 16384
/** Ports that the adapter chooses from, for a 0 (ND-178). */
#define ADAPTER_PORT_FIRST          49152
#define ADAPTER_PORT_COUNT          16384

struct nd_engine {
	struct engine *engine;
	struct nd_adapter *adapter;
	bool launched;
	bool stop; /**< atomic: set by nd_engine_stop(), read by the lcore */
	unsigned int lcore_id;
	nd_engine_loop_fn loop;
	void *loop_arg;
};

struct nd_adapter {
	struct nd_engine handle;
	struct engine *engine;
	struct nd_adapter_config config; /**< defaults filled in; neighbours not kept */
	struct wire_gid address;
	uint16_t pmtu_bytes;
	struct port *port; /**< NULL when io is somebody else's */
	const struct port_io *io;
	struct rte_mempool *pool;
	struct mem_domain *mem;
	struct base_random mem_random; /**< under the domain's writer lock */
	struct base_list cqs;
	struct base_list connectors;
	struct base_list listeners;
	struct base_list finished;      /**< operations whose owners are to be told */
	struct base_list deregistering; /**< wait for readers; overlapped_core.object is a token */
	struct base_list revoking;      /**< likewise: all windows of some memory invalidated */
	bool settling;
	bool closing; /**< nd_adapter_close() tells owners: nothing is made or begun any more */
};

/** What a simulator gives an adapter in place of a port, the clock and the system's randomness. */
struct adapter_parts {
	const struct port_io *io;
	struct rte_mempool *pool; /**< of engine_pool_create(); freed with the adapter */
	struct engine_clock clock;
	uint8_t seed[BASE_RANDOM_SEED_BYTES];
};

/**
 * Make an adapter on given parts; nd_adapter_open() does so on a port. The ports of config are not
 * looked at; its path_mtu must be set, and every other value checked. The parts stay the caller's
 * when it fails.
 */
nd_status adapter_create(const struct nd_adapter_config *config, const struct adapter_parts *parts,
	struct nd_adapter **adapter);

/** Fill in defaults and check every value. why gets one sentence when the result is a failure. */
nd_status adapter_config_check(struct nd_adapter_config *config, char *why, size_t size);

/**
 * @return whether the device is gone (ND-003), or the adapter is being closed: nothing can be made
 *         any more, only released.
 */
static inline bool
adapter_removed(const struct nd_adapter *adapter)
{
	return adapter->closing || (adapter->port != NULL && port_removed(adapter->port));
}

/** Tell owners of finished operations, unless a turn of the engine is under way and will do it. */
static inline void
adapter_settle(struct nd_adapter *adapter)
{
	if (unlikely(!base_list_empty(&adapter->finished)) && !engine_in_turn(adapter->engine))
		overlapped_settle(adapter);
}

/** Look whether deregistrations, and invalidations of all windows of some memory, are complete. */
void adapter_deregister_tick(struct nd_adapter *adapter);

static inline const struct mem_region *
region_of(const struct nd_mr *mr)
{
	return (const struct mem_region *)mr;
}

/** nd_mr and nd_mw are the memory index's own handles: any pointer value is safe to check there. */
static inline struct mem_region *
region_handle(struct nd_mr *mr)
{
	return (struct mem_region *)mr;
}

static inline struct mem_window *
window_handle(struct nd_mw *mw)
{
	return (struct mem_window *)mw;
}

#endif
