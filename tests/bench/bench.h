/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BENCH_BENCH_H
#define NDPDK_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Measurements on noisy machines. The time of a row is reported as a multiple of a floor. A floor
 * is the minimum work that every implementation of the same task must do. It is measured in the
 * same round on the same core. A round runs every row once. Every second round runs the rows in
 * reverse order. So slow periods of the machine affect a row and its floor equally, and neither
 * profits from caches that the other has warmed.
 */

/** Maximum length of the name of a row, including the terminator. */
#define BENCH_NAME_BYTES 48
/** Maximum length of the text to which bench_name() appends a number, including the terminator. */
#define BENCH_WHAT_BYTES (BENCH_NAME_BYTES - 11)

struct bench_row {
	char name[BENCH_NAME_BYTES];
	/** name of the floor row of this row; a floor row names itself */
	char floor[BENCH_NAME_BYTES];
	/**
	 * Name of the row that executes the same operation with the fewest objects; "" if no such
	 * row exists.
	 */
	char one[BENCH_NAME_BYTES];
	/**
	 * Prepares the row before its first run; NULL if nothing must be prepared. If several rows
	 * have the same arg, make() may be called several times with this arg.
	 */
	void (*make)(void *arg);
	/**
	 * Executes the operation `iterations` times. The function continues at the object where the
	 * previous call ended.
	 */
	void (*run)(void *arg, uint32_t iterations);
	void *arg;
};

struct bench {
	uint32_t rounds;
	uint32_t iterations; /**< number of operations per row and round */
	const char *only;    /**< shell pattern of the rows to run; NULL = all */
	/**
	 * Use deterministic time and random numbers in adapters, because the number of instructions
	 * must be the same in each run.
	 */
	bool repeatable;
	bool hugepages;     /**< EAL takes its memory from hugepages */
	uint32_t lcores;    /**< 1 or more */
	uint32_t megabytes; /**< memory for EAL, in megabytes */
};

struct bench_defaults {
	uint32_t rounds;
	uint32_t iterations;
	uint32_t megabytes; /**< memory for EAL, in megabytes; 0 means 256 */
	/** default of --lcores, at most the number of processors; 0 means 1 */
	uint32_t lcores;
	/** largest value of --lcores; if it is less than `lcores`, the limit is `lcores` */
	uint32_t lcores_max;
};

/** Parse the command line. End the process if the command line is invalid. */
void bench_options(
	struct bench *bench, const struct bench_defaults *defaults, int argc, char *const *argv);

/**
 * Start EAL with `count` of the bench's lcores. Lcore `first` is the main lcore; the next lcores
 * follow. Lcore 0 runs on the last core that this process may use, the others run on the first
 * cores. The function ends the process if EAL does not start.
 */
void bench_eal_start(const struct bench *bench, uint32_t first, uint32_t count);

/**
 * Call bench_options(), then bench_eal_start() with all lcores. Print the core of the main lcore to
 * stderr, and whether assertions are enabled.
 */
void bench_start(
	struct bench *bench, const struct bench_defaults *defaults, int argc, char *const *argv);

/**
 * Measure a table of rows. Prints a line with a JSON object for each row: name, unit, median and
 * p99 of the rounds, floor, ratio to the floor, and, if the row named by `one` ran, to_one. A
 * ratio is the median of the ratios of all rounds.
 *
 * With --only, the matching rows and their floors run. Before the first round, every row runs once
 * without measurement.
 */
void bench_run(const struct bench *bench, const struct bench_row *rows, size_t count);

/**
 * Run a row. bench_run() runs rows only through this function, because callgrind recognizes the
 * start and the end of each run by the function's name. For the same reason, the compiler must not
 * inline the function.
 */
__attribute__((noinline)) void bench_row_run(const struct bench_row *row, uint32_t iterations);

/** Print a row with a single value in this unit, unless --only excludes the row. */
void bench_value(const struct bench *bench, const char *name, const char *unit, double value);

/** Samples of a row that was measured without bench_run(). Each round has one sample. */
struct bench_samples {
	const char *name, *floor, *unit;
	double *samples;
	/** samples of the floor in the same rounds; may be the array `samples` */
	const double *floor_samples;
};

/**
 * Print a row with samples in the format of bench_run(), unless --only excludes the row. The
 * function sorts the samples.
 */
void bench_samples(const struct bench *bench, const struct bench_samples *samples);

/**
 * Allocate memory for tables that rows access in random order. Like the tables of the library, the
 * memory uses huge pages if the system has them. The memory is zeroed, resident, and never freed.
 * The function ends the process if the allocation fails.
 */
void *bench_memory(size_t bytes);

/** Make the name "<what>_<number>". */
void bench_name(char name[BENCH_NAME_BYTES], const char *what, uint32_t number);

/** Print an error message and end the process. */
_Noreturn void bench_fail(const char *what, const char *detail);

#define BENCH_REQUIRE(condition)                                                                   \
	do {                                                                                       \
		if (!(condition))                                                                  \
			bench_fail(#condition, "does not hold");                                   \
	} while (0)

/** Use a value. Without a use, the compiler would remove the computation of the value. */
static inline void
bench_keep(uint64_t value)
{
	__asm__ __volatile__("" : : "r"(value) : "memory");
}

#endif
