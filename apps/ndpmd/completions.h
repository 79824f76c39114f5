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
 * The completion queue that all sessions of one engine share, and the list of sessions that are
 * ready for a turn. A session that waits for its peer costs no time: it has no turn until a result
 * or a finished operation wakes it.
 */
struct completions {
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct nd_cq *cq;      /**< NULL before the first session */
	size_t entries;        /**< of cq */
	size_t reserved_count; /**< highest number of results of all sessions together */
	uint32_t timed_count;  /**< sessions with a deadline */
	TAILQ_HEAD(completions_ready, session) ready;
	uint32_t ready_count;
};

/** Initialise without a queue. @param engine of adapter; both must outlive completions */
void completions_open(
	struct completions *completions, struct nd_adapter *adapter, struct nd_engine *engine);

/**
 * Reserve entries of the queue for the results of a new session, so that the queue cannot overrun.
 * completions_release() releases the same count.
 * @return ND_SUCCESS; ND_DATA_OVERRUN: more results than a queue of the adapter can have; or why
 *         the queue cannot be created or resized
 */
nd_status completions_reserve(struct completions *completions, size_t count);
void completions_release(struct completions *completions, size_t count);

/** Add a session to the list, unless it is on the list. */
void completions_wake(struct session *session);

/** Remove a session from the list, if it is on the list. */
void completions_forget(struct session *session);

/**
 * @return number of sessions that get a turn before the next poll of the engine: the sessions that
 *         are on the list now, up to a limit. A session that is added in the meantime gets its turn
 *         after the poll, because it may wait for data that only a poll can receive.
 */
uint32_t completions_turn_count(const struct completions *completions);

/** Remove a session from the list. @return the session; NULL: the list is empty */
struct session *completions_next(struct completions *completions);

/** Release the queue. All sessions must be closed. */
void completions_close(struct completions *completions);

#endif
