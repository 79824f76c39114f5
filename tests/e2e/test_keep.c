/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test that the receiving adapter keeps requests that arrive after a lost request (RC-111). */

#include <string.h>

#include <criterion/criterion.h>

#include <ndpdk/nd_extension.h>

#include "attack_net.h"

#define US      UINT64_C(1000)
#define MS      UINT64_C(1000000)
#define WRITES  16u
#define BYTES   (NET_MEMORY_BYTES / WRITES)
#define NOTHING UINT32_MAX

static struct net *net;

/* Selects the attacker's WRITE packets that the network drops. */
static struct {
	/* Interval between dropped frames, as a number of frames. 0 drops no frame. */
	uint32_t every;
	uint32_t number;
	uint32_t held;  /* PSN whose frames are all dropped; NOTHING drops no frame */
	bool hold_next; /* true to set `held` to the PSN of the next frame */
} lost;

static bool
lose(struct net_frame *frame)
{
	const struct wire_view view = net_view(frame);

	if (view.traits->kind != WIRE_KIND_WRITE)
		return false;
	if (lost.hold_next)
		lost.held = view.bth.psn;
	lost.hold_next = false;
	if (view.bth.psn == lost.held)
		return true;
	return lost.every != 0 && ++lost.number % lost.every == 0;
}

static void
setup(void)
{
	net = net_open(&(struct net_limits){0});
	net->log_off = true;
	memset(&lost, 0, sizeof(lost));
	lost.held = NOTHING;
	for (uint32_t i = 0; i < NET_MEMORY_BYTES; i++)
		net->nodes[ATTACKER].memory[i] = (uint8_t)(i * 7 + i / 251);
	net->nodes[ATTACKER].meddle = lose;
}

static void
teardown(void)
{
	net_close(net);
}

TestSuite(keep, .init = setup, .fini = teardown);

static void
write_one(const struct net_link *link, const struct nd_mw_descriptor *window, uint32_t i,
	struct nd_result *result)
{
	struct net_node *node = &net->nodes[link->from];
	struct nd_sge sge = {node->memory + (size_t)i * BYTES, BYTES, node->mr};

	cr_assert_eq(nd_endpoint_write(
			     link->endpoints[0], result, &sge, 1, window, (uint64_t)i * BYTES, 0),
		ND_SUCCESS);
}

/* Write all memory of the victim, while the network drops every 29th packet. */
static void
write_all(const struct net_link *link)
{
	struct nd_result results[WRITES];
	struct nd_mw_descriptor window;

	memset(net->nodes[VICTIM].memory, 0, NET_MEMORY_BYTES);
	net_bind(net, link, 0, NET_MEMORY_BYTES, ND_OP_FLAG_ALLOW_WRITE, &window);
	lost.every = 29;
	for (uint32_t i = 0; i < WRITES; i++)
		write_one(link, &window, i, &results[i]);
	for (uint32_t i = 0; i < WRITES; i++)
		cr_assert_eq(net_result(net, link->outbound[0], &results[i]), ND_SUCCESS);
	cr_assert_arr_eq(net->nodes[VICTIM].memory, net->nodes[ATTACKER].memory, NET_MEMORY_BYTES);
	cr_assert_gt(net_counter(net, "rx_ahead"), 0, "nothing was lost");
}

Test(keep, packets_behind_a_loss_are_executed_when_it_comes_rc111)
{
	struct net_link link = net_connect(net, ATTACKER);

	write_all(&link);
	cr_assert_gt(net_counter(net, "rx_kept_executed"), 0);
	net_disconnect(net, &link);
	cr_assert_eq(net_counter(net, "rx_kept"),
		net_counter(net, "rx_kept_executed") + net_counter(net, "rx_kept_dropped"));
}

static void
go_back(struct nd_endpoint *endpoint)
{
	cr_assert_eq(nd_endpoint_set_recovery(endpoint, (enum nd_recovery)2), ND_INVALID_PARAMETER);
	cr_assert_eq(nd_endpoint_set_recovery(endpoint, ND_RECOVERY_GO_BACK_N), ND_SUCCESS);
}

/*
 * The recovery method of an endpoint determines whether it keeps packets that arrive early. With
 * go-back-N, the endpoint keeps none.
 */
Test(keep, endpoint_that_goes_back_keeps_nothing)
{
	struct net_link link;

	net->accepting = go_back;
	link = net_connect(net, ATTACKER);
	for (unsigned int side = 0; side < 2; side++)
		cr_assert_eq(nd_endpoint_set_recovery(link.endpoints[side], ND_RECOVERY_SELECTIVE),
			ND_INVALID_DEVICE_STATE);
	write_all(&link);
	cr_assert_eq(net_counter(net, "rx_kept"), 0);
	net_disconnect(net, &link);
}

/*
 * RC-112, RC-157, SEC-014: a window is invalidated while a packet is missing. The packets that were
 * kept after the missing packet must not access the window.
 */
Test(keep, window_dies_within_the_gap_rc112)
{
	struct net_link link = net_connect(net, ATTACKER);
	struct nd_result results[4];
	struct nd_mw_descriptor window;
	struct nd_mw *mw;

	memset(net->nodes[VICTIM].memory, 0xEE, NET_MEMORY_BYTES);
	mw = net_bind(net, &link, 0, NET_MEMORY_BYTES, ND_OP_FLAG_ALLOW_WRITE, &window);
	lost.hold_next = true;
	for (uint32_t i = 0; i < 4; i++)
		write_one(&link, &window, i, &results[i]);
	net_run(net, 200 * US);
	cr_assert_gt(net_counter(net, "rx_kept"), 2);
	net_invalidate(net, &link, mw);
	lost.held = NOTHING;
	cr_assert_eq(net_result(net, link.outbound[0], &results[0]), ND_REMOTE_ERROR);
	for (uint32_t i = 1; i < 4; i++)
		cr_assert_eq(net_result(net, link.outbound[0], &results[i]), ND_CANCELED);
	for (uint32_t i = 0; i < NET_MEMORY_BYTES; i++)
		cr_assert_eq(net->nodes[VICTIM].memory[i], 0xEE, "byte %u is written", i);
	net_disconnect(net, &link);
	cr_assert_eq(net_counter(net, "rx_kept_executed"), 0);
}

Test(keep, connection_ends_within_a_gap)
{
	struct net_link link = net_connect(net, ATTACKER);
	struct net_link other = net_connect(net, ATTACKER);
	struct nd_result results[2];
	struct nd_mw_descriptor window;

	net_bind(net, &link, 0, NET_MEMORY_BYTES, ND_OP_FLAG_ALLOW_WRITE, &window);
	lost.hold_next = true;
	write_one(&link, &window, 0, &results[0]);
	net_run(net, 200 * US);
	cr_assert_gt(net_counter(net, "rx_kept"), 2);
	net_disconnect(net, &link);
	cr_assert_eq(net_counter(net, "rx_kept_dropped"), net_counter(net, "rx_kept"));

	net_bind(net, &other, 0, NET_MEMORY_BYTES, ND_OP_FLAG_ALLOW_WRITE, &window);
	lost.hold_next = true;
	write_one(&other, &window, 1, &results[1]);
	net_run(net, 200 * US);
	cr_assert_gt(net_counter(net, "rx_kept"), net_counter(net, "rx_kept_dropped"));
	/* The teardown closes the adapters while packets are kept. */
}
