/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_SRQ_H
#define NDPDK_ND_SRQ_H

/**
 * @file
 * Shared receive queues: many endpoints take their receives from one queue, so that the memory for
 * messages grows with the messages and not with the endpoints. IND2SharedReceiveQueue of ND v2,
 * NDK_SRQ, ibv_srq.
 *
 * The receives are taken in the order of posting, by the endpoint whose message begins first. A
 * message of several packets keeps its receive until it ends. send_with_imm and write_with_imm take
 * one as well. The result comes through the inbound queue of the endpoint that took the receive,
 * and names this endpoint: struct nd_result.endpoint_context.
 *
 * **Empty queue.** A message that finds no receive is refused for a while (RNR NAK), and its sender
 * tries again for as long as the connection lasts: endpoints of a shared queue ask their peers for
 * that (RNR retry count 7), in place of nd_adapter_config.rnr_retry_count. No connection ends
 * because the queue is empty. A peer that has its own idea of the count may give up.
 *
 * **End of an endpoint.** A flush, or the end of the connection, gives back the receive that a
 * message has begun to fill, with ND_CANCELED or with the error, and nothing else. All others stay
 * in the queue, for other endpoints.
 *
 * **Fairness.** First come, first served. An endpoint holds one receive at most; but a peer that
 * begins a message and does not end it holds it until its connection ends (nd_adapter_config.
 * keepalive_ms finds a peer that has gone), so post more receives than there are endpoints. A
 * peer that sends without pause can take all receives before others get one, who try again later:
 * peers that do not trust each other need queues of their own, or credits in their protocol.
 *
 * A shared receive queue lives on one engine, as its endpoints and their completion queues.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** A shared receive queue at the moment of nd_srq_query(). */
struct nd_srq_info {
	size_t entries;       /**< receives it can hold */
	size_t max_sge;       /**< list entries of a receive */
	size_t low_watermark; /**< 0: no notifications */
	size_t posted;        /**< receives that no message has taken yet */
	size_t endpoints;     /**< endpoints that use it */
};

/**
 * Make a shared receive queue. IND2Adapter::CreateSharedReceiveQueue
 *
 * @param engine_index of the engine where it lives, as in nd_adapter_get_engine()
 * @param entries receives it can hold, 1 .. max_srq_entries of struct nd_adapter_info
 * @param max_sge list entries of a receive, 0 .. max_inbound_sge
 * @param low_watermark nd_srq_notify() tells when fewer receives than this are posted; 0 = never
 * @param[out] srq unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: no such engine; _2: entries; _3: max_sge; _5: srq is
 *         NULL; ND_NO_MEMORY; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_adapter_create_srq(struct nd_adapter *adapter, size_t engine_index, size_t entries,
	size_t max_sge, size_t low_watermark, struct nd_srq **srq);

/**
 * nd_connector_create_endpoint() for an endpoint whose receives come from a shared queue. Such an
 * endpoint has none of its own: nd_endpoint_receive() returns ND_NO_MORE_ENTRIES.
 * IND2Adapter::CreateQueuePairWithSrq
 *
 * @param srq of the engine that both completion queues are of
 * @param outbound_entries requests other than receives that may be outstanding
 * @param outbound_sge list entries of each of them
 * @param inbound_read_limit reads and atomics of the peer in progress
 * @param outbound_read_limit own reads and atomics in progress
 * @param[out] max_inline_data bytes of inline data that a request may have; may be NULL
 * @param[out] endpoint unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_n: the n-th argument after connector is out of range,
 *         NULL, of another adapter or of another engine; ND_NOT_SUPPORTED: the connector has an
 *         endpoint already; ND_INVALID_DEVICE_STATE, ND_CONNECTION_ABORTED and others as of
 *         nd_connector_create_endpoint(); ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_connector_create_endpoint_with_srq(struct nd_connector *connector,
	struct nd_cq *inbound_cq, struct nd_cq *outbound_cq, struct nd_srq *srq,
	size_t outbound_entries, size_t outbound_sge, size_t inbound_read_limit,
	size_t outbound_read_limit, size_t *max_inline_data, struct nd_endpoint **endpoint);

/**
 * Post a receive for the next message of any of the endpoints. Allowed before there is one.
 * IND2SharedReceiveQueue::Receive
 *
 * @return ND_SUCCESS; ND_NO_MORE_ENTRIES: as many posted as it can hold; ND_DATA_OVERRUN: more list
 *         entries than it was made for; ND_BUFFER_OVERFLOW: more bytes than a message can have;
 *         ND_ACCESS_VIOLATION: an entry without mr; ND_INVALID_PARAMETER_1: result is NULL; _2: sgl
 *         is NULL with a count
 * @note Threads: owner.
 */
nd_status nd_srq_receive(
	struct nd_srq *srq, struct nd_result *result, const struct nd_sge *sgl, size_t sge_count);

/**
 * Change the size, the low watermark, or both. When it fails, nothing has changed.
 * IND2SharedReceiveQueue::Modify
 *
 * @param entries 1 .. max_srq_entries; 0 = as it is
 * @param low_watermark pending notifications complete at once if fewer are posted; 0 = as it is
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: more receives posted than entries;
 *         ND_INVALID_PARAMETER_1: entries out of range; ND_INSUFFICIENT_RESOURCES
 * @note Threads: control.
 */
nd_status nd_srq_modify(struct nd_srq *srq, size_t entries, size_t low_watermark);

/**
 * Ask to be told when fewer receives than the low watermark are posted: when a message takes one or
 * finds none, and the queue is low then. If that has happened since the last notification, or the
 * watermark was raised above what is posted, and the queue is low still, the answer is given at
 * once. So nothing is missed between two calls, and a queue that was never filled is not reported
 * before its first message. Each call is answered once; several may be outstanding, all are
 * completed together. IND2SharedReceiveQueue::Notify
 *
 * The queue itself does not fail: a receive that cannot be filled ends the connection of the
 * endpoint that took it, which the result says.
 *
 * @return at once or later: ND_SUCCESS: the queue is low; ND_PENDING; ND_CANCELED: cancelled, or
 *         the queue or adapter was released; ND_INVALID_PARAMETER: overlapped; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_srq_notify(struct nd_srq *srq, struct nd_overlapped *overlapped);

/**
 * Cancel all pending notifications: they complete with ND_CANCELED, in the order of their calls.
 * INDOverlapped::CancelOverlappedRequests
 *
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_srq_cancel_overlapped_requests(struct nd_srq *srq);

/**
 * Read how the queue stands.
 *
 * @param[out] info unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: info is NULL
 * @note Threads: control. On the thread that owns the engine it takes no lock and no memory, and
 *       makes no system call.
 */
nd_status nd_srq_query(struct nd_srq *srq, struct nd_srq_info *info);

/**
 * Free the queue. Receives that are posted are dropped: no result comes for them, as there is no
 * completion queue to which it would belong, and their memory is the caller's again. Pending
 * notifications end with ND_CANCELED.
 *
 * @param srq may be NULL: nothing happens
 * @return ND_SUCCESS; ND_DEVICE_BUSY: an endpoint still uses it
 * @note Threads: control.
 */
nd_status nd_srq_release(struct nd_srq *srq);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
