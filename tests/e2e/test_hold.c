/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test control calls that end access to memory. An engine is held in the middle of one packet that
 * accesses this memory, as if the scheduler had preempted its thread. The call must not return
 * before the engine has completed the packet.
 */

#include <criterion/criterion.h>

#include "hold_scene.h"

#define REMOTE (ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE)

TestSuite(hold, .fini = scene_close, .timeout = 120);

/* ---- deregistration ---- */

static nd_status
deregister(void *arg)
{
	nd_status status = nd_adapter_deregister_memory(scene.net.adapters[1], arg, NULL);

	/* When the call has returned, the application may write to the memory. */
	scene_fill(SCENE_AFTER);
	return status;
}

/** Post a WRITE that the held engine will execute after the key was invalidated. */
static void
late_write_post(struct nd_result *result, const struct nd_mw_descriptor *key)
{
	struct nd_sge from = {scene.net.memory[0], SCENE_BYTES, scene.net.mrs[0]};

	cr_assert_eq(nd_endpoint_write(
			     scene.links[scene.held].endpoints[0], result, &from, 1, key, 0, 0),
		ND_SUCCESS);
}

/*
 * A deregistration waits for the held engine. Meanwhile the table entry of the region must not be
 * reused for a new registration, because the held engine still reads this entry and would access
 * the memory of the new registration.
 */
static void
deregister_waits(unsigned int count, enum scene_access access)
{
	struct nd_mw_descriptor key;
	struct nd_result late;

	scene_open(count, 0, 1);
	scene_register(REMOTE);
	key = scene_key();
	scene_hold(access, &key);
	scene_call_waits(deregister, scene.mr);
	scene_private_register();
	if (access == SCENE_WRITE)
		late_write_post(&late, &key);
	scene_quiet();
	cr_expect_not(hold_caller_over(&scene.caller), "the call did not wait");
	hold_release();
	cr_assert_eq(scene_call_end(), ND_SUCCESS);
	scene_private_register();
	scene_access_check();
	if (access == SCENE_WRITE)
		scene_expect(scene.links[0].cqs[0], &late, ND_REMOTE_ERROR);
	scene_check(SCENE_AFTER);
	scene_private_check();
}

Test(hold, deregistration_waits_for_a_write_of_the_peer)
{
	deregister_waits(2, SCENE_WRITE);
}

Test(hold, deregistration_waits_for_a_message_that_is_placed_in_a_receive)
{
	deregister_waits(2, SCENE_RECEIVE);
}

Test(hold, deregistration_waits_for_the_response_of_a_read)
{
	deregister_waits(2, SCENE_READ);
}

Test(hold, deregistration_waits_for_a_send_that_is_gathered)
{
	deregister_waits(2, SCENE_GATHER);
}

Test(hold, deregistration_waits_with_four_engines)
{
	deregister_waits(4, SCENE_WRITE);
}

/* ---- windows ---- */

static nd_status
invalidate_windows(void *arg)
{
	size_t count = 0;
	nd_status status = nd_mr_invalidate_windows(scene.net.adapters[1], arg, NULL, &count);

	scene_fill(SCENE_AFTER);
	return count == 1 ? status : ND_UNSUCCESSFUL;
}

static nd_status
release_window(void *arg)
{
	nd_status status = nd_mw_release(scene.net.adapters[1], arg);

	scene_fill(SCENE_AFTER);
	return status;
}

/**
 * A call ends access through a window while the held engine uses the window. The call must wait.
 * @param index index of the engine whose endpoint binds the window
 * @param fn function that makes the call; its argument is the window or the region
 */
static void
window_call_waits(unsigned int count, unsigned int index, uint32_t flags, enum scene_access access,
	nd_status (*fn)(void *arg))
{
	struct nd_mw_descriptor window;
	struct nd_mw *mw;

	scene_open(count, 0, 1);
	scene_register(ND_MR_FLAG_ALLOW_LOCAL_WRITE);
	mw = scene_bind(index, flags, &window);
	scene_hold(access, &window);
	scene_call_waits(fn, fn == release_window ? (void *)mw : (void *)scene.mr);
	hold_release();
	cr_assert_eq(scene_call_end(), ND_SUCCESS);
	scene_access_check();
	scene_check(SCENE_AFTER);
}

Test(hold, invalidate_of_all_windows_waits_for_the_engine_of_the_endpoint)
{
	window_call_waits(2, 0, 0, SCENE_WRITE, invalidate_windows);
}

Test(hold, invalidate_of_all_windows_waits_for_a_read)
{
	window_call_waits(2, 0, 0, SCENE_READ, invalidate_windows);
}

Test(hold, invalidate_of_all_windows_waits_for_an_engine_that_did_not_bind)
{
	window_call_waits(2, 1, ND_OP_FLAG_ALLOW_ANY_ENDPOINT, SCENE_WRITE, invalidate_windows);
}

Test(hold, invalidate_of_all_windows_waits_with_four_engines)
{
	window_call_waits(4, 3, ND_OP_FLAG_ALLOW_ANY_ENDPOINT, SCENE_READ, invalidate_windows);
}

Test(hold, release_of_a_window_waits_for_the_engine_of_the_endpoint)
{
	window_call_waits(2, 0, 0, SCENE_WRITE, release_window);
}

Test(hold, release_of_a_window_waits_for_an_engine_that_did_not_bind)
{
	window_call_waits(2, 1, ND_OP_FLAG_ALLOW_ANY_ENDPOINT, SCENE_WRITE, release_window);
}

Test(hold, release_of_a_window_waits_with_four_engines)
{
	window_call_waits(4, 2, ND_OP_FLAG_ALLOW_ANY_ENDPOINT, SCENE_READ, release_window);
}

/* ---- windows that the held engine cannot access ---- */

static nd_status
invalidate_others(void *arg)
{
	size_t count = 0;
	nd_status status = nd_mr_invalidate_windows(scene.net.adapters[1], arg, NULL, &count);

	return count == 1 ? status : ND_UNSUCCESSFUL;
}

/**
 * If a window is bound for one endpoint, only the engine of this endpoint uses the window. An
 * invalidate of another engine's window therefore does not wait for the held engine.
 */
static void
other_window_does_not_wait(unsigned int count)
{
	struct nd_mw_descriptor key, window;
	struct nd_mr *region;

	scene_open(count, 0, count - 1);
	scene_register(REMOTE);
	key = scene_key();
	region = scene.mr;
	/* Register the same memory again, for the window. */
	scene_register(ND_MR_FLAG_ALLOW_LOCAL_WRITE);
	(void)scene_bind(scene.other, 0, &window);
	scene_hold(SCENE_WRITE, &key);
	hold_caller_start(&scene.caller, invalidate_others, scene.mr);
	cr_assert_eq(scene_call_end(), ND_SUCCESS);
	scene.mr = region;
	hold_release();
	scene_access_check();
	scene_check(SCENE_SENT);
}

Test(hold, invalidate_of_windows_of_another_engine_does_not_wait)
{
	other_window_does_not_wait(2);
}

Test(hold, invalidate_of_windows_of_another_of_four_engines_does_not_wait)
{
	other_window_does_not_wait(4);
}
