/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "fuzz/fuzzer.h"
#include "fuzz/rc_step.h"
#include "rc/qp_time.h"
#include "support/eal.h"
#include "support/rc_peer.h"

/*
 * Compares the fast paths of parser and responder with their slow paths (ladders). Two queue pairs
 * get the same packets, requests, receives and times; each record is one of these. The first queue
 * pair gets each frame in one segment and uses the fast paths. The second queue pair gets each
 * frame in two segments and uses the slow paths. Both must send the same bytes, and have the same
 * completions, events, counters, deadlines and memory. Keys, lengths and PSNs are valid or nearly
 * valid. The first record has settings of the connection.
 */

#define PMTU    256u
#define AREA    2048u
#define BASE    UINT64_C(0x7000000000)
#define ENTRIES 8u

enum step_kind {
	STEP_REQUEST,
	STEP_USUAL, /* Deliver a request of the peer that the fast path accepts. */
	STEP_RESPONSE,
	STEP_POST_SEND,
	STEP_POST_RECEIVE,
	STEP_PROGRESS,
	STEP_TIME,
	STEP_POLL,
	STEP_KINDS,
};

struct twin {
	struct rc_peer peer;
	struct mem_region *region;
	struct mem_window *window;
	uint32_t keys[4]; /* key of the region, key of the window, invalid key, 0 */
	bool in_two;
	alignas(8) uint8_t memory[AREA];
};

static struct twin twins[2];

void
fuzz_start(void)
{
	test_eal_init();
}

/* Create the queue pairs. @param setting bytes of the first record */
static void
twin_start(struct twin *twin, const uint8_t *setting)
{
	struct mem_bind bind = {.address = BASE + 64,
		.length_bytes = AREA / 2,
		.rights = MEM_REMOTE_WRITE | MEM_REMOTE_READ};
	struct rc_peer_options options;

	memset(twin, 0, sizeof(*twin));
	rc_peer_defaults(&options);
	options.pool_mbufs = 512;
	options.cq_entries = ENTRIES;
	options.qp.receive_entries = 4;
	options.qp.send_entries = ENTRIES;
	options.connect.pmtu_bytes = PMTU;
	options.connect.ack_timeout = setting[0] % 16;
	options.connect.receive_psn = setting[1] & 1 ? PSN_MASK - 2 : RC_PEER_PSN;
	options.connect.send_psn = setting[1] & 2 ? PSN_MASK - 2 : RC_PEER_SEND_PSN;
	options.connect.remote_write = !(setting[1] & 4);
	options.connect.inbound_reads = 1 + setting[2] % 4;
	options.connect.keep_packets = setting[3] % 16;
	options.keep.mbufs_max = 32; /* A kept packet consists of two mbufs, see split(). */
	options.keep.reorder_ns = setting[4] * UINT64_C(100);
	rc_peer_start(&twin->peer, &options);
	twin->region = rc_peer_region(&twin->peer, twin->memory, AREA, BASE,
		MEM_LOCAL_WRITE | MEM_REMOTE_READ | MEM_REMOTE_WRITE | MEM_REMOTE_ATOMIC |
			MEM_WINDOW_BIND);
	fuzz_expect(mem_window_create(twin->peer.mem, NULL, &twin->window) == RC_OK, "window");
	bind.window = twin->window;
	bind.region = twin->region;
	fuzz_expect(mem_bind_now(twin->peer.mem, &bind, twin->peer.qp->qpn) == RC_OK, "bind");
	twin->keys[0] = mem_region_key(twin->region);
	twin->keys[1] = bind.key;
	twin->keys[2] = ~twin->keys[0];
}

/* Move all bytes of a frame after offset `at` to a second segment. */
static void
split(struct rte_mbuf *mbuf, uint32_t at)
{
	struct rte_mbuf *rest = rte_pktmbuf_alloc(mbuf->pool);
	uint16_t bytes = (uint16_t)(mbuf->data_len - at);

	fuzz_expect(rest != NULL, "pool is empty");
	memcpy(rte_pktmbuf_append(rest, bytes), rte_pktmbuf_mtod_offset(mbuf, void *, at), bytes);
	fuzz_expect(
		rte_pktmbuf_trim(mbuf, bytes) == 0 && rte_pktmbuf_chain(mbuf, rest) == 0, "chain");
}

static void
inject(struct twin *twin, const struct rc_step *step, const struct wire_headers *headers,
	uint16_t bytes)
{
	uint8_t payload[PMTU + 4];
	struct rte_mbuf *mbuf;

	rc_peer_pattern(payload, sizeof(payload), step->number);
	mbuf = rc_peer_frame(&twin->peer, headers, payload, bytes);
	if (twin->in_two)
		split(mbuf, 1 + step->number % (mbuf->data_len - 8u));
	rc_peer_input(&twin->peer, mbuf);
}

static uint16_t
payload_bytes(const struct rc_step *step, uint8_t opcode)
{
	const struct wire_opcode_traits *traits = wire_opcode_traits(opcode);

	if (!traits->has_payload)
		return 0;
	return (uint16_t)(traits->ends || step->flags & 0x20 ? step->bytes % (PMTU + 4) : PMTU);
}

static void
request(struct twin *twin, const struct rc_step *step, uint8_t opcode, bool right)
{
	uint16_t bytes = payload_bytes(step, opcode);
	uint32_t psn = twin->peer.qp->responder.expected_psn;
	uint32_t more = right ? 0 : (uint32_t)(int32_t)step->length;
	uint64_t address = BASE + 64 + step->offset % (right ? AREA / 2 - PMTU : 2 * AREA);
	uint32_t key = twin->keys[step->key % (right ? 2 : RTE_DIM(twin->keys))];
	struct wire_headers headers = {
		.bth = {.opcode = opcode,
			.psn = right ? psn : rc_step_psn(step, psn),
			.ack_request = step->flags & 1,
			.solicited = step->flags & 2},
		.reth = {.address = address, .rkey = key, .length_bytes = bytes + more},
		.atomic = {.address = step->flags & 4 ? address : address & ~UINT64_C(7),
			.rkey = key},
		.immediate = step->number,
		.invalidate_rkey = key,
	};

	inject(twin, step, &headers, bytes);
}

static void
response(struct twin *twin, const struct rc_step *step)
{
	uint8_t opcode = rc_step_response(step);
	struct wire_headers headers = {
		.bth = {.opcode = opcode,
			.psn = rc_step_psn(step, twin->peer.qp->requester.una_psn)},
		.aeth = {.syndrome = step->flags & 1 ? step->syndrome : 0x1F,
			.msn = step->number & PSN_MASK},
		.atomic_original = step->number,
	};

	inject(twin, step, &headers, payload_bytes(step, opcode));
}

static enum rc_status
post_send(struct twin *twin, const struct rc_step *step)
{
	enum rc_send_opcode opcode = rc_step_request(step);
	bool atomic = opcode == RC_FETCH_ADD || opcode == RC_COMPARE_SWAP;
	struct mem_sge sge = {.address = BASE + step->offset % AREA,
		.length_bytes = atomic ? 8 : step->bytes % (AREA + 8),
		.region = twin->region};
	struct rc_send_wr wr = {
		.opcode = opcode,
		.flags = step->flags & (RC_SILENT | RC_FENCE | RC_SOLICITED),
		.context = (void *)(uintptr_t)step->number,
		.sgl = {.sges = &sge, .count = 1},
		.remote_address = step->number & ~7u,
		.rkey = step->number,
		.immediate = step->number,
		.operands = {.swap_add = step->number},
	};

	return rc_post_send(twin->peer.qp, &wr);
}

static enum rc_status
post_receive(struct twin *twin, const struct rc_step *step)
{
	struct mem_sge sges[2] = {
		{BASE + AREA / 2 + step->offset % (AREA / 2), step->bytes % (2 * PMTU), NULL},
		{BASE + AREA / 2, step->key, NULL},
	};
	struct rc_receive_wr wr = {
		.context = (void *)(uintptr_t)step->number,
		.sgl = {.sges = sges, .count = step->flags % 3u},
	};

	sges[0].region = sges[1].region = twin->region;
	return rc_post_receive(twin->peer.qp, &wr);
}

/* Execute a step. @return result of the called function; 0 if no function was called */
static uint32_t
step_run(struct twin *twin, const struct rc_step *step)
{
	static const uint8_t usual[] = {WIRE_RC_WRITE_ONLY, WIRE_RC_WRITE_ONLY_IMM,
		WIRE_RC_SEND_ONLY, WIRE_RC_SEND_ONLY_IMM};
	struct rc_peer *peer = &twin->peer;

	switch (step->kind % STEP_KINDS) {
	case STEP_REQUEST:
		if (wire_opcode_traits(step->opcode & 0x1F)->response)
			return 0;
		request(twin, step, step->opcode & 0x1F, step->flags & 0x80);
		return 0;
	case STEP_USUAL:
		request(twin, step, usual[step->opcode % RTE_DIM(usual)], true);
		return 0;
	case STEP_RESPONSE:
		response(twin, step);
		return 0;
	case STEP_POST_SEND:
		return post_send(twin, step);
	case STEP_POST_RECEIVE:
		return post_receive(twin, step);
	case STEP_TIME:
		peer->now_ns += step->flags & 1 ? UINT64_C(1) << step->key % 34 : step->number;
		return rc_peer_progress(peer);
	case STEP_POLL:
		rc_cq_request_notify(&peer->receive_cq, step->flags % (RC_CQ_ARM_ANY + 1));
		rc_cq_request_notify(&peer->send_cq, step->key % (RC_CQ_ARM_ANY + 1));
		return 0;
	default:
		return rc_peer_progress(peer);
	}
}

static void
packets_compare(void)
{
	struct rc_peer *a = &twins[0].peer, *b = &twins[1].peer;
	struct rc_peer_packet packet;

	fuzz_expect(a->ctx.packet_count == b->ctx.packet_count, "packets sent");
	for (uint16_t i = 0; i < a->ctx.packet_count; i++) {
		const struct rte_mbuf *one = a->ctx.packets[i], *other = b->ctx.packets[i];

		fuzz_expect(one->pkt_len == other->pkt_len &&
				memcmp(rte_pktmbuf_mtod(one, void *),
					rte_pktmbuf_mtod(other, void *), one->data_len) == 0,
			"bytes sent");
	}
	while (rc_peer_next(a, &packet))
		;
	rc_peer_drain(b);
}

static void
completions_compare(struct rc_cq *a, struct rc_cq *b)
{
	struct rc_completion one[2 * ENTRIES], other[2 * ENTRIES];
	uint32_t count = rc_cq_poll(a, one, RTE_DIM(one));

	fuzz_expect(rc_cq_poll(b, other, RTE_DIM(other)) == count, "completions");
	for (uint32_t i = 0; i < count; i++)
		fuzz_expect(one[i].context == other[i].context &&
				one[i].status == other[i].status && one[i].kind == other[i].kind &&
				one[i].solicited == other[i].solicited &&
				one[i].bytes == other[i].bytes && one[i].flags == other[i].flags &&
				one[i].immediate == other[i].immediate,
			"completion");
}

static void
queues_compare(void)
{
	completions_compare(&twins[0].peer.send_cq, &twins[1].peer.send_cq);
	completions_compare(&twins[0].peer.receive_cq, &twins[1].peer.receive_cq);
}

static void
twins_compare(const struct rc_step *step)
{
	struct rc_peer *a = &twins[0].peer, *b = &twins[1].peer;

	fuzz_expect(a->qp->state == b->qp->state && a->qp->error == b->qp->error, "state");
	fuzz_expect(a->event_first_count == b->event_first_count &&
			a->event_error_count == b->event_error_count &&
			a->event_refused_count == b->event_refused_count &&
			a->receive_notify_count == b->receive_notify_count &&
			a->send_notify_count == b->send_notify_count,
		"events");
	fuzz_expect(rc_qp_deadline(a->qp) == rc_qp_deadline(b->qp), "deadline");
	fuzz_expect(memcmp(&a->ctx.counters, &b->ctx.counters, sizeof(a->ctx.counters)) == 0,
		"counters");
	fuzz_expect(memcmp(twins[0].memory, twins[1].memory, AREA) == 0, "memory");
	packets_compare();
	if (step->kind % STEP_KINDS == STEP_POLL)
		queues_compare();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t count = RTE_MIN(size / sizeof(struct rc_step), (size_t)256);

	if (count == 0)
		return 0;
	for (size_t side = 0; side < RTE_DIM(twins); side++) {
		twin_start(&twins[side], data);
		twins[side].in_two = side == 1;
	}
	for (size_t i = 1; i < count; i++) {
		struct rc_step step;
		uint32_t results[2];

		memcpy(&step, data + i * sizeof(step), sizeof(step));
		for (size_t side = 0; side < RTE_DIM(twins); side++)
			results[side] = step_run(&twins[side], &step);
		fuzz_expect(results[0] == results[1], "result");
		twins_compare(&step);
	}
	queues_compare();
	for (size_t side = 0; side < RTE_DIM(twins); side++)
		rc_peer_stop(&twins[side].peer);
	return 0;
}
