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

/** Flow rules of a port, one for each RX queue. Zeroed, there are none. */
struct steer {
	uint16_t port_id;
	uint16_t rule_count;
	struct rte_flow *rules[LIMIT_ENGINES];
};

/**
 * What to ask for in rte_eth_dev_configure(), so that the port spreads packets by their UDP source
 * port.
 * @param v6 address family of the adapter: true for IPv6, false for IPv4
 * @return RTE_ETH_RSS_... types; 0 when the port does not offer this
 */
uint64_t steer_rss_types(const struct rte_eth_dev_info *info, bool v6);

/** Which packets rules are for, and where these go. */
struct steer_aim {
	uint16_t port_id;
	uint16_t queue_id;    /**< of the first engine */
	uint16_t queue_count; /**< of engines, 1..LIMIT_ENGINES */
	bool v6;              /**< as for steer_rss_types() */
	/** Only packets to this address, of the family that v6 says; NULL: to any. */
	const struct wire_gid *address;
};

/**
 * Make a rule for each queue of a port that runs: a RoCEv2 packet goes to the queue of the engine
 * whose number is in the low bits of its destination QP; all go to the only one. All rules are
 * made, or none.
 *
 * @param steer without rules; filled when true is returned
 * @return false: the driver does not take all of the rules; the log says why
 */
bool steer_rules_make(struct steer *steer, const struct steer_aim *aim);

/** Destroy all rules, if there are any. The port still runs. */
void steer_rules_destroy(struct steer *steer);

#endif
