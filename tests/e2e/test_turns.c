/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test the order in which several engines process their input. One thread polls all engines. */

#include <string.h>

#include <criterion/criterion.h>

#include "base/limits.h"
#include "engines_net.h"

static struct engines_net net;

static void
close_net(void)
{
	engines_close(&net);
}

TestSuite(turns, .fini = close_net, .timeout = 120);

static void
message_post(const struct engines_link *link, size_t bytes, struct nd_result *sent,
	struct nd_result *received)
{
	struct nd_sge from = {net.memory[0], bytes, net.mrs[0]};
	struct nd_sge to = {net.memory[1], bytes, net.mrs[1]};

	cr_assert_eq(nd_endpoint_receive(link->endpoints[1], received, &to, 1), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(link->endpoints[0], sent, &from, 1, 0), ND_SUCCESS);
}

static void
peer_polls(unsigned int turns)
{
	for (unsigned int i = 0; i < turns * net.config.count; i++)
		nd_engine_poll(engines_engine(&net, 0, i % net.config.count));
}

/*
 * The peer acknowledges a request and then disconnects. More than one burst of other packets is in
 * the queue before the ACK. The first engine sends the order to end the connection. The engine of
 * the endpoint must process the ACK before it executes the order.
 */
Test(turns, end_of_a_connection_waits_for_packets_that_came_before)
{
	struct nd_result acknowledged, taken, message, received, *results[4];
	struct nd_overlapped disconnect = {0};
	struct engines_link link;
	time_t since = 0;

	engines_open_as(&net, &(struct engines_config){.count = 2});
	engines_connect(&net, &link, 1, 1);
	cr_assert_eq(nd_endpoint_receive(link.endpoints[0], &taken, NULL, 0), ND_SUCCESS);
	message_post(&link, (LIMIT_BURST + 8) * (size_t)ENGINES_PMTU, &message, &received);
	cr_assert_geq(rte_ring_count(net.queues[1][1].in), LIMIT_BURST + 8);
	cr_assert_eq(nd_endpoint_send(link.endpoints[1], &acknowledged, NULL, 0, 0), ND_SUCCESS);
	peer_polls(4);
	cr_assert_eq(nd_cq_get_results(link.cqs[0], results, 1), 1);
	cr_assert_eq(results[0], &taken);
	cr_assert_eq(nd_connector_disconnect(link.connectors[0], &disconnect), ND_PENDING);
	/* The first engine processes the disconnect request. The other engine gets no turn yet. */
	for (unsigned int i = 0; i < 16; i++) {
		peer_polls(1);
		nd_engine_poll(engines_engine(&net, 1, 0));
	}
	cr_assert_geq(rte_ring_count(net.queues[1][1].in), LIMIT_BURST + 9);
	cr_assert_eq(rte_ring_count(net.adapters[1]->group->orders[1]), 1);
	for (size_t count = 0; count < 2;) {
		cr_assert(engines_patience(&since), "results do not come");
		nd_engine_poll(engines_engine(&net, 1, 1));
		count += nd_cq_get_results(link.cqs[1], &results[count], 2 - count);
	}
	for (unsigned int i = 0; i < 2; i++) {
		cr_assert(results[i] == &acknowledged || results[i] == &received);
		cr_assert_eq(
			results[i]->status, ND_SUCCESS, "%s", nd_status_name(results[i]->status));
	}
	cr_assert_eq(engines_wait(&net, ND_PENDING, &disconnect), ND_SUCCESS);
}

#define FLOOD_MESSAGES 3u

/**
 * Engine `busy` has handed over many bursts to engine 2, and engine `idle` only one packet. Engine
 * 2 must not process all bursts first.
 */
static void
hand_over_is_fair(unsigned int busy, unsigned int idle)
{
	struct nd_result sent[FLOOD_MESSAGES + 1], received[FLOOD_MESSAGES + 1], *result;
	struct engines_link links[FLOOD_MESSAGES + 1], *last = &links[FLOOD_MESSAGES];

	engines_open(&net);
	/* To make frames arrive on queue k, send them on queue k - 1. */
	for (unsigned int i = 0; i < FLOOD_MESSAGES; i++)
		engines_connect(&net, &links[i], (busy + ENGINES - 1) % ENGINES, 2);
	engines_connect(&net, last, (idle + ENGINES - 1) % ENGINES, 2);
	for (unsigned int i = 0; i < FLOOD_MESSAGES; i++)
		message_post(&links[i], ENGINES_BYTES, &sent[i], &received[i]);
	message_post(last, 1, &sent[FLOOD_MESSAGES], &received[FLOOD_MESSAGES]);
	for (unsigned int i = 0; i < 16; i++) {
		peer_polls(1);
		nd_engine_poll(engines_engine(&net, 1, 0));
		nd_engine_poll(engines_engine(&net, 1, 1));
	}
	cr_assert_geq(rte_ring_count(net.adapters[1]->group->frames[busy][2]), 4 * LIMIT_BURST);
	cr_assert_geq(rte_ring_count(net.adapters[1]->group->frames[idle][2]), 1);
	/*
	 * Engine 2 starts each turn with another ring, so each ring is the first one once in
	 * ENGINES turns.
	 */
	for (unsigned int i = 0; i < ENGINES; i++)
		nd_engine_poll(engines_engine(&net, 1, 2));
	cr_assert_eq(nd_cq_get_results(last->cqs[1], &result, 1), 1,
		"packets of engine %u wait behind those of engine %u", idle, busy);
	cr_assert_eq(result->status, ND_SUCCESS);
}

Test(turns, engines_are_served_in_turn_when_the_first_hands_over_much)
{
	hand_over_is_fair(0, 1);
}

Test(turns, engines_are_served_in_turn_when_the_second_hands_over_much)
{
	hand_over_is_fair(1, 0);
}
