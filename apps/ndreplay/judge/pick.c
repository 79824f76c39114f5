/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "pick.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct pick {
	struct nd_trace *report; /* trace of the whole capture */
	struct nd_trace *again;  /* second trace, for the frames that were processed so far */
	size_t index;            /* index of the selected connection */
	bool all;                /* all connections are selected */
	size_t *indices;         /* index + 1 of each serial number; 0 = not searched yet */
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

/* The second reading finds and reports errors in the rest of the file. */
static bool
read_all(struct pick *pick, const char *path, char *why, size_t size)
{
	const struct reader_config config = {.progress = true};
	struct reader *reader = reader_open(path, &config, why, size);
	enum reader_result result;
	struct reader_frame frame;

	if (reader == NULL)
		return false;
	while ((result = reader_next(reader, &frame)) == READER_FRAME || result == READER_SKIPPED)
		feed(pick->report, &frame);
	nd_trace_finish(pick->report);
	reader_close(reader);
	return true;
}

static bool
find(struct pick *pick, const char *path, uint64_t number, char *why, size_t size)
{
	const size_t count = nd_trace_connection_count(pick->report);

	pick->all = number == 0;
	if (number > count) {
		snprintf(why, size, "%s has no connection %" PRIu64 ": it has %zu", path, number,
			count);
		return false;
	}
	pick->index = number - 1;
	return true;
}

struct pick *
pick_open(const char *path, const struct nd_trace_config *config, uint64_t number, char *why,
	size_t size)
{
	struct nd_trace_config silent = *config;
	struct stat status;
	struct pick *pick;

	if (strcmp(path, "-") == 0) {
		snprintf(why, size, "standard input cannot be read twice: a file is needed");
		return NULL;
	}
	if (stat(path, &status) == 0 && S_ISFIFO(status.st_mode)) {
		snprintf(why, size, "%s is a pipe, which cannot be read twice: a file is needed",
			path);
		return NULL;
	}
	pick = calloc(1, sizeof(*pick));
	silent.line = NULL;
	if (pick != NULL) {
		pick->report = nd_trace_open(&silent);
		pick->again = nd_trace_open(&silent);
	}
	if (pick == NULL || pick->report == NULL || pick->again == NULL) {
		snprintf(why, size, "%s cannot be read: memory is exhausted", path);
		pick_close(pick);
		return NULL;
	}
	if (!read_all(pick, path, why, size) || !find(pick, path, number, why, size)) {
		pick_close(pick);
		return NULL;
	}
	return pick;
}

void
pick_close(struct pick *pick)
{
	if (pick == NULL)
		return;
	nd_trace_close(pick->report);
	nd_trace_close(pick->again);
	free(pick->indices);
	free(pick);
}

/* Index of the connection with a serial number; to look one up takes time, so it is kept. */
static size_t
index_of(struct pick *pick, uint64_t serial)
{
	if (serial >= pick->index_count) {
		const uint64_t count = 2 * serial + 16;
		size_t *grown = realloc(pick->indices, count * sizeof(*grown));

		if (grown == NULL)
			return nd_trace_index(pick->report, serial);
		memset(grown + pick->index_count, 0, (count - pick->index_count) * sizeof(*grown));
		pick->indices = grown;
		pick->index_count = count;
	}
	if (pick->indices[serial] == 0)
		pick->indices[serial] = nd_trace_index(pick->report, serial) + 1;
	/* The index of a serial number without connection wraps to 0, and is searched each time. */
	return pick->indices[serial] - 1;
}

bool
pick_take(struct pick *pick, const struct reader_frame *frame, struct pick_seen *seen)
{
	struct pick_seen taken;

	feed(pick->again, frame);
	nd_trace_last(pick->again, &taken.trace);
	taken.index = taken.trace.connection == 0 ? ND_TRACE_NO_CONNECTION
						  : index_of(pick, taken.trace.connection);
	if (seen != NULL)
		*seen = taken;
	return pick->all || taken.index == pick->index;
}

const struct nd_trace *
pick_report(const struct pick *pick)
{
	return pick->report;
}
