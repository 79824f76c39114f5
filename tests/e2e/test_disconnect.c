/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test the end of connections: disconnect, flush, release, and the results of requests after that.
 */

#include <string.h>

#include <criterion/criterion.h>

#include "support/nd_pair.h"

static struct nd_pair pair;

static void
setup(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024});
	nd_pair_connect(&pair);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(disconnect, .init = setup, .fini = teardown);

static void
receive_post(unsigned int side, struct nd_result *result)
{
	cr_assert_eq(nd_endpoint_receive(pair.side[side].endpoint, result, NULL, 0), ND_SUCCESS);
}

/* ND-196: receives are cancelled on both sides, not only on the side that disconnected. */
Test(disconnect, nd189_nd192_nd196_both_sides_learn_and_flush)
{
	struct nd_overlapped notify[2] = {0}, disconnect = {0};
	struct nd_result received[2];

	for (unsigned int i = 0; i < 2; i++) {
		receive_post(i, &received[i]);
		cr_assert_eq(nd_connector_notify_disconnect(pair.side[i].connector, &notify[i]),
			ND_PENDING);
	}
	cr_assert_eq(
		nd_pair_finish(&pair, nd_connector_disconnect(pair.side[0].connector, &disconnect),
			&disconnect),
		ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(
			nd_pair_result(&pair, pair.side[i].inbound, &received[i]), ND_CANCELED);
	/* ND-195: the disconnecting side gets ND_CANCELED, the other side gets ND_SUCCESS. */
	cr_assert_eq(nd_overlapped_get_result(&notify[0], NULL, false), ND_CANCELED);
	cr_assert_eq(nd_overlapped_get_result(&notify[1], NULL, false), ND_SUCCESS);
	/*
	 * The peer has learned of the disconnect already, so its own disconnect succeeds at once.
	 */
	cr_assert_eq(nd_connector_disconnect(pair.side[1].connector, &disconnect), ND_SUCCESS);
}

Test(disconnect, nd190_afterwards_nothing_can_be_posted_or_connected)
{
	struct nd_overlapped disconnect = {0}, connect = {0};
	struct sockaddr_storage address;
	struct nd_result result;
	socklen_t length = nd_pair_address(&pair, &address);

	cr_assert_eq(
		nd_pair_finish(&pair, nd_connector_disconnect(pair.side[0].connector, &disconnect),
			&disconnect),
		ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(nd_endpoint_send(pair.side[i].endpoint, &result, NULL, 0, 0),
			ND_CONNECTION_INVALID);
	cr_assert_eq(nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
			     (struct sockaddr *)&address, length, 6, 0, NULL, 0, &connect),
		ND_INVALID_DEVICE_STATE);
	cr_assert_eq(nd_connector_disconnect(pair.side[0].connector, &disconnect),
		ND_CONNECTION_INVALID);
}

Test(disconnect, nd202_both_at_once_succeed)
{
	struct nd_overlapped disconnect[2] = {0};
	nd_status status[2];

	for (unsigned int i = 0; i < 2; i++)
		status[i] = nd_connector_disconnect(pair.side[i].connector, &disconnect[i]);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(nd_pair_finish(&pair, status[i], &disconnect[i]), ND_SUCCESS);
}

Test(disconnect, nd122_flush_cancels_both_directions_and_leaves_disconnect)
{
	struct nd_result received[2], sent;
	struct nd_overlapped disconnect = {0};

	receive_post(0, &received[0]);
	receive_post(0, &received[1]);
	/* Side 1 has posted no receive, so the send remains outstanding. */
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_flush(pair.side[0].endpoint), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].inbound, &received[0]), ND_CANCELED);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].inbound, &received[1]), ND_CANCELED);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_CANCELED);
	/* ND-125: no request can be posted after a flush. */
	cr_assert_eq(
		nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0), ND_CONNECTION_INVALID);
	cr_assert_eq(
		nd_pair_finish(&pair, nd_connector_disconnect(pair.side[0].connector, &disconnect),
			&disconnect),
		ND_SUCCESS);
}

Test(disconnect, nd124_flush_of_an_endpoint_never_connected)
{
	struct nd_overlapped notify = {0};
	struct nd_result received[2], *got[2];
	struct nd_connector *connector;
	struct nd_endpoint *endpoint;

	cr_assert_eq(nd_adapter_create_connector(pair.side[0].adapter, &connector), ND_SUCCESS);
	cr_assert_eq(nd_connector_create_endpoint(connector, pair.side[0].inbound,
			     pair.side[0].outbound, 2, 2, 1, 1, 0, 0, NULL, &endpoint),
		ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(nd_endpoint_receive(endpoint, &received[i], NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_cq_notify(pair.side[0].inbound, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
	cr_assert_eq(nd_endpoint_flush(endpoint), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&notify, NULL, false), ND_SUCCESS);
	cr_assert_eq(nd_cq_get_results(pair.side[0].inbound, got, 2), 2);
	cr_assert_eq(got[0], &received[0]);
	cr_assert_eq(got[1]->status, ND_CANCELED);
}

/* ND-200: the release of a connected endpoint disconnects the peer. */
Test(disconnect, nd200_released_endpoint_disconnects_the_peer)
{
	struct nd_overlapped notify = {0};
	struct nd_result received;

	receive_post(1, &received);
	cr_assert_eq(nd_connector_notify_disconnect(pair.side[1].connector, &notify), ND_PENDING);
	cr_assert_eq(nd_connector_release(pair.side[0].connector), ND_DEVICE_BUSY);
	cr_assert_eq(nd_endpoint_release(pair.side[0].endpoint), ND_SUCCESS);
	cr_assert_eq(nd_connector_release(pair.side[0].connector), ND_SUCCESS);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &notify), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_CANCELED);
}

Test(disconnect, nd201_results_of_a_released_endpoint_still_come)
{
	struct nd_result received;

	receive_post(0, &received);
	cr_assert_eq(nd_endpoint_release(pair.side[0].endpoint), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].inbound, &received), ND_CANCELED);
}

Test(disconnect, nd118_send_without_receive_ends_in_time)
{
	struct nd_result sent;
	struct nd_overlapped notify = {0};

	cr_assert_eq(nd_connector_notify_disconnect(pair.side[1].connector, &notify), ND_PENDING);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_IO_TIMEOUT);
	/* The peer gets its notification, and its completion queue remains empty. */
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &notify), ND_SUCCESS);
	nd_pair_quiet(&pair, pair.side[1].inbound);
	cr_assert_eq(nd_pair_counter(&pair, 1, "tx_rnr_naks"), 7);
}

Test(disconnect, many_rounds_leave_nothing_behind)
{
	for (unsigned int round = 0; round < 100; round++) {
		struct nd_overlapped disconnect = {0};
		unsigned int who = round & 1;

		cr_assert_eq(nd_pair_finish(&pair,
				     nd_connector_disconnect(pair.side[who].connector, &disconnect),
				     &disconnect),
			ND_SUCCESS);
		for (unsigned int i = 0; i < 2; i++) {
			cr_assert_eq(nd_endpoint_release(pair.side[i].endpoint), ND_SUCCESS);
			cr_assert_eq(nd_connector_release(pair.side[i].connector), ND_SUCCESS);
			pair.side[i].connector = NULL;
		}
		nd_pair_connect(&pair);
	}
	cr_assert_eq(nd_pair_counter(&pair, 0, "cm_retransmissions"), 0);
}
