/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_E2E_ATTACK_NET_H
#define NDPDK_E2E_ATTACK_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "port/port.h"
#include "wire/parse.h"

/*
 * Three complete adapters in virtual time: a victim, an attacker, and a bystander that takes no
 * part in the attack. Their frames pass through queues that a test can stop, empty and add to. The
 * frames that the victim sends are recorded. Anything unexpected fails the test.
 */

enum net_name {
	VICTIM,
	ATTACKER,
	BYSTANDER,
	NET_NODES,
};

#define NET_PMTU         1024
#define NET_MEMORY_BYTES 196608
#define NET_FRAME_BYTES  1280
#define NET_QUEUE_FRAMES 8192
#define NET_LOG_FRAMES   512

struct net_frame {
	uint64_t sent_ns;
	uint16_t bytes;
	uint8_t data[NET_FRAME_BYTES];
};

struct net;

struct net_node {
	struct net *net;
	enum net_name name;
	struct port_io io;
	struct port_io other_io; /**< port functions of all engines but the first */
	struct nd_adapter *adapter;
	uint8_t memory[NET_MEMORY_BYTES];
	struct nd_mr *mr;
	/**
	 * MAC address that the network knows for this node. net_move() changes this address, but
	 * not the address of the adapter.
	 */
	struct rte_ether_addr mac;
	bool deaf; /**< true if frames to this node are lost */
	/** Number of frames that the node may still receive. UINT32_MAX means no limit. */
	uint32_t take_max;
	/**
	 * Maximum number of frames that the node's port accepts per call. UINT16_MAX means no
	 * limit.
	 */
	uint16_t send_max;
	/**
	 * Called for each frame that the node sends. May change the frame and then call net_seal().
	 * Returns true to drop the frame. NULL means no function.
	 */
	bool (*meddle)(struct net_frame *frame);
	uint32_t head, tail;
	struct net_frame queue[NET_QUEUE_FRAMES];
};

struct net_limits {
	uint16_t path_mtu[NET_NODES]; /**< path MTU in bytes; 0 means NET_PMTU */
	uint32_t guesses_max;
	uint32_t guess_interval_ms;
	uint32_t endpoints_max; /**< 0 means 256 */
	uint32_t half_open_max;
	/**
	 * True if nodes resolve each other's MAC addresses. False if the addresses are configured.
	 */
	bool resolve;
	/**
	 * True if the bystander is in another network than the victim. Then the attacker is the
	 * gateway between them and does not attack.
	 */
	bool routed;
	/** True if all nodes know the victim's MAC address, so that none of them resolves it. */
	bool victim_known;
	bool v6;
	uint8_t ack_delay[NET_NODES];
	uint8_t ack_timeout[NET_NODES];
	uint8_t retry_count[NET_NODES];
	uint32_t keepalive_ms[NET_NODES];
	uint8_t rnr_retry_count[NET_NODES];
	uint8_t rnr_timer[NET_NODES];
	uint32_t peer_timeout_ms; /**< applies to all nodes */
};

struct net {
	uint64_t now_ns;
	struct net_node nodes[NET_NODES];
	struct nd_listener *listener;
	uint16_t listen_port; /**< network byte order */
	uint32_t log_count;
	struct net_frame log[NET_LOG_FRAMES]; /**< frames that the victim sent */
	/** True if the victim's frames are counted but not recorded. */
	bool log_off;
	/** number of frames from the victim to each destination */
	uint64_t victim_frames[NET_NODES];
	/** Called for each frame from the victim to the attacker. May be NULL. */
	void (*to_attacker)(const struct net_frame *frame);
	/** Called for each endpoint of the victim before it is accepted. May be NULL. */
	void (*accepting)(struct nd_endpoint *endpoint);
	struct net_frame request; /**< last RC request that the attacker sent */
	struct net_frame mad;     /**< last MAD that the bystander sent */
	bool v6;
	bool routed;       /**< see struct net_limits */
	bool victim_known; /**< see struct net_limits */
	struct net_limits limits;
};

/** A connection of a node to the victim. Side 1 is the victim. */
struct net_link {
	enum net_name from;
	struct nd_connector *connectors[2];
	struct nd_endpoint *endpoints[2];
	struct nd_cq *inbound[2];
	struct nd_cq *outbound[2];
};

/**
 * Open the adapters and fill the victim's memory with a pattern. @return the only net of the
 * process
 */
struct net *net_open(const struct net_limits *limits);
void net_close(struct net *net);

/** A function for net_node.meddle that drops every frame. */
bool net_lose(struct net_frame *frame);

/**
 * Simulate a power failure of a node: the node restarts with the same random numbers. The node's
 * side of its links, including the connectors, is freed.
 */
void net_restart(struct net *net, enum net_name name);

/**
 * Advance the time by 1 us and give every engine a turn. If no engine did any work, advance the
 * time to the next deadline, at most to until_ns.
 */
void net_step(struct net *net, uint64_t until_ns);
void net_run(struct net *net, uint64_t duration_ns);

/** Connect a node to the victim. Fails the test unless this succeeds. Clears the log. */
struct net_link net_connect(struct net *net, enum net_name from);

/**
 * Try to connect a node to the victim and wait at most patience_ns. Clears the log.
 * @return whether the victim received the request in this time; then the node is connected
 */
bool
net_try_connect(struct net *net, enum net_name from, struct net_link *link, uint64_t patience_ns);

void net_disconnect(struct net *net, struct net_link *link);

/** Run until the queue has a result. Fail unless it is this result. @return status of the result */
nd_status net_result(struct net *net, struct nd_cq *cq, struct nd_result *result);

struct nd_mw *net_bind(struct net *net, const struct net_link *link, size_t offset, size_t bytes,
	uint32_t flags, struct nd_mw_descriptor *descriptor);

void net_invalidate(struct net *net, const struct net_link *link, struct nd_mw *mw);

struct nd_mw_descriptor net_forge(uint32_t token, const void *address, uint64_t bytes);
uint32_t net_token(const struct nd_mw_descriptor *descriptor);

/** Put a recorded frame into the victim's receive queue once more. */
void net_replay(struct net *net, const struct net_frame *frame);

/** Put a frame into the victim's receive queue, whatever addresses the frame has. */
void net_inject(struct net *net, const uint8_t *data, uint16_t bytes);

/**
 * Change the MAC address under which the network knows and reaches a node. The adapter keeps its
 * own MAC address, so the network translates the addresses in the adapter's frames.
 */
void net_move(struct net *net, enum net_name name, const struct rte_ether_addr *mac);

/** Announce the node's address by a gratuitous ARP or an unsolicited neighbour advertisement. */
void net_announce(struct net *net, enum net_name name);

/** Recalculate the ICRC of a frame whose bytes after the BTH were changed. */
void net_seal(struct net_frame *frame);

/**
 * Run until the operation ends, at most patience_ns. @return status of the operation, or ND_PENDING
 */
nd_status net_finish(
	struct net *net, nd_status status, struct nd_overlapped *overlapped, uint64_t patience_ns);

/** Create connector and completion queues of one side, at link->connectors[side] and so on. */
void net_connector_make(struct net *net, struct net_link *link, unsigned int side);
/** Create the endpoint of one side, after net_connector_make(). */
void net_endpoint_make(struct net_link *link, unsigned int side);

/** Start to connect side 0, which must have an endpoint, to the victim's listener. */
nd_status
net_connect_start(struct net *net, struct net_link *link, struct nd_overlapped *overlapped);

/** @return view of a recorded frame, which must be a valid RoCE packet */
struct wire_view net_view(const struct net_frame *frame);

uint64_t net_counter(const struct net *net, const char *name);

#endif
