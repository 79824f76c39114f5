/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_STATUS_H
#define NDPDK_NDK_STATUS_H

/**
 * @file
 * NTSTATUS codes of the kernel interface, with their numbers.
 */

#include <ndpdk/ndk_types.h>
#include <ndpdk/win/ntvalue.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * The #ifndef lines are needed, because <ndpdk/win/ntstatus.h> defines some codes with the same
 * text.
 */
#ifndef STATUS_SUCCESS
#define STATUS_SUCCESS NDWIN_STATUS(0x00000000u) /**< done */
#endif
#ifndef STATUS_PENDING
#define STATUS_PENDING NDWIN_STATUS(0x00000103u) /**< pending; a callback reports the end */
#endif
#ifndef STATUS_BUFFER_OVERFLOW
#define STATUS_BUFFER_OVERFLOW NDWIN_STATUS(0x80000005u) /**< the data do not fit the buffer */
#endif
#ifndef STATUS_DEVICE_BUSY
#define STATUS_DEVICE_BUSY NDWIN_STATUS(0x80000011u) /**< another object uses this object */
#endif
#ifndef STATUS_UNSUCCESSFUL
#define STATUS_UNSUCCESSFUL NDWIN_STATUS(0xC0000001u) /**< failed for another reason */
#endif
#ifndef STATUS_ACCESS_VIOLATION
/** memory not registered, or no access right */
#define STATUS_ACCESS_VIOLATION NDWIN_STATUS(0xC0000005u)
#endif
#ifndef STATUS_INVALID_HANDLE
/** the handle is stale, or of another adapter */
#define STATUS_INVALID_HANDLE NDWIN_STATUS(0xC0000008u)
#endif
#ifndef STATUS_INVALID_PARAMETER
#define STATUS_INVALID_PARAMETER NDWIN_STATUS(0xC000000Du) /**< an argument is not valid */
#endif
#ifndef STATUS_INVALID_DEVICE_REQUEST
#define STATUS_INVALID_DEVICE_REQUEST                                                              \
	NDWIN_STATUS(0xC0000010u) /**< not allowed on this queue pair */
#endif
#ifndef STATUS_NO_MEMORY
#define STATUS_NO_MEMORY NDWIN_STATUS(0xC0000017u) /**< no memory of EAL or the system */
#endif
#ifndef STATUS_BUFFER_TOO_SMALL
#define STATUS_BUFFER_TOO_SMALL NDWIN_STATUS(0xC0000023u) /**< the required size was stored */
#endif
#ifndef STATUS_INVALID_PARAMETER_MIX
#define STATUS_INVALID_PARAMETER_MIX                                                               \
	NDWIN_STATUS(0xC0000030u) /**< arguments contradict each other */
#endif
#ifndef STATUS_DATA_OVERRUN
#define STATUS_DATA_OVERRUN NDWIN_STATUS(0xC000003Cu) /**< too many list entries */
#endif
#ifndef STATUS_SHARING_VIOLATION
#define STATUS_SHARING_VIOLATION NDWIN_STATUS(0xC0000043u) /**< the port number is in use */
#endif
#ifndef STATUS_INSUFFICIENT_RESOURCES
#define STATUS_INSUFFICIENT_RESOURCES NDWIN_STATUS(0xC000009Au) /**< a table or a queue is full */
#endif
#ifndef STATUS_DEVICE_NOT_READY
#define STATUS_DEVICE_NOT_READY NDWIN_STATUS(0xC00000A3u) /**< the adapter's port does not exist */
#endif
#ifndef STATUS_IO_TIMEOUT
#define STATUS_IO_TIMEOUT NDWIN_STATUS(0xC00000B5u) /**< no answer after the last retry */
#endif
#ifndef STATUS_NOT_SUPPORTED
#define STATUS_NOT_SUPPORTED NDWIN_STATUS(0xC00000BBu) /**< not in this version */
#endif
#ifndef STATUS_INTERNAL_ERROR
#define STATUS_INTERNAL_ERROR NDWIN_STATUS(0xC00000E5u) /**< internal error of the library */
#endif
#ifndef STATUS_CANCELLED
#define STATUS_CANCELLED NDWIN_STATUS(0xC0000120u) /**< flush, disconnect or close */
#endif
#ifndef STATUS_REMOTE_RESOURCES
#define STATUS_REMOTE_RESOURCES NDWIN_STATUS(0xC000013Du) /**< the peer refused the request */
#endif
#ifndef STATUS_INVALID_ADDRESS
#define STATUS_INVALID_ADDRESS NDWIN_STATUS(0xC0000141u) /**< not a usable address */
#endif
#ifndef STATUS_INVALID_DEVICE_STATE
/** the object is in the wrong state */
#define STATUS_INVALID_DEVICE_STATE NDWIN_STATUS(0xC0000184u)
#endif
#ifndef STATUS_INVALID_BUFFER_SIZE
#define STATUS_INVALID_BUFFER_SIZE NDWIN_STATUS(0xC0000206u) /**< the length is 0 or too large */
#endif
#ifndef STATUS_TOO_MANY_ADDRESSES
#define STATUS_TOO_MANY_ADDRESSES NDWIN_STATUS(0xC0000209u) /**< no port number is free */
#endif
#ifndef STATUS_ADDRESS_ALREADY_EXISTS
#define STATUS_ADDRESS_ALREADY_EXISTS                                                              \
	NDWIN_STATUS(0xC000020Au) /**< the address pair has a connection */
#endif
#ifndef STATUS_CONNECTION_REFUSED
#define STATUS_CONNECTION_REFUSED NDWIN_STATUS(0xC0000236u) /**< no listener, or rejected */
#endif
#ifndef STATUS_CONNECTION_INVALID
#define STATUS_CONNECTION_INVALID NDWIN_STATUS(0xC000023Au) /**< no connection or request */
#endif
#ifndef STATUS_CONNECTION_ACTIVE
#define STATUS_CONNECTION_ACTIVE NDWIN_STATUS(0xC000023Bu) /**< already connecting or connected */
#endif
#ifndef STATUS_NETWORK_UNREACHABLE
#define STATUS_NETWORK_UNREACHABLE NDWIN_STATUS(0xC000023Cu) /**< no route to the peer */
#endif
#ifndef STATUS_HOST_UNREACHABLE
#define STATUS_HOST_UNREACHABLE NDWIN_STATUS(0xC000023Du) /**< the peer's MAC address is unknown */
#endif
#ifndef STATUS_CONNECTION_ABORTED
#define STATUS_CONNECTION_ABORTED NDWIN_STATUS(0xC0000241u) /**< the peer has given up */
#endif
#ifndef STATUS_DEVICE_REMOVED
#define STATUS_DEVICE_REMOVED NDWIN_STATUS(0xC00002B6u) /**< the port's device was removed */
#endif
#ifndef STATUS_IMPLEMENTATION_LIMIT
#define STATUS_IMPLEMENTATION_LIMIT                                                                \
	NDWIN_STATUS(0xC000042Bu) /**< more pages than the adapter allows */
#endif

/**
 * @return name such as "STATUS_SUCCESS"; "STATUS_(unknown)" for other numbers; static text
 * @note Threads: any.
 */
const char *ndk_status_name(NTSTATUS status);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
