/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_REGION_H
#define NDPDK_ND_REGION_H

/**
 * @file
 * Memory regions: registered memory with rights and a key, as IND2MemoryRegion of ND version 2,
 * NDK_MR of NDK and ibv_mr of verbs. nd_memory.h registers memory that peers reach only through
 * windows.
 *
 * The rights of a region decide which uses of its bytes are allowed:
 *
 *   source of a send, a write or a peer's read    always allowed
 *   receive                                       ALLOW_LOCAL_WRITE
 *   destination of an own read or atomic          ALLOW_LOCAL_WRITE or RDMA_READ_SINK
 *   window that allows reading                    always allowed
 *   window that allows writing or atomics         ALLOW_LOCAL_WRITE
 *   access of a peer with the remote token        ALLOW_REMOTE_READ, _WRITE, _ATOMIC
 *
 * If a region lacks the right for a request, the request completes with ND_ACCESS_VIOLATION, which
 * ends the connection. A bind is refused with the same status.
 *
 * A region has a key only if a REMOTE flag is set. With the key, the peer of ANY endpoint of the
 * adapter can access the whole region until the deregistration. Use a window to give a peer only a
 * part of the memory, or access for a shorter time. Guesses of keys of regions and of windows are
 * refused, counted and barred in the same way (docs/security.md).
 *
 * A peer addresses bytes by their address in the region's address space (from struct
 * nd_mr_info.base) and by the remote token. Address, length and token together form a struct
 * nd_mw_descriptor for nd_endpoint_read(), nd_endpoint_write() and the atomics. A peer cannot
 * invalidate a region: nd_endpoint_send_and_invalidate() with its token ends the connection.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_region
 * @{
 */

/*
 * Rights of a registration. The lower 16 bits have the values of Network Direct version 2 and NDK.
 * Flags above the lower 16 bits are extensions of this library. The values of the flags that let a
 * peer write include the bit of ALLOW_LOCAL_WRITE.
 */
/** Receives and windows may write to the region. */
#define ND_MR_FLAG_ALLOW_LOCAL_WRITE   0x00000001u
#define ND_MR_FLAG_ALLOW_REMOTE_READ   0x00000002u /**< peers may read with the key */
#define ND_MR_FLAG_ALLOW_REMOTE_WRITE  0x00000005u /**< peers may write with the key */
/** Own reads and atomics may write their data to the region. */
#define ND_MR_FLAG_RDMA_READ_SINK      0x00000008u
#define ND_MR_FLAG_ALLOW_REMOTE_ATOMIC 0x00010001u /**< peers may use atomics with the key */

/*
 * Flags of nd_endpoint_bind() and nd_endpoint_bind_early():
 *
 * ND_OP_FLAG_ALLOW_ANY_ENDPOINT opens the window to the peers of all endpoints of the adapter, and
 * not only to the peer of the endpoint that binds it (as the windows of NDK, which are of type 1).
 * All endpoints of the adapter and their peers may invalidate the window. If a peer invalidates it,
 * the inbound completion queue of the endpoint that received the peer's message returns the
 * invalidate result. The window stays bound when the endpoint that bound it ends.
 *
 * ND_OP_FLAG_ALLOW_NOTHING binds a window without rights. ND version 2 expresses this by a bind
 * without an ALLOW flag. Together with another ALLOW flag, ALLOW_NOTHING has no effect.
 */

/**
 * Register memory with rights. Completes at once. IND2MemoryRegion::Register, NdkRegisterMr
 *
 * @param buffers, buffer_count, base as for nd_adapter_register_memory_chain(); usually one buffer
 * @param flags ND_MR_FLAG_; 0 = the memory is only a source of sends, writes and windows for
 *        reading
 * @param overlapped not used, may be NULL
 * @param[out] mr unchanged after a failure
 * @return as nd_adapter_register_memory_chain(); ND_INVALID_PARAMETER: also unknown or incomplete
 *         flags
 * @note Threads: any.
 */
nd_status nd_adapter_register_region(struct nd_adapter *adapter, const struct nd_buffer *buffers,
	size_t buffer_count, const void *base, uint32_t flags, struct nd_overlapped *overlapped,
	struct nd_mr **mr);

/**
 * Return the key with which peers access a region. The key is constant during the registration, and
 * invalid when nd_adapter_deregister_memory() returns. IND2MemoryRegion::GetRemoteToken,
 * NdkGetRemoteTokenFromMr
 *
 * For a fast region with remote_access, the call returns the key of the registration that was
 * posted last, even if the registration gives no rights to peers. Before the first registration, no
 * access with the returned key succeeds.
 *
 * @param[out] token in network byte order, as nd_mw_descriptor.token, to be sent unchanged;
 *        unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_HANDLE: mr is not registered memory of this adapter;
 *         ND_ACCESS_VIOLATION: the region has no key, because no REMOTE flag was set;
 *         ND_INVALID_PARAMETER: token is NULL
 * @note Threads: any.
 */
nd_status
nd_mr_get_remote_token(struct nd_adapter *adapter, const struct nd_mr *mr, uint32_t *token);

/**
 * Return the local token of a region: a number with which the application finds the region
 * (nd_adapter_find_region()). Every region has a local token. Peers cannot use it.
 * IND2MemoryRegion::GetLocalToken, NdkGetLocalTokenFromMr
 *
 * @param[out] token in host byte order; never 0; unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_HANDLE: mr is not registered memory of this adapter;
 *         ND_INVALID_PARAMETER: token is NULL
 * @note Threads: any.
 */
nd_status
nd_mr_get_local_token(struct nd_adapter *adapter, const struct nd_mr *mr, uint32_t *token);

/**
 * Find a region by its local token, for lists that identify memory by tokens. The call takes
 * constant time and no lock.
 *
 * @return handle of the region; NULL: no region of this adapter has this token
 * @note Threads: any.
 */
struct nd_mr *nd_adapter_find_region(struct nd_adapter *adapter, uint32_t local_token);

/*
 * Fast registration (NDK; IBV_WR_REG_MR of verbs): an empty region is created once. Then requests
 * on any endpoint register memory in the region and invalidate the registration, in order with the
 * other requests on this endpoint. So a region can be opened for one exchange with a peer, without
 * a control call and without a window.
 *
 * The handle is used in lists like other handles. It stands for the registration that is valid
 * when the request is executed. The local token is constant, but each registration has a new
 * remote token. Windows cannot be bound to a fast region: a bind returns ND_INVALID_PARAMETER_4,
 * because only a registration has memory, and a bind does not use registrations.
 */

/** Bytes of a page of a fast region. Page addresses are multiples of this size. */
#define ND_FAST_PAGE_BYTES 4096u

/**
 * Create an empty region for nd_endpoint_fast_register(). NdkInitializeFastRegisterMr
 *
 * nd_adapter_deregister_memory() frees the region, even if memory is registered in it, but returns
 * ND_DEVICE_BUSY while a fast register is queued. nd_mr_query() returns the current registration;
 * if there is none, length is 0. A fast region uses four entries of nd_adapter_config.regions_max.
 *
 * @param max_pages maximum number of pages of one registration, 1 .. ND_REGION_BUFFERS_MAX
 * @param remote_access whether registrations may grant rights to peers
 * @param[out] mr unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: max_pages is out of range, or mr is NULL;
 *         ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: any.
 */
nd_status nd_adapter_create_fast_region(
	struct nd_adapter *adapter, size_t max_pages, bool remote_access, struct nd_mr **mr);

/**
 * Register pages in a fast region. The registration is valid after this request has been executed,
 * so requests that are posted after it on this endpoint may use it. The remote token can be queried
 * when this call returns, but is valid only after the execution. NdkFastRegister
 *
 * The pages may have any addresses. The region's bytes are [base, base + length) of its address
 * space. The first byte is at first_byte_offset of pages[0].
 *
 * @param pages copied; each address is a multiple of ND_FAST_PAGE_BYTES. The caller keeps the
 *        memory until the registration is invalidated
 * @param page_count 1 .. max_pages
 * @param first_byte_offset less than ND_FAST_PAGE_BYTES
 * @param length bytes, at least 1; the range must not extend beyond the last page
 * @param base first address of the region; base modulo ND_FAST_PAGE_BYTES must be first_byte_offset
 * @param flags SILENT_SUCCESS, READ_FENCE; rights of peers: ALLOW_READ, ALLOW_WRITE, ALLOW_ATOMIC;
 *        rights of this side: ALLOW_LOCAL_WRITE, which ALLOW_WRITE and _ATOMIC include,
 *        RDMA_READ_SINK
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: result is NULL; _2: mr is not a fast region of this
 *         adapter; _3: pages is NULL, or an address is NULL or not a multiple of the page size;
 *         _4, _5, _6: page_count, first_byte_offset or length is out of range; _7: base is not
 *         valid, or base + length wraps around; _8: unknown flags; ND_ACCESS_VIOLATION: flags
 *         grant rights to peers, but the region was created without remote_access;
 *         ND_INVALID_DEVICE_STATE: memory is registered in mr, and no invalidate is posted;
 *         ND_INSUFFICIENT_RESOURCES: no free key, or three registrations of mr are valid or
 *         queued; ND_CONNECTION_INVALID; ND_NO_MORE_ENTRIES
 * @note Threads: owner.
 */
nd_status nd_endpoint_fast_register(struct nd_endpoint *endpoint, struct nd_result *result,
	struct nd_mr *mr, void *const pages[], size_t page_count, size_t first_byte_offset,
	size_t length, const void *base, uint32_t flags);

/**
 * Invalidate the registration of a fast region. After the result, no byte is transferred through
 * the region by requests of this side or of a peer. While another engine that may use the memory is
 * in a turn, this request and those posted after it wait in the send queue. If nothing is
 * registered, the result is ND_INVALIDATION_ERROR, which ends the connection. NdkInvalidate
 *
 * A peer can invalidate the registration with nd_endpoint_send_and_invalidate() and the remote
 * token. The result of the receive for its message then has the flag ND_RESULT_INVALIDATED, and is
 * returned only when no engine uses the memory any more. The message is refused if the
 * registration grants peers no right.
 *
 * @param flags SILENT_SUCCESS, READ_FENCE
 * @return as for all requests (nd_endpoint.h); ND_INVALID_PARAMETER_2: mr is not a fast region of
 *         this adapter; _3: unknown flags
 * @note Threads: owner.
 */
nd_status nd_endpoint_invalidate_region(
	struct nd_endpoint *endpoint, struct nd_result *result, struct nd_mr *mr, uint32_t flags);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
