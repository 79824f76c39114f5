/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_TYPES_H
#define NDPDK_NDSPI_TYPES_H

/**
 * @file
 * Constants and structures of the Network Direct service provider interface, versions 1 and 2. What
 * the native API has as well has one definition, in its headers: status codes in nd_status.h, flags
 * of requests and kinds of notifications in nd_types.h, those of regions in nd_region.h.
 */

#include <assert.h>
#include <stddef.h>

#include <ndpdk/nd_region.h>
#include <ndpdk/nd_status.h>
#include <ndpdk/nd_types.h>
#include <ndpdk/win/windows.h>

/* ND_VERSION_1 is in nd_types.h. */
#define ND_VERSION_2 0x20000u /**< ND2_ADAPTER_INFO.InfoVersion; 1 is taken as well */

/* ND2_ADAPTER_INFO.AdapterFlags */
#define ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED            0x00000001u /**< last byte comes last */
#define ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED 0x00000004u /**< not set here */
#define ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED            0x00000008u /**< several engines */
#define ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED               0x00000100u /**< Resize works */
#define ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED    0x00010000u /**< not set here */

/* Flag of IND2MemoryRegion::Register; the others are in nd_region.h. */
#define ND_MR_FLAG_DO_NOT_SECURE_VM 0x80000000u /**< has no effect here */

/* Flag of requests of version 2; the others are in nd_types.h. */
#define ND_OP_FLAG_INLINE 0x00000020u /**< copy the data during the call; Send and Write */

/*
 * NTSTATUS values that methods and results of version 2 have, and that have no name beginning with
 * ND_.
 */
#ifndef STATUS_DATA_ERROR
#define STATUS_DATA_ERROR ND_STATUS(0xC000003Eu) /**< the peer's Receive was too small */
#endif
#ifndef STATUS_BAD_NETWORK_NAME
#define STATUS_BAD_NETWORK_NAME ND_STATUS(0xC00000CCu) /**< Connect to the address 0 */
#endif
#ifndef STATUS_CONNECTION_DISCONNECTED
#define STATUS_CONNECTION_DISCONNECTED ND_STATUS(0xC000020Cu) /**< by this side's Disconnect */
#endif
#ifndef STATUS_ADDRESS_ALREADY_ASSOCIATED
#define STATUS_ADDRESS_ALREADY_ASSOCIATED ND_STATUS(0xC0000238u) /**< second Bind */
#endif
#ifndef STATUS_ADDRESS_NOT_ASSOCIATED
#define STATUS_ADDRESS_NOT_ASSOCIATED ND_STATUS(0xC0000239u) /**< there was no Bind */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version 2 ---- */

/** Kind of the request that a result is of. */
typedef enum _ND2_REQUEST_TYPE {
	Nd2RequestTypeReceive = 0,    /**< Receive, of a queue pair or a shared queue */
	Nd2RequestTypeSend = 1,       /**< Send */
	Nd2RequestTypeBind = 2,       /**< Bind */
	Nd2RequestTypeInvalidate = 3, /**< Invalidate */
	Nd2RequestTypeRead = 4,       /**< Read */
	Nd2RequestTypeWrite = 5,      /**< Write */
} ND2_REQUEST_TYPE;

/** Limits of an adapter: IND2Adapter::Query. Lengths in bytes. */
typedef struct _ND2_ADAPTER_INFO {
	ULONG InfoVersion;                /**< in: ND_VERSION_2 or 1; out: the same */
	UINT16 VendorId;                  /**< PCI vendor of the port; 0: none */
	UINT16 DeviceId;                  /**< PCI device of the port; 0: none */
	UINT64 AdapterId;                 /**< as of IND2Provider::ResolveAddress */
	SIZE_T MaxRegistrationSize;       /**< one registration */
	SIZE_T MaxWindowSize;             /**< one window */
	ULONG MaxInitiatorSge;            /**< entries of Send and Write */
	ULONG MaxReceiveSge;              /**< entries of Receive */
	ULONG MaxReadSge;                 /**< entries of Read */
	ULONG MaxTransferLength;          /**< of a request */
	ULONG MaxInlineDataSize;          /**< of a request */
	ULONG MaxInboundReadLimit;        /**< reads in progress that the peer has posted */
	ULONG MaxOutboundReadLimit;       /**< reads in progress of a queue pair */
	ULONG MaxReceiveQueueDepth;       /**< receives of a queue pair */
	ULONG MaxInitiatorQueueDepth;     /**< all other requests of a queue pair */
	ULONG MaxSharedReceiveQueueDepth; /**< 0: there are no shared receive queues */
	ULONG MaxCompletionQueueDepth;    /**< results of a completion queue */
	ULONG InlineRequestThreshold;     /**< inline is faster below */
	ULONG LargeRequestThreshold;      /**< Read and Write are faster above */
	ULONG MaxCallerData;              /**< private data of Connect */
	ULONG MaxCalleeData;              /**< private data of Accept and Reject */
	ULONG AdapterFlags;               /**< ND_ADAPTER_FLAG_ */
} ND2_ADAPTER_INFO, *PND2_ADAPTER_INFO;

static_assert(sizeof(ND2_ADAPTER_INFO) == 96, "layout of Network Direct");
static_assert(offsetof(ND2_ADAPTER_INFO, AdapterId) == 8, "layout of Network Direct");
static_assert(offsetof(ND2_ADAPTER_INFO, MaxInitiatorSge) == 32, "layout of Network Direct");
static_assert(offsetof(ND2_ADAPTER_INFO, AdapterFlags) == 92, "layout of Network Direct");

/** Result of a request, copied out by IND2CompletionQueue::GetResults. */
typedef struct _ND2_RESULT {
	HRESULT Status;               /**< ND_SUCCESS, or why the connection has ended */
	ULONG BytesTransferred;       /**< of a receive: message length */
	VOID *QueuePairContext;       /**< as given to CreateQueuePair */
	VOID *RequestContext;         /**< as given to the request */
	ND2_REQUEST_TYPE RequestType; /**< kind of the request */
} ND2_RESULT;

static_assert(sizeof(ND2_RESULT) == 32, "layout of Network Direct");
static_assert(offsetof(ND2_RESULT, RequestType) == 24, "layout of Network Direct");

/** One piece of registered memory in the list of a request. */
typedef struct _ND2_SGE {
	VOID *Buffer;             /**< first byte, within the region */
	ULONG BufferLength;       /**< bytes */
	UINT32 MemoryRegionToken; /**< IND2MemoryRegion::GetLocalToken; not read with INLINE */
} ND2_SGE;

static_assert(sizeof(ND2_SGE) == 16, "layout of Network Direct");
static_assert(offsetof(ND2_SGE, MemoryRegionToken) == 12, "layout of Network Direct");

/* ---- Version 1 ---- */

/** A registration: INDAdapter::RegisterMemory. */
typedef struct ND_MR_HANDLE__ *ND_MR_HANDLE;

/** Limits of an adapter: INDAdapter::Query. Lengths in bytes. */
typedef struct _ND_ADAPTER_INFO1 {
	UINT32 VendorId;              /**< PCI vendor of the port; 0: none */
	UINT32 DeviceId;              /**< PCI device of the port; 0: none */
	SIZE_T MaxInboundSge;         /**< entries of a Receive */
	SIZE_T MaxInboundRequests;    /**< receives of an endpoint */
	SIZE_T MaxInboundLength;      /**< message of a Receive */
	SIZE_T MaxOutboundSge;        /**< entries of all other requests */
	SIZE_T MaxOutboundRequests;   /**< all other requests of an endpoint */
	SIZE_T MaxOutboundLength;     /**< of a Send, Read or Write */
	SIZE_T MaxInlineData;         /**< of a request */
	SIZE_T MaxInboundReadLimit;   /**< reads in progress that the peer has posted */
	SIZE_T MaxOutboundReadLimit;  /**< reads in progress of an endpoint */
	SIZE_T MaxCqEntries;          /**< results of a completion queue */
	SIZE_T MaxRegistrationSize;   /**< one registration */
	SIZE_T MaxWindowSize;         /**< one window */
	SIZE_T LargeRequestThreshold; /**< Read and Write are faster above */
	SIZE_T MaxCallerData;         /**< private data of Connect */
	SIZE_T MaxCalleeData;         /**< private data of Accept and Reject */
} ND_ADAPTER_INFO1;

/** Name of version 1. */
typedef ND_ADAPTER_INFO1 ND_ADAPTER_INFO;

static_assert(sizeof(ND_ADAPTER_INFO) == 128, "layout of Network Direct");

/**
 * Result of a request of version 1: the caller's, handed back by INDCompletionQueue::GetResults,
 * which writes it. It stays valid until then.
 */
typedef struct _ND_RESULT {
	HRESULT Status;          /**< ND_SUCCESS, or why the connection has ended */
	SIZE_T BytesTransferred; /**< of all requests but Bind and Invalidate */
} ND_RESULT;

static_assert(sizeof(ND_RESULT) == 16, "layout of Network Direct");

#pragma pack(push, 1)
/** What the peer needs to reach a bound window; its members are in network byte order. */
typedef struct _ND_MW_DESCRIPTOR {
	UINT64 Base;   /**< address of its first byte */
	UINT64 Length; /**< bytes */
	UINT32 Token;  /**< key of this bind */
} ND_MW_DESCRIPTOR;
#pragma pack(pop)

static_assert(sizeof(ND_MW_DESCRIPTOR) == 20, "layout of Network Direct");

/** One piece of memory in the list of a request of version 1. */
typedef struct _ND_SGE {
	VOID *pAddr;      /**< first byte */
	SIZE_T Length;    /**< bytes */
	ND_MR_HANDLE hMr; /**< NULL: inline data, which need not be registered */
} ND_SGE;

static_assert(sizeof(ND_SGE) == 24, "layout of Network Direct");

#ifdef __cplusplus
}
#endif

#endif
