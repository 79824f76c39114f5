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
 * thread of their home, the engine on which they were created. Any thread may use the memory index.
 * A call that concerns the threads of two engines runs on one after the other (call.h).
 */

/** Limits that nd_adapter_query() reports. */
#define ADAPTER_QUEUE_ENTRIES_MAX   32768
#define ADAPTER_CQ_ENTRIES_MAX      (1 << 21)
#define ADAPTER_LARGE_REQUEST_BYTES 16384
/** Range of ports from which the adapter chooses if the application passes port 0 (ND-178). */
#define ADAPTER_PORT_FIRST          49152
#define ADAPTER_PORT_COUNT          16384
#define ADAPTER_KEEPALIVE_MS_MAX    86400000u
/** Smallest peer_timeout_ms. connect_retransmit_ms is peer_timeout_ms / 16 and must not be 0. */
#define ADAPTER_PEER_TIMEOUT_MS_MIN 20u

struct nd_engine {
	struct engine *engine;
	struct nd_adapter *adapter;
	/**
	 * Finished operations of this engine's objects. overlapped_settle() reports them to their
	 * owners.
	 */
	struct base_list finished;
	/**
	 * Operations that finished during a call that has not returned yet. They are reported after
	 * that call, or by the next call.
	 */
	struct base_list held;
	struct base_list cqs;
	struct base_list srqs;
	struct rte_mempool *pool;
	bool launched; /**< true if an lcore runs the engine; atomic */
	bool stop;     /**< true: the lcore must end its loop (nd_engine_stop()); atomic */
	unsigned int lcore_id;
	nd_engine_loop_fn loop;
	void *loop_arg;
};

struct nd_adapter {
	struct nd_engine engines[LIMIT_ENGINES]; /**< the first config.engines are used */
	struct engine *engine;                   /**< engines[0].engine */
	struct engine_group *group;
	/**
	 * Configuration with defaults filled in. neighbours, dcqcn, port_name and name are NULL.
	 */
	struct nd_adapter_config config;
	struct cc_parameters cc; /**< congestion control of all endpoints */
	struct wire_gid address;
	uint16_t pmtu_bytes;
	struct port *port; /**< NULL if frames do not go through a port, as in the simulator */
	int socket_id;     /**< NUMA node of the port */
	struct mem_domain *mem;
	/** Random generator of mem. Protected by the writer lock of mem. */
	struct base_random mem_random;
	struct base_list connectors;
	struct base_list listeners;
	/**
	 * Number of connections and attempts that ended, by reason. Written by the first engine.
	 */
	uint64_t ends[ND_END_REASONS];
	/**
	 * Set by nd_adapter_close(). Objects can no longer be created, and operations no longer
	 * begin.
	 */
	bool closing;
	/** Entry in the registry, which assigns the adapter's number. */
	struct base_list registered;
	uint32_t number;
	char name[NAME_BYTES]; /**< name, unique among the open adapters; empty without a port */
	/** Virtual adapter that replaces the port; NULL: none. Allocated with malloc(). */
	struct adapter_virtual *virtual;
};

/**
 * Parts from which an adapter is created. The simulator passes its own port functions, clock and
 * seed.
 */
struct adapter_parts {
	struct {
		const struct port_io *io;
		/** Pool of engine_pool_create(), freed together with the adapter. */
		struct rte_mempool *pool;
	} queues[LIMIT_ENGINES];
	struct engine_clock clock;
	struct port *port; /**< port of io; NULL: io has no port */
	/** Virtual adapter that owns io, freed with the adapter. NULL: none. */
	struct adapter_virtual *virtual;
	uint8_t seed[BASE_RANDOM_SEED_BYTES];
};

/**
 * Create an adapter from the given parts. nd_adapter_open() passes the parts of a port. The port
 * members of config are not used. path_mtu must be set, and all values must have been checked. On
 * failure the caller keeps the parts.
 */
nd_status adapter_create(const struct nd_adapter_config *config, const struct adapter_parts *parts,
	struct nd_adapter **adapter);

/**
 * Reason why the last attempt of this thread to open an adapter failed; see
 * nd_adapter_open_error().
 */
#define ADAPTER_WHY_BYTES 400
extern _Thread_local char adapter_open_why[ADAPTER_WHY_BYTES];

/**
 * Write to adapter_open_why the reason why engine_pool_create() failed. Reads rte_errno.
 * @return status that nd_adapter_open() returns
 */
nd_status adapter_pool_refused(const struct nd_adapter_config *config);

/**
 * Write to adapter_open_why the reason why adapter_create() failed although each value is valid.
 */
void adapter_create_error(const struct nd_adapter_config *config, nd_status status);

/**
 * Copy the application's configuration, a structure of size bytes, to own.
 * @param why out, on failure: the reason, in a buffer of ADAPTER_WHY_BYTES
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_2: the configuration sets members that this library
 *         does not have
 */
nd_status adapter_config_read(struct nd_adapter_config *own, const struct nd_adapter_config *config,
	size_t size, char *why);

/**
 * Fill in defaults and check every value.
 * @param why out, on failure: one sentence that names the cause
 */
nd_status adapter_config_check(struct nd_adapter_config *config, char *why, size_t size);

/**
 * @return whether the device was removed (ND-003) or the adapter is being closed. If so, objects
 * can be released but not created.
 */
static inline bool
adapter_removed(const struct nd_adapter *adapter)
{
	return adapter->closing || (adapter->port != NULL && port_removed(adapter->port));
}

/**
 * Report finished operations to their owners now. If the engine is in a turn, this is done at the
 * end of the turn.
 */
static inline void
home_settle(struct nd_engine *home)
{
	if (unlikely(!base_list_empty(&home->finished)) && !engine_in_turn(home->engine))
		overlapped_settle(home);
}

#define ADAPTER_FOREACH_ENGINE(home, adapter)                                                      \
	for ((home) = (adapter)->engines; (home) < (adapter)->engines + (adapter)->config.engines; \
		(home)++)

static inline const struct mem_region *
region_of(const struct nd_mr *mr)
{
	return (const struct mem_region *)mr;
}

/**
 * Convert a handle of the API to a pointer into the memory index. The index can check any pointer
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
