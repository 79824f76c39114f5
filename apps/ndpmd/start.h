/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_START_H
#define NDPDK_NDPMD_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd.h>

#include "options.h"

/* From the command line to EAL and adapters. */

/** Command line, divided. */
struct start_arguments {
	int eal_count; /**< 0 = no lone -- on the command line */
	char **eal;    /**< with the program's name */
	int application_count;
	char **application; /**< with the program's name */
};

/**
 * Divide the command line at the first lone --, or give all of it to the application. Changes
 * arguments.
 */
void start_divide(int count, char *arguments[], struct start_arguments *divided);

/**
 * Start EAL with its part of the command line, or, if there is none, without devices and hugepages.
 */
bool start_eal(const struct options *options, const struct start_arguments *divided, char *why,
	size_t size);

/**
 * Open an adapter.
 *
 * @param address own address
 * @param standing_windows room for so many, besides those of the operations
 * @param why filled with one sentence on failure; >= 256 bytes
 * @return NULL on failure
 */
struct nd_adapter *start_adapter(const struct options *options, uint16_t port,
	const struct sockaddr_storage *address, uint32_t standing_windows, char *why, size_t size);

#endif
