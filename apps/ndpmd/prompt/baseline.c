/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "baseline.h"

#include <string.h>

static size_t
read_all(const struct nd_adapter *adapter, struct nd_counter *counters)
{
	size_t count = 0;

	if (adapter != NULL)
		count = nd_adapter_counters(adapter, counters, BASELINE_COUNTERS_MAX);
	return count < BASELINE_COUNTERS_MAX ? count : BASELINE_COUNTERS_MAX;
}

void
baseline_take(struct baseline_side *side, const struct nd_adapter *adapter)
{
	struct nd_counter counters[BASELINE_COUNTERS_MAX];
	const size_t count = read_all(adapter, counters);

	memset(side, 0, sizeof(*side));
	for (size_t i = 0; i < count; i++)
		if (!counters[i].now)
			side->value[i] = counters[i].value;
}

size_t
baseline_read(const struct baseline_side *side, const struct nd_adapter *adapter,
	struct nd_counter *counters)
{
	const size_t count = read_all(adapter, counters);

	for (size_t i = 0; i < count; i++)
		counters[i].value -= side->value[i];
	return count;
}
