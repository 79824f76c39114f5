/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_STOP_H
#define NDPDK_KIT_STOP_H

#include <stdbool.h>

/* Ctrl-C: the first SIGINT or SIGTERM asks the process to end well, the second ends it. */

/** From now on the first signal only sets what stop_is_wanted() returns. */
void stop_catch_signals(void);

/** @return whether the process is to end: a signal came, or its output is lost. */
bool stop_is_wanted(void);

/**
 * For a process that a signal does not end: forget the signal that came, and catch the next one.
 * @return its number, 0: none came
 */
int stop_take(void);

#endif
