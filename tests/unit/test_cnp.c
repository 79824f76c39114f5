/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "cc/dcqcn.h"
#include "responder_bench.h"

/* Test how CE-marked packets are answered by CNPs, and how CNPs from the peer change the rate. */

#define INTERVAL_NS UINT64_C(50000)
#define DSCP        26
#define DSCP_ACK    24
#define DSCP_CNP    48
#define ECT0(dscp)  ((uint8_t)((dscp) << 2 | WIRE_ECN_ECT0))
#define CE(dscp)    ((uint8_t)((dscp) << 2 | WIRE_ECN_CE))

static struct cc_parameters dcqcn = {.algorithm = CC_DCQCN, .line_rate_mbps = 10000};

static void
marked_start(bool v6)
{
	struct rc_peer_options options;

	cc_dcqcn_defaults(&dcqcn.dcqcn);
	rc_peer_defaults(&options);
	options.qp.cc = &dcqcn;
	options.qp.inbound_reads_max = 4;
	options.pool_mbufs = 511;
	options.connect.path.tos = ECT0(DSCP);
	if (v6) {
		options.connect.path.src.raw[0] = 0xFD;
		options.connect.path.dst.raw[0] = 0xFD;
	}
	start_with(&options);
	b.peer.ctx.marking = (struct rc_marking){
		.cnp_interval_ns = INTERVAL_NS,
		.cnp_dscp = DSCP_CNP,
		.ack_dscp_own = true,
		.ack_dscp = DSCP_ACK,
	};
	b.peer.now_ns = 1000000;
	wire_template_set_tos(&b.peer.remote_tmpl, CE(DSCP));
}

static struct rc_peer_packet
sent(uint8_t opcode)
{
	struct rc_peer_packet packet;

	cr_assert(rc_peer_next(&b.peer, &packet), "no %s", wire_opcode_traits(opcode)->name);
	cr_assert_eq(packet.view.bth.opcode, opcode, "%s sent, %s expected",
		packet.view.traits->name, wire_opcode_traits(opcode)->name);
	return packet;
}

static void
cnp_input(bool becn)
{
	rc_peer_inject(&b.peer, &(struct wire_headers){.bth = {.opcode = WIRE_CNP, .becn = becn}},
		NULL, 0);
}

/*
 * CC-002, CC-003: a CNP is sent before the ACK, to the queue pair of the peer, with the DSCP for
 * CNPs and without ECT. The parser of the test checks the ICRC and the IPv4 checksum.
 */
static void
answered_by_cnp(bool v6)
{
	struct rc_peer_packet packet;

	marked_start(v6);
	write_only(FIRST_PSN, 64);
	rc_peer_progress(&b.peer);
	packet = sent(WIRE_CNP);
	cr_assert(packet.view.bth.becn);
	cr_assert_not(packet.view.bth.fecn || packet.view.bth.ack_request);
	cr_assert_eq(packet.view.bth.dest_qp, RC_PEER_REMOTE_QPN);
	cr_assert_eq(packet.view.bth.psn, 0);
	cr_assert_eq(packet.view.tos, DSCP_CNP << 2);
	packet = sent(WIRE_RC_ACKNOWLEDGE);
	cr_assert_eq(packet.view.tos, ECT0(DSCP_ACK), "another DSCP, the same ECN");
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.rx_ce, 1);
	cr_assert_eq(b.peer.ctx.counters.tx_cnps, 1);
	cr_assert_eq(b.peer.ctx.counters.tx_packets, 1, "the ACK");
	stop();
}

Test(cnp, marked_packet_is_answered_cc002_cc003)
{
	answered_by_cnp(false);
}

Test(cnp, marked_packet_is_answered_over_ipv6)
{
	answered_by_cnp(true);
}

/* CC-024: many marked packets in one interval cause one CNP. */
Test(cnp, thousand_marks_in_an_interval_are_one_cnp_cc024)
{
	marked_start(false);
	for (uint32_t i = 0; i < 1000; i++) {
		write_only(FIRST_PSN + i, 4);
		rc_peer_progress(&b.peer);
		rc_peer_drain(&b.peer);
		b.peer.now_ns += INTERVAL_NS / 1000;
	}
	cr_assert_eq(b.peer.ctx.counters.rx_ce, 1000);
	cr_assert_eq(b.peer.ctx.counters.tx_cnps, 1);
	write_only(FIRST_PSN + 1000, 4);
	rc_peer_progress(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.tx_cnps, 2, "the next interval");
	stop();
}

/* CC-006: a marked ACK from the peer is answered by a CNP, too. */
Test(cnp, marked_acknowledgement_is_answered_cc006)
{
	struct mem_sge sge;

	marked_start(false);
	sge = (struct mem_sge){BASE, 64, b.region};
	cr_assert_eq(
		rc_post_send(b.peer.qp, &(struct rc_send_wr){.opcode = RC_SEND, .sgl = {&sge, 1}}),
		RC_OK);
	rc_peer_progress(&b.peer);
	rc_peer_drain(&b.peer);
	rc_peer_inject_ack(&b.peer, RC_PEER_SEND_PSN, WIRE_SYNDROME_ACK, 1);
	rc_peer_progress(&b.peer);
	sent(WIRE_CNP);
	rc_peer_expect_silence(&b.peer);
	stop();
}

/* CC-002: a marked CNP causes no CNP. CC-005: FECN and BECN of other packets are ignored. */
Test(cnp, what_is_not_answered_cc002_cc005)
{
	struct wire_reth_value at;

	marked_start(false);
	cnp_input(true);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.rx_ce, 0);
	wire_template_set_tos(&b.peer.remote_tmpl, ECT0(DSCP));
	at = reth(0, 4);
	rc_peer_inject(&b.peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_WRITE_ONLY,
				.psn = FIRST_PSN,
				.ack_request = true,
				.fecn = true,
				.becn = true},
			.reth = at,
		},
		b.data, 4);
	rc_peer_progress(&b.peer);
	sent(WIRE_RC_ACKNOWLEDGE);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.rx_cnps, 1);
	stop();
}

Test(cnp, none_if_switched_off)
{
	marked_start(false);
	b.peer.ctx.marking.cnp_interval_ns = 0;
	write_only(FIRST_PSN, 64);
	rc_peer_progress(&b.peer);
	sent(WIRE_RC_ACKNOWLEDGE);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.rx_ce, 1);
	stop();
}

Test(cnp, waits_for_room)
{
	marked_start(false);
	write_only(FIRST_PSN, 64);
	b.peer.ctx.packet_count = LIMIT_OUT_PACKETS;
	cr_assert(rc_qp_progress(b.peer.qp, b.peer.now_ns), "there is more to do");
	cr_assert_eq(b.peer.ctx.counters.tx_cnps, 0);
	b.peer.ctx.packet_count = 0;
	rc_peer_progress(&b.peer);
	sent(WIRE_CNP);
	sent(WIRE_RC_ACKNOWLEDGE);
	stop();
}

static uint32_t
rate(void)
{
	return cc_dcqcn_rate_kbps(&b.peer.qp->cc);
}

/* CC-004: a CNP is dropped if its BECN is 0 or its addresses are not those of the peer. */
Test(cnp, forged_cnps_have_no_effect_cc004)
{
	struct wire_template right;

	marked_start(false);
	right = b.peer.remote_tmpl;
	cnp_input(false);
	cr_assert_eq(b.peer.ctx.counters.drop_cnp, 1);
	for (uint32_t byte = 12; byte < 20; byte += 7) { /* source, destination address */
		b.peer.remote_tmpl = right;
		b.peer.remote_tmpl.bytes[b.peer.remote_tmpl.l3_offset + byte] ^= 1;
		wire_template_set_tos(&b.peer.remote_tmpl, 0); /* updates the checksum */
		cnp_input(true);
	}
	cr_assert_eq(b.peer.ctx.counters.drop_address, 2);
	cr_assert_eq(b.peer.ctx.counters.rx_cnps, 0);
	cr_assert_eq(rate(), 10000000);
	b.peer.remote_tmpl = right;
	cnp_input(true);
	cr_assert_eq(b.peer.ctx.counters.rx_cnps, 1);
	cr_assert_eq(b.peer.ctx.counters.rate_cuts, 1);
	cr_assert_eq(rate(), 5000000);
	cnp_input(true);
	cr_assert_eq(b.peer.ctx.counters.rx_cnps, 2);
	cr_assert_eq(b.peer.ctx.counters.rate_cuts, 1, "SEC-026: one cut in its period");
	stop();
}

/* Start with a long interval between the timer's rate increases, so that a low rate stays low. */
static void
slow_start(void)
{
	marked_start(false);
	dcqcn.dcqcn.rpg_time_reset_us = 1000000;
	wire_template_set_tos(&b.peer.remote_tmpl, ECT0(DSCP));
}

/* Reduce the rate by CNPs until the credit that was saved at a higher rate is used up. */
static void
slow_down(void)
{
	for (int i = 0; i < 40; i++) {
		b.peer.now_ns += INTERVAL_NS;
		cnp_input(true);
	}
	cr_assert_lt(rate(), 40000, "%u kb/s", rate());
}

/*
 * Advance the time by ns, and run the queue pair at each of its deadlines. @return number of
 * packets sent
 */
static uint32_t
packets_in(uint64_t ns)
{
	uint64_t end_ns = b.peer.now_ns + ns;
	uint32_t count = 0;

	for (;;) {
		while (rc_peer_progress(&b.peer))
			count += rc_peer_drain(&b.peer);
		count += rc_peer_drain(&b.peer);
		if (rc_qp_deadline(b.peer.qp) > end_ns)
			return count;
		cr_assert_gt(rc_qp_deadline(b.peer.qp), b.peer.now_ns);
		b.peer.now_ns = rc_qp_deadline(b.peer.qp);
	}
}

/* CC-006: a low rate delays READ responses, too. */
Test(cnp, read_responses_are_paced_cc006)
{
	uint32_t count;

	slow_start();
	slow_down();
	read_request(FIRST_PSN, 16 * PMTU);
	count = packets_in(1000000);
	cr_assert_leq(count, 40000 / 8 / PMTU + 2, "%u responses in 1 ms", count);
	cr_assert_gt(b.peer.ctx.counters.tx_paced, 0);
	cr_assert_neq(rc_qp_deadline(b.peer.qp), BASE_TIME_NEVER);
	count += packets_in(100000000);
	cr_assert_eq(count, 16);
	stop();
}

/*
 * CC-006: an ACK or NAK after paced READ responses waits for these responses, even if its own
 * deadline is earlier. Then the queue pair's deadline is the send time of the responses.
 */
Test(cnp, answer_behind_paced_responses_waits_with_them_cc006)
{
	const struct wire_reth_value nothing = {0};
	uint32_t count;

	slow_start();
	slow_down();
	read_request(FIRST_PSN, 16 * PMTU);
	cr_assert_eq(packets_in(100000000), 16);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN + 17, NULL, 0);
	cr_assert_eq(packets_in(0), 1, "a NAK");
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, FIRST_PSN + 16, &nothing, NULL, 0);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN + 18, NULL, 0);
	count = packets_in(0);
	cr_assert_neq(rc_qp_deadline(b.peer.qp), BASE_TIME_NEVER, "the next NAK");
	read_request(FIRST_PSN, 16 * PMTU);
	count += packets_in(100000000); /* packets_in() checks that all deadlines are later */
	cr_assert_eq(count, 16 + 1);
	stop();
}

/* CC-007: retransmissions are paced like first transmissions. */
Test(cnp, retransmissions_are_paced_cc007)
{
	struct mem_sge sge;
	uint32_t count;

	slow_start();
	sge = (struct mem_sge){BASE, 16 * PMTU, b.region};
	cr_assert_eq(
		rc_post_send(b.peer.qp, &(struct rc_send_wr){.opcode = RC_SEND, .sgl = {&sge, 1}}),
		RC_OK);
	cr_assert_eq(packets_in(0), 16, "at once while nothing limits them");
	slow_down();
	rc_peer_inject_ack(&b.peer, RC_PEER_SEND_PSN, WIRE_NAK_SEQUENCE, 0);
	count = packets_in(1000000);
	cr_assert_leq(count, 40000 / 8 / PMTU + 2, "%u packets in 1 ms", count);
	count += packets_in(100000000);
	cr_assert_eq(count, 16);
	cr_assert_eq(b.peer.ctx.counters.retransmitted_packets, 16);
	stop();
}
