/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <arpa/inet.h>
#include <string.h>

#include <criterion/criterion.h>

#include "ndrping/options.h"

#define ARGUMENTS_MAX 12

static struct options options;
static char why[256];

/* Split a command line at its spaces and parse it. No argument in these tests contains a space. */
static bool
parse(const char *line)
{
	static char text[512];
	static char program[] = "ndrping";
	char *arguments[ARGUMENTS_MAX + 1] = {program};
	char *rest = NULL, *word;
	int count = 1;

	cr_assert(strlen(line) < sizeof(text));
	strcpy(text, line);
	for (word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
		cr_assert(count < ARGUMENTS_MAX);
		arguments[count++] = word;
	}
	why[0] = '\0';
	return options_parse(&options, count, arguments, why, sizeof(why));
}

static void
expect_refusal(const char *line, const char *word)
{
	cr_assert_not(parse(line), "taken: %s", line);
	cr_assert_not_null(strstr(why, word), "%s: no \"%s\" in \"%s\"", line, word, why);
}

static void
expect_own(const char *line, const char *address, unsigned int prefix_length)
{
	char text[64];
	const void *bytes = &((struct sockaddr_in *)&options.network.address)->sin_addr;

	cr_assert(parse(line), "%s: %s", line, why);
	if (options.network.address.ss_family == AF_INET6)
		bytes = &((struct sockaddr_in6 *)&options.network.address)->sin6_addr;
	cr_assert_not_null(inet_ntop(options.network.address.ss_family, bytes, text, sizeof(text)));
	cr_assert_str_eq(text, address, "%s: %s instead of %s", line, text, address);
	cr_assert_eq(options.network.prefix_length, prefix_length, "%s: /%u", line,
		options.network.prefix_length);
}

Test(rping_options, defaults_are_those_of_rping)
{
	cr_assert(parse("-c -a 10.0.0.1 --address=10.0.0.2"), "%s", why);
	cr_assert_eq(options.role, OPTIONS_ROLE_CLIENT);
	cr_assert_eq(options.service_port, 7174);
	cr_assert_eq(options.count, 0);
	cr_assert_eq(options.size_bytes, 64);
	cr_assert_not(options.verbose);
	cr_assert_not(options.validate);
	cr_assert_eq(((struct sockaddr_in *)&options.peer)->sin_addr.s_addr, htonl(0x0a000001));
}

Test(rping_options, letters_may_stand_together)
{
	cr_assert(parse("-cvVd -a10.0.0.1 -C100 -S65535 -p7 -I10.0.0.2"), "%s", why);
	cr_assert(options.verbose);
	cr_assert(options.validate);
	cr_assert(options.debug);
	cr_assert_eq(options.count, 100);
	cr_assert_eq(options.size_bytes, 65535);
	cr_assert_eq(options.service_port, 7);
}

Test(rping_options, server_takes_pings_of_any_size)
{
	cr_assert(parse("-s -P --address=10.0.0.1/16 -C 5"), "%s", why);
	cr_assert_eq(options.role, OPTIONS_ROLE_SERVER);
	cr_assert(options.persistent);
	cr_assert_eq(options.size_bytes, 65535);
	cr_assert(parse("-s --address=10.0.0.1/16 -S 64"), "%s", why);
	cr_assert_eq(options.size_bytes, 64);
}

Test(rping_options, own_address_comes_from_address_or_letter)
{
	expect_own("-s -a 10.0.0.1", "10.0.0.1", 0);
	expect_own("-s --address=10.0.0.1/8", "10.0.0.1", 8);
	expect_own("-s -a 10.0.0.1 --address=10.0.0.1/8", "10.0.0.1", 8);
	expect_own("-s -a 0.0.0.0 --address=10.0.0.1/8", "10.0.0.1", 8);
	expect_own("-s -a ::0 --address=fd00::1/64", "fd00::1", 64);
	expect_own("-c -a 10.0.0.9 -I 10.0.0.1", "10.0.0.1", 0);
	expect_own("-c -a fd00::9 --address=fd00::1", "fd00::1", 0);
	expect_refusal("-s", "--address");
	expect_refusal("-s -a 0.0.0.0", "--address");
	expect_refusal("-c -a 10.0.0.9", "--address");
	expect_refusal("-s -a 10.0.0.2 --address=10.0.0.1/8", "-a and --address");
	expect_refusal("-s -a ::0 --address=10.0.0.1/8", "-a and --address");
	expect_refusal("-c -a 10.0.0.9 -I 10.0.0.2 --address=10.0.0.1", "-I and --address");
}

Test(rping_options, nonsense_is_refused)
{
	expect_refusal("", "-s (server) or -c (client)");
	expect_refusal("-s -c -a 10.0.0.1", "-s (server) or -c (client)");
	expect_refusal("-s -c -s -a 10.0.0.1", "-s (server) or -c (client)");
	expect_refusal("-c --address=10.0.0.1", "-a IP");
	expect_refusal("-c -a fd00::9 --address=10.0.0.1", "IP versions");
	expect_refusal("-c -a 10.0.0.9 --address=10.0.0.1 --gateway=fd00::1", "IP versions");
	expect_refusal("-c -P -a 10.0.0.9 --address=10.0.0.1", "-P");
	expect_refusal("-s -a 10.0.0.9 -I 10.0.0.9", "-I is for -c");
	expect_refusal("-s -a host", "-a host");
	expect_refusal("-c -q", "-q");
	expect_refusal("-c -Q", "-Q");
	expect_refusal("-c -S 22", "23 to 65535");
	expect_refusal("-c -S 65536", "23 to 65535");
	expect_refusal("-c -C -1", "-C -1");
	expect_refusal("-c -C 2147483648", "-C 2147483648");
	expect_refusal("-c -p 0", "-p 0");
	expect_refusal("-c -p", "'-p' needs a value");
	expect_refusal("-c -x", "'-x'");
	expect_refusal("-c --address", "'--address' needs a value");
	expect_refusal("-c --bogus", "'--bogus'");
	expect_refusal("-c stray", "'stray'");
}

Test(rping_options, network_is_that_of_ndpmd)
{
	cr_assert(parse("-s --address=10.0.0.1/8 --port=3 --vlan=7 --path-mtu=512 "
			"--keepalive=86400000 "
			"--gateway=10.0.0.254 --neighbour=10.0.0.2,02:00:00:00:00:0a"),
		"%s", why);
	cr_assert_eq(options.port.number, 3);
	cr_assert_str_empty(options.port.name);
	cr_assert_eq(options.network.vlan_id, 7);
	cr_assert_eq(options.network.path_mtu, 512);
	cr_assert_eq(options.network.gateway.ss_family, AF_INET);
	cr_assert_eq(options.network.neighbour_count, 1);
	cr_assert_eq(options.network.neighbours[0].mac[5], 0x0a);
	cr_assert_eq(options.network.keepalive_ms, 86400000);
	cr_assert(parse("-s --address=10.0.0.1/8 --port=0000:01:00.0"), "%s", why);
	cr_assert_str_eq(options.port.name, "0000:01:00.0");
	expect_refusal("-s --port=65536", "--port=65536");
	expect_refusal("-s --port=", "--port=");
	expect_refusal("-s --path-mtu=1000", "--path-mtu=1000");
	expect_refusal("-s --keepalive=-1", "--keepalive=-1");
	expect_refusal("-s --keepalive=86400001", "--keepalive=86400001");
	expect_refusal("-s --neighbour=10.0.0.2", "--neighbour=10.0.0.2");
	expect_refusal("-s --vlan=4095", "--vlan=4095");
}

Test(rping_options, help_and_version_need_nothing_else)
{
	cr_assert(parse("--help"), "%s", why);
	cr_assert(options.help);
	cr_assert(parse("--version"), "%s", why);
	cr_assert(options.version);
}
