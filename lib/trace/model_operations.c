/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>

#include <rte_common.h>

#include "base/limits.h"
#include "base/psn.h"
#include "trace/model.h"

/*
 * Creates operations from the request packets of a side, in order of PSN. The first packet with a
 * PSN counts; later packets with this PSN are retransmissions. If PSNs are missing, the message in
 * progress continues after the gap if possible. A WRITE continues up to the length in its RETH. A
 * SEND continues if the next packet is a Middle or Last packet.
 */

/* If the PSN jumps by at least this number, the trace has started its state again (sender.c). */
#define JUMP_MIN (UINT64_C(1) << 24)

struct builder {
	struct nd_model *model;
	struct model_connection *connection;
	struct model_side *side;
	uint64_t stride;
	bool any;
	uint64_t expected; /* PSN of the next request packet; valid if any */
	uint64_t slack;    /* number of missing PSNs that may belong to a READ of unknown length */
	bool open;         /* the newest operation is a message that has not ended yet */
	bool started;      /* the first packet of the open message was captured */
	uint64_t filled;   /* bytes of the open message so far */
	bool starved;
};

uint64_t
model_stride(const struct model_connection *connection)
{
	if (connection->mtu.bytes != 0)
		return connection->mtu.bytes;
	return connection->mtu.at_least_bytes != 0 ? connection->mtu.at_least_bytes : 1;
}

uint64_t
model_operation_span(const struct model_operation *operation)
{
	return RTE_MAX(operation->report.packets, 1u);
}

size_t
model_operation_find(const struct model_side *side, uint64_t seq)
{
	size_t low = 0, high = side->operations.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (model_operation_at(side, middle)->report.sequence <= seq)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 ? ND_MODEL_NONE : low - 1;
}

static int
place_compare(const void *a, const void *b)
{
	const struct model_place *first = a, *second = b;

	if (first->seq != second->seq)
		return first->seq < second->seq ? -1 : 1;
	return (first->packet > second->packet) - (first->packet < second->packet);
}

struct model_place *
model_places(struct nd_model *model, size_t connection, unsigned side, enum nd_model_part part,
	size_t *count)
{
	const struct model_connection *of = model_connection_at(model, connection);
	struct model_place *places;

	*count = 0;
	if (of->packet_count == 0)
		return NULL;
	places = malloc(of->packet_count * sizeof(*places));
	if (places == NULL) {
		model->starved = true;
		return NULL;
	}
	for (size_t i = 0; i < of->packet_count; i++) {
		size_t index = model->order[of->first_packet + i];
		const struct model_packet *packet = model_packet_at(model, index);
		const struct model_frame *frame = model_frame_of(model, packet);

		if (frame->report.part == part && frame->report.side == side &&
			packet->sequence != 0)
			places[(*count)++] =
				(struct model_place){.seq = packet->sequence, .packet = index};
	}
	qsort(places, *count, sizeof(*places), place_compare);
	return places;
}

static struct model_operation *
newest(const struct builder *builder)
{
	return model_operation_at(builder->side, builder->side->operations.count - 1);
}

/*
 * @return number of PSNs that a message or READ of this length uses; 0: unknown, because the path
 *         MTU is not known
 */
static uint32_t
span_of(const struct builder *builder, uint64_t bytes)
{
	const struct trace_mtu *mtu = &builder->connection->mtu;

	return trace_read_count((uint32_t)RTE_MIN(bytes, LIMIT_MESSAGE_BYTES), mtu);
}

/* Close the open message. @param ended true: last packet was found; false: it will not follow */
static void
message_close(struct builder *builder, bool ended)
{
	struct model_operation *operation = newest(builder);
	struct nd_model_operation *report = &operation->report;
	bool is_write = report->kind == ND_MODEL_WRITE || report->kind == ND_MODEL_WRITE_IMMEDIATE;

	builder->open = false;
	report->whole = report->whole && ended;
	report->packets = (uint32_t)(operation->last_seq - report->sequence + 1);
	if (is_write && report->target_known) {
		report->bytes_known = true;
		if (!ended)
			report->packets = RTE_MAX(report->packets, span_of(builder, report->bytes));
		return;
	}
	report->bytes = builder->filled;
	report->bytes_known = report->whole;
}

static enum nd_model_kind
kind_of(const struct wire_opcode_traits *traits, uint8_t opcode)
{
	if (traits->kind == WIRE_KIND_SEND)
		return traits->has_imm     ? ND_MODEL_SEND_IMMEDIATE
			: traits->has_ieth ? ND_MODEL_SEND_INVALIDATE
					   : ND_MODEL_SEND;
	if (traits->kind == WIRE_KIND_WRITE)
		return traits->has_imm ? ND_MODEL_WRITE_IMMEDIATE : ND_MODEL_WRITE;
	if (traits->kind == WIRE_KIND_READ_REQUEST)
		return ND_MODEL_READ;
	if (traits->kind == WIRE_KIND_ATOMIC)
		return opcode == WIRE_RC_COMPARE_SWAP ? ND_MODEL_COMPARE_SWAP : ND_MODEL_FETCH_ADD;
	return ND_MODEL_OTHER;
}

static struct model_operation *
operation_open(struct builder *builder, const struct model_packet *packet)
{
	const struct wire_opcode_traits *traits = wire_opcode_traits(packet->opcode);
	struct model_side *side = builder->side;
	struct model_operation *operation;

	operation = model_array_add(&side->operations, sizeof(*operation));
	if (operation == NULL) {
		builder->starved = true;
		return NULL;
	}
	operation->first_piece = side->pieces.count;
	operation->first_repeat = side->repeats.count;
	operation->last_seq = packet->sequence;
	operation->report = (struct nd_model_operation){
		.kind = kind_of(traits, packet->opcode),
		.first_psn = packet->psn,
		.sequence = packet->sequence,
		.packets = 1,
		.first_frame = UINT64_MAX,
		.receive = ND_MODEL_NONE,
		.whole = true,
	};
	builder->filled = 0;
	return operation;
}

/* Copy the fields of the RETH or AtomicETH. */
static void
target_take(struct nd_model_operation *report, const struct model_packet *packet)
{
	report->target_known = true;
	report->key = packet->key;
	report->address = packet->address;
	report->bytes = packet->length;
	report->compare = packet->compare;
	report->swap_add = packet->swap_add;
}

/* Record the frame of a packet that was captured for the first time. */
static void
frame_take(struct builder *builder, size_t operation, const struct model_packet *packet)
{
	struct nd_model_operation *report = &model_operation_at(builder->side, operation)->report;
	uint64_t number = packet->frame + 1;
	uint64_t time_ns = model_frame_of(builder->model, packet)->report.time_ns;

	if (number < report->first_frame) {
		report->first_frame = number;
		report->first_ns = time_ns;
	}
	if (number > report->last_frame) {
		report->last_frame = number;
		report->last_ns = time_ns;
	}
}

static void
frame_assign(
	struct builder *builder, size_t operation, const struct model_packet *packet, bool repeated)
{
	struct nd_model_frame *frame = &model_frame_of(builder->model, packet)->report;
	uint64_t first = model_operation_at(builder->side, operation)->report.sequence;

	frame->operation = operation;
	frame->sequence = packet->sequence;
	frame->packet = (uint32_t)(packet->sequence - first);
	frame->repeated = repeated;
}

static void
repeat_add(struct builder *builder, size_t operation, const struct model_packet *packet)
{
	uint64_t *repeat = model_array_add(&builder->side->repeats, sizeof(*repeat));

	frame_assign(builder, operation, packet, true);
	if (repeat == NULL) {
		builder->starved = true;
		return;
	}
	*repeat = packet->frame + 1;
	model_operation_at(builder->side, operation)->report.repeats++;
}

static void
piece_add(struct builder *builder, const struct model_packet *packet)
{
	struct model_piece *piece;

	if (packet->payload_bytes == 0)
		return;
	piece = model_array_add(&builder->side->pieces, sizeof(*piece));
	if (piece == NULL) {
		builder->starved = true;
		return;
	}
	*piece = (struct model_piece){.offset = builder->filled,
		.store_at = packet->payload_at,
		.bytes = packet->payload_bytes};
	builder->filled += packet->payload_bytes;
	newest(builder)->piece_count++;
}

/* Handle a gap: PSNs before this packet that were never captured. */
static void
gap_take(struct builder *builder, const struct model_packet *packet)
{
	uint64_t missing = packet->sequence - builder->expected;
	struct model_side *side = builder->side;
	struct model_gap *gap;

	if (!builder->any || missing == 0 || packet->sequence < builder->expected)
		return;
	if (missing >= JUMP_MIN) {
		if (builder->open)
			message_close(builder, false);
		if (side->restarts++ == 0)
			side->restart_frame = packet->frame + 1;
		return;
	}
	if (missing <= builder->slack)
		return;
	gap = model_array_add(&side->gaps, sizeof(*gap));
	if (gap == NULL)
		builder->starved = true;
	else
		*gap = (struct model_gap){
			.seq = builder->expected, .packets = missing, .frame = packet->frame + 1};
}

/* @return true if a Middle or Last packet continues the open message */
static bool
continues(const struct builder *builder, const struct wire_opcode_traits *traits,
	const struct model_packet *packet)
{
	const struct model_operation *operation;
	bool is_write;
	uint32_t span;

	if (!builder->open)
		return false;
	operation = newest(builder);
	is_write = operation->report.kind == ND_MODEL_WRITE;
	if (is_write != (traits->kind == WIRE_KIND_WRITE))
		return false;
	if (packet->sequence == builder->expected || !is_write)
		return true;
	span = operation->report.target_known ? span_of(builder, operation->report.bytes) : 0;
	return span == 0 || packet->sequence - operation->report.sequence < span;
}

/* Process a SEND or WRITE packet that was captured for the first time. */
static void
message_packet(struct builder *builder, const struct model_packet *packet)
{
	const struct wire_opcode_traits *traits = wire_opcode_traits(packet->opcode);
	struct model_operation *operation;

	if (!traits->starts && continues(builder, traits, packet)) {
		operation = newest(builder);
		if (packet->sequence != builder->expected) {
			builder->filled += (packet->sequence - builder->expected) * builder->stride;
			operation->report.whole = false;
		}
	} else {
		if (builder->open)
			message_close(builder, false);
		operation = operation_open(builder, packet);
		if (operation == NULL)
			return;
		operation->report.whole = traits->starts;
		builder->open = true;
	}
	operation->last_seq = packet->sequence;
	if (traits->has_reth)
		target_take(&operation->report, packet);
	piece_add(builder, packet);
	builder->expected = packet->sequence + 1;
	builder->slack = 0;
	if (!traits->ends)
		return;
	operation->report.kind = kind_of(traits, packet->opcode);
	operation->report.solicited = packet->solicited;
	if (traits->has_imm)
		operation->report.immediate = packet->number;
	else if (traits->has_ieth)
		operation->report.invalidate_key = packet->number;
	message_close(builder, true);
}

/* Process a READ, an atomic, or another request that is a message by itself. */
static void
single_packet(struct builder *builder, const struct model_packet *packet)
{
	struct model_operation *operation;

	if (builder->open)
		message_close(builder, false);
	operation = operation_open(builder, packet);
	if (operation == NULL)
		return;
	if (operation->report.kind != ND_MODEL_OTHER)
		target_take(&operation->report, packet);
	operation->report.bytes_known = true;
	operation->report.solicited = packet->solicited;
	if (operation->report.kind == ND_MODEL_READ)
		operation->report.packets = span_of(builder, operation->report.bytes);
	else if (operation->report.kind != ND_MODEL_OTHER)
		operation->report.bytes = 8;
	builder->slack =
		operation->report.packets != 0 ? 0 : trace_read_count_max(packet->length) - 1;
	builder->expected = packet->sequence + RTE_MAX(operation->report.packets, 1u);
}

/* @return true if a READ request requests a part of the newest operation again. */
static bool
is_part(const struct builder *builder, const struct model_packet *packet)
{
	const struct model_operation *operation;
	uint64_t index;

	if (packet->opcode != WIRE_RC_READ_REQUEST || builder->side->operations.count == 0)
		return false;
	operation = newest(builder);
	if (operation->report.kind != ND_MODEL_READ ||
		packet->sequence == operation->report.sequence)
		return false;
	index = packet->sequence - operation->report.sequence;
	return index < operation->report.packets && packet->key == operation->report.key &&
		packet->address == operation->report.address + index * builder->stride;
}

static void
packet_take(struct builder *builder, const struct model_place *place, bool copy)
{
	struct model_packet *packet = model_packet_at(builder->model, place->packet);
	enum wire_kind kind = wire_opcode_traits(packet->opcode)->kind;

	builder->side->places += !copy;
	packet->place = builder->side->places - 1;
	packet->part = is_part(builder, packet);
	if (builder->side->operations.count != 0 && (copy || packet->part)) {
		repeat_add(builder, builder->side->operations.count - 1, packet);
		return;
	}
	gap_take(builder, packet);
	builder->any = true;
	if (kind == WIRE_KIND_SEND || kind == WIRE_KIND_WRITE)
		message_packet(builder, packet);
	else
		single_packet(builder, packet);
	if (builder->side->operations.count == 0)
		return;
	frame_assign(builder, builder->side->operations.count - 1, packet, false);
	frame_take(builder, builder->side->operations.count - 1, packet);
}

static int
number_compare(const void *a, const void *b)
{
	const uint64_t *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

/* Set the members that depend on all packets, after all operations were created. */
static void
operations_settle(struct model_side *side)
{
	for (size_t i = 0; i < side->operations.count; i++) {
		struct model_operation *operation = model_operation_at(side, i);
		struct nd_model_operation *report = &operation->report;

		report->keepalive = report->kind == ND_MODEL_WRITE && report->target_known &&
			report->bytes == 0 && report->address == 0 && report->key == 0;
		if (report->repeats > 1)
			qsort((uint64_t *)side->repeats.items + operation->first_repeat,
				report->repeats, sizeof(uint64_t), number_compare);
	}
}

/* Count requests with a PSN before the first PSN in the CM messages. */
static void
strays_count(const struct builder *builder, unsigned side)
{
	const struct nd_model *model = builder->model;
	const struct model_connection *connection = builder->connection;

	for (size_t i = 0; i < connection->packet_count; i++) {
		const struct model_packet *packet =
			model_packet_at(model, model->order[connection->first_packet + i]);
		const struct model_frame *frame = model_frame_of(model, packet);

		if (frame->report.part == ND_MODEL_FRAME_REQUEST && frame->report.side == side &&
			packet->sequence == 0 && builder->side->stray++ == 0)
			builder->side->stray_frame = packet->frame + 1;
	}
}

/* Set the first PSN: from the CM messages, or from the first request. */
static void
first_settle(struct builder *builder, struct nd_model_side *report, uint64_t seq)
{
	uint32_t ahead = psn_distance((uint32_t)(seq & PSN_MASK), report->first_psn);

	if (!report->first_psn_known) {
		report->first_psn = (uint32_t)(seq & PSN_MASK);
		report->first_psn_known = true;
	} else if (ahead < JUMP_MIN / 2) {
		builder->any = true;
		builder->expected = seq - ahead;
	}
}

void
model_operations_build(struct nd_model *model, size_t connection, unsigned side)
{
	struct builder builder = {
		.model = model,
		.connection = model_connection_at(model, connection),
		.side = model_side_at(model, connection, side),
	};
	struct model_place *places;
	size_t count;

	builder.stride = model_stride(builder.connection);
	strays_count(&builder, side);
	places = model_places(model, connection, side, ND_MODEL_FRAME_REQUEST, &count);
	if (count != 0)
		first_settle(&builder, &builder.connection->report.side[side], places[0].seq);
	for (size_t i = 0; i < count && !builder.starved; i++) {
		model_packet_at(model, places[i].packet)->copied =
			i + 1 < count && places[i + 1].seq == places[i].seq;
		packet_take(&builder, &places[i], i != 0 && places[i].seq == places[i - 1].seq);
	}
	free(places);
	if (builder.open && !builder.starved)
		message_close(&builder, false);
	model->starved |= builder.starved;
	operations_settle(builder.side);
	builder.connection->report.side[side].operations = builder.side->operations.count;
}
