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
 * The members of struct engine_sleep are used by the engine's owner only.
 */

struct engine;

/**
 * A nap is a short sleep between polls of a port without interrupts. It lasts for the time since
 * the last activity, divided by ENGINE_NAP_PART.
 */
#define ENGINE_NAP_PART   8
#define ENGINE_NAP_MIN_NS UINT64_C(10000)
#define ENGINE_NAP_MAX_NS UINT64_C(1000000)

struct engine_sleep {
	bool ready;      /**< the descriptors exist */
	bool interrupts; /**< true: the port has interrupts, and the epoll set contains them */
	/** Epoll set with the eventfd and the port's interrupts. Valid if ready is true. */
	int epoll_fd;
	/** Value of engine_activity() when a thread last began to sleep or left the engine. */
	uint64_t seen;
	uint64_t until_ns; /**< earliest time at which a sleeping thread wakes up by itself */
	uint64_t busy;     /**< value of engine_activity() when the last activity was seen */
	uint64_t busy_ns;  /**< time at which the last activity was seen */
	uint64_t results;  /**< rc.frameless_results at the last call of engine_wait() */
};

/**
 * Run turns, and sleep between them, until one of these events: a turn had work, an operation was
 * reported to its owner, a deadline has passed, engine_wake() was called, or the timeout has
 * passed. Called by the owner, outside of a turn. While it sleeps, the thread is not inside a
 * shared engine. The sleep is a cancellation point; a turn is not.
 * @param entered the caller has entered a shared engine only for this call: if the thread is
 *        cancelled, it leaves the engine
 * @return result of engine_poll() in the last turn
 */
unsigned int engine_wait(struct engine *engine, uint64_t timeout_ns, bool entered);

/** End the current call of engine_wait(); if there is none, the next one. From any thread. */
void engine_wake(struct engine *engine);

/**
 * Called when the owner leaves a shared engine: wake the sleeping threads if the owner has caused
 * an event that they wait for.
 */
void engine_sleepers_tell(struct engine *engine);

/** Create the epoll set and the eventfd. On failure, engine_sleep.ready stays false. */
void engine_sleep_init(struct engine *engine);

/** Close the descriptors. */
void engine_sleep_fini(struct engine *engine);

/**
 * Enable or disable the port's RX interrupts. @return whether the port has interrupts and succeeded
 */
bool engine_sleep_interrupt(struct engine *engine, enum port_interrupt what);

#endif
