/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NEIGH_PARTS_H
#define NDPDK_NEIGH_PARTS_H

#include <stdalign.h>

#include <rte_ip.h>

#include "base/list.h"
#include "neigh/neigh.h"

/*
 * What the files of the neighbour module share. Calls point down only:
 *
 *   neigh.c                  joins: hands frames to protocols, what they heard to the table,
 *    │                       and sends the questions that the table says are due
 *    ├─ ndisc.c mld.c echo.c arp.c    protocols: parse, answer, ask; say what they have heard
 *    │   ├─ icmp6.c          IPv6 and ICMPv6 headers
 *    │   └─ frame.c          Ethernet and the VLAN tag, in and out
 *    ├─ table.c              entries, their states and timers; sends nothing
 *    └─ address.c            own network, unicast or not, groups
 */

#define NEIGH_SECOND_NS        UINT64_C(1000000000)
/**
 * A question is repeated, and a failure remembered, for so long. All timers of entries have
 * this length.
 */
#define NEIGH_RETRY_NS         NEIGH_SECOND_NS
/** Times a question is asked. */
#define NEIGH_ASK_MAX          3
/** An entry that is used after this time without confirmation is probed. */
#define NEIGH_REFRESH_NS       (30 * NEIGH_SECOND_NS)
/** Interval between questions to a known MAC address that is doubted repeatedly and answers. */
#define NEIGH_DOUBT_NS         (NEIGH_SECOND_NS / 4)
/** After this time without answer from the known MAC address, another doubt asks everybody. */
#define NEIGH_ANSWER_NS        (NEIGH_SECOND_NS / 20)
/** An entry that was not looked up for this time makes room for another when the table is full. */
#define NEIGH_IDLE_NS          (60 * NEIGH_SECOND_NS)
/** Timers that one neigh_tick() handles. */
#define NEIGH_TICK_MAX         32
/**
 * Limits per second for what any host can cause: new entries and verifications; echo replies.
 */
#define NEIGH_LEARN_PER_SECOND 64
#define NEIGH_ECHO_PER_SECOND  100

/** Longest packet that is looked at, and sent: echo requests that are longer are not answered. */
#define NEIGH_PACKET_BYTES_MAX ((uint32_t)RTE_ETHER_MTU)
/** The same with Ethernet header and VLAN tag. */
#define NEIGH_FRAME_BYTES_MAX  (RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN + RTE_ETHER_MTU)
/** Shortest frame, without its checksum. */
#define NEIGH_FRAME_BYTES_MIN  (RTE_ETHER_MIN_LEN - RTE_ETHER_CRC_LEN)

enum neigh_state {
	NEIGH_STATE_INCOMPLETE, /**< everybody is asked; the MAC address is not known */
	NEIGH_STATE_REACHABLE,
	NEIGH_STATE_PROBE,  /**< asked again; lookups still find the known MAC address */
	NEIGH_STATE_FAILED, /**< nobody answered; removed when its timer expires */
	NEIGH_STATE_STATIC,
};

struct neigh_entry {
	/** timers: INCOMPLETE, PROBE, FAILED; learned or used: REACHABLE; free; alone: STATIC */
	struct base_list node;
	struct wire_gid address;
	struct rte_ether_addr mac;
	enum neigh_state state;
	uint8_t asked_count;
	bool used;            /**< was looked up; otherwise only learned from a question */
	bool everybody;       /**< PROBE: questions after the first go to everybody */
	bool asked_everybody; /**< the last question went to everybody */
	bool told;            /**< struct neigh_config.moved was called for this MAC address */
	uint64_t due_ns;
	uint64_t asked_ns; /**< time of the last question */
	uint64_t confirmed_ns;
	uint64_t used_ns;
};

/** Rate limit: events counted in windows of one second. */
struct neigh_allowance {
	uint64_t since_ns;
	uint32_t count;
};

/** Multicast listener report that is to be sent. */
struct neigh_mld {
	uint64_t due_ns; /**< BASE_TIME_NEVER: none */
	uint8_t record_type;
	bool v1; /**< the last query was of version 1 */
};

struct neigh {
	struct neigh_config config;
	struct neigh_counters counters;
	struct neigh_entry **sorted; /**< by address, count of them */
	uint32_t count;
	uint32_t static_count; /**< entries at the beginning of entries that were static at once */
	struct base_list free;
	struct base_list timers;  /**< by due_ns: every timer runs for NEIGH_RETRY_NS */
	struct base_list learned; /**< oldest first */
	struct base_list used;    /**< least recently used first, approximately */
	struct neigh_allowance learn_allowance;
	struct neigh_allowance echo_allowance;
	struct neigh_mld mld;
	alignas(8) uint8_t rx[NEIGH_FRAME_BYTES_MAX]; /**< head of a frame of several segments */
	alignas(8) uint8_t tx[NEIGH_FRAME_BYTES_MAX];
	struct neigh_entry entries[];
};

/* ---- addresses (address.c) ---- */

bool neigh_is_v4(const struct neigh *neigh);

/** @return the address can belong to one neighbour: right family, own network's unicast range. */
bool neigh_address_is_unicast(const struct neigh *neigh, const struct wire_gid *address);
bool neigh_address_in_prefix(const struct neigh *neigh, const struct wire_gid *address);
struct wire_gid neigh_solicited_group(const struct wire_gid *address);
struct rte_ether_addr neigh_multicast_mac(const struct wire_gid *group);

/* ---- table and states (table.c) ---- */

/** Where a pair of addresses was heard. */
enum neigh_source {
	NEIGH_SOURCE_NONE,     /**< the frame says nothing to the table */
	NEIGH_SOURCE_ANSWER,   /**< somebody answered a question */
	NEIGH_SOURCE_ASKER,    /**< sender of a question for the own address */
	NEIGH_SOURCE_NEWS,     /**< an announcement, or the sender of a question to another host */
	NEIGH_SOURCE_CONFLICT, /**< somebody claims the own address; not for the table */
};

/** What a frame said about a pair of addresses. */
struct neigh_heard {
	enum neigh_source source;
	bool has_mac;   /**< otherwise it says only that the known MAC address is right */
	bool overrides; /**< may replace a known MAC address, see RFC 4861 4.4 */
	struct wire_gid address;
	struct rte_ether_addr mac; /**< without has_mac: where the frame came from */
};

/** What the caller has to do about an entry; one of them at most is not NULL. */
struct neigh_due {
	struct neigh_entry *ask;        /**< send a question */
	const struct neigh_entry *tell; /**< its MAC address is new: call moved() */
};

void neigh_table_init(struct neigh *neigh);

/** @return when the next entry expires. */
uint64_t neigh_table_deadline(const struct neigh *neigh);
struct neigh_entry *neigh_table_find(const struct neigh *neigh, const struct wire_gid *address);

/** @return new entry in no list, state to be filled by the caller; NULL when there is no room. */
struct neigh_entry *neigh_table_add(struct neigh *neigh, const struct wire_gid *address);

/**
 * When no entry is free, remove one: the oldest that was only learned, else the least recently used
 * one after NEIGH_IDLE_NS without use.
 */
void neigh_table_recycle(struct neigh *neigh, uint64_t now_ns);

/** A pair of addresses was heard. */
struct neigh_due
neigh_table_hear(struct neigh *neigh, const struct neigh_heard *heard, uint64_t now_ns);

/** The earliest timer has expired; there is one. @return entry to ask about, or NULL */
struct neigh_entry *neigh_table_expire(struct neigh *neigh, uint64_t now_ns);

/**
 * Traffic came from this MAC address. When it is the known one, the entry is confirmed; otherwise
 * nothing happens.
 */
void neigh_entry_confirm(struct neigh *neigh, struct neigh_entry *entry,
	const struct rte_ether_addr *mac, uint64_t now_ns);

/** Enter a state that asks. The caller sends its first question. */
void neigh_entry_question(
	struct neigh *neigh, struct neigh_entry *entry, enum neigh_state state, uint64_t now_ns);

/**
 * PROBE: the known MAC address is doubted once more. Later questions go to everybody.
 * @return whether one is due now, because the known MAC address is silent
 */
bool neigh_entry_press(struct neigh_entry *entry, uint64_t now_ns);

/**
 * A question is sent now.
 * @return MAC address to send it to; NULL: everybody
 */
const struct rte_ether_addr *neigh_entry_asked(struct neigh_entry *entry, uint64_t now_ns);

bool neigh_allow(struct neigh_allowance *allowance, uint32_t per_second, uint64_t now_ns);

/* ---- Ethernet (frame.c) ---- */

/** A received frame of the own network segment. */
struct neigh_frame {
	const uint8_t *l3;
	/**
	 * Bytes from l3 on that may be read, at most NEIGH_PACKET_BYTES_MAX. The frame may be
	 * longer. Never more than a frame that is sent has room for: a port may have stripped the
	 * tag that the answer has to carry.
	 */
	uint32_t l3_bytes;
	uint16_t ether_type;
	struct rte_ether_addr src;
	struct rte_ether_addr dst;
};

/**
 * Borrows the mbuf; frame points into it or into neigh->rx. @return false when the frame is not for
 * the adapter.
 */
bool neigh_frame_parse(struct neigh *neigh, const struct rte_mbuf *mbuf, struct neigh_frame *frame);

/**
 * Begin a frame in neigh->tx, zeroes behind its headers. @return where layer 3 starts, 2-byte
 * aligned
 */
uint8_t *
neigh_frame_begin(struct neigh *neigh, const struct rte_ether_addr *dst, uint16_t ether_type);

/** Send what was begun, padded to the shortest frame. */
void neigh_frame_send(struct neigh *neigh, uint32_t l3_bytes);

/* ---- ARP (arp.c) ---- */

/** Answer a question; heard is filled when the packet says something, otherwise left alone. */
void
neigh_arp_input(struct neigh *neigh, const struct neigh_frame *frame, struct neigh_heard *heard);

/** Send a question for an address: to the MAC address, or to everybody when it is NULL. */
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

/** @return type of an ICMPv6 message right behind the IPv6 header; 0, which is reserved: none */
uint8_t neigh_icmp6_type(const struct neigh_frame *frame);

/** @return the packet says that it is longer than NEIGH_PACKET_BYTES_MAX. */
bool neigh_icmp6_is_long(const struct neigh_frame *frame);

/** Fill the message. @return false when lengths or checksum are wrong. */
bool neigh_icmp6_parse(const struct neigh_frame *frame, struct neigh_icmp6 *message);

/** Begin a packet in neigh->tx. @return where the ICMPv6 message goes. */
uint8_t *neigh_icmp6_begin(struct neigh *neigh, const struct rte_ether_addr *dst_mac,
	const struct wire_gid *dst, uint8_t hop_limit);

/** @return checksum over pseudo header and message, 0xFFFF when it is in there and right. */
uint16_t neigh_icmp6_sum(const struct rte_ipv6_hdr *ip, const uint8_t *body, uint32_t bytes);

/** Complete lengths and checksum of what was begun, and send it. */
void neigh_icmp6_send(struct neigh *neigh, uint16_t bytes);

/* ---- neighbour discovery (ndisc.c), as ARP ---- */

void neigh_ndisc_input(
	struct neigh *neigh, const struct neigh_icmp6 *message, struct neigh_heard *heard);
void neigh_ndisc_ask(
	struct neigh *neigh, const struct wire_gid *address, const struct rte_ether_addr *mac);
void neigh_ndisc_announce(struct neigh *neigh);
void neigh_ndisc_probe(struct neigh *neigh);

/* ---- multicast listener discovery (mld.c) ---- */

void neigh_mld_start(struct neigh *neigh, uint64_t now_ns);
void neigh_mld_tick(struct neigh *neigh, uint64_t now_ns);

/** @return true when it was a query, valid or not. */
bool neigh_mld_input(struct neigh *neigh, const struct neigh_frame *frame, uint64_t now_ns);

/* ---- ping (echo.c) ---- */

/** @return true when it was an ICMP echo request to the own address. */
bool neigh_echo_input_v4(struct neigh *neigh, const struct neigh_frame *frame, uint64_t now_ns);
void neigh_echo_input_v6(struct neigh *neigh, const struct neigh_icmp6 *message, uint64_t now_ns);

#endif
