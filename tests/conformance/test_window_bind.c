/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md, section ND A): creating and binding memory
 * windows.
 */

#include <endian.h>
#include <string.h>

#include <rte_common.h>

#include "access.h"
#include "nd/adapter.h"
#include "unit/mem_fixture.h"

static struct nd_result invalidated;

TestSuite(nd_bind, .init = scene_connected, .fini = scene_close);
TestSuite(nd_bind_early, .init = scene_open, .fini = scene_close);

static struct nd_mw_descriptor
guess(uint32_t token)
{
	return (struct nd_mw_descriptor){.base = htobe64((uintptr_t)scene.side[OWNER].memory),
		.length = htobe64(SCENE_BYTES),
		.token = htobe32(token)};
}

Test(nd_bind, nd_001_window_never_bound_cannot_be_accessed)
{
	const struct nd_mw_descriptor zero = guess(0), random = guess(0x5A00FF13);

	scene_window(OWNER, &invalidated);
	access_expect_write_refused(&zero, 0);
	scene_reconnect();
	access_expect_read_refused(&random);
}

Test(nd_bind, nd_002_windows_run_out)
{
	struct nd_mw *mw = NULL, *refused;
	nd_status status;

	for (unsigned int i = 0;; i++) {
		refused = (struct nd_mw *)(void *)&invalidated;
		status = nd_adapter_create_memory_window(
			scene.side[OWNER].adapter, &invalidated, &refused);
		if (status != ND_SUCCESS)
			break;
		mw = refused;
		cr_assert_lt(i, 256, "more windows than the adapter was opened for");
	}
	ASSERT_ND(status, ND_INSUFFICIENT_RESOURCES);
	cr_assert_eq((void *)refused, (void *)&invalidated, "nothing was created");
	ASSERT_ND(nd_mw_release(scene.side[OWNER].adapter, mw), ND_SUCCESS);
	scene_window(OWNER, &invalidated);
}

/*
 * ND-003. After the device was removed, creating a window returns ND_DEVICE_REMOVED. Only calls
 * that release objects succeed.
 */
Test(nd_bind, nd_003_nothing_is_made_on_a_removed_device)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_adapter *adapter = owner->adapter;
	struct nd_mw_descriptor window;
	struct nd_mw *mw = scene_window(OWNER, &invalidated), *refused;
	struct nd_connector *connector;
	struct nd_result sent;
	struct nd_listener *listener;
	struct nd_mr *mr;
	struct nd_cq *cq;

	scene_bind(mw, 0, 64, READ_WRITE, &window);
	scene_unplug(OWNER);
	ASSERT_ND(nd_adapter_create_memory_window(adapter, &invalidated, &refused),
		ND_DEVICE_REMOVED);
	ASSERT_ND(
		nd_adapter_register_memory(adapter, &invalidated, 1, NULL, &mr), ND_DEVICE_REMOVED);
	ASSERT_ND(nd_adapter_create_completion_queue(adapter, 1, &cq), ND_DEVICE_REMOVED);
	ASSERT_ND(nd_adapter_create_connector(adapter, &connector), ND_DEVICE_REMOVED);
	ASSERT_ND(nd_adapter_listen(adapter, 0, 6, htobe16(7), NULL, &listener), ND_DEVICE_REMOVED);
	ASSERT_ND(nd_endpoint_send(owner->endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, owner->outbound, &sent), ND_IO_TIMEOUT);
	ASSERT_ND(nd_mw_release(adapter, mw), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_release(owner->endpoint), ND_SUCCESS);
	ASSERT_ND(nd_connector_release(owner->connector), ND_SUCCESS);
	ASSERT_ND(nd_cq_release(owner->inbound), ND_SUCCESS);
	ASSERT_ND(nd_cq_release(owner->outbound), ND_SUCCESS);
	ASSERT_ND(nd_adapter_deregister_memory(adapter, owner->mr, NULL), ND_SUCCESS);
}

Test(nd_bind, nd_004_the_accessing_side_has_no_window)
{
	struct nd_mw_descriptor window;
	struct mem_domain_stats stats;

	scene_bind(scene_window(OWNER, &invalidated), 0, 4096, READ_WRITE, &window);
	access_expect_write(&window, 0, 4096);
	access_expect_read(&window, 0, 4096);
	mem_domain_stats(scene.side[PEER].adapter->mem, &stats);
	cr_assert_eq(stats.windows, 0, "%u windows", stats.windows);
}

Test(nd_bind, nd_005_bound_window_is_refused_by_another_endpoint)
{
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window, again;
	struct nd_side first[2];
	struct nd_result bound;

	scene_bind(mw, 0, 4096, READ_WRITE, &window);
	scene_second(first);
	ASSERT_ND(
		scene_bind_post(&bound, mw, 0, 4096, READ_WRITE, &again), ND_INVALID_DEVICE_STATE);
	nd_pair_quiet(&scene, scene.side[OWNER].outbound);
	/* Only the peer of the endpoint that bound the window can access it. */
	access_expect_write_refused(&window, 0);
	cr_assert_eq(nd_pair_counter(&scene, OWNER, "refused_owner"), 1);
	scene.side[PEER] = first[PEER];
	scene.side[OWNER] = first[OWNER];
	access_expect_write(&window, 0, 4096);
}

Test(nd_bind, nd_006_invalidated_window_moves_to_another_endpoint)
{
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window;
	struct nd_side first[2];

	scene_bind(mw, 0, 4096, READ_WRITE, &window);
	ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
	scene_second(first);
	scene_bind(mw, 0, 4096, READ_WRITE, &window);
	access_expect_write(&window, 0, 4096);
	scene.side[PEER] = first[PEER];
	scene.side[OWNER] = first[OWNER];
	access_expect_write_refused(&window, 0);
}

Test(nd_bind, nd_007_invalidated_window_moves_to_another_range_and_registration)
{
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_mw_descriptor first, second, third;
	uint8_t *memory = owner->memory;
	struct nd_mr *mr = owner->mr;
	static uint8_t other[4096];

	scene_bind(mw, 0, 64, READ_WRITE, &first);
	access_expect_write(&first, 0, 64);
	ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
	scene_bind(mw, 8192, 128, READ_WRITE, &second);
	access_expect_write(&second, 8192, 128);
	ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
	ASSERT_ND(
		nd_adapter_register_memory(owner->adapter, other, sizeof(other), NULL, &owner->mr),
		ND_SUCCESS);
	owner->memory = other;
	scene_bind(mw, 100, 512, READ_WRITE, &third);
	access_expect_write(&third, 100, 512);
	owner->memory = memory;
	owner->mr = mr;
	access_expect_write_refused(&second, 8192);
}

Test(nd_bind_early, nd_008_endpoint_not_connected_does_not_bind)
{
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_overlapped disconnect = {0};
	struct nd_mw_descriptor window;
	struct nd_result bound;

	nd_pair_endpoint(&scene, OWNER);
	ASSERT_ND(scene_bind_post(&bound, mw, 0, 64, READ_WRITE, &window), ND_CONNECTION_INVALID);
	ASSERT_ND(nd_endpoint_release(scene.side[OWNER].endpoint), ND_SUCCESS);
	nd_pair_connect(&scene);
	scene_bind(mw, 0, 64, READ_WRITE, &window);
	access_expect_write(&window, 0, 64);
	ASSERT_ND(nd_pair_finish(&scene,
			  nd_connector_disconnect(scene.side[OWNER].connector, &disconnect),
			  &disconnect),
		ND_SUCCESS);
	ASSERT_ND(scene_bind_post(&bound, mw, 0, 64, READ_WRITE, &window), ND_CONNECTION_INVALID);
	nd_pair_quiet(&scene, scene.side[OWNER].outbound);
}

Test(nd_bind, nd_009_full_queue_does_not_bind)
{
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_result received[64], sent[64], bound, *results[64];
	struct nd_mw_descriptor window;

	for (unsigned int i = 0; i < 64; i++) {
		scene_receive(PEER, &received[i]);
		ASSERT_ND(nd_endpoint_send(scene.side[OWNER].endpoint, &sent[i], NULL, 0, 0),
			ND_SUCCESS);
	}
	ASSERT_ND(scene_bind_post(&bound, mw, 0, 64, READ_WRITE, &window), ND_NO_MORE_ENTRIES);
	nd_pair_take(&scene, scene.side[OWNER].outbound, results, 64);
	cr_assert_eq(results[63], &sent[63]);
	nd_pair_quiet(&scene, scene.side[OWNER].outbound);
	scene_bind(mw, 0, 64, READ_WRITE, &window);
	access_expect_write(&window, 0, 64);
}

/*
 * A Bind to a range outside the registration is refused at once, with ND_INVALID_PARAMETER_4 if the
 * start is outside and ND_INVALID_PARAMETER_5 if the end is.
 */
Test(nd_bind, nd_010_range_outside_the_registration_is_refused)
{
	static const struct {
		ptrdiff_t offset;
		size_t bytes;
		nd_status status;
	} ranges[] = {
		{-1, 64, ND_INVALID_PARAMETER_4},
		{-1, SCENE_BYTES + 2, ND_INVALID_PARAMETER_4},
		{SCENE_BYTES, 1, ND_INVALID_PARAMETER_4},
		{0, SCENE_BYTES + 1, ND_INVALID_PARAMETER_5},
		{1, SCENE_BYTES, ND_INVALID_PARAMETER_5},
		{SCENE_BYTES - 1, 2, ND_INVALID_PARAMETER_5},
		{0, SIZE_MAX, ND_INVALID_PARAMETER_5},
		{0, 0, ND_INVALID_PARAMETER_5},
	};
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window;
	struct nd_result bound;

	for (unsigned int i = 0; i < RTE_DIM(ranges); i++) {
		nd_status status = scene_bind_post(
			&bound, mw, (size_t)ranges[i].offset, ranges[i].bytes, READ_WRITE, &window);

		cr_assert_eq(status, ranges[i].status, "range %u: %s instead of %s", i,
			nd_status_name(status), nd_status_name(ranges[i].status));
	}
	nd_pair_quiet(&scene, scene.side[OWNER].outbound);
	scene_bind(mw, 0, SCENE_BYTES, READ_WRITE, &window);
	access_expect_write(&window, 0, SCENE_BYTES);
}

Test(nd_bind, nd_011_allow_read_lets_read_and_not_write)
{
	struct nd_mw_descriptor window;

	scene_bind(scene_window(OWNER, &invalidated), 0, 4096, 0x8, &window);
	access_expect_read(&window, 0, 4096);
	access_expect_write_refused(&window, 0);
	cr_assert_eq(nd_pair_counter(&scene, OWNER, "refused_rights"), 1);
}

Test(nd_bind, nd_012_allow_write_lets_write_and_not_read)
{
	struct nd_mw_descriptor window;

	scene_bind(scene_window(OWNER, &invalidated), 0, 4096, 0x10, &window);
	access_expect_write(&window, 0, 4096);
	access_expect_read_refused(&window);
	cr_assert_eq(nd_pair_counter(&scene, OWNER, "refused_rights"), 1);
}

Test(nd_bind, nd_013_both_flags_let_read_and_write)
{
	struct nd_mw_descriptor window;

	scene_bind(scene_window(OWNER, &invalidated), 0, 4096, 0x18, &window);
	access_expect_write(&window, 0, 4096);
	access_expect_read(&window, 0, 4096);
	scene_expect_alive();
}

/* A Bind without ALLOW flags is refused. The native API returns ND_INVALID_PARAMETER_6. */
Test(nd_bind, nd_014_bind_without_a_right_is_refused)
{
	static const uint32_t flags[] = {
		0, ND_OP_FLAG_SILENT_SUCCESS, ND_OP_FLAG_READ_FENCE, 0x18 | 0x40};
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window;
	struct nd_result bound;

	for (unsigned int i = 0; i < RTE_DIM(flags); i++)
		ASSERT_ND(scene_bind_post(&bound, mw, 0, 64, flags[i], &window),
			ND_INVALID_PARAMETER_6);
	nd_pair_quiet(&scene, scene.side[OWNER].outbound);
	scene_bind(mw, 0, 64, READ_WRITE, &window);
}

Test(nd_bind, nd_015_bind_gives_one_result_in_the_outbound_queue)
{
	struct nd_result bound = {.status = ND_FAILURE, .bytes_transferred = 7};
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window;

	ASSERT_ND(scene_bind_post(&bound, mw, 0, 64, READ_WRITE, &window), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &bound), ND_SUCCESS);
	cr_assert_eq(bound.bytes_transferred, 0);
	nd_pair_quiet(&scene, scene.side[OWNER].outbound);
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
}

Test(nd_bind, nd_016_silent_bind_gives_no_result)
{
	struct nd_result bound = {.status = ND_FAILURE};
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window;

	ASSERT_ND(
		scene_bind_post(&bound, mw, 0, 64, READ_WRITE | ND_OP_FLAG_SILENT_SUCCESS, &window),
		ND_SUCCESS);
	nd_pair_quiet(&scene, scene.side[OWNER].outbound);
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
	access_expect_write(&window, 0, 64);
	nd_pair_quiet(&scene, scene.side[OWNER].outbound);
}

Test(nd_bind, nd_017_silent_bind_that_fails_gives_a_result)
{
	const uint32_t silent = READ_WRITE | ND_OP_FLAG_SILENT_SUCCESS;
	struct nd_mw *mw = scene_window(OWNER, &invalidated), *never;
	struct nd_mw_descriptor source, window, again;
	struct nd_result bound, read, closed, flushed;
	struct nd_side first[2], second[2];

	scene_second(first);
	memcpy(second, scene.side, sizeof(second));
	memcpy(scene.side, first, sizeof(first));
	scene_source(&source);
	scene_bind(mw, 0, 64, READ_WRITE, &window);
	/*
	 * The invalidate by the other endpoint waits for a Read, so the window is still bound when
	 * the second bind is executed.
	 */
	scene_hold(&source, &read);
	ASSERT_ND(nd_endpoint_invalidate(first[OWNER].endpoint, &closed, mw, ND_OP_FLAG_READ_FENCE),
		ND_SUCCESS);
	ASSERT_ND(nd_endpoint_bind(second[OWNER].endpoint, &bound, first[OWNER].mr, mw,
			  first[OWNER].memory, 64, silent, &again),
		ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, first[OWNER].outbound, &bound), ND_INVALID_REQUEST);
	ASSERT_ND(nd_pair_result(&scene, first[OWNER].outbound, &read), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, first[OWNER].outbound, &closed), ND_SUCCESS);
	never = scene_window(OWNER, &invalidated);
	nd_endpoint_start_request_batch(first[OWNER].endpoint);
	ASSERT_ND(nd_endpoint_invalidate(first[OWNER].endpoint, &closed, never, 0), ND_SUCCESS);
	ASSERT_ND(scene_bind_post(&flushed, mw, 0, 64, silent, &again), ND_SUCCESS);
	nd_endpoint_submit_request_batch(first[OWNER].endpoint);
	ASSERT_ND(nd_pair_result(&scene, first[OWNER].outbound, &closed), ND_INVALIDATION_ERROR);
	ASSERT_ND(nd_pair_result(&scene, first[OWNER].outbound, &flushed), ND_CANCELED);
}

/*
 * For version 2 of the SPI, the engine accepts a bind without rights. The window gives no access.
 * The native call refuses a bind without rights (ND-014).
 */
Test(nd_bind, nd_018_engine_binds_without_rights_and_grants_nothing)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct mem_domain *mem = owner->adapter->mem;
	struct mem_region *region = (struct mem_region *)owner->mr;
	struct mem_window *window = fixture_window(mem);
	struct mem_access access = {
		.address = (uintptr_t)owner->memory, .owner = 0x123, .length_bytes = 64};
	uint64_t release;

	access.key = fixture_bind(mem,
		(struct mem_bind){.region = region,
			.window = window,
			.address = (uintptr_t)owner->memory,
			.length_bytes = 64},
		access.owner);
	for (uint32_t right = MEM_REMOTE_READ; right <= MEM_REMOTE_ATOMIC; right <<= 1) {
		access.rights = right;
		cr_assert_eq(fixture_check(mem, access), MEM_REFUSED_RIGHTS, "right %u", right);
	}
	ASSERT_STATUS(mem_region_deregister(mem, region, &release), RC_BUSY);
	ASSERT_STATUS(mem_window_invalidate(mem, window, access.owner), RC_OK);
}

/**
 * Let the owner post a Read that the peer does not answer, and then a bind. Then let the peer write
 * through the window.
 * @return whether the peer's Write arrived
 */
static bool
bound_past_a_read(
	uint32_t fence, struct nd_result *read, struct nd_result *bound, struct nd_result *written)
{
	struct nd_mw_descriptor source, window;

	scene_source(&source);
	nd_pair_pattern(scene.side[PEER].memory, 64, 19);
	scene_hold(&source, read);
	ASSERT_ND(scene_bind_post(bound, scene_window(OWNER, &invalidated), 4096, 64,
			  READ_WRITE | fence, &window),
		ND_SUCCESS);
	scene_write_post(&window, 0, 64, written);
	for (unsigned int i = 0; i < 100; i++)
		scene_poll(OWNER);
	return scene_arrived(4096, 64);
}

Test(nd_bind, nd_019_fenced_bind_waits_for_earlier_reads)
{
	struct nd_result read, bound, written, *results[2];
	struct nd_cq *outbound = scene.side[OWNER].outbound;
	struct nd_mw_descriptor source, window;

	cr_assert(bound_past_a_read(0, &read, &bound, &written), "bound although a Read is open");
	ASSERT_ND(nd_pair_result(&scene, outbound, &read), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, outbound, &bound), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &written), ND_SUCCESS);

	memset(scene.side[OWNER].memory + 4096, 0, 64);
	scene_source(&source);
	scene_hold(&source, &read);
	ASSERT_ND(scene_bind_post(&bound, scene_window(OWNER, &invalidated), 8192, 64,
			  READ_WRITE | ND_OP_FLAG_READ_FENCE, &window),
		ND_SUCCESS);
	nd_pair_take(&scene, outbound, results, 2);
	cr_assert(results[0] == &read && results[1] == &bound, "in the order of posting");
	ASSERT_ND(bound.status, ND_SUCCESS);
	access_expect_write(&window, 8192, 64);

	memset(scene.side[OWNER].memory + 4096, 0, 64);
	cr_assert_not(bound_past_a_read(ND_OP_FLAG_READ_FENCE, &read, &bound, &written),
		"the window was open before the Read was complete");
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &written), ND_REMOTE_ERROR);
}
