/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_BASELINE_H
#define NDPDK_PROMPT_BASELINE_H

#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

/*
 * Counters of an adapter since the command `clear`. The adapter itself never resets its counters.
 */

#define BASELINE_COUNTERS_MAX 256u

struct baseline_side {
	uint64_t value[BASELINE_COUNTERS_MAX];
};

struct baseline {
	struct baseline_side client, server;
	uint64_t start_tsc;
};

/** Store the current counters as the zero of later readings. @param adapter may be NULL */
void baseline_take(struct baseline_side *side, const struct nd_adapter *adapter);

/**
 * Read the counters since baseline_take(). Values that can also fall, such as a number of open
 * objects, are not changed.
 * @param counters array of BASELINE_COUNTERS_MAX
 * @return number of counters
 */
size_t baseline_read(const struct baseline_side *side, const struct nd_adapter *adapter,
	struct nd_counter *counters);

#endif
