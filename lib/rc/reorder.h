/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_REORDER_H
#define NDPDK_RC_REORDER_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

/*
 * How much the path from the peer reorders, as the responder learns it from its sequence NAKs: for
 * how long the NAK of a gap waits for packets that were only overtaken (RC-116).
 */

/** Packets behind a gap that are seen before its NAK leaves without further delay ... */
#define RC_REORDER_PACKETS     3u
/** ... and the most of them, of a path that was found to reorder more. */
#define RC_REORDER_PACKETS_MAX 64u

/** All zero: nothing is known. One NAK is watched at a time. */
struct rc_reorder {
	uint64_t nak_position; /**< struct rc_responder.position when it was sent */
	uint32_t nak_psn;      /**< that it named */
	bool watched;          /**< both are valid */
	uint8_t level;         /**< doublings of RC_REORDER_PACKETS */
	uint8_t right;         /**< NAKs since level changed that were not found to be wrong */
};

/** A sequence NAK was sent. @param psn expected. @param position of the responder */
void rc_reorder_nak_sent(struct rc_reorder *reorder, uint32_t psn, uint64_t position);

/**
 * A request has come that was executed before. If a NAK has named it, both the first copy and the
 * one that was sent for the NAK have come: the first one was not lost, and NAKs wait longer from
 * now on.
 */
void rc_reorder_repeated(struct rc_reorder *reorder, uint32_t psn);

/** @return whether the path was found to reorder more than RC_REORDER_PACKETS */
static inline bool
rc_reorder_known(const struct rc_reorder *reorder)
{
	return reorder->level != 0;
}

/** @return packets behind a gap after which its NAK leaves */
static inline uint32_t
rc_reorder_packets(const struct rc_reorder *reorder)
{
	return RTE_MIN(RC_REORDER_PACKETS << reorder->level, RC_REORDER_PACKETS_MAX);
}

/**
 * @param delay_ns of a path of which nothing is known; 0: NAKs never wait
 * @return the longest delay of a NAK
 */
static inline uint64_t
rc_reorder_delay_ns(const struct rc_reorder *reorder, uint64_t delay_ns)
{
	return delay_ns << (reorder->level + 1) / 2;
}

#endif
