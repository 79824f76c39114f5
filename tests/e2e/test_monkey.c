/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Make random calls in random states, with fixed seeds. No call may crash, hang or leak.
 * monkey_check.c contains the other checks: for example, each flushed request has exactly one
 * result (B-058). All kinds of calls occur in all states, also in callbacks (B-100), and endpoints
 * are released while their timers run (B-042).
 */

#include <string.h>

#include <criterion/criterion.h>

#include "monkey.h"

#define CALLS_PER_RUN   3000
#define SEEDS_PER_TEST  10
#define TIMEOUT_SECONDS 200

static void
run(uint64_t seed)
{
	static struct monkey monkey;

	memset(&monkey.pair, 0, sizeof(monkey.pair));
	monkey_open(&monkey, seed);
	while (monkey.calls < CALLS_PER_RUN)
		monkey_turn(&monkey);
	/* Close every third time without releasing the objects first. */
	monkey_close(&monkey, seed % 3 != 0);
	cr_log_info("seed %llu: %u calls, %u requests, %u connections", (unsigned long long)seed,
		monkey.calls, monkey.posted, monkey.connected);
}

TestSuite(monkey, .timeout = TIMEOUT_SECONDS);

/* Each test has its own process, because ethdev ports are scarce and are never released. */

Test(monkey, seeds_1_to_10)
{
	for (uint64_t seed = 1; seed <= SEEDS_PER_TEST; seed++)
		run(seed);
}

Test(monkey, seeds_11_to_20)
{
	for (uint64_t seed = 11; seed < 11 + SEEDS_PER_TEST; seed++)
		run(seed);
}

Test(monkey, seeds_21_to_30)
{
	for (uint64_t seed = 21; seed < 21 + SEEDS_PER_TEST; seed++)
		run(seed);
}
