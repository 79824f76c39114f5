/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_PROGRESS_H
#define NDPDK_SPI_PROGRESS_H

#include "spi/device.h"

/**
 * Start threads that poll the engines of a device while no thread of the application polls them.
 *
 * @return ND_SUCCESS; ND_INSUFFICIENT_RESOURCES: cannot create threads
 */
nd_status spi_progress_start(struct spi_device *device);

/** Stop polling a device: sets device->native to NULL, and waits for the threads. */
void spi_progress_stop(struct spi_device *device);

#endif
