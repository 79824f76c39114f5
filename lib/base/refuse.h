/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_REFUSE_H
#define NDPDK_BASE_REFUSE_H

#include <stdarg.h>
#include <stdio.h>

/** Size of the buffer for a log line about a refused parameter. A longer line is truncated. */
#define BASE_REFUSE_BYTES 256

/**
 * Write the log line about a refused parameter.
 * @param line buffer of BASE_REFUSE_BYTES
 * @param parameter number of the parameter; 0 if the line shall contain no number
 */
static inline void
base_refuse_write(
	char *line, const char *function, int parameter, const char *format, va_list arguments)
{
	int length;

	if (parameter != 0)
		length = snprintf(
			line, BASE_REFUSE_BYTES, "%s: parameter %d, ", function, parameter);
	else
		length = snprintf(line, BASE_REFUSE_BYTES, "%s: ", function);
	vsnprintf(line + length, BASE_REFUSE_BYTES - (size_t)length, format, arguments);
}

#endif
