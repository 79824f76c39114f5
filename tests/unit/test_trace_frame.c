/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <rte_common.h>

#include <ndpdk/nd_trace_fields.h>

#include "trace/frame.h"
#include "unit/trace_scene.h"

/* Test in which counters a frame is counted, and which violations are reported for it. */

static const struct packet plain = {
	.opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_A, .bytes = 10, .fill = 0x5A};

static struct scene scene;

static void
plain_open(void)
{
	scene_open(&scene);
	scene_build(&scene, &plain);
}

static void
plain_close(void)
{
	scene_close(&scene);
}

TestSuite(trace_frame, .init = plain_open, .fini = plain_close);

static void
expect_totals(const struct nd_trace_totals *expected)
{
	struct nd_trace_totals totals;

	nd_trace_totals(scene.trace, &totals);
	cr_expect_eq(totals.frames, expected->frames);
	cr_expect_eq(totals.roce_packets, expected->roce_packets, "%lu RoCE packets, not %lu",
		(unsigned long)totals.roce_packets, (unsigned long)expected->roce_packets);
	cr_expect_eq(totals.icrc_ok, expected->icrc_ok, "%lu ICRC right, not %lu",
		(unsigned long)totals.icrc_ok, (unsigned long)expected->icrc_ok);
	cr_expect_eq(totals.icrc_bad, expected->icrc_bad, "%lu ICRC wrong, not %lu",
		(unsigned long)totals.icrc_bad, (unsigned long)expected->icrc_bad);
	cr_expect_eq(totals.malformed, expected->malformed, "%lu malformed, not %lu",
		(unsigned long)totals.malformed, (unsigned long)expected->malformed);
	cr_expect_eq(totals.truncated, expected->truncated, "%lu truncated, not %lu",
		(unsigned long)totals.truncated, (unsigned long)expected->truncated);
	cr_expect_eq(totals.cm_messages, expected->cm_messages);
}

#define EXPECT_TOTALS(...)                                                                         \
	expect_totals(&(struct nd_trace_totals){.frames = scene.frames, __VA_ARGS__})

Test(trace_frame, plain_counts_as_right)
{
	scene_feed(&scene);
	EXPECT_TOTALS(.roce_packets = 1, .icrc_ok = 1);
	scene_expect_clean(&scene, "plain");
}

/*
 * A frame without bytes may have the address NULL. The trace must not add an offset to NULL, which
 * UndefinedBehaviorSanitizer reports.
 */
Test(trace_frame, frame_without_bytes)
{
	struct nd_model *model = nd_model_open(NULL);
	struct nd_trace_layout layout;

	nd_trace_frame(scene.trace, scene.now_ns, NULL, 0, 60);
	scene.frames++;
	EXPECT_TOTALS(.roce_packets = 0);
	nd_trace_layout(NULL, 0, 60, &layout);
	cr_expect_not(layout.roce);
	nd_model_frame(model, scene.now_ns, NULL, 0, 60);
	cr_expect_eq(nd_model_finish(model), true);
	nd_model_close(model);
}

Test(trace_frame, ethernet_padding_ignored)
{
	memset(scene.bytes + scene.count, 0xEE, 10);
	scene.count += 10;
	scene_feed(&scene);
	EXPECT_TOTALS(.roce_packets = 1, .icrc_ok = 1);
}

Test(trace_frame, vlan_tag_accepted)
{
	memmove(scene.bytes + 16, scene.bytes + 12, scene.count - 12);
	be_store16(scene.bytes + 12, 0x8100);
	be_store16(scene.bytes + 14, 100);
	scene.count += 4;
	scene_feed(&scene);
	EXPECT_TOTALS(.roce_packets = 1, .icrc_ok = 1);
}

/* Flip all bits of the packet except those that the ICRC does not cover. */
Test(trace_frame, any_flipped_bit_counts_as_wrong)
{
	uint64_t expected = 0;

	for (size_t i = 14; i < scene.count; i++) {
		size_t ip = i - 14;
		bool variant = ip == 1 || ip == 8 || ip == 10 || ip == 11; /* TOS, TTL, checksum */
		bool other = ip == 9 || ip == 22 || ip == 23; /* protocol, UDP destination port */
		bool gone = ip == 0 || ip == 6 || ip == 7;    /* version, fragments */
		bool length = ip == 2 || ip == 3;

		variant |= ip == 26 || ip == 27 || ip == 32;
		if (variant || other || gone || length)
			continue;
		scene.bytes[i] ^= 0x10;
		scene_feed(&scene);
		expected++;
		scene.bytes[i] ^= 0x10;
	}
	EXPECT_TOTALS(.roce_packets = expected, .icrc_bad = expected);
	scene_expect_clean(&scene, "flipped");
}

/* Wrong checksums are no violation: a capture on a sender with checksum offload contains them. */
Test(trace_frame, checksums_of_offload_accepted)
{
	scene.bytes[14 + 10] ^= 0x55;
	be_store16(scene.bytes + 14 + 26, 0x1234);
	scene_feed(&scene);
	EXPECT_TOTALS(.roce_packets = 1, .icrc_ok = 1);
	scene_expect_clean(&scene, "offload");
	cr_expect_eq(nd_trace_connection(scene.trace, 0)->side[0].sends, 1);
}

Test(trace_frame, cut_by_capture_not_judged)
{
	nd_trace_frame(scene.trace, 1, scene.bytes, 60, scene.count);
	scene.frames++;
	EXPECT_TOTALS(.truncated = 1);
	scene_expect_clean(&scene, "cut");
}

Test(trace_frame, shorter_than_it_says_malformed)
{
	for (size_t count = 14 + 28; count < scene.count; count++) {
		nd_trace_frame(scene.trace, 1, scene.bytes, count, count);
		scene.frames++;
	}
	EXPECT_TOTALS(.malformed = scene.frames);
}

Test(trace_frame, fragment_malformed)
{
	scene.bytes[14 + 6] = 0x20;
	scene_seal(&scene);
	scene_feed(&scene);
	EXPECT_TOTALS(.malformed = 1);
}

Test(trace_frame, other_traffic_not_counted)
{
	static const uint8_t arp[60] = {[12] = 0x08, [13] = 0x06};

	nd_trace_frame(scene.trace, 1, arp, sizeof(arp), sizeof(arp));
	nd_trace_frame(scene.trace, 1, arp, 3, 3);
	nd_trace_frame(scene.trace, 1, arp, 0, 0);
	be_store16(scene.bytes + 14 + 22, 53);
	nd_trace_frame(scene.trace, 1, scene.bytes, scene.count, scene.count);
	scene.frames = 4;
	EXPECT_TOTALS(.roce_packets = 0);
}

/* The receiver drops the frame. The ICRC is right, so the sender has caused the violation. */
Test(trace_frame, refused_with_right_icrc_blamed)
{
	be_store16(scene.bytes + 14 + 24, (uint16_t)(scene.count - 34 - 4));
	scene_seal(&scene);
	scene_feed(&scene);
	EXPECT_TOTALS(.roce_packets = 1, .icrc_ok = 1, .malformed = 1);
	scene_expect(&scene, "UDP length", "RC-020", 1);
}

Test(trace_frame, other_transport_counted)
{
	scene.bytes[14 + 28] = 0x24;
	scene_seal(&scene);
	scene_feed(&scene);
	EXPECT_TOTALS(.roce_packets = 1, .icrc_ok = 1);
	scene_expect_clean(&scene, "UC");
}

static char lines[8][512];
static size_t line_count;

static void
line_keep(void *arg, uint64_t frame, const char *text)
{
	cr_expect_eq(arg, &line_count);
	cr_expect_eq(frame, line_count + 1);
	snprintf(lines[line_count++], sizeof(lines[0]), "%s", text);
}

Test(trace_frame, lines_tell_each_frame)
{
	struct nd_trace_config config = {.line = line_keep, .line_arg = &line_count};
	struct wire_cm_msg req = scene_req();
	static const uint8_t arp[60] = {[12] = 0x08, [13] = 0x06};

	nd_trace_close(scene.trace);
	scene.trace = nd_trace_open(&config);
	scene_feed(&scene);
	scene.bytes[scene.count - 1] ^= 1;
	scene_feed(&scene);
	scene_cm(&scene, A, &req);
	nd_trace_frame(scene.trace, 1, arp, sizeof(arp), sizeof(arp));
	cr_assert_eq(line_count, 4);
	cr_expect_not_null(strstr(lines[0], "RC SEND Only"), "%s", lines[0]);
	cr_expect_null(strstr(lines[0], "ICRC"), "%s", lines[0]);
	cr_expect_not_null(strstr(lines[1], "ICRC WRONG"), "%s", lines[1]);
	cr_expect_not_null(strstr(lines[2], "REQ"), "%s", lines[2]);
	cr_expect_str_eq(lines[3], "not RoCEv2");
}

Test(trace_frame, violations_beyond_limit_counted)
{
	struct nd_trace_config config = {.violations_max = 3};

	nd_trace_close(scene.trace);
	scene.trace = nd_trace_open(&config);
	for (uint32_t i = 0; i < 10; i++)
		SEND(&scene, .opcode = 0x1A, .psn = i);
	cr_expect_eq(nd_trace_violation_count(scene.trace), 10);
	cr_expect_eq(nd_trace_violation(scene.trace, 2)->frame, 3);
	cr_expect_null(nd_trace_violation(scene.trace, 3));
	cr_expect_null(nd_trace_connection(scene.trace, 99));
	nd_trace_close(NULL);
}
