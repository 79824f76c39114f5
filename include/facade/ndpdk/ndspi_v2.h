/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_V2_H
#define NDPDK_NDSPI_V2_H

/**
 * @file
 * Version 2: provider, adapter, completion queue, shared receive queue. ndspi.h has the rules for
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

/** Base of objects with overlapped methods. */
NDSPI_INTERFACE(IND2Overlapped, IUnknown)
{
	NDSPI_UNKNOWN(IND2Overlapped)
	/**
	 * Cancel all operations of this object, in the order of their calls. All end with
	 * ND_CANCELED, and their completion packets are in the port when the call returns. Returns
	 * ND_SUCCESS.
	 */
	NDSPI_METHOD0(HRESULT, IND2Overlapped, CancelOverlappedRequests);
	/**
	 * Return the status of an operation: ND_PENDING if the operation is pending and wait is
	 * FALSE, otherwise its final status. If wait is TRUE, the calling thread polls the adapters
	 * meanwhile. ND_INVALID_PARAMETER_1: pOverlapped is NULL.
	 */
	NDSPI_METHOD(HRESULT, IND2Overlapped, GetOverlappedResult, OVERLAPPED *pOverlapped,
		BOOL wait);
};

/** Provider: the adapters of the configuration. */
NDSPI_INTERFACE(IND2Provider, IUnknown)
{
	NDSPI_UNKNOWN(IND2Provider)
	/**
	 * Copy the addresses of all adapters. *pcbAddressList: in: bytes at pAddressList; out:
	 * bytes needed or used, also with ND_BUFFER_OVERFLOW. ND_DEVICE_NOT_READY: no usable
	 * configuration; NdGetConfigurationError() returns the cause.
	 */
	NDSPI_METHOD(HRESULT, IND2Provider, QueryAddressList, SOCKET_ADDRESS_LIST *pAddressList,
		ULONG *pcbAddressList);
	/**
	 * Return the identifier of the adapter with this address. The port is ignored.
	 * ND_INVALID_ADDRESS: no adapter has the address.
	 */
	NDSPI_METHOD(HRESULT, IND2Provider, ResolveAddress, const struct sockaddr *pAddress,
		ULONG cbAddress, UINT64 *pAdapterId);
	/**
	 * Open an adapter. The first call in a process starts its port. ND_INVALID_PARAMETER:
	 * unknown adapterId; ND_DEVICE_NOT_READY, ND_SHARING_VIOLATION: the port cannot be started;
	 * NdGetConfigurationError() returns the cause.
	 */
	NDSPI_METHOD(HRESULT, IND2Provider, OpenAdapter, REFIID iid, UINT64 adapterId,
		VOID **ppAdapter);
};

/** Adapter. Objects that were created on different adapter objects cannot be combined. */
NDSPI_INTERFACE(IND2Adapter, IUnknown)
{
	NDSPI_UNKNOWN(IND2Adapter)
	/**
	 * Create a file handle for overlapped operations. CreateIoCompletionPort associates it with
	 * a port. CloseHandle closes it; objects that were created with it stay usable.
	 */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateOverlappedFile, HANDLE *phOverlappedFile);
	/**
	 * Return the limits. InfoVersion must be ND_VERSION_2 or 1, otherwise ND_NOT_SUPPORTED.
	 * *pcbInfo: in: bytes at pInfo; out: bytes needed or used, also with ND_BUFFER_OVERFLOW.
	 */
	NDSPI_METHOD(HRESULT, IND2Adapter, Query, ND2_ADAPTER_INFO *pInfo, ULONG *pcbInfo);
	/** Copy the addresses of the adapter, as IND2Provider::QueryAddressList does. */
	NDSPI_METHOD(HRESULT, IND2Adapter, QueryAddressList, SOCKET_ADDRESS_LIST *pAddressList,
		ULONG *pcbAddressList);
	/**
	 * Create a completion queue of 1 .. MaxCompletionQueueDepth results. affinity selects the
	 * engine: the number of its lowest bit, modulo the number of engines. 0: the first engine.
	 * group must be 0.
	 */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateCompletionQueue, REFIID iid,
		HANDLE hOverlappedFile, ULONG queueDepth, USHORT group, KAFFINITY affinity,
			VOID **ppCompletionQueue);
	/** Create a memory region, without registered memory. */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateMemoryRegion, REFIID iid, HANDLE hOverlappedFile,
		VOID **ppMemoryRegion);
	/** Create a memory window, not bound. */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateMemoryWindow, REFIID iid, VOID **ppMemoryWindow);
	/**
	 * Create a shared receive queue of 1 .. MaxSharedReceiveQueueDepth receives. Notify
	 * completes when fewer than notifyThreshold receives are posted; 0 = never. group and
	 * affinity as for CreateCompletionQueue. ND_NOT_SUPPORTED: MaxSharedReceiveQueueDepth is 0.
	 */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateSharedReceiveQueue, REFIID iid,
		HANDLE hOverlappedFile, ULONG queueDepth, ULONG maxRequestSge,
			ULONG notifyThreshold,
		USHORT group, KAFFINITY affinity, VOID **ppSharedReceiveQueue);
	/**
	 * Create a queue pair. Receives may be posted at once. Both completion queues must be on
	 * one engine. Each result of the queue pair contains context. Depths are maximum numbers of
	 * outstanding requests; inlineDataSize is at most MaxInlineDataSize.
	 */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateQueuePair, REFIID iid,
		IUnknown *pReceiveCompletionQueue, IUnknown *pInitiatorCompletionQueue,
			VOID *context,
		ULONG receiveQueueDepth, ULONG initiatorQueueDepth, ULONG maxReceiveRequestSge,
		ULONG maxInitiatorRequestSge, ULONG inlineDataSize, VOID **ppQueuePair);
	/** Create a queue pair that takes receives from a shared queue. */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateQueuePairWithSrq, REFIID iid,
		IUnknown *pReceiveCompletionQueue, IUnknown *pInitiatorCompletionQueue,
		IUnknown *pSharedReceiveQueue, VOID *context, ULONG initiatorQueueDepth,
		ULONG maxInitiatorRequestSge, ULONG inlineDataSize, VOID **ppQueuePair);
	/** Create a connector for one connection. */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateConnector, REFIID iid, HANDLE hOverlappedFile,
		VOID **ppConnector);
	/** Create a listener that does not listen yet. */
	NDSPI_METHOD(HRESULT, IND2Adapter, CreateListener, REFIID iid, HANDLE hOverlappedFile,
		VOID **ppListener);
};

/** Completion queue. */
NDSPI_INTERFACE(IND2CompletionQueue, IND2Overlapped)
{
	NDSPI_UNKNOWN(IND2CompletionQueue)
	NDSPI_OVERLAPPED2(IND2CompletionQueue)
	/** Return the engine of the queue: group 0, and an affinity mask with the engine's bit. */
	NDSPI_METHOD(HRESULT, IND2CompletionQueue, GetNotifyAffinity, USHORT *pGroup,
		KAFFINITY *pAffinity);
	/**
	 * Change the number of results that the queue can hold. ND_BUFFER_OVERFLOW: the queue
	 * contains more results, nothing changed; ND_INVALID_PARAMETER: 0, or more than
	 * MaxCompletionQueueDepth.
	 */
	NDSPI_METHOD(HRESULT, IND2CompletionQueue, Resize, ULONG queueDepth);
	/**
	 * Wait for the next result of type ND_CQ_NOTIFY_ERRORS, _ANY, _SOLICITED. If results have
	 * arrived since the last notification, the call completes at once. ND_INVALID_PARAMETER_1:
	 * unknown type. If the queue overruns, the operation ends with ND_BUFFER_OVERFLOW, and the
	 * queue and its queue pairs are unusable.
	 */
	NDSPI_METHOD(HRESULT, IND2CompletionQueue, Notify, ULONG type, OVERLAPPED *pOverlapped);
	/**
	 * Take up to nResults results. For each queue pair, results of receives are in the order of
	 * posting, and results of all other requests are in the order of posting. Returns the
	 * number of results; 0 at once if there are none.
	 */
	NDSPI_METHOD(ULONG, IND2CompletionQueue, GetResults, ND2_RESULT results[], ULONG nResults);
};

/** Receive queue that several queue pairs share. */
NDSPI_INTERFACE(IND2SharedReceiveQueue, IND2Overlapped)
{
	NDSPI_UNKNOWN(IND2SharedReceiveQueue)
	NDSPI_OVERLAPPED2(IND2SharedReceiveQueue)
	/** Return the engine of the queue: group 0, and an affinity mask with the engine's bit. */
	NDSPI_METHOD(HRESULT, IND2SharedReceiveQueue, GetNotifyAffinity, USHORT *pGroup,
		KAFFINITY *pAffinity);
	/**
	 * Change depth and threshold; 0 leaves a value unchanged. ND_BUFFER_OVERFLOW: more receives
	 * are posted than the new depth; ND_INVALID_PARAMETER: the depth exceeds its limit.
	 */
	NDSPI_METHOD(HRESULT, IND2SharedReceiveQueue, Modify, ULONG queueDepth,
		ULONG notifyThreshold);
	/** Wait until fewer receives than the threshold are posted. */
	NDSPI_METHOD(HRESULT, IND2SharedReceiveQueue, Notify, OVERLAPPED *pOverlapped);
	/**
	 * Post a receive. ND_NO_MORE_ENTRIES: the queue is full; ND_DATA_OVERRUN: too many entries;
	 * ND_BUFFER_OVERFLOW: more bytes than MaxTransferLength; ND_ACCESS_VIOLATION: an entry is
	 * not in registered memory with write access.
	 */
	NDSPI_METHOD(HRESULT, IND2SharedReceiveQueue, Receive, VOID *requestContext,
		const ND2_SGE sge[], ULONG nSge);
};

	/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
