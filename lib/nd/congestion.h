/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CONGESTION_INTERNAL_H
#define NDPDK_ND_CONGESTION_INTERNAL_H

#include <ndpdk/nd.h>

#include "cc/cc.h"
#include "rc/out.h"

/* Conversion of an adapter's congestion settings to the parameters of its engines. */

/**
 * Check values that depend on each other, and the parameters of DCQCN. Defaults must have been
 * filled in before.
 * @param why out, on failure: one sentence that names the cause
 * @return ND_SUCCESS, ND_INVALID_PARAMETER
 */
nd_status congestion_check(const struct nd_adapter_config *config, char *why, size_t size);

/** @param link_mbps speed of the port; 0 = unknown */
struct cc_parameters
congestion_parameters(const struct nd_adapter_config *config, uint32_t link_mbps);

/**
 * Change the parameters of DCQCN while connections use them. 0 sets a parameter to its default.
 * Each parameter is stored atomically, but the set of parameters is not.
 * @param why out, on failure: one sentence that names the cause
 * @return ND_SUCCESS, ND_INVALID_PARAMETER
 */
nd_status congestion_change(struct cc_parameters *parameters,
	const struct nd_dcqcn_parameters *changed, char *why, size_t size);

struct rc_marking congestion_marking(const struct nd_adapter_config *config);

/** @return TOS byte for the packets of a connection: DSCP << 2 | ECN */
uint8_t congestion_tos(const struct nd_adapter_config *config);

#endif
