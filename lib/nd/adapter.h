/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ADAPTER_INTERNAL_H
#define NDPDK_ND_ADAPTER_INTERNAL_H

#include <stdbool.h>

#include <ndpdk/nd.h>
#include <ndpdk/nd_end.h>

#include "engine/control.h"
#include "base/assert.h"
#include "base/limits.h"
#include "nd/name.h"
#include "nd/overlapped.h"

/*
 * The objects to which the handles of one adapter point. Connectors and listeners are used only on
 * the thread of the adapter's first engine. Completion queues and queue pairs are used only on the
 * thread of the engine on which they were created: their home. The memory index is thread safe. A
 * call that concerns the threads of two engines runs on one after the other (call.h).
 */

/** Limits that nd_adapter_query() reports. */
#define ADAPTER_QUEUE_ENTRIES_MAX   32768
#define ADAPTER_CQ_ENTRIES_MAX      (1 << 21)
#define ADAPTER_LARGE_REQUEST_BYTES 16384
/** Range from which the adapter chooses a port if the application gives port 0 (ND-178). */
#define ADAPTER_PORT_FIRST          49152
#define ADAPTER_PORT_COUNT          16384
#define ADAPTER_KEEPALIVE_MS_MAX    86400000u
/** Smallest peer_timeout_ms. connect_retransmit_ms is peer_timeout_ms / 16 and must not be 0. */
#define ADAPTER_PEER_TIMEOUT_MS_MIN 20u

struct nd_engine {
	struct engine *engine;
	struct nd_adapter *adapter;
	/** finished operations of objects on this engine; overlapped_settle() reports them */
	struct base_list finished;
	/**
	 * operations that finished during a call which is still running; reported after that call,
	 * or by the next call
	 */
	struct base_list held;
	struct base_list cqs;
	struct base_list srqs;
	struct rte_mempool *pool;
	bool launched; /**< whether an lcore runs the engine; atomic */
	bool stop;     /**< atomic: set by nd_engine_stop(), read by the lcore */
	unsigned int lcore_id;
	nd_engine_loop_fn loop;
	void *loop_arg;
};

struct nd_adapter {
	struct nd_engine engines[LIMIT_ENGINES]; /**< the first config.engines entries are used */
	struct engine *engine;                   /**< engines[0].engine */
	struct engine_group *group;
	/** with defaults filled in; neighbours, dcqcn, port_name and name are NULL */
	struct nd_adapter_config config;
	struct cc_parameters cc; /**< congestion control of all endpoints */
	struct wire_gid address;
	uint16_t pmtu_bytes;
	struct port *port; /**< NULL if the frames do not go through a port, as in the simulator */
	int socket_id;     /**< NUMA node of the port */
	struct mem_domain *mem;
	struct base_random mem_random; /**< protected by the writer lock of mem */
	struct base_list connectors;
	struct base_list listeners;
	/** connections and attempts that ended, by reason; written on the first engine */
	uint64_t ends[ND_END_REASONS];
	/**
	 * set by nd_adapter_close(); objects can no longer be created, operations no longer begun
	 */
	bool closing;
	/** node in the registry, which gives the adapter its number */
	struct base_list registered;
	uint32_t number;
	char name[NAME_BYTES]; /**< unique among the open adapters; "" without a port */
	/** replaces the port; NULL: none; allocated with malloc() */
	struct adapter_virtual *virtual;
};

/** Parts of an adapter. The simulator passes its own port functions, clock and random seed. */
struct adapter_parts {
	struct {
		const struct port_io *io;
		struct rte_mempool *pool; /**< from engine_pool_create(); freed with the adapter */
	} queues[LIMIT_ENGINES];
	struct engine_clock clock;
	struct port *port;               /**< NULL: io does not belong to a port */
	struct adapter_virtual *virtual; /**< owner of io, freed with the adapter; NULL: none */
	uint8_t seed[BASE_RANDOM_SEED_BYTES];
};

/**
 * Create an adapter from these parts. nd_adapter_open() passes the parts of a port. The port
 * members of config are not used. path_mtu must be set, and all values must have been checked. On
 * failure the caller keeps the parts.
 */
nd_status adapter_create(const struct nd_adapter_config *config, const struct adapter_parts *parts,
	struct nd_adapter **adapter);

/** Why the last call on this thread that opens an adapter failed: nd_adapter_open_error(). */
#define ADAPTER_WHY_BYTES 400
extern _Thread_local char adapter_open_why[ADAPTER_WHY_BYTES];

/**
 * Write to adapter_open_why why engine_pool_create() failed, from rte_errno.
 * @return status of nd_adapter_open()
 */
nd_status adapter_pool_refused(const struct nd_adapter_config *config);

/** Write to adapter_open_why why adapter_create() failed although each value is valid. */
void adapter_create_error(const struct nd_adapter_config *config, nd_status status);

/**
 * Copy the caller's configuration, whose structure has size bytes.
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_2: it sets members that this library does not have;
 *         why has the reason, of ADAPTER_WHY_BYTES
 */
nd_status adapter_config_read(struct nd_adapter_config *own, const struct nd_adapter_config *config,
	size_t size, char *why);

/**
 * Fill in defaults and check every value.
 * @param why out, on failure: one sentence that names the cause
 */
nd_status adapter_config_check(struct nd_adapter_config *config, char *why, size_t size);

/**
 * @return whether the device was removed (ND-003) or the adapter is being closed. Objects can then
 *         be released, but not created.
 */
static inline bool
adapter_removed(const struct nd_adapter *adapter)
{
	return adapter->closing || (adapter->port != NULL && port_removed(adapter->port));
}

/**
 * Report finished operations to their owners now. Within a turn of the engine, they are reported at
 * the end of the turn.
 */
static inline void
home_settle(struct nd_engine *home)
{
	if (unlikely(!base_list_empty(&home->finished)) && !engine_in_turn(home->engine))
		overlapped_settle(home);
}

/** Loop over the engines of an adapter. */
#define ADAPTER_FOREACH_ENGINE(home, adapter)                                                      \
	for ((home) = (adapter)->engines; (home) < (adapter)->engines + (adapter)->config.engines; \
		(home)++)

static inline const struct mem_region *
region_of(const struct nd_mr *mr)
{
	return (const struct mem_region *)mr;
}

/**
 * The handle of a region or window is its pointer in the memory index, which can check any pointer
 * value safely.
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
