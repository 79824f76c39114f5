/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_ARRIVAL_H
#define NDPDK_ENGINE_ARRIVAL_H

#include "engine/engine.h"

/** Start recording the time of each burst for completion queues. On the engine's thread. */
void engine_arrival_want(struct engine *engine);

/** Record the time of a received burst. Called if a completion queue needs times. */
void engine_arrival_burst(struct engine *engine);

#endif
