/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_STATUS_H
#define NDPDK_SPI_STATUS_H

#include <ndpdk/nd_status.h>
#include <ndpdk/ndspi_types.h>

/**
 * Status of a result of version 2, from that of the native API, for all that are not ND_SUCCESS.
 * Version 2 calls the failures of memory by other names: what the peer has refused is
 * ND_ACCESS_VIOLATION to Read and Write (ND-114, ND-115), and STATUS_DATA_ERROR to Send, whose
 * message was too long for the Receive (ND-117), which itself gets ND_DATA_OVERRUN.
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

/** A length of the native API in an interface that has 32 bits for it. */
static inline ULONG
spi_ulong(size_t value)
{
	return value > UINT32_MAX ? UINT32_MAX : (ULONG)value;
}

#endif
