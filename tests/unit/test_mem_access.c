/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "mem_fixture.h"

#define BASE   UINT64_C(0x5000)
#define LENGTH UINT64_C(1000)
#define OWNER  UINT32_C(0x123456)
#define OTHER  UINT32_C(0x123457)

static uint8_t memory[1000];
static struct mem_domain *domain;
static struct mem_region *region;

static void
setup(void)
{
	domain = fixture_domain(256, 64, 41);
	region = fixture_region(domain, BASE, memory, LENGTH, FIXTURE_RIGHTS);
}

static void
teardown(void)
{
	mem_domain_destroy(domain);
}

TestSuite(mem_access, .init = setup, .fini = teardown);

static uint32_t
bind_range(uint64_t address, uint64_t length_bytes, uint32_t rights)
{
	return fixture_bind(domain,
		(struct mem_bind){.region = region,
			.window = fixture_window(domain),
			.address = address,
			.length_bytes = length_bytes,
			.rights = rights},
		OWNER);
}

static void
assert_each_violation(struct mem_access good, uint64_t start, uint64_t end, bool of_window)
{
	struct mem_access bad = good;

	cr_assert_eq(fixture_check(domain, good), MEM_ALLOWED);
	for (uint32_t bit = 0; bit < 32; bit++) {
		bad.key = good.key ^ UINT32_C(1) << bit;
		cr_assert_eq(fixture_check(domain, bad), MEM_REFUSED_KEY, "key bit %u", bit);
	}
	bad = good;
	bad.owner = OTHER;
	cr_assert_eq(fixture_check(domain, bad), of_window ? MEM_REFUSED_OWNER : MEM_ALLOWED);
	struct {
		uint64_t address, length_bytes;
	} outside[] = {{start - 1, 1}, {start - 1, 2}, {start - 1, end - start + 2}, {end, 1},
		{end - 1, 2}, {start, end - start + 1}, {start, UINT64_MAX},
		{start + 1, UINT64_MAX - start}, {start + 1, -(start + 1)}, {0, 1}, {0, end},
		{0, UINT64_MAX}, {UINT64_MAX, 1}, {UINT64_MAX, UINT64_MAX}, {UINT64_MAX, start + 2},
		{start | UINT64_C(1) << 63, 1}, {start, UINT64_C(1) << 63}};

	for (size_t i = 0; i < RTE_DIM(outside); i++) {
		bad = good;
		bad.address = outside[i].address;
		bad.length_bytes = outside[i].length_bytes;
		cr_assert_eq(fixture_check(domain, bad), MEM_REFUSED_RANGE,
			"%#" PRIx64 " + %#" PRIx64 " of [%#" PRIx64 ", %#" PRIx64 ")", bad.address,
			bad.length_bytes, start, end);
	}
}

/** RC-150: every bit of the key is checked. RC-151: every byte of the range is checked. */
Test(mem_access, each_violation_of_a_region_is_refused)
{
	struct mem_access good = {.key = mem_region_key(region),
		.owner = OWNER,
		.address = BASE,
		.length_bytes = LENGTH,
		.rights = MEM_REMOTE_WRITE};

	assert_each_violation(good, BASE, BASE + LENGTH, false);
	good.address = BASE + LENGTH - 1;
	good.length_bytes = 1;
	assert_each_violation(good, BASE, BASE + LENGTH, false);
}

/** B-091: an access with a window's key is refused outside the window, even inside its region. */
Test(mem_access, each_violation_of_a_window_is_refused)
{
	struct mem_access good = {
		.key = bind_range(BASE + 100, 50, MEM_REMOTE_READ | MEM_REMOTE_WRITE),
		.owner = OWNER,
		.address = BASE + 100,
		.length_bytes = 50,
		.rights = MEM_REMOTE_WRITE};
	struct mem_access all = good;

	assert_each_violation(good, BASE + 100, BASE + 150, true);
	good.rights = MEM_REMOTE_ATOMIC;
	cr_assert_eq(fixture_check(domain, good), MEM_REFUSED_RIGHTS);
	all.address = BASE;
	all.length_bytes = LENGTH;
	cr_assert_eq(fixture_check(domain, all), MEM_REFUSED_RANGE);
}

Test(mem_access, rights_are_those_of_the_key)
{
	for (uint32_t grant = 0; grant < 8; grant++) {
		uint32_t window_key = bind_range(BASE, LENGTH, grant << 1);
		struct mem_region *same =
			fixture_region(domain, BASE, memory, LENGTH, grant << 1 | MEM_LOCAL_WRITE);

		for (uint32_t bit = 1; bit < 4; bit++) {
			struct mem_access access = {.key = window_key,
				.owner = OWNER,
				.address = BASE,
				.length_bytes = 8,
				.rights = UINT32_C(1) << bit};
			enum mem_refusal expected =
				(grant << 1 >> bit & 1) != 0 ? MEM_ALLOWED : MEM_REFUSED_RIGHTS;

			cr_assert_eq(fixture_check(domain, access), expected, "window %#x, bit %u",
				grant << 1, bit);
			access.key = mem_region_key(same);
			cr_assert_eq(fixture_check(domain, access), expected, "region %#x, bit %u",
				grant << 1, bit);
		}
	}
}

/**
 * B-004: if address + length of an access overflows, the access is refused. The test has regions at
 * both ends of the address space.
 */
Test(mem_access, sums_that_wrap_are_refused)
{
	struct mem_region *top =
		fixture_region(domain, UINT64_MAX - 1000, memory, 1000, MEM_REMOTE_READ);
	struct mem_region *bottom = fixture_region(domain, 0, memory, 1000, MEM_REMOTE_READ);
	struct mem_access access = {.owner = OWNER, .rights = MEM_REMOTE_READ};

	for (uint64_t back = 1; back <= 8; back++) {
		for (uint32_t shift = 0; shift <= 31; shift++) {
			access.address = -back;
			access.length_bytes = UINT64_C(1) << shift;
			access.key = mem_region_key(bottom);
			cr_assert_eq(fixture_check(domain, access), MEM_REFUSED_RANGE);
			access.key = mem_region_key(top);
			cr_assert_eq(fixture_check(domain, access),
				back > access.length_bytes ? MEM_ALLOWED : MEM_REFUSED_RANGE,
				"-%" PRIu64 " + %" PRIu64, back, access.length_bytes);
		}
	}
	access.key = mem_region_key(bottom);
	access.address = 0;
	access.length_bytes = 1000;
	cr_assert_eq(fixture_check(domain, access), MEM_ALLOWED);
	access.address = 1;
	access.length_bytes = UINT64_MAX;
	cr_assert_eq(fixture_check(domain, access), MEM_REFUSED_RANGE);
}

/** ND-023: if two windows overlap, each grants only its own rights. */
Test(mem_access, overlapping_windows_enforce_their_own_rights)
{
	uint32_t reads = bind_range(BASE, 100, MEM_REMOTE_READ);
	uint32_t writes = bind_range(BASE + 50, 100, MEM_REMOTE_WRITE);
	struct mem_access access = {
		.key = reads, .owner = OWNER, .address = BASE + 50, .length_bytes = 50};

	access.rights = MEM_REMOTE_READ;
	cr_assert_eq(fixture_check(domain, access), MEM_ALLOWED);
	access.rights = MEM_REMOTE_WRITE;
	cr_assert_eq(fixture_check(domain, access), MEM_REFUSED_RIGHTS);
	access.key = writes;
	cr_assert_eq(fixture_check(domain, access), MEM_ALLOWED);
	access.rights = MEM_REMOTE_READ;
	cr_assert_eq(fixture_check(domain, access), MEM_REFUSED_RIGHTS);
	access.key = reads;
	access.length_bytes = 51;
	cr_assert_eq(fixture_check(domain, access), MEM_REFUSED_RANGE);
}

Test(mem_access, invented_keys_are_refused)
{
	struct mem_access access = {
		.owner = OWNER, .address = BASE, .length_bytes = 1, .rights = MEM_REMOTE_READ};
	uint32_t allowed = 0;

	for (uint32_t key = 0; key < 2 * 256 * 256; key++) {
		access.key = key;
		allowed += fixture_check(domain, access) == MEM_ALLOWED;
		access.key = ~key;
		allowed += fixture_check(domain, access) == MEM_ALLOWED;
	}
	cr_assert_eq(allowed, 1, "%u keys are accepted where one was given out", allowed);
}

Test(mem_access, refusal_leaves_the_span_alone)
{
	struct mem_span span = {0};

	cr_assert_eq(mem_check_remote(domain,
			     &(struct mem_access){.key = mem_region_key(region),
				     .address = BASE + 1,
				     .length_bytes = LENGTH,
				     .rights = MEM_REMOTE_READ},
			     &span),
		MEM_REFUSED_RANGE);
	cr_assert_null(span.region);
}

/** The spans of a window over a region of many buffers return the same bytes as a flat copy. */
Test(mem_access, spans_cross_buffers)
{
	static uint8_t pieces[8][72], flat[200], copy[200];
	uint64_t lengths[8] = {1, 7, 64, 3, 1, 50, 33, 41};
	struct mem_buffer buffers[8];
	struct mem_region_attr attr = {
		.base = BASE, .buffers = buffers, .buffer_count = 8, .rights = FIXTURE_RIGHTS};
	struct mem_span span;
	uint8_t *byte_of[200];
	uint32_t total = 0, key;

	for (int i = 0; i < 8; i++) {
		buffers[i] = (struct mem_buffer){pieces[i], lengths[i]};
		for (uint64_t j = 0; j < lengths[i]; j++)
			byte_of[total++] = &pieces[i][j];
	}
	cr_assert_eq(total, 200);
	for (uint32_t i = 0; i < total; i++)
		*byte_of[i] = flat[i] = (uint8_t)(i * 37 + 11);
	ASSERT_STATUS(mem_region_register(domain, &attr, &region), RC_OK);
	key = bind_range(BASE + 5, 190, MEM_REMOTE_READ);
	for (uint32_t from = 5; from < 195; from++) {
		for (uint32_t bytes = 1; from + bytes <= 195; bytes++) {
			bool together = byte_of[from + bytes - 1] == byte_of[from] + bytes - 1;
			void *pointer;

			cr_assert_eq(mem_check_remote(domain,
					     &(struct mem_access){.key = key,
						     .owner = OWNER,
						     .address = BASE + 5,
						     .length_bytes = 190,
						     .rights = MEM_REMOTE_READ},
					     &span),
				MEM_ALLOWED);
			memset(copy, 0, sizeof(copy));
			mem_span_read(&span, from - 5, copy, bytes);
			cr_assert_arr_eq(copy, flat + from, bytes, "%u + %u", from, bytes);
			cr_assert_eq(copy[bytes], 0);
			pointer = mem_span_pointer(&span, from - 5, bytes);
			cr_assert_eq(
				pointer, together ? byte_of[from] : NULL, "%u + %u", from, bytes);
			for (uint32_t i = 0; i < bytes; i++)
				copy[i] = flat[from + i] = (uint8_t)(flat[from + i] + 1);
			mem_span_write(&span, from - 5, copy, bytes);
			for (uint32_t i = 0; i < total; i++)
				cr_assert_eq(*byte_of[i], flat[i], "byte %u", i);
		}
	}
}

/**
 * Check regions with up to the maximum number of buffers, so that the search tree gets its maximum
 * depth. Buffers have 1 to 4 bytes.
 */
Test(mem_access, region_of_most_buffers_finds_every_byte)
{
	enum { BUFFERS = 65536, BYTES = BUFFERS * 4 };
	static struct mem_buffer buffers[BUFFERS];
	static uint8_t bytes[BYTES];
	static const uint32_t counts[] = {2, 7, 8, 9, 63, 64, 65, 511, 512, 4096, 32767, BUFFERS};

	for (uint32_t i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)(i * 2654435761u >> 24);
	for (size_t c = 0; c < RTE_DIM(counts); c++) {
		struct mem_region_attr attr = {.base = BASE,
			.buffers = buffers,
			.buffer_count = counts[c],
			.rights = MEM_REMOTE_READ};
		struct mem_span span;
		uint64_t token;
		uint32_t offset = 0;

		for (uint32_t i = 0; i < counts[c]; i++) {
			/*
			 * Later buffers have lower addresses, so that an access to a wrong buffer
			 * is detected.
			 */
			uint64_t length = 1 + i % 4;

			buffers[i] = (struct mem_buffer){bytes + BYTES - 4 * (i + 1), length};
		}
		ASSERT_STATUS(mem_region_register(domain, &attr, &region), RC_OK);
		span = (struct mem_span){.region = region,
			.address = BASE,
			.length_bytes = mem_region_length(region)};
		for (uint32_t i = 0; i < counts[c]; i++) {
			for (uint32_t j = 0; j < buffers[i].length_bytes; j++, offset++) {
				const uint8_t *byte = buffers[i].address;

				cr_assert_eq(mem_span_pointer(&span, offset, 1), byte + j,
					"%u buffers, byte %u", counts[c], offset);
			}
		}
		cr_assert_eq(offset, mem_region_length(region));
		ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_OK);
	}
}
