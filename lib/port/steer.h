/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PORT_STEER_H
#define NDPDK_PORT_STEER_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>
#include <rte_flow.h>

#include "base/limits.h"
#include "wire/gid.h"

/** Flow rules of a port, one per RX queue. An all-zero structure has no rules. */
struct steer {
	uint16_t port_id;
	uint16_t rule_count;
	struct rte_flow *rules[LIMIT_ENGINES];
};

/**
 * Get the RSS types for rte_eth_dev_configure() with which the port distributes packets by UDP
 * source port.
 * @param v6 address family of the adapter: true for IPv6, false for IPv4
 * @return RTE_ETH_RSS_... types; 0 if the port does not support this distribution
 */
uint64_t steer_rss_types(const struct rte_eth_dev_info *info, bool v6);

/** Destination of the packets that the rules match, and the queues to which these packets go. */
struct steer_aim {
	uint16_t port_id;
	uint16_t queue_id;    /**< queue of the first engine */
	uint16_t queue_count; /**< number of engines and queues, 1..LIMIT_ENGINES */
	bool v6;              /**< as for steer_rss_types() */
	/**
	 * Destination address of the packets to match, of family v6; NULL if any address matches.
	 */
	const struct wire_gid *address;
};

/**
 * Create a rule for each queue of a running port. The rules steer a RoCEv2 packet to the queue of
 * the engine that the low bits of its destination QP select. With one queue, all packets go to this
 * queue. Either all rules are created, or none.
 *
 * @param steer has no rules before the call; filled in if the result is true
 * @return false if the driver does not accept all rules; the reason is logged
 */
bool steer_rules_make(struct steer *steer, const struct steer_aim *aim);

/** Destroy all rules, if there are any. The port must still be running. */
void steer_rules_destroy(struct steer *steer);

#endif
