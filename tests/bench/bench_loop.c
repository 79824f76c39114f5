/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Operations between two endpoints in one thread, over two rings, through the public API.
 *
 * - Depth 1 is a round trip: post, receive, place, acknowledge, complete.
 * - At depth 64, the requests of a batch share bursts, acknowledgements and completions. The value
 *   is the time per request for both ends together.
 * - At depth 16, the number of READs equals an endpoint's read limit, so no READ waits for the
 *   response to an earlier READ.
 *
 * The floor is loop_frames.h. At depth 1, each frame is answered. The floor computes the CRC with
 * ISA-L; rows frames_icrc use the library's kernel instead.
 *
 * An idle turn is one poll of an engine with an idle connection. Its floor polls the port, which
 * has no frames.
 */

#include <stdlib.h>

#include <rte_ethdev.h>

#include "base/limits.h"
#include "bench.h"
#include "loop_transfer.h"

static const struct loop_transfer transfers[] = {
	{&loop_write, 1, 8, false},
	{&loop_write, 1, 64, false},
	{&loop_write, 1, 4096, false},
	{&loop_write, 16, 64, false},
	{&loop_read, 16, 64, true},
	{&loop_write, 64, 8, false},
	{&loop_write, 64, 64, false},
	{&loop_write, 64, 4096, false},
	{&loop_read, 64, 64, true},
	{&loop_send, 64, 64, true},
	{&loop_send_imm, 64, 64, true},
	{&loop_send_srq, 64, 64, true},
	{&loop_fetch_add, 64, 8, true},
};

static void
turn_run(void *arg, uint32_t iterations)
{
	struct loop_pair *over = arg;
	unsigned int moved_count = 0;

	for (uint32_t i = 0; i < iterations; i++)
		moved_count += nd_engine_poll(over->side[0].engine);
	BENCH_REQUIRE(moved_count == 0);
}

static void
ask_run(void *arg, uint32_t iterations)
{
	const struct loop_pair *over = arg;
	struct rte_mbuf *mbufs[LIMIT_BURST];
	unsigned int moved_count = 0;

	for (uint32_t i = 0; i < iterations; i++)
		moved_count += rte_eth_rx_burst(over->side[0].port_id, 0, mbufs, LIMIT_BURST);
	BENCH_REQUIRE(moved_count == 0);
}

/**
 * Make the rows of transfers with their floors, and the rows of idle turns. @return number of rows
 */
static size_t
rows_make(struct bench_row *rows, struct loop_pair *pair)
{
	size_t count = 0;

	for (size_t i = 0; i < RTE_DIM(transfers); i++)
		count += loop_transfer_rows(&transfers[i], &rows[count]);
	rows[count++] = (struct bench_row){
		.name = "ask_none", .floor = "ask_none", .run = ask_run, .arg = pair};
	rows[count++] = (struct bench_row){
		.name = "turn_idle", .floor = "ask_none", .run = turn_run, .arg = pair};
	return count;
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 500, .iterations = 1024};
	struct bench_row rows[LOOP_TRANSFER_ROWS * RTE_DIM(transfers) + 2];
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	bench_run(&bench, rows, rows_make(rows, loop_transfer_open(&bench, 0)));
	return EXIT_SUCCESS;
}
