/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The engine as applications see it: polled, or on an lcore of its own. */

#include <sched.h>

#include <rte_eal.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "nd/adapter.h"

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

static int
lcore_main(void *arg)
{
	struct nd_engine *engine = arg;

	engine_own(engine->engine);
	/* Pairs with the release in nd_engine_stop(). */
	while (!__atomic_load_n(&engine->stop, __ATOMIC_ACQUIRE)) {
		engine_poll(engine->engine);
		if (engine->loop != NULL)
			engine->loop(engine, engine->loop_arg);
	}
	return 0;
}

nd_status
nd_engine_launch(struct nd_engine *engine, unsigned int lcore_id, nd_engine_loop_fn loop, void *arg)
{
	if (engine->launched)
		return ND_INVALID_DEVICE_STATE;
	if (lcore_id >= RTE_MAX_LCORE || !rte_lcore_is_enabled(lcore_id) ||
		lcore_id == rte_get_main_lcore() || rte_eal_get_lcore_state(lcore_id) != WAIT)
		return ND_INVALID_PARAMETER;
	engine->loop = loop;
	engine->loop_arg = arg;
	engine->lcore_id = lcore_id;
	__atomic_store_n(&engine->stop, false, __ATOMIC_RELEASE);
	/* From here on control calls of this thread wait for the lcore, too. */
	engine_hand_over(engine->engine);
	engine->launched = true;
	if (rte_eal_remote_launch(lcore_main, engine, lcore_id) != 0) {
		engine->launched = false;
		engine_own(engine->engine);
		return ND_INVALID_PARAMETER;
	}
	return ND_SUCCESS;
}

void
nd_engine_stop(struct nd_engine *engine)
{
	if (!engine->launched)
		return;
	__atomic_store_n(&engine->stop, true, __ATOMIC_RELEASE);
	/*
	 * The lcore cannot wait for its own end: its loop ends after this turn. Another thread has
	 * to call nd_engine_stop() to wait for it.
	 */
	if (engine_is_owned(engine->engine))
		return;
	/* Its last turn may need an engine that this thread owns. */
	while (rte_eal_get_lcore_state(engine->lcore_id) == RUNNING) {
		engine_serve_owned();
		sched_yield();
	}
	rte_eal_wait_lcore(engine->lcore_id);
	engine->launched = false;
	engine_own(engine->engine);
	/* Execute what other threads asked for while the lcore was leaving. */
	engine_drain(engine->engine);
}
