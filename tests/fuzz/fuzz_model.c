/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdbool.h>
#include <string.h>

#include <rte_common.h>

#include <ndpdk/nd_model.h>

#include "fuzz/damaged.h"
#include "fuzz/fuzzer.h"

/*
 * Tests the model of a capture (nd_model) with damaged captures (damaged.h). Conditions that must
 * hold:
 *
 * - all objects to which the model refers exist, and all counted objects can be queried;
 * - all frames of the model are frames that were fed;
 * - operations are in the order of their PSNs;
 * - no query writes more bytes than requested.
 */

#define READ_BYTES 600u

struct fed {
	struct nd_model *model;
	uint64_t frames;
};

void
fuzz_start(void)
{
	damaged_load();
}

static void
take(void *arg, uint64_t time_ns, const uint8_t *frame, size_t captured, size_t on_wire)
{
	struct nd_model_headers headers;

	nd_model_frame(arg, time_ns, frame, captured, on_wire);
	if (nd_model_decode(frame, captured, &headers))
		fuzz_expect(headers.payload_offset + headers.payload_bytes <= captured,
			"payload beyond the frame");
}

static void
frame_expect(const struct fed *fed, uint64_t frame, bool may_miss)
{
	fuzz_expect(frame <= fed->frames && (may_miss || frame != 0), "number of a frame");
}

static void
index_expect(size_t index, size_t count, const char *what)
{
	fuzz_expect(index < count || index == ND_MODEL_NONE, what);
}

static size_t
operations_of(const struct fed *fed, size_t connection, unsigned side)
{
	return nd_model_connection(fed->model, connection)->side[side].operations;
}

static void
payload_check(const struct fed *fed, size_t connection, unsigned side, size_t index)
{
	const struct nd_model_operation *operation =
		nd_model_operation(fed->model, connection, side, index);
	uint8_t to[READ_BYTES + 1], known[READ_BYTES + 1];
	uint64_t offset = operation->bytes > READ_BYTES ? operation->bytes - READ_BYTES : 0;
	size_t got;

	to[READ_BYTES] = known[READ_BYTES] = 0xA5;
	got = nd_model_payload(fed->model, connection, side, index, offset, to, known, READ_BYTES);
	fuzz_expect(got <= READ_BYTES && got <= operation->bytes, "bytes of a payload");
	for (size_t i = 0; i < got; i++)
		fuzz_expect(known[i] <= 1 && (known[i] == 1 || to[i] == 0), "known bytes");
	fuzz_expect(to[READ_BYTES] == 0xA5 && known[READ_BYTES] == 0xA5, "written beyond");
	fuzz_expect(nd_model_payload(fed->model, connection, side, index, operation->bytes, to,
			    known, 1) == 0,
		"bytes behind the payload");
	fuzz_expect(nd_model_payload_known(fed->model, connection, side, index) <= operation->bytes,
		"more known than there is");
}

static void
operations_check(const struct fed *fed, size_t connection, unsigned side)
{
	size_t count = operations_of(fed, connection, side);
	uint64_t sequence = 0;

	for (size_t i = 0; i < count; i++) {
		const struct nd_model_operation *operation =
			nd_model_operation(fed->model, connection, side, i);

		fuzz_expect(operation != NULL, "operation");
		fuzz_expect(operation->sequence > sequence, "order of operations");
		sequence = operation->sequence;
		frame_expect(fed, operation->first_frame, false);
		frame_expect(fed, operation->last_frame, false);
		frame_expect(fed, operation->end_frame, operation->end == ND_MODEL_UNANSWERED);
		fuzz_expect(operation->first_frame <= operation->last_frame, "first and last");
		fuzz_expect(operation->after_operations <= count &&
				operation->after_messages <= operations_of(fed, connection, !side),
			"waited for");
		for (uint32_t n = 0; n < operation->repeats; n++)
			frame_expect(
				fed, nd_model_repeat(fed->model, connection, side, i, n), false);
		fuzz_expect(
			nd_model_repeat(fed->model, connection, side, i, operation->repeats) == 0,
			"repetition beyond the last");
		index_expect(operation->receive,
			nd_model_connection(fed->model, connection)->side[!side].receives,
			"receive of an operation");
		payload_check(fed, connection, side, i);
	}
	fuzz_expect(nd_model_operation(fed->model, connection, side, count) == NULL,
		"operation beyond the last");
}

static void
held_check(const struct fed *fed, size_t connection, unsigned side)
{
	const struct nd_model_side *of = &nd_model_connection(fed->model, connection)->side[side];
	size_t posted = operations_of(fed, connection, !side);

	for (size_t i = 0; i < of->receives; i++) {
		const struct nd_model_receive *receive =
			nd_model_receive(fed->model, connection, side, i);

		fuzz_expect(receive->operation < posted, "operation of a receive");
		frame_expect(fed, receive->frame, false);
		frame_expect(fed, receive->absent_frame, receive->rnr_naks == 0);
	}
	for (size_t i = 0; i < of->keys; i++) {
		const struct nd_model_key *key = nd_model_key(fed->model, connection, side, i);

		frame_expect(fed, key->first_frame, key->uses + key->empty_uses == 0);
		index_expect(key->invalidated_by, posted, "who invalidated a key");
		fuzz_expect((key->rights == 0) == (key->uses == 0), "rights of a key");
	}
	for (size_t i = 0; i < of->refusals; i++) {
		const struct nd_model_refusal *refusal =
			nd_model_refusal(fed->model, connection, side, i);

		fuzz_expect(refusal->operation < posted, "operation refused");
		index_expect(refusal->key, of->keys, "key of a refusal");
		frame_expect(fed, refusal->frame, false);
	}
	fuzz_expect(nd_model_receive(fed->model, connection, side, of->receives) == NULL &&
			nd_model_key(fed->model, connection, side, of->keys) == NULL &&
			nd_model_refusal(fed->model, connection, side, of->refusals) == NULL,
		"beyond the last");
}

static void
memory_check(const struct fed *fed, size_t connection, unsigned side)
{
	size_t count = nd_model_memory_count(fed->model, connection, side);
	uint8_t to[READ_BYTES], known[READ_BYTES];

	for (size_t i = 0; i < count; i++) {
		const struct nd_model_memory_event *event =
			nd_model_memory_event(fed->model, connection, side, i);
		size_t found = nd_model_memory(
			fed->model, connection, side, i, event->address - 3, to, known, READ_BYTES);
		size_t ones = 0;

		fuzz_expect(event->operation < operations_of(fed, connection, !side),
			"operation of an event");
		for (size_t n = 0; n < READ_BYTES; n++)
			ones += known[n];
		fuzz_expect(found == ones, "bytes of memory");
	}
}

static void
connections_check(const struct fed *fed)
{
	size_t count = nd_model_connection_count(fed->model);

	fuzz_expect(count == nd_trace_connection_count(nd_model_trace(fed->model)), "connections");
	for (size_t i = 0; i < count; i++) {
		const struct nd_model_connection *of = nd_model_connection(fed->model, i);
		struct nd_model_cm_message message;

		for (size_t n = 0; n < of->cm_messages; n++) {
			fuzz_expect(nd_model_cm(fed->model, i, n, &message), "CM message");
			frame_expect(fed, message.frame, false);
		}
		fuzz_expect(!nd_model_cm(fed->model, i, of->cm_messages, &message),
			"CM message beyond the last");
		for (unsigned side = 0; side < 2; side++) {
			operations_check(fed, i, side);
			held_check(fed, i, side);
			memory_check(fed, i, side);
		}
	}
	fuzz_expect(nd_model_connection(fed->model, count) == NULL, "connection beyond the last");
}

static void
frames_check(const struct fed *fed)
{
	size_t connections = nd_model_connection_count(fed->model);
	struct nd_model_frame frame;
	size_t bytes;

	fuzz_expect(nd_model_frame_count(fed->model) == fed->frames, "frames");
	for (uint64_t n = 1; n <= fed->frames; n++) {
		bool answers;

		fuzz_expect(nd_model_frame_get(fed->model, n, &frame), "frame");
		index_expect(frame.connection, connections, "connection of a frame");
		nd_model_frame_bytes(fed->model, n, &bytes);
		fuzz_expect(bytes == 0 || bytes == frame.captured_bytes, "bytes of a frame");
		answers = frame.part != ND_MODEL_FRAME_REQUEST;
		if (frame.operation != ND_MODEL_NONE)
			fuzz_expect(frame.connection != ND_MODEL_NONE &&
					frame.operation < operations_of(fed, frame.connection,
								  frame.side ^ answers),
				"operation of a frame");
	}
}

static void
findings_check(const struct fed *fed)
{
	size_t connections = nd_model_connection_count(fed->model);
	uint64_t frame = 0;

	for (size_t i = 0; i < nd_model_fault_count(fed->model); i++) {
		const struct nd_model_fault *fault = nd_model_fault(fed->model, i);

		frame_expect(fed, fault->frame, false);
		frame_expect(fed, fault->original, true);
		fuzz_expect(fault->frame >= frame && fault->packets >= 1, "order of faults");
		frame = fault->frame;
		index_expect(fault->connection, connections, "connection of a fault");
		if (fault->connection != ND_MODEL_NONE)
			index_expect(fault->operation,
				operations_of(fed, fault->connection, fault->side ^ fault->answer),
				"operation of a fault");
	}
	for (size_t i = 0; i < nd_model_limit_count(fed->model); i++) {
		const struct nd_model_limit *limit = nd_model_limit(fed->model, i);

		fuzz_expect(limit->count != 0 && strlen(limit->text) > 10, "limit");
		index_expect(limit->connection, connections, "connection of a limit");
		frame_expect(fed, limit->frame, true);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nd_trace_config config = {0};
	struct fed fed;

	if (size < FUZZ_RECORD_BYTES)
		return 0;
	config.complete = data[1] & 1;
	fed.model = nd_model_open(&config);
	fuzz_expect(fed.model != NULL, "model");
	fed.frames = damaged_play(data, size, take, fed.model);
	fuzz_expect(nd_model_finish(fed.model), "memory");
	connections_check(&fed);
	frames_check(&fed);
	findings_check(&fed);
	nd_model_close(fed.model);
	return 0;
}
