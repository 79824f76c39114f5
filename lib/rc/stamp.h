/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_STAMP_H
#define NDPDK_RC_STAMP_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

/*
 * When messages have come in, for completion queues that want to know (rc_cq_stamp_all()). The
 * engine notes the time of each burst and which frame of it is being worked on; the completion
 * queue keeps that beside its completions. Nothing here reads a clock.
 */

/** What an engine works on. Written by its lcore. */
struct rc_arrival {
	const struct rte_mbuf *frame; /**< of the packet at hand */
	uint64_t tsc;                 /**< of its burst; only with wanted */
	bool wanted;                  /**< by a completion queue */
	/** Hardware time of frames that have this flag; 0: the port has none. Only with wanted. */
	uint64_t hardware_flag;
	uint32_t hardware_offset; /**< in the mbuf */
};

/** Of one completion; of those that are no successful receive, all zero. */
struct rc_stamp {
	uint64_t tsc;
	uint64_t hardware;
	bool has_hardware;
};

/** @return the time of the packet at hand. */
struct rc_stamp rc_stamp_of(const struct rc_arrival *arrival);

#endif
