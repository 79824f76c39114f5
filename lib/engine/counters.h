/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_COUNTERS_H
#define NDPDK_ENGINE_COUNTERS_H

#include <stdint.h>

#include "wire/parse.h"
#include "wire/cm_msg.h"

/** Frames and datagrams; those dropped by rc, cm and neigh are counted there. */
struct engine_counters {
	uint64_t rx_frames;
	uint64_t tx_frames;
	uint64_t drops[WIRE_DROP_COUNT];
	uint64_t drop_unknown_qp;
	uint64_t drop_datagram; /**< not QP 1, wrong Q_Key or source QP (CM-014) */
	uint64_t drop_mad[WIRE_MAD_COUNT];
	uint64_t drop_vlan;    /**< RoCE of another VLAN than the adapter's */
	uint64_t drop_foreign; /**< neither RoCE nor anything the adapter answers */
	uint64_t rx_others;    /**< frames given to engine_ops.others */
	uint64_t handed_over;  /**< frames that arrived here and went to the engine they are for */
	uint64_t drop_hand_over; /**< likewise, but that engine's ring was full */
	uint64_t link_up;        /**< the port has got a link, again or at last; first engine */
	uint64_t link_down;      /**< it has lost its link; first engine */
	uint64_t clock_backward; /**< steps of the clock into the past, see engine_now_ns() */
	uint64_t tx_full;        /**< own datagrams not sent: the output was full, or no mbuf */
};

#endif
