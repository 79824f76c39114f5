/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_SPI_COUNTER_H
#define NDPDK_SPI_SPI_COUNTER_H

#include <string.h>

#include <criterion/criterion.h>

#include "spi/device.h"

#define SPI_COUNTERS_MAX 256

/** @return value of a counter of the device's adapter. The device must exist. */
static inline uint64_t
spi_counter(unsigned int device, const char *name)
{
	struct nd_counter counters[SPI_COUNTERS_MAX];
	size_t count =
		nd_adapter_counters(spi_device_get(device)->native, counters, SPI_COUNTERS_MAX);

	cr_assert_leq(count, SPI_COUNTERS_MAX);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(counters[i].name, name) == 0)
			return counters[i].value;
	}
	cr_assert_fail("there is no counter %s", name);
	return 0;
}

#endif
