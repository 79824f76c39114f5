/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TELEMETRY_COMMANDS_H
#define NDPDK_ND_TELEMETRY_COMMANDS_H

#include "nd/telemetry_answer.h"

/* The commands, each of type telemetry_fn. telemetry.c lists their parameters. */

/* ---- telemetry_adapter.c ---- */
int telemetry_adapters(const char *params, struct telemetry_answer *answer);
int telemetry_adapter(const char *params, struct telemetry_answer *answer);
int telemetry_counters(const char *params, struct telemetry_answer *answer);
int telemetry_drops(const char *params, struct telemetry_answer *answer);
int telemetry_engine(const char *params, struct telemetry_answer *answer);

/* ---- telemetry_engine.c ---- */
int telemetry_cqs(const char *params, struct telemetry_answer *answer);
int telemetry_neighbours(const char *params, struct telemetry_answer *answer);

/* ---- telemetry_qp.c ---- */
int telemetry_qps(const char *params, struct telemetry_answer *answer);
int telemetry_qp(const char *params, struct telemetry_answer *answer);

/* ---- telemetry_mr.c ---- */
int telemetry_regions(const char *params, struct telemetry_answer *answer);
int telemetry_region(const char *params, struct telemetry_answer *answer);

#endif
