/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "selective_rig.h"

/* Test the counters of probes (RC-104). Test that an absence of the engine causes no probe. */

/*
 * Probes are not counted as retransmissions, because the requester may send a probe although
 * nothing was lost.
 */
Test(probe, probes_are_counted_apart)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);

	send_some(rig, 5);
	until_deadline(rig);
	until_deadline(rig);
	cr_assert_eq(rc_peer_drain(&rig->peer), 2);
	cr_assert_eq(rig_counters(rig)->probes, 2);
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 0);
	rig_answer(rig, psn + 2, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 1);
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 1);
	rig_stop(rig);
}

Test(probe, second_response_shows_a_spurious_probe)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);

	rig_answer(rig, psn - 1, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->probes_spurious, 0);
	send_some(rig, 1);
	until_deadline(rig);
	cr_assert_eq(rc_peer_drain(&rig->peer), 1);
	pass(rig, 3 * RTT_NS);
	rig_answer(rig, psn, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->probes_spurious, 0);
	rig_answer(rig, psn, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->probes_spurious, 1);
	rig_answer(rig, psn, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->probes_spurious, 1, "there was one probe");
	cr_assert_eq(rig_counters(rig)->rx_duplicate_responses, 3);
	rig_stop(rig);
}

Test(probe, duplicates_behind_later_answers_are_of_no_probe)
{
	struct rig *rig = selective();
	uint32_t psn = warm(rig, 40);

	send_some(rig, 1);
	until_deadline(rig);
	cr_assert_eq(rc_peer_drain(&rig->peer), 1);
	pass(rig, RTT_NS);
	rig_answer(rig, psn, RIG_ACK);
	send_some(rig, 1);
	rig_answer(rig, psn + 1, RIG_ACK);
	rig_answer(rig, psn + 1, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->rx_duplicate_responses, 1);
	cr_assert_eq(rig_counters(rig)->probes_spurious, 0);
	rig_stop(rig);
}

/* An absence of the engine is not counted as waiting, because no packets were received then. */
Test(probe, absence_is_no_part_of_a_wait)
{
	struct rig *rig = selective();
	uint64_t start_ns, wait_ns;

	warm(rig, 40);
	send_some(rig, 1);
	start_ns = rig->peer.now_ns;
	wait_ns = rc_qp_deadline(rig->peer.qp) - start_ns;
	pass(rig, 10 * wait_ns);
	rig->peer.ctx.absence = (struct rc_absence){start_ns + 5 * US, rig->peer.now_ns};
	cr_assert_eq(rig_run(rig), 0);
	cr_assert_eq(rig_counters(rig)->probes, 0);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), rig->peer.now_ns + wait_ns - 5 * US);
	until_deadline(rig);
	cr_assert_eq(rc_peer_drain(&rig->peer), 1);
	cr_assert_eq(rig_counters(rig)->probes, 1);
	rig_stop(rig);
}

Test(probe, round_trip_is_stored_for_other_queue_pairs)
{
	struct rig *rig = selective();
	const struct rc_rtt *rtt = &rig->peer.qp->recovery.rtt;

	cr_assert_eq(rig->peer.ctx.round_trip_ns, 0, "no queue pair has measured a round trip");
	warm(rig, 40);
	cr_assert_geq(rtt->smoothed_ns, RTT_NS);
	cr_assert_eq(rig->peer.ctx.round_trip_ns, rtt->smoothed_ns);
	rig_stop(rig);
}

/*
 * Before its first probe, a queue pair without a measured round-trip time waits twice the
 * round-trip time of other queue pairs, because its packet may be queued after first messages of
 * thousands of queue pairs.
 */
Test(probe, first_probe_waits_for_two_round_trips_of_other_queue_pairs)
{
	struct rig *rig = selective();

	rig->peer.ctx.round_trip_ns = 10000 * US;
	send_some(rig, 1);
	until_deadline(rig);
	until_deadline(rig);
	cr_assert_eq(rc_peer_drain(&rig->peer), 0);
	cr_assert_gt(rc_qp_deadline(rig->peer.qp), 20000 * US);
	until_deadline(rig);
	cr_assert_eq(rc_peer_drain(&rig->peer), 1);
	cr_assert_eq(rig_counters(rig)->probes, 1);
	rig_stop(rig);
}
