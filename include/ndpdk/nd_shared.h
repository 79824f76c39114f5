/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_SHARED_H
#define NDPDK_ND_SHARED_H

/**
 * @file
 * Beyond Network Direct: calls for layers above this API, such as the SPI of Windows (ndspi.h) or
 * verbs, which have their own formats of requests and results. Such a layer usually posts requests
 * with one list entry, identifies memory by tokens, is called from any thread, and returns results
 * by value.
 *
 * Results by value: nd_cq_get_completions() takes the same results as nd_cq_get_results(), but
 * writes them into the caller's array and not into the struct nd_result of the requests. So the
 * pointer that is passed with a request (`result`) is a context, as wr_id in verbs: the library
 * never dereferences it and returns it unchanged. The pointer must not be NULL. For one queue, use
 * either these calls or nd_cq_get_results(), unless all pointers point to a struct nd_result. A
 * layer that translates each result can read the results in the queue: nd_cq_peek_completions().
 *
 * One call for each request: nd_endpoint_token_send() and the other token calls combine
 * nd_adapter_find_region() and a posting call such as nd_endpoint_send(). nd_endpoint_shared_send()
 * and the other shared calls do the same from any thread on a shared engine (nd_engine.h), between
 * nd_engine_enter() and nd_engine_leave().
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_shared
 * @{
 */

/** Type of the request that has completed. New types are added at the end. */
enum nd_completion_kind {
	ND_COMPLETION_SEND = 0, /**< any kind of send */
	ND_COMPLETION_WRITE,
	ND_COMPLETION_READ,
	ND_COMPLETION_ATOMIC,
	ND_COMPLETION_BIND,
	ND_COMPLETION_INVALIDATE,
	ND_COMPLETION_RECEIVE, /**< receive of an endpoint or a shared queue */
	/**
	 * A peer has invalidated a window. context is then the invalidate_result of
	 * nd_adapter_create_memory_window().
	 */
	ND_COMPLETION_WINDOW_INVALIDATED,
	ND_COMPLETION_FAST_REGISTER,
};

/** A completed request. Members that struct nd_result also has, have the same meaning there. */
struct nd_completion {
	void *context;          /**< pointer that was passed with the request as result */
	void *endpoint_context; /**< nd_endpoint_set_context() of the endpoint */
	nd_status status;       /**< ND_SUCCESS, or why the request failed */
	/** Valid with ND_RESULT_WITH_IMM or _INVALIDATED. Network byte order. */
	uint32_t imm_data;
	uint32_t bytes_transferred; /**< message length; 0 for bind and invalidate */
	uint8_t kind;               /**< enum nd_completion_kind */
	uint8_t flags;              /**< ND_RESULT_ */
};

/**
 * Take completed requests as nd_cq_get_results() does, but return the results by value.
 *
 * @param[out] completions filled up to the returned number
 * @return number of completions taken, 0..count
 * @note Threads: owner.
 */
size_t nd_cq_get_completions(struct nd_cq *cq, struct nd_completion *completions, size_t count);

/**
 * Access completions in the queue without copying. nd_cq_drop_completions() removes them.
 *
 * If the status of a completion in the queue is not ND_SUCCESS, the request failed, but this is
 * not yet the status to report. Take failed completions, and completions of kind
 * ND_COMPLETION_WINDOW_INVALIDATED, with nd_cq_get_completions() instead.
 *
 * @param[out] first pointer to the oldest completion; the next ones follow in memory. Valid until
 *        the engine takes a turn, a request is posted on the engine, or another function is
 *        called for this queue
 * @return number of completions at first. More may be available after these have been dropped. 0:
 *         the queue is empty, and first is unchanged
 * @note Threads: owner.
 */
size_t nd_cq_peek_completions(struct nd_cq *cq, const struct nd_completion **first);

/**
 * Remove the oldest completions.
 *
 * @param count at most the value that nd_cq_peek_completions() returned. Each removed completion
 *        must have ND_SUCCESS, and must not be of kind ND_COMPLETION_WINDOW_INVALIDATED
 * @note Threads: owner.
 */
void nd_cq_drop_completions(struct nd_cq *cq, size_t count);

/** One piece of registered memory, identified by the local token of its region. */
struct nd_token_sge {
	void *address;   /**< in the region's address space */
	uint32_t length; /**< bytes */
	uint32_t token;  /**< nd_mr_get_local_token() */
};

/**
 * Send a message as nd_endpoint_send() does, from one piece of memory.
 *
 * @param context returned with the completion; not NULL
 * @return as nd_endpoint_send(); ND_ACCESS_VIOLATION: no region of this adapter has the token
 * @note Threads: owner.
 */
nd_status nd_endpoint_token_send(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint32_t flags);

/**
 * Post a receive as nd_endpoint_receive() does, for one piece of memory.
 *
 * @return as nd_endpoint_token_send()
 * @note Threads: owner.
 */
nd_status nd_endpoint_token_receive(
	struct nd_endpoint *endpoint, void *context, const struct nd_token_sge *entry);

/**
 * Read as nd_endpoint_read() does, into one piece of memory. Address and remote token identify the
 * peer's memory.
 *
 * @param remote_token network byte order, as nd_mw_descriptor.token
 * @return as nd_endpoint_token_send(); ND_INVALID_PARAMETER_6: unknown flags
 * @note Threads: owner.
 */
nd_status nd_endpoint_token_read(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags);

/**
 * Write as nd_endpoint_write() does, from one piece of memory.
 *
 * @return as nd_endpoint_token_read()
 * @note Threads: owner.
 */
nd_status nd_endpoint_token_write(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags);

/**
 * Call nd_endpoint_token_send() from any thread.
 *
 * @return as nd_endpoint_token_send(); ND_INVALID_DEVICE_STATE: the engine is not shared, and
 *         another thread owns it
 * @note Threads: any.
 */
nd_status nd_endpoint_shared_send(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint32_t flags);

/**
 * Call nd_endpoint_token_receive() from any thread.
 *
 * @return as nd_endpoint_shared_send()
 * @note Threads: any.
 */
nd_status nd_endpoint_shared_receive(
	struct nd_endpoint *endpoint, void *context, const struct nd_token_sge *entry);

/**
 * Call nd_endpoint_token_read() from any thread.
 *
 * @return as nd_endpoint_token_read() and nd_endpoint_shared_send()
 * @note Threads: any.
 */
nd_status nd_endpoint_shared_read(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags);

/**
 * Call nd_endpoint_token_write() from any thread.
 *
 * @return as nd_endpoint_shared_read()
 * @note Threads: any.
 */
nd_status nd_endpoint_shared_write(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
