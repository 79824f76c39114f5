/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Sending from registered memory without a copy: the bytes that arrive, and what waits for packets
 * that the port still has. The test takes frames out of the ring between the adapters, as a driver
 * or a peer that is slow.
 */

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <rte_dev.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_ring.h>

#include "nd/adapter.h"
#include "support/eal.h"
#include "support/nd_pair.h"

#define PMTU         4096u
#define MEMORY_BYTES (512u << 10)
#define SEED         7u
#define FRAMES_MAX   64u

static struct nd_pair pair;

/* Frames that the test keeps; they are on their way all the same unless they are dropped. */
static struct rte_mbuf *held[FRAMES_MAX];
static unsigned int held_count;

static void
open_and_connect(void)
{
	/* A second: nothing is repeated only because the test keeps frames for a while. */
	nd_pair_open(&pair,
		&(struct nd_pair_config){.path_mtu = PMTU,
			.memory_bytes = MEMORY_BYTES,
			.ack_timeout = 18,
			.zero_copy = true});
	nd_pair_connect(&pair);
}

static void
count_used(struct rte_mempool *pool, void *arg)
{
	if (strncmp(pool->name, "nd_pool_", 8) == 0)
		*(unsigned int *)arg += rte_mempool_in_use_count(pool);
}

/** Every packet buffer of both adapters is in its pool. */
static void
expect_pools_full(void)
{
	unsigned int used = 0;

	for (unsigned int i = 0; i < 100; i++)
		nd_pair_poll(&pair);
	rte_mempool_walk(count_used, &used);
	cr_assert_eq(used, 0, "%u packet buffers are missing", used);
}

/** Ring from side 0 to side 1. */
static struct rte_ring *
wire(void)
{
	struct rte_ring *ring = rte_ring_lookup("pair_ring_1");

	cr_assert_not_null(ring);
	return ring;
}

/** Take what is on the wire, keep a reference to all of it, and put it back. */
static void
hold(void)
{
	held_count = rte_ring_dequeue_burst(wire(), (void **)held, FRAMES_MAX, NULL);
	cr_assert_gt(held_count, 0, "nothing on the wire");
	for (unsigned int i = 0; i < held_count; i++)
		for (struct rte_mbuf *mbuf = held[i]; mbuf != NULL; mbuf = mbuf->next)
			rte_mbuf_refcnt_update(mbuf, 1);
	cr_assert_eq(rte_ring_enqueue_burst(wire(), (void **)held, held_count, NULL), held_count);
}

static void
let_go(void)
{
	rte_pktmbuf_free_bulk(held, held_count);
	held_count = 0;
}

static struct nd_sge
part(unsigned int side, size_t offset, size_t bytes)
{
	return (struct nd_sge){pair.side[side].memory + offset, bytes, pair.side[side].mr};
}

static void
compare(const struct nd_sge *from, size_t offset)
{
	cr_assert_eq(memcmp(pair.side[1].memory + offset, from->address, from->length), 0,
		"%zu bytes differ", from->length);
}

/** Send from, all of it; the results are checked. */
static void
send_once(const struct nd_sge *from)
{
	struct nd_sge to = part(1, 0, from->length);
	struct nd_result sent, received;

	memset(pair.side[1].memory, 0, from->length);
	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received, &to, 1), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, from, 1, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_eq(received.bytes_transferred, from->length);
	compare(from, 0);
}

Test(zero_copy, bytes_arrive_at_every_size_and_offset)
{
	static const size_t sizes[] = {1, 3071, 3072, PMTU - 1, PMTU, PMTU + 1, 2 * PMTU - 1, 65536,
		65536 + 3073, MEMORY_BYTES - 3};
	struct nd_mw_descriptor window;
	struct nd_result written;

	open_and_connect();
	nd_pair_bind(&pair, 1, 0, MEMORY_BYTES, ND_OP_FLAG_ALLOW_WRITE, &window);
	nd_pair_pattern(pair.side[0].memory, MEMORY_BYTES, SEED);
	for (size_t i = 0; i < RTE_DIM(sizes); i++) {
		struct nd_sge from = part(0, i % 4, sizes[i]);

		if (from.length > MEMORY_BYTES - 4)
			from.address = pair.side[0].memory + 3;
		send_once(&from);
		memset(pair.side[1].memory, 0, from.length);
		cr_assert_eq(
			nd_endpoint_write(pair.side[0].endpoint, &written, &from, 1, &window, 0, 0),
			ND_SUCCESS);
		cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &written), ND_SUCCESS);
		compare(&from, 0);
	}
	cr_assert_gt(nd_pair_counter(&pair, 0, "tx_attached"), 300);
	cr_assert_eq(nd_pair_counter(&pair, 0, "retransmitted_packets"), 0);
	cr_assert_eq(nd_pair_counter(&pair, 1, "drop_icrc"), 0);
	expect_pools_full();
	nd_pair_close(&pair);
}

Test(zero_copy, entries_of_a_list_become_one_message)
{
	struct nd_sge from[4], to;
	struct nd_result sent, received;
	size_t offset = 0;

	open_and_connect();
	nd_pair_pattern(pair.side[0].memory, MEMORY_BYTES, SEED);
	for (unsigned int i = 0; i < 4; i++)
		from[i] = part(0, 50000u * (3 - i), 2500 + 1000 * i);
	to = part(1, 0, 20000);
	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received, &to, 1), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, from, 4, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	for (unsigned int i = 0; i < 4; offset += from[i++].length)
		compare(&from[i], offset);
	cr_assert_eq(received.bytes_transferred, offset);
	cr_assert_eq(nd_pair_counter(&pair, 0, "tx_attached"), offset / PMTU + 1);
	expect_pools_full();
	nd_pair_close(&pair);
}

Test(zero_copy, lost_packets_are_attached_again)
{
	struct rte_mbuf *frames[FRAMES_MAX];
	struct nd_sge from, to;
	struct nd_result sent, received;
	unsigned int count;

	open_and_connect();
	nd_pair_pattern(pair.side[0].memory, MEMORY_BYTES, SEED);
	from = part(0, 5, 16 * PMTU);
	to = part(1, 0, 16 * PMTU);
	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received, &to, 1), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, &from, 1, 0), ND_SUCCESS);
	count = rte_ring_dequeue_burst(wire(), (void **)frames, FRAMES_MAX, NULL);
	cr_assert_eq(count, 16);
	cr_assert_eq(frames[2]->nb_segs, 3, "%u segments", frames[2]->nb_segs);
	rte_pktmbuf_free(frames[2]);
	memmove(frames + 2, frames + 3, 13 * sizeof(frames[0]));
	cr_assert_eq(rte_ring_enqueue_burst(wire(), (void **)frames, 15, NULL), 15);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	compare(&from, 0);
	cr_assert_eq(nd_pair_counter(&pair, 0, "retransmitted_packets"), 14);
	cr_assert_eq(nd_pair_counter(&pair, 0, "tx_attached"), 30);
	expect_pools_full();
	nd_pair_close(&pair);
}

Test(zero_copy, memory_of_the_process_is_copied)
{
	uint8_t *memory = malloc(65536);
	struct nd_sge from = {memory, 65536, NULL};

	open_and_connect();
	cr_assert_not_null(memory);
	nd_pair_pattern(memory, 65536, SEED);
	cr_assert_eq(
		nd_adapter_register_memory(pair.side[0].adapter, memory, 65536, NULL, &from.mr),
		ND_SUCCESS);
	send_once(&from);
	cr_assert_eq(nd_pair_counter(&pair, 0, "tx_attached"), 0);
	cr_assert_eq(nd_pair_counter(&pair, 0, "tx_copied"), 65536 / PMTU);
	nd_pair_close(&pair);
	free(memory);
}

/** Register EAL memory of its own on side 0 and send it; the frames are on the wire. */
static uint8_t *
send_own(struct nd_sge *from, struct nd_result *sent, struct nd_result *received)
{
	struct nd_sge to = part(1, 0, 4 * PMTU);
	uint8_t *memory = rte_malloc("own", 4 * PMTU, 0);

	cr_assert_not_null(memory);
	nd_pair_pattern(memory, 4 * PMTU, SEED);
	*from = (struct nd_sge){memory, 4 * PMTU, NULL};
	cr_assert_eq(nd_adapter_register_memory(
			     pair.side[0].adapter, memory, from->length, NULL, &from->mr),
		ND_SUCCESS);
	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, received, &to, 1), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, sent, from, 1, 0), ND_SUCCESS);
	return memory;
}

static void
poll_sender(unsigned int turns)
{
	for (unsigned int i = 0; i < turns; i++)
		nd_engine_poll(nd_adapter_engine(pair.side[0].adapter));
}

Test(zero_copy, deregistration_waits_for_a_ring_that_nobody_drains)
{
	struct nd_overlapped overlapped = {0}, again = {0};
	struct nd_result sent, received;
	struct nd_sge from;
	uint8_t *memory;

	open_and_connect();
	memory = send_own(&from, &sent, &received);
	cr_assert_eq(rte_ring_count(wire()), 4);
	cr_assert_eq(nd_adapter_deregister_memory(pair.side[0].adapter, from.mr, &overlapped),
		ND_PENDING);
	poll_sender(1000);
	cr_assert_eq(overlapped.status, ND_PENDING, "%s", nd_status_name(overlapped.status));
	/* Dead for everybody else at once. */
	cr_assert_eq(nd_adapter_deregister_memory(pair.side[0].adapter, from.mr, &again),
		ND_INVALID_HANDLE);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	compare(&from, 0);
	cr_assert_eq(nd_pair_finish(&pair, ND_PENDING, &overlapped), ND_SUCCESS);
	rte_free(memory);
	expect_pools_full();
	nd_pair_close(&pair);
}

Test(zero_copy, deregistration_waits_behind_the_completion)
{
	struct nd_overlapped overlapped = {0};
	struct nd_result sent, received;
	struct nd_sge from;
	uint8_t *memory;

	open_and_connect();
	memory = send_own(&from, &sent, &received);
	hold();
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_eq(nd_adapter_deregister_memory(pair.side[0].adapter, from.mr, &overlapped),
		ND_PENDING);
	nd_pair_quiet(&pair, pair.side[0].outbound);
	cr_assert_eq(overlapped.status, ND_PENDING, "%s", nd_status_name(overlapped.status));
	let_go();
	poll_sender(1);
	cr_assert_eq(overlapped.status, ND_SUCCESS, "%s", nd_status_name(overlapped.status));
	rte_free(memory);
	expect_pools_full();
	nd_pair_close(&pair);
}

static unsigned int reclaim_count;

static void
reclaim_third_time(void *arg)
{
	(void)arg;
	if (++reclaim_count == 3)
		let_go();
}

/* An idle driver that frees sent frames only when it is asked to. */
Test(zero_copy, waiting_deregistration_asks_the_port_for_sent_frames)
{
	struct nd_overlapped overlapped = {0};
	struct nd_result sent, received;
	struct port_io io;
	struct nd_sge from;

	open_and_connect();
	cr_assert_not_null(pair.side[0].adapter->io->reclaim);
	io = *pair.side[0].adapter->io;
	io.reclaim = reclaim_third_time;
	pair.side[0].adapter->io = &io;
	send_own(&from, &sent, &received);
	hold();
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_eq(reclaim_count, 0);
	cr_assert_eq(nd_adapter_deregister_memory(pair.side[0].adapter, from.mr, &overlapped),
		ND_PENDING);
	poll_sender(1);
	cr_assert_eq(overlapped.status, ND_PENDING);
	poll_sender(1);
	cr_assert_eq(overlapped.status, ND_SUCCESS, "%s after %u calls",
		nd_status_name(overlapped.status), reclaim_count);
	poll_sender(10);
	cr_assert_leq(reclaim_count, 4);
	expect_pools_full();
	nd_pair_close(&pair);
}

Test(zero_copy, adapter_closes_while_frames_are_on_the_wire)
{
	struct nd_overlapped overlapped = {0};
	struct nd_result sent, received;
	struct rte_mbuf *frames[FRAMES_MAX];
	struct nd_sge from;
	unsigned int count, used = 0;

	open_and_connect();
	send_own(&from, &sent, &received);
	cr_assert_eq(nd_adapter_deregister_memory(pair.side[0].adapter, from.mr, &overlapped),
		ND_PENDING);
	nd_adapter_close(pair.side[0].adapter);
	cr_assert_eq(overlapped.status, ND_CANCELED, "%s", nd_status_name(overlapped.status));
	/* The bytes are still those that were sent. */
	count = rte_ring_dequeue_burst(wire(), (void **)frames, FRAMES_MAX, NULL);
	cr_assert_geq(count, 4);
	cr_assert_eq(rte_pktmbuf_mtod(frames[0]->next, uint8_t *), (uint8_t *)from.address);
	rte_pktmbuf_free_bulk(frames, count);
	rte_mempool_walk(count_used, &used);
	cr_assert_eq(used, 0, "%u packet buffers are missing", used);
	nd_adapter_close(pair.side[1].adapter);
}

Test(zero_copy, port_without_segments_is_refused_with_a_sentence)
{
	struct nd_adapter_config config = {.zero_copy = true};
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xC0000201)};
	struct nd_adapter *adapter = NULL;
	char expected[160];

	test_eal_init();
	cr_assert_eq(rte_eal_hotplug_add("vdev", "net_null0", ""), 0);
	cr_assert_eq(rte_eth_dev_get_port_by_name("net_null0", &config.port_id), 0);
	memcpy(&config.address, &address, sizeof(address));
	cr_assert_eq(nd_adapter_open(&config, &adapter), ND_DEVICE_NOT_READY);
	snprintf(expected, sizeof(expected),
		"port %u cannot send without copying: it takes no frames of several segments",
		config.port_id);
	cr_assert_str_eq(nd_adapter_open_error(), expected);
	config.zero_copy = false;
	cr_assert_eq(nd_adapter_open(&config, &adapter), ND_SUCCESS, "%s", nd_adapter_open_error());
	nd_adapter_close(adapter);
}
