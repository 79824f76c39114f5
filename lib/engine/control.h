/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_CONTROL_H
#define NDPDK_ENGINE_CONTROL_H

#include "engine/engine.h"

/*
 * What the layer above asks of an engine besides turns and queue pairs: who owns it, calls on its
 * thread, connections, counters. struct engine itself is read by lib/engine only.
 */

/* ---- ownership, and calls on the owner's thread ---- */

/** @return whether the calling thread is the owner; the fast calls assert it. */
static inline bool
engine_is_owned(const struct engine *engine)
{
	return command_owner_is_self(&engine->commands);
}

/** @return whether a turn is under way; asked by the owner only. The turn transmits and settles. */
static inline bool
engine_in_turn(const struct engine *engine)
{
	return engine->in_poll;
}

/** The calling thread polls: the first one that does so becomes the owner. */
static inline void
engine_claim(struct engine *engine)
{
	if (unlikely(!__atomic_load_n(&engine->commands.claimed, __ATOMIC_RELAXED)))
		command_claim(&engine->commands);
}

/**
 * Give up the ownership to a thread that will call engine_own(); calls wait until then.
 * @return false: the caller is inside
 */
bool engine_hand_over(struct engine *engine) __rte_warn_unused_result;

/** Make the calling thread the owner; no other thread may be in a turn. */
void engine_own(struct engine *engine);

/** @return whether the engine is in a turn, or calls the application; asked by the owner only */
static inline bool
engine_in_callback(const struct engine *engine)
{
	return engine->in_poll || engine->giving;
}

/**
 * Be inside a shared engine: command_enter().
 * @param telling a callback of a finished operation is under way on this thread
 */
bool engine_enter(struct engine *engine, bool telling) __rte_warn_unused_result;
enum command_entry engine_try_enter(struct engine *engine, bool telling) __rte_warn_unused_result;
bool engine_leave(struct engine *engine, bool telling) __rte_warn_unused_result;

/**
 * engine_enter() of a thread to which the engine is left, since no other one uses it.
 * @return false: nothing was done; engine_enter() does it
 */
static inline bool
engine_enter_again(struct engine *engine)
{
	return command_enter_again(&engine->commands);
}

/**
 * engine_leave() of such a thread, which is in no callback of a finished operation.
 * @return false: nothing was done; engine_leave() does it
 */
static inline bool
engine_leave_simply(struct engine *engine)
{
	return command_is_inside_by_bias(&engine->commands) && !command_sleeps(&engine->commands) &&
		!engine_in_callback(engine) && command_leave_again(&engine->commands);
}

/**
 * engine_leave() of a thread that engine_enter_again() has let in, in the same call.
 * @return false: nothing was done; engine_leave() does it
 */
static inline bool
engine_leave_again(struct engine *engine)
{
	return !command_sleeps(&engine->commands) && command_leave_again(&engine->commands);
}

/** Inside, not in a callback: let threads in that wait for it, then go on. */
void engine_pass(struct engine *engine);

/** Execute fn(arg) inside, if the engine is shared and nobody is. @return whether it was done */
bool engine_run_shared(struct engine *engine, command_fn fn, void *arg) __rte_warn_unused_result;

/** Execute fn(arg) on the owner's thread and wait for it. */
void engine_call(struct engine *engine, command_fn fn, void *arg);

/**
 * Execute fn(arg), which only reads, on the owner's thread, if it comes round to it within a
 * second. One thread at a time asks an engine.
 * @return whether it was executed; if not, the engine is not polled, and it will not be any more
 */
bool engine_ask(struct engine *engine, command_fn fn, void *arg) __rte_warn_unused_result;

/** The engine ends: engine_ask() of other threads waits for the owner no longer. */
void engine_ask_cancel(struct engine *engine);

/** @return whether engine_ask_cancel() was called. From any thread. */
bool engine_ask_cancelled(const struct engine *engine);

/** Execute fn(arg) if the calling thread is the owner. @return whether it is. */
bool engine_run_owned(struct engine *engine, command_fn fn, void *arg) __rte_warn_unused_result;

/** Execute all calls that other threads have asked for. */
void engine_drain(struct engine *engine);

/** Execute what other threads ask of the engines that the calling thread owns. */
void engine_serve_owned(void);

/** Carry out all orders of the first engine. On the engine's thread. */
void engine_orders_drain(struct engine *engine);

/* ---- the network ---- */

/** Announce the own address: called once, before the first engine_transmit(). */
void engine_start(struct engine *engine);

/** Add a static neighbour, before engine_start(). @return as neigh_add_static(). */
enum rc_status engine_neighbour_add(struct engine *engine, const struct wire_gid *gid,
	const struct rte_ether_addr *mac) __rte_warn_unused_result;

/** @return how well the first engine reaches a peer: neigh_route_rank(). From any thread. */
uint32_t engine_route_rank(const struct engine *engine, const struct wire_gid *peer);

/* ---- connections ---- */

/** @return uniform in [0, bound). */
uint32_t engine_random_below(struct engine *engine, uint32_t bound);

/** @return a Starting PSN: random, for each connection anew (SEC-005). */
uint32_t engine_random_psn(struct engine *engine);

/** @return the headers' addresses on a connection's route, from the given UDP source port. */
struct wire_path
engine_path(const struct engine *engine, const struct cm_route *route, uint16_t udp_src_port);

/**
 * Ask a peer whose MAC address is known for a connection.
 * @param attr all but route, traffic class and hop limit, which are filled here
 * @return as cm_connect()
 */
enum rc_status
engine_connect(struct engine *engine, const struct wire_gid *peer, const struct rte_ether_addr *mac,
	struct cm_connect_attr *attr, struct cm_id **id) __rte_warn_unused_result;

/** Take connection requests; attr->address is filled here. @return as cm_listen(). */
enum rc_status engine_listen(struct engine *engine, struct cm_listen_attr *attr,
	struct cm_listener **listener) __rte_warn_unused_result;

/* ---- counters ---- */

/**
 * Where the counters of an engine and its parts lie: aligned words, readable from any thread. Only
 * the first engine has cm and neigh, the others have NULL there.
 */
struct engine_counter_sets {
	const struct engine_counters *engine;
	const struct rc_counters *rc;
	const struct cm_counters *cm;
	const struct neigh_counters *neigh;
};

struct engine_counter_sets engine_counter_sets(const struct engine *engine);

/** @return sources that are barred now, as cm_barred_count(). From any thread. */
uint32_t engine_barred_count(const struct engine *engine);

/** @return connections now as cm_half_open_count() and cm_held_count(). From any thread. */
uint32_t engine_half_open_count(const struct engine *engine);
uint32_t engine_held_count(const struct engine *engine);

/** @return what threads that sleep want to know of: it only differs, if something happened. */
static inline uint64_t
engine_activity(const struct engine *engine)
{
	return engine->counters.rx_frames + engine->counters.tx_frames + engine->handed +
		engine->told + engine->rc.frameless_results;
}

#endif
