/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_SRQ_H
#define NDPDK_SIM_SIM_SRQ_H

#include "sim_side.h"

/** The shared receive queue of an adapter, used by all its sides. */
struct sim_srq {
	struct nd_srq *srq; /**< NULL: not created */
	uint32_t engine_index;
	uint32_t entries;
	uint32_t max_sge;
	struct sim_memory memory; /**< memory of all receives; each receive has its own part */
	struct sim_op ops[SIM_OPS_MAX];
	bool posted[SIM_OPS_MAX]; /**< receive number i is posted and has no result yet */
	uint32_t outstanding;     /**< number of posted receives without result */
	uint64_t last_id;         /**< id of the newest posted receive */
	uint64_t done_id;         /**< highest id of a receive that has a result */
	struct sim_wait low;
};

/** @return true if all sides of a node use one shared receive queue */
bool sim_srq_wanted(const struct sim_node *node);
/**
 * Create the node's queue if it does not exist. @return the queue's engine; endpoints that use the
 * queue must be on this engine
 */
struct nd_engine *sim_srq_open(struct sim_node *node);
/** Post a random number of receives. @return true if there was room for at least one */
bool sim_srq_fill(struct sim_side *side);
/** If the "low" notification was reported, check it and arm the next one. */
void sim_srq_arm(struct sim_node *node);
/** Free a receive after its result was checked. */
void sim_srq_over(struct sim_node *node, struct sim_op *op);
/** The node's adapter has ended, and its queue with it. */
void sim_srq_lose(struct sim_node *node);
/** Release the queue, if it exists, and its memory. */
void sim_srq_close(struct sim_node *node);

#endif
