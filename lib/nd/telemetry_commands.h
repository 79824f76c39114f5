/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TELEMETRY_COMMANDS_H
#define NDPDK_ND_TELEMETRY_COMMANDS_H

#include <rte_telemetry.h>

/* The commands, each a telemetry_cb; telemetry.c says what they take. */

/* ---- telemetry_adapter.c ---- */
int telemetry_adapters(const char *command, const char *params, struct rte_tel_data *data);
int telemetry_adapter(const char *command, const char *params, struct rte_tel_data *data);
int telemetry_counters(const char *command, const char *params, struct rte_tel_data *data);
int telemetry_drops(const char *command, const char *params, struct rte_tel_data *data);
int telemetry_engine(const char *command, const char *params, struct rte_tel_data *data);

/* ---- telemetry_qp.c ---- */
int telemetry_qps(const char *command, const char *params, struct rte_tel_data *data);
int telemetry_qp(const char *command, const char *params, struct rte_tel_data *data);

/* ---- telemetry_mr.c ---- */
int telemetry_regions(const char *command, const char *params, struct rte_tel_data *data);
int telemetry_region(const char *command, const char *params, struct rte_tel_data *data);

#endif
