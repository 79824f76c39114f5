/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_START_H
#define NDPDK_NDPMD_START_H

#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "options.h"

/* From the options to EAL's memory and to adapters. */

/**
 * @return memory that EAL needs for two adapters and the queues of these connections; pages that
 *         are not used cost nothing
 */
uint64_t start_megabytes(const struct options *options);

/**
 * Open an adapter.
 *
 * @param address own address
 * @param standing_windows room for so many, besides those of the operations
 * @param why filled with one sentence on failure; >= 320 bytes
 * @return NULL on failure
 */
struct nd_adapter *start_adapter(const struct options *options, uint16_t port,
	const struct sockaddr_storage *address, uint32_t standing_windows, char *why, size_t size);

#endif
