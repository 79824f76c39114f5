/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "base/limits.h"
#include "base/psn.h"
#include "rc/reorder.h"

/* Test the delay of sequence NAKs, which depends on whether earlier NAKs were needed (RC-116). */

#define DELAY_NS UINT64_C(10000)

static struct rc_reorder reorder;
static uint64_t position;

/* Send a NAK for a PSN far beyond the PSN of the previous NAK. @return the PSN */
static uint32_t
nak(void)
{
	uint32_t psn;

	position += LIMIT_SEND_WINDOW;
	psn = (uint32_t)position & PSN_MASK;
	rc_reorder_nak_sent(&reorder, psn, position);
	return psn;
}

/* Send a NAK for a packet, and receive the packet twice, so that the NAK was unnecessary. */
static void
nak_wrong(void)
{
	rc_reorder_repeated(&reorder, nak());
}

static void
start(void)
{
	reorder = (struct rc_reorder){0};
	position = PSN_MASK - 2 * LIMIT_SEND_WINDOW; /* so that PSNs wrap */
}

TestSuite(reorder, .init = start);

Test(reorder, wrong_naks_double_the_packets_up_to_a_bound_rc116)
{
	static const uint32_t packets[] = {6, 12, 24, 48, 64, 64};
	static const uint32_t delays[] = {2, 2, 4, 4, 8, 8};

	cr_assert_eq(rc_reorder_packets(&reorder), RC_REORDER_PACKETS);
	cr_assert_eq(rc_reorder_delay_ns(&reorder, DELAY_NS), DELAY_NS);
	for (size_t i = 0; i < RTE_DIM(packets); i++) {
		nak_wrong();
		cr_assert_eq(rc_reorder_packets(&reorder), packets[i]);
		cr_assert_eq(rc_reorder_delay_ns(&reorder, DELAY_NS), delays[i] * DELAY_NS);
	}
	cr_assert_eq(rc_reorder_delay_ns(&reorder, 0), 0, "NAKs that never wait");
}

/* A NAK was unnecessary if a second copy of its packet arrives. A third copy does not count. */
Test(reorder, only_what_was_named_counts)
{
	uint32_t psn;

	rc_reorder_repeated(&reorder, 0);
	psn = nak();
	rc_reorder_repeated(&reorder, psn_add(psn, 1));
	rc_reorder_repeated(&reorder, psn_add(psn, -1));
	cr_assert_not(rc_reorder_known(&reorder));
	for (unsigned i = 0; i < 3; i++)
		rc_reorder_repeated(&reorder, psn);
	cr_assert_eq(rc_reorder_packets(&reorder), 2 * RC_REORDER_PACKETS);
}

/*
 * A NAK is observed as long as a second copy of its packet may arrive (one send window). Meanwhile,
 * later NAKs are not observed.
 */
Test(reorder, copy_has_the_time_of_a_window)
{
	uint32_t psn = nak();

	for (unsigned i = 1; i < LIMIT_SEND_WINDOW; i += 10)
		rc_reorder_nak_sent(&reorder, psn_add(psn, i), position + i);
	rc_reorder_repeated(&reorder, psn);
	cr_assert(rc_reorder_known(&reorder));
}

Test(reorder, right_naks_halve_the_packets_rc116)
{
	for (unsigned i = 0; i < 3; i++)
		nak_wrong();
	nak();
	for (uint32_t packets = 24; packets > RC_REORDER_PACKETS; packets /= 2) {
		for (unsigned i = 0; i < 15; i++)
			nak();
		cr_assert_eq(rc_reorder_packets(&reorder), packets);
		nak();
		cr_assert_eq(rc_reorder_packets(&reorder), packets / 2);
	}
	for (unsigned i = 0; i < 100; i++)
		nak();
	cr_assert_eq(rc_reorder_packets(&reorder), RC_REORDER_PACKETS);
}
