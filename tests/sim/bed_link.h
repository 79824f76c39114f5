/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_BED_LINK_H
#define NDPDK_SIM_BED_LINK_H

#include <stdint.h>

#include <sys/queue.h>

#include "sim_random.h"

struct rte_mbuf;
struct rte_mempool;

/*
 * One direction of a link of the test bed (bed.h): a wire with a rate, behind a transmit ring.
 * Frames are lost at random, or overtake each other. It has no other fault: sim_link.h has them
 * all, and hashes and judges each frame, which takes longer than what the adapters do.
 */

/** What each Ethernet frame takes on the wire beside its bytes: preamble, FCS and gap. */
#define BED_FRAME_OVERHEAD_BYTES 24

struct bed_link_config {
	uint32_t rate_mbps;
	uint64_t delay_ns;
	uint64_t ring_ns;   /**< the transmit ring holds what the wire sends in this time */
	uint64_t spread_ns; /**< a frame is delayed by up to this much, at random */
	uint32_t loss_ppm;  /**< frames lost at random, of a million */
};

struct bed_frame;
TAILQ_HEAD(bed_frames, bed_frame);

struct bed_link {
	struct bed_link_config config;
	struct rte_mempool *pool; /**< of the receiver */
	struct sim_random random;
	uint32_t lose_in;         /**< this frame from now on is lost; 1 = the next one, 0 = none */
	uint64_t free_ns;         /**< when the wire has sent what was given */
	struct bed_frames frames; /**< on their way, by arrival */
	struct bed_frames unused;
	uint64_t sent;
	uint64_t lost;
};

void bed_link_init(struct bed_link *link, const struct bed_link_config *config);
void bed_link_fini(struct bed_link *link);

/** As the functions of struct port_io. */
uint16_t
bed_link_transmit(struct bed_link *link, struct rte_mbuf **mbufs, uint16_t count, uint64_t now_ns);
uint16_t
bed_link_receive(struct bed_link *link, struct rte_mbuf **mbufs, uint16_t max, uint64_t now_ns);

#endif
