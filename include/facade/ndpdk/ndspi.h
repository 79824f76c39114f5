/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_H
#define NDPDK_NDSPI_H

/**
 * @file
 * The Network Direct service provider interface, versions 1 and 2, on top of the native API of
 * nd.h. Interfaces, constants and structures have the names, numbers, layouts and order of methods
 * of Windows. docs/facade/spi.md explains how such a program is built, how adapters are configured,
 * and what differs from Windows.
 *
 * These rules hold for all methods, unless the comment of a method says otherwise:
 *
 * - **Threads.** Any thread may call any method at any time, with two exceptions. Only one thread
 *   at a time may post requests to a queue pair or endpoint, as in Network Direct. While a thread
 *   releases the last reference of an object, no other thread may use the object.
 * - **Outputs.** A call that fails leaves all outputs unchanged, except that with
 *   ND_BUFFER_OVERFLOW the lengths of buffers contain the required length.
 * - **Arguments.** ND_INVALID_PARAMETER_n: argument n, counted from 1, must not be NULL, is out of
 *   range, or is an object of another kind or of another adapter object. ND_INVALID_HANDLE: a file
 *   is not from CreateOverlappedFile, or was closed; the hEvent of an OVERLAPPED is not an event.
 *   E_NOINTERFACE: a method that creates an object does not support the requested interface.
 * - **Overlapped calls** either fail and report nothing, or return ND_PENDING and report the end
 *   through the OVERLAPPED, even if the operation is already complete. CompleteConnect is complete
 *   when it returns.
 * - **Objects** hold references to the objects on which they were created, so they may be released
 *   in any order. The last Release of an object ends its pending operations with ND_CANCELED.
 * - Every method that creates or begins something may return ND_DEVICE_REMOVED,
 *   ND_INSUFFICIENT_RESOURCES and ND_NO_MEMORY.
 */

#include <ndpdk/ndspi_iid.h>
#include <ndpdk/ndspi_interface.h>
#include <ndpdk/ndspi_types.h>
#include <ndpdk/ndspi_v1.h>
#include <ndpdk/ndspi_v1_endpoint.h>
#include <ndpdk/ndspi_v2.h>
#include <ndpdk/ndspi_v2_connection.h>
#include <ndpdk/ndspi_v2_memory.h>
#ifndef __cplusplus
#include <ndpdk/ndspi_call.h>
#endif

#endif
