/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md, section ND D): SendAndInvalidate of the peer,
 * and the invalidate result.
 */

#include <endian.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <rte_common.h>

#include "access.h"
#include "nd/adapter.h"
#include "nd/cq.h"

#define RACE_ROUNDS 50

static struct nd_result invalidated;

TestSuite(nd_send_invalidate, .init = scene_connected, .fini = scene_close);

static void
invalidate_send(struct nd_result *sent, const struct nd_mw_descriptor *window, uint32_t flags)
{
	ASSERT_ND(nd_endpoint_send_and_invalidate(
			  scene.side[PEER].endpoint, sent, NULL, 0, window, flags),
		ND_SUCCESS);
}

static struct nd_mw *
bound_window(struct nd_result *invalidate_result, struct nd_mw_descriptor *window)
{
	struct nd_mw *mw = scene_window(OWNER, invalidate_result);

	scene_bind(mw, 0, 4096, READ_WRITE, window);
	return mw;
}

/**
 * Let the peer send with invalidate. The invalidate result must precede the result of the receive
 * (ND-056).
 */
static void
peer_invalidates(const struct nd_mw_descriptor *window, struct nd_result *invalidate_result)
{
	struct nd_result sent, received, *results[2];

	scene_receive(OWNER, &received);
	invalidate_send(&sent, window, 0);
	nd_pair_take(&scene, scene.side[OWNER].inbound, results, 2);
	cr_assert_eq(results[0], invalidate_result);
	cr_assert_eq(results[1], &received);
	ASSERT_ND(invalidate_result->status, ND_SUCCESS);
	ASSERT_ND(received.status, ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
}

Test(nd_send_invalidate, nd_056_invalidate_result_comes_before_the_receive)
{
	struct nd_side *owner = &scene.side[OWNER], *peer = &scene.side[PEER];
	struct nd_sge in = {owner->memory + 8192, 128, owner->mr};
	struct nd_sge out = {peer->memory, 100, peer->mr};
	struct nd_result before, received, plain, sent, *results[3];
	struct nd_mw_descriptor window;

	bound_window(&invalidated, &window);
	nd_pair_pattern(peer->memory, 100, 56);
	scene_receive(OWNER, &before);
	ASSERT_ND(nd_endpoint_receive(owner->endpoint, &received, &in, 1), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(peer->endpoint, &plain, NULL, 0, 0), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send_and_invalidate(peer->endpoint, &sent, &out, 1, &window, 0),
		ND_SUCCESS);
	nd_pair_take(&scene, owner->inbound, results, 3);
	cr_assert_eq(results[0], &before, "the message before it");
	cr_assert_eq(results[1], &invalidated);
	cr_assert_eq(results[2], &received);
	ASSERT_ND(invalidated.status, ND_SUCCESS);
	ASSERT_ND(received.status, ND_SUCCESS);
	cr_assert_eq(received.bytes_transferred, 100);
	cr_assert(scene_arrived(8192, 100));
	nd_pair_quiet(&scene, owner->inbound);
}

/* The queue returns the result pointer that the application passed to CreateMemoryWindow. */
Test(nd_send_invalidate, nd_057_result_is_the_windows_own)
{
	struct nd_result results[4];
	struct nd_mw_descriptor windows[4];

	for (unsigned int i = 0; i < 4; i++)
		bound_window(&results[i], &windows[i]);
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int which = (i + 2) % 4;

		memset(results, 0x5A, sizeof(results));
		peer_invalidates(&windows[which], &results[which]);
		cr_assert_eq(results[which].bytes_transferred, 0);
	}
	scene_expect_alive();
}

static struct nd_result *
page_make(void)
{
	void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cr_assert_neq(page, MAP_FAILED);
	return page;
}

static void
page_forbid(struct nd_result *result)
{
	cr_assert_eq(mprotect(result, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE), 0);
}

/** Make all calls that could access the window's result. The application has freed this result. */
static void
use_all(struct nd_mw *mw)
{
	struct nd_mw_descriptor window;

	scene_expect_alive();
	scene_bind(mw, 0, 64, READ_WRITE, &window);
	access_expect_write(&window, 0, 64);
	ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
	ASSERT_ND(nd_mw_release(scene.side[OWNER].adapter, mw), ND_SUCCESS);
	scene_expect_alive();
}

/*
 * After the invalidate result was delivered, or after an Invalidate has succeeded, the library no
 * longer accesses the memory of this result. A posted Invalidate is not enough, because the peer's
 * invalidation may still win (ND-061). The library then writes the result (ND-056).
 */
Test(nd_send_invalidate, nd_058_result_memory_may_go_afterwards)
{
	struct nd_result *result = page_make();
	struct nd_mw_descriptor window;
	struct nd_mw *mw = bound_window(result, &window);

	peer_invalidates(&window, result);
	page_forbid(result);
	use_all(mw);

	result = page_make();
	mw = bound_window(result, &window);
	ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
	page_forbid(result);
	use_all(mw);
}

Test(nd_send_invalidate, nd_059_needs_a_receive_like_send)
{
	struct nd_cq *outbound = scene.side[PEER].outbound;
	struct nd_result sent, received, *results[2];
	struct nd_mw_descriptor window;

	bound_window(&invalidated, &window);
	invalidate_send(&sent, &window, 0);
	for (unsigned int i = 0; nd_pair_counter(&scene, OWNER, "tx_rnr_naks") == 0; i++) {
		cr_assert_lt(i, 100000);
		nd_pair_poll(&scene);
	}
	cr_assert_eq(nd_cq_get_results(scene.side[OWNER].inbound, results, 2), 0);
	scene_receive(OWNER, &received);
	nd_pair_take(&scene, scene.side[OWNER].inbound, results, 2);
	cr_assert(results[0] == &invalidated && results[1] == &received);
	ASSERT_ND(nd_pair_result(&scene, outbound, &sent), ND_SUCCESS);

	bound_window(&invalidated, &window);
	invalidate_send(&sent, &window, 0);
	ASSERT_ND(nd_pair_result(&scene, outbound, &sent), ND_IO_TIMEOUT);
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
	scene_reconnect();
	ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, outbound, &sent), ND_IO_TIMEOUT);
}

Test(nd_send_invalidate, nd_060_local_invalidate_afterwards_ends_the_connection)
{
	struct nd_mw_descriptor window;
	struct nd_mw *mw = bound_window(&invalidated, &window);

	peer_invalidates(&window, &invalidated);
	ASSERT_ND(scene_invalidate(mw), ND_INVALIDATION_ERROR);
	scene_expect_over();
}

/** A race between an Invalidate of the owner and a SendAndInvalidate of the peer. */
struct race {
	struct nd_result local;
	struct nd_result sent;
	struct nd_result invalidated;
	struct nd_result received[2];
	struct nd_mw *mw;
	struct nd_mw_descriptor window;
};

static void
race_start(struct race *race)
{
	race->mw = bound_window(&race->invalidated, &race->window);
	scene_receive(OWNER, &race->received[0]);
	scene_receive(OWNER, &race->received[1]);
}

static void
race_local(struct race *race, uint32_t flags)
{
	ASSERT_ND(nd_endpoint_invalidate(scene.side[OWNER].endpoint, &race->local, race->mw, flags),
		ND_SUCCESS);
}

/**
 * Fail unless exactly one of the two invalidations succeeded and the connection has ended.
 * @return whether the peer's invalidation succeeded
 */
static bool
race_finish(struct race *race, uint64_t seed)
{
	struct nd_cq *inbound = scene.side[OWNER].inbound;
	bool peer_won;
	nd_status sent;

	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &race->local),
		race->local.status);
	peer_won = race->local.status != ND_SUCCESS;
	if (peer_won) {
		ASSERT_ND(race->local.status, ND_INVALIDATION_ERROR);
		ASSERT_ND(nd_pair_result(&scene, inbound, &race->invalidated), ND_SUCCESS);
	}
	ASSERT_ND(nd_pair_result(&scene, inbound, &race->received[0]),
		peer_won ? ND_SUCCESS : ND_INVALIDATION_ERROR);
	ASSERT_ND(nd_pair_result(&scene, inbound, &race->received[1]), ND_CANCELED);
	sent = nd_pair_result(&scene, scene.side[PEER].outbound, &race->sent);
	/*
	 * If the peer won, the end of the connection may prevent the acknowledgement of its
	 * message.
	 */
	cr_assert(peer_won ? sent == ND_SUCCESS || sent == ND_CANCELED : sent == ND_REMOTE_ERROR,
		"seed %llu: %s", (unsigned long long)seed, nd_status_name(sent));
	scene_expect_over();
	nd_pair_quiet(&scene, inbound);
	scene_reconnect();
	access_expect_write_refused(&race->window, 0);
	scene_reconnect();
	ASSERT_ND(nd_mw_release(scene.side[OWNER].adapter, race->mw), ND_SUCCESS);
	return peer_won;
}

static uint32_t
draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % below;
}

static void
random_turns(uint64_t *state)
{
	for (uint32_t turns = draw(state, 4); turns > 0; turns--)
		scene_poll(draw(state, 2));
}

/** Start both invalidations in random order, with turns of the engines in between. */
static bool
race_random(uint64_t seed)
{
	bool local_first;
	struct race race;
	uint64_t state = seed;

	race_start(&race);
	random_turns(&state);
	local_first = draw(&state, 2) == 0;
	if (local_first)
		race_local(&race, 0);
	else
		invalidate_send(&race.sent, &race.window, 0);
	random_turns(&state);
	if (local_first)
		invalidate_send(&race.sent, &race.window, 0);
	else
		race_local(&race, 0);
	return race_finish(&race, seed);
}

/*
 * If an Invalidate of the owner and the peer's SendAndInvalidate race, exactly one succeeds. The
 * other one fails and the connection ends, whichever is executed first.
 */
Test(nd_send_invalidate, nd_061_one_of_two_invalidations_wins)
{
	struct nd_mw_descriptor source;
	struct nd_result read;
	struct race race;

	/* Case 1: the peer's invalidation arrives before the local Invalidate is posted. */
	race_start(&race);
	invalidate_send(&race.sent, &race.window, 0);
	scene_poll(OWNER);
	race_local(&race, 0);
	cr_assert(race_finish(&race, 0));
	/* Case 2: the peer's invalidation is in flight when the local Invalidate is posted. */
	race_start(&race);
	invalidate_send(&race.sent, &race.window, 0);
	race_local(&race, 0);
	cr_assert_not(race_finish(&race, 0));
	/* Case 3: the local Invalidate is executed before the peer's message is sent. */
	race_start(&race);
	race_local(&race, 0);
	invalidate_send(&race.sent, &race.window, 0);
	cr_assert_not(race_finish(&race, 0));
	/* Case 4: the local Invalidate is posted first, but waits in the send queue for a Read. */
	race_start(&race);
	scene_source(&source);
	scene_hold(&source, &read);
	race_local(&race, ND_OP_FLAG_READ_FENCE);
	invalidate_send(&race.sent, &race.window, 0);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &read), ND_SUCCESS);
	cr_assert(race_finish(&race, 0));
}

Test(nd_send_invalidate, random_races_have_one_winner)
{
	uint64_t seed = (uint64_t)time(NULL) * 1000;
	unsigned int wins[2] = {0};

	cr_log_info("seed %llu\n", (unsigned long long)seed);
	for (unsigned int i = 0; i < RACE_ROUNDS; i++)
		wins[race_random(seed + i)]++;
	cr_assert(wins[0] > 0 && wins[1] > 0, "seed %llu: %u local, %u peer",
		(unsigned long long)seed, wins[0], wins[1]);
}

Test(nd_send_invalidate, nd_062_no_invalidation_by_the_peer_no_result)
{
	struct nd_overlapped disconnect = {0};
	struct nd_mw_descriptor window;
	struct nd_mw *mw = bound_window(&invalidated, &window);

	memset(&invalidated, 0x5A, sizeof(invalidated));
	access_expect_write(&window, 0, 4096);
	access_expect_read(&window, 0, 4096);
	scene_expect_alive();
	ASSERT_ND(scene_invalidate(mw), ND_SUCCESS);
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
	scene_bind(mw, 0, 64, READ_WRITE, &window);
	ASSERT_ND(nd_pair_finish(&scene,
			  nd_connector_disconnect(scene.side[PEER].connector, &disconnect),
			  &disconnect),
		ND_SUCCESS);
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
	ASSERT_ND(nd_mw_release(scene.side[OWNER].adapter, mw), ND_SUCCESS);
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
	cr_assert_eq(invalidated.status, 0x5A5A5A5A);
}

/* A message without data, posted with the list NULL and 0, also invalidates. */
Test(nd_send_invalidate, nd_063_empty_message_invalidates)
{
	struct nd_result sent, received, *results[2];
	struct nd_mw_descriptor window;

	bound_window(&invalidated, &window);
	scene_receive(OWNER, &received);
	ASSERT_ND(nd_endpoint_send_and_invalidate(
			  scene.side[PEER].endpoint, &sent, NULL, 0, &window, 0),
		ND_SUCCESS);
	nd_pair_take(&scene, scene.side[OWNER].inbound, results, 2);
	cr_assert(results[0] == &invalidated && results[1] == &received);
	cr_assert_eq(received.bytes_transferred, 0);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
	access_expect_write_refused(&window, 0);
}

/** Results that were in the queue when the notification was reported. */
struct told {
	struct nd_result *results[4];
	size_t count;
	unsigned int times;
};

static void
take_told(struct nd_overlapped *overlapped, void *arg)
{
	struct told *told = arg;

	(void)overlapped;
	told->times++;
	told->count = nd_cq_get_results(scene.side[OWNER].inbound, told->results, 4);
}

/*
 * A message with SEND_AND_SOLICIT_EVENT notifies the owner after the Receive's result was added to
 * the queue.
 */
Test(nd_send_invalidate, nd_064_solicited_event_comes_behind_the_receive)
{
	struct told told = {0};
	struct nd_overlapped notify = {.callback = take_told, .callback_arg = &told};
	struct nd_cq *inbound = scene.side[OWNER].inbound;
	struct nd_result sent, received, *results[2];
	struct nd_mw_descriptor window;

	bound_window(&invalidated, &window);
	ASSERT_ND(nd_cq_notify(inbound, ND_CQ_NOTIFY_SOLICITED, &notify), ND_PENDING);
	scene_receive(OWNER, &received);
	invalidate_send(&sent, &window, 0);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
	cr_assert_eq(told.times, 0);
	nd_pair_take(&scene, inbound, results, 2);
	bound_window(&invalidated, &window);
	scene_receive(OWNER, &received);
	invalidate_send(&sent, &window, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
	cr_assert_eq(told.times, 1);
	cr_assert_eq(told.count, 2, "%zu results", told.count);
	cr_assert_eq(told.results[0], &invalidated);
	cr_assert_eq(told.results[1], &received);
	ASSERT_ND(received.status, ND_SUCCESS);
}

static void
expect_aborted(uint32_t token)
{
	const struct nd_mw_descriptor window = {.token = token};
	struct nd_result sent, received[2];

	scene_receive(OWNER, &received[0]);
	scene_receive(OWNER, &received[1]);
	invalidate_send(&sent, &window, 0);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received[0]),
		ND_INVALIDATION_ERROR);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received[1]), ND_CANCELED);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_REMOTE_ERROR);
	scene_expect_over();
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
}

Test(nd_send_invalidate, nd_065_token_not_bound_here_aborts_the_connection)
{
	struct nd_side first[2];
	struct nd_mw_descriptor window;
	struct mem_domain *mem = scene.side[OWNER].adapter->mem;
	struct mem_buffer buffer = {scene.side[OWNER].memory, 64};
	struct mem_region_attr attr = {
		.buffers = &buffer, .buffer_count = 1, .rights = MEM_REMOTE_READ};
	struct mem_region *region;

	expect_aborted(0);
	scene_reconnect();
	expect_aborted(htobe32(0x00012345));
	scene_reconnect();
	ASSERT_ND(scene_invalidate(bound_window(&invalidated, &window)), ND_SUCCESS);
	expect_aborted(window.token);
	scene_reconnect();
	cr_assert_eq(mem_region_register(mem, &attr, &region), RC_OK);
	expect_aborted(htobe32(mem_region_key(region)));
	scene_reconnect();
	bound_window(&invalidated, &window);
	scene_second(first);
	expect_aborted(window.token);
	scene.side[PEER] = first[PEER];
	scene.side[OWNER] = first[OWNER];
	access_expect_write(&window, 0, 4096);
	peer_invalidates(&window, &invalidated);
}

/*
 * A message invalidates the window even if the application takes the results with
 * nd_cq_get_results(), which does not report the token. A later local Invalidate then fails.
 */
Test(nd_send_invalidate, nd_066_plain_result_call_invalidates_too)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_mw_descriptor window;
	struct nd_mw *mw = bound_window(&invalidated, &window);
	struct nd_result sent, received, *result;

	scene_receive(OWNER, &received);
	invalidate_send(&sent, &window, 0);
	scene_poll(OWNER);
	/* The window is invalid before the owner takes a result. */
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
	ASSERT_ND(nd_adapter_deregister_memory(owner->adapter, owner->mr, NULL), ND_SUCCESS);
	cr_assert_eq(nd_cq_get_results(owner->inbound, &result, 1), 1);
	cr_assert_eq(nd_cq_get_results(owner->inbound, &result, 1), 1);
	cr_assert_eq(result, &received);
	ASSERT_ND(scene_invalidate(mw), ND_INVALIDATION_ERROR);
	scene_expect_over();
}

/*
 * The sender's completion has the type Send. The receiver's completion contains the invalidated
 * token. Native results identify a window by its pointer, not by a token. Therefore this test
 * checks the completions of the engine. The window's completion must precede the Receive's
 * completion and have the window's cookie, from which a façade derives the token.
 */
Test(nd_send_invalidate, nd_067_types_of_the_completions)
{
	struct nd_mw_descriptor window;
	struct rc_completion got[3];
	struct nd_result sent, received;

	bound_window(&invalidated, &window);
	scene_receive(OWNER, &received);
	invalidate_send(&sent, &window, 0);
	for (unsigned int i = 0; i < 100; i++)
		nd_pair_poll(&scene);
	cr_assert_eq(rc_cq_poll(&scene.side[PEER].outbound->rc, got, 3), 1);
	cr_assert_eq(got[0].context, &sent);
	cr_assert_eq(got[0].kind, RC_COMPLETION_SEND);
	cr_assert_eq(rc_cq_poll(&scene.side[OWNER].inbound->rc, got, 3), 2);
	cr_assert_eq(got[0].kind, RC_COMPLETION_WINDOW_INVALIDATED);
	cr_assert_eq(got[0].context, &invalidated);
	cr_assert_eq(got[1].kind, RC_COMPLETION_RECEIVE);
	cr_assert_eq(got[1].context, &received);
	cr_assert_eq(got[0].owner, got[1].owner);
}

Test(nd_send_invalidate, nd_068_only_the_token_decides)
{
	static const uint64_t ranges[][2] = {
		{0, 0}, {UINT64_MAX, UINT64_MAX}, {0, UINT64_MAX}, {0x1234567, 1}};

	for (unsigned int i = 0; i < RTE_DIM(ranges); i++) {
		struct nd_mw_descriptor window, only_token;

		bound_window(&invalidated, &window);
		only_token = (struct nd_mw_descriptor){
			.base = ranges[i][0], .length = ranges[i][1], .token = window.token};
		peer_invalidates(&only_token, &invalidated);
	}
	scene_expect_alive();
}
