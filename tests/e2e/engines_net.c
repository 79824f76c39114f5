/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "engines_net.h"

#include <arpa/inet.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_mbuf_pool_ops.h>
#include <rte_mempool.h>

#include "support/eal.h"

#define RING_ENTRIES 1024
#define POOL_ENTRIES 2047
#define QUEUE_DEPTH  64

/** Time limit of every wait. No correct wait takes longer, even on a slow machine. */
#define PATIENCE_SECONDS 30

/*
 * Buffer pools that keep free buffers in a ring, like the default pools. The pools are compiled
 * with this file so that ThreadSanitizer sees when a buffer moves to another thread.
 */
static int
pool_alloc(struct rte_mempool *pool)
{
	static unsigned int serial;
	char name[RTE_RING_NAMESIZE];

	snprintf(name, sizeof(name), "engines_pool_%u", serial++);
	pool->pool_data =
		rte_ring_create(name, rte_align32pow2(pool->size + 1), pool->socket_id, 0);
	return pool->pool_data == NULL ? -1 : 0;
}

static void
pool_free(struct rte_mempool *pool)
{
	rte_ring_free(pool->pool_data);
}

static int
pool_put(struct rte_mempool *pool, void *const *objects, unsigned int count)
{
	return rte_ring_mp_enqueue_bulk(pool->pool_data, objects, count, NULL) == 0 ? -1 : 0;
}

static int
pool_get(struct rte_mempool *pool, void **objects, unsigned int count)
{
	return rte_ring_mc_dequeue_bulk(pool->pool_data, objects, count, NULL) == 0 ? -1 : 0;
}

static unsigned int
pool_count(const struct rte_mempool *pool)
{
	return rte_ring_count(pool->pool_data);
}

static const struct rte_mempool_ops pool_ops = {
	.name = "engines_pool",
	.alloc = pool_alloc,
	.free = pool_free,
	.enqueue = pool_put,
	.dequeue = pool_get,
	.get_count = pool_count,
};

static void
pools_seen(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	cr_assert_geq(rte_mempool_register_ops(&pool_ops), 0);
	cr_assert_eq(rte_mbuf_set_user_mempool_ops(pool_ops.name), 0);
}

static uint16_t
receive(void *arg, struct rte_mbuf **mbufs, uint16_t max)
{
	struct queue *queue = arg;

	if (queue->net->config.before_receive != NULL)
		queue->net->config.before_receive(queue);
	return (uint16_t)rte_ring_sc_dequeue_burst(queue->in, (void **)mbufs, max, NULL);
}

static uint16_t
transmit(void *arg, struct rte_mbuf **mbufs, uint16_t count)
{
	struct queue *queue = arg;
	const struct engines_config *config = &queue->net->config;
	unsigned int index = (queue->index + config->offset) % config->count;
	struct queue *to = &queue->net->queues[1 - queue->side][index];

	return (uint16_t)rte_ring_sp_enqueue_burst(to->in, (void **)mbufs, count, NULL);
}

static struct sockaddr_in
address_of(unsigned int side)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xC0000201 + side)};
}

static void
queue_make(struct engines_net *net, unsigned int side, unsigned int index)
{
	static unsigned int serial;
	struct queue *queue = &net->queues[side][index];
	char name[RTE_RING_NAMESIZE];

	*queue = (struct queue){.net = net, .side = side, .index = index};
	queue->io = (struct port_io){.receive = receive,
		.transmit = transmit,
		.arg = queue,
		.interrupt = net->config.interrupt,
		.mac = {{2, 0, 0, 0, 0, (uint8_t)(1 + side)}},
		.mtu = ENGINES_PMTU + PORT_HEADER_BYTES_MAX,
		.socket_id = SOCKET_ID_ANY};
	snprintf(name, sizeof(name), "engines_%u", serial++);
	queue->in =
		rte_ring_create(name, RING_ENTRIES, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
	cr_assert_not_null(queue->in);
}

static void
side_open(struct engines_net *net, unsigned int side)
{
	struct nd_adapter_config config = {
		.engines = net->config.count,
		.ack_timeout = net->config.ack_timeout,
		.path_mtu = ENGINES_PMTU,
		.mbuf_count = POOL_ENTRIES,
		.endpoints_max = 16,
		.regions_max = 32,
		.windows_max = 128,
	};
	struct adapter_parts parts = {.clock = engine_clock_tsc(), .seed = {(uint8_t)(1 + side)}};
	struct sockaddr_in address = address_of(side);
	char why[192];

	memcpy(&config.address, &address, sizeof(address));
	cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_SUCCESS, "%s", why);
	for (unsigned int i = 0; i < net->config.count; i++) {
		parts.queues[i].io = &net->queues[side][i].io;
		parts.queues[i].pool =
			engine_pool_create(POOL_ENTRIES, ENGINES_PMTU, SOCKET_ID_ANY);
		cr_assert_not_null(parts.queues[i].pool);
	}
	cr_assert_eq(adapter_create(&config, &parts, &net->adapters[side]), ND_SUCCESS);
	net->memory[side] = calloc(1, ENGINES_BYTES);
	cr_assert_not_null(net->memory[side]);
	cr_assert_eq(nd_adapter_register_memory(net->adapters[side], net->memory[side],
			     ENGINES_BYTES, NULL, &net->mrs[side]),
		ND_SUCCESS);
}

void
engines_open_as(struct engines_net *net, const struct engines_config *config)
{
	test_eal_init_large();
	pools_seen();
	memset(net, 0, sizeof(*net));
	net->config = *config;
	cr_assert_leq(config->count, ENGINES_MAX);
	/* Make all queues first, because an adapter sends frames as soon as it is opened. */
	for (unsigned int i = 0; i < 2 * config->count; i++)
		queue_make(net, i % 2, i / 2);
	side_open(net, 0);
	side_open(net, 1);
	cr_assert_eq(nd_adapter_listen(net->adapters[1], 0, 6, 0, &net->port, &net->listener),
		ND_SUCCESS);
}

void
engines_open(struct engines_net *net)
{
	engines_open_as(net, &(struct engines_config){.count = ENGINES, .offset = 1});
}

struct nd_engine *
engines_engine(const struct engines_net *net, unsigned int side, unsigned int index)
{
	return nd_adapter_get_engine(net->adapters[side], index);
}

void
engines_poll(struct engines_net *net)
{
	for (unsigned int i = 0; i < 2 * net->config.count; i++)
		if (!net->workers[i % 2][i / 2].running && !net->workers[i % 2][i / 2].absent)
			nd_engine_poll(engines_engine(net, i % 2, i / 2));
}

static void
worker_stop(struct worker *worker)
{
	/* Wake the engine's thread, because a sleeping thread does not see the flag. */
	__atomic_store_n(&worker->stop, true, __ATOMIC_RELEASE);
	nd_engine_wake(worker->engine);
}

static void
worker_join(struct worker *worker)
{
	pthread_join(worker->thread, NULL);
	worker->running = false;
}

void
engines_stop(struct engines_net *net)
{
	for (unsigned int i = 0; i < 2 * net->config.count; i++)
		if (net->workers[i % 2][i / 2].running)
			worker_stop(&net->workers[i % 2][i / 2]);
	for (unsigned int i = 0; i < 2 * net->config.count; i++)
		if (net->workers[i % 2][i / 2].running)
			worker_join(&net->workers[i % 2][i / 2]);
}

void
engines_close(struct engines_net *net)
{
	engines_stop(net);
	for (unsigned int side = 0; side < 2; side++) {
		nd_adapter_close(net->adapters[side]);
		free(net->memory[side]);
	}
	for (unsigned int i = 0; i < 2 * net->config.count; i++) {
		struct rte_ring *ring = net->queues[i % 2][i / 2].in;
		void *mbuf;

		while (rte_ring_dequeue(ring, &mbuf) == 0)
			rte_pktmbuf_free(mbuf);
		rte_ring_free(ring);
	}
}

static void *
worker_main(void *arg)
{
	struct worker *worker = arg;

	while (!__atomic_load_n(&worker->stop, __ATOMIC_ACQUIRE)) {
		/*
		 * The first turn makes this thread the owner of the engine, and only the owner may
		 * post.
		 */
		unsigned int moved = nd_engine_poll(worker->engine);
		worker_fn fn = __atomic_load_n(&worker->fn, __ATOMIC_ACQUIRE);

		if (fn != NULL)
			fn(worker->engine, worker->arg);
		__atomic_fetch_add(&worker->turns, 1, __ATOMIC_RELEASE);
		if (moved == 0)
			sched_yield();
	}
	return NULL;
}

void
engines_run_one(struct engines_net *net, unsigned int side, unsigned int index)
{
	struct worker *worker = &net->workers[side][index];

	*worker = (struct worker){.engine = engines_engine(net, side, index), .running = true};
	cr_assert_eq(pthread_create(&worker->thread, NULL, worker_main, worker), 0);
}

void
engines_run(struct engines_net *net)
{
	for (unsigned int i = 0; i < 2 * net->config.count; i++)
		engines_run_one(net, i % 2, i / 2);
}

void
engines_give(
	struct engines_net *net, unsigned int side, unsigned int index, worker_fn fn, void *arg)
{
	struct worker *worker = &net->workers[side][index];

	/* A worker accepts a new function only while it has no function. */
	if (fn != NULL)
		worker->arg = arg;
	__atomic_store_n(&worker->fn, fn, __ATOMIC_RELEASE);
}

void
engines_work(
	struct engines_net *net, unsigned int side, unsigned int index, worker_fn fn, void *arg)
{
	const struct worker *worker = &net->workers[side][index];
	uint32_t turns;

	engines_give(net, side, index, fn, arg);
	/*
	 * The current turn may still use the old function. After two more turns, only the new one
	 * is called.
	 */
	turns = __atomic_load_n(&worker->turns, __ATOMIC_ACQUIRE);
	while (__atomic_load_n(&worker->turns, __ATOMIC_ACQUIRE) - turns < 2)
		sched_yield();
}

bool
engines_patience(time_t *since)
{
	if (*since == 0)
		*since = time(NULL);
	return time(NULL) - *since < PATIENCE_SECONDS;
}

nd_status
engines_wait(struct engines_net *net, nd_status status, struct nd_overlapped *overlapped)
{
	time_t since = 0;

	while (status == ND_PENDING) {
		cr_assert(engines_patience(&since), "an operation does not end");
		sched_yield();
		engines_poll(net);
		status = nd_overlapped_get_result(overlapped, NULL, false);
	}
	return status;
}

static void
endpoint_make(struct engines_link *link, unsigned int side)
{
	struct nd_adapter *adapter = link->net->adapters[side];

	cr_assert_eq(
		nd_engine_create_completion_queue(nd_adapter_get_engine(adapter, link->homes[side]),
			2 * QUEUE_DEPTH, &link->cqs[side]),
		ND_SUCCESS);
	cr_assert_eq(nd_connector_create_endpoint(link->connectors[side], link->cqs[side],
			     link->cqs[side], QUEUE_DEPTH, QUEUE_DEPTH, 1, 1, 4, 4, NULL,
			     &link->endpoints[side]),
		ND_SUCCESS);
}

void
engines_connect(
	struct engines_net *net, struct engines_link *link, unsigned int from, unsigned int to)
{
	struct nd_overlapped request = {0}, connect = {0}, accept = {0};
	struct sockaddr_in address = address_of(1);
	nd_status asked, connecting, accepting;

	*link = (struct engines_link){.net = net, .homes = {from, to}};
	address.sin_port = net->port;
	for (unsigned int side = 0; side < 2; side++)
		cr_assert_eq(
			nd_adapter_create_connector(net->adapters[side], &link->connectors[side]),
			ND_SUCCESS);
	asked = nd_listener_get_connection_request(net->listener, link->connectors[1], &request);
	endpoint_make(link, 0);
	connecting = nd_connector_connect(link->connectors[0], link->endpoints[0],
		(struct sockaddr *)&address, sizeof(address), 6, 0, NULL, 0, &connect);
	cr_assert_eq(engines_wait(net, asked, &request), ND_SUCCESS);
	endpoint_make(link, 1);
	accepting = nd_connector_accept(link->connectors[1], link->endpoints[1], NULL, 0, &accept);
	cr_assert_eq(engines_wait(net, connecting, &connect), ND_SUCCESS);
	cr_assert_eq(nd_connector_complete_connect(link->connectors[0], NULL), ND_SUCCESS);
	cr_assert_eq(engines_wait(net, accepting, &accept), ND_SUCCESS);
}

void
engines_disconnect(struct engines_link *link)
{
	struct nd_overlapped disconnect = {0};

	cr_assert_eq(
		engines_wait(link->net, nd_connector_disconnect(link->connectors[0], &disconnect),
			&disconnect),
		ND_SUCCESS);
	for (unsigned int side = 0; side < 2; side++) {
		cr_assert_eq(nd_endpoint_release(link->endpoints[side]), ND_SUCCESS);
		cr_assert_eq(nd_connector_release(link->connectors[side]), ND_SUCCESS);
		cr_assert_eq(nd_cq_release(link->cqs[side]), ND_SUCCESS);
	}
}
