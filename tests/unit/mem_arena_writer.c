/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <time.h>

#include "mem_arena.h"

/*
 * Writers work in rounds. In each round, a writer registers a region of several buffers under a new
 * stamp, binds windows to it, queries the windows by range, and invalidates them. Then a duel
 * follows: all writers try an operation on the same object, which belongs to the writer that leads
 * this round. Then each writer deregisters its region, and poisons and frees the memory as soon as
 * the index allows it. Writers create and destroy extra windows so that the key table grows.
 */

#define BUFFERS    3u
#define PENDING    4u
#define EXTRA_MAX  400u
#define DUEL_KINDS 6u
#define SPINS      64u

struct pending {
	uint64_t release;
	uint32_t *blocks[BUFFERS];
};

struct writer {
	struct arena *arena;
	uint32_t id;
	uint64_t end_ns;
	uint32_t turn; /**< number of barriers that this writer has passed */

	uint32_t stamp;
	struct mem_region *region; /**< current region; NULL: deregistered */
	uint32_t *blocks[BUFFERS];
	/** window of each notice; element ARENA_REGION is the window for duels */
	struct mem_window *windows[ARENA_NOTICES];
	uint32_t keys[ARENA_NOTICES];
	struct pending pending[PENDING];
	uint32_t pending_first, pending_count;
	struct mem_window *extra[EXTRA_MAX];
	uint32_t extra_count;
};

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static bool
given_up(const struct writer *writer)
{
	return __atomic_load_n(&writer->arena->complaint, __ATOMIC_ACQUIRE) != NULL;
}

static void
expect(struct writer *writer, bool holds, const char *text)
{
	if (!holds)
		arena_complain(writer->arena, text);
}

/**
 * Barrier: wait until all writers have called this function. The wait spins first, so that all
 * writers continue at once.
 */
static void
meet(struct writer *writer)
{
	struct arena *arena = writer->arena;
	uint32_t turn = ++writer->turn;

	if (__atomic_add_fetch(&arena->arrived, 1, __ATOMIC_ACQ_REL) == ARENA_WRITERS) {
		__atomic_store_n(&arena->arrived, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&arena->turn, turn, __ATOMIC_RELEASE);
		return;
	}
	for (uint32_t i = 1; __atomic_load_n(&arena->turn, __ATOMIC_ACQUIRE) != turn; i++)
		if (i % SPINS == 0)
			sched_yield();
}

static void
publish(struct writer *writer, uint32_t notice, uint32_t key)
{
	uint64_t name = key == 0 ? 0 : (uint64_t)writer->stamp << 32 | key;

	__atomic_store_n(&writer->arena->board[writer->id][notice].name, name, __ATOMIC_RELAXED);
}

/* ---- memory ---- */

static void
blocks_make(struct writer *writer, struct mem_buffer *buffers)
{
	for (uint32_t i = 0; i < BUFFERS; i++) {
		writer->blocks[i] = malloc(ARENA_BYTES / BUFFERS);
		if (writer->blocks[i] == NULL)
			abort();
		for (uint32_t j = 0; j < ARENA_WORDS / BUFFERS; j++)
			writer->blocks[i][j] = writer->stamp;
		buffers[i] = (struct mem_buffer){writer->blocks[i], ARENA_BYTES / BUFFERS};
	}
}

/** Wait until the oldest deregistered region is released. Readers may not access it afterwards. */
static void
pending_finish(struct writer *writer)
{
	struct pending *oldest = &writer->pending[writer->pending_first];
	bool waited = false;

	while (!mem_region_released(writer->arena->domain, oldest->release)) {
		waited = true;
		sched_yield();
	}
	if (waited)
		arena_count(&writer->arena->waited);
	for (uint32_t i = 0; i < BUFFERS; i++) {
		for (uint32_t j = 0; j < ARENA_WORDS / BUFFERS; j++)
			oldest->blocks[i][j] = ARENA_POISON_WORD;
		free(oldest->blocks[i]);
	}
	writer->pending_first = (writer->pending_first + 1) % PENDING;
	writer->pending_count--;
}

static void
pending_add(struct writer *writer, uint64_t release)
{
	struct pending *last =
		&writer->pending[(writer->pending_first + writer->pending_count) % PENDING];

	last->release = release;
	for (uint32_t i = 0; i < BUFFERS; i++)
		last->blocks[i] = writer->blocks[i];
	writer->pending_count++;
	/* With an odd stamp, leave up to PENDING - 1 releases pending. */
	while (writer->pending_count > 0 &&
		(writer->stamp % 2 == 0 || writer->pending_count == PENDING))
		pending_finish(writer);
}

static void
region_open(struct writer *writer)
{
	struct arena *arena = writer->arena;
	struct mem_buffer buffers[BUFFERS];
	struct mem_region_attr attr = {.buffers = buffers,
		.buffer_count = BUFFERS,
		.rights = MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_WINDOW_BIND};
	enum rc_status status;

	writer->stamp = __atomic_add_fetch(&arena->stamps, 1, __ATOMIC_RELAXED);
	blocks_make(writer, buffers);
	attr.base = arena_base(writer->stamp);
	attr.cookie = (void *)(uintptr_t)writer->stamp;
	/* A small key table may have no free slot until grace periods of old keys have ended. */
	while ((status = mem_region_register(arena->domain, &attr, &writer->region)) ==
		RC_NO_RESOURCES)
		sched_yield();
	expect(writer, status == RC_OK, "a region is not registered");
	__atomic_store_n(
		&arena->board[writer->id][ARENA_REGION].region, writer->region, __ATOMIC_RELAXED);
	publish(writer, ARENA_REGION, mem_region_key(writer->region));
}

static void
region_close(struct writer *writer)
{
	uint64_t release;

	if (writer->region == NULL)
		return;
	expect(writer,
		mem_region_deregister(writer->arena->domain, writer->region, &release) == RC_OK,
		"a region without windows is not deregistered");
	writer->region = NULL;
	pending_add(writer, release);
}

static struct mem_bind
bind_of(const struct writer *writer, uint32_t notice, struct mem_window *window)
{
	return (struct mem_bind){.region = writer->region,
		.window = window,
		.address = arena_window_start(writer->stamp, notice),
		.length_bytes = ARENA_BYTES / 3,
		.rights = MEM_REMOTE_READ};
}

static enum rc_status
prepare(struct arena *arena, struct mem_bind *bind, uint32_t owner)
{
	enum rc_status status;

	while ((status = mem_bind_prepare(arena->domain, bind, owner)) == RC_NO_RESOURCES)
		sched_yield();
	return status;
}

/** Bind a window. The notice publishes the key before the bind is executed. */
static void
window_bind(struct writer *writer, uint32_t notice, struct mem_window *window)
{
	struct arena *arena = writer->arena;
	struct mem_bind bind = bind_of(writer, notice, window);

	expect(writer, prepare(arena, &bind, arena_owner(writer->stamp)) == RC_OK,
		"a bind is not prepared");
	publish(writer, notice, bind.key);
	expect(writer, mem_bind_execute(arena->domain, &bind, arena_owner(writer->stamp)) == RC_OK,
		"a bind is not executed");
	writer->keys[notice] = bind.key;
}

/**
 * Query the windows by range. Only this writer binds windows to the region now, so the test knows
 * the results.
 */
static void
ranges_ask(struct writer *writer)
{
	struct mem_domain *domain = writer->arena->domain;
	uint64_t base = arena_base(writer->stamp);
	struct mem_window *found[ARENA_NOTICES];

	expect(writer,
		mem_region_windows(domain, writer->region, base, ARENA_BYTES, found,
			ARENA_NOTICES) == ARENA_NOTICES - 1,
		"windows of a region are not found");
	for (uint32_t i = 1; i < ARENA_NOTICES; i++)
		expect(writer,
			mem_region_windows(domain, writer->region,
				arena_window_start(writer->stamp, i), 1, found, 1) == 1 &&
				found[0] == writer->windows[i],
			"the window of a byte is not found");
}

static void
windows_work(struct writer *writer)
{
	struct mem_domain *domain = writer->arena->domain;
	uint32_t owner = arena_owner(writer->stamp);
	struct mem_grace grace;
	struct mem_key_end hit;

	for (uint32_t i = 1; i < ARENA_NOTICES; i++)
		window_bind(writer, i, writer->windows[i]);
	ranges_ask(writer);
	expect(writer, mem_window_invalidate(domain, writer->windows[1], owner) == RC_OK,
		"a window is not invalidated");
	expect(writer,
		mem_key_invalidate(domain, writer->keys[2], owner, &hit) == RC_OK &&
			hit.window == writer->windows[2],
		"a key is not invalidated");
	if (writer->stamp % 2 == 0)
		expect(writer, mem_owner_invalidate(domain, owner) == 1,
			"windows of an owner are not invalidated");
	else
		expect(writer, mem_region_invalidate_windows(domain, writer->region, &grace) == 1,
			"windows of a region are not invalidated");
}

static void
others_ask(struct writer *writer)
{
	struct arena *arena = writer->arena;
	uint32_t other = (writer->id + 1) % ARENA_WRITERS;
	const struct arena_notice *notice = &arena->board[other][ARENA_REGION];
	struct mem_window *found[ARENA_NOTICES];
	struct mem_domain_stats stats;

	expect(writer,
		mem_region_windows(arena->domain,
			__atomic_load_n(&notice->region, __ATOMIC_ACQUIRE), 0, UINT64_MAX, found,
			ARENA_NOTICES) < ARENA_NOTICES,
		"more windows than were ever bound to a region");
	mem_domain_stats(arena->domain, &stats);
	expect(writer, stats.key_slots_used < stats.key_slots, "more slots used than there are");
}

static void
extra_work(struct writer *writer)
{
	struct mem_domain *domain = writer->arena->domain;

	if (writer->extra_count < EXTRA_MAX) {
		expect(writer,
			mem_window_create(domain, NULL, &writer->extra[writer->extra_count++]) ==
				RC_OK,
			"a window is not made");
		return;
	}
	while (writer->extra_count > 0)
		expect(writer,
			mem_window_destroy(domain, writer->extra[--writer->extra_count],
				&(struct mem_grace){0}) == RC_OK,
			"a window is not destroyed");
}

/* ---- duels ---- */

enum duel_kind {
	DUEL_INVALIDATE,
	DUEL_INVALIDATE_TWICE,
	DUEL_DESTROY,
	DUEL_PREPARE,
	DUEL_DEREGISTER,
	DUEL_BIND_OR_DEREGISTER,
};

static void
duel_offer(struct writer *writer, struct arena_duel *duel, enum duel_kind kind)
{
	*duel = (struct arena_duel){.window = writer->windows[ARENA_REGION],
		.region = writer->region,
		.owner = arena_owner(writer->stamp),
		.base = arena_base(writer->stamp)};
	if (kind == DUEL_INVALIDATE || kind == DUEL_INVALIDATE_TWICE || kind == DUEL_DESTROY)
		window_bind(writer, 1, duel->window);
	duel->key = writer->keys[1];
}

static uint32_t
invalidate_by(struct writer *writer, const struct arena_duel *duel, uint32_t way)
{
	struct mem_domain *domain = writer->arena->domain;
	struct mem_grace grace;
	struct mem_key_end hit;

	switch (way % 4) {
	case 0:
		return mem_window_invalidate(domain, duel->window, duel->owner) == RC_OK;
	case 1:
		return mem_key_invalidate(domain, duel->key, duel->owner, &hit) == RC_OK;
	case 2:
		return mem_owner_invalidate(domain, duel->owner);
	default:
		return mem_region_invalidate_windows(domain, duel->region, &grace);
	}
}

static void
win(uint32_t *wins, uint32_t count)
{
	(void)__atomic_fetch_add(wins, count, __ATOMIC_RELAXED);
}

/**
 * All writers prepare a bind of the same window. One of them succeeds. It executes the bind and
 * invalidates the window.
 */
static void
duel_prepare(struct writer *writer, struct arena_duel *duel)
{
	struct mem_domain *domain = writer->arena->domain;
	struct mem_bind bind = {.region = duel->region,
		.window = duel->window,
		.address = duel->base,
		.length_bytes = 1,
		.rights = MEM_REMOTE_READ};
	bool won = prepare(writer->arena, &bind, duel->owner) == RC_OK;

	win(&duel->wins, won);
	meet(writer);
	if (!won)
		return;
	expect(writer, mem_bind_execute(domain, &bind, duel->owner) == RC_OK,
		"a bind is not executed");
	expect(writer, mem_window_invalidate(domain, duel->window, duel->owner) == RC_OK,
		"a window is not invalidated");
}

/**
 * The leader deregisters the region while the others prepare binds to it. Either the deregistration
 * succeeds, or the binds succeed.
 */
static void
duel_bind_or_deregister(struct writer *writer, struct arena_duel *duel)
{
	struct mem_domain *domain = writer->arena->domain;
	struct mem_bind bind = {.region = duel->region,
		.window = writer->windows[ARENA_REGION],
		.address = duel->base,
		.length_bytes = 1,
		.rights = MEM_REMOTE_READ};
	bool leads = writer->region == duel->region, won = false;
	uint64_t release;

	if (leads) {
		won = mem_region_deregister(domain, duel->region, &release) == RC_OK;
		win(&duel->wins, won);
	} else {
		won = prepare(writer->arena, &bind, duel->owner) == RC_OK;
		win(&duel->other_wins, won);
	}
	meet(writer);
	if (won && !leads)
		mem_bind_cancel(domain, &bind);
	if (won && leads) {
		writer->region = NULL;
		pending_add(writer, release);
	}
}

/** Execute the operation of the duel. All writers call this function at the same time. */
static void
duel_fight(struct writer *writer, struct arena_duel *duel, enum duel_kind kind, uint32_t way)
{
	struct mem_domain *domain = writer->arena->domain;
	uint64_t release;

	switch (kind) {
	case DUEL_INVALIDATE:
		win(&duel->wins, invalidate_by(writer, duel, way));
		break;
	case DUEL_INVALIDATE_TWICE:
		win(&duel->wins, invalidate_by(writer, duel, 1));
		break;
	case DUEL_DESTROY:
		win(&duel->wins,
			mem_window_destroy(domain, duel->window, &(struct mem_grace){0}) == RC_OK);
		break;
	case DUEL_PREPARE:
		duel_prepare(writer, duel);
		break;
	case DUEL_DEREGISTER:
		if (mem_region_deregister(domain, duel->region, &release) == RC_OK) {
			win(&duel->wins, 1);
			/* The leader reads the token after the next barrier. */
			duel->release = release;
		}
		break;
	case DUEL_BIND_OR_DEREGISTER:
		duel_bind_or_deregister(writer, duel);
		break;
	}
}

static void
duel_settle(struct writer *writer, const struct arena_duel *duel, enum duel_kind kind)
{
	struct arena *arena = writer->arena;
	uint32_t wins = __atomic_load_n(&duel->wins, __ATOMIC_RELAXED);

	if (kind == DUEL_BIND_OR_DEREGISTER)
		wins += __atomic_load_n(&duel->other_wins, __ATOMIC_RELAXED) > 0;
	expect(writer, wins == 1, "not exactly one writer won");
	arena_count(&arena->fought);
	if (kind == DUEL_DEREGISTER) {
		writer->region = NULL;
		pending_add(writer, duel->release);
	}
	if (kind == DUEL_DESTROY)
		expect(writer,
			mem_window_create(arena->domain, NULL, &writer->windows[ARENA_REGION]) ==
				RC_OK,
			"a window is not made");
}

static void
duel_round(struct writer *writer, uint32_t round)
{
	struct arena_duel *duel = &writer->arena->duels[round % 2];
	bool leads = round % ARENA_WRITERS == writer->id;
	enum duel_kind kind = (enum duel_kind)(round / ARENA_WRITERS % DUEL_KINDS);

	if (leads)
		duel_offer(writer, duel, kind);
	meet(writer);
	duel_fight(writer, duel, kind, writer->id + round / DUEL_KINDS);
	meet(writer);
	if (leads)
		duel_settle(writer, duel, kind);
}

/* ---- the thread ---- */

static void
writer_round(struct writer *writer, uint32_t round)
{
	struct arena *arena = writer->arena;

	region_open(writer);
	windows_work(writer);
	extra_work(writer);
	if (round % 16 == writer->id)
		others_ask(writer);
	if (writer->id == 0 && (now_ns() >= writer->end_ns || given_up(writer)))
		__atomic_store_n(&arena->last_round, round, __ATOMIC_RELEASE);
	duel_round(writer, round);
	region_close(writer);
	if (round % 8 == 0)
		sched_yield();
}

void *
arena_writer_run(void *argument)
{
	const struct arena_writer *given = argument;
	struct arena *arena = given->arena;
	struct writer *writer = calloc(1, sizeof(*writer));

	if (writer == NULL)
		abort();
	writer->arena = arena;
	writer->id = given->id;
	writer->end_ns = given->end_ns;
	for (uint32_t i = 0; i < ARENA_NOTICES; i++)
		expect(writer, mem_window_create(arena->domain, NULL, &writer->windows[i]) == RC_OK,
			"a window is not made");
	/* Writer 0 sets last_round before the barrier of the last round. */
	for (uint32_t round = 0; round <= __atomic_load_n(&arena->last_round, __ATOMIC_ACQUIRE);
		round++)
		writer_round(writer, round);
	while (writer->pending_count > 0)
		pending_finish(writer);
	while (writer->extra_count > 0)
		expect(writer,
			mem_window_destroy(arena->domain, writer->extra[--writer->extra_count],
				&(struct mem_grace){0}) == RC_OK,
			"a window is not destroyed");
	for (uint32_t i = 0; i < ARENA_NOTICES; i++)
		expect(writer,
			mem_window_destroy(
				arena->domain, writer->windows[i], &(struct mem_grace){0}) == RC_OK,
			"a window is not destroyed");
	free(writer);
	return NULL;
}
