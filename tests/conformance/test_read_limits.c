/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Tests of Network Direct statements (docs/rules.md, section ND J): limits of outstanding reads. */

#include "dial.h"

#define READ_REQUEST 0x0C
#define READS        8

static void
open_tapped(void)
{
	scene_open_as((struct nd_pair_config){.adapt = dial_tap});
}

TestSuite(nd_reads, .init = open_tapped, .fini = scene_close);

/** Fail unless GetConnectionData of this side returns these read limits. */
static void
expect_seen(unsigned int side, size_t inbound, size_t outbound)
{
	size_t in, out;

	ASSERT_ND(
		nd_connector_get_connection_data(scene.side[side].connector, &in, &out, NULL, NULL),
		ND_SUCCESS);
	cr_assert(in == inbound && out == outbound, "%zu and %zu instead of %zu and %zu", in, out,
		inbound, outbound);
}

/** Connect with these read limits until the peer has the reply. CompleteConnect is not called. */
static void
answer(const size_t peer[2], const size_t owner[2], struct nd_overlapped *accept)
{
	struct nd_overlapped connect = {0};

	scene.side[PEER].connector = NULL;
	dial_endpoint(PEER, peer[0], peer[1]);
	dial_request(NULL, 0, &connect);
	/* The peer's inbound limit is the outbound limit of the owner, and vice versa. */
	expect_seen(OWNER, peer[1], peer[0]);
	dial_endpoint(OWNER, owner[0], owner[1]);
	ASSERT_ND(nd_connector_accept(
			  scene.side[OWNER].connector, scene.side[OWNER].endpoint, NULL, 0, accept),
		ND_PENDING);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &connect), ND_SUCCESS);
}

static void
complete(struct nd_overlapped *accept)
{
	dial_complete();
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, accept), ND_SUCCESS);
}

static unsigned int reads_seen;

static bool
count_reads(const struct dial_frame *frame)
{
	reads_seen += frame->opcode == READ_REQUEST && frame->qp != 1;
	return false;
}

/** Post reads on a side. @return number of reads that are sent before the other side answers */
static unsigned int
reads_in_flight(unsigned int side)
{
	struct nd_side *reader = &scene.side[side];
	struct nd_mw_descriptor window;
	struct nd_result reads[READS], *got[READS];
	unsigned int in_flight;

	nd_pair_bind(&scene, 1 - side, 0, 4096, ND_OP_FLAG_ALLOW_READ, &window);
	nd_pair_pattern(scene.side[1 - side].memory, 4096, 186);
	reads_seen = 0;
	dial_look = count_reads;
	for (unsigned int i = 0; i < READS; i++) {
		struct nd_sge to = {reader->memory + 8192 + 512 * i, 512, reader->mr};

		ASSERT_ND(
			nd_endpoint_read(reader->endpoint, &reads[i], &to, 1, &window, 512 * i, 0),
			ND_SUCCESS);
	}
	for (unsigned int i = 0; i < 20; i++)
		scene_poll(side);
	in_flight = reads_seen;
	nd_pair_take(&scene, reader->outbound, got, READS);
	for (unsigned int i = 0; i < READS; i++)
		cr_assert(got[i] == &reads[i] && got[i]->status == ND_SUCCESS, "place %u", i);
	cr_assert_arr_eq(reader->memory + 8192, scene.side[1 - side].memory, 4096);
	return in_flight;
}

Test(nd_reads, nd_182_passive_side_lowers_the_limits)
{
	struct nd_overlapped accept[2] = {0};

	answer((size_t[]){3, 2}, (size_t[]){8, 8}, &accept[0]);
	expect_seen(PEER, 3, 2);
	complete(&accept[0]);
	cr_assert_eq(reads_in_flight(OWNER), 3);
	answer((size_t[]){3, 4}, (size_t[]){2, 1}, &accept[1]);
	expect_seen(PEER, 1, 2);
	complete(&accept[1]);
	cr_assert_eq(reads_in_flight(OWNER), 1);
}

Test(nd_reads, nd_184_limits_are_seen_crosswise)
{
	size_t max = scene_limits().max_inbound_read_limit;
	struct nd_overlapped accept = {0};

	/* answer() has checked the limits that the owner sees. */
	answer((size_t[]){max, 5}, (size_t[]){4, 7}, &accept);
	expect_seen(PEER, 7, 4);
	complete(&accept);
}

Test(nd_reads, nd_185_active_side_uses_the_answered_limits)
{
	struct nd_overlapped accept = {0};

	answer((size_t[]){8, 8}, (size_t[]){2, 8}, &accept);
	complete(&accept);
	cr_assert_eq(reads_in_flight(PEER), 2);
}

Test(nd_reads, nd_186_surplus_reads_wait)
{
	struct nd_overlapped accept[2] = {0};

	for (size_t limit = 1; limit <= 3; limit += 2) {
		answer((size_t[]){limit, limit}, (size_t[]){limit, limit}, &accept[limit / 2]);
		complete(&accept[limit / 2]);
		for (unsigned int side = 0; side < 2; side++)
			cr_assert_eq(reads_in_flight(side), limit, "side %u", side);
	}
}

/* If the outbound read limit is 0, a Read fails at once, here with ND_INVALID_DEVICE_REQUEST. */
Test(nd_reads, nd_188_no_reads_with_a_limit_of_zero)
{
	struct nd_overlapped accept = {0};
	struct nd_mw_descriptor window;
	struct nd_result read;

	/* Connect again. Now the owner's inbound limit is 0, so the peer cannot read. */
	answer((size_t[]){1, 1}, (size_t[]){0, 1}, &accept);
	complete(&accept);
	nd_pair_bind(&scene, OWNER, 0, 64, READ_WRITE, &window);
	ASSERT_ND(nd_endpoint_read(scene.side[PEER].endpoint, &read, NULL, 0, &window, 0, 0),
		ND_INVALID_DEVICE_REQUEST);
	nd_pair_quiet(&scene, scene.side[PEER].outbound);
	ASSERT_ND(scene_write(&window, 0, 64), ND_SUCCESS);
	cr_assert_eq(reads_in_flight(OWNER), 1);
}
