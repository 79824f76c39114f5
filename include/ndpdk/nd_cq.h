/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_CQ_H
#define NDPDK_ND_CQ_H

/**
 * @file
 * Completion queues: taking results, and being told of them.
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * Take finished requests, in the order they finished. Does no I/O: call nd_engine_poll() as well.
 * INDCompletionQueue::GetResults
 *
 * @param[out] results filled with the pointers given with the requests, whose members are set then
 * @return how many, 0..count
 * @note Threads: owner.
 */
size_t nd_cq_get_results(struct nd_cq *cq, struct nd_result *results[], size_t count);

/**
 * Ask to be told of the next completion. Results that came since the last notification complete it
 * at once; several may be outstanding, all are completed together. INDCompletionQueue::Notify
 *
 * @param type ND_CQ_NOTIFY_ERRORS, _ANY, _SOLICITED
 * @return at once or later: ND_SUCCESS: there is something; ND_PENDING; ND_BUFFER_OVERFLOW: the
 *         queue has overrun, it and its endpoints are dead; ND_INVALID_PARAMETER: type or
 *         overlapped; ND_CANCELED
 * @note Threads: control.
 */
nd_status nd_cq_notify(struct nd_cq *cq, uint32_t type, struct nd_overlapped *overlapped);

/**
 * Change how many results the queue can hold. INDCompletionQueue::Resize
 *
 * @param entries 1 .. max_cq_entries
 * @return ND_SUCCESS; ND_BUFFER_OVERFLOW: more results present than entries, nothing changed;
 *         ND_INVALID_PARAMETER: entries out of range; ND_INSUFFICIENT_RESOURCES
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
 * Free the queue with the results in it. Pending notifications end with ND_CANCELED.
 *
 * @param cq may be NULL: nothing happens
 * @return ND_SUCCESS; ND_DEVICE_BUSY: an endpoint still uses it
 * @note Threads: control.
 */
nd_status nd_cq_release(struct nd_cq *cq);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
