/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "live_load.h"

#include <inttypes.h>
#include <stdio.h>

#include "kit/stop.h"

#include "ndreplay/capture/memory_bound.h"

struct load {
	const char *file;
	struct nd_model *model;
	struct history *history;
	struct memory_bound bound;
	char *why;
	size_t size;
};

/**
 * Add a frame to the model. A frame that is not selected is added without bytes, so that later
 * frames keep their numbers.
 *
 * @return false on failure; in this case why has the reason
 */
static bool
frame_take(struct load *load, const struct reader_frame *frame, bool is_wanted)
{
	const uint8_t *bytes = is_wanted ? frame->bytes : NULL;
	const uint32_t captured = is_wanted ? frame->captured_bytes : 0;
	const uint32_t wire = is_wanted ? frame->wire_bytes : 0;

	if (!memory_bound_take(&load->bound, captured)) {
		snprintf(load->why, load->size,
			"%s cannot be replayed: the frames up to %" PRIu64
			" " MEMORY_BOUND_SENTENCE,
			load->file, frame->number, load->bound.megabytes);
		return false;
	}
	nd_model_frame(load->model, frame->time_ns, bytes, captured, wire);
	if (load->history != NULL)
		history_feed(load->history, frame->time_ns, bytes, captured, wire);
	return true;
}

static bool
feed(struct load *load, struct reader *reader)
{
	enum reader_result result = READER_END;
	struct reader_frame frame;

	while (!stop_is_wanted() &&
		((result = reader_next(reader, &frame)) == READER_FRAME ||
			result == READER_SKIPPED))
		if (!frame_take(load, &frame, result == READER_FRAME))
			return false;
	if (result == READER_ERROR)
		snprintf(load->why, load->size, "%s", reader_error(reader));
	return result != READER_ERROR;
}

static void
skips_print(const char *file, const struct reader_skips *skips)
{
	if (skips->copies != 0)
		fprintf(stderr,
			"ndreplay: %s contains packets more than once: %" PRIu64
			" copies were left out\n",
			file, skips->copies);
	if (skips->backwards != 0)
		fprintf(stderr,
			"ndreplay: %s: times run backwards at %" PRIu64
			" frames, first at frame %" PRIu64
			": sort the file by time, for example with reordercap, because a frame out "
			"of order looks like a missing frame\n",
			file, skips->backwards, skips->backwards_frame);
}

struct nd_model *
live_load(const char *file, const struct live_options *options, struct history *history,
	struct reader_skips *skips, char *why, size_t size)
{
	struct reader *reader = reader_open(file, &options->reader, why, size);
	struct load load = {.file = file,
		.model = reader == NULL ? NULL : nd_model_open(NULL),
		.history = history,
		.bound = {.megabytes = options->memory_mb},
		.why = why,
		.size = size};
	bool done;

	if (reader == NULL)
		return NULL;
	snprintf(why, size, "%s cannot be replayed: memory is exhausted", file);
	done = load.model != NULL && feed(&load, reader) && nd_model_finish(load.model);
	*skips = *reader_skipped(reader);
	if (done)
		skips_print(file, skips);
	reader_close(reader);
	if (done)
		return load.model;
	nd_model_close(load.model);
	return NULL;
}
