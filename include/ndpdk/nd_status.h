/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_STATUS_H
#define NDPDK_ND_STATUS_H

/**
 * @file
 * Status codes of calls and requests, with the values of Network Direct.
 */

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_status
 * @{
 */

/**
 * Status of a call or of a request: the HRESULT value of the same name. A call has succeeded if the
 * value is not negative; ND_PENDING is also a success. A *request* has succeeded only if its status
 * is ND_SUCCESS.
 *
 * If a call returns ND_INVALID_PARAMETER or ND_INVALID_PARAMETER_n, the log of DPDK has one line
 * of type lib.ndpdk.api with the function, the parameter and the expected values. n counts the
 * parameters; the object on which the function is called does not count. nd_endpoint_bind_early()
 * and the calls of nd_shared.h use the numbers of the calls of nd_endpoint.h. For functions whose
 * reason nd_adapter_open_error() returns, the log has no such line.
 */
typedef int32_t nd_status;

/** Convert a number to a status. */
#ifdef __cplusplus
#define ND_STATUS(value) (static_cast<nd_status>(value))
#else
#define ND_STATUS(value) ((nd_status)(value))
#endif

#define ND_SUCCESS                ND_STATUS(0x00000000u) /**< done */
/** used only by version 1 of the SPI (ndspi.h) */
#define ND_TIMEOUT                ND_STATUS(0x00000102u)
#define ND_PENDING                ND_STATUS(0x00000103u) /**< in progress, reported later */
#define ND_BUFFER_OVERFLOW        ND_STATUS(0x80000005u) /**< the data do not fit the buffer */
/** Another object still uses this object. */
#define ND_DEVICE_BUSY            ND_STATUS(0x80000011u)
#define ND_NO_MORE_ENTRIES        ND_STATUS(0x8000001Au) /**< too many outstanding requests */
#define ND_UNSUCCESSFUL           ND_STATUS(0xC0000001u) /**< failed for another reason */
#define ND_ACCESS_VIOLATION       ND_STATUS(0xC0000005u) /**< memory not registered, or no right */
/** The object of the handle is freed, or belongs to another adapter. */
#define ND_INVALID_HANDLE         ND_STATUS(0xC0000008u)
#define ND_INVALID_PARAMETER      ND_STATUS(0xC000000Du) /**< an argument is not valid */
/** This request is not allowed on this endpoint. */
#define ND_INVALID_DEVICE_REQUEST ND_STATUS(0xC0000010u)
#define ND_NO_MEMORY              ND_STATUS(0xC0000017u) /**< no memory in EAL or the system */
#define ND_INVALID_PARAMETER_MIX  ND_STATUS(0xC0000030u) /**< arguments contradict each other */
#define ND_DATA_OVERRUN           ND_STATUS(0xC000003Cu) /**< too many list entries */
#define ND_SHARING_VIOLATION      ND_STATUS(0xC0000043u) /**< queue or port number in use */
#define ND_INSUFFICIENT_RESOURCES ND_STATUS(0xC000009Au) /**< a table is full */
#define ND_DEVICE_NOT_READY       ND_STATUS(0xC00000A3u) /**< port missing, or not startable */
#define ND_IO_TIMEOUT             ND_STATUS(0xC00000B5u) /**< no answer to all retries */
#define ND_NOT_SUPPORTED          ND_STATUS(0xC00000BBu) /**< not in this version */
#define ND_INTERNAL_ERROR         ND_STATUS(0xC00000E5u) /**< internal error of the library */
#define ND_INVALID_PARAMETER_1    ND_STATUS(0xC00000EFu) /**< argument 1, see the function */
#define ND_INVALID_PARAMETER_2    ND_STATUS(0xC00000F0u) /**< argument 2, see the function */
#define ND_INVALID_PARAMETER_3    ND_STATUS(0xC00000F1u) /**< argument 3, see the function */
#define ND_INVALID_PARAMETER_4    ND_STATUS(0xC00000F2u) /**< argument 4, see the function */
#define ND_INVALID_PARAMETER_5    ND_STATUS(0xC00000F3u) /**< argument 5, see the function */
#define ND_INVALID_PARAMETER_6    ND_STATUS(0xC00000F4u) /**< argument 6, see the function */
#define ND_INVALID_PARAMETER_7    ND_STATUS(0xC00000F5u) /**< argument 7, see the function */
#define ND_INVALID_PARAMETER_8    ND_STATUS(0xC00000F6u) /**< argument 8, see the function */
#define ND_INVALID_PARAMETER_9    ND_STATUS(0xC00000F7u) /**< argument 9, see the function */
#define ND_INVALID_PARAMETER_10   ND_STATUS(0xC00000F8u) /**< argument 10, see the function */
#define ND_CANCELED               ND_STATUS(0xC0000120u) /**< cancel, flush or disconnect */
#define ND_REMOTE_ERROR           ND_STATUS(0xC000013Du) /**< the peer refused the request */
#define ND_INVALID_ADDRESS        ND_STATUS(0xC0000141u) /**< not a usable unicast address */
#define ND_INVALID_DEVICE_STATE   ND_STATUS(0xC0000184u) /**< wrong state of the object */
#define ND_INVALID_BUFFER_SIZE    ND_STATUS(0xC0000206u) /**< no bytes, or too many bytes */
#define ND_TOO_MANY_ADDRESSES     ND_STATUS(0xC0000209u) /**< no port number is free */
#define ND_ADDRESS_ALREADY_EXISTS ND_STATUS(0xC000020Au) /**< the port number is in use */
#define ND_CONNECTION_REFUSED     ND_STATUS(0xC0000236u) /**< no listener, or rejected */
#define ND_CONNECTION_INVALID     ND_STATUS(0xC000023Au) /**< not connected */
#define ND_CONNECTION_ACTIVE      ND_STATUS(0xC000023Bu) /**< already connected, connecting */
#define ND_NETWORK_UNREACHABLE    ND_STATUS(0xC000023Cu) /**< no route to the peer */
#define ND_HOST_UNREACHABLE       ND_STATUS(0xC000023Du) /**< no MAC address of the peer */
#define ND_CONNECTION_ABORTED     ND_STATUS(0xC0000241u) /**< the peer has given up */
#define ND_DEVICE_REMOVED         ND_STATUS(0xC00002B6u) /**< the port's device was removed */

/*
 * If the port's device was removed (unplugged, or detached from EAL), register_memory, create_*,
 * listen and connect return ND_DEVICE_REMOVED. Connections end with ND_IO_TIMEOUT; release and
 * close still work. A device that later gets the same port number is not used.
 */

/* Names of version 1 for the same values. */
#define ND_LOCAL_LENGTH       ND_DATA_OVERRUN           /**< name of version 1 */
#define ND_INVALIDATION_ERROR ND_INVALID_DEVICE_REQUEST /**< name of version 1 */
#define ND_INVALID_REQUEST    ND_INVALID_DEVICE_REQUEST /**< name of version 1 */
#define ND_FAILURE            ND_INTERNAL_ERROR         /**< name of version 1 */

/**
 * @return true if a call with this status has failed
 * @note Threads: any.
 */
static inline bool
nd_failed(nd_status status)
{
	return status < 0;
}

/**
 * @return name such as "ND_SUCCESS"; "ND_(unknown)" for numbers that have none; static text.
 * @note Threads: any.
 */
const char *nd_status_name(nd_status status);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
