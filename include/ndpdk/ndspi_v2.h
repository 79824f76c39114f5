/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_V2_H
#define NDPDK_NDSPI_V2_H

/**
 * @file
 * Version 2: provider, adapter, completion queue, shared receive queue. ndspi.h says what holds for
 * all methods.
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
NDSPI_INTERFACE(IND2Overlapped, IUnknown)
{
	NDSPI_UNKNOWN(IND2Overlapped)
	/**
	 * End all operations of this object with ND_CANCELED, in the order in which they were
	 * begun. Their packets are in the completion port when the call returns. ND_SUCCESS.
	 */
	NDSPI_METHOD0(HRESULT, IND2Overlapped, CancelOverlappedRequests);
	/**
	 * Status of an operation: ND_PENDING while it runs and wait is FALSE, or what it ended
	 * with. With wait, the calling thread does the work of the adapters meanwhile.
	 * ND_INVALID_PARAMETER_1.
	 */
	NDSPI_METHOD(HRESULT, IND2Overlapped, GetOverlappedResult, OVERLAPPED *pOverlapped,
		BOOL wait);
};

/** The adapters of the configuration. */
NDSPI_INTERFACE(IND2Provider, IUnknown)
{
	NDSPI_UNKNOWN(IND2Provider)
	/**
	 * Copy the addresses of all adapters. *pcbAddressList: in: bytes at pAddressList; out:
	 * bytes needed or used, also with ND_BUFFER_OVERFLOW. ND_DEVICE_NOT_READY: no usable
	 * configuration, and NdGetConfigurationError() says why.
	 */
	NDSPI_METHOD(HRESULT, IND2Provider, QueryAddressList, SOCKET_ADDRESS_LIST *pAddressList,
		ULONG *pcbAddressList);
	/** Identifier of the adapter with this address; the port is ignored. ND_INVALID_ADDRESS. */
	NDSPI_METHOD(HRESULT, IND2Provider, ResolveAddress, const struct sockaddr *pAddress,
		ULONG cbAddress, UINT64 *pAdapterId);
	/**
	 * Open an adapter; the first time in a process its port is started. ND_INVALID_PARAMETER:
	 * unknown adapterId; ND_DEVICE_NOT_READY, ND_SHARING_VIOLATION: the port cannot be started,
	 * and NdGetConfigurationError() says why.
	 */
	NDSPI_METHOD(HRESULT, IND2Provider, OpenAdapter, REFIID iid, UINT64 adapterId,
		VOID **ppAdapter);
};

/** One adapter. What is made on different adapter objects does not go together. */
NDSPI_INTERFACE(IND2Adapter, IUnknown)
{
	NDSPI_UNKNOWN(IND2Adapter)
	/**
	 * Make a handle that operations complete on: for CreateIoCompletionPort. CloseHandle closes
	 * it; what was made on it goes on.
	 */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateOverlappedFile, HANDLE *phOverlappedFile);
	/**
	 * Copy limits. InfoVersion must be ND_VERSION_2 or 1, else ND_NOT_SUPPORTED. *pcbInfo: in:
	 * bytes at pInfo; out: bytes needed or used, also with ND_BUFFER_OVERFLOW.
	 */
	NDSPI_METHOD(HRESULT, IND2Adapter, Query, ND2_ADAPTER_INFO *pInfo, ULONG *pcbInfo);
	/** Copy the addresses of the adapter, as IND2Provider::QueryAddressList does. */
	NDSPI_METHOD(HRESULT, IND2Adapter, QueryAddressList, SOCKET_ADDRESS_LIST *pAddressList,
		ULONG *pcbAddressList);
	/**
	 * Make a completion queue of 1 .. MaxCompletionQueueDepth results. Where the adapter has
	 * several engines, the lowest bit of affinity says which of them it is on, modulo their
	 * number; no bit: the first one. group must be 0.
	 */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateCompletionQueue, REFIID iid,
		HANDLE hOverlappedFile, ULONG queueDepth, USHORT group, KAFFINITY affinity,
			VOID **ppCompletionQueue);
	/** Make a memory region, not registered yet. */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateMemoryRegion, REFIID iid, HANDLE hOverlappedFile,
		VOID **ppMemoryRegion);
	/** Make a memory window, not bound. */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateMemoryWindow, REFIID iid, VOID **ppMemoryWindow);
	/**
	 * Make a shared receive queue of 1 .. MaxSharedReceiveQueueDepth receives. notifyThreshold:
	 * of Notify; 0 = never. group and affinity as of CreateCompletionQueue. ND_NOT_SUPPORTED.
	 */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateSharedReceiveQueue, REFIID iid,
		HANDLE hOverlappedFile, ULONG queueDepth, ULONG maxRequestSge,
			ULONG notifyThreshold,
		USHORT group, KAFFINITY affinity, VOID **ppSharedReceiveQueue);
	/**
	 * Make a queue pair, which takes receives at once. Both completion queues are on one
	 * engine. context comes back in the results of its requests. The depths are those of
	 * requests outstanding at a time; inlineDataSize up to MaxInlineDataSize.
	 */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateQueuePair, REFIID iid,
		IUnknown *pReceiveCompletionQueue, IUnknown *pInitiatorCompletionQueue,
			VOID *context,
		ULONG receiveQueueDepth, ULONG initiatorQueueDepth, ULONG maxReceiveRequestSge,
		ULONG maxInitiatorRequestSge, ULONG inlineDataSize, VOID **ppQueuePair);
	/**
	 * Make a queue pair whose messages go into receives of a shared queue. ND_NOT_SUPPORTED.
	 */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateQueuePairWithSrq, REFIID iid,
		IUnknown *pReceiveCompletionQueue, IUnknown *pInitiatorCompletionQueue,
		IUnknown *pSharedReceiveQueue, VOID *context, ULONG initiatorQueueDepth,
		ULONG maxInitiatorRequestSge, ULONG inlineDataSize, VOID **ppQueuePair);
	/** Make a connector, for one connection. */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateConnector, REFIID iid, HANDLE hOverlappedFile,
		VOID **ppConnector);
	/** Make a listener, which does not listen yet. */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateListener, REFIID iid, HANDLE hOverlappedFile,
		VOID **ppListener);
};

/** Results of requests. */
NDSPI_INTERFACE(IND2CompletionQueue, IND2Overlapped)
{
	NDSPI_UNKNOWN(IND2CompletionQueue)
	NDSPI_OVERLAPPED2(IND2CompletionQueue)
	/** Group 0, and the bit of the engine that the queue is on. */
	NDSPI_METHOD(HRESULT, IND2CompletionQueue, GetNotifyAffinity, USHORT *pGroup,
		KAFFINITY *pAffinity);
	/**
	 * Change how many results it can hold. ND_BUFFER_OVERFLOW: more are in it, nothing has
	 * changed; ND_INVALID_PARAMETER: 0, or above MaxCompletionQueueDepth.
	 */
	NDSPI_METHOD(HRESULT, IND2CompletionQueue, Resize, ULONG queueDepth);
	/**
	 * Ask to be told of the next result: type ND_CQ_NOTIFY_ERRORS, _ANY, _SOLICITED. Results
	 * that came since the last notification complete it at once. ND_INVALID_PARAMETER_1:
	 * unknown type. It ends with ND_BUFFER_OVERFLOW when the queue overruns: the queue and its
	 * queue pairs are dead then.
	 */
	NDSPI_METHOD(HRESULT, IND2CompletionQueue, Notify, ULONG type, OVERLAPPED *pOverlapped);
	/**
	 * Take up to nResults results, in the order in which the requests of each direction of a
	 * queue pair were posted. Returns how many, 0 at once when there are none.
	 */
	NDSPI_METHOD(ULONG, IND2CompletionQueue, GetResults, ND2_RESULT results[], ULONG nResults);
};

/** Receives that several queue pairs share. */
NDSPI_INTERFACE(IND2SharedReceiveQueue, IND2Overlapped)
{
	NDSPI_UNKNOWN(IND2SharedReceiveQueue)
	NDSPI_OVERLAPPED2(IND2SharedReceiveQueue)
	/** Group 0, and the bit of the engine that the queue is on. */
	NDSPI_METHOD(HRESULT, IND2SharedReceiveQueue, GetNotifyAffinity, USHORT *pGroup,
		KAFFINITY *pAffinity);
	/**
	 * Change depth and threshold; 0 leaves a value as it is. ND_BUFFER_OVERFLOW: more receives
	 * are posted; ND_INVALID_PARAMETER: above the limit.
	 */
	NDSPI_METHOD(HRESULT, IND2SharedReceiveQueue, Modify, ULONG queueDepth,
		ULONG notifyThreshold);
	/** Ask to be told when fewer receives than the threshold are posted. */
	NDSPI_METHOD(HRESULT, IND2SharedReceiveQueue, Notify, OVERLAPPED *pOverlapped);
	/**
	 * Post a receive. ND_NO_MORE_ENTRIES: the queue is full; ND_DATA_OVERRUN: too many entries;
	 * ND_BUFFER_OVERFLOW: more bytes than MaxTransferLength; ND_ACCESS_VIOLATION: an entry is
	 * not in registered memory that may be written.
	 */
	NDSPI_METHOD(HRESULT, IND2SharedReceiveQueue, Receive, VOID *requestContext,
		const ND2_SGE sge[], ULONG nSge);
};

	/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
