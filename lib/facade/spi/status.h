/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_STATUS_H
#define NDPDK_SPI_STATUS_H

#include <ndpdk/nd_status.h>
#include <ndpdk/ndspi_types.h>

/**
 * Convert a native status other than ND_SUCCESS to the status of a version 2 result. If the peer
 * refuses access, Read and Write end with ND_ACCESS_VIOLATION (ND-114, ND-115). If a message is too
 * long for the Receive, the Send ends with STATUS_DATA_ERROR and the Receive with ND_DATA_OVERRUN
 * (ND-117).
 */
static inline nd_status
spi_status_of_result(nd_status status, ND2_REQUEST_TYPE type)
{
	if (status == ND_REMOTE_ERROR)
		return type == Nd2RequestTypeSend ? STATUS_DATA_ERROR : ND_ACCESS_VIOLATION;
	if (status == ND_BUFFER_OVERFLOW && type == Nd2RequestTypeReceive)
		return ND_DATA_OVERRUN;
	return status;
}

/** Convert a native length to 32 bits; a larger value becomes the maximum. */
static inline ULONG
spi_ulong(size_t value)
{
	return value > UINT32_MAX ? UINT32_MAX : (ULONG)value;
}

#endif
