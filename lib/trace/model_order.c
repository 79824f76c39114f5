/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>

#include <rte_common.h>

#include "trace/model.h"

/*
 * Finds the operations on which an operation may depend: all operations that were complete before
 * the first packet of the dependent operation. They form a prefix of the list of operations. The
 * completion time of a prefix is the maximum over its operations, so it increases with the length
 * of the prefix. Therefore a binary search finds the longest complete prefix.
 */

#define NEVER UINT64_MAX

typedef uint64_t (*complete_fn)(const struct model_operation *operation);

/* @return frame of the answer that completes an operation of this side; NEVER: no answer */
static uint64_t
answered_at(const struct model_operation *operation)
{
	return operation->report.end == ND_MODEL_UNANSWERED ? NEVER : operation->report.end_frame;
}

/*
 * @return frame at which an operation of the peer was complete, because its last packet was
 *         accepted; NEVER: not accepted
 */
static uint64_t
arrived_at(const struct model_operation *operation)
{
	return operation->accepted_frame != 0 ? operation->accepted_frame : NEVER;
}

/*
 * @return array with the frame at which each prefix is complete. The caller frees it. NULL: no
 *         operations, or no memory
 */
static uint64_t *
prefixes(struct nd_model *model, const struct model_side *side, complete_fn complete)
{
	uint64_t *frames, newest = 0;

	if (side->operations.count == 0)
		return NULL;
	frames = malloc(side->operations.count * sizeof(*frames));
	if (frames == NULL) {
		model->starved = true;
		return NULL;
	}
	for (size_t i = 0; i < side->operations.count; i++) {
		newest = RTE_MAX(newest, complete(model_operation_at(side, i)));
		frames[i] = newest;
	}
	return frames;
}

/* @return number of operations in the longest prefix that is complete before a frame. */
static size_t
before(const uint64_t *frames, size_t count, uint64_t frame)
{
	size_t low = 0, high = frames == NULL ? 0 : count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (frames[middle] < frame)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
model_order_build(struct nd_model *model, size_t connection, unsigned side)
{
	struct model_side *own = model_side_at(model, connection, side);
	const struct model_side *peer = model_side_at(model, connection, !side);
	uint64_t *answered = prefixes(model, own, answered_at);
	uint64_t *arrived = prefixes(model, peer, arrived_at);

	for (size_t i = 0; i < own->operations.count; i++) {
		struct nd_model_operation *report = &model_operation_at(own, i)->report;

		report->after_operations =
			before(answered, own->operations.count, report->first_frame);
		report->after_messages =
			before(arrived, peer->operations.count, report->first_frame);
	}
	free(answered);
	free(arrived);
}
