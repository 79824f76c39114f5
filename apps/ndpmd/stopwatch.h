/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_STOPWATCH_H
#define NDPDK_NDPMD_STOPWATCH_H

#include <stdint.h>

#include <rte_cycles.h>

/* Time in cycles of the time stamp counter (TSC), and its conversion to ns without a division. */

struct stopwatch {
	uint64_t hz;
	uint64_t ns_per_cycle_q32; /**< fixed point, 32 fraction bits */
};

/** Store the rate of the TSC. EAL must be initialised. */
static inline void
stopwatch_init(struct stopwatch *stopwatch)
{
	stopwatch->hz = rte_get_tsc_hz();
	stopwatch->ns_per_cycle_q32 =
		(uint64_t)(((unsigned __int128)1000000000u << 32) / stopwatch->hz);
}

static inline uint64_t
stopwatch_now(void)
{
	return rte_rdtsc();
}

static inline uint64_t
stopwatch_ns(const struct stopwatch *stopwatch, uint64_t cycles)
{
	return (uint64_t)((unsigned __int128)cycles * stopwatch->ns_per_cycle_q32 >> 32);
}

/** @return number of cycles that correspond to ns. Too slow for the data path. */
static inline uint64_t
stopwatch_cycles(const struct stopwatch *stopwatch, uint64_t ns)
{
	return (uint64_t)((unsigned __int128)ns * stopwatch->hz / 1000000000u);
}

#endif
