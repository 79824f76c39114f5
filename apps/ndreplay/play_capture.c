/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* The frames of a capture by connection, so that a play looks at those of its own only. */

#include "play.h"

#include <stdlib.h>

static void
numbers_count(struct play_capture *capture)
{
	const size_t count = nd_model_connection_count(capture->model);
	struct nd_model_frame frame;

	for (uint64_t i = 1; nd_model_frame_get(capture->model, i, &frame); i++)
		if (frame.connection < count)
			capture->first[frame.connection + 1]++;
	for (size_t i = 0; i < count; i++)
		capture->first[i + 1] += capture->first[i];
}

bool
play_capture_open(struct play_capture *capture, const struct nd_model *model)
{
	const uint64_t frames = nd_model_frame_count(model);
	const size_t count = nd_model_connection_count(model);
	size_t *next = calloc(count + 1, sizeof(*next));
	struct nd_model_frame frame;

	*capture = (struct play_capture){.model = model,
		.numbers = calloc(frames + 1, sizeof(*capture->numbers)),
		.first = calloc(count + 2, sizeof(*capture->first)),
		.lost = calloc(frames + 1, 1)};
	if (next == NULL || capture->numbers == NULL || capture->first == NULL ||
		capture->lost == NULL) {
		free(next);
		return false;
	}
	numbers_count(capture);
	for (uint64_t i = 1; nd_model_frame_get(model, i, &frame); i++)
		if (frame.connection < count)
			capture->numbers[capture->first[frame.connection] +
				next[frame.connection]++] = i;
	for (size_t i = 0; i < nd_model_fault_count(model); i++) {
		const struct nd_model_fault *fault = nd_model_fault(model, i);

		if (fault->kind == ND_MODEL_FAULT_LOST && fault->place == ND_MODEL_PLACE_BEHIND &&
			fault->original <= frames)
			capture->lost[fault->original] = 1;
	}
	free(next);
	return true;
}

void
play_capture_close(struct play_capture *capture)
{
	free(capture->numbers);
	free(capture->first);
	free(capture->lost);
}

uint64_t
play_frame(const struct play *play, size_t at, struct nd_model_frame *frame)
{
	const struct play_capture *capture = play->capture;
	const size_t index = capture->first[play->index] + at;

	if (index >= capture->first[play->index + 1])
		return 0;
	nd_model_frame_get(capture->model, capture->numbers[index], frame);
	return capture->numbers[index];
}
