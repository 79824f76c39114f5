/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Functions on the application's handle of an engine. The application polls the engine, or an lcore
 * runs it.
 */

#include <sched.h>

#include <rte_eal.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "nd/adapter.h"
#include "nd/refuse.h"

struct nd_engine *
nd_adapter_engine(struct nd_adapter *adapter)
{
	return adapter->engines;
}

struct nd_engine *
nd_adapter_get_engine(struct nd_adapter *adapter, size_t index)
{
	return index < adapter->config.engines ? &adapter->engines[index] : NULL;
}

size_t
nd_adapter_engine_count(const struct nd_adapter *adapter)
{
	return adapter->config.engines;
}

/**
 * Atomic, because threads that enter the engine read it while another thread launches the engine.
 */
static bool
is_launched(const struct nd_engine *engine)
{
	return __atomic_load_n(&engine->launched, __ATOMIC_ACQUIRE);
}

static void
launched_set(struct nd_engine *engine, bool launched)
{
	__atomic_store_n(&engine->launched, launched, __ATOMIC_RELEASE);
}

/**
 * @return whether the calling thread is in a callback of the engine. The thread must own the
 * engine.
 */
static bool
is_within(const struct nd_engine *engine)
{
	return overlapped_telling(engine->adapter) || engine_in_callback(engine->engine);
}

/**
 * @return whether an lcore runs the engine and this call does not come from a callback on this
 * lcore
 */
static bool
is_of_lcore(const struct nd_engine *engine)
{
	return is_launched(engine) && !(engine_is_owned(engine->engine) && is_within(engine));
}

static __rte_noinline nd_status
enter(struct nd_engine *engine)
{
	bool telling = overlapped_telling(engine->adapter);

	if (is_of_lcore(engine) || !engine_enter(engine->engine, telling))
		return ND_INVALID_DEVICE_STATE;
	return ND_SUCCESS;
}

nd_status
nd_engine_enter(struct nd_engine *engine)
{
	if (likely(engine_enter_again(engine->engine)))
		return ND_SUCCESS;
	return enter(engine);
}

nd_status
nd_engine_try_enter(struct nd_engine *engine)
{
	bool telling = overlapped_telling(engine->adapter);
	enum command_entry entry;

	if (is_of_lcore(engine))
		return ND_INVALID_DEVICE_STATE;
	entry = engine_try_enter(engine->engine, telling);
	if (entry == COMMAND_BUSY)
		return ND_DEVICE_BUSY;
	return entry == COMMAND_INSIDE ? ND_SUCCESS : ND_INVALID_DEVICE_STATE;
}

static __rte_noinline nd_status
leave(struct nd_engine *engine)
{
	bool telling = overlapped_telling(engine->adapter);

	return engine_leave(engine->engine, telling) ? ND_SUCCESS : ND_INVALID_DEVICE_STATE;
}

nd_status
nd_engine_leave(struct nd_engine *engine)
{
	if (likely(!overlapped_telling(engine->adapter) && engine_leave_simply(engine->engine)))
		return ND_SUCCESS;
	return leave(engine);
}

unsigned int
nd_engine_poll(struct nd_engine *engine)
{
	engine_claim(engine->engine);
	BASE_ASSERT(engine_is_owned(engine->engine));
	return engine_poll(engine->engine);
}

unsigned int
nd_engine_input(struct nd_engine *engine, struct rte_mbuf **mbufs, uint16_t count)
{
	unsigned int done = 0;
	uint16_t burst;

	engine_claim(engine->engine);
	BASE_ASSERT(engine_is_owned(engine->engine));
	for (uint16_t i = 0; i < count; i = (uint16_t)(i + burst)) {
		burst = (uint16_t)RTE_MIN(count - i, LIMIT_BURST);
		done += engine_input(engine->engine, mbufs + i, burst);
	}
	return done;
}

unsigned int
nd_engine_wait(struct nd_engine *engine, uint64_t timeout_ns)
{
	bool entered = false;
	unsigned int done;

	engine_claim(engine->engine);
	if (!engine_is_owned(engine->engine)) {
		entered = nd_engine_enter(engine) == ND_SUCCESS;
		BASE_ASSERT(entered);
		if (!entered)
			return 0;
	}
	if (is_within(engine))
		return 0;
	/*
	 * Only poll a virtual adapter. A sleep would stop its clock, because the program advances
	 * the clock.
	 */
	done = engine->adapter->virtual == NULL ? engine_wait(engine->engine, timeout_ns, entered)
						: engine_poll(engine->engine);
	if (entered)
		(void)nd_engine_leave(engine);
	return done;
}

void
nd_engine_wake(struct nd_engine *engine)
{
	engine_wake(engine->engine);
}

static int
lcore_main(void *arg)
{
	struct nd_engine *engine = arg;

	engine_own(engine->engine);
	/* Acquire: pairs with the release in nd_engine_stop(). */
	while (!__atomic_load_n(&engine->stop, __ATOMIC_ACQUIRE)) {
		engine_poll(engine->engine);
		if (engine->loop != NULL)
			engine->loop(engine, engine->loop_arg);
	}
	return 0;
}

#define LCORE_UNUSABLE "lcore_id %u: expected an idle worker lcore of EAL"

nd_status
nd_engine_launch(struct nd_engine *engine, unsigned int lcore_id, nd_engine_loop_fn loop, void *arg)
{
	bool failed;
	int state;

	if (is_launched(engine))
		return ND_INVALID_DEVICE_STATE;
	if (lcore_id >= RTE_MAX_LCORE || !rte_lcore_is_enabled(lcore_id) ||
		lcore_id == rte_get_main_lcore() || rte_eal_get_lcore_state(lcore_id) != WAIT)
		return REFUSE(0, LCORE_UNUSABLE, lcore_id);
	engine->loop = loop;
	engine->loop_arg = arg;
	engine->lcore_id = lcore_id;
	__atomic_store_n(&engine->stop, false, __ATOMIC_RELEASE);
	/* After this call, control calls of this thread wait for the lcore. */
	if (!engine_hand_over(engine->engine))
		return ND_INVALID_DEVICE_STATE;
	launched_set(engine, true);
	/*
	 * Disable thread cancellation: EAL writes a command to the lcore through a pipe and reads
	 * the acknowledgement. A cancelled thread would leave the acknowledgement unread.
	 */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	failed = rte_eal_remote_launch(lcore_main, engine, lcore_id) != 0;
	pthread_setcancelstate(state, NULL);
	if (failed) {
		launched_set(engine, false);
		engine_own(engine->engine);
		return REFUSE(0, LCORE_UNUSABLE, lcore_id);
	}
	return ND_SUCCESS;
}

void
nd_engine_stop(struct nd_engine *engine)
{
	if (!is_launched(engine))
		return;
	__atomic_store_n(&engine->stop, true, __ATOMIC_RELEASE);
	engine_wake(engine->engine);
	/*
	 * The lcore itself has called nd_engine_stop(). It cannot wait for its own end, but its
	 * loop ends after this turn. To wait for the end, another thread must call
	 * nd_engine_stop().
	 */
	if (engine_is_owned(engine->engine))
		return;
	/*
	 * Execute commands for own engines meanwhile, because the last turn of the lcore may need
	 * one of these engines.
	 */
	while (rte_eal_get_lcore_state(engine->lcore_id) == RUNNING) {
		engine_serve_owned();
		sched_yield();
	}
	rte_eal_wait_lcore(engine->lcore_id);
	launched_set(engine, false);
	engine_own(engine->engine);
	/* Execute the commands that other threads queued while the lcore was leaving. */
	engine_drain(engine->engine);
}
