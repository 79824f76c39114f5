/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Four threads repeatedly connect, transfer one message and disconnect. The threads share two
 * completion queues and one completion port (ND-181). Each thread has a connector on each side, and
 * takes results for all threads. Each message must arrive once. At the end, no object, key, packet
 * buffer or thread may be left. NDPDK_SPI_CONNECTS is the number of connects of each thread.
 * NDPDK_TEST_CHURN_S is the minimum time in s for which each thread connects (support/number.h).
 */

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <criterion/criterion.h>
#include <ndpdk/nd_telemetry.h>
#include <rte_mempool.h>

#include "spi/device.h"
#include "spi/link.h"
#include "spi_pair.h"
#include "support/number.h"

#define THREADS      4
#define CONNECTS     40
#define PATIENCE_S   60
#define PORT_WAIT_MS 10
/** Maximum number of connects of a thread if NDPDK_TEST_CHURN_S is set. */
#define CONNECTS_MAX (1u << 20)
#define RESULTS      8
/** Number of queue pairs that exist at the same time after the test. */
#define LAST         255

/** Number of words of a message. Each word contains the number of the message. */
#define WORDS 16

static struct spi_pair pair;
static HANDLE port;
/** Maximum number of connects of each thread, and number of connects made by each thread. */
static unsigned int connects, made[THREADS];
static bool timed;
/** For each message, 1 if it has arrived. */
static uint8_t *arrived;

/** An overlapped operation. Its address is that of the OVERLAPPED in a completion packet. */
struct operation {
	OVERLAPPED overlapped; /**< must be first */
	int done;              /**< atomic */
};

/** State of a request. The context of the request's result points to it. */
struct request {
	int done; /**< atomic */
	HRESULT status;
	ULONG bytes;
};

static void
fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	abort();
}

static void
results_take(IND2CompletionQueue *cq)
{
	ND2_RESULT results[RESULTS];
	ULONG count = IND2CompletionQueue_GetResults(cq, results, RESULTS);

	for (ULONG i = 0; i < count; i++) {
		struct request *request = results[i].RequestContext;

		request->status = results[i].Status;
		request->bytes = results[i].BytesTransferred;
		if (__atomic_exchange_n(&request->done, 1, __ATOMIC_ACQ_REL) != 0)
			fail("a request has two results");
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

/** Take completion packets of all threads until this operation is complete. @return its status */
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
		if (overlapped != NULL &&
			__atomic_exchange_n(
				&((struct operation *)overlapped)->done, 1, __ATOMIC_ACQ_REL) != 0)
			fail("an operation has two packets");
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

struct turn {
	struct half active, passive;
	uint32_t thread;
	uint32_t number; /**< number of the turn's message */
};

/** @return an SGE for the thread's part of a side's memory */
static ND2_SGE
place_of(const struct turn *turn, unsigned int side)
{
	return spi_pair_sge(&pair.side[side], turn->thread * WORDS * sizeof(uint32_t),
		WORDS * sizeof(uint32_t));
}

/**
 * Check a received message. Its sender is often another thread, because a connect is accepted by
 * the thread that gets the next request.
 */
static void
message_check(const struct turn *turn)
{
	ND2_SGE place = place_of(turn, 1);
	uint32_t words[WORDS];

	memcpy(words, place.Buffer, sizeof(words));
	for (unsigned int i = 1; i < WORDS; i++) {
		if (words[i] != words[0])
			fail("a message is of two parts");
	}
	if (turn->passive.request.bytes != sizeof(words) || words[0] >= THREADS * connects)
		fail("a message is not what was sent");
	if (__atomic_exchange_n(&arrived[words[0]], 1, __ATOMIC_RELAXED) != 0)
		fail("a message comes twice");
}

static void
message_send(struct turn *turn)
{
	struct half *active = &turn->active;
	ND2_SGE place = place_of(turn, 0);
	uint32_t words[WORDS];

	for (unsigned int i = 0; i < WORDS; i++)
		words[i] = turn->number;
	memcpy(place.Buffer, words, sizeof(words));
	must(IND2QueuePair_Send(active->qp, &active->request, &place, 1, 0), ND_SUCCESS, "Send");
}

/**
 * Connect the active half and accept with the passive half. The peer of the passive half may belong
 * to another thread.
 */
static void
turn_connect(struct turn *turn, struct operation *accept, HRESULT *accepting)
{
	struct half *active = &turn->active, *passive = &turn->passive;
	HRESULT asked, connecting;

	asked = IND2Listener_GetConnectionRequest(
		pair.listener, (IUnknown *)passive->connector, &passive->operation.overlapped);
	must(asked, ND_PENDING, "GetConnectionRequest");
	must(IND2Connector_Bind(active->connector, (struct sockaddr *)&pair.side[0].address,
		     sizeof(struct sockaddr_in)),
		ND_SUCCESS, "Bind");
	connecting = IND2Connector_Connect(active->connector, (IUnknown *)active->qp,
		(struct sockaddr *)&pair.listening, sizeof(struct sockaddr_in), 1, 1, NULL, 0,
		&active->operation.overlapped);
	must(operation_wait(pair.listener, asked, &passive->operation, "a request"), ND_SUCCESS,
		"GetConnectionRequest");
	*accepting = IND2Connector_Accept(
		passive->connector, (IUnknown *)passive->qp, 1, 1, NULL, 0, &accept->overlapped);
	must(operation_wait(active->connector, connecting, &active->operation, "the answer"),
		ND_SUCCESS, "Connect");
	must(IND2Connector_CompleteConnect(active->connector, &active->operation.overlapped),
		ND_SUCCESS, "CompleteConnect");
}

static void
turn_disconnect(struct half *half, const char *what)
{
	must(operation_wait(half->connector,
		     IND2Connector_Disconnect(half->connector, &half->disconnect.overlapped),
		     &half->disconnect, what),
		ND_SUCCESS, "Disconnect");
}

static void
connect_once(struct turn *turn)
{
	struct half *active = &turn->active, *passive = &turn->passive;
	struct operation accept = {0};
	ND2_SGE to = place_of(turn, 1);
	HRESULT accepting;

	must(IND2QueuePair_Receive(passive->qp, &passive->request, &to, 1), ND_SUCCESS, "Receive");
	turn_connect(turn, &accept, &accepting);
	message_send(turn);
	must(operation_wait(passive->connector, accepting, &accept, "the end of Accept"),
		ND_SUCCESS, "Accept");
	must(request_wait(&active->request, "the send"), ND_SUCCESS, "Send");
	must(request_wait(&passive->request, "the message"), ND_SUCCESS, "Receive");
	message_check(turn);
	turn_disconnect(active, "the end of Disconnect");
	/*
	 * The passive half's peer may belong to another thread, so this thread also disconnects the
	 * passive half.
	 */
	turn_disconnect(passive, "the end of the other Disconnect");
}

static void *
run(void *arg)
{
	uint32_t thread = (uint32_t)(uintptr_t)arg;
	time_t since = 0;

	for (unsigned int i = 0; i < connects; i++) {
		struct turn turn = {.thread = thread, .number = thread * connects + i};

		half_make(&turn.active, 0);
		half_make(&turn.passive, 1);
		connect_once(&turn);
		must((HRESULT)IND2QueuePair_Release(turn.active.qp), 0, "Release");
		must((HRESULT)IND2Connector_Release(turn.passive.connector), 0, "Release");
		must((HRESULT)IND2Connector_Release(turn.active.connector), 0, "Release");
		must((HRESULT)IND2QueuePair_Release(turn.passive.qp), 0, "Release");
		made[thread]++;
		if (timed && test_churn_over(&since))
			break;
	}
	return NULL;
}

/** Numbers of objects that connections use, for a comparison before and after the test. */
struct holdings {
	unsigned int
		numbers; /**< queue pairs, completion queues, regions and windows in telemetry */
	unsigned int links;
	unsigned int farewells;
	unsigned int mbufs; /**< packet buffers in use (outside their pools) */
	unsigned int threads;
};

static void
ignore_begin(void *arg, const char *name, enum nd_telemetry_kind kind)
{
	(void)arg, (void)name, (void)kind;
}

static void
ignore_end(void *arg)
{
	(void)arg;
}

static void
ignore_text(void *arg, const char *name, const char *text)
{
	(void)arg, (void)name, (void)text;
}

/**
 * Count the objects in a telemetry answer. Each array element is an object, and each of the three
 * named members is a number of objects.
 */
static void
number_add(void *arg, const char *name, uint64_t value)
{
	struct holdings *holdings = arg;

	if (name == NULL)
		holdings->numbers++;
	else if (strcmp(name, "regions") == 0 || strcmp(name, "windows") == 0 ||
		strcmp(name, "windows_bound") == 0)
		holdings->numbers += (unsigned int)value;
}

static void
pool_add(struct rte_mempool *pool, void *arg)
{
	if (strncmp(pool->name, "nd_pool_", strlen("nd_pool_")) == 0)
		((struct holdings *)arg)->mbufs += rte_mempool_in_use_count(pool);
}

static unsigned int
threads_count(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned int count = 0;

	cr_assert_not_null(tasks);
	while (readdir(tasks) != NULL)
		count++;
	closedir(tasks);
	return count;
}

static struct holdings
holdings_take(void)
{
	static const struct nd_telemetry_sink sink = {
		ignore_begin, ignore_end, number_add, ignore_text};
	static const char *const questions[] = {
		"/ndpdk/qp/list,%u", "/ndpdk/cq,%u", "/ndpdk/mr,%u"};
	struct holdings holdings = {.threads = threads_count()};
	char question[64];

	for (unsigned int i = 0; i < 2; i++) {
		struct spi_device *device = spi_device_get(i);
		struct spi_link *link;

		for (unsigned int n = 0; n < sizeof(questions) / sizeof(questions[0]); n++) {
			snprintf(question, sizeof(question), questions[n], i);
			cr_assert_eq(nd_telemetry_query(question, &sink, &holdings), ND_SUCCESS);
		}
		pthread_mutex_lock(&device->links_lock);
		LIST_FOREACH (link, &device->links, entry)
			holdings.links++;
		pthread_mutex_unlock(&device->links_lock);
		holdings.farewells += __atomic_load_n(&device->farewells, __ATOMIC_ACQUIRE);
	}
	rte_mempool_walk(pool_add, &holdings);
	return holdings;
}

/** Wait until connections have freed their objects. The wait takes at most the TimeWait period. */
static void
holdings_expect(const struct holdings *expected)
{
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (;;) {
		struct holdings now = holdings_take();
		char text[128];

		if (memcmp(&now, expected, sizeof(now)) == 0)
			return;
		snprintf(text, sizeof(text),
			"%u objects, %u links, %u farewells, %u mbufs, %u threads too many",
			now.numbers - expected->numbers, now.links - expected->links,
			now.farewells - expected->farewells, now.mbufs - expected->mbufs,
			now.threads - expected->threads);
		patience(&start, text);
		spi_pair_quiet(pair.side[0].cq);
		spi_pair_quiet(pair.side[1].cq);
	}
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
	/* The last reference to each adapter was released, so the adapters are closed. */
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_null(spi_device_get(i)->native);
}

TestSuite(spi_churn, .init = setup, .fini = teardown);

Test(spi_churn, nd_181_connects_from_four_threads)
{
	pthread_t threads[THREADS];
	struct holdings before;
	IND2QueuePair *last[LAST];

	timed = getenv("NDPDK_TEST_CHURN_S") != NULL;
	connects = timed ? CONNECTS_MAX : test_number("NDPDK_SPI_CONNECTS", CONNECTS);
	arrived = calloc(THREADS, connects);
	cr_assert_not_null(arrived);
	port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 0);
	cr_assert_not_null(port);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(CreateIoCompletionPort(pair.side[i].file, port, i, 0), port);
	spi_pair_listen(&pair);
	before = holdings_take();
	for (unsigned int i = 0; i < THREADS; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, run, (void *)(uintptr_t)i), 0);
	for (unsigned int i = 0; i < THREADS; i++)
		cr_assert_eq(pthread_join(threads[i], NULL), 0);
	for (unsigned int i = 0; i < THREADS; i++) {
		for (unsigned int k = 0; k < made[i]; k++)
			cr_assert(arrived[i * connects + k], "message %u of %u has not come", k, i);
	}
	holdings_expect(&before);
	/*
	 * Show that all queue pairs were freed, by creating LAST more. The limit is 256 and
	 * includes the queue pair of `pair`.
	 */
	for (unsigned int i = 0; i < LAST; i++)
		last[i] = spi_pair_queue_pair(&pair, 0, 4);
	for (unsigned int i = 0; i < LAST; i++)
		cr_assert_eq(IND2QueuePair_Release(last[i]), 0);
	CloseHandle(port);
	free(arrived);
}
