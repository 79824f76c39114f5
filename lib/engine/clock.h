/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_CLOCK_H
#define NDPDK_ENGINE_CLOCK_H

#include <stdint.h>

/** Where an engine takes its time from. A simulator puts its own there. */
struct engine_clock {
	uint64_t (*now_ns)(void *arg); /**< monotonic */
	void *arg;
};

/** The machine's time stamp counter as nanoseconds; needs EAL. */
struct engine_clock engine_clock_tsc(void);

#endif
