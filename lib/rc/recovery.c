/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "rc/recovery.h"

#include "base/assert.h"
#include "cc/cc.h"
#include "cc/peer.h"
#include "rc/complete.h"
#include "rc/operation.h"
#include "rc/qp.h"
#include "rc/retransmit.h"

/*
 * Selective recovery has three parts. All of them use only standard packets.
 *
 * Round trips (RC-115). The requester measures the round-trip time of one packet at a time, never
 * of a packet that was retransmitted. The estimate determines when the ACK timer expires early.
 *
 * Probes (RC-104). When the timer expires early, the requester retransmits one packet. The first
 * probe of a wait is the newest packet. If only this packet was lost, the probe repairs the loss.
 * If earlier packets were lost, the peer names the first lost packet in a NAK. A peer sends only
 * one NAK per gap. Therefore the second probe is the oldest packet, which is always answered. The
 * first probe after a NAK is the oldest packet for the same reason. A READ is requested again from
 * the first missing response on, and only in part, because a slow peer must not get another long
 * stream to send. A probe costs no retry.
 *
 * If the answer to a probe comes late, the interval stays doubled until the next round-trip
 * measurement, as in RFC 6298. So a path that became slower is not probed repeatedly. The
 * congestion control of a peer may allow less than one READ response per wait. The peer then
 * answers each probe after the READ, which delays later responses. Therefore the wait becomes
 * longer than the time between responses.
 *
 * Repair (RC-114). A NAK names only the first missing packet; the standard has no way to name more.
 * If the peer keeps the packets after a gap, it needs only this packet, and names the next gap in a
 * later NAK. The requester retransmits one packet alone to find out whether the peer keeps packets.
 * The peer keeps packets if its answer shows progress beyond this packet. The peer does not keep
 * packets if its answer shows no such progress, although later packets had been sent before. In
 * this case all packets are retransmitted (go-back-N), and the peer gets a new trial after a number
 * of gaps. A peer that was found to keep packets is considered to drop them only after a few
 * answers without such progress in a row. After a go-back, an acknowledgement of packets that were
 * not yet retransmitted shows that the peer keeps packets. If consecutive packets are missing, each
 * repair retransmits twice as many packets as the previous one.
 *
 * During recovery new packets are sent, as far as the window, which begins at una_psn, allows.
 */

#define REPAIR_PACKETS_MAX  16
#define PROBE_READ_PACKETS  16
/* Number of expiries before a probe requests a longer part of a READ from a slow peer. */
#define PROBE_LONG_EXPIRIES 3
/* number of gaps until a new trial of a peer that drops packets after a gap */
#define GAPS_UNTIL_TRIAL    16
/*
 * Number of consecutive gaps after which a peer that keeps packets is considered to drop packets.
 * At each of these gaps, the peer acknowledges exactly the retransmitted packets.
 */
#define GAPS_UNTIL_DOUBT    4

static void
forget(struct rc_requester *r, unsigned int watch)
{
	r->watch &= (uint8_t)~watch;
}

void
rc_recovery_connect(struct rc_qp *qp)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;

	*recovery = (struct rc_recovery){.keeps = RC_KEEPS_UNKNOWN};
	r->watch = 0;
	r->time_skip = 1;
	rc_timer_adapt(&r->timer, &recovery->early);
	if (qp->connection.selective)
		rc_timer_early_begin(&r->timer, &recovery->early, rc_rtt_probe_ns(&recovery->rtt));
}

/* ---- round trips ---- */

static void
take_sample(struct rc_qp *qp, uint64_t sample_ns, uint64_t now_ns)
{
	struct rc_recovery *recovery = &qp->recovery;

	rc_rtt_sample(&recovery->rtt, sample_ns);
	qp->ctx->round_trip_ns = recovery->rtt.smoothed_ns;
	rc_timer_early_begin(
		&qp->requester.timer, &recovery->early, rc_rtt_probe_ns(&recovery->rtt));
	cc_rtt_sample(&qp->cc, RTE_MAX(sample_ns, UINT64_C(1)), now_ns);
}

/*
 * Called when an answer ends a wait in which the timer had expired early. The time of the answer
 * distinguishes three cases:
 *
 * - The answer comes much sooner after the probe than any earlier answer: it was already on its
 *   way. The minimum was measured under load, or on a machine with varying times, so only an answer
 *   within half of the minimum is certain.
 * - The answer comes after a usual time: it answers the probe. The path has not changed, and the
 *   packets before the probe were lost.
 * - The answer comes later: it may answer the original packet or the probe, and the path has become
 *   slower.
 */
static void
wait_over(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;
	uint64_t interval_ns = r->timer.interval_ns;

	forget(r, RC_WATCH_EARLY);
	r->watch |= RC_WATCH_WAITED;
	r->time_skip = 1;
	if (rc_rtt_known(&recovery->rtt) && recovery->early.expiries != 0) {
		uint64_t answer_ns = now_ns - recovery->probe_ns;

		if (answer_ns < recovery->rtt.min_ns / 2) {
			if (recovery->probes_open != 0) {
				recovery->probes_open--;
				qp->ctx->counters.probes_spurious++;
			}
			take_sample(qp, now_ns - recovery->early.since_ns, now_ns);
			return;
		}
		if (answer_ns <= 2 * recovery->rtt.smoothed_ns)
			interval_ns = rc_rtt_probe_ns(&recovery->rtt);
	}
	rc_timer_early_begin(&r->timer, &recovery->early, interval_ns);
}

void
rc_recovery_slow_answer(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;
	uint64_t since_ns = now_ns - recovery->early.since_ns;
	uint64_t interval_ns = since_ns + since_ns / 2;

	if (interval_ns <= r->timer.interval_ns)
		return;
	rc_timer_early_begin(&r->timer, &recovery->early, interval_ns);
	rc_timer_alive(&r->timer, now_ns);
}

/* ---- sending again ---- */

static uint32_t
owner_index(const struct rc_requester *r, uint32_t psn)
{
	uint32_t index = r->ring.head;
	const struct rc_send_wqe *wqe = rc_ring_at(&r->ring, index);

	while (psn_distance(psn, wqe->first_psn) >= wqe->packet_count) {
		index++;
		BASE_ASSERT(index != r->start_index);
		wqe = rc_ring_at(&r->ring, index);
	}
	return index;
}

static const struct rc_send_wqe *
oldest(const struct rc_requester *r)
{
	BASE_ASSERT(r->ring.head != r->start_index);
	return rc_ring_at(&r->ring, r->ring.head);
}

/*
 * Schedule packets for individual retransmission, instead of the packets that were scheduled
 * earlier.
 */
static void
want_resend(struct rc_requester *r, struct rc_recovery *recovery, uint32_t psn, uint32_t packets)
{
	recovery->resend_psn = psn;
	recovery->resend_packets = packets;
	recovery->resend_part = false;
	recovery->resend_probe = false;
	forget(r, RC_WATCH_TIMED);
	r->watch |= RC_WATCH_RESEND;
}

/*
 * @return number of PSNs from psn on that one packet requests. A READ that the peer may not know is
 * requested as a whole, because the peer would take a part for the whole READ.
 */
static uint32_t
packet_psns(const struct rc_send_wqe *wqe, uint32_t psn, uint32_t most, bool part)
{
	uint32_t index = psn_distance(psn, wqe->first_psn);
	uint32_t all;

	if (rc_opcode_kind(wqe->opcode) != RC_KIND_READ)
		return 1;
	all = rc_request_read_packets(wqe, index);
	return index == 0 && !part ? all : RTE_MIN(all, most);
}

static enum rc_request_outcome
resend_one(struct rc_qp *qp, uint32_t index, uint32_t psns, uint64_t now_ns)
{
	const struct rc_send_wqe *wqe = rc_ring_at(&qp->requester.ring, index);
	struct rc_recovery *recovery = &qp->recovery;
	const struct rc_request_packet packet = {
		.psn = recovery->resend_psn,
		.wqe_index = index,
		.read_packets = psns,
		.ack_request = psns >= recovery->resend_packets,
	};

	recovery->reads_cut |= rc_opcode_kind(wqe->opcode) == RC_KIND_READ;
	return rc_request_resend(qp, &packet, now_ns);
}

static void
count_resent(struct rc_qp *qp)
{
	struct rc_recovery *recovery = &qp->recovery;

	if (!recovery->resend_probe) {
		qp->ctx->counters.retransmitted_packets++;
		return;
	}
	recovery->probe_end_psn = qp->requester.max_sent_psn;
	if (recovery->probes_open < UINT8_MAX)
		recovery->probes_open++;
}

void
rc_recovery_ask_newest(struct rc_qp *qp)
{
	struct rc_requester *r = &qp->requester;

	want_resend(r, &qp->recovery, psn_add(r->send_psn, -1), 1);
}

enum rc_request_outcome
rc_recovery_resend(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;
	enum rc_request_outcome outcome = RC_REQUEST_SENT;

	while (recovery->resend_packets != 0) {
		uint32_t index = owner_index(r, recovery->resend_psn);
		uint32_t psns = packet_psns(rc_ring_at(&r->ring, index), recovery->resend_psn,
			recovery->resend_packets, recovery->resend_part);

		outcome = resend_one(qp, index, psns, now_ns);
		if (outcome == RC_REQUEST_FAILED && index == r->ring.head)
			rc_complete_fail(qp, RC_LOCAL_PROTECTION);
		if (outcome != RC_REQUEST_SENT)
			break;
		count_resent(qp);
		recovery->resend_psn = psn_add(recovery->resend_psn, psns);
		recovery->resend_packets -= RTE_MIN(psns, recovery->resend_packets);
	}
	if (outcome == RC_REQUEST_SENT || outcome == RC_REQUEST_FAILED)
		forget(r, RC_WATCH_RESEND);
	return outcome;
}

/* Remove acknowledged packets from the scheduled retransmission. */
static void
trim_resend(struct rc_requester *r, struct rc_recovery *recovery)
{
	uint32_t left = psn_distance(r->max_sent_psn, r->una_psn);
	uint32_t end_psn = psn_add(recovery->resend_psn, recovery->resend_packets);
	uint32_t end = psn_distance(end_psn, r->una_psn);

	if (psn_distance(recovery->resend_psn, r->una_psn) < left)
		return;
	if (end == 0 || end > left) {
		forget(r, RC_WATCH_RESEND);
		return;
	}
	recovery->resend_psn = r->una_psn;
	recovery->resend_packets = end;
}

/* ---- repair ---- */

/* Retransmit only `packets` packets from una_psn on. @param nak true if una_psn got a NAK */
static void
repair(struct rc_qp *qp, uint32_t packets, bool nak, uint64_t now_ns)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;

	recovery->repair_psn = r->una_psn;
	recovery->repair_packets = packets;
	recovery->repair_end_psn = r->max_sent_psn;
	recovery->repair_ns = now_ns;
	recovery->repair_nak = nak;
	recovery->repair_read = rc_opcode_is_answered(oldest(r)->opcode);
	recovery->repair_next = false;
	r->watch |= RC_WATCH_REPAIR;
	want_resend(r, recovery, r->una_psn, packets);
}

static void
learn(struct rc_qp *qp, enum rc_keeps keeps)
{
	struct rc_recovery *recovery = &qp->recovery;

	recovery->gaps = 0;
	if (recovery->keeps == keeps)
		return;
	recovery->keeps = (uint8_t)keeps;
	cc_peer_goes_back(&qp->cc, keeps == RC_KEEPS_NO);
	if (keeps == RC_KEEPS_YES)
		qp->ctx->counters.learned_keeps++;
	else if (keeps == RC_KEEPS_NO)
		qp->ctx->counters.learned_goes_back++;
}

/*
 * Called if the peer acknowledges exactly the retransmitted packets, although later packets were
 * sent before the retransmission.
 */
static void
repaired_exactly(struct rc_qp *qp)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;

	if (recovery->keeps == RC_KEEPS_YES &&
		(!recovery->repair_nak || ++recovery->gaps < GAPS_UNTIL_DOUBT)) {
		/* a NAK or a probe will start the next repair */
		recovery->repair_next = true;
		return;
	}
	rc_retransmit_go_back(r);
	r->go_back_pending = true;
	if (!recovery->repair_nak)
		return; /* a probe proves nothing, because the later packets may be lost, too */
	learn(qp, RC_KEEPS_NO);
	r->watch |= RC_WATCH_NAKED;
}

/*
 * Called if the peer acknowledges more than the packets that were retransmitted alone, but not all
 * packets. The packet with the new una_psn was sent before the retransmission, so this packet is
 * lost, too. Its NAK may be lost as well. Progress in less than a round trip after the
 * retransmission is caused by a reordered packet and proves nothing.
 */
static void
repair_behind(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;
	uint32_t before = psn_distance(recovery->repair_end_psn, recovery->repair_psn);

	if (now_ns - recovery->repair_ns < recovery->rtt.min_ns - recovery->rtt.min_ns / 4)
		return;
	if (recovery->keeps != RC_KEEPS_YES || r->retries_left == 0 ||
		r->send_psn != r->max_sent_psn ||
		psn_distance(r->una_psn, recovery->repair_psn) >= before ||
		rc_opcode_is_answered(oldest(r)->opcode))
		return;
	if (!rc_retransmit_take(qp, now_ns))
		return;
	qp->ctx->counters.retries_selective++;
	rc_observe(qp->ctx, qp, RC_STEP_SELECTIVE, 0);
	repair(qp, 1, true, now_ns);
}

/* After progress, evaluate the answer to the repair (packets retransmitted alone). */
static void
judge_repair(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;
	uint32_t done = psn_distance(r->una_psn, recovery->repair_psn);

	if (done < recovery->repair_packets)
		return;
	forget(r, RC_WATCH_REPAIR);
	if (recovery->repair_read)
		return; /* responses arrive one by one, and show nothing about the peer */
	if (done > recovery->repair_packets) {
		if (recovery->repair_nak)
			learn(qp, RC_KEEPS_YES);
		repair_behind(qp, now_ns);
		return;
	}
	/*
	 * If no later packets were sent, the answer does not show whether the peer keeps packets.
	 */
	if (r->una_psn != recovery->repair_end_psn && r->send_psn == r->max_sent_psn)
		repaired_exactly(qp);
}

/* ---- responses ahead ---- */

void
rc_recovery_forget(struct rc_qp *qp)
{
	struct rc_recovery *recovery = &qp->recovery;

	forget(&qp->requester, RC_WATCH_HOLES);
	if (recovery->holes != NULL)
		rc_holes_give(&qp->ctx->hole_maps, recovery->holes);
	recovery->holes = NULL;
}

void
rc_recovery_known(struct rc_qp *qp, uint32_t psn)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;

	if ((r->watch & RC_WATCH_HOLES) == 0 ||
		psn_distance(psn, r->una_psn) > psn_distance(recovery->known_psn, r->una_psn))
		recovery->known_psn = psn;
	r->watch |= RC_WATCH_HOLES;
}

static void
holes_progress(struct rc_qp *qp, uint32_t before_psn, uint32_t count)
{
	struct rc_recovery *recovery = &qp->recovery;

	if (recovery->holes != NULL)
		rc_holes_pass(recovery->holes, before_psn, count);
	/*
	 * The map must be empty, because the newest placed response has the PSN known_psn itself.
	 */
	if (psn_distance(recovery->known_psn, before_psn) <= count &&
		(recovery->holes == NULL || recovery->holes->count == 0))
		rc_recovery_forget(qp);
}

uint32_t
rc_recovery_placed(const struct rc_qp *qp)
{
	const struct rc_holes *holes = qp->recovery.holes;
	uint32_t una_psn = qp->requester.una_psn;

	if (holes == NULL || !rc_holes_has(holes, una_psn))
		return 0;
	return rc_holes_run(holes, una_psn, RC_HOLE_BITS);
}

/* @return number of missing responses of the oldest READ from una_psn on */
static uint32_t
hole_packets(const struct rc_qp *qp)
{
	const struct rc_recovery *recovery = &qp->recovery;
	const struct rc_requester *r = &qp->requester;
	uint32_t most = psn_distance(recovery->known_psn, r->una_psn);

	if (recovery->holes != NULL)
		most = rc_holes_run(recovery->holes, r->una_psn, most);
	return packet_psns(oldest(r), r->una_psn, most, true);
}

void
rc_recovery_ask(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;

	/*
	 * The responses are already requested, alone or because all packets are being
	 * retransmitted.
	 */
	if ((r->watch & RC_WATCH_REPAIR) != 0 || r->went_back || r->send_psn != r->max_sent_psn ||
		rc_timer_rnr_waiting(&r->timer))
		return;
	if (!rc_retransmit_take(qp, now_ns))
		return;
	qp->ctx->counters.holes_asked++;
	repair(qp, hole_packets(qp), false, now_ns);
	qp->recovery.resend_part = true;
	rc_timer_go_back(&r->timer); /* the timer restarts when the packet is sent */
}

void
rc_recovery_progress(struct rc_qp *qp, uint32_t count, uint64_t now_ns)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;
	uint32_t before_psn = psn_add(r->una_psn, -(int64_t)count);

	forget(r, RC_WATCH_WAITED);
	if ((r->watch & RC_WATCH_EARLY) != 0)
		wait_over(qp, now_ns);
	if ((r->watch & RC_WATCH_TIMED) != 0 &&
		psn_distance(recovery->rtt.timed_psn, before_psn) < count) {
		forget(r, RC_WATCH_TIMED);
		take_sample(qp, now_ns - recovery->rtt.timed_ns, now_ns);
	}
	if ((r->watch & RC_WATCH_SKIPPED) != 0)
		learn(qp, RC_KEEPS_YES);
	forget(r, RC_WATCH_NAKED | RC_WATCH_SKIPPED);
	recovery->repair_next = false;
	if ((r->watch & RC_WATCH_HOLES) != 0)
		holes_progress(qp, before_psn, count);
	if ((r->watch & RC_WATCH_RESEND) != 0)
		trim_resend(r, recovery);
	if ((r->watch & RC_WATCH_REPAIR) != 0)
		judge_repair(qp, now_ns);
}

/* @return true if the answer to the repair, which begins at una_psn, is overdue */
static bool
repair_overdue(const struct rc_qp *qp, uint64_t now_ns)
{
	const struct rc_recovery *recovery = &qp->recovery;

	return (qp->requester.watch & RC_WATCH_RESEND) == 0 &&
		now_ns - recovery->repair_ns > rc_rtt_overdue_ns(&recovery->rtt);
}

/*
 * @return number of packets to retransmit: twice the number of the last repair, if it was too small
 */
static uint32_t
repair_count(const struct rc_qp *qp)
{
	const struct rc_recovery *recovery = &qp->recovery;
	const struct rc_requester *r = &qp->requester;
	const struct rc_send_wqe *wqe = oldest(r);

	if (rc_opcode_is_answered(wqe->opcode))
		return packet_psns(wqe, r->una_psn, UINT32_MAX, false);
	if (!recovery->repair_next)
		return 1;
	return RTE_MIN(2 * recovery->repair_packets, psn_distance(r->max_sent_psn, r->una_psn));
}

/*
 * @return true if una_psn must be retransmitted alone. The answer to a READ or an atomic does not
 * show whether later packets arrived, so all packets are retransmitted, unless the peer is known to
 * keep packets.
 */
static bool
repairs_alone(struct rc_qp *qp)
{
	struct rc_recovery *recovery = &qp->recovery;
	const struct rc_requester *r = &qp->requester;

	if (r->send_psn != r->max_sent_psn || r->went_back)
		return false;
	if (recovery->keeps == RC_KEEPS_YES)
		return repair_count(qp) <= REPAIR_PACKETS_MAX || !recovery->repair_next;
	if (rc_opcode_is_answered(oldest(r)->opcode))
		return false;
	return recovery->keeps == RC_KEEPS_UNKNOWN || ++recovery->gaps >= GAPS_UNTIL_TRIAL;
}

void
rc_recovery_nak(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;

	if ((r->watch & RC_WATCH_REPAIR) != 0 && recovery->repair_psn == r->una_psn) {
		/*
		 * A second NAK shows that the retransmission was lost. The next retransmission
		 * costs no further retry.
		 */
		if (repair_overdue(qp, now_ns))
			repair(qp, recovery->repair_packets, recovery->repair_nak, now_ns);
		return;
	}
	if (!qp->connection.selective || rc_timer_rnr_waiting(&r->timer) || !repairs_alone(qp)) {
		bool pending = r->go_back_pending;

		rc_retransmit_gap(qp, &qp->ctx->counters.retries_sequence, now_ns);
		if (qp->connection.selective && r->go_back_pending && !pending)
			r->watch |= RC_WATCH_NAKED;
		return;
	}
	if (!rc_retransmit_take(qp, now_ns))
		return;
	qp->ctx->counters.retries_selective++;
	rc_observe(qp->ctx, qp, RC_STEP_SELECTIVE, 0);
	if (recovery->keeps == RC_KEEPS_NO)
		recovery->gaps = 0;
	repair(qp, repair_count(qp), true, now_ns);
	rc_timer_go_back(&r->timer); /* the timer restarts when the packet is sent */
}

/* ---- probes ---- */

/*
 * Count spurious probes. The count assumes that the network keeps the order of packets, so that the
 * response to a probe arrives before the responses to later packets.
 */
void
rc_recovery_duplicate_response(struct rc_qp *qp)
{
	struct rc_recovery *recovery = &qp->recovery;

	qp->ctx->counters.rx_duplicate_responses++;
	if (recovery->probes_open == 0)
		return;
	if (psn_diff(qp->requester.una_psn, recovery->probe_end_psn) > 0) {
		recovery->probes_open = 0;
		return;
	}
	recovery->probes_open--;
	qp->ctx->counters.probes_spurious++;
}

/*
 * @return number of responses of the oldest READ that a probe requests: twice the number of the
 * last probe, if all responses to the last probe have arrived
 */
static uint32_t
probe_packets(const struct rc_qp *qp)
{
	const struct rc_recovery *recovery = &qp->recovery;
	const struct rc_requester *r = &qp->requester;
	uint32_t most = PROBE_READ_PACKETS;

	if ((r->watch & RC_WATCH_HOLES) != 0)
		return hole_packets(qp);
	if (recovery->repair_read &&
		r->una_psn == psn_add(recovery->repair_psn, recovery->repair_packets))
		most = RTE_MAX(most, 2 * recovery->repair_packets);
	return packet_psns(oldest(r), r->una_psn, most, false);
}

static void
probe(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_recovery *recovery = &qp->recovery;
	struct rc_requester *r = &qp->requester;
	uint32_t psn = psn_add(r->max_sent_psn, -1);
	const struct rc_send_wqe *newest = rc_ring_at(&r->ring, owner_index(r, psn));
	bool known = (r->watch & (RC_WATCH_REPAIR | RC_WATCH_NAKED)) != 0;

	if (known || recovery->early.expiries > 1 || r->went_back ||
		rc_opcode_is_answered(newest->opcode))
		psn = r->una_psn;
	if ((r->watch & RC_WATCH_HOLES) == 0 && psn == oldest(r)->first_psn &&
		recovery->early.expiries < PROBE_LONG_EXPIRIES &&
		probe_packets(qp) > PROBE_READ_PACKETS)
		return;
	qp->ctx->counters.probes++;
	rc_observe(qp->ctx, qp, RC_STEP_PROBE, 0);
	recovery->probe_ns = now_ns;
	if (psn != r->una_psn)
		want_resend(r, recovery, psn, 1);
	else
		repair(qp, probe_packets(qp), known && recovery->repair_nak, now_ns);
	recovery->resend_part = (r->watch & RC_WATCH_HOLES) != 0;
	recovery->resend_probe = true;
}

/*
 * @return true if it is too early for the first probe of a queue pair that has not measured a round
 * trip. A wait is too short if it is less than twice the newest round-trip time of other queue
 * pairs. The first messages of thousands of queue pairs are queued one after the other, so an
 * answer may be late without a loss.
 */
static bool
is_first_soon(const struct rc_qp *qp, uint64_t now_ns)
{
	const struct rc_recovery *recovery = &qp->recovery;

	return !rc_rtt_known(&recovery->rtt) &&
		now_ns - recovery->early.since_ns < 2 * qp->ctx->round_trip_ns;
}

void
rc_recovery_early(struct rc_qp *qp, uint64_t now_ns)
{
	struct rc_requester *r = &qp->requester;

	r->watch |= RC_WATCH_EARLY;
	if (!rc_timer_early_next(&r->timer, &qp->recovery.early, now_ns)) {
		rc_retransmit_timeout(qp, now_ns);
		return;
	}
	/*
	 * Send no probe while the port refuses packets, or while packets are being retransmitted.
	 */
	if (qp->ctx->stuck_count != 0 || r->send_psn == r->una_psn || is_first_soon(qp, now_ns))
		return;
	probe(qp, now_ns);
}
