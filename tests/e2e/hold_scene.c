/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "hold_scene.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_byteorder.h>

#define PRIVATE_PAGES 16u
#define QUIET_TURNS   200u
#define QUIET_PARTS   20u

struct scene scene;

void
scene_open_as(const struct engines_config *config, unsigned int held, unsigned int other)
{
	memset(&scene, 0, sizeof(scene));
	scene.held = held;
	scene.other = other;
	scene.base = SCENE_BASE;
	engines_open_as(&scene.net, config);
	engines_run_one(&scene.net, 1, held);
	for (unsigned int i = 0; i < config->count; i++)
		engines_connect(&scene.net, &scene.links[i], i, i);
	scene.pages = hold_pages(SCENE_PIECES);
	scene.private = hold_pages(PRIVATE_PAGES);
	memset(scene.private, SCENE_PRIVATE, PRIVATE_PAGES * HOLD_PAGE);
	memset(scene.net.memory[0], SCENE_SENT, ENGINES_BYTES);
	scene_fill(SCENE_OLD);
}

void
scene_open(unsigned int count, unsigned int held, unsigned int other)
{
	scene_open_as(&(struct engines_config){.count = count}, held, other);
}

void
scene_close(void)
{
	hold_release();
	/* The call may wait for an engine that nobody polls, so poll all engines from now on. */
	engines_stop(&scene.net);
	memset(scene.net.workers, 0, sizeof(scene.net.workers));
	if (scene.caller.started)
		(void)hold_caller_end(&scene.caller, &scene.net);
	engines_close(&scene.net);
}

void
scene_register(uint32_t flags)
{
	struct nd_buffer buffers[SCENE_PIECES];

	for (unsigned int i = 0; i < SCENE_PIECES; i++)
		buffers[i] = (struct nd_buffer){scene.pages + i * HOLD_PAGE, SCENE_PIECE};
	cr_assert_eq(nd_adapter_register_region(scene.net.adapters[1], buffers, SCENE_PIECES,
			     SCENE_BASE, flags, NULL, &scene.mr),
		ND_SUCCESS);
}

struct nd_mw_descriptor
scene_key(void)
{
	struct nd_mw_descriptor key = {.base = rte_cpu_to_be_64((uintptr_t)SCENE_BASE),
		.length = rte_cpu_to_be_64(SCENE_BYTES)};
	uint32_t token;

	cr_assert_eq(nd_mr_get_remote_token(scene.net.adapters[1], scene.mr, &token), ND_SUCCESS);
	key.token = token;
	return key;
}

void
scene_fill(uint8_t byte)
{
	memset(scene.pages, byte, SCENE_PIECES * HOLD_PAGE);
}

void
scene_check(uint8_t byte)
{
	for (unsigned int i = 0; i < SCENE_BYTES; i++) {
		uint8_t is = scene.pages[i / SCENE_PIECE * HOLD_PAGE + i % SCENE_PIECE];

		cr_assert_eq(is, byte, "byte %u is %#x instead of %#x", i, is, byte);
	}
}

void
scene_private_register(void)
{
	struct nd_buffer buffers[SCENE_PIECES];
	struct nd_mr *mr;

	for (unsigned int i = 0; i < SCENE_PIECES; i++)
		buffers[i] = (struct nd_buffer){scene.private + i * HOLD_PAGE, SCENE_PIECE};
	while (nd_adapter_register_region(scene.net.adapters[1], buffers, SCENE_PIECES, SCENE_BASE,
		       0, NULL, &mr) == ND_SUCCESS)
		;
}

void
scene_private_check(void)
{
	unsigned int changed = 0;

	for (unsigned int i = 0; i < PRIVATE_PAGES * HOLD_PAGE; i++)
		changed += scene.private[i] != SCENE_PRIVATE;
	cr_assert_eq(changed, 0, "%u bytes of private memory were written", changed);
}

/* ---- the thread of the engine that is held ---- */

static struct errand {
	void (*fn)(void *arg);
	void *arg;
	bool done; /* atomic */
} errand;

static void
errand_turn(struct nd_engine *engine, void *arg)
{
	(void)engine;
	(void)arg;
	if (__atomic_load_n(&errand.done, __ATOMIC_ACQUIRE))
		return;
	errand.fn(errand.arg);
	__atomic_store_n(&errand.done, true, __ATOMIC_RELEASE);
}

static void
errand_begin(void (*fn)(void *arg), void *arg)
{
	errand = (struct errand){.fn = fn, .arg = arg};
	engines_give(&scene.net, 1, scene.held, errand_turn, NULL);
}

static void
errand_end(void)
{
	time_t since = 0;

	while (!__atomic_load_n(&errand.done, __ATOMIC_ACQUIRE)) {
		cr_assert(engines_patience(&since), "the thread of the engine does not continue");
		engines_poll(&scene.net);
		sched_yield();
	}
	engines_work(&scene.net, 1, scene.held, NULL, NULL);
}

void
scene_on_held(void (*fn)(void *arg), void *arg)
{
	errand_begin(fn, arg);
	errand_end();
}

static void
hold_await(void)
{
	time_t since = 0;

	while (!hold_taken()) {
		cr_assert(engines_patience(&since), "the engine does not access the memory");
		engines_poll(&scene.net);
	}
}

void
scene_hold_inside(void (*fn)(void *arg), void *arg, uint8_t *page)
{
	hold_arm(page);
	errand_begin(fn, arg);
	hold_await();
}

void
scene_inside_end(void)
{
	hold_release();
	errand_end();
}

static struct nd_result *taken;

static void
held_take(void *arg)
{
	(void)arg;
	if (nd_cq_get_results(scene.links[scene.held].cqs[1], &taken, 1) == 0)
		taken = NULL;
}

struct nd_result *
scene_take_on_held(void)
{
	time_t since = 0;

	for (taken = NULL; taken == NULL; scene_on_held(held_take, NULL))
		cr_assert(engines_patience(&since), "the held engine has no result");
	return taken;
}

/* Kind of the access during which the engine is held. */
static enum scene_access accessing;
static struct nd_result at_peer, at_held;
static nd_status posted;

static void
held_receive(void *arg)
{
	struct nd_sge to = {scene.base, SCENE_BYTES, scene.mr};

	(void)arg;
	posted = nd_endpoint_receive(scene.links[scene.held].endpoints[1], &at_held, &to, 1);
}

static void
held_send(void *arg)
{
	struct nd_sge from = {scene.base, SCENE_BYTES, scene.mr};

	(void)arg;
	posted = nd_endpoint_send(scene.links[scene.held].endpoints[1], &at_held, &from, 1, 0);
}

static nd_status
peer_post(const struct nd_mw_descriptor *key)
{
	struct nd_endpoint *peer = scene.links[scene.held].endpoints[0];
	struct nd_sge sge = {scene.net.memory[0], SCENE_BYTES, scene.net.mrs[0]};

	switch (accessing) {
	case SCENE_WRITE:
		return nd_endpoint_write(peer, &at_peer, &sge, 1, key, 0, 0);
	case SCENE_RECEIVE:
		return nd_endpoint_send(peer, &at_peer, &sge, 1, 0);
	case SCENE_READ:
		return nd_endpoint_read(peer, &at_peer, &sge, 1, key, 0, 0);
	case SCENE_GATHER:
		break;
	}
	return nd_endpoint_receive(peer, &at_peer, &sge, 1);
}

void
scene_hold(enum scene_access access, const struct nd_mw_descriptor *key)
{
	accessing = access;
	posted = ND_SUCCESS;
	if (access == SCENE_RECEIVE)
		scene_on_held(held_receive, NULL);
	if (access == SCENE_READ || access == SCENE_GATHER) {
		scene_fill(SCENE_SENT);
		memset(scene.net.memory[0], SCENE_OLD, SCENE_BYTES);
	}
	hold_arm(scene.pages + HOLD_PAGE);
	cr_assert_eq(peer_post(key), ND_SUCCESS);
	if (access == SCENE_GATHER)
		errand_begin(held_send, NULL);
	hold_await();
	cr_assert_eq(posted, ND_SUCCESS);
}

void
scene_access_check(void)
{
	bool reads = accessing == SCENE_READ || accessing == SCENE_GATHER;
	const struct nd_result *result;

	if (accessing == SCENE_GATHER)
		errand_end();
	cr_assert_eq(posted, ND_SUCCESS);
	scene_expect(scene.links[scene.held].cqs[0], &at_peer, ND_SUCCESS);
	if (accessing == SCENE_RECEIVE || accessing == SCENE_GATHER) {
		result = scene_take_on_held();
		cr_assert_eq(result, &at_held);
		/*
		 * On a busy machine, the requester may retransmit the SEND after its memory was
		 * invalidated. Then the SEND fails.
		 */
		cr_assert(result->status == ND_SUCCESS ||
				(accessing == SCENE_GATHER &&
					result->status == ND_ACCESS_VIOLATION),
			"%#x", result->status);
	}
	for (unsigned int i = 0; i < SCENE_BYTES && reads; i++)
		cr_assert_eq(scene.net.memory[0][i], SCENE_SENT, "byte %u of the peer is %#x", i,
			scene.net.memory[0][i]);
}

struct bind {
	unsigned int index;
	uint32_t flags;
	struct nd_mw *mw;
	struct nd_mw_descriptor *descriptor;
	struct nd_result result;
	nd_status status;
};

static void
bind_run(void *arg)
{
	const struct engines_link *link = &scene.links[((struct bind *)arg)->index];
	struct bind *bind = arg;
	struct nd_result *result;

	bind->status = nd_endpoint_bind(link->endpoints[1], &bind->result, scene.mr, bind->mw,
		SCENE_BASE, SCENE_BYTES,
		ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE | bind->flags, bind->descriptor);
	/* The send queue is empty, so the call has executed the bind. */
	if (bind->status == ND_SUCCESS)
		bind->status = nd_cq_get_results(link->cqs[1], &result, 1) == 1 ? result->status
										: ND_PENDING;
}

struct nd_mw *
scene_bind(unsigned int index, uint32_t flags, struct nd_mw_descriptor *descriptor)
{
	static struct nd_result invalidated[8];
	static unsigned int serial;
	struct bind bind = {.index = index, .flags = flags, .descriptor = descriptor};

	cr_assert_eq(nd_adapter_create_memory_window(
			     scene.net.adapters[1], &invalidated[serial++ % 8], &bind.mw),
		ND_SUCCESS);
	if (index == scene.held)
		scene_on_held(bind_run, &bind);
	else
		bind_run(&bind);
	cr_assert_eq(bind.status, ND_SUCCESS, "%s", nd_status_name(bind.status));
	return bind.mw;
}

/* ---- the thread of the test ---- */

void
scene_quiet(void)
{
	for (unsigned int part = 0; part < QUIET_PARTS; part++) {
		for (unsigned int i = 0; i < QUIET_TURNS / QUIET_PARTS; i++)
			engines_poll(&scene.net);
		usleep(1000);
	}
}

struct nd_result *
scene_take(struct nd_cq *cq)
{
	struct nd_result *result;
	time_t since = 0;

	while (nd_cq_get_results(cq, &result, 1) == 0) {
		cr_assert(engines_patience(&since), "a result does not come");
		engines_poll(&scene.net);
		sched_yield();
	}
	return result;
}

void
scene_expect(struct nd_cq *cq, const struct nd_result *result, nd_status status)
{
	const struct nd_result *next = scene_take(cq);

	cr_assert_eq(next, result, "the results are not in the order of the requests");
	cr_assert_eq(next->status, status, "%s instead of %s", nd_status_name(next->status),
		nd_status_name(status));
}

void
scene_expect_none(struct nd_cq *cq, const char *what)
{
	struct nd_result *result;

	cr_assert_eq(nd_cq_get_results(cq, &result, 1), 0, "a result came early: %s", what);
}

void
scene_call_waits(nd_status (*fn)(void *arg), void *arg)
{
	hold_caller_start(&scene.caller, fn, arg);
	scene_quiet();
	cr_expect_not(hold_caller_over(&scene.caller), "the call did not wait");
}

nd_status
scene_call_end(void)
{
	return hold_caller_end(&scene.caller, &scene.net);
}
