/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test engines on lcores and in separate threads, while another thread makes control calls. These
 * tests are most useful with a sanitizer.
 */

#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_lcore.h>

#include "support/engines.h"
#include "support/refusal.h"
#include "threads_link.h"
#include "threads_traffic.h"

#define WORKER           1
#define PATIENCE_SECONDS 120
#define EVENT_WAIT_MS    20000

static struct nd_pair pair;
static struct traffic traffic[2];

/** Start EAL with two lcores, which may both run on the first two processors. */
static void
eal_start(void)
{
	static char program[] = "test", no_huge[] = "--no-huge", no_shconf[] = "--no-shconf",
		    no_pci[] = "--no-pci", memory[] = "-m", megabytes[] = "256",
		    no_telemetry[] = "--no-telemetry", lcores[] = "--lcores",
		    two[] = "0@(0-1),1@(0-1)", one[] = "0@0,1@0",
		    log_level[] = "--log-level=lib.eal:warning";
	char *args[] = {program, no_huge, no_shconf, no_pci, memory, megabytes, no_telemetry,
		lcores, sysconf(_SC_NPROCESSORS_ONLN) > 1 ? two : one, log_level, NULL};

	cr_assert(rte_eal_init(RTE_DIM(args) - 1, args) >= 0, "EAL did not start: %s",
		rte_strerror(rte_errno));
}

static void
pair_open(void)
{
	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024, .mbuf_count = 1024});
}

static void
setup(void)
{
	eal_start();
	pair_open();
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(threads, .init = setup, .fini = teardown, .timeout = PATIENCE_SECONDS);

static struct nd_engine *
engine_of(unsigned int side)
{
	return test_home(pair.side[side].adapter);
}

static void
turns_count(struct nd_engine *engine, void *arg)
{
	uint64_t *turns = arg;

	(void)engine;
	__atomic_store_n(turns, *turns + 1, __ATOMIC_RELEASE);
	sched_yield();
}

static void
turns_wait(const uint64_t *turns, uint64_t count)
{
	while (__atomic_load_n(turns, __ATOMIC_ACQUIRE) < count)
		sched_yield();
}

Test(threads, launch_refuses_what_is_no_idle_worker)
{
	uint64_t turns = 0;

	cr_assert_eq(nd_engine_launch(engine_of(0), rte_get_main_lcore(), NULL, NULL),
		ND_INVALID_PARAMETER);
	ASSERT_REFUSED(nd_engine_launch(engine_of(0), 7, NULL, NULL), ND_INVALID_PARAMETER,
		"nd_engine_launch: lcore_id 7: expected an idle worker lcore of EAL");
	cr_assert_eq(
		nd_engine_launch(engine_of(0), RTE_MAX_LCORE, NULL, NULL), ND_INVALID_PARAMETER);
	nd_engine_stop(engine_of(0)); /* no effect, because the engine is not launched */
	cr_assert_eq(nd_engine_launch(engine_of(0), WORKER, turns_count, &turns), ND_SUCCESS);
	cr_assert_eq(nd_engine_launch(engine_of(0), WORKER, NULL, NULL), ND_INVALID_DEVICE_STATE);
	/* The launch is refused, because the lcore already runs another engine. */
	cr_assert_eq(nd_engine_launch(engine_of(1), WORKER, NULL, NULL), ND_INVALID_PARAMETER);
	turns_wait(&turns, 10);
	nd_engine_stop(engine_of(0));
	cr_assert_eq(nd_engine_launch(engine_of(1), WORKER, NULL, NULL), ND_SUCCESS);
	nd_engine_stop(engine_of(1));
}

static void
stop_self(struct nd_engine *engine, void *arg)
{
	turns_count(engine, arg);
	nd_engine_stop(engine);
}

Test(threads, loop_function_may_end_its_own_loop)
{
	uint64_t turns = 0;

	cr_assert_eq(nd_engine_launch(engine_of(0), WORKER, stop_self, &turns), ND_SUCCESS);
	turns_wait(&turns, 1);
	nd_engine_stop(engine_of(0));
	cr_assert_eq(turns, 1);
}

Test(threads, stopped_engine_belongs_to_who_stopped_it)
{
	struct nd_result received, sent;
	uint64_t turns = 0;

	nd_pair_connect(&pair);
	for (unsigned int round = 0; round < 5; round++) {
		turns = 0;
		cr_assert_eq(
			nd_engine_launch(engine_of(1), WORKER, turns_count, &turns), ND_SUCCESS);
		turns_wait(&turns, 10);
		nd_engine_stop(engine_of(1));
		cr_assert_eq(
			nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0), ND_SUCCESS);
		cr_assert_eq(
			nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	}
}

/** As soon as a deregistration has returned, its memory can be freed (ND-210). */
static void
memory_round(unsigned int side, uint32_t seed)
{
	struct nd_adapter *adapter = pair.side[side].adapter;
	size_t bytes = 1 + (size_t)seed * 977 % 20000;
	struct nd_overlapped deregister = {0};
	struct nd_result *invalidated = malloc(sizeof(*invalidated));
	uint8_t *memory = malloc(bytes);
	struct nd_mw *mw;
	struct nd_mr *mr;

	cr_assert(memory != NULL && invalidated != NULL);
	cr_assert_eq(nd_adapter_register_memory(adapter, memory, bytes, NULL, &mr), ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_memory_window(adapter, invalidated, &mw), ND_SUCCESS);
	cr_assert_eq(nd_mw_release(adapter, mw), ND_SUCCESS);
	cr_assert_eq(nd_mw_release(adapter, mw), ND_INVALID_HANDLE);
	cr_assert_eq(nd_adapter_deregister_memory(adapter, mr, &deregister), ND_SUCCESS);
	cr_assert_eq(nd_adapter_deregister_memory(adapter, mr, &deregister), ND_INVALID_HANDLE);
	free(memory);
	free(invalidated);
}

static void
event_wait(int event_fd, uint64_t expected)
{
	struct pollfd pollfd = {.fd = event_fd, .events = POLLIN};
	eventfd_t count;

	cr_assert_eq(poll(&pollfd, 1, EVENT_WAIT_MS), 1, "the eventfd is not written");
	cr_assert_eq(eventfd_read(event_fd, &count), 0);
	cr_assert_eq(count, expected, "written %llu times", (unsigned long long)count);
}

/**
 * When a cancel call returns, the operation has ended (ND-146), although another thread executes
 * the cancel.
 */
static void
cancel_round(unsigned int side, int event_fd)
{
	struct nd_overlapped notify[3] = {
		{.event_fd = event_fd}, {.event_fd = event_fd}, {.event_fd = event_fd}};
	struct nd_cq *cq;

	cr_assert_eq(nd_engine_create_completion_queue(test_home(pair.side[side].adapter), 8, &cq),
		ND_SUCCESS);
	for (unsigned int i = 0; i < 3; i++)
		cr_assert_eq(nd_cq_notify(cq, ND_CQ_NOTIFY_ANY, &notify[i]), ND_PENDING);
	cr_assert_eq(nd_overlapped_cancel(&notify[1]), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&notify[1], NULL, false), ND_CANCELED);
	cr_assert_eq(nd_overlapped_get_result(&notify[0], NULL, false), ND_PENDING);
	cr_assert_eq(nd_cq_cancel_overlapped_requests(cq), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&notify[0], NULL, false), ND_CANCELED);
	notify[0] = (struct nd_overlapped){.event_fd = event_fd};
	cr_assert_eq(nd_cq_resize(cq, 16), ND_SUCCESS);
	cr_assert_eq(nd_cq_notify(cq, ND_CQ_NOTIFY_SOLICITED, &notify[0]), ND_PENDING);
	cr_assert_eq(nd_cq_release(cq), ND_SUCCESS);
	cr_assert_eq(nd_overlapped_get_result(&notify[0], NULL, false), ND_CANCELED);
	event_wait(event_fd, 4);
}

/**
 * This thread waits for notifications of results, while the owner of the engine polls the queue.
 */
static void
notify_round(unsigned int side, int event_fd)
{
	struct nd_overlapped notify = {.event_fd = event_fd};
	nd_status status = nd_cq_notify(pair.side[side].inbound, ND_CQ_NOTIFY_ANY, &notify);

	if (status == ND_PENDING) {
		event_wait(event_fd, 1);
		status = nd_overlapped_get_result(&notify, NULL, false);
	}
	cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
	notify = (struct nd_overlapped){0};
	status = link_wait(
		nd_cq_notify(pair.side[side].inbound, ND_CQ_NOTIFY_ANY, &notify), &notify);
	cr_assert_eq(status, ND_SUCCESS, "%s", nd_status_name(status));
}

static void
queries_round(const struct link *link, unsigned int side)
{
	struct nd_counter counters[256];
	struct sockaddr_storage address;
	size_t length = sizeof(address);

	cr_assert_gt(nd_adapter_counters(pair.side[side].adapter, counters, 256), 50);
	cr_assert_eq(nd_connector_get_local_address(
			     link->connector[side], (struct sockaddr *)&address, &length),
		ND_SUCCESS);
	length = sizeof(address);
	cr_assert_eq(nd_connector_get_peer_address(
			     link->connector[side], (struct sockaddr *)&address, &length),
		ND_SUCCESS);
}

static void
connection_round(void)
{
	struct nd_cq *cqs[2];
	struct link link;

	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(nd_engine_create_completion_queue(
				     test_home(pair.side[i].adapter), 64, &cqs[i]),
			ND_SUCCESS);
	link_connect(&link, &pair, cqs);
	queries_round(&link, 0);
	queries_round(&link, 1);
	link_disconnect(&link);
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_eq(nd_cq_release(cqs[i]), ND_SUCCESS);
}

static void
control_rounds(unsigned int rounds)
{
	int event_fd = eventfd(0, EFD_CLOEXEC);

	cr_assert_geq(event_fd, 0);
	for (unsigned int round = 0; round < rounds; round++) {
		for (unsigned int side = 0; side < 2; side++) {
			memory_round(side, round);
			cancel_round(side, event_fd);
			notify_round(side, event_fd);
		}
		connection_round();
		traffic_messages(&traffic[0]);
		traffic_messages(&traffic[1]);
	}
	close(event_fd);
}

/*
 * One engine runs on an lcore, and the other engine in a thread that DPDK does not know. The test's
 * thread owns neither engine, so all its calls go through the command rings.
 */
Test(threads, control_calls_of_a_thread_that_owns_nothing)
{
	struct runner runner;
	struct link link;

	traffic_init(&traffic[0], &pair.side[0], true);
	traffic_init(&traffic[1], &pair.side[1], false);
	cr_assert_eq(nd_engine_launch(engine_of(0), WORKER, traffic_loop, &traffic[0]), ND_SUCCESS);
	runner_start(&runner, engine_of(1), traffic_loop, &traffic[1]);
	link_connect(&link, &pair, NULL);
	traffic_start(&traffic[1], link.endpoint[1]);
	traffic_start(&traffic[0], link.endpoint[0]);
	control_rounds(40);
	traffic_wait(&traffic[0], 100);
	for (unsigned int i = 0; i < 2; i++)
		traffic_stop(&traffic[i]);
	link_disconnect(&link);
	nd_engine_stop(engine_of(0));
	runner_stop(&runner);
	cr_assert_eq(nd_pair_counter(&pair, 0, "refused_key"), 0);
}

/** Make control calls from several threads at once, to an engine that another thread owns. */
static void *
caller_main(void *arg)
{
	const unsigned int *number = arg;

	for (uint32_t round = 0; round < 100; round++)
		memory_round(*number & 1, round * 4 + *number);
	return NULL;
}

Test(threads, control_calls_of_several_threads)
{
	unsigned int numbers[4] = {0, 1, 2, 3};
	struct runner runner;
	pthread_t callers[4];

	cr_assert_eq(nd_engine_launch(engine_of(0), WORKER, NULL, NULL), ND_SUCCESS);
	runner_start(&runner, engine_of(1), NULL, NULL);
	for (unsigned int i = 0; i < 4; i++)
		cr_assert_eq(pthread_create(&callers[i], NULL, caller_main, &numbers[i]), 0);
	for (unsigned int i = 0; i < 4; i++)
		pthread_join(callers[i], NULL);
	nd_engine_stop(engine_of(0));
	runner_stop(&runner);
}

/*
 * The thread that opened the adapters makes control calls while other threads begin to poll. No two
 * threads may execute calls at the same time. Each round opens the adapters anew, because only the
 * first poll takes ownership.
 */
Test(threads, first_poll_takes_over_from_who_opened)
{
	for (unsigned int round = 0; round < 10; round++) {
		struct runner runners[2];

		for (unsigned int i = 0; i < 2; i++)
			runner_start(&runners[i], engine_of(i), NULL, NULL);
		for (uint32_t i = 0; i < 50; i++)
			memory_round(i & 1, i);
		connection_round();
		for (unsigned int i = 0; i < 2; i++)
			runner_stop(&runners[i]);
		nd_pair_close(&pair);
		pair_open();
	}
}

#define RAID_BYTES  32768
#define RAID_PIECE  8192
#define RAID_DEPTH  4
#define RAID_ROUNDS 30

/** Side 0 reads and writes through a window of side 1 until the window is closed. */
static struct raid {
	/** Atomic. Endpoint on which the lcore of side 0 starts. NULL at first. */
	struct nd_endpoint *attacker;
	uint64_t successes;   /**< atomic */
	uint32_t outstanding; /**< atomic */
	bool bound;           /**< atomic */
	bool over;            /**< atomic */
	bool posted;
	uint32_t posts;
	uint8_t *memory;
	struct nd_mr *mr;
	struct nd_mw *mw;
	struct nd_mw_descriptor descriptor;
	struct nd_result bind;
	struct nd_result results[RAID_DEPTH];
	const char *failure; /**< atomic */
} raid;

/** Atomic. Endpoint on which the thread of side 1 binds. NULL at first. */
static struct nd_endpoint *victim_endpoint;

static void
raid_fail(const char *why)
{
	__atomic_store_n(&raid.failure, why, __ATOMIC_RELEASE);
}

static void
victim_loop(struct nd_engine *engine, void *arg)
{
	struct nd_endpoint *endpoint =
		__atomic_exchange_n(&victim_endpoint, NULL, __ATOMIC_ACQ_REL);
	struct nd_result *result;

	(void)engine;
	(void)arg;
	if (endpoint != NULL &&
		nd_endpoint_bind(endpoint, &raid.bind, raid.mr, raid.mw, raid.memory, RAID_BYTES,
			ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE,
			&raid.descriptor) != ND_SUCCESS)
		raid_fail("the window cannot be bound");
	if (nd_cq_get_results(pair.side[1].outbound, &result, 1) == 0) {
		sched_yield();
		return;
	}
	if (result != &raid.bind || result->status != ND_SUCCESS)
		raid_fail("the window was not bound");
	__atomic_store_n(&raid.bound, true, __ATOMIC_RELEASE);
}

static void
raid_post(struct nd_endpoint *endpoint, struct nd_result *result)
{
	uint32_t number = raid.posts++;
	uint64_t offset = (uint64_t)number * 1013 % (RAID_BYTES - RAID_PIECE);
	struct nd_sge sge = {pair.side[0].memory + (size_t)(result - raid.results) * RAID_PIECE,
		RAID_PIECE, pair.side[0].mr};
	nd_status status = number % 2 == 0
		? nd_endpoint_write(endpoint, result, &sge, 1, &raid.descriptor, offset, 0)
		: nd_endpoint_read(endpoint, result, &sge, 1, &raid.descriptor, offset, 0);

	if (status == ND_SUCCESS)
		__atomic_store_n(&raid.outstanding, raid.outstanding + 1, __ATOMIC_RELEASE);
	else if (status == ND_CONNECTION_INVALID)
		__atomic_store_n(&raid.over, true, __ATOMIC_RELEASE);
	else
		raid_fail("a request cannot be posted");
}

static void
raid_loop(struct nd_engine *engine, void *arg)
{
	struct nd_endpoint *endpoint = __atomic_load_n(&raid.attacker, __ATOMIC_ACQUIRE);
	struct nd_result *results[RAID_DEPTH];
	size_t count;

	(void)engine;
	(void)arg;
	for (unsigned int i = 0; endpoint != NULL && !raid.posted && i < RAID_DEPTH; i++)
		raid_post(endpoint, &raid.results[i]);
	raid.posted = endpoint != NULL;
	count = nd_cq_get_results(pair.side[0].outbound, results, RAID_DEPTH);
	for (size_t i = 0; i < count; i++) {
		if (results[i]->status == ND_SUCCESS) {
			__atomic_store_n(&raid.successes, raid.successes + 1, __ATOMIC_RELEASE);
			raid_post(endpoint, results[i]);
			continue;
		}
		if (results[i]->status != ND_REMOTE_ERROR && results[i]->status != ND_CANCELED)
			raid_fail(nd_status_name(results[i]->status));
		__atomic_store_n(&raid.over, true, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&raid.outstanding, raid.outstanding - (uint32_t)count, __ATOMIC_RELEASE);
	if (count == 0)
		sched_yield();
}

static void
raid_wait(const bool *flag)
{
	while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) {
		const char *failure = __atomic_load_n(&raid.failure, __ATOMIC_ACQUIRE);

		cr_assert(failure == NULL, "%s", failure);
		sched_yield();
	}
}

static void
raid_round(uint32_t round)
{
	struct nd_adapter *victim = pair.side[1].adapter;
	struct nd_overlapped deregister = {0};
	struct nd_result *invalidated = malloc(sizeof(*invalidated));
	struct link link;

	memset(&raid, 0, sizeof(raid));
	cr_assert_eq(nd_engine_launch(engine_of(0), WORKER, raid_loop, NULL), ND_SUCCESS);
	raid.memory = malloc(RAID_BYTES);
	cr_assert(raid.memory != NULL && invalidated != NULL);
	memset(raid.memory, (int)round, RAID_BYTES);
	cr_assert_eq(nd_adapter_register_memory(victim, raid.memory, RAID_BYTES, NULL, &raid.mr),
		ND_SUCCESS);
	cr_assert_eq(nd_adapter_create_memory_window(victim, invalidated, &raid.mw), ND_SUCCESS);
	link_connect(&link, &pair, NULL);
	__atomic_store_n(&victim_endpoint, link.endpoint[1], __ATOMIC_RELEASE);
	raid_wait(&raid.bound);
	__atomic_store_n(&raid.attacker, link.endpoint[0], __ATOMIC_RELEASE);
	while (__atomic_load_n(&raid.successes, __ATOMIC_ACQUIRE) < 5 + round)
		sched_yield();
	cr_assert_eq(nd_adapter_deregister_memory(victim, raid.mr, &deregister), ND_DEVICE_BUSY);
	cr_assert_eq(nd_mw_release(victim, raid.mw), ND_SUCCESS);
	free(invalidated);
	cr_assert_eq(nd_adapter_deregister_memory(victim, raid.mr, &deregister), ND_SUCCESS);
	free(raid.memory);
	raid_wait(&raid.over);
	while (__atomic_load_n(&raid.outstanding, __ATOMIC_ACQUIRE) != 0)
		sched_yield();
	link_disconnect(&link);
	nd_engine_stop(engine_of(0));
}

Test(threads, memory_goes_while_the_peer_reads_and_writes_it)
{
	struct runner runner;

	runner_start(&runner, engine_of(1), victim_loop, NULL);
	for (uint32_t round = 0; round < RAID_ROUNDS; round++)
		raid_round(round);
	runner_stop(&runner);
	cr_assert_gt(nd_pair_counter(&pair, 1, "refused_key"), 0);
}

Test(threads, launch_ends_the_sharing_of_an_engine)
{
	cr_assert_eq(nd_engine_enter(engine_of(0)), ND_SUCCESS);
	cr_assert_eq(nd_engine_launch(engine_of(0), WORKER, NULL, NULL), ND_INVALID_DEVICE_STATE);
	cr_assert_eq(nd_engine_leave(engine_of(0)), ND_SUCCESS);
	cr_assert_eq(nd_engine_launch(engine_of(0), WORKER, NULL, NULL), ND_SUCCESS);
	cr_assert_eq(nd_engine_enter(engine_of(0)), ND_INVALID_DEVICE_STATE);
	cr_assert_eq(nd_engine_leave(engine_of(0)), ND_INVALID_DEVICE_STATE);
	nd_engine_stop(engine_of(0));
	cr_assert_eq(nd_engine_enter(engine_of(0)), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(engine_of(0)), ND_SUCCESS);
}

static void
sleeper_loop(struct nd_engine *engine, void *arg)
{
	turns_count(engine, arg);
	(void)nd_engine_wait(engine, UINT64_MAX);
}

/* The loop function of a launched engine may sleep. Control calls and nd_engine_stop() wake it. */
Test(threads, launched_engine_may_sleep)
{
	uint64_t turns = 0;

	cr_assert_eq(nd_engine_launch(engine_of(0), WORKER, sleeper_loop, &turns), ND_SUCCESS);
	turns_wait(&turns, 1);
	for (uint32_t i = 0; i < 200; i++)
		memory_round(0, i);
	nd_engine_stop(engine_of(0));
}
