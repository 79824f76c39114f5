/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CC_LOSS_WINDOW_H
#define NDPDK_CC_LOSS_WINDOW_H

#include "cc/cc.h"

/** Row of CC_LOSS_WINDOW. */
extern const struct cc_events cc_loss_window;

#endif
