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
 * Three complete adapters in virtual time: one that is attacked, one that attacks, and one that has
 * nothing to do with it. What they send goes through queues that a test can stop, empty and add to.
 * What the victim sends is on record. Anything unexpected fails the test.
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
	struct port_io other_io; /**< of engines that are not the first */
	struct nd_adapter *adapter;
	uint8_t memory[NET_MEMORY_BYTES]; /**< registered as mr */
	struct nd_mr *mr;
	/** By which the network knows it; net_move() changes it. The adapter keeps its own. */
	struct rte_ether_addr mac;
	bool deaf;         /**< what is sent to it is lost */
	uint32_t take_max; /**< frames that it may still take; UINT32_MAX = any number */
	uint16_t send_max; /**< frames that its port takes at a time; UINT16_MAX = any number */
	/** Sees what it sends, may change it (net_seal()), may lose it: true. NULL = none */
	bool (*meddle)(struct net_frame *frame);
	uint32_t head, tail;
	struct net_frame queue[NET_QUEUE_FRAMES];
};

struct net_limits {
	uint16_t path_mtu[NET_NODES]; /**< bytes; 0 = NET_PMTU */
	uint32_t guesses_max;
	uint32_t guess_interval_ms;
	uint32_t endpoints_max; /**< 0 = 256 */
	uint32_t half_open_max;
	bool resolve; /**< nodes ask for each other's MAC addresses; otherwise they know them */
	/** The bystander is in another network; the attacker is the gateway and does not attack. */
	bool routed;
	/** Nobody asks for the victim's MAC address: it is known to all. */
	bool victim_known;
	bool v6;
	uint8_t ack_delay[NET_NODES];
	uint8_t ack_timeout[NET_NODES];
	uint8_t retry_count[NET_NODES];
	uint32_t keepalive_ms[NET_NODES];
	uint8_t rnr_retry_count[NET_NODES];
	uint8_t rnr_timer[NET_NODES];
	uint32_t peer_timeout_ms; /**< of all nodes */
};

struct net {
	uint64_t now_ns;
	struct net_node nodes[NET_NODES];
	struct nd_listener *listener; /**< of the victim */
	uint16_t listen_port;         /**< network byte order */
	uint32_t log_count;
	struct net_frame log[NET_LOG_FRAMES]; /**< what the victim sent */
	bool log_off;                         /**< only count */
	uint64_t victim_frames[NET_NODES];    /**< what the victim sent, by destination */
	/** Sees what the victim sends to the attacker; may be NULL. */
	void (*to_attacker)(const struct net_frame *frame);
	/** Sees an endpoint of the victim before it is accepted; may be NULL. */
	void (*accepting)(struct nd_endpoint *endpoint);
	struct net_frame request; /**< RC request that the attacker sent last */
	struct net_frame mad;     /**< of the bystander's, the last one */
	bool v6;
	bool routed;       /**< see struct net_limits */
	bool victim_known; /**< see struct net_limits */
	struct net_limits limits;
};

/** A connection of a node to the victim; side 1 is the victim's. */
struct net_link {
	enum net_name from;
	struct nd_connector *connectors[2];
	struct nd_endpoint *endpoints[2];
	struct nd_cq *inbound[2];
	struct nd_cq *outbound[2];
};

/** Open the adapters, fill the victim's memory with a pattern. @return the only net there is. */
struct net *net_open(const struct net_limits *limits);
void net_close(struct net *net);

/** For struct net_node.meddle: what it sends is lost. */
bool net_lose(struct net_frame *frame);

/**
 * A node loses its power and starts again, with the same random numbers. Its side of links is gone:
 * connectors and all else are freed.
 */
void net_restart(struct net *net, enum net_name name);

/** Let a microsecond pass and every engine turn once; then, when nothing moves, time until it will.
 */
void net_step(struct net *net, uint64_t until_ns);
void net_run(struct net *net, uint64_t duration_ns);

/** Connect a node to the victim, which must succeed. The log starts anew. */
struct net_link net_connect(struct net *net, enum net_name from);

/**
 * Ask the victim for a connection, and wait. The log starts anew.
 * @return whether the victim has heard of it in this time; then it is connected
 */
bool
net_try_connect(struct net *net, enum net_name from, struct net_link *link, uint64_t patience_ns);

/** Release both ends. */
void net_disconnect(struct net *net, struct net_link *link);

/** Run until this result comes, the next of its queue. @return its status */
nd_status net_result(struct net *net, struct nd_cq *cq, struct nd_result *result);

/** Bind a window of the victim on a link. @return the window */
struct nd_mw *net_bind(struct net *net, const struct net_link *link, size_t offset, size_t bytes,
	uint32_t flags, struct nd_mw_descriptor *descriptor);

/** Invalidate it again, locally. */
void net_invalidate(struct net *net, const struct net_link *link, struct nd_mw *mw);

/** A descriptor that nobody has given. */
struct nd_mw_descriptor net_forge(uint32_t token, const void *address, uint64_t bytes);
uint32_t net_token(const struct nd_mw_descriptor *descriptor);

/** Put a frame that was recorded into the victim's queue once more. */
void net_replay(struct net *net, const struct net_frame *frame);

/** Hand a frame to the victim, wherever it comes from. */
void net_inject(struct net *net, const uint8_t *data, uint16_t bytes);

/**
 * A node is now known to the network by another MAC address, and reached at that only. The adapter
 * does not know: addresses in its frames are translated on their way.
 */
void net_move(struct net *net, enum net_name name, const struct rte_ether_addr *mac);

/** The node announces its address: gratuitous ARP, unsolicited neighbour advertisement. */
void net_announce(struct net *net, enum net_name name);

/** Make a frame valid again that was changed behind its BTH. */
void net_seal(struct net_frame *frame);

/** Let time pass until the operation is over. @return its status, or ND_PENDING. */
nd_status net_finish(
	struct net *net, nd_status status, struct nd_overlapped *overlapped, uint64_t patience_ns);

/** Connector, endpoint and queues of one side; its link is all zero before, but for from. */
void net_connector_make(struct net *net, struct net_link *link, unsigned int side);
void net_endpoint_make(struct net_link *link, unsigned int side);

/** Start to connect side 0, which has an endpoint, to the victim's listener. */
nd_status
net_connect_start(struct net *net, struct net_link *link, struct nd_overlapped *overlapped);

/** @return view of a recorded frame, which must be a sound RoCE packet. */
struct wire_view net_view(const struct net_frame *frame);

/** @return the victim's counter */
uint64_t net_counter(const struct net *net, const char *name);

#endif
