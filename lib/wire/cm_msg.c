/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/cm_msg.h"

#include <stddef.h>
#include <string.h>

#include <rte_common.h>

#include "base/assert.h"
#include "base/be.h"
#include "wire/cm_fields.h"

/*
 * Decoding and encoding of CM messages. Both use the same table, with one row per field, so that
 * they always agree. No field has special fast code, because CM messages are rare.
 */

#define MAD_HEADER_BYTES   24
#define MAD_BASE_VERSION   1
#define MAD_CLASS_CM       0x07
#define MAD_CLASS_VERSION  2
#define MAD_METHOD_SEND    0x03
#define MAD_TRANSACTION_AT 8
#define MAD_ATTRIBUTE_AT   16

/* Position of a field on the wire and in struct wire_cm_msg. */
struct field {
	uint16_t byte;
	uint16_t width_bits;
	uint16_t offset_bytes;
	uint8_t bit;
	uint8_t size_bytes; /* size of the member; for an array, length of the field */
};

struct layout {
	const char *name;
	const struct field *fields;
	uint8_t field_count;
	uint8_t private_bytes;
};

#define FIELD_ROW(member, at, msb, width)                                                          \
	{                                                                                          \
		.byte = MAD_HEADER_BYTES + (at),                                                   \
		.bit = (msb),                                                                      \
		.width_bits = (width),                                                             \
		.offset_bytes = offsetof(struct wire_cm_msg, member),                              \
		.size_bytes = sizeof(((struct wire_cm_msg *)0)->member),                           \
	},
#define FIELD_CHECK(member, at, msb, width)                                                        \
	static_assert((MAD_HEADER_BYTES + (at)) * 8 + 7 - (msb) + (width) <= LIMIT_MAD_BYTES * 8,  \
		#member " lies in the MAD");                                                       \
	static_assert((width) <= 8 * sizeof(((struct wire_cm_msg *)0)->member),                    \
		#member " is wide enough");                                                        \
	static_assert((width) <= 64 || ((msb) == 7 && (width) % 8 == 0), #member " is whole bytes");

#define FIELDS(message)                                                                            \
	static const struct field message##_fields[] = {WIRE_CM_##message##_FIELDS(FIELD_ROW)}

FIELDS(REQ);
FIELDS(MRA);
FIELDS(REJ);
FIELDS(REP);
FIELDS(RTU);
FIELDS(DREQ);
FIELDS(DREP);
FIELDS(SIDR_REQ);
FIELDS(SIDR_REP);

WIRE_CM_REQ_FIELDS(FIELD_CHECK)
WIRE_CM_MRA_FIELDS(FIELD_CHECK)
WIRE_CM_REJ_FIELDS(FIELD_CHECK)
WIRE_CM_REP_FIELDS(FIELD_CHECK)
WIRE_CM_RTU_FIELDS(FIELD_CHECK)
WIRE_CM_DREQ_FIELDS(FIELD_CHECK)
WIRE_CM_DREP_FIELDS(FIELD_CHECK)
WIRE_CM_SIDR_REQ_FIELDS(FIELD_CHECK)
WIRE_CM_SIDR_REP_FIELDS(FIELD_CHECK)

#define LAYOUT(message, capacity)                                                                  \
	[WIRE_CM_##message - WIRE_CM_REQ] = {                                                      \
		.name = #message,                                                                  \
		.fields = message##_fields,                                                        \
		.field_count = RTE_DIM(message##_fields),                                          \
		.private_bytes = (capacity),                                                       \
	}

static const struct layout layouts[] = {
	LAYOUT(REQ, 92),
	LAYOUT(MRA, 222),
	LAYOUT(REJ, LIMIT_CALLEE_DATA),
	LAYOUT(REP, 196),
	LAYOUT(RTU, 224),
	LAYOUT(DREQ, 220),
	LAYOUT(DREP, 224),
	LAYOUT(SIDR_REQ, 216),
	LAYOUT(SIDR_REP, 136),
	[WIRE_CM_LAP - WIRE_CM_REQ] = {.name = "LAP"},
	[WIRE_CM_APR - WIRE_CM_REQ] = {.name = "APR"},
};

static_assert(LIMIT_CALLER_DATA + WIRE_IP_CM_BYTES == 92, "caller data and its header fill a REQ");

/* @return table of a message's fields; NULL if the attribute is not a CM attribute */
static const struct layout *
layout_of(uint32_t attribute)
{
	uint32_t index = attribute - WIRE_CM_REQ;

	return index < RTE_DIM(layouts) ? &layouts[index] : NULL;
}

uint8_t
wire_cm_private_bytes(enum wire_cm_attribute attribute)
{
	const struct layout *layout = layout_of(attribute);

	return layout == NULL ? 0 : layout->private_bytes;
}

const char *
wire_cm_attribute_name(enum wire_cm_attribute attribute)
{
	const struct layout *layout = layout_of(attribute);

	return layout == NULL ? "CM?" : layout->name;
}

static uint64_t
bits_load(const uint8_t *mad, const struct field *field)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < field->width_bits; i++) {
		uint32_t at = field->byte * 8u + 7 - field->bit + i;

		value = value << 1 | (mad[at / 8] >> (7 - at % 8) & 1);
	}
	return value;
}

/* Store a value in a field whose bits are zero. */
static void
bits_store(uint8_t *mad, const struct field *field, uint64_t value)
{
	for (uint32_t i = 0; i < field->width_bits; i++) {
		uint32_t at = field->byte * 8u + 7 - field->bit + i;
		uint32_t bit = value >> (field->width_bits - 1 - i) & 1;

		mad[at / 8] = (uint8_t)(mad[at / 8] | bit << (7 - at % 8));
	}
}

static void
member_store(uint8_t *member, uint8_t size_bytes, uint64_t value)
{
	const uint8_t v8 = (uint8_t)value;
	const uint16_t v16 = (uint16_t)value;
	const uint32_t v32 = (uint32_t)value;
	const void *from = size_bytes == 1 ? (const void *)&v8
		: size_bytes == 2          ? (const void *)&v16
		: size_bytes == 4          ? (const void *)&v32
					   : (const void *)&value;

	memcpy(member, from, size_bytes);
}

static uint64_t
member_load(const uint8_t *member, uint8_t size_bytes)
{
	uint64_t v64;
	uint32_t v32;
	uint16_t v16;

	switch (size_bytes) {
	case 1:
		return *member;
	case 2:
		memcpy(&v16, member, sizeof(v16));
		return v16;
	case 4:
		memcpy(&v32, member, sizeof(v32));
		return v32;
	default:
		BASE_ASSERT(size_bytes == 8);
		memcpy(&v64, member, sizeof(v64));
		return v64;
	}
}

enum wire_mad_drop
wire_cm_decode(const uint8_t *mad, size_t bytes, struct wire_cm_msg *msg)
{
	const struct layout *layout;

	memset(msg, 0, sizeof(*msg));
	if (bytes != LIMIT_MAD_BYTES)
		return WIRE_MAD_LENGTH;
	if (mad[0] != MAD_BASE_VERSION || mad[2] != MAD_CLASS_VERSION)
		return WIRE_MAD_VERSION;
	if (mad[1] != MAD_CLASS_CM || mad[3] != MAD_METHOD_SEND)
		return WIRE_MAD_CLASS;
	layout = layout_of(be_load16(mad + MAD_ATTRIBUTE_AT));
	if (layout == NULL || layout->field_count == 0)
		return WIRE_MAD_ATTRIBUTE;
	msg->attribute = be_load16(mad + MAD_ATTRIBUTE_AT);
	msg->transaction_id = be_load64(mad + MAD_TRANSACTION_AT);
	for (uint32_t i = 0; i < layout->field_count; i++) {
		const struct field *field = &layout->fields[i];
		uint8_t *member = (uint8_t *)msg + field->offset_bytes;

		if (field->width_bits > 64)
			memcpy(member, mad + field->byte, field->width_bits / 8);
		else
			member_store(member, field->size_bytes, bits_load(mad, field));
	}
	return WIRE_MAD_OK;
}

void
wire_cm_encode(const struct wire_cm_msg *msg, uint8_t mad[LIMIT_MAD_BYTES])
{
	const struct layout *layout = layout_of(msg->attribute);

	BASE_ASSERT(layout != NULL);
	BASE_ASSERT(layout->field_count > 0);
	memset(mad, 0, LIMIT_MAD_BYTES);
	mad[0] = MAD_BASE_VERSION;
	mad[1] = MAD_CLASS_CM;
	mad[2] = MAD_CLASS_VERSION;
	mad[3] = MAD_METHOD_SEND;
	be_store64(mad + MAD_TRANSACTION_AT, msg->transaction_id);
	be_store16(mad + MAD_ATTRIBUTE_AT, (uint16_t)msg->attribute);
	for (uint32_t i = 0; i < layout->field_count; i++) {
		const struct field *field = &layout->fields[i];
		const uint8_t *member = (const uint8_t *)msg + field->offset_bytes;

		if (field->width_bits > 64)
			memcpy(mad + field->byte, member, field->width_bits / 8);
		else
			bits_store(mad, field, member_load(member, field->size_bytes));
	}
}

/* Convert an address of the RDMA IP CM header. IPv4 addresses are in its last four bytes. */
static struct wire_gid
ip_cm_address(const uint8_t bytes[16], uint8_t ip_version)
{
	struct wire_gid gid;

	if (ip_version == 4)
		return wire_gid_from_v4(be_load32(bytes + 12));
	memcpy(gid.raw, bytes, sizeof(gid.raw));
	return gid;
}

void
wire_ip_cm_load(const uint8_t bytes[WIRE_IP_CM_BYTES], struct wire_ip_cm *header)
{
	header->version = bytes[0];
	header->ip_version = bytes[1] >> 4;
	header->src_port = be_load16(bytes + 2);
	header->src = ip_cm_address(bytes + 4, header->ip_version);
	header->dst = ip_cm_address(bytes + 20, header->ip_version);
}

void
wire_ip_cm_store(uint8_t bytes[WIRE_IP_CM_BYTES], const struct wire_ip_cm *header)
{
	memset(bytes, 0, WIRE_IP_CM_BYTES);
	bytes[0] = header->version;
	bytes[1] = (uint8_t)(header->ip_version << 4);
	be_store16(bytes + 2, header->src_port);
	if (header->ip_version == 4) {
		be_store32(bytes + 16, wire_gid_v4(&header->src));
		be_store32(bytes + 32, wire_gid_v4(&header->dst));
	} else {
		memcpy(bytes + 4, header->src.raw, sizeof(header->src.raw));
		memcpy(bytes + 20, header->dst.raw, sizeof(header->dst.raw));
	}
}
