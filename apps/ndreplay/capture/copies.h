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
 * identification and UDP ports as its original, and the same bytes from the BTH on. Everything else
 * may differ: Ethernet header, VLAN tags, MPLS labels, tunnel, TTL, DSCP, ECN and checksums.
 *
 * A retransmission has the same bytes from the BTH on, too. If its sender numbers its packets in
 * the IP identification, a retransmission has a new number. In this case a frame with the number of
 * an earlier frame is a copy even 100 ms later. If the sender does not number its packets, only a
 * frame within 1 ms is a copy.
 *
 * A network may also duplicate single packets, and these duplicates must be judged. Therefore
 * copies are left out only if the beginning of the capture has enough of them, and only while at
 * least three of four originals have a copy.
 */

struct copies;

/**
 * @param each maximum number of copies of one packet that are left out, at least 1
 * @return state to be closed with copies_close(); NULL: out of memory
 */
struct copies *copies_open(uint32_t each);

/** NULL is allowed. */
void copies_close(struct copies *copies);

/** Process the next frame. @return true if the frame is a copy that the caller must leave out */
bool copies_take(struct copies *copies, const struct reader_frame *frame);

/**
 * Create a state that only counts how many copies each packet at the beginning of a file has. While
 * copies_count_needs() returns true, call copies_take() for the next frame. Afterwards call
 * copies_count().
 *
 * @return state to be closed with copies_close(); NULL: out of memory
 */
struct copies *copies_open_count(void);

/**
 * @return true if copies_count() needs more frames, because they may be copies of the first
 *         originals
 */
bool copies_count_needs(const struct copies *copies);

/**
 * @param ended true if the file has no more frames
 * @return mean number of copies of a packet, not counting the original; 0: the file has too few
 *         copies
 */
uint32_t copies_count(struct copies *copies, bool ended);

#endif
