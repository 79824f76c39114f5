/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Several threads use the same adapters, whose engines are shared (nd_engine_enter()). Each thread
 * connects, sends, disconnects and closes. Each side has one completion queue for the results of
 * all threads. Callbacks run on any thread that polls. Run this test with a thread sanitizer as
 * well.
 */

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "ndk_pair.h"

#include "support/engines.h"
#include "support/number.h"

#define THREADS  4u
#define ROUNDS   20u /* minimum number of rounds; NDPDK_TEST_CHURN_S sets a time instead */
#define MESSAGES 8u

/** Number of reports and last status of an operation. Any thread may report the operation. */
struct told {
	unsigned int count; /* atomic */
	NTSTATUS status;
};

/** A thread with a connection between both sides. Arrays are indexed by side. */
struct worker {
	pthread_t thread;
	NDK_QP *qp[2];
	NDK_CONNECTOR *connector[2]; /* element 1, which the listener creates, is atomic */
	struct told connecting, accepting, disconnecting[2], closing[4];
	unsigned int results[2];   /* atomic; number of successful results */
	unsigned int cancelled[2]; /* atomic; number of cancelled results */
	unsigned int events[2];    /* atomic; number of disconnect events */
	unsigned int refused;      /* number of refused connects */
};

static struct worker workers[THREADS];
static pthread_t ticker;
static bool ticker_stop;

static VOID
tell(PVOID context, NTSTATUS status)
{
	struct told *told = context;

	told->status = status;
	__atomic_fetch_add(&told->count, 1, __ATOMIC_RELEASE);
}

static VOID
tell_closed(PVOID context)
{
	tell(context, STATUS_SUCCESS);
}

static VOID
tell_disconnected(PVOID context)
{
	__atomic_fetch_add((unsigned int *)context, 1, __ATOMIC_RELEASE);
}

static unsigned int
load(const unsigned int *value)
{
	return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

/**
 * Take results of all threads, and count each for its thread. The caller has entered the engine.
 */
static void
results_share(unsigned int side)
{
	NDK_CQ *cq = pair.side[side].cq;
	NDK_RESULT results[8];
	ULONG count = cq->Dispatch->NdkGetCqResults(cq, results, 8);

	for (ULONG i = 0; i < count; i++) {
		struct worker *worker = results[i].RequestContext;
		unsigned int *counter = results[i].Status == STATUS_CANCELLED
			? &worker->cancelled[side]
			: &worker->results[side];

		cr_assert(results[i].Status == STATUS_SUCCESS ||
			results[i].Status == STATUS_CANCELLED);
		__atomic_fetch_add(counter, 1, __ATOMIC_RELEASE);
	}
}

static struct nd_engine *
home(unsigned int side)
{
	return test_home(pair.native.side[side].adapter);
}

static void
turn(unsigned int side)
{
	struct nd_adapter *adapter = pair.native.side[side].adapter;
	struct nd_engine *engine;

	for (size_t i = 0; (engine = nd_adapter_get_engine(adapter, i)) != NULL; i++) {
		cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
		nd_engine_poll(engine);
		if (engine == home(side))
			results_share(side);
		cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
	}
}

/** Thread that polls both sides continuously, even if no worker polls. */
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

#define TURN_UNTIL(condition)                                                                      \
	do {                                                                                       \
		while (!(condition)) {                                                             \
			turn(0);                                                                   \
			turn(1);                                                                   \
		}                                                                                  \
	} while (0)

static NTSTATUS
told_wait(NTSTATUS status, struct told *told)
{
	if (status != STATUS_PENDING)
		return status;
	TURN_UNTIL(load(&told->count) != 0);
	status = told->status;
	__atomic_store_n(&told->count, 0, __ATOMIC_RELAXED);
	return status;
}

/** Connect event callback. The private data of the request contains the number of the worker. */
static VOID
asked(PVOID context, NDK_CONNECTOR *connector)
{
	ULONG length = sizeof(uint32_t);
	struct worker *worker;
	uint32_t number = THREADS;

	(void)context;
	connector->Dispatch->NdkGetConnectionData(connector, NULL, NULL, &number, &length);
	cr_assert_lt(number, THREADS);
	worker = &workers[number];
	ASSERT_NT(connector->Dispatch->NdkAccept(connector, worker->qp[1], 1, 1, NULL, 0,
			  tell_disconnected, &worker->events[1], tell, &worker->accepting),
		STATUS_PENDING);
	__atomic_store_n(&worker->connector[1], connector, __ATOMIC_RELEASE);
}

static void
worker_connect(struct worker *worker)
{
	uint32_t number = (uint32_t)(worker - workers);
	NDK_CONNECTOR *connector = side_connector(&pair.side[0]);
	struct told completing = {0};
	NTSTATUS status;

	for (unsigned int i = 0; i < 2; i++)
		worker->qp[i] = side_qp(&pair.side[i], pair.side[i].cq, NDK_DEPTH, worker);
	worker->connector[0] = connector;
	__atomic_store_n(&worker->connector[1], NULL, __ATOMIC_RELEASE);
	do {
		status = told_wait(connector->Dispatch->NdkConnect(connector, worker->qp[0],
					   (PSOCKADDR)&pair.own[0], sizeof(pair.own[0]),
					   (PSOCKADDR)&pair.address, sizeof(pair.address), 1, 1,
					   &number, sizeof(number), tell, &worker->connecting),
			&worker->connecting);
		worker->refused += status == STATUS_CONNECTION_REFUSED;
	} while (status == STATUS_CONNECTION_REFUSED);
	ASSERT_NT(status, STATUS_SUCCESS);
	ASSERT_NT(connector->Dispatch->NdkCompleteConnect(
			  connector, tell_disconnected, &worker->events[0], tell, &completing),
		STATUS_SUCCESS);
	ASSERT_NT(told_wait(STATUS_PENDING, &worker->accepting), STATUS_SUCCESS);
}

/** Send messages from one side to the other. Post one receive more than there are messages. */
static void
worker_talk(struct worker *worker, unsigned int from)
{
	NDK_QP *sender = worker->qp[from], *receiver = worker->qp[1 - from];

	cr_assert_eq(nd_engine_enter(home(1 - from)), ND_SUCCESS);
	for (unsigned int i = 0; i <= MESSAGES; i++)
		ASSERT_NT(
			receiver->Dispatch->NdkReceive(receiver, worker, NULL, 0), STATUS_SUCCESS);
	cr_assert_eq(nd_engine_leave(home(1 - from)), ND_SUCCESS);
	for (unsigned int i = 0; i < MESSAGES; i++) {
		cr_assert_eq(nd_engine_enter(home(from)), ND_SUCCESS);
		ASSERT_NT(sender->Dispatch->NdkSend(sender, worker, NULL, 0, 0), STATUS_SUCCESS);
		cr_assert_eq(nd_engine_leave(home(from)), ND_SUCCESS);
	}
}

/** Disconnect side 0. Wait for the disconnect event of side 1, and then flush side 1. */
static void
worker_end(struct worker *worker)
{
	for (unsigned int i = 0; i < 2; i++) {
		NDK_CONNECTOR *connector = worker->connector[i];

		if (i == 1)
			TURN_UNTIL(load(&worker->events[1]) != 0);
		cr_assert_eq(load(&worker->cancelled[i]), 0, "flushed by nobody");
		ASSERT_NT(told_wait(connector->Dispatch->NdkDisconnect(
					    connector, tell, &worker->disconnecting[i]),
				  &worker->disconnecting[i]),
			STATUS_SUCCESS);
		TURN_UNTIL(load(&worker->cancelled[i]) == 1);
		ASSERT_NT(told_wait(connector->Dispatch->NdkCloseConnector(
					    &connector->Header, tell_closed, &worker->closing[i]),
				  &worker->closing[i]),
			STATUS_SUCCESS);
		ASSERT_NT(told_wait(worker->qp[i]->Dispatch->NdkCloseQp(&worker->qp[i]->Header,
					    tell_closed, &worker->closing[2 + i]),
				  &worker->closing[2 + i]),
			STATUS_SUCCESS);
	}
}

static void *
worker_main(void *arg)
{
	struct worker *worker = arg;
	time_t since = 0;

	(void)test_churn_over(&since);
	for (unsigned int round = 0; round < ROUNDS || !test_churn_over(&since); round++) {
		memset(worker->results, 0, sizeof(worker->results));
		memset(worker->cancelled, 0, sizeof(worker->cancelled));
		memset(worker->events, 0, sizeof(worker->events));
		worker_connect(worker);
		worker_talk(worker, 0);
		worker_talk(worker, 1);
		for (unsigned int i = 0; i < 2; i++)
			TURN_UNTIL(load(&worker->results[i]) == 2 * MESSAGES);
		worker_end(worker);
	}
	return NULL;
}

static void
setup(void)
{
	struct ndk_side *side = &pair.side[1];
	ULONG length = sizeof(pair.address);
	struct ndk_call call = {0};
	struct nd_engine *engine;

	/*
	 * Allow RNR retries, because a message may arrive before the receiving side has posted its
	 * receives.
	 */
	pair_configure(&(struct nd_pair_config){.rnr_retry_count = 7});
	pair_open();
	ASSERT_NT(side->adapter->Dispatch->NdkCreateListener(
			  side->adapter, asked, NULL, create_over, NULL, &pair.listener),
		STATUS_SUCCESS);
	ASSERT_NT(pair.listener->Dispatch->NdkListen(pair.listener, (PSOCKADDR)&pair.own[1],
			  sizeof(pair.own[1]), call_over, &call),
		STATUS_SUCCESS);
	ASSERT_NT(pair.listener->Dispatch->NdkGetLocalAddress(
			  pair.listener, (PSOCKADDR)&pair.address, &length),
		STATUS_SUCCESS);
	for (unsigned int i = 0; i < 2; i++) {
		struct nd_adapter *adapter = pair.native.side[i].adapter;

		/* This depth is sufficient for the results of all threads. */
		pair.side[i].cq = side_cq(&pair.side[i], 256);
		for (size_t k = 0; (engine = nd_adapter_get_engine(adapter, k)) != NULL; k++) {
			cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
			cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
		}
	}
}

TestSuite(ndk_threads, .init = setup, .fini = pair_close, .timeout = 120);

/*
 * ND-181. Several threads connect, send and disconnect. No result, queue pair or connector is lost.
 */
Test(ndk_threads, nd_181_churn_of_connections)
{
	unsigned int refused = 0;

	cr_assert_eq(pthread_create(&ticker, NULL, ticker_main, NULL), 0);
	for (unsigned int i = 0; i < THREADS; i++)
		cr_assert_eq(pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]), 0);
	for (unsigned int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		refused += workers[i].refused;
	}
	__atomic_store_n(&ticker_stop, true, __ATOMIC_RELEASE);
	pthread_join(ticker, NULL);
	cr_assert_eq(refused, 0);
	for (unsigned int i = 0; i < THREADS; i++)
		cr_assert_eq(load(&workers[i].closing[0].count), 0);
}

#define POSTERS 3u

static unsigned int armed_calls; /* atomic */

static VOID
count_call(PVOID context, NTSTATUS status)
{
	(void)context;
	(void)status;
	__atomic_fetch_add(&armed_calls, 1, __ATOMIC_RELEASE);
}

/** Thread that enters the engine and posts empty sends on the shared queue pair. */
static void *
poster_main(void *arg)
{
	struct worker *worker = arg;
	NDK_QP *qp = worker->qp[0];

	for (unsigned int sent = 0; sent < 50;) {
		NTSTATUS status;

		cr_assert_eq(nd_engine_enter(home(0)), ND_SUCCESS);
		status = qp->Dispatch->NdkSend(qp, worker, NULL, 0, 0);
		cr_assert_eq(nd_engine_leave(home(0)), ND_SUCCESS);
		sent += status == STATUS_SUCCESS;
		cr_assert(status == STATUS_SUCCESS || status == STATUS_INSUFFICIENT_RESOURCES);
		turn(0);
		turn(1);
	}
	return NULL;
}

/*
 * Several threads post to one queue pair, while others arm its completion queue, take results and
 * change the moderation.
 */
Test(ndk_threads, one_queue_pair_of_several_threads)
{
	struct worker *worker = &workers[0];
	pthread_t posters[POSTERS];
	unsigned int posted = 0;
	NDK_QP *receiver;
	NDK_CQ *cq;

	pair.side[1].cq = cq = NULL;
	ASSERT_NT(pair.side[1].adapter->Dispatch->NdkCreateCq(pair.side[1].adapter, 256, count_call,
			  NULL, &(GROUP_AFFINITY){.Mask = (ULONG_PTR)1 << (test_engines() - 1)},
			  create_over, NULL, &cq),
		STATUS_SUCCESS);
	pair.side[1].cq = cq;
	worker_connect(worker);
	receiver = worker->qp[1];
	for (unsigned int i = 0; i < POSTERS; i++)
		cr_assert_eq(pthread_create(&posters[i], NULL, poster_main, worker), 0);
	while (load(&worker->results[1]) < 50 * POSTERS) {
		cr_assert_eq(nd_engine_enter(home(1)), ND_SUCCESS);
		while (posted < 50 * POSTERS && posted - load(&worker->results[1]) < NDK_DEPTH &&
			receiver->Dispatch->NdkReceive(receiver, worker, NULL, 0) == STATUS_SUCCESS)
			posted++;
		cr_assert_eq(nd_engine_leave(home(1)), ND_SUCCESS);
		ASSERT_NT(cq->Dispatch->NdkControlCqInterruptModeration(cq, UINT32_MAX, posted % 3),
			STATUS_SUCCESS);
		cq->Dispatch->NdkArmCq(cq, NDK_CQ_NOTIFY_ANY);
		turn(0);
		turn(1);
	}
	for (unsigned int i = 0; i < POSTERS; i++)
		pthread_join(posters[i], NULL);
	TURN_UNTIL(load(&worker->results[0]) == 50 * POSTERS);
	cr_assert_gt(load(&armed_calls), 0);
	cr_assert_eq(load(&worker->cancelled[0]) + load(&worker->cancelled[1]), 0);
}
