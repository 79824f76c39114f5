/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_OPERATION_H
#define NDPDK_SPI_OPERATION_H

#include <stddef.h>

#include <ndpdk/nd.h>

#include "spi/object.h"

/**
 * An overlapped call: a native operation that completes an OVERLAPPED. The operation holds its
 * object until it is complete.
 */
struct spi_operation {
	struct nd_overlapped native;
	struct spi_object *object; /**< object of the call; the operation has a reference */
	OVERLAPPED *overlapped;    /**< OVERLAPPED of the caller */
	/**
	 * Converts the native status to the status for the caller. Called once, when the operation
	 * completes, on any thread that has entered the engine. NULL: no conversion.
	 */
	nd_status (*translate)(struct spi_operation *operation, nd_status status);
	void *arg; /**< argument of translate */
};

/**
 * Begin an overlapped call. spi_operation_end() must follow. The application may already have
 * closed the handle of the object's file.
 *
 * @return ND_SUCCESS; ND_INVALID_HANDLE: hEvent is not an event; ND_NO_MEMORY
 */
nd_status spi_operation_begin(
	struct spi_object *object, OVERLAPPED *overlapped, struct spi_operation **operation);

/**
 * Call this after the native call. If the native call returned ND_PENDING, *operation may already
 * be freed.
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

/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot be in parentheses. */
/** Define the methods of IUnknown and CancelOverlappedRequests, as SPI_UNKNOWN_METHODS(). */
#define SPI_CANCEL_METHODS(prefix, type)                                                           \
	SPI_UNKNOWN_METHODS(prefix, type)                                                          \
	static HRESULT prefix##_cancel_overlapped_requests(type *self)                             \
	{                                                                                          \
		return spi_cancel((struct spi_object *)self);                                      \
	}
/** Define the methods that all overlapped interfaces of version 2 share. */
#define SPI_OVERLAPPED2_METHODS(prefix, type)                                                      \
	SPI_CANCEL_METHODS(prefix, type)                                                           \
	static HRESULT prefix##_get_overlapped_result(                                             \
		type *self, OVERLAPPED *overlapped, BOOL wait)                                     \
	{                                                                                          \
		(void)self;                                                                        \
		return spi_overlapped_result(#type "_GetOverlappedResult", overlapped, wait);      \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

/** Method table entries for SPI_OVERLAPPED1_METHODS() or SPI_OVERLAPPED2_METHODS(). */
#define SPI_OVERLAPPED_ROWS(prefix)                                                                \
	SPI_UNKNOWN_ROWS(prefix), .CancelOverlappedRequests = prefix##_cancel_overlapped_requests, \
				  .GetOverlappedResult = prefix##_get_overlapped_result

#endif
