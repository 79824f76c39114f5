/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_LOSS_WINDOW_H
#define NDPDK_CC_LOSS_WINDOW_H

#include "cc/cc.h"
#include "cc/rtt.h"

/** Row of CC_LOSS_WINDOW. */
extern const struct cc_events cc_loss_window;

/**
 * State of CC_LOSS_WINDOW. Each algorithm that uses this window has the structure as the first
 * member of its own state.
 */
struct cc_loss_state {
	uint32_t threshold; /**< slow-start threshold: a window above it grows slowly */
	/** value of cc_flow.acked at the last slow growth; the next growth is one window later */
	uint32_t acked_mark;
	uint32_t gap_mark;    /**< cc_flow.acked at the last gap */
	uint32_t gap_packets; /**< packets between gaps, smoothed */
	uint32_t cut_mark;    /**< cc_flow.acked at the last reduction of the window */
	uint32_t cut_packets; /**< window before the last reduction; 0 = no reduction yet */
	/** true if the peer discards all packets after a gap (cc_peer_goes_back()) */
	bool goes_back;
	struct cc_rtt rtt;
};

/* Event functions of CC_LOSS_WINDOW. Each algorithm with the same window calls them. */
void cc_loss_start(struct cc_flow *flow, const struct cc_parameters *parameters);
void cc_loss_ack_received(
	struct cc_flow *flow, uint32_t packet_count, uint32_t outstanding, uint64_t now_ns);
void cc_loss_gap(struct cc_flow *flow, uint64_t now_ns);
void cc_loss_timeout(struct cc_flow *flow, uint64_t now_ns);
void cc_loss_rtt_sample(struct cc_flow *flow, uint64_t rtt_ns, uint64_t now_ns);

#endif
