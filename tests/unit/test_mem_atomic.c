/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <pthread.h>
#include <stdalign.h>
#include <string.h>

#include <criterion/criterion.h>

#include "mem_fixture.h"

/* Test atomic operations on registered memory: results, changed bytes, atomicity. */

#define BASE  UINT64_C(0x400000)
#define OWNER 77u

static uint64_t
value_at(const void *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static struct mem_span
span_of(const struct mem_region *region, uint64_t offset)
{
	return (struct mem_span){.region = region, .address = BASE + offset, .length_bytes = 8};
}

static void
both_operations(const struct mem_span *span)
{
	uint64_t value;

	cr_assert_eq(mem_span_fetch_add(span, 5), 0);
	cr_assert_eq(mem_span_fetch_add(span, UINT64_MAX), 5, "modulo 2^64");
	mem_span_read(span, 0, &value, sizeof(value));
	cr_assert_eq(value, 4, "%lu", value);
	cr_assert_eq(mem_span_compare_swap(span, 3, 99), 4, "another value is there");
	mem_span_read(span, 0, &value, sizeof(value));
	cr_assert_eq(value, 4, "%lu", value);
	cr_assert_eq(
		mem_span_compare_swap(span, 4, UINT64_C(0x1122334455667788)), 4, "this one is");
	mem_span_read(span, 0, &value, sizeof(value));
	cr_assert_eq(value, UINT64_C(0x1122334455667788), "0x%lx", value);
}

Test(mem_atomic, aligned_bytes)
{
	static alignas(8) uint8_t memory[32];
	struct mem_domain *domain = fixture_domain(256, 64, 1);
	struct mem_region *region =
		fixture_region(domain, BASE, memory, sizeof(memory), MEM_LOCAL_WRITE);
	struct mem_span span = span_of(region, 8);

	both_operations(&span);
	cr_assert_eq(value_at(memory + 8), UINT64_C(0x1122334455667788));
	cr_assert_eq(value_at(memory), 0, "bytes in front");
	cr_assert_eq(value_at(memory + 16), 0, "bytes behind");
	mem_domain_destroy(domain);
}

/* The operand may be aligned in the region's addresses but not in memory. */
Test(mem_atomic, bytes_not_aligned_in_memory)
{
	static alignas(8) uint8_t memory[40];
	struct mem_domain *domain = fixture_domain(256, 64, 1);
	struct mem_region *region = fixture_region(domain, BASE, memory + 3, 32, MEM_LOCAL_WRITE);
	struct mem_span span = span_of(region, 16);

	both_operations(&span);
	cr_assert_eq(value_at(memory + 19), UINT64_C(0x1122334455667788));
	for (unsigned i = 0; i < sizeof(memory); i++)
		cr_assert(memory[i] == 0 || (i >= 19 && i < 27), "byte %u", i);
	mem_domain_destroy(domain);
}

/* The operand may extend over two buffers. The border is after each of its bytes in turn. */
Test(mem_atomic, bytes_across_border)
{
	struct mem_domain *domain = fixture_domain(256, 64, 1);

	for (uint64_t first = 1; first < 8; first++) {
		uint8_t left[16] = {0}, right[16] = {0}, joined[8];
		struct mem_buffer buffers[] = {{left, first}, {right, 16}};
		struct mem_region *region = NULL;
		struct mem_span span;

		cr_assert_eq(mem_region_register(domain,
				     &(struct mem_region_attr){.base = BASE,
					     .buffers = buffers,
					     .buffer_count = 2,
					     .rights = MEM_LOCAL_WRITE},
				     &region),
			RC_OK);
		span = span_of(region, 0);
		both_operations(&span);
		memcpy(joined, left, first);
		memcpy(joined + first, right, 8 - first);
		cr_assert_eq(
			value_at(joined), UINT64_C(0x1122334455667788), "border at %lu", first);
		cr_assert_eq(left[first], 0);
		cr_assert_eq(right[8 - first], 0);
	}
	mem_domain_destroy(domain);
}

/* MEM_REMOTE_ATOMIC permits only atomics, and no other right permits atomics. */
Test(mem_atomic, right_stands_alone)
{
	static alignas(8) uint8_t memory[64];
	struct mem_domain *domain = fixture_domain(256, 64, 1);

	struct mem_region *region = fixture_region(
		domain, BASE, memory, sizeof(memory), MEM_LOCAL_WRITE | MEM_WINDOW_BIND);

	for (uint32_t granted = 0; granted < 8; granted++)
		for (uint32_t wanted = MEM_REMOTE_READ; wanted <= MEM_REMOTE_ATOMIC; wanted <<= 1) {
			struct mem_bind bind = {
				.region = region,
				.window = fixture_window(domain),
				.address = BASE,
				.length_bytes = 16,
				.rights = granted * MEM_REMOTE_READ,
			};
			enum mem_refusal refusal = fixture_check(domain,
				(struct mem_access){.key = fixture_bind(domain, bind, OWNER),
					.owner = OWNER,
					.address = BASE + 8,
					.length_bytes = 8,
					.rights = wanted});

			cr_assert_eq(refusal,
				(bind.rights & wanted) != 0 ? MEM_ALLOWED : MEM_REFUSED_RIGHTS,
				"granted 0x%x, wanted 0x%x: %u", bind.rights, wanted, refusal);
		}
	mem_domain_destroy(domain);
}

#define ADDS 200000u

static void *
add_on_cpu(void *arg)
{
	for (uint32_t i = 0; i < ADDS; i++)
		__atomic_fetch_add((uint64_t *)arg, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* RC-144: if another CPU adds to the same bytes at the same time, no addition is lost. */
Test(mem_atomic, holds_against_cpu_rc144)
{
	static alignas(8) uint64_t counters[2];
	struct mem_domain *domain = fixture_domain(256, 64, 1);
	struct mem_region *region =
		fixture_region(domain, BASE, counters, sizeof(counters), MEM_LOCAL_WRITE);
	struct mem_span sum = span_of(region, 0), high = span_of(region, 8);
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, add_on_cpu, &counters[0]), 0);
	for (uint32_t i = 0; i < ADDS; i++)
		mem_span_fetch_add(&sum, UINT64_C(1) << 32);
	cr_assert_eq(pthread_join(thread, NULL), 0);
	cr_assert_eq(counters[0], (uint64_t)ADDS << 32 | ADDS, "0x%lx", counters[0]);

	cr_assert_eq(pthread_create(&thread, NULL, add_on_cpu, &counters[1]), 0);
	for (uint32_t i = 0; i < ADDS;) {
		uint64_t seen = __atomic_load_n(&counters[1], __ATOMIC_RELAXED);

		i += mem_span_compare_swap(&high, seen, seen + (UINT64_C(1) << 32)) == seen;
	}
	cr_assert_eq(pthread_join(thread, NULL), 0);
	cr_assert_eq(counters[1], (uint64_t)ADDS << 32 | ADDS, "0x%lx", counters[1]);
	mem_domain_destroy(domain);
}
