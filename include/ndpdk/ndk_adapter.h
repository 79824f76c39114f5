/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_ADAPTER_H
#define NDPDK_NDK_ADAPTER_H

/**
 * @file
 * Adapters, protection domains and listeners of the kernel interface; making an adapter of a native
 * one.
 */

#include <ndpdk/ndk_connection.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nd_adapter;

/* NDK_ADAPTER_INFO.AdapterFlags. */
#define NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED               0x00000001u /**< last byte last */
#define NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED          0x00000002u /**< flag not needed */
#define NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED    0x00000004u /**< counts */
#define NDK_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED               0x00000008u /**< several engines */
#define NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED 0x00000010u /**< of NdkRead() */
#define NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED                  0x00000100u /**< NdkResizeCq() */
#define NDK_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED       0x00010000u /**< to the own address */

/** NDK_ADAPTER_INFO.RdmaTechnology. */
typedef enum _NDK_RDMA_TECHNOLOGY {
	NdkUndefined = 0,     /**< not known */
	NdkiWarp = 1,         /**< TCP */
	NdkInfiniBand = 2,    /**< InfiniBand */
	NdkRoCE = 3,          /**< Ethernet without IP */
	NdkRoCEv2 = 4,        /**< this library */
	NdkMaxTechnology = 5, /**< one more than the last */
} NDK_RDMA_TECHNOLOGY;

/** Limits of an adapter. Sizes and lengths in bytes. */
struct _NDK_ADAPTER_INFO {
	NDK_VERSION Version;                /**< of the interface */
	UINT32 VendorId;                    /**< 0: there is no hardware vendor */
	UINT32 DeviceId;                    /**< 0: likewise */
	SIZE_T MaxRegistrationSize;         /**< one region */
	SIZE_T MaxWindowSize;               /**< one window */
	ULONG FRMRPageCount;                /**< pages of a fast registration; 0: there is none */
	ULONG MaxInitiatorRequestSge;       /**< list entries of a request */
	ULONG MaxReceiveRequestSge;         /**< list entries of a receive */
	ULONG MaxReadRequestSge;            /**< list entries of a read */
	ULONG MaxTransferLength;            /**< of a send, read or write */
	ULONG MaxInlineDataSize;            /**< of a request */
	ULONG MaxInboundReadLimit;          /**< reads of the peer in progress */
	ULONG MaxOutboundReadLimit;         /**< own reads in progress */
	ULONG MaxReceiveQueueDepth;         /**< receives outstanding of a queue pair */
	ULONG MaxInitiatorQueueDepth;       /**< other requests outstanding */
	ULONG MaxSrqDepth;                  /**< of a shared receive queue; 0: there is none */
	ULONG MaxCqDepth;                   /**< results that a completion queue can hold */
	ULONG LargeRequestThreshold;        /**< from here on copying costs more */
	ULONG MaxCallerData;                /**< private data of a connect */
	ULONG MaxCalleeData;                /**< private data of an accept or a reject */
	ULONG AdapterFlags;                 /**< NDK_ADAPTER_FLAG_ */
	NDK_RDMA_TECHNOLOGY RdmaTechnology; /**< NdkRoCEv2 */
};

/**
 * NdkCreateMr.
 *
 * @param FastRegister whether for NdkFastRegister(), else for NdkRegisterMr()
 * @param[out] ppNdkMr unchanged after a failure
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL, or not an open object;
 *         STATUS_INSUFFICIENT_RESOURCES
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_CREATE_MR)(NDK_PD *pNdkPd, BOOLEAN FastRegister,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext, NDK_MR **ppNdkMr);

/**
 * NdkCreateMw: make an unbound window.
 *
 * @param[out] ppNdkMw unchanged after a failure
 * @return as NdkCreateMr(); STATUS_DEVICE_REMOVED
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_CREATE_MW)(NDK_PD *pNdkPd, NDK_FN_CREATE_COMPLETION CreateCompletion,
	PVOID RequestContext, NDK_MW **ppNdkMw);

/**
 * NdkCreateSrq: make a shared receive queue.
 *
 * @param SrqDepth receives outstanding, 1 .. MaxSrqDepth
 * @param MaxReceiveRequestSge 0 .. MaxReceiveRequestSge of the adapter
 * @param NotifyThreshold as of NdkModifySrq()
 * @param SrqNotification may be NULL when the threshold is 0
 * @param Affinity names the engine; may be NULL: the first one
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
 * NdkCreateQp: make a queue pair. It takes receives at once.
 *
 * @param pReceiveCq, pInitiatorCq get the results; may be the same; of the same engine
 * @param QPContext comes back with each result
 * @param[out] ppNdkQp unchanged after a failure
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or beyond the adapter;
 *         STATUS_INSUFFICIENT_RESOURCES; STATUS_DEVICE_REMOVED
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CREATE_QP)(NDK_PD *pNdkPd, NDK_CQ *pReceiveCq, NDK_CQ *pInitiatorCq,
	PVOID QPContext, ULONG ReceiveQueueDepth, ULONG InitiatorQueueDepth,
	ULONG MaxReceiveRequestSge, ULONG MaxInitiatorRequestSge, ULONG InlineDataSize,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext, NDK_QP **ppNdkQp);

/**
 * NdkCreateQpWithSrq: make a queue pair whose receives come from a shared receive queue.
 *
 * @param[out] ppNdkQp unchanged after a failure
 * @return as NdkCreateQp(); STATUS_NOT_SUPPORTED: MaxSrqDepth is 0
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CREATE_QP_WITH_SRQ)(NDK_PD *pNdkPd, NDK_CQ *pReceiveCq,
	NDK_CQ *pInitiatorCq, NDK_SRQ *pSrq, PVOID QPContext, ULONG InitiatorQueueDepth,
	ULONG MaxInitiatorRequestSge, ULONG InlineDataSize,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext, NDK_QP **ppNdkQp);

/**
 * NdkGetPrivilegedMemoryRegionToken: for list entries with addresses of NdkBuildLAM(). Peers cannot
 * use it.
 *
 * @param[out] pToken set
 * @note Threads: any.
 */
typedef VOID (*NDK_FN_GET_PRIVILEGED_MEMORY_REGION_TOKEN)(NDK_PD *pNdkPd, UINT32 *pToken);

/** Functions of a protection domain. */
struct _NDK_PD_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkClosePd;                     /**< waits for what was made in it */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension; /**< none */
	NDK_FN_CREATE_MR NdkCreateMr;                       /**< region */
	NDK_FN_CREATE_MW NdkCreateMw;                       /**< window */
	NDK_FN_CREATE_SRQ NdkCreateSrq;                     /**< shared receive queue */
	NDK_FN_CREATE_QP NdkCreateQp;                       /**< queue pair */
	NDK_FN_CREATE_QP_WITH_SRQ NdkCreateQpWithSrq;       /**< queue pair of such a queue */
	NDK_FN_GET_PRIVILEGED_MEMORY_REGION_TOKEN
	NdkGetPrivilegedMemoryRegionToken; /**< for logical addresses */
};

/** Protection domain: all of one adapter share one. */
struct _NDK_PD {
	NDK_OBJECT_HEADER Header;        /**< NdkObjectTypePd */
	CONST NDK_PD_DISPATCH *Dispatch; /**< its functions */
};

/**
 * NdkQueryAdapterInfo: tell the limits.
 *
 * @param[out] pInfo unchanged after a failure; may be NULL to ask for the size
 * @param[in,out] pBufferSize in: bytes at pInfo; out: bytes needed
 * @return STATUS_SUCCESS; STATUS_BUFFER_TOO_SMALL; STATUS_INVALID_PARAMETER
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_QUERY_ADAPTER_INFO)(
	NDK_ADAPTER *pNdkAdapter, NDK_ADAPTER_INFO *pInfo, ULONG *pBufferSize);

/**
 * NdkCreateCq: make a completion queue.
 *
 * @param CqDepth 1 .. MaxCqDepth
 * @param Affinity names the engine; may be NULL: the first one
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
 * NdkCreatePd: make a protection domain.
 *
 * @param[out] ppNdkPd unchanged after a failure
 * @return as NdkCreateMr()
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_CREATE_PD)(NDK_ADAPTER *pNdkAdapter,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext, NDK_PD **ppNdkPd);

/**
 * NdkCreateSharedEndpoint: reserve a local address for many connections.
 *
 * @param pAddress own address, or that of all; port 0: choose one
 * @param[out] ppNdkSharedEndpoint unchanged after a failure
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER; STATUS_INVALID_ADDRESS: not the adapter's;
 *         STATUS_SHARING_VIOLATION: the port is in use; STATUS_TOO_MANY_ADDRESSES: no free port;
 *         STATUS_INSUFFICIENT_RESOURCES
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_CREATE_SHARED_ENDPOINT)(NDK_ADAPTER *pNdkAdapter,
	CONST PSOCKADDR pAddress, ULONG AddressLength, NDK_FN_CREATE_COMPLETION CreateCompletion,
	PVOID RequestContext, NDK_SHARED_ENDPOINT **ppNdkSharedEndpoint);

/**
 * NdkCreateConnector: make a connector for NdkConnect().
 *
 * @param[out] ppNdkConnector unchanged after a failure
 * @return as NdkCreateMr(); STATUS_DEVICE_REMOVED
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CREATE_CONNECTOR)(NDK_ADAPTER *pNdkAdapter,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext,
	NDK_CONNECTOR **ppNdkConnector);

/**
 * Tells of a connection request. The connector is new, the caller's, and to be closed by it; it may
 * be accepted or rejected at once.
 */
typedef VOID (*NDK_FN_CONNECT_EVENT_CALLBACK)(
	PVOID ConnectEventContext, NDK_CONNECTOR *pNdkConnector);

/**
 * NdkCreateListener: make a listener, which does not listen yet.
 *
 * @param[out] ppNdkListener unchanged after a failure
 * @return as NdkCreateMr()
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_CREATE_LISTENER)(NDK_ADAPTER *pNdkAdapter,
	NDK_FN_CONNECT_EVENT_CALLBACK ConnectEvent, PVOID ConnectEventContext,
	NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext,
	NDK_LISTENER **ppNdkListener);

/** Functions of an adapter. It is closed by ndk_adapter_close(). */
struct _NDK_ADAPTER_DISPATCH {
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension;    /**< none */
	NDK_FN_QUERY_ADAPTER_INFO NdkQueryAdapterInfo;         /**< limits */
	NDK_FN_CREATE_CQ NdkCreateCq;                          /**< completion queue */
	NDK_FN_CREATE_PD NdkCreatePd;                          /**< protection domain */
	NDK_FN_CREATE_SHARED_ENDPOINT NdkCreateSharedEndpoint; /**< shared endpoint */
	NDK_FN_CREATE_CONNECTOR NdkCreateConnector;            /**< connector */
	NDK_FN_CREATE_LISTENER NdkCreateListener;              /**< listener */
	NDK_FN_BUILD_LAM NdkBuildLAM;                          /**< pages of memory */
	NDK_FN_RELEASE_LAM NdkReleaseLAM;                      /**< give them back */
};

/** Adapter. */
struct _NDK_ADAPTER {
	NDK_OBJECT_HEADER Header;             /**< NdkObjectTypeAdapter */
	CONST NDK_ADAPTER_DISPATCH *Dispatch; /**< its functions */
};

#pragma GCC visibility push(default)

/**
 * Make the kernel interface's adapter of a native one. The native adapter stays the caller's, who
 * polls or launches its engines, may go on to use it, and closes it after this one. Callbacks of
 * the kernel interface come from the engines' threads, within nd_engine_poll(), or from the call
 * that causes them.
 *
 * @param version of the interface that the caller was written for: 1.1 or 1.2
 * @param[out] adapter unchanged after a failure
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: NULL; STATUS_NOT_SUPPORTED: another version;
 *         STATUS_INSUFFICIENT_RESOURCES
 * @note Threads: any.
 */
NTSTATUS
ndk_adapter_open(struct nd_adapter *native, NDK_VERSION version, NDK_ADAPTER **adapter);

/**
 * Close it, and all objects made on it that are still open. Closes that are pending complete, with
 * their callbacks; connections that are there are disconnected, without waiting for their peers.
 * At the return no callback is under way, none will come, and all objects are gone.
 *
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: not an adapter; STATUS_INVALID_DEVICE_STATE:
 *         called from a callback, nothing happens
 * @note Threads: control; not from a callback. Engines of other threads must run meanwhile.
 */
NTSTATUS ndk_adapter_close(NDK_ADAPTER *adapter);

/**
 * @return the adapter that it was made of; NULL: not an adapter
 * @note Threads: any.
 */
struct nd_adapter *ndk_adapter_native(const NDK_ADAPTER *adapter);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
