/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include <sys/mman.h>

#include "requester_rig.h"

#define PMTU   1024u
#define FIRST  WIRE_RC_READ_RESPONSE_FIRST
#define MIDDLE WIRE_RC_READ_RESPONSE_MIDDLE
#define LAST   WIRE_RC_READ_RESPONSE_LAST
#define ONLY   WIRE_RC_READ_RESPONSE_ONLY

static uint8_t source[64 * PMTU];

static struct rig *
start(struct rig *rig)
{
	rig_start(rig);
	rc_peer_pattern(source, sizeof(source), 77);
	return rig;
}

static uint32_t
packets_of(uint32_t bytes)
{
	return bytes == 0 ? 1 : (bytes + PMTU - 1) / PMTU;
}

/* Send response `index` to a READ. The opcode fits an answer that begins with response `from`. */
static void
respond(struct rig *rig, uint32_t psn, uint32_t bytes, uint32_t from, uint32_t index)
{
	bool first = index == from, last = index + 1 == packets_of(bytes);
	uint8_t opcode = first ? (last ? ONLY : FIRST) : (last ? LAST : MIDDLE);
	uint32_t offset = index * PMTU;

	rig_read_response(
		rig, opcode, psn + index, source + offset, (uint16_t)RTE_MIN(bytes - offset, PMTU));
}

static void
expect_read(struct rig *rig, uint32_t psn, uint32_t offset, uint32_t bytes)
{
	const struct wire_view *view = rig_expect(rig, WIRE_RC_READ_REQUEST, psn);

	cr_assert_eq(view->reth.address, RIG_REMOTE + offset, "address %lx",
		(unsigned long)view->reth.address);
	cr_assert_eq(view->reth.length_bytes, bytes, "length %u, %u expected",
		view->reth.length_bytes, bytes);
	cr_assert_eq(view->reth.rkey, RIG_RKEY);
	cr_assert_eq(view->payload_bytes, 0);
}

/* RC-005, RC-012, RC-073: each response of a READ has its own PSN. */
Test(response, read_placed)
{
	static const uint32_t lengths[] = {0, 1, PMTU, PMTU + 1, 2 * PMTU, 5 * PMTU + 7};
	struct rig *rig = start(rig_new());
	uint32_t psn = RIG_PSN;

	for (size_t i = 0; i < RTE_DIM(lengths); i++) {
		uint32_t bytes = lengths[i];

		rig_post(rig, i, RC_READ, 0, bytes);
		rig_progress(rig);
		expect_read(rig, psn, 0, bytes);
		memset(rig->memory, 0, 8 * PMTU);
		for (uint32_t k = 0; k < packets_of(bytes); k++) {
			rig_not_completed(rig);
			respond(rig, psn, bytes, 0, k);
		}
		cr_assert_eq(rig_completed(rig, i, RC_OK).kind, RC_COMPLETION_READ);
		cr_assert_arr_eq(rig->memory, source, bytes);
		cr_assert_eq(rig->memory[bytes], 0, "byte behind %u bytes written", bytes);
		psn += packets_of(bytes);
	}
	cr_assert_eq(rig_counters(rig)->drop_ghost, 0);
	rig_stop(rig);
}

Test(response, read_scattered_from_chain)
{
	struct rig *rig = start(rig_new());
	struct mem_sge sges[3] = {
		rig_sge(rig, 5000, 1), rig_sge(rig, 100, 700), rig_sge(rig, 9000, 323)};
	struct rc_send_wr wr = rig_request(rig, 1, RC_READ, sges);
	struct rte_mbuf *mbuf, *second;
	uint32_t cut = 300;

	wr.sgl.count = 3;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	rig_progress(rig);
	expect_read(rig, RIG_PSN, 0, 1024);
	mbuf = rc_peer_frame(&rig->peer,
		&(struct wire_headers){
			.bth = {.opcode = ONLY, .psn = RIG_PSN},
			.aeth = {.syndrome = RIG_ACK},
		},
		source, 1024);
	second = rte_pktmbuf_alloc(rig->peer.pool);
	memcpy(rte_pktmbuf_append(second, (uint16_t)(mbuf->pkt_len - cut)),
		rte_pktmbuf_mtod_offset(mbuf, char *, cut), mbuf->pkt_len - cut);
	rte_pktmbuf_trim(mbuf, (uint16_t)(mbuf->pkt_len - cut));
	cr_assert_eq(rte_pktmbuf_chain(mbuf, second), 0);
	rc_peer_input(&rig->peer, mbuf);
	rig_completed(rig, 1, RC_OK);
	cr_assert_eq(rig->memory[5000], source[0]);
	cr_assert_arr_eq(rig->memory + 100, source + 1, 700);
	cr_assert_arr_eq(rig->memory + 9000, source + 701, 323);
	rig_stop(rig);
}

/* RC-088: the requester ignores credits. SENDs are sent even if an ACK grants no credits. */
Test(response, credits_do_not_limit)
{
	struct rig *rig = rig_new();

	start(rig);
	for (uintptr_t i = 0; i < 3; i++) {
		rig_post(rig, i + 1, RC_SEND, 0, 8);
		rig_progress(rig);
		rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + (uint32_t)i);
		if (i == 0) {
			rig_answer(rig, RIG_PSN, 0);
			rig_completed(rig, 1, RC_OK);
		}
	}
	rig_answer(rig, RIG_PSN + 2, 0);
	rig_completed(rig, 2, RC_OK);
	rig_completed(rig, 3, RC_OK);
	rig_stop(rig);
}

/* RC-013: a READ longer than the send window waits for all earlier ACKs, and is sent alone. */
Test(response, read_longer_than_window_goes_alone)
{
	struct rig *rig = rig_new();
	uint32_t count = LIMIT_SEND_WINDOW + 1, psn = RIG_PSN + 1;

	rig->options.connect.pmtu_bytes = 256;
	start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_post(rig, 2, RC_READ, 0, count * 256);
	rig_post(rig, 3, RC_SEND, 0, 8);
	cr_assert_eq(rig_run(rig), 1);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_progress(rig);
	expect_read(rig, psn, 0, count * 256);
	rc_peer_expect_silence(&rig->peer);
	for (uint32_t i = 0; i < count; i++) {
		rig_read_response(rig,
			i == 0                   ? FIRST
				: i + 1 == count ? LAST
						 : MIDDLE,
			psn + i, source, 256);
		rig_progress(rig);
		if (i < 1)
			rc_peer_expect_silence(&rig->peer);
		else if (i == 1)
			rig_expect(rig, WIRE_RC_SEND_ONLY, psn + count);
	}
	rig_answer(rig, psn + count, RIG_ACK);
	for (uintptr_t i = 1; i <= 3; i++)
		rig_completed(rig, i, RC_OK);
	rig_stop(rig);
}

/*
 * RC-013: with the smallest PMTU, the longest READ has 2^23 PSNs. The requester requests it in
 * pieces, so that fewer PSNs are outstanding.
 */
Test(response, longest_read_asked_in_pieces)
{
	struct rig *rig = rig_new();
	struct mem_buffer buffer = {.length_bytes = LIMIT_MESSAGE_BYTES};
	struct mem_region *region = NULL;
	struct mem_sge sge = {.length_bytes = LIMIT_MESSAGE_BYTES};
	struct rc_send_wr wr;
	struct rc_requester *r;
	uint32_t half = 1u << 22;

	rig->options.connect.pmtu_bytes = 256;
	rig->options.connect.send_psn = 0xABCDEF;
	start(rig);
	r = rig_requester(rig);
	buffer.address = mmap(NULL, buffer.length_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	cr_assert_neq(buffer.address, MAP_FAILED);
	cr_assert_eq(mem_region_register(rig->peer.mem,
			     &(struct mem_region_attr){
				     .buffers = &buffer,
				     .buffer_count = 1,
				     .rights = MEM_LOCAL_WRITE,
			     },
			     &region),
		RC_OK);
	sge.region = region;
	wr = rig_request(rig, 1, RC_READ, &sge);
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	rig_post(rig, 2, RC_SEND, 0, 8);
	rig_progress(rig);
	expect_read(rig, 0xABCDEF, 0, 1u << 30);
	rc_peer_expect_silence(&rig->peer);

	/* Pretend that all responses of the first piece except the last one have arrived. */
	rig_read_response(rig, FIRST, r->una_psn, source, 256);
	r->una_psn = psn_add(0xABCDEF, half - 1);
	rig_read_response(rig, LAST, r->una_psn, source, 256);
	rig_progress(rig);
	expect_read(rig, psn_add(0xABCDEF, half), 1u << 30, 1u << 30);
	rc_peer_expect_silence(&rig->peer);
	cr_assert_eq(r->reads_outstanding, 1);
	rig_read_response(rig, FIRST, r->una_psn, source, 256);
	r->una_psn = psn_add(0xABCDEF, 2 * half - 1);
	rig_read_response(rig, LAST, r->una_psn, source, 256);
	cr_assert_eq(rig_completed(rig, 1, RC_OK).bytes, 1u << 31);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_SEND_ONLY, psn_add(0xABCDEF, 2 * half));
	cr_assert_eq(((uint8_t *)buffer.address)[LIMIT_MESSAGE_BYTES - 1], source[255]);
	rig_stop(rig);
}

/* RC-074: a READ response acknowledges earlier SENDs and WRITEs. */
Test(response, read_response_acknowledges_what_is_before)
{
	struct rig *rig = start(rig_new());

	rig_post(rig, 1, RC_SEND, 0, 2 * PMTU);
	rig_post(rig, 2, RC_WRITE, 0, 8);
	rig_post(rig, 3, RC_READ, 0, 2 * PMTU);
	rig_run(rig);
	respond(rig, RIG_PSN + 3, 2 * PMTU, 0, 0);
	rig_completed(rig, 1, RC_OK);
	rig_completed(rig, 2, RC_OK);
	rig_not_completed(rig);
	respond(rig, RIG_PSN + 3, 2 * PMTU, 0, 1);
	rig_completed(rig, 3, RC_OK);
	rig_stop(rig);
}

/* RC-047, RC-071: an ACK with the PSN of a READ does not complete the READ, and starts no retry. */
Test(response, plain_ack_of_a_read_completes_nothing)
{
	struct rig *rig = start(rig_new());

	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_post(rig, 2, RC_READ, 0, 3 * PMTU);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 1, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_answer(rig, RIG_PSN + 3, RIG_ACK);
	cr_assert_eq(rig_run(rig), 0);
	cr_assert_eq(rig_counters(rig)->retries_implied, 0);
	for (uint32_t i = 0; i < 3; i++)
		respond(rig, RIG_PSN + 1, 3 * PMTU, 0, i);
	rig_completed(rig, 2, RC_OK);
	rig_stop(rig);
}

/* RC-076: duplicate READ responses, which are normal after a retry, are dropped. */
Test(response, duplicate_responses_dropped)
{
	struct rig *rig = start(rig_new());

	rig_post(rig, 1, RC_READ, 0, 3 * PMTU);
	rig_run(rig);
	respond(rig, RIG_PSN, 3 * PMTU, 0, 0);
	respond(rig, RIG_PSN, 3 * PMTU, 0, 1);
	memset(source, 0, sizeof(source));
	respond(rig, RIG_PSN, 3 * PMTU, 0, 0);
	respond(rig, RIG_PSN, 3 * PMTU, 0, 1);
	cr_assert_eq(rig_counters(rig)->rx_duplicate_responses, 2);
	rc_peer_pattern(source, sizeof(source), 77);
	respond(rig, RIG_PSN, 3 * PMTU, 0, 2);
	rig_completed(rig, 1, RC_OK);
	cr_assert_arr_eq(rig->memory, source, 3 * PMTU);
	rig_stop(rig);
}

/*
 * RC-072, RC-079, RC-057: if a response was lost, the requester requests the rest of the READ. The
 * peer begins its new answer with First or Only, as specified.
 */
Test(response, suffix_answered_with_first)
{
	struct rig *rig = start(rig_new());

	rig_post(rig, 1, RC_READ, 0, 4 * PMTU + 5);
	rig_run(rig);
	respond(rig, RIG_PSN, 4 * PMTU + 5, 0, 0);
	respond(rig, RIG_PSN, 4 * PMTU + 5, 0, 2); /* response 1 is lost */
	rig_progress(rig);
	expect_read(rig, RIG_PSN + 1, PMTU, 3 * PMTU + 5);
	/* a late response that belongs to the first answer */
	respond(rig, RIG_PSN, 4 * PMTU + 5, 0, 3);
	for (uint32_t i = 1; i < 4; i++)
		respond(rig, RIG_PSN, 4 * PMTU + 5, 1, i);
	respond(rig, RIG_PSN, 4 * PMTU + 5, 0, 5 - 1);
	cr_assert_eq(rig_counters(rig)->retries_implied, 1);
	rig_completed(rig, 1, RC_OK);
	cr_assert_arr_eq(rig->memory, source, 4 * PMTU + 5);
	rig_stop(rig);
}

/*
 * A slow peer still sends its first answer after the requester has requested the rest. The
 * responses of the first answer cost no retry: no gap between them causes a retry, and each new
 * response restarts the timer.
 */
Test(response, first_answer_that_goes_on_takes_no_retries)
{
	struct rig *rig = rig_new();
	uint64_t interval_ns = base_timeout_ns(8);

	rig->options.connect.ack_timeout = 8;
	start(rig);
	rig_post(rig, 1, RC_READ, 0, 8 * PMTU);
	rig_run(rig);
	respond(rig, RIG_PSN, 8 * PMTU, 0, 0);
	respond(rig, RIG_PSN, 8 * PMTU, 0, 2);
	rig_progress(rig);
	expect_read(rig, RIG_PSN + 1, PMTU, 7 * PMTU);
	for (uint32_t i = 3; i < 8; i++) {
		rig->peer.now_ns += interval_ns - 1;
		cr_assert_eq(rig_run(rig), 0, "packet %u", i);
		respond(rig, RIG_PSN, 8 * PMTU, 0, i);
		cr_assert_eq(rig_run(rig), 0, "packet %u", i);
		cr_assert_eq(rc_qp_deadline(rig->peer.qp), rig->peer.now_ns + interval_ns);
	}
	cr_assert_eq(rig_counters(rig)->retries_implied, 1);
	cr_assert_eq(rig_counters(rig)->retries_timeout, 0);
	cr_assert_eq(rig_counters(rig)->rx_duplicate_responses, 5);

	/* The timer expires if no new response arrives. Duplicates do not restart it. */
	rig->peer.now_ns += interval_ns - 1;
	respond(rig, RIG_PSN, 8 * PMTU, 0, 7);
	respond(rig, RIG_PSN, 8 * PMTU, 0, 4);
	cr_assert_eq(rig_counters(rig)->rx_duplicate_responses, 7);
	cr_assert_eq(rig_run(rig), 0);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), rig->peer.now_ns + 1);
	rig->peer.now_ns += 1;
	rig_progress(rig);
	expect_read(rig, RIG_PSN + 1, PMTU, 7 * PMTU);
	cr_assert_eq(rig_counters(rig)->retries_timeout, 1);
	for (uint32_t i = 1; i < 8; i++)
		respond(rig, RIG_PSN, 8 * PMTU, 0, i);
	rig_completed(rig, 1, RC_OK);
	cr_assert_arr_eq(rig->memory, source, 8 * PMTU);
	rig_stop(rig);
}

/*
 * Soft-RoCE answers a request for the rest of a READ with Middle and Last, even if the rest is one
 * packet.
 */
Test(response, suffix_answered_with_middle_and_last)
{
	struct rig *rig = start(rig_new());

	rig_post(rig, 1, RC_READ, 0, 3 * PMTU);
	rig_run(rig);
	respond(rig, RIG_PSN, 3 * PMTU, 0, 0);
	respond(rig, RIG_PSN, 3 * PMTU, 0, 2);
	rig_progress(rig);
	expect_read(rig, RIG_PSN + 1, PMTU, 2 * PMTU);
	respond(rig, RIG_PSN, 3 * PMTU, 0, 1); /* Middle */
	respond(rig, RIG_PSN, 3 * PMTU, 0, 2); /* Last */
	rig_completed(rig, 1, RC_OK);

	rig_post(rig, 2, RC_READ, 0, 2 * PMTU);
	rig_post(rig, 3, RC_SEND, 0, 0);
	rig_run(rig);
	respond(rig, RIG_PSN + 3, 2 * PMTU, 0, 0);
	rig_answer(rig, RIG_PSN + 5, RIG_ACK);
	rig_progress(rig);
	expect_read(rig, RIG_PSN + 4, PMTU, PMTU);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + 5);
	respond(rig, RIG_PSN + 3, 2 * PMTU, 0, 1); /* Last */
	rig_completed(rig, 2, RC_OK);
	rig_answer(rig, RIG_PSN + 5, RIG_ACK);
	rig_completed(rig, 3, RC_OK);

	/* Other peers answer a request for the last packet of a READ with Only. */
	rig_post(rig, 4, RC_READ, 0, 2 * PMTU);
	rig_run(rig);
	respond(rig, RIG_PSN + 6, 2 * PMTU, 0, 0);
	rig->peer.now_ns++;
	rig_post(rig, 5, RC_READ, 0, 0);
	rig_run(rig);
	respond(rig, RIG_PSN + 8, 0, 0, 0);
	rig_progress(rig);
	expect_read(rig, RIG_PSN + 7, PMTU, PMTU);
	expect_read(rig, RIG_PSN + 8, 0, 0);
	respond(rig, RIG_PSN + 6, 2 * PMTU, 1, 1); /* Only */
	respond(rig, RIG_PSN + 8, 0, 0, 0);
	rig_completed(rig, 4, RC_OK);
	rig_completed(rig, 5, RC_OK);
	rig_stop(rig);
}

/* RC-073, RC-074: a response with the expected PSN but wrong opcode or length is a fatal error. */
static void
check_bad(uint32_t bytes, uint32_t good, uint8_t opcode, uint16_t payload_bytes, uint8_t syndrome)
{
	struct rig *rig = start(rig_new());

	rig_post(rig, 1, RC_READ, RC_SILENT, bytes);
	rig_post(rig, 2, RC_SEND, 0, 8);
	rig_run(rig);
	for (uint32_t i = 0; i < good; i++)
		respond(rig, RIG_PSN, bytes, 0, i);
	rc_peer_inject(&rig->peer,
		&(struct wire_headers){
			.bth = {.opcode = opcode, .psn = RIG_PSN + good},
			.aeth = {.syndrome = syndrome},
		},
		source, payload_bytes);
	rig_completed(rig, 1, RC_BAD_RESPONSE);
	rig_completed(rig, 2, RC_FLUSHED);
	rig_in_error(rig, RC_BAD_RESPONSE);
	rig_stop(rig);
}

#define TEST_BAD(name, ...)                                                                        \
	Test(response, name##_is_bad)                                                              \
	{                                                                                          \
		check_bad(__VA_ARGS__);                                                            \
	}

TEST_BAD(middle_at_the_start, 3 * PMTU, 0, MIDDLE, PMTU, RIG_ACK)
TEST_BAD(last_at_the_start, 3 * PMTU, 0, LAST, PMTU, RIG_ACK)
TEST_BAD(only_at_the_start_of_many, 3 * PMTU, 0, ONLY, PMTU, RIG_ACK)
TEST_BAD(last_for_only, PMTU, 0, LAST, PMTU, RIG_ACK)
TEST_BAD(first_for_only, PMTU, 0, FIRST, PMTU, RIG_ACK)
TEST_BAD(first_in_the_middle, 3 * PMTU, 1, FIRST, PMTU, RIG_ACK)
TEST_BAD(last_in_the_middle, 3 * PMTU, 1, LAST, PMTU, RIG_ACK)
TEST_BAD(middle_at_the_end, 3 * PMTU, 2, MIDDLE, PMTU, RIG_ACK)
TEST_BAD(only_at_the_end, 3 * PMTU, 2, ONLY, PMTU, RIG_ACK)
TEST_BAD(short_first, 3 * PMTU, 0, FIRST, PMTU - 4, RIG_ACK)
TEST_BAD(short_last, 3 * PMTU, 2, LAST, PMTU - 1, RIG_ACK)
TEST_BAD(long_last, 2 * PMTU + 5, 2, LAST, 6, RIG_ACK)
TEST_BAD(empty_last, 2 * PMTU + 5, 2, LAST, 0, RIG_ACK)
TEST_BAD(payload_for_nothing, 0, 0, ONLY, 4, RIG_ACK)
TEST_BAD(nak_in_a_response, 2 * PMTU, 0, FIRST, PMTU, WIRE_NAK_REMOTE_ACCESS)

/*
 * A READ response with the PSN of a SEND ends the queue pair if the SEND is the oldest request.
 * Otherwise the response is dropped.
 */
Test(response, read_response_for_send)
{
	struct rig *rig = start(rig_new());

	rig_post(rig, 1, RC_SEND, 0, 8);
	rig_post(rig, 2, RC_SEND, 0, 8);
	rig_run(rig);
	rig_read_response(rig, ONLY, RIG_PSN + 1, source, 8);
	cr_assert_eq(rig_counters(rig)->drop_ghost, 1);
	rig_not_completed(rig);
	rig_read_response(rig, ONLY, RIG_PSN, source, 8);
	rig_completed(rig, 1, RC_BAD_RESPONSE);
	rig_completed(rig, 2, RC_FLUSHED);
	rig_stop(rig);
}

/*
 * RC-075: an ATOMIC Acknowledge with the PSN of a READ ends the queue pair if the READ is the
 * oldest request. Otherwise the response is dropped.
 */
Test(response, atomic_acknowledge_of_read)
{
	struct rig *rig = start(rig_new());

	rig_post(rig, 1, RC_READ, 0, 8);
	rig_post(rig, 2, RC_READ, 0, 8);
	rig_run(rig);
	rig_read_response(rig, WIRE_RC_ATOMIC_ACKNOWLEDGE, RIG_PSN + 1, NULL, 0);
	cr_assert_eq(rig_counters(rig)->drop_ghost, 1);
	rig_not_completed(rig);
	rig_read_response(rig, WIRE_RC_ATOMIC_ACKNOWLEDGE, RIG_PSN, NULL, 0);
	rig_completed(rig, 1, RC_BAD_RESPONSE);
	rig_completed(rig, 2, RC_FLUSHED);
	rig_in_error(rig, RC_BAD_RESPONSE);
	rig_stop(rig);
}

Test(response, sink_gone_fails_locally)
{
	struct rig *rig = start(rig_new());
	uint64_t token;

	rig_post(rig, 1, RC_READ, 0, 3 * PMTU);
	rig_post(rig, 2, RC_SEND, 0, 0);
	rig_run(rig);
	respond(rig, RIG_PSN, 3 * PMTU, 0, 0);
	cr_assert_eq(mem_region_deregister(rig->peer.mem, rig->region, &token), RC_OK);
	respond(rig, RIG_PSN, 3 * PMTU, 0, 1);
	rig_completed(rig, 1, RC_LOCAL_PROTECTION);
	rig_completed(rig, 2, RC_FLUSHED);
	rig_in_error(rig, RC_LOCAL_PROTECTION);
	cr_assert_arr_neq(rig->memory + PMTU, source + PMTU, PMTU);
	rig_stop(rig);
}

Test(response, read_into_read_only_memory_not_asked_for)
{
	struct rig *rig = start(rig_new());
	struct mem_sge sge = {.address = 0, .length_bytes = 8};
	struct rc_send_wr wr;

	sge.region = rc_peer_region(&rig->peer, source, sizeof(source), 0, MEM_REMOTE_READ);
	wr = rig_request(rig, 1, RC_READ, &sge);
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	cr_assert_eq(rig_run(rig), 0);
	rig_completed(rig, 1, RC_LOCAL_PROTECTION);
	rig_stop(rig);
}

/* Q21: between READ responses, a NAK may arrive that has the PSN of a missing response. */
Test(response, nak_in_the_middle_of_a_read)
{
	struct rig *rig = start(rig_new());

	rig_post(rig, 1, RC_READ, 0, 3 * PMTU);
	rig_run(rig);
	respond(rig, RIG_PSN, 3 * PMTU, 0, 0);
	rig_answer(rig, RIG_PSN + 1, WIRE_NAK_REMOTE_ACCESS);
	rig_completed(rig, 1, RC_REMOTE_ACCESS);
	rig_in_error(rig, RC_REMOTE_ACCESS);
	rig_stop(rig);
}

/*
 * B-022: a WRITE, a READ and a WRITE are sent, and the peer acknowledges only the last WRITE. So
 * the READ is retried.
 */
Test(response, ack_beyond_unanswered_read_retries_it)
{
	struct rig *rig = start(rig_new());

	rig_post(rig, 1, RC_WRITE, 0, 8);
	rig_post(rig, 2, RC_READ, 0, 8);
	rig_post(rig, 3, RC_WRITE, 0, 8);
	rig_post(rig, 4, RC_WRITE, 0, 8);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 2, RIG_ACK);
	rig_completed(rig, 1, RC_OK);
	rig_not_completed(rig);
	/* the gap has already caused one go-back, so this ACK causes none */
	rig_answer(rig, RIG_PSN + 3, RIG_ACK);
	cr_assert_eq(rig_counters(rig)->retries_implied, 1);
	cr_assert_eq(rig_requester(rig)->retries_left, 2);
	rig_progress(rig);
	expect_read(rig, RIG_PSN + 1, 0, 8);
	rig_expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN + 2);
	rig_expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN + 3);
	rc_peer_expect_silence(&rig->peer);
	respond(rig, RIG_PSN + 1, 8, 0, 0);
	rig_completed(rig, 2, RC_OK);
	rig_answer(rig, RIG_PSN + 3, RIG_ACK);
	rig_completed(rig, 3, RC_OK);
	rig_completed(rig, 4, RC_OK);
	cr_assert_eq(rig_requester(rig)->retries_left, 3);
	rig_stop(rig);
}

/*
 * B-023, B-024: responses of a READ are lost again and again at different places. The PSN from
 * which the READ is requested never decreases.
 */
Test(response, read_losses_at_many_places)
{
	struct rig *rig = start(rig_new());
	uint32_t bytes = 64 * PMTU - 3, from = 0, lost = 0, rounds = 0;

	rig_post(rig, 1, RC_READ, 0, bytes);
	rig_progress(rig);
	expect_read(rig, RIG_PSN, 0, bytes);
	while (lost < 63) {
		lost = RTE_MIN(from + (rounds * 7) % 5 + 1, 63u);
		for (uint32_t i = from; i < 64; i++) {
			if (i != lost)
				respond(rig, RIG_PSN, bytes, from, i);
		}
		rig_progress(rig);
		if (lost == 63)
			break; /* no later response shows this loss */
		expect_read(rig, RIG_PSN + lost, lost * PMTU, bytes - lost * PMTU);
		rc_peer_expect_silence(&rig->peer);
		from = lost;
		rounds++;
	}
	cr_assert_gt(rounds, 10, "%u rounds", rounds);
	respond(rig, RIG_PSN, bytes, from, 63);
	rig_completed(rig, 1, RC_OK);
	cr_assert_arr_eq(rig->memory, source, bytes);
	cr_assert_eq(rig_counters(rig)->retries_implied, rounds);
	rig_stop(rig);
}

/*
 * RC-072, RC-096: one retry counter counts both implied NAKs (a later answer shows a loss) and
 * timeouts, as long as there is no progress.
 */
Test(response, implied_naks_without_progress_exceed_retries)
{
	struct rig *rig = rig_new();
	uint64_t interval_ns = base_timeout_ns(8);

	rig->options.connect.ack_timeout = 8;
	start(rig);
	rig_post(rig, 1, RC_READ, 0, 2 * PMTU);
	rig_post(rig, 2, RC_READ, 0, 2 * PMTU);
	rig_run(rig);
	for (int i = 0; i < 2; i++) {
		respond(rig, RIG_PSN + 2, 2 * PMTU, 0, 0);
		cr_assert_eq(rig_run(rig), 2);
		/* This response is dropped, because its PSN was requested again. */
		respond(rig, RIG_PSN + 2, 2 * PMTU, 0, 0);
		cr_assert_eq(rig_run(rig), 0);
		cr_assert_eq(rig_requester(rig)->retries_left, 2 - 2 * i);
		rig_not_completed(rig);
		rig->peer.now_ns += interval_ns << i;
		cr_assert_eq(rig_run(rig), i == 0 ? 2 : 0);
	}
	rig_completed(rig, 1, RC_RETRY_EXCEEDED);
	rig_completed(rig, 2, RC_FLUSHED);
	rig_in_error(rig, RC_RETRY_EXCEEDED);
	rig_stop(rig);
}
