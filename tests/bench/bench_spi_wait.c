/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Round trip of a message between two threads of a process through the interfaces of Network
 * Direct, version 2. Both threads arm a notification and sleep until a message arrives, in each of
 * the three possible ways. The floor is a round trip between two threads that wake each other with
 * one eventfd each. In the row "polled", the first thread polls its queue and the second thread
 * sleeps.
 *
 * The cost of a wake-up depends on the core of the other thread. A separate core sleeps and must
 * also be woken, which takes ten times as long in a virtual machine. Therefore there are rows, and
 * a floor, for both threads on one core, and for each thread on its own core.
 */

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <rte_common.h>
#include <sys/eventfd.h>

#include "bench.h"
#include "spi_loop.h"

#define BYTES    64
#define RECEIVES 16

enum wait_mode {
	WAIT_RESULT, /**< GetOverlappedResult */
	WAIT_EVENT,  /**< WaitForSingleObject, GetOverlappedResult */
	WAIT_PORT,   /**< GetQueuedCompletionStatus, GetOverlappedResult */
	WAIT_NONE,   /**< GetResults */
};

/** State of one thread. */
struct waiter {
	struct spi_loop_side *side;
	HANDLE event;
	HANDLE port;         /**< completion port of the side's overlapped file */
	enum wait_mode mode; /**< atomic */
};

static struct spi_loop loop;
static struct waiter waiters[2];
static int events[2];

static void
require(HRESULT status, const char *what)
{
	if (status != ND_SUCCESS)
		bench_fail(what, nd_status_name(status));
}

/* ---- floor ---- */

static void
event_take(int event)
{
	eventfd_t count;

	BENCH_REQUIRE(eventfd_read(event, &count) == 0 && count == 1);
}

static void *
events_answer(void *arg)
{
	(void)arg;
	for (;;) {
		event_take(events[1]);
		BENCH_REQUIRE(eventfd_write(events[0], 1) == 0);
	}
	return NULL;
}

/**
 * cores[0] is the core of the main thread. threads_place() selects the core of the answering
 * threads.
 */
static int cores[2];
static pthread_t answering[2];

static void
core_bind(pthread_t thread, int core)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(core, &one);
	BENCH_REQUIRE(pthread_setaffinity_np(thread, sizeof(one), &one) == 0);
}

/**
 * Bind the threads of a row to cores. @param core index in `cores` of the core for the answering
 * threads
 */
static void
threads_place(unsigned int core)
{
	core_bind(pthread_self(), cores[0]);
	for (unsigned int i = 0; i < RTE_DIM(answering); i++)
		core_bind(answering[i], cores[core]);
}

static void
events_run(void *arg, uint32_t iterations)
{
	const unsigned int *core = arg;

	threads_place(*core);
	for (uint32_t i = 0; i < iterations; i++) {
		BENCH_REQUIRE(eventfd_write(events[1], 1) == 0);
		event_take(events[0]);
	}
}

/* ---- subject ---- */

static void
receive_post(struct spi_loop_side *side)
{
	const ND2_SGE sge = spi_loop_sge(side, BYTES);

	require(IND2QueuePair_Receive(side->qp, NULL, &sge, 1), "Receive");
}

static void
message_send(struct spi_loop_side *side)
{
	const ND2_SGE sge = spi_loop_sge(side, BYTES);

	require(IND2QueuePair_Send(side->qp, NULL, &sge, 1, ND_OP_FLAG_SILENT_SUCCESS), "Send");
}

static void
notification_wait(struct waiter *waiter, OVERLAPPED *overlapped, enum wait_mode mode)
{
	OVERLAPPED *got = NULL;
	ULONG_PTR key;
	DWORD bytes;

	if (mode == WAIT_EVENT)
		BENCH_REQUIRE(WaitForSingleObject(waiter->event, INFINITE) == WAIT_OBJECT_0);
	if (mode == WAIT_PORT) {
		BENCH_REQUIRE(
			GetQueuedCompletionStatus(waiter->port, &bytes, &key, &got, INFINITE));
		BENCH_REQUIRE(got == overlapped);
	}
}

static void
message_wait(struct waiter *waiter)
{
	IND2CompletionQueue *cq = waiter->side->inbound;
	ND2_RESULT result;

	while (IND2CompletionQueue_GetResults(cq, &result, 1) == 0) {
		enum wait_mode mode = __atomic_load_n(&waiter->mode, __ATOMIC_ACQUIRE);
		OVERLAPPED overlapped = {0};
		HRESULT status;

		if (mode == WAIT_NONE)
			continue;
		/*
		 * If the lowest bit of hEvent is set, the completion is not reported to the port.
		 */
		if (mode != WAIT_PORT)
			overlapped.hEvent = (HANDLE)((uintptr_t)waiter->event | 1);
		status = IND2CompletionQueue_Notify(cq, ND_CQ_NOTIFY_ANY, &overlapped);
		if (status == ND_PENDING) {
			notification_wait(waiter, &overlapped, mode);
			status = IND2CompletionQueue_GetOverlappedResult(cq, &overlapped, TRUE);
		}
		require(status, "Notify");
	}
	require(result.Status, "Receive");
	receive_post(waiter->side);
}

static void *
messages_answer(void *arg)
{
	struct waiter *waiter = arg;

	for (;;) {
		message_wait(waiter);
		message_send(waiter->side);
	}
	return NULL;
}

/** Wait modes of both threads, and the core of the second thread. */
struct ways {
	enum wait_mode first, second;
	unsigned int core;
};

static void
messages_run(void *arg, uint32_t iterations)
{
	const struct ways *ways = arg;

	threads_place(ways->core);
	__atomic_store_n(&waiters[0].mode, ways->first, __ATOMIC_RELEASE);
	/* The second thread already waits in the old mode. Its later waits use the new mode. */
	__atomic_store_n(&waiters[1].mode, ways->second, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < iterations; i++) {
		message_send(&loop.side[0]);
		message_wait(&waiters[0]);
	}
}

static void
waiter_open(unsigned int number)
{
	struct waiter *waiter = &waiters[number];

	waiter->side = &loop.side[number];
	waiter->event = CreateEvent(NULL, FALSE, FALSE, NULL);
	waiter->port = CreateIoCompletionPort(waiter->side->file, NULL, 0, 0);
	BENCH_REQUIRE(waiter->event != NULL && waiter->port != NULL);
	for (unsigned int i = 0; i < RECEIVES; i++)
		receive_post(waiter->side);
}

/** Choose the cores. Allow this thread, and threads that it creates, to run on all cores. */
static void
cores_free(void)
{
	cpu_set_t all;
	int found = 0;

	CPU_ZERO(&all);
	for (int i = 0; i < CPU_SETSIZE; i++)
		CPU_SET(i, &all);
	BENCH_REQUIRE(sched_setaffinity(0, sizeof(all), &all) == 0);
	BENCH_REQUIRE(sched_getaffinity(0, sizeof(all), &all) == 0);
	for (int i = 0; i < CPU_SETSIZE && found < 2; i++)
		if (CPU_ISSET(i, &all))
			cores[found++] = i;
	if (found < 2)
		bench_fail("cores", "two are needed");
}

#define PLACED(name, floor, ways)                                                                  \
	{                                                                                          \
		name, floor, "", NULL, messages_run, ways                                          \
	}

int
main(int argc, char **argv)
{
	static const struct bench_defaults defaults = {.rounds = 100, .iterations = 200};
	static unsigned int one_core = 0, two_cores = 1;
	static struct ways result[] = {
		{WAIT_RESULT, WAIT_RESULT, 0}, {WAIT_RESULT, WAIT_RESULT, 1}};
	static struct ways event[] = {{WAIT_EVENT, WAIT_EVENT, 0}, {WAIT_EVENT, WAIT_EVENT, 1}};
	static struct ways port[] = {{WAIT_PORT, WAIT_PORT, 0}, {WAIT_PORT, WAIT_PORT, 1}};
	static struct ways polled = {WAIT_NONE, WAIT_EVENT, 1};
	static const struct bench_row rows[] = {
		{"eventfd_one_core", "eventfd_one_core", "", NULL, events_run, &one_core},
		PLACED("notify_result_one_core", "eventfd_one_core", &result[0]),
		PLACED("notify_event_one_core", "eventfd_one_core", &event[0]),
		PLACED("notify_port_one_core", "eventfd_one_core", &port[0]),
		{"eventfd_two_cores", "eventfd_two_cores", "", NULL, events_run, &two_cores},
		PLACED("notify_result_two_cores", "eventfd_two_cores", &result[1]),
		PLACED("notify_event_two_cores", "eventfd_two_cores", &event[1]),
		PLACED("notify_port_two_cores", "eventfd_two_cores", &port[1]),
		PLACED("notify_event_polled", "eventfd_two_cores", &polled),
	};
	struct bench bench;

	bench_start(&bench, &defaults, argc, argv);
	cores_free();
	spi_loop_open(&loop, false);
	for (unsigned int i = 0; i < 2; i++) {
		waiter_open(i);
		events[i] = eventfd(0, EFD_CLOEXEC);
		BENCH_REQUIRE(events[i] >= 0);
	}
	BENCH_REQUIRE(pthread_create(&answering[0], NULL, events_answer, NULL) == 0);
	BENCH_REQUIRE(pthread_create(&answering[1], NULL, messages_answer, &waiters[1]) == 0);
	bench_run(&bench, rows, RTE_DIM(rows));
	/* The answering threads still wait for a message. They end with the process. */
	return EXIT_SUCCESS;
}
