/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CONNECTOR_H
#define NDPDK_ND_CONNECTOR_H

/**
 * @file
 * Connections: establish, watch and end them. Order of the calls (nd_connector_... or
 * nd_listener_...); calls in [] are optional:
 *
 * - active side: create_endpoint, connect, [get_connection_data], complete_connect (or reject)
 * - passive side: get_connection_request, [get_connection_data], create_endpoint, accept (or
 *   reject)
 * - both sides: notify_disconnect, disconnect, release
 */

#include <sys/socket.h>

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_connector
 * @{
 */

/**
 * Create the endpoint of a connector. A connector has one endpoint. Receives may be posted at once.
 * INDConnector::CreateEndpoint
 *
 * @param inbound_cq gets the results of receives
 * @param outbound_cq gets all other results. May be the same queue as inbound_cq, and must be on
 *        the same engine. The endpoint is on this engine
 * @param inbound_entries, outbound_entries maximum numbers of outstanding receives, and of all
 *         other outstanding requests
 * @param inbound_sge, outbound_sge maximum numbers of list entries in a receive, and in any other
 *         request
 * @param inbound_read_limit, outbound_read_limit maximum numbers of reads and atomics in progress
 *         at a time: inbound if the peer requested them, outbound if this side requested them. Both
 *         may be 0
 * @param[out] max_inline_data bytes of inline data that a request may have; may be NULL; unchanged
 *        after a failure
 * @param[out] endpoint unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_n, n = 1 .. 8 or 10: the n-th argument after connector
 *         is not valid or exceeds a limit of the adapter; ND_NOT_SUPPORTED: the connector has an
 *         endpoint; ND_CONNECTION_ABORTED: the connector's connection or attempt is over;
 *         ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_connector_create_endpoint(struct nd_connector *connector, struct nd_cq *inbound_cq,
	struct nd_cq *outbound_cq, size_t inbound_entries, size_t outbound_entries,
	size_t inbound_sge, size_t outbound_sge, size_t inbound_read_limit,
	size_t outbound_read_limit, size_t *max_inline_data, struct nd_endpoint **endpoint);

/**
 * Give a connector an endpoint that was created on another connector of the adapter and was never
 * connected. The other connector then has no endpoint. If the connector already has this endpoint,
 * the call only changes the read limits.
 *
 * So an application can create an endpoint and post receives before it knows which connector will
 * use the endpoint. This is useful because each connection request has its own connector. In
 * Network Direct version 1 an endpoint stays with its connector; queue pairs of version 2 and of
 * NDK do not.
 *
 * @param inbound_read_limit at most that of nd_connector_create_endpoint()
 * @param outbound_read_limit at most max_outbound_read_limit
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: endpoint is NULL, or of another adapter; _2, _3: the
 *         read limit is too large; ND_NOT_SUPPORTED: the connector has another endpoint;
 *         ND_CONNECTION_ACTIVE: one of the two connectors has a connection or an attempt in
 *         progress; ND_CONNECTION_ABORTED: the connector's connection or attempt is over;
 *         ND_INVALID_DEVICE_STATE: the endpoint was connected before, or flushed
 * @note Threads: control.
 */
nd_status nd_connector_attach_endpoint(struct nd_connector *connector, struct nd_endpoint *endpoint,
	size_t inbound_read_limit, size_t outbound_read_limit);

/**
 * Request a connection from a listener. After success, call nd_connector_complete_connect() or
 * nd_connector_reject(). After a failed connect the same connector may connect again.
 * INDConnector::Connect
 *
 * @param endpoint the connector's own
 * @param address peer's IPv4 or IPv6 address and port
 * @param protocol IANA number, the same as the listener's
 * @param local_port network byte order; 0 = choose a port
 * @param private_data up to max_caller_data bytes; may be NULL when private_data_length is 0
 * @return at once or later: ND_SUCCESS; ND_PENDING; ND_INVALID_PARAMETER_1: endpoint is not this
 *         connector's; _2, _4, _8: address, protocol or overlapped is not valid;
 *         ND_INVALID_ADDRESS: not a unicast address, or the adapter's own; ND_INVALID_BUFFER_SIZE:
 *         too much private data; ND_ACCESS_VIOLATION: private_data is NULL but its length is not
 *         0; ND_CONNECTION_ACTIVE: already connecting or connected, or waiting for a request of a
 *         listener; ND_INVALID_DEVICE_STATE: the connector was connected before, or the endpoint
 *         was flushed; ND_CONNECTION_REFUSED: no listener, or rejected (see
 *         nd_connector_get_connection_data()); ND_IO_TIMEOUT: no answer; ND_HOST_UNREACHABLE: no
 *         MAC address found; ND_NETWORK_UNREACHABLE: no route; ND_INSUFFICIENT_RESOURCES: all
 *         connection records are in use. A record is free again one second after its connection or
 *         attempt is over; ND_CANCELED; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_connector_connect(struct nd_connector *connector, struct nd_endpoint *endpoint,
	const struct sockaddr *address, size_t address_length, int protocol, uint16_t local_port,
	const void *private_data, size_t private_data_length, struct nd_overlapped *overlapped);

/**
 * Active side: accept the peer's answer. After success, requests may be posted.
 * INDConnector::CompleteConnect
 *
 * @param overlapped not used, may be NULL: the call completes at once
 * @return ND_SUCCESS; ND_CONNECTION_INVALID: there is no answer to accept; ND_CONNECTION_ABORTED:
 *         the peer has given up
 * @note Threads: control.
 */
nd_status
nd_connector_complete_connect(struct nd_connector *connector, struct nd_overlapped *overlapped);

/**
 * Passive side: accept the request. The operation completes when the peer's confirmation or first
 * message arrives. INDConnector::Accept
 *
 * @param endpoint the connector's own
 * @param private_data up to max_callee_data bytes; may be NULL when private_data_length is 0
 * @return at once or later: ND_SUCCESS; ND_PENDING; ND_INVALID_PARAMETER_1: endpoint is not this
 *         connector's; ND_INVALID_PARAMETER_4: overlapped is not valid; ND_INVALID_BUFFER_SIZE:
 *         more than max_callee_data; ND_ACCESS_VIOLATION: private_data is NULL but its length is
 *         not 0; ND_CONNECTION_INVALID: there is no request; ND_CONNECTION_ACTIVE: already
 *         accepted; ND_CONNECTION_ABORTED: the peer has given up; ND_CONNECTION_REFUSED: the peer
 *         rejected the answer; ND_IO_TIMEOUT: the peer did not confirm; ND_CANCELED
 * @note Threads: control.
 */
nd_status nd_connector_accept(struct nd_connector *connector, struct nd_endpoint *endpoint,
	const void *private_data, size_t private_data_length, struct nd_overlapped *overlapped);

/**
 * Reject a connection. The passive side calls it instead of accept, the active side instead of
 * complete_connect. INDConnector::Reject
 *
 * @param private_data up to max_callee_data bytes; may be NULL when private_data_length is 0
 * @return ND_SUCCESS; ND_INVALID_BUFFER_SIZE: more than max_callee_data; ND_ACCESS_VIOLATION:
 *         private_data is NULL but its length is not 0; ND_CONNECTION_INVALID: there is nothing to
 *         reject; ND_CONNECTION_ABORTED: the peer has given up
 * @note Threads: control.
 */
nd_status nd_connector_reject(
	struct nd_connector *connector, const void *private_data, size_t private_data_length);

/**
 * Return the data of the peer's connection message. The passive side has the data from the request
 * until accept. The active side has the data after connect, also after a rejected connect, until
 * complete_connect. Any output may be NULL. INDConnector::GetConnectionData
 *
 * @param[out] inbound_read_limit, outbound_read_limit from the point of view of this side, at most
 *        the adapter's limits; 0 after a rejected connect
 * @param[out] private_data filled also with ND_BUFFER_OVERFLOW, as far as there is room
 * @param[in,out] private_data_length in: bytes at private_data; out: length of the private data
 *        field, which the transport pads with zeros
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: private_data is too small; all other outputs are set;
 *         ND_CONNECTION_ABORTED: the attempt is over, because the peer has given up or one side has
 *         rejected; ND_CONNECTION_INVALID: the peer has sent no data yet, or the data are no longer
 *         kept. After the last two statuses all outputs are unchanged
 * @note Threads: control.
 */
nd_status
nd_connector_get_connection_data(struct nd_connector *connector, size_t *inbound_read_limit,
	size_t *outbound_read_limit, void *private_data, size_t *private_data_length);

/**
 * Copy the local address and port of the connection. INDConnector::GetLocalAddress
 *
 * @param[in,out] length in: bytes at address; out: bytes needed or used, also with
 *        ND_BUFFER_OVERFLOW
 * @param[out] address unchanged after a failure
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: length is too small, or address is NULL;
 *         ND_INVALID_PARAMETER_2: length is NULL; ND_CONNECTION_INVALID: no connect or connection
 *         request yet
 * @note Threads: control.
 */
nd_status nd_connector_get_local_address(
	struct nd_connector *connector, struct sockaddr *address, size_t *length);

/**
 * Copy the peer's address and port. Both are known after the peer's request or answer.
 * INDConnector::GetPeerAddress
 *
 * @param[in,out] length as for nd_connector_get_local_address()
 * @param[out] address unchanged after a failure
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: length is too small, or address is NULL;
 *         ND_INVALID_PARAMETER_2: length is NULL; ND_CONNECTION_INVALID: no request or answer of a
 *         peer yet
 * @note Threads: control.
 */
nd_status nd_connector_get_peer_address(
	struct nd_connector *connector, struct sockaddr *address, size_t *length);

/**
 * Wait for the end of the connection. INDConnector::NotifyDisconnect
 *
 * @return at once or later: ND_SUCCESS: the peer disconnected or the connection broke; ND_PENDING;
 *         ND_INVALID_PARAMETER_1: overlapped is not valid; ND_CONNECTION_INVALID: never connected,
 *         or a disconnect is in progress; ND_CANCELED: cancelled, or this side disconnected
 * @note Threads: control.
 */
nd_status
nd_connector_notify_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped);

/**
 * End the connection. All outstanding requests complete with ND_CANCELED. The operation completes
 * when the peer has answered or the retries are used up. INDConnector::Disconnect
 *
 * @return at once or later: ND_SUCCESS, also if the peer has already ended the connection;
 *         ND_PENDING; ND_INVALID_PARAMETER_1: overlapped is not valid; ND_CONNECTION_INVALID: not
 *         connected; ND_CANCELED: the operation was cancelled; the disconnect continues, but its
 *         end is not reported
 * @note Threads: control.
 */
nd_status nd_connector_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped);

/**
 * Cancel the pending operations of a connector. If the pending operation belongs to a connection
 * attempt, the attempt is abandoned. A disconnect continues, but its end is not reported.
 * INDOverlapped::CancelOverlappedRequests
 *
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_connector_cancel_overlapped_requests(struct nd_connector *connector);

/**
 * Free a connector. An attempt is abandoned, and a connection is disconnected first. Pending
 * operations end with ND_CANCELED.
 *
 * @param connector may be NULL: nothing happens
 * @return ND_SUCCESS; ND_DEVICE_BUSY: the connector still has an endpoint; release it first
 * @note Threads: control.
 */
nd_status nd_connector_release(struct nd_connector *connector);

/**
 * Wait for a connection request and assign it to a connector. Several connectors may wait;
 * requests are assigned in the order in which the connectors began to wait.
 * INDListen::GetConnectionRequest
 *
 * @param connector one that was never used and has no endpoint
 * @return at once or later: ND_SUCCESS; ND_PENDING; ND_INVALID_PARAMETER_1, _2: connector or
 *         overlapped is not valid; ND_CANCELED: the listener was released or the operation was
 *         cancelled
 * @note Threads: control.
 */
nd_status nd_listener_get_connection_request(struct nd_listener *listener,
	struct nd_connector *connector, struct nd_overlapped *overlapped);

/**
 * Cancel all pending nd_listener_get_connection_request(). INDOverlapped::CancelOverlappedRequests
 *
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_listener_cancel_overlapped_requests(struct nd_listener *listener);

/**
 * Stop listening, and free the listener. Requests that no connector has taken are rejected. Pending
 * operations end with ND_CANCELED.
 *
 * @param listener may be NULL: nothing happens
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_listener_release(struct nd_listener *listener);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
