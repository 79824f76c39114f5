/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "defaults.h"

/*
 * The defaults of perftest's programs. Both sides need the same values, but do not exchange them.
 */
#define SIZE_OF_BANDWIDTH   65536u
#define SIZE_OF_LATENCY     2u
#define DEPTH               128u
#define ITERATIONS          1000u
#define ITERATIONS_OF_WRITE 5000u

static bool
has_test(const struct options *options)
{
	const enum options_op op = options->ops[0];

	return options->op_count == 1 &&
		(op == OPTIONS_OP_SEND || op == OPTIONS_OP_WRITE || op == OPTIONS_OP_READ);
}

static const char *
objection(const struct options *options)
{
	const bool sends = options->ops[0] == OPTIONS_OP_SEND;

	if (!has_test(options))
		return "--perftest requires one of --op=send, --op=write or --op=read";
	if (options->verify)
		return "--perftest does not support --verify: perftest's messages have no defined "
		       "content";
	if (options->latency && options->qps > 1)
		return "--perftest supports --latency only with --qps=1, as perftest does";
	if (options->qps > OPTIONS_PERFTEST_QPS_MAX)
		return "--perftest supports at most --qps=1024";
	if (options->transport.reads > 0 || options->transport.post_list > 0 ||
		options->transport.inline_bytes > 0)
		return "--perftest does not support --reads, --post-list or --inline";
	if (options->size_count > 1)
		return "--perftest supports only one --size";
	if (options->size_given && options->size_bytes == 0)
		return "--perftest does not support --size=0: perftest's messages have at least 1 "
		       "byte";
	if (options->iterations > 0 && options->time_given)
		return "--perftest accepts --time or --iterations, not both";
	if (options->iterations > 0 && options->warmup_given && options->warmup_ns > 0 && sends)
		return "--perftest does not support --warmup with --iterations: the server counts "
		       "messages";
	return NULL;
}

static void
set_defaults(struct options *options)
{
	const bool write_bandwidth = options->ops[0] == OPTIONS_OP_WRITE && !options->latency;

	if (!options->size_given)
		options->sizes[0] = options->size_bytes =
			options->latency ? SIZE_OF_LATENCY : SIZE_OF_BANDWIDTH;
	if (!options->depth_given)
		options->depth = DEPTH;
	if (options->mode != OPTIONS_MODE_SERVER && !options->time_given &&
		options->iterations == 0)
		options->iterations = write_bandwidth ? ITERATIONS_OF_WRITE : ITERATIONS;
}

bool
options_check_perftest(struct options *options, char *why, size_t size)
{
	const char *text;

	if (!options->perftest)
		return true;
	text = objection(options);
	if (text != NULL)
		snprintf(why, size, "%s", text);
	else
		set_defaults(options);
	return text == NULL;
}
