/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "sim_yield.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/yield.h"
#include "nd/adapter.h"
#include "sim_fiber.h"
#include "sim_trace.h"
#include "sim_world.h"

#define JOBS_MAX      64
#define STAYS_MAX     64
/** Per mille of yield points at which a call on a thread without engine pauses. */
#define CALL_PAUSES   300
/** Per mille of yield points at which a turn pauses while it copies bytes of a key. */
#define KEY_PAUSES    150
/**
 * Maximum duration in ns of a normal pause (a few turns) and of a long pause. PAUSE_LONG per mille
 * of the pauses are long.
 */
#define PAUSE_NS      500
#define PAUSE_LONG_NS 400000
#define PAUSE_LONG    300
/** Number of waits after which the paused jobs count as deadlocked. */
#define WAITS_MAX     1000000u
/**
 * Owner of an engine while a job other than the current job is inside the engine. No thread has
 * this ID.
 */
#define OWNER_OTHER   1u

/**
 * A job: a turn of an engine, or a call on a thread that owns no engine, from its begin to its end.
 */
struct job {
	struct sim_node *node;    /**< NULL if this entry is unused */
	struct nd_engine *engine; /**< NULL if the job is a call */
	struct sim_fiber *fiber;
	void (*fn)(struct sim_node *node, void *arg);
	void *arg;
	uint64_t until_ns;   /**< time when the paused job continues */
	struct sim_key *key; /**< key whose bytes the job is copying; NULL = none */
	unsigned int moved;
	const struct nd_adapter *teller; /**< value of overlapped_teller, saved during a pause */
};

/** A record that a job, or the main stack, is inside an engine (executes code of the engine). */
struct stay {
	struct engine *engine;
	const struct job *job; /**< NULL: the main stack */
};

static struct sim_world *world;
static struct sim_random dice;
static struct job jobs[JOBS_MAX];
static struct job *current; /**< NULL: the main stack */
static struct stay stays[STAYS_MAX];
static uint32_t stay_count;
static struct sim_side *poster; /**< side that is posting on the main stack; NULL = none */
static bool draining;  /**< Jobs are being finished, so they pause only where they must wait. */
static uint32_t waits; /**< number of calls of others_continue() since a job ended */

void __real_engine_call(struct engine *engine, command_fn fn, void *arg);
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_sched_yield(void);
void __wrap_engine_call(struct engine *engine, command_fn fn, void *arg);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_sched_yield(void);

void
sim_yield_open(struct sim_world *opened)
{
	world = opened->plan.yield != 0 ? opened : NULL;
	dice = sim_random_stream(opened->plan.seed, 50);
	poster = NULL;
}

/* ---- which job is inside which engine ---- */

/**
 * Set the owner of each engine that a job is inside. The owner is this thread for the current job,
 * and OWNER_OTHER for all other jobs.
 */
static void
owners_set(void)
{
	for (uint32_t i = 0; i < stay_count; i++)
		__atomic_store_n(&stays[i].engine->commands.owner,
			stays[i].job == current ? (uint64_t)pthread_self() : OWNER_OTHER,
			__ATOMIC_RELEASE);
}

static void
stay_begin(struct engine *engine)
{
	if (stay_count == STAYS_MAX)
		abort();
	stays[stay_count++] = (struct stay){engine, current};
}

static void
stay_end(const struct engine *engine)
{
	uint32_t i = stay_count;

	while (stays[i - 1].engine != engine)
		i--;
	stays[i - 1] = stays[--stay_count];
}

static bool
is_inside(const struct engine *engine)
{
	uint32_t i = 0;

	while (i < stay_count && stays[i].engine != engine)
		i++;
	return i < stay_count;
}

struct inside_call {
	struct engine *engine;
	command_fn fn;
	void *arg;
};

static void
inside_run(void *arg)
{
	const struct inside_call *call = arg;
	struct sim_side *was = poster;

	stay_begin(call->engine);
	if (current == NULL)
		poster = NULL;
	call->fn(call->arg);
	if (current == NULL)
		poster = was;
	stay_end(call->engine);
}

void
__wrap_engine_call(struct engine *engine, command_fn fn, void *arg)
{
	struct inside_call call = {engine, fn, arg};

	if (world == NULL)
		__real_engine_call(engine, fn, arg);
	else
		__real_engine_call(engine, inside_run, &call);
}

/* ---- jobs ---- */

static void
job_main(void *arg)
{
	struct job *job = arg;

	if (job->engine == NULL) {
		job->fn(job->node, job->arg);
		return;
	}
	stay_begin(job->engine->engine);
	job->moved = nd_engine_poll(job->engine);
	stay_end(job->engine->engine);
}

/** Run a job until it pauses or ends. @return true if the job has ended */
static bool
job_run(struct job *job)
{
	const struct nd_adapter *teller = overlapped_teller;
	bool paused = job->fiber != NULL, ended;

	if (job->engine != NULL)
		job->node->stirred |= 1u << (job->engine - job->node->adapter->engines);
	overlapped_teller = job->teller;
	current = job;
	owners_set();
	if (!paused) {
		job->fiber = sim_fiber_start(job_main, job);
		ended = job->fiber == NULL;
	} else {
		ended = sim_fiber_resume(job->fiber);
	}
	current = NULL;
	owners_set();
	job->teller = overlapped_teller;
	overlapped_teller = teller;
	if (ended) {
		/*
		 * The application could not act during the pause, and results may have arrived. So
		 * schedule a turn.
		 */
		if (paused)
			sim_world_wake(job->node, world->now_ns + 1);
		job->node = NULL;
		waits = 0;
	}
	return ended;
}

static struct job *
job_make(struct sim_node *node)
{
	for (uint32_t i = 0; i < JOBS_MAX; i++) {
		if (jobs[i].node != NULL)
			continue;
		jobs[i] = (struct job){.node = node};
		return &jobs[i];
	}
	abort();
}

/** While an engine is paused, schedule turns in which applications of other engines can act. */
static void
others_hurry(const struct job *job)
{
	for (uint32_t i = 0; i < job->node->side_count; i++) {
		struct sim_side *side = job->node->sides[i];

		if (side->inbound_cq != NULL && side->inbound_cq->engine != job->engine)
			side->wake_ns = RTE_MIN(
				side->wake_ns, world->now_ns + sim_random_below(&dice, PAUSE_NS));
	}
}

static void
job_pause(struct job *job, const char *point, bool wait)
{
	uint32_t ns = 1;

	if (!wait)
		ns += sim_random_below(&dice,
			job->key != NULL || sim_random_chance(&dice, PAUSE_LONG) ? PAUSE_LONG_NS
										 : PAUSE_NS);
	job->until_ns = world->now_ns + ns;
	if (!wait && job->engine != NULL)
		others_hurry(job);
	if (!wait)
		sim_trace_event(&world->trace, job->node->name, point,
			job->engine == NULL ? -1 : job->engine - job->node->adapter->engines, ns);
	sim_world_wake(job->node, job->until_ns);
	sim_fiber_pause();
}

/** Resume each paused job until it pauses again or ends. @param node NULL = jobs of all nodes */
static void
others_continue(const struct sim_node *node)
{
	for (uint32_t i = 0; i < JOBS_MAX; i++)
		if (jobs[i].fiber != NULL && jobs[i].node != NULL &&
			(node == NULL || jobs[i].node == node))
			job_run(&jobs[i]);
	if (++waits == WAITS_MAX)
		sim_fail(world, "a job waits forever for an engine or a lock");
}

static void
other_poll(struct sim_node *node)
{
	struct nd_engine *engine =
		nd_adapter_get_engine(node->adapter, sim_random_below(&dice, world->plan.engines));

	if (is_inside(engine->engine))
		return;
	(void)sim_yield_poll(node, engine);
	sim_world_wake(node, world->now_ns + 1);
}

void
base_yield(const char *point, bool wait)
{
	struct job *job = current;

	if (world == NULL)
		return;
	if (job != NULL) {
		uint32_t chance = job->engine == NULL ? CALL_PAUSES
			: job->key != NULL            ? KEY_PAUSES
						      : world->plan.yield;

		if (wait || (!draining && sim_random_chance(&dice, chance)))
			job_pause(job, point, wait);
	} else if (wait) {
		others_continue(poster == NULL ? NULL : poster->node);
	} else if (poster != NULL && sim_random_chance(&dice, world->plan.yield)) {
		other_poll(poster->node);
	}
}

/** @return key of this node for the memory with these bytes; NULL = none */
static struct sim_key *
key_at(struct sim_node *node, const void *bytes)
{
	for (uint32_t i = 0; i < SIM_KEYS; i++) {
		struct sim_key *key = &node->keys.keys[i];
		uintptr_t at = (uintptr_t)bytes - (uintptr_t)key->memory.bytes;

		if (key->memory.bytes != NULL && at < key->memory.size)
			return key;
	}
	return NULL;
}

void
base_yield_copy(void *to, const void *from, size_t bytes)
{
	struct job *job = current;
	size_t half = bytes / 2;

	memcpy(to, from, half);
	if (job != NULL) {
		job->key = key_at(job->node, to);
		if (job->key == NULL)
			job->key = key_at(job->node, from);
	}
	base_yield(__func__, false);
	if (job != NULL)
		job->key = NULL;
	memcpy((uint8_t *)to + half, (const uint8_t *)from + half, bytes - half);
}

int
__wrap_sched_yield(void)
{
	if (world == NULL)
		return __real_sched_yield();
	base_yield(__func__, true);
	return 0;
}

int
__wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int error;

	if (world == NULL)
		return __real_pthread_mutex_lock(mutex);
	while ((error = pthread_mutex_trylock(mutex)) == EBUSY)
		base_yield(__func__, true);
	return error;
}

/* ---- functions for the nodes ---- */

void
sim_yield_turn(struct sim_node *node)
{
	for (uint32_t i = 0; i < JOBS_MAX && world != NULL; i++) {
		if (jobs[i].node == node && jobs[i].until_ns <= world->now_ns)
			job_run(&jobs[i]);
		if (jobs[i].node == node)
			sim_world_wake(node, jobs[i].until_ns);
	}
}

unsigned int
sim_yield_poll(struct sim_node *node, struct nd_engine *engine)
{
	struct job *job;

	if (world == NULL)
		return nd_engine_poll(engine);
	if (is_inside(engine->engine))
		return 0;
	job = job_make(node);
	job->engine = engine;
	return job_run(job) ? job->moved : 1;
}

void
sim_yield_call(struct sim_node *node, void (*fn)(struct sim_node *node, void *arg), void *arg)
{
	struct job *job;

	if (world == NULL) {
		fn(node, arg);
		return;
	}
	job = job_make(node);
	job->fn = fn;
	job->arg = arg;
	(void)job_run(job);
}

/** @return true if a job of the node is paused. @param turns true = only turns of engines count */
static bool
any_paused(const struct sim_node *node, bool turns)
{
	for (uint32_t i = 0; i < JOBS_MAX; i++) {
		if (jobs[i].node == node && (!turns || jobs[i].engine != NULL))
			return true;
	}
	return false;
}

bool
sim_yield_paused(const struct sim_node *node, bool turns)
{
	return world != NULL && any_paused(node, turns);
}

struct sim_key *
sim_yield_key(const struct sim_node *node)
{
	for (uint32_t i = 0; i < JOBS_MAX && world != NULL; i++) {
		if (jobs[i].node == node && jobs[i].key != NULL)
			return jobs[i].key;
	}
	return NULL;
}

void
sim_yield_drain(struct sim_node *node, bool turns)
{
	if (world == NULL)
		return;
	draining = true;
	while (any_paused(node, turns))
		others_continue(node);
	draining = false;
}

bool
sim_yield_holds(const struct nd_engine *engine)
{
	return world != NULL && is_inside(engine->engine);
}

bool
sim_yield_holds_side(const struct sim_side *side)
{
	return side->inbound_cq != NULL && side->inbound_cq->engine != NULL &&
		sim_yield_holds(side->inbound_cq->engine);
}

void
sim_yield_emptied(struct sim_node *node)
{
	const struct nd_engine *home;

	node->stirred = 0;
	ADAPTER_FOREACH_ENGINE (home, node->adapter)
		if (sim_yield_holds(home))
			node->stirred |= 1u << (home - node->adapter->engines);
}

bool
sim_yield_knows_all(const struct sim_side *side)
{
	const struct sim_node *node = side->node;

	return node->emptied &&
		(node->stirred >> (side->inbound_cq->engine - node->adapter->engines) & 1) == 0;
}

void
sim_yield_post(struct sim_side *side)
{
	if (world == NULL)
		return;
	if (poster != NULL)
		stay_end(poster->inbound_cq->engine->engine);
	poster = side;
	if (poster != NULL)
		stay_begin(poster->inbound_cq->engine->engine);
}
