/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_LOOP_PAIR_H
#define NDPDK_BENCH_LOOP_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

/*
 * Two adapters of one process, connected by two rings. Usually the adapters are created through the
 * public API. A repeatable pair is created from internal parts, as in the simulator, so that each
 * run is the same. Side 0 posts requests. It may access the whole memory of side 1 through a
 * window.
 */

#define LOOP_DEPTH_MAX   64
/** Maximum payload of a packet, in bytes; default of memory_bytes. */
#define LOOP_PATH_MTU    4096
/** Value of windows_max for pairs that need only a few windows. */
#define LOOP_WINDOWS_FEW 64
#define LOOP_ENGINES_MAX 16

struct rte_ring;

struct loop_link {
	struct nd_connector *connectors[2];
	struct nd_endpoint *endpoints[2];
	/** window through which side 0 accesses the memory of side 1 */
	struct nd_mw_descriptor window;
};

struct loop_side {
	uint16_t port_id;
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct nd_mr *mr;
	struct nd_cq *inbound;
	struct nd_cq *outbound;
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;
	uint8_t *memory; /**< registered memory, loop_pair.memory_bytes long */
};

struct loop_pair {
	struct loop_side side[2];
	/** window of the first connection, through which side 0 accesses the memory of side 1 */
	struct nd_mw_descriptor window;
	/** shared receive queue of side 1; NULL before loop_pair_share() */
	struct nd_srq *srq;
	struct loop_link shared; /**< connection whose receives are in `srq` */
	/** Set before opening: true means that each run has the same times and random numbers. */
	bool repeatable;
	uint64_t now_ns; /**< current time of a repeatable pair */
	/** Set before opening: maximum number of connections; 0 = LINKS_FEW. */
	uint32_t links_max;
	/** Set before opening: loss recovery of both adapters. */
	enum nd_recovery recovery;
	/**
	 * Set before opening: registered memory per side, and maximum message, in bytes. 0 =
	 * LOOP_PATH_MTU.
	 */
	uint32_t memory_bytes;
	/**
	 * Set before opening: length of each request, receive and completion queue. 0 =
	 * LOOP_DEPTH_MAX.
	 */
	uint32_t entries;
	/** Set before opening: number of packet buffers of each engine. 0 = 2047. */
	uint32_t mbuf_count;
	/**
	 * Set before opening: number of engines per adapter, each with a separate port queue; 0 =
	 * 1. The pair uses the first engine of each adapter. loop_pair_join() makes pairs of the
	 * other engines.
	 */
	uint32_t engines;
	/** Set before opening: one thread uses the engines of all pairs of these adapters. */
	bool one_thread;
	const struct loop_pair *first;
	uint16_t queue_id; /**< queue of the port that the engines of the pair use */
	/** results of outstanding requests, per side */
	struct nd_result results[2][LOOP_DEPTH_MAX];
	struct nd_listener *listener; /**< listener of side 1 */
	uint16_t listen_port;
	/** rings[i][q]: ring from which queue q of side i receives; NULL in a joined pair */
	struct rte_ring *rings[2][LOOP_ENGINES_MAX];
};

/**
 * Open and connect a pair. EAL must be running. End the process on failure.
 * @param windows_max maximum number of windows of side 0
 */
void loop_pair_open(struct loop_pair *pair, uint32_t windows_max);

/**
 * Make a pair from two engines of the first pair's adapters. Call this function on the thread that
 * will use the new pair, while another thread polls the engines of the first pair. With one_thread,
 * the function polls the engines of the first pair itself. Members "Set before opening" are copied
 * from the first pair.
 * @param index index of the engine in each adapter
 */
void loop_pair_join(struct loop_pair *pair, const struct loop_pair *first, uint16_t index);

/**
 * Create a connector and its endpoint at one side, without connecting them.
 *
 * @param entries length of the endpoint's queues
 */
void loop_pair_endpoint(
	struct loop_pair *pair, unsigned int number, uint32_t entries, struct loop_link *link);

/**
 * Make one more connection. All connections together must not have more than LOOP_DEPTH_MAX
 * outstanding requests.
 * @param entries length of the endpoints' queues
 */
void loop_pair_connect(struct loop_pair *pair, uint32_t entries, struct loop_link *link);

/** Make the connection `shared` unless it exists. */
void loop_pair_share(struct loop_pair *pair);

void loop_pair_quiet(struct loop_pair *pair);

#endif
