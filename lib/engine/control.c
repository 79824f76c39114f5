/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/control.h"

#include "base/psn.h"

/**
 * Time that engine_call_timed() waits for a turn of the engine, in nanoseconds. The time is much
 * longer than a turn, but short enough for a user who waits for an answer.
 */
#define CALL_TIMED_NS UINT64_C(1000000000)

bool
engine_hand_over(struct engine *engine)
{
	return command_claim_for_other(&engine->commands);
}

static bool
is_within(const struct engine *engine, bool telling)
{
	return telling || (engine_is_owned(engine) && engine_in_callback(engine));
}

bool
engine_enter(struct engine *engine, bool telling)
{
	return command_enter(&engine->commands, is_within(engine, telling));
}

enum command_entry
engine_try_enter(struct engine *engine, bool telling)
{
	return command_try_enter(&engine->commands, is_within(engine, telling));
}

/**
 * Called before a thread leaves the engine, because the thread may have caused events that sleeping
 * threads wait for.
 */
static void
leaving(struct engine *engine)
{
	if (unlikely(command_sleeps(&engine->commands)))
		engine_sleepers_tell(engine);
}

bool
engine_leave(struct engine *engine, bool telling)
{
	if (!engine_is_owned(engine))
		return false;
	leaving(engine);
	return command_leave(&engine->commands, telling || engine_in_callback(engine));
}

void
engine_pass(struct engine *engine)
{
	uint32_t depth;

	if (!command_is_wanted(&engine->commands))
		return;
	leaving(engine);
	depth = command_step_out(&engine->commands);
	/*
	 * Ignore the result: if the queue is not shared any more, the caller finds that it is not
	 * the owner.
	 */
	(void)!command_return(&engine->commands, depth);
}

bool
engine_run_shared(struct engine *engine, command_fn fn, void *arg)
{
	return command_run_shared(&engine->commands, fn, arg);
}

void
engine_own(struct engine *engine)
{
	command_owner_take(&engine->commands);
}

struct call {
	struct engine *engine;
	command_fn fn;
	void *arg;
};

/**
 * Run a control call. Reset wake_ns, so that the next turn checks all deadlines, because the call
 * may have started timers of connections and neighbours.
 */
static void
call_run(void *arg)
{
	const struct call *call = arg;

	call->fn(call->arg);
	call->engine->wake_ns = 0;
}

void
engine_call(struct engine *engine, command_fn fn, void *arg)
{
	struct call call = {engine, fn, arg};

	command_call(&engine->commands, call_run, &call);
}

bool
engine_call_timed(struct engine *engine, command_fn fn, void *arg)
{
	return command_call_timed(&engine->commands, fn, arg, CALL_TIMED_NS);
}

void
engine_call_timed_cancel(struct engine *engine)
{
	command_call_timed_cancel(&engine->commands);
}

bool
engine_call_timed_cancelled(const struct engine *engine)
{
	return __atomic_load_n(&engine->commands.timed_cancelled, __ATOMIC_RELAXED);
}

bool
engine_run_owned(struct engine *engine, command_fn fn, void *arg)
{
	return command_run_owned(&engine->commands, fn, arg);
}

void
engine_drain(struct engine *engine)
{
	while (command_drain(&engine->commands) != 0)
		;
}

void
engine_serve_owned(void)
{
	command_serve_owned();
}

void
engine_start(struct engine *engine)
{
	neigh_start(engine->neigh, engine_now_ns(engine));
}

enum rc_status
engine_neighbour_add(
	struct engine *engine, const struct wire_gid *gid, const struct rte_ether_addr *mac)
{
	return neigh_add_static(engine->neigh, gid, mac);
}

uint32_t
engine_route_rank(const struct engine *engine, const struct wire_gid *peer)
{
	return neigh_route_rank(engine->neigh, peer);
}

uint32_t
engine_random_below(struct engine *engine, uint32_t bound)
{
	return base_random_below(&engine->random, bound);
}

uint32_t
engine_random_psn(struct engine *engine)
{
	return base_random_u32(&engine->random) & PSN_MASK;
}

struct wire_path
engine_path(const struct engine *engine, const struct cm_route *route, uint16_t udp_src_port)
{
	return (struct wire_path){
		.src_mac = engine->io->mac,
		.dst_mac = route->remote_mac,
		.src = route->local_gid,
		.dst = route->remote_gid,
		.udp_src_port = udp_src_port,
		.vlan = route->vlan,
		.vlan_tci = route->vlan_tci,
		.tos = engine->tos,
		.ttl = engine->ttl,
	};
}

enum rc_status
engine_connect(struct engine *engine, const struct wire_gid *peer, const struct rte_ether_addr *mac,
	struct cm_connect_attr *attr, struct cm_id **id)
{
	attr->route = (struct cm_route){
		.local_gid = engine->address,
		.remote_gid = *peer,
		.remote_mac = *mac,
		.vlan = engine->vlan,
		.vlan_tci = engine->vlan_tci,
	};
	attr->traffic_class = engine->tos;
	attr->hop_limit = engine->ttl;
	return cm_connect(engine->cm, attr, engine_now_ns(engine), id);
}

enum rc_status
engine_listen(struct engine *engine, struct cm_listen_attr *attr, struct cm_listener **listener)
{
	attr->address = engine->address;
	return cm_listen(engine->cm, attr, listener);
}

struct engine_counter_sets
engine_counter_sets(const struct engine *engine)
{
	return (struct engine_counter_sets){
		.engine = &engine->counters,
		.rc = &engine->rc.counters,
		.cm = engine->cm == NULL ? NULL : cm_counters(engine->cm),
		.neigh = engine->neigh == NULL ? NULL : neigh_counters(engine->neigh),
	};
}

uint32_t
engine_barred_count(const struct engine *engine)
{
	uint64_t shift_ns = __atomic_load_n(&engine->shift_ns, __ATOMIC_RELAXED);
	uint64_t last_ns = __atomic_load_n(&engine->now_ns, __ATOMIC_RELAXED);
	uint64_t now_ns = engine->clock.now_ns(engine->clock.arg) + shift_ns;

	/* Do not call engine_now_ns() here: it must be called on the engine's thread only. */
	return cm_barred_count(engine->cm, RTE_MAX(now_ns, last_ns));
}

uint32_t
engine_half_open_count(const struct engine *engine)
{
	return cm_half_open_count(engine->cm);
}

uint32_t
engine_held_count(const struct engine *engine)
{
	return cm_held_count(engine->cm);
}
