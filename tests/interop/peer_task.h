/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INTEROP_PEER_TASK_H
#define NDPDK_INTEROP_PEER_TASK_H

/**
 * Tasks (coroutines) of one thread. Each task has its own stack. A task runs until it calls
 * task_yield() or task_sleep(), or ends.
 */

/** Create a task, which first runs in the next turn. End the process if memory is exhausted. */
void task_spawn(void (*run)(void *arg), void *arg);

/** Let all other tasks run once. Only a task may call this function. */
void task_yield(void);

/** Let other tasks run for this time. Only a task may call this function. */
void task_sleep(double seconds);

/** @return time of a monotonic clock, in seconds */
double task_now(void);

/**
 * Run all tasks in turn until no task is left. Call between() each time all tasks have run once.
 */
void task_run_all(void (*between)(void *arg), void *arg);

#endif
