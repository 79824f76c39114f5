/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests that in steady state, the data path of two connected adapters makes no system call, takes
 * no lock, and allocates only mbufs of its pool and frees all of them. The data path runs in a
 * process that is killed at its first system call. Allocations and mutex locks are counted. The
 * test holds the writers' lock of both memory indices, so that code that takes this lock waits
 * forever. Binds and invalidates are writers, and take only this lock.
 */

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <rte_malloc.h>
#include <rte_mempool.h>

#include "bench.h"
#include "confined.h"
#include "loop_operation.h"
#include "loop_pair.h"
#include "mem/domain.h"
#include "nd/adapter.h"
#include "support/eal.h"

/**
 * Number of batches of each operation, with LOOP_DEPTH_MAX requests each, and number of warm-up
 * batches before these batches.
 */
#define BATCHES       200u
#define BATCHES_WARM  20u
/** Time limits in seconds. The batches take less than 1 s, and the stuck function never returns. */
#define LIMIT_S       60u
#define LIMIT_STUCK_S 1u

static struct loop_pair pair;
static struct nd_mw *window;

struct transfer {
	const struct loop_operation *operation;
	uint32_t bytes;
};

static const struct transfer transfers[] = {
	{&loop_write, 64},
	{&loop_write, 4096},
	{&loop_read, 64},
	{&loop_read, 4096},
	{&loop_send, 64},
	{&loop_send_imm, 64},
	{&loop_fetch_add, 8},
};

static void
messages_play(uint32_t batches)
{
	for (size_t i = 0; i < RTE_DIM(transfers); i++)
		for (uint32_t batch = 0; batch < batches; batch++)
			loop_operation_run(&pair, transfers[i].operation, transfers[i].bytes,
				batch % 2 == 0 ? LOOP_DEPTH_MAX : 1);
	loop_pair_quiet(&pair);
}

static void
result_take(struct nd_result *expected)
{
	struct nd_result *result;

	BENCH_REQUIRE(nd_cq_get_results(pair.side[0].outbound, &result, 1) == 1);
	BENCH_REQUIRE(result == expected && result->status == ND_SUCCESS);
}

static void
binds_play(uint32_t count)
{
	struct loop_side *side = &pair.side[0];
	struct nd_mw_descriptor descriptor;
	struct nd_result result;

	for (uint32_t i = 0; i < count; i++) {
		BENCH_REQUIRE(nd_endpoint_bind(side->endpoint, &result, side->mr, window,
				      side->memory, pair.memory_bytes, ND_OP_FLAG_ALLOW_READ,
				      &descriptor) == ND_SUCCESS);
		result_take(&result);
		BENCH_REQUIRE(
			nd_endpoint_invalidate(side->endpoint, &result, window, 0) == ND_SUCCESS);
		result_take(&result);
		nd_engine_poll(side->engine);
	}
}

static void
setup(void)
{
	static struct nd_result invalidated;

	test_eal_init_large();
	loop_pair_open(&pair, LOOP_WINDOWS_FEW);
	cr_assert_eq(nd_adapter_create_memory_window(pair.side[0].adapter, &invalidated, &window),
		ND_SUCCESS);
	messages_play(BATCHES_WARM);
	binds_play(BATCHES_WARM * LOOP_DEPTH_MAX);
}

TestSuite(steady, .init = setup);

static unsigned int
mbufs_free(unsigned int side)
{
	return rte_mempool_avail_count(pair.side[side].adapter->engines[0].pool);
}

static void
messages_locked(void *arg)
{
	unsigned int before[2];

	RTE_SET_USED(arg);
	for (unsigned int i = 0; i < 2; i++) {
		before[i] = mbufs_free(i);
		mem_domain_lock(pair.side[i].adapter->mem);
	}
	messages_play(BATCHES);
	for (unsigned int i = 0; i < 2; i++)
		BENCH_REQUIRE(mbufs_free(i) == before[i]);
}

static void
binds(void *arg)
{
	RTE_SET_USED(arg);
	binds_play(BATCHES * LOOP_DEPTH_MAX);
}

static void
binds_locked(void *arg)
{
	mem_domain_lock(pair.side[0].adapter->mem);
	binds(arg);
}

static void
system_call(void *arg)
{
	RTE_SET_USED(arg);
	(void)getppid();
}

static void
allocations(void *arg)
{
	void *pointer = malloc(16);

	RTE_SET_USED(arg);
	bench_keep((uintptr_t)pointer); /* Prevent the compiler from removing both calls. */
	free(pointer);
	rte_free(rte_malloc("steady", 16, 0));
}

static void
mutex_take(void *arg)
{
	pthread_mutex_lock(arg);
}

/** Run a function in a confined process. Skip the test if the kernel does not support this. */
static enum confined_end
run(void (*function)(void *arg), void *arg, unsigned int limit_s, struct confined_counts *counts)
{
	enum confined_end end = confined_run(function, arg, limit_s, counts);

	if (end == CONFINED_UNSUPPORTED)
		cr_skip_test("no seccomp filters");
	return end;
}

Test(steady, messages_take_no_system_call_no_memory_no_lock)
{
	struct confined_counts counts;

	cr_assert_eq(run(messages_locked, NULL, LIMIT_S, &counts), CONFINED_RETURNED);
	cr_assert_eq(counts.allocations, 0);
	cr_assert_eq(counts.mutexes, 0);
}

Test(steady, binds_take_no_system_call_and_no_memory)
{
	struct confined_counts counts;

	cr_assert_eq(run(binds, NULL, LIMIT_S, &counts), CONFINED_RETURNED);
	cr_assert_eq(counts.allocations, 0);
	cr_assert_eq(counts.mutexes, 0);
}

/* Test that the check finds each of the three violations. */

Test(steady, a_system_call_is_found)
{
	struct confined_counts counts;

	cr_assert_eq(run(system_call, NULL, LIMIT_S, &counts), CONFINED_SYSTEM_CALL);
}

Test(steady, allocations_are_found)
{
	struct confined_counts counts;

	allocations(NULL);
	cr_assert_eq(run(allocations, NULL, LIMIT_S, &counts), CONFINED_RETURNED);
	cr_assert_eq(counts.allocations, 4);
}

Test(steady, locks_are_found)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	struct confined_counts counts;

	cr_assert_eq(run(mutex_take, &mutex, LIMIT_S, &counts), CONFINED_RETURNED);
	cr_assert_eq(counts.mutexes, 1);
	cr_assert_eq(run(binds_locked, NULL, LIMIT_STUCK_S, &counts), CONFINED_STUCK);
}
