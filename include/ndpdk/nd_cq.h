/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CQ_H
#define NDPDK_ND_CQ_H

/**
 * @file
 * Completion queues: take results, wait for results.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_cq
 * @{
 */

/**
 * Take the results of completed requests, in the order of completion. The call does no I/O, so the
 * engine must also be polled (nd_engine_poll()). INDCompletionQueue::GetResults
 *
 * @param[out] results receives the pointers that were passed with the requests. The call also
 *        fills the structures to which they point
 * @return number of results taken, 0..count
 * @note Threads: owner.
 */
size_t nd_cq_get_results(struct nd_cq *cq, struct nd_result *results[], size_t count);

/**
 * Wait for the next completion. If results have arrived since the last notification, the call
 * completes at once. Several notifications may be pending; all complete together.
 * INDCompletionQueue::Notify
 *
 * @param type ND_CQ_NOTIFY_ERRORS, _ANY, _SOLICITED
 * @return at once or later: ND_SUCCESS: there is a result of this type; ND_PENDING;
 *         ND_BUFFER_OVERFLOW: the queue has overrun, and the queue and its endpoints are unusable;
 *         ND_INVALID_PARAMETER: type or overlapped is not valid; ND_CANCELED
 * @note Threads: control.
 */
nd_status nd_cq_notify(struct nd_cq *cq, uint32_t type, struct nd_overlapped *overlapped);

/**
 * Change the number of results that the queue can hold. INDCompletionQueue::Resize
 *
 * @param entries 1 .. max_cq_entries
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: the queue contains more results than entries, nothing
 *         changed; ND_INVALID_PARAMETER: entries is out of range; ND_INSUFFICIENT_RESOURCES
 * @note Threads: control.
 */
nd_status nd_cq_resize(struct nd_cq *cq, size_t entries);

/**
 * Cancel all pending notifications: they complete with ND_CANCELED.
 * INDOverlapped::CancelOverlappedRequests
 *
 * @return ND_SUCCESS
 * @note Threads: control.
 */
nd_status nd_cq_cancel_overlapped_requests(struct nd_cq *cq);

/**
 * Free the queue and the results in it. Pending notifications end with ND_CANCELED.
 *
 * @param cq may be NULL: nothing happens
 * @return ND_SUCCESS; ND_DEVICE_BUSY: an endpoint still uses the queue
 * @note Threads: control.
 */
nd_status nd_cq_release(struct nd_cq *cq);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
