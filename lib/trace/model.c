/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/be.h"

/* Bytes from the IPv4 identification to the BTH: the rest of the IP header, and the UDP header. */
#define IP_ID_BEHIND 24u

#define STORE_MIN ((size_t)65536)

struct nd_model *
nd_model_open_sized(const struct nd_trace_config *config, size_t size)
{
	struct nd_model *model = calloc(1, sizeof(*model));

	if (model == NULL)
		return NULL;
	model->trace = nd_trace_open_sized(config, size);
	if (model->trace == NULL) {
		free(model);
		return NULL;
	}
	return model;
}

static void
connections_free(struct nd_model *model)
{
	struct model_connection *connections = model->connections.items;

	for (size_t i = 0; i < model->connections.count; i++)
		for (unsigned side = 0; side < 2; side++) {
			struct model_side *of = &connections[i].side[side];

			model_array_free(&of->operations);
			model_array_free(&of->pieces);
			model_array_free(&of->repeats);
			model_array_free(&of->receives);
			model_array_free(&of->keys);
			model_array_free(&of->refusals);
			model_array_free(&of->events);
			model_array_free(&of->gaps);
		}
	model_array_free(&model->connections);
}

void
nd_model_close(struct nd_model *model)
{
	if (model == NULL)
		return;
	connections_free(model);
	model_array_free(&model->frames);
	model_array_free(&model->packets);
	model_array_free(&model->cm);
	model_array_free(&model->faults);
	model_array_free(&model->limits);
	nd_trace_close(model->trace);
	free(model->order);
	free(model->store);
	free(model);
}

/* Append bytes to the store. @return true if stored: *at is their offset; false: no memory */
static bool
store_add(struct nd_model *model, const void *bytes, size_t count, size_t *at)
{
	size_t capacity = model->store_capacity == 0 ? STORE_MIN : model->store_capacity;
	uint8_t *grown;

	while (capacity - model->store_bytes < count)
		capacity *= 2;
	if (capacity != model->store_capacity) {
		grown = realloc(model->store, capacity);
		if (grown == NULL)
			return false;
		model->store = grown;
		model->store_capacity = capacity;
	}
	*at = model->store_bytes;
	if (count != 0)
		memcpy(model->store + model->store_bytes, bytes, count);
	model->store_bytes += count;
	return true;
}

static enum nd_model_part
acknowledge_part(uint8_t syndrome)
{
	switch (wire_aeth_type(syndrome)) {
	case WIRE_AETH_RNR_NAK:
		return ND_MODEL_FRAME_RNR_NAK;
	case WIRE_AETH_NAK:
		return ND_MODEL_FRAME_NAK;
	case WIRE_AETH_ACK:
	case WIRE_AETH_RESERVED:
		break;
	}
	return ND_MODEL_FRAME_ACK;
}

static enum nd_model_part
packet_part(const struct wire_view *view)
{
	switch (view->traits->kind) {
	case WIRE_KIND_SEND:
	case WIRE_KIND_WRITE:
	case WIRE_KIND_READ_REQUEST:
	case WIRE_KIND_ATOMIC:
	case WIRE_KIND_EXTENSION:
		return ND_MODEL_FRAME_REQUEST;
	case WIRE_KIND_READ_RESPONSE:
		return ND_MODEL_FRAME_READ_RESPONSE;
	case WIRE_KIND_ACKNOWLEDGE:
		return acknowledge_part(view->aeth.syndrome);
	case WIRE_KIND_ATOMIC_ACKNOWLEDGE:
		return ND_MODEL_FRAME_ATOMIC_ACK;
	case WIRE_KIND_CNP:
		return ND_MODEL_FRAME_CNP;
	case WIRE_KIND_DATAGRAM:
		return trace_is_mad(view) ? ND_MODEL_FRAME_CM : ND_MODEL_FRAME_DATAGRAM;
	case WIRE_KIND_UNKNOWN:
		break;
	}
	return ND_MODEL_FRAME_RESERVED;
}

static enum nd_model_part
frame_part(const struct trace_frame *frame)
{
	switch (frame->class) {
	case TRACE_FRAME_CUT:
		return ND_MODEL_FRAME_CUT;
	case TRACE_FRAME_HIDDEN:
		return ND_MODEL_FRAME_HIDDEN;
	case TRACE_FRAME_MALFORMED:
		return ND_MODEL_FRAME_MALFORMED;
	case TRACE_FRAME_BAD_ICRC:
		return ND_MODEL_FRAME_CORRUPTED;
	case TRACE_FRAME_REFUSED:
		return frame->drop == WIRE_DROP_OPCODE ? ND_MODEL_FRAME_FOREIGN
						       : ND_MODEL_FRAME_MALFORMED;
	case TRACE_FRAME_GOOD:
		return packet_part(&frame->view);
	case TRACE_FRAME_OTHER:
	case TRACE_FRAME_ROCE_V1:
		break;
	}
	return ND_MODEL_FRAME_OTHER;
}

static const struct trace_flow *
flow_of(const struct nd_model *model, const struct wire_view *view)
{
	const struct trace_flow_key key = {
		.src = view->src, .dst = view->dst, .dest_qpn = view->bth.dest_qp};

	return trace_flow_find(&model->trace->table, &key);
}

/* @return the PSN of a request, extended to 64 bits as the trace does when it gets the request */
static uint64_t
request_sequence(const struct nd_model *model, const struct wire_view *view)
{
	const struct trace_flow *flow = flow_of(model, view);
	uint64_t seq;

	if (flow == NULL || !flow->sender.started || flow->sender.broken)
		return 0;
	seq = trace_sender_seq(&flow->sender, view->bth.psn);
	return flow->sender.told && seq < flow->sender.first_seq ? 0 : seq;
}

/* Store the headers of a frame as a packet. @return false: no memory */
static bool
packet_add(struct nd_model *model, const struct trace_frame *classified, size_t payload_at,
	const struct nd_model_frame *frame)
{
	const struct wire_view *view = &classified->view;
	struct model_packet *packet = model_array_add(&model->packets, sizeof(*packet));

	if (packet == NULL)
		return false;
	packet->frame = model->frames.count - 1;
	packet->numbered = wire_gid_is_v4(&view->src);
	if (packet->numbered)
		packet->ip_id = be_load16(classified->bytes + view->bth_offset - IP_ID_BEHIND);
	packet->payload_at = payload_at;
	packet->payload_bytes = view->payload_bytes;
	packet->opcode = view->bth.opcode;
	packet->psn = view->bth.psn;
	packet->solicited = view->bth.solicited;
	if (view->traits->has_reth) {
		packet->address = view->reth.address;
		packet->key = view->reth.rkey;
		packet->length = view->reth.length_bytes;
	} else if (view->traits->has_atomic_eth) {
		packet->address = view->atomic.address;
		packet->key = view->atomic.rkey;
		packet->compare = view->atomic.compare;
		packet->swap_add = view->atomic.swap_add;
	} else if (view->traits->has_atomic_ack_eth) {
		packet->swap_add = view->atomic_original;
	}
	if (view->traits->has_aeth) {
		packet->syndrome = view->aeth.syndrome;
		packet->msn = view->aeth.msn;
	}
	if (view->traits->has_imm)
		packet->number = view->immediate;
	else if (view->traits->has_ieth)
		packet->number = view->invalidate_rkey;
	if (frame->part == ND_MODEL_FRAME_REQUEST)
		packet->sequence = request_sequence(model, view);
	return true;
}

/*
 * @return the sender of a frame; the member connection is NULL if the trace does not know the
 *         sender
 */
static struct trace_party
frame_party(const struct nd_model *model, const struct trace_frame *classified)
{
	const struct trace_flow *flow;

	if (classified->class == TRACE_FRAME_GOOD)
		return model->trace->violations.party;
	flow = flow_of(model, &classified->view);
	return flow == NULL ? (struct trace_party){0} : flow->sender.party;
}

/* Store the bytes of a frame. @return false: no memory */
static bool
frame_keep(struct nd_model *model, const void *bytes, const struct trace_frame *classified)
{
	struct model_frame *frame =
		(struct model_frame *)model->frames.items + model->frames.count - 1;
	const struct wire_view *view = &classified->view;

	if (!store_add(model, bytes, frame->report.captured_bytes, &frame->store_at))
		return false;
	frame->kept = true;
	if (!classified->has_view)
		return true;
	frame->report.psn = view->bth.psn;
	frame->report.opcode = view->bth.opcode;
	frame->report.syndrome = view->traits->has_aeth ? view->aeth.syndrome : 0;
	frame->party = frame_party(model, classified);
	return packet_add(model, classified,
		frame->store_at + classified->skipped_bytes + view->payload_offset, &frame->report);
}

void
nd_model_frame(struct nd_model *model, uint64_t time_ns, const void *frame, size_t captured_bytes,
	size_t wire_bytes)
{
	struct trace_frame classified;
	struct model_frame *added;

	trace_take(model->trace, time_ns, frame, captured_bytes, wire_bytes, &classified);
	model->fed++;
	if (model->starved)
		return;
	added = model_array_add(&model->frames, sizeof(*added));
	if (added == NULL) {
		model->starved = true;
		return;
	}
	added->report.time_ns = time_ns;
	added->report.captured_bytes = (uint32_t)captured_bytes;
	added->report.wire_bytes = (uint32_t)wire_bytes;
	added->report.part = frame_part(&classified);
	added->report.connection = ND_MODEL_NONE;
	added->report.operation = ND_MODEL_NONE;
	if (added->report.part != ND_MODEL_FRAME_OTHER && !frame_keep(model, frame, &classified))
		model->starved = true;
}

static bool
connections_make(struct nd_model *model)
{
	size_t count = nd_trace_connection_count(model->trace);

	for (size_t i = 0; i < count; i++) {
		struct model_connection *connection =
			model_array_add(&model->connections, sizeof(*connection));

		if (connection == NULL)
			return false;
		connection->report.report = nd_trace_connection(model->trace, i);
		connection->mtu = trace_connection_at(&model->trace->table, i)->mtu;
		connection->report.path_mtu_bytes = connection->mtu.bytes;
	}
	return true;
}

/* Set the final connection and side of each frame. */
static void
frames_settle(struct nd_model *model)
{
	struct model_frame *frames = model->frames.items;

	for (size_t i = 0; i < model->frames.count; i++) {
		struct nd_model_frame *report = &frames[i].report;
		size_t connection = trace_party_index(&frames[i].party, &report->side);

		report->connection = connection == ND_TRACE_NO_CONNECTION ||
				connection >= model->connections.count
			? ND_MODEL_NONE
			: connection;
	}
}

/* Sort packets by connection, then in order of the capture. */
static bool
packets_sort(struct nd_model *model)
{
	struct model_connection *connections = model->connections.items;
	size_t at = 0;

	for (size_t i = 0; i < model->packets.count; i++) {
		size_t of = model_frame_of(model, model_packet_at(model, i))->report.connection;

		if (of != ND_MODEL_NONE)
			connections[of].packet_count++;
	}
	for (size_t i = 0; i < model->connections.count; i++) {
		connections[i].first_packet = at;
		at += connections[i].packet_count;
		connections[i].packet_count = 0;
	}
	if (at == 0)
		return true;
	model->order = malloc(at * sizeof(*model->order));
	if (model->order == NULL)
		return false;
	for (size_t i = 0; i < model->packets.count; i++) {
		size_t of = model_frame_of(model, model_packet_at(model, i))->report.connection;

		if (of != ND_MODEL_NONE)
			model->order[connections[of].first_packet +
				connections[of].packet_count++] = i;
	}
	return true;
}

/*
 * Report packets with a wrong ICRC as faults. They were corrupted before the place of the capture.
 */
static void
corrupted_report(struct nd_model *model)
{
	const struct model_frame *frames = model->frames.items;

	for (size_t i = 0; i < model->frames.count; i++) {
		const struct nd_model_frame *frame = &frames[i].report;

		if (frame->part != ND_MODEL_FRAME_CORRUPTED)
			continue;
		model_fault_add(model,
			&(struct nd_model_fault){
				.kind = ND_MODEL_FAULT_CORRUPTED,
				.place = ND_MODEL_PLACE_BEFORE,
				.connection = frame->connection,
				.side = frame->side,
				.frame = i + 1,
				.original = i + 1,
				.psn = frame->psn,
				.answer = wire_opcode_traits(frame->opcode)->response,
				.operation = ND_MODEL_NONE,
			});
	}
}

static int
fault_compare(const void *a, const void *b)
{
	const struct nd_model_fault *first = a, *second = b;

	if (first->frame != second->frame)
		return first->frame < second->frame ? -1 : 1;
	if (first->answer != second->answer)
		return first->answer - second->answer;
	return (first->psn > second->psn) - (first->psn < second->psn);
}

static void
connection_build(struct nd_model *model, size_t index)
{
	model_cm_build(model, index);
	for (unsigned side = 0; side < 2; side++)
		model_operations_build(model, index, side);
	for (unsigned side = 0; side < 2; side++)
		model_walk(model, index, side);
	model_close_build(model, index);
	model_faults_build(model, index);
	for (unsigned side = 0; side < 2; side++)
		model_reads_build(model, index, side);
	for (unsigned side = 0; side < 2; side++) {
		model_order_build(model, index, side);
		model_work_build(model, index, side);
	}
}

bool
nd_model_finish(struct nd_model *model)
{
	nd_trace_finish(model->trace);
	if (!connections_make(model))
		model->starved = true;
	frames_settle(model);
	if (packets_sort(model))
		for (size_t i = 0; i < model->connections.count; i++)
			connection_build(model, i);
	else
		model->starved = true;
	corrupted_report(model);
	if (model->faults.count != 0)
		qsort(model->faults.items, model->faults.count, sizeof(struct nd_model_fault),
			fault_compare);
	model_limits_build(model);
	model->finished = true;
	return !model->starved;
}
