/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/eal.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_log.h>

#include "spi/config.h"

RTE_LOG_REGISTER(spi_log, lib.ndpdk.spi, NOTICE)

/**
 * Size of the text of --lcores, in bytes. It describes one lcore, on any processor that this
 * process may use.
 */
#define LCORES_BYTES 1024

struct start {
	char *const *arguments;
	size_t count;
	char *error;
	bool started;
};

void
spi_eal_log(const char *text)
{
	rte_log(RTE_LOG_ERR, (uint32_t)spi_log, "%s%s", text,
		text[strlen(text) - 1] == '\n' ? "" : "\n");
}

static bool
says_lcores(const struct start *start)
{
	for (size_t i = 0; i < start->count; i++) {
		const char *argument = start->arguments[i];

		if (strncmp(argument, "--lcores", 8) == 0 || strncmp(argument, "-l", 2) == 0 ||
			strncmp(argument, "-c", 2) == 0)
			return true;
	}
	return false;
}

/**
 * Write the argument --lcores. Without it, EAL would create and pin one thread per processor. This
 * library uses no lcores.
 */
static void
lcores_write(char *text)
{
	int length = snprintf(text, LCORES_BYTES, "--lcores=0@(");
	const char *comma = "";
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		CPU_ZERO(&set);
	for (int i = 0; i < CPU_SETSIZE && length < LCORES_BYTES - 8; i++) {
		if (!CPU_ISSET(i, &set))
			continue;
		length += snprintf(text + length, LCORES_BYTES - (size_t)length, "%s%d", comma, i);
		comma = ",";
	}
	snprintf(text + length, LCORES_BYTES - (size_t)length, "%s)", comma[0] == '\0' ? "0" : "");
}

/** Start EAL. Runs on a temporary thread, because EAL pins the thread that starts it. */
static void *
start_run(void *arg)
{
	struct start *start = arg;
	char program[] = "ndpdk-spi", lcores[LCORES_BYTES];
	char *arguments[SPI_EAL_ARGUMENTS_MAX + 3] = {program};
	int count = 1;

	if (!says_lcores(start)) {
		lcores_write(lcores);
		arguments[count++] = lcores;
	}
	for (size_t i = 0; i < start->count; i++)
		arguments[count++] = start->arguments[i];
	start->started = rte_eal_init(count, arguments) >= 0 || rte_errno == EALREADY;
	if (!start->started)
		snprintf(start->error, SPI_ERROR_BYTES,
			"EAL does not start (%s): check its arguments in the line \"eal\"",
			rte_strerror(rte_errno));
	return NULL;
}

bool
spi_eal_start(char *const *arguments, size_t count, char *error)
{
	static bool started;
	static char failure[SPI_ERROR_BYTES];
	struct start start = {.arguments = arguments, .count = count, .error = error};
	pthread_t thread;

	/* After a failure, EAL cannot be started again, although it then seems to be started. */
	if (failure[0] != '\0') {
		snprintf(error, SPI_ERROR_BYTES, "%s", failure);
		return false;
	}
	/* If there are lcores, the program has already started EAL. */
	started = started || rte_lcore_count() != 0;
	if (started)
		return true;
	if (pthread_create(&thread, NULL, start_run, &start) != 0) {
		snprintf(error, SPI_ERROR_BYTES, "cannot create the thread that starts EAL");
		return false;
	}
	pthread_join(thread, NULL);
	started = start.started;
	if (!started)
		snprintf(failure, sizeof(failure), "%s", error);
	return started;
}
