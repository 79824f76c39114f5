/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engine/clock.h"

#include <rte_cycles.h>

/*
 * Convert TSC cycles to ns: ns = tsc * scale / 2^32, which avoids a division per reading. arg is
 * the scale.
 */
static uint64_t
tsc_now_ns(void *arg)
{
	return (uint64_t)((unsigned __int128)rte_rdtsc() * (uintptr_t)arg >> 32);
}

struct engine_clock
engine_clock_tsc(void)
{
	uint64_t scale = (uint64_t)(((unsigned __int128)1000000000 << 32) / rte_get_tsc_hz());

	return (struct engine_clock){
		.now_ns = tsc_now_ns, .arg = (void *)(uintptr_t)scale, .runs = true};
}
