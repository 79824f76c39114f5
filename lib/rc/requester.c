/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/requester.h"

#include "base/assert.h"
#include "base/limits.h"
#include "rc/burst.h"
#include "rc/complete.h"
#include "rc/keepalive.h"
#include "rc/operation.h"
#include "rc/payload.h"
#include "rc/qp.h"
#include "rc/recovery.h"
#include "rc/request.h"
#include "rc/retransmit.h"

/*
 * Progress of the send queue. Requests start in posting order, one at a time. A request starts when
 * all packets of the previous request have been sent, and when its fence (RC-142) and the limit of
 * READs and atomics (RC-009) allow it. No request overtakes another (RC-006). The start of a
 * request assigns its PSNs. A bind or an invalidate gets no PSNs, and its start executes it
 * (RC-143). Transmission and retransmission of a started request are the same: the packet of
 * send_psn is sent next (request.c). Small requests are started and sent several at a time
 * (burst.c).
 *
 * If the check of a request's local memory fails, the queue stops. Earlier requests may still
 * succeed. When the failing request is the oldest one, it completes with the error (RC-130,
 * RC-077). Before this, each call of rc_requester_progress() retries the request, so that no
 * "failed" state is needed. A failed local operation cannot be retried, so it keeps its status, and
 * `halted` stops the queue. `halted` has a second use: it stops the queue while a local operation
 * waits until other engines have stopped using the memory that the operation closes.
 *
 * The queue has one timer (timer.c). This module implements sections A, G, I, J of the RC rules.
 * End-to-end credits are not used: RNR NAKs of the peer are the flow control (RC-088).
 */

/*
 * Maximum number of steps per call, so that a busy queue pair does not block other queue pairs
 * (B-043).
 */
#define STEPS_PER_CALL 64

static_assert(STEPS_PER_CALL <= RC_BURST_MAX, "a burst has room for all steps of a call");

static uint32_t
wqe_bytes(const struct rc_qp_attr *attr)
{
	return (uint32_t)(sizeof(struct rc_send_wqe) + attr->send_sge_max * sizeof(struct mem_sge));
}

size_t
rc_requester_bytes(const struct rc_qp_attr *attr)
{
	return rc_ring_bytes(
		attr->send_entries, wqe_bytes(attr), rc_send_extra_bytes(attr->inline_max));
}

void
rc_requester_init(struct rc_qp *qp, const struct rc_qp_attr *attr, void *memory)
{
	struct rc_requester *r = &qp->requester;

	*r = (struct rc_requester){
		.sge_max = (uint8_t)attr->send_sge_max,
		.inline_max = (uint16_t)attr->inline_max,
		.time_skip = 1,
		.pace_ns = BASE_TIME_NEVER,
	};
	rc_ring_init(&r->ring, memory, attr->send_entries, wqe_bytes(attr));
}

void
rc_requester_fini(struct rc_qp *qp)
{
	rc_complete_discard(qp);
	rc_recovery_forget(qp);
}

void
rc_requester_connect(struct rc_qp *qp)
{
	struct rc_requester *r = &qp->requester;
	uint32_t psn = qp->connection.send_psn & PSN_MASK;

	BASE_ASSERT(rc_ring_count(&r->ring) == 0);
	r->una_psn = psn;
	r->send_psn = psn;
	r->next_psn = psn;
	r->max_sent_psn = psn;
	r->ack_wanted_psn = psn;
	r->read_restart_psn = psn;
	r->reads_max = qp->connection.outbound_reads;
	r->retry_count = qp->connection.retry_count;
	r->rnr_retry_count = qp->connection.rnr_retry_count;
	rc_timer_init(&r->timer, qp->connection.ack_timeout);
	rc_recovery_connect(qp);
	rc_retransmit_progress(qp);
}

static bool
may_start(const struct rc_requester *r)
{
	const struct rc_send_wqe *wqe;

	if (unlikely(r->halted != RC_HALT_NONE))
		return r->halted == RC_HALT_WAITS; /* try again */
	if (r->start_index == r->ring.tail)
		return false;
	wqe = rc_ring_at(&r->ring, r->start_index);
	if ((wqe->flags & RC_FENCE) != 0 && r->reads_outstanding > 0)
		return false;
	return !rc_opcode_is_answered(wqe->opcode) || r->reads_outstanding < r->reads_max;
}

/*
 * Execute a local operation. Stores the grace period that must end before the operation completes.
 * @return RC_BUSY if it is not executed yet, because other engines use the memory that it needs
 */
static enum rc_status
execute_local(const struct rc_qp *qp, enum rc_send_opcode opcode, const union rc_send_extra *extra,
	struct mem_grace *grace)
{
	struct mem_domain *mem = qp->ctx->mem;

	*grace = (struct mem_grace){0};
	if (opcode == RC_BIND)
		return mem_bind_execute(mem, &extra->bind, qp->qpn);
	if (opcode == RC_INVALIDATE)
		return mem_invalidate_execute(
			mem, extra->window, extra->window_life, qp->qpn, grace);
	if (opcode == RC_FAST_REGISTER)
		return mem_fast_execute(mem, &extra->fast, qp->qpn);
	BASE_ASSERT(opcode == RC_INVALIDATE_REGION);
	return mem_fast_invalidate(mem, extra->fast.region, extra->fast.key, qp->qpn, grace);
}

/*
 * Execute a local operation, unless this was already done.
 * @return true if it is complete: it was executed, and no other engine uses the memory that it
 *         revoked
 */
static bool
is_complete(const struct rc_qp *qp, struct rc_send_wqe *wqe, union rc_send_extra *extra)
{
	if (!wqe->executed) {
		struct mem_grace grace;
		enum rc_status status = execute_local(qp, wqe->opcode, extra, &grace);

		if (status == RC_BUSY)
			return false;
		extra->grace = grace;
		extra->status = status;
		wqe->executed = true;
	}
	return mem_domain_quiescent(qp->ctx->mem, &extra->grace);
}

/*
 * Execute a local operation before any later request starts (RC-143). While the operation must wait
 * for other engines, each call of rc_requester_progress() retries it.
 */
static void
execute(struct rc_qp *qp, struct rc_send_wqe *wqe)
{
	struct rc_requester *r = &qp->requester;
	union rc_send_extra *extra = rc_send_extra(r, r->start_index);

	if (unlikely(!is_complete(qp, wqe, extra))) {
		if (r->halted == RC_HALT_NONE)
			qp->ctx->counters.reader_waits++;
		r->halted = RC_HALT_WAITS;
		return;
	}
	qp->ctx->frameless_results++;
	r->halted = extra->status == RC_OK ? RC_HALT_NONE : RC_HALT_FAILED;
	r->start_index++;
	r->send_index = r->start_index;
	rc_complete_done(qp);
}

/* Starts the next request. */
static void
start(struct rc_qp *qp)
{
	struct rc_requester *r = &qp->requester;
	struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->start_index);
	bool local = rc_opcode_kind(wqe->opcode) == RC_KIND_LOCAL;

	BASE_ASSERT(r->send_psn == r->next_psn);
	wqe->first_psn = r->next_psn;
	wqe->packet_count = local ? 0 : rc_payload_packets(wqe->length_bytes, qp->pmtu_shift);
	r->next_psn = psn_add(r->next_psn, wqe->packet_count);
	if (local) {
		execute(qp, wqe);
		return;
	}
	r->start_index++;
	if (rc_opcode_is_answered(wqe->opcode))
		r->reads_outstanding++;
}

/*
 * Skip executed local operations up to the request that owns send_psn.
 * @return true if a request owns send_psn
 */
static bool
find_packet(struct rc_requester *r)
{
	while (r->send_index != r->start_index) {
		const struct rc_send_wqe *wqe = rc_ring_at(&r->ring, r->send_index);

		if (wqe->packet_count > 0)
			return true;
		r->send_index++;
	}
	return false;
}

enum step {
	STEP_DONE,    /* a request was started or a packet sent */
	STEP_WAIT,    /* nothing to do until the next event */
	STEP_NO_ROOM, /* output queue full; retry after the port has accepted packets */
};

/*
 * Retransmit the packets that selective recovery has scheduled, before new packets.
 * @return STEP_DONE if no scheduled packet is left
 */
static __rte_noinline enum step
resend(struct rc_qp *qp, uint64_t now_ns)
{
	switch (rc_recovery_resend(qp, now_ns)) {
	case RC_REQUEST_SENT:
	case RC_REQUEST_FAILED:
		break;
	case RC_REQUEST_BLOCKED:
		return STEP_WAIT;
	case RC_REQUEST_NO_ROOM:
		rc_timer_no_room(
			&qp->requester.timer, &qp->stuck, qp->ctx->taken_count, false, now_ns);
		return STEP_NO_ROOM;
	}
	return STEP_DONE;
}

/*
 * Retransmit the newest packet with AckReq (RC-007). Called if the window has become smaller than
 * the number of packets in flight, and no packet in flight has AckReq. The peer may never answer
 * these packets, and no timer runs.
 */
static __rte_noinline enum step
ask_newest(struct rc_qp *qp, uint64_t now_ns)
{
	const struct rc_requester *r = &qp->requester;

	if (r->send_psn == r->una_psn || r->pace_ns != BASE_TIME_NEVER)
		/* nothing is in flight, or the next packet waits for its time */
		return STEP_WAIT;
	rc_recovery_ask_newest(qp);
	return resend(qp, now_ns);
}

static enum step
step(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;

	if (!find_packet(r)) {
		if (!may_start(r))
			return STEP_WAIT;
		start(qp);
		if (r->send_index == r->start_index) /* the request was a local operation */
			return unlikely(r->halted == RC_HALT_WAITS) ? STEP_WAIT : STEP_DONE;
	}
	switch (rc_request_send(qp, now_ns)) {
	case RC_REQUEST_SENT:
		return STEP_DONE;
	case RC_REQUEST_BLOCKED:
		return unlikely(r->ack_wanted_psn == r->una_psn) ? ask_newest(qp, now_ns)
								 : STEP_WAIT;
	case RC_REQUEST_NO_ROOM:
		return STEP_NO_ROOM;
	case RC_REQUEST_FAILED:
		break;
	}
	if (r->send_index == r->ring.head)
		rc_complete_fail(qp, RC_LOCAL_PROTECTION);
	return STEP_WAIT;
}

/*
 * @return true if a wait for an answer or for the port must not end now. If the engine was not
 * polled for a while, the answer may still be in the port's receive queue.
 */
static bool
timer_held(const struct rc_qp *qp)
{
	enum rc_timer_kind kind = qp->requester.timer.kind;

	return qp->ctx->hold_timers && (kind == RC_TIMER_ACK || kind == RC_TIMER_ROOM);
}

/* @return true if the output queue has room and an mbuf is free */
static bool
room_is_back(const struct rc_context *ctx)
{
	return rc_out_room(ctx) > 0 && !rte_mempool_empty(ctx->pool);
}

static void
timer_expire(struct rc_qp *qp, uint64_t now_ns)
{
	if (timer_held(qp) || rc_timer_move(&qp->requester.timer, &qp->ctx->absence, now_ns))
		return;
	switch (rc_timer_expire(&qp->requester.timer, now_ns)) {
	case RC_TIMER_ACK:
		rc_retransmit_timeout(qp, now_ns);
		break;
	case RC_TIMER_EARLY:
		rc_recovery_early(qp, now_ns);
		break;
	case RC_TIMER_ROOM:
		/*
		 * Fail only if the port has accepted no packet at all. With many queue pairs, the
		 * port may have accepted packets of other queue pairs only.
		 */
		if (!room_is_back(qp->ctx) && qp->ctx->taken_count == qp->stuck.mark)
			rc_complete_fail(qp, RC_PORT_STUCK);
		break;
	case RC_TIMER_IDLE:
	case RC_TIMER_RNR:
	case RC_TIMER_PROBE:
		break;
	}
	/* A keepalive must be sent for the first time, or retransmitted after a timeout. */
	if (qp->requester.timer.kind == RC_TIMER_PROBE && !rc_qp_failed(qp))
		rc_keepalive_send(qp, now_ns);
}

bool
rc_requester_progress(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;
	const struct rc_counters *counters = &qp->ctx->counters;
	uint64_t before_bytes = counters->tx_bytes;

	r->pace_ns = BASE_TIME_NEVER;
	if (unlikely(rc_timer_deadline(&r->timer) <= now_ns))
		timer_expire(qp, now_ns);
	if (rc_timer_holds(&r->timer)) /* RC-085: new requests wait */
		return !rc_timer_rnr_waiting(&r->timer);
	if (unlikely((r->watch & RC_WATCH_RESEND) != 0)) {
		enum step step = resend(qp, now_ns);

		if (step != STEP_DONE)
			return step == STEP_NO_ROOM;
	}
	for (uint32_t steps = 0; steps < STEPS_PER_CALL && !rc_qp_failed(qp);) {
		uint64_t bytes = counters->tx_bytes - before_bytes;
		uint32_t sent;

		if (r->send_index == r->ring.tail) {
			rc_timer_room(&r->timer);
			return false;
		}
		if (bytes >= RC_BYTES_PER_CALL)
			break;
		sent = rc_burst_send(
			qp, STEPS_PER_CALL - steps, RC_BYTES_PER_CALL - (uint32_t)bytes, now_ns);
		steps += sent;
		if (sent != 0)
			continue;
		switch (step(qp, now_ns)) {
		case STEP_DONE:
			steps++;
			break;
		case STEP_NO_ROOM:
			rc_timer_no_room(
				&r->timer, &qp->stuck, qp->ctx->taken_count, steps > 0, now_ns);
			return true;
		case STEP_WAIT:
			rc_timer_room(&r->timer);
			return r->halted == RC_HALT_WAITS;
		}
	}
	return true;
}

void
rc_requester_flush(struct rc_qp *qp)
{
	struct rc_requester *r = &qp->requester;

	rc_complete_flush(qp);
	r->send_index = r->ring.head;
	r->start_index = r->ring.head;
	r->reads_outstanding = 0;
	r->una_psn = r->max_sent_psn;
	r->probing = false;
	r->pace_ns = BASE_TIME_NEVER;
	rc_timer_idle(&r->timer);
	rc_recovery_forget(qp);
	r->watch = 0;
}
