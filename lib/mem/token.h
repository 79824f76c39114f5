/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MEM_TOKEN_H
#define NDPDK_MEM_TOKEN_H

#include <assert.h>
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

#define MEM_KEY_TAG_BITS 8
#define MEM_KEY_TAG_MASK ((1u << MEM_KEY_TAG_BITS) - 1)

static inline uint32_t
mem_key_slot(uint32_t key)
{
	return key >> MEM_KEY_TAG_BITS;
}

/** Access that a live key grants: a range of addresses of a region, and rights. */
struct mem_grant {
	uint64_t start;
	uint64_t end;    /**< exclusive, > start */
	uint32_t owner;  /**< QPN, or MEM_OWNER_ANY */
	uint32_t rights; /**< remote rights of enum mem_rights */
	uint32_t region; /**< index of the region */
	uint32_t window; /**< index of the window; 0: the key belongs to the region itself */
};

/*
 * Bits of mem_token.place: any owner:1 | region:24 | rights:7. The region number is shifted so that
 * the masked value is the byte offset in the table of regions. The flag is the sign bit. So the
 * check of a remote access tests each of these fields with one instruction.
 */
#define MEM_PLACE_OWNER_ANY    0x80000000u
#define MEM_PLACE_REGION_MASK  0x7FFFFF80u
#define MEM_PLACE_REGION_SHIFT 7
#define MEM_PLACE_RIGHTS_MASK  0x7Fu

/* Mask of the index in mem_token.link. */
#define MEM_LINK_INDEX_MASK 0x00FFFFFFu

struct mem_token {
	/*
	 * Readers use atomic loads. All members except key are constant from the time when the key
	 * is published to the end of the grace period that begins when the key dies.
	 */
	/**
	 * If the slot is live, the key. Otherwise a key with the slot's last tag and the unused
	 * slot number 0.
	 */
	uint32_t key;
	uint32_t owner; /**< QPN; ignored with MEM_PLACE_OWNER_ANY */
	uint64_t start; /**< first address */
	uint64_t end;   /**< exclusive */
	uint32_t place; /**< bits of MEM_PLACE_OWNER_ANY and the macros after it */

	/* Writers only. */
	/**
	 * bits state:8 | index:24. The index is the window of a live slot, or the next slot after a
	 * resting slot (0: last).
	 */
	uint32_t link;
};

static_assert(sizeof(struct mem_token) == 32, "two slots per cache line");

/** Divisor that converts a key (slot << 8 | tag) to the byte offset of its slot (slot << 5). */
#define MEM_KEY_PER_BYTE ((uint32_t)((1u << MEM_KEY_TAG_BITS) / sizeof(struct mem_token)))
static_assert(LIMIT_KEY_SLOTS <= UINT32_C(1) << (32 - MEM_KEY_TAG_BITS),
	"a slot number fits in the key above the tag");
static_assert(LIMIT_KEY_SLOTS - 1 <= MEM_LINK_INDEX_MASK, "an index fits in 24 bits");

/** A free slot that was drawn at random for the next key. */
struct mem_drawn {
	uint32_t slot;     /**< slot number, 0: none */
	uint32_t tag_step; /**< difference of the next tag to the last tag, 1 .. 255 */
};

/** Quarantine of released slots: a FIFO, linked by the slots' tokens; see token.c. */
struct mem_quarantine {
	uint32_t first; /**< oldest slot, 0: none */
	uint32_t last;
	uint32_t count_min; /**< minimum number of slots that must stay in quarantine */
	/** Numbers of slots that have entered and that have left the quarantine. */
	uint64_t entered_count;
	uint64_t left_count;
	/** Value of entered_count. All slots that entered before it had this value have rested. */
	uint64_t rested_count;
	/* The members below describe the current period; see token.c. */
	uint64_t period_entered;       /**< value that rested_count gets when the period is over */
	uint64_t period_issued;        /**< value of issued_count when the period began */
	struct mem_grace period_grace; /**< grace period that began with the period */
};

/** Slots of a partition that are not live. Used by writers only, under the partition's lock. */
struct mem_key_pool {
	uint32_t *free_slots; /**< free slots, unordered */
	uint32_t free_count;
	uint64_t issued_count;
	struct mem_drawn drawn; /**< slot of the next key, whose cache line was prefetched */
	uint32_t next_place;    /**< index in free_slots of the slot to draw next; prefetched */
	uint32_t next_step;     /**< tag_step of the slot to draw next; 0: no slot is chosen */
	struct mem_quarantine rest;
	struct rte_rcu_qsbr *qsbr;
	uint32_t readers; /**< readers to wait for before a slot is reused; 0: see token.c */
	struct mem_table free_memory;
	uint32_t slots;
	struct base_random random;
};

/** @return number of slots in quarantine */
static inline uint32_t
mem_key_pool_resting(const struct mem_key_pool *pool)
{
	return (uint32_t)(pool->rest.entered_count - pool->rest.left_count);
}

/** @return number of slots that are reserved or live */
static inline uint32_t
mem_key_pool_used(const struct mem_key_pool *pool)
{
	return (uint32_t)(pool->issued_count - pool->rest.entered_count);
}

struct mem_token_table {
	struct mem_token *tokens; /**< start of the table; never changes */
	uint32_t offset_mask; /**< mask for byte offsets of slots, grows with the table; atomic */

	uint32_t group_mask;      /**< mask for a group's number: mem_token_groups() - 1 */
	uint32_t group_shift;     /**< log2 of the number of slots in a group; never changes */
	uint32_t partition_count; /**< number of partitions; constant, as are the members below */
	uint32_t slots_max;
	struct mem_table token_memory;
};

struct mem_token_config {
	uint32_t slots;           /**< initial number of slots: power of two, >= 64 per group */
	uint32_t slots_max;       /**< maximum number of slots: power of two, <= LIMIT_KEY_SLOTS */
	uint32_t partition_count; /**< number of partitions, 1 .. LIMIT_ENGINES + 1 */
	int socket_id;            /**< NUMA node */
};

/** Arguments of mem_key_pool_init(). */
struct mem_key_pool_config {
	struct rte_rcu_qsbr *qsbr; /**< RCU variable of the readers; must outlive the table */
	uint32_t readers;          /**< as in struct mem_key_pool */
	struct base_random random; /**< copied */
};

/**
 * @return number of groups after which the order of partitions repeats: a power of two. Each
 * engine's partition has one of these groups. The shared partition has all others, which are at
 * least as many as those of the engines together.
 */
static inline uint32_t
mem_token_groups(uint32_t partition_count)
{
	return partition_count == 1 ? 1 : rte_align32pow2(2 * (partition_count - 1));
}

static inline uint32_t
mem_token_partition(const struct mem_token_table *table, uint32_t slot)
{
	uint32_t group = slot >> table->group_shift & table->group_mask;

	return RTE_MIN(group, table->partition_count - 1);
}

/** @return RC_OK, RC_NO_RESOURCES; mem_token_table_fini() may be called in both cases. */
enum rc_status mem_token_table_init(struct mem_token_table *table,
	const struct mem_token_config *config) __rte_warn_unused_result;

void mem_token_table_fini(struct mem_token_table *table);

/**
 * Initialize the pool of a partition with the partition's slots of an initialized table.
 * @return RC_OK, RC_NO_RESOURCES; mem_key_pool_fini() may be called in both cases.
 */
enum rc_status mem_key_pool_init(const struct mem_token_table *table, uint32_t partition,
	struct mem_key_pool *pool,
	const struct mem_key_pool_config *config) __rte_warn_unused_result;

void mem_key_pool_fini(struct mem_key_pool *pool);

/** @return current number of slots of the table, read atomically. */
static inline uint32_t
mem_token_table_slots(const struct mem_token_table *table)
{
	uint32_t mask = __atomic_load_n(&table->offset_mask, __ATOMIC_RELAXED);

	return (uint32_t)(mask / sizeof(struct mem_token)) + 1;
}

/**
 * Allocate memory to double the table. Readers do not use this memory yet. The caller holds no lock
 * of a partition. Only one thread at a time may call this. @return RC_OK; RC_NO_RESOURCES: no
 * memory, or the maximum size is reached
 */
enum rc_status mem_token_table_prepare(struct mem_token_table *table) __rte_warn_unused_result;

/**
 * As mem_token_table_prepare(), for a pool: allocate memory for the slots that it gets when the
 * table doubles.
 */
enum rc_status mem_key_pool_prepare(struct mem_key_pool *pool) __rte_warn_unused_result;

/** Make the prepared slots visible to readers. Called before a pool gets its first new slot. */
void mem_token_table_widen(struct mem_token_table *table);

/** Called after the table has doubled: keep more slots in quarantine. Under the lock. */
void mem_key_pool_widen(struct mem_key_pool *pool);

/** Add the partition's slots among [first, first + count) to its free slots. Under its lock. */
void mem_key_pool_add(const struct mem_token_table *table, uint32_t partition,
	struct mem_key_pool *pool, uint32_t first, uint32_t count);

/**
 * Issue a key with a random slot and a random tag (SEC-001, SEC-002). The key grants nothing until
 * mem_token_publish(). It is never 0.
 *
 * @return the token of the key; NULL: every slot of the partition is in use or in quarantine
 */
struct mem_token *mem_token_reserve(const struct mem_token_table *table, struct mem_key_pool *pool,
	uint32_t *key) __rte_warn_unused_result;

/** Make a reserved key live. From now on, readers accept the key. @param token token of the key */
void mem_token_publish(struct mem_token *token, uint32_t key, const struct mem_grant *grant);

/**
 * End a live or reserved key. Its slot goes into quarantine even if the key was only reserved,
 * because a peer may know the key. Checks that begin after this call refuse the key.
 */
void mem_token_rest(const struct mem_token_table *table, struct mem_key_pool *pool, uint32_t key);

/** @return the live token with this key, or NULL. Called by writers only. */
struct mem_token *mem_token_live(const struct mem_token_table *table, uint32_t key);

/** @return the token of an issued key; the token of slot 0 for the key 0 */
static inline struct mem_token *
mem_token_of(const struct mem_token_table *table, uint32_t key)
{
	return &table->tokens[mem_key_slot(key)];
}

/** @return index of the window of a live token; 0: the token belongs to a region. */
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
 * @return byte offset of a key's entry. A slot number beyond the table is folded into the table.
 * The entry at this place has another key, so an unknown slot is refused like a wrong tag, in the
 * same time (SEC-030).
 */
static inline uint32_t
mem_token_offset(const struct mem_token_table *table, uint32_t key)
{
	uint32_t mask = __atomic_load_n(&table->offset_mask, __ATOMIC_RELAXED);

	/* The quotient still contains some bits of the tag; the mask clears them. */
	return key / MEM_KEY_PER_BYTE & mask;
}

static inline const struct mem_token *
mem_token_line(const struct mem_token_table *table, uint32_t key)
{
	return RTE_PTR_ADD(table->tokens, mem_token_offset(table, key));
}

#endif
