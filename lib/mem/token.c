/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/token.h"

#include <stdbool.h>
#include <string.h>

#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "base/yield.h"
#include "mem/owner.h"

/*
 * Slot 0 is never issued: the number 0 ends the list of the quarantine and means "no key" in
 * windows. The next slot is drawn at random from all free slots of the partition, and its tag from
 * the 255 values that differ from its last tag. Slots are drawn one in advance, and the index of
 * the following slot is also chosen, so that their cache lines are prefetched before a key is
 * issued. In a table of millions of slots, they are almost never in the cache.
 *
 * A released slot stays in quarantine until three conditions hold: count_min other slots of its
 * partition have entered after it; the same number of keys was issued (SEC-002; waived if no other
 * slot is left); and every reader that could use the old key has been quiescent. The last two
 * conditions are tracked per period, not per slot: when a period is over, all slots that entered
 * before it began have rested, and the next period begins.
 *
 * Why reading without a lock is safe: a reader (mem_check_remote()) loads the key with acquire,
 * then the other members. The reader can see key K only if it read the store in
 * mem_token_publish(), a release, which comes after the stores to the members. So it sees members
 * at least as new as those of K. The reader must not accept newer members, which the next
 * mem_token_publish() of the slot writes. Which readers could accept them determines the condition
 * for reuse of the slot:
 *
 *   Shared partition, or an adapter with one engine. Any reader could accept newer members. The
 *   slot leaves the quarantine after a grace period of all readers that began when K was dead. A
 *   reader that saw K leaves its section before the end of that period, and so before newer members
 *   are written.
 *
 *   Partition of one engine. Every owner that was ever stored in its slots is a queue pair of this
 *   engine: the low bits of the owner are the engine's index, and MEM_PLACE_OWNER_ANY is never set.
 *   Readers of other engines compare the owner with their own queue pair and refuse, whatever mix
 *   of old and new members they see. Only the engine's own reader accepts. The same thread issues
 *   the keys of this partition, between two packets, when it holds no data from the index. So newer
 *   members are written after the reader's last use of K in program order, and no grace period is
 *   needed. If several threads share an engine, they change under a lock, which gives the same
 *   order.
 *
 * So a reader sees either a key that is not K, or K with exactly the members of K, or an owner that
 * it refuses. The reader need not check twice.
 *
 * The table doubles in place. Readers fold a slot number into the table with a mask. A reader that
 * still has the old mask refuses a new key, which is correct, because its access began before the
 * key existed.
 *
 * Implements RC-150, RC-157 and SEC-001..003, SEC-010.
 */

/* number of keys that are issued before a slot is reused (SEC-002) */
#define REST_SLOTS_MAX 65536u
#define TAG_COUNT      (1u << MEM_KEY_TAG_BITS)
#define TAG_DEAD_FIRST TAG_COUNT
/*
 * Maximum number of slots that leave the quarantine when a key is issued. On average, fewer slots
 * enter it per issued key.
 */
#define RECLAIM_BURST  4u

enum state {
	FREE = 0u << 24,
	RESERVED = 1u << 24,
	LIVE = 2u << 24,
	RESTING = 3u << 24,
};
#define STATE_MASK (3u << 24)
#define ISSUED     (1u << 31) /* bit of mem_token.link, set once the slot was issued */

/*
 * Owner in the token of slot 0. An unbound window has key 0, whose slot is 0. No queue pair has
 * this number, and it is not MEM_OWNER_ANY.
 */
#define OWNER_NONE (MEM_OWNER_ANY - 1)

static void
link_set(struct mem_token *token, enum state state, uint32_t index)
{
	token->link = ISSUED | (uint32_t)state | index;
}

static bool
state_is(const struct mem_token *token, enum state state)
{
	return (token->link & STATE_MASK) == (uint32_t)state;
}

static uint32_t
offset_mask(uint32_t slots)
{
	return (uint32_t)((slots - 1) * sizeof(struct mem_token));
}

static uint32_t
rest_min(uint32_t slots)
{
	return RTE_MIN(slots / 4, REST_SLOTS_MAX);
}

enum rc_status
mem_token_table_init(struct mem_token_table *table, const struct mem_token_config *config)
{
	enum rc_status status;

	memset(table, 0, sizeof(*table));
	table->partition_count = config->partition_count;
	table->group_mask = mem_token_groups(config->partition_count) - 1;
	table->group_shift = rte_bsf32(config->slots / (table->group_mask + 1));
	table->slots_max = config->slots_max;
	status = mem_table_init(&table->token_memory,
		(uint64_t)config->slots_max * sizeof(struct mem_token), config->socket_id);
	if (status == RC_OK)
		status = mem_table_commit(
			&table->token_memory, (uint64_t)config->slots * sizeof(struct mem_token));
	if (status != RC_OK)
		return status;
	table->tokens = (struct mem_token *)table->token_memory.entries;
	/*
	 * Slot 0 stores a key of slot 1. So key 0, and every other key with a slot number that is
	 * folded to slot 0, is refused.
	 */
	table->tokens[0].key = TAG_DEAD_FIRST;
	table->tokens[0].owner = OWNER_NONE;
	table->offset_mask = offset_mask(config->slots);
	return RC_OK;
}

void
mem_token_table_fini(struct mem_token_table *table)
{
	mem_table_fini(&table->token_memory);
}

/** @return number of groups that a partition has among mem_token_groups() consecutive groups. */
static uint32_t
group_count(const struct mem_token_table *table, uint32_t partition)
{
	return partition + 1 < table->partition_count ? 1 : table->group_mask + 1 - partition;
}

/** @return number of slots that a partition has in a table of `slots` slots. */
static uint32_t
partition_slots(const struct mem_token_table *table, uint32_t groups, uint32_t slots)
{
	return slots / (table->group_mask + 1) * groups;
}

enum rc_status
mem_key_pool_init(const struct mem_token_table *table, uint32_t partition,
	struct mem_key_pool *pool, const struct mem_key_pool_config *config)
{
	uint32_t groups = group_count(table, partition);
	uint32_t slots = mem_token_table_slots(table);
	enum rc_status status;

	memset(pool, 0, sizeof(*pool));
	pool->qsbr = config->qsbr;
	pool->readers = config->readers;
	pool->random = config->random;
	pool->slots = partition_slots(table, groups, slots);
	pool->rest.count_min = rest_min(pool->slots);
	status = mem_table_init(&pool->free_memory,
		(uint64_t)partition_slots(table, groups, table->slots_max) * sizeof(uint32_t),
		table->token_memory.socket_id);
	if (status == RC_OK)
		status = mem_table_commit(
			&pool->free_memory, (uint64_t)pool->slots * sizeof(uint32_t));
	if (status != RC_OK)
		return status;
	pool->free_slots = (uint32_t *)pool->free_memory.entries;
	mem_key_pool_add(table, partition, pool, 0, slots);
	return RC_OK;
}

void
mem_key_pool_fini(struct mem_key_pool *pool)
{
	mem_table_fini(&pool->free_memory);
}

enum rc_status
mem_token_table_prepare(struct mem_token_table *table)
{
	uint64_t slots = (uint64_t)mem_token_table_slots(table) * 2;

	if (slots > table->slots_max)
		return RC_NO_RESOURCES;
	return mem_table_commit(&table->token_memory, slots * sizeof(struct mem_token));
}

enum rc_status
mem_key_pool_prepare(struct mem_key_pool *pool)
{
	return mem_table_commit(&pool->free_memory, (uint64_t)pool->slots * 2 * sizeof(uint32_t));
}

void
mem_token_table_widen(struct mem_token_table *table)
{
	uint32_t slots = mem_token_table_slots(table) * 2;

	__atomic_store_n(&table->offset_mask, offset_mask(slots), __ATOMIC_RELEASE);
}

void
mem_key_pool_widen(struct mem_key_pool *pool)
{
	pool->slots *= 2;
	pool->rest.count_min = rest_min(pool->slots);
}

void
mem_key_pool_add(const struct mem_token_table *table, uint32_t partition, struct mem_key_pool *pool,
	uint32_t first, uint32_t count)
{
	uint32_t span = (table->group_mask + 1) << table->group_shift;
	uint32_t own = partition << table->group_shift;
	uint32_t own_end = (partition + group_count(table, partition)) << table->group_shift;

	for (uint32_t base = first & ~(span - 1); base < first + count; base += span)
		for (uint32_t slot = RTE_MAX(first, base + own);
			slot < RTE_MIN(first + count, base + own_end); slot++)
			if (slot != 0)
				pool->free_slots[pool->free_count++] = slot;
}

/* ---- quarantine ---- */

static void
period_begin(struct mem_key_pool *pool)
{
	pool->rest.period_entered = pool->rest.entered_count;
	pool->rest.period_issued = pool->issued_count;
	pool->rest.period_grace = mem_grace_begin(pool->qsbr, pool->readers);
}

/** End the current quarantine period if its conditions hold. @return whether it has ended */
static bool
period_end(struct mem_key_pool *pool)
{
	struct mem_quarantine *rest = &pool->rest;
	bool others_left = pool->free_count > 0 || pool->drawn.slot != 0;

	if (rest->period_entered == rest->rested_count)
		return false;
	if (others_left && pool->issued_count - rest->period_issued < rest->count_min)
		return false;
	if (!mem_grace_over(pool->qsbr, &rest->period_grace))
		return false;
	rest->rested_count = rest->period_entered;
	if (rest->entered_count != rest->rested_count)
		period_begin(pool);
	return true;
}

static bool
rest_over(struct mem_key_pool *pool)
{
	struct mem_quarantine *rest = &pool->rest;

	if (mem_key_pool_resting(pool) <= rest->count_min)
		return false;
	while (rest->left_count == rest->rested_count)
		if (!period_end(pool))
			return false;
	return true;
}

static void
rested_slots_reclaim(const struct mem_token_table *table, struct mem_key_pool *pool)
{
	struct mem_quarantine *rest = &pool->rest;

	for (uint32_t i = 0; i < RECLAIM_BURST && rest_over(pool); i++) {
		struct mem_token *oldest = &table->tokens[rest->first];

		BASE_ASSERT(state_is(oldest, RESTING));
		pool->free_slots[pool->free_count++] = rest->first;
		rest->first = oldest->link & MEM_LINK_INDEX_MASK;
		rest->left_count++;
		link_set(oldest, FREE, 0);
		__builtin_prefetch(&table->tokens[rest->first], 1);
	}
}

static void
rest_enter(const struct mem_token_table *table, struct mem_key_pool *pool, struct mem_token *token,
	uint32_t slot)
{
	struct mem_quarantine *rest = &pool->rest;

	link_set(token, RESTING, 0);
	if (likely(rest->entered_count != rest->left_count))
		link_set(&table->tokens[rest->last], RESTING, slot);
	else
		rest->first = slot;
	rest->last = slot;
	rest->entered_count++;
	if (rest->period_entered == rest->rested_count)
		period_begin(pool);
}

/* ---- keys ---- */

/**
 * Choose at random the next entry of free_slots and the difference of its next tag to its last tag.
 * One random word determines both. A word that would cause a bias is rejected and drawn again,
 * without a division.
 */
static void
place_choose(struct mem_key_pool *pool)
{
	uint32_t count = pool->free_count;
	uint32_t mask = UINT32_MAX >> __builtin_clz((count - 1) | 1);
	uint32_t word;

	do
		word = base_random_u32(&pool->random);
	while ((word & mask) >= count || word >> 24 == 0);
	pool->next_place = word & mask;
	pool->next_step = word >> 24;
	__builtin_prefetch(&pool->free_slots[pool->next_place], 1);
}

/**
 * Take the chosen slot out of the free slots, and choose the next one.
 * @return the slot and its tag_step; slot 0: no slot is free
 */
static struct mem_drawn
slot_draw(const struct mem_token_table *table, struct mem_key_pool *pool)
{
	struct mem_drawn drawn;

	if (unlikely(pool->next_step == 0)) {
		if (pool->free_count == 0)
			return (struct mem_drawn){0};
		place_choose(pool);
	}
	BASE_ASSERT(pool->next_place < pool->free_count);
	drawn.slot = pool->free_slots[pool->next_place];
	drawn.tag_step = pool->next_step;
	pool->free_slots[pool->next_place] = pool->free_slots[--pool->free_count];
	__builtin_prefetch(&table->tokens[drawn.slot], 1);
	if (likely(pool->free_count > 0))
		place_choose(pool);
	else
		pool->next_step = 0;
	return drawn;
}

struct mem_token *
mem_token_reserve(const struct mem_token_table *table, struct mem_key_pool *pool, uint32_t *key)
{
	struct mem_drawn drawn;
	struct mem_token *token;
	uint32_t tag;

	rested_slots_reclaim(table, pool);
	drawn = pool->drawn;
	if (unlikely(drawn.slot == 0))
		drawn = slot_draw(table, pool);
	if (unlikely(drawn.slot == 0))
		return NULL;
	token = &table->tokens[drawn.slot];
	BASE_ASSERT(state_is(token, FREE) && token->key < TAG_COUNT);
	/* The last tag of a slot that was never issued is derived from its slot number. */
	tag = (likely((token->link & ISSUED) != 0) ? token->key : drawn.slot) + drawn.tag_step;
	tag &= MEM_KEY_TAG_MASK;
	__atomic_store_n(&token->key, tag, __ATOMIC_RELAXED);
	link_set(token, RESERVED, 0);
	pool->issued_count++;
	*key = drawn.slot << MEM_KEY_TAG_BITS | tag;
	pool->drawn = slot_draw(table, pool);
	return token;
}

void
mem_token_publish(struct mem_token *token, uint32_t key, const struct mem_grant *grant)
{
	/* The bit is 0 in a QPN and 1 in MEM_OWNER_ANY. */
	uint32_t any = grant->owner & MEM_PLACE_OWNER_ANY;
	uint32_t place = grant->region << MEM_PLACE_REGION_SHIFT | any | grant->rights;

	BASE_ASSERT(state_is(token, RESERVED) && token->key == (key & MEM_KEY_TAG_MASK));
	BASE_ASSERT(grant->start < grant->end && grant->rights <= MEM_PLACE_RIGHTS_MASK);
	/*
	 * Store atomically, because a reader with a wrong key may load these members now. The
	 * reader refuses this key in any case.
	 */
	__atomic_store_n(&token->owner, grant->owner, __ATOMIC_RELAXED);
	__atomic_store_n(&token->start, grant->start, __ATOMIC_RELAXED);
	BASE_YIELD();
	__atomic_store_n(&token->end, grant->end, __ATOMIC_RELAXED);
	__atomic_store_n(&token->place, place, __ATOMIC_RELAXED);
	link_set(token, LIVE, grant->window);
	BASE_YIELD();
	/* Release: pairs with the acquire in mem_check_remote(). */
	__atomic_store_n(&token->key, key, __ATOMIC_RELEASE);
}

void
mem_token_rest(const struct mem_token_table *table, struct mem_key_pool *pool, uint32_t key)
{
	struct mem_token *token = mem_token_of(table, key);

	BASE_ASSERT(state_is(token, RESERVED) || (state_is(token, LIVE) && token->key == key));
	BASE_YIELD();
	/*
	 * Sequentially consistent, as a full fence: every core sees the key dead from now on. With
	 * a weaker store, the key would only be dead after the store has left this core's store
	 * buffer.
	 */
	(void)__atomic_exchange_n(&token->key, key & MEM_KEY_TAG_MASK, __ATOMIC_SEQ_CST);
	BASE_YIELD();
	rest_enter(table, pool, token, mem_key_slot(key));
}

struct mem_token *
mem_token_live(const struct mem_token_table *table, uint32_t key)
{
	struct mem_token *token = RTE_PTR_ADD(table->tokens, mem_token_offset(table, key));

	return token->key == key && state_is(token, LIVE) ? token : NULL;
}
