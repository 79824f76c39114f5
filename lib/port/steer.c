/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * How a port with several RX queues selects the queue of a packet. The low bits of a QPN are the
 * index of its engine, and so select its queue. Their number is the number of bits of the largest
 * index.
 *
 * A flow rule compares these bits. DPDK has a flow item for the BTH since 23.07, but not in 22.11.
 * So the rule uses item RAW with bytes after the UDP header. Drivers accept only few forms of RAW.
 * The form used here starts at the BTH and masks out the bytes before the QPN bits. According to
 * their source code, net_enic (offset 0 only) and net_i40e (even offsets only) accept this form,
 * and would both refuse a single byte at offset 7. Drivers that do not support RAW after UDP, or
 * masks in RAW, refuse the rule.
 *
 * RSS does not know queue pairs. But all packets of a connection have the same UDP ports, and
 * different connections mostly have different ports. So all packets of a connection arrive on one
 * queue, and the connections are spread evenly over the queues.
 *
 * CM datagrams go to QP 1, so they match the rule of engine 1, although engine 0 handles them. This
 * is no problem, because CM datagrams are few. A separate rule would need priorities, which
 * net_i40e does not support.
 */

#include "port/steer.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_errno.h>
#include <rte_log.h>

#include "wire/header.h"

RTE_LOG_REGISTER(steer_log, lib.ndpdk.port.steer, NOTICE)

/**
 * Number of bytes that a rule compares: from the start of the BTH to the end of the destination QP.
 */
#define RULE_BYTES (offsetof(struct wire_bth, dest_qp) + sizeof(((struct wire_bth *)0)->dest_qp))

static_assert(LIMIT_ENGINES <= 1 << 8, "the engine is in the last byte of the destination QP");

uint64_t
steer_rss_types(const struct rte_eth_dev_info *info, bool v6)
{
	uint64_t type = v6 ? RTE_ETH_RSS_NONFRAG_IPV6_UDP : RTE_ETH_RSS_NONFRAG_IPV4_UDP;

	return info->flow_type_rss_offloads & type;
}

/** Values and masks of a rule. The pattern of the rule points to them. */
struct match {
	struct rte_flow_item_ipv4 v4, v4_mask;
	struct rte_flow_item_ipv6 v6, v6_mask;
	struct rte_flow_item_udp udp, udp_mask;
	uint8_t bytes[RULE_BYTES], bytes_mask[RULE_BYTES];
	struct rte_flow_item_raw bth, bth_mask;
};

static void
match_fill(struct match *match, const struct steer_aim *aim, uint16_t engine)
{
	uint32_t v4 = aim->address == NULL ? 0 : rte_cpu_to_be_32(wire_gid_v4(aim->address));

	*match = (struct match){
		.v4.hdr.dst_addr = v4,
		.v4_mask.hdr.dst_addr = RTE_BE32(UINT32_MAX),
		.udp.hdr.dst_port = RTE_BE16(WIRE_UDP_PORT),
		.udp_mask.hdr.dst_port = RTE_BE16(UINT16_MAX),
		.bytes[RULE_BYTES - 1] = (uint8_t)engine,
		.bytes_mask[RULE_BYTES - 1] = (uint8_t)(rte_align32pow2(aim->queue_count) - 1),
		.bth = {.relative = 1, .length = RULE_BYTES, .pattern = match->bytes},
		.bth_mask = {.relative = 1,
			.search = 1,
			.offset = -1,
			.limit = UINT16_MAX,
			.length = UINT16_MAX,
			.pattern = match->bytes_mask},
	};
	memset(&match->v6_mask.hdr.dst_addr, 0xFF, sizeof(match->v6_mask.hdr.dst_addr));
	if (aim->address != NULL)
		memcpy(&match->v6.hdr.dst_addr, aim->address->raw, sizeof(aim->address->raw));
}

/**
 * @return pattern item that compares the destination address. If aim has no address, the item
 * compares only the address family
 */
static struct rte_flow_item
address_item(const struct match *match, const struct steer_aim *aim)
{
	struct rte_flow_item item = {
		.type = aim->v6 ? RTE_FLOW_ITEM_TYPE_IPV6 : RTE_FLOW_ITEM_TYPE_IPV4};

	if (aim->address == NULL)
		return item;
	item.spec = aim->v6 ? (const void *)&match->v6 : (const void *)&match->v4;
	item.mask = aim->v6 ? (const void *)&match->v6_mask : (const void *)&match->v4_mask;
	return item;
}

/**
 * Create the rule of one engine. @return the rule; NULL if the driver refuses it for the reason in
 * *error
 */
static struct rte_flow *
rule_make(const struct steer_aim *aim, uint16_t engine, struct rte_flow_error *error)
{
	struct match match;
	const struct rte_flow_item end = {.type = RTE_FLOW_ITEM_TYPE_END};
	const struct rte_flow_item raw = {
		.type = RTE_FLOW_ITEM_TYPE_RAW, .spec = &match.bth, .mask = &match.bth_mask};
	const struct rte_flow_item pattern[] = {
		{.type = RTE_FLOW_ITEM_TYPE_ETH},
		address_item(&match, aim),
		{.type = RTE_FLOW_ITEM_TYPE_UDP, .spec = &match.udp, .mask = &match.udp_mask},
		aim->queue_count > 1 ? raw : end,
		end,
	};
	const struct rte_flow_action_queue to = {.index = (uint16_t)(aim->queue_id + engine)};
	const struct rte_flow_action actions[] = {
		{.type = RTE_FLOW_ACTION_TYPE_QUEUE, .conf = &to},
		{.type = RTE_FLOW_ACTION_TYPE_END},
	};
	const struct rte_flow_attr attr = {.ingress = 1};

	match_fill(&match, aim, engine);
	if (rte_flow_validate(aim->port_id, &attr, pattern, actions, error) != 0)
		return NULL;
	return rte_flow_create(aim->port_id, &attr, pattern, actions, error);
}

bool
steer_rules_make(struct steer *steer, const struct steer_aim *aim)
{
	steer->port_id = aim->port_id;
	for (uint16_t engine = 0; engine < aim->queue_count; engine++) {
		struct rte_flow_error error = {0};
		struct rte_flow *rule = rule_make(aim, engine, &error);

		if (rule == NULL) {
			rte_log(RTE_LOG_INFO, steer_log,
				"port %u does not accept a flow rule for queue %u: %s\n",
				aim->port_id, aim->queue_id + engine,
				error.message != NULL ? error.message : rte_strerror(rte_errno));
			steer_rules_destroy(steer);
			return false;
		}
		steer->rules[steer->rule_count++] = rule;
	}
	return true;
}

void
steer_rules_destroy(struct steer *steer)
{
	while (steer->rule_count > 0) {
		struct rte_flow_error error = {0};
		struct rte_flow *rule = steer->rules[--steer->rule_count];

		if (rte_flow_destroy(steer->port_id, rule, &error) != 0)
			rte_log(RTE_LOG_ERR, steer_log,
				"port %u: flow rule cannot be removed: %s\n", steer->port_id,
				error.message != NULL ? error.message : rte_strerror(rte_errno));
	}
}
