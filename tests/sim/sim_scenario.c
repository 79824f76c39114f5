/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The names of the scenarios, and the parts that they add to the plan of a seed. */

#include "sim_plan.h"

#include <string.h>

#include <rte_common.h>

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

/**
 * Maximum message length and maximum number of operations. Larger values make runs with several
 * adapters slow.
 */
#define MESSAGE_MAX    16384
#define OPERATIONS_MAX 60

static const uint32_t rates_mbps[] = {5000, 10000, 25000, 100000};

static uint32_t
rate_roll(struct sim_random *random)
{
	return rates_mbps[sim_random_below(random, RTE_DIM(rates_mbps))];
}

/** Plan a run with several adapters. Each adapter has at least one pair. */
static void
nodes_make(struct sim_plan *plan, struct sim_random *random, uint32_t count_max)
{
	uint32_t count = sim_random_range(random, 3, count_max);

	plan->node_count = count;
	for (uint32_t i = 2; i < count; i++) {
		plan->link[i] = plan->link[i % 2];
		plan->path_mtu[i] = plan->path_mtu[i % 2];
	}
	plan->pair_count = sim_random_range(random, count - 1, SIM_PAIRS_MAX);
	for (uint32_t i = 0; i < plan->pair_count; i++) {
		uint32_t one = i < count - 1 ? i + 1 : sim_random_below(random, count);
		uint32_t other = i < count - 1
			? sim_random_below(random, one)
			: (one + sim_random_range(random, 1, count - 1)) % count;

		plan->pair_nodes[i][0] = RTE_MIN(one, other);
		plan->pair_nodes[i][1] = RTE_MAX(one, other);
	}
	plan->message_max = RTE_MIN(plan->message_max, (uint32_t)MESSAGE_MAX);
	plan->operations = sim_random_range(random, 10, OPERATIONS_MAX);
	plan->mbuf_count = 512;
}

static void
switch_add(struct sim_plan *plan, struct sim_random *random)
{
	plan->shape = SIM_SHAPE_STAR;
	plan->fabric = (struct sim_link_config){
		.latency_ns = sim_random_range(random, 500, 20000),
		.rate_mbps = rate_roll(random),
	};
	for (uint32_t i = 0; i < plan->node_count; i++) {
		plan->link[i].rate_mbps = rate_roll(random);
		plan->link[i].ring_ns = sim_random_range(random, 10, 200) * (uint32_t)US;
	}
}

static void
spray_add(struct sim_plan *plan, struct sim_random *random)
{
	switch_add(plan, random);
	plan->shape = SIM_SHAPE_LEAVES;
	plan->ways = sim_random_range(random, 2, 4);
	plan->choice = sim_random_chance(random, 800) ? SIM_NET_BY_FRAME : SIM_NET_BY_FLOW;
	plan->faults = true;
}

/** Add loss bursts. Each burst is so short that the retries of a request are not exhausted. */
static void
bursts_add(struct sim_plan *plan, struct sim_random *random)
{
	for (uint32_t i = 0; i < plan->node_count; i++) {
		struct sim_link_config *link = &plan->link[i];

		link->burst_begin = (uint16_t)sim_random_range(random, 1, 20);
		link->burst_end = (uint16_t)sim_random_range(random, 50, 500);
		link->burst_loss = (uint16_t)sim_random_range(random, 300, 1000);
		link->burst_max_ns = sim_random_range(random, 100, 8000) * US;
		link->swing_ns = sim_random_range(random, 0, 500) * US;
		link->swing_period_ns = sim_random_range(random, 1, 50) * MS;
	}
	plan->faults = true;
}

/** Connect all pairs to one adapter, and make the switch queue to this adapter short. */
static void
incast_add(struct sim_plan *plan, struct sim_random *random)
{
	uint32_t frame = RTE_MAX(plan->path_mtu[0], plan->path_mtu[1]) + 100u;
	struct sim_link_config *fabric = &plan->fabric;

	for (uint32_t i = 0; i < plan->pair_count; i++) {
		plan->pair_nodes[i][0] = 0;
		plan->pair_nodes[i][1] = i % (plan->node_count - 1) + 1;
	}
	fabric->rate_mbps = rates_mbps[0];
	fabric->queue_bytes = frame * sim_random_range(random, 8, 100);
	if (sim_random_chance(random, 500)) {
		fabric->mark_min_bytes = fabric->queue_bytes / sim_random_range(random, 4, 20);
		fabric->mark_max_bytes = fabric->mark_min_bytes +
			fabric->queue_bytes / sim_random_range(random, 2, 10);
		fabric->mark = (uint16_t)sim_random_range(random, 10, 1000);
	}
	if (sim_random_chance(random, 300)) {
		fabric->pause_bytes = fabric->queue_bytes / 3;
		fabric->resume_bytes = fabric->queue_bytes / 6;
	}
	plan->faults = true;
}

static void
accident_add(struct sim_plan *plan, struct sim_random *random, uint64_t *free_ns,
	enum sim_accident_kind kind)
{
	uint32_t node = sim_random_below(random, plan->node_count);
	struct sim_accident *accident = &plan->accidents[plan->accident_count];
	bool for_good = (kind == SIM_ACCIDENT_CUT || kind >= SIM_ACCIDENT_SHORT) &&
		sim_random_chance(random, 150);

	if (free_ns[node] == UINT64_MAX)
		return;
	/* Most accidents begin while applications work, and few last longer than the timeouts. */
	accident->kind = kind;
	accident->node = node;
	accident->at_ns = free_ns[node] + sim_random_range(random, 1, 4000) * US;
	accident->ns = sim_random_chance(random, 600) ? sim_random_range(random, 10, 20000) * US
						      : sim_random_range(random, 20, 2500) * MS;
	if (for_good)
		accident->ns = UINT64_MAX;
	plan->accident_count++;
	plan->calm_ns =
		RTE_MAX(plan->calm_ns, for_good ? accident->at_ns : accident->at_ns + accident->ns);
	free_ns[node] = for_good ? UINT64_MAX : accident->at_ns + accident->ns + US;
}

/** Add accidents to the plan. @param kinds mask with a bit for each enum sim_accident_kind */
static void
accidents_add(struct sim_plan *plan, struct sim_random *random, uint32_t kinds)
{
	uint64_t free_ns[SIM_NODES_MAX] = {0};
	uint32_t count = sim_random_range(random, 1, SIM_ACCIDENTS_MAX);

	while (count != 0) {
		uint32_t kind = sim_random_below(random, SIM_ACCIDENT_COUNT);

		if ((kinds & 1u << kind) == 0)
			continue;
		accident_add(plan, random, free_ns, (enum sim_accident_kind)kind);
		count--;
	}
	plan->faults = true;
	/*
	 * More than one connection per pair is needed, because connections must be set up during
	 * accidents.
	 */
	plan->rounds = sim_random_range(random, 0, 2);
}

static void
churn_add(struct sim_plan *plan, struct sim_random *random)
{
	plan->rounds = sim_random_range(random, 3, 8);
	plan->operations = sim_random_range(random, 2, 20);
	plan->remake = (uint16_t)sim_random_range(random, 200, 1000);
}

static void
recovery_add(struct sim_plan *plan, struct sim_random *random)
{
	static const uint32_t keeps[] = {0, 1, 2, 16, 64};

	plan->go_back_n = 1u << sim_random_below(random, plan->node_count);
	plan->keep_packets = keeps[sim_random_below(random, RTE_DIM(keeps))];
	for (uint32_t i = 0; i < plan->node_count; i++)
		plan->link[i].loss = (uint16_t)(plan->link[i].loss + sim_random_below(random, 30));
	plan->faults = true;
}

/** Add a mischief (a deliberate error), without changes of the network. */
static void
mischief_add(struct sim_plan *plan, struct sim_random *random)
{
	plan->mischief = (enum sim_mischief)sim_random_range(random, 1, SIM_CUT - 1);
	plan->mischief_after = sim_random_below(random, plan->operations);
	plan->faults = true;
}

/**
 * Give one adapter most connections and a shared receive queue. Other adapters may have shared
 * receive queues. A connection must not fail because a shared queue is empty.
 */
static void
shared_add(struct sim_plan *plan, struct sim_random *random)
{
	for (uint32_t i = 0; i < plan->pair_count; i++) {
		plan->pair_nodes[i][0] = 0;
		plan->pair_nodes[i][1] = i % (plan->node_count - 1) + 1;
	}
	plan->shared_receives = 1 | sim_random_below(random, 1u << plan->node_count);
	if (sim_random_chance(random, 300))
		spray_add(plan, random);
	if (sim_random_chance(random, 300))
		bursts_add(plan, random);
	if (sim_random_chance(random, 300))
		churn_add(plan, random);
	if (sim_random_chance(random, 200))
		mischief_add(plan, random);
	/*
	 * SIM_SEND_TOO_LONG limits the receives of one endpoint, so it cannot be used with a shared
	 * receive queue.
	 */
	if (plan->mischief == SIM_SEND_TOO_LONG)
		plan->mischief = SIM_FLUSH;
	if (sim_random_chance(random, 300))
		accidents_add(
			plan, random, sim_random_range(random, 1, (1u << SIM_ACCIDENT_COUNT) - 1));
}

static void
mixed_add(struct sim_plan *plan, struct sim_random *random)
{
	if (sim_random_chance(random, 300))
		spray_add(plan, random);
	if (sim_random_chance(random, 300))
		bursts_add(plan, random);
	if (sim_random_chance(random, 300))
		incast_add(plan, random);
	if (sim_random_chance(random, 300))
		churn_add(plan, random);
	if (sim_random_chance(random, 300))
		recovery_add(plan, random);
	if (sim_random_chance(random, 300))
		mischief_add(plan, random);
	if (sim_random_chance(random, 700))
		accidents_add(
			plan, random, sim_random_range(random, 1, (1u << SIM_ACCIDENT_COUNT) - 1));
}

/** Add keys. Each pair makes several connections, because the end of a key may end a connection. */
static void
keys_add(struct sim_plan *plan, struct sim_random *random)
{
	plan->rounds = sim_random_range(random, 2, 5);
	plan->operations = sim_random_range(random, 30, 120);
	if (sim_random_chance(random, 250))
		spray_add(plan, random);
	if (sim_random_chance(random, 250))
		bursts_add(plan, random);
	if (sim_random_chance(random, 250))
		recovery_add(plan, random);
	if (sim_random_chance(random, 250))
		plan->shared_receives = sim_random_below(random, 1u << plan->node_count);
	plan->faults = true;
}

void
sim_scenario_add(struct sim_plan *plan, struct sim_random *random)
{
	nodes_make(plan, random, plan->scenario == SIM_SCENARIO_INCAST ? SIM_NODES_MAX : 4);
	switch_add(plan, random);
	switch (plan->scenario) {
	case SIM_SCENARIO_PAIR:
	case SIM_SCENARIO_ERRORS:
	case SIM_SCENARIO_SWITCH:
	case SIM_SCENARIO_COUNT:
		break;
	case SIM_SCENARIO_SPRAY:
		spray_add(plan, random);
		break;
	case SIM_SCENARIO_BURSTS:
		bursts_add(plan, random);
		break;
	case SIM_SCENARIO_INCAST:
		incast_add(plan, random);
		break;
	case SIM_SCENARIO_PARTITION:
		accidents_add(plan, random, 1u << SIM_ACCIDENT_CUT | 1u << SIM_ACCIDENT_SHORT);
		break;
	case SIM_SCENARIO_PAUSES:
		accidents_add(plan, random, 1u << SIM_ACCIDENT_SLEEP | 1u << SIM_ACCIDENT_MUTE);
		break;
	case SIM_SCENARIO_CHURN:
		churn_add(plan, random);
		break;
	case SIM_SCENARIO_POWERCUT:
		accidents_add(plan, random, 1u << SIM_ACCIDENT_POWER | 1u << SIM_ACCIDENT_CLOSE);
		break;
	case SIM_SCENARIO_GOBACKN:
		recovery_add(plan, random);
		if (sim_random_chance(random, 500))
			spray_add(plan, random);
		break;
	case SIM_SCENARIO_MIXED:
		mixed_add(plan, random);
		break;
	case SIM_SCENARIO_SHARED:
		shared_add(plan, random);
		break;
	case SIM_SCENARIO_KEYS:
		keys_add(plan, random);
		break;
	}
}

static const struct {
	const char *name;
	const char *text;
} scenarios[SIM_SCENARIO_COUNT] = {
	[SIM_SCENARIO_PAIR] = {"pair",
		"two adapters; the cable loses, duplicates, delays, corrupts frames"},
	[SIM_SCENARIO_ERRORS] = {"errors",
		"as pair, and one request or connection fails on purpose"},
	[SIM_SCENARIO_SWITCH] = {"switch", "several adapters connected to one switch"},
	[SIM_SCENARIO_SPRAY] = {"spray", "paths of different length, a random path for each frame"},
	[SIM_SCENARIO_BURSTS] = {"bursts", "burst losses and varying delays"},
	[SIM_SCENARIO_INCAST] = {"incast", "all send to one: short queues, ECN marks, pauses"},
	[SIM_SCENARIO_PARTITION] = {"partition", "adapters are cut off temporarily or permanently"},
	[SIM_SCENARIO_PAUSES] = {"pauses", "adapters sleep, or cannot send, for up to seconds"},
	[SIM_SCENARIO_CHURN] = {"churn",
		"connections, windows, regions, queues are created and released"},
	[SIM_SCENARIO_POWERCUT] = {"powercut", "adapters stop at any moment, and may restart"},
	[SIM_SCENARIO_GOBACKN] = {"gobackn",
		"one adapter recovers by go-back-N, the others selectively"},
	[SIM_SCENARIO_MIXED] = {"mixed", "random combinations of these"},
	[SIM_SCENARIO_SHARED] = {"shared", "endpoints take their receives from a shared queue"},
	[SIM_SCENARIO_KEYS] = {"keys", "keys of regions for all peers, revoked at any moment"},
};

const char *
sim_scenario_name(enum sim_scenario scenario)
{
	return scenarios[scenario].name;
}

const char *
sim_scenario_text(enum sim_scenario scenario)
{
	return scenarios[scenario].text;
}

enum sim_scenario
sim_scenario_find(const char *name)
{
	uint32_t i = 0;

	while (i < SIM_SCENARIO_COUNT && strcmp(scenarios[i].name, name) != 0)
		i++;
	return (enum sim_scenario)i;
}
