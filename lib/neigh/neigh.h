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
 * echo requests. Over IPv6 it reports the solicited-node group to switches that snoop.
 *
 * It does no I/O and reads no clock: frames enter through neigh_input() and leave through the send
 * function, time is now_ns. The engine that owns it makes all calls, from its own thread.
 *
 *   INCOMPLETE (asked up to 3 times, 1 s apart) -> REACHABLE -> PROBE -> REACHABLE ...
 *   INCOMPLETE without answer -> FAILED for 1 s; PROBE without answer -> the entry is removed
 *
 * An entry that is looked up 30 s or more after its last confirmation is probed by unicast. A
 * static entry never changes. In the comments of this module a question is an ARP request or a
 * neighbour solicitation, an answer is an ARP reply or a neighbour advertisement, and a question to
 * everybody is sent by broadcast, or to the solicited-node group.
 */

struct neigh;

struct neigh_config {
	struct wire_gid address; /**< own */
	struct rte_ether_addr mac;
	uint8_t prefix_length; /**< of the own network: 0..32 for IPv4-mapped addresses, else 0..128
				*/
	bool has_gateway;
	struct wire_gid gateway;
	bool vlan;
	uint16_t vlan_tci;
	uint32_t entries_max; /**< dynamic and static, >= 1; the table never grows (SEC-041) */
	int socket_id;
	/** Send a frame: complete Ethernet frame, VLAN tag included; bytes are valid during the
	 * call. */
	void (*send)(void *arg, const uint8_t *frame, uint16_t bytes);
	/** Another host claims the own address. Called for the first claim only. May be NULL. */
	void (*conflict)(void *arg, const struct rte_ether_addr *mac);
	/**
	 * The answer to a question has given the MAC address of a neighbour: for the first time, or
	 * another than before. What is sent to it, and through it when it is a gateway, follows;
	 * see neigh_next_hop(). Called from neigh_input(). May be NULL.
	 */
	void (*moved)(void *arg, const struct wire_gid *address, const struct rte_ether_addr *mac);
	void *arg; /**< of all three */
};

enum neigh_result {
	NEIGH_FOUND,
	NEIGH_PENDING,     /**< a question was sent and is not answered yet: look up again later */
	NEIGH_UNREACHABLE, /**< nobody answered, or the table is full */
	NEIGH_NO_ROUTE,    /**< outside the own network and no gateway, or another address family */
};

struct neigh_counters {
	uint64_t rx_requests;
	uint64_t rx_replies;
	uint64_t tx_requests;
	uint64_t tx_replies;
	uint64_t rx_echo;
	uint64_t drop_malformed;
	uint64_t drop_unasked; /**< answers to questions that were not asked (SEC-041) */
	uint64_t drop_full;
	uint64_t changed;    /**< entries in use whose MAC address changed (SEC-041) */
	uint64_t conflicts;  /**< claims of others to the own address */
	uint64_t rx_queries; /**< of multicast listeners */
	uint64_t tx_reports;
	uint64_t drop_echo; /**< echo requests above the rate, or of more than 1500 bytes */
};

enum rc_status
neigh_create(const struct neigh_config *config, struct neigh **neigh) __rte_warn_unused_result;
/** NULL is ignored. */
void neigh_destroy(struct neigh *neigh);

/** Add or replace an entry that never changes. @return RC_OK; RC_NO_RESOURCES; RC_INVALID_ARGUMENT:
 * not unicast. */
enum rc_status neigh_add_static(struct neigh *neigh, const struct wire_gid *address,
	const struct rte_ether_addr *mac) __rte_warn_unused_result;

/**
 * Find the MAC address of the next hop to a peer. When it is not known, a question is sent.
 * @param mac written for NEIGH_FOUND only
 */
enum neigh_result neigh_lookup(struct neigh *neigh, const struct wire_gid *peer,
	struct rte_ether_addr *mac, uint64_t now_ns) __rte_warn_unused_result;

/**
 * Join the network: probe whether another host has the own address (RFC 5227, RFC 4862), report the
 * multicast group, announce the address. An answer to the probe is counted as a conflict; the
 * address is used all the same.
 */
void neigh_start(struct neigh *neigh, uint64_t now_ns);

/** Announce the own address (gratuitous ARP, unsolicited neighbour advertisement). */
void neigh_announce(struct neigh *neigh);

/** Whose a frame is that is not RoCE. */
enum neigh_verdict {
	NEIGH_FOREIGN, /**< nothing for this module */
	NEIGH_SHARED,  /**< ARP, neighbour discovery, listener query: other stacks need it, too */
	NEIGH_TAKEN,   /**< an echo request to the own address: nobody else may answer it */
};

/** Take a frame that is not RoCE, well-formed or not. Borrows the mbuf. */
enum neigh_verdict neigh_input(struct neigh *neigh, const struct rte_mbuf *mbuf, uint64_t now_ns);

/**
 * Traffic came from this peer and this MAC address. When it is the known one, the entry is still
 * good. Another one changes nothing: whoever sends a packet can write any source address into it.
 */
void neigh_confirm(struct neigh *neigh, const struct wire_gid *peer,
	const struct rte_ether_addr *mac, uint64_t now_ns);

/**
 * Packets to this peer are not answered: its MAC address may have changed without an announcement.
 * Ask for the next hop, first at the known MAC address, then everybody; at most eight questions per
 * second.
 */
void neigh_doubt(struct neigh *neigh, const struct wire_gid *peer, uint64_t now_ns);

/** @return neighbour whose MAC address packets to this peer carry: it, or the gateway; or NULL */
const struct wire_gid *neigh_next_hop(const struct neigh *neigh, const struct wire_gid *peer);

/** neigh_route_rank() of the own address, and of static neighbours. */
#define NEIGH_RANK_OWN    200u
#define NEIGH_RANK_STATIC 199u

/**
 * How well an adapter suits as the way to a peer. It reads what neigh_create() and
 * neigh_add_static() were given, and no entry that changes: any thread may call it after these.
 * @return 0: not at all; 1: through the gateway; 2 + bits of the prefix: in the own network; or one
 *         of the above
 */
uint32_t neigh_route_rank(const struct neigh *neigh, const struct wire_gid *peer);

/** Fire expired timers, a bounded number per call. */
void neigh_tick(struct neigh *neigh, uint64_t now_ns);

/** @return when neigh_tick() is to be called; BASE_TIME_NEVER: no timer runs */
uint64_t neigh_deadline(const struct neigh *neigh);
const struct neigh_counters *neigh_counters(const struct neigh *neigh);

/** A neighbour at one moment, for people. */
struct neigh_info {
	struct wire_gid address;
	struct rte_ether_addr mac; /**< zero: not known */
	const char *state;         /**< static */
};

/** @param index 0, 1, ..., in the order of addresses @return false: there are no more */
bool neigh_query(const struct neigh *neigh, uint32_t index, struct neigh_info *info);

#endif
