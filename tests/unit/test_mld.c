/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test MLD reports for the solicited-node group, and the probes at the start, byte by byte. */

#include "neigh_rig.h"

#include <rte_ip.h>

#define GROUP       "ff0200000000000000000001ff000001"
#define GROUP_MAC   "3333ff000001"
#define OWN_MAC     "020000000001"
#define ROUTER_MAC  "020000000009"
#define ROUTER      "fe800000000000000000000000000009"
#define UNSPECIFIED "00000000000000000000000000000000"
#define ALERT       "3a00050200000100"
#define TO_ROUTERS                                                                                 \
	"333300000016" OWN_MAC "86dd 60000000 0024 00 01 " UNSPECIFIED                             \
	"ff020000000000000000000000000016" ALERT
#define REPORT_NEW TO_ROUTERS "8f00 0000 0000 0001 04 00 0000" GROUP
#define REPORT_IS  TO_ROUTERS "8f00 0000 0000 0001 02 00 0000" GROUP
#define REPORT_V1                                                                                  \
	GROUP_MAC OWN_MAC "86dd 60000000 0020 00 01 " UNSPECIFIED GROUP ALERT                      \
			  "8300 0000 00000000" GROUP
#define QUERY_HEAD "333300000001" ROUTER_MAC "86dd 60000000 "
#define ALL_NODES  "ff020000000000000000000000000001"
/* A query for all groups. Its maximum response delay is 10 s = 0x2710 ms. */
#define QUERY_V2                                                                                   \
	QUERY_HEAD "0024 00 01 " ROUTER ALL_NODES ALERT "8200 0000 2710 0000" UNSPECIFIED "027d00" \
		   "00"
#define QUERY_V1  QUERY_HEAD "0020 00 01 " ROUTER ALL_NODES ALERT "8200 0000 2710 0000" UNSPECIFIED
#define QUERY_OWN QUERY_HEAD "0024 00 01 " ROUTER GROUP ALERT "8200 0000 03e8 0000" GROUP "027d0000"
#define QUERY_OTHER                                                                                \
	QUERY_HEAD "0024 00 01 " ROUTER ALL_NODES ALERT "8200 0000 03e8 0000"                      \
		   "ff0200000000000000000001ff000002 027d0000"
#define QUERY_FAR                                                                                  \
	QUERY_HEAD "0024 00 40 " ROUTER ALL_NODES ALERT "8200 0000 2710 0000" UNSPECIFIED "027d00" \
		   "00"
#define QUERY_GLOBAL                                                                               \
	QUERY_HEAD "0024 00 01 20010db8000000000000000000000009" ALL_NODES ALERT                   \
		   "8200 0000 2710 0000" UNSPECIFIED "027d0000"
#define QUERY_QUIET                                                                                \
	QUERY_HEAD "0024 00 01 " ROUTER ALL_NODES "3a00010400000000"                               \
		   "8200 0000 2710 0000" UNSPECIFIED "027d0000"
#define QUERY_SHORT                                                                                \
	QUERY_HEAD "0022 00 01 " ROUTER ALL_NODES ALERT "8200 0000 2710 0000" UNSPECIFIED "027d"
#define PROBE_V6                                                                                   \
	GROUP_MAC OWN_MAC "86dd 60000000 0018 3a ff " UNSPECIFIED GROUP                            \
			  "8700 0000 00000000 20010db8000000000000000000000001"
#define ANNOUNCE_V6                                                                                \
	"333300000001" OWN_MAC "86dd 60000000 0020 3a ff "                                         \
	"20010db8000000000000000000000001" ALL_NODES                                               \
	"8800 0000 20000000 20010db8000000000000000000000001 0201" OWN_MAC
#define PROBE_V4                                                                                   \
	"ffffffffffff" OWN_MAC "0806 0001 0800 06 04 0001" OWN_MAC "00000000"                      \
	"000000000000 c0000201"
#define ANNOUNCE_V4                                                                                \
	"ffffffffffff" OWN_MAC "0806 0001 0800 06 04 0001" OWN_MAC "c0000201"                      \
	"000000000000 c0000201"

#define IP_AT 14

/* Set the ICMPv6 checksum of a frame. The ICMPv6 header follows the options, if there are any. */
static void
complete(struct rig_bytes *frame)
{
	bool options = frame->data[IP_AT + 6] == 0;
	uint16_t at = IP_AT + 40 + (options ? 8 : 0), value = 0;
	uint16_t bytes = (uint16_t)(frame->count - at);
	struct rte_ipv6_hdr ip;

	memcpy(&ip, frame->data + IP_AT, sizeof(ip));
	ip.proto = 58;
	ip.payload_len = rte_cpu_to_be_16(bytes);
	memcpy(frame->data + at + 2, &value, sizeof(value));
	value = (uint16_t)~__rte_raw_cksum_reduce(
		(uint32_t)rte_ipv6_phdr_cksum(&ip, 0) + rte_raw_cksum(frame->data + at, bytes));
	memcpy(frame->data + at + 2, &value, sizeof(value));
}

static void
expect(struct neigh_rig *rig, const char *hex)
{
	struct rig_bytes want = rig_hex(hex);
	char text[2 * RIG_FRAME_BYTES + 1] = "";

	complete(&want);
	for (uint16_t i = 0; i < want.count; i++)
		snprintf(text + 2 * i, 3, "%02x", want.data[i]);
	rig_expect(rig, text);
}

static bool
input(struct neigh_rig *rig, const char *hex)
{
	struct rig_bytes frame = rig_hex(hex);

	complete(&frame);
	return rig_input_bytes(rig, &frame);
}

static struct neigh_rig *
started(void)
{
	struct neigh_rig *rig = rig_start_v6();

	neigh_start(rig->neigh, rig->now_ns);
	expect(rig, REPORT_NEW);
	expect(rig, PROBE_V6);
	expect(rig, ANNOUNCE_V6);
	rig_expect_nothing(rig);
	return rig;
}

/* Delay of the report: 39 ms (1/256 of 10 s), because the last byte of the MAC address is 1. */
#define PART_OF_10_S (UINT64_C(10000) * 1000000 / 256)

Test(mld, start_reports_the_group_twice)
{
	struct neigh_rig *rig = started();

	rig_advance(rig, RIG_SECOND - 1);
	rig_expect_nothing(rig);
	rig_advance(rig, 1);
	expect(rig, REPORT_NEW);
	rig_advance(rig, 1000 * RIG_SECOND);
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->tx_reports, 2);
	rig_stop(rig);
}

Test(mld, query_is_answered_within_its_time)
{
	struct neigh_rig *rig = started();

	rig_advance(rig, 2 * RIG_SECOND);
	expect(rig, REPORT_NEW);
	cr_assert(input(rig, QUERY_V2));
	rig_advance(rig, PART_OF_10_S - 1);
	rig_expect_nothing(rig);
	rig_advance(rig, 1);
	expect(rig, REPORT_IS);
	rig_advance(rig, 100 * RIG_SECOND);
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->rx_queries, 1);
	rig_stop(rig);
}

Test(mld, query_of_version_1_is_answered_in_version_1)
{
	struct neigh_rig *rig = started();

	cr_assert(input(rig, QUERY_V1));
	rig_advance(rig, 10 * RIG_SECOND);
	expect(rig, REPORT_V1);
	rig_expect_nothing(rig);
	cr_assert(input(rig, QUERY_V2));
	rig_advance(rig, 10 * RIG_SECOND);
	expect(rig, REPORT_IS);
	rig_stop(rig);
}

Test(mld, query_for_the_group_is_answered_for_another_one_not)
{
	struct neigh_rig *rig = started();

	rig_advance(rig, 2 * RIG_SECOND);
	expect(rig, REPORT_NEW);
	cr_assert(input(rig, QUERY_OTHER));
	rig_advance(rig, 10 * RIG_SECOND);
	rig_expect_nothing(rig);
	cr_assert(input(rig, QUERY_OWN));
	rig_advance(rig, RIG_SECOND);
	expect(rig, REPORT_IS);
	cr_assert_eq(rig_counters(rig)->rx_queries, 2);
	rig_stop(rig);
}

Test(mld, malformed_queries_are_counted_and_not_answered)
{
	static const char *const frames[] = {QUERY_FAR, QUERY_GLOBAL, QUERY_QUIET, QUERY_SHORT};
	struct neigh_rig *rig = started();
	struct rig_bytes frame = rig_hex(QUERY_V2);

	rig_advance(rig, 2 * RIG_SECOND);
	expect(rig, REPORT_NEW);
	for (unsigned int i = 0; i < RTE_DIM(frames); i++) {
		cr_assert(input(rig, frames[i]));
		cr_assert_eq(rig_counters(rig)->drop_malformed, i + 1, "query %u", i);
	}
	complete(&frame);
	frame.data[IP_AT + 40 + 8 + 2] ^= 1;
	cr_assert(rig_input_bytes(rig, &frame));
	cr_assert_eq(rig_counters(rig)->drop_malformed, RTE_DIM(frames) + 1);
	/* A truncated query is ignored or counted as malformed. No byte after it is read. */
	for (uint16_t bytes = 1; bytes < frame.count; bytes++)
		rig_input_segments(rig, frame.data, bytes, 7);
	rig_advance(rig, 100 * RIG_SECOND);
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->rx_queries, 0);
	rig_stop(rig);
}

Test(mld, link_local_address_is_the_source)
{
	struct neigh_config config = {.prefix_length = 64};
	struct neigh_rig *rig;

	config.address = rig_v6(1);
	memcpy(config.address.raw, (const uint8_t[]){0xFE, 0x80, 0, 0}, 4);
	rig = rig_start(&config);
	neigh_start(rig->neigh, rig->now_ns);
	cr_assert_arr_eq(rig->sent[0] + IP_AT + 8, config.address.raw, 16);
	cr_assert_arr_eq(rig->sent[1] + IP_AT + 8, (const uint8_t[16]){0}, 16);
	rig_expect_count(rig, 3);
	rig_stop(rig);
}

Test(mld, probes_ask_for_the_own_address_from_nobody)
{
	struct neigh_rig *rig = rig_start_v4();

	neigh_start(rig->neigh, rig->now_ns);
	rig_expect(rig, PROBE_V4);
	rig_expect(rig, ANNOUNCE_V4);
	/* With a looped cable, the adapter receives its own probe, which is no conflict. */
	cr_assert(rig_input(rig, PROBE_V4));
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->conflicts, 0);
	/* A host with the same address answers the probe, which is an address conflict. */
	cr_assert(rig_input(rig,
		OWN_MAC "020000000003 0806 0001 0800 06 04 0002 020000000003 c0000201" OWN_MAC
			"00000000"));
	cr_assert_eq(rig_counters(rig)->conflicts, 1);
	rig_stop(rig);
}

Test(mld, own_probe_that_comes_back_is_not_answered)
{
	struct neigh_rig *rig = started();

	cr_assert(input(rig, PROBE_V6));
	rig_expect_nothing(rig);
	cr_assert_eq(rig_counters(rig)->conflicts, 0);
	cr_assert(input(rig,
		"333300000001 020000000003 86dd 60000000 0020 3a ff "
		"20010db8000000000000000000000001" ALL_NODES
		"8800 0000 20000000 20010db8000000000000000000000001 0201 020000000003"));
	cr_assert_eq(rig_counters(rig)->conflicts, 1);
	rig_stop(rig);
}
