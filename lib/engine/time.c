/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Handling of a clock that goes back. After a suspend or migration, a virtual machine may have
 * another time stamp counter, and the counters of two CPU sockets may differ. Without correction,
 * deadlines would be far in the future, and time differences would be huge.
 */

#include <inttypes.h>

#include <rte_log.h>

#include "engine/engine.h"

RTE_LOG_REGISTER(clock_log, lib.ndpdk.clock, NOTICE)

__rte_cold uint64_t
engine_clock_went_back(struct engine *engine, uint64_t now_ns)
{
	uint64_t last_ns = engine->now_ns;

	/*
	 * While the engine's time is constant, each reading of the clock is earlier than this time.
	 * All these readings together count as one step back.
	 */
	if (engine->back.from_ns != last_ns || now_ns < engine->back.to_ns)
		engine->counters.clock_backward++;
	engine->back = (struct engine_clock_back){last_ns, now_ns};
	if (last_ns - now_ns <= ENGINE_CLOCK_STAND_NS)
		return last_ns;
	__atomic_store_n(&engine->shift_ns, engine->shift_ns + last_ns - now_ns, __ATOMIC_RELAXED);
	rte_log(RTE_LOG_WARNING, clock_log,
		"the clock went back by %" PRIu64 " ms: timers are corrected by this time\n",
		(last_ns - now_ns) / 1000000);
	return last_ns;
}
