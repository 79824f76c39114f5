/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_START_H
#define NDPDK_NDPMD_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "kit/eal.h"

#include "options.h"

/* From the options to EAL's memory and to adapters. */

/** What decides how much memory EAL needs. */
struct start_load {
	uint32_t sides; /**< adapters of the process that have these connections */
	uint32_t qps;
	uint32_t depth;
	uint32_t engines; /**< 0 = 1 */
	bool binds;       /**< the operation with the longest send queues is among them */
};

/** @return adapters of this process. */
static inline uint32_t
start_sides(const struct options *options)
{
	return options->mode == OPTIONS_MODE_LOOPBACK ? 2 : 1;
}

/** @return engines of each adapter: one for each lcore. */
static inline uint32_t
start_engines(const struct options *options)
{
	return options->lcore_count > 0 ? options->lcore_count : 1;
}

/**
 * Start EAL with its part of the command line, or for the lcores of the options. With a part of its
 * own it must have these lcores, the first one as its main lcore.
 *
 * @param why filled with one sentence on failure; >= 256 bytes
 */
bool start_eal(
	const struct options *options, const struct eal_arguments *divided, char *why, size_t size);

/** @return megabytes that EAL needs for it; small pages that are not used cost nothing */
uint64_t start_megabytes_of(const struct start_load *load);

/** @return the same for all that the options ask for. */
uint64_t start_megabytes(const struct options *options);

/**
 * @param why filled with one sentence on failure; >= 256 bytes
 * @return whether this machine has so much memory
 */
bool start_check_memory(const struct options *options, char *why, size_t size);

/** Which adapter is opened. */
struct start_place {
	const struct value_port *port;
	const struct sockaddr_storage *address; /**< own */
	uint32_t standing_windows; /**< room for so many, besides those of the operations */
	struct inject *inject;     /**< faults of its port; NULL = none */
};

/** @return queue pairs that an adapter which was opened with these options has room for. */
uint32_t start_qps_max(const struct options *options);

/**
 * Open an adapter.
 *
 * @param why filled with one sentence on failure; >= 320 bytes
 * @return NULL on failure
 */
struct nd_adapter *start_adapter(
	const struct options *options, const struct start_place *place, char *why, size_t size);

#endif
