/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PLAY_PREPARE_H
#define NDPDK_PLAYER_PLAY_PREPARE_H

#include "play_recorded.h"

/** Fill the members after `doubts`. The caller has filled the members up to `doubts`. */
void play_prepare(struct play_recorded *recorded);

#endif
