/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_COPIES_H
#define NDPDK_CAPTURE_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include "reader.h"

/*
 * Detects captures that contain each RoCEv2 packet more than once: from a mirror of several ports,
 * or from several network layers of one host. A copy has the same IP addresses, IP length, IP
 * identification, UDP ports and bytes from the BTH on as its original. Everything else may differ:
 * Ethernet header, VLAN tags, MPLS labels, tunnel, TTL, DSCP, ECN and checksums.
 *
 * A retransmission has the same bytes from the BTH on, too. If its sender numbers its packets in
 * the IP identification, the retransmission has another number, so a frame with the same number is
 * a copy even 100 ms later. Without such numbers, only a frame within 1 ms is a copy.
 *
 * A network may also duplicate single packets, and these duplicates must be judged. Therefore
 * copies are left out only if the beginning of the capture has enough of them, and only while at
 * least three of four originals have a copy.
 */

/** State of the detection. */
struct copies;

/**
 * @param each most copies of a packet that are left out, at least 1
 * @return to be closed with copies_close(); NULL without memory
 */
struct copies *copies_open(uint32_t each);

/** NULL is allowed. */
void copies_close(struct copies *copies);

/** Process the next frame. @return whether the frame is a copy that must be left out */
bool copies_take(struct copies *copies, const struct reader_frame *frame);

/**
 * Count the copies of each packet at the beginning of a file: call copies_take() for its frames
 * while copies_count_needs(), then copies_count().
 *
 * @return to be closed with copies_close(); NULL without memory
 */
struct copies *copies_open_count(void);

/** @return whether the first originals may have further copies */
bool copies_count_needs(const struct copies *copies);

/**
 * @param ended the file has no more frames
 * @return mean number of copies of a packet, without the original. 0: too few copies
 */
uint32_t copies_count(struct copies *copies, bool ended);

#endif
