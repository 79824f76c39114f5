/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INTEROP_PEER_TASK_H
#define NDPDK_INTEROP_PEER_TASK_H

/**
 * Tasks of one thread. Each task has its own stack and runs until it calls one of these functions.
 */

/** Create a task, which runs from the next turn on. Ends the process without memory. */
void task_spawn(void (*run)(void *arg), void *arg);

/** Let all other tasks run. Called by a task. */
void task_yield(void);

/** Let other tasks run for this time. Called by a task. */
void task_sleep(double seconds);

/** Time in seconds of a monotonic clock. */
double task_now(void);

/** Run all tasks in turns until there is none. Between two turns, calls this function. */
void task_run_all(void (*between)(void *arg), void *arg);

#endif
