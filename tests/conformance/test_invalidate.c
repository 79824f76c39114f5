/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Tests of Network Direct statements (docs/rules.md, section ND C): the owner's own Invalidate. */

#include <string.h>

#include "access.h"

/** Length of a message with so many packets that one turn of an engine cannot complete it. */
#define LONG_BYTES (128u * 1024)

static struct nd_result invalidated;

TestSuite(nd_invalidate, .init = scene_connected, .fini = scene_close);
TestSuite(nd_invalidate_early, .init = scene_open, .fini = scene_close);

static nd_status
invalidate_post(struct nd_result *result, struct nd_mw *mw, uint32_t flags)
{
	return nd_endpoint_invalidate(scene.side[OWNER].endpoint, result, mw, flags);
}

/**
 * Create a window, and bind it with all rights to [offset, offset + bytes) of the owner's memory.
 */
static struct nd_mw *
bound_window(size_t offset, size_t bytes, struct nd_mw_descriptor *window)
{
	struct nd_mw *mw = scene_window(OWNER, &invalidated);

	scene_bind(mw, offset, bytes, READ_WRITE, window);
	return mw;
}

Test(nd_invalidate_early, nd_043_unconnected_endpoint_does_not_invalidate)
{
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_overlapped disconnect = {0};
	struct nd_result result;

	nd_pair_endpoint(&scene, OWNER);
	ASSERT_ND(invalidate_post(&result, mw, 0), ND_CONNECTION_INVALID);
	ASSERT_ND(nd_endpoint_release(scene.side[OWNER].endpoint), ND_SUCCESS);
	nd_pair_connect(&scene);
	ASSERT_ND(nd_pair_finish(&scene,
			  nd_connector_disconnect(scene.side[PEER].connector, &disconnect),
			  &disconnect),
		ND_SUCCESS);
	ASSERT_ND(invalidate_post(&result, mw, 0), ND_CONNECTION_INVALID);
	nd_pair_quiet(&scene, scene.side[OWNER].outbound);
}

Test(nd_invalidate, nd_044_full_queue_does_not_invalidate)
{
	struct nd_result received[64], sent[64], result, *results[64];
	struct nd_mw_descriptor window;
	struct nd_mw *mw = bound_window(0, 4096, &window);

	for (unsigned int i = 0; i < 64; i++) {
		scene_receive(PEER, &received[i]);
		ASSERT_ND(nd_endpoint_send(scene.side[OWNER].endpoint, &sent[i], NULL, 0, 0),
			ND_SUCCESS);
	}
	ASSERT_ND(invalidate_post(&result, mw, 0), ND_NO_MORE_ENTRIES);
	nd_pair_take(&scene, scene.side[OWNER].outbound, results, 64);
	nd_pair_quiet(&scene, scene.side[OWNER].outbound);
	access_expect_write(&window, 0, 4096);
	ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
}

Test(nd_invalidate, nd_045_success_gives_one_result_or_none_when_silent)
{
	struct nd_result result = {.status = ND_FAILURE, .bytes_transferred = 7};
	struct nd_cq *outbound = scene.side[OWNER].outbound;
	struct nd_mw_descriptor window;
	struct nd_mw *mw = bound_window(0, 4096, &window);

	ASSERT_ND(invalidate_post(&result, mw, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, outbound, &result), ND_SUCCESS);
	cr_assert_eq(result.bytes_transferred, 0);
	nd_pair_quiet(&scene, outbound);
	scene_bind(mw, 0, 4096, READ_WRITE, &window);
	ASSERT_ND(invalidate_post(&result, mw, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS);
	nd_pair_quiet(&scene, outbound);
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
	access_expect_write_refused(&window, 0);
	nd_pair_quiet(&scene, outbound);
}

Test(nd_invalidate, nd_046_silent_invalidate_that_fails_gives_a_result)
{
	struct nd_cq *outbound = scene.side[OWNER].outbound;
	struct nd_mw_descriptor window, source;
	struct nd_result result, read;
	struct nd_mw *mw;

	ASSERT_ND(invalidate_post(
			  &result, scene_window(OWNER, &invalidated), ND_OP_FLAG_SILENT_SUCCESS),
		ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, outbound, &result), ND_INVALIDATION_ERROR);
	scene_reconnect();
	mw = bound_window(0, 64, &window);
	scene_source(&source);
	scene_hold(&source, &read);
	ASSERT_ND(invalidate_post(&result, mw, ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE),
		ND_SUCCESS);
	ASSERT_ND(nd_endpoint_flush(scene.side[OWNER].endpoint), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, outbound, &read), ND_CANCELED);
	ASSERT_ND(nd_pair_result(&scene, outbound, &result), ND_CANCELED);
}

enum fate {
	FATE_BOUND,
	FATE_NEVER_BOUND,
	FATE_OF_ANOTHER_ENDPOINT,
	FATE_TWICE,
	FATE_FLUSHED,
	FATE_RELEASED,
	FATE_COUNT,
};

/** Bring about this situation, and invalidate. @return status of the Invalidate's result */
static nd_status
meet(enum fate fate, struct nd_side first[2])
{
	struct nd_mw_descriptor window, source;
	struct nd_result result, read, other;
	struct nd_mw *mw = fate == FATE_NEVER_BOUND ? scene_window(OWNER, &invalidated)
						    : bound_window(0, 64, &window);
	bool held = fate == FATE_FLUSHED || fate == FATE_RELEASED;

	if (fate == FATE_OF_ANOTHER_ENDPOINT)
		scene_second(first);
	if (fate == FATE_TWICE)
		ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
	if (held) {
		scene_source(&source);
		scene_hold(&source, &read);
	}
	ASSERT_ND(invalidate_post(&result, mw, held ? ND_OP_FLAG_READ_FENCE : 0), ND_SUCCESS);
	if (fate == FATE_FLUSHED)
		ASSERT_ND(nd_endpoint_flush(scene.side[OWNER].endpoint), ND_SUCCESS);
	if (fate == FATE_RELEASED)
		ASSERT_ND(nd_mw_release(scene.side[OWNER].adapter, mw), ND_SUCCESS);
	if (held) {
		other.status = nd_pair_result(&scene, scene.side[OWNER].outbound, &read);
		ASSERT_ND(other.status, fate == FATE_FLUSHED ? ND_CANCELED : ND_SUCCESS);
	}
	return nd_pair_result(&scene, scene.side[OWNER].outbound, &result);
}

Test(nd_invalidate, nd_047_statuses_of_results)
{
	static const nd_status expected[FATE_COUNT] = {
		[FATE_BOUND] = ND_SUCCESS,
		[FATE_NEVER_BOUND] = ND_INVALIDATION_ERROR,
		[FATE_OF_ANOTHER_ENDPOINT] = ND_INVALIDATION_ERROR,
		[FATE_TWICE] = ND_INVALIDATION_ERROR,
		[FATE_FLUSHED] = ND_CANCELED,
		[FATE_RELEASED] = ND_INVALIDATION_ERROR,
	};

	for (unsigned int fate = 0; fate < FATE_COUNT; fate++) {
		struct nd_side first[2];
		nd_status status = meet((enum fate)fate, first);

		cr_assert_eq(status, expected[fate], "fate %u: %s", fate, nd_status_name(status));
		scene_reconnect();
	}
}

/**
 * @return number of bytes of a long write that have arrived at the owner, a multiple of the packet
 * size
 */
static size_t
arrived_bytes(void)
{
	size_t bytes = 0;

	while (bytes < LONG_BYTES && scene_arrived(bytes, SCENE_MTU))
		bytes += SCENE_MTU;
	return bytes;
}

/** Let the owner post an Invalidate. Fail unless its result is in the queue without polling. */
static void
invalidate_at_once(struct nd_mw *mw)
{
	struct nd_result result, *got;

	ASSERT_ND(invalidate_post(&result, mw, 0), ND_SUCCESS);
	cr_assert_eq(nd_cq_get_results(scene.side[OWNER].outbound, &got, 1), 1);
	cr_assert_eq(got, &result);
	ASSERT_ND(result.status, ND_SUCCESS);
}

/** Invalidate the window in the middle of a long write of the peer. No later byte may arrive. */
static void
expect_write_cut(unsigned int turns)
{
	static uint8_t then[SCENE_BYTES];
	struct nd_mw_descriptor window;
	struct nd_mw *mw = bound_window(0, LONG_BYTES, &window);
	struct nd_result written, received;
	size_t arrived;

	nd_pair_pattern(scene.side[PEER].memory, LONG_BYTES, 48 + turns);
	scene_receive(OWNER, &received);
	scene_write_post(&window, 0, LONG_BYTES, &written);
	for (unsigned int i = 0; i < turns; i++) {
		scene_poll(OWNER);
		if (i + 1 < turns)
			scene_poll(PEER);
	}
	arrived = arrived_bytes();
	cr_assert(arrived > 0 && arrived < LONG_BYTES, "%zu bytes after %u turns", arrived, turns);
	invalidate_at_once(mw);
	memcpy(then, scene.side[OWNER].memory, SCENE_BYTES);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &written), ND_REMOTE_ERROR);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_CANCELED);
	scene_expect_over();
	cr_assert_arr_eq(scene.side[OWNER].memory, then, SCENE_BYTES);
	memset(scene.side[OWNER].memory, 0, SCENE_BYTES);
}

/**
 * Invalidate the window in the middle of a long read of the peer. Later responses must not contain
 * bytes of the owner's memory.
 */
static void
expect_read_cut(unsigned int turns)
{
	struct nd_mw_descriptor window;
	struct nd_mw *mw = bound_window(0, LONG_BYTES, &window);
	struct nd_result read, received;

	memset(scene.side[OWNER].memory, 0x11, LONG_BYTES);
	memset(scene.side[PEER].memory, 0, LONG_BYTES);
	scene_receive(OWNER, &received);
	scene_read_post(&window, 0, LONG_BYTES, &read);
	for (unsigned int i = 0; i < turns; i++)
		scene_poll(OWNER);
	invalidate_at_once(mw);
	memset(scene.side[OWNER].memory, 0xDD, LONG_BYTES);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &read), ND_REMOTE_ERROR);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_CANCELED);
	scene_expect_over();
	cr_assert_eq(scene.side[PEER].memory[0], 0x11, "the read was not in progress");
	cr_assert_null(memchr(scene.side[PEER].memory, 0xDD, LONG_BYTES));
}

Test(nd_invalidate, nd_048_transfers_in_progress_fail)
{
	for (unsigned int turns = 1; turns <= 4; turns++) {
		expect_write_cut(turns);
		scene_reconnect();
	}
	expect_read_cut(1);
}

Test(nd_invalidate, nd_049_access_after_the_invalidation_is_fatal)
{
	struct nd_mw_descriptor window;

	ASSERT_ND(scene_invalidate(bound_window(0, 4096, &window)), ND_SUCCESS);
	access_expect_write_refused(&window, 0);
	scene_reconnect();
	ASSERT_ND(scene_invalidate(bound_window(0, 4096, &window)), ND_SUCCESS);
	access_expect_read_refused(&window);
	cr_assert_eq(nd_pair_counter(&scene, OWNER, "refused_key"), 2);
}

/**
 * Let the owner post a Read that the peer does not answer, and then an Invalidate. Then let the
 * peer write through the window.
 * @return whether the peer's Write arrived
 */
static bool
open_past_a_read(uint32_t flags, struct nd_result *read, struct nd_result *result,
	struct nd_result *written, struct nd_mw_descriptor *window)
{
	struct nd_mw *mw = bound_window(4096, 64, window);
	struct nd_mw_descriptor source;

	memset(scene.side[OWNER].memory + 4096, 0, 64);
	scene_source(&source);
	nd_pair_pattern(scene.side[PEER].memory, 64, 50);
	scene_hold(&source, read);
	ASSERT_ND(invalidate_post(result, mw, flags), ND_SUCCESS);
	scene_write_post(window, 0, 64, written);
	for (unsigned int i = 0; i < 100; i++)
		scene_poll(OWNER);
	return scene_arrived(4096, 64);
}

Test(nd_invalidate, nd_050_fenced_invalidate_waits_for_earlier_reads)
{
	struct nd_result read, result, written, *results[2];
	struct nd_mw_descriptor window;

	cr_assert(open_past_a_read(ND_OP_FLAG_READ_FENCE, &read, &result, &written, &window),
		"invalidated although a Read is open");
	nd_pair_take(&scene, scene.side[OWNER].outbound, results, 2);
	cr_assert(results[0] == &read && results[1] == &result, "in the order of posting");
	ASSERT_ND(read.status, ND_SUCCESS);
	ASSERT_ND(result.status, ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &written), ND_SUCCESS);
	access_expect_write_refused(&window, 4096);
	scene_reconnect();
	cr_assert_not(open_past_a_read(0, &read, &result, &written, &window),
		"open although nothing was to be waited for");
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &written), ND_REMOTE_ERROR);
}

Test(nd_invalidate, nd_051_invalidated_window_can_be_bound_again)
{
	struct nd_mw_descriptor window, before;
	struct nd_mw *mw = bound_window(0, 64, &window);

	for (unsigned int i = 1; i <= 50; i++) {
		before = window;
		ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
		scene_bind(mw, 64 * i, 64, READ_WRITE, &window);
		cr_assert_neq(window.token, before.token);
		access_expect_write(&window, 64 * i, 64);
	}
	access_expect_write_refused(&before, 64 * 49);
}

Test(nd_invalidate, nd_052_unbound_window_ends_the_connection)
{
	struct nd_result received[2];

	cr_assert_eq(ND_INVALIDATION_ERROR, ND_STATUS(0xC0000010u));
	scene_receive(OWNER, &received[OWNER]);
	scene_receive(PEER, &received[PEER]);
	ASSERT_ND(scene_invalidate(scene_window(OWNER, &invalidated)), ND_INVALIDATION_ERROR);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(nd_pair_result(&scene, scene.side[i].inbound, &received[i]), ND_CANCELED);
	scene_expect_over();
}

/*
 * An Invalidate without context and flags succeeds, and the application can wait for its
 * completion. In version 1 of the SPI, the required pointer to a result replaces the context.
 */
Test(nd_invalidate, nd_053_invalidate_and_wait_for_the_completion)
{
	struct nd_cq *outbound = scene.side[OWNER].outbound;
	struct nd_overlapped notify = {0};
	struct nd_result result, *got;
	struct nd_mw_descriptor window;
	struct nd_mw *mw = bound_window(0, 64, &window);
	nd_status status;

	ASSERT_ND(invalidate_post(NULL, mw, 0), ND_INVALID_PARAMETER_1);
	/*
	 * An earlier completion may complete the first notification at once (ND-134). In this case,
	 * request a second notification.
	 */
	status = nd_cq_notify(outbound, ND_CQ_NOTIFY_ANY, &notify);
	if (status == ND_SUCCESS)
		status = nd_cq_notify(outbound, ND_CQ_NOTIFY_ANY, &notify);
	ASSERT_ND(status, ND_PENDING);
	ASSERT_ND(invalidate_post(&result, mw, 0), ND_SUCCESS);
	ASSERT_ND(nd_overlapped_get_result(&notify, NULL, true), ND_SUCCESS);
	cr_assert_eq(nd_cq_get_results(outbound, &got, 1), 1);
	cr_assert_eq(got, &result);
	ASSERT_ND(result.status, ND_SUCCESS);
}

Test(nd_invalidate, nd_054_receives_of_the_owner_are_cancelled)
{
	for (unsigned int write = 0; write < 2; write++) {
		struct nd_result received[3], *results[3];
		struct nd_mw_descriptor window;

		ASSERT_ND(scene_invalidate(bound_window(0, 64, &window)), ND_SUCCESS);
		for (unsigned int i = 0; i < 3; i++)
			scene_receive(OWNER, &received[i]);
		ASSERT_ND(write ? scene_write(&window, 0, 64) : scene_read(&window, 0, 64),
			ND_REMOTE_ERROR);
		nd_pair_take(&scene, scene.side[OWNER].inbound, results, 3);
		for (unsigned int i = 0; i < 3; i++) {
			cr_assert_eq(results[i], &received[i]);
			ASSERT_ND(received[i].status, ND_CANCELED);
		}
		scene_reconnect();
	}
}

Test(nd_invalidate, nd_055_invalidate_does_not_overtake_a_send)
{
	struct nd_result read, sent, result, written, received;
	struct nd_mw_descriptor window, source;
	struct nd_mw *mw = bound_window(4096, 64, &window);

	scene_source(&source);
	nd_pair_pattern(scene.side[PEER].memory, 64, 55);
	scene_receive(PEER, &received);
	scene_hold(&source, &read);
	/* The fenced Send waits for the Read. The Invalidate waits only for the Send. */
	ASSERT_ND(
		nd_endpoint_send(scene.side[OWNER].endpoint, &sent, NULL, 0, ND_OP_FLAG_READ_FENCE),
		ND_SUCCESS);
	ASSERT_ND(invalidate_post(&result, mw, 0), ND_SUCCESS);
	scene_write_post(&window, 0, 64, &written);
	for (unsigned int i = 0; i < 100; i++)
		scene_poll(OWNER);
	cr_assert(scene_arrived(4096, 64), "invalidated before the Send was executed");
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].inbound, &received), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &read), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &sent), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &result), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &written), ND_SUCCESS);
	access_expect_write_refused(&window, 4096);
}
