/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/dump.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include <rte_common.h>

#include "base/assert.h"

/* Buffer for a line of text. length is less than size. */
struct line {
	char *text;
	size_t size;
	size_t length;
};

static void line_add(struct line *line, const char *format, ...) __rte_format_printf(2, 3);

static void
line_add(struct line *line, const char *format, ...)
{
	size_t room = line->size - line->length;
	va_list arguments;
	int wanted;

	va_start(arguments, format);
	wanted = vsnprintf(line->text + line->length, room, format, arguments);
	va_end(arguments);
	if (wanted > 0)
		line->length += RTE_MIN((size_t)wanted, room - 1);
}

static void
flags_add(struct line *line, const struct wire_view *view)
{
	const struct wire_bth_value *bth = &view->bth;

	if (view->vlan)
		line_add(line, " vlan %u", view->vlan_tci & WIRE_VLAN_ID_MASK);
	if (view->tos != 0)
		line_add(line, " tos 0x%02x", view->tos);
	line_add(line, "%s%s%s%s%s", bth->solicited ? " SE" : "", bth->migrated ? " M" : "",
		bth->ack_request ? " A" : "", bth->fecn ? " F" : "", bth->becn ? " B" : "");
}

static void
nak_add(struct line *line, uint8_t syndrome)
{
	switch (syndrome) {
	case WIRE_NAK_SEQUENCE:
		line_add(line, " NAK sequence");
		break;
	case WIRE_NAK_INVALID_REQUEST:
		line_add(line, " NAK invalid request");
		break;
	case WIRE_NAK_REMOTE_ACCESS:
		line_add(line, " NAK remote access");
		break;
	case WIRE_NAK_REMOTE_OPERATION:
		line_add(line, " NAK remote operation");
		break;
	default:
		line_add(line, " NAK 0x%02x", syndrome);
	}
}

static void
aeth_add(struct line *line, const struct wire_aeth_value *aeth)
{
	switch (wire_aeth_type(aeth->syndrome)) {
	case WIRE_AETH_ACK:
		line_add(line, " ACK credits %u", aeth->syndrome & 31u);
		break;
	case WIRE_AETH_RNR_NAK:
		line_add(line, " RNR NAK timer %u", aeth->syndrome & 31u);
		break;
	case WIRE_AETH_NAK:
		nak_add(line, aeth->syndrome);
		break;
	case WIRE_AETH_RESERVED:
		line_add(line, " syndrome 0x%02x", aeth->syndrome);
		break;
	}
	line_add(line, " msn %" PRIu32, aeth->msn);
}

static void
atomic_add(struct line *line, const struct wire_view *view)
{
	const struct wire_atomic_value *atomic = &view->atomic;

	line_add(line, " va 0x%" PRIx64 " rkey 0x%" PRIx32, atomic->address, atomic->rkey);
	if (view->bth.opcode == WIRE_RC_COMPARE_SWAP)
		line_add(line, " compare 0x%" PRIx64 " swap 0x%" PRIx64, atomic->compare,
			atomic->swap_add);
	else
		line_add(line, " add 0x%" PRIx64, atomic->swap_add);
}

static void
extensions_add(struct line *line, const struct wire_view *view)
{
	const struct wire_opcode_traits *traits = view->traits;

	if (traits->has_deth)
		line_add(line, " qkey 0x%" PRIx32 " from qp 0x%" PRIx32, view->qkey, view->src_qp);
	if (traits->has_reth)
		line_add(line, " va 0x%" PRIx64 " rkey 0x%" PRIx32 " dma %" PRIu32,
			view->reth.address, view->reth.rkey, view->reth.length_bytes);
	if (traits->has_atomic_eth)
		atomic_add(line, view);
	if (traits->has_aeth)
		aeth_add(line, &view->aeth);
	if (traits->has_atomic_ack_eth)
		line_add(line, " original 0x%" PRIx64, view->atomic_original);
	if (traits->has_imm)
		line_add(line, " imm 0x%" PRIx32, view->immediate);
	if (traits->has_ieth)
		line_add(line, " invalidate 0x%" PRIx32, view->invalidate_rkey);
}

size_t
wire_dump(const struct wire_view *view, char *buffer, size_t size)
{
	struct line line = {.text = buffer, .size = size};
	char src[WIRE_GID_TEXT_BYTES], dst[WIRE_GID_TEXT_BYTES];

	BASE_ASSERT(size > 0);
	line_add(&line, "%s > %s %s", wire_gid_format(&view->src, src, sizeof(src)),
		wire_gid_format(&view->dst, dst, sizeof(dst)), view->traits->name);
	if (view->traits->kind == WIRE_KIND_UNKNOWN)
		line_add(&line, " 0x%02x", view->bth.opcode);
	line_add(&line, " qp 0x%" PRIx32 " psn %" PRIu32, view->bth.dest_qp, view->bth.psn);
	flags_add(&line, view);
	extensions_add(&line, view);
	if (view->traits->has_payload || view->payload_bytes != 0)
		line_add(&line, " len %u", view->payload_bytes);
	return line.length;
}

static void
req_add(struct line *line, const struct wire_cm_req *req)
{
	char src[WIRE_GID_TEXT_BYTES], dst[WIRE_GID_TEXT_BYTES];

	line_add(line,
		" service 0x%016" PRIx64 " qpn 0x%" PRIx32 " psn %" PRIu32 " guid 0x%016" PRIx64,
		req->service_id, req->local_qpn, req->starting_psn, req->local_ca_guid);
	line_add(line, " resources %u depth %u mtu %u retry %u rnr %u timeout %u",
		req->responder_resources, req->initiator_depth,
		wire_pmtu_code_valid(req->path_mtu) ? wire_pmtu_bytes(req->path_mtu) : 0u,
		req->retry_count, req->rnr_retry_count, req->ack_timeout);
	line_add(line, " %s > %s", wire_gid_format(&req->local_gid, src, sizeof(src)),
		wire_gid_format(&req->remote_gid, dst, sizeof(dst)));
}

static void
rep_add(struct line *line, const struct wire_cm_rep *rep)
{
	line_add(line, " qpn 0x%" PRIx32 " psn %" PRIu32 " guid 0x%016" PRIx64, rep->local_qpn,
		rep->starting_psn, rep->local_ca_guid);
	line_add(line, " resources %u depth %u rnr %u", rep->responder_resources,
		rep->initiator_depth, rep->rnr_retry_count);
}

size_t
wire_cm_dump(const struct wire_cm_msg *msg, char *buffer, size_t size)
{
	struct line line = {.text = buffer, .size = size};

	BASE_ASSERT(size > 0);
	line_add(&line, "CM %s id 0x%08" PRIx32, wire_cm_attribute_name(msg->attribute),
		msg->local_comm_id);
	if (msg->attribute != WIRE_CM_REQ && msg->attribute != WIRE_CM_SIDR_REQ &&
		msg->attribute != WIRE_CM_SIDR_REP)
		line_add(&line, " of 0x%08" PRIx32, msg->remote_comm_id);
	switch (msg->attribute) {
	case WIRE_CM_REQ:
		req_add(&line, &msg->req);
		break;
	case WIRE_CM_MRA:
		line_add(&line, " message %u timeout %u", msg->mra.message,
			msg->mra.service_timeout);
		break;
	case WIRE_CM_REJ:
		line_add(&line, " message %u reason %u", msg->rej.message, msg->rej.reason);
		break;
	case WIRE_CM_REP:
		rep_add(&line, &msg->rep);
		break;
	case WIRE_CM_DREQ:
		line_add(&line, " qpn 0x%" PRIx32, msg->dreq.remote_qpn);
		break;
	case WIRE_CM_SIDR_REQ:
		line_add(&line, " service 0x%016" PRIx64, msg->sidr_req.service_id);
		break;
	case WIRE_CM_SIDR_REP:
		line_add(&line, " service 0x%016" PRIx64 " status %u", msg->sidr_rep.service_id,
			msg->sidr_rep.status);
		break;
	case WIRE_CM_RTU:
	case WIRE_CM_DREP:
	case WIRE_CM_LAP:
	case WIRE_CM_APR:
		break;
	}
	return line.length;
}
