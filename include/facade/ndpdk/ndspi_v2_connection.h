/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_V2_CONNECTION_H
#define NDPDK_NDSPI_V2_CONNECTION_H

/**
 * @file
 * Version 2: connector, listener. ndspi.h has the rules for all methods.
 */

#include <ndpdk/ndspi_v2.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/**
 * Connector of one connection. Active side: Bind, Connect, [GetReadLimits, GetPrivateData],
 * CompleteConnect or Reject. Passive side: IND2Listener::GetConnectionRequest, [GetReadLimits,
 * GetPrivateData], Accept or Reject. Lengths of addresses and data: in: bytes of the buffer; out:
 * bytes needed or used, also with ND_BUFFER_OVERFLOW.
 */
NDSPI_INTERFACE(IND2Connector, IND2Overlapped)
{
	NDSPI_UNKNOWN(IND2Connector)
	NDSPI_OVERLAPPED2(IND2Connector)
	/**
	 * Choose the local address and port. Address: the adapter's, or the wildcard address; port
	 * 0: one of 49152..65535. ND_INVALID_ADDRESS: not this adapter's address;
	 * STATUS_ADDRESS_ALREADY_ASSOCIATED: already bound; ND_TOO_MANY_ADDRESSES: no port is free.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, Bind, const struct sockaddr *pAddress,
		ULONG cbAddress);
	/**
	 * Request a connection from a listener. Read limits are lowered to those of the adapter.
	 * Status, at once or later: STATUS_ADDRESS_NOT_ASSOCIATED: no Bind;
	 * STATUS_BAD_NETWORK_NAME: address 0; ND_INVALID_ADDRESS: not a unicast address, or the
	 * adapter's own; ND_INVALID_BUFFER_SIZE: more private data than MaxCallerData;
	 * ND_ACCESS_VIOLATION: data NULL with a length; ND_CONNECTION_ACTIVE: the connector or the
	 * queue pair is in use; ND_INVALID_DEVICE_STATE: either was connected before;
	 * ND_CONNECTION_REFUSED, ND_IO_TIMEOUT, ND_HOST_UNREACHABLE, ND_NETWORK_UNREACHABLE:
	 * Connect may be called again.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, Connect, IUnknown *pQueuePair,
		const struct sockaddr *pDestAddress, ULONG cbDestAddress, ULONG inboundReadLimit,
		ULONG outboundReadLimit, const VOID *pPrivateData, ULONG cbPrivateData,
		OVERLAPPED *pOverlapped);
	/**
	 * Accept the peer's answer after Connect. The operation is complete when the call returns,
	 * and the OVERLAPPED is not used. ND_CONNECTION_INVALID: there is no answer to accept;
	 * ND_CONNECTION_ABORTED: the peer has given up.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, CompleteConnect, OVERLAPPED *pOverlapped);
	/**
	 * Accept a request. The operation completes when the peer has confirmed. Read limits are
	 * lowered to those of the adapter and of the peer. ND_CONNECTION_INVALID: no request;
	 * ND_CONNECTION_ACTIVE: already accepted, or the queue pair is in use;
	 * ND_CONNECTION_ABORTED: the peer has given up; ND_CONNECTION_REFUSED: the peer rejected
	 * the answer; ND_IO_TIMEOUT: the peer did not confirm; ND_INVALID_BUFFER_SIZE: more private
	 * data than MaxCalleeData; ND_ACCESS_VIOLATION: data NULL with a length.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, Accept, IUnknown *pQueuePair, ULONG inboundReadLimit,
		ULONG outboundReadLimit, const VOID *pPrivateData, ULONG cbPrivateData,
		OVERLAPPED *pOverlapped);
	/** Reject a request, or the answer to Connect. Status codes as for Accept. */
	NDSPI_METHOD(HRESULT, IND2Connector, Reject, const VOID *pPrivateData, ULONG cbPrivateData);
	/**
	 * Return the peer's read limits, as seen from this side. Allowed before Accept, or between
	 * Connect and CompleteConnect, otherwise ND_CONNECTION_INVALID. ND_CONNECTION_ABORTED: the
	 * attempt is over.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, GetReadLimits, ULONG *pInboundReadLimit,
		ULONG *pOutboundReadLimit);
	/**
	 * Return the peer's private data, padded with zeros. Allowed when GetReadLimits is, and
	 * after a Connect that was refused. ND_BUFFER_OVERFLOW: the data are copied in part.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, GetPrivateData, VOID *pPrivateData,
		ULONG *pcbPrivateData);
	/** Return the local address. ND_CONNECTION_INVALID: no Bind or request yet. */
	NDSPI_METHOD(HRESULT, IND2Connector, GetLocalAddress, struct sockaddr *pAddress,
		ULONG *pcbAddress);
	/** Return the peer's address. ND_CONNECTION_INVALID: no request or answer of a peer yet. */
	NDSPI_METHOD(HRESULT, IND2Connector, GetPeerAddress, struct sockaddr *pAddress,
		ULONG *pcbAddress);
	/**
	 * Wait for the end of the connection. ND_SUCCESS: ended by the peer or by a failure;
	 * STATUS_CONNECTION_DISCONNECTED: ended by Disconnect; ND_CANCELED; ND_CONNECTION_INVALID:
	 * there was no connection.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, NotifyDisconnect, OVERLAPPED *pOverlapped);
	/**
	 * End the connection. All requests complete with ND_CANCELED. The operation completes when
	 * the peer has answered, or after a timeout. ND_CONNECTION_INVALID: there is no connection.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, Disconnect, OVERLAPPED *pOverlapped);
};

/** Listener. The last Release stops it; later connects are refused. */
NDSPI_INTERFACE(IND2Listener, IND2Overlapped)
{
	NDSPI_UNKNOWN(IND2Listener)
	NDSPI_OVERLAPPED2(IND2Listener)
	/**
	 * Choose the address and port. Address: the adapter's, or the wildcard address; port 0: one
	 * of 49152..65535. ND_INVALID_ADDRESS: not this adapter's address; ND_SHARING_VIOLATION:
	 * another listener uses the port; STATUS_ADDRESS_ALREADY_ASSOCIATED: already bound.
	 */
	NDSPI_METHOD(HRESULT, IND2Listener, Bind, const struct sockaddr *pAddress, ULONG cbAddress);
	/**
	 * Begin to listen. backlog: maximum number of waiting requests, 0 = no limit.
	 * STATUS_ADDRESS_NOT_ASSOCIATED: no Bind; ND_INVALID_DEVICE_STATE: already listening;
	 * ND_SHARING_VIOLATION: the port is in use; ND_TOO_MANY_ADDRESSES: no port is free.
	 */
	NDSPI_METHOD(HRESULT, IND2Listener, Listen, ULONG backlog);
	/** Return the address and port. ND_INVALID_DEVICE_STATE: not listening. */
	NDSPI_METHOD(HRESULT, IND2Listener, GetLocalAddress, struct sockaddr *pAddress,
		ULONG *pcbAddress);
	/**
	 * Assign the next request to a connector that was not used yet. Several connectors may
	 * wait; they are served in the order of the calls. ND_CONNECTION_ACTIVE: the connector is
	 * in use; ND_INVALID_DEVICE_STATE: not listening.
	 */
	NDSPI_METHOD(HRESULT, IND2Listener, GetConnectionRequest, IUnknown *pConnector,
		OVERLAPPED *pOverlapped);
};

	/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
