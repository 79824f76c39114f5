/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "selective_rig.h"

/*
 * Selective recovery of the requester: probes (RC-104), learning what the peer does (RC-114), and
 * the adaptive timer (RC-115). The far end is scripted.
 */

/* ---- round trips and probes ---- */

/* RC-115: the estimate is that of the wire; a packet that was sent twice is not timed (Karn). */
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

/* RC-115: each of the first packets is timed, so that little is guessed. */
Test(selective, first_round_trips_are_all_measured)
{
	struct rig *rig = selective();

	warm(rig, 7);
	cr_assert_eq(rig->peer.qp->recovery.rtt.samples, 7);
	rig_stop(rig);
}

/* RC-104: a lost last packet costs four round trips at the most, and no retry. */
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

/* RC-104: first the newest packet, then the oldest, which a peer answers in any case. */
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
	/* The peer has that one now; everything behind it was lost or dropped. */
	pass(rig, RTT_NS);
	rig_answer(rig, psn, RIG_ACK);
	rig_progress(rig);
	for (unsigned i = 1; i < 5; i++)
		rig_expect(rig, WIRE_RC_SEND_ONLY, psn + i);
	rc_peer_expect_silence(&rig->peer);
	cr_assert_eq(rig_counters(rig)->learned_goes_back, 0, "they may have been lost");
	rig_stop(rig);
}

/* RC-104, RC-096, RC-097: probes are no retries, and the time until the end stays the same. */
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

/** Send a request whose answer comes just behind its probe. @return how long the probe waited */
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

/* RC-115: an answer that was on its way before the probe raises the estimate. */
Test(selective, spurious_probe_is_recognised)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);
	uint64_t wait_ns = probe_needlessly(rig, psn);

	send_some(rig, 1);
	cr_assert_gt(rc_qp_deadline(rig->peer.qp) - rig->peer.now_ns, wait_ns);
	rig_stop(rig);
}

/* RC-115: behind a probe that was not needed each packet is timed: 16 end the long wait. */
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

/* RC-115: a probe that is answered as soon as others were does not make the next wait longer. */
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
 * RC-115: the path becomes slower for good. After a probe the interval stays doubled until a packet
 * was timed, so there are few of them.
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

/* What the port has not taken cannot be answered: it is not sent once more. */
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

/* RC-104, RC-079: a READ is asked for again from its first missing response on. */
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
 * RC-104: the peer sends a response in more time than a wait has, and answers a probe when it has
 * answered the READ. A response that goes on with the answer is none to a probe: the wait becomes
 * longer than the time between responses, and few probes leave.
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

/* RC-104: each probe was needed, and its answer begins anew: no wait becomes longer for it. */
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
 * RC-057: of a READ that the peer may not know no part is asked for, and a long one late: a peer
 * that is slow must not send it twice.
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

/* ---- what the peer keeps ---- */

/* RC-114, RC-098: only the missing packet is sent again, asking for an answer; one retry. */
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

/* The peer keeps: it acknowledges beyond what was sent again. */
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

/* RC-114: several gaps in one window, each is repaired by one packet, and new packets go on. */
Test(selective, peer_that_keeps_gets_only_what_it_misses)
{
	struct rig *rig = selective();
	uint32_t psn = learn_keeps(rig);

	send_some(rig, 20);
	rig_answer(rig, psn + 2, WIRE_NAK_SEQUENCE);
	rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, psn + 2);
	rig_expect(rig, WIRE_RC_SEND_ONLY, psn + 20); /* a new one */
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

/* RC-114: the NAK of a gap may be lost; the answer to the copy before it shows the gap, too. */
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
	rig_answer(rig, psn + 11, WIRE_NAK_SEQUENCE); /* it comes after all */
	cr_assert_eq(rig_run(rig), 0);
	/* What is sent behind the copy may still be on its way. */
	send_some(rig, 5);
	rig_answer(rig, psn + 19, RIG_ACK);
	cr_assert_eq(rig_run(rig), 0);
	rig_answer(rig, psn + 24, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 3);
	cr_assert_eq(rig_counters(rig)->retries_sequence, 0);
	rig_stop(rig);
}

/*
 * RC-115: the least round trip was measured under load. An answer to the probe that comes a little
 * sooner is no answer to the packet before it.
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

/* Packets that are missing in a row: 1, 2, 4, ... are sent at once. */
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

/* RC-114: a peer that has exactly what was sent again goes back: so does this side. */
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
	/* The next gap goes back at once. */
	send_some(rig, 10);
	rig_answer(rig, psn + 13, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 7);
	cr_assert_eq(rig_counters(rig)->retries_sequence, 1);
	rig_answer(rig, psn + 19, RIG_ACK);
	rig_stop(rig);
}

/* The same when it names the packet behind by a NAK. It costs one retry, and cc one gap. */
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

/* A go-back that finds packets acknowledged which it has not sent again: the peer keeps. */
Test(selective, peer_is_learned_again_after_a_surprise)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 4);

	send_some(rig, 10);
	rig_answer(rig, psn + 3, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 1);
	rig_answer(rig, psn + 3, RIG_ACK);
	rig_answer(rig, psn + 9, RIG_ACK); /* before anything else is sent again */
	cr_assert_eq(rig_run(rig), 0);
	cr_assert_eq(rig_counters(rig)->learned_goes_back, 1);
	cr_assert_eq(rig_counters(rig)->learned_keeps, 1);
	rig_stop(rig);
}

/* One that was taken for a peer that keeps, and does not, is found out after four gaps. */
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

/* An answer behind a timeout may be to the first copy: nothing is learned from it. */
Test(selective, timeout_teaches_nothing)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 4);

	send_some(rig, 10);
	rig_answer(rig, psn, WIRE_NAK_SEQUENCE);
	rig_run(rig);
	rig_answer(rig, psn, RIG_ACK); /* goes back */
	cr_assert_eq(rig_counters(rig)->learned_goes_back, 1);
	rig_run(rig);
	rig->peer.qp->cc.send_time_ns = BASE_TIME_NEVER; /* nothing is sent again for now */
	while (rig_counters(rig)->retries_timeout == 0)
		until_deadline(rig);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, psn_add(psn, 9), RIG_ACK);
	cr_assert_eq(rig_counters(rig)->learned_keeps, 0);
	rig_stop(rig);
}

/* B-031: the copy was lost, too: another NAK after a round trip, or a probe, and no ACK timer. */
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

/* RC-086: a NAK does not end the wait for a receive. */
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

/* RC-101, RC-103: the packet in the middle of a message is the same packet. */
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

/* RC-143: binds between requests own no PSN, and do not disturb the search for a packet. */
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

/* Without the attribute: go-back-N, and the ACK timer as it is encoded. */
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
