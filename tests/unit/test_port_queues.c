/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test ports with several queues, on net_ring, net_null and net_tap. */

#include <criterion/criterion.h>

#include <rte_ethdev.h>

#include "unit/port_rig.h"

static const struct port_io *
io_of(const struct fixture *fixture, uint16_t index)
{
	return port_get_io(fixture->port, index);
}

static void
open_queues(struct fixture *fixture, uint16_t port_id, uint16_t count)
{
	open_with(fixture, (struct port_config){.port_id = port_id, .queue_count = count});
	cr_assert_eq(fixture->error, PORT_OK, "%u queues: %s", count, fixture->why);
}

static void
send_marked(struct fixture *fixture, uint16_t index, uint8_t mark)
{
	const struct port_io *io = io_of(fixture, index);
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(fixture->pool);

	cr_assert_not_null(mbuf);
	*(uint8_t *)rte_pktmbuf_append(mbuf, 60) = mark;
	cr_assert_eq(port_io_transmit(io, &mbuf, 1), 1);
}

/* @return mark of the frame in the queue, which must be the only one; -1 if the queue is empty */
static int
receive_marked(struct fixture *fixture, uint16_t index)
{
	const struct port_io *io = io_of(fixture, index);
	struct rte_mbuf *mbufs[LIMIT_BURST];
	uint16_t count = port_io_receive(io, mbufs, LIMIT_BURST);
	int mark = -1;

	cr_assert_leq(count, 1);
	if (count == 1) {
		mark = *rte_pktmbuf_mtod(mbufs[0], const uint8_t *);
		rte_pktmbuf_free(mbufs[0]);
	}
	return mark;
}

static void
expect_separate_queues(struct fixture *from, struct fixture *to, uint16_t count)
{
	for (uint16_t sender = 0; sender < count; sender++) {
		send_marked(from, sender, (uint8_t)(10 + sender));
		for (uint16_t receiver = 0; receiver < count; receiver++)
			cr_assert_eq(receive_marked(to, receiver),
				receiver == sender ? 10 + sender : -1, "queue %u to %u", sender,
				receiver);
	}
}

Test(port_queues, each_has_an_io_of_its_own)
{
	static const uint16_t counts[] = {3, 1, 4, 2};
	struct fixture a, b;
	uint16_t port_ids[2];

	cable_add(port_ids, 4);
	fixture_start(&a);
	fixture_start(&b);
	for (unsigned int i = 0; i < RTE_DIM(counts); i++) {
		open_queues(&a, port_ids[0], counts[i]);
		open_queues(&b, port_ids[1], counts[i]);
		expect_separate_queues(&a, &b, counts[i]);
		expect_separate_queues(&b, &a, counts[i]);
		port_close(a.port);
		port_close(b.port);
	}
	a.port = b.port = NULL;
	fixture_stop(&a);
	fixture_stop(&b);
}

Test(port_queues, all_have_one_mac_address_and_mtu)
{
	struct fixture fixture;
	uint16_t port_ids[2];

	cable_add(port_ids, 3);
	fixture_start(&fixture);
	open_with(&fixture,
		(struct port_config){.port_id = port_ids[0], .queue_count = 3, .mtu = 4192});
	cr_assert_eq(fixture.error, PORT_OK, "%s", fixture.why);
	cr_assert(rte_is_valid_assigned_ether_addr(&io_of(&fixture, 0)->mac));
	for (uint16_t index = 0; index < 3; index++) {
		const struct port_io *io = io_of(&fixture, index);

		cr_assert(rte_is_same_ether_addr(&io->mac, &io_of(&fixture, 0)->mac));
		cr_assert_eq(io->mtu, 4192);
		cr_assert_eq(io->socket_id, io_of(&fixture, 0)->socket_id);
	}
	fixture_stop(&fixture);
}

/*
 * Each queue receives into buffers from its own pool. net_null delivers as many frames as
 * requested.
 */
Test(port_queues, each_receives_into_its_own_pool)
{
	uint16_t port_id = port_add("net_null0", "");
	struct rte_mempool *pools[LIMIT_ENGINES];
	struct port_config config = {.port_id = port_id, .queue_count = LIMIT_ENGINES};
	struct fixture fixture;

	fixture_start(&fixture);
	for (uint16_t i = 0; i < LIMIT_ENGINES; i++)
		config.pools[i] = pools[i] = test_pool_create(LIMIT_BURST, DATA_ROOM);
	open_with(&fixture, config);
	cr_assert_eq(fixture.error, PORT_OK, "%s", fixture.why);
	for (uint16_t i = 0; i < LIMIT_ENGINES; i++) {
		const struct port_io *io = io_of(&fixture, i);
		struct rte_mbuf *mbufs[LIMIT_BURST];

		cr_assert_eq(port_io_receive(io, mbufs, LIMIT_BURST), LIMIT_BURST);
		for (unsigned int n = 0; n < LIMIT_BURST; n++)
			cr_assert_eq(mbufs[n]->pool, pools[i], "queue %u", i);
		rte_pktmbuf_free_bulk(mbufs, LIMIT_BURST);
	}
	fixture_stop(&fixture);
	for (uint16_t i = 0; i < LIMIT_ENGINES; i++)
		rte_mempool_free(pools[i]);
}

Test(port_queues, smallest_buffers_decide_about_the_mtu)
{
	uint16_t port_id = port_add("net_null0", "");
	struct port_config config = {.port_id = port_id, .queue_count = 3, .mtu = 1120};
	struct rte_eth_conf conf = {.rxmode.mtu = 9000};
	struct rte_mempool *large = test_pool_create(LIMIT_BURST, 9100);
	struct fixture fixture;

	fixture_start(&fixture);
	cr_assert_eq(rte_eth_dev_configure(port_id, 1, 1, &conf), 0);
	for (uint16_t i = 0; i < 3; i++)
		config.pools[i] = large;
	open_with(&fixture, config);
	cr_assert_eq(io_of(&fixture, 0)->mtu, 9000, "all hold 9000 bytes");
	port_close(fixture.port);
	config.pools[1] = fixture.pool;
	open_with(&fixture, config);
	cr_assert_eq(io_of(&fixture, 0)->mtu, 1120, "one holds 2048 bytes");
	fixture_stop(&fixture);
	rte_mempool_free(large);
}

Test(port_queues, more_than_the_driver_offers_are_refused)
{
	struct fixture fixture;
	uint16_t port_ids[2];
	char want[WHY_BYTES];

	cable_add(port_ids, 2);
	fixture_start(&fixture);
	open_with(&fixture, (struct port_config){.port_id = port_ids[0], .queue_count = 3});
	snprintf(want, sizeof(want), "port %u cannot have 3 queues: its driver supports 2",
		port_ids[0]);
	expect_why(&fixture, PORT_ABSENT, want);
	open_queues(&fixture, port_ids[0], 2);
	fixture_stop(&fixture);
}

Test(port_queues, count_out_of_range_is_refused)
{
	static const uint16_t counts[] = {0, LIMIT_ENGINES + 1, UINT16_MAX};
	uint16_t port_id = port_add("net_null0", "");
	struct fixture fixture;
	char want[WHY_BYTES];

	fixture_start(&fixture);
	for (unsigned int i = 0; i < RTE_DIM(counts); i++)
		for (unsigned int configured = 0; configured < 2; configured++) {
			open_with(&fixture,
				(struct port_config){.port_id = port_id,
					.queue_count = counts[i],
					.configured = configured == 1});
			snprintf(want, sizeof(want),
				"port %u cannot have %u queues: 1 to 16 are allowed", port_id,
				counts[i]);
			expect_why(&fixture, PORT_ABSENT, want);
		}
	fixture_stop(&fixture);
}

static uint16_t
configured_port_add(struct rte_mempool *pool, uint16_t rx_count, uint16_t tx_count)
{
	uint16_t port_id = port_add("net_null0", "");
	struct rte_eth_conf conf = {0};

	cr_assert_eq(rte_eth_dev_configure(port_id, rx_count, tx_count, &conf), 0);
	for (uint16_t queue = 0; queue < rx_count; queue++)
		cr_assert_eq(rte_eth_rx_queue_setup(port_id, queue, 64, 0, NULL, pool), 0);
	for (uint16_t queue = 0; queue < tx_count; queue++)
		cr_assert_eq(rte_eth_tx_queue_setup(port_id, queue, 64, 0, NULL), 0);
	cr_assert_eq(rte_eth_dev_start(port_id), 0);
	return port_id;
}

static enum port_error
open_range(struct fixture *fixture, uint16_t port_id, uint16_t queue_id, uint16_t count)
{
	return open_with(fixture,
		(struct port_config){.port_id = port_id,
			.queue_id = queue_id,
			.queue_count = count,
			.configured = true});
}

static void
expect_taken(struct fixture *fixture, uint16_t port_id, uint16_t queue)
{
	char want[WHY_BYTES];

	snprintf(want, sizeof(want), "queue %u of port %u already belongs to another engine", queue,
		port_id);
	expect_why(fixture, PORT_IN_USE, want);
}

Test(port_queues, ranges_of_a_configured_port_do_not_overlap)
{
	struct fixture low, high, third;
	uint16_t port_id;

	fixture_start(&low);
	fixture_start(&high);
	fixture_start(&third);
	port_id = configured_port_add(low.pool, 8, 8);
	cr_assert_eq(open_range(&low, port_id, 1, 2), PORT_OK, "%s", low.why);
	cr_assert_eq(open_range(&high, port_id, 3, 4), PORT_OK, "%s", high.why);
	open_range(&third, port_id, 0, 2);
	expect_taken(&third, port_id, 1);
	open_range(&third, port_id, 2, 1);
	expect_taken(&third, port_id, 2);
	open_range(&third, port_id, 6, 2);
	expect_taken(&third, port_id, 6);
	open_range(&third, port_id, 4, 1);
	expect_taken(&third, port_id, 4);
	cr_assert_eq(open_range(&third, port_id, 7, 1), PORT_OK, "%s", third.why);
	port_close(third.port);
	cr_assert_eq(open_range(&third, port_id, 0, 1), PORT_OK, "%s", third.why);
	port_close(third.port);
	port_close(low.port);
	low.port = NULL;
	cr_assert_eq(open_range(&third, port_id, 0, 3), PORT_OK, "%s", third.why);
	fixture_stop(&third);
	fixture_stop(&high);
	cr_assert_eq(rte_eth_dev_stop(port_id), 0);
	fixture_stop(&low);
}

/*
 * Queue index 0 is the first queue of the configured range. The pool of a frame shows which queue
 * received it.
 */
Test(port_queues, index_counts_from_the_first_queue_of_the_range)
{
	uint16_t port_id = port_add("net_null0", "");
	struct rte_mempool *pools[4];
	struct rte_eth_conf conf = {0};
	struct fixture fixture;

	fixture_start(&fixture);
	cr_assert_eq(rte_eth_dev_configure(port_id, 4, 4, &conf), 0);
	for (uint16_t queue = 0; queue < 4; queue++) {
		pools[queue] = test_pool_create(LIMIT_BURST, DATA_ROOM);
		cr_assert_eq(rte_eth_rx_queue_setup(port_id, queue, 64, 0, NULL, pools[queue]), 0);
		cr_assert_eq(rte_eth_tx_queue_setup(port_id, queue, 64, 0, NULL), 0);
	}
	cr_assert_eq(rte_eth_dev_start(port_id), 0);
	cr_assert_eq(open_range(&fixture, port_id, 2, 2), PORT_OK, "%s", fixture.why);
	for (uint16_t index = 0; index < 2; index++) {
		const struct port_io *io = io_of(&fixture, index);
		struct rte_mbuf *mbuf;

		cr_assert_eq(port_io_receive(io, &mbuf, 1), 1);
		cr_assert_eq(mbuf->pool, pools[2 + index], "index %u", index);
		rte_pktmbuf_free(mbuf);
	}
	fixture_stop(&fixture);
	cr_assert_eq(rte_eth_dev_stop(port_id), 0);
	for (uint16_t queue = 0; queue < 4; queue++)
		rte_mempool_free(pools[queue]);
}

Test(port_queues, range_beyond_a_configured_port_is_refused)
{
	struct fixture fixture;
	char want[WHY_BYTES];
	uint16_t port_id;

	fixture_start(&fixture);
	port_id = configured_port_add(fixture.pool, 4, 3);
	snprintf(want, sizeof(want), "port %u has no queue 3: it has 3 queues", port_id);
	open_range(&fixture, port_id, 0, 4);
	expect_why(&fixture, PORT_ABSENT, want);
	open_range(&fixture, port_id, 2, 2);
	expect_why(&fixture, PORT_ABSENT, want);
	open_range(&fixture, port_id, 3, 2);
	expect_why(&fixture, PORT_ABSENT, want);
	snprintf(want, sizeof(want), "port %u has no queue 65535: it has 3 queues", port_id);
	open_range(&fixture, port_id, UINT16_MAX, LIMIT_ENGINES);
	expect_why(&fixture, PORT_ABSENT, want);
	cr_assert_eq(open_range(&fixture, port_id, 1, 2), PORT_OK, "%s", fixture.why);
	port_close(fixture.port);
	fixture.port = NULL;
	cr_assert_eq(rte_eth_dev_stop(port_id), 0);
	fixture_stop(&fixture);
}

Test(port_queues, port_of_several_queues_is_claimed_as_a_whole)
{
	struct fixture first, second;
	uint16_t port_id = port_add("net_null0", "");

	fixture_start(&first);
	fixture_start(&second);
	open_queues(&first, port_id, 4);
	open_with(&second, (struct port_config){.port_id = port_id, .queue_count = 1});
	expect_taken(&second, port_id, 0);
	open_range(&second, port_id, 2, 2);
	expect_taken(&second, port_id, 2);
	fixture_stop(&first);
	open_queues(&second, port_id, 2);
	fixture_stop(&second);
}

/*
 * net_tap has any requested number of queues. For each further queue, the kernel opens one more
 * file.
 */
Test(port_queues, tap_has_as_many_as_are_wanted)
{
	struct fixture fixture = {0};
	uint16_t port_id;

	if (!test_tap_add(&port_id))
		cr_skip_test("net_tap cannot be used: no driver, or no right to make a device");
	fixture.pool = test_pool_create(TAP_MBUFS, DATA_ROOM);
	open_queues(&fixture, port_id, 3);
	for (uint16_t index = 0; index < 3; index++)
		send_marked(&fixture, index, 1);
	port_close(fixture.port);
	open_queues(&fixture, port_id, 1);
	port_close(fixture.port);
	cr_assert_eq(rte_eth_dev_close(port_id), 0);
	cr_assert_eq(rte_mempool_in_use_count(fixture.pool), 0);
	rte_mempool_free(fixture.pool);
}
