/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_RESULTS_H
#define NDPDK_NDK_RESULTS_H

#include "ndk/cq.h"

/**
 * Take results for the consumer, in the order of the queue. Runs on the thread of the engine.
 *
 * @param[out] out results; as many as the return value
 * @return number of results, 0 .. count; less than count only if there are no more
 */
uint32_t results_take(struct ndk_cq *cq, NDK_RESULT *out, uint32_t count);

/** As results_take(), with types. */
uint32_t results_take_ex(struct ndk_cq *cq, NDK_RESULT_EX *out, uint32_t count);

/**
 * Move results from the native queue to a buffer for NdkGetCqResults(), so that the records of
 * complete silent requests become free. Runs on the thread of the engine.
 */
void results_drain(struct ndk_cq *cq);

/**
 * Take ownership of a queue when its queue pair is freed. The queue is freed as soon as no result
 * can refer to it.
 */
void results_adopt(struct ndk_cq *cq, struct ndk_queue *queue);

/** Free the adopted queues when the completion queue is freed. */
void results_free(struct ndk_cq *cq);

/**
 * Called when the consumer flushes the requests of a queue: from now on, results of cancelled
 * requests are returned.
 *
 * @return true if results were withheld
 */
bool results_flush(struct ndk_cq *cq, struct ndk_queue *queue);

#endif
