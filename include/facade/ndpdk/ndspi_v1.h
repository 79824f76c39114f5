/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_V1_H
#define NDPDK_NDSPI_V1_H

/**
 * @file
 * Version 1: provider, adapter, completion queue, memory window, listener. ndspi.h has the rules
 * for all methods.
 */

#include <ndpdk/ndspi_iid.h>
#include <ndpdk/ndspi_interface.h>
#include <ndpdk/ndspi_types.h>
#include <ndpdk/win/winsock2.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/** Base of objects with overlapped methods. */
NDSPI_INTERFACE(INDOverlapped, IUnknown)
{
	NDSPI_UNKNOWN(INDOverlapped)
	/**
	 * Cancel all operations of this object, in the order of their calls. All end with
	 * ND_CANCELED.
	 */
	NDSPI_METHOD0(HRESULT, INDOverlapped, CancelOverlappedRequests);
	/**
	 * Return the status of an operation: ND_PENDING if the operation is pending and bWait is
	 * FALSE, otherwise its final status. The number of bytes is always 0; its pointer may be
	 * NULL.
	 */
	NDSPI_METHOD(HRESULT, INDOverlapped, GetOverlappedResult, OVERLAPPED *pOverlapped,
		SIZE_T *pNumberOfBytesTransferred, BOOL bWait);
};

/** Completion queue. */
NDSPI_INTERFACE(INDCompletionQueue, INDOverlapped)
{
	NDSPI_UNKNOWN(INDCompletionQueue)
	NDSPI_OVERLAPPED1(INDCompletionQueue)
	/**
	 * Change the number of results that the queue can hold. ND_BUFFER_OVERFLOW: the queue
	 * contains more results, nothing changed; ND_INVALID_PARAMETER: 0, or more than
	 * MaxCqEntries.
	 */
	NDSPI_METHOD(HRESULT, INDCompletionQueue, Resize, SIZE_T nEntries);
	/**
	 * Wait for the next result of Type ND_CQ_NOTIFY_ERRORS, _ANY, _SOLICITED. If results have
	 * arrived since the last notification, the call completes at once. ND_BUFFER_OVERFLOW: the
	 * queue has overrun, and the queue and its endpoints are unusable.
	 */
	NDSPI_METHOD(HRESULT, INDCompletionQueue, Notify, DWORD Type, OVERLAPPED *pOverlapped);
	/**
	 * Take up to nResults completed requests. Each entry of pResults becomes the pResult
	 * pointer of one request, and the ND_RESULT there holds its result. Returns the number of
	 * entries.
	 */
	NDSPI_METHOD(SIZE_T, INDCompletionQueue, GetResults, ND_RESULT *pResults[],
		SIZE_T nResults);
};

/** Memory window: a part of registered memory that a peer may use. Windows may overlap. */
NDSPI_INTERFACE(INDMemoryWindow, IUnknown)
{
	NDSPI_UNKNOWN(INDMemoryWindow)
};

struct INDConnector;

/** Listener. The last Release stops it; later connects are refused. */
NDSPI_INTERFACE(INDListen, INDOverlapped)
{
	NDSPI_UNKNOWN(INDListen)
	NDSPI_OVERLAPPED1(INDListen)
	/** Assign the next request to an unused connector. Several calls are served in order. */
	NDSPI_METHOD(HRESULT, INDListen, GetConnectionRequest, struct INDConnector *pConnector,
		OVERLAPPED *pOverlapped);
};

/** Adapter. Objects that were created on different adapter objects cannot be combined. */
NDSPI_INTERFACE(INDAdapter, INDOverlapped)
{
	NDSPI_UNKNOWN(INDAdapter)
	NDSPI_OVERLAPPED1(INDAdapter)
	/** Return the file handle of the adapter's operations, for CreateIoCompletionPort. */
	NDSPI_METHOD0(HANDLE, INDAdapter, GetFileHandle);
	/**
	 * Return the limits. VersionRequested: ND_VERSION_1, otherwise ND_NOT_SUPPORTED.
	 * *pBufferSize: in: bytes at pInfo; out: bytes needed or used, also with
	 * ND_BUFFER_OVERFLOW.
	 */
	NDSPI_METHOD(HRESULT, INDAdapter, Query, DWORD VersionRequested, ND_ADAPTER_INFO *pInfo,
		SIZE_T *pBufferSize);
	/** Returns ND_NOT_SUPPORTED, because there are no vendor-specific codes. */
	NDSPI_METHOD(HRESULT, INDAdapter, Control, DWORD IoControlCode, const void *pInBuffer,
		SIZE_T InBufferSize, void *pOutBuffer, SIZE_T OutBufferSize, SIZE_T *pBytesReturned,
		OVERLAPPED *pOverlapped);
	/** Create a completion queue. ND_INVALID_PARAMETER: nEntries is not 1 .. MaxCqEntries. */
	NDSPI_METHOD(HRESULT, INDAdapter, CreateCompletionQueue, SIZE_T nEntries,
		INDCompletionQueue **ppCq);
	/**
	 * Register memory. On success, *phMr is set before the completion is reported.
	 * ND_INVALID_PARAMETER: larger than MaxRegistrationSize; ND_ACCESS_VIOLATION: NULL, no
	 * bytes, or beyond the end of the address space.
	 */
	NDSPI_METHOD(HRESULT, INDAdapter, RegisterMemory, const void *pBuffer, SIZE_T BufferSize,
		OVERLAPPED *pOverlapped, ND_MR_HANDLE *phMr);
	/**
	 * Deregister memory. ND_INVALID_HANDLE: hMr is not registered memory of this adapter
	 * object; ND_DEVICE_BUSY: a window is bound to the memory.
	 */
	NDSPI_METHOD(HRESULT, INDAdapter, DeregisterMemory, ND_MR_HANDLE hMr,
		OVERLAPPED *pOverlapped);
	/**
	 * Create a memory window, not bound. When the peer invalidates the window, the completion
	 * queue returns pInvalidateResult.
	 */
	NDSPI_METHOD(HRESULT, INDAdapter, CreateMemoryWindow, ND_RESULT *pInvalidateResult,
		INDMemoryWindow **ppMw);
	/** Create a connector for one connection. */
	NDSPI_METHOD(HRESULT, INDAdapter, CreateConnector, struct INDConnector **ppConnector);
	/**
	 * Listen. Backlog: maximum number of waiting requests, 0 = no limit; Protocol: IANA number;
	 * Port: network byte order, 0: one of 49152 .. 65535. ND_SHARING_VIOLATION: the port is in
	 * use; ND_TOO_MANY_ADDRESSES: no port is free.
	 */
	NDSPI_METHOD(HRESULT, INDAdapter, Listen, SIZE_T Backlog, INT Protocol, USHORT Port,
		USHORT *pAssignedPort, INDListen **ppListen);
};

/** Provider: the adapters of the configuration. */
NDSPI_INTERFACE(INDProvider, IUnknown)
{
	NDSPI_UNKNOWN(INDProvider)
	/**
	 * Copy the addresses of all adapters. *pBufferSize: in: bytes at pAddressList; out: bytes
	 * needed or used, also with ND_BUFFER_OVERFLOW.
	 */
	NDSPI_METHOD(HRESULT, INDProvider, QueryAddressList, SOCKET_ADDRESS_LIST *pAddressList,
		SIZE_T *pBufferSize);
	/**
	 * Open the adapter with this address. The port is ignored. ND_INVALID_ADDRESS: no adapter
	 * has the address.
	 */
	NDSPI_METHOD(HRESULT, INDProvider, OpenAdapter, const struct sockaddr *pAddress,
		SIZE_T AddressLength, INDAdapter **ppAdapter);
};

	/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
