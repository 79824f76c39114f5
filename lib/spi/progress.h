/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_PROGRESS_H
#define NDPDK_SPI_PROGRESS_H

#include "spi/device.h"

/**
 * Let the engines of a device work whenever no thread of the application does it.
 *
 * @return ND_SUCCESS; ND_INSUFFICIENT_RESOURCES: no threads
 */
nd_status spi_progress_start(struct spi_device *device);

/** Nobody works for the device any more when this returns; device->native is NULL then. */
void spi_progress_stop(struct spi_device *device);

#endif
