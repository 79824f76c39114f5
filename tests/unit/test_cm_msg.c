/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/cm_msg.h"

#include <stddef.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_common.h>

#include "base/be.h"
#include "base/random.h"
#include "unit/wire_frame.h"
#include "wire/cm_fields.h"

/* The MAD follows the BTH and the DETH. */
#define MAD_OFFSET (14 + 20 + 8 + 12 + 8)

/* One field of a message, with its position as in the tables of IBTA. */
struct field {
	const char *name;
	size_t offset, size;
	uint32_t byte, bit, width;
};

#define FIELD_ROW(member, at, msb, bits)                                                           \
	{#member, offsetof(struct wire_cm_msg, member), sizeof(((struct wire_cm_msg *)0)->member), \
		(at) + 24, (msb), (bits)},

#define MESSAGE(message)                                                                           \
	{                                                                                          \
		WIRE_CM_##message, #message, (const struct field[])                                \
		{                                                                                  \
			WIRE_CM_##message##_FIELDS(FIELD_ROW)                                      \
			{                                                                          \
				NULL, 0, 0, 0, 0, 0                                                \
			}                                                                          \
		}                                                                                  \
	}

static const struct {
	enum wire_cm_attribute attribute;
	const char *name;
	const struct field *fields;
} messages[] = {MESSAGE(REQ), MESSAGE(MRA), MESSAGE(REJ), MESSAGE(REP), MESSAGE(RTU), MESSAGE(DREQ),
	MESSAGE(DREP)};

static void
member_fill(struct wire_cm_msg *msg, const struct field *field, struct base_random *random)
{
	uint8_t *member = (uint8_t *)msg + field->offset;
	uint64_t value = base_random_u64(random);

	if (field->width > 64) {
		for (uint32_t i = 0; i < field->width / 8; i++)
			member[i] = (uint8_t)base_random_u32(random);
		return;
	}
	if (field->width < 64)
		value &= (UINT64_C(1) << field->width) - 1;
	memcpy(member, &value, field->size);
}

static void
msg_fill(struct wire_cm_msg *msg, size_t which, struct base_random *random)
{
	memset(msg, 0, sizeof(*msg));
	msg->attribute = messages[which].attribute;
	msg->transaction_id = base_random_u64(random);
	for (const struct field *field = messages[which].fields; field->name != NULL; field++)
		member_fill(msg, field, random);
}

/* B-006: the encoder writes all bytes of the MAD, even if the buffer contained other data. */
Test(cm_msg, random_messages_survive_the_round_trip)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {60};
	struct base_random random;

	base_random_seed(&random, seed);
	for (int round = 0; round < 700; round++) {
		struct wire_cm_msg in, out;
		uint8_t mad[LIMIT_MAD_BYTES];

		msg_fill(&in, (size_t)round % RTE_DIM(messages), &random);
		memset(mad, 0xA5, sizeof(mad));
		memset(&out, 0xA5, sizeof(out));
		wire_cm_encode(&in, mad);
		cr_assert_eq(wire_cm_decode(mad, sizeof(mad), &out), WIRE_MAD_OK);
		cr_assert_arr_eq(&out, &in, sizeof(in), "seed 60 round %d: %s", round,
			messages[(size_t)round % RTE_DIM(messages)].name);
	}
}

/*
 * Set all bits of all members to 1, including bits for which the field has no room. In the message,
 * bits outside the fields must be 0 (SEC-034).
 */
Test(cm_msg, reserved_bits_are_zero)
{
	for (size_t which = 0; which < RTE_DIM(messages); which++) {
		uint8_t mad[LIMIT_MAD_BYTES], allowed[LIMIT_MAD_BYTES] = {0};
		struct wire_cm_msg msg;

		memset(&msg, 0xFF, sizeof(msg));
		msg.attribute = messages[which].attribute;
		msg.transaction_id = 0;
		for (const struct field *f = messages[which].fields; f->name != NULL; f++)
			for (uint32_t i = 0; i < f->width; i++) {
				uint32_t at = f->byte * 8 + 7 - f->bit + i;

				cr_assert_not(allowed[at / 8] & (0x80 >> at % 8), "%s: %s overlaps",
					messages[which].name, f->name);
				allowed[at / 8] |= (uint8_t)(0x80 >> at % 8);
			}
		memset(mad, 0xA5, sizeof(mad));
		wire_cm_encode(&msg, mad);
		cr_assert_arr_eq(mad,
			((const uint8_t[]){1, 7, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
				(uint8_t)messages[which].attribute, 0, 0, 0, 0, 0, 0}),
			24);
		for (uint32_t i = 24; i < LIMIT_MAD_BYTES; i++)
			cr_assert_eq(mad[i], allowed[i], "%s byte %u is 0x%02x, not 0x%02x",
				messages[which].name, i - 24, mad[i], allowed[i]);
	}
}

Test(cm_msg, private_data_ends_the_message)
{
	for (size_t which = 0; which < RTE_DIM(messages); which++) {
		const struct field *field = messages[which].fields;

		while (strcmp(field->name, "private_data") != 0)
			field++;
		cr_assert_eq(field->byte + field->width / 8, (uint32_t)LIMIT_MAD_BYTES, "%s",
			messages[which].name);
		cr_assert_eq(wire_cm_private_bytes(messages[which].attribute), field->width / 8,
			"%s", messages[which].name);
	}
	cr_assert_eq(wire_cm_private_bytes(WIRE_CM_LAP), 0);
}

static void
vector_decode(unsigned int number, struct wire_cm_msg *msg)
{
	struct frame frame;

	frame_load(&frame, number);
	cr_assert_eq(wire_cm_decode(frame.bytes + MAD_OFFSET, LIMIT_MAD_BYTES, msg), WIRE_MAD_OK,
		"V%u", number);
}

Test(cm_msg, vectors_are_encoded_byte_exact)
{
	for (unsigned int number = 13; number <= 17; number++) {
		uint8_t mad[LIMIT_MAD_BYTES];
		struct wire_cm_msg msg;
		struct frame frame;

		frame_load(&frame, number);
		vector_decode(number, &msg);
		memset(mad, 0xA5, sizeof(mad));
		wire_cm_encode(&msg, mad);
		cr_assert_arr_eq(mad, frame.bytes + MAD_OFFSET, sizeof(mad), "V%u", number);
	}
}

Test(cm_msg, req_reads_as_listed)
{
	struct wire_gid a = wire_gid_from_v4(0xC0000201), b = wire_gid_from_v4(0xC0000202);
	struct wire_cm_msg msg;

	vector_decode(13, &msg);
	cr_assert_eq(msg.attribute, WIRE_CM_REQ);
	cr_assert_eq(msg.transaction_id, UINT64_C(0x00000001A1B2C3D4));
	cr_assert_eq(msg.local_comm_id, 0xA1B2C3D4u);
	cr_assert_eq(msg.remote_comm_id, 0u);
	cr_assert_eq(msg.req.service_id, UINT64_C(0x0000000001061C06));
	cr_assert_eq(msg.req.local_ca_guid, UINT64_C(0x0200000000000001));
	cr_assert_eq(msg.req.local_qkey | msg.req.vendor_id, 0u);
	cr_assert_eq(msg.req.local_qpn, 0x12u);
	cr_assert_eq(msg.req.responder_resources, 1);
	cr_assert_eq(msg.req.initiator_depth, 1);
	cr_assert_eq(msg.req.remote_cm_timeout, 20);
	cr_assert_eq(msg.req.local_cm_timeout, 20);
	cr_assert_eq(msg.req.transport_service, 0);
	cr_assert_not(msg.req.flow_control || msg.req.srq || msg.req.rdc_exists);
	cr_assert_eq(msg.req.starting_psn, 0x5A5A5Au);
	cr_assert_eq(msg.req.retry_count, 7);
	cr_assert_eq(msg.req.rnr_retry_count, 7);
	cr_assert_eq(msg.req.pkey, 0xFFFF);
	cr_assert_eq(msg.req.path_mtu, 3);
	cr_assert_eq(msg.req.max_cm_retries, 15);
	cr_assert_eq(msg.req.extended_transport, 0);
	cr_assert_eq(msg.req.local_lid, 0xFFFF);
	cr_assert_eq(msg.req.remote_lid, 0xFFFF);
	cr_assert(wire_gid_equal(&msg.req.local_gid, &a));
	cr_assert(wire_gid_equal(&msg.req.remote_gid, &b));
	cr_assert_eq(msg.req.flow_label, 0x307C6u);
	cr_assert_eq(msg.req.packet_rate, 0);
	cr_assert_eq(msg.req.traffic_class, 0);
	cr_assert_eq(msg.req.hop_limit, 64);
	cr_assert_eq(msg.req.service_level, 0);
	cr_assert_not(msg.req.subnet_local);
	cr_assert_eq(msg.req.ack_timeout, 17);
	cr_assert_eq(msg.req.alternate_local_lid, 0);
}

Test(cm_msg, rep_reads_as_listed)
{
	struct wire_cm_msg msg;

	vector_decode(14, &msg);
	cr_assert_eq(msg.attribute, WIRE_CM_REP);
	cr_assert_eq(msg.local_comm_id, 0x0BADCAFEu);
	cr_assert_eq(msg.remote_comm_id, 0xA1B2C3D4u);
	cr_assert_eq(msg.rep.local_qkey, 0u);
	cr_assert_eq(msg.rep.local_qpn, 0x13u);
	cr_assert_eq(msg.rep.starting_psn, 0x000777u);
	cr_assert_eq(msg.rep.responder_resources, 1);
	cr_assert_eq(msg.rep.initiator_depth, 1);
	cr_assert_eq(msg.rep.target_ack_delay, 15);
	cr_assert_eq(msg.rep.failover, 0);
	cr_assert_eq(msg.rep.rnr_retry_count, 7);
	cr_assert_not(msg.rep.flow_control || msg.rep.srq);
	cr_assert_eq(msg.rep.local_ca_guid, UINT64_C(0x0200000000000002));
}

Test(cm_msg, rtu_dreq_and_rej_read_as_listed)
{
	struct wire_cm_msg msg;

	vector_decode(15, &msg);
	cr_assert_eq(msg.attribute, WIRE_CM_RTU);
	cr_assert_eq(msg.local_comm_id, 0xA1B2C3D4u);
	cr_assert_eq(msg.remote_comm_id, 0x0BADCAFEu);
	vector_decode(16, &msg);
	cr_assert_eq(msg.attribute, WIRE_CM_DREQ);
	cr_assert_eq(msg.transaction_id, UINT64_C(0x00000001A1B2C3D5));
	cr_assert_eq(msg.local_comm_id, 0xA1B2C3D4u);
	cr_assert_eq(msg.remote_comm_id, 0x0BADCAFEu);
	cr_assert_eq(msg.dreq.remote_qpn, 0x13u);
	vector_decode(17, &msg);
	cr_assert_eq(msg.attribute, WIRE_CM_REJ);
	cr_assert_eq(msg.local_comm_id, 0u);
	cr_assert_eq(msg.remote_comm_id, 0xA1B2C3D4u);
	cr_assert_eq(msg.rej.message, 0);
	cr_assert_eq(msg.rej.info_bytes, 0);
	cr_assert_eq(msg.rej.reason, WIRE_REJ_INVALID_SERVICE_ID);
}

/* Change one byte of the RTU in vector V15. @return why the decoder drops the changed message */
static enum wire_mad_drop
changed_drop(size_t offset, uint8_t value)
{
	struct wire_cm_msg msg;
	struct frame frame;

	frame_load(&frame, 15);
	frame.bytes[MAD_OFFSET + offset] = value;
	return wire_cm_decode(frame.bytes + MAD_OFFSET, LIMIT_MAD_BYTES, &msg);
}

Test(cm_msg, foreign_mads_are_refused)
{
	struct wire_cm_msg msg;
	struct frame frame;

	frame_load(&frame, 15);
	cr_assert_eq(wire_cm_decode(frame.bytes + MAD_OFFSET, 255, &msg), WIRE_MAD_LENGTH);
	cr_assert_eq(wire_cm_decode(frame.bytes + MAD_OFFSET, 0, &msg), WIRE_MAD_LENGTH);
	cr_assert_eq(wire_cm_decode(frame.bytes + MAD_OFFSET, 260, &msg), WIRE_MAD_LENGTH);
	cr_assert_eq(changed_drop(0, 2), WIRE_MAD_VERSION);
	cr_assert_eq(changed_drop(1, 0x03), WIRE_MAD_CLASS);
	cr_assert_eq(changed_drop(2, 1), WIRE_MAD_VERSION);
	cr_assert_eq(changed_drop(3, 0x83), WIRE_MAD_CLASS);
	cr_assert_eq(changed_drop(3, 0x01), WIRE_MAD_CLASS);
	cr_assert_eq(changed_drop(17, 0x01), WIRE_MAD_ATTRIBUTE);
	cr_assert_eq(changed_drop(17, 0x0F), WIRE_MAD_ATTRIBUTE);
	for (uint8_t attribute = WIRE_CM_LAP; attribute <= 0x1B; attribute++)
		cr_assert_eq(changed_drop(17, attribute), WIRE_MAD_ATTRIBUTE, "0x%x", attribute);
	cr_assert_eq(changed_drop(16, 0x01), WIRE_MAD_ATTRIBUTE);
	cr_assert_eq(changed_drop(17, WIRE_CM_DREP), WIRE_MAD_OK);
}

Test(cm_msg, any_bytes_are_decoded_without_harm)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {61};
	struct base_random random;

	base_random_seed(&random, seed);
	for (int round = 0; round < 20000; round++) {
		uint8_t mad[LIMIT_MAD_BYTES], again[LIMIT_MAD_BYTES];
		struct wire_cm_msg msg, second;

		for (uint32_t i = 0; i < LIMIT_MAD_BYTES; i++)
			mad[i] = (uint8_t)base_random_u32(&random);
		memcpy(mad, "\x01\x07\x02\x03", 4);
		be_store16(mad + 16, (uint16_t)(0x10 + base_random_below(&random, 9)));
		cr_assert_eq(wire_cm_decode(mad, sizeof(mad), &msg), WIRE_MAD_OK);
		wire_cm_encode(&msg, again);
		cr_assert_eq(wire_cm_decode(again, sizeof(again), &second), WIRE_MAD_OK);
		cr_assert_arr_eq(&second, &msg, sizeof(msg), "seed 61 round %d", round);
	}
}

Test(cm_msg, path_mtu_codes_are_those_of_the_specification)
{
	static const uint16_t bytes[] = {256, 512, 1024, 2048, 4096};

	cr_assert_not(wire_pmtu_code_valid(0));
	cr_assert_not(wire_pmtu_code_valid(RTE_DIM(bytes) + 1));
	for (uint8_t code = 1; code <= RTE_DIM(bytes); code++) {
		cr_assert(wire_pmtu_code_valid(code));
		cr_assert_eq(wire_pmtu_bytes(code), bytes[code - 1]);
		cr_assert_eq(wire_pmtu_code(bytes[code - 1]), code);
	}
}

Test(cm_msg, service_id_has_protocol_and_port)
{
	cr_assert_eq(wire_service_id(6, 7174), UINT64_C(0x0000000001061C06));
	cr_assert_eq(wire_service_id(255, 65535), UINT64_C(0x0000000001FFFFFF));
}

Test(cm_msg, ip_cm_header_reads_as_listed)
{
	struct wire_gid a = wire_gid_from_v4(0xC0000201), b = wire_gid_from_v4(0xC0000202);
	uint8_t bytes[WIRE_IP_CM_BYTES];
	struct wire_ip_cm header;
	struct wire_cm_msg msg;

	vector_decode(13, &msg);
	wire_ip_cm_load(msg.private_data, &header);
	cr_assert_eq(header.version, 0);
	cr_assert_eq(header.ip_version, 4);
	cr_assert_eq(header.src_port, 40000);
	cr_assert(wire_gid_equal(&header.src, &a));
	cr_assert(wire_gid_equal(&header.dst, &b));
	memset(bytes, 0xA5, sizeof(bytes));
	wire_ip_cm_store(bytes, &header);
	cr_assert_arr_eq(bytes, msg.private_data, sizeof(bytes));
}

Test(cm_msg, ip_cm_header_of_ipv6_survives_the_round_trip)
{
	struct wire_ip_cm in = {.ip_version = 6,
		.src_port = 0x1234,
		.src = {{0x20, 0x01, 0x0D, 0xB8, [15] = 1}},
		.dst = {{0x20, 0x01, 0x0D, 0xB8, [15] = 2}}};
	uint8_t bytes[WIRE_IP_CM_BYTES];
	struct wire_ip_cm out;

	memset(bytes, 0xA5, sizeof(bytes));
	wire_ip_cm_store(bytes, &in);
	cr_assert_arr_eq(bytes, "\x00\x60\x12\x34\x20\x01\x0D\xB8", 8);
	cr_assert_eq(bytes[35], 2);
	wire_ip_cm_load(bytes, &out);
	cr_assert_eq(out.version, 0);
	cr_assert_eq(out.ip_version, 6);
	cr_assert_eq(out.src_port, 0x1234);
	cr_assert(wire_gid_equal(&out.src, &in.src) && wire_gid_equal(&out.dst, &in.dst));
}

/* IBTA 12.11: check the layout of SIDR_REQ and SIDR_REP byte by byte. */
Test(cm_msg, sidr_messages_have_the_layout_of_the_specification)
{
	struct wire_cm_msg out = {
		.attribute = WIRE_CM_SIDR_REP,
		.transaction_id = UINT64_C(0x0102030405060708),
		.local_comm_id = 0x11223344,
		.sidr_rep = {.status = WIRE_SIDR_UNSUPPORTED,
			.qpn = 0xABCDEF,
			.service_id = UINT64_C(0x1122334455667788),
			.qkey = 0x01234567},
	};
	uint8_t mad[LIMIT_MAD_BYTES] = {0};
	struct wire_cm_msg in;

	wire_cm_encode(&out, mad);
	cr_assert_eq(be_load16(mad + 16), 0x18);
	cr_assert_eq(be_load32(mad + 24), 0x11223344);
	cr_assert_eq(mad[24 + 4], 1);
	cr_assert_eq(mad[24 + 5], 0);
	cr_assert_eq(be_load32(mad + 24 + 8), 0xABCDEF00);
	cr_assert_eq(be_load64(mad + 24 + 12), UINT64_C(0x1122334455667788));
	cr_assert_eq(be_load32(mad + 24 + 20), 0x01234567);
	mad[17] = 0x17;
	memset(mad + 24 + 4, 0, LIMIT_MAD_BYTES - 28);
	be_store16(mad + 24 + 4, 0xFFFF);
	be_store64(mad + 24 + 8, UINT64_C(0x0000000001110BB8));
	mad[24 + 16] = 0x5A;
	cr_assert_eq(wire_cm_decode(mad, sizeof(mad), &in), WIRE_MAD_OK);
	cr_assert_eq(in.attribute, WIRE_CM_SIDR_REQ);
	cr_assert_eq(in.local_comm_id, 0x11223344);
	cr_assert_eq(in.sidr_req.pkey, 0xFFFF);
	cr_assert_eq(in.sidr_req.service_id, UINT64_C(0x0000000001110BB8));
	cr_assert_eq(in.private_data[0], 0x5A);
	cr_assert_eq(wire_cm_private_bytes(WIRE_CM_SIDR_REQ), 216);
	cr_assert_eq(wire_cm_private_bytes(WIRE_CM_SIDR_REP), 136);
}

Test(cm_msg, attributes_have_names)
{
	for (size_t which = 0; which < RTE_DIM(messages); which++)
		cr_assert_str_eq(
			wire_cm_attribute_name(messages[which].attribute), messages[which].name);
	cr_assert_str_eq(wire_cm_attribute_name(WIRE_CM_SIDR_REP), "SIDR_REP");
	cr_assert_str_eq(wire_cm_attribute_name((enum wire_cm_attribute)0x0F), "CM?");
	cr_assert_str_eq(wire_cm_attribute_name((enum wire_cm_attribute)0x1B), "CM?");
}
