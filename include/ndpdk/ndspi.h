/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_H
#define NDPDK_NDSPI_H

/**
 * @file
 * The Network Direct service provider interface, versions 1 and 2, on top of the native API of
 * nd.h: interfaces, constants and structures with the names, numbers, layouts and order of methods
 * that programs written for Windows know. docs/spi.md says how such a program is built, where
 * adapters come from, and what differs.
 *
 * What holds for all methods, unless a comment says otherwise:
 *
 * - **Threads.** Any thread may call any method, at any time, with two exceptions: requests of one
 *   queue pair, or endpoint, are posted by one thread at a time, as in Network Direct; and nobody
 *   uses an object while another thread releases its last reference.
 * - **Outputs.** After a failure every output is as it was before the call, but that lengths of
 *   buffers say what is needed (ND_BUFFER_OVERFLOW).
 * - **Arguments.** ND_INVALID_PARAMETER_n: argument n, counted from 1 as they are declared, is NULL
 *   where it must not be, out of range, or an object of another kind or of another adapter object.
 *   ND_INVALID_HANDLE: a file is not of CreateOverlappedFile, or was closed; the hEvent of an
 *   OVERLAPPED is not an event. E_NOINTERFACE: a method that makes an object is asked for an
 *   interface that this object does not have.
 * - **Overlapped calls** return ND_PENDING, and the end is told by the OVERLAPPED, even if the
 *   operation is complete already; or they fail, and nothing is told. CompleteConnect is complete
 *   when it returns.
 * - **Objects** keep alive what they were made on, so the order in which they are released does not
 *   matter. The last Release of an object ends its pending operations with ND_CANCELED.
 * - ND_DEVICE_REMOVED, ND_INSUFFICIENT_RESOURCES and ND_NO_MEMORY may come from every method that
 *   makes or begins something.
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
