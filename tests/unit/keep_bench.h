/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_KEEP_BENCH_H
#define NDPDK_UNIT_KEEP_BENCH_H

#include "unit/responder_bench.h"

#include "base/encoded_time.h"

/*
 * A test bench with a queue pair that keeps requests after a gap. Request i has PSN FIRST_PSN + i.
 */

#define KEEP    32u
#define REORDER UINT64_C(8000)
#define CELL    64u /* bytes per WRITE; each WRITE writes to its own part of the memory */

static inline struct rc_counters *
counters(void)
{
	return &b.peer.ctx.counters;
}

static inline void
defaults(struct rc_peer_options *options)
{
	rc_peer_defaults(options);
	options->keep.mbufs_max = 64;
	options->keep.reorder_ns = REORDER;
	options->connect.keep_packets = KEEP;
}

static inline void
start_keeping(void)
{
	struct rc_peer_options options;

	defaults(&options);
	start_with(&options);
}

/* Send a one-packet WRITE to the CELL bytes of memory that belong to request i. */
static inline void
write_cell(uint32_t i)
{
	struct wire_reth_value at = reth((uint64_t)(i % 128) * CELL, 8);

	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN + i, &at, b.data + i, 8);
}

static inline void
expect_cell(uint32_t i, bool written)
{
	static const uint8_t none[8];

	cr_assert_arr_eq(b.memory + (i % 128) * CELL, written ? b.data + i : none, 8,
		"cell %u is %swritten", i, written ? "not " : "");
}

static inline void
expect_cells(uint32_t from, uint32_t to, bool written)
{
	for (uint32_t i = from; i < to; i++)
		expect_cell(i, written);
}

static inline void
expect_nak(uint32_t i)
{
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_SEQUENCE, FIRST_PSN + i);
}

static inline void
expect_ack(uint32_t i)
{
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + i);
}

static inline void
expect_nothing(void)
{
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
}

static inline void
wait_ns(uint64_t ns)
{
	b.peer.now_ns += ns;
}

/* Fail unless the store is empty after these numbers of packets were executed and dropped. */
static inline void
expect_all_gone(uint64_t executed, uint64_t dropped)
{
	cr_assert_eq(counters()->rx_kept_executed, executed);
	cr_assert_eq(counters()->rx_kept_dropped, dropped);
	cr_assert_eq(counters()->rx_kept, executed + dropped);
	cr_assert_eq(b.peer.ctx.keep->mbufs, 0);
	cr_assert_not(b.peer.qp->responder.keeping);
}

#endif
