/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NEIGH_NEIGH_H
#define NDPDK_NEIGH_NEIGH_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_ether.h>
#include <rte_mbuf.h>

#include "base/encoded_time.h"
#include "base/status.h"
#include "wire/gid.h"

/*
 * Neighbours of one adapter. The module answers ARP requests and IPv6 neighbour solicitations for
 * the adapter's address, resolves the MAC addresses of peers or of the gateway, and answers ICMP
 * echo requests. Over IPv6, the module reports its solicited-node group, so that switches with MLD
 * snooping forward solicitations.
 *
 * The module does no I/O and reads no clock: frames enter through neigh_input() and leave through
 * the send function, and the time is passed as now_ns. All calls must come from the thread of the
 * engine that owns the module.
 *
 *   INCOMPLETE (up to 3 requests, 1 s apart) -> REACHABLE -> PROBE -> REACHABLE ...
 *   INCOMPLETE without reply -> FAILED for 1 s; PROBE without reply -> the entry is removed
 *
 * An entry that is looked up 30 s or more after its last confirmation is probed by unicast. A
 * static entry never changes. In the comments of this module a request is an ARP request or a
 * neighbour solicitation, and a reply is an ARP reply or a neighbour advertisement. A request to
 * all hosts is sent by broadcast, or to the solicited-node group.
 */

struct neigh;

struct neigh_config {
	struct wire_gid address; /**< own address */
	struct rte_ether_addr mac;
	/**
	 * Prefix length of the adapter's network: 0..32 if its address is IPv4-mapped, 0..128
	 * otherwise.
	 */
	uint8_t prefix_length;
	bool has_gateway;
	struct wire_gid gateway;
	bool vlan;
	uint16_t vlan_tci;
	/** Maximum number of entries, dynamic and static, >= 1. The table never grows (SEC-041). */
	uint32_t entries_max;
	int socket_id;
	/**
	 * Send a complete Ethernet frame, including a VLAN tag. The bytes are valid only during the
	 * call.
	 */
	void (*send)(void *arg, const uint8_t *frame, uint16_t bytes);
	/**
	 * Report that a different host uses the adapter's address. Called for the first such host
	 * only. May be NULL.
	 */
	void (*conflict)(void *arg, const struct rte_ether_addr *mac);
	/**
	 * Report the MAC address of a neighbour from a reply, if it is the first MAC address, or
	 * differs from the known MAC address. Later packets to this neighbour must use it, and so
	 * must packets through this neighbour if it is a gateway; see neigh_next_hop(). Called from
	 * neigh_input(). May be NULL.
	 */
	void (*moved)(void *arg, const struct wire_gid *address, const struct rte_ether_addr *mac);
	void *arg;
};

enum neigh_result {
	NEIGH_FOUND,
	NEIGH_PENDING,     /**< a request has no reply yet; look up again later */
	NEIGH_UNREACHABLE, /**< no host has replied, or the table is full */
	NEIGH_NO_ROUTE,    /**< no gateway to another network, or wrong address family */
};

struct neigh_counters {
	uint64_t rx_requests;
	uint64_t rx_replies;
	uint64_t tx_requests;
	uint64_t tx_replies;
	uint64_t rx_echo;
	uint64_t drop_malformed;
	uint64_t drop_unasked; /**< replies without a request, which were dropped (SEC-041) */
	uint64_t drop_full;
	uint64_t changed;    /**< changes of the MAC address of an entry in use (SEC-041) */
	uint64_t conflicts;  /**< frames of other hosts that use the adapter's address */
	uint64_t rx_queries; /**< multicast listener queries */
	uint64_t tx_reports;
	uint64_t drop_echo; /**< echo requests dropped: above the rate limit or 1500 bytes */
};

enum rc_status
neigh_create(const struct neigh_config *config, struct neigh **neigh) __rte_warn_unused_result;
/** NULL is ignored. */
void neigh_destroy(struct neigh *neigh);

/**
 * Add or replace a static entry.
 * @return RC_OK; RC_NO_RESOURCES; RC_INVALID_ARGUMENT if the address is not unicast
 */
enum rc_status neigh_add_static(struct neigh *neigh, const struct wire_gid *address,
	const struct rte_ether_addr *mac) __rte_warn_unused_result;

/**
 * Find the MAC address of the next hop to a peer. If the MAC address is unknown, a request is sent.
 * @param mac written only if the result is NEIGH_FOUND
 */
enum neigh_result neigh_lookup(struct neigh *neigh, const struct wire_gid *peer,
	struct rte_ether_addr *mac, uint64_t now_ns) __rte_warn_unused_result;

/**
 * Join the network: probe whether a different host has the adapter's address (RFC 5227, RFC 4862),
 * report the multicast group, and announce the address. A reply to the probe counts as a conflict.
 * The adapter uses the address even if there is a conflict.
 */
void neigh_start(struct neigh *neigh, uint64_t now_ns);

/** Announce the adapter's address (gratuitous ARP, unsolicited neighbour advertisement). */
void neigh_announce(struct neigh *neigh);

/** Result of neigh_input(): which stacks may process a frame that is not RoCE. */
enum neigh_verdict {
	NEIGH_FOREIGN, /**< not for this module */
	/** ARP, neighbour discovery or listener query, which other stacks need, too */
	NEIGH_SHARED,
	NEIGH_TAKEN, /**< echo request to the adapter: no other stack may answer it */
};

/** Process a frame that is not RoCE. The frame may be malformed. The caller keeps the mbuf. */
enum neigh_verdict neigh_input(struct neigh *neigh, const struct rte_mbuf *mbuf, uint64_t now_ns);

/**
 * Traffic with this source MAC address has arrived from a peer. If the entry has the same MAC
 * address, the entry is confirmed. A different MAC address has no effect, because a sender can
 * write any source address into a packet.
 */
void neigh_confirm(struct neigh *neigh, const struct wire_gid *peer,
	const struct rte_ether_addr *mac, uint64_t now_ns);

/**
 * A peer does not answer, possibly because its MAC address has changed without an announcement.
 * Send requests for the next hop, first to the known MAC address and then to all hosts, at most
 * eight per second.
 */
void neigh_doubt(struct neigh *neigh, const struct wire_gid *peer, uint64_t now_ns);

/**
 * @return next hop of packets to this peer: the peer itself or the gateway; NULL if there is no
 * route
 */
const struct wire_gid *neigh_next_hop(const struct neigh *neigh, const struct wire_gid *peer);

/** Results of neigh_route_rank() for the adapter's own address, and for static neighbours. */
#define NEIGH_RANK_OWN    200u
#define NEIGH_RANK_STATIC 199u

/**
 * Rate how well this adapter reaches a peer. A higher rank is better. May be called from any thread
 * after neigh_create() and neigh_add_static(), because it only reads data that these functions have
 * set.
 * @return 0 without a route; 1 through the gateway; 2 + prefix length for a peer in the adapter's
 *         network; NEIGH_RANK_OWN; NEIGH_RANK_STATIC
 */
uint32_t neigh_route_rank(const struct neigh *neigh, const struct wire_gid *peer);

/** Handle expired timers, a limited number per call. */
void neigh_tick(struct neigh *neigh, uint64_t now_ns);

/** @return time at which neigh_tick() must be called; BASE_TIME_NEVER if no timer runs */
uint64_t neigh_deadline(const struct neigh *neigh);
const struct neigh_counters *neigh_counters(const struct neigh *neigh);

struct neigh_info {
	struct wire_gid address;
	struct rte_ether_addr mac; /**< all zero: not known */
	const char *state;         /**< name of the state, a static string */
};

/** @param index 0, 1, ... in the order of addresses @return false if the entry does not exist */
bool neigh_query(const struct neigh *neigh, uint32_t index, struct neigh_info *info);

#endif
