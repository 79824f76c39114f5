/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_V1_H
#define NDPDK_NDSPI_V1_H

/**
 * @file
 * Version 1: provider, adapter, completion queue, memory window, listener. ndspi.h says what holds
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

/** Base of the objects whose methods complete by an OVERLAPPED. */
NDSPI_INTERFACE(INDOverlapped, IUnknown)
{
	NDSPI_UNKNOWN(INDOverlapped)
	/**
	 * End all operations of this object with ND_CANCELED, in the order in which they were
	 * begun.
	 */
	NDSPI_METHOD0(HRESULT, INDOverlapped, CancelOverlappedRequests);
	/**
	 * Status of an operation: ND_PENDING while it runs and bWait is FALSE, or what it ended
	 * with. The number of bytes is always 0, and may be NULL.
	 */
	NDSPI_METHOD(HRESULT, INDOverlapped, GetOverlappedResult, OVERLAPPED *pOverlapped,
		SIZE_T *pNumberOfBytesTransferred, BOOL bWait);
};

/** Results of requests. */
NDSPI_INTERFACE(INDCompletionQueue, INDOverlapped)
{
	NDSPI_UNKNOWN(INDCompletionQueue)
	NDSPI_OVERLAPPED1(INDCompletionQueue)
	/**
	 * Change how many results it can hold. ND_BUFFER_OVERFLOW: more are in it, nothing has
	 * changed; ND_INVALID_PARAMETER: 0, or above MaxCqEntries.
	 */
	NDSPI_METHOD(HRESULT, INDCompletionQueue, Resize, SIZE_T nEntries);
	/**
	 * Ask to be told of the next result: Type ND_CQ_NOTIFY_ERRORS, _ANY, _SOLICITED. Results
	 * that came since the last notification complete it at once. ND_BUFFER_OVERFLOW: the queue
	 * has overrun, it and its endpoints are dead.
	 */
	NDSPI_METHOD(HRESULT, INDCompletionQueue, Notify, DWORD Type, OVERLAPPED *pOverlapped);
	/** Take up to nResults results: those given with the requests. Returns how many. */
	NDSPI_METHOD(SIZE_T, INDCompletionQueue, GetResults, ND_RESULT *pResults[],
		SIZE_T nResults);
};

/** A part of registered memory that a peer may use; windows may overlap. */
NDSPI_INTERFACE(INDMemoryWindow, IUnknown)
{
	NDSPI_UNKNOWN(INDMemoryWindow)
};

struct INDConnector;

/** Takes connection requests. The last Release ends it: later connects are refused. */
NDSPI_INTERFACE(INDListen, INDOverlapped)
{
	NDSPI_UNKNOWN(INDListen)
	NDSPI_OVERLAPPED1(INDListen)
	/** Give a connector that was not used yet the next request, in order. */
	NDSPI_METHOD(HRESULT, INDListen, GetConnectionRequest, struct INDConnector *pConnector,
		OVERLAPPED *pOverlapped);
};

/** One adapter. What is made on different adapter objects does not go together. */
NDSPI_INTERFACE(INDAdapter, INDOverlapped)
{
	NDSPI_UNKNOWN(INDAdapter)
	NDSPI_OVERLAPPED1(INDAdapter)
	/**
	 * What operations of the adapter and its objects complete on: for CreateIoCompletionPort.
	 */
	NDSPI_METHOD0(HANDLE, INDAdapter, GetFileHandle);
	/**
	 * Copy limits. VersionRequested: ND_VERSION_1, else ND_NOT_SUPPORTED. *pBufferSize: in:
	 * bytes at pInfo; out: bytes needed or used, also with ND_BUFFER_OVERFLOW.
	 */
	NDSPI_METHOD(HRESULT, INDAdapter, Query, DWORD VersionRequested, ND_ADAPTER_INFO *pInfo,
		SIZE_T *pBufferSize);
	/** ND_NOT_SUPPORTED: there are no codes of a vendor. */
	NDSPI_METHOD(HRESULT, INDAdapter, Control, DWORD IoControlCode, const void *pInBuffer,
		SIZE_T InBufferSize, void *pOutBuffer, SIZE_T OutBufferSize, SIZE_T *pBytesReturned,
		OVERLAPPED *pOverlapped);
	/** Make a completion queue of 1 .. MaxCqEntries results. ND_INVALID_PARAMETER. */
	NDSPI_METHOD(HRESULT, INDAdapter, CreateCompletionQueue, SIZE_T nEntries,
		INDCompletionQueue **ppCq);
	/**
	 * Register memory. *phMr is written before the end is told, if it is a success.
	 * ND_INVALID_PARAMETER: larger than MaxRegistrationSize; ND_ACCESS_VIOLATION: NULL, no
	 * bytes, or round the end of the address space.
	 */
	NDSPI_METHOD(HRESULT, INDAdapter, RegisterMemory, const void *pBuffer, SIZE_T BufferSize,
		OVERLAPPED *pOverlapped, ND_MR_HANDLE *phMr);
	/** End a registration. ND_INVALID_HANDLE; ND_DEVICE_BUSY: a window is bound to it. */
	NDSPI_METHOD(HRESULT, INDAdapter, DeregisterMemory, ND_MR_HANDLE hMr,
		OVERLAPPED *pOverlapped);
	/**
	 * Make a memory window, not bound. pInvalidateResult comes through the completion queue
	 * when the peer invalidates the window.
	 */
	NDSPI_METHOD(HRESULT, INDAdapter, CreateMemoryWindow, ND_RESULT *pInvalidateResult,
		INDMemoryWindow **ppMw);
	/** Make a connector, for one connection. */
	NDSPI_METHOD(HRESULT, INDAdapter, CreateConnector, struct INDConnector **ppConnector);
	/**
	 * Take connection requests. Backlog: most that wait, 0 = no limit; Protocol: IANA number;
	 * Port: network byte order, 0: one of 49152 .. 65535. ND_SHARING_VIOLATION,
	 * ND_TOO_MANY_ADDRESSES.
	 */
	NDSPI_METHOD(HRESULT, INDAdapter, Listen, SIZE_T Backlog, INT Protocol, USHORT Port,
		USHORT *pAssignedPort, INDListen **ppListen);
};

/** The adapters of the configuration. */
NDSPI_INTERFACE(INDProvider, IUnknown)
{
	NDSPI_UNKNOWN(INDProvider)
	/**
	 * Copy the addresses of all adapters. *pBufferSize: in: bytes at pAddressList; out: bytes
	 * needed or used, also with ND_BUFFER_OVERFLOW.
	 */
	NDSPI_METHOD(HRESULT, INDProvider, QueryAddressList, SOCKET_ADDRESS_LIST *pAddressList,
		SIZE_T *pBufferSize);
	/** Open the adapter with this address; the port is ignored. ND_INVALID_ADDRESS. */
	NDSPI_METHOD(HRESULT, INDProvider, OpenAdapter, const struct sockaddr *pAddress,
		SIZE_T AddressLength, INDAdapter **ppAdapter);
};

	/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
