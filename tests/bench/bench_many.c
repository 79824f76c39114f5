/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Many connected endpoints of two adapters, over two rings, in one thread.
 *
 * write: WRITEs of 64 bytes, one request on each endpoint in turn, at most LOOP_DEPTH_MAX
 * outstanding. The CPU cannot prefetch in this order of endpoints. If the cost grows with the
 * number of endpoints, the growth is the cost of memory accesses. to_one compares with the row of
 * 64 endpoints.
 *
 * Floor of write: frames of 64 bytes in bursts of the same size, each frame answered
 * (loop_frames.h), plus the minimum memory accesses per request in the same order. The application
 * reads the endpoint and the key, and gets a result. Each end has a connection state of one cache
 * line. These accesses are independent, so the processor loads many lines at the same time.
 * frames_64_answered has only the frames.
 *
 * batch: the same WRITEs, 32 endpoints at a time. First, a batch is started on each endpoint; then
 * each batch gets its request; then the batches are submitted. The start of a batch prefetches the
 * lines of its endpoint, so the lines of 32 endpoints are loaded at the same time.
 *
 * idle_turn: one poll of an engine with idle endpoints. Its instructions are counted (count.py).
 * These rows use separate adapters, because under callgrind, connecting more than 10000 endpoints
 * would take minutes.
 */

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_malloc.h>

#include "bench.h"
#include "loop_frames.h"
#include "loop_pair.h"

#define LINKS_MAX         100000u
#define LINKS_RESTING     10000u
#define ENTRIES           2u
#define MESSAGE_BYTES     64u
/* Maximum number of frames that the engine sends in one burst. */
#define POSTS             32u
/*
 * This time exceeds the ACK timeout, because a timer stays in the timer wheel until it expires,
 * although the answer has arrived.
 */
#define REST_MS           200u
#define SIZES_COUNT       64u
#define FEW               64u
#define FLOOR             "frames_64_answered"
#define SIZES_ENTRIES_MAX 512u

/** Minimum state of a connection at one end: one cache line. */
struct state {
	_Alignas(RTE_CACHE_LINE_SIZE) uint32_t psn;
};

struct crowd {
	/** maximum number of connections; 0 = only the endpoint of the pair */
	uint32_t links_max;
	struct loop_pair *pair;
	struct loop_link *links;
	struct nd_result *results; /**< results of side 0 */
	struct state *states[2];   /**< states of the floor */
	uint32_t made;
};

struct subject {
	struct crowd *crowd;
	uint32_t count; /**< number of endpoints that the subject uses */
	uint32_t next;
};

static struct crowd busy = {.links_max = LINKS_MAX}, resting = {.links_max = LINKS_RESTING}, alone;
static struct loop_frames frames = {.answers_all = true};

static void
crowd_open(struct crowd *crowd)
{
	const uint32_t room = RTE_MAX(crowd->links_max, 1u);

	crowd->pair = rte_zmalloc("bench_pair", sizeof(*crowd->pair), 0);
	crowd->links = rte_calloc("bench_links", room, sizeof(*crowd->links), 0);
	crowd->results = rte_calloc("bench_results", room, sizeof(*crowd->results), 0);
	for (unsigned int i = 0; i < 2; i++)
		crowd->states[i] = rte_calloc(
			"bench_states", room, sizeof(*crowd->states[i]), RTE_CACHE_LINE_SIZE);
	BENCH_REQUIRE(crowd->pair != NULL && crowd->links != NULL && crowd->results != NULL &&
		crowd->states[0] != NULL && crowd->states[1] != NULL);
	crowd->pair->links_max = crowd->links_max + 1;
	loop_pair_open(crowd->pair, LOOP_WINDOWS_FEW);
}

/** Connect endpoints until the pair has as many endpoints as the row uses. */
static void
links_make(void *arg)
{
	const struct subject *subject = arg;
	struct crowd *crowd = subject->crowd;

	if (crowd->pair == NULL)
		crowd_open(crowd);
	while (crowd->made < RTE_MIN(subject->count, crowd->links_max))
		loop_pair_connect(crowd->pair, ENTRIES, &crowd->links[crowd->made++]);
	loop_pair_quiet(crowd->pair);
}

/** Call links_make(), then wait until all timers have expired. */
static void
rest_make(void *arg)
{
	const struct subject *subject = arg;
	uint64_t end;

	links_make(arg);
	end = rte_get_tsc_cycles() + rte_get_tsc_hz() / 1000 * REST_MS;
	while (rte_get_tsc_cycles() < end)
		loop_pair_quiet(subject->crowd->pair);
}

static void
frames_make(void *arg)
{
	const struct subject *subject = arg;

	links_make(arg);
	if (frames.pair != NULL)
		return;
	frames.pair = subject->crowd->pair;
	loop_frames_open(&frames);
}

/**
 * @return the next endpoint. The step and the number of endpoints are coprime, so all endpoints are
 * visited.
 */
static uint32_t
link_next(struct subject *subject)
{
	subject->next = (subject->next + 7919u) % subject->count;
	return subject->next;
}

static void
link_touch(struct subject *subject)
{
	const struct crowd *crowd = subject->crowd;
	const uint32_t i = link_next(subject);
	const struct loop_link *link = &crowd->links[i];

	bench_keep((uintptr_t)link->endpoints[0] + link->window.token);
	crowd->results[i].status = ND_SUCCESS;
	for (unsigned int side = 0; side < 2; side++)
		crowd->states[side][i].psn++;
}

static void
frames_run(void *arg, uint32_t iterations)
{
	struct subject *subject = arg;
	uint32_t count;

	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN(POSTS, iterations - done);
		for (uint32_t i = 0; i < count && subject->count != 0; i++)
			link_touch(subject);
		loop_frames_move(&frames, MESSAGE_BYTES, count);
	}
}

static void
write_post(const struct crowd *crowd, uint32_t i)
{
	struct loop_side *side = &crowd->pair->side[0];
	const struct nd_sge sge = {
		.address = side->memory, .length = MESSAGE_BYTES, .mr = side->mr};
	const struct loop_link *link = &crowd->links[i];

	BENCH_REQUIRE(nd_endpoint_write(link->endpoints[0], &crowd->results[i], &sge, 1,
			      &link->window, 0, 0) == ND_SUCCESS);
}

static uint32_t
turn(const struct crowd *crowd)
{
	struct nd_result *got[LOOP_DEPTH_MAX];

	nd_engine_poll(crowd->pair->side[1].engine);
	nd_engine_poll(crowd->pair->side[0].engine);
	return (uint32_t)nd_cq_get_results(crowd->pair->side[0].outbound, got, LOOP_DEPTH_MAX);
}

static void
write_run(void *arg, uint32_t iterations)
{
	struct subject *subject = arg;
	const uint32_t outstanding_max = RTE_MIN((uint32_t)LOOP_DEPTH_MAX, subject->count);
	uint32_t posted = 0, done = 0;

	while (done < iterations) {
		for (uint32_t i = 0;
			i < POSTS && posted < iterations && posted - done < outstanding_max;
			i++, posted++)
			write_post(subject->crowd, link_next(subject));
		done += turn(subject->crowd);
	}
}

static void
batches_post(struct subject *subject, uint32_t count)
{
	const struct crowd *crowd = subject->crowd;
	uint32_t numbers[POSTS];

	for (uint32_t i = 0; i < count; i++) {
		numbers[i] = link_next(subject);
		nd_endpoint_start_request_batch(crowd->links[numbers[i]].endpoints[0]);
	}
	for (uint32_t i = 0; i < count; i++)
		write_post(crowd, numbers[i]);
	for (uint32_t i = 0; i < count; i++)
		nd_endpoint_submit_request_batch(crowd->links[numbers[i]].endpoints[0]);
}

static void
batch_run(void *arg, uint32_t iterations)
{
	struct subject *subject = arg;
	const uint32_t outstanding_max = RTE_MIN((uint32_t)LOOP_DEPTH_MAX, subject->count);
	uint32_t posted = 0, done = 0;

	while (done < iterations) {
		uint32_t count = RTE_MIN(POSTS, iterations - posted);

		count = RTE_MIN(count, outstanding_max - (posted - done));
		batches_post(subject, count);
		posted += count;
		done += turn(subject->crowd);
	}
}

static void
idle_run(void *arg, uint32_t iterations)
{
	const struct subject *subject = arg;

	for (uint32_t i = 0; i < iterations; i++)
		nd_engine_poll(subject->crowd->pair->side[0].engine);
}

static void
row_make(struct bench_row *row, const char *what, struct subject *subject)
{
	*row = (struct bench_row){.arg = subject};
	bench_name(row->name, what, subject->count);
	bench_name(row->floor, what, subject->count);
}

/** @return number of bytes that EAL and the C library have allocated so far */
static double
bytes_taken(void)
{
	struct rte_malloc_socket_stats stats;

	BENCH_REQUIRE(rte_malloc_get_socket_stats((int)rte_socket_id(), &stats) == 0);
	return (double)stats.heap_allocsz_bytes + (double)mallinfo2().uordblks;
}

/** Print the memory that an endpoint and its connector need, for several queue lengths. */
static void
sizes_print(const struct bench *bench)
{
	static struct loop_pair pair = {.links_max = SIZES_COUNT + 1};
	char name[BENCH_NAME_BYTES];

	loop_pair_open(&pair, LOOP_WINDOWS_FEW);
	for (uint32_t entries = 1; entries <= SIZES_ENTRIES_MAX; entries *= 8) {
		struct loop_link links[SIZES_COUNT];
		double before = bytes_taken();

		for (uint32_t i = 0; i < SIZES_COUNT; i++)
			loop_pair_endpoint(&pair, 0, entries, &links[i]);
		bench_name(name, "bytes_per_endpoint_depth", entries);
		bench_value(bench, name, "bytes", (bytes_taken() - before) / SIZES_COUNT);
		for (uint32_t i = 0; i < SIZES_COUNT; i++) {
			nd_endpoint_release(links[i].endpoints[0]);
			nd_connector_release(links[i].connectors[0]);
		}
	}
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {
		.rounds = 30, .iterations = 20000, .megabytes = 3072};
	static struct subject writes[] = {{&busy, 1, 0}, {&busy, 16, 0}, {&busy, FEW, 0},
		{&busy, 256, 0}, {&busy, 1024, 0}, {&busy, 4096, 0}, {&busy, 10000, 0},
		{&busy, 30000, 0}, {&busy, LINKS_MAX, 0}};
	static struct subject plain = {&busy, 0, 0}, floors[RTE_DIM(writes)],
			      batches[RTE_DIM(writes)];
	static struct subject idles[] = {{&alone, 1, 0}, {&resting, LINKS_RESTING, 0}};
	struct bench_row rows[1 + 3 * RTE_DIM(writes) + RTE_DIM(idles)];
	struct bench bench;
	size_t count = 0;

	bench_start(&bench, &defaults, argc, argv);
	sizes_print(&bench);
	rows[count++] = (struct bench_row){.name = FLOOR,
		.floor = FLOOR,
		.make = frames_make,
		.run = frames_run,
		.arg = &plain};
	for (size_t i = 0; i < RTE_DIM(writes); i++) {
		floors[i] = writes[i];
		row_make(&rows[count], "frames_64_endpoints", &floors[i]);
		if (writes[i].count > FEW)
			bench_name(rows[count].one, "frames_64_endpoints", FEW);
		rows[count].make = frames_make;
		rows[count++].run = frames_run;
		row_make(&rows[count], "write_64_endpoints", &writes[i]);
		bench_name(rows[count].floor, "frames_64_endpoints", writes[i].count);
		if (writes[i].count > FEW)
			bench_name(rows[count].one, "write_64_endpoints", FEW);
		rows[count].make = links_make;
		rows[count++].run = write_run;
		batches[i] = writes[i];
		row_make(&rows[count], "batch_64_endpoints", &batches[i]);
		bench_name(rows[count].floor, "frames_64_endpoints", writes[i].count);
		if (writes[i].count > FEW)
			bench_name(rows[count].one, "batch_64_endpoints", FEW);
		rows[count].make = links_make;
		rows[count++].run = batch_run;
	}
	for (size_t i = 0; i < RTE_DIM(idles); i++) {
		row_make(&rows[count], "idle_turn", &idles[i]);
		rows[count].make = rest_make;
		rows[count++].run = idle_run;
	}
	bench_run(&bench, rows, count);
	return EXIT_SUCCESS;
}
