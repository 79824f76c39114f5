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
 * A simulation in virtual time. It consists of a network, adapters that are complete except for
 * their ports, and one clock. The clock jumps from event to event. Events are arriving frames,
 * deadlines of engines, actions of applications, and accidents. At each event, the adapter
 * concerned executes one turn. All engines of an adapter run on this thread and are polled in
 * random order in each turn. Some scenarios also pause an engine in the middle of a turn
 * (sim_yield.h).
 */

struct sim_listening {
	struct nd_connector *connector;
	struct sim_wait wait;
};

/** An engine of a node, with its receive queue and its transmit queue of the port. */
struct sim_engine {
	struct sim_node *node;
	uint32_t index;
	struct port_io io;
	struct rte_mempool *pool;
	struct rte_mbuf **held; /**< buffers that were allocated to cause a shortage in `pool` */
	uint32_t held_count;
};

struct sim_node {
	struct sim_world *world;
	uint32_t index;
	char name[2];
	struct nd_adapter *adapter; /**< NULL if the adapter has ended */
	uint32_t life;              /**< number of earlier adapters of this node */
	uint64_t damaged_before;    /**< damaged frames that earlier adapters received */
	struct sim_side *sides[SIM_PAIRS_MAX];
	uint32_t side_count;
	struct sim_engine engines[LIMIT_ENGINES]; /**< plan.engines of them */
	struct sockaddr_storage address;
	uint32_t net_port;
	struct sim_random random;
	uint8_t seed[BASE_RANDOM_SEED_BYTES]; /**< seed of the adapter's random number generator */
	struct sim_random engine_random;      /**< used only if the adapter has several engines */
	uint64_t quiet_ns; /**< earliest time when applications send connection requests */
	struct nd_listener *listener;
	uint16_t port; /**< network byte order */
	struct sim_listening listening[SIM_PAIRS_MAX];
	struct sim_cq shared_cq;
	struct sim_srq srq;
	struct sim_keys keys;
	struct sim_guard guard;
	/** end of the previous turn; the next turn does not start earlier */
	uint64_t ready_ns;
	uint64_t wake_ns;
	uint64_t due_ns;              /**< if due_known: earliest deadline of the engines */
	bool due_known;               /**< due_ns was computed after the last turn. */
	const struct nd_engine *late; /**< engine that is not polled in this turn; NULL = none */
	/** number of consecutive turns that did nothing although an engine was due */
	uint32_t idle_turns;
	bool emptied;     /**< This turn has taken all results from all queues. */
	uint32_t stirred; /**< Bit n is set if engine n may have new results (sim_yield.h). */
};

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
	bool closing; /**< all applications have finished */
	bool mischief_done;
	bool sabotaged;
	struct sim_accident_event events[2 * SIM_ACCIDENTS_MAX]; /**< sorted by time */
	uint32_t event_count;
	uint32_t event_next;
	uint64_t progress_ns; /**< last time when an application made progress */
};

#define SIM_COUNTERS_MAX 256

/** Result of a run. */
struct sim_summary {
	uint64_t hash;
	uint64_t events;
	uint64_t turns;
	uint64_t virtual_ns;
	uint64_t frames;
	uint64_t faults;
	uint64_t requests;
	struct nd_counter counters[SIM_COUNTERS_MAX]; /**< sums over all adapters */
	size_t counter_count;
};

/**
 * Exit status of a process whose run has failed. sim_fail() has printed the cause. No other event
 * causes this status.
 */
#define SIM_STATUS_FAILED 3

/** Execute the run of a plan to its end. If the run fails, sim_fail() ends the process. */
void sim_world_run(struct sim_world *world, const struct sim_plan *plan,
	const struct sim_watch *watch, struct sim_summary *sum);

/** Print why the run has failed and how to repeat it. Then exit with SIM_STATUS_FAILED. */
void sim_fail(const struct sim_world *world, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/**
 * Schedule a turn of a node at this time. A turn that is already scheduled for an earlier time
 * remains.
 */
void sim_world_wake(struct sim_node *node, uint64_t at_ns);

/* ---- accidents: sim_accident.c ---- */

void sim_accident_init(struct sim_world *world);
/** @return time when the next accident begins or ends; UINT64_MAX if none is left */
uint64_t sim_accident_next_ns(const struct sim_world *world);
void sim_accident_happen(struct sim_world *world);
/**
 * @return maximum time in ns without progress, outside of accidents, that the configuration can
 * explain
 */
uint64_t sim_accident_patience_ns(const struct sim_world *world);

/* ---- sabotage: sim_sabotage.c ---- */

/** Commit the plan's sabotage (a deliberate fault) if it is due. */
void sim_sabotage_turn(struct sim_node *node);
/** @return true if the caller must discard a result, because this is the plan's sabotage */
bool sim_sabotage_loses_result(struct sim_world *world);

/* ---- adapters: sim_node.c ---- */

struct rte_ether_addr sim_node_mac(uint32_t index);
/** @return the adapter's keepalive interval in ms; 0 = no keepalives */
uint32_t sim_node_keepalive_ms(const struct sim_node *node);
void sim_node_open(struct sim_node *node);
/** @return an engine of the node, chosen at random */
struct nd_engine *sim_node_pick_engine(struct sim_node *node);
/** Execute one turn of a node: poll its engines, then let its applications act. */
void sim_node_turn(struct sim_node *node);
/** @return time of the node's next turn; UINT64_MAX = never */
uint64_t sim_node_next_ns(struct sim_node *node);
/** End the adapter and all its objects. @param quietly true = peers are not notified */
void sim_node_die(struct sim_node *node, bool quietly);
/** Start a new adapter with the address of the ended adapter. */
void sim_node_revive(struct sim_node *node);
/** Release those objects of the node that belong to no side. */
void sim_node_detach(struct sim_node *node);
/**
 * @return description of what the adapter has kept of an ended connection; NULL if it has kept
 * nothing
 */
const char *sim_node_left(const struct sim_node *node);
uint64_t sim_node_counter(const struct sim_node *node, const char *name);
/** Close the adapter, and check that nothing has leaked. */
void sim_node_close(struct sim_node *node);

#endif
