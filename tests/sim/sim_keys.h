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
 * Regions with a key of their own, which the peers of all endpoints of an adapter may use. Each
 * connection writes to a part of its own of each region, so that the model knows every byte, and
 * nobody may write to the gaps between the parts.
 */

#define SIM_KEYS 3

struct sim_node;
struct sim_op;
struct sim_side;

struct sim_key {
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

/* ---- beside other requests: sim_work.c ---- */

/** @return whether a READ of these bytes of the peer's is outstanding. */
bool sim_work_reads_outstanding(
	struct sim_side *side, const struct sim_memory *remote, size_t at, size_t length);

#endif
