/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md) about posting requests, results and Flush,
 * version 1 of the SPI.
 */

#include <endian.h>
#include <string.h>

#include "v1_pair.h"

static struct v1_side *const client = &v1.side[0], *const server = &v1.side[1];

/** Open and connect with few RNR retries, so that a Send without a receive soon fails. */
static void
setup_impatient(void)
{
	v1_open_with(&v1, "rnr_retry_count = 1; rnr_timer = 1; retry_count = 1; ack_timeout = 10");
	v1_connect(&v1);
}

TestSuite(spi_v1_request, .init = v1_setup, .fini = v1_teardown);
TestSuite(spi_v1_impatient, .init = setup_impatient, .fini = v1_teardown);

Test(spi_v1_request, nd_093_refused_request_has_no_result)
{
	ND_SGE sge[5];
	ND_RESULT result = {.Status = 77};

	for (unsigned int i = 0; i < 5; i++)
		sge[i] = v1_sge(client, 0, 8);
	cr_assert_eq(INDEndpoint_Send(client->endpoint, &result, sge, 5, 0), ND_DATA_OVERRUN);
	cr_assert_eq(v1_send(client, &result, 0, 8, 0x1000), ND_INVALID_PARAMETER_4);
	cr_assert_eq(INDEndpoint_Read(client->endpoint, &result, sge, 1, NULL, 0, 0),
		ND_INVALID_PARAMETER_4);
	v1_quiet(client->out);
	cr_assert_eq(result.Status, 77);
	v1_alive(&v1);
}

Test(spi_v1_request, nd_094_one_result_for_each_request)
{
	ND_RESULT sent[3], received[3];

	for (unsigned int i = 0; i < 3; i++)
		V1_OK(v1_receive(server, &received[i], 0, 8));
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(
			v1_send(client, &sent[i], 0, 8, i == 1 ? ND_OP_FLAG_SILENT_SUCCESS : 0),
			ND_SUCCESS);
	v1_done(client->out, &sent[0]);
	v1_done(client->out, &sent[2]);
	for (unsigned int i = 0; i < 3; i++)
		v1_done(server->in, &received[i]);
	v1_quiet(client->out);
	v1_quiet(server->in);
}

Test(spi_v1_request, nd_095_error_cancels_everything_else)
{
	ND_MW_DESCRIPTOR remote = v1_bound(server, 4096, 64, ND_OP_FLAG_ALLOW_READ);
	ND_RESULT received[2], sent, written, other;

	V1_OK(v1_receive(client, &received[0], 0, 8));
	V1_OK(v1_receive(server, &received[1], 0, 8));
	v1_hold();
	V1_OK(v1_write(client, &written, 0, 64, &remote, 0));
	V1_OK(v1_send(client, &sent, 0, 8, 0));
	V1_OK(v1_read(client, &other, 0, 8, &remote, ND_OP_FLAG_SILENT_SUCCESS));
	v1_let();
	cr_assert_eq(v1_expect(client->out, &written), ND_REMOTE_ERROR);
	cr_assert_eq(v1_expect(client->out, &sent), ND_CANCELED);
	cr_assert_eq((uint32_t)v1_expect(client->out, &other), 0xC0000120u);
	cr_assert_eq(v1_expect(client->in, &received[0]), ND_CANCELED);
	cr_assert_eq(v1_expect(server->in, &received[1]), ND_CANCELED);
	v1_over(&v1);
}

Test(spi_v1_request, nd_096_results_come_in_the_order_of_posting)
{
	ND_MW_DESCRIPTOR remote = v1_bound(server, 4096, 4096, V1_BOTH), own;
	ND_RESULT results[25], received[5];

	for (unsigned int i = 0; i < 5; i++)
		V1_OK(v1_receive(server, &received[i], 0, 2048));
	v1_hold();
	for (unsigned int i = 0; i < 5; i++) {
		V1_OK(v1_read(client, &results[5 * i], 0, 4096, &remote, 0));
		V1_OK(v1_send(client, &results[5 * i + 1], 0, 2048, 0));
		V1_OK(v1_bind(client, &results[5 * i + 2], 0, 64, V1_BOTH, &own));
		V1_OK(INDEndpoint_Invalidate(client->endpoint, &results[5 * i + 3], client->mw, 0));
		V1_OK(v1_write(client, &results[5 * i + 4], 0, 1, &remote, 0));
	}
	v1_let();
	for (unsigned int i = 0; i < 25; i++)
		v1_done(client->out, &results[i]);
	for (unsigned int i = 0; i < 5; i++)
		v1_done(server->in, &received[i]);
}

Test(spi_v1_request, nd_098_list_may_be_reused_after_the_call)
{
	ND_RESULT sent, received;
	ND_SGE sge[2] = {v1_sge(client, 0, 3), v1_sge(client, 100, 4)}, to = v1_sge(server, 0, 16);

	memcpy(client->memory, "abc", 3);
	memcpy(client->memory + 100, "defg", 4);
	v1_hold();
	V1_OK(INDEndpoint_Receive(server->endpoint, &received, &to, 1));
	V1_OK(INDEndpoint_Send(client->endpoint, &sent, sge, 2, 0));
	memset(sge, 0xff, sizeof(sge));
	memset(&to, 0xff, sizeof(to));
	v1_let();
	v1_done(client->out, &sent);
	v1_done(server->in, &received);
	cr_assert_eq(memcmp(server->memory, "abcdefg", 7), 0);
}

Test(spi_v1_request, nd_099_result_is_the_pointer_of_the_request)
{
	ND_RESULT place[3] = {{.Status = 77}, {.Status = 77}, {.Status = 77}}, *got = NULL,
		  received;

	V1_OK(v1_receive(server, &received, 0, 8));
	V1_OK(v1_send(client, &place[1], 0, 5, 0));
	got = v1_take(client->out);
	cr_assert_eq(got, &place[1]);
	cr_assert_eq(got->Status, ND_SUCCESS);
	cr_assert_eq(got->BytesTransferred, 5);
	cr_assert_eq(place[0].Status, 77);
	cr_assert_eq(place[2].Status, 77);
	v1_done(server->in, &received);
}

Test(spi_v1_request, nd_100_bytes_of_results)
{
	ND_MW_DESCRIPTOR remote = v1_bound(server, 4096, 4096, V1_BOTH);
	ND_SGE sge[2] = {v1_sge(client, 0, 10), v1_sge(client, 50, 20)};
	ND_RESULT sent, received, read, written;

	V1_OK(v1_receive(server, &received, 0, 100));
	V1_OK(INDEndpoint_Send(client->endpoint, &sent, sge, 2, 0));
	V1_OK(INDEndpoint_Read(client->endpoint, &read, sge, 2, &remote, 7, 0));
	V1_OK(INDEndpoint_Write(client->endpoint, &written, sge, 2, &remote, 9, 0));
	v1_done(client->out, &sent);
	v1_done(client->out, &read);
	v1_done(client->out, &written);
	v1_done(server->in, &received);
	cr_assert_eq(sent.BytesTransferred, 30);
	cr_assert_eq(read.BytesTransferred, 30);
	cr_assert_eq(written.BytesTransferred, 30);
	cr_assert_eq(received.BytesTransferred, 30);
}

Test(spi_v1_request, nd_102_message_without_bytes)
{
	ND_RESULT sent, received = {.BytesTransferred = 99};

	V1_OK(INDEndpoint_Receive(server->endpoint, &received, NULL, 0));
	V1_OK(INDEndpoint_Send(client->endpoint, &sent, NULL, 0, 0));
	v1_done(client->out, &sent);
	v1_done(server->in, &received);
	cr_assert_eq(received.BytesTransferred, 0);
}

Test(spi_v1_impatient, nd_103_read_without_bytes_tells_whether_the_peer_lives)
{
	ND_MW_DESCRIPTOR remote = v1_bound(server, 4096, 64, V1_BOTH);
	ND_RESULT read;

	V1_OK(INDEndpoint_Read(client->endpoint, &read, NULL, 0, &remote, 0, 0));
	v1_done(client->out, &read);
	/* The port of the peer is unplugged, so the peer does not reply. */
	v1_unplug(1);
	V1_OK(INDEndpoint_Read(client->endpoint, &read, NULL, 0, &remote, 0, 0));
	cr_assert_eq(v1_expect(client->out, &read), ND_TIMEOUT);
}

Test(spi_v1_request, nd_104_receive_before_the_connection)
{
	OVERLAPPED connect = {0}, accept = {0};
	ND_RESULT received, sent;

	v1_request(&v1, &connect);
	V1_OK(v1_receive(server, &received, 64, 8));
	cr_assert_eq(v1_accept_call(&v1, &accept), ND_PENDING);
	v1_complete(&v1, &connect, &accept);
	memcpy(client->memory, "first", 6);
	V1_OK(v1_send(client, &sent, 0, 6, 0));
	v1_done(client->out, &sent);
	v1_done(server->in, &received);
	cr_assert_str_eq((char *)server->memory + 64, "first");
}

Test(spi_v1_request, nd_105_too_many_entries)
{
	ND_MW_DESCRIPTOR remote = v1_bound(server, 4096, 64, V1_BOTH);
	ND_RESULT result;
	ND_SGE sge[5];

	for (unsigned int i = 0; i < 5; i++)
		sge[i] = v1_sge(client, i, 1);
	cr_assert_eq(INDEndpoint_Send(client->endpoint, &result, sge, 5, 0), ND_DATA_OVERRUN);
	cr_assert_eq(INDEndpoint_Receive(client->endpoint, &result, sge, 5), ND_DATA_OVERRUN);
	cr_assert_eq(INDEndpoint_Read(client->endpoint, &result, sge, 5, &remote, 0, 0),
		ND_DATA_OVERRUN);
	cr_assert_eq(INDEndpoint_Write(client->endpoint, &result, sge, 5, &remote, 0, 0),
		ND_DATA_OVERRUN);
	cr_assert_eq(INDEndpoint_SendAndInvalidate(client->endpoint, &result, sge, 5, &remote, 0),
		ND_DATA_OVERRUN);
	V1_OK(INDEndpoint_Write(client->endpoint, &result, sge, 4, &remote, 0, 0));
	v1_done(client->out, &result);
}

Test(spi_v1_request, nd_106_too_many_bytes)
{
	ND_MW_DESCRIPTOR remote = v1_bound(server, 4096, 64, V1_BOTH);
	ND_RESULT result;
	ND_SGE sge = v1_sge(client, 0, (SIZE_T)1 << 33);

	cr_assert_eq(INDEndpoint_Send(client->endpoint, &result, &sge, 1, 0), ND_BUFFER_OVERFLOW);
	cr_assert_eq(INDEndpoint_Write(client->endpoint, &result, &sge, 1, &remote, 0, 0),
		ND_BUFFER_OVERFLOW);
	/* Enlarge the window in the descriptor, so that only the length of the Read is wrong. */
	remote.Length = htobe64((uint64_t)1 << 40);
	cr_assert_eq(INDEndpoint_Read(client->endpoint, &result, &sge, 1, &remote, 0, 0),
		ND_BUFFER_OVERFLOW);
	v1_quiet(client->out);
	v1_alive(&v1);
}

Test(spi_v1_request, nd_107_unknown_flags)
{
	ND_MW_DESCRIPTOR remote = v1_bound(server, 4096, 64, V1_BOTH);
	ND_RESULT result;

	for (DWORD flag = 0x20; flag != 0; flag <<= 1) {
		cr_assert_eq(v1_send(client, &result, 0, 8, flag), ND_INVALID_PARAMETER_4);
		cr_assert_eq(
			v1_write(client, &result, 0, 8, &remote, flag), ND_INVALID_PARAMETER_6);
	}
	v1_quiet(client->out);
}

Test(spi_v1_request, nd_109_inline_data)
{
	uint8_t bytes[1024];
	ND_RESULT sent, received;
	ND_SGE sge[2] = {{bytes, 100, NULL}, {bytes + 100, 28, NULL}};
	ND_ADAPTER_INFO info;
	SIZE_T size = sizeof(info);

	V1_OK(INDAdapter_Query(client->adapter, 1, &info, &size));
	cr_assert_lt(info.MaxInlineData, sizeof(bytes));
	memset(bytes, 'i', sizeof(bytes));
	V1_OK(v1_receive(server, &received, 0, 1024));
	v1_hold();
	V1_OK(INDEndpoint_Send(client->endpoint, &sent, sge, 2, 0));
	memset(bytes, 'x', sizeof(bytes));
	v1_let();
	v1_done(client->out, &sent);
	v1_done(server->in, &received);
	cr_assert_eq(received.BytesTransferred, 128);
	cr_assert_eq(server->memory[0], 'i');
	cr_assert_eq(server->memory[127], 'i');
	V1_OK(v1_receive(server, &received, 0, 1024));
	sge[0].Length = info.MaxInlineData;
	V1_OK(INDEndpoint_Send(client->endpoint, &sent, sge, 1, 0));
	v1_done(client->out, &sent);
	v1_done(server->in, &received);
	sge[0].Length++;
	cr_assert_eq(INDEndpoint_Send(client->endpoint, &sent, sge, 1, 0), ND_BUFFER_OVERFLOW);
	cr_assert_eq(INDEndpoint_Receive(client->endpoint, &sent, sge, 1), ND_ACCESS_VIOLATION);
	/* The second SGE is invalid. The whole list is checked before the request is posted. */
	sge[0] = v1_sge(client, 0, 8);
	cr_assert_eq(INDEndpoint_Send(client->endpoint, &sent, sge, 2, 0), ND_ACCESS_VIOLATION);
	v1_quiet(client->out);
	v1_alive(&v1);
}

/**
 * Post a Read and then a Send. The response to the Read is delayed.
 * @return whether the message arrived before the Read completed
 */
static bool
sent_before_the_read(DWORD flags)
{
	ND_MW_DESCRIPTOR remote = v1_bound(server, 0, 64, V1_BOTH);
	ND_RESULT read, sent, received;
	bool arrived;

	memset(server->memory + 256, 0, 8);
	memset(client->memory + 256, 0x5a, 8);
	V1_OK(v1_receive(server, &received, 256, 8));
	v1_hold();
	V1_OK(v1_read(client, &read, 1024, 64, &remote, 0));
	V1_OK(v1_send(client, &sent, 256, 8, flags));
	v1_turn(0);
	/* Poll only the server. The client does not process the server's replies yet. */
	v1_turns(1);
	arrived = server->memory[256] == 0x5a;
	v1_let();
	v1_done(client->out, &read);
	v1_done(client->out, &sent);
	v1_done(server->in, &received);
	v1_invalidated(server);
	return arrived;
}

Test(spi_v1_request, nd_110_fenced_send_leaves_after_earlier_reads)
{
	cr_assert(sent_before_the_read(0));
	cr_assert_not(sent_before_the_read(ND_OP_FLAG_READ_FENCE));
}

Test(spi_v1_request, nd_111_fence_without_reads)
{
	ND_RESULT sent, received;

	V1_OK(v1_receive(server, &received, 256, 8));
	memset(client->memory, 0x5a, 8);
	v1_hold();
	V1_OK(v1_send(client, &sent, 0, 8, ND_OP_FLAG_READ_FENCE));
	v1_turn(0);
	v1_turns(1);
	cr_assert_eq(server->memory[256], 0x5a);
	v1_let();
	v1_done(client->out, &sent);
	v1_done(server->in, &received);
}

Test(spi_v1_request, nd_112_entry_outside_of_its_registration)
{
	ND_RESULT sent, received;

	V1_OK(v1_receive(server, &received, 0, 8));
	V1_OK(v1_send(client, &sent, V1_BYTES - 7, 8, 0));
	cr_assert_eq(v1_expect(client->out, &sent), ND_ACCESS_VIOLATION);
	cr_assert_eq(v1_expect(server->in, &received), ND_CANCELED);
	v1_over(&v1);
	v1_reconnect(&v1);
	/* Send from memory that was deregistered. */
	V1_OK(v1_deregister(client, client->mr));
	V1_OK(v1_receive(server, &received, 0, 8));
	V1_OK(v1_send(client, &sent, 0, 8, 0));
	cr_assert_eq(v1_expect(client->out, &sent), ND_ACCESS_VIOLATION);
	cr_assert_eq(v1_expect(server->in, &received), ND_CANCELED);
	v1_over(&v1);
}

Test(spi_v1_request, nd_113_entry_one_byte_too_long_in_read_and_write)
{
	ND_MW_DESCRIPTOR remote = v1_bound(server, 0, 4096, V1_BOTH);

	for (unsigned int i = 0; i < 2; i++) {
		ND_RESULT result;

		cr_assert_eq((i == 0 ? v1_read : v1_write)(
				     client, &result, V1_BYTES - 63, 64, &remote, 0),
			ND_SUCCESS);
		cr_assert_eq(v1_expect(client->out, &result), ND_ACCESS_VIOLATION);
		v1_over(&v1);
		v1_reconnect(&v1);
		remote = v1_bound(server, 0, 4096, V1_BOTH);
	}
}

Test(spi_v1_request, nd_116_access_that_the_peer_refuses)
{
	ND_MW_DESCRIPTOR remote = v1_bound(server, 4096, 64, ND_OP_FLAG_ALLOW_READ);
	ND_RESULT written, received;
	ND_SGE sge = v1_sge(client, 0, 65);

	V1_OK(v1_receive(server, &received, 0, 8));
	/* A Read beyond the end of the window is refused when it is posted. */
	cr_assert_eq(INDEndpoint_Read(client->endpoint, &written, &sge, 1, &remote, 0, 0),
		ND_REMOTE_ERROR);
	v1_quiet(client->out);
	V1_OK(v1_write(client, &written, 0, 64, &remote, 0));
	cr_assert_eq((uint32_t)v1_expect(client->out, &written), 0xC000013Du);
	cr_assert_eq(v1_expect(server->in, &received), ND_CANCELED);
	v1_over(&v1);
	v1_reconnect(&v1);
	remote = v1_bound(server, 4096, 64, V1_BOTH);
	V1_OK(INDEndpoint_Write(client->endpoint, &written, &sge, 1, &remote, 0, 0));
	cr_assert_eq(v1_expect(client->out, &written), ND_REMOTE_ERROR);
}

/* In version 1 the receive ends with ND_BUFFER_OVERFLOW, and the send with ND_REMOTE_ERROR. */
Test(spi_v1_request, nd_117_message_longer_than_its_receive)
{
	ND_RESULT sent, received;

	V1_OK(v1_receive(server, &received, 0, 1023));
	V1_OK(v1_send(client, &sent, 0, 1024, 0));
	cr_assert_eq(v1_expect(server->in, &received), ND_BUFFER_OVERFLOW);
	cr_assert_eq(v1_expect(client->out, &sent), ND_REMOTE_ERROR);
	v1_over(&v1);
}

Test(spi_v1_impatient, nd_119_send_without_a_receive_times_out)
{
	ND_RESULT sent;

	V1_OK(v1_send(client, &sent, 0, 8, 0));
	cr_assert_eq((uint32_t)v1_expect(client->out, &sent), 0x102u);
	v1_quiet(server->in);
}

Test(spi_v1_request, nd_120_batches_change_no_results)
{
	ND_RESULT sent[8], received[8];

	for (unsigned int i = 0; i < 8; i++)
		V1_OK(v1_receive(server, &received[i], 8 * i, 8));
	for (unsigned int i = 0; i < 8; i++) {
		if (i % 4 == 0)
			INDEndpoint_StartRequestBatch(client->endpoint);
		client->memory[i] = (uint8_t)(i + 1);
		V1_OK(v1_send(client, &sent[i], i, 1, 0));
		if (i % 4 == 3)
			INDEndpoint_SubmitRequestBatch(client->endpoint);
	}
	for (unsigned int i = 0; i < 8; i++) {
		v1_done(client->out, &sent[i]);
		v1_done(server->in, &received[i]);
		cr_assert_eq(server->memory[8 * i], i + 1);
	}
	INDEndpoint_SubmitRequestBatch(client->endpoint);
	v1_alive(&v1);
}

Test(spi_v1_request, nd_122_flush_cancels_both_directions)
{
	ND_RESULT received[2], sent;

	V1_OK(v1_receive(client, &received[0], 0, 8));
	V1_OK(v1_receive(client, &received[1], 0, 8));
	V1_OK(v1_send(client, &sent, 0, 8, 0));
	V1_OK(INDEndpoint_Flush(client->endpoint));
	cr_assert_eq(v1_expect(client->in, &received[0]), ND_CANCELED);
	cr_assert_eq(v1_expect(client->in, &received[1]), ND_CANCELED);
	cr_assert_eq(v1_expect(client->out, &sent), ND_CANCELED);
}

Test(spi_v1_request, nd_123_flush_leaves_other_endpoints_alone)
{
	struct v1_pair other = v1;
	ND_RESULT received[2];

	v1_connect(&other);
	V1_OK(v1_receive(client, &received[0], 0, 8));
	V1_OK(v1_receive(&other.side[0], &received[1], 0, 8));
	V1_OK(INDEndpoint_Flush(other.side[0].endpoint));
	cr_assert_eq(v1_expect(client->in, &received[1]), ND_CANCELED);
	v1_quiet(client->in);
	for (unsigned int i = 0; i < 2; i++) {
		v1_release(other.side[i].endpoint);
		v1_release(other.side[i].connector);
	}
	/*
	 * Send a message for received[0], because its receive would take the first message of
	 * v1_alive().
	 */
	V1_OK(INDEndpoint_Send(server->endpoint, &received[1], NULL, 0, 0));
	v1_done(client->in, &received[0]);
	v1_done(server->out, &received[1]);
	v1_alive(&v1);
}

Test(spi_v1_request, nd_124_flush_of_an_endpoint_that_was_never_connected)
{
	INDEndpoint *endpoint = v1_endpoint(client, v1_connector(client), &v1_limits);
	ND_RESULT received[2], *got[2];
	OVERLAPPED notify = {0};

	V1_OK(INDEndpoint_Receive(endpoint, &received[0], NULL, 0));
	V1_OK(INDEndpoint_Receive(endpoint, &received[1], NULL, 0));
	v1_notify(client->in, ND_CQ_NOTIFY_ANY, &notify);
	V1_OK(INDEndpoint_Flush(endpoint));
	V1_OK(v1_finish(client->in, ND_PENDING, &notify));
	cr_assert_eq(INDCompletionQueue_GetResults(client->in, got, 2), 2);
	for (unsigned int i = 0; i < 2; i++) {
		cr_assert_eq(got[i], &received[i]);
		cr_assert_eq(got[i]->Status, ND_CANCELED);
	}
}

Test(spi_v1_request, nd_125_flushed_endpoint_does_not_return_to_service)
{
	ND_RESULT result;

	V1_OK(INDEndpoint_Flush(client->endpoint));
	cr_assert_eq(v1_send(client, &result, 0, 8, 0), ND_CONNECTION_INVALID);
	if (v1_receive(client, &result, 0, 8) == ND_SUCCESS)
		cr_assert_eq(v1_expect(client->in, &result), ND_CANCELED);
	v1_quiet(client->out);
}
