/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_CLOCK_H
#define NDPDK_ENGINE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/** Clock of an engine. A simulator provides its own clock. */
struct engine_clock {
	/** should be monotonic; engine_now_ns() handles steps back */
	uint64_t (*now_ns)(void *arg);
	void *arg;
	/** true: real time. false: virtual time, which only the program advances. */
	bool runs;
};

/**
 * A step back of at most this size is attributed to processors with different clocks, or to
 * readings in the wrong order. The engine waits until the clock has caught up.
 */
#define ENGINE_CLOCK_STAND_NS UINT64_C(100000000)

/** The newest step back of the clock, so that it is counted only once. */
struct engine_clock_back {
	uint64_t from_ns;
	uint64_t to_ns;
};

/** Clock that uses the time stamp counter of the processor, in nanoseconds. Requires EAL. */
struct engine_clock engine_clock_tsc(void);

#endif
