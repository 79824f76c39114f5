/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_LOSS_WINDOW_H
#define NDPDK_CC_LOSS_WINDOW_H

#include "cc/cc.h"
#include "cc/rtt.h"

/** Row of CC_LOSS_WINDOW. */
extern const struct cc_events cc_loss_window;

/**
 * State of CC_LOSS_WINDOW. An algorithm that uses the window of CC_LOSS_WINDOW has this structure
 * as the first member of its own state.
 */
struct cc_loss_state {
	uint32_t threshold; /**< slow-start threshold: above it, the window grows slowly */
	/** value of cc_flow.acked at the last slow growth; the next one follows a window later */
	uint32_t acked_mark;
	uint32_t gap_mark;    /**< cc_flow.acked at the last gap */
	uint32_t gap_packets; /**< packets between gaps, smoothed */
	uint32_t cut_mark;    /**< cc_flow.acked at the last reduction of the window */
	uint32_t cut_packets; /**< window before the last reduction; 0 = no reduction yet */
	bool goes_back;       /**< argument of the last cc_peer_goes_back() */
	struct cc_rtt rtt;
};

/* Event functions of CC_LOSS_WINDOW. Other algorithms with the same window use them, too. */
void cc_loss_start(struct cc_flow *flow, const struct cc_parameters *parameters);
void cc_loss_ack_received(
	struct cc_flow *flow, uint32_t packet_count, uint32_t outstanding, uint64_t now_ns);
void cc_loss_gap(struct cc_flow *flow, uint64_t now_ns);
void cc_loss_timeout(struct cc_flow *flow, uint64_t now_ns);
void cc_loss_rtt_sample(struct cc_flow *flow, uint64_t rtt_ns, uint64_t now_ns);

#endif
