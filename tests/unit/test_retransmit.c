/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "requester_rig.h"

#define PMTU        1024u
#define ACK_TIMEOUT 8
#define INTERVAL_NS (UINT64_C(4096) << ACK_TIMEOUT)

static struct rig *
rig_with_timer(void)
{
	struct rig *rig = rig_new();

	rig->options.connect.ack_timeout = ACK_TIMEOUT;
	return rig;
}

static void
pass(struct rig *rig, uint64_t ns)
{
	rig->peer.now_ns += ns;
}

/*
 * RC-095, RC-096, RC-097, Q28: the waits before the retries are 1, 2, 4, 4 ... intervals. After the
 * last retry, the request fails.
 */
static uint64_t
wait_ns(uint8_t expiries)
{
	return INTERVAL_NS << (expiries < 2 ? expiries : 2);
}

static void
check_exhausted(uint8_t retry_count)
{
	struct rig *rig = rig_with_timer();

	rig->options.connect.retry_count = retry_count;
	rig_start(rig);
	rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
	rig_post(rig, 2, RC_READ, 0, 8);
	cr_assert_eq(rig_run(rig), 2);
	for (uint8_t i = 0; i < retry_count; i++) {
		cr_assert_eq(rc_qp_deadline(rig->peer.qp), rig->peer.now_ns + wait_ns(i));
		pass(rig, wait_ns(i) - 1);
		cr_assert_eq(rig_run(rig), 0);
		pass(rig, 1);
		rig_progress(rig);
		rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN);
		rig_expect(rig, WIRE_RC_READ_REQUEST, RIG_PSN + 1);
		rc_peer_expect_silence(&rig->peer);
	}
	rig_not_completed(rig);
	pass(rig, wait_ns(retry_count));
	cr_assert_eq(rig_run(rig), 0);
	rig_completed(rig, 1, RC_RETRY_EXCEEDED);
	rig_completed(rig, 2, RC_FLUSHED);
	rig_in_error(rig, RC_RETRY_EXCEEDED);
	cr_assert_eq(rig_counters(rig)->retries_timeout, retry_count);
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 2u * retry_count);
	rig_stop(rig);
}

Test(retransmit, timeout_without_retries_ends)
{
	check_exhausted(0);
}

Test(retransmit, timeouts_exhaust_retries)
{
	check_exhausted(3);
}

/* B-046: a retry count of 7 means seven retries, not unlimited retries. */
Test(retransmit, seven_retries_are_finite)
{
	check_exhausted(7);
}

/* B-047: timeout code 0 disables the timer. */
Test(retransmit, timeout_0_is_no_timer)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_run(rig);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	pass(rig, UINT64_C(1) << 60);
	cr_assert_eq(rig_run(rig), 0);
	rig_stop(rig);
}

/*
 * B-041, RC-095: as long as answers arrive, nothing is retransmitted. If no request is outstanding,
 * the timer stops.
 */
Test(retransmit, continuous_progress_never_times_out)
{
	struct rig *rig = rig_with_timer();
	uint32_t psn = RIG_PSN;

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
	rig_run(rig);
	for (int i = 0; i < 100; i++) { /* at least one request is always outstanding */
		rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
		cr_assert_eq(rig_run(rig), 1);
		pass(rig, INTERVAL_NS / 2);
		rig_answer(rig, psn++, RIG_ACK);
		cr_assert_eq(rig_run(rig), 0);
		pass(rig, INTERVAL_NS / 4);
		cr_assert_eq(rig_run(rig), 0);
	}
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 0);
	rig_answer(rig, psn, RIG_ACK);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	rig_not_completed(rig);
	rig_stop(rig);
}

/* RC-097: each progress (an acknowledged PSN) resets the retry counter. */
Test(retransmit, progress_reloads_retries)
{
	struct rig *rig = rig_with_timer();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 10 * PMTU);
	rig_run(rig);
	for (uint32_t i = 0; i < 9; i++) {
		for (uint8_t k = 0; k < 3; k++) {
			pass(rig, wait_ns(k));
			cr_assert_eq(rig_run(rig), 10 - i);
		}
		rig_answer(rig, RIG_PSN + i, RIG_ACK);
	}
	rig_answer(rig, RIG_PSN + 9, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_stop(rig);
}

/*
 * RC-102: a long message starts with a small window, because the path is unknown at first. After
 * losses, the window shrinks. Otherwise a whole burst would be retransmitted repeatedly, and its
 * duplicates would fill the queue of the peer.
 */
Test(retransmit, window_starts_small_grows_and_shrinks_with_losses)
{
	struct rig *rig = rig_with_timer();
	uint32_t psn = RIG_PSN;

	rig->options.qp.cc = NULL; /* default congestion control: CC_LOSS_WINDOW */
	rig_start(rig);
	rig_post(rig, 1, RC_WRITE, 0, 500 * PMTU);
	cr_assert_eq(rig_run(rig), 64);
	psn += 64;
	rig_answer(rig, psn - 1, RIG_ACK);
	cr_assert_eq(rig_run(rig), 128, "doubled in one round trip");
	rig_answer(rig, psn, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 64, "halved by a gap");
	pass(rig, INTERVAL_NS);
	cr_assert_eq(rig_run(rig), 4, "a few packets after a timeout");
	pass(rig, 2 * INTERVAL_NS);
	cr_assert_eq(rig_run(rig), 4);
	rig_answer(rig, psn, RIG_ACK);
	psn++;
	cr_assert_eq(rig_run(rig), 2);
	rig_answer(rig, psn + 1, RIG_ACK);
	cr_assert_eq(rig_run(rig), 4);
	rig_stop(rig);
}

/*
 * RC-007: congestion control makes the window smaller than the number of packets in flight. None of
 * the last packets has AckReq, because more packets were expected to follow. So the peer sends no
 * ACK, and the requester may not send a new packet. To get an ACK, the requester retransmits the
 * newest packet once, with AckReq.
 */
Test(retransmit, window_smaller_than_what_nobody_asked_about)
{
	struct rig *rig = rig_with_timer();
	uint32_t sent = 0, asked = 0;

	rig->options.connect.pmtu_bytes = 4096;
	rig_start(rig);
	rig_post(rig, 1, RC_WRITE, 0, 128 * 4096);
	/* Run until the newest packets sent have no AckReq. */
	while (asked == 0 || sent == asked + 1) {
		rig_progress(rig);
		while (rc_peer_next(&rig->peer, &rig->packet)) {
			if (rig->packet.view.bth.ack_request)
				asked = sent;
			sent++;
		}
	}
	cr_assert_gt(sent - asked, 4 + 1);
	rig->peer.qp->cc.window = 4;

	rig_answer(rig, RIG_PSN + asked, RIG_ACK);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_WRITE_MIDDLE, RIG_PSN + sent - 1);
	cr_assert(rig->packet.view.bth.ack_request);
	rig_progress(rig);
	rc_peer_expect_silence(&rig->peer);
	cr_assert_neq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER, "if that is lost");
	rig_answer(rig, RIG_PSN + sent - 1, RIG_ACK);
	cr_assert_eq(rig_run(rig), 4, "the window");
	rig_stop(rig);
}

static bool
same_header(const struct wire_view *a, const struct wire_view *b)
{
	return a->bth.opcode == b->bth.opcode && a->bth.psn == b->bth.psn &&
		a->bth.solicited == b->bth.solicited && a->bth.migrated == b->bth.migrated &&
		a->bth.dest_qp == b->bth.dest_qp && a->bth.pad_count == b->bth.pad_count &&
		a->payload_bytes == b->payload_bytes && a->udp_src_port == b->udp_src_port &&
		(!a->traits->has_reth || memcmp(&a->reth, &b->reth, sizeof(a->reth)) == 0);
}

/*
 * RC-098, RC-101, RC-103: after a sequence NAK, the requester retransmits from the middle of the
 * message on. A retransmitted packet may differ from the first transmission only in AckReq.
 */
Test(retransmit, sequence_nak_resumes_in_the_middle)
{
	static struct rc_peer_packet first[13];
	struct rig *rig = rig_with_timer();

	rig_start(rig);
	rig_post(rig, 1, RC_WRITE, 0, 4 * PMTU);
	rig_post(rig, 2, RC_SEND, RC_SOLICITED, 4 * PMTU + 3);
	rig_post(rig, 3, RC_READ, 0, 4 * PMTU);
	rig_progress(rig);
	for (size_t i = 0; i < 10; i++)
		cr_assert(rc_peer_next(&rig->peer, &first[i]));
	rc_peer_expect_silence(&rig->peer);

	rig_answer(rig, RIG_PSN + 6, WIRE_NAK_SEQUENCE);
	rig_completed(rig, 1, RC_OK);
	cr_assert_eq(rig_counters(rig)->retries_sequence, 1);
	rig_progress(rig);
	for (size_t i = 6; i < 10; i++) {
		rig_expect(rig, first[i].view.bth.opcode, RIG_PSN + (uint32_t)i);
		cr_assert(same_header(&rig->packet.view, &first[i].view));
		cr_assert_eq(rig->packet.view.bth.ack_request,
			first[i].view.bth.ack_request || i == 6, "RC-114: the first asks");
		cr_assert_arr_eq(
			rig->packet.payload, first[i].payload, first[i].view.payload_bytes);
	}
	cr_assert_eq(first[6].view.bth.opcode, WIRE_RC_SEND_MIDDLE);
	rc_peer_expect_silence(&rig->peer);
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 4);
	rig_stop(rig);
}

/* Packets are not stored, so a retransmission contains the current bytes of the memory. */
Test(retransmit, memory_is_read_again)
{
	struct rig *rig = rig_with_timer();

	rig_start(rig);
	rig_post(rig, 1, RC_WRITE, 0, PMTU);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN);
	memset(rig->memory, 0x5A, RIG_MEMORY_BYTES);
	pass(rig, INTERVAL_NS);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN);
	cr_assert_eq(rig->packet.view.payload_bytes, PMTU);
	cr_assert_arr_eq(rig->packet.payload, rig->memory, PMTU);
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 1);
	rig_stop(rig);
}

/* RC-095: a sequence NAK stops the timer. The timer restarts when the go-back is sent. */
Test(retransmit, sequence_nak_restarts_the_timer)
{
	struct rig *rig = rig_with_timer();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_run(rig);
	pass(rig, INTERVAL_NS / 2);
	rig_answer(rig, RIG_PSN, WIRE_NAK_SEQUENCE);
	rig->peer.ctx.packet_count = LIMIT_OUT_PACKETS;
	pass(rig, INTERVAL_NS);
	cr_assert(rig_progress(rig));
	cr_assert_eq(rig_requester(rig)->retries_left, 2, "no timeout for what was not sent");
	rig->peer.ctx.packet_count = 0;
	cr_assert_eq(rig_run(rig), 1);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), rig->peer.now_ns + INTERVAL_NS);
	rig_stop(rig);
}

/*
 * RC-098, B-030: several NAKs for one gap cause one go-back. A NAK for the next gap causes another
 * go-back. So the number of retransmissions stays small.
 */
Test(retransmit, repeated_nak_ignored_while_on_its_way)
{
	struct rig *rig = rig_with_timer();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 6 * PMTU);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 1, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 5);
	for (int i = 0; i < 1000; i++) {
		rig_answer(rig, RIG_PSN + 1, WIRE_NAK_SEQUENCE);
		cr_assert_eq(rig_run(rig), 0);
	}
	cr_assert_eq(rig_requester(rig)->retries_left, 2);
	rig_answer(rig, RIG_PSN + 3, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_requester(rig)->retries_left, 2, "reloaded, then one taken");
	cr_assert_eq(rig_run(rig), 3);
	cr_assert_eq(rig_counters(rig)->retries_sequence, 2);

	/* The retransmission was lost. After the timeout, a NAK causes a go-back again. */
	pass(rig, INTERVAL_NS);
	cr_assert_eq(rig_run(rig), 3);
	rig_answer(rig, RIG_PSN + 3, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 3);
	cr_assert_eq(rig_requester(rig)->retries_left, 0);
	pass(rig, wait_ns(1));
	rig_run(rig);
	rig_completed(rig, 1, RC_RETRY_EXCEEDED);
	rig_stop(rig);
}

/* RC-099: a NAK is dropped if its PSN is not outstanding. */
Test(retransmit, nak_of_nothing_outstanding_dropped)
{
	struct rig *rig = rig_with_timer();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 3 * PMTU);
	rig_run(rig);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_answer(rig, RIG_PSN, WIRE_NAK_SEQUENCE);
	rig_answer(rig, RIG_PSN + 3, WIRE_NAK_SEQUENCE);
	rig_answer(rig, RIG_PSN + 0x800000, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_counters(rig)->drop_forged_nak, 3);
	cr_assert_eq(rig_run(rig), 0);
	cr_assert_eq(rig_requester(rig)->retries_left, 3);
	rig_stop(rig);
}

Test(retransmit, acknowledged_during_go_back_skipped)
{
	struct rig *rig = rig_with_timer();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 30 * PMTU);
	rig_post(rig, 2, RC_SEND, 0, 40 * PMTU);
	cr_assert_eq(rig_run(rig), 70);
	pass(rig, INTERVAL_NS);
	rig->peer.ctx.packet_count = LIMIT_OUT_PACKETS - 1;
	cr_assert(rig_progress(rig)); /* one packet is sent */
	rte_pktmbuf_free(rig->peer.ctx.packets[LIMIT_OUT_PACKETS - 1]);
	rig->peer.ctx.packet_count = 0;
	rig_answer(rig, RIG_PSN + 31, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_MIDDLE, RIG_PSN + 32);
	cr_assert_eq(rig_run(rig), 37, "the rest of what is outstanding");

	/*
	 * If all packets are acknowledged during a go-back, nothing is retransmitted. New requests
	 * are sent instead.
	 */
	pass(rig, INTERVAL_NS);
	rig->peer.ctx.packet_count = LIMIT_OUT_PACKETS;
	cr_assert(rig_progress(rig));
	rig->peer.ctx.packet_count = 0;
	rig_answer(rig, RIG_PSN + 69, RIG_ACK);
	rig_completed(rig, 2, RC_OK);
	cr_assert_eq(rig_run(rig), 0);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	rig_post(rig, 3, RC_SEND, 0, 8);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + 70);
	rig_stop(rig);
}

Test(retransmit, go_back_passes_over_executed_requests)
{
	struct rig *rig = rig_with_timer();
	struct mem_window *window;
	uint32_t key;

	rig_start(rig);
	window = rig_window(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	key = rig_post_bind(rig, 2, window, 0);
	rig_post(rig, 3, RC_SEND, 0, 8);
	rig_post_invalidate(rig, 4, window, 0);
	cr_assert_eq(rig_run(rig), 2);
	cr_assert_not(rig_key_live(rig, key));
	pass(rig, INTERVAL_NS);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + 1);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, RIG_PSN + 1, RIG_ACK);
	for (uintptr_t i = 1; i <= 4; i++)
		rig_completed(rig, i, RC_OK);
	rig_stop(rig);
}

/*
 * B-040, RC-085, RC-086: after an RNR NAK, the RNR timer replaces the ACK timer, and new requests
 * wait. When the RNR timer expires, the refused request and all later requests are sent again.
 */
Test(retransmit, rnr_waits_its_time)
{
	struct rig *rig = rig_with_timer();
	uint64_t rnr_ns = base_rnr_timer_ns(30);

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_post(rig, 2, RC_SEND, 0, 2 * PMTU);
	rig_post(rig, 3, RC_SEND, 0, 8);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 1, WIRE_SYNDROME_RNR | 30);
	rig_completed(rig, 1, RC_OK);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), rig->peer.now_ns + rnr_ns);
	rig_post(rig, 4, RC_SEND, 0, 8);
	for (uint64_t ns = 0; ns < rnr_ns; ns += rnr_ns / 50) {
		cr_assert_eq(rig_run(rig), 0);
		pass(rig, rnr_ns / 50);
	}
	cr_assert_eq(rig_requester(rig)->retries_left, 3);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_FIRST, RIG_PSN + 1);
	rig_expect(rig, WIRE_RC_SEND_LAST, RIG_PSN + 2);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + 3);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + 4);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), rig->peer.now_ns + INTERVAL_NS);
	rig_answer(rig, RIG_PSN + 4, RIG_ACK);
	for (uintptr_t i = 2; i <= 4; i++)
		rig_completed(rig, i, RC_OK);
	rig_stop(rig);
}

/* B-092, Q27: during an RNR wait, a sequence NAK and a second RNR NAK have no effect. */
Test(retransmit, naks_during_rnr_wait_ignored)
{
	struct rig *rig = rig_with_timer();
	uint64_t rnr_ns = base_rnr_timer_ns(12);

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_post(rig, 2, RC_SEND, 0, 8);
	rig_run(rig);
	rig_answer(rig, RIG_PSN, WIRE_SYNDROME_RNR | 12);
	rig_answer(rig, RIG_PSN, WIRE_NAK_SEQUENCE);
	rig_answer(rig, RIG_PSN, WIRE_SYNDROME_RNR | 30);
	cr_assert_eq(rig_run(rig), 0);
	cr_assert_eq(rig_requester(rig)->retries_left, 3);
	cr_assert_eq(rig_requester(rig)->rnr_retries_left, 2);
	pass(rig, rnr_ns - 1);
	cr_assert_eq(rig_run(rig), 0);
	pass(rig, 1);
	cr_assert_eq(rig_run(rig), 2, "each once");
	rig_answer(rig, RIG_PSN, RIG_ACK);
	cr_assert_eq(rig_requester(rig)->rnr_retries_left, 3, "reloaded");
	rig_stop(rig);
}

Test(retransmit, ack_ends_rnr_wait)
{
	struct rig *rig = rig_with_timer();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_post(rig, 2, RC_SEND, 0, 8);
	rig_run(rig);
	rig_answer(rig, RIG_PSN, WIRE_SYNDROME_RNR);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + 1);
	rc_peer_expect_silence(&rig->peer);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), rig->peer.now_ns + INTERVAL_NS);
	rig_stop(rig);
}

/* RC-085, Q28: with n RNR retries, the request is sent n + 1 times. */
Test(retransmit, rnr_retries_exhausted)
{
	struct rig *rig = rig_with_timer();

	rig->options.connect.rnr_retry_count = 2;
	rig_start(rig);
	rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
	rig_post(rig, 2, RC_SEND, 0, 8);
	for (int i = 0; i < 3; i++) {
		cr_assert_eq(rig_run(rig), 2, "transmission %d", i);
		rig_not_completed(rig);
		rig_answer(rig, RIG_PSN, WIRE_SYNDROME_RNR | 1);
		pass(rig, base_rnr_timer_ns(1));
	}
	cr_assert_eq(rig_run(rig), 0);
	rig_completed(rig, 1, RC_RNR_RETRY_EXCEEDED);
	rig_completed(rig, 2, RC_FLUSHED);
	rig_in_error(rig, RC_RNR_RETRY_EXCEEDED);
	rig_stop(rig);
}

/*
 * RC-097: a peer without receives sends RNR NAKs for a long time. Losses in this time must not add
 * up to the retry limit. If the peer stops answering, the retries are counted from its last RNR NAK
 * on.
 */
Test(retransmit, rnr_nak_reloads_the_retries)
{
	struct rig *rig = rig_with_timer();

	rig->options.connect.retry_count = 3;
	rig->options.connect.rnr_retry_count = 7;
	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	for (int i = 0; i < 10; i++) {
		cr_assert_eq(rig_run(rig), 1, "round %d", i);
		pass(rig, INTERVAL_NS);
		cr_assert_eq(rig_run(rig), 1, "lost in round %d", i);
		cr_assert_eq(rig_requester(rig)->retries_left, 2);
		rig_answer(rig, RIG_PSN, WIRE_SYNDROME_RNR | 1);
		cr_assert_eq(rig_requester(rig)->retries_left, 3);
		pass(rig, base_rnr_timer_ns(1));
	}
	cr_assert_eq(rig_run(rig), 1);
	for (uint8_t i = 0; i < 3; i++) {
		pass(rig, wait_ns(i));
		cr_assert_eq(rig_run(rig), 1, "retry %u", i);
	}
	pass(rig, wait_ns(3));
	cr_assert_eq(rig_run(rig), 0);
	rig_completed(rig, 1, RC_RETRY_EXCEEDED);
	rig_stop(rig);
}

/* B-044: with an RNR retry count of 7, RNR retries are unlimited until the queue pair ends. */
Test(retransmit, rnr_retry_7_is_endless)
{
	struct rig *rig = rig_with_timer();

	rig->options.connect.rnr_retry_count = 7;
	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	for (int i = 0; i < 1000; i++) {
		cr_assert_eq(rig_run(rig), 1);
		rig_answer(rig, RIG_PSN, WIRE_SYNDROME_RNR | 1);
		pass(rig, base_rnr_timer_ns(1));
	}
	rc_qp_error(rig->peer.qp, RC_FLUSHED);
	rig_completed(rig, 1, RC_FLUSHED);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	rig_stop(rig);
}

/* SEC-024: an RNR NAK with a PSN in the middle of a message is dropped. */
Test(retransmit, rnr_in_the_middle_dropped)
{
	struct rig *rig = rig_with_timer();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 3 * PMTU);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 1, WIRE_SYNDROME_RNR | 12);
	cr_assert_eq(rig_counters(rig)->drop_forged_nak, 1);
	cr_assert_eq(rig_requester(rig)->una_psn, RIG_PSN);
	rig_answer(rig, RIG_PSN, WIRE_SYNDROME_RNR | 12);
	cr_assert_eq(rig_counters(rig)->rx_rnr_naks, 1);
	rig_stop(rig);
}

/* RC-130: if the memory of a request is deregistered before a go-back, the request fails. */
Test(retransmit, memory_gone_before_go_back_fails_locally)
{
	struct rig *rig = rig_with_timer();
	uint64_t token;

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 0);
	rig_post(rig, 2, RC_SEND, 0, 2 * PMTU);
	rig_post(rig, 3, RC_SEND, 0, 0);
	rig_run(rig);
	cr_assert_eq(mem_region_deregister(rig->peer.mem, rig->region, &token), RC_OK);
	pass(rig, INTERVAL_NS);
	cr_assert_eq(rig_run(rig), 1, "the first needs no memory");
	rig_not_completed(rig);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_run(rig);
	rig_completed(rig, 2, RC_LOCAL_PROTECTION);
	rig_completed(rig, 3, RC_FLUSHED);
	rig_stop(rig);
}

Test(retransmit, memory_gone_after_delivery_completes)
{
	struct rig *rig = rig_with_timer();
	uint64_t token;

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 0);
	rig_post(rig, 2, RC_SEND, 0, 2 * PMTU);
	rig_post(rig, 3, RC_SEND, 0, 0);
	rig_run(rig);
	cr_assert_eq(mem_region_deregister(rig->peer.mem, rig->region, &token), RC_OK);
	pass(rig, INTERVAL_NS);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 3, RIG_ACK);
	for (uintptr_t i = 1; i <= 3; i++)
		rig_completed(rig, i, RC_OK);
	cr_assert_eq(rig_run(rig), 0);
	rig_stop(rig);
}

/*
 * RC-130: the memory of the newest packet was deregistered, so a probe cannot be built. The
 * connection continues, because older packets are outstanding, and the peer may already have
 * received the newest packet.
 */
Test(retransmit, memory_gone_before_a_probe_ends_nothing)
{
	struct rig *rig = rig_new();
	uint64_t token;

	rig->options.connect.ack_timeout = 14; /* ACK timeout that leaves time for a probe */
	rig->options.connect.selective = true;
	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 0);
	rig_post(rig, 2, RC_SEND, 0, 8);
	rig_run(rig);
	cr_assert_eq(mem_region_deregister(rig->peer.mem, rig->region, &token), RC_OK);
	rig->peer.now_ns = rc_qp_deadline(rig->peer.qp);
	cr_assert_eq(rig_run(rig), 0);
	cr_assert_eq(rig_counters(rig)->probes, 1);
	rig_not_completed(rig);
	rig_answer(rig, RIG_PSN + 1, RIG_ACK);
	for (uintptr_t i = 1; i <= 2; i++)
		rig_completed(rig, i, RC_OK);
	rig_stop(rig);
}
