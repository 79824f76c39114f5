/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "access.h"

#include <string.h>

#define TRIED_BYTES 64

/**
 * Seed of the next byte pattern. The seed is incremented for each pattern, so all patterns differ.
 */
static uint32_t seed = 1000;

void
access_expect_write(const struct nd_mw_descriptor *window, size_t offset, size_t bytes)
{
	nd_pair_pattern(scene.side[PEER].memory, bytes, seed++);
	ASSERT_ND(scene_write(window, 0, bytes), ND_SUCCESS);
	cr_assert(scene_arrived(offset, bytes), "not the bytes that were written");
}

void
access_expect_read(const struct nd_mw_descriptor *window, size_t offset, size_t bytes)
{
	nd_pair_pattern(scene.side[OWNER].memory + offset, bytes, seed++);
	ASSERT_ND(scene_read(window, 0, bytes), ND_SUCCESS);
	cr_assert(scene_arrived(offset, bytes), "not the bytes that are there");
}

static void
expect_refused(nd_status status, struct nd_result *received)
{
	ASSERT_ND(status, ND_REMOTE_ERROR);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, received), ND_CANCELED);
	scene_expect_over();
}

void
access_expect_write_refused(const struct nd_mw_descriptor *window, size_t offset)
{
	struct nd_result received;
	uint8_t before[TRIED_BYTES];

	nd_pair_pattern(scene.side[PEER].memory, TRIED_BYTES, seed++);
	memcpy(before, scene.side[OWNER].memory + offset, TRIED_BYTES);
	scene_receive(OWNER, &received);
	expect_refused(scene_write(window, 0, TRIED_BYTES), &received);
	cr_assert_arr_eq(scene.side[OWNER].memory + offset, before, TRIED_BYTES);
}

void
access_expect_read_refused(const struct nd_mw_descriptor *window)
{
	struct nd_result received;
	uint8_t before[TRIED_BYTES];

	nd_pair_pattern(before, TRIED_BYTES, seed++);
	memcpy(scene.side[PEER].memory, before, TRIED_BYTES);
	scene_receive(OWNER, &received);
	expect_refused(scene_read(window, 0, TRIED_BYTES), &received);
	cr_assert_arr_eq(scene.side[PEER].memory, before, TRIED_BYTES);
}
