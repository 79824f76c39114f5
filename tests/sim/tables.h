/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_TABLES_H
#define NDPDK_SIM_TABLES_H

#include <stdint.h>
#include <stdio.h>

#include "bed.h"

/* The tables that sim_tables prints, as Markdown: see sim_tables.c. */

/** Results of one run of a flow. */
struct tables_run {
	double gbps;      /**< payload rate at the application */
	uint64_t packets; /**< data packets sent, including retransmissions */
	uint64_t naks;    /**< sequence NAKs */
};

/** Duration of a run with many senders, in milliseconds. */
#define TABLES_INCAST_MS 60u

/** Values of one millisecond of such a run. */
struct tables_ms {
	double gbps;        /**< payload rate of all senders */
	double queue_bytes; /**< mean length of the switch's queue */
};

/** @return maximum payload rate of 64 KiB messages on the link, without headers */
double tables_ideal_gbps(enum bed_operation operation);

/**
 * Transfer messages of 64 KiB at depth 32 until `messages` are complete or the time is over.
 */
struct tables_run
tables_flow_run(const struct bed_config *config, enum bed_operation operation, uint32_t messages);

void tables_goodput(FILE *out);
void tables_reorder(FILE *out);
void tables_tail(FILE *out);
void tables_incast(FILE *out);

/** Compute the published model of DCQCN for senders that begin together at line rate. */
void tables_dcqcn_model(
	const struct bed_marks *marks, uint32_t senders, struct tables_ms series[TABLES_INCAST_MS]);
/** @return steady-state queue of Swift's senders if they share the link equally */
double tables_swift_queue_bytes(uint32_t senders, uint32_t target_us);

#endif
