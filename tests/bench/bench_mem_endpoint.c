/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Bind and invalidate of a window through a connected endpoint of the public API: post, execute,
 * complete, and take the result from the completion queue. Each invalidate is paired with a bind,
 * so that the number of bound windows does not change. All adapters have the same size. Only the
 * number of bound windows differs.
 *
 * - one: always the same window, one request at a time.
 * - random: like one, but all windows in one random order, so that a window is in no cache when it
 *   is visited.
 * - batch: binds of different windows in one batch, then their invalidates in another batch.
 *
 * In all rows, the engine is polled once per BATCH_PAIRS pairs of requests.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ndpdk/nd.h>

#include "bench.h"
#include "lock_floor.h"
#include "loop_pair.h"
#include "scene.h"

/** Maximum number of windows: an adapter has 2^20 handles, and the regions need a few of them. */
#define WINDOWS_MAX ((1u << 20) - 64)
#define BATCH_PAIRS 16u
#define BIND_FLAGS  (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)

struct bound {
	struct nd_mw *mw;
	const uint8_t *address;
};

struct crowd {
	uint32_t windows;
	struct loop_pair pair;
	struct nd_mr *mr;
	struct nd_endpoint *endpoint;
	struct nd_cq *results;
	struct nd_engine *engine;
	struct bound *bound;
	struct bound batch[BATCH_PAIRS];
};

struct turns {
	struct crowd *crowd;
	/** number of windows: the row uses the first `count` windows of the crowd */
	uint32_t count;
	uint32_t next; /**< index of the window at which the next call continues */
	struct lock_floor floor;
};

static struct crowd crowds[] = {
	{.windows = 1},
	{.windows = 1000},
	{.windows = 100000},
	{.windows = 1000000},
};

static struct nd_result results[BATCH_PAIRS];
static struct bench bench;

static bool
bind_post(const struct crowd *crowd, const struct bound *bound, struct nd_result *result)
{
	struct nd_mw_descriptor descriptor;

	return nd_endpoint_bind(crowd->endpoint, result, crowd->mr, bound->mw, bound->address,
		       SCENE_WINDOW_BYTES, BIND_FLAGS, &descriptor) == ND_SUCCESS;
}

static bool
invalidate_post(const struct crowd *crowd, const struct bound *bound, struct nd_result *result)
{
	return nd_endpoint_invalidate(crowd->endpoint, result, bound->mw, 0) == ND_SUCCESS;
}

/** Take results. @return true if `count` requests have completed, all of them successfully */
static bool
taken(const struct crowd *crowd, uint32_t count)
{
	struct nd_result *got[BATCH_PAIRS];
	bool good = nd_cq_get_results(crowd->results, got, count) == count;

	for (uint32_t i = 0; i < count && good; i++)
		good = got[i]->status == ND_SUCCESS;
	return good;
}

static void
pair_run(void *arg, uint32_t iterations)
{
	struct turns *turns = arg;
	const struct crowd *crowd = turns->crowd;
	uint32_t at = turns->next, failed_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		const struct bound *bound = &crowd->bound[at];

		failed_count += !invalidate_post(crowd, bound, &results[0]);
		failed_count += !taken(crowd, 1);
		failed_count += !bind_post(crowd, bound, &results[0]);
		failed_count += !taken(crowd, 1);
		if (i % BATCH_PAIRS == 0)
			nd_engine_poll(crowd->engine);
		at = at + 1 == turns->count ? 0 : at + 1;
	}
	turns->next = at;
	BENCH_REQUIRE(failed_count == 0);
}

static bool
batch_bind(const struct crowd *crowd, const struct bound *bound, uint32_t count)
{
	bool good = true;

	nd_endpoint_start_request_batch(crowd->endpoint);
	for (uint32_t i = 0; i < count; i++)
		good &= bind_post(crowd, &bound[i], &results[i]);
	nd_endpoint_submit_request_batch(crowd->endpoint);
	return good && taken(crowd, count);
}

static bool
batch_invalidate(const struct crowd *crowd, const struct bound *bound, uint32_t count)
{
	bool good = true;

	nd_endpoint_start_request_batch(crowd->endpoint);
	for (uint32_t i = 0; i < count; i++)
		good &= invalidate_post(crowd, &bound[i], &results[i]);
	nd_endpoint_submit_request_batch(crowd->endpoint);
	return good && taken(crowd, count);
}

static void
batch_run(void *arg, uint32_t iterations)
{
	struct turns *turns = arg;
	const struct crowd *crowd = turns->crowd;
	uint32_t count, failed_count = 0;

	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN(BATCH_PAIRS, iterations - done);
		failed_count += !batch_bind(crowd, crowd->batch, count);
		failed_count += !batch_invalidate(crowd, crowd->batch, count);
		nd_engine_poll(crowd->engine);
	}
	BENCH_REQUIRE(failed_count == 0);
}

static void
window_make(const struct crowd *crowd, struct bound *bound, const uint8_t *address)
{
	/* required by the API, but unused: the peer never invalidates the window */
	static struct nd_result invalidated;

	bound->address = address;
	BENCH_REQUIRE(nd_adapter_create_memory_window(
			      crowd->pair.side[0].adapter, &invalidated, &bound->mw) == ND_SUCCESS);
}

static void
windows_make(struct crowd *crowd, const uint8_t *memory)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {3};
	uint32_t *order = calloc(crowd->windows, sizeof(*order));
	struct base_random random;

	BENCH_REQUIRE(order != NULL);
	base_random_seed(&random, seed);
	scene_shuffle(&random, order, crowd->windows);
	for (uint32_t i = 0; i < crowd->windows; i++)
		window_make(
			crowd, &crowd->bound[order[i]], memory + (uint64_t)i * SCENE_WINDOW_BYTES);
	for (uint32_t i = 0; i < BATCH_PAIRS; i++)
		window_make(crowd, &crowd->batch[i],
			memory + (uint64_t)(crowd->windows + i) * SCENE_WINDOW_BYTES);
	free(order);
}

static void
crowd_make(struct crowd *crowd)
{
	uint64_t bytes = (uint64_t)(crowd->windows + BATCH_PAIRS) * SCENE_WINDOW_BYTES;
	const uint8_t *memory = scene_address_space(bytes);
	struct loop_side *side = &crowd->pair.side[0];

	crowd->pair.repeatable = bench.repeatable;
	loop_pair_open(&crowd->pair, WINDOWS_MAX);
	crowd->endpoint = side->endpoint;
	crowd->results = side->outbound;
	crowd->engine = side->engine;
	BENCH_REQUIRE(nd_adapter_register_memory(side->adapter, memory, bytes, NULL, &crowd->mr) ==
		ND_SUCCESS);
	crowd->bound = bench_memory(crowd->windows * sizeof(*crowd->bound));
	windows_make(crowd, memory);
	for (uint32_t done = 0; done < crowd->windows; done += BATCH_PAIRS) {
		uint32_t count = RTE_MIN(BATCH_PAIRS, crowd->windows - done);

		BENCH_REQUIRE(batch_bind(crowd, &crowd->bound[done], count));
		nd_engine_poll(crowd->engine);
	}
}

static void
turns_make(void *arg)
{
	struct turns *turns = arg;

	if (turns->crowd->bound == NULL)
		crowd_make(turns->crowd);
}

struct order {
	const char *name;
	void (*run)(void *arg, uint32_t iterations);
	uint32_t windows_max;
};

static const struct order orders[] = {
	{"one", pair_run, 1},
	{"random", pair_run, UINT32_MAX},
	{"batch", batch_run, BATCH_PAIRS},
};

static void
rows_make(struct bench_row *rows, struct turns *turns, const struct order *order)
{
	uint32_t windows = turns->crowd->windows;
	char floor[BENCH_WHAT_BYTES], subject[BENCH_WHAT_BYTES];

	turns->count = RTE_MIN(windows, order->windows_max);
	turns->floor.locks = 2;
	turns->floor.things = RTE_MAX(windows, BATCH_PAIRS);
	turns->floor.count = RTE_MIN(turns->floor.things, order->windows_max);
	rows[0] = (struct bench_row){
		.run = lock_floor_run, .make = lock_floor_make, .arg = &turns->floor};
	rows[1] = (struct bench_row){.run = order->run, .make = turns_make, .arg = turns};
	snprintf(floor, sizeof(floor), "lock_%s", order->name);
	snprintf(subject, sizeof(subject), "nd_bind_invalidate_%s", order->name);
	bench_name(rows[0].name, floor, windows);
	bench_name(rows[1].name, subject, windows);
	for (unsigned int i = 0; i < 2; i++)
		memcpy(rows[i].floor, rows[0].name, sizeof(rows[i].floor));
	if (windows > 1)
		bench_name(rows[1].one,
			order->run == batch_run ? subject : "nd_bind_invalidate_one", 1);
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 1500, .iterations = 960};
	static struct turns turns[RTE_DIM(crowds) * RTE_DIM(orders)];
	struct bench_row rows[2 * RTE_DIM(turns)];
	size_t made = 0;

	bench_start(&bench, &defaults, argc, argv);
	for (size_t i = 0; i < RTE_DIM(turns); i++) {
		const struct order *order = &orders[i % RTE_DIM(orders)];

		turns[made].crowd = &crowds[i / RTE_DIM(orders)];
		/* Skip this row, because with one window the rows "random" and "one" are equal. */
		if (turns[made].crowd->windows == 1 && order->windows_max == UINT32_MAX)
			continue;
		rows_make(&rows[2 * made], &turns[made], order);
		made++;
	}
	bench_run(&bench, rows, 2 * made);
	return EXIT_SUCCESS;
}
