/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test ports on net_ring, net_null and net_tap. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <rte_ethdev.h>

#include "unit/port_rig.h"

Test(port, path_mtu_leaves_room_for_headers)
{
	static const uint16_t pairs[][2] = {
		{0, 0},
		{351, 0},
		{352, 256},
		{607, 256},
		{608, 512},
		{1119, 512},
		{1120, 1024},
		{1500, 1024},
		{2143, 1024},
		{2144, 2048},
		{4191, 2048},
		{4192, 4096},
		{9000, 4096},
		{UINT16_MAX, 4096},
	};

	for (unsigned int i = 0; i < RTE_DIM(pairs); i++)
		cr_assert_eq(port_path_mtu(pairs[i][0]), pairs[i][1], "MTU %u: %u, expected %u",
			pairs[i][0], port_path_mtu(pairs[i][0]), pairs[i][1]);
}

Test(port, absent_port_is_named)
{
	struct fixture fixture;
	uint16_t mtu;
	int socket_id;

	fixture_start(&fixture);
	open_with(&fixture, (struct port_config){.queue_count = 1, .port_id = 7});
	expect_why(&fixture, PORT_ABSENT, "there is no port 7");
	open_with(&fixture,
		(struct port_config){.queue_count = 1, .port_id = UINT16_MAX, .configured = true});
	expect_why(&fixture, PORT_ABSENT, "there is no port 65535");
	cr_assert_eq(port_query(7, &mtu, &socket_id), PORT_ABSENT);
	fixture_stop(&fixture);
}

Test(port, absent_queue_is_named)
{
	struct fixture fixture;
	uint16_t port_id = port_add("net_null0", "");
	char want[WHY_BYTES];

	fixture_start(&fixture);
	open_with(&fixture,
		(struct port_config){.queue_count = 1, .port_id = port_id, .queue_id = 3});
	snprintf(want, sizeof(want), "port %u has no queue 3: it has 1 queues", port_id);
	expect_why(&fixture, PORT_ABSENT, want);
	open_with(&fixture,
		(struct port_config){
			.queue_count = 1, .port_id = port_id, .queue_id = 1, .configured = true});
	snprintf(want, sizeof(want), "port %u has no queue 1: it has 1 queues", port_id);
	expect_why(&fixture, PORT_ABSENT, want);
	fixture_stop(&fixture);
}

Test(port, query_gives_mtu_and_socket)
{
	uint16_t port_id = port_add("net_null0", ""), mtu = 0;
	int socket_id = -2;

	cr_assert_eq(port_query(port_id, &mtu, &socket_id), PORT_OK);
	cr_assert_eq(mtu, 1500);
	cr_assert(socket_id == SOCKET_ID_ANY || socket_id >= 0, "socket %d", socket_id);
}

Test(port, claimed_queue_is_refused_until_it_is_closed)
{
	struct fixture fixture, second;
	uint16_t port_id = port_add("net_null0", "");
	char want[WHY_BYTES];

	fixture_start(&fixture);
	fixture_start(&second);
	open_ok(&fixture, port_id);
	open_with(&second, (struct port_config){.queue_count = 1, .port_id = port_id});
	snprintf(want, sizeof(want), "queue 0 of port %u already belongs to another engine",
		port_id);
	expect_why(&second, PORT_IN_USE, want);
	port_close(fixture.port);
	fixture.port = NULL;
	open_ok(&second, port_id);
	fixture_stop(&second);
	fixture_stop(&fixture);
}

Test(port, queues_of_a_configured_port_are_claimed_one_by_one)
{
	struct fixture first, second, third;
	uint16_t port_id = port_add("net_null0", "");
	struct rte_eth_conf conf = {0};
	struct rte_eth_link link;

	fixture_start(&first);
	fixture_start(&second);
	fixture_start(&third);
	cr_assert_eq(rte_eth_dev_configure(port_id, 2, 2, &conf), 0);
	for (uint16_t queue = 0; queue < 2; queue++) {
		cr_assert_eq(rte_eth_rx_queue_setup(port_id, queue, 64, 0, NULL, first.pool), 0);
		cr_assert_eq(rte_eth_tx_queue_setup(port_id, queue, 64, 0, NULL), 0);
	}
	cr_assert_eq(rte_eth_dev_start(port_id), 0);
	open_with(&first,
		(struct port_config){
			.queue_count = 1, .port_id = port_id, .queue_id = 0, .configured = true});
	open_with(&second,
		(struct port_config){
			.queue_count = 1, .port_id = port_id, .queue_id = 1, .configured = true});
	cr_assert_eq(first.error, PORT_OK, "%s", first.why);
	cr_assert_eq(second.error, PORT_OK, "%s", second.why);
	open_with(&third,
		(struct port_config){
			.queue_count = 1, .port_id = port_id, .queue_id = 1, .configured = true});
	cr_assert_eq(third.error, PORT_IN_USE);
	/*
	 * The third open is refused, because it would configure the port with one queue and so
	 * remove two queues that are in use.
	 */
	open_with(&third, (struct port_config){.queue_count = 1, .port_id = port_id});
	cr_assert_eq(third.error, PORT_IN_USE);
	/* If the application has started a port, port_close() does not stop it. */
	port_close(second.port);
	second.port = NULL;
	cr_assert_eq(rte_eth_link_get_nowait(port_id, &link), 0);
	cr_assert_eq(link.link_status, RTE_ETH_LINK_UP);
	fixture_stop(&first);
	cr_assert_eq(rte_eth_dev_stop(port_id), 0);
	fixture_stop(&second);
	fixture_stop(&third);
}

static void
pump(const struct port_io *from, const struct port_io *to, struct rte_mempool *pool)
{
	struct rte_mbuf *sent[LIMIT_BURST], *got[LIMIT_BURST];

	for (uint16_t i = 0; i < LIMIT_BURST; i++) {
		sent[i] = rte_pktmbuf_alloc(pool);
		cr_assert_not_null(sent[i]);
		*(uint32_t *)(void *)rte_pktmbuf_append(sent[i], 60) = i;
	}
	cr_assert_eq(to->receive(to->arg, got, LIMIT_BURST), 0);
	cr_assert_eq(from->transmit(from->arg, sent, LIMIT_BURST), LIMIT_BURST);
	cr_assert_eq(to->receive(to->arg, got, LIMIT_BURST), LIMIT_BURST);
	for (uint16_t i = 0; i < LIMIT_BURST; i++)
		cr_assert_eq(*rte_pktmbuf_mtod(got[i], const uint32_t *), i);
	rte_pktmbuf_free_bulk(got, LIMIT_BURST);
}

Test(port, bursts_travel_in_order_and_survive_reopening)
{
	struct fixture a, b;
	uint16_t port_ids[2];

	cable_add(port_ids, 1);
	fixture_start(&a);
	fixture_start(&b);
	for (unsigned int i = 0; i < 3; i++) {
		const struct port_io *io_a, *io_b;

		open_ok(&a, port_ids[0]);
		open_ok(&b, port_ids[1]);
		io_a = port_get_io(a.port, 0);
		io_b = port_get_io(b.port, 0);
		/* Each port must have got a MAC address, because net_ring assigns none. */
		cr_assert(rte_is_valid_assigned_ether_addr(&io_a->mac));
		cr_assert_not(rte_is_same_ether_addr(&io_a->mac, &io_b->mac));
		pump(io_a, io_b, a.pool);
		pump(io_b, io_a, b.pool);
		port_close(a.port);
		port_close(b.port);
	}
	a.port = b.port = NULL;
	fixture_stop(&a);
	fixture_stop(&b);
}

/** Remove the device. */
static void
port_remove(uint16_t port_id)
{
	char name[RTE_ETH_NAME_MAX_LEN];

	cr_assert_eq(rte_eth_dev_get_name_by_port(port_id, name), 0);
	cr_assert_eq(rte_eal_hotplug_remove("vdev", name), 0);
}

static bool
link_is_lost(const struct port_io *io)
{
	struct port_link link = io->look(io->look_arg);

	return !link.up && link.downs == 1;
}

/* After a port was removed, no call accesses it, or a new device with the same number. */
Test(port, removed_port_is_left_alone)
{
	uint16_t port_id = port_add("net_null0", "");
	struct fixture first, second;
	const struct port_io *old, *new;
	struct rte_mbuf *mbufs[LIMIT_BURST], *kept;

	fixture_start(&first);
	fixture_start(&second);
	open_ok(&first, port_id);
	old = port_get_io(first.port, 0);
	cr_assert_not(port_removed(first.port));
	port_remove(port_id);
	cr_assert(port_removed(first.port));
	cr_assert(link_is_lost(old));
	cr_assert_eq(port_io_receive(old, mbufs, LIMIT_BURST), 0);
	cr_assert_eq(port_add("net_null0", ""), port_id, "the number is used again");
	open_ok(&second, port_id);
	new = port_get_io(second.port, 0);
	cr_assert(port_removed(first.port));
	cr_assert(link_is_lost(old));
	cr_assert_eq(port_io_receive(old, mbufs, LIMIT_BURST), 0);
	kept = rte_pktmbuf_alloc(first.pool);
	cr_assert_eq(port_io_transmit(old, &kept, 1), 0);
	rte_pktmbuf_free(kept);
	/* The new port still works. net_null delivers frames until the port is stopped. */
	fixture_stop(&first);
	cr_assert_eq(port_io_receive(new, mbufs, LIMIT_BURST), LIMIT_BURST);
	rte_pktmbuf_free_bulk(mbufs, LIMIT_BURST);
	fixture_stop(&second);
}

Test(port, full_ring_leaves_the_rest_with_the_caller)
{
	struct fixture a, b;
	struct rte_mbuf *mbufs[100];
	const struct port_io *io;
	uint16_t port_ids[2], sent;

	cable_add(port_ids, 1);
	fixture_start(&a);
	fixture_start(&b);
	open_ok(&a, port_ids[0]);
	open_ok(&b, port_ids[1]);
	io = port_get_io(a.port, 0);
	cr_assert_eq(rte_pktmbuf_alloc_bulk(a.pool, mbufs, 100), 0);
	sent = port_io_transmit(io, mbufs, 100);
	cr_assert_eq(sent, 63, "a ring of 64 takes 63, not %u", sent);
	rte_pktmbuf_free_bulk(mbufs + sent, 100u - sent);
	io = port_get_io(b.port, 0);
	cr_assert_eq(port_io_receive(io, mbufs, 100), 63);
	rte_pktmbuf_free_bulk(mbufs, 63);
	fixture_stop(&a);
	fixture_stop(&b);
}

Test(port, mtu_is_raised_but_not_lowered)
{
	struct fixture fixture;
	uint16_t port_id = port_add("net_null0", "");

	fixture_start(&fixture);
	open_with(
		&fixture, (struct port_config){.queue_count = 1, .port_id = port_id, .mtu = 1120});
	cr_assert_eq(fixture.error, PORT_OK, "%s", fixture.why);
	cr_assert_eq(port_get_io(fixture.port, 0)->mtu, 1500);
	port_close(fixture.port);
	/* A frame with this MTU fits into one buffer of 2048 bytes. */
	open_with(
		&fixture, (struct port_config){.queue_count = 1, .port_id = port_id, .mtu = 2000});
	cr_assert_eq(fixture.error, PORT_OK, "%s", fixture.why);
	cr_assert_eq(port_get_io(fixture.port, 0)->mtu, 2000);
	fixture_stop(&fixture);
}

Test(port, mtu_that_buffers_cannot_hold_is_lowered_to_what_is_wanted)
{
	struct fixture fixture;
	uint16_t port_id = port_add("net_null0", "");
	struct rte_eth_conf conf = {.rxmode.mtu = 9000};

	fixture_start(&fixture);
	cr_assert_eq(rte_eth_dev_configure(port_id, 1, 1, &conf), 0);
	open_with(
		&fixture, (struct port_config){.queue_count = 1, .port_id = port_id, .mtu = 1120});
	cr_assert_eq(fixture.error, PORT_OK, "%s", fixture.why);
	cr_assert_eq(port_get_io(fixture.port, 0)->mtu, 1120);
	fixture_stop(&fixture);
}

Test(port, software_driver_without_mtu_takes_any)
{
	struct fixture fixture;
	uint16_t port_ids[2];

	cable_add(port_ids, 1);
	fixture_start(&fixture);
	open_with(&fixture,
		(struct port_config){.queue_count = 1, .port_id = port_ids[0], .mtu = 4192});
	cr_assert_eq(fixture.error, PORT_OK, "%s", fixture.why);
	cr_assert_eq(port_get_io(fixture.port, 0)->mtu, 4192);
	fixture_stop(&fixture);
}

Test(port, mtu_beyond_the_driver_is_refused_and_the_port_stays_usable)
{
	struct fixture fixture;
	uint16_t port_id, mtu;
	char want[WHY_BYTES];
	int socket_id;

	/* Use net_memif: it limits frames to 1518 bytes, and can be configured without a peer. */
	snprintf(want, sizeof(want), "role=server,socket-abstract=yes,socket=nd_test_%d", getpid());
	if (test_device_add("net_memif", want) != 0)
		cr_skip("no net_memif driver");
	cr_assert_eq(rte_eth_dev_get_port_by_name("net_memif0", &port_id), 0);
	fixture_start(&fixture);
	open_with(
		&fixture, (struct port_config){.queue_count = 1, .port_id = port_id, .mtu = 4192});
	snprintf(want, sizeof(want),
		"port %u cannot use an MTU of 4192: its driver allows 46 to 1500", port_id);
	expect_why(&fixture, PORT_FAILED, want);
	cr_assert_eq(port_query(port_id, &mtu, &socket_id), PORT_OK);
	cr_assert_eq(mtu, 1500);
	open_ok(&fixture, port_id);
	fixture_stop(&fixture);
}

Test(port, multicast_is_received_as_far_as_the_driver_filters)
{
	struct fixture fixture;
	uint16_t port_ids[2];

	cable_add(port_ids, 1);
	fixture_start(&fixture);
	open_with(&fixture,
		(struct port_config){.queue_count = 1, .port_id = port_ids[0], .v6 = true});
	cr_assert_eq(fixture.error, PORT_OK, "%s", fixture.why);
	cr_assert(rte_eth_allmulticast_get(port_ids[0]) == 1 ||
		rte_eth_promiscuous_get(port_ids[0]) == 1);
	port_close(fixture.port);
	/* The open fails, because net_null supports neither promiscuous nor all-multicast mode. */
	open_with(&fixture,
		(struct port_config){
			.queue_count = 1, .port_id = port_add("net_null0", ""), .v6 = true});
	cr_assert_eq(fixture.error, PORT_OK, "%s", fixture.why);
	fixture_stop(&fixture);
}

Test(port, port_that_runs_already_is_refused)
{
	struct fixture fixture;
	uint16_t port_id = port_add("net_null0", "");
	struct rte_eth_conf conf = {0};

	fixture_start(&fixture);
	cr_assert_eq(rte_eth_dev_configure(port_id, 1, 1, &conf), 0);
	cr_assert_eq(rte_eth_rx_queue_setup(port_id, 0, 64, 0, NULL, fixture.pool), 0);
	cr_assert_eq(rte_eth_tx_queue_setup(port_id, 0, 64, 0, NULL), 0);
	cr_assert_eq(rte_eth_dev_start(port_id), 0);
	open_with(&fixture, (struct port_config){.queue_count = 1, .port_id = port_id});
	cr_assert_eq(fixture.error, PORT_FAILED);
	cr_assert_not_null(strstr(fixture.why, "cannot be configured"), "%s", fixture.why);
	open_with(&fixture,
		(struct port_config){.queue_count = 1, .port_id = port_id, .configured = true});
	cr_assert_eq(fixture.error, PORT_OK, "%s", fixture.why);
	port_close(fixture.port);
	fixture.port = NULL;
	cr_assert_eq(rte_eth_dev_stop(port_id), 0);
	fixture_stop(&fixture);
}

/*
 * A stopped net_tap port keeps its receive buffers, and frees them when the port gets another pool.
 * The driver also requires equal numbers of receive and transmit queues. In both cases, a close
 * must log no error.
 */
Test(port, buffers_of_a_closed_tap_come_back_when_it_is_opened_again)
{
	struct fixture fixture;
	struct rte_mempool *first;
	const char *text;
	uint16_t port_id;

	test_eal_init_large();
	if (!test_tap_add(&port_id))
		cr_skip_test("net_tap cannot be used: no driver, or no right to make a device");
	first = fixture.pool = test_pool_create(TAP_MBUFS, DATA_ROOM);
	open_ok(&fixture, port_id);
	log_start();
	port_close(fixture.port);
	text = log_take();
	cr_assert_str_empty(text, "the close says: %s", text);
	fixture.pool = test_pool_create(TAP_MBUFS, DATA_ROOM);
	open_ok(&fixture, port_id);
	cr_assert_eq(rte_mempool_in_use_count(first), 0);
	port_close(fixture.port);
	cr_assert_eq(rte_eth_dev_close(port_id), 0);
	cr_assert_eq(rte_mempool_in_use_count(fixture.pool), 0);
	rte_mempool_free(first);
	rte_mempool_free(fixture.pool);
}

Test(port, closing_nothing_is_harmless)
{
	port_close(NULL);
}
