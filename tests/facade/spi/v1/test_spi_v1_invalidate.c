/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md) about Invalidate and SendAndInvalidate,
 * version 1 of the SPI.
 */

#include <stdlib.h>
#include <string.h>

#include "v1_pair.h"

static struct v1_side *const peer = &v1.side[0], *const owner = &v1.side[1];

TestSuite(spi_v1_invalidate, .init = v1_setup, .fini = v1_teardown);

static HRESULT
invalidate(ND_RESULT *result, DWORD flags)
{
	return INDEndpoint_Invalidate(owner->endpoint, result, owner->mw, flags);
}

static HRESULT
send_and_invalidate(ND_RESULT *result, const ND_MW_DESCRIPTOR *remote, DWORD flags)
{
	return INDEndpoint_SendAndInvalidate(peer->endpoint, result, NULL, 0, remote, flags);
}

/** Let the peer invalidate the window by a message. The owner must have posted a receive. */
static void
peer_invalidates(const ND_MW_DESCRIPTOR *remote, ND_RESULT *received)
{
	ND_RESULT sent;

	V1_OK(send_and_invalidate(&sent, remote, 0));
	v1_done(peer->out, &sent);
	v1_done(owner->in, &owner->invalidated);
	v1_done(owner->in, received);
}

Test(spi_v1_invalidate, nd_043_unconnected_endpoint_does_not_invalidate)
{
	INDEndpoint *endpoint = v1_endpoint(owner, v1_connector(owner), &v1_limits);
	ND_RESULT result;

	cr_assert_eq(
		INDEndpoint_Invalidate(endpoint, &result, owner->mw, 0), ND_CONNECTION_INVALID);
	v1_disconnect(&v1);
	cr_assert_eq(INDEndpoint_Invalidate(peer->endpoint, &result, peer->mw, 0),
		ND_CONNECTION_INVALID);
	v1_quiet(owner->out);
	v1_quiet(peer->out);
}

static ND_MW_DESCRIPTOR bound;

/** A function of type v1_post that invalidates the window that was bound last. */
static HRESULT
invalidate_post(ND_RESULT *result, DWORD flags, ND_MW_DESCRIPTOR *remote)
{
	*remote = bound;
	return invalidate(result, flags);
}

Test(spi_v1_invalidate, nd_044_full_queue_does_not_invalidate)
{
	bound = v1_bound(owner, 4096, 64, V1_BOTH);
	v1_full(&v1, invalidate_post);
	v1_expect_write(&v1, &bound, 4096);
	v1_invalidated(owner);
}

Test(spi_v1_invalidate, nd_045_success_gives_one_result_or_none_when_silent)
{
	ND_MW_DESCRIPTOR remote;
	ND_RESULT result;

	(void)v1_bound(owner, 4096, 64, V1_BOTH);
	v1_invalidated(owner);
	v1_quiet(owner->out);
	remote = v1_bound(owner, 4096, 64, V1_BOTH);
	V1_OK(invalidate(&result, ND_OP_FLAG_SILENT_SUCCESS));
	v1_quiet(owner->out);
	v1_quiet(owner->in);
	v1_refused_write(&v1, &remote);
}

Test(spi_v1_invalidate, nd_046_silent_invalidate_that_fails_gives_a_result)
{
	ND_RESULT result;

	V1_OK(invalidate(&result, ND_OP_FLAG_SILENT_SUCCESS));
	cr_assert_eq(v1_expect(owner->out, &result), ND_INVALIDATION_ERROR);
	v1_over(&v1);
}

Test(spi_v1_invalidate, nd_047_statuses_of_invalidate)
{
	ND_MW_DESCRIPTOR source = v1_bound(peer, 0, 64, V1_BOTH);
	ND_RESULT results[2], read;

	(void)v1_bound(owner, 4096, 64, V1_BOTH);
	v1_invalidated(owner);
	v1_hold();
	V1_OK(v1_read(owner, &read, 1024, 64, &source, 0));
	V1_OK(invalidate(&results[0], ND_OP_FLAG_READ_FENCE));
	V1_OK(invalidate(&results[1], 0));
	v1_let();
	v1_done(owner->out, &read);
	cr_assert_eq(v1_expect(owner->out, &results[0]), ND_INVALIDATION_ERROR);
	cr_assert_eq(v1_expect(owner->out, &results[1]), ND_CANCELED);
}

Test(spi_v1_invalidate, nd_048_transfers_in_progress_fail)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 0, 60000, V1_BOTH);
	ND_RESULT written, result;

	memset(peer->memory, 'x', 60000);
	v1_hold();
	V1_OK(v1_write(peer, &written, 0, 60000, &remote, 0));
	/* Only the first packets of the Write arrive before the window is invalidated. */
	v1_turn(0);
	v1_turn(1);
	cr_assert_eq(owner->memory[0], 'x');
	cr_assert_neq(owner->memory[59999], 'x');
	V1_OK(invalidate(&result, 0));
	v1_let();
	cr_assert_eq(v1_expect(peer->out, &written), ND_REMOTE_ERROR);
	v1_done(owner->out, &result);
	cr_assert_neq(owner->memory[59999], 'x');
	v1_over(&v1);
}

Test(spi_v1_invalidate, nd_049_access_after_the_invalidation_is_fatal)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);

	v1_expect_write(&v1, &remote, 4096);
	v1_invalidated(owner);
	v1_refused_write(&v1, &remote);
	v1_reconnect(&v1);
	remote = v1_bound(owner, 4096, 64, V1_BOTH);
	v1_invalidated(owner);
	v1_refused_read(&v1, &remote);
}

Test(spi_v1_invalidate, nd_050_fenced_invalidate_waits_for_earlier_reads)
{
	HRESULT status;

	bound = v1_bound(owner, 4096, 64, V1_BOTH);
	cr_assert(v1_past_a_read(&v1, invalidate_post, ND_OP_FLAG_READ_FENCE, &status),
		"invalidated although a Read is open");
	cr_assert_eq(status, ND_SUCCESS);
	v1_reconnect(&v1);
	bound = v1_bound(owner, 4096, 64, V1_BOTH);
	cr_assert_not(v1_past_a_read(&v1, invalidate_post, 0, &status),
		"open although nothing was to be waited for");
	cr_assert_eq(status, ND_REMOTE_ERROR);
}

Test(spi_v1_invalidate, nd_051_window_can_be_bound_after_the_result)
{
	for (unsigned int i = 0; i < 20; i++) {
		ND_MW_DESCRIPTOR remote = v1_bound(owner, 64 * i, 64, V1_BOTH);

		v1_expect_write(&v1, &remote, 64 * i);
		v1_invalidated(owner);
	}
}

Test(spi_v1_invalidate, nd_052_window_that_is_not_bound)
{
	ND_RESULT result;

	V1_OK(invalidate(&result, 0));
	cr_assert_eq((uint32_t)v1_expect(owner->out, &result), 0xC0000010u);
	v1_over(&v1);
}

Test(spi_v1_invalidate, nd_053_invalidate_of_a_bound_window_succeeds)
{
	ND_RESULT result = {.Status = ND_FAILURE};

	(void)v1_bound(owner, 0, 64, ND_OP_FLAG_ALLOW_READ);
	V1_OK(invalidate(&result, 0));
	v1_done(owner->out, &result);
}

Test(spi_v1_invalidate, nd_054_owners_receive_does_not_stay_pending)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);
	ND_RESULT received, written;

	v1_invalidated(owner);
	V1_OK(v1_receive(owner, &received, 0, 64));
	V1_OK(v1_write(peer, &written, 0, 64, &remote, 0));
	cr_assert_eq(v1_expect(peer->out, &written), ND_REMOTE_ERROR);
	cr_assert_eq(v1_expect(owner->in, &received), ND_CANCELED);
}

Test(spi_v1_invalidate, nd_055_invalidate_does_not_overtake_a_send)
{
	ND_MW_DESCRIPTOR source = v1_bound(peer, 0, 64, V1_BOTH);
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);
	ND_RESULT read, sent, result, written, received;

	V1_OK(v1_receive(peer, &received, 512, 8));
	memset(peer->memory + 2048, 0x5a, 64);
	v1_hold();
	V1_OK(v1_read(owner, &read, 1024, 64, &source, 0));
	/* The fenced Send waits for the Read. The Invalidate waits only for the Send. */
	V1_OK(v1_send(owner, &sent, 0, 8, ND_OP_FLAG_READ_FENCE));
	V1_OK(invalidate(&result, 0));
	V1_OK(v1_write(peer, &written, 2048, 64, &remote, 0));
	v1_turns(1);
	cr_assert_eq(owner->memory[4096], 0x5a, "invalidated before the Send was executed");
	v1_let();
	v1_done(owner->out, &read);
	v1_done(owner->out, &sent);
	v1_done(owner->out, &result);
	v1_done(peer->out, &written);
	v1_done(peer->in, &received);
}

Test(spi_v1_invalidate, nd_056_invalidate_result_comes_before_the_receives)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);
	ND_RESULT received, sent, *results[4];
	SIZE_T count = 0;

	V1_OK(v1_receive(owner, &received, 0, 8));
	V1_OK(send_and_invalidate(&sent, &remote, 0));
	v1_done(peer->out, &sent);
	while (count < 2)
		count += INDCompletionQueue_GetResults(owner->in, results + count, 4 - count);
	cr_assert_eq(count, 2);
	cr_assert_eq(results[0], &owner->invalidated);
	cr_assert_eq(results[1], &received);
	cr_assert_eq(owner->invalidated.Status, ND_SUCCESS);
	cr_assert_eq(received.Status, ND_SUCCESS);
	cr_assert_eq(received.BytesTransferred, 0);
	v1_quiet(owner->out);
}

Test(spi_v1_invalidate, nd_057_invalidate_result_is_that_of_its_window)
{
	ND_MW_DESCRIPTOR remotes[2];
	ND_RESULT invalidations[2], received[2], sent;

	for (unsigned int i = 0; i < 2; i++) {
		V1_OK(v1_receive(owner, &received[i], 0, 8));
		owner->mw = v1_window(owner, &invalidations[i]);
		remotes[i] = v1_bound(owner, 4096, 64, V1_BOTH);
	}
	for (unsigned int i = 0; i < 2; i++) {
		V1_OK(send_and_invalidate(&sent, &remotes[1 - i], 0));
		v1_done(owner->in, &invalidations[1 - i]);
		v1_done(owner->in, &received[i]);
		v1_done(peer->out, &sent);
	}
}

/*
 * The invalidate result is in memory that is freed after its delivery, so a later access is
 * detected.
 */
Test(spi_v1_invalidate, nd_058_result_memory_may_go_afterwards)
{
	ND_RESULT *result = calloc(1, sizeof(*result)), received, sent, closed;
	ND_MW_DESCRIPTOR remote;

	owner->mw = v1_window(owner, result);
	remote = v1_bound(owner, 4096, 64, V1_BOTH);
	V1_OK(v1_receive(owner, &received, 0, 8));
	V1_OK(send_and_invalidate(&sent, &remote, 0));
	v1_done(peer->out, &sent);
	v1_done(owner->in, result);
	v1_done(owner->in, &received);
	memset(result, 0xa5, sizeof(*result));
	remote = v1_bound(owner, 4096, 64, V1_BOTH);
	v1_expect_write(&v1, &remote, 4096);
	V1_OK(invalidate(&closed, 0));
	v1_done(owner->out, &closed);
	v1_quiet(owner->in);
	cr_assert_eq((uint32_t)result->Status, 0xa5a5a5a5u);
	free(result);
}

Test(spi_v1_invalidate, nd_059_message_waits_for_a_receive)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);
	ND_RESULT received, sent;

	V1_OK(send_and_invalidate(&sent, &remote, 0));
	v1_quiet(owner->in);
	v1_quiet(peer->out);
	V1_OK(v1_receive(owner, &received, 0, 8));
	v1_done(owner->in, &owner->invalidated);
	v1_done(owner->in, &received);
	v1_done(peer->out, &sent);
}

Test(spi_v1_invalidate, nd_060_local_invalidate_after_the_peers_fails)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);
	ND_RESULT received, result;

	V1_OK(v1_receive(owner, &received, 0, 8));
	peer_invalidates(&remote, &received);
	V1_OK(invalidate(&result, 0));
	cr_assert_eq(v1_expect(owner->out, &result), ND_INVALIDATION_ERROR);
	v1_over(&v1);
}

/** Let both sides invalidate the window. The second side begins after some turns. */
static void
race(bool local_first)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);
	ND_RESULT received, sent, local;
	bool peer_won;

	V1_OK(v1_receive(owner, &received, 0, 8));
	v1_hold();
	if (local_first)
		V1_OK(invalidate(&local, 0));
	V1_OK(send_and_invalidate(&sent, &remote, 0));
	if (!local_first) {
		v1_turns(1);
		V1_OK(invalidate(&local, 0));
	}
	v1_let();
	(void)v1_expect(owner->out, &local);
	peer_won = local.Status != ND_SUCCESS;
	cr_assert_eq(peer_won, !local_first);
	if (peer_won) {
		cr_assert_eq(local.Status, ND_INVALIDATION_ERROR);
		v1_done(owner->in, &owner->invalidated);
		v1_done(owner->in, &received);
	} else {
		cr_assert_eq(v1_expect(owner->in, &received), ND_INVALIDATION_ERROR);
	}
	/*
	 * If the peer won, the end of the connection may prevent the acknowledgement of its
	 * message.
	 */
	(void)v1_expect(peer->out, &sent);
	if (!peer_won)
		cr_assert_eq(sent.Status, ND_REMOTE_ERROR);
	v1_over(&v1);
	v1_quiet(owner->in);
}

Test(spi_v1_invalidate, nd_061_one_of_two_invalidations_wins)
{
	race(false);
	v1_reconnect(&v1);
	race(true);
}

Test(spi_v1_invalidate, nd_062_without_the_peers_there_is_no_invalidate_result)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);

	owner->invalidated.Status = ND_FAILURE;
	v1_expect_write(&v1, &remote, 4096);
	v1_alive(&v1);
	v1_invalidated(owner);
	v1_quiet(owner->in);
	v1_quiet(owner->out);
	cr_assert_eq(owner->invalidated.Status, ND_FAILURE);
}

Test(spi_v1_invalidate, nd_063_message_without_bytes)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);
	ND_RESULT received;

	V1_OK(v1_receive(owner, &received, 0, 8));
	peer_invalidates(&remote, &received);
	cr_assert_eq(received.BytesTransferred, 0);
	v1_refused_write(&v1, &remote);
}

Test(spi_v1_invalidate, nd_064_solicited_event)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);
	static OVERLAPPED notify;
	ND_RESULT received, sent;

	V1_OK(v1_receive(owner, &received, 0, 8));
	v1_notify(owner->in, ND_CQ_NOTIFY_SOLICITED, &notify);
	V1_OK(send_and_invalidate(&sent, &remote, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT));
	V1_OK(v1_finish(owner->in, ND_PENDING, &notify));
	v1_done(owner->in, &owner->invalidated);
	v1_done(owner->in, &received);
	v1_done(peer->out, &sent);
	/* The message has two results, but completes only one SOLICITED notification. */
	v1_notify(owner->in, ND_CQ_NOTIFY_SOLICITED, &notify);
	v1_pending(owner->in, &notify);
}

Test(spi_v1_invalidate, nd_065_token_that_is_not_bound_ends_the_connection)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH);
	ND_RESULT received, sent;

	remote.Token ^= 0x01000000;
	V1_OK(v1_receive(owner, &received, 0, 8));
	V1_OK(send_and_invalidate(&sent, &remote, 0));
	cr_assert_eq(v1_expect(owner->in, &received), ND_INVALIDATION_ERROR);
	cr_assert_eq(v1_expect(peer->out, &sent), ND_REMOTE_ERROR);
	v1_over(&v1);
}

Test(spi_v1_invalidate, nd_068_only_the_token_decides)
{
	ND_MW_DESCRIPTOR remote = v1_bound(owner, 4096, 64, V1_BOTH), odd = {0, 0, remote.Token};
	ND_RESULT received;

	V1_OK(v1_receive(owner, &received, 0, 8));
	peer_invalidates(&odd, &received);
	v1_refused_write(&v1, &remote);
}
