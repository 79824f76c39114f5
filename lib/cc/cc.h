/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_CC_H
#define NDPDK_CC_CC_H

#include <stdint.h>

/*
 * Congestion control of one queue pair: the transport says what happened, the algorithm says when
 * the next packet may go. Times are nanoseconds of the caller's clock.
 */

enum cc_algorithm {
	CC_NONE, /**< unlimited */
};

struct cc_flow {
	enum cc_algorithm algorithm;
	uint64_t cnp_count; /**< notifications taken, for counters */
};

void cc_flow_init(struct cc_flow *flow, enum cc_algorithm algorithm);

/** @return earliest time at which another packet may be sent; 0 = now. */
uint64_t cc_send_time_ns(const struct cc_flow *flow, uint64_t now_ns);

/** A packet of frame_bytes was put on the wire, first time or again. */
void cc_packet_sent(struct cc_flow *flow, uint32_t frame_bytes, uint64_t now_ns);

/** packet_count packets were newly acknowledged. */
void cc_ack_received(struct cc_flow *flow, uint32_t packet_count, uint64_t now_ns);

/** A congestion notification arrived. */
void cc_cnp_received(struct cc_flow *flow, uint64_t now_ns);

/** The ACK timer expired. */
void cc_timeout(struct cc_flow *flow, uint64_t now_ns);

#endif
