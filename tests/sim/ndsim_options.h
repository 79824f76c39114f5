/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_NDSIM_OPTIONS_H
#define NDPDK_SIM_NDSIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim_plan.h"

#define NDSIM_JOBS_MAX 64

struct ndsim_options {
	uint64_t seed;   /**< seed of the first run; later runs use the following seeds */
	uint64_t runs;   /**< number of runs; UINT64_MAX = only time_s limits the runs */
	uint64_t time_s; /**< time in seconds after which no run starts; 0 = no limit */
	uint32_t jobs;
	uint32_t engines;
	/** SIM_SCENARIO_COUNT means that each seed runs in all scenarios. */
	enum sim_scenario scenario;
	enum sim_sabotage sabotage;
	const char *capture; /**< capture file, or NULL */
	/**
	 * The capture contains only frames at the port of this adapter; 0 = frames on all links.
	 */
	char capture_at;
	bool trace;
	bool hashes;
	bool counters;
	bool twice;
};

struct ndsim_run {
	enum sim_scenario scenario;
	uint64_t seed;
};

/** @return scenario and seed of a run. @param number 0 .. runs - 1 */
static inline struct ndsim_run
ndsim_run_of(const struct ndsim_options *options, uint64_t number)
{
	if (options->scenario != SIM_SCENARIO_COUNT)
		return (struct ndsim_run){options->scenario, options->seed + number};
	return (struct ndsim_run){(enum sim_scenario)(number % SIM_SCENARIO_COUNT),
		options->seed + number / SIM_SCENARIO_COUNT};
}

/**
 * @return -1 if the runs must be executed; the exit status after --help or an invalid command line
 */
int ndsim_options_parse(struct ndsim_options *options, int argc, char **argv);

#endif
