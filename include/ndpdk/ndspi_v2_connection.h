/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_V2_CONNECTION_H
#define NDPDK_NDSPI_V2_CONNECTION_H

/**
 * @file
 * Version 2: connector, listener. ndspi.h says what holds for all methods.
 */

#include <ndpdk/ndspi_v2.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/**
 * One connection. Active: Bind, Connect, [GetReadLimits, GetPrivateData], CompleteConnect or
 * Reject. Passive: IND2Listener::GetConnectionRequest, [GetReadLimits, GetPrivateData], Accept or
 * Reject. Lengths of addresses and data: in: bytes of the buffer; out: bytes needed or used, also
 * with ND_BUFFER_OVERFLOW.
 */
NDSPI_INTERFACE(IND2Connector, IND2Overlapped)
{
	NDSPI_UNKNOWN(IND2Connector)
	NDSPI_OVERLAPPED2(IND2Connector)
	/**
	 * Choose the local address: the adapter's, or 0 for it; port 0: one of 49152 .. 65535.
	 * ND_INVALID_ADDRESS: not this adapter's; STATUS_ADDRESS_ALREADY_ASSOCIATED: it has one;
	 * ND_TOO_MANY_ADDRESSES: no port is free.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, Bind, const struct sockaddr *pAddress,
		ULONG cbAddress);
	/**
	 * Ask a listener for a connection. Read limits above those of the adapter are lowered to
	 * these. At once or later: STATUS_ADDRESS_NOT_ASSOCIATED: no Bind; STATUS_BAD_NETWORK_NAME:
	 * address 0; ND_INVALID_ADDRESS: no unicast address, or the adapter's own;
	 * ND_INVALID_BUFFER_SIZE: more private data than MaxCallerData; ND_ACCESS_VIOLATION: data
	 * NULL with a length; ND_CONNECTION_ACTIVE: the connector or the queue pair is in use;
	 * ND_INVALID_DEVICE_STATE: one was connected before; ND_CONNECTION_REFUSED, ND_IO_TIMEOUT,
	 * ND_HOST_UNREACHABLE, ND_NETWORK_UNREACHABLE: may be tried again.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, Connect, IUnknown *pQueuePair,
		const struct sockaddr *pDestAddress, ULONG cbDestAddress, ULONG inboundReadLimit,
		ULONG outboundReadLimit, const VOID *pPrivateData, ULONG cbPrivateData,
		OVERLAPPED *pOverlapped);
	/**
	 * Confirm the connection, after Connect has succeeded. Complete when it returns: the
	 * OVERLAPPED is not used. ND_CONNECTION_INVALID: there is nothing to confirm;
	 * ND_CONNECTION_ABORTED: the peer has given up.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, CompleteConnect, OVERLAPPED *pOverlapped);
	/**
	 * Accept the request; complete when the peer has confirmed. Read limits above those of the
	 * adapter, or of the peer, are lowered to these. ND_CONNECTION_INVALID: no request;
	 * ND_CONNECTION_ACTIVE: accepted already, or the queue pair is in use;
	 * ND_CONNECTION_ABORTED: the peer has given up; ND_CONNECTION_REFUSED: the peer has
	 * rejected the answer; ND_IO_TIMEOUT: the peer has never confirmed; ND_INVALID_BUFFER_SIZE:
	 * more private data than MaxCalleeData; ND_ACCESS_VIOLATION: data NULL with a length.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, Accept, IUnknown *pQueuePair, ULONG inboundReadLimit,
		ULONG outboundReadLimit, const VOID *pPrivateData, ULONG cbPrivateData,
		OVERLAPPED *pOverlapped);
	/** Refuse a request, or the answer to Connect. Codes as of Accept. */
	NDSPI_METHOD(HRESULT, IND2Connector, Reject, const VOID *pPrivateData, ULONG cbPrivateData);
	/**
	 * What the peer offers, as seen from this side: before Accept, or between Connect and
	 * CompleteConnect. ND_CONNECTION_INVALID, ND_CONNECTION_ABORTED.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, GetReadLimits, ULONG *pInboundReadLimit,
		ULONG *pOutboundReadLimit);
	/**
	 * Private data of the peer, padded with zeros; when, as of GetReadLimits, and after a
	 * Connect that was refused. ND_BUFFER_OVERFLOW: copied in part.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, GetPrivateData, VOID *pPrivateData,
		ULONG *pcbPrivateData);
	/** Own address, from Bind or the request on. ND_CONNECTION_INVALID. */
	NDSPI_METHOD(HRESULT, IND2Connector, GetLocalAddress, struct sockaddr *pAddress,
		ULONG *pcbAddress);
	/** The peer's address, from its request or answer on. ND_CONNECTION_INVALID. */
	NDSPI_METHOD(HRESULT, IND2Connector, GetPeerAddress, struct sockaddr *pAddress,
		ULONG *pcbAddress);
	/**
	 * Wait for the connection to end. It ends with ND_SUCCESS: by the peer, or by a failure;
	 * STATUS_CONNECTION_DISCONNECTED: by Disconnect; ND_CANCELED. ND_CONNECTION_INVALID: there
	 * was no connection.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, NotifyDisconnect, OVERLAPPED *pOverlapped);
	/**
	 * End the connection: all requests come back with ND_CANCELED. Complete when the peer has
	 * answered, or its time is over. ND_CONNECTION_INVALID: there is none.
	 */
	NDSPI_METHOD(HRESULT, IND2Connector, Disconnect, OVERLAPPED *pOverlapped);
};

/** Takes connection requests. The last Release ends it: later connects are refused. */
NDSPI_INTERFACE(IND2Listener, IND2Overlapped)
{
	NDSPI_UNKNOWN(IND2Listener)
	NDSPI_OVERLAPPED2(IND2Listener)
	/**
	 * Choose the address: the adapter's, or 0 for it; port 0: one of 49152 .. 65535.
	 * ND_INVALID_ADDRESS; ND_SHARING_VIOLATION: another listener has the port;
	 * STATUS_ADDRESS_ALREADY_ASSOCIATED: it has an address.
	 */
	NDSPI_METHOD(HRESULT, IND2Listener, Bind, const struct sockaddr *pAddress, ULONG cbAddress);
	/**
	 * Begin to listen; backlog: most requests that wait, 0 = no limit.
	 * STATUS_ADDRESS_NOT_ASSOCIATED: no Bind; ND_INVALID_DEVICE_STATE: it listens already;
	 * ND_SHARING_VIOLATION, ND_TOO_MANY_ADDRESSES.
	 */
	NDSPI_METHOD(HRESULT, IND2Listener, Listen, ULONG backlog);
	/** Address with the port. ND_INVALID_DEVICE_STATE: it does not listen. */
	NDSPI_METHOD(HRESULT, IND2Listener, GetLocalAddress, struct sockaddr *pAddress,
		ULONG *pcbAddress);
	/**
	 * Give a connector that was not used yet the next request; several may wait, and are served
	 * in order. ND_CONNECTION_ACTIVE: the connector is in use; ND_INVALID_DEVICE_STATE: it does
	 * not listen.
	 */
	NDSPI_METHOD(HRESULT, IND2Listener, GetConnectionRequest, IUnknown *pConnector,
		OVERLAPPED *pOverlapped);
};

	/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
