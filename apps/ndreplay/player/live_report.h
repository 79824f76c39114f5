/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_LIVE_REPORT_H
#define NDPDK_PLAYER_LIVE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "ndreplay/capture/reader.h"
#include "live_script.h"
#include "ndpmd/histogram.h"

struct json_object;
struct live_plot;

/**
 * Report of the commands live and serve. Differences are printed at once, connections when they
 * end, and times at the end of the run.
 */
struct live_report {
	bool json;
	const char *file;
	const char *role; /**< "live" or "serve" */
	uint64_t differences, explained, connections, complete;
	uint64_t unanswered; /**< number of connections without a peer (live) or client (serve) */
	bool answered;       /**< true if a connection was established */
	uint64_t operations, messages;
	/** time from post to completion in ns, by kind */
	struct histogram kinds[ND_MODEL_OTHER + 1];
	struct histogram answers;  /**< times from a message to the peer's answer, in ns */
	struct live_plot *plot;    /**< picture that marks differences; NULL = none */
	struct reader_skips skips; /**< frames of the capture that are not replayed as they are */
	/* With json. */
	struct json_object *connection_array, *difference_array, *announcement_array,
		*explained_array;
};

/** Result of a connection that was replayed, printed as one line. */
struct live_line {
	size_t recorded;  /**< number of the connection in the capture, from 1 */
	uint64_t number;  /**< number of the connection in this run, from 0 */
	const char *peer; /**< address of the peer as text; "" = none */
	size_t operations, operations_recorded; /**< completed; recorded, except skipped */
	size_t messages, messages_recorded;     /**< received */
	size_t skipped;
	uint64_t differences;
	const char *end; /**< end of the connection in a few words */
};

void live_report_open(struct live_report *report, const char *file, const char *role, bool json);

/** Print the announcements of keys, and the operations that are not replayed. */
void live_report_script(struct live_report *report, const struct script *script);

/**
 * Report a difference from the capture.
 * @param number number of the connection in the run
 * @param where e.g. "operation 3 (SEND, frame 12)"
 */
void live_report_difference(struct live_report *report, uint64_t number, const char *where,
	const char *field, const char *expected, const char *seen);

/** Report a difference that is not an error, and the reason. */
void live_report_explained(struct live_report *report, uint64_t number, const char *where,
	const char *seen, const char *why);

/**
 * Count a connection that was not established, because the peer is absent or no client came.
 *
 * @param why reason as a sentence. Only the sentence of the first call is printed, on standard
 *         error.
 */
void live_report_unanswered(struct live_report *report, const char *why);

void live_report_line(struct live_report *report, const struct live_line *line);

/** Print the end of the report: times and totals. Frees the content of the report. */
void live_report_close(struct live_report *report);

#endif
