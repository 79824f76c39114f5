/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_TIMELINES_H
#define NDPDK_NDREPLAY_TIMELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timeline.h"

/* The timelines of a capture: one for each side of the connections that come first in it. */

/** Timelines kept; all of them together take 14 MB. */
#define TIMELINES_MAX   256u
#define TIMELINES_SLOTS (4 * TIMELINES_MAX)

/** All zero is empty. */
struct timelines {
	bool started;
	uint64_t start_ns; /**< time of the first packet; valid when started */
	size_t count;
	struct timeline *all[TIMELINES_MAX];
	struct timeline *slots[TIMELINES_SLOTS]; /**< by connection and side, open addressing */
};

/** Take a frame; of one that is no packet of a connection nothing is kept. */
void timelines_take(struct timelines *lines, const struct nd_trace_seen *seen, uint64_t time_ns,
	uint32_t wire_bytes);

void timelines_free(struct timelines *lines);

#endif
