/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Checks that no two engines of an adapter write the same cache line while they bind, use and
 * invalidate memory windows, and while they WRITE. Operations run alternately on engine 0 and
 * engine 3 of an adapter. The lines that each engine writes are recorded. Engines 0 and 3 are used,
 * because net_ring keeps the counters of neighbouring queues in one line.
 */

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "line_writes.h"
#include "loop_bind.h"
#include "loop_operation.h"
#include "mem/domain.h"
#include "nd/adapter.h"
#include "support/eal.h"

#define ENGINES      4u
#define SECOND       3u
/** Windows of a batch. */
#define COUNT        16u
/**
 * Number of recorded batches of each engine, and number of warm-up batches before the recording.
 */
#define BATCHES      3u
#define BATCHES_WARM 20u
#define WINDOWS_MAX  (2 * LOOP_DEPTH_MAX)
#define MBUF_COUNT   512u
/** Maximum number of common lines that the error message lists. */
#define TOLD_MAX     40u
#define TEXT_BYTES   128u

typedef void (*bind_fn)(struct loop_bind *bind, uint32_t count);

/** State of one engine. */
struct worker {
	_Alignas(128) struct loop_pair pair;
	struct loop_bind bind;
	bind_fn run;
	struct line_writes writes;
};

static struct worker workers[2];
static size_t common;
static unsigned int told;

TestSuite(bind_lines, .init = test_eal_init, .timeout = 120);

static void
worker_run(void *arg)
{
	struct worker *worker = arg;

	worker->run(&worker->bind, COUNT);
}

static void
engines_poll(void)
{
	for (unsigned int i = 0; i < 2; i++)
		for (uint16_t engine = 0; engine < ENGINES; engine++)
			nd_engine_poll(
				nd_adapter_get_engine(workers[0].pair.side[i].adapter, engine));
}

static void
workers_open(bind_fn run)
{
	struct loop_pair *first = &workers[0].pair;

	first->engines = ENGINES;
	first->entries = LOOP_BIND_ENTRIES;
	first->mbuf_count = MBUF_COUNT;
	first->one_thread = true;
	loop_pair_open(first, WINDOWS_MAX);
	loop_pair_join(&workers[1].pair, first, SECOND);
	for (unsigned int i = 0; i < 2; i++) {
		workers[i].run = run;
		workers[i].bind.pair = &workers[i].pair;
		loop_bind_open(&workers[i].bind);
	}
}

/** Describe the object that contains an address. */
static void
place_tell(uintptr_t address, char text[TEXT_BYTES])
{
	const struct nd_adapter *adapter = workers[0].pair.side[0].adapter;
	const struct mem_domain *mem = adapter->mem;
	const struct {
		const char *name;
		const void *start;
		size_t bytes;
	} places[] = {
		{"struct mem_domain", mem, sizeof(*mem)},
		{"key table", mem->tokens.tokens,
			mem_token_table_slots(&mem->tokens) * sizeof(struct mem_token)},
		{"table of windows", mem->windows, mem->windows_bytes},
		{"table of regions", mem->regions, mem->regions_bytes},
		{"struct nd_adapter", adapter, sizeof(*adapter)},
		{"struct nd_adapter of side 1", workers[0].pair.side[1].adapter, sizeof(*adapter)},
		{"worker 0 of the test", &workers[0], sizeof(workers[0])},
		{"worker 1 of the test", &workers[1], sizeof(workers[1])},
	};

	snprintf(text, TEXT_BYTES, "other memory");
	for (size_t i = 0; i < RTE_DIM(places); i++) {
		const uintptr_t offset = address - (uintptr_t)places[i].start;

		if (offset < places[i].bytes || offset + LINE_WRITES_BYTES - 1 < places[i].bytes)
			snprintf(text, TEXT_BYTES, "%s + %zu", places[i].name, (size_t)offset);
	}
}

static void
line_tell(const struct line_write *first, const struct line_write *second)
{
	char place[TEXT_BYTES], one[TEXT_BYTES], other[TEXT_BYTES];

	if (told++ >= TOLD_MAX)
		return;
	place_tell(first->line, place);
	line_writes_function(first->instruction, one, sizeof(one));
	line_writes_function(second->instruction, other, sizeof(other));
	fprintf(stderr, "both engines write line %#lx, %s: engine 0 in %s, engine 3 in %s\n",
		(unsigned long)first->line, place, one, other);
}

/** Run and record batches on both engines alternately. Only the running engine is polled. */
static void
binds_record(void *arg)
{
	bind_fn run = *(const bind_fn *)arg;

	workers_open(run);
	for (unsigned int batch = 0; batch < BATCHES_WARM; batch++) {
		worker_run(&workers[batch % 2]);
		engines_poll();
	}
	for (unsigned int batch = 0; batch < 2 * BATCHES; batch++) {
		line_writes_record(&workers[batch % 2].writes, worker_run, &workers[batch % 2]);
		engines_poll();
	}
	common = line_writes_common(&workers[0].writes, &workers[1].writes, line_tell);
}

static void
check(bind_fn run)
{
	line_writes_thread(binds_record, &run);
	/*
	 * Check that the recorder works: each engine must write its requests, results and packets.
	 */
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_gt(workers[i].writes.count, 3 * COUNT);
	cr_assert_eq(common, 0, "both engines write %zu cache lines, see above", common);
}

Test(bind_lines, engines_that_bind_and_invalidate_write_no_line_in_common)
{
	check(loop_bind_only);
}

Test(bind_lines, nor_when_the_peer_is_told_and_writes)
{
	check(loop_bind_cycle);
}

static void
write_run(struct loop_bind *bind, uint32_t count)
{
	loop_operation_run(bind->pair, &loop_write, LOOP_BIND_BYTES, count);
}

Test(bind_lines, nor_when_they_only_write)
{
	check(write_run);
}

/*
 * Test that the recorder finds a locked write that does not change the value, and both lines of a
 * write that crosses a border of lines.
 */

static _Alignas(LINE_WRITES_BYTES) uint8_t lines[3][LINE_WRITES_BYTES];

static void
lock_word(void *arg)
{
	uint32_t *word = arg;

	__atomic_exchange_n(word, 1, __ATOMIC_ACQ_REL);
	__atomic_store_n(word, 0, __ATOMIC_RELEASE);
}

static void
border_write(void *arg)
{
	const uint64_t value = UINT64_MAX;

	memcpy(arg, &value, sizeof(value));
}

static void
shared_line_record(void *arg)
{
	(void)arg;
	line_writes_record(&workers[0].writes, lock_word, lines[1]);
	line_writes_record(&workers[1].writes, lock_word, lines[2]);
	BENCH_REQUIRE(line_writes_common(&workers[0].writes, &workers[1].writes, NULL) == 0);
	line_writes_record(&workers[1].writes, border_write, &lines[0][LINE_WRITES_BYTES - 4]);
	common = line_writes_common(&workers[0].writes, &workers[1].writes, NULL);
}

Test(bind_lines, a_line_that_both_write_is_found)
{
	line_writes_thread(shared_line_record, NULL);
	cr_assert_eq(workers[0].writes.count, 1);
	cr_assert_eq(workers[1].writes.count, 3);
	cr_assert_eq(common, 1);
}
