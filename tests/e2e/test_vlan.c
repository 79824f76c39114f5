/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Test adapters in a VLAN, and switches that change tags: another priority, another VLAN, priority
 * tags.
 */

#include <string.h>

#include <criterion/criterion.h>

#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_mbuf.h>

#include "support/nd_pair.h"

#define VLAN     77
#define PRIORITY 0xA000

static struct nd_pair pair;

static uint16_t
tag_change(uint16_t port, uint16_t queue, struct rte_mbuf *mbufs[], uint16_t count, uint16_t max,
	void *arg)
{
	rte_be16_t tci = rte_cpu_to_be_16(*(const uint16_t *)arg);

	(void)port;
	(void)queue;
	(void)max;
	for (uint16_t i = 0; i < count; i++)
		memcpy(rte_pktmbuf_mtod_offset(mbufs[i], uint8_t *, RTE_ETHER_HDR_LEN), &tci, 2);
	return count;
}

static uint16_t
tag_insert(uint16_t port, uint16_t queue, struct rte_mbuf *mbufs[], uint16_t count, uint16_t max,
	void *arg)
{
	rte_be16_t tag[2] = {
		RTE_BE16(RTE_ETHER_TYPE_VLAN), rte_cpu_to_be_16(*(const uint16_t *)arg)};

	(void)port;
	(void)queue;
	(void)max;
	for (uint16_t i = 0; i < count; i++) {
		char *head = rte_pktmbuf_prepend(mbufs[i], RTE_VLAN_HLEN);

		cr_assert_not_null(head);
		memmove(head, head + RTE_VLAN_HLEN, 2 * RTE_ETHER_ADDR_LEN);
		memcpy(head + 2 * RTE_ETHER_ADDR_LEN, tag, sizeof(tag));
	}
	return count;
}

/** Make the switch change the frames of both directions with this function. */
static void
switch_is(rte_rx_callback_fn function, uint16_t *tci)
{
	for (uint16_t port = 0; port < 2; port++)
		cr_assert_not_null(rte_eth_add_rx_callback(port, 0, function, tci));
}

static void
send_one(void)
{
	struct nd_result received, sent;
	struct nd_sge sge = {pair.side[1].memory, 4096, pair.side[1].mr};

	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received, &sge, 1), ND_SUCCESS);
	sge = (struct nd_sge){pair.side[0].memory, 3000, pair.side[0].mr};
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, &sge, 1, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
}

Test(vlan, priority_of_a_tag_does_not_matter)
{
	static uint16_t tci = PRIORITY | VLAN;

	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024, .vlan_id = VLAN});
	switch_is(tag_change, &tci);
	nd_pair_connect(&pair);
	send_one();
	cr_assert_eq(nd_pair_counter(&pair, 0, "drop_vlan"), 0);
	cr_assert_eq(nd_pair_counter(&pair, 1, "drop_vlan"), 0);
	nd_pair_close(&pair);
}

/* B-011: frames with a priority tag (VLAN 0) are accepted, and the answers have no tag. */
Test(vlan, priority_tag_is_no_vlan_and_not_answered_in_kind)
{
	static uint16_t tci = PRIORITY;

	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024});
	/*
	 * The switch inserts a tag into every frame. If the answers had a tag as well, they would
	 * be lost.
	 */
	switch_is(tag_insert, &tci);
	nd_pair_connect(&pair);
	send_one();
	cr_assert_eq(nd_pair_counter(&pair, 0, "drop_vlan"), 0);
	cr_assert_eq(nd_pair_counter(&pair, 1, "drop_vlan"), 0);
	nd_pair_close(&pair);
}

Test(vlan, other_vlan_is_dropped_and_counted)
{
	static uint16_t tci = VLAN;
	struct nd_result received, sent;
	struct nd_sge sge = {0};

	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024, .vlan_id = VLAN});
	switch_is(tag_change, &tci);
	nd_pair_connect(&pair);
	send_one();
	tci = VLAN + 1;
	sge = (struct nd_sge){pair.side[1].memory, 4096, pair.side[1].mr};
	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received, &sge, 1), ND_SUCCESS);
	sge = (struct nd_sge){pair.side[0].memory, 3000, pair.side[0].mr};
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, &sge, 1, 0), ND_SUCCESS);
	nd_pair_quiet(&pair, pair.side[1].inbound);
	cr_assert_geq(nd_pair_counter(&pair, 1, "drop_vlan"), 3, "%llu packets were dropped",
		(unsigned long long)nd_pair_counter(&pair, 1, "drop_vlan"));
	tci = VLAN;
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	nd_pair_close(&pair);
}

Test(vlan, requests_of_other_vlans_are_not_answered)
{
	static uint16_t tci = VLAN;
	struct nd_overlapped connect = {0};
	struct sockaddr_storage address;
	socklen_t length;

	nd_pair_open(&pair, &(struct nd_pair_config){.path_mtu = 1024});
	nd_pair_listen(&pair);
	nd_pair_endpoint(&pair, 0);
	length = nd_pair_address(&pair, &address);
	/*
	 * Resolve the addresses by a connect that is refused. After that, let the switch use the
	 * wrong VLAN.
	 */
	((struct sockaddr_in *)&address)->sin_port ^= 1;
	cr_assert_eq(nd_pair_finish(&pair,
			     nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
				     (struct sockaddr *)&address, length, 6, 0, NULL, 0, &connect),
			     &connect),
		ND_CONNECTION_REFUSED);
	switch_is(tag_insert, &tci);
	((struct sockaddr_in *)&address)->sin_port ^= 1;
	memset(&connect, 0, sizeof(connect));
	cr_assert_eq(nd_connector_connect(pair.side[0].connector, pair.side[0].endpoint,
			     (struct sockaddr *)&address, length, 6, 0, NULL, 0, &connect),
		ND_PENDING);
	nd_pair_quiet(&pair, pair.side[1].inbound);
	cr_assert_geq(nd_pair_counter(&pair, 1, "drop_vlan"), 1);
	cr_assert_eq(nd_pair_counter(&pair, 1, "cm_rx_req"), 1, "%llu requests",
		(unsigned long long)nd_pair_counter(&pair, 1, "cm_rx_req"));
	cr_assert_eq(nd_connector_cancel_overlapped_requests(pair.side[0].connector), ND_SUCCESS);
	nd_pair_close(&pair);
}
