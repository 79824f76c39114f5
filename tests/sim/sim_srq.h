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
	struct sim_memory memory; /**< memory of the receives, a separate part for each */
	struct sim_op ops[SIM_OPS_MAX];
	bool posted[SIM_OPS_MAX]; /**< the receive is posted and its result has not come */
	uint32_t outstanding;     /**< number of receives that are posted */
	uint64_t last_id;         /**< id of the receive that was posted last */
	uint64_t done_id;         /**< highest id of a receive with a result */
	struct sim_wait low;
};

/** @return whether the sides of a node share a receive queue */
bool sim_srq_wanted(const struct sim_node *node);
/** Create the node's queue if there is none. @return its engine, required for its endpoints */
struct nd_engine *sim_srq_open(struct sim_node *node);
/** Post receives, up to a random number. @return whether there was room for any */
bool sim_srq_fill(struct sim_side *side);
/** Check a "low" notification that has come, and arm the next one. */
void sim_srq_arm(struct sim_node *node);
/** Free a receive after its result was judged. */
void sim_srq_over(struct sim_node *node, struct sim_op *op);
/** Handle the end of the node's adapter. */
void sim_srq_lose(struct sim_node *node);
/** Release the queue, if there is one, and its memory. */
void sim_srq_close(struct sim_node *node);

#endif
