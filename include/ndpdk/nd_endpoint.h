/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ENDPOINT_H
#define NDPDK_ND_ENDPOINT_H

/**
 * @file
 * Endpoints: post requests, batches, release.
 *
 * Posting. If a posting call returns ND_SUCCESS, the request is posted, and the completion queue
 * gets exactly one result (none for a silent request that succeeds). With any other status the
 * request is not posted, gets no result, and the endpoint stays usable. A *result* with an error
 * ends the connection, and all other outstanding requests complete with ND_CANCELED. Requests are
 * executed and completed in the order of posting. The list sgl is copied during the call. The
 * caller must not change the memory of a request before the result has come.
 *
 * All posting calls can return these errors: ND_CONNECTION_INVALID: not connected (not for
 * receives); ND_NO_MORE_ENTRIES: the endpoint's maximum number of requests is outstanding;
 * ND_DATA_OVERRUN: more list entries than the endpoint allows; ND_BUFFER_OVERFLOW: more bytes than
 * a message can have, or more inline data than the limit; ND_ACCESS_VIOLATION: only some entries
 * have an mr, or the request cannot have inline data; ND_INVALID_PARAMETER_n: result is NULL,
 * unknown flags, or list NULL with a count. n is the position of the argument, and result is
 * argument 1.
 *
 * The entries are checked against the registered memory when the request is executed. If an entry
 * is not within registered memory, the result is ND_ACCESS_VIOLATION.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_endpoint
 * @{
 */

/**
 * Send a message. The message consumes one receive of the peer. INDEndpoint::Send
 *
 * @param flags 0 or more of ND_OP_FLAG_SILENT_SUCCESS, _READ_FENCE, _SEND_AND_SOLICIT_EVENT
 * @return see the beginning of this file
 * @note Threads: owner.
 */
nd_status nd_endpoint_send(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count, uint32_t flags);

/**
 * Send a message, and invalidate a window of the peer after the message has arrived.
 * INDEndpoint::SendAndInvalidate
 *
 * @param remote_descriptor as received from the peer; only its token is used
 * @param flags as for nd_endpoint_send()
 * @return as nd_endpoint_send(); ND_INVALID_PARAMETER_4: remote_descriptor is NULL
 * @note Threads: owner.
 */
nd_status nd_endpoint_send_and_invalidate(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count,
	const struct nd_mw_descriptor *remote_descriptor, uint32_t flags);

/**
 * Post a receive for the peer's next message. Allowed before connecting. INDEndpoint::Receive
 *
 * @return see the beginning of this file
 * @note Threads: owner.
 */
nd_status nd_endpoint_receive(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count);

/**
 * Open the range [buffer, buffer + buffer_size) of registered memory to the peer through a window.
 * The window is open after this request has been executed. INDEndpoint::Bind
 *
 * @param flags at least one of ALLOW_READ, ALLOW_WRITE, ALLOW_ATOMIC, ALLOW_NOTHING; optional:
 *        ALLOW_ANY_ENDPOINT, SILENT_SUCCESS, READ_FENCE
 * @param[out] descriptor for the peer: send it in a request that is posted after the bind;
 *        unchanged after a failure
 * @return as nd_endpoint_send(); ND_INVALID_PARAMETER_2: mr is not registered memory of this
 *         adapter; _3: mw is not a window of this adapter; _4: the range begins outside of mr; _5:
 *         the range is empty or ends outside of mr; _6: unknown flags, or no ALLOW flag; _7:
 *         descriptor is NULL; ND_INVALID_DEVICE_STATE: mw is bound or has a queued bind, and no
 *         invalidate of mw was posted since. With several engines, also if the posted invalidate
 *         has not been executed, and the two binds differ in ALLOW_ANY_ENDPOINT, or are without
 *         it for endpoints of different engines; ND_ACCESS_VIOLATION: mr lacks the right;
 *         ND_INSUFFICIENT_RESOURCES: no free key (docs/security.md, "How many keys there are")
 * @note If mw is still bound when the bind is executed, because an invalidate that was posted on
 *       another endpoint has not been executed, the result is ND_INVALID_DEVICE_REQUEST and the
 *       connection ends. Take the result of the invalidate before another endpoint binds mw.
 * @note Threads: owner.
 */
nd_status nd_endpoint_bind(struct nd_endpoint *endpoint, struct nd_result *result, struct nd_mr *mr,
	struct nd_mw *mw, const void *buffer, size_t buffer_size, uint32_t flags,
	struct nd_mw_descriptor *descriptor);

/**
 * Close a window from this side. After the result, no byte is transferred through the window. If
 * the window is not bound to this endpoint, the result is ND_INVALIDATION_ERROR.
 * INDEndpoint::Invalidate
 *
 * Other engines of the adapter may be using a window of ALLOW_ANY_ENDPOINT. Then this request, and
 * the requests that are posted after it, wait in the send queue until these engines have finished
 * their turn. Queries already report the window as not bound, but only the result proves that no
 * engine uses the memory. If the connection ends before these turns do, the result is ND_CANCELED.
 * An invalidate by a message of the peer waits in the same way; if the connection ends meanwhile,
 * the result of the receive is ND_CANCELED, and the window's invalidate_result is not returned.
 * Then release the window, or call nd_mr_invalidate_windows() or nd_adapter_deregister_memory(),
 * before the memory is used for another purpose.
 *
 * @param flags SILENT_SUCCESS, READ_FENCE
 * @return as nd_endpoint_send(); ND_INVALID_PARAMETER_2: mw is not a window of this adapter
 * @note Threads: owner.
 */
nd_status nd_endpoint_invalidate(
	struct nd_endpoint *endpoint, struct nd_result *result, struct nd_mw *mw, uint32_t flags);

/**
 * Read from the peer's window, from the given offset in bytes, into local memory. The number of
 * bytes is the total length of the list. INDEndpoint::Read
 *
 * @param flags SILENT_SUCCESS, READ_FENCE
 * @return as nd_endpoint_send(); ND_INVALID_PARAMETER_4: remote_descriptor is NULL;
 *         ND_REMOTE_ERROR: the read would end outside of the window; ND_INVALID_DEVICE_REQUEST: the
 *         connection's outbound read limit is 0
 * @note Threads: owner.
 */
nd_status nd_endpoint_read(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count,
	const struct nd_mw_descriptor *remote_descriptor, uint64_t offset, uint32_t flags);

/**
 * Write the bytes of the list to the peer's window, to the given offset in bytes.
 * INDEndpoint::Write
 *
 * @param flags SILENT_SUCCESS, READ_FENCE
 * @return as nd_endpoint_send(); ND_INVALID_PARAMETER_4: remote_descriptor is NULL. The peer
 *         detects a write beyond the end of the window; the write's result is then ND_REMOTE_ERROR
 * @note Threads: owner.
 */
nd_status nd_endpoint_write(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count,
	const struct nd_mw_descriptor *remote_descriptor, uint64_t offset, uint32_t flags);

/**
 * Cancel all outstanding requests and receives. Their results have ND_CANCELED. The connection
 * cannot be used any more, but must still be disconnected. INDEndpoint::Flush
 *
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_endpoint_flush(struct nd_endpoint *endpoint);

/**
 * Begin a batch. Requests that are posted in the batch may be delayed until
 * nd_endpoint_submit_request_batch() and then be transmitted together. Posting in a batch runs no
 * callbacks; they run at the end of the batch. Batches do not nest. INDEndpoint::StartRequestBatch
 *
 * @note Threads: owner.
 */
void nd_endpoint_start_request_batch(struct nd_endpoint *endpoint);

/**
 * End a batch: transmit as many of the delayed requests as possible; the engine transmits the rest
 * in its next turns. If no batch was begun, the call does nothing. INDEndpoint::SubmitRequestBatch
 *
 * @note Threads: owner.
 */
void nd_endpoint_submit_request_batch(struct nd_endpoint *endpoint);

/**
 * Set the context value of an endpoint. Each later result of its requests contains the value in
 * struct nd_result.endpoint_context, for applications in which endpoints share queues. Before the
 * first call the value is NULL. Corresponds to the argument context of IND2Adapter::CreateQueuePair
 *
 * @param context never dereferenced by the library
 * @note Threads: control.
 */
void nd_endpoint_set_context(struct nd_endpoint *endpoint, void *context);

/**
 * Release an endpoint. A connected endpoint is first disconnected and flushed, and a connection
 * attempt is abandoned. Results of its requests may still be in the completion queues, and can be
 * taken.
 *
 * @param endpoint may be NULL: nothing happens
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_endpoint_release(struct nd_endpoint *endpoint);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
