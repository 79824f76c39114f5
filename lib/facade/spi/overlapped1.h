/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_OVERLAPPED1_H
#define NDPDK_SPI_OVERLAPPED1_H

#include "spi/operation.h"

/**
 * Convert a status to version 1, which reports ND_TIMEOUT, a success code, if a peer does not
 * answer.
 */
static inline nd_status
spi_status1(nd_status status)
{
	return status == ND_IO_TIMEOUT ? ND_TIMEOUT : status;
}

/** spi_operation.translate of version 1. */
static inline nd_status
spi_translate1(struct spi_operation *operation, nd_status status)
{
	(void)operation;
	return spi_status1(status);
}

/** GetOverlappedResult of version 1. The number of bytes is always 0. */
static inline HRESULT
spi_overlapped_result1(const char *method, OVERLAPPED *overlapped, SIZE_T *bytes, BOOL wait)
{
	nd_status status = spi_overlapped_result(method, overlapped, wait);

	if (bytes != NULL && !nd_failed(status))
		*bytes = 0;
	return status;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot be in parentheses. */
/** Define the methods that all overlapped interfaces of version 1 share. */
#define SPI_OVERLAPPED1_METHODS(prefix, type)                                                      \
	SPI_CANCEL_METHODS(prefix, type)                                                           \
	static HRESULT prefix##_get_overlapped_result(                                             \
		type *self, OVERLAPPED *overlapped, SIZE_T *bytes, BOOL wait)                      \
	{                                                                                          \
		(void)self;                                                                        \
		return spi_overlapped_result1(                                                     \
			#type "_GetOverlappedResult", overlapped, bytes, wait);                    \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
