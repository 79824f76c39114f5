/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_SRQ_H
#define NDPDK_SIM_SIM_SRQ_H

#include "sim_side.h"

/** Receives that all sides of an adapter share. */
struct sim_srq {
	struct nd_srq *srq; /**< NULL: there is none */
	uint32_t engine_index;
	uint32_t entries;
	uint32_t max_sge;
	struct sim_memory memory; /**< each receive has a place of its own */
	struct sim_op ops[SIM_OPS_MAX];
	bool posted[SIM_OPS_MAX]; /**< and its result has not come */
	uint32_t outstanding;     /**< of them */
	uint64_t last_id;         /**< of the receive that was posted last */
	uint64_t done_id;         /**< the highest one whose result has come */
	struct sim_wait low;
};

/** @return whether the sides of a node share their receives. */
bool sim_srq_wanted(const struct sim_node *node);
/** Make the node's queue if there is none. @return its engine, where its endpoints have to be */
struct nd_engine *sim_srq_open(struct sim_node *node);
/** Post receives, up to a random number. @return whether there was room for any */
bool sim_srq_fill(struct sim_side *side);
/** Ask to be told when it is low; judge the answer before. */
void sim_srq_arm(struct sim_node *node);
/** The result of one of its receives was judged. */
void sim_srq_over(struct sim_node *node, struct sim_op *op);
/** The adapter is gone. */
void sim_srq_lose(struct sim_node *node);
/** Release it, if it is there, and its memory. */
void sim_srq_close(struct sim_node *node);

#endif
