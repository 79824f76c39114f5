/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_KEYS_H
#define NDPDK_SIM_SIM_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>
#include <ndpdk/nd_region.h>

#include "sim_memory.h"
#include "sim_plan.h"

/*
 * Memory whose key the peers of all endpoints of an adapter may use. The key belongs to a region,
 * to a window that is bound for all endpoints, or to a fast region. Each connection writes only to
 * its own part of a region, so the model knows every byte. The gaps between the parts must not
 * change.
 */

#define SIM_KEYS 3

struct sim_node;
struct sim_message;
struct sim_op;
struct sim_side;

enum sim_key_kind {
	SIM_KEY_REGION, /**< created and ended by calls */
	SIM_KEY_WINDOW, /**< created by requests; ended by requests, peers or calls */
	SIM_KEY_FAST,   /**< created and ended like SIM_KEY_WINDOW */
	SIM_KEY_KINDS,
};

struct sim_key {
	/** result for the case that a peer invalidates the window */
	struct nd_result invalidate_result;
	enum sim_key_kind kind;
	struct nd_mw *mw;
	/** number of bytes at each end of the memory that are outside the key's range */
	size_t inset;
	bool making; /**< A request that creates the key is outstanding. */
	bool ending; /**< A request that ends the key was posted and may be executed. */
	struct sim_memory memory; /**< the whole region */
	struct sim_memory parts[SIM_PAIRS_MAX];
	size_t part_at[SIM_PAIRS_MAX];
	bool live;
	uint32_t generation; /**< number of keys that this memory has had */
	uint32_t rights;     /**< SIM_REMOTE_ or ND_MR_FLAG_ALLOW_ flags */
	uint32_t known;      /**< Bit n is set if node n has received the current key. */
	struct nd_mw_descriptor descriptor;
};

struct sim_keys {
	struct sim_key keys[SIM_KEYS];
	uint32_t failed;  /**< Bit n is set if a request of the peer of pair n has failed. */
	uint64_t refused; /**< number of peers' requests that this node refused because of a key */
	/** Maximum number of connections that refusals because of a key may end. */
	uint64_t refused_max;
};

/** Create the memory for all keys of a node, but no key. */
void sim_keys_open(struct sim_node *node);
/** Create, use, misuse or end a key at random. @return false if no request can be posted now */
bool sim_keys_act(struct sim_side *side);
/** A side has received a key of its peer in a message. @param name from sim_keys_name() */
void sim_keys_told(struct sim_side *side, uint32_t name);
/** @return a number that identifies the current key of this side at `index` */
uint32_t sim_keys_name(const struct sim_side *side, uint32_t index);
/** @return true if the key that a request uses has ended since the request was posted */
bool sim_keys_ended(const struct sim_op *op);
/** @return true if sim_keys_ended() is true, or if a request that ends the key is outstanding */
bool sim_keys_ending(const struct sim_op *op);
void sim_keys_invalidated(struct sim_side *side, const struct sim_message *message);
/** A message that invalidates a key will never be received. */
void sim_keys_kept(struct sim_side *side, const struct sim_message *message);
void sim_keys_refused(struct sim_side *side);
/** A request has failed. Packets of the request may still be in flight. */
void sim_keys_failed(struct sim_side *side, const struct sim_op *op);
/** Both sides of a connection have closed, so none of its requests will be executed any more. */
void sim_keys_settle(struct sim_side *side);
/** The node's adapter has ended. This ends all keys of the adapter. */
void sim_keys_lose(struct sim_node *node);
/** End all keys. Check every byte of the regions, and the counters of refusals. */
void sim_keys_close(struct sim_node *node);

/* ---- functions that sim_keys.c and sim_grant.c share ---- */

#define SIM_REMOTE_WRITE  (ND_MR_FLAG_ALLOW_REMOTE_WRITE & ~ND_MR_FLAG_ALLOW_LOCAL_WRITE)
#define SIM_REMOTE_ATOMIC (ND_MR_FLAG_ALLOW_REMOTE_ATOMIC & ~ND_MR_FLAG_ALLOW_LOCAL_WRITE)
#define SIM_REMOTE_ANY    (ND_MR_FLAG_ALLOW_REMOTE_READ | SIM_REMOTE_WRITE | SIM_REMOTE_ATOMIC)

/**
 * Call this function before a request that ends a key. Outstanding requests that use the key may
 * then be executed or not.
 */
void sim_keys_end_posted(struct sim_node *node, struct sim_key *key);
/** A key has ended: accept the memory's current contents, then overwrite the memory. */
void sim_keys_over(struct sim_node *node, struct sim_key *key);

/* ---- sim_grant.c: keys that are created and ended by requests ---- */

/** Post a request that creates a key. @return false if no request can be posted now */
bool sim_grant_make(struct sim_side *side, struct sim_key *key);
/** Post a request that ends a key. @return false if no request can be posted now */
bool sim_grant_end(struct sim_side *side, struct sim_key *key);
/** A request that creates or ends a key has a result. */
void sim_grant_result(struct sim_side *side, const struct sim_op *op, bool succeeded);
/**
 * Check that the library and the model agree about the key, unless a request that creates or ends
 * the key is outstanding.
 */
void sim_grant_settle(struct sim_node *node, struct sim_key *key);
/** End a key by a call on a thread that owns no engine. The call may pause. */
void sim_grant_close(struct sim_node *node, struct sim_key *key, struct sim_random *random);
/** If an engine has paused while it copies bytes of a key, end this key in some of the turns. */
void sim_grant_strike(struct sim_node *node);
void sim_grant_release(struct sim_node *node, struct sim_key *key);

/* ---- sim_work.c ---- */

/** @return true if a READ that overlaps these bytes of the peer is outstanding */
bool sim_work_reads_outstanding(
	struct sim_side *side, const struct sim_memory *remote, size_t at, size_t length);

#endif
