/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_REORDER_H
#define NDPDK_RC_REORDER_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

/*
 * Degree of reordering on the path from the peer. The responder estimates the degree from its
 * sequence NAKs. The estimate determines how long the NAK of a gap waits for packets that were only
 * reordered (RC-116).
 */

/** Number of packets after a gap that must arrive before the NAK is sent. */
#define RC_REORDER_PACKETS     3u
/** Maximum of RC_REORDER_PACKETS << level, on a path where more reordering was measured. */
#define RC_REORDER_PACKETS_MAX 64u

/**
 * Reordering state of a queue pair. All members are zero if no reordering was found. At most one
 * NAK is watched at a time. The watched NAK was not needed if its packet arrives twice.
 */
struct rc_reorder {
	uint64_t nak_position;
	uint32_t nak_psn;
	bool watched;  /**< true if nak_position and nak_psn are valid */
	uint8_t level; /**< level n: a NAK waits for RC_REORDER_PACKETS << n packets */
	uint8_t right; /**< number of justified NAKs after the last change of level */
};

/**
 * Report that a sequence NAK for psn was sent. @param position rc_responder.position at this time
 */
void rc_reorder_nak_sent(struct rc_reorder *reorder, uint32_t psn, uint64_t position);

/**
 * Report a duplicate request. If it has the PSN of the watched NAK, both the original and the
 * retransmission have arrived. So the original was only late, and later NAKs wait longer.
 */
void rc_reorder_repeated(struct rc_reorder *reorder, uint32_t psn);

/** @return true if the path was found to reorder by more than RC_REORDER_PACKETS */
static inline bool
rc_reorder_known(const struct rc_reorder *reorder)
{
	return reorder->level != 0;
}

/** @return number of packets after a gap at which its NAK is sent */
static inline uint32_t
rc_reorder_packets(const struct rc_reorder *reorder)
{
	return RTE_MIN(RC_REORDER_PACKETS << reorder->level, RC_REORDER_PACKETS_MAX);
}

/**
 * @param delay_ns delay at level 0, the lowest level of reordering; 0 if NAKs never wait
 * @return maximum delay of a NAK in nanoseconds
 */
static inline uint64_t
rc_reorder_delay_ns(const struct rc_reorder *reorder, uint64_t delay_ns)
{
	return delay_ns << (reorder->level + 1) / 2;
}

#endif
