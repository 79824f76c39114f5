/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_REFUSE_H
#define NDPDK_BASE_REFUSE_H

#include <stdarg.h>
#include <stdio.h>

/** Bytes of a line about a refused parameter. A longer one is cut. */
#define BASE_REFUSE_BYTES 256

/**
 * Write the line of the log that says why a function refuses a parameter.
 * @param line BASE_REFUSE_BYTES
 * @param parameter number; 0: the status has none
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
