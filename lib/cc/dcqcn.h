/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_DCQCN_H
#define NDPDK_CC_DCQCN_H

#include "cc/cc.h"
#include "cc/loss_window.h"

/** Event functions of CC_DCQCN for a flow without rate limit. */
extern const struct cc_events cc_dcqcn;

/**
 * State of CC_DCQCN. The first three members are always valid. The later members are valid only
 * while the rate is limited.
 */
struct cc_dcqcn_state {
	struct cc_loss_state loss;
	const struct cc_dcqcn_parameters *parameters;
	uint32_t line_kbps;
	uint32_t rate_kbps;   /**< current rate (Rc) */
	uint32_t target_kbps; /**< target rate of the recovery (Rt) */
	uint32_t alpha;       /**< estimate of congestion, 1/2^20 */
	uint32_t timer_count; /**< number of time-based increases since the last cut (T) */
	uint32_t byte_count;  /**< number of byte-based increases since the last cut (BC) */
	uint32_t bytes;       /**< bytes sent since the last byte-based increase */
	uint64_t cut_ns;
	uint64_t alpha_ns; /**< time for which alpha was last computed */
	uint64_t timer_ns;
};

/** @return current rate (Rc); the line rate while the flow is not limited. For tests. */
uint32_t cc_dcqcn_rate_kbps(const struct cc_flow *flow);

#endif
