/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_CLOCK_H
#define NDPDK_ENGINE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/** Where an engine takes its time from. A simulator puts its own there. */
struct engine_clock {
	uint64_t (*now_ns)(void *arg); /**< should be monotonic: engine_now_ns() bears it if not */
	void *arg;
	/** true: time passes by itself. false: only the program advances the clock. */
	bool runs;
};

/**
 * A step back of this size at most is taken for clocks of processors that differ, and for a reading
 * in the wrong order: the clock will be where it was soon.
 */
#define ENGINE_CLOCK_STAND_NS UINT64_C(100000000)

/** The last reading that was before the one before it: which steps back have been counted. */
struct engine_clock_back {
	uint64_t from_ns;
	uint64_t to_ns;
};

/** The machine's time stamp counter as nanoseconds; needs EAL. */
struct engine_clock engine_clock_tsc(void);

#endif
