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
 * One direction of a cable and its output queue. Frames are copied from the sender's buffers, wait
 * in the output queue, are serialised and are delayed. If the cable ends at a port, an engine polls
 * the port, and the frames are copied into buffers of the engine's pool. While the pool is empty,
 * SIM_LINK_RING frames wait in the port, as in the receive ring of a network card, and further
 * frames are lost. Each frame may be dropped, marked, lost, duplicated, corrupted or reordered. A
 * port with several receive queues distributes frames by a hash, as RSS does: all frames with the
 * same UDP source port are in the same queue.
 *
 * The output queue is modelled as a time: how long the wire is busy with the frames in the queue.
 * The fate and the times of a frame are computed when the frame is given to the link, and only a
 * pause changes the times.
 */

/** Frames that wait in each queue of a port while it has no buffers for them. */
#define SIM_LINK_RING 16

/** All zero: an ideal cable. Probabilities are per mille. */
struct sim_link_config {
	uint64_t latency_ns;
	uint64_t jitter_ns;       /**< maximum random delay; keeps the order of frames */
	uint64_t swing_ns;        /**< periodic delay: rises from 0 to this value and falls to 0 */
	uint64_t swing_period_ns; /**< period of swing_ns; 0 = no periodic delay */
	uint64_t reorder_ns;      /**< maximum extra delay of a reordered frame */
	uint64_t duplicate_ns;    /**< maximum extra delay of a duplicate */
	uint64_t outage_at_ns;    /**< start of an outage, during which all frames are lost */
	uint64_t outage_ns;       /**< duration of the outage; 0 = no outage */
	uint64_t burst_max_ns;    /**< maximum duration of a loss burst; 0 = unlimited */
	uint32_t rate_mbps;       /**< 0 = no serialisation delay, and no queue */
	uint32_t ring_ns;         /**< a port refuses frames above this backlog; 0 = never */
	uint32_t queue_bytes;    /**< size of the queue; frames beyond are dropped; 0 = unlimited */
	uint32_t mark_min_bytes; /**< RED: below this backlog, no frame is marked */
	uint32_t mark_max_bytes; /**< RED: from here on, all frames are marked; 0 = no marks */
	uint32_t pause_bytes;    /**< above this backlog, the switch pauses its inputs; 0 = never */
	uint32_t resume_bytes;   /**< at this backlog or below, the switch resumes its inputs */
	uint32_t frame_max;      /**< maximum frame length with header; 0 = unlimited */
	uint16_t mark;           /**< RED: probability just below mark_max_bytes */
	uint16_t loss;
	uint16_t duplicate;
	uint16_t reorder;
	uint16_t corrupt;     /**< flip one bit after the UDP header of a RoCE frame */
	uint16_t refuse;      /**< a transmit call of a port accepts no more frames */
	uint16_t burst_begin; /**< Gilbert-Elliott: a loss burst begins with this frame */
	uint16_t burst_end;   /**< a loss burst ends with this frame */
	uint16_t burst_loss;  /**< loss during a burst */
};

struct sim_link {
	struct sim_link_config config;
	char way[16]; /**< e.g. "A>B" */
	const uint64_t *now_ns;
	struct sim_trace *trace; /**< records frames; NULL: no trace */
	uint32_t queue_count;    /**< receive queues of the port at the end */
	uint32_t queue_salt;     /**< salt of the hash that selects a receive queue */
	struct rte_mempool *pools[LIMIT_ENGINES]; /**< buffer pool of each receive queue */
	struct sim_random random;
	bool cut;          /**< frames sent now are lost */
	bool paused;       /**< no transmission of a frame may begin */
	bool bad;          /**< a loss burst is in progress */
	uint64_t bad_ns;   /**< begin of the loss burst */
	uint64_t pause_ns; /**< begin of the pause */
	uint64_t free_ns;  /**< when the queue will be empty; excludes the current pause */
	uint64_t last_ns;  /**< latest arrival of a frame that is not reordered */
	uint64_t serial;
	struct sim_frames queues[LIMIT_ENGINES];
	struct sim_frames held; /**< frames stopped by a pause */

	uint64_t sent;
	uint64_t delivered; /**< frames received by the engine at the end */
	uint64_t lost;      /**< lost by an outage, a cut, a burst or random loss */
	uint64_t duplicated;
	uint64_t reordered;
	uint64_t corrupted;
	uint64_t corrupted_delivered;
	uint64_t no_mbuf;     /**< lost because the receiver's pool was empty and the ring full */
	uint64_t queue_drops; /**< frames dropped because the queue was full */
	uint64_t size_drops;  /**< frames dropped because they exceeded frame_max */
	uint64_t marked;      /**< frames in which this link set CE */
	uint64_t pauses;
	uint64_t queue_max_bytes; /**< maximum backlog */
};

/** Everything but config, way, now_ns, trace, queue_*, pools and random is set up here. */
void sim_link_init(struct sim_link *link);
void sim_link_fini(struct sim_link *link);

/** @return time at which the next frame arrives; UINT64_MAX: none */
uint64_t sim_link_next_ns(const struct sim_link *link);

/** @return bytes in the output queue */
uint64_t sim_link_queue_bytes(const struct sim_link *link);

/** @return whether the link refuses frames of the port now */
bool sim_link_refuses(struct sim_link *link);

/**
 * Give a frame to the link. Consumes it.
 * @return its fate, "sent" if nothing special happens to it
 */
const char *sim_link_carry(struct sim_link *link, struct sim_frame *frame);

/** Hold frames until sim_link_resume(). A frame on the wire is completed. */
void sim_link_pause(struct sim_link *link);
void sim_link_resume(struct sim_link *link);

/** @return the next frame of a link without pools. One has arrived. The caller owns it. */
struct sim_frame *sim_link_take(struct sim_link *link);

/** As receive of struct port_io, from a receive queue of the port. */
uint16_t
sim_link_receive(struct sim_link *link, uint32_t queue, struct rte_mbuf **mbufs, uint16_t max);

#endif
