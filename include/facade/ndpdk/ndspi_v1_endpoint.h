/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDSPI_V1_ENDPOINT_H
#define NDPDK_NDSPI_V1_ENDPOINT_H

/**
 * @file
 * Version 1: endpoint, connector. ndspi.h has the rules for all methods.
 */

#include <ndpdk/ndspi_v1.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/**
 * Endpoint of a connection. If a posting call returns ND_SUCCESS, the request has exactly one
 * result (none if the request has SILENT_SUCCESS and succeeds). With any other status there is no
 * result, and the endpoint stays usable.
 *
 * Errors of posting calls: ND_CONNECTION_INVALID: not connected (not for Receive);
 * ND_NO_MORE_ENTRIES: the maximum number of requests is outstanding; ND_DATA_OVERRUN: too many
 * entries; ND_BUFFER_OVERFLOW: too many bytes; ND_ACCESS_VIOLATION: inline data together with other
 * entries, or in Receive or Read. If an entry is not in registered memory, the result has
 * ND_ACCESS_VIOLATION. The caller owns pResult and keeps it until GetResults has returned it.
 */
NDSPI_INTERFACE(INDEndpoint, IUnknown)
{
	NDSPI_UNKNOWN(INDEndpoint)
	/**
	 * Cancel all requests. Their results have ND_CANCELED. The connection cannot be used any
	 * more.
	 */
	NDSPI_METHOD0(HRESULT, INDEndpoint, Flush);
	/** Begin a batch: requests may be delayed until SubmitRequestBatch and sent together. */
	NDSPI_METHOD0(void, INDEndpoint, StartRequestBatch);
	/** End a batch: transmit the delayed requests. */
	NDSPI_METHOD0(void, INDEndpoint, SubmitRequestBatch);
	/** Send a message. Flags: SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT. */
	NDSPI_METHOD(HRESULT, INDEndpoint, Send, ND_RESULT *pResult, const ND_SGE *pSgl,
		SIZE_T nSge, DWORD Flags);
	/** Send, and invalidate a window of the peer after the message has arrived. */
	NDSPI_METHOD(HRESULT, INDEndpoint, SendAndInvalidate, ND_RESULT *pResult,
		const ND_SGE *pSgl, SIZE_T nSge, const ND_MW_DESCRIPTOR *pRemoteMwDescriptor,
			DWORD Flags);
	/** Post a receive. Allowed before the connection is established. */
	NDSPI_METHOD(HRESULT, INDEndpoint, Receive, ND_RESULT *pResult, const ND_SGE *pSgl,
		SIZE_T nSge);
	/**
	 * Open [pBuffer, pBuffer + BufferSize) of registered memory to the peer. Flags: at least
	 * one of ALLOW_READ, ALLOW_WRITE; optional SILENT_SUCCESS, READ_FENCE. *pMwDescriptor is
	 * set when the call returns.
	 */
	NDSPI_METHOD(HRESULT, INDEndpoint, Bind, ND_RESULT *pResult, ND_MR_HANDLE hMr,
		INDMemoryWindow *pMw, const void *pBuffer, SIZE_T BufferSize, DWORD Flags,
		ND_MW_DESCRIPTOR *pMwDescriptor);
	/** Close a window. Flags: SILENT_SUCCESS, READ_FENCE. */
	NDSPI_METHOD(HRESULT, INDEndpoint, Invalidate, ND_RESULT *pResult, INDMemoryWindow *pMw,
		DWORD Flags);
	/** Read from the peer's window at Offset. Flags: SILENT_SUCCESS, READ_FENCE. */
	NDSPI_METHOD(HRESULT, INDEndpoint, Read, ND_RESULT *pResult, const ND_SGE *pSgl,
		SIZE_T nSge, const ND_MW_DESCRIPTOR *pRemoteMwDescriptor, ULONGLONG Offset,
			DWORD Flags);
	/** Write to the peer's window at Offset. Flags: SILENT_SUCCESS, READ_FENCE. */
	NDSPI_METHOD(HRESULT, INDEndpoint, Write, ND_RESULT *pResult, const ND_SGE *pSgl,
		SIZE_T nSge, const ND_MW_DESCRIPTOR *pRemoteMwDescriptor, ULONGLONG Offset,
			DWORD Flags);
};

/**
 * Connector of one connection. Active side: CreateEndpoint, Connect, [GetConnectionData],
 * CompleteConnect or Reject. Passive side: INDListen::GetConnectionRequest, [GetConnectionData],
 * CreateEndpoint, Accept or Reject.
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
	 * Request a connection from a listener. Protocol: the same as the listener's; LocalPort:
	 * network byte order, 0 = any. ND_INVALID_BUFFER_SIZE: more than MaxCallerData. ND_TIMEOUT:
	 * no answer; this status is a failure although SUCCEEDED(ND_TIMEOUT) is true. After
	 * ND_TIMEOUT, ND_CONNECTION_REFUSED, ND_HOST_UNREACHABLE or ND_NETWORK_UNREACHABLE, Connect
	 * may be called again.
	 */
	NDSPI_METHOD(HRESULT, INDConnector, Connect, INDEndpoint *pEndpoint,
		const struct sockaddr *pAddress, SIZE_T AddressLength, INT Protocol,
			USHORT LocalPort,
		const void *pPrivateData, SIZE_T PrivateDataLength, OVERLAPPED *pOverlapped);
	/**
	 * Accept the peer's answer after Connect. The operation is complete when the call returns.
	 */
	NDSPI_METHOD(HRESULT, INDConnector, CompleteConnect, OVERLAPPED *pOverlapped);
	/** Accept a request. The operation completes when the peer has confirmed. */
	NDSPI_METHOD(HRESULT, INDConnector, Accept, INDEndpoint *pEndpoint,
		const void *pPrivateData, SIZE_T PrivateDataLength, OVERLAPPED *pOverlapped);
	/** Reject a request, or the answer to Connect. */
	NDSPI_METHOD(HRESULT, INDConnector, Reject, const void *pPrivateData,
		SIZE_T PrivateDataLength);
	/**
	 * Return the peer's read limits, as seen from this side, and its private data, padded by
	 * the transport. Outputs may be NULL. ND_BUFFER_OVERFLOW: data copied in part.
	 */
	NDSPI_METHOD(HRESULT, INDConnector, GetConnectionData, SIZE_T *pInboundReadLimit,
		SIZE_T *pOutboundReadLimit, void *pPrivateData, SIZE_T *pPrivateDataLength);
	/** Return the local address. ND_CONNECTION_INVALID: no Connect or request yet. */
	NDSPI_METHOD(HRESULT, INDConnector, GetLocalAddress, struct sockaddr *pAddress,
		SIZE_T *pAddressLength);
	/** Return the peer's address. ND_CONNECTION_INVALID: no request or answer of a peer yet. */
	NDSPI_METHOD(HRESULT, INDConnector, GetPeerAddress, struct sockaddr *pAddress,
		SIZE_T *pAddressLength);
	/** Wait for the end of the connection. */
	NDSPI_METHOD(HRESULT, INDConnector, NotifyDisconnect, OVERLAPPED *pOverlapped);
	/** End the connection. All requests complete with ND_CANCELED. */
	NDSPI_METHOD(HRESULT, INDConnector, Disconnect, OVERLAPPED *pOverlapped);
};

	/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
