/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_ADAPTER_H
#define NDPDK_NDK_ADAPTER_H

/**
 * @file
 * Adapters, protection domains and listeners of the kernel interface. ndk_adapter_open() creates an
 * adapter from a native adapter.
 */

#include <ndpdk/ndk_connection.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nd_adapter;

/* NDK_ADAPTER_INFO.AdapterFlags. */
#define NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED               0x00000001u /**< last byte last */
#define NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED          0x00000002u /**< flag not needed */
#define NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED    0x00000004u /**< by count */
#define NDK_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED               0x00000008u /**< several engines */
#define NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED 0x00000010u /**< NdkRead() flag */
#define NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED                  0x00000100u /**< NdkResizeCq() */
#define NDK_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED       0x00010000u /**< to own address */

/** NDK_ADAPTER_INFO.RdmaTechnology. */
typedef enum _NDK_RDMA_TECHNOLOGY {
	NdkUndefined = 0,     /**< not known */
	NdkiWarp = 1,         /**< TCP */
	NdkInfiniBand = 2,    /**< InfiniBand */
	NdkRoCE = 3,          /**< RoCE version 1: Ethernet without IP */
	NdkRoCEv2 = 4,        /**< this library */
	NdkMaxTechnology = 5, /**< not a technology; one more than the last value */
} NDK_RDMA_TECHNOLOGY;

/** Limits of an adapter, such as maximum numbers. Sizes and lengths are in bytes. */
struct _NDK_ADAPTER_INFO {
	NDK_VERSION Version;          /**< of the interface */
	UINT32 VendorId;              /**< PCI vendor of the port; 0: not a PCI device */
	UINT32 DeviceId;              /**< PCI device of the port; 0: not a PCI device */
	SIZE_T MaxRegistrationSize;   /**< one region */
	SIZE_T MaxWindowSize;         /**< one window */
	ULONG FRMRPageCount;          /**< pages of a fast registration; 0: not supported */
	ULONG MaxInitiatorRequestSge; /**< list entries per request */
	ULONG MaxReceiveRequestSge;   /**< list entries per receive */
	ULONG MaxReadRequestSge;      /**< list entries per read */
	ULONG MaxTransferLength;      /**< bytes of one send, read or write */
	ULONG MaxInlineDataSize;      /**< inline data per request */
	ULONG MaxInboundReadLimit;    /**< concurrent reads by the peer, per queue pair */
	ULONG MaxOutboundReadLimit;   /**< concurrent reads by this side, per queue pair */
	ULONG MaxReceiveQueueDepth;   /**< outstanding receives, per queue pair */
	ULONG MaxInitiatorQueueDepth; /**< outstanding requests other than receives */
	ULONG MaxSrqDepth;            /**< receives of a shared receive queue; 0: not supported */
	ULONG MaxCqDepth;             /**< results that a completion queue can hold */
	ULONG LargeRequestThreshold;  /**< length above which registering is faster than copying */
	ULONG MaxCallerData;          /**< private data of a connect */
	ULONG MaxCalleeData;          /**< private data of an accept or a reject */
	ULONG AdapterFlags;           /**< NDK_ADAPTER_FLAG_ */
	NDK_RDMA_TECHNOLOGY RdmaTechnology; /**< NdkRoCEv2 */
};

/**
 * NdkCreateMr: create a memory region, without registered memory.
 *
 * @param FastRegister TRUE: for NdkFastRegister(); FALSE: for NdkRegisterMr()
 * @param[out] ppNdkMr unchanged after a failure
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL, or not an open object;
 *         STATUS_INSUFFICIENT_RESOURCES
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_CREATE_MR)(NDK_PD *pNdkPd, BOOLEAN FastRegister,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext, NDK_MR **ppNdkMr);

/**
 * NdkCreateMw: create a memory window, not bound.
 *
 * @param[out] ppNdkMw unchanged after a failure
 * @return same as NdkCreateMr(); STATUS_DEVICE_REMOVED
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_CREATE_MW)(NDK_PD *pNdkPd, NDK_FN_CREATE_COMPLETION CreateCompletion,
	PVOID RequestContext, NDK_MW **ppNdkMw);

/**
 * NdkCreateSrq: create a shared receive queue.
 *
 * @param SrqDepth maximum number of receives, 1 .. MaxSrqDepth
 * @param MaxReceiveRequestSge 0 .. MaxReceiveRequestSge of the adapter
 * @param NotifyThreshold as for NdkModifySrq()
 * @param SrqNotification may be NULL when the threshold is 0
 * @param Affinity selects the engine; NULL: the first engine
 * @param[out] ppNdkSrq unchanged after a failure
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or out of range;
 *         STATUS_INSUFFICIENT_RESOURCES; STATUS_NOT_SUPPORTED: MaxSrqDepth is 0
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CREATE_SRQ)(NDK_PD *pNdkPd, ULONG SrqDepth, ULONG MaxReceiveRequestSge,
	ULONG NotifyThreshold, NDK_FN_SRQ_NOTIFICATION_CALLBACK SrqNotification,
	PVOID SrqNotificationContext, GROUP_AFFINITY *Affinity,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext, NDK_SRQ **ppNdkSrq);

/**
 * NdkCreateQp: create a queue pair. Receives may be posted at once, before the connection.
 *
 * @param pReceiveCq, pInitiatorCq completion queues of receives and of other requests; may be the
 *        same, and must be on the same engine
 * @param QPContext returned with each result
 * @param[out] ppNdkQp unchanged after a failure
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or exceeds a limit of the
 *         adapter; STATUS_INSUFFICIENT_RESOURCES; STATUS_DEVICE_REMOVED
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CREATE_QP)(NDK_PD *pNdkPd, NDK_CQ *pReceiveCq, NDK_CQ *pInitiatorCq,
	PVOID QPContext, ULONG ReceiveQueueDepth, ULONG InitiatorQueueDepth,
	ULONG MaxReceiveRequestSge, ULONG MaxInitiatorRequestSge, ULONG InlineDataSize,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext, NDK_QP **ppNdkQp);

/**
 * NdkCreateQpWithSrq: create a queue pair that takes receives from a shared receive queue.
 *
 * @param[out] ppNdkQp unchanged after a failure
 * @return same as NdkCreateQp(); STATUS_NOT_SUPPORTED: MaxSrqDepth is 0
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CREATE_QP_WITH_SRQ)(NDK_PD *pNdkPd, NDK_CQ *pReceiveCq,
	NDK_CQ *pInitiatorCq, NDK_SRQ *pSrq, PVOID QPContext, ULONG InitiatorQueueDepth,
	ULONG MaxInitiatorRequestSge, ULONG InlineDataSize,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext, NDK_QP **ppNdkQp);

/**
 * NdkGetPrivilegedMemoryRegionToken: return the privileged token, which a list entry contains if
 * its address comes from NdkBuildLAM(). Peers cannot use this token.
 *
 * @param[out] pToken always filled
 * @note Threads: any.
 */
typedef VOID (*NDK_FN_GET_PRIVILEGED_MEMORY_REGION_TOKEN)(NDK_PD *pNdkPd, UINT32 *pToken);

/** Functions of a protection domain. */
struct _NDK_PD_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkClosePd; /**< completes after all objects of the domain are closed */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension; /**< none */
	NDK_FN_CREATE_MR NdkCreateMr;                       /**< memory region */
	NDK_FN_CREATE_MW NdkCreateMw;                       /**< memory window */
	NDK_FN_CREATE_SRQ NdkCreateSrq;                     /**< shared receive queue */
	NDK_FN_CREATE_QP NdkCreateQp;                       /**< queue pair */
	NDK_FN_CREATE_QP_WITH_SRQ NdkCreateQpWithSrq;       /**< queue pair with SRQ */
	NDK_FN_GET_PRIVILEGED_MEMORY_REGION_TOKEN
	NdkGetPrivilegedMemoryRegionToken; /**< for logical addresses */
};

/** Protection domain. All protection domains of an adapter share one native domain. */
struct _NDK_PD {
	NDK_OBJECT_HEADER Header;        /**< NdkObjectTypePd */
	CONST NDK_PD_DISPATCH *Dispatch; /**< its functions */
};

/**
 * NdkQueryAdapterInfo: return the limits.
 *
 * @param[out] pInfo unchanged after a failure; NULL: return only the size
 * @param[in,out] pBufferSize in: bytes at pInfo; out: bytes needed
 * @return STATUS_SUCCESS; STATUS_BUFFER_TOO_SMALL; STATUS_INVALID_PARAMETER
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_QUERY_ADAPTER_INFO)(
	NDK_ADAPTER *pNdkAdapter, NDK_ADAPTER_INFO *pInfo, ULONG *pBufferSize);

/**
 * NdkCreateCq: create a completion queue.
 *
 * @param CqDepth 1 .. MaxCqDepth
 * @param Affinity selects the engine; NULL: the first engine
 * @param[out] ppNdkCq unchanged after a failure
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or out of range;
 *         STATUS_INSUFFICIENT_RESOURCES; STATUS_DEVICE_REMOVED
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CREATE_CQ)(NDK_ADAPTER *pNdkAdapter, ULONG CqDepth,
	NDK_FN_CQ_NOTIFICATION_CALLBACK CqNotification, PVOID CqNotificationContext,
	GROUP_AFFINITY *Affinity, NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext,
	NDK_CQ **ppNdkCq);

/**
 * NdkCreatePd: create a protection domain.
 *
 * @param[out] ppNdkPd unchanged after a failure
 * @return same as NdkCreateMr()
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_CREATE_PD)(NDK_ADAPTER *pNdkAdapter,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext, NDK_PD **ppNdkPd);

/**
 * NdkCreateSharedEndpoint: reserve a local address for many connections.
 *
 * @param pAddress own address, or 0 for the adapter's; port 0: choose one
 * @param[out] ppNdkSharedEndpoint unchanged after a failure
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER; STATUS_INVALID_ADDRESS: not the adapter's
 *         address; STATUS_SHARING_VIOLATION: the port is in use; STATUS_TOO_MANY_ADDRESSES: no free
 *         port; STATUS_INSUFFICIENT_RESOURCES
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_CREATE_SHARED_ENDPOINT)(NDK_ADAPTER *pNdkAdapter,
	CONST PSOCKADDR pAddress, ULONG AddressLength, NDK_FN_CREATE_COMPLETION CreateCompletion,
	PVOID RequestContext, NDK_SHARED_ENDPOINT **ppNdkSharedEndpoint);

/**
 * NdkCreateConnector: create a connector for NdkConnect().
 *
 * @param[out] ppNdkConnector unchanged after a failure
 * @return same as NdkCreateMr(); STATUS_DEVICE_REMOVED
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CREATE_CONNECTOR)(NDK_ADAPTER *pNdkAdapter,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext,
	NDK_CONNECTOR **ppNdkConnector);

/**
 * Called for each connection request. The connector is new. The callee owns and closes it, and may
 * accept or reject the request at once.
 */
typedef VOID (*NDK_FN_CONNECT_EVENT_CALLBACK)(
	PVOID ConnectEventContext, NDK_CONNECTOR *pNdkConnector);

/**
 * NdkCreateListener: create a listener that does not listen yet.
 *
 * @param[out] ppNdkListener unchanged after a failure
 * @return same as NdkCreateMr()
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_CREATE_LISTENER)(NDK_ADAPTER *pNdkAdapter,
	NDK_FN_CONNECT_EVENT_CALLBACK ConnectEvent, PVOID ConnectEventContext,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext,
	NDK_LISTENER **ppNdkListener);

/** Functions of an adapter. To close the adapter, call ndk_adapter_close(). */
struct _NDK_ADAPTER_DISPATCH {
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension;    /**< none */
	NDK_FN_QUERY_ADAPTER_INFO NdkQueryAdapterInfo;         /**< limits */
	NDK_FN_CREATE_CQ NdkCreateCq;                          /**< completion queue */
	NDK_FN_CREATE_PD NdkCreatePd;                          /**< protection domain */
	NDK_FN_CREATE_SHARED_ENDPOINT NdkCreateSharedEndpoint; /**< shared endpoint */
	NDK_FN_CREATE_CONNECTOR NdkCreateConnector;            /**< connector */
	NDK_FN_CREATE_LISTENER NdkCreateListener;              /**< listener */
	NDK_FN_BUILD_LAM NdkBuildLAM;                          /**< pages of a range of memory */
	NDK_FN_RELEASE_LAM NdkReleaseLAM;                      /**< release the pages */
};

/** Adapter. */
struct _NDK_ADAPTER {
	NDK_OBJECT_HEADER Header;             /**< NdkObjectTypeAdapter */
	CONST NDK_ADAPTER_DISPATCH *Dispatch; /**< its functions */
};

#pragma GCC visibility push(default)

/**
 * Create an adapter of the kernel interface from a native adapter. The caller owns the native
 * adapter, polls or launches its engines, and may continue to use it. The caller closes the native
 * adapter after the new adapter. Callbacks of the kernel interface run on the engines' threads in
 * nd_engine_poll(), or in the call that causes them.
 *
 * @param version interface version that the caller was written for: 1.1 or 1.2
 * @param[out] adapter unchanged after a failure
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: NULL; STATUS_NOT_SUPPORTED: other version;
 *         STATUS_INSUFFICIENT_RESOURCES
 * @note Threads: any.
 */
NTSTATUS
ndk_adapter_open(struct nd_adapter *native, NDK_VERSION version, NDK_ADAPTER **adapter);

/**
 * Close an adapter and all objects on it that are still open. Pending closes complete, with their
 * callbacks. Connections are disconnected without waiting for the peers. After the return, no
 * callback is running or will run, and all objects are freed.
 *
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: not an adapter; STATUS_INVALID_DEVICE_STATE:
 *         called from a callback, nothing happens
 * @note Threads: control; not from a callback. Engines of other threads must run meanwhile.
 */
NTSTATUS ndk_adapter_close(NDK_ADAPTER *adapter);

/**
 * @return the native adapter; NULL: not an adapter
 * @note Threads: any.
 */
struct nd_adapter *ndk_adapter_native(const NDK_ADAPTER *adapter);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
