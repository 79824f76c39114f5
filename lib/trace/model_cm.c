/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include <rte_common.h>

#include "trace/model.h"

/* Derives facts from the CM messages of a connection, and from the first packets of its sides. */

#define COPIES_REACH       64u
#define SERVICE_PORT_SHIFT 24

static uint64_t
frame_time(const struct nd_model *model, const struct model_packet *packet)
{
	return model_frame_of(model, packet)->report.time_ns;
}

/* @return true if the same message of the connection was captured before. */
static bool
is_copy(const struct nd_model *model, const struct model_connection *of,
	const struct nd_model_cm_message *message)
{
	const struct nd_model_cm_message *messages = model->cm.items;
	size_t count = model->cm.count - of->first_cm;

	for (size_t n = 0; n < RTE_MIN(count, (size_t)COPIES_REACH); n++) {
		const struct nd_model_cm_message *other = &messages[model->cm.count - 1 - n];

		if (other->attribute == message->attribute && other->side == message->side &&
			other->transaction_id == message->transaction_id &&
			other->local_comm_id == message->local_comm_id &&
			other->remote_comm_id == message->remote_comm_id)
			return true;
	}
	return false;
}

static void
req_take(struct model_connection *of, const struct wire_cm_req *req)
{
	struct nd_model_connection *report = &of->report;

	if (report->req_seen)
		return;
	report->req_seen = true;
	report->service_id = req->service_id;
	if (req->service_id >> SERVICE_PORT_SHIFT == WIRE_SERVICE_PREFIX >> SERVICE_PORT_SHIFT)
		report->service_port = (uint16_t)req->service_id;
	report->ack_timeout = req->ack_timeout;
	report->retry_count = req->retry_count;
	report->max_cm_retries = req->max_cm_retries;
	report->remote_cm_timeout = req->remote_cm_timeout;
	report->path_mtu_told = wire_pmtu_code_valid(req->path_mtu);
	report->side[0].initiator_depth = req->initiator_depth;
	report->side[0].responder_resources = req->responder_resources;
	report->side[0].rnr_retry_count = req->rnr_retry_count;
	report->side[1].first_psn = req->starting_psn;
	report->side[1].first_psn_known = true;
	report->side[1].first_psn_told = true;
}

static void
rep_take(struct model_connection *of, const struct wire_cm_rep *rep)
{
	struct nd_model_connection *report = &of->report;

	if (report->side[0].first_psn_told)
		return;
	report->side[1].initiator_depth = rep->initiator_depth;
	report->side[1].responder_resources = rep->responder_resources;
	report->side[1].rnr_retry_count = rep->rnr_retry_count;
	report->side[0].first_psn = rep->starting_psn;
	report->side[0].first_psn_known = true;
	report->side[0].first_psn_told = true;
}

static void
close_take(struct nd_model_connection *report, enum nd_model_close close,
	const struct nd_model_cm_message *message)
{
	if (report->close != ND_MODEL_OPEN)
		return;
	report->close = close;
	report->closed_by = message->side;
	report->closed_frame = message->frame;
	report->closed_ns = message->time_ns;
}

static void
contents_take(struct model_connection *of, const struct wire_cm_msg *msg,
	struct nd_model_cm_message *message)
{
	struct nd_model_side *sender = &of->report.side[message->side];

	if (sender->comm_id == 0)
		sender->comm_id = msg->local_comm_id;
	switch (msg->attribute) {
	case WIRE_CM_REQ:
		req_take(of, &msg->req);
		break;
	case WIRE_CM_REP:
		rep_take(of, &msg->rep);
		break;
	case WIRE_CM_REJ:
		message->reject_reason = msg->rej.reason;
		close_take(&of->report, ND_MODEL_REJECTED, message);
		break;
	case WIRE_CM_DREQ:
		close_take(&of->report, ND_MODEL_DISCONNECTED, message);
		break;
	case WIRE_CM_MRA:
	case WIRE_CM_RTU:
	case WIRE_CM_DREP:
	case WIRE_CM_SIDR_REQ:
	case WIRE_CM_SIDR_REP:
	case WIRE_CM_LAP:
	case WIRE_CM_APR:
		break;
	}
}

static void
message_take(struct nd_model *model, struct model_connection *of, const struct model_packet *packet)
{
	struct model_frame *frame = model_frame_of(model, packet);
	const uint8_t *mad = model->store + packet->payload_at;
	struct nd_model_cm_message message, *added;
	struct wire_cm_msg msg;

	if (wire_cm_decode(mad, packet->payload_bytes, &msg) != WIRE_MAD_OK)
		return;
	message = (struct nd_model_cm_message){
		.frame = packet->frame + 1,
		.time_ns = frame_time(model, packet),
		.side = frame->report.side,
		.attribute = (uint8_t)msg.attribute,
		.transaction_id = msg.transaction_id,
		.local_comm_id = msg.local_comm_id,
		.remote_comm_id = msg.remote_comm_id,
		.private_bytes = wire_cm_private_bytes(msg.attribute),
	};
	/* In every message, the private data are the last field of the MAD. */
	message.private_data = mad + LIMIT_MAD_BYTES - message.private_bytes;
	message.repeated = is_copy(model, of, &message);
	frame->report.cm_attribute = message.attribute;
	frame->report.repeated = message.repeated;
	contents_take(of, &msg, &message);
	added = model_array_add(&model->cm, sizeof(*added));
	if (added == NULL) {
		model->starved = true;
		return;
	}
	*added = message;
	of->report.cm_messages++;
}

/*
 * Copy the header fields that all packets of a side have in common. The DSCP of Acknowledges may
 * differ from the DSCP of other packets.
 */
static void
sender_take(const struct nd_model *model, struct nd_model_side *side,
	const struct model_frame *frame, bool data)
{
	struct nd_model_headers headers;
	const bool placed = side->mac[0] != 0 || memcmp(side->mac, side->mac + 1, 5) != 0;
	const bool complete = side->data_seen && !side->only_acks && side->ack_seen;
	bool is_ack;

	if ((placed && !data) || complete ||
		!nd_model_decode(
			model->store + frame->store_at, frame->report.captured_bytes, &headers))
		return;
	is_ack = data && headers.opcode == WIRE_RC_ACKNOWLEDGE;
	if (is_ack && !side->ack_seen) {
		side->ack_seen = true;
		side->ack_tos = headers.tos;
	}
	if (data && side->data_seen && side->only_acks && !is_ack) {
		side->only_acks = false;
		side->tos = headers.tos;
	}
	if (side->data_seen)
		return;
	memcpy(side->mac, headers.source_mac, sizeof(side->mac));
	memcpy(side->ip, headers.source_ip, sizeof(side->ip));
	side->vlan = headers.vlan;
	side->vlan_tci = headers.vlan_tci;
	side->tos = headers.tos;
	side->ttl = headers.ttl;
	if (!data)
		return;
	side->udp_source_port = headers.udp_source_port;
	side->data_seen = true;
	side->only_acks = is_ack;
}

void
model_cm_build(struct nd_model *model, size_t connection)
{
	struct model_connection *of = model_connection_at(model, connection);
	struct nd_model_connection *report = &of->report;

	of->first_cm = model->cm.count;
	report->cm = report->report->cm;
	report->reject_reason = report->report->reject_reason;
	report->first_frame = report->report->first_frame;
	report->last_frame = report->report->last_frame;
	for (unsigned side = 0; side < 2; side++)
		report->side[side].qpn = report->report->side[side].qpn;
	for (size_t i = 0; i < of->packet_count; i++) {
		const struct model_packet *packet =
			model_packet_at(model, model->order[of->first_packet + i]);
		const struct model_frame *frame = model_frame_of(model, packet);

		if (frame->report.part == ND_MODEL_FRAME_CORRUPTED)
			continue;
		sender_take(model, &report->side[frame->report.side], frame,
			frame->report.part != ND_MODEL_FRAME_CM);
		if (frame->report.part == ND_MODEL_FRAME_CM)
			message_take(model, of, packet);
	}
}

void
model_close_build(struct nd_model *model, size_t connection)
{
	struct model_connection *of = model_connection_at(model, connection);
	struct nd_model_connection *report = &of->report;

	for (unsigned side = 0; side < 2; side++) {
		uint64_t frame = of->side[side].fatal_frame;
		const struct model_frame *found;

		if (frame == 0 ||
			(report->close != ND_MODEL_OPEN &&
				(report->close != ND_MODEL_FAILED || report->closed_frame < frame)))
			continue;
		found = model_array_at(&model->frames, (size_t)frame - 1);
		report->close = ND_MODEL_FAILED;
		report->closed_by = !side;
		report->closed_frame = frame;
		report->closed_ns = found->report.time_ns;
	}
}
