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
 * One direction of a cable, with the output queue at its begin. Frames are copied from the
 * sender's buffers, wait in the output queue, are serialised, and arrive after a delay. If the
 * cable ends at a port, an engine polls the port, and the frames are copied into buffers of the
 * engine's pool. While the pool is empty, SIM_LINK_RING frames wait in the port, as in the receive
 * ring of a network card. Further frames are lost. Each frame may be dropped, marked, lost,
 * duplicated, corrupted or reordered. A port with several receive queues distributes frames by a
 * hash, as RSS does: all frames with the same UDP source port are in the same queue.
 *
 * The output queue is modelled as the time for which the wire is busy with the frames in the
 * queue. The fate and the times of a frame are computed when it is passed to the link. Later only
 * a pause changes the times.
 */

/** Number of frames that wait in each receive queue of a port while the engine's pool is empty. */
#define SIM_LINK_RING 16

/**
 * Properties of a link. If all are zero, the link is an ideal cable. Probabilities are per mille.
 */
struct sim_link_config {
	uint64_t latency_ns;
	uint64_t jitter_ns; /**< maximum random delay; frames stay in order */
	uint64_t swing_ns;  /**< maximum of a periodic delay, which rises from 0 and falls again */
	uint64_t swing_period_ns; /**< period of the periodic delay; 0 = no periodic delay */
	uint64_t reorder_ns;      /**< maximum additional delay of a reordered frame */
	uint64_t duplicate_ns;    /**< maximum additional delay of a duplicate */
	uint64_t outage_at_ns;    /**< time when an outage begins, which loses all frames */
	uint64_t outage_ns;       /**< duration of the outage; 0 = no outage */
	uint64_t burst_max_ns;    /**< maximum duration of a loss burst; 0 = unlimited */
	uint32_t rate_mbps;       /**< rate of the wire; 0 = no serialisation delay and no queue */
	uint32_t ring_ns; /**< backlog above which the link refuses a port's frames; 0 = never */
	/** Size of the output queue, above which frames are dropped; 0 = unlimited. */
	uint32_t queue_bytes;
	uint32_t mark_min_bytes; /**< RED: queue length below which no frame is marked */
	/** RED: queue length from which on all frames are marked; 0 = no marks */
	uint32_t mark_max_bytes;
	/** queue length above which the switch pauses its inputs; 0 = never */
	uint32_t pause_bytes;
	uint32_t resume_bytes; /**< queue length at which the switch resumes its inputs */
	uint32_t frame_max;    /**< maximum frame length in bytes, with header; 0 = unlimited */
	uint16_t mark;         /**< RED: probability of a mark just below mark_max_bytes */
	uint16_t loss;
	uint16_t duplicate;
	uint16_t reorder;
	uint16_t corrupt;     /**< One bit after a RoCE frame's UDP header is flipped. */
	uint16_t refuse;      /**< A transmit call of the port accepts no more frames. */
	uint16_t burst_begin; /**< Gilbert-Elliott model: a loss burst begins with this frame */
	uint16_t burst_end;   /**< Gilbert-Elliott model: the burst ends with this frame */
	uint16_t burst_loss;  /**< probability of a loss during a burst */
};

struct sim_link {
	struct sim_link_config config;
	char way[16];
	const uint64_t *now_ns;
	struct sim_trace *trace; /**< trace in which frames are recorded; NULL = no trace */
	uint32_t queue_count;
	uint32_t queue_salt; /**< salt of the hash that selects a receive queue */
	struct rte_mempool *pools[LIMIT_ENGINES];
	struct sim_random random;
	bool cut;    /**< The cable is cut: frames that are sent now are lost. */
	bool paused; /**< The link is paused, so no transmission may begin. */
	bool bad;    /**< A loss burst is in progress. */
	uint64_t bad_ns;
	uint64_t pause_ns; /**< begin of the pause */
	uint64_t free_ns;  /**< time when the queue would be empty without pauses */
	uint64_t last_ns;  /**< latest arrival time of a frame that is not reordered */
	uint64_t serial;
	struct sim_frames queues[LIMIT_ENGINES];
	struct sim_frames held; /**< frames whose transmission waits for the end of a pause */

	uint64_t sent;
	uint64_t delivered;
	uint64_t lost; /**< frames lost by an outage, a cut, a burst or random loss */
	uint64_t duplicated;
	uint64_t reordered;
	uint64_t corrupted;
	uint64_t corrupted_delivered;
	/** frames lost because the pool was empty and the receive ring was full */
	uint64_t no_mbuf;
	uint64_t queue_drops;
	uint64_t size_drops;
	uint64_t marked; /**< frames in which this link has set CE */
	uint64_t pauses;
	uint64_t queue_max_bytes; /**< longest backlog so far */
};

/**
 * Initialise a link. The caller must have set config, way, now_ns, trace, queue_*, pools and
 * random.
 */
void sim_link_init(struct sim_link *link);
void sim_link_fini(struct sim_link *link);

/** @return time when the next frame arrives; UINT64_MAX if the link carries no frame */
uint64_t sim_link_next_ns(const struct sim_link *link);

uint64_t sim_link_queue_bytes(const struct sim_link *link);

/** @return true if the link now refuses a frame of the port */
bool sim_link_refuses(struct sim_link *link);

/**
 * Pass a frame to the link, which becomes the owner of the frame.
 * @return fate of the frame: "sent", or how it is lost, delayed or changed
 */
const char *sim_link_carry(struct sim_link *link, struct sim_frame *frame);

/** Stop sending until sim_link_resume(). A transmission that has begun is completed. */
void sim_link_pause(struct sim_link *link);
void sim_link_resume(struct sim_link *link);

/**
 * Take the next frame of a link without pools. A frame must have arrived. @return the frame, owned
 * by the caller
 */
struct sim_frame *sim_link_take(struct sim_link *link);

/** Receive function of struct port_io, for one receive queue of the port. */
uint16_t
sim_link_receive(struct sim_link *link, uint32_t queue, struct rte_mbuf **mbufs, uint16_t max);

#endif
