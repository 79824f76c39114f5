/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "unit/model_scene.h"

/* Test what the model reports about network faults in short conversations. */

#define P SCENE_PSN_A

static struct scene scene;

static void
scene_start(void)
{
	model_open(&scene);
	scene_connect(&scene);
}

static void
scene_stop(void)
{
	model_close(&scene);
}

TestSuite(model_faults, .init = scene_start, .fini = scene_stop);

static void
expect_fault(enum nd_model_fault_kind kind, enum nd_model_place place, uint64_t frame, uint32_t psn,
	bool answer)
{
	const struct nd_model_fault *fault;

	cr_assert(nd_model_finish(scene.model));
	cr_assert_eq(nd_model_fault_count(scene.model), 1, "%zu faults",
		nd_model_fault_count(scene.model));
	fault = nd_model_fault(scene.model, 0);
	cr_expect_eq(fault->kind, kind, "kind %d", (int)fault->kind);
	cr_expect_eq(fault->place, place, "place %d", (int)fault->place);
	cr_expect_eq(fault->frame, frame, "frame %lu", (unsigned long)fault->frame);
	cr_expect_eq(fault->psn, psn, "PSN %u", fault->psn);
	cr_expect_eq(fault->answer, answer);
	cr_expect_eq(fault->side, (unsigned)answer);
}

/* Send a packet with this IPv4 identification. Many senders increase it with each packet. */
static uint64_t
send_numbered(struct packet packet, uint16_t id)
{
	scene_build(&scene, &packet);
	be_store16(scene.bytes + 14 + 4, id);
	scene_seal(&scene);
	return scene_feed(&scene);
}

#define NUMBERED(id_, psn_)                                                                        \
	send_numbered(                                                                             \
		(struct packet){.opcode = WIRE_RC_SEND_ONLY, .psn = (psn_), .bytes = 100}, (id_))

Test(model_faults, lost_before_the_capture)
{
	SEND_ONLY(&scene, P);
	SEND_ONLY(&scene, P + 2);
	NAK(&scene, P + 1, 1, WIRE_NAK_SEQUENCE);
	SEND_ONLY(&scene, P + 1);
	SEND_ONLY(&scene, P + 2);
	ACK(&scene, P + 2, 3);
	expect_fault(ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_BEFORE, 7, P + 1, false);
	cr_expect_eq(operation_of(&scene, A, 1)->sequence_naks, 1);
	cr_expect_eq(operation_of(&scene, A, 2)->repeats, 1);
	cr_expect_eq(nd_model_receive(scene.model, 0, B, 2)->frame, 8, "taken when repeated");
}

Test(model_faults, lost_behind_the_capture)
{
	SEND_ONLY(&scene, P);
	SEND_ONLY(&scene, P + 1);
	SEND_ONLY(&scene, P + 2);
	NAK(&scene, P + 1, 1, WIRE_NAK_SEQUENCE);
	SEND_ONLY(&scene, P + 1);
	SEND_ONLY(&scene, P + 2);
	ACK(&scene, P + 2, 3);
	expect_fault(ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_BEHIND, 7, P + 1, false);
	cr_expect_eq(nd_model_fault(scene.model, 0)->original, 5);
}

Test(model_faults, repetition_lost_before_the_capture)
{
	SEND_ONLY(&scene, P);
	SEND_ONLY(&scene, P + 1);
	SEND_ONLY(&scene, P + 2);
	SEND_ONLY(&scene, P + 3);
	NAK(&scene, P + 1, 1, WIRE_NAK_SEQUENCE);
	SEND_ONLY(&scene, P + 1);
	SEND_ONLY(&scene, P + 3);
	NAK(&scene, P + 2, 2, WIRE_NAK_SEQUENCE);
	SEND_ONLY(&scene, P + 2);
	SEND_ONLY(&scene, P + 3);
	ACK(&scene, P + 3, 4);
	cr_assert(nd_model_finish(scene.model));
	cr_assert_geq(nd_model_fault_count(scene.model), 2);
	cr_expect_eq(nd_model_fault(scene.model, 0)->place, ND_MODEL_PLACE_BEHIND);
	cr_expect_eq(nd_model_fault(scene.model, 1)->place, ND_MODEL_PLACE_BEFORE);
	cr_expect_eq(nd_model_fault(scene.model, 1)->psn, P + 2);
	cr_expect_eq(nd_model_fault(scene.model, 1)->frame, 10);
}

Test(model_faults, answer_lost_behind_the_capture)
{
	SEND_ONLY(&scene, P);
	ACK(&scene, P, 1);
	scene.now_ns += SECOND;
	SEND_ONLY(&scene, P);
	ACK(&scene, P, 1);
	expect_fault(ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_BEHIND, 6, P, true);
}

Test(model_faults, request_or_answer_lost)
{
	SEND_ONLY(&scene, P);
	scene.now_ns += SECOND;
	SEND_ONLY(&scene, P);
	ACK(&scene, P, 1);
	expect_fault(ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_UNKNOWN, 5, P, false);
}

Test(model_faults, peer_that_never_answers_lost_nothing)
{
	for (unsigned i = 0; i < 4; i++) {
		SEND_ONLY(&scene, P);
		scene.now_ns += SECOND;
	}
	cr_assert(nd_model_finish(scene.model));
	cr_expect_eq(nd_model_fault_count(scene.model), 0);
	cr_expect_eq(operation_of(&scene, A, 0)->repeats, 3);
}

Test(model_faults, read_response_lost_before_the_capture)
{
	READ(&scene, P, 2000);
	SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_FIRST, .psn = P,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .bytes = SCENE_MTU);
	scene.now_ns += SECOND;
	SEND(&scene, .opcode = WIRE_RC_READ_REQUEST, .psn = P + 1, .length = 2000 - SCENE_MTU,
		.address = 0x10000 + SCENE_MTU, .rkey = 0x77);
	SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_ONLY, .psn = P + 1,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .bytes = 2000 - SCENE_MTU);
	expect_fault(ND_MODEL_FAULT_LOST, ND_MODEL_PLACE_BEFORE, 6, P + 1, true);
	cr_expect_eq(operation_of(&scene, A, 0)->end, ND_MODEL_ACKNOWLEDGED);
	cr_expect_eq(operation_of(&scene, A, 0)->end_frame, 7);
	cr_expect_eq(operation_of(&scene, A, 0)->repeats, 1);
}

/*
 * A requester drops READ responses that arrive after a lost response. So it repeats a READ although
 * no response of this READ was lost.
 */
Test(model_faults, answers_ahead_of_a_lost_one_are_not_taken)
{
	const struct nd_model_fault *fault;

	for (unsigned pass = 0; pass < 2; pass++) {
		READ(&scene, P, 100);
		READ(&scene, P + 1, 2000);
		if (pass == 1)
			SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_ONLY, .psn = P,
				.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .bytes = 100);
		else
			SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_FIRST, .psn = P + 1,
				.syndrome = WIRE_SYNDROME_ACK, .msn = 2, .bytes = SCENE_MTU);
		SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_LAST, .psn = P + 2,
			.syndrome = WIRE_SYNDROME_ACK, .msn = 2, .bytes = 2000 - SCENE_MTU);
		scene.now_ns += SECOND;
	}
	READ(&scene, P + 1, 2000);
	cr_assert(nd_model_finish(scene.model));
	cr_assert_eq(nd_model_fault_count(scene.model), 2);
	for (size_t i = 0; i < 2; i++) {
		fault = nd_model_fault(scene.model, i);
		cr_expect_eq(fault->kind, ND_MODEL_FAULT_LOST);
		cr_expect_eq(fault->place, ND_MODEL_PLACE_BEFORE, "place %d", (int)fault->place);
		cr_expect(fault->answer);
		cr_expect_eq(fault->psn, P + i);
		cr_expect_eq(fault->frame, i == 0 ? 8 : 12);
	}
}

Test(model_faults, copy_at_once_is_the_networks)
{
	SEND_ONLY(&scene, P);
	SEND_ONLY(&scene, P);
	ACK(&scene, P, 1);
	ACK(&scene, P, 1);
	expect_fault(ND_MODEL_FAULT_REPEATED, ND_MODEL_PLACE_BEFORE, 5, P, false);
}

Test(model_faults, copy_of_an_answer)
{
	SEND_ONLY(&scene, P);
	ACK(&scene, P, 1);
	ACK(&scene, P, 1);
	expect_fault(ND_MODEL_FAULT_REPEATED, ND_MODEL_PLACE_BEFORE, 6, P, true);
}

Test(model_faults, same_number_is_the_same_packet)
{
	NUMBERED(7, P);
	NUMBERED(8, P + 1);
	scene.now_ns += SECOND;
	NUMBERED(8, P + 1);
	NUMBERED(9, P + 2);
	ACK(&scene, P + 2, 3);
	expect_fault(ND_MODEL_FAULT_REPEATED, ND_MODEL_PLACE_BEFORE, 6, P + 1, false);
}

/*
 * If the network duplicates a packet, the peer answers both copies. The network has not duplicated
 * the second answer.
 */
Test(model_faults, copy_is_answered_like_the_packet)
{
	NUMBERED(7, P);
	NUMBERED(8, P + 1);
	NUMBERED(8, P + 1);
	ACK(&scene, P + 1, 2);
	ACK(&scene, P + 1, 2);
	expect_fault(ND_MODEL_FAULT_REPEATED, ND_MODEL_PLACE_BEFORE, 6, P + 1, false);
}

/*
 * The IPv4 identification shows that a packet was late. Without the identification, the model would
 * see a lost and a retransmitted packet.
 */
Test(model_faults, number_tells_that_a_packet_was_late)
{
	NUMBERED(65534, P);
	NUMBERED(0, P + 2);
	NAK(&scene, P + 1, 1, WIRE_NAK_SEQUENCE);
	NUMBERED(65535, P + 1);
	NUMBERED(1, P + 1);
	NUMBERED(2, P + 2);
	ACK(&scene, P + 2, 3);
	expect_fault(ND_MODEL_FAULT_REORDERED, ND_MODEL_PLACE_BEFORE, 7, P + 1, false);
}

Test(model_faults, packet_that_is_late_and_not_asked_for)
{
	SEND_ONLY(&scene, P);
	SEND_ONLY(&scene, P + 2);
	SEND_ONLY(&scene, P + 1);
	SEND_ONLY(&scene, P + 3);
	ACK(&scene, P + 3, 4);
	expect_fault(ND_MODEL_FAULT_REORDERED, ND_MODEL_PLACE_BEFORE, 6, P + 1, false);
}

Test(model_faults, corrupted_and_repeated)
{
	struct packet packet = {.opcode = WIRE_RC_SEND_ONLY, .psn = P + 1, .bytes = 100};

	SEND_ONLY(&scene, P);
	scene_build(&scene, &packet);
	scene.bytes[scene.count - 8] ^= 1;
	scene_feed(&scene);
	SEND_ONLY(&scene, P + 2);
	NAK(&scene, P + 1, 1, WIRE_NAK_SEQUENCE);
	SEND_ONLY(&scene, P + 1);
	SEND_ONLY(&scene, P + 2);
	ACK(&scene, P + 2, 3);
	expect_fault(ND_MODEL_FAULT_CORRUPTED, ND_MODEL_PLACE_BEFORE, 5, P + 1, false);
}

Test(model_faults, answer_that_the_capture_lacks)
{
	READ(&scene, P, 100);
	SEND_ONLY(&scene, P + 1);
	ACK(&scene, P + 1, 2);
	expect_fault(ND_MODEL_FAULT_UNCAPTURED, ND_MODEL_PLACE_CAPTURE, 6, P, true);
	cr_expect_eq(operation_of(&scene, A, 0)->end, ND_MODEL_IMPLIED);
}
