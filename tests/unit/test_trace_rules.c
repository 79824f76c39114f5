/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_common.h>

#include "unit/trace_breaches.h"

/*
 * Each rule has a function that makes a scene which breaks this rule and no other rule. The
 * function returns the number of the frame for which the violation must be reported. Test
 * rules_all_broken checks that no rule lacks a scene.
 */

static uint64_t
write_cut_though_it_fits(struct scene *scene)
{
	/* Stop here: the Last packet of this WRITE would break another rule. */
	return SEND(scene, .opcode = WIRE_RC_WRITE_FIRST, .psn = P, .length = SCENE_MTU,
		.bytes = SCENE_MTU);
}

static uint64_t
first_short(struct scene *scene)
{
	return SEND(scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P, .bytes = 512);
}

static uint64_t
middle_long(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P, .bytes = SCENE_MTU);
	return SEND(scene, .opcode = WIRE_RC_SEND_MIDDLE, .psn = P + 1, .bytes = SCENE_MTU + 4);
}

static uint64_t
last_empty(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P, .bytes = SCENE_MTU);
	return SEND(scene, .opcode = WIRE_RC_SEND_LAST, .psn = P + 1);
}

static uint64_t
only_long(struct scene *scene)
{
	return SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P, .bytes = SCENE_MTU + 1);
}

static uint64_t
write_only_length(struct scene *scene)
{
	return SEND(scene, .opcode = WIRE_RC_WRITE_ONLY, .psn = P, .length = 101, .bytes = 100);
}

static uint64_t
write_last_short(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_WRITE_FIRST, .psn = P, .length = 3000, .bytes = SCENE_MTU);
	return SEND(scene, .opcode = WIRE_RC_WRITE_LAST, .psn = P + 1, .bytes = 976);
}

static uint64_t
write_goes_on(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_WRITE_FIRST, .psn = P, .length = 1500, .bytes = SCENE_MTU);
	return SEND(scene, .opcode = WIRE_RC_WRITE_MIDDLE, .psn = P + 1, .bytes = SCENE_MTU);
}

static uint64_t
read_too_long(struct scene *scene)
{
	return READ(scene, P, 0x80000001u);
}

static uint64_t
first_psn_elsewhere(struct scene *scene)
{
	return ONLY(scene, P + 100000);
}

static uint64_t
first_psn_before(struct scene *scene)
{
	return ONLY(scene, P - 1);
}

static uint64_t
psn_skipped(struct scene *scene)
{
	ONLY(scene, P);
	ACK(scene, P, 1);
	ONLY(scene, P + 2);
	return ACK(scene, P + 2, 2);
}

static uint64_t
psn_within_read(struct scene *scene)
{
	READ(scene, P, 4 * SCENE_MTU);
	return ONLY(scene, P + 2);
}

static uint64_t
read_over_requests(struct scene *scene)
{
	uint64_t frame = ONLY(scene, P + 2);

	READ(scene, P, 4 * SCENE_MTU);
	return frame;
}

static uint64_t
message_begins_within(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P, .bytes = SCENE_MTU);
	return ONLY(scene, P + 1);
}

static uint64_t
read_begins_within(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_WRITE_FIRST, .psn = P, .length = 2000, .bytes = SCENE_MTU);
	return READ(scene, P + 1, 8);
}

/* A packet between these two was lost. Only its late arrival makes the violation certain. */
static uint64_t
message_begins_within_late(struct scene *scene)
{
	uint64_t frame;

	SEND(scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P, .bytes = SCENE_MTU);
	frame = ONLY(scene, P + 2);
	SEND(scene, .opcode = WIRE_RC_SEND_MIDDLE, .psn = P + 1, .bytes = SCENE_MTU);
	return frame;
}

static uint64_t
solicited_first(struct scene *scene)
{
	return SEND(scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P, .bytes = SCENE_MTU,
		.solicited = true);
}

static uint64_t
solicited_write(struct scene *scene)
{
	return SEND(scene, .opcode = WIRE_RC_WRITE_ONLY, .psn = P, .length = 8, .bytes = 8,
		.solicited = true);
}

/* The CM allows 3 outstanding READs. The trace tolerates 4, so the fifth READ is a violation. */
static uint64_t
depth_exceeded(struct scene *scene)
{
	for (uint32_t i = 0; i < 4; i++)
		READ(scene, P + i, 100);
	return READ(scene, P + 4, 100);
}

static uint64_t
header_version(struct scene *scene)
{
	return SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P, .bytes = 8, .version = 1);
}

static uint64_t
destination_wrong(struct scene *scene)
{
	ONLY(scene, P);
	return SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P + 1, .bytes = 8, .qpn = 0x99);
}

static uint64_t
destination_wrong_at_first(struct scene *scene)
{
	return SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P, .bytes = 8, .qpn = 0x99);
}

static uint64_t
pkey_wrong(struct scene *scene)
{
	return SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P, .bytes = 8, .pkey = 0x8123);
}

static uint64_t
sequence_nak_of_newest(struct scene *scene)
{
	ONLY(scene, P);
	return NAK(scene, P, 0, WIRE_NAK_SEQUENCE);
}

static uint64_t
sequence_nak_within_read(struct scene *scene)
{
	READ(scene, P, 4 * SCENE_MTU);
	ONLY(scene, P + 4);
	return NAK(scene, P + 1, 1, WIRE_NAK_SEQUENCE);
}

static uint64_t
sequence_nak_of_acknowledged(struct scene *scene)
{
	for (uint32_t i = 0; i < 3; i++)
		ONLY(scene, P + i);
	ACK(scene, P + 1, 2);
	return NAK(scene, P, 2, WIRE_NAK_SEQUENCE);
}

static uint64_t
fatal_nak_of_acknowledged(struct scene *scene)
{
	ONLY(scene, P);
	ONLY(scene, P + 1);
	ACK(scene, P + 1, 2);
	return NAK(scene, P, 2, WIRE_NAK_REMOTE_ACCESS);
}

static uint64_t
rnr_nak_of_acknowledged(struct scene *scene)
{
	ONLY(scene, P);
	ONLY(scene, P + 1);
	ACK(scene, P + 1, 2);
	return NAK(scene, P, 2, WIRE_SYNDROME_RNR | 12);
}

static uint64_t
middle_outside(struct scene *scene)
{
	ONLY(scene, P);
	return SEND(scene, .opcode = WIRE_RC_SEND_MIDDLE, .psn = P + 1, .bytes = SCENE_MTU);
}

static uint64_t
last_of_other_kind(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P, .bytes = SCENE_MTU);
	return SEND(scene, .opcode = WIRE_RC_WRITE_LAST, .psn = P + 1, .bytes = 4);
}

static uint64_t
opcode_reserved(struct scene *scene)
{
	return SEND(scene, .opcode = 0x1A, .psn = P);
}

static uint64_t
rnr_nak_of_write(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_WRITE_ONLY, .psn = P, .length = 8, .bytes = 8);
	return NAK(scene, P, 0, WIRE_SYNDROME_RNR | 12);
}

/* The pad count is 1 instead of 2, so the packet length is not a multiple of 4 bytes. */
static uint64_t
pad_wrong(struct scene *scene)
{
	struct packet packet = {.opcode = WIRE_RC_SEND_ONLY, .psn = P, .bytes = 8};

	scene_build(scene, &packet);
	scene->count += 2;
	be_store16(scene->bytes + 16, (uint16_t)(scene->count - 14));
	be_store16(scene->bytes + 38, (uint16_t)(scene->count - 34));
	scene_seal(scene);
	return scene_feed(scene);
}

static uint64_t
atomic_misaligned(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_FETCH_ADD, .psn = P, .address = 0x2004);
	return SEND(scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1);
}

static uint64_t
ack_after_fatal_nak(struct scene *scene)
{
	ONLY(scene, P);
	ONLY(scene, P + 1);
	NAK(scene, P, 0, WIRE_NAK_REMOTE_OPERATION);
	return ACK(scene, P + 1, 1);
}

static uint64_t
old_ack_after_fatal_nak(struct scene *scene)
{
	ONLY(scene, P);
	ONLY(scene, P + 1);
	ACK(scene, P, 1);
	NAK(scene, P + 1, 1, WIRE_NAK_INVALID_REQUEST);
	scene->now_ns += SECOND;
	return ACK(scene, P, 1);
}

static uint64_t
msn_ahead(struct scene *scene)
{
	ONLY(scene, P);
	return ACK(scene, P, 2);
}

static uint64_t
msn_falls(struct scene *scene)
{
	for (uint32_t i = 0; i < 4; i++)
		ONLY(scene, P + i);
	ACK(scene, P, 3);
	return ACK(scene, P + 2, 2);
}

static uint64_t
msn_behind(struct scene *scene)
{
	for (uint32_t i = 0; i < 4; i++)
		ONLY(scene, P + i);
	return ACK(scene, P + 3, 2);
}

static uint64_t
msn_behind_by_one(struct scene *scene)
{
	for (uint32_t i = 0; i < 4; i++)
		ONLY(scene, P + i);
	return ACK(scene, P + 3, 3);
}

static uint64_t
msn_behind_in_middle(struct scene *scene)
{
	ONLY(scene, P);
	SEND(scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P + 1, .bytes = SCENE_MTU);
	return ACK(scene, P + 1, 0);
}

static uint64_t
msn_behind_of_read(struct scene *scene)
{
	ONLY(scene, P);
	READ(scene, P + 1, 100);
	return RESPONSE(scene, ONLY, P + 1, 100);
}

static uint64_t
msn_behind_of_atomic(struct scene *scene)
{
	ONLY(scene, P);
	ATOMIC(scene, P + 1);
	return SEND(scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P + 1,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .value = 5);
}

static uint64_t
ack_goes_back(struct scene *scene)
{
	for (uint32_t i = 0; i < 3; i++)
		ONLY(scene, P + i);
	ACK(scene, P + 2, 3);
	scene->now_ns += SECOND;
	ONLY(scene, P + 1);
	return ACK(scene, P + 1, 3);
}

/* The ACK is within a message, so the time shows the violation, not the MSNs. */
static uint64_t
sequence_nak_long_after_ack(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P, .bytes = SCENE_MTU);
	SEND(scene, .opcode = WIRE_RC_SEND_MIDDLE, .psn = P + 1, .bytes = SCENE_MTU);
	SEND(scene, .opcode = WIRE_RC_SEND_LAST, .psn = P + 2, .bytes = 1);
	ACK(scene, P + 1, 0);
	scene->now_ns += SECOND;
	return NAK(scene, P + 1, 0, WIRE_NAK_SEQUENCE);
}

static uint64_t
answer_to_wrong_queue_pair(struct scene *scene)
{
	ONLY(scene, P);
	return SEND(scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = P, .qpn = 0x99,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1);
}

static uint64_t
ack_of_read(struct scene *scene)
{
	READ(scene, P, 100);
	return ACK(scene, P, 1);
}

static uint64_t
ack_of_atomic(struct scene *scene)
{
	ATOMIC(scene, P);
	return ACK(scene, P, 1);
}

static uint64_t
atomic_result_changes(struct scene *scene)
{
	ATOMIC(scene, P);
	SEND(scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .value = 5);
	ATOMIC(scene, P);
	return SEND(scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .value = 6);
}

static uint64_t
read_answered_after_send(struct scene *scene)
{
	READ(scene, P, 100);
	ONLY(scene, P + 1);
	SEND(scene, .from = B, .opcode = WIRE_RC_ACKNOWLEDGE, .psn = P + 1,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 2);
	scene->now_ns += SECOND;
	return RESPONSE(scene, ONLY, P, 100);
}

static uint64_t
ack_of_nothing(struct scene *scene)
{
	ONLY(scene, P);
	return ACK(scene, P + 1, 1);
}

static uint64_t
response_of_nothing(struct scene *scene)
{
	READ(scene, P, 100);
	return RESPONSE(scene, ONLY, P + 1, 100);
}

static uint64_t
response_of_send(struct scene *scene)
{
	ONLY(scene, P);
	return RESPONSE(scene, ONLY, P, 100);
}

static uint64_t
response_opcode(struct scene *scene)
{
	READ(scene, P, 2 * SCENE_MTU);
	return RESPONSE(scene, LAST, P, SCENE_MTU);
}

static uint64_t
response_length(struct scene *scene)
{
	READ(scene, P, SCENE_MTU + 100);
	RESPONSE(scene, FIRST, P, SCENE_MTU);
	return RESPONSE(scene, LAST, P + 1, 104);
}

static uint64_t
responses_again(struct scene *scene)
{
	READ(scene, P, SCENE_MTU + 100);
	RESPONSE(scene, FIRST, P, SCENE_MTU);
	RESPONSE(scene, LAST, P + 1, 100);
	scene->now_ns += SECOND;
	return RESPONSE(scene, FIRST, P, SCENE_MTU);
}

static uint64_t
response_says_nak(struct scene *scene)
{
	READ(scene, P, 100);
	return SEND(scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_ONLY, .psn = P,
		.syndrome = WIRE_NAK_REMOTE_ACCESS, .msn = 1, .bytes = 100);
}

static uint64_t
atomic_ack_says_nak(struct scene *scene)
{
	ATOMIC(scene, P);
	return SEND(scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P,
		.syndrome = WIRE_NAK_REMOTE_ACCESS, .msn = 1);
}

static uint64_t
atomic_ack_of_send(struct scene *scene)
{
	ONLY(scene, P);
	return SEND(scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1);
}

static uint64_t
part_address(struct scene *scene)
{
	READ(scene, P, 3 * SCENE_MTU);
	return SEND(scene, .opcode = WIRE_RC_READ_REQUEST, .psn = P + 1, .length = 2 * SCENE_MTU,
		.address = 0x10000 + SCENE_MTU + 4, .rkey = 0x77);
}

static uint64_t
part_too_long(struct scene *scene)
{
	READ(scene, P, 3 * SCENE_MTU);
	return SEND(scene, .opcode = WIRE_RC_READ_REQUEST, .psn = P + 1,
		.length = 2 * SCENE_MTU + 1, .address = 0x10000 + SCENE_MTU, .rkey = 0x77);
}

/* RNR timer code 0 means 655.36 ms. */
static uint64_t
repeated_within_rnr_wait(struct scene *scene)
{
	ONLY(scene, P);
	NAK(scene, P, 0, WIRE_SYNDROME_RNR);
	scene->now_ns += SECOND / 2;
	return ONLY(scene, P);
}

static uint64_t
retries_exceeded(struct scene *scene)
{
	uint64_t frame = 0;

	for (uint32_t i = 0; i <= SCENE_RETRIES + 1; i++) {
		scene->now_ns += SECOND;
		frame = SEND(scene, .from = B, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_B,
			.bytes = 8);
	}
	return frame;
}

static uint64_t
syndrome_reserved(struct scene *scene)
{
	ONLY(scene, P);
	return NAK(scene, P, 0, 0x41);
}

static uint64_t
syndrome_of_rd(struct scene *scene)
{
	ONLY(scene, P);
	return NAK(scene, P, 0, 0x64);
}

static const struct breach breaches[] = {
	{TRACE_RC_001, "write_cut_though_it_fits", write_cut_though_it_fits},
	{TRACE_RC_002, "first_short", first_short},
	{TRACE_RC_002, "middle_long", middle_long},
	{TRACE_RC_002, "last_empty", last_empty},
	{TRACE_RC_002, "only_long", only_long},
	{TRACE_RC_003, "write_only_length", write_only_length},
	{TRACE_RC_003, "write_last_short", write_last_short},
	{TRACE_RC_003, "write_goes_on", write_goes_on},
	{TRACE_RC_004, "read_too_long", read_too_long},
	{TRACE_RC_005, "first_psn_elsewhere", first_psn_elsewhere},
	{TRACE_RC_005, "first_psn_before", first_psn_before},
	{TRACE_RC_005, "psn_skipped", psn_skipped},
	{TRACE_RC_005, "psn_within_read", psn_within_read},
	{TRACE_RC_005, "read_over_requests", read_over_requests},
	{TRACE_RC_006, "message_begins_within", message_begins_within},
	{TRACE_RC_006, "read_begins_within", read_begins_within},
	{TRACE_RC_006, "message_begins_within_late", message_begins_within_late},
	{TRACE_RC_008, "solicited_first", solicited_first},
	{TRACE_RC_008, "solicited_write", solicited_write},
	{TRACE_RC_009, "depth_exceeded", depth_exceeded},
	{TRACE_RC_020, "header_version", header_version},
	{TRACE_RC_020, "destination_wrong", destination_wrong},
	{TRACE_RC_020, "destination_wrong_at_first", destination_wrong_at_first},
	{TRACE_RC_020, "answer_to_wrong_queue_pair", answer_to_wrong_queue_pair},
	{TRACE_RC_022, "pkey_wrong", pkey_wrong},
	{TRACE_RC_023, "sequence_nak_of_newest", sequence_nak_of_newest},
	{TRACE_RC_023, "sequence_nak_within_read", sequence_nak_within_read},
	{TRACE_RC_023, "sequence_nak_of_acknowledged", sequence_nak_of_acknowledged},
	{TRACE_RC_023, "sequence_nak_long_after_ack", sequence_nak_long_after_ack},
	{TRACE_RC_023, "numbered_nak_of_acknowledged", numbered_nak_of_acknowledged},
	{TRACE_RC_023, "sequence_nak_again", sequence_nak_again},
	{TRACE_RC_024, "fatal_nak_of_acknowledged", fatal_nak_of_acknowledged},
	{TRACE_RC_024, "rnr_nak_of_acknowledged", rnr_nak_of_acknowledged},
	{TRACE_RC_025, "middle_outside", middle_outside},
	{TRACE_RC_025, "last_of_other_kind", last_of_other_kind},
	{TRACE_RC_026, "opcode_reserved", opcode_reserved},
	{TRACE_RC_028, "read_refused_within_limit", read_refused_within_limit},
	{TRACE_RC_028, "rnr_nak_of_write", rnr_nak_of_write},
	{TRACE_RC_029, "pad_wrong", pad_wrong},
	{TRACE_RC_030, "key_invalidated", key_invalidated},
	{TRACE_RC_031, "atomic_misaligned", atomic_misaligned},
	{TRACE_RC_035, "ack_after_fatal_nak", ack_after_fatal_nak},
	{TRACE_RC_035, "old_ack_after_fatal_nak", old_ack_after_fatal_nak},
	{TRACE_RC_041, "msn_ahead", msn_ahead},
	{TRACE_RC_041, "msn_falls", msn_falls},
	{TRACE_RC_041, "msn_behind", msn_behind},
	{TRACE_RC_041, "msn_behind_by_one", msn_behind_by_one},
	{TRACE_RC_041, "msn_behind_in_middle", msn_behind_in_middle},
	{TRACE_RC_041, "msn_behind_of_read", msn_behind_of_read},
	{TRACE_RC_041, "msn_falls_at_atomic", msn_falls_at_atomic},
	{TRACE_RC_041, "msn_behind_of_atomic", msn_behind_of_atomic},
	{TRACE_RC_047, "ack_of_read", ack_of_read},
	{TRACE_RC_047, "ack_of_atomic", ack_of_atomic},
	{TRACE_RC_055, "ack_goes_back", ack_goes_back},
	{TRACE_RC_055, "newer_ack_goes_back", newer_ack_goes_back},
	{TRACE_RC_055, "numbered_ack_goes_back", numbered_ack_goes_back},
	{TRACE_RC_058, "atomic_result_changes", atomic_result_changes},
	{TRACE_RC_060, "read_answered_after_send", read_answered_after_send},
	{TRACE_RC_060, "read_unanswered", read_unanswered},
	{TRACE_RC_060, "atomic_unanswered", atomic_unanswered},
	{TRACE_RC_060, "read_unanswered_before_fatal_nak", read_unanswered_before_fatal_nak},
	{TRACE_RC_060, "read_unanswered_before_rnr_nak", read_unanswered_before_rnr_nak},
	{TRACE_RC_060, "read_unanswered_before_sequence_nak", read_unanswered_before_sequence_nak},
	{TRACE_RC_070, "ack_of_nothing", ack_of_nothing},
	{TRACE_RC_070, "response_of_nothing", response_of_nothing},
	{TRACE_RC_073, "response_of_send", response_of_send},
	{TRACE_RC_073, "response_opcode", response_opcode},
	{TRACE_RC_073, "response_length", response_length},
	{TRACE_RC_073, "responses_again", responses_again},
	{TRACE_RC_073, "response_missing", response_missing},
	{TRACE_RC_073, "numbered_responses_swapped", numbered_responses_swapped},
	{TRACE_RC_073, "numbered_response_twice", numbered_response_twice},
	{TRACE_RC_073, "response_missing_again", response_missing_again},
	{TRACE_RC_074, "response_says_nak", response_says_nak},
	{TRACE_RC_075, "atomic_ack_says_nak", atomic_ack_says_nak},
	{TRACE_RC_075, "atomic_ack_of_send", atomic_ack_of_send},
	{TRACE_RC_079, "part_address", part_address},
	{TRACE_RC_079, "part_too_long", part_too_long},
	{TRACE_RC_085, "repeated_within_rnr_wait", repeated_within_rnr_wait},
	{TRACE_RC_085, "new_within_rnr_wait", new_within_rnr_wait},
	{TRACE_RC_095, "not_repeated", not_repeated},
	{TRACE_RC_096, "retries_exceeded", retries_exceeded},
	{TRACE_RC_098, "asked_for_in_vain", asked_for_in_vain},
	{TRACE_RC_100, "syndrome_reserved", syndrome_reserved},
	{TRACE_RC_100, "syndrome_of_rd", syndrome_of_rd},
	{TRACE_RC_101, "again_other_opcode", again_other_opcode},
	{TRACE_RC_101, "again_other_length", again_other_length},
	{TRACE_RC_101, "again_other_data", again_other_data},
	{TRACE_RC_101, "again_other_address", again_other_address},
	{TRACE_RC_101, "again_other_operand", again_other_operand},
	{TRACE_CC_002, "cnps_too_fast", cnps_too_fast},
};

Test(trace_rules, breach_blames_rule_and_frame)
{
	for (size_t i = 0; i < RTE_DIM(breaches); i++) {
		struct scene scene;
		uint64_t frame;

		scene_open(&scene);
		scene_connect(&scene);
		frame = breaches[i].play(&scene);
		scene_expect(&scene, breaches[i].name, trace_rule_id(breaches[i].rule), frame);
		scene_close(&scene);
	}
}

Test(trace_rules, rules_all_broken)
{
	for (unsigned rule = 0; rule < TRACE_CM_001; rule++) {
		bool broken = false;

		for (size_t i = 0; i < RTE_DIM(breaches); i++)
			broken |= breaches[i].rule == rule;
		cr_expect(broken, "no scene breaks %s", trace_rule_id(rule));
	}
}

Test(trace_rules, texts_complete)
{
	for (unsigned rule = 0; rule < TRACE_RULE_COUNT; rule++) {
		cr_expect_not_null(trace_rule_id(rule));
		cr_expect_not_null(trace_rule_sentence(rule));
	}
}
