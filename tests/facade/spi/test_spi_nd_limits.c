/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of ND statements (docs/rules.md, section ND J), version 2 of the SPI: read limits of
 * connections.
 */

#include "spi_scene.h"

TestSuite(spi_nd_limits, .init = scene_open, .fini = scene_close);

static void
limits_check(IND2Connector *connector, ULONG inbound, ULONG outbound)
{
	ULONG got[2];

	ASSERT_HR(IND2Connector_GetReadLimits(connector, &got[0], &got[1]), ND_SUCCESS);
	cr_assert(got[0] == inbound && got[1] == outbound, "%u and %u instead of %u and %u", got[0],
		got[1], inbound, outbound);
}

/* Read limits of 0 are accepted in both directions. All requests except Reads work. */
Test(spi_nd_limits, nd_079_read_limits_of_zero)
{
	static OVERLAPPED connect, accept;

	scene_request(0, 0, 0, &connect);
	ASSERT_HR(scene_accept_post(0, 0, 0, &accept), ND_PENDING);
	scene_complete(&connect, &accept);
	scene_alive();
	ASSERT_HR(scene_write(0, 64, scene_bound(READ_WRITE)), ND_SUCCESS);
}

Test(spi_nd_limits, nd_182_passive_side_lowers_limits)
{
	static OVERLAPPED connect, accept;

	scene_request(3, 5, 0, &connect);
	limits_check(OWNER->connector, 5, 3);
	ASSERT_HR(scene_accept_post(2, 8, 0, &accept), ND_PENDING);
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect), ND_SUCCESS);
	limits_check(PEER->connector, 3, 2);
}

/* Connect and Accept silently lower limits that are above the adapter's limits. */
Test(spi_nd_limits, nd_183_limits_above_the_adapter)
{
	ND2_ADAPTER_INFO info = {.InfoVersion = ND_VERSION_2};
	static OVERLAPPED connect, accept;
	ULONG bytes = sizeof(info);

	ASSERT_HR(IND2Adapter_Query(PEER->adapter, &info, &bytes), ND_SUCCESS);
	scene_request(UINT32_MAX, 100000, 0, &connect);
	limits_check(OWNER->connector, info.MaxOutboundReadLimit, info.MaxInboundReadLimit);
	ASSERT_HR(scene_accept_post(100000, UINT32_MAX, 0, &accept), ND_PENDING);
	scene_complete(&connect, &accept);
}

/*
 * Limits above the adapter's limit are lowered first. Then the inbound limit of a side is at most
 * the peer's outbound limit, and vice versa.
 */
Test(spi_nd_limits, nd_184_limits_are_those_of_the_peer)
{
	static OVERLAPPED connect, accept;

	scene_request(1, 7, 0, &connect);
	limits_check(OWNER->connector, 7, 1);
	ASSERT_HR(scene_accept_post(4, 1, 0, &accept), ND_PENDING);
	ASSERT_HR(spi_pair_finish(PEER->connector, ND_PENDING, &connect), ND_SUCCESS);
	limits_check(PEER->connector, 1, 4);
}

/*
 * After CompleteConnect, the active side has the limits of the Accept. With a limit of 0 it cannot
 * post a Read.
 */
Test(spi_nd_limits, nd_185_active_side_uses_limits_of_accept)
{
	static OVERLAPPED connect, accept;

	scene_request(8, 8, 0, &connect);
	ASSERT_HR(scene_accept_post(0, 8, 0, &accept), ND_PENDING);
	scene_complete(&connect, &accept);
	ASSERT_HR(scene_read_post(1, 0, 8, 0, 0), ND_INVALID_DEVICE_REQUEST);
	scene_alive();
}

/*
 * Reads beyond the limit wait, and all complete in order. The owner never has more unanswered Reads
 * than the limit.
 */
Test(spi_nd_limits, nd_186_surplus_reads_wait)
{
	static OVERLAPPED connect, accept;
	UINT32 token;

	scene_request(1, 2, 0, &connect);
	ASSERT_HR(scene_accept_post(2, 1, 0, &accept), ND_PENDING);
	scene_complete(&connect, &accept);
	token = scene_bound(READ_WRITE);
	for (unsigned int i = 0; i < 20; i++)
		OWNER->memory[i] = (uint8_t)(i + 1);
	scene_hold();
	for (unsigned int i = 0; i < 20; i++)
		ASSERT_HR(scene_read_post(i, i, 1, token, 0), ND_SUCCESS);
	/* The owner answers the Reads that have arrived. The other Reads have not been sent yet. */
	scene_turn(OWNER, 20);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeRead, CONTEXT(i)), ND_SUCCESS);
	scene_turn(PEER, 20);
	scene_let_go();
	for (unsigned int i = 2; i < 20; i++)
		ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeRead, CONTEXT(i)), ND_SUCCESS);
	cr_assert_eq(memcmp(PEER->memory, OWNER->memory, 20), 0);
}

Test(spi_nd_limits, nd_188_read_without_a_limit)
{
	static OVERLAPPED connect, accept;
	UINT32 token;

	scene_request(1, 0, 0, &connect);
	ASSERT_HR(scene_accept_post(1, 1, 0, &accept), ND_PENDING);
	scene_complete(&connect, &accept);
	token = scene_bound(READ_WRITE);
	ASSERT_HR(scene_read_post(1, 0, 8, token, 0), ND_INVALID_DEVICE_REQUEST);
	scene_quiet();
	ASSERT_HR(scene_write(0, 64, token), ND_SUCCESS);
}
