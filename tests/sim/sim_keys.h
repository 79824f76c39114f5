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
 * Memory with a key that the peers of all endpoints of an adapter may use: the key of a region, of
 * a window that is bound for all endpoints, or of a fast region. Each connection writes only to its
 * part of each region, so the model knows every byte. The gaps between the parts must not change.
 */

#define SIM_KEYS 3

struct sim_node;
struct sim_message;
struct sim_op;
struct sim_side;

enum sim_key_kind {
	SIM_KEY_REGION, /**< created and ended by calls */
	SIM_KEY_WINDOW, /**< created by requests; ended by requests, peers or calls */
	SIM_KEY_FAST,   /**< as SIM_KEY_WINDOW */
	SIM_KEY_KINDS,
};

struct sim_key {
	struct nd_result invalidate_result; /**< result of an invalidate of the window by a peer */
	enum sim_key_kind kind;
	struct nd_mw *mw;
	size_t inset;             /**< bytes at both ends of the memory outside the key's range */
	bool making;              /**< a request that creates the key is outstanding */
	bool ending;              /**< a request that ends the key was posted and may be executed */
	struct sim_memory memory; /**< the whole region */
	struct sim_memory parts[SIM_PAIRS_MAX]; /**< part of each pair */
	size_t part_at[SIM_PAIRS_MAX];          /**< offset of each part in memory */
	bool live;
	uint32_t generation; /**< number of keys that the region has had */
	uint32_t rights;     /**< SIM_REMOTE_ or ND_MR_FLAG_ALLOW_ flags */
	uint32_t known;      /**< bits: nodes that have received the current key */
	struct nd_mw_descriptor descriptor;
};

struct sim_keys {
	struct sim_key keys[SIM_KEYS];
	uint32_t failed;      /**< bits: pairs in which a request of the peer failed */
	uint64_t refused;     /**< requests of peers that this node refused because of a key */
	uint64_t refused_max; /**< upper limit of connections ended by such refusals */
};

/** Create the memory, without keys. */
void sim_keys_open(struct sim_node *node);
/** Execute a random operation on keys. @return false: nothing can be posted now */
bool sim_keys_act(struct sim_side *side);
/** Record that a receiver has learned a key of its peer. @param name from sim_keys_name() */
void sim_keys_told(struct sim_side *side, uint32_t name);
/** @return a number that identifies a key during its lifetime */
uint32_t sim_keys_name(const struct sim_side *side, uint32_t index);
/** @return whether the key that a request uses ended after the request was posted */
bool sim_keys_ended(const struct sim_op *op);
/** @return whether that key has ended, or a request that ends it is outstanding */
bool sim_keys_ending(const struct sim_op *op);
/** Handle the receive of a message that invalidates a key. */
void sim_keys_invalidated(struct sim_side *side, const struct sim_message *message);
/** Handle a message that invalidates a key and will never be received. */
void sim_keys_kept(struct sim_side *side, const struct sim_message *message);
/** Count a request that the peer refused because of its key. */
void sim_keys_refused(struct sim_side *side);
/** Handle a failed request. Its packets may still be in flight. */
void sim_keys_failed(struct sim_side *side, const struct sim_op *op);
/** After both sides of a connection closed: none of its requests is executed any more. */
void sim_keys_settle(struct sim_side *side);
/** Handle the end of the node's adapter. */
void sim_keys_lose(struct sim_node *node);
/** End all keys; check every byte of the regions and the counters of refusals. */
void sim_keys_close(struct sim_node *node);

/* ---- shared by sim_keys.c and sim_grant.c ---- */

#define SIM_REMOTE_WRITE  (ND_MR_FLAG_ALLOW_REMOTE_WRITE & ~ND_MR_FLAG_ALLOW_LOCAL_WRITE)
#define SIM_REMOTE_ATOMIC (ND_MR_FLAG_ALLOW_REMOTE_ATOMIC & ~ND_MR_FLAG_ALLOW_LOCAL_WRITE)
#define SIM_REMOTE_ANY    (ND_MR_FLAG_ALLOW_REMOTE_READ | SIM_REMOTE_WRITE | SIM_REMOTE_ATOMIC)

/** Before a request that ends a key: requests in flight may be executed or not. */
void sim_keys_end_posted(struct sim_node *node, struct sim_key *key);
/** After a key has ended: accept the memory's contents, then overwrite the memory. */
void sim_keys_over(struct sim_node *node, struct sim_key *key);

/* ---- keys that requests make and end: sim_grant.c ---- */

/** Post a request that creates a key. @return false: nothing can be posted now */
bool sim_grant_make(struct sim_side *side, struct sim_key *key);
/** Post a request that ends a key. @return false: nothing can be posted now */
bool sim_grant_end(struct sim_side *side, struct sim_key *key);
/** Handle the result of a request that creates or ends a key. */
void sim_grant_result(struct sim_side *side, const struct sim_op *op, bool succeeded);
/** When no request that creates or ends the key is outstanding: check the key's state. */
void sim_grant_settle(struct sim_node *node, struct sim_key *key);
/** End a key by a call of a thread that owns no engine. The call may pause. */
void sim_grant_close(struct sim_node *node, struct sim_key *key, struct sim_random *random);
/** If an engine has paused while it copies bytes of a key: sometimes end the key. */
void sim_grant_strike(struct sim_node *node);
/** Release the objects of the key. */
void sim_grant_release(struct sim_node *node, struct sim_key *key);

/* ---- beside other requests: sim_work.c ---- */

/** @return whether a READ of these bytes of the peer is outstanding */
bool sim_work_reads_outstanding(
	struct sim_side *side, const struct sim_memory *remote, size_t at, size_t length);

#endif
