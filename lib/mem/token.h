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
#include "mem/table.h"

/*
 * Key table: key (slot:24 | tag:8) -> what the key grants. Two slots per cache line.
 *
 * Life of a slot: free -> reserved (its key is handed out, nothing is granted yet) -> live
 * (published) -> resting (quarantine) -> free. Only writers, under the domain's lock, move it;
 * readers look at it without a lock.
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

/** What a live key grants: bytes of a region, in the region's index space. */
struct mem_grant {
	uint64_t start;
	uint64_t end;    /**< exclusive, behind start */
	uint32_t owner;  /**< QPN, or MEM_OWNER_ANY */
	uint32_t rights; /**< of the remote bits of enum mem_rights */
	uint32_t region; /**< index */
	uint32_t window; /**< index, 0: the key of the region itself */
};

/*
 * Which region, which rights, and whether for every queue pair: any owner:1 | region:24 | rights:7.
 * The region number is shifted so that, masked, it is the byte offset in the table of regions, and
 * the flag is the sign bit: the check of a remote access needs one instruction for each.
 */
#define MEM_PLACE_OWNER_ANY    0x80000000u
#define MEM_PLACE_REGION_MASK  0x7FFFFF80u
#define MEM_PLACE_REGION_SHIFT 7
#define MEM_PLACE_RIGHTS_MASK  0x7Fu

/* In struct mem_token.link. */
#define MEM_LINK_INDEX_MASK 0x00FFFFFFu

struct mem_token {
	/* For readers, by atomic loads. All but key are constant from publishing to the end of the
	 * grace period that begins when the key dies. */
	uint32_t key;   /**< live: the key; else its last tag, which as a key is of slot 0 */
	uint32_t owner; /**< QPN; ignored with MEM_PLACE_OWNER_ANY */
	uint64_t start; /**< first address */
	uint64_t end;   /**< exclusive */
	uint32_t place; /**< see MEM_PLACE_OWNER_ANY and those behind it */

	/* Writers only. */
	uint32_t link; /**< state:8 | index:24. Live: window. Resting: slot behind, 0 = last. */
};

static_assert(sizeof(struct mem_token) == 32, "two slots per line");

/** A key is slot << 8, a slot's offset slot << 5. */
#define MEM_KEY_PER_BYTE ((uint32_t)((1u << MEM_KEY_TAG_BITS) / sizeof(struct mem_token)))
static_assert(LIMIT_KEY_SLOTS <= UINT32_C(1) << (32 - MEM_KEY_TAG_BITS), "a slot has 24 bits");
static_assert(LIMIT_KEY_SLOTS - 1 <= MEM_LINK_INDEX_MASK, "an index has 24 bits");

/** A free slot that was drawn, and how far its next tag is from the one before. */
struct mem_drawn {
	uint32_t slot;     /**< 0: none */
	uint32_t tag_step; /**< 1 .. 255 */
};

/** Quarantine: a FIFO of slots through their links, see token.c. */
struct mem_quarantine {
	uint32_t first; /**< oldest slot, 0: none */
	uint32_t last;
	uint32_t count;
	uint32_t count_min;     /**< slots that stay in quarantine in any case */
	uint64_t entered_count; /**< since the start; left_count likewise */
	uint64_t left_count;
	uint64_t rested_count; /**< as many of the first slots that entered have rested */
	/* The current period. */
	uint64_t period_entered; /**< slots that will have rested when it is over */
	uint64_t period_issued;  /**< issued_count when it began */
	uint64_t period_grace;   /**< RCU token of that moment */
};

struct mem_token_table {
	/* Readers and writers. */
	struct mem_token *tokens; /**< never changes */
	uint32_t offset_mask;     /**< of a slot's offset in bytes; grows; atomic */

	/* Writers only, in lines of their own so that a bind does not disturb readers. */
	alignas(RTE_CACHE_LINE_SIZE) struct base_random *random;
	struct rte_rcu_qsbr *qsbr;
	uint32_t *free_slots; /**< unordered */
	uint32_t free_count;
	uint32_t used_count; /**< reserved or live */
	uint64_t issued_count;
	struct mem_drawn drawn; /**< issued next; its cache line is being prefetched */
	uint32_t next_place; /**< position in free_slots of the slot after that; prefetched, too */
	uint32_t next_step;  /**< tag step of that slot; 0: not chosen yet */
	struct mem_quarantine rest;

	/* Growing. */
	struct mem_table token_memory;
	struct mem_table free_memory;
	uint32_t slots_max;
};

struct mem_token_config {
	uint32_t slots;             /**< power of two, 64 .. slots_max */
	uint32_t slots_max;         /**< power of two, .. LIMIT_KEY_SLOTS */
	int socket_id;              /**< NUMA node */
	struct rte_rcu_qsbr *qsbr;  /**< kept; what the readers of the table report to */
	struct base_random *random; /**< kept; used by mem_token_reserve() only */
};

/** @return RC_OK, RC_NO_RESOURCES; the table is valid for mem_token_table_fini() either way. */
enum rc_status mem_token_table_init(struct mem_token_table *table,
	const struct mem_token_config *config) __rte_warn_unused_result;

void mem_token_table_fini(struct mem_token_table *table);

/** @return slots of the table, used or not; atomic. */
static inline uint32_t
mem_token_table_slots(const struct mem_token_table *table)
{
	uint32_t mask = __atomic_load_n(&table->offset_mask, __ATOMIC_RELAXED);

	return (uint32_t)(mask / sizeof(struct mem_token)) + 1;
}

/**
 * Take memory for twice the slots; readers do not see it yet. The caller does not hold the writers'
 * lock; one caller at a time. @return RC_OK; RC_NO_RESOURCES: no memory, or at the largest size.
 */
enum rc_status mem_token_table_prepare(struct mem_token_table *table) __rte_warn_unused_result;

/** Let readers find the prepared slots. Under the lock, before the first of them is added. */
void mem_token_table_widen(struct mem_token_table *table);

/** Add some of the new slots to the free ones, from slot first on; under the lock. */
void mem_token_table_add(struct mem_token_table *table, uint32_t first, uint32_t count);

/**
 * Issue a key that grants nothing yet: random slot, random tag (SEC-001, SEC-002). Never 0.
 *
 * @return RC_OK; RC_NO_RESOURCES: all slots are used, or rest
 */
enum rc_status
mem_token_reserve(struct mem_token_table *table, uint32_t *key) __rte_warn_unused_result;

/** Make a reserved key live; readers accept it from here on. */
void mem_token_publish(struct mem_token_table *table, uint32_t key, const struct mem_grant *grant);

/**
 * Kill a live key, or give back a reserved one, and put its slot into quarantine, because a peer
 * may know the key in both cases. Checks that begin after the return find it dead.
 */
void mem_token_rest(struct mem_token_table *table, uint32_t key);

/** @return the live token of exactly this key, or NULL. Writers only. */
struct mem_token *mem_token_live(const struct mem_token_table *table, uint32_t key);

/** @return index of the window whose live token this is, 0: the token of a region. */
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
 * @return offset in bytes of the entry that the key would have. A slot number beyond the table is
 *         folded into it; the entry found there holds another key, so an unknown slot is refused
 *         like a wrong tag and takes the same time (SEC-030).
 */
static inline uint32_t
mem_token_offset(const struct mem_token_table *table, uint32_t key)
{
	uint32_t mask = __atomic_load_n(&table->offset_mask, __ATOMIC_RELAXED);

	/* What is left of the tag is below the mask. */
	return key / MEM_KEY_PER_BYTE & mask;
}

static inline const struct mem_token *
mem_token_line(const struct mem_token_table *table, uint32_t key)
{
	return RTE_PTR_ADD(table->tokens, mem_token_offset(table, key));
}

#endif
