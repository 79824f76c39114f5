/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_SRQ_H
#define NDPDK_ND_SRQ_H

/**
 * @file
 * Shared receive queues: many endpoints take their receives from one queue, so the memory for
 * messages depends on the number of messages and not on the number of endpoints. As
 * IND2SharedReceiveQueue of ND version 2, NDK_SRQ and ibv_srq.
 *
 * Receives are taken in the order of posting, by the endpoint whose next message begins first. A
 * message of several packets occupies its receive until the message ends. send_with_imm and
 * write_with_imm also take a receive. The inbound queue of the endpoint that took the receive
 * returns the result, which identifies the endpoint by struct nd_result.endpoint_context.
 *
 * **Empty queue.** If a message finds no receive, the endpoint answers with an RNR NAK, and the
 * sender retransmits without limit. Endpoints of a shared queue request the RNR retry count 7
 * (unlimited) instead of nd_adapter_config.rnr_retry_count. So an empty queue ends no connection,
 * except if a peer uses a lower count of its own.
 *
 * **End of an endpoint.** A flush, or the end of the connection, returns only the receive that a
 * message has begun to fill, with ND_CANCELED or with the error. All other receives stay in the
 * queue for other endpoints.
 *
 * **Fairness.** Messages get receives in the order in which they arrive. An endpoint occupies at
 * most one receive. A peer that begins a message and does not finish it occupies the receive until
 * its connection ends. Therefore post more receives than there are endpoints.
 * nd_adapter_config.keepalive_ms detects a peer that has gone. A peer that sends without pause can
 * take all receives before other peers get one; these peers retransmit later. Peers that do not
 * trust each other need separate queues, or credits in their protocol.
 *
 * A shared receive queue, its endpoints and their completion queues are on one engine.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_srq
 * @{
 */

/** A shared receive queue at the time of nd_srq_query(). */
struct nd_srq_info {
	size_t entries;       /**< number of receives that the queue can hold */
	size_t max_sge;       /**< maximum list entries of a receive */
	size_t low_watermark; /**< 0: no notifications */
	size_t posted;        /**< receives in the queue that no message has taken */
	size_t endpoints;     /**< number of endpoints that use the queue */
};

/**
 * Create a shared receive queue. IND2Adapter::CreateSharedReceiveQueue
 *
 * @param engine_index engine of the queue, as for nd_adapter_get_engine()
 * @param entries number of receives that the queue can hold, 1 .. max_srq_entries of struct
 *        nd_adapter_info
 * @param max_sge maximum list entries of a receive, 0 .. max_inbound_sge
 * @param low_watermark nd_srq_notify() completes when fewer receives are posted; 0 = never
 * @param[out] srq unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: no such engine; _2, _3: entries or max_sge is out of
 *         range; _5: srq is NULL; ND_NO_MEMORY; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_adapter_create_srq(struct nd_adapter *adapter, size_t engine_index, size_t entries,
	size_t max_sge, size_t low_watermark, struct nd_srq **srq);

/**
 * Create an endpoint as nd_connector_create_endpoint() does. The endpoint takes its receives from
 * a shared queue, and nd_endpoint_receive() returns ND_NO_MORE_ENTRIES for it.
 * IND2Adapter::CreateQueuePairWithSrq
 *
 * @param srq on the same engine as both completion queues
 * @param outbound_entries maximum number of outstanding requests other than receives
 * @param outbound_sge maximum number of list entries of these requests
 * @param inbound_read_limit maximum number of reads and atomics of the peer in progress at a time
 * @param outbound_read_limit maximum number of own reads and atomics in progress at a time
 * @param[out] max_inline_data bytes of inline data that a request may have; may be NULL
 * @param[out] endpoint unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_n: the n-th argument after connector is out of range,
 *         NULL, of another adapter or of another engine; ND_NOT_SUPPORTED: the connector has an
 *         endpoint; ND_CONNECTION_ABORTED and others as for nd_connector_create_endpoint();
 *         ND_INSUFFICIENT_RESOURCES; ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_connector_create_endpoint_with_srq(struct nd_connector *connector,
	struct nd_cq *inbound_cq, struct nd_cq *outbound_cq, struct nd_srq *srq,
	size_t outbound_entries, size_t outbound_sge, size_t inbound_read_limit,
	size_t outbound_read_limit, size_t *max_inline_data, struct nd_endpoint **endpoint);

/**
 * Post a receive for the next message of any endpoint of the queue. Allowed before the first
 * endpoint is created. IND2SharedReceiveQueue::Receive
 *
 * @return ND_SUCCESS; ND_NO_MORE_ENTRIES: the queue is full; ND_DATA_OVERRUN: more list entries
 *         than max_sge; ND_BUFFER_OVERFLOW: more bytes than a message can have;
 *         ND_ACCESS_VIOLATION: an entry without mr; ND_INVALID_PARAMETER_1: result is NULL; _2: sgl
 *         is NULL with a count
 * @note Threads: owner.
 */
nd_status nd_srq_receive(
	struct nd_srq *srq, struct nd_result *result, const struct nd_sge *sgl, size_t sge_count);

/**
 * Change the size, the low watermark, or both. After a failure both are unchanged.
 * IND2SharedReceiveQueue::Modify
 *
 * @param entries 1 .. max_srq_entries; 0 = unchanged
 * @param low_watermark pending notifications complete at once if fewer receives are posted; 0 =
 *        unchanged
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: more receives are posted than entries;
 *         ND_INVALID_PARAMETER_1: entries is out of range; ND_INSUFFICIENT_RESOURCES
 * @note Threads: control.
 */
nd_status nd_srq_modify(struct nd_srq *srq, size_t entries, size_t low_watermark);

/**
 * Wait until fewer receives than the low watermark are posted. The engine checks this when a
 * message takes a receive or finds none.
 *
 * The call completes at once if the queue is low now and one of two conditions holds: a check has
 * found it low since the last notification, or the watermark was raised above the number of posted
 * receives. So no event between two calls is lost, and an empty queue is not reported before its
 * first message arrives. Each call completes once. Several calls may be pending; all complete
 * together. IND2SharedReceiveQueue::Notify
 *
 * The queue itself reports no errors. A receive that cannot be filled ends the connection of the
 * endpoint that took it, and has a result with the error.
 *
 * @return at once or later: ND_SUCCESS: the queue is low; ND_PENDING; ND_CANCELED: cancelled, or
 *         the queue or adapter was released; ND_INVALID_PARAMETER: overlapped is not valid;
 *         ND_DEVICE_REMOVED
 * @note Threads: control.
 */
nd_status nd_srq_notify(struct nd_srq *srq, struct nd_overlapped *overlapped);

/**
 * Cancel all pending notifications: they complete with ND_CANCELED, in the order in which they
 * were requested. INDOverlapped::CancelOverlappedRequests
 *
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_srq_cancel_overlapped_requests(struct nd_srq *srq);

nd_status nd_srq_query_sized(struct nd_srq *srq, struct nd_srq_info *info, size_t size);

/**
 * Return the state of the queue.
 *
 * @param[out] info unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: info is NULL
 * @note Threads: control. On the thread that owns the engine the call takes no lock, allocates no
 *       memory and makes no system call.
 */
static inline nd_status
nd_srq_query(struct nd_srq *srq, struct nd_srq_info *info)
{
	return nd_srq_query_sized(srq, info, sizeof(*info));
}

/**
 * Free the queue. Posted receives are discarded without results, because they belong to no
 * completion queue, and their memory may be reused. Pending notifications end with ND_CANCELED.
 *
 * @param srq may be NULL: nothing happens
 * @return ND_SUCCESS; ND_DEVICE_BUSY: an endpoint still uses the queue
 * @note Threads: control.
 */
nd_status nd_srq_release(struct nd_srq *srq);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
