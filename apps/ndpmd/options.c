/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "options.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "arguments/value.h"
#include "options_perftest.h"

#define WORD_BYTES  64
/* Longest --time and --warmup: a year; keeps nanoseconds far from the end of 64 bits. */
#define SECONDS_MAX (365.0 * 24 * 3600)

static const char *const op_names[OPTIONS_OP_COUNT] = {
	[OPTIONS_OP_SEND] = "send",
	[OPTIONS_OP_WRITE] = "write",
	[OPTIONS_OP_READ] = "read",
	[OPTIONS_OP_BIND] = "bind",
	[OPTIONS_OP_SEND_IMM] = "send-imm",
	[OPTIONS_OP_WRITE_IMM] = "write-imm",
	[OPTIONS_OP_FETCH_ADD] = "fetch-add",
	[OPTIONS_OP_COMPARE_SWAP] = "compare-swap",
};

const char *
options_op_name(enum options_op op)
{
	return op < OPTIONS_OP_COUNT ? op_names[op] : "?";
}

/* Value parsers: true when the whole text is a value in range. */

static bool
parse_size(const char *text, uint64_t max, uint64_t *bytes)
{
	char digits[24];
	const size_t length = strlen(text);
	uint64_t unit = 1;
	size_t digit_count = length;

	if (length == 0 || length >= sizeof(digits))
		return false;
	switch (text[length - 1]) {
	case 'k':
	case 'K':
		unit = UINT64_C(1) << 10;
		break;
	case 'm':
	case 'M':
		unit = UINT64_C(1) << 20;
		break;
	case 'g':
	case 'G':
		unit = UINT64_C(1) << 30;
		break;
	default:
		break;
	}
	if (unit > 1)
		digit_count--;
	memcpy(digits, text, digit_count);
	digits[digit_count] = '\0';
	if (!value_number(digits, max / unit, bytes))
		return false;
	*bytes *= unit;
	return true;
}

static bool
parse_seconds(const char *text, uint64_t *ns)
{
	char *end;
	double seconds;

	if ((*text < '0' || *text > '9') && *text != '.')
		return false;
	seconds = strtod(text, &end);
	if (end == text || *end != '\0' || !(seconds <= SECONDS_MAX))
		return false;
	*ns = (uint64_t)(seconds * 1e9);
	return true;
}

/* Copy the text before the separator. *rest: the text after it, NULL without separator. */
static bool
split(const char *text, char separator, char *head, const char **rest)
{
	const char *found = strchr(text, separator);
	const size_t length = found != NULL ? (size_t)(found - text) : strlen(text);

	*rest = found != NULL ? found + 1 : NULL;
	if (length >= WORD_BYTES)
		return false;
	memcpy(head, text, length);
	head[length] = '\0';
	return true;
}

/* One function per option; false = the value is not valid. */

static bool
set_mode(struct options *options, enum options_mode mode)
{
	/* Two different modes become NONE, which check_mode() refuses. */
	options->mode = options->mode == OPTIONS_MODE_NONE || options->mode == mode
		? mode
		: OPTIONS_MODE_NONE;
	return true;
}

static bool
set_loopback(struct options *options, const char *value)
{
	(void)value;
	return set_mode(options, OPTIONS_MODE_LOOPBACK);
}

static bool
set_server(struct options *options, const char *value)
{
	(void)value;
	return set_mode(options, OPTIONS_MODE_SERVER);
}

static bool
set_client(struct options *options, const char *value)
{
	return value_address(value, &options->peer) && set_mode(options, OPTIONS_MODE_CLIENT);
}

static bool
set_port(struct options *options, const char *value)
{
	char head[WORD_BYTES];
	const char *rest;
	uint64_t port[2] = {0, 0};

	if (!split(value, ',', head, &rest) || !value_number(head, UINT16_MAX, &port[0]))
		return false;
	if (rest != NULL && !value_number(rest, UINT16_MAX, &port[1]))
		return false;
	options->ports[0] = (uint16_t)port[0];
	options->ports[1] = (uint16_t)port[1];
	options->port_count = rest != NULL ? 2 : 1;
	return true;
}

static bool
set_lcores(struct options *options, const char *value)
{
	const char *rest = value;

	for (options->lcore_count = 0; rest != NULL; options->lcore_count++) {
		char head[WORD_BYTES];
		uint64_t number;

		if (options->lcore_count == OPTIONS_LCORES_MAX || !split(rest, ',', head, &rest) ||
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
set_address(struct options *options, const char *value)
{
	return value_network(value, &options->address, &options->prefix_length);
}

static bool
set_gateway(struct options *options, const char *value)
{
	return value_address(value, &options->gateway);
}

static bool
set_neighbour(struct options *options, const char *value)
{
	return options->neighbour_count < OPTIONS_NEIGHBOURS_MAX &&
		value_neighbour(value, &options->neighbours[options->neighbour_count++]);
}

static bool
set_vlan(struct options *options, const char *value)
{
	return value_vlan(value, &options->vlan_id);
}

static bool
set_path_mtu(struct options *options, const char *value)
{
	return value_path_mtu(value, &options->path_mtu);
}

static bool
set_dscp(struct options *options, const char *value)
{
	uint64_t number;

	if (!value_number(value, 63, &number))
		return false;
	options->dscp = (uint8_t)number;
	return true;
}

static bool
set_congestion(struct options *options, const char *value)
{
	static const char *const names[] = {
		[ND_CONGESTION_LOSS_WINDOW] = "loss-window",
		[ND_CONGESTION_NONE] = "none",
		[ND_CONGESTION_DCQCN] = "dcqcn",
		[ND_CONGESTION_SWIFT] = "swift",
	};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value, names[i]) != 0)
			continue;
		options->congestion = (enum nd_congestion)i;
		return true;
	}
	return false;
}

static bool
set_keepalive(struct options *options, const char *value)
{
	return value_keepalive(value, &options->keepalive_ms);
}

static bool
set_ecn(struct options *options, const char *value)
{
	(void)value;
	options->ecn = true;
	return true;
}

static bool
set_listen_port(struct options *options, const char *value)
{
	uint64_t number;

	if (!value_number(value, UINT16_MAX, &number) || number == 0)
		return false;
	options->listen_port = (uint16_t)number;
	return true;
}

static bool
set_op(struct options *options, const char *value)
{
	const char *rest = value;

	for (options->op_count = 0; rest != NULL; options->op_count++) {
		char name[WORD_BYTES];
		unsigned int op;

		if (options->op_count == OPTIONS_OPS_MAX || !split(rest, ',', name, &rest))
			return false;
		for (op = 0; op < OPTIONS_OP_COUNT && strcmp(name, op_names[op]) != 0; op++)
			;
		if (op == OPTIONS_OP_COUNT)
			return false;
		options->ops[options->op_count] = (enum options_op)op;
	}
	return true;
}

static bool
set_size(struct options *options, const char *value)
{
	uint64_t number;

	if (!parse_size(value, OPTIONS_SIZE_MAX, &number))
		return false;
	options->size_bytes = (uint32_t)number;
	options->size_given = true;
	return true;
}

static bool
set_depth(struct options *options, const char *value)
{
	uint64_t number;

	if (!value_number(value, OPTIONS_DEPTH_MAX, &number) || number == 0)
		return false;
	options->depth = (uint32_t)number;
	options->depth_given = true;
	return true;
}

static bool
set_qps(struct options *options, const char *value)
{
	uint64_t number;

	if (!parse_size(value, OPTIONS_QPS_MAX, &number) || number == 0)
		return false;
	options->qps = (uint32_t)number;
	return true;
}

static bool
set_windows(struct options *options, const char *value)
{
	uint64_t number;

	if (!parse_size(value, OPTIONS_WINDOWS_MAX, &number))
		return false;
	options->windows = (uint32_t)number;
	return true;
}

static bool
set_time(struct options *options, const char *value)
{
	options->time_given = true;
	return parse_seconds(value, &options->time_ns) && options->time_ns > 0;
}

static bool
set_warmup(struct options *options, const char *value)
{
	options->warmup_given = true;
	return parse_seconds(value, &options->warmup_ns);
}

static bool
set_iterations(struct options *options, const char *value)
{
	return parse_size(value, UINT64_MAX >> 1, &options->iterations) && options->iterations > 0;
}

static bool
set_clients(struct options *options, const char *value)
{
	return value_number(value, UINT64_MAX >> 1, &options->clients) && options->clients > 0;
}

static bool
set_latency(struct options *options, const char *value)
{
	(void)value;
	options->latency = true;
	return true;
}

static bool
set_verify(struct options *options, const char *value)
{
	(void)value;
	options->verify = true;
	return true;
}

static bool
set_remote_invalidate(struct options *options, const char *value)
{
	(void)value;
	options->remote_invalidate = true;
	return true;
}

static bool
set_perftest(struct options *options, const char *value)
{
	(void)value;
	options->perftest = true;
	return true;
}

static bool
set_json(struct options *options, const char *value)
{
	options->json = true;
	options->json_path = value;
	return value == NULL || *value != '\0';
}

static bool
set_counters(struct options *options, const char *value)
{
	(void)value;
	options->counters = true;
	return true;
}

static bool
set_help(struct options *options, const char *value)
{
	(void)value;
	options->help = true;
	return true;
}

static bool
set_version(struct options *options, const char *value)
{
	(void)value;
	options->version = true;
	return true;
}

struct row {
	const char *name;
	int argument; /* no_argument, required_argument, optional_argument */
	bool (*set)(struct options *options, const char *value);
	const char *value;    /* name of the value in the help text */
	const char *expected; /* what follows "...: expected" in the error message */
	const char *help;
};

/* getopt returns ROW_BASE plus the row of the option, so that it differs from every character. */
#define ROW_BASE 256

/* Indentation of a help text's second line. */
#define HELP_INDENT "                           "

static const struct row rows[] = {
	{"loopback", no_argument, set_loopback, "", "",
		"two adapters in this process; without --port joined by rings"},
	{"server", no_argument, set_server, "", "", "serve clients until Ctrl-C or --clients"},
	{"client", required_argument, set_client, "=IP", "an IPv4 or IPv6 address",
		"measure against the server at this address"},
	{"port", required_argument, set_port, "=N[,M]", "a port number, or two with a comma",
		"ethdev port [0]; two for --loopback"},
	{"lcores", required_argument, set_lcores, "=N[,N...]",
		"up to 16 different numbers of lcores with commas",
		"an engine and a queue of each port on every one, which\n" HELP_INDENT
		"needs a processor of its own [the main lcore]"},
	{"address", required_argument, set_address, "=IP[/LEN]",
		"an IPv4 or IPv6 address and, if wanted, /1 to /32 or /128",
		"own address; needed but for --loopback"},
	{"gateway", required_argument, set_gateway, "=IP", "an IPv4 or IPv6 address",
		"way to peers outside the own network"},
	{"neighbour", required_argument, set_neighbour, "=IP,MAC",
		"an address and a MAC address with a comma, at most 64 times",
		"a peer that need not be asked for its MAC address"},
	{"vlan", required_argument, set_vlan, "=ID", "1 to 4094", "VLAN of all packets"},
	{"path-mtu", required_argument, set_path_mtu, "=BYTES", "256, 512, 1024, 2048 or 4096",
		"payload of a packet [as the port's MTU allows]"},
	{"dscp", required_argument, set_dscp, "=N", "0 to 63", "of all packets [0]"},
	{"congestion", required_argument, set_congestion, "=NAME",
		"loss-window, none, dcqcn or swift",
		"congestion control: loss-window, none, dcqcn,\n" HELP_INDENT
		"swift [loss-window]"},
	{"ecn", no_argument, set_ecn, "", "", "packets are marked ECT(0), and switches mark them"},
	{"keepalive", required_argument, set_keepalive, "=MS", "1 to 86400000",
		"ask a peer that is silent for so long whether it is\n" HELP_INDENT
		"there, and end without an answer [never]"},
	{"listen-port", required_argument, set_listen_port, "=N", "1 to 65535",
		"where server and client meet [18515]"},
	{"op", required_argument, set_op, "=OP[,OP...]",
		"send, write, read, bind, send-imm, write-imm, fetch-add, compare-swap, or up to "
		"16 of them with commas",
		"send, write, read, bind, send-imm, write-imm,\n" HELP_INDENT
		"fetch-add, compare-swap [send]"},
	{"size", required_argument, set_size, "=BYTES", "0 to 1G, suffix K, M or G allowed",
		"of a message [64]; fetch-add, compare-swap: 8"},
	{"depth", required_argument, set_depth, "=N", "1 to 16384",
		"operations outstanding per queue pair [64]"},
	{"qps", required_argument, set_qps, "=N", "1 to 100K, suffix K allowed",
		"queue pairs [1]; server: of all clients together [1024]"},
	{"windows", required_argument, set_windows, "=N", "0 to 4M, suffix K or M allowed",
		"bind: windows that each queue pair keeps bound meanwhile [0]"},
	{"time", required_argument, set_time, "=SECONDS", "a number of seconds above 0",
		"how long to measure [10; --loopback 1]"},
	{"iterations", required_argument, set_iterations, "=N", "a number above 0",
		"operations per queue pair, then stop"},
	{"warmup", required_argument, set_warmup, "=SECONDS", "a number of seconds",
		"before measuring [0.1; with --iterations 0]"},
	{"clients", required_argument, set_clients, "=N", "a number above 0",
		"server: end after so many clients"},
	{"latency", no_argument, set_latency, "", "",
		"one operation at a time, time of the round trip"},
	{"verify", no_argument, set_verify, "", "", "compare every byte"},
	{"remote-invalidate", no_argument, set_remote_invalidate, "", "",
		"bind: the peer ends the window by SendAndInvalidate"},
	{"perftest", no_argument, set_perftest, "", "",
		"the other side is ib_send_bw, ib_write_bw, ... of perftest 4.5 with -R"},
	{"json", optional_argument, set_json, "[=FILE]", "a file name or nothing",
		"one object per operation, as last lines or into FILE"},
	{"counters", no_argument, set_counters, "", "", "print what the adapters counted"},
	{"help", no_argument, set_help, "", "", "print this"},
	{"version", no_argument, set_version, "", "", "print the version"},
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

static bool
fail(char *why, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool
fail(char *why, size_t size, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(why, size, format, list);
	va_end(list);
	return false;
}

static bool
read_arguments(struct options *options, int count, char *const arguments[], char *why, size_t size)
{
	struct option table[ROW_COUNT + 1] = {0};

	for (size_t i = 0; i < ROW_COUNT; i++) {
		table[i].name = rows[i].name;
		table[i].has_arg = rows[i].argument;
		table[i].val = ROW_BASE + (int)i;
	}
	opterr = 0;
	/* EAL has used getopt, too. 0, not 1, makes GNU's getopt start anew. */
	optind = 0;
	for (;;) {
		const int taken = optind == 0 ? 1 : optind;
		const int value = getopt_long(count, arguments, "+:", table, NULL);

		if (value == -1)
			break;
		if (value == ':')
			return fail(why, size, "option '%s' needs a value", arguments[taken]);
		if (value < ROW_BASE && optopt >= ROW_BASE)
			return fail(why, size, "option '%s' takes no value",
				rows[optopt - ROW_BASE].name);
		if (value < ROW_BASE)
			return fail(why, size,
				"unknown option '%s': see --help; arguments of EAL stand before a "
				"lone --",
				arguments[taken]);
		const struct row *row = &rows[value - ROW_BASE];

		if (!row->set(options, optarg))
			return fail(why, size, "--%s=%s is not valid: expected %s", row->name,
				optarg != NULL ? optarg : "", row->expected);
	}
	if (optind < count)
		return fail(why, size, "unexpected argument '%s': see --help", arguments[optind]);
	return true;
}

static bool
check_mode(const struct options *options, char *why, size_t size)
{
	const bool loopback = options->mode == OPTIONS_MODE_LOOPBACK;

	if (options->mode == OPTIONS_MODE_NONE)
		return fail(why, size, "choose one of --loopback, --server and --client=IP");
	if (loopback && options->port_count == 1)
		return fail(why, size, "--loopback needs two ports: --port=N,M");
	if (!loopback && options->port_count == 2)
		return fail(why, size, "two ports are for --loopback only");
	if (!loopback && options->address.ss_family == AF_UNSPEC)
		return fail(why, size, "--%s needs the own address: --address=IP[/LEN]",
			options->mode == OPTIONS_MODE_SERVER ? "server" : "client");
	if (loopback && options->address.ss_family != AF_UNSPEC)
		return fail(why, size, "--address is for --server and --client only");
	if (options->mode == OPTIONS_MODE_CLIENT &&
		options->peer.ss_family != options->address.ss_family)
		return fail(why, size, "--client and --address are of different IP versions");
	/* value_address() zeroes all bytes but the address, so the structures can be compared. */
	if (options->mode == OPTIONS_MODE_CLIENT &&
		memcmp(&options->peer, &options->address, sizeof(options->peer)) == 0)
		return fail(why, size, "--client is the own --address: the server has another one");
	if (options->gateway.ss_family != AF_UNSPEC &&
		options->gateway.ss_family != options->address.ss_family)
		return fail(why, size, "--gateway and --address are of different IP versions");
	if (options->clients > 0 && options->mode != OPTIONS_MODE_SERVER)
		return fail(why, size, "--clients is for --server only");
	if (options->ecn && options->congestion == ND_CONGESTION_NONE)
		return fail(why, size, "--ecn needs a congestion control: not --congestion=none");
	return true;
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
		return fail(why, size, "--lcores=... are %u, so --qps must be %u or more",
			options->lcore_count, options->lcore_count);
	if (options->lcore_count > 1 && options->perftest)
		return fail(why, size, "--perftest works on one lcore: leave --lcores out");
	if (options->windows > 0 && !has_op(options, OPTIONS_OP_BIND))
		return fail(why, size, "--windows is for --op=bind only");
	if (options->windows > OPTIONS_WINDOWS_MAX / options->qps)
		return fail(why, size, "--windows=%u times --qps=%u is more than %u",
			options->windows, options->qps, OPTIONS_WINDOWS_MAX);
	if (options->latency && options->depth_given && options->depth != 1)
		return fail(
			why, size, "--latency has one operation outstanding: --depth must be 1");
	if (options->mode == OPTIONS_MODE_SERVER &&
		(options->time_given || options->iterations > 0))
		return fail(why, size,
			"the client decides how long: --server takes no --time, "
			"--iterations");
	return true;
}

static void
set_defaults(struct options *options)
{
	const bool loopback = options->mode == OPTIONS_MODE_LOOPBACK;

	if (options->latency)
		options->depth = 1;
	if (!options->time_given)
		options->time_ns = options->iterations > 0 ? UINT64_MAX
			: loopback                         ? UINT64_C(1000000000)
							   : UINT64_C(10000000000);
	if (!options->warmup_given)
		options->warmup_ns = options->iterations > 0 ? 0 : UINT64_C(100000000);
}

bool
options_parse(struct options *options, int count, char *const arguments[], char *why, size_t size)
{
	*options = (struct options){
		.listen_port = 18515,
		.ops = {OPTIONS_OP_SEND},
		.op_count = 1,
		.size_bytes = 64,
		.depth = 64,
		.qps = 1,
	};
	if (!read_arguments(options, count, arguments, why, size))
		return false;
	if (options->help || options->version)
		return true;
	if (!check_mode(options, why, size) || !check_work(options, why, size) ||
		!options_check_perftest(options, why, size))
		return false;
	set_defaults(options);
	return true;
}

void
options_print_help(FILE *stream)
{
	fputs("usage: ndpmd --loopback [options]\n"
	      "       ndpmd [EAL arguments] -- --server --address=IP[/LEN] [options]\n"
	      "       ndpmd [EAL arguments] -- --client=IP --address=IP[/LEN] [options]\n"
	      "\n"
	      "RDMA traffic over any DPDK port, measured. Without a lone -- all arguments are\n"
	      "ndpmd's, and EAL runs without hugepages, devices and root.\n"
	      "\n",
		stream);
	for (size_t i = 0; i < ROW_COUNT; i++) {
		char text[64];

		snprintf(text, sizeof(text), "--%s%s", rows[i].name, rows[i].value);
		fprintf(stream, "  %-24s %s\n", text, rows[i].help);
	}
	fputs("\nExit status: 0 = done, also after Ctrl-C; 1 = the run failed or bytes were "
	      "wrong;\n"
	      "2 = bad arguments, EAL or port; 3 = standard output cannot be written.\n",
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
