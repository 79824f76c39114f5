/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Checks the binary layout of Network Direct at compile time. Programs call a method by its
 * slot, which is its position in the method table, so slots must never change. Structures that the
 * headers check are not repeated here.
 */

#include <ndpdk/ndspi.h>

/* NOLINTBEGIN(bugprone-macro-parentheses): names of types and members. */
/** Check the slot of a method in the table, counted in pointers. */
#define SLOT(interface, method, slot)                                                              \
	static_assert(offsetof(interface##Vtbl, method) == (slot) * sizeof(void *),                \
		#interface "::" #method " is in slot " #slot)
/** Check the number of methods in a table. */
#define SLOTS(interface, count)                                                                    \
	static_assert(sizeof(interface##Vtbl) == (count) * sizeof(void *),                         \
		#interface " has " #count " methods")
/** Check the offset of a member of a structure, in bytes. */
#define MEMBER(structure, member, offset)                                                          \
	static_assert(                                                                             \
		offsetof(structure, member) == (offset), #structure "." #member " is at " #offset)
/* NOLINTEND(bugprone-macro-parentheses) */

static_assert(sizeof(GUID) == 16 && sizeof(OVERLAPPED) == 32, "layout of Windows");
static_assert(sizeof(HRESULT) == 4 && sizeof(ULONG) == 4 && sizeof(SIZE_T) == 8,
	"sizes of 64-bit Windows");

/* ---- Structures of version 1 ---- */

MEMBER(ND_ADAPTER_INFO, VendorId, 0);
MEMBER(ND_ADAPTER_INFO, DeviceId, 4);
MEMBER(ND_ADAPTER_INFO, MaxInboundSge, 8);
MEMBER(ND_ADAPTER_INFO, MaxInboundRequests, 16);
MEMBER(ND_ADAPTER_INFO, MaxInboundLength, 24);
MEMBER(ND_ADAPTER_INFO, MaxOutboundSge, 32);
MEMBER(ND_ADAPTER_INFO, MaxOutboundRequests, 40);
MEMBER(ND_ADAPTER_INFO, MaxOutboundLength, 48);
MEMBER(ND_ADAPTER_INFO, MaxInlineData, 56);
MEMBER(ND_ADAPTER_INFO, MaxInboundReadLimit, 64);
MEMBER(ND_ADAPTER_INFO, MaxOutboundReadLimit, 72);
MEMBER(ND_ADAPTER_INFO, MaxCqEntries, 80);
MEMBER(ND_ADAPTER_INFO, MaxRegistrationSize, 88);
MEMBER(ND_ADAPTER_INFO, MaxWindowSize, 96);
MEMBER(ND_ADAPTER_INFO, LargeRequestThreshold, 104);
MEMBER(ND_ADAPTER_INFO, MaxCallerData, 112);
MEMBER(ND_ADAPTER_INFO, MaxCalleeData, 120);
MEMBER(ND_RESULT, Status, 0);
MEMBER(ND_RESULT, BytesTransferred, 8);
MEMBER(ND_MW_DESCRIPTOR, Base, 0);
MEMBER(ND_MW_DESCRIPTOR, Length, 8);
MEMBER(ND_MW_DESCRIPTOR, Token, 16);
MEMBER(ND_SGE, pAddr, 0);
MEMBER(ND_SGE, Length, 8);
MEMBER(ND_SGE, hMr, 16);

/* ---- Interfaces of version 1 ---- */

SLOT(INDOverlapped, QueryInterface, 0);
SLOT(INDOverlapped, AddRef, 1);
SLOT(INDOverlapped, Release, 2);
SLOT(INDOverlapped, CancelOverlappedRequests, 3);
SLOT(INDOverlapped, GetOverlappedResult, 4);
SLOTS(INDOverlapped, 5);

SLOT(INDProvider, QueryInterface, 0);
SLOT(INDProvider, AddRef, 1);
SLOT(INDProvider, Release, 2);
SLOT(INDProvider, QueryAddressList, 3);
SLOT(INDProvider, OpenAdapter, 4);
SLOTS(INDProvider, 5);

SLOT(INDAdapter, QueryInterface, 0);
SLOT(INDAdapter, AddRef, 1);
SLOT(INDAdapter, Release, 2);
SLOT(INDAdapter, CancelOverlappedRequests, 3);
SLOT(INDAdapter, GetOverlappedResult, 4);
SLOT(INDAdapter, GetFileHandle, 5);
SLOT(INDAdapter, Query, 6);
SLOT(INDAdapter, Control, 7);
SLOT(INDAdapter, CreateCompletionQueue, 8);
SLOT(INDAdapter, RegisterMemory, 9);
SLOT(INDAdapter, DeregisterMemory, 10);
SLOT(INDAdapter, CreateMemoryWindow, 11);
SLOT(INDAdapter, CreateConnector, 12);
SLOT(INDAdapter, Listen, 13);
SLOTS(INDAdapter, 14);

SLOT(INDCompletionQueue, QueryInterface, 0);
SLOT(INDCompletionQueue, AddRef, 1);
SLOT(INDCompletionQueue, Release, 2);
SLOT(INDCompletionQueue, CancelOverlappedRequests, 3);
SLOT(INDCompletionQueue, GetOverlappedResult, 4);
SLOT(INDCompletionQueue, Resize, 5);
SLOT(INDCompletionQueue, Notify, 6);
SLOT(INDCompletionQueue, GetResults, 7);
SLOTS(INDCompletionQueue, 8);

SLOT(INDMemoryWindow, QueryInterface, 0);
SLOT(INDMemoryWindow, AddRef, 1);
SLOT(INDMemoryWindow, Release, 2);
SLOTS(INDMemoryWindow, 3);

SLOT(INDEndpoint, QueryInterface, 0);
SLOT(INDEndpoint, AddRef, 1);
SLOT(INDEndpoint, Release, 2);
SLOT(INDEndpoint, Flush, 3);
SLOT(INDEndpoint, StartRequestBatch, 4);
SLOT(INDEndpoint, SubmitRequestBatch, 5);
SLOT(INDEndpoint, Send, 6);
SLOT(INDEndpoint, SendAndInvalidate, 7);
SLOT(INDEndpoint, Receive, 8);
SLOT(INDEndpoint, Bind, 9);
SLOT(INDEndpoint, Invalidate, 10);
SLOT(INDEndpoint, Read, 11);
SLOT(INDEndpoint, Write, 12);
SLOTS(INDEndpoint, 13);

SLOT(INDConnector, QueryInterface, 0);
SLOT(INDConnector, AddRef, 1);
SLOT(INDConnector, Release, 2);
SLOT(INDConnector, CancelOverlappedRequests, 3);
SLOT(INDConnector, GetOverlappedResult, 4);
SLOT(INDConnector, CreateEndpoint, 5);
SLOT(INDConnector, Connect, 6);
SLOT(INDConnector, CompleteConnect, 7);
SLOT(INDConnector, Accept, 8);
SLOT(INDConnector, Reject, 9);
SLOT(INDConnector, GetConnectionData, 10);
SLOT(INDConnector, GetLocalAddress, 11);
SLOT(INDConnector, GetPeerAddress, 12);
SLOT(INDConnector, NotifyDisconnect, 13);
SLOT(INDConnector, Disconnect, 14);
SLOTS(INDConnector, 15);

SLOT(INDListen, QueryInterface, 0);
SLOT(INDListen, AddRef, 1);
SLOT(INDListen, Release, 2);
SLOT(INDListen, CancelOverlappedRequests, 3);
SLOT(INDListen, GetOverlappedResult, 4);
SLOT(INDListen, GetConnectionRequest, 5);
SLOTS(INDListen, 6);

/* ---- Version 2 ---- */

MEMBER(ND2_RESULT, Status, 0);
MEMBER(ND2_RESULT, BytesTransferred, 4);
MEMBER(ND2_RESULT, QueuePairContext, 8);
MEMBER(ND2_RESULT, RequestContext, 16);
MEMBER(ND2_SGE, Buffer, 0);
MEMBER(ND2_SGE, BufferLength, 8);

SLOT(IND2Overlapped, QueryInterface, 0);
SLOT(IND2Overlapped, AddRef, 1);
SLOT(IND2Overlapped, Release, 2);
SLOT(IND2Overlapped, CancelOverlappedRequests, 3);
SLOT(IND2Overlapped, GetOverlappedResult, 4);
SLOTS(IND2Overlapped, 5);

SLOT(IND2Provider, QueryInterface, 0);
SLOT(IND2Provider, AddRef, 1);
SLOT(IND2Provider, Release, 2);
SLOT(IND2Provider, QueryAddressList, 3);
SLOT(IND2Provider, ResolveAddress, 4);
SLOT(IND2Provider, OpenAdapter, 5);
SLOTS(IND2Provider, 6);

SLOT(IND2Adapter, QueryInterface, 0);
SLOT(IND2Adapter, AddRef, 1);
SLOT(IND2Adapter, Release, 2);
SLOT(IND2Adapter, CreateOverlappedFile, 3);
SLOT(IND2Adapter, Query, 4);
SLOT(IND2Adapter, QueryAddressList, 5);
SLOT(IND2Adapter, CreateCompletionQueue, 6);
SLOT(IND2Adapter, CreateMemoryRegion, 7);
SLOT(IND2Adapter, CreateMemoryWindow, 8);
SLOT(IND2Adapter, CreateSharedReceiveQueue, 9);
SLOT(IND2Adapter, CreateQueuePair, 10);
SLOT(IND2Adapter, CreateQueuePairWithSrq, 11);
SLOT(IND2Adapter, CreateConnector, 12);
SLOT(IND2Adapter, CreateListener, 13);
SLOTS(IND2Adapter, 14);

SLOT(IND2CompletionQueue, QueryInterface, 0);
SLOT(IND2CompletionQueue, AddRef, 1);
SLOT(IND2CompletionQueue, Release, 2);
SLOT(IND2CompletionQueue, CancelOverlappedRequests, 3);
SLOT(IND2CompletionQueue, GetOverlappedResult, 4);
SLOT(IND2CompletionQueue, GetNotifyAffinity, 5);
SLOT(IND2CompletionQueue, Resize, 6);
SLOT(IND2CompletionQueue, Notify, 7);
SLOT(IND2CompletionQueue, GetResults, 8);
SLOTS(IND2CompletionQueue, 9);

SLOT(IND2SharedReceiveQueue, QueryInterface, 0);
SLOT(IND2SharedReceiveQueue, AddRef, 1);
SLOT(IND2SharedReceiveQueue, Release, 2);
SLOT(IND2SharedReceiveQueue, CancelOverlappedRequests, 3);
SLOT(IND2SharedReceiveQueue, GetOverlappedResult, 4);
SLOT(IND2SharedReceiveQueue, GetNotifyAffinity, 5);
SLOT(IND2SharedReceiveQueue, Modify, 6);
SLOT(IND2SharedReceiveQueue, Notify, 7);
SLOT(IND2SharedReceiveQueue, Receive, 8);
SLOTS(IND2SharedReceiveQueue, 9);

SLOT(IND2MemoryWindow, QueryInterface, 0);
SLOT(IND2MemoryWindow, AddRef, 1);
SLOT(IND2MemoryWindow, Release, 2);
SLOT(IND2MemoryWindow, GetRemoteToken, 3);
SLOTS(IND2MemoryWindow, 4);

SLOT(IND2MemoryRegion, QueryInterface, 0);
SLOT(IND2MemoryRegion, AddRef, 1);
SLOT(IND2MemoryRegion, Release, 2);
SLOT(IND2MemoryRegion, CancelOverlappedRequests, 3);
SLOT(IND2MemoryRegion, GetOverlappedResult, 4);
SLOT(IND2MemoryRegion, Register, 5);
SLOT(IND2MemoryRegion, Deregister, 6);
SLOT(IND2MemoryRegion, GetLocalToken, 7);
SLOT(IND2MemoryRegion, GetRemoteToken, 8);
SLOTS(IND2MemoryRegion, 9);

SLOT(IND2QueuePair, QueryInterface, 0);
SLOT(IND2QueuePair, AddRef, 1);
SLOT(IND2QueuePair, Release, 2);
SLOT(IND2QueuePair, Flush, 3);
SLOT(IND2QueuePair, Send, 4);
SLOT(IND2QueuePair, Receive, 5);
SLOT(IND2QueuePair, Bind, 6);
SLOT(IND2QueuePair, Invalidate, 7);
SLOT(IND2QueuePair, Read, 8);
SLOT(IND2QueuePair, Write, 9);
SLOTS(IND2QueuePair, 10);

SLOT(IND2Connector, QueryInterface, 0);
SLOT(IND2Connector, AddRef, 1);
SLOT(IND2Connector, Release, 2);
SLOT(IND2Connector, CancelOverlappedRequests, 3);
SLOT(IND2Connector, GetOverlappedResult, 4);
SLOT(IND2Connector, Bind, 5);
SLOT(IND2Connector, Connect, 6);
SLOT(IND2Connector, CompleteConnect, 7);
SLOT(IND2Connector, Accept, 8);
SLOT(IND2Connector, Reject, 9);
SLOT(IND2Connector, GetReadLimits, 10);
SLOT(IND2Connector, GetPrivateData, 11);
SLOT(IND2Connector, GetLocalAddress, 12);
SLOT(IND2Connector, GetPeerAddress, 13);
SLOT(IND2Connector, NotifyDisconnect, 14);
SLOT(IND2Connector, Disconnect, 15);
SLOTS(IND2Connector, 16);

SLOT(IND2Listener, QueryInterface, 0);
SLOT(IND2Listener, AddRef, 1);
SLOT(IND2Listener, Release, 2);
SLOT(IND2Listener, CancelOverlappedRequests, 3);
SLOT(IND2Listener, GetOverlappedResult, 4);
SLOT(IND2Listener, Bind, 5);
SLOT(IND2Listener, Listen, 6);
SLOT(IND2Listener, GetLocalAddress, 7);
SLOT(IND2Listener, GetConnectionRequest, 8);
SLOTS(IND2Listener, 9);
