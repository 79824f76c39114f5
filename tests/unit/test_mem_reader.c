/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <pthread.h>

#include <criterion/criterion.h>

#include "mem_fixture.h"

/*
 * One thread binds and invalidates a window over changing ranges with changing rights, another
 * tries all the keys it has seen lately, without a lock. Before a bind the range is filled with the
 * number of the generation; after the invalidate and a grace period it is filled with zeros. A
 * reader that is let through by a dead key, or by fields that are not those of its key, sees a
 * wrong range or wrong bytes. The table is as small as can be, so that slots are rewritten all the
 * time.
 */

#define BASE        UINT64_C(0x20000000)
#define BYTES       4096u
#define GENERATIONS 20000u
#define KNOWN       8u /* less than the quarantine of 64 slots: no known key is issued again */

struct shared {
	struct mem_domain *domain;
	struct mem_region *region;
	uint64_t published; /**< generation << 32 | key; atomic */
	uint32_t done;      /**< atomic */
	uint64_t accepted;  /**< atomic */
	uint64_t refused;
	const char *complaint; /**< of the reader; atomic */
};

static uint32_t memory[BYTES / 4];

static uint64_t
start_of(uint32_t generation)
{
	return BASE + 4 * (generation * 2654435761u >> 24);
}

static uint64_t
length_of(uint32_t generation)
{
	return 4 * (1 + (generation * 40503u >> 8) % 64);
}

static uint32_t
rights_of(uint32_t generation)
{
	return generation % 3 == 0 ? MEM_REMOTE_READ : MEM_REMOTE_READ | MEM_REMOTE_WRITE;
}

static uint32_t
owner_of(uint32_t generation)
{
	return 100 + generation % 5;
}

static enum mem_refusal
try_access(const struct shared *shared, uint64_t known, struct mem_access access,
	struct mem_span *span)
{
	access.key = (uint32_t)known;
	access.owner += owner_of((uint32_t)(known >> 32));
	access.address += start_of((uint32_t)(known >> 32));
	access.length_bytes += length_of((uint32_t)(known >> 32));
	return mem_check_remote(shared->domain, &access, span);
}

/** Use a key, in the one right way and in the wrong ways that its neighbours would allow. */
static const char *
reader_try(struct shared *shared, uint64_t known)
{
	uint32_t generation = (uint32_t)(known >> 32), words[64];
	struct mem_access access = {.rights = MEM_REMOTE_READ};
	struct mem_span span;

	if (try_access(shared, known, access, &span) == MEM_ALLOWED) {
		if (span.region != shared->region || span.address != start_of(generation) ||
			span.length_bytes != length_of(generation))
			return "span of another key";
		mem_span_read(&span, 0, words, span.length_bytes);
		for (uint32_t i = 0; i < span.length_bytes / 4; i++)
			if (words[i] != generation)
				return "bytes of another generation";
		__atomic_fetch_add(&shared->accepted, 1, __ATOMIC_RELAXED);
	} else {
		shared->refused++;
	}
	access.length_bytes = 1;
	if (try_access(shared, known, access, &span) == MEM_ALLOWED)
		return "one byte behind the window";
	access = (struct mem_access){.rights = MEM_REMOTE_READ, .address = -UINT64_C(1)};
	if (try_access(shared, known, access, &span) == MEM_ALLOWED)
		return "one byte before the window";
	access = (struct mem_access){.rights = MEM_REMOTE_READ, .owner = 1};
	if (try_access(shared, known, access, &span) == MEM_ALLOWED)
		return "another owner";
	access = (struct mem_access){.rights = MEM_REMOTE_WRITE};
	if (try_access(shared, known, access, &span) == MEM_ALLOWED &&
		(rights_of(generation) & MEM_REMOTE_WRITE) == 0)
		return "rights of another key";
	return NULL;
}

static void *
reader_run(void *argument)
{
	struct shared *shared = argument;
	struct rte_rcu_qsbr *qsbr = mem_domain_qsbr(shared->domain);
	uint64_t known[KNOWN] = {0};
	uint32_t next = 0;

	const char *complaint = NULL;

	while (__atomic_load_n(&shared->done, __ATOMIC_ACQUIRE) == 0 && complaint == NULL) {
		uint64_t latest = __atomic_load_n(&shared->published, __ATOMIC_ACQUIRE);

		if (latest != known[(next + KNOWN - 1) % KNOWN])
			known[next++ % KNOWN] = latest;
		for (uint32_t i = 0; i < KNOWN && complaint == NULL; i++)
			/*
			 * A generation ago is another key; more than KNOWN ago may be this one
			 * again.
			 */
			if (known[i] != 0 && (latest >> 32) - (known[i] >> 32) < KNOWN)
				complaint = reader_try(shared, known[i]);
		rte_rcu_qsbr_quiescent(qsbr, 1);
	}
	__atomic_store_n(&shared->complaint, complaint, __ATOMIC_RELAXED);
	rte_rcu_qsbr_thread_offline(qsbr, 1);
	return NULL;
}

static void
range_fill(uint32_t generation, uint32_t value)
{
	uint32_t first = (uint32_t)(start_of(generation) - BASE) / 4;

	for (uint32_t i = 0; i < length_of(generation) / 4; i++)
		memory[first + i] = value;
}

static void
writer_run(struct shared *shared, struct mem_window *window)
{
	struct rte_rcu_qsbr *qsbr = mem_domain_qsbr(shared->domain);

	for (uint32_t generation = 1; generation <= GENERATIONS; generation++) {
		uint32_t owner = owner_of(generation), key;
		uint64_t accepted = __atomic_load_n(&shared->accepted, __ATOMIC_RELAXED);

		range_fill(generation, generation);
		key = fixture_bind(shared->domain,
			(struct mem_bind){.region = shared->region,
				.window = window,
				.address = start_of(generation),
				.length_bytes = length_of(generation),
				.rights = rights_of(generation)},
			owner);
		__atomic_store_n(
			&shared->published, (uint64_t)generation << 32 | key, __ATOMIC_RELEASE);
		/* Every few generations wait until the reader has been inside for sure. */
		while (generation % 4 == 0 &&
			__atomic_load_n(&shared->accepted, __ATOMIC_RELAXED) == accepted &&
			__atomic_load_n(&shared->complaint, __ATOMIC_RELAXED) == NULL)
			rte_pause();
		ASSERT_STATUS(mem_window_invalidate(shared->domain, window, owner), RC_OK);
		rte_rcu_qsbr_synchronize(qsbr, RTE_QSBR_THRID_INVALID);
		range_fill(generation, 0);
	}
}

Test(mem_reader, dead_keys_and_torn_tokens_are_never_accepted)
{
	struct shared shared = {.domain = fixture_domain(64, 4, 71)};
	struct rte_rcu_qsbr *qsbr = mem_domain_qsbr(shared.domain);
	struct mem_window *window = fixture_window(shared.domain);
	pthread_t reader;

	shared.region = fixture_region(
		shared.domain, BASE, memory, BYTES, MEM_LOCAL_WRITE | MEM_WINDOW_BIND);
	cr_assert_eq(rte_rcu_qsbr_thread_register(qsbr, 1), 0);
	rte_rcu_qsbr_thread_online(qsbr, 1);
	cr_assert_eq(pthread_create(&reader, NULL, reader_run, &shared), 0);
	writer_run(&shared, window);
	__atomic_store_n(&shared.done, 1, __ATOMIC_RELEASE);
	pthread_join(reader, NULL);
	cr_assert_null(shared.complaint, "%s, seed 71", shared.complaint);
	cr_assert_geq(shared.accepted, GENERATIONS / 4);
	mem_domain_destroy(shared.domain);
}
