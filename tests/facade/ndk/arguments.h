/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_ARGUMENTS_H
#define NDPDK_NDK_ARGUMENTS_H

#include "ndk_pair.h"

/** Valid arguments. Each member has the name of the parameter for which it is passed. */
struct arguments {
	NDK_ADAPTER *adapter;
	NDK_PD *pd;
	NDK_CQ *cq;
	NDK_QP *qp;
	NDK_SRQ *srq;
	NDK_MR *mr;
	NDK_MR *fast;       /* initialized fast region */
	NDK_MR *empty_fast; /* fast region that is not initialized */
	NDK_MW *mw;
	NDK_CONNECTOR *connector;
	NDK_LISTENER *listener;
	NDK_SHARED_ENDPOINT *shared;

	NDK_FN_CREATE_COMPLETION CreateCompletion;
	NDK_FN_CLOSE_COMPLETION CloseCompletion;
	NDK_FN_REQUEST_COMPLETION RequestCompletion;
	NDK_FN_CONNECT_EVENT_CALLBACK ConnectEvent;
	NDK_FN_CQ_NOTIFICATION_CALLBACK CqNotification;
	NDK_FN_SRQ_NOTIFICATION_CALLBACK SrqNotification;
	NDK_FN_DISCONNECT_EVENT_CALLBACK DisconnectEvent;
	PVOID RequestContext, ConnectEventContext, CqNotificationContext, SrqNotificationContext;
	PVOID DisconnectEventContext, QPContext;

	GUID *ExtensionInterfaceID;
	NDK_VERSION ExtensionInterfaceVersion;
	NDK_EXTENSION_INTERFACE *pExtensionInterface;

	ULONG CqDepth, SrqDepth, ReceiveQueueDepth, InitiatorQueueDepth, NotifyThreshold;
	ULONG MaxInitiatorRequestSge, MaxReceiveRequestSge, InlineDataSize, nResults, nSge, Type;
	ULONG ModerationCount, ModerationInterval, AdapterPageCount, FBO, Flags;
	ULONG InboundReadLimit, OutboundReadLimit;
	BOOLEAN FastRegister, RemoteAccess, Pause;
	GROUP_AFFINITY *Affinity;
	SIZE_T Length;
	MDL *Mdl;
	PVOID VirtualAddress, BaseVirtualAddress;
	NDK_LOGICAL_ADDRESS *AdapterPageArray;
	UINT64 RemoteAddress;
	UINT32 RemoteToken;
	NDK_SGE *pSgl;
	PVOID Results;

	PSOCKADDR pAddress, pDestAddress, pSrcAddress;
	ULONG AddressLength, DestAddressLength, SrcAddressLength, PrivateDataLength;
	PVOID pPrivateData;
	ULONG *pAddressLength, *pBufferSize, *pFBO, *pLAMSize, *pPrivateDataLength;
	ULONG *pInboundReadLimit, *pOutboundReadLimit;
	NDK_ADAPTER_INFO *pInfo;
	NDK_LOGICAL_ADDRESS_MAPPING *pNdkLAM;
	UINT32 *pToken;

	NDK_CONNECTOR **ppNdkConnector;
	NDK_CQ **ppNdkCq;
	NDK_LISTENER **ppNdkListener;
	NDK_MR **ppNdkMr;
	NDK_MW **ppNdkMw;
	NDK_PD **ppNdkPd;
	NDK_QP **ppNdkQp;
	NDK_SHARED_ENDPOINT **ppNdkSharedEndpoint;
	NDK_SRQ **ppNdkSrq;

	unsigned int calls; /* number of calls of begin() */
};

/**
 * The generated tests call begin() before and end() after each call that they test. end() fails if
 * the tested call has completed an operation, created an object or posted a request.
 */
void begin(struct arguments *with);
void end(const struct arguments *with, const char *call);

void expect(const char *call, int64_t returned, int64_t expected);

/* arguments.py generates these functions, one for each dispatch table. */
void arguments_of_adapter(struct arguments *with);
void arguments_of_connector(struct arguments *with);
void arguments_of_cq(struct arguments *with);
void arguments_of_listener(struct arguments *with);
void arguments_of_mr(struct arguments *with);
void arguments_of_mw(struct arguments *with);
void arguments_of_pd(struct arguments *with);
void arguments_of_qp(struct arguments *with);
void arguments_of_shared_endpoint(struct arguments *with);
void arguments_of_srq(struct arguments *with);

#endif
