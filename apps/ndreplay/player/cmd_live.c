/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdio.h>
#include <string.h>

#include "kit/adapter.h"
#include "kit/program.h"
#include "kit/stop.h"

#include "ndreplay/command.h"
#include "live_load.h"
#include "live_plot.h"
#include "live_run.h"
#include "ndreplay/capture/memory_bound.h"
#include "ndreplay/capture/reader_options.h"

#define COPIES_MAX  1024u
#define SPEED_MAX   1000000u
#define HELP_COLUMN 29

static struct live_options options = {
	.copies = 1,
	.loops = 1,
	.speed = 1,
	.memory_mb = MEMORY_BOUND_MB,
	.timeout_ns = UINT64_C(10000000000),
	.reader = {.leaves_out_copies = true},
};

#define AT(member) OPTION_AT(struct live_options, member)

static bool
take_port(void *taken, const char *value)
{
	return value_port(value, &((struct live_options *)taken)->port);
}

static bool
take_speed(void *taken, const char *value)
{
	struct live_options *to = taken;
	uint64_t number = 0;

	if (strcmp(value, "max") != 0 && (!value_number(value, SPEED_MAX, &number) || number == 0))
		return false;
	to->speed = (uint32_t)number;
	return true;
}

static bool
take_plot(void *taken, const char *value)
{
	((struct live_options *)taken)->plot = value;
	return value_picture(value);
}

static const struct option_row to_rows[] = {
	{"to", OPTION_ADDRESS, AT(to), 0, 0, "IP", "address of the peer"},
};

static const struct option_row client_rows[] = {
	{"client-timeout", OPTION_SECONDS, AT(client_timeout_ns), 1000000, 0, "S",
		"maximum wait for the next client while no client is connected,\n"
		"in seconds [no limit]"},
};

static const struct option_row rows[] = {
	{"service", OPTION_NUMBER, AT(service), 1, UINT16_MAX, "N", "service port [as recorded]"},
	{"connection", OPTION_NUMBER, AT(connection), 1, UINT32_MAX, "N",
		"replay only this connection of the capture, counted from 1 [all]",
		.given = offsetof(struct live_options, one)},
	{"connections", OPTION_NUMBER, AT(copies), 1, COPIES_MAX, "N",
		"number of copies of the capture to replay concurrently [1];\n"
		"serve: accept N times as many clients"},
	{"loop", OPTION_NUMBER, AT(loops), 0, UINT32_MAX, "N",
		"number of times to replay the capture [1]; 0 = until Ctrl-C"},
	{"speed", OPTION_CALL, .value = "N|max",
		.help = "N times as fast as recorded [1]; max = without pauses",
		.expected = "1 to 1000000 or max", .take = take_speed},
	{"timeout", OPTION_SECONDS, AT(timeout_ns), 1000000, 0, "S",
		"maximum wait for a message or answer of the peer, in seconds [10]"},
	{"memory", OPTION_NUMBER, AT(memory_mb), 1, 1 << 20, "MB",
		"memory limit for the frames of the capture [1024]"},
	{"ignore-payload", OPTION_FLAG, AT(ignore_payload),
		.help = "do not compare payload, for a peer that sends other bytes\n"
			"than the recorded peer"},
	{"json", OPTION_FLAG, AT(json), .help = "print the report as one JSON object"},
	{"port", OPTION_CALL, .value = "N|NAME", .help = "ethdev port, by number or name [0]",
		.expected = "number or name of an ethdev port, such as 0 or 0000:01:00.0",
		.take = take_port},
	{"counters", OPTION_FLAG, AT(counters), .help = "print the counters of the adapter"},
	{"plot", OPTION_CALL, .value = "FILE",
		.help = "draw the capture and the replay in one picture: PSNs with\n"
			"retransmissions, NAKs and differences, rates, response\n"
			"times, into FILE.svg or FILE.png; needs gnuplot",
		.expected = "a file name that ends with .svg or .png", .take = take_plot},
};

#define OWN_ROWS (sizeof(rows) / sizeof(rows[0]))

static const struct option_table live_tables[] = {
	{to_rows, 1, 0},
	{rows, OWN_ROWS, 0},
	{reader_choice_rows, READER_FILTER_ROWS, offsetof(struct live_options, reader)},
	NETWORK_TABLE(struct live_options, network),
	TRANSPORT_TABLE(struct live_options, transport),
};

static const struct option_table serve_tables[] = {
	{client_rows, 1, 0},
	{rows, OWN_ROWS, 0},
	{reader_choice_rows, READER_FILTER_ROWS, offsetof(struct live_options, reader)},
	NETWORK_TABLE(struct live_options, network),
	TRANSPORT_TABLE(struct live_options, transport),
};

static const struct option_set live_set = {live_tables, 5, HELP_COLUMN};
static const struct option_set serve_set = {serve_tables, 5, HELP_COLUMN};

static bool
check_options(bool active, char *why, size_t size)
{
	const sa_family_t own = options.network.address.ss_family;

	if (active && options.to.ss_family == AF_UNSPEC)
		return option_fail(why, size, "the peer's address is missing: specify --to=IP");
	if (own == AF_UNSPEC)
		return option_fail(
			why, size, "the adapter's address is missing: specify --address=IP[/LEN]");
	if (active && options.to.ss_family != own)
		return option_fail(why, size, "--to and --address have different IP versions");
	if (options.network.gateway.ss_family != AF_UNSPEC &&
		options.network.gateway.ss_family != own)
		return option_fail(why, size, "--gateway and --address have different IP versions");
	return transport_check(&options.transport, why, size);
}

static struct nd_adapter *
open_adapter(const struct live_cast *cast, struct live_plot *plot, char *why, size_t size)
{
	struct nd_adapter_config config = transport_config(&options.transport);
	const struct script *script = cast->scripts;
	struct nd_adapter *adapter;

	/* By default, use the retry limit that the recorded side granted to its peer. */
	if (config.rnr_retry_count == 0)
		config.rnr_retry_count = script->connection->side[script->side].rnr_retry_count;
	network_configure(&options.network, &config);
	if (plot != NULL)
		live_plot_configure(plot, &config);
	adapter = adapter_open(&config, &options.port, "MEGABYTES", why, size);
	if (adapter == NULL || plot == NULL ||
		live_plot_begin(plot, nd_adapter_port_id(adapter), why, size))
		return adapter;
	nd_adapter_close(adapter);
	return NULL;
}

static int
play(const struct command *command, const char *file, const struct reader_skips *skips,
	const struct live_cast *cast, struct live_plot *plot, bool active)
{
	struct live_report report;
	struct nd_adapter *adapter;
	char why[320];
	bool run;

	if (!eal_start(&command_eal, 0, NULL, why, sizeof(why)))
		return command_refuse(command, why);
	adapter = open_adapter(cast, plot, why, sizeof(why));
	if (adapter == NULL)
		return eal_end(command_refuse(command, why));
	/* Print each line immediately, even if the output is a file or a pipe. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	live_report_open(&report, file, command->name, options.json);
	report.plot = plot;
	report.skips = *skips;
	for (size_t i = 0; i < cast->count; i++)
		live_report_script(&report, &cast->scripts[i]);
	run = active ? live_run_active(cast, &options, adapter, &report)
		     : live_run_passive(cast, &options, adapter, &report);
	live_report_close(&report);
	if (options.counters && !options.json)
		program_print_counters("counter", adapter);
	live_plot_end(plot);
	if (active)
		adapter_close_client(adapter);
	else
		adapter_close_server(adapter);
	if (!run)
		return eal_end(EXIT_UNREADABLE);
	if (report.differences != 0)
		return eal_end(EXIT_FOUND);
	return eal_end(
		report.unanswered != 0 || skips->backwards != 0 ? EXIT_UNJUDGED : EXIT_CLEAN);
}

/* Load the capture and replay the capture. @return an exit status */
static int
load_and_play(const struct command *command, const char *file, struct live_plot *plot, bool active)
{
	struct live_cast cast = {NULL, 0};
	struct nd_model *model;
	int status = EXIT_UNREADABLE;
	char why[512];
	struct reader_skips skips;

	model = live_load(file, &options, live_plot_recorded(plot), &skips, why, sizeof(why));
	if (model == NULL)
		return command_refuse(command, why);
	if (live_cast_make(&cast, model, active ? 0 : 1, &options, why, sizeof(why)))
		status = play(command, file, &skips, &cast, plot, active);
	else
		command_refuse(command, why);
	live_cast_free(&cast);
	nd_model_close(model);
	return status;
}

static int
run(const struct command *command, const char *file, bool active)
{
	struct live_plot *plot = NULL;
	char why[512];
	int status;

	if (!check_options(active, why, sizeof(why)))
		return command_refuse(command, why);
	if (options.plot != NULL) {
		plot = live_plot_open(options.plot, command->name, why, sizeof(why));
		if (plot == NULL)
			return command_refuse(command, why);
	}
	stop_catch_signals();
	options.reader.progress = true;
	status = load_and_play(command, file, plot, active);
	if (plot != NULL && !live_plot_close(plot, status != EXIT_UNREADABLE, why, sizeof(why)) &&
		status != EXIT_UNREADABLE)
		status = command_refuse(command, why);
	return status;
}

static int
run_live(int count, char *operands[])
{
	(void)count;
	return run(&command_live, operands[0], true);
}

static int
run_serve(int count, char *operands[])
{
	(void)count;
	return run(&command_serve, operands[0], false);
}

#define STATUSES                                                                                   \
	"Exit status: 0 no difference, also after Ctrl-C; 1 differences, or the connection "       \
	"failed;\n"                                                                                \
	"2 the file, the command line, EAL or the port is wrong; 3 standard output cannot be\n"    \
	"written; 4 no difference, but a part was not replayed because the peer did not answer\n"  \
	"or a client did not connect, or the times of the file run backwards.\n"

#define KEYS                                                                                       \
	"The new connection has its own addresses, queue pairs, sequence numbers and keys. The\n"  \
	"payload is unchanged, except keys that messages announce.\n"

const struct command command_live = {
	.name = "live",
	.summary = "replay the active side of a capture against a real peer",
	.usage = "EAL-ARGUMENTS -- FILE --to=IP --address=IP[/LEN] [OPTION...]",
	.missing = "no file given",
	.about = "Connect to a real peer over a DPDK port and replay the active side of the "
		 "recorded\n"
		 "connections. Compare the behaviour of the peer with the capture.\n" KEYS,
	.statuses = STATUSES,
	.set = &live_set,
	.options = &options,
	.operands_min = 1,
	.operands_max = 1,
	.takes_eal = true,
	.run = run_live,
};

const struct command command_serve = {
	.name = "serve",
	.summary = "replay the passive side of a capture for real clients",
	.usage = "EAL-ARGUMENTS -- FILE --address=IP[/LEN] [OPTION...]",
	.missing = "no file given",
	.about = "Wait for clients on a DPDK port and replay the passive side of the recorded\n"
		 "connections. Compare the behaviour of the clients with the capture. The first "
		 "client\n"
		 "gets the first recorded connection.\n" KEYS,
	.statuses = STATUSES,
	.set = &serve_set,
	.options = &options,
	.operands_min = 1,
	.operands_max = 1,
	.takes_eal = true,
	.run = run_serve,
};
