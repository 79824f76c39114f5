/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/program.h"

#include <rte_version.h>

#include "kit/output.h"
#include "kit/stop.h"

#define COUNTERS_MAX 256u

int
program_complain(const char *name, int exit_status, const char *why)
{
	fprintf(stderr, "%s: %s\n", name, why);
	return exit_status;
}

void
program_print_counters(const char *word, const struct nd_adapter *adapter)
{
	struct nd_counter counters[COUNTERS_MAX];
	size_t count = 0;

	if (adapter != NULL)
		count = nd_adapter_counters(adapter, counters, COUNTERS_MAX);
	for (size_t i = 0; i < count && i < COUNTERS_MAX; i++)
		if (counters[i].value > 0)
			printf("%s %s %llu\n", word, counters[i].name,
				(unsigned long long)counters[i].value);
}

static int
run(const struct program *program, int count, char *arguments[])
{
	struct eal_arguments divided;
	char why[512];

	eal_divide(count, arguments, &divided);
	switch (program->parse(divided.application_count, divided.application, why, sizeof(why))) {
	case PROGRAM_REFUSE:
		return program_complain(program->name, EXIT_BAD_USE, why);
	case PROGRAM_HELP:
		program->print_help(stdout);
		break;
	case PROGRAM_VERSION:
		printf("%s %s, %s\n", program->name, program->version, rte_version());
		break;
	case PROGRAM_RUN:
		stop_catch_signals();
		return program->run(&divided);
	}
	return 0;
}

int
program_main(const struct program *program, int count, char *arguments[])
{
	const int status = output_open(program->name);

	if (status != 0)
		return status;
	return output_close(program->name, run(program, count, arguments));
}
