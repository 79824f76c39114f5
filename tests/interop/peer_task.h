/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_INTEROP_PEER_TASK_H
#define NDPDK_INTEROP_PEER_TASK_H

/** Tasks of one thread, each with a stack of its own, that take turns where they say so. */

/** Begin a task; it runs from the next turn on. Ends the process when there is no memory. */
void task_spawn(void (*run)(void *arg), void *arg);

/** Let all others run. Called by a task. */
void task_yield(void);

/** Let others run for this long. Called by a task. */
void task_sleep(double seconds);

/** Seconds of a clock that only goes forward. */
double task_now(void);

/** Run all tasks in turns, and between two turns this function, until there is no task. */
void task_run_all(void (*between)(void *arg), void *arg);

#endif
