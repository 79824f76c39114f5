/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Commands respond and request: replay one side of recorded connections with the engine. */

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "kit/stop.h"
#include "kit/value.h"

#include "ndreplay/command.h"
#include "packet.h"
#include "play.h"
#include "play_plot.h"
#include "ndreplay/capture/memory_bound.h"
#include "ndreplay/capture/reader.h"
#include "ndreplay/capture/reader_options.h"

static struct options {
	bool json;
	bool explained;
	uint32_t connection; /**< number of the only replayed connection, from 1; 0 = all */
	uint32_t speed;
	const char *plot;
	uint32_t memory_mb; /**< memory limit for the frames of a file, in MB */
	struct reader_config reader;
} options = {.memory_mb = MEMORY_BOUND_MB, .reader = {.leaves_out_copies = true}};

#define AT(member) OPTION_AT(struct options, member)

static bool
take_speed(void *into, const char *value)
{
	uint32_t *speed = &((struct options *)into)->speed;
	char *end;
	unsigned long number;

	*speed = 0;
	if (strcmp(value, "max") == 0)
		return true;
	number = strtoul(value, &end, 10);
	*speed = (uint32_t)number;
	return value[0] >= '1' && value[0] <= '9' && *end == '\0' && number <= 1000000;
}

static bool
take_plot(void *into, const char *value)
{
	((struct options *)into)->plot = value;
	return value_picture(value);
}

static const struct option_row rows[] = {
	{"json", OPTION_FLAG, AT(json), .help = "print one JSON array with an object per file"},
	{"explained", OPTION_FLAG, AT(explained),
		.help = "also list explained differences instead of only counting them"},
	{"connection", OPTION_NUMBER, AT(connection), .min = 1, .max = UINT32_MAX, .value = "N",
		.help = "replay only this connection, numbered as by ndreplay check [all]"},
	{"speed", OPTION_CALL, .value = "N", .take = take_speed,
		.expected = "1 to 1000000 times the recorded speed, or max",
		.help = "replay speed: N times as fast as recorded, or max [max].\n"
			"The clock of the engine always shows the time of the capture"},
	{"memory", OPTION_NUMBER, AT(memory_mb), .min = 1, .max = 1 << 20, .value = "MB",
		.help = "memory limit for the frames of a file; later frames are omitted "
			"[1024]"},
	{"plot", OPTION_CALL, .value = "FILE",
		.help = "draw the capture and the replay in one picture: PSNs with\n"
			"retransmissions, NAKs and differences, rates, response times,\n"
			"into FILE.svg or FILE.png; only for one file; needs gnuplot",
		.expected = "a file name that ends with .svg or .png", .take = take_plot},
};

static const struct option_table tables[] = {
	{rows, sizeof(rows) / sizeof(rows[0]), 0},
	{reader_choice_rows, READER_CHOICE_ROWS, offsetof(struct options, reader)},
};

static const struct option_set set = {tables, 2, 18};

/**
 * @return true if a frame is RoCEv2 in a tunnel or after MPLS labels, which a replay does not
 *         support
 */
static bool
is_wrapped(const struct reader_frame *frame)
{
	struct nd_model_headers headers;
	struct packet packet;

	return nd_model_decode(frame->bytes, frame->captured_bytes, &headers) &&
		!packet_find((uint8_t *)(uintptr_t)frame->bytes, frame->captured_bytes, &packet);
}

static void
skips_note(const struct reader_skips *skips, struct outcome *outcome)
{
	outcome->copies = skips->copies;
	outcome->backwards = skips->backwards;
	outcome->backwards_frame = skips->backwards_frame;
}

/**
 * Read a file and create its model.
 *
 * @param plot receives the frames; may be NULL
 * @param[out] outcome receives the number of copies and of frames that are earlier than the
 *         previous frame
 * @param[out] why one sentence about the error, or empty. If a model is returned despite an error,
 *                 the model contains the frames before the damaged part of the file.
 * @return the model, or NULL
 */
static struct nd_model *
model_read(
	const char *file, struct play_plot *plot, struct outcome *outcome, char *why, size_t size)
{
	struct reader *reader = reader_open(file, &options.reader, why, size);
	struct nd_model *model = reader == NULL ? NULL : nd_model_open(NULL);
	enum reader_result result = READER_END;
	struct reader_frame frame;
	struct memory_bound bound = {.megabytes = options.memory_mb};

	if (reader != NULL)
		why[0] = '\0';
	if (reader != NULL && model == NULL)
		snprintf(why, size, "%s cannot be replayed: memory is exhausted", file);
	while (model != NULL && !stop_is_wanted() &&
		((result = reader_next(reader, &frame)) == READER_FRAME ||
			result == READER_SKIPPED)) {
		if (!memory_bound_take(
			    &bound, result == READER_SKIPPED ? 0 : frame.captured_bytes)) {
			snprintf(why, size,
				"%s is replayed up to frame %" PRIu64
				": later frames " MEMORY_BOUND_SENTENCE,
				file, nd_model_frame_count(model), options.memory_mb);
			break;
		}
		if (result == READER_FRAME && is_wrapped(&frame)) {
			snprintf(why, size,
				"%s cannot be replayed: frame %" PRIu64 " is in a tunnel, or has "
				"MPLS labels or several VLAN tags",
				file, nd_model_frame_count(model) + 1);
			nd_model_close(model);
			model = NULL;
			break;
		}
		/*
		 * Add a frame without bytes for a frame that is not selected, so that later frames
		 * keep their numbers.
		 */
		if (result == READER_SKIPPED)
			nd_model_frame(model, frame.time_ns, NULL, 0, 0);
		else
			nd_model_frame(model, frame.time_ns, frame.bytes, frame.captured_bytes,
				frame.wire_bytes);
		if (plot != NULL)
			play_plot_recorded(plot, frame.time_ns,
				result == READER_SKIPPED ? NULL : frame.bytes, frame.captured_bytes,
				frame.wire_bytes);
	}
	if (model != NULL && result == READER_ERROR)
		snprintf(why, size, "%s", reader_error(reader));
	if (reader != NULL)
		skips_note(reader_skipped(reader), outcome);
	reader_close(reader);
	if (model != NULL && !nd_model_finish(model)) {
		snprintf(why, size, "%s cannot be replayed: memory is exhausted", file);
		nd_model_close(model);
		model = NULL;
	}
	return model;
}

static enum exit_code
verdict_of(const struct outcome *outcome)
{
	uint64_t compared = 0, unjudged = 0;

	for (size_t i = 0; i < outcome->connection_count; i++) {
		compared += outcome->connections[i].compared;
		unjudged += outcome->connections[i].unjudged;
		if (outcome->connections[i].unexplained != 0)
			return EXIT_FOUND;
	}
	unjudged += outcome->strays + outcome->backwards;
	return compared == 0 || unjudged != 0 ? EXIT_UNJUDGED : EXIT_CLEAN;
}

/** @return true if the first status is worse than the second. From worst to best: 2, 1, 4, 0 */
static bool
is_worse(enum exit_code status, enum exit_code than)
{
	static const uint8_t ranks[] = {
		[EXIT_CLEAN] = 0, [EXIT_UNJUDGED] = 1, [EXIT_FOUND] = 2, [EXIT_UNREADABLE] = 3};

	return ranks[status] > ranks[than];
}

/** Count RoCEv2 frames that belong to no connection. */
static void
strays_count(const struct nd_model *model, struct outcome *outcome)
{
	struct nd_model_frame frame;

	for (uint64_t i = 1; nd_model_frame_get(model, i, &frame); i++) {
		if (frame.connection != ND_MODEL_NONE || frame.part == ND_MODEL_FRAME_OTHER ||
			frame.part == ND_MODEL_FRAME_DATAGRAM ||
			frame.part == ND_MODEL_FRAME_CORRUPTED)
			continue;
		if (outcome->strays++ == 0)
			outcome->stray_frame = i;
	}
}

static void
faults_count(const struct nd_model *model, struct outcome *outcome)
{
	const struct nd_model_fault *fault;

	for (size_t i = 0; (fault = nd_model_fault(model, i)) != NULL; i++)
		outcome->faults[fault->kind] += fault->packets;
}

/** @return false: the user pressed Ctrl-C, and the process must end */
static bool
connections_play(const struct play_capture *capture, unsigned ours, struct rte_mempool *pool,
	struct outcome *outcome)
{
	const size_t count = nd_model_connection_count(capture->model);

	for (size_t i = 0; i < count; i++) {
		if (options.connection != 0 && options.connection != i + 1)
			continue;
		if (!play_connection(capture, i, ours, options.speed, pool, outcome))
			return false;
	}
	return true;
}

/** Report a file that cannot be replayed. @return EXIT_UNREADABLE */
static enum exit_code
file_refuse(const struct command *command, struct play_plot *plot, const char *why)
{
	char unused[512];

	if (plot != NULL)
		play_plot_close(plot, NULL, NULL, unused, sizeof(unused));
	return (enum exit_code)command_refuse(command, why);
}

static void
file_play_model(const struct nd_model *model, const char *file, unsigned ours,
	struct rte_mempool *pool, struct play_plot *plot, struct outcome *outcome)
{
	struct play_capture capture;

	if (plot != NULL)
		play_plot_choose(
			plot, options.connection == 0 ? ND_MODEL_NONE : options.connection - 1);
	if (!play_capture_open(&capture, model)) {
		outcome->memory_exhausted = true;
		play_capture_close(&capture);
		return;
	}
	capture.plot = plot;
	if (!connections_play(&capture, ours, pool, outcome)) {
		fprintf(stderr, "ndreplay: stopped by a signal: %s was not replayed completely\n",
			file);
		outcome_unjudged(outcome, 0, "frames after the signal that stopped the replay");
	}
	play_capture_close(&capture);
	if (options.connection == 0)
		strays_count(model, outcome);
	faults_count(model, outcome);
}

static enum exit_code
file_play(const struct command *command, const char *file, unsigned ours, struct rte_mempool *pool,
	struct play_plot *plot, struct json_object *array)
{
	struct outcome outcome = {.keep_explained = options.explained};
	enum exit_code status;
	struct nd_model *model;
	char why[512];

	model = model_read(file, plot, &outcome, why, sizeof(why));
	if (model == NULL)
		return file_refuse(command, plot, why);
	if (options.connection > nd_model_connection_count(model)) {
		snprintf(why, sizeof(why), "%s has %zu connections, but no connection %u", file,
			nd_model_connection_count(model), options.connection);
		nd_model_close(model);
		return file_refuse(command, plot, why);
	}
	file_play_model(model, file, ours, pool, plot, &outcome);
	status = verdict_of(&outcome);
	if (outcome.memory_exhausted)
		snprintf(why, sizeof(why), "%s cannot be replayed: memory is exhausted", file);
	if (why[0] != '\0')
		status = (enum exit_code)command_refuse(command, why);
	if (plot != NULL && !play_plot_close(plot, model, &outcome, why, sizeof(why)))
		status = (enum exit_code)command_refuse(command, why);
	if (array != NULL)
		json_object_array_add(array, outcome_json(file, command->name, &outcome));
	else
		outcome_print(stdout, file, &outcome, options.explained);
	outcome_free(&outcome);
	nd_model_close(model);
	return status;
}

static int
play_files(const struct command *command, unsigned ours, int count, char *operands[])
{
	struct json_object *array = NULL;
	enum exit_code worst = EXIT_CLEAN;
	struct play_plot *plot = NULL;
	struct rte_mempool *pool;
	char why[512];

	if (options.plot != NULL && count > 1)
		return command_refuse(command, "--plot supports only one file: specify one FILE");
	if (options.plot != NULL) {
		plot = play_plot_open(options.plot, command->name, why, sizeof(why));
		if (plot == NULL)
			return command_refuse(command, why);
	}
	if (!play_begin("ndreplay", &pool, why, sizeof(why)))
		return file_refuse(command, plot, why);
	stop_catch_signals();
	array = options.json ? json_object_new_array() : NULL;
	for (int i = 0; i < count && !stop_is_wanted(); i++) {
		const enum exit_code status =
			file_play(command, operands[i], ours, pool, plot, array);

		plot = NULL;
		if (is_worse(status, worst))
			worst = status;
	}
	if (plot != NULL)
		worst = file_refuse(command, plot, "stopped by a signal: no picture was drawn");
	if (array != NULL)
		puts(json_object_to_json_string_ext(array, JSON_C_TO_STRING_PRETTY));
	json_object_put(array);
	return worst;
}

static int
run_respond(int count, char *operands[])
{
	return play_files(&command_respond, 1, count, operands);
}

static int
run_request(int count, char *operands[])
{
	return play_files(&command_request, 0, count, operands);
}

#define STATUSES                                                                                   \
	"Exit status: 0 each recorded frame of the replayed side was compared, each difference "   \
	"is\n"                                                                                     \
	"explained, 1 a difference is not explained, 2 a file cannot be read or the command "      \
	"line\n"                                                                                   \
	"is wrong, 3 standard output cannot be written, 4 no unexplained difference, but a part\n" \
	"was not replayed or compared. With several files, the worst status is returned: 2,\n"     \
	"then 1, then 4.\n"

const struct command command_respond = {
	.name = "respond",
	.summary = "replay the passive side of a capture with the real engine",
	.operands = "FILE...",
	.missing = "no file given",
	.about = "Replay the passive side of each recorded connection with the real engine, in the "
		 "time\n"
		 "of the capture. The engine receives the recorded frames of the active side. Each "
		 "frame\n"
		 "that the engine sends is compared with the recorded frame, field by field.\n",
	.statuses = STATUSES,
	.set = &set,
	.options = &options,
	.operands_min = 1,
	.operands_max = INT_MAX,
	.run = run_respond,
};

const struct command command_request = {
	.name = "request",
	.summary = "replay the active side of a capture with the real engine",
	.operands = "FILE...",
	.missing = "no file given",
	.about = "Replay the active side of each recorded connection with the real engine, in the "
		 "time\n"
		 "of the capture. The engine posts the recorded operations and receives the "
		 "recorded\n"
		 "frames of the passive side. Each frame that the engine sends is compared with "
		 "the\n"
		 "recorded frame, field by field.\n",
	.statuses = STATUSES,
	.set = &set,
	.options = &options,
	.operands_min = 1,
	.operands_max = INT_MAX,
	.run = run_request,
};
