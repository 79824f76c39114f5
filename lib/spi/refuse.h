/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_REFUSE_H
#define NDPDK_SPI_REFUSE_H

#include <stddef.h>

#include <ndpdk/ndspi_types.h>

/**
 * Refuse an argument: log one line with the method, the parameter and the reason.
 * @param method name of the C macro, such as IND2QueuePair_Send, or of the function
 * @param parameter number of the parameter in the status, 1 .. 10; 0: the status has no number
 * @param format name of the parameter, its value and the expected values; no newline
 * @return ND_INVALID_PARAMETER_1 .. _10; ND_INVALID_PARAMETER if parameter is 0
 */
HRESULT spi_refuse(const char *method, int parameter, const char *format, ...)
	__attribute__((cold, noinline, format(printf, 3, 4)));

/** An argument that must not exceed a maximum. */
struct spi_limit {
	const char *name; /**< of the parameter */
	size_t value;
	size_t most; /**< largest value that is accepted */
};

/** Refuse the first argument that is too large. @param first parameter number of limits[0] */
HRESULT
spi_limits_check(const char *method, int first, const struct spi_limit *limits, unsigned int count);

#endif
