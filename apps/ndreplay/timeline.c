/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "timeline.h"

#include <string.h>

#define PSN_BITS 24
#define PSN_MASK ((1u << PSN_BITS) - 1)
/* Initial width of a bin, in ns. */
#define WIDTH_NS UINT64_C(1024)
#define NS_PER_S 1e9

void
timeline_init(struct timeline *timeline, uint64_t connection, unsigned side, uint64_t start_ns)
{
	memset(timeline, 0, sizeof(*timeline));
	timeline->connection = connection;
	timeline->side = side;
	timeline->start_ns = start_ns;
	timeline->width_ns = WIDTH_NS;
}

static void
span_merge(struct timeline_span *span, const struct timeline_span *other)
{
	if (other->count == 0)
		return;
	if (span->count == 0 || other->low < span->low)
		span->low = other->low;
	if (span->count == 0 || other->high > span->high)
		span->high = other->high;
	span->count += other->count;
}

static void
span_add(struct timeline_span *span, int64_t psn)
{
	span_merge(span, &(struct timeline_span){.count = 1, .low = psn, .high = psn});
}

static void
bin_merge(struct timeline_bin *bin, const struct timeline_bin *other)
{
	span_merge(&bin->fresh, &other->fresh);
	span_merge(&bin->again, &other->again);
	span_merge(&bin->naks, &other->naks);
	span_merge(&bin->rnr_naks, &other->rnr_naks);
	bin->wire_bytes += other->wire_bytes;
}

/* Double the width of the bins by joining pairs of bins. */
static void
widen(struct timeline *timeline)
{
	for (size_t i = 0; i < TIMELINE_BINS / 2; i++) {
		const struct timeline_bin first = timeline->bins[2 * i];

		timeline->bins[i] = timeline->bins[2 * i + 1];
		bin_merge(&timeline->bins[i], &first);
	}
	memset(&timeline->bins[TIMELINE_BINS / 2], 0,
		sizeof(timeline->bins) - TIMELINE_BINS / 2 * sizeof(timeline->bins[0]));
	timeline->used = (timeline->used + 1) / 2;
	timeline->width_ns *= 2;
}

/*
 * @return the bin of a time. A time before the start, which is possible after a change of the
 *         clock, is in the first bin.
 */
static struct timeline_bin *
bin_at(struct timeline *timeline, uint64_t time_ns)
{
	const uint64_t since_ns = time_ns > timeline->start_ns ? time_ns - timeline->start_ns : 0;
	size_t index;

	while (since_ns / timeline->width_ns >= TIMELINE_BINS)
		widen(timeline);
	index = (size_t)(since_ns / timeline->width_ns);
	if (index >= timeline->used)
		timeline->used = index + 1;
	return &timeline->bins[index];
}

int64_t
timeline_place(const struct timeline *timeline, uint32_t psn)
{
	const uint32_t newest = timeline->first_psn + (uint32_t)timeline->newest;
	const int32_t ahead = (int32_t)((psn - newest) << (32 - PSN_BITS)) >> (32 - PSN_BITS);

	return timeline->newest + ahead;
}

void
timeline_sent(struct timeline *timeline, const struct nd_trace_seen *seen, uint64_t time_ns,
	uint32_t wire_bytes)
{
	struct timeline_bin *bin = bin_at(timeline, time_ns);

	bin->wire_bytes += wire_bytes;
	timeline->wire_bytes += wire_bytes;
	if (seen->kind != ND_TRACE_KIND_REQUEST)
		return;
	if (!timeline->has_psn) {
		timeline->has_psn = true;
		timeline->first_psn = seen->psn & PSN_MASK;
	}
	timeline->newest = timeline_place(timeline, seen->psn);
	span_add(seen->repeated ? &bin->again : &bin->fresh, timeline->newest);
}

void
timeline_answered(struct timeline *timeline, const struct nd_trace_seen *seen, uint64_t time_ns)
{
	struct timeline_bin *bin;

	if (!timeline->has_psn)
		return;
	if (seen->kind == ND_TRACE_KIND_RNR_NAK) {
		bin = bin_at(timeline, time_ns);
		span_add(&bin->rnr_naks, timeline_place(timeline, seen->psn));
	} else if (seen->kind == ND_TRACE_KIND_NAK_SEQUENCE ||
		seen->kind == ND_TRACE_KIND_NAK_FATAL) {
		bin = bin_at(timeline, time_ns);
		span_add(&bin->naks, timeline_place(timeline, seen->psn));
	}
}

double
timeline_seconds(const struct timeline *timeline, size_t bin)
{
	return ((double)bin + 0.5) * (double)timeline->width_ns / NS_PER_S;
}
