/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "base/encoded_time.h"
#include "rc/timer.h"

#define CODE        1
#define INTERVAL_NS UINT64_C(8192)

static struct rc_timer
timer_of(uint8_t ack_timeout)
{
	struct rc_timer timer;

	rc_timer_init(&timer, ack_timeout);
	cr_assert_eq(rc_timer_deadline(&timer), BASE_TIME_NEVER);
	return timer;
}

/*
 * RC-095: the timer expires one interval after the oldest request was sent, whatever is sent later.
 */
Test(timer, request_sent_starts_once)
{
	struct rc_timer timer = timer_of(CODE);

	rc_timer_request_sent(&timer, 100);
	rc_timer_request_sent(&timer, 500);
	cr_assert_eq(rc_timer_deadline(&timer), 100 + INTERVAL_NS);
	cr_assert_eq(rc_timer_expire(&timer, 100 + INTERVAL_NS - 1), RC_TIMER_IDLE);
	cr_assert_eq(rc_timer_expire(&timer, 100 + INTERVAL_NS), RC_TIMER_ACK);
	cr_assert_eq(rc_timer_expire(&timer, UINT64_C(1) << 60), RC_TIMER_IDLE, "fires once");
}

/*
 * RC-095: each expiry without progress doubles the next interval, up to four times the first
 * interval.
 */
Test(timer, expiry_doubles_the_interval)
{
	static const uint64_t factors[] = {1, 2, 4, 4, 4};
	struct rc_timer timer = timer_of(CODE);
	uint64_t now_ns = 0;

	for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
		rc_timer_request_sent(&timer, now_ns);
		now_ns += factors[i] * INTERVAL_NS;
		cr_assert_eq(rc_timer_deadline(&timer), now_ns, "expiry %zu", i);
		cr_assert_eq(rc_timer_expire(&timer, now_ns), RC_TIMER_ACK);
	}
	rc_timer_progress(&timer, true, now_ns);
	cr_assert_eq(rc_timer_deadline(&timer), now_ns + INTERVAL_NS);
}

/* RC-095, B-041: progress restarts the timer as long as an answer is awaited. */
Test(timer, progress_restarts_while_something_is_awaited)
{
	struct rc_timer timer = timer_of(CODE);

	rc_timer_request_sent(&timer, 0);
	rc_timer_progress(&timer, true, 5000);
	cr_assert_eq(rc_timer_deadline(&timer), 5000 + INTERVAL_NS);
	rc_timer_progress(&timer, false, 6000);
	cr_assert_eq(rc_timer_deadline(&timer), BASE_TIME_NEVER);
}

/* RC-086, B-040: the RNR timer (code 30: 327.68 ms) replaces the ACK timer (8 us). */
Test(timer, rnr_takes_the_ack_timer_over)
{
	struct rc_timer timer = timer_of(CODE);

	rc_timer_request_sent(&timer, 0);
	rc_timer_rnr_nak(&timer, 30, 10);
	cr_assert(rc_timer_rnr_waiting(&timer));
	cr_assert_eq(rc_timer_deadline(&timer), 10 + UINT64_C(327680000));
	cr_assert_eq(rc_timer_expire(&timer, INTERVAL_NS), RC_TIMER_IDLE);
	cr_assert(rc_timer_rnr_waiting(&timer));
	cr_assert_eq(rc_timer_expire(&timer, 10 + UINT64_C(327680000)), RC_TIMER_RNR);
	cr_assert_not(rc_timer_rnr_waiting(&timer));
}

Test(timer, progress_ends_rnr_wait)
{
	struct rc_timer timer = timer_of(CODE);

	rc_timer_rnr_nak(&timer, 0, 0);
	rc_timer_progress(&timer, true, 100);
	cr_assert_not(rc_timer_rnr_waiting(&timer));
	cr_assert_eq(rc_timer_deadline(&timer), 100 + INTERVAL_NS);
}

Test(timer, go_back_waits_for_the_packets)
{
	struct rc_timer timer = timer_of(CODE);

	rc_timer_request_sent(&timer, 0);
	rc_timer_go_back(&timer);
	cr_assert_eq(rc_timer_deadline(&timer), BASE_TIME_NEVER);
	rc_timer_request_sent(&timer, 70);
	cr_assert_eq(rc_timer_deadline(&timer), 70 + INTERVAL_NS);
	rc_timer_idle(&timer);
	cr_assert_eq(rc_timer_deadline(&timer), BASE_TIME_NEVER);
}

/* B-047: test the lowest and the highest code. */
Test(timer, code_0_never_fires_and_code_31_does_not_overflow)
{
	struct rc_timer timer = timer_of(0);

	rc_timer_request_sent(&timer, 1);
	cr_assert_eq(rc_timer_deadline(&timer), BASE_TIME_NEVER);
	cr_assert_eq(rc_timer_expire(&timer, UINT64_MAX - 1), RC_TIMER_IDLE);

	timer = timer_of(31);
	rc_timer_request_sent(&timer, 1);
	cr_assert_eq(rc_timer_deadline(&timer), 1 + UINT64_C(4096) * (UINT64_C(1) << 31));
	rc_timer_progress(&timer, true, UINT64_MAX - 5);
	cr_assert_eq(rc_timer_deadline(&timer), BASE_TIME_NEVER, "saturates");
}

/*
 * RC-096: the packet that waits for an answer may still be in the output, because the port always
 * refuses some packets of other queue pairs. The timer soon checks again whether the port has
 * accepted the packet. These checks do not make the next interval longer.
 */
Test(timer, port_that_is_full_of_other_packets_costs_no_interval)
{
	static const uint64_t factors[] = {1, 2, 4, 4};
	struct rc_timer timer = timer_of(CODE);
	struct rc_timer_stuck stuck;
	uint64_t now_ns = 0, taken = 0;

	for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
		const uint64_t interval_ns = factors[i] * INTERVAL_NS;

		rc_timer_request_sent(&timer, now_ns);
		now_ns += interval_ns;
		cr_assert_eq(rc_timer_deadline(&timer), now_ns, "try %zu", i);
		cr_assert_eq(rc_timer_expire(&timer, now_ns), RC_TIMER_ACK);
		cr_assert_eq(rc_timer_judge(&timer, &stuck, taken, 3, now_ns), RC_TIMER_STUCK);
		cr_assert_leq(rc_timer_deadline(&timer), now_ns + interval_ns / 4, "try %zu", i);
		now_ns = rc_timer_deadline(&timer);
		cr_assert_eq(rc_timer_expire(&timer, now_ns), RC_TIMER_ACK);
		taken += 3;
		cr_assert_eq(rc_timer_judge(&timer, &stuck, taken, 3, now_ns), RC_TIMER_UNANSWERED);
	}
}

Test(timer, packet_that_has_not_left_is_no_try)
{
	struct rc_timer timer = timer_of(CODE);
	struct rc_timer_stuck stuck;
	enum rc_timer_verdict verdict = RC_TIMER_STUCK;
	uint64_t now_ns = INTERVAL_NS, since_ns = now_ns;

	rc_timer_request_sent(&timer, 0);
	while (verdict == RC_TIMER_STUCK) {
		now_ns = rc_timer_deadline(&timer);
		cr_assert_eq(rc_timer_expire(&timer, now_ns), RC_TIMER_ACK);
		verdict = rc_timer_judge(&timer, &stuck, 2, 1, now_ns);
	}
	cr_assert_eq(verdict, RC_TIMER_GIVE_UP);
	cr_assert_geq(now_ns, since_ns + RC_STUCK_NS);
	cr_assert_leq(now_ns, since_ns + RC_STUCK_NS + INTERVAL_NS / 4);
}

static struct rc_timer
started(uint64_t now_ns)
{
	struct rc_timer timer = timer_of(CODE);

	rc_timer_request_sent(&timer, now_ns);
	return timer;
}

Test(timer, absence_extends_a_wait)
{
	static const struct {
		uint64_t from_ns, to_ns, more_ns;
	} cases[] = {
		{1000, 50000, 49000},          /* the timer expired during the absence */
		{1000, 1000 + 3000, 3000},     /* the wait would have ended after the absence */
		{0, 2000, 2000 - 500},         /* the timer started during the absence */
		{0, 500, 0},                   /* the timer started after the absence */
		{500 + INTERVAL_NS, 90000, 0}, /* the timer expired before the absence */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct rc_absence absence = {cases[i].from_ns, cases[i].to_ns};
		uint64_t end_ns = 500 + INTERVAL_NS;
		uint64_t now_ns = absence.to_ns > end_ns ? absence.to_ns : end_ns;
		struct rc_timer timer = started(500);

		cr_assert_eq(rc_timer_move(&timer, &absence, now_ns),
			end_ns + cases[i].more_ns > now_ns, "case %zu", i);
		cr_assert_eq(rc_timer_deadline(&timer), end_ns + cases[i].more_ns, "case %zu", i);
	}
}

Test(timer, absence_extends_a_wait_once)
{
	struct rc_timer timer = started(0);
	struct rc_absence absence = {100, 100000};
	uint64_t end_ns = INTERVAL_NS + 99900;

	cr_assert(rc_timer_move(&timer, &absence, 100000));
	absence = (struct rc_absence){100000, 200000};
	cr_assert_not(rc_timer_move(&timer, &absence, 200000));
	cr_assert_eq(rc_timer_deadline(&timer), end_ns);
	cr_assert_eq(rc_timer_expire(&timer, 200000), RC_TIMER_ACK);
	rc_timer_request_sent(&timer, 200000);
	absence = (struct rc_absence){200000, 300000};
	cr_assert(rc_timer_move(&timer, &absence, 300000), "another wait");
}

/* An absence does not extend an RNR wait, because the peer has chosen this wait (RC-085). */
Test(timer, absence_does_not_extend_an_rnr_wait)
{
	const struct rc_absence absence = {0, 1000000000};
	struct rc_timer timer = started(0);

	rc_timer_rnr_nak(&timer, 1, 0);
	cr_assert_not(rc_timer_move(&timer, &absence, absence.to_ns));
	cr_assert_eq(rc_timer_expire(&timer, absence.to_ns), RC_TIMER_RNR);
}
