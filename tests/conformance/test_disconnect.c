/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Tests of Network Direct statements (docs/rules.md, section ND K): the end of connections. */

#include <string.h>

#include "dial.h"

static void
open_tapped(void)
{
	scene_open_as((struct nd_pair_config){.adapt = dial_tap});
	nd_pair_connect(&scene);
}

TestSuite(nd_disconnect, .init = open_tapped, .fini = scene_close);
TestSuite(nd_disconnect_early, .init = scene_open, .fini = scene_close);

static struct nd_connector *
connector(unsigned int side)
{
	return scene.side[side].connector;
}

static nd_status
status_of(struct nd_overlapped *overlapped)
{
	return nd_overlapped_get_result(overlapped, NULL, false);
}

static void
disconnect(unsigned int side)
{
	struct nd_overlapped overlapped = {0};
	nd_status status = nd_connector_disconnect(connector(side), &overlapped);

	ASSERT_ND(nd_pair_finish(&scene, status, &overlapped), ND_SUCCESS);
}

static void
notify(unsigned int side, struct nd_overlapped *overlapped)
{
	ASSERT_ND(nd_connector_notify_disconnect(connector(side), overlapped), ND_PENDING);
}

static void
expect_closed(unsigned int side)
{
	struct nd_result result;

	ASSERT_ND(nd_endpoint_send(scene.side[side].endpoint, &result, NULL, 0, 0),
		ND_CONNECTION_INVALID);
}

Test(nd_disconnect, nd_189_disconnect_cancels_what_is_outstanding)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_result received[3], sent[3], *got[3];

	for (unsigned int i = 0; i < 3; i++) {
		scene_receive(OWNER, &received[i]);
		scene_send(OWNER, &sent[i]);
	}
	disconnect(OWNER);
	nd_pair_take(&scene, owner->inbound, got, 3);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert(got[i] == &received[i] && got[i]->status == ND_CANCELED, "%u", i);
	nd_pair_take(&scene, owner->outbound, got, 3);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert(got[i] == &sent[i] && got[i]->status == ND_CANCELED, "%u", i);
}

Test(nd_disconnect, nd_190_disconnected_objects_are_not_used_again)
{
	struct nd_side *peer = &scene.side[PEER], *owner = &scene.side[OWNER];
	struct nd_overlapped overlapped = {0};
	struct nd_connector *other;

	disconnect(PEER);
	ASSERT_ND(dial_start(NULL, 0, &overlapped), ND_INVALID_DEVICE_STATE);
	ASSERT_ND(nd_connector_accept(owner->connector, owner->endpoint, NULL, 0, &overlapped),
		ND_CONNECTION_INVALID);
	ASSERT_ND(nd_adapter_create_connector(peer->adapter, &other), ND_SUCCESS);
	ASSERT_ND(
		nd_connector_attach_endpoint(other, peer->endpoint, 1, 1), ND_INVALID_DEVICE_STATE);
	ASSERT_ND(nd_endpoint_release(peer->endpoint), ND_SUCCESS);
	ASSERT_ND(nd_connector_create_endpoint(peer->connector, peer->inbound, peer->outbound, 1, 1,
			  1, 1, 1, 1, NULL, &peer->endpoint),
		ND_CONNECTION_ABORTED);
}

Test(nd_disconnect_early, nd_191_nothing_to_disconnect)
{
	struct nd_overlapped overlapped = {0}, connect = {0};

	nd_pair_endpoint(&scene, PEER);
	ASSERT_ND(nd_connector_disconnect(connector(PEER), &overlapped), ND_CONNECTION_INVALID);
	dial_request(NULL, 0, &connect);
	ASSERT_ND(nd_connector_disconnect(connector(PEER), &overlapped), ND_CONNECTION_INVALID);
	ASSERT_ND(nd_connector_disconnect(connector(OWNER), &overlapped), ND_CONNECTION_INVALID);
	dial_finish(&connect);
	disconnect(PEER);
	ASSERT_ND(nd_connector_disconnect(connector(PEER), &overlapped), ND_CONNECTION_INVALID);
}

Test(nd_disconnect, nd_192_end_is_told)
{
	const struct nd_mw_descriptor bad = {0};
	struct nd_overlapped told[4] = {0};
	struct nd_result written;

	notify(OWNER, &told[0]);
	disconnect(PEER);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &told[0]), ND_SUCCESS);
	/* NotifyDisconnect succeeds at once, because the connection has already ended. */
	ASSERT_ND(nd_connector_notify_disconnect(connector(OWNER), &told[1]), ND_SUCCESS);
	scene_reconnect();
	notify(OWNER, &told[2]);
	notify(PEER, &told[3]);
	scene_write_post(&bad, 0, 64, &written);
	for (unsigned int i = 2; i < 4; i++)
		ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &told[i]), ND_SUCCESS);
}

Test(nd_disconnect_early, nd_193_nothing_to_be_told_of)
{
	struct nd_overlapped told = {0}, connect = {0};

	nd_pair_endpoint(&scene, PEER);
	ASSERT_ND(nd_connector_notify_disconnect(connector(PEER), &told), ND_CONNECTION_INVALID);
	dial_request(NULL, 0, &connect);
	ASSERT_ND(nd_connector_notify_disconnect(connector(OWNER), &told), ND_CONNECTION_INVALID);
	ASSERT_ND(nd_connector_reject(connector(OWNER), NULL, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &connect), ND_CONNECTION_REFUSED);
	ASSERT_ND(nd_connector_notify_disconnect(connector(PEER), &told), ND_CONNECTION_INVALID);
}

Test(nd_disconnect, nd_194_notification_of_the_end_is_cancelled)
{
	struct nd_overlapped told[2] = {0};

	for (unsigned int i = 0; i < 2; i++)
		notify(OWNER, &told[i]);
	ASSERT_ND(nd_connector_cancel_overlapped_requests(connector(OWNER)), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(status_of(&told[i]), ND_CANCELED);
	scene_expect_alive();
}

/*
 * Disconnect also ends the NotifyDisconnect of its own side. In this library the status is
 * ND_CANCELED.
 */
Test(nd_disconnect, nd_195_own_disconnect_cancels_the_notification)
{
	struct nd_overlapped told = {0};

	notify(OWNER, &told);
	disconnect(OWNER);
	ASSERT_ND(status_of(&told), ND_CANCELED);
}

Test(nd_disconnect, nd_196_peers_disconnect_cancels_receives)
{
	struct nd_result received[2];

	for (unsigned int i = 0; i < 2; i++)
		scene_receive(OWNER, &received[i]);
	disconnect(PEER);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received[i]),
			ND_CANCELED);
	expect_closed(OWNER);
}

/* Disconnect completes after the peer has answered. Afterwards no Write changes the memory. */
Test(nd_disconnect, nd_197_disconnect_waits_for_the_peer)
{
	struct nd_side *owner = &scene.side[OWNER];
	static struct nd_result writes[32];
	struct nd_overlapped overlapped = {0};
	struct nd_mw_descriptor window;
	static uint8_t before[32768];

	nd_pair_bind(&scene, OWNER, 0, 32768, READ_WRITE, &window);
	nd_pair_pattern(scene.side[PEER].memory, 32768, 197);
	for (unsigned int i = 0; i < 32; i++) {
		struct nd_sge from = {scene.side[PEER].memory, 32768, scene.side[PEER].mr};

		ASSERT_ND(nd_endpoint_write(scene.side[PEER].endpoint, &writes[i], &from, 1,
				  &window, 0, ND_OP_FLAG_SILENT_SUCCESS),
			ND_SUCCESS);
	}
	scene_poll(OWNER);
	ASSERT_ND(nd_connector_disconnect(connector(OWNER), &overlapped), ND_PENDING);
	for (unsigned int i = 0; i < 100; i++)
		scene_poll(OWNER);
	ASSERT_ND(status_of(&overlapped), ND_PENDING);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &overlapped), ND_SUCCESS);
	memset(owner->memory, 0, sizeof(before));
	nd_pair_quiet(&scene, owner->inbound);
	cr_assert_arr_eq(owner->memory, before, sizeof(before), "written after the end");
}

Test(nd_disconnect, nd_198_no_half_is_left_open)
{
	struct nd_overlapped overlapped = {0}, told = {0};

	notify(PEER, &told);
	ASSERT_ND(nd_connector_disconnect(connector(OWNER), &overlapped), ND_PENDING);
	/* Cancel the Disconnect instead of waiting for its end. */
	ASSERT_ND(nd_overlapped_cancel(&overlapped), ND_SUCCESS);
	ASSERT_ND(status_of(&overlapped), ND_CANCELED);
	expect_closed(OWNER);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &told), ND_SUCCESS);
	expect_closed(PEER);
	scene_reconnect();
	disconnect(OWNER);
	expect_closed(OWNER);
	expect_closed(PEER);
}

Test(nd_disconnect, nd_200_release_disconnects)
{
	struct nd_result received[2];
	struct nd_overlapped told = {0};

	for (unsigned int i = 0; i < 2; i++)
		scene_receive(i, &received[i]);
	notify(PEER, &told);
	ASSERT_ND(nd_endpoint_release(scene.side[OWNER].endpoint), ND_SUCCESS);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &told), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(nd_pair_result(&scene, scene.side[i].inbound, &received[i]), ND_CANCELED);
}

Test(nd_disconnect, nd_201_results_outlive_their_endpoint)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_result received[2], sent;

	for (unsigned int i = 0; i < 2; i++)
		scene_receive(OWNER, &received[i]);
	scene_send(PEER, &sent);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_release(owner->endpoint), ND_SUCCESS);
	ASSERT_ND(nd_connector_release(owner->connector), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, owner->inbound, &received[0]), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, owner->inbound, &received[1]), ND_CANCELED);
}

Test(nd_disconnect, nd_202_both_disconnect_at_once)
{
	struct nd_overlapped overlapped[2] = {0};
	nd_status status[2];

	scene_expect_alive();
	for (unsigned int i = 0; i < 2; i++)
		status[i] = nd_connector_disconnect(connector(i), &overlapped[i]);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(status[i], ND_PENDING);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(nd_pair_finish(&scene, status[i], &overlapped[i]), ND_SUCCESS);
}
