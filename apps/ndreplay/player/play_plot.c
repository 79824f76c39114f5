/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "play_plot.h"

#include <stdlib.h>

#include "outcome.h"
#include "ndreplay/plot.h"

#define PSN_MASK 0xFFFFFFu

struct shown {
	size_t index;
	struct history *trial; /* newest replay; freed by the next replay unless it is kept */
	struct history *kept;
};

struct play_plot {
	struct picture picture;
	const char *command;
	struct history *recorded;
	struct shown shown[PLOT_CONNECTIONS_MAX];
	size_t count;
	size_t connections; /* number of replayed connections */
};

struct play_plot *
play_plot_open(const char *path, const char *command, char *why, size_t size)
{
	struct play_plot *plot = calloc(1, sizeof(*plot));

	if (plot != NULL)
		plot->recorded = history_open();
	if (plot == NULL || plot->recorded == NULL) {
		snprintf(why, size, "memory is exhausted");
		free(plot);
		return NULL;
	}
	plot->command = command;
	if (picture_open(&plot->picture, path, why, size))
		return plot;
	history_close(plot->recorded);
	free(plot);
	return NULL;
}

void
play_plot_recorded(struct play_plot *plot, uint64_t time_ns, const uint8_t *bytes,
	uint32_t captured_bytes, uint32_t wire_bytes)
{
	history_feed(plot->recorded, time_ns, bytes, captured_bytes, wire_bytes);
}

void
play_plot_choose(struct play_plot *plot, size_t only)
{
	size_t indices[PLOT_CONNECTIONS_MAX];

	history_finish(plot->recorded, NULL);
	plot->connections = 1;
	if (only != ND_MODEL_NONE) {
		plot->shown[0].index = only;
		plot->count = 1;
		return;
	}
	plot->connections = nd_trace_connection_count(plot->recorded->trace);
	while (plot->count < PLOT_CONNECTIONS_MAX) {
		const size_t index = history_busiest(plot->recorded, indices, plot->count);

		if (index == ND_TRACE_NO_CONNECTION)
			return;
		indices[plot->count] = index;
		plot->shown[plot->count++].index = index;
	}
}

static struct shown *
shown_find(struct play_plot *plot, size_t connection)
{
	for (size_t i = 0; plot != NULL && i < plot->count; i++)
		if (plot->shown[i].index == connection)
			return &plot->shown[i];
	return NULL;
}

struct history *
play_plot_begin(struct play_plot *plot, size_t connection)
{
	struct shown *shown = shown_find(plot, connection);

	if (shown == NULL)
		return NULL;
	history_close(shown->trial);
	shown->trial = history_open();
	if (shown->trial == NULL)
		return NULL;
	/* All curves have the same time 0, which is the first recorded frame. */
	shown->trial->lines.started = plot->recorded->lines.started;
	shown->trial->lines.start_ns = plot->recorded->lines.start_ns;
	return shown->trial;
}

void
play_plot_keep(struct play_plot *plot, size_t connection)
{
	struct shown *shown = shown_find(plot, connection);

	if (shown == NULL)
		return;
	history_close(shown->kept);
	shown->kept = shown->trial;
	shown->trial = NULL;
}

/*
 * @param[out] first 64-bit PSN at which the curve of a side's requests begins.
 * @return false: the side has no curve
 */
static bool
first_of(const struct play_plot *plot, const struct nd_model *model, size_t connection,
	unsigned side, uint64_t *first)
{
	const struct nd_model_operation *operation = nd_model_operation(model, connection, side, 0);
	const struct history *history = plot->recorded;

	for (size_t i = 0; operation != NULL && i < history->lines.count; i++) {
		const struct timeline *line = history->lines.all[i];

		if (history->index[i] != connection || history->side[i] != side || !line->has_psn)
			continue;
		*first = operation->sequence +
			(uint64_t)(int64_t)((int32_t)((line->first_psn -
							      (uint32_t)operation->sequence)
						    << 8) >>
				8);
		return true;
	}
	return false;
}

struct place {
	uint64_t time_ns;
	uint64_t sequence;
	unsigned side; /* side that sent the request with this PSN */
	bool has_psn;
};

static bool
has_psn(enum nd_model_part part)
{
	return part == ND_MODEL_FRAME_REQUEST || part == ND_MODEL_FRAME_ACK ||
		part == ND_MODEL_FRAME_NAK || part == ND_MODEL_FRAME_RNR_NAK ||
		part == ND_MODEL_FRAME_READ_RESPONSE || part == ND_MODEL_FRAME_ATOMIC_ACK;
}

static bool
place_find(const struct nd_model *model, const struct outcome_difference *difference, unsigned ours,
	struct place *place)
{
	struct nd_model_frame frame;

	if (difference->frame == 0) {
		*place = (struct place){.time_ns = difference->time_ns,
			.sequence = difference->sequence,
			.side = difference->is_answer ? !ours : ours,
			.has_psn = difference->has_psn};
		return difference->time_ns != 0;
	}
	if (!nd_model_frame_get(model, difference->frame, &frame))
		return false;
	*place = (struct place){.time_ns = frame.time_ns,
		.sequence = frame.sequence,
		.side = frame.part == ND_MODEL_FRAME_REQUEST ? frame.side & 1 : !(frame.side & 1),
		.has_psn = has_psn(frame.part)};
	return true;
}

static unsigned
played_side(const struct outcome *outcome, size_t connection)
{
	for (size_t i = 0; i < outcome->connection_count; i++)
		if (outcome->connections[i].connection == connection)
			return outcome->connections[i].ours;
	return 0;
}

static void
differences_mark(struct plot *drawing, struct play_plot *plot, const struct nd_model *model,
	const struct outcome *outcome)
{
	const uint64_t start_ns = plot->recorded->lines.start_ns;

	for (size_t i = 0; i < outcome->difference_count; i++) {
		const struct outcome_difference *difference = &outcome->differences[i];
		const size_t connection = difference->connection;
		const bool explained = difference->reason != OUTCOME_UNEXPLAINED;
		struct place place;
		uint64_t first, since_ns;
		int64_t psn = 0;

		if (shown_find(plot, connection) == NULL ||
			!place_find(model, difference, played_side(outcome, connection), &place))
			continue;
		if (place.has_psn && first_of(plot, model, connection, place.side, &first))
			psn = (int64_t)(place.sequence - first);
		since_ns = place.time_ns > start_ns ? place.time_ns - start_ns : 0;
		plot_mark(drawing, explained ? PLOT_EXPLAINED : PLOT_DIFFERENCES,
			(double)since_ns / 1e9, psn);
	}
}

static void
curves_add(struct plot *drawing, const struct play_plot *plot)
{
	int first[PLOT_CONNECTIONS_MAX];

	for (size_t i = 0; i < plot->count; i++)
		first[i] = plot_add(drawing, plot->recorded, plot->shown[i].index, -1, "recorded ",
			plot->shown[i].index + 1);
	for (size_t i = 0; i < plot->count; i++) {
		struct history *kept = plot->shown[i].kept;

		if (kept == NULL || first[i] < 0)
			continue;
		history_finish(kept, NULL);
		plot_add(drawing, kept, history_busiest(kept, NULL, 0), first[i], "replayed ",
			plot->shown[i].index + 1);
	}
}

bool
play_plot_close(struct play_plot *plot, const struct nd_model *model, const struct outcome *outcome,
	char *why, size_t size)
{
	struct plot drawing = {.count = 0};
	bool drawn;

	if (model != NULL && outcome != NULL) {
		snprintf(drawing.title, sizeof(drawing.title),
			"ndreplay %s, %zu of %zu connections", plot->command, plot->count,
			plot->connections);
		curves_add(&drawing, plot);
		differences_mark(&drawing, plot, model, outcome);
	}
	drawn = plot_close(&drawing, &plot->picture, why, size);
	plot_clear(&drawing);
	for (size_t i = 0; i < plot->count; i++) {
		history_close(plot->shown[i].trial);
		history_close(plot->shown[i].kept);
	}
	history_close(plot->recorded);
	free(plot);
	return drawn;
}
