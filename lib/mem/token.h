/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_TOKEN_H
#define NDPDK_MEM_TOKEN_H

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_rcu_qsbr.h>

#include "base/limits.h"
#include "base/random.h"
#include "base/status.h"
#include "mem/grace.h"
#include "mem/table.h"

/*
 * Key table: from a key (slot:24 | tag:8) to its grant. Two slots per cache line.
 *
 * States of a slot: free -> reserved (its key is issued and grants nothing yet) -> live (published)
 * -> resting (quarantine) -> free. Writers change the state under the lock of the slot's partition.
 * Readers read the slot without a lock.
 *
 * The slots are divided into partitions. The initial table consists of groups; their number is a
 * power of two. Each group is contiguous and belongs to one partition. When the table grows, the
 * new slots are divided into groups of the same size in the same order. Each partition issues its
 * own slots from a key pool, so writers of different partitions write no common cache line.
 */

/** Owner of a token that every queue pair may use. A QPN has 24 bits, so none has this value. */
#define MEM_OWNER_ANY UINT32_MAX

#define MEM_KEY_TAG_BITS 8
#define MEM_KEY_TAG_MASK ((1u << MEM_KEY_TAG_BITS) - 1)

static inline uint32_t
mem_key_slot(uint32_t key)
{
	return key >> MEM_KEY_TAG_BITS;
}

/** Grant of a live key: a range of a region, in the region's address range. */
struct mem_grant {
	uint64_t start;
	uint64_t end;    /**< exclusive, > start */
	uint32_t owner;  /**< QPN, or MEM_OWNER_ANY */
	uint32_t rights; /**< remote bits of enum mem_rights */
	uint32_t region; /**< index of the region */
	uint32_t window; /**< index of the window, 0: the key of the region itself */
};

/*
 * Bits of mem_token.place: any owner:1 | region:24 | rights:7. The region number is shifted so that
 * the masked value is the byte offset in the table of regions, and the flag is the sign bit. So the
 * check of a remote access needs one instruction for each.
 */
#define MEM_PLACE_OWNER_ANY    0x80000000u
#define MEM_PLACE_REGION_MASK  0x7FFFFF80u
#define MEM_PLACE_REGION_SHIFT 7
#define MEM_PLACE_RIGHTS_MASK  0x7Fu

/* Mask of the index in mem_token.link. */
#define MEM_LINK_INDEX_MASK 0x00FFFFFFu

struct mem_token {
	/*
	 * Readers use atomic loads. All members except key are constant from publishing to the end
	 * of the grace period that begins when the key dies.
	 */
	uint32_t key; /**< live: the key; else the last tag, which is a key of the unused slot 0 */
	uint32_t owner; /**< QPN; ignored with MEM_PLACE_OWNER_ANY */
	uint64_t start; /**< first address */
	uint64_t end;   /**< exclusive */
	uint32_t place; /**< see MEM_PLACE_OWNER_ANY and the macros after it */

	/* Writers only. */
	uint32_t link; /**< state:8 | index:24. Live: window. Resting: next slot, 0 = last. */
};

static_assert(sizeof(struct mem_token) == 32, "two slots per line");

/** A key is slot << 8 plus a tag; the byte offset of a slot is slot << 5. */
#define MEM_KEY_PER_BYTE ((uint32_t)((1u << MEM_KEY_TAG_BITS) / sizeof(struct mem_token)))
static_assert(LIMIT_KEY_SLOTS <= UINT32_C(1) << (32 - MEM_KEY_TAG_BITS), "a slot has 24 bits");
static_assert(LIMIT_KEY_SLOTS - 1 <= MEM_LINK_INDEX_MASK, "an index has 24 bits");

/** A free slot that was drawn at random, and the difference of its next tag to the last tag. */
struct mem_drawn {
	uint32_t slot;     /**< slot number, 0: none */
	uint32_t tag_step; /**< difference of the tags, 1 .. 255 */
};

/** Quarantine: a FIFO of slots, linked by their tokens; see token.c. */
struct mem_quarantine {
	uint32_t first; /**< oldest slot, 0: none */
	uint32_t last;
	uint32_t count;
	uint32_t count_min; /**< minimum number of slots that stay in quarantine */
	/** slots that have entered since the start; left_count: that have left */
	uint64_t entered_count;
	uint64_t left_count;
	uint64_t rested_count; /**< value of entered_count up to which slots have rested */
	/* Members of the current period. */
	uint64_t period_entered;       /**< value of rested_count after the period */
	uint64_t period_issued;        /**< value of issued_count at the start of the period */
	struct mem_grace period_grace; /**< grace period that began with the period */
};

/** Slots of one partition that are not live. For writers only, under the partition's lock. */
struct mem_key_pool {
	uint32_t *free_slots; /**< free slots, unordered */
	uint32_t free_count;
	uint32_t used_count; /**< number of reserved or live slots */
	uint64_t issued_count;
	struct mem_drawn drawn; /**< next slot to issue; its cache line was prefetched */
	uint32_t next_place; /**< index in free_slots of the slot after `drawn`; also prefetched */
	uint32_t next_step;  /**< tag step of the slot at next_place; 0: not chosen yet */
	struct mem_quarantine rest;
	struct rte_rcu_qsbr *qsbr;
	uint32_t readers; /**< readers whose grace period delays reuse of a slot; 0: see token.c */
	struct mem_table free_memory;
	uint32_t slots; /**< all slots of the partition */
	struct base_random random;
};

struct mem_token_table {
	struct mem_token *tokens; /**< address of the table; constant */
	uint32_t offset_mask;     /**< mask of the byte offset of a slot; grows; atomic */

	uint32_t group_mask;      /**< mem_token_groups() - 1: mask of a group number */
	uint32_t group_shift;     /**< log2 of the slots of a group; constant */
	uint32_t partition_count; /**< constant, as are the following members */
	uint32_t slots_max;
	struct mem_table token_memory;
};

struct mem_token_config {
	uint32_t slots;           /**< power of two, 64 per group .. slots_max */
	uint32_t slots_max;       /**< power of two, at most LIMIT_KEY_SLOTS */
	uint32_t partition_count; /**< number of partitions, 1 .. LIMIT_ENGINES + 1 */
	int socket_id;            /**< NUMA node */
};

/** Arguments of mem_key_pool_init(). */
struct mem_key_pool_config {
	struct rte_rcu_qsbr *qsbr; /**< reference is kept; readers of the table report to it */
	uint32_t readers;          /**< as in struct mem_key_pool */
	struct base_random random; /**< copied */
};

/**
 * @return number of groups after which the order of partitions repeats: a power of two. Each
 *         engine's partition has one of these groups. The shared partition has the others, at least
 *         as many as all engines' partitions together.
 */
static inline uint32_t
mem_token_groups(uint32_t partition_count)
{
	return partition_count == 1 ? 1 : rte_align32pow2(2 * (partition_count - 1));
}

/** @return the partition of a slot. */
static inline uint32_t
mem_token_partition(const struct mem_token_table *table, uint32_t slot)
{
	uint32_t group = slot >> table->group_shift & table->group_mask;

	return RTE_MIN(group, table->partition_count - 1);
}

/** @return RC_OK, RC_NO_RESOURCES; the table is valid for mem_token_table_fini() either way. */
enum rc_status mem_token_table_init(struct mem_token_table *table,
	const struct mem_token_config *config) __rte_warn_unused_result;

void mem_token_table_fini(struct mem_token_table *table);

/**
 * Initialize the pool of a partition with the slots of this partition in an initialized table.
 * @return RC_OK, RC_NO_RESOURCES; the pool is valid for mem_key_pool_fini() either way.
 */
enum rc_status mem_key_pool_init(const struct mem_token_table *table, uint32_t partition,
	struct mem_key_pool *pool,
	const struct mem_key_pool_config *config) __rte_warn_unused_result;

void mem_key_pool_fini(struct mem_key_pool *pool);

/** @return number of slots of the table; atomic. */
static inline uint32_t
mem_token_table_slots(const struct mem_token_table *table)
{
	uint32_t mask = __atomic_load_n(&table->offset_mask, __ATOMIC_RELAXED);

	return (uint32_t)(mask / sizeof(struct mem_token)) + 1;
}

/**
 * Allocate memory for twice the slots; readers do not use it yet. The caller holds no lock of a
 * partition. One caller at a time. @return RC_OK; RC_NO_RESOURCES: no memory, or maximum size
 * reached
 */
enum rc_status mem_token_table_prepare(struct mem_token_table *table) __rte_warn_unused_result;

/**
 * As mem_token_table_prepare(), for a pool: allocate room for its slots in a table of twice the
 * size.
 */
enum rc_status mem_key_pool_prepare(struct mem_key_pool *pool) __rte_warn_unused_result;

/** Make the prepared slots visible to readers, before the first slot is added to a pool. */
void mem_token_table_widen(struct mem_token_table *table);

/** The table has doubled: keep more slots in quarantine. Under the lock. */
void mem_key_pool_widen(struct mem_key_pool *pool);

/** Add the slots of the partition in [first, first + count) to its free slots. Under its lock. */
void mem_key_pool_add(const struct mem_token_table *table, uint32_t partition,
	struct mem_key_pool *pool, uint32_t first, uint32_t count);

/**
 * Issue a key that grants nothing yet: random slot, random tag (SEC-001, SEC-002). Never 0.
 *
 * @return RC_OK; RC_NO_RESOURCES: every slot of the partition is in use or in quarantine
 */
enum rc_status mem_token_reserve(const struct mem_token_table *table, struct mem_key_pool *pool,
	uint32_t *key) __rte_warn_unused_result;

/** Make a reserved key live; from now on, readers accept it. */
void
mem_token_publish(const struct mem_token_table *table, uint32_t key, const struct mem_grant *grant);

/**
 * End a live or reserved key and put its slot into quarantine, because a peer may know the key in
 * both cases. Checks that begin after the return refuse the key.
 */
void mem_token_rest(const struct mem_token_table *table, struct mem_key_pool *pool, uint32_t key);

/** @return the live token with this key, or NULL. For writers only. */
struct mem_token *mem_token_live(const struct mem_token_table *table, uint32_t key);

/** @return index of the window of a live token, 0: the token of a region. */
static inline uint32_t
mem_token_window(const struct mem_token *token)
{
	return token->link & MEM_LINK_INDEX_MASK;
}

/** @return index of the region of a live token. */
static inline uint32_t
mem_token_region(const struct mem_token *token)
{
	return (token->place & MEM_PLACE_REGION_MASK) >> MEM_PLACE_REGION_SHIFT;
}

/**
 * @return byte offset of the entry for a key. A slot number beyond the table is folded into it. The
 *         entry found there has another key, so an unknown slot is refused like a wrong tag, in the
 *         same time (SEC-030).
 */
static inline uint32_t
mem_token_offset(const struct mem_token_table *table, uint32_t key)
{
	uint32_t mask = __atomic_load_n(&table->offset_mask, __ATOMIC_RELAXED);

	/* The remaining bits of the tag are below the mask. */
	return key / MEM_KEY_PER_BYTE & mask;
}

static inline const struct mem_token *
mem_token_line(const struct mem_token_table *table, uint32_t key)
{
	return RTE_PTR_ADD(table->tokens, mem_token_offset(table, key));
}

#endif
