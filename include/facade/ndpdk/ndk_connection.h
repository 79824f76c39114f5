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
 * NdkConnect: request a connection from a listener. After success, call NdkCompleteConnect() or
 * NdkReject(). After a failure, the same connector may connect again.
 *
 * @param pNdkQp not connected. The connector must be closed before the queue pair
 * @param pSrcAddress own address, or 0 for the adapter's; port 0: choose one
 * @param pDestAddress address of the listener
 * @param InboundReadLimit, OutboundReadLimit maximum number of reads in progress, by the peer and
 *         by this side; lowered to the limits of the adapter
 * @param pPrivateData up to MaxCallerData bytes; may be NULL when PrivateDataLength is 0
 * @return at once, or later with the callback: STATUS_SUCCESS; STATUS_PENDING; STATUS_CANCELLED;
 *         STATUS_CONNECTION_REFUSED: no listener, or rejected; STATUS_IO_TIMEOUT;
 *         STATUS_HOST_UNREACHABLE; STATUS_NETWORK_UNREACHABLE; STATUS_INVALID_ADDRESS: an address
 *         is not usable; STATUS_SHARING_VIOLATION: the own port is in use;
 *         STATUS_TOO_MANY_ADDRESSES: no free port; STATUS_CONNECTION_ACTIVE: connecting or
 *         connected; STATUS_INVALID_DEVICE_STATE: was connected before; STATUS_INVALID_BUFFER_SIZE:
 *         too much private data; STATUS_INVALID_PARAMETER: an argument is NULL or not valid;
 *         STATUS_INSUFFICIENT_RESOURCES; STATUS_DEVICE_REMOVED
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CONNECT)(NDK_CONNECTOR *pNdkConnector, NDK_QP *pNdkQp,
	CONST PSOCKADDR pSrcAddress, ULONG SrcAddressLength, CONST PSOCKADDR pDestAddress,
	ULONG DestAddressLength, ULONG InboundReadLimit, ULONG OutboundReadLimit,
	CONST PVOID pPrivateData, ULONG PrivateDataLength,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkConnectWithSharedEndpoint: connect as NdkConnect() does, from the address of a shared
 * endpoint. The connector must be closed before the shared endpoint.
 *
 * @return same as NdkConnect(); STATUS_ADDRESS_ALREADY_EXISTS: another connector of this shared
 *         endpoint already uses this peer address
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CONNECT_WITH_SHARED_ENDPOINT)(NDK_CONNECTOR *pNdkConnector,
	NDK_QP *pNdkQp, NDK_SHARED_ENDPOINT *pNdkSharedEndpoint, CONST PSOCKADDR pDestAddress,
	ULONG DestAddressLength, ULONG InboundReadLimit, ULONG OutboundReadLimit,
	CONST PVOID pPrivateData, ULONG PrivateDataLength,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * Called once when the peer has disconnected or the connection is broken. If the peer disconnected,
 * outstanding requests stay outstanding until NdkDisconnect(), NdkFlush() or a close cancels them.
 * If the connection is broken, its requests are already cancelled. In both cases the consumer must
 * still disconnect the connector.
 */
typedef VOID (*NDK_FN_DISCONNECT_EVENT_CALLBACK)(PVOID DisconnectEventContext);

/**
 * NdkCompleteConnect: accept the peer's answer. Completes at once. After success, requests may be
 * posted.
 *
 * @param DisconnectEvent may be NULL
 * @return STATUS_SUCCESS; STATUS_CONNECTION_INVALID: there is no answer to accept;
 *         STATUS_CONNECTION_ABORTED: the peer has given up; STATUS_INVALID_PARAMETER: an argument
 *         is NULL or not valid
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_COMPLETE_CONNECT)(NDK_CONNECTOR *pNdkConnector,
	NDK_FN_DISCONNECT_EVENT_CALLBACK DisconnectEvent, PVOID DisconnectEventContext,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkAccept: accept a request. Completes when the peer's confirmation or first message arrives.
 *
 * @param pNdkQp not connected. The connector must be closed before the queue pair
 * @param InboundReadLimit, OutboundReadLimit, pPrivateData as for NdkConnect(); MaxCalleeData bytes
 * @param DisconnectEvent may be NULL
 * @return at once, or later with the callback: STATUS_SUCCESS; STATUS_PENDING; STATUS_CANCELLED;
 *         STATUS_CONNECTION_ABORTED: the peer has given up; STATUS_CONNECTION_REFUSED: the peer
 *         rejected the answer; STATUS_IO_TIMEOUT: the peer did not confirm;
 *         STATUS_CONNECTION_INVALID: there is no request; STATUS_CONNECTION_ACTIVE: already
 *         accepted; STATUS_INVALID_BUFFER_SIZE: too much private data; STATUS_INVALID_PARAMETER: an
 *         argument is NULL or not valid
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_ACCEPT)(NDK_CONNECTOR *pNdkConnector, NDK_QP *pNdkQp,
	ULONG InboundReadLimit, ULONG OutboundReadLimit, CONST PVOID pPrivateData,
	ULONG PrivateDataLength, NDK_FN_DISCONNECT_EVENT_CALLBACK DisconnectEvent,
	PVOID DisconnectEventContext, NDK_FN_REQUEST_COMPLETION RequestCompletion,
	PVOID RequestContext);

/**
 * NdkReject: reject a connection. The passive side calls it instead of NdkAccept(), the active side
 * instead of NdkCompleteConnect().
 *
 * @param pPrivateData up to MaxCalleeData bytes; may be NULL when PrivateDataLength is 0
 * @return STATUS_SUCCESS; STATUS_CONNECTION_INVALID: there is nothing to reject;
 *         STATUS_CONNECTION_ABORTED: the peer has given up; STATUS_INVALID_BUFFER_SIZE;
 *         STATUS_INVALID_PARAMETER
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_REJECT)(
	NDK_CONNECTOR *pNdkConnector, CONST PVOID pPrivateData, ULONG PrivateDataLength);

/**
 * NdkGetConnectionData: return the data of the peer's connection message. The passive side has the
 * data from the request until NdkAccept(). The active side has the data after NdkConnect(),
 * even after a refusal, until NdkCompleteConnect().
 *
 * @param[out] pInboundReadLimit, pOutboundReadLimit as seen from this side; may be NULL
 * @param[out] pPrivateData padded with zeros to the size of the message field, so the original
 *        length is not known; may be NULL when *pPrivateDataLength is 0
 * @param[in,out] pPrivateDataLength in: bytes at pPrivateData; out: bytes in the message field
 * @return STATUS_SUCCESS, also if only the size is requested; STATUS_BUFFER_TOO_SMALL: copied in
 *         part; STATUS_CONNECTION_INVALID: no data yet, or no longer; STATUS_CONNECTION_ABORTED:
 *         the attempt is over; STATUS_INVALID_PARAMETER: pPrivateData is NULL but its length is not
 *         0, the length's pointer is NULL, or not an open connector
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_GET_CONNECTION_DATA)(NDK_CONNECTOR *pNdkConnector,
	ULONG *pInboundReadLimit, ULONG *pOutboundReadLimit, PVOID pPrivateData,
	ULONG *pPrivateDataLength);

/**
 * NdkGetLocalAddress: return the local address and port of a connector.
 *
 * @param[out] pAddress unchanged after a failure
 * @param[in,out] pAddressLength as for a shared endpoint
 * @return same as for a shared endpoint; STATUS_CONNECTION_INVALID: no connect or request yet
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_GET_LOCAL_ADDRESS)(
	NDK_CONNECTOR *pNdkConnector, PSOCKADDR pAddress, ULONG *pAddressLength);

/**
 * NdkGetPeerAddress: return the peer's address, which is known after the peer's request or answer.
 *
 * @param[out] pAddress unchanged after a failure
 * @param[in,out] pAddressLength as for a shared endpoint
 * @return same as for a shared endpoint; STATUS_CONNECTION_INVALID: no request or answer from a
 *         peer yet
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_GET_PEER_ADDRESS)(
	NDK_CONNECTOR *pNdkConnector, PSOCKADDR pAddress, ULONG *pAddressLength);

/**
 * NdkDisconnect: end the connection. Outstanding requests complete with STATUS_CANCELLED. Completes
 * when the peer has answered or the retries are used up.
 *
 * @return at once, or later with the callback: STATUS_SUCCESS, also if the peer has already ended
 *         the connection; STATUS_PENDING; STATUS_CONNECTION_INVALID: not connected;
 *         STATUS_INVALID_PARAMETER: an argument is NULL or not valid
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_DISCONNECT)(NDK_CONNECTOR *pNdkConnector,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/** Functions of a connector. */
struct _NDK_CONNECTOR_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseConnector; /**< also ends the attempt or the connection */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension;               /**< none */
	NDK_FN_CONNECT NdkConnect;                                        /**< active side */
	NDK_FN_CONNECT_WITH_SHARED_ENDPOINT NdkConnectWithSharedEndpoint; /**< active side */
	NDK_FN_COMPLETE_CONNECT NdkCompleteConnect;                       /**< active side */
	NDK_FN_ACCEPT NdkAccept;                                          /**< passive side */
	NDK_FN_REJECT NdkReject;                                          /**< both sides */
	NDK_FN_GET_CONNECTION_DATA NdkGetConnectionData; /**< data that the peer sent */
	NDK_FN_GET_LOCAL_ADDRESS NdkGetLocalAddress;     /**< own address and port */
	NDK_FN_GET_PEER_ADDRESS NdkGetPeerAddress;       /**< peer's address and port */
	NDK_FN_DISCONNECT NdkDisconnect;                 /**< both sides */
};

/** Connector of one connection. */
struct _NDK_CONNECTOR {
	NDK_OBJECT_HEADER Header;               /**< NdkObjectTypeConnector */
	CONST NDK_CONNECTOR_DISPATCH *Dispatch; /**< its functions */
};

#ifdef __cplusplus
}
#endif

#endif
