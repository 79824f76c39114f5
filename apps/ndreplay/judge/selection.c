/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "selection.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct selection {
	struct nd_trace *report; /* trace of the first reading: the whole capture */
	struct nd_trace *again;  /* trace of the second reading: the frames so far */
	size_t index;            /* index of the selected connection */
	bool all;                /* all connections are selected */
	size_t *indices; /* indices[serial]: index in the report + 1; 0 = not searched yet */
	uint64_t index_count;
};

static void
feed(struct nd_trace *trace, const struct reader_frame *frame)
{
	if (frame->is_foreign)
		nd_trace_skip(trace);
	else
		nd_trace_frame(trace, frame->time_ns, frame->bytes, frame->captured_bytes,
			frame->wire_bytes);
}

/*
 * Read the whole file. Errors are not reported here, because the second reading finds and reports
 * the same errors.
 */
static bool
read_all(struct selection *selection, const char *path, char *why, size_t size)
{
	const struct reader_config config = {.progress = true};
	struct reader *reader = reader_open(path, &config, why, size);
	enum reader_result result;
	struct reader_frame frame;

	if (reader == NULL)
		return false;
	while ((result = reader_next(reader, &frame)) == READER_FRAME || result == READER_SKIPPED)
		feed(selection->report, &frame);
	nd_trace_finish(selection->report);
	reader_close(reader);
	return true;
}

static bool
find(struct selection *selection, const char *path, uint64_t number, char *why, size_t size)
{
	const size_t count = nd_trace_connection_count(selection->report);

	selection->all = number == 0;
	if (number > count) {
		snprintf(why, size,
			"%s has no connection %" PRIu64 ": the file has %zu connections", path,
			number, count);
		return false;
	}
	selection->index = number - 1;
	return true;
}

struct selection *
selection_open(const char *path, const struct nd_trace_config *config, uint64_t number, char *why,
	size_t size)
{
	struct nd_trace_config silent = *config;
	struct stat status;
	struct selection *selection;

	if (strcmp(path, "-") == 0) {
		snprintf(why, size, "standard input cannot be read twice: a file is needed");
		return NULL;
	}
	if (stat(path, &status) == 0 && S_ISFIFO(status.st_mode)) {
		snprintf(why, size, "%s is a pipe, which cannot be read twice: a file is needed",
			path);
		return NULL;
	}
	selection = calloc(1, sizeof(*selection));
	silent.line = NULL;
	if (selection != NULL) {
		selection->report = nd_trace_open(&silent);
		selection->again = nd_trace_open(&silent);
	}
	if (selection == NULL || selection->report == NULL || selection->again == NULL) {
		snprintf(why, size, "%s cannot be read: memory is exhausted", path);
		selection_close(selection);
		return NULL;
	}
	if (!read_all(selection, path, why, size) || !find(selection, path, number, why, size)) {
		selection_close(selection);
		return NULL;
	}
	return selection;
}

void
selection_close(struct selection *selection)
{
	if (selection == NULL)
		return;
	nd_trace_close(selection->report);
	nd_trace_close(selection->again);
	free(selection->indices);
	free(selection);
}

/*
 * @return index in the report of the connection with this serial number. The index is cached,
 *         because the search is slow.
 */
static size_t
index_of(struct selection *selection, uint64_t serial)
{
	if (serial >= selection->index_count) {
		const uint64_t count = 2 * serial + 16;
		size_t *grown = realloc(selection->indices, count * sizeof(*grown));

		if (grown == NULL)
			return nd_trace_index(selection->report, serial);
		memset(grown + selection->index_count, 0,
			(count - selection->index_count) * sizeof(*grown));
		selection->indices = grown;
		selection->index_count = count;
	}
	if (selection->indices[serial] == 0)
		selection->indices[serial] = nd_trace_index(selection->report, serial) + 1;
	/*
	 * For a serial number without a connection, index + 1 becomes 0, so each call searches
	 * again.
	 */
	return selection->indices[serial] - 1;
}

bool
selection_take(
	struct selection *selection, const struct reader_frame *frame, struct selection_seen *seen)
{
	struct selection_seen taken;

	feed(selection->again, frame);
	nd_trace_last(selection->again, &taken.trace);
	taken.index = taken.trace.connection == 0 ? ND_TRACE_NO_CONNECTION
						  : index_of(selection, taken.trace.connection);
	if (seen != NULL)
		*seen = taken;
	return selection->all || taken.index == selection->index;
}

const struct nd_trace *
selection_report(const struct selection *selection)
{
	return selection->report;
}
