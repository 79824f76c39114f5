/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_FRAME_H
#define NDPDK_SIM_SIM_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "sim_random.h"

struct rte_mbuf;

/** A frame on its way: a copy of what the sender gave, in one piece. */
struct sim_frame {
	uint64_t start_ns;   /**< its first bit is on the wire */
	uint64_t arrival_ns; /**< its last bit is at the other end */
	uint64_t serial;     /**< of its link: decides between equal times of arrival */
	uint32_t to;         /**< the port that it is for, see sim_net.h */
	uint32_t bytes;
	bool corrupted;
	uint8_t data[];
};

/** Frames in the order of their arrival: a heap, by arrival time, then by serial. */
struct sim_frames {
	struct sim_frame **heap;
	uint32_t count;
	uint32_t room;
};

/** @return a copy of a packet of any number of segments; released with sim_frame_free() */
struct sim_frame *sim_frame_copy(const struct rte_mbuf *mbuf);
struct sim_frame *sim_frame_clone(const struct sim_frame *frame);
void sim_frame_free(struct sim_frame *frame);

/** @return offset of the BTH, or 0 when the frame is not RoCE. */
uint32_t sim_frame_bth(const struct sim_frame *frame);

/**
 * @return hash of what tells flows apart: UDP source port of RoCE, Ethernet header of everything
 *         else
 */
uint32_t sim_frame_hash(const struct sim_frame *frame, uint32_t salt);

/** Flip a bit behind the UDP header of a RoCE frame. @return whether the frame is damaged now */
bool sim_frame_corrupt(struct sim_frame *frame, struct sim_random *random);

/**
 * Set CE in an IP header that says ECT(0) or ECT(1), with the checksum.
 * @return whether the frame has CE now
 */
bool sim_frame_mark(struct sim_frame *frame);

/* ---- heap ---- */

void sim_frames_init(struct sim_frames *frames);
/** Release the frames and the heap. */
void sim_frames_fini(struct sim_frames *frames);
void sim_frames_push(struct sim_frames *frames, struct sim_frame *frame);
/** @return the first frame; the heap has one. The caller owns it. */
struct sim_frame *sim_frames_pop(struct sim_frames *frames);

/** @return arrival of the first frame, UINT64_MAX when there is none */
static inline uint64_t
sim_frames_next_ns(const struct sim_frames *frames)
{
	return frames->count == 0 ? UINT64_MAX : frames->heap[0]->arrival_ns;
}

#endif
