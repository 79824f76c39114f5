/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem_engines.h"

/*
 * An engine binds and invalidates its windows, and registers pages in its fast region. It tries its
 * own keys and the keys of other engines, with accesses that are allowed and with accesses that
 * must be refused. It reports a quiescent state to the RCU variable after each round.
 */

enum fast_state {
	FAST_NONE,
	FAST_QUEUED,
	FAST_LIVE,
};

/** Memory of one registration. */
struct page {
	/** grace period that followed the last registration of this page */
	struct mem_grace grace;
	uint64_t name;
};

struct engine {
	struct engines_thread *thread;
	struct engines *engines;
	struct mem_domain *domain;
	uint32_t id;
	enum fast_state fast_state;
	struct mem_fast fast;
	struct page pages[ENGINES_PAGES];
	/** index of the queued or registered page; in FAST_NONE, index of the next page */
	uint32_t page_next;
};

static uint32_t
below(struct engine *engine, uint32_t bound)
{
	return engines_below(engine->thread, bound);
}

static void
expect(struct engine *engine, bool holds, const char *text)
{
	engines_expect(engine->engines, holds, text);
}

/** Report a quiescent state. Before the call, the engine must have finished all reads of spans. */
static void
report(struct engine *engine)
{
	rte_rcu_qsbr_quiescent(mem_domain_qsbr(engine->domain), engine->id);
}

/**
 * Wait for the grace period. Meanwhile report quiescent states, so that other threads do not wait
 * for this engine.
 */
static void
grace_wait(struct engine *engine, const struct mem_grace *grace)
{
	bool waited = false;

	while (!mem_domain_quiescent(engine->domain, grace)) {
		waited = true;
		report(engine);
		sched_yield();
	}
	if (waited)
		arena_count(&engine->engines->grace_waited);
}

/* ---- access ---- */

static bool
allowed(struct engine *engine, uint64_t name, uint32_t owner, uint64_t start, uint64_t length_bytes,
	struct mem_span *span)
{
	const struct mem_access access = {.key = (uint32_t)name,
		.owner = owner,
		.address = start,
		.length_bytes = length_bytes,
		.rights = MEM_REMOTE_READ};

	return mem_check_remote(engine->domain, &access, span) == MEM_ALLOWED;
}

static void
words_check(struct engine *engine, const uint32_t *words, uint64_t bytes, uint64_t name)
{
	for (uint64_t i = 0; i < bytes / 4; i++) {
		expect(engine, words[i] != ARENA_POISON_WORD,
			"an engine saw memory that was given back");
		expect(engine, words[i] == (uint32_t)(name >> 32),
			"an engine saw bytes of another registration");
	}
}

/**
 * Access memory with a key. If the access is allowed, read the bytes. Sometimes let other threads
 * run before the read.
 */
static void
key_try(struct engine *engine, uint64_t name, uint32_t owner, uint64_t start, uint64_t length_bytes)
{
	uint64_t *reads = &engine->engines->reads[engine->id];
	uint32_t words[ARENA_WORDS] = {0};
	struct mem_span span;

	if (name == 0 || !allowed(engine, name, owner, start, length_bytes, &span))
		return;
	__atomic_store_n(reads, name, __ATOMIC_RELAXED);
	if (below(engine, 256) == 0)
		sched_yield();
	mem_span_read(&span, 0, words, length_bytes);
	words_check(engine, words, length_bytes, name);
	__atomic_store_n(reads, 0, __ATOMIC_RELAXED);
	arena_count(&engine->engines->accesses);
}

static void
window_try(struct engine *engine, uint32_t of, uint32_t number)
{
	struct engines_window *window = &engine->engines->windows[of][number];
	uint64_t name = __atomic_load_n(&window->name, __ATOMIC_RELAXED);
	uint64_t start = engines_window_start(name, number);
	struct mem_span span;

	if (name == 0)
		return;
	if (number >= ENGINE_SHARED && of != engine->id)
		expect(engine,
			!allowed(engine, name, engines_owner(engine->id, number), start, 4, &span),
			"a window of another engine was used");
	else if (number >= ENGINE_SHARED)
		expect(engine,
			!allowed(engine, name, engines_owner(of, number + 1), start, 4, &span),
			"a window of another queue pair was used");
	if (number < ENGINE_SHARED || of == engine->id)
		key_try(engine, name, engines_owner(engine->id, number), start, ARENA_BYTES / 3);
}

static void
list_try(struct engine *engine, struct mem_region *region, uint64_t name)
{
	struct mem_sge sge = {.region = region,
		.address = arena_base((uint32_t)(name >> 32)),
		.length_bytes = ARENA_BYTES};
	struct mem_sgl sgl = {.sges = &sge, .count = 1};
	uint32_t words[ARENA_WORDS] = {0};

	if (mem_sgl_gather(engine->domain, &sgl, 0, words, sizeof(words)) != RC_OK)
		return;
	words_check(engine, words, sizeof(words), name);
	arena_count(&engine->engines->lists);
}

static void
anything_try(struct engine *engine)
{
	struct engines *engines = engine->engines;
	uint32_t owner = engines_owner(engine->id, below(engine, ENGINE_OWNERS));
	const struct arena_notice *notice = &engines->regions[below(engine, ENGINES_REGIONS)];
	const struct engines_fast *fast = &engines->fasts[below(engine, ENGINES)];
	uint64_t name = __atomic_load_n(&notice->name, __ATOMIC_RELAXED);

	for (uint32_t i = 0; i < ENGINE_WINDOWS; i++)
		window_try(engine, (engine->id + below(engine, ENGINES)) % ENGINES, i);
	key_try(engine, name, owner, arena_base((uint32_t)(name >> 32)), ARENA_BYTES);
	list_try(engine, __atomic_load_n(&notice->region, __ATOMIC_RELAXED), name);
	name = __atomic_load_n(&fast->name, __ATOMIC_RELAXED);
	key_try(engine, name, owner, arena_base((uint32_t)(name >> 32)), ARENA_BYTES);
	list_try(engine, fast->region, name);
}

/* ---- windows ---- */

static void
window_bind(struct engine *engine, struct engines_window *window, uint32_t number)
{
	struct engines *engines = engine->engines;
	const struct arena_notice *notice = &engines->regions[below(engine, ENGINES_REGIONS)];
	uint64_t name = __atomic_load_n(&notice->name, __ATOMIC_RELAXED);
	uint32_t stamp = (uint32_t)(name >> 32), owner = engines_owner(engine->id, number);
	struct mem_bind bind = {.region = __atomic_load_n(&notice->region, __ATOMIC_RELAXED),
		.window = window->window,
		.address = engines_window_start(name, number),
		.length_bytes = ARENA_BYTES / 3,
		.rights = MEM_REMOTE_READ,
		.any_owner = number < ENGINE_SHARED};
	enum rc_status status;

	if (name == 0)
		return;
	if (below(engine, 2) == 0) {
		status = mem_bind_now(engine->domain, &bind, owner);
	} else {
		status = mem_bind_prepare(engine->domain, &bind, owner);
		if (status == RC_OK && below(engine, 8) == 0) {
			mem_bind_cancel(engine->domain, &bind);
			return;
		}
		if (status == RC_OK)
			status = mem_bind_execute(engine->domain, &bind, owner);
	}
	if (status == RC_OK) {
		__atomic_store_n(&window->name, engines_name(stamp, bind.key), __ATOMIC_RELAXED);
		__atomic_store_n(&window->state, ENGINES_OFFERED, __ATOMIC_RELEASE);
		arena_count(&engines->binds);
		return;
	}
	/* Another thread may have deregistered the region, and a new one may have its handle. */
	expect(engine,
		status == RC_BAD_REGION || status == RC_BAD_START || status == RC_NO_RESOURCES,
		"a free window is not bound");
}

/** Invalidate a window, either by its key or by its handle. @return the status */
static enum rc_status
invalidate(struct engine *engine, struct mem_window *window, uint64_t name, uint32_t number)
{
	uint32_t owner = engines_owner(engine->id, number);
	struct mem_grace grace = {0};
	enum rc_status status;
	struct mem_key_end end;

	if (below(engine, 2) == 0) {
		status = mem_key_invalidate(engine->domain, (uint32_t)name, owner, &end);
		expect(engine, status != RC_OK || end.window == window,
			"an invalidate by key ended another window");
		grace = end.grace;
	} else {
		status = mem_window_invalidate(engine->domain, window, owner);
		expect(engine, number >= ENGINE_SHARED || status != RC_OK,
			"a window for any owner was invalidated at once");
		if (status != RC_OK)
			status = mem_invalidate_execute(
				engine->domain, window, mem_window_life(window), owner, &grace);
	}
	expect(engine, number < ENGINE_SHARED || grace.readers == 0,
		"an engine waits for others that cannot use its window");
	if (status == RC_OK)
		grace_wait(engine, &grace);
	return status;
}

/** Take back and invalidate an offered window. A control thread may already have invalidated it. */
static void
window_end(struct engine *engine, struct engines_window *window, uint32_t number)
{
	uint32_t offered = ENGINES_OFFERED, owner = engines_owner(engine->id, number);
	uint64_t name = __atomic_load_n(&window->name, __ATOMIC_RELAXED);
	struct mem_span span;

	if (!__atomic_compare_exchange_n(&window->state, &offered, ENGINES_FREE, false,
		    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	if (invalidate(engine, window->window, name, number) == RC_OK) {
		engines_unread(engine->engines, name);
		arena_count(&engine->engines->ended_by_engine);
	} else {
		arena_count(&engine->engines->ended_by_control);
	}
	expect(engine, !allowed(engine, name, owner, engines_window_start(name, number), 4, &span),
		"a window was used after its end");
	__atomic_store_n(&window->name, 0, __ATOMIC_RELAXED);
}

static void
window_work(struct engine *engine)
{
	uint32_t number = below(engine, ENGINE_WINDOWS);
	struct engines_window *window = &engine->engines->windows[engine->id][number];
	uint32_t state = __atomic_load_n(&window->state, __ATOMIC_ACQUIRE);

	if (state == ENGINES_FREE)
		window_bind(engine, window, number);
	else if (state == ENGINES_OFFERED && below(engine, 4) == 0)
		window_end(engine, window, number);
}

/* ---- fast region ---- */

static void
fast_post(struct engine *engine, struct engines_fast *own)
{
	uint32_t stamp = __atomic_add_fetch(&engine->engines->arena.stamps, 1, __ATOMIC_RELAXED);
	struct page *page = &engine->pages[engine->page_next];
	uint32_t *words = own->pages[engine->page_next];
	void *pages[] = {words};
	const struct mem_fast_attr attr = {.region = own->region,
		.pages = pages,
		.page_count = 1,
		.length_bytes = ARENA_BYTES,
		.base = arena_base(stamp),
		.rights = MEM_REMOTE_READ};

	if (!mem_domain_quiescent(engine->domain, &page->grace))
		return;
	if (page->name != 0)
		engines_unread(engine->engines, page->name);
	for (uint32_t i = 0; i < ARENA_WORDS; i++)
		words[i] = stamp;
	/* The call fails while all keys are in use. The engine tries again in a later round. */
	if (mem_fast_prepare(engine->domain, &attr, &engine->fast) != RC_OK)
		return;
	page->name = engines_name(stamp, engine->fast.key);
	engine->fast_state = FAST_QUEUED;
}

static void
fast_execute(struct engine *engine, struct engines_fast *own)
{
	enum rc_status status =
		mem_fast_execute(engine->domain, &engine->fast, engines_owner(engine->id, 0));

	if (status == RC_BUSY) {
		arena_count(&engine->engines->busy);
		return;
	}
	expect(engine, status == RC_OK, "a registration is not executed");
	__atomic_store_n(&own->name, engine->pages[engine->page_next].name, __ATOMIC_RELAXED);
	engine->fast_state = FAST_LIVE;
	arena_count(&engine->engines->registered);
}

/**
 * Invalidate the registration. The next registration need not wait for this grace period, because
 * it uses another page.
 */
static void
fast_end(struct engine *engine, struct engines_fast *own)
{
	expect(engine,
		mem_fast_invalidate(engine->domain, own->region, mem_region_key(own->region),
			engines_owner(engine->id, 0),
			&engine->pages[engine->page_next].grace) == RC_OK,
		"a registration is not invalidated");
	__atomic_store_n(&own->name, 0, __ATOMIC_RELAXED);
	engine->page_next = (engine->page_next + 1) % ENGINES_PAGES;
	engine->fast_state = FAST_NONE;
}

static void
fast_work(struct engine *engine)
{
	struct engines_fast *own = &engine->engines->fasts[engine->id];

	if (engine->fast_state == FAST_NONE)
		fast_post(engine, own);
	else if (engine->fast_state == FAST_QUEUED)
		fast_execute(engine, own);
	else if (below(engine, 2) == 0)
		fast_end(engine, own);
}

/* ---- the thread ---- */

static void
engine_end(struct engine *engine)
{
	struct engines *engines = engine->engines;

	for (uint32_t i = 0; i < ENGINE_WINDOWS; i++)
		window_end(engine, &engines->windows[engine->id][i], i);
	for (uint32_t i = 0; i < ENGINE_OWNERS; i++)
		expect(engine,
			mem_owner_invalidate(engine->domain, engines_owner(engine->id, i)) == 0,
			"a window is bound that was invalidated");
	if (engine->fast_state == FAST_QUEUED)
		mem_fast_cancel(engine->domain, &engine->fast);
	if (engine->fast_state == FAST_LIVE)
		fast_end(engine, &engines->fasts[engine->id]);
}

void *
engines_engine_run(void *argument)
{
	struct engines_thread *thread = argument;
	struct engine engine = {.thread = thread,
		.engines = thread->engines,
		.domain = thread->engines->arena.domain,
		.id = thread->id};
	struct rte_rcu_qsbr *qsbr = mem_domain_qsbr(engine.domain);

	rte_rcu_qsbr_thread_online(qsbr, engine.id);
	for (uint32_t round = 1;
		__atomic_load_n(&engine.engines->stop_engines, __ATOMIC_ACQUIRE) == 0; round++) {
		window_work(&engine);
		fast_work(&engine);
		anything_try(&engine);
		report(&engine);
		if (round % 64 != 0)
			continue;
		rte_rcu_qsbr_thread_offline(qsbr, engine.id);
		sched_yield();
		rte_rcu_qsbr_thread_online(qsbr, engine.id);
	}
	engine_end(&engine);
	rte_rcu_qsbr_thread_offline(qsbr, engine.id);
	return NULL;
}
