/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * If the send queue is idle, binds and invalidates are executed before the posting call returns,
 * without a turn of the engine. These tests use the public API and check that the results are the
 * same as for requests that wait for a turn.
 */

#include <sched.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "support/engines.h"
#include "support/nd_pair.h"
#include "threads_link.h"
#include "threads_traffic.h"

#define READ_WRITE (ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE)
#define ENTRIES    8
#define PIECE      256
#define TURNS      200

static struct nd_pair pair;

/**
 * Results for windows that a peer invalidates. No test of this file uses them, because no peer
 * invalidates a window.
 */
static struct nd_result invalidated;

static void
open_pair(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 256, .entries = ENTRIES});
}

static void
setup(void)
{
	open_pair();
	nd_pair_connect(&pair);
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(idle, .init = setup, .fini = teardown);

static struct nd_mw *
window_make(void)
{
	struct nd_mw *mw = NULL;

	cr_assert_eq(nd_adapter_create_memory_window(pair.side[0].adapter, &invalidated, &mw),
		ND_SUCCESS);
	return mw;
}

static nd_status
window_bind(struct nd_mw *mw, unsigned int number, uint32_t flags, struct nd_result *result,
	struct nd_mw_descriptor *descriptor)
{
	struct nd_side *side = &pair.side[0];

	return nd_endpoint_bind(side->endpoint, result, side->mr, mw,
		side->memory + (size_t)number * PIECE, PIECE, flags, descriptor);
}

static void
expect(nd_status status, nd_status expected, const char *what)
{
	cr_assert_eq(status, expected, "%s: %s, %s expected", what, nd_status_name(status),
		nd_status_name(expected));
}

/** Fail unless the queue has exactly these results, in this order. Polls no engine. */
static void
expect_results(struct nd_result *const *expected, size_t count)
{
	struct nd_result *results[ND_PAIR_RESULTS];
	size_t got = nd_cq_get_results(pair.side[0].outbound, results, ND_PAIR_RESULTS);

	cr_assert_eq(got, count, "%zu results, %zu expected", got, count);
	for (size_t i = 0; i < count; i++) {
		cr_assert_eq(results[i], expected[i], "place %zu", i);
		expect(results[i]->status, ND_SUCCESS, "a result");
	}
}

static void
expect_one(struct nd_result *expected)
{
	expect_results(&expected, 1);
}

static void
turns(unsigned int count)
{
	while (count-- > 0)
		nd_pair_poll(&pair);
}

static nd_status
peer_writes(const struct nd_mw_descriptor *descriptor, unsigned int number)
{
	struct nd_side *peer = &pair.side[1];
	struct nd_sge from = {peer->memory, PIECE, peer->mr};
	struct nd_result written;
	nd_status status;

	nd_pair_pattern(peer->memory, PIECE, number + 1);
	expect(nd_endpoint_write(peer->endpoint, &written, &from, 1, descriptor, 0, 0), ND_SUCCESS,
		"write");
	status = nd_pair_result(&pair, peer->outbound, &written);
	if (status == ND_SUCCESS)
		cr_assert_arr_eq(pair.side[0].memory + (size_t)number * PIECE, peer->memory, PIECE);
	return status;
}

/*
 * ND-096: requests after an unacknowledged Send wait for the acknowledgement. A request without an
 * earlier Send does not wait.
 */
Test(idle, results_in_posting_order_with_and_without_a_send_before_nd096)
{
	struct nd_result received, sent, behind, then, alone;
	struct nd_mw_descriptor windows[3];

	nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0);
	expect(nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0), ND_SUCCESS, "send");
	expect(window_bind(window_make(), 0, READ_WRITE, &behind, &windows[0]), ND_SUCCESS,
		"behind");
	expect_results(NULL, 0);
	turns(TURNS);
	expect(window_bind(window_make(), 1, READ_WRITE, &then, &windows[1]), ND_SUCCESS, "then");
	expect_results((struct nd_result *[]){&sent, &behind, &then}, 3);
	expect(window_bind(window_make(), 2, READ_WRITE, &alone, &windows[2]), ND_SUCCESS, "alone");
	expect_one(&alone);
	for (unsigned int i = 0; i < 3; i++)
		expect(peer_writes(&windows[i], i), ND_SUCCESS, "write");
	nd_pair_quiet(&pair, pair.side[0].outbound);
}

/* ND-019, ND-050: without an earlier Read, a fence does not wait. */
Test(idle, fence_holds_up_nothing_nd019_nd050)
{
	struct nd_mw_descriptor window, source;
	struct nd_result bound, unbound, read;
	struct nd_sge to = {pair.side[0].memory, PIECE, pair.side[0].mr};
	struct nd_mw *mw = window_make();

	expect(window_bind(mw, 0, READ_WRITE | ND_OP_FLAG_READ_FENCE, &bound, &window), ND_SUCCESS,
		"bind");
	expect_one(&bound);
	expect(nd_endpoint_invalidate(pair.side[0].endpoint, &unbound, mw, ND_OP_FLAG_READ_FENCE),
		ND_SUCCESS, "invalidate");
	expect_one(&unbound);

	/*
	 * A completed Read does not delay a fenced request, even if the result of the Read was not
	 * taken. A pending Read delays the request.
	 */
	nd_pair_bind(&pair, 1, 0, PIECE, READ_WRITE, &source);
	expect(nd_endpoint_read(pair.side[0].endpoint, &read, &to, 1, &source, 0, 0), ND_SUCCESS,
		"read");
	expect(window_bind(mw, 1, READ_WRITE | ND_OP_FLAG_READ_FENCE, &bound, &window), ND_SUCCESS,
		"bind behind a Read");
	expect_results(NULL, 0);
	turns(TURNS);
	expect(nd_endpoint_invalidate(pair.side[0].endpoint, &unbound, mw, ND_OP_FLAG_READ_FENCE),
		ND_SUCCESS, "invalidate");
	expect_results((struct nd_result *[]){&read, &bound, &unbound}, 3);
}

/*
 * ND-020, ND-055: all requests are posted at once. Each message is sent with the windows that are
 * bound at its position in the order.
 */
Test(idle, batch_of_binds_sends_and_invalidates_in_order_nd055)
{
	struct nd_side *side = &pair.side[0], *peer = &pair.side[1];
	struct nd_result bound[3], sent[2], unbound[2], received[2];
	struct nd_mw_descriptor windows[3], brought[2];
	struct nd_mw *mw = window_make();

	for (unsigned int i = 0; i < 2; i++)
		nd_endpoint_receive(peer->endpoint, &received[i],
			&(struct nd_sge){peer->memory + 4096 * (i + 1), 4096, peer->mr}, 1);
	nd_endpoint_start_request_batch(side->endpoint);
	expect(window_bind(mw, 0, READ_WRITE, &bound[0], &windows[0]), ND_SUCCESS, "first");
	/*
	 * The send queue is idle, so the bind and the invalidate are executed at once, although a
	 * batch is open.
	 */
	expect(nd_endpoint_invalidate(side->endpoint, &unbound[0], mw, 0), ND_SUCCESS,
		"invalidate");
	expect_results((struct nd_result *[]){&bound[0], &unbound[0]}, 2);
	expect(window_bind(mw, 1, READ_WRITE, &bound[1], &windows[1]), ND_SUCCESS, "second");
	nd_endpoint_send(side->endpoint, &sent[0],
		&(struct nd_sge){&windows[1], sizeof(windows[1]), NULL}, 1, 0);
	/* The next invalidate and bind wait for the Send. */
	expect(nd_endpoint_invalidate(side->endpoint, &unbound[1], mw, 0), ND_SUCCESS,
		"invalidate behind a Send");
	expect(window_bind(mw, 2, READ_WRITE, &bound[2], &windows[2]), ND_SUCCESS, "behind a Send");
	nd_endpoint_send(side->endpoint, &sent[1],
		&(struct nd_sge){&windows[2], sizeof(windows[2]), NULL}, 1, 0);
	expect_one(&bound[1]);
	expect(window_bind(mw, 3, READ_WRITE, &bound[0], &windows[0]), ND_INVALID_DEVICE_STATE,
		"bound already, when all this is done");
	nd_endpoint_submit_request_batch(side->endpoint);
	turns(TURNS);
	expect_results((struct nd_result *[]){&sent[0], &unbound[1], &bound[2], &sent[1]}, 4);
	expect(nd_pair_result(&pair, peer->inbound, &received[0]), ND_SUCCESS, "receive");
	expect(nd_pair_result(&pair, peer->inbound, &received[1]), ND_SUCCESS, "receive");
	for (unsigned int i = 0; i < 2; i++) {
		memcpy(&brought[i], peer->memory + 4096 * (i + 1), sizeof(brought[i]));
		cr_assert_arr_eq(&brought[i], &windows[i + 1], sizeof(brought[i]));
	}
	expect(peer_writes(&brought[1], 2), ND_SUCCESS, "the last window");
	expect(peer_writes(&brought[0], 1), ND_REMOTE_ERROR, "the one before");
}

#define CHAIN 5

/** State of a chain of binds. The callback of a notification posts the next bind. */
static struct chain {
	struct nd_overlapped notify;
	struct nd_mw *windows[CHAIN];
	struct nd_result bound[CHAIN];
	struct nd_mw_descriptor descriptors[CHAIN];
	unsigned int posted;
	unsigned int taken;
	unsigned int calls;
	/** the callback's last status that was not the expected one */
	nd_status status;
} chain;

static void
chain_bind(void)
{
	unsigned int number = chain.posted++;
	nd_status status = window_bind(chain.windows[number], number, READ_WRITE,
		&chain.bound[number], &chain.descriptors[number]);

	if (status != ND_SUCCESS)
		chain.status = status;
}

static void
chain_called(struct nd_overlapped *overlapped, void *arg)
{
	struct nd_result *result;

	(void)arg;
	chain.calls++;
	while (nd_cq_get_results(pair.side[0].outbound, &result, 1) == 1) {
		if (result != &chain.bound[chain.taken])
			chain.status = ND_FAILURE;
		chain.taken++;
	}
	if (chain.posted == CHAIN)
		return;
	if (nd_cq_notify(pair.side[0].outbound, ND_CQ_NOTIFY_ANY, overlapped) != ND_PENDING)
		chain.status = ND_UNSUCCESSFUL;
	chain_bind();
}

/*
 * ND-129, ND-130: the bind's result is in the queue and the notification completes before the bind
 * returns.
 */
Test(idle, notification_fires_for_a_bind_and_its_callback_binds_nd129)
{
	struct nd_result silent;
	struct nd_mw_descriptor window;

	memset(&chain, 0, sizeof(chain));
	chain.notify.callback = chain_called;
	for (unsigned int i = 0; i < CHAIN; i++)
		chain.windows[i] = window_make();
	expect(nd_cq_notify(pair.side[0].outbound, ND_CQ_NOTIFY_ANY, &chain.notify), ND_PENDING,
		"notify");
	expect(window_bind(window_make(), CHAIN, READ_WRITE | ND_OP_FLAG_SILENT_SUCCESS, &silent,
		       &window),
		ND_SUCCESS, "silent");
	cr_assert_eq(chain.calls, 0, "a silent bind tells nobody");
	chain_bind();
	expect(chain.status, ND_SUCCESS, "in the callback");
	cr_assert_eq(chain.calls, CHAIN, "called %u times", chain.calls);
	cr_assert_eq(chain.taken, CHAIN, "%u results", chain.taken);
	expect(chain.notify.status, ND_SUCCESS, "the last notification");
	for (unsigned int i = 0; i < CHAIN; i++) {
		expect(chain.bound[i].status, ND_SUCCESS, "bind");
		expect(peer_writes(&chain.descriptors[i], i), ND_SUCCESS, "write");
	}
	nd_pair_quiet(&pair, pair.side[0].outbound);
}

/* ND-008: bind and invalidate are refused, and both windows are unchanged. */
static void
expect_connection_invalid(struct nd_mw *bound, struct nd_mw *unbound)
{
	static const uint32_t flags[] = {0, ND_OP_FLAG_SILENT_SUCCESS, ND_OP_FLAG_READ_FENCE};
	struct nd_mw_descriptor window;
	struct nd_result result;

	for (unsigned int i = 0; i < 3; i++) {
		expect(window_bind(unbound, 0, READ_WRITE | flags[i], &result, &window),
			ND_CONNECTION_INVALID, "bind");
		expect(nd_endpoint_invalidate(pair.side[0].endpoint, &result, bound, flags[i]),
			ND_CONNECTION_INVALID, "invalidate");
	}
	expect_results(NULL, 0);
	/* The refused bind is not queued, so the window can be released. */
	expect(nd_mw_release(pair.side[0].adapter, unbound), ND_SUCCESS, "release");
}

Test(idle, disconnected_endpoint_is_connection_invalid_nd008)
{
	for (unsigned int who = 0; who < 2; who++) {
		struct nd_overlapped ended = {0}, told = {0};
		struct nd_mw_descriptor window;
		struct nd_mw *bound = nd_pair_bind(&pair, 0, 0, PIECE, READ_WRITE, &window);
		nd_status telling =
			nd_connector_notify_disconnect(pair.side[1 - who].connector, &told);

		expect(nd_pair_finish(&pair,
			       nd_connector_disconnect(pair.side[who].connector, &ended), &ended),
			ND_SUCCESS, "disconnect");
		expect(nd_pair_finish(&pair, telling, &told), ND_SUCCESS, "told");
		expect_connection_invalid(bound, window_make());
		pair.side[0].connector = NULL;
		nd_pair_connect(&pair);
	}
}

Test(idle, flushed_endpoint_is_connection_invalid_nd008)
{
	struct nd_mw_descriptor window;
	struct nd_mw *bound = nd_pair_bind(&pair, 0, 0, PIECE, READ_WRITE, &window);

	expect(nd_endpoint_flush(pair.side[0].endpoint), ND_SUCCESS, "flush");
	expect_connection_invalid(bound, window_make());
}

/* ND-141: if the completion queue has no room for the result of a bind, the endpoint ends. */
Test(idle, overrun_by_a_bind_ends_the_endpoint_nd141)
{
	struct nd_overlapped notify = {0}, told = {0};
	struct nd_mw_descriptor window;
	struct nd_result bound[4];
	nd_status telling = nd_connector_notify_disconnect(pair.side[1].connector, &told);

	expect(nd_cq_resize(pair.side[0].outbound, 3), ND_SUCCESS, "resize");
	expect(nd_cq_notify(pair.side[0].outbound, ND_CQ_NOTIFY_ERRORS, &notify), ND_PENDING,
		"notify");
	for (unsigned int i = 0; i < 3; i++)
		expect(window_bind(window_make(), i, READ_WRITE, &bound[i], &window), ND_SUCCESS,
			"bind");
	expect(nd_overlapped_get_result(&notify, NULL, false), ND_PENDING, "not yet");
	expect(window_bind(window_make(), 3, READ_WRITE, &bound[3], &window), ND_SUCCESS,
		"one more");
	expect(nd_overlapped_get_result(&notify, NULL, false), ND_BUFFER_OVERFLOW, "told");
	expect(window_bind(window_make(), 4, READ_WRITE, &bound[3], &window), ND_CONNECTION_INVALID,
		"afterwards");
	expect_results((struct nd_result *[]){&bound[0], &bound[1], &bound[2]}, 3);
	expect(nd_pair_finish(&pair, telling, &told), ND_SUCCESS, "the peer is told");
}

/*
 * ND-009: a bind is refused because the send queue is full. An invalidate of the same window is
 * still queued. After the invalidate, the window is unbound, and no bind of the window is pending.
 */
Test(idle, bind_refused_behind_a_queued_invalidate_nd009)
{
	struct nd_side *side = &pair.side[0], *peer = &pair.side[1];
	struct nd_result received[ENTRIES], sent[ENTRIES], read, unbound, bound, *results[3];
	struct nd_sge to = {side->memory + 8192, 32768, side->mr};
	struct nd_mw_descriptor source, first, second;
	struct nd_mw *mw = nd_pair_bind(&pair, 0, 0, PIECE, READ_WRITE, &first);

	nd_pair_bind(&pair, 1, 8192, 32768, READ_WRITE, &source);
	for (unsigned int i = 0; i < ENTRIES - 2; i++) {
		nd_endpoint_receive(peer->endpoint, &received[i], NULL, 0);
		expect(nd_endpoint_send(side->endpoint, &sent[i], NULL, 0, 0), ND_SUCCESS, "send");
	}
	expect(nd_endpoint_read(side->endpoint, &read, &to, 1, &source, 0, 0), ND_SUCCESS, "read");
	expect(nd_endpoint_invalidate(side->endpoint, &unbound, mw, ND_OP_FLAG_READ_FENCE),
		ND_SUCCESS, "invalidate");
	for (unsigned int i = 0; i < 3; i++)
		expect(window_bind(mw, 1, READ_WRITE, &bound, &second), ND_NO_MORE_ENTRIES, "full");
	/*
	 * The Sends are now acknowledged. The Read is not complete, because its response has more
	 * packets than one turn sends.
	 */
	test_poll(peer->adapter);
	test_poll(side->adapter);
	for (unsigned int i = 0; i < ENTRIES - 2; i++) {
		cr_assert_eq(nd_cq_get_results(side->outbound, results, 1), 1);
		cr_assert_eq(results[0], &sent[i]);
	}
	expect_results(NULL, 0);
	expect(window_bind(mw, 1, READ_WRITE, &bound, &second), ND_SUCCESS, "there is a place");
	expect(window_bind(mw, 2, READ_WRITE, &bound, &second), ND_INVALID_DEVICE_STATE,
		"spoken for");
	expect_results(NULL, 0);
	nd_pair_take(&pair, side->outbound, results, 3);
	cr_assert(results[0] == &read && results[1] == &unbound && results[2] == &bound);
	expect(read.status, ND_SUCCESS, "read");
	expect(unbound.status, ND_SUCCESS, "invalidate");
	expect(bound.status, ND_SUCCESS, "bind");
	expect(peer_writes(&second, 1), ND_SUCCESS, "the second key");
	expect(peer_writes(&first, 0), ND_REMOTE_ERROR, "the first key");
}

#define BINDER_WINDOWS 4

/** State of the thread that owns the engine of side 0. The thread uses this state in each turn. */
static struct binder {
	struct nd_endpoint *endpoint; /**< atomic; NULL while idle */
	uint64_t rounds;              /**< atomic */
	const char *failure;          /**< atomic */
	struct nd_mw *windows[BINDER_WINDOWS];
} binder;

static void
binder_fail(const char *why)
{
	__atomic_store_n(&binder.failure, why, __ATOMIC_RELEASE);
}

/** Fail unless the queue already has this result. With NULL, fail unless the queue is empty. */
static void
binder_expect(const struct nd_result *expected)
{
	struct nd_result *results[2];
	size_t count = nd_cq_get_results(pair.side[0].outbound, results, 2);

	if (count != (expected != NULL))
		binder_fail("not the results that were to come");
	else if (count == 1 && (results[0] != expected || expected->status != ND_SUCCESS))
		binder_fail("another result");
}

static void
binder_window(struct nd_endpoint *endpoint, unsigned int number, bool silent)
{
	uint32_t flags = silent ? ND_OP_FLAG_SILENT_SUCCESS : 0;
	struct nd_side *side = &pair.side[0];
	struct nd_mw_descriptor descriptor;
	struct nd_result result;

	if (nd_endpoint_bind(endpoint, &result, side->mr, binder.windows[number],
		    side->memory + (size_t)number * PIECE, PIECE, READ_WRITE | flags,
		    &descriptor) != ND_SUCCESS)
		binder_fail("a window cannot be bound");
	binder_expect(silent ? NULL : &result);
	if (nd_endpoint_invalidate(endpoint, &result, binder.windows[number], flags) != ND_SUCCESS)
		binder_fail("a window cannot be invalidated");
	binder_expect(silent ? NULL : &result);
}

static void
binder_loop(struct nd_engine *engine, void *arg)
{
	struct nd_endpoint *endpoint = __atomic_load_n(&binder.endpoint, __ATOMIC_ACQUIRE);

	(void)engine;
	(void)arg;
	for (unsigned int i = 0; endpoint != NULL && i < BINDER_WINDOWS; i++)
		binder_window(endpoint, i, (binder.rounds + i) % 2 == 0);
	__atomic_store_n(&binder.rounds, binder.rounds + 1, __ATOMIC_RELEASE);
	sched_yield();
}

static void
binder_wait(uint64_t count)
{
	uint64_t until = __atomic_load_n(&binder.rounds, __ATOMIC_ACQUIRE) + count;

	while (__atomic_load_n(&binder.rounds, __ATOMIC_ACQUIRE) < until)
		sched_yield();
	cr_assert_null(binder.failure, "%s", binder.failure);
}

/** Create and release other windows and memory, and wait for notifications of the owner's binds. */
static void
control_round(unsigned int round, int event_fd)
{
	struct nd_adapter *adapter = pair.side[0].adapter;
	struct nd_overlapped notify = {.event_fd = event_fd};
	static uint8_t memory[4096];
	nd_status status;
	eventfd_t count;
	struct nd_mr *mr;

	expect(nd_adapter_register_memory(adapter, memory, sizeof(memory), NULL, &mr), ND_SUCCESS,
		"register");
	expect(nd_mw_release(adapter, window_make()), ND_SUCCESS, "release");
	expect(nd_cq_resize(pair.side[0].outbound, 16 + round % 16), ND_SUCCESS, "resize");
	status = nd_cq_notify(pair.side[0].outbound, ND_CQ_NOTIFY_ANY, &notify);
	if (status == ND_PENDING) {
		cr_assert_eq(eventfd_read(event_fd, &count), 0);
		cr_assert_eq(count, 1, "told %llu times", (unsigned long long)count);
		status = nd_overlapped_get_result(&notify, NULL, false);
	}
	expect(status, ND_SUCCESS, "notify");
	expect(nd_adapter_deregister_memory(adapter, mr, NULL), ND_SUCCESS, "deregister");
	cr_assert_gt(nd_pair_counter(&pair, 0, "rx_frames"), 0);
}

TestSuite(idle_threads, .init = open_pair, .fini = teardown, .timeout = 120);

Test(idle_threads, owner_binds_while_another_thread_controls)
{
	int event_fd = eventfd(0, EFD_CLOEXEC);
	struct runner runners[2];
	struct link link;

	cr_assert_geq(event_fd, 0);
	for (unsigned int i = 0; i < BINDER_WINDOWS; i++)
		binder.windows[i] = window_make();
	runner_start(&runners[0], test_home(pair.side[0].adapter), binder_loop, NULL);
	runner_start(&runners[1], test_home(pair.side[1].adapter), NULL, NULL);
	link_connect(&link, &pair, NULL);
	__atomic_store_n(&binder.endpoint, link.endpoint[0], __ATOMIC_RELEASE);
	for (unsigned int round = 0; round < 100; round++) {
		control_round(round, event_fd);
		binder_wait(2);
	}
	__atomic_store_n(&binder.endpoint, NULL, __ATOMIC_RELEASE);
	binder_wait(2);
	/* ND-025: the memory can be deregistered, because no window is bound to it. */
	expect(nd_adapter_deregister_memory(pair.side[0].adapter, pair.side[0].mr, NULL),
		ND_SUCCESS, "deregister");
	link_disconnect(&link);
	runner_stop(&runners[0]);
	runner_stop(&runners[1]);
	close(event_fd);
}
