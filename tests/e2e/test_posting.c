/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test posting rules, flags, batches, queues and notifications, through the public API. */

#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "base/random.h"
#include "mem/domain.h"
#include "nd/cq.h"
#include "support/engines.h"
#include "support/nd_pair.h"

#define READ_WRITE (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)
#define ENTRIES    8

static struct nd_pair pair;

static void
setup(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024, .entries = ENTRIES});
	nd_pair_connect(&pair);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(posting, .init = setup, .fini = teardown);

Test(posting, nd093_refused_calls_leave_the_endpoint_usable)
{
	struct nd_side *side = &pair.side[0];
	struct nd_sge five[5] = {0},
		      mixed[2] = {{side->memory, 8, side->mr}, {side->memory, 8, NULL}};
	struct nd_sge long_inline = {side->memory, 257, NULL}, one = {side->memory, 8, side->mr};
	struct nd_mw_descriptor window;
	struct nd_result result;
	struct nd_endpoint *endpoint = side->endpoint;

	nd_pair_bind(&pair, 1, 0, 4096, READ_WRITE, &window);
	for (unsigned int i = 0; i < 5; i++)
		five[i] = one;
	ASSERT_ND(nd_endpoint_send(endpoint, NULL, &one, 1, 0), ND_INVALID_PARAMETER_1);
	ASSERT_REFUSED(nd_endpoint_send(endpoint, &result, NULL, 1, 0), ND_INVALID_PARAMETER_2,
		"nd_endpoint_send: parameter 2, sgl is NULL, but sge_count is 1");
	/* ND-107: unknown flags are refused. */
	ASSERT_REFUSED(nd_endpoint_send(endpoint, &result, &one, 1, 0x80), ND_INVALID_PARAMETER_4,
		"nd_endpoint_send: parameter 4, flags 0x80: expected a subset of 0x7");
	ASSERT_ND(nd_endpoint_write(endpoint, &result, &one, 1, &window, 0, 0x4),
		ND_INVALID_PARAMETER_6);
	/*
	 * ND-105, ND-106, ND-109: requests with too many entries or too much inline data are
	 * refused.
	 */
	cr_assert_eq(nd_endpoint_send(endpoint, &result, five, 5, 0), ND_DATA_OVERRUN);
	cr_assert_eq(nd_endpoint_receive(endpoint, &result, five, 5), ND_DATA_OVERRUN);
	cr_assert_eq(nd_endpoint_send(endpoint, &result, five, 17, 0), ND_DATA_OVERRUN);
	cr_assert_eq(nd_endpoint_send(endpoint, &result, &long_inline, 1, 0), ND_BUFFER_OVERFLOW);
	one.length = (UINT64_C(1) << 31) + 1;
	cr_assert_eq(nd_endpoint_send(endpoint, &result, &one, 1, 0), ND_BUFFER_OVERFLOW);
	cr_assert_eq(nd_endpoint_send(endpoint, &result, mixed, 2, 0), ND_ACCESS_VIOLATION);
	one.length = 8;
	cr_assert_eq(nd_endpoint_write(endpoint, &result, &one, 1, &window, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &result), ND_SUCCESS);
	nd_pair_quiet(&pair, side->outbound);
}

Test(posting, nd009_full_queues_refuse)
{
	struct nd_side *side = &pair.side[0];
	struct nd_result results[ENTRIES + 1], received[ENTRIES + 1];

	for (unsigned int i = 0; i < ENTRIES; i++) {
		cr_assert_eq(nd_endpoint_send(side->endpoint, &results[i], NULL, 0, 0), ND_SUCCESS);
		cr_assert_eq(
			nd_endpoint_receive(side->endpoint, &received[i], NULL, 0), ND_SUCCESS);
	}
	cr_assert_eq(nd_endpoint_send(side->endpoint, &results[ENTRIES], NULL, 0, 0),
		ND_NO_MORE_ENTRIES);
	cr_assert_eq(nd_endpoint_receive(side->endpoint, &received[ENTRIES], NULL, 0),
		ND_NO_MORE_ENTRIES);
}

Test(posting, nd096_results_come_in_posting_order_whatever_their_kind)
{
	struct nd_side *side = &pair.side[0];
	struct nd_sge sge = {side->memory, 3000, side->mr}, own = {side->memory, 100, side->mr};
	struct nd_result received[2], results[6], invalidate, *got[6];
	struct nd_mw_descriptor window, mine;
	struct nd_endpoint *endpoint = side->endpoint;
	struct nd_mw *mw;

	nd_pair_bind(&pair, 1, 0, 4096, READ_WRITE, &window);
	cr_assert_eq(nd_adapter_create_memory_window(side->adapter, &invalidate, &mw), ND_SUCCESS);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(
			nd_endpoint_receive(pair.side[1].endpoint, &received[i],
				&(struct nd_sge){pair.side[1].memory, 4096, pair.side[1].mr}, 1),
			ND_SUCCESS);
	nd_endpoint_start_request_batch(endpoint);
	nd_endpoint_write(endpoint, &results[0], &sge, 1, &window, 0, 0);
	nd_endpoint_read(endpoint, &results[1], &sge, 1, &window, 0, 0);
	nd_endpoint_bind(endpoint, &results[2], side->mr, mw, side->memory, 64, READ_WRITE, &mine);
	nd_endpoint_send(endpoint, &results[3], &own, 1, ND_OP_FLAG_READ_FENCE);
	nd_endpoint_invalidate(endpoint, &results[4], mw, 0);
	nd_endpoint_send(endpoint, &results[5], NULL, 0, 0);
	nd_endpoint_submit_request_batch(endpoint);
	nd_pair_take(&pair, side->outbound, got, 6);
	for (unsigned int i = 0; i < 6; i++) {
		cr_assert_eq(got[i], &results[i], "place %u", i);
		cr_assert_eq(
			got[i]->status, ND_SUCCESS, "%u: %s", i, nd_status_name(got[i]->status));
	}
	nd_pair_take(&pair, pair.side[1].inbound, got, 2);
	cr_assert_eq(got[0]->bytes_transferred, 100);
	cr_assert_eq(got[1]->bytes_transferred, 0);
}

Test(posting, nd120_batched_requests_leave_at_the_latest_with_the_submit)
{
	struct nd_result received, sent;

	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	nd_endpoint_start_request_batch(pair.side[0].endpoint);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
	nd_endpoint_submit_request_batch(pair.side[0].endpoint);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
}

Test(posting, silent_success_gives_no_result_and_frees_its_place)
{
	struct nd_side *side = &pair.side[0];
	struct nd_sge sge = {side->memory, 64, side->mr};
	struct nd_mw_descriptor window;
	struct nd_result silent, last;

	nd_pair_bind(&pair, 1, 0, 4096, READ_WRITE, &window);
	for (unsigned int i = 0; i < 10 * ENTRIES; i++) {
		while (nd_endpoint_write(side->endpoint, &silent, &sge, 1, &window, 0,
			       ND_OP_FLAG_SILENT_SUCCESS) == ND_NO_MORE_ENTRIES)
			nd_pair_poll(&pair);
	}
	while (nd_endpoint_write(side->endpoint, &last, &sge, 1, &window, 0, 0) ==
		ND_NO_MORE_ENTRIES)
		nd_pair_poll(&pair);
	cr_assert_eq(nd_pair_result(&pair, side->outbound, &last), ND_SUCCESS);
}

Test(posting, inline_data_may_change_after_the_call)
{
	uint8_t text[3][64], *got = pair.side[1].memory;
	struct nd_sge pieces[3], to = {got, 256, pair.side[1].mr};
	struct nd_result received, sent;

	for (unsigned int i = 0; i < 3; i++) {
		memset(text[i], 'a' + (int)i, sizeof(text[i]));
		pieces[i] = (struct nd_sge){text[i], i == 1 ? 0 : sizeof(text[i]), NULL};
	}
	/* The peer has posted no receive, so the message must be retransmitted later. */
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, pieces, 3, 0), ND_SUCCESS);
	memset(text, 'x', sizeof(text));
	nd_pair_poll(&pair);
	nd_endpoint_receive(pair.side[1].endpoint, &received, &to, 1);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(received.bytes_transferred, 128);
	for (unsigned int i = 0; i < 128; i++)
		cr_assert_eq(got[i], i < 64 ? 'a' : 'c', "byte %u is %c", i, got[i]);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
}

Test(posting, message_longer_than_the_receive_ends_the_connection)
{
	struct nd_sge from = {pair.side[0].memory, 1024, pair.side[0].mr};
	struct nd_sge to = {pair.side[1].memory, 1023, pair.side[1].mr};
	struct nd_result received, sent;

	nd_endpoint_receive(pair.side[1].endpoint, &received, &to, 1);
	nd_endpoint_send(pair.side[0].endpoint, &sent, &from, 1, 0);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_BUFFER_OVERFLOW);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_REMOTE_ERROR);
}

Test(posting, nd098_lists_are_read_only_during_the_call)
{
	struct nd_mw_descriptor window;
	struct nd_result result;

	nd_pair_bind(&pair, 1, 0, 4096, READ_WRITE, &window);
	nd_pair_pattern(pair.side[0].memory, 3000, 9);
	nd_endpoint_start_request_batch(pair.side[0].endpoint);
	{
		struct nd_sge sgl[3];

		for (unsigned int i = 0; i < 3; i++)
			sgl[i] = (struct nd_sge){
				pair.side[0].memory + 1000 * i, 1000, pair.side[0].mr};
		cr_assert_eq(
			nd_endpoint_write(pair.side[0].endpoint, &result, sgl, 3, &window, 0, 0),
			ND_SUCCESS);
		memset(sgl, 0, sizeof(sgl));
	}
	nd_endpoint_submit_request_batch(pair.side[0].endpoint);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &result), ND_SUCCESS);
	cr_assert_arr_eq(pair.side[0].memory, pair.side[1].memory, 3000);
}

Test(posting, nd129_notify_signals_an_eventfd_and_a_callback_once)
{
	struct nd_overlapped notify = {.event_fd = eventfd(0, EFD_NONBLOCK)};
	struct nd_result received, sent;
	eventfd_t count;

	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	cr_assert_eq(nd_cq_notify(pair.side[1].inbound, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
	nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &notify), ND_SUCCESS);
	cr_assert_eq(eventfd_read(notify.event_fd, &count), 0);
	cr_assert_eq(count, 1);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	nd_pair_quiet(&pair, pair.side[1].inbound);
	cr_assert_neq(eventfd_read(notify.event_fd, &count), 0);
	close(notify.event_fd);
}

/* ND-135: one completion completes all pending notifications. */
Test(posting, nd135_one_completion_ends_all_notifications)
{
	struct nd_overlapped notify[3] = {0};
	struct nd_result received, sent;

	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(nd_cq_notify(pair.side[1].inbound, ND_CQ_NOTIFY_ANY, &notify[i]),
			ND_PENDING);
	nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &notify[0]), ND_SUCCESS);
	for (unsigned int i = 1; i < 3; i++)
		cr_assert_eq(nd_overlapped_get_result(&notify[i], NULL, false), ND_SUCCESS);
}

Test(posting, nd130_nd131_solicited_notification_needs_the_senders_flag)
{
	struct nd_overlapped notify = {0};
	struct nd_result received[2], sent[2];

	for (unsigned int i = 0; i < 2; i++)
		nd_endpoint_receive(pair.side[1].endpoint, &received[i], NULL, 0);
	cr_assert_eq(
		nd_cq_notify(pair.side[1].inbound, ND_CQ_NOTIFY_SOLICITED, &notify), ND_PENDING);
	nd_endpoint_send(pair.side[0].endpoint, &sent[0], NULL, 0, 0);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received[0]), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&notify, NULL, false), ND_PENDING);
	nd_endpoint_send(
		pair.side[0].endpoint, &sent[1], NULL, 0, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &notify), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received[1]), ND_SUCCESS);
}

Test(posting, nd136_completion_before_notify_is_not_lost)
{
	struct nd_overlapped notify = {0};
	struct nd_result received, sent;

	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_eq(nd_cq_notify(pair.side[1].inbound, ND_CQ_NOTIFY_ANY, &notify), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
}

Test(posting, nd142_nd145_cancelled_notifications)
{
	struct nd_overlapped notify[2] = {0};
	struct nd_cq *cq;

	cr_assert_eq(nd_engine_create_completion_queue(test_home(pair.side[0].adapter), 4, &cq),
		ND_SUCCESS);
	cr_assert_eq(nd_cq_notify(cq, ND_CQ_NOTIFY_ANY, &notify[0]), ND_PENDING);
	cr_assert_eq(nd_cq_cancel_overlapped_requests(cq), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&notify[0], NULL, false), ND_CANCELED);
	cr_assert_eq(nd_cq_notify(cq, ND_CQ_NOTIFY_ANY, &notify[0]), ND_PENDING);
	cr_assert_eq(nd_cq_notify(cq, ND_CQ_NOTIFY_ERRORS, &notify[1]), ND_PENDING);
	cr_assert_eq(nd_overlapped_cancel(&notify[0]), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&notify[0], NULL, false), ND_CANCELED);
	cr_assert_eq(nd_overlapped_get_result(&notify[1], NULL, false), ND_PENDING);
	cr_assert_eq(nd_cq_release(cq), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&notify[1], NULL, false), ND_CANCELED);
	cr_assert_eq(nd_cq_release(pair.side[0].inbound), ND_DEVICE_BUSY);
}

Test(posting, nd143_resize_keeps_results)
{
	struct nd_result received[4], sent[4], *got[4];
	struct nd_cq *cq = pair.side[1].inbound;

	for (unsigned int i = 0; i < 4; i++) {
		nd_endpoint_receive(pair.side[1].endpoint, &received[i], NULL, 0);
		nd_endpoint_send(pair.side[0].endpoint, &sent[i], NULL, 0, 0);
	}
	nd_pair_take(&pair, pair.side[0].outbound, got, 4);
	cr_assert_eq(nd_cq_resize(cq, 3), ND_BUFFER_OVERFLOW);
	ASSERT_ND(nd_cq_resize(cq, 0), ND_INVALID_PARAMETER);
	cr_assert_eq(nd_cq_resize(cq, 1000), ND_SUCCESS);
	cr_assert_eq(nd_cq_resize(cq, 4), ND_SUCCESS);
	nd_pair_take(&pair, cq, got, 4);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_eq(got[i], &received[i]);
}

Test(posting, nd141_overrun_kills_the_queue_and_its_endpoints)
{
	struct nd_overlapped notify = {0};
	struct nd_result received[4], sent;

	cr_assert_eq(nd_cq_resize(pair.side[1].inbound, 3), ND_SUCCESS);
	cr_assert_eq(nd_cq_notify(pair.side[1].inbound, ND_CQ_NOTIFY_ERRORS, &notify), ND_PENDING);
	for (unsigned int i = 0; i < 4; i++) {
		nd_endpoint_receive(pair.side[1].endpoint, &received[i], NULL, 0);
		nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, ND_OP_FLAG_SILENT_SUCCESS);
	}
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &notify), ND_BUFFER_OVERFLOW);
	cr_assert_eq(
		nd_endpoint_send(pair.side[1].endpoint, &sent, NULL, 0, 0), ND_CONNECTION_INVALID);
}

Test(posting, nd188_read_where_the_limit_is_zero_is_refused)
{
	struct nd_sge to = {pair.side[0].memory, 8, pair.side[0].mr};
	struct nd_mw_descriptor window;
	struct nd_result result;
	struct nd_pair *other = &pair;

	nd_pair_bind(&pair, 1, 0, 64, READ_WRITE, &window);
	other->config.reads = 0;
	other->side[0].connector = NULL;
	nd_pair_connect(other);
	cr_assert_eq(nd_endpoint_read(other->side[0].endpoint, &result, &to, 1, &window, 0, 0),
		ND_INVALID_DEVICE_REQUEST);
}

Test(posting, nd186_more_reads_than_the_limit_wait_and_complete_in_order)
{
	struct nd_mw_descriptor window;
	struct nd_result results[ENTRIES], *got[ENTRIES];

	nd_pair_bind(&pair, 1, 0, 65536, READ_WRITE, &window);
	nd_pair_pattern(pair.side[1].memory, 65536, 4);
	for (unsigned int i = 0; i < ENTRIES; i++) {
		struct nd_sge to = {pair.side[0].memory + 8192 * i, 8192, pair.side[0].mr};

		cr_assert_eq(nd_endpoint_read(pair.side[0].endpoint, &results[i], &to, 1, &window,
				     8192 * i, 0),
			ND_SUCCESS);
	}
	nd_pair_take(&pair, pair.side[0].outbound, got, ENTRIES);
	for (unsigned int i = 0; i < ENTRIES; i++)
		cr_assert_eq(got[i], &results[i]);
	cr_assert_arr_eq(pair.side[0].memory, pair.side[1].memory, 65536);
}

/*
 * Push a random completion into the queue.
 * @return the result that the application must get, or NULL if the window was released
 */
static struct nd_result *
push_random(struct rc_cq *cq, struct base_random *random, uint32_t window_id, struct nd_result *got,
	struct nd_result *expected)
{
	bool failed = base_random_below(random, 8) == 0, window = base_random_below(random, 4) == 0;
	struct rc_completion completion = {
		.context = window && base_random_below(random, 2) == 0 ? NULL : got,
		.status = failed && !window ? RC_FLUSHED : RC_OK,
		.kind = window ? RC_COMPLETION_WINDOW_INVALIDATED : RC_COMPLETION_RECEIVE,
		.owner = (void *)(uintptr_t)base_random_u32(random),
		.bytes = window ? 0 : base_random_u32(random),
		.flags = window ? 0 : base_random_below(random, 4),
		.immediate = window ? window_id : base_random_u32(random),
	};

	*expected = (struct nd_result){
		.status = completion.status == RC_OK ? ND_SUCCESS : ND_CANCELED,
		.bytes_transferred = completion.bytes,
		.flags = completion.flags,
		.imm_data = window ? 0 : completion.immediate,
		.endpoint_context = completion.owner,
	};
	memset(got, 0xA5, sizeof(*got));
	cr_assert(rc_cq_push(cq, &completion));
	return completion.context;
}

/** @return ID of an existing window, in the format that completions use */
static uint32_t
live_window_id(void)
{
	static struct nd_result invalidated;
	const struct mem_window *window;
	struct nd_mw *mw;

	cr_assert_eq(nd_adapter_create_memory_window(pair.side[0].adapter, &invalidated, &mw),
		ND_SUCCESS);
	window = (const struct mem_window *)mw;
	return mem_window_index(pair.side[0].adapter->mem, window) << 8 | mem_window_life(window);
}

/*
 * Push successes, failures and window results in random order, and take them in portions of random
 * size.
 */
Test(posting, results_are_what_completed_in_any_portions)
{
	static const uint8_t seed[BASE_RANDOM_SEED_BYTES] = {1};
	struct nd_result got[ENTRIES], expected[ENTRIES], *order[ENTRIES], *taken[ENTRIES];
	struct nd_cq *cq = pair.side[0].outbound;
	struct base_random random;
	uint32_t window_id = live_window_id();

	base_random_seed(&random, seed);
	for (unsigned int round = 0; round < 20000; round++) {
		uint32_t pushed = 1 + base_random_below(&random, ENTRIES);
		size_t next = 0, portion;

		for (uint32_t i = 0; i < pushed; i++)
			order[i] = push_random(&cq->rc, &random, window_id, &got[i], &expected[i]);
		do {
			portion = nd_cq_get_results(
				cq, taken, 1 + base_random_below(&random, ENTRIES));
			for (size_t i = 0; i < portion; i++, next++) {
				while (next < pushed && order[next] == NULL)
					next++;
				cr_assert_lt(next, pushed, "round %u: one too many", round);
				cr_assert_eq(
					taken[i], order[next], "round %u: out of order", round);
				cr_assert_eq(taken[i]->status, expected[next].status);
				cr_assert_eq(taken[i]->bytes_transferred,
					expected[next].bytes_transferred);
				cr_assert_eq(taken[i]->flags, expected[next].flags);
				cr_assert_eq(taken[i]->imm_data, expected[next].imm_data);
			}
		} while (portion != 0);
		while (next < pushed && order[next] == NULL)
			next++;
		cr_assert_eq(next, pushed, "round %u: %zu of %u results", round, next, pushed);
		cr_assert_eq(cq->rc.invalidated, 0);
	}
}
