/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_FIBER_H
#define NDPDK_SIM_SIM_FIBER_H

#include <stdbool.h>

/*
 * Fibers (coroutines) are functions that run on separate stacks of one thread. They can pause, and
 * are resumed later. Only code on the main stack starts and resumes fibers.
 */

struct sim_fiber;

/**
 * Run fn(arg) on a fiber until it returns or pauses.
 * @return the fiber if it has paused; NULL if fn has returned
 */
struct sim_fiber *sim_fiber_start(void (*fn)(void *arg), void *arg);

/** Continue a paused fiber. @return true if the function of the fiber has returned */
bool sim_fiber_resume(struct sim_fiber *fiber);

/** Pause the current fiber, and return to the main stack. Only a fiber may call this function. */
void sim_fiber_pause(void);

#endif
