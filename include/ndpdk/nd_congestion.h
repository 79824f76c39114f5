/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CONGESTION_H
#define NDPDK_ND_CONGESTION_H

/**
 * @file
 * Congestion controls of connections, and their parameters: members of struct nd_adapter_config.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Congestion control of an adapter's connections. */
enum nd_congestion {
	/**
	 * A window that shrinks with losses, unless they are few and there is no queue, and with
	 * CNPs.
	 */
	ND_CONGESTION_LOSS_WINDOW = 0,
	/** 1024 packets in flight, whatever happens: for networks without loss. */
	ND_CONGESTION_NONE,
	/** A rate that CNPs reduce, beside that window. Switches must mark packets (ecn). */
	ND_CONGESTION_DCQCN,
	/** A window that round trip times change: no switch has to take part. */
	ND_CONGESTION_SWIFT,
};

/**
 * Parameters of ND_CONGESTION_DCQCN, with mlx5's names. 0 stands for the default in brackets, that
 * of the paper (Zhu et al., SIGCOMM 2015) where it has one.
 */
struct nd_dcqcn_parameters {
	uint32_t g_1024;             /**< weight of a CNP in alpha, 1/1024, 1..1023 [4] */
	uint32_t initial_alpha_1024; /**< for the first CNP of a flow, 1/1024, 1..1024 [1024] */
	uint32_t alpha_timer_us;     /**< alpha shrinks each so often, 1..1000000 [55] */
	uint32_t rpg_time_reset_us;  /**< increase of the rate by time, 1..1000000 [55] */
	uint32_t rpg_byte_reset;     /**< and by bytes, 1..2^30 [10000000] */
	uint32_t rpg_threshold;      /**< increases of fast recovery, 1..31 [5] */
	uint32_t rpg_ai_rate_mbps;   /**< step of additive increase, 1..1000000 [40] */
	uint32_t rpg_hai_rate_mbps;  /**< step of hyper increase, 1..1000000 [400] */
	uint32_t rpg_min_rate_mbps;  /**< 1..1000000 [10] */
	/** A cut takes alpha * 1024 / 2^rpg_gd of the rate, 1..15 [11: half, if alpha is 1]. */
	uint32_t rpg_gd;
	uint32_t min_dec_fac_percent; /**< what one cut leaves at least, 1..100 [50] */
	/** At most one cut in this time, 1..1000000 [50]. */
	uint32_t rate_reduce_monitor_period_us;
	/** Limit of the rate after the first CNP, 1..1000000 [no limit]. */
	uint32_t rate_to_set_on_first_cnp_mbps;
};

#ifdef __cplusplus
}
#endif

#endif
