/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdalign.h>
#include <string.h>

#include "rc/operation.h"

#include "requester_rig.h"

#define OPCODE_COUNT RC_OPERATIONS

static uint32_t
binds_queued(struct rig *rig)
{
	struct mem_domain_stats stats;

	mem_domain_stats(rig->peer.mem, &stats);
	return stats.binds_queued;
}

static enum rc_status
post_fast(struct rig *rig, enum rc_send_opcode opcode, uint32_t flags)
{
	static alignas(MEM_PAGE_BYTES) uint8_t page[MEM_PAGE_BYTES];
	void *const pages[] = {page};
	struct rc_send_wr wr = {.opcode = opcode, .flags = flags, .context = rig_context(1)};
	struct mem_fast_attr attr = {.pages = pages, .page_count = 1, .length_bytes = 1};
	enum rc_status status;

	cr_assert_eq(mem_fast_create(rig->peer.mem, 1, true, NULL, &attr.region), RC_OK);
	wr.fast.region = attr.region;
	if (opcode == RC_FAST_REGISTER)
		cr_assert_eq(mem_fast_prepare(rig->peer.mem, &attr, &wr.fast), RC_OK);
	status = rc_post_send(rig->peer.qp, &wr);
	if (status != RC_OK && opcode == RC_FAST_REGISTER)
		mem_fast_cancel(rig->peer.mem, &wr.fast); /* cancelled by the caller */
	if (status != RC_OK) {
		uint64_t release;

		cr_assert_eq(mem_region_deregister(rig->peer.mem, attr.region, &release), RC_OK);
	}
	return status;
}

static enum rc_status
post_opcode(struct rig *rig, enum rc_send_opcode opcode, uint32_t flags)
{
	bool atomic = opcode == RC_FETCH_ADD || opcode == RC_COMPARE_SWAP;
	struct mem_sge sge = rig_sge(rig, 0, atomic ? 8 : 16);
	struct rc_send_wr wr = rig_request(rig, 1, opcode, &sge);
	struct mem_window *window = NULL;
	enum rc_status status;

	if (opcode == RC_FAST_REGISTER || opcode == RC_INVALIDATE_REGION)
		return post_fast(rig, opcode, flags);
	if (opcode == RC_BIND || opcode == RC_INVALIDATE)
		window = rig_window(rig);
	if (opcode == RC_BIND)
		wr = rig_bind(rig, 1, window);
	wr.flags = flags;
	wr.opcode = opcode;
	if (opcode == RC_INVALIDATE)
		wr.window = window;
	if ((flags & RC_INLINE) != 0)
		sge = (struct mem_sge){.address = (uintptr_t)rig->memory, .length_bytes = 16};
	status = rc_post_send(rig->peer.qp, &wr);
	if (status != RC_OK && opcode == RC_BIND)
		mem_bind_cancel(rig->peer.mem, &wr.bind); /* cancelled by the caller */
	return status;
}

/* RC-120: requests can be posted only in state RTS. */
Test(post, not_connected_refused)
{
	struct rig *rig = rig_new();

	rig->options.stay_init = true;
	rig_start(rig);
	for (int opcode = 0; opcode < OPCODE_COUNT; opcode++)
		cr_assert_eq(post_opcode(rig, (enum rc_send_opcode)opcode, 0), RC_NOT_CONNECTED);
	cr_assert_eq(binds_queued(rig), 0);
	rig_not_completed(rig);
	rig_stop(rig);
}

Test(post, flags_by_opcode)
{
	static const uint32_t allowed[OPCODE_COUNT] = {
		[RC_SEND] = RC_SILENT | RC_FENCE | RC_SOLICITED | RC_INLINE,
		[RC_SEND_INVALIDATE] = RC_SILENT | RC_FENCE | RC_SOLICITED | RC_INLINE,
		[RC_SEND_IMMEDIATE] = RC_SILENT | RC_FENCE | RC_SOLICITED | RC_INLINE,
		[RC_WRITE] = RC_SILENT | RC_FENCE | RC_INLINE,
		[RC_WRITE_IMMEDIATE] = RC_SILENT | RC_FENCE | RC_SOLICITED | RC_INLINE,
		[RC_READ] = RC_SILENT | RC_FENCE,
		[RC_FETCH_ADD] = RC_SILENT | RC_FENCE,
		[RC_COMPARE_SWAP] = RC_SILENT | RC_FENCE,
		[RC_BIND] = RC_SILENT | RC_FENCE,
		[RC_INVALIDATE] = RC_SILENT | RC_FENCE,
		[RC_FAST_REGISTER] = RC_SILENT | RC_FENCE,
		[RC_INVALIDATE_REGION] = RC_SILENT | RC_FENCE,
	};
	struct rig *rig = rig_new();

	rig_start(rig);
	for (int opcode = 0; opcode < OPCODE_COUNT; opcode++) {
		for (uint32_t flag = 1; flag != 0; flag <<= 1) {
			enum rc_status expected =
				(allowed[opcode] & flag) != 0 ? RC_OK : RC_BAD_FLAGS;
			enum rc_status status = post_opcode(rig, (enum rc_send_opcode)opcode, flag);

			cr_assert_eq(status, expected, "opcode %d, flag 0x%x: %s, %s expected",
				opcode, flag, rc_status_name(status), rc_status_name(expected));
		}
	}
	rig_stop(rig);
}

/* B-052: a request with an unknown opcode is refused, and leaves nothing in the send queue. */
Test(post, unknown_opcode_refused)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	cr_assert_eq(post_opcode(rig, (enum rc_send_opcode)OPCODE_COUNT, 0), RC_INVALID_ARGUMENT);
	cr_assert_eq(post_opcode(rig, (enum rc_send_opcode) - 1, 0), RC_INVALID_ARGUMENT);
	rig_stop(rig);
}

Test(post, limits)
{
	struct rig *rig = rig_new();
	struct mem_sge sges[LIMIT_SGE + 1];
	struct rc_send_wr wr;

	rig_start(rig);
	for (size_t i = 0; i < RTE_DIM(sges); i++)
		sges[i] = rig_sge(rig, 0, 1);
	wr = rig_request(rig, 1, RC_SEND, sges);
	wr.sgl.count = 4;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	wr.sgl.count = 5;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_TOO_MANY_SGE);

	/* RC-004: the total length is too large. In the second case, the sum overflows. */
	sges[0].length_bytes = LIMIT_MESSAGE_BYTES;
	sges[1].length_bytes = 1;
	wr.sgl.count = 2;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_MESSAGE_TOO_LONG);
	sges[1].length_bytes = UINT64_MAX - LIMIT_MESSAGE_BYTES + 2;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_MESSAGE_TOO_LONG);
	wr.sgl.count = 1;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);

	sges[0] = (struct mem_sge){.address = (uintptr_t)rig->memory, .length_bytes = 64};
	wr.flags = RC_INLINE;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	sges[0].length_bytes = 65;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_MESSAGE_TOO_LONG);
	rig_stop(rig);
}

/* RC-009: if the connection permits no READs, posting a READ fails. */
Test(post, read_without_reads_refused)
{
	struct rig *rig = rig_new();

	rig->options.connect.outbound_reads = 0;
	rig_start(rig);
	cr_assert_eq(post_opcode(rig, RC_READ, 0), RC_NO_READS);
	cr_assert_eq(post_opcode(rig, RC_FETCH_ADD, 0), RC_NO_READS);
	cr_assert_eq(post_opcode(rig, RC_COMPARE_SWAP, 0), RC_NO_READS);
	cr_assert_eq(post_opcode(rig, RC_WRITE, 0), RC_OK);
	rig_stop(rig);
}

/* The list of an atomic must have 8 bytes in total, in one or several entries. */
Test(post, atomic_of_other_length_refused)
{
	static const uint64_t lengths[] = {0, 1, 7, 9, 16, LIMIT_MESSAGE_BYTES};
	struct rig *rig = rig_new();
	struct mem_sge sges[2];
	struct rc_send_wr wr;

	rig_start(rig);
	for (size_t i = 0; i < RTE_DIM(lengths); i++) {
		sges[0] = rig_sge(rig, 0, lengths[i]);
		wr = rig_request(rig, 1, RC_FETCH_ADD, sges);
		cr_assert_eq(
			rc_post_send(rig->peer.qp, &wr), RC_LOCAL_LENGTH, "%lu bytes", lengths[i]);
	}
	sges[0] = rig_sge(rig, 0, 3);
	sges[1] = rig_sge(rig, 64, 5);
	wr.sgl.count = 2;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	rig_stop(rig);
}

/*
 * RC-010, B-054: inline data are copied when the request is posted, even from several entries. An
 * entry may be empty.
 */
Test(post, inline_data_captured)
{
	struct rig *rig = rig_new();
	uint8_t parts[3][20];
	struct mem_sge sges[4] = {
		{.address = (uintptr_t)parts[0], .length_bytes = 20},
		{.address = 0, .length_bytes = 0},
		{.address = (uintptr_t)parts[1], .length_bytes = 1},
		{.address = (uintptr_t)parts[2], .length_bytes = 19},
	};
	struct rc_send_wr wr;
	uint8_t expected[40];

	rig_start(rig);
	rc_peer_pattern(parts, sizeof(parts), 9);
	memcpy(expected, parts[0], 20);
	memcpy(expected + 20, parts[1], 1);
	memcpy(expected + 21, parts[2], 19);
	wr = rig_request(rig, 1, RC_WRITE, sges);
	wr.flags = RC_INLINE;
	wr.sgl.count = 4;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
	memset(parts, 0xEE, sizeof(parts));
	memset(sges, 0, sizeof(sges));

	rig_progress(rig);
	rig_expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN);
	cr_assert_eq(rig->packet.view.payload_bytes, 40);
	cr_assert_arr_eq(rig->packet.payload, expected, 40);

	/* After a NAK, the retransmission has the same bytes (RC-101). */
	rig_answer(rig, RIG_PSN, WIRE_NAK_SEQUENCE);
	rig_progress(rig);
	rig_expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN);
	cr_assert_arr_eq(rig->packet.payload, expected, 40);
	rig_stop(rig);
}

Test(post, queue_full_until_completed)
{
	struct rig *rig = rig_new();

	rig->options.qp.send_entries = 3;
	rig_start(rig);
	for (uintptr_t i = 0; i < 3; i++)
		rig_post(rig, i, RC_SEND, RC_SILENT, 8);
	cr_assert_eq(post_opcode(rig, RC_SEND, 0), RC_QUEUE_FULL);
	rig_run(rig);
	cr_assert_eq(post_opcode(rig, RC_SEND, 0), RC_QUEUE_FULL);
	rig_answer(rig, RIG_PSN, RIG_ACK);
	rig_post(rig, 3, RC_SEND, 0, 8);
	cr_assert_eq(post_opcode(rig, RC_SEND, 0), RC_QUEUE_FULL);
	rig_run(rig);
	rig_answer(rig, RIG_PSN + 3, RIG_ACK);
	rig_completed(rig, 3, RC_OK);
	rig_not_completed(rig);
	rig_stop(rig);
}

Test(post, refused_bind_stays_the_callers)
{
	struct rig *rig = rig_new();

	rig->options.qp.send_entries = 1;
	rig_start(rig);
	rig_post(rig, 1, RC_SEND, 0, 8);
	cr_assert_eq(post_opcode(rig, RC_BIND, 0), RC_QUEUE_FULL);
	cr_assert_eq(binds_queued(rig), 0);
	rig_stop(rig);
}

/*
 * RC-123, RC-128: in state ERROR, a request is accepted and flushed at once, even if the request is
 * silent. A flushed bind releases its key.
 */
Test(post, in_error_flushed)
{
	struct rig *rig = rig_new();

	rig_start(rig);
	rc_qp_error(rig->peer.qp, RC_FLUSHED);
	for (int opcode = 0; opcode < OPCODE_COUNT; opcode++) {
		cr_assert_eq(post_opcode(rig, (enum rc_send_opcode)opcode, RC_SILENT), RC_OK);
		rig_completed(rig, 1, RC_FLUSHED);
		rig_not_completed(rig);
	}
	cr_assert_eq(binds_queued(rig), 0);
	cr_assert_eq(rig_run(rig), 0);
	rig_stop(rig);
}

Test(post, in_error_before_connection_flushed)
{
	struct rig *rig = rig_new();

	rig->options.stay_init = true;
	rig_start(rig);
	rc_qp_error(rig->peer.qp, RC_FLUSHED);
	cr_assert_eq(post_opcode(rig, RC_READ, 0), RC_OK);
	rig_completed(rig, 1, RC_FLUSHED);
	rig_stop(rig);
}

Test(post, destroy_gives_queued_binds_back)
{
	struct rig *rig = rig_new();
	struct rc_qp *qp;
	struct rc_qp_attr attr;

	rig_start(rig);
	rig_post_bind(rig, 1, rig_window(rig), 0);
	cr_assert_eq(binds_queued(rig), 1);
	attr = rig->options.qp;
	attr.send_cq = &rig->peer.send_cq;
	attr.receive_cq = &rig->peer.receive_cq;
	attr.qpn++;
	cr_assert_eq(rc_qp_create(&rig->peer.ctx, &attr, &qp), RC_OK);
	rc_qp_destroy(rig->peer.qp);
	cr_assert_eq(binds_queued(rig), 0);
	rig_not_completed(rig);
	rig->peer.qp = qp;
	rig_stop(rig);
}

Test(post, no_room_ends_only_if_the_port_takes_nothing)
{
	struct rig *rig = rig_new();
	struct rte_mbuf *taken[4096];
	unsigned int count;

	rig->options.connect.ack_timeout = 14;
	rig_start(rig);
	count = rte_mempool_avail_count(rig->peer.pool);
	cr_assert_leq(count, RTE_DIM(taken));
	cr_assert_eq(rte_mempool_get_bulk(rig->peer.pool, (void **)taken, count), 0);
	rig_post(rig, 1, RC_SEND, 0, 8);
	cr_assert(rig_progress(rig));
	for (unsigned int i = 0; i < 3; i++) {
		rig->peer.now_ns += RC_STUCK_NS;
		rig->peer.qp->ctx->taken_count++;
		cr_assert(rig_progress(rig));
		cr_assert_eq(rig->peer.qp->state, RC_QP_RTS);
	}
	rig->peer.now_ns += RC_STUCK_NS;
	rig_progress(rig);
	rig_completed(rig, 1, RC_PORT_STUCK);
	rig_in_error(rig, RC_PORT_STUCK);
	rte_mempool_put_bulk(rig->peer.pool, (void **)taken, count);
	rig_stop(rig);
}
