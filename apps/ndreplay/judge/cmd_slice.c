/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "ndreplay/command.h"
#include "ndreplay/json_add.h"
#include "ndreplay/capture/pcapng.h"
#include "selection.h"
#include "ndreplay/capture/reader_options.h"
#include "slice_comment.h"

#define COMMENT_BYTES 4096u
/* Maximum number of violations for which frames get comments. It applies to doubts, too. */
#define FINDINGS_MAX  100000u

static struct options {
	bool complete;
	bool json;
	uint64_t connection; /* 0 = all */
	struct reader_config reader;
} options = {.reader = {.progress = true}};

#define AT(member) OPTION_AT(struct options, member)

static const struct option_row rows[] = {
	{"connection", OPTION_NUMBER, AT(connection), 1, UINT64_MAX, "N",
		"only frames of this connection and its CM exchange, numbered\n"
		"from 1 as in the report of ndreplay check"},
	{"complete", OPTION_FLAG, AT(complete),
		.help = "assume that no frame is missing from the capture, as for\n"
			"ndreplay check --complete"},
	{"json", OPTION_FLAG, AT(json), .help = "print a summary as one JSON object"},
};

static const struct option_table tables[] = {
	{rows, sizeof(rows) / sizeof(rows[0]), 0},
	{reader_choice_rows, READER_CHOICE_ROWS, offsetof(struct options, reader)},
};

static const struct option_set set = {tables, sizeof(tables) / sizeof(tables[0]), 23};

struct slice {
	struct selection *selection;
	struct slice_comments comments;
	struct pcapng *out;
	uint64_t frames, kept, commented;
	/* Counts of frames in the output, by kind. */
	uint64_t retransmissions, naks, rnr_naks, wrong_icrc, findings;
	bool *has_connection;   /* true for each connection (by index) in the output */
	uint64_t by_connection; /* number of frames left out because of their connection */
	struct reader_skips skips;
	char error[512]; /* reason if the file was not read to its end; otherwise empty */
};

/*
 * Describe the origin of the output: file name and selected part. The folder is left out, because
 * it may be confidential.
 */
static void
describe(const char *path, char *text, size_t size)
{
	const char *slash = strrchr(path, '/');
	size_t length = (size_t)snprintf(
		text, size, "cut from %.200s by ndreplay slice", slash == NULL ? path : slash + 1);

	if (options.connection != 0)
		length += (size_t)snprintf(
			text + length, size - length, ", connection %" PRIu64, options.connection);
	if (options.reader.filter != NULL)
		length += (size_t)snprintf(
			text + length, size - length, ", filter: %.1000s", options.reader.filter);
	if (options.reader.from.kind != READER_UNBOUND || options.reader.to.kind != READER_UNBOUND)
		snprintf(text + length, size - length, ", a range of its frames");
}

static void
count_kept(struct slice *slice, const struct selection_seen *seen, const char *comment)
{
	slice->kept++;
	slice->commented += comment[0] != '\0';
	slice->retransmissions += seen->trace.repeated;
	slice->wrong_icrc += seen->trace.icrc_wrong;
	slice->rnr_naks += seen->trace.kind == ND_TRACE_KIND_RNR_NAK;
	slice->naks += seen->trace.kind == ND_TRACE_KIND_NAK_SEQUENCE ||
		seen->trace.kind == ND_TRACE_KIND_NAK_FATAL;
	if (seen->index != ND_TRACE_NO_CONNECTION)
		slice->has_connection[seen->index] = true;
}

/* @return why reading ended */
static enum reader_result
copy(struct slice *slice, struct reader *reader)
{
	char comment[COMMENT_BYTES];
	struct selection_seen seen;
	enum reader_result result;
	struct reader_frame frame;

	while ((result = reader_next(reader, &frame)) == READER_FRAME || result == READER_SKIPPED) {
		const bool is_picked = selection_take(slice->selection, &frame, &seen);
		const size_t told = slice->comments.violation + slice->comments.doubt;

		slice->frames++;
		slice_comment(&slice->comments, &seen, comment, sizeof(comment));
		slice->by_connection += !is_picked && result != READER_SKIPPED;
		if (!is_picked || result == READER_SKIPPED)
			continue;
		count_kept(slice, &seen, comment);
		slice->findings += slice->comments.violation + slice->comments.doubt - told;
		pcapng_frame(slice->out, frame.time_ns, frame.bytes, frame.captured_bytes,
			frame.wire_bytes, comment);
		if (pcapng_is_lost(slice->out))
			break;
	}
	slice->skips = *reader_skipped(reader);
	return result;
}

/* Copy a file. @return an exit status. If it is not EXIT_CLEAN, the reason has been printed. */
static int
copy_file(struct slice *slice, const char *from, const char *to, bool *is_written)
{
	char text[2048], why[512];
	struct reader *reader = reader_open(from, &options.reader, why, sizeof(why));
	int status = EXIT_CLEAN;

	if (reader == NULL)
		return command_refuse(&command_slice, why);
	describe(from, text, sizeof(text));
	slice->out = pcapng_create(to, from, text, why, sizeof(why));
	if (slice->out == NULL) {
		reader_close(reader);
		return command_refuse(&command_slice, why);
	}
	if (copy(slice, reader) == READER_ERROR) {
		snprintf(slice->error, sizeof(slice->error), "%s", reader_error(reader));
		status = command_refuse(&command_slice, slice->error);
	}
	*is_written = pcapng_close(slice->out, why, sizeof(why));
	if (!*is_written)
		status = command_refuse(&command_slice, why);
	reader_close(reader);
	return status;
}

static void
tell_json(const struct slice *slice, char *const files[2])
{
	const size_t connections = nd_trace_connection_count(slice->comments.report);
	struct json_object *object = json_object_new_object();
	struct json_object *excluded = json_object_new_object();
	uint64_t kept = 0;

	for (size_t i = 0; i < connections; i++)
		kept += slice->has_connection[i];
	text_add(object, "command", command_slice.name);
	text_add(object, "file", files[0]);
	text_add(object, "output", files[1]);
	number_add(object, "frames", slice->frames);
	number_add(object, "frames_written", slice->kept);
	number_add(excluded, "filter", slice->skips.by_filter);
	number_add(excluded, "range", slice->skips.by_range);
	number_add(excluded, "connection", slice->by_connection);
	number_add(excluded, "link_type", slice->skips.by_link_type);
	json_object_object_add(object, "excluded", excluded);
	number_add(object, "connections", connections);
	number_add(object, "connections_written", kept);
	number_add(object, "comments", slice->commented);
	number_add(object, "retransmissions", slice->retransmissions);
	number_add(object, "naks", slice->naks);
	number_add(object, "rnr_naks", slice->rnr_naks);
	number_add(object, "icrc_bad", slice->wrong_icrc);
	number_add(object, "findings", slice->findings);
	if (slice->error[0] != '\0')
		text_add(object, "error", slice->error);
	command_print_json(object, pcapng_is_stdout(files[1]) ? stderr : stdout);
}

static void
tell(const struct slice *slice, const char *to)
{
	fprintf(pcapng_is_stdout(to) ? stderr : stdout,
		"%s: %" PRIu64 " of %" PRIu64 " frames, %" PRIu64 " with a comment\n", to,
		slice->kept, slice->frames, slice->commented);
}

static int
run(int count, char *operands[])
{
	const struct nd_trace_config config = {
		.complete = options.complete, .violations_max = FINDINGS_MAX};
	struct slice slice = {0};
	bool is_written = false;
	char why[512];
	int status;

	(void)count;
	if (options.connection == 0 && options.reader.filter == NULL &&
		options.reader.from.kind == READER_UNBOUND &&
		options.reader.to.kind == READER_UNBOUND)
		return command_refuse(&command_slice,
			"no frames are chosen: use --connection, --filter, --from or --to");
	slice.selection =
		selection_open(operands[0], &config, options.connection, why, sizeof(why));
	if (slice.selection == NULL)
		return command_refuse(&command_slice, why);
	slice.comments.report = selection_report(slice.selection);
	slice.has_connection =
		calloc(nd_trace_connection_count(slice.comments.report) + 1, sizeof(bool));
	if (slice.has_connection == NULL)
		status = command_refuse(&command_slice, "memory is exhausted");
	else
		status = copy_file(&slice, operands[0], operands[1], &is_written);
	if (is_written && options.json)
		tell_json(&slice, operands);
	else if (status == EXIT_CLEAN)
		tell(&slice, operands[1]);
	free(slice.has_connection);
	selection_close(slice.selection);
	if (status != EXIT_CLEAN)
		return status;
	return slice.kept == 0 ? EXIT_UNJUDGED : EXIT_CLEAN;
}

const struct command command_slice = {
	.name = "slice",
	.summary = "cut a connection or a range of frames out of a capture",
	.operands = "IN OUT",
	.missing = "two files are needed: IN and OUT",
	.about = "Write the chosen frames of a capture to a new file, pcapng of Ethernet, with "
		 "comments on\n"
		 "important frames: first and last frame of a connection, retransmissions, NAKs, "
		 "wrong\n"
		 "ICRCs, and findings of ndreplay check in the whole capture. OUT - is standard "
		 "output.\n"
		 "IN is read twice.\n",
	.statuses = "Exit status: 0 done, 2 a file cannot be read or written or the command line "
		    "is wrong,\n"
		    "3 standard output cannot be written, 4 no frame was chosen.\n",
	.set = &set,
	.options = &options,
	.operands_min = 2,
	.operands_max = 2,
	.run = run,
};
