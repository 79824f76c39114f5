/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_ARRIVAL_H
#define NDPDK_ENGINE_ARRIVAL_H

#include "engine/engine.h"

/**
 * Start recording the receive time of each burst. Called on the engine's thread, when a completion
 * queue begins to store receive times.
 */
void engine_arrival_want(struct engine *engine);

/**
 * Record the receive time of the current burst. Called for each burst while a completion queue
 * stores receive times.
 */
void engine_arrival_burst(struct engine *engine);

#endif
