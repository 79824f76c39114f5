/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_BASELINE_H
#define NDPDK_PROMPT_BASELINE_H

#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

/*
 * Counters of an adapter since the command `clear`. They exist because the adapter never resets its
 * own counters.
 */

#define BASELINE_COUNTERS_MAX 256u

struct baseline_side {
	uint64_t value[BASELINE_COUNTERS_MAX];
};

struct baseline {
	struct baseline_side client, server;
	uint64_t start_tsc;
};

/** Store the current counters, which later readings subtract. @param adapter may be NULL */
void baseline_take(struct baseline_side *side, const struct nd_adapter *adapter);

/**
 * Read the counters since baseline_take(). The function subtracts nothing from values that can
 * fall, such as a number of open objects.
 * @param counters array of BASELINE_COUNTERS_MAX
 * @return number of counters
 */
size_t baseline_read(const struct baseline_side *side, const struct nd_adapter *adapter,
	struct nd_counter *counters);

#endif
