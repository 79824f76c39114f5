/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* A node: an adapter and the applications that use it. */

#include "sim_world.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "nd/adapter.h"
#include "sim_lack.h"
#include "sim_pool.h"
#include "sim_reserve.h"

/**
 * Maximum number of consecutive turns in which a due engine may do nothing. More turns are reported
 * as spinning.
 */
#define IDLE_TURNS_MAX     20000
/** Maximum additional duration in ns of a turn while the port may not send. */
#define MUTE_TURN_NS       20000
/**
 * Time in ns after which no answer to a request of an ended adapter can arrive. An adapter that
 * restarts with the same random numbers uses the same identifiers again. So the adapter could not
 * distinguish an answer to an old request from an answer to a new one.
 */
#define FORGETFUL_QUIET_NS UINT64_C(80000000)
/** Maximum number of spurious ACK timeouts per adapter that Swift's pacing may cause. */
#define PACED_TRIES_MAX    4
/** Per mille of turns in which one of several engines is not polled. */
#define LATE_ENGINE        150

static uint64_t
clock_read(void *arg)
{
	const struct sim_world *world = arg;

	return world->now_ns;
}

static uint16_t
receive(void *arg, struct rte_mbuf **mbufs, uint16_t max)
{
	const struct sim_engine *engine = arg;
	struct sim_world *world = engine->node->world;
	uint16_t count;

	sim_lack_exempt(true);
	count = sim_net_receive(&world->net, engine->node->net_port, engine->index, mbufs, max);
	for (uint16_t i = 0; i < count; i++)
		sim_trace_received(&world->trace, engine->node->name, mbufs[i]);
	sim_lack_exempt(false);
	return count;
}

static uint16_t
transmit(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	const struct sim_engine *engine = arg;
	struct sim_world *world = engine->node->world;
	uint16_t taken;

	sim_lack_exempt(true);
	sim_trace_offer(&world->trace, engine->node->name, mbufs, count);
	taken = sim_net_transmit(&world->net, engine->node->net_port, mbufs, count);
	sim_trace_taken(&world->trace, taken);
	sim_lack_exempt(false);
	return taken;
}

static struct sockaddr_storage
address_of(const struct sim_plan *plan, uint32_t index)
{
	static const char *const texts[SIM_NODES_MAX] = {"2001:db8::a", "2001:db8::b",
		"2001:db8::c", "2001:db8::d", "2001:db8::e", "2001:db8::f"};
	struct sockaddr_storage address = {0};

	if (plan->v6) {
		struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&address;

		in6->sin6_family = AF_INET6;
		inet_pton(AF_INET6, texts[index], &in6->sin6_addr);
	} else {
		struct sockaddr_in *in = (struct sockaddr_in *)&address;

		in->sin_family = AF_INET;
		in->sin_addr.s_addr = htonl(0xC0000201 + index);
	}
	return address;
}

struct rte_ether_addr
sim_node_mac(uint32_t index)
{
	return (struct rte_ether_addr){{0x02, 0x00, 0x5E, 0x00, 0x00, (uint8_t)(0x0A + index)}};
}

#define KEEPALIVE_MS 20

uint32_t
sim_node_keepalive_ms(const struct sim_node *node)
{
	const struct sim_plan *plan = &node->world->plan;

	/*
	 * Enable keepalives if the plan has accidents. Without keepalives, a side that only
	 * receives would never detect that its peer has vanished.
	 */
	return plan->accident_count != 0 ? KEEPALIVE_MS : plan->stacks[node->index].keepalive_ms;
}

static struct nd_adapter_config
config_of(const struct sim_node *node)
{
	const struct sim_plan *plan = &node->world->plan;
	const struct sim_stack *stack = &plan->stacks[node->index];

	return (struct nd_adapter_config){
		.address = node->address,
		.engines = plan->engines,
		.vlan_id = plan->vlan_id,
		.path_mtu = plan->path_mtu[node->index],
		.mbuf_count = plan->mbuf_count,
		.endpoints_max = plan->node_count == 2 ? 8 : 32,
		/*
		 * With plan.keys, more regions are needed, because an ended region uses its entry
		 * until all engines were polled, and a fast region uses 4 entries.
		 */
		.regions_max = plan->keys ? 96 : 32,
		.windows_max = 64,
		.ack_timeout = plan->ack_timeout,
		.retry_count = 7,
		.rnr_retry_count = 7,
		.rnr_timer = plan->rnr_timer,
		.connect_retransmit_ms = 10,
		.connect_retries = 15,
		.busy_poll = (plan->seed + node->index) % 2 == 0,
		.recovery = (plan->go_back_n >> node->index & 1) != 0 ? ND_RECOVERY_GO_BACK_N
								      : ND_RECOVERY_SELECTIVE,
		.keep_packets = plan->keep_packets != 0 ? plan->keep_packets : stack->keep_packets,
		.reorder_window_us = stack->reorder_window_us,
		.congestion = stack->congestion,
		.ecn = stack->ecn,
		.keepalive_ms = sim_node_keepalive_ms(node),
	};
}

/** Simulate a shortage: allocate an engine's packet buffers until only mbufs_left remain. */
static void
mbufs_hold(struct sim_engine *engine)
{
	const struct sim_plan *plan = &engine->node->world->plan;

	if (plan->mbufs_left == 0)
		return;
	engine->held = calloc(plan->mbuf_count, sizeof(struct rte_mbuf *));
	if (engine->held == NULL)
		abort();
	while (engine->held_count + plan->mbufs_left < plan->mbuf_count) {
		struct rte_mbuf *mbuf = rte_pktmbuf_alloc(engine->pool);

		if (mbuf == NULL)
			break;
		engine->held[engine->held_count++] = mbuf;
	}
}

static void
mbufs_release(struct sim_engine *engine)
{
	for (uint32_t i = 0; i < engine->held_count; i++)
		rte_pktmbuf_free(engine->held[i]);
	free(engine->held);
	engine->held = NULL;
	engine->held_count = 0;
}

/**
 * Create the buffer pool and the port functions of an engine, before the engine itself is created.
 */
static void
engine_prepare(struct sim_engine *engine, const struct nd_adapter_config *config)
{
	struct sim_node *node = engine->node;

	engine->pool = sim_pool_create(config->mbuf_count, config->path_mtu);
	if (engine->pool == NULL)
		sim_fail(node->world, "%s: no memory for packets", node->name);
	sim_net_set_pool(&node->world->net, node->net_port, engine->index, engine->pool);
	mbufs_hold(engine);
	engine->io = (struct port_io){
		.receive = receive,
		.transmit = transmit,
		.arg = engine,
		.mac = sim_node_mac(node->index),
		.mtu = (uint16_t)(config->path_mtu + PORT_HEADER_BYTES_MAX),
		.socket_id = SOCKET_ID_ANY,
	};
}

static uint32_t
neighbours_make(const struct sim_node *node, struct nd_neighbour *neighbours)
{
	const struct sim_plan *plan = &node->world->plan;
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->node_count; i++) {
		struct rte_ether_addr mac = sim_node_mac(i);

		if (i == node->index)
			continue;
		neighbours[count].address = address_of(plan, i);
		memcpy(neighbours[count].mac, mac.addr_bytes, sizeof(mac.addr_bytes));
		count++;
	}
	return count;
}

void
sim_node_open(struct sim_node *node)
{
	struct sim_world *world = node->world;
	struct nd_adapter_config config;
	struct nd_neighbour neighbours[SIM_NODES_MAX] = {0};
	struct adapter_parts parts = {.clock = {.now_ns = clock_read, .arg = world}};
	char why[192];
	nd_status status;

	node->address = address_of(&world->plan, node->index);
	config = config_of(node);
	if (world->plan.static_neighbours) {
		config.neighbours = neighbours;
		config.neighbour_count = neighbours_make(node, neighbours);
	}
	status = adapter_config_check(&config, why, sizeof(why));
	if (status != ND_SUCCESS)
		sim_fail(world, "%s: configuration: %s", node->name, why);
	for (uint32_t i = 0; i < config.engines; i++) {
		struct sim_engine *engine = &node->engines[i];

		engine->node = node;
		engine->index = i;
		engine_prepare(engine, &config);
		parts.queues[i].io = &engine->io;
		parts.queues[i].pool = engine->pool;
	}
	if (node->life == 0 || world->plan.forgetful_node != node->index)
		sim_random_fill(&node->random, node->seed, sizeof(node->seed));
	memcpy(parts.seed, node->seed, sizeof(parts.seed));
	status = adapter_create(&config, &parts, &node->adapter);
	if (status == ND_INSUFFICIENT_RESOURCES) {
		sim_pool_trim();
		status = adapter_create(&config, &parts, &node->adapter);
	}
	if (status != ND_SUCCESS)
		sim_fail(world, "%s: adapter: %s", node->name, nd_status_name(status));
	sim_reserve_watch(node->adapter->mem);
	node->wake_ns = UINT64_MAX;
	node->due_known = false;
	node->damaged_before = sim_net_port_in(&world->net, node->net_port)->corrupted_delivered;
}

struct nd_engine *
sim_node_pick_engine(struct sim_node *node)
{
	uint32_t count = node->world->plan.engines;
	uint32_t index = count == 1 ? 0 : sim_random_below(&node->engine_random, count);

	return nd_adapter_get_engine(node->adapter, index);
}

/**
 * @return earliest deadline of all engines, as computed after the last turn. The result is cached,
 * because each engine must search all slots of its timer wheel to compute the deadline.
 */
static uint64_t
engines_due_ns(struct sim_node *node)
{
	const struct nd_engine *home;

	if (node->due_known)
		return node->due_ns;
	node->due_known = true;
	node->due_ns = UINT64_MAX;
	ADAPTER_FOREACH_ENGINE (home, node->adapter)
		if (!sim_yield_holds(home))
			node->due_ns = RTE_MIN(node->due_ns, engine_deadline_ns(home->engine));
	return node->due_ns;
}

uint64_t
sim_node_next_ns(struct sim_node *node)
{
	uint64_t next_ns;

	if (node->adapter == NULL)
		return UINT64_MAX;
	next_ns = RTE_MIN(sim_net_port_next_ns(&node->world->net, node->net_port), node->wake_ns);
	if (next_ns > node->ready_ns)
		next_ns = RTE_MIN(next_ns, engines_due_ns(node));
	return next_ns == UINT64_MAX ? next_ns : RTE_MAX(next_ns, node->ready_ns);
}

/** Take results from all completion queues. @return true if all queues are empty now */
static bool
results_take(struct sim_node *node)
{
	struct sim_world *world = node->world;

	/* In some turns, take no results, as a busy application would. */
	if (sim_random_chance(&node->random, 80)) {
		sim_world_wake(node, world->now_ns + 1 + sim_random_below(&node->random, 20000));
		return false;
	}
	sim_yield_emptied(node);
	if (node->shared_cq.cq != NULL && !sim_yield_holds(node->shared_cq.engine))
		sim_oracle_take(node, &node->shared_cq);
	for (uint32_t i = 0; i < node->side_count; i++) {
		struct sim_side *side = node->sides[i];

		for (uint32_t k = 0; k < RTE_DIM(side->own_cqs); k++) {
			if (side->own_cqs[k].cq != NULL &&
				!sim_yield_holds(side->own_cqs[k].engine))
				sim_oracle_take(node, &side->own_cqs[k]);
		}
	}
	return true;
}

static void
notifications_arm(struct sim_node *node)
{
	uint32_t pick = sim_random_below(&node->random, 2 * node->side_count);
	struct sim_side *side = node->sides[pick / 2];
	struct sim_cq *cq =
		side->own_cqs[pick % 2].cq != NULL ? &side->own_cqs[pick % 2] : &node->shared_cq;

	if (sim_srq_wanted(node))
		sim_srq_arm(node);
	/*
	 * Do not arm a queue that may be released, because its pending notification would be
	 * reported to freed memory.
	 */
	if (cq->cq == NULL || side->state != SIM_SIDE_UP)
		return;
	if (sim_random_chance(&node->random, 50))
		sim_oracle_resize(node, cq);
	sim_oracle_arm(node, cq);
}

/**
 * Poll the engines in random order, as if each had its own thread. @return number of frames that
 * were sent or received
 */
static unsigned int
engines_poll(struct sim_node *node)
{
	uint32_t order[LIMIT_ENGINES] = {0}, count = node->world->plan.engines;
	unsigned int moved = 0;

	node->late = NULL;
	if (count > 1) {
		sim_random_order(&node->engine_random, order, count);
		if (sim_random_chance(&node->engine_random, LATE_ENGINE))
			node->late = nd_adapter_get_engine(node->adapter, order[--count]);
	}
	for (uint32_t i = 0; i < count; i++)
		moved += sim_yield_poll(node, nd_adapter_get_engine(node->adapter, order[i]));
	return moved;
}

/** @return true if an engine has frames that the port has not accepted yet */
static bool
output_waits(const struct sim_node *node)
{
	const struct nd_engine *home;

	ADAPTER_FOREACH_ENGINE (home, node->adapter) {
		if (home->engine->rc.packet_count != 0)
			return true;
	}
	return false;
}

/**
 * Fail if an engine is always due but never does anything, because it would keep a whole core busy.
 * Turns in which a due engine is not polled (late) count, but an engine is never late
 * IDLE_TURNS_MAX times in succession.
 */
static void
spin_check(struct sim_node *node, unsigned int moved)
{
	const struct sim_world *world = node->world;

	if (moved != 0 || sim_yield_paused(node, false) || engines_due_ns(node) > world->now_ns ||
		output_waits(node))
		node->idle_turns = 0;
	else if (++node->idle_turns > IDLE_TURNS_MAX)
		sim_fail(world, "%s: the engine has nothing to do, but is always due", node->name);
}

void
sim_node_turn(struct sim_node *node)
{
	struct sim_world *world = node->world;
	const struct sim_plan *plan = &world->plan;
	unsigned int moved;

	if (node->wake_ns <= world->now_ns)
		node->wake_ns = UINT64_MAX;
	sim_yield_turn(node);
	moved = engines_poll(node);
	node->emptied = results_take(node);
	if (node->emptied && sim_random_chance(&node->random, 200) &&
		!sim_yield_paused(node, false))
		notifications_arm(node);
	sim_connect_requests(node);
	for (uint32_t i = 0; i < node->side_count; i++)
		if (!sim_yield_holds_side(node->sides[i]))
			sim_side_turn(node->sides[i]);
	sim_grant_strike(node);
	sim_guard_turn(node);
	node->emptied = false;
	node->due_known = false;
	spin_check(node, moved);
	node->ready_ns = world->now_ns + 50 + sim_random_below(&node->random, plan->turn_ns);
	if (sim_random_chance(&node->random, plan->stall))
		node->ready_ns += sim_random_below(&node->random, plan->stall_ns);
	/*
	 * While the port is paused, run fewer turns. Otherwise the run would need a million turns.
	 */
	if (sim_net_port_out(&world->net, node->net_port)->paused && output_waits(node))
		node->ready_ns += sim_random_below(&node->random, MUTE_TURN_NS);
	sim_sabotage_turn(node);
}

uint64_t
sim_node_counter(const struct sim_node *node, const char *name)
{
	struct nd_counter counters[SIM_COUNTERS_MAX];
	size_t count = nd_adapter_counters(node->adapter, counters, SIM_COUNTERS_MAX);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(counters[i].name, name) == 0)
			return counters[i].value;
	}
	sim_fail(node->world, "there is no counter %s", name);
}

/** Check that the adapter has dropped exactly the damaged frames. */
static void
drops_check(struct sim_node *node)
{
	uint64_t damaged = sim_net_port_in(&node->world->net, node->net_port)->corrupted_delivered -
		node->damaged_before;
	const struct nd_engine *home;
	uint64_t drops = 0, unread = sim_node_counter(node, "drop_hand_over");

	ADAPTER_FOREACH_ENGINE (home, node->adapter) {
		const struct engine_counters *counters = &home->engine->counters;

		for (uint32_t i = 0; i < RTE_DIM(counters->drops); i++)
			drops += counters->drops[i];
	}
	/*
	 * If a hand-over ring is full, it drops frames before they are checked. These frames may be
	 * damaged or not.
	 */
	if (drops > damaged || drops + unread < damaged)
		sim_fail(node->world, "%s: %" PRIu64 " frames dropped, %" PRIu64 " were damaged",
			node->name, drops, damaged);
}

/**
 * Swift at first mistakes a long path delay for congestion, and may send only one packet per
 * millisecond. READ responses are paced in the same way. Responses to one or two probes wait for
 * the first READ response. So an answer after a READ may be delayed by more than an ACK interval,
 * once or twice until Swift has learned the path's delay.
 * @return maximum number of an adapter's timeouts that are allowed for this reason
 */
static uint64_t
paced_tries(const struct sim_plan *plan)
{
	for (uint32_t i = 0; i < plan->node_count; i++) {
		if (plan->stacks[i].congestion == ND_CONGESTION_SWIFT)
			return PACED_TRIES_MAX;
	}
	return 0;
}

/**
 * If no frames were lost and no turn stalled, check that the adapter has retransmitted only after
 * RNR NAKs.
 */
static void
recovery_check(const struct sim_node *node)
{
	static const char *const names[] = {"retries_sequence", "retries_implied",
		"rx_naks_sequence", "drop_unknown_qp", "drop_aeth"};
	const struct sim_plan *plan = &node->world->plan;
	uint64_t tries;

	if (plan->faults || plan->stall != 0 || plan->mischief != SIM_MISCHIEF_NONE)
		return;
	for (uint32_t i = 0; i < RTE_DIM(names); i++) {
		if (sim_node_counter(node, names[i]) != 0)
			sim_fail(node->world, "%s: %s is %" PRIu64 " on a perfect network",
				node->name, names[i], sim_node_counter(node, names[i]));
	}
	tries = sim_node_counter(node, "retries_timeout");
	if (tries > paced_tries(plan))
		sim_fail(node->world, "%s: %" PRIu64 " ACK timers expired on a perfect network",
			node->name, tries);
}

static void
memory_check(const struct sim_node *node)
{
	struct mem_domain_stats stats;

	mem_domain_stats(node->adapter->mem, &stats);
	if (stats.regions != 0 || stats.windows != 0 || stats.windows_bound != 0 ||
		stats.binds_queued != 0)
		sim_fail(node->world, "%s: %u regions, %u windows, %u bound, %u binds are left",
			node->name, stats.regions, stats.windows, stats.windows_bound,
			stats.binds_queued);
}

static void
pool_check(const struct sim_node *node, const struct rte_mempool *pool)
{
	uint32_t left = rte_mempool_avail_count(pool);

	if (left != pool->size)
		sim_fail(node->world, "%s: %u packet buffers are lost", node->name,
			pool->size - left);
}

static void
pools_check(const struct sim_node *node, char names[][RTE_MEMPOOL_NAMESIZE])
{
	for (uint32_t i = 0; i < node->world->plan.engines; i++) {
		const struct rte_mempool *pool = rte_mempool_lookup(names[i]);

		if (pool != NULL)
			pool_check(node, pool);
	}
}

static void
adapter_end(struct sim_node *node)
{
	char names[LIMIT_ENGINES][RTE_MEMPOOL_NAMESIZE];

	for (uint32_t i = 0; i < node->world->plan.engines; i++) {
		mbufs_release(&node->engines[i]);
		memcpy(names[i], node->engines[i].pool->name, sizeof(names[i]));
	}
	nd_adapter_close(node->adapter);
	node->adapter = NULL;
	pools_check(node, names);
}

void
sim_node_die(struct sim_node *node, bool quietly)
{
	struct sim_net *net = &node->world->net;

	sim_yield_drain(node, false);
	if (quietly)
		sim_net_cut(net, node->net_port, true);
	for (uint32_t i = 0; i < node->side_count; i++)
		sim_side_doom(node->sides[i]->pair);
	adapter_end(node);
	sim_net_cut(net, node->net_port, true);
	node->listener = NULL;
	memset(node->listening, 0, sizeof(node->listening));
	node->shared_cq = (struct sim_cq){0};
	sim_srq_lose(node);
	sim_keys_lose(node);
	sim_guard_lose(node);
	node->wake_ns = UINT64_MAX;
	for (uint32_t i = 0; i < node->side_count; i++)
		sim_side_lose(node->sides[i]);
}

void
sim_node_revive(struct sim_node *node)
{
	struct sim_net *net = &node->world->net;

	sim_net_cut(net, node->net_port, false);
	sim_net_forget(net, node->net_port);
	node->life++;
	if (node->world->plan.forgetful_node == node->index)
		node->quiet_ns = node->world->now_ns + FORGETFUL_QUIET_NS;
	sim_node_open(node);
	for (uint32_t i = 0; i < node->side_count; i++)
		sim_side_found(node->sides[i]);
	sim_connect_listen(node);
	for (uint32_t i = 0; i < node->side_count; i++)
		sim_side_round_end(node->sides[i]->pair);
	sim_world_wake(node, node->world->now_ns);
}

void
sim_node_detach(struct sim_node *node)
{
	nd_status status;

	sim_yield_drain(node, false);
	sim_keys_close(node);
	sim_guard_close(node);
	if (node->adapter == NULL)
		return;
	status = nd_listener_release(node->listener);
	if (status == ND_SUCCESS && node->shared_cq.cq != NULL)
		status = nd_cq_release(node->shared_cq.cq);
	for (uint32_t i = 0; i < SIM_PAIRS_MAX; i++) {
		if (status == ND_SUCCESS && node->listening[i].connector != NULL)
			status = nd_connector_release(node->listening[i].connector);
		node->listening[i].connector = NULL;
	}
	if (status != ND_SUCCESS)
		sim_fail(node->world, "%s: release: %s", node->name, nd_status_name(status));
	node->listener = NULL;
	node->shared_cq.cq = NULL;
	sim_srq_close(node);
}

const char *
sim_node_left(const struct sim_node *node)
{
	const struct nd_engine *home;
	const struct cm *cm;

	if (node->adapter == NULL)
		return NULL;
	if (output_waits(node))
		return "a packet for the port";
	cm = node->adapter->engine->cm;
	if (!base_list_empty(&node->adapter->connectors))
		return "a connector";
	if (!base_list_empty(&node->adapter->listeners))
		return "a listener";
	if (cm_id_count(cm) != 0 || cm_half_open_count(cm) != 0 || cm_held_count(cm) != 0)
		return "a record of a connection";
	ADAPTER_FOREACH_ENGINE (home, node->adapter) {
		if (home->engine->wheel.armed != 0)
			return "a deadline";
		if (home->engine->qps.free_count != home->engine->qps.slot_mask + 1)
			return "a queue pair";
		/* The last turn of an engine may have handed over a frame, which waits here. */
		if (engine_group_due(home->engine))
			return "a frame, order or note of another engine";
	}
	return NULL;
}

void
sim_node_close(struct sim_node *node)
{
	if (node->adapter == NULL)
		return;
	sim_yield_drain(node, false);
	drops_check(node);
	recovery_check(node);
	memory_check(node);
	for (uint32_t i = 0; i < node->world->plan.engines; i++) {
		mbufs_release(&node->engines[i]);
		pool_check(node, node->engines[i].pool);
	}
	adapter_end(node);
}
