/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_YIELD_H
#define NDPDK_SIM_SIM_YIELD_H

#include <stdbool.h>

#include <ndpdk/nd.h>

#include "sim_memory.h"

/*
 * Several engines of an adapter at the same time, on one thread. A turn of an engine, and a call of
 * a thread that owns no engine, is a job with a stack of its own. At a yield point of the memory
 * index (base/yield.h) a random draw may pause the job, as if its thread were preempted. The
 * simulation continues, and the job is resumed in a later turn of its node. While a job is inside
 * an engine, no other job or application may use this engine: it is not polled, its applications do
 * nothing, and control calls wait in its ring. Paused jobs are resumed during this wait.
 *
 * If sim_plan.yield is 0, no job pauses, and every call is executed at once.
 */

struct sim_key;
struct sim_node;
struct sim_side;
struct sim_world;

void sim_yield_open(struct sim_world *world);

/** Continue jobs of a node that have paused for long enough. */
void sim_yield_turn(struct sim_node *node);

/** One turn of an engine. It may pause. @return frames moved */
unsigned int sim_yield_poll(struct sim_node *node, struct nd_engine *engine);

/** Execute fn(node, arg) as a thread that owns no engine. It may pause. */
void sim_yield_call(struct sim_node *node, void (*fn)(struct sim_node *node, void *arg), void *arg);

/** @return a key of the node whose bytes a paused turn is copying; NULL: none */
struct sim_key *sim_yield_key(const struct sim_node *node);

/** Resume jobs of a node until none is paused. @param turns only the turns of engines */
void sim_yield_drain(struct sim_node *node, bool turns);

/** @return whether a job is inside the engine, so nothing else may use the engine */
bool sim_yield_holds(const struct nd_engine *engine);
/** As sim_yield_holds(), for the engine of a side. */
bool sim_yield_holds_side(const struct sim_side *side);
/** @return whether a job of the node is paused. @param turns only turns of engines */
bool sim_yield_paused(const struct sim_node *node, bool turns);

/** Record that the results of all engines without a job inside have been taken. */
void sim_yield_emptied(struct sim_node *node);
/** @return whether the application has taken all results of its engine */
bool sim_yield_knows_all(const struct sim_side *side);

/**
 * Enable turns of other engines at yield points, while the application of a side posts on the
 * thread of its engine. @param side NULL: the application has posted
 */
void sim_yield_post(struct sim_side *side);

/* ---- memory that no peer may access: sim_guard.c ---- */

struct sim_guard {
	struct sim_memory memory;
	bool busy; /**< a call that registers or deregisters mr has not returned */
};

void sim_guard_open(struct sim_node *node);
void sim_guard_turn(struct sim_node *node);
/** Handle the end of the node's adapter. */
void sim_guard_lose(struct sim_node *node);
void sim_guard_close(struct sim_node *node);

#endif
