/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDKPI_H
#define NDPDK_NDKPI_H

/**
 * @file
 * The kernel interface of Network Direct (NDK) in user space, on top of the native API, in the
 * library libndpdk-ndk. The functions of an object are in a table, as in the kernel.
 * ndk_adapter_open() creates an adapter from a native adapter of nd_adapter_open().
 *
 * These rules hold for all functions, unless the comment of a function says otherwise:
 *
 * - **Arguments.** If a pointer is NULL, or points to an object of another type or adapter, the
 *   call returns STATUS_INVALID_PARAMETER; functions without a status do nothing. Request contexts
 *   may be NULL. Completion callbacks may be NULL only where this is stated. A call that refuses an
 *   argument logs one line of type lib.ndpdk.api with the function, the parameter and the reason.
 * - **Outputs.** A call that fails leaves all outputs unchanged.
 * - **Completion.** After STATUS_PENDING the callback is called exactly once, maybe before the call
 *   returns. After any other status it is not called. Only connect, accept, disconnect and close
 *   can be pending.
 * - **Threads.** Rules for IRQLs are replaced by rules for threads, with the words of <ndpdk/nd.h>.
 *   *any*: any thread; the engine need not run. *control*: any thread. If it is not the engine's
 *   thread, the call goes through the command ring, so the engine must be polled or launched
 *   meanwhile. *owner*: only the engine's thread. Callbacks run on the engine's thread, or in the
 *   call that causes them, and may call functions of all three kinds.
 */
#include <ndpdk/ndk_adapter.h>
#include <ndpdk/ndk_connection.h>
#include <ndpdk/ndk_listener.h>
#include <ndpdk/ndk_memory.h>
#include <ndpdk/ndk_qp.h>
#include <ndpdk/ndk_queue.h>
#include <ndpdk/ndk_status.h>
#include <ndpdk/ndk_types.h>

#endif
