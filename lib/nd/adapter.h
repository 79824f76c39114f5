/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ADAPTER_INTERNAL_H
#define NDPDK_ND_ADAPTER_INTERNAL_H

#include <stdbool.h>

#include <ndpdk/nd.h>

#include "engine/control.h"
#include "base/assert.h"
#include "base/limits.h"
#include "nd/name.h"
#include "nd/overlapped.h"

/*
 * The objects behind the handles of one adapter. Connectors and listeners are used on the thread of
 * the adapter's first engine only; completion queues and queue pairs on that of the engine they are
 * made on, their home. Memory has an index that takes calls of any thread. Calls that concern both
 * threads go from one to the other (call.h).
 */

/** Limits that nd_adapter_query() reports. */
#define ADAPTER_QUEUE_ENTRIES_MAX   32768
#define ADAPTER_CQ_ENTRIES_MAX      (1 << 21)
#define ADAPTER_LARGE_REQUEST_BYTES 16384
/** Ports that the adapter chooses from when the application gives 0 (ND-178). */
#define ADAPTER_PORT_FIRST          49152
#define ADAPTER_PORT_COUNT          16384
#define ADAPTER_KEEPALIVE_MS_MAX    86400000u
/** Least peer_timeout_ms: connect_retransmit_ms is a sixteenth of it, and must not be 0. */
#define ADAPTER_PEER_TIMEOUT_MS_MIN 20u

struct nd_engine {
	struct engine *engine;
	struct nd_adapter *adapter;
	/** finished operations of its objects, which overlapped_settle() will report */
	struct base_list finished;
	/** finished in a call that is not over yet: told behind it, or by the next call */
	struct base_list held;
	struct base_list cqs;
	struct base_list srqs;
	struct rte_mempool *pool;
	bool launched; /**< atomic */
	bool stop;     /**< atomic: set by nd_engine_stop(), read by the lcore */
	unsigned int lcore_id;
	nd_engine_loop_fn loop;
	void *loop_arg;
};

struct nd_adapter {
	struct nd_engine engines[LIMIT_ENGINES]; /**< config.engines of them */
	struct engine *engine;                   /**< the first one's */
	struct engine_group *group;
	struct nd_adapter_config config; /**< with defaults filled in; its pointers are NULL */
	struct cc_parameters cc;         /**< of all endpoints */
	struct wire_gid address;
	uint16_t pmtu_bytes;
	struct port *port; /**< NULL when io is not of a port, as in the simulator */
	int socket_id;     /**< of the port */
	struct mem_domain *mem;
	struct base_random mem_random; /**< used under the domain's writer lock */
	struct base_list connectors;
	struct base_list listeners;
	uint64_t ends[ND_END_REASONS]; /**< of connections, by reason; on the first engine */
	bool closing; /**< set by nd_adapter_close(): nothing is made or begun any more */
	struct base_list registered; /**< in the registry, with number */
	uint32_t number;
	char name[NAME_BYTES];           /**< as no other open adapter has it; "" without a port */
	struct adapter_virtual *virtual; /**< in place of the port; NULL: none; of malloc() */
};

/** What a simulator gives an adapter in place of a port, the clock and the system's randomness. */
struct adapter_parts {
	struct {
		const struct port_io *io;
		struct rte_mempool *pool; /**< of engine_pool_create(); freed with the adapter */
	} queues[LIMIT_ENGINES];
	struct engine_clock clock;
	struct port *port;               /**< NULL: io is not of a port */
	struct adapter_virtual *virtual; /**< io is of this; freed with the adapter; or NULL */
	uint8_t seed[BASE_RANDOM_SEED_BYTES];
};

/**
 * Make an adapter on given parts; nd_adapter_open() does so on a port. The port members of config
 * are not used; its path_mtu must be set, and every value must have been checked. When this fails
 * the parts stay the caller's.
 */
nd_status adapter_create(const struct nd_adapter_config *config, const struct adapter_parts *parts,
	struct nd_adapter **adapter);

/** Why the last call that opens an adapter failed on this thread: nd_adapter_open_error(). */
#define ADAPTER_WHY_BYTES 400
extern _Thread_local char adapter_open_why[ADAPTER_WHY_BYTES];

/** Explain from rte_errno why engine_pool_create() failed. @return status of nd_adapter_open() */
nd_status adapter_pool_refused(const struct nd_adapter_config *config);

/** Write there why adapter_create() refused values that are valid one by one. */
void adapter_create_error(const struct nd_adapter_config *config, nd_status status);

/**
 * Fill in defaults and check every value.
 * @param why out, on failure: one sentence that names the cause
 */
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

/**
 * Tell the owners of finished operations now; within a turn of the engine, at the end of the turn.
 */
static inline void
home_settle(struct nd_engine *home)
{
	if (unlikely(!base_list_empty(&home->finished)) && !engine_in_turn(home->engine))
		overlapped_settle(home);
}

/** For loops over the engines of an adapter. */
#define ADAPTER_FOREACH_ENGINE(home, adapter)                                                      \
	for ((home) = (adapter)->engines; (home) < (adapter)->engines + (adapter)->config.engines; \
		(home)++)

static inline const struct mem_region *
region_of(const struct nd_mr *mr)
{
	return (const struct mem_region *)mr;
}

/**
 * Handles of regions and windows are those of the memory index, which checks any pointer value
 * safely.
 */
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
