/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "rc/rtt.h"
#include "rc/timer.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

/* RC-115: the numbers of RFC 6298, section 2. */
Test(rtt, samples_are_smoothed)
{
	struct rc_rtt rtt = {0};

	cr_assert_not(rc_rtt_known(&rtt));
	rc_rtt_sample(&rtt, 80 * US);
	cr_assert(rc_rtt_known(&rtt));
	cr_assert_eq(rtt.smoothed_ns, 80 * US);
	cr_assert_eq(rtt.variation_ns, 40 * US);
	rc_rtt_sample(&rtt, 160 * US);
	cr_assert_eq(rtt.smoothed_ns, 90 * US);
	cr_assert_eq(rtt.variation_ns, 50 * US, "3/4 of 40 and 1/4 of the distance from 80");
	rc_rtt_sample(&rtt, 10 * US);
	cr_assert_eq(rtt.smoothed_ns, 80 * US);
	cr_assert_eq(rtt.variation_ns, 57500);
	cr_assert_eq(rtt.min_ns, 10 * US);
}

/* A clock that does not move between packet and answer is no reason for a wait of nothing. */
Test(rtt, sample_of_nothing_counts)
{
	struct rc_rtt rtt = {0};

	for (unsigned i = 0; i < 100; i++)
		rc_rtt_sample(&rtt, 0);
	cr_assert(rc_rtt_known(&rtt));
	cr_assert_eq(rc_rtt_probe_ns(&rtt), 50 * US);
}

/* RC-104: two round trips and their variation; a floor; a guess as long as nothing is known. */
Test(rtt, probe_waits_for_two_round_trips)
{
	struct rc_rtt rtt = {0};

	cr_assert_eq(rc_rtt_probe_ns(&rtt), 5 * MS);
	rc_rtt_sample(&rtt, 100 * US);
	cr_assert_eq(rc_rtt_probe_ns(&rtt), 400 * US);
	for (unsigned i = 0; i < 100; i++)
		rc_rtt_sample(&rtt, 100 * US);
	cr_assert_leq(rc_rtt_probe_ns(&rtt), 210 * US);
	cr_assert_geq(rc_rtt_probe_ns(&rtt), 205 * US);
	for (unsigned i = 0; i < 100; i++)
		rc_rtt_sample(&rtt, 5 * US);
	cr_assert_eq(rc_rtt_probe_ns(&rtt), 50 * US);
}

/* RC-115: of a peer that takes 0.2 ms and 50 ms in turns, the long answers are waited for. */
Test(rtt, slow_peer_has_a_long_wait)
{
	struct rc_rtt rtt = {0};

	for (unsigned i = 0; i < 50; i++) {
		rc_rtt_sample(&rtt, 200 * US);
		rc_rtt_sample(&rtt, 50 * MS);
	}
	cr_assert_gt(rc_rtt_probe_ns(&rtt), 50 * MS);
}

/* ---- the timer that uses it ---- */

#define ENCODED_NS (UINT64_C(4096) << 8)

/* Expires at its deadline. @return when */
static uint64_t
expire(struct rc_timer *timer, enum rc_timer_kind kind)
{
	uint64_t now_ns = rc_timer_deadline(timer);

	cr_assert_eq(rc_timer_expire(timer, now_ns - 1), RC_TIMER_IDLE);
	cr_assert_eq(rc_timer_expire(timer, now_ns), kind);
	return now_ns;
}

/*
 * RC-104, RC-115: early expiries double, and end where the first try would have been; from there on
 * the timer is as any other.
 */
Test(rtt, early_expiries_end_at_the_first_try)
{
	struct rc_timer timer;
	struct rc_timer_early early;
	uint64_t now_ns = 7, wait_ns = 100 * US;
	unsigned count = 0;

	rc_timer_init(&timer, 8);
	rc_timer_adapt(&timer, &early);
	rc_timer_early_begin(&timer, &early, wait_ns);
	rc_timer_request_sent(&timer, now_ns);
	while (timer.early) {
		cr_assert_eq(rc_timer_deadline(&timer), now_ns + wait_ns);
		cr_assert_not(rc_timer_counts(&timer));
		now_ns = expire(&timer, RC_TIMER_EARLY);
		cr_assert(rc_timer_early_next(&timer, &early, now_ns));
		wait_ns *= 2;
		count++;
	}
	cr_assert_eq(count, 3, "after 100, 300, 700 us");
	for (unsigned factor = 1; factor <= 4; factor *= 2) {
		cr_assert(rc_timer_counts(&timer));
		now_ns = expire(&timer, RC_TIMER_ACK);
		rc_timer_request_sent(&timer, now_ns);
	}
	cr_assert_eq(now_ns, 7 + 7 * ENCODED_NS, "1 + 2 + 4 intervals: as without early expiries");
}

/* An engine that was away until behind the first try has no early expiries to make up for. */
Test(rtt, late_expiry_is_a_try)
{
	struct rc_timer timer;
	struct rc_timer_early early;

	rc_timer_init(&timer, 8);
	rc_timer_adapt(&timer, &early);
	rc_timer_early_begin(&timer, &early, 100 * US);
	rc_timer_request_sent(&timer, 0);
	cr_assert_eq(rc_timer_expire(&timer, ENCODED_NS + 1), RC_TIMER_EARLY);
	cr_assert_not(rc_timer_early_next(&timer, &early, ENCODED_NS + 1));
	rc_timer_request_sent(&timer, ENCODED_NS + 1);
	cr_assert_eq(rc_timer_deadline(&timer), ENCODED_NS + 1 + 2 * ENCODED_NS);
}

/* No ACK timer, no early expiry; nor when the wait is as long as the encoded interval. */
Test(rtt, early_needs_a_longer_encoded_interval)
{
	struct rc_timer timer;
	struct rc_timer_early early;

	rc_timer_init(&timer, 0);
	rc_timer_adapt(&timer, &early);
	rc_timer_early_begin(&timer, &early, 100 * US);
	rc_timer_request_sent(&timer, 0);
	cr_assert_eq(rc_timer_deadline(&timer), BASE_TIME_NEVER);

	rc_timer_init(&timer, 8);
	rc_timer_adapt(&timer, &early);
	rc_timer_early_begin(&timer, &early, ENCODED_NS);
	rc_timer_request_sent(&timer, 0);
	cr_assert_eq(expire(&timer, RC_TIMER_ACK), ENCODED_NS);
}
