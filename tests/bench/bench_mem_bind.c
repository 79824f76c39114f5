/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Bind and invalidate directly on the memory index. The rows use the calls for requests that wait
 * in a send queue: an invalidate is recorded when it is posted and done when it is executed; a
 * bind is prepared and then executed. All rows have an index of the same size. Only the number of
 * bound windows differs.
 *
 * one: always the same window, as in an application with few buffers. random: all windows in one
 * random order, so that a window is in no cache when it is visited.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "lock_floor.h"
#include "scene.h"

/**
 * Maximum number of windows: the index of an adapter has 2^20 handles, and the region uses one of
 * them.
 */
#define WINDOW_MAX ((1u << 20) - 1)

struct turns {
	struct scene *scene;
	const char *order;
	/** number of visits: the row uses the first `count` visits of the scene */
	uint32_t count;
	uint32_t next; /**< index of the visit at which the next call continues */
	struct lock_floor floor;
};

static struct scene scenes[] = {
	{.windows = 1, .window_max = WINDOW_MAX},
	{.windows = 1000, .window_max = WINDOW_MAX},
	{.windows = 1000000, .window_max = WINDOW_MAX},
};

static struct turns turns[] = {
	{.scene = &scenes[0], .order = "one", .count = 1},
	{.scene = &scenes[1], .order = "one", .count = 1},
	{.scene = &scenes[2], .order = "one", .count = 1},
	{.scene = &scenes[1], .order = "random", .count = 1000},
	{.scene = &scenes[2], .order = "random", .count = 1000000},
};

/*
 * Invalidate and bind windows, so that the number of bound windows stays the same. Then end the
 * engine's turn.
 */
static void
bind_run(void *arg, uint32_t iterations)
{
	struct turns *turn = arg;
	const struct scene *scene = turn->scene;
	struct mem_domain *domain = scene->domain;
	uint32_t at = turn->next, failed_count = 0;

	for (uint32_t i = 0; i < iterations; i++) {
		struct scene_visit *visit = &scene->visits[at];

		failed_count += mem_invalidate_prepare(domain, visit->window, SCENE_OWNER) != RC_OK;
		failed_count += mem_window_invalidate(domain, visit->window, SCENE_OWNER) != RC_OK;
		failed_count += !scene_bind(scene, visit);
		rte_rcu_qsbr_quiescent(mem_domain_qsbr(domain), 0);
		at = at + 1 == turn->count ? 0 : at + 1;
	}
	turn->next = at;
	BENCH_REQUIRE(failed_count == 0);
}

static void
bind_make(void *arg)
{
	struct turns *turn = arg;

	scene_make(turn->scene);
}

static void
rows_make(struct bench_row *rows, struct turns *turn)
{
	char floor[BENCH_WHAT_BYTES], subject[BENCH_WHAT_BYTES];

	turn->floor.locks = 4;
	turn->floor.things = turn->scene->windows;
	turn->floor.count = turn->count;
	rows[0] = (struct bench_row){
		.run = lock_floor_run, .make = lock_floor_make, .arg = &turn->floor};
	rows[1] = (struct bench_row){.run = bind_run, .make = bind_make, .arg = turn};
	snprintf(floor, sizeof(floor), "lock_%s", turn->order);
	snprintf(subject, sizeof(subject), "mem_bind_invalidate_%s", turn->order);
	bench_name(rows[0].name, floor, turn->scene->windows);
	bench_name(rows[1].name, subject, turn->scene->windows);
	for (unsigned int i = 0; i < 2; i++)
		memcpy(rows[i].floor, rows[0].name, sizeof(rows[i].floor));
	if (turn->scene->windows > 1)
		bench_name(rows[1].one, "mem_bind_invalidate_one", 1);
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 1500, .iterations = 1000};
	struct bench_row rows[2 * RTE_DIM(turns)];
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	for (size_t i = 0; i < RTE_DIM(turns); i++)
		rows_make(&rows[2 * i], &turns[i]);
	bench_run(&bench, rows, RTE_DIM(rows));
	return EXIT_SUCCESS;
}
