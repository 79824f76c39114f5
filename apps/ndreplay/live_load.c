/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "live_load.h"

#include <stdio.h>

#include "kit/stop.h"

static bool
feed(struct nd_model *model, struct course *course, struct reader *reader)
{
	struct reader_frame frame;

	while (!stop_is_wanted()) {
		switch (reader_next(reader, &frame)) {
		case READER_FRAME:
			nd_model_frame(model, frame.time_ns, frame.bytes, frame.captured_bytes,
				frame.wire_bytes);
			if (course != NULL)
				course_feed(course, frame.time_ns, frame.bytes,
					frame.captured_bytes, frame.wire_bytes);
			break;
		case READER_SKIPPED:
			/* Frames that are not wanted keep their numbers. */
			nd_model_frame(model, frame.time_ns, NULL, 0, 0);
			if (course != NULL)
				course_feed(course, frame.time_ns, NULL, 0, 0);
			break;
		case READER_END:
			return true;
		case READER_ERROR:
			return false;
		}
	}
	return true;
}

struct nd_model *
live_load(const char *file, const struct reader_config *config, struct course *course, char *why,
	size_t size)
{
	struct reader *reader = reader_open(file, config, why, size);
	struct nd_model *model;

	if (reader == NULL)
		return NULL;
	model = nd_model_open(NULL);
	if (model == NULL)
		snprintf(why, size, "%s cannot be played: memory is exhausted", file);
	else if (!feed(model, course, reader))
		snprintf(why, size, "%s", reader_error(reader));
	else if (!nd_model_finish(model))
		snprintf(why, size, "%s cannot be played: memory is exhausted", file);
	else {
		reader_close(reader);
		return model;
	}
	nd_model_close(model);
	reader_close(reader);
	return NULL;
}
