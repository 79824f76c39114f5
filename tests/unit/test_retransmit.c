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

/* RC-095, RC-096, RC-097, Q28: retry_count retries, a plain interval apart, then the oldest request fails. */
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
		cr_assert_eq(rc_qp_deadline(rig->peer.qp), rig->peer.now_ns + INTERVAL_NS);
		pass(rig, INTERVAL_NS - 1);
		cr_assert_eq(rig_run(rig), 0);
		pass(rig, 1);
		rig_progress(rig);
		rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN);
		rig_expect(rig, WIRE_RC_READ_REQUEST, RIG_PSN + 1);
		rc_peer_expect_silence(&rig->peer);
	}
	rig_not_completed(rig);
	pass(rig, INTERVAL_NS);
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

/* B-046: 7 is a number like any other. */
Test(retransmit, seven_retries_are_finite)
{
	check_exhausted(7);
}

/* B-047 */
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

/* B-041: no spurious retransmission under continuous traffic; RC-095: stopped when nothing is outstanding. */
Test(retransmit, continuous_progress_never_times_out)
{
	struct rig *rig = rig_with_timer();
	uint32_t psn = RIG_PSN;

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, RC_SILENT, 8);
	rig_run(rig);
	for (int i = 0; i < 100; i++) { /* one is always outstanding */
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

/* RC-097: progress reloads the counter. */
Test(retransmit, progress_reloads_retries)
{
	struct rig *rig = rig_with_timer();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 10 * PMTU);
	rig_run(rig);
	for (uint32_t i = 0; i < 9; i++) {
		for (int k = 0; k < 3; k++) {
			pass(rig, INTERVAL_NS);
			cr_assert_eq(rig_run(rig), 10 - i);
		}
		rig_answer(rig, RIG_PSN + i, RIG_ACK);
	}
	rig_answer(rig, RIG_PSN + 9, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
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

/* RC-098, RC-101, RC-103: resumed in the middle, each packet the same but for AckReq. */
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
		cr_assert_arr_eq(rig->packet.payload, first[i].payload,
			first[i].view.payload_bytes);
	}
	cr_assert_eq(first[6].view.bth.opcode, WIRE_RC_SEND_MIDDLE);
	rc_peer_expect_silence(&rig->peer);
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 4);
	rig_stop(rig);
}

/* RC-098, B-030: one go-back per gap; the next gap gets a new one; no storm. */
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

	/* The retransmission is lost, too: the timer helps, and then a NAK counts again. */
	pass(rig, INTERVAL_NS);
	cr_assert_eq(rig_run(rig), 3);
	rig_answer(rig, RIG_PSN + 3, WIRE_NAK_SEQUENCE);
	cr_assert_eq(rig_run(rig), 3);
	cr_assert_eq(rig_requester(rig)->retries_left, 0);
	pass(rig, INTERVAL_NS);
	rig_run(rig);
	rig_completed(rig, 1, RC_RETRY_EXCEEDED);
	rig_stop(rig);
}

/* RC-099 */
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

/* An acknowledgement of the first flight comes while it is sent again: what it covers is skipped. */
Test(retransmit, acknowledged_during_go_back_skipped)
{
	struct rig *rig = rig_with_timer();

	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 30 * PMTU);
	rig_post(rig, 2, RC_SEND, 0, 40 * PMTU);
	cr_assert_eq(rig_run(rig), 70);
	pass(rig, INTERVAL_NS);
	rig->peer.ctx.packet_count = LIMIT_OUT_PACKETS - 1;
	cr_assert(rig_progress(rig)); /* one packet goes */
	rte_pktmbuf_free(rig->peer.ctx.packets[LIMIT_OUT_PACKETS - 1]);
	rig->peer.ctx.packet_count = 0;
	rig_answer(rig, RIG_PSN + 31, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_MIDDLE, RIG_PSN + 32);
	cr_assert_eq(rig_run(rig), 37, "the rest of what is outstanding");

	/* All of it: nothing is left to send, and new requests go on behind. */
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

/* Executed binds between the messages are passed over, not executed again. */
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

/* B-040, RC-085, RC-086: the RNR timer wins over the ACK timer, new requests wait, everything goes from q. */
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

/* B-092, Q27: the sequence NAK right behind an RNR NAK, and a second RNR NAK, change nothing. */
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

/* A copy of the refused request got through: the wait is over. */
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

/* RC-085, Q28: n retries are n + 1 transmissions. */
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

/* B-044: for ever, and it can be ended. */
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

/* SEC-024: only what starts a message can lack a receive. */
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

/* RC-130 in a go-back: memory that was there the first time. */
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

/* The same, but the first flight had got there. */
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

/* ---- every kind of request over a lossy wire, against a responder that is only a model ---- */

#define MODEL_BYTES (64u * 1024)
#define PLAN_COUNT  40u

struct model {
	uint32_t expected;
	bool nak_sent;
	uint8_t memory[MODEL_BYTES]; /* of WRITE and READ, from RIG_REMOTE on */
	uint8_t received[MODEL_BYTES]; /* all SENDs, one behind the other */
	uint32_t received_bytes;
	uint32_t write_offset;
	uint32_t read_psns[PLAN_COUNT]; /* of the READs as first asked for */
	uint32_t read_count;
	uint32_t percent; /* lost, in each direction */
};

static bool
dice(struct rig *rig, uint32_t percent)
{
	return base_random_below(&rig->peer.random, 100) < percent;
}

static uint32_t
read_packets(const struct rig *rig, const struct wire_view *view)
{
	uint32_t pmtu_bytes = rig->peer.connect.pmtu_bytes;

	return RTE_MAX((view->reth.length_bytes + pmtu_bytes - 1) / pmtu_bytes, 1u);
}

static void
model_answer(struct rig *rig, const struct model *model, uint32_t psn, uint8_t syndrome)
{
	if (!dice(rig, model->percent))
		rig_answer(rig, psn, syndrome);
}

/* Whether the READ is the rest of another. */
static bool
is_suffix(const struct model *model, uint32_t psn)
{
	for (uint32_t i = 0; i < model->read_count; i++) {
		if (model->read_psns[i] == psn)
			return false;
	}
	return true;
}

/* The answer to a suffix starts with First, or goes on with Middle: both kinds of peers exist. */
static void
model_read(struct rig *rig, const struct model *model, const struct wire_view *view)
{
	static const uint8_t opcodes[2][2] = {
		{WIRE_RC_READ_RESPONSE_MIDDLE, WIRE_RC_READ_RESPONSE_LAST},
		{WIRE_RC_READ_RESPONSE_FIRST, WIRE_RC_READ_RESPONSE_ONLY},
	};
	uint32_t pmtu_bytes = rig->peer.connect.pmtu_bytes, count = read_packets(rig, view);
	const uint8_t *from = model->memory + (view->reth.address - RIG_REMOTE);
	uint32_t psn = view->bth.psn, left = view->reth.length_bytes;
	bool goes_on = is_suffix(model, psn) && dice(rig, 50);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t bytes = RTE_MIN(left, pmtu_bytes);

		if (!dice(rig, model->percent))
			rig_read_response(rig, opcodes[i == 0 && !goes_on][i + 1 == count], psn + i,
				from, (uint16_t)bytes);
		from += bytes;
		left -= bytes;
	}
}

static void
model_execute(struct model *model, const struct rc_peer_packet *packet)
{
	const struct wire_view *view = &packet->view;

	switch ((int)view->traits->kind) {
	case WIRE_KIND_READ_REQUEST:
		model->read_psns[model->read_count++] = view->bth.psn;
		break;
	case WIRE_KIND_SEND:
		memcpy(model->received + model->received_bytes, packet->payload,
			view->payload_bytes);
		model->received_bytes += view->payload_bytes;
		break;
	default:
		if (view->traits->has_reth)
			model->write_offset = (uint32_t)(view->reth.address - RIG_REMOTE);
		memcpy(model->memory + model->write_offset, packet->payload, view->payload_bytes);
		model->write_offset += view->payload_bytes;
	}
}

static void
model_take(struct rig *rig, struct model *model, const struct rc_peer_packet *packet)
{
	const struct wire_view *view = &packet->view;
	bool read = view->traits->kind == WIRE_KIND_READ_REQUEST;
	int32_t ahead = psn_diff(view->bth.psn, model->expected);

	if (dice(rig, model->percent))
		return;
	if (ahead > 0) {
		if (!model->nak_sent)
			model_answer(rig, model, model->expected, WIRE_NAK_SEQUENCE);
		model->nak_sent = true;
		return;
	}
	if (ahead == 0) {
		if (view->traits->needs_receive && dice(rig, model->percent)) {
			model_answer(rig, model, view->bth.psn, WIRE_SYNDROME_RNR | 1);
			return; /* a sequence NAK may follow: Q27 */
		}
		model->nak_sent = false;
		model->expected =
			psn_add(model->expected, read ? read_packets(rig, view) : 1);
		model_execute(model, packet);
	}
	if (read)
		model_read(rig, model, view);
	else if (view->bth.ack_request)
		model_answer(rig, model, view->bth.psn, RIG_ACK);
}

struct plan {
	enum rc_send_opcode opcode;
	uint32_t bytes;
	uint32_t offset; /* in local and remote memory */
};

/* Every request has a place of its own, so that what it leaves there can be told. */
static void
post_plans(struct rig *rig, struct plan *plans, uint8_t *sent, uint32_t *sent_bytes)
{
	static const enum rc_send_opcode opcodes[] = {RC_SEND, RC_WRITE, RC_READ};
	uint32_t offset = 0;

	for (uint32_t i = 0; i < PLAN_COUNT; i++) {
		struct plan *plan = &plans[i];
		struct mem_sge sge;
		struct rc_send_wr wr;

		plan->opcode = opcodes[base_random_below(&rig->peer.random, 3)];
		plan->bytes = base_random_below(&rig->peer.random, 1500);
		plan->offset = offset;
		offset += plan->bytes;
		sge = rig_sge(rig, plan->offset, plan->bytes);
		wr = rig_request(rig, i, plan->opcode, &sge);
		wr.remote_address = RIG_REMOTE + plan->offset;
		wr.flags = dice(rig, 25) ? RC_FENCE : 0;
		cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
		if (plan->opcode == RC_SEND) {
			memcpy(sent + *sent_bytes, rig->memory + plan->offset, plan->bytes);
			*sent_bytes += plan->bytes;
		}
	}
}

/* Runs until everything is complete. Time stands still while there is something to do. */
static void
run_plans(struct rig *rig, struct model *model, uint32_t seed)
{
	static struct rc_peer_packet packet;
	struct rc_completion completion;
	uint32_t completed = 0;

	for (uint32_t turns = 0; completed < PLAN_COUNT; turns++) {
		bool again = rig_progress(rig);
		uint64_t deadline_ns = rc_qp_deadline(rig->peer.qp);

		cr_assert_lt(turns, 100000, "seed %u: stuck after %u requests", seed, completed);
		while (rc_peer_next(&rig->peer, &packet)) {
			again = true;
			model_take(rig, model, &packet);
		}
		while (rc_cq_poll(&rig->peer.send_cq, &completion, 1) == 1) {
			cr_assert_eq(completion.status, RC_OK, "seed %u, request %u: %s", seed,
				completed, rc_status_name(completion.status));
			cr_assert_eq(completion.context, rig_context(completed), "seed %u", seed);
			completed++;
		}
		if (again)
			continue;
		cr_assert(deadline_ns != BASE_TIME_NEVER || completed == PLAN_COUNT,
			"seed %u: nothing to wait for after %u requests", seed, completed);
		rig->peer.now_ns = deadline_ns;
	}
}

static void
check_lossy(uint32_t seed, uint32_t percent, uint32_t send_psn)
{
	static struct model model;
	static uint8_t sent[MODEL_BYTES];
	struct plan plans[PLAN_COUNT];
	struct rig *rig = rig_with_timer();
	uint8_t seed_bytes[BASE_RANDOM_SEED_BYTES] = {(uint8_t)seed, (uint8_t)(seed >> 8), 42};
	uint32_t sent_bytes = 0;

	rig->options.connect.pmtu_bytes = 256;
	rig->options.connect.send_psn = send_psn;
	rig->options.connect.retry_count = 7;
	rig->options.connect.rnr_retry_count = 7;
	rig_start(rig);
	base_random_seed(&rig->peer.random, seed_bytes);
	model = (struct model){.expected = send_psn, .percent = percent};
	rc_peer_pattern(model.memory, sizeof(model.memory), seed);
	post_plans(rig, plans, sent, &sent_bytes);
	run_plans(rig, &model, seed);

	cr_assert_eq(model.received_bytes, sent_bytes, "seed %u: %u bytes of %u received", seed,
		model.received_bytes, sent_bytes);
	cr_assert_arr_eq(model.received, sent, sent_bytes);
	for (uint32_t i = 0; i < PLAN_COUNT; i++) {
		if (plans[i].opcode != RC_SEND)
			cr_assert_arr_eq(rig->memory + plans[i].offset,
				model.memory + plans[i].offset, plans[i].bytes);
	}
	cr_assert_eq(rig_requester(rig)->reads_outstanding, 0);
	cr_assert(percent > 0 || rig_counters(rig)->retransmitted_packets == 0);
	rig_stop(rig);
}

Test(retransmit, lossless_model)
{
	check_lossy(1, 0, RIG_PSN);
}

/* B-028: start PSNs that wrap somewhere in the traffic. */
Test(retransmit, lossy_model_over_psn_wrap)
{
	for (uint32_t seed = 0; seed < 100; seed++)
		check_lossy(seed, seed % 13, psn_add(0, -(int64_t)(seed * 2)));
}
