/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TELEMETRY_DPDK_H
#define NDPDK_ND_TELEMETRY_DPDK_H

#include <stdbool.h>

#include <rte_telemetry.h>

#include <ndpdk/nd_telemetry.h>

/* Writes an answer to DPDK's telemetry. */

/** Argument of telemetry_dpdk_sink. Set data, and zero all other members. */
struct telemetry_dpdk {
	struct rte_tel_data *data; /**< data parameter of DPDK's telemetry callback */
	struct rte_tel_data *part; /**< object or array in data that is being filled; NULL: none */
	char name[RTE_TEL_MAX_STRING_LEN]; /**< name of part */
	enum nd_telemetry_kind kind, part_kind;
	unsigned int depth;
	bool no_memory; /**< out: true if the answer is incomplete, because memory was exhausted */
};

extern const struct nd_telemetry_sink telemetry_dpdk_sink;

#endif
