/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CONGESTION_H
#define NDPDK_ND_CONGESTION_H

/**
 * @file
 * Congestion control of connections, and its parameters: members of struct nd_adapter_config.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @addtogroup nd_congestion
 * @{
 */

/** Congestion control of an adapter's connections. */
enum nd_congestion {
	/**
	 * A congestion window, which losses and CNPs reduce. A few losses do not reduce it while
	 * the round-trip times show no queue in the network.
	 */
	ND_CONGESTION_LOSS_WINDOW = 0,
	/** A fixed window of 1024 packets, without reaction to losses. For lossless networks. */
	ND_CONGESTION_NONE,
	/**
	 * The window of ND_CONGESTION_LOSS_WINDOW, and in addition a rate, which CNPs reduce.
	 * Switches must mark packets: see nd_adapter_config.ecn.
	 */
	ND_CONGESTION_DCQCN,
	/** A window that follows the round-trip time. Switches need no configuration. */
	ND_CONGESTION_SWIFT,
};

/**
 * Parameters of ND_CONGESTION_DCQCN, with the names of mlx5. A member that is 0 gets its default.
 * Where the paper (Zhu et al., SIGCOMM 2015) states values, these are the defaults.
 */
struct nd_dcqcn_parameters {
	/** weight of a CNP when alpha is updated, in 1/1024, 1..1023 (default 4) */
	uint32_t g_1024;
	/** alpha at the first CNP, in 1/1024, 1..1024 (default 1024) */
	uint32_t initial_alpha_1024;
	/** interval of the decay of alpha, 1..1000000 (default 55) */
	uint32_t alpha_timer_us;
	uint32_t rpg_time_reset_us; /**< time between rate increases, 1..1000000 (default 55) */
	/** bytes between rate increases, 1..2^30 (default 10000000) */
	uint32_t rpg_byte_reset;
	uint32_t rpg_threshold;     /**< number of fast recovery increases, 1..31 (default 5) */
	uint32_t rpg_ai_rate_mbps;  /**< step of additive increase, 1..1000000 (default 40) */
	uint32_t rpg_hai_rate_mbps; /**< step of hyper increase, 1..1000000 (default 400) */
	uint32_t rpg_min_rate_mbps; /**< lowest rate, 1..1000000 (default 10) */
	/**
	 * Strength of a cut, 1..15 (default 11). A CNP reduces the rate by the fraction alpha *
	 * 1024 / 2^rpg_gd, so by half if rpg_gd is 11 and alpha is 1.
	 */
	uint32_t rpg_gd;
	/** a cut leaves at least this % of the rate, 1..100 (default 50) */
	uint32_t min_dec_fac_percent;
	/** Minimum time in us between two cuts, 1..1000000 (default 50). */
	uint32_t rate_reduce_monitor_period_us;
	/** Maximum rate after the first CNP, in Mbit/s, 1..1000000 (default: no limit). */
	uint32_t rate_to_set_on_first_cnp_mbps;
};

/** @} */

#ifdef __cplusplus
}
#endif

#endif
