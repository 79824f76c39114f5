/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Objects are closed or released, and operations are cancelled, while operations are pending. */

#include <pthread.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include "spi_pair.h"

#define CANCELS 500u

static struct spi_pair pair;

static void
setup(void)
{
	spi_pair_configure();
	spi_pair_open(&pair);
}

static void
teardown(void)
{
	spi_pair_close(&pair);
}

TestSuite(spi_close, .init = setup, .fini = teardown);

/** A thread that repeatedly cancels all pending operations of an object. */
struct race {
	pthread_t thread;
	bool stop;      /**< atomic */
	uint32_t turns; /**< atomic */
};

static void *
cancel_run(void *arg)
{
	struct race *race = arg;

	while (!__atomic_load_n(&race->stop, __ATOMIC_ACQUIRE)) {
		IND2CompletionQueue_CancelOverlappedRequests(pair.side[1].cq);
		__atomic_add_fetch(&race->turns, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/** Wait until the thread has called and completed one more cancel. */
static void
cancel_wait(const struct race *race)
{
	const struct timespec end = spi_pair_deadline();
	uint32_t first = __atomic_load_n(&race->turns, __ATOMIC_RELAXED);

	while (__atomic_load_n(&race->turns, __ATOMIC_RELAXED) - first < 2)
		cr_assert(!spi_pair_is_late(&end), "nothing is cancelled");
}

/*
 * One thread calls CancelOverlappedRequests while another thread causes completions. Each Notify
 * must end once, with one packet. After that the program may reuse the OVERLAPPED.
 */
Test(spi_close, cancels_and_completions)
{
	struct spi_side *side = &pair.side[1];
	HANDLE port = CreateIoCompletionPort(side->file, NULL, 7, 0);
	unsigned int cancelled = 0, ended = 0;
	struct race race = {0};

	cr_assert_not_null(port);
	spi_pair_connect(&pair);
	while (true) {
		OVERLAPPED *taken;
		ULONG_PTR key;
		DWORD bytes;

		/* Remove the packets of connection operations from the port. */
		if (!GetQueuedCompletionStatus(port, &bytes, &key, &taken, 10))
			break;
	}
	cr_assert_eq(pthread_create(&race.thread, NULL, cancel_run, &race), 0);
	for (unsigned int i = 0; i < CANCELS; i++) {
		OVERLAPPED *overlapped = calloc(1, sizeof(*overlapped)), *taken = NULL;
		ULONG_PTR key = 0;
		DWORD bytes;

		cr_assert_eq(IND2QueuePair_Receive(side->qp, NULL, NULL, 0), ND_SUCCESS);
		cr_assert_eq(IND2CompletionQueue_Notify(side->cq, ND_CQ_NOTIFY_ANY, overlapped),
			ND_PENDING);
		if (i % 2 != 0)
			cancel_wait(&race);
		cr_assert_eq(IND2QueuePair_Send(pair.side[0].qp, NULL, NULL, 0, 0), ND_SUCCESS);
		(void)GetQueuedCompletionStatus(port, &bytes, &key, &taken, 20000);
		cr_assert_eq(taken, overlapped);
		cr_assert_eq(key, 7);
		switch (IND2CompletionQueue_GetOverlappedResult(side->cq, overlapped, FALSE)) {
		case ND_SUCCESS:
			ended++;
			break;
		case ND_CANCELED:
			cancelled++;
			break;
		default:
			cr_assert_fail("neither");
		}
		free(overlapped);
		cr_assert_eq(spi_pair_expect(side->cq, Nd2RequestTypeReceive, NULL), ND_SUCCESS);
		cr_assert_eq(
			spi_pair_expect(pair.side[0].cq, Nd2RequestTypeSend, NULL), ND_SUCCESS);
	}
	__atomic_store_n(&race.stop, true, __ATOMIC_RELEASE);
	pthread_join(race.thread, NULL);
	cr_assert_gt(cancelled, 0);
	cr_assert_gt(ended, 0);
	cr_assert_gt(__atomic_load_n(&race.turns, __ATOMIC_RELAXED), 0);
	CloseHandle(port);
}

/* An operation completes even if its event or its port was closed before. */
Test(spi_close, handles_closed_early)
{
	struct spi_side *side = &pair.side[1];
	HANDLE port = CreateIoCompletionPort(side->file, NULL, 7, 0);
	OVERLAPPED first = {.hEvent = CreateEvent(NULL, FALSE, FALSE, NULL)}, second = {0};

	cr_assert_eq(IND2CompletionQueue_Notify(side->cq, ND_CQ_NOTIFY_ANY, &first), ND_PENDING);
	cr_assert_eq(
		IND2CompletionQueue_Notify(side->cq, ND_CQ_NOTIFY_ERRORS, &second), ND_PENDING);
	cr_assert(CloseHandle(first.hEvent));
	cr_assert(CloseHandle(port));
	cr_assert(CloseHandle(side->file));
	side->file = NULL;
	/*
	 * The queue pair keeps a reference to the released queue. The queue's notifications are
	 * cancelled.
	 */
	cr_assert_eq(IND2CompletionQueue_Release(side->cq), 0);
	cr_assert_eq(IND2CompletionQueue_GetOverlappedResult(side->cq, &first, TRUE), ND_CANCELED);
	cr_assert_eq(IND2CompletionQueue_GetOverlappedResult(side->cq, &second, TRUE), ND_CANCELED);
	side->cq = NULL;
}
