/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_SRQ_H
#define NDPDK_SIM_SIM_SRQ_H

#include "sim_side.h"

/** The shared receive queue of an adapter, used by all sides of the adapter. */
struct sim_srq {
	struct nd_srq *srq; /**< NULL: not created */
	uint32_t engine_index;
	uint32_t entries;
	uint32_t max_sge;
	struct sim_memory memory; /**< memory of all receives; each receive has its own part */
	struct sim_op ops[SIM_OPS_MAX];
	/** Element i is true if receive i is posted and has no result yet. */
	bool posted[SIM_OPS_MAX];
	uint32_t outstanding;
	uint64_t last_id;
	uint64_t done_id; /**< highest id of a receive that has a result */
	struct sim_wait low;
};

bool sim_srq_wanted(const struct sim_node *node);
/**
 * Create the node's queue unless it exists. @return engine of the queue; endpoints that use the
 * queue must be on this engine
 */
struct nd_engine *sim_srq_open(struct sim_node *node);
/** Post a random number of receives. @return true if at least one receive was posted */
bool sim_srq_fill(struct sim_side *side);
/** If the "low" notification was reported, check it and arm the next notification. */
void sim_srq_arm(struct sim_node *node);
void sim_srq_over(struct sim_node *node, struct sim_op *op);
/** The node's adapter has ended. This ends the queue. */
void sim_srq_lose(struct sim_node *node);
/** Release the queue, if it exists, and the memory of the queue. */
void sim_srq_close(struct sim_node *node);

#endif
