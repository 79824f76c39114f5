/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "mem_fixture.h"

/*
 * An attacker with its own queue pair attacks the index. The attacker knows all invalid keys, valid
 * keys of the victims, keys of queued binds, and everything about its own windows. Meanwhile the
 * victims register, bind and invalidate, so that slots are reused with other keys. An oracle, which
 * has one plain record per slot, knows the correct result of each attempt (SEC-001..003, SEC-010,
 * SEC-011). Allowed accesses are executed and compared with a shadow copy of all memory, including
 * guard bytes. NDPDK_TEST_OPERATIONS sets the number of attempts, and NDPDK_TEST_SEED sets the
 * seed.
 */

#define OPERATIONS   400000u
#define KEY_SLOTS    2048u
#define REGIONS      12u
#define WINDOWS      320u
#define OWNERS       6u
#define ATTACKER     0u
#define DEAD_KEYS    2048u
#define REGION_BYTES 1024u
#define GUARD_BYTES  64u
#define ACCESS_MAX   16u
#define SHADOW_EVERY 4096u
#define REMOTE       (MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC)

/** The accesses that the current key of a slot permits. key is 0 if the slot has no key. */
struct grant {
	uint32_t key, owner, rights, region;
	uint64_t start, length_bytes;
	bool window;
};

struct region {
	struct mem_region *handle; /**< registered region; NULL: none */
	uint64_t base;
	uint32_t rights, binds_queued;
};

struct window {
	struct mem_window *handle;
	struct mem_bind bind; /**< valid if queued is set or key is not 0 */
	bool queued;
	uint32_t key, owner, region;
};

enum strategy {
	SEQUENTIAL,
	NEAR_SLOT,
	NEAR_TAG,
	ANY_KEY,
	STALE,
	FOREIGN,
	RESERVED,
	BEFORE_START,
	BEYOND_END,
	WRAPPING,
	HUGE_LENGTH,
	DIRECTION,
	REGION_KEY,
	RIGHTFUL,
	STRATEGIES,
};

static const char *const strategy_names[STRATEGIES] = {"sequential", "near slot", "near tag",
	"any key", "stale", "foreign", "reserved", "before start", "beyond end", "wrapping",
	"huge length", "direction", "region key", "rightful"};

static struct {
	uint64_t seed, state, attempt;
	struct mem_domain *domain;
	struct grant grants[KEY_SLOTS]; /**< index: slot */
	struct region regions[REGIONS];
	struct window windows[WINDOWS];
	uint32_t dead[DEAD_KEYS];
	uint32_t dead_count;
	uint32_t next_key;
	uint64_t tried[STRATEGIES], allowed[STRATEGIES];
	/** number of keys that became invalid by invalidate, deregister, end of owner, destroy */
	uint64_t deaths[4];
	uint64_t refusals[MEM_REFUSED_COUNT];
	uint8_t memory[REGIONS][GUARD_BYTES + REGION_BYTES + GUARD_BYTES];
	uint8_t shadow[REGIONS][GUARD_BYTES + REGION_BYTES + GUARD_BYTES];
} a;

static void
expect(uint64_t actual, uint64_t expected, const char *what)
{
	cr_assert_eq(actual, expected,
		"%s: %" PRIu64 " instead of %" PRIu64 ", attempt %" PRIu64 ", seed %" PRIu64, what,
		actual, expected, a.attempt, a.seed);
}

/** SplitMix64 (Steele, Lea, Flood, 2014). It is fast, and the numbers need not be secret. */
static uint64_t
any(void)
{
	uint64_t z = a.state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

static uint32_t
below(uint32_t bound)
{
	return (uint32_t)((any() >> 32) * bound >> 32);
}

static uint32_t
qpn_of(uint32_t owner)
{
	return 0x000111 + 0x1000 * owner;
}

static struct grant *
grant_of(uint32_t key)
{
	uint32_t slot = key >> 8;

	return slot < KEY_SLOTS && key != 0 && a.grants[slot].key == key ? &a.grants[slot] : NULL;
}

static void
granted(const struct grant *grant)
{
	expect(grant->key >> 8 > 0 && grant->key >> 8 < KEY_SLOTS, true, "slot of a key");
	expect(a.grants[grant->key >> 8].key, 0, "slot is free");
	a.grants[grant->key >> 8] = *grant;
}

static void
died(uint32_t key, unsigned int how)
{
	a.dead[a.dead_count++ % DEAD_KEYS] = key;
	a.deaths[how]++;
	if (grant_of(key) != NULL)
		a.grants[key >> 8].key = 0;
}

static void
window_died(struct window *window, unsigned int how)
{
	died(window->key, how);
	window->key = 0;
}

/* ---- victims ---- */

static void
region_register(uint32_t index)
{
	static const uint32_t own_rights[] = {0, 0, 0, MEM_REMOTE_READ, MEM_REMOTE_WRITE};
	struct region *region = &a.regions[index];

	region->base = below(4) == 0 ? UINT64_MAX - REGION_BYTES - below(3) : any() >> 8;
	region->rights = MEM_LOCAL_WRITE | MEM_WINDOW_BIND |
		(index == 0 ? REMOTE : own_rights[below(RTE_DIM(own_rights))]);
	region->handle = fixture_region(a.domain, region->base, a.memory[index] + GUARD_BYTES,
		REGION_BYTES, region->rights);
	granted(&(struct grant){.key = mem_region_key(region->handle),
		.owner = UINT32_MAX,
		.rights = region->rights & REMOTE,
		.region = index,
		.start = region->base,
		.length_bytes = REGION_BYTES});
}

static void
bind_prepare(struct window *window)
{
	uint32_t offset = below(REGION_BYTES), index = below(REGIONS);

	window->region = index;
	window->owner = below(3) == 0 ? ATTACKER : below(OWNERS);
	window->bind = (struct mem_bind){.region = a.regions[index].handle,
		.window = window->handle,
		.address = a.regions[index].base + offset,
		.length_bytes = 1 + below(RTE_MIN(REGION_BYTES - offset, 200u)),
		.rights = below(8) << 1};
	ASSERT_STATUS(mem_bind_prepare(a.domain, &window->bind, qpn_of(window->owner)), RC_OK);
	window->queued = true;
	a.regions[index].binds_queued++;
}

static void
bind_finish(struct window *window)
{
	window->queued = false;
	a.regions[window->region].binds_queued--;
	if (below(8) == 0) {
		mem_bind_cancel(a.domain, &window->bind);
		died(window->bind.key, 0);
		return;
	}
	ASSERT_STATUS(mem_bind_execute(a.domain, &window->bind, qpn_of(window->owner)), RC_OK);
	window->key = window->bind.key;
	granted(&(struct grant){.key = window->key,
		.owner = qpn_of(window->owner),
		.rights = window->bind.rights,
		.region = window->region,
		.start = window->bind.address,
		.length_bytes = window->bind.length_bytes,
		.window = true});
}

static void
region_renew(void)
{
	uint32_t index = below(REGIONS);
	struct region *region = &a.regions[index];
	struct mem_grace grace;
	uint64_t token;

	for (uint32_t i = 0; i < WINDOWS; i++)
		if (a.windows[i].queued && a.windows[i].region == index)
			bind_finish(&a.windows[i]);
	expect(region->binds_queued, 0, "binds of the region");
	mem_region_invalidate_windows(a.domain, region->handle, &grace);
	for (uint32_t i = 0; i < WINDOWS; i++)
		if (a.windows[i].key != 0 && a.windows[i].region == index)
			window_died(&a.windows[i], 0);
	died(mem_region_key(region->handle), 1);
	ASSERT_STATUS(mem_region_deregister(a.domain, region->handle, &token), RC_OK);
	region_register(index);
}

static void
window_end(struct window *window)
{
	if (below(2) == 0) {
		ASSERT_STATUS(
			mem_window_invalidate(a.domain, window->handle, qpn_of(window->owner)),
			RC_OK);
		window_died(window, 0);
	} else {
		ASSERT_STATUS(mem_window_destroy(a.domain, window->handle, &(struct mem_grace){0}),
			RC_OK);
		window_died(window, 3);
		ASSERT_STATUS(mem_window_create(a.domain, window, &window->handle), RC_OK);
	}
}

static void
owner_end(uint32_t owner)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < WINDOWS; i++) {
		if (a.windows[i].key != 0 && a.windows[i].owner == owner) {
			window_died(&a.windows[i], 2);
			count++;
		}
	}
	expect(mem_owner_invalidate(a.domain, qpn_of(owner)), count, "windows of an owner");
}

static void
victims_act(void)
{
	struct window *window = &a.windows[below(WINDOWS)];
	uint32_t dice = below(1000);

	if (dice == 0)
		owner_end(below(OWNERS));
	else if (dice < 3)
		region_renew();
	else if (window->queued)
		bind_finish(window);
	else if (window->key != 0)
		window_end(window);
	else
		bind_prepare(window);
	if (below(16) == 0)
		rte_rcu_qsbr_quiescent(mem_domain_qsbr(a.domain), 0);
}

/* ---- attacker ---- */

/**
 * @return a window with a queued bind if `queued` is true; otherwise a bound window, of the
 * attacker if `own` is true, of a victim if not. NULL: none.
 */
static const struct window *
window_find(bool queued, bool own)
{
	uint32_t first = below(WINDOWS);

	for (uint32_t i = 0; i < WINDOWS; i++) {
		const struct window *window = &a.windows[(first + i) % WINDOWS];

		if (queued ? window->queued
			   : window->key != 0 && (window->owner == ATTACKER) == own)
			return window;
	}
	return NULL;
}

static uint32_t
live_key(bool own)
{
	const struct window *window = window_find(false, own);

	return window != NULL ? window->key : 0x100;
}

/** Choose a wrong key. The caller chooses other fields that the slot's current key permits. */
static uint32_t
key_guess(enum strategy strategy)
{
	const struct window *queued;
	uint32_t sign = below(2) == 0 ? 1u : UINT32_MAX;

	switch ((unsigned int)strategy) {
	case SEQUENTIAL:
		return a.next_key++;
	case NEAR_SLOT:
		return live_key(below(2)) + 0x100 * sign;
	case NEAR_TAG:
		return live_key(below(2)) + sign;
	case STALE:
		return a.dead[below(RTE_MIN(a.dead_count, DEAD_KEYS))];
	case FOREIGN:
		return live_key(false);
	case RESERVED:
		queued = window_find(true, false);
		return queued != NULL ? queued->bind.key : 0;
	case REGION_KEY:
		return mem_region_key(a.regions[below(REGIONS)].handle);
	default:
		return (uint32_t)any();
	}
}

static void
range_guess(enum strategy strategy, struct mem_access *access)
{
	const struct grant *grant = grant_of(access->key);
	uint64_t end;

	if (grant == NULL)
		return;
	end = grant->start + grant->length_bytes;
	switch ((unsigned int)strategy) {
	case BEFORE_START:
		access->address = grant->start - 1 - below(2) * below(ACCESS_MAX);
		break;
	case BEYOND_END:
		access->address = end - access->length_bytes + 1 + below(2) * below(ACCESS_MAX);
		break;
	case WRAPPING:
		access->address = below(2) == 0 ? UINT64_MAX - below(ACCESS_MAX) : grant->start;
		access->length_bytes = -access->address + below(ACCESS_MAX);
		break;
	case HUGE_LENGTH:
		access->address = grant->start + below(2);
		access->length_bytes = UINT64_MAX >> below(48);
		break;
	case DIRECTION:
		access->rights = ~grant->rights & REMOTE;
		/*
		 * Keep only the lowest right that the grant lacks; MEM_REMOTE_READ if it lacks
		 * none.
		 */
		access->rights =
			access->rights != 0 ? access->rights & -access->rights : MEM_REMOTE_READ;
		break;
	default:
		break;
	}
	if (access->length_bytes == 0)
		access->length_bytes = 1;
}

static struct mem_access
attempt_make(enum strategy strategy)
{
	bool own = strategy >= BEFORE_START && strategy != REGION_KEY;
	struct mem_access access = {.key = own ? live_key(true) : key_guess(strategy),
		.owner = qpn_of(ATTACKER),
		.rights = MEM_REMOTE_READ << below(3),
		.length_bytes = 1 + below(ACCESS_MAX)};
	const struct grant *grant;
	uint32_t slot = access.key >> 8;

	/* Take the range from the slot's current key, even if a different key was chosen. */
	grant = &a.grants[slot < KEY_SLOTS ? slot : 1 + below(KEY_SLOTS - 1)];
	access.length_bytes = RTE_MIN(access.length_bytes, RTE_MAX(grant->length_bytes, 1u));
	access.address = grant->start +
		below((uint32_t)(RTE_MAX(grant->length_bytes, 1u) - access.length_bytes + 1));
	if (own)
		range_guess(strategy, &access);
	return access;
}

static enum mem_refusal
judge(const struct mem_access *access)
{
	const struct grant *grant = grant_of(access->key);
	unsigned __int128 end = (unsigned __int128)access->address + access->length_bytes;

	if (grant == NULL)
		return MEM_REFUSED_KEY;
	if (grant->window && grant->owner != access->owner)
		return MEM_REFUSED_OWNER;
	if ((grant->rights & access->rights) == 0)
		return MEM_REFUSED_RIGHTS;
	return access->address >= grant->start &&
			end <= (unsigned __int128)grant->start + grant->length_bytes
		? MEM_ALLOWED
		: MEM_REFUSED_RANGE;
}

static void
use(const struct mem_access *access, const struct mem_span *span)
{
	uint32_t index = grant_of(access->key)->region;
	uint64_t offset = access->address - a.regions[index].base;
	uint8_t *shadow = a.shadow[index] + GUARD_BYTES + offset, bytes[REGION_BYTES];
	size_t count = access->length_bytes;

	expect(span->region == a.regions[index].handle, true, "region of the span");
	mem_span_read(span, 0, bytes, count);
	expect(memcmp(bytes, shadow, count), 0, "bytes read");
	if (access->rights == MEM_REMOTE_READ)
		return;
	for (size_t i = 0; i < count; i++)
		bytes[i] = shadow[i] = (uint8_t)(bytes[i] + 1 + a.attempt);
	mem_span_write(span, 0, bytes, count);
}

static void
attempt(void)
{
	enum strategy strategy = below(STRATEGIES);
	struct mem_access access = attempt_make(strategy);
	struct mem_span span = {0};
	enum mem_refusal expected = judge(&access);
	enum mem_refusal got = mem_check_remote(a.domain, &access, &span);

	a.tried[strategy]++;
	a.refusals[expected]++;
	cr_assert_eq(got, expected,
		"%s: key %#x address %#" PRIx64 " length %#" PRIx64 " rights %#x: %d instead of %d,"
		" attempt %" PRIu64 ", seed %" PRIu64,
		strategy_names[strategy], access.key, access.address, access.length_bytes,
		access.rights, got, expected, a.attempt, a.seed);
	if (expected == MEM_ALLOWED) {
		a.allowed[strategy]++;
		use(&access, &span);
	} else {
		expect(span.region == NULL && span.length_bytes == 0, true, "span of a refusal");
	}
}

static void
remote_invalidate(void)
{
	uint32_t key = below(4) == 0 ? live_key(true) : key_guess(below(REGION_KEY + 1));
	const struct grant *grant = grant_of(key);
	bool succeeds = grant != NULL && grant->window && grant->owner == qpn_of(ATTACKER);
	struct mem_key_end hit;

	expect(mem_key_invalidate(a.domain, key, qpn_of(ATTACKER), &hit),
		succeeds ? RC_OK : RC_INVALIDATE_FAILED, "remote invalidate");
	if (succeeds)
		window_died(hit.cookie, 0);
}

static void
check_memory(void)
{
	expect(memcmp(a.memory, a.shadow, sizeof(a.memory)), 0, "memory of the victims");
}

static void
start(void)
{
	a.seed = fixture_number("NDPDK_TEST_SEED", 20261121);
	a.state = a.seed;
	a.domain = fixture_domain(KEY_SLOTS, WINDOWS, a.seed);
	cr_assert_eq(rte_rcu_qsbr_thread_register(mem_domain_qsbr(a.domain), 0), 0);
	rte_rcu_qsbr_thread_online(mem_domain_qsbr(a.domain), 0);
	for (size_t i = 0; i < sizeof(a.memory); i++)
		((uint8_t *)a.memory)[i] = (uint8_t)any();
	memcpy(a.shadow, a.memory, sizeof(a.memory));
	for (uint32_t i = 0; i < REGIONS; i++)
		region_register(i);
	for (uint32_t i = 0; i < WINDOWS; i++)
		ASSERT_STATUS(
			mem_window_create(a.domain, &a.windows[i], &a.windows[i].handle), RC_OK);
	for (uint32_t i = 0; i < 8 * WINDOWS; i++)
		victims_act();
}

static void
report(void)
{
	printf("mem_attack: %" PRIu64 " attempts, seed %" PRIu64 ":", a.attempt, a.seed);
	for (uint32_t i = 0; i < STRATEGIES; i++)
		printf(" %s %" PRIu64 "/%" PRIu64, strategy_names[i], a.allowed[i], a.tried[i]);
	printf("; %u keys died\n", a.dead_count);
	fflush(stdout);
}

Test(mem_attack, nothing_but_what_was_granted_gets_through, .timeout = 0)
{
	uint64_t operations = fixture_number("NDPDK_TEST_OPERATIONS", OPERATIONS);

	start();
	for (a.attempt = 0; a.attempt < operations; a.attempt++) {
		if (a.attempt % 4 == 0)
			victims_act();
		if (a.attempt % 64 == 0)
			remote_invalidate();
		attempt();
		if (a.attempt % SHADOW_EVERY == 0)
			check_memory();
	}
	check_memory();
	report();
	if (operations < OPERATIONS)
		return;
	/* Fail unless the run had all strategies, kinds of refusal and causes of invalid keys. */
	for (uint32_t i = 0; i < STRATEGIES; i++)
		cr_assert_gt(a.tried[i], operations / STRATEGIES / 2, "%s", strategy_names[i]);
	for (uint32_t i = 0; i < MEM_REFUSED_COUNT; i++)
		cr_assert_gt(a.refusals[i], operations / 100, "refusal %u", i);
	for (uint32_t i = 0; i < RTE_DIM(a.deaths); i++)
		cr_assert_gt(a.deaths[i], operations / 20000, "death %u", i);
	cr_assert_gt(a.allowed[RIGHTFUL], a.tried[RIGHTFUL] / 4);
	mem_domain_destroy(a.domain);
}
