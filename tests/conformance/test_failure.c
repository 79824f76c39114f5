/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md, sections ND F and G): failed requests, and
 * flushes.
 */

#include <endian.h>
#include <string.h>

#include "access.h"
#include "dial.h"
#include "support/engines.h"

static struct nd_result invalidated;

static void
open_connected(void)
{
	/* Allow one RNR retry only, so that a send without a receive fails soon. */
	scene_open_as((struct nd_pair_config){.rnr_retry_count = 1});
	nd_pair_connect(&scene);
}

TestSuite(nd_failure, .init = open_connected, .fini = scene_close);
TestSuite(nd_failure_early, .init = scene_open, .fini = scene_close);

static struct nd_sge
part(unsigned int side, size_t offset, size_t length)
{
	return (struct nd_sge){scene.side[side].memory + offset, length, scene.side[side].mr};
}

Test(nd_failure, nd_095_failed_request_cancels_all_others)
{
	struct nd_side *peer = &scene.side[PEER];
	struct nd_result failed, sent[3], received[2], held, *got[4];
	const struct nd_mw_descriptor bad = {.length = htobe64(4096)};

	for (unsigned int i = 0; i < 2; i++)
		scene_receive(PEER, &received[i]);
	scene_receive(OWNER, &held);
	scene_write_post(&bad, 0, 64, &failed);
	for (unsigned int i = 0; i < 3; i++)
		scene_send(PEER, &sent[i]);
	nd_pair_take(&scene, peer->outbound, got, 4);
	cr_assert_eq(got[0], &failed);
	ASSERT_ND(failed.status, ND_REMOTE_ERROR);
	for (unsigned int i = 0; i < 3; i++) {
		cr_assert_eq(got[1 + i], &sent[i]);
		ASSERT_ND(sent[i].status, ND_CANCELED);
	}
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(nd_pair_result(&scene, peer->inbound, &received[i]), ND_CANCELED);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &held), ND_CANCELED);
	scene_expect_over();
}

/** Fail unless the peer's request fails and ends the connection, because its SGE is invalid. */
static void
expect_violation(nd_status posted, struct nd_result *result)
{
	ASSERT_ND(posted, ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, result), ND_ACCESS_VIOLATION);
	scene_expect_over();
}

Test(nd_failure, nd_112_entry_outside_its_registration)
{
	struct nd_sge past = part(PEER, SCENE_BYTES - 63, 64), before = part(PEER, 0, 64);
	struct nd_result result, received, sent;

	before.address = (uint8_t *)before.address - 1;
	expect_violation(
		nd_endpoint_send(scene.side[PEER].endpoint, &result, &past, 1, 0), &result);
	scene_reconnect();
	expect_violation(
		nd_endpoint_send(scene.side[PEER].endpoint, &result, &before, 1, 0), &result);
	scene_reconnect();
	/* An invalid SGE of a receive is detected when the message arrives. */
	ASSERT_ND(nd_endpoint_receive(scene.side[PEER].endpoint, &received, &past, 1), ND_SUCCESS);
	ASSERT_ND(
		nd_endpoint_send(scene.side[OWNER].endpoint, &sent,
			&(struct nd_sge){scene.side[OWNER].memory, 64, scene.side[OWNER].mr}, 1, 0),
		ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].inbound, &received), ND_ACCESS_VIOLATION);
	scene_expect_over();
}

Test(nd_failure, nd_113_entry_one_byte_longer_than_its_region)
{
	struct nd_sge entry = part(PEER, 0, SCENE_BYTES + 1);
	struct nd_mw_descriptor window;
	struct nd_result result;

	nd_pair_bind(&scene, OWNER, 0, SCENE_BYTES, READ_WRITE, &window);
	window.length = htobe64(SCENE_BYTES + 1);
	expect_violation(
		nd_endpoint_write(scene.side[PEER].endpoint, &result, &entry, 1, &window, 0, 0),
		&result);
	scene_reconnect();
	nd_pair_bind(&scene, OWNER, 0, SCENE_BYTES, READ_WRITE, &window);
	window.length = htobe64(SCENE_BYTES + 1);
	expect_violation(
		nd_endpoint_read(scene.side[PEER].endpoint, &result, &entry, 1, &window, 0, 0),
		&result);
}

/** Fail unless the owner refused this access by the peer. The SGE of the peer is valid. */
static void
expect_remote(nd_status status)
{
	ASSERT_ND(status, ND_REMOTE_ERROR);
	scene_expect_over();
}

/*
 * A Read or Write beyond the peer's window fails although the local SGE is valid. The status is
 * ND_REMOTE_ERROR, as in version 1 of the SPI (ND-116).
 */
Test(nd_failure, nd_114_access_past_the_window)
{
	struct nd_mw_descriptor window;

	nd_pair_bind(&scene, OWNER, 4096, 4096, READ_WRITE, &window);
	nd_pair_pattern(scene.side[PEER].memory, 8192, 114);
	expect_remote(scene_write(&window, 1, 4096));
	for (size_t i = 8192; i < 8192 + 256; i++)
		cr_assert_eq(scene.side[OWNER].memory[i], 0, "written past the window: %zu", i);
	scene_reconnect();
	nd_pair_bind(&scene, OWNER, 4096, 4096, READ_WRITE, &window);
	/*
	 * Enlarge the length in the descriptor. Otherwise the reading side itself would refuse the
	 * read.
	 */
	window.length = htobe64(4097);
	expect_remote(scene_read(&window, 1, 4096));
}

/*
 * A Write to a read-only window fails with ND_REMOTE_ERROR (ND-116). The owner's receive is
 * cancelled.
 */
Test(nd_failure, nd_115_write_into_a_window_for_reading)
{
	struct nd_mw_descriptor window;
	struct nd_result received;

	nd_pair_bind(&scene, OWNER, 0, 4096, ND_OP_FLAG_ALLOW_READ, &window);
	scene_receive(OWNER, &received);
	nd_pair_pattern(scene.side[PEER].memory, 64, 115);
	expect_remote(scene_write(&window, 0, 64));
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_CANCELED);
	cr_assert_not(scene_arrived(0, 64), "it was written");
}

Test(nd_failure, nd_116_refused_access_is_a_remote_error)
{
	struct nd_mw *mw = scene_window(OWNER, &invalidated);
	struct nd_mw_descriptor window, bad;

	scene_bind(mw, 0, 4096, READ_WRITE, &window);
	bad = window;
	bad.token ^= htobe32(1);
	expect_remote(scene_write(&bad, 0, 64));
	scene_reconnect();
	scene_bind(mw, 0, 4096, ND_OP_FLAG_ALLOW_WRITE, &window);
	expect_remote(scene_read(&window, 0, 64));
}

/*
 * If a message is longer than the receive, the send fails with ND_REMOTE_ERROR. The receive fails
 * with ND_BUFFER_OVERFLOW, the status in the documents of version 1.
 */
Test(nd_failure, nd_117_message_longer_than_the_receive)
{
	struct nd_sge to = part(OWNER, 0, 1023), from = part(PEER, 0, 1024);
	struct nd_result received, sent;

	ASSERT_ND(nd_endpoint_receive(scene.side[OWNER].endpoint, &received, &to, 1), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent, &from, 1, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_BUFFER_OVERFLOW);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_REMOTE_ERROR);
	cr_assert_eq(scene.side[OWNER].memory[1023], 0, "written behind the receive");
	scene_expect_over();
}

Test(nd_failure, nd_118_send_without_receive_ends)
{
	struct nd_result sent;

	scene_send(PEER, &sent);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_IO_TIMEOUT);
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
}

Test(nd_failure, nd_122_flush_cancels_both_directions)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_result received[3], sent[3], *got[3];

	for (unsigned int i = 0; i < 3; i++) {
		scene_receive(OWNER, &received[i]);
		/* The peer is not polled, so it does not acknowledge the sends. */
		scene_send(OWNER, &sent[i]);
	}
	ASSERT_ND(nd_endpoint_flush(owner->endpoint), ND_SUCCESS);
	nd_pair_take(&scene, owner->inbound, got, 3);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert(got[i] == &received[i] && got[i]->status == ND_CANCELED, "%u", i);
	nd_pair_take(&scene, owner->outbound, got, 3);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert(got[i] == &sent[i] && got[i]->status == ND_CANCELED, "%u", i);
	nd_pair_quiet(&scene, owner->outbound);
}

Test(nd_failure, nd_123_flush_of_one_endpoint_only)
{
	struct nd_result flushed, kept, sent;
	struct nd_side first[2];

	scene_receive(OWNER, &flushed);
	scene_second(first);
	scene_receive(OWNER, &kept);
	ASSERT_ND(nd_endpoint_flush(first[OWNER].endpoint), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, first[OWNER].inbound, &flushed), ND_CANCELED);
	nd_pair_quiet(&scene, first[OWNER].inbound);
	scene_send(PEER, &sent);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &kept), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
}

Test(nd_failure_early, nd_124_flush_before_the_connection)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_overlapped notify = {0};
	struct nd_result received[2], *got[2];

	nd_pair_endpoint(&scene, OWNER);
	for (unsigned int i = 0; i < 2; i++)
		scene_receive(OWNER, &received[i]);
	ASSERT_ND(nd_cq_notify(owner->inbound, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
	ASSERT_ND(nd_endpoint_flush(owner->endpoint), ND_SUCCESS);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &notify), ND_SUCCESS);
	cr_assert_eq(nd_cq_get_results(owner->inbound, got, 2), 2);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert(got[i] == &received[i] && got[i]->status == ND_CANCELED, "%u", i);
}

Test(nd_failure, nd_125_flushed_endpoint_is_out_of_service)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_overlapped connect = {0};
	struct nd_result result;

	ASSERT_ND(nd_endpoint_flush(owner->endpoint), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(owner->endpoint, &result, NULL, 0, 0), ND_CONNECTION_INVALID);
	ASSERT_ND(nd_endpoint_receive(owner->endpoint, &result, NULL, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, owner->inbound, &result), ND_CANCELED);
	ASSERT_ND(nd_connector_accept(owner->connector, owner->endpoint, NULL, 0, &connect),
		ND_CONNECTION_ACTIVE);
	ASSERT_ND(nd_endpoint_flush(scene.side[PEER].endpoint), ND_SUCCESS);
	cr_assert_lt(dial_start(NULL, 0, &connect), 0, "connected again");
	ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &result, NULL, 0, 0),
		ND_CONNECTION_INVALID);
}
