/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_SLEEP_H
#define NDPDK_ENGINE_SLEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "port/port.h"

/*
 * Waiting for work without a busy loop. A thread that owns an engine, or is inside a shared one,
 * takes turns; when one had nothing to do it sleeps until
 *
 *   the next deadline of the engine;
 *   a command of another thread, or frames, orders and notes of another engine: an eventfd, which
 *   they write only while somebody sleeps;
 *   a frame in the port's queue: an RX interrupt, if the port has them. Without, nobody tells of
 *   frames, and the thread looks again after a nap. Naps get longer the longer nothing happens;
 *   with several threads, something that one of the others did while it was inside.
 *
 * The members are the owner's.
 */

struct engine;

/** A nap is this part of the time since something happened ... */
#define ENGINE_NAP_PART   8
/** ... but not shorter, and not longer. */
#define ENGINE_NAP_MIN_NS UINT64_C(10000)
#define ENGINE_NAP_MAX_NS UINT64_C(1000000)

struct engine_sleep {
	bool ready;        /**< the descriptors are there */
	bool interrupts;   /**< the port's interrupts are in the epoll set */
	int epoll_fd;      /**< of the eventfd and the interrupts; valid when ready */
	uint64_t seen;     /**< activity, see engine_wait(), when somebody slept or left last ... */
	uint64_t until_ns; /**< deadline that the first one to wake sleeps until */
	uint64_t busy;     /**< activity when something happened last ... */
	uint64_t busy_ns;  /**< and when that was */
	uint64_t results;  /**< rc.frameless_results when engine_wait() was called last */
};

/**
 * Take turns, and sleep between them, until a turn had work, an operation was reported to its
 * owner, a deadline has passed, engine_wake() was called, or the timeout has passed. Called by the
 * owner, outside of a turn. The caller leaves a shared queue while it sleeps. The sleep is a
 * cancellation point; a turn is not.
 * @param entered the caller has entered a shared queue for this call; if the thread is cancelled,
 *         it leaves the queue
 * @return what engine_poll() returned in the last turn
 */
unsigned int engine_wait(struct engine *engine, uint64_t timeout_ns, bool entered);

/** End engine_wait(), or the next one. From any thread. */
void engine_wake(struct engine *engine);

/** The owner leaves, or will: wake threads that sleep if it has changed what they wait for. */
void engine_sleepers_tell(struct engine *engine);

/** Make the descriptors, unless the process has no more: engine_sleep.ready says so. */
void engine_sleep_init(struct engine *engine);

/** Give up the descriptors. */
void engine_sleep_fini(struct engine *engine);

/** Ask the port. @return whether it has interrupts and does so */
bool engine_sleep_interrupt(struct engine *engine, enum port_interrupt what);

#endif
