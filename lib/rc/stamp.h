/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_STAMP_H
#define NDPDK_RC_STAMP_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

/*
 * Arrival times of messages, for completion queues with rc_cq_stamp_all(). The engine records the
 * time of each burst, and the current frame. The completion queue stores the time with each
 * completion. This module reads no clock.
 */

/** Frame and burst that an engine is processing. Written by its lcore. */
struct rc_arrival {
	const struct rte_mbuf *frame;
	uint64_t tsc; /**< time of the current burst; valid if `wanted` is set */
	bool wanted;  /**< true if a completion queue needs arrival times */
	/**
	 * Flag in mbufs with a hardware time; 0 if the port has no hardware time. Valid if `wanted`
	 * is set.
	 */
	uint64_t hardware_flag;
	uint32_t hardware_offset;
};

/** Arrival time of one completion. All zero if the completion is not a successful receive. */
struct rc_stamp {
	uint64_t tsc;
	uint64_t hardware;
	bool has_hardware;
};

struct rc_stamp rc_stamp_of(const struct rc_arrival *arrival);

#endif
