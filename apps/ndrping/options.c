/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "options.h"

#include <string.h>

#include "kit/option.h"

#include "message.h"

#define ROLE_SENTENCE "choose either -s (server) or -c (client)"
#define HELP_COLUMN   24

#define REFUSED                                                                                    \
	"requests a queue pair created without the connection manager: ndrping always "            \
	"creates an endpoint from its connector"

#define AT(member) OPTION_AT(struct options, member)

static bool
take_port(void *options, const char *value)
{
	return value_port(value, &((struct options *)options)->port);
}

static const struct option_row letter_rows[] = {
	{"s", OPTION_MODE, AT(role), OPTIONS_ROLE_SERVER, 0, NULL,
		"serve one client, with -P any number of clients", .expected = ROLE_SENTENCE},
	{"c", OPTION_MODE, AT(role), OPTIONS_ROLE_CLIENT, 0, NULL, "ping the server at -a",
		.expected = ROLE_SENTENCE},
	{"a", OPTION_ADDRESS, AT(letter_a), 0, 0, "IP",
		"client: the server's address; server: own address, see --address"},
	{"I", OPTION_ADDRESS, AT(letter_i), 0, 0, "IP", "client: own address, see --address"},
	{"p", OPTION_NUMBER, AT(service_port), 1, UINT16_MAX, "N", "port of the service [7174]"},
	/* The maximum is INT32_MAX, because rping prints a round's number as an int. */
	{"C", OPTION_NUMBER, AT(count), 0, INT32_MAX, "N",
		"client: number of rounds [0 = until Ctrl-C]; a server ignores it"},
	{"S", OPTION_NUMBER, AT(size_bytes), MESSAGE_SIZE_MIN, MESSAGE_SIZE_MAX, "BYTES",
		"client: size of a ping [64]; server: maximum accepted size [65535]",
		.given = offsetof(struct options, size_given)},
	{"v", OPTION_FLAG, AT(verbose), 0, 0, NULL, "print the data of each ping"},
	{"V", OPTION_FLAG, AT(validate), 0, 0, NULL,
		"check the data: client, against the data sent; server, against "
		"rping's data"},
	{"d", OPTION_FLAG, AT(debug), 0, 0, NULL, "print every step to standard error"},
	{"P", OPTION_FLAG, AT(persistent), 0, 0, NULL,
		"server: serve any number of clients, until Ctrl-C"},
	{.name = "q", .kind = OPTION_REFUSED, .expected = REFUSED},
	{.name = "Q", .kind = OPTION_REFUSED, .expected = REFUSED},
};

static const struct option_row word_rows[] = {
	{"port", OPTION_CALL, .value = "N|NAME", .help = "ethdev port, by number or name [0]",
		.expected = "number or name of an ethdev port, such as 0 or 0000:01:00.0",
		.take = take_port},
	{"counters", OPTION_FLAG, AT(counters), 0, 0, NULL, "print the counters of the adapter"},
	{"help", OPTION_FLAG, AT(help), 0, 0, NULL, "print this"},
	{"version", OPTION_FLAG, AT(version), 0, 0, NULL, "print the version"},
};

static const struct option_table tables[] = {
	{letter_rows, sizeof(letter_rows) / sizeof(letter_rows[0]), 0},
	NETWORK_TABLE(struct options, network),
	{word_rows, sizeof(word_rows) / sizeof(word_rows[0]), 0},
};

static const struct option_set set = {tables, sizeof(tables) / sizeof(tables[0]), HELP_COLUMN};

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
 * Determine this side's own address. The user must give the address, because no kernel configures
 * it. If the default prefix length is right, rping's option (-a of a server, -I of a client) is
 * enough. If --address is given, too, both addresses must be equal.
 */
static bool
choose_own(struct options *options, const struct sockaddr_storage *letter, char *why, size_t size)
{
	const bool server = options->role == OPTIONS_ROLE_SERVER;
	const bool named = letter->ss_family != AF_UNSPEC && !is_any(letter);

	if (options->network.address.ss_family == AF_UNSPEC && named)
		options->network.address = *letter;
	if (options->network.address.ss_family == AF_UNSPEC)
		return option_fail(
			why, size, "the own address is missing: give --address=IP[/LEN]");
	/*
	 * memcmp() can compare the structures, because value_address() zeroes the bytes that it
	 * does not use.
	 */
	if (letter->ss_family != AF_UNSPEC &&
		(letter->ss_family != options->network.address.ss_family ||
			(named && memcmp(letter, &options->network.address, sizeof(*letter)) != 0)))
		return option_fail(why, size, "-%c and --address give different addresses",
			server ? 'a' : 'I');
	return true;
}

static bool
check_role(struct options *options, char *why, size_t size)
{
	if (options->role == OPTIONS_ROLE_NONE)
		return option_fail(why, size, "%s", ROLE_SENTENCE);
	if (options->role == OPTIONS_ROLE_SERVER) {
		if (options->letter_i.ss_family != AF_UNSPEC)
			return option_fail(
				why, size, "-I is for -c only: give a server's address with -a");
		if (!options->size_given)
			options->size_bytes = MESSAGE_SIZE_MAX;
		return choose_own(options, &options->letter_a, why, size);
	}
	if (options->persistent)
		return option_fail(why, size, "-P is for -s only");
	if (options->letter_a.ss_family == AF_UNSPEC)
		return option_fail(why, size, "-c needs the server's address: -a IP");
	options->peer = options->letter_a;
	return choose_own(options, &options->letter_i, why, size);
}

static bool
check_families(const struct options *options, char *why, size_t size)
{
	const sa_family_t own = options->network.address.ss_family;

	if (options->role == OPTIONS_ROLE_CLIENT && options->peer.ss_family != own)
		return option_fail(
			why, size, "-a and the own address are of different IP versions");
	if (options->role == OPTIONS_ROLE_CLIENT &&
		memcmp(&options->peer, &options->network.address, sizeof(options->peer)) == 0)
		return option_fail(
			why, size, "-a is the own address: give the address of the server");
	if (options->network.gateway.ss_family != AF_UNSPEC &&
		options->network.gateway.ss_family != own)
		return option_fail(
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
	if (!option_parse(&set, options, count, arguments, why, size))
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
	      "RDMA ping-pong, compatible with rping of librdmacm: the server reads each ping\n"
	      "from the client's memory and writes the ping back.\n"
	      "\n",
		stream);
	option_print_help(&set, stream);
	fputs("\nExit status: 0 = done, also after Ctrl-C; 1 = the connection failed or bytes "
	      "were\n"
	      "wrong; 2 = bad arguments, EAL or port; 3 = standard output cannot be written.\n",
		stream);
}
