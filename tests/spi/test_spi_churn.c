/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Connect, one message, disconnect, again and again, from four threads, through two completion
 * queues that all share and one completion port (ND-181). Each thread has a connector of both
 * sides, and takes what comes for any of them. NDPDK_SPI_CONNECTS: connects of each thread.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <criterion/criterion.h>

#include "spi_pair.h"

#define THREADS      4
#define CONNECTS     40
#define PATIENCE_S   60
#define PORT_WAIT_MS 10
/** Results taken at a time. */
#define RESULTS      8
/** Queue pairs made behind all, at the same time. */
#define LAST         255

static struct spi_pair pair;
static HANDLE port;

/** One operation; a packet leads to it. */
struct operation {
	OVERLAPPED overlapped; /**< first */
	int done;              /**< atomic */
};

/** One request; a result leads to it. */
struct request {
	int done; /**< atomic */
	HRESULT status;
};

static void
results_take(IND2CompletionQueue *cq)
{
	ND2_RESULT results[RESULTS];
	ULONG count = IND2CompletionQueue_GetResults(cq, results, RESULTS);

	for (ULONG i = 0; i < count; i++) {
		struct request *request = results[i].RequestContext;

		request->status = results[i].Status;
		__atomic_store_n(&request->done, 1, __ATOMIC_RELEASE);
	}
}

static void
patience(const struct timespec *start, const char *what)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec - start->tv_sec <= PATIENCE_S)
		return;
	fprintf(stderr, "nothing comes: %s\n", what);
	abort();
}

/** Take packets of all threads until the own operation is over. @return its status */
static HRESULT
operation_wait(void *object, HRESULT status, struct operation *operation, const char *what)
{
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	if (status != ND_PENDING)
		return status;
	while (!__atomic_load_n(&operation->done, __ATOMIC_ACQUIRE)) {
		OVERLAPPED *overlapped = NULL;
		ULONG_PTR key;
		DWORD bytes;

		(void)GetQueuedCompletionStatus(port, &bytes, &key, &overlapped, PORT_WAIT_MS);
		if (overlapped != NULL)
			__atomic_store_n(
				&((struct operation *)overlapped)->done, 1, __ATOMIC_RELEASE);
		patience(&start, what);
	}
	return IND2Overlapped_GetOverlappedResult(
		(IND2Overlapped *)object, &operation->overlapped, FALSE);
}

static HRESULT
request_wait(struct request *request, const char *what)
{
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	while (!__atomic_load_n(&request->done, __ATOMIC_ACQUIRE)) {
		results_take(pair.side[0].cq);
		results_take(pair.side[1].cq);
		patience(&start, what);
	}
	return request->status;
}

static void
must(HRESULT status, HRESULT expected, const char *what)
{
	if (status == expected)
		return;
	fprintf(stderr, "%s gives %#x instead of %#x\n", what, (unsigned int)status,
		(unsigned int)expected);
	abort();
}

/** One side of a thread. */
struct half {
	IND2Connector *connector;
	IND2QueuePair *qp;
	struct request request;
	struct operation operation;
	struct operation disconnect;
};

static void
half_make(struct half *half, unsigned int number)
{
	half->connector = spi_pair_connector(&pair, number);
	half->qp = spi_pair_queue_pair(&pair, number, 4);
}

static void
connect_once(struct half *active, struct half *passive)
{
	ND2_SGE to = spi_pair_sge(&pair.side[1], 0, 64);
	ND2_SGE from = spi_pair_sge(&pair.side[0], 0, 64);
	HRESULT asked, connecting, accepting;
	struct operation accept = {0};

	asked = IND2Listener_GetConnectionRequest(
		pair.listener, (IUnknown *)passive->connector, &passive->operation.overlapped);
	must(asked, ND_PENDING, "GetConnectionRequest");
	must(IND2QueuePair_Receive(passive->qp, &passive->request, &to, 1), ND_SUCCESS, "Receive");
	must(IND2Connector_Bind(active->connector, (struct sockaddr *)&pair.side[0].address,
		     sizeof(struct sockaddr_in)),
		ND_SUCCESS, "Bind");
	connecting = IND2Connector_Connect(active->connector, (IUnknown *)active->qp,
		(struct sockaddr *)&pair.listening, sizeof(struct sockaddr_in), 1, 1, NULL, 0,
		&active->operation.overlapped);
	must(operation_wait(pair.listener, asked, &passive->operation, "a request"), ND_SUCCESS,
		"GetConnectionRequest");
	accepting = IND2Connector_Accept(
		passive->connector, (IUnknown *)passive->qp, 1, 1, NULL, 0, &accept.overlapped);
	must(operation_wait(active->connector, connecting, &active->operation, "the answer"),
		ND_SUCCESS, "Connect");
	must(IND2Connector_CompleteConnect(active->connector, &active->operation.overlapped),
		ND_SUCCESS, "CompleteConnect");
	must(IND2QueuePair_Send(active->qp, &active->request, &from, 1, 0), ND_SUCCESS, "Send");
	must(operation_wait(passive->connector, accepting, &accept, "the end of Accept"),
		ND_SUCCESS, "Accept");
	must(request_wait(&active->request, "the send"), ND_SUCCESS, "Send");
	must(request_wait(&passive->request, "the message"), ND_SUCCESS, "Receive");
	must(operation_wait(active->connector,
		     IND2Connector_Disconnect(active->connector, &active->disconnect.overlapped),
		     &active->disconnect, "the end of Disconnect"),
		ND_SUCCESS, "Disconnect");
	/* The peer of this side is another thread's. */
	must(operation_wait(passive->connector,
		     IND2Connector_Disconnect(passive->connector, &passive->disconnect.overlapped),
		     &passive->disconnect, "the end of the other Disconnect"),
		ND_SUCCESS, "Disconnect");
}

static void *
run(void *arg)
{
	unsigned int connects = *(unsigned int *)arg;

	for (unsigned int i = 0; i < connects; i++) {
		struct half active = {0}, passive = {0};

		half_make(&active, 0);
		half_make(&passive, 1);
		connect_once(&active, &passive);
		must((HRESULT)IND2QueuePair_Release(active.qp), 0, "Release");
		must((HRESULT)IND2Connector_Release(passive.connector), 0, "Release");
		must((HRESULT)IND2Connector_Release(active.connector), 0, "Release");
		must((HRESULT)IND2QueuePair_Release(passive.qp), 0, "Release");
	}
	return NULL;
}

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

TestSuite(spi_churn, .init = setup, .fini = teardown);

Test(spi_churn, ND_181_connects_from_four_threads)
{
	const char *asked = getenv("NDPDK_SPI_CONNECTS");
	unsigned int connects = asked == NULL ? CONNECTS : (unsigned int)strtoul(asked, NULL, 10);
	pthread_t threads[THREADS];
	IND2QueuePair *last[LAST];

	port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 0);
	cr_assert_not_null(port);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(CreateIoCompletionPort(pair.side[i].file, port, i, 0), port);
	spi_pair_listen(&pair);
	for (unsigned int i = 0; i < THREADS; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, run, &connects), 0);
	for (unsigned int i = 0; i < THREADS; i++)
		cr_assert_eq(pthread_join(threads[i], NULL), 0);
	/* All have been given back,
		or these would not fit: there is room for 256 with the pair's. */
	for (unsigned int i = 0; i < LAST; i++)
		last[i] = spi_pair_queue_pair(&pair, 0, 4);
	for (unsigned int i = 0; i < LAST; i++)
		cr_assert_eq(IND2QueuePair_Release(last[i]), 0);
	CloseHandle(port);
}
