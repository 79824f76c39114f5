/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test a port that loses its link and gets the link back. */

#include <time.h>

#include <criterion/criterion.h>

#include <rte_ethdev.h>

#include "support/nd_pair.h"

#define PATIENCE_SECONDS 20

static struct nd_pair pair;

static void
link_await(unsigned int side, bool up)
{
	time_t since = time(NULL);

	while (nd_adapter_has_link(pair.side[side].adapter) != up) {
		cr_assert_lt(time(NULL) - since, PATIENCE_SECONDS, "nobody has noticed");
		nd_pair_poll(&pair);
	}
	nd_pair_poll(&pair);
}

static void
message_pass(void)
{
	struct nd_result received, sent;

	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received, NULL, 0), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, NULL, 0, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
}

/*
 * No connection may end, because the rings of net_ring transfer frames although the link is down.
 */
Test(link, loss_is_counted_and_ends_nothing)
{
	uint64_t sent;

	nd_pair_open(&pair, &(struct nd_pair_config){0});
	nd_pair_connect(&pair);
	cr_assert(nd_adapter_has_link(pair.side[0].adapter));
	cr_assert_eq(rte_eth_dev_set_link_down(pair.ports[0]), 0);
	link_await(0, false);
	cr_assert_eq(nd_pair_counter(&pair, 0, "link_down"), 1);
	cr_assert_eq(nd_pair_counter(&pair, 0, "link_up"), 0);
	cr_assert(nd_adapter_has_link(pair.side[1].adapter));
	message_pass();

	/*
	 * The adapter announces itself and resolves its peer when the link is up again, because the
	 * port may then be connected to another switch.
	 */
	sent = nd_pair_counter(&pair, 0, "neigh_tx_requests");
	cr_assert_eq(rte_eth_dev_set_link_up(pair.ports[0]), 0);
	link_await(0, true);
	cr_assert_eq(nd_pair_counter(&pair, 0, "link_up"), 1);
	cr_assert_eq(nd_pair_counter(&pair, 0, "link_down"), 1);
	cr_assert_geq(nd_pair_counter(&pair, 0, "neigh_tx_requests"), sent + 2);
	message_pass();
	cr_assert_eq(nd_pair_counter(&pair, 0, "end_retries"), 0);
	nd_pair_close(&pair);
}
