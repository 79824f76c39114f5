/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIN_WAIT_H
#define NDPDK_WIN_WAIT_H

#include "win/dispatch.h"

/** Signal an object, and end the waits that the signal satisfies. Requires the lock. */
void win_object_signal(struct win_object *object, struct win_wakes *wakes);

#endif
