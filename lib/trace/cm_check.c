/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/cm_follow.h"

#include <inttypes.h>
#include <string.h>

#include <rte_common.h>

#include "base/be.h"

/* Header of a MAD: base version, class, class version, method. */
#define MAD_CLASS_AT     1
#define MAD_CLASS_CM     0x07
#define MAD_ATTRIBUTE_AT 16

/*
 * Offsets in the MAD of a REQ. The message begins at byte 24 of the MAD, and the alternate path at
 * byte 96 of the message.
 */
#define REQ_AT               24
#define REQ_ALTERNATE_AT     (REQ_AT + 96)
/* Offset and size of the GIDs of the alternate path. Two LIDs of 2 bytes each precede the GIDs. */
#define ALTERNATE_GIDS_AT    (REQ_ALTERNATE_AT + 4)
#define ALTERNATE_GIDS_BYTES 32

/*
 * Transport types of a REQ: 0 is RC, 1 is UC, 2 is RD. With type 3 the extended type is valid, and
 * extended type 1 is XRC.
 */
#define TRANSPORT_EXTENDED 3
#define TRANSPORT_XRC      1

void
trace_cm_datagram_check(const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;

	if (view->qkey != WIRE_QKEY_CM)
		trace_violations_add(packet->violations, packet->frame, TRACE_CM_QKEY,
			"datagram to queue pair 1 has Q_Key 0x%08x", view->qkey);
	if (view->src_qp != WIRE_QPN_CM)
		trace_violations_add(packet->violations, packet->frame, TRACE_CM_014,
			"datagram to queue pair 1 comes from queue pair 0x%x", view->src_qp);
	if (view->payload_bytes != LIMIT_MAD_BYTES)
		trace_violations_add(packet->violations, packet->frame, TRACE_CM_MAD,
			"MAD has %u bytes", view->payload_bytes);
}

/*
 * Queue pair 1 also receives MADs of other classes, with other methods and attributes. A MAD is
 * taken as a CM message with a wrong header in two cases: its class is 7, or it has a CM attribute
 * and the transaction ID of a connection.
 */
void
trace_cm_header_check(const uint8_t *mad, bool known, const struct trace_packet *packet)
{
	uint16_t attribute = be_load16(mad + MAD_ATTRIBUTE_AT);

	if (attribute < WIRE_CM_REQ || attribute > WIRE_CM_APR ||
		(mad[MAD_CLASS_AT] != MAD_CLASS_CM && !known))
		return;
	trace_violations_add(packet->violations, packet->frame, TRACE_CM_MAD,
		"MAD with attribute 0x%04x has base version %u, class 0x%02x, class version %u, "
		"method 0x%02x",
		attribute, mad[0], mad[MAD_CLASS_AT], mad[MAD_CLASS_AT + 1], mad[MAD_CLASS_AT + 2]);
}

/*
 * Bytes of the MAD header that are zero in a REQ: status, class-specific field, and the two
 * reserved bytes after the attribute ID.
 */
static const struct {
	uint8_t from, end;
} header_reserved[] = {{4, 8}, {18, 20}};

/* Reserved bits of the alternate path. struct wire_cm_req has no members for this path. */
static const struct {
	uint8_t at, mask;
} alternate_reserved[] = {{134, 0x0F}, {135, 0xC0}, {138, 0x07}, {139, 0x07}};

/*
 * CM-002: reserved bits are zero. Decoding and encoding the REQ again clears all bits that belong
 * to no field.
 */
static void
reserved_check(const struct wire_cm_msg *msg, const uint8_t *mad, const struct trace_packet *packet)
{
	uint8_t clean[LIMIT_MAD_BYTES];

	wire_cm_encode(msg, clean);
	for (unsigned i = REQ_AT; i < REQ_ALTERNATE_AT; i++) {
		if (mad[i] == clean[i])
			continue;
		trace_violations_add(packet->violations, packet->frame, TRACE_CM_002,
			"REQ has reserved bits 0x%02x set in byte %u",
			(unsigned)(mad[i] ^ clean[i]), i - REQ_AT);
		return;
	}
	for (unsigned i = 0; i < RTE_DIM(alternate_reserved); i++) {
		const unsigned at = alternate_reserved[i].at;
		const unsigned set = mad[REQ_AT + at] & alternate_reserved[i].mask;

		if (set == 0)
			continue;
		trace_violations_add(packet->violations, packet->frame, TRACE_CM_002,
			"REQ has reserved bits 0x%02x set in byte %u", set, at);
		return;
	}
	for (unsigned i = 0; i < RTE_DIM(header_reserved); i++)
		for (unsigned at = header_reserved[i].from; at < header_reserved[i].end; at++) {
			if (mad[at] == 0)
				continue;
			trace_violations_add(packet->violations, packet->frame, TRACE_CM_002,
				"REQ has 0x%02x in reserved byte %u of its MAD header", mad[at],
				at);
			return;
		}
}

/* CM-TYPE: transport type 3 is defined only with the extended transport type XRC. */
static void
transport_check(const struct wire_cm_msg *msg, const struct trace_packet *packet)
{
	if (msg->req.transport_service == TRANSPORT_EXTENDED &&
		msg->req.extended_transport != TRANSPORT_XRC)
		trace_violations_add(packet->violations, packet->frame, TRACE_CM_TYPE,
			"REQ has transport type 3 with extended type %u",
			msg->req.extended_transport);
}

/*
 * CM-001: judge the alternate path. For Linux, an alternate LID that is not 0 means that there is
 * an alternate path. An alternate path must have GIDs.
 */
static void
alternate_check(
	const struct wire_cm_msg *msg, const uint8_t *mad, const struct trace_packet *packet)
{
	static const uint8_t none[ALTERNATE_GIDS_BYTES];

	if (msg->req.alternate_local_lid != 0 &&
		memcmp(mad + ALTERNATE_GIDS_AT, none, sizeof(none)) == 0)
		trace_violations_add(packet->violations, packet->frame, TRACE_CM_001,
			"REQ has alternate LID 0x%04x but no alternate GIDs",
			msg->req.alternate_local_lid);
}

/* CM-011: check the private header, which only services of the RDMA IP CM have. */
static void
addresses_check(const struct wire_cm_msg *msg, const struct trace_packet *packet)
{
	const struct wire_view *view = &packet->view;
	struct wire_ip_cm header;
	const char *what = NULL;

	wire_ip_cm_load(msg->private_data, &header);
	if ((msg->req.service_id & ~UINT64_C(0xFFFFFF)) == WIRE_SERVICE_PREFIX &&
		header.version != 0) {
		trace_violations_add(packet->violations, packet->frame, TRACE_CM_IP,
			"private header of the REQ has version %u.%u", header.version >> 4,
			header.version & 0x0Fu);
		return;
	}
	if (!wire_gid_equal(&msg->req.local_gid, &view->src))
		what = "local GID";
	else if (!wire_gid_equal(&msg->req.remote_gid, &view->dst))
		what = "remote GID";
	else if ((msg->req.service_id & ~UINT64_C(0xFFFFFF)) != WIRE_SERVICE_PREFIX)
		return;
	else if (header.ip_version != (wire_gid_is_v4(&view->src) ? 4 : 6))
		what = "IP version of the private header";
	else if (!wire_gid_equal(&header.src, &view->src))
		what = "source of the private header";
	else if (!wire_gid_equal(&header.dst, &view->dst))
		what = "destination of the private header";
	if (what != NULL)
		trace_violations_add(packet->violations, packet->frame, TRACE_CM_011,
			"%s of the REQ differs from the packet", what);
}

void
trace_cm_req_check(
	const struct wire_cm_msg *msg, const uint8_t *mad, const struct trace_packet *packet)
{
	reserved_check(msg, mad, packet);
	transport_check(msg, packet);
	alternate_check(msg, mad, packet);
	addresses_check(msg, packet);
	if (!wire_pmtu_code_valid(msg->req.path_mtu))
		trace_violations_add(packet->violations, packet->frame, TRACE_CM_018,
			"REQ has path MTU code %u", msg->req.path_mtu);
}
