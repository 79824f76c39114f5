/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_CONTROL_H
#define NDPDK_ENGINE_CONTROL_H

#include "engine/engine.h"

/*
 * Interface of an engine to the layer above: ownership, calls on the engine's thread, connections,
 * counters. Turns and queue pairs are in engine.h. Only lib/engine accesses the members of struct
 * engine.
 */

/* ---- ownership, and calls on the owner's thread ---- */

static inline bool
engine_is_owned(const struct engine *engine)
{
	return command_owner_is_self(&engine->commands);
}

/**
 * @return whether a turn (engine_poll()) is in progress. If so, the turn will transmit and call
 * engine_ops.settle at its end. Called by the owner only.
 */
static inline bool
engine_in_turn(const struct engine *engine)
{
	return engine->in_poll;
}

/** Make the calling thread the owner, unless the engine is already claimed. Called at each poll. */
static inline void
engine_claim(struct engine *engine)
{
	if (unlikely(!__atomic_load_n(&engine->commands.claimed, __ATOMIC_RELAXED)))
		command_claim(&engine->commands);
}

/**
 * Release the ownership, so that another thread can take it with engine_own(). Until then, control
 * calls wait.
 * @return false: nothing was done, because the caller has entered the engine (command_enter())
 */
bool engine_hand_over(struct engine *engine) __rte_warn_unused_result;

/** Make the calling thread the owner. No other thread may be in a turn. */
void engine_own(struct engine *engine);

/**
 * @return whether a turn or a callback of the application is in progress. Called by the owner only.
 */
static inline bool
engine_in_callback(const struct engine *engine)
{
	return engine->in_poll || engine->giving;
}

/**
 * Enter a shared engine with command_enter().
 * @param telling true: the caller is in a callback that reports a finished operation
 */
bool engine_enter(struct engine *engine, bool telling) __rte_warn_unused_result;
enum command_entry engine_try_enter(struct engine *engine, bool telling) __rte_warn_unused_result;
bool engine_leave(struct engine *engine, bool telling) __rte_warn_unused_result;

/**
 * Fast path of engine_enter(), for a thread to which the gate is biased because it uses the engine
 * alone.
 * @return false: nothing was done; call engine_enter()
 */
static inline bool
engine_enter_again(struct engine *engine)
{
	return command_enter_again(&engine->commands);
}

/**
 * Fast path of engine_leave(), for a thread that is not in a callback that reports a finished
 * operation.
 * @return false: nothing was done; call engine_leave()
 */
static inline bool
engine_leave_simply(struct engine *engine)
{
	return command_is_inside_by_bias(&engine->commands) && !command_sleeps(&engine->commands) &&
		!engine_in_callback(engine) && command_leave_again(&engine->commands);
}

/**
 * Fast path of engine_leave(), for an API call that has itself entered with engine_enter_again().
 * @return false: nothing was done; call engine_leave()
 */
static inline bool
engine_leave_again(struct engine *engine)
{
	return !command_sleeps(&engine->commands) && command_leave_again(&engine->commands);
}

/**
 * Leave the engine so that waiting threads can enter it, then enter it again. The caller is inside,
 * and not in a callback.
 */
void engine_pass(struct engine *engine);

/**
 * If the engine is shared and no thread is inside: enter, execute fn(arg) and leave. @return
 * whether fn was executed
 */
bool engine_run_shared(struct engine *engine, command_fn fn, void *arg) __rte_warn_unused_result;

/** Execute fn(arg) on the owner's thread and wait for it. */
void engine_call(struct engine *engine, command_fn fn, void *arg);

/**
 * Execute fn(arg) on the owner's thread, but wait at most one second. fn must only read. Only one
 * thread at a time may call this function for an engine.
 * @return false: the engine is not polled; fn was not executed and will not be executed later
 */
bool engine_call_timed(struct engine *engine, command_fn fn, void *arg) __rte_warn_unused_result;

/**
 * Called when the engine is being destroyed: calls of engine_call_timed() in other threads stop
 * waiting.
 */
void engine_call_timed_cancel(struct engine *engine);

/** @return whether engine_call_timed_cancel() was called. May be called from any thread. */
bool engine_call_timed_cancelled(const struct engine *engine);

/** Execute fn(arg) if the calling thread is the owner. @return whether fn was executed */
bool engine_run_owned(struct engine *engine, command_fn fn, void *arg) __rte_warn_unused_result;

/** Execute all pending calls of other threads. */
void engine_drain(struct engine *engine);

/** Execute pending calls of other threads on all engines that the calling thread owns. */
void engine_serve_owned(void);

/**
 * Execute all orders that the first engine has sent to this engine (group.h). On the engine's
 * thread.
 */
void engine_orders_drain(struct engine *engine);

/* ---- the network ---- */

/**
 * Announce the adapter's own address to the network. Called once, before the first
 * engine_transmit().
 */
void engine_start(struct engine *engine);

/** Add a static neighbour. Called before engine_start(). @return as neigh_add_static() */
enum rc_status engine_neighbour_add(struct engine *engine, const struct wire_gid *gid,
	const struct rte_ether_addr *mac) __rte_warn_unused_result;

/** @return how good the route to a peer is (neigh_route_rank()). From any thread. */
uint32_t engine_route_rank(const struct engine *engine, const struct wire_gid *peer);

/* ---- connections ---- */

/** @return a uniformly distributed random number in [0, bound). */
uint32_t engine_random_below(struct engine *engine, uint32_t bound);

/** @return a random Starting PSN, different for each connection (SEC-005). */
uint32_t engine_random_psn(struct engine *engine);

/**
 * @return the addresses for the packet headers of a connection on this route, with this UDP source
 * port.
 */
struct wire_path
engine_path(const struct engine *engine, const struct cm_route *route, uint16_t udp_src_port);

/**
 * Request a connection to a peer with a known MAC address.
 * @param attr set by the caller, except route, traffic class and hop limit, which this function
 *        sets
 * @return as cm_connect()
 */
enum rc_status
engine_connect(struct engine *engine, const struct wire_gid *peer, const struct rte_ether_addr *mac,
	struct cm_connect_attr *attr, struct cm_id **id) __rte_warn_unused_result;

/** Accept connection requests. This function sets attr->address. @return as cm_listen(). */
enum rc_status engine_listen(struct engine *engine, struct cm_listen_attr *attr,
	struct cm_listener **listener) __rte_warn_unused_result;

/* ---- counters ---- */

/**
 * Pointers to the counters of an engine and its parts. Each counter is an aligned word that any
 * thread may read. The members cm and neigh are NULL unless the engine is the group's first one.
 */
struct engine_counter_sets {
	const struct engine_counters *engine;
	const struct rc_counters *rc;
	const struct cm_counters *cm;
	const struct neigh_counters *neigh;
};

struct engine_counter_sets engine_counter_sets(const struct engine *engine);

/**
 * @return number of sources that the connection manager bars (cm_barred_count()). From any thread.
 */
uint32_t engine_barred_count(const struct engine *engine);

/** @return cm_half_open_count() or cm_held_count(): numbers of connections. From any thread. */
uint32_t engine_half_open_count(const struct engine *engine);
uint32_t engine_held_count(const struct engine *engine);

/**
 * @return a count that changes with each activity: a frame, a hand-over between engines, a
 * completion. While the count does not change, a sleeping thread has nothing to do.
 */
static inline uint64_t
engine_activity(const struct engine *engine)
{
	return engine->counters.rx_frames + engine->counters.tx_frames + engine->handed +
		engine->told + engine->rc.frameless_results;
}

#endif
