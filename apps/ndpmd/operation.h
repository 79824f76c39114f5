/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_OPERATION_H
#define NDPDK_NDPMD_OPERATION_H

#include "session.h"

/* The common part of operations: posting, verifying and counting their messages. */

/** With --verify: fill the message of a request, which has the number request->sequence. */
void
operation_fill(struct session *session, const struct request *request, enum pattern_stream stream);

/**
 * Post the message of a request, from or to the local slot request->slot.
 *
 * @param request immediate data contain its sequence; a write or read uses its remote_slot
 * @param op an operation that options_op_mixes()
 * @return false: the session has failed
 */
bool operation_post(struct session *session, struct request *request, enum options_op op);

/** Count an operation as complete. Its latency ends at now. */
void operation_count(struct session *session, const struct request *request, uint64_t now);

/**
 * Compare a message with the pattern. Wrong messages are counted; error describes the first one.
 */
void operation_check(struct session *session, const void *message, size_t length,
	enum pattern_stream stream, uint64_t sequence);

/**
 * Check the message of a receive: the flags of its result, the immediate data, and the bytes unless
 * a write has placed them elsewhere. Wrong messages are counted as in operation_check().
 */
void operation_check_receive(struct session *session, const struct request *receive,
	enum options_op op, enum pattern_stream stream, uint64_t sequence);

/** Count an event of an operation. The last event ends the operation at now. */
static inline void
operation_step(struct session *session, struct request *request, uint64_t now)
{
	if (--request->pending == 0)
		operation_count(session, request, now);
}

/** @return whether a target may answer with this request. If not, the session has failed. */
bool operation_may_answer(struct session *session, const struct request *request);

/**
 * @return start of the operation that is being posted, in cycles of the TSC. All operations of a
 *         batch start with the batch, because the engine gets them together, and because reading
 *         the counter takes a fifth of the time of an operation at depth 64. With --verify the
 *         operation starts after its message is filled. With a schedule an operation starts when
 *         it is due, even if it is posted later, so that a stall of the peer delays all operations
 *         that are due during the stall.
 */
static inline uint64_t
operation_posting_tsc(const struct session *session)
{
	if (session->pace.schedule.period > 0)
		return session->pace.due_tsc;
	return session->setup.verify ? stopwatch_now() : session->pace.posting_tsc;
}

/** @return request of the newest operation. With --latency only one operation is outstanding. */
static inline struct request *
operation_newest(const struct session *session)
{
	return session_request(session, 0,
		(session->next_slot > 0 ? session->next_slot : session->memory.slots) - 1);
}

/** @return next slot in the peer's window, in turn. @param count slots of the window */
static inline uint32_t
operation_take_remote_slot(struct session *session, uint32_t count)
{
	const uint32_t slot = session->next_remote_slot;

	session->next_remote_slot = slot + 1 == count ? 0 : slot + 1;
	return slot;
}

#endif
