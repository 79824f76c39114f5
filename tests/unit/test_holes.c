/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "rc/holes.h"
#include "requester_rig.h"

/*
 * Test RC-113: the map of READ responses that arrive after a gap, and what the requester does with
 * it. The test sends the responses of the peer. Each payload byte of a response is the response's
 * index + 1.
 */

#define PMTU 1024u

/* ---- the map ---- */

Test(holes, map_over_the_wrap_of_psns)
{
	static struct rc_hole_maps maps;
	struct rc_holes *holes = rc_holes_take(&maps);
	uint32_t first = 0xFFFFF0;

	for (uint32_t i = 4; i < 40; i++)
		rc_holes_set(holes, psn_add(first, i));
	cr_assert_eq(rc_holes_run(holes, first, 1000), 4, "missing");
	cr_assert_eq(rc_holes_run(holes, first, 3), 3);
	cr_assert_eq(rc_holes_run(holes, psn_add(first, 4), RC_HOLE_BITS), 36, "there");
	cr_assert_eq(holes->count, 36);
	rc_holes_pass(holes, first, 10);
	cr_assert_eq(holes->count, 30);
	cr_assert_not(rc_holes_has(holes, psn_add(first, 9)));
	cr_assert(rc_holes_has(holes, psn_add(first, 10)));
	rc_holes_pass(holes, psn_add(first, 10), 1u << 22);
	cr_assert_eq(holes->count, 0);
	cr_assert_eq(rc_holes_run(holes, 5, 1u << 22), 1u << 22, "all is missing");
	rc_holes_give(&maps, holes);
	cr_assert_eq(maps.taken, 0);
}

Test(holes, maps_are_bounded)
{
	static struct rc_hole_maps maps;
	struct rc_holes *last = NULL;

	for (unsigned i = 0; i < RC_HOLE_MAPS; i++)
		cr_assert_not_null(last = rc_holes_take(&maps));
	rc_holes_set(last, 7);
	cr_assert_null(rc_holes_take(&maps));
	rc_holes_give(&maps, last);
	/*
	 * A failed queue pair returns its map with bits set. The next user must get an empty map.
	 */
	cr_assert_eq(rc_holes_take(&maps), last);
	cr_assert_eq(last->count, 0);
	cr_assert_not(rc_holes_has(last, 7));
}

/* ---- the requester ---- */

static struct rig *
selective(void)
{
	struct rig *rig = rig_new();

	rig->options.connect.ack_timeout = 14;
	rig->options.connect.selective = true;
	rig->options.connect.retry_count = 7;
	rig_start(rig);
	return rig;
}

static void
respond(struct rig *rig, uint8_t opcode, uint32_t index)
{
	uint8_t payload[PMTU];

	memset(payload, (int)(index + 1), sizeof(payload));
	rig_read_response(rig, opcode, RIG_PSN + index, payload, sizeof(payload));
}

static void
middles(struct rig *rig, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		respond(rig, WIRE_RC_READ_RESPONSE_MIDDLE, i);
}

static void
expect_part(struct rig *rig, uint32_t index, uint32_t packets)
{
	const struct wire_view *view = rig_expect(rig, WIRE_RC_READ_REQUEST, RIG_PSN + index);

	cr_assert_eq(view->reth.address, RIG_REMOTE + index * PMTU);
	cr_assert_eq(view->reth.length_bytes, packets * PMTU, "%u packets, %u expected",
		view->reth.length_bytes / PMTU, packets);
}

static void
expect_memory(struct rig *rig, uint32_t packets)
{
	for (uint32_t i = 0; i < packets * PMTU; i++)
		cr_assert_eq(rig->memory[i], (uint8_t)(i / PMTU + 1), "byte %u", i);
}

/*
 * RC-113: responses after the hole (missing responses) are kept. Only the hole is requested again.
 */
Test(holes, only_the_hole_is_asked_for)
{
	struct rig *rig = selective();

	rig_post(rig, 1, RC_READ, 0, 10 * PMTU);
	rig_run(rig);
	respond(rig, WIRE_RC_READ_RESPONSE_FIRST, 0);
	middles(rig, 3, 9);
	respond(rig, WIRE_RC_READ_RESPONSE_LAST, 9);
	rig_progress(rig);
	expect_part(rig, 1, 2);
	rc_peer_expect_silence(&rig->peer);
	rig_not_completed(rig);
	respond(rig, WIRE_RC_READ_RESPONSE_FIRST, 1);
	respond(rig, WIRE_RC_READ_RESPONSE_LAST, 2);
	rig_completed(rig, 1, RC_OK);
	expect_memory(rig, 10);
	cr_assert_eq(rig_counters(rig)->holes_asked, 1);
	cr_assert_eq(rig_counters(rig)->retries_implied, 0);
	cr_assert_eq(rig->peer.ctx.hole_maps.taken, 0, "the map is free again");
	cr_assert_eq(rig_run(rig), 0);
	rig_stop(rig);
}

/* RC-113: if the hole is just before the newest response, this response is not requested again. */
Test(holes, newest_response_behind_the_hole_is_kept)
{
	struct rig *rig = selective();

	rig_post(rig, 1, RC_READ, 0, 3 * PMTU);
	rig_run(rig);
	respond(rig, WIRE_RC_READ_RESPONSE_FIRST, 0);
	respond(rig, WIRE_RC_READ_RESPONSE_LAST, 2);
	rig_progress(rig);
	expect_part(rig, 1, 1);
	respond(rig, WIRE_RC_READ_RESPONSE_ONLY, 1);
	rig_completed(rig, 1, RC_OK);
	expect_memory(rig, 3);
	cr_assert_eq(rig->peer.ctx.hole_maps.taken, 0, "the map is free again");
	cr_assert_eq(rig_run(rig), 0);
	rig_stop(rig);
}

/* RC-113, Q8: the requester requests one hole at a time, in ascending order. */
Test(holes, holes_are_repaired_in_ascending_order)
{
	struct rig *rig = selective();

	rig_post(rig, 1, RC_READ, 0, 10 * PMTU);
	rig_run(rig);
	respond(rig, WIRE_RC_READ_RESPONSE_FIRST, 0);
	middles(rig, 2, 5);
	middles(rig, 6, 8);
	rig_progress(rig);
	expect_part(rig, 1, 1);
	rc_peer_expect_silence(&rig->peer);
	respond(rig, WIRE_RC_READ_RESPONSE_ONLY, 1);
	rig_progress(rig);
	expect_part(rig, 5, 1);
	rc_peer_expect_silence(&rig->peer);
	middles(rig, 8, 9);
	respond(rig, WIRE_RC_READ_RESPONSE_LAST, 9);
	/* Soft-RoCE answers a request for a part of a READ with Last, not with First or Only. */
	respond(rig, WIRE_RC_READ_RESPONSE_LAST, 5);
	rig_completed(rig, 1, RC_OK);
	expect_memory(rig, 10);
	rig_stop(rig);
}

/*
 * The responses of the middle one of several READs are lost. The later READ is not requested again.
 * All requests complete in order, even a SEND between the READs that only READ responses
 * acknowledge (RC-074).
 */
Test(holes, requests_complete_in_order)
{
	struct rig *rig = selective();

	rig_post(rig, 1, RC_READ, 0, PMTU);
	rig_post(rig, 2, RC_READ, 0, PMTU);
	rig_post(rig, 3, RC_SEND, 0, 8);
	rig_post(rig, 4, RC_READ, 0, PMTU);
	rig_post(rig, 5, RC_SEND, 0, 8);
	rig_run(rig);
	respond(rig, WIRE_RC_READ_RESPONSE_ONLY, 0);
	rig_completed(rig, 1, RC_OK);
	respond(rig, WIRE_RC_READ_RESPONSE_ONLY, 3);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_READ_REQUEST, RIG_PSN + 1);
	rc_peer_expect_silence(&rig->peer);
	rig_answer(rig, RIG_PSN + 4, RIG_ACK);
	rig_not_completed(rig);
	respond(rig, WIRE_RC_READ_RESPONSE_ONLY, 1);
	for (uintptr_t number = 2; number <= 5; number++)
		rig_completed(rig, number, RC_OK);
	cr_assert_eq(rig_run(rig), 0);
	cr_assert_eq(rc_qp_deadline(rig->peer.qp), BASE_TIME_NEVER);
	rig_stop(rig);
}

/*
 * RC-072: an ACK for a request after a READ implies that all responses of the READ are lost. The
 * missing responses form one hole.
 */
Test(holes, ack_behind_a_read_asks_for_it)
{
	struct rig *rig = selective();

	rig_post(rig, 1, RC_READ, 0, 3 * PMTU);
	rig_post(rig, 2, RC_SEND, 0, 8);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 3, RIG_ACK);
	rig_progress(rig);
	expect_part(rig, 0, 3);
	rc_peer_expect_silence(&rig->peer);
	respond(rig, WIRE_RC_READ_RESPONSE_FIRST, 0);
	middles(rig, 1, 2);
	respond(rig, WIRE_RC_READ_RESPONSE_LAST, 2);
	rig_completed(rig, 1, RC_OK);
	rig_completed(rig, 2, RC_OK);
	expect_memory(rig, 3);
	rig_stop(rig);
}

Test(holes, lost_answer_is_probed)
{
	struct rig *rig = selective();

	rig_post(rig, 1, RC_READ, 0, 6 * PMTU);
	rig_run(rig);
	middles(rig, 2, 5);
	respond(rig, WIRE_RC_READ_RESPONSE_LAST, 5);
	rig_progress(rig);
	expect_part(rig, 0, 2);
	rig->peer.now_ns = rc_qp_deadline(rig->peer.qp);
	rig_progress(rig);
	expect_part(rig, 0, 2);
	rc_peer_expect_silence(&rig->peer);
	respond(rig, WIRE_RC_READ_RESPONSE_FIRST, 0);
	respond(rig, WIRE_RC_READ_RESPONSE_LAST, 1);
	rig_completed(rig, 1, RC_OK);
	expect_memory(rig, 6);
	cr_assert_eq(rig_counters(rig)->retries_timeout, 0);
	rig_stop(rig);
}

/* SEC-024: duplicate responses are dropped, and do not write to the memory of a completed READ. */
Test(holes, copies_write_nothing)
{
	struct rig *rig = selective();
	uint8_t other[PMTU];

	memset(other, 0xEE, sizeof(other));
	rig_post(rig, 1, RC_READ, 0, 4 * PMTU);
	rig_run(rig);
	middles(rig, 1, 3);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_MIDDLE, RIG_PSN + 1, other, PMTU);
	respond(rig, WIRE_RC_READ_RESPONSE_LAST, 3);
	respond(rig, WIRE_RC_READ_RESPONSE_FIRST, 0);
	rig_completed(rig, 1, RC_OK);
	rig_read_response(rig, WIRE_RC_READ_RESPONSE_MIDDLE, RIG_PSN + 2, other, PMTU);
	expect_memory(rig, 4);
	rig_stop(rig);
}

/* RC-058, RC-075: a lost atomic response is no hole. The requester goes back to the atomic. */
Test(holes, atomic_in_front_goes_back)
{
	struct rig *rig = selective();
	uint64_t original = 5;

	rig_post(rig, 1, RC_FETCH_ADD, 0, 8);
	rig_post(rig, 2, RC_READ, 0, PMTU);
	rig_run(rig);
	respond(rig, WIRE_RC_READ_RESPONSE_ONLY, 1);
	cr_assert_eq(rig_run(rig), 2);
	cr_assert_eq(rig_counters(rig)->retries_implied, 1);
	rc_peer_inject(&rig->peer,
		&(struct wire_headers){
			.bth = {.opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = RIG_PSN},
			.aeth = {.syndrome = RIG_ACK},
			.atomic_original = original,
		},
		NULL, 0);
	rig_completed(rig, 1, RC_OK);
	respond(rig, WIRE_RC_READ_RESPONSE_ONLY, 1);
	rig_completed(rig, 2, RC_OK);
	rig_stop(rig);
}

Test(holes, without_a_map_the_rest_is_asked_for)
{
	struct rig *rig = selective();

	rig->peer.ctx.hole_maps.taken = UINT64_MAX;
	rig_post(rig, 1, RC_READ, 0, 4 * PMTU);
	rig_run(rig);
	middles(rig, 1, 3);
	respond(rig, WIRE_RC_READ_RESPONSE_LAST, 3);
	rig_progress(rig);
	expect_part(rig, 0, 1);
	respond(rig, WIRE_RC_READ_RESPONSE_ONLY, 0);
	rig_progress(rig);
	expect_part(rig, 1, 2);
	respond(rig, WIRE_RC_READ_RESPONSE_FIRST, 1);
	respond(rig, WIRE_RC_READ_RESPONSE_LAST, 2);
	rig->peer.now_ns = rc_qp_deadline(rig->peer.qp);
	rig_progress(rig);
	expect_part(rig, 3, 1);
	respond(rig, WIRE_RC_READ_RESPONSE_ONLY, 3);
	rig_completed(rig, 1, RC_OK);
	expect_memory(rig, 4);
	rig_stop(rig);
}

Test(holes, end_of_the_queue_pair_frees_the_map)
{
	struct rig *rig = selective();

	rig_post(rig, 1, RC_READ, 0, 4 * PMTU);
	rig_run(rig);
	middles(rig, 1, 2);
	cr_assert_eq(rig->peer.ctx.hole_maps.taken, 1);
	rc_qp_error(rig->peer.qp, RC_FLUSHED);
	cr_assert_eq(rig->peer.ctx.hole_maps.taken, 0);
	rig_completed(rig, 1, RC_FLUSHED);
	rig_stop(rig);
}
