/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "session_order.h"

#include <string.h>

/* Highest number of cycles between two operations. A valid order of a client asks for less. */
#define PERIOD_MAX 1e36

void
session_tell(struct session *session, enum control_type type, const struct control_message *content)
{
	static const struct control_message none;

	if (session->state != SESSION_RUNNING)
		return;
	if (!session_send_control(session, type, content != NULL ? content : &none, NULL))
		session_fail(
			session, "no control message buffer is free for a request to the server");
}

static void
start(struct session *session, const struct control_message *order)
{
	const uint64_t bits = rte_be_to_cpu_64(order->start.rate);
	const uint32_t half = session->setup.qp_count / 2;
	struct schedule schedule = {
		.burst = rte_be_to_cpu_32(order->slot),
		.ramp = (double)stopwatch_cycles(
			session->stopwatch, rte_be_to_cpu_64(order->start.ramp_ns)),
		.offset = (double)(session->setup.qp % half) / half,
		.start_tsc = stopwatch_now(),
	};
	double rate;

	memcpy(&rate, &bits, sizeof(rate));
	schedule.period = rate > 0 ? (double)session->stopwatch->hz / rate : 0;
	if (schedule.burst == 0 || !(rate >= 0) || schedule.period > PERIOD_MAX) {
		session_fail(session, "the client requested an invalid rate");
		return;
	}
	session_schedule(session, &schedule);
	/*
	 * If the measurement has begun, the client's next message is CONTROL_MEASURE, which sets
	 * the limit.
	 */
	if (session->tally.measured_from != UINT64_MAX)
		return;
	session->pace.limit = UINT64_MAX;
	session->pace.is_stopping = false;
}

/*
 * @return number of operations that are due until end_ns after the start. The client computes the
 *         same number. Therefore both sides know how many operations are posted, even if a message
 *         arrives late.
 */
static uint64_t
limit_at(const struct session *session, uint64_t end_ns)
{
	const struct schedule *schedule = &session->pace.schedule;
	const uint64_t end_tsc = schedule->start_tsc + stopwatch_cycles(session->stopwatch, end_ns);

	if (schedule->period == 0 || end_ns == 0)
		return UINT64_MAX;
	return session->pace.schedule_from + schedule_due_count(schedule, end_tsc - 1);
}

static void
measure(struct session *session, bool goes_on, uint64_t count, uint64_t end_ns)
{
	uint64_t all;

	if (!goes_on)
		session->tally.measured_from = session->tally.posted;
	all = count > 0 ? session->tally.measured_from + count : UINT64_MAX;
	session->pace.limit =
		RTE_MAX(session->tally.posted, RTE_MIN(all, limit_at(session, end_ns)));
	session->pace.is_stopping = session->pace.limit != UINT64_MAX;
}

/*
 * Stop at end_ns. Operations that were due before end_ns are still posted until CONTROL_CUT
 * arrives.
 */
static void
stop(struct session *session, uint64_t end_ns)
{
	uint64_t limit = session->tally.posted;

	if (session->pace.schedule.period > 0)
		limit = RTE_MAX(limit, limit_at(session, end_ns));
	session->pace.limit = RTE_MIN(session->pace.limit, limit);
	session->pace.is_stopping = true;
}

static void
cut(struct session *session)
{
	session->pace.missed = session->pace.limit - session->tally.posted;
	session->pace.limit = session->tally.posted;
	session->pace.is_stopping = true;
}

void
session_take_order(struct session *session, const struct control_message *order)
{
	/*
	 * If the session completed all operations before the message arrived, ignore the message.
	 */
	if (session->state == SESSION_FINISHING)
		return;
	if (order->type == CONTROL_START)
		start(session, order);
	else if (order->type == CONTROL_MEASURE)
		measure(session, order->last != 0 && session->tally.measured_from != UINT64_MAX,
			rte_be_to_cpu_64(order->count), rte_be_to_cpu_64(order->end_ns));
	else if (order->type == CONTROL_STOP)
		stop(session, rte_be_to_cpu_64(order->end_ns));
	else
		cut(session);
}
