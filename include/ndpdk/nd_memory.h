/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_MEMORY_H
#define NDPDK_ND_MEMORY_H

/**
 * @file
 * Registered memory and memory windows.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * Register memory for use in requests and windows. Completes at once. INDAdapter::RegisterMemory
 *
 * @param buffer owned by the caller, who keeps it until deregistration is complete; size > 0 bytes
 * @param overlapped not used, may be NULL
 * @param[out] mr unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: buffer or mr is NULL, or size is beyond
 *         max_registration_size; ND_INVALID_BUFFER_SIZE: size is 0; ND_ACCESS_VIOLATION: buffer +
 *         size wraps; ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: any.
 */
nd_status nd_adapter_register_memory(struct nd_adapter *adapter, const void *buffer, size_t size,
	struct nd_overlapped *overlapped, struct nd_mr **mr);

/**
 * Register several buffers as one piece of memory, in this order, as an MDL chain is in NDK; the
 * native API has no such call. Requests, binds and descriptors name its bytes as [base, base +
 * total): the first buffer begins at base, each further one where the one before ends, wherever the
 * buffers really are. A request, a window or a peer's access may run across any of their borders.
 *
 * @param buffers  copied; what they point to is owned by the caller as in
 *                 nd_adapter_register_memory(). In any order, of any lengths; the same bytes may be
 *                 in it twice
 * @param buffer_count 1 .. ND_REGION_BUFFERS_MAX
 * @param base     only a number, need not be the address of anything; NULL: address of the first
 *                 buffer, as in NDK
 * @param overlapped not used, may be NULL
 * @param[out] mr unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: no buffers or too many, NULL buffer, total beyond
 *         max_registration_size; ND_INVALID_BUFFER_SIZE: a length is 0; ND_ACCESS_VIOLATION: a
 *         buffer, or base + total, wraps; ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: any.
 */
nd_status
nd_adapter_register_memory_chain(struct nd_adapter *adapter, const struct nd_buffer *buffers,
	size_t buffer_count, const void *base, struct nd_overlapped *overlapped, struct nd_mr **mr);

/**
 * End a registration. When the call returns, no access is in progress, none begins any more, and
 * the memory may be freed. The call waits for engines that are in the middle of a turn; it does not
 * need them to be polled. INDAdapter::DeregisterMemory
 *
 * @param overlapped not used, may be NULL
 * @return ND_SUCCESS; ND_INVALID_HANDLE: not registered memory of this adapter; ND_DEVICE_BUSY: a
 *         window is bound to it, or a bind to it is queued; ND_INVALID_PARAMETER: overlapped is
 *         pending
 * @note Threads: control.
 */
nd_status nd_adapter_deregister_memory(
	struct nd_adapter *adapter, struct nd_mr *mr, struct nd_overlapped *overlapped);

/**
 * Query registered memory.
 *
 * @param[out] info unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_HANDLE: not registered memory of this adapter;
 *         ND_INVALID_PARAMETER: info is NULL
 * @note Threads: any.
 */
nd_status nd_mr_query(struct nd_adapter *adapter, const struct nd_mr *mr, struct nd_mr_info *info);

/**
 * Find the bound windows through which the peer can reach at least one byte of [buffer, buffer +
 * size). Binds count when executed, not when posted.
 *
 * @param buffer in mr's address space; parts of the range that are outside it have no windows
 * @param[out] windows filled with as many as there is room for, in no particular order; may be
 *        NULL when *count is 0
 * @param[in,out] count in: room; out: how many there are, also with ND_BUFFER_OVERFLOW
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: more than room, and windows is full; ND_INVALID_HANDLE:
 *         not registered memory of this adapter; ND_INVALID_PARAMETER: count is NULL, or windows is
 *         and *count is not 0
 * @note Threads: any.
 */
nd_status nd_mr_get_windows(struct nd_adapter *adapter, struct nd_mr *mr, const void *buffer,
	size_t size, struct nd_mw **windows, size_t *count);

/**
 * Close all windows that are bound to registered memory, whatever endpoints bound them. When the
 * call returns, no byte of the memory changes or is read through them any more; it waits for the
 * engines of those endpoints if they are in the middle of a turn. A deregistration then succeeds,
 * unless binds were queued or posted meanwhile: these are not affected, and open their windows when
 * executed. The engines need not be polled.
 *
 * Nothing comes through a completion queue: neither a result of this, nor the windows' invalidate
 * results. The windows can be bound again. An invalidate that is posted, or was and is not executed
 * yet, finds its window not bound: ND_INVALIDATION_ERROR ends that connection.
 *
 * Peers are not told. One that goes on, in the middle of a message or with the next, is answered
 * with NAK "remote access error" (syndrome 0x62), and the connection ends: its request completes
 * with ND_REMOTE_ERROR, all others on both sides with ND_CANCELED. So does one that sends and
 * invalidates, whose message's receive completes with ND_INVALIDATION_ERROR.
 *
 * @param overlapped not used, may be NULL
 * @param[out] count how many windows were closed; may be NULL; unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_HANDLE: not registered memory of this adapter;
 *         ND_INVALID_PARAMETER: overlapped is pending
 * @note Threads: control.
 */
nd_status nd_mr_invalidate_windows(struct nd_adapter *adapter, struct nd_mr *mr,
	struct nd_overlapped *overlapped, size_t *count);

/**
 * Make a memory window, unbound. INDAdapter::CreateMemoryWindow
 *
 * @param invalidate_result comes through the inbound completion queue of the endpoint that the
 *         window is bound to, right before the result of the receive, when the peer invalidates the
 *         window. The caller keeps it valid until then, until nd_endpoint_invalidate() has
 *         completed with ND_SUCCESS (with a failure the peer may have been first, and this result
 *         comes as well), or until the window is released
 * @param[out] mw unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: invalidate_result or mw is NULL;
 *         ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: any.
 */
nd_status nd_adapter_create_memory_window(
	struct nd_adapter *adapter, struct nd_result *invalidate_result, struct nd_mw **mw);

/**
 * Release a window. A bound window is invalidated. The call then waits for engines that are in the
 * middle of a turn, because they may be using the window; so does it after an invalidate that was
 * executed and has no result yet. An invalidate result that was not taken
 * yet is discarded.
 *
 * @param mw may be NULL: nothing happens
 * @return ND_SUCCESS; ND_INVALID_HANDLE: not a window of this adapter; ND_DEVICE_BUSY: a bind is
 *         queued
 * @note Threads: control.
 */
nd_status nd_mw_release(struct nd_adapter *adapter, struct nd_mw *mw);

/**
 * Query a window.
 *
 * @param[out] info unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_HANDLE: not a window of this adapter; ND_INVALID_PARAMETER: info
 *         is NULL
 * @note Threads: any.
 */
nd_status nd_mw_query(struct nd_adapter *adapter, const struct nd_mw *mw, struct nd_mw_info *info);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
