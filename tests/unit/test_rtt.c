/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "base/random.h"
#include "rc/rtt.h"
#include "rc/timer.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

/* RC-115: samples of the round-trip time are smoothed as in RFC 6298, section 2. */
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
	rc_rtt_sample(&rtt, 70 * US);
	cr_assert_eq(rtt.smoothed_ns, 87500);
	cr_assert_eq(rtt.variation_ns, 42500);
	cr_assert_eq(rtt.min_ns, 70 * US);
}

/*
 * RC-115: the first samples of a connection are often too long, so later shorter samples lower the
 * estimate at once.
 */
Test(rtt, estimate_far_too_long_falls_at_once)
{
	struct rc_rtt rtt = {0};

	rc_rtt_sample(&rtt, 5 * MS);
	for (unsigned i = 0; i < 4; i++)
		rc_rtt_sample(&rtt, 500 * US);
	cr_assert_leq(rtt.smoothed_ns, 1000 * US, "%lu", rtt.smoothed_ns);
}

/*
 * The clock may not have advanced between packet and answer, so the sample is 0. The wait must not
 * become 0.
 */
Test(rtt, sample_of_nothing_counts)
{
	struct rc_rtt rtt = {0};

	for (unsigned i = 0; i < 100; i++)
		rc_rtt_sample(&rtt, 0);
	cr_assert(rc_rtt_known(&rtt));
	cr_assert_eq(rc_rtt_probe_ns(&rtt), 50 * US);
}

/*
 * RC-104: a probe is sent after two round trips plus their variation, but not before a minimum
 * wait. Without samples, an assumed round-trip time is used.
 */
Test(rtt, probe_waits_for_two_round_trips)
{
	struct rc_rtt rtt = {0};

	cr_assert_eq(rc_rtt_probe_ns(&rtt), 5 * MS);
	rc_rtt_sample(&rtt, 100 * US);
	cr_assert_eq(rc_rtt_probe_ns(&rtt), 225 * US);
	for (unsigned i = 0; i < 100; i++)
		rc_rtt_sample(&rtt, 100 * US);
	cr_assert_leq(rc_rtt_probe_ns(&rtt), 210 * US);
	cr_assert_geq(rc_rtt_probe_ns(&rtt), 205 * US);
	for (unsigned i = 0; i < 100; i++)
		rc_rtt_sample(&rtt, 5 * US);
	cr_assert_eq(rc_rtt_probe_ns(&rtt), 50 * US);
}

/* RC-115: if answers alternate between 0.2 ms and 50 ms, the wait must cover the long answers. */
Test(rtt, slow_peer_has_a_long_wait)
{
	struct rc_rtt rtt = {0};

	for (unsigned i = 0; i < 50; i++) {
		rc_rtt_sample(&rtt, 200 * US);
		rc_rtt_sample(&rtt, 50 * MS);
	}
	cr_assert_gt(rc_rtt_probe_ns(&rtt), 50 * MS);
}

/*
 * @return a random time. Half of the times are below half_ns, half of the other times are below 2 *
 * half_ns, and so on.
 */
static uint64_t
noise_ns(struct base_random *random, uint32_t half_ns)
{
	uint64_t ns = base_random_below(random, half_ns);

	while (base_random_below(random, 2) != 0)
		ns += half_ns;
	return ns;
}

static struct base_random
seeded(uint8_t seed)
{
	const uint8_t bytes[BASE_RANDOM_SEED_BYTES] = {seed};
	struct base_random random;

	base_random_seed(&random, bytes);
	return random;
}

/*
 * Pass the round-trip time of an answer as a sample, unless a probe was sent before the answer
 * (Karn's algorithm). @return true if no probe was sent before the answer
 */
static bool
answered(struct rc_rtt *rtt, uint64_t answer_ns)
{
	if (answer_ns > rc_rtt_probe_ns(rtt))
		return false;
	rc_rtt_sample(rtt, answer_ns);
	return true;
}

/*
 * RC-104: the peer is a virtual machine. Its first answers are late, and it pauses for some
 * milliseconds from time to time. Nevertheless a lost packet costs at most four round trips: the
 * wait before a probe is less than three round trips. The answer to the probe takes longer than one
 * round trip, because the machine has gone to sleep.
 */
Test(rtt, noise_does_not_make_the_wait_long)
{
	const uint64_t least_ns = 500 * US, usual_ns = 550 * US;

	for (uint8_t seed = 0; seed < 100; seed++) {
		struct base_random random = seeded(seed);
		struct rc_rtt rtt = {0};

		rc_rtt_sample(&rtt, 4 * MS);
		for (unsigned i = 0; i < 12; i++)
			answered(&rtt, least_ns + noise_ns(&random, 35 * US));
		for (unsigned i = 0; i < 1000; i++) {
			bool away = base_random_below(&random, 20) == 0;

			cr_assert_leq(rc_rtt_probe_ns(&rtt), 11 * usual_ns / 4,
				"seed %u, sample %u: %lu", seed, i, rc_rtt_probe_ns(&rtt));
			answered(&rtt, least_ns + (away ? 4 * MS : noise_ns(&random, 35 * US)));
		}
	}
}

/*
 * RC-104: if round-trip times vary by half, about one of 100 requests causes a probe although
 * nothing was lost.
 */
Test(rtt, few_probes_without_loss)
{
	unsigned count = 0;

	for (uint8_t seed = 0; seed < 100; seed++) {
		struct base_random random = seeded(seed);
		struct rc_rtt rtt = {0};

		rc_rtt_sample(&rtt, 150 * US);
		for (unsigned i = 0; i < 1000; i++)
			count += !answered(&rtt, 100 * US + noise_ns(&random, 35 * US));
	}
	cr_assert_leq(count, 1100, "%u of 100000", count);
}

/* RC-104, RC-115: an answer that takes longer than the wait makes the wait longer for some time. */
Test(rtt, long_answer_is_remembered)
{
	struct rc_rtt rtt = {0};

	for (unsigned i = 0; i < 100; i++)
		rc_rtt_sample(&rtt, 100 * US);
	rc_rtt_sample(&rtt, 1000 * US);
	cr_assert_gt(rc_rtt_probe_ns(&rtt), 1000 * US);
	for (unsigned i = 0; i < 10; i++) {
		rc_rtt_sample(&rtt, 100 * US);
		cr_assert_gt(rc_rtt_probe_ns(&rtt), 250 * US);
	}
	for (unsigned i = 0; i < 40; i++)
		rc_rtt_sample(&rtt, 100 * US);
	cr_assert_leq(rc_rtt_probe_ns(&rtt), 250 * US);
}

/* RC-115: after one very late answer, the wait becomes short again, however late the answer was. */
Test(rtt, very_long_answer_is_forgotten)
{
	struct rc_rtt rtt = {0};

	for (unsigned i = 0; i < 100; i++)
		rc_rtt_sample(&rtt, 400 * US);
	rc_rtt_sample(&rtt, 20 * MS);
	cr_assert_gt(rc_rtt_probe_ns(&rtt), 20 * MS);
	for (unsigned i = 0; i < 16; i++)
		rc_rtt_sample(&rtt, 400 * US);
	cr_assert_leq(rc_rtt_probe_ns(&rtt), 1100 * US, "%lu", rc_rtt_probe_ns(&rtt));
}

#define ENCODED_NS (UINT64_C(4096) << 8)

static uint64_t
expire(struct rc_timer *timer, enum rc_timer_kind kind)
{
	uint64_t now_ns = rc_timer_deadline(timer);

	cr_assert_eq(rc_timer_expire(timer, now_ns - 1), RC_TIMER_IDLE);
	cr_assert_eq(rc_timer_expire(timer, now_ns), kind);
	return now_ns;
}

/*
 * RC-104, RC-115: the intervals between early expiries (before the ACK timeout) double. Early
 * expiries end when the first timeout is due. After that, the timer behaves as if no early expiry
 * had occurred.
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

/* If the engine was absent until the first timeout, the missed early expiries are skipped. */
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

/*
 * There is no early expiry if the ACK timer is off, or if the wait is not shorter than the ACK
 * timeout.
 */
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
