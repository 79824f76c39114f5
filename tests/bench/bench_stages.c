/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Cycles of the stages of a round trip at depth 1: a WRITE is posted, crosses the ring, is placed
 * and acknowledged, and its result is taken. The TSC is read around each call of the API.
 * Callbacks of the ports also read the TSC before a burst is passed to the driver and after a
 * burst was received. The library is unchanged. The stages are consecutive:
 *
 *   post          from nd_endpoint_write() to the driver's transmission
 *   post_rest     the driver's transmission, and the return to the application
 *   poll          from the beginning of the responder's turn until the request was received
 *   respond       until the acknowledgement is passed to the driver: check, place, answer
 *   respond_rest  the driver's transmission, and the rest of the responder's turn
 *   await         from the beginning of the requester's turn until the answer was received
 *   complete      the rest of the requester's turn
 *   results       nd_cq_get_results()
 *
 * A turn is one poll of an engine. Rows have these names and the number of bytes. A sample is the
 * mean over the round trips of a round, minus the cost of one reading of the TSC. Row `reading`
 * shows this cost. Floor of each stage: the same part of a transfer of a frame of this size and an
 * answer (loop_frames.h), through the same ports with the same callbacks. `sum` is the sum of all
 * stages. Its floor is `whole`, the round trip in the same round without callbacks and readings.
 * So the ratio of `sum` is the total error of the stages. `idle` is an idle turn; its floor polls
 * the port.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "base/limits.h"
#include "bench.h"
#include "loop_frames.h"
#include "loop_pair.h"

enum stage {
	STAGE_POST,
	STAGE_POST_REST,
	STAGE_POLL,
	STAGE_RESPOND,
	STAGE_RESPOND_REST,
	STAGE_AWAIT,
	STAGE_COMPLETE,
	STAGE_RESULTS,
	STAGE_COUNT,
};

enum extra {
	EXTRA_SUM = STAGE_COUNT,
	EXTRA_WHOLE,
	ROW_COUNT,
};

static const char *const names[ROW_COUNT] = {"post", "post_rest", "poll", "respond", "respond_rest",
	"await", "complete", "results", "sum", "whole"};
static const uint32_t sizes[] = {8, 64, 4096};

struct probe {
	uint64_t ends[STAGE_COUNT];
};

/** Functions of a round trip, either of the library or of the floor. */
struct trip {
	void (*post)(uint32_t bytes);
	void (*respond)(uint32_t bytes);
	void (*complete)(void);
	void (*results)(void);
	void (*idle)(void);
};

/**
 * Samples of one message size. A sample is the mean number of cycles per round trip in one round.
 */
struct series {
	double *samples[ROW_COUNT];
};

/** Subject and floor. */
enum side {
	SIDE_SUBJECT,
	SIDE_FLOOR,
	SIDE_COUNT,
};

static struct loop_pair pair;
static struct loop_frames frames = {.pair = &pair};
static struct probe probe;
static struct series series[SIDE_COUNT][RTE_DIM(sizes)];
static double *idles[SIDE_COUNT], *readings;

static void
write_post(uint32_t bytes)
{
	static struct nd_result result;
	struct loop_side *side = &pair.side[0];
	const struct nd_sge sge = {.address = side->memory, .length = bytes, .mr = side->mr};

	BENCH_REQUIRE(nd_endpoint_write(side->endpoint, &result, &sge, 1, &pair.window, 0, 0) ==
		ND_SUCCESS);
}

static void
responder_turn(uint32_t bytes)
{
	RTE_SET_USED(bytes);
	nd_engine_poll(pair.side[1].engine);
}

static void
requester_turn(void)
{
	nd_engine_poll(pair.side[0].engine);
}

static void
result_take(void)
{
	struct nd_result *result;

	BENCH_REQUIRE(nd_cq_get_results(pair.side[0].outbound, &result, 1) == 1);
	BENCH_REQUIRE(result->status == ND_SUCCESS);
}

static void
frame_post(uint32_t bytes)
{
	loop_frames_send(&frames, &(struct loop_burst){.bytes = bytes, .count = 1});
}

static void
frame_respond(uint32_t bytes)
{
	loop_frames_answer(&frames, &(struct loop_burst){.bytes = bytes, .count = 1}, 0);
}

static void
frame_complete(void)
{
	BENCH_REQUIRE(loop_frames_finish(&frames) == 1);
}

static void
nothing(void)
{
}

static void
frames_ask(void)
{
	BENCH_REQUIRE(loop_frames_finish(&frames) == 0);
}

static const struct trip trips[SIDE_COUNT] = {
	{write_post, responder_turn, requester_turn, result_take, requester_turn},
	{frame_post, frame_respond, frame_complete, nothing, frames_ask},
};

static inline void
mark(enum stage stage)
{
	probe.ends[stage] = rte_rdtsc();
}

/**
 * Called before a burst is passed to the driver: record the end of a stage.
 * @param arg the stage
 */
static uint16_t
transmit_mark(uint16_t port_id, uint16_t queue, struct rte_mbuf *mbufs[], uint16_t count, void *arg)
{
	RTE_SET_USED(port_id);
	RTE_SET_USED(queue);
	RTE_SET_USED(mbufs);
	if (count > 0)
		mark((enum stage)(uintptr_t)arg);
	return count;
}

/** Called after the driver was polled: record the end of a stage. */
static uint16_t
receive_mark(uint16_t port_id, uint16_t queue, struct rte_mbuf *mbufs[], uint16_t count,
	uint16_t max, void *arg)
{
	RTE_SET_USED(port_id);
	RTE_SET_USED(queue);
	RTE_SET_USED(mbufs);
	RTE_SET_USED(max);
	if (count > 0)
		mark((enum stage)(uintptr_t)arg);
	return count;
}

struct hooks {
	const struct rte_eth_rxtx_callback *sent[2], *received[2];
};

static void
hooks_add(struct hooks *hooks)
{
	static const enum stage sent[2] = {STAGE_POST, STAGE_RESPOND};
	static const enum stage received[2] = {STAGE_AWAIT, STAGE_POLL};

	for (unsigned int i = 0; i < 2; i++) {
		uint16_t port_id = pair.side[i].port_id;

		hooks->sent[i] = rte_eth_add_tx_callback(
			port_id, 0, transmit_mark, (void *)(uintptr_t)sent[i]);
		hooks->received[i] = rte_eth_add_rx_callback(
			port_id, 0, receive_mark, (void *)(uintptr_t)received[i]);
		BENCH_REQUIRE(hooks->sent[i] != NULL && hooks->received[i] != NULL);
	}
}

/** Remove and free the callbacks. No lock is necessary, because no other thread uses the ports. */
static void
hooks_remove(struct hooks *hooks)
{
	for (unsigned int i = 0; i < 2; i++) {
		uint16_t port_id = pair.side[i].port_id;

		BENCH_REQUIRE(rte_eth_remove_tx_callback(port_id, 0, hooks->sent[i]) == 0);
		BENCH_REQUIRE(rte_eth_remove_rx_callback(port_id, 0, hooks->received[i]) == 0);
		rte_free((void *)(uintptr_t)hooks->sent[i]);
		rte_free((void *)(uintptr_t)hooks->received[i]);
	}
}

/** @return cycles between two consecutive readings of the TSC */
static double
reading_cycles(uint32_t iterations)
{
	uint64_t start = rte_rdtsc(), last = start;

	for (uint32_t i = 0; i < iterations; i++) {
		last = rte_rdtsc();
		bench_keep(last);
	}
	return (double)(last - start) / iterations;
}

static void
stages_add(uint64_t start, uint64_t sums[STAGE_COUNT])
{
	for (unsigned int i = 0; i < STAGE_COUNT; i++) {
		BENCH_REQUIRE(probe.ends[i] >= start);
		sums[i] += probe.ends[i] - start;
		start = probe.ends[i];
	}
}

static void
probed_run(const struct trip *trip, uint32_t bytes, uint32_t iterations, uint64_t sums[STAGE_COUNT])
{
	for (uint32_t i = 0; i < iterations; i++) {
		uint64_t start = rte_rdtsc();

		trip->post(bytes);
		mark(STAGE_POST_REST);
		trip->respond(bytes);
		mark(STAGE_RESPOND_REST);
		trip->complete();
		mark(STAGE_COMPLETE);
		trip->results();
		mark(STAGE_RESULTS);
		stages_add(start, sums);
	}
}

static double
whole_run(const struct trip *trip, uint32_t bytes, uint32_t iterations)
{
	uint64_t start = rte_rdtsc();

	for (uint32_t i = 0; i < iterations; i++) {
		trip->post(bytes);
		trip->respond(bytes);
		trip->complete();
		trip->results();
	}
	return (double)(rte_rdtsc() - start) / iterations;
}

static double
idle_run(const struct trip *trip, uint32_t iterations)
{
	uint64_t start;

	loop_pair_quiet(&pair);
	start = rte_rdtsc();
	for (uint32_t i = 0; i < iterations; i++)
		trip->idle();
	return (double)(rte_rdtsc() - start) / iterations;
}

/**
 * Run one round of one size, with the library or the floor.
 * @param at index in the sample arrays for this round
 */
static void
round_run(const struct trip *trip, uint32_t bytes, uint32_t iterations, uint32_t at,
	struct series *of)
{
	uint64_t sums[STAGE_COUNT] = {0};
	double sum = 0;
	struct hooks hooks;

	hooks_add(&hooks);
	probed_run(trip, bytes, iterations, sums);
	hooks_remove(&hooks);
	for (unsigned int i = 0; i < STAGE_COUNT; i++) {
		of->samples[i][at] = (double)sums[i] / iterations - readings[at];
		sum += of->samples[i][at];
	}
	of->samples[EXTRA_SUM][at] = sum;
	of->samples[EXTRA_WHOLE][at] = whole_run(trip, bytes, iterations);
}

/** Run all sizes with the library and with the floor, in reverse order if `backwards` is set. */
static void
rounds_run(uint32_t at, bool backwards, uint32_t iterations)
{
	const uint32_t count = SIDE_COUNT * RTE_DIM(sizes);

	readings[at] = reading_cycles(iterations);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t place = backwards ? count - 1 - i : i;
		uint32_t side = place % SIDE_COUNT, size = place / SIDE_COUNT;

		round_run(&trips[side], sizes[size], iterations, at, &series[side][size]);
	}
	for (uint32_t side = 0; side < SIDE_COUNT; side++)
		idles[side][at] = idle_run(&trips[side], iterations);
}

static double *
samples_make(uint32_t rounds)
{
	double *samples = calloc(rounds, sizeof(*samples));

	BENCH_REQUIRE(samples != NULL);
	return samples;
}

static void
series_make(uint32_t rounds)
{
	readings = samples_make(rounds);
	for (uint32_t side = 0; side < SIDE_COUNT; side++) {
		idles[side] = samples_make(rounds);
		for (uint32_t size = 0; size < RTE_DIM(sizes); size++)
			for (uint32_t row = 0; row < ROW_COUNT; row++)
				series[side][size].samples[row] = samples_make(rounds);
	}
}

/** Print a row and its floor. The row comes first, because printing sorts the samples. */
static void
pair_print(const struct bench *bench, const char *name, double *subject, double *floor)
{
	char floor_name[BENCH_NAME_BYTES + sizeof("floor_")];

	snprintf(floor_name, sizeof(floor_name), "floor_%s", name);
	bench_samples(bench, &(struct bench_samples){name, floor_name, "cycles", subject, floor});
	bench_samples(
		bench, &(struct bench_samples){floor_name, floor_name, "cycles", floor, floor});
}

static void
size_print(const struct bench *bench, uint32_t size)
{
	char name[BENCH_NAME_BYTES], whole[BENCH_NAME_BYTES];
	double *const *subject = series[SIDE_SUBJECT][size].samples;
	double *const *floor = series[SIDE_FLOOR][size].samples;

	for (uint32_t i = 0; i < STAGE_COUNT; i++) {
		bench_name(name, names[i], sizes[size]);
		pair_print(bench, name, subject[i], floor[i]);
	}
	bench_name(name, names[EXTRA_SUM], sizes[size]);
	bench_name(whole, names[EXTRA_WHOLE], sizes[size]);
	bench_samples(bench,
		&(struct bench_samples){
			name, whole, "cycles", subject[EXTRA_SUM], subject[EXTRA_WHOLE]});
	pair_print(bench, whole, subject[EXTRA_WHOLE], floor[EXTRA_WHOLE]);
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 400, .iterations = 256};
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	pair.repeatable = bench.repeatable;
	loop_pair_open(&pair, LOOP_WINDOWS_FEW);
	loop_frames_open(&frames);
	series_make(bench.rounds);
	rounds_run(0, false, bench.iterations);
	for (uint32_t round = 0; round < bench.rounds; round++)
		rounds_run(round, round % 2 != 0, bench.iterations);
	bench_value(&bench, "tsc", "MHz", (double)rte_get_tsc_hz() / 1e6);
	bench_samples(&bench,
		&(struct bench_samples){"reading", "reading", "cycles", readings, readings});
	for (uint32_t size = 0; size < RTE_DIM(sizes); size++)
		size_print(&bench, size);
	pair_print(&bench, "idle", idles[SIDE_SUBJECT], idles[SIDE_FLOOR]);
	return EXIT_SUCCESS;
}
