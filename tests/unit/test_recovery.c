/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <string.h>

#include "requester_rig.h"

/*
 * Send all kinds of requests over a lossy wire. The responder is a model: it executes requests in
 * PSN order, sends one NAK per gap, and sends RNR NAKs at random. It answers a request for the rest
 * of a READ in one of the two permitted ways.
 */

#define ACK_TIMEOUT 8
#define MODEL_BYTES (64u * 1024)
#define PLAN_COUNT  40u

struct model {
	uint32_t expected;
	bool nak_sent;
	/*
	 * Memory that WRITEs change and READs read. The remote address of its first byte is
	 * RIG_REMOTE.
	 */
	uint8_t memory[MODEL_BYTES];
	uint8_t received[MODEL_BYTES]; /* data of all received SENDs, one after the other */
	uint32_t received_bytes;
	uint32_t write_offset;
	uint32_t read_psns[PLAN_COUNT];
	uint32_t read_count;
	uint32_t percent; /* percentage of lost packets in each direction */
};

static bool
dice(struct rig *rig, uint32_t percent)
{
	return base_random_below(&rig->peer.random, 100) < percent;
}

static uint32_t
read_packets(const struct rig *rig, const struct wire_view *view)
{
	uint32_t pmtu_bytes = rig->peer.connect.pmtu_bytes;

	return RTE_MAX((view->reth.length_bytes + pmtu_bytes - 1) / pmtu_bytes, 1u);
}

static void
model_answer(struct rig *rig, const struct model *model, uint32_t psn, uint8_t syndrome)
{
	if (!dice(rig, model->percent))
		rig_answer(rig, psn, syndrome);
}

/* @return true if the READ with this PSN requests the rest of an earlier READ */
static bool
is_suffix(const struct model *model, uint32_t psn)
{
	for (uint32_t i = 0; i < model->read_count; i++) {
		if (model->read_psns[i] == psn)
			return false;
	}
	return true;
}

/*
 * Send READ responses. If the request is for the rest of a READ, begin with First or Middle at
 * random, because both occur with real peers.
 */
static void
model_read(struct rig *rig, const struct model *model, const struct wire_view *view)
{
	static const uint8_t opcodes[2][2] = {
		{WIRE_RC_READ_RESPONSE_MIDDLE, WIRE_RC_READ_RESPONSE_LAST},
		{WIRE_RC_READ_RESPONSE_FIRST, WIRE_RC_READ_RESPONSE_ONLY},
	};
	uint32_t pmtu_bytes = rig->peer.connect.pmtu_bytes, count = read_packets(rig, view);
	const uint8_t *from = model->memory + (view->reth.address - RIG_REMOTE);
	uint32_t psn = view->bth.psn, left = view->reth.length_bytes;
	bool goes_on = is_suffix(model, psn) && dice(rig, 50);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t bytes = RTE_MIN(left, pmtu_bytes);

		if (!dice(rig, model->percent))
			rig_read_response(rig, opcodes[i == 0 && !goes_on][i + 1 == count], psn + i,
				from, (uint16_t)bytes);
		from += bytes;
		left -= bytes;
	}
}

static void
model_execute(struct model *model, const struct rc_peer_packet *packet)
{
	const struct wire_view *view = &packet->view;

	switch ((int)view->traits->kind) {
	case WIRE_KIND_READ_REQUEST:
		model->read_psns[model->read_count++] = view->bth.psn;
		break;
	case WIRE_KIND_SEND:
		memcpy(model->received + model->received_bytes, packet->payload,
			view->payload_bytes);
		model->received_bytes += view->payload_bytes;
		break;
	default:
		if (view->traits->has_reth)
			model->write_offset = (uint32_t)(view->reth.address - RIG_REMOTE);
		memcpy(model->memory + model->write_offset, packet->payload, view->payload_bytes);
		model->write_offset += view->payload_bytes;
	}
}

static void
model_take(struct rig *rig, struct model *model, const struct rc_peer_packet *packet)
{
	const struct wire_view *view = &packet->view;
	bool read = view->traits->kind == WIRE_KIND_READ_REQUEST;
	int32_t ahead = psn_diff(view->bth.psn, model->expected);

	if (dice(rig, model->percent))
		return;
	if (ahead > 0) {
		if (!model->nak_sent)
			model_answer(rig, model, model->expected, WIRE_NAK_SEQUENCE);
		model->nak_sent = true;
		return;
	}
	if (ahead == 0) {
		if (view->traits->needs_receive && dice(rig, model->percent)) {
			model_answer(rig, model, view->bth.psn, WIRE_SYNDROME_RNR | 1);
			return; /* Q27: a sequence NAK may follow */
		}
		model->nak_sent = false;
		model->expected = psn_add(model->expected, read ? read_packets(rig, view) : 1);
		model_execute(model, packet);
	}
	if (read)
		model_read(rig, model, view);
	else if (view->bth.ack_request)
		model_answer(rig, model, view->bth.psn, RIG_ACK);
}

struct plan {
	enum rc_send_opcode opcode;
	uint32_t bytes;
	uint32_t offset; /* offset in the local memory and in the remote memory */
};

/* Post random requests. Each request uses its own memory, so that the result can be checked. */
static void
post_plans(struct rig *rig, struct plan *plans, uint8_t *sent, uint32_t *sent_bytes)
{
	static const enum rc_send_opcode opcodes[] = {RC_SEND, RC_WRITE, RC_READ};
	uint32_t offset = 0;

	for (uint32_t i = 0; i < PLAN_COUNT; i++) {
		struct plan *plan = &plans[i];
		struct mem_sge sge;
		struct rc_send_wr wr;

		plan->opcode = opcodes[base_random_below(&rig->peer.random, 3)];
		plan->bytes = base_random_below(&rig->peer.random, 1500);
		plan->offset = offset;
		offset += plan->bytes;
		sge = rig_sge(rig, plan->offset, plan->bytes);
		wr = rig_request(rig, i, plan->opcode, &sge);
		wr.remote_address = RIG_REMOTE + plan->offset;
		wr.flags = dice(rig, 25) ? RC_FENCE : 0;
		cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
		if (plan->opcode == RC_SEND) {
			memcpy(sent + *sent_bytes, rig->memory + plan->offset, plan->bytes);
			*sent_bytes += plan->bytes;
		}
	}
}

/* Run until all requests have completed. Advance the time only when nothing else is left to do. */
static void
run_plans(struct rig *rig, struct model *model, uint32_t seed)
{
	static struct rc_peer_packet packet;
	struct rc_completion completion;
	uint32_t completed = 0;

	for (uint32_t turns = 0; completed < PLAN_COUNT; turns++) {
		bool again = rig_progress(rig);
		uint64_t deadline_ns = rc_qp_deadline(rig->peer.qp);

		cr_assert_lt(turns, 100000, "seed %u: stuck after %u requests", seed, completed);
		while (rc_peer_next(&rig->peer, &packet)) {
			again = true;
			model_take(rig, model, &packet);
		}
		while (rc_cq_poll(&rig->peer.send_cq, &completion, 1) == 1) {
			cr_assert_eq(completion.status, RC_OK, "seed %u, request %u: %s", seed,
				completed, rc_status_name(completion.status));
			cr_assert_eq(completion.context, rig_context(completed), "seed %u", seed);
			completed++;
		}
		if (again)
			continue;
		cr_assert(deadline_ns != BASE_TIME_NEVER || completed == PLAN_COUNT,
			"seed %u: nothing to wait for after %u requests", seed, completed);
		rig->peer.now_ns = deadline_ns;
	}
}

static void
check_lossy(uint32_t seed, uint32_t percent, uint32_t send_psn)
{
	static struct model model;
	static uint8_t sent[MODEL_BYTES];
	struct plan plans[PLAN_COUNT];
	struct rig *rig = rig_new();
	uint8_t seed_bytes[BASE_RANDOM_SEED_BYTES] = {(uint8_t)seed, (uint8_t)(seed >> 8), 42};
	uint32_t sent_bytes = 0;

	rig->options.connect.ack_timeout = ACK_TIMEOUT;
	rig->options.connect.pmtu_bytes = 256;
	rig->options.connect.send_psn = send_psn;
	rig->options.connect.retry_count = 7;
	rig->options.connect.rnr_retry_count = 7;
	rig_start(rig);
	base_random_seed(&rig->peer.random, seed_bytes);
	model = (struct model){.expected = send_psn, .percent = percent};
	rc_peer_pattern(model.memory, sizeof(model.memory), seed);
	post_plans(rig, plans, sent, &sent_bytes);
	run_plans(rig, &model, seed);

	cr_assert_eq(model.received_bytes, sent_bytes, "seed %u: %u bytes of %u received", seed,
		model.received_bytes, sent_bytes);
	cr_assert_arr_eq(model.received, sent, sent_bytes);
	for (uint32_t i = 0; i < PLAN_COUNT; i++) {
		if (plans[i].opcode != RC_SEND)
			cr_assert_arr_eq(rig->memory + plans[i].offset,
				model.memory + plans[i].offset, plans[i].bytes);
	}
	cr_assert_eq(rig_requester(rig)->reads_outstanding, 0);
	cr_assert(percent > 0 || rig_counters(rig)->retransmitted_packets == 0);
	rig_stop(rig);
}

Test(recovery, lossless_wire_needs_none)
{
	check_lossy(1, 0, RIG_PSN);
}

/* B-028: the PSNs wrap during the test. */
Test(recovery, lossy_wire_over_psn_wrap)
{
	for (uint32_t seed = 0; seed < 100; seed++)
		check_lossy(seed, seed % 13, psn_add(0, -(int64_t)(seed * 2)));
}
