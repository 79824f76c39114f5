/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_REFUSE_H
#define NDPDK_SPI_REFUSE_H

#include <stddef.h>

#include <ndpdk/ndspi_types.h>

/**
 * Refuse an argument: log one line that names the method and the parameter.
 * @param method as a program in C calls it
 * @param parameter 1 .. 10; 0: the status has no number
 * @param format name of the parameter, its value and what is expected; no newline
 * @return ND_INVALID_PARAMETER_1 .. _10; ND_INVALID_PARAMETER if parameter is 0
 */
HRESULT spi_refuse(const char *method, int parameter, const char *format, ...)
	__attribute__((cold, noinline, format(printf, 3, 4)));

/** A number that an argument must not exceed. */
struct spi_limit {
	const char *name;
	size_t value;
	size_t most;
};

/** Refuse the first argument that is too large. @param first parameter of limits[0] */
HRESULT
spi_limits_check(const char *method, int first, const struct spi_limit *limits, unsigned int count);

#endif
