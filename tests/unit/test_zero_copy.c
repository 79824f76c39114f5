/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Requests whose payload is sent from where it is registered. */

#include <string.h>

#include <rte_malloc.h>

#include "mem/attach.h"
#include "requester_rig.h"

#define PMTU        4096u
#define EAL_BYTES   65536u
#define EAL_BASE    UINT64_C(0x40000000)
#define ACK_TIMEOUT 8
#define INTERVAL_NS (UINT64_C(4096) << ACK_TIMEOUT)

static uint8_t *bytes; /* EAL's, registered */
static struct mem_region *registered;

static struct rig *
zero_copy_rig(unsigned pool_mbufs)
{
	struct rig *rig = rig_new();

	rig->options.connect.pmtu_bytes = PMTU;
	rig->options.connect.ack_timeout = ACK_TIMEOUT;
	rig->options.qp.send_sge_max = 8;
	rig->options.pool_mbufs = pool_mbufs;
	rig_start(rig);
	rig->peer.ctx.zero_copy = true;
	bytes = rte_malloc("zero_copy", EAL_BYTES, 0);
	cr_assert_not_null(bytes);
	rc_peer_pattern(bytes, EAL_BYTES, 3);
	registered = rc_peer_region(&rig->peer, bytes, EAL_BYTES, EAL_BASE, 0);
	return rig;
}

static void
post(struct rig *rig, enum rc_send_opcode opcode, uint32_t flags, struct mem_sge *sges,
	uint32_t count)
{
	struct rc_send_wr wr = rig_request(rig, 1, opcode, sges);

	wr.sgl.count = count;
	wr.flags = flags;
	cr_assert_eq(rc_post_send(rig->peer.qp, &wr), RC_OK);
}

static struct mem_sge
place(uint64_t offset, uint64_t length_bytes)
{
	return (struct mem_sge){EAL_BASE + offset, length_bytes, registered};
}

/* Segments of the packet that rig_expect() takes next. */
static uint16_t
segments(const struct rig *rig)
{
	const struct rc_peer *peer = &rig->peer;

	cr_assert_lt(peer->taken, peer->ctx.packet_count, "nothing was sent");
	return peer->ctx.packets[peer->taken]->nb_segs;
}

static void
expect(struct rig *rig, uint8_t opcode, uint32_t psn, uint16_t segment_count, uint64_t offset,
	uint16_t payload_bytes)
{
	uint16_t got = segments(rig);
	const struct wire_view *view = rig_expect(rig, opcode, psn);

	cr_assert_eq(got, segment_count, "0x%06x has %u segments, not %u", psn, got, segment_count);
	cr_assert_eq(view->payload_bytes, payload_bytes);
	cr_assert_eq(memcmp(rig->packet.payload, bytes + offset, payload_bytes), 0,
		"payload of 0x%06x differs", psn);
}

static void
expect_counts(struct rig *rig, uint64_t attached, uint64_t copied)
{
	const struct rc_counters *counters = rig_counters(rig);

	cr_assert(counters->tx_attached == attached && counters->tx_copied == copied,
		"%lu attached, %lu copied; expected %lu, %lu", (unsigned long)counters->tx_attached,
		(unsigned long)counters->tx_copied, (unsigned long)attached, (unsigned long)copied);
}

Test(zero_copy, full_packets_are_attached_and_a_short_rest_is_copied)
{
	struct rig *rig = zero_copy_rig(64);
	struct mem_sge sge = place(11, 2 * PMTU + 101);

	post(rig, RC_SEND, 0, &sge, 1);
	rig_progress(rig);
	cr_assert_eq(mem_domain_attached(rig->peer.mem), 2);
	expect(rig, WIRE_RC_SEND_FIRST, RIG_PSN, 3, 11, PMTU);
	expect(rig, WIRE_RC_SEND_MIDDLE, RIG_PSN + 1, 3, 11 + PMTU, PMTU);
	expect(rig, WIRE_RC_SEND_LAST, RIG_PSN + 2, 1, 11 + 2 * PMTU, 101);
	cr_assert_eq(mem_domain_attached(rig->peer.mem), 0);
	expect_counts(rig, 2, 1);
	cr_assert_eq(rig_counters(rig)->tx_bytes, sge.length_bytes);
	rig_stop(rig);
}

/* Lengths that need every pad count. */
Test(zero_copy, pad_stands_behind_attached_bytes)
{
	struct rig *rig = zero_copy_rig(64);

	for (uint32_t i = 0; i < 4; i++) {
		struct mem_sge sge = place(i, PMTU - i);

		post(rig, RC_WRITE, 0, &sge, 1);
		rig_progress(rig);
		expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN + i, 3, i, (uint16_t)(PMTU - i));
		rig_answer(rig, RIG_PSN + i, RIG_ACK);
	}
	expect_counts(rig, 4, 0);
	rig_stop(rig);
}

Test(zero_copy, four_pieces_are_attached_and_five_are_copied)
{
	struct rig *rig = zero_copy_rig(64);
	struct mem_sge sges[5];

	for (uint32_t count = 4; count <= 5; count++) {
		for (uint32_t i = 0; i < count; i++)
			sges[i] = place(i * 800, 800);
		post(rig, RC_WRITE, 0, sges, count);
	}
	rig_progress(rig);
	expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN, 6, 0, 3200);
	expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN + 1, 1, 0, 4000);
	expect_counts(rig, 1, 1);
	rig_stop(rig);
}

Test(zero_copy, is_off_unless_asked_for)
{
	struct rig *rig = zero_copy_rig(64);
	struct mem_sge sge = place(0, PMTU);

	rig->peer.ctx.zero_copy = false;
	post(rig, RC_SEND, 0, &sge, 1);
	rig_progress(rig);
	expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN, 1, 0, PMTU);
	expect_counts(rig, 0, 1);
	rig_stop(rig);
}

Test(zero_copy, other_memory_and_inline_data_are_copied)
{
	struct rig *rig = zero_copy_rig(64);
	/* Inline data are addresses of the process. */
	struct mem_sge inline_sge = {(uintptr_t)bytes, 64, NULL};

	/* The rig's own memory is not EAL's. */
	rig_post(rig, 1, RC_SEND, 0, PMTU);
	post(rig, RC_SEND, RC_INLINE, &inline_sge, 1);
	rig_progress(rig);
	cr_assert_eq(segments(rig), 1);
	rig_expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN);
	cr_assert_eq(memcmp(rig->packet.payload, rig->memory, PMTU), 0);
	expect(rig, WIRE_RC_SEND_ONLY, RIG_PSN + 1, 1, 0, 64);
	expect_counts(rig, 0, 2);
	rig_stop(rig);
}

Test(zero_copy, retransmission_reads_the_memory_again)
{
	struct rig *rig = zero_copy_rig(64);
	struct mem_sge sge = place(0, PMTU);

	post(rig, RC_WRITE, 0, &sge, 1);
	rig_progress(rig);
	cr_assert_eq(rc_peer_drain(&rig->peer), 1);
	memset(bytes, 0x5A, PMTU);
	rig->peer.now_ns += INTERVAL_NS;
	rig_progress(rig);
	expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN, 3, 0, PMTU);
	expect_counts(rig, 2, 0);
	cr_assert_eq(rig_counters(rig)->retransmitted_packets, 1);
	rig_stop(rig);
}

Test(zero_copy, too_few_mbufs_for_a_chain_mean_a_copy_and_none_means_later)
{
	struct rig *rig = zero_copy_rig(5);
	struct mem_sge sge = place(0, 4 * PMTU);

	/* Three for the first packet, one each for two copies, none for the fourth. */
	post(rig, RC_SEND, 0, &sge, 1);
	rig_progress(rig);
	cr_assert_eq(rig_counters(rig)->drop_no_mbuf, 1);
	rc_peer_check_leaks(&rig->peer);
	expect(rig, WIRE_RC_SEND_FIRST, RIG_PSN, 3, 0, PMTU);
	expect(rig, WIRE_RC_SEND_MIDDLE, RIG_PSN + 1, 1, PMTU, PMTU);
	expect(rig, WIRE_RC_SEND_MIDDLE, RIG_PSN + 2, 1, 2 * PMTU, PMTU);
	expect_counts(rig, 1, 2);
	rig_progress(rig);
	expect(rig, WIRE_RC_SEND_LAST, RIG_PSN + 3, 3, 3 * PMTU, PMTU);
	expect_counts(rig, 2, 2);
	rig_stop(rig);
}

Test(zero_copy, region_that_died_fails_the_request)
{
	struct rig *rig = zero_copy_rig(64);
	struct mem_sge sge = place(0, PMTU);
	uint64_t release;

	post(rig, RC_WRITE, 0, &sge, 1);
	rig_progress(rig);
	/* Not taken yet: the packet keeps the bytes. */
	cr_assert_eq(mem_region_deregister(rig->peer.mem, registered, &release), RC_OK);
	cr_assert_not(mem_region_released(rig->peer.mem, release));
	expect(rig, WIRE_RC_WRITE_ONLY, RIG_PSN, 3, 0, PMTU);
	cr_assert(mem_region_released(rig->peer.mem, release));
	rig->peer.now_ns += INTERVAL_NS;
	rig_progress(rig);
	rig_completed(rig, 1, RC_LOCAL_PROTECTION);
	rig_stop(rig);
}

/* An invalidate then need not wait for packets: no byte leaves through a key that is dead. */
Test(zero_copy, data_that_the_peer_reads_are_copied)
{
	struct rig *rig = zero_copy_rig(64);
	struct mem_region *readable = rc_peer_region(
		&rig->peer, bytes, EAL_BYTES, EAL_BASE, MEM_LOCAL_WRITE | MEM_REMOTE_READ);
	const struct wire_reth_value reth = {
		.address = EAL_BASE, .rkey = mem_region_key(readable), .length_bytes = PMTU};

	rc_peer_read(&rig->peer, RC_PEER_PSN, &reth);
	rig_progress(rig);
	expect(rig, WIRE_RC_READ_RESPONSE_ONLY, RC_PEER_PSN, 1, 0, PMTU);
	expect_counts(rig, 0, 0);
	rig_stop(rig);
}
