/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_TABLES_H
#define NDPDK_SIM_TABLES_H

#include <stdint.h>
#include <stdio.h>

#include "bed.h"

/* The Markdown tables that the program sim_tables (sim_tables.c) prints. */

/** Results of one run of a flow, for a row of a table. */
struct tables_run {
	double gbps;      /**< payload rate that the application gets */
	uint64_t packets; /**< number of data packets sent, including retransmissions */
	uint64_t naks;    /**< number of sequence NAKs */
};

/** Duration in ms of a run with many senders. */
#define TABLES_INCAST_MS 60u

struct tables_ms {
	double gbps;        /**< payload rate of all senders together */
	double queue_bytes; /**< mean length of the switch's queue in this millisecond */
};

/**
 * @return maximum payload rate of 64 KiB messages on the link, which is the link's rate without
 * headers
 */
double tables_ideal_gbps(enum bed_operation operation);

/**
 * Transfer messages of 64 KiB, with 32 outstanding, until `messages` are complete or the time limit
 * is reached.
 */
struct tables_run
tables_flow_run(const struct bed_config *config, enum bed_operation operation, uint32_t messages);

void tables_goodput(FILE *out);
void tables_reorder(FILE *out);
void tables_tail(FILE *out);
void tables_incast(FILE *out);

/**
 * Compute the published model of DCQCN for senders that all begin at line rate at the same time.
 */
void tables_dcqcn_model(
	const struct bed_marks *marks, uint32_t senders, struct tables_ms series[TABLES_INCAST_MS]);
/** @return steady-state length of the queue if Swift's senders share the link equally */
double tables_swift_queue_bytes(uint32_t senders, uint32_t target_us);

#endif
