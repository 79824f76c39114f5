/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* One run of the monkey test: choose the calls to make, and check the adapters at the end. */

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_common.h>
#include <rte_log.h>
#include <rte_mempool.h>

#include "monkey.h"
#include "nd/adapter.h"

#define TURNS_TO_SETTLE 3000
/** Number of turns after which the rings are empty. */
#define TURNS_TO_EMPTY  64

struct choice {
	monkey_call call;
	uint32_t weight;
	/**
	 * True if callbacks may make this call. The call then releases no object that is in use
	 * while a callback runs.
	 */
	bool in_callback;
};

static const struct choice choices[] = {
	{monkey_region_make, 6, true},
	{monkey_region_end, 2, false},
	{monkey_window_make, 6, true},
	{monkey_window_end, 2, false},
	{monkey_cq_make, 6, false},
	{monkey_cq_use, 16, false},
	{monkey_cq_end, 1, false},
	{monkey_adapter_ask, 1, true},
	{monkey_op_use, 4, true},
	{monkey_listener_make, 6, false},
	{monkey_listener_use, 4, false},
	{monkey_listener_end, 1, false},
	{monkey_connector_make, 6, true},
	{monkey_connector_use, 16, true},
	{monkey_connector_end, 2, true},
	{monkey_endpoint_make, 8, true},
	{monkey_endpoint_end, 1, true},
	{monkey_connect_all, 8, false},
	{monkey_post, 160, true},
	{monkey_endpoint_use, 4, true},
};

/* splitmix64 (Steele, Lea, Flood, 2014). */
static uint64_t
drawn(struct monkey *monkey)
{
	uint64_t z = monkey->state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return (z ^ z >> 31) >> 32;
}

uint32_t
monkey_below(struct monkey *monkey, uint32_t bound)
{
	uint32_t number;

	if (monkey->script_bytes < 2)
		return (uint32_t)drawn(monkey) % bound;
	number = monkey->script[0] | (uint32_t)monkey->script[1] << 8;
	monkey->script += 2;
	monkey->script_bytes -= 2;
	return number % bound;
}

bool
monkey_once_in(struct monkey *monkey, uint32_t count)
{
	return monkey_below(monkey, count) == 0;
}

void
monkey_fail(const struct monkey *monkey, const char *what, nd_status status)
{
	cr_assert_fail("seed %llu, call %u: %s (%s)", (unsigned long long)monkey->seed,
		monkey->calls, what, nd_status_name(status));
	abort();
}

void
monkey_step(struct monkey *monkey, bool in_callback)
{
	struct monkey_side *side = &monkey->sides[monkey_below(monkey, 2)];
	uint32_t total = 0, ticket;
	size_t i = 0;

	for (size_t c = 0; c < RTE_DIM(choices); c++)
		total += choices[c].weight;
	ticket = monkey_below(monkey, total);
	while (ticket >= choices[i].weight)
		ticket -= choices[i++].weight;
	if (in_callback && !choices[i].in_callback)
		return;
	monkey->calls++;
	choices[i].call(monkey, side);
}

/**
 * Receive the frames that closed adapters left in the rings. The pools of closed adapters cannot be
 * freed before these frames are freed. Without this function, several runs exhausted the memory.
 */
static void
rings_empty(struct monkey *monkey)
{
	for (unsigned int i = 0; i < TURNS_TO_EMPTY; i++)
		nd_pair_poll(&monkey->pair);
}

void
monkey_open(struct monkey *monkey, uint64_t seed)
{
	const struct nd_pair pair = monkey->pair;

	memset(monkey, 0, sizeof(*monkey));
	monkey->pair = pair;
	monkey->seed = seed;
	monkey->state = seed;
	base_list_init(&monkey->ops);
	monkey->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	cr_assert_geq(monkey->event_fd, 0);
	if (pair.config.path_mtu != 0) {
		nd_pair_reopen(&monkey->pair);
		rings_empty(monkey);
	} else {
		nd_pair_open(&monkey->pair,
			&(struct nd_pair_config){
				.path_mtu = 1024, .memory_bytes = 4096, .mbuf_count = 1024});
	}
	/*
	 * Do not log refused calls, because a run makes hundreds of calls with invalid parameters.
	 */
	rte_log_set_level_pattern("lib.ndpdk.api", RTE_LOG_CRIT);
	for (unsigned int i = 0; i < 2; i++)
		monkey->sides[i].adapter = monkey->pair.side[i].adapter;
}

void
monkey_turn(struct monkey *monkey)
{
	monkey_step(monkey, false);
	for (uint32_t turns = monkey_below(monkey, 4); turns > 1; turns--)
		nd_pair_poll(&monkey->pair);
	monkey_ops_sweep(monkey);
}

static void
settle(struct monkey *monkey)
{
	for (unsigned int i = 0; i < TURNS_TO_SETTLE; i++)
		nd_pair_poll(&monkey->pair);
	monkey_ops_sweep(monkey);
}

/**
 * Release all objects of a side. Endpoints are first, because they use memory, windows and queues.
 */
static void
side_release(struct monkey *monkey, struct monkey_side *side)
{
	for (unsigned int i = 0; i < MONKEY_CONNECTORS; i++)
		monkey_connector_finish(monkey, &side->connectors[i]);
	while (side->listeners[0].listener != NULL || side->listeners[1].listener != NULL ||
		side->listeners[2].listener != NULL)
		monkey_listener_end(monkey, side);
	for (unsigned int i = 0; i < MONKEY_WINDOWS; i++) {
		while (side->windows[i].mw != NULL)
			monkey_window_end(monkey, side);
	}
	for (unsigned int i = 0; i < MONKEY_REGIONS; i++) {
		if (side->regions[i].mr == NULL)
			continue;
		monkey_region_finish(monkey, side, &side->regions[i]);
		cr_assert_null(side->regions[i].mr, "seed %llu: memory stays busy",
			(unsigned long long)monkey->seed);
	}
	for (unsigned int i = 0; i < MONKEY_CQS; i++) {
		while (side->cqs[i].cq != NULL)
			monkey_cq_end(monkey, side);
	}
}

/**
 * Check that all packet buffers are free when the adapter is idle, even if buffers were queued for
 * endpoints that were released (B-072). This check reads internal state.
 */
static void
pools_check(const struct monkey *monkey)
{
	for (unsigned int i = 0; i < 2; i++) {
		const struct rte_mempool *pool = monkey->sides[i].adapter->engines[0].pool;
		unsigned int free_count = rte_mempool_avail_count(pool);

		cr_assert_eq(free_count, pool->size, "seed %llu: side %u has %u of %u buffers",
			(unsigned long long)monkey->seed, i, free_count, pool->size);
	}
}

static void
operations_check(struct monkey *monkey)
{
	eventfd_t events = 0;

	monkey_ops_sweep(monkey);
	cr_assert_eq(monkey->op_count, 0, "seed %llu: %u operations do not end",
		(unsigned long long)monkey->seed, monkey->op_count);
	(void)eventfd_read(monkey->event_fd, &events);
	cr_assert_eq(events, monkey->events, "seed %llu: %llu of %llu events",
		(unsigned long long)monkey->seed, (unsigned long long)events,
		(unsigned long long)monkey->events);
	close(monkey->event_fd);
}

/** Release the objects that still belong to the application after its adapter was closed. */
static void
leftovers_free(struct monkey *monkey)
{
	for (unsigned int s = 0; s < 2; s++) {
		struct monkey_side *side = &monkey->sides[s];

		for (unsigned int i = 0; i < MONKEY_CQS; i++) {
			if (side->cqs[i].cq != NULL)
				monkey_cq_drop(&side->cqs[i]);
		}
		for (unsigned int i = 0; i < MONKEY_REGIONS; i++) {
			free(side->regions[i].memory);
			side->regions[i].memory = NULL;
		}
		for (unsigned int i = 0; i < MONKEY_WINDOWS; i++)
			free(side->windows[i].invalidated);
	}
}

void
monkey_close(struct monkey *monkey, bool release)
{
	monkey->closing = true;
	if (release) {
		for (unsigned int i = 0; i < 2; i++)
			side_release(monkey, &monkey->sides[i]);
		settle(monkey);
		cr_assert_eq(monkey->op_count, 0, "seed %llu: %u operations outlive their objects",
			(unsigned long long)monkey->seed, monkey->op_count);
		pools_check(monkey);
	}
	nd_pair_close(&monkey->pair);
	operations_check(monkey);
	leftovers_free(monkey);
}
