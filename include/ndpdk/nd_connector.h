/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CONNECTOR_H
#define NDPDK_ND_CONNECTOR_H

/**
 * @file
 * Connections: making, watching and ending them. In this order, calls in brackets may be left out:
 *
 * - active: create_endpoint, connect, [get_connection_data], complete_connect (or reject)
 * - passive: get_connection_request, [get_connection_data], create_endpoint, accept (or reject)
 * - both: notify_disconnect, disconnect, release
 */

#include <sys/socket.h>

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * Make the connector's one endpoint. It takes receives at once. INDConnector::CreateEndpoint
 *
 * @param inbound_cq gets results of receives; outbound_cq those of everything else; may be the
 *        same, and must be on the same engine, where the endpoint lives
 * @param inbound_entries, outbound_entries requests outstanding at a time: receives; everything
 *        else
 * @param inbound_sge, outbound_sge entries of the list of a request, likewise
 * @param inbound_read_limit reads of the peer in progress at a time; outbound_read_limit: own
 *        reads; may be 0
 * @param[out] max_inline_data bytes of inline data a request may carry; may be NULL
 * @param[out] endpoint unchanged after a failure, as max_inline_data is
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1 .. _8, _10 by position of the argument that is not
 *         valid or beyond the adapter; ND_NOT_SUPPORTED: has an endpoint already;
 *         ND_CONNECTION_ABORTED: the connection it was for is over; ND_INSUFFICIENT_RESOURCES;
 *         ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_connector_create_endpoint(struct nd_connector *connector, struct nd_cq *inbound_cq,
	struct nd_cq *outbound_cq, size_t inbound_entries, size_t outbound_entries,
	size_t inbound_sge, size_t outbound_sge, size_t inbound_read_limit,
	size_t outbound_read_limit, size_t *max_inline_data, struct nd_endpoint **endpoint);

/**
 * Give the connector an endpoint that another one of the adapter was made for, and that has never
 * been connected; or give its own endpoint other read limits. So an endpoint can be made, and take
 * receives, before it is known which connector will use it: a connection request comes with a
 * connector of its own. The connector that had it has none afterwards. Beyond Network Direct v1,
 * where an endpoint stays with its connector; queue pairs of v2 and NDK do not.
 *
 * @param inbound_read_limit at most that of nd_connector_create_endpoint(); outbound_read_limit: up
 *        to max_outbound_read_limit
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: endpoint is NULL, or of another adapter; _2, _3: read
 *         limit too large; ND_NOT_SUPPORTED: the connector has another endpoint;
 *         ND_CONNECTION_ACTIVE: a connection of one of the two connectors is there or under way;
 *         ND_CONNECTION_ABORTED: the connection that the connector was for is over;
 *         ND_INVALID_DEVICE_STATE: the endpoint was connected before, or flushed
 * @note Threads: control.
 */
nd_status nd_connector_attach_endpoint(struct nd_connector *connector, struct nd_endpoint *endpoint,
	size_t inbound_read_limit, size_t outbound_read_limit);

/**
 * Ask a listener for a connection. After success: nd_connector_complete_connect() or _reject(). A
 * connector whose connect failed may try again. INDConnector::Connect
 *
 * @param endpoint the connector's own
 * @param address peer's IPv4 or IPv6 address and port
 * @param protocol as the listener's
 * @param local_port network byte order; 0 = choose one
 * @param private_data up to max_caller_data bytes; may be NULL when private_data_length is 0
 * @return at once or later: ND_SUCCESS; ND_PENDING; ND_INVALID_PARAMETER_1: not this connector's
 *         endpoint; _2, _4, _8: address, protocol, overlapped; ND_INVALID_ADDRESS: not a unicast
 *         address, or the adapter's own; ND_INVALID_BUFFER_SIZE: too much private data;
 *         ND_ACCESS_VIOLATION: private_data is NULL but its length is not 0; ND_CONNECTION_ACTIVE:
 *         already connecting or connected, or given to a listener; ND_INVALID_DEVICE_STATE: was
 *         connected before;
 *         ND_CONNECTION_REFUSED: no listener, or rejected (see nd_connector_get_connection_data());
 *         ND_IO_TIMEOUT: no answer; ND_HOST_UNREACHABLE: no MAC address found;
 *         ND_NETWORK_UNREACHABLE: no route; ND_INSUFFICIENT_RESOURCES: all records of connections
 *         are in use; one is free again a second after its connection or attempt is over;
 *         ND_CANCELED; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_connector_connect(struct nd_connector *connector, struct nd_endpoint *endpoint,
	const struct sockaddr *address, size_t address_length, int protocol, uint16_t local_port,
	const void *private_data, size_t private_data_length, struct nd_overlapped *overlapped);

/**
 * Active side: accept the peer's answer; requests may be posted after success.
 * INDConnector::CompleteConnect
 *
 * @param overlapped not used, may be NULL: the call completes at once
 * @return ND_SUCCESS; ND_CONNECTION_INVALID: no answer to complete; ND_CONNECTION_ABORTED: the peer
 *         has given up
 * @note Threads: control.
 */
nd_status
nd_connector_complete_connect(struct nd_connector *connector, struct nd_overlapped *overlapped);

/**
 * Passive side: accept the request. Complete when the peer's confirmation or first message arrives.
 * INDConnector::Accept
 *
 * @param endpoint the connector's own
 * @param private_data up to max_callee_data bytes; may be NULL when private_data_length is 0
 * @return at once or later: ND_SUCCESS; ND_PENDING; ND_INVALID_PARAMETER_1: not this connector's
 *         endpoint; ND_INVALID_PARAMETER_4: overlapped; ND_INVALID_BUFFER_SIZE: more than
 *         max_callee_data; ND_ACCESS_VIOLATION: private_data is NULL but its length is not 0;
 *         ND_CONNECTION_INVALID: no request; ND_CONNECTION_ACTIVE: accepted already;
 *         ND_CONNECTION_ABORTED: the peer has given up; ND_CONNECTION_REFUSED: the peer rejected
 *         the answer; ND_IO_TIMEOUT: the peer never confirmed; ND_CANCELED
 * @note Threads: control.
 */
nd_status nd_connector_accept(struct nd_connector *connector, struct nd_endpoint *endpoint,
	const void *private_data, size_t private_data_length, struct nd_overlapped *overlapped);

/**
 * Refuse: the passive side instead of accept, the active side instead of complete_connect.
 * INDConnector::Reject
 *
 * @param private_data up to max_callee_data bytes; may be NULL when private_data_length is 0
 * @return ND_SUCCESS; ND_INVALID_BUFFER_SIZE: more than max_callee_data; ND_ACCESS_VIOLATION:
 *         private_data is NULL but its length is not 0; ND_CONNECTION_INVALID: nothing to refuse;
 *         ND_CONNECTION_ABORTED: the peer has given up
 * @note Threads: control.
 */
nd_status nd_connector_reject(
	struct nd_connector *connector, const void *private_data, size_t private_data_length);

/**
 * What the peer sent: passive from the request until accept, active after connect (also a refused
 * one) until complete_connect. Any output may be NULL. INDConnector::GetConnectionData
 *
 * @param[out] inbound_read_limit, outbound_read_limit as seen from this side, capped by this
 *        adapter
 * @param[out] private_data unchanged after a failure but ND_BUFFER_OVERFLOW, as the others are
 * @param[in,out] private_data_length in: bytes at private_data; out: bytes sent, zero-padded to the
 *         transport's full size
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: private data copied in part, its length says how much
 *         there is, the limits are set; ND_CONNECTION_ABORTED: the attempt is over, because the
 *         peer has given up, or either side has rejected the other's request or answer;
 *         ND_CONNECTION_INVALID: nothing was sent, or it is too early or too late to ask
 * @note Threads: control.
 */
nd_status
nd_connector_get_connection_data(struct nd_connector *connector, size_t *inbound_read_limit,
	size_t *outbound_read_limit, void *private_data, size_t *private_data_length);

/**
 * Copy the own address and port of the connection. INDConnector::GetLocalAddress
 *
 * @param[in,out] length in: bytes at address; out: bytes needed or used, also with
 *        ND_BUFFER_OVERFLOW
 * @param[out] address unchanged after a failure
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: too small, or address is NULL; ND_CONNECTION_INVALID: not
 *         connecting yet
 * @note Threads: control.
 */
nd_status nd_connector_get_local_address(
	struct nd_connector *connector, struct sockaddr *address, size_t *length);

/**
 * Copy the peer's address and port, from the peer's request or answer on.
 * INDConnector::GetPeerAddress
 *
 * @param[in,out] length as of nd_connector_get_local_address()
 * @param[out] address unchanged after a failure
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: likewise; ND_CONNECTION_INVALID: no peer has asked or
 *         answered yet
 * @note Threads: control.
 */
nd_status nd_connector_get_peer_address(
	struct nd_connector *connector, struct sockaddr *address, size_t *length);

/**
 * Wait for the connection to end. INDConnector::NotifyDisconnect
 *
 * @return at once or later: ND_SUCCESS: the peer disconnected or the connection broke; ND_PENDING;
 *         ND_INVALID_PARAMETER_1: overlapped; ND_CONNECTION_INVALID: never connected; ND_CANCELED:
 *         cancelled, or this side disconnected
 * @note Threads: control.
 */
nd_status
nd_connector_notify_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped);

/**
 * End the connection: everything outstanding completes with ND_CANCELED. Complete when the peer has
 * answered or its time has passed. INDConnector::Disconnect
 *
 * @return at once or later: ND_SUCCESS, also when the peer has ended it already; ND_PENDING;
 *         ND_INVALID_PARAMETER_1: overlapped; ND_CONNECTION_INVALID: not connected; ND_CANCELED:
 *         the disconnect goes on, and its end is not told
 * @note Threads: control.
 */
nd_status nd_connector_disconnect(struct nd_connector *connector, struct nd_overlapped *overlapped);

/**
 * Cancel the pending operations that the connector's calls began: a connection attempt is abandoned
 * with its operation, a disconnect goes on and its end is not told.
 * INDOverlapped::CancelOverlappedRequests
 *
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_connector_cancel_overlapped_requests(struct nd_connector *connector);

/**
 * Abandon or disconnect as the state demands, and free. Pending operations end with ND_CANCELED.
 *
 * @param connector may be NULL: nothing happens
 * @return ND_SUCCESS; ND_DEVICE_BUSY: its endpoint must be released before
 * @note Threads: control.
 */
nd_status nd_connector_release(struct nd_connector *connector);

/**
 * Give a connector the next connection request. Several connectors may wait; they are served in
 * order. INDListen::GetConnectionRequest
 *
 * @param connector fresh, without endpoint
 * @return at once or later: ND_SUCCESS; ND_PENDING; ND_INVALID_PARAMETER_1, _2: connector,
 *         overlapped; ND_CANCELED: listener released or operation cancelled
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
 * Stop listening, and free. Requests that no connector has taken are rejected, pending operations
 * end with ND_CANCELED.
 *
 * @param listener may be NULL: nothing happens
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_listener_release(struct nd_listener *listener);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
