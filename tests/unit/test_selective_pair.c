/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "support/eal.h"
#include "support/rc_pair.h"

/*
 * Test selective recovery (RC-104, RC-113, RC-114, RC-115) over wires that lose, duplicate and
 * reorder packets. Some peers keep packets after a gap, and others drop them. No request may fail
 * or be executed twice, and the trace of each run must contain no violation.
 */

#define KEEP 64

static const uint16_t pmtus[] = {256, 512, 1024, 2048, 4096};

Test(selective_pair, perfect_wire_needs_no_recovery)
{
	for (unsigned m = 0; m < RTE_DIM(pmtus); m++) {
		const struct rc_counters *a, *b;

		rc_pair_lossy(1, 0, 0, 0);
		rc_pair_recovery(true, KEEP);
		rc_pair_start(pmtus[m], 0xFFFFF0);
		rc_pair_all_sizes(pmtus[m]);
		rc_pair_batches(10);
		a = &rc_pair.a.peer.ctx.counters;
		b = &rc_pair.b.peer.ctx.counters;
		cr_assert_eq(a->retransmitted_packets + b->retransmitted_packets, 0);
		cr_assert_eq(a->probes + b->probes, 0);
		rc_pair_stop();
	}
}

static void
all_sizes(uint16_t keep)
{
	for (unsigned m = 0; m < RTE_DIM(pmtus); m++)
		for (uint64_t seed = 1; seed <= 4; seed++) {
			rc_pair_lossy(seed, 20, 20, (unsigned)seed % 2 * 20);
			rc_pair_recovery(true, keep);
			rc_pair_start(pmtus[m], 0xFFFFF0);
			rc_pair_all_sizes(pmtus[m]);
			cr_assert_gt(rc_pair.a.peer.ctx.counters.retransmitted_packets, 0);
			rc_pair_stop();
		}
}

static void
pipelined(uint16_t keep)
{
	for (uint64_t seed = 100; seed < 140; seed++) {
		rc_pair_lossy(seed, 1 + (unsigned)seed % 4 * 15, 10, (unsigned)seed % 2 * 20);
		rc_pair_recovery(true, keep);
		rc_pair_start(pmtus[seed % RTE_DIM(pmtus)], 0xFFFF00);
		rc_pair_batches(10);
		rc_pair_stop();
	}
}

Test(selective_pair, lossy_wire_to_a_peer_that_goes_back)
{
	all_sizes(0);
}

Test(selective_pair, pipelined_both_ways_to_a_peer_that_goes_back)
{
	pipelined(0);
}

Test(selective_pair, lossy_wire_to_a_peer_that_keeps)
{
	all_sizes(KEEP);
}

Test(selective_pair, pipelined_both_ways_to_a_peer_that_keeps)
{
	pipelined(KEEP);
}

/* @return duration in ns of 300 rounds of requests on a lossy wire */
static uint64_t
loss_takes(bool selective)
{
	uint64_t end_ns;

	rc_pair_lossy(7, 10, 0, 0);
	rc_pair_recovery(selective, 0);
	rc_pair_start(1024, 0xFFFFF0);
	rc_pair_batches(300);
	end_ns = rc_pair.now_ns;
	rc_pair_stop();
	return end_ns;
}

/*
 * RC-104: 1 % of all packets is lost, and the peer keeps no packets after a gap. Selective recovery
 * takes less than half as long as go-back-N.
 */
Test(selective_pair, loss_costs_less_than_with_go_back_n)
{
	cr_assert_lt(2 * loss_takes(true), loss_takes(false));
}
