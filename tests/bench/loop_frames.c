/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "loop_frames.h"

#include <string.h>

#include <isa-l/crc.h>

#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>

#include "base/limits.h"
#include "bench.h"
#include "wire/header.h"
#include "wire/icrc.h"

#define ETHER_BYTES     14u
/** Length of the headers Ethernet, IPv4, UDP, BTH and RETH. */
#define HEADER_BYTES    (ETHER_BYTES + 28u + sizeof(struct wire_bth) + sizeof(struct wire_reth))
#define TRAILER_BYTES   4u
#define FRAME_BYTES_MAX (HEADER_BYTES + LOOP_PATH_MTU + TRAILER_BYTES)
#define POOL_MBUFS      1023u

void
loop_frames_open(struct loop_frames *frames)
{
	static uint32_t serial;
	char name[BENCH_NAME_BYTES];

	bench_name(name, "bench_frames", serial++);
	frames->pool = rte_pktmbuf_pool_create(
		name, POOL_MBUFS, 256, 0, RTE_PKTMBUF_HEADROOM + FRAME_BYTES_MAX, SOCKET_ID_ANY);
	frames->source = rte_zmalloc("bench_source", HEADER_BYTES + frames->pair->memory_bytes, 0);
	BENCH_REQUIRE(frames->pool != NULL && frames->source != NULL);
}

static inline uint32_t
frame_crc(const struct loop_frames *frames, const uint8_t *frame, uint32_t covered)
{
	if (frames->by_kernel)
		return wire_icrc_whole(frame + ETHER_BYTES, covered - ETHER_BYTES, false);
	return crc32_gzip_refl(0, frame, covered);
}

static inline void
frame_make(const struct loop_frames *frames, struct rte_mbuf *mbuf, uint32_t offset, uint32_t bytes)
{
	uint32_t crc, covered = HEADER_BYTES + bytes;
	char *frame;

	/*
	 * Put the headers into the headroom, as the library does. Then the payload begins at a
	 * cache line.
	 */
	if (frames->by_kernel)
		mbuf->data_off = (uint16_t)(mbuf->data_off - HEADER_BYTES);
	frame = rte_pktmbuf_append(mbuf, (uint16_t)(covered + TRAILER_BYTES));
	memcpy(frame, frames->source + offset, covered);
	crc = frame_crc(frames, (const uint8_t *)frame, covered);
	memcpy(frame + covered, &crc, sizeof(crc));
}

static inline bool
frame_take(const struct loop_frames *frames, const struct rte_mbuf *mbuf, uint32_t offset)
{
	const uint8_t *frame = rte_pktmbuf_mtod(mbuf, const uint8_t *);
	uint32_t crc, covered = rte_pktmbuf_pkt_len(mbuf) - TRAILER_BYTES;

	memcpy(&crc, frame + covered, sizeof(crc));
	memcpy(frames->pair->side[1].memory + offset, frame + HEADER_BYTES, covered - HEADER_BYTES);
	return crc == frame_crc(frames, frame, covered);
}

void
loop_frames_send(const struct loop_frames *frames, const struct loop_burst *burst)
{
	uint16_t count = (uint16_t)burst->count;
	struct rte_mbuf *mbufs[LOOP_DEPTH_MAX];
	uint32_t offset = burst->offset;

	for (uint16_t i = 0; i < count; i++, offset += burst->step) {
		mbufs[i] = rte_pktmbuf_alloc(frames->pool);
		BENCH_REQUIRE(mbufs[i] != NULL);
		frame_make(frames, mbufs[i], offset, burst->bytes);
	}
	BENCH_REQUIRE(rte_eth_tx_burst(frames->pair->side[0].port_id, frames->pair->queue_id, mbufs,
			      count) == count);
}

uint32_t
loop_frames_answer(const struct loop_frames *frames, const struct loop_burst *burst, uint32_t taken)
{
	uint16_t port_id = frames->pair->side[1].port_id, queue_id = frames->pair->queue_id, first;
	struct rte_mbuf *mbufs[LIMIT_BURST];
	uint16_t count = rte_eth_rx_burst(port_id, queue_id, mbufs, LIMIT_BURST);
	uint32_t bad_count = 0, offset = burst->offset + taken * burst->step;

	BENCH_REQUIRE(count > 0);
	for (uint16_t i = 0; i < count; i++, offset += burst->step)
		bad_count += !frame_take(frames, mbufs[i], offset);
	BENCH_REQUIRE(bad_count == 0);
	first = frames->answers_all ? 0 : count - 1;
	BENCH_REQUIRE(
		rte_eth_tx_burst(port_id, queue_id, &mbufs[first], count - first) == count - first);
	rte_pktmbuf_free_bulk(mbufs, first);
	return count;
}

uint32_t
loop_frames_finish(const struct loop_frames *frames)
{
	struct rte_mbuf *mbufs[LIMIT_BURST];
	uint16_t count = rte_eth_rx_burst(
		frames->pair->side[0].port_id, frames->pair->queue_id, mbufs, LIMIT_BURST);

	rte_pktmbuf_free_bulk(mbufs, count);
	return count;
}

static void
burst_move(const struct loop_frames *frames, const struct loop_burst *burst)
{
	uint32_t taken = 0, answers = 0, finished = 0;

	loop_frames_send(frames, burst);
	while (taken < burst->count) {
		taken += loop_frames_answer(frames, burst, taken);
		answers++;
	}
	if (frames->answers_all)
		answers = taken;
	while (finished < answers)
		finished += loop_frames_finish(frames);
}

void
loop_frames_move(const struct loop_frames *frames, uint32_t bytes, uint32_t count)
{
	if (bytes <= LOOP_PATH_MTU) {
		burst_move(frames, &(struct loop_burst){.bytes = bytes, .count = count});
		return;
	}
	for (uint32_t message = 0; message < count; message++) {
		uint32_t done = 0;

		while (done < bytes) {
			struct loop_burst burst = {
				.offset = done, .step = LOOP_PATH_MTU, .bytes = LOOP_PATH_MTU};

			burst.count =
				RTE_MIN((uint32_t)LOOP_DEPTH_MAX, (bytes - done) / LOOP_PATH_MTU);
			burst_move(frames, &burst);
			done += burst.count * LOOP_PATH_MTU;
		}
	}
}
