/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_SHARED_H
#define NDPDK_ND_SHARED_H

/**
 * @file
 * Beyond Network Direct: calls for layers that stand on this API and have requests and results of
 * their own, such as the SPI of Windows (ndspi.h) or verbs. Such a layer posts one request with one
 * entry in most calls, names memory by a number, is called by any thread, and hands results to its
 * application by value.
 *
 * Results by value: nd_cq_get_completions() takes what nd_cq_get_results() would take, and writes
 * it into the caller's array instead of the requests' struct nd_result. So the pointer that is
 * given with a request (`result`) may point to anything, or to nothing: it is a context, as wr_id
 * is in verbs, and comes back as it was given. It must not be NULL. A queue whose results are
 * taken in this way must not be asked for results in the other one, unless all pointers are those
 * of struct nd_result. A layer that translates each result can read them where they lie:
 * nd_cq_peek_completions().
 *
 * One call for each request: nd_endpoint_token_send() and the other ones of its kind do what
 * nd_adapter_find_region() and nd_endpoint_send() do. nd_endpoint_shared_send() and its kind do
 * that from any thread, between nd_engine_enter() and nd_engine_leave(), on an engine that is
 * shared (nd_engine.h).
 */

#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** What a completion is of. New ones are added at the end. */
enum nd_completion_kind {
	ND_COMPLETION_SEND = 0, /**< a send of any form */
	ND_COMPLETION_WRITE,
	ND_COMPLETION_READ,
	ND_COMPLETION_ATOMIC,
	ND_COMPLETION_BIND,
	ND_COMPLETION_INVALIDATE,
	ND_COMPLETION_RECEIVE, /**< also of a shared receive queue */
	/** The peer has invalidated a window; context: invalidate_result of its creation. */
	ND_COMPLETION_WINDOW_INVALIDATED,
	ND_COMPLETION_FAST_REGISTER,
};

/** A finished request. The members that struct nd_result has, too, are as there. */
struct nd_completion {
	void *context;          /**< as given with the request in place of its result */
	void *endpoint_context; /**< of the endpoint that completed it */
	nd_status status;       /**< ND_SUCCESS, or why the request failed */
	uint32_t imm_data;      /**< with ND_RESULT_WITH_IMM or _INVALIDATED; network byte order */
	uint32_t bytes_transferred; /**< message length; 0 for bind and invalidate */
	uint8_t kind;               /**< enum nd_completion_kind */
	uint8_t flags;              /**< ND_RESULT_ */
};

/**
 * nd_cq_get_results(), by value.
 *
 * @param[out] completions filled up to the number that is returned
 * @return as there
 * @note Threads: owner.
 */
size_t nd_cq_get_completions(struct nd_cq *cq, struct nd_completion *completions, size_t count);

/**
 * Read completions where they lie, before nd_cq_drop_completions() removes them.
 *
 * The status of such a completion is ND_SUCCESS, or another value that only says that the request
 * failed. nd_cq_get_completions() takes those, with their status, and those of the kind
 * ND_COMPLETION_WINDOW_INVALIDATED.
 *
 * @param[out] first the oldest completion, and those behind it. They may be read until the engine
 *             takes a turn, a request is posted on it, or a call of this queue.
 * @return how many lie side by side; when they are dropped, there may be more. 0: the queue is
 *         empty, and first is not written
 * @note Threads: owner.
 */
size_t nd_cq_peek_completions(struct nd_cq *cq, const struct nd_completion **first);

/**
 * Remove the oldest completions.
 *
 * @param count up to what nd_cq_peek_completions() has returned, and each of them with ND_SUCCESS
 *        and of another kind than ND_COMPLETION_WINDOW_INVALIDATED
 * @note Threads: owner.
 */
void nd_cq_drop_completions(struct nd_cq *cq, size_t count);

/** One piece of registered memory, named by the local token of its region. */
struct nd_token_sge {
	void *address;   /**< in the region's address space */
	uint32_t length; /**< bytes */
	uint32_t token;  /**< nd_mr_get_local_token() */
};

/**
 * nd_endpoint_send() with a list of one entry.
 *
 * @param context comes back with the completion; not NULL
 * @return as there; ND_ACCESS_VIOLATION: the token is not that of a region of this adapter
 * @note Threads: owner.
 */
nd_status nd_endpoint_token_send(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint32_t flags);

/**
 * nd_endpoint_receive(), likewise.
 *
 * @return as nd_endpoint_token_send()
 * @note Threads: owner.
 */
nd_status nd_endpoint_token_receive(
	struct nd_endpoint *endpoint, void *context, const struct nd_token_sge *entry);

/**
 * nd_endpoint_read(), likewise. The peer's memory is named by its address and remote token.
 *
 * @param remote_token network byte order, as nd_mw_descriptor.token
 * @return as nd_endpoint_token_send(); ND_INVALID_PARAMETER_6: unknown flags
 * @note Threads: owner.
 */
nd_status nd_endpoint_token_read(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags);

/**
 * nd_endpoint_write(), likewise.
 *
 * @return as nd_endpoint_token_read()
 * @note Threads: owner.
 */
nd_status nd_endpoint_token_write(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags);

/**
 * nd_endpoint_token_send(), from any thread.
 *
 * @return as there; ND_INVALID_DEVICE_STATE: the engine is not shared, and another thread owns it
 * @note Threads: any.
 */
nd_status nd_endpoint_shared_send(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint32_t flags);

/**
 * nd_endpoint_token_receive(), likewise.
 *
 * @return as nd_endpoint_shared_send()
 * @note Threads: any.
 */
nd_status nd_endpoint_shared_receive(
	struct nd_endpoint *endpoint, void *context, const struct nd_token_sge *entry);

/**
 * nd_endpoint_token_read(), likewise.
 *
 * @return as there, and as nd_endpoint_shared_send()
 * @note Threads: any.
 */
nd_status nd_endpoint_shared_read(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags);

/**
 * nd_endpoint_token_write(), likewise.
 *
 * @return as nd_endpoint_shared_read()
 * @note Threads: any.
 */
nd_status nd_endpoint_shared_write(struct nd_endpoint *endpoint, void *context,
	const struct nd_token_sge *entry, uint64_t remote_address, uint32_t remote_token,
	uint32_t flags);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
