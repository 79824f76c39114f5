/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ndpdk/nd_trace.h>

/** Virtual time in ns after which a run counts as hanging. */
#define VIRTUAL_MAX_NS UINT64_C(300000000000)
/** Number of turns after which a run counts as hanging. */
#define TURNS_MAX      UINT64_C(5000000)
/** Time in ns after which an adapter must have freed all state of ended connections. */
#define REST_NS        UINT64_C(120000000000)
/** Time in ns for the arrival of frames in flight, after all objects were released. */
#define DRAIN_NS       UINT64_C(50000000)

void
sim_fail(const struct sim_world *world, const char *format, ...)
{
	const struct sim_plan *plan = &world->plan;
	va_list args;

	fprintf(stderr, "seed %" PRIu64 ": ", plan->seed);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr,
		" (at %.3f us, mischief: %s)\n  replay: ndsim --scenario %s --engines %u --seed "
		"%" PRIu64 " --trace\n",
		(double)world->now_ns / 1000, sim_mischief_name(plan->mischief),
		sim_scenario_name(plan->scenario), plan->engines, plan->seed);
	fflush(stderr);
	_exit(SIM_STATUS_FAILED);
}

void
sim_world_wake(struct sim_node *node, uint64_t at_ns)
{
	if (at_ns < node->wake_ns)
		node->wake_ns = at_ns;
}

/**
 * Create two leaf switches with several paths between them. @return number of the first switch.
 * *other is set to the number of the second switch
 */
static uint32_t
leaves_open(struct sim_world *world, uint32_t *other)
{
	const struct sim_plan *plan = &world->plan;
	struct sim_net *net = &world->net;
	uint32_t near = sim_net_add_switch(net, "s", plan->choice);
	uint32_t far = sim_net_add_switch(net, "t", plan->choice);

	for (uint32_t i = 0; i < plan->ways; i++) {
		struct sim_link_config config = plan->fabric;
		char name[2] = {(char)('1' + i), 0};
		uint32_t middle = sim_net_add_switch(net, name, plan->choice);

		config.latency_ns *= i + 1;
		sim_net_add_cable(net, near, middle, &config);
		sim_net_add_cable(net, far, middle, &plan->fabric);
	}
	*other = far;
	return near;
}

/** Add the links. Links from nodes use plan.link; links from switches use plan.fabric. */
static void
cables_lay(struct sim_world *world)
{
	const struct sim_plan *plan = &world->plan;
	struct sim_net *net = &world->net;
	uint32_t leaves[2] = {0, 0};

	if (plan->shape == SIM_SHAPE_STAR)
		leaves[0] = leaves[1] = sim_net_add_switch(net, "s", plan->choice);
	else if (plan->shape == SIM_SHAPE_LEAVES)
		leaves[0] = leaves_open(world, &leaves[1]);
	for (uint32_t i = 0; i < plan->node_count; i++) {
		struct sim_link_config config = plan->link[i];
		uint32_t port = world->nodes[i].net_port, there = leaves[i % 2];

		config.outage_at_ns += world->start_ns;
		if (plan->shape == SIM_SHAPE_CABLE)
			there = world->nodes[1 - i].net_port;
		else
			sim_net_add_link(net, there, port, &plan->fabric);
		sim_net_add_link(net, port, there, &config);
	}
}

static void
net_open(struct sim_world *world)
{
	const struct sim_plan *plan = &world->plan;
	struct sim_net *net = &world->net;

	sim_net_init(net, &world->now_ns, plan->seed, &world->trace);
	for (uint32_t i = 0; i < plan->node_count; i++) {
		struct rte_ether_addr mac = sim_node_mac(i);

		world->nodes[i].net_port =
			sim_net_add_port(net, world->nodes[i].name, mac.addr_bytes, plan->engines);
	}
	cables_lay(world);
	sim_net_start(net);
}

static void
pair_init(struct sim_world *world, struct sim_pair *pair)
{
	const struct sim_plan *plan = &world->plan;
	const uint32_t *nodes = plan->pair_nodes[pair->index];
	uint16_t mtu[2] = {plan->path_mtu[nodes[0]], plan->path_mtu[nodes[1]]};
	/*
	 * The side with the smaller path MTU is active and proposes this MTU. The passive side must
	 * support it.
	 */
	uint32_t active = mtu[0] == mtu[1] ? sim_random_below(&world->random, 2) : mtu[1] < mtu[0];

	pair->closer = sim_random_below(&world->random, 3);
	/* After a mischief, the same two adapters connect once more. This connection must work. */
	pair->rounds = plan->mischief != SIM_MISCHIEF_NONE && pair->index == 0
		? 1
		: sim_random_chance(&world->random, 200);
	pair->rounds += plan->rounds;
	pair->wrong_port = sim_random_chance(&world->random, 60);
	pair->rejecting = sim_random_chance(&world->random, 60);
	pair->begun_ns = world->now_ns;
	for (uint32_t k = 0; k < 2; k++) {
		sim_side_init(pair, k, &world->nodes[nodes[k]]);
		pair->sides[k].active = k == active;
	}
}

static void
world_open(struct sim_world *world, const struct sim_plan *plan, const struct sim_watch *watch)
{
	*world = (struct sim_world){.plan = *plan};
	world->random = sim_random_stream(plan->seed, 20);
	world->start_ns = 1000000 + sim_random_u64(&world->random) % 1000000000000;
	world->now_ns = world->start_ns;
	if (!sim_trace_init(&world->trace, &world->now_ns, watch))
		sim_fail(world, "cannot write %s", watch->capture);
	sim_memory_reset();
	sim_yield_open(world);
	for (uint32_t i = 0; i < plan->node_count; i++) {
		struct sim_node *node = &world->nodes[i];

		node->world = world;
		node->index = i;
		node->name[0] = (char)('A' + i);
		node->random = sim_random_stream(plan->seed, 30 + i);
		node->engine_random = sim_random_stream(plan->seed, 40 + i);
	}
	net_open(world);
	for (uint32_t i = 0; i < plan->node_count; i++)
		sim_node_open(&world->nodes[i]);
	for (uint32_t i = 0; i < plan->pair_count; i++) {
		world->pairs[i].index = i;
		pair_init(world, &world->pairs[i]);
	}
	for (uint32_t i = 0; i < plan->pair_count; i++) {
		sim_side_open(&world->pairs[i].sides[0]);
		sim_side_open(&world->pairs[i].sides[1]);
	}
	for (uint32_t i = 0; i < plan->node_count; i++) {
		sim_keys_open(&world->nodes[i]);
		sim_guard_open(&world->nodes[i]);
	}
	for (uint32_t i = 0; i < plan->node_count; i++) {
		sim_connect_listen(&world->nodes[i]);
		sim_world_wake(&world->nodes[i], world->now_ns);
	}
	sim_accident_init(world);
}

/** @return the node whose turn is next. @param at_ns set to the time of this turn */
static struct sim_node *
node_next(struct sim_world *world, uint64_t *at_ns)
{
	struct sim_node *first = &world->nodes[0];

	*at_ns = sim_node_next_ns(first);
	for (uint32_t i = 1; i < world->plan.node_count; i++) {
		uint64_t next_ns = sim_node_next_ns(&world->nodes[i]);

		if (next_ns < *at_ns) {
			first = &world->nodes[i];
			*at_ns = next_ns;
		}
	}
	return first;
}

static void
stuck(const struct sim_world *world, const char *why)
{
	for (uint32_t i = 0; i < world->plan.pair_count; i++) {
		for (uint32_t k = 0; k < 2; k++) {
			const struct sim_side *side = &world->pairs[i].sides[k];

			fprintf(stderr, "%s: state %d, %u operations left, %u out, %u in%s\n",
				side->name, (int)side->state, side->left,
				sim_queue_count(&side->out), sim_queue_count(&side->in),
				side->doomed ? ", may fail" : "");
		}
	}
	sim_fail(world, "%s", why);
}

/**
 * Fail if no application has made progress for longer than all retries and accidents can explain.
 */
static void
progress_check(const struct sim_world *world)
{
	uint64_t calm_ns = world->start_ns + world->plan.calm_ns;
	uint64_t since_ns = RTE_MAX(world->progress_ns, calm_ns);

	if (world->now_ns > since_ns + sim_accident_patience_ns(world))
		stuck(world, "no application makes progress");
	if (world->now_ns - world->start_ns > VIRTUAL_MAX_NS || world->turns > TURNS_MAX)
		sim_fail(world, "the run takes too long: %" PRIu64 " turns", world->turns);
}

/** Process the next event. @return false if no event exists */
static bool
step(struct sim_world *world)
{
	uint64_t accident_ns = sim_accident_next_ns(world);
	uint64_t node_ns, net_ns = RTE_MIN(sim_net_next_ns(&world->net), accident_ns);
	struct sim_node *node = node_next(world, &node_ns);

	if (node_ns == UINT64_MAX && net_ns == UINT64_MAX)
		return false;
	world->now_ns = RTE_MAX(world->now_ns, RTE_MIN(node_ns, net_ns));
	if (net_ns > node_ns) {
		world->turns++;
		sim_node_turn(node);
		return true;
	}
	sim_net_run(&world->net);
	if (accident_ns <= world->now_ns)
		sim_accident_happen(world);
	return true;
}

static bool
all_closed(const struct sim_world *world)
{
	for (uint32_t i = 0; i < world->plan.pair_count; i++) {
		for (uint32_t k = 0; k < 2; k++) {
			if (world->pairs[i].sides[k].state != SIM_SIDE_CLOSED)
				return false;
		}
	}
	return true;
}

/**
 * @return description of what an adapter has kept of an ended connection; NULL if no adapter has
 * kept anything. *node is set to the node of this adapter.
 */
static const char *
left_anywhere(const struct sim_world *world, const struct sim_node **node)
{
	const char *what = NULL;

	for (uint32_t i = 0; i < world->plan.node_count && what == NULL; i++) {
		*node = &world->nodes[i];
		what = sim_node_left(*node);
	}
	return what;
}

/**
 * Wait until adapters must have freed the state of ended connections. Then check that neither state
 * is left, nor a packet that a port had refused.
 */
static void
rest(struct sim_world *world)
{
	uint64_t end_ns = world->now_ns + REST_NS;
	const struct sim_node *node = NULL;
	const char *what;

	while ((what = left_anywhere(world, &node)) != NULL && world->now_ns < end_ns &&
		step(world))
		continue;
	if (what != NULL)
		sim_fail(world, "%s: %s is left", node->name, what);
}

static void
world_close(struct sim_world *world)
{
	for (uint32_t i = 0; i < world->plan.pair_count; i++) {
		for (uint32_t k = 0; k < 2; k++)
			sim_side_close(&world->pairs[i].sides[k]);
	}
	for (uint32_t i = 0; i < world->plan.node_count; i++)
		sim_node_detach(&world->nodes[i]);
	rest(world);
	for (uint32_t i = 0; i < world->plan.node_count; i++)
		sim_node_close(&world->nodes[i]);
	sim_net_fini(&world->net);
}

static void
counters_add(const struct sim_world *world, struct sim_summary *sum)
{
	struct nd_counter counters[SIM_COUNTERS_MAX];

	for (uint32_t i = 0; i < world->plan.node_count; i++) {
		size_t count;

		if (world->nodes[i].adapter == NULL)
			continue;
		count = nd_adapter_counters(world->nodes[i].adapter, counters, SIM_COUNTERS_MAX);
		if (count > SIM_COUNTERS_MAX)
			sim_fail(world, "%zu counters", count);
		for (size_t k = 0; k < count; k++) {
			sum->counters[k].name = counters[k].name;
			sum->counters[k].value += counters[k].value;
		}
		sum->counter_count = count;
	}
}

static void
summarize(struct sim_world *world, struct sim_summary *sum)
{
	*sum = (struct sim_summary){
		.hash = world->trace.hash,
		.events = world->trace.events,
		.turns = world->turns,
		.virtual_ns = world->now_ns - world->start_ns,
	};
	counters_add(world, sum);
	for (uint32_t i = 0; i < world->net.edge_count; i++) {
		const struct sim_link *link = sim_net_link(&world->net, i);

		sum->frames += link->sent;
		sum->faults += link->lost + link->duplicated + link->reordered + link->corrupted +
			link->queue_drops + link->marked;
	}
	for (uint32_t i = 0; i < world->plan.pair_count; i++) {
		for (uint32_t k = 0; k < 2; k++)
			sum->requests += world->pairs[i].sides[k].out.posted +
				world->pairs[i].sides[k].in.posted;
	}
}

/**
 * @return true if an adapter has restarted with the same random numbers. Then equal identifiers in
 * frames may belong to different connections.
 */
static bool
identifiers_repeat(const struct sim_world *world)
{
	uint32_t index = world->plan.forgetful_node;

	return index < world->plan.node_count && world->nodes[index].life != 0;
}

/**
 * With several engines, the first engine sends a DREP, and another engine the data of the
 * connection, through different queues of the port, which have no common order. So data may follow
 * the DREP.
 * @return the first violation of another kind, or NULL
 */
static const struct nd_trace_violation *
violation_first(const struct sim_world *world, const struct nd_trace *trace)
{
	const struct nd_trace_violation *violation;

	for (size_t i = 0; (violation = nd_trace_violation(trace, i)) != NULL; i++)
		if (world->plan.engines == 1 || strcmp(violation->rule, "CM-STATE") != 0 ||
			strstr(violation->text, "after the DREP") == NULL)
			return violation;
	return NULL;
}

/** Check that the frames on the links obey the protocol's rules. */
static void
judge(struct sim_world *world)
{
	struct nd_trace *trace = world->trace.judge;
	const struct nd_trace_violation *first;
	struct nd_trace_totals totals;

	nd_trace_finish(trace);
	nd_trace_totals(trace, &totals);
	if (totals.icrc_bad + totals.malformed + totals.truncated != 0)
		sim_fail(world, "%" PRIu64 " frames with a wrong ICRC, %" PRIu64 " malformed",
			totals.icrc_bad, totals.malformed);
	first = violation_first(world, trace);
	if (!identifiers_repeat(world) && first != NULL)
		sim_fail(world, "frame %" PRIu64 " on the link violates %s: %s", first->frame,
			first->rule, first->text);
}

void
sim_world_run(struct sim_world *world, const struct sim_plan *plan, const struct sim_watch *watch,
	struct sim_summary *sum)
{
	uint64_t end_ns;

	world_open(world, plan, watch);
	while (!all_closed(world)) {
		if (!step(world))
			stuck(world, "deadlock: no event is pending");
		progress_check(world);
	}
	world->closing = true;
	end_ns = world->now_ns + DRAIN_NS;
	while (world->now_ns < end_ns && step(world))
		continue;
	judge(world);
	summarize(world, sum);
	world_close(world);
	sim_trace_fini(&world->trace);
}
