/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "pick.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pick {
	struct nd_trace *report; /* of the whole capture */
	struct nd_trace *again;  /* the same once more, as far as frames were taken */
	size_t index;            /* of the connection */
	uint64_t asked;          /* serial number that was looked for last */
	bool answer;             /* whether it is the connection's */
};

static void
feed(struct nd_trace *trace, const struct reader_frame *frame, bool is_skipped)
{
	if (is_skipped)
		nd_trace_skip(trace);
	else
		nd_trace_frame(trace, frame->time_ns, frame->bytes, frame->captured_bytes,
			frame->wire_bytes);
}

/* @return whether the file could be read to its end */
static bool
read_all(struct pick *pick, const char *path, const struct reader_config *config, char *why,
	size_t size)
{
	struct reader *reader = reader_open(path, config, why, size);
	enum reader_result result;
	struct reader_frame frame;

	if (reader == NULL)
		return false;
	while ((result = reader_next(reader, &frame)) == READER_FRAME || result == READER_SKIPPED)
		feed(pick->report, &frame, result == READER_SKIPPED);
	nd_trace_finish(pick->report);
	if (result == READER_ERROR)
		snprintf(why, size, "%s", reader_error(reader));
	reader_close(reader);
	return result != READER_ERROR;
}

static bool
find(struct pick *pick, const char *path, uint64_t number, char *why, size_t size)
{
	const size_t count = nd_trace_connection_count(pick->report);

	if (number < 1 || number > count) {
		snprintf(why, size, "%s has no connection %" PRIu64 ": it has %zu", path, number,
			count);
		return false;
	}
	pick->index = number - 1;
	return true;
}

struct pick *
pick_open(const char *path, const struct reader_config *config,
	const struct nd_trace_config *trace_config, uint64_t number, char *why, size_t size)
{
	struct nd_trace_config silent = *trace_config;
	struct pick *pick = calloc(1, sizeof(*pick));

	silent.line = NULL;
	if (strcmp(path, "-") == 0 || config->follow) {
		snprintf(why, size,
			"a connection is chosen by reading the file twice, so it can neither be "
			"standard input nor be followed");
		free(pick);
		return NULL;
	}
	if (pick != NULL) {
		pick->report = nd_trace_open(&silent);
		pick->again = nd_trace_open(&silent);
	}
	if (pick == NULL || pick->report == NULL || pick->again == NULL) {
		snprintf(why, size, "%s cannot be read: memory is exhausted", path);
		pick_close(pick);
		return NULL;
	}
	if (!read_all(pick, path, config, why, size) || !find(pick, path, number, why, size)) {
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
	free(pick);
}

bool
pick_take(struct pick *pick, const struct reader_frame *frame, bool is_skipped)
{
	struct nd_trace_seen seen;

	feed(pick->again, frame, is_skipped);
	nd_trace_last(pick->again, &seen);
	if (seen.connection == 0)
		return false;
	/* Neighbours mostly belong to the same connection, and to look one up takes time. */
	if (seen.connection != pick->asked) {
		pick->asked = seen.connection;
		pick->answer = nd_trace_index(pick->report, seen.connection) == pick->index;
	}
	return pick->answer;
}

const struct nd_trace *
pick_report(const struct pick *pick)
{
	return pick->report;
}

const struct nd_trace *
pick_trace(const struct pick *pick)
{
	return pick->again;
}
