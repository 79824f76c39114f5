/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_SLEEP_H
#define NDPDK_ENGINE_SLEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "port/port.h"

/*
 * Waiting for work without a busy loop. A thread that owns an engine, or is inside a shared engine,
 * runs turns. After a turn without work, it sleeps until one of these events:
 *
 * - the next deadline of the engine;
 * - a command of another thread, or frames, orders and notes of another engine: these write an
 *   eventfd, but only while a thread sleeps;
 * - a frame in the port's queue: an RX interrupt, if the port has interrupts. Otherwise the thread
 *   polls after a nap; naps get longer with the time since the last event;
 * - with several threads: an event caused by another thread while it was inside.
 *
 * The members are used by the owner only.
 */

struct engine;

/** The length of a nap is the time since the last activity divided by ENGINE_NAP_PART ... */
#define ENGINE_NAP_PART   8
/** ... limited to this range. */
#define ENGINE_NAP_MIN_NS UINT64_C(10000)
#define ENGINE_NAP_MAX_NS UINT64_C(1000000)

struct engine_sleep {
	bool ready;        /**< the descriptors exist */
	bool interrupts;   /**< the epoll set contains the port's interrupts */
	int epoll_fd;      /**< epoll set of the eventfd and the interrupts; valid if ready */
	uint64_t seen;     /**< engine_activity() when a thread last went to sleep or left */
	uint64_t until_ns; /**< deadline of the thread that wakes first */
	uint64_t busy;     /**< engine_activity() at the last activity */
	uint64_t busy_ns;  /**< time of the last activity */
	uint64_t results;  /**< rc.frameless_results at the last call of engine_wait() */
};

/**
 * Run turns, and sleep between them, until a turn had work, an operation was reported to its owner,
 * a deadline has passed, engine_wake() was called, or the timeout has passed. Called by the owner,
 * outside of a turn. The caller leaves a shared queue while it sleeps. The sleep is a cancellation
 * point; a turn is not.
 * @param entered the caller has entered a shared queue for this call; if the thread is cancelled,
 *        it leaves the queue
 * @return what engine_poll() returned in the last turn
 */
unsigned int engine_wait(struct engine *engine, uint64_t timeout_ns, bool entered);

/** End engine_wait(), or the next one. From any thread. */
void engine_wake(struct engine *engine);

/**
 * Called when the owner leaves: wake sleeping threads if the owner caused an event that they wait
 * for.
 */
void engine_sleepers_tell(struct engine *engine);

/** Create the descriptors. On failure, engine_sleep.ready stays false. */
void engine_sleep_init(struct engine *engine);

/** Close the descriptors. */
void engine_sleep_fini(struct engine *engine);

/** Call the port's interrupt function. @return whether the port has interrupts and succeeded */
bool engine_sleep_interrupt(struct engine *engine, enum port_interrupt what);

#endif
