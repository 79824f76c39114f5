/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Completions by value (nd_shared.h). */

#include <assert.h>
#include <stddef.h>

#include <ndpdk/nd_shared.h>

#include "nd/cq.h"
#include "nd/status_map.h"

static_assert((int)ND_COMPLETION_SEND == RC_COMPLETION_SEND &&
		(int)ND_COMPLETION_WRITE == RC_COMPLETION_WRITE &&
		(int)ND_COMPLETION_READ == RC_COMPLETION_READ &&
		(int)ND_COMPLETION_ATOMIC == RC_COMPLETION_ATOMIC &&
		(int)ND_COMPLETION_BIND == RC_COMPLETION_BIND &&
		(int)ND_COMPLETION_INVALIDATE == RC_COMPLETION_INVALIDATE &&
		(int)ND_COMPLETION_RECEIVE == RC_COMPLETION_RECEIVE &&
		(int)ND_COMPLETION_WINDOW_INVALIDATED == RC_COMPLETION_WINDOW_INVALIDATED &&
		(int)ND_COMPLETION_FAST_REGISTER == RC_COMPLETION_FAST_REGISTER,
	"both layers use the same kinds");

static_assert(offsetof(struct nd_completion, context) == offsetof(struct rc_completion, context) &&
		offsetof(struct nd_completion, endpoint_context) ==
			offsetof(struct rc_completion, owner) &&
		offsetof(struct nd_completion, status) == offsetof(struct rc_completion, status) &&
		offsetof(struct nd_completion, imm_data) ==
			offsetof(struct rc_completion, immediate) &&
		offsetof(struct nd_completion, bytes_transferred) ==
			offsetof(struct rc_completion, bytes) &&
		offsetof(struct nd_completion, kind) == offsetof(struct rc_completion, kind) &&
		offsetof(struct nd_completion, flags) == offsetof(struct rc_completion, flags) &&
		sizeof(struct nd_completion) == sizeof(struct rc_completion) &&
		(int)ND_SUCCESS == (int)RC_OK,
	"nd_completion and rc_completion have the same layout");

/**
 * Copy member by member, in the sizes in which they were written; struct rc_completion explains
 * why.
 */
static inline void
completion_fill(struct nd_completion *out, nd_status status, const struct rc_completion *completion)
{
	out->context = completion->context;
	out->endpoint_context = completion->owner;
	out->status = status;
	out->imm_data = completion->immediate;
	out->bytes_transferred = completion->bytes;
	out->kind = completion->kind;
	out->flags = completion->flags;
}

/** Take completions of any kind and status. Slow path of successes_take(). */
static __rte_noinline size_t
any_take(struct nd_cq *cq, struct nd_completion *completions, size_t count)
{
	const struct rc_completion *completion;
	size_t taken = 0;

	cq_forget_windows(cq);
	while (taken < count && (completion = rc_cq_take(&cq->rc)) != NULL) {
		/* cq_forget_windows() has removed this result, because its window was released. */
		if (completion->context == NULL)
			continue;
		completion_fill(
			&completions[taken], status_of_result(completion->status), completion);
		if (completion->kind == RC_COMPLETION_WINDOW_INVALIDATED)
			/* Remove the window's ID, which the transport stored here. */
			completions[taken].imm_data = 0;
		taken++;
	}
	return taken;
}

/**
 * Fast path: take successful completions, up to the first completion with another status. The queue
 * must not contain results of windows.
 */
static inline size_t
successes_take(struct rc_cq *cq, struct nd_completion *completions, size_t count)
{
	const struct rc_completion *ring = cq->ring;
	uint32_t head = cq->head, tail = cq->tail, mask = cq->mask;
	size_t taken = 0;

	for (; taken < count && head != tail; head++) {
		const struct rc_completion *completion = &ring[head & mask];

		if (unlikely(completion->status != RC_OK))
			break;
		completion_fill(&completions[taken++], ND_SUCCESS, completion);
	}
	cq->head = head;
	return taken;
}

size_t
nd_cq_get_completions(struct nd_cq *cq, struct nd_completion *completions, size_t count)
{
	size_t taken = 0;

	BASE_ASSERT(engine_is_owned(cq->home->engine));
	if (cq->rc.head == cq->rc.tail)
		return 0;
	if (likely(cq->rc.invalidated == 0))
		taken = successes_take(&cq->rc, completions, count);
	if (likely(taken == count || cq->rc.head == cq->rc.tail))
		return taken;
	return taken + any_take(cq, completions + taken, count - taken);
}

size_t
nd_cq_peek_completions(struct nd_cq *cq, const struct nd_completion **first)
{
	const struct rc_cq *rc = &cq->rc;
	uint32_t place = rc->head & rc->mask;

	BASE_ASSERT(engine_is_owned(cq->home->engine));
	if (rc->head == rc->tail)
		return 0;
	if (unlikely(rc->invalidated != 0))
		cq_forget_windows(cq);
	*first = (const struct nd_completion *)&rc->ring[place];
	return RTE_MIN(rc->tail - rc->head, rc->mask + 1 - place);
}

void
nd_cq_drop_completions(struct nd_cq *cq, size_t count)
{
	BASE_ASSERT(engine_is_owned(cq->home->engine));
	BASE_ASSERT(count <= cq->rc.tail - cq->rc.head);
	if (likely(cq->rc.invalidated == 0)) {
		cq->rc.head += (uint32_t)count;
		return;
	}
	/*
	 * rc.invalidated is the number of results of windows in the queue. rc_cq_drop() subtracts
	 * each removed result of a window from this number, so remove the completions one by one.
	 */
	for (size_t i = 0; i < count; i++)
		rc_cq_drop(&cq->rc);
}
