/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "bench.h"

#include <fnmatch.h>
#include <getopt.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>

/*
 * Times are read from the TSC, so that a round contains no system call and no division. One sample
 * is the mean time per operation of a row in one round. Median and p99 are computed over samples:
 * p99 is the 99th percentile of rounds, not of single operations.
 */

#define COUNT_MAX         100000000ul
#define MEGABYTES_DEFAULT 256u
#define CORES_TEXT_BYTES  128u

_Noreturn void
bench_fail(const char *what, const char *detail)
{
	fprintf(stderr, "bench: %s: %s\n", what, detail);
	exit(EXIT_FAILURE);
}

void
bench_name(char name[BENCH_NAME_BYTES], const char *what, uint32_t number)
{
	snprintf(name, BENCH_NAME_BYTES, "%s_%u", what, number);
}

static uint32_t
count_parse(const char *text)
{
	char *end;
	unsigned long count = strtoul(text, &end, 10);

	if (*text == '\0' || *end != '\0' || count == 0 || count > COUNT_MAX)
		bench_fail(text, "not a count");
	return (uint32_t)count;
}

static void
options_parse(struct bench *bench, int argc, char *const *argv)
{
	static const struct option options[] = {
		{"rounds", required_argument, NULL, 'r'},
		{"iterations", required_argument, NULL, 'i'},
		{"only", required_argument, NULL, 'o'},
		{"repeatable", no_argument, NULL, 's'},
		{"lcores", required_argument, NULL, 'l'},
		{"hugepages", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'r')
			bench->rounds = count_parse(optarg);
		else if (option == 'i')
			bench->iterations = count_parse(optarg);
		else if (option == 'o')
			bench->only = optarg;
		else if (option == 's')
			bench->repeatable = true;
		else if (option == 'l')
			bench->lcores = count_parse(optarg);
		else if (option == 'h')
			bench->hugepages = true;
		else
			bench_fail("usage",
				"[--rounds=N] [--iterations=N] [--only=PATTERN] "
				"[--repeatable] [--lcores=N] [--hugepages]");
	}
	if (optind != argc)
		bench_fail(argv[optind], "not an option");
}

/** List the cores on which this process may run, in ascending order. @return number of cores */
static uint32_t
cores_list(int cores[CPU_SETSIZE])
{
	uint32_t count = 0;
	cpu_set_t allowed;

	CPU_ZERO(&allowed);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		CPU_SET(0, &allowed);
	for (int core = 0; core < CPU_SETSIZE; core++)
		if (CPU_ISSET(core, &allowed))
			cores[count++] = core;
	return count;
}

/**
 * @return core on which an lcore runs. Lcore 0 gets the last core, because the first core handles
 *         most of the machine's interrupts.
 */
static int
core_of(uint32_t lcore)
{
	int cores[CPU_SETSIZE];
	uint32_t count = cores_list(cores);

	return lcore == 0 ? cores[count - 1] : cores[lcore - 1];
}

void
bench_options(
	struct bench *bench, const struct bench_defaults *defaults, int argc, char *const *argv)
{
	int cores[CPU_SETSIZE];
	uint32_t count = cores_list(cores);

	*bench = (struct bench){
		.rounds = defaults->rounds,
		.iterations = defaults->iterations,
		.lcores = RTE_MIN(RTE_MAX(defaults->lcores, 1u), count),
		.megabytes = defaults->megabytes != 0 ? defaults->megabytes : MEGABYTES_DEFAULT,
	};
	options_parse(bench, argc, argv);
	if (bench->lcores > count)
		bench_fail("--lcores", "more than this process may use");
	if (bench->lcores > RTE_MAX(RTE_MAX(defaults->lcores_max, defaults->lcores), 1u))
		bench_fail("--lcores", "more than this bench can use");
}

/** Start EAL. rte_eal_init() binds the calling thread to the core of the main lcore. */
void
bench_eal_start(const struct bench *bench, uint32_t first, uint32_t count)
{
	static char program[] = "bench", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    in_memory[] = "--in-memory", no_pci[] = "--no-pci", memory[] = "-m",
		    no_telemetry[] = "--no-telemetry", lcores[] = "-l",
		    main_lcore[] = "--main-lcore", log_level[] = "--log-level=lib.eal:warning";
	static char core_text[16], memory_text[16], cores[CORES_TEXT_BYTES];
	char *args[] = {program, bench->hugepages ? in_memory : no_huge,
		bench->hugepages ? in_memory : no_shconf, no_pci, memory, memory_text, no_telemetry,
		lcores, cores, main_lcore, core_text, log_level, NULL};
	size_t length = 0;

	for (uint32_t i = first; i < first + count && length < sizeof(cores); i++)
		length += (size_t)snprintf(cores + length, sizeof(cores) - length, "%s%d",
			i == first ? "" : ",", core_of(i));
	BENCH_REQUIRE(length < sizeof(cores));
	snprintf(memory_text, sizeof(memory_text), "%u", bench->megabytes);
	snprintf(core_text, sizeof(core_text), "%d", core_of(first));
	if (rte_eal_init(RTE_DIM(args) - 1, args) < 0)
		bench_fail("EAL does not start", rte_strerror(rte_errno));
}

void
bench_start(struct bench *bench, const struct bench_defaults *defaults, int argc, char *const *argv)
{
	bench_options(bench, defaults, argc, argv);
	bench_eal_start(bench, 0, bench->lcores);
#ifdef NDEBUG
	fprintf(stderr, "core %d, assertions off\n", core_of(0));
#else
	fprintf(stderr, "core %d, assertions on\n", core_of(0));
#endif
}

/* A row that runs. A sample is the mean time per operation in one round, in ns. */
struct series {
	const struct bench_row *row;
	size_t floor; /* index in the series of its floor row */
	size_t one;   /* index in the series of row bench_row.one; NONE if this row does not run */
	double *samples;
	double ratio, to_one;
};

#define NONE SIZE_MAX

static bool
name_wanted(const struct bench *bench, const char *name)
{
	return bench->only == NULL || fnmatch(bench->only, name, 0) == 0;
}

/** @return true if the floor of a row that runs is `row` */
static bool
needed(const struct bench *bench, const struct bench_row *rows, size_t count,
	const struct bench_row *row)
{
	for (size_t i = 0; i < count; i++)
		if (name_wanted(bench, rows[i].name) && strcmp(rows[i].floor, row->name) == 0)
			return true;
	return name_wanted(bench, row->name);
}

/** @return index, or NONE. */
static size_t
series_find(const struct series *series, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(series[i].row->name, name) == 0)
			return i;
	return NONE;
}

/** Fill `series`, which has room for all rows. @return number of rows that run */
static size_t
series_make(const struct bench *bench, const struct bench_row *rows, size_t row_count,
	struct series *series)
{
	size_t count = 0;

	for (size_t i = 0; i < row_count; i++) {
		if (!needed(bench, rows, row_count, &rows[i]))
			continue;
		series[count].row = &rows[i];
		series[count].samples = calloc(bench->rounds, sizeof(double));
		BENCH_REQUIRE(series[count].samples != NULL);
		count++;
	}
	for (size_t i = 0; i < count; i++) {
		series[i].floor = series_find(series, count, series[i].row->floor);
		series[i].one = series_find(series, count, series[i].row->one);
		if (series[i].floor == NONE)
			bench_fail(series[i].row->floor, "no such floor");
	}
	return count;
}

void
bench_row_run(const struct bench_row *row, uint32_t iterations)
{
	row->run(row->arg, iterations);
	bench_keep(iterations);
}

static double
sample_ns(const struct bench *bench, const struct bench_row *row)
{
	uint64_t start = rte_rdtsc_precise(), cycles;

	bench_row_run(row, bench->iterations);
	cycles = rte_rdtsc_precise() - start;
	return (double)cycles * 1e9 / (double)rte_get_tsc_hz() / bench->iterations;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/**
 * @param sorted samples in ascending order. @return percentile, computed by the nearest-rank method
 */
static double
percentile(const double *sorted, uint32_t count, uint32_t percent)
{
	uint64_t rank = ((uint64_t)count * percent + 99) / 100;

	return sorted[rank == 0 ? 0 : rank - 1];
}

/**
 * @return median of the ratios sample / floor. The samples must still be in the order of the
 *         rounds.
 */
static double
ratio_median(const double *samples, const double *floor, uint32_t rounds)
{
	double *ratios = calloc(rounds, sizeof(*ratios)), median;

	BENCH_REQUIRE(ratios != NULL);
	for (uint32_t i = 0; i < rounds; i++)
		ratios[i] = samples[i] / floor[i];
	qsort(ratios, rounds, sizeof(*ratios), compare);
	median = percentile(ratios, rounds, 50);
	free(ratios);
	return median;
}

static struct json_object *
line_begin(const char *name, const char *unit, double median, double p99)
{
	struct json_object *line = json_object_new_object();

	json_object_object_add(line, "name", json_object_new_string(name));
	json_object_object_add(line, "unit", json_object_new_string(unit));
	json_object_object_add(line, "median", json_object_new_double(median));
	json_object_object_add(line, "p99", json_object_new_double(p99));
	return line;
}

static void
line_end(struct json_object *line)
{
	json_c_set_serialization_double_format("%.3f", JSON_C_OPTION_GLOBAL);
	puts(json_object_to_json_string_ext(
		line, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(line);
}

void
bench_value(const struct bench *bench, const char *name, const char *unit, double value)
{
	if (name_wanted(bench, name))
		line_end(line_begin(name, unit, value, value));
}

/** Create the JSON object of a row that was measured in rounds. The function sorts the samples. */
static struct json_object *
line_of_samples(const struct bench_samples *samples, double ratio, uint32_t rounds)
{
	struct json_object *line;

	qsort(samples->samples, rounds, sizeof(*samples->samples), compare);
	line = line_begin(samples->name, samples->unit, percentile(samples->samples, rounds, 50),
		percentile(samples->samples, rounds, 99));
	json_object_object_add(line, "floor", json_object_new_string(samples->floor));
	json_object_object_add(line, "ratio", json_object_new_double(ratio));
	return line;
}

void
bench_samples(const struct bench *bench, const struct bench_samples *samples)
{
	double ratio = ratio_median(samples->samples, samples->floor_samples, bench->rounds);

	if (name_wanted(bench, samples->name))
		line_end(line_of_samples(samples, ratio, bench->rounds));
}

static void
print_row(const struct series *series, uint32_t rounds)
{
	const struct bench_samples samples = {
		.name = series->row->name,
		.floor = series->row->floor,
		.unit = "ns/op",
		.samples = series->samples,
	};
	struct json_object *line = line_of_samples(&samples, series->ratio, rounds);

	if (series->one != NONE)
		json_object_object_add(line, "to_one", json_object_new_double(series->to_one));
	line_end(line);
}

static void
rounds_run(const struct bench *bench, struct series *series, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bench_row_run(series[i].row, bench->iterations);
	for (uint32_t round = 0; round < bench->rounds; round++)
		for (size_t i = 0; i < count; i++) {
			struct series *turn = &series[round % 2 == 0 ? i : count - 1 - i];

			turn->samples[round] = sample_ns(bench, turn->row);
		}
}

void
bench_run(const struct bench *bench, const struct bench_row *rows, size_t row_count)
{
	struct series *series = calloc(row_count, sizeof(*series));
	size_t count;

	BENCH_REQUIRE(series != NULL);
	count = series_make(bench, rows, row_count, series);
	for (size_t i = 0; i < count; i++)
		if (series[i].row->make != NULL)
			series[i].row->make(series[i].row->arg);
	rounds_run(bench, series, count);
	for (size_t i = 0; i < count; i++) {
		series[i].ratio = ratio_median(
			series[i].samples, series[series[i].floor].samples, bench->rounds);
		if (series[i].one != NONE)
			series[i].to_one = ratio_median(
				series[i].samples, series[series[i].one].samples, bench->rounds);
	}
	for (size_t i = 0; i < count; i++) {
		print_row(&series[i], bench->rounds);
		free(series[i].samples);
	}
	free(series);
}
