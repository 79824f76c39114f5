/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "reader_options.h"

#define BOUND_SENTENCE                                                                             \
	"the number of a frame, seconds such as 1.5s, or a time such as 2026-11-23T09:00:00.5"

static bool
take_filter(void *taken, const char *value)
{
	struct reader_config *config = taken;
	char why[512];

	config->filter = value;
	return reader_filter_check(value, why, sizeof(why));
}

static bool
take_from(void *taken, const char *value)
{
	struct reader_config *config = taken;

	return reader_bound_parse(value, &config->from);
}

static bool
take_to(void *taken, const char *value)
{
	struct reader_config *config = taken;

	return reader_bound_parse(value, &config->to);
}

const struct option_row reader_choice_rows[READER_CHOICE_ROWS] = {
	{"filter", OPTION_CALL, .value = "EXPRESSION",
		.help = "only frames that match this libpcap filter, see pcap-filter(7)",
		.expected = "a libpcap filter expression, such as 'host 192.0.2.1'",
		.take = take_filter},
	{"from", OPTION_CALL, .value = "BOUND",
		.help = "only frames from this bound on: a frame number, seconds after the\n"
			"first frame (1.5s), or a UTC time (2026-11-23T09:00:00.5)",
		.expected = BOUND_SENTENCE, .take = take_from},
	{"to", OPTION_CALL, .value = "BOUND", .help = "only frames up to this bound, as for --from",
		.expected = BOUND_SENTENCE, .take = take_to},
};

const struct option_row reader_follow_rows[READER_FOLLOW_ROWS] = {
	{"follow", OPTION_FLAG, OPTION_AT(struct reader_config, follow),
		.help = "at the end of a file that grows, wait for more frames until Ctrl-C;\n"
			"continue with the new file if the file is replaced or truncated"},
};
