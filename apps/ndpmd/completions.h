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
 * What all sessions of one engine share: the completion queue, and the list of sessions that have
 * something to do. A session that waits for its peer costs nothing: it is not looked at before a
 * result or a finished operation wakes it.
 */
struct completions {
	struct nd_adapter *adapter;
	struct nd_engine *engine;
	struct nd_cq *cq;      /**< NULL before the first session */
	size_t entries;        /**< of cq */
	size_t reserved_count; /**< results that all sessions together can have in it */
	uint32_t timed_count;  /**< sessions whose state has a deadline */
	TAILQ_HEAD(completions_ready, session) ready;
	uint32_t ready_count;
};

/** Prepare, without a queue. @param engine of the adapter; both outlive it */
void completions_open(
	struct completions *completions, struct nd_adapter *adapter, struct nd_engine *engine);

/**
 * Make room for results of one more session, so that the queue cannot overrun. Called when the
 * session is made; completions_release() takes the same count back.
 * @return ND_SUCCESS, or why there is no queue of that size
 */
nd_status completions_reserve(struct completions *completions, size_t count);
void completions_release(struct completions *completions, size_t count);

/**
 * Hand every result to its session, and wake it. Call it after each poll of the engine.
 * @return when the newest of them were taken, in cycles of the TSC; 0 = there was none
 */
uint64_t completions_take(struct completions *completions);

/** Put a session on the list, unless it is there. */
void completions_wake(struct session *session);

/** Take a session off the list, if it is there. */
void completions_forget(struct session *session);

/**
 * @return how many sessions are advanced before the next poll of the engine: those that are on the
 *         list now, up to a limit. One that is put on the list meanwhile has its turn after that
 *         poll: it may be one that looks for what only a poll can bring.
 */
uint32_t completions_turn_count(const struct completions *completions);

/** @return a session with something to do, off the list now; NULL: there is none. */
struct session *completions_next(struct completions *completions);

/** Release the queue. All sessions are closed. */
void completions_close(struct completions *completions);

#endif
