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

struct start_load {
	uint32_t sides; /**< number of adapters of the process that have this load */
	uint32_t qps;
	uint32_t depth;
	uint32_t engines; /**< engines per adapter; 0 means 1 */
	bool binds; /**< true if the operations include bind, which needs the longest send queues */
};

/** @return number of adapters of this process: 2 in loopback, otherwise 1. */
static inline uint32_t
start_sides(const struct options *options)
{
	return options->mode == OPTIONS_MODE_LOOPBACK ? 2 : 1;
}

/** @return number of engines of each adapter: one for each lcore. */
static inline uint32_t
start_engines(const struct options *options)
{
	return options->lcore_count > 0 ? options->lcore_count : 1;
}

/**
 * Start EAL with its part of the command line. If the command line has no such part, start EAL with
 * the lcores of the options. The lcores in EAL's part must include the lcores of the options, and
 * EAL's main lcore must be the first lcore of the options.
 *
 * @param why filled with one sentence on failure; >= 256 bytes
 */
bool start_eal(
	const struct options *options, const struct eal_arguments *divided, char *why, size_t size);

/**
 * @return megabytes that EAL needs for a load. With small pages, unused pages need no physical
 *         memory.
 */
uint64_t start_megabytes_of(const struct start_load *load);

/** @return megabytes that EAL needs for the load that the options describe. */
uint64_t start_megabytes(const struct options *options);

/**
 * @param why filled with one sentence when false is returned; >= 256 bytes
 * @return true if this machine has enough memory for the options
 */
bool start_check_memory(const struct options *options, char *why, size_t size);

struct start_place {
	const struct value_port *port;
	const struct sockaddr_storage *address; /**< address of the adapter */
	uint32_t standing_windows; /**< standing windows; operations need more windows */
	struct inject *inject;     /**< fault injection for the adapter's port; NULL = none */
};

/**
 * @return highest number of queue pairs of an adapter that start_adapter() opens with these options
 */
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
