/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_TABLES_H
#define NDPDK_SIM_TABLES_H

#include <stdint.h>
#include <stdio.h>

#include "bed.h"

/* The tables that sim_tables prints, as Markdown: see sim_tables.c. */

/** What one run of a flow did. */
struct tables_run {
	double gbps;      /**< payload, at the application */
	uint64_t packets; /**< data packets that were sent, again or for the first time */
	uint64_t naks;    /**< for a gap */
};

/** Milliseconds of a run with many senders. */
#define TABLES_INCAST_MS 60u

/** One of them. */
struct tables_ms {
	double gbps;        /**< payload of all senders */
	double queue_bytes; /**< mean length of the switch's queue */
};

/** Payload of 64 KiB messages that the wire can carry, headers taken off. */
double tables_ideal_gbps(enum bed_operation operation);

/**
 * Move messages of 64 KiB at depth 32 until `messages` are complete or the time is up.
 * @param config whose link is the wire; its seed is the first of `seeds` seeds
 */
struct tables_run
tables_flow_run(const struct bed_config *config, enum bed_operation operation, uint32_t messages);

void tables_goodput(FILE *out);
void tables_reorder(FILE *out);
void tables_tail(FILE *out);
void tables_incast(FILE *out);

/** What the published model of DCQCN says about senders that begin together at line rate. */
void tables_dcqcn_model(
	const struct bed_marks *marks, uint32_t senders, struct tables_ms series[TABLES_INCAST_MS]);
/** The queue with which Swift's senders are content, if they share the link equally. */
double tables_swift_queue_bytes(uint32_t senders, uint32_t target_us);

#endif
