/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <arpa/inet.h>
#include <string.h>

#include <criterion/criterion.h>
#include <rte_common.h>

#include "ndpmd/options.h"

#define ARGUMENTS_MAX 16

static struct options options;
static char why[256];

/* Split a command line at its spaces and parse it. No argument in these tests contains a space. */
static bool
parse(const char *line)
{
	static char text[512];
	static char program[] = "ndpmd";
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

/** Fail unless the line is refused with a message of one line that contains this word. */
static void
expect_refusal(const char *line, const char *word)
{
	cr_assert_not(parse(line), "'%s' is taken", line);
	cr_assert_not_null(strstr(why, word), "'%s': %s", line, why);
	cr_assert_null(strchr(why, '\n'), "'%s': %s", line, why);
}

Test(options, loopback_has_defaults)
{
	cr_assert(parse("--loopback"), "%s", why);
	cr_assert_eq(options.mode, OPTIONS_MODE_LOOPBACK);
	cr_assert_eq(options.port_count, 0);
	cr_assert_eq(options.op_count, 1);
	cr_assert_eq(options.ops[0], OPTIONS_OP_SEND);
	cr_assert_eq(options.size_bytes, 64);
	cr_assert_eq(options.depth, 64);
	cr_assert_eq(options.qps, 1);
	cr_assert_eq(options.time_ns, 1000000000);
	cr_assert_eq(options.warmup_ns, 100000000);
	cr_assert_eq(options.listen_port, 18515);
}

Test(options, client_measures_ten_seconds)
{
	cr_assert(parse("--client=10.0.0.2 --address=10.0.0.1/16"), "%s", why);
	cr_assert_eq(options.mode, OPTIONS_MODE_CLIENT);
	cr_assert_eq(options.time_ns, 10000000000);
	cr_assert_eq(options.network.prefix_length, 16);
	cr_assert_eq(((struct sockaddr_in *)&options.peer)->sin_addr.s_addr, htonl(0x0a000002));
	cr_assert_eq(((struct sockaddr_in *)&options.network.address)->sin_addr.s_addr,
		htonl(0x0a000001));
}

Test(options, lcores_keep_their_order)
{
	cr_assert(parse("--server --address=10.0.0.1 --lcores=7,0,65535"), "%s", why);
	cr_assert_eq(options.lcore_count, 3);
	cr_assert_eq(options.lcores[0], 7);
	cr_assert_eq(options.lcores[1], 0);
	cr_assert_eq(options.lcores[2], 65535);
	cr_assert(parse("--loopback --lcores=1"), "%s", why);
	cr_assert_eq(options.lcore_count, 1);
	cr_assert(parse("--loopback --lcores=1,0 --qps=2"), "%s", why);
	cr_assert_eq(options.lcore_count, 2);
}

Test(options, iterations_replace_time_and_warmup)
{
	cr_assert(parse("--loopback --iterations=1000"), "%s", why);
	cr_assert_eq(options.time_ns, UINT64_MAX);
	cr_assert_eq(options.warmup_ns, 0);
	cr_assert(parse("--loopback --iterations=1K --time=2.5 --warmup=1"), "%s", why);
	cr_assert_eq(options.iterations, 1024);
	cr_assert_eq(options.time_ns, 2500000000);
	cr_assert_eq(options.warmup_ns, 1000000000);
}

Test(options, sizes_have_suffixes)
{
	static const struct {
		const char *line;
		uint32_t bytes;
	} rows[] = {
		{"--loopback --size=0", 0},
		{"--loopback --size=4096", 4096},
		{"--loopback --size=64K", 65536},
		{"--loopback --size=1m", 1048576},
		{"--loopback --size=1G", 1073741824},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert(parse(rows[i].line), "%s: %s", rows[i].line, why);
		cr_assert_eq(options.size_bytes, rows[i].bytes, "%s: %u", rows[i].line,
			options.size_bytes);
	}
}

Test(options, operations_come_in_order)
{
	cr_assert(parse("--loopback --op=bind,read,write,send,send"), "%s", why);
	cr_assert_eq(options.op_count, 5);
	cr_assert_eq(options.ops[0], OPTIONS_OP_BIND);
	cr_assert_eq(options.ops[1], OPTIONS_OP_READ);
	cr_assert_eq(options.ops[2], OPTIONS_OP_WRITE);
	cr_assert_eq(options.ops[3], OPTIONS_OP_SEND);
	cr_assert_eq(options.ops[4], OPTIONS_OP_SEND);
	cr_assert(parse("--loopback --op=send-imm,write-imm,fetch-add,compare-swap"), "%s", why);
	cr_assert_eq(options.op_count, 4);
	cr_assert_eq(options.ops[0], OPTIONS_OP_SEND_IMM);
	cr_assert_eq(options.ops[1], OPTIONS_OP_WRITE_IMM);
	cr_assert_eq(options.ops[2], OPTIONS_OP_FETCH_ADD);
	cr_assert_eq(options.ops[3], OPTIONS_OP_COMPARE_SWAP);
}

Test(options, atomics_have_8_bytes)
{
	for (unsigned int op = 0; op < OPTIONS_OP_MIX; op++)
		cr_assert_eq(options_op_bytes((enum options_op)op, 100), op < 6 ? 100 : 8, "%s",
			options_op_name((enum options_op)op));
}

Test(options, weights_make_a_mix)
{
	cr_assert(parse("--loopback --op=read:20,send:50,write-imm:100 --size=1,2"), "%s", why);
	cr_assert_eq(options.op_count, 1);
	cr_assert_eq(options.ops[0], OPTIONS_OP_MIX);
	cr_assert_eq(options.weights[OPTIONS_OP_SEND], 50);
	cr_assert_eq(options.weights[OPTIONS_OP_READ], 20);
	cr_assert_eq(options.weights[OPTIONS_OP_WRITE_IMM], 100);
	cr_assert_eq(options.weights[OPTIONS_OP_WRITE], 0);
	cr_assert_eq(options_work_count(&options), 2);
	cr_assert(parse("--loopback --op=read:20 --op=write"), "%s", why);
	cr_assert_eq(options.ops[0], OPTIONS_OP_WRITE);
	cr_assert_eq(options.weights[OPTIONS_OP_READ], 0);
}

Test(options, a_schedule_needs_a_rate)
{
	cr_assert(parse("--loopback --rate=1k --ramp=0.5 --burst=1K"), "%s", why);
	cr_assert_eq(options.ramp_ns, 500000000);
	cr_assert_eq(options.burst, 1024);
	cr_assert_eq(options.warmup_ns, 0);
	cr_assert(parse("--loopback"), "%s", why);
	cr_assert_eq(options.burst, 1);
	expect_refusal("--loopback --rate=1e-300", "0.000001 or more");
	expect_refusal("--loopback --rate=0", "0.000001 or more");
	expect_refusal("--loopback --ramp=1", "--ramp needs a rate");
	expect_refusal("--loopback --burst=2", "--burst needs a rate");
	expect_refusal("--loopback --rate=1k --burst=0", "--burst=0");
	expect_refusal("--loopback --rate=1k --ramp=0", "--ramp=0");
	expect_refusal("--loopback --rate=1k --ramp=3 --time=2", "longer than --time");
	expect_refusal("--loopback --rate=1k --ramp=1 --warmup=1", "--warmup");
	expect_refusal("--loopback --rate=1k --burst=2 --latency", "--latency");
	expect_refusal("--server --address=10.0.0.1 --rate=1k --burst=2", "--rate");
}

Test(options, a_mix_is_of_some_operations)
{
	expect_refusal("--loopback --op=send:1,write", "weight");
	expect_refusal("--loopback --op=send:1,bind:1", "bind takes no weight");
	expect_refusal("--loopback --op=send:1,send:1", "one weight");
	expect_refusal("--loopback --op=send:1:1", "--op=send:1:1");
	expect_refusal("--loopback --op=send:1 --windows=1", "--windows");
}

Test(options, standing_windows_go_with_bind)
{
	cr_assert(parse("--loopback --op=bind"), "%s", why);
	cr_assert_eq(options.windows, 0);
	cr_assert(parse("--loopback --op=send,bind --windows=1M --qps=4"), "%s", why);
	cr_assert_eq(options.windows, 1048576);
}

Test(options, latency_has_depth_one)
{
	cr_assert(parse("--loopback --latency"), "%s", why);
	cr_assert_eq(options.depth, 1);
	cr_assert(parse("--loopback --latency --depth=1"), "%s", why);
	cr_assert_not(parse("--loopback --latency --depth=2"));
}

/* The keepalive is 10 s by default. With --peer-timeout it is 0, so the library chooses it. */
Test(options, keepalive_is_on_unless_refused)
{
	static const struct {
		const char *line;
		uint32_t keepalive_ms;
	} cases[] = {
		{"--loopback", 10000},
		{"--loopback --keepalive=0", 0},
		{"--loopback --keepalive=250", 250},
		{"--loopback --peer-timeout=3000", 0},
		{"--loopback --peer-timeout=3000 --keepalive=250", 250},
	};

	for (size_t i = 0; i < RTE_DIM(cases); i++) {
		struct nd_adapter_config config = {0};

		cr_assert(parse(cases[i].line), "%s: %s", cases[i].line, why);
		config.peer_timeout_ms = options.transport.config.peer_timeout_ms;
		network_configure(&options.network, &config);
		cr_assert_eq(config.keepalive_ms, cases[i].keepalive_ms, "%s: %u", cases[i].line,
			config.keepalive_ms);
	}
}

Test(options, neighbours_and_ipv6_are_read)
{
	static const uint8_t mac[6] = {0x02, 0, 0xff, 0, 0x10, 0x0a};

	cr_assert(parse("--server --address=fd00::1/48 --neighbour=fd00::2,02:00:ff:0:10:0A "
			"--neighbour=10.0.0.1,00:11:22:33:44:55 --gateway=fd00::3 --vlan=7 "
			"--dscp=26 --congestion=dcqcn --ecn --keepalive=500 --path-mtu=1024 "
			"--clients=3 --json=out"),
		"%s", why);
	cr_assert_eq(options.network.address.ss_family, AF_INET6);
	cr_assert_eq(options.network.prefix_length, 48);
	cr_assert_eq(options.network.neighbour_count, 2);
	cr_assert_arr_eq(options.network.neighbours[0].mac, mac, 6);
	cr_assert_eq(options.network.neighbours[1].address.ss_family, AF_INET);
	cr_assert_eq(options.network.gateway.ss_family, AF_INET6);
	cr_assert_eq(options.network.vlan_id, 7);
	cr_assert_eq(options.transport.config.dscp, 26);
	cr_assert_eq(options.network.path_mtu, 1024);
	cr_assert_eq(options.transport.config.congestion, ND_CONGESTION_DCQCN);
	cr_assert(options.transport.config.ecn);
	cr_assert_eq(options.network.keepalive_ms, 500);
	cr_assert_eq(options.clients, 3);
	cr_assert(options.json);
	cr_assert_str_eq(options.json_path, "out");
}

Test(options, help_and_version_need_nothing_else)
{
	cr_assert(parse("--help"), "%s", why);
	cr_assert(options.help);
	cr_assert(parse("--version"), "%s", why);
	cr_assert(options.version);
}

Test(options, perftest_has_the_defaults_of_its_programs)
{
	cr_assert(parse("--loopback --perftest --op=write"), "%s", why);
	cr_assert(options.perftest);
	cr_assert_eq(options.size_bytes, 65536);
	cr_assert_eq(options.depth, 128);
	cr_assert_eq(options.iterations, 5000);
	cr_assert_eq(options.time_ns, UINT64_MAX);
	cr_assert_eq(options.warmup_ns, 0);
	cr_assert(parse("--loopback --perftest --op=read --latency"), "%s", why);
	cr_assert_eq(options.size_bytes, 2);
	cr_assert_eq(options.depth, 1);
	cr_assert_eq(options.iterations, 1000);
	cr_assert(parse("--loopback --perftest --time=2 --size=7 --depth=3"), "%s", why);
	cr_assert_eq(options.size_bytes, 7);
	cr_assert_eq(options.depth, 3);
	cr_assert_eq(options.iterations, 0);
	cr_assert_eq(options.time_ns, 2000000000);
	cr_assert(parse("--server --address=10.0.0.1 --perftest --op=write"), "%s", why);
	cr_assert_eq(options.iterations, 0);
}

Test(options, queue_pairs_are_counted_in_thousands)
{
	cr_assert(parse("--loopback --qps=100K --depth=1"), "%s", why);
	cr_assert_eq(options.qps, 102400);
	cr_assert_not(parse("--loopback --qps=101K"));
	cr_assert(parse("--loopback --perftest --op=write --qps=1024"), "%s", why);
	cr_assert_not(parse("--loopback --perftest --op=write --qps=1025"));
	cr_assert_not_null(strstr(why, "--qps=1024"), "%s", why);
}

Test(options, nonsense_is_refused_with_a_sentence)
{
	static const struct {
		const char *line, *word;
	} rows[] = {
		{"", "--loopback"},
		{"--loopback --server", "--loopback"},
		{"--loopback --bogus", "--bogus"},
		{"-x", "-x"},
		{"--loopback extra", "extra"},
		{"--loopback=1", "loopback"},
		{"--loopback --size", "--size"},
		{"--loopback --size=", "--size="},
		{"--loopback --size=1T", "--size=1T"},
		{"--loopback --size=-1", "--size=-1"},
		{"--loopback --size=2G", "--size=2G"},
		{"--loopback --size=99999999999999999999999", "--size="},
		{"--loopback --size=K", "--size=K"},
		{"--loopback --depth=0", "--depth=0"},
		{"--loopback --depth=1x", "--depth=1x"},
		{"--loopback --qps=102401", "--qps=102401"},
		{"--loopback --op=bind --windows=5M", "--windows=5M"},
		{"--loopback --op=bind --windows=-1", "--windows=-1"},
		{"--loopback --op=bind --qps=1024 --windows=4097", "4097"},
		{"--loopback --op=write,send --windows=1", "--op=bind"},
		{"--loopback --time=0", "--time=0"},
		{"--loopback --time=nan", "--time=nan"},
		{"--loopback --time=1s", "--time=1s"},
		{"--loopback --iterations=0", "--iterations=0"},
		{"--loopback --op=", "--op="},
		{"--loopback --op=send,", "--op=send,"},
		{"--loopback --op=atomic", "--op=atomic"},
		{"--loopback --port=1", "two ports"},
		{"--loopback --port=1,", "--port=1,"},
		{"--loopback --port=1,2,3", "--port=1,2,3"},
		{"--loopback --port=65536,0", "--port=65536,0"},
		{"--loopback --vlan=4095", "--vlan=4095"},
		{"--loopback --path-mtu=1500", "--path-mtu=1500"},
		{"--loopback --congestion=reno", "--congestion=reno"},
		{"--loopback --keepalive=-1", "--keepalive=-1"},
		{"--loopback --keepalive=86400001", "--keepalive=86400001"},
		{"--loopback --dscp=64", "--dscp=64"},
		{"--loopback --json=", "--json="},
		{"--loopback --address=1.2.3.4", "--address"},
		{"--loopback --neighbour=1.2.3.4", "--neighbour=1.2.3.4"},
		{"--loopback --neighbour=1.2.3.4,1:2:3:4:5", "--neighbour=1.2.3.4,1:2:3:4:5"},
		{"--loopback --neighbour=1.2.3.4,1:2:3:4:5:678", "--neighbour="},
		{"--loopback --clients=1", "--clients"},
		{"--server", "--address"},
		{"--client=10.0.0.1", "--address"},
		{"--client=", "--client="},
		{"--client=nowhere --address=10.0.0.1", "--client=nowhere"},
		{"--client=fd00::1 --address=10.0.0.1", "IP version"},
		{"--client=10.0.0.1 --address=10.0.0.2/33", "--address=10.0.0.2/33"},
		{"--client=10.0.0.1 --address=10.0.0.2 --gateway=fd00::1", "IP version"},
		{"--server --address=10.0.0.1 --port=0,1", "two ports"},
		{"--server --address=10.0.0.1 --iterations=5", "--iterations"},
		{"--server --address=10.0.0.1 --perftest --iterations=5", "--iterations"},
		{"--loopback --perftest --op=bind", "--perftest"},
		{"--loopback --perftest --op=read,write", "--perftest"},
		{"--loopback --perftest --size=0", "--size=0"},
		{"--loopback --perftest --latency --qps=2", "--qps"},
		{"--loopback --perftest --verify", "--verify"},
		{"--loopback --perftest --time=1 --iterations=1", "--time"},
		{"--loopback --perftest --iterations=1 --warmup=1", "--warmup"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_refusal(rows[i].line, rows[i].word);
}

Test(options, settings_without_effect_are_refused)
{
	expect_refusal("--loopback --congestion=none --ecn", "--ecn");
	expect_refusal("--loopback --congestion=none --initial-window=8", "--initial-window");
	expect_refusal("--loopback --swift-target=50", "--swift-target");
	expect_refusal("--server --address=10.0.0.2/0", "--address=10.0.0.2/0");
}

Test(options, lcores_are_different_and_have_queue_pairs)
{
	static const struct {
		const char *line, *word;
	} rows[] = {
		{"--loopback --lcores=0,1", "--qps must be 2"},
		{"--loopback --lcores=0,1,2 --qps=2", "--qps must be 3"},
		{"--server --address=10.0.0.1 --lcores=", "--lcores="},
		{"--server --address=10.0.0.1 --lcores=1,1", "--lcores=1,1"},
		{"--server --address=10.0.0.1 --lcores=1,65536", "--lcores=1,65536"},
		{"--server --address=10.0.0.1 --lcores=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16",
			"--lcores=0,1"},
		{"--client=10.0.0.2 --address=10.0.0.1 --lcores=0,1,2 --qps=2", "--qps must be 3"},
		{"--client=10.0.0.2 --address=10.0.0.1 --lcores=0,1 --qps=2 --perftest",
			"one lcore"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_refusal(rows[i].line, rows[i].word);
}

Test(options, commands_come_from_one_of_three_places)
{
	cr_assert(parse("--loopback"), "%s", why);
	cr_assert_not(options_has_commands(&options));
	cr_assert(parse("--loopback -i"), "%s", why);
	cr_assert(options.interactive && options_has_commands(&options));
	cr_assert(parse("--loopback --cmdline-file=x"), "%s", why);
	cr_assert_str_eq(options.cmdline_file, "x");
	cr_assert(options_has_commands(&options));
	cr_assert(parse("--server --address=10.0.0.1 --control=/run/x"), "%s", why);
	cr_assert_str_eq(options.control_path, "/run/x");
	cr_assert(options_has_commands(&options));
	expect_refusal("--loopback --control=", "107 characters");
	expect_refusal("--loopback --cmdline-file=", "expected a file name");
	expect_refusal("--loopback --perftest --interactive", "--perftest takes no commands");
}

/* After a line was parsed, single options are changed. A refused change has no effect. */
Test(options, one_option_is_changed_at_a_time)
{
	struct options before;

	cr_assert(parse("--loopback --latency --time=3"), "%s", why);
	cr_assert_eq(options.depth, 1);
	before = options;
	cr_assert_not(options_change(&options, "depth", "2", why, sizeof(why)));
	cr_assert_not_null(strstr(why, "--depth must be 1"), "%s", why);
	cr_assert_not(options_change(&options, "size", "huge", why, sizeof(why)));
	cr_assert_not(options_change(&options, "nonsense", "1", why, sizeof(why)));
	cr_assert_arr_eq(&options, &before, sizeof(options));
	cr_assert(options_change(&options, "op", "write,read", why, sizeof(why)), "%s", why);
	cr_assert_eq(options.op_count, 2);
	cr_assert_eq(options.time_ns, UINT64_C(3000000000));
	/*
	 * If a program has changed members directly, options_complete() sets the defaults that
	 * depend on them.
	 */
	options.latency = options.time_given = false;
	cr_assert(options_complete(&options, why, sizeof(why)), "%s", why);
	cr_assert_eq(options.depth, 64);
	cr_assert_eq(options.time_ns, UINT64_C(1000000000));
	cr_assert(options_change(&options, "iterations", "5", why, sizeof(why)), "%s", why);
	cr_assert_eq(options.time_ns, UINT64_MAX);
}

Test(options, one_mode_is_chosen)
{
	expect_refusal("--loopback --server --loopback", "choose one of");
	expect_refusal("--loopback --client=10.0.0.1 --address=10.0.0.2", "choose one of");
	expect_refusal("--client=10.0.0.1 --server --address=10.0.0.2", "choose one of");
	cr_assert(parse("--server --address=10.0.0.2 --server"), "%s", why);
	cr_assert_eq(options.mode, OPTIONS_MODE_SERVER);
}

Test(options, a_refusal_says_what_is_expected)
{
	expect_refusal("--loopback --windows=5M", "expected 0 to 4M, suffix K or M allowed");
	expect_refusal("--loopback --size=x", "expected 0 to 1G, suffix K, M or G allowed");
	expect_refusal("--loopback --qps=0", "expected 1 to 100K, suffix K allowed");
	expect_refusal("--loopback --iterations=0", "expected a number above 0");
	expect_refusal("--loopback --time=0", "expected a number of seconds above 0");
	expect_refusal("--loopback --warmup=-1", "expected a number of seconds");
	expect_refusal("--loopback --path-mtu=768", "expected 256, 512, 1024, 2048 or 4096");
	expect_refusal("--loopback --congestion=x", "expected loss-window, none, dcqcn or swift");
	expect_refusal("--loopback --gateway=x", "expected an IPv4 or IPv6 address");
}

static void
expect_sizes(const char *line, const uint32_t *sizes, unsigned int count)
{
	cr_assert(parse(line), "%s: %s", line, why);
	cr_assert_eq(options.size_count, count, "%s: %u", line, options.size_count);
	cr_assert_arr_eq(options.sizes, sizes, count * sizeof(*sizes), "%s", line);
	cr_assert_eq(options.size_bytes, sizes[0], "%s", line);
}

Test(options, sizes_are_lists_and_sweeps)
{
	expect_sizes("--loopback --size=8,64,4096", (uint32_t[]){8, 64, 4096}, 3);
	expect_sizes("--loopback --size=1K:4K:x2", (uint32_t[]){1024, 2048, 4096}, 3);
	expect_sizes("--loopback --size=8:100:x3", (uint32_t[]){8, 24, 72}, 3);
	expect_sizes("--loopback --size=0:2K:+1K,7", (uint32_t[]){0, 1024, 2048, 7}, 4);
	expect_sizes("--loopback --size=5:5:x2", (uint32_t[]){5}, 1);
	expect_sizes("--loopback --size=1,2 --size=3", (uint32_t[]){3}, 1);
	expect_refusal("--loopback --size=0:8:x2", "--size=0:8:x2");
	expect_refusal("--loopback --size=8:4:x2", "--size=8:4:x2");
	expect_refusal("--loopback --size=8:64:x1", "--size=8:64:x1");
	expect_refusal("--loopback --size=8:64:+0", "--size=8:64:+0");
	expect_refusal("--loopback --size=8:64", "--size=8:64");
	expect_refusal("--loopback --size=8:64:", "--size=8:64:");
	expect_refusal("--loopback --size=8:64:2", "--size=8:64:2");
	expect_refusal("--loopback --size=1:65:+1", "up to 64 of them");
	expect_refusal("--loopback --size=8,", "--size=8,");
	expect_refusal("--loopback --size=1G:2G:x2", "--size=1G:2G:x2");
	expect_refusal("--loopback --perftest --size=8,64", "one --size");
}

Test(options, each_operation_has_each_size)
{
	cr_assert(parse("--loopback --op=send,fetch-add,read --size=16,32"), "%s", why);
	cr_assert_eq(options_work_count(&options), 5);
	cr_assert_eq(options_work(&options, 1).op, OPTIONS_OP_SEND);
	cr_assert_eq(options_work(&options, 1).size_bytes, 32);
	cr_assert_eq(options_work(&options, 2).op, OPTIONS_OP_FETCH_ADD);
	cr_assert_eq(options_work(&options, 2).size_bytes, 8);
	cr_assert_eq(options_work(&options, 3).op, OPTIONS_OP_READ);
	cr_assert_eq(options_work(&options, 3).size_bytes, 16);
	cr_assert_eq(options_work(&options, 4).size_bytes, 32);
}

Test(options, rates_are_of_messages_or_bits_of_all_or_each)
{
	static const struct {
		const char *line;
		/* rate of each of 4 queue pairs in messages of 1000 bytes per second */
		double per_qp;
	} rows[] = {
		{"--loopback --size=1000 --qps=4 --rate=100k", 25000},
		{"--loopback --size=1000 --qps=4 --rate=0.5M/qp", 500000},
		{"--loopback --size=1000 --qps=4 --rate=2Gbps", 62500},
		{"--loopback --size=1000 --qps=4 --rate=8000bps/qp", 1},
		{"--loopback --size=1000 --qps=4 --rate=3", 0.75},
		{"--loopback --size=1000 --qps=4", 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert(parse(rows[i].line), "%s: %s", rows[i].line, why);
		const struct options_work work = options_work(&options, 0);

		cr_assert_float_eq(options_rate_per_qp(&options, &work), rows[i].per_qp, 1e-6, "%s",
			rows[i].line);
	}
	expect_refusal("--loopback --rate=0", "--rate=0");
	expect_refusal("--loopback --rate=-1", "--rate=-1");
	expect_refusal("--loopback --rate=nan", "--rate=nan");
	expect_refusal("--loopback --rate=1x", "--rate=1x");
	expect_refusal("--loopback --rate=1Gb", "--rate=1Gb");
	expect_refusal("--loopback --rate=1k/q", "--rate=1k/q");
	expect_refusal("--loopback --rate=1e13", "--rate=1e13");
	expect_refusal("--loopback --rate=1Gbps --size=64,0", "--size=0");
	expect_refusal("--loopback --perftest --rate=1k", "--rate");
	expect_refusal("--server --address=10.0.0.1 --rate=1k", "--rate");
	expect_refusal("--server --address=10.0.0.1 --interval=1", "--interval");
	expect_refusal("--loopback --interval=0.001", "0.01 or more");
	cr_assert(parse("--loopback --interval=0.5"), "%s", why);
	cr_assert_eq(options.interval_ns, 500000000);
}

Test(options, faults_are_given_by_one_text)
{
	cr_assert(parse("--loopback"), "%s", why);
	cr_assert_null(options.inject_text);
	cr_assert(parse("--loopback --inject=drop:2%,seed:3"), "%s", why);
	cr_assert_not_null(options.inject_text);
	cr_assert_float_eq(options.inject.rates[INJECT_DROP], 0.02, 1e-12);
	cr_assert_eq(options.inject.seed, 3);
	expect_refusal("--loopback --inject=drop:200%", "more than 100%");
	expect_refusal("--loopback --inject", "needs a value");
}
