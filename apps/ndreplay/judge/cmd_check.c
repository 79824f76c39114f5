/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json.h>

#include "kit/stop.h"
#include "kit/value.h"

#include "check.h"
#include "ndreplay/command.h"
#include "ndreplay/capture/reader_options.h"
#include "report.h"

static const enum exit_code codes[] = {
	[CHECK_CLEAN] = EXIT_CLEAN,
	[CHECK_UNJUDGED] = EXIT_UNJUDGED,
	[CHECK_FOUND] = EXIT_FOUND,
	[CHECK_FAILED] = EXIT_UNREADABLE,
};

static struct options {
	bool json;
	bool lines;
	bool complete;
	bool ignore_icrc;
	uint64_t connection; /* 0 = all */
	uint64_t stall_ns;
	const char *plot;
	struct report_options report;
	struct reader_config reader;
} options = {.stall_ns = 10000000, .reader = {.progress = true, .leaves_out_copies = true}};

static bool
take_stall(void *taken, const char *value)
{
	struct options *into = taken;

	return value_time(value, &into->stall_ns) && into->stall_ns != 0;
}

static bool
take_plot(void *taken, const char *value)
{
	struct options *into = taken;

	into->plot = value;
	return value_picture(value);
}

#define AT(member) OPTION_AT(struct options, member)

static const struct option_row rows[] = {
	{"complete", OPTION_FLAG, AT(complete),
		.help = "assume that no frame is missing from the captures; without --complete,\n"
			"a finding that a missing frame would explain is a doubt, not a violation"},
	{"ignore-icrc", OPTION_FLAG, AT(ignore_icrc),
		.help = "judge packets with a wrong ICRC, too: some generators in switches and\n"
			"FPGAs write no ICRC"},
	{"json", OPTION_FLAG, AT(json), .help = "one array with an object per file"},
	{"lines", OPTION_FLAG, AT(lines), .help = "also print each decoded frame"},
	{"connection", OPTION_NUMBER, AT(connection), 1, UINT64_MAX, "N",
		"only frames of this connection, numbered from 1 as in the report on\n"
		"the whole file; the file is read twice"},
	{"stats", OPTION_FLAG, AT(report.stats),
		.help = "all statistics of each connection: rates, retransmissions, congestion\n"
			"marks, percentiles of times; --json always has them"},
	{"top", OPTION_NUMBER, AT(report.top), 1, UINT32_MAX, "N",
		"first print the N sides that sent the most bytes"},
	{"stall", OPTION_CALL, .value = "TIME",
		.help = "count stalls and pauses longer than this: 10ms, 500us, 0.2s [10ms]",
		.expected = "a time, such as 10ms", .take = take_stall},
	{"plot", OPTION_CALL, .value = "FILE",
		.help = "draw PSNs with retransmissions and NAKs, rates, and times of requests\n"
			"into FILE.svg or FILE.png; for one capture; needs gnuplot",
		.expected = "a file name that ends with .svg or .png", .take = take_plot},
};

#define READER offsetof(struct options, reader)

static const struct option_table tables[] = {
	{rows, sizeof(rows) / sizeof(rows[0]), 0},
	{reader_choice_rows, READER_CHOICE_ROWS, READER},
	{reader_follow_rows, READER_FOLLOW_ROWS, READER},
};

static const struct option_set set = {tables, sizeof(tables) / sizeof(tables[0]), 23};

static void
result_print(const struct check_result *result, struct json_object *lines)
{
	if (options.json)
		report_json(stdout, result, &options.report, lines);
	else
		report_text(stdout, result, &options.report);
	if (result->error[0] == '\0')
		return;
	fflush(stdout);
	fprintf(stderr, "ndreplay: %s\n", result->error);
}

static enum check_verdict
file_check(const char *file, struct check_plot *plot)
{
	struct json_object *lines = NULL;
	struct check_config config = {
		.trace = {.complete = options.complete,
			.ignore_icrc = options.ignore_icrc,
			.stall_ns = options.stall_ns},
		.reader = options.reader,
		.connection = options.connection,
		.plot = plot,
	};
	enum check_verdict verdict;
	struct check_result result;
	char why[512];

	if (options.json && options.lines)
		lines = json_object_new_array();
	if (options.lines)
		config.trace.line = options.json ? report_json_line : report_text_line;
	config.trace.line_arg = options.json ? (void *)lines : (void *)stdout;
	check_file(file, &config, &result);
	if (plot != NULL && !check_plot_close(plot, result.trace, why, sizeof(why)) &&
		result.error[0] == '\0')
		snprintf(result.error, sizeof(result.error), "%s", why);
	verdict = check_verdict(&result);
	result_print(&result, lines);
	check_release(&result);
	return verdict;
}

static int
run(int count, char *operands[])
{
	enum check_verdict worst = CHECK_CLEAN;
	struct check_plot *plot = NULL;
	char why[512];

	if (options.reader.follow && count > 1)
		return command_refuse(&command_check, "--follow takes one file");
	if (options.plot != NULL && count > 1)
		return command_refuse(
			&command_check, "--plot draws one file: expected one FILE, not several");
	if (options.plot != NULL) {
		plot = check_plot_open(options.plot, why, sizeof(why));
		if (plot == NULL)
			return command_refuse(&command_check, why);
	}
	/* With --follow, print each line immediately. */
	if (options.reader.follow)
		setvbuf(stdout, NULL, _IOLBF, 0);
	if (options.json)
		puts("[");
	for (int i = 0; i < count && (i == 0 || !stop_is_wanted()); i++) {
		enum check_verdict verdict;

		if (options.json && i != 0)
			puts(",");
		verdict = file_check(operands[i], plot);

		if (verdict > worst)
			worst = verdict;
	}
	if (options.json)
		puts("\n]");
	return codes[worst];
}

const struct command command_check = {
	.name = "check",
	.summary = "check captures against the rules of the protocol",
	.operands = "FILE...",
	.missing = "no file given",
	.about = "Check captures of RoCEv2 traffic: the ICRC of every packet, and the packets of "
		 "both ends\n"
		 "of each connection against the rules of the RC transport and of the CM. A file "
		 "is\n"
		 "pcap or pcapng, also compressed with gzip, of Ethernet, Linux cooked (SLL, SLL2) "
		 "or\n"
		 "raw IP; - is standard input. Frames that are not chosen are counted, and keep "
		 "their\n"
		 "numbers.\n",
	.statuses =
		"Exit status: 0 clean, 1 a rule is broken or an ICRC is wrong, 2 a file cannot "
		"be read to\n"
		"its end or the command line is wrong, 3 standard output cannot be written, 4 "
		"nothing\n"
		"wrong was found, but not everything could be judged: there is no RoCEv2, or "
		"frames are\n"
		"truncated, malformed, of RoCE v1, in a tunnel that is not decoded, not in the\n"
		"order of their times, or missing from the capture. With several files, the worst\n"
		"status is returned: 2, then 1, then 4.\n",
	.set = &set,
	.options = &options,
	.operands_min = 1,
	.operands_max = INT_MAX,
	.run = run,
};
