/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_QP_H
#define NDPDK_NDK_QP_H

/**
 * @file
 * Queue pairs of the kernel interface, and their requests.
 *
 * STATUS_SUCCESS of a posting call means posted: exactly one result comes (none of a silent request
 * that succeeds). Any other status means not posted: no result comes, and the queue pair stays
 * usable. A result that is a failure ends the connection; everything else outstanding completes
 * with STATUS_CANCELLED. A disconnect of the peer does not: NDK_FN_DISCONNECT_EVENT_CALLBACK.
 * Lists are copied.
 *
 * Refusals that all posting calls have in common: STATUS_INVALID_PARAMETER: not an open queue pair,
 * unknown flags, a list that is NULL with a count, or what else is not valid;
 * STATUS_CONNECTION_INVALID: not connected (not of receives); STATUS_INSUFFICIENT_RESOURCES: as
 * many requests outstanding as the queue pair was made for; STATUS_DATA_OVERRUN: more list entries
 * than it was made for; STATUS_BUFFER_OVERFLOW: more bytes than a message or inline data can have;
 * STATUS_ACCESS_VIOLATION: the token of an entry is that of no region. Of an entry that is not
 * within its region, or whose region lacks the right, the result is STATUS_ACCESS_VIOLATION.
 */

#include <ndpdk/ndk_queue.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of requests. Their numbers differ from those of the native interface. */
#define NDK_OP_FLAG_SILENT_SUCCESS             0x00000001u /**< no result when it succeeds */
#define NDK_OP_FLAG_READ_FENCE                 0x00000002u /**< start after earlier reads */
#define NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT     0x00000004u /**< sends: wake what is SOLICITED */
#define NDK_OP_FLAG_ALLOW_REMOTE_READ          0x00000008u /**< bind, fast register */
#define NDK_OP_FLAG_ALLOW_LOCAL_WRITE          0x00000010u /**< fast register */
#define NDK_OP_FLAG_ALLOW_REMOTE_WRITE         0x00000030u /**< bind, fast register */
#define NDK_OP_FLAG_INLINE                     0x00000040u /**< sends, writes: copy the bytes now */
#define NDK_OP_FLAG_RDMA_READ_SINK             0x00000080u /**< fast register; not needed here */
#define NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE 0x00000100u /**< read; see NDK_ADAPTER_INFO */
#define NDK_OP_FLAG_DEFER                      0x00000200u /**< more requests follow at once */

/**
 * NdkFlush: cancel what is outstanding in both queues; the results come with STATUS_CANCELLED, and
 * can be taken as soon as the call has returned. The connection cannot go on. What is not an open
 * queue pair is left alone.
 *
 * @note Threads: control.
 */
typedef VOID (*NDK_FN_FLUSH)(NDK_QP *pNdkQp);

/**
 * NdkSend: send a message, which takes one receive of the peer.
 *
 * @param Flags SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT, INLINE, DEFER
 * @return as above
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_SEND)(
	NDK_QP *pNdkQp, PVOID RequestContext, CONST NDK_SGE *pSgl, ULONG nSge, ULONG Flags);

/**
 * NdkReceive: take the next message of the peer. Allowed before connecting.
 *
 * @return as above; STATUS_INVALID_PARAMETER: its receives come from a shared receive queue
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_RECEIVE)(
	NDK_QP *pNdkQp, PVOID RequestContext, CONST NDK_SGE *pSgl, ULONG nSge);

/**
 * NdkBind: open [VirtualAddress, VirtualAddress + Length) of a region to peers through a window,
 * from the moment this request is executed. The token is known when the call returns. The close of
 * the region then waits for that of the window.
 *
 * @param VirtualAddress in the region; never dereferenced
 * @param Flags SILENT_SUCCESS, READ_FENCE, ALLOW_REMOTE_READ, ALLOW_REMOTE_WRITE, DEFER; at least
 *        one right
 * @return as above; STATUS_INVALID_PARAMETER: also a range outside of the region, or not within the
 *         same adapter; STATUS_ACCESS_VIOLATION: to write through the window the region needs
 *         NDK_MR_FLAG_ALLOW_LOCAL_WRITE; STATUS_INVALID_DEVICE_STATE: the window is bound
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_BIND)(NDK_QP *pNdkQp, PVOID RequestContext, NDK_MR *pMr, NDK_MW *pMw,
	PVOID VirtualAddress, SIZE_T Length, ULONG Flags);

/**
 * NdkFastRegister: make pages the memory of a prepared region, from the moment this request is
 * executed. The token is known when the call returns.
 *
 * @param AdapterPageArray pages of NdkBuildLAM(), of NDK_PAGE_SIZE bytes each, in any order
 * @param FBO offset of the region's first byte in the first page
 * @param Length bytes, 1 .. pages * NDK_PAGE_SIZE - FBO
 * @param BaseVirtualAddress number by which requests and peers name the first byte: a multiple of
 *        NDK_PAGE_SIZE, plus FBO
 * @param Flags SILENT_SUCCESS, READ_FENCE, ALLOW_REMOTE_READ, ALLOW_LOCAL_WRITE,
 *        ALLOW_REMOTE_WRITE, RDMA_READ_SINK, DEFER
 * @return as above; STATUS_ACCESS_VIOLATION: a right for peers, and the region was prepared without
 *         RemoteAccess; STATUS_IMPLEMENTATION_LIMIT: more pages than it was prepared for;
 *         STATUS_NOT_SUPPORTED: FRMRPageCount is 0
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_FAST_REGISTER)(NDK_QP *pNdkQp, PVOID RequestContext, NDK_MR *pMr,
	ULONG AdapterPageCount, CONST NDK_LOGICAL_ADDRESS *AdapterPageArray, ULONG FBO,
	SIZE_T Length, PVOID BaseVirtualAddress, ULONG Flags);

/**
 * NdkInvalidate: close a window, or a region of NdkFastRegister(), from this side. From the result
 * on no byte moves through it. If it is not open when its turn comes, the result is a failure.
 *
 * @param pNdkMrOrMw not a region of NdkRegisterMr()
 * @param Flags SILENT_SUCCESS, READ_FENCE, DEFER
 * @return as above
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_INVALIDATE)(
	NDK_QP *pNdkQp, PVOID RequestContext, NDK_OBJECT_HEADER *pNdkMrOrMw, ULONG Flags);

/**
 * NdkRead: read the peer's memory into local memory, as much as the list holds.
 *
 * @param RemoteAddress as the peer counts, host byte order
 * @param RemoteToken as the peer gave it
 * @param Flags SILENT_SUCCESS, READ_FENCE, RDMA_READ_LOCAL_INVALIDATE: when the bytes have come,
 *        close the region of the first entry, which is one of NdkFastRegister(); takes the place of
 *        two requests; DEFER
 * @return as above; STATUS_INVALID_DEVICE_REQUEST: the connection's outbound read limit is 0
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_READ)(NDK_QP *pNdkQp, PVOID RequestContext, CONST NDK_SGE *pSgl,
	ULONG nSge, UINT64 RemoteAddress, UINT32 RemoteToken, ULONG Flags);

/**
 * NdkWrite: write local memory to the peer's.
 *
 * @param RemoteAddress, RemoteToken as of NdkRead()
 * @param Flags SILENT_SUCCESS, READ_FENCE, INLINE, DEFER
 * @return as above
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_WRITE)(NDK_QP *pNdkQp, PVOID RequestContext, CONST NDK_SGE *pSgl,
	ULONG nSge, UINT64 RemoteAddress, UINT32 RemoteToken, ULONG Flags);

/**
 * NdkSendAndInvalidate: NdkSend(), and the peer's window or region with this token is closed when
 * the message has arrived. A token that is not open ends the connection.
 *
 * @param Flags as of NdkSend()
 * @return as there
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_SEND_AND_INVALIDATE)(NDK_QP *pNdkQp, PVOID RequestContext,
	CONST NDK_SGE *pSgl, ULONG nSge, ULONG Flags, UINT32 RemoteToken);

/** Functions of a queue pair. */
struct _NDK_QP_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseQp;                     /**< waits for its connector */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension; /**< none */
	NDK_FN_FLUSH NdkFlush;                              /**< cancel what is outstanding */
	NDK_FN_SEND NdkSend;                                /**< send a message */
	NDK_FN_RECEIVE NdkReceive;                          /**< take a message */
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
