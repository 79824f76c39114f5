/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "port/steer.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_flow.h>

#include "base/be.h"
#include "unit/port_rig.h"
#include "unit/wire_frame.h"

/*
 * Test how a port with several queues selects the queue for a packet. The test simulates flow
 * rules: it stores each rule as a driver would get it, and applies the rules to frames. net_null
 * supports RSS, and net_ring does not.
 */

#define RULES_MAX 64
#define NEVER     UINT_MAX

struct rule {
	uint16_t port_id;
	struct rte_flow_conv_rule *conv; /* a copy of the rule; NULL: the rule was destroyed */
};

static struct {
	bool absent; /* true: all calls go to ethdev, without simulation */
	/* number of the rte_flow_validate() call that fails, from 0; NEVER: no call fails */
	unsigned int refuse_check;
	/* number of the rte_flow_create() call that fails, from 0; NEVER: no call fails */
	unsigned int refuse_create;
	unsigned int checked;
	unsigned int created;
	unsigned int destroyed;
	struct rule rules[RULES_MAX];
} nic = {.refuse_check = NEVER, .refuse_create = NEVER};

/*
 * The linker redirects calls of these ethdev functions to the __wrap_ functions. The __real_
 * functions are the originals.
 */
int __real_rte_flow_validate(uint16_t port_id, const struct rte_flow_attr *attr,
	const struct rte_flow_item pattern[], const struct rte_flow_action actions[],
	struct rte_flow_error *error);
int __wrap_rte_flow_validate(uint16_t port_id, const struct rte_flow_attr *attr,
	const struct rte_flow_item pattern[], const struct rte_flow_action actions[],
	struct rte_flow_error *error);
struct rte_flow *__wrap_rte_flow_create(uint16_t port_id, const struct rte_flow_attr *attr,
	const struct rte_flow_item pattern[], const struct rte_flow_action actions[],
	struct rte_flow_error *error);
int __wrap_rte_flow_destroy(uint16_t port_id, struct rte_flow *flow, struct rte_flow_error *error);

/* Fail unless the port is started. net_null reports a link only for a started port. */
static void
expect_running(uint16_t port_id)
{
	struct rte_eth_link link;

	cr_assert_eq(rte_eth_link_get_nowait(port_id, &link), 0);
	cr_assert_eq(link.link_status, RTE_ETH_LINK_UP, "the port does not run");
}

int
__wrap_rte_flow_validate(uint16_t port_id, const struct rte_flow_attr *attr,
	const struct rte_flow_item pattern[], const struct rte_flow_action actions[],
	struct rte_flow_error *error)
{
	if (nic.absent) {
		nic.checked++;
		return __real_rte_flow_validate(port_id, attr, pattern, actions, error);
	}
	expect_running(port_id);
	if (nic.checked++ == nic.refuse_check)
		return rte_flow_error_set(
			error, ENOTSUP, RTE_FLOW_ERROR_TYPE_ITEM, NULL, "no such item");
	return 0;
}

struct rte_flow *
__wrap_rte_flow_create(uint16_t port_id, const struct rte_flow_attr *attr,
	const struct rte_flow_item pattern[], const struct rte_flow_action actions[],
	struct rte_flow_error *error)
{
	const struct rte_flow_conv_rule source = {
		.attr_ro = attr, .pattern_ro = pattern, .actions_ro = actions};
	struct rule *rule = &nic.rules[nic.created];
	int bytes;

	cr_assert_eq(nic.checked, nic.created + 1, "made without a check");
	if (nic.created == nic.refuse_create) {
		rte_errno = ENOSPC;
		return NULL;
	}
	bytes = rte_flow_conv(RTE_FLOW_CONV_OP_RULE, NULL, 0, &source, error);
	cr_assert_gt(bytes, 0);
	rule->port_id = port_id;
	rule->conv = malloc((size_t)bytes);
	cr_assert_eq(
		rte_flow_conv(RTE_FLOW_CONV_OP_RULE, rule->conv, (size_t)bytes, &source, error),
		bytes);
	nic.created++;
	return (struct rte_flow *)(void *)rule;
}

int
__wrap_rte_flow_destroy(uint16_t port_id, struct rte_flow *flow, struct rte_flow_error *error)
{
	struct rule *rule = (struct rule *)(void *)flow;

	RTE_SET_USED(error);
	cr_assert_not_null(rule->conv, "destroyed twice");
	cr_assert_eq(rule->port_id, port_id);
	expect_running(port_id);
	free(rule->conv);
	rule->conv = NULL;
	nic.destroyed++;
	return 0;
}

static bool
bytes_match(const uint8_t *at, const void *spec, const void *mask, size_t count)
{
	const uint8_t *want = spec, *bits = mask;

	for (size_t i = 0; i < count; i++)
		if ((at[i] ^ want[i]) & bits[i])
			return false;
	return true;
}

/*
 * Compare one item of a rule with the header at *at, and advance *at by this header. Frames have
 * neither VLAN tags nor IP options.
 */
static bool
item_matches(const struct rte_flow_item *item, const struct frame *frame, size_t *at)
{
	uint16_t type = be_load16(frame->bytes + 12);
	const struct rte_flow_item_raw *raw = item->spec, *raw_mask = item->mask;
	const uint8_t *bytes = frame->bytes + *at;

	cr_assert_null(item->last);
	if (item->type == RTE_FLOW_ITEM_TYPE_ETH) {
		*at += 14;
		return item->spec == NULL;
	}
	if (item->type == RTE_FLOW_ITEM_TYPE_IPV4) {
		*at += 20;
		return type == RTE_ETHER_TYPE_IPV4 && bytes[9] == 17 &&
			(item->spec == NULL || bytes_match(bytes, item->spec, item->mask, 20));
	}
	if (item->type == RTE_FLOW_ITEM_TYPE_IPV6) {
		*at += 40;
		return type == RTE_ETHER_TYPE_IPV6 && bytes[6] == 17 &&
			(item->spec == NULL || bytes_match(bytes, item->spec, item->mask, 40));
	}
	if (item->type == RTE_FLOW_ITEM_TYPE_UDP) {
		*at += 8;
		return bytes_match(bytes, item->spec, item->mask, 8);
	}
	cr_assert_eq(item->type, RTE_FLOW_ITEM_TYPE_RAW);
	/* After a UDP item, all drivers accept only this form of a raw item. */
	cr_assert(raw->relative == 1 && raw->search == 0 && raw->limit == 0 && raw->offset == 0);
	cr_assert(raw_mask->relative == 1 && raw_mask->search == 1 && raw_mask->offset == -1 &&
		raw_mask->limit == UINT16_MAX && raw_mask->length == UINT16_MAX);
	return bytes_match(bytes, raw->pattern, raw_mask->pattern, raw->length);
}

static bool
rule_matches(const struct rte_flow_conv_rule *rule, const struct frame *frame)
{
	size_t at = 0;

	for (const struct rte_flow_item *item = rule->pattern; item->type != RTE_FLOW_ITEM_TYPE_END;
		item++)
		if (!item_matches(item, frame, &at))
			return false;
	return true;
}

/* @return queue that the rules select for the frame; -1 if no rule matches */
static int
queue_of(const struct frame *frame)
{
	int queue = -1;

	for (unsigned int i = 0; i < nic.created; i++) {
		const struct rte_flow_conv_rule *rule = nic.rules[i].conv;
		const struct rte_flow_action_queue *to;

		if (rule == NULL || !rule_matches(rule, frame))
			continue;
		cr_assert_eq(queue, -1, "two rules match");
		cr_assert_eq(rule->attr->ingress, 1);
		cr_assert_eq(rule->actions[0].type, RTE_FLOW_ACTION_TYPE_QUEUE);
		cr_assert_eq(rule->actions[1].type, RTE_FLOW_ACTION_TYPE_END);
		to = rule->actions[0].conf;
		queue = to->index;
	}
	return queue;
}

static void
open_queues(struct fixture *fixture, uint16_t port_id, uint16_t count, bool v6)
{
	open_with(
		fixture, (struct port_config){.port_id = port_id, .queue_count = count, .v6 = v6});
	cr_assert_eq(fixture->error, PORT_OK, "%u queues: %s", count, fixture->why);
}

static void
expect_steering(const struct fixture *fixture, enum port_steering steering)
{
	cr_assert_eq(port_get_steering(fixture->port), steering, "steering %d, expected %d",
		port_get_steering(fixture->port), steering);
}

static void
expect_clean(void)
{
	cr_assert_eq(
		nic.destroyed, nic.created, "%u of %u rules destroyed", nic.destroyed, nic.created);
}

/*
 * Fail unless the rules lead each QPN to the queue of its engine. A QPN without an engine must
 * match no rule. Vector V1 is IPv4, and V4 is IPv6.
 */
static void
expect_each_qpn_at_its_engine(uint16_t count, uint32_t mask, bool v6)
{
	static const uint32_t high[] = {0, 0x100, 0xABCD00, 0xFFFF00};
	struct frame frame, other;

	frame_load(&frame, v6 ? 4 : 1);
	frame_load(&other, v6 ? 1 : 4);
	for (uint32_t low = 0; low < 256; low++)
		for (unsigned int i = 0; i < RTE_DIM(high); i++) {
			int engine = (int)(low & mask);

			be_store24(frame_bth(&frame) + 5, high[i] | low);
			be_store24(frame_bth(&other) + 5, high[i] | low);
			cr_assert_eq(queue_of(&frame), engine < count ? engine : -1,
				"%u queues, QPN 0x%06x: %d", count, high[i] | low,
				queue_of(&frame));
			cr_assert_eq(queue_of(&other), -1, "the other address family");
		}
}

Test(steer, rules_bring_each_queue_pair_to_its_engine)
{
	static const struct {
		uint16_t count;
		uint32_t mask;
	} cases[] = {{2, 1}, {3, 3}, {4, 3}, {5, 7}, {8, 7}, {9, 15}, {16, 15}};
	uint16_t port_id = port_add("net_null0", "");
	struct fixture fixture;

	fixture_start(&fixture);
	for (unsigned int i = 0; i < 2 * RTE_DIM(cases); i++) {
		uint16_t count = cases[i / 2].count;
		bool v6 = i % 2 == 1;

		nic.checked = nic.created = nic.destroyed = 0;
		open_queues(&fixture, port_id, count, v6);
		expect_steering(&fixture, PORT_STEERING_FLOW);
		cr_assert_eq(nic.created, count);
		expect_each_qpn_at_its_engine(count, cases[i / 2].mask, v6);
		port_close(fixture.port);
		expect_clean();
	}
	fixture.port = NULL;
	fixture_stop(&fixture);
}

Test(steer, rules_leave_all_but_roce_alone)
{
	uint16_t port_id = port_add("net_null0", "");
	struct fixture fixture;
	struct frame frame;

	fixture_start(&fixture);
	open_queues(&fixture, port_id, 2, false);
	frame_load(&frame, 1);
	cr_assert_eq(queue_of(&frame), 0);
	be_store16(frame_udp(&frame) + 2, WIRE_UDP_PORT + 1);
	cr_assert_eq(queue_of(&frame), -1, "another UDP port");
	be_store16(frame_udp(&frame) + 2, WIRE_UDP_PORT ^ 0x8000);
	cr_assert_eq(queue_of(&frame), -1, "another UDP port");
	frame_load(&frame, 1);
	be_store16(frame_udp(&frame), 0xFFFF);
	cr_assert_eq(queue_of(&frame), 0, "any source port");
	fixture_stop(&fixture);
	expect_clean();
}

Test(steer, refused_rule_leaves_none_and_rss_is_next)
{
	uint16_t port_id = port_add("net_null0", "");
	struct fixture fixture;

	fixture_start(&fixture);
	for (unsigned int rule = 0; rule < 4; rule++)
		for (unsigned int late = 0; late < 2; late++) {
			nic.checked = nic.created = nic.destroyed = 0;
			nic.refuse_check = late == 0 ? rule : NEVER;
			nic.refuse_create = late == 1 ? rule : NEVER;
			open_queues(&fixture, port_id, 4, false);
			expect_steering(&fixture, PORT_STEERING_RSS);
			cr_assert_eq(nic.checked, rule + 1, "%u checks", nic.checked);
			cr_assert_eq(nic.created, rule, "%u rules made", nic.created);
			expect_clean();
			port_close(fixture.port);
			expect_clean();
		}
	fixture.port = NULL;
	fixture_stop(&fixture);
}

static void
expect_rss(uint16_t port_id, enum rte_eth_rx_mq_mode mode, uint64_t types)
{
	struct rte_eth_conf conf;

	cr_assert_eq(rte_eth_dev_conf_get(port_id, &conf), 0);
	cr_assert_eq(conf.rxmode.mq_mode, mode);
	cr_assert_eq(conf.rx_adv_conf.rss_conf.rss_hf, types);
}

/*
 * RSS is always configured, because a driver may refuse rules when the port has already been
 * started.
 */
Test(steer, rss_hashes_udp_ports_of_the_address_family)
{
	uint16_t port_id = port_add("net_null0", "");
	struct fixture fixture;

	fixture_start(&fixture);
	for (unsigned int rules = 0; rules < 2; rules++) {
		nic.absent = rules == 0;
		nic.checked = nic.created = nic.destroyed = 0;
		open_queues(&fixture, port_id, 3, false);
		expect_steering(&fixture, rules ? PORT_STEERING_FLOW : PORT_STEERING_RSS);
		expect_rss(port_id, RTE_ETH_MQ_RX_RSS, RTE_ETH_RSS_NONFRAG_IPV4_UDP);
		port_close(fixture.port);
		nic.checked = nic.created = nic.destroyed = 0;
		open_queues(&fixture, port_id, 3, true);
		expect_rss(port_id, RTE_ETH_MQ_RX_RSS, RTE_ETH_RSS_NONFRAG_IPV6_UDP);
		port_close(fixture.port);
	}
	fixture.port = NULL;
	fixture_stop(&fixture);
}

Test(steer, port_without_both_is_used_without)
{
	struct fixture fixture;
	uint16_t port_ids[2];

	cable_add(port_ids, 2);
	fixture_start(&fixture);
	nic.absent = true;
	open_queues(&fixture, port_ids[0], 2, false);
	cr_assert_eq(nic.checked, 1, "the driver was asked");
	expect_steering(&fixture, PORT_STEERING_NONE);
	expect_rss(port_ids[0], RTE_ETH_MQ_RX_NONE, 0);
	fixture_stop(&fixture);
}

Test(steer, one_queue_needs_nothing)
{
	uint16_t port_id = port_add("net_null0", "");
	struct fixture fixture;

	fixture_start(&fixture);
	open_queues(&fixture, port_id, 1, false);
	expect_steering(&fixture, PORT_STEERING_NONE);
	expect_rss(port_id, RTE_ETH_MQ_RX_NONE, 0);
	cr_assert_eq(nic.checked, 0);
	fixture_stop(&fixture);
}

static void
configure_port(const struct fixture *fixture, uint16_t port_id, uint16_t queues)
{
	struct rte_eth_conf conf = {0};

	cr_assert_eq(rte_eth_dev_configure(port_id, queues, queues, &conf), 0);
	for (uint16_t queue = 0; queue < queues; queue++) {
		cr_assert_eq(rte_eth_rx_queue_setup(port_id, queue, 64, 0, NULL, fixture->pool), 0);
		cr_assert_eq(rte_eth_tx_queue_setup(port_id, queue, 64, 0, NULL), 0);
	}
	cr_assert_eq(rte_eth_dev_start(port_id), 0);
}

/*
 * If the application configures the port, the library adds no rules, because they could disturb the
 * application's rules.
 */
Test(steer, configured_port_is_left_as_it_is)
{
	uint16_t port_id = port_add("net_null0", "");
	struct fixture fixture;

	fixture_start(&fixture);
	configure_port(&fixture, port_id, 2);
	open_with(&fixture,
		(struct port_config){.port_id = port_id, .queue_count = 2, .configured = true});
	cr_assert_eq(fixture.error, PORT_OK, "%s", fixture.why);
	expect_steering(&fixture, PORT_STEERING_NONE);
	cr_assert_eq(nic.checked, 0);
	port_close(fixture.port);
	fixture.port = NULL;
	cr_assert_eq(rte_eth_dev_stop(port_id), 0);
	fixture_stop(&fixture);
}

/*
 * Fail unless the rules match the adapter's address as destination address, and do not match a
 * neighbour's address.
 */
static void
expect_rules_for_address(struct fixture *fixture, uint16_t port_id, uint16_t count, bool v6)
{
	struct wire_gid own;
	struct frame frame;
	uint8_t *dst;

	open_with(fixture,
		(struct port_config){.port_id = port_id,
			.queue_id = 1,
			.queue_count = count,
			.configured = true,
			.v6 = v6});
	cr_assert_eq(fixture->error, PORT_OK, "%s", fixture->why);
	nic.checked = nic.created = nic.destroyed = 0;
	frame_load(&frame, v6 ? 4 : 1);
	dst = frame_udp(&frame) - (v6 ? 16 : 4);
	own = wire_gid_from_v4(be_load32(dst));
	if (v6)
		memcpy(own.raw, dst, sizeof(own.raw));
	cr_assert(port_make_rules(fixture->port, &own));
	cr_assert(port_make_rules(fixture->port, &own), "once is enough");
	cr_assert_eq(nic.created, count);
	be_store24(frame_bth(&frame) + 5, 0xABCD00);
	cr_assert_eq(queue_of(&frame), 1, "%u queues, IPv%u", count, v6 ? 6 : 4);
	be_store24(frame_bth(&frame) + 5, 0xABCD01);
	cr_assert_eq(queue_of(&frame), count == 1 ? 1 : 2);
	dst[v6 ? 15 : 3] ^= 1;
	cr_assert_eq(queue_of(&frame), -1, "packets to another address are the application's");
	port_close(fixture->port);
	fixture->port = NULL;
	expect_clean();
}

Test(steer, application_asks_for_rules_on_its_port)
{
	uint16_t port_id = port_add("net_null0", "");
	struct fixture fixture;

	fixture_start(&fixture);
	configure_port(&fixture, port_id, 4);
	for (uint16_t count = 1; count <= 2; count++) {
		expect_rules_for_address(&fixture, port_id, count, false);
		expect_rules_for_address(&fixture, port_id, count, true);
	}
	cr_assert_eq(rte_eth_dev_stop(port_id), 0);
	fixture_stop(&fixture);
}

static void
expect_logged(struct fixture *fixture, uint16_t port_id, uint16_t count, const char *how)
{
	char want[WHY_BYTES];
	const char *text;

	log_start();
	open_queues(fixture, port_id, count, false);
	text = log_take();
	snprintf(want, sizeof(want), "port %u has %u queues, %s\n", port_id, count, how);
	cr_assert_not_null(strstr(text, want), "%s is not in: %s", want, text);
	port_close(fixture->port);
	fixture->port = NULL;
}

Test(steer, log_names_the_way)
{
	uint16_t null_id = port_add("net_null0", "");
	struct fixture fixture;
	uint16_t port_ids[2];

	cable_add(port_ids, 2);
	fixture_start(&fixture);
	cr_assert_eq(rte_log_set_level_pattern("lib.ndpdk.port", RTE_LOG_INFO), 0);
	expect_logged(&fixture, null_id, 3, "flow rules for destination QPs");
	nic.absent = true;
	expect_logged(&fixture, null_id, 4, "RSS over UDP ports");
	expect_logged(&fixture, port_ids[0], 2, "no steering");
	fixture_stop(&fixture);
}
