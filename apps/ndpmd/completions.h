/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDPMD_COMPLETIONS_H
#define NDPDK_NDPMD_COMPLETIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <ndpdk/nd.h>

struct session;

/*
 * The completion queue that all sessions of one engine share, and a list of the sessions that are
 * ready to advance. A session that waits for its peer is not on the list and costs no time. A
 * session is added when a result arrives or an operation finishes.
 */
struct completions {
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct nd_cq *cq;      /**< NULL before the first session */
	size_t entries;        /**< size of cq */
	size_t reserved_count; /**< entries that all sessions together have reserved */
	uint32_t timed_count;  /**< number of sessions with a deadline */
	TAILQ_HEAD(completions_ready, session) ready;
	uint32_t ready_count;
};

/** Initialise completions without a queue. The adapter and its engine must outlive completions. */
void completions_open(
	struct completions *completions, struct nd_adapter *adapter, struct nd_engine *engine);

/**
 * Reserve entries of the completion queue for the results of a new session, so that the queue
 * cannot overrun. completions_release() releases the same number.
 * @return ND_SUCCESS; ND_DATA_OVERRUN: more entries than a queue of the adapter can have; a
 *         different status: the queue cannot be created or resized
 */
nd_status completions_reserve(struct completions *completions, size_t count);
void completions_release(struct completions *completions, size_t count);

/** Add a session to the list of ready sessions, unless the list contains the session already. */
void completions_wake(struct session *session);

/** Remove a session from the list of ready sessions, if the list contains the session. */
void completions_forget(struct session *session);

/**
 * @return number of sessions to advance before the next poll of the engine: the sessions that are
 *         on the list now, up to a limit. A session that is added after this call is advanced
 *         after the poll, because it may wait for data that only a poll can receive.
 */
uint32_t completions_turn_count(const struct completions *completions);

/** Remove the first session from the list. @return this session; NULL = the list is empty */
struct session *completions_next(struct completions *completions);

/** Release the queue. All sessions must be closed. */
void completions_close(struct completions *completions);

#endif
