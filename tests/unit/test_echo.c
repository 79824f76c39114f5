/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Replies to ping. */

#include <netinet/in.h>

#include <rte_ip.h>

#include "neigh_rig.h"

#define IP_AT   14
#define ICMP_AT (IP_AT + 20)
#define V6_AT   (IP_AT + 40)

#define B_PINGS                                                                                    \
	"020000000001 020000000002 0800 4500 0020 1234 0000 40 01 0000 c0000202 c0000201"          \
	"0800 0000 abcd 0001 70696e67"
#define A_ANSWERS                                                                                  \
	"020000000002 020000000001 0800 4500 0020 0000 4000 40 01 b6d9 c0000201 c0000202"          \
	"0000 7560 abcd 0001 70696e67"
#define B_PINGS_V6                                                                                 \
	"020000000001 020000000002 86dd 60000000 000c 3a 40"                                       \
	"20010db8000000000000000000000002 20010db8000000000000000000000001"                        \
	"8000 0000 abcd 0001 70696e67"
#define A_ANSWERS_V6                                                                               \
	"020000000002 020000000001 86dd 60000000 000c 3a 40"                                       \
	"20010db8000000000000000000000001 20010db8000000000000000000000002"                        \
	"8100 98a4 abcd 0001 70696e67"

static void
store_complement(uint8_t *at, uint16_t sum)
{
	sum = (uint16_t)~sum;
	memcpy(at, &sum, sizeof(sum));
}

/* Set the length fields for a frame of this many bytes. Then compute the checksums. */
static void
complete_v4(struct rig_bytes *frame)
{
	uint16_t ip_bytes = (uint16_t)(frame->count - IP_AT);

	frame->data[IP_AT + 2] = (uint8_t)(ip_bytes >> 8);
	frame->data[IP_AT + 3] = (uint8_t)ip_bytes;
	memset(frame->data + IP_AT + 10, 0, 2);
	store_complement(frame->data + IP_AT + 10, rte_raw_cksum(frame->data + IP_AT, 20));
	memset(frame->data + ICMP_AT + 2, 0, 2);
	store_complement(frame->data + ICMP_AT + 2,
		rte_raw_cksum(frame->data + ICMP_AT, frame->count - (size_t)ICMP_AT));
}

static void
complete_v6(struct rig_bytes *frame)
{
	uint16_t bytes = (uint16_t)(frame->count - V6_AT);
	struct rte_ipv6_hdr ip;

	frame->data[IP_AT + 4] = (uint8_t)(bytes >> 8);
	frame->data[IP_AT + 5] = (uint8_t)bytes;
	memcpy(&ip, frame->data + IP_AT, sizeof(ip));
	memset(frame->data + V6_AT + 2, 0, 2);
	store_complement(frame->data + V6_AT + 2,
		__rte_raw_cksum_reduce((uint32_t)rte_ipv6_phdr_cksum(&ip, 0) +
			rte_raw_cksum(frame->data + V6_AT, bytes)));
}

static struct rig_bytes
ping_v4(void)
{
	struct rig_bytes frame = rig_hex(B_PINGS);

	complete_v4(&frame);
	return frame;
}

static struct rig_bytes
ping_v6(void)
{
	struct rig_bytes frame = rig_hex(B_PINGS_V6);

	complete_v6(&frame);
	return frame;
}

Test(echo, ping_is_answered)
{
	struct neigh_rig *rig = rig_start_v4();
	struct rig_bytes frame = ping_v4();

	for (uint16_t segment_bytes = 2; segment_bytes <= frame.count; segment_bytes++) {
		cr_assert(rig_input_segments(rig, frame.data, frame.count, segment_bytes));
		rig_expect(rig, A_ANSWERS);
	}
	cr_assert(rig_input_segments(rig, frame.data, 60, RIG_FRAME_BYTES));
	rig_expect(rig, A_ANSWERS);
	cr_assert_eq(rig_counters(rig)->rx_echo, rig->sent_count);
	rig_stop(rig);
}

Test(echo, ping_v6_is_answered)
{
	struct neigh_rig *rig = rig_start_v6();
	struct rig_bytes frame = ping_v6();

	for (uint16_t segment_bytes = 2; segment_bytes <= frame.count; segment_bytes++) {
		cr_assert(rig_input_segments(rig, frame.data, frame.count, segment_bytes));
		rig_expect(rig, A_ANSWERS_V6);
	}
	rig_stop(rig);
}

Test(echo, ping_of_full_mtu_is_answered_and_longer_is_not)
{
	struct neigh_rig *rig = rig_start_v4();
	struct rig_bytes frame = rig_hex(B_PINGS);

	for (uint16_t bytes = frame.count; bytes < 1514; bytes++)
		frame.data[bytes] = (uint8_t)bytes;
	frame.count = 1514;
	complete_v4(&frame);
	cr_assert(rig_input_segments(rig, frame.data, frame.count, 100));
	rig_expect_count(rig, 1);
	cr_assert_eq(rig->sent_bytes[0], 1514);
	cr_assert_eq(
		memcmp(rig->last + ICMP_AT + 4, frame.data + ICMP_AT + 4, 1514 - ICMP_AT - 4), 0);
	cr_assert_eq(rte_raw_cksum(rig->last + ICMP_AT, 1514 - ICMP_AT), 0xFFFF);
	frame.count = 1600;
	complete_v4(&frame);
	cr_assert(rig_input_bytes(rig, &frame));
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->drop_echo, 1);
	rig_stop(rig);
}

Test(echo, long_ping_v6_is_not_answered)
{
	struct neigh_rig *rig = rig_start_v6();
	struct rig_bytes frame = rig_hex(B_PINGS_V6);

	frame.count = 1601;
	complete_v6(&frame);
	cr_assert(rig_input_bytes(rig, &frame));
	cr_assert_eq(rig_counters(rig)->drop_echo, 1);
	rig_stop(rig);
}

Test(echo, tagged_ping_is_answered_with_the_tag)
{
	struct neigh_rig *rig = rig_start(&(struct neigh_config){
		.address = rig_v4(1), .prefix_length = 24, .vlan = true, .vlan_tci = 0x2005});
	struct rig_bytes frame = ping_v4(), tagged;

	cr_assert_not(rig_input_bytes(rig, &frame));
	tagged = rig_hex("020000000001 020000000002 8100 0005");
	memcpy(tagged.data + 16, frame.data + 12, frame.count - 12u);
	tagged.count = (uint16_t)(frame.count + 4);
	cr_assert(rig_input_bytes(rig, &tagged));
	rig_expect(rig,
		"020000000002 020000000001 8100 2005 0800 4500 0020 0000 4000 40 01 b6d9 c0000201 "
		"c0000202 0000 7560 abcd 0001 70696e67");
	rig_stop(rig);
}

Test(echo, rate_is_limited)
{
	struct neigh_rig *rig = rig_start_v4();
	struct rig_bytes frame = ping_v4();

	for (unsigned int i = 0; i < 250; i++)
		cr_assert(rig_input_bytes(rig, &frame));
	rig_expect_count(rig, 100);
	cr_assert_eq(rig_counters(rig)->drop_echo, 150);
	rig_advance(rig, RIG_SECOND);
	cr_assert(rig_input_bytes(rig, &frame));
	rig_expect_count(rig, 1);
	rig_stop(rig);
}

Test(echo, broadcast_ping_is_not_answered)
{
	struct neigh_rig *rig = rig_start_v4();
	struct rig_bytes frame = ping_v4();

	memset(frame.data, 0xFF, 6);
	cr_assert(rig_input_bytes(rig, &frame));
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->drop_echo, 1);
	frame = rig_hex(B_PINGS);
	frame.data[IP_AT + 19] = 0xFF; /* to 192.0.2.255 */
	complete_v4(&frame);
	cr_assert_not(rig_input_bytes(rig, &frame));
	frame = rig_hex(B_PINGS);
	frame.data[IP_AT + 15] = 0xFF; /* from 192.0.2.255 */
	complete_v4(&frame);
	cr_assert(rig_input_bytes(rig, &frame));
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->drop_malformed, 1);
	rig_stop(rig);
}

Test(echo, multicast_ping_v6_is_not_answered)
{
	struct neigh_rig *rig = rig_start_v6();
	struct rig_bytes frame = rig_hex(B_PINGS_V6), all = rig_hex("ff02000000000000");

	memcpy(frame.data + IP_AT + 24, all.data, all.count);
	complete_v6(&frame);
	cr_assert(rig_input_bytes(rig, &frame));
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->drop_echo, 1);
	rig_stop(rig);
}

Test(echo, truncated_ping_of_any_length_is_dropped)
{
	struct neigh_rig *v4 = rig_start_v4(), *v6 = rig_start_v6();
	struct rig_bytes frame = ping_v4();

	for (uint16_t bytes = 0; bytes < frame.count; bytes++)
		cr_assert_eq(rig_input_segments(v4, frame.data, bytes, RIG_FRAME_BYTES),
			bytes > ICMP_AT, "%u bytes", bytes);
	cr_assert_eq(rig_counters(v4)->drop_malformed, frame.count - ICMP_AT - 1u);
	frame = ping_v6();
	for (uint16_t bytes = 0; bytes < frame.count; bytes++)
		cr_assert_eq(rig_input_segments(v6, frame.data, bytes, RIG_FRAME_BYTES),
			bytes > V6_AT, "%u bytes", bytes);
	cr_assert_eq(rig_counters(v6)->drop_malformed, frame.count - V6_AT - 1u);
	rig_stop(v4);
	rig_stop(v6);
}

Test(echo, flipped_bit_gets_no_answer)
{
	struct neigh_rig *rig = rig_start_v4();
	struct rig_bytes good = ping_v4();

	for (uint16_t at = IP_AT; at < good.count; at++) {
		struct rig_bytes frame = good;

		frame.data[at] ^= 0x20;
		rig_input_bytes(rig, &frame);
		rig_expect_nothing(rig);
	}
	rig_stop(rig);
}

Test(echo, fragment_is_dropped)
{
	struct neigh_rig *rig = rig_start_v4();
	struct rig_bytes frame = rig_hex(B_PINGS);

	frame.data[IP_AT + 6] = 0x20;
	complete_v4(&frame);
	cr_assert(rig_input_bytes(rig, &frame));
	cr_assert_eq(rig_counters(rig)->drop_malformed, 1);
	rig_stop(rig);
}

Test(echo, errors_and_answers_are_left_alone)
{
	struct neigh_rig *rig = rig_start_v4();
	struct rig_bytes frame = rig_hex(B_PINGS);

	frame.data[ICMP_AT] = 3; /* destination unreachable */
	complete_v4(&frame);
	cr_assert_not(rig_input_bytes(rig, &frame));
	frame.data[ICMP_AT] = 0; /* echo reply */
	complete_v4(&frame);
	cr_assert_not(rig_input_bytes(rig, &frame));
	rig_stop(rig);
}
