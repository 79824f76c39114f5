/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Tests of Network Direct statements (docs/rules.md, section ND F): posting requests, and results
 * of successful requests.
 */

#include <string.h>

#include <rte_common.h>

#include "access.h"
#include "dial.h"

/* Allow so many RNR retries that a request survives a long preemption of this process. */
static void
open_patient(void)
{
	scene_open_as((struct nd_pair_config){.rnr_retry_count = 7, .adapt = dial_tap});
	nd_pair_connect(&scene);
}

TestSuite(nd_request, .init = open_patient, .fini = scene_close);
TestSuite(nd_request_early, .init = scene_open, .fini = scene_close);

static struct nd_sge
part(unsigned int side, size_t offset, size_t length)
{
	return (struct nd_sge){scene.side[side].memory + offset, length, scene.side[side].mr};
}

static void
open_window(struct nd_mw_descriptor *window)
{
	nd_pair_bind(&scene, OWNER, 0, 65536, READ_WRITE, window);
}

Test(nd_request, nd_093_refused_call_leaves_nothing_behind)
{
	struct nd_side *peer = &scene.side[PEER];
	struct nd_sge one = part(PEER, 0, 8), five[5] = {one, one, one, one, one};
	struct nd_mw_descriptor window;
	struct nd_result result;

	open_window(&window);
	ASSERT_ND(nd_endpoint_send(peer->endpoint, NULL, &one, 1, 0), ND_INVALID_PARAMETER_1);
	ASSERT_ND(nd_endpoint_send(peer->endpoint, &result, NULL, 1, 0), ND_INVALID_PARAMETER_2);
	ASSERT_ND(nd_endpoint_send(peer->endpoint, &result, &one, 1, ~0u), ND_INVALID_PARAMETER_4);
	ASSERT_ND(nd_endpoint_read(peer->endpoint, &result, &one, 1, NULL, 0, 0),
		ND_INVALID_PARAMETER_4);
	ASSERT_ND(nd_endpoint_write(peer->endpoint, &result, five, 5, &window, 0, 0),
		ND_DATA_OVERRUN);
	ASSERT_ND(nd_endpoint_receive(peer->endpoint, &result, five, 5), ND_DATA_OVERRUN);
	nd_pair_quiet(&scene, peer->outbound);
	nd_pair_quiet(&scene, peer->inbound);
	access_expect_write(&window, 0, 4096);
	scene_expect_alive();
}

Test(nd_request, nd_094_one_result_for_each_request)
{
	static const uint32_t flags[] = {0, ND_OP_FLAG_SILENT_SUCCESS};
	struct nd_side *peer = &scene.side[PEER];
	struct nd_sge one = part(PEER, 0, 8);
	struct nd_result received[2], sent[3], *got[3];
	struct nd_mw_descriptor window;

	open_window(&window);
	for (unsigned int i = 0; i < 2; i++) {
		scene_receive(OWNER, &received[i]);
		ASSERT_ND(
			nd_endpoint_send(peer->endpoint, &sent[0], &one, 0, flags[i]), ND_SUCCESS);
		ASSERT_ND(nd_endpoint_read(peer->endpoint, &sent[1], &one, 1, &window, 0, flags[i]),
			ND_SUCCESS);
		ASSERT_ND(
			nd_endpoint_write(peer->endpoint, &sent[2], &one, 1, &window, 0, flags[i]),
			ND_SUCCESS);
		ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received[i]),
			ND_SUCCESS);
		if (i == 0)
			nd_pair_take(&scene, peer->outbound, got, 3);
		nd_pair_quiet(&scene, peer->outbound);
	}
	nd_pair_quiet(&scene, scene.side[OWNER].inbound);
	/*
	 * Wait for a later request. Its completion shows that the silent requests have been
	 * executed.
	 */
	ASSERT_ND(scene_write(&window, 0, 8), ND_SUCCESS);
}

Test(nd_request, nd_096_results_come_in_posting_order)
{
	struct nd_side *peer = &scene.side[PEER];
	struct nd_sge large = part(PEER, 0, 20000), small = part(PEER, 0, 8);
	struct nd_result received[4], results[6], invalidated, *got[6];
	struct nd_mw *mw = scene_window(PEER, &invalidated);
	struct nd_mw_descriptor window, own;

	open_window(&window);
	for (unsigned int i = 0; i < 4; i++)
		scene_receive(OWNER, &received[i]);
	/* Alternate long requests with short ones and with requests that send no packet. */
	nd_endpoint_read(peer->endpoint, &results[0], &large, 1, &window, 0, 0);
	nd_endpoint_bind(peer->endpoint, &results[1], peer->mr, mw, peer->memory, 8,
		ND_OP_FLAG_ALLOW_READ, &own);
	nd_endpoint_write(peer->endpoint, &results[2], &small, 1, &window, 0, 0);
	nd_endpoint_invalidate(peer->endpoint, &results[3], mw, 0);
	nd_endpoint_send(peer->endpoint, &results[4], NULL, 0, 0);
	nd_endpoint_send(peer->endpoint, &results[5], NULL, 0, 0);
	nd_pair_take(&scene, peer->outbound, got, 6);
	for (unsigned int i = 0; i < 6; i++) {
		cr_assert_eq(got[i], &results[i], "place %u", i);
		ASSERT_ND(got[i]->status, ND_SUCCESS);
	}
	nd_pair_take(&scene, scene.side[OWNER].inbound, got, 2);
	cr_assert(got[0] == &received[0] && got[1] == &received[1], "receives out of order");
}

Test(nd_request, nd_097_endpoints_and_directions_do_not_wait_for_each_other)
{
	struct nd_result waiting, received, sent;
	struct nd_side first[2];

	/* The owner has no receive for this message, so the peer retransmits the message. */
	scene_send(PEER, &waiting);
	scene_receive(PEER, &received);
	scene_send(OWNER, &sent);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].inbound, &received), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].outbound, &sent), ND_SUCCESS);
	scene_second(first);
	scene_expect_alive();
	ASSERT_ND(nd_endpoint_receive(first[OWNER].endpoint, &received, NULL, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, first[PEER].outbound, &waiting), ND_SUCCESS);
}

Test(nd_request, nd_098_lists_are_copied)
{
	struct nd_sge from[2] = {part(PEER, 0, 100), part(PEER, 1000, 100)},
		      to[2] = {part(OWNER, 0, 100), part(OWNER, 1000, 100)};
	struct nd_result received, sent;

	nd_pair_pattern(scene.side[PEER].memory, 1100, 98);
	ASSERT_ND(nd_endpoint_receive(scene.side[OWNER].endpoint, &received, to, 2), ND_SUCCESS);
	memset(to, 0xFF, sizeof(to));
	nd_endpoint_start_request_batch(scene.side[PEER].endpoint);
	ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent, from, 2, 0), ND_SUCCESS);
	memset(from, 0xFF, sizeof(from));
	nd_endpoint_submit_request_batch(scene.side[PEER].endpoint);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_SUCCESS);
	cr_assert(scene_arrived(0, 100) && received.bytes_transferred == 200);
	cr_assert_arr_eq(scene.side[OWNER].memory + 1000, scene.side[PEER].memory + 1000, 100);
}

/* GetResults returns the pointer that was passed with the request, with all members set. */
Test(nd_request, nd_099_result_is_the_callers_structure)
{
	struct nd_result sent, received, *got;
	struct nd_sge from = part(PEER, 0, 64), to = part(OWNER, 0, 64);

	memset(&sent, 0xA5, sizeof(sent));
	memset(&received, 0xA5, sizeof(received));
	ASSERT_ND(nd_endpoint_receive(scene.side[OWNER].endpoint, &received, &to, 1), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent, &from, 1, 0), ND_SUCCESS);
	nd_pair_take(&scene, scene.side[OWNER].inbound, &got, 1);
	cr_assert_eq(got, &received);
	cr_assert_eq(received.bytes_transferred, 64);
	ASSERT_ND(received.status, ND_SUCCESS);
	nd_pair_take(&scene, scene.side[PEER].outbound, &got, 1);
	cr_assert_eq(got, &sent);
	cr_assert_eq(sent.bytes_transferred, 64);
	ASSERT_ND(sent.status, ND_SUCCESS);
}

/*
 * bytes_transferred of a receive is the length of the message. For other requests it is the sum of
 * the SGE lengths.
 */
Test(nd_request, nd_100_bytes_of_requests_and_receives)
{
	struct nd_side *peer = &scene.side[PEER];
	struct nd_sge list[3] = {part(PEER, 0, 1000), part(PEER, 1000, 0), part(PEER, 1000, 234)};
	struct nd_sge room = part(OWNER, 0, 4096);
	struct nd_mw_descriptor window;
	struct nd_result results[3], received, *got[3];

	open_window(&window);
	ASSERT_ND(nd_endpoint_receive(scene.side[OWNER].endpoint, &received, &room, 1), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(peer->endpoint, &results[0], list, 3, 0), ND_SUCCESS);
	ASSERT_ND(
		nd_endpoint_write(peer->endpoint, &results[1], list, 3, &window, 0, 0), ND_SUCCESS);
	ASSERT_ND(
		nd_endpoint_read(peer->endpoint, &results[2], list, 3, &window, 0, 0), ND_SUCCESS);
	nd_pair_take(&scene, peer->outbound, got, 3);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(got[i]->bytes_transferred, 1234, "request %u", i);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_SUCCESS);
	cr_assert_eq(received.bytes_transferred, 1234);
}

/*
 * Every result has defined contexts, whatever its status is. In this library, the context of a
 * request is the address of its result. This address also identifies the kind of request.
 */
Test(nd_request, nd_101_contexts_are_defined_in_every_result)
{
	struct nd_side *owner = &scene.side[OWNER];
	struct nd_mw_descriptor bad = {0};
	struct nd_result received, sent, refused, flushed[2], *got[2];
	struct nd_sge from = part(OWNER, 0, 64);
	int context;

	nd_endpoint_set_context(owner->endpoint, &context);
	scene_receive(PEER, &received);
	scene_send(OWNER, &sent);
	ASSERT_ND(nd_pair_result(&scene, owner->outbound, &sent), ND_SUCCESS);
	scene_receive(OWNER, &flushed[0]);
	ASSERT_ND(nd_endpoint_write(owner->endpoint, &refused, &from, 1, &bad, 0, 0), ND_SUCCESS);
	scene_send(OWNER, &flushed[1]);
	nd_pair_take(&scene, owner->outbound, got, 2);
	cr_assert(got[0] == &refused && got[1] == &flushed[1]);
	ASSERT_ND(refused.status, ND_REMOTE_ERROR);
	ASSERT_ND(nd_pair_result(&scene, owner->inbound, &flushed[0]), ND_CANCELED);
	cr_assert_eq(sent.endpoint_context, &context);
	cr_assert_eq(refused.endpoint_context, &context);
	cr_assert_eq(flushed[0].endpoint_context, &context);
	cr_assert_eq(flushed[1].endpoint_context, &context);
}

Test(nd_request, nd_102_message_of_no_bytes)
{
	struct nd_sge room = part(OWNER, 0, 64), none = part(PEER, 0, 0);
	struct nd_result received, sent;

	for (unsigned int i = 0; i < 2; i++) {
		memset(&received, 0xA5, sizeof(received));
		ASSERT_ND(nd_endpoint_receive(scene.side[OWNER].endpoint, &received, &room, 1),
			ND_SUCCESS);
		ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent, &none, i, 0),
			ND_SUCCESS);
		ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_SUCCESS);
		ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
		cr_assert_eq(received.bytes_transferred, 0);
	}
}

Test(nd_request, nd_103_read_of_no_bytes_finds_a_dead_peer)
{
	struct nd_endpoint *endpoint = scene.side[PEER].endpoint;
	struct nd_mw_descriptor window;
	struct nd_result read;

	open_window(&window);
	ASSERT_ND(nd_endpoint_read(endpoint, &read, NULL, 0, &window, 0, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &read), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_read(endpoint, &read, NULL, 0, &window, 0, 0), ND_SUCCESS);
	ASSERT_ND(scene_alone(PEER, scene.side[PEER].outbound, &read), ND_IO_TIMEOUT);
}

Test(nd_request_early, nd_104_receives_are_posted_before_the_connection)
{
	struct nd_sge from = part(PEER, 0, 64), to = part(OWNER, 0, 64), back = part(PEER, 64, 64);
	struct nd_overlapped connect = {0}, accept = {0};
	struct nd_result received[2], sent[2];

	nd_pair_pattern(scene.side[PEER].memory, 64, 104);
	nd_pair_endpoint(&scene, PEER);
	ASSERT_ND(
		nd_endpoint_receive(scene.side[PEER].endpoint, &received[0], &back, 1), ND_SUCCESS);
	dial_request(NULL, 0, &connect);
	nd_pair_endpoint(&scene, OWNER);
	ASSERT_ND(
		nd_endpoint_receive(scene.side[OWNER].endpoint, &received[1], &to, 1), ND_SUCCESS);
	ASSERT_ND(nd_connector_accept(scene.side[OWNER].connector, scene.side[OWNER].endpoint, NULL,
			  0, &accept),
		ND_PENDING);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &connect), ND_SUCCESS);
	dial_complete();
	ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent[0], &from, 1, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_finish(&scene, ND_PENDING, &accept), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received[1]), ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(scene.side[OWNER].endpoint, &sent[1], &to, 1, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].inbound, &received[0]), ND_SUCCESS);
	cr_assert_arr_eq(scene.side[PEER].memory + 64, scene.side[PEER].memory, 64);
}

Test(nd_request, nd_105_list_too_long)
{
	struct nd_endpoint *endpoint = scene.side[PEER].endpoint;
	struct nd_mw_descriptor window;
	struct nd_result result;
	struct nd_sge list[17];

	open_window(&window);
	for (unsigned int i = 0; i < 17; i++)
		list[i] = part(PEER, 0, 8);
	for (size_t count = 5; count <= 17; count += 12) {
		ASSERT_ND(nd_endpoint_send(endpoint, &result, list, count, 0), ND_DATA_OVERRUN);
		ASSERT_ND(
			nd_endpoint_send_and_invalidate(endpoint, &result, list, count, &window, 0),
			ND_DATA_OVERRUN);
		ASSERT_ND(nd_endpoint_receive(endpoint, &result, list, count), ND_DATA_OVERRUN);
		ASSERT_ND(nd_endpoint_read(endpoint, &result, list, count, &window, 0, 0),
			ND_DATA_OVERRUN);
		ASSERT_ND(nd_endpoint_write(endpoint, &result, list, count, &window, 0, 0),
			ND_DATA_OVERRUN);
	}
	ASSERT_ND(nd_endpoint_write(endpoint, &result, list, 4, &window, 0, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &result), ND_SUCCESS);
}

Test(nd_request, nd_106_message_too_long)
{
	struct nd_endpoint *endpoint = scene.side[PEER].endpoint;
	struct nd_sge one = part(PEER, 0, scene_limits().max_outbound_length + 1),
		      two[2] = {
			      part(PEER, 0, scene_limits().max_outbound_length), part(PEER, 0, 1)};
	struct nd_mw_descriptor window = {.length = UINT64_MAX};
	struct nd_result result;

	ASSERT_ND(nd_endpoint_send(endpoint, &result, &one, 1, 0), ND_BUFFER_OVERFLOW);
	ASSERT_ND(nd_endpoint_send(endpoint, &result, two, 2, 0), ND_BUFFER_OVERFLOW);
	ASSERT_ND(nd_endpoint_write(endpoint, &result, two, 2, &window, 0, 0), ND_BUFFER_OVERFLOW);
	ASSERT_ND(nd_endpoint_read(endpoint, &result, two, 2, &window, 0, 0), ND_BUFFER_OVERFLOW);
	ASSERT_ND(nd_endpoint_receive(endpoint, &result, two, 2), ND_BUFFER_OVERFLOW);
	scene_expect_alive();
}

Test(nd_request, nd_107_unknown_flags)
{
	struct nd_endpoint *endpoint = scene.side[PEER].endpoint;
	struct nd_sge one = part(PEER, 0, 8);
	struct nd_mw_descriptor window;
	struct nd_result result;

	open_window(&window);
	for (uint32_t flag = 1; flag != 0; flag <<= 1) {
		if (flag > ND_OP_FLAG_SEND_AND_SOLICIT_EVENT)
			ASSERT_ND(nd_endpoint_send(endpoint, &result, &one, 1, flag),
				ND_INVALID_PARAMETER_4);
		if (flag > ND_OP_FLAG_READ_FENCE)
			ASSERT_ND(nd_endpoint_write(endpoint, &result, &one, 1, &window, 0, flag),
				ND_INVALID_PARAMETER_6);
	}
	nd_pair_quiet(&scene, scene.side[PEER].outbound);
	ASSERT_ND(scene_write(&window, 0, 8), ND_SUCCESS);
}

/*
 * Inline data needs no registration, and the buffer may be overwritten after the call. In this
 * library a list of inline data has the same maximum of SGEs as other lists.
 */
Test(nd_request, nd_108_inline_data_are_copied_during_the_call)
{
	uint8_t text[4][32], expected[4][32];
	struct nd_sge list[5], room = part(OWNER, 0, sizeof(text));
	struct nd_result received, sent;

	nd_pair_pattern(&text[0][0], sizeof(text), 108);
	memcpy(expected, text, sizeof(text));
	for (unsigned int i = 0; i < 5; i++)
		list[i] = (struct nd_sge){text[i % 4], sizeof(text[0]), NULL};
	ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent, list, 5, 0), ND_DATA_OVERRUN);
	/*
	 * The owner has no receive yet, so the message is retransmitted after the memory has
	 * changed.
	 */
	ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent, list, 4, 0), ND_SUCCESS);
	memset(text, 0, sizeof(text));
	for (unsigned int i = 0; i < 10; i++)
		nd_pair_poll(&scene);
	ASSERT_ND(nd_endpoint_receive(scene.side[OWNER].endpoint, &received, &room, 1), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_SUCCESS);
	cr_assert_arr_eq(scene.side[OWNER].memory, &expected[0][0], sizeof(expected));
}

/*
 * An SGE without mr is accepted up to the inline limit. Longer requests are refused with
 * ND_BUFFER_OVERFLOW.
 */
Test(nd_request, nd_109_inline_data_above_the_limit)
{
	struct nd_endpoint *endpoint = scene.side[PEER].endpoint;
	size_t limit = scene_limits().max_inline_data;
	struct nd_sge list[2] = {
		{scene.side[PEER].memory, limit, NULL}, {scene.side[PEER].memory, 1, NULL}};
	struct nd_mw_descriptor window;
	struct nd_result result;

	open_window(&window);
	ASSERT_ND(nd_endpoint_write(endpoint, &result, list, 2, &window, 0, 0), ND_BUFFER_OVERFLOW);
	ASSERT_ND(nd_endpoint_send(endpoint, &result, list, 2, 0), ND_BUFFER_OVERFLOW);
	/* Receives and reads write to memory, so their memory must be registered. */
	ASSERT_ND(nd_endpoint_receive(endpoint, &result, list, 1), ND_ACCESS_VIOLATION);
	ASSERT_ND(nd_endpoint_read(endpoint, &result, list, 1, &window, 0, 0), ND_ACCESS_VIOLATION);
	nd_pair_pattern(scene.side[PEER].memory, limit, 109);
	ASSERT_ND(nd_endpoint_write(endpoint, &result, list, 1, &window, 0, 0), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &result), ND_SUCCESS);
	cr_assert(scene_arrived(0, limit));
}

static unsigned int sends_seen;

/** dial_look() that counts the SEND packets of the peer, and drops none. */
static bool
count_sends(const struct dial_frame *frame)
{
	sends_seen += frame->side == PEER && frame->opcode == 0x04 && frame->qp != 1;
	return false;
}

/** Post a read and then a send. @return number of sends that left before the read was answered */
static unsigned int
sends_past_a_read(const struct nd_mw_descriptor *window, uint32_t flags)
{
	struct nd_result read, sent, received;
	unsigned int early;

	scene_receive(OWNER, &received);
	sends_seen = 0;
	scene_read_post(window, 0, 4096, &read);
	ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent, NULL, 0, flags), ND_SUCCESS);
	for (unsigned int i = 0; i < 20; i++)
		scene_poll(PEER);
	early = sends_seen;
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &read), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &sent), ND_SUCCESS);
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_SUCCESS);
	return early;
}

Test(nd_request, nd_110_fenced_send_waits_for_earlier_reads)
{
	struct nd_mw_descriptor window;
	struct nd_sge to = part(PEER, 0, 64);
	struct nd_result reads[2], sent, received;

	open_window(&window);
	dial_look = count_sends;
	cr_assert_geq(sends_past_a_read(&window, 0), 1, "it waits without a fence");
	scene_receive(OWNER, &received);
	sends_seen = 0;
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(nd_endpoint_read(
				  scene.side[PEER].endpoint, &reads[i], &to, 1, &window, 0, 0),
			ND_SUCCESS);
	ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent, &to, 1, ND_OP_FLAG_READ_FENCE),
		ND_SUCCESS);
	for (unsigned int i = 0; i < 20; i++)
		scene_poll(PEER);
	cr_assert_eq(sends_seen, 0, "it left before the data of the reads came");
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_ND(nd_pair_result(&scene, scene.side[PEER].outbound, &reads[i]), ND_SUCCESS);
	/*
	 * The receive is empty, so the message of 64 bytes fails. The failure proves that the
	 * message arrives only now.
	 */
	ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received), ND_BUFFER_OVERFLOW);
}

Test(nd_request, nd_111_fence_without_reads_has_no_effect)
{
	struct nd_result received[3], sent[3];
	struct nd_mw_descriptor window;

	open_window(&window);
	ASSERT_ND(scene_read(&window, 0, 4096), ND_SUCCESS);
	dial_look = count_sends;
	sends_seen = 0;
	for (unsigned int i = 0; i < 3; i++) {
		scene_receive(OWNER, &received[i]);
		ASSERT_ND(nd_endpoint_send(scene.side[PEER].endpoint, &sent[i], NULL, 0,
				  i == 1 ? 0 : ND_OP_FLAG_READ_FENCE),
			ND_SUCCESS);
		scene_poll(PEER);
		cr_assert_eq(sends_seen, i + 1, "not sent at once");
	}
	for (unsigned int i = 0; i < 3; i++)
		ASSERT_ND(nd_pair_result(&scene, scene.side[OWNER].inbound, &received[i]),
			ND_SUCCESS);
}

/**
 * Post various requests in batches of `batch` requests, or without batches if `batch` is 0. Check
 * the results.
 */
static void
play(size_t batch, const struct nd_mw_descriptor *window, struct nd_result results[12])
{
	struct nd_endpoint *endpoint = scene.side[PEER].endpoint;
	struct nd_result *got[12], received[4];

	for (unsigned int i = 0; i < 4; i++)
		scene_receive(OWNER, &received[i]);
	for (unsigned int i = 0; i < 12; i++) {
		struct nd_sge sge = part(PEER, 512 * i, 512);

		if (batch != 0 && i % batch == 0)
			nd_endpoint_start_request_batch(endpoint);
		if (i % 3 == 0)
			nd_endpoint_send(endpoint, &results[i], NULL, 0, 0);
		else if (i % 3 == 1)
			nd_endpoint_write(endpoint, &results[i], &sge, 1, window, 512 * i, 0);
		else
			nd_endpoint_read(endpoint, &results[i], &sge, 1, window, 512 * i, 0);
		if (batch != 0 && (i + 1) % batch == 0)
			nd_endpoint_submit_request_batch(endpoint);
	}
	nd_endpoint_submit_request_batch(endpoint);
	nd_pair_take(&scene, scene.side[PEER].outbound, got, 12);
	for (unsigned int i = 0; i < 12; i++) {
		cr_assert_eq(got[i], &results[i], "batches of %zu: place %u", batch, i);
		ASSERT_ND(got[i]->status, ND_SUCCESS);
	}
	nd_pair_take(&scene, scene.side[OWNER].inbound, got, 4);
	nd_pair_quiet(&scene, scene.side[PEER].outbound);
}

Test(nd_request, nd_120_batches_change_no_result)
{
	static const size_t batches[] = {0, 1, 4, 5, 12};
	struct nd_mw_descriptor window;
	struct nd_result first[12], results[12];

	open_window(&window);
	for (unsigned int i = 0; i < RTE_DIM(batches); i++) {
		play(batches[i], &window, i == 0 ? first : results);
		for (unsigned int j = 0; i != 0 && j < 12; j++)
			cr_assert_eq(results[j].bytes_transferred, first[j].bytes_transferred);
	}
}

/* Requests of an open batch may already be executed, but only once. Submit executes the rest. */
Test(nd_request, nd_121_batch_may_be_executed_before_the_submit)
{
	struct nd_endpoint *endpoint = scene.side[PEER].endpoint;
	struct nd_mw_descriptor window;
	struct nd_result results[4], *got[4];
	struct nd_sge one = part(PEER, 0, 512);
	size_t early = 0;

	open_window(&window);
	nd_endpoint_start_request_batch(endpoint);
	for (unsigned int i = 0; i < 4; i++)
		ASSERT_ND(nd_endpoint_write(endpoint, &results[i], &one, 1, &window, 512 * i, 0),
			ND_SUCCESS);
	for (unsigned int i = 0; i < 1000; i++) {
		nd_pair_poll(&scene);
		early += nd_cq_get_results(scene.side[PEER].outbound, got + early, 4 - early);
	}
	nd_endpoint_submit_request_batch(endpoint);
	if (early < 4)
		nd_pair_take(&scene, scene.side[PEER].outbound, got + early, 4 - early);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert(got[i] == &results[i] && got[i]->status == ND_SUCCESS, "place %u", i);
	nd_pair_quiet(&scene, scene.side[PEER].outbound);
}
