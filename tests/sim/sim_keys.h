/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_KEYS_H
#define NDPDK_SIM_SIM_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "sim_memory.h"
#include "sim_plan.h"

/*
 * Memory with a key that the peers of all endpoints of an adapter may use: that of a region, of a
 * window that is bound for all of them, or of what is registered in a fast region. Each
 * connection writes to a part of its own of each region, so that the model knows every byte, and
 * nobody may write to the gaps between the parts.
 */

#define SIM_KEYS 3

struct sim_node;
struct sim_message;
struct sim_op;
struct sim_side;

enum sim_key_kind {
	SIM_KEY_REGION, /**< made and ended by calls */
	SIM_KEY_WINDOW, /**< by requests of any endpoint; ended by a peer, or a call, too */
	SIM_KEY_FAST,   /**< likewise */
	SIM_KEY_KINDS,
};

struct sim_key {
	struct nd_result invalidate_result; /**< of the window */
	enum sim_key_kind kind;
	struct nd_mw *mw;
	size_t inset; /**< bytes at both ends of the memory that the key does not open */
	bool making;  /**< a request that makes it live is posted */
	bool ending;  /**< one that ends it is: it may have been executed or not */
	struct sim_memory memory;               /**< the whole region */
	struct sim_memory parts[SIM_PAIRS_MAX]; /**< of it, by pair */
	size_t part_at[SIM_PAIRS_MAX];          /**< in memory */
	bool live;
	uint32_t generation; /**< counts the keys that the region has had */
	uint32_t rights;     /**< ND_MR_FLAG_ */
	uint32_t known;      /**< bits of the nodes that were told this key */
	struct nd_mw_descriptor descriptor;
};

struct sim_keys {
	struct sim_key keys[SIM_KEYS];
	uint32_t failed;      /**< bits of the pairs whose peer has had a request fail */
	uint64_t refused;     /**< requests of peers that ended because of a key */
	uint64_t refused_max; /**< connections that may have ended so */
};

/** Make the memory, without a key. */
void sim_keys_open(struct sim_node *node);
/** Do something with keys that the dice choose. @return false: nothing can be posted now */
bool sim_keys_act(struct sim_side *side);
/** A message has told its receiver a key of its sender. @param name as sim_keys_name() gives it */
void sim_keys_told(struct sim_side *side, uint32_t name);
/** @return a number that stands for a key while it lives */
uint32_t sim_keys_name(const struct sim_side *side, uint32_t index);
/** @return whether the key that a request names has ended since it was posted */
bool sim_keys_ended(const struct sim_op *op);
/** @return whether it has, or something is posted that ends it */
bool sim_keys_ending(const struct sim_op *op);
/** A message that was to end a key has been received. */
void sim_keys_invalidated(struct sim_side *side, const struct sim_message *message);
/** It never will be. */
void sim_keys_kept(struct sim_side *side, const struct sim_message *message);
/** A request was refused by the peer because of its key. */
void sim_keys_refused(struct sim_side *side);
/** A request has failed. Its packets may still be on the way. */
void sim_keys_failed(struct sim_side *side, const struct sim_op *op);
/** Both sides of a connection are closed: nothing that it has posted is executed any more. */
void sim_keys_settle(struct sim_side *side);
/** The adapter is gone. */
void sim_keys_lose(struct sim_node *node);
/** End all keys, and compare every byte of the regions, and the counters of refusals. */
void sim_keys_close(struct sim_node *node);

/* ---- for those two files ---- */

#define SIM_REMOTE_WRITE  (ND_MR_FLAG_ALLOW_REMOTE_WRITE & ~ND_MR_FLAG_ALLOW_LOCAL_WRITE)
#define SIM_REMOTE_ATOMIC (ND_MR_FLAG_ALLOW_REMOTE_ATOMIC & ~ND_MR_FLAG_ALLOW_LOCAL_WRITE)
#define SIM_REMOTE_ANY    (ND_MR_FLAG_ALLOW_REMOTE_READ | SIM_REMOTE_WRITE | SIM_REMOTE_ATOMIC)

/** A request is about to end a key: whatever is on the way may be executed or not. */
void sim_keys_end_posted(struct sim_node *node, struct sim_key *key);
/** The key has ended: what is there is the last that came. The owner writes other bytes there. */
void sim_keys_over(struct sim_node *node, struct sim_key *key);

/* ---- keys that requests make and end: sim_grant.c ---- */

/** Post what makes it live. @return false: nothing can be posted now */
bool sim_grant_make(struct sim_side *side, struct sim_key *key);
/** Post what ends it. @return likewise */
bool sim_grant_end(struct sim_side *side, struct sim_key *key);
/** A request of a side that makes or ends a key has its result. */
void sim_grant_result(struct sim_side *side, const struct sim_op *op, bool succeeded);
/** No request that makes or ends it is posted any more: see whether it works. */
void sim_grant_settle(struct sim_node *node, struct sim_key *key);
/** End a key by a call of a thread that owns no engine. The call may take long. */
void sim_grant_close(struct sim_node *node, struct sim_key *key, struct sim_random *random);
/** An engine has paused while it copied bytes of a key: end the key now and then. */
void sim_grant_strike(struct sim_node *node);
/** Give back what the key is made of. */
void sim_grant_release(struct sim_node *node, struct sim_key *key);

/* ---- beside other requests: sim_work.c ---- */

/** @return whether a READ of these bytes of the peer's is outstanding. */
bool sim_work_reads_outstanding(
	struct sim_side *side, const struct sim_memory *remote, size_t at, size_t length);

#endif
