/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Runs seeds. Each batch of seeds runs in a process of its own, so that a crash costs one seed and
 * is reported like any other failure.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rte_eal.h>

#include "sim_world.h"

struct options {
	uint64_t first;
	uint64_t last;
	uint32_t engines;
	bool errors;
	bool trace;
	bool twice;
	bool quiet;
	bool counters;
};

/** What a batch tells its parent. */
struct progress {
	uint64_t seed; /**< being run */
	uint64_t done;
	uint64_t frames;
	uint64_t faults;
	uint64_t requests;
	uint64_t turns;
	struct nd_counter counters[SIM_COUNTERS_MAX];
	size_t counter_count;
};

static struct sim_world world;

static const char usage[] =
	"usage: sim [--errors] [--engines=N] [--seed=N | --seeds=FROM..TO | --count=N]\n"
	"           [--trace] [--counters] [--twice]\n"
	"\n"
	"Two adapters on one thread and virtual time, joined by a link with faults.\n"
	"\n"
	"  --seed=N          run one seed, and say what happened\n"
	"  --seeds=FROM..TO  run these\n"
	"  --count=N         run 1..N [500]\n"
	"  --errors          let one request or connection fail on purpose\n"
	"  --engines=N       engines of each adapter, 1..16 [1]\n"
	"  --trace           print every frame, call and result to standard error\n"
	"  --counters        print the sum of all counters of all adapters\n"
	"  --twice           run each seed twice and compare the traces\n";

static void
eal_start(void)
{
	static char program[] = "sim", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", memory[] = "-m", megabytes[] = "256",
		    no_telemetry[] = "--no-telemetry", lcores[] = "-l", first[] = "0",
		    log_level[] = "--log-level=lib.eal:error";
	static char *args[] = {program, no_huge, no_shconf, no_pci, memory, megabytes, no_telemetry,
		lcores, first, log_level, NULL};

	if (rte_eal_init(RTE_DIM(args) - 1, args) < 0) {
		fprintf(stderr, "sim: EAL does not start\n");
		exit(2);
	}
}

static void
seed_run(uint64_t seed, const struct options *options, struct sim_summary *sum)
{
	struct sim_plan plan;
	struct sim_summary again;

	sim_plan_make(&plan, seed, options->errors, options->engines);
	sim_world_run(&world, &plan, options->trace, sum);
	if (!options->twice)
		return;
	sim_world_run(&world, &plan, false, &again);
	if (again.hash != sum->hash || again.events != sum->events)
		sim_fail(&world,
			"the second run differs: %" PRIu64 " events, hash %016" PRIx64
			"; before: %" PRIu64 ", %016" PRIx64,
			again.events, again.hash, sum->events, sum->hash);
}

static void
summary_print(uint64_t seed, const struct options *options, const struct sim_summary *sum)
{
	struct sim_plan plan;

	sim_plan_make(&plan, seed, options->errors, options->engines);
	printf("seed %" PRIu64 ": %u pairs, path MTU %u/%u, messages <= %u, mischief: %s\n"
	       "  %" PRIu64 " requests, %" PRIu64 " frames, %" PRIu64 " faults, %" PRIu64
	       " turns, %.3f ms; %" PRIu64 " events, hash %016" PRIx64 "\n",
		seed, plan.pair_count, plan.path_mtu[0], plan.path_mtu[1], plan.message_max,
		sim_mischief_name(plan.mischief), sum->requests, sum->frames, sum->faults,
		sum->turns, (double)sum->virtual_ns / 1e6, sum->events, sum->hash);
}

static void
batch_run(const struct options *options, struct progress *progress)
{
	struct sim_summary sum;

	eal_start();
	while (progress->seed <= options->last) {
		seed_run(progress->seed, options, &sum);
		if (!options->quiet)
			summary_print(progress->seed, options, &sum);
		progress->done++;
		progress->frames += sum.frames;
		progress->faults += sum.faults;
		progress->requests += sum.requests;
		progress->turns += sum.turns;
		progress->counter_count = sum.counter_count;
		for (size_t i = 0; i < sum.counter_count; i++) {
			progress->counters[i].name = sum.counters[i].name;
			progress->counters[i].value += sum.counters[i].value;
		}
		progress->seed++;
	}
}

/** @return whether the batch came to its end */
static bool
batch_start(const struct options *options, struct progress *progress)
{
	int status;
	pid_t child = fork();

	if (child < 0) {
		perror("sim: fork");
		exit(2);
	}
	if (child == 0) {
		batch_run(options, progress);
		exit(0);
	}
	if (waitpid(child, &status, 0) != child) {
		perror("sim: waitpid");
		exit(2);
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	/* What sim_fail() has printed need not be said again. */
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 1)
		fprintf(stderr,
			"seed %" PRIu64 ": crashed (status 0x%x)\n  replay: sim %s--engines=%u "
			"--seed=%" PRIu64 " --trace\n",
			progress->seed, (unsigned)status, options->errors ? "--errors " : "",
			options->engines, progress->seed);
	return false;
}

static int
seeds_run(const struct options *options)
{
	struct progress *progress = mmap(
		NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t failures = 0;

	if (progress == MAP_FAILED) {
		perror("sim: mmap");
		return 2;
	}
	progress->seed = options->first;
	while (progress->seed <= options->last) {
		if (batch_start(options, progress))
			break;
		failures++;
		progress->seed++;
	}
	printf("%" PRIu64 " seeds passed, %" PRIu64 " failed; %" PRIu64 " requests, %" PRIu64
	       " frames, %" PRIu64 " of them met faults\n",
		progress->done, failures, progress->requests, progress->frames, progress->faults);
	for (size_t i = 0; options->counters && i < progress->counter_count; i++)
		printf("  %-24s %" PRIu64 "\n", progress->counters[i].name,
			progress->counters[i].value);
	return failures == 0 ? 0 : 1;
}

static bool
options_parse(struct options *options, int argc, char **argv)
{
	static const struct option known[] = {
		{"seed", required_argument, NULL, 's'},
		{"seeds", required_argument, NULL, 'r'},
		{"count", required_argument, NULL, 'c'},
		{"errors", no_argument, NULL, 'e'},
		{"trace", no_argument, NULL, 't'},
		{"counters", no_argument, NULL, 'n'},
		{"engines", required_argument, NULL, 'g'},
		{"twice", no_argument, NULL, '2'},
		{NULL, 0, NULL, 0},
	};
	char *end = NULL;
	int which;

	while ((which = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (which) {
		case 's':
			options->first = options->last = strtoull(optarg, &end, 10);
			options->quiet = false;
			break;
		case 'r':
			options->first = strtoull(optarg, &end, 10);
			if (strncmp(end, "..", 2) != 0)
				return false;
			options->last = strtoull(end + 2, &end, 10);
			break;
		case 'c':
			options->last = strtoull(optarg, &end, 10);
			break;
		case 'g':
			options->engines = (uint32_t)strtoul(optarg, &end, 10);
			break;
		case 'e':
			options->errors = true;
			break;
		case 't':
			options->trace = true;
			break;
		case 'n':
			options->counters = true;
			break;
		case '2':
			options->twice = true;
			break;
		default:
			return false;
		}
		if (end != NULL && *end != '\0')
			return false;
	}
	return optind == argc && options->engines >= 1 && options->engines <= LIMIT_ENGINES;
}

int
main(int argc, char **argv)
{
	struct options options = {.first = 1, .last = 500, .engines = 1, .quiet = true};

	if (!options_parse(&options, argc, argv)) {
		fputs(usage, stderr);
		return 2;
	}
	return seeds_run(&options);
}
