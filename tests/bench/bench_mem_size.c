/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Memory of the index in bytes, measured in three ways: the index's statistics (stats), the growth
 * of the process's resident memory (resident), and the growth of DPDK's heap (heap, which is a
 * part of the resident memory).
 *
 * Per key slot: an index that consists almost only of key slots. All slots have been used at least
 * once. Per bound window: an index of the same kind as in an adapter, with very many windows, all
 * bound. The size of the whole index, including key slots, is divided by the number of windows.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/wait.h>

#include <rte_lcore.h>
#include <rte_malloc.h>

#include "bench.h"
#include "scene.h"

struct taken {
	double resident_bytes;
	double heap_bytes;
};

static double
resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	uint64_t total_pages, resident_pages;

	BENCH_REQUIRE(file != NULL);
	BENCH_REQUIRE(fscanf(file, "%" SCNu64 " %" SCNu64, &total_pages, &resident_pages) == 2);
	fclose(file);
	return (double)resident_pages * (double)sysconf(_SC_PAGESIZE);
}

static double
heap_bytes(void)
{
	double bytes = 0;

	for (unsigned int i = 0; i < rte_socket_count(); i++) {
		struct rte_malloc_socket_stats stats;

		BENCH_REQUIRE(rte_malloc_get_socket_stats(rte_socket_id_by_idx(i), &stats) == 0);
		bytes += (double)stats.heap_allocsz_bytes;
	}
	return bytes;
}

static struct taken
taken_now(void)
{
	return (struct taken){.resident_bytes = resident_bytes(), .heap_bytes = heap_bytes()};
}

static void
rows_print(const struct bench *bench, const char *what, struct mem_domain *domain,
	const struct taken *before, double count)
{
	struct taken after = taken_now();
	struct mem_domain_stats stats = {0};
	const struct {
		const char *how;
		double bytes;
	} rows[] = {
		{"resident", after.resident_bytes - before->resident_bytes},
		{"heap", after.heap_bytes - before->heap_bytes},
		{"stats", (mem_domain_stats(domain, &stats), (double)stats.bytes)},
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		char name[BENCH_NAME_BYTES];

		snprintf(name, sizeof(name), "%s_%s", what, rows[i].how);
		bench_value(bench, name, "bytes", rows[i].bytes / count);
	}
}

static void
slots_measure(const struct bench *bench, uint32_t slots)
{
	const struct scene_limits limits = {.window_max = 1, .region_max = 1, .key_slots = slots};
	struct scene_visit visit;
	struct scene scene = {.windows = 1, .visits = &visit};
	struct taken before = taken_now();

	scene.domain = scene_domain_make(&limits, &scene.random);
	scene_windows_make(&scene);
	/* Issue so many keys that every page of the key table has been written. */
	for (uint32_t i = 0; i < slots; i++) {
		BENCH_REQUIRE(mem_window_invalidate(
				      scene.domain, scene.visits[0].window, SCENE_OWNER) == RC_OK);
		BENCH_REQUIRE(scene_bind(&scene, &scene.visits[0]));
		rte_rcu_qsbr_quiescent(mem_domain_qsbr(scene.domain), 0);
	}
	rows_print(bench, "bytes_per_key_slot", scene.domain, &before, slots);
}

static void
windows_measure(const struct bench *bench, uint32_t windows)
{
	const struct scene_limits limits = {.window_max = windows, .region_max = 1};
	struct scene scene = {
		.windows = windows, .visits = bench_memory(windows * sizeof(struct scene_visit))};
	struct taken before = taken_now();
	char what[BENCH_NAME_BYTES];

	bench_name(what, "bytes_per_bound_window", windows);
	scene.domain = scene_domain_make(&limits, &scene.random);
	scene_windows_make(&scene);
	rows_print(bench, what, scene.domain, &before, windows);
}

struct measurement {
	void (*run)(const struct bench *bench, uint32_t count);
	uint32_t count;
};

/**
 * Measure in a separate process, because the memory of one measurement must not affect the next
 * measurement.
 */
static void
measure_apart(const struct measurement *measurement, int argc, char *const *argv)
{
	static const struct bench_defaults defaults = {.rounds = 1, .iterations = 1};
	struct bench bench;
	pid_t child = fork();
	int status;

	if (child == 0) {
		bench_start(&bench, &defaults, argc, argv);
		measurement->run(&bench, measurement->count);
		exit(EXIT_SUCCESS);
	}
	BENCH_REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS)
		exit(EXIT_FAILURE);
}

int
main(int argc, char **argv)
{
	static const struct measurement measurements[] = {
		{slots_measure, 1u << 21},
		{windows_measure, 1000000},
		/*
		 * The windows and the region together need one key more than the table holds. So
		 * the table doubles.
		 */
		{windows_measure, (1u << 20) / 8 * 5},
	};

	for (size_t i = 0; i < RTE_DIM(measurements); i++)
		measure_apart(&measurements[i], argc, argv);
	return EXIT_SUCCESS;
}
