/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_RESULTS_H
#define NDPDK_NDK_RESULTS_H

#include "ndk/cq.h"

/**
 * Take results in the order of the queue. On the thread of the engine.
 *
 * @param[out] out filled up to the number that is returned
 * @return how many, 0 .. count; less only if there are no more
 */
uint32_t results_take(struct ndk_cq *cq, NDK_RESULT *out, uint32_t count);

/** The same, with types. */
uint32_t results_take_ex(struct ndk_cq *cq, NDK_RESULT_EX *out, uint32_t count);

/**
 * Take what is in the native queue, and keep it for NdkGetCqResults(): the records of silent
 * requests that are over become free. On the thread of the engine.
 */
void results_drain(struct ndk_cq *cq);

/** The queue pair of a queue is gone: the queue is freed when no result of it can come any more. */
void results_adopt(struct ndk_cq *cq, struct ndk_queue *queue);

/** Free the queues that were adopted, of a completion queue that ends. */
void results_free(struct ndk_cq *cq);

/**
 * The consumer flushes the requests of a queue: cancelled ones are handed out from now on.
 *
 * @return whether some have waited for that
 */
bool results_flush(struct ndk_cq *cq, struct ndk_queue *queue);

#endif
