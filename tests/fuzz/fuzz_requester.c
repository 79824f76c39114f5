/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "fuzz/fuzzer.h"
#include "fuzz/rc_step.h"
#include "rc/operation.h"
#include "support/eal.h"
#include "support/rc_peer.h"

/*
 * Tests the requester of an established connection with responses of all kinds, valid and invalid.
 * A model records the order of the requests, their PSNs, and the responses of the peer. Conditions
 * that must hold:
 *
 * - each sent packet has the opcode, length and payload of a request that is not complete;
 * - requests complete once, in the order of posting (RC-140), and after the first failure all
 *   later requests are flushed;
 * - a request succeeds only if it was sent, and its last PSN or a later PSN was acknowledged;
 * - a successful READ has written the bytes of its PSNs, and a successful atomic has written its
 *   result;
 * - memory changes only in the destinations of outstanding READs and atomics;
 * - in state ERROR nothing is sent, and all requests are complete except silent successes.
 */

#define PMTU        256u
#define BASE        UINT64_C(0x7000000000)
#define ENTRIES     8u
#define MESSAGE_MAX (4 * PMTU)
#define INLINE_MAX  64u

/*
 * Memory of the application. It contains the source of sent data, then one slot per outstanding
 * request. Each slot is followed by a gap.
 */
#define SOURCE_BYTES 2048u
#define SLOT_BYTES   (MESSAGE_MAX + 64)
#define AREA         (SOURCE_BYTES + ENTRIES * SLOT_BYTES)

enum step_kind {
	STEP_POST,
	STEP_ANSWER, /**< a valid response to the oldest PSN that has no response */
	STEP_RESPONSE,
	STEP_PROGRESS,
	STEP_TIME,
	STEP_LOCAL,
	STEP_END, /**< the application sometimes disconnects */
	STEP_KINDS,
};

struct request {
	enum rc_send_opcode opcode;
	uint32_t bytes;
	uint32_t first; /**< first PSN, relative to start_psn */
	uint32_t psns;
	uint64_t source; /**< offset in memory of the data to send */
	bool silent;
	bool local; /**< The request is a bind or an invalidate, which uses no PSN. */
	/** The request uses memory outside the region, so it must not succeed. */
	bool bad_memory;
};

static struct {
	struct rc_peer peer;
	struct mem_region *region;
	struct mem_window *windows[2];
	uint32_t start_psn;
	struct request requests[ENTRIES];
	uint32_t posted;
	uint32_t done;     /**< number of completed requests, including silent successes */
	uint32_t next_psn; /**< first PSN of the next request, relative to start_psn */
	uint32_t sent;     /**< PSNs that were sent: [0, sent), relative to start_psn */
	/** PSNs that a response acknowledged: [0, covered), relative to start_psn */
	uint32_t covered;
	bool failed;
	alignas(8) uint8_t memory[AREA];
	alignas(8) uint8_t shadow[AREA];
} model;

void
fuzz_start(void)
{
	test_eal_init();
}

static struct request *
request_at(uint32_t index)
{
	return &model.requests[index % ENTRIES];
}

static uint8_t *
slot_of(uint32_t index)
{
	return model.memory + SOURCE_BYTES + (size_t)(index % ENTRIES) * SLOT_BYTES;
}

/** Create the queue pair. @param setting bytes of the first record */
static void
model_start(const uint8_t *setting)
{
	struct rc_peer_options options;

	memset(&model, 0, sizeof(model));
	rc_peer_defaults(&options);
	options.pool_mbufs = 128;
	options.cq_entries = 2 * ENTRIES;
	options.qp.send_entries = ENTRIES;
	options.qp.inline_max = INLINE_MAX;
	options.connect.pmtu_bytes = PMTU;
	options.connect.ack_timeout = setting[0] % 20;
	options.connect.send_psn = setting[1] & 1 ? PSN_MASK - 2 : RC_PEER_SEND_PSN;
	options.connect.outbound_reads = 1 + setting[2] % 4;
	options.connect.retry_count = setting[3] % 8;
	options.connect.rnr_retry_count = setting[4] % 8;
	model.start_psn = options.connect.send_psn;
	rc_peer_start(&model.peer, &options);
	rc_peer_pattern(model.memory, AREA, 7);
	memcpy(model.shadow, model.memory, AREA);
	model.region = rc_peer_region(&model.peer, model.memory, AREA, BASE,
		MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_WINDOW_BIND);
	for (size_t i = 0; i < RTE_DIM(model.windows); i++)
		fuzz_expect(mem_window_create(model.peer.mem, NULL, &model.windows[i]) == RC_OK,
			"window");
}

static void
request_add(const struct request *request)
{
	struct request *added = request_at(model.posted);

	fuzz_expect(model.posted - model.done < ENTRIES, "more requests than entries");
	*added = *request;
	added->first = model.next_psn;
	model.next_psn += added->psns;
	model.posted++;
}

static void
post(const struct rc_step *step)
{
	struct request request = {.opcode = rc_step_request(step),
		.silent = step->flags & RC_SILENT,
		.source = step->offset % SOURCE_BYTES};
	bool atomic = rc_opcode_kind(request.opcode) == RC_KIND_ATOMIC;
	struct mem_sge sge = {.region = model.region};
	struct rc_send_wr wr = {
		.opcode = request.opcode,
		.flags = step->flags & (RC_SILENT | RC_FENCE),
		.context = (void *)(uintptr_t)model.posted,
		.sgl = {.sges = &sge, .count = 1},
		.remote_address = RC_PEER_PSN,
		.rkey = step->number,
		.immediate = step->number,
	};

	request.bytes = atomic ? RC_ATOMIC_BYTES : step->bytes % (MESSAGE_MAX + 1);
	request.psns = RTE_MAX(1u, (request.bytes + PMTU - 1) / PMTU);
	if (rc_opcode_is_answered(request.opcode))
		request.source = (size_t)(slot_of(model.posted) - model.memory);
	request.bad_memory = step->key == 0 && request.bytes > 0;
	sge.address = BASE + (request.bad_memory ? AREA : request.source);
	sge.length_bytes = request.bytes;
	if (step->flags & 8 && !rc_opcode_is_answered(request.opcode) && !request.bad_memory) {
		wr.flags |= RC_INLINE;
		sge = (struct mem_sge){.address = (uintptr_t)model.memory + request.source,
			.length_bytes = request.bytes};
	}
	if (rc_post_send(model.peer.qp, &wr) == RC_OK)
		request_add(&request);
}

static void
post_local(const struct rc_step *step)
{
	struct mem_domain *mem = model.peer.mem;
	struct request request = {.local = true, .silent = step->flags & RC_SILENT};
	struct rc_send_wr wr = {
		.opcode = step->opcode & 1 ? RC_BIND : RC_INVALIDATE,
		.flags = step->flags & (RC_SILENT | RC_FENCE),
		.context = (void *)(uintptr_t)model.posted,
		.window = model.windows[step->key % RTE_DIM(model.windows)],
		.bind = {.region = model.region,
			.window = model.windows[step->key % RTE_DIM(model.windows)],
			.address = BASE,
			.length_bytes = 64,
			.rights = MEM_REMOTE_READ},
	};
	enum rc_status prepared;

	request.opcode = wr.opcode;
	if (rc_ring_full(&model.peer.qp->requester.ring))
		return;
	prepared = wr.opcode == RC_BIND
		? mem_bind_prepare(mem, &wr.bind, model.peer.qp->qpn)
		: mem_invalidate_prepare(mem, wr.window, model.peer.qp->qpn);
	if (prepared != RC_OK)
		return;
	fuzz_expect(rc_post_send(model.peer.qp, &wr) == RC_OK, "a bind has room");
	request_add(&request);
}

/** Compute the payload of a READ response. The payload depends only on the PSN. */
static void
answer_bytes(uint32_t psn, uint8_t payload[PMTU + 4])
{
	rc_peer_pattern(payload, PMTU + 4, psn * 31 + 5);
}

static uint64_t
answer_original(uint32_t psn)
{
	return (psn + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

static void
inject(uint8_t opcode, uint32_t psn, uint8_t syndrome, uint16_t bytes)
{
	uint32_t from_start = psn_distance(psn, model.start_psn);
	bool acknowledges =
		wire_aeth_type(syndrome) == WIRE_AETH_ACK || opcode != WIRE_RC_ACKNOWLEDGE;
	struct wire_headers headers = {
		.bth = {.opcode = opcode, .psn = psn},
		.aeth = {.syndrome = syndrome, .msn = from_start & PSN_MASK},
		.atomic_original = answer_original(from_start),
	};
	uint8_t payload[PMTU + 4];

	if (from_start < model.sent)
		model.covered = RTE_MAX(model.covered, from_start + acknowledges);
	answer_bytes(from_start, payload);
	rc_peer_inject(&model.peer, &headers, payload, bytes);
}

static void
respond(const struct rc_step *step)
{
	uint8_t opcode = rc_step_response(step);
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode);
	uint16_t bytes = traits->ends || step->flags & 0x20 ? step->bytes % (PMTU + 4) : PMTU;

	inject(opcode, rc_step_psn(step, model.peer.qp->requester.una_psn),
		step->flags & 1 ? step->syndrome : WIRE_SYNDROME_ACK,
		traits->has_payload ? bytes : 0);
}

static const struct request *
request_of(uint32_t psn)
{
	for (uint32_t i = model.done; i != model.posted; i++) {
		const struct request *request = request_at(i);

		if (psn - request->first < request->psns)
			return request;
	}
	return NULL;
}

static void
answer(const struct rc_step *step)
{
	uint32_t psn = model.peer.qp->requester.una_psn, place;
	const struct request *request = request_of(psn_distance(psn, model.start_psn));
	uint8_t opcode = WIRE_RC_ACKNOWLEDGE;
	uint32_t bytes = 0;

	if (request == NULL)
		return;
	place = psn_distance(psn, model.start_psn) - request->first;
	if (rc_opcode_kind(request->opcode) == RC_KIND_ATOMIC) {
		opcode = WIRE_RC_ATOMIC_ACKNOWLEDGE;
	} else if (rc_opcode_kind(request->opcode) == RC_KIND_READ) {
		bool first = place == 0 || step->flags & 1, last = place + 1 == request->psns;

		opcode = first ? (last ? WIRE_RC_READ_RESPONSE_ONLY : WIRE_RC_READ_RESPONSE_FIRST)
			       : (last ? WIRE_RC_READ_RESPONSE_LAST : WIRE_RC_READ_RESPONSE_MIDDLE);
		bytes = RTE_MIN(request->bytes - place * PMTU, PMTU);
	} else {
		psn = psn_add(psn, step->bytes % (request->psns - place));
	}
	inject(opcode, psn, WIRE_SYNDROME_ACK, (uint16_t)bytes);
}

static uint8_t
opcode_expected(const struct request *request, uint32_t place)
{
	const struct rc_operation *operation = rc_operation(request->opcode);
	enum rc_position position = RC_POSITION_MIDDLE;

	if (request->psns == 1 || rc_opcode_is_answered(request->opcode))
		position = RC_POSITION_ONLY;
	else if (place == 0)
		position = RC_POSITION_FIRST;
	else if (place + 1 == request->psns)
		position = RC_POSITION_LAST;
	return operation->wire[position];
}

static void
packet_check(const struct rc_peer_packet *packet)
{
	const struct wire_view *view = &packet->view;
	uint32_t psn = psn_distance(view->bth.psn, model.start_psn), place, bytes;
	const struct request *request = request_of(psn);

	fuzz_expect(request != NULL, "sent: PSN of no request under way");
	place = psn - request->first;
	fuzz_expect(view->bth.opcode == opcode_expected(request, place), "sent: opcode");
	bytes = request->bytes - place * PMTU;
	if (rc_opcode_is_answered(request->opcode)) {
		bool read = view->bth.opcode == WIRE_RC_READ_REQUEST;

		fuzz_expect(!read || view->reth.length_bytes == bytes, "sent: length of a READ");
		fuzz_expect(!read || view->reth.address == RC_PEER_PSN + place * PMTU,
			"sent: address of a READ");
		model.sent = RTE_MAX(model.sent, request->first + request->psns);
		return;
	}
	fuzz_expect(view->payload_bytes == RTE_MIN(bytes, PMTU), "sent: length");
	fuzz_expect(memcmp(packet->payload, model.shadow + request->source + place * PMTU,
			    view->payload_bytes) == 0,
		"sent: payload");
	model.sent = RTE_MAX(model.sent, psn + 1);
}

static void
sent_check(bool was_in_error)
{
	struct rc_peer_packet packet;

	while (rc_peer_next(&model.peer, &packet)) {
		fuzz_expect(!was_in_error, "sent in ERROR");
		packet_check(&packet);
	}
}

static void
memory_check(void)
{
	for (uint32_t i = model.done; i != model.posted; i++) {
		const struct request *request = request_at(i);

		if (rc_opcode_is_answered(request->opcode) && !request->bad_memory)
			memcpy(model.shadow + request->source, model.memory + request->source,
				request->bytes);
	}
	fuzz_expect(memcmp(model.memory, model.shadow, AREA) == 0, "memory");
}

static void
data_check(const struct request *request)
{
	const uint8_t *memory = model.memory + request->source;
	uint8_t payload[PMTU + 4];

	if (rc_opcode_kind(request->opcode) == RC_KIND_ATOMIC) {
		uint64_t original = answer_original(request->first);

		fuzz_expect(
			memcmp(memory, &original, sizeof(original)) == 0, "result of an atomic");
		return;
	}
	for (uint32_t done = 0; done < request->bytes; done += PMTU) {
		answer_bytes(request->first + done / PMTU, payload);
		fuzz_expect(
			memcmp(memory + done, payload, RTE_MIN(request->bytes - done, PMTU)) == 0,
			"bytes of a READ");
	}
}

static void
success_check(const struct request *request)
{
	fuzz_expect(!model.failed, "success behind a failure");
	if (request->local)
		return;
	fuzz_expect(!request->bad_memory, "success without memory");
	fuzz_expect(request->first + request->psns <= model.sent, "success of what was not sent");
	fuzz_expect(request->first + request->psns <= model.covered, "success without answer");
	if (rc_opcode_is_answered(request->opcode))
		data_check(request);
}

static void
completion_check(const struct rc_completion *completion)
{
	const struct request *request;
	uint32_t index = (uint32_t)(uintptr_t)completion->context;

	fuzz_expect(index - model.done < model.posted - model.done, "completion of nothing");
	for (; model.done != index; model.done++) {
		fuzz_expect(request_at(model.done)->silent, "completion in front of its turn");
		success_check(request_at(model.done));
	}
	request = request_at(model.done++);
	fuzz_expect(completion->kind == rc_operation(request->opcode)->completion, "kind");
	if (completion->status == RC_OK) {
		fuzz_expect(!request->silent, "completion of a silent success");
		fuzz_expect(!rc_opcode_is_answered(request->opcode) ||
				completion->bytes == request->bytes,
			"bytes");
		success_check(request);
		return;
	}
	fuzz_expect(!model.failed || completion->status == RC_FLUSHED, "second failure");
	model.failed = true;
}

static void
completions_check(void)
{
	struct rc_completion completion;

	while (rc_cq_poll(&model.peer.send_cq, &completion, 1) == 1)
		completion_check(&completion);
	/* Requests that left the queue without a completion must be silent successes. */
	for (; model.posted - model.done > rc_ring_count(&model.peer.qp->requester.ring);
		model.done++) {
		fuzz_expect(request_at(model.done)->silent, "no completion");
		success_check(request_at(model.done));
	}
	fuzz_expect(model.posted - model.done == rc_ring_count(&model.peer.qp->requester.ring),
		"completion before the request has left the queue");
	fuzz_expect(model.peer.qp->state != RC_QP_ERROR || model.posted == model.done,
		"request left in ERROR");
}

static void
step_run(const struct rc_step *step)
{
	struct rc_peer *peer = &model.peer;

	switch (step->kind % STEP_KINDS) {
	case STEP_POST:
		post(step);
		return;
	case STEP_ANSWER:
		answer(step);
		return;
	case STEP_RESPONSE:
		respond(step);
		return;
	case STEP_LOCAL:
		post_local(step);
		return;
	case STEP_TIME:
		peer->now_ns += step->flags & 1 ? UINT64_C(1) << step->key % 34 : step->number;
		break;
	case STEP_END:
		if (step->key == 0)
			rc_qp_error(peer->qp, RC_FLUSHED);
		return;
	default:
		break;
	}
	(void)rc_peer_progress(peer);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t count = RTE_MIN(size / sizeof(struct rc_step), (size_t)256);

	if (count == 0)
		return 0;
	model_start(data);
	for (size_t i = 1; i < count; i++) {
		bool was_in_error = model.peer.qp->state == RC_QP_ERROR;
		struct rc_step step;

		memcpy(&step, data + i * sizeof(step), sizeof(step));
		step_run(&step);
		sent_check(was_in_error);
		memory_check();
		completions_check();
	}
	rc_peer_stop(&model.peer);
	return 0;
}
