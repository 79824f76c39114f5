/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/peek.h"

#include <string.h>

#include <criterion/criterion.h>

#include "base/be.h"
#include "unit/wire_chain.h"
#include "unit/wire_frame.h"
#include "unit/wire_oracle.h"
#include "unit/wire_vectors.h"

/*
 * In every packet that the parser accepts, peeking (wire_peek) must find the same destination QP.
 * In other frames, it may find a QP only if the frame has a BTH. Each frame is in a memory block of
 * exactly its size, so that a sanitizer detects any read beyond the frame.
 */

#define UNTOUCHED 0xDEADBEEF

struct peek {
	bool found;
	uint32_t qpn;
};

/** Fail if the fast path finds a QP and the slow path finds another QP or none. */
static void
expect_usual_agrees(const struct rte_mbuf *mbuf)
{
	uint32_t qpn, usual;

	if (!wire_peek_usual(mbuf, &usual))
		return;
	cr_assert(wire_peek_ladder(mbuf, &qpn));
	cr_assert_eq(usual, qpn, "0x%06x, the ladder finds 0x%06x", usual, qpn);
}

static struct peek
peek_flagged(const struct frame *frame, uint64_t ol_flags)
{
	struct base_random random = wire_random(0);
	struct peek peek = {.qpn = UNTOUCHED};
	struct wire_chain chain;

	wire_chain_make(&chain, frame->bytes, (uint32_t)frame->count, 1, &random);
	chain.segments[0].ol_flags = ol_flags;
	peek.found = wire_peek_home_qpn(&chain.segments[0], &peek.qpn);
	expect_usual_agrees(&chain.segments[0]);
	wire_chain_free(&chain);
	return peek;
}

static void
expect_found(const struct frame *frame, uint64_t ol_flags, uint32_t qpn, const char *what)
{
	struct peek peek = peek_flagged(frame, ol_flags);

	cr_assert(peek.found, "%s", what);
	cr_assert_eq(peek.qpn, qpn, "%s: 0x%06x, expected 0x%06x", what, peek.qpn, qpn);
}

static void
expect_none(const struct frame *frame, uint64_t ol_flags, const char *what)
{
	struct peek peek = peek_flagged(frame, ol_flags);

	cr_assert_not(peek.found, "%s: 0x%06x", what, peek.qpn);
	cr_assert_eq(peek.qpn, UNTOUCHED, "%s", what);
}

static void
bytes_insert(struct frame *frame, size_t at, size_t count)
{
	memmove(frame->bytes + at + count, frame->bytes + at, frame->count - at);
	memset(frame->bytes + at, 0, count);
	frame->count += count;
}

static void
tag_insert(struct frame *frame)
{
	bytes_insert(frame, 12, 4);
	memcpy(frame->bytes + 12, "\x81\x00\x00\x07", 4);
}

static uint32_t
qpn_of(struct frame *frame)
{
	return be_load24(frame_bth(frame) + 5);
}

Test(peek, agrees_with_the_parser_in_any_segments)
{
	struct base_random random = wire_random(50);

	for (int round = 0; round < 5000; round++) {
		unsigned int number = 1 + base_random_below(&random, WIRE_VECTOR_COUNT);
		uint32_t segments = 1 + base_random_below(&random, WIRE_CHAIN_MAX);
		const struct rte_mbuf *mbuf;
		struct wire_chain chain;
		struct wire_view view;
		struct frame frame;
		uint32_t qpn;

		frame_load(&frame, number);
		be_store24(frame_bth(&frame) + 5, base_random_u32(&random) & 0xFFFFFF);
		wire_oracle_seal_icrc(frame.bytes, frame.count);
		mbuf = wire_chain_make(
			&chain, frame.bytes, (uint32_t)frame.count, segments, &random);
		ASSERT_DROP(wire_parse(mbuf, &view), WIRE_OK, "V%u", number);
		cr_assert(wire_peek_home_qpn(mbuf, &qpn), "V%u, %u segments", number, segments);
		cr_assert_eq(qpn, view.bth.dest_qp, "V%u, %u segments", number, segments);
		wire_chain_free(&chain);
	}
}

/* Frames such as V1 take the fast path: untagged IPv4 without options, in one segment. */
Test(peek, usual_frame_takes_the_fast_path)
{
	struct base_random random = wire_random(52);
	const struct rte_mbuf *mbuf;
	struct wire_chain chain;
	struct frame frame;
	uint32_t qpn;

	frame_load(&frame, 1);
	mbuf = wire_chain_make(&chain, frame.bytes, (uint32_t)frame.count, 1, &random);
	cr_assert(wire_peek_usual(mbuf, &qpn));
	cr_assert_eq(qpn, qpn_of(&frame));
	wire_chain_free(&chain);
}

Test(peek, cut_off_frame_has_a_qp_once_its_bth_is_there)
{
	for (unsigned int number = 1; number <= WIRE_VECTOR_COUNT; number++) {
		struct frame frame;
		size_t bth_end;
		uint32_t qpn;

		frame_load(&frame, number);
		bth_end = wire_oracle_bth_offset(frame.bytes) + 12;
		qpn = qpn_of(&frame);
		for (size_t count = frame.count + 1; count-- > 0;) {
			frame.count = count;
			if (count >= bth_end)
				expect_found(&frame, 0, qpn, "whole BTH");
			else
				expect_none(&frame, 0, "cut in front of the end of the BTH");
		}
	}
}

Test(peek, one_vlan_tag_is_skipped_and_two_are_none)
{
	for (unsigned int number = 1; number <= 4; number += 3) {
		struct frame frame;
		uint32_t qpn;

		frame_load(&frame, number);
		qpn = qpn_of(&frame);
		expect_found(&frame, RTE_MBUF_F_RX_VLAN_STRIPPED, qpn, "stripped");
		expect_none(&frame, RTE_MBUF_F_RX_VLAN_STRIPPED | RTE_MBUF_F_RX_QINQ_STRIPPED,
			"both stripped");
		tag_insert(&frame);
		expect_found(&frame, 0, qpn, "in the frame");
		expect_none(&frame, RTE_MBUF_F_RX_VLAN_STRIPPED, "one stripped, one not");
		tag_insert(&frame);
		expect_none(&frame, 0, "two in the frame");
	}
}

/* Test all lengths of IPv4 options. Truncate each frame to all lengths. */
Test(peek, ipv4_options_are_skipped)
{
	for (size_t words = 6; words <= 15; words++) {
		struct frame frame;
		size_t bth_end = 14 + 4 * words + 8 + 12;
		uint32_t qpn;

		frame_load(&frame, 1);
		qpn = qpn_of(&frame);
		bytes_insert(&frame, 34, 4 * (words - 5));
		frame_ip(&frame)[0] = (uint8_t)(0x40 | words);
		expect_found(&frame, 0, qpn, "options");
		for (frame.count = bth_end; frame.count-- > 0;)
			expect_none(&frame, 0, "options and cut");
	}
}

Test(peek, what_leads_to_no_bth_has_none)
{
	static const struct {
		const char *what;
		unsigned int vector;
		size_t at;
		uint8_t value;
	} changes[] = {
		{"ARP", 1, 13, 0x06},
		{"IPv4 ethertype, version 6", 1, 14, 0x65},
		{"IPv4 first fragment", 1, 20, 0x20},
		{"IPv4 last fragment", 1, 21, 0x01},
		{"TCP over IPv4", 1, 23, 6},
		{"UDP to another port over IPv4", 1, 37, 0xB6},
		{"IPv6 ethertype, version 4", 4, 14, 0x40},
		{"IPv6 hop-by-hop options", 4, 20, 0},
		{"UDP to another port over IPv6", 4, 57, 0xB6},
	};

	for (size_t i = 0; i < RTE_DIM(changes); i++) {
		struct frame frame;

		frame_load(&frame, changes[i].vector);
		expect_found(&frame, 0, qpn_of(&frame), changes[i].what);
		frame.bytes[changes[i].at] = changes[i].value;
		expect_none(&frame, 0, changes[i].what);
	}
}

/* The IPv4 header length is below 20 bytes and points to UDP port 4791. No QP may be found. */
Test(peek, ipv4_header_that_is_too_short_has_none)
{
	for (uint8_t words = 0; words < 5; words++) {
		struct frame frame;

		frame_load(&frame, 1);
		frame.bytes[14] = 0x40 | words;
		be_store16(frame_ip(&frame) + 4 * words + 2, WIRE_UDP_PORT);
		expect_none(&frame, 0, "short header");
	}
}

/* A QP must be found in all packets that the parser accepts. Sanitizers detect wrong accesses. */
Test(peek, random_bytes_are_survived)
{
	struct base_random random = wire_random(51);

	for (int round = 0; round < 100000; round++) {
		unsigned int number = 1 + base_random_below(&random, WIRE_VECTOR_COUNT);
		const struct rte_mbuf *mbuf;
		struct wire_chain chain;
		struct wire_view view;
		struct frame frame;
		uint32_t qpn = 0;
		bool found;

		frame_load(&frame, number);
		if (base_random_below(&random, 2) == 0)
			frame.count = base_random_below(&random, (uint32_t)frame.count + 1);
		for (uint32_t i = base_random_below(&random, 4); i > 0 && frame.count > 0; i--)
			frame.bytes[base_random_below(
				&random, (uint32_t)RTE_MIN(frame.count, 70u))] =
				(uint8_t)base_random_u32(&random);
		mbuf = wire_chain_make(&chain, frame.bytes, (uint32_t)frame.count,
			1 + base_random_below(&random, 5), &random);
		found = wire_peek_home_qpn(mbuf, &qpn);
		expect_usual_agrees(mbuf);
		if (wire_parse(mbuf, &view) == WIRE_OK)
			cr_assert(found && qpn == view.bth.dest_qp, "seed 51 round %d", round);
		wire_chain_free(&chain);
	}
}
