/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mem/token.h"

#include <stdbool.h>
#include <string.h>

#include <rte_malloc.h>

#include "base/assert.h"

/*
 * Slot 0 is never handed out: the number 0 ends the quarantine list and means "dead" as a key, so
 * no key may be 0. A free slot is drawn at random, its tag is drawn from the 255 values it did not
 * have last time. A slot that is given back rests in a FIFO until as many others as rest_min were
 * given back after it and, unless the table would be full otherwise, as many others were issued
 * (SEC-002); and until every reader was quiescent.
 *
 * That last condition is what makes reading without a lock safe. A reader (mem_check_remote())
 * loads the key with acquire and then the fields. It can see key K only if it read the store in
 * mem_token_publish(), a release, which comes after the stores to the fields: it sees fields at
 * least as new as K's. It cannot see newer ones: they are written by the next mem_token_publish()
 * of the slot, for which the slot first left the quarantine, hence after the grace period that
 * began when K was killed, and that a reader which saw K has to end with a quiescent state first.
 * So a reader either sees a key that is not K, or K and exactly K's fields; there is nothing to
 * check twice.
 *
 * Implements RC-150, RC-157 and SEC-001..003, SEC-010.
 */

#define REST_SLOTS_MAX 65536u /* SEC-002 */
#define TAG_COUNT      (1u << MEM_KEY_TAG_BITS)
#define TAG_NONE       TAG_COUNT
/* Slots that may leave the quarantine per key issued: more than enter it on average; a bound. */
#define RECLAIM_BURST  4u

enum rc_status
mem_token_table_init(struct mem_token_table *table, uint32_t slots, int socket_id,
	struct rte_rcu_qsbr *qsbr, struct base_random *random)
{
	memset(table, 0, sizeof(*table));
	table->tokens = rte_calloc_socket(
		"mem_tokens", slots, sizeof(struct mem_token), RTE_CACHE_LINE_SIZE, socket_id);
	table->free_slots = rte_calloc_socket(
		"mem_free_slots", slots, sizeof(uint32_t), RTE_CACHE_LINE_SIZE, socket_id);
	if (table->tokens == NULL || table->free_slots == NULL)
		return RC_NO_RESOURCES;
	table->slot_mask = slots - 1;
	table->rest_min = RTE_MIN(slots / 4, REST_SLOTS_MAX);
	table->qsbr = qsbr;
	table->random = random;
	for (uint32_t slot = 1; slot < slots; slot++) {
		table->tokens[slot].tag_previous = TAG_NONE;
		table->free_slots[table->free_count++] = slot;
	}
	/* Key 0, and every other key whose slot folds to 0, meets a key of slot 1 there. */
	table->tokens[0].key = TAG_COUNT;
	BASE_ASSERT((mem_key_slot(TAG_COUNT) & table->slot_mask) != 0);
	return RC_OK;
}

void
mem_token_table_fini(struct mem_token_table *table)
{
	rte_free(table->free_slots);
	rte_free(table->tokens);
}

static bool
rest_over(const struct mem_token_table *table)
{
	const struct mem_token *oldest = &table->tokens[table->rest_first];

	if (table->rest_count <= table->rest_min)
		return false;
	if (table->free_count > 0 && table->issued_count - oldest->rest_since < table->rest_min)
		return false;
	return rte_rcu_qsbr_check(table->qsbr, oldest->rest_grace, false) != 0;
}

static void
rested_slots_reclaim(struct mem_token_table *table)
{
	for (uint32_t i = 0; i < RECLAIM_BURST && rest_over(table); i++) {
		struct mem_token *oldest = &table->tokens[table->rest_first];

		table->free_slots[table->free_count++] = table->rest_first;
		table->rest_first = oldest->rest_next;
		table->rest_count--;
		oldest->state = MEM_TOKEN_FREE;
	}
	if (table->rest_count == 0)
		table->rest_last = 0;
}

static uint32_t
tag_draw(struct base_random *random, uint32_t previous)
{
	if (previous == TAG_NONE)
		return base_random_below(random, TAG_COUNT);
	return (previous + 1 + base_random_below(random, TAG_COUNT - 1)) % TAG_COUNT;
}

enum rc_status
mem_token_reserve(struct mem_token_table *table, uint32_t *key)
{
	struct mem_token *token;
	uint32_t drawn, slot;

	rested_slots_reclaim(table);
	if (table->free_count == 0)
		return RC_NO_RESOURCES;
	drawn = base_random_below(table->random, table->free_count);
	slot = table->free_slots[drawn];
	table->free_slots[drawn] = table->free_slots[--table->free_count];

	token = &table->tokens[slot];
	BASE_ASSERT(token->state == MEM_TOKEN_FREE && token->key == 0 && slot != 0);
	token->state = MEM_TOKEN_RESERVED;
	token->tag_previous = (uint16_t)tag_draw(table->random, token->tag_previous);
	table->used_count++;
	table->issued_count++;
	*key = slot << MEM_KEY_TAG_BITS | token->tag_previous;
	return RC_OK;
}

static struct mem_token *
token_of(const struct mem_token_table *table, uint32_t key)
{
	struct mem_token *token = &table->tokens[mem_key_slot(key)];

	BASE_ASSERT(mem_key_slot(key) <= table->slot_mask && mem_key_slot(key) != 0);
	BASE_ASSERT(token->tag_previous == key % TAG_COUNT);
	return token;
}

void
mem_token_publish(struct mem_token_table *table, uint32_t key, const struct mem_grant *grant)
{
	struct mem_token *token = token_of(table, key);

	BASE_ASSERT(token->state == MEM_TOKEN_RESERVED && grant->start < grant->end);
	token->window = grant->window;
	/* Atomic, because a reader with a wrong key may load them now, and refuses. */
	__atomic_store_n(&token->owner, grant->owner, __ATOMIC_RELAXED);
	__atomic_store_n(&token->start, grant->start, __ATOMIC_RELAXED);
	__atomic_store_n(&token->end, grant->end, __ATOMIC_RELAXED);
	__atomic_store_n(&token->region, grant->region, __ATOMIC_RELAXED);
	__atomic_store_n(&token->rights, grant->rights, __ATOMIC_RELAXED);
	token->state = MEM_TOKEN_LIVE;
	/* Pairs with the acquire in mem_check_remote(). */
	__atomic_store_n(&token->key, key, __ATOMIC_RELEASE);
}

uint64_t
mem_token_rest(struct mem_token_table *table, uint32_t key)
{
	struct mem_token *token = token_of(table, key);
	uint32_t slot = mem_key_slot(key);

	BASE_ASSERT(token->state == MEM_TOKEN_RESERVED || token->state == MEM_TOKEN_LIVE);
	__atomic_store_n(&token->key, 0, __ATOMIC_RELAXED);
	token->state = MEM_TOKEN_RESTING;
	token->window = NULL;
	token->rest_next = 0;
	token->rest_since = table->issued_count;
	/* A release that follows the store above: who is quiescent after it finds the key dead. It
	 * is a locked instruction, too, so that the key is dead everywhere when this returns. */
	token->rest_grace = rte_rcu_qsbr_start(table->qsbr);
	if (table->rest_last == 0)
		table->rest_first = slot;
	else
		table->tokens[table->rest_last].rest_next = slot;
	table->rest_last = slot;
	table->rest_count++;
	table->used_count--;
	return token->rest_grace;
}

struct mem_token *
mem_token_live(const struct mem_token_table *table, uint32_t key)
{
	struct mem_token *token = &table->tokens[mem_key_slot(key) & table->slot_mask];

	return token->key == key && token->state == MEM_TOKEN_LIVE ? token : NULL;
}
