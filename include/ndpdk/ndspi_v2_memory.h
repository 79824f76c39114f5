/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_V2_MEMORY_H
#define NDPDK_NDSPI_V2_MEMORY_H

/**
 * @file
 * Version 2: memory window, memory region, queue pair. ndspi.h says what holds for all methods.
 */

#include <ndpdk/ndspi_v2.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/** A part of a region that a peer may use; windows may overlap. */
NDSPI_INTERFACE(IND2MemoryWindow, IUnknown)
{
	NDSPI_UNKNOWN(IND2MemoryWindow)
	/**
	 * What the peer gives to Read and Write, in network byte order: of the last Bind, from its
	 * return on; 0 before the first one.
	 */
	NDSPI_METHOD0(UINT32, IND2MemoryWindow, GetRemoteToken);
};

/** Registered memory; one registration at a time. */
NDSPI_INTERFACE(IND2MemoryRegion, IND2Overlapped)
{
	NDSPI_UNKNOWN(IND2MemoryRegion)
	NDSPI_OVERLAPPED2(IND2MemoryRegion)
	/**
	 * Register memory; flags ND_MR_FLAG_. ND_INVALID_PARAMETER: pBuffer is NULL, or cbBuffer
	 * above MaxRegistrationSize; ND_INVALID_BUFFER_SIZE: cbBuffer is 0; ND_ACCESS_VIOLATION:
	 * the buffer goes round the end of the address space; ND_INVALID_PARAMETER_3: unknown
	 * flags; ND_INVALID_DEVICE_STATE: something is registered.
	 */
	NDSPI_METHOD(HRESULT, IND2MemoryRegion, Register, const VOID *pBuffer, SIZE_T cbBuffer,
		ULONG flags, OVERLAPPED *pOverlapped);
	/**
	 * End the registration; the memory may be freed when it is complete. ND_DEVICE_BUSY:
	 * windows are bound to it; ND_INVALID_DEVICE_STATE: nothing is registered.
	 */
	NDSPI_METHOD(HRESULT, IND2MemoryRegion, Deregister, OVERLAPPED *pOverlapped);
	/** For ND2_SGE; 0: nothing is registered. */
	NDSPI_METHOD0(UINT32, IND2MemoryRegion, GetLocalToken);
	/**
	 * What peers give to Read and Write, in network byte order. 0: nothing is registered, or
	 * without ALLOW_REMOTE_READ and ALLOW_REMOTE_WRITE.
	 */
	NDSPI_METHOD0(UINT32, IND2MemoryRegion, GetRemoteToken);
};

/**
 * One end of a connection. Posting calls: ND_SUCCESS means that exactly one result comes, or none
 * for a request with SILENT_SUCCESS that succeeds. All others mean that none comes, and the queue
 * pair can be used as before: ND_CONNECTION_INVALID: not connected (not of Receive);
 * ND_NO_MORE_ENTRIES: as many requests outstanding as its depth; ND_DATA_OVERRUN: too many entries;
 * ND_BUFFER_OVERFLOW: too many bytes; ND_ACCESS_VIOLATION: an entry is not within the region of its
 * token, or the region lacks the right; ND_INVALID_PARAMETER_n: unknown flags, or sge NULL with a
 * count. A result with an error ends the connection.
 */
NDSPI_INTERFACE(IND2QueuePair, IUnknown)
{
	NDSPI_UNKNOWN(IND2QueuePair)
	/**
	 * Cancel all requests; their results come with ND_CANCELED. The connection cannot go on.
	 */
	NDSPI_METHOD0(HRESULT, IND2QueuePair, Flush);
	/** flags: SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT, INLINE. */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Send, VOID *requestContext, const ND2_SGE sge[],
		ULONG nSge, ULONG flags);
	/** Take a message of the peer; also before the connection is there. */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Receive, VOID *requestContext, const ND2_SGE sge[],
		ULONG nSge);
	/**
	 * Open [pBuffer, pBuffer + cbBuffer) of a region to the peer. flags: ALLOW_READ,
	 * ALLOW_WRITE, or neither: then the window opens nothing; SILENT_SUCCESS, READ_FENCE.
	 * ND_ACCESS_VIOLATION: ALLOW_WRITE on a region without ALLOW_LOCAL_WRITE;
	 * ND_INVALID_PARAMETER_4, _5: the range begins or ends outside the region;
	 * ND_INVALID_DEVICE_STATE: the window is bound.
	 */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Bind, VOID *requestContext, IUnknown *pMemoryRegion,
		IUnknown *pMemoryWindow, const VOID *pBuffer, SIZE_T cbBuffer, ULONG flags);
	/** Close a window. flags: SILENT_SUCCESS, READ_FENCE. */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Invalidate, VOID *requestContext,
		IUnknown *pMemoryWindow, ULONG flags);
	/**
	 * Read from the peer's memory: remoteAddress is the peer's address of the first byte, in
	 * host order, remoteToken as the peer has sent it. flags: SILENT_SUCCESS, READ_FENCE.
	 * ND_INVALID_DEVICE_REQUEST: the connection's outbound read limit is 0.
	 */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Read, VOID *requestContext, const ND2_SGE sge[],
		ULONG nSge, UINT64 remoteAddress, UINT32 remoteToken, ULONG flags);
	/** Write to the peer's memory. flags: SILENT_SUCCESS, READ_FENCE, INLINE. */
	NDSPI_METHOD(HRESULT, IND2QueuePair, Write, VOID *requestContext, const ND2_SGE sge[],
		ULONG nSge, UINT64 remoteAddress, UINT32 remoteToken, ULONG flags);
};

	/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
