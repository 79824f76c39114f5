/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/token.h"

#include <stdbool.h>
#include <string.h>

#include <rte_branch_prediction.h>

#include "base/assert.h"

/*
 * Slot 0 is never issued: the number 0 ends the list of the quarantine and means "no key" in
 * windows. The next slot is drawn at random from all free slots, and its tag from the 255 values
 * that it did not have the last time. Slots are drawn one ahead, and the position of the one after
 * that is chosen, too, so that their cache lines have been prefetched when a key is issued: in a
 * table of millions of slots they are almost never in the cache.
 *
 * A slot that is given back rests in quarantine until count_min other slots have entered after it,
 * as many keys have been issued (SEC-002; waived when no other slot is left), and every reader has
 * been quiescent. The last two are not kept per slot but per period: when a period is over, all
 * slots that entered before it began have rested; then the next period begins.
 *
 * Quiescence is what makes reading without a lock safe. A reader (mem_check_remote()) loads the key
 * with acquire and then the fields. It can see key K only if it read the store in
 * mem_token_publish(), a release, which comes after the stores to the fields: it sees fields at
 * least as new as K's. It cannot see newer ones: they are written by the next mem_token_publish()
 * of the slot. Before that the slot left the quarantine, hence after a grace period that began when
 * K was dead, and a reader that saw K reports a quiescent state in it first. So a reader sees
 * either a key that is not K, or K with exactly K's fields, and need not check twice.
 *
 * The table doubles in place. Readers fold a slot number into the table with a mask. A reader that
 * still has the old mask refuses a new key; that is right, because the access began before the key
 * existed.
 *
 * Implements RC-150, RC-157 and SEC-001..003, SEC-010.
 */

#define REST_SLOTS_MAX 65536u /* keys issued before a slot is used again, SEC-002 */
#define TAG_COUNT      (1u << MEM_KEY_TAG_BITS)
#define TAG_DEAD_FIRST TAG_COUNT
/* Most slots that leave the quarantine for each key issued: above the one that enters on average.
 * */
#define RECLAIM_BURST  4u

enum state {
	FREE = 0u << 24,
	RESERVED = 1u << 24,
	LIVE = 2u << 24,
	RESTING = 3u << 24,
};
#define STATE_MASK (3u << 24)
#define ISSUED     (1u << 31) /* once at least */

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

enum rc_status
mem_token_table_init(struct mem_token_table *table, const struct mem_token_config *config)
{
	enum rc_status status;

	memset(table, 0, sizeof(*table));
	table->slots_max = config->slots_max;
	table->qsbr = config->qsbr;
	table->random = config->random;
	status = mem_table_init(&table->token_memory,
		(uint64_t)config->slots_max * sizeof(struct mem_token), config->socket_id);
	if (status == RC_OK)
		status = mem_table_init(&table->free_memory,
			(uint64_t)config->slots_max * sizeof(uint32_t), config->socket_id);
	if (status == RC_OK)
		status = mem_table_commit(
			&table->token_memory, (uint64_t)config->slots * sizeof(struct mem_token));
	if (status == RC_OK)
		status = mem_table_commit(
			&table->free_memory, (uint64_t)config->slots * sizeof(uint32_t));
	if (status != RC_OK)
		return status;
	table->tokens = (struct mem_token *)table->token_memory.entries;
	table->free_slots = (uint32_t *)table->free_memory.entries;
	/* Key 0, and every key whose slot folds to 0, is compared with a key of slot 1 and refused.
	 * */
	table->tokens[0].key = TAG_DEAD_FIRST;
	table->offset_mask = offset_mask(config->slots);
	table->rest.count_min = RTE_MIN(config->slots / 4, REST_SLOTS_MAX);
	mem_token_table_add(table, 1, config->slots - 1);
	return RC_OK;
}

void
mem_token_table_fini(struct mem_token_table *table)
{
	mem_table_fini(&table->free_memory);
	mem_table_fini(&table->token_memory);
}

enum rc_status
mem_token_table_prepare(struct mem_token_table *table)
{
	uint64_t slots = (uint64_t)mem_token_table_slots(table) * 2;
	enum rc_status status = RC_NO_RESOURCES;

	if (slots <= table->slots_max)
		status = mem_table_commit(&table->token_memory, slots * sizeof(struct mem_token));
	if (status == RC_OK)
		status = mem_table_commit(&table->free_memory, slots * sizeof(uint32_t));
	return status;
}

void
mem_token_table_widen(struct mem_token_table *table)
{
	uint32_t slots = mem_token_table_slots(table) * 2;

	__atomic_store_n(&table->offset_mask, offset_mask(slots), __ATOMIC_RELEASE);
	table->rest.count_min = RTE_MIN(slots / 4, REST_SLOTS_MAX);
}

void
mem_token_table_add(struct mem_token_table *table, uint32_t first, uint32_t count)
{
	uint32_t *free_slots = table->free_slots + table->free_count;

	for (uint32_t i = 0; i < count; i++)
		free_slots[i] = first + i;
	table->free_count += count;
}

/* ---- quarantine ---- */

static void
period_begin(struct mem_token_table *table)
{
	table->rest.period_entered = table->rest.entered_count;
	table->rest.period_issued = table->issued_count;
	table->rest.period_grace = rte_rcu_qsbr_start(table->qsbr);
}

/** @return whether a period was over. */
static bool
period_end(struct mem_token_table *table)
{
	struct mem_quarantine *rest = &table->rest;
	bool others_left = table->free_count > 0 || table->drawn.slot != 0;

	if (rest->period_entered == rest->rested_count)
		return false;
	if (others_left && table->issued_count - rest->period_issued < rest->count_min)
		return false;
	if (rte_rcu_qsbr_check(table->qsbr, rest->period_grace, false) == 0)
		return false;
	rest->rested_count = rest->period_entered;
	if (rest->entered_count != rest->rested_count)
		period_begin(table);
	return true;
}

static bool
rest_over(struct mem_token_table *table)
{
	struct mem_quarantine *rest = &table->rest;

	if (rest->count <= rest->count_min)
		return false;
	while (rest->left_count == rest->rested_count)
		if (!period_end(table))
			return false;
	return true;
}

static void
rested_slots_reclaim(struct mem_token_table *table)
{
	struct mem_quarantine *rest = &table->rest;

	for (uint32_t i = 0; i < RECLAIM_BURST && rest_over(table); i++) {
		struct mem_token *oldest = &table->tokens[rest->first];

		BASE_ASSERT(state_is(oldest, RESTING));
		table->free_slots[table->free_count++] = rest->first;
		rest->first = oldest->link & MEM_LINK_INDEX_MASK;
		rest->count--;
		rest->left_count++;
		link_set(oldest, FREE, 0);
		__builtin_prefetch(&table->tokens[rest->first], 1);
	}
}

static void
rest_enter(struct mem_token_table *table, uint32_t slot)
{
	struct mem_quarantine *rest = &table->rest;

	link_set(&table->tokens[slot], RESTING, 0);
	if (rest->count == 0)
		rest->first = slot;
	else
		link_set(&table->tokens[rest->last], RESTING, slot);
	rest->last = slot;
	rest->count++;
	rest->entered_count++;
	if (rest->period_entered == rest->rested_count)
		period_begin(table);
}

/* ---- keys ---- */

/**
 * Choose which entry of free_slots is taken next, and the tag step of its slot. One random word
 * gives both, or is rejected and drawn again, so that there is neither bias nor division.
 */
static void
place_choose(struct mem_token_table *table)
{
	uint32_t mask = UINT32_MAX >> __builtin_clz((table->free_count - 1) | 1);
	uint32_t word;

	do
		word = base_random_u32(table->random);
	while ((word & mask) >= table->free_count || word >> 24 == 0);
	table->next_place = word & mask;
	table->next_step = word >> 24;
	__builtin_prefetch(&table->free_slots[table->next_place], 1);
}

/** Draw a slot, if there is a free one. */
static void
slot_draw(struct mem_token_table *table)
{
	uint32_t slot;

	table->drawn.slot = 0;
	if (unlikely(table->free_count == 0))
		return;
	/* The choice was made when there were more free slots, or not at all yet. */
	if (unlikely(table->next_step == 0 || table->next_place >= table->free_count))
		place_choose(table);
	slot = table->free_slots[table->next_place];
	table->free_slots[table->next_place] = table->free_slots[--table->free_count];
	__builtin_prefetch(&table->tokens[slot], 1);
	table->drawn.slot = slot;
	table->drawn.tag_step = table->next_step;
	table->next_step = 0;
	if (likely(table->free_count > 0))
		place_choose(table);
}

enum rc_status
mem_token_reserve(struct mem_token_table *table, uint32_t *key)
{
	struct mem_drawn drawn;
	struct mem_token *token;
	uint32_t tag;

	rested_slots_reclaim(table);
	if (unlikely(table->drawn.slot == 0))
		slot_draw(table);
	drawn = table->drawn;
	if (unlikely(drawn.slot == 0))
		return RC_NO_RESOURCES;
	slot_draw(table);

	token = &table->tokens[drawn.slot];
	BASE_ASSERT(state_is(token, FREE) && token->key < TAG_COUNT && drawn.slot != 0);
	/* A slot that was never issued takes its own number as its last tag. */
	tag = (likely((token->link & ISSUED) != 0) ? token->key : drawn.slot) + drawn.tag_step;
	tag &= MEM_KEY_TAG_MASK;
	__atomic_store_n(&token->key, tag, __ATOMIC_RELAXED);
	link_set(token, RESERVED, 0);
	table->used_count++;
	table->issued_count++;
	*key = drawn.slot << MEM_KEY_TAG_BITS | tag;
	return RC_OK;
}

void
mem_token_publish(struct mem_token_table *table, uint32_t key, const struct mem_grant *grant)
{
	struct mem_token *token = &table->tokens[mem_key_slot(key)];
	uint32_t any = grant->owner == MEM_OWNER_ANY ? MEM_PLACE_OWNER_ANY : 0;
	uint32_t place = grant->region << MEM_PLACE_REGION_SHIFT | any | grant->rights;

	BASE_ASSERT(state_is(token, RESERVED) && token->key == (key & MEM_KEY_TAG_MASK));
	BASE_ASSERT(grant->start < grant->end && grant->rights <= MEM_PLACE_RIGHTS_MASK);
	/* Atomic, because a reader with a wrong key may load them now; it refuses in any case. */
	__atomic_store_n(&token->owner, grant->owner, __ATOMIC_RELAXED);
	__atomic_store_n(&token->start, grant->start, __ATOMIC_RELAXED);
	__atomic_store_n(&token->end, grant->end, __ATOMIC_RELAXED);
	__atomic_store_n(&token->place, place, __ATOMIC_RELAXED);
	link_set(token, LIVE, grant->window);
	/* Pairs with the acquire in mem_check_remote(). */
	__atomic_store_n(&token->key, key, __ATOMIC_RELEASE);
}

void
mem_token_rest(struct mem_token_table *table, uint32_t key)
{
	uint32_t slot = mem_key_slot(key);
	struct mem_token *token = &table->tokens[slot];

	BASE_ASSERT(state_is(token, RESERVED) || (state_is(token, LIVE) && token->key == key));
	/* Sequentially consistent, as a full fence: every core sees the key dead from here on, not
	 * only after the store has left this core's buffer. */
	(void)__atomic_exchange_n(&token->key, key & MEM_KEY_TAG_MASK, __ATOMIC_SEQ_CST);
	rest_enter(table, slot);
	table->used_count--;
}

struct mem_token *
mem_token_live(const struct mem_token_table *table, uint32_t key)
{
	struct mem_token *token = RTE_PTR_ADD(table->tokens, mem_token_offset(table, key));

	return token->key == key && state_is(token, LIVE) ? token : NULL;
}
