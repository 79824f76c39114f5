/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Operations of one endpoint on another in the same thread, over two rings, through the public API:
 * depth 1 is a round trip (posted, received, placed, acknowledged, completed), at depth 64 the
 * requests of a batch share bursts, acknowledgements and completions, and what is given is the time
 * per request, both ends together.
 *
 * Floor: frames of the same size through the same ports with the same bursts. Each is copied into
 * a buffer of a pool and its CRC is made, it crosses the ring, its CRC is made again and its
 * payload is copied out. One frame of each burst goes back over the other ring, as an
 * acknowledgement does; at depth 1 that is every frame. The CRC is that of ISA-L; rows frames_icrc
 * do the same with the library's own kernel.
 *
 * An idle turn is one of an engine with a connection on which nothing happens; its floor asks the
 * port for frames, of which there are none.
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <isa-l/crc.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "base/limits.h"
#include "bench.h"
#include "loop_operation.h"
#include "loop_pair.h"
#include "wire/header.h"
#include "wire/icrc.h"

#define ETHER_BYTES     14u
/** Ethernet, IPv4, UDP, BTH, RETH. */
#define HEADER_BYTES    (ETHER_BYTES + 28u + sizeof(struct wire_bth) + sizeof(struct wire_reth))
#define TRAILER_BYTES   4u
#define FRAME_BYTES_MAX (HEADER_BYTES + LOOP_MEMORY_BYTES + TRAILER_BYTES)
#define POOL_MBUFS      1023u

struct transfer {
	const struct loop_operation *operation;
	uint32_t depth;
	uint32_t bytes;
	bool shares_floor; /**< with a row above it */
};

static const struct transfer transfers[] = {
	{&loop_write, 1, 8, false},
	{&loop_write, 1, 64, false},
	{&loop_write, 1, 4096, false},
	{&loop_write, 64, 8, false},
	{&loop_write, 64, 64, false},
	{&loop_write, 64, 4096, false},
	{&loop_read, 64, 64, true},
	{&loop_send, 64, 64, true},
	{&loop_send_imm, 64, 64, true},
	{&loop_fetch_add, 64, 8, true},
};

static struct loop_pair pair;
static struct rte_mempool *pool;

static void
transfer_run(void *arg, uint32_t iterations)
{
	const struct transfer *transfer = arg;
	uint32_t count;

	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN(transfer->depth, iterations - done);
		loop_operation_run(&pair, transfer->operation, transfer->bytes, count);
	}
	loop_pair_quiet(&pair);
}

static inline uint32_t
frame_crc(const uint8_t *frame, uint32_t covered, bool by_kernel)
{
	if (by_kernel)
		return wire_icrc_whole(frame + ETHER_BYTES, covered - ETHER_BYTES, false);
	return crc32_gzip_refl(0, frame, covered);
}

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

static void
frame_make(struct rte_mbuf *mbuf, uint32_t frame_bytes, bool by_kernel)
{
	static const uint8_t source[FRAME_BYTES_MAX];
	uint32_t crc, covered = frame_bytes - TRAILER_BYTES;
	char *frame;

	/* Headers in the headroom, as the library has them: the payload begins with a line. */
	if (by_kernel)
		mbuf->data_off = (uint16_t)(mbuf->data_off - HEADER_BYTES);
	frame = rte_pktmbuf_append(mbuf, (uint16_t)frame_bytes);
	memcpy(frame, source, covered);
	crc = frame_crc((const uint8_t *)frame, covered, by_kernel);
	memcpy(frame + covered, &crc, sizeof(crc));
}

/** @return whether its CRC is right. */
static bool
frame_take(const struct rte_mbuf *mbuf, bool by_kernel)
{
	const uint8_t *frame = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	uint32_t crc, covered = rte_pktmbuf_pkt_len(mbuf) - TRAILER_BYTES;

	memcpy(&crc, frame + covered, sizeof(crc));
	memcpy(pair.side[1].memory, frame + HEADER_BYTES, covered - HEADER_BYTES);
	return crc == frame_crc(frame, covered, by_kernel);
}

/** Takes one burst at the far end and sends its last frame back. @return frames taken. */
static uint32_t
burst_answer(bool by_kernel)
{
	uint16_t port_id = pair.side[1].port_id;
	struct rte_mbuf *mbufs[LIMIT_BURST];
	uint16_t count = rte_eth_rx_burst(port_id, 0, mbufs, LIMIT_BURST);
	uint32_t bad_count = 0;

	BENCH_REQUIRE(count > 0);
	for (uint16_t i = 0; i < count; i++)
		bad_count += !frame_take(mbufs[i], by_kernel);
	BENCH_REQUIRE(bad_count == 0);
	BENCH_REQUIRE(rte_eth_tx_burst(port_id, 0, &mbufs[count - 1], 1) == 1);
	rte_pktmbuf_free_bulk(mbufs, count - 1u);
	return count;
}

static void
frames_move(uint32_t bytes, uint32_t count, bool by_kernel)
{
	uint16_t port_id = pair.side[0].port_id, answers;
	struct rte_mbuf *mbufs[LOOP_DEPTH_MAX];
	uint32_t taken = 0;

	for (uint32_t i = 0; i < count; i++) {
		mbufs[i] = rte_pktmbuf_alloc(pool);
		BENCH_REQUIRE(mbufs[i] != NULL);
		frame_make(mbufs[i], HEADER_BYTES + bytes + TRAILER_BYTES, by_kernel);
	}
	BENCH_REQUIRE(rte_eth_tx_burst(port_id, 0, mbufs, (uint16_t)count) == count);
	while (taken < count)
		taken += burst_answer(by_kernel);
	answers = rte_eth_rx_burst(port_id, 0, mbufs, LIMIT_BURST);
	rte_pktmbuf_free_bulk(mbufs, answers);
}

static inline void
bursts_move(const struct transfer *transfer, uint32_t iterations, bool by_kernel)
{
	uint32_t count;

	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN(transfer->depth, iterations - done);
		frames_move(transfer->bytes, count, by_kernel);
	}
}

static void
frames_run(void *arg, uint32_t iterations)
{
	bursts_move(arg, iterations, false);
}

static void
frames_icrc_run(void *arg, uint32_t iterations)
{
	bursts_move(arg, iterations, true);
}

static void
row_make(struct bench_row *row, const char *what, const struct transfer *transfer,
	void (*run)(void *arg, uint32_t iterations))
{
	*row = (struct bench_row){.run = run, .arg = (void *)(uintptr_t)transfer};
	snprintf(row->name, sizeof(row->name), "%s_%u_depth_%u", what, transfer->bytes,
		transfer->depth);
	snprintf(row->floor, sizeof(row->floor), "frames_%u_depth_%u", transfer->bytes,
		transfer->depth);
}

/** @return how many rows were made: of transfers and their floors, and of turns. */
static size_t
rows_make(struct bench_row *rows)
{
	size_t count = 0;

	for (size_t i = 0; i < RTE_DIM(transfers); i++) {
		const struct transfer *transfer = &transfers[i];

		if (!transfer->shares_floor) {
			row_make(&rows[count++], "frames", transfer, frames_run);
			row_make(&rows[count++], "frames_icrc", transfer, frames_icrc_run);
		}
		row_make(&rows[count++], transfer->operation->name, transfer, transfer_run);
	}
	rows[count++] = (struct bench_row){
		.name = "ask_none", .floor = "ask_none", .run = ask_run, .arg = &pair};
	rows[count++] = (struct bench_row){
		.name = "turn_idle", .floor = "ask_none", .run = turn_run, .arg = &pair};
	return count;
}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 500, .iterations = 1024};
	struct bench_row rows[3 * RTE_DIM(transfers) + 2];
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	pool = rte_pktmbuf_pool_create("bench_loop", POOL_MBUFS, 256, 0,
		RTE_PKTMBUF_HEADROOM + FRAME_BYTES_MAX, SOCKET_ID_ANY);
	BENCH_REQUIRE(pool != NULL);
	pair.repeatable = bench.repeatable;
	loop_pair_open(&pair, LOOP_WINDOWS_FEW);
	bench_run(&bench, rows, rows_make(rows));
	return EXIT_SUCCESS;
}
