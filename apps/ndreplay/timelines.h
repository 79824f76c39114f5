/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_TIMELINES_H
#define NDPDK_NDREPLAY_TIMELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timeline.h"

/*
 * The timelines of a capture. Only the first connections of the capture get timelines, one for each
 * side.
 */

/** Maximum number of timelines. Together they use 14 MB. */
#define TIMELINES_MAX   256u
#define TIMELINES_SLOTS (4 * TIMELINES_MAX)

/** The structure is empty if all members are zero. */
struct timelines {
	bool started;
	uint64_t start_ns; /**< time of the first packet (time 0); valid if started */
	/** Newest packet of any connection, and its time. Valid if started. */
	struct nd_trace_seen newest;
	uint64_t newest_ns;
	size_t count;
	struct timeline *all[TIMELINES_MAX];
	struct timeline *slots[TIMELINES_SLOTS]; /**< hash table by connection and side */
};

/** Add a frame. A frame that is not a packet of a connection is ignored. */
void timelines_take(struct timelines *lines, const struct nd_trace_seen *seen, uint64_t time_ns,
	uint32_t wire_bytes);

/** @return the timeline of a side, or NULL. @param connection serial number in the trace */
const struct timeline *
timelines_find(const struct timelines *lines, uint64_t connection, unsigned side);

void timelines_free(struct timelines *lines);

#endif
