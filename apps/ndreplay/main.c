/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "kit/output.h"

#include "check.h"
#include "report.h"

enum exit_code {
	EXIT_CLEAN = 0,
	EXIT_FOUND = 1,      /* a violation, or a wrong ICRC */
	EXIT_UNREADABLE = 2, /* or the command line is wrong */
	/* nothing wrong was found, but not all could be judged; output.h uses 3 */
	EXIT_UNJUDGED = 4,
};

static const enum exit_code codes[] = {
	[CHECK_CLEAN] = EXIT_CLEAN,
	[CHECK_UNJUDGED] = EXIT_UNJUDGED,
	[CHECK_FOUND] = EXIT_FOUND,
	[CHECK_FAILED] = EXIT_UNREADABLE,
};

struct options {
	bool json;
	bool lines;
	bool complete;
};

static const char usage[] =
	"usage: ndreplay check [--complete] [--json] [--lines] FILE...\n"
	"       ndreplay --help | --version\n"
	"\n"
	"Check captures (pcap or pcapng, Ethernet) of RoCEv2 traffic: ICRC of every packet, and "
	"what\n"
	"both ends of each connection did against the rules of the RC transport and of the CM.\n"
	"\n"
	"  --complete  the captures are known to lack no frame; without it, what a frame that\n"
	"              the capture lacks would explain is reported as a doubt, not as a violation\n"
	"  --json      one array with an object per file\n"
	"  --lines     the decoding of every frame, too\n"
	"\n"
	"Exit status: 0 clean, 1 a rule is broken or an ICRC is wrong, 2 a file cannot be read to\n"
	"its end or the command line is wrong, 3 standard output cannot be written, 4 nothing\n"
	"wrong was found, but not everything could be judged: there is no RoCEv2, or frames are\n"
	"cut, malformed, in a tunnel that is not decoded, or missing from the capture. Of several\n"
	"files the worst counts: 2, then 1, then 4.\n";

static int
files_check(char *const *files, const struct options *options)
{
	struct json_object *array = options->json ? json_object_new_array() : NULL;
	enum check_verdict worst = CHECK_CLEAN;

	for (; *files != NULL; files++) {
		struct json_object *lines = NULL;
		struct nd_trace_config config = {.complete = options->complete};
		enum check_verdict verdict;
		struct check_result result;

		if (options->json && options->lines)
			lines = json_object_new_array();
		if (options->lines)
			config.line = options->json ? report_json_line : report_text_line;
		config.line_arg = options->json ? (void *)lines : (void *)stdout;
		check_file(*files, &config, &result);
		verdict = check_verdict(&result);
		if (options->json)
			json_object_array_add(array, report_json(&result, lines));
		else
			report_text(stdout, &result);
		if (result.error[0] != '\0') {
			fflush(stdout);
			fprintf(stderr, "ndreplay: %s\n", result.error);
		}
		if (verdict > worst)
			worst = verdict;
		check_release(&result);
	}
	if (options->json)
		puts(json_object_to_json_string_ext(array, JSON_C_TO_STRING_PRETTY));
	json_object_put(array);
	return codes[worst];
}

static int
usage_error(const char *what, const char *which)
{
	fprintf(stderr, "ndreplay: %s%s; try ndreplay --help\n", what, which);
	return EXIT_UNREADABLE;
}

static int
run_arguments(int argc, char **argv)
{
	static const struct option longs[] = {
		{"complete", no_argument, NULL, 'c'},
		{"help", no_argument, NULL, 'h'},
		{"json", no_argument, NULL, 'j'},
		{"lines", no_argument, NULL, 'l'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0},
	};
	struct options options = {0};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		switch (option) {
		case 'h':
			fputs(usage, stdout);
			return EXIT_CLEAN;
		case 'V':
			puts("ndreplay " NDREPLAY_VERSION);
			return EXIT_CLEAN;
		case 'c':
			options.complete = true;
			break;
		case 'j':
			options.json = true;
			break;
		case 'l':
			options.lines = true;
			break;
		default:
			return usage_error("unknown option ", argv[optind - 1]);
		}
	}
	if (optind == argc)
		return usage_error("no command given", "");
	if (strcmp(argv[optind], "check") != 0)
		return usage_error("unknown command ", argv[optind]);
	if (optind + 1 == argc)
		return usage_error("no file given", "");
	return files_check(argv + optind + 1, &options);
}

int
main(int argc, char **argv)
{
	const int status = output_open("ndreplay");

	if (status != 0)
		return status;
	return output_close("ndreplay", run_arguments(argc, argv));
}
