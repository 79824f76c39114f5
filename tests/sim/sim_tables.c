/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Prints what adapters achieve on bad networks, as tables in Markdown. All of it is measured in
 * virtual time (bed.h), so the same library gives the same tables on each machine, and the document
 * that has them is compared with them exactly.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "tables.h"

static const char usage[] =
	"usage: sim_tables [--check=FILE | --accept=FILE]\n"
	"\n"
	"What adapters achieve on networks with faults, in virtual time, as Markdown.\n"
	"\n"
	"  --check=FILE   fail when it is not what the file has\n"
	"  --accept=FILE  write it to the file\n";

static const char introduction[] =
	"# Recovery and congestion in virtual time\n"
	"\n"
	"`tests/sim/sim_tables` has measured all figures here, and wrote this file. Complete"
	" adapters are joined by a\n"
	"simulated wire of 100 Gbit/s and 20 us round trip time; the path MTU is 4096 bytes. Each"
	" adapter is polled once in\n"
	"each microsecond of virtual time, and has a transmit ring of 1024 frames, as"
	" a port has. Processor time is not in the\n"
	"figures: a turn takes none. So they say what the protocol makes of a network, and are"
	" the same on each machine.\n"
	"\n"
	"A test of suite `sim` compares them exactly. After a change that is meant to change"
	" them:\n"
	"\n"
	"    build/tests/sim/sim_tables --accept=docs/simulated.md\n";

double
tables_ideal_gbps(enum bed_operation operation)
{
	/* Ethernet, IPv4, UDP, BTH, ICRC; RETH in the first packet, or AETH in two responses. */
	const uint32_t packets = 16, payload = 4096 * packets;
	const uint32_t headers = 14 + 20 + 8 + 12 + 4 + BED_FRAME_OVERHEAD_BYTES;
	const uint32_t extensions = operation == BED_READ ? 2 * 4 : 16;

	return 100.0 * payload / (payload + packets * headers + extensions);
}

const char *
tables_mode_name(enum bed_mode mode)
{
	static const char *const names[BED_MODES] = {
		[BED_GO_BACK_N] = "go-back-N",
		[BED_GO_BACK_N_NO_CC] = "go-back-N, no congestion control",
	};

	return names[mode];
}

struct bed_link_config
tables_wire(void)
{
	/* 1024 frames of 4178 bytes take 342 us. */
	return (struct bed_link_config){.rate_mbps = 100000, .delay_ns = 10000, .ring_ns = 342000};
}

static char *
tables_make(void)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		bed_fail("open_memstream", "no memory");
	fputs(introduction, out);
	tables_goodput(out);
	tables_tail(out);
	tables_reorder(out);
	fclose(out);
	return text;
}

/** Say which line is the first one that differs. @return 0 when there is none */
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
			fprintf(stderr, "%s:%d: the file and what was measured differ:\n- %s+ %.*s",
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

int
main(int argc, char **argv)
{
	const char *path = argc == 2 ? strchr(argv[1], '=') : NULL;
	bool check = path != NULL && strncmp(argv[1], "--check=", strlen("--check=")) == 0;
	bool accept = path != NULL && strncmp(argv[1], "--accept=", strlen("--accept=")) == 0;
	char *text;
	int status = 0;

	if (argc > 2 || (argc == 2 && !check && !accept)) {
		fputs(usage, stderr);
		return 2;
	}
	bed_eal_start();
	text = tables_make();
	if (check)
		status = compare(text, path + 1);
	else if (accept)
		status = accept_text(text, path + 1);
	else
		fputs(text, stdout);
	free(text);
	return status;
}
