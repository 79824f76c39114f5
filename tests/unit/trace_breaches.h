/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_TRACE_BREACHES_H
#define NDPDK_UNIT_TRACE_BREACHES_H

#include "trace/rules.h"
#include "unit/trace_scene.h"

/* Scenes for test_trace_rules.c: wrong retransmissions, responses and ACKs. */

struct breach {
	enum trace_rule rule;
	const char *name;
	uint64_t (*play)(struct scene *scene);
};

#define P SCENE_PSN_A
#define ATOMIC(scene, psn_)                                                                        \
	SEND(scene, .opcode = WIRE_RC_FETCH_ADD, .psn = (psn_), .address = 0x2000, .rkey = 0x77,   \
		.value = 1)
#define RESPONSE(scene, opcode_, psn_, bytes_)                                                     \
	SEND(scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_##opcode_, .psn = (psn_),           \
		.syndrome = WIRE_SYNDROME_ACK, .msn = 1, .bytes = (bytes_))

static inline uint64_t
again_other_opcode(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_SEND_FIRST, .psn = P, .bytes = SCENE_MTU);
	return SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P, .bytes = SCENE_MTU);
}

static inline uint64_t
again_other_length(struct scene *scene)
{
	ONLY(scene, P);
	return SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P, .bytes = 96);
}

static inline uint64_t
again_other_data(struct scene *scene)
{
	ONLY(scene, P);
	return SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = P, .bytes = 100, .fill = 1);
}

static inline uint64_t
again_other_address(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_WRITE_ONLY, .psn = P, .length = 8, .bytes = 8);
	return SEND(scene, .opcode = WIRE_RC_WRITE_ONLY, .psn = P, .length = 8, .bytes = 8,
		.address = 8);
}

static inline uint64_t
again_other_operand(struct scene *scene)
{
	ATOMIC(scene, P);
	return SEND(scene, .opcode = WIRE_RC_FETCH_ADD, .psn = P, .address = 0x2000, .rkey = 0x77,
		.value = 2);
}

static inline uint64_t
sequence_nak_again(struct scene *scene)
{
	ONLY(scene, P);
	ONLY(scene, P + 1);
	NAK(scene, P, 0, WIRE_NAK_SEQUENCE);
	scene->now_ns += SECOND;
	return NAK(scene, P, 0, WIRE_NAK_SEQUENCE);
}

static inline uint64_t
key_invalidated(struct scene *scene)
{
	SEND(scene, .opcode = WIRE_RC_SEND_ONLY_INV, .psn = P, .immediate = 0x77, .bytes = 8);
	ATOMIC(scene, P + 1);
	return SEND(scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P + 1,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 2);
}

static inline uint64_t
new_within_rnr_wait(struct scene *scene)
{
	ONLY(scene, P);
	NAK(scene, P, 0, WIRE_SYNDROME_RNR);
	scene->now_ns += SECOND / 2;
	return ONLY(scene, P + 1);
}

static inline uint64_t
not_repeated(struct scene *scene)
{
	SEND(scene, .from = B, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_B, .bytes = 8,
		.ack_request = true);
	scene->now_ns += 2 * SECOND;
	SEND(scene, .from = B, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_B + 1, .bytes = 8);
	scene->now_ns += SECOND / 20;
	SEND(scene, .from = B, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_B + 2, .bytes = 8);
	scene->now_ns += SECOND / 19;
	return SEND(
		scene, .from = B, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_B + 3, .bytes = 8);
}

static inline uint64_t
asked_for_in_vain(struct scene *scene)
{
	ONLY(scene, P);
	ONLY(scene, P + 1);
	NAK(scene, P, 0, WIRE_NAK_SEQUENCE);
	scene->now_ns += SECOND;
	ONLY(scene, P + 2);
	scene->now_ns += SECOND / 20;
	ONLY(scene, P + 3);
	scene->now_ns += SECOND / 19;
	return ONLY(scene, P + 4);
}

static inline uint64_t
response_missing(struct scene *scene)
{
	READ(scene, P, 4 * SCENE_MTU);
	RESPONSE(scene, FIRST, P, SCENE_MTU);
	return RESPONSE(scene, LAST, P + 3, SCENE_MTU);
}

/* The responses lack a PSN, and so do the responses to the repeated request. */
static inline uint64_t
response_missing_again(struct scene *scene)
{
	READ(scene, P, 4 * SCENE_MTU);
	RESPONSE(scene, FIRST, P, SCENE_MTU);
	RESPONSE(scene, MIDDLE, P + 2, SCENE_MTU);
	RESPONSE(scene, LAST, P + 3, SCENE_MTU);
	READ(scene, P, 4 * SCENE_MTU);
	RESPONSE(scene, FIRST, P, SCENE_MTU);
	return RESPONSE(scene, MIDDLE, P + 2, SCENE_MTU);
}

/* The READ must not be refused, because the CM allows three outstanding READs. */
static inline uint64_t
read_refused_within_limit(struct scene *scene)
{
	READ(scene, P, 100);
	RESPONSE(scene, ONLY, P, 100);
	for (uint32_t i = 1; i < 4; i++)
		READ(scene, P + i, 100);
	return NAK(scene, P + 1, 1, WIRE_NAK_INVALID_REQUEST);
}

static inline uint64_t
read_unanswered(struct scene *scene)
{
	READ(scene, P, 2 * SCENE_MTU);
	ONLY(scene, P + 2);
	RESPONSE(scene, FIRST, P, SCENE_MTU);
	return ACK(scene, P + 2, 2);
}

static inline uint64_t
atomic_unanswered(struct scene *scene)
{
	ATOMIC(scene, P);
	ONLY(scene, P + 1);
	return ACK(scene, P + 1, 2);
}

static inline uint64_t
read_unanswered_before_fatal_nak(struct scene *scene)
{
	READ(scene, P, 100);
	ONLY(scene, P + 1);
	return NAK(scene, P + 1, 1, WIRE_NAK_REMOTE_OPERATION);
}

static inline uint64_t
read_unanswered_before_rnr_nak(struct scene *scene)
{
	READ(scene, P, 100);
	ONLY(scene, P + 1);
	return NAK(scene, P + 1, 1, WIRE_SYNDROME_RNR);
}

static inline uint64_t
read_unanswered_before_sequence_nak(struct scene *scene)
{
	READ(scene, P, 100);
	ONLY(scene, P + 2);
	return NAK(scene, P + 1, 1, WIRE_NAK_SEQUENCE);
}

/* An answer from B with an IP identification, which shows in which order B sent its answers. */
#define NUMBERED(scene, index, opcode_, psn_, msn_, ...)                                           \
	SEND(scene, .from = B, .opcode = (opcode_), .psn = (psn_), .msn = (msn_),                  \
		.ip_id = (uint16_t)(100 + (index)), __VA_ARGS__)

/* Let A send n messages. B acknowledges each of the first ten messages with a separate ACK. */
static inline void
acknowledge_ten(struct scene *scene, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		ONLY(scene, P + i);
	for (uint32_t i = 0; i < 10; i++)
		NUMBERED(scene, i, WIRE_RC_ACKNOWLEDGE, P + i, i + 1);
}

static inline uint64_t
numbered_ack_goes_back(struct scene *scene)
{
	acknowledge_ten(scene, 12);
	return NUMBERED(scene, 10, WIRE_RC_ACKNOWLEDGE, P + 7, 8);
}

static inline uint64_t
newer_ack_goes_back(struct scene *scene)
{
	for (uint32_t i = 0; i < 4; i++)
		ONLY(scene, P + i);
	ACK(scene, P + 2, 3);
	return ACK(scene, P + 1, 4);
}

static inline uint64_t
numbered_nak_of_acknowledged(struct scene *scene)
{
	acknowledge_ten(scene, 12);
	return NUMBERED(scene, 11, WIRE_RC_ACKNOWLEDGE, P + 8, 8, .syndrome = WIRE_NAK_SEQUENCE);
}

static inline uint64_t
numbered_responses_swapped(struct scene *scene)
{
	acknowledge_ten(scene, 10);
	READ(scene, P + 10, 3 * SCENE_MTU);
	NUMBERED(scene, 10, WIRE_RC_READ_RESPONSE_FIRST, P + 10, 11, .bytes = SCENE_MTU);
	NUMBERED(scene, 11, WIRE_RC_READ_RESPONSE_LAST, P + 12, 11, .bytes = SCENE_MTU);
	return NUMBERED(scene, 12, WIRE_RC_READ_RESPONSE_MIDDLE, P + 11, 0, .bytes = SCENE_MTU);
}

static inline uint64_t
numbered_response_twice(struct scene *scene)
{
	acknowledge_ten(scene, 10);
	READ(scene, P + 10, 2 * SCENE_MTU);
	NUMBERED(scene, 10, WIRE_RC_READ_RESPONSE_FIRST, P + 10, 11, .bytes = SCENE_MTU);
	return NUMBERED(scene, 11, WIRE_RC_READ_RESPONSE_FIRST, P + 10, 11, .bytes = SCENE_MTU);
}

static inline uint64_t
msn_falls_at_atomic(struct scene *scene)
{
	ATOMIC(scene, P);
	ATOMIC(scene, P + 1);
	ONLY(scene, P + 2);
	SEND(scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 3);
	return SEND(scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = P + 1,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 2);
}

/*
 * CC-002: each CNP adds 4 us to a debt, and each passing us reduces the debt by 1 us. With the
 * 334th CNP the debt exceeds 1 ms.
 */
static inline uint64_t
cnps_too_fast(struct scene *scene)
{
	uint64_t frame = 0;

	ONLY(scene, P);
	ACK(scene, P, 1);
	for (uint32_t i = 0; i < 334; i++)
		frame = SEND(scene, .from = B, .opcode = WIRE_CNP);
	return frame;
}

#endif
