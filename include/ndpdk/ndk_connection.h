/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_CONNECTION_H
#define NDPDK_NDK_CONNECTION_H

/**
 * @file
 * Connectors of the kernel interface.
 */

#include <ndpdk/ndk_listener.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * NdkConnect: ask a listener for a connection. After success: NdkCompleteConnect() or NdkReject().
 * A connector whose attempt failed may try again.
 *
 * @param pNdkQp not connected. The connector has to be closed before it is
 * @param pSrcAddress own address, or that of all (0); port 0: choose one
 * @param pDestAddress of the listener
 * @param InboundReadLimit, OutboundReadLimit reads of the peer, own reads in progress; above the
 *        adapter's: the adapter's
 * @param pPrivateData up to MaxCallerData bytes; may be NULL when PrivateDataLength is 0
 * @return at once, or later with the callback: STATUS_SUCCESS; STATUS_PENDING; STATUS_CANCELLED;
 *         STATUS_CONNECTION_REFUSED: no listener, or rejected; STATUS_IO_TIMEOUT;
 *         STATUS_HOST_UNREACHABLE; STATUS_NETWORK_UNREACHABLE; STATUS_INVALID_ADDRESS: not
 *         addresses that can be used; STATUS_SHARING_VIOLATION: the own port is in use;
 *         STATUS_TOO_MANY_ADDRESSES: no free port; STATUS_CONNECTION_ACTIVE: connecting or
 *         connected; STATUS_INVALID_DEVICE_STATE: was connected before;
 *         STATUS_INVALID_BUFFER_SIZE: too much private data; STATUS_INVALID_PARAMETER: an argument
 *         is NULL or not valid; STATUS_INSUFFICIENT_RESOURCES; STATUS_DEVICE_REMOVED
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CONNECT)(NDK_CONNECTOR *pNdkConnector, NDK_QP *pNdkQp,
	CONST PSOCKADDR pSrcAddress, ULONG SrcAddressLength, CONST PSOCKADDR pDestAddress,
	ULONG DestAddressLength, ULONG InboundReadLimit, ULONG OutboundReadLimit,
	CONST PVOID pPrivateData, ULONG PrivateDataLength,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkConnectWithSharedEndpoint: NdkConnect() from the address of a shared endpoint, which is closed
 * after the connector.
 *
 * @return as NdkConnect(); STATUS_ADDRESS_ALREADY_EXISTS: a connector of this shared endpoint has
 *         this peer already
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CONNECT_WITH_SHARED_ENDPOINT)(NDK_CONNECTOR *pNdkConnector,
	NDK_QP *pNdkQp, NDK_SHARED_ENDPOINT *pNdkSharedEndpoint, CONST PSOCKADDR pDestAddress,
	ULONG DestAddressLength, ULONG InboundReadLimit, ULONG OutboundReadLimit,
	CONST PVOID pPrivateData, ULONG PrivateDataLength,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * Tells, once, that the peer has disconnected or the connection is broken. After a disconnect of
 * the peer what is outstanding waits for NdkDisconnect(), NdkFlush() or a close, which cancel it; a
 * connection that is broken has cancelled it. The connector is still to be disconnected.
 */
typedef VOID (*NDK_FN_DISCONNECT_EVENT_CALLBACK)(PVOID DisconnectEventContext);

/**
 * NdkCompleteConnect: accept the peer's answer. Completes at once; requests may be posted then.
 *
 * @param DisconnectEvent may be NULL
 * @return STATUS_SUCCESS; STATUS_CONNECTION_INVALID: no answer to complete;
 *         STATUS_CONNECTION_ABORTED: the peer has given up; STATUS_INVALID_PARAMETER: an argument
 *         is NULL or not valid
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_COMPLETE_CONNECT)(NDK_CONNECTOR *pNdkConnector,
	NDK_FN_DISCONNECT_EVENT_CALLBACK DisconnectEvent, PVOID DisconnectEventContext,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkAccept: accept a request. Complete when the peer's confirmation or first message has come.
 *
 * @param pNdkQp not connected. The connector has to be closed before it is
 * @param InboundReadLimit, OutboundReadLimit, pPrivateData as of NdkConnect(); MaxCalleeData bytes
 * @param DisconnectEvent may be NULL
 * @return at once, or later with the callback: STATUS_SUCCESS; STATUS_PENDING; STATUS_CANCELLED;
 *         STATUS_CONNECTION_ABORTED: the peer has given up; STATUS_CONNECTION_REFUSED: the peer
 *         rejected the answer; STATUS_IO_TIMEOUT: the peer never confirmed;
 *         STATUS_CONNECTION_INVALID: no request; STATUS_CONNECTION_ACTIVE: accepted already;
 *         STATUS_INVALID_BUFFER_SIZE: too much private data; STATUS_INVALID_PARAMETER: an argument
 *         is NULL or not valid
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_ACCEPT)(NDK_CONNECTOR *pNdkConnector, NDK_QP *pNdkQp,
	ULONG InboundReadLimit, ULONG OutboundReadLimit, CONST PVOID pPrivateData,
	ULONG PrivateDataLength, NDK_FN_DISCONNECT_EVENT_CALLBACK DisconnectEvent,
	PVOID DisconnectEventContext, NDK_FN_REQUEST_COMPLETION RequestCompletion,
	PVOID RequestContext);

/**
 * NdkReject: refuse; the passive side instead of NdkAccept(), the active side instead of
 * NdkCompleteConnect().
 *
 * @param pPrivateData up to MaxCalleeData bytes; may be NULL when PrivateDataLength is 0
 * @return STATUS_SUCCESS; STATUS_CONNECTION_INVALID: nothing to refuse; STATUS_CONNECTION_ABORTED:
 *         the peer has given up; STATUS_INVALID_BUFFER_SIZE; STATUS_INVALID_PARAMETER
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_REJECT)(
	NDK_CONNECTOR *pNdkConnector, CONST PVOID pPrivateData, ULONG PrivateDataLength);

/**
 * NdkGetConnectionData: what the peer sent: passive from the request until NdkAccept(), active
 * after NdkConnect() (also a refused one) until NdkCompleteConnect().
 *
 * @param[out] pInboundReadLimit, pOutboundReadLimit as seen from this side; may be NULL
 * @param[out] pPrivateData zero-padded to the size of the message, which tells nothing of what the
 *        peer gave; may be NULL when *pPrivateDataLength is 0
 * @param[in,out] pPrivateDataLength in: bytes at pPrivateData; out: bytes that the peer sent
 * @return STATUS_SUCCESS, also to ask for the size only; STATUS_BUFFER_TOO_SMALL: copied in part;
 *         STATUS_CONNECTION_INVALID: too early, or too late; STATUS_CONNECTION_ABORTED: the attempt
 *         is over; STATUS_INVALID_PARAMETER: pPrivateData is NULL but not its length, the length's
 *         pointer is NULL, or not an open connector
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_GET_CONNECTION_DATA)(NDK_CONNECTOR *pNdkConnector,
	ULONG *pInboundReadLimit, ULONG *pOutboundReadLimit, PVOID pPrivateData,
	ULONG *pPrivateDataLength);

/**
 * NdkGetLocalAddress of a connector.
 *
 * @param[out] pAddress unchanged after a failure
 * @param[in,out] pAddressLength as of a shared endpoint
 * @return as of a shared endpoint; STATUS_CONNECTION_INVALID: not connecting yet
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_GET_LOCAL_ADDRESS)(
	NDK_CONNECTOR *pNdkConnector, PSOCKADDR pAddress, ULONG *pAddressLength);

/**
 * NdkGetPeerAddress: from the peer's request or answer on.
 *
 * @param[out] pAddress unchanged after a failure
 * @param[in,out] pAddressLength as of a shared endpoint
 * @return as of a shared endpoint; STATUS_CONNECTION_INVALID: no peer has asked or answered
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_GET_PEER_ADDRESS)(
	NDK_CONNECTOR *pNdkConnector, PSOCKADDR pAddress, ULONG *pAddressLength);

/**
 * NdkDisconnect: end the connection: what is outstanding completes with STATUS_CANCELLED. Complete
 * when the peer has answered or its time has passed.
 *
 * @return at once, or later with the callback: STATUS_SUCCESS, also when the peer has ended it;
 *         STATUS_PENDING; STATUS_CONNECTION_INVALID: not connected; STATUS_INVALID_PARAMETER: an
 *         argument is NULL or not valid
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_DISCONNECT)(NDK_CONNECTOR *pNdkConnector,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/** Functions of a connector. */
struct _NDK_CONNECTOR_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseConnector;              /**< ends attempt or connection */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension; /**< none */
	NDK_FN_CONNECT NdkConnect;                          /**< active side */
	NDK_FN_CONNECT_WITH_SHARED_ENDPOINT NdkConnectWithSharedEndpoint; /**< active side */
	NDK_FN_COMPLETE_CONNECT NdkCompleteConnect;                       /**< active side */
	NDK_FN_ACCEPT NdkAccept;                                          /**< passive side */
	NDK_FN_REJECT NdkReject;                                          /**< both */
	NDK_FN_GET_CONNECTION_DATA NdkGetConnectionData;                  /**< what the peer sent */
	NDK_FN_GET_LOCAL_ADDRESS NdkGetLocalAddress; /**< own address and port */
	NDK_FN_GET_PEER_ADDRESS NdkGetPeerAddress;   /**< the peer's */
	NDK_FN_DISCONNECT NdkDisconnect;             /**< both */
};

/** One connection. */
struct _NDK_CONNECTOR {
	NDK_OBJECT_HEADER Header;               /**< NdkObjectTypeConnector */
	CONST NDK_CONNECTOR_DISPATCH *Dispatch; /**< its functions */
};

#ifdef __cplusplus
}
#endif

#endif
