/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDKPI_H
#define NDPDK_NDKPI_H

/**
 * @file
 * The kernel interface of Network Direct (NDK) in user space, on top of the native one; in the
 * library libndpdk-ndk. Objects are reached through tables of functions, as in the kernel; the
 * native adapter that all of them are made on comes from nd_adapter_open().
 *
 * What holds for all functions, unless a comment says otherwise:
 *
 * - **Arguments.** A pointer that is NULL, or to an object of another type or another adapter,
 *   gives STATUS_INVALID_PARAMETER; functions without status do nothing. Request contexts may be
 *   NULL. Completion callbacks may be NULL only where it is said.
 * - **Outputs.** After a failure they are as they were.
 * - **Completion.** STATUS_PENDING: the callback is called exactly once, perhaps before the call
 *   has returned. Any other status: never. Only connecting, accepting, disconnecting and closing
 *   can be pending.
 * - **Threads.** Rules of IRQLs become rules of threads; each function has one of the words of
 *   <ndpdk/nd.h>. *any*: any thread, the engine need not run. *control*: any thread; from another
 *   one than the engine's it goes through the command ring, so that the engine has to be polled or
 *   launched meanwhile. *owner*: the engine's thread only. Callbacks run on the engine's thread,
 *   or on that of the call which causes them, and may call all three kinds.
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
