/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/refuse.h"

#include <rte_log.h>

#include "base/refuse.h"

RTE_LOG_REGISTER(ndk_api_log, lib.ndpdk.api, NOTICE)

void
ndk_refuse_log(const char *function, const char *format, ...)
{
	char line[BASE_REFUSE_BYTES];
	va_list arguments;

	/* An NTSTATUS cannot contain a parameter number, so pass 0. */
	va_start(arguments, format);
	base_refuse_write(line, function, 0, format, arguments);
	va_end(arguments);
	rte_log(RTE_LOG_ERR, (uint32_t)ndk_api_log, "%s\n", line);
}

NTSTATUS
ndk_argument_refuse(const char *function, const struct ndk_argument *argument)
{
	if (argument->expected == NULL)
		return NDK_REFUSE(function, "%s is NULL", argument->name);
	return NDK_REFUSE(function, "%s: expected %s", argument->name, argument->expected);
}

NTSTATUS
ndk_limits_check(const char *function, const struct ndk_limit *limits, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		const struct ndk_limit *limit = &limits[i];

		if (limit->value < limit->least || limit->value > limit->most)
			return NDK_REFUSE(function, "%s %zu: expected %zu to %zu", limit->name,
				limit->value, limit->least, limit->most);
	}
	return STATUS_SUCCESS;
}
