/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of ND statements (docs/rules.md, sections ND C and D), version 2 of the SPI: invalidation
 * of memory windows.
 */

#include "spi_scene.h"

#include "spi/qp.h"

#define LONG_BYTES 61440

TestSuite(spi_nd_invalidate, .init = scene_connected, .fini = scene_close);
TestSuite(spi_nd_invalidate_early, .init = scene_open, .fini = scene_close);

static HRESULT
invalidate_post(IND2MemoryWindow *mw, uintptr_t context, ULONG flags)
{
	return IND2QueuePair_Invalidate(OWNER->qp, CONTEXT(context), (IUnknown *)mw, flags);
}

static HRESULT
invalidate_result(uintptr_t context)
{
	return spi_pair_expect(OWNER->cq, Nd2RequestTypeInvalidate, CONTEXT(context));
}

/** Connect new queue pairs, create a new window of the owner, and take all old results. */
static void
begin_anew(void)
{
	ND2_RESULT result;

	scene_second(NULL);
	scene_keep(OWNER->mw);
	OWNER->mw = scene_window(OWNER);
	for (unsigned int i = 0; i < 2; i++) {
		while (IND2CompletionQueue_GetResults(scene.side[i].cq, &result, 1) != 0)
			continue;
	}
}

/** Let scene_close() release the owner's window only once, although it is in two lists. */
static void
end(void)
{
	scene_keep(OWNER->mw);
	OWNER->mw = NULL;
}

Test(spi_nd_invalidate_early, nd_043_unconnected_queue_pair_does_not_invalidate)
{
	ASSERT_HR(invalidate_post(OWNER->mw, 1, 0), ND_CONNECTION_INVALID);
	scene_quiet();
}

Test(spi_nd_invalidate, nd_044_full_queue_does_not_invalidate)
{
	UINT32 token = scene_bound(READ_WRITE);

	scene_hold();
	for (unsigned int i = 0; i < SCENE_ENTRIES; i++) {
		scene_receive(PEER, i, 0, 0);
		ASSERT_HR(scene_send_post(OWNER, i, 0, 0, 0), ND_SUCCESS);
	}
	ASSERT_HR(invalidate_post(OWNER->mw, 1, 0), ND_NO_MORE_ENTRIES);
	scene_let_go();
	for (unsigned int i = 0; i < SCENE_ENTRIES; i++) {
		ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeSend, CONTEXT(i)), ND_SUCCESS);
		ASSERT_HR(spi_pair_result(PEER->cq).Status, ND_SUCCESS);
	}
	scene_quiet();
	ASSERT_HR(scene_write(0, 64, token), ND_SUCCESS);
}

Test(spi_nd_invalidate, nd_045_success_gives_one_result_or_none_when_silent)
{
	UINT32 token;

	scene_bound(READ_WRITE);
	ASSERT_HR(invalidate_post(OWNER->mw, 1, 0), ND_SUCCESS);
	ASSERT_HR(invalidate_result(1), ND_SUCCESS);
	scene_quiet();
	token = scene_bound(READ_WRITE);
	ASSERT_HR(invalidate_post(OWNER->mw, 2, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS);
	scene_quiet();
	ASSERT_HR(scene_write(0, 64, token), ND_ACCESS_VIOLATION);
}

Test(spi_nd_invalidate, nd_046_silent_invalidate_that_fails_gives_a_result)
{
	ASSERT_HR(invalidate_post(OWNER->mw, 1, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS);
	ASSERT_HR(invalidate_result(1), ND_INVALID_DEVICE_REQUEST);
	spi_pair_quiet(OWNER->cq);
}

Test(spi_nd_invalidate, nd_047_statuses_of_results)
{
	struct spi_side first[2];

	scene_bound(READ_WRITE);
	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_INVALID_DEVICE_REQUEST);
	begin_anew();
	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_INVALID_DEVICE_REQUEST);
	begin_anew();
	scene_bound(READ_WRITE);
	scene_second(first);
	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_INVALID_DEVICE_REQUEST);
	begin_anew();
	scene_bound(READ_WRITE);
	scene_hold_a_read(1);
	ASSERT_HR(invalidate_post(OWNER->mw, 2, ND_OP_FLAG_READ_FENCE), ND_SUCCESS);
	ASSERT_HR(IND2QueuePair_Flush(OWNER->qp), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeRead, CONTEXT(1)), ND_CANCELED);
	ASSERT_HR(invalidate_result(2), ND_CANCELED);
	scene_let_go();
	end();
}

Test(spi_nd_invalidate, nd_048_transfers_in_progress_fail)
{
	static uint8_t then[LONG_BYTES];
	UINT32 token;
	size_t bytes = 0;

	ASSERT_HR(scene_bind(OWNER->mw, 0, LONG_BYTES, READ_WRITE), ND_SUCCESS);
	token = IND2MemoryWindow_GetRemoteToken(OWNER->mw);
	memset(PEER->memory, 0x5a, LONG_BYTES);
	scene_hold();
	ASSERT_HR(scene_write_post(1, 0, LONG_BYTES, token, 0), ND_SUCCESS);
	scene_turn(PEER, 1);
	scene_turn(OWNER, 1);
	while (bytes < LONG_BYTES && OWNER->memory[bytes] == 0x5a)
		bytes++;
	cr_assert(bytes > 0 && bytes < LONG_BYTES, "%zu bytes are there", bytes);
	ASSERT_HR(invalidate_post(OWNER->mw, 2, 0), ND_SUCCESS);
	ASSERT_HR(invalidate_result(2), ND_SUCCESS);
	memcpy(then, OWNER->memory, LONG_BYTES);
	scene_let_go();
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(1)), ND_ACCESS_VIOLATION);
	cr_assert_arr_eq(OWNER->memory, then, LONG_BYTES);
	scene_over();
}

Test(spi_nd_invalidate, nd_049_access_after_the_invalidation_is_fatal)
{
	for (unsigned int i = 0; i < 2; i++) {
		OVERLAPPED notify[2] = {{0}, {0}};
		UINT32 token = scene_bound(READ_WRITE);

		for (unsigned int n = 0; n < 2; n++)
			ASSERT_HR(
				IND2Connector_NotifyDisconnect(scene.side[n].connector, &notify[n]),
				ND_PENDING);
		ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
		ASSERT_HR(i == 0 ? scene_write(0, 64, token) : scene_read(0, 64, token),
			ND_ACCESS_VIOLATION);
		scene_over();
		for (unsigned int n = 0; n < 2; n++)
			ASSERT_HR(spi_pair_finish(scene.side[n].connector, ND_PENDING, &notify[n]),
				ND_SUCCESS);
		begin_anew();
	}
	end();
}

/**
 * Let the owner post a Read that the peer does not answer, and then an Invalidate. Then let the
 * peer write.
 * @return status of the peer's Write
 */
static HRESULT
write_past_a_read(ULONG flags)
{
	ND2_RESULT result;
	UINT32 token = scene_bound(READ_WRITE);
	HRESULT status;

	scene_hold_a_read(1);
	ASSERT_HR(invalidate_post(OWNER->mw, 2, flags), ND_SUCCESS);
	ASSERT_HR(scene_write_post(3, 0, 64, token, 0), ND_SUCCESS);
	for (unsigned int i = 0; i < 100; i++)
		(void)IND2CompletionQueue_GetResults(OWNER->cq, &result, 1);
	status = spi_pair_expect(PEER->cq, Nd2RequestTypeWrite, CONTEXT(3));
	scene_let_go();
	return status;
}

Test(spi_nd_invalidate, nd_050_fenced_invalidate_waits_for_earlier_reads)
{
	ASSERT_HR(write_past_a_read(ND_OP_FLAG_READ_FENCE), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeRead, CONTEXT(1)), ND_SUCCESS);
	ASSERT_HR(invalidate_result(2), ND_SUCCESS);
	ASSERT_HR(scene_write(0, 64, IND2MemoryWindow_GetRemoteToken(OWNER->mw)),
		ND_ACCESS_VIOLATION);
	begin_anew();
	ASSERT_HR(write_past_a_read(0), ND_ACCESS_VIOLATION);
	end();
}

Test(spi_nd_invalidate, nd_051_invalidated_window_can_be_bound_again)
{
	UINT32 before = 0, token = 0;

	for (unsigned int i = 0; i < 50; i++) {
		before = token;
		ASSERT_HR(scene_bind(OWNER->mw, 64 * i, 64, READ_WRITE), ND_SUCCESS);
		token = IND2MemoryWindow_GetRemoteToken(OWNER->mw);
		cr_assert_neq(token, before);
		ASSERT_HR(scene_write(64 * i, 64, token), ND_SUCCESS);
		ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
	}
	ASSERT_HR(scene_write(64 * 48, 64, before), ND_ACCESS_VIOLATION);
}

/* An Invalidate of an unbound window ends with 0xC0000010 and ends the connection. */
Test(spi_nd_invalidate, nd_052_unbound_window_ends_the_connection)
{
	scene_receive(OWNER, 1, 0, 64);
	scene_receive(PEER, 2, 0, 64);
	ASSERT_HR(invalidate_post(OWNER->mw, 3, 0), ND_SUCCESS);
	/* The results of the two directions may be in any order. */
	for (unsigned int i = 0; i < 2; i++) {
		ND2_RESULT result = spi_pair_result(OWNER->cq);

		ASSERT_HR(result.Status,
			result.RequestType == Nd2RequestTypeInvalidate ? (HRESULT)0xC0000010
								       : ND_CANCELED);
	}
	ASSERT_HR(spi_pair_expect(PEER->cq, Nd2RequestTypeReceive, CONTEXT(2)), ND_CANCELED);
	scene_over();
}

Test(spi_nd_invalidate, nd_053_invalidate_and_wait_for_the_completion)
{
	OVERLAPPED notify = {0};

	scene_bound(READ_WRITE);
	ASSERT_HR(IND2QueuePair_Invalidate(OWNER->qp, NULL, (IUnknown *)OWNER->mw, 0), ND_SUCCESS);
	ASSERT_HR(
		spi_pair_finish(OWNER->cq,
			IND2CompletionQueue_Notify(OWNER->cq, ND_CQ_NOTIFY_ANY, &notify), &notify),
		ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeInvalidate, NULL), ND_SUCCESS);
}

Test(spi_nd_invalidate, nd_054_receives_of_the_owner_are_cancelled)
{
	for (unsigned int write = 0; write < 2; write++) {
		UINT32 token = scene_bound(READ_WRITE);

		ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_SUCCESS);
		for (unsigned int i = 0; i < 3; i++)
			scene_receive(OWNER, i, 0, 64);
		ASSERT_HR(write ? scene_write(0, 64, token) : scene_read(0, 64, token),
			ND_ACCESS_VIOLATION);
		for (unsigned int i = 0; i < 3; i++)
			ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(i)),
				ND_CANCELED);
		begin_anew();
	}
	end();
}

Test(spi_nd_invalidate, nd_055_invalidate_does_not_overtake_a_send)
{
	ND2_RESULT result;
	UINT32 token = scene_bound(READ_WRITE);

	scene_receive(PEER, 1, 50000, 8);
	scene_hold_a_read(2);
	/* The fenced Send waits for the Read. The Invalidate waits only for the Send. */
	ASSERT_HR(scene_send_post(OWNER, 3, 0, 8, ND_OP_FLAG_READ_FENCE), ND_SUCCESS);
	ASSERT_HR(invalidate_post(OWNER->mw, 4, 0), ND_SUCCESS);
	ASSERT_HR(scene_write_post(5, 0, 64, token, 0), ND_SUCCESS);
	for (unsigned int i = 0; i < 100; i++)
		cr_assert_eq(IND2CompletionQueue_GetResults(OWNER->cq, &result, 1), 0);
	scene_let_go();
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_HR(spi_pair_result(PEER->cq).Status, ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeRead, CONTEXT(2)), ND_SUCCESS);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeSend, CONTEXT(3)), ND_SUCCESS);
	ASSERT_HR(invalidate_result(4), ND_SUCCESS);
}

/*
 * These tests use the native interface of the peer's queue pair, because version 2 cannot send
 * messages that invalidate, but a peer with another interface can.
 */
static void
send_and_invalidate(UINT32 token)
{
	static struct nd_result result;
	struct spi_endpoint *qp = (struct spi_endpoint *)PEER->qp;
	struct nd_mw_descriptor remote = {.token = token};

	spi_engine_enter(qp->engine);
	ASSERT_HR(nd_endpoint_send_and_invalidate(
			  qp->native, &result, NULL, 0, &remote, ND_OP_FLAG_SILENT_SUCCESS),
		ND_SUCCESS);
	spi_engine_leave(qp->engine);
}

/*
 * A message that invalidates needs a Receive, like any other message, and waits until one is
 * posted.
 */
Test(spi_nd_invalidate, nd_059_invalidating_message_needs_a_receive)
{
	UINT32 token = scene_bound(READ_WRITE);

	send_and_invalidate(token);
	scene_quiet();
	scene_receive(OWNER, 1, 0, 0);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
	scene_alive();
}

Test(spi_nd_invalidate, nd_060_window_that_the_peer_has_invalidated_is_not_invalidated_again)
{
	scene_receive(OWNER, 1, 0, 0);
	send_and_invalidate(scene_bound(READ_WRITE));
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
	ASSERT_HR(scene_invalidate(OWNER->mw, 0), ND_INVALID_DEVICE_REQUEST);
	scene_over();
}

/*
 * If a local and a remote invalidation race, one of them succeeds. The other one fails and ends the
 * connection.
 */
Test(spi_nd_invalidate, nd_061_one_of_two_invalidations_succeeds)
{
	ND2_RESULT result;
	unsigned int good = 0;

	scene_receive(OWNER, 1, 0, 0);
	scene_bound(READ_WRITE);
	scene_hold();
	send_and_invalidate(IND2MemoryWindow_GetRemoteToken(OWNER->mw));
	ASSERT_HR(invalidate_post(OWNER->mw, 2, 0), ND_SUCCESS);
	scene_let_go();
	for (unsigned int i = 0; i < 2; i++) {
		result = spi_pair_result(OWNER->cq);
		good += result.Status == ND_SUCCESS;
	}
	cr_assert_eq(good, 1);
	scene_over();
}

Test(spi_nd_invalidate, nd_065_token_of_no_window_ends_the_connection)
{
	HRESULT status;

	scene_receive(OWNER, 1, 0, 0);
	send_and_invalidate(0x12345678);
	status = spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1));
	cr_assert_neq(status, ND_SUCCESS);
	scene_over();
}

/*
 * The result of a Receive does not show that the message has invalidated a window. The window is
 * invalid nevertheless.
 */
Test(spi_nd_invalidate, nd_066_plain_receive_invalidates)
{
	UINT32 token = scene_bound(READ_WRITE);

	scene_receive(OWNER, 1, 0, 0);
	send_and_invalidate(token);
	ASSERT_HR(spi_pair_expect(OWNER->cq, Nd2RequestTypeReceive, CONTEXT(1)), ND_SUCCESS);
	spi_pair_quiet(OWNER->cq);
	ASSERT_HR(scene_write(0, 64, token), ND_ACCESS_VIOLATION);
	begin_anew();
	ASSERT_HR(scene_write(0, 64, scene_bound(READ_WRITE)), ND_SUCCESS);
	end();
}
