/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * How a port with several RX queues finds the queue of a packet. The low bits of a QPN are the
 * index of its engine, and so the number of its queue: as many bits as the largest index needs.
 *
 * A flow rule compares these bits. DPDK 22.11 has no item for the BTH (23.07 has one), so they are
 * given as bytes behind the UDP header, with item RAW. Drivers take RAW in narrow forms only. The
 * form that is used here starts at the BTH and masks out the bytes in front: the sources of
 * net_enic (offset 0 only) and of net_i40e (even offsets only) accept it. One byte at offset 7
 * would be refused by both. Drivers that do not know RAW behind UDP, or no mask within it, refuse
 * the rule.
 *
 * RSS does not know queue pairs. But all packets of a connection have the same UDP ports, and those
 * of different connections mostly have different ones: a connection has one queue, and each queue
 * has about as many connections.
 *
 * CM datagrams go to QP 1, so the rule of engine 1 takes them, although they belong to engine 0.
 * They are few. A rule of their own would need priorities, which net_i40e does not have.
 */

#include "port/steer.h"

#include <assert.h>
#include <stddef.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_errno.h>
#include <rte_log.h>

#include "wire/header.h"

RTE_LOG_REGISTER(steer_log, nd.port.steer, NOTICE)

/** The BTH from its start to the last byte of the destination QP. */
#define RULE_BYTES (offsetof(struct wire_bth, dest_qp) + sizeof(((struct wire_bth *)0)->dest_qp))

static_assert(LIMIT_ENGINES <= 1 << 8, "the engine is in the last byte of the destination QP");

uint64_t
steer_rss_types(const struct rte_eth_dev_info *info, bool v6)
{
	uint64_t type = v6 ? RTE_ETH_RSS_NONFRAG_IPV6_UDP : RTE_ETH_RSS_NONFRAG_IPV4_UDP;

	return info->flow_type_rss_offloads & type;
}

/** @return the rule, or NULL: the driver does not take it, and *error says why */
static struct rte_flow *
rule_make(
	uint16_t port_id, uint16_t queue, uint8_t queue_mask, bool v6, struct rte_flow_error *error)
{
	const uint8_t bytes[RULE_BYTES] = {[RULE_BYTES - 1] = (uint8_t)queue};
	const uint8_t bytes_mask[RULE_BYTES] = {[RULE_BYTES - 1] = queue_mask};
	const struct rte_flow_item_udp udp = {.hdr.dst_port = RTE_BE16(WIRE_UDP_PORT)};
	const struct rte_flow_item_udp udp_mask = {.hdr.dst_port = RTE_BE16(UINT16_MAX)};
	const struct rte_flow_item_raw bth = {
		.relative = 1, .length = RULE_BYTES, .pattern = bytes};
	const struct rte_flow_item_raw bth_mask = {.relative = 1,
		.search = 1,
		.offset = -1,
		.limit = UINT16_MAX,
		.length = UINT16_MAX,
		.pattern = bytes_mask};
	const struct rte_flow_item pattern[] = {
		{.type = RTE_FLOW_ITEM_TYPE_ETH},
		{.type = v6 ? RTE_FLOW_ITEM_TYPE_IPV6 : RTE_FLOW_ITEM_TYPE_IPV4},
		{.type = RTE_FLOW_ITEM_TYPE_UDP, .spec = &udp, .mask = &udp_mask},
		{.type = RTE_FLOW_ITEM_TYPE_RAW, .spec = &bth, .mask = &bth_mask},
		{.type = RTE_FLOW_ITEM_TYPE_END},
	};
	const struct rte_flow_action_queue to = {.index = queue};
	const struct rte_flow_action actions[] = {
		{.type = RTE_FLOW_ACTION_TYPE_QUEUE, .conf = &to},
		{.type = RTE_FLOW_ACTION_TYPE_END},
	};
	const struct rte_flow_attr attr = {.ingress = 1};

	if (rte_flow_validate(port_id, &attr, pattern, actions, error) != 0)
		return NULL;
	return rte_flow_create(port_id, &attr, pattern, actions, error);
}

bool
steer_rules_make(struct steer *steer, uint16_t port_id, uint16_t queue_count, bool v6)
{
	uint8_t queue_mask = (uint8_t)(rte_align32pow2(queue_count) - 1);

	steer->port_id = port_id;
	for (uint16_t queue = 0; queue < queue_count; queue++) {
		struct rte_flow_error error = {0};
		struct rte_flow *rule = rule_make(port_id, queue, queue_mask, v6, &error);

		if (rule == NULL) {
			rte_log(RTE_LOG_DEBUG, steer_log,
				"port %u takes no rule for queue %u by destination QP: %s\n",
				port_id, queue,
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
			rte_log(RTE_LOG_ERR, steer_log, "port %u keeps a flow rule: %s\n",
				steer->port_id,
				error.message != NULL ? error.message : rte_strerror(rte_errno));
	}
}
