/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/refuse.h"

#include <rte_log.h>

#include <ndpdk/nd_status.h>

#include "base/refuse.h"

RTE_LOG_REGISTER(spi_api_log, lib.ndpdk.api, NOTICE)

void
spi_refuse_log(const char *method, int parameter, const char *format, ...)
{
	char line[BASE_REFUSE_BYTES];
	va_list arguments;

	va_start(arguments, format);
	base_refuse_write(line, method, parameter, format, arguments);
	va_end(arguments);
	rte_log(RTE_LOG_ERR, (uint32_t)spi_api_log, "%s\n", line);
}

HRESULT
spi_limits_check(const char *method, int first, const struct spi_limit *limits, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		if (limits[i].value > limits[i].most)
			return SPI_REFUSE(method, first + (int)i, "%s %zu: expected 0 to %zu",
				limits[i].name, limits[i].value, limits[i].most);
	}
	return ND_SUCCESS;
}
