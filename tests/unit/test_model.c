/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "unit/model_scene.h"

/* Test what the model reports about short conversations. */

static struct scene scene;

static void
scene_start(void)
{
	model_open(&scene);
}

static void
scene_stop(void)
{
	model_close(&scene);
}

TestSuite(model, .init = scene_start, .fini = scene_stop);

static void
write_only(uint32_t psn, uint64_t address, uint32_t bytes, uint8_t fill)
{
	SEND(&scene, .opcode = WIRE_RC_WRITE_ONLY, .psn = psn, .address = address, .rkey = KEY,
		.length = bytes, .bytes = bytes, .fill = fill);
}

static void
read_answer(uint32_t psn, uint32_t msn, uint32_t bytes, uint8_t fill)
{
	SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_ONLY, .psn = psn,
		.syndrome = WIRE_SYNDROME_ACK, .msn = msn, .bytes = bytes, .fill = fill);
}

static void
read_request(uint32_t psn, uint64_t address, uint32_t bytes)
{
	SEND(&scene, .opcode = WIRE_RC_READ_REQUEST, .psn = psn, .address = address, .rkey = KEY,
		.length = bytes);
}

Test(model, cm_exchange_tells_the_parameters)
{
	const struct nd_model_connection *of;
	struct nd_model_cm_message message;
	struct wire_cm_msg first = scene_msg(B, WIRE_CM_DREQ), second = scene_msg(A, WIRE_CM_DREQ);

	scene_connect(&scene);
	scene_cm(&scene, B, &first);
	scene_cm(&scene, A, &second);
	cr_assert(nd_model_finish(scene.model));
	cr_assert_eq(nd_model_connection_count(scene.model), 1);
	of = nd_model_connection(scene.model, 0);
	cr_expect_eq(of->service_port, 7174);
	cr_expect_eq(of->path_mtu_bytes, SCENE_MTU);
	cr_expect(of->path_mtu_told);
	cr_expect_eq(of->ack_timeout, SCENE_ACK_TIMEOUT);
	cr_expect_eq(of->retry_count, SCENE_RETRIES);
	cr_expect_eq(of->side[A].qpn, SCENE_QPN_A);
	cr_expect_eq(of->side[B].qpn, SCENE_QPN_B);
	cr_expect_eq(of->side[A].first_psn, SCENE_PSN_A);
	cr_expect_eq(of->side[B].first_psn, SCENE_PSN_B);
	cr_expect_eq(of->side[A].initiator_depth, 3);
	cr_expect_eq(of->side[A].responder_resources, 2);
	cr_expect_eq(of->side[A].rnr_retry_count, SCENE_RNR_RETRIES_B);
	cr_expect_eq(of->side[B].rnr_retry_count, SCENE_RNR_RETRIES_A);
	cr_expect_eq(of->side[A].comm_id, SCENE_ID_A);
	cr_expect_eq(of->side[B].comm_id, SCENE_ID_B);
	cr_expect_eq(of->side[B].mac[5], 2);
	cr_expect_eq(of->close, ND_MODEL_DISCONNECTED);
	cr_expect_eq(of->closed_by, B);
	cr_expect_eq(of->closed_frame, 4);
	cr_expect_eq(of->cm_messages, 5);
	cr_assert(nd_model_cm(scene.model, 0, 0, &message));
	cr_expect_eq(message.private_bytes, 92);
	cr_expect_eq(be_load16(message.private_data + 2), 4000, "source port of the IP CM header");
}

Test(model, reject_is_the_end)
{
	struct wire_cm_msg req = scene_req(), rej = scene_msg(B, WIRE_CM_REJ);

	rej.rej.reason = WIRE_REJ_CONSUMER;
	memset(rej.private_data, 0x5A, 148);
	scene_cm(&scene, A, &req);
	scene_cm(&scene, B, &rej);
	cr_assert(nd_model_finish(scene.model));
	cr_assert_eq(nd_model_connection_count(scene.model), 1);
	cr_expect_eq(nd_model_connection(scene.model, 0)->close, ND_MODEL_REJECTED);
	cr_expect_eq(nd_model_connection(scene.model, 0)->reject_reason, WIRE_REJ_CONSUMER);
	cr_expect_eq(nd_model_connection(scene.model, 0)->closed_by, B);
}

Test(model, operations_have_what_their_packets_say)
{
	const struct nd_model_operation *operation;

	scene_connect(&scene);
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY_IMM, .psn = SCENE_PSN_A, .bytes = 5,
		.immediate = 0xABCD, .solicited = true);
	SEND(&scene, .opcode = WIRE_RC_WRITE_FIRST, .psn = SCENE_PSN_A + 1, .address = ADDRESS,
		.rkey = KEY, .length = 1500, .bytes = SCENE_MTU);
	SEND(&scene, .opcode = WIRE_RC_WRITE_LAST_IMM, .psn = SCENE_PSN_A + 2, .immediate = 7,
		.bytes = 1500 - SCENE_MTU);
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY_INV, .psn = SCENE_PSN_A + 3, .immediate = KEY);
	SEND(&scene, .opcode = WIRE_RC_WRITE_ONLY, .psn = SCENE_PSN_A + 4);
	ACK(&scene, SCENE_PSN_A + 4, 4);
	cr_assert(nd_model_finish(scene.model));
	operation = operation_of(&scene, A, 0);
	cr_expect_eq(operation->kind, ND_MODEL_SEND_IMMEDIATE);
	cr_expect_eq(operation->immediate, 0xABCD);
	cr_expect(operation->solicited);
	cr_expect_eq(operation->end, ND_MODEL_ACKNOWLEDGED);
	cr_expect_eq(operation->end_frame, 9);
	operation = operation_of(&scene, A, 1);
	cr_expect_eq(operation->kind, ND_MODEL_WRITE_IMMEDIATE);
	cr_expect_eq(operation->packets, 2);
	cr_expect_eq(operation->bytes, 1500);
	cr_expect_eq(operation->address, ADDRESS);
	cr_expect_eq(operation->first_frame, 5);
	cr_expect_eq(operation->last_frame, 6);
	operation = operation_of(&scene, A, 2);
	cr_expect_eq(operation->kind, ND_MODEL_SEND_INVALIDATE);
	cr_expect_eq(operation->invalidate_key, KEY);
	cr_expect_eq(operation->bytes, 0);
	cr_expect(operation->bytes_known);
	cr_expect(operation_of(&scene, A, 3)->keepalive);
	cr_expect_eq(nd_model_connection(scene.model, 0)->side[A].operations, 4);
	cr_expect_eq(nd_model_connection(scene.model, 0)->side[B].receives, 3);
	cr_expect_eq(nd_model_receive(scene.model, 0, B, 1)->bytes, 0, "a WRITE needs no bytes");
	cr_expect_eq(nd_model_receive(scene.model, 0, B, 1)->operation, 1);
	cr_expect_eq(operation_of(&scene, A, 2)->receive, 2);
}

Test(model, order_tells_what_was_waited_for)
{
	scene_connect(&scene);
	SEND_ONLY(&scene, SCENE_PSN_A);
	SEND_ONLY(&scene, SCENE_PSN_A + 1);
	ACK(&scene, SCENE_PSN_A + 1, 2);
	SEND(&scene, .from = B, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_B, .bytes = 1);
	SEND_ONLY(&scene, SCENE_PSN_A + 2);
	cr_assert(nd_model_finish(scene.model));
	cr_expect_eq(operation_of(&scene, A, 1)->after_operations, 0);
	cr_expect_eq(operation_of(&scene, B, 0)->after_messages, 2);
	cr_expect_eq(operation_of(&scene, A, 2)->after_operations, 2);
	cr_expect_eq(operation_of(&scene, A, 2)->after_messages, 1);
	cr_expect_eq(operation_of(&scene, A, 2)->end, ND_MODEL_UNANSWERED);
}

/*
 * A response may be before its request in the capture, because a capture may combine several
 * queues.
 */
Test(model, operation_does_not_end_before_it_is_sent)
{
	scene_connect(&scene);
	SEND_ONLY(&scene, SCENE_PSN_A);
	ACK(&scene, SCENE_PSN_A + 1, 2);
	SEND_ONLY(&scene, SCENE_PSN_A + 1);
	cr_assert(nd_model_finish(scene.model));
	cr_expect_eq(operation_of(&scene, A, 0)->end_frame, 5);
	cr_expect_eq(operation_of(&scene, A, 1)->end, ND_MODEL_UNANSWERED);
	cr_expect_eq(operation_of(&scene, A, 1)->after_operations, 1);
}

Test(model, receive_is_absent_until_the_rnr_nak)
{
	const struct nd_model_receive *receive;

	scene_connect(&scene);
	SEND_ONLY(&scene, SCENE_PSN_A);
	NAK(&scene, SCENE_PSN_A, 0, WIRE_AETH_RNR_NAK << 5 | 1);
	SEND_ONLY(&scene, SCENE_PSN_A);
	ACK(&scene, SCENE_PSN_A, 1);
	SEND_ONLY(&scene, SCENE_PSN_A + 1);
	NAK(&scene, SCENE_PSN_A + 1, 1, WIRE_AETH_RNR_NAK << 5 | 1);
	cr_assert(nd_model_finish(scene.model));
	receive = nd_model_receive(scene.model, 0, B, 0);
	cr_assert_not_null(receive);
	cr_expect_eq(receive->bytes, 100);
	cr_expect_eq(receive->rnr_naks, 1);
	cr_expect_eq(receive->absent_frame, 5);
	cr_expect_eq(receive->frame, 6);
	cr_expect(receive->taken);
	cr_expect_not(nd_model_receive(scene.model, 0, B, 1)->taken);
	cr_expect_eq(nd_model_fault_count(scene.model), 0);
	cr_expect_eq(operation_of(&scene, A, 0)->repeats, 1);
	cr_expect_eq(nd_model_repeat(scene.model, 0, A, 0, 0), 6);
	cr_expect_eq(nd_model_repeat(scene.model, 0, A, 0, 1), 0);
}

Test(model, key_lives_until_it_is_invalidated)
{
	const struct nd_model_key *key;

	scene_connect(&scene);
	write_only(SCENE_PSN_A, ADDRESS + 64, 32, 1);
	ACK(&scene, SCENE_PSN_A, 1);
	read_request(SCENE_PSN_A + 1, ADDRESS, 16);
	read_answer(SCENE_PSN_A + 1, 2, 16, 2);
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY_INV, .psn = SCENE_PSN_A + 2, .immediate = KEY);
	ACK(&scene, SCENE_PSN_A + 2, 3);
	write_only(SCENE_PSN_A + 3, ADDRESS, 8, 3);
	ACK(&scene, SCENE_PSN_A + 3, 4);
	write_only(SCENE_PSN_A + 4, ADDRESS + 4096, 8, 3);
	NAK(&scene, SCENE_PSN_A + 4, 4, WIRE_NAK_REMOTE_ACCESS);
	cr_assert(nd_model_finish(scene.model));
	cr_assert_eq(nd_model_connection(scene.model, 0)->side[B].keys, 2);
	key = nd_model_key(scene.model, 0, B, 0);
	cr_expect_eq(key->rights, ND_MODEL_RIGHT_READ | ND_MODEL_RIGHT_WRITE);
	cr_expect_eq(key->low, ADDRESS);
	cr_expect_eq(key->end, ADDRESS + 96);
	cr_expect_eq(key->uses, 2);
	cr_expect_eq(key->first_frame, 4);
	cr_expect_eq(key->last_frame, 7);
	cr_expect_eq(key->invalidated_frame, 8);
	cr_expect_eq(key->invalidated_by, 2);
	key = nd_model_key(scene.model, 0, B, 1);
	cr_expect_eq(key->rights, ND_MODEL_RIGHT_WRITE);
	cr_expect_eq(key->refusals, 1);
	cr_expect_eq(key->refused_frame, 13);
	cr_expect_eq(nd_model_refusal(scene.model, 0, B, 0)->key, 1);
	cr_expect_eq(nd_model_refusal(scene.model, 0, B, 0)->syndrome, WIRE_NAK_REMOTE_ACCESS);
	cr_expect_eq(nd_model_connection(scene.model, 0)->close, ND_MODEL_FAILED);
	cr_expect_eq(nd_model_connection(scene.model, 0)->closed_by, B);
}

Test(model, memory_is_what_readers_find)
{
	uint8_t to[16], known[16];

	scene_connect(&scene);
	write_only(SCENE_PSN_A, ADDRESS + 4, 4, 0x11);
	read_request(SCENE_PSN_A + 1, ADDRESS, 12);
	read_answer(SCENE_PSN_A + 1, 2, 12, 0x22);
	SEND(&scene, .opcode = WIRE_RC_FETCH_ADD, .psn = SCENE_PSN_A + 2, .address = ADDRESS + 8,
		.rkey = KEY, .value = 1);
	SEND(&scene, .from = B, .opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE, .psn = SCENE_PSN_A + 2,
		.syndrome = WIRE_SYNDROME_ACK, .msn = 3, .value = 0x0102030405060708);
	cr_assert(nd_model_finish(scene.model));
	cr_assert_eq(nd_model_memory_count(scene.model, 0, B), 4);
	/* Before the WRITE, the bytes that it overwrites are unknown. The READ shows the rest. */
	cr_expect_eq(nd_model_memory(scene.model, 0, B, 0, ADDRESS, to, known, 16), 12);
	cr_expect_eq(to[0], 0x22);
	cr_expect_eq(known[4], 0);
	cr_expect_eq(to[8], 0x22);
	cr_expect_eq(to[12], 4, "the atomic tells of the last four bytes");
	/*
	 * Before the READ, the memory has the bytes that the READ returned, although the WRITE has
	 * written different bytes.
	 */
	cr_expect_eq(nd_model_memory(scene.model, 0, B, 1, ADDRESS, to, known, 16), 16);
	cr_expect_eq(to[4], 0x22);
	/*
	 * Before the atomic, the memory has the original value, and afterwards the new value. The
	 * lowest byte comes first.
	 */
	cr_expect_eq(nd_model_memory(scene.model, 0, B, 2, ADDRESS + 8, to, known, 8), 8);
	cr_expect_eq(to[0], 8);
	cr_expect_eq(nd_model_memory(scene.model, 0, B, 4, ADDRESS + 8, to, NULL, 8), 8);
	cr_expect_eq(to[0], 9);
	cr_expect_eq(nd_model_memory(scene.model, 0, B, 4, ADDRESS + 100, to, NULL, 8), 0);
	cr_expect_eq(nd_model_memory(scene.model, 0, A, 0, ADDRESS, to, NULL, 8), 0);
	cr_expect_eq(operation_of(&scene, A, 2)->original, 0x0102030405060708);
	cr_expect_eq(operation_of(&scene, A, 0)->end, ND_MODEL_ACKNOWLEDGED);
}

Test(model, read_without_cm_has_its_packets)
{
	uint8_t to[2500], known[2500];

	for (unsigned i = 0; i < 2; i++) {
		read_request(1 + 3 * i, ADDRESS, 2500);
		SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_FIRST, .psn = 1 + 3 * i,
			.bytes = SCENE_MTU, .fill = 1);
		if (i == 0)
			SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_MIDDLE,
				.psn = 2 + 3 * i, .bytes = SCENE_MTU, .fill = 2);
		SEND(&scene, .from = B, .opcode = WIRE_RC_READ_RESPONSE_LAST, .psn = 3 + 3 * i,
			.bytes = 2500 - 2 * SCENE_MTU, .fill = 3);
	}
	cr_assert(nd_model_finish(scene.model));
	cr_expect_eq(operation_of(&scene, A, 0)->packets, 3);
	cr_expect_eq(operation_of(&scene, A, 0)->end, ND_MODEL_ACKNOWLEDGED);
	cr_expect_eq(nd_model_payload(scene.model, 0, A, 0, 0, to, known, sizeof(to)), 2500);
	cr_expect_eq(to[SCENE_MTU], 2);
	/* The response of the second READ lacks its Middle packet. */
	cr_expect_neq(operation_of(&scene, A, 1)->end, ND_MODEL_ACKNOWLEDGED);
	cr_expect_eq(nd_model_payload(scene.model, 0, A, 1, 0, to, known, sizeof(to)), 2500);
	cr_expect_eq(known[SCENE_MTU - 1], 1);
	cr_expect_eq(known[SCENE_MTU], 0);
	cr_expect_eq(to[SCENE_MTU], 0);
	cr_expect_eq(to[2 * SCENE_MTU], 3);
	cr_expect_eq(nd_model_payload_known(scene.model, 0, A, 1), 2500 - SCENE_MTU);
	cr_expect_eq(nd_model_payload(scene.model, 0, A, 1, 2499, to, NULL, 100), 1);
	cr_expect_eq(nd_model_payload(scene.model, 0, A, 1, 2500, to, NULL, 100), 0);
}

static uint64_t
limit_count(enum nd_model_limit_kind kind)
{
	const struct nd_model_limit *limit;
	uint64_t count = 0;

	for (size_t i = 0; (limit = nd_model_limit(scene.model, i)) != NULL; i++)
		if (limit->kind == kind)
			count += limit->count;
	return count;
}

Test(model, write_that_lacks_a_packet_is_known_in_part)
{
	uint8_t to[3000], known[3000];

	scene_connect(&scene);
	SEND(&scene, .opcode = WIRE_RC_WRITE_FIRST, .psn = SCENE_PSN_A, .address = ADDRESS,
		.rkey = KEY, .length = 3000, .bytes = SCENE_MTU, .fill = 1);
	SEND(&scene, .opcode = WIRE_RC_WRITE_LAST, .psn = SCENE_PSN_A + 2,
		.bytes = 3000 - 2 * SCENE_MTU, .fill = 3);
	ACK(&scene, SCENE_PSN_A + 2, 1);
	cr_assert(nd_model_finish(scene.model));
	cr_expect_eq(nd_model_connection(scene.model, 0)->side[A].operations, 1);
	cr_expect_eq(operation_of(&scene, A, 0)->bytes, 3000);
	cr_expect(operation_of(&scene, A, 0)->bytes_known);
	cr_expect_not(operation_of(&scene, A, 0)->whole);
	cr_expect_eq(nd_model_payload(scene.model, 0, A, 0, 0, to, known, sizeof(to)), 3000);
	cr_expect_eq(known[SCENE_MTU], 0);
	cr_expect_eq(known[2 * SCENE_MTU], 1);
	cr_expect_eq(to[2 * SCENE_MTU], 3);
	cr_assert_eq(nd_model_fault_count(scene.model), 1);
	cr_expect_eq(nd_model_fault(scene.model, 0)->kind, ND_MODEL_FAULT_UNCAPTURED);
	cr_expect_eq(nd_model_fault(scene.model, 0)->psn, SCENE_PSN_A + 1);
	cr_expect_eq(limit_count(ND_MODEL_LIMIT_FRAMES), 1);
	cr_expect_eq(limit_count(ND_MODEL_LIMIT_OPEN_END), 1);
}

Test(model, one_way_tells_what_was_sent)
{
	for (uint32_t i = 0; i < 5; i++)
		SEND_ONLY(&scene, SCENE_PSN_A + i);
	cr_assert(nd_model_finish(scene.model));
	cr_expect_eq(nd_model_connection(scene.model, 0)->side[A].operations, 5);
	cr_expect_eq(operation_of(&scene, A, 4)->end, ND_MODEL_UNANSWERED);
	cr_expect_eq(nd_model_fault_count(scene.model), 0);
	cr_expect_eq(limit_count(ND_MODEL_LIMIT_ONE_WAY), 1);
	cr_expect_eq(limit_count(ND_MODEL_LIMIT_MIDDLE), 1);
	cr_expect_eq(limit_count(ND_MODEL_LIMIT_QPN), 1);
	cr_expect_eq(limit_count(ND_MODEL_LIMIT_MTU), 1);
}

Test(model, capture_that_begins_in_a_message)
{
	SEND(&scene, .opcode = WIRE_RC_SEND_MIDDLE, .psn = 5, .bytes = SCENE_MTU);
	SEND(&scene, .opcode = WIRE_RC_SEND_LAST, .psn = 6, .bytes = 10);
	SEND(&scene, .opcode = WIRE_RC_SEND_ONLY, .psn = 7, .bytes = 10);
	ACK(&scene, 7, 12);
	cr_assert(nd_model_finish(scene.model));
	cr_assert_eq(nd_model_connection(scene.model, 0)->side[A].operations, 2);
	cr_expect_not(operation_of(&scene, A, 0)->whole);
	cr_expect_not(operation_of(&scene, A, 0)->bytes_known);
	cr_expect_eq(operation_of(&scene, A, 0)->bytes, SCENE_MTU + 10);
	cr_expect(operation_of(&scene, A, 1)->whole);
}

Test(model, decode_reads_headers_behind_tags)
{
	struct packet packet = {.opcode = WIRE_RC_WRITE_ONLY,
		.psn = 9,
		.address = ADDRESS,
		.rkey = KEY,
		.length = 8,
		.bytes = 8,
		.fill = 0x77};
	struct nd_model_headers headers;
	uint8_t tagged[256];

	scene_build(&scene, &packet);
	cr_assert(nd_model_decode(scene.bytes, scene.count, &headers));
	cr_expect_eq(headers.psn, 9);
	cr_expect_eq(headers.key, KEY);
	cr_expect_eq(headers.address, ADDRESS);
	cr_expect_eq(headers.destination_qpn, SCENE_QPN_B);
	cr_expect_eq(scene.bytes[headers.payload_offset], 0x77);
	/* The frame has two VLAN tags with types that the parser of the library does not know. */
	memcpy(tagged, scene.bytes, 12);
	memcpy(tagged + 12, "\x88\xA8\0\1\x81\0\0\2", 8);
	memcpy(tagged + 20, scene.bytes + 12, scene.count - 12);
	cr_assert(nd_model_decode(tagged, scene.count + 8, &headers));
	cr_expect_eq(tagged[headers.payload_offset], 0x77);
	cr_expect_neq(tagged[headers.payload_offset - 1], 0x77);
	scene.bytes[scene.count - 1] ^= 1;
	cr_expect(nd_model_decode(scene.bytes, scene.count, &headers), "whatever the ICRC");
	cr_expect_not(nd_model_decode(scene.bytes, scene.count - 1, &headers));
	cr_expect_not(nd_model_decode(scene.bytes, 0, &headers));
}

Test(model, payload_behind_a_tag)
{
	struct packet packet = {
		.opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_A, .bytes = 8, .fill = 0x77};
	uint8_t tagged[256], to[8];

	scene_connect(&scene);
	scene_build(&scene, &packet);
	memcpy(tagged, scene.bytes, 12);
	memcpy(tagged + 12, "\x88\xA8\0\1", 4);
	memcpy(tagged + 16, scene.bytes + 12, scene.count - 12);
	nd_model_frame(scene.model, scene.now_ns + 1000, tagged, scene.count + 4, scene.count + 4);
	cr_assert(nd_model_finish(scene.model));
	cr_expect_eq(nd_model_payload(scene.model, 0, A, 0, 0, to, NULL, 8), 8);
	for (size_t i = 0; i < 8; i++)
		cr_expect_eq(to[i], 0x77, "byte %zu is 0x%02x", i, to[i]);
}

Test(model, nothing_fed_is_an_empty_model)
{
	struct nd_model_frame frame;
	size_t bytes = 1;

	cr_assert(nd_model_finish(scene.model));
	cr_expect_eq(nd_model_frame_count(scene.model), 0);
	cr_expect_eq(nd_model_connection_count(scene.model), 0);
	cr_expect_eq(nd_model_limit_count(scene.model), 0);
	cr_expect_not(nd_model_frame_get(scene.model, 1, &frame));
	cr_expect_null(nd_model_frame_bytes(scene.model, 1, &bytes));
	cr_expect_eq(bytes, 0);
	cr_expect_null(nd_model_operation(scene.model, 0, 0, 0));
	cr_expect_null(nd_model_operation(scene.model, 0, 2, 0));
}
