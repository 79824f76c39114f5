/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_NET_H
#define NDPDK_SIM_SIM_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "sim_link.h"
#include "sim_random.h"

/*
 * A network in virtual time: ports of adapters, switches, and links between them. A link is one
 * direction of a cable and has an output queue, a rate, a delay and faults (sim_link.h). A port has
 * one outgoing and one incoming link. Switches know all shortest paths to each port. If there are
 * several shortest paths, a switch selects the path per flow or per frame (sim_net_choice).
 *
 * The same seed and the same calls give the same run. The owner of the clock must call
 * sim_net_run() at sim_net_next_ns() at the latest, and may call all other functions at any time.
 *
 *   sim_net_init(&net, &now_ns, seed, NULL);
 *   a = sim_net_add_port(&net, "A", mac_a, 1);
 *   b = sim_net_add_port(&net, "B", mac_b, 1);
 *   s = sim_net_add_switch(&net, "s", SIM_NET_BY_FLOW);
 *   sim_net_add_cable(&net, a, s, &config);
 *   sim_net_add_cable(&net, b, s, &config);
 *   sim_net_set_pool(&net, a, 0, pool); ...
 *   sim_net_start(&net);
 *   sim_net_transmit(&net, a, mbufs, count); ...
 *   sim_net_fini(&net);
 */

#define SIM_NET_VERTICES_MAX 80 /**< ports and switches */
#define SIM_NET_LINKS_MAX    192
#define SIM_NET_NAME_MAX     6
#define SIM_NET_NONE         UINT32_MAX

/** Decides which of several shortest paths a switch uses. */
enum sim_net_choice {
	SIM_NET_BY_FLOW,  /**< A hash of the UDP source port selects the path. */
	SIM_NET_BY_FRAME, /**< Each frame takes a random path, so frames are reordered. */
};

struct sim_net_vertex {
	char name[SIM_NET_NAME_MAX + 1];
	bool is_switch;
	enum sim_net_choice choice;
	uint64_t mac;         /**< MAC address of a port; unused for a switch */
	uint32_t queue_count; /**< number of receive queues of a port; unused for a switch */
	uint32_t first_out;   /**< first outgoing link; SIM_NET_NONE = none */
	uint32_t in;          /**< link that ends at this port; SIM_NET_NONE = none */
};

/** A link, and the numbers of the vertices (ports or switches) at its ends. */
struct sim_net_edge {
	struct sim_link link;
	uint32_t from;
	uint32_t to;
	uint32_t next_out; /**< next outgoing link of vertex `from`; SIM_NET_NONE = none */
	bool pausing;      /**< This link's queue is long, so links that feed it are paused. */
	bool stopped;      /**< A switch has paused this link, because it feeds a long queue. */
	bool muted;        /**< paused by sim_net_pause() */
};

struct sim_net {
	const uint64_t *now_ns; /**< clock of the owner */
	uint64_t at_ns;         /**< time of the event being processed; clock of the links */
	uint64_t next_ns;       /**< time of the next event in any switch */
	uint64_t seed;
	struct sim_trace *trace;
	struct sim_random random;
	uint32_t vertex_count;
	uint32_t edge_count;
	struct sim_net_vertex vertices[SIM_NET_VERTICES_MAX];
	struct sim_net_edge *edges[SIM_NET_LINKS_MAX];
	/**
	 * Time of the next arrival on each link into a switch. It is an array, because all times
	 * are compared.
	 */
	uint64_t due_ns[SIM_NET_LINKS_MAX];
	/** For each switch with paused inputs: time of the next check of its queues. */
	uint64_t look_ns[SIM_NET_VERTICES_MAX];
	uint8_t hops[SIM_NET_VERTICES_MAX][SIM_NET_VERTICES_MAX]; /**< [from][to]; 0xFF: no path */
	uint64_t no_way; /**< number of frames dropped because a switch had no path for them */
};

/** @param trace gets a record of each frame that a port sends or receives; may be NULL */
void
sim_net_init(struct sim_net *net, const uint64_t *now_ns, uint64_t seed, struct sim_trace *trace);
void sim_net_fini(struct sim_net *net);

/* ---- set-up; each sim_net_add_ function returns the number of the new vertex or link ---- */

/**
 * @param name        at most SIM_NET_NAME_MAX characters; copied
 * @param mac         6 bytes; frames with this destination address are delivered to the port
 * @param queue_count number of receive queues, 1..LIMIT_ENGINES
 */
uint32_t
sim_net_add_port(struct sim_net *net, const char *name, const uint8_t *mac, uint32_t queue_count);
uint32_t sim_net_add_switch(struct sim_net *net, const char *name, enum sim_net_choice choice);
/**
 * Add a link in one direction. The configuration is copied. outage_at_ns is a time of the owner's
 * clock.
 */
uint32_t sim_net_add_link(
	struct sim_net *net, uint32_t from, uint32_t to, const struct sim_link_config *config);
/**
 * Add two links with the same configuration. @return link from a to b; the link from b to a has the
 * next number
 */
uint32_t sim_net_add_cable(
	struct sim_net *net, uint32_t a, uint32_t b, const struct sim_link_config *config);
/** Set the buffer pool of a receive queue. The caller keeps ownership of the pool. */
void sim_net_set_pool(struct sim_net *net, uint32_t port, uint32_t queue, struct rte_mempool *pool);
/** Compute the paths. Call this function after all vertices and links were added. */
void sim_net_start(struct sim_net *net);

/* ---- functions for the running network ---- */

/** Process all due events in switches. */
void sim_net_run(struct sim_net *net);

/** @return time of the next event in a switch; UINT64_MAX if no event is scheduled */
uint64_t sim_net_next_ns(struct sim_net *net);

/**
 * @return time when the next frame on a port's incoming link arrives; UINT64_MAX if that link
 * carries no frame. A frame that is still at a switch may arrive earlier, but not before
 * sim_net_next_ns().
 */
uint64_t sim_net_port_next_ns(const struct sim_net *net, uint32_t port);

/**
 * Transmit function of struct port_io. The function consumes the mbufs that it accepts. @return
 * number of accepted mbufs
 */
uint16_t
sim_net_transmit(struct sim_net *net, uint32_t port, struct rte_mbuf **mbufs, uint16_t count);

/**
 * Receive function of struct port_io. The mbufs are from the queue's pool. @return number of mbufs
 */
uint16_t sim_net_receive(
	struct sim_net *net, uint32_t port, uint32_t queue, struct rte_mbuf **mbufs, uint16_t max);

/** Cut or restore the cable of a port, or all cables of a switch. A cut cable loses all frames. */
void sim_net_cut(struct sim_net *net, uint32_t vertex, bool cut);

/** Stop a port's transmission, as a pause frame does, or let the port continue. */
void sim_net_pause(struct sim_net *net, uint32_t port, bool pause);

/** Drop the frames that have arrived at a port but were not received by its engine. */
void sim_net_forget(struct sim_net *net, uint32_t port);

/**
 * @return a link, for reading its statistics. The caller may change its config and cut at any time.
 */
struct sim_link *sim_net_link(struct sim_net *net, uint32_t link);
struct sim_link *sim_net_port_in(struct sim_net *net, uint32_t port);
struct sim_link *sim_net_port_out(struct sim_net *net, uint32_t port);

#endif
