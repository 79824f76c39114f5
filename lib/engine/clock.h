/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_CLOCK_H
#define NDPDK_ENGINE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/** Clock of an engine. A simulator provides its own clock. */
struct engine_clock {
	/**
	 * Return the clock's time. The clock should be monotonic; engine_now_ns() corrects a clock
	 * that goes back.
	 */
	uint64_t (*now_ns)(void *arg);
	void *arg;
	/**
	 * True if the clock runs in real time. False if it shows virtual time that only the program
	 * advances.
	 */
	bool runs;
};

/**
 * Largest step back of the clock (0.1 s) that is attributed to differences between the clocks of
 * CPUs, or to readings in the wrong order. After such a step, the engine's time stays constant
 * until the clock has caught up.
 */
#define ENGINE_CLOCK_STAND_NS UINT64_C(100000000)

/**
 * Times before and after the last step back of the clock. They are kept so that each step is
 * counted only once.
 */
struct engine_clock_back {
	uint64_t from_ns;
	uint64_t to_ns;
};

/** Clock that uses the time stamp counter of the processor, in nanoseconds. Requires EAL. */
struct engine_clock engine_clock_tsc(void);

#endif
