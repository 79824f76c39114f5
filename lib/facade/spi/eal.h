/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_EAL_H
#define NDPDK_SPI_EAL_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Start EAL, unless it was started before in this process. If the program has started EAL itself,
 * the arguments are not used.
 *
 * @param[out] error SPI_ERROR_BYTES; reason of a failure
 * @return true if EAL is started
 */
bool spi_eal_start(char *const *arguments, size_t count, char *error);

/** Write an error to DPDK's log, which is stderr by default. */
void spi_eal_log(const char *text);

#endif
