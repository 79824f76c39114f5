/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_OPERATION_H
#define NDPDK_SPI_OPERATION_H

#include <stddef.h>

#include <ndpdk/nd.h>

#include "spi/object.h"

/**
 * An overlapped call: an operation of the native API that completes an OVERLAPPED. It has a hold of
 * its object until it is complete. The object has a reference of its file.
 */
struct spi_operation {
	struct nd_overlapped native; /**< used by the native call */
	struct spi_object *object;   /**< object of the call; holds a reference */
	HANDLE file;                 /**< file of the object */
	OVERLAPPED *overlapped;      /**< OVERLAPPED of the caller */
	/**
	 * Converts the native status to the status for the caller. Called once, when the operation
	 * completes, on any thread that has entered the engine. NULL: no conversion.
	 */
	nd_status (*translate)(struct spi_operation *operation, nd_status status);
	void *arg; /**< argument of translate */
};

/**
 * Begin an overlapped call. spi_operation_end() must follow.
 *
 * @param file file of the object, which has a reference; the handle may have been closed
 * @return ND_SUCCESS; ND_INVALID_HANDLE: hEvent is not an event; ND_NO_MEMORY
 */
nd_status spi_operation_begin(struct spi_object *object, HANDLE file, OVERLAPPED *overlapped,
	struct spi_operation **operation);

/**
 * Call after the native call. If the native call returned ND_PENDING, *operation may already be
 * freed.
 *
 * @param status status of the native call
 * @return status for the method: ND_PENDING, even if the operation is already complete, or a
 *         failure
 */
nd_status spi_operation_end(struct spi_operation *operation, nd_status status);

/**
 * GetOverlappedResult of both versions.
 *
 * @param method name of the method, for the log
 * @return ND_PENDING, or the final status of the operation
 */
nd_status spi_overlapped_result(const char *method, OVERLAPPED *overlapped, BOOL wait);

#endif
