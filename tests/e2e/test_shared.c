/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test several threads that use an engine in turn. These tests are most useful with a sanitizer. */

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "support/engines.h"
#include "support/nd_pair.h"
#include "threads_link.h"

#define THREADS  4
#define ROUNDS   4
#define MESSAGES 300
#define DEPTH    8

static struct nd_pair pair;

static struct nd_engine *
home(unsigned int side)
{
	return test_home(pair.side[side].adapter);
}

/** After this call, only a thread that has entered an engine owns it. */
static void
share(void)
{
	struct nd_engine *engine;

	for (unsigned int side = 0; side < 2; side++)
		for (unsigned int i = 0;
			(engine = nd_adapter_get_engine(pair.side[side].adapter, i)) != NULL; i++) {
			cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
			cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
		}
}

static pthread_t ticker;
static bool ticker_stop;

static void turn(unsigned int side);

/**
 * A thread that waits polls only the adapter that it waits for. Usually the other adapter is on
 * another machine and is polled there. Here this thread polls both adapters.
 */
static void *
ticker_main(void *arg)
{
	while (!__atomic_load_n(&ticker_stop, __ATOMIC_ACQUIRE)) {
		turn(0);
		turn(1);
		usleep(50);
	}
	return arg;
}

static void
ticker_start(void)
{
	cr_assert_eq(pthread_create(&ticker, NULL, ticker_main, NULL), 0);
}

static void
ticker_end(void)
{
	__atomic_store_n(&ticker_stop, true, __ATOMIC_RELEASE);
	pthread_join(ticker, NULL);
}

static void
setup(void)
{
	/*
	 * Allow RNR retries, because another thread may poll before the owner of a connection has
	 * posted receives.
	 */
	nd_pair_open(&pair,
		&(struct nd_pair_config){
			.path_mtu = 1024, .mbuf_count = 1024, .rnr_retry_count = 7});
	nd_pair_listen(&pair);
	share();
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(shared, .init = setup, .fini = teardown, .timeout = 120);

/** Give each engine of a side one turn. The endpoints are on the last engine. */
static void
turn(unsigned int side)
{
	struct nd_engine *engine;

	for (unsigned int i = 0;
		(engine = nd_adapter_get_engine(pair.side[side].adapter, i)) != NULL; i++) {
		cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
		nd_engine_poll(engine);
		cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
	}
}

struct message {
	uint32_t thread;
	uint32_t number;
};

/** A thread and its connection. The other end of the connection may belong to another thread. */
struct worker {
	unsigned int number;
	pthread_t thread;
	struct nd_cq *cqs[2];
	struct link link;
	struct message *out, *in; /* arrays of DEPTH messages in registered memory */
	struct nd_result sent[DEPTH], received[DEPTH];
	uint32_t posted, done, got;
	uint32_t peer; /* number of the thread that sends to this thread; THREADS while unknown */
};

static struct worker workers[THREADS];

static void
receive_post(struct worker *worker, unsigned int slot)
{
	struct nd_sge sge = {&worker->in[slot], sizeof(*worker->in), pair.side[1].mr};

	cr_assert_eq(
		nd_endpoint_receive(worker->link.endpoint[1], &worker->received[slot], &sge, 1),
		ND_SUCCESS);
}

static void
send_side(struct worker *worker)
{
	struct nd_result *results[DEPTH];
	size_t count;

	cr_assert_eq(nd_engine_enter(home(0)), ND_SUCCESS);
	while (worker->posted < MESSAGES && worker->posted - worker->done < DEPTH) {
		unsigned int slot = worker->posted % DEPTH;
		struct nd_sge sge = {&worker->out[slot], sizeof(*worker->out), pair.side[0].mr};

		worker->out[slot] = (struct message){worker->number, worker->posted++};
		cr_assert_eq(
			nd_endpoint_send(worker->link.endpoint[0], &worker->sent[slot], &sge, 1, 0),
			ND_SUCCESS);
	}
	nd_engine_poll(home(0));
	count = nd_cq_get_results(worker->cqs[0], results, DEPTH);
	for (size_t i = 0; i < count; i++)
		cr_assert_eq(results[i]->status, ND_SUCCESS);
	worker->done += (uint32_t)count;
	cr_assert_eq(nd_engine_leave(home(0)), ND_SUCCESS);
}

static void
receive_side(struct worker *worker)
{
	struct nd_result *results[DEPTH];
	size_t count;

	cr_assert_eq(nd_engine_enter(home(1)), ND_SUCCESS);
	nd_engine_poll(home(1));
	count = nd_cq_get_results(worker->cqs[1], results, DEPTH);
	for (size_t i = 0; i < count; i++) {
		unsigned int slot = (unsigned int)(results[i] - worker->received);

		if (worker->got == MESSAGES) { /* the sender has already disconnected */
			cr_assert_eq(results[i]->status, ND_CANCELED);
			continue;
		}
		cr_assert_eq(results[i]->status, ND_SUCCESS);
		if (worker->peer == THREADS)
			worker->peer = worker->in[slot].thread;
		cr_assert_eq(worker->in[slot].thread, worker->peer);
		cr_assert_eq(worker->in[slot].number, worker->got++);
		receive_post(worker, slot);
	}
	cr_assert_eq(nd_engine_leave(home(1)), ND_SUCCESS);
}

static void
worker_round(struct worker *worker)
{
	worker->posted = worker->done = worker->got = 0;
	worker->peer = THREADS;
	link_connect(&worker->link, &pair, worker->cqs);
	cr_assert_eq(nd_engine_enter(home(1)), ND_SUCCESS);
	for (unsigned int i = 0; i < DEPTH; i++)
		receive_post(worker, i);
	cr_assert_eq(nd_engine_leave(home(1)), ND_SUCCESS);
	while (worker->done < MESSAGES || worker->got < MESSAGES) {
		send_side(worker);
		receive_side(worker);
		if (test_engines() > 1) {
			turn(0);
			turn(1);
		}
	}
	link_disconnect(&worker->link);
}

static void *
worker_main(void *arg)
{
	struct worker *worker = arg;

	for (unsigned int side = 0; side < 2; side++)
		cr_assert_eq(nd_engine_create_completion_queue(
				     home(side), 4 * DEPTH, &worker->cqs[side]),
			ND_SUCCESS);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		worker_round(worker);
		/* Release the queue to discard the results of receives that were never used. */
		cr_assert_eq(nd_cq_release(worker->cqs[1]), ND_SUCCESS);
		cr_assert_eq(nd_engine_create_completion_queue(home(1), 4 * DEPTH, &worker->cqs[1]),
			ND_SUCCESS);
	}
	for (unsigned int side = 0; side < 2; side++)
		cr_assert_eq(nd_cq_release(worker->cqs[side]), ND_SUCCESS);
	return NULL;
}

/*
 * Each thread connects, posts, takes results and disconnects only for itself. A connection request
 * goes to the first thread that waits, so the two ends of most connections belong to different
 * threads.
 */
Test(shared, threads_connect_post_and_poll_one_engine)
{
	ticker_start();
	for (unsigned int i = 0; i < THREADS; i++) {
		size_t offset = 2 * i * DEPTH * sizeof(struct message);

		workers[i].number = i;
		workers[i].out = (void *)(pair.side[0].memory + offset);
		workers[i].in = (void *)(pair.side[1].memory + offset);
		cr_assert_eq(pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]), 0);
	}
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	ticker_end();
}

static struct link idle_link;
static struct nd_result nothing_sent, nothing_received;

static void *
poster(void *arg)
{
	cr_assert_eq(nd_engine_enter(home(0)), ND_SUCCESS);
	cr_assert_eq(
		nd_endpoint_send(idle_link.endpoint[0], &nothing_sent, NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(home(0)), ND_SUCCESS);
	return arg;
}

static void
idle_connect(void)
{
	link_connect(&idle_link, &pair, NULL);
	cr_assert_eq(nd_engine_enter(home(1)), ND_SUCCESS);
	cr_assert_eq(
		nd_endpoint_receive(idle_link.endpoint[1], &nothing_received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(home(1)), ND_SUCCESS);
}

/*
 * A thread that has entered an engine calls a function that waits for an event. The event occurs
 * only if another thread can enter the engine meanwhile.
 */
Test(shared, thread_that_waits_inside_lets_others_in)
{
	struct nd_overlapped notify = {0};
	pthread_t thread;

	ticker_start();
	idle_connect();
	cr_assert_eq(nd_engine_enter(home(0)), ND_SUCCESS);
	cr_assert_eq(nd_engine_enter(home(0)), ND_SUCCESS);
	cr_assert_eq(nd_cq_notify(pair.side[0].outbound, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
	cr_assert_eq(pthread_create(&thread, NULL, poster, NULL), 0);
	cr_assert_eq(nd_overlapped_get_result(&notify, NULL, true), ND_SUCCESS);
	/* After the wait, the thread is again inside the engine twice, as before the wait. */
	cr_assert_eq(nd_engine_leave(home(0)), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(home(0)), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(home(0)), ND_INVALID_DEVICE_STATE);
	pthread_join(thread, NULL);
	ticker_end();
}

static nd_status entered, left, left_again;
static pthread_t called_on;

static void
notified(struct nd_overlapped *overlapped, void *arg)
{
	(void)overlapped;
	(void)arg;
	called_on = pthread_self();
	entered = nd_engine_enter(home(0));
	left = nd_engine_leave(home(0));
	left_again = nd_engine_leave(home(0));
}

static void *
canceller(void *arg)
{
	cr_assert_eq(nd_cq_cancel_overlapped_requests(pair.side[0].outbound), ND_SUCCESS);
	return arg;
}

Test(shared, callback_runs_inside_on_the_thread_that_calls)
{
	struct nd_overlapped notify = {.callback = notified};
	pthread_t thread;

	cr_assert_eq(nd_cq_notify(pair.side[0].outbound, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
	/* At this point, no thread has entered the engine or polls it. */
	cr_assert_eq(pthread_create(&thread, NULL, canceller, NULL), 0);
	pthread_join(thread, NULL);
	cr_assert_eq(nd_overlapped_get_result(&notify, NULL, false), ND_CANCELED);
	cr_assert_eq(entered, ND_SUCCESS);
	cr_assert_eq(left, ND_SUCCESS);
	cr_assert_eq(left_again, ND_INVALID_DEVICE_STATE);
	cr_assert_not(pthread_equal(called_on, pthread_self()));
}

Test(shared, callback_of_an_engine_that_is_polled_does_not_share_it)
{
	struct nd_overlapped notify = {.callback = notified};

	nd_pair_close(&pair);
	nd_pair_reopen(&pair);
	test_poll(pair.side[0].adapter);
	cr_assert_eq(nd_cq_notify(pair.side[0].outbound, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
	cr_assert_eq(nd_cq_cancel_overlapped_requests(pair.side[0].outbound), ND_SUCCESS);
	cr_assert_eq(entered, ND_SUCCESS);
	cr_assert_eq(left, ND_SUCCESS);
	cr_assert_eq(left_again, ND_INVALID_DEVICE_STATE);
	/* Debug builds assert that this thread still owns the engine. */
	test_poll(pair.side[0].adapter);
}

static void *
outsider(void *arg)
{
	*(nd_status *)arg = nd_engine_enter(home(0));
	if (*(nd_status *)arg == ND_SUCCESS)
		cr_assert_eq(nd_engine_leave(home(0)), ND_SUCCESS);
	return NULL;
}

static nd_status
outsider_enters(void)
{
	nd_status status = ND_PENDING;
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, outsider, &status), 0);
	pthread_join(thread, NULL);
	return status;
}

Test(shared, engine_that_another_thread_polls_is_not_entered)
{
	nd_pair_close(&pair);
	nd_pair_reopen(&pair);
	cr_assert_eq(outsider_enters(), ND_SUCCESS, "nobody has polled it");
	nd_pair_close(&pair);
	nd_pair_reopen(&pair);
	test_poll(pair.side[0].adapter);
	cr_assert_eq(outsider_enters(), ND_INVALID_DEVICE_STATE);
	cr_assert_eq(nd_engine_enter(home(0)), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(home(0)), ND_SUCCESS);
	cr_assert_eq(outsider_enters(), ND_SUCCESS);
}
