/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/refuse.h"

#include <stdarg.h>
#include <stdio.h>

#include <rte_log.h>

RTE_LOG_REGISTER(api_log, lib.ndpdk.api, NOTICE)

#define TEXT_BYTES 200

nd_status
refuse_log(const char *function, int parameter, const char *format, ...)
{
	char text[TEXT_BYTES], number[sizeof("parameter 10, ")] = "";
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (parameter != 0)
		snprintf(number, sizeof(number), "parameter %d, ", parameter);
	rte_log(RTE_LOG_ERR, (uint32_t)api_log, "%s: %s%s\n", function, number, text);
	return parameter == 0 ? ND_INVALID_PARAMETER : ND_INVALID_PARAMETER_1 + parameter - 1;
}
