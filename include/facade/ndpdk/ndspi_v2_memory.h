/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_V2_MEMORY_H
#define NDPDK_NDSPI_V2_MEMORY_H

/**
 * @file
 * Version 2: memory window, memory region, queue pair. ndspi.h has the rules for all methods.
 */

#include <ndpdk/ndspi_v2.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/** Memory window: a part of a region that a peer may use. Windows may overlap. */
NDSPI_INTERFACE(IND2MemoryWindow, IUnknown)
{
	NDSPI_UNKNOWN(IND2MemoryWindow)
	/**
	 * Return the token with which the peer reads and writes, in network byte order. The token
	 * belongs to the last Bind and is known when Bind returns. 0 before the first Bind.
	 */
	NDSPI_METHOD0(UINT32, IND2MemoryWindow, GetRemoteToken);
};

/** Memory region, with at most one registration at a time. */
NDSPI_INTERFACE(IND2MemoryRegion, IND2Overlapped)
{
	NDSPI_UNKNOWN(IND2MemoryRegion)
	NDSPI_OVERLAPPED2(IND2MemoryRegion)
	/**
	 * Register memory. flags: ND_MR_FLAG_. ND_INVALID_PARAMETER: pBuffer is NULL, or cbBuffer
	 * is more than MaxRegistrationSize; ND_INVALID_BUFFER_SIZE: cbBuffer is 0;
	 * ND_ACCESS_VIOLATION: the buffer ends beyond the address space; ND_INVALID_PARAMETER_3:
	 * unknown flags; ND_INVALID_DEVICE_STATE: memory is already registered.
	 */
	NDSPI_METHOD(HRESULT, IND2MemoryRegion, Register, const VOID *pBuffer, SIZE_T cbBuffer,
		ULONG flags, OVERLAPPED *pOverlapped);
	/**
	 * Deregister the memory. The memory may be freed after the completion. ND_DEVICE_BUSY:
	 * windows are bound to the region; ND_INVALID_DEVICE_STATE: nothing is registered.
	 */
	NDSPI_METHOD(HRESULT, IND2MemoryRegion, Deregister, OVERLAPPED *pOverlapped);
	/** Return the token for ND2_SGE; 0: nothing is registered. */
	NDSPI_METHOD0(UINT32, IND2MemoryRegion, GetLocalToken);
	/**
	 * Return the token with which peers read and write, in network byte order. 0: nothing is
	 * registered, or the registration has neither ALLOW_REMOTE_READ nor ALLOW_REMOTE_WRITE.
	 */
	NDSPI_METHOD0(UINT32, IND2MemoryRegion, GetRemoteToken);
};

/**
 * Queue pair of a connection. If a posting call returns ND_SUCCESS, the request has exactly one
 * result (none if the request has SILENT_SUCCESS and succeeds). With any other status there is no
 * result, and the queue pair stays usable. A result with an error ends the connection.
 *
 * Errors of posting calls: ND_CONNECTION_INVALID: not connected (not for Receive);
 * ND_NO_MORE_ENTRIES: the queue is full; ND_DATA_OVERRUN: too many entries; ND_BUFFER_OVERFLOW: too
 * many bytes; ND_ACCESS_VIOLATION: an entry is not within the region of its token, or the region
 * lacks the right; ND_INVALID_PARAMETER_n: unknown flags, or sge NULL with a count.
 */
NDSPI_INTERFACE(IND2QueuePair, IUnknown)
{
	NDSPI_UNKNOWN(IND2QueuePair)
	/**
	 * Cancel all requests. Their results have ND_CANCELED. The connection cannot be used any
	 * more.
	 */
	NDSPI_METHOD0(HRESULT, IND2QueuePair, Flush);
	/** Send a message. flags: SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT, INLINE. */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Send, VOID *requestContext, const ND2_SGE sge[],
		ULONG nSge, ULONG flags);
	/** Post a receive. Allowed before the connection is established. */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Receive, VOID *requestContext, const ND2_SGE sge[],
		ULONG nSge);
	/**
	 * Open [pBuffer, pBuffer + cbBuffer) of a region to the peer. flags: ALLOW_READ,
	 * ALLOW_WRITE, or neither for a window without rights; SILENT_SUCCESS, READ_FENCE.
	 * ND_ACCESS_VIOLATION: ALLOW_WRITE on a region without ALLOW_LOCAL_WRITE;
	 * ND_INVALID_PARAMETER_4, _5: the range begins or ends outside of the region;
	 * ND_INVALID_DEVICE_STATE: the window is bound.
	 */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Bind, VOID *requestContext, IUnknown *pMemoryRegion,
		IUnknown *pMemoryWindow, const VOID *pBuffer, SIZE_T cbBuffer, ULONG flags);
	/** Close a window. flags: SILENT_SUCCESS, READ_FENCE. */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Invalidate, VOID *requestContext,
		IUnknown *pMemoryWindow, ULONG flags);
	/**
	 * Read the peer's memory. remoteAddress: address of the first byte at the peer, in host
	 * byte order; remoteToken: as sent by the peer. flags: SILENT_SUCCESS, READ_FENCE.
	 * ND_INVALID_DEVICE_REQUEST: the connection's outbound read limit is 0.
	 */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Read, VOID *requestContext, const ND2_SGE sge[],
		ULONG nSge, UINT64 remoteAddress, UINT32 remoteToken, ULONG flags);
	/** Write the peer's memory. flags: SILENT_SUCCESS, READ_FENCE, INLINE. */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Write, VOID *requestContext, const ND2_SGE sge[],
		ULONG nSge, UINT64 remoteAddress, UINT32 remoteToken, ULONG flags);
};

	/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
