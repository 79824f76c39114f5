/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include <ndpdk/nd_trace.h>

#include "anonymize.h"
#include "anonymize_count.h"
#include "ndreplay/command.h"
#include "ndreplay/json_add.h"
#include "ndreplay/capture/pcapng.h"
#include "ndreplay/capture/reader.h"

enum others {
	OTHERS_EMPTY, /* replace each frame that is not RoCEv2 by an empty frame */
	OTHERS_DROP,
	OTHERS_KEEP,
};

static struct options {
	const char *key; /* text of the key; NULL = use a random key */
	enum others others;
	bool json;
} options;

/*
 * Frame that replaces a frame that is not RoCEv2: an Ethernet header without addresses, with an
 * EtherType for experiments, and without payload.
 */
#define EMPTY_BYTES      14u
#define EMPTY_WIRE_BYTES 60u
#define EMPTY_TYPE_AT    12u
#define EMPTY_TYPE       0x88B5

static bool
take_key(void *taken, const char *value)
{
	struct options *into = taken;

	into->key = value;
	return *value != '\0';
}

#define ONE_OF "choose one of --drop-others and --keep-others"

static const struct option_row rows[] = {
	{"key", OPTION_CALL, .value = "TEXT",
		.help = "derive the replacements from TEXT: files with the same TEXT have the\n"
			"same replacements; without --key, a random key is used for each file\n"
			"and then forgotten",
		.expected = "a text of at least one character", .take = take_key},
	{"drop-others", OPTION_MODE, OPTION_AT(struct options, others), OTHERS_DROP, 0, NULL,
		"omit frames that are not RoCEv2; the remaining frames are renumbered",
		.expected = ONE_OF},
	{"keep-others", OPTION_MODE, OPTION_AT(struct options, others), OTHERS_KEEP, 0, NULL,
		"copy frames that are not RoCEv2 AS THEY ARE, with all their contents",
		.expected = ONE_OF},
	{"json", OPTION_FLAG, OPTION_AT(struct options, json),
		.help = "print a summary as one JSON object, with counts of replaced values"},
};

static const struct option_table tables[] = {{rows, sizeof(rows) / sizeof(rows[0]), 0}};

static const struct option_set set = {tables, 1, 17};

struct work {
	struct keyed *keyed;
	struct pcapng *out;
	uint8_t *frame; /* copy of the frame, for the replaced fields */
	size_t frame_bytes;
	uint64_t frames, others, written;
	uint64_t undecoded; /* undecoded RoCE frames, copied like non-RoCE frames */
	/* With --json. */
	struct nd_trace *trace;
	struct anonymize_counts counts;
	char error[512]; /* reason if the file was not read to its end; otherwise empty */
};

static void
write_other(struct work *work, const struct reader_frame *frame)
{
	static const uint8_t empty[EMPTY_BYTES] = {
		[EMPTY_TYPE_AT] = EMPTY_TYPE >> 8, [EMPTY_TYPE_AT + 1] = EMPTY_TYPE & 0xFF};

	work->others++;
	work->written += options.others != OTHERS_DROP;
	if (options.others == OTHERS_KEEP && !frame->is_foreign)
		pcapng_frame(work->out, frame->time_ns, frame->bytes, frame->captured_bytes,
			frame->wire_bytes, NULL);
	else if (options.others != OTHERS_DROP)
		pcapng_frame(work->out, frame->time_ns, empty, EMPTY_BYTES, EMPTY_WIRE_BYTES, NULL);
}

/* @return false without memory */
static bool
write_frame(struct work *work, const struct reader_frame *frame)
{
	struct nd_trace_layout layout = {.roce = false};

	work->frames++;
	if (work->trace != NULL && !frame->is_foreign)
		nd_trace_frame(work->trace, frame->time_ns, frame->bytes, frame->captured_bytes,
			frame->wire_bytes);
	if (!frame->is_foreign)
		nd_trace_layout(frame->bytes, frame->captured_bytes, frame->wire_bytes, &layout);
	if (!layout.roce) {
		work->undecoded += layout.undecoded;
		write_other(work, frame);
		return true;
	}
	if (work->frame == NULL || frame->captured_bytes > work->frame_bytes) {
		uint8_t *grown = realloc(work->frame, frame->captured_bytes);

		if (grown == NULL)
			return false;
		work->frame = grown;
		work->frame_bytes = frame->captured_bytes;
	}
	memcpy(work->frame, frame->bytes, frame->captured_bytes);
	anonymize_frame(work->keyed, work->frame, &layout);
	if (options.json)
		anonymize_count(&work->counts, frame->bytes, work->frame, &layout);
	work->written++;
	pcapng_frame(work->out, frame->time_ns, work->frame, frame->captured_bytes,
		frame->wire_bytes, NULL);
	return true;
}

/* @return true if the whole file was read. Otherwise error has the reason. */
static bool
copy(struct work *work, struct reader *reader)
{
	enum reader_result result;
	struct reader_frame frame;

	while ((result = reader_next(reader, &frame)) == READER_FRAME || result == READER_SKIPPED) {
		if (!write_frame(work, &frame)) {
			snprintf(work->error, sizeof(work->error), "memory is exhausted");
			return false;
		}
		if (pcapng_is_lost(work->out))
			return true; /* pcapng_close() reports the error */
	}
	if (result == READER_ERROR)
		snprintf(work->error, sizeof(work->error), "%s", reader_error(reader));
	return result != READER_ERROR;
}

/* Copy a file. @param[out] is_written true if an output file was created. @return an exit status */
static int
copy_file(struct work *work, const char *from, const char *to, bool *is_written)
{
	const struct reader_config config = {.progress = true};
	char why[512];
	struct reader *reader = reader_open(from, &config, why, sizeof(why));
	bool done;

	if (reader == NULL)
		return command_refuse(&command_anonymize, why);
	/* Do not write the name of the capture, because it may be confidential. */
	work->out =
		pcapng_create(to, from, "made anonymous by ndreplay anonymize", why, sizeof(why));
	if (work->out == NULL) {
		reader_close(reader);
		return command_refuse(&command_anonymize, why);
	}
	done = copy(work, reader);
	if (!done)
		command_refuse(&command_anonymize, work->error);
	*is_written = pcapng_close(work->out, why, sizeof(why));
	if (!*is_written)
		command_refuse(&command_anonymize, why);
	reader_close(reader);
	return done && *is_written ? EXIT_CLEAN : EXIT_UNREADABLE;
}

static const char *const others_words[] = {
	[OTHERS_EMPTY] = "which became empty frames",
	[OTHERS_DROP] = "which were left out",
	[OTHERS_KEEP] = "which were copied AS THEY ARE: addresses and contents can be read",
};

/*
 * Warn about RoCE frames that were not decoded, because `ndreplay check` may judge the output file
 * differently than the input file.
 */
static void
warn_undecoded(const struct work *work)
{
	if (work->undecoded != 0)
		fprintf(stderr,
			"ndreplay anonymize: %" PRIu64
			" frames are RoCE v1, or RoCEv2 in a tunnel that cannot be decoded, %s\n",
			work->undecoded, others_words[options.others]);
}

static void
tell(const struct work *work, const char *to)
{
	FILE *stream = pcapng_is_stdout(to) ? stderr : stdout;

	fprintf(stream, "%s: %" PRIu64 " frames", to, work->frames);
	if (work->others != 0)
		fprintf(stream, ", %" PRIu64 " of them not RoCEv2, %s", work->others,
			others_words[options.others]);
	fputc('\n', stream);
}

static void
tell_json(const struct work *work, char *const files[2])
{
	static const char *const words[] = {
		[OTHERS_EMPTY] = "emptied", [OTHERS_DROP] = "dropped", [OTHERS_KEEP] = "kept"};
	struct json_object *object = json_object_new_object();
	struct nd_trace_totals totals;

	nd_trace_finish(work->trace);
	nd_trace_totals(work->trace, &totals);
	text_add(object, "command", command_anonymize.name);
	text_add(object, "file", files[0]);
	text_add(object, "output", files[1]);
	number_add(object, "frames", work->frames);
	number_add(object, "frames_written", work->written);
	number_add(object, "others", work->others);
	text_add(object, "others_were", words[options.others]);
	number_add(object, "undecoded", work->undecoded);
	number_add(object, "roce_packets", totals.roce_packets);
	number_add(object, "icrc_bad", totals.icrc_bad);
	number_add(object, "connections", nd_trace_connection_count(work->trace));
	json_object_object_add(object, "keyed", json_object_new_boolean(options.key != NULL));
	json_object_object_add(object, "replaced", anonymize_counts_json(&work->counts));
	if (work->error[0] != '\0')
		text_add(object, "error", work->error);
	command_print_json(object, pcapng_is_stdout(files[1]) ? stderr : stdout);
}

static int
run(int count, char *operands[])
{
	struct work work = {.keyed = keyed_open(options.key)};
	bool is_written = false;
	int status;

	(void)count;
	if (work.keyed == NULL)
		return command_refuse(
			&command_anonymize, "libcrypto cannot create a key or a cipher");
	if (options.json)
		work.trace = nd_trace_open(NULL);
	if (options.json && work.trace == NULL)
		status = command_refuse(&command_anonymize, "memory is exhausted");
	else
		status = copy_file(&work, operands[0], operands[1], &is_written);
	keyed_close(work.keyed);
	free(work.frame);
	if (is_written && work.counts.memory_exhausted)
		status = command_refuse(&command_anonymize,
			"memory is exhausted: the counts of --json are too small");
	if (is_written && options.json)
		tell_json(&work, operands);
	else if (status == EXIT_CLEAN)
		tell(&work, operands[1]);
	if (is_written)
		warn_undecoded(&work);
	anonymize_counts_free(&work.counts);
	nd_trace_close(work.trace);
	return status;
}

const struct command command_anonymize = {
	.name = "anonymize",
	.summary = "replace addresses, keys and data, so that a capture can be shared",
	.operands = "IN OUT",
	.missing = "two files are needed: IN and OUT",
	.about = "Write a capture in which addresses, keys, virtual addresses, data, private data, "
		 "GUIDs\n"
		 "and IDs of the CM are replaced, equal values by equal values. Order, lengths, "
		 "times,\n"
		 "QPNs, PSNs and ports do not change. Checksums and ICRCs are computed again, and "
		 "wrong\n"
		 "ones stay wrong, so ndreplay check reports the same about OUT as about IN. OUT "
		 "is\n"
		 "pcapng of Ethernet; - is standard input or output. A frame that is not RoCEv2 "
		 "becomes\n"
		 "an empty frame.\n",
	.statuses = "Exit status: 0 done, 2 a file cannot be read or written or the command line "
		    "is wrong,\n"
		    "3 standard output cannot be written.\n",
	.set = &set,
	.options = &options,
	.operands_min = 2,
	.operands_max = 2,
	.run = run,
};
