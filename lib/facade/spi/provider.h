/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_PROVIDER_H
#define NDPDK_SPI_PROVIDER_H

#include "spi/object.h"

extern const struct spi_class spi_provider1_class, spi_provider2_class;

#endif
