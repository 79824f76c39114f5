/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/refuse.h"

#include <rte_log.h>

#include "base/refuse.h"

RTE_LOG_REGISTER(api_log, lib.ndpdk.api, NOTICE)

void
refuse_log(const char *function, int parameter, const char *format, ...)
{
	char line[BASE_REFUSE_BYTES];
	va_list arguments;

	va_start(arguments, format);
	base_refuse_write(line, function, parameter, format, arguments);
	va_end(arguments);
	rte_log(RTE_LOG_ERR, (uint32_t)api_log, "%s\n", line);
}
