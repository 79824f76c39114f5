/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_REFUSE_H
#define NDPDK_SPI_REFUSE_H

#include <stddef.h>

#include <ndpdk/nd_status.h>
#include <ndpdk/ndspi_types.h>

void spi_refuse_log(const char *method, int parameter, const char *format, ...)
	__attribute__((cold, noinline, format(printf, 3, 4)));

/** @return ND_INVALID_PARAMETER_1 .. _10; ND_INVALID_PARAMETER if parameter is 0 */
static inline HRESULT
spi_refuse_status(int parameter)
{
	return parameter == 0 ? ND_INVALID_PARAMETER : ND_INVALID_PARAMETER_1 + parameter - 1;
}

/**
 * Refuse an argument: log one line with the method, the parameter and the reason. The value of the
 * macro is spi_refuse_status(parameter). That function is inline, so the compiler knows that its
 * value is a failure.
 * @param method name of the C macro, such as IND2QueuePair_Send, or of the function
 * @param parameter number of the parameter in the status, 1 .. 10; 0 for ND_INVALID_PARAMETER. The
 *        macro evaluates this argument twice
 * @param ... format and arguments: name of the parameter, its value, the expected values; no
 *        newline
 */
#define SPI_REFUSE(method, parameter, ...)                                                         \
	(spi_refuse_log((method), (parameter), __VA_ARGS__), spi_refuse_status(parameter))

/** An argument with a maximum value. */
struct spi_limit {
	const char *name;
	size_t value;
	size_t most;
};

/**
 * Refuse the first argument that exceeds its maximum. @param first parameter number of limits[0]
 */
HRESULT
spi_limits_check(const char *method, int first, const struct spi_limit *limits, unsigned int count);

#endif
