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
 * direction of a cable and has its output queue, rate, delay and faults (sim_link.h). A port has
 * one link out and one link in. Switches know all shortest ways to each port; where there are
 * several, a switch takes the same one for all frames of a flow, or any for each frame.
 *
 * The same seed and the same calls give the same run. The owner of the clock calls
 * sim_net_run() at sim_net_next_ns() at the latest, and everything else at any time.
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

/** How a switch chooses between several ways of the same length. */
enum sim_net_choice {
	SIM_NET_BY_FLOW,  /**< by a hash of the UDP source port */
	SIM_NET_BY_FRAME, /**< at random: frames overtake each other */
};

struct sim_net_vertex {
	char name[SIM_NET_NAME_MAX + 1];
	bool is_switch;
	enum sim_net_choice choice;
	uint64_t mac;         /**< of a port */
	uint32_t queue_count; /**< of a port */
	uint32_t first_out;   /**< link, or SIM_NET_NONE */
	uint32_t in;          /**< link that ends in a port, or SIM_NET_NONE */
};

/** A link and where it is. */
struct sim_net_edge {
	struct sim_link link;
	uint32_t from;
	uint32_t to;
	uint32_t next_out; /**< of the same vertex, or SIM_NET_NONE */
	bool pausing;      /**< its queue is long: the links whose frames wait there may not send */
	bool stopped;      /**< such a queue behind it is long */
	bool muted;        /**< by sim_net_pause() */
};

struct sim_net {
	const uint64_t *now_ns; /**< of the owner */
	uint64_t at_ns;         /**< of the event that is handled now: the clock of the links */
	uint64_t next_ns;       /**< of the next event in a switch */
	uint64_t seed;
	struct sim_trace *trace;
	struct sim_random random;
	uint32_t vertex_count;
	uint32_t edge_count;
	struct sim_net_vertex vertices[SIM_NET_VERTICES_MAX];
	struct sim_net_edge *edges[SIM_NET_LINKS_MAX];
	/** Of each link into a switch: its next arrival. In one place, since all are compared. */
	uint64_t due_ns[SIM_NET_LINKS_MAX];
	/** Of each switch that pauses its inputs: when to see whether the pause may end. */
	uint64_t look_ns[SIM_NET_VERTICES_MAX];
	uint8_t hops[SIM_NET_VERTICES_MAX][SIM_NET_VERTICES_MAX]; /**< from, to; 0xFF: no way */
	uint64_t no_way; /**< frames that a switch could not send on */
};

/** @param trace told of each frame that a port sends, and of each that arrives; may be NULL */
void
sim_net_init(struct sim_net *net, const uint64_t *now_ns, uint64_t seed, struct sim_trace *trace);
void sim_net_fini(struct sim_net *net);

/* ---- set-up; each returns the number of the new thing ---- */

/**
 * @param name        at most SIM_NET_NAME_MAX characters, copied
 * @param mac         6 bytes: frames to this address come here
 * @param queue_count receive queues, 1..LIMIT_ENGINES
 */
uint32_t
sim_net_add_port(struct sim_net *net, const char *name, const uint8_t *mac, uint32_t queue_count);
uint32_t sim_net_add_switch(struct sim_net *net, const char *name, enum sim_net_choice choice);
/** One direction. The configuration is copied; outage_at_ns is a time of the clock. */
uint32_t sim_net_add_link(
	struct sim_net *net, uint32_t from, uint32_t to, const struct sim_link_config *config);
/** Both directions, alike. @return the link a to b; the one back has the next number */
uint32_t sim_net_add_cable(
	struct sim_net *net, uint32_t a, uint32_t b, const struct sim_link_config *config);
/** Where the frames of a receive queue go to. The pool stays the caller's. */
void sim_net_set_pool(struct sim_net *net, uint32_t port, uint32_t queue, struct rte_mempool *pool);
/** Everything is there: find the ways. */
void sim_net_start(struct sim_net *net);

/* ---- while it runs ---- */

/** Let everything happen that is due in switches. */
void sim_net_run(struct sim_net *net);

/** @return when something is to happen in a switch, UINT64_MAX: never. */
uint64_t sim_net_next_ns(struct sim_net *net);

/**
 * @return when the next frame arrives at a port, as far as it is known: a frame before a switch
 *         may come earlier, but not before sim_net_next_ns(). UINT64_MAX: none is on its way
 */
uint64_t sim_net_port_next_ns(const struct sim_net *net, uint32_t port);

/** As the function of struct port_io: consumes the mbufs that are taken. @return how many */
uint16_t
sim_net_transmit(struct sim_net *net, uint32_t port, struct rte_mbuf **mbufs, uint16_t count);

/** As the function of struct port_io: yields mbufs of the queue's pool. @return how many */
uint16_t sim_net_receive(
	struct sim_net *net, uint32_t port, uint32_t queue, struct rte_mbuf **mbufs, uint16_t max);

/** Cut the cable of a port, or of a switch and all its links; or make it whole again. */
void sim_net_cut(struct sim_net *net, uint32_t vertex, bool cut);

/** A port may not send, as if a pause frame had come; or it may again. */
void sim_net_pause(struct sim_net *net, uint32_t port, bool pause);

/** Nobody was there: lose what has arrived at a port and was not taken. */
void sim_net_forget(struct sim_net *net, uint32_t port);

/** @return a link: its statistics, and what may be changed at any time (config, cut) */
struct sim_link *sim_net_link(struct sim_net *net, uint32_t link);
/** @return the link that ends in a port */
struct sim_link *sim_net_port_in(struct sim_net *net, uint32_t port);
/** @return the link that begins in a port */
struct sim_link *sim_net_port_out(struct sim_net *net, uint32_t port);

#endif
