/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TELEMETRY_DPDK_H
#define NDPDK_ND_TELEMETRY_DPDK_H

#include <stdbool.h>

#include <rte_telemetry.h>

#include <ndpdk/nd_telemetry.h>

/* An answer as DPDK's telemetry takes it. */

/** Argument of the sink. data is given; all else begins as 0. */
struct telemetry_dpdk {
	struct rte_tel_data *data; /**< of the callback */
	struct rte_tel_data *part; /**< object or array that is being filled in it, or NULL */
	char name[RTE_TEL_MAX_STRING_LEN]; /**< of part */
	enum nd_telemetry_kind kind, part_kind;
	unsigned int depth;
	bool no_memory; /**< out: a part is missing */
};

extern const struct nd_telemetry_sink telemetry_dpdk_sink;

#endif
