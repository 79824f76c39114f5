/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Statements on completion queues and their notifications, version 1. */

#include <criterion/criterion.h>

#include "v1_pair.h"

static struct v1_pair pair;
static struct v1_side *const client = &pair.side[0], *const server = &pair.side[1];
static OVERLAPPED notify[4];
static ND_RESULT sent, received[4];

static void
setup(void)
{
	v1_open(&pair);
	v1_connect(&pair);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_eq(v1_receive(server, &received[i], 0, 8), ND_SUCCESS);
}

static void
teardown(void)
{
	v1_close(&pair);
}

TestSuite(spi_v1_cq, .init = setup, .fini = teardown);

static void
arm(unsigned int which, DWORD type)
{
	cr_assert_eq(INDCompletionQueue_Notify(server->in, type, &notify[which]), ND_PENDING);
}

/** The client sends a message and takes the result. The message has then arrived at the server. */
static void
message(DWORD flags)
{
	cr_assert_eq(v1_send(client, &sent, 0, 8, flags), ND_SUCCESS);
	v1_done(client->out, &sent);
}

static HRESULT
notified(unsigned int which)
{
	return v1_poll(server->in, &notify[which]);
}

static bool
is_pending(unsigned int which)
{
	v1_pending(server->in, &notify[which]);
	return true;
}

Test(spi_v1_cq, nd_127_get_results_does_not_block)
{
	ND_RESULT *got[4];

	cr_assert_eq(INDCompletionQueue_GetResults(server->in, got, 4), 0);
	for (unsigned int i = 0; i < 3; i++)
		message(0);
	cr_assert_eq(INDCompletionQueue_GetResults(server->in, got, 0), 0);
	v1_done(server->in, &received[0]);
	while (INDCompletionQueue_GetResults(server->in, got, 1) == 0)
		continue;
	cr_assert_eq(got[0], &received[1]);
	v1_done(server->in, &received[2]);
	cr_assert_eq(INDCompletionQueue_GetResults(server->in, got, 4), 0);
}

Test(spi_v1_cq, nd_128_no_notification_without_notify)
{
	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	v1_done(server->in, &received[0]);
	cr_assert_eq(notify[0].Internal, 0);
	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	v1_done(server->in, &received[1]);
	cr_assert_eq(notify[0].Internal, 0);
	arm(0, ND_CQ_NOTIFY_ANY);
	message(0);
	cr_assert_eq(notified(0), ND_SUCCESS);
}

Test(spi_v1_cq, nd_129_any_completes_on_the_next_result)
{
	arm(0, ND_CQ_NOTIFY_ANY);
	cr_assert(is_pending(0));
	message(0);
	cr_assert_eq(notified(0), ND_SUCCESS);
	v1_done(server->in, &received[0]);
	/* Results of sends complete a notification, too. */
	cr_assert_eq(
		INDCompletionQueue_Notify(client->out, ND_CQ_NOTIFY_ANY, &notify[1]), ND_PENDING);
	cr_assert_eq(v1_send(client, &sent, 0, 8, 0), ND_SUCCESS);
	cr_assert_eq(v1_poll(client->out, &notify[1]), ND_SUCCESS);
	v1_done(client->out, &sent);
}

Test(spi_v1_cq, nd_130_solicited_completes_on_a_solicited_receive)
{
	ND_RESULT *got;

	arm(0, ND_CQ_NOTIFY_SOLICITED);
	cr_assert_eq(v1_send(client, &sent, 0, 8, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT), ND_SUCCESS);
	cr_assert_eq(notified(0), ND_SUCCESS);
	cr_assert_eq(INDCompletionQueue_GetResults(server->in, &got, 1), 1);
	cr_assert_eq(got, &received[0]);
	v1_done(client->out, &sent);
}

Test(spi_v1_cq, nd_131_solicited_does_not_complete_otherwise)
{
	arm(0, ND_CQ_NOTIFY_SOLICITED);
	cr_assert_eq(INDCompletionQueue_Notify(client->out, ND_CQ_NOTIFY_SOLICITED, &notify[1]),
		ND_PENDING);
	message(0);
	cr_assert(is_pending(0));
	v1_pending(client->out, &notify[1]);
	cr_assert_eq(v1_send(client, &sent, 0, 8, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT), ND_SUCCESS);
	cr_assert_eq(notified(0), ND_SUCCESS);
	v1_pending(client->out, &notify[1]);
}

/** A failed request completes a notification of this type. */
static void
error_completes(DWORD type)
{
	arm(0, type);
	v1_disconnect(&pair);
	cr_assert_eq(notified(0), ND_SUCCESS);
	cr_assert_eq(v1_expect(server->in, &received[0]), ND_CANCELED);
}

Test(spi_v1_cq, nd_132_error_completes_every_type)
{
	error_completes(ND_CQ_NOTIFY_SOLICITED);
}

Test(spi_v1_cq, nd_133_errors_completes_on_errors_only)
{
	arm(0, ND_CQ_NOTIFY_ERRORS);
	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	cr_assert(is_pending(0));
	v1_done(server->in, &received[0]);
	v1_disconnect(&pair);
	cr_assert_eq(notified(0), ND_SUCCESS);
}

Test(spi_v1_cq, nd_134_one_notification_for_a_result)
{
	arm(0, ND_CQ_NOTIFY_ANY);
	message(0);
	cr_assert_eq(notified(0), ND_SUCCESS);
	arm(1, ND_CQ_NOTIFY_ANY);
	cr_assert(is_pending(1));
	v1_done(server->in, &received[0]);
	cr_assert(is_pending(1));
	message(0);
	cr_assert_eq(notified(1), ND_SUCCESS);
}

Test(spi_v1_cq, nd_135_all_outstanding_notifications_are_completed)
{
	for (unsigned int i = 0; i < 3; i++)
		arm(i, ND_CQ_NOTIFY_ANY);
	message(0);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(notified(i), ND_SUCCESS);
}

Test(spi_v1_cq, nd_136_result_before_notify_is_not_lost)
{
	v1_quiet(server->in);
	message(0);
	arm(0, ND_CQ_NOTIFY_ANY);
	cr_assert_eq(notified(0), ND_SUCCESS);
	v1_done(server->in, &received[0]);
}

Test(spi_v1_cq, nd_137_any_outranks_solicited)
{
	arm(0, ND_CQ_NOTIFY_SOLICITED);
	arm(1, ND_CQ_NOTIFY_ANY);
	message(0);
	cr_assert_eq(notified(1), ND_SUCCESS);
	cr_assert_eq(notified(0), ND_SUCCESS);
}

Test(spi_v1_cq, nd_138_second_notify_does_not_weaken_the_first)
{
	arm(0, ND_CQ_NOTIFY_ANY);
	arm(1, ND_CQ_NOTIFY_SOLICITED);
	message(0);
	cr_assert_eq(notified(0), ND_SUCCESS);
	cr_assert_eq(notified(1), ND_SUCCESS);
	v1_done(server->in, &received[0]);
	arm(0, ND_CQ_NOTIFY_ERRORS);
	arm(1, ND_CQ_NOTIFY_SOLICITED);
	message(0);
	cr_assert(is_pending(0));
	cr_assert(is_pending(1));
	message(ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	cr_assert_eq(notified(1), ND_SUCCESS);
	cr_assert_eq(notified(0), ND_SUCCESS);
}

Test(spi_v1_cq, nd_140_notify_with_a_newer_result_completes_at_once)
{
	arm(0, ND_CQ_NOTIFY_ANY);
	message(0);
	cr_assert_eq(notified(0), ND_SUCCESS);
	/* This result is newer than the notification, and was not taken. */
	message(0);
	arm(1, ND_CQ_NOTIFY_ANY);
	cr_assert_eq(INDCompletionQueue_GetOverlappedResult(server->in, &notify[1], NULL, FALSE),
		ND_SUCCESS);
}

Test(spi_v1_cq, nd_141_overrun_is_told_and_ends_the_queue)
{
	INDCompletionQueue *cq = NULL, *in = server->in;
	ND_RESULT taken[4], *got;

	v1_release(client->connector);
	v1_release(client->endpoint);
	v1_release(server->connector);
	v1_release(server->endpoint);
	cr_assert_eq(INDAdapter_CreateCompletionQueue(server->adapter, 2, &cq), ND_SUCCESS);
	server->in = cq;
	v1_connect(&pair);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_eq(v1_receive(server, &taken[i], 0, 8), ND_SUCCESS);
	cr_assert_eq(INDCompletionQueue_Notify(cq, ND_CQ_NOTIFY_ERRORS, &notify[0]), ND_PENDING);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_eq(v1_send(client, &received[i], 0, 8, 0), ND_SUCCESS);
	cr_assert_eq(v1_poll(cq, &notify[0]), ND_BUFFER_OVERFLOW);
	for (unsigned int i = 0; i < 4; i++)
		v1_take(client->out);
	v1_over(&pair);
	while (INDCompletionQueue_GetResults(cq, &got, 1) != 0)
		continue;
	cr_assert_eq(v1_finish(cq, INDCompletionQueue_Notify(cq, ND_CQ_NOTIFY_ANY, &notify[1]),
			     &notify[1]),
		ND_BUFFER_OVERFLOW);
	v1_quiet(cq);
	v1_release(server->endpoint);
	server->endpoint = NULL;
	v1_release(cq);
	server->in = in;
}

Test(spi_v1_cq, nd_142_last_release_cancels_notifications)
{
	INDCompletionQueue *cq = NULL;

	cr_assert_eq(INDAdapter_CreateCompletionQueue(server->adapter, 8, &cq), ND_SUCCESS);
	cr_assert_eq(INDCompletionQueue_Notify(cq, ND_CQ_NOTIFY_ANY, &notify[0]), ND_PENDING);
	v1_release(cq);
	/* Every overlapped object returns the result. */
	cr_assert_eq(INDAdapter_GetOverlappedResult(server->adapter, &notify[0], NULL, FALSE),
		ND_CANCELED);
}

Test(spi_v1_cq, nd_143_resize_loses_nothing)
{
	for (unsigned int i = 0; i < 3; i++)
		message(0);
	cr_assert_eq(INDCompletionQueue_Resize(server->in, 2), ND_BUFFER_OVERFLOW);
	cr_assert_eq(INDCompletionQueue_Resize(server->in, 3), ND_SUCCESS);
	cr_assert_eq(INDCompletionQueue_Resize(server->in, 1000), ND_SUCCESS);
	message(0);
	for (unsigned int i = 0; i < 4; i++)
		v1_done(server->in, &received[i]);
	cr_assert_eq(INDCompletionQueue_Resize(server->in, 0), ND_INVALID_PARAMETER);
}

Test(spi_v1_cq, nd_145_cancel_is_of_one_queue)
{
	arm(0, ND_CQ_NOTIFY_ANY);
	cr_assert_eq(
		INDCompletionQueue_Notify(server->out, ND_CQ_NOTIFY_ANY, &notify[1]), ND_PENDING);
	cr_assert_eq(INDCompletionQueue_CancelOverlappedRequests(server->out), ND_SUCCESS);
	cr_assert_eq(v1_poll(server->out, &notify[1]), ND_CANCELED);
	cr_assert(is_pending(0));
	message(0);
	cr_assert_eq(notified(0), ND_SUCCESS);
}

/** @return the next packet of a completion port, which must already be queued */
static OVERLAPPED *
packet(HANDLE port)
{
	OVERLAPPED *got = NULL;
	ULONG_PTR key;
	DWORD bytes;

	cr_assert_eq(GetQueuedCompletionStatus(port, &bytes, &key, &got, 0), FALSE);
	return got;
}

Test(spi_v1_cq, nd_146_cancellation_is_in_the_port_when_cancel_returns)
{
	HANDLE port = CreateIoCompletionPort(INDAdapter_GetFileHandle(server->adapter), NULL, 1, 0);

	arm(0, ND_CQ_NOTIFY_ANY);
	cr_assert_null(packet(port));
	cr_assert_eq(INDCompletionQueue_CancelOverlappedRequests(server->in), ND_SUCCESS);
	cr_assert_eq(packet(port), &notify[0]);
	cr_assert_null(packet(port));
	CloseHandle(port);
}

Test(spi_v1_cq, nd_147_cancellations_are_reported_in_order)
{
	HANDLE port = CreateIoCompletionPort(INDAdapter_GetFileHandle(server->adapter), NULL, 1, 0);

	arm(0, ND_CQ_NOTIFY_ANY);
	arm(1, ND_CQ_NOTIFY_ANY);
	cr_assert_eq(
		INDCompletionQueue_Notify(server->out, ND_CQ_NOTIFY_ANY, &notify[2]), ND_PENDING);
	cr_assert_eq(INDCompletionQueue_CancelOverlappedRequests(server->out), ND_SUCCESS);
	cr_assert_eq(INDCompletionQueue_CancelOverlappedRequests(server->in), ND_SUCCESS);
	cr_assert_eq(packet(port), &notify[2]);
	cr_assert_eq(packet(port), &notify[0]);
	cr_assert_eq(packet(port), &notify[1]);
	CloseHandle(port);
}

Test(spi_v1_cq, nd_148_request_and_cancel_again_and_again)
{
	HANDLE port = CreateIoCompletionPort(INDAdapter_GetFileHandle(server->adapter), NULL, 1, 0);

	for (unsigned int i = 0; i < 1000; i++) {
		arm(i % 4, ND_CQ_NOTIFY_ANY);
		cr_assert_eq(INDCompletionQueue_CancelOverlappedRequests(server->in), ND_SUCCESS);
		cr_assert_eq(packet(port), &notify[i % 4]);
		cr_assert_eq(INDCompletionQueue_GetOverlappedResult(
				     server->in, &notify[i % 4], NULL, FALSE),
			ND_CANCELED);
	}
	CloseHandle(port);
}
