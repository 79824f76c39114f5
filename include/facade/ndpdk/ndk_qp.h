/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_QP_H
#define NDPDK_NDK_QP_H

/**
 * @file
 * Queue pairs of the kernel interface, and their requests.
 *
 * If a posting call returns STATUS_SUCCESS, the request is posted and has exactly one result (none
 * for a silent request that succeeds). With any other status the request is not posted, has no
 * result, and the queue pair stays usable. A result with a failure ends the connection, and all
 * other outstanding requests complete with STATUS_CANCELLED. A disconnect of the peer does not
 * cancel them: NDK_FN_DISCONNECT_EVENT_CALLBACK. Lists are copied.
 *
 * All posting calls can return these errors: STATUS_INVALID_PARAMETER: not an open queue pair,
 * unknown flags, a list that is NULL with a count, or another argument is not valid;
 * STATUS_CONNECTION_INVALID: not connected (not for receives); STATUS_INSUFFICIENT_RESOURCES: the
 * queue pair's maximum number of requests is outstanding; STATUS_DATA_OVERRUN: more list entries
 * than the queue pair allows; STATUS_BUFFER_OVERFLOW: more bytes than a message or inline data can
 * have; STATUS_ACCESS_VIOLATION: no region has the token of an entry. If an entry is not within its
 * region, or the region lacks the right, the result has STATUS_ACCESS_VIOLATION.
 */

#include <ndpdk/ndk_queue.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of requests. The values differ from the values of the native interface. */
#define NDK_OP_FLAG_SILENT_SUCCESS             0x00000001u /**< no result after a success */
#define NDK_OP_FLAG_READ_FENCE                 0x00000002u /**< start after earlier reads */
#define NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT     0x00000004u /**< sends: solicited receive */
#define NDK_OP_FLAG_ALLOW_REMOTE_READ          0x00000008u /**< bind, fast register */
#define NDK_OP_FLAG_ALLOW_LOCAL_WRITE          0x00000010u /**< fast register */
#define NDK_OP_FLAG_ALLOW_REMOTE_WRITE         0x00000030u /**< bind, fast register */
#define NDK_OP_FLAG_INLINE                     0x00000040u /**< sends, writes: copy the data now */
/** no effect, because reads need no flag */
#define NDK_OP_FLAG_RDMA_READ_SINK             0x00000080u
#define NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE 0x00000100u /**< read; see NdkRead() */
#define NDK_OP_FLAG_DEFER                      0x00000200u /**< more requests follow at once */

/**
 * NdkFlush: cancel all outstanding requests and receives. Their results have STATUS_CANCELLED, and
 * can be taken when the call returns. The connection cannot be used any more. Does nothing if the
 * queue pair is not open.
 *
 * @note Threads: control.
 */
typedef VOID (*NDK_FN_FLUSH)(NDK_QP *pNdkQp);

/**
 * NdkSend: send a message. The message consumes one receive of the peer.
 *
 * @param Flags SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT, INLINE, DEFER
 * @return see the beginning of this file
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_SEND)(
	NDK_QP *pNdkQp, PVOID RequestContext, CONST NDK_SGE *pSgl, ULONG nSge, ULONG Flags);

/**
 * NdkReceive: post a receive for the peer's next message. Allowed before connecting.
 *
 * @return same as NdkSend(); STATUS_INVALID_PARAMETER: the queue pair uses a shared receive queue
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_RECEIVE)(
	NDK_QP *pNdkQp, PVOID RequestContext, CONST NDK_SGE *pSgl, ULONG nSge);

/**
 * NdkBind: open [VirtualAddress, VirtualAddress + Length) of a region to peers through a window.
 * The window is open after this request has been executed. The token is known when the call
 * returns. A close of the region waits until the window is closed.
 *
 * @param VirtualAddress in the region; never dereferenced
 * @param Flags SILENT_SUCCESS, READ_FENCE, ALLOW_REMOTE_READ, ALLOW_REMOTE_WRITE, DEFER; at least
 *        one right
 * @return same as NdkSend(); STATUS_INVALID_PARAMETER: also a range outside of the region, or
 *         objects of different adapters; STATUS_ACCESS_VIOLATION: the window allows writing, but
 *         the region lacks NDK_MR_FLAG_ALLOW_LOCAL_WRITE; STATUS_INVALID_DEVICE_STATE: the window
 *         is bound
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_BIND)(NDK_QP *pNdkQp, PVOID RequestContext, NDK_MR *pMr, NDK_MW *pMw,
	PVOID VirtualAddress, SIZE_T Length, ULONG Flags);

/**
 * NdkFastRegister: register pages in a prepared region. The registration is valid after this
 * request has been executed. The token is known when the call returns.
 *
 * @param AdapterPageArray pages of NdkBuildLAM(), NDK_PAGE_SIZE bytes each, in any order
 * @param FBO offset of the region's first byte in the first page
 * @param Length bytes, 1 .. pages * NDK_PAGE_SIZE - FBO
 * @param BaseVirtualAddress address of the first byte for requests and peers: a multiple of
 *        NDK_PAGE_SIZE, plus FBO
 * @param Flags SILENT_SUCCESS, READ_FENCE, ALLOW_REMOTE_READ, ALLOW_LOCAL_WRITE,
 *        ALLOW_REMOTE_WRITE, RDMA_READ_SINK, DEFER
 * @return same as NdkSend(); STATUS_ACCESS_VIOLATION: a right for peers, but the region was
 *         prepared without RemoteAccess; STATUS_IMPLEMENTATION_LIMIT: more pages than prepared for;
 *         STATUS_NOT_SUPPORTED: FRMRPageCount is 0
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_FAST_REGISTER)(NDK_QP *pNdkQp, PVOID RequestContext, NDK_MR *pMr,
	ULONG AdapterPageCount, CONST NDK_LOGICAL_ADDRESS *AdapterPageArray, ULONG FBO,
	SIZE_T Length, PVOID BaseVirtualAddress, ULONG Flags);

/**
 * NdkInvalidate: close a window, or a region of NdkFastRegister(), from this side. After the
 * result, no byte is transferred through the window or region. If the window or region is not open
 * when the request is executed, the result is a failure.
 *
 * @param pNdkMrOrMw not a region of NdkRegisterMr()
 * @param Flags SILENT_SUCCESS, READ_FENCE, DEFER
 * @return same as NdkSend()
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_INVALIDATE)(
	NDK_QP *pNdkQp, PVOID RequestContext, NDK_OBJECT_HEADER *pNdkMrOrMw, ULONG Flags);

/**
 * NdkRead: read the peer's memory into local memory. The list gives the length.
 *
 * @param RemoteAddress address of the peer, in host byte order
 * @param RemoteToken as received from the peer
 * @param Flags SILENT_SUCCESS, READ_FENCE, DEFER, RDMA_READ_LOCAL_INVALIDATE: close the region of
 *         the first entry after the read. NdkFastRegister() must have registered this region, and
 *         the read counts as two requests
 * @return same as NdkSend(); STATUS_INVALID_DEVICE_REQUEST: the connection's outbound read limit
 *         is 0
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_READ)(NDK_QP *pNdkQp, PVOID RequestContext, CONST NDK_SGE *pSgl,
	ULONG nSge, UINT64 RemoteAddress, UINT32 RemoteToken, ULONG Flags);

/**
 * NdkWrite: write local memory to the peer's memory.
 *
 * @param RemoteAddress, RemoteToken as for NdkRead()
 * @param Flags SILENT_SUCCESS, READ_FENCE, INLINE, DEFER
 * @return same as NdkSend()
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_WRITE)(NDK_QP *pNdkQp, PVOID RequestContext, CONST NDK_SGE *pSgl,
	ULONG nSge, UINT64 RemoteAddress, UINT32 RemoteToken, ULONG Flags);

/**
 * NdkSendAndInvalidate: send a message as NdkSend() does, and close the peer's window or region
 * with this token after the message has arrived. If the token is not valid at the peer, the
 * connection ends.
 *
 * @param Flags as for NdkSend()
 * @return same as NdkSend()
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_SEND_AND_INVALIDATE)(NDK_QP *pNdkQp, PVOID RequestContext,
	CONST NDK_SGE *pSgl, ULONG nSge, ULONG Flags, UINT32 RemoteToken);

/** Functions of a queue pair. */
struct _NDK_QP_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseQp; /**< completes after its connector is closed */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension; /**< none */
	NDK_FN_FLUSH NdkFlush;                              /**< cancel outstanding requests */
	NDK_FN_SEND NdkSend;                                /**< send a message */
	NDK_FN_RECEIVE NdkReceive;                          /**< post a receive */
	NDK_FN_BIND NdkBind;                                /**< open a window */
	NDK_FN_FAST_REGISTER NdkFastRegister;               /**< register pages */
	NDK_FN_INVALIDATE NdkInvalidate;                    /**< close a window or region */
	NDK_FN_READ NdkRead;                                /**< read the peer's memory */
	NDK_FN_WRITE NdkWrite;                              /**< write to the peer's memory */
	NDK_FN_SEND_AND_INVALIDATE NdkSendAndInvalidate; /**< send, and close the peer's window */
};

/** Queue pair. */
struct _NDK_QP {
	NDK_OBJECT_HEADER Header;        /**< NdkObjectTypeQp */
	CONST NDK_QP_DISPATCH *Dispatch; /**< its functions */
};

#ifdef __cplusplus
}
#endif

#endif
