/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/response_usual.h"

#include "base/assert.h"
#include "rc/complete.h"
#include "rc/keepalive.h"
#include "rc/operation.h"
#include "rc/payload.h"
#include "rc/qp.h"
#include "rc/request.h"
#include "rc/retransmit.h"
#include "wire/opcode.h"

/*
 * Responses of the peer: the slow path. response_usual.c accepts most answers to READs and atomics.
 *
 * A response is valid only if its PSN was sent and is not answered yet (RC-070). An invalid
 * response is late or forged, and is dropped without effect (SEC-024).
 *
 * Every response with PSN q acknowledges the SENDs and WRITEs before q, up to the first READ or
 * atomic that is not completely answered. The missing responses of this READ or atomic were sent
 * before the response with PSN q (RC-060). Since they are lost, the READ or atomic is retransmitted
 * with all later requests (RC-072). An atomic that was already executed is answered from its record
 * (RC-058). Acknowledging advances una_psn, which the oldest request owns.
 *
 * Responses of READs (RC-073) and atomics (RC-075) are accepted in order only: the response must
 * have PSN una_psn. Its position in the message follows from its PSN. The MSN is not evaluated
 * (RC-041, RC-167, Q11).
 *
 * With selective recovery, READ responses after una_psn are placed as well, and only the missing
 * responses are requested again (RC-113). A placed response counts as answered when una_psn reaches
 * it, so that requests complete in order.
 */

/*
 * Drop a response to a PSN that is not outstanding. After retransmissions, duplicate responses are
 * normal (RC-076).
 */
static void
drop(struct rc_qp *qp, uint32_t psn)
{
	if (psn_diff(psn, qp->requester.una_psn) < 0)
		rc_recovery_duplicate_response(qp);
	else
		qp->ctx->counters.drop_ghost++;
}

static void
advance(struct rc_qp *qp, uint32_t count, uint64_t now_ns)
{
	if (count != 0)
		rc_response_advance(qp, count, now_ns);
}

/*
 * @return number of PSNs from una_psn to the first PSN of an unanswered READ or atomic, at most
 * `most`. Each started READ or atomic in the ring is unanswered, because the ring contains no
 * answered request.
 */
static uint32_t
unanswered_distance(const struct rc_requester *r, uint32_t most)
{
	uint32_t before = 0;

	for (uint32_t i = r->ring.head; i != r->start_index && before < most; i++) {
		const struct rc_send_wqe *wqe = rc_ring_at(&r->ring, i);

		if (rc_opcode_is_answered(wqe->opcode))
			return before;
		before = psn_distance(psn_add(wqe->first_psn, wqe->packet_count), r->una_psn);
	}
	return most;
}

/*
 * Acknowledge all PSNs before psn, up to the first unanswered READ or atomic. Afterwards una_psn
 * equals psn, or this READ or atomic is the oldest request.
 */
static void
acknowledge_before(struct rc_qp *qp, uint32_t psn, uint64_t now_ns)
{
	const struct rc_requester *r = &qp->requester;
	uint32_t count = psn_distance(psn, r->una_psn);

	BASE_ASSERT(r->reads_outstanding != 0 || unanswered_distance(r, count) == count);
	if (r->reads_outstanding != 0)
		count = unanswered_distance(r, count);
	advance(qp, count, now_ns);
}

static struct rc_send_wqe *
oldest(const struct rc_requester *r)
{
	BASE_ASSERT(r->ring.head != r->start_index);
	return rc_ring_at(&r->ring, r->ring.head);
}

static const struct rc_send_wqe *
owner(const struct rc_requester *r, uint32_t psn)
{
	uint32_t index = r->ring.head;
	const struct rc_send_wqe *wqe = oldest(r);

	while (psn_distance(psn, wqe->first_psn) >= wqe->packet_count) {
		index++;
		BASE_ASSERT(index != r->start_index);
		wqe = rc_ring_at(&r->ring, index);
	}
	return wqe;
}

/*
 * @return true if only the missing responses may be requested, because the oldest request is a READ
 */
static bool
asks_alone(const struct rc_qp *qp)
{
	return qp->connection.selective &&
		rc_opcode_kind(oldest(&qp->requester)->opcode) == RC_KIND_READ;
}

/* Recover if answers to the oldest request, a READ or an atomic, are lost (RC-072). */
static void
lost(struct rc_qp *qp, uint64_t now_ns)
{
	if (asks_alone(qp))
		rc_recovery_ask(qp, now_ns);
	else
		rc_retransmit_gap(qp, &qp->ctx->counters.retries_implied, now_ns);
}

/*
 * After progress, mark responses that had already arrived as answered, and request the next missing
 * responses. If the progress was a late response of a READ, extend the wait.
 */
static __rte_noinline void
follow(struct rc_qp *qp, uint8_t opcode, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;

	if ((r->watch & RC_WATCH_WAITED) != 0 && opcode == WIRE_RC_READ_RESPONSE_MIDDLE)
		rc_recovery_slow_answer(qp, now_ns);
	r->watch &= (uint8_t)~RC_WATCH_WAITED;
	while ((r->watch & RC_WATCH_HOLES) != 0 && !rc_qp_failed(qp)) {
		uint32_t placed = rc_recovery_placed(qp);

		if (placed == 0) {
			uint32_t before_psn = r->una_psn;

			acknowledge_before(qp, qp->recovery.known_psn, now_ns);
			if (r->una_psn != before_psn)
				continue;
			lost(qp, now_ns);
			return;
		}
		advance(qp, placed, now_ns);
	}
}

/*
 * Mark una_psn as answered, because a packet with this opcode answered it. Then mark the following
 * PSNs whose responses have already arrived.
 */
static void
advance_over_holes(struct rc_qp *qp, uint8_t opcode, uint64_t now_ns)
{
	advance(qp, 1, now_ns);
	if (unlikely((qp->requester.watch & (RC_WATCH_HOLES | RC_WATCH_WAITED)) != 0))
		follow(qp, opcode, now_ns);
}

static void
take_ack(struct rc_qp *qp, uint32_t psn, uint64_t now_ns)
{
	const struct rc_requester *r = &qp->requester;
	const struct rc_send_wqe *wqe;
	uint32_t end_psn = psn_add(psn, 1);

	acknowledge_before(qp, end_psn, now_ns);
	if (r->una_psn == end_psn)
		return;
	/*
	 * An ACK for a PSN after the READ or atomic shows that the responses are lost (RC-072). An
	 * ACK with a PSN of the READ or atomic itself has no meaning (RC-047). Some responders send
	 * this ACK before the responses.
	 */
	wqe = oldest(r);
	if (psn_distance(psn, wqe->first_psn) < wqe->packet_count)
		return;
	if (asks_alone(qp))
		rc_recovery_known(qp, end_psn);
	lost(qp, now_ns);
}

/*
 * Acknowledge the PSNs that a NAK for psn acknowledges (RC-034).
 * @return true if una_psn now equals psn, so that the NAK is for una_psn
 */
static bool
reach(struct rc_qp *qp, uint32_t psn, uint64_t now_ns)
{
	acknowledge_before(qp, psn, now_ns);
	if (qp->requester.una_psn == psn) {
		/* The NAK answers a keepalive as well, because the keepalive's PSN was earlier. */
		qp->requester.probing = false;
		return true;
	}
	rc_retransmit_gap(qp, &qp->ctx->counters.retries_implied, now_ns);
	return false;
}

/*
 * @return true if an RNR NAK for this PSN is plausible (SEC-024). A SEND takes its receive with its
 * first packet, a WRITE with immediate with its last packet (RC-087). All PSNs of a READ are
 * plausible, because a READ may have been resumed at any PSN.
 */
static bool
may_lack_receive(const struct rc_send_wqe *wqe, uint32_t psn)
{
	const struct rc_operation *operation = rc_operation(wqe->opcode);
	uint32_t index = psn_distance(psn, wqe->first_psn);

	return index == 0 || operation->kind == RC_KIND_READ ||
		(index + 1 == wqe->packet_count &&
			wire_opcode_traits(operation->wire[RC_POSITION_LAST])->needs_receive);
}

static void
take_rnr_nak(struct rc_qp *qp, uint32_t psn, uint8_t syndrome, uint64_t now_ns)
{
	const struct rc_send_wqe *wqe = owner(&qp->requester, psn);

	if (!may_lack_receive(wqe, psn)) {
		qp->ctx->counters.drop_forged_nak++;
		return;
	}
	qp->ctx->counters.rx_rnr_naks++;
	if (reach(qp, psn, now_ns))
		rc_retransmit_rnr(qp, syndrome & WIRE_RNR_TIMER_MASK, now_ns);
}

static void
take_fatal_nak(struct rc_qp *qp, uint32_t psn, enum rc_status status, uint64_t now_ns)
{
	qp->ctx->counters.rx_naks_fatal++;
	if (reach(qp, psn, now_ns))
		rc_complete_fail(qp, status);
}

static void
take_nak(struct rc_qp *qp, uint32_t psn, uint8_t syndrome, uint64_t now_ns)
{
	switch (syndrome) {
	case WIRE_NAK_SEQUENCE:
		qp->ctx->counters.rx_naks_sequence++;
		if (reach(qp, psn, now_ns))
			rc_recovery_nak(qp, now_ns);
		break;
	case WIRE_NAK_INVALID_REQUEST:
		take_fatal_nak(qp, psn, RC_REMOTE_INVALID_REQUEST, now_ns);
		break;
	case WIRE_NAK_REMOTE_ACCESS:
		take_fatal_nak(qp, psn, RC_REMOTE_ACCESS, now_ns);
		break;
	case WIRE_NAK_REMOTE_OPERATION:
		take_fatal_nak(qp, psn, RC_REMOTE_OPERATION, now_ns);
		break;
	default:
		qp->ctx->counters.drop_aeth++; /* RC-100: reserved code */
	}
}

static void
take_acknowledge(struct rc_qp *qp, const struct wire_view *view, bool outstanding, uint64_t now_ns)
{
	struct rc_counters *counters = &qp->ctx->counters;
	uint8_t syndrome = view->aeth.syndrome & 0x7F; /* without bit 7, which is reserved */
	enum wire_aeth_type type = wire_aeth_type(syndrome);

	if (!outstanding) {
		if (rc_keepalive_input(qp, view->bth.psn, syndrome, now_ns))
			return;
		/* The PSN is already answered, or was never sent (RC-099, RC-168). */
		if (type == WIRE_AETH_NAK || type == WIRE_AETH_RNR_NAK)
			counters->drop_forged_nak++;
		else
			drop(qp, view->bth.psn);
		return;
	}
	switch (type) {
	case WIRE_AETH_ACK:
		take_ack(qp, view->bth.psn, now_ns);
		break;
	case WIRE_AETH_RNR_NAK:
		take_rnr_nak(qp, view->bth.psn, syndrome, now_ns);
		break;
	case WIRE_AETH_NAK:
		take_nak(qp, view->bth.psn, syndrome, now_ns);
		break;
	case WIRE_AETH_RESERVED:
		counters->drop_aeth++;
		break;
	}
}

/*
 * RC-073, RC-074. The first response to a request is First or Only, the last response is Last or
 * Only. If a READ was requested again from the middle, the response at this PSN may be First or
 * Only (RC-057). It may also be Middle or Last as in the first answer, which is the behaviour of
 * Soft-RoCE.
 */
bool
rc_response_fits(
	const struct rc_qp *qp, const struct rc_send_wqe *wqe, const struct wire_view *view)
{
	uint32_t index = psn_distance(view->bth.psn, wqe->first_psn);
	bool piece_starts = (index & (RC_READ_REQUEST_PACKETS - 1)) == 0;
	bool may_start = piece_starts || view->bth.psn == qp->requester.read_restart_psn;
	bool ends = rc_request_read_packets(wqe, index) == 1;
	uint64_t offset = (uint64_t)index << qp->pmtu_shift;
	uint32_t bytes = (uint32_t)RTE_MIN(wqe->length_bytes - offset, qp->pmtu_bytes);

	if (view->payload_bytes != bytes)
		return false;
	/* Responses to a part of a READ start and end with this part (RC-113). */
	if (!qp->recovery.reads_cut &&
		((view->traits->starts ? !may_start : piece_starts) || view->traits->ends != ends))
		return false;
	return !view->traits->has_aeth || wire_aeth_type(view->aeth.syndrome) == WIRE_AETH_ACK;
}

static enum rc_status
place(const struct rc_qp *qp, const struct rc_send_wqe *wqe, const struct rte_mbuf *mbuf,
	const struct wire_view *view)
{
	const struct mem_sgl sgl = {.sges = wqe->sges, .count = wqe->sge_count};
	uint64_t offset = (uint64_t)psn_distance(view->bth.psn, wqe->first_psn) << qp->pmtu_shift;
	struct rc_bounce bounce;
	const uint8_t *payload;

	if (view->payload_bytes == 0)
		return RC_OK;
	payload = rc_payload(mbuf, view, &bounce);
	BASE_ASSERT(payload != NULL);
	return mem_sgl_scatter_sink(qp->ctx->mem, &sgl, offset, payload, view->payload_bytes);
}

/*
 * RC-075. Only the answer to the oldest request is accepted. The original value is stored to the
 * request's SGE.
 */
static void
take_atomic_response(struct rc_qp *qp, const struct wire_view *view, uint64_t now_ns)
{
	const struct rc_requester *r = &qp->requester;
	uint32_t psn = view->bth.psn;
	const struct rc_send_wqe *wqe;
	struct mem_sgl sgl;

	if (psn != r->una_psn) {
		if (rc_opcode_kind(owner(r, psn)->opcode) != RC_KIND_ATOMIC) {
			qp->ctx->counters.drop_ghost++;
			return;
		}
		if (!reach(qp, psn, now_ns))
			return;
	}
	wqe = oldest(r);
	if (rc_opcode_kind(wqe->opcode) != RC_KIND_ATOMIC ||
		wire_aeth_type(view->aeth.syndrome) != WIRE_AETH_ACK) {
		rc_complete_fail(qp, RC_BAD_RESPONSE);
		return;
	}
	sgl = (struct mem_sgl){.sges = wqe->sges, .count = wqe->sge_count};
	if (mem_sgl_scatter_sink(qp->ctx->mem, &sgl, 0, &view->atomic_original, RC_ATOMIC_BYTES) !=
		RC_OK) {
		rc_complete_fail(qp, RC_LOCAL_PROTECTION);
		return;
	}
	advance_over_holes(qp, view->bth.opcode, now_ns);
}

/*
 * @return true if this is a response to the first of two READ requests for the same READ. The
 * second request asked for the rest of the READ, while responses to the first request still arrive.
 * The responses to the second request follow them. A gap between responses to the first request
 * needs no recovery, because the rest was already requested. The first responses only show that the
 * peer is alive (RC-072). Only a response that is newer than all earlier responses restarts the
 * timer, so that copies of one packet cannot keep the timer from expiring.
 */
static bool
is_of_first_answer(const struct rc_requester *r, uint32_t psn)
{
	return r->went_back && owner(r, psn) == oldest(r);
}

static void
take_first_answer(struct rc_qp *qp, uint32_t psn, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;

	qp->ctx->counters.rx_duplicate_responses++;
	if (psn_distance(psn, r->una_psn) < psn_distance(r->first_answer_psn, r->una_psn))
		return;
	r->first_answer_psn = psn_add(psn, 1);
	rc_timer_alive(&r->timer, now_ns);
}

/*
 * @return true if a response after una_psn can be marked and has not arrived yet. Takes a map if
 * necessary.
 */
static bool
ahead_wanted(struct rc_qp *qp, uint32_t psn)
{
	struct rc_recovery *recovery = &qp->recovery;

	if (psn_distance(psn, qp->requester.una_psn) >= RC_HOLE_BITS)
		return false;
	if (recovery->holes == NULL)
		recovery->holes = rc_holes_take(&qp->ctx->hole_maps);
	return recovery->holes != NULL && !rc_holes_has(recovery->holes, psn);
}

/*
 * Handle a READ response after una_psn (RC-113). A response that cannot be placed is requested
 * again, and checked, when una_psn has reached its PSN.
 */
static void
take_ahead(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;
	uint32_t psn = view->bth.psn;
	const struct rc_send_wqe *wqe = owner(r, psn);

	rc_recovery_known(qp, psn);
	if (ahead_wanted(qp, psn) && rc_response_fits(qp, wqe, view) &&
		place(qp, wqe, mbuf, view) == RC_OK) {
		rc_holes_set(qp->recovery.holes, psn);
		rc_timer_alive(&r->timer, now_ns);
	} else {
		qp->ctx->counters.drop_ghost++;
	}
	lost(qp, now_ns);
}

static void
take_read_response(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint64_t now_ns)
{
	const struct rc_requester *r = &qp->requester;
	uint32_t psn = view->bth.psn;
	struct rc_send_wqe *wqe;

	if (psn != r->una_psn) {
		if (rc_opcode_kind(owner(r, psn)->opcode) != RC_KIND_READ) {
			qp->ctx->counters.drop_ghost++;
			return;
		}
		acknowledge_before(qp, psn, now_ns);
		if (qp->connection.selective && r->una_psn != psn && asks_alone(qp)) {
			take_ahead(qp, mbuf, view, now_ns);
			return;
		}
		if (r->una_psn != psn && is_of_first_answer(r, psn)) {
			take_first_answer(qp, psn, now_ns);
			return;
		}
		if (!reach(qp, psn, now_ns))
			return;
	}
	wqe = oldest(r);
	if (rc_opcode_kind(wqe->opcode) != RC_KIND_READ || !rc_response_fits(qp, wqe, view)) {
		rc_complete_fail(qp, RC_BAD_RESPONSE);
		return;
	}
	if (place(qp, wqe, mbuf, view) != RC_OK) {
		rc_complete_fail(qp, RC_LOCAL_PROTECTION);
		return;
	}
	advance_over_holes(qp, view->bth.opcode, now_ns);
}

void
rc_response_ladder(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view,
	uint64_t now_ns)
{
	const struct rc_requester *r = &qp->requester;
	bool outstanding =
		psn_distance(view->bth.psn, r->una_psn) < psn_distance(r->max_sent_psn, r->una_psn);

	if (view->traits->kind == WIRE_KIND_ACKNOWLEDGE)
		take_acknowledge(qp, view, outstanding, now_ns);
	else if (view->traits->kind == WIRE_KIND_READ_RESPONSE && outstanding)
		take_read_response(qp, mbuf, view, now_ns);
	else if (view->traits->kind == WIRE_KIND_ATOMIC_ACKNOWLEDGE && outstanding)
		take_atomic_response(qp, view, now_ns);
	else
		drop(qp, view->bth.psn);
}
