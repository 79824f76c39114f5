/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "options.h"

#include <getopt.h>
#include <stdarg.h>
#include <string.h>

#include "arguments/value.h"
#include "message.h"

/* One function per option; false = the value is not valid. */

static bool
set_role(struct options *options, enum options_role role)
{
	/* Two different roles become NONE, which check_role() refuses. */
	options->role = options->role == OPTIONS_ROLE_NONE || options->role == role
		? role
		: OPTIONS_ROLE_NONE;
	return true;
}

static bool
set_server(struct options *options, const char *value)
{
	(void)value;
	return set_role(options, OPTIONS_ROLE_SERVER);
}

static bool
set_client(struct options *options, const char *value)
{
	(void)value;
	return set_role(options, OPTIONS_ROLE_CLIENT);
}

static bool
set_letter_a(struct options *options, const char *value)
{
	return value_address(value, &options->letter_a);
}

static bool
set_letter_i(struct options *options, const char *value)
{
	return value_address(value, &options->letter_i);
}

static bool
set_service_port(struct options *options, const char *value)
{
	uint64_t number;

	if (!value_number(value, UINT16_MAX, &number) || number == 0)
		return false;
	options->service_port = (uint16_t)number;
	return true;
}

static bool
set_count(struct options *options, const char *value)
{
	uint64_t number;

	/* rping prints a round's number as an int. */
	if (!value_number(value, INT32_MAX, &number))
		return false;
	options->count = (uint32_t)number;
	return true;
}

static bool
set_size(struct options *options, const char *value)
{
	uint64_t number;

	if (!value_number(value, MESSAGE_SIZE_MAX, &number) || number < MESSAGE_SIZE_MIN)
		return false;
	options->size_bytes = (uint32_t)number;
	options->size_given = true;
	return true;
}

static bool
set_verbose(struct options *options, const char *value)
{
	(void)value;
	return options->verbose = true;
}

static bool
set_validate(struct options *options, const char *value)
{
	(void)value;
	return options->validate = true;
}

static bool
set_debug(struct options *options, const char *value)
{
	(void)value;
	return options->debug = true;
}

static bool
set_persistent(struct options *options, const char *value)
{
	(void)value;
	return options->persistent = true;
}

static bool
set_port(struct options *options, const char *value)
{
	uint64_t number;

	if (!value_number(value, UINT16_MAX, &number))
		return false;
	options->port_id = (uint16_t)number;
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
set_keepalive(struct options *options, const char *value)
{
	return value_keepalive(value, &options->keepalive_ms);
}

static bool
set_counters(struct options *options, const char *value)
{
	(void)value;
	return options->counters = true;
}

static bool
set_help(struct options *options, const char *value)
{
	(void)value;
	return options->help = true;
}

static bool
set_version(struct options *options, const char *value)
{
	(void)value;
	return options->version = true;
}

struct row {
	const char *name; /* one character: short option */
	bool (*set)(struct options *options, const char *value);
	/* name of the value in the help text; NULL = the option has no value */
	const char *value;
	const char *expected; /* what follows "...: expected" in the error message */
	const char *help;
};

static const struct row rows[] = {
	{"s", set_server, NULL, NULL, "serve one client, with -P any number of them"},
	{"c", set_client, NULL, NULL, "ping the server at -a"},
	{"a", set_letter_a, "IP", "an IPv4 or IPv6 address",
		"client: the server's address; server: own address, see --address"},
	{"I", set_letter_i, "IP", "an IPv4 or IPv6 address", "client: own address, see --address"},
	{"p", set_service_port, "N", "1 to 65535", "port of the service [7174]"},
	{"C", set_count, "N", "0 to 2147483647",
		"client: end after so many rounds [0 = at Ctrl-C]; a server takes it and does not "
		"care"},
	{"S", set_size, "BYTES", "23 to 65535",
		"client: size of a ping [64]; server: largest one it takes [65535]"},
	{"v", set_verbose, NULL, NULL, "print the data of each ping"},
	{"V", set_validate, NULL, NULL,
		"compare the data: client, with what was sent; server, with what rping sends"},
	{"d", set_debug, NULL, NULL, "tell every step on standard error"},
	{"P", set_persistent, NULL, NULL, "server: any number of clients, until Ctrl-C"},
	{"address", set_address, "IP[/LEN]",
		"an IPv4 or IPv6 address and, if wanted, /1 to /32 or /128",
		"own address and length of its network's prefix [24, IPv6 64]"},
	{"port", set_port, "N", "0 to 65535", "ethdev port [0]"},
	{"gateway", set_gateway, "IP", "an IPv4 or IPv6 address",
		"way to peers outside the own network"},
	{"neighbour", set_neighbour, "IP,MAC",
		"an address and a MAC address with a comma, at most 64 times",
		"a peer that need not be asked for its MAC address"},
	{"vlan", set_vlan, "ID", "1 to 4094", "VLAN of all packets"},
	{"path-mtu", set_path_mtu, "BYTES", "256, 512, 1024, 2048 or 4096",
		"payload of a packet [as the port's MTU allows]"},
	{"keepalive", set_keepalive, "MS", "1 to 86400000",
		"ask a peer that is silent for so long whether it is there [never]"},
	{"counters", set_counters, NULL, NULL, "print what the adapter counted"},
	{"help", set_help, NULL, NULL, "print this"},
	{"version", set_version, NULL, NULL, "print the version"},
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

/*
 * getopt returns ROW_BASE plus the row of a long option, so that it differs from every character.
 */
#define ROW_BASE 256

/*
 * ":" at the start: getopt distinguishes a missing value from an unknown option. "+": no
 * reordering.
 */
#define LETTERS "+:sca:I:p:C:S:vVdPqQ"

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

static const struct row *
find_row(int value)
{
	if (value >= ROW_BASE)
		return &rows[value - ROW_BASE];
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (rows[i].name[0] == value && rows[i].name[1] == '\0')
			return &rows[i];
	return NULL;
}

static bool
is_letter(const struct row *row)
{
	return row->name[1] == '\0';
}

static bool
read_option(struct options *options, int value, char *why, size_t size)
{
	const struct row *row = find_row(value);

	if (value == 'q' || value == 'Q')
		return fail(why, size,
			"-%c asks for a queue pair made past the connection manager: here an "
			"endpoint is always made from its connector",
			value);
	if (row->set(options, optarg))
		return true;
	return fail(why, size, "%s%s%s%s is not valid: expected %s", is_letter(row) ? "-" : "--",
		row->name, is_letter(row) ? " " : "=", optarg, row->expected);
}

static bool
read_options(struct options *options, int count, char *const arguments[], char *why, size_t size)
{
	struct option table[ROW_COUNT + 1] = {0};

	for (size_t i = 0, used = 0; i < ROW_COUNT; i++)
		if (!is_letter(&rows[i]))
			table[used++] = (struct option){
				.name = rows[i].name,
				.has_arg = rows[i].value != NULL,
				.val = ROW_BASE + (int)i,
			};
	opterr = 0;
	/* EAL has used getopt, too. 0, not 1, makes GNU's getopt start anew. */
	optind = 0;
	for (;;) {
		const int taken = optind == 0 ? 1 : optind;
		const int value = getopt_long(count, arguments, LETTERS, table, NULL);

		if (value == -1)
			break;
		if (value == ':')
			return fail(why, size, "option '%s' needs a value", arguments[taken]);
		if (value == '?')
			return fail(why, size,
				"option '%s' is unknown or takes no value: see --help; arguments "
				"of EAL stand before a lone --",
				arguments[taken]);
		if (!read_option(options, value, why, size))
			return false;
	}
	if (optind < count)
		return fail(why, size, "unexpected argument '%s': see --help", arguments[optind]);
	return true;
}

static bool
is_any(const struct sockaddr_storage *address)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;

	if (address->ss_family == AF_INET6)
		return IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr);
	return v4->sin_addr.s_addr == INADDR_ANY;
}

/*
 * The own address is not configured in the kernel, so it must be given. rping's option for it, -a
 * of a server and -I of a client, is enough if the default prefix length is right; together with
 * --address it must name the same address.
 */
static bool
choose_own(struct options *options, const struct sockaddr_storage *letter, char *why, size_t size)
{
	const bool server = options->role == OPTIONS_ROLE_SERVER;
	const bool named = letter->ss_family != AF_UNSPEC && !is_any(letter);

	options->own = options->address;
	if (options->own.ss_family == AF_UNSPEC && named)
		options->own = *letter;
	if (options->own.ss_family == AF_UNSPEC)
		return fail(why, size, "the own address is missing: --address=IP[/LEN]");
	/* value_address() zeroes all bytes but the address, so the structures can be compared. */
	if (letter->ss_family != AF_UNSPEC &&
		(letter->ss_family != options->own.ss_family ||
			(named && memcmp(letter, &options->own, sizeof(*letter)) != 0)))
		return fail(why, size, "-%c and --address name different addresses",
			server ? 'a' : 'I');
	return true;
}

static bool
check_role(struct options *options, char *why, size_t size)
{
	if (options->role == OPTIONS_ROLE_NONE)
		return fail(why, size, "choose either -s (server) or -c (client)");
	if (options->role == OPTIONS_ROLE_SERVER) {
		if (options->letter_i.ss_family != AF_UNSPEC)
			return fail(why, size, "-I is for -c only: a server's address is -a");
		if (!options->size_given)
			options->size_bytes = MESSAGE_SIZE_MAX;
		return choose_own(options, &options->letter_a, why, size);
	}
	if (options->persistent)
		return fail(why, size, "-P is for -s only");
	if (options->letter_a.ss_family == AF_UNSPEC)
		return fail(why, size, "-c needs the server's address: -a IP");
	options->peer = options->letter_a;
	return choose_own(options, &options->letter_i, why, size);
}

static bool
check_families(const struct options *options, char *why, size_t size)
{
	const sa_family_t own = options->own.ss_family;

	if (options->role == OPTIONS_ROLE_CLIENT && options->peer.ss_family != own)
		return fail(why, size, "-a and the own address are of different IP versions");
	if (options->role == OPTIONS_ROLE_CLIENT &&
		memcmp(&options->peer, &options->own, sizeof(options->peer)) == 0)
		return fail(why, size, "-a is the own address: the server has another one");
	if (options->gateway.ss_family != AF_UNSPEC && options->gateway.ss_family != own)
		return fail(
			why, size, "--gateway and the own address are of different IP versions");
	return true;
}

bool
options_parse(struct options *options, int count, char *const arguments[], char *why, size_t size)
{
	*options = (struct options){
		.service_port = MESSAGE_PORT,
		.size_bytes = MESSAGE_SIZE_DEFAULT,
	};
	if (!read_options(options, count, arguments, why, size))
		return false;
	if (options->help || options->version)
		return true;
	return check_role(options, why, size) && check_families(options, why, size);
}

void
options_print_help(FILE *stream)
{
	fputs("usage: ndrping EAL-ARGUMENTS -- -s --address=IP[/LEN] [options]\n"
	      "       ndrping EAL-ARGUMENTS -- -c -a IP --address=IP[/LEN] [options]\n"
	      "\n"
	      "RDMA ping-pong as rping of librdmacm does it, which may be the peer: the server\n"
	      "reads each ping from the client's memory and writes it back.\n"
	      "\n",
		stream);
	for (size_t i = 0; i < ROW_COUNT; i++) {
		const struct row *row = &rows[i];
		const char *value = row->value != NULL ? row->value : "";
		char text[64];

		if (is_letter(row))
			snprintf(text, sizeof(text), "-%s %s", row->name, value);
		else
			snprintf(text, sizeof(text), "--%s%s%s", row->name,
				row->value != NULL ? "=" : "", value);
		fprintf(stream, "  %-21s %s\n", text, row->help);
	}
	fputs("\nExit status: 0 = done, also after Ctrl-C; 1 = the connection failed or bytes "
	      "were\n"
	      "wrong; 2 = bad arguments, EAL or port; 3 = standard output cannot be written.\n",
		stream);
}
