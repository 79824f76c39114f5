/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_LOSS_WINDOW_H
#define NDPDK_CC_LOSS_WINDOW_H

#include "cc/cc.h"
#include "cc/rtt.h"

/** Row of CC_LOSS_WINDOW. */
extern const struct cc_events cc_loss_window;

/** State of CC_LOSS_WINDOW. Other algorithms that keep its window, too, have it first in theirs. */
struct cc_loss_state {
	uint32_t threshold;   /**< window from which on it grows slowly */
	uint32_t acked_mark;  /**< cc_flow.acked when it last grew slowly */
	uint32_t gap_mark;    /**< cc_flow.acked at the last gap */
	uint32_t gap_packets; /**< packets from gap to gap, smoothed */
	uint32_t cut_mark;    /**< cc_flow.acked when the window was last reduced */
	uint32_t cut_packets; /**< the window before that; 0 = it has not been */
	bool goes_back;       /**< cc_peer_goes_back() */
	struct cc_rtt rtt;
};

/* Its events, for the rows of those algorithms. */
void cc_loss_start(struct cc_flow *flow, const struct cc_parameters *parameters);
void cc_loss_ack_received(
	struct cc_flow *flow, uint32_t packet_count, uint32_t outstanding, uint64_t now_ns);
void cc_loss_gap(struct cc_flow *flow, uint64_t now_ns);
void cc_loss_timeout(struct cc_flow *flow, uint64_t now_ns);
void cc_loss_rtt_sample(struct cc_flow *flow, uint64_t rtt_ns, uint64_t now_ns);

#endif
