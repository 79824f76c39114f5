/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_LINK_H
#define NDPDK_SIM_SIM_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "sim_random.h"
#include "sim_trace.h"

struct rte_mbuf;
struct rte_mempool;

/*
 * One direction of the cable between two adapters. Frames are copied out of the sender's buffers,
 * travel for a while, and are copied into buffers of the receiver's pool when its engine asks for
 * them. On the way each frame may be lost, doubled, corrupted, or overtaken by later ones. A port
 * with several receive queues spreads frames by a hash, as RSS does: frames of one UDP source port
 * are in one queue.
 */

struct sim_link_config {
	uint64_t latency_ns;
	uint64_t jitter_ns;    /**< added at random; keeps the order */
	uint64_t reorder_ns;   /**< extra delay of a reordered frame, at most */
	uint64_t duplicate_ns; /**< extra delay of a second copy, at most */
	uint64_t outage_at_ns; /**< the link is dark from here ... */
	uint64_t outage_ns;    /**< ... for so long; 0 = never */
	uint32_t rate_mbps;    /**< 0 = no serialisation delay */
	uint32_t ring_ns;      /**< transmission is refused when so much waits for the wire */
	uint16_t loss;         /**< per mille, as all below */
	uint16_t duplicate;
	uint16_t reorder;
	uint16_t corrupt; /**< one bit behind the UDP header of a RoCE frame */
	uint16_t refuse;  /**< the transmit call takes no more frames this time */
};

struct sim_frame;

/** Frames on their way to one receive queue: a heap, by arrival time, then by serial. */
struct sim_frames {
	struct sim_frame **heap;
	uint32_t count;
	uint32_t room;
};

struct sim_link {
	struct sim_link_config config;
	const char *way; /**< e.g. "A>B" */
	const uint64_t *now_ns;
	struct sim_trace *trace;
	uint32_t queue_count;                     /**< of the receiver */
	uint32_t queue_salt;                      /**< of the hash that chooses a queue */
	struct rte_mempool *pools[LIMIT_ENGINES]; /**< of the receiver, one for each queue */
	struct sim_random random;
	bool cut;         /**< from now on everything is lost */
	uint64_t free_ns; /**< when the wire has sent what was given */
	uint64_t last_ns; /**< arrival of the latest frame that keeps its place */
	uint64_t serial;
	struct sim_frames queues[LIMIT_ENGINES];

	uint64_t sent;
	uint64_t delivered;
	uint64_t lost;
	uint64_t duplicated;
	uint64_t reordered;
	uint64_t corrupted;
	uint64_t corrupted_delivered;
	uint64_t no_mbuf; /**< lost because the receiver's pool was empty */
};

/** Everything but config, way, now_ns, trace, queue_*, pools and random is set up here. */
void sim_link_init(struct sim_link *link);
void sim_link_fini(struct sim_link *link);

/** @return when the next frame arrives, UINT64_MAX when none is on its way. */
uint64_t sim_link_next_ns(const struct sim_link *link);

/* As the functions of struct port_io. */
uint16_t sim_link_transmit(struct sim_link *link, struct rte_mbuf **mbufs, uint16_t count);
uint16_t
sim_link_receive(struct sim_link *link, uint32_t queue, struct rte_mbuf **mbufs, uint16_t max);

#endif
