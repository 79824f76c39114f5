/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_TIMELINE_H
#define NDPDK_NDREPLAY_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_trace_frame.h>

/*
 * The requests of one side over time, reduced to a number of points that a picture can show. Time
 * is divided into bins of equal width. If the bins are too short for a capture, the width is
 * doubled. A bin keeps the lowest and the highest PSN of the requests, and also of retransmissions
 * and of NAKs, so the reduction loses no event of these kinds.
 */

#define TIMELINE_BINS 512u

/** PSNs of one kind in a bin, counted from the first PSN of the timeline, without wrap. */
struct timeline_span {
	uint64_t count; /**< number of packets; 0: low and high are not valid */
	int64_t low, high;
};

struct timeline_bin {
	struct timeline_span fresh; /**< new requests */
	struct timeline_span again; /**< retransmitted requests */
	/** sequence NAKs and fatal NAKs that answer requests of this side */
	struct timeline_span naks;
	struct timeline_span rnr_naks;
	uint64_t wire_bytes; /**< bytes of all packets of this side */
};

struct timeline {
	uint64_t connection; /**< serial number: nd_trace_seen.connection */
	unsigned side;       /**< nd_trace_seen.side */
	uint64_t start_ns;   /**< begin of the first bin */
	uint64_t width_ns;   /**< width of a bin */
	size_t used;         /**< bins up to the newest one */
	bool has_psn;        /**< first_psn and newest are valid */
	uint32_t first_psn;
	int64_t newest; /**< PSN of the newest request, counted from first_psn */
	uint64_t wire_bytes;
	struct timeline_bin bins[TIMELINE_BINS];
};

/** @param start_ns capture time that all timelines of a picture have in common */
void
timeline_init(struct timeline *timeline, uint64_t connection, unsigned side, uint64_t start_ns);

/** Add a packet that this side has sent. */
void timeline_sent(struct timeline *timeline, const struct nd_trace_seen *seen, uint64_t time_ns,
	uint32_t wire_bytes);

/** Add an answer of the other side. Only NAKs are recorded. */
void
timeline_answered(struct timeline *timeline, const struct nd_trace_seen *seen, uint64_t time_ns);

/**
 * @param timeline with has_psn
 * @return a PSN counted from the first one, without wrap: the place nearest to the newest request
 */
int64_t timeline_place(const struct timeline *timeline, uint32_t psn);

/** @return seconds since start_ns of the middle of a bin */
double timeline_seconds(const struct timeline *timeline, size_t bin);

#endif
