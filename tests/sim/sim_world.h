/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_WORLD_H
#define NDPDK_SIM_SIM_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mempool.h>

#include <ndpdk/nd.h>

#include "base/limits.h"
#include "base/random.h"
#include "port/port.h"
#include "sim_keys.h"
#include "sim_net.h"
#include "sim_plan.h"
#include "sim_side.h"
#include "sim_srq.h"
#include "sim_trace.h"
#include "sim_yield.h"

/*
 * Adapters, complete but for the port, a network, and one clock. Nothing happens between events:
 * the clock jumps to whatever is next, an arriving frame, a deadline of an engine, an action of an
 * application or an accident, and the adapter concerned gets one turn. An adapter with several
 * engines has all of them on this thread, too; within its turn they are polled in any order. Some
 * scenarios also pause an engine in the middle of a turn (sim_yield.h).
 */

/** A connection request is waited for by each of these. */
struct sim_listening {
	struct nd_connector *connector;
	struct sim_wait wait;
};

/** An engine of a node, and its receive and transmit queue of the port. */
struct sim_engine {
	struct sim_node *node;
	uint32_t index;
	struct port_io io;
	struct rte_mempool *pool;
	struct rte_mbuf **held; /**< taken out of the pool, so that the engine feels a lack */
	uint32_t held_count;
};

struct sim_node {
	struct sim_world *world;
	uint32_t index;
	char name[2];
	struct nd_adapter *adapter; /**< NULL: it is gone */
	uint32_t life;              /**< adapters before it */
	uint64_t damaged_before;    /**< frames that came to those, damaged */
	struct sim_side *sides[SIM_PAIRS_MAX];
	uint32_t side_count;
	struct sim_engine engines[LIMIT_ENGINES]; /**< plan.engines of them */
	struct sockaddr_storage address;
	uint32_t net_port; /**< where it is plugged in */
	struct sim_random random;
	uint8_t seed[BASE_RANDOM_SEED_BYTES]; /**< of the adapter's random numbers */
	struct sim_random engine_random;      /**< not used when there is one engine */
	uint64_t quiet_ns;                    /**< its applications ask for no connection before */
	struct nd_listener *listener;
	uint16_t port; /**< network byte order */
	struct sim_listening listening[SIM_PAIRS_MAX];
	struct sim_cq shared_cq;
	struct sim_srq srq;
	struct sim_keys keys;
	struct sim_guard guard;
	uint64_t ready_ns;            /**< the turn before is over */
	uint64_t wake_ns;             /**< an application wants to do something */
	uint64_t due_ns;              /**< first deadline of the engines, when due_known */
	bool due_known;               /**< it was asked for since the last turn */
	const struct nd_engine *late; /**< has no turn in this one of the node; NULL: none */
	uint32_t idle_turns; /**< in a row, in which no engine did anything though one was due */
	bool emptied;        /**< every result that exists has been taken in this turn */
	uint32_t stirred;    /**< bits of engines that may have given some since (sim_yield.h) */
};

/** An accident begins or ends. */
struct sim_accident_event {
	uint64_t at_ns;
	const struct sim_accident *accident;
	bool end;
};

struct sim_world {
	struct sim_plan plan;
	uint64_t now_ns;
	uint64_t start_ns;
	uint64_t turns;
	struct sim_trace trace;
	struct sim_random random;
	struct sim_net net;
	struct sim_node nodes[SIM_NODES_MAX];
	struct sim_pair pairs[SIM_PAIRS_MAX];
	bool closing; /**< all applications have ended */
	bool mischief_done;
	bool sabotaged;
	struct sim_accident_event events[2 * SIM_ACCIDENTS_MAX]; /**< in their order */
	uint32_t event_count;
	uint32_t event_next;
	uint64_t progress_ns; /**< an application has come on */
};

/** Room for the counters of an adapter. */
#define SIM_COUNTERS_MAX 256

/** What a run leaves behind. */
struct sim_summary {
	uint64_t hash;
	uint64_t events;
	uint64_t turns;
	uint64_t virtual_ns;
	uint64_t frames;
	uint64_t faults;
	uint64_t requests;
	struct nd_counter counters[SIM_COUNTERS_MAX]; /**< sums of both adapters */
	size_t counter_count;
};

/**
 * Exit status of a process whose run has failed, after sim_fail() has printed the cause. Nothing
 * else ends a process with this status.
 */
#define SIM_STATUS_FAILED 3

/** Run a seed to its end. After a failure, sim_fail() ends the process. */
void sim_world_run(struct sim_world *world, const struct sim_plan *plan,
	const struct sim_watch *watch, struct sim_summary *sum);

/** Print why the run has failed and how to repeat it; end with SIM_STATUS_FAILED. */
void sim_fail(const struct sim_world *world, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/** Let a node have a turn at the given time, if none is due earlier. */
void sim_world_wake(struct sim_node *node, uint64_t at_ns);

/* ---- accidents: sim_accident.c ---- */

void sim_accident_init(struct sim_world *world);
/** @return when the next accident begins or ends, UINT64_MAX: none will */
uint64_t sim_accident_next_ns(const struct sim_world *world);
/** Let it happen. */
void sim_accident_happen(struct sim_world *world);
/** @return how long nothing may come on without an accident, from what is configured */
uint64_t sim_accident_patience_ns(const struct sim_world *world);

/* ---- sabotage: sim_sabotage.c ---- */

/** Break something, if the plan says so and it is time. */
void sim_sabotage_turn(struct sim_node *node);
/** @return whether a result is to get lost */
bool sim_sabotage_loses_result(struct sim_world *world);

/* ---- adapters: sim_node.c ---- */

/** @return the MAC address of a node */
struct rte_ether_addr sim_node_mac(uint32_t index);
/** @return how long an adapter waits before it asks a peer that is silent, 0: for ever */
uint32_t sim_node_keepalive_ms(const struct sim_node *node);
void sim_node_open(struct sim_node *node);
/** @return one of the node's engines, at random */
struct nd_engine *sim_node_pick_engine(struct sim_node *node);
/** One turn of the engines and of the applications. */
void sim_node_turn(struct sim_node *node);
/** @return when the node's next turn is, UINT64_MAX: never */
uint64_t sim_node_next_ns(struct sim_node *node);
/** The adapter ends with everything on it. @param quietly nobody hears of it */
void sim_node_die(struct sim_node *node, bool quietly);
/** Another adapter, with the address of the one that has ended. */
void sim_node_revive(struct sim_node *node);
/** Release what the node has made beside its sides. */
void sim_node_detach(struct sim_node *node);
/** @return what the adapter still has of connections, NULL: nothing */
const char *sim_node_left(const struct sim_node *node);
/** @return a counter of the adapter */
uint64_t sim_node_counter(const struct sim_node *node, const char *name);
/** Close the adapter; checks that nothing was left behind. */
void sim_node_close(struct sim_node *node);

#endif
