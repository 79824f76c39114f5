/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/timer.h"

#include <rte_common.h>

#include "base/assert.h"

/*
 * The timer has one deadline and one kind, which is the event that the timer waits for. A request
 * that needs an answer starts the timer if it is idle. Progress restarts the timer while answers
 * are outstanding (RC-095). An RNR NAK replaces the ACK timer (RC-086), so the ACK timer cannot end
 * the RNR wait early. The ACK interval is the encoded value itself, which is the lower end of the
 * range that RC-095 allows. The interval doubles with each expiry without progress, up to the upper
 * end of the range, so that a slow peer does not get more and more copies of packets that it has
 * not processed yet.
 *
 * An adaptive timer (RC-115) first expires early: after a few round trips, then after doubled
 * intervals, until the encoded interval is over. The end of the encoded interval is the first try,
 * as in a timer without early expiries. So the number of tries and their total time are unchanged.
 *
 * The timer does not depend on room in the output queue. While no packet can be queued and no
 * answer is outstanding, the timer waits for room (RC_TIMER_ROOM). If the ACK interval ends while
 * the port refuses packets, the port gets more time before a try is counted (rc_timer_judge()).
 * Usually the refused packets belong to other queue pairs, and the packet of this queue pair was
 * sent long ago. Therefore the port is checked after a part of the interval, and this part does not
 * double the interval.
 */

#define DOUBLINGS_MAX 2 /* RC-095: the interval is at most four times the encoded value */

/** Number of times per ACK interval that a stuck port is checked. */
#define STUCK_LOOKS 8

static void
start(struct rc_timer *timer, enum rc_timer_kind kind, uint64_t delay_ns, uint64_t now_ns)
{
	timer->kind = kind;
	timer->moved = false;
	timer->deadline_ns =
		delay_ns < BASE_TIME_NEVER - now_ns ? now_ns + delay_ns : BASE_TIME_NEVER;
}

static uint64_t
ack_delay_ns(const struct rc_timer *timer)
{
	return timer->interval_ns == BASE_TIME_NEVER ? BASE_TIME_NEVER
						     : timer->interval_ns << timer->doublings;
}

static void
start_ack(struct rc_timer *timer, uint64_t now_ns)
{
	start(timer, RC_TIMER_ACK, ack_delay_ns(timer), now_ns);
}

void
rc_timer_init(struct rc_timer *timer, uint8_t ack_timeout)
{
	*timer = (struct rc_timer){.interval_ns = base_timeout_ns(ack_timeout)};
}

void
rc_timer_request_sent(struct rc_timer *timer, uint64_t now_ns)
{
	BASE_ASSERT(timer->kind != RC_TIMER_RNR);
	if (timer->kind == RC_TIMER_IDLE || timer->kind == RC_TIMER_ROOM)
		start_ack(timer, now_ns);
}

void
rc_timer_progress(struct rc_timer *timer, bool awaiting, uint64_t now_ns)
{
	/*
	 * An RNR wait ends, too, because the acknowledgement shows that a copy of the request was
	 * executed.
	 */
	timer->doublings = 0;
	timer->stuck = false;
	if (awaiting)
		start_ack(timer, now_ns);
	else
		timer->kind = RC_TIMER_IDLE;
}

void
rc_timer_alive(struct rc_timer *timer, uint64_t now_ns)
{
	if (timer->kind == RC_TIMER_ACK)
		start_ack(timer, now_ns);
}

void
rc_timer_rnr_nak(struct rc_timer *timer, uint8_t code, uint64_t now_ns)
{
	timer->doublings = 0; /* the peer has answered */
	start(timer, RC_TIMER_RNR, base_rnr_timer_ns(code), now_ns);
}

void
rc_timer_go_back(struct rc_timer *timer)
{
	timer->kind = RC_TIMER_IDLE;
}

void
rc_timer_idle(struct rc_timer *timer)
{
	timer->kind = RC_TIMER_IDLE;
}

void
rc_timer_no_room(struct rc_timer *timer, struct rc_timer_stuck *stuck, uint64_t taken, bool moved,
	uint64_t now_ns)
{
	if (timer->interval_ns == BASE_TIME_NEVER)
		return;
	if (timer->kind == RC_TIMER_IDLE || (timer->kind == RC_TIMER_ROOM && moved)) {
		stuck->mark = taken;
		start(timer, RC_TIMER_ROOM, RC_STUCK_NS, now_ns);
	}
}

void
rc_timer_probe(struct rc_timer *timer, uint64_t now_ns)
{
	start(timer, RC_TIMER_PROBE, 0, now_ns);
}

void
rc_timer_probe_sent(struct rc_timer *timer, uint64_t now_ns)
{
	BASE_ASSERT(timer->kind == RC_TIMER_PROBE);
	start_ack(timer, now_ns);
}

bool
rc_timer_probe_stuck(
	struct rc_timer *timer, struct rc_timer_stuck *stuck, uint64_t taken, uint64_t now_ns)
{
	BASE_ASSERT(timer->kind == RC_TIMER_PROBE);
	if (taken != stuck->mark) {
		stuck->mark = taken;
		timer->deadline_ns = now_ns;
	}
	return now_ns - timer->deadline_ns >= RC_STUCK_NS;
}

enum rc_timer_verdict
rc_timer_judge(struct rc_timer *timer, struct rc_timer_stuck *stuck, uint64_t taken,
	uint32_t refused, uint64_t now_ns)
{
	if (refused == 0 || (timer->stuck && taken >= stuck->mark)) {
		timer->stuck = false;
		return RC_TIMER_UNANSWERED;
	}
	if (!timer->stuck) {
		timer->stuck = true;
		*stuck = (struct rc_timer_stuck){.mark = taken + refused, .since_ns = now_ns};
	}
	if (now_ns - stuck->since_ns >= RC_STUCK_NS)
		return RC_TIMER_GIVE_UP;
	start(timer, RC_TIMER_ACK, ack_delay_ns(timer) / STUCK_LOOKS, now_ns);
	return RC_TIMER_STUCK;
}

bool
rc_timer_move(struct rc_timer *timer, const struct rc_absence *absence, uint64_t now_ns)
{
	uint64_t delay_ns = timer->kind == RC_TIMER_ROOM ? RC_STUCK_NS : ack_delay_ns(timer);
	uint64_t since_ns = timer->deadline_ns - RTE_MIN(delay_ns, timer->deadline_ns);

	if (timer->kind != RC_TIMER_ACK && timer->kind != RC_TIMER_ROOM)
		return false;
	if (timer->moved || absence->from_ns >= timer->deadline_ns || absence->to_ns <= since_ns)
		return false;
	timer->moved = true;
	timer->deadline_ns += absence->to_ns - RTE_MAX(absence->from_ns, since_ns);
	return timer->deadline_ns > now_ns;
}

enum rc_timer_kind
rc_timer_expire(struct rc_timer *timer, uint64_t now_ns)
{
	enum rc_timer_kind kind = timer->kind;

	if (rc_timer_deadline(timer) > now_ns)
		return RC_TIMER_IDLE;
	if (kind == RC_TIMER_PROBE)
		return kind;
	timer->kind = RC_TIMER_IDLE;
	if (kind != RC_TIMER_ACK)
		return kind;
	if (timer->early)
		return RC_TIMER_EARLY;
	if (!timer->stuck && timer->doublings < DOUBLINGS_MAX)
		timer->doublings++;
	return kind;
}

void
rc_timer_adapt(struct rc_timer *timer, struct rc_timer_early *early)
{
	*early = (struct rc_timer_early){.encoded_ns = timer->interval_ns};
}

void
rc_timer_early_begin(struct rc_timer *timer, struct rc_timer_early *early, uint64_t delay_ns)
{
	early->expiries = 0;
	timer->doublings = 0;
	timer->early = early->encoded_ns != BASE_TIME_NEVER && delay_ns < early->encoded_ns;
	timer->interval_ns = timer->early ? delay_ns : early->encoded_ns;
}

bool
rc_timer_early_next(struct rc_timer *timer, struct rc_timer_early *early, uint64_t now_ns)
{
	uint64_t end_ns;

	if (early->expiries++ == 0)
		early->since_ns = timer->deadline_ns - timer->interval_ns;
	end_ns = early->since_ns + early->encoded_ns;
	if (now_ns < end_ns && 2 * timer->interval_ns < end_ns - now_ns) {
		timer->interval_ns *= 2;
		start_ack(timer, now_ns);
		return true;
	}
	timer->early = false;
	timer->interval_ns = early->encoded_ns;
	if (now_ns >= end_ns) {
		/*
		 * Double the next interval, as after the first expiry of a timer that is not
		 * adaptive.
		 */
		timer->doublings = 1;
		return false;
	}
	start(timer, RC_TIMER_ACK, end_ns - now_ns, now_ns);
	return true;
}
