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

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
