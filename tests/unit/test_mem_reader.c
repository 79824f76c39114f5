/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <pthread.h>
#include <sched.h>

#include <criterion/criterion.h>

#include "mem_fixture.h"

/*
 * One thread binds and invalidates a window with changing ranges and rights. Another thread, the
 * reader, tries recent keys of the window without a lock. Before each bind, the range is filled
 * with the number of the bind (the generation). After the invalidate and a grace period, the range
 * is filled with zeros. If an invalid key is accepted, or fields of another key are used, the
 * reader sees a wrong range or wrong bytes. The table has the minimum size, so slots are often
 * rewritten.
 */

#define BASE         UINT64_C(0x20000000)
#define BYTES        1024u
#define VARIANTS     4u
#define WINDOW_BYTES (BYTES / VARIANTS)
#define GENERATIONS  10000u
/* less than the 64 slots that wait before reuse, so no known key is issued again */
#define KNOWN        8u

struct shared {
	struct mem_domain *domain;
	struct mem_region *region;
	uint64_t published;    /**< generation << 32 | key; atomic */
	uint32_t done;         /**< set to 1 to end the reader; atomic */
	uint64_t accepted;     /**< allowed accesses; atomic */
	const char *complaint; /**< error that the reader found; NULL: none; atomic */
};

static uint32_t memory[BYTES / 4];

/* The window has four variants, which have different owners and have no bytes in common. */

static uint64_t
start_of(uint32_t variant)
{
	return BASE + variant % VARIANTS * (BYTES / VARIANTS);
}

static uint32_t
owner_of(uint32_t variant)
{
	return 100 + variant % VARIANTS;
}

static uint32_t
rights_of(uint32_t variant)
{
	return variant % 2 == 0 ? MEM_REMOTE_READ : MEM_REMOTE_READ | MEM_REMOTE_WRITE;
}

static bool
try_access(const struct shared *shared, uint32_t key, uint32_t variant, uint32_t rights,
	uint64_t length_bytes, struct mem_span *span)
{
	struct mem_access access = {.key = key,
		.owner = owner_of(variant),
		.address = start_of(variant),
		.length_bytes = length_bytes,
		.rights = rights};

	return mem_check_remote(shared->domain, &access, span) == MEM_ALLOWED;
}

static const char *
span_check(const struct shared *shared, uint32_t generation, const struct mem_span *span)
{
	uint32_t words[WINDOW_BYTES / 4];

	if (span->region != shared->region || span->address != start_of(generation) ||
		span->length_bytes != WINDOW_BYTES)
		return "span of another key";
	mem_span_read(span, 0, words, WINDOW_BYTES);
	for (uint32_t i = 0; i < WINDOW_BYTES / 4; i++)
		if (words[i] != generation)
			return "bytes of another generation";
	return NULL;
}

/**
 * Try a key with the fields that belong to the key, and with fields of later keys. @return text of
 * an error; NULL: no error
 */
static const char *
reader_try(struct shared *shared, uint64_t known)
{
	uint32_t generation = (uint32_t)(known >> 32), key = (uint32_t)known;
	struct mem_span span;

	for (uint32_t other = 1; other < VARIANTS; other++)
		if (try_access(shared, key, generation + other, MEM_REMOTE_READ, 1, &span))
			return "fields of another key";
	if (try_access(shared, key, generation, MEM_REMOTE_READ, WINDOW_BYTES + 1, &span))
		return "one byte behind the window";
	if (generation % 2 == 0 && try_access(shared, key, generation, MEM_REMOTE_WRITE, 1, &span))
		return "rights of another key";
	if (!try_access(shared, key, generation, MEM_REMOTE_READ, WINDOW_BYTES, &span))
		return NULL;
	__atomic_fetch_add(&shared->accepted, 1, __ATOMIC_RELAXED);
	return span_check(shared, generation, &span);
}

static void *
reader_run(void *argument)
{
	struct shared *shared = argument;
	struct rte_rcu_qsbr *qsbr = mem_domain_qsbr(shared->domain);
	uint64_t known[KNOWN] = {0};
	uint32_t next = 0, rounds = 0;

	const char *complaint = NULL;

	while (__atomic_load_n(&shared->done, __ATOMIC_ACQUIRE) == 0 && complaint == NULL) {
		uint64_t latest = __atomic_load_n(&shared->published, __ATOMIC_ACQUIRE);

		if (latest != known[(next + KNOWN - 1) % KNOWN])
			known[next++ % KNOWN] = latest;
		for (uint32_t i = 0; i < KNOWN && complaint == NULL; i++)
			/*
			 * Try only recent keys. A key that is KNOWN or more generations old may
			 * have been issued again.
			 */
			if (known[i] != 0 && (latest >> 32) - (known[i] >> 32) < KNOWN)
				complaint = reader_try(shared, known[i]);
		rte_rcu_qsbr_quiescent(qsbr, 1);
		/* Give the writer time, because both threads may be on one core. */
		if (++rounds % 16 == 0)
			sched_yield();
	}
	__atomic_store_n(&shared->complaint, complaint, __ATOMIC_RELAXED);
	rte_rcu_qsbr_thread_offline(qsbr, 1);
	return NULL;
}

static void
range_fill(uint32_t generation, uint32_t value)
{
	uint32_t first = (uint32_t)(start_of(generation) - BASE) / 4;

	for (uint32_t i = 0; i < WINDOW_BYTES / 4; i++)
		memory[first + i] = value;
}

static void
writer_run(struct shared *shared, struct mem_window *window)
{
	struct rte_rcu_qsbr *qsbr = mem_domain_qsbr(shared->domain);
	struct mem_grace grace;

	for (uint32_t generation = 1; generation <= GENERATIONS; generation++) {
		struct mem_bind bind = {.region = shared->region,
			.window = window,
			.address = start_of(generation),
			.length_bytes = WINDOW_BYTES,
			.rights = rights_of(generation)};
		uint64_t accepted = __atomic_load_n(&shared->accepted, __ATOMIC_RELAXED);
		uint32_t owner = owner_of(generation);

		range_fill(generation, generation);
		ASSERT_STATUS(mem_bind_prepare(shared->domain, &bind, owner), RC_OK);
		/*
		 * Publish the key before the bind is executed, so that the reader may try it while
		 * the fields are written.
		 */
		__atomic_store_n(&shared->published, (uint64_t)generation << 32 | bind.key,
			__ATOMIC_RELEASE);
		ASSERT_STATUS(mem_bind_execute(shared->domain, &bind, owner), RC_OK);
		/* In every fourth generation, wait until the reader has had a successful access. */
		while (generation % 4 == 0 &&
			__atomic_load_n(&shared->accepted, __ATOMIC_RELAXED) == accepted &&
			__atomic_load_n(&shared->complaint, __ATOMIC_RELAXED) == NULL)
			sched_yield();
		ASSERT_STATUS(mem_window_invalidate(shared->domain, window, owner), RC_OK);
		grace = mem_grace_begin(qsbr, 1u << 1);
		while (!mem_domain_quiescent(shared->domain, &grace))
			sched_yield();
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
