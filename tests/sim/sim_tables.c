/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Prints Markdown tables about the performance of adapters on networks with losses. All values are
 * measured in virtual time (bed.h), so the same library gives the same tables on each machine. A
 * test compares the document with these tables exactly.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "tables.h"

static const char usage[] =
	"usage: sim_tables --check=FILE | --accept=FILE | TABLE\n"
	"\n"
	"Print the performance of adapters on networks with faults, in virtual time, as\n"
	"Markdown.\n"
	"\n"
	"  --check=FILE   fail if the contents of the file differ\n"
	"  --accept=FILE  write the file\n"
	"  TABLE          print one table: goodput, tail, reorder, incast\n";

static const char introduction[] =
	"# Recovery and congestion in virtual time\n"
	"\n"
	"This page shows how recovery and congestion control of ndpdk behave on\n"
	"networks with faults, in virtual time. `tests/sim/sim_tables` measures all\n"
	"figures and writes this file.\n"
	"\n"
	"A simulated wire of 100 Gbit/s with a round-trip time of 20 us connects\n"
	"complete adapters. The path MTU is 4096 bytes. Each adapter is polled once in\n"
	"each microsecond of virtual time, and has a transmit ring of 1024 frames, as a\n"
	"port has.\n"
	"\n"
	"The figures contain no processor time, because a turn of an engine takes no\n"
	"virtual time. They show the effect of the protocol alone, and are the same on\n"
	"each machine.\n"
	"\n"
	"A test of suite `sim` compares the figures exactly. After a change that is\n"
	"meant to change them, run:\n"
	"\n"
	"    build/tests/sim/sim_tables --accept=docs/simulated.md\n";

double
tables_ideal_gbps(enum bed_operation operation)
{
	/*
	 * Headers of each packet: Ethernet, IPv4, UDP, BTH, ICRC. Extensions: the RETH of the first
	 * packet, or an AETH in two READ responses.
	 */
	const uint32_t packets = 16, payload = 4096 * packets;
	const uint32_t headers = 14 + 20 + 8 + 12 + 4;
	const uint32_t extensions = operation == BED_READ ? 2 * 4 : 16;

	return BED_RATE_MBPS / 1e3 * payload / (payload + packets * headers + extensions);
}

static const struct table {
	const char *name;
	void (*print)(FILE *out);
} tables[] = {
	{"goodput", tables_goodput},
	{"tail", tables_tail},
	{"reorder", tables_reorder},
	{"incast", tables_incast},
};

/** @return text of the whole document; the caller frees it */
static char *
document_make(void)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		bed_fail("open_memstream", "no memory");
	fputs(introduction, out);
	for (size_t i = 0; i < RTE_DIM(tables); i++)
		tables[i].print(out);
	fclose(out);
	return text;
}

/**
 * Compare a text with a file, and print the first line that differs. @return 0 if the text equals
 * the file
 */
static int
compare(const char *text, const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	int number = 0;

	if (file == NULL) {
		perror(path);
		return 2;
	}
	for (;;) {
		ssize_t got = getline(&line, &room, file);
		size_t bytes = strcspn(text, "\n") + (*text != '\0');

		number++;
		if (got <= 0 && *text == '\0')
			break;
		if (got < 0 || (size_t)got != bytes || memcmp(line, text, bytes) != 0) {
			fprintf(stderr, "%s:%d: the file differs from the measurement:\n- %s+ %.*s",
				path, number, got < 0 ? "\n" : line, (int)bytes, text);
			return 1;
		}
		text += bytes;
	}
	free(line);
	fclose(file);
	return 0;
}

static int
accept_text(const char *text, const char *path)
{
	FILE *file = fopen(path, "w");

	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
		perror(path);
		return 2;
	}
	return 0;
}

/** Print the table with this name. @return exit status; -1 if the table does not exist */
static int
table_print(const char *name)
{
	for (size_t i = 0; i < RTE_DIM(tables); i++) {
		if (strcmp(tables[i].name, name) != 0)
			continue;
		bed_eal_start();
		tables[i].print(stdout);
		return 0;
	}
	return -1;
}

static int
document_run(const char *option)
{
	const char *path = strchr(option, '=') + 1;
	int status;
	char *text;

	bed_eal_start();
	text = document_make();
	status = option[2] == 'c' ? compare(text, path) : accept_text(text, path);
	free(text);
	return status;
}

int
main(int argc, char **argv)
{
	int status = -1;

	if (argc == 2 &&
		(strncmp(argv[1], "--check=", strlen("--check=")) == 0 ||
			strncmp(argv[1], "--accept=", strlen("--accept=")) == 0))
		status = document_run(argv[1]);
	else if (argc == 2)
		status = table_print(argv[1]);
	if (status >= 0)
		return status;
	fputs(usage, stderr);
	return 2;
}
