/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * WRITEs of one endpoint to another in the same thread, over two rings, through the public API:
 * depth 1 is a round trip (posted, received, placed, acknowledged, completed), at depth 64 the
 * requests of a batch share bursts, acknowledgements and completions, and what is given is the time
 * per request.
 *
 * Floor: frames of the same size through the same ports with the same bursts. Each is copied into
 * a buffer of a pool and its CRC is made, it crosses the ring, its CRC is made again and its
 * payload is copied out. One frame of each burst goes back over the other ring, as an
 * acknowledgement does; at depth 1 that is every frame.
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
#include "loop_pair.h"
#include "wire/header.h"

/** Ethernet, IPv4, UDP, BTH, RETH. */
#define HEADER_BYTES    (14u + 20u + 8u + sizeof(struct wire_bth) + sizeof(struct wire_reth))
#define TRAILER_BYTES   4u
#define FRAME_BYTES_MAX (HEADER_BYTES + LOOP_MEMORY_BYTES + TRAILER_BYTES)
#define POOL_MBUFS      1023u

struct transfer {
	uint32_t depth;
	uint32_t bytes;
};

static const struct transfer transfers[] = {
	{1, 8},
	{1, 64},
	{1, 4096},
	{64, 8},
	{64, 64},
	{64, 4096},
};

static struct loop_pair pair;
static struct rte_mempool *pool;

static void
batch_post(uint32_t bytes, uint32_t count)
{
	static struct nd_result results[LOOP_DEPTH_MAX];
	struct loop_side *side = &pair.side[0];
	const struct nd_sge sge = {.address = side->memory, .length = bytes, .mr = side->mr};
	nd_status status = ND_SUCCESS;

	nd_endpoint_start_request_batch(side->endpoint);
	for (uint32_t i = 0; i < count && status == ND_SUCCESS; i++)
		status =
			nd_endpoint_write(side->endpoint, &results[i], &sge, 1, &pair.window, 0, 0);
	nd_endpoint_submit_request_batch(side->endpoint);
	BENCH_REQUIRE(status == ND_SUCCESS);
}

static void
batch_complete(uint32_t count)
{
	struct nd_result *results[LOOP_DEPTH_MAX];
	size_t got, done = 0;

	while (done < count) {
		nd_engine_poll(pair.side[1].engine);
		nd_engine_poll(pair.side[0].engine);
		got = nd_cq_get_results(pair.side[0].outbound, results, LOOP_DEPTH_MAX);
		for (size_t i = 0; i < got; i++)
			BENCH_REQUIRE(results[i]->status == ND_SUCCESS);
		done += got;
	}
}

static void
write_run(void *arg, uint32_t iterations)
{
	const struct transfer *transfer = arg;
	uint32_t count;

	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN(transfer->depth, iterations - done);
		batch_post(transfer->bytes, count);
		batch_complete(count);
	}
	loop_pair_quiet(&pair);
}

static void
frame_make(struct rte_mbuf *mbuf, uint32_t frame_bytes)
{
	static const uint8_t source[FRAME_BYTES_MAX];
	char *frame = rte_pktmbuf_append(mbuf, (uint16_t)frame_bytes);
	uint32_t crc, covered = frame_bytes - TRAILER_BYTES;

	memcpy(frame, source, covered);
	crc = crc32_gzip_refl(0, (const uint8_t *)frame, covered);
	memcpy(frame + covered, &crc, sizeof(crc));
}

/** @return whether its CRC is right. */
static bool
frame_take(const struct rte_mbuf *mbuf)
{
	const uint8_t *frame = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	uint32_t crc, covered = rte_pktmbuf_pkt_len(mbuf) - TRAILER_BYTES;

	memcpy(&crc, frame + covered, sizeof(crc));
	memcpy(pair.side[1].memory, frame + HEADER_BYTES, covered - HEADER_BYTES);
	return crc == crc32_gzip_refl(0, frame, covered);
}

/** Takes one burst at the far end and sends its last frame back. @return frames taken. */
static uint32_t
burst_answer(void)
{
	uint16_t port_id = pair.side[1].port_id;
	struct rte_mbuf *mbufs[LIMIT_BURST];
	uint16_t count = rte_eth_rx_burst(port_id, 0, mbufs, LIMIT_BURST);
	uint32_t bad_count = 0;

	BENCH_REQUIRE(count > 0);
	for (uint16_t i = 0; i < count; i++)
		bad_count += !frame_take(mbufs[i]);
	BENCH_REQUIRE(bad_count == 0);
	BENCH_REQUIRE(rte_eth_tx_burst(port_id, 0, &mbufs[count - 1], 1) == 1);
	rte_pktmbuf_free_bulk(mbufs, count - 1u);
	return count;
}

static void
frames_move(uint32_t bytes, uint32_t count)
{
	uint16_t port_id = pair.side[0].port_id, answers;
	struct rte_mbuf *mbufs[LOOP_DEPTH_MAX];
	uint32_t taken = 0;

	for (uint32_t i = 0; i < count; i++) {
		mbufs[i] = rte_pktmbuf_alloc(pool);
		BENCH_REQUIRE(mbufs[i] != NULL);
		frame_make(mbufs[i], HEADER_BYTES + bytes + TRAILER_BYTES);
	}
	BENCH_REQUIRE(rte_eth_tx_burst(port_id, 0, mbufs, (uint16_t)count) == count);
	while (taken < count)
		taken += burst_answer();
	answers = rte_eth_rx_burst(port_id, 0, mbufs, LIMIT_BURST);
	rte_pktmbuf_free_bulk(mbufs, answers);
}

static void
frames_run(void *arg, uint32_t iterations)
{
	const struct transfer *transfer = arg;
	uint32_t count;

	for (uint32_t done = 0; done < iterations; done += count) {
		count = RTE_MIN(transfer->depth, iterations - done);
		frames_move(transfer->bytes, count);
	}
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

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 500, .iterations = 1024};
	struct bench_row rows[2 * RTE_DIM(transfers)];
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	pool = rte_pktmbuf_pool_create("bench_loop", POOL_MBUFS, 256, 0,
		RTE_PKTMBUF_HEADROOM + FRAME_BYTES_MAX, SOCKET_ID_ANY);
	BENCH_REQUIRE(pool != NULL);
	loop_pair_open(&pair, LOOP_WINDOWS_FEW);
	for (size_t i = 0; i < RTE_DIM(transfers); i++) {
		row_make(&rows[2 * i], "frames", &transfers[i], frames_run);
		row_make(&rows[2 * i + 1], "write", &transfers[i], write_run);
	}
	bench_run(&bench, rows, RTE_DIM(rows));
	return EXIT_SUCCESS;
}
