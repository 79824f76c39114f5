/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_plan.h"

#include <rte_common.h>

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

/** First stream numbers of stacks_make() and yield_make(). The scenarios use lower numbers. */
#define STREAM_STACKS 2048
#define STREAM_YIELD  4096

/** Maximum per mille of frames that have a fault. */
#define FAULTS_MAX 50

/** Maximum number of pairs in a run with two adapters. */
#define PAIRS_OF_TWO_MAX 4

/**
 * @return number of packet buffers of each engine if an adapter has several engines. EAL has little
 * memory, but an adapter needs at least 512 buffers. Waiting frames use at most half of the
 * buffers, because a perfect network must not lose frames.
 */
static uint32_t
mbufs_of_several(uint32_t engines)
{
	return engines <= 4 ? 512 * engines : 512;
}

static void
faults_make(struct sim_link_config *link, uint32_t total, struct sim_random *random)
{
	uint16_t *const kinds[] = {&link->loss, &link->duplicate, &link->reorder, &link->corrupt};
	uint32_t left = total;

	while (left != 0) {
		uint32_t part = sim_random_range(random, 1, left);

		*kinds[sim_random_below(random, RTE_DIM(kinds))] += (uint16_t)part;
		left -= part;
	}
}

static void
link_make(struct sim_link_config *link, uint32_t faults, struct sim_random *random)
{
	static const uint32_t rates_mbps[] = {0, 0, 5000, 10000, 25000, 100000};

	*link = (struct sim_link_config){
		.latency_ns = sim_random_chance(random, 500)
			? sim_random_range(random, 500, 5000)
			: sim_random_range(random, 5000, 200000),
		.jitter_ns =
			sim_random_chance(random, 500) ? 0 : sim_random_range(random, 1, 50000),
		.reorder_ns = sim_random_range(random, 1000, 300000),
		.duplicate_ns = sim_random_chance(random, 800)
			? sim_random_range(random, 0, 300000)
			: sim_random_range(random, 1, 20) * MS,
		.rate_mbps = rates_mbps[sim_random_below(random, RTE_DIM(rates_mbps))],
		.refuse =
			(uint16_t)(sim_random_chance(random, 300) ? sim_random_range(random, 1, 300)
								  : 0),
	};
	if (link->rate_mbps != 0 && sim_random_chance(random, 700))
		link->ring_ns = sim_random_range(random, 10, 200) * US;
	if (faults != 0)
		faults_make(link, sim_random_range(random, (faults + 1) / 2, faults), random);
	/* The outage is short enough that a request's retries are not exhausted. */
	if (faults > FAULTS_MAX / 2 && sim_random_chance(random, 200)) {
		link->outage_at_ns = sim_random_range(random, 1, 20000) * US;
		link->outage_ns = sim_random_range(random, 1, 8) * MS;
	}
}

static void
network_make(struct sim_plan *plan, struct sim_random *random)
{
	uint32_t faults = 0;

	if (sim_random_chance(random, 800))
		faults = sim_random_range(random, 1, FAULTS_MAX);
	plan->faults = faults != 0;
	plan->v6 = sim_random_chance(random, 400);
	plan->vlan_id =
		(uint16_t)(sim_random_chance(random, 300) ? sim_random_range(random, 1, 4094) : 0);
	plan->static_neighbours = sim_random_chance(random, 300);
	for (int i = 0; i < 2; i++)
		link_make(&plan->link[i], faults, random);
	plan->path_mtu[0] = (uint16_t)(256u << sim_random_below(random, 5));
	plan->path_mtu[1] = sim_random_chance(random, 700)
		? plan->path_mtu[0]
		: (uint16_t)(256u << sim_random_below(random, 5));
}

static void
load_make(struct sim_plan *plan, struct sim_random *random)
{
	static const uint32_t message_max[] = {64, 700, 4096, 16384, 65536};
	uint32_t packets;

	plan->message_max = message_max[sim_random_below(random, RTE_DIM(message_max))];
	packets = plan->message_max / RTE_MIN(plan->path_mtu[0], plan->path_mtu[1]);
	plan->pair_count = packets > 64 ? 1 : sim_random_range(random, 1, PAIRS_OF_TWO_MAX);
	plan->operations = packets > 64 ? sim_random_range(random, 30, 90)
					: sim_random_range(random, 60, packets > 16 ? 120 : 240);
	plan->mbuf_count = sim_random_chance(random, 300) ? 512 : 2048;
	if (sim_random_chance(random, 150)) {
		plan->mbufs_left = sim_random_range(random, 16, 100);
		/* During a shortage of buffers, the receiver loses frames. */
		plan->faults = true;
	}
	plan->ack_timeout = (uint8_t)sim_random_range(random, 10, 12);
	plan->rnr_timer = (uint8_t)sim_random_range(random, 1, 16);
	plan->shared_cq = sim_random_chance(random, 300);
	plan->turn_ns = sim_random_range(random, 100, 3000);
	plan->stall =
		(uint16_t)(sim_random_chance(random, 300) ? sim_random_range(random, 1, 20) : 0);
	plan->stall_ns = sim_random_range(random, 10, 2000) * (uint32_t)US;
	plan->think_ns = sim_random_chance(random, 500) ? sim_random_range(random, 1, 2000)
							: sim_random_range(random, 2000, 200000);
	plan->idle_receiver =
		(uint16_t)(sim_random_chance(random, 200) ? sim_random_range(random, 300, 950) : 0);
}

static void
mischief_make(struct sim_plan *plan, struct sim_random *random)
{
	plan->operations = RTE_MIN(plan->operations, 60u);
	plan->mischief = (enum sim_mischief)sim_random_range(random, 1, SIM_MISCHIEF_COUNT - 1);
	if (plan->mischief == SIM_WRITE_FOREIGN_KEY || plan->mischief == SIM_SEND_FOREIGN_KEY)
		plan->pair_count = RTE_MAX(plan->pair_count, 2u);
	plan->mischief_after = sim_random_below(random, plan->operations);
}

/**
 * Choose the settings of one adapter at random. The adapters of a pair may have different settings.
 */
static void
stack_make(struct sim_stack *stack, struct sim_random *random)
{
	static const enum nd_congestion algorithms[] = {ND_CONGESTION_LOSS_WINDOW,
		ND_CONGESTION_LOSS_WINDOW, ND_CONGESTION_NONE, ND_CONGESTION_DCQCN,
		ND_CONGESTION_SWIFT};
	static const uint32_t keeps[] = {0, 0, 1, 4, 64};
	static const uint32_t reorder_windows_us[] = {0, 0, ND_REORDER_NONE, 1, 50, 500};
	static const uint32_t keepalives_ms[] = {0, 0, 5, 20, 100};

	stack->congestion = algorithms[sim_random_below(random, RTE_DIM(algorithms))];
	stack->ecn = stack->congestion == ND_CONGESTION_DCQCN ||
		(stack->congestion != ND_CONGESTION_NONE && sim_random_chance(random, 300));
	stack->keep_packets = keeps[sim_random_below(random, RTE_DIM(keeps))];
	stack->reorder_window_us =
		reorder_windows_us[sim_random_below(random, RTE_DIM(reorder_windows_us))];
	stack->keepalive_ms = keepalives_ms[sim_random_below(random, RTE_DIM(keepalives_ms))];
}

/**
 * Choose settings that were added to the plan later. They use separate random streams, because the
 * rest of the plan must not change for old seeds.
 */
static void
stacks_make(struct sim_plan *plan)
{
	struct sim_random random =
		sim_random_stream(plan->seed, STREAM_STACKS + (uint64_t)plan->scenario);

	for (uint32_t i = 0; i < SIM_NODES_MAX; i++)
		stack_make(&plan->stacks[i], &random);
	plan->forgetful_node =
		plan->scenario == SIM_SCENARIO_POWERCUT && sim_random_chance(&random, 300)
		? sim_random_below(&random, plan->node_count)
		: SIM_NODES_MAX;
	plan->lack = sim_random_chance(&random, 150);
	plan->keys = plan->scenario == SIM_SCENARIO_KEYS ||
		(plan->scenario == SIM_SCENARIO_MIXED && sim_random_chance(&random, 400));
	/*
	 * With keys, connections fail even if no frame is lost. So the checks of a network without
	 * faults do not apply.
	 */
	plan->faults |= plan->keys;
}

/**
 * If an adapter has several engines, let turns pause at random, as if their threads were preempted.
 */
static void
yield_make(struct sim_plan *plan)
{
	static const uint32_t yields[] = {3, 10, 30, 100};
	struct sim_random random =
		sim_random_stream(plan->seed, STREAM_YIELD + (uint64_t)plan->scenario);

	if (plan->engines == 1 || plan->lack ||
		(plan->scenario != SIM_SCENARIO_KEYS && plan->scenario != SIM_SCENARIO_CHURN &&
			plan->scenario != SIM_SCENARIO_MIXED))
		return;
	plan->yield = yields[sim_random_below(&random, RTE_DIM(yields))];
	plan->keys |= sim_random_chance(&random, 600);
	/*
	 * While a thread is paused, timers may expire. So the checks of a network without faults do
	 * not apply.
	 */
	plan->faults = true;
}

void
sim_plan_make(struct sim_plan *plan, uint64_t seed, enum sim_scenario scenario, uint32_t engines)
{
	struct sim_random random = sim_random_stream(seed, 1 + (uint64_t)scenario);

	*plan = (struct sim_plan){
		.seed = seed, .scenario = scenario, .engines = engines, .node_count = 2};
	network_make(plan, &random);
	load_make(plan, &random);
	for (uint32_t i = 0; i < SIM_PAIRS_MAX; i++)
		plan->pair_nodes[i][1] = 1;
	if (scenario == SIM_SCENARIO_ERRORS)
		mischief_make(plan, &random);
	else if (scenario != SIM_SCENARIO_PAIR)
		sim_scenario_add(plan, &random);
	stacks_make(plan);
	yield_make(plan);
	if (engines > 1 && plan->node_count == 2)
		plan->mbuf_count = mbufs_of_several(engines);
	/*
	 * With more than two adapters, each adapter has the minimum of buffers and may lose frames.
	 */
	if (engines > 1 && plan->node_count > 2)
		plan->faults = true;
}

const char *
sim_mischief_name(enum sim_mischief mischief)
{
	static const char *const names[SIM_MISCHIEF_COUNT] = {
		[SIM_MISCHIEF_NONE] = "none",
		[SIM_WRITE_BEYOND] = "write beyond window",
		[SIM_WRITE_READ_ONLY] = "write to read-only window",
		[SIM_READ_WRITE_ONLY] = "read from write-only window",
		[SIM_ATOMIC_NO_RIGHT] = "atomic through window for reads and writes",
		[SIM_WRITE_BAD_KEY] = "write with bad key",
		[SIM_READ_BAD_KEY] = "read with bad key",
		[SIM_WRITE_FOREIGN_KEY] = "write with key of another connection",
		[SIM_WRITE_STALE_KEY] = "write after invalidate",
		[SIM_SEND_BAD_KEY] = "send invalidating no window",
		[SIM_SEND_FOREIGN_KEY] = "send invalidating window of another connection",
		[SIM_SEND_TOO_LONG] = "send longer than receive",
		[SIM_INVALIDATE_TWICE] = "invalidate unbound window",
		[SIM_DEAD_MEMORY] = "request from deregistered memory",
		[SIM_FLUSH] = "flush",
		[SIM_DISCONNECT] = "disconnect",
		[SIM_DISCONNECT_BOTH] = "disconnect from both sides",
		[SIM_RELEASE] = "release endpoint",
		[SIM_CUT] = "cut link",
	};

	return names[mischief];
}
