/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "support/eal.h"
#include "rc/payload.h"
#include "support/rc_peer.h"

/* Test READ responses: their packets, order, number per call, invalidated keys, duplicates. */

#define PMTU      1024
#define BASE      UINT64_C(0x100000)
#define AREA      (1u << 20)
#define FIRST_PSN RC_PEER_PSN

struct bench {
	struct rc_peer peer;
	struct mem_region *region;
	uint8_t *memory;
};

static struct bench b;

static void
start_with(const struct rc_peer_options *options)
{
	b = (struct bench){.memory = malloc(AREA)};
	rc_peer_pattern(b.memory, AREA, 11);
	rc_peer_start(&b.peer, options);
	b.region = rc_peer_region(&b.peer, b.memory, AREA, BASE,
		MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE);
}

static void
start(void)
{
	start_with(NULL);
}

static void
stop(void)
{
	rc_peer_stop(&b.peer);
	free(b.memory);
}

static void
read_request(uint32_t psn, uint64_t offset, uint32_t bytes)
{
	rc_peer_read(&b.peer, psn,
		&(struct wire_reth_value){
			.address = BASE + offset,
			.rkey = mem_region_key(b.region),
			.length_bytes = bytes,
		});
}

static void
write_request(uint32_t psn)
{
	rc_peer_write(&b.peer, WIRE_RC_WRITE_ONLY, psn,
		&(struct wire_reth_value){
			.address = BASE + AREA - 8,
			.rkey = mem_region_key(b.region),
			.length_bytes = 8,
		},
		"12345678", 8);
}

static void
expect_response(uint32_t psn, uint64_t offset, uint32_t bytes, uint32_t msn)
{
	uint32_t pmtu = b.peer.connect.pmtu_bytes;
	uint32_t count = bytes == 0 ? 1 : (bytes + pmtu - 1) / pmtu;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t piece = RTE_MIN(bytes - i * pmtu, pmtu);
		uint8_t opcode = count == 1 ? WIRE_RC_READ_RESPONSE_ONLY
			: i == 0            ? WIRE_RC_READ_RESPONSE_FIRST
			: i == count - 1    ? WIRE_RC_READ_RESPONSE_LAST
					    : WIRE_RC_READ_RESPONSE_MIDDLE;
		struct rc_peer_packet packet;

		if (b.peer.taken == b.peer.ctx.packet_count)
			rc_peer_progress(&b.peer);
		cr_assert(rc_peer_next(&b.peer, &packet), "packet %u of %u is missing", i, count);
		cr_assert_eq(packet.view.bth.opcode, opcode, "packet %u of %u: %s", i, count,
			packet.view.traits->name);
		cr_assert_eq(packet.view.bth.psn, psn_add(psn, i), "PSN 0x%06x, 0x%06x expected",
			packet.view.bth.psn, psn_add(psn, i));
		cr_assert_eq(packet.view.payload_bytes, piece);
		cr_assert_arr_eq(packet.payload, b.memory + offset + i * pmtu, piece);
		if (packet.view.traits->has_aeth) {
			cr_assert_eq(packet.view.aeth.syndrome, WIRE_SYNDROME_ACK);
			cr_assert_eq(packet.view.aeth.msn, msn);
		}
	}
}

/* RC-005, RC-073: test READ sizes around multiples of each PMTU, including sizes with pad bytes. */
Test(read_response, sizes_cut_rc073)
{
	static const uint16_t pmtus[] = {256, 512, 1024, 2048, 4096};

	for (unsigned m = 0; m < RTE_DIM(pmtus); m++) {
		uint32_t pmtu = pmtus[m];
		const uint32_t sizes[] = {
			0, 1, 3, pmtu - 1, pmtu, pmtu + 1, 2 * pmtu, 2 * pmtu + 2, 65536};
		struct rc_peer_options options;
		uint32_t psn = FIRST_PSN;

		rc_peer_defaults(&options);
		options.connect.pmtu_bytes = pmtus[m];
		start_with(&options);
		for (unsigned i = 0; i < RTE_DIM(sizes); i++) {
			read_request(psn, 5 * i, sizes[i]);
			expect_response(psn, 5 * i, sizes[i], i + 1);
			rc_peer_expect_silence(&b.peer);
			psn += RTE_MAX(1u, (sizes[i] + pmtu - 1) / pmtu);
			cr_assert_eq(b.peer.qp->responder.expected_psn, psn, "RC-040");
		}
		stop();
	}
}

/* SEC-047: each call sends a limited number of responses. The next call continues. */
Test(read_response, long_read_resumable_within_budget_sec047)
{
	start();
	read_request(FIRST_PSN, 0, AREA);
	cr_assert(rc_peer_progress(&b.peer));
	cr_assert_eq(b.peer.ctx.packet_count, RC_READ_BUDGET);
	expect_response(FIRST_PSN, 0, AREA, 1);
	cr_assert_not(rc_peer_progress(&b.peer));
	rc_peer_expect_silence(&b.peer);
	stop();
}

/*
 * With the smallest PMTU, the largest READ has 2^23 PSNs. This test checks only the first
 * responses.
 */
Test(read_response, largest_read_accepted)
{
	struct rc_peer_options options;
	struct rc_peer_packet packet;
	struct mem_buffer buffers[64];
	struct mem_region *region;
	uint8_t *chunk = malloc(32u << 20);

	rc_peer_defaults(&options);
	options.connect.pmtu_bytes = 256;
	start_with(&options);
	for (unsigned i = 0; i < 64; i++)
		buffers[i] = (struct mem_buffer){.address = chunk, .length_bytes = 32u << 20};
	cr_assert_eq(
		mem_region_register(b.peer.mem,
			&(struct mem_region_attr){
				.buffers = buffers, .buffer_count = 64, .rights = MEM_REMOTE_READ},
			&region),
		RC_OK);
	rc_peer_read(&b.peer, FIRST_PSN,
		&(struct wire_reth_value){
			.rkey = mem_region_key(region), .length_bytes = 0x80000000u});
	cr_assert_eq(b.peer.qp->responder.expected_psn, psn_add(FIRST_PSN, 1 << 23));
	cr_assert(rc_peer_progress(&b.peer));
	cr_assert(rc_peer_next(&b.peer, &packet));
	cr_assert_eq(packet.view.bth.opcode, WIRE_RC_READ_RESPONSE_FIRST);
	rc_peer_drain(&b.peer);
	/* A duplicate of this READ is recognised, although its PSN is 2^23 older. */
	rc_peer_read(&b.peer, FIRST_PSN,
		&(struct wire_reth_value){
			.rkey = mem_region_key(region), .length_bytes = 0x80000000u});
	cr_assert_eq(b.peer.ctx.counters.rx_duplicates, 1);
	cr_assert_eq(b.peer.ctx.counters.drop_duplicate_read, 0);
	stop();
	free(chunk);
}

/*
 * RC-060: requests after a READ are acknowledged after the last response of the READ, even if the
 * responses take several calls.
 */
Test(read_response, acknowledgement_waits_for_responses_rc060)
{
	uint32_t count = 100;

	start();
	write_request(FIRST_PSN);
	read_request(FIRST_PSN + 1, 0, count * PMTU);
	write_request(FIRST_PSN + 1 + count);
	cr_assert(rc_peer_progress(&b.peer));
	expect_response(FIRST_PSN + 1, 0, count * PMTU, 2);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 1 + count);
	stop();
}

/* RC-060: a NAK of any kind is sent after the responses of an earlier READ. */
Test(read_response, naks_wait_for_responses_rc060)
{
	uint32_t count = 70;

	start();
	read_request(FIRST_PSN, 0, count * PMTU);
	write_request(FIRST_PSN + count + 1);
	cr_assert(rc_peer_progress(&b.peer));
	expect_response(FIRST_PSN, 0, count * PMTU, 1);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_SEQUENCE, FIRST_PSN + count);
	stop();

	start();
	read_request(FIRST_PSN, 0, count * PMTU);
	rc_peer_send(&b.peer, WIRE_RC_SEND_ONLY, FIRST_PSN + count, "abcd", 4);
	cr_assert(rc_peer_progress(&b.peer));
	expect_response(FIRST_PSN, 0, count * PMTU, 1);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_RNR | 12, FIRST_PSN + count);
	stop();

	start();
	read_request(FIRST_PSN, 0, count * PMTU);
	read_request(FIRST_PSN + count, AREA, 1);
	cr_assert(rc_peer_progress(&b.peer));
	cr_assert_eq(b.peer.qp->state, RC_QP_RTS);
	expect_response(FIRST_PSN, 0, count * PMTU, 1);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_REMOTE_ACCESS, FIRST_PSN + count);
	cr_assert_eq(b.peer.qp->state, RC_QP_ERROR);
	stop();
}

Test(read_response, call_ends_behind_64_kb)
{
	struct rc_peer_options options;

	rc_peer_defaults(&options);
	options.connect.pmtu_bytes = 4096;
	start_with(&options);
	read_request(FIRST_PSN, 0, RC_BYTES_PER_CALL + 4096);
	cr_assert(rc_peer_progress(&b.peer));
	cr_assert_eq(b.peer.ctx.packet_count, RC_BYTES_PER_CALL / 4096);
	expect_response(FIRST_PSN, 0, RC_BYTES_PER_CALL + 4096, 1);
	rc_peer_expect_silence(&b.peer);
	stop();
}

/*
 * B-026, RC-159, SEC-014: the region is deregistered in the middle of a READ of 1 MB. Then the rest
 * of the READ is refused. RC-033: the NAK has the PSN of the first response that could not be
 * created.
 */
Test(read_response, region_dies_midway_nak_at_first_missing_b026)
{
	struct rc_peer_packet packet;
	uint64_t token;

	start();
	read_request(FIRST_PSN, 0, AREA);
	read_request(FIRST_PSN + AREA / PMTU, 0, 16);
	cr_assert(rc_peer_progress(&b.peer));
	for (unsigned i = 0; i < RC_READ_BUDGET; i++)
		cr_assert(rc_peer_next(&b.peer, &packet));
	cr_assert_eq(mem_region_deregister(b.peer.mem, b.region, &token), RC_OK);
	memset(b.memory, 0xEE, AREA);
	cr_assert_not(rc_peer_progress(&b.peer));
	rc_peer_expect_ack(&b.peer, WIRE_NAK_REMOTE_ACCESS, FIRST_PSN + RC_READ_BUDGET);
	cr_assert_eq(b.peer.qp->state, RC_QP_ERROR);
	cr_assert_eq(b.peer.qp->error, RC_REMOTE_ACCESS);
	cr_assert_eq(b.peer.ctx.counters.refused[MEM_REFUSED_KEY], 1);
	cr_assert_eq(b.peer.event_refused_count, 1);
	stop();
}

/* RC-057, SEC-015: a duplicate READ is refused if its memory was deregistered. */
Test(read_response, duplicate_after_deregistration_refused_sec015)
{
	uint64_t token;

	start();
	read_request(FIRST_PSN, 0, 3 * PMTU);
	rc_peer_progress(&b.peer);
	cr_assert_eq(rc_peer_drain(&b.peer), 3);
	cr_assert_eq(mem_region_deregister(b.peer.mem, b.region, &token), RC_OK);
	read_request(FIRST_PSN, 0, 3 * PMTU);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_REMOTE_ACCESS, FIRST_PSN);
	cr_assert_eq(b.peer.event_refused_count, 0, "a repetition is no guess");
	stop();
}

/* Send a READ of a separate region, which a test can deregister without affecting other READs. */
static void
doomed_read(uint32_t psn, uint32_t rkey, uint32_t bytes)
{
	rc_peer_read(&b.peer, psn,
		&(struct wire_reth_value){.address = 0, .rkey = rkey, .length_bytes = bytes});
}

/*
 * RC-057: the refusal of a duplicate READ does not end the queue pair, however often the duplicate
 * arrives and whichever part of the READ it requests. Valid requests and duplicates are still
 * answered.
 */
Test(read_response, refused_duplicate_leaves_the_queue_pair_alive_rc057)
{
	static uint8_t memory[3 * PMTU];
	struct mem_region *doomed;
	uint32_t rkey, rounds;
	uint64_t token;

	start();
	doomed = rc_peer_region(&b.peer, memory, sizeof(memory), 0, MEM_REMOTE_READ);
	rkey = mem_region_key(doomed);
	read_request(FIRST_PSN, 0, 2 * PMTU);
	doomed_read(FIRST_PSN + 2, rkey, sizeof(memory));
	expect_response(FIRST_PSN, 0, 2 * PMTU, 1);
	cr_assert_eq(rc_peer_drain(&b.peer), 3);
	cr_assert_eq(mem_region_deregister(b.peer.mem, doomed, &token), RC_OK);
	/* Send more duplicates than the responder stores. */
	for (rounds = 0; rounds < 10; rounds++) {
		doomed_read(FIRST_PSN + 2, rkey, sizeof(memory));
		cr_assert_not(rc_peer_progress(&b.peer));
		rc_peer_expect_ack(&b.peer, WIRE_NAK_REMOTE_ACCESS, FIRST_PSN + 2);
		cr_assert_eq(b.peer.qp->state, RC_QP_RTS, "after %u refusals", rounds + 1);
	}
	cr_assert_eq(b.peer.event_error_count, 0);
	cr_assert_eq(b.peer.ctx.counters.refused[MEM_REFUSED_KEY], rounds);
	cr_assert_eq(b.peer.ctx.counters.tx_naks_access, rounds);

	doomed_read(FIRST_PSN + 2, rkey, PMTU);
	read_request(FIRST_PSN, 0, 2 * PMTU);
	read_request(FIRST_PSN + 5, 4 * PMTU, 2 * PMTU);
	write_request(FIRST_PSN + 7);
	cr_assert_not(rc_peer_progress(&b.peer));
	cr_assert_eq(b.peer.ctx.counters.refused[MEM_REFUSED_KEY], rounds + 1);
	{
		struct rc_peer_packet packet;

		cr_assert(rc_peer_next(&b.peer, &packet));
		cr_assert_eq(packet.view.aeth.syndrome, WIRE_NAK_REMOTE_ACCESS);
		cr_assert_eq(packet.view.bth.psn, FIRST_PSN + 2);
	}
	expect_response(FIRST_PSN, 0, 2 * PMTU, 2);
	expect_response(FIRST_PSN + 5, 4 * PMTU, 2 * PMTU, 3);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN + 7);
	cr_assert_eq(b.peer.qp->state, RC_QP_RTS);
	cr_assert_eq(b.peer.event_refused_count, 0);
	/* A new READ with the invalid key is no duplicate, so its refusal ends the queue pair. */
	doomed_read(FIRST_PSN + 8, rkey, PMTU);
	rc_peer_progress(&b.peer);
	rc_peer_expect_ack(&b.peer, WIRE_NAK_REMOTE_ACCESS, FIRST_PSN + 8);
	cr_assert_eq(b.peer.qp->state, RC_QP_ERROR);
	cr_assert_eq(b.peer.event_refused_count, 1);
	stop();
}

/*
 * RC-057, B-025: the response to a duplicate READ has the original PSNs and the current memory
 * contents.
 */
Test(read_response, duplicate_replayed_rc057_b025)
{
	start();
	for (uint32_t round = 0; round < 4; round++) {
		read_request(FIRST_PSN, 64, 3 * PMTU + 1);
		expect_response(FIRST_PSN, 64, 3 * PMTU + 1, 1);
		rc_peer_expect_silence(&b.peer);
		rc_peer_pattern(b.memory, AREA, round);
	}
	cr_assert_eq(b.peer.qp->responder.expected_psn, FIRST_PSN + 4);
	cr_assert_eq(b.peer.qp->responder.msn, 1);
	cr_assert_eq(b.peer.ctx.counters.rx_duplicates, 3);
	stop();
}

/* RC-057: a duplicate READ may begin at any packet of the original READ, and may end earlier. */
Test(read_response, duplicate_parts_replayed_rc057)
{
	const uint32_t bytes = 5 * PMTU + 100;

	start();
	read_request(FIRST_PSN, 0, bytes);
	expect_response(FIRST_PSN, 0, bytes, 1);
	for (uint32_t first = 0; first < 6; first++)
		for (uint32_t last = first + 1; last <= 6; last++) {
			uint32_t end = RTE_MIN(last * PMTU, bytes);

			read_request(FIRST_PSN + first, first * PMTU, end - first * PMTU);
			expect_response(FIRST_PSN + first, first * PMTU, end - first * PMTU, 1);
		}
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.drop_duplicate_read, 0);
	stop();
}

/* RC-057: a duplicate READ is dropped if its PSN, address or length contradict the record. */
Test(read_response, duplicate_outside_record_dropped_rc057)
{
	static const struct {
		uint32_t psn_offset;
		uint64_t offset;
		uint32_t bytes;
		uint32_t key_change;
	} cases[] = {
		{0, 0, 4 * PMTU + 1, 0}, /* longer */
		{1, PMTU, 4 * PMTU, 0},  /* longer at the end */
		/* the PSN is 1 later, but the address is the original one */
		{1, 0, 3 * PMTU, 0},
		/* the PSN is the original one, but the address is 1 packet later */
		{0, PMTU, PMTU, 0},
		{1, PMTU + 1, PMTU, 0}, /* the address is not at a packet boundary */
		{0, 0, 4 * PMTU, 1},    /* other key */
		{0, 0, 0, 0},           /* length 0 instead of 4 packets */
		{4, 4 * PMTU, PMTU, 0}, /* the PSN belongs to the WRITE after the READ */
	};

	start();
	read_request(FIRST_PSN, 0, 4 * PMTU);
	write_request(FIRST_PSN + 4);
	rc_peer_progress(&b.peer);
	rc_peer_drain(&b.peer);
	for (unsigned i = 0; i < RTE_DIM(cases); i++) {
		rc_peer_read(&b.peer, FIRST_PSN + cases[i].psn_offset,
			&(struct wire_reth_value){
				.address = BASE + cases[i].offset,
				.rkey = mem_region_key(b.region) ^ cases[i].key_change,
				.length_bytes = cases[i].bytes,
			});
		rc_peer_progress(&b.peer);
		rc_peer_expect_silence(&b.peer);
		cr_assert_eq(b.peer.ctx.counters.drop_duplicate_read, i + 1, "case %u", i);
	}
	cr_assert_eq(b.peer.qp->state, RC_QP_RTS);
	stop();
}

/* If the last packet of a READ is short, the PSN after it does not belong to the READ. */
Test(read_response, psn_behind_short_read_is_not_its_own_rc057)
{
	start();
	read_request(FIRST_PSN, 0, 3 * PMTU + 1);
	write_request(FIRST_PSN + 4);
	rc_peer_progress(&b.peer);
	rc_peer_drain(&b.peer);
	read_request(FIRST_PSN + 4, 4 * PMTU, PMTU);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.drop_duplicate_read, 1);
	stop();
}

/*
 * RC-059: a connection records as many READs as it has READ resources. A new READ replaces the
 * oldest record. Then duplicates of the replaced READ are dropped.
 */
Test(read_response, record_gone_duplicate_dropped_rc059)
{
	start();
	for (uint32_t i = 0; i < 5; i++) {
		read_request(FIRST_PSN + i, i, 1);
		expect_response(FIRST_PSN + i, i, 1, i + 1);
	}
	read_request(FIRST_PSN, 0, 1);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.drop_duplicate_read, 1);
	for (uint32_t i = 1; i < 5; i++) {
		read_request(FIRST_PSN + i, i, 1);
		expect_response(FIRST_PSN + i, i, 1, 5);
	}
	stop();
}

/* After the PSNs wrapped, a duplicate with an old PSN matches no record from before the wrap. */
Test(read_response, record_of_previous_lap_not_found)
{
	start();
	read_request(FIRST_PSN, 0, 1);
	expect_response(FIRST_PSN, 0, 1, 1);
	b.peer.qp->responder.position += UINT64_C(1) << 24; /* as after 2^24 SENDs */
	read_request(FIRST_PSN, 0, 1);
	rc_peer_progress(&b.peer);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.drop_duplicate_read, 1);
	stop();
}

/* SEC-025: few answers to duplicate READs may be pending, and they use no READ resources. */
Test(read_response, replays_bounded_sec025)
{
	start();
	read_request(FIRST_PSN, 0, 64 * PMTU);
	rc_peer_progress(&b.peer);
	rc_peer_drain(&b.peer);
	for (uint32_t i = 0; i < 50; i++)
		read_request(FIRST_PSN + i, i * PMTU, (64 - i) * PMTU);
	cr_assert_eq(b.peer.ctx.counters.drop_duplicate_read, 46);
	for (uint32_t i = 0; i < 4; i++)
		read_request(FIRST_PSN + 64 + i, 0, 8);
	for (uint32_t i = 0; i < 4; i++)
		expect_response(FIRST_PSN + i, i * PMTU, (64 - i) * PMTU, 1);
	for (uint32_t i = 0; i < 4; i++)
		expect_response(FIRST_PSN + 64 + i, 0, 8, 2 + i);
	rc_peer_expect_silence(&b.peer);
	stop();
}

Test(read_response, duplicate_of_waiting_read_answered_once)
{
	start();
	read_request(FIRST_PSN, 0, 2 * PMTU);
	read_request(FIRST_PSN, 0, 2 * PMTU);
	rc_peer_progress(&b.peer);
	expect_response(FIRST_PSN, 0, 2 * PMTU, 1);
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(b.peer.ctx.counters.rx_duplicates, 1);
	stop();
}

/* RC-061: the ACK for a duplicate WRITE is sent after the pending READ responses. */
Test(read_response, duplicate_write_acknowledged_behind_sequence_rc061)
{
	start();
	write_request(FIRST_PSN);
	read_request(FIRST_PSN + 1, 0, 100 * PMTU);
	cr_assert(rc_peer_progress(&b.peer));
	write_request(FIRST_PSN);
	expect_response(FIRST_PSN + 1, 0, 100 * PMTU, 2);
	rc_peer_expect_ack(&b.peer, WIRE_SYNDROME_ACK, FIRST_PSN);
	stop();
}

/*
 * RC-050: if no packet buffer is free in the middle of the responses, a later call continues with
 * the next response.
 */
Test(read_response, pool_empty_midway_resumes)
{
	struct rte_mbuf *taken[64];
	struct rc_peer_options options;
	struct rc_peer_packet packet;

	rc_peer_defaults(&options);
	options.pool_mbufs = 63;
	start_with(&options);
	read_request(FIRST_PSN, 0, 10 * PMTU);
	cr_assert_eq(rte_pktmbuf_alloc_bulk(b.peer.pool, taken, 60), 0);
	cr_assert(rc_peer_progress(&b.peer));
	cr_assert_eq(b.peer.ctx.packet_count, 3);
	cr_assert_eq(b.peer.ctx.counters.drop_no_mbuf, 1);
	for (uint32_t i = 0; i < 3; i++) {
		cr_assert(rc_peer_next(&b.peer, &packet));
		cr_assert_eq(packet.view.bth.psn, FIRST_PSN + i);
	}
	rte_pktmbuf_free_bulk(taken, 60);
	cr_assert_not(rc_peer_progress(&b.peer));
	for (uint32_t i = 3; i < 10; i++) {
		cr_assert(rc_peer_next(&b.peer, &packet));
		cr_assert_eq(packet.view.bth.psn, FIRST_PSN + i);
		cr_assert_arr_eq(packet.payload, b.memory + i * PMTU, PMTU);
	}
	rc_peer_expect_silence(&b.peer);
	stop();
}

/* RC-059: when the queue pair enters state ERROR, it discards pending responses without sending. */
Test(read_response, error_discards_jobs)
{
	start();
	read_request(FIRST_PSN, 0, AREA);
	rc_peer_progress(&b.peer);
	rc_peer_drain(&b.peer);
	rc_qp_error(b.peer.qp, RC_FLUSHED);
	cr_assert_not(rc_peer_progress(&b.peer));
	rc_peer_expect_silence(&b.peer);
	cr_assert_eq(rc_qp_deadline(b.peer.qp), BASE_TIME_NEVER);
	stop();
}
