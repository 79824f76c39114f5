/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_OPERATION_H
#define NDPDK_SPI_OPERATION_H

#include <stddef.h>

#include <ndpdk/nd.h>

#include "spi/object.h"

/**
 * One overlapped call: an operation of the native API that ends in an OVERLAPPED. It holds its
 * object, which has a reference of its file, until it is over.
 */
struct spi_operation {
	struct nd_overlapped native; /**< for the native call */
	struct spi_object *object;   /**< held */
	HANDLE file;                 /**< the object's */
	OVERLAPPED *overlapped;      /**< the caller's */
	/**
	 * Gives the status that the caller is told, from that of the native API; called once, when
	 * the operation is over, by any thread that is inside the engine. NULL: they are the same.
	 */
	nd_status (*translate)(struct spi_operation *operation, nd_status status);
	void *arg; /**< for translate */
};

/**
 * Begin an overlapped call. spi_operation_end() must follow.
 *
 * @param file of the object, which has a reference of it; it may have been closed
 * @return ND_SUCCESS; ND_INVALID_HANDLE: hEvent is not an event; ND_NO_MEMORY
 */
nd_status spi_operation_begin(struct spi_object *object, HANDLE file, OVERLAPPED *overlapped,
	struct spi_operation **operation);

/**
 * Behind the native call: *operation may be gone already when it has returned ND_PENDING.
 *
 * @param status of the native call
 * @return what the method returns: ND_PENDING, also when it is complete already, or a failure
 */
nd_status spi_operation_end(struct spi_operation *operation, nd_status status);

/**
 * GetOverlappedResult of both versions.
 *
 * @param method its name, for the log
 * @return ND_PENDING, or the final status of the operation
 */
nd_status spi_overlapped_result(const char *method, OVERLAPPED *overlapped, BOOL wait);

#endif
