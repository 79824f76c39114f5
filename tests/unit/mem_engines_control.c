/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <sched.h>
#include <stdlib.h>

#include "mem_engines.h"

/*
 * A control thread registers regions, deregisters them with all their windows, invalidates all
 * windows of a region, destroys windows of engines, and queries keys. It poisons and frees the
 * memory of a region as soon as mem_region_released() returns true. It also creates and destroys
 * extra windows, so that the key table grows.
 */

#define EXTRA_MAX 200u

struct control {
	struct engines_thread *thread;
	struct engines *engines;
	struct mem_domain *domain;
	struct mem_window *extra[EXTRA_MAX];
	uint32_t extra_count;
};

static uint32_t
below(struct control *control, uint32_t bound)
{
	return engines_below(control->thread, bound);
}

static void
expect(struct control *control, bool holds, const char *text)
{
	engines_expect(control->engines, holds, text);
}

static void
grace_wait(struct engines *engines, const struct mem_grace *grace)
{
	bool waited = false;

	while (!mem_domain_quiescent(engines->arena.domain, grace)) {
		waited = true;
		sched_yield();
	}
	if (waited)
		arena_count(&engines->grace_waited);
}

/* ---- regions ---- */

void
engines_region_open(struct engines *engines, uint32_t number)
{
	struct arena_notice *notice = &engines->regions[number];
	uint32_t stamp = __atomic_add_fetch(&engines->arena.stamps, 1, __ATOMIC_RELAXED);
	uint32_t *words = malloc(ARENA_BYTES);
	struct mem_buffer buffer = {words, ARENA_BYTES};
	const struct mem_region_attr attr = {.base = arena_base(stamp),
		.buffers = &buffer,
		.buffer_count = 1,
		.rights = MEM_REMOTE_READ | MEM_WINDOW_BIND,
		.cookie = words};
	struct mem_region *region;
	enum rc_status status;

	if (words == NULL)
		abort();
	for (uint32_t i = 0; i < ARENA_WORDS; i++)
		words[i] = stamp;
	/* Retry, because all free entries and slots may still be in a grace period. */
	while ((status = mem_region_register(engines->arena.domain, &attr, &region)) ==
		RC_NO_RESOURCES)
		sched_yield();
	engines_expect(engines, status == RC_OK, "a region is not registered");
	__atomic_store_n(&notice->region, region, __ATOMIC_RELAXED);
	__atomic_store_n(
		&notice->name, engines_name(stamp, mem_region_key(region)), __ATOMIC_RELAXED);
}

void
engines_region_close(struct engines *engines, uint32_t number)
{
	struct arena_notice *notice = &engines->regions[number];
	struct mem_domain *domain = engines->arena.domain;
	struct mem_region *region = notice->region;
	uint32_t *words = mem_region_cookie(region);
	uint64_t name = notice->name, release;
	struct mem_grace grace;
	enum rc_status status;

	__atomic_store_n(&notice->name, 0, __ATOMIC_RELAXED);
	/* Retry, because engines may bind new windows to the region after the invalidate. */
	while ((status = mem_region_deregister(domain, region, &release)) == RC_BUSY) {
		(void)mem_region_invalidate_windows(domain, region, &grace);
		grace_wait(engines, &grace);
	}
	engines_expect(engines, status == RC_OK, "a region is not deregistered");
	while (!mem_region_released(domain, release))
		sched_yield();
	engines_unread(engines, name);
	for (uint32_t i = 0; i < ARENA_WORDS; i++)
		words[i] = ARENA_POISON_WORD;
	free(words);
	arena_count(&engines->closed);
}

static uint32_t
region_pick(struct control *control)
{
	return control->thread->id * CONTROL_REGIONS + below(control, CONTROL_REGIONS);
}

static void
region_renew(struct control *control)
{
	uint32_t number = region_pick(control);

	engines_region_close(control->engines, number);
	engines_region_open(control->engines, number);
}

static void
region_windows_end(struct control *control)
{
	struct mem_region *region = control->engines->regions[region_pick(control)].region;
	struct mem_grace grace;
	uint32_t count = mem_region_invalidate_windows(control->domain, region, &grace);

	expect(control, count <= ENGINES * ENGINE_WINDOWS,
		"more windows invalidated than there are");
	grace_wait(control->engines, &grace);
}

static void
region_ask(struct control *control)
{
	struct mem_region *region = control->engines->regions[region_pick(control)].region;
	struct mem_window *found[ENGINES * ENGINE_WINDOWS];
	struct mem_domain_stats stats;

	expect(control,
		mem_region_windows(control->domain, region, 0, UINT64_MAX, found, RTE_DIM(found)) <=
			RTE_DIM(found),
		"more windows found than there are");
	mem_domain_stats(control->domain, &stats);
	expect(control,
		stats.windows_bound <= ENGINES * ENGINE_WINDOWS &&
			stats.key_slots_used < stats.key_slots,
		"more windows or slots than there are");
}

/* ---- windows ---- */

/** Take a window that an engine offers, destroy the window, and give the engine a new one. */
static void
window_replace(struct control *control)
{
	struct engines_window *window =
		&control->engines->windows[below(control, ENGINES)][below(control, ENGINE_WINDOWS)];
	uint32_t offered = ENGINES_OFFERED;
	struct mem_window *made = NULL;
	struct mem_grace grace;
	uint64_t name;

	if (!__atomic_compare_exchange_n(&window->state, &offered, ENGINES_TAKEN, false,
		    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	name = __atomic_load_n(&window->name, __ATOMIC_RELAXED);
	expect(control, mem_window_destroy(control->domain, window->window, &grace) == RC_OK,
		"a window is not destroyed");
	grace_wait(control->engines, &grace);
	/*
	 * If grace.readers is 0, another thread has invalidated the window and waits for its
	 * readers.
	 */
	if (grace.readers != 0)
		engines_unread(control->engines, name);
	expect(control, mem_window_create(control->domain, NULL, &made) == RC_OK,
		"a window is not made");
	window->window = made;
	__atomic_store_n(&window->name, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&window->state, ENGINES_FREE, __ATOMIC_RELEASE);
	arena_count(&control->engines->destroyed);
}

static void
extra_end(struct control *control)
{
	struct mem_grace grace;

	while (control->extra_count > 0)
		expect(control,
			mem_window_destroy(control->domain, control->extra[--control->extra_count],
				&grace) == RC_OK,
			"a window is not destroyed");
}

static void
extra_work(struct control *control)
{
	if (control->extra_count == EXTRA_MAX)
		extra_end(control);
	expect(control,
		mem_window_create(control->domain, NULL, &control->extra[control->extra_count++]) ==
			RC_OK,
		"a window is not made");
}

/* ---- the thread ---- */

void *
engines_control_run(void *argument)
{
	struct engines_thread *thread = argument;
	struct control *control = calloc(1, sizeof(*control));

	if (control == NULL)
		abort();
	control->thread = thread;
	control->engines = thread->engines;
	control->domain = thread->engines->arena.domain;
	while (__atomic_load_n(&control->engines->stop_controls, __ATOMIC_ACQUIRE) == 0) {
		switch (below(control, 8)) {
		case 0:
			region_renew(control);
			break;
		case 1:
			region_windows_end(control);
			break;
		case 2:
			region_ask(control);
			break;
		case 3:
		case 4:
			extra_work(control);
			break;
		default:
			window_replace(control);
			break;
		}
		sched_yield();
	}
	extra_end(control);
	free(control);
	return NULL;
}
