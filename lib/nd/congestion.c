/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/congestion.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include "wire/build.h"

/** Assumed link speed if the port reports none. Most virtual devices report this speed. */
#define LINK_MBPS_DEFAULT 10000u

/** Description of a parameter of DCQCN. A value of 0 in the configuration means the default. */
struct row {
	const char *name;
	size_t from; /**< offset in struct nd_dcqcn_parameters */
	size_t to;   /**< offset in struct cc_dcqcn_parameters */
	uint32_t min;
	uint32_t max;
};

/* NOLINTBEGIN(bugprone-macro-parentheses): a member's name cannot be in parentheses. */
#define ROW(member, min, max)                                                                      \
	{                                                                                          \
#member, offsetof(struct nd_dcqcn_parameters, member),                             \
			offsetof(struct cc_dcqcn_parameters, member), min, max                     \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct row rows[] = {
	ROW(g_1024, 1, 1023),
	ROW(initial_alpha_1024, 1, 1024),
	ROW(alpha_timer_us, 1, 1000000),
	ROW(rpg_time_reset_us, 1, 1000000),
	ROW(rpg_byte_reset, 1, 1u << 30),
	ROW(rpg_threshold, 1, 31),
	ROW(rpg_ai_rate_mbps, 1, 1000000),
	ROW(rpg_hai_rate_mbps, 1, 1000000),
	ROW(rpg_min_rate_mbps, 1, 1000000),
	ROW(rpg_gd, 1, 15),
	ROW(min_dec_fac_percent, 1, 100),
	ROW(rate_reduce_monitor_period_us, 1, 1000000),
	ROW(rate_to_set_on_first_cnp_mbps, 1, 1000000),
};

static_assert(sizeof(struct nd_dcqcn_parameters) == RTE_DIM(rows) * sizeof(uint32_t) &&
		sizeof(struct cc_dcqcn_parameters) == RTE_DIM(rows) * sizeof(uint32_t),
	"rows lists every parameter");

static uint32_t
row_value(const struct row *row, const struct nd_dcqcn_parameters *parameters)
{
	uint32_t value;

	memcpy(&value, (const char *)parameters + row->from, sizeof(value));
	return value;
}

static nd_status
dcqcn_check(const struct nd_dcqcn_parameters *parameters, char *why, size_t size)
{
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		uint32_t value = row_value(&rows[i], parameters);

		if (value == 0 || (value >= rows[i].min && value <= rows[i].max))
			continue;
		snprintf(why, size, "dcqcn.%s is %u, but must be %u to %u", rows[i].name, value,
			rows[i].min, rows[i].max);
		return ND_INVALID_PARAMETER;
	}
	return ND_SUCCESS;
}

nd_status
congestion_check(const struct nd_adapter_config *config, char *why, size_t size)
{
	/* CC-001: a sender that marks its packets ECN-capable must react to congestion. */
	if (config->ecn && config->congestion == ND_CONGESTION_NONE) {
		snprintf(why, size, "ecn requires a congestion control that reacts to CNPs");
		return ND_INVALID_PARAMETER;
	}
	return config->dcqcn != NULL ? dcqcn_check(config->dcqcn, why, size) : ND_SUCCESS;
}

static uint32_t *
row_target(const struct row *row, struct cc_dcqcn_parameters *parameters)
{
	return (uint32_t *)(void *)((char *)parameters + row->to);
}

static void
dcqcn_fill(struct cc_dcqcn_parameters *to, const struct nd_dcqcn_parameters *from)
{
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		uint32_t value = row_value(&rows[i], from);

		if (value != 0)
			*row_target(&rows[i], to) = value;
	}
}

nd_status
congestion_change(struct cc_parameters *parameters, const struct nd_dcqcn_parameters *changed,
	char *why, size_t size)
{
	struct cc_dcqcn_parameters next;
	nd_status status = dcqcn_check(changed, why, size);

	if (nd_failed(status))
		return status;
	cc_dcqcn_defaults(&next);
	dcqcn_fill(&next, changed);
	for (size_t i = 0; i < RTE_DIM(rows); i++)
		__atomic_store_n(row_target(&rows[i], &parameters->dcqcn),
			*row_target(&rows[i], &next), __ATOMIC_RELAXED);
	return ND_SUCCESS;
}

struct cc_parameters
congestion_parameters(const struct nd_adapter_config *config, uint32_t link_mbps)
{
	static const enum cc_algorithm algorithms[] = {
		[ND_CONGESTION_LOSS_WINDOW] = CC_LOSS_WINDOW,
		[ND_CONGESTION_NONE] = CC_NONE,
		[ND_CONGESTION_DCQCN] = CC_DCQCN,
		[ND_CONGESTION_SWIFT] = CC_SWIFT,
	};
	struct cc_parameters parameters = {
		.algorithm = algorithms[config->congestion],
		.window_first = config->initial_window,
		.line_rate_mbps = config->line_rate_mbps,
		.target_us = config->swift_target_us,
	};

	if (parameters.line_rate_mbps == 0)
		parameters.line_rate_mbps = link_mbps != 0 ? link_mbps : LINK_MBPS_DEFAULT;
	cc_dcqcn_defaults(&parameters.dcqcn);
	if (config->dcqcn != NULL)
		dcqcn_fill(&parameters.dcqcn, config->dcqcn);
	return parameters;
}

struct rc_marking
congestion_marking(const struct nd_adapter_config *config)
{
	return (struct rc_marking){
		.cnp_interval_ns = config->no_cnps ? 0 : (uint64_t)config->cnp_interval_us * 1000,
		.cnp_dscp = config->dscp_cnp,
		.ack_dscp_own = config->dscp_ack != config->dscp,
		.ack_dscp = config->dscp_ack,
	};
}

uint8_t
congestion_tos(const struct nd_adapter_config *config)
{
	return (uint8_t)(config->dscp << WIRE_DSCP_SHIFT | (config->ecn ? WIRE_ECN_ECT0 : 0));
}
