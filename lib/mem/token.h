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

/*
 * Key table: key (slot:24 | tag:8) -> what the key grants. One cache line per slot.
 *
 * Life of a slot: free -> reserved (its key is handed out, nothing is granted yet) -> live
 * (published) -> resting (quarantine) -> free. Only writers, under the domain's lock, move it;
 * readers look at the line without a lock.
 */

struct mem_region;
struct mem_window;

/** Owner of a token that every queue pair may use. A QPN has 24 bits, so none has this value. */
#define MEM_OWNER_ANY UINT32_MAX

#define MEM_KEY_TAG_BITS 8

static inline uint32_t
mem_key_slot(uint32_t key)
{
	return key >> MEM_KEY_TAG_BITS;
}

enum mem_token_state {
	MEM_TOKEN_FREE,
	MEM_TOKEN_RESERVED,
	MEM_TOKEN_LIVE,
	MEM_TOKEN_RESTING,
};

/** What a live key grants: the bytes [start, end) of a region, in the region's index space. */
struct mem_grant {
	struct mem_region *region;
	struct mem_window *window; /**< NULL: the key of the region itself */
	uint64_t start;
	uint64_t end;
	uint32_t owner;  /**< QPN, or MEM_OWNER_ANY */
	uint32_t rights; /**< of the remote bits of enum mem_rights */
};

struct mem_token {
	/* Read by readers with atomic loads; constant from publishing to the end of the grace
	 * period that begins when the key dies. */
	alignas(RTE_CACHE_LINE_SIZE) uint32_t key; /**< 0: dead. Written last, read first. */
	uint32_t owner;
	uint64_t start;
	uint64_t end;
	struct mem_region *region;
	uint32_t rights;

	/* Writers only. */
	uint32_t rest_next; /**< slot behind this one in the quarantine, 0: last */
	struct mem_window *window;
	uint64_t rest_grace;   /**< RCU token of the moment it went to rest */
	uint32_t rest_since;   /**< low bits of issued_count then */
	uint16_t tag_previous; /**< of the key issued last; TAG_NONE before the first */
	uint8_t state;         /**< enum mem_token_state */
};

static_assert(sizeof(struct mem_token) == RTE_CACHE_LINE_SIZE, "one line per slot");
static_assert(LIMIT_KEY_SLOTS <= UINT32_C(1) << (32 - MEM_KEY_TAG_BITS), "a slot has 24 bits");

struct mem_token_table {
	/* Readers and writers; never changes. */
	struct mem_token *tokens;
	uint32_t slot_mask;

	/* Writers only, in lines of their own so that a bind does not disturb readers. */
	alignas(RTE_CACHE_LINE_SIZE) struct base_random *random;
	struct rte_rcu_qsbr *qsbr;
	uint32_t *free_slots; /**< unordered */
	uint32_t free_count;
	uint32_t used_count; /**< reserved or live */
	uint32_t rest_first; /**< oldest slot in quarantine, 0: none */
	uint32_t rest_last;
	uint32_t rest_count;
	uint32_t rest_min;     /**< slots that stay in quarantine whatever happens */
	uint32_t issued_count; /**< keys ever, modulo 2^32 */
};

/**
 * @param slots     power of two, 64 .. LIMIT_KEY_SLOTS
 * @param socket_id NUMA node
 * @param qsbr      kept; what the readers of the table report to
 * @param random    kept; used by mem_token_reserve() only
 * @return RC_OK, RC_NO_RESOURCES; the table is valid for mem_token_table_fini() either way
 */
enum rc_status mem_token_table_init(struct mem_token_table *table, uint32_t slots, int socket_id,
	struct rte_rcu_qsbr *qsbr, struct base_random *random) __rte_warn_unused_result;

void mem_token_table_fini(struct mem_token_table *table);

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
 * Kill a live key, or give back a reserved one, and send its slot to quarantine. The key may be in
 * the hands of a peer in both cases.
 *
 * @return RCU token: when it is checked, no reader is inside an access through the key any more
 */
uint64_t mem_token_rest(struct mem_token_table *table, uint32_t key);

/** @return the live token of exactly this key, or NULL. Writers only. */
struct mem_token *mem_token_live(const struct mem_token_table *table, uint32_t key);

/**
 * @return the line that the key would be in. Slots beyond the table are folded into it: the line
 *         they get holds another key, so that an unknown slot is refused like a wrong tag, and
 *         costs the same (SEC-030).
 */
static inline const struct mem_token *
mem_token_line(const struct mem_token_table *table, uint32_t key)
{
	return &table->tokens[mem_key_slot(key) & table->slot_mask];
}

#endif
