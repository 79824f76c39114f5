/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/responder.h"

#include <rte_branch_prediction.h>

#include "base/psn.h"
#include "rc/acks.h"
#include "rc/atomic.h"
#include "rc/keep.h"
#include "rc/payload.h"
#include "rc/qp.h"
#include "rc/read_job.h"
#include "rc/receive.h"
#include "rc/responder_usual.h"

/*
 * Responder half. Each request packet passes a sequence of checks. The first failed check decides:
 *
 *   PSN ahead     kept or dropped, one sequence NAK per gap  RC-023    keep.c, acks.c
 *   PSN before    never executed; ACK or answer from record  RC-055..  acks.c, read_response.c
 *   PSN expected  opcode sequence, opcode, rights of the queue pair,
 *                 receive or READ slot, lengths, key         RC-025..RC-032, here, atomic.c
 *
 * This is the slow path ("ladder"). Most packets do not reach it, because responder_usual.c accepts
 * them.
 *
 * Refusals are fatal (RC-035): the NAK is owed, no packet is accepted any more, and the queue pair
 * goes to ERROR after the NAK is sent. A missing receive is not fatal: the packet is dropped, and
 * the state does not change (RC-028).
 *
 * A kept packet passes the same checks when its PSN is expected, directly after the missing packet.
 * So order, checks and effects are the same as for packets that arrive in order, and one ACK
 * answers all kept packets (RC-111, RC-112). If the peer goes back, its retransmissions of these
 * packets are duplicates. After an RNR NAK, the peer retransmits all packets, so kept packets are
 * dropped (RC-028, RC-087).
 *
 * FLUSH and ATOMIC WRITE are refused (RC-026). End-to-end credits are not used (RC-049).
 */

/*
 * If receive_entries is 0, the queue has one slot for the receive that a message takes from the
 * shared queue.
 */
static size_t
queue_bytes(const struct rc_qp_attr *attr)
{
	return rc_ring_bytes(attr->receive_entries, rc_receive_wqe_bytes(attr->receive_sge_max), 0);
}

size_t
rc_responder_bytes(const struct rc_qp_attr *attr)
{
	return queue_bytes(attr) + rc_reads_bytes(attr->inbound_reads_max);
}

void
rc_responder_init(struct rc_qp *qp, const struct rc_qp_attr *attr, void *memory)
{
	struct rc_responder *responder = &qp->responder;

	rc_acks_reset(qp);
	responder->sge_max = attr->receive_sge_max;
	rc_ring_init(&responder->ring, memory, attr->receive_entries,
		rc_receive_wqe_bytes(attr->receive_sge_max));
	rc_reads_init(
		&responder->reads, attr->inbound_reads_max, RTE_PTR_ADD(memory, queue_bytes(attr)));
}

void
rc_responder_connect(struct rc_qp *qp)
{
	struct rc_responder *responder = &qp->responder;

	responder->expected_psn = qp->connection.receive_psn;
	responder->msn = 0;
	responder->position = 0;
	responder->message = RC_MESSAGE_NONE;
	responder->ending = false;
	qp->reorder = (struct rc_reorder){0};
	rc_acks_reset(qp);
	rc_reads_connect(&responder->reads, qp->connection.inbound_reads);
}

void
rc_responder_flush(struct rc_qp *qp)
{
	struct rc_responder *responder = &qp->responder;

	rc_keep_drop(qp);
	responder->ending = false; /* its receive is flushed */
	rc_receive_flush(qp);
	responder->message = RC_MESSAGE_NONE;
	rc_acks_reset(qp);
	rc_reads_reset(&responder->reads);
}

void
rc_responder_fini(struct rc_qp *qp)
{
	rc_keep_drop(qp);
}

/*
 * @return true if the opcode may follow the previous packet (RC-025). A reserved opcode never may.
 */
static bool
in_sequence(const struct rc_responder *responder, const struct wire_opcode_traits *traits)
{
	switch (responder->message) {
	case RC_MESSAGE_NONE:
		return traits->starts;
	case RC_MESSAGE_SEND:
		return traits->kind == WIRE_KIND_SEND && !traits->starts;
	case RC_MESSAGE_WRITE:
		return traits->kind == WIRE_KIND_WRITE && !traits->starts;
	}
	return false;
}

/* @return true if the request is supported (RC-026) and the connection allows it (RC-027) */
static bool
permitted(const struct rc_qp *qp, const struct wire_opcode_traits *traits)
{
	if (traits->kind == WIRE_KIND_SEND)
		return true;
	if (traits->kind == WIRE_KIND_WRITE)
		return (qp->peer_rights & MEM_REMOTE_WRITE) != 0;
	if (traits->kind == WIRE_KIND_ATOMIC)
		return (qp->peer_rights & MEM_REMOTE_ATOMIC) != 0;
	return traits->kind == WIRE_KIND_READ_REQUEST && (qp->peer_rights & MEM_REMOTE_READ) != 0;
}

/* @return result of the length checks that need no receive (RC-029) */
static bool
length_valid(const struct rc_qp *qp, const struct wire_view *view)
{
	const struct wire_opcode_traits *traits = view->traits;
	uint32_t payload = view->payload_bytes, left;

	if (view->bth.pad_count != (-payload & 3) || payload > qp->pmtu_bytes)
		return false;
	if (traits->has_reth && view->reth.length_bytes > LIMIT_MESSAGE_BYTES)
		return false;
	if (traits->kind == WIRE_KIND_READ_REQUEST || traits->kind == WIRE_KIND_ATOMIC)
		return payload == 0;
	if (!traits->ends && payload != qp->pmtu_bytes)
		return false;
	if (!traits->starts && payload == 0)
		return false;
	if (traits->kind == WIRE_KIND_SEND)
		return true;
	left = traits->starts ? view->reth.length_bytes : qp->responder.write_bytes_left;
	return traits->ends ? payload == left : payload < left;
}

/*
 * Last checks of the headers of a packet with the expected PSN. Errors of key and memory are found
 * later, when the payload is placed.
 */
static bool
acceptable(const struct rc_qp *qp, const struct wire_view *view)
{
	enum wire_kind kind = view->traits->kind;
	bool answered = kind == WIRE_KIND_READ_REQUEST || kind == WIRE_KIND_ATOMIC;

	if (answered && !rc_reads_room(&qp->responder.reads))
		return false; /* the peer has too many READs and atomics in flight (RC-028) */
	return length_valid(qp, view);
}

/*
 * Refuse the expected packet with a fatal NAK (RC-033, RC-035). A receive that the message has
 * partly filled completes with the error (RC-124).
 */
static void
refuse(struct rc_qp *qp, const struct wire_view *view, struct rc_refusal refusal, bool receive_used)
{
	struct rc_responder *responder = &qp->responder;

	responder->message = RC_MESSAGE_NONE;
	rc_acks_owe_fatal_nak(&responder->acks, refusal.syndrome, view->bth.psn, refusal.why);
	/*
	 * Report the refusal now, because a different failure may end the queue pair before the NAK
	 * is sent.
	 */
	if (refusal.syndrome == WIRE_NAK_REMOTE_ACCESS)
		rc_qp_note(qp, RC_EVENT_REFUSED); /* the peer may have guessed a key (SEC-031) */
	if (receive_used)
		rc_receive_fail(qp, refusal.why);
}

/*
 * Let the packet wait until other engines stop using the memory (rc_receive_finish()). The
 * responder is marked as inside a message, so that the fast path accepts no packet during the wait.
 */
static __rte_cold void
ending_begin(struct rc_qp *qp)
{
	qp->responder.message = RC_MESSAGE_SEND;
	rc_acks_gap_closed(&qp->responder.acks);
	rc_qp_owe(qp, RC_DUTY_ENDING);
}

static void
take_send(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	struct rc_refusal refusal = rc_receive_place(qp, mbuf, view);

	if (refusal.syndrome == 0 && view->traits->ends)
		refusal = rc_receive_finish(qp, view);
	if (refusal.syndrome != 0)
		refuse(qp, view, refusal, true);
	else if (unlikely(qp->responder.ending))
		ending_begin(qp);
	else
		rc_responder_executed(&qp->responder, view, view->traits->ends, RC_MESSAGE_SEND);
}

/*
 * RC-030: the First packet checks the key for the whole message. Each later packet checks the key
 * for the rest, so that no byte is written through a key that was invalidated during the message
 * (B-086). RC-012: the key of an empty WRITE is not checked.
 */
static enum mem_refusal
write_check(const struct rc_qp *qp, struct mem_span *span)
{
	const struct rc_responder *responder = &qp->responder;

	if (responder->write_bytes_left == 0)
		return MEM_ALLOWED;
	return mem_check_remote(qp->ctx->mem,
		&(struct mem_access){
			.key = responder->write_rkey,
			.owner = qp->qpn,
			.address = responder->write_address,
			.length_bytes = responder->write_bytes_left,
			.rights = MEM_REMOTE_WRITE,
		},
		span);
}

static struct rc_refusal
write_place(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	struct rc_responder *responder = &qp->responder;
	enum mem_refusal refusal;
	struct rc_bounce bounce;
	const uint8_t *payload;
	struct mem_span span;

	if (view->traits->starts) {
		responder->write_address = view->reth.address;
		responder->write_rkey = view->reth.rkey;
		responder->write_bytes_left = view->reth.length_bytes;
		responder->write_bytes = view->reth.length_bytes;
	}
	refusal = write_check(qp, &span);
	if (refusal != MEM_ALLOWED) {
		qp->ctx->counters.refused[refusal]++;
		rc_observe(qp->ctx, qp, RC_STEP_REFUSED, refusal);
		return (struct rc_refusal){WIRE_NAK_REMOTE_ACCESS, RC_REMOTE_ACCESS};
	}
	if (view->payload_bytes == 0)
		return (struct rc_refusal){0};
	payload = rc_payload(mbuf, view, &bounce);
	if (payload == NULL)
		return (struct rc_refusal){WIRE_NAK_REMOTE_OPERATION, RC_INTERNAL};
	mem_span_write(&span, 0, payload, view->payload_bytes);
	responder->write_address += view->payload_bytes;
	responder->write_bytes_left -= view->payload_bytes;
	return (struct rc_refusal){0};
}

static void
take_write(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	struct rc_refusal refusal = write_place(qp, mbuf, view);

	if (refusal.syndrome != 0) {
		refuse(qp, view, refusal, false);
		return;
	}
	if (view->traits->has_imm)
		rc_receive_complete(
			qp, view, qp->responder.write_bytes, RC_WITH_IMMEDIATE | RC_OF_WRITE);
	rc_responder_executed(&qp->responder, view, view->traits->ends, RC_MESSAGE_WRITE);
}

static void
take_read(struct rc_qp *qp, const struct wire_view *view)
{
	struct rc_responder *responder = &qp->responder;
	enum mem_refusal refusal = MEM_ALLOWED;
	struct mem_span span;

	if (view->reth.length_bytes > 0)
		refusal = rc_read_check(
			qp, view->reth.rkey, view->reth.address, view->reth.length_bytes, &span);
	if (refusal != MEM_ALLOWED) {
		qp->ctx->counters.refused[refusal]++;
		rc_observe(qp->ctx, qp, RC_STEP_REFUSED, refusal);
		refuse(qp, view, (struct rc_refusal){WIRE_NAK_REMOTE_ACCESS, RC_REMOTE_ACCESS},
			false);
		return;
	}
	rc_responder_accepted(responder);
	rc_responder_advance(responder, rc_reads_accept(qp, view));
}

static void
take_atomic(struct rc_qp *qp, const struct wire_view *view)
{
	struct rc_responder *responder = &qp->responder;
	struct rc_refusal refusal;
	uint64_t original;

	refusal = rc_atomic_execute(qp, view, &original);
	if (refusal.syndrome != 0) {
		refuse(qp, view, refusal, false);
		return;
	}
	rc_responder_accepted(responder);
	rc_reads_executed(qp, view, original);
	rc_responder_advance(responder, 1);
}

static void
take_expected(struct rc_qp *qp, const struct rte_mbuf *mbuf, const struct wire_view *view)
{
	if (view->traits->kind == WIRE_KIND_SEND)
		take_send(qp, mbuf, view);
	else if (view->traits->kind == WIRE_KIND_WRITE)
		take_write(qp, mbuf, view);
	else if (view->traits->kind == WIRE_KIND_ATOMIC)
		take_atomic(qp, view);
	else
		take_read(qp, view);
}

/*
 * Handle a request before the expected PSN. A duplicate does not change the message in progress
 * (RC-056, B-020).
 */
static void
take_duplicate(struct rc_qp *qp, const struct wire_view *view)
{
	enum wire_kind kind = view->traits->kind;

	qp->ctx->counters.rx_duplicates++;
	rc_reorder_repeated(&qp->reorder, view->bth.psn);
	rc_qp_note(qp, RC_EVENT_REPEATED);
	if (kind == WIRE_KIND_READ_REQUEST)
		rc_reads_duplicate(qp, view);
	else if (kind == WIRE_KIND_ATOMIC)
		rc_reads_duplicate_atomic(qp, view);
	else if ((kind == WIRE_KIND_SEND || kind == WIRE_KIND_WRITE) && view->bth.ack_request)
		rc_acks_repeat(&qp->responder.acks);
}

enum rc_verdict
rc_responder_judge(const struct rc_qp *qp, const struct wire_view *view)
{
	const struct rc_responder *responder = &qp->responder;
	int32_t distance = psn_diff(view->bth.psn, responder->expected_psn);

	if (rc_acks_refused(&responder->acks))
		return RC_VERDICT_REFUSED;
	if (distance != 0)
		return distance > 0 ? RC_VERDICT_AHEAD : RC_VERDICT_DUPLICATE;
	if (unlikely(responder->ending))
		return RC_VERDICT_ENDING;
	if (rc_acks_rnr_owed(&responder->acks))
		return RC_VERDICT_RNR_WAIT;
	if (!in_sequence(responder, view->traits) || !permitted(qp, view->traits))
		return RC_VERDICT_INVALID;
	if (view->traits->needs_receive && !rc_receive_ready(qp))
		return RC_VERDICT_NO_RECEIVE;
	return acceptable(qp, view) ? RC_VERDICT_TAKE : RC_VERDICT_INVALID;
}

/*
 * Record the PSN of a packet that arrived while the expected packet waits for other engines (struct
 * rc_ending). No sequence NAK is owed, because the expected packet is not missing.
 */
static void
ending_ahead(struct rc_qp *qp, uint32_t psn)
{
	struct rc_acks *acks = &qp->responder.acks;

	if (!qp->ending.ahead || psn_diff(psn, acks->ahead_psn) > 0)
		acks->ahead_psn = psn;
	qp->ending.ahead = true;
}

/*
 * Handle a request after the expected PSN. After an RNR NAK, the request is not kept, because the
 * peer will retransmit it.
 */
static void
take_ahead(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view)
{
	qp->ctx->counters.rx_ahead++;
	if (!qp->responder.acks.rnr_nak)
		rc_keep_packet(qp, mbuf, view);
	if (unlikely(qp->responder.ending))
		ending_ahead(qp, view->bth.psn);
	else
		rc_acks_ahead(qp, view->bth.psn);
}

static enum rc_verdict
take(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view)
{
	static const struct rc_refusal invalid = {
		WIRE_NAK_INVALID_REQUEST, RC_REMOTE_INVALID_REQUEST};
	enum rc_verdict verdict = rc_responder_judge(qp, view);
	struct rc_counters *counters = &qp->ctx->counters;

	switch (verdict) {
	case RC_VERDICT_TAKE:
		take_expected(qp, mbuf, view);
		break;
	case RC_VERDICT_REFUSED:
		counters->drop_state++;
		break;
	case RC_VERDICT_AHEAD:
		take_ahead(qp, mbuf, view);
		break;
	case RC_VERDICT_DUPLICATE:
		take_duplicate(qp, view);
		break;
	case RC_VERDICT_ENDING:
		counters->rx_duplicates++;
		rc_acks_owe_wait(qp, view->bth.psn);
		break;
	case RC_VERDICT_RNR_WAIT:
		counters->drop_rnr_wait++;
		break;
	case RC_VERDICT_NO_RECEIVE:
		rc_acks_owe_rnr_nak(qp, view->bth.psn); /* no receive (RC-028, RC-087) */
		if (qp->srq != NULL)
			rc_srq_missed(qp->srq);
		break;
	case RC_VERDICT_INVALID:
		refuse(qp, view, invalid, qp->responder.message == RC_MESSAGE_SEND);
		break;
	}
	return verdict;
}

/*
 * Called when the expected packet was processed: process the kept packets that follow it, up to the
 * next gap, and owe a NAK for this gap. If a packet is refused or finds no receive, drop all kept
 * packets.
 */
static __rte_cold void
kept_take(struct rc_qp *qp)
{
	struct rc_responder *responder = &qp->responder;
	struct rc_acks *acks = &responder->acks;
	struct rc_kept *kept;
	bool closed = false;

	while (!rc_qp_failed(qp) && (kept = rc_keep_next(qp)) != NULL) {
		take(qp, kept->mbuf, &kept->view);
		rc_keep_done(qp, kept);
		closed = true;
	}
	if (rc_acks_refused(acks) || rc_acks_rnr_owed(acks) || rc_qp_failed(qp)) {
		rc_keep_drop(qp);
	} else if (responder->ending) {
		/* the expected packet is not missing: it waits for other engines (rc_ending) */
		qp->ending.ahead = psn_diff(acks->ahead_psn, responder->expected_psn) > 0;
		rc_keep_advanced(qp, false);
		rc_acks_all_come(acks, responder->expected_psn);
	} else if (psn_diff(acks->ahead_psn, responder->expected_psn) < 0) {
		/* the packets are forged, because their PSNs belong to READ responses */
		rc_keep_drop(qp);
		rc_acks_all_come(acks, responder->expected_psn);
	} else {
		rc_keep_advanced(qp, closed);
		rc_acks_ahead(qp, acks->ahead_psn);
	}
}

void
rc_responder_ladder(struct rc_qp *qp, struct rte_mbuf *mbuf, const struct wire_view *view)
{
	enum rc_verdict verdict;

	rc_qp_owe(qp, RC_DUTY_ANSWERS);
	verdict = take(qp, mbuf, view);
	if (unlikely(qp->responder.keeping) &&
		(verdict == RC_VERDICT_TAKE || verdict == RC_VERDICT_NO_RECEIVE ||
			verdict == RC_VERDICT_INVALID))
		kept_take(qp);
}

/* If later packets could not be kept, the responder requests them with a NAK. */
__rte_cold bool
rc_responder_ending_progress(struct rc_qp *qp)
{
	struct wire_view view;

	if (!qp->responder.ending)
		return true; /* the queue was flushed */
	if (!rc_receive_end(qp, &view))
		return false;
	qp->ctx->frameless_results++;
	rc_qp_owe(qp, RC_DUTY_ANSWERS);
	rc_acks_wait_over(&qp->responder.acks);
	rc_responder_executed(&qp->responder, &view, true, RC_MESSAGE_SEND);
	if (qp->ending.ahead && !rc_qp_failed(qp))
		kept_take(qp);
	return !qp->responder.ending; /* a kept packet may wait too */
}

static __rte_cold void
kept_expire(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_acks *acks = &qp->responder.acks;

	acks->deadline_ns = RTE_MIN(acks->deadline_ns, rc_keep_expire(qp, now_ns));
}

bool
rc_responder_progress(struct rc_qp *qp, uint64_t now_ns)
{
	if ((qp->duties & RC_DUTY_READS) != 0) {
		if (rc_reads_progress(qp, now_ns))
			return true;
		if (rc_reads_pending(&qp->responder.reads))
			return false; /* paced */
		rc_qp_done(qp, RC_DUTY_READS);
	}
	if (!rc_acks_progress(qp, now_ns))
		return true;
	if (unlikely(qp->responder.keeping))
		kept_expire(qp, now_ns);
	else if (qp->responder.acks.owed == RC_OWED_NONE)
		rc_qp_done(qp, RC_DUTY_ANSWERS);
	return false;
}
