/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_LIVE_REPORT_H
#define NDPDK_PLAYER_LIVE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "live_script.h"
#include "ndpmd/histogram.h"

struct json_object;
struct live_plot;

/** Report of live and serve: differences when they are found, a line per connection, times. */
struct live_report {
	bool json;
	const char *file;
	const char *role; /**< "live" or "serve" */
	uint64_t differences, explained, connections, complete;
	uint64_t unanswered; /**< live: connections without peer; serve: missing clients */
	bool answered;       /**< at least one connection was established */
	uint64_t operations, messages;
	struct histogram kinds[ND_MODEL_OTHER + 1]; /**< posting to completion, by operation, ns */
	struct histogram answers;                   /**< message to answer of the peer, ns */
	struct live_plot *plot;                     /**< marks differences; NULL = no picture */
	/* With json. */
	struct json_object *connection_array, *difference_array, *announcement_array,
		*explained_array;
};

/** A connection that was replayed. */
struct live_line {
	size_t recorded;  /**< number of the connection in the capture, from 1 */
	uint64_t number;  /**< number of the connection in the run, from 0 */
	const char *peer; /**< address as text, "" = none */
	size_t operations, operations_recorded; /**< complete; recorded, without skipped */
	size_t messages, messages_recorded;     /**< received */
	size_t skipped;
	uint64_t differences;
	const char *end; /**< how it ended, a few words */
};

void live_report_open(struct live_report *report, const char *file, const char *role, bool json);

/** Print the announcements of keys, and the operations that are not replayed. */
void live_report_script(struct live_report *report, const struct script *script);

/**
 * @param number of the connection in the run
 * @param where e.g. "operation 3 (SEND, frame 12)"
 */
void live_report_difference(struct live_report *report, uint64_t number, const char *where,
	const char *field, const char *expected, const char *seen);

/** Report a difference that is not an error, and the reason. */
void live_report_explained(struct live_report *report, uint64_t number, const char *where,
	const char *seen, const char *why);

/**
 * Count a connection that could not be made, because the peer is absent or no client came.
 *
 * @param why a sentence; that of the first call is printed on standard error
 */
void live_report_unanswered(struct live_report *report, const char *why);

void live_report_line(struct live_report *report, const struct live_line *line);

/** Print the last part: times and the sum. Frees the content of the report. */
void live_report_close(struct live_report *report);

#endif
