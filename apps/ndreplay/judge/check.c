/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include <ndpdk/nd_trace_frame.h>
#include <ndpdk/nd_trace_stats.h>

#include "selection.h"

static void
frame_take(struct check_result *result, struct selection *selection, struct check_plot *plot,
	const struct reader_frame *frame, bool is_skipped)
{
	if (selection != NULL && !selection_take(selection, frame, NULL) && !is_skipped) {
		result->skipped_by_connection++;
		is_skipped = true;
	}
	if (is_skipped) {
		nd_trace_skip(result->trace);
		return;
	}
	nd_trace_frame(result->trace, frame->time_ns, frame->bytes, frame->captured_bytes,
		frame->wire_bytes);
	if (plot != NULL)
		check_plot_frame(plot, result->trace, frame->time_ns, frame->wire_bytes);
}

static void
frames_read(struct reader *reader, struct selection *selection, struct check_plot *plot,
	struct check_result *result)
{
	struct reader_frame frame;
	enum reader_result got;

	while ((got = reader_next(reader, &frame)) == READER_FRAME || got == READER_SKIPPED)
		frame_take(result, selection, plot, &frame, got == READER_SKIPPED);
	nd_trace_finish(result->trace);
	result->skips = *reader_skipped(reader);
	if (got == READER_ERROR)
		snprintf(result->error, sizeof(result->error), "%s", reader_error(reader));
}

void
check_file(const char *file, const struct check_config *config, struct check_result *result)
{
	struct selection *selection = NULL;
	struct reader *reader;

	memset(result, 0, sizeof(*result));
	result->file = file;
	result->connection = config->connection;
	if (config->connection != 0) {
		if (!config->reader.follow)
			selection = selection_open(file, &config->trace, config->connection,
				result->error, sizeof(result->error));
		else
			snprintf(result->error, sizeof(result->error),
				"--connection reads %s twice: omit --follow", file);
		if (selection == NULL)
			return;
	}
	reader = reader_open(file, &config->reader, result->error, sizeof(result->error));
	if (reader != NULL) {
		result->trace = nd_trace_open(&config->trace);
		if (result->trace == NULL)
			snprintf(result->error, sizeof(result->error),
				"%s cannot be checked: memory is exhausted", file);
		else
			frames_read(reader, selection, config->plot, result);
	}
	reader_close(reader);
	selection_close(selection);
}

void
check_release(struct check_result *result)
{
	nd_trace_close(result->trace);
}

enum check_verdict
check_verdict(const struct check_result *result)
{
	struct nd_trace_coverage coverage;
	struct nd_trace_totals totals;

	if (result->trace == NULL || result->error[0] != '\0')
		return CHECK_FAILED;
	nd_trace_totals(result->trace, &totals);
	if (totals.icrc_bad != 0 || nd_trace_violation_count(result->trace) != 0)
		return CHECK_FOUND;
	/* If no RoCEv2 conversation was judged, the capture proves nothing about RoCEv2. */
	nd_trace_coverage(result->trace, &coverage);
	if (coverage.judged == 0 || coverage.unfollowed != 0 || totals.malformed != 0 ||
		totals.truncated != 0 || totals.hidden != 0 || totals.roce_v1 != 0 ||
		result->skips.by_link_type != 0 || result->skips.backwards != 0 ||
		nd_trace_doubt_count(result->trace) != 0)
		return CHECK_UNJUDGED;
	return CHECK_CLEAN;
}
