/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/fields.h"

#include <rte_common.h>

#include "base/be.h"
#include "base/limits.h"
#include "wire/cm_msg.h"

/*
 * Fields of CM messages. Offsets count from the start of the message, which is byte 24 of the MAD
 * (IBTA vol 1, chapter 12.6; cm_fields.h). For unknown messages and other management classes, all
 * bytes after the header are one field.
 */

#define MAD_CLASS_AT       1u
#define MAD_CLASS_CM       0x07
#define MAD_TRANSACTION_AT 8u
#define MAD_ATTRIBUTE_AT   16u
#define MESSAGE_AT         24u

#define REQ_SERVICE_AT    8u
#define REQ_PRIVATE_AT    140u
#define REQ_PRIVATE_BYTES 92u
/* Private header of the RDMA IP CM (annex A11): version, IP version, port, two addresses. */
#define IP_CM_VERSION_AT  1u
#define IP_CM_SOURCE_AT   4u
#define IP_CM_TARGET_AT   20u
#define IP_CM_BYTES       36u

#define GID_BYTES    16u
#define GID_V4_BYTES 12u /* bytes of a GID before its IPv4 address */

/* Kinds of fields of a message. MAD_GID and MAD_REQ_PRIVATE are handled by a function. */
enum mad_kind { MAD_END, MAD_FIELD, MAD_GID, MAD_REQ_PRIVATE };

struct mad_field {
	enum mad_kind kind;
	enum nd_trace_field_kind field;
	uint16_t at, bytes;
};

#define FIELD(kind, at, bytes)                                                                     \
	{                                                                                          \
		MAD_FIELD, ND_TRACE_FIELD_##kind, at, bytes                                        \
	}
#define GID(at)                                                                                    \
	{                                                                                          \
		MAD_GID, ND_TRACE_FIELD_IPV6, at, GID_BYTES                                        \
	}
#define BOTH_IDS FIELD(COMM_ID, 0, 4), FIELD(COMM_ID, 4, 4)

#define FIELDS_MAX 12u

static const struct mad_field messages[][FIELDS_MAX] = {
	[WIRE_CM_REQ] = {FIELD(COMM_ID, 0, 4), FIELD(GUID, 16, 8), FIELD(KEY, 28, 4), GID(56),
		GID(72), GID(100), GID(116),
		{MAD_REQ_PRIVATE, 0, REQ_PRIVATE_AT, REQ_PRIVATE_BYTES}},
	[WIRE_CM_MRA] = {BOTH_IDS, FIELD(PRIVATE, 10, 222)},
	[WIRE_CM_REJ] = {BOTH_IDS, FIELD(PRIVATE, 12, 72), FIELD(PRIVATE, 84, 148)},
	[WIRE_CM_REP] = {BOTH_IDS, FIELD(KEY, 8, 4), FIELD(GUID, 28, 8), FIELD(PRIVATE, 36, 196)},
	[WIRE_CM_RTU] = {BOTH_IDS, FIELD(PRIVATE, 8, 224)},
	[WIRE_CM_DREQ] = {BOTH_IDS, FIELD(PRIVATE, 12, 220)},
	[WIRE_CM_DREP] = {BOTH_IDS, FIELD(PRIVATE, 8, 224)},
	[WIRE_CM_SIDR_REQ] = {FIELD(COMM_ID, 0, 4), FIELD(PRIVATE, 16, 216)},
	[WIRE_CM_SIDR_REP] = {FIELD(COMM_ID, 0, 4), FIELD(KEY, 20, 4), FIELD(PRIVATE, 24, 72),
		FIELD(PRIVATE, 96, 136)},
	[WIRE_CM_LAP] = {BOTH_IDS, FIELD(PRIVATE, 8, 224)},
	[WIRE_CM_APR] = {BOTH_IDS, FIELD(PRIVATE, 8, 224)},
};

/* Add a GID, which is an IPv6 address or an IPv4-mapped address. */
static void
gid_add(struct nd_trace_layout *layout, const uint8_t *bytes, size_t offset, size_t limit)
{
	static const uint8_t prefix[GID_V4_BYTES] = {[10] = 0xFF, [11] = 0xFF};

	if (offset + GID_BYTES <= limit && memcmp(bytes + offset, prefix, sizeof(prefix)) == 0)
		trace_fields_add(layout, ND_TRACE_FIELD_IPV4, offset + GID_V4_BYTES,
			GID_BYTES - GID_V4_BYTES, limit);
	else
		trace_fields_add(layout, ND_TRACE_FIELD_IPV6, offset, GID_BYTES, limit);
}

/*
 * Add the private data of a REQ. The addresses of the RDMA IP CM precede the data of the
 * application. The first word, with the IP version, is not a field. If the version is unknown, the
 * addresses count as data of the application.
 */
static void
req_private_add(struct nd_trace_layout *layout, const uint8_t *bytes, size_t message, size_t limit)
{
	const size_t at = message + REQ_PRIVATE_AT;
	const size_t end = RTE_MIN(limit, at + REQ_PRIVATE_BYTES);
	size_t rest = at;

	if (end >= at + IP_CM_BYTES &&
		(be_load64(bytes + message + REQ_SERVICE_AT) & ~UINT64_C(0xFFFFFF)) ==
			WIRE_SERVICE_PREFIX) {
		const uint8_t version = bytes[at + IP_CM_VERSION_AT] >> 4;
		const size_t skipped = version == 4 ? GID_V4_BYTES : 0;
		const enum nd_trace_field_kind kind =
			version == 4 ? ND_TRACE_FIELD_IPV4 : ND_TRACE_FIELD_IPV6;

		rest = at + IP_CM_SOURCE_AT;
		if (version == 4 || version == 6) {
			trace_fields_add(layout, kind, at + IP_CM_SOURCE_AT + skipped,
				GID_BYTES - skipped, limit);
			trace_fields_add(layout, kind, at + IP_CM_TARGET_AT + skipped,
				GID_BYTES - skipped, limit);
			rest = at + IP_CM_BYTES;
		}
	}
	if (end > rest)
		trace_fields_add(layout, ND_TRACE_FIELD_PRIVATE, rest, end - rest, limit);
}

void
trace_fields_mad(struct nd_trace_layout *layout, const uint8_t *bytes, size_t offset, size_t limit)
{
	const size_t message = offset + MESSAGE_AT;
	uint16_t attribute;

	trace_fields_add(layout, ND_TRACE_FIELD_TRANSACTION, offset + MAD_TRANSACTION_AT, 8, limit);
	if (limit < offset + MAD_ATTRIBUTE_AT + 2)
		return;
	attribute = be_load16(bytes + offset + MAD_ATTRIBUTE_AT);
	if (bytes[offset + MAD_CLASS_AT] != MAD_CLASS_CM || attribute >= RTE_DIM(messages) ||
		messages[attribute][0].kind == MAD_END) {
		trace_fields_add(layout, ND_TRACE_FIELD_PRIVATE, message, limit, limit);
		return;
	}
	for (const struct mad_field *field = messages[attribute]; field->kind != MAD_END; field++) {
		if (field->kind == MAD_GID)
			gid_add(layout, bytes, message + field->at, limit);
		else if (field->kind == MAD_REQ_PRIVATE)
			req_private_add(layout, bytes, message, limit);
		else
			trace_fields_add(
				layout, field->field, message + field->at, field->bytes, limit);
	}
	if (limit > offset + LIMIT_MAD_BYTES)
		trace_fields_add(
			layout, ND_TRACE_FIELD_PRIVATE, offset + LIMIT_MAD_BYTES, limit, limit);
}
