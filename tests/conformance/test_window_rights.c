/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md, section ND A, second half): the descriptor and
 * the token of a bind, and the access that they give to the peer.
 */

#include <endian.h>
#include <string.h>

#include "access.h"
#include "nd/adapter.h"
#include "unit/mem_fixture.h"

static struct nd_result invalidated;

TestSuite(nd_rights, .init = scene_connected, .fini = scene_close);

/**
 * Let the owner post a Read that the peer does not answer, so that a later fenced bind waits in the
 * send queue.
 */
static void
queue_hold(struct nd_result *read)
{
	struct nd_mw_descriptor source;

	scene_source(&source);
	scene_hold(&source, read);
}

Test(nd_rights, nd_020_descriptor_is_filled_by_the_call)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window, then;
	struct nd_result read, bound, *none;

	memset(&window, 0xEE, sizeof(window));
	queue_hold(&read);
	ASSERT_ND(scene_bind_post(&bound, mw, 64, 128, READ_WRITE | ND_OP_FLAG_READ_FENCE, &window),
		ND_SUCCESS);
	cr_assert_eq(nd_cq_get_results(owner->outbound, &none, 1), 0);
	cr_assert_eq(be64toh(window.base), (uintptr_t)owner->memory + 64);
	cr_assert_eq(be64toh(window.length), 128);
	cr_assert_neq(window.token, 0xEEEEEEEE);
	then = window;
	ASSERT_ND(nd_pair_result(&scene, owner->outbound, &read), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, owner->outbound, &bound), ND_SUCCESS);
	cr_assert_arr_eq((uint8_t *)&window, (uint8_t *)&then, sizeof(then));
	access_expect_write(&then, 64, 128);
}

/*
 * The descriptor has 20 bytes: Base, Length and Token in big-endian order. Length is the length
 * that the Bind requested.
 */
Test(nd_rights, nd_021_descriptor_is_twenty_bytes_big_endian)
{
	static const size_t lengths[] = {1, 255, 256, 0x1234, SCENE_BYTES - 16};
	struct nd_mw_descriptor window;
	uint8_t bytes[20];

	cr_assert_eq(sizeof(window), sizeof(bytes));
	for (unsigned int i = 0; i < RTE_DIM(lengths); i++) {
		uint64_t base = 0, length = 0;

		scene_bind(scene_window(OWNER, &invalidated), 16, lengths[i], READ_WRITE, &window);
		memcpy(bytes, &window, sizeof(bytes));
		for (unsigned int b = 0; b < 8; b++) {
			base = base << 8 | bytes[b];
			length = length << 8 | bytes[8 + b];
		}
		cr_assert_eq(base, (uintptr_t)scene.side[OWNER].memory + 16);
		cr_assert_eq(length, lengths[i]);
		cr_assert_arr_eq(bytes + 16, (uint8_t *)&window.token, 4);
		access_expect_write(&window, 16, lengths[i]);
	}
}

/** Bind on the owner, send the descriptor directly after the Bind, and receive it at the peer. */
static void
descriptor_hand_over(size_t offset, size_t bytes, struct nd_result results[2], void *descriptor)
{
	struct nd_side *owner = &scene.side[OWNER], *peer = &scene.side[PEER];
	struct nd_mw_descriptor window;
	struct nd_sge out = {&window, sizeof(window), NULL};
	struct nd_sge in = {peer->memory + SCENE_BYTES - 32, 32, peer->mr};
	struct nd_result received;

	ASSERT_ND(nd_endpoint_receive(peer->endpoint, &received, &in, 1), ND_SUCCESS);
	nd_endpoint_start_request_batch(owner->endpoint);
	ASSERT_ND(scene_bind_post(&results[0], scene_window(OWNER, &invalidated), offset, bytes,
			  READ_WRITE, &window),
		ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(owner->endpoint, &results[1], &out, 1, 0), ND_SUCCESS);
	nd_endpoint_submit_request_batch(owner->endpoint);
	memset(&window, 0, sizeof(window));
	for (unsigned int i = 0; i < 100; i++)
		scene_poll(PEER);
	ASSERT_ND(nd_pair_result(&scene, peer->inbound, &received), ND_SUCCESS);
	cr_assert_eq(received.bytes_transferred, sizeof(window));
	memcpy(descriptor, in.address, sizeof(window));
}

/* ND-022. A descriptor that is sent right after its Bind is valid when the message arrives. */
Test(nd_rights, nd_022_descriptor_sent_behind_the_bind_is_good_on_arrival)
{
	struct nd_mw_descriptor window;
	struct nd_result results[2], *taken[2];

	descriptor_hand_over(4096, 512, results, &window);
	/* The peer already writes although the owner has not taken its results. */
	access_expect_write(&window, 4096, 512);
	nd_pair_take(&scene, scene.side[OWNER].outbound, taken, 2);
	cr_assert(taken[0] == &results[0] && taken[1] == &results[1]);
	ASSERT_ND(results[0].status, ND_SUCCESS);
}

/* ND-023. Windows over the same bytes have separate rights. */
Test(nd_rights, nd_023_overlapping_windows_enforce_their_own_rights)
{
	struct nd_mw_descriptor reading, writing;

	scene_bind(scene_window(OWNER, &invalidated), 0, 4096, ND_OP_FLAG_ALLOW_READ, &reading);
	scene_bind(scene_window(OWNER, &invalidated), 2048, 4096, ND_OP_FLAG_ALLOW_WRITE, &writing);
	access_expect_write(&writing, 2048, 4096);
	access_expect_read(&reading, 0, 4096);
	access_expect_read_refused(&writing);
	scene_reconnect();
	scene_bind(scene_window(OWNER, &invalidated), 0, 4096, ND_OP_FLAG_ALLOW_READ, &reading);
	scene_bind(scene_window(OWNER, &invalidated), 0, 4096, READ_WRITE, &writing);
	access_expect_write(&writing, 0, 4096);
	access_expect_write_refused(&reading, 0);
}

/*
 * Window, memory and endpoint must belong to the same adapter. Otherwise Bind returns
 * ND_INVALID_PARAMETER_3 (window) or ND_INVALID_PARAMETER_2 (memory).
 */
Test(nd_rights, nd_024_window_or_memory_of_another_adapter_is_refused)
{
	struct nd_side *owner = &scene.side[OWNER], *peer = &scene.side[PEER];
	struct nd_mw *foreign = scene_window(PEER, &invalidated);
	struct nd_mw *own = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window;
	struct nd_result bound;

	ASSERT_ND(scene_bind_post(&bound, foreign, 0, 64, READ_WRITE, &window),
		ND_INVALID_PARAMETER_3);
	ASSERT_ND(nd_endpoint_bind(owner->endpoint, &bound, peer->mr, own, peer->memory, 64,
			  READ_WRITE, &window),
		ND_INVALID_PARAMETER_2);
	nd_pair_quiet(&scene, owner->outbound);
	ASSERT_ND(nd_endpoint_bind(peer->endpoint, &bound, peer->mr, foreign, peer->memory, 64,
			  READ_WRITE, &window),
		ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, peer->outbound, &bound), ND_SUCCESS);
	scene_bind(own, 0, 64, READ_WRITE, &window);
}

Test(nd_rights, nd_025_deregister_of_a_bound_region_is_device_busy)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_mw *windows[3];
	struct nd_mw_descriptor window;

	for (unsigned int i = 0; i < 3; i++) {
		windows[i] = scene_window(OWNER, &invalidated);
		scene_bind(windows[i], 64 * i, 128, READ_WRITE, &window);
	}
	for (unsigned int i = 0; i < 3; i++) {
		ASSERT_ND(nd_adapter_deregister_memory(owner->adapter, owner->mr, NULL),
			ND_DEVICE_BUSY);
		if (i == 0)
			access_expect_write(&window, 128, 128); /* the window is unchanged */
		ASSERT_ND(scene_invalidate(windows[i]), ND_SUCCESS);
	}
	ASSERT_ND(nd_adapter_deregister_memory(owner->adapter, owner->mr, NULL), ND_SUCCESS);
}

static void
count_call(struct nd_overlapped *overlapped, void *count)
{
	(void)overlapped;
	++*(unsigned int *)count;
}

/*
 * The deregistration returns the busy status at once. The deregistration does not become pending
 * and reports nothing later.
 */
Test(nd_rights, nd_026_busy_is_the_answer_of_the_call)
{
	struct nd_side *owner = &scene.side[OWNER];
	unsigned int called = 0;
	struct nd_overlapped overlapped = {.callback = count_call, .callback_arg = &called};
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window;
	struct nd_result read, bound;

	/* A bind that is queued, but not executed, also makes the memory busy. */
	queue_hold(&read);
	ASSERT_ND(scene_bind_post(&bound, mw, 0, 64, READ_WRITE | ND_OP_FLAG_READ_FENCE, &window),
		ND_SUCCESS);
	ASSERT_ND(nd_adapter_deregister_memory(owner->adapter, owner->mr, &overlapped),
		ND_DEVICE_BUSY);
	ASSERT_ND(nd_pair_result(&scene, owner->outbound, &read), ND_SUCCESS);
	ASSERT_ND(nd_adapter_deregister_memory(owner->adapter, owner->mr, &overlapped),
		ND_DEVICE_BUSY);
	ASSERT_ND(nd_pair_result(&scene, owner->outbound, &bound), ND_SUCCESS);
	nd_pair_quiet(&scene, owner->outbound);
	cr_assert_eq(called, 0);
}

/** Register [0, 4096) of the owner's memory with rights that version 1 cannot express. */
static struct nd_mr *
region_with(uint32_t rights)
{
	const struct nd_side *owner = &scene.side[OWNER];

	return (struct nd_mr *)fixture_region(
		owner->adapter->mem, (uintptr_t)owner->memory, owner->memory, 4096, rights);
}

/*
 * ND-027. A Bind with ALLOW_WRITE to memory without the local write right returns
 * ND_ACCESS_VIOLATION at once. Version 1 always registers with this right, so the test uses
 * internal calls of the engine.
 */
Test(nd_rights, nd_027_remote_write_needs_the_local_write_right)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window;
	struct nd_result bound;

	owner->mr = region_with(MEM_WINDOW_BIND);
	ASSERT_ND(scene_bind_post(&bound, mw, 0, 64, READ_WRITE, &window), ND_ACCESS_VIOLATION);
	ASSERT_ND(scene_bind_post(&bound, mw, 0, 64, ND_OP_FLAG_ALLOW_WRITE, &window),
		ND_ACCESS_VIOLATION);
	nd_pair_quiet(&scene, owner->outbound);
	scene_bind(mw, 0, 64, ND_OP_FLAG_ALLOW_READ, &window);
	access_expect_read(&window, 0, 64);
}

Test(nd_rights, nd_028_region_needs_no_remote_right)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_mw_descriptor window;

	owner->mr = region_with(MEM_LOCAL_WRITE | MEM_WINDOW_BIND);
	scene_bind(scene_window(OWNER, &invalidated), 0, 4096, READ_WRITE, &window);
	access_expect_write(&window, 0, 4096);
	access_expect_read(&window, 0, 4096);
	/* The memory has no remote rights, so its own key gives no access. */
	window.token = htobe32(mem_region_key((struct mem_region *)owner->mr));
	access_expect_write_refused(&window, 0);
}

Test(nd_rights, nd_029_token_is_good_when_bind_has_returned)
{
	struct nd_mw_descriptor window;
	struct nd_result bound, written;

	nd_pair_pattern(scene.side[PEER].memory, 64, 29);
	ASSERT_ND(scene_bind_post(
			  &bound, scene_window(OWNER, &invalidated), 0, 64, READ_WRITE, &window),
		ND_SUCCESS);
	scene_write_post(&window, 0, 64, &written);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &written), ND_SUCCESS);
	cr_assert(scene_arrived(0, 64));
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &bound), ND_SUCCESS);
}

Test(nd_rights, nd_030_token_bytes_travel_unchanged)
{
	struct nd_mw_descriptor window = {0};
	struct nd_result results[2];
	uint8_t bytes[sizeof(window)];

	for (unsigned int i = 0; i < 16; i++) {
		descriptor_hand_over(64 * i, 64, results, bytes);
		for (unsigned int b = 0; b < sizeof(bytes); b++)
			((uint8_t *)&window)[b] = bytes[b];
		access_expect_write(&window, 64 * i, 64);
		ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &results[0]),
			ND_SUCCESS);
		ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &results[1]),
			ND_SUCCESS);
	}
}

/* The remote address of a byte is its virtual address at the owner, not counted from 0. */
Test(nd_rights, nd_031_remote_address_is_the_owners_virtual_address)
{
	struct nd_mw_descriptor window, inner;

	scene_bind(scene_window(OWNER, &invalidated), 4096, 4096, READ_WRITE, &window);
	cr_assert_eq(be64toh(window.base), (uintptr_t)scene.side[OWNER].memory + 4096);
	inner = window;
	inner.base = htobe64((uintptr_t)scene.side[OWNER].memory + 5000);
	inner.length = htobe64(64);
	access_expect_write(&inner, 5000, 64);
	inner.base = 0;
	access_expect_write_refused(&inner, 4096);
}
