/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_COUNTERS_H
#define NDPDK_ENGINE_COUNTERS_H

#include <stdint.h>

#include "wire/parse.h"
#include "wire/cm_msg.h"

/** Counters of frames and datagrams. rc, cm and neigh count their drops themselves. */
struct engine_counters {
	uint64_t rx_frames;
	uint64_t tx_frames;
	uint64_t drops[WIRE_DROP_COUNT];
	uint64_t drop_unknown_qp;
	uint64_t drop_datagram; /**< not QP 1, wrong Q_Key or source QP (CM-014) */
	uint64_t drop_mad[WIRE_MAD_COUNT];
	uint64_t drop_vlan;      /**< RoCE frames of another VLAN */
	uint64_t drop_foreign;   /**< neither RoCE nor a protocol that the adapter answers */
	uint64_t rx_others;      /**< frames passed to engine_ops.others */
	uint64_t handed_over;    /**< frames received here and handed over to the right engine */
	uint64_t drop_hand_over; /**< frames to hand over, but the ring was full */
	uint64_t link_up;        /**< times the link of the port came up; first engine only */
	uint64_t link_down;      /**< times the link of the port went down; first engine only */
	uint64_t clock_backward; /**< steps back of the clock, see engine_now_ns() */
	uint64_t tx_full;        /**< own datagrams not sent: output queue full, or no mbuf */
};

#endif
