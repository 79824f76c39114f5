/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_TYPES_H
#define NDPDK_NDSPI_TYPES_H

/**
 * @file
 * Constants and structures of the Network Direct service provider interface, versions 1 and 2.
 * Definitions that are also in the native API are in its headers: status codes in nd_status.h,
 * flags of requests and types of notifications in nd_types.h, flags of regions in nd_region.h.
 */

#include <assert.h>
#include <stddef.h>

#include <ndpdk/nd_region.h>
#include <ndpdk/nd_status.h>
#include <ndpdk/nd_types.h>
#include <ndpdk/win/windows.h>

/* ND_VERSION_1 is in nd_types.h. */
#define ND_VERSION_2 0x20000u /**< ND2_ADAPTER_INFO.InfoVersion; 1 is also accepted */

/* ND2_ADAPTER_INFO.AdapterFlags */
#define ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED            0x00000001u /**< last byte comes last */
#define ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED 0x00000004u /**< never set */
#define ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED            0x00000008u /**< several engines */
#define ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED               0x00000100u /**< Resize works */
#define ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED    0x00010000u /**< never set */

/* A flag of IND2MemoryRegion::Register. The other flags are in nd_region.h. */
#define ND_MR_FLAG_DO_NOT_SECURE_VM 0x80000000u /**< no effect */

/* A flag of requests of version 2. The other flags are in nd_types.h. */
#define ND_OP_FLAG_INLINE 0x00000020u /**< Send and Write: copy the data during the call */

/* NTSTATUS values without an ND_ name. Methods and results of version 2 return these values. */
#ifndef STATUS_DATA_ERROR
#define STATUS_DATA_ERROR ND_STATUS(0xC000003Eu) /**< the peer's Receive was too small */
#endif
#ifndef STATUS_BAD_NETWORK_NAME
#define STATUS_BAD_NETWORK_NAME ND_STATUS(0xC00000CCu) /**< Connect to address 0 */
#endif
#ifndef STATUS_CONNECTION_DISCONNECTED
#define STATUS_CONNECTION_DISCONNECTED ND_STATUS(0xC000020Cu) /**< by this side's Disconnect */
#endif
#ifndef STATUS_ADDRESS_ALREADY_ASSOCIATED
#define STATUS_ADDRESS_ALREADY_ASSOCIATED ND_STATUS(0xC0000238u) /**< second Bind */
#endif
#ifndef STATUS_ADDRESS_NOT_ASSOCIATED
#define STATUS_ADDRESS_NOT_ASSOCIATED ND_STATUS(0xC0000239u) /**< no Bind before */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version 2 ---- */

/** Type of the request to which a result belongs. */
typedef enum _ND2_REQUEST_TYPE {
	Nd2RequestTypeReceive = 0,    /**< Receive, of a queue pair or a shared queue */
	Nd2RequestTypeSend = 1,       /**< Send */
	Nd2RequestTypeBind = 2,       /**< Bind */
	Nd2RequestTypeInvalidate = 3, /**< Invalidate */
	Nd2RequestTypeRead = 4,       /**< Read */
	Nd2RequestTypeWrite = 5,      /**< Write */
} ND2_REQUEST_TYPE;

/** Limits of an adapter: maximum numbers and lengths (in bytes). Filled by IND2Adapter::Query. */
typedef struct _ND2_ADAPTER_INFO {
	ULONG InfoVersion;                /**< in: ND_VERSION_2 or 1; out: unchanged */
	UINT16 VendorId;                  /**< PCI vendor of the port; 0: not a PCI device */
	UINT16 DeviceId;                  /**< PCI device of the port; 0: not a PCI device */
	UINT64 AdapterId;                 /**< identifier for IND2Provider::OpenAdapter */
	SIZE_T MaxRegistrationSize;       /**< one registration */
	SIZE_T MaxWindowSize;             /**< one window */
	ULONG MaxInitiatorSge;            /**< list entries of Send and Write */
	ULONG MaxReceiveSge;              /**< list entries of Receive */
	ULONG MaxReadSge;                 /**< list entries of Read */
	ULONG MaxTransferLength;          /**< data of one request */
	ULONG MaxInlineDataSize;          /**< inline data of one request */
	ULONG MaxInboundReadLimit;        /**< concurrent reads by the peer, per queue pair */
	ULONG MaxOutboundReadLimit;       /**< concurrent reads by this side, per queue pair */
	ULONG MaxReceiveQueueDepth;       /**< receives outstanding on a queue pair */
	ULONG MaxInitiatorQueueDepth;     /**< outstanding requests other than receives, per QP */
	ULONG MaxSharedReceiveQueueDepth; /**< 0: shared receive queues are not supported */
	ULONG MaxCompletionQueueDepth;    /**< results in a completion queue */
	ULONG InlineRequestThreshold;     /**< below this length inline data is faster */
	ULONG LargeRequestThreshold;      /**< above this length Read and Write are faster */
	ULONG MaxCallerData;              /**< private data of Connect */
	ULONG MaxCalleeData;              /**< bytes of private data in Accept and Reject */
	ULONG AdapterFlags;               /**< ND_ADAPTER_FLAG_ */
} ND2_ADAPTER_INFO, *PND2_ADAPTER_INFO;

static_assert(sizeof(ND2_ADAPTER_INFO) == 96, "layout of Network Direct");
static_assert(offsetof(ND2_ADAPTER_INFO, AdapterId) == 8, "layout of Network Direct");
static_assert(offsetof(ND2_ADAPTER_INFO, MaxInitiatorSge) == 32, "layout of Network Direct");
static_assert(offsetof(ND2_ADAPTER_INFO, AdapterFlags) == 92, "layout of Network Direct");

/** Result of a request, returned by value by IND2CompletionQueue::GetResults. */
typedef struct _ND2_RESULT {
	HRESULT Status;               /**< ND_SUCCESS, or the error that ended the connection */
	ULONG BytesTransferred;       /**< receive: message length */
	VOID *QueuePairContext;       /**< context of CreateQueuePair */
	VOID *RequestContext;         /**< context of the request */
	ND2_REQUEST_TYPE RequestType; /**< type of the request */
} ND2_RESULT;

static_assert(sizeof(ND2_RESULT) == 32, "layout of Network Direct");
static_assert(offsetof(ND2_RESULT, RequestType) == 24, "layout of Network Direct");

/** One piece of registered memory in the list of a request. */
typedef struct _ND2_SGE {
	VOID *Buffer;             /**< address of the first byte, in the region */
	ULONG BufferLength;       /**< bytes */
	UINT32 MemoryRegionToken; /**< IND2MemoryRegion::GetLocalToken; ignored with INLINE */
} ND2_SGE;

static_assert(sizeof(ND2_SGE) == 16, "layout of Network Direct");
static_assert(offsetof(ND2_SGE, MemoryRegionToken) == 12, "layout of Network Direct");

/* ---- Version 1 ---- */

/** A registration: INDAdapter::RegisterMemory. */
typedef struct ND_MR_HANDLE__ *ND_MR_HANDLE;

/** Limits of an adapter: maximum numbers and lengths (in bytes). Filled by INDAdapter::Query. */
typedef struct _ND_ADAPTER_INFO1 {
	UINT32 VendorId;              /**< PCI vendor of the port; 0: not a PCI device */
	UINT32 DeviceId;              /**< PCI device of the port; 0: not a PCI device */
	SIZE_T MaxInboundSge;         /**< list entries of a Receive */
	SIZE_T MaxInboundRequests;    /**< receives outstanding on an endpoint */
	SIZE_T MaxInboundLength;      /**< longest message of a Receive */
	SIZE_T MaxOutboundSge;        /**< list entries of a request other than Receive */
	SIZE_T MaxOutboundRequests;   /**< outstanding requests other than receives */
	SIZE_T MaxOutboundLength;     /**< longest message of a Send, Read or Write */
	SIZE_T MaxInlineData;         /**< inline data of one request */
	SIZE_T MaxInboundReadLimit;   /**< concurrent reads by the peer, per endpoint */
	SIZE_T MaxOutboundReadLimit;  /**< concurrent reads by this side, per endpoint */
	SIZE_T MaxCqEntries;          /**< results in a completion queue */
	SIZE_T MaxRegistrationSize;   /**< one registration */
	SIZE_T MaxWindowSize;         /**< one window */
	SIZE_T LargeRequestThreshold; /**< above this length Read and Write are faster */
	SIZE_T MaxCallerData;         /**< private data of Connect */
	SIZE_T MaxCalleeData;         /**< bytes of private data in Accept and Reject */
} ND_ADAPTER_INFO1;

/** Name in version 1. */
typedef ND_ADAPTER_INFO1 ND_ADAPTER_INFO;

static_assert(sizeof(ND_ADAPTER_INFO) == 128, "layout of Network Direct");

/**
 * Result of a request of version 1. The caller owns it and keeps it until
 * INDCompletionQueue::GetResults has filled and returned it.
 */
typedef struct _ND_RESULT {
	HRESULT Status;          /**< ND_SUCCESS, or the error that ended the connection */
	SIZE_T BytesTransferred; /**< message length; not for Bind and Invalidate */
} ND_RESULT;

static_assert(sizeof(ND_RESULT) == 16, "layout of Network Direct");

#pragma pack(push, 1)
/** Describes a bound window for the peer. All members are in network byte order. */
typedef struct _ND_MW_DESCRIPTOR {
	UINT64 Base;   /**< address of the window's first byte */
	UINT64 Length; /**< bytes */
	UINT32 Token;  /**< key of the window, new for each Bind */
} ND_MW_DESCRIPTOR;
#pragma pack(pop)

static_assert(sizeof(ND_MW_DESCRIPTOR) == 20, "layout of Network Direct");

/** One piece of memory in the list of a request of version 1. */
typedef struct _ND_SGE {
	VOID *pAddr;      /**< address of the first byte */
	SIZE_T Length;    /**< bytes */
	ND_MR_HANDLE hMr; /**< NULL: inline data, which may be in any memory */
} ND_SGE;

static_assert(sizeof(ND_SGE) == 24, "layout of Network Direct");

#ifdef __cplusplus
}
#endif

#endif
