/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_STOP_H
#define NDPDK_KIT_STOP_H

#include <stdbool.h>

/*
 * Handling of Ctrl-C: the first SIGINT or SIGTERM requests a regular end, the second kills the
 * process.
 */

/** Install the handler. After this call, the first signal only makes stop_is_wanted() true. */
void stop_catch_signals(void);

/** @return whether the process must end, after a signal or a failed write to standard output. */
bool stop_is_wanted(void);

/**
 * Clear the received signal and catch the next signal, for a process that continues after a signal.
 * @return number of the received signal; 0 = no signal was received
 */
int stop_take(void);

#endif
