/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_CALL_H
#define NDPDK_NDSPI_CALL_H

/**
 * @file
 * Macros to call methods in C: Interface_Method(object, arguments). In C, ndspi.h includes this
 * file.
 */

/* clang-format off */

/* IND2Overlapped */
#define IND2Overlapped_QueryInterface(This, ...) \
	((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define IND2Overlapped_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define IND2Overlapped_Release(This) ((This)->lpVtbl->Release((This)))
#define IND2Overlapped_CancelOverlappedRequests(This) \
	((This)->lpVtbl->CancelOverlappedRequests((This)))
#define IND2Overlapped_GetOverlappedResult(This, ...) \
	((This)->lpVtbl->GetOverlappedResult((This), __VA_ARGS__))

/* IND2Provider */
#define IND2Provider_QueryInterface(This, ...) ((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define IND2Provider_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define IND2Provider_Release(This) ((This)->lpVtbl->Release((This)))
#define IND2Provider_QueryAddressList(This, ...) \
	((This)->lpVtbl->QueryAddressList((This), __VA_ARGS__))
#define IND2Provider_ResolveAddress(This, ...) ((This)->lpVtbl->ResolveAddress((This), __VA_ARGS__))
#define IND2Provider_OpenAdapter(This, ...) ((This)->lpVtbl->OpenAdapter((This), __VA_ARGS__))

/* IND2Adapter */
#define IND2Adapter_QueryInterface(This, ...) ((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define IND2Adapter_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define IND2Adapter_Release(This) ((This)->lpVtbl->Release((This)))
#define IND2Adapter_CreateOverlappedFile(This, ...) \
	((This)->lpVtbl->CreateOverlappedFile((This), __VA_ARGS__))
#define IND2Adapter_Query(This, ...) ((This)->lpVtbl->Query((This), __VA_ARGS__))
#define IND2Adapter_QueryAddressList(This, ...) \
	((This)->lpVtbl->QueryAddressList((This), __VA_ARGS__))
#define IND2Adapter_CreateCompletionQueue(This, ...) \
	((This)->lpVtbl->CreateCompletionQueue((This), __VA_ARGS__))
#define IND2Adapter_CreateMemoryRegion(This, ...) \
	((This)->lpVtbl->CreateMemoryRegion((This), __VA_ARGS__))
#define IND2Adapter_CreateMemoryWindow(This, ...) \
	((This)->lpVtbl->CreateMemoryWindow((This), __VA_ARGS__))
#define IND2Adapter_CreateSharedReceiveQueue(This, ...) \
	((This)->lpVtbl->CreateSharedReceiveQueue((This), __VA_ARGS__))
#define IND2Adapter_CreateQueuePair(This, ...) \
	((This)->lpVtbl->CreateQueuePair((This), __VA_ARGS__))
#define IND2Adapter_CreateQueuePairWithSrq(This, ...) \
	((This)->lpVtbl->CreateQueuePairWithSrq((This), __VA_ARGS__))
#define IND2Adapter_CreateConnector(This, ...) \
	((This)->lpVtbl->CreateConnector((This), __VA_ARGS__))
#define IND2Adapter_CreateListener(This, ...) ((This)->lpVtbl->CreateListener((This), __VA_ARGS__))

/* IND2CompletionQueue */
#define IND2CompletionQueue_QueryInterface(This, ...) \
	((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define IND2CompletionQueue_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define IND2CompletionQueue_Release(This) ((This)->lpVtbl->Release((This)))
#define IND2CompletionQueue_CancelOverlappedRequests(This) \
	((This)->lpVtbl->CancelOverlappedRequests((This)))
#define IND2CompletionQueue_GetOverlappedResult(This, ...) \
	((This)->lpVtbl->GetOverlappedResult((This), __VA_ARGS__))
#define IND2CompletionQueue_GetNotifyAffinity(This, ...) \
	((This)->lpVtbl->GetNotifyAffinity((This), __VA_ARGS__))
#define IND2CompletionQueue_Resize(This, ...) ((This)->lpVtbl->Resize((This), __VA_ARGS__))
#define IND2CompletionQueue_Notify(This, ...) ((This)->lpVtbl->Notify((This), __VA_ARGS__))
#define IND2CompletionQueue_GetResults(This, ...) ((This)->lpVtbl->GetResults((This), __VA_ARGS__))

/* IND2SharedReceiveQueue */
#define IND2SharedReceiveQueue_QueryInterface(This, ...) \
	((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define IND2SharedReceiveQueue_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define IND2SharedReceiveQueue_Release(This) ((This)->lpVtbl->Release((This)))
#define IND2SharedReceiveQueue_CancelOverlappedRequests(This) \
	((This)->lpVtbl->CancelOverlappedRequests((This)))
#define IND2SharedReceiveQueue_GetOverlappedResult(This, ...) \
	((This)->lpVtbl->GetOverlappedResult((This), __VA_ARGS__))
#define IND2SharedReceiveQueue_GetNotifyAffinity(This, ...) \
	((This)->lpVtbl->GetNotifyAffinity((This), __VA_ARGS__))
#define IND2SharedReceiveQueue_Modify(This, ...) ((This)->lpVtbl->Modify((This), __VA_ARGS__))
#define IND2SharedReceiveQueue_Notify(This, ...) ((This)->lpVtbl->Notify((This), __VA_ARGS__))
#define IND2SharedReceiveQueue_Receive(This, ...) ((This)->lpVtbl->Receive((This), __VA_ARGS__))

/* IND2MemoryWindow */
#define IND2MemoryWindow_QueryInterface(This, ...) \
	((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define IND2MemoryWindow_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define IND2MemoryWindow_Release(This) ((This)->lpVtbl->Release((This)))
#define IND2MemoryWindow_GetRemoteToken(This) ((This)->lpVtbl->GetRemoteToken((This)))

/* IND2MemoryRegion */
#define IND2MemoryRegion_QueryInterface(This, ...) \
	((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define IND2MemoryRegion_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define IND2MemoryRegion_Release(This) ((This)->lpVtbl->Release((This)))
#define IND2MemoryRegion_CancelOverlappedRequests(This) \
	((This)->lpVtbl->CancelOverlappedRequests((This)))
#define IND2MemoryRegion_GetOverlappedResult(This, ...) \
	((This)->lpVtbl->GetOverlappedResult((This), __VA_ARGS__))
#define IND2MemoryRegion_Register(This, ...) ((This)->lpVtbl->Register((This), __VA_ARGS__))
#define IND2MemoryRegion_Deregister(This, ...) ((This)->lpVtbl->Deregister((This), __VA_ARGS__))
#define IND2MemoryRegion_GetLocalToken(This) ((This)->lpVtbl->GetLocalToken((This)))
#define IND2MemoryRegion_GetRemoteToken(This) ((This)->lpVtbl->GetRemoteToken((This)))

/* IND2QueuePair */
#define IND2QueuePair_QueryInterface(This, ...) \
	((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define IND2QueuePair_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define IND2QueuePair_Release(This) ((This)->lpVtbl->Release((This)))
#define IND2QueuePair_Flush(This) ((This)->lpVtbl->Flush((This)))
#define IND2QueuePair_Send(This, ...) ((This)->lpVtbl->Send((This), __VA_ARGS__))
#define IND2QueuePair_Receive(This, ...) ((This)->lpVtbl->Receive((This), __VA_ARGS__))
#define IND2QueuePair_Bind(This, ...) ((This)->lpVtbl->Bind((This), __VA_ARGS__))
#define IND2QueuePair_Invalidate(This, ...) ((This)->lpVtbl->Invalidate((This), __VA_ARGS__))
#define IND2QueuePair_Read(This, ...) ((This)->lpVtbl->Read((This), __VA_ARGS__))
#define IND2QueuePair_Write(This, ...) ((This)->lpVtbl->Write((This), __VA_ARGS__))

/* IND2Connector */
#define IND2Connector_QueryInterface(This, ...) \
	((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define IND2Connector_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define IND2Connector_Release(This) ((This)->lpVtbl->Release((This)))
#define IND2Connector_CancelOverlappedRequests(This) \
	((This)->lpVtbl->CancelOverlappedRequests((This)))
#define IND2Connector_GetOverlappedResult(This, ...) \
	((This)->lpVtbl->GetOverlappedResult((This), __VA_ARGS__))
#define IND2Connector_Bind(This, ...) ((This)->lpVtbl->Bind((This), __VA_ARGS__))
#define IND2Connector_Connect(This, ...) ((This)->lpVtbl->Connect((This), __VA_ARGS__))
#define IND2Connector_CompleteConnect(This, ...) \
	((This)->lpVtbl->CompleteConnect((This), __VA_ARGS__))
#define IND2Connector_Accept(This, ...) ((This)->lpVtbl->Accept((This), __VA_ARGS__))
#define IND2Connector_Reject(This, ...) ((This)->lpVtbl->Reject((This), __VA_ARGS__))
#define IND2Connector_GetReadLimits(This, ...) ((This)->lpVtbl->GetReadLimits((This), __VA_ARGS__))
#define IND2Connector_GetPrivateData(This, ...) \
	((This)->lpVtbl->GetPrivateData((This), __VA_ARGS__))
#define IND2Connector_GetLocalAddress(This, ...) \
	((This)->lpVtbl->GetLocalAddress((This), __VA_ARGS__))
#define IND2Connector_GetPeerAddress(This, ...) \
	((This)->lpVtbl->GetPeerAddress((This), __VA_ARGS__))
#define IND2Connector_NotifyDisconnect(This, ...) \
	((This)->lpVtbl->NotifyDisconnect((This), __VA_ARGS__))
#define IND2Connector_Disconnect(This, ...) ((This)->lpVtbl->Disconnect((This), __VA_ARGS__))

/* IND2Listener */
#define IND2Listener_QueryInterface(This, ...) ((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define IND2Listener_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define IND2Listener_Release(This) ((This)->lpVtbl->Release((This)))
#define IND2Listener_CancelOverlappedRequests(This) \
	((This)->lpVtbl->CancelOverlappedRequests((This)))
#define IND2Listener_GetOverlappedResult(This, ...) \
	((This)->lpVtbl->GetOverlappedResult((This), __VA_ARGS__))
#define IND2Listener_Bind(This, ...) ((This)->lpVtbl->Bind((This), __VA_ARGS__))
#define IND2Listener_Listen(This, ...) ((This)->lpVtbl->Listen((This), __VA_ARGS__))
#define IND2Listener_GetLocalAddress(This, ...) \
	((This)->lpVtbl->GetLocalAddress((This), __VA_ARGS__))
#define IND2Listener_GetConnectionRequest(This, ...) \
	((This)->lpVtbl->GetConnectionRequest((This), __VA_ARGS__))

/* INDOverlapped */
#define INDOverlapped_QueryInterface(This, ...) \
	((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define INDOverlapped_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define INDOverlapped_Release(This) ((This)->lpVtbl->Release((This)))
#define INDOverlapped_CancelOverlappedRequests(This) \
	((This)->lpVtbl->CancelOverlappedRequests((This)))
#define INDOverlapped_GetOverlappedResult(This, ...) \
	((This)->lpVtbl->GetOverlappedResult((This), __VA_ARGS__))

/* INDCompletionQueue */
#define INDCompletionQueue_QueryInterface(This, ...) \
	((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define INDCompletionQueue_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define INDCompletionQueue_Release(This) ((This)->lpVtbl->Release((This)))
#define INDCompletionQueue_CancelOverlappedRequests(This) \
	((This)->lpVtbl->CancelOverlappedRequests((This)))
#define INDCompletionQueue_GetOverlappedResult(This, ...) \
	((This)->lpVtbl->GetOverlappedResult((This), __VA_ARGS__))
#define INDCompletionQueue_Resize(This, ...) ((This)->lpVtbl->Resize((This), __VA_ARGS__))
#define INDCompletionQueue_Notify(This, ...) ((This)->lpVtbl->Notify((This), __VA_ARGS__))
#define INDCompletionQueue_GetResults(This, ...) ((This)->lpVtbl->GetResults((This), __VA_ARGS__))

/* INDMemoryWindow */
#define INDMemoryWindow_QueryInterface(This, ...) \
	((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define INDMemoryWindow_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define INDMemoryWindow_Release(This) ((This)->lpVtbl->Release((This)))

/* INDListen */
#define INDListen_QueryInterface(This, ...) ((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define INDListen_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define INDListen_Release(This) ((This)->lpVtbl->Release((This)))
#define INDListen_CancelOverlappedRequests(This) ((This)->lpVtbl->CancelOverlappedRequests((This)))
#define INDListen_GetOverlappedResult(This, ...) \
	((This)->lpVtbl->GetOverlappedResult((This), __VA_ARGS__))
#define INDListen_GetConnectionRequest(This, ...) \
	((This)->lpVtbl->GetConnectionRequest((This), __VA_ARGS__))

/* INDAdapter */
#define INDAdapter_QueryInterface(This, ...) ((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define INDAdapter_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define INDAdapter_Release(This) ((This)->lpVtbl->Release((This)))
#define INDAdapter_CancelOverlappedRequests(This) ((This)->lpVtbl->CancelOverlappedRequests((This)))
#define INDAdapter_GetOverlappedResult(This, ...) \
	((This)->lpVtbl->GetOverlappedResult((This), __VA_ARGS__))
#define INDAdapter_GetFileHandle(This) ((This)->lpVtbl->GetFileHandle((This)))
#define INDAdapter_Query(This, ...) ((This)->lpVtbl->Query((This), __VA_ARGS__))
#define INDAdapter_Control(This, ...) ((This)->lpVtbl->Control((This), __VA_ARGS__))
#define INDAdapter_CreateCompletionQueue(This, ...) \
	((This)->lpVtbl->CreateCompletionQueue((This), __VA_ARGS__))
#define INDAdapter_RegisterMemory(This, ...) ((This)->lpVtbl->RegisterMemory((This), __VA_ARGS__))
#define INDAdapter_DeregisterMemory(This, ...) \
	((This)->lpVtbl->DeregisterMemory((This), __VA_ARGS__))
#define INDAdapter_CreateMemoryWindow(This, ...) \
	((This)->lpVtbl->CreateMemoryWindow((This), __VA_ARGS__))
#define INDAdapter_CreateConnector(This, ...) ((This)->lpVtbl->CreateConnector((This), __VA_ARGS__))
#define INDAdapter_Listen(This, ...) ((This)->lpVtbl->Listen((This), __VA_ARGS__))

/* INDProvider */
#define INDProvider_QueryInterface(This, ...) ((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define INDProvider_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define INDProvider_Release(This) ((This)->lpVtbl->Release((This)))
#define INDProvider_QueryAddressList(This, ...) \
	((This)->lpVtbl->QueryAddressList((This), __VA_ARGS__))
#define INDProvider_OpenAdapter(This, ...) ((This)->lpVtbl->OpenAdapter((This), __VA_ARGS__))

/* INDEndpoint */
#define INDEndpoint_QueryInterface(This, ...) ((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define INDEndpoint_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define INDEndpoint_Release(This) ((This)->lpVtbl->Release((This)))
#define INDEndpoint_Flush(This) ((This)->lpVtbl->Flush((This)))
#define INDEndpoint_StartRequestBatch(This) ((This)->lpVtbl->StartRequestBatch((This)))
#define INDEndpoint_SubmitRequestBatch(This) ((This)->lpVtbl->SubmitRequestBatch((This)))
#define INDEndpoint_Send(This, ...) ((This)->lpVtbl->Send((This), __VA_ARGS__))
#define INDEndpoint_SendAndInvalidate(This, ...) \
	((This)->lpVtbl->SendAndInvalidate((This), __VA_ARGS__))
#define INDEndpoint_Receive(This, ...) ((This)->lpVtbl->Receive((This), __VA_ARGS__))
#define INDEndpoint_Bind(This, ...) ((This)->lpVtbl->Bind((This), __VA_ARGS__))
#define INDEndpoint_Invalidate(This, ...) ((This)->lpVtbl->Invalidate((This), __VA_ARGS__))
#define INDEndpoint_Read(This, ...) ((This)->lpVtbl->Read((This), __VA_ARGS__))
#define INDEndpoint_Write(This, ...) ((This)->lpVtbl->Write((This), __VA_ARGS__))

/* INDConnector */
#define INDConnector_QueryInterface(This, ...) ((This)->lpVtbl->QueryInterface((This), __VA_ARGS__))
#define INDConnector_AddRef(This) ((This)->lpVtbl->AddRef((This)))
#define INDConnector_Release(This) ((This)->lpVtbl->Release((This)))
#define INDConnector_CancelOverlappedRequests(This) \
	((This)->lpVtbl->CancelOverlappedRequests((This)))
#define INDConnector_GetOverlappedResult(This, ...) \
	((This)->lpVtbl->GetOverlappedResult((This), __VA_ARGS__))
#define INDConnector_CreateEndpoint(This, ...) ((This)->lpVtbl->CreateEndpoint((This), __VA_ARGS__))
#define INDConnector_Connect(This, ...) ((This)->lpVtbl->Connect((This), __VA_ARGS__))
#define INDConnector_CompleteConnect(This, ...) \
	((This)->lpVtbl->CompleteConnect((This), __VA_ARGS__))
#define INDConnector_Accept(This, ...) ((This)->lpVtbl->Accept((This), __VA_ARGS__))
#define INDConnector_Reject(This, ...) ((This)->lpVtbl->Reject((This), __VA_ARGS__))
#define INDConnector_GetConnectionData(This, ...) \
	((This)->lpVtbl->GetConnectionData((This), __VA_ARGS__))
#define INDConnector_GetLocalAddress(This, ...) \
	((This)->lpVtbl->GetLocalAddress((This), __VA_ARGS__))
#define INDConnector_GetPeerAddress(This, ...) ((This)->lpVtbl->GetPeerAddress((This), __VA_ARGS__))
#define INDConnector_NotifyDisconnect(This, ...) \
	((This)->lpVtbl->NotifyDisconnect((This), __VA_ARGS__))
#define INDConnector_Disconnect(This, ...) ((This)->lpVtbl->Disconnect((This), __VA_ARGS__))

/* clang-format on */

#endif
