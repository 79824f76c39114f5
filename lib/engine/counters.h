/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_COUNTERS_H
#define NDPDK_ENGINE_COUNTERS_H

#include <stdint.h>

#include "wire/parse.h"
#include "wire/cm_msg.h"

/**
 * Counters of an engine's frames and datagrams. Packets that rc, cm or neigh drop are in their own
 * counters.
 */
struct engine_counters {
	uint64_t rx_frames;
	uint64_t tx_frames;
	uint64_t drops[WIRE_DROP_COUNT];
	uint64_t drop_unknown_qp;
	/**
	 * Datagrams dropped because they are not for QP 1, or have a wrong Q_Key or source QP
	 * (CM-014).
	 */
	uint64_t drop_datagram;
	uint64_t drop_mad[WIRE_MAD_COUNT];
	uint64_t drop_vlan; /**< RoCE frames dropped because they belong to another VLAN */
	/**
	 * Frames dropped because they are neither RoCE nor of a protocol that the adapter answers.
	 */
	uint64_t drop_foreign;
	uint64_t rx_others; /**< frames passed to engine_ops.others */
	/** Frames that this engine received for another engine, and handed over to that engine. */
	uint64_t handed_over;
	/** Frames dropped because the ring to the other engine was full. */
	uint64_t drop_hand_over;
	uint64_t link_up; /**< number of times the port's link came up; first engine only */
	/** Number of times the port's link went down. First engine only. */
	uint64_t link_down;
	uint64_t clock_backward; /**< number of times the clock went back; see engine_now_ns() */
	/** Own datagrams not sent because the output queue was full or no mbuf was free. */
	uint64_t tx_full;
};

#endif
