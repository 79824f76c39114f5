/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "loop_bind.h"

#include <rte_pause.h>

#include "bench.h"

/* The memory of a side begins with descriptors. The bytes of the windows follow. */
#define DESCRIPTOR_BYTES sizeof(struct nd_mw_descriptor)
#define WINDOWS_OFFSET   2048u
/**
 * Number of different ranges of windows. Several windows have the same range, because the memory of
 * a side is only as long as one packet.
 */
#define PLACES           32u

_Static_assert(LOOP_DEPTH_MAX *DESCRIPTOR_BYTES <= WINDOWS_OFFSET, "descriptors have room");
_Static_assert(WINDOWS_OFFSET + PLACES * LOOP_BIND_BYTES <= LOOP_PATH_MTU, "windows have room");

void
loop_bind_open(struct loop_bind *bind)
{
	BENCH_REQUIRE(bind->pair->entries >= LOOP_BIND_ENTRIES);
	for (uint32_t i = 0; i < LOOP_DEPTH_MAX; i++)
		BENCH_REQUIRE(nd_adapter_create_memory_window(bind->pair->side[0].adapter,
				      &bind->invalidated, &bind->windows[i]) == ND_SUCCESS);
}

static uint8_t *
window_memory(struct loop_side *side, uint32_t number)
{
	return side->memory + WINDOWS_OFFSET + number % PLACES * LOOP_BIND_BYTES;
}

static struct nd_sge
descriptor_sge(struct loop_side *side, uint32_t number)
{
	return (struct nd_sge){.address = side->memory + number * DESCRIPTOR_BYTES,
		.length = DESCRIPTOR_BYTES,
		.mr = side->mr};
}

/**
 * Post a bind within a batch. A refusal means that no key is free, because an engine on another
 * lcore has delayed a grace period. In this case submit the batch, poll, and try again.
 */
static void
bind_post(struct loop_bind *bind, uint32_t number, struct nd_mw_descriptor *descriptor)
{
	struct loop_side *side = &bind->pair->side[0];
	nd_status status;

	while ((status = nd_endpoint_bind(side->endpoint, &bind->bound[number], side->mr,
			bind->windows[number], window_memory(side, number), LOOP_BIND_BYTES,
			ND_OP_FLAG_ALLOW_WRITE, descriptor)) == ND_INSUFFICIENT_RESOURCES) {
		nd_endpoint_submit_request_batch(side->endpoint);
		nd_engine_poll(bind->pair->side[1].engine);
		nd_engine_poll(side->engine);
		rte_pause();
		nd_endpoint_start_request_batch(side->endpoint);
	}
	BENCH_REQUIRE(status == ND_SUCCESS);
}

/**
 * Take the results of a completion queue, and check that all are successful.
 * @return number of results
 */
static uint32_t
results_take(struct nd_cq *cq, struct nd_result **results)
{
	uint32_t got = (uint32_t)nd_cq_get_results(cq, results, LOOP_DEPTH_MAX);

	for (uint32_t i = 0; i < got; i++)
		BENCH_REQUIRE(results[i]->status == ND_SUCCESS);
	return got;
}

static void
results_wait(struct loop_pair *pair, uint32_t count)
{
	struct nd_result *results[LOOP_DEPTH_MAX];

	for (;;) {
		count -= results_take(pair->side[0].outbound, results);
		if (count == 0)
			return;
		nd_engine_poll(pair->side[0].engine);
	}
}

static void
windows_invalidate(struct loop_bind *bind, uint32_t count)
{
	struct loop_side *side = &bind->pair->side[0];

	nd_endpoint_start_request_batch(side->endpoint);
	for (uint32_t i = 0; i < count; i++)
		BENCH_REQUIRE(nd_endpoint_invalidate(side->endpoint, &bind->bound[i],
				      bind->windows[i], 0) == ND_SUCCESS);
	nd_endpoint_submit_request_batch(side->endpoint);
	results_wait(bind->pair, count);
}

static void
receives_post(struct loop_bind *bind, uint32_t count)
{
	struct loop_side *side = &bind->pair->side[1];

	for (uint32_t i = 0; i < count; i++) {
		const struct nd_sge sge = descriptor_sge(side, i);

		BENCH_REQUIRE(nd_endpoint_receive(side->endpoint, &bind->received[i], &sge, 1) ==
			ND_SUCCESS);
	}
}

static void
binds_tell(struct loop_bind *bind, uint32_t count)
{
	struct loop_side *side = &bind->pair->side[0];

	nd_endpoint_start_request_batch(side->endpoint);
	for (uint32_t i = 0; i < count; i++) {
		const struct nd_sge sge = descriptor_sge(side, i);

		bind_post(bind, i, (struct nd_mw_descriptor *)sge.address);
		BENCH_REQUIRE(
			nd_endpoint_send(side->endpoint, &bind->sent[i], &sge, 1, 0) == ND_SUCCESS);
	}
	nd_endpoint_submit_request_batch(side->endpoint);
}

static void
windows_write(struct loop_bind *bind)
{
	struct loop_side *side = &bind->pair->side[1];
	struct nd_result *results[LOOP_DEPTH_MAX];
	const uint32_t got = results_take(side->inbound, results);
	const struct nd_sge sge = {
		.address = window_memory(side, 0), .length = LOOP_BIND_BYTES, .mr = side->mr};

	if (got == 0)
		return;
	nd_endpoint_start_request_batch(side->endpoint);
	for (uint32_t i = 0; i < got; i++) {
		const uint32_t number = (uint32_t)(results[i] - bind->received);
		const struct nd_mw_descriptor *descriptor = descriptor_sge(side, number).address;

		BENCH_REQUIRE(nd_endpoint_write(side->endpoint, &bind->written[number], &sge, 1,
				      descriptor, 0, 0) == ND_SUCCESS);
	}
	nd_endpoint_submit_request_batch(side->endpoint);
}

void
loop_bind_cycle(struct loop_bind *bind, uint32_t count)
{
	struct loop_pair *pair = bind->pair;
	struct nd_result *results[LOOP_DEPTH_MAX];
	/* Wait for results of binds and SENDs at side 0, and for results of WRITEs at side 1. */
	uint32_t left = 3 * count;

	receives_post(bind, count);
	binds_tell(bind, count);
	while (left > 0) {
		nd_engine_poll(pair->side[1].engine);
		windows_write(bind);
		nd_engine_poll(pair->side[0].engine);
		left -= results_take(pair->side[0].outbound, results);
		left -= results_take(pair->side[1].outbound, results);
	}
	windows_invalidate(bind, count);
}

void
loop_bind_only(struct loop_bind *bind, uint32_t count)
{
	struct loop_side *side = &bind->pair->side[0];
	struct nd_mw_descriptor descriptor;

	nd_endpoint_start_request_batch(side->endpoint);
	for (uint32_t i = 0; i < count; i++)
		bind_post(bind, i, &descriptor);
	nd_endpoint_submit_request_batch(side->endpoint);
	results_wait(bind->pair, count);
	windows_invalidate(bind, count);
	nd_engine_poll(bind->pair->side[1].engine);
	nd_engine_poll(side->engine);
}
