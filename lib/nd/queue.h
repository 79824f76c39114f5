/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_QUEUE_H
#define NDPDK_ND_QUEUE_H

/*
 * Functions that put requests with a scatter/gather list into the transport's queues. They are
 * inlined into each posting call, so that the compiler removes checks that the known opcode does
 * not need.
 */

#include <assert.h>
#include <stddef.h>

#include "base/limits.h"
#include "nd/endpoint.h"
#include "nd/request.h"
#include "nd/status_map.h"
#include "rc/operation.h"
#include "rc/post.h"

static_assert(offsetof(struct nd_sge, address) == offsetof(struct mem_sge, address) &&
		offsetof(struct nd_sge, length) == offsetof(struct mem_sge, length_bytes) &&
		offsetof(struct nd_sge, mr) == offsetof(struct mem_sge, region) &&
		sizeof(struct nd_sge) == sizeof(struct mem_sge),
	"nd_sge and mem_sge have the same layout");

/**
 * Check the scatter/gather list of a request, and pass it to the transport without a copy.
 *
 * @param inline_allowed whether the request can carry inline data
 * @param sgl out: refers to the caller's list
 * @param inlined out: whether the entries are inline data
 * @return ND_SUCCESS; ND_DATA_OVERRUN: too many entries; ND_INVALID_PARAMETER_2: list is NULL and
 *         count is not 0; ND_ACCESS_VIOLATION: registered and unregistered entries are mixed, or
 *         unregistered entries are not allowed
 */
static inline nd_status
list_check(const struct nd_sge *list, size_t count, bool inline_allowed, struct mem_sgl *sgl,
	bool *inlined)
{
	if (count > LIMIT_SGE)
		return ND_DATA_OVERRUN;
	if (list == NULL && count != 0)
		return ND_INVALID_PARAMETER_2;
	*sgl = (struct mem_sgl){.sges = (const struct mem_sge *)list, .count = (uint32_t)count};
	*inlined = count != 0 && list[0].mr == NULL;
	if (*inlined && !inline_allowed)
		return ND_ACCESS_VIOLATION;
	for (size_t i = 1; i < count; i++)
		if ((list[i].mr == NULL) != *inlined)
			return ND_ACCESS_VIOLATION;
	return ND_SUCCESS;
}

/**
 * Check whether the send queue accepts a request now. Used before a reservation that would be hard
 * to undo. After ND_SUCCESS, queue_post_checked() succeeds.
 * @return ND_SUCCESS, or the error that queue_post() would return
 */
static inline nd_status
queue_check(struct nd_endpoint *endpoint)
{
	const struct rc_qp *qp = endpoint_qp(endpoint);

	if (qp->state != RC_QP_RTS || !endpoint_connected(endpoint))
		return ND_CONNECTION_INVALID;
	return rc_ring_full(&qp->requester.ring) ? status_of_call(RC_QUEUE_FULL) : ND_SUCCESS;
}

/**
 * Queue a request, and transmit it unless a batch is open. The caller has checked the state of the
 * connection. If the first engine has ended the connection since then, this engine flushes the
 * request when it executes the order of the first engine.
 */
static __rte_always_inline nd_status
queue_post_checked(
	struct nd_endpoint *endpoint, const struct rc_send_wr *wr, enum rc_operation_kind kind)
{
	struct nd_engine *home = endpoint->home;
	struct rc_qp *qp = endpoint_qp(endpoint);
	enum rc_status status;

	BASE_ASSERT(engine_is_owned(home->engine) && qp == endpoint->slot.qp);
	status = rc_post_send_inline(qp, wr, kind);
	if (unlikely(status != RC_OK))
		return status_of_call(status);
	/*
	 * After this block, a bind of the window may be posted. If another thread has released the
	 * window, the execution of the invalidate fails, and the result of the invalidate reports
	 * the failure.
	 */
	if (kind == RC_KIND_LOCAL && wr->opcode == RC_INVALIDATE) {
		enum rc_status prepared =
			mem_invalidate_prepare(home->adapter->mem, wr->window, qp->qpn);

		RTE_SET_USED(prepared);
	}
	/* After this block, a registration of the region may be posted. */
	if (kind == RC_KIND_LOCAL && wr->opcode == RC_INVALIDATE_REGION) {
		enum rc_status prepared =
			mem_fast_invalidate_prepare(home->adapter->mem, wr->fast.region);

		RTE_SET_USED(prepared);
	}
	if (!endpoint->batching) {
		engine_qp_kick(home->engine, &endpoint->slot);
		home_settle(home);
	}
	return ND_SUCCESS;
}

/** As queue_post_checked(), after a check of the state of the connection. */
static __rte_always_inline nd_status
queue_post(struct nd_endpoint *endpoint, const struct rc_send_wr *wr, enum rc_operation_kind kind)
{
	/*
	 * The connection has ended. Network Direct refuses the request here, whereas verbs would
	 * queue and flush the request.
	 */
	if (unlikely(!endpoint_connected(endpoint)) ||
		unlikely(endpoint_qp(endpoint)->state != RC_QP_RTS))
		return ND_CONNECTION_INVALID;
	return queue_post_checked(endpoint, wr, kind);
}

/** Inline version of request_post(), for callers that know the opcode at compile time. */
static __rte_always_inline nd_status
request_queue(struct nd_endpoint *endpoint, const struct nd_sge *sgl, size_t sge_count,
	struct rc_send_wr *wr, enum rc_operation_kind kind)
{
	bool inline_allowed = kind == RC_KIND_MESSAGE;
	bool inlined;
	nd_status status;

	/*
	 * In a batch, the start of the batch has already prefetched. Checking the list here
	 * overlaps with the prefetch.
	 */
	if (!endpoint->batching)
		endpoint_prefetch(endpoint);
	status = list_check(sgl, sge_count, inline_allowed, &wr->sgl, &inlined);

	if (unlikely(nd_failed(status)))
		return list_refused(request_function(wr->opcode), status, sge_count);
	if (inlined)
		wr->flags |= RC_INLINE;
	return queue_post(endpoint, wr, kind);
}

/** Queue a receive. @return as nd_endpoint_receive() */
static __rte_always_inline nd_status
receive_queue(
	struct nd_endpoint *endpoint, void *context, const struct nd_sge *sgl, size_t sge_count)
{
	struct rc_receive_wr wr = {.context = context};
	enum rc_status posted;
	nd_status status;
	bool inlined;

	BASE_ASSERT(engine_is_owned(endpoint->home->engine));
	status = list_check(sgl, sge_count, false, &wr.sgl, &inlined);
	if (unlikely(nd_failed(status)))
		return list_refused("nd_endpoint_receive", status, sge_count);
	posted = rc_post_receive(endpoint->slot.qp, &wr);
	return likely(posted == RC_OK) ? ND_SUCCESS : status_of_call(posted);
}

#endif
