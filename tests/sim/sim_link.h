/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_LINK_H
#define NDPDK_SIM_SIM_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "sim_frame.h"
#include "sim_random.h"
#include "sim_trace.h"

struct rte_mbuf;
struct rte_mempool;

/*
 * One direction of a cable, with the output queue before it. Frames are copied out of the sender's
 * buffers, wait for the wire, travel for a while, and, where the cable ends in a port, are copied
 * into buffers of its pool when its engine asks for them. While the pool is empty, a few frames
 * wait in the port, as in the receive ring of a network card, and the others are lost. On the way
 * each frame may be dropped, marked, lost, doubled, corrupted, or overtaken by later ones. A port
 * with several receive queues spreads frames by a hash, as RSS does: frames of one UDP source port
 * are in one queue.
 *
 * The queue is a time: how long the wire is busy with what it was given. So a frame that is given
 * to the link has its fate and its times at once, and only a pause changes the times.
 */

/** Frames that wait in each queue of a port while it has no buffers for them. */
#define SIM_LINK_RING 16

/** All zero: an ideal cable. Probabilities are per mille. */
struct sim_link_config {
	uint64_t latency_ns;
	uint64_t jitter_ns;       /**< added at random; keeps the order */
	uint64_t swing_ns;        /**< added as time goes: from 0 to so much, and back to 0, ... */
	uint64_t swing_period_ns; /**< ... in so long; 0 = never */
	uint64_t reorder_ns;      /**< extra delay of a reordered frame, at most */
	uint64_t duplicate_ns;    /**< extra delay of a second copy, at most */
	uint64_t outage_at_ns;    /**< the link is dark from here ... */
	uint64_t outage_ns;       /**< ... for so long; 0 = never */
	uint64_t burst_max_ns;    /**< a bad time lasts so long at most; 0 = any time */
	uint32_t rate_mbps;       /**< 0 = no serialisation delay, and no queue */
	uint32_t ring_ns;         /**< a port's transmission is refused when so much waits */
	uint32_t queue_bytes;     /**< frames beyond these are dropped; 0 = any number waits */
	uint32_t mark_min_bytes;  /**< RED on the bytes that wait: nothing is marked below ... */
	uint32_t mark_max_bytes;  /**< ... and everything from here on; 0 = nothing is marked */
	uint32_t pause_bytes;     /**< more wait: the switch pauses its inputs; 0 = never */
	uint32_t resume_bytes;    /**< no more wait: it lets them go on */
	uint32_t frame_max;       /**< longer frames are dropped, bytes with header; 0 = none */
	uint16_t mark;            /**< just below mark_max_bytes */
	uint16_t loss;
	uint16_t duplicate;
	uint16_t reorder;
	uint16_t corrupt;     /**< one bit behind the UDP header of a RoCE frame */
	uint16_t refuse;      /**< the transmit call of a port takes no more frames this time */
	uint16_t burst_begin; /**< Gilbert-Elliott: a bad time begins with this frame */
	uint16_t burst_end;   /**< a bad time ends with it */
	uint16_t burst_loss;  /**< in a bad time */
};

struct sim_link {
	struct sim_link_config config;
	char way[16]; /**< e.g. "A>B" */
	const uint64_t *now_ns;
	struct sim_trace *trace;                  /**< NULL: nobody is told */
	uint32_t queue_count;                     /**< of the receiver */
	uint32_t queue_salt;                      /**< of the hash that chooses a queue */
	struct rte_mempool *pools[LIMIT_ENGINES]; /**< of the receiver, one for each queue */
	struct sim_random random;
	bool cut;          /**< what is sent from now on is lost */
	bool paused;       /**< no frame may begin */
	bool bad;          /**< a burst of losses goes on */
	uint64_t bad_ns;   /**< since when */
	uint64_t pause_ns; /**< likewise */
	uint64_t free_ns;  /**< when the wire has sent what was given; while paused, without it */
	uint64_t last_ns;  /**< arrival of the latest frame that keeps its place */
	uint64_t serial;
	struct sim_frames queues[LIMIT_ENGINES];
	struct sim_frames held; /**< frames that a pause has stopped */

	uint64_t sent;
	uint64_t delivered; /**< to the engine of the port at its end */
	uint64_t lost;      /**< all of the following but drops */
	uint64_t duplicated;
	uint64_t reordered;
	uint64_t corrupted;
	uint64_t corrupted_delivered;
	uint64_t no_mbuf;     /**< lost because the receiver's pool was empty, and its ring full */
	uint64_t queue_drops; /**< the queue was full */
	uint64_t size_drops;  /**< the frame was too long */
	uint64_t marked;      /**< CE was set here */
	uint64_t pauses;
	uint64_t queue_max_bytes; /**< that have waited at a time */
};

/** Everything but config, way, now_ns, trace, queue_*, pools and random is set up here. */
void sim_link_init(struct sim_link *link);
void sim_link_fini(struct sim_link *link);

/** @return when the next frame arrives, UINT64_MAX when none is on its way. */
uint64_t sim_link_next_ns(const struct sim_link *link);

/** @return bytes that wait for the wire */
uint64_t sim_link_queue_bytes(const struct sim_link *link);

/** @return whether the port may give no frame now. */
bool sim_link_refuses(struct sim_link *link);

/**
 * Give a frame to the link. Consumes it.
 * @return its fate, "sent" if nothing special happens to it
 */
const char *sim_link_carry(struct sim_link *link, struct sim_frame *frame);

/** No frame begins on the wire until sim_link_resume(); one that has begun is sent. */
void sim_link_pause(struct sim_link *link);
void sim_link_resume(struct sim_link *link);

/** @return the next frame at the end of a link without pools; one has arrived. Yields it. */
struct sim_frame *sim_link_take(struct sim_link *link);

/** As the functions of struct port_io. */
uint16_t
sim_link_receive(struct sim_link *link, uint32_t queue, struct rte_mbuf **mbufs, uint16_t max);

#endif
