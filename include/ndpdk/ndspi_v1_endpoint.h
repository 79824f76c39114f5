/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_V1_ENDPOINT_H
#define NDPDK_NDSPI_V1_ENDPOINT_H

/**
 * @file
 * Version 1: endpoint, connector. ndspi.h says what holds for all methods.
 */

#include <ndpdk/ndspi_v1.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/**
 * One end of a connection. Posting calls: ND_SUCCESS means that exactly one result comes, or none
 * for a request with SILENT_SUCCESS that succeeds. All others mean that none comes, and the
 * endpoint can be used as before: ND_CONNECTION_INVALID: not connected (not of Receive);
 * ND_NO_MORE_ENTRIES: as many requests outstanding as it was made for; ND_DATA_OVERRUN: too many
 * entries; ND_BUFFER_OVERFLOW: too many bytes; ND_ACCESS_VIOLATION: inline data beside other
 * entries, or in Receive or Read. An entry that is not within registered memory gives the result
 * ND_ACCESS_VIOLATION. pResult is the caller's, and stays valid until GetResults has handed it
 * back.
 */
NDSPI_INTERFACE(INDEndpoint, IUnknown)
{
	NDSPI_UNKNOWN(INDEndpoint)
	/**
	 * Cancel all requests; their results come with ND_CANCELED. The connection cannot go on.
	 */
	NDSPI_METHOD0(HRESULT, INDEndpoint, Flush);
	/** Requests from now on may wait for SubmitRequestBatch, and leave together. */
	NDSPI_METHOD0(void, INDEndpoint, StartRequestBatch);
	/** Transmit what has waited. */
	NDSPI_METHOD0(void, INDEndpoint, SubmitRequestBatch);
	/** Flags: SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT. */
	NDSPI_METHOD(HRESULT, INDEndpoint, Send, ND_RESULT *pResult, const ND_SGE *pSgl,
		SIZE_T nSge, DWORD Flags);
	/** Send, and invalidate the peer's window when the message has arrived. */
	NDSPI_METHOD(HRESULT, INDEndpoint, SendAndInvalidate, ND_RESULT *pResult,
		const ND_SGE *pSgl, SIZE_T nSge, const ND_MW_DESCRIPTOR *pRemoteMwDescriptor,
			DWORD Flags);
	/** Take a message of the peer; also before the connection is there. */
	NDSPI_METHOD(HRESULT, INDEndpoint, Receive, ND_RESULT *pResult, const ND_SGE *pSgl,
		SIZE_T nSge);
	/**
	 * Open [pBuffer, pBuffer + BufferSize) of registered memory to the peer. Flags: ALLOW_READ,
	 * ALLOW_WRITE, at least one of them; SILENT_SUCCESS, READ_FENCE. *pMwDescriptor is written
	 * when the call returns.
	 */
	NDSPI_METHOD(HRESULT, INDEndpoint, Bind, ND_RESULT *pResult, ND_MR_HANDLE hMr,
		INDMemoryWindow *pMw, const void *pBuffer, SIZE_T BufferSize, DWORD Flags,
		ND_MW_DESCRIPTOR *pMwDescriptor);
	/** Close a window. Flags: SILENT_SUCCESS, READ_FENCE. */
	NDSPI_METHOD(HRESULT, INDEndpoint, Invalidate, ND_RESULT *pResult, INDMemoryWindow *pMw,
		DWORD Flags);
	/** Read from Offset of the peer's window. Flags: SILENT_SUCCESS, READ_FENCE. */
	NDSPI_METHOD(HRESULT, INDEndpoint, Read, ND_RESULT *pResult, const ND_SGE *pSgl,
		SIZE_T nSge, const ND_MW_DESCRIPTOR *pRemoteMwDescriptor, ULONGLONG Offset,
			DWORD Flags);
	/** Write to Offset of the peer's window. Flags: SILENT_SUCCESS, READ_FENCE. */
	NDSPI_METHOD(HRESULT, INDEndpoint, Write, ND_RESULT *pResult, const ND_SGE *pSgl,
		SIZE_T nSge, const ND_MW_DESCRIPTOR *pRemoteMwDescriptor, ULONGLONG Offset,
			DWORD Flags);
};

/**
 * One connection. Active: CreateEndpoint, Connect, [GetConnectionData], CompleteConnect or Reject.
 * Passive: INDListen::GetConnectionRequest, [GetConnectionData], CreateEndpoint, Accept or Reject.
 */
NDSPI_INTERFACE(INDConnector, INDOverlapped)
{
	NDSPI_UNKNOWN(INDConnector)
	NDSPI_OVERLAPPED1(INDConnector)
	/**
	 * Create the endpoint of the connector. Returns ND_INVALID_PARAMETER_n, n = 1 .. 8 or 10,
	 * if the n-th parameter is invalid, and ND_NOT_SUPPORTED if the connector already has an
	 * endpoint. pMaxInlineData may be NULL.
	 */
	NDSPI_METHOD(HRESULT, INDConnector, CreateEndpoint, INDCompletionQueue *pInboundCq,
		INDCompletionQueue *pOutboundCq, SIZE_T nInboundEntries, SIZE_T nOutboundEntries,
		SIZE_T nInboundSge, SIZE_T nOutboundSge, SIZE_T InboundReadLimit,
		SIZE_T OutboundReadLimit, SIZE_T *pMaxInlineData, INDEndpoint **ppEndpoint);
	/**
	 * Ask a listener for a connection. Protocol: as the listener's; LocalPort: network byte
	 * order, 0 = any. ND_INVALID_BUFFER_SIZE: more than MaxCallerData. ND_TIMEOUT, a success by
	 * its number: no answer; may be tried again, as after ND_CONNECTION_REFUSED,
	 * ND_HOST_UNREACHABLE, ND_NETWORK_UNREACHABLE.
	 */
	NDSPI_METHOD(HRESULT, INDConnector, Connect, INDEndpoint *pEndpoint,
		const struct sockaddr *pAddress, SIZE_T AddressLength, INT Protocol,
			USHORT LocalPort,
		const void *pPrivateData, SIZE_T PrivateDataLength, OVERLAPPED *pOverlapped);
	/** Confirm the connection, after Connect has succeeded. Complete when it returns. */
	NDSPI_METHOD(HRESULT, INDConnector, CompleteConnect, OVERLAPPED *pOverlapped);
	/** Accept the request; complete when the peer has confirmed. */
	NDSPI_METHOD(HRESULT, INDConnector, Accept, INDEndpoint *pEndpoint,
		const void *pPrivateData, SIZE_T PrivateDataLength, OVERLAPPED *pOverlapped);
	/** Refuse a request, or the answer to Connect. */
	NDSPI_METHOD(HRESULT, INDConnector, Reject, const void *pPrivateData,
		SIZE_T PrivateDataLength);
	/**
	 * What the peer offers: read limits, as seen from this side, and private data, which the
	 * transport pads. Outputs may be NULL. ND_BUFFER_OVERFLOW: data copied in part.
	 */
	NDSPI_METHOD(HRESULT, INDConnector, GetConnectionData, SIZE_T *pInboundReadLimit,
		SIZE_T *pOutboundReadLimit, void *pPrivateData, SIZE_T *pPrivateDataLength);
	/** Own address, from Connect or the request on. ND_CONNECTION_INVALID. */
	NDSPI_METHOD(HRESULT, INDConnector, GetLocalAddress, struct sockaddr *pAddress,
		SIZE_T *pAddressLength);
	/** The peer's address, from its request or answer on. ND_CONNECTION_INVALID. */
	NDSPI_METHOD(HRESULT, INDConnector, GetPeerAddress, struct sockaddr *pAddress,
		SIZE_T *pAddressLength);
	/** Wait for the connection to end. */
	NDSPI_METHOD(HRESULT, INDConnector, NotifyDisconnect, OVERLAPPED *pOverlapped);
	/** End the connection: all requests come back with ND_CANCELED. */
	NDSPI_METHOD(HRESULT, INDConnector, Disconnect, OVERLAPPED *pOverlapped);
};

	/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
