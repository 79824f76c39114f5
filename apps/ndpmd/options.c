/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "options.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "kit/option.h"
#include "kit/value.h"
#include "options_load.h"
#include "perftest/defaults.h"

#define INTERVAL_NS_MIN 10000000

#define DEPTH_DEFAULT 64

#define HELP_COLUMN 27

static bool
take_port(void *taken, const char *value)
{
	struct options *options = taken;
	char head[VALUE_ITEM_BYTES];
	const char *rest;

	if (!value_item(value, ',', head, &rest) || !value_port(head, &options->ports[0]) ||
		(rest != NULL &&
			(strchr(rest, ',') != NULL || !value_port(rest, &options->ports[1]))))
		return false;
	options->port_count = rest != NULL ? 2 : 1;
	return true;
}

static bool
take_lcores(void *taken, const char *value)
{
	struct options *options = taken;
	const char *rest = value;

	for (options->lcore_count = 0; rest != NULL; options->lcore_count++) {
		char head[VALUE_ITEM_BYTES];
		uint64_t number;

		if (options->lcore_count == OPTIONS_LCORES_MAX ||
			!value_item(rest, ',', head, &rest) ||
			!value_number(head, UINT16_MAX, &number))
			return false;
		for (unsigned int i = 0; i < options->lcore_count; i++)
			if (options->lcores[i] == number)
				return false;
		options->lcores[options->lcore_count] = (uint16_t)number;
	}
	return true;
}

static bool
take_inject(void *taken, const char *value)
{
	struct options *options = taken;

	options->inject_text = value;
	return true;
}

static bool
take_cmdline_file(void *taken, const char *value)
{
	struct options *options = taken;

	options->cmdline_file = value;
	return *value != '\0';
}

static bool
take_control(void *taken, const char *value)
{
	struct options *options = taken;

	options->control_path = value;
	return *value != '\0' && strlen(value) < sizeof(((struct sockaddr_un *)NULL)->sun_path);
}

static bool
take_json(void *taken, const char *value)
{
	struct options *options = taken;

	options->json = true;
	options->json_path = value;
	return value == NULL || *value != '\0';
}

static bool
take_csv(void *taken, const char *value)
{
	struct options *options = taken;

	options->csv = true;
	options->csv_path = value;
	return value == NULL || *value != '\0';
}

static bool
take_plot(void *taken, const char *value)
{
	struct options *options = taken;

	options->plot_path = value;
	return value_picture(value);
}

#define MODE_SENTENCE "choose one of --loopback, --server and --client=IP"

#define AT(member)    OPTION_AT(struct options, member)
#define GIVEN(member) offsetof(struct options, member)

static const struct option_row place_rows[] = {
	{"loopback", OPTION_MODE, AT(mode), OPTIONS_MODE_LOOPBACK, 0, NULL,
		"two adapters in this process, connected by rings if --port\n"
		"is not given",
		.expected = MODE_SENTENCE},
	{"server", OPTION_MODE, AT(mode), OPTIONS_MODE_SERVER, 0, NULL,
		"serve clients until Ctrl-C or the limit of --clients", .expected = MODE_SENTENCE},
	{"client", OPTION_ADDRESS, AT(peer), 0, 0, "IP",
		"measure against the server at this address"},
	{"port", OPTION_CALL, .value = "PORT[,PORT]",
		.help = "ethdev port, by number or name [0]; two for --loopback",
		.expected = "number or name of an ethdev port, such as 0 or 0000:01:00.0, or two "
			    "separated by a comma",
		.take = take_port},
	{"lcores", OPTION_CALL, .value = "N[,N...]",
		.help = "lcores with an engine and a queue of each port; each lcore\n"
			"needs its own CPU [the main lcore]",
		.expected = "up to 16 different lcore numbers separated by commas",
		.take = take_lcores},
};

static const struct option_row work_rows[] = {
	{"inject", OPTION_CALL, .value = "KIND:RATE[,...]",
		.help = "inject faults into sent and received RoCEv2 frames: drop,\n"
			"dup, reorder, corrupt with a rate such as 0.1% or 1e-3;\n"
			"delay:50us; seed:N [none]",
		.take = take_inject},
	{"listen-port", OPTION_NUMBER, AT(listen_port), 1, UINT16_MAX, "N",
		"port on which the server accepts connections [18515]"},
	{"op", OPTION_CALL, .value = "OP[,OP...]",
		.help = "send, write, read, bind, send-imm, write-imm,\n"
			"fetch-add, compare-swap [send]; or a weighted mix of some of\n"
			"them: OP:WEIGHT[,OP:WEIGHT...]",
		.expected =
			"send, write, read, bind, send-imm, write-imm, fetch-add, compare-swap, or "
			"up to 16 of them separated by commas, all with or all without a weight of "
			"1 to 100",
		.take = options_take_op},
	{"size", OPTION_CALL, .value = "BYTES[,...]",
		.help = "message size [64], always 8 for fetch-add and compare-swap;\n"
			"several sizes are measured one after another, also as\n"
			"FROM:TO:xN (times N) or FROM:TO:+N (plus N)",
		.expected = "0 to 1G, suffix K, M or G allowed; up to 64 of them separated by "
			    "commas, also as FROM:TO:xN or FROM:TO:+N",
		.take = options_take_size},
	{"depth", OPTION_NUMBER, AT(depth), 1, OPTIONS_DEPTH_MAX, "N",
		"operations outstanding per queue pair [64]", .given = GIVEN(depth_given)},
	{"qps", OPTION_SIZE, AT(qps), 1, OPTIONS_QPS_MAX, "N",
		"queue pairs [1]; server: total of all clients [1024]"},
	{"windows", OPTION_SIZE, AT(windows), 0, OPTIONS_WINDOWS_MAX, "N",
		"bind: additional windows that stay bound, per queue pair [0]"},
	{"time", OPTION_SECONDS, AT(time_ns), 1, 0, "SECONDS",
		"duration of the measurement [10; --loopback 1]", .given = GIVEN(time_given)},
	{"iterations", OPTION_SIZE, AT(iterations), 1, UINT64_MAX >> 1, "N",
		"stop after N operations per queue pair"},
	{"warmup", OPTION_SECONDS, AT(warmup_ns), 0, 0, "SECONDS",
		"time before the measurement [0.1; with --iterations 0]",
		.given = GIVEN(warmup_given)},
	{"rate", OPTION_CALL, .value = "N[bps][/qp]",
		.help = "post this number of messages, or bits (bps), per second, for\n"
			"all queue pairs or for each (/qp); latency counts from the\n"
			"due time of a message; suffix k, M, G [limited by --depth]",
		.expected =
			"a number of 0.000001 or more, suffix k, M or G (powers of 1000) allowed, "
			"then bps for bits per second, then /qp for each queue pair",
		.take = options_take_rate},
	{"ramp", OPTION_SECONDS, AT(ramp_ns), 1, 0, "SECONDS",
		"increase the rate from 0 to the value of --rate in this time"},
	{"burst", OPTION_SIZE, AT(burst), 1, OPTIONS_BURST_MAX, "N",
		"with --rate: N messages of a queue pair are due together [1]",
		.given = GIVEN(burst_given)},
	{"interval", OPTION_SECONDS, AT(interval_ns), INTERVAL_NS_MIN, 0, "SECONDS",
		"print a line for each interval of this length [none]",
		.expected = "a number of seconds, 0.01 or more"},
	{"clients", OPTION_NUMBER, AT(clients), 1, UINT64_MAX >> 1, "N",
		"server: exit after N clients"},
	{"srq", OPTION_SIZE, AT(srq), 1, OPTIONS_SRQ_MAX, "N",
		"server: shared receive queue of N receives per lcore, each\n"
		"for messages of --size [a receive queue per queue pair]"},
	{"latency", OPTION_FLAG, AT(latency), 0, 0, NULL,
		"measure the round-trip time of one operation at a time"},
	{"verify", OPTION_FLAG, AT(verify), 0, 0, NULL, "compare every byte"},
	{"remote-invalidate", OPTION_FLAG, AT(remote_invalidate), 0, 0, NULL,
		"bind: the peer invalidates the window by SendAndInvalidate"},
	{"bidirectional", OPTION_FLAG, AT(bidirectional), 0, 0, NULL,
		"the server posts the same operations at the same time, on\n"
		"the same number of additional queue pairs"},
	{"perftest", OPTION_FLAG, AT(perftest), 0, 0, NULL,
		"the peer is ib_send_bw, ib_write_bw, ... of perftest 4.5,\n"
		"run with -R"},
	{"json", OPTION_CALL, .value = "FILE",
		.help = "one JSON object per row, printed last or written to FILE",
		.expected = "a file name or nothing", .take = take_json, .optional = true},
	{"csv", OPTION_CALL, .value = "FILE",
		.help = "the same values as CSV, printed last or written to FILE",
		.expected = "a file name or nothing", .take = take_csv, .optional = true},
	{"plot", OPTION_CALL, .value = "FILE",
		.help = "plot latency, rate over time and rate over size to FILE.svg\n"
			"or FILE.png; requires gnuplot",
		.expected = "a file name that ends with .svg or .png", .take = take_plot},
	{"counters", OPTION_FLAG, AT(counters), 0, 0, NULL, "print the counters of the adapters"},
	{"help", OPTION_FLAG, AT(help), 0, 0, NULL, "print this help"},
	{"version", OPTION_FLAG, AT(version), 0, 0, NULL, "print the version"},
};

/* Options that enable commands; see docs/prompt.md. */
static const struct option_row command_rows[] = {
	{"i", OPTION_FLAG, AT(interactive), 0, 0, NULL, "the same as --interactive"},
	{"interactive", OPTION_FLAG, AT(interactive), 0, 0, NULL,
		"read commands from standard input: start, show, set, help"},
	{"cmdline-file", OPTION_CALL, .value = "FILE",
		.help = "file of commands that are executed first", .expected = "a file name",
		.take = take_cmdline_file},
	{"control", OPTION_CALL, .value = "PATH",
		.help = "Unix socket that accepts commands as lines of JSON",
		.expected = "a path of 107 characters at most", .take = take_control},
};

static const struct option_table tables[] = {
	{place_rows, sizeof(place_rows) / sizeof(place_rows[0]), 0},
	NETWORK_TABLE(struct options, network),
	TRANSPORT_TABLE(struct options, transport),
	{work_rows, sizeof(work_rows) / sizeof(work_rows[0]), 0},
	{command_rows, sizeof(command_rows) / sizeof(command_rows[0]), 0},
};

static const struct option_set set = {tables, sizeof(tables) / sizeof(tables[0]), HELP_COLUMN};

static bool
check_mode(const struct options *options, char *why, size_t size)
{
	const bool loopback = options->mode == OPTIONS_MODE_LOOPBACK;

	if (options->mode == OPTIONS_MODE_NONE)
		return option_fail(why, size, "%s", MODE_SENTENCE);
	if (loopback && options->port_count == 1)
		return option_fail(why, size, "--loopback needs two ports: --port=PORT,PORT");
	if (!loopback && options->port_count == 2)
		return option_fail(why, size, "two ports are for --loopback only");
	if (!loopback && options->network.address.ss_family == AF_UNSPEC)
		return option_fail(why, size,
			"--%s needs the address of this side: give --address=IP[/LEN]",
			options->mode == OPTIONS_MODE_SERVER ? "server" : "client");
	if (loopback && options->network.address.ss_family != AF_UNSPEC)
		return option_fail(why, size, "--address is for --server and --client only");
	if (options->mode == OPTIONS_MODE_CLIENT &&
		options->peer.ss_family != options->network.address.ss_family)
		return option_fail(
			why, size, "--client and --address are of different IP versions");
	/*
	 * memcmp() can compare the addresses, because value_address() zeroes the bytes that it does
	 * not use.
	 */
	if (options->mode == OPTIONS_MODE_CLIENT &&
		memcmp(&options->peer, &options->network.address, sizeof(options->peer)) == 0)
		return option_fail(why, size,
			"--client and --address are the same: give the server's address to "
			"--client");
	if (options->network.gateway.ss_family != AF_UNSPEC &&
		options->network.gateway.ss_family != options->network.address.ss_family)
		return option_fail(
			why, size, "--gateway and --address are of different IP versions");
	if (options->clients > 0 && options->mode != OPTIONS_MODE_SERVER)
		return option_fail(why, size, "--clients is for --server only");
	if (options->srq > 0 && options->mode == OPTIONS_MODE_CLIENT)
		return option_fail(why, size, "--srq is for --server and --loopback only");
	if (options->srq > 0 && options->perftest)
		return option_fail(why, size, "--perftest does not support --srq");
	return transport_check(&options->transport, why, size);
}

static bool
has_op(const struct options *options, enum options_op op)
{
	for (unsigned int i = 0; i < options->op_count; i++)
		if (options->ops[i] == op)
			return true;
	return false;
}

static bool
check_work(const struct options *options, char *why, size_t size)
{
	if (options->lcore_count > options->qps && options->mode != OPTIONS_MODE_SERVER)
		return option_fail(why, size,
			"--lcores lists %u lcores, so --qps must be %u or more",
			options->lcore_count, options->lcore_count);
	if (options->lcore_count > 1 && options->perftest)
		return option_fail(why, size, "--perftest runs on one lcore only: omit --lcores");
	if (options->windows > 0 && !has_op(options, OPTIONS_OP_BIND))
		return option_fail(why, size, "--windows is for --op=bind only");
	if (options->windows > OPTIONS_WINDOWS_MAX / options->qps)
		return option_fail(why, size, "--windows=%u times --qps=%u exceeds the limit of %u",
			options->windows, options->qps, OPTIONS_WINDOWS_MAX);
	if (options->latency && options->depth_given && options->depth != 1)
		return option_fail(why, size,
			"--latency allows only one outstanding operation: --depth must be 1");
	if (options->mode == OPTIONS_MODE_SERVER &&
		(options->time_given || options->iterations > 0))
		return option_fail(why, size,
			"--server takes no --time and no --iterations: give these options to the "
			"client");
	if (options->rate > 0 || options->interval_ns > 0) {
		if (options->mode == OPTIONS_MODE_SERVER)
			return option_fail(why, size,
				"--server takes no --rate and no --interval: give these options to "
				"the client");
		if (options->perftest)
			return option_fail(
				why, size, "--perftest supports neither --rate nor --interval");
	}
	for (unsigned int i = 0; options->rate_is_bits && i < options->size_count; i++)
		if (options->sizes[i] == 0)
			return option_fail(why, size,
				"--rate in bits needs a message size above 0, not --size=0");
	return true;
}

static bool
check_schedule(const struct options *options, char *why, size_t size)
{
	if (options->rate == 0 && (options->ramp_ns > 0 || options->burst_given))
		return option_fail(why, size, "--%s needs a rate: give --rate=N",
			options->ramp_ns > 0 ? "ramp" : "burst");
	if (options->burst > 1 && options->latency)
		return option_fail(why, size,
			"--latency allows only one outstanding operation: --burst must be 1");
	if (options->ramp_ns > 0 && options->warmup_given && options->warmup_ns > 0)
		return option_fail(why, size, "--ramp starts with the measurement: omit --warmup");
	if (options->time_given && options->ramp_ns > options->time_ns)
		return option_fail(why, size, "--ramp is longer than --time");
	return true;
}

static bool
check_directions(const struct options *options, char *why, size_t size)
{
	if (!options->bidirectional)
		return true;
	if (options->mode == OPTIONS_MODE_SERVER)
		return option_fail(why, size,
			"--server takes no --bidirectional: give this option to the client");
	if (options->perftest)
		return option_fail(why, size, "--perftest does not support --bidirectional");
	if (options->windows > 0)
		return option_fail(why, size,
			"--windows does not work with --bidirectional: omit one of them");
	if (options->qps > OPTIONS_QPS_MAX / 2)
		return option_fail(why, size,
			"--bidirectional doubles --qps, which must be %u or less",
			OPTIONS_QPS_MAX / 2);
	return true;
}

static bool
check_outputs(const struct options *options, char *why, size_t size)
{
	if (options->json_path != NULL && options->csv_path != NULL &&
		strcmp(options->json_path, options->csv_path) == 0)
		return option_fail(
			why, size, "--json and --csv have the same file: give two different files");
	if (options->plot_path != NULL && options->mode == OPTIONS_MODE_SERVER)
		return option_fail(
			why, size, "--server takes no --plot: give this option to the client");
	return true;
}

static void
set_defaults(struct options *options)
{
	const bool loopback = options->mode == OPTIONS_MODE_LOOPBACK;

	if (options->latency)
		options->depth = 1;
	else if (!options->depth_given && !options->perftest)
		options->depth = DEPTH_DEFAULT;
	if (!options->time_given)
		options->time_ns = options->iterations > 0 ? UINT64_MAX
			: loopback                         ? UINT64_C(1000000000)
							   : UINT64_C(10000000000);
	if (!options->warmup_given)
		options->warmup_ns =
			options->iterations > 0 || options->ramp_ns > 0 ? 0 : UINT64_C(100000000);
}

bool
options_parse(struct options *options, int count, char *const arguments[], char *why, size_t size)
{
	*options = (struct options){
		.listen_port = 18515,
		.ops = {OPTIONS_OP_SEND},
		.op_count = 1,
		.sizes = {64},
		.size_count = 1,
		.size_bytes = 64,
		.depth = DEPTH_DEFAULT,
		.qps = 1,
		.burst = 1,
	};
	if (!option_parse(&set, options, count, arguments, why, size))
		return false;
	if (options->help || options->version)
		return true;
	if (options->peer.ss_family != AF_UNSPEC)
		options->mode = options->mode == OPTIONS_MODE_NONE ? OPTIONS_MODE_CLIENT
								   : OPTIONS_MODE_NONE;
	if (options->inject_text != NULL &&
		!inject_parse(options->inject_text, &options->inject, why, size))
		return false;
	return options_complete(options, why, size);
}

bool
options_complete(struct options *options, char *why, size_t size)
{
	if (!check_mode(options, why, size) || !options_make_mix(options, why, size) ||
		!check_work(options, why, size) || !options_check_perftest(options, why, size) ||
		!check_directions(options, why, size) || !check_schedule(options, why, size) ||
		!check_outputs(options, why, size))
		return false;
	if (options->perftest && options_has_commands(options))
		return option_fail(why, size,
			"--perftest takes no commands: omit --interactive, --cmdline-file and "
			"--control");
	set_defaults(options);
	return true;
}

bool
options_change(struct options *options, const char *name, const char *value, char *why, size_t size)
{
	struct options changed = *options;
	char argument[1100], program[] = "ndpmd";
	char *const arguments[] = {program, argument, NULL};

	snprintf(argument, sizeof(argument), "--%s=%s", name, value);
	if (!option_parse(&set, &changed, 2, arguments, why, size) ||
		!options_complete(&changed, why, size))
		return false;
	*options = changed;
	return true;
}

void
options_print_help(FILE *stream)
{
	fputs("usage: ndpmd --loopback [options]\n"
	      "       ndpmd [EAL arguments] -- --server --address=IP[/LEN] [options]\n"
	      "       ndpmd [EAL arguments] -- --client=IP --address=IP[/LEN] [options]\n"
	      "\n"
	      "Generates and measures RDMA traffic over any DPDK port. Without --, all\n"
	      "arguments belong to ndpmd, and EAL runs without hugepages, devices and root.\n"
	      "\n",
		stream);
	option_print_help(&set, stream);
	fputs("\nExit status: 0 = done, also after Ctrl-C; 1 = the run failed or bytes were "
	      "wrong;\n"
	      "2 = invalid arguments, or EAL or a port failed; 3 = standard output cannot be\n"
	      "written.\n",
		stream);
}

const char *
options_address_text(const struct sockaddr_storage *address, char *text, size_t size)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
	const void *bytes = &v4->sin_addr;

	if (address->ss_family == AF_INET6)
		bytes = &v6->sin6_addr;
	if (inet_ntop(address->ss_family, bytes, text, (socklen_t)size) == NULL)
		snprintf(text, size, "?");
	return text;
}
