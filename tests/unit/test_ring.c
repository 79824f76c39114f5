/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "rc/wqe.h"

Test(ring, no_entries_always_full)
{
	struct rc_ring ring;

	rc_ring_init(&ring, NULL, 0, 24);
	cr_assert_eq(rc_ring_bytes(0, 24, 0), RTE_CACHE_LINE_SIZE);
	cr_assert(rc_ring_full(&ring));
	cr_assert_eq(rc_ring_count(&ring), 0);
}

Test(ring, entries_are_the_limit_not_the_size)
{
	static const uint32_t sizes[] = {1, 2, 3, 5, 64, 100};
	struct rc_ring ring;

	for (unsigned i = 0; i < RTE_DIM(sizes); i++) {
		rc_ring_init(&ring, NULL, sizes[i], 8);
		for (uint32_t n = 0; n < sizes[i]; n++) {
			cr_assert_not(rc_ring_full(&ring), "%u of %u", n, sizes[i]);
			ring.tail++;
		}
		cr_assert(rc_ring_full(&ring));
		cr_assert_eq(rc_ring_count(&ring), sizes[i]);
	}
}

Test(ring, elements_do_not_overlap_over_index_wrap)
{
	enum { ENTRIES = 6, STRIDE = 21, BESIDE = 13 };
	struct rc_ring ring;
	void *memory;

	/* The block has exactly the needed size, so a sanitizer detects any access beyond it. */
	memory = malloc(rc_ring_bytes(ENTRIES, STRIDE, BESIDE));
	rc_ring_init(&ring, memory, ENTRIES, STRIDE);
	ring.head = ring.tail = UINT32_MAX - 2;
	for (unsigned round = 0; round < 20; round++) {
		uint8_t expected[STRIDE];

		for (unsigned n = 0; n < ENTRIES; n++) {
			memset(rc_ring_beside(&ring, ring.tail, BESIDE), (int)(round + n), BESIDE);
			memset(rc_ring_at(&ring, ring.tail++), (int)(round * 8 + n), STRIDE);
		}
		for (unsigned n = 0; n < ENTRIES; n++) {
			memset(expected, (int)(round + n), BESIDE);
			cr_assert_arr_eq(
				rc_ring_beside(&ring, ring.head, BESIDE), expected, BESIDE);
			memset(expected, (int)(round * 8 + n), STRIDE);
			cr_assert_arr_eq(rc_ring_at(&ring, ring.head++), expected, STRIDE);
		}
	}
	cr_assert_eq((uintptr_t)rc_ring_at(&ring, 1) % 8, 0, "elements hold pointers");
	free(memory);
}
