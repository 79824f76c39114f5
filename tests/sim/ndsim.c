/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Runs seeds in one or several processes. A process ends after a failed run, and ndsim starts a new
 * process for the remaining runs. So a crash affects only one run and is reported like any other
 * failure.
 */

#include <inttypes.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_errno.h>

#include "ndsim_options.h"
#include "sim_world.h"

/** Exit status of a process that could not start EAL. */
#define STATUS_NO_EAL    2
/** Value in bytes for two thresholds of malloc(). All allocated blocks are smaller. */
#define MALLOC_MAX_BYTES (1 << 30)

/** Progress of a child process, which the parent reads. */
struct progress {
	uint64_t number;
	uint64_t done;
	uint64_t frames;
	uint64_t faults;
	uint64_t requests;
	struct nd_counter counters[SIM_COUNTERS_MAX];
	size_t counter_count;
};

/** Memory that the parent and all child processes share. */
struct shared {
	_Atomic uint64_t next;
	struct progress progress[NDSIM_JOBS_MAX];
};

static struct sim_world world;

/**
 * @return EAL's lcore list "0@(LIST)". Lcore 0 may run on any allowed processor, because several
 * processes share the processors.
 */
static char *
lcores_text(void)
{
	static char text[8 + CPU_SETSIZE * 5] = "0@(";
	const char *comma = "";
	size_t at = strlen(text);
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		CPU_SET(0, &set);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &set))
			continue;
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%d", comma, i);
		comma = ",";
	}
	snprintf(text + at, sizeof(text) - at, ")");
	return text;
}

static void
eal_start(void)
{
	static char program[] = "ndsim", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", memory[] = "-m", megabytes[] = "256",
		    no_telemetry[] = "--no-telemetry", lcores[] = "--lcores",
		    log_level[] = "--log-level=lib.eal:error";
	char *args[] = {program, no_huge, no_shconf, no_pci, memory, megabytes, no_telemetry,
		lcores, lcores_text(), log_level, NULL};

	if (rte_eal_init(RTE_DIM(args) - 1, args) < 0) {
		fprintf(stderr, "ndsim: EAL did not start: %s\n", rte_strerror(rte_errno));
		_exit(STATUS_NO_EAL);
	}
}

static void
plan_make(struct sim_plan *plan, const struct ndsim_options *options, uint64_t number)
{
	struct ndsim_run run = ndsim_run_of(options, number);

	sim_plan_make(plan, run.seed, run.scenario, options->engines);
	plan->sabotage = options->sabotage;
}

static void
run_one(const struct ndsim_options *options, const struct sim_plan *plan, struct sim_summary *sum)
{
	struct sim_summary again;
	struct sim_watch watch = {.verbose = options->trace, .capture_at = options->capture_at};

	if (options->runs == 1)
		watch.capture = options->capture;
	sim_world_run(&world, plan, &watch, sum);
	if (!options->twice)
		return;
	sim_world_run(&world, plan, &(struct sim_watch){0}, &again);
	if (again.hash != sum->hash || again.events != sum->events)
		sim_fail(&world,
			"the second run differs: %" PRIu64 " events, hash %016" PRIx64
			"; before: %" PRIu64 ", %016" PRIx64,
			again.events, again.hash, sum->events, sum->hash);
}

static void
summary_print(const struct sim_plan *plan, const struct sim_summary *sum)
{
	printf("seed %" PRIu64 " of %s: %u adapters, %u pairs, messages <= %u, %u accidents, "
	       "mischief: %s\n"
	       "  %" PRIu64 " requests, %" PRIu64 " frames, %" PRIu64 " faults, %" PRIu64
	       " turns, %.3f ms; %" PRIu64 " events, hash %016" PRIx64 "\n",
		plan->seed, sim_scenario_name(plan->scenario), plan->node_count, plan->pair_count,
		plan->message_max, plan->accident_count, sim_mischief_name(plan->mischief),
		sum->requests, sum->frames, sum->faults, sum->turns, (double)sum->virtual_ns / 1e6,
		sum->events, sum->hash);
}

/** Print the hash of a run. If two builds print the same hash, both have executed the same run. */
static void
hash_print(const struct sim_plan *plan, const struct sim_summary *sum)
{
	printf("%s %" PRIu64 " %016" PRIx64 " %" PRIu64 "\n", sim_scenario_name(plan->scenario),
		plan->seed, sum->hash, sum->events);
}

static void
progress_add(struct progress *progress, const struct sim_summary *sum)
{
	progress->done++;
	progress->frames += sum->frames;
	progress->faults += sum->faults;
	progress->requests += sum->requests;
	progress->counter_count = RTE_MAX(progress->counter_count, sum->counter_count);
	for (size_t i = 0; i < sum->counter_count; i++) {
		progress->counters[i].name = sum->counters[i].name;
		progress->counters[i].value += sum->counters[i].value;
	}
}

static uint64_t
seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec;
}

/**
 * Keep freed memory in the process. Otherwise the kernel would have to clear new pages for each
 * run.
 */
static void
memory_keep(void)
{
	mallopt(M_MMAP_THRESHOLD, MALLOC_MAX_BYTES);
	mallopt(M_TRIM_THRESHOLD, MALLOC_MAX_BYTES);
	/*
	 * Disable transparent huge pages, because an adapter's tables use little of their address
	 * space and clearing huge pages is slow.
	 */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

/** Main function of a child process. Execute runs until no run is left or the time is over. */
static void
worker(const struct ndsim_options *options, struct shared *shared, struct progress *progress,
	uint64_t end_s)
{
	struct sim_summary sum;
	struct sim_plan plan;

	memory_keep();
	eal_start();
	/*
	 * Use line buffering, so that output lines are complete even if the next run ends the
	 * process.
	 */
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (seconds_now() < end_s) {
		progress->number = atomic_fetch_add(&shared->next, 1);
		if (progress->number >= options->runs)
			return;
		plan_make(&plan, options, progress->number);
		run_one(options, &plan, &sum);
		if (options->runs == 1)
			summary_print(&plan, &sum);
		if (options->hashes)
			hash_print(&plan, &sum);
		progress_add(progress, &sum);
	}
}

static pid_t
worker_start(
	const struct ndsim_options *options, struct shared *shared, uint32_t job, uint64_t end_s)
{
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child < 0) {
		perror("ndsim: fork");
		exit(2);
	}
	if (child == 0) {
		/* If the parent ndsim is killed, the kernel must end this process. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		worker(options, shared, &shared->progress[job], end_s);
		exit(0);
	}
	return child;
}

static void
capture(const struct ndsim_options *options, uint64_t number)
{
	struct sim_watch watch = {.capture = options->capture, .capture_at = options->capture_at};
	pid_t child = fork();
	struct sim_summary sum;
	struct sim_plan plan;

	if (child == 0) {
		/* Discard the messages, because the first run has printed them. */
		if (freopen("/dev/null", "w", stderr) == NULL)
			_exit(2);
		eal_start();
		plan_make(&plan, options, number);
		sim_world_run(&world, &plan, &watch, &sum);
		_exit(0);
	}
	if (child > 0 && waitpid(child, NULL, 0) == child)
		fprintf(stderr, "  frames: %s\n", options->capture);
	else
		perror("ndsim: no capture");
}

/** Report a process that ended early. @return false if a new process would fail in the same way */
static bool
failure_report(const struct ndsim_options *options, uint64_t number, int status)
{
	struct ndsim_run run = ndsim_run_of(options, number);

	if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NO_EAL)
		return false;
	/* If the status is SIM_STATUS_FAILED, sim_fail() has already printed the cause. */
	if (!WIFEXITED(status) || WEXITSTATUS(status) != SIM_STATUS_FAILED)
		fprintf(stderr,
			"seed %" PRIu64 ": crashed (status 0x%x)\n  replay: ndsim --scenario %s "
			"--engines %u --seed %" PRIu64 " --trace\n",
			run.seed, (unsigned)status, sim_scenario_name(run.scenario),
			options->engines, run.seed);
	return true;
}

static void
totals_print(const struct ndsim_options *options, struct shared *shared, uint64_t failures,
	double seconds)
{
	struct progress *sum = &shared->progress[0];

	for (uint32_t i = 1; i < options->jobs; i++) {
		const struct progress *one = &shared->progress[i];

		sum->done += one->done;
		sum->frames += one->frames;
		sum->faults += one->faults;
		sum->requests += one->requests;
		for (size_t k = 0; k < one->counter_count; k++)
			sum->counters[k].value += one->counters[k].value;
	}
	printf("%" PRIu64 " runs passed, %" PRIu64 " failed; %" PRIu64 " requests, %" PRIu64
	       " frames, %" PRIu64 " of them with faults; %.1f seeds/s\n",
		sum->done, failures, sum->requests, sum->frames, sum->faults,
		(double)(sum->done + failures) / seconds);
	for (size_t i = 0; options->counters && i < sum->counter_count; i++)
		printf("  %-24s %" PRIu64 "\n", sum->counters[i].name, sum->counters[i].value);
}

static uint32_t
job_of(const pid_t *children, uint32_t count, pid_t child)
{
	uint32_t job = 0;

	while (job + 1 < count && children[job] != child)
		job++;
	return job;
}

static int
runs_run(const struct ndsim_options *options, struct shared *shared)
{
	uint64_t begin_s = seconds_now(), failures = 0;
	uint64_t end_s = options->time_s == 0 ? UINT64_MAX : begin_s + options->time_s;
	uint32_t alive = options->jobs;
	pid_t children[NDSIM_JOBS_MAX];
	struct timespec begin, end;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (uint32_t i = 0; i < options->jobs; i++)
		children[i] = worker_start(options, shared, i, end_s);
	while (alive != 0) {
		int status;
		pid_t child = wait(&status);
		uint32_t job = job_of(children, options->jobs, child);

		if (child < 0) {
			perror("ndsim: wait");
			return 2;
		}
		alive--;
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			continue;
		if (!failure_report(options, shared->progress[job].number, status))
			return 2;
		if (failures++ == 0 && options->capture != NULL && options->runs != 1)
			capture(options, shared->progress[job].number);
		alive++;
		children[job] = worker_start(options, shared, job, end_s);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	totals_print(options, shared, failures,
		(double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
	return failures == 0 ? 0 : 1;
}

int
main(int argc, char **argv)
{
	struct ndsim_options options;
	int status = ndsim_options_parse(&options, argc, argv);
	struct shared *shared;

	if (status >= 0)
		return status;
	shared = mmap(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED) {
		perror("ndsim: mmap");
		return 2;
	}
	return runs_run(&options, shared);
}
