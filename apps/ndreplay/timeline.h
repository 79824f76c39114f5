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
 * is divided into bins of equal width. If the capture is longer than all bins together, the width
 * is doubled. For new requests, retransmissions and NAKs, a bin stores the lowest and the highest
 * PSN, so that even a single retransmission or NAK stays visible.
 */

#define TIMELINE_BINS 512u

/** PSNs of one kind in a bin. They are relative to the timeline's first PSN and do not wrap. */
struct timeline_span {
	uint64_t count; /**< number of packets; 0: low and high are not valid */
	int64_t low, high;
};

struct timeline_bin {
	struct timeline_span fresh; /**< new requests */
	struct timeline_span again; /**< retransmitted requests */
	/** Sequence NAKs and fatal NAKs of the peer that answer requests of this side. */
	struct timeline_span naks;
	struct timeline_span rnr_naks;
	uint64_t wire_bytes; /**< bytes of all packets that this side sent */
};

struct timeline {
	uint64_t connection; /**< serial number: nd_trace_seen.connection */
	unsigned side;       /**< nd_trace_seen.side */
	uint64_t start_ns;   /**< time at which the first bin begins */
	uint64_t width_ns;   /**< width of a bin */
	size_t used;         /**< number of bins up to the newest used bin */
	bool has_psn;        /**< true if first_psn and newest are valid */
	uint32_t first_psn;
	int64_t newest; /**< PSN of the newest request, relative to first_psn */
	uint64_t wire_bytes;
	struct timeline_bin bins[TIMELINE_BINS];
};

/** @param start_ns capture time at which all timelines of a picture begin */
void
timeline_init(struct timeline *timeline, uint64_t connection, unsigned side, uint64_t start_ns);

/** Add a packet that this side has sent. */
void timeline_sent(struct timeline *timeline, const struct nd_trace_seen *seen, uint64_t time_ns,
	uint32_t wire_bytes);

/** Add an answer of the other side. Only NAKs are recorded. */
void
timeline_answered(struct timeline *timeline, const struct nd_trace_seen *seen, uint64_t time_ns);

/**
 * @param timeline must have has_psn
 * @return a PSN relative to the first PSN, without wrap. The result is the possible value that is
 *         nearest to the newest request.
 */
int64_t timeline_place(const struct timeline *timeline, uint32_t psn);

/** @return time of the middle of a bin, in seconds since start_ns */
double timeline_seconds(const struct timeline *timeline, size_t bin);

#endif
