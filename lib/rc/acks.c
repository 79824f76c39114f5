/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/acks.h"

#include "base/encoded_time.h"
#include "base/psn.h"
#include "rc/keep.h"
#include "rc/out.h"
#include "rc/qp.h"

/*
 * Acknowledgements and NAKs. A queue pair owes at most one ACK or NAK at a time, because each of
 * them acknowledges all packets with earlier PSNs (RC-034). Nothing is sent while a burst is
 * processed, so one answer covers the burst (RC-046).
 *
 * The ACK of a whole message may be delayed until the next poll of the engine, so that the
 * application's answer is sent before the ACK. There are two conditions. First, since the last
 * delayed ACK, the application has posted a request soon after a poll (rc_qp.prompt). So if the
 * application does not answer messages, they are acknowledged at once. Second, the engine expects
 * its next poll soon (rc_context.patient). If the engine is not polled again, the peer's ACK timer
 * expires and the peer retransmits the message. NAKs are not delayed until the next poll.
 *
 * A sequence NAK contains the PSN that is expected when the NAK is sent. In a reordered burst, the
 * missing packet may have arrived before the NAK is sent, so that only the dropped packets with
 * later PSNs are missing. If the peer has retransmitted the dropped packets, nothing is missing,
 * and an ACK is sent instead. While packets are kept, the NAK waits for packets that were only
 * reordered (RC-116, keep.h). The PSN of an RNR NAK does not change: until the NAK is sent, copies
 * of the packet with this PSN are dropped.
 */

/**
 * Half of the PSN space. A PSN further than PSN_HALF before the expected PSN looks like a PSN after
 * it.
 */
#define PSN_HALF (UINT64_C(1) << 23)

/** Timer code of an RNR NAK with the longest time, 655.36 ms. */
#define RNR_TIMER_LONGEST 0

void
rc_acks_reset(struct rc_qp *qp)
{
	qp->responder.acks = (struct rc_acks){.deadline_ns = BASE_TIME_NEVER};
	qp->responder.next_nak_ns = 0;
}

void
rc_acks_ahead(struct rc_qp *qp, uint32_t psn)
{
	struct rc_acks *acks = &qp->responder.acks;
	bool fresh;

	if (acks->rnr_nak) {
		qp->ctx->counters.drop_rnr_wait++;
		return;
	}
	fresh = !acks->sequence_nak && acks->owed != RC_OWED_SEQUENCE_NAK;
	if (fresh || psn_diff(psn, acks->ahead_psn) > 0)
		acks->ahead_psn = psn;
	if (acks->sequence_nak)
		return;
	acks->owed = RC_OWED_SEQUENCE_NAK;
	acks->sequence_nak = true;
}

void
rc_acks_owe_rnr_nak(struct rc_qp *qp, uint32_t psn)
{
	struct rc_acks *acks = &qp->responder.acks;

	acks->owed = RC_OWED_RNR_NAK;
	acks->syndrome = (uint8_t)(WIRE_SYNDROME_RNR | qp->connection.rnr_timer);
	acks->nak_psn = psn;
	acks->rnr_nak = true;
}

void
rc_acks_owe_wait(struct rc_qp *qp, uint32_t psn)
{
	rc_acks_owe_rnr_nak(qp, psn);
	qp->responder.acks.syndrome = WIRE_SYNDROME_RNR | RNR_TIMER_LONGEST;
}

void
rc_acks_owe_fatal_nak(struct rc_acks *acks, uint8_t syndrome, uint32_t psn, enum rc_status why)
{
	acks->owed = RC_OWED_FATAL_NAK;
	acks->syndrome = syndrome;
	acks->nak_psn = psn;
	acks->fatal = why;
}

/* Inline, because the opcode of an acknowledgement is known at compile time. */
static __rte_always_inline uint8_t *
response_begin(const struct rc_qp *qp, struct rte_mbuf *mbuf, uint8_t opcode, uint32_t psn)
{
	const struct wire_bth_value bth = rc_response_bth(qp->remote_qpn, opcode, psn);

	return rc_out_begin(
		qp->ctx, mbuf, &qp->tmpl, bth, wire_opcode_traits(opcode)->header_bytes);
}

uint8_t *
rc_response_begin(const struct rc_qp *qp, struct rte_mbuf *mbuf, uint8_t opcode, uint32_t psn)
{
	return response_begin(qp, mbuf, opcode, psn);
}

void
rc_acknowledge_send(const struct rc_qp *qp, struct rte_mbuf *mbuf, uint32_t psn,
	const struct wire_aeth_value *aeth)
{
	uint8_t *extensions = response_begin(qp, mbuf, WIRE_RC_ACKNOWLEDGE, psn);

	wire_aeth_store((struct wire_aeth *)extensions, aeth);
	rc_out_finish(qp->ctx, mbuf, &qp->tmpl);
	if (unlikely(qp->ctx->marking.ack_dscp_own))
		wire_frame_set_dscp(mbuf, &qp->tmpl, qp->ctx->marking.ack_dscp);
}

static void
count_sent(struct rc_counters *counters, uint8_t syndrome)
{
	if (wire_aeth_type(syndrome) == WIRE_AETH_ACK)
		counters->tx_acks++;
	else if (wire_aeth_type(syndrome) == WIRE_AETH_RNR_NAK)
		counters->tx_rnr_naks++;
	else if (syndrome == WIRE_NAK_SEQUENCE)
		counters->tx_naks_sequence++;
	else if (syndrome == WIRE_NAK_INVALID_REQUEST)
		counters->tx_naks_invalid++;
	else if (syndrome == WIRE_NAK_REMOTE_ACCESS)
		counters->tx_naks_access++;
	else
		counters->tx_naks_operation++;
}

static bool
send_answer(struct rc_qp *qp, uint8_t syndrome, uint32_t psn)
{
	const struct wire_aeth_value aeth = {.syndrome = syndrome, .msn = qp->responder.msn};
	struct rte_mbuf *mbuf = rc_out_reserve(qp->ctx, 0);

	if (mbuf == NULL)
		return false;
	rc_acknowledge_send(qp, mbuf, psn, &aeth);
	count_sent(&qp->ctx->counters, syndrome);
	qp->responder.acks.owed = RC_OWED_NONE;
	return true;
}

static bool
send_ack(struct rc_qp *qp)
{
	struct rc_acks *acks = &qp->responder.acks;

	/*
	 * A duplicate requested the ACK, but there is no PSN to acknowledge: no SEND or WRITE was
	 * executed so far, or none in the last half of the PSN space.
	 */
	if (!acks->executed || qp->responder.position - acks->ack_position > PSN_HALF) {
		acks->owed = RC_OWED_NONE;
		return true;
	}
	return send_answer(qp, WIRE_SYNDROME_ACK, acks->ack_psn);
}

/* @return true if the ACK may be delayed. Each answer of the application permits one delay. */
static bool
may_wait(struct rc_qp *qp)
{
	if (!qp->prompt || qp->responder.message != RC_MESSAGE_NONE)
		return false;
	qp->prompt = false;
	return true;
}

static bool
ack_progress(struct rc_qp *qp)
{
	struct rc_acks *acks = &qp->responder.acks;

	if (!qp->ctx->patient || (acks->owed == RC_OWED_ACK && !may_wait(qp)))
		return send_ack(qp);
	acks->owed = RC_OWED_ACK_LATER;
	qp->ctx->ack_waits = true;
	return false;
}

static bool
send_sequence_nak(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_acks *acks = &qp->responder.acks;
	uint32_t expected = qp->responder.expected_psn;
	uint64_t due_ns = qp->responder.next_nak_ns;

	if (psn_diff(acks->ahead_psn, expected) < 0) {
		acks->owed = RC_OWED_ACK;
		return send_ack(qp);
	}
	if (qp->responder.keeping)
		due_ns = RTE_MAX(due_ns, rc_keep_nak_ns(qp, now_ns));
	if (now_ns < due_ns) {
		acks->deadline_ns = due_ns;
		return true;
	}
	if (!send_answer(qp, WIRE_NAK_SEQUENCE, expected))
		return false;
	acks->sequence_nak = true; /* the mark is valid until the expected PSN advances */
	if (qp->responder.keeping)
		rc_reorder_nak_sent(&qp->reorder, expected, qp->responder.position);
	qp->responder.next_nak_ns = now_ns + RC_SEQUENCE_NAK_DISTANCE_NS;
	return true;
}

bool
rc_acks_progress(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_acks *acks = &qp->responder.acks;

	acks->deadline_ns = BASE_TIME_NEVER;
	switch (acks->owed) {
	case RC_OWED_NONE:
		return true;
	case RC_OWED_ACK_LATER:
	case RC_OWED_ACK:
		return ack_progress(qp);
	case RC_OWED_SEQUENCE_NAK:
		return send_sequence_nak(qp, now_ns);
	case RC_OWED_RNR_NAK:
		return send_answer(qp, acks->syndrome, acks->nak_psn);
	case RC_OWED_FATAL_NAK:
		if (!send_answer(qp, acks->syndrome, acks->nak_psn))
			return false;
		/* RC-035: fail only after sending the NAK, because no NAK is sent in ERROR */
		rc_qp_fail(qp, acks->fatal);
		return true;
	}
	return true;
}

void
rc_acks_end(struct rc_qp *qp)
{
	enum rc_owed owed = qp->responder.acks.owed;

	/*
	 * After an error of this side, the last message may have no completion (RC-129). So an ACK
	 * is sent only if the owner ends the queue pair. An ACK must not overtake READ responses.
	 */
	if ((owed == RC_OWED_ACK || owed == RC_OWED_ACK_LATER) && qp->error == RC_FLUSHED &&
		!rc_reads_pending(&qp->responder.reads))
		send_ack(qp);
}
