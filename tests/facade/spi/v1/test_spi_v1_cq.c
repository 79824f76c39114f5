/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md) about completion queues and their
 * notifications, version 1 of the SPI.
 */

#include <string.h>

#include "v1_pair.h"

#define CQ_SUITE spi_v1_cq
#include "../cq_statements.h"

static struct v1_side *const client = &v1.side[0], *const server = &v1.side[1];
static ND_RESULT sent, received[8];
static unsigned int posted, taken_count;

TestSuite(spi_v1_cq, .init = v1_setup, .fini = v1_teardown);

static INDCompletionQueue *
queue_of(unsigned int queue)
{
	return queue == 0 ? server->in : server->out;
}

static void
arm(unsigned int queue, ULONG type, OVERLAPPED *overlapped)
{
	memset(overlapped, 0, sizeof(*overlapped));
	v1_notify(queue_of(queue), type, overlapped);
}

static HRESULT
status_of(OVERLAPPED *overlapped)
{
	return INDCompletionQueue_GetOverlappedResult(server->in, overlapped, NULL, FALSE);
}

static void
must_be(OVERLAPPED *overlapped, bool complete)
{
	if (complete)
		V1_OK(v1_poll(server->in, overlapped));
	else
		v1_pending(server->in, overlapped);
}

static HRESULT
cancel(unsigned int queue)
{
	return INDCompletionQueue_CancelOverlappedRequests(queue_of(queue));
}

static HRESULT
resize(ULONG depth)
{
	return INDCompletionQueue_Resize(server->in, depth);
}

/** Post a receive of the server, and a message from the client to it. */
static void
message_post(size_t room, ULONG flags)
{
	V1_OK(v1_receive(server, &received[posted++ % 8], 0, room));
	V1_OK(v1_send(client, &sent, 0, 8, flags));
}

static void
message(ULONG flags)
{
	message_post(8, flags);
	v1_done(client->out, &sent);
}

static HRESULT
receive_status(void)
{
	return v1_expect(server->in, &received[taken_count++ % 8]);
}

static void
receive_canceled(void)
{
	V1_OK(v1_receive(server, &received[posted++ % 8], 0, 8));
	v1_disconnect(&v1);
}

static void
receive_short(void)
{
	message_post(4, 0);
}

static void
quiet(bool receiver)
{
	v1_quiet(receiver ? server->in : client->in);
}

static HANDLE
queue_file(void)
{
	return INDAdapter_GetFileHandle(server->adapter);
}

Test(spi_v1_cq, nd_127_get_results_does_not_block)
{
	ND_RESULT *got[4];

	cr_assert_eq(INDCompletionQueue_GetResults(server->in, got, 4), 0);
	for (unsigned int i = 0; i < 3; i++)
		message(0);
	cr_assert_eq(INDCompletionQueue_GetResults(server->in, got, 0), 0);
	take(1);
	cr_assert_eq(INDCompletionQueue_GetResults(server->in, got, 1), 1);
	cr_assert_eq(got[0], &received[1]);
	v1_done(server->in, &received[2]);
	cr_assert_eq(INDCompletionQueue_GetResults(server->in, got, 4), 0);
}

Test(spi_v1_cq, nd_129_any_completes_on_the_next_result)
{
	OVERLAPPED any;

	arm(0, ND_CQ_NOTIFY_ANY, &any);
	must_be(&any, false);
	message(0);
	must_be(&any, true);
	take(1);
	/* Results in an outbound queue also complete the notification. */
	v1_notify(client->out, ND_CQ_NOTIFY_ANY, &any);
	message_post(8, 0);
	V1_OK(v1_poll(client->out, &any));
	v1_done(client->out, &sent);
}

Test(spi_v1_cq, nd_130_solicited_completes_on_a_solicited_receive)
{
	OVERLAPPED solicited;
	ND_RESULT *got;

	arm(0, ND_CQ_NOTIFY_SOLICITED, &solicited);
	message_post(8, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	must_be(&solicited, true);
	cr_assert_eq(INDCompletionQueue_GetResults(server->in, &got, 1), 1);
	cr_assert_eq(got, &received[0]);
	v1_done(client->out, &sent);
}

Test(spi_v1_cq, nd_131_solicited_does_not_complete_otherwise)
{
	OVERLAPPED solicited, outbound = {0};

	arm(0, ND_CQ_NOTIFY_SOLICITED, &solicited);
	v1_notify(client->out, ND_CQ_NOTIFY_SOLICITED, &outbound);
	message(0);
	must_be(&solicited, false);
	v1_pending(client->out, &outbound);
	message_post(8, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	must_be(&solicited, true);
	v1_pending(client->out, &outbound);
}

Test(spi_v1_cq, nd_141_overrun_is_told_and_ends_the_queue)
{
	INDCompletionQueue *cq = v1_cq(server, 2);
	ND_RESULT receives[4], sends[4], *got;
	OVERLAPPED notify = {0}, late = {0};

	server->in = cq;
	v1_connect(&v1);
	for (unsigned int i = 0; i < 4; i++)
		V1_OK(v1_receive(server, &receives[i], 0, 8));
	v1_notify(cq, ND_CQ_NOTIFY_ERRORS, &notify);
	for (unsigned int i = 0; i < 4; i++)
		V1_OK(v1_send(client, &sends[i], 0, 8, 0));
	cr_assert_eq(v1_poll(cq, &notify), ND_BUFFER_OVERFLOW);
	for (unsigned int i = 0; i < 4; i++)
		v1_take(client->out);
	v1_over(&v1);
	while (INDCompletionQueue_GetResults(cq, &got, 1) != 0)
		continue;
	cr_assert_eq(v1_finish(cq, INDCompletionQueue_Notify(cq, ND_CQ_NOTIFY_ANY, &late), &late),
		ND_BUFFER_OVERFLOW);
	v1_quiet(cq);
}

Test(spi_v1_cq, nd_142_last_release_cancels_notifications)
{
	INDCompletionQueue *cq = v1_cq(server, 8);
	OVERLAPPED notify = {0};

	v1_notify(cq, ND_CQ_NOTIFY_ANY, &notify);
	v1_release(cq);
	/* The queue is released, so ask another object for the status of the queue's operation. */
	cr_assert_eq(
		INDAdapter_GetOverlappedResult(server->adapter, &notify, NULL, FALSE), ND_CANCELED);
}
