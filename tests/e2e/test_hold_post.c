/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test requests that invalidate fast regions, or windows that any endpoint may use. Every engine
 * may access this memory. While an engine is held in the middle of a packet that accesses the
 * memory, an invalidate request of another engine has no result, and later requests do not start.
 */

#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_byteorder.h>

#include "hold_scene.h"

#define ANY         ND_OP_FLAG_ALLOW_ANY_ENDPOINT
#define FAST_OFFSET (HOLD_PAGE - SCENE_BYTES / 2)
#define FAST_BASE   ((uint8_t *)(uintptr_t)(0x200000 + FAST_OFFSET))
#define CYCLES      3u
#define SLEEP_NS    UINT64_C(60000000000)

TestSuite(hold_post, .fini = scene_close, .timeout = 120);

static struct engines_link *
other(void)
{
	return &scene.links[scene.other];
}

static struct nd_result sent, received;

/** Post a SEND after the invalidate that waits. The peer must not receive the SEND yet. */
static void
message_post(void)
{
	cr_assert_eq(nd_endpoint_receive(other()->endpoints[0], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(other()->endpoints[1], &sent, NULL, 0, 0), ND_SUCCESS);
}

static void
nothing_happens(void)
{
	scene_quiet();
	scene_expect_none(other()->cqs[1], "of a request that has to wait");
	scene_expect_none(other()->cqs[0], "of a message after a request that has to wait");
}

/* ---- windows that any endpoint may use ---- */

static void
window_waits(unsigned int count, enum scene_access access)
{
	struct nd_mw_descriptor window;
	struct nd_result invalidated;
	struct nd_mw *mw;

	scene_open(count, 0, count - 1);
	scene_register(ND_MR_FLAG_ALLOW_LOCAL_WRITE);
	mw = scene_bind(scene.other, ANY, &window);
	scene_hold(access, &window);
	cr_assert_eq(
		nd_endpoint_invalidate(other()->endpoints[1], &invalidated, mw, 0), ND_SUCCESS);
	message_post();
	nothing_happens();
	hold_release();
	scene_expect(other()->cqs[1], &invalidated, ND_SUCCESS);
	scene_fill(SCENE_AFTER);
	scene_expect(other()->cqs[1], &sent, ND_SUCCESS);
	scene_expect(other()->cqs[0], &received, ND_SUCCESS);
	scene_access_check();
	scene_check(SCENE_AFTER);
}

Test(hold_post, window_for_any_endpoint_waits_for_a_write)
{
	window_waits(2, SCENE_WRITE);
}

Test(hold_post, window_for_any_endpoint_waits_for_a_read)
{
	window_waits(2, SCENE_READ);
}

Test(hold_post, window_for_any_endpoint_waits_with_four_engines)
{
	window_waits(4, SCENE_WRITE);
}

/** An invalidate that waits delays neither other queue pairs of its engine nor earlier requests. */
Test(hold_post, invalidate_that_waits_holds_up_its_own_send_queue_only)
{
	struct nd_mw_descriptor window;
	struct engines_link beside;
	struct nd_result invalidated, message, arrived;
	struct nd_mw *mw;

	scene_open(2, 0, 1);
	engines_connect(&scene.net, &beside, 1, 1);
	scene_register(ND_MR_FLAG_ALLOW_LOCAL_WRITE);
	mw = scene_bind(1, ANY, &window);
	scene_hold(SCENE_WRITE, &window);
	message_post();
	cr_assert_eq(
		nd_endpoint_invalidate(other()->endpoints[1], &invalidated, mw, 0), ND_SUCCESS);
	scene_expect(other()->cqs[1], &sent, ND_SUCCESS);
	scene_expect(other()->cqs[0], &received, ND_SUCCESS);
	cr_assert_eq(nd_endpoint_receive(beside.endpoints[0], &arrived, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(beside.endpoints[1], &message, NULL, 0, 0), ND_SUCCESS);
	scene_expect(beside.cqs[1], &message, ND_SUCCESS);
	scene_expect(beside.cqs[0], &arrived, ND_SUCCESS);
	nothing_happens();
	hold_release();
	scene_expect(other()->cqs[1], &invalidated, ND_SUCCESS);
	scene_access_check();
}

static nd_status
release_soon(void *arg)
{
	(void)arg;
	usleep(20000);
	hold_release();
	return ND_SUCCESS;
}

/**
 * No packet arrives when the grace period of the invalidate ends, so the result of the invalidate
 * must wake the sleeping thread.
 */
Test(hold_post, sleeping_thread_returns_with_the_result_that_waited)
{
	struct nd_mw_descriptor window;
	struct nd_result invalidated, *taken = NULL;
	struct nd_engine *engine;
	struct nd_mw *mw;
	time_t began;

	scene_open(2, 0, 1);
	engine = engines_engine(&scene.net, 1, 1);
	scene_register(ND_MR_FLAG_ALLOW_LOCAL_WRITE);
	mw = scene_bind(1, ANY, &window);
	scene_hold(SCENE_WRITE, &window);
	cr_assert_eq(
		nd_endpoint_invalidate(other()->endpoints[1], &invalidated, mw, 0), ND_SUCCESS);
	nothing_happens();
	hold_caller_start(&scene.caller, release_soon, NULL);
	began = time(NULL);
	while (nd_cq_get_results(other()->cqs[1], &taken, 1) == 0)
		(void)nd_engine_wait(engine, SLEEP_NS);
	cr_assert_lt(time(NULL) - began, (time_t)(SLEEP_NS / 2000000000),
		"only the timeout ended the sleep");
	cr_assert_eq(taken, &invalidated);
	cr_assert_eq(invalidated.status, ND_SUCCESS);
	cr_assert_eq(scene_call_end(), ND_SUCCESS);
	scene_access_check();
}

/**
 * If the posting call has executed the request, the thread does not sleep before it takes the
 * result.
 */
Test(hold_post, thread_does_not_sleep_when_its_post_has_given_the_result)
{
	struct nd_result bound, invalidated, closed;
	struct nd_mw_descriptor window;
	struct nd_engine *engine;
	struct nd_mw *mw;
	time_t began;

	scene_open(2, 0, 1);
	engine = engines_engine(&scene.net, 1, 1);
	scene_register(ND_MR_FLAG_ALLOW_LOCAL_WRITE);
	cr_assert_eq(
		nd_adapter_create_memory_window(scene.net.adapters[1], &closed, &mw), ND_SUCCESS);
	while (nd_engine_wait(engine, 1) != 0)
		;
	began = time(NULL);
	cr_assert_eq(nd_endpoint_bind(other()->endpoints[1], &bound, scene.mr, mw, SCENE_BASE,
			     SCENE_BYTES, ND_OP_FLAG_ALLOW_READ, &window),
		ND_SUCCESS);
	(void)nd_engine_wait(engine, SLEEP_NS);
	scene_expect(other()->cqs[1], &bound, ND_SUCCESS);
	cr_assert_eq(
		nd_endpoint_invalidate(other()->endpoints[1], &invalidated, mw, 0), ND_SUCCESS);
	(void)nd_engine_wait(engine, SLEEP_NS);
	scene_expect(other()->cqs[1], &invalidated, ND_SUCCESS);
	cr_assert_eq(nd_endpoint_receive(other()->endpoints[1], &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_flush(other()->endpoints[1]), ND_SUCCESS);
	(void)nd_engine_wait(engine, SLEEP_NS);
	scene_expect(other()->cqs[1], &received, ND_CANCELED);
	cr_assert_lt(time(NULL) - began, (time_t)(SLEEP_NS / 2000000000),
		"only the timeout ended the sleep");
}

/* ---- fast regions ---- */

/**
 * Set the pages of registration `number` of the fast region. All registrations but the first
 * consist of private memory.
 */
static void
fast_pages(unsigned int number, void *pages[2])
{
	pages[0] = number == 0 ? scene.pages + HOLD_PAGE : scene.private + 2 * number * HOLD_PAGE;
	pages[1] = number == 0 ? scene.pages : scene.private + (2 * number + 1) * HOLD_PAGE;
}

static nd_status
fast_register(unsigned int number, struct nd_result *result)
{
	void *pages[2];

	fast_pages(number, pages);
	return nd_endpoint_fast_register(other()->endpoints[1], result, scene.mr, pages, 2,
		FAST_OFFSET, SCENE_BYTES, FAST_BASE,
		ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_ALLOW_READ);
}

static struct nd_mw_descriptor
fast_key(void)
{
	struct nd_mw_descriptor key = scene_key();

	key.base = rte_cpu_to_be_64((uintptr_t)FAST_BASE);
	return key;
}

/**
 * Create and register a fast region, and hold an engine while it accesses the region.
 * @return key of the registration
 */
static struct nd_mw_descriptor
fast_hold(unsigned int count, enum scene_access access)
{
	struct nd_mw_descriptor key;
	struct nd_result registered;

	scene_open(count, 0, count - 1);
	cr_assert_eq(nd_adapter_create_fast_region(scene.net.adapters[1], 2, true, &scene.mr),
		ND_SUCCESS);
	cr_assert_eq(fast_register(0, &registered), ND_SUCCESS);
	scene_expect(other()->cqs[1], &registered, ND_SUCCESS);
	key = fast_key();
	scene.base = FAST_BASE;
	scene_hold(access, &key);
	return key;
}

static void
fast_pages_check(void)
{
	for (unsigned int i = 0; i < 2 * HOLD_PAGE; i++)
		cr_assert_eq(scene.pages[i], SCENE_AFTER, "byte %u is %#x", i, scene.pages[i]);
	scene_private_check();
}

static void
fast_region_check(unsigned int number, const struct engines_link *link)
{
	struct nd_sge from = {scene.net.memory[0], SCENE_BYTES, scene.net.mrs[0]};
	struct nd_mw_descriptor key = fast_key();
	struct nd_result written;
	void *pages[2];

	fast_pages(number, pages);
	cr_assert_eq(
		nd_endpoint_write(link->endpoints[0], &written, &from, 1, &key, 0, 0), ND_SUCCESS);
	scene_expect(link->cqs[0], &written, ND_SUCCESS);
	cr_assert_eq(((uint8_t *)pages[0])[FAST_OFFSET], SCENE_SENT);
	cr_assert_eq(((uint8_t *)pages[1])[0], SCENE_SENT);
}

/**
 * Invalidate the region and register it again, `cycles` times, without taking results. The first
 * invalidate waits for the held engine.
 */
static void
fast_region_waits(unsigned int count, unsigned int cycles, enum scene_access access)
{
	struct nd_result invalidated[CYCLES], registered[CYCLES];

	(void)fast_hold(count, access);
	for (unsigned int i = 0; i < cycles; i++) {
		cr_assert_eq(nd_endpoint_invalidate_region(
				     other()->endpoints[1], &invalidated[i], scene.mr, 0),
			ND_SUCCESS);
		cr_assert_eq(fast_register(i + 1, &registered[i]), ND_SUCCESS, "cycle %u", i);
	}
	message_post();
	nothing_happens();
	hold_release();
	for (unsigned int i = 0; i < cycles; i++) {
		scene_expect(other()->cqs[1], &invalidated[i], ND_SUCCESS);
		if (i == 0)
			scene_fill(SCENE_AFTER);
		scene_expect(other()->cqs[1], &registered[i], ND_SUCCESS);
	}
	scene_expect(other()->cqs[1], &sent, ND_SUCCESS);
	scene_expect(other()->cqs[0], &received, ND_SUCCESS);
	scene_access_check();
	fast_pages_check();
	/*
	 * Use the other connection with SCENE_GATHER, because the SEND may have failed and ended
	 * its own connection.
	 */
	fast_region_check(cycles, access == SCENE_GATHER ? other() : &scene.links[0]);
}

Test(hold_post, invalidate_of_a_fast_region_waits_for_a_write)
{
	fast_region_waits(2, 1, SCENE_WRITE);
}

Test(hold_post, invalidate_of_a_fast_region_waits_for_a_message_that_is_placed)
{
	fast_region_waits(2, 1, SCENE_RECEIVE);
}

Test(hold_post, invalidate_of_a_fast_region_waits_for_a_send_that_is_gathered)
{
	fast_region_waits(2, 1, SCENE_GATHER);
}

Test(hold_post, cycles_of_a_fast_region_wait_for_a_write)
{
	fast_region_waits(2, CYCLES, SCENE_WRITE);
}

Test(hold_post, cycles_of_a_fast_region_wait_for_a_send_that_is_gathered)
{
	fast_region_waits(2, CYCLES, SCENE_GATHER);
}

Test(hold_post, cycles_of_a_fast_region_wait_for_a_read_with_four_engines)
{
	fast_region_waits(4, CYCLES, SCENE_READ);
}

/* ---- invalidate requests of the peer ---- */

static struct nd_result peer_sent[2], taken[2], closed;

/**
 * Send two messages from the peer. The first message invalidates. No engine is polled between the
 * two posts.
 */
static void
peer_invalidates(const struct nd_mw_descriptor *key)
{
	struct nd_endpoint *peer = other()->endpoints[0];

	cr_assert_eq(
		nd_endpoint_send_and_invalidate(peer, &peer_sent[0], NULL, 0, key, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(peer, &peer_sent[1], NULL, 0, 0), ND_SUCCESS);
}

static void
receives_post(void)
{
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(
			nd_endpoint_receive(other()->endpoints[1], &taken[i], NULL, 0), ND_SUCCESS);
}

/**
 * Bind a window that any endpoint may use, and hold an engine that writes to it. @param out may be
 * NULL
 */
static struct nd_mw_descriptor
window_hold(const struct engines_config *config, unsigned int held, unsigned int number,
	struct nd_mw **out)
{
	struct nd_mw_descriptor window;
	struct nd_result bound;
	struct nd_mw *mw;

	scene_open_as(config, held, number);
	scene_register(ND_MR_FLAG_ALLOW_LOCAL_WRITE);
	cr_assert_eq(
		nd_adapter_create_memory_window(scene.net.adapters[1], &closed, &mw), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_bind(other()->endpoints[1], &bound, scene.mr, mw, SCENE_BASE,
			     SCENE_BYTES, ND_OP_FLAG_ALLOW_WRITE | ANY, &window),
		ND_SUCCESS);
	scene_expect(other()->cqs[1], &bound, ND_SUCCESS);
	scene_hold(SCENE_WRITE, &window);
	if (out != NULL)
		*out = mw;
	return window;
}

/** Fail unless both messages are received in order and both sends have succeeded. */
static void
receives_expect(void)
{
	scene_expect(other()->cqs[1], &taken[0], ND_SUCCESS);
	cr_assert_eq(taken[0].flags & ND_RESULT_INVALIDATED, ND_RESULT_INVALIDATED);
	scene_expect(other()->cqs[1], &taken[1], ND_SUCCESS);
	cr_assert_eq(taken[1].flags & ND_RESULT_INVALIDATED, 0);
	scene_expect(other()->cqs[0], &peer_sent[0], ND_SUCCESS);
	scene_expect(other()->cqs[0], &peer_sent[1], ND_SUCCESS);
}

static void
remote_invalidate_waits(const struct engines_config *config, unsigned int rounds)
{
	struct nd_mw_descriptor window = window_hold(config, 0, config->count - 1, NULL);

	receives_post();
	peer_invalidates(&window);
	for (unsigned int i = 0; i < rounds; i++) {
		scene_quiet();
		scene_expect_none(other()->cqs[1], "of a message that invalidates");
	}
	hold_release();
	scene_expect(other()->cqs[1], &closed, ND_SUCCESS);
	scene_fill(SCENE_AFTER);
	receives_expect();
	/*
	 * With a short ACK timeout, the WRITE that the held engine executes has timed out at its
	 * sender.
	 */
	if (config->ack_timeout == 0)
		scene_access_check();
	scene_check(SCENE_AFTER);
}

Test(hold_post, remote_invalidate_of_a_window_waits)
{
	remote_invalidate_waits(&(struct engines_config){.count = 2}, 1);
}

Test(hold_post, remote_invalidate_of_a_window_waits_with_four_engines)
{
	remote_invalidate_waits(&(struct engines_config){.count = 4}, 1);
}

/* The engine is held for 600 ms, although the sender's retries take only 34 ms to 134 ms. */
Test(hold_post, remote_invalidate_outlasts_the_retries_of_the_sender)
{
	remote_invalidate_waits(&(struct engines_config){.count = 2, .ack_timeout = 10}, 30);
}

Test(hold_post, remote_invalidate_of_a_fast_region_waits)
{
	struct nd_mw_descriptor key = fast_hold(2, SCENE_WRITE);

	receives_post();
	peer_invalidates(&key);
	scene_quiet();
	scene_expect_none(other()->cqs[1], "of a message that invalidates");
	hold_release();
	(void)scene_take(other()->cqs[1]);
	scene_fill(SCENE_AFTER);
	cr_assert_eq(taken[0].status, ND_SUCCESS);
	cr_assert_eq(taken[0].flags & ND_RESULT_INVALIDATED, ND_RESULT_INVALIDATED);
	scene_expect(other()->cqs[1], &taken[1], ND_SUCCESS);
	scene_expect(other()->cqs[0], &peer_sent[0], ND_SUCCESS);
	scene_expect(other()->cqs[0], &peer_sent[1], ND_SUCCESS);
	scene_access_check();
	fast_pages_check();
}

/*
 * If a connection ends, its waiting requests are cancelled. These tests hold the second engine,
 * because the first engine manages connections.
 */

static nd_status
end_by_disconnect(void)
{
	static struct nd_overlapped disconnect;

	return nd_connector_disconnect(other()->connectors[1], &disconnect);
}

static nd_status
end_by_release(void)
{
	return nd_endpoint_release(other()->endpoints[1]);
}

static nd_status
end_by_flush(void)
{
	return nd_endpoint_flush(other()->endpoints[1]);
}

static nd_status
end_by_peer(void)
{
	static struct nd_overlapped disconnect;

	return nd_connector_disconnect(other()->connectors[0], &disconnect);
}

static void
end_while_invalidate_waits(unsigned int number, nd_status (*end)(void))
{
	struct nd_result invalidated, message;
	struct nd_mw *mw;

	(void)window_hold(&(struct engines_config){.count = 3}, 1, number, &mw);
	cr_assert_eq(
		nd_endpoint_invalidate(other()->endpoints[1], &invalidated, mw, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(other()->endpoints[1], &message, NULL, 0, 0), ND_SUCCESS);
	scene_quiet();
	scene_expect_none(other()->cqs[1], "of a request that has to wait");
	cr_assert_not(nd_failed(end()));
	scene_expect(other()->cqs[1], &invalidated, ND_CANCELED);
	scene_expect(other()->cqs[1], &message, ND_CANCELED);
	hold_release();
	scene_access_check();
	scene_quiet();
	scene_expect_none(other()->cqs[1], "once more");
}

Test(hold_post, disconnect_cancels_an_invalidate_that_waits)
{
	end_while_invalidate_waits(0, end_by_disconnect);
}

Test(hold_post, release_cancels_an_invalidate_that_waits)
{
	end_while_invalidate_waits(0, end_by_release);
}

Test(hold_post, release_cancels_an_invalidate_that_waits_on_another_engine)
{
	end_while_invalidate_waits(2, end_by_release);
}

Test(hold_post, flush_cancels_an_invalidate_that_waits)
{
	end_while_invalidate_waits(2, end_by_flush);
}

Test(hold_post, disconnect_of_the_peer_cancels_an_invalidate_that_waits)
{
	end_while_invalidate_waits(2, end_by_peer);
}

static void
end_while_remote_invalidate_waits(unsigned int number, nd_status (*end)(void))
{
	struct nd_mw_descriptor window =
		window_hold(&(struct engines_config){.count = 3}, 1, number, NULL);

	receives_post();
	peer_invalidates(&window);
	scene_quiet();
	scene_expect_none(other()->cqs[1], "of a message that invalidates");
	cr_assert_not(nd_failed(end()));
	scene_expect(other()->cqs[1], &taken[0], ND_CANCELED);
	scene_expect(other()->cqs[1], &taken[1], ND_CANCELED);
	hold_release();
	scene_access_check();
	scene_quiet();
	scene_expect_none(other()->cqs[1], "once more");
}

Test(hold_post, disconnect_cancels_receives_behind_an_invalidate_that_waits)
{
	end_while_remote_invalidate_waits(0, end_by_disconnect);
}

Test(hold_post, release_cancels_receives_behind_an_invalidate_that_waits)
{
	end_while_remote_invalidate_waits(2, end_by_release);
}

/* ---- the connection ends during a call that posts a bind ---- */

struct posting {
	struct nd_mw *mw;
	struct nd_mw_descriptor *descriptor;
	struct nd_result sent, bound;
	nd_status send_status, bind_status;
};

/** Post a SEND, and then a bind, which must wait in the send queue. */
static void
bind_after_send(void *arg)
{
	struct posting *posting = arg;
	struct nd_endpoint *endpoint = scene.links[1].endpoints[1];

	posting->send_status = nd_endpoint_send(endpoint, &posting->sent, NULL, 0, 0);
	posting->bind_status = nd_endpoint_bind(endpoint, &posting->bound, scene.mr, posting->mw,
		SCENE_BASE, SCENE_BYTES, ND_OP_FLAG_ALLOW_READ, posting->descriptor);
}

/**
 * The second engine is held when the call that posts a bind fills the descriptor. The call has
 * checked the connection and reserved the window, but has not queued the bind. Then the first
 * engine ends the connection. The bind must be cancelled and the window must be free again.
 */
Test(hold_post, disconnect_of_the_peer_during_a_bind_cancels_the_bind)
{
	uint8_t *page = hold_pages(1);
	struct posting posting = {.descriptor = (struct nd_mw_descriptor *)(void *)page};
	struct nd_mw_descriptor window;
	struct nd_result bound;

	scene_open(2, 1, 1);
	scene_register(ND_MR_FLAG_ALLOW_LOCAL_WRITE);
	cr_assert_eq(nd_adapter_create_memory_window(scene.net.adapters[1], &closed, &posting.mw),
		ND_SUCCESS);
	scene_hold_inside(bind_after_send, &posting, page);
	cr_assert_not(nd_failed(end_by_peer()));
	scene_quiet();
	scene_inside_end();
	cr_assert_eq(posting.send_status, ND_SUCCESS);
	cr_assert_eq(posting.bind_status, ND_SUCCESS);
	cr_assert_eq(scene_take_on_held(), &posting.sent);
	cr_assert_eq(posting.sent.status, ND_CANCELED);
	cr_assert_eq(scene_take_on_held(), &posting.bound);
	cr_assert_eq(posting.bound.status, ND_CANCELED);
	cr_assert_eq(nd_endpoint_bind(scene.links[0].endpoints[1], &bound, scene.mr, posting.mw,
			     SCENE_BASE, SCENE_BYTES, ND_OP_FLAG_ALLOW_READ, &window),
		ND_SUCCESS);
	scene_expect(scene.links[0].cqs[1], &bound, ND_SUCCESS);
}
