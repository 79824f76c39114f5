/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md, section ND M): adapter information and large
 * transfers.
 */

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include <ndpdk/nd_lookup.h>

#include "dial.h"
#include "support/number.h"

#define MIB           (UINT64_C(1) << 20)
#define LARGE_BYTES   (64 * MIB)
#define WRITE_MIDDLE  0x07
#define ORDERED_CELLS 1024u
/** Default number of writes. The environment variable NDPDK_TEST_WRITES overrides this number. */
#define ORDERED       32768u

static void
open_tapped(void)
{
	scene_open_as((struct nd_pair_config){.adapt = dial_tap});
	nd_pair_connect(&scene);
}

static void
open_large(void)
{
	scene_open_as((struct nd_pair_config){.path_mtu = 4096, .memory_bytes = LARGE_BYTES});
	nd_pair_connect(&scene);
}

TestSuite(nd_adapter, .init = scene_open, .fini = scene_close);
TestSuite(nd_adapter_connected, .init = open_tapped, .fini = scene_close);
TestSuite(nd_adapter_large, .init = open_large, .fini = scene_close);

static nd_status
query(uint32_t version, struct nd_adapter_info *info, size_t *bytes)
{
	return nd_adapter_query(scene.side[OWNER].adapter, version, info, bytes);
}

Test(nd_adapter, nd_212_size_of_the_information)
{
	uint8_t buffer[sizeof(struct nd_adapter_info)], before[sizeof(buffer)];
	size_t bytes = 0;

	memset(buffer, 0x5A, sizeof(buffer));
	memset(before, 0x5A, sizeof(before));
	ASSERT_ND(query(ND_VERSION_1, NULL, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(buffer));
	bytes--;
	ASSERT_ND(query(ND_VERSION_1, (struct nd_adapter_info *)(void *)buffer, &bytes),
		ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(buffer));
	cr_assert_arr_eq(buffer, before, sizeof(buffer));
}

Test(nd_adapter, nd_213_version_of_the_information)
{
	static const uint32_t versions[] = {0, 2, 0x20000, UINT32_MAX};
	struct nd_adapter_info info;
	size_t bytes = sizeof(info);

	for (unsigned int i = 0; i < RTE_DIM(versions); i++)
		ASSERT_ND(query(versions[i], &info, &bytes), ND_NOT_SUPPORTED);
	ASSERT_ND(query(ND_VERSION_1, &info, &bytes), ND_SUCCESS);
}

Test(nd_adapter, nd_214_structure_is_enough)
{
	struct nd_adapter_info info[2] = {{0}};

	for (size_t more = 0; more < 2; more++) {
		size_t bytes = sizeof(info[0]) + more * 8;

		ASSERT_ND(query(ND_VERSION_1, &info[more], &bytes), ND_SUCCESS);
		cr_assert_eq(bytes, sizeof(info[0]));
		cr_assert_gt(info[more].max_outbound_length, 0);
		if (more == 0)
			cr_assert_eq(info[1].max_outbound_length, 0, "written past the structure");
	}
}

static unsigned int packets_seen;

/** dial_look() that drops the third packet of a write, once. */
static bool
lose_third(const struct dial_frame *frame)
{
	return frame->opcode == WRITE_MIDDLE && frame->qp != 1 && ++packets_seen == 2;
}

/* The last byte of a Write is written last, even if an earlier packet was lost. */
Test(nd_adapter_connected, nd_217_last_byte_comes_last)
{
	struct nd_side *peer = &scene.side[PEER], *owner = &scene.side[OWNER];
	struct nd_mw_descriptor window;
	struct nd_result written, *got;
	size_t bytes = 8192;
	bool early = false;

	nd_pair_bind(&scene, OWNER, 0, bytes, READ_WRITE, &window);
	for (unsigned int round = 0; round < 2; round++) {
		memset(peer->memory, 0x11 + (int)round, bytes);
		dial_look = round == 0 ? NULL : lose_third;
		scene_write_post(&window, 0, bytes, &written);
		do {
			nd_pair_poll(&scene);
			early = !scene_arrived(0, bytes);
			cr_assert(owner->memory[bytes - 1] != peer->memory[bytes - 1] || !early,
				"round %u: the last byte is there, others are not", round);
		} while (nd_cq_get_results(peer->outbound, &got, 1) == 0);
		ASSERT_ND(written.status, ND_SUCCESS);
		cr_assert(scene_arrived(0, bytes));
	}
	cr_assert_gt(packets_seen, 2, "nothing was lost");
}

Test(nd_adapter, nd_218_addresses_of_adapters)
{
	struct nd_adapter_entry entries[4];
	size_t count = nd_adapter_list(entries, RTE_DIM(entries)), bytes;

	cr_assert_eq(count, 2);
	for (size_t i = 0; i < count; i++) {
		struct sockaddr_storage address;
		struct nd_adapter *found;

		bytes = 0;
		ASSERT_ND(nd_adapter_get_address(entries[i].adapter, NULL, &bytes),
			ND_BUFFER_OVERFLOW);
		cr_assert_gt(bytes, 0);
		ASSERT_ND(nd_adapter_get_address(
				  entries[i].adapter, (struct sockaddr *)&address, &bytes),
			ND_SUCCESS);
		ASSERT_ND(nd_adapter_find_by_address((struct sockaddr *)&address, bytes, &found),
			ND_SUCCESS);
		cr_assert_eq(found, entries[i].adapter);
		cr_assert_arr_eq(&entries[i].address, &address, bytes);
	}
	cr_assert_neq(entries[0].adapter, entries[1].adapter);
}

/**
 * Write increasing 4-byte numbers to a row of cells, many times. The first cell must never
 * decrease, and at the end each cell must contain the last number that was written to it.
 */
static void
ordered_writes(const struct nd_mw_descriptor *window)
{
	struct nd_side *peer = &scene.side[PEER];
	uint32_t ordered = test_number("NDPDK_TEST_WRITES", ORDERED), last = 0;
	struct nd_result *results = calloc(ordered, sizeof(*results));
	struct nd_result *got[16];
	uint32_t *cells = (uint32_t *)(void *)scene.side[OWNER].memory;
	uint32_t posted = 0;
	size_t done = 0, taken;
	nd_status status = ND_SUCCESS;

	cr_assert(results != NULL && ordered % ORDERED_CELLS == 0);
	while (done < ordered) {
		struct nd_sge from = {&posted, sizeof(posted), NULL};

		while (posted < ordered &&
			(status = nd_endpoint_write(peer->endpoint, &results[posted], &from, 1,
				 window, 4 * (posted % ORDERED_CELLS), 0)) == ND_SUCCESS)
			posted++;
		cr_assert(posted == ordered || status == ND_NO_MORE_ENTRIES, "%s",
			nd_status_name(status));
		nd_pair_poll(&scene);
		/* The numbers written to the first cell are the multiples of ORDERED_CELLS. */
		cr_assert(done == 0 || (cells[0] >= last && cells[0] <= posted));
		last = done == 0 ? 0 : cells[0];
		while ((taken = nd_cq_get_results(peer->outbound, got, RTE_DIM(got))) != 0)
			done += taken;
	}
	for (unsigned int i = 0; i < ordered; i++)
		ASSERT_ND(results[i].status, ND_SUCCESS);
	for (unsigned int i = 0; i < ORDERED_CELLS; i++)
		cr_assert_eq(cells[i], ordered - ORDERED_CELLS + i, "cell %u", i);
	free(results);
}

/* Register 64 MiB. Read 32 MiB - 1 KiB, write 16 MiB, and write many 4-byte numbers in order. */
Test(nd_adapter_large, nd_220_large_transfers)
{
	struct nd_side *peer = &scene.side[PEER], *owner = &scene.side[OWNER];
	size_t read_bytes = 32 * MIB - 1024, write_bytes = 16 * MIB;
	struct nd_mw_descriptor window;

	nd_pair_bind(&scene, OWNER, 0, LARGE_BYTES, READ_WRITE, &window);
	nd_pair_pattern(owner->memory + LARGE_BYTES - read_bytes, read_bytes, 220);
	ASSERT_ND(scene_read(&window, LARGE_BYTES - read_bytes, read_bytes), ND_SUCCESS);
	cr_assert(scene_arrived(LARGE_BYTES - read_bytes, read_bytes), "not what was read");

	nd_pair_pattern(peer->memory, write_bytes, 221);
	ASSERT_ND(scene_write(&window, 1, write_bytes), ND_SUCCESS);
	cr_assert(scene_arrived(1, write_bytes), "not what was written");
	ordered_writes(&window);
}
