/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_CONTROL_H
#define NDPDK_ENGINE_CONTROL_H

#include "engine/engine.h"

/*
 * Interface of an engine to the layer above, except turns and queue pairs: ownership, calls on its
 * thread, connections, counters. Only lib/engine accesses the members of struct engine.
 */

/* ---- ownership, and calls on the owner's thread ---- */

/** @return whether the calling thread is the owner. */
static inline bool
engine_is_owned(const struct engine *engine)
{
	return command_owner_is_self(&engine->commands);
}

/**
 * @return whether a turn is in progress. Then the turn transmits and calls engine_ops.settle. For
 *         the owner only.
 */
static inline bool
engine_in_turn(const struct engine *engine)
{
	return engine->in_poll;
}

/** Called at each poll: the first polling thread becomes the owner. */
static inline void
engine_claim(struct engine *engine)
{
	if (unlikely(!__atomic_load_n(&engine->commands.claimed, __ATOMIC_RELAXED)))
		command_claim(&engine->commands);
}

/**
 * Release the ownership for a thread that will call engine_own(). Until then, control calls wait.
 * @return false: the caller has entered the engine (command_enter()), so it keeps the ownership
 */
bool engine_hand_over(struct engine *engine) __rte_warn_unused_result;

/** Make the calling thread the owner. No other thread may be in a turn. */
void engine_own(struct engine *engine);

/** @return whether the engine is in a turn or in a call of the application. For the owner only. */
static inline bool
engine_in_callback(const struct engine *engine)
{
	return engine->in_poll || engine->giving;
}

/**
 * Enter a shared engine: command_enter().
 * @param telling a callback for a finished operation is in progress on this thread
 */
bool engine_enter(struct engine *engine, bool telling) __rte_warn_unused_result;
enum command_entry engine_try_enter(struct engine *engine, bool telling) __rte_warn_unused_result;
bool engine_leave(struct engine *engine, bool telling) __rte_warn_unused_result;

/**
 * Fast path of engine_enter(), for a thread that is the only one to use the engine (biased gate).
 * @return false: nothing was done; use engine_enter()
 */
static inline bool
engine_enter_again(struct engine *engine)
{
	return command_enter_again(&engine->commands);
}

/**
 * Fast path of engine_leave(), for a thread that is in no callback for a finished operation.
 * @return false: nothing was done; use engine_leave()
 */
static inline bool
engine_leave_simply(struct engine *engine)
{
	return command_is_inside_by_bias(&engine->commands) && !command_sleeps(&engine->commands) &&
		!engine_in_callback(engine) && command_leave_again(&engine->commands);
}

/**
 * Fast path of engine_leave(), after engine_enter_again() in the same call.
 * @return false: nothing was done; use engine_leave()
 */
static inline bool
engine_leave_again(struct engine *engine)
{
	return !command_sleeps(&engine->commands) && command_leave_again(&engine->commands);
}

/** Let waiting threads enter, then enter again. The caller is inside, and not in a callback. */
void engine_pass(struct engine *engine);

/**
 * Enter and execute fn(arg), if the engine is shared and no thread is inside. @return whether it
 * was executed
 */
bool engine_run_shared(struct engine *engine, command_fn fn, void *arg) __rte_warn_unused_result;

/** Execute fn(arg) on the owner's thread and wait for it. */
void engine_call(struct engine *engine, command_fn fn, void *arg);

/**
 * Execute fn(arg), which only reads, on the owner's thread within a second. Only one thread at a
 * time may call this for an engine.
 * @return whether fn was executed; if not, the engine is not polled, and fn will not be executed
 *         later
 */
bool engine_call_timed(struct engine *engine, command_fn fn, void *arg) __rte_warn_unused_result;

/** The engine is being destroyed: engine_call_timed() of other threads stops waiting. */
void engine_call_timed_cancel(struct engine *engine);

/** @return whether engine_call_timed_cancel() was called. From any thread. */
bool engine_call_timed_cancelled(const struct engine *engine);

/** Execute fn(arg) if the calling thread is the owner. @return whether it is. */
bool engine_run_owned(struct engine *engine, command_fn fn, void *arg) __rte_warn_unused_result;

/** Execute all pending calls of other threads. */
void engine_drain(struct engine *engine);

/** Execute pending calls of other threads on all engines that the calling thread owns. */
void engine_serve_owned(void);

/** Execute all orders of the first engine (group.h). On the engine's thread. */
void engine_orders_drain(struct engine *engine);

/* ---- the network ---- */

/** Announce the own address to the network. Called once, before the first engine_transmit(). */
void engine_start(struct engine *engine);

/** Add a static neighbour, before engine_start(). @return as neigh_add_static(). */
enum rc_status engine_neighbour_add(struct engine *engine, const struct wire_gid *gid,
	const struct rte_ether_addr *mac) __rte_warn_unused_result;

/** @return rank of the first engine's route to a peer: neigh_route_rank(). From any thread. */
uint32_t engine_route_rank(const struct engine *engine, const struct wire_gid *peer);

/* ---- connections ---- */

/** @return a uniformly distributed random number in [0, bound). */
uint32_t engine_random_below(struct engine *engine, uint32_t bound);

/** @return a random Starting PSN, different for each connection (SEC-005). */
uint32_t engine_random_psn(struct engine *engine);

/**
 * @return addresses for the headers of a connection on this route, with the given UDP source port.
 */
struct wire_path
engine_path(const struct engine *engine, const struct cm_route *route, uint16_t udp_src_port);

/**
 * Request a connection to a peer with a known MAC address.
 * @param attr all members except route, traffic class and hop limit, which this function sets
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
 * Pointers to the counters of an engine and its parts. The counters are aligned words and may be
 * read from any thread. cm and neigh are NULL except for the first engine.
 */
struct engine_counter_sets {
	const struct engine_counters *engine;
	const struct rc_counters *rc;
	const struct cm_counters *cm;
	const struct neigh_counters *neigh;
};

struct engine_counter_sets engine_counter_sets(const struct engine *engine);

/** @return number of barred sources: cm_barred_count(). From any thread. */
uint32_t engine_barred_count(const struct engine *engine);

/** @return number of connections: cm_half_open_count(), cm_held_count(). From any thread. */
uint32_t engine_half_open_count(const struct engine *engine);
uint32_t engine_held_count(const struct engine *engine);

/**
 * @return an activity count. If it has not changed, no frame, hand-over or completion happened that
 *         a sleeping thread waits for.
 */
static inline uint64_t
engine_activity(const struct engine *engine)
{
	return engine->counters.rx_frames + engine->counters.tx_frames + engine->handed +
		engine->told + engine->rc.frameless_results;
}

#endif
