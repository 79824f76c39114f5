/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_REGION_H
#define NDPDK_ND_REGION_H

/**
 * @file
 * Registered memory with rights, and with a key of its own: what IND2MemoryRegion of ND v2, NDK_MR
 * of NDK and ibv_mr of verbs are. nd_memory.h registers memory that peers reach through windows
 * only.
 *
 * A region's rights say what may be done with its bytes:
 *
 *   send, write, and an RDMA read of the peer     always (as a source, by this side)
 *   receive                                       ALLOW_LOCAL_WRITE
 *   own read, own atomic, whose answers come in   ALLOW_LOCAL_WRITE or RDMA_READ_SINK
 *   window that allows reading                    always
 *   window that allows writing or atomics         ALLOW_LOCAL_WRITE
 *   peer with the region's remote token           ALLOW_REMOTE_READ, _WRITE, _ATOMIC
 *
 * A request that its memory lacks the right for completes with ND_ACCESS_VIOLATION, which ends the
 * connection; a bind is refused with it.
 *
 * Keys of regions are off unless a REMOTE flag asks for one. A key reaches the whole region, from
 * the peer of ANY endpoint of the adapter, from the registration to the deregistration: a peer that
 * shall reach less, or not as long, is given a window. Guesses of keys of regions and of windows
 * are refused, counted and barred in the same way (docs/security.md).
 *
 * The peer names bytes by their address in the region's address space (struct nd_mr_info.base and
 * on) and by the remote token; both, with the length, make a struct nd_mw_descriptor for
 * nd_endpoint_read(), nd_endpoint_write() and the atomics. A region cannot be invalidated by a
 * peer: nd_endpoint_send_and_invalidate() with its token ends the connection.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * Rights of a registration. The lower 16 bits are those of Network Direct v2 and NDK, and have
 * their numbers; what is above them is this library's own. A flag that writes contains
 * ALLOW_LOCAL_WRITE.
 */
#define ND_MR_FLAG_ALLOW_LOCAL_WRITE   0x00000001u /**< receives and windows may change it */
#define ND_MR_FLAG_ALLOW_REMOTE_READ   0x00000002u /**< with the region's key */
#define ND_MR_FLAG_ALLOW_REMOTE_WRITE  0x00000005u /**< likewise */
#define ND_MR_FLAG_RDMA_READ_SINK      0x00000008u /**< own reads and atomics may change it */
#define ND_MR_FLAG_ALLOW_REMOTE_ATOMIC 0x00010001u /**< with the region's key */

/*
 * For nd_endpoint_bind() and nd_endpoint_bind_early():
 *
 * ND_OP_FLAG_ALLOW_ANY_ENDPOINT opens the window to the peers of all endpoints of the adapter, as
 * NDK's windows are (windows of type 1), not only to that of the endpoint that binds it. Any of the
 * endpoints may invalidate it, and so may any of the peers; its invalidate result then comes
 * through the inbound completion queue of the endpoint that the peer's message came to. It stays
 * bound when the endpoint that bound it ends.
 *
 * ND_OP_FLAG_ALLOW_NOTHING binds a window that grants no right, where ND v2 has no ALLOW flag at
 * all. Beside another ALLOW flag it means nothing.
 */

/**
 * Register memory with rights. Completes at once. IND2MemoryRegion::Register, NdkRegisterMr
 *
 * @param buffers, buffer_count, base as of nd_adapter_register_memory_chain(); one buffer is usual
 * @param flags ND_MR_FLAG_, 0 = only to be sent and read from
 * @param overlapped not used, may be NULL
 * @param[out] mr unchanged after a failure
 * @return as nd_adapter_register_memory_chain(); ND_INVALID_PARAMETER: also unknown flags, or a
 *         part of one
 * @note Threads: any.
 */
nd_status nd_adapter_register_region(struct nd_adapter *adapter, const struct nd_buffer *buffers,
	size_t buffer_count, const void *base, uint32_t flags, struct nd_overlapped *overlapped,
	struct nd_mr **mr);

/**
 * Tell the key with which peers reach a region. It is the same for the life of the registration,
 * and dead when nd_adapter_deregister_memory() returns. IND2MemoryRegion::GetRemoteToken,
 * NdkGetRemoteTokenFromMr
 *
 * Of a fast region it is that of the registration that was posted last.
 *
 * @param[out] token in network byte order, as nd_mw_descriptor.token: to be sent as it is;
 *         unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_HANDLE: not registered memory of this adapter;
 *         ND_ACCESS_VIOLATION: registered without a REMOTE flag, so that no peer can reach it;
 *         ND_INVALID_PARAMETER: token is NULL
 * @note Threads: any.
 */
nd_status
nd_mr_get_remote_token(struct nd_adapter *adapter, const struct nd_mr *mr, uint32_t *token);

/**
 * Tell a number by which the application itself names a region, for nd_adapter_find_region(). Every
 * region has one; peers have no use for it. IND2MemoryRegion::GetLocalToken,
 * NdkGetLocalTokenFromMr
 *
 * @param[out] token in host byte order; never 0; unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_HANDLE: not registered memory of this adapter;
 *         ND_INVALID_PARAMETER: token is NULL
 * @note Threads: any.
 */
nd_status
nd_mr_get_local_token(struct nd_adapter *adapter, const struct nd_mr *mr, uint32_t *token);

/**
 * Find a region by its local token, for lists that name memory by tokens. O(1), and takes no lock.
 *
 * @return its handle; NULL: no live region of this adapter has this token
 * @note Threads: any.
 */
struct nd_mr *nd_adapter_find_region(struct nd_adapter *adapter, uint32_t local_token);

/*
 * Fast register (NDK, verbs' IBV_WR_REG_MR): a region that is made once, empty, and whose memory is
 * then registered and invalidated by requests of any endpoint, in their order among the others. So
 * a region can be opened for one exchange with a peer, without a control call and without a window.
 *
 * The handle is used in lists as every other: its bytes are those of the registration that is live
 * when the request is executed. The local token stays; each registration has another remote token.
 * No windows can be bound to such a region.
 */

/** Bytes of a page of a fast region; its address is a multiple of that. */
#define ND_FAST_PAGE_BYTES 4096u

/**
 * Make a region for nd_endpoint_fast_register(), empty. NdkInitializeFastRegisterMr
 *
 * nd_adapter_deregister_memory() ends it, also while memory is registered in it; ND_DEVICE_BUSY
 * while a fast register is queued. nd_mr_query() tells what is registered now, length 0: nothing.
 * It takes four of nd_adapter_config.regions_max.
 *
 * @param max_pages of one registration, 1 .. ND_REGION_BUFFERS_MAX
 * @param remote_access whether registrations may be opened to peers
 * @param[out] mr unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: max_pages, or mr is NULL; ND_INSUFFICIENT_RESOURCES;
 *         ND_DEVICE_REMOVED
 * @note Threads: any.
 */
nd_status nd_adapter_create_fast_region(
	struct nd_adapter *adapter, size_t max_pages, bool remote_access, struct nd_mr **mr);

/**
 * Register pages in a fast region, from the moment this request is executed: requests behind it on
 * this endpoint may use them. Its remote token can be had as soon as this returns, and is dead
 * until then. NdkFastRegister
 *
 * The pages may lie anywhere. The region's bytes are [base, base + length) of its address space,
 * the first one at first_byte_offset of pages[0].
 *
 * @param pages copied; each a multiple of ND_FAST_PAGE_BYTES, of memory that the caller keeps until
 *        the registration is invalidated
 * @param page_count 1 .. max_pages
 * @param first_byte_offset below ND_FAST_PAGE_BYTES
 * @param length 1 .. what the pages hold from there on
 * @param base only a number; at the same offset in its page as the first byte
 * @param flags SILENT_SUCCESS, READ_FENCE; rights of peers: ALLOW_READ, ALLOW_WRITE, ALLOW_ATOMIC;
 *        rights of this side: ALLOW_LOCAL_WRITE, which ALLOW_WRITE and _ATOMIC contain,
 *        RDMA_READ_SINK
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: result is NULL; _2: mr is no live fast region of this
 *         adapter; _3: pages is NULL, or one of them no page; _4: page_count; _5:
 *         first_byte_offset; _6: length; _7: base, or base + length wraps; _8: unknown flags;
 *         ND_ACCESS_VIOLATION: rights of peers, and it was made without remote_access;
 *         ND_INVALID_DEVICE_STATE: memory is registered in it, and no invalidate posted;
 *         ND_INSUFFICIENT_RESOURCES: no free key, or three registrations of it are live or queued;
 *         ND_CONNECTION_INVALID; ND_NO_MORE_ENTRIES
 * @note Threads: owner.
 */
nd_status nd_endpoint_fast_register(struct nd_endpoint *endpoint, struct nd_result *result,
	struct nd_mr *mr, void *const pages[], size_t page_count, size_t first_byte_offset,
	size_t length, const void *base, uint32_t flags);

/**
 * Invalidate what is registered in a fast region. From the result on no byte moves through it, by
 * requests of this side or of a peer. While another engine that may use the memory is in a turn,
 * this request and those posted after it wait in the send queue. When nothing is registered, the
 * result is ND_INVALIDATION_ERROR, which ends the connection. NdkInvalidate
 *
 * A peer's nd_endpoint_send_and_invalidate() with the remote token does the same: the receive's
 * result, with ND_RESULT_INVALIDATED, comes when no engine uses the memory any more. It is refused
 * for a registration that grants peers no right.
 *
 * @param flags SILENT_SUCCESS, READ_FENCE
 * @return as for all requests (nd_endpoint.h); ND_INVALID_PARAMETER_2: mr is no live fast region of
 *         this adapter; _3: unknown flags
 * @note Threads: owner.
 */
nd_status nd_endpoint_invalidate_region(
	struct nd_endpoint *endpoint, struct nd_result *result, struct nd_mr *mr, uint32_t flags);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
