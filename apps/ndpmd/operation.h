/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_OPERATION_H
#define NDPDK_NDPMD_OPERATION_H

#include "session.h"

/** With --verify: fill a request's message with the pattern of message number request->sequence. */
void
operation_fill(struct session *session, const struct request *request, enum pattern_stream stream);

/**
 * Post the message of a request. The local buffer is slot number request->slot.
 *
 * @param request contains the immediate data in sequence, and the slot of the peer's window for a
 *        write or read in remote_slot
 * @param op an operation for which options_op_mixes() is true
 * @return false: the session has failed
 */
bool operation_post(struct session *session, struct request *request, enum options_op op);

/** Count a complete operation, and record the latency from its start until now. */
void operation_count(struct session *session, const struct request *request, uint64_t now);

/**
 * Compare a message with its pattern, and count wrong messages. session->error describes the first
 * wrong message.
 */
void operation_check(struct session *session, const void *message, size_t length,
	enum pattern_stream stream, uint64_t sequence);

/**
 * Check the message of a receive: the flags of the result, the immediate data, and the bytes. The
 * bytes are not checked if a write has placed them in the window. Counts wrong messages like
 * operation_check().
 */
void operation_check_receive(struct session *session, const struct request *receive,
	enum options_op op, enum pattern_stream stream, uint64_t sequence);

/**
 * Count one event of an operation. After its last pending event, the operation is complete at time
 * now.
 */
static inline void
operation_step(struct session *session, struct request *request, uint64_t now)
{
	if (--request->pending == 0)
		operation_count(session, request, now);
}

/**
 * @return true if the target may post an answer with this request. If false, the session has
 *         failed.
 */
bool operation_may_answer(struct session *session, const struct request *request);

/**
 * @return start time of the operation that is being posted, in TSC cycles. All operations of a
 *         batch have the start time of the batch, because the engine gets them together, and
 *         because reading the TSC takes a fifth of the time of an operation at depth 64. With
 *         --verify the operation starts after its message is filled. With a schedule the operation
 *         starts when it is due, even if it is posted later. Therefore a stall of the peer delays
 *         all operations that are due during the stall.
 */
static inline uint64_t
operation_posting_tsc(const struct session *session)
{
	if (session->pace.schedule.period > 0)
		return session->pace.due_tsc;
	return session->setup.verify ? stopwatch_now() : session->pace.posting_tsc;
}

/** @return request of the newest operation. Used with --latency, where only one is outstanding. */
static inline struct request *
operation_newest(const struct session *session)
{
	return session_request(session, 0,
		(session->next_slot > 0 ? session->next_slot : session->memory.slots) - 1);
}

/**
 * @return slot of the peer's window for the next write. The count slots are used in a circle.
 * @param count number of slots
 */
static inline uint32_t
operation_take_remote_slot(struct session *session, uint32_t count)
{
	const uint32_t slot = session->next_remote_slot;

	session->next_remote_slot = slot + 1 == count ? 0 : slot + 1;
	return slot;
}

#endif
