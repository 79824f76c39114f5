/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * An engine that is held, asleep, stopped or not polled must not delay other engines. Another
 * engine binds and invalidates windows of one endpoint more often than there are keys, and
 * registers and invalidates fast regions. No call may be refused.
 */

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "hold_scene.h"

#define REMOTE      (ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE)
#define BIND_CYCLES 300000u /* more than the key table has slots */
#define FAST_CYCLES 10000u
#define POLL_EVERY  64u
#define AWAY_US     100000u
#define RACE_ROUNDS 3000u

TestSuite(hold_cycles, .fini = scene_close, .timeout = 300);

/* ---- states of the first engine ---- */

static void
sleep_turn(struct nd_engine *engine, void *arg)
{
	(void)arg;
	(void)nd_engine_wait(engine, UINT64_MAX);
}

static void
away_turn(struct nd_engine *engine, void *arg)
{
	(void)engine;
	(void)arg;
	usleep(AWAY_US);
}

static void
first_polls(void)
{
}

static void
first_sleeps(void)
{
	engines_give(&scene.net, 1, 0, sleep_turn, NULL);
}

static void
first_is_away(void)
{
	engines_give(&scene.net, 1, 0, away_turn, NULL);
}

/*
 * Stop polling, but keep the thread until the test ends. If the thread ended, its thread ID could
 * be reused, and the library would take the new thread for the owner of the engine.
 */
static void
stopped_turn(struct nd_engine *engine, void *arg)
{
	const bool *stop = arg;

	(void)engine;
	while (!__atomic_load_n(stop, __ATOMIC_ACQUIRE))
		usleep(1000);
}

static void
first_stops(void)
{
	engines_give(&scene.net, 1, 0, stopped_turn, &scene.net.workers[1][0].stop);
}

static void
first_is_held(void)
{
	struct nd_mw_descriptor key = scene_key();

	scene_hold(SCENE_WRITE, &key);
}

/**
 * Claim that the port has interrupts, so that a thread in nd_engine_wait() sleeps until it is
 * woken.
 */
static bool
interrupt(void *queue, enum port_interrupt what, int epoll_fd)
{
	(void)queue, (void)what, (void)epoll_fd;
	return true;
}

/** Open the adapters, and let first() bring engine 0 into a state. Engine 1 runs the test. */
static void
scene_with(void (*first)(void))
{
	scene_open_as(&(struct engines_config){.count = 2, .interrupt = interrupt}, 0, 1);
	scene_register(REMOTE);
	first();
}

/** Engine 2 is never polled. Engine 0 is polled, because it establishes connections. */
static void
scene_never_polled(void)
{
	engines_open_as(&scene.net, &(struct engines_config){.count = 3});
	scene.other = 1;
	scene.pages = hold_pages(SCENE_PIECES);
	scene.net.workers[1][2].absent = true;
	engines_connect(&scene.net, &scene.links[1], 1, 1);
	scene_register(REMOTE);
}

static void
result_take(struct nd_cq *cq, const struct nd_result *result, unsigned int cycle)
{
	struct nd_result *next;
	time_t since = 0;

	while (nd_cq_get_results(cq, &next, 1) == 0) {
		cr_assert(engines_patience(&since), "cycle %u makes no progress", cycle);
		nd_engine_poll(engines_engine(&scene.net, 1, 1));
	}
	cr_assert_eq(next, result);
	cr_assert_eq(next->status, ND_SUCCESS, "cycle %u: %s", cycle, nd_status_name(next->status));
}

static void
window_cycles(void)
{
	static struct nd_result closed;
	const struct engines_link *link = &scene.links[1];
	struct nd_mw_descriptor window;
	struct nd_result bound, invalidated;
	struct nd_mw *mw;

	cr_assert_eq(
		nd_adapter_create_memory_window(scene.net.adapters[1], &closed, &mw), ND_SUCCESS);
	for (unsigned int i = 0; i < BIND_CYCLES; i++) {
		nd_status status = nd_endpoint_bind(link->endpoints[1], &bound, scene.mr, mw,
			SCENE_BASE, SCENE_BYTES, ND_OP_FLAG_ALLOW_READ, &window);

		cr_assert_eq(status, ND_SUCCESS, "bind %u: %s", i, nd_status_name(status));
		status = nd_endpoint_invalidate(link->endpoints[1], &invalidated, mw, 0);
		cr_assert_eq(status, ND_SUCCESS, "invalidate %u: %s", i, nd_status_name(status));
		result_take(link->cqs[1], &bound, i);
		result_take(link->cqs[1], &invalidated, i);
		if (i % POLL_EVERY == 0)
			nd_engine_poll(engines_engine(&scene.net, 1, 1));
	}
}

static void
fast_cycles(void)
{
	const struct engines_link *link = &scene.links[1];
	struct nd_result registered, invalidated;
	void *pages[1] = {scene.pages};
	struct nd_mr *mr;

	cr_assert_eq(
		nd_adapter_create_fast_region(scene.net.adapters[1], 1, true, &mr), ND_SUCCESS);
	for (unsigned int i = 0; i < FAST_CYCLES; i++) {
		nd_status status = nd_endpoint_fast_register(link->endpoints[1], &registered, mr,
			pages, 1, 0, SCENE_PIECE, SCENE_BASE, ND_OP_FLAG_ALLOW_READ);

		cr_assert_eq(status, ND_SUCCESS, "register %u: %s", i, nd_status_name(status));
		status = nd_endpoint_invalidate_region(link->endpoints[1], &invalidated, mr, 0);
		cr_assert_eq(status, ND_SUCCESS, "invalidate %u: %s", i, nd_status_name(status));
		result_take(link->cqs[1], &registered, i);
		result_take(link->cqs[1], &invalidated, i);
	}
}

Test(hold_cycles, windows_while_the_first_engine_polls)
{
	scene_with(first_polls);
	window_cycles();
}

Test(hold_cycles, windows_while_the_first_engine_is_held)
{
	scene_with(first_is_held);
	window_cycles();
	hold_release();
	scene_access_check();
}

Test(hold_cycles, windows_while_the_first_engine_sleeps)
{
	scene_with(first_sleeps);
	window_cycles();
}

Test(hold_cycles, windows_while_the_first_engine_is_stopped)
{
	scene_with(first_stops);
	window_cycles();
}

Test(hold_cycles, windows_while_the_first_engine_is_away)
{
	scene_with(first_is_away);
	window_cycles();
}

Test(hold_cycles, windows_while_an_engine_was_never_polled)
{
	scene_never_polled();
	window_cycles();
}

Test(hold_cycles, fast_regions_while_the_first_engine_polls)
{
	scene_with(first_polls);
	fast_cycles();
}

Test(hold_cycles, fast_regions_while_the_first_engine_sleeps)
{
	scene_with(first_sleeps);
	fast_cycles();
}

Test(hold_cycles, fast_regions_while_the_first_engine_is_stopped)
{
	scene_with(first_stops);
	fast_cycles();
}

Test(hold_cycles, fast_regions_while_the_first_engine_is_away)
{
	scene_with(first_is_away);
	fast_cycles();
}

Test(hold_cycles, fast_regions_while_an_engine_was_never_polled)
{
	scene_never_polled();
	fast_cycles();
}

static nd_status
controls(void *arg)
{
	struct nd_adapter *adapter = scene.net.adapters[1];
	struct nd_mw *const *windows = arg;
	nd_status status = nd_mr_invalidate_windows(adapter, scene.mr, NULL, NULL);

	for (unsigned int i = 0; i < 2 && status == ND_SUCCESS; i++)
		status = nd_mw_release(adapter, windows[i]);
	return status == ND_SUCCESS ? nd_adapter_deregister_memory(adapter, scene.mr, NULL)
				    : status;
}

/** Control calls that end access to memory return although the first engine takes no turn. */
static void
controls_return(void (*first)(void))
{
	struct nd_mw_descriptor window;
	struct nd_mw *windows[2];

	scene_open_as(&(struct engines_config){.count = 2, .interrupt = interrupt}, 0, 1);
	scene_register(REMOTE);
	windows[0] = scene_bind(1, ND_OP_FLAG_ALLOW_ANY_ENDPOINT, &window);
	windows[1] = scene_bind(1, 0, &window);
	first();
	hold_caller_start(&scene.caller, controls, windows);
	cr_assert_eq(hold_caller_end(&scene.caller, &scene.net), ND_SUCCESS);
}

Test(hold_cycles, control_calls_return_while_the_first_engine_is_stopped)
{
	controls_return(first_stops);
}

Test(hold_cycles, control_calls_return_while_the_first_engine_sleeps)
{
	controls_return(first_sleeps);
}

/* ---- one window, two engines ---- */

/**
 * An engine that posts a bind of the window in each round, and invalidates it if the bind
 * succeeded.
 */
static struct racer {
	const struct engines_link *link;
	uint32_t flags;
	struct nd_mw *mw;
	struct nd_result bound, invalidated;
	struct nd_mw_descriptor window;
	uint32_t tried;   /* atomic; number of rounds in which the bind was posted */
	uint32_t closed;  /* atomic; number of rounds that are complete */
	nd_status status; /* status of the bind in this round */
	/* status of the invalidate in this round, or ND_SUCCESS without an invalidate */
	nd_status result;
} racers[2];

/*
 * Both variables are atomic. Racers may begin the round `race_round` and complete the round
 * `race_closing`.
 */
static uint32_t race_round, race_closing;

static void
race_turn(struct nd_engine *engine, void *arg)
{
	struct racer *racer = arg;
	struct nd_endpoint *endpoint = racer->link->endpoints[1];
	struct nd_result *results[2];
	size_t count = 0;

	if (racer->tried != __atomic_load_n(&race_round, __ATOMIC_ACQUIRE)) {
		racer->status =
			nd_endpoint_bind(endpoint, &racer->bound, scene.mr, racer->mw, SCENE_BASE,
				SCENE_BYTES, ND_OP_FLAG_ALLOW_READ | racer->flags, &racer->window);
		__atomic_store_n(&racer->tried, racer->tried + 1, __ATOMIC_RELEASE);
		return;
	}
	if (racer->closed == __atomic_load_n(&race_closing, __ATOMIC_ACQUIRE))
		return;
	racer->result = ND_SUCCESS;
	if (racer->status == ND_SUCCESS)
		racer->result = nd_endpoint_invalidate(endpoint, &racer->invalidated, racer->mw, 0);
	while (racer->status == ND_SUCCESS && racer->result == ND_SUCCESS && count < 2) {
		count += nd_cq_get_results(racer->link->cqs[1], &results[count], 2 - count);
		nd_engine_poll(engine);
	}
	if (count == 2 && results[1]->status != ND_SUCCESS)
		racer->result = results[1]->status;
	__atomic_store_n(&racer->closed, racer->closed + 1, __ATOMIC_RELEASE);
}

static void
racers_wait(bool closed, uint32_t round)
{
	time_t since = 0;

	for (unsigned int i = 0; i < 2; i++) {
		const uint32_t *at = closed ? &racers[i].closed : &racers[i].tried;

		while (__atomic_load_n(at, __ATOMIC_ACQUIRE) != round) {
			cr_assert(engines_patience(&since), "round %u makes no progress", round);
			sched_yield();
		}
	}
}

static void
race_check(uint32_t round)
{
	unsigned int bound = 0;

	for (unsigned int i = 0; i < 2; i++) {
		bound += racers[i].status == ND_SUCCESS;
		if (racers[i].status != ND_SUCCESS)
			cr_assert_eq(racers[i].status, ND_INVALID_DEVICE_STATE, "round %u: %s",
				round, nd_status_name(racers[i].status));
	}
	cr_assert_eq(bound, 1, "round %u: %u engines have bound the window", round, bound);
}

/** If two threads bind the same window at the same time, the second bind is refused at once. */
static void
race(uint32_t flags0, uint32_t flags1)
{
	static struct nd_result closed;
	struct nd_mw *mw;

	engines_open_as(&scene.net, &(struct engines_config){.count = 2});
	scene.pages = hold_pages(SCENE_PIECES);
	engines_run(&scene.net);
	for (unsigned int i = 0; i < 2; i++)
		engines_connect(&scene.net, &scene.links[i], i, i);
	scene_register(ND_MR_FLAG_ALLOW_LOCAL_WRITE);
	cr_assert_eq(
		nd_adapter_create_memory_window(scene.net.adapters[1], &closed, &mw), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++) {
		racers[i] = (struct racer){
			.link = &scene.links[i], .flags = i == 0 ? flags0 : flags1, .mw = mw};
		engines_give(&scene.net, 1, i, race_turn, &racers[i]);
	}
	for (uint32_t round = 1; round <= RACE_ROUNDS; round++) {
		__atomic_store_n(&race_round, round, __ATOMIC_RELEASE);
		racers_wait(false, round);
		race_check(round);
		__atomic_store_n(&race_closing, round, __ATOMIC_RELEASE);
		racers_wait(true, round);
		for (unsigned int i = 0; i < 2; i++)
			cr_assert_eq(racers[i].result, ND_SUCCESS, "round %u: %s", round,
				nd_status_name(racers[i].result));
	}
}

Test(hold_cycles, one_of_two_engines_binds_a_window)
{
	race(0, 0);
}

Test(hold_cycles, one_of_two_engines_binds_a_window_for_any_endpoint)
{
	race(0, ND_OP_FLAG_ALLOW_ANY_ENDPOINT);
}
