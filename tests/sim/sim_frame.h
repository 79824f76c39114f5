/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_FRAME_H
#define NDPDK_SIM_SIM_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "sim_random.h"

struct rte_mbuf;

/** A frame in the network: a contiguous copy of the frame that a port has sent. */
struct sim_frame {
	uint64_t start_ns;   /**< time when the first bit is sent */
	uint64_t arrival_ns; /**< time when the last bit arrives, in ns */
	/** number on the link, which orders frames with equal arrival times */
	uint64_t serial;
	uint32_t to; /**< destination port, see sim_net.h */
	uint32_t bytes;
	bool corrupted;
	uint8_t data[];
};

/**
 * A heap of frames. The first frame has the earliest arrival time. Among equal times, it has the
 * lowest serial.
 */
struct sim_frames {
	struct sim_frame **heap;
	uint32_t count;
	uint32_t room;
};

/** @return a copy of an mbuf chain; release it with sim_frame_free() */
struct sim_frame *sim_frame_copy(const struct rte_mbuf *mbuf);
struct sim_frame *sim_frame_clone(const struct sim_frame *frame);
void sim_frame_free(struct sim_frame *frame);

/** @return offset of the BTH in bytes; 0 if the frame is not a RoCE frame */
uint32_t sim_frame_bth(const struct sim_frame *frame);

/**
 * @return hash that is equal for all frames of a flow: of the UDP source port for RoCE frames,
 * otherwise of the Ethernet header
 */
uint32_t sim_frame_hash(const struct sim_frame *frame, uint32_t salt);

/** Flip a bit after the UDP header of a RoCE frame. @return true if the frame is damaged now */
bool sim_frame_corrupt(struct sim_frame *frame, struct sim_random *random);

/**
 * Set CE and update the checksum of an IP header that has ECT(0) or ECT(1).
 * @return true if the frame has CE now
 */
bool sim_frame_mark(struct sim_frame *frame);

/* ---- heap ---- */

void sim_frames_init(struct sim_frames *frames);
void sim_frames_fini(struct sim_frames *frames);
void sim_frames_push(struct sim_frames *frames, struct sim_frame *frame);
/** Remove the first frame. The heap must not be empty. @return the frame, owned by the caller */
struct sim_frame *sim_frames_pop(struct sim_frames *frames);

/** @return arrival time of the first frame; UINT64_MAX if the heap is empty */
static inline uint64_t
sim_frames_next_ns(const struct sim_frames *frames)
{
	return frames->count == 0 ? UINT64_MAX : frames->heap[0]->arrival_ns;
}

#endif
