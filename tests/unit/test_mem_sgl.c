/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "mem_fixture.h"

#include "base/limits.h"

#define BASE UINT64_C(0x900000)

static uint8_t memory[256];
static struct mem_domain *domain;
static struct mem_region *region;

static void
setup(void)
{
	domain = fixture_domain(256, 32, 51);
	region = fixture_region(domain, BASE, memory, sizeof(memory), MEM_LOCAL_WRITE);
	for (uint32_t i = 0; i < sizeof(memory); i++)
		memory[i] = (uint8_t)i;
}

static void
teardown(void)
{
	mem_domain_destroy(domain);
}

TestSuite(mem_sgl, .init = setup, .fini = teardown);

static void
assert_all(struct mem_sge sge, bool read_passes, bool write_passes)
{
	struct mem_sgl sgl = {.sges = &sge, .count = 1};
	uint8_t byte = memory[0];

	ASSERT_STATUS(mem_sgl_check(domain, &sgl, MEM_LOCAL_READ),
		read_passes ? RC_OK : RC_LOCAL_PROTECTION);
	ASSERT_STATUS(mem_sgl_check(domain, &sgl, MEM_LOCAL_WRITE),
		write_passes ? RC_OK : RC_LOCAL_PROTECTION);
	ASSERT_STATUS(mem_sgl_gather(domain, &sgl, 0, &byte, 1),
		read_passes ? RC_OK : RC_LOCAL_PROTECTION);
	cr_assert_eq(mem_sge_pointer(domain, &sge) != NULL, read_passes);
	cr_assert_eq(mem_sgl_pointer(domain, &sgl, 0, 1) != NULL, read_passes);
	byte = 0xEE;
	ASSERT_STATUS(mem_sgl_scatter(domain, &sgl, 0, &byte, 1),
		write_passes ? RC_OK : RC_LOCAL_PROTECTION);
	/* A region that permits local writes may also store READ responses. */
	ASSERT_STATUS(mem_sgl_check(domain, &sgl, MEM_READ_SINK),
		write_passes ? RC_OK : RC_LOCAL_PROTECTION);
	ASSERT_STATUS(mem_sgl_scatter_sink(domain, &sgl, 0, &byte, 1),
		write_passes ? RC_OK : RC_LOCAL_PROTECTION);
}

Test(mem_sgl, entry_outside_its_region_is_refused)
{
	struct {
		uint64_t address, length_bytes;
	} outside[] = {{BASE - 1, 1}, {BASE + 256, 1}, {BASE, 257}, {BASE + 255, 2}, {0, 1},
		{UINT64_MAX, 1}, {BASE, UINT64_MAX}, {BASE + 1, -(BASE + 1)}, {0, UINT64_MAX}};

	for (size_t i = 0; i < RTE_DIM(outside); i++)
		assert_all((struct mem_sge){outside[i].address, outside[i].length_bytes, region},
			false, false);
	assert_all((struct mem_sge){BASE, 256, region}, true, true);
	assert_all((struct mem_sge){BASE + 255, 1, region}, true, true);
}

Test(mem_sgl, entry_of_a_handle_that_is_none_is_refused)
{
	struct mem_domain *other = fixture_domain(64, 4, 52);
	uint64_t token;

	assert_all((struct mem_sge){BASE, 1, NULL}, false, false);
	assert_all(
		(struct mem_sge){BASE, 1, (struct mem_region *)((char *)region + 8)}, false, false);
	assert_all((struct mem_sge){BASE, 1, (struct mem_region *)memory}, false, false);
	assert_all(
		(struct mem_sge){BASE, 1, (struct mem_region *)(UINTPTR_MAX - 63)}, false, false);
	assert_all(
		(struct mem_sge){BASE, 1, fixture_region(other, BASE, memory, 16, MEM_LOCAL_WRITE)},
		false, false);
	assert_all((struct mem_sge){BASE, 1, region}, true, true);
	ASSERT_STATUS(mem_region_deregister(domain, region, &token), RC_OK);
	assert_all((struct mem_sge){BASE, 1, region}, false, false);
	mem_domain_destroy(other);
}

Test(mem_sgl, placing_needs_local_write)
{
	struct mem_region *constant =
		fixture_region(domain, BASE, memory, sizeof(memory), MEM_REMOTE_READ);

	assert_all((struct mem_sge){BASE, 1, constant}, true, false);
	cr_assert_eq(memory[0], 0);
}

/**
 * A read sink, in one or several entries, may store the responses to own READs, and nothing else.
 */
Test(mem_sgl, sink_is_for_answers_only)
{
	struct mem_region *sink =
		fixture_region(domain, BASE, memory, sizeof(memory), MEM_READ_SINK);
	struct mem_sge sges[] = {{BASE, 4, sink}, {BASE + 8, 4, sink}};
	const uint8_t bytes[8] = {91, 92, 93, 94, 95, 96, 97, 98};

	for (uint32_t count = 1; count <= 2; count++) {
		struct mem_sgl sgl = {.sges = sges, .count = count};

		ASSERT_STATUS(mem_sgl_check(domain, &sgl, MEM_LOCAL_WRITE), RC_LOCAL_PROTECTION);
		ASSERT_STATUS(
			mem_sgl_scatter(domain, &sgl, 0, bytes, 4 * count), RC_LOCAL_PROTECTION);
		cr_assert(memory[0] == 0 && memory[8] == 8);
		ASSERT_STATUS(mem_sgl_check(domain, &sgl, MEM_READ_SINK), RC_OK);
		ASSERT_STATUS(mem_sgl_scatter_sink(domain, &sgl, 0, bytes, 4 * count), RC_OK);
		cr_assert_arr_eq(memory, bytes, 4);
		cr_assert_eq(memory[8], count == 1 ? 8 : 95);
		memory[0] = 0;
	}
}

Test(mem_sgl, length_is_the_sum_and_saturates)
{
	struct mem_sge sges[] = {{BASE, 3, region}, {0, 0, NULL}, {BASE, 4, region},
		{BASE, UINT64_MAX - 7, region}, {BASE, 1, region}};
	struct mem_sgl sgl = {.sges = sges, .count = 3};

	cr_assert_eq(mem_sgl_length(&sgl), 7);
	sgl.count = 4;
	cr_assert_eq(mem_sgl_length(&sgl), UINT64_MAX);
	sgl.count = 5;
	cr_assert_eq(mem_sgl_length(&sgl), UINT64_MAX);
	sgl.count = 0;
	cr_assert_eq(mem_sgl_length(&sgl), 0);
}

Test(mem_sgl, list_without_bytes_passes)
{
	struct mem_sge empty = {0, 0, NULL};
	struct mem_sgl none = {.sges = NULL, .count = 0}, sgl = {.sges = &empty, .count = 1};
	uint8_t byte;

	ASSERT_STATUS(mem_sgl_check(domain, &none, MEM_LOCAL_WRITE), RC_OK);
	ASSERT_STATUS(mem_sgl_gather(domain, &none, 0, NULL, 0), RC_OK);
	ASSERT_STATUS(mem_sgl_scatter(domain, &none, 0, NULL, 0), RC_OK);
	ASSERT_STATUS(mem_sgl_check(domain, &sgl, MEM_LOCAL_WRITE), RC_OK);
	ASSERT_STATUS(mem_sgl_gather(domain, &sgl, 0, &byte, 0), RC_OK);
	ASSERT_STATUS(mem_sgl_gather(domain, &sgl, 0, &byte, 1), RC_LOCAL_LENGTH);
	ASSERT_STATUS(mem_sgl_gather(domain, &none, 0, &byte, 1), RC_LOCAL_LENGTH);
}

Test(mem_sgl, copy_beyond_the_list_is_local_length)
{
	struct mem_sge sges[] = {{BASE, 10, region}, {BASE + 20, 10, region}};
	struct mem_sgl sgl = {.sges = sges, .count = 2};
	uint8_t bytes[32] = {0};

	ASSERT_STATUS(mem_sgl_gather(domain, &sgl, 0, bytes, 20), RC_OK);
	ASSERT_STATUS(mem_sgl_gather(domain, &sgl, 0, bytes, 21), RC_LOCAL_LENGTH);
	ASSERT_STATUS(mem_sgl_gather(domain, &sgl, 20, bytes, 1), RC_LOCAL_LENGTH);
	ASSERT_STATUS(mem_sgl_gather(domain, &sgl, UINT64_MAX, bytes, 1), RC_LOCAL_LENGTH);
	memset(bytes, 0xEE, sizeof(bytes));
	ASSERT_STATUS(mem_sgl_scatter(domain, &sgl, 5, bytes, 16), RC_LOCAL_LENGTH);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(memory[i], i, "byte %u was placed", i);
}

Test(mem_sgl, nothing_is_placed_unless_all_entries_pass)
{
	struct mem_region *constant = fixture_region(domain, BASE, memory + 128, 128, 0);
	struct mem_sge sges[] = {{BASE, 10, region}, {BASE + 20, 10, region}, {BASE, 10, constant}};
	struct mem_sgl sgl = {.sges = sges, .count = 3};
	uint8_t bytes[30];

	memset(bytes, 0xEE, sizeof(bytes));
	ASSERT_STATUS(mem_sgl_check(domain, &sgl, MEM_LOCAL_WRITE), RC_LOCAL_PROTECTION);
	ASSERT_STATUS(mem_sgl_scatter(domain, &sgl, 0, bytes, 30), RC_LOCAL_PROTECTION);
	ASSERT_STATUS(mem_sgl_scatter(domain, &sgl, 0, bytes, 21), RC_LOCAL_PROTECTION);
	for (uint32_t i = 0; i < 256; i++)
		cr_assert_eq(memory[i], i, "byte %u was placed", i);
	ASSERT_STATUS(mem_sgl_scatter(domain, &sgl, 0, bytes, 20), RC_OK);
	cr_assert_eq(memory[29], 0xEE);
}

Test(mem_sgl, bytes_in_one_piece_have_a_pointer)
{
	struct mem_sge sges[] = {{BASE + 5, 10, region}, {0, 0, NULL}, {BASE + 20, 10, region}};
	struct mem_sgl sgl = {.sges = sges, .count = 3};

	cr_assert_eq(mem_sge_pointer(domain, &sges[0]), memory + 5);
	cr_assert_eq(mem_sgl_pointer(domain, &sgl, 0, 10), memory + 5);
	cr_assert_eq(mem_sgl_pointer(domain, &sgl, 9, 1), memory + 14);
	cr_assert_eq(mem_sgl_pointer(domain, &sgl, 10, 10), memory + 20);
	cr_assert_null(mem_sgl_pointer(domain, &sgl, 9, 2), "two entries");
	cr_assert_null(mem_sgl_pointer(domain, &sgl, 10, 11), "more than there is");
	cr_assert_null(mem_sgl_pointer(domain, &sgl, 20, 1), "behind the end");
	cr_assert_null(mem_sgl_pointer(domain, &sgl, 0, 0), "no bytes");
}

/** A region of random buffers, and the address of each byte of the region. */
struct shuffled {
	struct mem_region *region;
	uint8_t *bytes[512];
	uint32_t count;
};

static void
shuffled_make(struct shuffled *made, uint8_t *backing, struct base_random *random)
{
	struct mem_buffer buffers[32];
	uint32_t buffer_count = 1 + base_random_below(random, 32);
	struct mem_region_attr attr = {.base = (uint64_t)base_random_u32(random) << 12,
		.buffers = buffers,
		.buffer_count = buffer_count,
		.rights = MEM_LOCAL_WRITE};

	made->count = 0;
	for (uint32_t i = 0; i < buffer_count; i++) {
		uint32_t length = 1 + base_random_below(random, 16);

		buffers[i] = (struct mem_buffer){backing + 16 * (i * 7 % 32), length};
		for (uint32_t j = 0; j < length; j++)
			made->bytes[made->count++] = backing + 16 * (i * 7 % 32) + j;
	}
	ASSERT_STATUS(mem_region_register(domain, &attr, &made->region), RC_OK);
}

/* Fail unless the list yields a pointer if, and only if, all bytes are in one buffer. */
static void
expect_pointer(const struct mem_sgl *sgl, uint64_t offset, uint8_t *const *flat, uint32_t count)
{
	const uint8_t *pointer = mem_sgl_pointer(domain, sgl, offset, count);

	for (uint32_t i = 0; i < count && pointer != NULL; i++)
		cr_assert_eq(pointer + i, flat[i]);
	if (count == 1)
		cr_assert_not_null(pointer);
}

Test(mem_sgl, copies_agree_with_flat_model)
{
	enum { REGIONS = 6, ROUNDS = 3000, SEED = 53 };
	static uint8_t backing[REGIONS][512];
	static struct shuffled regions[REGIONS];
	uint8_t *flat[LIMIT_SGE * 64];
	uint8_t bytes[LIMIT_SGE * 64];
	struct base_random random;

	fixture_seed(&random, SEED);
	for (int i = 0; i < REGIONS; i++)
		shuffled_make(&regions[i], backing[i], &random);
	for (int round = 0; round < ROUNDS; round++) {
		struct mem_sge sges[LIMIT_SGE];
		struct mem_sgl sgl = {
			.sges = sges, .count = 1 + base_random_below(&random, LIMIT_SGE)};
		uint32_t total = 0, offset, count;

		for (uint32_t i = 0; i < sgl.count; i++) {
			const struct shuffled *from = &regions[base_random_below(&random, REGIONS)];
			uint32_t start = base_random_below(&random, from->count);
			uint32_t most = RTE_MIN(from->count - start, 64u);
			uint32_t length = base_random_below(&random, most + 1);

			sges[i] = (struct mem_sge){
				mem_region_base(from->region) + start, length, from->region};
			for (uint32_t j = 0; j < length; j++)
				flat[total++] = from->bytes[start + j];
		}
		cr_assert_eq(mem_sgl_length(&sgl), total);
		ASSERT_STATUS(mem_sgl_check(domain, &sgl, MEM_LOCAL_WRITE), RC_OK);
		offset = base_random_below(&random, total + 1);
		count = base_random_below(&random, total - offset + 1);
		for (uint32_t i = 0; i < count; i++)
			*flat[offset + i] = (uint8_t)base_random_u32(&random);
		ASSERT_STATUS(mem_sgl_gather(domain, &sgl, offset, bytes, count), RC_OK);
		for (uint32_t i = 0; i < count; i++)
			cr_assert_eq(bytes[i], *flat[offset + i], "round %d byte %u seed %d", round,
				i, SEED);
		expect_pointer(&sgl, offset, flat + offset, count);
		/* If the list contains the same bytes twice, the value written last remains. */
		uint8_t expected[REGIONS][512];

		memcpy(expected, backing, sizeof(expected));
		for (uint32_t i = 0; i < count; i++) {
			bytes[i] = (uint8_t)base_random_u32(&random);
			(&expected[0][0])[flat[offset + i] - &backing[0][0]] = bytes[i];
		}
		ASSERT_STATUS(mem_sgl_scatter(domain, &sgl, offset, bytes, count), RC_OK);
		cr_assert_eq(memcmp(expected, backing, sizeof(expected)), 0, "round %d seed %d",
			round, SEED);
	}
}
