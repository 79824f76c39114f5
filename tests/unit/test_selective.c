/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "selective_rig.h"

/*
 * Test selective recovery of the requester: probes (RC-104), learning whether the peer keeps
 * packets after a gap (RC-114), and the adaptive timer (RC-115). The test sends the answers of the
 * peer.
 */

/* RC-115: the estimate equals the round-trip time. Retransmissions give no sample (Karn). */
Test(selective, round_trips_are_measured)
{
	struct rig *rig = selective();
	const struct rc_rtt *rtt = &rig->peer.qp->recovery.rtt;
	uint32_t psn = warm(rig, 40);

	cr_assert_eq(rtt->smoothed_ns, RTT_NS);
	cr_assert_eq(rtt->min_ns, RTT_NS);
	send_some(rig, 1);
	until_deadline(rig); /* the probe */
	rc_peer_drain(&rig->peer);
	cr_assert_eq(rig_counters(rig)->probes, 1);
	pass(rig, 30 * US);
	rig_answer(rig, psn, RIG_ACK);
	cr_assert_eq(rtt->smoothed_ns, RTT_NS, "answer to a packet that was sent twice");
	rig_stop(rig);
}

/* RC-115: each of the first packets gives a sample, so that the estimate is soon reliable. */
Test(selective, first_round_trips_are_all_measured)
{
	struct rig *rig = selective();

	warm(rig, 7);
	cr_assert_eq(rig->peer.qp->recovery.rtt.samples, 7);
	rig_stop(rig);
}

/*
 * RC-104: if the last packet is lost, a probe repairs the loss within four round trips, and costs
 * no retry.
 */
Test(selective, lost_last_packet_is_probed_soon)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);
	uint64_t start_ns = rig->peer.now_ns;

	rig_post(rig, 7, RC_WRITE, 0, 8);
	cr_assert_eq(rig_run(rig), 1);
	cr_assert_leq(rc_qp_deadline(rig->peer.qp), start_ns + 3 * RTT_NS);
	cr_assert_not(rc_qp_unanswered(rig->peer.qp, rc_qp_deadline(rig->peer.qp)));
	until_deadline(rig);
	cr_assert(rig_expect(rig, WIRE_RC_WRITE_ONLY, psn)->bth.ack_request);
	rc_peer_expect_silence(&rig->peer);
	pass(rig, RTT_NS);
	rig_answer(rig, psn, RIG_ACK);
	rig_completed(rig, 7, RC_OK);
	cr_assert_leq(rig->peer.now_ns, start_ns + 4 * RTT_NS);
	cr_assert_eq(rig_requester(rig)->retries_left, 7);
	cr_assert_eq(rig_counters(rig)->probes, 1);
	cr_assert_eq(rig_counters(rig)->probes_spurious, 0);
	cr_assert_eq(rig_counters(rig)->retries_timeout, 0);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	rig_stop(rig);
}

/*
 * RC-104: the first probe repeats the newest packet. The second probe repeats the oldest packet,
 * which every peer answers.
 */
Test(selective, second_probe_is_the_oldest)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);

	send_some(rig, 5);
	until_deadline(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, psn + 4);
	rc_peer_expect_silence(&rig->peer);
	until_deadline(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, psn);
	rc_peer_expect_silence(&rig->peer);
	pass(rig, RTT_NS);
	rig_answer(rig, psn, RIG_ACK);
	rig_progress(rig);
	for (unsigned i = 1; i < 5; i++)
		rig_expect(rig, WIRE_RC_SEND_ONLY, psn + i);
	rc_peer_expect_silence(&rig->peer);
	cr_assert_eq(rig_counters(rig)->learned_goes_back, 0, "they may have been lost");
	rig_stop(rig);
}

/*
 * RC-104, RC-096, RC-097: probes do not count as retries. If the peer is silent, the queue pair
 * ends at the same time as without probes.
 */
Test(selective, silent_peer_ends_when_it_always_did)
{
	static const uint64_t intervals = 1 + 2 + 4 * 6;
	struct rig *rig = selective();
	uint64_t start_ns;
	unsigned probes = 0;

	warm(rig, 40);
	start_ns = rig->peer.now_ns;
	rig_post(rig, 9, RC_SEND, 0, 8);
	rig_run(rig);
	while (rig->peer.qp->state == RC_QP_RTS) {
		cr_assert_neq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
		until_deadline(rig);
		probes += rc_peer_drain(&rig->peer);
	}
	rig_completed(rig, 9, RC_RETRY_EXCEEDED);
	rig_in_error(rig, RC_RETRY_EXCEEDED);
	cr_assert_eq(rig->peer.now_ns, start_ns + intervals * ENCODED_NS);
	cr_assert_eq(rig_counters(rig)->retries_timeout, 7);
	cr_assert_eq(probes, rig_counters(rig)->probes + 7);
	cr_assert_leq(rig_counters(rig)->probes, 11, "they double");
	rig_stop(rig);
}

/** Send a request that is answered just after its probe. @return time until the probe, in ns */
static uint64_t
probe_needlessly(struct rig *rig, uint32_t psn)
{
	uint64_t wait_ns;

	send_some(rig, 1);
	wait_ns = rc_qp_deadline(rig->peer.qp) - rig->peer.now_ns;
	until_deadline(rig);
	cr_assert_eq(rc_peer_drain(&rig->peer), 1);
	pass(rig, RTT_NS / 4);
	rig_answer(rig, psn, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->probes_spurious, 1);
	return wait_ns;
}

/*
 * RC-115: if the answer was already in flight when the probe was sent, the probe was unnecessary
 * (spurious). After a spurious probe, the wait before the next probe is longer.
 */
Test(selective, spurious_probe_is_recognised)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);
	uint64_t wait_ns = probe_needlessly(rig, psn);

	send_some(rig, 1);
	cr_assert_gt(rc_qp_deadline(rig->peer.qp) - rig->peer.now_ns, wait_ns);
	rig_stop(rig);
}

/*
 * RC-115: after a spurious probe, each packet gives a sample. After 16 samples, the wait is short
 * again.
 */
Test(selective, spurious_probe_is_soon_forgotten)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);
	uint64_t wait_ns = probe_needlessly(rig, psn);

	for (unsigned i = 1; i <= 16; i++) {
		send_some(rig, 1);
		pass(rig, RTT_NS);
		rig_answer(rig, psn + i, RIG_ACK);
	}
	send_some(rig, 1);
	cr_assert_leq(rc_qp_deadline(rig->peer.qp) - rig->peer.now_ns, wait_ns + RTT_NS / 8);
	rig_stop(rig);
}

/* RC-115: if a probe is answered after a usual round trip, the next wait does not become longer. */
Test(selective, answered_probe_leaves_the_wait)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);
	uint64_t wait_ns;

	for (unsigned i = 0; i < 20; i++) {
		send_some(rig, 1);
		wait_ns = rc_qp_deadline(rig->peer.qp) - rig->peer.now_ns;
		cr_assert_leq(wait_ns, 3 * RTT_NS, "wait %u: %lu", i, wait_ns);
		until_deadline(rig);
		cr_assert_eq(rc_peer_drain(&rig->peer), 1);
		pass(rig, RTT_NS);
		rig_answer(rig, psn + i, RIG_ACK);
	}
	cr_assert_eq(rig_counters(rig)->probes, 20);
	rig_stop(rig);
}

/*
 * RC-115: if the path becomes slower, only few probes are sent, because each probe doubles the
 * interval until a new sample is taken.
 */
Test(selective, slower_path_is_not_probed_again_and_again)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);

	for (unsigned i = 0; i < 40; i++) {
		uint64_t answer_ns = rig->peer.now_ns + 5000 * US;

		rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
		rig_run(rig);
		while (rc_qp_deadline(rig->peer.qp) < answer_ns) {
			until_deadline(rig);
			rc_peer_drain(&rig->peer);
		}
		rig->peer.now_ns = answer_ns;
		rig_answer(rig, psn + i, RIG_ACK);
	}
	cr_assert_leq(rig_counters(rig)->probes, 9, "%lu", rig_counters(rig)->probes);
	cr_assert_eq(rig_counters(rig)->retries_timeout, 0);
	rig_stop(rig);
}

/* A packet that the port has not accepted causes no probe, because the peer cannot answer it. */
Test(selective, nothing_is_probed_while_the_port_is_stuck)
{
	struct rig *rig = selective();

	warm(rig, 40);
	send_some(rig, 1);
	rig->peer.ctx.stuck_count = 1;
	until_deadline(rig);
	rc_peer_expect_silence(&rig->peer);
	cr_assert_eq(rig_counters(rig)->probes, 0);
	cr_assert_neq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	rig->peer.ctx.stuck_count = 0;
	rig_stop(rig);
}

/*
 * RC-104, RC-079: if the last responses of a READ are lost, a probe requests the READ again from
 * the first missing response on.
 */
Test(selective, lost_tail_of_a_read_is_asked_for_again)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);
	const struct wire_view *view;
	uint8_t payload[PMTU] = {0};

	rig_post(rig, 5, RC_READ, 0, 3 * PMTU);
	rig_run(rig);
	pass(rig, RTT_NS);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_FIRST, psn, payload, PMTU);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_MIDDLE, psn + 1, payload, PMTU);
	until_deadline(rig);
	view = rig_expect(rig, WIRE_RC_READ_REQUEST, psn + 2);
	cr_assert_eq(view->reth.address, RIG_REMOTE + 2 * PMTU);
	cr_assert_eq(view->reth.length_bytes, PMTU);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_ONLY, psn + 2, payload, PMTU);
	rig_completed(rig, 5, RC_OK);
	cr_assert_eq(rig_counters(rig)->retries_timeout, 0);
	rig_stop(rig);
}

/*
 * RC-104: a slow peer needs longer for each response than the wait, and answers a probe only after
 * the READ. A response that belongs to the first answer is not taken for an answer to the probe. So
 * the wait grows beyond the time between responses, and few probes are sent.
 */
Test(selective, slow_answer_to_a_read_is_not_probed_again_and_again)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);
	uint8_t payload[PMTU] = {0};

	rig_post(rig, 5, RC_READ, 0, 60 * PMTU);
	rig_run(rig);
	pass(rig, RTT_NS);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_FIRST, psn, payload, PMTU);
	for (uint32_t i = 1; i < 60; i++) {
		uint64_t next_ns = rig->peer.now_ns + 3 * RTT_NS;

		while (rc_qp_deadline(rig->peer.qp) < next_ns) {
			until_deadline(rig);
			rc_peer_drain(&rig->peer);
		}
		rig->peer.now_ns = next_ns;
		rig_read_response(rig,
			i == 59 ? WIRE_RC_READ_RESPONSE_LAST : WIRE_RC_READ_RESPONSE_MIDDLE,
			psn + i, payload, PMTU);
	}
	rig_completed(rig, 5, RC_OK);
	cr_assert_eq(rig_counters(rig)->probes, 1, "%lu", rig_counters(rig)->probes);
	cr_assert_eq(rig_counters(rig)->retries_timeout, 0);
	rig_stop(rig);
}

/*
 * RC-104: the last responses are lost each time, so each probe is necessary. The answer to a probe
 * begins with First or Only, so the requester knows that the probe was necessary, and the wait does
 * not grow.
 */
Test(selective, lost_tails_of_a_read_are_asked_for_soon)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40), next = 1;
	uint8_t payload[PMTU] = {0};

	rig_post(rig, 5, RC_READ, 0, 60 * PMTU);
	rig_run(rig);
	pass(rig, RTT_NS);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_FIRST, psn, payload, PMTU);
	for (unsigned i = 0; i < 4; i++) {
		uint64_t wait_ns = rc_qp_deadline(rig->peer.qp) - rig->peer.now_ns;

		cr_assert_leq(wait_ns, 3 * RTT_NS, "wait %u: %lu", i, wait_ns);
		until_deadline(rig);
		rig_expect(rig, WIRE_RC_READ_REQUEST, psn + next);
		pass(rig, RTT_NS);
		rig_read_response(rig, WIRE_RC_READ_RESPONSE_FIRST, psn + next++, payload, PMTU);
		rig_read_response(rig, WIRE_RC_READ_RESPONSE_MIDDLE, psn + next++, payload, PMTU);
	}
	cr_assert_eq(rig_counters(rig)->probes, 4);
	rig_stop(rig);
}

/*
 * RC-057: if no response has arrived, the whole READ is requested again, because its request may be
 * lost. A long READ is requested again late, so that a slow peer does not send all responses twice.
 */
Test(selective, unanswered_read_is_asked_for_as_a_whole)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);

	rig_post(rig, 5, RC_READ, 0, 100 * PMTU);
	rig_run(rig);
	for (unsigned i = 0; i < 2; i++) {
		until_deadline(rig);
		rc_peer_expect_silence(&rig->peer);
	}
	until_deadline(rig);
	cr_assert_eq(rig_expect(rig, WIRE_RC_READ_REQUEST, psn)->reth.length_bytes, 100 * PMTU);
	rig_stop(rig);
}

/*
 * RC-114, RC-098: after a NAK, only the missing packet is retransmitted, with AckReq. The
 * retransmission costs one retry.
 */
Test(selective, nak_sends_one_packet_again)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 4);

	send_some(rig, 10);
	rig_answer(rig, psn + 3, WIRE_NAK_SEQUENCE);
	rig_answer(rig, psn + 3, WIRE_NAK_SEQUENCE);
	rig_progress(rig);
	cr_assert(rig_expect(rig, WIRE_RC_SEND_ONLY, psn + 3)->bth.ack_request);
	rc_peer_expect_silence(&rig->peer);
	cr_assert_eq(rig_counters(rig)->retries_selective, 1);
	cr_assert_eq(rig_counters(rig)->retries_sequence, 0);
	cr_assert_eq(rig_requester(rig)->retries_left, 6);
	rig_stop(rig);
}

/*
 * Let the requester learn that the peer keeps packets: after a retransmission, an ACK acknowledges
 * later packets, too. @return the next PSN
 */
static uint32_t
learn_keeps(struct rig *rig)
{
	uint32_t psn = warm(rig, 4);

	send_some(rig, 10);
	rig_answer(rig, psn + 3, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 1);
	rig_answer(rig, psn + 9, RIG_ACK);
	cr_assert_eq(rig_run(rig), 0);
	cr_assert_eq(rig_counters(rig)->learned_keeps, 1);
	return psn_add(psn, 10);
}

/*
 * RC-114: several packets of a window are missing, each with packets after it. The requester sends
 * each missing packet once more, together with new packets.
 */
Test(selective, peer_that_keeps_gets_only_what_it_misses)
{
	struct rig *rig = selective();
	uint32_t psn = learn_keeps(rig);

	send_some(rig, 20);
	rig_answer(rig, psn + 2, WIRE_NAK_SEQUENCE);
	rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, psn + 2);
	rig_expect(rig, WIRE_RC_SEND_ONLY, psn + 20); /* a new packet */
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, psn + 11, WIRE_NAK_SEQUENCE);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, psn + 11);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, psn + 20, RIG_ACK);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 3);
	cr_assert_eq(rig_counters(rig)->retries_sequence, 0);
	rig_stop(rig);
}

/* RC-114: if the NAK for a second gap is lost, the ACK for the first gap shows the second. */
Test(selective, gap_behind_a_copy_needs_no_nak)
{
	struct rig *rig = selective();
	uint32_t psn = learn_keeps(rig);

	send_some(rig, 20);
	rig_answer(rig, psn + 2, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 1);
	pass(rig, RTT_NS);
	rig_answer(rig, psn + 10, RIG_ACK);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, psn + 11);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, psn + 11, WIRE_NAK_SEQUENCE); /* the late NAK */
	cr_assert_eq(rig_run(rig), 0);
	/* These five packets may still be in flight, so an ACK for earlier ones shows no gap. */
	send_some(rig, 5);
	rig_answer(rig, psn + 19, RIG_ACK);
	cr_assert_eq(rig_run(rig), 0);
	rig_answer(rig, psn + 24, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 3);
	cr_assert_eq(rig_counters(rig)->retries_sequence, 0);
	rig_stop(rig);
}

/*
 * RC-115: the minimum round-trip time was measured under load. The answer to a probe may arrive
 * slightly faster than this minimum. Nevertheless the probe does not count as spurious.
 */
Test(selective, quick_answer_to_a_probe_is_not_spurious)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);

	send_some(rig, 1);
	until_deadline(rig);
	cr_assert_eq(rc_peer_drain(&rig->peer), 1);
	pass(rig, RTT_NS / 2 + US);
	rig_answer(rig, psn, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->probes_spurious, 0);
	cr_assert_eq(rig->peer.qp->recovery.rtt.smoothed_ns, RTT_NS);
	rig_stop(rig);
}

/* If consecutive packets are missing, the NAKs cause 1, 2, 4 ... retransmissions in turn. */
Test(selective, packets_missing_in_a_row_double)
{
	struct rig *rig = selective();
	uint32_t psn = learn_keeps(rig), at = 2, total = 0;

	send_some(rig, 40);
	for (unsigned count = 1; count <= 8; count *= 2) {
		rig_answer(rig, psn + at, WIRE_NAK_SEQUENCE);
		cr_assert_eq(rig_run(rig), count);
		at += count;
		total += count;
	}
	rig_answer(rig, psn + 39, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 1 + total);
	cr_assert_eq(rig_counters(rig)->retries_sequence, 0);
	rig_stop(rig);
}

/*
 * RC-114: if the ACK acknowledges only the retransmitted packet, the peer has dropped the packets
 * after the gap. Then the requester goes back.
 */
Test(selective, peer_that_goes_back_is_learned)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 4);

	send_some(rig, 10);
	rig_answer(rig, psn + 3, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 1);
	rig_answer(rig, psn + 3, RIG_ACK);
	cr_assert_eq(rig_run(rig), 6);
	rig_answer(rig, psn + 9, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->learned_goes_back, 1);
	cr_assert_eq(rig_counters(rig)->learned_keeps, 0);
	send_some(rig, 10);
	rig_answer(rig, psn + 13, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 7);
	cr_assert_eq(rig_counters(rig)->retries_sequence, 1);
	rig_answer(rig, psn + 19, RIG_ACK);
	rig_stop(rig);
}

/*
 * If a NAK requests the packet after the retransmitted packet, the peer drops packets after a gap.
 */
Test(selective, peer_that_goes_back_is_learned_by_a_nak)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 4);

	send_some(rig, 10);
	rig_answer(rig, psn + 3, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 1);
	rig_answer(rig, psn + 4, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 6);
	cr_assert_eq(rig_counters(rig)->learned_goes_back, 1);
	cr_assert_eq(rig_counters(rig)->retries_sequence, 0);
	rig_stop(rig);
}

/*
 * If the peer acknowledges packets that a go-back has not retransmitted yet, the requester learns
 * that the peer keeps packets.
 */
Test(selective, peer_is_learned_again_after_a_surprise)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 4);

	send_some(rig, 10);
	rig_answer(rig, psn + 3, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 1);
	rig_answer(rig, psn + 3, RIG_ACK);
	/* the go-back has not retransmitted these packets yet */
	rig_answer(rig, psn + 9, RIG_ACK);
	cr_assert_eq(rig_run(rig), 0);
	cr_assert_eq(rig_counters(rig)->learned_goes_back, 1);
	cr_assert_eq(rig_counters(rig)->learned_keeps, 1);
	rig_stop(rig);
}

/*
 * The requester has learned that the peer keeps packets, but now the peer drops packets after a
 * gap. After four NAKs in a row, the requester learns this and goes back.
 */
Test(selective, peer_is_doubted_after_gaps_in_a_row)
{
	struct rig *rig = selective();
	uint32_t psn = learn_keeps(rig);

	send_some(rig, 40);
	for (unsigned count = 1; count <= 8; count *= 2) {
		cr_assert_eq(rig_counters(rig)->learned_goes_back, 0);
		rig_answer(rig, psn, WIRE_NAK_SEQUENCE);
		cr_assert_eq(rig_run(rig), count);
		psn = psn_add(psn, count);
		rig_answer(rig, psn_add(psn, -1), RIG_ACK);
	}
	cr_assert_eq(rig_counters(rig)->learned_goes_back, 1);
	cr_assert_eq(rig_run(rig), 40 - 15);
	rig_stop(rig);
}

/*
 * After a timeout, the requester learns nothing about the peer from an answer, because the answer
 * may be to the first transmission.
 */
Test(selective, timeout_teaches_nothing)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 4);

	send_some(rig, 10);
	rig_answer(rig, psn, WIRE_NAK_SEQUENCE);
	rig_run(rig);
	rig_answer(rig, psn, RIG_ACK); /* the peer goes back */
	cr_assert_eq(rig_counters(rig)->learned_goes_back, 1);
	rig_run(rig);
	rig->peer.qp->cc.send_time_ns = BASE_TIME_NEVER; /* no retransmissions for now */
	while (rig_counters(rig)->retries_timeout == 0)
		until_deadline(rig);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, psn_add(psn, 9), RIG_ACK);
	cr_assert_eq(rig_counters(rig)->learned_keeps, 0);
	rig_stop(rig);
}

/*
 * B-031: if a retransmission is lost, a NAK or a probe causes a second retransmission before the
 * ACK timer expires.
 */
Test(selective, lost_copy_is_sent_again)
{
	struct rig *rig = selective();
	uint32_t psn = learn_keeps(rig);

	send_some(rig, 10);
	rig_answer(rig, psn + 2, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 1);
	pass(rig, 2 * RTT_NS + 1);
	rig_answer(rig, psn + 2, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 1);
	cr_assert_eq(rig_requester(rig)->retries_left, 6, "the same retry");
	until_deadline(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, psn + 2);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, psn + 9, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->retries_timeout, 0);
	rig_stop(rig);
}

/* RC-086: a sequence NAK does not end an RNR wait. */
Test(selective, nak_during_rnr_wait_sends_nothing)
{
	struct rig *rig = selective();
	uint32_t psn = learn_keeps(rig);

	send_some(rig, 4);
	rig_answer(rig, psn, WIRE_SYNDROME_RNR | 20);
	rig_answer(rig, psn, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 0);
	pass(rig, base_rnr_timer_ns(20));
	cr_assert_eq(rig_run(rig), 4);
	rig_answer(rig, psn + 3, RIG_ACK);
	rig_stop(rig);
}

/* RC-101, RC-103: a retransmitted packet from the middle of a message has the same contents. */
Test(selective, packet_of_a_long_message_is_the_same)
{
	struct rig *rig = selective();
	uint32_t psn = learn_keeps(rig);

	rig_post(rig, 3, RC_WRITE, 0, 8 * PMTU);
	cr_assert_eq(rig_run(rig), 8);
	rig_answer(rig, psn + 4, WIRE_NAK_SEQUENCE);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_WRITE_MIDDLE, psn + 4);
	cr_assert_eq(memcmp(rig->packet.payload, rig->memory + 4 * PMTU, PMTU), 0);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, psn + 7, RIG_ACK);
	rig_completed(rig, 3, RC_OK);
	rig_stop(rig);
}

/* RC-143: binds have no PSN. The search for the packet to retransmit skips them. */
Test(selective, executed_binds_are_passed_over)
{
	struct rig *rig = selective();
	uint32_t psn = learn_keeps(rig);
	struct mem_window *window = rig_window(rig);

	rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
	rig_post_bind(rig, 2, window, RC_SILENT);
	rig_post(rig, 3, RC_SEND, RC_SILENT, 8);
	rig_post_invalidate(rig, 4, window, RC_SILENT);
	rig_post(rig, 5, RC_SEND, 0, 8);
	cr_assert_eq(rig_run(rig), 3);
	rig_answer(rig, psn + 1, WIRE_NAK_SEQUENCE);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, psn + 1);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, psn + 2, RIG_ACK);
	rig_completed(rig, 5, RC_OK);
	cr_assert_eq(mem_window_destroy(rig->peer.mem, window, &(struct mem_grace){0}), RC_OK);
	rig_stop(rig);
}

/* Without selective recovery, the requester uses go-back-N and the encoded ACK timeout. */
Test(selective, without_the_attribute_everything_is_sent_again)
{
	struct rig *rig = rig_new();

	rig->options.connect.ack_timeout = ACK_TIMEOUT;
	rig_start(rig);
	warm(rig, 10);
	send_some(rig, 10);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), rig->peer.now_ns + ENCODED_NS);
	rig_answer(rig, RIG_PSN + 13, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 7);
	rig_stop(rig);
}
