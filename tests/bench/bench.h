/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_BENCH_H
#define NDPDK_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Measuring on machines that are noisy: a subject is never given as a speed of its own but as a
 * multiple of a floor, work that nothing doing the same job could go without, measured in the same
 * round on the same core. A round runs every row once, every other round in reverse order: a slow
 * spell of the machine hits floor and subject alike, and neither is always the one that finds the
 * caches warm.
 */

/** Longest name of a row, with its end. */
#define BENCH_NAME_BYTES 48
/** Of what bench_name() puts a number behind. */
#define BENCH_WHAT_BYTES (BENCH_NAME_BYTES - 11)

struct bench_row {
	char name[BENCH_NAME_BYTES];
	char floor[BENCH_NAME_BYTES]; /**< name of a row of the same table; a floor names itself */
	/** Name of the row that does the same among as few things as can be; "": none. */
	char one[BENCH_NAME_BYTES];
	/** Makes what the row needs before it runs; may have been called for another row with the
	 * same thing. NULL: nothing to do. */
	void (*make)(void *arg);
	/** Does the operation `iterations` times, going on where the call before it stopped. */
	void (*run)(void *arg, uint32_t iterations);
	void *arg;
};

struct bench {
	uint32_t rounds;
	uint32_t iterations; /**< operations per row and round */
	const char *only;    /**< shell pattern for the rows that run; NULL = all */
	/** Adapters take neither time nor random numbers from the machine: for counting. */
	bool repeatable;
	bool hugepages;     /**< EAL takes its memory from hugepages */
	uint32_t lcores;    /**< 1 or more */
	uint32_t megabytes; /**< of EAL's memory */
};

/** How often a bench runs when its command line does not say. */
struct bench_defaults {
	uint32_t rounds;
	uint32_t iterations;
	uint32_t megabytes;  /**< megabytes of memory for EAL; 0 = 256 */
	uint32_t lcores;     /**< default of --lcores, at most the number of processors; 0 = 1 */
	uint32_t lcores_max; /**< largest value of --lcores; less than lcores: lcores */
};

/** Read the command line. Ends the process when it is wrong. */
void bench_options(
	struct bench *bench, const struct bench_defaults *defaults, int argc, char *const *argv);

/**
 * Start EAL with `count` lcores of those that the bench uses, from lcore `first` on. Lcore 0 is on
 * the last core that this process may use, the others are on the first cores; the main lcore is
 * lcore `first`. Ends the process when EAL does not start.
 */
void bench_eal_start(const struct bench *bench, uint32_t first, uint32_t count);

/**
 * bench_options(), then bench_eal_start() with all lcores. Which core is the main one, and whether
 * assertions are on, goes to stderr.
 */
void bench_start(
	struct bench *bench, const struct bench_defaults *defaults, int argc, char *const *argv);

/**
 * Measure a table of rows and print one JSON object per row and line: name, unit, median and p99 of
 * the rounds, floor, ratio, and to_one when its row of one ran, too. A ratio is the median of the
 * rounds' own ratios.
 *
 * With --only, the rows of such names run and their floors. Every row runs once more before the
 * first round, unmeasured.
 */
void bench_run(const struct bench *bench, const struct bench_row *rows, size_t count);

/**
 * Run a row: bench_run() does so through this function alone, by whose name callgrind finds the
 * beginning and the end of each run. A function of its own, whatever the compiler thinks of it.
 */
__attribute__((noinline)) void bench_row_run(const struct bench_row *row, uint32_t iterations);

/** Print a row of something that is not a time, and is measured once; --only may leave it out. */
void bench_value(const struct bench *bench, const char *name, const char *unit, double value);

/** What a bench measured by itself, one number per round. */
struct bench_samples {
	const char *name, *floor, *unit;
	double *samples;
	const double *floor_samples; /**< in the order of the same rounds; may be the samples */
};

/** Print such a row as bench_run() does; --only may leave it out. Sorts the samples. */
void bench_samples(const struct bench *bench, const struct bench_samples *samples);

/**
 * Memory for tables that rows visit in random order, from huge pages where the machine has them, as
 * the tables of the library; zero, and resident. Ends the process when there is none; never freed.
 */
void *bench_memory(size_t bytes);

/** Make a name of what is done and to how much: "<what>_<number>". */
void bench_name(char name[BENCH_NAME_BYTES], const char *what, uint32_t number);

/** Say what went wrong and end the process: numbers of something broken are worth nothing. */
_Noreturn void bench_fail(const char *what, const char *detail);

#define BENCH_REQUIRE(condition)                                                                   \
	do {                                                                                       \
		if (!(condition))                                                                  \
			bench_fail(#condition, "does not hold");                                   \
	} while (0)

/** Make the compiler believe that the value is needed. */
static inline void
bench_keep(uint64_t value)
{
	__asm__ __volatile__("" : : "r"(value) : "memory");
}

#endif
