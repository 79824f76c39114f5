/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_LOOP_PAIR_H
#define NDPDK_BENCH_LOOP_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

/*
 * Two adapters of one process, connected over two rings, made through the public API; where they
 * shall do the same in each run, from the parts that the simulator makes its adapters of. Side 0
 * posts requests; side 1's whole memory is open to it through a window.
 */

/** Most requests outstanding. */
#define LOOP_DEPTH_MAX   64
/** Payload of the largest packet; memory of either side, if not said otherwise. */
#define LOOP_PATH_MTU    4096
/** Windows that a side can have when it needs next to none. */
#define LOOP_WINDOWS_FEW 64
/** Engines of an adapter. */
#define LOOP_ENGINES_MAX 16

/** One connection of a pair. */
struct loop_link {
	struct nd_connector *connectors[2];
	struct nd_endpoint *endpoints[2];
	struct nd_mw_descriptor window; /**< of side 1's memory */
};

struct loop_side {
	uint16_t port_id;
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct nd_mr *mr;
	struct nd_cq *inbound;
	struct nd_cq *outbound;
	struct nd_connector *connector; /**< of the first connection */
	struct nd_endpoint *endpoint;
	uint8_t *memory; /**< registered, of the pair's memory_bytes */
};

struct loop_pair {
	struct loop_side side[2];
	struct nd_mw_descriptor window; /**< of side 1's memory, by the first connection */
	struct nd_srq *srq;             /**< of side 1; NULL before loop_pair_share() */
	struct loop_link shared;        /**< a connection whose receives come from it */
	/** Set before opening: time and random numbers are the same in each run. */
	bool repeatable;
	uint64_t now_ns; /**< time of a repeatable pair */
	/** Set before opening: connections to provide for, 0 = few. */
	uint32_t links_max;
	/** Set before opening: of both adapters. */
	enum nd_recovery recovery;
	/** Set before opening: registered at either side, and the largest message; 0 = that of one
	 * packet. */
	uint32_t memory_bytes;
	/** Set before opening: entries of each request, receive and completion queue, 0 =
	 * LOOP_DEPTH_MAX. */
	uint32_t entries;
	/** Set before opening: packet buffers of each engine, 0 = 2047. */
	uint32_t mbuf_count;
	/** Set before opening: engines of each adapter, with a queue each, 0 = 1. The pair has the
	 * first ones; loop_pair_join() makes a pair of the next ones. */
	uint32_t engines;
	/** Set before opening: one thread uses the engines of all pairs of these adapters. */
	bool one_thread;
	const struct loop_pair *first;               /**< polled while this pair waits, or NULL */
	uint16_t queue_id;                           /**< of the pair's engines */
	struct nd_result results[2][LOOP_DEPTH_MAX]; /**< of what each side has outstanding */
	struct nd_listener *listener;                /**< of side 1 */
	uint16_t listen_port;
};

/** Open and connect; EAL is running. Ends the process when anything fails.
 * @param windows_max that side 0 can have */
void loop_pair_open(struct loop_pair *pair, uint32_t windows_max);

/**
 * Make a pair of the engines with that index of another pair's adapters. Called on the thread that
 * will use it, while another one polls the engines of the first pair; with one_thread, the call
 * polls them. Members marked "Set before opening" are taken from the other pair.
 */
void loop_pair_join(struct loop_pair *pair, const struct loop_pair *first, uint16_t index);

/** Make a connector and its endpoint of so many entries at one side, not connected. */
void loop_pair_endpoint(
	struct loop_pair *pair, unsigned int number, uint32_t entries, struct loop_link *link);

/**
 * Make one more connection, with endpoints of so many entries. What all of them have outstanding
 * together must not be more than LOOP_DEPTH_MAX.
 */
void loop_pair_connect(struct loop_pair *pair, uint32_t entries, struct loop_link *link);

/** Make a connection whose endpoint at side 1 has a shared receive queue. Once is enough. */
void loop_pair_share(struct loop_pair *pair);

/** Poll both engines until there is nothing to do. */
void loop_pair_quiet(struct loop_pair *pair);

#endif
