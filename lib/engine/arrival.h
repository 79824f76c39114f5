/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ENGINE_ARRIVAL_H
#define NDPDK_ENGINE_ARRIVAL_H

#include "engine/engine.h"

/** From now on the time of each burst is noted for completion queues. On the engine's thread. */
void engine_arrival_want(struct engine *engine);

/** A burst has come in, and somebody wants to know when. */
void engine_arrival_burst(struct engine *engine);

#endif
