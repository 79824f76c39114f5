/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "mem_fixture.h"

/*
 * The index against a model that is a handful of arrays, searched from one end to the other: keys
 * by comparing all of them, ranges with 128-bit arithmetic, the posted state of a window by
 * replaying the send queue of its owner. Random operations, small numbers of everything so that
 * they meet.
 */

#define SEED        61u
#define OPERATIONS  200000u
#define REGIONS     12u
#define WINDOWS     24u
#define OWNERS      4u
#define QUEUE_DEPTH 8u
#define OLD_KEYS    128u
#define KEY_SLOTS   1024u
#define BUFFERS_MAX 12u
#define REMOTE      (MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)

struct model_region {
	struct mem_region *handle; /**< NULL: none */
	uint64_t base, length_bytes;
	uint32_t rights;
	uint32_t buffer_count;
	struct mem_buffer buffers[BUFFERS_MAX];
	uint8_t backing[BUFFERS_MAX * 32];
};

struct model_window {
	struct mem_window *handle; /**< NULL: none */
	uint32_t key;              /**< 0: not bound */
	uint32_t owner, rights;
	struct model_region *region;
	uint64_t start, length_bytes;
};

/** One request of a send queue: a bind, or an invalidate of bind.window. */
struct model_request {
	bool is_bind;
	struct model_window *window;
	struct model_region *region;
	struct mem_bind bind;
};

static struct {
	struct base_random random;
	struct mem_domain *domain;
	struct model_region regions[REGIONS];
	struct model_window windows[WINDOWS];
	struct model_request queues[OWNERS][QUEUE_DEPTH];
	uint32_t queued[OWNERS];
	uint32_t old_keys[OLD_KEYS]; /**< issued last, by age */
	uint32_t old_count;
	uint32_t operation;
	uint32_t allowed, refused, binds, invalidates; /**< that the test is not vacuous */
} m;

static uint32_t
below(uint32_t bound)
{
	return base_random_below(&m.random, bound);
}

#define EXPECT(actual, expected, what)                                                             \
	cr_assert_eq((actual), (expected), "%s: %lld instead of %lld, operation %u, seed %u",      \
		(what), (long long)(actual), (long long)(expected), m.operation, SEED)

static uint32_t
owner_qpn(uint32_t owner)
{
	return 0x100000 * (owner / 2) + 77 + owner % 2;
}

static void
key_issued(uint32_t key)
{
	EXPECT(key != 0, true, "key is not 0");
	for (uint32_t i = 0; i < RTE_MIN(m.old_count, OLD_KEYS); i++)
		EXPECT(key >> 8 == m.old_keys[i] >> 8, false, "slot came back soon");
	m.old_keys[m.old_count++ % OLD_KEYS] = key;
}

/** @return the state of a window when the queue of its owner will have been executed. */
static bool
posted_bound(const struct model_window *window)
{
	bool bound = window->key != 0;

	for (uint32_t owner = 0; owner < OWNERS; owner++)
		for (uint32_t i = 0; i < m.queued[owner]; i++)
			if (m.queues[owner][i].window == window)
				bound = m.queues[owner][i].is_bind;
	return bound;
}

/** @return the queue with requests for the window, or OWNERS. */
static uint32_t
queue_of(const struct model_window *window)
{
	for (uint32_t owner = 0; owner < OWNERS; owner++)
		for (uint32_t i = 0; i < m.queued[owner]; i++)
			if (m.queues[owner][i].window == window)
				return owner;
	return OWNERS;
}

static uint32_t
binds_queued(const struct model_window *window, const struct model_region *region)
{
	uint32_t count = 0;

	for (uint32_t owner = 0; owner < OWNERS; owner++)
		for (uint32_t i = 0; i < m.queued[owner]; i++)
			count += m.queues[owner][i].is_bind &&
				(m.queues[owner][i].window == window ||
					m.queues[owner][i].region == region);
	return count;
}

static uint8_t *
byte_of(struct model_region *region, uint64_t offset)
{
	uint32_t i = 0;

	for (; offset >= region->buffers[i].length_bytes; i++)
		offset -= region->buffers[i].length_bytes;
	return (uint8_t *)region->buffers[i].address + offset;
}

static bool
inside(uint64_t address, uint64_t length_bytes, uint64_t start, uint64_t size)
{
	return address >= start &&
		(unsigned __int128)address + length_bytes <= (unsigned __int128)start + size;
}

static void
do_register(void)
{
	struct model_region *region = &m.regions[below(REGIONS)];
	struct mem_region_attr attr = {.buffers = region->buffers, .cookie = region};

	if (region->handle != NULL)
		return;
	region->length_bytes = 0;
	region->buffer_count = 1 + (below(2) == 0 ? 0 : below(BUFFERS_MAX));
	for (uint32_t i = 0; i < region->buffer_count; i++) {
		region->buffers[i] = (struct mem_buffer){region->backing + 32 * i, 1 + below(32)};
		region->length_bytes += region->buffers[i].length_bytes;
	}
	region->base = below(4) == 0 ? UINT64_MAX - region->length_bytes : below(1 << 16);
	region->rights = below(32) | (below(4) == 0 ? 0 : MEM_WINDOW_BIND | MEM_LOCAL_WRITE);
	if ((region->rights & MEM_LOCAL_WRITE) == 0)
		region->rights &= ~(uint32_t)(MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC);
	attr.base = region->base;
	attr.buffer_count = region->buffer_count;
	attr.rights = region->rights;
	EXPECT(mem_region_register(m.domain, &attr, &region->handle), RC_OK, "register");
	EXPECT(mem_region_cookie(region->handle) == region, true, "cookie");
	key_issued(mem_region_key(region->handle));
}

static void
do_deregister(void)
{
	struct model_region *region = &m.regions[below(REGIONS)];
	struct mem_region *handle = region->handle;
	bool busy = binds_queued(NULL, region) > 0;
	uint64_t token;

	if (handle == NULL)
		return;
	for (uint32_t i = 0; i < WINDOWS; i++)
		busy |= m.windows[i].key != 0 && m.windows[i].region == region;
	EXPECT(mem_region_deregister(m.domain, handle, &token), busy ? RC_BUSY : RC_OK,
		"deregister");
	EXPECT(mem_region_alive(m.domain, handle), busy, "alive");
	if (!busy)
		region->handle = NULL;
}

static void
do_create(void)
{
	struct model_window *window = &m.windows[below(WINDOWS)];

	if (window->handle != NULL)
		return;
	EXPECT(mem_window_create(m.domain, window, &window->handle), RC_OK, "create");
	EXPECT(mem_window_cookie(window->handle) == window, true, "cookie");
	window->key = 0;
}

static void
do_destroy(void)
{
	struct model_window *window = &m.windows[below(WINDOWS)];
	bool busy = binds_queued(window, NULL) > 0;

	/* An invalidate that is queued would find another window; no application may do that. */
	if (window->handle == NULL || (!busy && queue_of(window) != OWNERS))
		return;
	EXPECT(mem_window_destroy(m.domain, window->handle), busy ? RC_BUSY : RC_OK, "destroy");
	EXPECT(mem_window_alive(m.domain, window->handle), busy, "alive");
	if (!busy)
		*window = (struct model_window){0};
}

static enum rc_status
bind_expected(const struct model_request *request)
{
	const struct model_region *region = request->region;
	const struct mem_bind *bind = &request->bind;

	if (region->handle == NULL)
		return RC_BAD_REGION;
	if (request->window->handle == NULL)
		return RC_BAD_WINDOW;
	if (!inside(bind->address, 1, region->base, region->length_bytes))
		return RC_BAD_START;
	if (bind->length_bytes == 0 ||
		!inside(bind->address, bind->length_bytes, region->base, region->length_bytes))
		return RC_BAD_END;
	if ((region->rights & MEM_WINDOW_BIND) == 0)
		return RC_NO_RIGHTS;
	if ((bind->rights & (MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)) != 0 &&
		(region->rights & MEM_LOCAL_WRITE) == 0)
		return RC_NO_RIGHTS;
	return posted_bound(request->window) ? RC_ALREADY_BOUND : RC_OK;
}

/** @return a queue the window may be used on: where it is queued or bound, else any. */
static uint32_t
home_of(const struct model_window *window)
{
	uint32_t queue = queue_of(window);

	if (queue == OWNERS)
		queue = window->key != 0 ? window->owner : below(OWNERS);
	return queue;
}

static void
do_post_bind(void)
{
	struct model_request request = {.is_bind = true,
		.window = &m.windows[below(WINDOWS)],
		.region = &m.regions[below(REGIONS)]};
	struct model_region *region = request.region;
	uint32_t owner = home_of(request.window);
	enum rc_status expected;

	if (m.queued[owner] == QUEUE_DEPTH)
		return;
	request.bind = (struct mem_bind){.region = region->handle,
		.window = request.window->handle,
		.address =
			region->base + below((uint32_t)region->length_bytes + 2) - (below(30) == 0),
		.length_bytes = below((uint32_t)region->length_bytes + 2),
		.rights = below(8) << 1};
	if (below(50) == 0)
		request.bind.length_bytes = -request.bind.address;
	expected = bind_expected(&request);
	EXPECT(mem_bind_prepare(m.domain, &request.bind), expected, "prepare");
	if (expected != RC_OK)
		return;
	key_issued(request.bind.key);
	m.queues[owner][m.queued[owner]++] = request;
}

static void
do_post_invalidate(void)
{
	struct model_window *window = &m.windows[below(WINDOWS)];
	uint32_t owner = home_of(window);

	if (window->handle == NULL || m.queued[owner] == QUEUE_DEPTH)
		return;
	/* One that will fail ends the queue pair and all it holds: seldom, to let things grow. */
	if (!posted_bound(window) && below(40) != 0)
		return;
	EXPECT(mem_invalidate_prepare(m.domain, window->handle), RC_OK, "invalidate_prepare");
	m.queues[owner][m.queued[owner]++] = (struct model_request){.window = window};
}

/** The queue pair goes to error: what is queued is flushed, its windows end. */
static void
owner_fail(uint32_t owner)
{
	uint32_t bound = 0;

	for (uint32_t i = 0; i < m.queued[owner]; i++)
		if (m.queues[owner][i].is_bind)
			mem_bind_cancel(m.domain, &m.queues[owner][i].bind);
	m.queued[owner] = 0;
	for (uint32_t i = 0; i < WINDOWS; i++) {
		if (m.windows[i].key != 0 && m.windows[i].owner == owner) {
			m.windows[i].key = 0;
			bound++;
		}
	}
	EXPECT(mem_owner_invalidate(m.domain, owner_qpn(owner)), bound, "owner_invalidate");
}

static void
do_execute(void)
{
	uint32_t owner = below(OWNERS);
	struct model_request request = m.queues[owner][0];
	struct model_window *window = request.window;
	bool succeeds;

	if (m.queued[owner] == 0)
		return;
	memmove(&m.queues[owner][0], &m.queues[owner][1], --m.queued[owner] * sizeof(request));
	if (request.is_bind) {
		succeeds = window->key == 0;
		EXPECT(mem_bind_execute(m.domain, &request.bind, owner_qpn(owner)),
			succeeds ? RC_OK : RC_BIND_FAILED, "execute");
		if (succeeds) {
			m.binds++;
			window->key = request.bind.key;
			window->owner = owner;
			window->region = request.region;
			window->rights = request.bind.rights;
			window->start = request.bind.address;
			window->length_bytes = request.bind.length_bytes;
		}
	} else {
		succeeds = window->key != 0 && window->owner == owner;
		EXPECT(mem_window_invalidate(m.domain, window->handle, owner_qpn(owner)),
			succeeds ? RC_OK : RC_INVALIDATE_FAILED, "invalidate");
		if (succeeds) {
			m.invalidates++;
			window->key = 0;
		}
	}
	if (!succeeds)
		owner_fail(owner);
}

/** @return a key that was issued lately, dead or alive, or nearly one. */
static uint32_t
some_key(void)
{
	uint32_t key = m.old_keys[below(RTE_MIN(m.old_count, OLD_KEYS) + 1) % OLD_KEYS];
	uint32_t first = below(WINDOWS), kind = below(8);

	for (uint32_t i = 0; i < WINDOWS && kind < 4; i++)
		if (m.windows[(first + i) % WINDOWS].key != 0)
			key = m.windows[(first + i) % WINDOWS].key;
	if (kind == 4 && m.regions[first % REGIONS].handle != NULL)
		key = mem_region_key(m.regions[first % REGIONS].handle);
	return below(20) == 0 ? key ^ UINT32_C(1) << below(32) : key;
}

static struct model_window *
window_of_key(uint32_t key)
{
	for (uint32_t i = 0; i < WINDOWS; i++)
		if (m.windows[i].key != 0 && m.windows[i].key == key)
			return &m.windows[i];
	return NULL;
}

static void
do_remote_invalidate(void)
{
	uint32_t key = some_key();
	struct model_window *window = window_of_key(key);
	uint32_t owner = window != NULL && below(4) != 0 ? window->owner : below(OWNERS);
	bool succeeds = window != NULL && window->owner == owner;
	struct mem_window *hit = NULL;

	EXPECT(mem_key_invalidate(m.domain, key, owner_qpn(owner), &hit),
		succeeds ? RC_OK : RC_INVALIDATE_FAILED, "key_invalidate");
	if (succeeds) {
		EXPECT(hit == window->handle, true, "window of the key");
		window->key = 0;
		m.invalidates++;
	}
}

static void
do_invalidate_region(void)
{
	uint64_t token;
	struct model_region *region = &m.regions[below(REGIONS)];
	uint32_t count = 0;

	if (region->handle == NULL || below(8) != 0)
		return;
	for (uint32_t i = 0; i < WINDOWS; i++) {
		if (m.windows[i].key != 0 && m.windows[i].region == region) {
			m.windows[i].key = 0;
			count++;
		}
	}
	EXPECT(mem_region_invalidate_windows(m.domain, region->handle, &token), count, "windows");
}

static void
do_region_windows(void)
{
	struct model_region *region = &m.regions[below(REGIONS)];
	struct mem_window *found[WINDOWS];
	uint64_t address, length_bytes;
	uint32_t count = 0, answer;

	if (region->handle == NULL)
		return;
	address = region->base + below((uint32_t)region->length_bytes);
	length_bytes = 1 + below(40);
	answer =
		mem_region_windows(m.domain, region->handle, address, length_bytes, found, WINDOWS);
	for (uint32_t i = 0; i < WINDOWS; i++) {
		const struct model_window *window = &m.windows[i];
		bool covers = window->key != 0 && window->region == region &&
			(unsigned __int128)address + length_bytes > window->start &&
			address < window->start + window->length_bytes;
		uint32_t times = 0;

		for (uint32_t j = 0; j < answer; j++)
			times += window->handle != NULL && found[j] == window->handle;
		EXPECT(times, covers ? 1 : 0, "times found");
		count += covers;
	}
	EXPECT(answer, count, "windows found");
}

/** What the model says to an access, and where it leads. */
static enum mem_refusal
access_expected(const struct mem_access *access, struct model_region **region)
{
	const struct model_window *window = window_of_key(access->key);
	uint64_t start = 0, size = 0;
	uint32_t rights = 0;

	*region = NULL;
	if (window != NULL) {
		*region = window->region;
		start = window->start;
		size = window->length_bytes;
		rights = window->rights;
	}
	for (uint32_t i = 0; i < REGIONS && *region == NULL; i++) {
		if (m.regions[i].handle != NULL &&
			mem_region_key(m.regions[i].handle) == access->key) {
			*region = &m.regions[i];
			start = (*region)->base;
			size = (*region)->length_bytes;
			rights = (*region)->rights & REMOTE;
		}
	}
	if (*region == NULL)
		return MEM_REFUSED_KEY;
	if (window != NULL && owner_qpn(window->owner) != access->owner)
		return MEM_REFUSED_OWNER;
	if ((rights & access->rights) == 0)
		return MEM_REFUSED_RIGHTS;
	return inside(access->address, access->length_bytes, start, size) ? MEM_ALLOWED
									  : MEM_REFUSED_RANGE;
}

static void
use_span(const struct mem_span *span, struct model_region *region)
{
	uint64_t start = span->address - region->base;
	uint8_t bytes[BUFFERS_MAX * 32];

	mem_span_read(span, 0, bytes, span->length_bytes);
	for (uint64_t i = 0; i < span->length_bytes; i++)
		EXPECT(bytes[i], *byte_of(region, start + i), "byte read");
	for (uint64_t i = 0; i < span->length_bytes; i++)
		bytes[i] = (uint8_t)base_random_u32(&m.random);
	mem_span_write(span, 0, bytes, span->length_bytes);
	for (uint64_t i = 0; i < span->length_bytes; i++)
		EXPECT(*byte_of(region, start + i), bytes[i], "byte written");
}

static void
do_access(void)
{
	struct mem_access access = {.key = some_key(),
		.rights = MEM_REMOTE_READ << below(3),
		.length_bytes = 1 + below(below(4) == 0 ? 40 : 4)};
	const struct model_window *window = window_of_key(access.key);
	struct model_region *region;
	struct mem_span span;
	enum mem_refusal expected;

	access.owner = owner_qpn(window != NULL && below(8) != 0 ? window->owner : below(OWNERS));
	(void)access_expected(&access, &region);
	if (window != NULL)
		access.address = window->start + below((uint32_t)window->length_bytes + 2) - 1;
	else if (region != NULL)
		access.address = region->base + below((uint32_t)region->length_bytes + 2) - 1;
	if (below(50) == 0)
		access.length_bytes = -access.address - below(3);
	if (access.length_bytes == 0)
		return;
	expected = access_expected(&access, &region);
	EXPECT(mem_check_remote(m.domain, &access, &span), expected, "access");
	m.allowed += expected == MEM_ALLOWED;
	m.refused += expected != MEM_ALLOWED;
	if (expected == MEM_ALLOWED) {
		EXPECT(span.region == region->handle, true, "region of the span");
		use_span(&span, region);
	}
}

static void
check_stats(void)
{
	struct mem_domain_stats stats = fixture_stats(m.domain);
	uint32_t regions = 0, windows = 0, bound = 0, queued = 0;

	for (uint32_t i = 0; i < REGIONS; i++)
		regions += m.regions[i].handle != NULL;
	for (uint32_t i = 0; i < WINDOWS; i++) {
		windows += m.windows[i].handle != NULL;
		bound += m.windows[i].key != 0;
		queued += binds_queued(&m.windows[i], NULL);
	}
	EXPECT(stats.regions, regions, "regions");
	EXPECT(stats.windows, windows, "windows");
	EXPECT(stats.windows_bound, bound, "windows_bound");
	EXPECT(stats.binds_queued, queued, "binds_queued");
	EXPECT(stats.key_slots_used, regions + bound + queued, "key_slots_used");
}

static void
do_something(void)
{
	uint32_t dice = below(100);

	if (dice < 6)
		do_register();
	else if (dice < 9)
		do_deregister();
	else if (dice < 14)
		do_create();
	else if (dice < 16)
		do_destroy();
	else if (dice < 34)
		do_post_bind();
	else if (dice < 42)
		do_post_invalidate();
	else if (dice < 60)
		do_execute();
	else if (dice < 64)
		do_remote_invalidate();
	else if (dice < 65)
		do_invalidate_region();
	else if (dice < 70)
		do_region_windows();
	else if (dice < 71 && below(10) == 0)
		owner_fail(below(OWNERS));
	else
		do_access();
}

Test(mem_model, random_operations_agree_with_linear_model)
{
	struct rte_rcu_qsbr *qsbr;
	uint64_t token;

	fixture_seed(&m.random, SEED);
	m.domain = fixture_domain(KEY_SLOTS, 128, SEED + 1);
	qsbr = mem_domain_qsbr(m.domain);
	cr_assert_eq(rte_rcu_qsbr_thread_register(qsbr, 2), 0);
	rte_rcu_qsbr_thread_online(qsbr, 2);
	for (m.operation = 0; m.operation < OPERATIONS; m.operation++) {
		do_something();
		check_stats();
		if (m.operation % 64 == 0)
			rte_rcu_qsbr_quiescent(qsbr, 2);
	}
	cr_log_info("%u allowed, %u refused, %u binds, %u invalidates", m.allowed, m.refused,
		m.binds, m.invalidates);
	cr_assert_gt(m.allowed, OPERATIONS / 50);
	cr_assert_gt(m.refused, OPERATIONS / 20);
	cr_assert_gt(m.binds, OPERATIONS / 100);
	cr_assert_gt(m.invalidates, OPERATIONS / 100);

	for (uint32_t owner = 0; owner < OWNERS; owner++)
		owner_fail(owner);
	for (uint32_t i = 0; i < WINDOWS; i++)
		if (m.windows[i].handle != NULL)
			ASSERT_STATUS(mem_window_destroy(m.domain, m.windows[i].handle), RC_OK);
	for (uint32_t i = 0; i < REGIONS; i++)
		if (m.regions[i].handle != NULL)
			ASSERT_STATUS(mem_region_deregister(m.domain, m.regions[i].handle, &token),
				RC_OK);
	cr_assert_eq(fixture_stats(m.domain).key_slots_used, 0);
	mem_domain_destroy(m.domain);
}
