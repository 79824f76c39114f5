/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Tests of the simulated network: times, queues, marks, drops, paths, pauses. */

#include "sim_net.h"

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <rte_ip.h>
#include <rte_mbuf.h>

#include "support/eal.h"

#define BYTES     1000 /* length of a frame in bytes; at 1 Gbit/s, a frame takes 8 us */
#define FRAME_NS  8000
#define PORTS     4
#define POOL_SIZE 2048

static struct sim_net net;
static struct rte_mempool *pool;
static uint64_t now_ns;
static uint32_t ports[PORTS];

static void
mac_make(uint8_t *mac, uint32_t port)
{
	memcpy(mac, (uint8_t[]){0x02, 0, 0, 0, 0, (uint8_t)port}, 6);
}

static void
start(uint64_t seed)
{
	pool = test_pool_create(POOL_SIZE, 2048);
	now_ns = 1000000;
	sim_net_init(&net, &now_ns, seed, NULL);
}

static void
port_add(uint32_t index)
{
	uint8_t mac[6];
	char name[2] = {(char)('A' + index), 0};

	mac_make(mac, index);
	ports[index] = sim_net_add_port(&net, name, mac, 1);
}

static void
connected(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		sim_net_set_pool(&net, ports[i], 0, pool);
	sim_net_start(&net);
}

/** Create a switch, and cables from the switch to `count` ports. */
static void
star(uint32_t count, const struct sim_link_config *config)
{
	uint32_t hub;

	start(1);
	hub = sim_net_add_switch(&net, "s", SIM_NET_BY_FLOW);
	for (uint32_t i = 0; i < count; i++) {
		port_add(i);
		sim_net_add_cable(&net, ports[i], hub, config);
	}
	connected(count);
}

/**
 * Create a RoCE frame with a number and an ECN value. @param to destination port; PORTS = all ports
 */
static struct rte_mbuf *
frame_make(uint32_t to, uint8_t number, uint8_t ecn, bool v6)
{
	struct rte_mbuf *mbuf = rte_pktmbuf_alloc(pool);
	uint8_t *data = (uint8_t *)rte_pktmbuf_append(mbuf, BYTES);
	uint8_t *ip = data + 14, *udp = ip + (v6 ? 40 : 20);
	struct rte_ipv4_hdr *header = (struct rte_ipv4_hdr *)ip;

	memset(data, 0, BYTES);
	mac_make(data, to);
	if (to == PORTS)
		memset(data, 0xFF, 6);
	data[12] = v6 ? 0x86 : 0x08;
	data[13] = v6 ? 0xDD : 0x00;
	ip[0] = v6 ? 0x60 : 0x45;
	ip[1] = v6 ? (uint8_t)(ecn << 4) : ecn;
	if (!v6)
		header->hdr_checksum = rte_ipv4_cksum(header);
	udp[2] = 0x12;
	udp[3] = 0xB7;
	data[BYTES - 1] = number;
	return mbuf;
}

static uint16_t
give(uint32_t from, uint32_t to, uint8_t number, uint8_t ecn)
{
	struct rte_mbuf *mbuf = frame_make(to, number, ecn, false);
	uint16_t taken = sim_net_transmit(&net, ports[from], &mbuf, 1);

	if (taken == 0)
		rte_pktmbuf_free(mbuf);
	return taken;
}

/** Advance the time to until_ns, and process the network's events in order. */
static void
pass_until(uint64_t until_ns)
{
	while (sim_net_next_ns(&net) <= until_ns) {
		now_ns = RTE_MAX(now_ns, sim_net_next_ns(&net));
		sim_net_run(&net);
	}
	now_ns = until_ns;
	sim_net_run(&net);
}

/** Receive the next frame at a port. @return number of the frame; -1 if no frame has arrived */
static int
take(uint32_t port)
{
	struct rte_mbuf *mbuf;
	int number;

	if (sim_net_receive(&net, ports[port], 0, &mbuf, 1) == 0)
		return -1;
	number = rte_pktmbuf_mtod_offset(mbuf, uint8_t *, BYTES - 1)[0];
	rte_pktmbuf_free(mbuf);
	return number;
}

static void
stop(void)
{
	sim_net_fini(&net);
	cr_assert_eq(rte_mempool_avail_count(pool), POOL_SIZE, "buffers are lost");
}

Test(sim_net, frame_takes_the_time_of_the_wire_and_of_the_way)
{
	uint64_t begin_ns;

	start(1);
	port_add(0);
	port_add(1);
	sim_net_add_cable(&net, ports[0], ports[1],
		&(struct sim_link_config){.latency_ns = 500, .rate_mbps = 1000});
	connected(2);
	begin_ns = now_ns;
	give(0, 1, 7, 0);
	give(0, 1, 8, 0);
	cr_assert_eq(sim_net_next_ns(&net), UINT64_MAX, "there is no switch");
	cr_assert_eq(sim_net_port_next_ns(&net, ports[1]), begin_ns + FRAME_NS + 500);
	pass_until(begin_ns + FRAME_NS + 499);
	cr_assert_eq(take(1), -1);
	pass_until(begin_ns + FRAME_NS + 500);
	cr_assert_eq(take(1), 7);
	cr_assert_eq(take(1), -1, "the wire sends one frame after the other");
	pass_until(begin_ns + 2 * FRAME_NS + 500);
	cr_assert_eq(take(1), 8);
	stop();
}

Test(sim_net, switch_stores_and_forwards)
{
	star(3, &(struct sim_link_config){.latency_ns = 500, .rate_mbps = 1000});
	give(0, 2, 7, 0);
	pass_until(now_ns + 2 * (FRAME_NS + 500) - 1);
	cr_assert_eq(take(2), -1);
	pass_until(now_ns + 1);
	cr_assert_eq(take(2), 7);
	cr_assert_eq(take(1), -1, "the frame is for one port only");
	stop();
}

Test(sim_net, broadcast_comes_to_all_others)
{
	star(4, &(struct sim_link_config){.latency_ns = 500});
	give(1, PORTS, 9, 0);
	pass_until(now_ns + 10000);
	cr_assert_eq(take(0), 9);
	cr_assert_eq(take(1), -1);
	cr_assert_eq(take(2), 9);
	cr_assert_eq(take(3), 9);
	stop();
}

Test(sim_net, full_queue_drops_and_counts)
{
	const struct sim_link *out;
	int received = 0;

	star(4, &(struct sim_link_config){.rate_mbps = 1000, .queue_bytes = 4 * BYTES});
	for (uint32_t from = 1; from < 4; from++) {
		for (uint8_t i = 0; i < 4; i++)
			give(from, 0, i, 0);
	}
	pass_until(now_ns + 50 * FRAME_NS);
	while (take(0) != -1)
		received++;
	out = sim_net_port_in(&net, ports[0]);
	cr_assert_eq(out->sent, 12);
	cr_assert_gt(out->queue_drops, 0);
	cr_assert_eq(received, 12 - (int)out->queue_drops);
	cr_assert_eq(out->queue_max_bytes, 4 * BYTES);
	stop();
}

/* If the pool of a port is empty, the first frames wait in order and later frames are lost. */
Test(sim_net, frames_wait_in_the_ring_for_buffers)
{
	const uint32_t more = 3, count = SIM_LINK_RING + more;
	struct rte_mempool *small;
	struct rte_mbuf *held;
	uint32_t i;

	start(1);
	port_add(0);
	port_add(1);
	sim_net_add_cable(&net, ports[0], ports[1], &(struct sim_link_config){.latency_ns = 500});
	connected(2);
	small = test_pool_create(1, 2048);
	sim_net_set_pool(&net, ports[1], 0, small);
	held = rte_pktmbuf_alloc(small);
	for (i = 0; i < count; i++)
		give(0, 1, (uint8_t)i, 0);
	pass_until(now_ns + 500);
	cr_assert_eq(take(1), -1);
	cr_assert_eq(take(1), -1, "again");
	cr_assert_eq(sim_net_port_in(&net, ports[1])->no_mbuf, more);
	cr_assert_leq(
		sim_net_port_next_ns(&net, ports[1]), now_ns, "the frame can be received now");
	give(0, 1, 99, 0);
	rte_pktmbuf_free(held);
	for (i = 0; i < SIM_LINK_RING; i++)
		cr_assert_eq(take(1), (int)i);
	cr_assert_eq(take(1), -1, "the last frame has not arrived");
	pass_until(now_ns + 500);
	cr_assert_eq(take(1), 99);
	rte_mempool_free(small);
	stop();
}

Test(sim_net, switch_marks_from_kmin_and_only_what_says_ect)
{
	const struct sim_link *out;
	uint64_t marked;

	star(3,
		&(struct sim_link_config){.rate_mbps = 1000,
			.mark_min_bytes = 2 * BYTES,
			.mark_max_bytes = 2 * BYTES});
	out = sim_net_port_in(&net, ports[0]);
	/* When the second frame of each sender arrives at the switch, one frame is in the queue. */
	give(1, 0, 0, 2);
	give(2, 0, 1, 2);
	pass_until(now_ns + 50 * FRAME_NS);
	cr_assert_eq(out->marked, 0);
	for (uint8_t i = 0; i < 6; i++) {
		give(1, 0, i, 0);
		give(2, 0, i, 2);
	}
	pass_until(now_ns + 50 * FRAME_NS);
	marked = out->marked;
	cr_assert_gt(marked, 0);
	cr_assert_lt(
		marked, 6, "the first frames find no queue, and half of the frames are not ECT");
	stop();
}

/* If the queue is far below the maximum, less than one frame in a thousand is marked. */
Test(sim_net, switch_marks_fewer_than_one_in_a_thousand)
{
	const struct sim_link *out;

	star(3,
		&(struct sim_link_config){
			.rate_mbps = 1000, .mark_max_bytes = 40 * BYTES, .mark = 10});
	out = sim_net_port_in(&net, ports[0]);
	for (int i = 0; i < 20000; i++) {
		give(1, 0, 0, 2);
		give(2, 0, 1, 2);
		pass_until(now_ns + 4 * FRAME_NS);
		while (take(0) >= 0)
			;
	}
	cr_assert_gt(out->marked, 0);
	cr_assert_lt(out->marked, 20);
	stop();
}

static void
marked_frame_check(bool v6)
{
	struct rte_mbuf *mbuf;
	uint8_t *ip;

	star(2,
		&(struct sim_link_config){
			.rate_mbps = 1000, .mark_min_bytes = 0, .mark_max_bytes = 1});
	for (uint8_t i = 0; i < 2; i++) {
		mbuf = frame_make(1, i, 1, v6);
		cr_assert_eq(sim_net_transmit(&net, ports[0], &mbuf, 1), 1);
	}
	pass_until(now_ns + 50 * FRAME_NS);
	/* The second frame has waited in the port's queue after the first frame. */
	take(1);
	cr_assert_eq(sim_net_receive(&net, ports[1], 0, &mbuf, 1), 1);
	ip = rte_pktmbuf_mtod_offset(mbuf, uint8_t *, 14);
	cr_assert_eq(v6 ? ip[1] >> 4 : ip[1], 3);
	if (!v6)
		cr_assert_eq(rte_raw_cksum(ip, 20), 0xFFFF, "checksum of the marked header");
	rte_pktmbuf_free(mbuf);
	stop();
}

Test(sim_net, mark_is_ce_in_ipv4_with_checksum)
{
	marked_frame_check(false);
}

Test(sim_net, mark_is_ce_in_ipv6)
{
	marked_frame_check(true);
}

/**
 * Send frames over a short and a long path between two switches. @return number of overtaken frames
 */
static int
overtaken(enum sim_net_choice choice)
{
	uint32_t near, far, up, down;
	int last = -1, late = 0;

	start(3);
	port_add(0);
	port_add(1);
	near = sim_net_add_switch(&net, "s", choice);
	far = sim_net_add_switch(&net, "t", choice);
	up = sim_net_add_switch(&net, "u", choice);
	down = sim_net_add_switch(&net, "d", choice);
	sim_net_add_cable(&net, ports[0], near, &(struct sim_link_config){.rate_mbps = 1000});
	sim_net_add_cable(&net, ports[1], far, &(struct sim_link_config){0});
	sim_net_add_cable(&net, near, up, &(struct sim_link_config){.latency_ns = 100});
	sim_net_add_cable(&net, near, down, &(struct sim_link_config){.latency_ns = 100000});
	sim_net_add_cable(&net, up, far, &(struct sim_link_config){0});
	sim_net_add_cable(&net, down, far, &(struct sim_link_config){0});
	connected(2);
	for (uint8_t i = 0; i < 40; i++)
		give(0, 1, i, 0);
	pass_until(now_ns + 100 * FRAME_NS);
	for (int i = 0; i < 40; i++) {
		int number = take(1);

		cr_assert_neq(number, -1, "frame %d is missing", i);
		late += number < last;
		last = RTE_MAX(last, number);
	}
	stop();
	return late;
}

Test(sim_net, spraying_reorders_and_flows_do_not)
{
	cr_assert_eq(overtaken(SIM_NET_BY_FLOW), 0);
	cr_assert_gt(overtaken(SIM_NET_BY_FRAME), 0);
}

Test(sim_net, pause_loses_nothing_and_reaches_the_sender)
{
	struct sim_link *out, *in;
	int received = 0;
	uint32_t refused = 0;

	star(4,
		&(struct sim_link_config){.rate_mbps = 1000,
			.ring_ns = 20 * FRAME_NS,
			.queue_bytes = 30 * BYTES,
			.pause_bytes = 5 * BYTES,
			.resume_bytes = 2 * BYTES});
	out = sim_net_port_in(&net, ports[0]);
	in = sim_net_port_out(&net, ports[1]);
	for (uint32_t round = 0; round < 40; round++) {
		for (uint32_t from = 1; from < 4; from++)
			refused += give(from, 0, 0, 0) == 0;
		pass_until(now_ns + FRAME_NS);
	}
	cr_assert_gt(in->pauses, 0);
	cr_assert_gt(refused, 0, "the rings of the ports are full");
	pass_until(now_ns + 200 * FRAME_NS);
	while (take(0) != -1)
		received++;
	cr_assert_eq(out->queue_drops, 0);
	cr_assert_eq(received, 120 - (int)refused);
	stop();
}

/** Two switches do not deadlock when their cable is overloaded in both directions. */
Test(sim_net, switches_with_queues_to_each_other_go_on)
{
	struct sim_link_config port = {.rate_mbps = 10000};
	struct sim_link_config trunk = {
		.rate_mbps = 1000, .pause_bytes = 5 * BYTES, .resume_bytes = 2 * BYTES};
	uint32_t leaves[2], received = 0, between;

	start(1);
	for (uint32_t i = 0; i < 2; i++)
		leaves[i] = sim_net_add_switch(&net, i == 0 ? "s" : "t", SIM_NET_BY_FLOW);
	for (uint32_t i = 0; i < PORTS; i++) {
		port_add(i);
		sim_net_add_cable(&net, ports[i], leaves[i % 2], &port);
	}
	between = sim_net_add_cable(&net, leaves[0], leaves[1], &trunk);
	connected(PORTS);
	for (uint32_t i = 0; i < 20 * PORTS; i++)
		give(i % PORTS, (i + 1) % PORTS, 1, 0);
	pass_until(now_ns + 50 * FRAME_NS);
	cr_assert_gt(sim_net_port_out(&net, ports[0])->pauses, 0);
	cr_assert_gt(sim_net_port_out(&net, ports[1])->pauses, 0);
	cr_assert_eq(sim_net_link(&net, between)->pauses, 0,
		"no frame of this link waits for a paused port");
	for (uint32_t i = 0; i < PORTS; i++) {
		while (take(i) != -1)
			received++;
	}
	cr_assert_eq(received, 20 * PORTS);
	stop();
}

Test(sim_net, paused_link_keeps_order_and_time)
{
	struct sim_link *link;
	uint64_t begin_ns;

	start(1);
	port_add(0);
	port_add(1);
	sim_net_add_cable(&net, ports[0], ports[1], &(struct sim_link_config){.rate_mbps = 1000});
	connected(2);
	link = sim_net_port_out(&net, ports[0]);
	begin_ns = now_ns;
	give(0, 1, 0, 0);
	give(0, 1, 1, 0);
	pass_until(begin_ns + FRAME_NS / 2);
	sim_link_pause(link);
	give(0, 1, 2, 0);
	pass_until(begin_ns + 10 * FRAME_NS);
	cr_assert_eq(take(1), 0, "a started transmission is completed");
	cr_assert_eq(take(1), -1);
	sim_link_resume(link);
	give(0, 1, 3, 0);
	for (int i = 1; i <= 3; i++) {
		cr_assert_eq(take(1), -1);
		pass_until(sim_net_port_next_ns(&net, ports[1]));
		cr_assert_eq(take(1), i);
	}
	cr_assert_eq(now_ns, begin_ns + 10 * FRAME_NS - FRAME_NS / 2 + 4 * FRAME_NS);
	stop();
}

Test(sim_net, cut_loses_until_it_is_healed)
{
	star(2, &(struct sim_link_config){.latency_ns = 500});
	sim_net_cut(&net, ports[1], true);
	give(0, 1, 1, 0);
	pass_until(now_ns + 10000);
	sim_net_cut(&net, ports[1], false);
	give(0, 1, 2, 0);
	pass_until(now_ns + 10000);
	cr_assert_eq(take(1), 2);
	cr_assert_eq(take(1), -1);
	stop();
}

Test(sim_net, long_frames_do_not_pass_a_short_link)
{
	star(2, &(struct sim_link_config){.frame_max = BYTES - 1});
	give(0, 1, 1, 0);
	pass_until(now_ns + 10000);
	cr_assert_eq(take(1), -1);
	cr_assert_eq(sim_net_port_out(&net, ports[0])->size_drops, 1);
	stop();
}

Test(sim_net, losses_come_in_bursts)
{
	uint32_t lost = 0, bursts = 0;
	bool before = false;

	start(5);
	port_add(0);
	port_add(1);
	sim_net_add_cable(&net, ports[0], ports[1],
		&(struct sim_link_config){.burst_begin = 20, .burst_end = 100, .burst_loss = 1000});
	connected(2);
	for (uint32_t i = 0; i < 2000; i++) {
		bool gone;

		give(0, 1, 0, 0);
		gone = take(1) == -1;
		lost += gone;
		bursts += gone && !before;
		before = gone;
	}
	cr_assert_gt(bursts, 10);
	cr_assert_gt(lost, 5 * bursts, "%u frames in %u bursts", lost, bursts);
	stop();
}

Test(sim_net, burst_ends_with_its_time)
{
	start(5);
	port_add(0);
	port_add(1);
	sim_net_add_cable(&net, ports[0], ports[1],
		&(struct sim_link_config){
			.burst_begin = 1000, .burst_loss = 1000, .burst_max_ns = 50000});
	connected(2);
	give(0, 1, 1, 0);
	pass_until(now_ns + 50000);
	give(0, 1, 2, 0);
	pass_until(now_ns + 1);
	sim_net_port_out(&net, ports[0])->config.burst_begin = 1;
	give(0, 1, 3, 0);
	cr_assert_eq(take(1), 3, "the first two were in the time of loss");
	stop();
}

Test(sim_net, port_that_may_not_send_sends_later)
{
	star(2, &(struct sim_link_config){.rate_mbps = 1000});
	sim_net_pause(&net, ports[0], true);
	give(0, 1, 1, 0);
	pass_until(now_ns + 10 * FRAME_NS);
	cr_assert_eq(take(1), -1);
	sim_net_pause(&net, ports[0], false);
	pass_until(now_ns + 2 * FRAME_NS);
	cr_assert_eq(take(1), 1);
	stop();
}

Test(sim_net, what_arrived_at_nobody_is_forgotten)
{
	star(2, &(struct sim_link_config){.latency_ns = 100});
	give(0, 1, 1, 0);
	pass_until(now_ns + 1000);
	give(0, 1, 2, 0);
	sim_net_forget(&net, ports[1]);
	pass_until(now_ns + 1000);
	cr_assert_eq(take(1), 2, "the frame was still in flight");
	cr_assert_eq(take(1), -1);
	stop();
}

Test(sim_net, delay_swings)
{
	uint64_t least = UINT64_MAX, most = 0;

	start(5);
	port_add(0);
	port_add(1);
	sim_net_add_cable(&net, ports[0], ports[1],
		&(struct sim_link_config){
			.latency_ns = 1000, .swing_ns = 50000, .swing_period_ns = 10000000});
	connected(2);
	for (uint32_t i = 0; i < 100; i++) {
		uint64_t begin_ns = now_ns, delay_ns;

		give(0, 1, 0, 0);
		delay_ns = sim_net_port_next_ns(&net, ports[1]) - begin_ns;
		pass_until(begin_ns + 200000);
		cr_assert_eq(take(1), 0);
		least = RTE_MIN(least, delay_ns);
		most = RTE_MAX(most, delay_ns);
	}
	cr_assert_lt(least, 3000);
	cr_assert_gt(most, 48000);
	cr_assert_leq(most, 51001);
	stop();
}
