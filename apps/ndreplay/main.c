/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "process/output.h"

#include "check.h"
#include "report.h"

enum exit_code {
	EXIT_CLEAN = 0,
	EXIT_FOUND = 1,      /* a violation, or a wrong ICRC */
	EXIT_UNREADABLE = 2, /* or the command line is wrong */
};

struct options {
	bool json;
	bool lines;
};

static const char usage[] =
	"usage: ndreplay check [--json] [--lines] FILE...\n"
	"       ndreplay --help | --version\n"
	"\n"
	"Check captures (pcap or pcapng, Ethernet) of RoCEv2 traffic: ICRC of every packet, and "
	"what\n"
	"both ends of each connection did against the rules of the RC transport and of the CM.\n"
	"\n"
	"  --json   one array with an object per file\n"
	"  --lines  the decoding of every frame, too\n"
	"\n"
	"Exit status: 0 clean, 1 a rule is broken or an ICRC is wrong, 2 a file cannot be read to "
	"its\n"
	"end or the command line is wrong, 3 standard output cannot be written.\n";

static int
files_check(char *const *files, const struct options *options)
{
	struct json_object *array = options->json ? json_object_new_array() : NULL;
	int code = EXIT_CLEAN;

	for (; *files != NULL; files++) {
		struct json_object *lines = NULL;
		struct check_result result;

		if (options->json && options->lines)
			lines = json_object_new_array();
		check_file(*files,
			!options->lines         ? NULL
				: options->json ? report_json_line
						: report_text_line,
			options->json ? (void *)lines : (void *)stdout, &result);
		if (options->json)
			json_object_array_add(array, report_json(&result, lines));
		else
			report_text(stdout, &result);
		if (result.error[0] != '\0') {
			fflush(stdout);
			fprintf(stderr, "ndreplay: %s\n", result.error);
			code = EXIT_UNREADABLE;
		} else if (!check_clean(&result) && code == EXIT_CLEAN) {
			code = EXIT_FOUND;
		}
		check_release(&result);
	}
	if (options->json)
		puts(json_object_to_json_string_ext(array, JSON_C_TO_STRING_PRETTY));
	json_object_put(array);
	return code;
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
