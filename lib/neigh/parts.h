/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NEIGH_PARTS_H
#define NDPDK_NEIGH_PARTS_H

#include <stdalign.h>

#include <rte_ip.h>

#include "base/list.h"
#include "neigh/neigh.h"

/*
 * Declarations that the files of the neighbour module share. A file calls only files below it in
 * this list:
 *
 *   neigh.c                  connects: passes frames to protocols, received addresses to the
 *    │                       table, and sends the requests that the table needs
 *    ├─ ndisc.c mld.c echo.c arp.c    protocols: parse, reply, request; report received addresses
 *    │   ├─ icmp6.c          IPv6 and ICMPv6 headers
 *    │   └─ frame.c          Ethernet and the VLAN tag, in and out
 *    ├─ table.c              entries, their states and timers; sends no frames
 *    └─ address.c            own network, unicast addresses, multicast groups
 */

#define NEIGH_SECOND_NS        UINT64_C(1000000000)
/**
 * Interval between requests, and duration of state FAILED. All timers of entries have this
 * duration.
 */
#define NEIGH_RETRY_NS         NEIGH_SECOND_NS
/** Number of requests without a reply before the module gives up. */
#define NEIGH_ASK_MAX          3
/** An entry without confirmation for this time is probed when it is used. */
#define NEIGH_REFRESH_NS       (30 * NEIGH_SECOND_NS)
/** Minimum interval of neigh_doubt() requests, if the known MAC address replies to all of them. */
#define NEIGH_DOUBT_NS         (NEIGH_SECOND_NS / 4)
/** Time to wait for a reply from the known MAC address before requests go to all hosts. */
#define NEIGH_ANSWER_NS        (NEIGH_SECOND_NS / 20)
/** If the table is full, an entry without lookups for this time may be replaced. */
#define NEIGH_IDLE_NS          (60 * NEIGH_SECOND_NS)
/** Maximum number of timers that one neigh_tick() handles. */
#define NEIGH_TICK_MAX         32
/** Rate limits for actions that any host can cause: adding or verifying entries, echo replies. */
#define NEIGH_LEARN_PER_SECOND 64
#define NEIGH_ECHO_PER_SECOND  100

/** Longest IP packet that is processed or sent. Longer echo requests are not answered. */
#define NEIGH_PACKET_BYTES_MAX ((uint32_t)RTE_ETHER_MTU)
/** Length of a frame with NEIGH_PACKET_BYTES_MAX, including Ethernet header and VLAN tag. */
#define NEIGH_FRAME_BYTES_MAX  (RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN + RTE_ETHER_MTU)
/** Shortest frame, without FCS. */
#define NEIGH_FRAME_BYTES_MIN  (RTE_ETHER_MIN_LEN - RTE_ETHER_CRC_LEN)

enum neigh_state {
	NEIGH_STATE_INCOMPLETE, /**< the MAC address is unknown, and requests go to all hosts */
	NEIGH_STATE_REACHABLE,
	/** requests are sent to confirm the known MAC address, which lookups still return */
	NEIGH_STATE_PROBE,
	NEIGH_STATE_FAILED, /**< no host replied; the entry is removed after NEIGH_RETRY_NS */
	NEIGH_STATE_STATIC,
};

struct neigh_entry {
	/**
	 * Node in one list of struct neigh: timers (INCOMPLETE, PROBE, FAILED), learned or used
	 * (REACHABLE), or free. STATIC entries are in no list.
	 */
	struct base_list node;
	struct wire_gid address;
	struct rte_ether_addr mac;
	enum neigh_state state;
	uint8_t asked_count;
	bool used;            /**< true if neigh_lookup() was called for the entry */
	bool everybody;       /**< in state PROBE: true if further requests go to all hosts */
	bool asked_everybody; /**< true if the last request went to all hosts */
	bool told;            /**< true if neigh_config.moved was called for this MAC address */
	uint64_t due_ns;
	uint64_t asked_ns;
	uint64_t confirmed_ns;
	uint64_t used_ns;
};

/** Rate limit: number of events since the beginning of the current second. */
struct neigh_allowance {
	uint64_t since_ns;
	uint32_t count;
};

/** Pending multicast listener report, if any. */
struct neigh_mld {
	uint64_t due_ns; /**< time at which the report is sent; BASE_TIME_NEVER: no report */
	uint8_t record_type;
	bool v1; /**< true if the last query had version 1 */
};

struct neigh {
	struct neigh_config config;
	struct neigh_counters counters;
	struct neigh_entry **sorted; /**< pointers to the entries in use, sorted by address */
	uint32_t count;
	uint32_t static_count; /**< number of static entries at the start of entries[] */
	struct base_list free;
	/** Entries with a timer, sorted by due_ns, because every timer runs for NEIGH_RETRY_NS. */
	struct base_list timers;
	struct base_list learned; /**< oldest first */
	struct base_list used;    /**< approximately in the order of last use, oldest first */
	struct neigh_allowance learn_allowance;
	struct neigh_allowance echo_allowance;
	struct neigh_mld mld;
	/** Copy of the start of a received frame that has several segments. */
	alignas(8) uint8_t rx[NEIGH_FRAME_BYTES_MAX];
	alignas(8) uint8_t tx[NEIGH_FRAME_BYTES_MAX];
	struct neigh_entry entries[];
};

/* ---- addresses (address.c) ---- */

bool neigh_is_v4(const struct neigh *neigh);

/** @return true if a neighbour can have this address: own family, unicast, not reserved */
bool neigh_address_is_unicast(const struct neigh *neigh, const struct wire_gid *address);
bool neigh_address_in_prefix(const struct neigh *neigh, const struct wire_gid *address);
struct wire_gid neigh_solicited_group(const struct wire_gid *address);
struct rte_ether_addr neigh_multicast_mac(const struct wire_gid *group);

/* ---- table and states (table.c) ---- */

/** How the module has received a pair of IP and MAC address. */
enum neigh_source {
	NEIGH_SOURCE_NONE,   /**< the frame contains no address pair for the table */
	NEIGH_SOURCE_ANSWER, /**< in a reply */
	NEIGH_SOURCE_ASKER,  /**< from the sender of a request for the adapter's address */
	/** from an announcement, or from the sender of a request for another host's address */
	NEIGH_SOURCE_NEWS,
	NEIGH_SOURCE_CONFLICT, /**< a different host uses the adapter's address */
};

/** A pair of IP and MAC address that a frame contains. */
struct neigh_heard {
	enum neigh_source source;
	bool has_mac;   /**< false if the frame can only confirm the known MAC address */
	bool overrides; /**< true if the pair may replace a known MAC address (RFC 4861 4.4) */
	struct wire_gid address;
	struct rte_ether_addr mac; /**< Ethernet source address if has_mac is false */
};

/** Work that the caller must do for the table. At most one member is not NULL. */
struct neigh_due {
	struct neigh_entry *ask;        /**< send a request */
	const struct neigh_entry *tell; /**< call neigh_config.moved() for this entry */
};

void neigh_table_init(struct neigh *neigh);

/** @return time at which the next timer of an entry expires */
uint64_t neigh_table_deadline(const struct neigh *neigh);
struct neigh_entry *neigh_table_find(const struct neigh *neigh, const struct wire_gid *address);

/** @return new entry in no list, whose state the caller sets; NULL if the table is full */
struct neigh_entry *neigh_table_add(struct neigh *neigh, const struct wire_gid *address);

/**
 * If no entry is free, remove the oldest entry that was only learned. If there is no such entry,
 * remove the least recently used entry, if it was not used for NEIGH_IDLE_NS.
 */
void neigh_table_recycle(struct neigh *neigh, uint64_t now_ns);

struct neigh_due
neigh_table_hear(struct neigh *neigh, const struct neigh_heard *heard, uint64_t now_ns);

/**
 * Handle the expired timer with the earliest deadline.
 * @return entry for which the caller must send a request, or NULL
 */
struct neigh_entry *neigh_table_expire(struct neigh *neigh, uint64_t now_ns);

/** Report traffic from this MAC address, which confirms an entry with the same MAC address. */
void neigh_entry_confirm(struct neigh *neigh, struct neigh_entry *entry,
	const struct rte_ether_addr *mac, uint64_t now_ns);

/** Enter a state in which requests are sent. The caller sends the first request. */
void neigh_entry_question(
	struct neigh *neigh, struct neigh_entry *entry, enum neigh_state state, uint64_t now_ns);

/**
 * In state PROBE: further requests go to all hosts, because the caller has a further reason to
 * doubt the known MAC address.
 * @return true if the caller must send a request now, because the known MAC address has not replied
 *         in time
 */
bool neigh_entry_press(struct neigh_entry *entry, uint64_t now_ns);

/** Called before each request. @return MAC address for the request; NULL if it goes to all hosts */
const struct rte_ether_addr *neigh_entry_asked(struct neigh_entry *entry, uint64_t now_ns);

bool neigh_allow(struct neigh_allowance *allowance, uint32_t per_second, uint64_t now_ns);

/* ---- Ethernet (frame.c) ---- */

/** A received frame that belongs to the adapter's VLAN. */
struct neigh_frame {
	const uint8_t *l3;
	/**
	 * Number of readable bytes from l3 on, at most NEIGH_PACKET_BYTES_MAX; the frame may be
	 * longer. A reply of l3_bytes always fits into neigh->tx, even with a VLAN tag.
	 */
	uint32_t l3_bytes;
	uint16_t ether_type;
	struct rte_ether_addr src;
	struct rte_ether_addr dst;
};

/** Parse a frame. *frame points into mbuf or neigh->rx. @return false if not for the adapter */
bool neigh_frame_parse(struct neigh *neigh, const struct rte_mbuf *mbuf, struct neigh_frame *frame);

/** Write an Ethernet header to neigh->tx, then zeros. @return start of layer 3, 2-byte aligned */
uint8_t *
neigh_frame_begin(struct neigh *neigh, const struct rte_ether_addr *dst, uint16_t ether_type);

/** Send the frame in neigh->tx, padded to the minimum frame length. */
void neigh_frame_send(struct neigh *neigh, uint32_t l3_bytes);

/* ---- ARP (arp.c) ---- */

/** Process an ARP packet. heard is filled in if the packet contains a pair of addresses. */
void
neigh_arp_input(struct neigh *neigh, const struct neigh_frame *frame, struct neigh_heard *heard);

/** Send a request for an address to this MAC address, or to all hosts if mac is NULL. */
void neigh_arp_ask(
	struct neigh *neigh, const struct wire_gid *address, const struct rte_ether_addr *mac);
void neigh_arp_announce(struct neigh *neigh);
void neigh_arp_probe(struct neigh *neigh);

/* ---- ICMPv6 and IPv6 headers (icmp6.c) ---- */

/** A valid ICMPv6 message. */
struct neigh_icmp6 {
	const struct neigh_frame *frame;
	const uint8_t *body; /**< type, code, checksum, ... */
	uint32_t bytes;
	struct wire_gid src;
	struct wire_gid dst;
	uint8_t hop_limit;
};

#define NEIGH_ICMP6_ECHO_REQUEST 128
#define NEIGH_ICMP6_ECHO_REPLY   129
#define NEIGH_ICMP6_SOLICIT      135
#define NEIGH_ICMP6_ADVERTISE    136

/** @return type of the ICMPv6 message after the IPv6 header; 0 (reserved) if there is none */
uint8_t neigh_icmp6_type(const struct neigh_frame *frame);

/** @return true if the length in the IPv6 header exceeds NEIGH_PACKET_BYTES_MAX */
bool neigh_icmp6_is_long(const struct neigh_frame *frame);

/** Parse a message. @return false if lengths or checksum are wrong */
bool neigh_icmp6_parse(const struct neigh_frame *frame, struct neigh_icmp6 *message);

/** Begin a packet in neigh->tx. @return start of the ICMPv6 message */
uint8_t *neigh_icmp6_begin(struct neigh *neigh, const struct rte_ether_addr *dst_mac,
	const struct wire_gid *dst, uint8_t hop_limit);

/** @return sum over pseudo header and message; 0xFFFF if the message has a correct checksum */
uint16_t neigh_icmp6_sum(const struct rte_ipv6_hdr *ip, const uint8_t *body, uint32_t bytes);

/** Fill in lengths and checksum of the packet in neigh->tx, and send it. */
void neigh_icmp6_send(struct neigh *neigh, uint16_t bytes);

/* ---- neighbour discovery (ndisc.c), with the same functions as ARP ---- */

void neigh_ndisc_input(
	struct neigh *neigh, const struct neigh_icmp6 *message, struct neigh_heard *heard);
void neigh_ndisc_ask(
	struct neigh *neigh, const struct wire_gid *address, const struct rte_ether_addr *mac);
void neigh_ndisc_announce(struct neigh *neigh);
void neigh_ndisc_probe(struct neigh *neigh);

/* ---- multicast listener discovery (mld.c) ---- */

void neigh_mld_start(struct neigh *neigh, uint64_t now_ns);
void neigh_mld_tick(struct neigh *neigh, uint64_t now_ns);

/** @return true if the frame is a listener query, valid or not */
bool neigh_mld_input(struct neigh *neigh, const struct neigh_frame *frame, uint64_t now_ns);

/* ---- ping (echo.c) ---- */

/** @return true if the frame is an ICMP echo request to the adapter's address */
bool neigh_echo_input_v4(struct neigh *neigh, const struct neigh_frame *frame, uint64_t now_ns);
void neigh_echo_input_v6(struct neigh *neigh, const struct neigh_icmp6 *message, uint64_t now_ns);

#endif
