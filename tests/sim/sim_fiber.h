/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SIM_SIM_FIBER_H
#define NDPDK_SIM_SIM_FIBER_H

#include <stdbool.h>

/*
 * Fibers: functions that run on separate stacks of one thread, pause and are resumed later. Only
 * code on the main stack starts and resumes fibers.
 */

struct sim_fiber;

/**
 * Run fn(arg) until it returns or pauses.
 * @return the fiber, which has paused; NULL: fn has returned
 */
struct sim_fiber *sim_fiber_start(void (*fn)(void *arg), void *arg);

/** Continue a fiber that has paused. @return whether its function has returned */
bool sim_fiber_resume(struct sim_fiber *fiber);

/** Return to the main stack. The caller is a fiber. */
void sim_fiber_pause(void);

#endif
