/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_ENDPOINT_H
#define NDPDK_ND_ENDPOINT_H

/**
 * @file
 * Endpoints: posting requests, batches, release.
 *
 * Posting. ND_SUCCESS means posted: exactly one result comes through the completion queue (none for
 * a silent request that succeeds). Any other value means not posted: no result comes, and the
 * endpoint stays usable. A *result* with an error ends the connection, and everything else
 * outstanding completes with ND_CANCELED. Requests are executed and completed in the order of
 * posting. The caller's list is copied; what it points to stays untouched by the caller until the
 * result has come.
 *
 * Refusals that all posting calls have in common: ND_CONNECTION_INVALID: not connected (all but
 * receive); ND_NO_MORE_ENTRIES: as many requests outstanding as the endpoint was made for;
 * ND_DATA_OVERRUN: more list entries than it was made for; ND_BUFFER_OVERFLOW: more bytes than a
 * message can have, or inline data beyond the limit; ND_ACCESS_VIOLATION: an entry is not within
 * registered memory, or entries with and without mr are mixed, or inline data where none is
 * allowed; ND_INVALID_PARAMETER_n: result is NULL, unknown flags, or list NULL with a count, n =
 * position of the argument counted from the result.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * Send a message, which takes one receive of the peer. INDEndpoint::Send
 *
 * @param flags SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT
 * @return as above
 * @note Threads: owner.
 */
nd_status nd_endpoint_send(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count, uint32_t flags);

/**
 * Send, and invalidate the peer's window when the message has arrived.
 * INDEndpoint::SendAndInvalidate
 *
 * @param remote_descriptor as received from the peer; only its token matters
 * @param flags as of nd_endpoint_send()
 * @return as above; ND_INVALID_PARAMETER_4: remote_descriptor is NULL
 * @note Threads: owner.
 */
nd_status nd_endpoint_send_and_invalidate(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count,
	const struct nd_mw_descriptor *remote_descriptor, uint32_t flags);

/**
 * Take the next message of the peer. Allowed before connecting. INDEndpoint::Receive
 *
 * @return as above
 * @note Threads: owner.
 */
nd_status nd_endpoint_receive(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count);

/**
 * Open [buffer, buffer + buffer_size) of registered memory to the peer through a window, from the
 * moment this request is executed. INDEndpoint::Bind
 *
 * @param flags ALLOW_READ, ALLOW_WRITE, ALLOW_ATOMIC, at least one of them, or ALLOW_NOTHING;
 *        ALLOW_ANY_ENDPOINT; SILENT_SUCCESS, READ_FENCE
 * @param[out] descriptor what the peer needs, to be sent behind the bind; unchanged after a failure
 * @return also: ND_INVALID_PARAMETER_2: mr is not live memory of this adapter; _3: mw is not a live
 *         window of this adapter; _4: range starts outside the registration; _5: ends outside, or
 *         is empty; _6: unknown flags, or no ALLOW flag; _7: descriptor is NULL;
 *         ND_INVALID_DEVICE_STATE: mw is bound, or a bind of mw is queued, and no invalidate of mw
 *         was posted since; with several engines also while mw is bound, or a bind of it is queued,
 *         for an endpoint of another engine, or with ALLOW_ANY_ENDPOINT when this bind is without
 *         it, or the reverse; ND_ACCESS_VIOLATION: memory lacks the right;
 *         ND_INSUFFICIENT_RESOURCES: no free key (docs/security.md, "How many keys there are")
 * @note Threads: owner.
 */
nd_status nd_endpoint_bind(struct nd_endpoint *endpoint, struct nd_result *result, struct nd_mr *mr,
	struct nd_mw *mw, const void *buffer, size_t buffer_size, uint32_t flags,
	struct nd_mw_descriptor *descriptor);

/**
 * Close a window from this side. From the result on no byte moves through it. A window that is not
 * bound to this endpoint gives the result ND_INVALIDATION_ERROR. INDEndpoint::Invalidate
 *
 * A window of ALLOW_ANY_ENDPOINT may be in use by other engines of the adapter: then the request
 * waits in the send queue, and requests posted after it wait too, until those engines have finished
 * their turn. Queries say already that the window is not bound, but only the result says that no
 * engine uses the memory. Where the connection ends before that, the result is ND_CANCELED: then
 * release the window, or call nd_mr_invalidate_windows() or nd_adapter_deregister_memory(), before
 * the memory is used for anything else.
 *
 * @param flags SILENT_SUCCESS, READ_FENCE
 * @return as above; ND_INVALID_PARAMETER_2: mw is not a live window of this adapter
 * @note Threads: owner.
 */
nd_status nd_endpoint_invalidate(
	struct nd_endpoint *endpoint, struct nd_result *result, struct nd_mw *mw, uint32_t flags);

/**
 * Read from offset (bytes) of the peer's window into local memory, as much as the list holds.
 * INDEndpoint::Read
 *
 * @param flags SILENT_SUCCESS, READ_FENCE
 * @return as above; ND_INVALID_PARAMETER_4: remote_descriptor is NULL; ND_REMOTE_ERROR: it would
 *         run past the window; ND_INVALID_DEVICE_REQUEST: the connection's outbound read limit is 0
 * @note Threads: owner.
 */
nd_status nd_endpoint_read(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count,
	const struct nd_mw_descriptor *remote_descriptor, uint64_t offset, uint32_t flags);

/**
 * Write the list's bytes to offset (bytes) of the peer's window. INDEndpoint::Write
 *
 * @param flags SILENT_SUCCESS, READ_FENCE
 * @return as above; ND_INVALID_PARAMETER_4: remote_descriptor is NULL. That it runs past the window
 *         is found by the peer, and the result is ND_REMOTE_ERROR
 * @note Threads: owner.
 */
nd_status nd_endpoint_write(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count,
	const struct nd_mw_descriptor *remote_descriptor, uint64_t offset, uint32_t flags);

/**
 * Cancel everything outstanding in both directions; results come with ND_CANCELED. The connection
 * cannot go on; it is still to be disconnected. INDEndpoint::Flush
 *
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_endpoint_flush(struct nd_endpoint *endpoint);

/**
 * Begin a batch: requests that are posted may wait until nd_endpoint_submit_request_batch() and be
 * transmitted together. Posting in a batch runs no callbacks: they run at its end. Batches do not
 * nest. INDEndpoint::StartRequestBatch
 *
 * @note Threads: owner.
 */
void nd_endpoint_start_request_batch(struct nd_endpoint *endpoint);

/**
 * End a batch: transmit what has waited, as far as possible; the engine's turns do the rest.
 * Without a batch nothing happens. INDEndpoint::SubmitRequestBatch
 *
 * @note Threads: owner.
 */
void nd_endpoint_submit_request_batch(struct nd_endpoint *endpoint);

/**
 * Give the endpoint a value that each result of its requests brings, in
 * struct nd_result.endpoint_context, whatever queue it comes through: results that complete from
 * now on have it. Of use where endpoints share queues. Before the first call it is NULL.
 * The context argument of IND2Adapter::CreateQueuePair
 *
 * @param context never dereferenced by the library
 * @note Threads: control.
 */
void nd_endpoint_set_context(struct nd_endpoint *endpoint, void *context);

/**
 * Release; a connected endpoint is disconnected and flushed first, an attempt that is under way is
 * abandoned. Results of its requests may still be in the completion queues, and can be taken.
 *
 * @param endpoint may be NULL: nothing happens
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_endpoint_release(struct nd_endpoint *endpoint);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
