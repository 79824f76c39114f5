/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_common.h>

#include "trace/model.h"

/* A sentence for each kind of information that the capture lacks. */
static const char *const texts[] = {
	[ND_MODEL_LIMIT_MIDDLE] =
		"no CM exchange of this connection was captured: the connection was set up without "
		"CM or before the capture, and its earlier operations are not known",
	[ND_MODEL_LIMIT_OPEN_END] = "this connection was still open when the capture ended",
	[ND_MODEL_LIMIT_ONE_WAY] =
		"no RC packet of this side was captured: the results of the operations of the "
		"other side are not known",
	[ND_MODEL_LIMIT_FRAMES] =
		"request packets of this side were never captured: their operations are missing "
		"or incomplete",
	[ND_MODEL_LIMIT_ANSWERS] =
		"responses to READs and atomics of this side were not captured: the returned data "
		"are not known",
	[ND_MODEL_LIMIT_CUT] = "frames are truncated by the capture: their contents are not known",
	[ND_MODEL_LIMIT_MALFORMED] = "RoCEv2 frames have inconsistent lengths or headers",
	[ND_MODEL_LIMIT_HIDDEN] = "frames look like RoCEv2 in a tunnel that is not decoded",
	[ND_MODEL_LIMIT_CORRUPTED] =
		"frames have a wrong ICRC: their contents may be damaged, and are not used",
	[ND_MODEL_LIMIT_STRAY] =
		"packets belong to no connection, or their PSNs do not match their sender",
	[ND_MODEL_LIMIT_MTU] = "the path MTU is not known from a full-size packet or a CM exchange",
	[ND_MODEL_LIMIT_QPN] = "the queue pair number of this side is not known",
	[ND_MODEL_LIMIT_RESTARTED] =
		"the PSNs of this side jump: the side uses a new queue pair, or the capture has a "
		"long gap",
	[ND_MODEL_LIMIT_MEMORY] = "memory was exhausted: the model is incomplete",
};

static void
limit_add(struct nd_model *model, enum nd_model_limit_kind kind, size_t connection, unsigned side,
	uint64_t frame, uint64_t count)
{
	struct nd_model_limit *limit;

	if (count == 0)
		return;
	limit = model_array_add(&model->limits, sizeof(*limit));
	if (limit == NULL) {
		model->starved = true;
		return;
	}
	*limit = (struct nd_model_limit){
		.kind = kind,
		.connection = connection,
		.side = side,
		.frame = frame,
		.count = count,
		.text = texts[kind],
	};
}

/* Number of occurrences of a limit, and the first frame that shows it. */
struct tally {
	uint64_t count;
	uint64_t frame;
};

static void
tally_add(struct tally *tally, uint64_t frame)
{
	if (tally->count++ == 0)
		tally->frame = frame;
}

static void
frames_limit(struct nd_model *model)
{
	static const enum nd_model_limit_kind kinds[] = {ND_MODEL_LIMIT_CUT,
		ND_MODEL_LIMIT_MALFORMED, ND_MODEL_LIMIT_HIDDEN, ND_MODEL_LIMIT_CORRUPTED,
		ND_MODEL_LIMIT_STRAY};
	const struct model_frame *frames = model->frames.items;
	struct tally tallies[RTE_DIM(kinds)] = {0};

	for (size_t i = 0; i < model->frames.count; i++) {
		switch (frames[i].report.part) {
		case ND_MODEL_FRAME_CUT:
			tally_add(&tallies[0], i + 1);
			break;
		case ND_MODEL_FRAME_MALFORMED:
			tally_add(&tallies[1], i + 1);
			break;
		case ND_MODEL_FRAME_HIDDEN:
			tally_add(&tallies[2], i + 1);
			break;
		case ND_MODEL_FRAME_CORRUPTED:
			tally_add(&tallies[3], i + 1);
			break;
		case ND_MODEL_FRAME_OTHER:
		case ND_MODEL_FRAME_FOREIGN:
		case ND_MODEL_FRAME_DATAGRAM:
			break;
		case ND_MODEL_FRAME_CM:
		case ND_MODEL_FRAME_REQUEST:
		case ND_MODEL_FRAME_ACK:
		case ND_MODEL_FRAME_NAK:
		case ND_MODEL_FRAME_RNR_NAK:
		case ND_MODEL_FRAME_READ_RESPONSE:
		case ND_MODEL_FRAME_ATOMIC_ACK:
		case ND_MODEL_FRAME_CNP:
		case ND_MODEL_FRAME_RESERVED:
			if (frames[i].report.connection == ND_MODEL_NONE)
				tally_add(&tallies[4], i + 1);
			break;
		}
	}
	for (size_t i = 0; i < RTE_DIM(kinds); i++)
		limit_add(model, kinds[i], ND_MODEL_NONE, 0, tallies[i].frame, tallies[i].count);
}

static void
side_limit(struct nd_model *model, size_t index, unsigned at)
{
	const struct model_connection *of = model_connection_at(model, index);
	const struct model_side *side = &of->side[at];
	const struct nd_trace_connection *report = of->report.report;
	const struct model_gap *gaps = side->gaps.items;
	struct tally missing = {0}, unanswered = {0};

	for (size_t i = 0; i < side->gaps.count; i++) {
		if (missing.count == 0)
			missing.frame = gaps[i].frame;
		missing.count += gaps[i].packets;
	}
	for (size_t i = 0; i < side->operations.count; i++) {
		const struct nd_model_operation *operation = &model_operation_at(side, i)->report;

		if (operation->end == ND_MODEL_IMPLIED)
			tally_add(&unanswered, operation->first_frame);
	}
	limit_add(model, ND_MODEL_LIMIT_FRAMES, index, at, missing.frame, missing.count);
	limit_add(model, ND_MODEL_LIMIT_ANSWERS, index, at, unanswered.frame, unanswered.count);
	limit_add(model, ND_MODEL_LIMIT_STRAY, index, at, side->stray_frame, side->stray);
	limit_add(model, ND_MODEL_LIMIT_RESTARTED, index, at, side->restart_frame, side->restarts);
	limit_add(model, ND_MODEL_LIMIT_ONE_WAY, index, at, report->first_frame,
		report->side[at].packets == 0 && report->side[!at].packets != 0);
	limit_add(model, ND_MODEL_LIMIT_QPN, index, at, report->first_frame,
		of->report.side[at].qpn == 0);
}

static void
connection_limit(struct nd_model *model, size_t index)
{
	const struct model_connection *of = model_connection_at(model, index);
	const struct nd_trace_connection *report = of->report.report;

	limit_add(model, ND_MODEL_LIMIT_MIDDLE, index, 0, report->first_frame,
		of->report.cm == ND_TRACE_CM_NONE);
	limit_add(model, ND_MODEL_LIMIT_OPEN_END, index, 0, report->last_frame,
		of->report.close == ND_MODEL_OPEN);
	limit_add(model, ND_MODEL_LIMIT_MTU, index, 0, report->first_frame,
		of->report.path_mtu_bytes == 0);
	for (unsigned side = 0; side < 2; side++)
		side_limit(model, index, side);
}

void
model_limits_build(struct nd_model *model)
{
	frames_limit(model);
	for (size_t i = 0; i < model->connections.count; i++)
		connection_limit(model, i);
	limit_add(model, ND_MODEL_LIMIT_MEMORY, ND_MODEL_NONE, 0, 0, model->starved);
}
