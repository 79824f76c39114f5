/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test threads that sleep until there is work. Ports on rings have no interrupts, so the test
 * simulates a driver with interrupts. An engine sleeps without a limit between its link checks,
 * which happen every 0.2 s. If a wake-up is lost in one of hundreds of rounds, the test exceeds its
 * time limit.
 */

#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_ethdev.h>
#include <rte_interrupts.h>

#include "support/engines.h"
#include "support/nd_pair.h"
#include "threads_link.h"
#include "threads_traffic.h"

#define PORTS    8
#define QUEUES   16
#define ROUNDS   400
/*
 * Number of events that must end a sleep at once. If no wake-up came, an engine would sleep for up
 * to 17 ms, one turn of its deadline wheel. These rounds would then take minutes and exceed the
 * time limit.
 */
#define WAKES    10000
#define MESSAGES 2000

static struct nd_pair pair;

/* ---- a driver with RX interrupts ---- */

static struct interrupt {
	int fd; /* eventfd + 1, or 0 before the eventfd exists */
	bool enabled;
	uint32_t fired;
	struct rte_epoll_event event;
} interrupts[PORTS][QUEUES];

static bool without_interrupts;

int
__wrap_rte_eth_dev_rx_intr_ctl_q(uint16_t port_id, uint16_t queue_id, int epfd, int op, void *data);
int __wrap_rte_eth_dev_rx_intr_enable(uint16_t port_id, uint16_t queue_id);
int __wrap_rte_eth_dev_rx_intr_disable(uint16_t port_id, uint16_t queue_id);

/** Read the eventfd, as EAL does for the interrupt of a virtual device. */
static void
descriptor_read(int fd, void *arg)
{
	eventfd_t count;

	(void)arg;
	(void)eventfd_read(fd, &count);
}

int
__wrap_rte_eth_dev_rx_intr_ctl_q(uint16_t port_id, uint16_t queue_id, int epfd, int op, void *data)
{
	struct interrupt *interrupt = &interrupts[port_id][queue_id];

	(void)data;
	if (without_interrupts)
		return -ENOTSUP;
	if (op == RTE_INTR_EVENT_DEL)
		return rte_epoll_ctl(epfd, EPOLL_CTL_DEL, interrupt->fd - 1, &interrupt->event);
	if (interrupt->fd == 0)
		interrupt->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) + 1;
	interrupt->event.epdata =
		(struct rte_epoll_data){.event = EPOLLIN | EPOLLET, .cb_fun = descriptor_read};
	return rte_epoll_ctl(epfd, EPOLL_CTL_ADD, interrupt->fd - 1, &interrupt->event);
}

int
__wrap_rte_eth_dev_rx_intr_enable(uint16_t port_id, uint16_t queue_id)
{
	__atomic_store_n(&interrupts[port_id][queue_id].enabled, true, __ATOMIC_SEQ_CST);
	return 0;
}

int
__wrap_rte_eth_dev_rx_intr_disable(uint16_t port_id, uint16_t queue_id)
{
	__atomic_store_n(&interrupts[port_id][queue_id].enabled, false, __ATOMIC_SEQ_CST);
	return 0;
}

/**
 * Raise the interrupt of the queue once because a frame has arrived, if the interrupt is enabled.
 */
static void
fire(uint16_t port_id, uint16_t queue_id)
{
	struct interrupt *interrupt = &interrupts[port_id][queue_id];

	if (!__atomic_exchange_n(&interrupt->enabled, false, __ATOMIC_SEQ_CST))
		return;
	__atomic_fetch_add(&interrupt->fired, 1, __ATOMIC_RELAXED);
	(void)eventfd_write(interrupt->fd - 1, 1);
}

/**
 * Value for nd_adapter_config.transmit. Frames that are sent on a queue arrive on the peer's next
 * queue.
 */
static uint16_t
transmit(uint16_t port_id, uint16_t queue_id, struct rte_mbuf **mbufs, uint16_t count, void *arg)
{
	const unsigned int *side = arg;
	uint16_t sent = rte_eth_tx_burst(port_id, queue_id, mbufs, count);

	if (sent != 0)
		fire(pair.ports[1 - *side], (uint16_t)((queue_id + 1) % test_engines()));
	return sent;
}

/* ---- engines with waiting threads ---- */

static void
adapt(unsigned int side, struct nd_adapter_config *config)
{
	static unsigned int sides[2] = {0, 1};

	config->rx_interrupts = true;
	config->transmit = transmit;
	config->transmit_arg = &sides[side];
}

static void
setup(void)
{
	nd_pair_open(&pair,
		&(struct nd_pair_config){.path_mtu = 1024, .mbuf_count = 1024, .adapt = adapt});
}

static void
teardown(void)
{
	nd_pair_close(&pair);
}

TestSuite(wait, .init = setup, .fini = teardown, .timeout = 60);

static struct nd_engine *
engine_of(unsigned int side, unsigned int index)
{
	return nd_adapter_get_engine(pair.side[side].adapter, index);
}

/** A thread that owns an engine and sleeps while there is no work. */
struct waiter {
	struct nd_engine *engine;
	nd_engine_loop_fn loop;
	void *arg;
	pthread_t thread;
	bool stop;      /* atomic */
	uint64_t ended; /* atomic; number of waits that have ended */
};

static void *
waiter_main(void *arg)
{
	struct waiter *waiter = arg;

	while (!__atomic_load_n(&waiter->stop, __ATOMIC_ACQUIRE)) {
		(void)nd_engine_wait(waiter->engine, UINT64_MAX);
		__atomic_fetch_add(&waiter->ended, 1, __ATOMIC_RELEASE);
		if (waiter->loop != NULL)
			waiter->loop(waiter->engine, waiter->arg);
	}
	return NULL;
}

static void
waiter_start(struct waiter *waiter, struct nd_engine *engine, nd_engine_loop_fn loop, void *arg)
{
	*waiter = (struct waiter){.engine = engine, .loop = loop, .arg = arg};
	cr_assert_eq(pthread_create(&waiter->thread, NULL, waiter_main, waiter), 0);
}

static void
waiter_stop(struct waiter *waiter)
{
	__atomic_store_n(&waiter->stop, true, __ATOMIC_RELEASE);
	nd_engine_wake(waiter->engine);
	pthread_join(waiter->thread, NULL);
}

static struct traffic traffic[2];
static struct waiter waiters[2][QUEUES];

static void
waiters_start(void)
{
	for (unsigned int side = 0; side < 2; side++) {
		traffic_init(&traffic[side], &pair.side[side], side == 0);
		for (unsigned int i = 0; i < test_engines(); i++)
			waiter_start(&waiters[side][i], engine_of(side, i),
				i + 1 == test_engines() ? traffic_loop : NULL, &traffic[side]);
	}
}

static void
waiters_stop(void)
{
	for (unsigned int side = 0; side < 2; side++)
		for (unsigned int i = 0; i < test_engines(); i++)
			waiter_stop(&waiters[side][i]);
}

/** Pass the endpoint to a thread that may be asleep. */
static void
traffic_begin(unsigned int side, struct nd_endpoint *endpoint)
{
	traffic_start(&traffic[side], endpoint);
	nd_engine_wake(test_home(pair.side[side].adapter));
}

static void
traffic_run(void)
{
	struct link link;

	waiters_start();
	link_connect(&link, &pair, NULL);
	traffic_begin(1, link.endpoint[1]);
	traffic_begin(0, link.endpoint[0]);
	traffic_wait(&traffic[0], MESSAGES);
	for (unsigned int side = 0; side < 2; side++)
		traffic_stop(&traffic[side]);
	link_disconnect(&link);
	waiters_stop();
}

/*
 * No thread polls. The threads sleep until each frame wakes them. With several engines, a frame
 * that is handed over must also wake them. The calls of this thread must wake the threads as well.
 */
Test(wait, messages_between_threads_that_sleep)
{
	uint32_t fired = 0;

	traffic_run();
	for (unsigned int i = 0; i < test_engines(); i++)
		fired += interrupts[pair.ports[0]][i].fired;
	cr_assert_gt(fired, 0, "nobody has slept");
}

/* The port has no interrupts, so the threads take short naps instead. */
Test(wait, messages_between_threads_that_nap)
{
	without_interrupts = true;
	traffic_run();
}

Test(wait, control_calls_wake_who_sleeps)
{
	struct waiter waiter;

	waiter_start(&waiter, engine_of(0, 0), NULL, NULL);
	for (unsigned int i = 0; i < WAKES; i++) {
		struct nd_cq *cq;

		cr_assert_eq(
			nd_engine_create_completion_queue(engine_of(0, 0), 8, &cq), ND_SUCCESS);
		cr_assert_eq(nd_cq_release(cq), ND_SUCCESS);
	}
	waiter_stop(&waiter);
}

Test(wait, wake_ends_a_sleep_or_the_next_one)
{
	struct waiter waiter;

	waiter_start(&waiter, engine_of(0, 0), NULL, NULL);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		uint64_t ended = __atomic_load_n(&waiter.ended, __ATOMIC_ACQUIRE);

		nd_engine_wake(engine_of(0, 0));
		while (__atomic_load_n(&waiter.ended, __ATOMIC_ACQUIRE) == ended)
			sched_yield();
	}
	waiter_stop(&waiter);
}

/* ---- shared engines ---- */

static void
share(unsigned int side)
{
	for (unsigned int i = 0; i < test_engines(); i++) {
		cr_assert_eq(nd_engine_enter(engine_of(side, i)), ND_SUCCESS);
		cr_assert_eq(nd_engine_leave(engine_of(side, i)), ND_SUCCESS);
	}
}

/*
 * While a thread sleeps, it is outside the engine, even if it has entered the engine. Otherwise no
 * other thread could enter.
 */
static void
inside_loop(struct nd_engine *engine, void *arg)
{
	(void)arg;
	cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
	cr_assert_eq(nd_engine_enter(engine), ND_SUCCESS);
	(void)nd_engine_wait(engine, UINT64_MAX);
	cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
	cr_assert_eq(nd_engine_leave(engine), ND_SUCCESS);
}

Test(wait, who_sleeps_is_not_inside)
{
	struct waiter threads[2];

	share(0);
	waiter_start(&threads[0], engine_of(0, 0), inside_loop, NULL);
	waiter_start(&threads[1], engine_of(0, 0), NULL, NULL);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		struct nd_cq *cq;

		cr_assert_eq(nd_engine_enter(engine_of(0, 0)), ND_SUCCESS);
		cr_assert_eq(nd_engine_leave(engine_of(0, 0)), ND_SUCCESS);
		cr_assert_eq(
			nd_engine_create_completion_queue(engine_of(0, 0), 8, &cq), ND_SUCCESS);
		cr_assert_eq(nd_cq_release(cq), ND_SUCCESS);
	}
	for (unsigned int i = 0; i < 2; i++) {
		__atomic_store_n(&threads[i].stop, true, __ATOMIC_RELEASE);
		nd_engine_wake(engine_of(0, 0));
	}
	for (unsigned int i = 0; i < 2; i++)
		waiter_stop(&threads[i]);
}

/* A sleeping thread wakes if another thread, which has entered the engine, causes an event. */
Test(wait, what_another_thread_does_inside_wakes)
{
	struct waiter waiter;

	share(0);
	waiter_start(&waiter, engine_of(0, 0), NULL, NULL);
	for (unsigned int i = 0; i < WAKES; i++) {
		uint64_t ended = __atomic_load_n(&waiter.ended, __ATOMIC_ACQUIRE);
		struct nd_overlapped notify = {0};

		cr_assert_eq(nd_engine_enter(engine_of(0, 0)), ND_SUCCESS);
		if (test_engines() == 1) {
			cr_assert_eq(nd_cq_notify(pair.side[0].inbound, ND_CQ_NOTIFY_ANY, &notify),
				ND_PENDING);
			cr_assert_eq(nd_overlapped_cancel(&notify), ND_SUCCESS);
		}
		cr_assert_eq(nd_engine_leave(engine_of(0, 0)), ND_SUCCESS);
		while (test_engines() == 1 &&
			__atomic_load_n(&waiter.ended, __ATOMIC_ACQUIRE) == ended)
			sched_yield();
	}
	waiter_stop(&waiter);
}

/* ---- one thread ---- */

Test(wait, ends_when_its_time_is_over)
{
	for (unsigned int i = 0; i < 100; i++)
		(void)nd_engine_wait(engine_of(0, 0), 0);
	while (nd_engine_wait(engine_of(0, 0), 1000) != 0)
		;
	cr_assert_eq(nd_engine_wait(engine_of(0, 0), 1000000), 0);
}

static unsigned int waited = 1;

static void
notified(struct nd_overlapped *overlapped, void *arg)
{
	(void)overlapped;
	(void)arg;
	waited = nd_engine_wait(engine_of(0, 0), UINT64_MAX);
}

Test(wait, does_not_wait_in_a_callback)
{
	struct nd_overlapped notify = {.callback = notified};

	cr_assert_eq(nd_cq_notify(pair.side[0].inbound, ND_CQ_NOTIFY_ANY, &notify), ND_PENDING);
	cr_assert_eq(nd_cq_cancel_overlapped_requests(pair.side[0].inbound), ND_SUCCESS);
	cr_assert_eq(waited, 0);
}
