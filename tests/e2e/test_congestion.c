/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test congestion control through the public API, over a link that marks packets with CE. */

#include <string.h>

#include <criterion/criterion.h>

#include <rte_ethdev.h>
#include <rte_ip.h>
#include <rte_mbuf.h>

#include "nd/adapter.h"
#include "support/nd_pair.h"

#define ECN  3
#define ECT0 2
#define CE   3

/** State of one direction of the simulated link. */
struct marker {
	bool marks; /**< true if the link marks ECT packets with CE */
	uint64_t ect;
	uint64_t not_ect;
	uint8_t dscp; /**< DSCP of the newest RC packet that is not a CNP */
	uint8_t dscp_cnp;
	uint64_t cnps;
};

static struct nd_pair pair;
static struct marker links[2]; /* indexed by the receiving port */

static void
packet_pass(struct marker *link, struct rte_mbuf *mbuf)
{
	uint8_t *frame = rte_pktmbuf_mtod(mbuf, uint8_t *);
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(frame + RTE_ETHER_HDR_LEN);
	uint8_t opcode = frame[RTE_ETHER_HDR_LEN + 20 + 8];
	bool ect = (ip->type_of_service & ECN) == ECT0;

	if (frame[12] != 0x08 || frame[13] != 0x00)
		return; /* ARP */
	link->ect += ect;
	link->not_ect += !ect;
	if (opcode == 0x81) {
		link->cnps++;
		link->dscp_cnp = ip->type_of_service >> 2;
	} else if (opcode < 0x20) {
		link->dscp = ip->type_of_service >> 2;
	}
	if (!ect || !link->marks)
		return;
	ip->type_of_service |= CE;
	ip->hdr_checksum = 0;
	ip->hdr_checksum = rte_ipv4_cksum(ip);
}

static uint16_t
burst_pass(uint16_t port, uint16_t queue, struct rte_mbuf *mbufs[], uint16_t count, uint16_t max,
	void *arg)
{
	(void)port;
	(void)queue;
	(void)max;
	for (uint16_t i = 0; i < count; i++)
		packet_pass(arg, mbufs[i]);
	return count;
}

static void
open_pair(const struct nd_pair_config *config)
{
	nd_pair_open(&pair, config);
	memset(links, 0, sizeof(links));
	for (unsigned int i = 0; i < 2; i++)
		cr_assert_not_null(
			rte_eth_add_rx_callback(pair.ports[i], 0, burst_pass, &links[i]));
	nd_pair_connect(&pair);
}

static void
send_once(uint32_t seed)
{
	struct nd_result received, sent;
	size_t bytes = pair.side[0].memory_bytes;
	struct nd_sge to = {pair.side[1].memory, bytes, pair.side[1].mr};
	struct nd_sge from = {pair.side[0].memory, bytes, pair.side[0].mr};

	nd_pair_pattern(pair.side[0].memory, bytes, seed);
	cr_assert_eq(nd_endpoint_receive(pair.side[1].endpoint, &received, &to, 1), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(pair.side[0].endpoint, &sent, &from, 1, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[1].inbound, &received), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair, pair.side[0].outbound, &sent), ND_SUCCESS);
	cr_assert_arr_eq(pair.side[1].memory, pair.side[0].memory, bytes);
}

static uint64_t
counter(unsigned int side, const char *name)
{
	return nd_pair_counter(&pair, side, name);
}

/*
 * CC-001: ECN is off by default. Packets are not ECT, so the link marks none and no sender slows
 * down.
 */
Test(congestion, off_unless_asked_for_cc001)
{
	open_pair(&(struct nd_pair_config){.path_mtu = 1024});
	links[0].marks = links[1].marks = true;
	send_once(1);
	cr_assert_eq(links[0].ect + links[1].ect, 0);
	cr_assert_eq(counter(1, "rx_ce"), 0);
	cr_assert_eq(links[0].cnps, 0);
	nd_pair_close(&pair);
}

/* CC-001..CC-004: packets are ECT, a CNP reports each mark, and CNPs slow the sender down. */
static void
slows_down(enum nd_congestion congestion, const char *counted)
{
	open_pair(&(struct nd_pair_config){.path_mtu = 1024,
		.adapter = {.congestion = congestion, .ecn = true, .dscp = 26, .dscp_ack = 24}});
	cr_assert_gt(links[0].not_ect, 0, "messages of the connection manager");
	send_once(1);
	cr_assert_geq(links[1].ect, 64);
	cr_assert_eq(links[1].dscp, 26);
	cr_assert_eq(links[0].dscp, 24, "acknowledgements");
	cr_assert_eq(counter(0, "rx_cnps"), 0);
	links[1].marks = true;
	for (uint32_t i = 0; i < 20; i++)
		send_once(i);
	cr_assert_gt(counter(1, "rx_ce"), 64);
	cr_assert_gt(counter(1, "tx_cnps"), 0);
	cr_assert_eq(links[0].dscp_cnp, 48);
	cr_assert_eq(counter(0, "rx_cnps"), counter(1, "tx_cnps"));
	cr_assert_lt(counter(1, "tx_cnps"), counter(1, "rx_ce"));
	cr_assert_gt(counter(0, counted), 0);
	nd_pair_close(&pair);
}

Test(congestion, dcqcn_is_slowed_down_by_marks)
{
	slows_down(ND_CONGESTION_DCQCN, "tx_paced");
}

/* Parameters may change while connections use them. A parameter of 0 is set to its default. */
Test(congestion, dcqcn_parameters_change)
{
	static const struct nd_dcqcn_parameters given = {.g_1024 = 9}, set = {.rpg_gd = 7},
						bad = {.rpg_gd = 16};
	const struct cc_dcqcn_parameters *used;

	open_pair(&(struct nd_pair_config){
		.adapter = {.congestion = ND_CONGESTION_DCQCN, .dcqcn = &given}});
	used = &pair.side[0].adapter->cc.dcqcn;
	cr_assert_eq(used->g_1024, 9);
	cr_assert_eq(nd_adapter_set_dcqcn(pair.side[0].adapter, &set), ND_SUCCESS);
	cr_assert_str_eq(nd_adapter_open_error(), "");
	cr_assert_eq(used->rpg_gd, 7);
	cr_assert_eq(used->g_1024, 4);
	cr_assert_eq(nd_adapter_set_dcqcn(pair.side[0].adapter, &bad), ND_INVALID_PARAMETER);
	cr_assert_str_eq(nd_adapter_open_error(), "dcqcn.rpg_gd is 16, but must be 1 to 15");
	cr_assert_eq(used->rpg_gd, 7);
	cr_assert_eq(nd_adapter_set_dcqcn(pair.side[0].adapter, NULL), ND_SUCCESS);
	cr_assert_eq(used->rpg_gd, 11, "NULL: all defaults");
	send_once(1);
	nd_pair_close(&pair);
	open_pair(&(struct nd_pair_config){.adapter = {.congestion = ND_CONGESTION_SWIFT}});
	cr_assert_eq(nd_adapter_set_dcqcn(pair.side[0].adapter, &set), ND_INVALID_DEVICE_REQUEST);
	cr_assert_str_eq(
		nd_adapter_open_error(), "the congestion control of the adapter is not DCQCN");
	nd_pair_close(&pair);
}

Test(congestion, swift_is_slowed_down_by_marks)
{
	slows_down(ND_CONGESTION_SWIFT, "rate_cuts");
}

Test(congestion, loss_window_is_slowed_down_by_marks)
{
	slows_down(ND_CONGESTION_LOSS_WINDOW, "rate_cuts");
}

Test(congestion, no_cnps_if_switched_off)
{
	open_pair(&(struct nd_pair_config){
		.path_mtu = 1024, .adapter = {.ecn = true, .no_cnps = true}});
	links[1].marks = true;
	send_once(1);
	cr_assert_gt(counter(1, "rx_ce"), 0);
	cr_assert_eq(links[0].cnps, 0);
	nd_pair_close(&pair);
}

/*
 * The adapter refuses each configuration in this table. Some have one invalid value, and some have
 * an invalid combination of values.
 */
Test(congestion, configuration_is_checked)
{
	static const struct nd_dcqcn_parameters bad = {.rpg_gd = 16};
	static const struct {
		struct nd_adapter_config config;
		const char *name;
	} rows[] = {
		{{.congestion = 4}, "congestion"},
		{{.congestion = ND_CONGESTION_NONE, .ecn = true}, "ecn"},
		{{.dscp_ack = 64}, "dscp_ack"},
		{{.dscp_cnp = 64}, "dscp_cnp"},
		{{.cnp_interval_us = 1000001}, "cnp_interval_us"},
		{{.line_rate_mbps = 4000001}, "line_rate_mbps"},
		{{.initial_window = 1025}, "initial_window"},
		{{.swift_target_us = 1000001}, "swift_target_us"},
		{{.dcqcn = &bad}, "dcqcn.rpg_gd"},
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		struct nd_adapter_config config = rows[i].config;
		struct sockaddr_in in = {
			.sin_family = AF_INET, .sin_addr.s_addr = RTE_BE32(0xC0000201)};
		struct nd_adapter *adapter = NULL;

		memcpy(&config.address, &in, sizeof(in));
		cr_assert_eq(nd_adapter_open(&config, &adapter), ND_INVALID_PARAMETER);
		cr_assert_eq(strncmp(nd_adapter_open_error(), rows[i].name, strlen(rows[i].name)),
			0, "%s: %s", rows[i].name, nd_adapter_open_error());
	}
}
