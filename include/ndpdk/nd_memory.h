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
 * @addtogroup nd_memory
 * @{
 */

/**
 * Register memory for use in requests and windows. Completes at once. INDAdapter::RegisterMemory
 *
 * @param buffer owned by the caller, and kept until the deregistration is complete
 * @param size bytes, 1 .. max_registration_size
 * @param overlapped not used, may be NULL
 * @param[out] mr unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: buffer or mr is NULL, or size is too large;
 *         ND_INVALID_BUFFER_SIZE: size is 0; ND_ACCESS_VIOLATION: buffer + size wraps around;
 *         ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: any.
 */
nd_status nd_adapter_register_memory(struct nd_adapter *adapter, const void *buffer, size_t size,
	struct nd_overlapped *overlapped, struct nd_mr **mr);

/**
 * Register several buffers as one contiguous address range, as an MDL chain in NDK. Network Direct
 * has no such call. In requests, binds and descriptors, the range is [base, base + total): the
 * first buffer begins at base, and each further buffer begins where the previous one ends, at
 * whatever address the buffers are in memory. A request, a window or a peer's access may cross the
 * borders between buffers.
 *
 * @param buffers copied. The caller owns the memory of the buffers as in
 *        nd_adapter_register_memory(). Any order, any lengths; the same bytes may occur twice
 * @param buffer_count 1 .. ND_REGION_BUFFERS_MAX
 * @param base first address of the range; need not be a valid address of the process. NULL: address
 *        of the first buffer, as in NDK
 * @param overlapped not used, may be NULL
 * @param[out] mr unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: no buffers or too many, NULL buffer, total beyond
 *         max_registration_size; ND_INVALID_BUFFER_SIZE: a length is 0; ND_ACCESS_VIOLATION: a
 *         buffer, or base + total, wraps around; ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: any.
 */
nd_status
nd_adapter_register_memory_chain(struct nd_adapter *adapter, const struct nd_buffer *buffers,
	size_t buffer_count, const void *base, struct nd_overlapped *overlapped, struct nd_mr **mr);

/**
 * Deregister memory. After the return no access is in progress, no access can begin, and the memory
 * may be freed. The call waits for engines that are in a turn; these engines need not be polled for
 * that. INDAdapter::DeregisterMemory
 *
 * @param overlapped not used, may be NULL
 * @return ND_SUCCESS; ND_INVALID_HANDLE: mr is not registered memory of this adapter;
 *         ND_DEVICE_BUSY: a window is bound to mr, or a bind to mr is queued; ND_INVALID_PARAMETER:
 *         overlapped is pending
 * @note Threads: control.
 */
nd_status nd_adapter_deregister_memory(
	struct nd_adapter *adapter, struct nd_mr *mr, struct nd_overlapped *overlapped);

nd_status nd_mr_query_sized(
	struct nd_adapter *adapter, const struct nd_mr *mr, struct nd_mr_info *info, size_t size);

/**
 * Query registered memory.
 *
 * @param[out] info unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_HANDLE: mr is not registered memory of this adapter;
 *         ND_INVALID_PARAMETER: info is NULL
 * @note Threads: any.
 */
static inline nd_status
nd_mr_query(struct nd_adapter *adapter, const struct nd_mr *mr, struct nd_mr_info *info)
{
	return nd_mr_query_sized(adapter, mr, info, sizeof(*info));
}

/**
 * List the bound windows through which the peer can reach at least one byte of [buffer, buffer +
 * size). A bind counts from its execution, not from its posting.
 *
 * @param buffer in mr's address space; parts of the range that are outside of mr have no windows
 * @param[out] windows filled with up to *count windows, in no particular order; may be NULL when
 *        *count is 0
 * @param[in,out] count in: entries of windows; out: number of windows found, also with
 *        ND_BUFFER_OVERFLOW
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: more windows than entries; all entries are filled;
 *         ND_INVALID_HANDLE: mr is not registered memory of this adapter; ND_INVALID_PARAMETER:
 *         count is NULL, or windows is NULL and *count is not 0
 * @note Threads: any.
 */
nd_status nd_mr_get_windows(struct nd_adapter *adapter, struct nd_mr *mr, const void *buffer,
	size_t size, struct nd_mw **windows, size_t *count);

/**
 * Close all windows that are bound to registered memory, of all endpoints. After the return no byte
 * of the memory is read or written through these windows. The call waits for the engines of the
 * endpoints if they are in a turn; the engines need not be polled. A deregistration then succeeds,
 * unless binds are queued or posted meanwhile. These binds are not affected, and open their windows
 * when they are executed.
 *
 * The completion queues get no results: neither of this call, nor the windows' invalidate results.
 * The windows can be bound again. An invalidate that is posted later, or is posted but not yet
 * executed, finds its window not bound, and ND_INVALIDATION_ERROR ends its connection.
 *
 * Peers are not informed. If a peer continues to use a closed window, this side answers with NAK
 * "remote access error" (syndrome 0x62), and the connection ends: the peer's request completes with
 * ND_REMOTE_ERROR, and all other requests on both sides with ND_CANCELED. The same happens if a
 * peer sends a message that invalidates the window; the receive of this message completes with
 * ND_INVALIDATION_ERROR.
 *
 * @param overlapped not used, may be NULL
 * @param[out] count number of windows closed; may be NULL; unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_HANDLE: mr is not registered memory of this adapter;
 *         ND_INVALID_PARAMETER: overlapped is pending
 * @note Threads: control.
 */
nd_status nd_mr_invalidate_windows(struct nd_adapter *adapter, struct nd_mr *mr,
	struct nd_overlapped *overlapped, size_t *count);

/**
 * Create a memory window, not bound. INDAdapter::CreateMemoryWindow
 *
 * @param invalidate_result result for the case that the peer invalidates the window. The inbound
 *        completion queue of the endpoint to which the window is bound returns it directly before
 *        the result of the receive. The caller keeps the structure until then, until
 *        nd_endpoint_invalidate() has completed with ND_SUCCESS, or until the window is released.
 *        After a failed nd_endpoint_invalidate() the peer may have invalidated first, and then this
 *        result comes as well
 * @param[out] mw unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: invalidate_result or mw is NULL;
 *         ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: any.
 */
nd_status nd_adapter_create_memory_window(
	struct nd_adapter *adapter, struct nd_result *invalidate_result, struct nd_mw **mw);

/**
 * Release a window. A bound window is invalidated. Then the call waits for engines that are in a
 * turn, because they may be using the window; the engines need not be polled for this. The call
 * also waits if an invalidate was executed but has no result yet. An invalidate result that was not
 * yet taken is discarded.
 *
 * @param mw may be NULL: nothing happens
 * @return ND_SUCCESS; ND_INVALID_HANDLE: mw is not a window of this adapter; ND_DEVICE_BUSY: a bind
 *         is queued
 * @note Threads: control.
 */
nd_status nd_mw_release(struct nd_adapter *adapter, struct nd_mw *mw);

nd_status nd_mw_query_sized(
	struct nd_adapter *adapter, const struct nd_mw *mw, struct nd_mw_info *info, size_t size);

/**
 * Query a window.
 *
 * @param[out] info unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_HANDLE: mw is not a window of this adapter; ND_INVALID_PARAMETER:
 *         info is NULL
 * @note Threads: any.
 */
static inline nd_status
nd_mw_query(struct nd_adapter *adapter, const struct nd_mw *mw, struct nd_mw_info *info)
{
	return nd_mw_query_sized(adapter, mw, info, sizeof(*info));
}

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
