/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>

#include <rte_common.h>

#include "base/psn.h"
#include "trace/model.h"

/*
 * Makes the payload of READs from their responses, in order of PSN. If a response was captured more
 * than once, the newest copy is used, because the requester accepted this copy if earlier copies
 * were lost.
 */

struct reader {
	struct nd_model *model;
	struct model_side *side;
	size_t connection;
	unsigned requester;
	uint64_t stride;
	bool counts; /* responder increments its IPv4 identification, which shows duplicates */
};

/* Responses with one PSN. */
struct response {
	uint64_t index; /* PSN minus first PSN of the READ */
	const struct model_packet *first;
	const struct model_packet *newest;
};

static size_t
requests_before(
	const struct reader *reader, const struct model_operation *operation, uint64_t frame)
{
	const uint64_t *repeats = reader->side->repeats.items;
	size_t low = 0, high = operation->report.repeats;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (repeats[operation->first_repeat + middle] < frame)
			low = middle + 1;
		else
			high = middle;
	}
	return low + (operation->report.first_frame < frame);
}

static void
fault(const struct reader *reader, enum nd_model_fault_kind kind, const struct model_packet *packet,
	const struct model_packet *original, size_t operation)
{
	if (reader->counts)
		return;
	model_fault_add(reader->model,
		&(struct nd_model_fault){
			.kind = kind,
			.place = ND_MODEL_PLACE_BEFORE,
			.connection = reader->connection,
			.side = !reader->requester,
			.frame = packet->frame + 1,
			.original = original->frame + 1,
			.psn = packet->psn,
			.answer = true,
			.operation = operation,
		});
}

/* Process all captured copies of one response, from places[0] on. @return number of copies */
static size_t
response_take(const struct reader *reader, const struct model_place *places, size_t count,
	size_t owner, struct response *response)
{
	const struct model_operation *operation = model_operation_at(reader->side, owner);
	size_t n;

	response->index = places[0].seq - operation->report.sequence;
	response->first = model_packet_at(reader->model, places[0].packet);
	for (n = 0; n < count && places[n].seq == places[0].seq; n++) {
		response->newest = model_packet_at(reader->model, places[n].packet);
		model_frame_of(reader->model, response->newest)->report.repeated = n != 0;
		if (n != 0 && requests_before(reader, operation, response->newest->frame + 1) <= n)
			fault(reader, ND_MODEL_FAULT_REPEATED, response->newest, response->first,
				owner);
	}
	return n;
}

/*
 * Report a response as reordered if it was captured after the next response, although the requester
 * did not request it again.
 */
static void
order_check(const struct reader *reader, const struct response *before,
	const struct response *response, size_t owner)
{
	const struct model_operation *operation = model_operation_at(reader->side, owner);

	if (before->first == NULL || response->index != before->index + 1 ||
		before->first->frame < response->first->frame)
		return;
	if (requests_before(reader, operation, before->first->frame + 1) ==
		requests_before(reader, operation, response->first->frame + 1))
		fault(reader, ND_MODEL_FAULT_REORDERED, before->first, before->first, owner);
}

/* Add the payload of a packet at an offset of the READ. @return offset of its end */
static uint64_t
piece_add(const struct reader *reader, struct model_operation *operation, uint64_t offset,
	const struct model_packet *packet)
{
	struct model_piece *piece;

	if (packet->payload_bytes == 0)
		return offset;
	piece = model_array_add(&reader->side->pieces, sizeof(*piece));
	if (piece == NULL) {
		reader->model->starved = true;
		return offset;
	}
	*piece = (struct model_piece){
		.offset = offset, .store_at = packet->payload_at, .bytes = packet->payload_bytes};
	operation->piece_count++;
	return offset + packet->payload_bytes;
}

/* Complete a READ: all its responses were captured. */
static void
read_complete(const struct reader *reader, struct model_operation *operation, uint64_t packets,
	const struct model_packet *newest)
{
	const struct nd_model_frame *frame = &model_frame_of(reader->model, newest)->report;

	if (operation->report.packets == 0)
		operation->report.packets = (uint32_t)packets;
	if (operation->report.end == ND_MODEL_REFUSED)
		return;
	operation->report.end = ND_MODEL_ACKNOWLEDGED;
	operation->report.end_frame = newest->frame + 1;
	operation->report.end_ns = frame->time_ns;
}

/* Process all responses to one READ. @return their number. */
static size_t
read_take(const struct reader *reader, const struct model_place *places, size_t count, size_t owner)
{
	struct model_operation *operation = model_operation_at(reader->side, owner);
	const struct model_packet *completed = NULL;
	struct response before = {.index = UINT64_MAX - 1}, response = {0};
	uint64_t offset = 0, seen = 0;
	size_t taken = 0;
	bool ends = false;

	operation->first_piece = reader->side->pieces.count;
	operation->piece_count = 0;
	while (taken < count && model_operation_find(reader->side, places[taken].seq) == owner) {
		taken += response_take(reader, places + taken, count - taken, owner, &response);
		if (response.index != before.index + 1)
			offset = response.index * reader->stride;
		else
			order_check(reader, &before, &response, owner);
		offset = piece_add(reader, operation, offset, response.newest);
		seen++;
		ends = wire_opcode_traits(response.newest->opcode)->ends;
		if (completed == NULL || completed->frame < response.first->frame)
			completed = response.first;
		before = response;
	}
	if (completed != NULL &&
		(operation->report.packets != 0 ? seen >= operation->report.packets
						: ends && seen == response.index + 1))
		read_complete(reader, operation, seen, completed);
	return taken;
}

/*
 * Report answers that were not captured although the requester did not request them again. The
 * requester received these answers, or did not need them.
 */
static void
uncaptured_report(const struct reader *reader)
{
	for (size_t i = 0; i < reader->side->operations.count; i++) {
		const struct nd_model_operation *report =
			&model_operation_at(reader->side, i)->report;

		if (report->end != ND_MODEL_IMPLIED)
			continue;
		model_fault_add(reader->model,
			&(struct nd_model_fault){
				.kind = ND_MODEL_FAULT_UNCAPTURED,
				.place = ND_MODEL_PLACE_CAPTURE,
				.connection = reader->connection,
				.side = !reader->requester,
				.frame = report->end_frame,
				.psn = report->first_psn,
				.answer = true,
				.operation = i,
			});
	}
}

void
model_reads_build(struct nd_model *model, size_t connection, unsigned side)
{
	struct reader reader = {
		.model = model,
		.side = model_side_at(model, connection, side),
		.connection = connection,
		.requester = side,
		.stride = model_stride(model_connection_at(model, connection)),
		.counts = model_connection_at(model, connection)->counts[!side],
	};
	struct model_place *places;
	size_t count, at = 0;

	places = model_places(model, connection, !side, ND_MODEL_FRAME_READ_RESPONSE, &count);
	while (at < count) {
		size_t owner = model_operation_find(reader.side, places[at].seq);
		const struct model_operation *operation =
			owner == ND_MODEL_NONE ? NULL : model_operation_at(reader.side, owner);

		if (operation == NULL || operation->report.kind != ND_MODEL_READ ||
			(operation->report.packets != 0 &&
				places[at].seq - operation->report.sequence >=
					operation->report.packets))
			at++;
		else
			at += read_take(&reader, places + at, count - at, owner);
	}
	free(places);
	uncaptured_report(&reader);
}
