/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_YIELD_H
#define NDPDK_SIM_SIM_YIELD_H

#include <stdbool.h>

#include <ndpdk/nd.h>

#include "sim_memory.h"

/*
 * Simulates several engines of an adapter at the same time, on one thread. A job is a turn of an
 * engine, or a call on a thread that owns no engine. Each job has its own stack. At a yield point
 * of the memory index (base/yield.h) a random number decides whether the job pauses, as if its
 * thread were preempted. The simulation continues, and the job is resumed in a later turn of its
 * node.
 *
 * While a job is inside an engine, no other job or application may use this engine. So the engine
 * is not polled, its applications do nothing, and control calls wait in its ring. Paused jobs are
 * resumed while a call waits.
 *
 * If sim_plan.yield is 0, no job pauses, and every call is executed at once.
 */

struct sim_key;
struct sim_node;
struct sim_side;
struct sim_world;

void sim_yield_open(struct sim_world *world);

/** Resume those jobs of a node whose pauses are over. */
void sim_yield_turn(struct sim_node *node);

/**
 * Execute one turn of an engine, as a job that may pause. @return number of frames that were sent
 * or received
 */
unsigned int sim_yield_poll(struct sim_node *node, struct nd_engine *engine);

/** Execute fn(node, arg) as on a thread that owns no engine. The job may pause. */
void sim_yield_call(struct sim_node *node, void (*fn)(struct sim_node *node, void *arg), void *arg);

/** @return a key of the node whose bytes a paused turn is copying; NULL = none */
struct sim_key *sim_yield_key(const struct sim_node *node);

/** Resume the node's jobs until none is paused. @param turns true = only turns of engines */
void sim_yield_drain(struct sim_node *node, bool turns);

/** @return true if a job is inside the engine. Then no other code may use the engine. */
bool sim_yield_holds(const struct nd_engine *engine);
/** @return result of sim_yield_holds() for the engine that a side uses */
bool sim_yield_holds_side(const struct sim_side *side);
/** @return true if a job of the node is paused. @param turns true = only turns of engines count */
bool sim_yield_paused(const struct sim_node *node, bool turns);

/** The results of all engines that no job is inside have been taken. */
void sim_yield_emptied(struct sim_node *node);
/** @return true if the application has taken all results of its engine */
bool sim_yield_knows_all(const struct sim_side *side);

/**
 * While the application of a side posts on the thread of its engine, let other engines run at yield
 * points.
 * @param side side that begins to post; NULL = the side has finished posting
 */
void sim_yield_post(struct sim_side *side);

/* ---- sim_guard.c: memory that no peer may access ---- */

struct sim_guard {
	struct sim_memory memory;
	bool busy; /**< A paused call is registering or deregistering memory. */
};

void sim_guard_open(struct sim_node *node);
void sim_guard_turn(struct sim_node *node);
void sim_guard_lose(struct sim_node *node);
void sim_guard_close(struct sim_node *node);

#endif
